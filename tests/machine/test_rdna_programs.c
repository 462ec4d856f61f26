/* SPDX-License-Identifier: MIT */
/*
 * Programs that were written to run on RDNA3 silicon (tests/data/rdna3-programs.csv), each on waves of 32
 * lanes of gfx1100 that flush f32 denormals, and their final registers. Where no test asserts a register, the
 * state in the file is that of another emulator: tests/data/rdna3-differs.csv lists the programs with a
 * different result here, with the reason and a source.
 */
#include <stdio.h>

#include "machine/fixture.h"

#include "isa_tables/amdgpu/registers.h"

enum {
    SHOWN = 16, /* registers of each kind that the file gives */
    ALL = 256,
    LANES = 32,
    WAVES = 2,
    CODE_WORDS = 2048,
    LINE_BYTES = 16384,
    POINTER_AT = 80,
    LDS_BYTES = 65536,
    SCRATCH_BYTES = 65536,
    ROOM = 65536
};

typedef struct state {
    uint32_t v[SHOWN][WAVES * LANES], s[SHOWN];
    uint32_t vcc, scc, exec;
} state;

typedef struct program {
    char name[128];
    unsigned lanes;
    uint32_t code[CODE_WORDS];
    size_t words;
    state expected;
} program;

static uint32_t hex(const char *text)
{
    return (uint32_t)strtoul(text, NULL, 16);
}

/* NUMBER, or NUMBER*LANES/NUMBER*LANES... */
static void read_lanes(char *text, uint32_t *to)
{
    unsigned at = 0;
    for (char *rest = NULL, *part = strtok_r(text, "/", &rest); part; part = strtok_r(NULL, "/", &rest)) {
        const char *star = strchr(part, '*');
        const unsigned count = star ? (unsigned)strtoul(star + 1, NULL, 10) : WAVES * LANES;
        for (unsigned i = 0; i < count; i++)
            to[at++] = hex(part);
    }
}

static void read_registers(char *text, program *p, bool vector)
{
    for (char *rest = NULL, *one = strtok_r(text, " ", &rest); one; one = strtok_r(NULL, " ", &rest)) {
        const unsigned number = (unsigned)strtoul(one, NULL, 10);
        ck_assert_uint_lt(number, SHOWN);
        if (vector)
            read_lanes(strchr(one, '=') + 1, p->expected.v[number]);
        else
            p->expected.s[number] = hex(strchr(one, '=') + 1);
    }
}

/* Bytes in memory order. */
static void read_code(const char *text, program *p)
{
    const uint32_t end = 0xbfb00000; /* s_endpgm */
    for (; text[0]; text += 8) {
        char byte[3] = "";
        for (unsigned i = 0; i < 4; i++) {
            memcpy(byte, text + 2 * i, 2);
            p->code[p->words] |= hex(byte) << 8 * i;
        }
        p->words++;
    }
    p->code[p->words++] = end;
}

static program *read_program(char *line)
{
    enum { NAME, COUNT, CODE, VECTORS, SCALARS, VCC, SCC, EXEC, FIELDS };
    char *field[FIELDS], *at = line;
    for (unsigned i = 0; i < FIELDS; i++)
        field[i] = strsep(&at, ",\n");
    program *p = calloc(1, sizeof(*p));
    snprintf(p->name, sizeof(p->name), "%s", field[NAME]);
    p->lanes = (unsigned)strtoul(field[COUNT], NULL, 10);
    read_code(field[CODE], p);
    read_registers(field[VECTORS], p, true);
    read_registers(field[SCALARS], p, false);
    p->expected.vcc = hex(field[VCC]);
    p->expected.scc = hex(field[SCC]);
    p->expected.exec = hex(field[EXEC]);
    return p;
}

typedef struct machine {
    lw_memory *memory;
    uint64_t pointer;
    uint32_t vgpr[WAVES][ALL * 64];
    uint8_t lds[LDS_BYTES];
    lw_error error;
} machine;

static void make_memory(machine *m)
{
    uint64_t room = 0;
    ck_assert_int_eq(lw_memory_create(&m->memory), LW_OK);
    ck_assert_int_eq(lw_memory_allocate(m->memory, "out", ROOM, LW_ACCESS_READ_WRITE, &room, NULL), LW_OK);
    ck_assert_int_eq(lw_memory_allocate(m->memory, "args", 8, LW_ACCESS_READ_WRITE, &m->pointer, NULL),
                     LW_OK);
    memset(lw_memory_host(m->memory, room, ROOM), 0, ROOM);
    memcpy(lw_memory_host(m->memory, m->pointer, 8), &room, 8);
}

/* False if it faulted. */
static bool run(machine *m, const program *p, state *left)
{
    lw_wave_state waves[WAVES] = { { 0 } };
    const unsigned count = (p->lanes + LANES - 1) / LANES;
    memset(m->vgpr, 0, sizeof(m->vgpr));
    memset(m->lds, 0, sizeof(m->lds));
    make_memory(m);
    for (unsigned i = 0; i < count; i++) {
        waves[i] = (lw_wave_state){ .vgpr = m->vgpr[i], .vgprs = ALL, .mode = 0x3c0 };
        memcpy(&waves[i].sgpr[POINTER_AT], &m->pointer, 8);
        waves[i].sgpr[LW_SGPR_EXEC] = p->lanes < LANES ? (1u << p->lanes) - 1 : UINT32_MAX;
        for (unsigned lane = 0; lane < LANES; lane++)
            m->vgpr[i][(ALL - 1) * 64 + lane] = i * LANES + lane;
    }
    const lw_code_options o = { .struct_size = sizeof(o),
                                .arch = LW_ARCH_GFX1100,
                                .code = p->code,
                                .words = p->words,
                                .memory = m->memory,
                                .lds = m->lds,
                                .lds_size = LDS_BYTES,
                                .scratch = SCRATCH_BYTES,
                                .budget = 100000 };
    const lw_status status = lw_code_run(&o, waves, count, NULL, &m->error);
    lw_memory_free(m->memory);
    *left = (state){ .vcc = waves[0].sgpr[LW_SGPR_VCC],
                     .scc = waves[0].scc,
                     .exec = waves[0].sgpr[LW_SGPR_EXEC] };
    memcpy(left->s, waves[0].sgpr, sizeof(left->s));
    for (unsigned r = 0; r < SHOWN; r++)
        for (unsigned lane = 0; lane < p->lanes; lane++)
            left->v[r][lane] = m->vgpr[lane / LANES][r * 64 + lane % LANES];
    return status == LW_OK;
}

/* The first difference; empty if there is none. */
static void compare(const program *p, const state *left, char *text, size_t size)
{
    const state *e = &p->expected;
    text[0] = '\0';
    for (unsigned r = 0; r < SHOWN && !text[0]; r++) {
        for (unsigned lane = 0; lane < p->lanes && !text[0]; lane++)
            if (left->v[r][lane] != e->v[r][lane])
                snprintf(text, size, "v%u lane %u is %08x, expected %08x", r, lane, left->v[r][lane],
                         e->v[r][lane]);
        if (!text[0] && left->s[r] != e->s[r])
            snprintf(text, size, "s%u is %08x, expected %08x", r, left->s[r], e->s[r]);
    }
    if (!text[0] && left->vcc != e->vcc)
        snprintf(text, size, "vcc is %08x, expected %08x", left->vcc, e->vcc);
    else if (!text[0] && left->scc != e->scc)
        snprintf(text, size, "scc is %u, expected %u", left->scc, e->scc);
    else if (!text[0] && left->exec != e->exec)
        snprintf(text, size, "exec is %08x, expected %08x", left->exec, e->exec);
}

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "r");
    ck_assert_msg(file, "%s is missing", path);
    char *text = calloc(1, 1 << 20);
    ck_assert_uint_lt(fread(text, 1, (1 << 20) - 1, file), (1 << 20) - 1);
    fclose(file);
    return text;
}

/* Whether the program is in the list of those with a different result. */
static bool is_listed(const char *list, const char *name)
{
    char line[160];
    snprintf(line, sizeof(line), "\n%s,", name);
    return strstr(list, line) != NULL;
}

START_TEST(programs)
{
    char *differs = read_file(DATA "/rdna3-differs.csv"), *all = read_file(DATA "/rdna3-programs.csv"),
         *at = all;
    machine *m = calloc(1, sizeof(*m));
    unsigned ran = 0, listed = 0, wrong = 0;
    for (char *line; (line = strsep(&at, "\n")) != NULL;) {
        if (!line[0] || line[0] == '#')
            continue;
        program *p = read_program(line);
        char text[400] = "";
        state left;
        if (run(m, p, &left))
            compare(p, &left, text, sizeof(text));
        else
            snprintf(text, sizeof(text), "%s", m->error.text);
        ran++;
        const bool otherwise = is_listed(differs, p->name);
        listed += otherwise;
        wrong += otherwise == !text[0];
        if (otherwise == !text[0])
            printf("%s: %s\n", p->name, text[0] ? text : "listed as ending otherwise, and does not");
        free(p);
    }
    free(m);
    free(all);
    free(differs);
    printf("%u programs, %u listed, %u wrong\n", ran, listed, wrong);
    ck_assert_uint_eq(ran, 769);
    ck_assert_uint_eq(wrong, 0);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("rdna programs");
    tcase_add_test(tc, programs);
    tcase_set_timeout(tc, 120);
    return run_suite("rdna programs", tc);
}

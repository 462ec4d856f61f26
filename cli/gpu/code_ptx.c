/* SPDX-License-Identifier: MIT */
/*
 * Kernels as PTX text, which the driver compiles. A block of one warp is a case: its operands begin at "in"
 * plus the block's number times their size, register after register, a word per lane.
 */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include <stdlib.h>
#include <string.h>

#include "cli/gpu/subject.h"

/* A target's name in PTX and the first version of PTX that has it, times ten (PTX ISA, release notes). */
static const struct target_row {
    const char *arch, *target;
    unsigned version;
} targets[] = {
    { "sm_70", "sm_70", 60 },   { "sm_72", "sm_72", 61 },     { "sm_75", "sm_75", 63 },
    { "sm_80", "sm_80", 70 },   { "sm_86", "sm_86", 71 },     { "sm_89", "sm_89", 78 },
    { "sm_90", "sm_90a", 80 },  { "sm_100", "sm_100", 86 },   { "sm_100a", "sm_100a", 86 },
    { "sm_120", "sm_120", 87 }, { "sm_120a", "sm_120a", 87 }, { "sm_120f", "sm_120f", 88 },
};

typedef struct writer {
    FILE *out;
    char *text;
    size_t size;
    subject *s;
    unsigned r, w, h; /* registers used: %r 32 bits, %w 64, %h 16 */
} writer;

static bool begin(writer *t, subject *s, unsigned version, lw_error *error)
{
    const struct target_row *row = NULL;
    *t = (writer){ .s = s };
    for (size_t i = 0; i < CLI_COUNT(targets); i++)
        if (strcmp(targets[i].arch, lw_arch_get(s->arch)->name) == 0)
            row = &targets[i];
    if (!row)
        return subject_fail(error, "no kernels are written for %s", lw_arch_get(s->arch)->name);
    t->out = open_memstream(&t->text, &t->size);
    if (!t->out)
        return subject_fail(error, "out of memory");
    version = version > row->version ? version : row->version;
    fprintf(t->out,
            ".version %u.%u\n.target %s\n.address_size 64\n\n"
            ".visible .entry k(.param .u64 p0, .param .u64 p1)\n{\n"
            "    .reg .b16 %%h<8>;\n    .reg .b32 %%r<256>;\n    .reg .b64 %%w<64>;\n    .reg .pred %%p;\n"
            "    .reg .u32 %%lane, %%case;\n    .reg .u64 %%in, %%out;\n"
            "    ld.param.u64 %%in, [p0];\n    ld.param.u64 %%out, [p1];\n"
            "    mov.u32 %%lane, %%tid.x;\n    mov.u32 %%case, %%ctaid.x;\n"
            "    mad.wide.u32 %%in, %%case, %zu, %%in;\n    mad.wide.u32 %%out, %%case, %zu, %%out;\n"
            "    mad.wide.u32 %%in, %%lane, 4, %%in;\n    mad.wide.u32 %%out, %%lane, 4, %%out;\n",
            version / 10, version % 10, row->target, s->in_words * 4, s->out_words * 4);
    return true;
}

static bool end(writer *t, lw_error *error)
{
    fputs("    ret;\n}\n", t->out);
    if (fclose(t->out) != 0)
        return subject_fail(error, "out of memory");
    t->s->image = t->text;
    t->s->image_size = t->size + 1; /* with the NUL that the driver looks for */
    return true;
}

/* Loads word number `word` of a lane into the next %r; returns its number. */
static unsigned load(writer *t, size_t word)
{
    fprintf(t->out, "    ld.global.b32 %%r%u, [%%in+%zu];\n", t->r, word * t->s->lanes * 4);
    return t->r++;
}

static void store(writer *t, size_t word, unsigned r)
{
    fprintf(t->out, "    st.global.b32 [%%out+%zu], %%r%u;\n", word * t->s->lanes * 4, r);
}

/* ---- Matrix instructions ---- */

static bool is_wide(const wave_operand *o)
{
    return !strcmp(o->info.format, "f64");
}

/* Registers of an operand as the instruction names them. */
typedef struct named {
    unsigned first, count;
    bool wide;
} named;

static named load_operand(writer *t, const wave_operand *o, size_t *word)
{
    named n = { .first = t->r, .count = o->info.registers, .wide = is_wide(o) };
    for (unsigned i = 0; i < o->info.registers; i++)
        load(t, (*word)++);
    if (!n.wide)
        return n;
    n = (named){ .first = t->w, .count = o->info.registers / 2u, .wide = true };
    for (unsigned i = 0; i < n.count; i++, t->w++)
        fprintf(t->out, "    mov.b64 %%w%u, {%%r%u, %%r%u};\n", t->w, t->r - 2 * (n.count - i),
                t->r - 2 * (n.count - i) + 1);
    return n;
}

static void write_list(writer *t, const char *before, const named *n)
{
    for (unsigned i = 0; i < n->count; i++)
        fprintf(t->out, "%s%%%c%u", i ? ", " : before, n->wide ? 'w' : 'r', n->first + i);
    fputc('}', t->out);
}

static unsigned modifier(const char *spelling, const char *name)
{
    const char *at = strstr(spelling, name);
    unsigned value = 0;
    return at && sscanf(at + strlen(name), ":%u", &value) == 1 ? value : 0;
}

/* Numbers that follow the mnemonic in `spelling` are operands. */
static void write_instruction(writer *t, const char *spelling, const named *of)
{
    const named *d = &of[LW_OPERAND_D];
    fprintf(t->out, "    %.*s ", (int)strcspn(spelling, " "), spelling);
    write_list(t, "{", d);
    for (lw_operand o = LW_OPERAND_A; o <= LW_OPERAND_C; o++)
        write_list(t, ", {", &of[o]);
    if (of[LW_OPERAND_INDEX].count)
        fprintf(t->out, ", %%r%u, 0x%x", of[LW_OPERAND_INDEX].first, modifier(spelling, "selector"));
    for (lw_operand o = LW_OPERAND_SCALE_A; of[o].count && o <= LW_OPERAND_SCALE_B; o++)
        fprintf(t->out, ", {%%r%u}, {%u, %u}", of[o].first,
                modifier(spelling, o == LW_OPERAND_SCALE_A ? "byte-id-a" : "byte-id-b"),
                modifier(spelling, o == LW_OPERAND_SCALE_A ? "thread-id-a" : "thread-id-b"));
    fputs(";\n", t->out);
}

bool code_ptx_matrix(subject *s, const char *spelling, lw_error *error)
{
    writer t;
    named of[LW_OPERAND_COUNT] = { { .count = 0 } };
    size_t word = 0;
    const wave_operand *d = &s->wave.operand[LW_OPERAND_D];
    if (!begin(&t, s, s->wave.info.ptx_isa, error))
        return false;
    for (size_t i = 0; i < MATRIX_SOURCES; i++) {
        const lw_operand o = matrix_source(&s->wave, i);
        if (s->wave.operand[o].image)
            of[o] = load_operand(&t, &s->wave.operand[o], &word);
    }
    const bool wide = is_wide(d);
    of[LW_OPERAND_D] = (named){ wide ? t.w : t.r, wide ? d->info.registers / 2u : d->info.registers, wide };
    t.r += wide ? 0 : d->info.registers;
    write_instruction(&t, spelling, of);
    for (unsigned i = 0; i < d->info.registers; i++) {
        if (wide && i % 2 == 0)
            fprintf(t.out, "    mov.b64 {%%r%u, %%r%u}, %%w%u;\n", t.r, t.r + 1,
                    of[LW_OPERAND_D].first + i / 2);
        store(&t, i, wide ? t.r++ : of[LW_OPERAND_D].first + i);
    }
    return end(&t, error);
}

/* ---- Instructions by lane ---- */

static void load_lane(writer *t, const lane_operand *o, size_t *word, char name[16])
{
    const unsigned low = load(t, (*word)++);
    if (o->bits == 32) {
        snprintf(name, 16, "%%r%u", low);
    } else if (o->bits == 16) {
        snprintf(name, 16, "%%h%u", t->h);
        fprintf(t->out, "    cvt.u16.u32 %%h%u, %%r%u;\n", t->h++, low);
    } else {
        const unsigned high = load(t, (*word)++);
        snprintf(name, 16, "%%w%u", t->w);
        fprintf(t->out, "    mov.b64 %%w%u, {%%r%u, %%r%u};\n", t->w++, low, high);
    }
}

static void store_lane(writer *t, const lane_operand *o)
{
    if (strcmp(o->type, "pred") == 0)
        fprintf(t->out, "    selp.u32 %%r%u, 1, 0, %%p;\n", t->r);
    else if (o->bits == 16)
        fprintf(t->out, "    cvt.u32.u16 %%r%u, %%h7;\n", t->r);
    else if (o->bits == 64)
        fprintf(t->out, "    mov.b64 {%%r%u, %%r%u}, %%w63;\n", t->r, t->r + 1);
    else
        fprintf(t->out, "    mov.b32 %%r%u, %%r255;\n", t->r);
    for (unsigned i = 0; i < lane_words(o); i++)
        store(t, i, t->r + i);
}

bool code_ptx_lanes(subject *s, const char *op, lw_error *error)
{
    writer t;
    size_t word = 0;
    char name[SUBJECT_SOURCES][16];
    const bool pred = strcmp(s->result.type, "pred") == 0;
    if (!begin(&t, s, 60, error))
        return false;
    for (unsigned i = 0; i < SUBJECT_SOURCES && s->source[i].bits; i++)
        load_lane(&t, &s->source[i], &word, name[i]);
    fprintf(t.out, "    %s %s", op,
            pred                   ? "%p"
            : s->result.bits == 16 ? "%h7"
            : s->result.bits == 64 ? "%w63"
                                   : "%r255");
    for (unsigned i = 0; i < SUBJECT_SOURCES && s->source[i].bits; i++)
        fprintf(t.out, ", %s", name[i]);
    fputs(";\n", t.out);
    store_lane(&t, &s->result);
    return end(&t, error);
}

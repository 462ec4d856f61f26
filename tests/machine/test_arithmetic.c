/* SPDX-License-Identifier: MIT */
/* Arithmetic and conversions of gfx1100 and gfx1201 in all modes: files of tests/data, whose heads say where
 * they are from. What has a fast form runs by it; valu_forms compares those with the general handlers. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/arch.h>
#include <lanewise/launch.h>

#include "tests/machine/fixture.h"

enum {
    REGISTERS = 8,
    LANES = 32,
    ROW = 64,
    WORDS = 4,
    EXEC = 126,
    LEAST_CAPTURED = 4900,
    LEAST_MODEL = 2900
};

typedef struct instruction {
    char text[128];
    lw_arch arch;
    uint32_t words[WORDS];
    unsigned count;
    bool captured;
} instruction;

typedef struct registers {
    lw_wave_state wave;
    uint32_t vgpr[REGISTERS * ROW];
} registers;

/* A line without its colon: evidence, target, text and words. */
static bool read_instruction(char *line, instruction *in)
{
    const char *evidence = strtok(line, ";"), *target = strtok(NULL, ";"), *text = strtok(NULL, ";");
    char *words = strtok(NULL, ";");
    if (!words)
        return false;
    in->captured = strcmp(evidence, "captured") == 0;
    snprintf(in->text, sizeof(in->text), "%.20s %.100s", target, text);
    for (in->count = 0; *words && in->count < WORDS - 1; in->count++)
        in->words[in->count] = (uint32_t)strtoul(words, &words, 16);
    in->words[in->count++] = 0xbfb00000; /* s_endpgm */
    return lw_arch_find(target, &in->arch) == LW_OK;
}

/* The next of "v0:3f800000 s6:0 ..." */
static bool next_register(char **at, bool *scalar, unsigned *reg, uint32_t *value)
{
    char *end;
    while (**at == ' ')
        ++*at;
    if (**at != 'v' && **at != 's')
        return false;
    *scalar = **at == 's';
    *reg = (unsigned)strtoul(*at + 1, &end, 10);
    *value = (uint32_t)strtoul(end + 1, at, 16);
    return *reg < (*scalar ? (unsigned)EXEC : REGISTERS);
}

static void put(registers *r, bool scalar, unsigned reg, uint32_t value)
{
    if (scalar)
        r->wave.sgpr[reg] = value;
    for (unsigned lane = 0; lane < LANES && !scalar; lane++)
        r->vgpr[reg * ROW + lane] = value;
}

static bool holds(const registers *r, bool scalar, unsigned reg, uint32_t value, uint32_t *got)
{
    *got = r->wave.sgpr[scalar ? reg : 0];
    for (unsigned lane = 0; lane < LANES && !scalar; lane++)
        if ((*got = r->vgpr[reg * ROW + lane]) != value)
            return false;
    return *got == value;
}

static bool run(const instruction *in, registers *r)
{
    const lw_code_options options = {
        .struct_size = sizeof(options), .arch = in->arch, .code = in->words, .words = in->count
    };
    lw_launch_result *result = NULL;
    lw_error error = { .text = "" };
    r->wave.vgpr = r->vgpr;
    r->wave.vgprs = REGISTERS;
    r->wave.sgpr[EXEC] = UINT32_MAX;
    const lw_status status = lw_code_run(&options, &r->wave, 1, &result, &error);
    lw_launch_result_free(result);
    if (status != LW_OK)
        printf("%s: %s\n", in->text, error.text);
    return status == LW_OK;
}

/* A line of MODE, registers before and registers after. */
static bool agrees(const instruction *in, const char *line)
{
    char text[256], *at, *after;
    registers r = { .wave = { .mode = 0 } };
    bool scalar;
    unsigned reg;
    uint32_t value, got;
    snprintf(text, sizeof(text), "%s", line);
    r.wave.mode = (uint32_t)strtoul(text, &at, 16);
    after = strrchr(text, ';');
    ck_assert(*at == ';' && after > at);
    *after++ = '\0';
    for (at++; next_register(&at, &scalar, &reg, &value);)
        put(&r, scalar, reg, value);
    ck_assert(*at == '\0' && run(in, &r));
    for (at = after; next_register(&at, &scalar, &reg, &value);)
        if (!holds(&r, scalar, reg, value, &got)) {
            printf("%s, %s: %x\n", in->text, line, got);
            return false;
        }
    ck_assert_int_eq(*at, '\0');
    return true;
}

static const struct {
    const char *file;
    unsigned captured, model; /* the least numbers of cases */
} files[] = { { "rdna-arithmetic.txt", 4994, 3034 }, { "gfx1201-conversions.txt", 1021, 0 } };

START_TEST(as_captured)
{
    char line[256];
    instruction in = { .count = 0 };
    unsigned cases[2] = { 0 }, wrong = 0;
    snprintf(line, sizeof(line), "%s/tests/data/%s", LW_SOURCE_DIR, files[_i].file);
    FILE *file = fopen(line, "r");
    ck_assert_ptr_nonnull(file);
    while (fgets(line, sizeof(line), file)) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '#')
            continue;
        if (line[0] == ':') {
            ck_assert_msg(read_instruction(line + 1, &in), "%s", line);
            continue;
        }
        cases[in.captured]++;
        wrong += !agrees(&in, line);
    }
    fclose(file);
    ck_assert_uint_ge(cases[true], files[_i].captured);
    ck_assert_uint_ge(cases[false], files[_i].model);
    ck_assert_uint_eq(wrong, 0);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("gfx1100 and gfx1201");
    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, as_captured, 0, sizeof(files) / sizeof(files[0]));
    return run_suite("arithmetic", tc);
}

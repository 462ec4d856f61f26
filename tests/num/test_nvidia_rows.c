/* SPDX-License-Identifier: MIT */
/*
 * tests/data/nvidia-mma-rows.csv, outputs of eight NVIDIA GPUs, computed by the units alone. The sequences in
 * which an instruction uses them are written out here; tests/mma does the same through the instructions.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/num/dot.h"
#include "emu/num/fp.h"

enum { MAX_K = 32, ROWS = 8800 };

typedef struct row {
    char gpu[16], ab[16], cd[16];
    int k;
    uint32_t a[MAX_K], b[MAX_K], c, d;
} row;

static int read_codes(char *text, uint32_t *codes)
{
    int n = 0;
    for (char *at = text, *end; *at && n < MAX_K; at = end) {
        codes[n++] = (uint32_t)strtoul(at, &end, 16);
        ck_assert_ptr_ne(end, at);
    }
    return n;
}

static bool read_row(FILE *file, row *r)
{
    char line[1024];
    while (fgets(line, sizeof(line), file)) {
        char *field[8], *save = NULL;
        int n = 0;
        if (*line == '#')
            continue;
        for (char *t = strtok_r(line, ",\n", &save); t && n < 8; t = strtok_r(NULL, ",\n", &save))
            field[n++] = t;
        ck_assert_int_eq(n, 8);
        snprintf(r->gpu, sizeof(r->gpu), "%s", field[0]);
        snprintf(r->ab, sizeof(r->ab), "%s", field[1]);
        snprintf(r->cd, sizeof(r->cd), "%s", field[2]);
        r->k = atoi(field[3]);
        ck_assert_int_eq(read_codes(field[4], r->a), r->k);
        ck_assert_int_eq(read_codes(field[5], r->b), r->k);
        r->c = (uint32_t)strtoul(field[6], NULL, 16);
        r->d = (uint32_t)strtoul(field[7], NULL, 16);
        return true;
    }
    return false;
}

static const struct {
    const char *name;
    lw_format_id id;
} formats[] = {
    { "f16", LW_FORMAT_F16 },      { "bf16", LW_FORMAT_BF16 },    { "tf32", LW_FORMAT_XF32 },
    { "e4m3", LW_FORMAT_FP8_OCP }, { "e5m2", LW_FORMAT_BF8_OCP },
};

static const lw_format *format_named(const char *name)
{
    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
        if (strcmp(formats[i].name, name) == 0)
            return &lw_formats[formats[i].id];
    ck_abort_msg("no format %s", name);
    return NULL;
}

/* Which unit a GPU has for 16-bit, tf32 and 8-bit operands; no unit: two halves through the 16-bit one. */
static const struct gpu {
    const char *name;
    int half, tf32, fp8;
} gpus[] = {
    { "V100", LW_UNIT_FUSED4_23, -1, -1 },
    { "A100", LW_UNIT_FUSED8_24, LW_UNIT_FUSED4_24, -1 },
    { "A2", LW_UNIT_FUSED8_24, LW_UNIT_FUSED4_24, -1 },
    { "Ada", LW_UNIT_FUSED8_24, LW_UNIT_FUSED4_24, LW_UNIT_FUSED16_13 },
    { "L40S", LW_UNIT_FUSED8_24, LW_UNIT_FUSED4_24, LW_UNIT_FUSED16_13 },
    { "H100", LW_UNIT_FUSED16_25, LW_UNIT_FUSED4_25, -1 },
    { "H200", LW_UNIT_FUSED16_25, LW_UNIT_FUSED4_25, -1 },
    { "B200", LW_UNIT_FUSED16_25, LW_UNIT_FUSED4_25, -1 },
};

static uint32_t chain(int unit_id, const lw_part *a, const lw_part *b, int k, int frac, lw_dot_acc acc,
                      uint32_t c)
{
    const lw_dot_unit *unit = &lw_dot_units[unit_id];
    const lw_dot_env env = { .clamp = false };
    for (int i = 0; i < k; i += unit->group) {
        const int count = k - i < unit->group ? k - i : unit->group;
        const lw_dot_group group = { .a = a + i, .b = b + i, .count = count, .frac = frac, .scale_sig = 1 };
        c = lw_dot_step(unit, &group, 1, acc, c, &env, NULL);
    }
    return c;
}

/* fp8 on targets without a unit for it: k % 4 in {0, 1}, then {2, 3}, then a rounded addition of C. */
static uint32_t by_halves(int unit, const lw_part *a, const lw_part *b, int k, int frac, lw_dot_acc acc,
                          uint32_t c)
{
    static const lw_fp_env keep = { .keep_in = true, .keep_out = true };
    uint32_t h = 0;
    for (int half = 0; half < 2; half++) {
        lw_part ha[MAX_K], hb[MAX_K];
        int n = 0;
        for (int i = 0; i < k; i++)
            if (i % 4 / 2 == half) {
                ha[n] = a[i];
                hb[n++] = b[i];
            }
        h = chain(unit, ha, hb, n, frac, acc, h);
    }
    return (uint32_t)lw_fp_add(acc == LW_ACC_F16 ? &lw_fp_f16 : &lw_fp_f32, &keep, h, c);
}

static uint32_t compute(const struct gpu *gpu, const row *r)
{
    const lw_format *f = format_named(r->ab);
    const lw_dot_acc acc = strcmp(r->cd, "f16") == 0 ? LW_ACC_F16 : LW_ACC_F32;
    const int frac = 2 * lw_part_frac(f);
    lw_part a[MAX_K], b[MAX_K];
    for (int i = 0; i < r->k; i++) {
        a[i] = lw_part_make(f, r->a[i], true);
        b[i] = lw_part_make(f, r->b[i], true);
    }
    if (f->bits == 32)
        return chain(gpu->tf32, a, b, r->k, frac, acc, r->c);
    if (f->bits == 16)
        return chain(gpu->half, a, b, r->k, frac, acc, r->c);
    if (gpu->fp8 < 0)
        return by_halves(gpu->half, a, b, r->k, frac, acc, r->c);
    return chain(gpu->fp8, a, b, r->k, frac, acc, r->c);
}

START_TEST(every_row_is_what_the_gpu_gave)
{
    FILE *file = fopen(LW_SOURCE_DIR "/tests/data/nvidia-mma-rows.csv", "r");
    ck_assert_ptr_nonnull(file);
    row r;
    int rows = 0;
    for (; read_row(file, &r); rows++) {
        const struct gpu *gpu = NULL;
        for (size_t i = 0; i < sizeof(gpus) / sizeof(gpus[0]); i++)
            if (strcmp(gpus[i].name, r.gpu) == 0)
                gpu = &gpus[i];
        ck_assert_ptr_nonnull(gpu);
        const uint32_t d = compute(gpu, &r);
        ck_assert_msg(d == r.d, "%s %s %s, row %d: %08x, the GPU gave %08x", r.gpu, r.ab, r.cd, rows, d, r.d);
    }
    fclose(file);
    ck_assert_int_eq(rows, ROWS);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("nvidia_rows");
    TCase *tc = tcase_create("nvidia_rows");
    tcase_add_test(tc, every_row_is_what_the_gpu_gave);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

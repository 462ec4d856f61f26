/* SPDX-License-Identifier: MIT */
#include "nvidia_bench.h"

#include <check.h>
#include <string.h>

#include "num/oracle.h"

void bench_open(bench *x, lw_arch arch, const char *spelling, const char *const *readings, size_t count,
                bool reference)
{
    const lw_insn *insn;
    lw_error error;
    memset(x, 0, sizeof(*x));
    lw_status status = lw_insn_parse(arch, spelling, &insn, &x->mods, &error);
    ck_assert_msg(status == LW_OK, "%s: %s", spelling, error.text);
    const lw_mma_options options = { .struct_size = sizeof(lw_mma_options),
                                     .mods = &x->mods,
                                     .readings = readings,
                                     .reading_count = count,
                                     .reference_only = reference };
    status = lw_mma_create(arch, insn, &options, &x->mma, &error);
    ck_assert_msg(status == LW_OK, "%s: %s", spelling, error.text);
    ck_assert_int_eq(lw_mma_get_shape(x->mma, &x->s), LW_OK);
}

void bench_run(bench *x, const char *what)
{
    const lw_mma_matrices mat = { .a = x->a,
                                  .b = x->b,
                                  .c = x->c,
                                  .d = x->d,
                                  .index = x->s.groups ? x->index : NULL,
                                  .scale_a = x->s.scale_k ? x->scale_a : NULL,
                                  .scale_b = x->s.scale_k ? x->scale_b : NULL };
    ck_assert_msg(lw_mma_execute_matrices(x->mma, &mat, NULL) == LW_OK, "%s does not execute", what);
}

void bench_put(uint8_t *matrix, size_t n, unsigned bytes, uint64_t code)
{
    memcpy(matrix + n * bytes, &code, bytes);
}

uint64_t bench_get(const uint8_t *matrix, size_t n, unsigned bytes)
{
    uint64_t code = 0;
    memcpy(&code, matrix + n * bytes, bytes);
    return code;
}

/* Exponent and fraction bits of the formats, as lw_mma_shape names them. */
static const struct {
    const char *name;
    int exp_bits, frac_bits;
} fields[] = {
    { "f16", 5, 10 },     { "bf16", 8, 7 },     { "xf32", 8, 23 },    { "f32", 8, 23 },
    { "f64", 11, 52 },    { "fp8 e4m3", 4, 3 }, { "bf8 e5m2", 5, 2 }, { "bf6 e3m2", 3, 2 },
    { "fp6 e2m3", 2, 3 }, { "fp4 e2m1", 2, 1 },
};

static uint64_t draw_integer(uint64_t r, const char *format, int bits, bench_style style)
{
    if (strcmp(format, "i32") == 0)
        return r % 3 ? r >> 32 : 0x7fffff00u + (r >> 8 & 511);
    return style == BENCH_SPARSE && r >> 60 ? 0 : r & ((UINT64_C(1) << bits) - 1);
}

/* An exponent field of a style; its width has been looked up. */
static uint64_t draw_field(uint64_t r, int exp_bits, bench_style style)
{
    const uint64_t max = (UINT64_C(1) << exp_bits) - 1, around = exp_bits < 5 ? max : 15;
    if (style == BENCH_SUBNORMAL)
        return r >> 62 ? (r >> 40 & 7 ? 0 : 1) : max / 2 + (r >> 50 & max / 2);
    return (max / 2 < 8 ? 0 : max / 2 - 7) + (r >> 50 & around);
}

static uint64_t draw_special(uint64_t r, int exp_bits, int frac_bits)
{
    const uint64_t sign = r >> 63 << (exp_bits + frac_bits), one = UINT64_C(1) << frac_bits;
    const uint64_t top = ((UINT64_C(1) << exp_bits) - 1) * one;
    const uint64_t codes[] = { 0, 1, one, top, top + 1, top - 1, top + one - 1, top + one / 2 };
    return sign | codes[r >> 40 & 7];
}

static uint64_t draw(uint64_t *seed, const char *format, int bits, bench_style style)
{
    const uint64_t r = next_random(seed);
    size_t f = 0;
    while (f < sizeof(fields) / sizeof(fields[0]) && strcmp(fields[f].name, format))
        f++;
    if (f == sizeof(fields) / sizeof(fields[0]))
        return draw_integer(r, format, bits, style);
    const int exp_bits = fields[f].exp_bits, frac_bits = fields[f].frac_bits;
    const uint64_t frac = r & ((UINT64_C(1) << frac_bits) - 1), sign = r >> 63 << (bits - 1);
    if (style == BENCH_NASTY)
        return bits <= 8 ? r & ((UINT64_C(1) << bits) - 1) : nasty(seed, exp_bits, frac_bits);
    if (style == BENCH_SPARSE && r >> 61)
        return 0;
    if (style == BENCH_SPECIAL && (r >> 56 & 15) == 0)
        return draw_special(next_random(seed), exp_bits, frac_bits);
    return sign | draw_field(r, exp_bits, style) << frac_bits | frac;
}

static void fill_index(bench *x, uint64_t *seed, bool ordered)
{
    static const uint8_t any[] = { 4, 8, 9, 12, 13, 14, 1, 2, 3, 6, 7, 11 };
    const bool halves = x->s.a_bits == 32;
    for (unsigned i = 0; i < (unsigned)x->s.m * x->s.groups; i++) {
        const uint64_t r = next_random(seed) >> 20;
        x->index[i] = halves ? r & 1 ? 4 : 14 : any[r % (ordered ? 6 : 12)];
    }
}

void bench_fill(bench *x, uint64_t *seed, bench_style style, bool ordered)
{
    const lw_mma_shape *s = &x->s;
    const unsigned blocks = s->blocks;
    const bool any_scale = style == BENCH_NASTY;
    for (unsigned i = 0; i < blocks * s->m * s->a_k; i++)
        bench_put(x->a, i, s->a_bytes, draw(seed, s->a_format, s->a_bits, style));
    for (unsigned i = 0; i < blocks * s->k * s->n; i++)
        bench_put(x->b, i, s->b_bytes, draw(seed, s->b_format, s->b_bits, style));
    for (unsigned i = 0; i < blocks * s->m * s->n; i++)
        bench_put(x->c, i, s->c_bytes, draw(seed, s->c_format, s->c_bits, style));
    for (unsigned i = 0; i < sizeof(x->scale_a); i++) {
        const uint64_t r = next_random(seed);
        x->scale_a[i] = any_scale ? (uint8_t)(r >> 8) : (uint8_t)(120 + (r >> 8 & 15));
        x->scale_b[i] = any_scale ? (uint8_t)(r >> 16) : (uint8_t)(120 + (r >> 16 & 15));
    }
    fill_index(x, seed, ordered);
}

unsigned bench_dense_k(const bench *x, unsigned row, unsigned j)
{
    const lw_mma_shape *s = &x->s;
    if (!s->groups)
        return j;
    const unsigned per_group = s->a_k / s->groups;
    const unsigned nibble = x->index[row * s->groups + j / per_group], first = nibble & 3,
                   second = nibble >> 2;
    if (per_group == 1)
        return 2 * j + (nibble == 14);
    if (per_group == 2)
        return 4 * (j / 2) + (j % 2 ? second : first);
    return 8 * (j / 4) + 2 * (j % 4 / 2 ? second : first) + j % 2;
}

/* SPDX-License-Identifier: MIT */
/*
 * Vectorised units compared with the reference unit, on bare panels: random tiles of every kind, and extremes
 * chosen by hand. LW_FULL=1 compares more than a million outputs per unit and implementation.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codes.h"
#include "emu/fast/fp16.h"
#include "emu/fast/panel.h"
#include "emu/num/dot.h"

enum { SIDE = 16, MAX_K = 128 };

static const struct unit_case {
    uint8_t unit, s, v, k;
} cases[] = {
    { LW_UNIT_TR4, LW_FORMAT_XF32, LW_FORMAT_XF32, 8 },
    { LW_UNIT_TR8, LW_FORMAT_F16, LW_FORMAT_F16, 16 },
    { LW_UNIT_TR8, LW_FORMAT_BF16, LW_FORMAT_BF16, 16 },
    { LW_UNIT_GTR16, LW_FORMAT_FP8_FNUZ, LW_FORMAT_FP8_FNUZ, 32 },
    { LW_UNIT_GTR16, LW_FORMAT_BF8_FNUZ, LW_FORMAT_FP8_FNUZ, 32 },
    { LW_UNIT_GTR16, LW_FORMAT_FP8_OCP, LW_FORMAT_BF8_OCP, 32 },
    { LW_UNIT_GTR16, LW_FORMAT_F16, LW_FORMAT_F16, 32 },
    { LW_UNIT_GTR32, LW_FORMAT_FP8_OCP, LW_FORMAT_FP8_OCP, 64 },
    { LW_UNIT_GTR32, LW_FORMAT_FP6, LW_FORMAT_BF8_OCP, 128 },
    { LW_UNIT_GTR32, LW_FORMAT_BF6, LW_FORMAT_FP4, 64 },
    { LW_UNIT_GTR32, LW_FORMAT_FP4, LW_FORMAT_FP4, 64 },
    { LW_UNIT_FUSED4_24, LW_FORMAT_XF32, LW_FORMAT_XF32, 8 },
    { LW_UNIT_FUSED8_24, LW_FORMAT_F16, LW_FORMAT_F16, 16 },
    { LW_UNIT_FUSED8_24, LW_FORMAT_BF16, LW_FORMAT_BF16, 16 },
    { LW_UNIT_FUSED4_25, LW_FORMAT_XF32, LW_FORMAT_XF32, 8 },
    { LW_UNIT_FUSED8_25, LW_FORMAT_XF32, LW_FORMAT_XF32, 8 },
    { LW_UNIT_FUSED16_25, LW_FORMAT_F16, LW_FORMAT_F16, 16 },
    { LW_UNIT_FUSED16_25, LW_FORMAT_BF16, LW_FORMAT_BF16, 16 },
    { LW_UNIT_FUSED16_25, LW_FORMAT_F16, LW_FORMAT_F16, 8 },
    { LW_UNIT_FUSED32_25, LW_FORMAT_FP8_OCP, LW_FORMAT_FP8_OCP, 32 },
    { LW_UNIT_FUSED32_25, LW_FORMAT_BF8_OCP, LW_FORMAT_FP6, 32 },
    { LW_UNIT_FUSED16_13, LW_FORMAT_FP8_OCP, LW_FORMAT_FP8_OCP, 32 },
    { LW_UNIT_FUSED32_13, LW_FORMAT_BF8_OCP, LW_FORMAT_FP8_OCP, 32 },
    { LW_UNIT_ONES2, LW_FORMAT_F16, LW_FORMAT_F16, 16 },
    { LW_UNIT_ONES2F, LW_FORMAT_BF16, LW_FORMAT_BF16, 16 },
    { LW_UNIT_PAIRS4, LW_FORMAT_F16, LW_FORMAT_F16, 16 },
    { LW_UNIT_PAIRS4, LW_FORMAT_BF16, LW_FORMAT_BF16, 16 },
    { LW_UNIT_SINGLE4, LW_FORMAT_FP8_OCP, LW_FORMAT_BF8_OCP, 16 },
    { LW_UNIT_EXACT4, LW_FORMAT_F16, LW_FORMAT_F16, 16 },
    { LW_UNIT_EXACT2, LW_FORMAT_BF16, LW_FORMAT_BF16, 2 },
    { LW_UNIT_EXACT2, LW_FORMAT_BF16, LW_FORMAT_BF16, 8 },
    { LW_UNIT_TREE4, LW_FORMAT_F16, LW_FORMAT_F16, 16 },
    { LW_UNIT_TREE4, LW_FORMAT_BF16, LW_FORMAT_BF16, 4 },
    { LW_UNIT_TREE2, LW_FORMAT_BF16, LW_FORMAT_BF16, 8 },
};
enum { CASES = sizeof(cases) / sizeof(cases[0]) };

typedef struct tile {
    uint64_t s[SIDE][MAX_K], v[SIDE][MAX_K];
    uint32_t c[SIDE * SIDE], d[SIDE * SIDE];
    uint32_t scale_s[MAX_K / 32 * SIDE], scale_v[MAX_K / 32 * SIDE];
    uint16_t redo[LW_PANEL_RUNS];
} tile;

static lw_panel_shape shape_of(const struct unit_case *c, bool scaled)
{
    const lw_format *s = &lw_formats[c->s], *v = &lw_formats[c->v];
    lw_panel_shape shape = { .s = s,
                             .v = v,
                             .unit = lw_dot_units[c->unit],
                             .s_count = SIDE,
                             .s_stride = SIDE,
                             .v_count = SIDE,
                             .k = c->k,
                             .blocks = 1,
                             .s_words = (uint16_t)((c->k * s->bits + 31) / 32),
                             .v_words = (uint16_t)((c->k * v->bits + 31) / 32),
                             .scaled = scaled,
                             .scale_span = 32,
                             .scale = &lw_formats[LW_FORMAT_E8M0] };
    for (uint8_t i = 0; i < LW_PANEL_MAX_GROUPS; i++)
        shape.order[i] = i;
    return shape;
}

static void pack(uint64_t (*codes)[MAX_K], int k, int bits, uint32_t *image)
{
    memset(image, 0, LW_PANEL_SIDE_WORDS * sizeof(*image));
    for (int i = 0; i < SIDE; i++)
        for (int n = 0; n < k; n++)
            for (int bit = 0; bit < bits; bit++) {
                const int at = n * bits + bit;
                image[at / 32 * SIDE + i] |= (uint32_t)(codes[i][n] >> bit & 1) << at % 32;
            }
}

/* Runs a kernel on the tile. */
static lw_panel_result run(const lw_panel_shape *of, lw_fast_isa isa, tile *t)
{
    lw_panel_shape copy = *of, *shape = &copy;
    static _Alignas(64) uint32_t s[LW_PANEL_SIDE_WORDS], v[LW_PANEL_SIDE_WORDS];
    uint16_t at[SIDE];
    uint32_t bad[1][2];
    for (uint16_t i = 0; i < SIDE; i++)
        at[i] = (uint16_t)(i * SIDE);
    pack(t->s, shape->k, shape->s->bits, s);
    pack(t->v, shape->k, shape->v->bits, v);
    memset(t->redo, 0, sizeof(t->redo));
    const lw_panels panels = { .s = s,
                               .v = v,
                               .c = t->c,
                               .d = t->d,
                               .c_at = at,
                               .d_at = at,
                               .scale_s = t->scale_s,
                               .scale_v = t->scale_v,
                               .redo = t->redo,
                               .bad = bad };
    const lw_panel_fn fn = lw_panel_find(shape, isa);
    if (!fn)
        ck_abort_msg("no kernel for %s, %s by %s", shape->unit.name, shape->s->name, shape->v->name);
    return lw_panel_run(fn, shape, &panels);
}

static uint32_t reference(const lw_panel_shape *shape, const tile *t, int i, int j)
{
    const int group = shape->unit.group < shape->k ? shape->unit.group : shape->k;
    uint32_t c = t->c[i * SIDE + j];
    for (int k = 0; k < shape->k; k += group) {
        lw_part a[32], b[32];
        for (int n = 0; n < group; n++) {
            a[n] = lw_part_make(shape->s, (uint32_t)t->s[i][k + n], false);
            b[n] = lw_part_make(shape->v, (uint32_t)t->v[j][k + n], false);
        }
        const int q = k / 32 * SIDE;
        const uint32_t xs = shape->scaled ? t->scale_s[q + i] : 127,
                       xv = shape->scaled ? t->scale_v[q + j] : 127;
        const lw_dot_group g = { .a = a,
                                 .b = b,
                                 .count = group,
                                 .frac = lw_part_frac(shape->s) + lw_part_frac(shape->v),
                                 .a_frac = lw_part_frac(shape->s),
                                 .odd = UINT32_C(0xaaaaaaaa),
                                 .scale = (int)(xs + xv) - 254,
                                 .scale_sig = 1,
                                 .scale_nan = xs == 255 || xv == 255 };
        const lw_dot_env env = { .first = k == 0 };
        c = lw_dot_step(&shape->unit, &g, 1, LW_ACC_F32, c, &env, NULL);
    }
    return c;
}

static void fill(const lw_panel_shape *shape, kind what, uint64_t *state, tile *t)
{
    for (int i = 0; i < SIDE; i++)
        for (int n = 0; n < shape->k; n++) {
            t->s[i][n] = codes_element(shape->s, what, state);
            t->v[i][n] = codes_element(shape->v, what, state);
            /* Adjacent products that cancel. */
            if (what == KIND_NARROW && n % 2 && codes_next(state) & 1) {
                t->s[i][n] = t->s[i][n - 1];
                t->v[i][n] = t->v[i][n - 1] ^ UINT64_C(1) << (shape->v->bits - 1);
            }
        }
    for (int n = 0; n < SIDE * SIDE; n++)
        t->c[n] = (uint32_t)codes_c(&lw_formats[LW_FORMAT_F32], what, state);
    for (size_t n = 0; n < sizeof(t->scale_s) / sizeof(*t->scale_s); n++) {
        t->scale_s[n] = (uint32_t)(97 + codes_next(state) % 61);
        t->scale_v[n] = (uint32_t)(124 + codes_next(state) % 7);
    }
    if (what == KIND_ONE_ODD)
        t->s[3][1] = codes_odd(shape->s, state);
}

static unsigned host_isas(void)
{
    lw_fast_isa isa;
    ck_assert_int_eq(lw_fast_isa_choose(&isa, NULL), LW_OK);
    return isa < LW_FAST_AVX512 ? (unsigned)isa + 1 : LW_FAST_PANEL_ISAS;
}

/* Compares what the kernel accepted; returns the number of those outputs. */
static unsigned compare(const lw_panel_shape *shape, tile *t, unsigned host, const char *what)
{
    static uint32_t want[SIDE * SIDE];
    unsigned taken = 0;
    for (int n = 0; n < SIDE * SIDE; n++)
        want[n] = reference(shape, t, n / SIDE, n % SIDE);
    for (unsigned isa = LW_FAST_PORTABLE; isa < host; isa++) {
        if (run(shape, (lw_fast_isa)isa, t) == LW_PANELS_NONE)
            continue;
        for (int n = 0; n < SIDE * SIDE; n++) {
            if (t->redo[n / SIDE] >> n % SIDE & 1)
                continue;
            taken++;
            if (t->d[n] != want[n])
                ck_abort_msg("%s, %s by %s, %s, isa %u, element %d,%d: %08x, reference %08x (c %08x)",
                             shape->unit.name, shape->s->name, shape->v->name, what, isa, n / SIDE, n % SIDE,
                             t->d[n], want[n], t->c[n]);
        }
    }
    return taken;
}

START_TEST(random_tiles)
{
    static tile t;
    const unsigned host = host_isas();
    const char *full = getenv("LW_FULL");
    const unsigned tiles = KIND_COUNT * (full && *full == '1' ? 700 : 16);
    for (int scaled = 0; scaled < 2; scaled++) {
        const lw_panel_shape shape = shape_of(&cases[_i], scaled);
        if (scaled && (shape.unit.group != 32 || shape.unit.product_frac == 13))
            continue;
        uint64_t state = (uint64_t)_i + 1;
        unsigned taken = 0;
        for (unsigned n = 0; host && n < tiles; n++) {
            char what[16];
            snprintf(what, sizeof(what), "kind %u", n % KIND_COUNT);
            fill(&shape, (kind)(n % KIND_COUNT), &state, &t);
            taken += compare(&shape, &t, host, what);
        }
        /* At least moderate tiles must be accepted. */
        ck_assert_uint_ge(taken, host * tiles / KIND_COUNT * 3 * SIDE * SIDE / 2);
    }
}
END_TEST

/* All products equal, and a C: the largest sums. */
static void constant(const lw_panel_shape *shape, uint64_t s, uint64_t v, uint32_t c, tile *t)
{
    for (int i = 0; i < SIDE; i++)
        for (int n = 0; n < shape->k; n++) {
            t->s[i][n] = s;
            t->v[i][n] = v ^ (uint64_t)(i & 1) << (shape->v->bits - 1);
        }
    for (int n = 0; n < SIDE * SIDE; n++)
        t->c[n] = c + (uint32_t)n % 16 * UINT32_C(0x00800000) + (n & 16 ? UINT32_C(0x80000000) : 0);
    for (size_t n = 0; n < sizeof(t->scale_s) / sizeof(*t->scale_s); n++)
        t->scale_s[n] = t->scale_v[n] = 127;
}

/* Cases in which 32-bit sums come closest to overflow, or do overflow: the largest codes, with C near the
 * size of the products. */
START_TEST(largest_sums)
{
    static tile t;
    const unsigned host = host_isas();
    const lw_panel_shape shape = shape_of(&cases[_i], false);
    uint64_t largest[2];
    for (int n = 0; n < 2; n++) {
        const lw_format *f = n ? shape.v : shape.s;
        const uint64_t ones = (UINT64_C(1) << (f->bits - 1)) - 1;
        const uint64_t top = f->top == LW_TOP_IEEE ? (ones >> f->frac_bits << f->frac_bits) - 1
                                                   : ones - (f->top == LW_TOP_NAN);
        largest[n] = f->exp_bits == 8
                         ? (UINT64_C(140) << (f->bits - 9)) | (top & ((UINT64_C(1) << (f->bits - 9)) - 1))
                         : top;
    }
    for (uint32_t field = 120; host && field < 175; field++)
        for (uint32_t frac = 0; frac < 3; frac++) {
            constant(&shape, largest[0], largest[1],
                     field << 23 | (frac == 0   ? 0
                                    : frac == 1 ? 0x7fffff
                                                : 0x400001),
                     &t);
            compare(&shape, &t, host, "largest");
        }
}
END_TEST

/* Products and sums at the least normal number, where formats reach it. */
START_TEST(least_numbers)
{
    static tile t;
    const unsigned host = host_isas();
    const lw_panel_shape shape = shape_of(&cases[_i], false);
    uint64_t state = 77;
    for (int power = -66; host && power < -58; power++) {
        fill(&shape, KIND_AWAY, &state, &t);
        for (int i = 0; i < SIDE; i++)
            for (int n = 0; n < shape.k; n++) {
                t.s[i][n] = codes_moved(shape.s, t.s[i][n], power);
                t.v[i][n] = codes_moved(shape.v, t.v[i][n], power);
            }
        for (int n = 0; n < SIDE * SIDE; n++)
            t.c[n] = (uint32_t)codes_moved(&lw_formats[LW_FORMAT_F32], t.c[n], 2 * power);
        compare(&shape, &t, host, "least");
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fast_units");
    TCase *tc = tcase_create("units");
    tcase_set_timeout(tc, 3000);
    tcase_add_loop_test(tc, random_tiles, 0, CASES);
    tcase_add_loop_test(tc, largest_sums, 0, CASES);
    tcase_add_loop_test(tc, least_numbers, 0, CASES);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* SPDX-License-Identifier: MIT */
/*
 * Every matrix instruction of gfx942 and gfx950 under every reading: the vectorised code compared with the
 * reference on whole tiles, the reference with exact reals on randomly chosen elements.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracle.h"
#include "tiles.h"

enum { TILES_PER_KIND = 2, ELEMENTS_PER_TILE = 3 };

typedef struct config {
    lw_arch arch;
    const lw_insn *insn;
    lw_mods mods;
    const char *readings[4];
    size_t reading_count;
} config;

static bool chosen(const lw_mma *mma, const char *topic, const char *name)
{
    const lw_reading *c = lw_mma_get_reading(mma, topic);
    return c && strcmp(c->name, name) == 0;
}

/* The rule that mnemonic, formats and readings select. */
static oracle_rule rule_of(const lw_mma *mma, const lw_mma_shape *s)
{
    oracle_rule r = { .group = 8 };
    if (s->a_bits == 32)
        r.group = 4;
    if (s->a_bits <= 8)
        r = (oracle_rule){ .group = 16, .two_grids = true, .drop = 25 };
    const lw_reading *f8 = lw_mma_get_reading(mma, "f8f6f4-group");
    if (f8) {
        r.group = strcmp(f8->name, "gtr16") == 0 ? 16 : 32;
        r.two_grids = strcmp(f8->name, "tr32") != 0;
        r.fused = chosen(mma, "f8f6f4-blocks", "fused");
        r.drop = chosen(mma, "f8f6f4-c", "keep") ? 0 : 25;
    }
    if (chosen(mma, "doubled-k", "gtr16"))
        r = (oracle_rule){ .group = 16, .two_grids = true, .drop = 25 };
    if (chosen(mma, "doubled-k", "tr16"))
        r.group = 16;
    if (chosen(mma, "smfmac-group", "gtr32"))
        r.group = 32;
    r.zeros = chosen(mma, "zero-product", "lowest");
    return r;
}

/* The products of element (block, row, col), with their places and scales. */
static oracle_dot products(const lw_mma *mma, const lw_mma_shape *s, const tile *t, unsigned block,
                           unsigned row, unsigned col)
{
    oracle_dot d = { .fa = oracle_format_named(s->a_format),
                     .fb = oracle_format_named(s->b_format),
                     .count = s->a_k };
    d.rule = rule_of(mma, s);
    for (unsigned i = 0; i < s->a_k; i++) {
        const unsigned nibble = s->groups ? t->index[row * s->groups + i / 2] : 0;
        const unsigned k = s->groups ? i / 2 * 4 + (i % 2 ? nibble >> 2 : nibble & 3) : i;
        const uint64_t amask = s->a_bits == 64 ? UINT64_MAX : (UINT64_C(1) << s->a_bits) - 1;
        d.a[i] = tile_get(t->a, ((size_t)block * s->m + row) * s->a_k + i, s->a_bytes) & amask;
        d.b[i] = tile_get(t->b, ((size_t)block * s->k + k) * s->n + col, s->b_bytes);
        d.odd[i] = chosen(mma, "smfmac-parity", "dense-k") ? k % 2 : i % 2;
        if (s->scale_k) {
            const int sa = t->scale_a[row * s->scale_k + i / 32], sb = t->scale_b[col * s->scale_k + i / 32];
            d.scale[i] = sa - 127 + sb - 127;
            d.nan_scale[i] = sa == 255 || sb == 255;
        }
    }
    return d;
}

static uint64_t expected(const lw_mma *mma, const lw_mma_shape *s, const tile *t, unsigned block,
                         unsigned row, unsigned col)
{
    const oracle_dot d = products(mma, s, t, block, row, col);
    uint64_t c = tile_get(t->c, ((size_t)block * s->m + row) * s->n + col, s->c_bytes);
    if (s->a_bits == 64)
        for (int k = 0; k < d.count; k++)
            c = oracle_fma64(d.a[k], d.b[k], c);
    else if (strcmp(s->a_format, "f32") == 0)
        for (int k = 0; k < d.count; k++)
            c = oracle_fma32((uint32_t)d.a[k], (uint32_t)d.b[k], (uint32_t)c);
    else if (strcmp(s->a_format, "i8") == 0)
        for (int k = 0; k < d.count; k++)
            c = (uint32_t)(c + (uint32_t)((int8_t)d.a[k] * (int8_t)d.b[k]));
    else
        c = oracle_aligned(&d, (uint32_t)c);
    return c;
}

static lw_mma *make(const config *cfg, bool reference)
{
    lw_mma *mma;
    lw_error error = { "" };
    const lw_mma_options options = { .struct_size = sizeof(lw_mma_options),
                                     .mods = &cfg->mods,
                                     .readings = cfg->readings,
                                     .reading_count = cfg->reading_count,
                                     .reference_only = reference };
    ck_assert_msg(lw_mma_create(cfg->arch, cfg->insn, &options, &mma, &error) == LW_OK, "%s", error.text);
    return mma;
}

static const char *describe(const config *cfg, const lw_mma_shape *s)
{
    static char text[256];
    lw_insn_info info;
    lw_insn_get_info(cfg->arch, cfg->insn, &info);
    snprintf(text, sizeof(text), "%s %s %s x %s, %s %s", lw_arch_get(cfg->arch)->name, info.mnemonic,
             s->a_format, s->b_format, cfg->reading_count ? cfg->readings[0] : "default",
             cfg->reading_count > 1 ? cfg->readings[1] : "");
    return text;
}

/* C is the negated result without C, up to a few bits, for deep cancellation. */
static void oppose_c(const lw_mma *mma, const lw_mma_shape *s, uint64_t *state, tile *t, void *d)
{
    memset(t->c, 0, sizeof(t->c));
    const lw_mma_matrices mat = tile_matrices(s, t, d);
    ck_assert_int_eq(lw_mma_execute_matrices(mma, &mat, NULL), LW_OK);
    for (size_t i = 0; i < (size_t)s->m * s->n * s->blocks; i++) {
        const uint64_t r = next_random(state), sign = UINT64_C(1) << (s->c_bits - 1);
        tile_put(t->c, i, s->c_bytes, (tile_get(d, i, s->d_bytes) ^ sign) + (r & 1 ? r >> 8 & 15 : 0));
    }
}

static void run_tile(const config *cfg, const lw_mma *fast, const lw_mma *reference, const lw_mma_shape *s,
                     int kind, uint64_t *state)
{
    static tile t;
    static uint64_t d1[2048], d2[2048];
    tile_fill(s, kind, state, &t);
    if (kind == TILE_OPPOSE_C)
        oppose_c(reference, s, state, &t, d1);
    const lw_mma_matrices m1 = tile_matrices(s, &t, d1), m2 = tile_matrices(s, &t, d2);
    memset(d1, 0xa5, sizeof(d1));
    memset(d2, 0x5a, sizeof(d2));
    ck_assert_int_eq(lw_mma_execute_matrices(fast, &m1, NULL), LW_OK);
    ck_assert_int_eq(lw_mma_execute_matrices(reference, &m2, NULL), LW_OK);
    const unsigned total = (unsigned)s->m * s->n * s->blocks;
    for (unsigned i = 0; i < total; i++)
        if (tile_get(d1, i, s->d_bytes) != tile_get(d2, i, s->d_bytes))
            ck_abort_msg("%s, kind %d, element %u: fast %016lx, reference %016lx", describe(cfg, s), kind, i,
                         (unsigned long)tile_get(d1, i, s->d_bytes),
                         (unsigned long)tile_get(d2, i, s->d_bytes));
    for (int n = 0; n < ELEMENTS_PER_TILE; n++) {
        const unsigned i = (unsigned)(next_random(state) % total);
        const uint64_t want = expected(reference, s, &t, i / s->n / s->m, i / s->n % s->m, i % s->n);
        ck_assert_msg(tile_get(d2, i, s->d_bytes) == want, "%s, kind %d, element %u: %016lx, oracle %016lx",
                      describe(cfg, s), kind, i, (unsigned long)tile_get(d2, i, s->d_bytes),
                      (unsigned long)want);
    }
}

static void run_config(const config *cfg, int tiles)
{
    lw_mma *fast = make(cfg, false), *reference = make(cfg, true);
    lw_mma_shape s;
    uint64_t state =
        (uint64_t)cfg->arch * 1000 + cfg->mods.cbsz * 10 + cfg->mods.blgp + cfg->reading_count * 100;
    ck_assert_int_eq(lw_mma_get_shape(reference, &s), LW_OK);
    for (int kind = 0; kind < TILE_KINDS; kind++)
        for (int n = 0; n < tiles; n++)
            run_tile(cfg, fast, reference, &s, kind, &state);
    lw_mma_free(fast);
    lw_mma_free(reference);
}

/* Every reading that concerns the instruction, alone and with one of another topic. */
static void run_readings(config cfg)
{
    char text[2][96];
    run_config(&cfg, TILES_PER_KIND);
    for (size_t i = 0; lw_reading_at(i); i++) {
        const lw_reading *first = lw_reading_at(i);
        if (first->is_default || !lw_reading_concerns(cfg.arch, cfg.insn, first))
            continue;
        snprintf(text[0], sizeof(text[0]), "%s:%s", first->topic, first->name);
        cfg.readings[0] = text[0];
        cfg.reading_count = 1;
        run_config(&cfg, 1);
        for (size_t j = i + 1; lw_reading_at(j); j++) {
            const lw_reading *second = lw_reading_at(j);
            if (second->is_default || strcmp(second->topic, first->topic) == 0 ||
                strcmp(second->topic, "fp16-ovfl") == 0 || !lw_reading_concerns(cfg.arch, cfg.insn, second))
                continue;
            snprintf(text[1], sizeof(text[1]), "%s:%s", second->topic, second->name);
            cfg.readings[1] = text[1];
            cfg.reading_count = 2;
            run_config(&cfg, 1);
        }
    }
}

static void run_insn(lw_arch arch, size_t index)
{
    config cfg = { .arch = arch, .insn = lw_insn_at(arch, index) };
    lw_operand_info a;
    ck_assert_int_eq(lw_insn_operand(arch, cfg.insn, LW_OPERAND_A, NULL, &a, NULL), LW_OK);
    lw_insn_info info;
    lw_insn_get_info(arch, cfg.insn, &info);
    if (info.operand[LW_OPERAND_A].element_bits) {
        run_readings(cfg);
        return;
    }
    for (unsigned f = 0; f < 25; f++) {
        cfg.mods.cbsz = (uint8_t)(f / 5);
        cfg.mods.blgp = (uint8_t)(f % 5);
        cfg.reading_count = 0;
        if (f % 7 == 0)
            run_readings(cfg);
        else
            run_config(&cfg, TILES_PER_KIND);
    }
}

START_TEST(gfx942)
{
    if ((size_t)_i < lw_insn_count(LW_ARCH_GFX942))
        run_insn(LW_ARCH_GFX942, (size_t)_i);
}
END_TEST

START_TEST(gfx950)
{
    if ((size_t)_i < lw_insn_count(LW_ARCH_GFX950))
        run_insn(LW_ARCH_GFX950, (size_t)_i);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("mma_oracle");
    TCase *tc = tcase_create("rows");
    tcase_set_timeout(tc, 600);
    tcase_add_loop_test(tc, gfx942, 0, 46);
    tcase_add_loop_test(tc, gfx950, 0, 68);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

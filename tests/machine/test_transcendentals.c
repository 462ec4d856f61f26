/* SPDX-License-Identifier: MIT */
/* exp, log, rcp, rsq and sqrt of gfx1201 with signs, OMOD and CLAMP, as vector and as scalar instructions,
 * against digests of what the chip returned (captured_modifiers.inc). */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/launch.h>

#include "tests/machine/fixture.h"

enum {
    OPERATIONS = 5,
    REGISTERS = 128,
    LANES = 32,
    ROW = 64,
    SCALARS = 96,
    EVERY_HALF = 1 << 16,
    SOME = 1 << 20
};

/* First words of llvm-mc 22 for a destination of register 0. */
static const uint32_t half_ops[OPERATIONS] = { 0xd5d80000, 0xd5d70000, 0xd5d40000, 0xd5d60000, 0xd5d50000 };
static const uint32_t single_ops[OPERATIONS] = { 0xd5a50000, 0xd5a70000, 0xd5aa0000, 0xd5ae0000, 0xd5b30000 };
static const uint32_t scalar_ops[OPERATIONS] = { 0xd6810000, 0xd6830000, 0xd6850000, 0xd6870000, 0xd6890000 };

typedef struct modifiers {
    uint32_t abs, neg, clamp, omod, mode;
} modifiers;

/* Writes one instruction for each of `count` registers, in place, and the end; returns the number of words.
 */
static size_t write_code(uint32_t *code, uint32_t op, const modifiers *m, unsigned count, uint32_t source)
{
    size_t n = 0;
    for (uint32_t i = 0; i < count; i++) {
        code[n++] = op | i | m->abs << 8 | m->clamp << 15;
        code[n++] = (source + i) | m->omod << 27 | m->neg << 29;
    }
    code[n++] = 0xbfb00000; /* s_endpgm */
    return n;
}

static void run(const uint32_t *code, size_t words, lw_wave_state *wave)
{
    const lw_code_options options = {
        .struct_size = sizeof(options), .arch = LW_ARCH_GFX1201, .code = code, .words = words
    };
    lw_error error;
    wave->sgpr[126] = UINT32_MAX; /* EXEC */
    ck_assert_msg(lw_code_run(&options, wave, 1, NULL, &error) == LW_OK, "%s", error.text);
}

static uint64_t add_bytes(uint64_t hash, uint32_t word)
{
    for (unsigned shift = 0; shift < 32; shift += 8)
        hash = (hash ^ (word >> shift & 0xff)) * UINT64_C(0x100000001b3);
    return hash;
}

static uint64_t add_word(uint64_t hash, uint32_t word)
{
    return (hash ^ word) * UINT64_C(0x100000001b3);
}

static const uint64_t EMPTY = UINT64_C(0xcbf29ce484222325);

/* Adds the results of sources i * step, in order, to the hash. */
static uint64_t vectors(uint64_t hash, uint32_t op, const modifiers *m, uint32_t count, uint32_t step,
                        uint64_t (*add)(uint64_t, uint32_t))
{
    static uint32_t vgpr[REGISTERS * ROW], code[2 * REGISTERS + 1];
    const size_t words = write_code(code, op, m, REGISTERS, 0x100);
    for (uint32_t first = 0; first < count; first += REGISTERS * LANES) {
        lw_wave_state wave = { .vgpr = vgpr, .vgprs = REGISTERS, .mode = m->mode };
        for (uint32_t i = 0; i < REGISTERS * LANES; i++)
            vgpr[i / LANES * ROW + i % LANES] = (first + i) * step;
        run(code, words, &wave);
        for (uint32_t i = 0; i < REGISTERS * LANES; i++)
            hash = add(hash, vgpr[i / LANES * ROW + i % LANES]);
    }
    return hash;
}

static uint64_t scalars(uint64_t hash, uint32_t op, const modifiers *m)
{
    uint32_t code[2 * SCALARS + 1];
    const size_t words = write_code(code, op, m, SCALARS, 0);
    for (uint32_t first = 0; first < EVERY_HALF; first += SCALARS) {
        lw_wave_state wave = { .mode = m->mode };
        for (uint32_t i = 0; i < SCALARS; i++)
            wave.sgpr[i] = first + i;
        run(code, words, &wave);
        for (uint32_t i = 0; i < SCALARS && first + i < EVERY_HALF; i++)
            hash = add_bytes(hash, wave.sgpr[i]);
    }
    return hash;
}

static const struct {
    modifiers m;
    uint64_t digest;
} halves[] = {
#define HALVES(abs, neg, clamp, omod, mode, digest) { { abs, neg, clamp, omod, mode }, UINT64_C(digest) },
#include "captured_modifiers.inc"
#undef HALVES
};

START_TEST(halves_as_captured)
{
    uint64_t vector = EMPTY, scalar = EMPTY;
    for (int op = 0; op < OPERATIONS; op++) {
        vector = vectors(vector, half_ops[op], &halves[_i].m, EVERY_HALF, 1, add_bytes);
        scalar = scalars(scalar, scalar_ops[op], &halves[_i].m);
    }
    ck_assert_msg(vector == halves[_i].digest, "row %d: vectors", _i);
    ck_assert_msg(scalar == halves[_i].digest, "row %d: scalars", _i);
}
END_TEST

static const struct {
    modifiers m;
    uint64_t digest;
} singles[] = {
#define SINGLES(abs, neg, clamp, omod, digest) { { abs, neg, clamp, omod, 0xf0 }, UINT64_C(digest) },
#include "captured_modifiers.inc"
#undef SINGLES
};

START_TEST(singles_as_captured)
{
    uint64_t hash = EMPTY;
    for (int op = 0; op < OPERATIONS; op++)
        hash = vectors(hash, single_ops[op], &singles[_i].m, SOME, 0x9e3779b9, add_bytes);
    ck_assert_msg(hash == singles[_i].digest, "row %d", _i);
}
END_TEST

static const struct {
    int op;
    modifiers m;
    uint64_t digest;
} scaled[] = {
#define SCALED(op, ovfl, denorm, omod, digest)                                                               \
    { op, { 0, 0, 0, omod, (uint32_t)(ovfl) << 23 | (denorm) << 6 }, UINT64_C(digest) },
#include "captured_modifiers.inc"
#undef SCALED
};

START_TEST(scaled_halves_as_captured)
{
    const uint64_t hash = vectors(EMPTY, half_ops[scaled[_i].op], &scaled[_i].m, EVERY_HALF, 1, add_word);
    ck_assert_msg(hash == scaled[_i].digest, "row %d", _i);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("gfx1201");
    tcase_set_timeout(tc, 120);
    tcase_add_loop_test(tc, halves_as_captured, 0, sizeof(halves) / sizeof(halves[0]));
    tcase_add_loop_test(tc, singles_as_captured, 0, sizeof(singles) / sizeof(singles[0]));
    tcase_add_loop_test(tc, scaled_halves_as_captured, 0, sizeof(scaled) / sizeof(scaled[0]));
    return run_suite("transcendentals", tc);
}

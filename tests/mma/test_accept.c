/* SPDX-License-Identifier: MIT */
/*
 * The vectorised code computes tiles of ordinary numbers for every row and format of gfx942 and gfx950, and
 * refuses those of which it would leave most to the reference.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "emu/mma/panels.h"
#include "tiles.h"

static bool accepted(const lw_mma *mma, const tile *t)
{
    static uint32_t d[LW_TILE_CD_WORDS];
    lw_mma_shape s;
    lw_mma_get_shape(mma, &s);
    const lw_mma_matrices mat = tile_matrices(&s, (tile *)t, NULL);
    return lw_mma_panels_run_matrices(mma, &mat, d);
}

static void check_row(lw_arch arch, const lw_insn *insn, const lw_mods *mods)
{
    static tile t;
    lw_mma *mma;
    lw_mma_shape s;
    uint64_t state = 5;
    const lw_mma_options options = { .struct_size = sizeof(lw_mma_options), .mods = mods };
    ck_assert_int_eq(lw_mma_create(arch, insn, &options, &mma, NULL), LW_OK);
    lw_mma_get_shape(mma, &s);
    ck_assert_msg(mma->panels != NULL, "%s has no vectorised code", insn->mnemonic);
    for (int n = 0; n < 4; n++) {
        tile_fill(&s, TILE_NORMAL, &state, &t);
        for (unsigned i = 0; i < 64; i++) {
            t.scale_a[i] = (uint8_t)(120 + next_random(&state) % 15);
            t.scale_b[i] = (uint8_t)(120 + next_random(&state) % 15);
        }
        ck_assert_msg(accepted(mma, &t), "%s, %s x %s: refused", insn->mnemonic, s.a_format, s.b_format);
    }
    if (mma->recipe.unit.kind == LW_KIND_ALIGNED) {
        const uint32_t nan = 0x7fc00001;
        for (size_t n = 0; n < (size_t)s.m * s.n * s.blocks; n += 2)
            memcpy((char *)t.c + 4 * n, &nan, sizeof(nan));
        ck_assert(!accepted(mma, &t));
    }
    lw_mma_free(mma);
}

static void check_index(lw_arch arch, size_t index)
{
    const lw_insn *insn = lw_insn_at(arch, index);
    const bool by_mods = insn->a == LW_ELEM_CBSZ;
    for (unsigned f = 0; f < (by_mods ? 25u : 1u); f++) {
        const lw_mods mods = { .cbsz = (uint8_t)(f / 5), .blgp = (uint8_t)(f % 5) };
        check_row(arch, insn, &mods);
    }
}

START_TEST(ordinary_tiles)
{
    if ((size_t)_i < lw_insn_count(LW_ARCH_GFX942))
        check_index(LW_ARCH_GFX942, (size_t)_i);
    if ((size_t)_i < lw_insn_count(LW_ARCH_GFX950))
        check_index(LW_ARCH_GFX950, (size_t)_i);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("mma_accept");
    TCase *tc = tcase_create("accept");
    tcase_add_loop_test(tc, ordinary_tiles, 0, 68);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* SPDX-License-Identifier: MIT */
/* What gfx1251 has beyond gfx1250: DPP of row_share for 64-bit values and 32-bit factors. Each instruction is
 * compared with itself without DPP, on a register into which the lanes were moved by hand. */
#include <check.h>

#include "isa_tables/amdgpu/traits.h"
#include "tests/valu/forms_kit.h"

enum { WAVE = 32, ROUNDS = 200, MOVED = 100, ROW_SHARE = 0x150, ROWS = 44 };

static kit general, fast, plain;

static unsigned below(unsigned n)
{
    return (unsigned)((kit_random(&general) >> 33) % n);
}

/* Has it one that reads a register without changing it? */
static bool random_plain(const lw_op_row *row, forms_case *c)
{
    for (unsigned tries = 0; tries < 50; tries++)
        if (forms_random(&general, LW_ARCH_GFX1250, row, c) && c->in.sub == LW_SUB_NONE &&
            c->in.src[0].kind == LW_OPND_VGPR)
            return true;
    return false;
}

static lw_decoded with_dpp(const lw_decoded *in)
{
    lw_decoded moved = *in;
    moved.sub = LW_SUB_DPP;
    moved.dpp_ctrl = (uint16_t)(ROW_SHARE + below(16));
    moved.dpp_row_mask = (uint8_t)(below(2) ? 15 : below(16));
    moved.dpp_bank_mask = (uint8_t)(below(2) ? 15 : below(16));
    moved.dpp_bound_ctrl = (uint8_t)below(2);
    moved.dpp_fetch_inactive = (uint8_t)below(2);
    return moved;
}

/* Moves source 0's registers to MOVED and the next one; returns the lanes that are written. sourced: those
 * with a source or its zero, which also have a carry-out. */
static uint32_t move_by_hand(kit *k, const lw_decoded *in, uint32_t *sourced)
{
    const uint32_t exec = (uint32_t)lw_wave_exec(&k->w);
    uint32_t written = *sourced = 0;
    for (unsigned lane = 0; lane < WAVE; lane++) {
        const unsigned from = lane / 16 * 16 + in->dpp_ctrl % 16;
        const bool there = in->dpp_fetch_inactive || exec >> from & 1;
        for (unsigned part = 0; part < in->src[0].dwords; part++)
            k->vgpr[MOVED + part][lane] = there ? k->vgpr[in->src[0].reg + part][from] : 0;
        const bool kept = !(in->dpp_row_mask >> lane / 16 & 1) || !(in->dpp_bank_mask >> lane % 16 / 4 & 1);
        if (exec >> lane & 1 && (there || in->dpp_bound_ctrl)) {
            *sourced |= 1u << lane;
            written |= (uint32_t)!kept << lane;
        }
    }
    return written;
}

static void attach(kit *k)
{
    k->w.vgpr = k->vgpr[0];
    k->w.agpr = k->agpr[0];
    k->w.head.fault = &k->fault;
}

/* Returns whether the instruction ran. */
static bool compare(const lw_op_row *row, const forms_case *c)
{
    char where[128];
    lw_hot hot;
    const lw_decoded in = with_dpp(&c->in);
    forms_fill(&general, LW_ARCH_GFX1250);
    fast = plain = general;
    attach(&fast);
    attach(&plain);
    if (c->in.exec(&general.w, &in) != LW_STEP_NEXT)
        return false; /* a special register as another source */

    const uint64_t exec = lw_wave_exec(&plain.w);
    uint32_t sourced;
    const uint32_t written = move_by_hand(&plain, &in, &sourced), old = plain.w.sgpr[in.sdst.reg];
    lw_decoded without = c->in;
    without.src[0].reg = MOVED;
    uint32_t kept[2][WAVE];
    for (unsigned part = 0; part < in.dst.dwords; part++)
        memcpy(kept[part], plain.vgpr[in.dst.reg + part], sizeof(kept[part]));
    lw_wave_set_sgpr64(&plain.w, LW_SGPR_EXEC, row->flags & LW_OPF_CARRY_OUT ? sourced : written);
    ck_assert_int_eq(c->in.exec(&plain.w, &without), LW_STEP_NEXT);
    lw_wave_set_sgpr64(&plain.w, LW_SGPR_EXEC, exec);
    for (unsigned lane = 0; lane < WAVE; lane++)
        for (unsigned part = 0; part < in.dst.dwords && !(written >> lane & 1); part++)
            plain.vgpr[in.dst.reg + part][lane] = kept[part][lane];
    if (row->flags & LW_OPF_CARRY_OUT) /* lanes without a source keep their bits of the mask */
        plain.w.sgpr[in.sdst.reg] |= old & (uint32_t)exec & ~sourced;
    memcpy(plain.vgpr[MOVED], general.vgpr[MOVED], 2 * sizeof(plain.vgpr[0]));
    ck_assert_msg(forms_same(&plain, &general, where, sizeof(where)), "%s ctrl %#x: %s", row->name,
                  in.dpp_ctrl, where);

    lw_fast_isa isa;
    ck_assert_int_eq(lw_fast_isa_choose(&isa, NULL), LW_OK);
    lw_hot_prepare(isa, &in, &hot);
    ck_assert_int_eq(hot.fn(&fast.w, &hot), LW_STEP_NEXT);
    fast.w.head.pc = general.w.head.pc;
    ck_assert_msg(forms_same(&general, &fast, where, sizeof(where)), "%s, fast: %s", row->name, where);
    return true;
}

START_TEST(as_moved_by_hand)
{
    unsigned rows = 0;
    kit_reset(&general, LW_ARCH_GFX1250);
    for (size_t i = 0; i < LW_OP_COUNT; i++) {
        const lw_op_row *row = &lw_op_rows[i];
        if (!lw_op_shares(row, LW_ARCH_GFX1250))
            continue;
        rows++;
        for (unsigned round = 0, ran = 0; ran < ROUNDS; round++) {
            forms_case c;
            ck_assert_msg(random_plain(row, &c) && round < 2 * ROUNDS, "no case of %s", row->name);
            ran += compare(row, &c);
        }
    }
    ck_assert_uint_eq(rows, ROWS);
}
END_TEST

/* Bits of llvm-mc 22 for gfx1251, with what becomes of them there and on gfx1250. */
START_TEST(only_there)
{
    static const struct {
        uint32_t words[3];
        unsigned size;
        const char *text; /* NULL: refused */
    } cases[] = {
        { { 0x040004fa, 0xff015304 },
          2,
          "v_add_f64_dpp v[0:1], v[4:5], v[2:3] row_share:3 row_mask:0xf bank_mask:0xf" },
        { { 0x7e003afa, 0xff015f02 },
          2,
          "v_mov_b64_dpp v[0:1], v[2:3] row_share:15 row_mask:0xf bank_mask:0xf" },
        { { 0xd6140000, 0x041a04fa, 0xff015804 },
          3,
          "v_fma_f64_e64_dpp v[0:1], v[4:5], v[2:3], v[6:7] row_share:8 row_mask:0xf bank_mask:0xf" },
        { { 0xd72c0000, 0x000204fa, 0xff015004 },
          3,
          "v_mul_lo_u32_e64_dpp v0, v4, v2 row_share:0 row_mask:0xf bank_mask:0xf" },
        { { 0x040004fa, 0xff016304 }, 2, NULL },             /* row_xmask */
        { { 0xd72c0000, 0x000204fa, 0xff00e404 }, 3, NULL }, /* quad_perm, of 32 bits */
        { { 0xd72c0000, 0x000204e9, 0xff00e404 }, 3, NULL }, /* DPP8 */
        { { 0x54000afa, 0xff015304 }, 2, NULL },             /* v_mul_u64 has none */
    };
    const lw_amdgpu_traits *there = lw_amdgpu_traits_named(LW_ARCH_GFX1250, "gfx1251");
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        lw_decoded in;
        char text[256] = "";
        const lw_status status =
            lw_amdgpu_decode_as(LW_ARCH_GFX1250, there, WAVE, cases[i].words, cases[i].size, &in);
        ck_assert_int_eq(status, cases[i].text ? LW_OK : LW_E_FORMAT);
        if (cases[i].text) {
            lw_amdgpu_text(LW_ARCH_GFX1250, &in, text, sizeof(text));
            ck_assert_str_eq(text, cases[i].text);
        }
        ck_assert_int_eq(lw_amdgpu_decode(LW_ARCH_GFX1250, cases[i].words, cases[i].size, &in), LW_E_FORMAT);
    }
    ck_assert_ptr_eq(lw_amdgpu_traits_named(LW_ARCH_GFX942, "gfx1251"), lw_amdgpu_traits_of(LW_ARCH_GFX942));
    ck_assert_ptr_eq(lw_amdgpu_traits_named(LW_ARCH_GFX1250, NULL), lw_amdgpu_traits_of(LW_ARCH_GFX1250));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("gfx1251");
    TCase *t = tcase_create("dpp");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, as_moved_by_hand);
    tcase_add_test(t, only_there);
    suite_add_tcase(s, t);
    SRunner *runner = srunner_create(s);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}

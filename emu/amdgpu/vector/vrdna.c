/* SPDX-License-Identifier: MIT */
/*
 * Vector instructions that are new in gfx11: lane permutations with scalar selectors, registers addressed
 * through M0, exchanged halves, two-element dots of 16 bits. AMD RDNA3 ISA manual, unless noted otherwise.
 */
#include "emu/amdgpu/control/handlers.h"
#include "emu/amdgpu/vector/vfloat.h"

/* ---- Lanes ---- */

/*
 * Each lane of a row of 16 reads the lane that its nibble of the selectors names, in its own row or (x) in
 * the adjacent row. op_sel[0] reads inactive lanes; op_sel[1] gives 0 instead of keeping the result if the
 * source lane is inactive.
 */
static lw_step permute_rows(lw_wave *w, const lw_decoded *in, unsigned other)
{
    const bool fetch = in->op_sel & 1, bound = in->op_sel & 2;
    const uint64_t exec = lw_wave_exec(w);
    const uint64_t select = (uint32_t)lw_vscalar(w, &in->src[1]) | lw_vscalar(w, &in->src[2]) << 32;
    const uint32_t *from = lw_wave_vgpr(w, in->src[0].reg);
    uint32_t r[LW_LANES];
    uint64_t written = exec;
    for (unsigned lane = 0; lane < LW_LANES; lane++) {
        const unsigned source = ((lane & ~15u) ^ other) | (unsigned)(select >> 4 * (lane & 15) & 15);
        const bool there = fetch || exec >> source & 1;
        r[lane] = there ? from[source] : 0;
        if (!there && !bound)
            written &= ~(UINT64_C(1) << lane);
    }
    const lw_step step = lw_vcheck(w, in);
    if (step == LW_STEP_NEXT)
        lw_vmerge(lw_wave_vgpr(w, in->dst.reg), written, r);
    return step;
}

/* The same, with each lane naming its own source (gfx1201 silicon: AMD's ROCm documentation, rocjitsu). */
static lw_step permute_by_lane(lw_wave *w, const lw_decoded *in, unsigned other)
{
    const bool fetch = in->op_sel & 1, bound = in->op_sel & 2;
    const uint64_t exec = lw_wave_exec(w);
    const uint32_t *from = lw_wave_vgpr(w, in->src[0].reg), *select = lw_wave_vgpr(w, in->src[1].reg);
    uint32_t r[LW_LANES];
    uint64_t written = exec;
    for (unsigned lane = 0; lane < LW_LANES; lane++) {
        const unsigned source = ((lane & ~15u) ^ other) | (select[lane] & 15);
        const bool there = fetch || exec >> source & 1;
        r[lane] = there ? from[source] : 0;
        if (!there && !bound)
            written &= ~(UINT64_C(1) << lane);
    }
    lw_vmerge(lw_wave_vgpr(w, in->dst.reg), written, r);
    return LW_STEP_NEXT;
}

lw_step lw_sem_v_permlane16_var_b32(lw_wave *w, const lw_decoded *in)
{
    return permute_by_lane(w, in, 0);
}

lw_step lw_sem_v_permlanex16_var_b32(lw_wave *w, const lw_decoded *in)
{
    return permute_by_lane(w, in, 16);
}

lw_step lw_sem_v_permlane16_b32(lw_wave *w, const lw_decoded *in)
{
    return permute_rows(w, in, 0);
}

lw_step lw_sem_v_permlanex16_b32(lw_wave *w, const lw_decoded *in)
{
    return permute_rows(w, in, 16);
}

/* Exchanges the halves of a wave of 64; does nothing in a wave of 32 (rdna3 silicon: tinygrad,
 * test/amd/hw). */
lw_step lw_sem_v_permlane64_b32(lw_wave *w, const lw_decoded *in)
{
    const uint32_t *from = lw_wave_vgpr(w, in->src[0].reg);
    uint32_t r[LW_LANES];
    if (w->lanes == 32)
        return LW_STEP_NEXT;
    for (unsigned lane = 0; lane < LW_LANES; lane++)
        r[lane] = from[lane ^ 32];
    lw_vmerge(lw_wave_vgpr(w, in->dst.reg), lw_wave_exec(w), r);
    return LW_STEP_NEXT;
}

static uint32_t half_of(uint32_t v, bool high)
{
    return high ? v >> 16 : v & 0xffff;
}

static uint32_t with_half(uint32_t v, bool high, uint32_t half)
{
    return high ? (v & 0xffff) | half << 16 : (v & 0xffff0000u) | half;
}

lw_step lw_sem_v_swap_b16(lw_wave *w, const lw_decoded *in)
{
    const bool a_high = in->dst.sel == LW_SEL_WORD_1, b_high = in->src[0].sel == LW_SEL_WORD_1;
    uint32_t *a = lw_wave_vgpr(w, in->dst.reg), *b = lw_wave_vgpr(w, in->src[0].reg);
    for (uint64_t left = lw_wave_exec(w); left; left &= left - 1) {
        const unsigned lane = lw_ctz64(left);
        const uint32_t x = half_of(a[lane], a_high), y = half_of(b[lane], b_high);
        a[lane] = with_half(a[lane], a_high, y);
        b[lane] = with_half(b[lane], b_high, x);
    }
    return LW_STEP_NEXT;
}

/* ---- Registers addressed through M0: outside the allocation, v0 is read and writes are discarded ---- */

static uint32_t *moved(lw_wave *w, unsigned reg, unsigned by)
{
    return reg + by < w->vgprs ? lw_wave_vgpr(w, reg + by) : NULL;
}

static lw_step move_relative(lw_wave *w, const lw_decoded *in, unsigned source_by, unsigned result_by)
{
    uint32_t buf[LW_LANES];
    const lw_step step = lw_vcheck(w, in);
    if (step != LW_STEP_NEXT)
        return step;
    if (in->sub == LW_SUB_DPP)
        return lw_wave_fault(w, -1, "moves between lanes and registers at once have no documented meaning");
    if (in->src[0].kind == LW_OPND_VGPR) {
        const uint32_t *row = moved(w, in->src[0].reg, source_by);
        memcpy(buf, row ? row : lw_wave_vgpr(w, 0), sizeof(buf));
    } else {
        for (unsigned lane = 0; lane < LW_LANES; lane++)
            buf[lane] = (uint32_t)lw_vscalar(w, &in->src[0]);
    }
    uint32_t *to = moved(w, in->dst.reg, result_by);
    if (to)
        lw_vmerge(to, lw_wave_exec(w), buf);
    return LW_STEP_NEXT;
}

static uint32_t m0(const lw_wave *w)
{
    return w->sgpr[LW_SGPR_M0];
}

lw_step lw_sem_v_movreld_b32(lw_wave *w, const lw_decoded *in)
{
    return move_relative(w, in, 0, m0(w) > UINT16_MAX ? UINT16_MAX : m0(w));
}

lw_step lw_sem_v_movrels_b32(lw_wave *w, const lw_decoded *in)
{
    return move_relative(w, in, m0(w) > UINT16_MAX ? UINT16_MAX : m0(w), 0);
}

lw_step lw_sem_v_movrelsd_b32(lw_wave *w, const lw_decoded *in)
{
    const uint32_t by = m0(w) > UINT16_MAX ? UINT16_MAX : m0(w);
    return move_relative(w, in, by, by);
}

lw_step lw_sem_v_movrelsd_2_b32(lw_wave *w, const lw_decoded *in)
{
    return move_relative(w, in, m0(w) & 0x3ff, m0(w) >> 16 & 0x3ff);
}

lw_step lw_sem_v_swaprel_b32(lw_wave *w, const lw_decoded *in)
{
    uint32_t *a = moved(w, in->dst.reg, m0(w) >> 16 & 0x3ff), *b = moved(w, in->src[0].reg, m0(w) & 0x3ff);
    uint32_t old[LW_LANES];
    if (!a || !b)
        return lw_wave_fault(w, -1, "M0 = 0x%x moves an operand out of the wave's %u vector registers", m0(w),
                             (unsigned)w->vgprs);
    memcpy(old, a, sizeof(old));
    lw_vmerge(a, lw_wave_exec(w), b);
    lw_vmerge(b, lw_wave_exec(w), old);
    return LW_STEP_NEXT;
}

/* ---- Arithmetic ---- */

/* A factor of zero makes the product +0, whatever the other factor is (DX9's rule). */
static uint64_t fma_dx9(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b, uint64_t c)
{
    const bool zero = lw_fp_is_zero(f, lw_fp_flush_in(f, e, a)) || lw_fp_is_zero(f, lw_fp_flush_in(f, e, b));
    return zero ? lw_fp_add(f, e, 0, c) : lw_fp_fma(f, e, a, b, c);
}

lw_step lw_sem_v_fma_dx9_zero_f32(lw_wave *w, const lw_decoded *in)
{
    return lw_vfloat3(w, in, &lw_fp_f32, LW_STYLE_PLAIN, fma_dx9);
}

lw_step lw_sem_v_fmac_dx9_zero_f32(lw_wave *w, const lw_decoded *in)
{
    return lw_vfloat_acc(w, in, &lw_fp_f32, LW_STYLE_PLAIN, fma_dx9);
}

/* -MAX if source 1 is -MAX, -infinity or a NaN, or if source 2 is not a positive number; otherwise the
 * product. */
static uint64_t mullit(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b, uint64_t c)
{
    const uint64_t lowest = 0xff7fffff, minus_infinity = 0xff800000;
    const bool guarded = b == lowest || b == minus_infinity || lw_fp_is_nan(f, b) || lw_fp_is_nan(f, c) ||
                         lw_fp_neg(f, c) || lw_fp_is_zero(f, c);
    return guarded ? lowest : lw_fp_mul_legacy(f, e, a, b);
}

lw_step lw_sem_v_mullit_f32(lw_wave *w, const lw_decoded *in)
{
    return lw_vfloat3(w, in, &lw_fp_f32, LW_STYLE_PLAIN, mullit);
}

/*
 * Two products and an addend of 16 bits. How often the hardware rounds is not public; this is computed as two
 * fused multiply-adds, element 0 first, to nearest even.
 */
static lw_step dot2_half(lw_wave *w, const lw_decoded *in, const lw_format *f)
{
    uint32_t ba[LW_LANES], bb[LW_LANES], bc[LW_LANES], r[LW_LANES] = { 0 };
    const uint32_t *a = lw_vsrc(w, in, 0, LW_V_B32, ba), *b = lw_vsrc(w, in, 1, LW_V_B32, bb);
    const uint32_t *c = lw_vsrc(w, in, 2, LW_V_F16, bc);
    const lw_fp_env e = { .keep_in = true, .keep_out = true, .ieee = w->mode & LW_MODE_IEEE };
    for (uint64_t left = lw_wave_exec(w); left; left &= left - 1) {
        const unsigned lane = lw_ctz64(left);
        uint64_t sum = c[lane] & 0xffff;
        for (unsigned k = 0; k < 2; k++) {
            const uint64_t x = a[lane] >> 16 * k & 0xffff, y = b[lane] >> 16 * k & 0xffff;
            sum = lw_fp_fma(f, &e, x, y, sum);
        }
        r[lane] = (uint32_t)sum;
    }
    if (in->src[0].neg | in->src[0].abs | in->src[1].neg | in->src[1].abs)
        return lw_wave_fault(w, -1, "neg and abs on a packed dot product have no documented meaning");
    return lw_vwrite16(w, in, LW_VD_SEL, r);
}

lw_step lw_sem_v_dot2_f16_f16(lw_wave *w, const lw_decoded *in)
{
    return dot2_half(w, in, &lw_fp_f16);
}

lw_step lw_sem_v_dot2_bf16_bf16(lw_wave *w, const lw_decoded *in)
{
    return dot2_half(w, in, &lw_fp_bf16);
}

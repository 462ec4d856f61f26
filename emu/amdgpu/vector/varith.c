/* SPDX-License-Identifier: MIT */
/* The most frequent arithmetic in kernels: f32 and f64 add, multiply and fused multiply-add, on whole
 * rows. */
#include "emu/amdgpu/control/handlers.h"
#include "emu/amdgpu/vector/vlane.h"
#include "emu/amdgpu/vector/vrows.h"

typedef void (*row2_f32)(const lw_fp_env *, uint64_t, const uint32_t *, const uint32_t *, uint32_t *);
typedef void (*row2_f64)(const lw_fp_env *, uint64_t, const uint64_t *, const uint64_t *, uint64_t *);

static lw_step two_f32(lw_wave *w, const lw_decoded *in, row2_f32 run)
{
    uint32_t ba[LW_LANES], bb[LW_LANES], r[LW_LANES];
    const uint32_t *a = lw_vsrc(w, in, 0, LW_V_F32, ba), *b = lw_vsrc(w, in, 1, LW_V_F32, bb);
    const lw_fp_env e = lw_vmode_of(w, in, &lw_fp_f32);
    run(&e, lw_wave_exec(w), a, b, r);
    lw_voutput32(w, in, &lw_fp_f32, lw_wave_exec(w), r);
    return lw_vwrite(w, in, r);
}

/* The addend is source 2, or the old result. */
static lw_step fma_f32(lw_wave *w, const lw_decoded *in, bool accumulate)
{
    uint32_t ba[LW_LANES], bb[LW_LANES], bc[LW_LANES], r[LW_LANES];
    const uint32_t *a = lw_vsrc(w, in, 0, LW_V_F32, ba), *b = lw_vsrc(w, in, 1, LW_V_F32, bb);
    const uint32_t *c = accumulate ? lw_vdst_old(w, in, 0) : lw_vsrc(w, in, 2, LW_V_F32, bc);
    const lw_fp_env e = lw_vmode_of(w, in, &lw_fp_f32);
    lw_row_fma_f32(&e, lw_wave_exec(w), a, b, c, r);
    lw_voutput32(w, in, &lw_fp_f32, lw_wave_exec(w), r);
    return lw_vwrite(w, in, r);
}

static lw_step two_f64(lw_wave *w, const lw_decoded *in, row2_f64 run)
{
    uint64_t ba[LW_LANES], bb[LW_LANES], r[LW_LANES];
    const uint64_t *a = lw_vsrc64(w, in, 0, true, ba), *b = lw_vsrc64(w, in, 1, true, bb);
    const lw_fp_env e = lw_vmode_of(w, in, &lw_fp_f64);
    run(&e, lw_wave_exec(w), a, b, r);
    lw_voutput64(w, in, &lw_fp_f64, lw_wave_exec(w), r);
    return lw_vwrite64(w, in, r);
}

static lw_step fma_f64(lw_wave *w, const lw_decoded *in, bool accumulate)
{
    uint64_t ba[LW_LANES], bb[LW_LANES], bc[LW_LANES], r[LW_LANES];
    const uint64_t *a = lw_vsrc64(w, in, 0, true, ba), *b = lw_vsrc64(w, in, 1, true, bb), *c = bc;
    if (accumulate) {
        const uint32_t *low = lw_vdst_old(w, in, 0), *high = lw_vdst_old(w, in, 1);
        for (unsigned lane = 0; lane < LW_LANES; lane++)
            bc[lane] = low[lane] | (uint64_t)high[lane] << 32;
    } else {
        c = lw_vsrc64(w, in, 2, true, bc);
    }
    const lw_fp_env e = lw_vmode_of(w, in, &lw_fp_f64);
    lw_row_fma_f64(&e, lw_wave_exec(w), a, b, c, r);
    lw_voutput64(w, in, &lw_fp_f64, lw_wave_exec(w), r);
    return lw_vwrite64(w, in, r);
}

lw_step lw_sem_v_add_f32(lw_wave *w, const lw_decoded *in)
{
    return two_f32(w, in, lw_row_add_f32);
}

lw_step lw_sem_v_sub_f32(lw_wave *w, const lw_decoded *in)
{
    return two_f32(w, in, lw_row_sub_f32);
}

lw_step lw_sem_v_subrev_f32(lw_wave *w, const lw_decoded *in)
{
    return two_f32(w, in, lw_row_subrev_f32);
}

lw_step lw_sem_v_mul_f32(lw_wave *w, const lw_decoded *in)
{
    return two_f32(w, in, lw_row_mul_f32);
}

lw_step lw_sem_v_fma_f32(lw_wave *w, const lw_decoded *in)
{
    return fma_f32(w, in, false);
}

/* Sources in the assembler's order: the literal is source 1 or source 2. */
lw_step lw_sem_v_fmamk_f32(lw_wave *w, const lw_decoded *in)
{
    return fma_f32(w, in, false);
}

lw_step lw_sem_v_fmaak_f32(lw_wave *w, const lw_decoded *in)
{
    return fma_f32(w, in, false);
}

lw_step lw_sem_v_fmac_f32(lw_wave *w, const lw_decoded *in)
{
    return fma_f32(w, in, true);
}

lw_step lw_sem_v_add_f64(lw_wave *w, const lw_decoded *in)
{
    return two_f64(w, in, lw_row_add_f64);
}

lw_step lw_sem_v_mul_f64(lw_wave *w, const lw_decoded *in)
{
    return two_f64(w, in, lw_row_mul_f64);
}

lw_step lw_sem_v_fma_f64(lw_wave *w, const lw_decoded *in)
{
    return fma_f64(w, in, false);
}

lw_step lw_sem_v_fmac_f64(lw_wave *w, const lw_decoded *in)
{
    return fma_f64(w, in, true);
}

/* SPDX-License-Identifier: MIT */
/* Arithmetic, selection and rounding to integral values of f16, f32 and f64. */
#include "emu/amdgpu/vector/vfloat.h"

#include "emu/amdgpu/control/handlers.h"
#include "emu/amdgpu/vector/vrows.h"
#include "emu/num/fp_div.h"

static bool is_f64(const lw_format *f)
{
    return f->frac_bits == 52;
}

void lw_vfloat_source(lw_wave *w, const lw_decoded *in, const lw_format *f, unsigned i,
                      uint64_t out[LW_LANES])
{
    uint32_t buf[LW_LANES];
    const uint32_t *row;
    if (i == LW_SRC_ACC) {
        const uint32_t *low = lw_vdst_old(w, in, 0);
        const uint32_t mask = f->frac_bits == 10 ? 0xffff : ~0u;
        const unsigned half = in->dst.flags & LW_OPND_F_HALF && in->dst.sel == LW_SEL_WORD_1 ? 16 : 0;
        for (unsigned lane = 0; lane < LW_LANES; lane++)
            out[lane] = low[lane] >> half & mask;
        if (is_f64(f)) {
            const uint32_t *high = lw_vdst_old(w, in, 1);
            for (unsigned lane = 0; lane < LW_LANES; lane++)
                out[lane] |= (uint64_t)high[lane] << 32;
        }
        return;
    }
    if (is_f64(f)) {
        lw_vsrc64(w, in, i, true, out);
        return;
    }
    row = lw_vsrc(w, in, i, f->frac_bits == 10 ? LW_V_F16 : LW_V_F32, buf);
    for (unsigned lane = 0; lane < LW_LANES; lane++)
        out[lane] = row[lane];
}

lw_step lw_vfloat_write(lw_wave *w, const lw_decoded *in, const lw_format *f, lw_vstyle style,
                        uint64_t r[LW_LANES])
{
    static const lw_vdst_kind places[] = { LW_VD_FULL, LW_VD_SEL, LW_VD_LOW };
    lw_voutput64(w, in, f, lw_wave_exec(w), r);
    if (is_f64(f))
        return lw_vwrite64(w, in, r);
    uint32_t narrow[LW_LANES];
    for (unsigned lane = 0; lane < LW_LANES; lane++)
        narrow[lane] = (uint32_t)r[lane];
    return lw_vwrite16(w, in, places[style], narrow);
}

lw_step lw_vfloat1(lw_wave *w, const lw_decoded *in, const lw_format *f, lw_vstyle style, lw_lane1 fn)
{
    uint64_t a[LW_LANES], r[LW_LANES] = { 0 };
    const lw_fp_env e = lw_vmode_of(w, in, f);
    lw_vfloat_source(w, in, f, 0, a);
    for (uint64_t left = lw_wave_exec(w); left; left &= left - 1) {
        const unsigned lane = lw_ctz64(left);
        r[lane] = fn(f, &e, a[lane]);
    }
    return lw_vfloat_write(w, in, f, style, r);
}

static lw_step two(lw_wave *w, const lw_decoded *in, const lw_format *f, lw_vstyle style, lw_lane2 fn)
{
    uint64_t a[LW_LANES], b[LW_LANES], r[LW_LANES] = { 0 };
    const lw_fp_env e = lw_vmode_of(w, in, f);
    lw_vfloat_source(w, in, f, 0, a);
    lw_vfloat_source(w, in, f, 1, b);
    for (uint64_t left = lw_wave_exec(w); left; left &= left - 1) {
        const unsigned lane = lw_ctz64(left);
        r[lane] = fn(f, &e, a[lane], b[lane]);
    }
    return lw_vfloat_write(w, in, f, style, r);
}

static lw_step three(lw_wave *w, const lw_decoded *in, const lw_format *f, lw_vstyle style, lw_lane3 fn,
                     unsigned third)
{
    uint64_t a[LW_LANES], b[LW_LANES], c[LW_LANES], r[LW_LANES] = { 0 };
    const lw_fp_env e = lw_vmode_of(w, in, f);
    lw_vfloat_source(w, in, f, 0, a);
    lw_vfloat_source(w, in, f, 1, b);
    lw_vfloat_source(w, in, f, third, c);
    for (uint64_t left = lw_wave_exec(w); left; left &= left - 1) {
        const unsigned lane = lw_ctz64(left);
        r[lane] = fn(f, &e, a[lane], b[lane], c[lane]);
    }
    return lw_vfloat_write(w, in, f, style, r);
}

lw_step lw_vfloat3(lw_wave *w, const lw_decoded *in, const lw_format *f, lw_vstyle style, lw_lane3 fn)
{
    return three(w, in, f, style, fn, 2);
}

lw_step lw_vfloat_acc(lw_wave *w, const lw_decoded *in, const lw_format *f, lw_vstyle style, lw_lane3 fn)
{
    return three(w, in, f, style, fn, LW_SRC_ACC);
}

/* AMD RDNA3 ISA manual: the second operation is applied to the result of the first. */
static uint64_t max_min(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b, uint64_t c)
{
    return lw_fp_min(f, e, lw_fp_max(f, e, a, b), c);
}

static uint64_t min_max(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b, uint64_t c)
{
    return lw_fp_max(f, e, lw_fp_min(f, e, a, b), c);
}

#define FLOAT1(name, fmt, style, fn)                                                                         \
    lw_step lw_sem_##name(lw_wave *w, const lw_decoded *in)                                                  \
    {                                                                                                        \
        return lw_vfloat1(w, in, &lw_fp_##fmt, LW_STYLE_##style, fn);                                        \
    }
#define FLOAT2(name, fmt, style, fn)                                                                         \
    lw_step lw_sem_##name(lw_wave *w, const lw_decoded *in)                                                  \
    {                                                                                                        \
        return two(w, in, &lw_fp_##fmt, LW_STYLE_##style, fn);                                               \
    }
#define FLOAT3(name, fmt, style, fn)                                                                         \
    lw_step lw_sem_##name(lw_wave *w, const lw_decoded *in)                                                  \
    {                                                                                                        \
        return lw_vfloat3(w, in, &lw_fp_##fmt, LW_STYLE_##style, fn);                                        \
    }
#define FLOAT_ACC(name, fmt, style, fn)                                                                      \
    lw_step lw_sem_##name(lw_wave *w, const lw_decoded *in)                                                  \
    {                                                                                                        \
        return lw_vfloat_acc(w, in, &lw_fp_##fmt, LW_STYLE_##style, fn);                                     \
    }

FLOAT2(v_mul_legacy_f32, f32, PLAIN, lw_fp_mul_legacy)
FLOAT2(v_min_f32, f32, PLAIN, lw_fp_min)
FLOAT2(v_max_f32, f32, PLAIN, lw_fp_max)
FLOAT3(v_maxmin_f32, f32, PLAIN, max_min)
FLOAT3(v_minmax_f32, f32, PLAIN, min_max)
FLOAT3(v_maxmin_f16, f16, SEL, max_min)
FLOAT3(v_minmax_f16, f16, SEL, min_max)
FLOAT3(v_min3_f32, f32, PLAIN, lw_fp_min3)
FLOAT3(v_max3_f32, f32, PLAIN, lw_fp_max3)
FLOAT3(v_med3_f32, f32, PLAIN, lw_fp_med3)
FLOAT3(v_minimum3_f32, f32, PLAIN, lw_fp_minimum3)
FLOAT3(v_maximum3_f32, f32, PLAIN, lw_fp_maximum3)
FLOAT3(v_div_fixup_f32, f32, PLAIN, lw_fp_div_fixup)
FLOAT1(v_trunc_f32, f32, PLAIN, lw_fp_trunc)
FLOAT1(v_ceil_f32, f32, PLAIN, lw_fp_ceil)
FLOAT1(v_floor_f32, f32, PLAIN, lw_fp_floor)
FLOAT1(v_rndne_f32, f32, PLAIN, lw_fp_rndne)
FLOAT1(v_fract_f32, f32, PLAIN, lw_fp_fract)
FLOAT1(v_frexp_mant_f32, f32, PLAIN, lw_fp_frexp_mant)

FLOAT2(v_min_f64, f64, PLAIN, lw_fp_min)
FLOAT2(v_max_f64, f64, PLAIN, lw_fp_max)
FLOAT3(v_div_fixup_f64, f64, PLAIN, lw_fp_div_fixup)
FLOAT1(v_trunc_f64, f64, PLAIN, lw_fp_trunc)
FLOAT1(v_ceil_f64, f64, PLAIN, lw_fp_ceil)
FLOAT1(v_floor_f64, f64, PLAIN, lw_fp_floor)
FLOAT1(v_rndne_f64, f64, PLAIN, lw_fp_rndne)
FLOAT1(v_fract_f64, f64, PLAIN, lw_fp_fract)
FLOAT1(v_frexp_mant_f64, f64, PLAIN, lw_fp_frexp_mant)

FLOAT2(v_add_f16, f16, PLAIN, lw_fp_add)
FLOAT2(v_sub_f16, f16, PLAIN, lw_fp_sub)
FLOAT2(v_subrev_f16, f16, PLAIN, lw_fp_subrev)
FLOAT2(v_mul_f16, f16, PLAIN, lw_fp_mul)
FLOAT2(v_min_f16, f16, PLAIN, lw_fp_min)
FLOAT2(v_max_f16, f16, PLAIN, lw_fp_max)
FLOAT_ACC(v_fmac_f16, f16, SEL, lw_fp_fma)
FLOAT3(v_fmamk_f16, f16, SEL, lw_fp_fma)
FLOAT3(v_fmaak_f16, f16, SEL, lw_fp_fma)
/* Two roundings; subnormals are flushed whatever MODE says (the compiler uses these only if MODE flushes,
 * too). */
static uint64_t mad_flushed(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b, uint64_t c)
{
    lw_fp_env flushed = *e;
    flushed.keep_in = flushed.keep_out = false;
    return lw_fp_mad(f, &flushed, a, b, c);
}

static uint64_t mad_legacy(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b, uint64_t c)
{
    lw_fp_env flushed = *e;
    flushed.keep_in = flushed.keep_out = false;
    return lw_fp_add(f, &flushed, lw_fp_mul_legacy(f, &flushed, a, b), c);
}

FLOAT_ACC(v_mac_f32, f32, PLAIN, mad_flushed)
FLOAT3(v_madmk_f32, f32, PLAIN, mad_flushed)
FLOAT3(v_madak_f32, f32, PLAIN, mad_flushed)
FLOAT3(v_mad_f32, f32, PLAIN, mad_flushed)
FLOAT3(v_mad_legacy_f32, f32, PLAIN, mad_legacy)
FLOAT_ACC(v_mac_f16, f16, KEEP, lw_fp_mad)
FLOAT3(v_madmk_f16, f16, KEEP, lw_fp_mad)
FLOAT3(v_madak_f16, f16, KEEP, lw_fp_mad)
FLOAT3(v_mad_legacy_f16, f16, PLAIN, lw_fp_mad)
FLOAT3(v_fma_legacy_f16, f16, PLAIN, lw_fp_fma)
FLOAT3(v_div_fixup_legacy_f16, f16, PLAIN, lw_fp_div_fixup)
FLOAT3(v_mad_f16, f16, SEL, lw_fp_mad)
FLOAT3(v_fma_f16, f16, SEL, lw_fp_fma)
FLOAT3(v_div_fixup_f16, f16, SEL, lw_fp_div_fixup)
FLOAT3(v_min3_f16, f16, SEL, lw_fp_min3)
FLOAT3(v_max3_f16, f16, SEL, lw_fp_max3)
FLOAT3(v_med3_f16, f16, SEL, lw_fp_med3)
FLOAT1(v_trunc_f16, f16, PLAIN, lw_fp_trunc)
FLOAT1(v_ceil_f16, f16, PLAIN, lw_fp_ceil)
FLOAT1(v_floor_f16, f16, PLAIN, lw_fp_floor)
FLOAT1(v_rndne_f16, f16, PLAIN, lw_fp_rndne)
FLOAT1(v_fract_f16, f16, PLAIN, lw_fp_fract)
FLOAT1(v_frexp_mant_f16, f16, PLAIN, lw_fp_frexp_mant)

/* gfx12 */
FLOAT2(v_min_num_f32, f32, PLAIN, lw_fp_min_num)
FLOAT2(v_max_num_f32, f32, PLAIN, lw_fp_max_num)
FLOAT2(v_minimum_f32, f32, PLAIN, lw_fp_minimum)
FLOAT2(v_maximum_f32, f32, PLAIN, lw_fp_maximum)
FLOAT3(v_min3_num_f32, f32, PLAIN, lw_fp_min3_num)
FLOAT3(v_max3_num_f32, f32, PLAIN, lw_fp_max3_num)
FLOAT3(v_med3_num_f32, f32, PLAIN, lw_fp_med3_num)
FLOAT3(v_minmax_num_f32, f32, PLAIN, lw_fp_minmax_num)
FLOAT3(v_maxmin_num_f32, f32, PLAIN, lw_fp_maxmin_num)
FLOAT3(v_minimummaximum_f32, f32, PLAIN, lw_fp_minimummaximum)
FLOAT3(v_maximumminimum_f32, f32, PLAIN, lw_fp_maximumminimum)
FLOAT2(v_min_num_f16, f16, PLAIN, lw_fp_min_num)
FLOAT2(v_max_num_f16, f16, PLAIN, lw_fp_max_num)
FLOAT2(v_minimum_f16, f16, SEL, lw_fp_minimum)
FLOAT2(v_maximum_f16, f16, SEL, lw_fp_maximum)
FLOAT3(v_min3_num_f16, f16, SEL, lw_fp_min3_num)
FLOAT3(v_max3_num_f16, f16, SEL, lw_fp_max3_num)
FLOAT3(v_med3_num_f16, f16, SEL, lw_fp_med3_num)
FLOAT3(v_minmax_num_f16, f16, SEL, lw_fp_minmax_num)
FLOAT3(v_maxmin_num_f16, f16, SEL, lw_fp_maxmin_num)
FLOAT3(v_minimummaximum_f16, f16, SEL, lw_fp_minimummaximum)
FLOAT3(v_maximumminimum_f16, f16, SEL, lw_fp_maximumminimum)
FLOAT3(v_fmamk_f64, f64, PLAIN, lw_fp_fma)
FLOAT3(v_fmaak_f64, f64, PLAIN, lw_fp_fma)
FLOAT2(v_min_num_f64, f64, PLAIN, lw_fp_min_num)
FLOAT2(v_max_num_f64, f64, PLAIN, lw_fp_max_num)
FLOAT2(v_minimum_f64, f64, PLAIN, lw_fp_minimum)
FLOAT2(v_maximum_f64, f64, PLAIN, lw_fp_maximum)
FLOAT3(v_minimum3_f16, f16, SEL, lw_fp_minimum3)
FLOAT3(v_maximum3_f16, f16, SEL, lw_fp_maximum3)

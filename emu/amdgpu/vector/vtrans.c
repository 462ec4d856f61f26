/* SPDX-License-Identifier: MIT */
/* Transcendental operations, and the division support that needs lane masks. Numerics: emu/num. */
#include "emu/amdgpu/control/handlers.h"
#include "emu/amdgpu/vector/vfloat.h"
#include "emu/num/fp_div.h"
#include "emu/num/transc.h"

/* One f32 source and result, independent of MODE except for signalling NaNs and the output modifiers. */
#define MODEL32(name, model)                                                                                 \
    static uint64_t name##_lane(const lw_format *f, const lw_fp_env *e, uint64_t x)                          \
    {                                                                                                        \
        return lw_fp_is_nan(f, x) ? lw_fp_pass_nan(f, e, x) : model((uint32_t)x);                            \
    }                                                                                                        \
    lw_step lw_sem_##name(lw_wave *w, const lw_decoded *in)                                                  \
    {                                                                                                        \
        return lw_vfloat1(w, in, &lw_fp_f32, LW_STYLE_PLAIN, name##_lane);                                   \
    }

#define MODEL(name, fmt, model)                                                                              \
    static uint64_t name##_lane(const lw_format *f, const lw_fp_env *e, uint64_t x)                          \
    {                                                                                                        \
        (void)f;                                                                                             \
        return model(e, (lw_##fmt##_bits)x);                                                                 \
    }                                                                                                        \
    lw_step lw_sem_##name(lw_wave *w, const lw_decoded *in)                                                  \
    {                                                                                                        \
        return lw_vfloat1(w, in, &lw_fp_##fmt, LW_STYLE_PLAIN, name##_lane);                                 \
    }

typedef uint32_t lw_f16_bits;
typedef uint32_t lw_f32_bits;
typedef uint64_t lw_f64_bits;

MODEL32(v_exp_f32, lw_exp2_f32)
MODEL32(v_log_f32, lw_log2_f32)
MODEL32(v_rcp_f32, lw_rcp_f32)
MODEL32(v_rcp_iflag_f32, lw_rcp_f32)
MODEL32(v_rsq_f32, lw_rsq_f32)
MODEL32(v_sqrt_f32, lw_sqrt_f32)
MODEL(v_sin_f32, f32, lw_sin_f32)
MODEL(v_cos_f32, f32, lw_cos_f32)
MODEL(v_exp_f16, f16, lw_exp2_f16)
MODEL(v_log_f16, f16, lw_log2_f16)
MODEL(v_rcp_f16, f16, lw_rcp_f16)
MODEL(v_rsq_f16, f16, lw_rsq_f16)
MODEL(v_sqrt_f16, f16, lw_sqrt_f16)
MODEL(v_sin_f16, f16, lw_sin_f16)
MODEL(v_cos_f16, f16, lw_cos_f16)
MODEL(v_rcp_f64, f64, lw_rcp_f64)
MODEL(v_rsq_f64, f64, lw_rsq_f64)
MODEL(v_sqrt_f64, f64, lw_sqrt_f64)

/*
 * gfx1250's bf16 forms: the f32 operation of the widened source, rounded to nearest even (AMD's emulator and
 * its translator of gfx1250 code; by analogy to f16, which was measured on gfx1201). No measurement.
 */
static lw_step through_f32(lw_wave *w, const lw_decoded *in, lw_lane1 fn)
{
    static const lw_fp_env keep = { .keep_in = true, .keep_out = true, .ieee = true };
    uint32_t buf[LW_LANES], r[LW_LANES];
    const lw_fp_env e = lw_vmode_of(w, in, &lw_fp_f32);
    const uint32_t *x = lw_vsrc(w, in, 0, LW_V_F16, buf);
    for (unsigned lane = 0; lane < LW_LANES; lane++) {
        const uint64_t wide = fn(&lw_fp_f32, &e, (uint64_t)x[lane] << 16);
        r[lane] = (uint32_t)lw_fp_convert(&lw_fp_f32, &keep, &lw_fp_bf16, &keep, wide);
    }
    lw_voutput32(w, in, &lw_fp_bf16, lw_wave_exec(w), r);
    return lw_vwrite16(w, in, LW_VD_FULL, r);
}

#define MODEL_BF16(name)                                                                                     \
    lw_step lw_sem_##name##_bf16(lw_wave *w, const lw_decoded *in)                                           \
    {                                                                                                        \
        return through_f32(w, in, name##_f32_lane);                                                          \
    }

MODEL_BF16(v_exp)
MODEL_BF16(v_log)
MODEL_BF16(v_rcp)
MODEL_BF16(v_rsq)
MODEL_BF16(v_sqrt)
MODEL_BF16(v_sin)
MODEL_BF16(v_cos)

static lw_step div_scale(lw_wave *w, const lw_decoded *in, const lw_format *f)
{
    uint64_t s[3][LW_LANES], r[LW_LANES] = { 0 }, mask = 0;
    const lw_fp_env e = lw_vmode_of(w, in, f);
    for (unsigned i = 0; i < 3; i++)
        lw_vfloat_source(w, in, f, i, s[i]);
    for (uint64_t left = lw_wave_exec(w); left; left &= left - 1) {
        const unsigned lane = lw_ctz64(left);
        bool post;
        r[lane] = lw_fp_div_scale(f, &e, s[0][lane], s[1][lane], s[2][lane], &post);
        mask |= (uint64_t)post << lane;
    }
    const lw_step step = lw_vfloat_write(w, in, f, LW_STYLE_PLAIN, r);
    if (step == LW_STEP_NEXT)
        lw_vwrite_carry(w, in, mask);
    return step;
}

lw_step lw_sem_v_div_scale_f32(lw_wave *w, const lw_decoded *in)
{
    return div_scale(w, in, &lw_fp_f32);
}

lw_step lw_sem_v_div_scale_f64(lw_wave *w, const lw_decoded *in)
{
    return div_scale(w, in, &lw_fp_f64);
}

static lw_step div_fmas(lw_wave *w, const lw_decoded *in, const lw_format *f)
{
    uint64_t s[3][LW_LANES], r[LW_LANES] = { 0 };
    const lw_fp_env e = lw_vmode_of(w, in, f);
    const uint64_t vcc = lw_wave_mask(w, LW_SGPR_VCC);
    for (unsigned i = 0; i < 3; i++)
        lw_vfloat_source(w, in, f, i, s[i]);
    for (uint64_t left = lw_wave_exec(w); left; left &= left - 1) {
        const unsigned lane = lw_ctz64(left);
        r[lane] = lw_fp_div_fmas(f, &e, s[0][lane], s[1][lane], s[2][lane], vcc >> lane & 1);
    }
    return lw_vfloat_write(w, in, f, LW_STYLE_PLAIN, r);
}

lw_step lw_sem_v_div_fmas_f32(lw_wave *w, const lw_decoded *in)
{
    return div_fmas(w, in, &lw_fp_f32);
}

lw_step lw_sem_v_div_fmas_f64(lw_wave *w, const lw_decoded *in)
{
    return div_fmas(w, in, &lw_fp_f64);
}

lw_step lw_sem_v_trig_preop_f64(lw_wave *w, const lw_decoded *in)
{
    uint64_t x[LW_LANES], r[LW_LANES];
    uint32_t buf[LW_LANES];
    lw_vfloat_source(w, in, &lw_fp_f64, 0, x);
    const uint32_t *segment = lw_vsrc(w, in, 1, LW_V_B32, buf);
    for (unsigned lane = 0; lane < LW_LANES; lane++)
        r[lane] = lw_fp_trig_preop(x[lane], segment[lane]);
    return lw_vfloat_write(w, in, &lw_fp_f64, LW_STYLE_PLAIN, r);
}

static lw_step load_exponent(lw_wave *w, const lw_decoded *in, const lw_format *f)
{
    uint64_t x[LW_LANES], v[LW_LANES];
    uint32_t n[LW_LANES], r32[LW_LANES];
    const lw_fp_env e = lw_vmode_of(w, in, f);
    const bool half = f->frac_bits == 10;
    lw_vfloat_source(w, in, f, 0, x);
    const uint32_t *row = lw_vsrc(w, in, 1, half ? LW_V_B16 : LW_V_B32, n);
    memcpy(r32, row, sizeof(r32));
    for (unsigned lane = 0; lane < LW_LANES; lane++)
        v[lane] = lw_fp_ldexp(f, &e, x[lane], half ? (int16_t)r32[lane] : (int32_t)r32[lane]);
    return lw_vfloat_write(w, in, f, LW_STYLE_PLAIN, v);
}

lw_step lw_sem_v_ldexp_f16(lw_wave *w, const lw_decoded *in)
{
    return load_exponent(w, in, &lw_fp_f16);
}

lw_step lw_sem_v_ldexp_f32(lw_wave *w, const lw_decoded *in)
{
    return load_exponent(w, in, &lw_fp_f32);
}

lw_step lw_sem_v_ldexp_f64(lw_wave *w, const lw_decoded *in)
{
    return load_exponent(w, in, &lw_fp_f64);
}

/* The cube map operations: the axis of largest magnitude, z before y before x (AMD RDNA3 ISA manual's
 * pseudo-code). Subnormals compare as zeros (LW_OPF_FLUSHED), coordinates keep their bits, and the doubled
 * axis is 2 * axis + 0 (AMD's emulator, which was compared with a gfx1201). */
typedef struct cube_point {
    uint64_t x, y, z;
    unsigned axis; /* 0 x, 1 y, 2 z */
    bool neg;      /* sign of the largest coordinate */
} cube_point;

static bool not_below(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b)
{
    return lw_fp_compare(f, e, a & 0x7fffffff, b & 0x7fffffff) & (LW_FP_EQUAL | LW_FP_GREATER);
}

static cube_point cube_at(const lw_format *f, const lw_fp_env *e, uint64_t x, uint64_t y, uint64_t z)
{
    cube_point p = { x, y, z, 0, false };
    if (not_below(f, e, z, x) && not_below(f, e, z, y))
        p.axis = 2;
    else if (not_below(f, e, y, x))
        p.axis = 1;
    const uint64_t major[3] = { x, y, z };
    p.neg = lw_fp_compare(f, e, major[p.axis], 0) == LW_FP_LESS;
    return p;
}

static const uint64_t F32_SIGN = 0x80000000u;

static uint64_t cube_id(const lw_format *f, const lw_fp_env *e, uint64_t x, uint64_t y, uint64_t z)
{
    const cube_point p = cube_at(f, e, x, y, z);
    return lw_fp_from_u64(f, e, false, 2 * p.axis + p.neg);
}

/* A coordinate, perhaps with the other sign. */
static uint64_t along(const lw_format *f, const lw_fp_env *e, uint64_t x, bool flip)
{
    x ^= flip ? F32_SIGN : 0;
    return lw_fp_is_nan(f, x) ? lw_fp_pass_nan(f, e, x) : x;
}

static uint64_t cube_sc(const lw_format *f, const lw_fp_env *e, uint64_t x, uint64_t y, uint64_t z)
{
    const cube_point p = cube_at(f, e, x, y, z);
    return p.axis == 0 ? along(f, e, z, !p.neg) : along(f, e, x, p.axis == 2 && p.neg);
}

static uint64_t cube_tc(const lw_format *f, const lw_fp_env *e, uint64_t x, uint64_t y, uint64_t z)
{
    const cube_point p = cube_at(f, e, x, y, z);
    return p.axis == 1 ? along(f, e, z, p.neg) : along(f, e, y, true);
}

static uint64_t cube_ma(const lw_format *f, const lw_fp_env *e, uint64_t x, uint64_t y, uint64_t z)
{
    const cube_point p = cube_at(f, e, x, y, z);
    const uint64_t major[3] = { x, y, z }, two = 0x40000000u;
    return lw_fp_fma(f, e, two, major[p.axis], 0);
}

#define CUBE(name, fn)                                                                                       \
    lw_step lw_sem_##name(lw_wave *w, const lw_decoded *in)                                                  \
    {                                                                                                        \
        return lw_vfloat3(w, in, &lw_fp_f32, LW_STYLE_PLAIN, fn);                                            \
    }

CUBE(v_cubeid_f32, cube_id)
CUBE(v_cubesc_f32, cube_sc)
CUBE(v_cubetc_f32, cube_tc)
CUBE(v_cubema_f32, cube_ma)

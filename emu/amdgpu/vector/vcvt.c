/* SPDX-License-Identifier: MIT */
/* Conversions between f16, bf16, f32, f64, integers and normalised integers. */
#include "emu/amdgpu/control/handlers.h"
#include "emu/amdgpu/vector/vfloat.h"
#include "emu/device/session.h"
#include "emu/num/small.h"
#include "isa_tables/readings.h"

/* What a lane of a conversion uses: MODE for the source's and the result's format. */
typedef struct cvt_env {
    lw_fp_env from, to;
} cvt_env;

/* From a float to a 16- or 32-bit integer; the f16 forms clear the upper half. */
typedef uint32_t (*to_int_fn)(const lw_format *f, const lw_fp_env *e, uint64_t x);

static lw_step to_int(lw_wave *w, const lw_decoded *in, const lw_format *f, to_int_fn fn)
{
    uint64_t x[LW_LANES];
    uint32_t r[LW_LANES] = { 0 };
    const lw_fp_env e = lw_vmode(w, f);
    lw_vfloat_source(w, in, f, 0, x);
    for (uint64_t left = lw_wave_exec(w); left; left &= left - 1) {
        const unsigned lane = lw_ctz64(left);
        r[lane] = fn(f, &e, x[lane]);
    }
    return lw_vwrite(w, in, r);
}

static uint32_t trunc_u32(const lw_format *f, const lw_fp_env *e, uint64_t x)
{
    return lw_fp_to_uint(f, e, LW_FP_ZERO, 32, x);
}

static uint32_t trunc_i32(const lw_format *f, const lw_fp_env *e, uint64_t x)
{
    return (uint32_t)lw_fp_to_int(f, e, LW_FP_ZERO, 32, x);
}

static uint32_t trunc_u16(const lw_format *f, const lw_fp_env *e, uint64_t x)
{
    return lw_fp_to_uint(f, e, LW_FP_ZERO, 16, x);
}

static uint32_t trunc_i16(const lw_format *f, const lw_fp_env *e, uint64_t x)
{
    return (uint32_t)lw_fp_to_int(f, e, LW_FP_ZERO, 16, x) & 0xffff;
}

static uint32_t floor_i32(const lw_format *f, const lw_fp_env *e, uint64_t x)
{
    return (uint32_t)lw_fp_to_int_floor(f, e, x);
}

static uint32_t half_up_i32(const lw_format *f, const lw_fp_env *e, uint64_t x)
{
    return (uint32_t)lw_fp_to_int_half_up(f, e, x);
}

static uint32_t frexp_exp(const lw_format *f, const lw_fp_env *e, uint64_t x)
{
    return (uint32_t)lw_fp_frexp_exp(f, e, x);
}

static uint32_t frexp_exp16(const lw_format *f, const lw_fp_env *e, uint64_t x)
{
    return (uint32_t)lw_fp_frexp_exp(f, e, x) & 0xffff;
}

static uint32_t norm_i16(const lw_format *f, const lw_fp_env *e, uint64_t x)
{
    return (uint32_t)lw_fp_to_norm(f, e, 32767, true, x) & 0xffff;
}

static uint32_t norm_u16(const lw_format *f, const lw_fp_env *e, uint64_t x)
{
    return (uint32_t)lw_fp_to_norm(f, e, 65535, false, x);
}

#define TO_INT(name, fmt, fn)                                                                                \
    lw_step lw_sem_##name(lw_wave *w, const lw_decoded *in)                                                  \
    {                                                                                                        \
        return to_int(w, in, &lw_fp_##fmt, fn);                                                              \
    }

TO_INT(v_cvt_u32_f32, f32, trunc_u32)
TO_INT(v_cvt_i32_f32, f32, trunc_i32)
TO_INT(v_cvt_rpi_i32_f32, f32, half_up_i32)
TO_INT(v_cvt_flr_i32_f32, f32, floor_i32)
TO_INT(v_cvt_u32_f64, f64, trunc_u32)
TO_INT(v_cvt_i32_f64, f64, trunc_i32)
TO_INT(v_cvt_u16_f16, f16, trunc_u16)
TO_INT(v_cvt_i16_f16, f16, trunc_i16)
TO_INT(v_frexp_exp_i32_f32, f32, frexp_exp)
TO_INT(v_frexp_exp_i32_f64, f64, frexp_exp)
TO_INT(v_frexp_exp_i16_f16, f16, frexp_exp16)
TO_INT(v_cvt_norm_i16_f16, f16, norm_i16)
TO_INT(v_cvt_norm_u16_f16, f16, norm_u16)

/* Between float formats: a source of at most 64 bits; a result with output modifiers. */
static lw_step between(lw_wave *w, const lw_decoded *in, const lw_format *from, const lw_format *to)
{
    uint64_t x[LW_LANES], r[LW_LANES] = { 0 };
    const lw_fp_env e_from = lw_vmode(w, from), e_to = lw_vmode_of(w, in, to);
    lw_vfloat_source(w, in, from, 0, x);
    for (uint64_t left = lw_wave_exec(w); left; left &= left - 1) {
        const unsigned lane = lw_ctz64(left);
        r[lane] = lw_fp_convert(from, &e_from, to, &e_to, x[lane]);
    }
    return lw_vfloat_write(w, in, to, LW_STYLE_PLAIN, r);
}

#define BETWEEN(name, from, to)                                                                              \
    lw_step lw_sem_##name(lw_wave *w, const lw_decoded *in)                                                  \
    {                                                                                                        \
        return between(w, in, &lw_fp_##from, &lw_fp_##to);                                                   \
    }

BETWEEN(v_cvt_f16_f32, f32, f16)
BETWEEN(v_cvt_f32_f16, f16, f32)
BETWEEN(v_cvt_f32_f64, f64, f32)
BETWEEN(v_cvt_f64_f32, f32, f64)

/* From integers, with one rounding by the result's FP_ROUND. `scale` divides by a power of two, exactly. */
typedef int64_t (*int_lane)(uint32_t v);

static lw_step from_int(lw_wave *w, const lw_decoded *in, const lw_format *to, int_lane fn, int scale)
{
    uint32_t buf[LW_LANES];
    uint64_t r[LW_LANES] = { 0 };
    const lw_fp_env e = lw_vmode_of(w, in, to);
    const uint32_t *x = lw_vsrc(w, in, 0, to->frac_bits == 10 ? LW_V_B16 : LW_V_B32, buf);
    for (uint64_t left = lw_wave_exec(w); left; left &= left - 1) {
        const unsigned lane = lw_ctz64(left);
        const int64_t v = fn(x[lane]);
        if (v == 0)
            continue;
        const lw_fp_num num = lw_fp_from_int(v < 0, (uint64_t)(v < 0 ? -v : v), -scale);
        r[lane] = lw_fp_pack(to, &e, &num);
    }
    return lw_vfloat_write(w, in, to, LW_STYLE_PLAIN, r);
}

static int64_t as_u32(uint32_t v)
{
    return (int64_t)v;
}

static int64_t as_i32(uint32_t v)
{
    return (int32_t)v;
}

static int64_t as_i16(uint32_t v)
{
    return (int16_t)(v & 0xffff);
}

static int64_t byte0(uint32_t v)
{
    return (int64_t)(v & 0xff);
}

static int64_t byte1(uint32_t v)
{
    return (int64_t)(v >> 8 & 0xff);
}

static int64_t byte2(uint32_t v)
{
    return (int64_t)(v >> 16 & 0xff);
}

static int64_t byte3(uint32_t v)
{
    return (int64_t)(v >> 24);
}

static int64_t low_i4(uint32_t v)
{
    return (int64_t)((v & 15) ^ 8) - 8;
}

#define FROM_INT(name, to, fn, scale)                                                                        \
    lw_step lw_sem_##name(lw_wave *w, const lw_decoded *in)                                                  \
    {                                                                                                        \
        return from_int(w, in, &lw_fp_##to, fn, scale);                                                      \
    }

FROM_INT(v_cvt_f32_u32, f32, as_u32, 0)
FROM_INT(v_cvt_f32_i32, f32, as_i32, 0)
FROM_INT(v_cvt_f64_u32, f64, as_u32, 0)
FROM_INT(v_cvt_f64_i32, f64, as_i32, 0)
FROM_INT(v_cvt_f16_u16, f16, as_u32, 0)
FROM_INT(v_cvt_f16_i16, f16, as_i16, 0)
FROM_INT(v_cvt_f32_ubyte0, f32, byte0, 0)
FROM_INT(v_cvt_f32_ubyte1, f32, byte1, 0)
FROM_INT(v_cvt_f32_ubyte2, f32, byte2, 0)
FROM_INT(v_cvt_f32_ubyte3, f32, byte3, 0)
FROM_INT(v_cvt_off_f32_i4, f32, low_i4, 4)

lw_step lw_sem_v_cvt_f32_bf16(lw_wave *w, const lw_decoded *in)
{
    uint32_t buf[LW_LANES];
    uint64_t r[LW_LANES];
    const uint32_t *x = lw_vsrc(w, in, 0, LW_V_F16, buf); /* NEG and ABS change bit 15, as for f16 */
    for (unsigned lane = 0; lane < LW_LANES; lane++)
        r[lane] = (uint64_t)x[lane] << 16;
    return lw_vfloat_write(w, in, &lw_fp_f32, LW_STYLE_PLAIN, r);
}

/* Two f32 sources to two 16-bit halves, src0 in the low one. */
typedef uint64_t (*narrow_fn)(const cvt_env *e, uint64_t x);

static lw_step pack_pair(lw_wave *w, const lw_decoded *in, const lw_format *from, const lw_format *to,
                         bool modifiers, narrow_fn fn)
{
    uint64_t x[2][LW_LANES];
    uint32_t half[2][LW_LANES] = { { 0 } }, r[LW_LANES];
    const cvt_env e = { lw_vmode(w, from), lw_vmode_of(w, in, to) };
    for (unsigned i = 0; i < 2; i++) {
        lw_vfloat_source(w, in, from, i, x[i]);
        for (uint64_t left = lw_wave_exec(w); left; left &= left - 1) {
            const unsigned lane = lw_ctz64(left);
            half[i][lane] = (uint32_t)fn(&e, x[i][lane]);
        }
        if (modifiers)
            lw_voutput32(w, in, to, lw_wave_exec(w), half[i]);
    }
    for (unsigned lane = 0; lane < LW_LANES; lane++)
        r[lane] = half[0][lane] | half[1][lane] << 16;
    return lw_vwrite(w, in, r);
}

/* Towards zero whatever MODE says; FP16_OVFL changes nothing, because a finite overflow gives 7bff in any
 * case. */
static uint64_t f16_rtz(const cvt_env *e, uint64_t x)
{
    lw_fp_env to = e->to;
    to.round = LW_FP_ZERO;
    return lw_fp_convert(&lw_fp_f32, &e->from, &lw_fp_f16, &to, x);
}

static uint64_t f16_rne(const cvt_env *e, uint64_t x)
{
    lw_fp_env to = e->to;
    to.round = LW_FP_RNE;
    return lw_fp_convert(&lw_fp_f32, &e->from, &lw_fp_f16, &to, x);
}

static uint64_t pknorm_i16(const cvt_env *e, uint64_t x)
{
    return norm_i16(&lw_fp_f32, &e->from, x);
}

static uint64_t pknorm_u16(const cvt_env *e, uint64_t x)
{
    return norm_u16(&lw_fp_f32, &e->from, x);
}

static uint64_t pknorm_i16_f16(const cvt_env *e, uint64_t x)
{
    return norm_i16(&lw_fp_f16, &e->from, x);
}

static uint64_t pknorm_u16_f16(const cvt_env *e, uint64_t x)
{
    return norm_u16(&lw_fp_f16, &e->from, x);
}

/* Signalling NaNs are quieted on the way (measured on gfx1201); subnormals obey the f16 bits of MODE. */
static uint64_t pack_f16(const cvt_env *e, uint64_t x)
{
    if (lw_fp_is_nan(&lw_fp_f16, x))
        return x | lw_fp_quiet_bit(&lw_fp_f16);
    return lw_fp_flush_in(&lw_fp_f16, &e->from, x);
}

#define PACK(name, from, to, modifiers, fn)                                                                  \
    lw_step lw_sem_##name(lw_wave *w, const lw_decoded *in)                                                  \
    {                                                                                                        \
        return pack_pair(w, in, &lw_fp_##from, &lw_fp_##to, modifiers, fn);                                  \
    }

/* Towards zero, limited to the range of 16 bits; a NaN gives 0 (AMD RDNA3 ISA manual). */
static uint64_t i16_rtz(const cvt_env *e, uint64_t x)
{
    return lw_fp_to_int(&lw_fp_f32, &e->from, LW_FP_ZERO, 16, x) & 0xffff;
}

static uint64_t u16_rtz(const cvt_env *e, uint64_t x)
{
    return lw_fp_to_uint(&lw_fp_f32, &e->from, LW_FP_ZERO, 16, x) & 0xffff;
}

PACK(v_cvt_pk_i16_f32, f32, f16, false, i16_rtz)
PACK(v_cvt_pk_u16_f32, f32, f16, false, u16_rtz)
PACK(v_cvt_pkrtz_f16_f32, f32, f16, false, f16_rtz)
PACK(v_cvt_pk_f16_f32, f32, f16, true, f16_rne)
PACK(v_cvt_pknorm_i16_f32, f32, f16, false, pknorm_i16)
PACK(v_cvt_pknorm_u16_f32, f32, f16, false, pknorm_u16)
PACK(v_cvt_pknorm_i16_f16, f16, f16, false, pknorm_i16_f16)
PACK(v_cvt_pknorm_u16_f16, f16, f16, false, pknorm_u16_f16)
PACK(v_pack_b32_f16, f16, f16, false, pack_f16)

/* One byte of c: rounded to nearest even, as on gfx1201 (gfx9's rounding is not documented), and limited to
 * 0..255. */
static lw_step put_byte(lw_wave *w, const lw_decoded *in, const uint32_t *c)
{
    uint32_t ba[LW_LANES], bb[LW_LANES], r[LW_LANES];
    const uint32_t *a = lw_vsrc(w, in, 0, LW_V_F32, ba), *b = lw_vsrc(w, in, 1, LW_V_B32, bb);
    const lw_fp_env e = lw_vmode_of(w, in, &lw_fp_f32);
    for (unsigned lane = 0; lane < LW_LANES; lane++) {
        const unsigned shift = 8 * (b[lane] & 3);
        const uint32_t byte = lw_fp_to_uint(&lw_fp_f32, &e, LW_FP_RNE, 8, a[lane]);
        r[lane] = (c[lane] & ~(0xffu << shift)) | byte << shift;
    }
    return lw_vwrite(w, in, r);
}

lw_step lw_sem_v_cvt_pk_u8_f32(lw_wave *w, const lw_decoded *in)
{
    uint32_t c[LW_LANES];
    return put_byte(w, in, lw_vsrc(w, in, 2, LW_V_B32, c));
}

/* Into a byte of the old result (CLRX's manual of GCN 1.4; AMD's rocjitsu takes it for v_cvt_pk_u8_f32). */
lw_step lw_sem_v_cvt_pkaccum_u8_f32(lw_wave *w, const lw_decoded *in)
{
    return put_byte(w, in, lw_vdst_old(w, in, 0));
}

/* Stochastic rounding with the random bits in src1; op_sel[3] selects the half, and the other half is
 * kept. */
static lw_step stochastic16(lw_wave *w, const lw_decoded *in, const lw_format *to)
{
    uint32_t ba[LW_LANES], bb[LW_LANES], r[LW_LANES];
    const uint32_t *a = lw_vsrc(w, in, 0, LW_V_F32, ba), *seed = lw_vsrc(w, in, 1, LW_V_B32, bb);
    const lw_fp_env e = lw_vmode_of(w, in, to);
    for (unsigned lane = 0; lane < LW_LANES; lane++)
        r[lane] = (uint32_t)lw_fp_convert_sr(to, &e, a[lane], seed[lane]);
    return lw_vwrite16(w, in, LW_VD_SEL, r);
}

lw_step lw_sem_v_cvt_sr_f16_f32(lw_wave *w, const lw_decoded *in)
{
    return stochastic16(w, in, &lw_fp_f16);
}

lw_step lw_sem_v_cvt_sr_bf16_f32(lw_wave *w, const lw_decoded *in)
{
    return stochastic16(w, in, &lw_fp_bf16);
}

/* Which random bits round the second of two elements, sources disagree on: see the topic sr-pk-seed. */
static bool halves_of_seed(const lw_wave *w)
{
    return w->head.group->session->kernel_readings & LW_KERNEL_HALVES_OF_SEED;
}

static lw_step stochastic_pair(lw_wave *w, const lw_decoded *in, const lw_format *to, bool halves)
{
    uint32_t ba[LW_LANES], bb[LW_LANES], bs[LW_LANES], r[LW_LANES];
    const uint32_t *a = lw_vsrc(w, in, 0, LW_V_F32, ba), *b = lw_vsrc(w, in, 1, LW_V_F32, bb);
    const uint32_t *seed = lw_vsrc(w, in, 2, LW_V_B32, bs);
    const lw_fp_env e = lw_vmode_of(w, in, to);
    for (unsigned lane = 0; lane < LW_LANES; lane++) {
        const uint32_t first = halves ? seed[lane] << 16 : seed[lane];
        const uint32_t second = halves ? seed[lane] : lw_prng(seed[lane]);
        r[lane] = (uint32_t)lw_fp_convert_sr(to, &e, a[lane], first) |
                  (uint32_t)lw_fp_convert_sr(to, &e, b[lane], second) << 16;
    }
    return lw_vwrite(w, in, r);
}

lw_step lw_sem_v_cvt_sr_pk_f16_f32(lw_wave *w, const lw_decoded *in)
{
    if (halves_of_seed(w))
        return lw_wave_fault(w, -1,
                             "v_cvt_sr_pk_f16_f32 cannot run with the reading sr-pk-seed:halves: which "
                             "of 16 random bits round to f16 is open");
    return stochastic_pair(w, in, &lw_fp_f16, false);
}

lw_step lw_sem_v_cvt_sr_pk_bf16_f32(lw_wave *w, const lw_decoded *in)
{
    return stochastic_pair(w, in, &lw_fp_bf16, halves_of_seed(w));
}

/* To nearest even on the bits: subnormals are kept, overflow gives infinity, NaNs are cut and quieted (our
 * choice; there is no source). */
static inline uint32_t bf16_of(uint32_t x)
{
    const uint32_t rounded = (x + 0x7fff + (x >> 16 & 1)) >> 16;
    return (x & 0x7fffffff) > 0x7f800000 ? x >> 16 | 0x40 : rounded;
}

lw_step lw_sem_v_cvt_pk_bf16_f32(lw_wave *w, const lw_decoded *in)
{
    uint32_t ba[LW_LANES], bb[LW_LANES], low[LW_LANES], high[LW_LANES];
    const uint32_t *a = lw_vsrc(w, in, 0, LW_V_F32, ba), *b = lw_vsrc(w, in, 1, LW_V_F32, bb);
    for (unsigned lane = 0; lane < LW_LANES; lane++) {
        low[lane] = bf16_of(a[lane]);
        high[lane] = bf16_of(b[lane]);
    }
    lw_voutput32(w, in, &lw_fp_bf16, lw_wave_exec(w), low);
    lw_voutput32(w, in, &lw_fp_bf16, lw_wave_exec(w), high);
    for (unsigned lane = 0; lane < LW_LANES; lane++)
        low[lane] |= high[lane] << 16;
    return lw_vwrite(w, in, low);
}

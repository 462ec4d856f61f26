/* SPDX-License-Identifier: MIT */
/*
 * 16-bit integer operations. The older ones (VOP1, VOP2 and *_legacy) clear the upper half of the result
 * register, which LLVM's code generator relies on for gfx9; those with op_sel keep the other half.
 */
#include "emu/amdgpu/control/handlers.h"
#include "emu/amdgpu/vector/vlane.h"

typedef int32_t (*lane16_fn)(int32_t a, int32_t b, int32_t c);

/* One operation: the number and sign of its sources, and the operand rules. */
typedef struct int16_op {
    uint8_t sources;
    bool is_signed, new_style;
    lane16_fn fn;
} int16_op;

static inline int32_t widen(bool is_signed, uint32_t v)
{
    return is_signed ? (int16_t)(v & 0xffff) : (int32_t)(v & 0xffff);
}

static inline uint32_t limit(bool is_signed, int32_t v)
{
    const int32_t low = is_signed ? INT16_MIN : 0, high = is_signed ? INT16_MAX : UINT16_MAX;
    return (uint32_t)(v < low ? low : v > high ? high : v) & 0xffff;
}

static lw_step run16(lw_wave *w, const lw_decoded *in, const int16_op *op)
{
    uint32_t buf[3][LW_LANES] = { { 0 } }, r[LW_LANES];
    const uint32_t *s[3] = { buf[0], buf[1], buf[2] };
    for (unsigned i = 0; i < op->sources; i++)
        s[i] = lw_vsrc(w, in, i, LW_V_B16, buf[i]);
    for (unsigned lane = 0; lane < LW_LANES; lane++) {
        const int32_t v = op->fn(widen(op->is_signed, s[0][lane]), widen(op->is_signed, s[1][lane]),
                                 widen(op->is_signed, s[2][lane]));
        r[lane] = in->clamp ? limit(op->is_signed, v) : (uint32_t)v & 0xffff;
    }
    return lw_vwrite16(w, in, op->new_style ? LW_VD_SEL : LW_VD_FULL, r);
}

/* Totals fit in 32 bits wherever CLAMP matters; 65535 * 65535 + 65535 fits only as unsigned, see mad_u. */
static int32_t add16(int32_t a, int32_t b, int32_t c)
{
    (void)c;
    return a + b;
}

static int32_t sub16(int32_t a, int32_t b, int32_t c)
{
    (void)c;
    return a - b;
}

static int32_t subrev16(int32_t a, int32_t b, int32_t c)
{
    (void)c;
    return b - a;
}

static int32_t mul16(int32_t a, int32_t b, int32_t c)
{
    (void)c;
    return (int32_t)((uint32_t)a * (uint32_t)b & 0xffff);
}

static int32_t min16(int32_t a, int32_t b, int32_t c)
{
    (void)c;
    return a < b ? a : b;
}

static int32_t max16(int32_t a, int32_t b, int32_t c)
{
    (void)c;
    return a > b ? a : b;
}

static int32_t min3_16(int32_t a, int32_t b, int32_t c)
{
    return min16(min16(a, b, 0), c, 0);
}

static int32_t max3_16(int32_t a, int32_t b, int32_t c)
{
    return max16(max16(a, b, 0), c, 0);
}

static int32_t med3_16(int32_t a, int32_t b, int32_t c)
{
    return max16(min16(a, b, 0), min16(max16(a, b, 0), c, 0), 0);
}

static int32_t shl16(int32_t a, int32_t b, int32_t c)
{
    (void)c;
    return (int32_t)((uint32_t)b << (a & 15));
}

/* Logical or arithmetic, by the sign of the sources. */
static int32_t shr16(int32_t a, int32_t b, int32_t c)
{
    (void)c;
    return b >> (a & 15);
}

static int32_t mad_i(int32_t a, int32_t b, int32_t c)
{
    return a * b + c;
}

static int32_t mov16(int32_t a, int32_t b, int32_t c)
{
    (void)b;
    (void)c;
    return a;
}

static int32_t not16(int32_t a, int32_t b, int32_t c)
{
    (void)b;
    (void)c;
    return ~a;
}

static int32_t and16(int32_t a, int32_t b, int32_t c)
{
    (void)c;
    return a & b;
}

static int32_t or16(int32_t a, int32_t b, int32_t c)
{
    (void)c;
    return a | b;
}

static int32_t xor16(int32_t a, int32_t b, int32_t c)
{
    (void)c;
    return a ^ b;
}

/* The unsigned total, reduced to fit int32_t: everything above 65535 saturates in the same way. */
static int32_t mad_u(int32_t a, int32_t b, int32_t c)
{
    const uint32_t total = (uint32_t)a * (uint32_t)b + (uint32_t)c;
    return total > INT32_MAX ? (int32_t)(total & 0xffff) | 0x10000 : (int32_t)total;
}

#define INT16(name, sources, is_signed, new_style, fn)                                                       \
    lw_step lw_sem_##name(lw_wave *w, const lw_decoded *in)                                                  \
    {                                                                                                        \
        return run16(w, in, &(const int16_op){ sources, is_signed, new_style, fn });                         \
    }

INT16(v_add_u16, 2, false, false, add16)
INT16(v_sub_u16, 2, false, false, sub16)
INT16(v_subrev_u16, 2, false, false, subrev16)
INT16(v_mul_lo_u16, 2, false, false, mul16)
INT16(v_lshlrev_b16, 2, false, false, shl16)
INT16(v_lshrrev_b16, 2, false, false, shr16)
INT16(v_ashrrev_i16, 2, true, false, shr16)
INT16(v_max_u16, 2, false, false, max16)
INT16(v_max_i16, 2, true, false, max16)
INT16(v_min_u16, 2, false, false, min16)
INT16(v_min_i16, 2, true, false, min16)
INT16(v_mov_b16, 1, false, true, mov16)
INT16(v_not_b16, 1, false, true, not16)
INT16(v_and_b16, 2, false, true, and16)
INT16(v_or_b16, 2, false, true, or16)
INT16(v_xor_b16, 2, false, true, xor16)
INT16(v_mad_legacy_u16, 3, false, false, mad_u)
INT16(v_mad_legacy_i16, 3, true, false, mad_i)
INT16(v_mad_u16, 3, false, true, mad_u)
INT16(v_mad_i16, 3, true, true, mad_i)
INT16(v_add_i16, 2, true, true, add16)
INT16(v_sub_i16, 2, true, true, sub16)
INT16(v_min3_i16, 3, true, true, min3_16)
INT16(v_min3_u16, 3, false, true, min3_16)
INT16(v_max3_i16, 3, true, true, max3_16)
INT16(v_max3_u16, 3, false, true, max3_16)
INT16(v_med3_i16, 3, true, true, med3_16)
INT16(v_med3_u16, 3, false, true, med3_16)

/* 16-bit factors, 32-bit addend; CLAMP saturates the exact total. */
static lw_step mad32(lw_wave *w, const lw_decoded *in, bool is_signed)
{
    uint32_t ba[LW_LANES], bb[LW_LANES], bc[LW_LANES], r[LW_LANES];
    const uint32_t *a = lw_vsrc(w, in, 0, LW_V_B16, ba), *b = lw_vsrc(w, in, 1, LW_V_B16, bb);
    const uint32_t *c = lw_vsrc(w, in, 2, LW_V_B32, bc);
    const int64_t low = is_signed ? INT32_MIN : 0, high = is_signed ? INT32_MAX : UINT32_MAX;
    for (unsigned lane = 0; lane < LW_LANES; lane++) {
        const int64_t addend = is_signed ? (int64_t)(int32_t)c[lane] : (int64_t)c[lane];
        const int64_t v = (int64_t)widen(is_signed, a[lane]) * widen(is_signed, b[lane]) + addend;
        r[lane] = (uint32_t)(!in->clamp ? v : v < low ? low : v > high ? high : v);
    }
    return lw_vwrite(w, in, r);
}

lw_step lw_sem_v_mad_u32_u16(lw_wave *w, const lw_decoded *in)
{
    return mad32(w, in, false);
}

lw_step lw_sem_v_mad_i32_i16(lw_wave *w, const lw_decoded *in)
{
    return mad32(w, in, true);
}

/* Widens one half to 32 bits. */
static lw_step widen32(lw_wave *w, const lw_decoded *in, bool is_signed)
{
    uint32_t buf[LW_LANES], r[LW_LANES];
    const uint32_t *a = lw_vsrc(w, in, 0, LW_V_B16, buf);
    for (unsigned lane = 0; lane < LW_LANES; lane++)
        r[lane] = (uint32_t)widen(is_signed, a[lane]);
    return lw_vwrite(w, in, r);
}

lw_step lw_sem_v_cvt_i32_i16(lw_wave *w, const lw_decoded *in)
{
    return widen32(w, in, true);
}

lw_step lw_sem_v_cvt_u32_u16(lw_wave *w, const lw_decoded *in)
{
    return widen32(w, in, false);
}

/* The same operations on both halves; op_sel and op_sel_hi select each source's half for either result. */
static lw_step run_packed(lw_wave *w, const lw_decoded *in, const int16_op *op)
{
    if (lw_decoded_has_signs(in))
        return lw_wave_fault(w, -1, "neg on packed integers has no documented meaning");
    uint32_t buf[3][LW_LANES] = { { 0 } }, r[LW_LANES] = { 0 };
    const uint32_t *s[3] = { buf[0], buf[1], buf[2] };
    for (unsigned i = 0; i < op->sources; i++)
        s[i] = lw_vsrc(w, in, i, LW_V_B32, buf[i]);
    for (unsigned half = 0; half < 2; half++) {
        const unsigned sa = 16 * (in->src[0].pick >> half & 1u), sb = 16 * (in->src[1].pick >> half & 1u);
        const unsigned sc = 16 * (in->src[2].pick >> half & 1u);
        for (unsigned lane = 0; lane < LW_LANES; lane++) {
            const int32_t v =
                op->fn(widen(op->is_signed, s[0][lane] >> sa), widen(op->is_signed, s[1][lane] >> sb),
                       widen(op->is_signed, s[2][lane] >> sc));
            r[lane] |= (in->clamp ? limit(op->is_signed, v) : (uint32_t)v & 0xffff) << (16 * half);
        }
    }
    return lw_vwrite(w, in, r);
}

static int32_t sum_then_max_i(int32_t a, int32_t b, int32_t c)
{
    return max16(widen(true, limit(true, a + b)), c, 0);
}

static int32_t sum_then_min_i(int32_t a, int32_t b, int32_t c)
{
    return min16(widen(true, limit(true, a + b)), c, 0);
}

static int32_t sum_then_max_u(int32_t a, int32_t b, int32_t c)
{
    return max16(widen(false, limit(false, a + b)), c, 0);
}

static int32_t sum_then_min_u(int32_t a, int32_t b, int32_t c)
{
    return min16(widen(false, limit(false, a + b)), c, 0);
}

#define PACKED16(name, sources, is_signed, fn)                                                               \
    lw_step lw_sem_##name(lw_wave *w, const lw_decoded *in)                                                  \
    {                                                                                                        \
        return run_packed(w, in, &(const int16_op){ sources, is_signed, true, fn });                         \
    }

PACKED16(v_pk_mad_i16, 3, true, mad_i)
PACKED16(v_pk_mad_u16, 3, false, mad_u)
PACKED16(v_pk_mul_lo_u16, 2, false, mul16)
/* gfx1250: the sum is limited to the type, with or without CLAMP (AMD's gfx1250 tests) */
PACKED16(v_pk_add_max_i16, 3, true, sum_then_max_i)
PACKED16(v_pk_add_min_i16, 3, true, sum_then_min_i)
PACKED16(v_pk_add_max_u16, 3, false, sum_then_max_u)
PACKED16(v_pk_add_min_u16, 3, false, sum_then_min_u)
PACKED16(v_pk_add_i16, 2, true, add16)
PACKED16(v_pk_sub_i16, 2, true, sub16)
PACKED16(v_pk_add_u16, 2, false, add16)
PACKED16(v_pk_sub_u16, 2, false, sub16)
PACKED16(v_pk_lshlrev_b16, 2, false, shl16)
PACKED16(v_pk_lshrrev_b16, 2, false, shr16)
PACKED16(v_pk_ashrrev_i16, 2, true, shr16)
PACKED16(v_pk_max_i16, 2, true, max16)
PACKED16(v_pk_min_i16, 2, true, min16)
PACKED16(v_pk_max_u16, 2, false, max16)
PACKED16(v_pk_min_u16, 2, false, min16)
PACKED16(v_pk_max3_i16, 3, true, max3_16)
PACKED16(v_pk_min3_i16, 3, true, min3_16)
PACKED16(v_pk_max3_u16, 3, false, max3_16)
PACKED16(v_pk_min3_u16, 3, false, min3_16)

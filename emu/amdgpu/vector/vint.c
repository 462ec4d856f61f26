/* SPDX-License-Identifier: MIT */
/* 32-bit integer and bit operations. Rules: AMD CDNA3 and CDNA4 ISA manuals, unless noted otherwise. */
#include "emu/amdgpu/control/handlers.h"
#include "emu/amdgpu/vector/vlane.h"
#include "emu/num/small.h"
#include "emu/num/u128.h"

/* Each byte limited to a nibble. */
static inline uint32_t saturated4(uint32_t bytes, int low, int high, bool is_signed)
{
    uint32_t r = 0;
    for (unsigned i = 0; i < 4; i++) {
        const uint32_t byte = bytes >> (8 * i) & 0xff;
        const int v = is_signed ? (int8_t)byte : (int)byte;
        r |= ((uint32_t)(v < low ? low : v > high ? high : v) & 15) << (4 * i);
    }
    return r;
}

#define INT1(name, expr)                                                                                     \
    lw_step lw_sem_##name(lw_wave *w, const lw_decoded *in)                                                  \
    {                                                                                                        \
        uint32_t ba[LW_LANES], r[LW_LANES];                                                                  \
        const uint32_t *pa = lw_vsrc(w, in, 0, LW_V_B32, ba);                                                \
        for (unsigned lane = 0; lane < LW_LANES; lane++) {                                                   \
            const uint32_t a = pa[lane];                                                                     \
            r[lane] = (expr);                                                                                \
        }                                                                                                    \
        return lw_vwrite(w, in, r);                                                                          \
    }

#define INT2(name, expr)                                                                                     \
    lw_step lw_sem_##name(lw_wave *w, const lw_decoded *in)                                                  \
    {                                                                                                        \
        uint32_t ba[LW_LANES], bb[LW_LANES], r[LW_LANES];                                                    \
        const uint32_t *pa = lw_vsrc(w, in, 0, LW_V_B32, ba), *pb = lw_vsrc(w, in, 1, LW_V_B32, bb);         \
        for (unsigned lane = 0; lane < LW_LANES; lane++) {                                                   \
            const uint32_t a = pa[lane], b = pb[lane];                                                       \
            r[lane] = (expr);                                                                                \
        }                                                                                                    \
        return lw_vwrite(w, in, r);                                                                          \
    }

#define INT3(name, expr)                                                                                     \
    lw_step lw_sem_##name(lw_wave *w, const lw_decoded *in)                                                  \
    {                                                                                                        \
        uint32_t ba[LW_LANES], bb[LW_LANES], bc[LW_LANES], r[LW_LANES];                                      \
        const uint32_t *pa = lw_vsrc(w, in, 0, LW_V_B32, ba), *pb = lw_vsrc(w, in, 1, LW_V_B32, bb);         \
        const uint32_t *pc = lw_vsrc(w, in, 2, LW_V_B32, bc);                                                \
        for (unsigned lane = 0; lane < LW_LANES; lane++) {                                                   \
            const uint32_t a = pa[lane], b = pb[lane], c = pc[lane];                                         \
            r[lane] = (expr);                                                                                \
        }                                                                                                    \
        return lw_vwrite(w, in, r);                                                                          \
    }

/* An exact 64-bit total: wrapped or, with CLAMP, limited to the range of the result (limit: sat_u32,
 * sat_i32). */
#define SUM3(name, limit, expr)                                                                              \
    lw_step lw_sem_##name(lw_wave *w, const lw_decoded *in)                                                  \
    {                                                                                                        \
        uint32_t ba[LW_LANES], bb[LW_LANES], bc[LW_LANES], r[LW_LANES];                                      \
        const uint32_t *pa = lw_vsrc(w, in, 0, LW_V_B32, ba), *pb = lw_vsrc(w, in, 1, LW_V_B32, bb);         \
        const uint32_t *pc = lw_vsrc(w, in, 2, LW_V_B32, bc);                                                \
        for (unsigned lane = 0; lane < LW_LANES; lane++) {                                                   \
            const uint32_t a = pa[lane], b = pb[lane], c = pc[lane];                                         \
            const int64_t total = (expr);                                                                    \
            r[lane] = in->clamp ? limit(total) : (uint32_t)total;                                            \
        }                                                                                                    \
        return lw_vwrite(w, in, r);                                                                          \
    }

#define SUM2(name, limit, expr)                                                                              \
    lw_step lw_sem_##name(lw_wave *w, const lw_decoded *in)                                                  \
    {                                                                                                        \
        uint32_t ba[LW_LANES], bb[LW_LANES], r[LW_LANES];                                                    \
        const uint32_t *pa = lw_vsrc(w, in, 0, LW_V_B32, ba), *pb = lw_vsrc(w, in, 1, LW_V_B32, bb);         \
        if (!in->clamp) {                                                                                    \
            for (unsigned lane = 0; lane < LW_LANES; lane++) {                                               \
                const uint32_t a = pa[lane], b = pb[lane];                                                   \
                r[lane] = (uint32_t)(expr);                                                                  \
            }                                                                                                \
            return lw_vwrite(w, in, r);                                                                      \
        }                                                                                                    \
        for (unsigned lane = 0; lane < LW_LANES; lane++) {                                                   \
            const uint32_t a = pa[lane], b = pb[lane];                                                       \
            r[lane] = limit(expr);                                                                           \
        }                                                                                                    \
        return lw_vwrite(w, in, r);                                                                          \
    }

static inline int32_t s32(uint32_t v)
{
    return (int32_t)v;
}

static inline int64_t u64(uint32_t v)
{
    return (int64_t)v;
}

static inline int64_t s64(uint32_t v)
{
    return (int32_t)v;
}

static inline uint32_t sat_u32(int64_t v)
{
    return v < 0 ? 0 : v > UINT32_MAX ? UINT32_MAX : (uint32_t)v;
}

static inline uint32_t sat_i32(int64_t v)
{
    return (uint32_t)(v < INT32_MIN ? INT32_MIN : v > INT32_MAX ? INT32_MAX : v);
}

static inline uint32_t ashr(uint32_t v, unsigned n)
{
    return (uint32_t)((int32_t)v >> n);
}

/* 24-bit multiplications ignore the upper byte of their sources. */
static inline int64_t s24(uint32_t v)
{
    return (int32_t)(v << 8) >> 8;
}

static inline int64_t u24(uint32_t v)
{
    return v & 0xffffff;
}

static inline uint32_t min_u(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static inline uint32_t max_u(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static inline uint32_t min_i(uint32_t a, uint32_t b)
{
    return s32(a) < s32(b) ? a : b;
}

static inline uint32_t max_i(uint32_t a, uint32_t b)
{
    return s32(a) > s32(b) ? a : b;
}

static inline uint32_t bit_reverse(uint32_t v)
{
    v = (v >> 1 & 0x55555555u) | (v & 0x55555555u) << 1;
    v = (v >> 2 & 0x33333333u) | (v & 0x33333333u) << 2;
    v = (v >> 4 & 0x0f0f0f0fu) | (v & 0x0f0f0f0fu) << 4;
    v = (v >> 8 & 0x00ff00ffu) | (v & 0x00ff00ffu) << 8;
    return v >> 16 | v << 16;
}

/* Index of the first set bit from the top or the bottom; all ones if there is none. */
static inline uint32_t first_high(uint32_t v)
{
    return v ? lw_clz64(v) - 32 : ~0u;
}

static inline uint32_t first_low(uint32_t v)
{
    return v ? lw_ctz64(v) : ~0u;
}

static inline uint32_t low_bits(uint32_t width)
{
    return (1u << width) - 1;
}

static inline uint32_t bfe_u(uint32_t v, uint32_t offset, uint32_t width)
{
    return v >> (offset & 31) & low_bits(width & 31);
}

/* The field's top bit is the sign; beyond bit 31 the source's sign continues. */
static inline uint32_t bfe_i(uint32_t v, uint32_t offset, uint32_t width)
{
    const uint32_t n = width & 31;
    const int64_t field = (int64_t)((uint64_t)(s64(v) >> (offset & 31)) << (64 - n - (n == 0)));
    return n ? (uint32_t)(field >> (64 - n)) : 0;
}

/* One byte of v_perm_b32. 8 to 11: the sign of src1's low and high half, then of src0's (measured on
 * gfx1201). */
static inline uint32_t perm_byte(uint64_t both, uint32_t sel)
{
    if (sel < 8)
        return (uint32_t)(both >> (8 * sel)) & 0xff;
    if (sel < 12)
        return both >> (16 * (sel - 8) + 15) & 1 ? 0xff : 0;
    return sel == 12 ? 0 : 0xff;
}

static inline uint32_t perm(uint32_t a, uint32_t b, uint32_t sel)
{
    const uint64_t both = (uint64_t)a << 32 | b;
    return perm_byte(both, sel & 0xff) | perm_byte(both, sel >> 8 & 0xff) << 8 |
           perm_byte(both, sel >> 16 & 0xff) << 16 | perm_byte(both, sel >> 24) << 24;
}

static inline uint32_t absdiff(uint32_t a, uint32_t b)
{
    return a > b ? a - b : b - a;
}

static inline int64_t sad_u8(uint32_t a, uint32_t b)
{
    uint32_t sum = 0;
    for (unsigned i = 0; i < 32; i += 8)
        sum += absdiff(a >> i & 0xff, b >> i & 0xff);
    return sum;
}

/* Bytes for which src1's byte is 0 are left out. */
static inline int64_t msad_u8(uint32_t a, uint32_t b)
{
    uint32_t sum = 0;
    for (unsigned i = 0; i < 32; i += 8)
        sum += b >> i & 0xff ? absdiff(a >> i & 0xff, b >> i & 0xff) : 0;
    return sum;
}

static inline int64_t sad_u16(uint32_t a, uint32_t b)
{
    return u64(absdiff(a & 0xffff, b & 0xffff) + absdiff(a >> 16, b >> 16));
}

/* For each byte, (a + b + rounding bit) / 2; the rounding bit is bit 0 of c's byte. */
static inline uint32_t lerp_u8(uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t r = 0;
    for (unsigned i = 0; i < 32; i += 8)
        r |= ((a >> i & 0xff) + (b >> i & 0xff) + (c >> i & 1)) >> 1 << i;
    return r;
}

static inline uint32_t sat_to_u8(int32_t v)
{
    return v < 0 ? 0 : v > 255 ? 255 : (uint32_t)v;
}

static inline uint32_t sat_to_i8(int32_t v)
{
    return (uint32_t)(v < -128 ? -128 : v > 127 ? 127 : v) & 0xff;
}

static inline uint32_t sat_to_i16(int32_t v)
{
    return (uint32_t)(v < INT16_MIN ? INT16_MIN : v > INT16_MAX ? INT16_MAX : v) & 0xffff;
}

/* Lanes below this one whose mask bit is set; EXEC has no influence. */
static inline uint32_t count_below(uint32_t mask, unsigned lane, unsigned first)
{
    const uint32_t below = lane < first ? 0 : lane >= first + 32 ? ~0u : (1u << (lane - first)) - 1;
    return lw_popcount32(mask & below);
}

INT1(v_mov_b32, a)
INT1(v_not_b32, ~a)
INT1(v_bfrev_b32, bit_reverse(a))
INT1(v_ffbh_u32, first_high(a))
INT1(v_ffbl_b32, first_low(a))
INT1(v_ffbh_i32, first_high(a ^ ashr(a, 31)))
INT1(v_prng_b32, lw_prng(a))
INT1(v_sat_pk_u8_i16, sat_to_u8((int16_t)(a & 0xffff)) | sat_to_u8((int16_t)(a >> 16)) << 8)

INT2(v_and_b32, a &b)
INT2(v_or_b32, a | b)
INT2(v_xor_b32, a ^ b)
INT2(v_xnor_b32, ~(a ^ b))
INT2(v_lshlrev_b32, b << (a & 31))
INT2(v_lshrrev_b32, b >> (a & 31))
INT2(v_ashrrev_i32, ashr(b, a & 31))
INT2(v_min_u32, min_u(a, b))
INT2(v_max_u32, max_u(a, b))
INT2(v_min_i32, min_i(a, b))
INT2(v_max_i32, max_i(a, b))
INT2(v_mul_lo_u32, a *b)
INT2(v_mul_hi_u32, (uint32_t)((uint64_t)a *b >> 32))
INT2(v_mul_hi_i32, (uint32_t)((uint64_t)(s64(a) * s64(b)) >> 32))
INT2(v_mul_hi_u32_u24, (uint32_t)(u24(a) * u24(b) >> 32))
INT2(v_mul_hi_i32_i24, (uint32_t)((uint64_t)(s24(a) * s24(b)) >> 32))
INT2(v_bfm_b32, low_bits(a & 31) << (b & 31))
INT2(v_bcnt_u32_b32, lw_popcount32(a) + b)
INT2(v_mbcnt_lo_u32_b32, count_below(a, lane, 0) + b)
INT2(v_mbcnt_hi_u32_b32, count_below(a, lane, 32) + b)
INT2(v_cvt_pk_u16_u32, min_u(a, 0xffff) | min_u(b, 0xffff) << 16)
INT2(v_cvt_pk_i16_i32, sat_to_i16(s32(a)) | sat_to_i16(s32(b)) << 16)

SUM2(v_add_u32, sat_u32, u64(a) + u64(b))
SUM2(v_sub_u32, sat_u32, u64(a) - u64(b))
SUM2(v_subrev_u32, sat_u32, u64(b) - u64(a))
SUM2(v_add_i32, sat_i32, s64(a) + s64(b))
SUM2(v_sub_i32, sat_i32, s64(a) - s64(b))
SUM2(v_mul_u32_u24, sat_u32, u24(a) * u24(b))
SUM2(v_mul_i32_i24, sat_i32, s24(a) * s24(b))

INT3(v_mad_u32, a *b + c)
INT3(v_bfe_u32, bfe_u(a, b, c))
INT3(v_bfe_i32, bfe_i(a, b, c))
INT3(v_bfi_b32, (a & b) | (~a & c))
INT3(v_alignbit_b32, (uint32_t)(((uint64_t)a << 32 | b) >> (c & 31)))
INT3(v_alignbyte_b32, (uint32_t)(((uint64_t)a << 32 | b) >> (8 * (c & 3))))
INT3(v_min3_u32, min_u(min_u(a, b), c))
INT3(v_max3_u32, max_u(max_u(a, b), c))
INT3(v_med3_u32, max_u(min_u(a, b), min_u(max_u(a, b), c)))
INT3(v_min3_i32, min_i(min_i(a, b), c))
INT3(v_max3_i32, max_i(max_i(a, b), c))
INT3(v_med3_i32, max_i(min_i(a, b), min_i(max_i(a, b), c)))
INT3(v_lshl_add_u32, (a << (b & 31)) + c)
INT3(v_add_lshl_u32, (a + b) << (c & 31))
INT3(v_add3_u32, a + b + c)
INT3(v_lshl_or_b32, (a << (b & 31)) | c)
INT3(v_and_or_b32, (a & b) | c)
INT3(v_or3_b32, a | b | c)
INT3(v_xad_u32, (a ^ b) + c)
INT3(v_perm_b32, perm(a, b, c))
INT3(v_lerp_u8, lerp_u8(a, b, c))

SUM3(v_mad_u32_u24, sat_u32, u24(a) * u24(b) + u64(c))
SUM3(v_mad_i32_i24, sat_i32, s24(a) * s24(b) + s64(c))
SUM3(v_sad_u8, sat_u32, sad_u8(a, b) + u64(c))
SUM3(v_sad_hi_u8, sat_u32, (sad_u8(a, b) << 16) + u64(c))
SUM3(v_sad_u16, sat_u32, sad_u16(a, b) + u64(c))
SUM3(v_sad_u32, sat_u32, u64(absdiff(a, b)) + u64(c))
SUM3(v_msad_u8, sat_u32, msad_u8(a, b) + u64(c))

/* Bit k of the table is the result where the sources' bits spell k = 4*a + 2*b + c. */
static uint32_t bitop3(uint32_t table, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t r = 0;
    for (unsigned k = 0; k < 8; k++)
        if (table >> k & 1)
            r |= (k & 4 ? a : ~a) & (k & 2 ? b : ~b) & (k & 1 ? c : ~c);
    return r;
}

INT3(v_bitop3_b32, bitop3(in->imm, a, b, c))
INT2(v_bitop2_b32, bitop3(in->imm, a, b, 0)) /* gfx1250: the third source is 0 (LLVM 22: 0x40 is AND) */
INT3(v_xor3_b32, a ^ b ^ c)
INT3(v_maxmin_u32, min_u(max_u(a, b), c))
INT3(v_minmax_u32, max_u(min_u(a, b), c))
INT3(v_maxmin_i32, min_i(max_i(a, b), c))
INT3(v_minmax_i32, max_i(min_i(a, b), c))

lw_step lw_sem_v_bitop3_b16(lw_wave *w, const lw_decoded *in)
{
    uint32_t buf[3][LW_LANES], r[LW_LANES];
    const uint32_t *s[3];
    for (unsigned i = 0; i < 3; i++)
        s[i] = lw_vsrc(w, in, i, LW_V_B16, buf[i]);
    for (unsigned lane = 0; lane < LW_LANES; lane++)
        r[lane] = bitop3(in->imm, s[0][lane], s[1][lane], s[2][lane]) & 0xffff;
    return lw_vwrite16(w, in, LW_VD_SEL, r);
}

/* Two shifted and saturated bytes, in the half that op_sel[3] selects. Whether the other half is kept is
 * unknown. */
static lw_step ashr_pk(lw_wave *w, const lw_decoded *in, uint32_t (*saturate)(int32_t))
{
    uint32_t buf[3][LW_LANES], r[LW_LANES];
    const uint32_t *s[3];
    for (unsigned i = 0; i < 3; i++)
        s[i] = lw_vsrc(w, in, i, LW_V_B32, buf[i]);
    for (unsigned lane = 0; lane < LW_LANES; lane++) {
        const unsigned n = s[2][lane] & 31;
        r[lane] = saturate(s32(ashr(s[0][lane], n))) | saturate(s32(ashr(s[1][lane], n))) << 8;
    }
    return lw_vwrite16(w, in, LW_VD_SEL, r);
}

lw_step lw_sem_v_ashr_pk_i8_i32(lw_wave *w, const lw_decoded *in)
{
    return ashr_pk(w, in, sat_to_i8);
}

lw_step lw_sem_v_ashr_pk_u8_i32(lw_wave *w, const lw_decoded *in)
{
    return ashr_pk(w, in, sat_to_u8);
}

/* NEG and ABS change only the sign bit. */
lw_step lw_sem_v_cndmask_b32(lw_wave *w, const lw_decoded *in)
{
    uint32_t ba[LW_LANES], bb[LW_LANES], r[LW_LANES];
    const uint32_t *pa = lw_vsrc(w, in, 0, LW_V_F32, ba), *pb = lw_vsrc(w, in, 1, LW_V_F32, bb);
    const uint64_t mask = lw_vmask_in(w, in);
    memcpy(r, pa, sizeof(r));
    lw_vmerge(r, mask, pb);
    return lw_vwrite(w, in, r);
}

lw_step lw_sem_v_cndmask_b16(lw_wave *w, const lw_decoded *in)
{
    uint32_t ba[LW_LANES], bb[LW_LANES], r[LW_LANES];
    const uint32_t *pa = lw_vsrc(w, in, 0, LW_V_F16, ba), *pb = lw_vsrc(w, in, 1, LW_V_F16, bb);
    memcpy(r, pa, sizeof(r));
    lw_vmerge(r, lw_vmask_in(w, in), pb);
    return lw_vwrite(w, in, r);
}

lw_step lw_sem_v_nop(lw_wave *w, const lw_decoded *in)
{
    (void)w;
    (void)in;
    return LW_STEP_NEXT;
}

INT1(v_sat_pk4_i4_i8, saturated4(a, -8, 7, true))
INT1(v_sat_pk4_u4_u8, saturated4(a, 0, 15, false))

/* gfx1250: the sum is limited to the type, with or without CLAMP (AMD's gfx1250 tests for the packed forms;
 * LLVM 22 selects these for saturating sums). */
INT3(v_add_max_i32, max_i(sat_i32(s64(a) + s64(b)), c))
INT3(v_add_min_i32, min_i(sat_i32(s64(a) + s64(b)), c))
INT3(v_add_max_u32, max_u(sat_u32((int64_t)a + b), c))
INT3(v_add_min_u32, min_u(sat_u32((int64_t)a + b), c))

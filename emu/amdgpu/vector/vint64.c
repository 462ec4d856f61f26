/* SPDX-License-Identifier: MIT */
/* 64-bit integer operations, sums with carry, and the sliding sums of absolute differences. */
#include "emu/amdgpu/control/handlers.h"
#include "emu/amdgpu/vector/vlane.h"

/* Shift counts are 32-bit sources. */
#define SHIFT64(name, expr)                                                                                  \
    lw_step lw_sem_##name(lw_wave *w, const lw_decoded *in)                                                  \
    {                                                                                                        \
        uint32_t bn[LW_LANES];                                                                               \
        uint64_t bv[LW_LANES], r[LW_LANES];                                                                  \
        const uint32_t *pn = lw_vsrc(w, in, 0, LW_V_B32, bn);                                                \
        const uint64_t *pv = lw_vsrc64(w, in, 1, false, bv);                                                 \
        for (unsigned lane = 0; lane < LW_LANES; lane++) {                                                   \
            const unsigned n = pn[lane] & 63;                                                                \
            const uint64_t v = pv[lane];                                                                     \
            r[lane] = (expr);                                                                                \
        }                                                                                                    \
        return lw_vwrite64(w, in, r);                                                                        \
    }

SHIFT64(v_lshlrev_b64, v << n)
SHIFT64(v_lshrrev_b64, v >> n)
SHIFT64(v_ashrrev_i64, (uint64_t)((int64_t)v >> n))

lw_step lw_sem_v_mov_b64(lw_wave *w, const lw_decoded *in)
{
    uint64_t buf[LW_LANES];
    return lw_vwrite64(w, in, lw_vsrc64(w, in, 0, false, buf));
}

/* Shifts of only 0 to 7: src1[2:0]. */
lw_step lw_sem_v_lshl_add_u64(lw_wave *w, const lw_decoded *in)
{
    uint32_t bn[LW_LANES];
    uint64_t ba[LW_LANES], bc[LW_LANES], r[LW_LANES];
    const uint64_t *a = lw_vsrc64(w, in, 0, false, ba), *c = lw_vsrc64(w, in, 2, false, bc);
    const uint32_t *n = lw_vsrc(w, in, 1, LW_V_B32, bn);
    for (unsigned lane = 0; lane < LW_LANES; lane++)
        r[lane] = (a[lane] << (n[lane] & 7)) + c[lane];
    return lw_vwrite64(w, in, r);
}

#define INT2_64(name, expr)                                                                                  \
    lw_step lw_sem_##name(lw_wave *w, const lw_decoded *in)                                                  \
    {                                                                                                        \
        uint64_t ba[LW_LANES], bb[LW_LANES], r[LW_LANES];                                                    \
        const uint64_t *pa = lw_vsrc64(w, in, 0, false, ba), *pb = lw_vsrc64(w, in, 1, false, bb);           \
        for (unsigned lane = 0; lane < LW_LANES; lane++) {                                                   \
            const uint64_t a = pa[lane], b = pb[lane];                                                       \
            r[lane] = (expr);                                                                                \
        }                                                                                                    \
        return lw_vwrite64(w, in, r);                                                                        \
    }

/* CLAMP is inferred from the forms of 32 bits: LLVM takes it on gfx1250, nothing is published. */
INT2_64(v_add_nc_u64, (in->clamp && a + b < a) ? ~(uint64_t)0 : a + b)
INT2_64(v_sub_nc_u64, (in->clamp && a < b) ? 0 : a - b)
INT2_64(v_mul_u64, a *b)
INT2_64(v_min_u64, a < b ? a : b)
INT2_64(v_max_u64, a > b ? a : b)
INT2_64(v_min_i64, (int64_t)a < (int64_t)b ? a : b)
INT2_64(v_max_i64, (int64_t)a > (int64_t)b ? a : b)

/* 32 x 32 + 64 bits; the carry is bit 64 of the exact (sign- or zero-extended) sum, not signed overflow. */
static lw_step mad64(lw_wave *w, const lw_decoded *in, bool is_signed, bool has_carry)
{
    uint32_t ba[LW_LANES], bb[LW_LANES];
    uint64_t bc[LW_LANES], r[LW_LANES], carry = 0;
    const uint32_t *a = lw_vsrc(w, in, 0, LW_V_B32, ba), *b = lw_vsrc(w, in, 1, LW_V_B32, bb);
    const uint64_t *c = lw_vsrc64(w, in, 2, false, bc);
    for (unsigned lane = 0; lane < LW_LANES; lane++) {
        const uint64_t p = is_signed ? (uint64_t)((int64_t)(int32_t)a[lane] * (int32_t)b[lane])
                                     : (uint64_t)a[lane] * b[lane];
        const uint64_t sum = p + c[lane];
        const unsigned top = is_signed ? (unsigned)(p >> 63) + (unsigned)(c[lane] >> 63) : 0;
        carry |= (uint64_t)(((sum < p) + top) & 1) << lane;
        const bool over = is_signed ? ((p ^ sum) & (c[lane] ^ sum)) >> 63 : sum < p;
        const uint64_t edge = !is_signed ? ~(uint64_t)0 : p >> 63 ? (uint64_t)1 << 63 : INT64_MAX;
        r[lane] = in->clamp && over ? edge : sum;
    }
    const lw_step step = lw_vwrite64(w, in, r);
    if (step == LW_STEP_NEXT && has_carry)
        lw_vwrite_carry(w, in, carry);
    return step;
}

lw_step lw_sem_v_mad_u64_u32(lw_wave *w, const lw_decoded *in)
{
    return mad64(w, in, false, true);
}

lw_step lw_sem_v_mad_i64_i32(lw_wave *w, const lw_decoded *in)
{
    return mad64(w, in, true, true);
}

lw_step lw_sem_v_mad_nc_u64_u32(lw_wave *w, const lw_decoded *in)
{
    return mad64(w, in, false, false);
}

lw_step lw_sem_v_mad_nc_i64_i32(lw_wave *w, const lw_decoded *in)
{
    return mad64(w, in, true, false);
}

/* a + b + carry or, subtracting, a - b - carry; the carry-out reports the unsaturated sum even with CLAMP. */
static lw_step add_carry(lw_wave *w, const lw_decoded *in, bool subtract, bool reverse, bool carry_in)
{
    uint32_t ba[LW_LANES], bb[LW_LANES], r[LW_LANES];
    const uint32_t *a = lw_vsrc(w, in, reverse, LW_V_B32, ba), *b = lw_vsrc(w, in, !reverse, LW_V_B32, bb);
    const uint64_t mask = carry_in ? lw_vmask_in(w, in) : 0;
    uint64_t carry = 0;
    for (unsigned lane = 0; lane < LW_LANES; lane++) {
        const uint64_t extra = mask >> lane & 1;
        const uint64_t v =
            subtract ? (uint64_t)a[lane] - b[lane] - extra : (uint64_t)a[lane] + b[lane] + extra;
        const bool out = v >> 32;
        carry |= (uint64_t)out << lane;
        r[lane] = in->clamp && out ? (subtract ? 0 : ~0u) : (uint32_t)v;
    }
    const lw_step step = lw_vwrite(w, in, r);
    if (step == LW_STEP_NEXT)
        lw_vwrite_carry(w, in, carry);
    return step;
}

#define CARRY(name, subtract, reverse, carry_in)                                                             \
    lw_step lw_sem_##name(lw_wave *w, const lw_decoded *in)                                                  \
    {                                                                                                        \
        return add_carry(w, in, subtract, reverse, carry_in);                                                \
    }

CARRY(v_add_co_u32, false, false, false)
CARRY(v_sub_co_u32, true, false, false)
CARRY(v_subrev_co_u32, true, true, false)
CARRY(v_addc_co_u32, false, false, true)
CARRY(v_subb_co_u32, true, false, true)
CARRY(v_subbrev_co_u32, true, true, true)

/* Absolute differences of the 4 bytes of b and the bytes of a from `at` on; `masked`: zero bytes of b are
 * skipped. */
static uint32_t window_sad(uint64_t a, uint32_t b, unsigned at, bool masked)
{
    uint32_t sum = 0;
    for (unsigned i = 0; i < 4; i++) {
        const uint32_t x = (uint32_t)(a >> (8 * (at + i))) & 0xff, y = b >> (8 * i) & 0xff;
        if (masked && y == 0)
            continue;
        sum += x > y ? x - y : y - x;
    }
    return sum;
}

static lw_step qsad16(lw_wave *w, const lw_decoded *in, bool masked)
{
    uint32_t bb[LW_LANES];
    uint64_t ba[LW_LANES], bc[LW_LANES], r[LW_LANES];
    const uint64_t *a = lw_vsrc64(w, in, 0, false, ba), *c = lw_vsrc64(w, in, 2, false, bc);
    const uint32_t *b = lw_vsrc(w, in, 1, LW_V_B32, bb);
    for (unsigned lane = 0; lane < LW_LANES; lane++) {
        uint64_t all = 0;
        for (unsigned i = 0; i < 4; i++) {
            const uint32_t sum =
                window_sad(a[lane], b[lane], i, masked) + (uint32_t)(c[lane] >> (16 * i) & 0xffff);
            all |= (uint64_t)(in->clamp && sum > 0xffff ? 0xffff : sum & 0xffff) << (16 * i);
        }
        r[lane] = all;
    }
    return lw_vwrite64(w, in, r);
}

lw_step lw_sem_v_qsad_pk_u16_u8(lw_wave *w, const lw_decoded *in)
{
    return qsad16(w, in, false);
}

lw_step lw_sem_v_mqsad_pk_u16_u8(lw_wave *w, const lw_decoded *in)
{
    return qsad16(w, in, true);
}

lw_step lw_sem_v_mqsad_u32_u8(lw_wave *w, const lw_decoded *in)
{
    uint32_t bb[LW_LANES], bc[LW_LANES], r[4][LW_LANES];
    uint64_t ba[LW_LANES];
    const uint64_t *a = lw_vsrc64(w, in, 0, false, ba);
    const uint32_t *b = lw_vsrc(w, in, 1, LW_V_B32, bb);
    for (unsigned i = 0; i < 4; i++) {
        const uint32_t *c = lw_vsrc_part(w, in, 2, i, bc);
        for (unsigned lane = 0; lane < LW_LANES; lane++) {
            const uint32_t sad = window_sad(a[lane], b[lane], i, true), sum = sad + c[lane];
            r[i][lane] = in->clamp && sum < sad ? ~0u : sum;
        }
    }
    const lw_step step = lw_vcheck(w, in);
    for (unsigned i = 0; i < 4 && step == LW_STEP_NEXT; i++)
        lw_vwrite_part(w, in, i, r[i]);
    return step;
}

/* Entry n of a table of 16 entries of `bits`: source 1 is the table's lower part, source 0 the upper (AMD's
 * gfx1250 tests). */
static uint32_t table_entry(const uint32_t table[4], unsigned bits, unsigned n)
{
    const unsigned at = bits * n / 32, shift = bits * n % 32;
    const uint64_t pair = table[at] | (uint64_t)(at < 3 ? table[at + 1] : 0) << 32;
    return (uint32_t)(pair >> shift) & ((1u << bits) - 1);
}

static void put_entry(uint32_t r[4][LW_LANES], unsigned lane, unsigned bits, unsigned k, uint32_t entry)
{
    const unsigned at = bits * k / 32, shift = bits * k % 32;
    r[at][lane] |= entry << shift;
    if (shift + bits > 32)
        r[at + 1][lane] |= entry >> (32 - shift);
}

/* Sixteen entries of the table, chosen by the 4-bit numbers of source 2. `low`: dwords of source 1. */
static lw_step permute16(lw_wave *w, const lw_decoded *in, unsigned bits, unsigned low)
{
    uint32_t buf[4][LW_LANES], bi[2][LW_LANES], r[4][LW_LANES] = { { 0 } };
    const uint32_t *rows[4] = { NULL }, *index[2];
    const unsigned words = bits / 2;
    for (unsigned i = 0; i < words; i++)
        rows[i] = i < low ? lw_vsrc_part(w, in, 1, i, buf[i]) : lw_vsrc_part(w, in, 0, i - low, buf[i]);
    for (unsigned i = 0; i < 2; i++)
        index[i] = lw_vsrc_part(w, in, 2, i, bi[i]);
    for (unsigned lane = 0; lane < LW_LANES; lane++) {
        uint32_t table[4] = { 0 };
        for (unsigned i = 0; i < words; i++)
            table[i] = rows[i][lane];
        for (unsigned k = 0; k < 16; k++)
            put_entry(r, lane, bits, k, table_entry(table, bits, index[k / 8][lane] >> (4 * (k % 8)) & 15));
    }
    const lw_step step = lw_vcheck(w, in);
    for (unsigned i = 0; i < words && step == LW_STEP_NEXT; i++)
        lw_vwrite_part(w, in, i, r[i]);
    return step;
}

lw_step lw_sem_v_perm_pk16_b4_u4(lw_wave *w, const lw_decoded *in)
{
    return permute16(w, in, 4, 1);
}

lw_step lw_sem_v_perm_pk16_b6_u4(lw_wave *w, const lw_decoded *in)
{
    return permute16(w, in, 6, 2);
}

lw_step lw_sem_v_perm_pk16_b8_u4(lw_wave *w, const lw_decoded *in)
{
    return permute16(w, in, 8, 2);
}

/* SPDX-License-Identifier: MIT */
/* Fast forms of 64-bit integer operations: pairs of registers, word by word. */
#ifndef LW_EMU_AMDGPU_FAST_INTS64_H
#define LW_EMU_AMDGPU_FAST_INTS64_H

#include "emu/amdgpu/fast/masks.h"
#include "emu/amdgpu/fast/wide.h"

typedef struct words64 {
    vi low, high;
} words64;

/* True where an unsigned sum is less than one of its terms. */
VEC vm carried(vi sum, vi term)
{
    return vm_not(vi_le_u(term, sum));
}

VEC words64 add64(words64 a, words64 b, vm *carry)
{
    const vi low = vi_add(a.low, b.low), one = vi_all(1), none = vi_all(0);
    const vi high = vi_add(a.high, b.high), more = vi_pick(carried(low, a.low), one, none);
    const vi all = vi_add(high, more);
    *carry = vm_or(carried(high, a.high), carried(all, high));
    return (words64){ low, all };
}

#if VEC_HAS_SHUFFLE
/* Shifts by n < 64. The shifts of words give zero for counts of 32 and more and for negative ones. */
VEC words64 shl64(words64 a, vi n)
{
    const vi word = vi_all(32);
    const vi over = vi_or(vi_shrv(a.low, vi_sub(word, n)), vi_shlv(a.low, vi_sub(n, word)));
    return (words64){ vi_shlv(a.low, n), vi_or(vi_shlv(a.high, n), over) };
}

VEC words64 shr64(words64 a, vi n)
{
    const vi word = vi_all(32);
    const vi over = vi_or(vi_shlv(a.high, vi_sub(word, n)), vi_shrv(a.high, vi_sub(n, word)));
    return (words64){ vi_or(vi_shrv(a.low, n), over), vi_shrv(a.high, n) };
}

/* Fills the bits that shr64 vacates with the sign. */
VEC words64 sar64(words64 a, vi n)
{
    const words64 r = shr64(a, n);
    const words64 ones = { vi_all(-1), vi_all(-1) }, kept = shr64(ones, n);
    const vi sign = vi_sar(a.high, 31);
    return (words64){ vi_or(r.low, vi_without(kept.low, sign)), vi_or(r.high, vi_without(kept.high, sign)) };
}

VEC words64 lane_shl64(words64 n, words64 a)
{
    return shl64(a, vi_and(n.low, vi_all(63)));
}

VEC words64 lane_shr64(words64 n, words64 a)
{
    return shr64(a, vi_and(n.low, vi_all(63)));
}

VEC words64 lane_sar64(words64 n, words64 a)
{
    return sar64(a, vi_and(n.low, vi_all(63)));
}
#endif

VEC words64 lane_same64(words64 a, words64 b)
{
    (void)b;
    return a;
}

typedef struct rows64 {
    row low, high;
} rows64;

/* A source of one register, or of two if `wide`. */
VEC rows64 rows64_read(const lw_wave *w, const lw_hot *hot, unsigned i, bool wide, row_room room[2])
{
    return (rows64){ word_source(w, hot, i, 0, &room[0]), word_source(w, hot, i, wide, &room[1]) };
}

VEC words64 words64_at(const rows64 *r, unsigned n)
{
    return (words64){ row_at(r->low, n), row_at(r->high, n) };
}

typedef struct result64 {
    row_result low, high;
} result64;

VEC result64 result64_open(const lw_wave *w, const lw_hot *hot)
{
    return (result64){ row_open(w, hot, false, 0, NULL), row_open(w, hot, false, 1, NULL) };
}

VEC void result64_put(const result64 *r, unsigned n, words64 x)
{
    row_put(r->low, n, x.low);
    row_put(r->high, n, x.high);
}

VEC lw_step ints64(lw_wave *w, const lw_hot *hot, bool wide0, unsigned second,
                   words64 (*lane)(words64, words64))
{
    row_room room[2][2];
    const rows64 a = rows64_read(w, hot, 0, wide0, room[0]), b = rows64_read(w, hot, second, true, room[1]);
    const result64 r = result64_open(w, hot);
    for (unsigned n = 0; n < row_vectors(w); n++)
        result64_put(&r, n, lane(words64_at(&a, n), words64_at(&b, n)));
    return LW_STEP_NEXT;
}

#if VEC_HAS_SHUFFLE
static lw_step hot_v_lshl_add_u64(lw_wave *w, const lw_hot *hot)
{
    row_room room[3][2];
    const rows64 a = rows64_read(w, hot, 0, true, room[0]), b = rows64_read(w, hot, 1, false, room[1]);
    const rows64 c = rows64_read(w, hot, 2, true, room[2]);
    const result64 r = result64_open(w, hot);
    for (unsigned n = 0; n < row_vectors(w); n++) {
        vm carry;
        const words64 x = shl64(words64_at(&a, n), vi_and(row_at(b.low, n), vi_all(7)));
        result64_put(&r, n, add64(x, words64_at(&c, n), &carry));
    }
    return LW_STEP_NEXT;
}
#endif

/* The carry is bit 64 of the exact sum; signed terms are sign-extended into it. */
VEC lw_step mad64(lw_wave *w, const lw_hot *hot, bool is_signed)
{
    row_room room[3][2];
    uint64_t out = 0;
    const rows64 a = rows64_read(w, hot, 0, false, room[0]), b = rows64_read(w, hot, 1, false, room[1]);
    const rows64 c = rows64_read(w, hot, 2, true, room[2]);
    const result64 r = result64_open(w, hot);
    for (unsigned n = 0; n < row_vectors(w); n++) {
        const vi x = row_at(a.low, n), y = row_at(b.low, n);
        const words64 p = { vi_mul(x, y), is_signed ? vi_mul_hi_i(x, y) : vi_mul_hi_u(x, y) };
        const words64 addend = words64_at(&c, n);
        vm carry;
        result64_put(&r, n, add64(p, addend, &carry));
        const vm signs = vi_gt(vi_all(0), vi_xor(p.high, addend.high));
        const unsigned odd = is_signed ? vm_bits(signs) : 0;
        out |= (uint64_t)(vm_bits(carry) ^ odd) << n * VEC_LANES;
    }
    lw_vwrite_mask(w, hot->in, out & r.low.active);
    return LW_STEP_NEXT;
}

static lw_step hot_v_mad_u64_u32(lw_wave *w, const lw_hot *hot)
{
    return mad64(w, hot, false);
}

static lw_step hot_v_mad_i64_i32(lw_wave *w, const lw_hot *hot)
{
    return mad64(w, hot, true);
}

#define INTS64(name, ...)                                                                                    \
    static lw_step hot_##name(lw_wave *w, const lw_hot *hot)                                                 \
    {                                                                                                        \
        return ints64(w, hot, __VA_ARGS__);                                                                  \
    }

#if VEC_HAS_SHUFFLE
INTS64(v_lshlrev_b64, false, 1, lane_shl64)
INTS64(v_lshrrev_b64, false, 1, lane_shr64)
INTS64(v_ashrrev_i64, false, 1, lane_sar64)
#define SHIFTS64_FORMS                                                                                       \
    WORDS(v_lshlrev_b64), WORDS(v_lshrrev_b64), WORDS(v_ashrrev_i64), WORDS(v_lshl_add_u64),
#else
#define SHIFTS64_FORMS
#endif
INTS64(v_mov_b64, true, 0, lane_same64)

#define INTS64_FORMS SHIFTS64_FORMS WORDS(v_mov_b64), WORDS(v_mad_u64_u32), WORDS(v_mad_i64_i32)

#endif

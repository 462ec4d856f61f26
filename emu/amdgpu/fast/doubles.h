/* SPDX-License-Identifier: MIT */
/*
 * Fast forms of compares of 64 bits, classes of f64 numbers, and the lesser and greater of two: by integers,
 * word by word. Modes that flush subnormals are the general handlers'.
 */
#ifndef LW_EMU_AMDGPU_FAST_DOUBLES_H
#define LW_EMU_AMDGPU_FAST_DOUBLES_H

#include "emu/amdgpu/fast/ints64.h"

enum { F64_INF = 0x7ff00000, F64_LEAST = 0x00100000, F64_QUIET = 0x00080000 /* of the upper word */ };

typedef struct source64 {
    rows64 from;
    vi keep, flip; /* of the upper word */
} source64;

VEC source64 source64_read(const lw_wave *w, const lw_hot *hot, unsigned i, bool is_float, row_room room[2])
{
    const lw_opnd *o = &hot->in->src[i];
    return (source64){ rows64_read(w, hot, i, true, room), vi_all(is_float && o->abs ? INT32_MAX : -1),
                       vi_all(is_float && o->neg ? INT32_MIN : 0) };
}

VEC words64 source64_at(const source64 *s, unsigned n)
{
    words64 x = words64_at(&s->from, n);
    x.high = vi_and_xor(x.high, s->keep, s->flip);
    return x;
}

VEC bool f64_keeps(const lw_wave *w)
{
    return w->mode >> LW_MODE_DENORM_F64_SHIFT & LW_DENORM_IN_KEPT;
}

VEC vm f64_is_nan(words64 x)
{
    const vi size = size_of(F32, x.high), inf = vi_all(F64_INF);
    return vm_or(vi_gt(size, inf), vm_and(vi_eq(size, inf), vm_not(vi_eq(x.low, vi_all(0)))));
}

VEC vm f64_is_zero(words64 x)
{
    return vi_eq(vi_or(size_of(F32, x.high), x.low), vi_all(0));
}

/* ---- Orders: the upper words as signed numbers, then the lower ones as unsigned ---- */

VEC words64 rank_f64(words64 x)
{
    const vi sign = vi_sar(x.high, 31);
    return (words64){ vi_xor(x.low, sign), vi_xor(x.high, vi_and(sign, vi_all(INT32_MAX))) };
}

VEC vm less64(words64 a, words64 b)
{
    const vm low = vm_not(vi_le_u(b.low, a.low));
    return vm_or(vi_gt(b.high, a.high), vm_and(vi_eq(a.high, b.high), low));
}

typedef struct orders64 {
    vm less, equal, none;
} orders64;

VEC orders64 order_i64(words64 a, words64 b)
{
    return (orders64){ less64(a, b), vm_and(vi_eq(a.high, b.high), vi_eq(a.low, b.low)), vm_none() };
}

VEC orders64 order_u64(words64 a, words64 b)
{
    const vi flip = vi_all(INT32_MIN);
    return order_i64((words64){ a.low, vi_xor(a.high, flip) }, (words64){ b.low, vi_xor(b.high, flip) });
}

VEC orders64 order_f64(words64 a, words64 b)
{
    orders64 o = order_i64(rank_f64(a), rank_f64(b));
    const vm zeros = vm_and(f64_is_zero(a), f64_is_zero(b));
    o.none = vm_or(f64_is_nan(a), f64_is_nan(b));
    o.equal = vm_or(o.equal, zeros);
    o.less = vm_and(o.less, vm_not(zeros));
    return o;
}

VEC unsigned order_bits(orders64 o, int orders)
{
    const unsigned none = vm_bits(o.none), less = vm_bits(o.less) & ~none, equal = vm_bits(o.equal) & ~none;
    const unsigned more = ~(none | less | equal) & (unsigned)((UINT64_C(1) << VEC_LANES) - 1);
    return (orders & ORDER_LT ? less : 0) | (orders & ORDER_EQ ? equal : 0) | (orders & ORDER_GT ? more : 0) |
           (orders & ORDER_U ? none : 0);
}

VEC lw_step compare64(lw_wave *w, const lw_hot *hot, bool is_float, orders64 (*order)(words64, words64))
{
    row_room room[2][2];
    uint64_t mask = 0;
    if (is_float && !f64_keeps(w))
        return lw_hot_general(w, hot);
    const source64 a = source64_read(w, hot, 0, is_float, room[0]),
                   b = source64_read(w, hot, 1, is_float, room[1]);
    for (unsigned n = 0; n < row_vectors(w); n++)
        mask |= (uint64_t)order_bits(order(source64_at(&a, n), source64_at(&b, n)), hot->offset)
                << n * VEC_LANES;
    mask &= lw_wave_exec(w);
    lw_wave_set_mask(w, hot->dst, mask);
    if (hot->offset & ORDER_EXEC)
        lw_wave_set_mask(w, LW_SGPR_EXEC, mask);
    return LW_STEP_NEXT;
}

#define COMPARE64(type, is_float)                                                                            \
    static lw_step hot_cmp_##type(lw_wave *w, const lw_hot *hot)                                             \
    {                                                                                                        \
        return compare64(w, hot, is_float, order_##type);                                                    \
    }

COMPARE64(f64, true)
COMPARE64(i64, false)
COMPARE64(u64, false)

/* ---- Classes ---- */

/* As class_of of classes.h. */
VEC vi class_of_f64(words64 x)
{
    const vi size = size_of(F32, x.high);
    vi above = vi_pick(vi_gt(vi_all(F64_LEAST), size), vi_all(1), vi_all(2));
    above = vi_pick(f64_is_zero(x), vi_all(0), above);
    above = vi_pick(vi_eq(size, vi_all(F64_INF)), vi_all(3), above);
    const vm negative = vi_gt(vi_all(0), x.high);
    const vi number = vi_pick(negative, vi_sub(vi_all(5), above), vi_add(vi_all(6), above));
    const vm signalling = vi_eq(vi_and(x.high, vi_all(F64_QUIET)), vi_all(0));
    return vi_pick(f64_is_nan(x), vi_pick(signalling, vi_all(0), vi_all(1)), number);
}

static lw_step hot_cmp_class_f64(lw_wave *w, const lw_hot *hot)
{
    row_room room[3];
    uint64_t mask = 0;
    const source64 a = source64_read(w, hot, 0, true, room);
    const row b = row_source(w, hot, 1, 0, &room[2]);
    for (unsigned n = 0; n < row_vectors(w); n++) {
        const vi named = vi_and(vi_shrv(row_at(b, n), class_of_f64(source64_at(&a, n))), vi_all(1));
        mask |= (uint64_t)vm_bits(vi_eq(named, vi_all(1))) << n * VEC_LANES;
    }
    mask &= lw_wave_exec(w);
    lw_wave_set_mask(w, hot->dst, mask);
    if (hot->offset & ORDER_EXEC)
        lw_wave_set_mask(w, LW_SGPR_EXEC, mask);
    return LW_STEP_NEXT;
}

/* ---- The lesser and the greater; a row with a NaN in an active lane is left to the general handler ---- */

VEC lw_step select64(lw_wave *w, const lw_hot *hot, bool greater)
{
    row_room room[2][2];
    uint64_t nans = 0;
    const source64 a = source64_read(w, hot, 0, true, room[0]), b = source64_read(w, hot, 1, true, room[1]);
    for (unsigned n = 0; n < row_vectors(w); n++)
        nans |= (uint64_t)vm_bits(vm_or(f64_is_nan(source64_at(&a, n)), f64_is_nan(source64_at(&b, n))))
                << n * VEC_LANES;
    if (nans & lw_wave_exec(w) || !f64_keeps(w))
        return lw_hot_general(w, hot);
    const result64 r = result64_open(w, hot);
    for (unsigned n = 0; n < row_vectors(w); n++) {
        const words64 x = source64_at(&a, n), y = source64_at(&b, n);
        const vm first = greater ? less64(rank_f64(y), rank_f64(x)) : less64(rank_f64(x), rank_f64(y));
        result64_put(&r, n, (words64){ vi_pick(first, x.low, y.low), vi_pick(first, x.high, y.high) });
    }
    return LW_STEP_NEXT;
}

static lw_step hot_v_min_f64(lw_wave *w, const lw_hot *hot)
{
    return select64(w, hot, false);
}

static lw_step hot_v_max_f64(lw_wave *w, const lw_hot *hot)
{
    return select64(w, hot, true);
}

static lw_hot_fn take_select64(const lw_hot_form *form, const lw_decoded *in, lw_hot *hot)
{
    (void)hot;
    return is_plain(in) && !in->clamp && !in->omod ? form->fn[0] : NULL;
}

#define DOUBLE_ROWS(name, orders) COMPARE_ROWS_64(f64, name, orders)
#define LONG_ROWS(name, orders) COMPARE_ROWS_64(i64, name, orders) COMPARE_ROWS_64(u64, name, orders)
#define COMPARE_ROWS_64(type, name, orders)                                                                  \
    { lw_sem_v_cmp_##name##_##type, take_compare, { hot_cmp_##type, NULL, hot_cmp_##type }, orders },        \
        { lw_sem_v_cmpx_##name##_##type,                                                                     \
          take_compare,                                                                                      \
          { hot_cmp_##type, NULL, hot_cmp_##type },                                                          \
          orders | ORDER_EXEC },

/* clang-format off */
#define DOUBLES_FORMS                                                                                        \
    EACH_ORDER_FLOAT(DOUBLE_ROWS) EACH_ORDER_INT(LONG_ROWS)                                                  \
    { lw_sem_v_cmp_class_f64, take_compare, { hot_cmp_class_f64, NULL, hot_cmp_class_f64 }, 0 },             \
    { lw_sem_v_cmpx_class_f64, take_compare, { hot_cmp_class_f64, NULL, hot_cmp_class_f64 }, ORDER_EXEC },   \
    { lw_sem_v_min_f64, take_select64, { hot_v_min_f64 }, 0 },                                               \
    { lw_sem_v_max_f64, take_select64, { hot_v_max_f64 }, 0 }
/* clang-format on */

#endif

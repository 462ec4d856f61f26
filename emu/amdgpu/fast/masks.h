/* SPDX-License-Identifier: MIT */
/* Fast forms of instructions that read or write lane masks: compares, selection, carries. */
#ifndef LW_EMU_AMDGPU_FAST_MASKS_H
#define LW_EMU_AMDGPU_FAST_MASKS_H

#include "emu/amdgpu/fast/ints.h"

/* ---- Compares: a predicate is the set of orderings for which it holds, as in vcmp.c ---- */

enum {
    ORDER_LT = LW_FP_LESS,
    ORDER_EQ = LW_FP_EQUAL,
    ORDER_GT = LW_FP_GREATER,
    ORDER_U = LW_FP_UNORDERED,
    ORDER_ALL = 15,
    ORDER_EXEC = 16, /* v_cmpx: also writes EXEC */
};

VEC vm order_float(int orders, vi x, vi y)
{
    const vf a = vf_from_bits(x), b = vf_from_bits(y);
    switch (orders & ~ORDER_U) {
    case 0:
        return vm_none();
    case ORDER_LT:
        return vf_less(a, b);
    case ORDER_EQ:
        return vf_equal(a, b);
    case ORDER_LT | ORDER_EQ:
        return vf_less_equal(a, b);
    case ORDER_GT:
        return vf_less(b, a);
    case ORDER_LT | ORDER_GT:
        return vm_or(vf_less(a, b), vf_less(b, a));
    case ORDER_EQ | ORDER_GT:
        return vf_less_equal(b, a);
    default:
        return vm_not(vf_unordered(a, b));
    }
}

/* Predicates that are true for NaNs are the negations of those that are false. */
VEC vm lane_order_f32(int orders, vi a, vi b)
{
    return orders & ORDER_U ? vm_not(order_float(ORDER_ALL & ~orders, a, b)) : order_float(orders, a, b);
}

VEC vm lane_order_i32(int orders, vi a, vi b)
{
    vm m = vm_none();
    if (orders & ORDER_LT)
        m = vi_gt(b, a);
    if (orders & ORDER_EQ)
        m = vm_or(m, vi_eq(a, b));
    if (orders & ORDER_GT)
        m = vm_or(m, vi_gt(a, b));
    return m;
}

VEC vm lane_order_u32(int orders, vi a, vi b)
{
    const vi flip = vi_all(INT32_MIN);
    return lane_order_i32(orders, vi_xor(a, flip), vi_xor(b, flip));
}

/* Zero-extended halves, as signed 16-bit numbers. */
VEC vm lane_order_i16(int orders, vi a, vi b)
{
    const vi flip = vi_all(0x8000);
    return lane_order_i32(orders, vi_xor(a, flip), vi_xor(b, flip));
}

VEC vm lane_order_u16(int orders, vi a, vi b)
{
    return lane_order_i32(orders, a, b);
}

VEC vm lane_order_f16(int orders, vi a, vi b)
{
    return lane_order_f32(orders, vf_bits(vf_from_f16(a)), vf_bits(vf_from_f16(b)));
}

/* Inactive lanes get 0. */
VEC lw_step compare(lw_wave *w, const lw_hot *hot, bool edited, lw_vkind kind, int orders,
                    vm (*lane)(int, vi, vi))
{
    row_room room[2];
    vm holds[LW_LANES / VEC_LANES];
    const row a = row_read(w, hot, 0, edited, kind, &room[0]);
    const row b = row_read(w, hot, 1, edited, kind, &room[1]);
    for (unsigned n = 0; n < row_vectors(w); n++)
        holds[n] = lane(orders, row_at(a, n), row_at(b, n));
    const uint64_t mask = vm_row_bits(holds) & row_active(w, hot, edited);
    lw_wave_set_mask(w, hot->dst, mask);
    if (hot->offset & ORDER_EXEC)
        lw_wave_set_mask(w, LW_SGPR_EXEC, mask);
    return LW_STEP_NEXT;
}

/* For any predicate. */
VEC lw_step compare_any(lw_wave *w, const lw_hot *hot, lw_vkind kind, vm (*lane)(int, vi, vi))
{
    row_room room[2];
    uint64_t mask = 0;
    const int orders = hot->offset;
    const row a = row_read(w, hot, 0, true, kind, &room[0]);
    const row b = row_read(w, hot, 1, true, kind, &room[1]);
    for (unsigned n = 0; n < row_vectors(w); n++) {
        const vi x = row_at(a, n), y = row_at(b, n);
        const unsigned less = vm_bits(lane(ORDER_LT, x, y)), equal = vm_bits(lane(ORDER_EQ, x, y)),
                       more = vm_bits(lane(ORDER_GT, x, y)), none = ~(less | equal | more);
        const unsigned bits = (orders & ORDER_LT ? less : 0) | (orders & ORDER_EQ ? equal : 0) |
                              (orders & ORDER_GT ? more : 0) | (orders & ORDER_U ? none : 0);
        mask |= (uint64_t)(bits & ((1u << VEC_LANES) - 1)) << n * VEC_LANES;
    }
    mask &= row_active(w, hot, true);
    lw_wave_set_mask(w, hot->dst, mask);
    if (orders & ORDER_EXEC)
        lw_wave_set_mask(w, LW_SGPR_EXEC, mask);
    return LW_STEP_NEXT;
}

#define COMPARE_ANY(type, kind)                                                                              \
    static lw_step edit_cmp_##type(lw_wave *w, const lw_hot *hot)                                            \
    {                                                                                                        \
        return compare_any(w, hot, kind, lane_order_##type);                                                 \
    }

COMPARE_ANY(f32, LW_V_F32)
COMPARE_ANY(i32, LW_V_B32)
COMPARE_ANY(u32, LW_V_B32)
COMPARE_ANY(f16, LW_V_F16)
COMPARE_ANY(i16, LW_V_B16)
COMPARE_ANY(u16, LW_V_B16)

/* For one predicate and plain sources. */
#define COMPARE_F32(name, orders)                                                                            \
    static lw_step hot_cmp_##name##_f32(lw_wave *w, const lw_hot *hot)                                       \
    {                                                                                                        \
        if (row_flushes(w, LW_V_F32))                                                                        \
            return edit_cmp_f32(w, hot);                                                                     \
        return compare(w, hot, false, LW_V_F32, orders, lane_order_f32);                                     \
    }
#define COMPARE_INT(name, orders)                                                                            \
    static lw_step hot_cmp_##name##_i32(lw_wave *w, const lw_hot *hot)                                       \
    {                                                                                                        \
        return compare(w, hot, false, LW_V_B32, orders, lane_order_i32);                                     \
    }                                                                                                        \
    static lw_step hot_cmp_##name##_u32(lw_wave *w, const lw_hot *hot)                                       \
    {                                                                                                        \
        return compare(w, hot, false, LW_V_B32, orders, lane_order_u32);                                     \
    }

/* clang-format off */
#define EACH_ORDER_INT(X)                                                                                    \
    X(f, 0) X(lt, 1) X(eq, 2) X(le, 3) X(gt, 4) X(ne, 5) X(ge, 6) X(t, 7)
#define EACH_ORDER_FLOAT(X)                                                                                  \
    X(f, 0) X(lt, 1) X(eq, 2) X(le, 3) X(gt, 4) X(lg, 5) X(ge, 6) X(o, 7) X(u, 8) X(nge, 9) X(nlg, 10)       \
    X(ngt, 11) X(nle, 12) X(neq, 13) X(nlt, 14) X(tru, 15)
/* clang-format on */

EACH_ORDER_FLOAT(COMPARE_F32)
EACH_ORDER_INT(COMPARE_INT)

/* hot->dst: the register of the mask (lw_vwrite_mask). */
static lw_hot_fn take_compare(const lw_hot_form *form, const lw_decoded *in, lw_hot *hot)
{
    const lw_opnd *o = in->sdst.kind == LW_OPND_SGPR ? &in->sdst : &in->dst;
    hot->dst = o->kind == LW_OPND_SGPR ? o->reg : LW_SGPR_VCC;
    hot->offset = form->kind;
    if (form->fn[0] && is_plain(in) && (!lw_decoded_has_signs(in) || form->fn[2]))
        return form->fn[0];
    return is_editable(in, hot) ? form->fn[1] : NULL;
}

/* fn[2] not NULL: signs mean nothing. */
#define COMPARE_ROWS(type, name, orders, plain, unsigned_signs)                                              \
    { lw_sem_v_cmp_##name##_##type, take_compare, { plain, edit_cmp_##type, unsigned_signs }, orders },      \
        { lw_sem_v_cmpx_##name##_##type,                                                                     \
          take_compare,                                                                                      \
          { plain, edit_cmp_##type, unsigned_signs },                                                        \
          orders | ORDER_EXEC },
#define FLOAT_ROWS(name, orders)                                                                             \
    COMPARE_ROWS(f32, name, orders, hot_cmp_##name##_f32, NULL) COMPARE_ROWS(f16, name, orders, NULL, NULL)
#define INT_ROWS(name, orders)                                                                               \
    COMPARE_ROWS(i32, name, orders, hot_cmp_##name##_i32, edit_cmp_i32)                                      \
    COMPARE_ROWS(u32, name, orders, hot_cmp_##name##_u32, edit_cmp_u32)                                      \
    COMPARE_ROWS(i16, name, orders, NULL, NULL) COMPARE_ROWS(u16, name, orders, NULL, NULL)

/* ---- Selection ---- */

/* Lanes whose bit is set take source 1. */
VEC lw_step select_lanes(lw_wave *w, const lw_hot *hot, bool edited, lw_vkind kind)
{
    row_room room[2];
    uint32_t apart[LW_LANES];
    const row a = edited ? row_edit(w, hot, 0, kind, false, &room[0]) : row_source(w, hot, 0, 0, &room[0]);
    const row b = edited ? row_edit(w, hot, 1, kind, false, &room[1]) : row_source(w, hot, 1, 0, &room[1]);
    const uint64_t mask = lw_wave_mask(w, (unsigned)hot->offset);
    const row_result r = row_open(w, hot, edited, 0, apart);
    for (unsigned n = 0; n < row_vectors(w); n++)
        row_put(r, n, vi_pick(vm_of((unsigned)(mask >> n * VEC_LANES)), row_at(b, n), row_at(a, n)));
    return row_close(w, hot, edited, LW_VD_FULL, r);
}

FORM(select_lanes, v_cndmask_b32, LW_V_F32)
FORM(select_lanes, v_cndmask_b16, LW_V_F16)

/* Sets the source of the mask. False for a constant in place of a register. */
static bool take_mask(const lw_decoded *in, lw_hot *hot)
{
    const lw_opnd *o = &in->src[2];
    hot->offset = in->enc == LW_ENC_VOP3 && o->kind == LW_OPND_SGPR ? o->reg : LW_SGPR_VCC;
    return in->enc != LW_ENC_VOP3 || o->kind != LW_OPND_INLINE;
}

static lw_hot_fn take_select(const lw_hot_form *form, const lw_decoded *in, lw_hot *hot)
{
    if (in->clamp || in->omod || !take_mask(in, hot))
        return NULL;
    if (is_plain(in) && !lw_decoded_has_signs(in))
        return form->fn[0];
    return is_editable(in, hot) ? form->fn[1] : NULL;
}

/* ---- Carries ---- */

/* a + b plus 1 where `carry` is set, or the same subtracted; *carry becomes the lanes that carry or
 * borrow. */
VEC vi lane_add_carry(vi a, vi b, vm *carry)
{
    const vi one = vi_and(vi_all(1), vi_pick(*carry, vi_all(-1), vi_all(0))), sum = vi_add(a, b);
    const vi all = vi_add(sum, one);
    *carry = vm_not(vm_and(vi_le_u(a, sum), vi_le_u(sum, all)));
    return all;
}

VEC vi lane_sub_borrow(vi a, vi b, vm *carry)
{
    const vi one = vi_and(vi_all(1), vi_pick(*carry, vi_all(-1), vi_all(0))), rest = vi_sub(a, b);
    const vi all = vi_sub(rest, one);
    *carry = vm_not(vm_and(vi_le_u(b, a), vi_le_u(all, rest)));
    return all;
}

/* If the operation has a carry-in, it is the mask in hot->offset. */
VEC lw_step carries(lw_wave *w, const lw_hot *hot, bool edited, bool reverse, bool with_carry,
                    vi (*lane)(vi, vi, vm *))
{
    row_room room[2];
    uint32_t apart[LW_LANES];
    uint64_t out = 0;
    const row a = row_read(w, hot, reverse, edited, LW_V_B32, &room[0]);
    const row b = row_read(w, hot, !reverse, edited, LW_V_B32, &room[1]);
    const uint64_t exec = lw_wave_exec(w), in = with_carry ? lw_wave_mask(w, (unsigned)hot->offset) : 0;
    const row_result r = row_open(w, hot, edited, 0, apart);
    for (unsigned n = 0; n < row_vectors(w); n++) {
        vm carry = with_carry ? vm_of((unsigned)(in >> n * VEC_LANES)) : vm_none();
        row_put(r, n, lane(row_at(a, n), row_at(b, n), &carry));
        out |= (uint64_t)vm_bits(carry) << n * VEC_LANES;
    }
    const lw_step step = row_close(w, hot, edited, LW_VD_FULL, r);
    lw_vwrite_mask(w, hot->in, out & exec);
    return step;
}

FORM(carries, v_add_co_u32, false, false, lane_add_carry)
FORM(carries, v_sub_co_u32, false, false, lane_sub_borrow)
FORM(carries, v_subrev_co_u32, true, false, lane_sub_borrow)
FORM(carries, v_addc_co_u32, false, true, lane_add_carry)
FORM(carries, v_subb_co_u32, false, true, lane_sub_borrow)
FORM(carries, v_subbrev_co_u32, true, true, lane_sub_borrow)

/* DPP, which may keep old carries, is left to the general handler. */
static lw_hot_fn take_carry(const lw_hot_form *form, const lw_decoded *in, lw_hot *hot)
{
    if (in->clamp || in->omod || in->sub == LW_SUB_DPP || !take_mask(in, hot))
        return NULL;
    return is_plain(in) ? form->fn[0] : form->fn[1];
}

/* clang-format off */
#define MASKS_FORMS                                                                                          \
    EACH_ORDER_FLOAT(FLOAT_ROWS) EACH_ORDER_INT(INT_ROWS)                                                    \
    TAKEN(v_cndmask_b32, take_select), TAKEN(v_cndmask_b16, take_select),                                                                       \
    TAKEN(v_add_co_u32, take_carry), TAKEN(v_sub_co_u32, take_carry), TAKEN(v_subrev_co_u32, take_carry),    \
    TAKEN(v_addc_co_u32, take_carry), TAKEN(v_subb_co_u32, take_carry), TAKEN(v_subbrev_co_u32, take_carry)
/* clang-format on */

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Fast forms of atomics of LDS, of global memory and of buffers: all lanes are checked at once, then each
 * does what the general handlers do, in ascending order. Floating-point sums are computed by the host where
 * IEEE 754 determines the result.
 */
#ifndef LW_EMU_AMDGPU_FAST_MEM_ATOMIC_H
#define LW_EMU_AMDGPU_FAST_MEM_ATOMIC_H

#include "emu/amdgpu/fast/halves.h"
#include "emu/amdgpu/fast/mem_buffer.h"
#include "emu/amdgpu/fast/mem_global.h"
#include "emu/amdgpu/fast/mem_lds.h"
#include "emu/amdgpu/memory/access.h"

/* clang-format off */
#define ATOMIC_LDS_OPS(OP)                                                                                   \
    OP(add) OP(sub) OP(rsub) OP(inc) OP(dec) OP(smin) OP(smax) OP(umin) OP(umax) OP(and) OP(or) OP(xor)      \
    OP(mskor) OP(swap) OP(wrap) OP(add_f64) OP(lds_min_f32) OP(lds_max_f32) OP(lds_min_f64) OP(lds_max_f64)  \
    OP(lds_add_f32) OP(lds_pk_add_f16) OP(lds_pk_add_bf16)
/* clang-format on */

/* The operation, in hot->extra; for global memory together with GLOBAL_..., for buffers with BUFFER_... */
enum {
#define NUMBER(op) ATOMIC_LDS_##op,
    ATOMIC_LDS_OPS(NUMBER)
#undef NUMBER
#define NUMBER(op) ATOMIC_##op,
        LW_ATOMIC_OPS(NUMBER) LW_ATOMIC_FLOAT_OPS(NUMBER)
#undef NUMBER
            ATOMIC_MASK = 0xff
};

static const lw_atomic_fn atomic_ops[] = {
#define FUNCTION(op) [ATOMIC_LDS_##op] = lw_atomic_##op,
    ATOMIC_LDS_OPS(FUNCTION)
#undef FUNCTION
#define FUNCTION(op) [ATOMIC_##op] = lw_atomic_##op,
        LW_ATOMIC_OPS(FUNCTION) LW_ATOMIC_FLOAT_OPS(FUNCTION)
#undef FUNCTION
};

/* ---- Sums by the host: if neither the sums nor the numbers are subnormal or NaNs ---- */

/* `field`: the exponent bits. */
VEC bool sum_is_usual(uint64_t x, uint64_t field, uint64_t size)
{
    return !(x & size) || ((x & field) != 0 && (x & size) <= field);
}

VEC bool f32_is_usual(uint32_t x)
{
    return sum_is_usual(x, F32_FIELD, INT32_MAX);
}

VEC uint32_t f32_sum(uint32_t a, uint32_t b)
{
    float x, y;
    memcpy(&x, &a, sizeof(x));
    memcpy(&y, &b, sizeof(y));
    x += y;
    memcpy(&a, &x, sizeof(a));
    return a;
}

VEC uint64_t quick_f32(lw_atomic_fn slow, uint64_t old, uint64_t value, uint64_t compare, unsigned bytes,
                       const lw_wave *w)
{
    const uint32_t r = f32_sum((uint32_t)old, (uint32_t)value);
    if (f32_is_usual((uint32_t)old) && f32_is_usual((uint32_t)value) && f32_is_usual(r))
        return r;
    return slow(old, value, compare, bytes, w);
}

VEC uint64_t quick_f64(lw_atomic_fn slow, uint64_t old, uint64_t value, uint64_t compare, unsigned bytes,
                       const lw_wave *w)
{
    const uint64_t field = UINT64_C(0x7ff) << 52, size = INT64_MAX;
    double x, y;
    uint64_t r;
    memcpy(&x, &old, sizeof(x));
    memcpy(&y, &value, sizeof(y));
    x += y;
    memcpy(&r, &x, sizeof(r));
    if (sum_is_usual(old, field, size) && sum_is_usual(value, field, size) && sum_is_usual(r, field, size))
        return r;
    return slow(old, value, compare, bytes, w);
}

/* Two bf16 numbers: an f32 sum has enough bits for rounding twice. */
VEC uint64_t quick_bf16(lw_atomic_fn slow, uint64_t old, uint64_t value, uint64_t compare, unsigned bytes,
                        const lw_wave *w)
{
    uint64_t r = 0;
    for (unsigned shift = 0; shift < 32; shift += 16) {
        const uint32_t a = (uint32_t)(old >> shift) << 16, b = (uint32_t)(value >> shift) << 16;
        const uint32_t sum = f32_sum(a, b), rounded = (sum + 0x7fff + (sum >> 16 & 1)) & UINT32_C(0xffff0000);
        if (!f32_is_usual(a) || !f32_is_usual(b) || !f32_is_usual(sum) || !f32_is_usual(rounded))
            return slow(old, value, compare, bytes, w);
        r |= (uint64_t)(rounded >> 16) << shift;
    }
    return r;
}

/* Two f16 numbers, the same in all lanes: loading words just stored piece by piece would stall. */
VEC uint64_t quick_f16(lw_atomic_fn slow, uint64_t old, uint64_t value, uint64_t compare, unsigned bytes,
                       const lw_wave *w)
{
    const uint32_t a = (uint32_t)old, b = (uint32_t)value;
    uint32_t sum[VEC_LANES];
    vi_store(sum, pair_sum(vi_each(&a), vi_each(&b)));
    const uint32_t r = sum[0];
    for (unsigned shift = 0; shift < 32; shift += 16)
        if (!sum_is_usual(a >> shift, F16_FIELD, 0x7fff) || !sum_is_usual(b >> shift, F16_FIELD, 0x7fff) ||
            !sum_is_usual(r >> shift, F16_FIELD, 0x7fff))
            return slow(old, value, compare, bytes, w);
    return r;
}

/* clang-format off */
#define ATOMIC_SUMS(SUM)                                                                                     \
    SUM(lds_add_f32, LDS_lds_add_f32, f32) SUM(add_f32, add_f32, f32) SUM(add_f64, add_f64, f64)             \
    SUM(lds_pk_add_f16, LDS_lds_pk_add_f16, f16) SUM(pk_add_f16, pk_add_f16, f16)                            \
    SUM(lds_pk_add_bf16, LDS_lds_pk_add_bf16, bf16) SUM(pk_add_bf16, pk_add_bf16, bf16)
/* clang-format on */

#define SUM_FUNCTION(op, number, type)                                                                       \
    static uint64_t quick_##op(uint64_t old, uint64_t value, uint64_t compare, unsigned bytes,               \
                               const lw_wave *w)                                                             \
    {                                                                                                        \
        return quick_##type(lw_atomic_##op, old, value, compare, bytes, w);                                  \
    }
ATOMIC_SUMS(SUM_FUNCTION)
#undef SUM_FUNCTION

static lw_atomic_fn atomic_function(unsigned number)
{
    switch (number) {
#define SUM_CASE(op, number, type)                                                                           \
    case ATOMIC_##number:                                                                                    \
        return quick_##op;
        ATOMIC_SUMS(SUM_CASE)
#undef SUM_CASE
    case ATOMIC_LDS_add_f64:
        return quick_add_f64;
    default:
        return atomic_ops[number];
    }
}

/* `compare`: the row of the comparand, or NULL. `data` may be the row of the result. */
VEC lw_step atomic_lanes(lw_wave *w, const lw_hot *hot, const places *p, unsigned bytes, const uint32_t *data,
                         const uint32_t *compare)
{
    const lw_atomic_fn op = atomic_function(hot->extra & ATOMIC_MASK);
    uint32_t *to = hot->in->dst.kind == LW_OPND_NONE ? NULL : row_of_result(w, hot);
    uint64_t changed = 0;
    for (uint64_t left = p->active; left; left &= left - 1) {
        const unsigned lane = places_first(left);
        const uint64_t other = compare ? lw_atomic_get(compare + lane, bytes) : 0;
        const uint64_t old = lw_atomic_exchange(p->host + p->at[lane], bytes, op,
                                                lw_atomic_get(data + lane, bytes), other, w, &changed);
        if (to)
            lw_atomic_put(to + lane, bytes, old);
    }
    lw_atomic_count(w, changed);
    return LW_STEP_NEXT;
}

VEC lw_step lds_atomic(lw_wave *w, const lw_hot *hot, unsigned bytes)
{
    places p = { .active = lw_wave_exec(w) };
    if (!p.active)
        return LW_STEP_NEXT;
    if (!places_may_store(w) || !lds_places(w, hot, (uint32_t)hot->offset, bytes, &p))
        return lw_hot_general(w, hot);
    const bool two = hot->in->src[2].kind != LW_OPND_NONE;
    return atomic_lanes(w, hot, &p, bytes, places_data(w, hot, 1), two ? places_data(w, hot, 2) : NULL);
}

VEC lw_step global_atomic(lw_wave *w, const lw_hot *hot, unsigned bytes)
{
    places p = { .active = lw_wave_exec(w) };
    if (!p.active)
        return LW_STEP_NEXT;
    if (!places_may_store(w) || !flat_places(w, hot, bytes, true, &p))
        return lw_hot_general(w, hot);
    const bool two = hot->in->src[1].dwords * 4u > bytes;
    const uint32_t *data = places_data(w, hot, 1);
    return atomic_lanes(w, hot, &p, bytes, data, two ? data + bytes / 4 * LW_LANES : NULL);
}

/* The data registers are also those of the result. */
VEC lw_step buffer_atomic(lw_wave *w, const lw_hot *hot, unsigned bytes)
{
    places p = { .active = lw_wave_exec(w) };
    if (!p.active)
        return LW_STEP_NEXT;
    if (!places_may_store(w) || !buffer_places(w, hot, bytes, true, &p))
        return lw_hot_general(w, hot);
    const bool two = hot->in->src[3].dwords * 4u > bytes;
    const uint32_t *data = row_of_result(w, hot);
    return atomic_lanes(w, hot, &p, bytes, data, two ? data + bytes / 4 * LW_LANES : NULL);
}

PLACES_FN(lds_atomics, lds_atomic, 4)
PLACES_FN(lds_atomics, lds_atomic, 8)
PLACES_FN(global_atomics, global_atomic, 4)
PLACES_FN(global_atomics, global_atomic, 8)
PLACES_FN(buffer_atomics, buffer_atomic, 4)
PLACES_FN(buffer_atomics, buffer_atomic, 8)

static lw_hot_fn take_lds_atomic(const lw_hot_form *form, const lw_decoded *in, lw_hot *hot)
{
    hot->extra = (uint32_t)form->kind;
    if (in->gds || (in->row->bytes != 4 && in->row->bytes != 8))
        return NULL;
    return in->row->bytes == 4 ? lds_atomics_4 : lds_atomics_8;
}

static lw_hot_fn take_global_atomic(const lw_hot_form *form, const lw_decoded *in, lw_hot *hot)
{
    hot->extra = (uint32_t)form->kind;
    if (!place_global(in, hot) || (in->row->bytes != 4 && in->row->bytes != 8))
        return NULL;
    return in->row->bytes == 4 ? global_atomics_4 : global_atomics_8;
}

static lw_hot_fn take_buffer_atomic(const lw_hot_form *form, const lw_decoded *in, lw_hot *hot)
{
    const lw_opnd *data = &in->src[3];
    if (in->lds || (in->row->bytes != 4 && in->row->bytes != 8))
        return NULL;
    if (in->dst.kind != LW_OPND_NONE && (in->dst.kind != data->kind || in->dst.reg != data->reg))
        return NULL;
    place_buffer(in, false, hot);
    hot->extra = (hot->extra & (BUFFER_OFFSET | BUFFER_INDEX)) | (uint32_t)form->kind;
    hot->to = data->kind == LW_OPND_AGPR ? LW_FROM_AGPR : LW_FROM_VGPR;
    hot->dst = (uint32_t)data->reg * LW_LANES;
    return in->row->bytes == 4 ? buffer_atomics_4 : buffer_atomics_8;
}

#define ATOMIC_LDS_FORM(op) { lw_sem_ds_##op, take_lds_atomic, { 0 }, ATOMIC_LDS_##op },
#define ATOMIC_GLOBAL_FORM(op) { lw_sem_flat_atomic_##op, take_global_atomic, { 0 }, ATOMIC_##op },
#define ATOMIC_BUFFER_FORM(op) { lw_sem_buffer_atomic_##op, take_buffer_atomic, { 0 }, ATOMIC_##op },

/* clang-format off */
#define MEM_ATOMIC_FORMS                                                                                     \
    ATOMIC_LDS_OPS(ATOMIC_LDS_FORM) LW_ATOMIC_OPS(ATOMIC_GLOBAL_FORM) LW_ATOMIC_FLOAT_OPS(ATOMIC_GLOBAL_FORM) \
    LW_ATOMIC_OPS(ATOMIC_BUFFER_FORM) LW_ATOMIC_FLOAT_OPS(ATOMIC_BUFFER_FORM)
/* clang-format on */

#endif

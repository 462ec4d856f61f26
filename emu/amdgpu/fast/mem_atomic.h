/* SPDX-License-Identifier: MIT */
/*
 * Fast forms of atomics of LDS and of global memory: all lanes are checked at once, then each does what the
 * general handlers do, in ascending order.
 */
#ifndef LW_EMU_AMDGPU_FAST_MEM_ATOMIC_H
#define LW_EMU_AMDGPU_FAST_MEM_ATOMIC_H

#include "emu/amdgpu/fast/mem_global.h"
#include "emu/amdgpu/fast/mem_lds.h"
#include "emu/amdgpu/memory/access.h"

/* clang-format off */
#define ATOMIC_LDS_OPS(OP)                                                                                   \
    OP(add) OP(sub) OP(rsub) OP(inc) OP(dec) OP(smin) OP(smax) OP(umin) OP(umax) OP(and) OP(or) OP(xor)      \
    OP(mskor) OP(swap) OP(wrap) OP(add_f64) OP(lds_min_f32) OP(lds_max_f32) OP(lds_min_f64) OP(lds_max_f64)  \
    OP(lds_add_f32) OP(lds_pk_add_f16) OP(lds_pk_add_bf16)
/* clang-format on */

/* Which operation, in hot->extra; for global memory beside GLOBAL_... */
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

/* `compare`: the row of the comparand, NULL: there is none. */
VEC lw_step atomic_lanes(lw_wave *w, const lw_hot *hot, const places *p, unsigned bytes,
                         const uint32_t *compare)
{
    const lw_atomic_fn op = atomic_ops[hot->extra & ATOMIC_MASK];
    const uint32_t *data = places_data(w, hot, 1);
    uint32_t *to = hot->in->dst.kind == LW_OPND_NONE ? NULL : row_of_result(w, hot);
    for (uint64_t left = p->active; left; left &= left - 1) {
        const unsigned lane = places_first(left);
        const uint64_t other = compare ? lw_atomic_get(compare + lane, bytes) : 0;
        const uint64_t old =
            lw_atomic_apply(p->host + p->at[lane], bytes, op, lw_atomic_get(data + lane, bytes), other, w);
        if (to)
            lw_atomic_put(to + lane, bytes, old);
    }
    places_count_stores(w, p->active, 1);
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
    return atomic_lanes(w, hot, &p, bytes, two ? places_data(w, hot, 2) : NULL);
}

VEC lw_step global_atomic(lw_wave *w, const lw_hot *hot, unsigned bytes)
{
    places p = { .active = lw_wave_exec(w) };
    if (!p.active)
        return LW_STEP_NEXT;
    if (!places_may_store(w) || !flat_places(w, hot, bytes, true, &p))
        return lw_hot_general(w, hot);
    const bool two = hot->in->src[1].dwords * 4u > bytes;
    return atomic_lanes(w, hot, &p, bytes, two ? places_data(w, hot, 1) + bytes / 4 * LW_LANES : NULL);
}

PLACES_FN(lds_atomics, lds_atomic, 4)
PLACES_FN(lds_atomics, lds_atomic, 8)
PLACES_FN(global_atomics, global_atomic, 4)
PLACES_FN(global_atomics, global_atomic, 8)

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

#define ATOMIC_LDS_FORM(op) { lw_sem_ds_##op, take_lds_atomic, { 0 }, ATOMIC_LDS_##op },
#define ATOMIC_GLOBAL_FORM(op) { lw_sem_flat_atomic_##op, take_global_atomic, { 0 }, ATOMIC_##op },

/* clang-format off */
#define MEM_ATOMIC_FORMS                                                                                     \
    ATOMIC_LDS_OPS(ATOMIC_LDS_FORM) LW_ATOMIC_OPS(ATOMIC_GLOBAL_FORM) LW_ATOMIC_FLOAT_OPS(ATOMIC_GLOBAL_FORM)
/* clang-format on */

#endif

/* SPDX-License-Identifier: MIT */
/*
 * atom and red: lanes one after the other, from lane 0 on. Warps take turns between instructions; each
 * instruction is therefore atomic. Blocks that access the same global memory are run again in order
 * (emu/device/watch.h).
 */
#include "emu/num/fp.h"
#include "emu/ptx/bulk.h"
#include "emu/ptx/decode.h"
#include "emu/ptx/floats.h"
#include "emu/ptx/reductions.h"

/* An atomic that writes what was there changes nothing (emu/device/still.c). */
static void note_change(lw_ptx_warp *w, const uint8_t *at, const void *value, uint32_t size)
{
    if (memcmp(at, value, size) != 0)
        lw_note_store(w->head.group->worker, at, size);
}

/* Reads, computes and writes back; the old value is the result of atom. */
static lw_ptx_step atomic(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    const uint32_t bytes = lw_ptx_types[r->type].bits / 8u;
    for (unsigned lane = 0; lane < LW_PTX_LANES; lane++) {
        uint64_t in[LW_PTX_MOST_SOURCES] = { 0, 0, 0, 0 };
        if (!(lanes >> lane & 1))
            continue;
        for (unsigned i = 0; i < r->src_count; i++)
            in[i + 1] = lw_ptx_get(w, &r->src[i], lane);
        uint8_t *at = lw_ptx_reach(w, lane, r->space, lw_ptx_address(w, r, lane), bytes, true);
        if (!at)
            return LW_PTX_STEP_FAULT;
        uint64_t old = 0;
        memcpy(&old, at, bytes);
        in[0] = lw_ptx_extend(old, 8 * bytes, r->dst_signed);
        const uint64_t v = r->handler->lane(r, in);
        note_change(w, at, &v, bytes);
        memcpy(at, &v, bytes);
        if (r->dst_count)
            lw_ptx_put(w, &r->dst[0], lane, old);
    }
    return LW_PTX_STEP_NEXT;
}

uint64_t lw_ptx_joined(const lw_ptx_record *r, uint64_t a, uint64_t b)
{
    return r->word == LW_PTX_WORD_AND ? a & b : r->word == LW_PTX_WORD_OR ? a | b : a ^ b;
}

/* inc counts up to b, then continues with 0; dec counts down from b. */
uint64_t lw_ptx_wrapped(const lw_ptx_record *r, uint64_t a, uint64_t b)
{
    if (r->word == LW_PTX_WORD_INC)
        return a >= b ? 0 : a + 1;
    return a == 0 || a > b ? b : a - 1;
}

uint64_t lw_ptx_selected(const lw_ptx_record *r, uint64_t a, uint64_t b)
{
    const bool less = r->dst_signed ? (int64_t)a < (int64_t)b : a < b;
    return less == (r->word == LW_PTX_WORD_MIN) ? a : b;
}

/* Adds each half of a packed type separately. f32 subnormals are flushed in global memory, but not in shared
 * memory and not by cp.reduce.async.bulk; a generic address is treated as global here, which no source
 * describes. */
uint64_t lw_ptx_added(const lw_ptx_record *r, uint64_t a, uint64_t b)
{
    const unsigned parts = lw_ptx_types[r->type].bits / r->dst_bits;
    const bool keep = r->fmt != &lw_fp_f32 || r->space == LW_PTX_WORD_SHARED ||
                      r->space == LW_PTX_WORD_SHARED_CTA || r->space == LW_PTX_WORD_SHARED_CLUSTER ||
                      lw_ptx_has(r, LW_PTX_GROUP_BULK);
    const lw_fp_env e = { .keep_in = keep, .keep_out = keep, .ieee = true };
    uint64_t v = 0;
    for (unsigned i = 0; i < parts; i++) {
        const unsigned at = i * r->dst_bits;
        const uint64_t mask = lw_ptx_mask(r->dst_bits);
        uint64_t sum = lw_fp_add(r->fmt, &e, a >> at & mask, b >> at & mask);
        if (lw_fp_is_nan(r->fmt, sum) && r->dst_bits < 64)
            sum = lw_fp_sign_bit(r->fmt) - 1;
        v |= sum << at;
    }
    return v;
}

/* .noftz: nothing is flushed. */
uint64_t lw_ptx_selected_float(const lw_ptx_record *r, uint64_t a, uint64_t b)
{
    const unsigned parts = lw_ptx_types[r->type].bits / r->dst_bits;
    const uint64_t mask = lw_ptx_mask(r->dst_bits);
    uint64_t v = 0;
    for (unsigned i = 0; i < parts; i++) {
        const unsigned at = i * r->dst_bits;
        v |= lw_ptx_chosen(r, a >> at & mask, b >> at & mask, r->word == LW_PTX_WORD_MAX) << at;
    }
    return v;
}

/* Vectors: the elements one after the other, each atomic by itself. */
static lw_ptx_step atomic_vector(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    const uint32_t bytes = lw_ptx_types[r->type].bits / 8u, size = bytes * r->src_count;
    for (unsigned lane = 0; lane < LW_PTX_LANES; lane++) {
        if (!(lanes >> lane & 1))
            continue;
        uint8_t *at = lw_ptx_reach(w, lane, r->space, lw_ptx_address(w, r, lane), size, true);
        if (!at)
            return LW_PTX_STEP_FAULT;
        for (unsigned i = 0; i < r->src_count; i++) {
            uint64_t in[LW_PTX_MOST_SOURCES] = { 0, lw_ptx_get(w, &r->src[i], lane), 0, 0 };
            memcpy(&in[0], at + (size_t)i * bytes, bytes);
            const uint64_t v = r->handler->lane(r, in);
            note_change(w, at + (size_t)i * bytes, &v, bytes);
            memcpy(at + (size_t)i * bytes, &v, bytes);
            if (r->dst_count)
                lw_ptx_put(w, &r->dst[i], lane, in[0]);
        }
    }
    return LW_PTX_STEP_NEXT;
}

/* exch and cas of 128 bits: sources are pairs of 64, the lower first. */
static lw_ptx_step atomic_wide(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    enum { BYTES = 16 };
    const bool compares = lw_ptx_has(r, LW_PTX_GROUP_CAS);
    for (unsigned lane = 0; lane < LW_PTX_LANES; lane++) {
        uint64_t in[LW_PTX_MOST_SOURCES] = { 0, 0, 0, 0 }, old[2];
        if (!(lanes >> lane & 1))
            continue;
        for (unsigned i = 0; i < r->src_count; i++)
            in[i] = lw_ptx_get(w, &r->src[i], lane);
        uint8_t *at = lw_ptx_reach(w, lane, r->space, lw_ptx_address(w, r, lane), BYTES, true);
        if (!at)
            return LW_PTX_STEP_FAULT;
        memcpy(old, at, BYTES);
        if (!compares || memcmp(old, in, BYTES) == 0) {
            note_change(w, at, compares ? &in[2] : in, BYTES);
            memcpy(at, compares ? &in[2] : in, BYTES);
        }
        for (unsigned i = 0; r->dst_count == 2 && i < 2; i++)
            lw_ptx_put(w, &r->dst[i], lane, old[i]);
    }
    return LW_PTX_STEP_NEXT;
}

static bool take_wide(lw_ptx_decoding *d, lw_ptx_record *r)
{
    return r->src_count == (lw_ptx_has(r, LW_PTX_GROUP_CAS) ? 4 : 2) ||
           lw_ptx_refuse(d, "constants of 128 bits are not described");
}

const lw_ptx_handler lw_ptx_sem_atom_wide = { .exec = atomic_wide, .prepare = take_wide };

/* a is the old value; b and c are the operands. */
LW_PTX_LANE_OF(atom_bits, atomic, lw_ptx_joined(r, a, b))
LW_PTX_LANE_OF(atom_add, atomic, a + b)
LW_PTX_LANE_OF(atom_add_float, atomic, lw_ptx_added(r, a, b))
LW_PTX_LANE_OF(atom_wrap, atomic, lw_ptx_wrapped(r, a, b))
LW_PTX_LANE_OF(atom_select, atomic, lw_ptx_selected(r, a, b))
LW_PTX_LANE_OF(atom_exch, atomic, b)
LW_PTX_LANE_OF(atom_cas, atomic, a == b ? c : a)
LW_PTX_LANE_OF(atom_add_vector, atomic_vector, lw_ptx_added(r, a, b))
LW_PTX_LANE_OF(atom_select_vector, atomic_vector, lw_ptx_selected_float(r, a, b))

/* Reductions that arrive later. */
#define BULK_REDUCTION(name, expression)                                                                     \
    static uint64_t name##_lane(const lw_ptx_record *r, const uint64_t *in)                                  \
    {                                                                                                        \
        const uint64_t a = in[0], b = in[1];                                                                 \
        (void)r;                                                                                             \
        return expression;                                                                                   \
    }                                                                                                        \
    const lw_ptx_handler lw_ptx_sem_##name = { .exec = lw_ptx_bulk_reduce,                                   \
                                               .lane = name##_lane,                                          \
                                               .prepare = lw_ptx_bulk_take_reduce };

BULK_REDUCTION(cp_reduce_bits, lw_ptx_joined(r, a, b))
BULK_REDUCTION(cp_reduce_add, a + b)
BULK_REDUCTION(cp_reduce_add_float, lw_ptx_added(r, a, b))
BULK_REDUCTION(cp_reduce_wrap, lw_ptx_wrapped(r, a, b))
BULK_REDUCTION(cp_reduce_select, lw_ptx_selected(r, a, b))
BULK_REDUCTION(cp_reduce_select_half, lw_ptx_selected_float(r, a, b))
LW_PTX_LANE_OF(red_async_bits, lw_ptx_value_async, lw_ptx_joined(r, a, b))
LW_PTX_LANE_OF(red_async_add, lw_ptx_value_async, a + b)
LW_PTX_LANE_OF(red_async_wrap, lw_ptx_value_async, lw_ptx_wrapped(r, a, b))
LW_PTX_LANE_OF(red_async_select, lw_ptx_value_async, lw_ptx_selected(r, a, b))

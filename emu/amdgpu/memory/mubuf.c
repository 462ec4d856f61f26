/* SPDX-License-Identifier: MIT */
/* Buffer instructions that move data as they are, and atomics. */
#include "emu/amdgpu/control/handlers.h"
#include "emu/amdgpu/memory/buffer.h"
#include "emu/amdgpu/memory/lds_dma.h"
#include "isa_tables/amdgpu/traits.h"

/* LDS address: M0 (16 bits, 18 from gfx950 on) + the instruction offset. */
static uint32_t lds_base(const lw_wave *w, const lw_decoded *in)
{
    const uint32_t mask = lw_amdgpu_traits_of(w->arch)->lds_dma_m0;
    return (w->sgpr[LW_SGPR_M0] & mask) + (uint32_t)in->offset;
}

/* Adds what fetch would load, for a copy that loads it later. */
static bool add_to_copy(lw_wave *w, const lw_buffer_form *f, const lw_lds_place *to, lw_copy *copy)
{
    const lw_buffer_place p = lw_buffer_place_of(f, to->lane);
    const uint32_t size = to->element->bytes, unit = size < 4 ? size : 4;
    if (!f->swizzle && size <= p.good)
        return lw_lds_dma_add(w, copy, to, 0, size, LW_SOURCE_GLOBAL, p.address);
    for (uint32_t i = 0; i * 4 < size; i++) {
        const lw_copy_source source = i * 4 + unit > p.good ? LW_SOURCE_ZERO : LW_SOURCE_GLOBAL;
        if (!lw_lds_dma_add(w, copy, to, i * 4, unit, source, lw_buffer_dword(f, &p, i)))
            return false;
    }
    return true;
}

static lw_step load_lds(lw_wave *w, const lw_decoded *in, const lw_buffer_form *f, const lw_element *e)
{
    const uint64_t exec = lw_wave_exec(w);
    lw_lds_place to = { .element = e, .base = lds_base(w, in) };
    lw_copy *copy = lw_lds_dma_begin(w);
    bool good = copy != NULL;
    for (to.lane = 0; to.lane < LW_LANES && good; to.lane++)
        if (exec >> to.lane & 1)
            good = add_to_copy(w, f, &to, copy);
    return good ? lw_lds_dma_issue(w, copy) : lw_lds_dma_abandon(w, copy);
}

static lw_step load(lw_wave *w, const lw_decoded *in, bool is_signed)
{
    lw_buffer_form f;
    if (!lw_buffer_open(w, in, &f))
        return LW_STEP_FAULT;
    const lw_element e = lw_element_of(in, is_signed);
    if (in->lds)
        return load_lds(w, in, &f, &e);
    const uint64_t exec = lw_wave_exec(w);
    uint32_t *row = lw_access_row(w, &in->dst);
    for (unsigned lane = 0; lane < LW_LANES; lane++) {
        uint8_t bytes[LW_MAX_ACCESS];
        if (!(exec >> lane & 1))
            continue;
        if (!lw_buffer_fetch(w, &f, lane, &e, bytes))
            return LW_STEP_FAULT;
        lw_element_put(&e, row + lane, bytes);
    }
    return LW_STEP_NEXT;
}

lw_step lw_sem_buffer_load(lw_wave *w, const lw_decoded *in)
{
    return load(w, in, false);
}

lw_step lw_sem_buffer_load_signed(lw_wave *w, const lw_decoded *in)
{
    return load(w, in, true);
}

lw_step lw_sem_buffer_store(lw_wave *w, const lw_decoded *in)
{
    lw_buffer_form f;
    if (!lw_buffer_open(w, in, &f))
        return LW_STEP_FAULT;
    const lw_element e = lw_element_of(in, false);
    const uint64_t exec = lw_wave_exec(w);
    const uint32_t *row = lw_access_row(w, &in->src[3]);
    for (unsigned lane = 0; lane < LW_LANES; lane++) {
        uint8_t bytes[LW_MAX_ACCESS];
        if (!(exec >> lane & 1))
            continue;
        lw_element_get(&e, row + lane, bytes);
        if (!lw_buffer_put(w, &f, lane, &e, bytes))
            return LW_STEP_FAULT;
    }
    return LW_STEP_NEXT;
}

/* Either all of an atomic's bytes are in range, or none is accessed. */
static lw_step run_atomic(lw_wave *w, const lw_decoded *in, lw_atomic_fn op)
{
    lw_buffer_form f;
    if (!lw_buffer_open(w, in, &f))
        return LW_STEP_FAULT;
    const uint64_t exec = lw_wave_exec(w);
    const unsigned bytes = in->row->bytes;
    const uint32_t *data = lw_access_row(w, &in->src[3]);
    const bool compares = in->src[3].dwords * 4u > bytes;
    uint32_t *row = in->dst.kind == LW_OPND_NONE ? NULL : lw_access_row(w, &in->dst);
    for (unsigned lane = 0; lane < LW_LANES; lane++) {
        if (!(exec >> lane & 1))
            continue;
        const lw_buffer_place p = lw_buffer_place_of(&f, lane);
        const uint64_t value = lw_atomic_get(data + lane, bytes);
        const uint64_t compare =
            compares ? lw_atomic_get(data + (size_t)(bytes / 4) * LW_LANES + lane, bytes) : 0;
        uint64_t old = 0;
        if (bytes <= p.good) {
            uint8_t *at = lw_access_buffer(w, (int)lane, p.address, bytes, LW_ACCESS_ATOMIC);
            if (!at)
                return LW_STEP_FAULT;
            old = lw_atomic_apply(at, bytes, op, value, compare, w);
        } else {
            lw_access_dropped(w, (int)lane, p.address, bytes, LW_ACCESS_ATOMIC);
        }
        if (row)
            lw_atomic_put(row + lane, bytes, old);
    }
    return LW_STEP_NEXT;
}

#define BUFFER_ATOMIC(OP)                                                                                    \
    lw_step lw_sem_buffer_atomic_##OP(lw_wave *w, const lw_decoded *in)                                      \
    {                                                                                                        \
        return run_atomic(w, in, lw_atomic_##OP);                                                            \
    }

LW_ATOMIC_OPS(BUFFER_ATOMIC)
LW_ATOMIC_FLOAT_OPS(BUFFER_ATOMIC)
BUFFER_ATOMIC(min_f32)
BUFFER_ATOMIC(max_f32)
BUFFER_ATOMIC(cmpswap_float)
BUFFER_ATOMIC(csub)
BUFFER_ATOMIC(min_num_f32)
BUFFER_ATOMIC(max_num_f32)
BUFFER_ATOMIC(min_num_f64)
BUFFER_ATOMIC(max_num_f64)
BUFFER_ATOMIC(cond_sub)

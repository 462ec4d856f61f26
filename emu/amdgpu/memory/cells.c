/* SPDX-License-Identifier: MIT */
#include "emu/amdgpu/memory/cells.h"

#include "emu/amdgpu/control/handlers.h"
#include "emu/amdgpu/control/machine.h"
#include "emu/amdgpu/memory/lds_dma.h"
#include "isa_tables/amdgpu/traits.h"

enum { COUNT_BITS = 29, FIRST_AT = 32 };

bool lw_cell_arrive(lw_wave *w, int lane, uint32_t address, uint64_t count, uint64_t *old)
{
    const uint32_t count_mask = (UINT32_C(1) << COUNT_BITS) - 1;
    uint64_t cell = 0;
    lw_access_log *log = w->head.log;
    const size_t before = log ? log->count : 0;
    uint8_t *at = lw_access_lds(w, lane, address, sizeof(cell), LW_ACCESS_BOTH);
    if (log && log->count > before)
        log->entries[before].object = true;
    if (at)
        memcpy(&cell, at, sizeof(cell));
    if (old)
        *old = cell;
    if (!at)
        return true;
    uint32_t missing = (uint32_t)cell & count_mask, phase = (uint32_t)cell >> COUNT_BITS;
    if (count > (uint64_t)missing + 1) {
        lw_wave_fault(w, lane,
                      "%llu arrivals at a barrier in LDS whose phase lacks %u: no source says where the rest "
                      "counts",
                      (unsigned long long)count, missing + 1);
        return false;
    }
    const bool ends = count == (uint64_t)missing + 1;
    missing = ends ? (uint32_t)(cell >> FIRST_AT & 0xffff) : missing - (uint32_t)count;
    phase -= ends;
    cell = (cell & ~(uint64_t)UINT32_MAX) | missing | phase << COUNT_BITS;
    memcpy(at, &cell, sizeof(cell));
    return true;
}

lw_step lw_sem_ds_barrier_arrive(lw_wave *w, const lw_decoded *in)
{
    const uint32_t *address = lw_access_row(w, &in->src[0]), *count = lw_access_row(w, &in->src[1]);
    uint32_t *row = lw_access_row(w, &in->dst);
    for (uint64_t left = lw_wave_exec(w); left; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctzll(left);
        uint64_t old;
        if (!lw_cell_arrive(w, (int)lane, address[lane] + (uint32_t)in->offset,
                            lw_atomic_get(count + lane, 8), &old))
            return LW_STEP_FAULT;
        lw_atomic_put(row + lane, 8, old);
    }
    return LW_STEP_NEXT;
}

/* Each active lane arrives once, after the copies that its wave has issued. */
lw_step lw_sem_ds_async_barrier_arrive(lw_wave *w, const lw_decoded *in)
{
    const uint32_t *address = lw_access_row(w, &in->src[0]);
    lw_copy *copy = lw_lds_dma_begin(w);
    bool good = copy != NULL;
    for (uint64_t left = lw_wave_exec(w); left && good; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctzll(left);
        good = lw_lds_dma_add_arrival(w, copy, (int)lane, address[lane] + (uint32_t)in->offset);
    }
    return good ? lw_lds_dma_arrive_later(w, copy) : lw_lds_dma_abandon(w, copy);
}

bool lw_amd_cell(const lw_group *group, unsigned rank, uint64_t address, lw_event_object *object)
{
    uint64_t cell;
    if (!lw_amdgpu_traits_of(group->session->arch)->clusters || address >= group->lds_size ||
        group->lds_size - address < sizeof(cell))
        return false;
    memcpy(&cell, lw_group_lds(group, rank) + address, sizeof(cell));
    const uint32_t missing = (uint32_t)cell & ((UINT32_C(1) << COUNT_BITS) - 1);
    *object = (lw_event_object){ .expected = (uint32_t)(cell >> FIRST_AT & 0xffff) + 1,
                                 .pending = missing + 1,
                                 .phase = cell >> COUNT_BITS & 1 };
    return true;
}

/* SPDX-License-Identifier: MIT */
#include "emu/amdgpu/memory/access.h"

#include "emu/amdgpu/vector/vlane.h"
#include "emu/device/log.h"

#include "isa_tables/amdgpu/rows.h"
#include "isa_tables/amdgpu/traits.h"

static void note(lw_wave *w, int lane, lw_space space, uint64_t address, uint32_t size, lw_access_kind kind,
                 bool dropped)
{
    lw_memory_access *entry = lw_log_next(w->head.log);
    if (!entry)
        return;
    entry->lane = lane;
    entry->space = space;
    entry->load = (kind & LW_ACCESS_LOAD) != 0;
    entry->store = (kind & LW_ACCESS_STORE) != 0;
    entry->dropped = dropped;
    entry->address = address;
    entry->size = size;
}

static void note_store(lw_wave *w, const uint8_t *at, uint32_t size, lw_access_kind kind)
{
    lw_worker *worker = w->head.group->worker;
    if (kind & LW_ACCESS_STORE && (kind != LW_ACCESS_ATOMIC || worker->touches))
        lw_note_store(worker, at, size);
}

/* Compiled printf and assert access memory through a pointer that only a runtime on the host can provide. */
static void fail_global(lw_wave *w, int lane, uint64_t address, uint32_t size, bool store)
{
    enum { NEAR_NULL = 64 * 1024 };
    const lw_session *m = w->head.group->session;
    char why[300];
    lw_mem_explain(&w->head.group->worker->view, address, size, store, why, sizeof(why));
    if (m->null_service && address < NEAR_NULL)
        lw_wave_fault(w, lane, "%s; the kernel takes %s, which printf and assert use, and it is null here",
                      why, m->null_service);
    else
        lw_wave_fault(w, lane, "%s", why);
}

uint8_t *lw_access_global(lw_wave *w, int lane, uint64_t address, uint32_t size, lw_access_kind kind)
{
    const bool store = (kind & LW_ACCESS_STORE) != 0;
    uint8_t *at = lw_mem_at(&w->head.group->worker->view, address, size, store);
    if (!at) {
        fail_global(w, lane, address, size, store);
        return NULL;
    }
    const lw_worker *worker = w->head.group->worker;
    if (worker->watch && worker->view.hit.writable && !lw_watch_note(worker->watch, address, size, store)) {
        lw_wave_fault(w, lane, "there is no memory to record what the launch touches");
        return NULL;
    }
    if (w->head.log)
        note(w, lane, LW_SPACE_GLOBAL, address, size, kind, false);
    note_store(w, at, size, kind);
    return at;
}

void lw_access_dropped(lw_wave *w, int lane, uint64_t address, uint32_t size, lw_access_kind kind)
{
    if (w->head.log)
        note(w, lane, LW_SPACE_GLOBAL, address, size, kind, true);
}

uint8_t *lw_access_lds(lw_wave *w, int lane, uint32_t address, uint32_t size, lw_access_kind kind)
{
    const uint32_t total = w->head.group->lds_size;
    if (address >= total || size > total - address) {
        lw_access_lds_outside(w, lane, address, size, kind);
        return NULL;
    }
    if (w->head.log)
        note(w, lane, LW_SPACE_LDS, address, size, kind, false);
    uint8_t *at = lw_access_lds_base(w) + address;
    note_store(w, at, size, kind);
    return at;
}

void lw_access_lds_outside(lw_wave *w, int lane, uint32_t address, uint32_t size, lw_access_kind kind)
{
    lw_worker *worker = w->head.group->worker;
    if (w->head.log)
        note(w, lane, LW_SPACE_LDS, address, size, kind, true);
    if (worker->outside.times++ && worker->outside_linear <= w->head.group->linear)
        return;
    worker->outside_linear = w->head.group->linear;
    worker->outside_pc = w->head.pc;
    worker->outside = (lw_lds_outside){ .times = worker->outside.times,
                                        .lds_size = w->head.group->lds_size,
                                        .wave = w->head.id,
                                        .lane = lane,
                                        .address = address,
                                        .size = size,
                                        .store = (kind & LW_ACCESS_STORE) != 0 };
    memcpy(worker->outside.workgroup, w->head.group->id, sizeof(w->head.group->id));
}

uint8_t *lw_access_scratch(lw_wave *w, int lane, uint64_t offset, uint32_t size, lw_access_kind kind)
{
    if (offset >= w->scratch_size || size > w->scratch_size - offset) {
        lw_wave_fault(w, lane, "%s scratch byte 0x%llx of the lane's %u",
                      kind & LW_ACCESS_STORE ? "stores to" : "loads from", (unsigned long long)offset,
                      (unsigned)w->scratch_size);
        return NULL;
    }
    if (w->head.log)
        note(w, lane, LW_SPACE_SCRATCH, offset, size, kind, false);
    uint8_t *at = w->scratch + (size_t)lane * w->scratch_size + offset;
    if (kind & LW_ACCESS_STORE)
        lw_note_own_store(&w->head, at, size);
    return at;
}

uint8_t *lw_access_buffer(lw_wave *w, int lane, uint64_t address, uint32_t size, lw_access_kind kind)
{
    const uint64_t at = address - LW_SCRATCH_BUFFER, row = UINT64_C(4) * LW_LANES;
    if (at >= row * (LW_APERTURE_SIZE / 4) || !lw_amdgpu_traits_of(w->arch)->scratch_buffer)
        return lw_access_global(w, lane, address, size, kind);
    if (at % 4 + size > 4) {
        lw_wave_fault(w, lane, "a scratch access through a buffer of %u bytes at byte %u of a dword", size,
                      (unsigned)(at % 4));
        return NULL;
    }
    return lw_access_scratch(w, (int)(at / 4 % LW_LANES), at / row * 4 + at % 4, size, kind);
}

lw_element lw_element_of(const lw_decoded *in, bool is_signed)
{
    const uint32_t flags = in->row->flags;
    return (lw_element){ in->row->bytes, is_signed, (flags & (LW_OPF_D16 | LW_OPF_D16_HI)) != 0,
                         (flags & LW_OPF_D16_HI) != 0, (in->dst.flags & LW_OPND_F_KEEP) != 0 };
}

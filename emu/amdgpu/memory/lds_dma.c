/* SPDX-License-Identifier: MIT */
#include "emu/device/log.h"
#include "emu/amdgpu/memory/lds_dma.h"

#include "emu/amdgpu/control/handlers.h"
#include "emu/amdgpu/memory/cells.h"
#include "emu/amdgpu/vector/vlane.h"
#include "isa_tables/amdgpu/traits.h"

/*
 * vmcnt counts every buffer and flat operation; they complete in order. It has 6 bits; 63 in s_waitcnt means
 * no wait (AMD CDNA3 ISA manual, "Data dependency resolution"; LLVM AMDGPUUsage). An operation that would
 * be the 64th outstanding one cannot issue before the first has completed.
 */
enum { VMCNT_MAX = 63 };

enum { PIECE_SOURCE = 3, PIECE_SIGNED = 4, PIECE_DROPPED = 8, PIECE_FROM_LDS = 16, PIECE_ARRIVES = 32 };

static bool is_random(const lw_group *g)
{
    return g->session->async == LW_ASYNC_RANDOM;
}

lw_copy *lw_lds_dma_begin(lw_wave *w)
{
    if (!w->head.pending)
        w->head.issued++; /* otherwise it was counted before the instruction ran */
    return lw_copies_new(&w->head.group->copies, w->head.id, w->head.pc, w->head.issued - 1);
}

lw_step lw_lds_dma_abandon(lw_wave *w, lw_copy *copy)
{
    if (copy)
        lw_copies_recycle(&w->head.group->copies, copy);
    lw_copies_refuse(&w->head);
    return LW_STEP_FAULT;
}

static bool fits_lds(const lw_wave *w, uint32_t address, uint32_t size)
{
    const uint32_t total = w->head.group->lds_size;
    return address < total && size <= total - address;
}

bool lw_lds_dma_add(lw_wave *w, lw_copy *copy, const lw_lds_place *place, unsigned offset, unsigned bytes,
                    lw_copy_source source, uint64_t address)
{
    const lw_element *e = place->element;
    const uint32_t slot = place->base + place->lane * (e->bytes > 4 ? 16u : 4u);
    const bool inside = fits_lds(w, slot, e->bytes < 4 ? 4u : e->bytes);
    lw_copy_piece *piece = lw_copy_add(copy);
    if (!piece)
        return false;
    *piece = (lw_copy_piece){
        .from = address,
        .to = slot + offset,
        .lane = (int16_t)place->lane,
        .bytes = (uint8_t)(source == LW_SOURCE_ZERO ? 0 : bytes),
        .width = (uint8_t)(bytes < 4 ? 4 : bytes),
        .kind = (uint8_t)(source | (e->is_signed ? PIECE_SIGNED : 0) | (inside ? 0 : PIECE_DROPPED)),
    };
    return true;
}

bool lw_lds_dma_add_at(lw_wave *w, lw_copy *copy, int lane, uint32_t lds, unsigned bytes, uint64_t address,
                       lw_copy_way way)
{
    const unsigned from = way == LW_COPY_FROM_LDS ? PIECE_FROM_LDS : 0;
    const unsigned inside = fits_lds(w, lds, bytes) ? 0 : PIECE_DROPPED;
    lw_copy_piece *piece = lw_copy_add(copy);
    if (!piece)
        return false;
    *piece = (lw_copy_piece){ .from = address,
                              .to = lds,
                              .lane = (int16_t)lane,
                              .bytes = (uint8_t)(way == LW_COPY_ZEROS ? 0 : bytes),
                              .width = (uint8_t)bytes,
                              .kind = (uint8_t)(LW_SOURCE_GLOBAL | from | inside) };
    return true;
}

bool lw_lds_dma_add_arrival(lw_wave *w, lw_copy *copy, int lane, uint32_t cell)
{
    lw_copy_piece *piece = lw_copy_add(copy);
    (void)w;
    if (piece)
        *piece = (lw_copy_piece){ .to = cell, .lane = (int16_t)lane, .kind = PIECE_ARRIVES };
    return piece != NULL;
}

static bool store_piece(lw_wave *w, const lw_copy_piece *p)
{
    const uint8_t *from = lw_access_lds(w, p->lane, p->to, p->width, LW_ACCESS_LOAD);
    if (!from) {
        lw_wave_fault(w, p->lane,
                      "a copy from LDS reads outside the workgroup's LDS, and no source says what it stores");
        return false;
    }
    uint8_t *at = lw_access_global(w, p->lane, p->from, p->bytes, LW_ACCESS_STORE);
    if (at)
        lw_access_move(at, from, p->bytes);
    return at != NULL;
}

/* Moves one run of bytes. False after lw_wave_fault. */
static bool perform_piece(lw_wave *w, const lw_copy_piece *p)
{
    uint8_t bytes[LW_MAX_ACCESS] = { 0 };
    if (p->kind & PIECE_ARRIVES)
        return lw_cell_arrive(w, p->lane, p->to, 1, NULL);
    if (p->kind & PIECE_FROM_LDS)
        return store_piece(w, p);
    if (p->bytes) {
        const bool scratch = (p->kind & PIECE_SOURCE) == LW_SOURCE_SCRATCH;
        const uint8_t *at = scratch ? lw_access_scratch(w, p->lane, p->from, p->bytes, LW_ACCESS_LOAD)
                                    : lw_access_global(w, p->lane, p->from, p->bytes, LW_ACCESS_LOAD);
        if (!at)
            return false;
        lw_access_move(bytes, at, p->bytes);
    }
    if (p->kind & PIECE_DROPPED) {
        lw_access_lds_outside(w, p->lane, p->to, p->width, LW_ACCESS_STORE);
        return true;
    }
    uint8_t *to = lw_access_lds(w, p->lane, p->to, p->width, LW_ACCESS_STORE);
    if (p->bytes == p->width || !p->bytes) {
        lw_access_move(to, bytes, p->width);
        return true;
    }
    const bool is_signed = (p->kind & PIECE_SIGNED) != 0;
    const uint32_t v = lw_element_of_bytes(p->bytes, is_signed, bytes);
    memcpy(to, &v, sizeof(v));
    return true;
}

bool lw_lds_dma_add_lanes(lw_copy *copy, uint64_t active, const uint32_t at[LW_LANES], uint64_t base,
                          uint32_t to, unsigned bytes)
{
    lw_copy_piece *next = lw_copy_room(copy, LW_LANES);
    unsigned after = LW_LANES; /* the last active lane */
    if (!next)
        return false;
    for (uint64_t left = active; left; left &= left - 1) {
        const unsigned lane = lw_ctz64(left);
        if (lane == after && at[lane] > at[lane - 1] && at[lane] - at[lane - 1] == bytes) {
            next[-1].more++;
        } else {
            *next++ = (lw_copy_piece){ .from = base + at[lane],
                                       .to = to + lane * bytes,
                                       .lane = (int16_t)lane,
                                       .bytes = (uint8_t)bytes,
                                       .width = (uint8_t)bytes,
                                       .kind = LW_SOURCE_GLOBAL };
            copy->count++;
        }
        after = lane + 1;
    }
    return true;
}

/* Run i of a piece. */
static lw_copy_piece run_of(const lw_copy_piece *p, unsigned i)
{
    lw_copy_piece run = *p;
    run.from += (uint64_t)i * p->bytes;
    run.to += i * p->width;
    run.lane = (int16_t)(p->lane + (int)i);
    run.more = 0;
    return run;
}

/* Reports a piece to observers that want accesses: for each run, what it loads and what it stores; or for all
 * runs at once. */
static void note_piece(lw_wave *w, const lw_copy_piece *p, bool late)
{
    lw_access_log *log = w->head.log;
    const bool scratch = (p->kind & PIECE_SOURCE) == LW_SOURCE_SCRATCH;
    const unsigned each = log && log->runs ? p->more + 1u : 1;
    const unsigned entries = p->kind & PIECE_ARRIVES ? 0 : (p->more + 1u) / each;
    const bool stores = (p->kind & PIECE_FROM_LDS) != 0;
    lw_memory_access *entry = log ? lw_log_room(log, (size_t)2 * entries) : NULL;
    for (unsigned n = 0; entry && n < entries; n++) {
        const int lane = p->lane + (int)n;
        if (p->bytes)
            *entry++ = (lw_memory_access){ .lane = lane,
                                           .space = scratch ? LW_SPACE_SCRATCH : LW_SPACE_GLOBAL,
                                           .load = !stores,
                                           .store = stores,
                                           .late = late,
                                           .address = p->from + (uint64_t)n * p->bytes,
                                           .size = p->bytes,
                                           .more = each - 1 };
        *entry++ = (lw_memory_access){ .lane = lane,
                                       .space = LW_SPACE_LDS,
                                       .load = stores,
                                       .store = !stores,
                                       .late = late,
                                       .dropped = (p->kind & PIECE_DROPPED) != 0,
                                       .address = p->to + n * p->width,
                                       .size = p->width,
                                       .more = each - 1 };
        log->count += p->bytes ? 2 : 1;
    }
}

static uint32_t bytes_of(const lw_copy_piece *p)
{
    return (p->more + 1u) * p->bytes;
}

/* Whole dwords from global memory to LDS. */
static bool is_plain(const lw_copy_piece *p)
{
    return p->kind == LW_SOURCE_GLOBAL && p->bytes == p->width && p->bytes >= 4;
}

/* Does a piece directly follow the previous one on both sides? */
static bool goes_on(const lw_copy_piece *p, const lw_copy_piece *next)
{
    return is_plain(p) && is_plain(next) && next->from == p->from + bytes_of(p) &&
           next->to == p->to + bytes_of(p);
}

/* Moves consecutive pieces at once. False: nothing was moved; they must be moved one by one. */
static bool perform_run(lw_wave *w, const lw_copy_piece *p, size_t count)
{
    lw_worker *worker = w->head.group->worker;
    const uint32_t bytes = (uint32_t)(p[count - 1].from - p->from) + bytes_of(&p[count - 1]);
    if ((count < 2 && !p->more) || worker->touches)
        return false;
    const uint8_t *at = lw_mem_at(&worker->view, p->from, bytes, false);
    if (!at ||
        (worker->watch && worker->view.hit.writable && !lw_watch_note(worker->watch, p->from, bytes, false)))
        return false;
    memcpy(lw_access_lds_base(w) + p->to, at, bytes);
    for (size_t i = 0; i < count; i++) {
        worker->changes += p[i].more + 1u;
        note_piece(w, &p[i], false);
    }
    return true;
}

/* Moves all pieces of a copy that lie in one region. False: nothing was moved. */
static bool perform_all(lw_wave *w, const lw_copy *copy)
{
    lw_worker *worker = w->head.group->worker;
    const lw_region *r = &worker->view.hit;
    if (!copy->count || worker->touches || !lw_mem_at(&worker->view, copy->pieces[0].from, 1, false) ||
        (worker->watch && r->writable))
        return false;
    for (size_t i = 0; i < copy->count; i++)
        if (!is_plain(&copy->pieces[i]) ||
            !lw_region_holds(r, copy->pieces[i].from, bytes_of(&copy->pieces[i])))
            return false;
    for (size_t i = 0; i < copy->count; i++) {
        const lw_copy_piece *p = &copy->pieces[i];
        const uint8_t *from = r->host + (p->from - r->base);
        uint8_t *to = lw_access_lds_base(w) + p->to;
        if (bytes_of(p) == 16)
            memcpy(to, from, 16);
        else
            memcpy(to, from, bytes_of(p));
        worker->changes += p->more + 1u;
        note_piece(w, p, false);
    }
    return true;
}

static bool perform_alone(lw_wave *w, const lw_copy_piece *p)
{
    for (unsigned i = 0; i <= p->more; i++) {
        const lw_copy_piece run = run_of(p, i);
        if (!perform_piece(w, &run))
            return false;
    }
    return true;
}

static bool perform(lw_wave *w, const lw_copy *copy)
{
    if (perform_all(w, copy))
        return true;
    for (size_t i = 0, end; i < copy->count; i = end) {
        for (end = i + 1; end < copy->count && goes_on(&copy->pieces[end - 1], &copy->pieces[end]);)
            end++;
        if (perform_run(w, &copy->pieces[i], end - i))
            continue;
        for (; i < end; i++)
            if (!perform_alone(w, &copy->pieces[i]))
                return false;
    }
    return true;
}

/* Reports to observers what will be accessed later. */
static void announce(lw_wave *w, const lw_copy *copy)
{
    for (size_t i = 0; w->head.log && !w->head.log->done && i < copy->count; i++)
        note_piece(w, &copy->pieces[i], true);
}

bool lw_amd_copy(lw_wave_head *wave, const lw_copy *copy)
{
    return perform(lw_amd_wave(wave), copy);
}

/* Arrives at a cell of LDS after the wave's copies that are pending now; no wait covers it. */
lw_step lw_lds_dma_arrive_later(lw_wave *w, lw_copy *copy)
{
    lw_copies *copies = &w->head.group->copies;
    copy->owner |= LW_COPY_REPORTS;
    if (w->head.group->session->async == LW_ASYNC_EARLY)
        return lw_lds_dma_issue(w, copy);
    lw_copies_issue(copies, copy);
    return LW_STEP_NEXT;
}

lw_step lw_lds_dma_issue(lw_wave *w, lw_copy *copy)
{
    lw_copies *copies = &w->head.group->copies;
    if (w->head.group->session->async == LW_ASYNC_EARLY) {
        const bool good = perform(w, copy);
        lw_copies_recycle(copies, copy);
        return good ? LW_STEP_NEXT : LW_STEP_FAULT;
    }
    announce(w, copy);
    lw_copies_issue(copies, copy);
    w->head.pending++;
    return LW_STEP_NEXT;
}

lw_step lw_lds_dma_gate(lw_wave *w)
{
    const uint64_t limit = w->head.issued + 1 > VMCNT_MAX ? w->head.issued + 1 - VMCNT_MAX : 0;
    if (is_random(w->head.group) && !lw_copies_drift(&w->head))
        return LW_STEP_FAULT;
    if (lw_copies_covered(&w->head.group->copies, w->head.id, limit)) {
        w->head.wait_limit = limit;
        return LW_STEP_WAIT;
    }
    w->head.issued++;
    return LW_STEP_NEXT;
}

/*
 * At most `left` copies of a kind may be outstanding: gfx1250, where other operations do not count. Copies of
 * the other kind that were issued before the last one awaited complete with it.
 */
static lw_step wait_for_kind(lw_wave *w, uint8_t kind, unsigned left)
{
    unsigned count = 0;
    for (const lw_copy *c = w->head.group->copies.first; c; c = c->next)
        count += c->owner == w->head.id && c->kind == kind;
    if (count <= left)
        return LW_STEP_NEXT;
    for (const lw_copy *c = w->head.group->copies.first; c; c = c->next) {
        if (c->owner != w->head.id || c->kind != kind || --count > left)
            continue;
        w->head.wait_limit = c->index + 1;
        break;
    }
    return LW_STEP_WAIT;
}

/* At most `left` operations may be outstanding. */
static lw_step wait_until(lw_wave *w, unsigned left)
{
    const uint64_t limit = w->head.issued > left ? w->head.issued - left : 0;
    if (!lw_copies_covered(&w->head.group->copies, w->head.id, limit))
        return LW_STEP_NEXT;
    w->head.wait_limit = limit;
    return LW_STEP_WAIT;
}

lw_step lw_sem_s_waitcnt(lw_wave *w, const lw_decoded *in)
{
    if (!w->head.pending)
        return LW_STEP_NEXT;
    const int left = lw_counters_left(lw_amdgpu_traits_of(w->arch)->counters, LW_COUNTER_VM, in->imm);
    return left < 0 ? LW_STEP_NEXT : wait_until(w, (unsigned)left);
}

/* gfx1250: copies between LDS and memory have a counter of their own, of 6 bits, and so have those of tiles.
 */
lw_step lw_sem_s_wait_asynccnt(lw_wave *w, const lw_decoded *in)
{
    return w->head.pending ? wait_for_kind(w, LW_COPY_ASYNC, in->imm & VMCNT_MAX) : LW_STEP_NEXT;
}

lw_step lw_sem_s_wait_tensorcnt(lw_wave *w, const lw_decoded *in)
{
    return w->head.pending ? wait_for_kind(w, LW_COPY_TENSOR, in->imm & VMCNT_MAX) : LW_STEP_NEXT;
}

/* SPDX-License-Identifier: MIT */
/*
 * Fast forms of loads and stores of global memory, including flat addresses, and of scratch: one lookup of
 * the region per wave. All lanes must be in the region of the first lane; everything else, in particular
 * faults, is left to the general handlers.
 */
#ifndef LW_EMU_AMDGPU_FAST_MEM_GLOBAL_H
#define LW_EMU_AMDGPU_FAST_MEM_GLOBAL_H

#include "emu/amdgpu/fast/places.h"

/* A part of a region, reachable with 32-bit offsets. */
typedef struct window {
    uint64_t start; /* device address */
    uint8_t *host;
    uint32_t most; /* the largest offset at which an access may begin */
} window;

/* The window of the region that contains an access. False if there is none, or for a store that must be
 * reported. */
VEC bool window_at(lw_worker *worker, uint64_t address, unsigned bytes, bool store, window *win)
{
    const uint8_t *at = lw_mem_at(&worker->view, address, bytes, false);
    const lw_region *r = &worker->view.hit;
    if (!at || (store && (!r->writable || r->noted)))
        return false;
    const uint64_t offset = address - r->base, half = UINT64_C(1) << 31;
    const uint64_t skipped = r->size > UINT32_MAX && offset > half ? offset - half : 0;
    const uint64_t left = r->size - skipped - bytes;
    win->start = r->base + skipped;
    win->host = r->host + skipped;
    win->most = left < UINT32_MAX ? (uint32_t)left : UINT32_MAX;
    return true;
}

/* Places base + row[lane]. A row that wraps around at 2^32 is outside. */
VEC bool places_from(places *p, window win, uint64_t base, const uint32_t *words)
{
    const uint32_t first = words[places_first(p->active)];
    const uint32_t there = (uint32_t)(base + first - win.start);
    if (first <= there) {
        p->host = win.host + (there - first);
        return places_set(p, words, 0, win.most - (there - first));
    }
    const uint32_t below = first - there, most = UINT32_MAX - below;
    p->host = win.host;
    return places_set(p, words, 0 - below, win.most < most ? win.most : most);
}

/* Do the lanes have the relative addresses of `shape`? Inactive lanes count as being where the first active
 * one is. `words`: their addresses, without the part that all have in common. */
VEC bool has_shape(uint64_t active, const uint32_t *words, const lw_watch_shape *shape, unsigned bytes,
                   bool store)
{
    const vi first = vi_each(words + places_first(active));
    vm same = vm_not(vm_none());
    if (shape->active != active || shape->bytes != bytes || shape->store != store)
        return false;
    for (unsigned n = 0; n < PLACES_VECTORS; n++) {
        if (n == PLACES_VECTORS / 2 && !(active >> LW_LANES / 2))
            break;
        const vi at = places_pick(active, n, vi_load(words + n * VEC_LANES), first);
        same = vm_and(same, vi_eq(vi_sub(at, first), vi_load(shape->from_first + n * VEC_LANES)));
    }
    return !vm_any(vm_not(same));
}

/* Reports the access to the watch of a parallel launch. False if that failed; the general handler then
 * reports why. */
VEC bool global_watch(lw_worker *worker, const lw_hot *hot, const places *p, const uint32_t *words,
                      unsigned bytes, bool store)
{
    const lw_region *r = &worker->view.hit;
    if (!worker->watch || !r->writable)
        return true;
    const uint64_t start = r->base + (uint64_t)(p->host - r->host),
                   first = start + p->at[places_first(p->active)];
    lw_watch_shape *shape = lw_watch_shape_of(worker->watch, (uintptr_t)hot);
    const bool same = has_shape(p->active, words, shape, bytes, store);
    if (same && ((shape->in_line && lw_watch_extends(worker->watch, first, LW_LANES * bytes, store)) ||
                 lw_watch_knows(worker->watch, shape, first)))
        return true;
    const lw_watch_wave wave = { start, p->at, p->active, bytes, places_in_line(p, bytes) };
    return lw_watch_learn(worker->watch, &wave, store, shape, same);
}

VEC uint64_t wide_of(const uint32_t *words, unsigned lane)
{
    return words[lane] | (uint64_t)words[LW_LANES + lane] << 32;
}

/* How an instruction forms addresses; in hot->extra, together with PART_... */
enum {
    GLOBAL_WIDE,
    GLOBAL_NARROW = 1 << 8,
    GLOBAL_FLAT = 2 << 8,
    GLOBAL_SCRATCH = 3 << 8,
    GLOBAL_MASK = 3 << 8
};

VEC bool global_places(lw_wave *w, const lw_hot *hot, unsigned bytes, bool store, places *p)
{
    const uint32_t *words = w->vgpr + hot->at[0];
    const uint64_t offset = (uint64_t)(int64_t)hot->offset;
    const unsigned lane = places_first(p->active);
    lw_worker *worker = w->head.group->worker;
    window win;
    if ((hot->extra & GLOBAL_MASK) == GLOBAL_NARROW) {
        const uint64_t base = lw_wave_sgpr64(w, hot->at[2]) + offset;
        return window_at(worker, base + words[lane], bytes, store, &win) &&
               places_from(p, win, base, words) && global_watch(worker, hot, p, words, bytes, store);
    }
    if (!window_at(worker, wide_of(words, lane) + offset, bytes, store, &win) ||
        ((hot->extra & GLOBAL_MASK) == GLOBAL_FLAT &&
         worker->view.hit.base + worker->view.hit.size > LW_APERTURE_LDS))
        return false;
    p->host = win.host;
    return places_set_wide(p, words, win.start - offset, win.most) &&
           global_watch(worker, hot, p, words, bytes, store);
}

/* The lanes' scratch areas are adjacent. */
VEC bool scratch_places(lw_wave *w, const lw_hot *hot, unsigned bytes, places *p)
{
    static const uint32_t nothing[LW_LANES];
    const uint32_t *words = hot->from[0] == LW_FROM_VGPR ? w->vgpr + hot->at[0] : nothing;
    const uint32_t base = hot->from[2] == LW_FROM_SGPR ? w->sgpr[hot->at[2]] : 0;
    if (w->scratch_size < bytes || w->scratch_size > UINT32_MAX / LW_LANES ||
        !places_set(p, words, base + (uint32_t)hot->offset, w->scratch_size - bytes))
        return false;
    p->host = w->scratch;
    const unsigned first = places_first(p->active);
    for (unsigned lane = 0; lane < LW_LANES; lane++)
        p->at[lane] += (p->active >> lane & 1 ? lane : first) * w->scratch_size;
    return true;
}

VEC bool flat_places(lw_wave *w, const lw_hot *hot, unsigned bytes, bool store, places *p)
{
    return (hot->extra & GLOBAL_MASK) == GLOBAL_SCRATCH ? scratch_places(w, hot, bytes, p)
                                                        : global_places(w, hot, bytes, store, p);
}

VEC void flat_note(lw_wave *w, const lw_hot *hot, const places *p, unsigned bytes, lw_access_kind kind)
{
    const lw_region *r = &w->head.group->worker->view.hit;
    if ((hot->extra & GLOBAL_MASK) == GLOBAL_SCRATCH)
        places_note(w, p, LW_SPACE_SCRATCH, 0, w->scratch_size, bytes, kind);
    else
        places_note(w, p, LW_SPACE_GLOBAL, r->base + (uint64_t)(p->host - r->host), 0, bytes, kind);
}

VEC lw_step global_load(lw_wave *w, const lw_hot *hot, unsigned bytes)
{
    places p = { .active = lw_wave_exec(w) };
    if (!p.active)
        return LW_STEP_NEXT;
    if (!flat_places(w, hot, bytes, false, &p))
        return lw_hot_general(w, hot);
    flat_note(w, hot, &p, bytes, LW_ACCESS_LOAD);
    places_load(&p, bytes, hot->extra, row_of_result(w, hot));
    return LW_STEP_NEXT;
}

VEC lw_step global_store(lw_wave *w, const lw_hot *hot, unsigned bytes)
{
    places p = { .active = lw_wave_exec(w) };
    if (!p.active)
        return LW_STEP_NEXT;
    if (!places_may_store(w) || !flat_places(w, hot, bytes, true, &p))
        return lw_hot_general(w, hot);
    flat_note(w, hot, &p, bytes, LW_ACCESS_STORE);
    places_store(&p, bytes, hot->extra & PART_HIGH ? 16 : 0, places_data(w, hot, 1));
    if ((hot->extra & GLOBAL_MASK) != GLOBAL_SCRATCH || !lw_still_compares_own(w->head.group->session))
        places_count_stores(w, p.active, 1);
    return LW_STEP_NEXT;
}

PLACES_FNS(global_loads, global_load)
PLACES_FNS(global_stores, global_store)

/* False if forms do not support the address. */
static bool place_global(const lw_decoded *in, lw_hot *hot)
{
    const bool narrow = in->src[2].kind == LW_OPND_SGPR;
    hot->extra |= in->seg == LW_SEG_SCRATCH ? GLOBAL_SCRATCH
                  : in->seg == LW_SEG_FLAT  ? GLOBAL_FLAT
                  : narrow                  ? GLOBAL_NARROW
                                            : GLOBAL_WIDE;
    return in->seg == LW_SEG_SCRATCH ||
           (in->src[0].kind == LW_OPND_VGPR && in->src[0].dwords == (narrow ? 1 : 2));
}

static lw_hot_fn take_global_load(const lw_hot_form *form, const lw_decoded *in, lw_hot *hot)
{
    hot->extra = places_part_of(in, form->general == lw_sem_flat_load_signed);
    return !in->lds && place_global(in, hot) ? places_choose(&global_loads, in->row->bytes) : NULL;
}

/* Offsets from a base that all lanes' bytes are less than 4 GiB above. */
VEC bool global_offsets(const lw_wave *w, const lw_hot *hot, places *p, uint64_t *base)
{
    const uint32_t *words = w->vgpr + hot->at[0];
    const uint64_t offset = (uint64_t)(int64_t)hot->offset;
    if ((hot->extra & GLOBAL_MASK) == GLOBAL_NARROW) {
        *base = lw_wave_sgpr64(w, hot->at[2]) + offset;
        return places_set(p, words, 0, UINT32_MAX);
    }
    const uint64_t half = UINT64_C(1) << 31, first = wide_of(words, places_first(p->active));
    *base = first - half + offset;
    return first >= half && places_set_wide(p, words, first - half, UINT32_MAX);
}

/* The bytes are located when the copy arrives. */
VEC lw_step global_copy(lw_wave *w, const lw_hot *hot, unsigned bytes)
{
    const uint32_t to = (w->sgpr[LW_SGPR_M0] & 0x3fffc) + (uint32_t)hot->offset;
    places p = { .active = lw_wave_exec(w) };
    uint64_t base;
    if (!p.active || !places_fit_lds(w, to, bytes) || !global_offsets(w, hot, &p, &base))
        return lw_hot_general(w, hot);
    return places_copy(w, hot, &p, base, to, bytes);
}

static lw_step global_copy_4(lw_wave *w, const lw_hot *hot)
{
    return global_copy(w, hot, 4);
}

static lw_step global_copy_16(lw_wave *w, const lw_hot *hot)
{
    return global_copy(w, hot, 16);
}

/* Scratch and flat addresses are left to the general handler. */
static lw_hot_fn take_global_copy(const lw_hot_form *form, const lw_decoded *in, lw_hot *hot)
{
    (void)form;
    hot->extra = 0;
    const bool known = place_global(in, hot) && in->seg == LW_SEG_GLOBAL;
    return !known ? NULL : in->row->bytes == 4 ? global_copy_4 : in->row->bytes == 16 ? global_copy_16 : NULL;
}

static lw_hot_fn take_global_store(const lw_hot_form *form, const lw_decoded *in, lw_hot *hot)
{
    (void)form;
    hot->extra = places_part_of(in, false);
    return place_global(in, hot) ? places_choose(&global_stores, in->row->bytes) : NULL;
}

/* clang-format off */
#define MEM_GLOBAL_FORMS                                                                                     \
    { lw_sem_flat_load, take_global_load, { 0 }, LW_HOT_NOTES },                                                           \
    { lw_sem_flat_load_signed, take_global_load, { 0 }, LW_HOT_NOTES },                                                    \
    { lw_sem_flat_load_lds, take_global_copy, { 0 }, LW_HOT_NOTES },                                                       \
    { lw_sem_flat_store, take_global_store, { 0 }, LW_HOT_NOTES }
/* clang-format on */

#endif

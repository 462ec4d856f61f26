/* SPDX-License-Identifier: MIT */
/*
 * Fast forms of ld and st: shared and global memory by the warp, kernel parameters once for all lanes. All
 * lanes must be in one region, inside it and aligned; everything else, in particular faults, is left to the
 * handlers.
 */
#ifndef LW_EMU_PTX_FAST_PLACES_H
#define LW_EMU_PTX_FAST_PLACES_H

#include "emu/device/log.h"
#include "emu/ptx/fast/row.h"

enum { MOST_WORDS = 8 };

/* Where the lanes of a warp access memory: host + at[lane]. Lanes that do not execute are at the first one's
 * place. */
typedef struct places {
    uint8_t *host;
    uint32_t at[LW_WATCH_LANES]; /* the upper half is not used */
    uint32_t lanes;
    bool in_line; /* all lanes execute, each where the previous one ends */
} places;

VEC unsigned first_lane(uint32_t lanes)
{
    return (unsigned)__builtin_ctz(lanes);
}

/* The offsets of the lanes, from rows of addresses: at = address + plus. False: a lane is above `most`, its
 * upper word (if `high`) is not 0, or it is not aligned. */
VEC bool places_set(places *p, row low, row high, bool wide, uint64_t plus, uint32_t most, unsigned size,
                    uint32_t skew)
{
    const unsigned first = first_lane(p->lanes);
    const vi add = vi_all((int)(uint32_t)plus), carry_in = vi_all((int)(uint32_t)(plus >> 32));
    const vi end = vi_all((int)most), rest = vi_all((int)(size - 1)), align = vi_all((int)skew);
    vm bad = vm_none();
    vi at[ROW_VECTORS];
    for (unsigned n = 0; n < ROW_VECTORS; n++) {
        const vi word = row_at(low, n), here = vi_add(word, add);
        const vm out = vm_not(vi_le_u(here, end)),
                 odd = vm_not(vi_eq(vi_and(vi_add(here, align), rest), vi_all(0)));
        const vm on = vm_of((p->lanes >> n * VEC_LANES) & ((1u << VEC_LANES) - 1));
        vm wrong = vm_or(out, odd);
        if (wide) {
            const vi carry = vi_pick(vi_le_u(word, here), vi_all(0), vi_all(1));
            const vi top = vi_add(vi_add(row_at(high, n), carry_in), carry);
            wrong = vm_or(wrong, vm_not(vi_eq(top, vi_all(0))));
        }
        bad = vm_or(bad, vm_and(on, wrong));
        at[n] = here;
        vi_store(p->at + n * VEC_LANES, here);
    }
    if (vm_any(bad))
        return false;
    const vi start = vi_each(p->at + first);
    for (unsigned n = 0; p->lanes != UINT32_MAX && n < ROW_VECTORS; n++)
        vi_store(p->at + n * VEC_LANES,
                 vi_pick(vm_of((p->lanes >> n * VEC_LANES) & ((1u << VEC_LANES) - 1)), at[n], start));
    static const uint32_t numbers[LW_PTX_LANES] = { 0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
                                                    11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
                                                    22, 23, 24, 25, 26, 27, 28, 29, 30, 31 };
    vm apart = vm_none();
    for (unsigned n = 0; n < ROW_VECTORS; n++) {
        const vi next = vi_add(start, vi_mul(vi_load(numbers + n * VEC_LANES), vi_all((int)size)));
        apart = vm_or(apart, vm_not(vi_eq(at[n], next)));
    }
    p->in_line = p->lanes == UINT32_MAX && !vm_any(apart);
    return true;
}

/* The address of one lane, of which `high` is NULL for 32 bits. */
VEC row address_row(const lw_ptx_warp *w, const lw_ptx_record *r, unsigned word, row_room *room)
{
    if (r->address.kind == LW_PTX_SOURCE_REGISTER && (word == 0 || r->address.bits == 64))
        return (row){ w->rows + (size_t)(r->address.slot + word) * LW_PTX_LANES, VEC_LANES };
    const uint64_t v = r->address.kind == LW_PTX_SOURCE_SHARED
                           ? r->address.value + ((uint64_t)w->head.rank << LW_PTX_RANK_AT)
                       : r->address.kind == LW_PTX_SOURCE_REGISTER ? 0
                                                                   : r->address.value;
    room->each = vi_all((int)(uint32_t)(v >> 32 * word));
    return (row){ room->lanes, 0 };
}

/* The block's own shared memory. */
VEC bool places_shared(lw_ptx_warp *w, const lw_ptx_record *r, unsigned size, places *p)
{
    const lw_group *g = w->head.group;
    row_room room;
    const row low = address_row(w, r, 0, &room);
    const uint32_t base = (uint32_t)w->head.rank << LW_PTX_RANK_AT;
    p->host = lw_group_lds(g, w->head.rank);
    return g->lds_size >= size &&
           places_set(p, low, low, false, (uint32_t)r->offset - base, g->lds_size - size, size, 0);
}

/* Do the lanes have the relative addresses of `shape`? */
VEC bool has_shape(const places *p, const lw_watch_shape *shape, unsigned size, bool store)
{
    const vi start = vi_each(p->at + first_lane(p->lanes));
    vm other = vm_none();
    if (shape->active != p->lanes || shape->bytes != size || shape->store != store)
        return false;
    for (unsigned n = 0; n < ROW_VECTORS; n++)
        other = vm_or(other, vm_not(vi_eq(vi_sub(vi_load(p->at + n * VEC_LANES), start),
                                          vi_load(shape->from_first + n * VEC_LANES))));
    return !vm_any(other);
}

/* Tells the watch of a parallel launch. False: no memory for that. */
VEC bool places_watch(lw_worker *worker, const lw_ptx_record *r, const places *p, uint64_t start,
                      unsigned size, bool store)
{
    const uint64_t first = start + p->at[first_lane(p->lanes)];
    if (!worker->watch || !worker->view.hit.writable)
        return true;
    if (p->in_line)
        return lw_watch_note(worker->watch, first, (uint64_t)LW_PTX_LANES * size, store);
    lw_watch_shape *shape = lw_watch_shape_of(worker->watch, (uintptr_t)r >> 3);
    const bool same = has_shape(p, shape, size, store);
    if (same && lw_watch_knows(worker->watch, shape, first))
        return true;
    const lw_watch_wave wave = { start, p->at, p->lanes, size, false };
    return lw_watch_learn(worker->watch, &wave, store, shape, same);
}

/* Reports stores that are about to happen. False: no memory to save what they overwrite. */
static bool places_tell(const lw_region *region, const places *p, unsigned size)
{
    if (p->in_line)
        return lw_region_tell(region, p->at[0], (uint64_t)LW_PTX_LANES * size);
    for (uint32_t left = p->lanes; left; left &= left - 1)
        if (!lw_region_tell(region, p->at[first_lane(left)], size))
            return false;
    return true;
}

/* Global memory, in the region of the first lane. `generic`: other windows are left to the handler. */
VEC bool places_global(lw_ptx_warp *w, const lw_ptx_record *r, unsigned size, bool store, places *p)
{
    lw_worker *worker = w->head.group->worker;
    row_room rooms[2];
    const row low = address_row(w, r, 0, &rooms[0]), high = address_row(w, r, 1, &rooms[1]);
    const unsigned lane = first_lane(p->lanes);
    const unsigned at = (unsigned)(low.step ? lane : 0), at_high = (unsigned)(high.step ? lane : 0);
    const uint64_t address = (low.at[at] | (uint64_t)high.at[at_high] << 32) + r->offset;
    const uint8_t *there = lw_mem_at(&worker->view, address, size, false);
    const lw_region *hit = &worker->view.hit;
    if (!there || hit->guarded || hit->size > UINT32_MAX || hit->base + hit->size > LW_APERTURE_LDS ||
        (store && !hit->writable))
        return false;
    p->host = hit->host;
    return places_set(p, low, high, true, r->offset - hit->base, (uint32_t)hit->size - size, size,
                      (uint32_t)hit->base) &&
           places_watch(worker, r, p, hit->base, size, store) &&
           (!store || !hit->noted || places_tell(hit, p, size));
}

/* Reports accesses to observers that want them. */
VEC void places_note(lw_ptx_warp *w, const places *p, bool shared, unsigned size, bool store)
{
    if (!w->head.log)
        return;
    const lw_log_lanes lanes = { .at = p->at,
                                 .active = p->lanes,
                                 .base = shared ? 0 : w->head.group->worker->view.hit.base,
                                 .size = size,
                                 .space = shared ? LW_SPACE_LDS : LW_SPACE_GLOBAL,
                                 .load = !store,
                                 .store = store };
    lw_log_wave(w->head.log, &lanes);
}

/* ---- Loads ---- */

VEC void load_words(const places *p, unsigned words, uint32_t *to, unsigned step)
{
    for (unsigned lane = 0; lane < LW_PTX_LANES; lane++) {
        const uint8_t *from = p->host + p->at[lane];
        for (unsigned i = 0; i < words; i++)
            memcpy(to + i * step + lane, from + 4 * (size_t)i, 4);
    }
}

/* Four words of four lanes that lie at equal distances. */
VEC void load_four(const places *p, unsigned lane, uint32_t *to, unsigned step)
{
    const uint32_t *at = p->at + lane;
    const uint32_t apart = at[1] - at[0];
    uint32_t four[16];
    if (at[2] - at[1] == apart && at[3] - at[2] == apart && apart % 4 == 0 && apart < 1u << 30) {
        vec_turn_four((const uint32_t *)(const void *)(p->host + at[0]), (int)(apart / 4), to + lane,
                      (int)step);
        return;
    }
    for (unsigned i = 0; i < 4; i++)
        memcpy(four + 4 * i, p->host + at[i], 16);
    vec_turn_four(four, 4, to + lane, (int)step);
}

VEC void load_rows(const places *p, unsigned words, uint32_t *to, unsigned step)
{
    if (words == 1 && p->in_line)
        memcpy(to, p->host + p->at[0], LW_PTX_LANES * sizeof(*to));
    else if (words == 4)
        for (unsigned lane = 0; lane < LW_PTX_LANES; lane += 4)
            load_four(p, lane, to, step);
    else
        load_words(p, words, to, step);
}

/* One number of 8 or 16 bits a lane, extended to the register. */
VEC void load_parts(const places *p, const lw_ptx_record *r, uint32_t *to)
{
    const unsigned bits = r->dst_bits, kept = r->dst[0].bits;
    const uint32_t sign = r->dst_signed ? UINT32_C(1) << (bits - 1) : 0;
    const uint32_t field = (uint32_t)lw_ptx_mask(kept);
    for (unsigned lane = 0; lane < LW_PTX_LANES; lane++) {
        uint32_t v = 0;
        memcpy(&v, p->host + p->at[lane], bits / 8u);
        to[lane] = ((v ^ sign) - sign) & field;
    }
}

VEC void put_rows(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes, unsigned words,
                  const uint32_t *from)
{
    const unsigned each = r->dst[0].bits == 64 ? 2 : 1;
    for (unsigned i = 0; i < words; i++) {
        uint32_t *to = w->rows + (size_t)(r->dst[i / each].slot + i % each) * LW_PTX_LANES;
        for (unsigned n = 0; n < ROW_VECTORS; n++)
            row_put(to, n, lanes, vi_load(from + i * LW_PTX_LANES + n * VEC_LANES));
    }
}

VEC lw_ptx_step load(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes, bool shared, unsigned words)
{
    uint32_t apart[MOST_WORDS * LW_PTX_LANES];
    const unsigned size = words ? 4 * words : r->dst_bits / 8u;
    places p;
    p.lanes = lanes;
    if (!lanes)
        return LW_PTX_STEP_NEXT;
    if (!(shared ? places_shared(w, r, size, &p) : places_global(w, r, size, false, &p)))
        return r->handler->exec(w, r, lanes);
    places_note(w, &p, shared, size, false);
    if (!words) {
        load_parts(&p, r, apart);
        put_rows(w, r, lanes, 1, apart);
    } else if (lanes == UINT32_MAX && r->hot.together) {
        load_rows(&p, words, row_of_result(w, r), LW_PTX_LANES);
    } else {
        load_rows(&p, words, apart, LW_PTX_LANES);
        put_rows(w, r, lanes, words, apart);
    }
    return LW_PTX_STEP_NEXT;
}

/* ---- Stores: lane by lane, so that the last one wins ---- */

VEC const uint32_t *stored_row(const lw_ptx_warp *w, const lw_ptx_source *s, unsigned word, uint32_t *room)
{
    if (s->kind == LW_PTX_SOURCE_REGISTER)
        return w->rows + (size_t)(s->slot + word) * LW_PTX_LANES;
    const uint64_t v = lw_ptx_get(w, s, 0);
    for (unsigned lane = 0; lane < LW_PTX_LANES; lane++)
        room[lane] = (uint32_t)(v >> 32 * word);
    return room;
}

VEC lw_ptx_step store(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes, bool shared, unsigned words)
{
    uint32_t rooms[MOST_WORDS][LW_PTX_LANES];
    const uint32_t *from[MOST_WORDS];
    const unsigned size = words ? 4 * words : r->src_bits / 8u, each = r->src_bits == 64 ? 2 : 1;
    lw_worker *worker = w->head.group->worker;
    places p;
    p.lanes = lanes;
    if (!lanes)
        return LW_PTX_STEP_NEXT;
    if (worker->touches || !(shared ? places_shared(w, r, size, &p) : places_global(w, r, size, true, &p)))
        return r->handler->exec(w, r, lanes);
    places_note(w, &p, shared, size, true);
    for (unsigned i = 0; i < (words ? words : 1); i++)
        from[i] = stored_row(w, &r->src[i / each], i % each, rooms[i]);
    worker->changes += (uint64_t)__builtin_popcount(lanes);
    if (words == 1 && p.in_line) {
        memcpy(p.host + p.at[0], from[0], LW_PTX_LANES * sizeof(**from));
        return LW_PTX_STEP_NEXT;
    }
    for (uint32_t left = lanes; left; left &= left - 1) {
        const unsigned lane = first_lane(left);
        uint32_t v[MOST_WORDS];
        for (unsigned i = 0; i < (words ? words : 1); i++)
            v[i] = from[i][lane];
        memcpy(p.host + p.at[lane], v, size);
    }
    return LW_PTX_STEP_NEXT;
}

/* ---- Kernel parameters: the same value for all lanes ---- */

static lw_ptx_step form_parameter(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    const lw_ptx_launch *l = w->head.group->session->own;
    const unsigned each = r->dst_bits / 8u;
    const uint32_t at = (uint32_t)(r->address.value + r->offset);
    const uint32_t size = r->dst_count * each;
    if (lanes != UINT32_MAX || at % size || at > l->function->param_size ||
        size > l->function->param_size - at)
        return r->handler->exec(w, r, lanes);
    for (unsigned i = 0; i < r->dst_count; i++) {
        uint32_t *to = w->rows + (size_t)r->dst[i].slot * LW_PTX_LANES;
        uint32_t v[2] = { 0, 0 };
        memcpy(v, l->params + at + i * each, each);
        for (unsigned word = 0; word < each / 4; word++)
            for (unsigned n = 0; n < ROW_VECTORS; n++)
                vi_store(to + word * LW_PTX_LANES + n * VEC_LANES, vi_all((int)v[word]));
    }
    return LW_PTX_STEP_NEXT;
}

/* ---- A form for each number of words; 0: a number of 8 or 16 bits ---- */

#define PLACES_FORM(words)                                                                                   \
    static lw_ptx_step form_load_shared_##words(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)      \
    {                                                                                                        \
        return load(w, r, lanes, true, words);                                                               \
    }                                                                                                        \
    static lw_ptx_step form_load_global_##words(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)      \
    {                                                                                                        \
        return load(w, r, lanes, false, words);                                                              \
    }                                                                                                        \
    static lw_ptx_step form_store_shared_##words(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)     \
    {                                                                                                        \
        return store(w, r, lanes, true, words);                                                              \
    }                                                                                                        \
    static lw_ptx_step form_store_global_##words(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)     \
    {                                                                                                        \
        return store(w, r, lanes, false, words);                                                             \
    }

PLACES_FORM(0)
PLACES_FORM(1)
PLACES_FORM(2)
PLACES_FORM(4)

typedef enum places_space {
    PLACES_NONE,
    PLACES_SHARED,
    PLACES_GLOBAL,
    PLACES_PARAMETER,
} places_space;

static places_space space_of(const lw_ptx_record *r)
{
    static const uint8_t spaces[LW_PTX_WORD_COUNT] = {
        [LW_PTX_WORD_NONE] = PLACES_GLOBAL,           [LW_PTX_WORD_GLOBAL] = PLACES_GLOBAL,
        [LW_PTX_WORD_CONST] = PLACES_GLOBAL,          [LW_PTX_WORD_SHARED] = PLACES_SHARED,
        [LW_PTX_WORD_SHARED_CTA] = PLACES_SHARED,     [LW_PTX_WORD_PARAM] = PLACES_PARAMETER,
        [LW_PTX_WORD_PARAM_ENTRY] = PLACES_PARAMETER,
    };
    const bool one = r->address.kind == LW_PTX_SOURCE_CONSTANT;
    const places_space s = (places_space)spaces[r->space];
    if (s == PLACES_PARAMETER
            ? !one
            : !one && r->address.kind != LW_PTX_SOURCE_REGISTER && r->address.kind != LW_PTX_SOURCE_SHARED)
        return PLACES_NONE;
    return s;
}

/* 0 to 4 as in PLACES_FORM; a negative number: no form has it. */
static int words_of(unsigned bits, unsigned count)
{
    const unsigned words = bits * count / 32;
    if (bits < 32)
        return bits >= 8 && count == 1 ? 0 : -1;
    return bits <= 64 && (words == 1 || words == 2 || words == 4) ? (int)words : -1;
}

static lw_ptx_exec *take_load(const lw_ptx_fast_form *form, lw_ptx_record *r)
{
    static lw_ptx_exec *const forms[2][5] = {
        { form_load_shared_0, form_load_shared_1, form_load_shared_2, NULL, form_load_shared_4 },
        { form_load_global_0, form_load_global_1, form_load_global_2, NULL, form_load_global_4 },
    };
    const places_space space = space_of(r);
    const int words = words_of(r->dst_bits, r->dst_count);
    (void)form;
    r->hot.dst = r->dst[0].slot * LW_PTX_LANES;
    r->hot.together = true;
    for (unsigned i = 0; i < r->dst_count; i++) {
        const lw_ptx_source *d = &r->dst[i];
        if (d->kind != LW_PTX_SOURCE_REGISTER ||
            (words ? d->bits != r->dst_bits : d->bits < r->dst_bits || d->bits > 32))
            return NULL;
        r->hot.together = r->hot.together && d->slot == r->dst[0].slot + i * d->bits / 32u;
    }
    if (space == PLACES_PARAMETER)
        return words > 0 ? form_parameter : NULL;
    return space == PLACES_NONE || words < 0 ? NULL : forms[space == PLACES_GLOBAL][words];
}

static lw_ptx_exec *take_store(const lw_ptx_fast_form *form, lw_ptx_record *r)
{
    static lw_ptx_exec *const forms[2][5] = {
        { form_store_shared_0, form_store_shared_1, form_store_shared_2, NULL, form_store_shared_4 },
        { form_store_global_0, form_store_global_1, form_store_global_2, NULL, form_store_global_4 },
    };
    const places_space space = space_of(r);
    const int words = words_of(r->src_bits, r->src_count);
    (void)form;
    for (unsigned i = 0; i < r->src_count; i++) {
        const lw_ptx_source *s = &r->src[i];
        if (s->kind != LW_PTX_SOURCE_CONSTANT && (s->kind != LW_PTX_SOURCE_REGISTER || s->bits < r->src_bits))
            return NULL;
    }
    return words < 0 || (space != PLACES_SHARED && space != PLACES_GLOBAL)
               ? NULL
               : forms[space == PLACES_GLOBAL][words];
}

/* clang-format off */
#define PLACES_FORMS                                                                                         \
    { &lw_ptx_sem_ld, take_load, { NULL }, 0, 0, 0 },                                                        \
    { &lw_ptx_sem_st, take_store, { NULL }, 0, 0, 0 }
/* clang-format on */

#endif

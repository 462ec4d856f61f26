/* SPDX-License-Identifier: MIT */
/*
 * Memory accesses of a whole wave: finding the lanes' bytes, with one check, and moving them to rows of
 * registers and back.
 *
 * All places are offsets from one host address. Inactive lanes have the place of the first active one, so
 * that reading them is harmless; they are never written.
 */
#ifndef LW_EMU_AMDGPU_FAST_PLACES_H
#define LW_EMU_AMDGPU_FAST_PLACES_H

#include "emu/device/log.h"
#include "emu/amdgpu/control/machine.h"
#include "emu/amdgpu/fast/row.h"
#include "emu/amdgpu/memory/access.h"
#include "emu/amdgpu/memory/lds_dma.h"

static const uint64_t EVERY_LANE = ~(uint64_t)0;
enum { PLACES_SIGN = INT32_MIN, PLACES_VECTORS = LW_LANES / VEC_LANES };

typedef struct places {
    _Alignas(64) uint32_t at[LW_LANES];
    uint8_t *host;
    uint64_t active; /* never 0 */
} places;

VEC unsigned places_first(uint64_t active)
{
    return (unsigned)__builtin_ctzll(active);
}

VEC vi places_pick(uint64_t active, unsigned n, vi words, vi first)
{
    return active == EVERY_LANE ? words : vi_pick(vm_of((unsigned)(active >> n * VEC_LANES)), words, first);
}

/* Is a > b in each lane, as unsigned numbers? */
VEC vm places_above(vi a, vi b)
{
    const vi sign = vi_all(PLACES_SIGN);
    return vi_gt(vi_xor(a, sign), vi_xor(b, sign));
}

/* at = row + plus (modulo 2^32). True if no active lane exceeds `most`. */
VEC bool places_set(places *p, const uint32_t *words, uint32_t plus, uint32_t most)
{
    const vi first = vi_each(&words[places_first(p->active)]), add = vi_each(&plus), top = vi_each(&most);
    vi last = vi_all(0);
    for (unsigned n = 0; n < PLACES_VECTORS; n++) {
        const vi at = vi_add(places_pick(p->active, n, vi_load(words + n * VEC_LANES), first), add);
        last = vi_max_u(last, at);
        vi_store(p->at + n * VEC_LANES, at);
    }
    return !vm_any(places_above(last, top));
}

/* at = (low, high) - from, in 64 bits. True if no active lane exceeds `most`. */
VEC bool places_set_wide(places *p, const uint32_t *low, uint64_t from, uint32_t most)
{
    const uint32_t *high = low + LW_LANES;
    const unsigned lane = places_first(p->active);
    const uint32_t from_low = (uint32_t)from, from_high = (uint32_t)(from >> 32), next_high = from_high + 1;
    const vi first_low = vi_each(&low[lane]), first_high = vi_each(&high[lane]);
    const vi sub = vi_each(&from_low), top = vi_each(&most), same = vi_each(&from_high),
             next = vi_each(&next_high);
    vm over = vm_none();
    for (unsigned n = 0; n < PLACES_VECTORS; n++) {
        const vi a = places_pick(p->active, n, vi_load(low + n * VEC_LANES), first_low);
        const vi b = places_pick(p->active, n, vi_load(high + n * VEC_LANES), first_high);
        const vi at = vi_sub(a, sub);
        const vm there = vi_eq(b, vi_pick(places_above(sub, a), next, same));
        over = vm_or(over, vm_or(vm_not(there), places_above(at, top)));
        vi_store(p->at + n * VEC_LANES, at);
    }
    return !vm_any(over);
}

/* Are all lanes active, each beginning where the previous one ends? */
VEC bool places_in_line(const places *p, unsigned bytes)
{
    static const uint32_t numbers[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 };
    if (p->active != EVERY_LANE || p->at[1] - p->at[0] != bytes)
        return false;
    const vi number = vi_load(numbers);
    const int shift = bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : bytes == 8 ? 3 : 4;
    const vi ramp = bytes == 12 ? vi_add(vi_shl(number, 3), vi_shl(number, 2)) : vi_shl(number, shift);
    vi expected = vi_add(vi_each(p->at), ramp);
    vm same = vm_not(vm_none());
    for (unsigned n = 0; n < PLACES_VECTORS; n++) {
        same = vm_and(same, vi_eq(vi_load(p->at + n * VEC_LANES), expected));
        expected = vi_add(expected, vi_all((int)(VEC_LANES * bytes)));
    }
    return !vm_any(vm_not(same));
}

/* Reports accesses to observers that want them. */
VEC void places_note(lw_wave *w, const places *p, lw_space space, uint64_t base, uint32_t apart,
                     unsigned bytes, lw_access_kind kind)
{
    if (!w->head.log)
        return;
    const lw_log_lanes lanes = { .at = p->at,
                                 .active = p->active,
                                 .base = base,
                                 .apart = apart,
                                 .size = bytes,
                                 .space = space,
                                 .load = (kind & LW_ACCESS_LOAD) != 0,
                                 .store = (kind & LW_ACCESS_STORE) != 0 };
    lw_log_wave(w->head.log, &lanes);
}

/* ---- Loads ---- */

/* One or two bytes of each lane, zero-extended. */
VEC void places_load_parts(const places *p, unsigned bytes, uint32_t *words)
{
    for (unsigned lane = 0; lane < LW_LANES; lane++) {
        const uint8_t *at = p->host + p->at[lane];
        words[lane] = bytes == 1 ? at[0] : at[0] | (uint32_t)at[1] << 8;
    }
}

VEC void places_load_words(const places *p, uint32_t from, uint32_t *words)
{
    for (unsigned lane = 0; lane < LW_LANES; lane += TURN_LANES)
        turn_load1(p->host + from, p->at + lane, words + lane);
}

VEC void places_load_rows(const places *p, unsigned bytes, uint32_t *words)
{
    if (bytes < 4) {
        places_load_parts(p, bytes, words);
    } else if (bytes == 4) {
        if (places_in_line(p, 4))
            memcpy(words, p->host + p->at[0], sizeof(uint32_t) * LW_LANES);
        else
            places_load_words(p, 0, words);
    } else {
        for (unsigned lane = 0; lane < LW_LANES; lane += TURN_LANES)
            if (bytes == 16)
                turn_load4(p->host, p->at + lane, words + lane);
            else
                turn_load2(p->host, p->at + lane, words + lane);
        if (bytes == 12)
            places_load_words(p, 8, words + 2 * LW_LANES);
    }
}

/* For elements smaller than a dword, in hot->extra: what they become in a register (lw_element). */
enum { PART_SIGNED = 1, PART_HALF = 2, PART_HIGH = 4 };

static uint32_t places_part_of(const lw_decoded *in, bool is_signed)
{
    const uint32_t flags = in->row->flags;
    return (is_signed ? PART_SIGNED : 0) | (flags & LW_OPF_D16 ? PART_HALF : 0) |
           (flags & LW_OPF_D16_HI ? PART_HIGH : 0);
}

VEC void places_extend(uint32_t *words, unsigned bytes, uint32_t part)
{
    const uint32_t sign = part & PART_SIGNED ? UINT32_C(1) << (8 * bytes - 1) : 0;
    const uint32_t keep = part & PART_HALF ? 0xffff : UINT32_MAX;
    const unsigned up = part & PART_HIGH ? 16 : 0;
    for (unsigned lane = 0; lane < LW_LANES; lane++)
        words[lane] = (((words[lane] ^ sign) - sign) & keep) << up;
}

/* Loads `bytes` of each active lane to its registers, from `to` on. */
VEC void places_load(const places *p, unsigned bytes, uint32_t part, uint32_t *to)
{
    uint32_t apart[4][LW_LANES];
    const bool direct = p->active == EVERY_LANE && bytes >= 4;
    places_load_rows(p, bytes, direct ? to : apart[0]);
    if (bytes < 4)
        places_extend(apart[0], bytes, part);
    if (direct)
        return;
    for (unsigned i = 0; i < (bytes + 3) / 4; i++)
        for (unsigned n = 0; n < PLACES_VECTORS; n++)
            vi_store_some(to + i * LW_LANES + n * VEC_LANES, (unsigned)(p->active >> n * VEC_LANES),
                          vi_load(apart[i] + n * VEC_LANES));
}

/* ---- Stores: lane after lane, so that of several at one place the highest wins ---- */

VEC void places_store_lane(const places *p, unsigned lane, unsigned bytes, const uint32_t *from,
                           unsigned down)
{
    uint32_t data[4];
    for (unsigned i = 0; i < (bytes + 3) / 4; i++)
        data[i] = from[i * LW_LANES + lane] >> down;
    memcpy(p->host + p->at[lane], data, bytes);
}

/* `down`: the number of register bits below the element. */
VEC void places_store(const places *p, unsigned bytes, unsigned down, const uint32_t *from)
{
    if (p->active != EVERY_LANE) {
        for (uint64_t left = p->active; left; left &= left - 1)
            places_store_lane(p, places_first(left), bytes, from, down);
    } else if (bytes == 16 || bytes == 8) {
        for (unsigned lane = 0; lane < LW_LANES; lane += TURN_LANES)
            if (bytes == 16)
                turn_store4(p->host, p->at + lane, from + lane);
            else
                turn_store2(p->host, p->at + lane, from + lane);
    } else if (bytes == 4 && places_in_line(p, 4)) {
        memcpy(p->host + p->at[0], from, sizeof(uint32_t) * LW_LANES);
    } else if (down == 0) { /* the compiler then stores from the register row itself */
        for (unsigned lane = 0; lane < LW_LANES; lane++)
            places_store_lane(p, lane, bytes, from, 0);
    } else {
        for (unsigned lane = 0; lane < LW_LANES; lane++)
            places_store_lane(p, lane, bytes, from, down);
    }
}

/* ---- Copies to LDS: the addresses are taken now, the bytes when the copy arrives ---- */

/* Whether the elements of all lanes fit in LDS from `to` on. */
VEC bool places_fit_lds(const lw_wave *w, uint32_t to, unsigned bytes)
{
    return to + (uint64_t)bytes * LW_LANES <= w->head.group->lds_size;
}

VEC lw_step places_copy(lw_wave *w, const lw_hot *hot, const places *p, uint64_t base, uint32_t to,
                        unsigned bytes)
{
    w->head.pc = hot->in->pc;
    lw_copy *copy = lw_lds_dma_begin(w);
    if (!copy)
        return lw_lds_dma_abandon(w, copy);
    if (places_in_line(p, bytes) && p->at[0] <= p->at[LW_LANES - 1]) {
        lw_copy_piece *piece = lw_copy_add(copy);
        if (!piece)
            return lw_lds_dma_abandon(w, copy);
        *piece = (lw_copy_piece){ .from = base + p->at[0],
                                  .to = to,
                                  .bytes = (uint8_t)bytes,
                                  .width = (uint8_t)bytes,
                                  .kind = LW_SOURCE_GLOBAL,
                                  .more = LW_LANES - 1 };
    } else if (!lw_lds_dma_add_lanes(copy, p->active, p->at, base, to, bytes)) {
        return lw_lds_dma_abandon(w, copy);
    }
    return lw_lds_dma_issue(w, copy);
}

/* ---- Choosing a form ---- */

enum { PLACES_SIZES = 6 }; /* 1, 2, 4, 8, 12, 16 bytes */

typedef struct places_fns {
    lw_hot_fn of[PLACES_SIZES];
} places_fns;

static lw_hot_fn places_choose(const places_fns *fns, unsigned bytes)
{
    static const uint8_t sizes[PLACES_SIZES] = { 1, 2, 4, 8, 12, 16 };
    for (unsigned i = 0; i < PLACES_SIZES; i++)
        if (sizes[i] == bytes)
            return fns->of[i];
    return NULL;
}

/* A function for each size, and a table `name` of them. */
#define PLACES_FN(name, shape, bytes)                                                                        \
    static lw_step name##_##bytes(lw_wave *w, const lw_hot *hot)                                             \
    {                                                                                                        \
        return shape(w, hot, bytes);                                                                         \
    }
#define PLACES_FNS(name, shape)                                                                              \
    PLACES_FN(name, shape, 1)                                                                                \
    PLACES_FN(name, shape, 2)                                                                                \
    PLACES_FN(name, shape, 4)                                                                                \
    PLACES_FN(name, shape, 8)                                                                                \
    PLACES_FN(name, shape, 12)                                                                               \
    PLACES_FN(name, shape, 16)                                                                               \
    static const places_fns name = { { name##_1, name##_2, name##_4, name##_8, name##_12, name##_16 } };

/* The rows of the data to be stored. */
VEC const uint32_t *places_data(const lw_wave *w, const lw_hot *hot, unsigned i)
{
    return (hot->from[i] == LW_FROM_VGPR ? w->vgpr : w->agpr) + hot->at[i];
}

/* ---- Every store of every lane is counted (lw_note_store) ---- */

/* While waves are compared for livelock, every stored byte must be reported; the general handlers do that. */
VEC bool places_may_store(const lw_wave *w)
{
    return !w->head.group->worker->touches;
}

VEC void places_count_stores(const lw_wave *w, uint64_t active, unsigned each)
{
    w->head.group->worker->changes += (uint64_t)__builtin_popcountll(active) * each;
}

#endif

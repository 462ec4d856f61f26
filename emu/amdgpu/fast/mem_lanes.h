/* SPDX-License-Identifier: MIT */
/*
 * Fast forms of DS instructions that move data between lanes: permutes, swizzle, and transposing reads of
 * fields of four and six bits. ds_lanes.c describes each.
 */
#ifndef LW_EMU_AMDGPU_FAST_MEM_LANES_H
#define LW_EMU_AMDGPU_FAST_MEM_LANES_H

#include "emu/amdgpu/fast/mem_lds.h"
#include "isa_tables/amdgpu/traits.h"

/* ---- Permutes ---- */

VEC vi lane_numbers(unsigned n)
{
    static const uint32_t numbers[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 };
    return vi_add(vi_load(numbers), vi_all((int)(n * VEC_LANES)));
}

/* The lanes that an address row selects: in the whole wave, or in the half of the lane that gives the
 * address. */
VEC void lanes_named(const lw_wave *w, const lw_hot *hot, uint32_t *number)
{
    const uint32_t *address = places_data(w, hot, 0);
    const bool halves = lw_amdgpu_traits_of(w->arch)->permutes_in_halves;
    const vi offset = vi_all(hot->offset), most = vi_all(halves ? 31 : w->lanes - 1);
    for (unsigned n = 0; n < PLACES_VECTORS; n++)
        vi_store(number + n * VEC_LANES,
                 vi_and(vi_shr(vi_add(vi_load(address + n * VEC_LANES), offset), 2), most));
    for (unsigned n = PLACES_VECTORS / 2; halves && n < PLACES_VECTORS; n++)
        vi_store(number + n * VEC_LANES, vi_or(vi_load(number + n * VEC_LANES), vi_all(32)));
}

VEC lw_step lanes_put(const lw_wave *w, const lw_hot *hot, uint64_t exec, const uint32_t *words)
{
    uint32_t *to = row_of_result(w, hot);
    for (unsigned n = 0; n < PLACES_VECTORS; n++)
        vi_store_some(to + n * VEC_LANES, (unsigned)(exec >> n * VEC_LANES), vi_load(words + n * VEC_LANES));
    return LW_STEP_NEXT;
}

/* Each active lane fetches from a lane; an inactive one gives 0. */
VEC lw_step lanes_fetch(const lw_wave *w, const lw_hot *hot, unsigned source, const uint32_t *number)
{
    uint32_t live[LW_LANES], result[LW_LANES];
    const uint64_t exec = lw_wave_exec(w);
    const uint32_t *data = places_data(w, hot, source);
    for (unsigned n = 0; n < PLACES_VECTORS; n++)
        vi_store(live + n * VEC_LANES, places_pick(exec, n, vi_load(data + n * VEC_LANES), vi_all(0)));
    turn_pick(live, number, result);
    return lanes_put(w, hot, exec, result);
}

static lw_step hot_ds_bpermute(lw_wave *w, const lw_hot *hot)
{
    uint32_t number[LW_LANES];
    lanes_named(w, hot, number);
    return lanes_fetch(w, hot, 1, number);
}

/* Each active lane sends to a lane; the highest sender wins. */
static lw_step hot_ds_permute(lw_wave *w, const lw_hot *hot)
{
    uint32_t number[LW_LANES], result[LW_LANES] = { 0 };
    const uint64_t exec = lw_wave_exec(w);
    const uint32_t *data = places_data(w, hot, 1);
    lanes_named(w, hot, number);
    for (uint64_t left = exec; left; left &= left - 1) {
        const unsigned lane = places_first(left);
        result[number[lane]] = data[lane];
    }
    return lanes_put(w, hot, exec, result);
}

/* Bits of the lane number are kept, set and inverted, within 32 lanes. */
static lw_step hot_ds_swizzle_masks(lw_wave *w, const lw_hot *hot)
{
    uint32_t number[LW_LANES];
    const int pattern = (int)hot->extra;
    const vi keep = vi_all((pattern & 31) | 32), set = vi_all(pattern >> 5 & 31),
             turn = vi_all(pattern >> 10 & 31);
    for (unsigned n = 0; n < PLACES_VECTORS; n++)
        vi_store(number + n * VEC_LANES, vi_xor(vi_or(vi_and(lane_numbers(n), keep), set), turn));
    return lanes_fetch(w, hot, 0, number);
}

/* Any lane of the same four. */
static lw_step hot_ds_swizzle_quads(lw_wave *w, const lw_hot *hot)
{
    uint32_t number[LW_LANES];
    const vi three = vi_all(3), pattern = vi_all((int)hot->extra);
    for (unsigned n = 0; n < PLACES_VECTORS; n++) {
        const vi lane = lane_numbers(n), shift = vi_shl(vi_and(lane, three), 1);
        vi_store(number + n * VEC_LANES,
                 vi_or(vi_sub(lane, vi_and(lane, three)), vi_and(vi_shrv(pattern, shift), three)));
    }
    return lanes_fetch(w, hot, 0, number);
}

static lw_hot_fn take_lanes(const lw_hot_form *form, const lw_decoded *in, lw_hot *hot)
{
    (void)hot;
    return in->gds ? NULL : form->fn[0];
}

/* Rotations and bit reversals are left to the general handler, because they are rare. */
static lw_hot_fn take_swizzle(const lw_hot_form *form, const lw_decoded *in, lw_hot *hot)
{
    enum { QUADS = 0x8000, OTHERS = 0xc000 };
    hot->extra = (uint32_t)in->offset & 0xffff;
    if (in->gds || hot->extra >= OTHERS)
        return NULL;
    return form->fn[hot->extra >= QUADS];
}

/* ---- Transposing reads of narrow fields: as bytes, four at a time ---- */

/* Spreads four fields of `bits` bits, from bit 0 on, to one byte each. */
VEC vi fields_spread(vi x, int bits)
{
    const int field = (1 << bits) - 1, up = 8 - bits;
    vi sum = vi_and(x, vi_all(field));
    for (int i = 1; i < 4; i++)
        sum = vi_or(sum, vi_shl(vi_and(x, vi_all(field << bits * i)), up * i));
    return sum;
}

/* The reverse of fields_spread. */
VEC vi fields_join(vi x, int bits)
{
    const int field = (1 << bits) - 1, down = 8 - bits;
    vi sum = vi_and(x, vi_all(field));
    for (int i = 1; i < 4; i++)
        sum = vi_or(sum, vi_and(vi_shr(x, down * i), vi_all(field << bits * i)));
    return sum;
}

/* The q-th group of four fields of a lane, from its words. */
VEC vi fields_take(const vi *word, int bits, unsigned q)
{
    if (bits == 4)
        return q & 1 ? vi_shr(word[q / 2], 16) : word[q / 2];
    return q == 0   ? word[0]
           : q == 1 ? vi_or(vi_shr(word[0], 24), vi_shl(word[1], 8))
           : q == 2 ? vi_or(vi_shr(word[1], 16), vi_shl(word[2], 16))
                    : vi_shr(word[2], 8);
}

/* Word n of a lane, from its four groups of four fields. */
VEC vi fields_word(const vi *four, int bits, unsigned n)
{
    if (bits == 4)
        return vi_or(four[2 * n], vi_shl(four[2 * n + 1], 16));
    return vi_or(vi_shr(four[n], (int)(8 * n)), vi_shl(four[n + 1], (int)(24 - 8 * n)));
}

/* Lane l of sixteen receives field l of each lane. */
VEC lw_step lds_read_fields(lw_wave *w, const lw_hot *hot, int bits)
{
    enum { GROUP = 16 };
    uint32_t words[3][LW_LANES], from[4][LW_LANES], to[4][LW_LANES];
    const unsigned count = (unsigned)bits / 2;
    places p = { .active = lw_wave_exec(w) };
    if (p.active != EVERY_LANE || !lds_places(w, hot, (uint32_t)hot->offset, 4 * count, &p))
        return lw_hot_general(w, hot);
    places_note(w, &p, LW_SPACE_LDS, 0, 0, 4 * count, LW_ACCESS_LOAD);
    places_load_rows(&p, 4 * count, words[0]);
    for (unsigned at = 0; at < LW_LANES; at += VEC_LANES) {
        vi word[3];
        for (unsigned i = 0; i < count; i++)
            word[i] = vi_load(words[i] + at);
        for (unsigned q = 0; q < 4; q++)
            vi_store(from[q] + at, fields_spread(fields_take(word, bits, q), bits));
    }
    for (unsigned group = 0; group < LW_LANES; group += GROUP)
        for (unsigned q = 0; q < 4; q++)
            for (unsigned k = 0; k < 4; k++)
                turn_bytes(from[q] + group + 4 * k, to[k] + group + 4 * q);
    uint32_t *result = row_of_result(w, hot);
    for (unsigned at = 0; at < LW_LANES; at += VEC_LANES) {
        vi four[4];
        for (unsigned q = 0; q < 4; q++)
            four[q] = fields_join(vi_load(to[q] + at), bits);
        for (unsigned n = 0; n < count; n++)
            vi_store(result + n * LW_LANES + at, fields_word(four, bits, n));
    }
    return LW_STEP_NEXT;
}

static lw_step hot_ds_read_tr_b4(lw_wave *w, const lw_hot *hot)
{
    return lds_read_fields(w, hot, 4);
}

static lw_step hot_ds_read_tr_b6(lw_wave *w, const lw_hot *hot)
{
    return lds_read_fields(w, hot, 6);
}

/* clang-format off */
#define MEM_LANES_FORMS                                                                                      \
    { lw_sem_ds_bpermute_b32, take_lanes, { hot_ds_bpermute }, 0 },                                          \
    { lw_sem_ds_permute_b32, take_lanes, { hot_ds_permute }, 0 },                                            \
    { lw_sem_ds_swizzle_b32, take_swizzle, { hot_ds_swizzle_masks, hot_ds_swizzle_quads }, 0 },              \
    { lw_sem_ds_read_tr_b4, take_lanes, { hot_ds_read_tr_b4 }, LW_HOT_NOTES },                                          \
    { lw_sem_ds_read_tr_b6, take_lanes, { hot_ds_read_tr_b6 }, LW_HOT_NOTES }
/* clang-format on */

#endif

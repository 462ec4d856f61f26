/* SPDX-License-Identifier: MIT */
/*
 * Fast forms of LDS reads and writes. Accesses outside, which read zero and are reported, are left to the
 * general handlers.
 */
#ifndef LW_EMU_AMDGPU_FAST_MEM_LDS_H
#define LW_EMU_AMDGPU_FAST_MEM_LDS_H

#include "emu/amdgpu/fast/places.h"

VEC bool lds_places(const lw_wave *w, const lw_hot *hot, uint32_t plus, unsigned bytes, places *p)
{
    const lw_group *g = w->head.group;
    p->host = lw_access_lds_base(w);
    return g->lds_size >= bytes && places_set(p, w->vgpr + hot->at[0], plus, g->lds_size - bytes);
}

enum { LINE = 4 * LW_LANES };

/* The bytes of all lanes if each has the four after the one before, and nobody observes; NULL: something
 * else. */
VEC uint8_t *lds_line(const lw_wave *w, const lw_hot *hot)
{
    static const uint32_t ramp[] = { 0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60 };
    const lw_group *g = w->head.group;
    const uint32_t *words = w->vgpr + hot->at[0], at = words[0] + (uint32_t)hot->offset;
    if (words[1] - words[0] != 4 || w->head.log || lw_wave_exec(w) != EVERY_LANE || g->lds_size < LINE ||
        at > g->lds_size - LINE)
        return NULL;
    vi expected = vi_add(vi_each(words), vi_load(ramp)), other = vi_all(0);
    for (unsigned n = 0; n < PLACES_VECTORS; n++) {
        other = vi_or(other, vi_xor(vi_load(words + n * VEC_LANES), expected));
        expected = vi_add(expected, vi_all(4 * VEC_LANES));
    }
    return vi_is_zero(other) ? (uint8_t *)lw_access_lds_base(w) + at : NULL;
}

VEC void lds_copy(void *to, const void *from)
{
    for (unsigned n = 0; n < PLACES_VECTORS; n++)
        vi_store((uint32_t *)to + n * VEC_LANES, vi_load((const uint32_t *)from + n * VEC_LANES));
}

VEC lw_step lds_read(lw_wave *w, const lw_hot *hot, unsigned bytes)
{
    const uint8_t *line = bytes == 4 ? lds_line(w, hot) : NULL;
    if (line) {
        lds_copy(row_of_result(w, hot), line);
        return LW_STEP_NEXT;
    }
    places p = { .active = lw_wave_exec(w) };
    if (!p.active)
        return LW_STEP_NEXT;
    if (!lds_places(w, hot, (uint32_t)hot->offset, bytes, &p))
        return lw_hot_general(w, hot);
    places_note(w, &p, LW_SPACE_LDS, 0, 0, bytes, LW_ACCESS_LOAD);
    places_load(&p, bytes, hot->extra, row_of_result(w, hot));
    return LW_STEP_NEXT;
}

VEC lw_step lds_write(lw_wave *w, const lw_hot *hot, unsigned bytes)
{
    places p = { .active = lw_wave_exec(w) };
    if (!p.active)
        return LW_STEP_NEXT;
    if (!places_may_store(w))
        return lw_hot_general(w, hot);
    uint8_t *line = bytes == 4 ? lds_line(w, hot) : NULL;
    if (line) {
        lds_copy(line, places_data(w, hot, 1));
        places_count_stores(w, EVERY_LANE, 1);
        return LW_STEP_NEXT;
    }
    if (!lds_places(w, hot, (uint32_t)hot->offset, bytes, &p))
        return lw_hot_general(w, hot);
    places_note(w, &p, LW_SPACE_LDS, 0, 0, bytes, LW_ACCESS_STORE);
    places_store(&p, bytes, hot->extra & PART_HIGH ? 16 : 0, places_data(w, hot, 1));
    places_count_stores(w, p.active, 1);
    return LW_STEP_NEXT;
}

/* Two elements of a lane, at the offsets hot->offset and hot->extra. */
VEC lw_step lds_read2(lw_wave *w, const lw_hot *hot, unsigned bytes)
{
    places a = { .active = lw_wave_exec(w) }, b = { .active = a.active };
    if (!a.active)
        return LW_STEP_NEXT;
    if (!lds_places(w, hot, (uint32_t)hot->offset, bytes, &a) || !lds_places(w, hot, hot->extra, bytes, &b))
        return lw_hot_general(w, hot);
    places_load(&a, bytes, 0, row_of_result(w, hot));
    places_load(&b, bytes, 0, row_of_result(w, hot) + bytes / 4 * LW_LANES);
    return LW_STEP_NEXT;
}

/* Writes both elements of a lane before the next lane's. */
VEC lw_step lds_write2(lw_wave *w, const lw_hot *hot, unsigned bytes)
{
    places a = { .active = lw_wave_exec(w) }, b = { .active = a.active };
    if (!a.active)
        return LW_STEP_NEXT;
    if (!places_may_store(w) || !lds_places(w, hot, (uint32_t)hot->offset, bytes, &a) ||
        !lds_places(w, hot, hot->extra, bytes, &b))
        return lw_hot_general(w, hot);
    const uint32_t *first = places_data(w, hot, 1), *second = places_data(w, hot, 2);
    for (uint64_t left = a.active; left; left &= left - 1) {
        const unsigned lane = places_first(left);
        places_store_lane(&a, lane, bytes, first, 0);
        places_store_lane(&b, lane, bytes, second, 0);
    }
    places_count_stores(w, a.active, 2);
    return LW_STEP_NEXT;
}

/* The same if the second element directly follows the first: one element of twice the size. */
VEC lw_step lds_write_joined(lw_wave *w, const lw_hot *hot, unsigned bytes)
{
    uint32_t rows[4][LW_LANES];
    places p = { .active = lw_wave_exec(w) };
    if (!p.active)
        return LW_STEP_NEXT;
    if (!places_may_store(w) || !lds_places(w, hot, (uint32_t)hot->offset, 2 * bytes, &p))
        return lw_hot_general(w, hot);
    memcpy(rows[0], places_data(w, hot, 1), bytes / 4 * sizeof(rows[0]));
    memcpy(rows[bytes / 4], places_data(w, hot, 2), bytes / 4 * sizeof(rows[0]));
    places_store(&p, 2 * bytes, 0, rows[0]);
    places_count_stores(w, p.active, 2);
    return LW_STEP_NEXT;
}

PLACES_FNS(lds_reads, lds_read)
PLACES_FNS(lds_writes, lds_write)
PLACES_FN(lds_reads2, lds_read2, 4)
PLACES_FN(lds_reads2, lds_read2, 8)
PLACES_FN(lds_writes2, lds_write2, 4)
PLACES_FN(lds_writes2, lds_write2, 8)
PLACES_FN(lds_writes_joined, lds_write_joined, 4)
PLACES_FN(lds_writes_joined, lds_write_joined, 8)

static lw_hot_fn take_lds_read(const lw_hot_form *form, const lw_decoded *in, lw_hot *hot)
{
    hot->extra = places_part_of(in, form->general == lw_sem_ds_read_signed);
    return in->gds ? NULL : places_choose(&lds_reads, in->row->bytes);
}

static lw_hot_fn take_lds_write(const lw_hot_form *form, const lw_decoded *in, lw_hot *hot)
{
    (void)form;
    hot->extra = places_part_of(in, false);
    return in->gds ? NULL : places_choose(&lds_writes, in->row->bytes);
}

/* Resolves the two offsets. Is the second element directly after the first? */
static bool place_pair(const lw_decoded *in, unsigned unit, lw_hot *hot)
{
    const uint32_t first = (uint32_t)in->offset & 0xff, second = (uint32_t)in->offset >> 8 & 0xff;
    hot->offset = (int32_t)(first * unit * in->row->bytes);
    hot->extra = second * unit * in->row->bytes;
    return hot->extra == (uint32_t)hot->offset + in->row->bytes;
}

static lw_hot_fn take_lds_read2(const lw_hot_form *form, const lw_decoded *in, lw_hot *hot)
{
    const bool joined = place_pair(in, form->general == lw_sem_ds_read2st64 ? 64 : 1, hot);
    if (in->gds)
        return NULL;
    if (!joined)
        return in->row->bytes == 4 ? lds_reads2_4 : lds_reads2_8;
    hot->extra = 0;
    return places_choose(&lds_reads, 2u * in->row->bytes);
}

static lw_hot_fn take_lds_write2(const lw_hot_form *form, const lw_decoded *in, lw_hot *hot)
{
    const bool joined = place_pair(in, form->general == lw_sem_ds_write2st64 ? 64 : 1, hot);
    if (in->gds)
        return NULL;
    if (in->row->bytes == 4)
        return joined ? lds_writes_joined_4 : lds_writes2_4;
    return joined ? lds_writes_joined_8 : lds_writes2_8;
}

/* ---- Transposing reads, described in ds_lanes.c, sixteen lanes at a time ---- */

VEC lw_step lds_read_turned(lw_wave *w, const lw_hot *hot, void (*turn)(const uint8_t *bytes, uint32_t *to))
{
    enum { GROUP = 16, BYTES = 8 };
    uint8_t bytes[LW_LANES * BYTES];
    places p = { .active = lw_wave_exec(w) };
    if (p.active != EVERY_LANE || !lds_places(w, hot, (uint32_t)hot->offset, BYTES, &p))
        return lw_hot_general(w, hot);
    places_note(w, &p, LW_SPACE_LDS, 0, 0, BYTES, LW_ACCESS_LOAD);
    for (unsigned lane = 0; lane < LW_LANES; lane++)
        memcpy(bytes + BYTES * lane, p.host + p.at[lane], BYTES);
    for (unsigned lane = 0; lane < LW_LANES; lane += GROUP)
        turn(bytes + BYTES * lane, row_of_result(w, hot) + lane);
    return LW_STEP_NEXT;
}

static lw_step hot_ds_read_tr_b16(lw_wave *w, const lw_hot *hot)
{
    return lds_read_turned(w, hot, turn_b16);
}

static lw_step hot_ds_read_tr_b8(lw_wave *w, const lw_hot *hot)
{
    return lds_read_turned(w, hot, turn_b8);
}

static lw_hot_fn take_lds_turned(const lw_hot_form *form, const lw_decoded *in, lw_hot *hot)
{
    (void)hot;
    return in->gds ? NULL : form->fn[0];
}

/* clang-format off */
#define MEM_LDS_FORMS                                                                                        \
    { lw_sem_ds_read, take_lds_read, { 0 }, LW_HOT_NOTES },                                                                \
    { lw_sem_ds_read_signed, take_lds_read, { 0 }, LW_HOT_NOTES },                                                         \
    { lw_sem_ds_write, take_lds_write, { 0 }, LW_HOT_NOTES },                                                              \
    { lw_sem_ds_read2, take_lds_read2, { 0 }, 0 },                                                              \
    { lw_sem_ds_read2st64, take_lds_read2, { 0 }, 0 },                                                          \
    { lw_sem_ds_write2, take_lds_write2, { 0 }, 0 },                                                            \
    { lw_sem_ds_write2st64, take_lds_write2, { 0 }, 0 },                                                        \
    { lw_sem_ds_read_tr_b16, take_lds_turned, { hot_ds_read_tr_b16 }, LW_HOT_NOTES },                                      \
    { lw_sem_ds_read_tr_b8, take_lds_turned, { hot_ds_read_tr_b8 }, LW_HOT_NOTES }
/* clang-format on */

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Fast forms of buffer loads, to LDS too, and stores: linear buffers with all lanes in range. Swizzled
 * buffers, those that add the lane's number, and accesses out of range are left to the general handlers.
 */
#ifndef LW_EMU_AMDGPU_FAST_MEM_BUFFER_H
#define LW_EMU_AMDGPU_FAST_MEM_BUFFER_H

#include "emu/amdgpu/fast/mem_global.h"
#include "isa_tables/amdgpu/traits.h"
#include "isa_tables/readings.h"

/* In hot->extra, together with PART_... */
enum { BUFFER_OFFSET = 1 << 8, BUFFER_INDEX = 1 << 9 };

/* at += index * stride. False if an index is out of range or a sum has more than 32 bits. */
VEC bool buffer_add_index(places *p, const uint32_t *index, uint32_t stride, uint32_t records)
{
    const unsigned first = places_first(p->active);
    bool good = true;
    for (unsigned lane = 0; lane < LW_LANES; lane++) {
        const uint32_t n = index[p->active >> lane & 1 ? lane : first];
        const uint64_t at = (uint64_t)n * stride + p->at[lane];
        good = good && n < records && at <= UINT32_MAX;
        p->at[lane] = (uint32_t)at;
    }
    return good;
}

VEC uint64_t buffer_base(const uint32_t *resource)
{
    const uint64_t base = resource[0] | (uint64_t)(resource[1] & 0xffff) << 32;
    return base >> 47 & 1 ? base | UINT64_C(0xffff) << 48 : base;
}

/* Bits 125:108 of gfx1250's resource: stride, swizzling, another range check. */
enum { BUFFER_57_SPECIAL = 0x3ffff << 12 };

/* The lanes' bytes lie at *base + p->at, all in the buffer: gfx1250, no index. */
VEC bool buffer_offsets_57(const lw_wave *w, const lw_hot *hot, unsigned bytes, places *p, uint64_t *base)
{
    static const uint32_t nothing[LW_LANES];
    const uint32_t *resource = &w->sgpr[hot->at[1]], *words = w->vgpr + hot->at[0];
    const uint64_t low = resource[0] | (uint64_t)resource[1] << 32;
    const uint64_t records = low >> 57 | (uint64_t)resource[2] << 7 | (uint64_t)(resource[3] & 0x3f) << 39;
    const uint32_t soffset = hot->from[2] == LW_FROM_SGPR ? w->sgpr[hot->at[2]] : hot->at[2];
    const uint64_t taken = bytes + (uint64_t)soffset;
    if (hot->extra & BUFFER_INDEX || resource[3] & BUFFER_57_SPECIAL || records < taken)
        return false;
    const uint64_t most = records - taken < UINT32_MAX ? records - taken : UINT32_MAX;
    if (!places_set(p, hot->extra & BUFFER_OFFSET ? words : nothing, (uint32_t)hot->offset, (uint32_t)most))
        return false;
    *base = (uint64_t)((int64_t)(low << 7) >> 7) + soffset;
    return true;
}

/* The lanes' bytes lie at *base + p->at, all in the buffer. */
VEC bool buffer_offsets(const lw_wave *w, const lw_hot *hot, unsigned bytes, places *p, uint64_t *base)
{
    static const uint32_t nothing[LW_LANES];
    const uint32_t *resource = &w->sgpr[hot->at[1]], *words = w->vgpr + hot->at[0];
    const bool indexed = hot->extra & BUFFER_INDEX, swizzled = resource[1] >> 31,
               adds_lane = resource[3] >> 23 & 1;
    const uint32_t stride = resource[1] >> 16 & 0x3fff, records = resource[2];
    if (lw_amdgpu_traits_of(w->arch)->resource_57)
        return buffer_offsets_57(w, hot, bytes, p, base);
    const bool structured = indexed && stride, rdna = lw_amdgpu_traits_of(w->arch)->buffer_oob;
    /* on gfx11, only those checked by offset alone */
    if (swizzled || adds_lane || (rdna && (structured || resource[1] >> 30 || (resource[3] >> 28 & 3) != 3)))
        return false;
    const uint32_t soffset = hot->from[2] == LW_FROM_SGPR ? w->sgpr[hot->at[2]] : hot->at[2];
    const bool counts = rdna || !(w->head.group->session->kernel_readings & LW_KERNEL_RANGE_WITHOUT_SOFFSET);
    const uint64_t taken = bytes + (uint64_t)(counts ? soffset : 0);
    if (!structured && records < taken)
        return false;
    const uint32_t *offset = !(hot->extra & BUFFER_OFFSET) ? nothing : indexed ? words + LW_LANES : words;
    if (!places_set(p, offset, (uint32_t)hot->offset, structured ? UINT32_MAX : records - (uint32_t)taken) ||
        (structured && !buffer_add_index(p, words, stride, records)))
        return false;
    *base = buffer_base(resource) + soffset;
    return true;
}

VEC bool buffer_places(const lw_wave *w, const lw_hot *hot, unsigned bytes, bool store, places *p)
{
    lw_worker *worker = w->head.group->worker;
    uint64_t base;
    window win;
    return buffer_offsets(w, hot, bytes, p, &base) &&
           window_at(worker, base + p->at[places_first(p->active)], bytes, store, &win) &&
           places_from(p, win, base, p->at) && global_watch(worker, hot, p, p->at, bytes, store);
}

VEC lw_step buffer_load(lw_wave *w, const lw_hot *hot, unsigned bytes)
{
    places p = { .active = lw_wave_exec(w) };
    if (!p.active)
        return LW_STEP_NEXT;
    if (!buffer_places(w, hot, bytes, false, &p))
        return lw_hot_general(w, hot);
    const lw_region *r = &w->head.group->worker->view.hit;
    places_note(w, &p, LW_SPACE_GLOBAL, r->base + (uint64_t)(p.host - r->host), 0, bytes, LW_ACCESS_LOAD);
    places_load(&p, bytes, hot->extra, row_of_result(w, hot));
    return LW_STEP_NEXT;
}

/* Stored and counted dword by dword. */
VEC lw_step buffer_store(lw_wave *w, const lw_hot *hot, unsigned bytes)
{
    places p = { .active = lw_wave_exec(w) };
    if (!p.active)
        return LW_STEP_NEXT;
    if (!places_may_store(w) || !buffer_places(w, hot, bytes, true, &p))
        return lw_hot_general(w, hot);
    places_store(&p, bytes, hot->extra & PART_HIGH ? 16 : 0, row_of_result(w, hot));
    places_count_stores(w, p.active, (bytes + 3) / 4);
    return LW_STEP_NEXT;
}

/* The bytes are located when the copy arrives. */
VEC lw_step buffer_copy(lw_wave *w, const lw_hot *hot, unsigned bytes)
{
    const uint32_t m0 = w->sgpr[LW_SGPR_M0] & lw_amdgpu_traits_of(w->arch)->lds_dma_m0;
    places p = { .active = lw_wave_exec(w) };
    uint64_t base;
    if (!p.active || !places_fit_lds(w, m0 + (uint32_t)hot->offset, bytes) ||
        !buffer_offsets(w, hot, bytes, &p, &base))
        return lw_hot_general(w, hot);
    return places_copy(w, hot, &p, base, m0 + (uint32_t)hot->offset, bytes);
}

static lw_step buffer_copy_4(lw_wave *w, const lw_hot *hot)
{
    return buffer_copy(w, hot, 4);
}

static lw_step buffer_copy_16(lw_wave *w, const lw_hot *hot)
{
    return buffer_copy(w, hot, 16);
}

PLACES_FNS(buffer_loads, buffer_load)
PLACES_FNS(buffer_stores, buffer_store)

static void place_buffer(const lw_decoded *in, bool is_signed, lw_hot *hot)
{
    const bool has_row = in->src[0].kind == LW_OPND_VGPR;
    hot->extra = places_part_of(in, is_signed) | (has_row && in->offen ? BUFFER_OFFSET : 0) |
                 (has_row && in->idxen ? BUFFER_INDEX : 0);
}

static lw_hot_fn take_buffer_load(const lw_hot_form *form, const lw_decoded *in, lw_hot *hot)
{
    place_buffer(in, form->general == lw_sem_buffer_load_signed, hot);
    if (in->lds)
        return in->row->bytes == 4 ? buffer_copy_4 : in->row->bytes == 16 ? buffer_copy_16 : NULL;
    return places_choose(&buffer_loads, in->row->bytes);
}

/* The data registers take the place of the result. */
static lw_hot_fn take_buffer_store(const lw_hot_form *form, const lw_decoded *in, lw_hot *hot)
{
    (void)form;
    place_buffer(in, false, hot);
    hot->to = in->src[3].kind == LW_OPND_AGPR ? LW_FROM_AGPR : LW_FROM_VGPR;
    hot->dst = (uint32_t)in->src[3].reg * LW_LANES;
    return in->lds ? NULL : places_choose(&buffer_stores, in->row->bytes);
}

/* clang-format off */
#define MEM_BUFFER_FORMS                                                                                     \
    { lw_sem_buffer_load, take_buffer_load, { 0 }, LW_HOT_NOTES },                                                      \
    { lw_sem_buffer_load_signed, take_buffer_load, { 0 }, LW_HOT_NOTES },                                               \
    { lw_sem_buffer_store, take_buffer_store, { 0 }, 0 }
/* clang-format on */

#endif

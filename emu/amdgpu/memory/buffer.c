/* SPDX-License-Identifier: MIT */
#include "emu/amdgpu/memory/buffer.h"

#include "emu/amdgpu/scalar/scalar.h"
#include "isa_tables/amdgpu/traits.h"
#include "isa_tables/readings.h"

/*
 * gfx9: by index if there are an index and a stride. gfx11: according to OOB_SELECT (AMD RDNA3 ISA manual,
 * "Range checking"; rocjitsu, which was compared with gfx11 and gfx12 silicon).
 */
static void set_checks(const lw_wave *w, const lw_decoded *in, const uint32_t v[4], lw_buffer_form *f)
{
    enum { STRUCTURED, INDEX, RECORDS, RAW };
    if (!lw_amdgpu_traits_of(w->arch)->buffer_oob) {
        f->swizzle = v[1] >> 31;
        f->element = 4;
        f->check = f->add_tid && !in->idxen ? LW_BUFFER_CHECK_NOTHING
                   : in->idxen && f->stride ? LW_BUFFER_CHECK_INDEX
                                            : LW_BUFFER_CHECK_OFFSET;
        f->soffset_counts = !(w->head.group->session->kernel_readings & LW_KERNEL_RANGE_WITHOUT_SOFFSET);
        return;
    }
    const unsigned code = v[1] >> 30, select = v[3] >> 28 & 3;
    f->lane_is_index = true;
    f->swizzle = code && (in->idxen || f->add_tid);
    f->element = code == 3 ? 16 : 4;
    f->soffset_counts = true;
    f->check = select == STRUCTURED || (select == RAW && f->swizzle && f->stride)
                   ? LW_BUFFER_CHECK_INDEX_AND_OFFSET
               : select == INDEX   ? LW_BUFFER_CHECK_INDEX
               : select == RECORDS ? LW_BUFFER_CHECK_EMPTY
                                   : LW_BUFFER_CHECK_OFFSET;
}

bool lw_buffer_resource_57(lw_wave *w, const uint32_t v[4], lw_buffer_resource *resource)
{
    static const uint8_t scale[4] = { 1, 4, 8, 32 };
    const uint64_t low = v[0] | (uint64_t)v[1] << 32, high = v[2] | (uint64_t)v[3] << 32;
    const bool swizzle = v[3] >> 28 & 1, other_check = v[3] >> 29 & 1;
    *resource = (lw_buffer_resource){ .base = (uint64_t)((int64_t)(low << 7) >> 7),
                                      .records = low >> 57 | (high & (UINT64_C(0x3fffffffff))) << 7,
                                      .stride = (v[3] >> 12 & 0x3fff) * scale[v[3] >> 26 & 3] };
    if (!swizzle && !other_check)
        return true;
    lw_wave_fault(w, -1, "the buffer's resource has bit %u set: %s", swizzle ? 124u : 125u,
                  swizzle ? "no source here says how its elements are swizzled"
                          : "AMD's emulator and its compilers disagree on the range check that it asks for");
    return false;
}

/* False after lw_wave_fault. */
static bool open_57(lw_wave *w, const uint32_t v[4], lw_buffer_form *f)
{
    lw_buffer_resource r;
    if (!lw_buffer_resource_57(w, v, &r))
        return false;
    f->base = r.base;
    f->records = r.records;
    f->stride = r.stride;
    f->check = LW_BUFFER_CHECK_BYTES;
    return true;
}

static bool open_48(lw_wave *w, const lw_decoded *in, const uint32_t v[4], lw_buffer_form *f)
{
    f->records = v[2];
    f->base = v[0] | (uint64_t)(v[1] & 0xffff) << 32;
    if (f->base >> 47 & 1)
        f->base |= UINT64_C(0xffff) << 48;
    f->add_tid = v[3] >> 23 & 1;
    f->stride = v[1] >> 16 & 0x3fff;
    if (f->add_tid)
        f->stride |= (v[3] >> 15 & 15) << 14;
    f->index_stride = UINT32_C(8) << (v[3] >> 21 & 3);
    set_checks(w, in, v, f);
    return true;
}

bool lw_buffer_open(lw_wave *w, const lw_decoded *in, lw_buffer_form *form)
{
    const uint32_t *v = &w->sgpr[in->src[1].reg];
    lw_buffer_form f = { .inst_offset = (uint32_t)in->offset };
    uint64_t soffset = 0;
    *form = f;
    if (!lw_wave_exec(w))
        return true;
    if (!lw_scalar_read(w, &in->src[2], &soffset)) {
        lw_scalar_no_value(w, &in->src[2]);
        return false;
    }
    f.soffset = (uint32_t)soffset;
    if (!(lw_amdgpu_traits_of(w->arch)->resource_57 ? open_57(w, v, &f) : open_48(w, in, v, &f)))
        return false;
    if (in->src[0].kind == LW_OPND_VGPR) {
        const uint32_t *row = lw_access_row(w, &in->src[0]);
        f.index = in->idxen ? row : NULL;
        f.offset = in->offen ? row + (in->idxen ? LW_LANES : 0) : NULL;
    }
    *form = f;
    return true;
}

bool lw_buffer_fetch(lw_wave *w, const lw_buffer_form *f, unsigned lane, const lw_element *e, uint8_t *bytes)
{
    const lw_buffer_place p = lw_buffer_place_of(f, lane);
    const uint32_t unit = e->bytes < 4 ? e->bytes : 4;
    memset(bytes, 0, LW_MAX_ACCESS);
    if (!f->swizzle && e->bytes <= p.good) {
        const uint8_t *at = lw_access_buffer(w, (int)lane, p.address, e->bytes, LW_ACCESS_LOAD);
        if (at)
            lw_access_move(bytes, at, e->bytes);
        return at != NULL;
    }
    for (uint32_t i = 0; i * 4 < e->bytes; i++) {
        if (i * 4 + unit > p.good) {
            lw_access_dropped(w, (int)lane, lw_buffer_dword(f, &p, i), unit, LW_ACCESS_LOAD);
            continue;
        }
        const uint8_t *at = lw_access_buffer(w, (int)lane, lw_buffer_dword(f, &p, i), unit, LW_ACCESS_LOAD);
        if (!at)
            return false;
        memcpy(bytes + 4 * (size_t)i, at, unit);
    }
    return true;
}

bool lw_buffer_put(lw_wave *w, const lw_buffer_form *f, unsigned lane, const lw_element *e,
                   const uint8_t *bytes)
{
    const lw_buffer_place p = lw_buffer_place_of(f, lane);
    const uint32_t unit = e->bytes < 4 ? e->bytes : 4;
    for (uint32_t i = 0; i * 4 < e->bytes; i++) {
        if (i * 4 + unit > p.good) {
            lw_access_dropped(w, (int)lane, lw_buffer_dword(f, &p, i), unit, LW_ACCESS_STORE);
            continue;
        }
        uint8_t *at = lw_access_buffer(w, (int)lane, lw_buffer_dword(f, &p, i), unit, LW_ACCESS_STORE);
        if (!at)
            return false;
        memcpy(at, bytes + 4 * (size_t)i, unit);
    }
    return true;
}

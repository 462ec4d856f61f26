/* SPDX-License-Identifier: MIT */
/* Addresses through a buffer's resource, and range checks. AMD CDNA3 and CDNA4 ISA manuals, 9.1. */
#ifndef LW_EMU_AMDGPU_BUFFER_H
#define LW_EMU_AMDGPU_BUFFER_H

#include "emu/amdgpu/memory/access.h"

/* The value that is compared with num_records. */
typedef enum lw_buffer_check {
    LW_BUFFER_CHECK_NOTHING,
    LW_BUFFER_CHECK_OFFSET, /* raw */
    LW_BUFFER_CHECK_INDEX,
    LW_BUFFER_CHECK_INDEX_AND_OFFSET, /* the index, and the offset with the stride */
    LW_BUFFER_CHECK_EMPTY,            /* a buffer without records */
    LW_BUFFER_CHECK_BYTES,            /* gfx1250: everything that is added to the base */
} lw_buffer_check;

/* The resource, and the part of the address that is the same for all lanes. */
typedef struct lw_buffer_form {
    uint64_t base, records, soffset;
    uint32_t stride, index_stride;
    bool swizzle, add_tid;
    bool lane_is_index;             /* add_tid: the lane is the index, not added to it */
    uint8_t check;                  /* lw_buffer_check */
    uint8_t element;                /* contiguous bytes if swizzled */
    bool soffset_counts;            /* included in the raw range check */
    const uint32_t *index, *offset; /* rows; NULL: none */
    uint32_t inst_offset;
} lw_buffer_form;

/*
 * gfx1250's resource: base in bits 56:0, signed; size in bytes in bits 101:57; stride in bits 121:108, times
 * 1, 4, 8 or 32 by bits 123:122 (LLVM 22 builds it so; the factor of the stride is AMD's emulator's); bit 124
 * asks for swizzling, bit 125 for another range check.
 */
typedef struct lw_buffer_resource {
    uint64_t base, records;
    uint32_t stride;
} lw_buffer_resource;

/* False after lw_wave_fault: the last two bits ask for what is not modelled. */
bool lw_buffer_resource_57(lw_wave *w, const uint32_t words[4], lw_buffer_resource *resource);

/* False after lw_wave_fault, for a scalar offset without a documented value or a resource that is not
 * modelled. Without active lanes nothing is accessed, whatever those are: neither is looked at. */
bool lw_buffer_open(lw_wave *w, const lw_decoded *in, lw_buffer_form *form);

typedef struct lw_buffer_place {
    uint32_t index, offset;
    uint64_t address; /* of the first byte */
    uint64_t good;    /* bytes from there that are in range */
} lw_buffer_place;

static inline uint64_t lw_buffer_address(const lw_buffer_form *f, uint32_t index, uint32_t offset)
{
    if (!f->swizzle)
        return f->base + f->soffset + (uint64_t)index * f->stride + offset;
    const uint64_t row = index / f->index_stride, col = index % f->index_stride, e = f->element;
    return f->base + f->soffset + (row * f->stride + offset / e * e) * f->index_stride + col * e + offset % e;
}

/* Bytes of raw accesses are in range as long as the offset (with the scalar one: see the topic buffer-range)
 * plus the size is. */
static inline uint64_t lw_buffer_in_range(const lw_buffer_form *f, uint32_t index, uint32_t offset)
{
    const uint64_t used = offset + (f->soffset_counts ? f->soffset : 0);
    const bool index_good = index < f->records;
    switch ((lw_buffer_check)f->check) {
    case LW_BUFFER_CHECK_NOTHING:
        break;
    case LW_BUFFER_CHECK_OFFSET:
        return used < f->records ? f->records - used : 0;
    case LW_BUFFER_CHECK_INDEX:
        return index_good ? UINT64_MAX : 0;
    case LW_BUFFER_CHECK_INDEX_AND_OFFSET:
        return index_good && offset < f->stride ? f->stride - offset : 0;
    case LW_BUFFER_CHECK_EMPTY:
        return f->records ? UINT64_MAX : 0;
    case LW_BUFFER_CHECK_BYTES: {
        const uint64_t at = lw_buffer_address(f, index, offset) - f->base;
        return at < f->records ? f->records - at : 0;
    }
    }
    return UINT64_MAX;
}

static inline lw_buffer_place lw_buffer_place_of(const lw_buffer_form *f, unsigned lane)
{
    lw_buffer_place p = { .index = f->index ? f->index[lane] : 0,
                          .offset = (f->offset ? f->offset[lane] : 0) + f->inst_offset };
    if (f->add_tid && !(f->lane_is_index && f->index))
        p.index += lane;
    p.address = lw_buffer_address(f, p.index, p.offset);
    p.good = lw_buffer_in_range(f, p.index, p.offset);
    return p;
}

/* The address of dword `i` at a place; with swizzling, dwords are not contiguous. */
static inline uint64_t lw_buffer_dword(const lw_buffer_form *f, const lw_buffer_place *p, uint32_t i)
{
    return f->swizzle ? lw_buffer_address(f, p->index, p->offset + 4 * i) : p->address + 4 * (uint64_t)i;
}

/*
 * Copies what a lane loads: dword by dword for wide elements, with zeros where out of range. With swizzling,
 * the dwords of one element need not be contiguous.
 */
bool lw_buffer_fetch(lw_wave *w, const lw_buffer_form *f, unsigned lane, const lw_element *e, uint8_t *bytes);
/* Copies what a lane stores; dwords out of range are dropped. */
bool lw_buffer_put(lw_wave *w, const lw_buffer_form *f, unsigned lane, const lw_element *e,
                   const uint8_t *bytes);

#endif

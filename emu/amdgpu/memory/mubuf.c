/* SPDX-License-Identifier: MIT */
/* Buffer instructions: addresses through a resource, range checks. AMD CDNA3 and CDNA4 ISA manuals, 9.1. */
#include "emu/amdgpu/memory/access.h"
#include "emu/amdgpu/control/handlers.h"
#include "emu/amdgpu/memory/lds_dma.h"
#include "emu/amdgpu/scalar/scalar.h"
#include "isa_tables/amdgpu/traits.h"
#include "isa_tables/readings.h"

/* The value that is compared with num_records. */
typedef enum buffer_check {
    CHECK_NOTHING,
    CHECK_OFFSET, /* raw */
    CHECK_INDEX,
    CHECK_INDEX_AND_OFFSET, /* the index, and the offset with the stride */
    CHECK_EMPTY,            /* a buffer without records */
} buffer_check;

/* The resource, and the part of the address that is the same for all lanes. */
typedef struct buffer_form {
    uint64_t base, records, soffset;
    uint32_t stride, index_stride;
    bool swizzle, add_tid;
    bool lane_is_index;             /* add_tid: the lane is the index, not added to it */
    uint8_t check;                  /* buffer_check */
    uint8_t element;                /* contiguous bytes if swizzled */
    bool soffset_counts;            /* included in the raw range check */
    const uint32_t *index, *offset; /* rows; NULL: none */
    uint32_t inst_offset;
} buffer_form;

/*
 * gfx9: by index if there are an index and a stride. gfx11: according to OOB_SELECT (AMD RDNA3 ISA manual,
 * "Range checking"; rocjitsu, which was compared with gfx11 and gfx12 silicon).
 */
static void set_checks(const lw_wave *w, const lw_decoded *in, const uint32_t v[4], buffer_form *f)
{
    enum { STRUCTURED, INDEX, RECORDS, RAW };
    if (!lw_amdgpu_traits_of(w->arch)->buffer_oob) {
        f->swizzle = v[1] >> 31;
        f->element = 4;
        f->check = f->add_tid && !in->idxen ? CHECK_NOTHING
                   : in->idxen && f->stride ? CHECK_INDEX
                                            : CHECK_OFFSET;
        f->soffset_counts = !(w->head.group->session->kernel_readings & LW_KERNEL_RANGE_WITHOUT_SOFFSET);
        return;
    }
    const unsigned code = v[1] >> 30, select = v[3] >> 28 & 3;
    f->lane_is_index = true;
    f->swizzle = code && (in->idxen || f->add_tid);
    f->element = code == 3 ? 16 : 4;
    f->soffset_counts = true;
    f->check = select == STRUCTURED || (select == RAW && f->swizzle && f->stride) ? CHECK_INDEX_AND_OFFSET
               : select == INDEX                                                  ? CHECK_INDEX
               : select == RECORDS                                                ? CHECK_EMPTY
                                                                                  : CHECK_OFFSET;
}

/* False after lw_wave_fault, for a scalar offset without a documented value. */
static bool make_form(lw_wave *w, const lw_decoded *in, buffer_form *form)
{
    const uint32_t *v = &w->sgpr[in->src[1].reg];
    buffer_form f = { .records = v[2], .inst_offset = (uint32_t)in->offset };
    uint64_t soffset = 0;
    if (!lw_scalar_read(w, &in->src[2], &soffset)) {
        lw_scalar_no_value(w, &in->src[2]);
        return false;
    }
    f.soffset = (uint32_t)soffset;
    f.base = v[0] | (uint64_t)(v[1] & 0xffff) << 32;
    if (f.base >> 47 & 1)
        f.base |= UINT64_C(0xffff) << 48;
    f.add_tid = v[3] >> 23 & 1;
    f.stride = v[1] >> 16 & 0x3fff;
    if (f.add_tid)
        f.stride |= (v[3] >> 15 & 15) << 14;
    f.index_stride = UINT32_C(8) << (v[3] >> 21 & 3);
    set_checks(w, in, v, &f);
    if (in->src[0].kind == LW_OPND_VGPR) {
        const uint32_t *row = lw_access_row(w, &in->src[0]);
        f.index = in->idxen ? row : NULL;
        f.offset = in->offen ? row + (in->idxen ? LW_LANES : 0) : NULL;
    }
    *form = f;
    return true;
}

typedef struct lane_place {
    uint32_t index, offset;
    uint64_t address; /* of the first byte */
    uint64_t good;    /* bytes from there that are in range */
} lane_place;

static uint64_t address_of(const buffer_form *f, uint32_t index, uint32_t offset)
{
    if (!f->swizzle)
        return f->base + f->soffset + (uint64_t)index * f->stride + offset;
    const uint64_t row = index / f->index_stride, col = index % f->index_stride, e = f->element;
    return f->base + f->soffset + (row * f->stride + offset / e * e) * f->index_stride + col * e + offset % e;
}

/* Bytes of raw accesses are in range as long as the offset (with the scalar one: see the topic buffer-range)
 * plus the size is. */
static uint64_t bytes_in_range(const buffer_form *f, uint32_t index, uint32_t offset)
{
    const uint64_t used = offset + (f->soffset_counts ? f->soffset : 0);
    const bool index_good = index < f->records;
    switch ((buffer_check)f->check) {
    case CHECK_NOTHING:
        break;
    case CHECK_OFFSET:
        return used < f->records ? f->records - used : 0;
    case CHECK_INDEX:
        return index_good ? UINT64_MAX : 0;
    case CHECK_INDEX_AND_OFFSET:
        return index_good && offset < f->stride ? f->stride - offset : 0;
    case CHECK_EMPTY:
        return f->records ? UINT64_MAX : 0;
    }
    return UINT64_MAX;
}

static lane_place place_of(const buffer_form *f, unsigned lane)
{
    lane_place p = { .index = f->index ? f->index[lane] : 0,
                     .offset = (f->offset ? f->offset[lane] : 0) + f->inst_offset };
    if (f->add_tid && !(f->lane_is_index && f->index))
        p.index += lane;
    p.address = address_of(f, p.index, p.offset);
    p.good = bytes_in_range(f, p.index, p.offset);
    return p;
}

/* The address of dword `i` at a place; with swizzling, dwords are not contiguous. */
static uint64_t dword_of(const buffer_form *f, const lane_place *p, uint32_t i)
{
    return f->swizzle ? address_of(f, p->index, p->offset + 4 * i) : p->address + 4 * (uint64_t)i;
}

/*
 * Copies what a lane loads: dword by dword for wide elements, with zeros where out of range. With swizzling,
 * the dwords of one element need not be contiguous.
 */
static bool fetch(lw_wave *w, const buffer_form *f, unsigned lane, const lw_element *e, uint8_t *bytes)
{
    const lane_place p = place_of(f, lane);
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
            lw_access_dropped(w, (int)lane, dword_of(f, &p, i), unit, LW_ACCESS_LOAD);
            continue;
        }
        const uint8_t *at = lw_access_buffer(w, (int)lane, dword_of(f, &p, i), unit, LW_ACCESS_LOAD);
        if (!at)
            return false;
        memcpy(bytes + 4 * (size_t)i, at, unit);
    }
    return true;
}

static bool put(lw_wave *w, const buffer_form *f, unsigned lane, const lw_element *e, const uint8_t *bytes)
{
    const lane_place p = place_of(f, lane);
    const uint32_t unit = e->bytes < 4 ? e->bytes : 4;
    for (uint32_t i = 0; i * 4 < e->bytes; i++) {
        if (i * 4 + unit > p.good) {
            lw_access_dropped(w, (int)lane, dword_of(f, &p, i), unit, LW_ACCESS_STORE);
            continue;
        }
        uint8_t *at = lw_access_buffer(w, (int)lane, dword_of(f, &p, i), unit, LW_ACCESS_STORE);
        if (!at)
            return false;
        memcpy(at, bytes + 4 * (size_t)i, unit);
    }
    return true;
}

/* LDS address: M0 (16 bits, 18 from gfx950 on) + the instruction offset. */
static uint32_t lds_base(const lw_wave *w, const lw_decoded *in)
{
    const uint32_t mask = lw_amdgpu_traits_of(w->arch)->lds_dma_m0;
    return (w->sgpr[LW_SGPR_M0] & mask) + (uint32_t)in->offset;
}

/* Adds what fetch would load, for a copy that loads it later. */
static bool add_to_copy(lw_wave *w, const buffer_form *f, const lw_lds_place *to, lw_copy *copy)
{
    const lane_place p = place_of(f, to->lane);
    const uint32_t size = to->element->bytes, unit = size < 4 ? size : 4;
    if (!f->swizzle && size <= p.good)
        return lw_lds_dma_add(w, copy, to, 0, size, LW_SOURCE_GLOBAL, p.address);
    for (uint32_t i = 0; i * 4 < size; i++) {
        const lw_copy_source source = i * 4 + unit > p.good ? LW_SOURCE_ZERO : LW_SOURCE_GLOBAL;
        if (!lw_lds_dma_add(w, copy, to, i * 4, unit, source, dword_of(f, &p, i)))
            return false;
    }
    return true;
}

static lw_step load_lds(lw_wave *w, const lw_decoded *in, const buffer_form *f, const lw_element *e)
{
    const uint64_t exec = lw_wave_exec(w);
    lw_lds_place to = { .element = e, .base = lds_base(w, in) };
    lw_copy *copy = lw_lds_dma_begin(w);
    bool good = copy != NULL;
    for (to.lane = 0; to.lane < LW_LANES && good; to.lane++)
        if (exec >> to.lane & 1)
            good = add_to_copy(w, f, &to, copy);
    return good ? lw_lds_dma_issue(w, copy) : lw_lds_dma_abandon(w, copy);
}

static lw_step load(lw_wave *w, const lw_decoded *in, bool is_signed)
{
    buffer_form f;
    if (!make_form(w, in, &f))
        return LW_STEP_FAULT;
    const lw_element e = lw_element_of(in, is_signed);
    if (in->lds)
        return load_lds(w, in, &f, &e);
    const uint64_t exec = lw_wave_exec(w);
    uint32_t *row = lw_access_row(w, &in->dst);
    for (unsigned lane = 0; lane < LW_LANES; lane++) {
        uint8_t bytes[LW_MAX_ACCESS];
        if (!(exec >> lane & 1))
            continue;
        if (!fetch(w, &f, lane, &e, bytes))
            return LW_STEP_FAULT;
        lw_element_put(&e, row + lane, bytes);
    }
    return LW_STEP_NEXT;
}

lw_step lw_sem_buffer_load(lw_wave *w, const lw_decoded *in)
{
    return load(w, in, false);
}

lw_step lw_sem_buffer_load_signed(lw_wave *w, const lw_decoded *in)
{
    return load(w, in, true);
}

lw_step lw_sem_buffer_store(lw_wave *w, const lw_decoded *in)
{
    buffer_form f;
    if (!make_form(w, in, &f))
        return LW_STEP_FAULT;
    const lw_element e = lw_element_of(in, false);
    const uint64_t exec = lw_wave_exec(w);
    const uint32_t *row = lw_access_row(w, &in->src[3]);
    for (unsigned lane = 0; lane < LW_LANES; lane++) {
        uint8_t bytes[LW_MAX_ACCESS];
        if (!(exec >> lane & 1))
            continue;
        lw_element_get(&e, row + lane, bytes);
        if (!put(w, &f, lane, &e, bytes))
            return LW_STEP_FAULT;
    }
    return LW_STEP_NEXT;
}

/* Either all of an atomic's bytes are in range, or none is accessed. */
static lw_step run_atomic(lw_wave *w, const lw_decoded *in, lw_atomic_fn op)
{
    buffer_form f;
    if (!make_form(w, in, &f))
        return LW_STEP_FAULT;
    const uint64_t exec = lw_wave_exec(w);
    const unsigned bytes = in->row->bytes;
    const uint32_t *data = lw_access_row(w, &in->src[3]);
    const bool compares = in->src[3].dwords * 4u > bytes;
    uint32_t *row = in->dst.kind == LW_OPND_NONE ? NULL : lw_access_row(w, &in->dst);
    for (unsigned lane = 0; lane < LW_LANES; lane++) {
        if (!(exec >> lane & 1))
            continue;
        const lane_place p = place_of(&f, lane);
        const uint64_t value = lw_atomic_get(data + lane, bytes);
        const uint64_t compare =
            compares ? lw_atomic_get(data + (size_t)(bytes / 4) * LW_LANES + lane, bytes) : 0;
        uint64_t old = 0;
        if (bytes <= p.good) {
            uint8_t *at = lw_access_buffer(w, (int)lane, p.address, bytes, LW_ACCESS_ATOMIC);
            if (!at)
                return LW_STEP_FAULT;
            old = lw_atomic_apply(at, bytes, op, value, compare, w);
        } else {
            lw_access_dropped(w, (int)lane, p.address, bytes, LW_ACCESS_ATOMIC);
        }
        if (row)
            lw_atomic_put(row + lane, bytes, old);
    }
    return LW_STEP_NEXT;
}

#define BUFFER_ATOMIC(OP)                                                                                    \
    lw_step lw_sem_buffer_atomic_##OP(lw_wave *w, const lw_decoded *in)                                      \
    {                                                                                                        \
        return run_atomic(w, in, lw_atomic_##OP);                                                            \
    }

LW_ATOMIC_OPS(BUFFER_ATOMIC)
LW_ATOMIC_FLOAT_OPS(BUFFER_ATOMIC)
BUFFER_ATOMIC(min_f32)
BUFFER_ATOMIC(max_f32)
BUFFER_ATOMIC(cmpswap_float)
BUFFER_ATOMIC(csub)
BUFFER_ATOMIC(min_num_f32)
BUFFER_ATOMIC(max_num_f32)
BUFFER_ATOMIC(cond_sub)

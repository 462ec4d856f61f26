/* SPDX-License-Identifier: MIT */
/* Scalar memory: loads, stores and atomics of the wave. */
#include "emu/amdgpu/memory/access.h"
#include "emu/amdgpu/control/handlers.h"
#include "emu/amdgpu/memory/buffer.h"
#include "isa_tables/amdgpu/traits.h"

/* The first data register: a source of stores and atomics, otherwise the result. */
static unsigned data_of(const lw_decoded *in)
{
    return in->src[2].kind == LW_OPND_SGPR ? in->src[2].reg : in->dst.reg;
}

/* Byte offset of the access: immediate and scalar offset, both optional. */
static uint64_t smem_offset(const lw_wave *w, const lw_decoded *in)
{
    const uint32_t soffset = in->src[1].kind == LW_OPND_SGPR ? w->sgpr[in->src[1].reg] : 0;
    const unsigned scale = in->scale_offset ? in->row->bytes : 1;
    return (uint64_t)(int64_t)in->offset + (uint64_t)soffset * scale;
}

/* Address bits 1:0 are ignored (AMD CDNA3 ISA manual 7.2). */
static uint64_t plain_address(const lw_wave *w, const lw_decoded *in)
{
    return (lw_wave_sgpr64(w, in->src[0].reg) + smem_offset(w, in)) & ~UINT64_C(3);
}

/* All dwords at once. NULL if that is not possible; each dword is then handled separately. */
static const uint8_t *whole(lw_wave *w, uint64_t address, uint32_t bytes)
{
    lw_worker *worker = w->head.group->worker;
    const uint8_t *at = w->head.log ? NULL : lw_mem_at(&worker->view, address, bytes, false);
    const bool watched = at && worker->watch && worker->view.hit.writable;
    return watched && !lw_watch_note(worker->watch, address, bytes, false) ? NULL : at;
}

/* Loads dwords; those that are out of range read as zero. */
static lw_step load_dwords(lw_wave *w, const lw_decoded *in, uint64_t address, uint64_t good_bytes)
{
    uint32_t data[16];
    const unsigned count = in->row->bytes / 4u;
    const uint8_t *all = in->row->bytes <= good_bytes ? whole(w, address, in->row->bytes) : NULL;
    if (all) {
        memcpy(&w->sgpr[in->dst.reg], all, 4u * count);
        return LW_STEP_NEXT;
    }
    for (unsigned i = 0; i < count; i++) {
        data[i] = 0;
        if (4u * i + 4u > good_bytes)
            continue;
        const uint8_t *at = lw_access_global(w, -1, address + 4u * i, 4, LW_ACCESS_LOAD);
        if (!at)
            return LW_STEP_FAULT;
        memcpy(&data[i], at, 4);
    }
    memcpy(&w->sgpr[in->dst.reg], data, 4u * count);
    return LW_STEP_NEXT;
}

lw_step lw_sem_s_load(lw_wave *w, const lw_decoded *in)
{
    return load_dwords(w, in, plain_address(w, in), UINT64_MAX);
}

/* Bytes of a buffer: those from `address` on that are within it. */
typedef struct buffer_place {
    uint64_t address, good_bytes;
} buffer_place;

/* Of a buffer resource: num_records counts bytes, or records of `stride` bytes. `ignored`: ignored bits of
 * the offset. False after lw_wave_fault. */
static bool find_place(lw_wave *w, const lw_decoded *in, uint64_t ignored, buffer_place *place)
{
    const uint32_t *v = &w->sgpr[in->src[0].reg];
    uint64_t base = v[0] | (uint64_t)(v[1] & 0xffff) << 32;
    if (base >> 47 & 1)
        base |= UINT64_C(0xffff) << 48;
    const uint32_t stride = v[1] >> 16 & 0x3fff;
    uint64_t size = stride ? (uint64_t)v[2] * stride : v[2];
    if (lw_amdgpu_traits_of(w->arch)->resource_57) {
        lw_buffer_resource r;
        if (!lw_buffer_resource_57(w, v, &r))
            return false;
        base = r.base;
        size = r.records;
    }
    const uint64_t offset = (uint32_t)smem_offset(w, in) & ~ignored;
    *place = (buffer_place){ base + offset, offset < size ? size - offset : 0 };
    return true;
}

enum { DWORD_BITS = 3 };

lw_step lw_sem_s_buffer_load(lw_wave *w, const lw_decoded *in)
{
    buffer_place p;
    return find_place(w, in, DWORD_BITS, &p) ? load_dwords(w, in, p.address, p.good_bytes) : LW_STEP_FAULT;
}

/* One or two bytes, at any address, extended to a dword; 0 if out of range (AMD RDNA4 ISA manual,
 * S_LOAD_U8). */
static lw_step load_small(lw_wave *w, const lw_decoded *in, uint64_t address, uint64_t good_bytes,
                          bool is_signed)
{
    const unsigned bytes = in->row->bytes;
    uint16_t value = 0;
    if (bytes <= good_bytes) {
        const uint8_t *at = lw_access_global(w, -1, address, bytes, LW_ACCESS_LOAD);
        if (!at)
            return LW_STEP_FAULT;
        memcpy(&value, at, bytes);
    }
    w->sgpr[in->dst.reg] = !is_signed   ? value
                           : bytes == 1 ? (uint32_t)(int32_t)(int8_t)value
                                        : (uint32_t)(int32_t)(int16_t)value;
    return LW_STEP_NEXT;
}

lw_step lw_sem_s_load_small(lw_wave *w, const lw_decoded *in)
{
    return load_small(w, in, lw_wave_sgpr64(w, in->src[0].reg) + smem_offset(w, in), UINT64_MAX, false);
}

lw_step lw_sem_s_load_signed(lw_wave *w, const lw_decoded *in)
{
    return load_small(w, in, lw_wave_sgpr64(w, in->src[0].reg) + smem_offset(w, in), UINT64_MAX, true);
}

lw_step lw_sem_s_buffer_load_small(lw_wave *w, const lw_decoded *in)
{
    buffer_place p;
    return find_place(w, in, 0, &p) ? load_small(w, in, p.address, p.good_bytes, false) : LW_STEP_FAULT;
}

lw_step lw_sem_s_buffer_load_signed(lw_wave *w, const lw_decoded *in)
{
    buffer_place p;
    return find_place(w, in, 0, &p) ? load_small(w, in, p.address, p.good_bytes, true) : LW_STEP_FAULT;
}

static lw_step store_dwords(lw_wave *w, const lw_decoded *in, uint64_t address, uint64_t good_bytes)
{
    for (unsigned i = 0; 4u * i < in->row->bytes; i++) {
        if (4u * i + 4u > good_bytes)
            break;
        uint8_t *at = lw_access_global(w, -1, address + 4u * i, 4, LW_ACCESS_STORE);
        if (!at)
            return LW_STEP_FAULT;
        memcpy(at, &w->sgpr[data_of(in) + i], 4);
    }
    return LW_STEP_NEXT;
}

lw_step lw_sem_s_store(lw_wave *w, const lw_decoded *in)
{
    return store_dwords(w, in, plain_address(w, in), UINT64_MAX);
}

lw_step lw_sem_s_buffer_store(lw_wave *w, const lw_decoded *in)
{
    buffer_place p;
    return find_place(w, in, DWORD_BITS, &p) ? store_dwords(w, in, p.address, p.good_bytes) : LW_STEP_FAULT;
}

/* The clock of a wave is the number of instructions it has executed: the same in every run. */
lw_step lw_sem_s_time(lw_wave *w, const lw_decoded *in)
{
    lw_wave_set_sgpr64(w, in->dst.reg, w->head.executed);
    w->head.group->worker->changes++; /* a wave that reads the clock does not repeat its state */
    return LW_STEP_NEXT;
}

static lw_step run_atomic(lw_wave *w, const lw_decoded *in, uint64_t address, uint64_t good_bytes,
                          lw_atomic_fn op)
{
    const unsigned bytes = in->row->bytes;
    uint64_t value = 0, compare = 0;
    memcpy(&value, &w->sgpr[data_of(in)], bytes);
    if (in->row->dst.dwords * 4u > bytes)
        memcpy(&compare, &w->sgpr[data_of(in) + bytes / 4], bytes);
    uint64_t old = 0;
    if (bytes <= good_bytes) {
        uint8_t *at = lw_access_global(w, -1, address, bytes, LW_ACCESS_ATOMIC);
        if (!at)
            return LW_STEP_FAULT;
        old = lw_atomic_apply(at, bytes, op, value, compare, w);
    }
    if (in->glc)
        memcpy(&w->sgpr[data_of(in)], &old, bytes);
    return LW_STEP_NEXT;
}

#define SCALAR_ATOMIC(OP)                                                                                    \
    lw_step lw_sem_s_atomic_##OP(lw_wave *w, const lw_decoded *in)                                           \
    {                                                                                                        \
        return run_atomic(w, in, plain_address(w, in), UINT64_MAX, lw_atomic_##OP);                          \
    }                                                                                                        \
    lw_step lw_sem_s_buffer_atomic_##OP(lw_wave *w, const lw_decoded *in)                                    \
    {                                                                                                        \
        buffer_place p;                                                                                      \
        return find_place(w, in, DWORD_BITS, &p)                                                             \
                   ? run_atomic(w, in, p.address, p.good_bytes, lw_atomic_##OP)                              \
                   : LW_STEP_FAULT;                                                                          \
    }

LW_ATOMIC_OPS(SCALAR_ATOMIC)

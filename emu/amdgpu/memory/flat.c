/* SPDX-License-Identifier: MIT */
/* FLAT, GLOBAL and SCRATCH: loads, stores, atomics, loads to LDS. */
#include "emu/amdgpu/memory/access.h"
#include "emu/amdgpu/control/handlers.h"
#include "emu/amdgpu/memory/lds_dma.h"
#include "emu/amdgpu/memory/turned.h"
#include "isa_tables/amdgpu/traits.h"

/* The part that is the same for all lanes. */
typedef struct flat_form {
    const uint32_t *address; /* row of the address register, NULL: none */
    bool wide;               /* two registers */
    uint64_t base;           /* scalar address and offset */
    uint8_t seg, scale;      /* by which the address register is multiplied */
    bool all_scratch;        /* flat addresses reach the scratch of all lanes */
} flat_form;

static flat_form form_of(lw_wave *w, const lw_decoded *in)
{
    flat_form f = { .base = (uint64_t)(int64_t)in->offset,
                    .seg = in->seg,
                    .scale = in->scale_offset ? in->row->bytes : 1,
                    .all_scratch = lw_amdgpu_traits_of(w->arch)->scratch_in_flat };
    if (in->src[0].kind == LW_OPND_VGPR) {
        f.address = lw_access_row(w, &in->src[0]);
        f.wide = in->src[0].dwords == 2;
    }
    if (in->src[2].kind == LW_OPND_SGPR)
        f.base += in->src[2].dwords == 2 ? lw_wave_sgpr64(w, in->src[2].reg) : w->sgpr[in->src[2].reg];
    return f;
}

static uint64_t lane_address(const flat_form *f, unsigned lane)
{
    uint64_t a = f->base;
    if (f->address)
        a += (uint64_t)f->address[lane] * f->scale;
    if (f->wide)
        a += (uint64_t)f->address[LW_LANES + lane] << 32;
    return f->seg == LW_SEG_SCRATCH ? (uint32_t)a : a;
}

/* Bits 56 to 52 of an address in the scratch of all lanes are the lane. */
static bool in_any_scratch(const flat_form *f, uint64_t address, unsigned *lane)
{
    enum { SHIFT = 52, LANES = 32 };
    const uint64_t offset = address - LW_APERTURE_ALL_SCRATCH, lane_bits = (uint64_t)(LANES - 1) << SHIFT;
    *lane = (unsigned)(offset >> SHIFT & (LANES - 1));
    return f->all_scratch && f->seg == LW_SEG_FLAT && (offset & ~lane_bits) < LW_APERTURE_SIZE;
}

static bool in_aperture(uint64_t address, uint64_t base)
{
    return address - base < LW_APERTURE_SIZE;
}

static bool reaches_lds(const flat_form *f, unsigned lane)
{
    return f->seg == LW_SEG_FLAT && in_aperture(lane_address(f, lane), LW_APERTURE_LDS);
}

/*
 * The lane's bytes. NULL with *fault false for LDS out of range (through a flat address); NULL with *fault
 * true after lw_wave_fault.
 */
static uint8_t *flat_at(lw_wave *w, const flat_form *f, unsigned lane, uint32_t size, lw_access_kind kind,
                        bool *fault)
{
    const uint64_t a = lane_address(f, lane);
    uint8_t *at;
    *fault = false;
    if (reaches_lds(f, lane))
        return lw_access_lds(w, (int)lane, (uint32_t)a, size, kind);
    unsigned owner;
    if (in_any_scratch(f, a, &owner))
        at = lw_access_scratch(w, (int)owner, (uint32_t)a, size, kind);
    else if (f->seg == LW_SEG_SCRATCH || (f->seg == LW_SEG_FLAT && in_aperture(a, LW_APERTURE_PRIVATE)))
        at = lw_access_scratch(w, (int)lane, (uint32_t)a, size, kind);
    else
        at = lw_access_global(w, (int)lane, a, size, kind);
    *fault = at == NULL;
    return at;
}

static lw_step load(lw_wave *w, const lw_decoded *in, bool is_signed)
{
    static const uint8_t zeros[LW_MAX_ACCESS];
    const flat_form f = form_of(w, in);
    const lw_element e = lw_element_of(in, is_signed);
    const uint64_t exec = lw_wave_exec(w);
    uint32_t *row = lw_access_row(w, &in->dst);
    for (unsigned lane = 0; lane < LW_LANES; lane++) {
        if (!(exec >> lane & 1))
            continue;
        bool fault;
        const uint8_t *at = flat_at(w, &f, lane, e.bytes, LW_ACCESS_LOAD, &fault);
        if (fault)
            return LW_STEP_FAULT;
        lw_element_put(&e, row + lane, at ? at : zeros);
    }
    return LW_STEP_NEXT;
}

lw_step lw_sem_flat_store(lw_wave *w, const lw_decoded *in)
{
    const flat_form f = form_of(w, in);
    const lw_element e = lw_element_of(in, false);
    const uint64_t exec = lw_wave_exec(w);
    const uint32_t *row = lw_access_row(w, &in->src[1]);
    for (unsigned lane = 0; lane < LW_LANES; lane++) {
        if (!(exec >> lane & 1))
            continue;
        bool fault;
        uint8_t *at = flat_at(w, &f, lane, e.bytes, LW_ACCESS_STORE, &fault);
        if (fault)
            return LW_STEP_FAULT;
        if (at)
            lw_element_get(&e, row + lane, at);
    }
    return LW_STEP_NEXT;
}

/*
 * Lanes in ascending order: the order within one instruction is not specified. `lds_op` is the operation for
 * flat addresses in LDS, whose floating-point additions obey MODE (AMD CDNA4 ISA manual 9.2).
 */
static lw_step run_atomic(lw_wave *w, const lw_decoded *in, lw_atomic_fn op, lw_atomic_fn lds_op)
{
    const flat_form f = form_of(w, in);
    const uint64_t exec = lw_wave_exec(w);
    const unsigned bytes = in->row->bytes;
    const uint32_t *data = lw_access_row(w, &in->src[1]);
    const bool compares = in->src[1].dwords * 4u > bytes;
    uint32_t *row = in->dst.kind == LW_OPND_NONE ? NULL : lw_access_row(w, &in->dst);
    for (unsigned lane = 0; lane < LW_LANES; lane++) {
        if (!(exec >> lane & 1))
            continue;
        bool fault;
        uint8_t *at = flat_at(w, &f, lane, bytes, LW_ACCESS_ATOMIC, &fault);
        if (fault)
            return LW_STEP_FAULT;
        const uint64_t value = lw_atomic_get(data + lane, bytes);
        const uint64_t compare =
            compares ? lw_atomic_get(data + (size_t)(bytes / 4) * LW_LANES + lane, bytes) : 0;
        const lw_atomic_fn apply = reaches_lds(&f, lane) ? lds_op : op;
        const uint64_t old = at ? lw_atomic_apply(at, bytes, apply, value, compare, w) : 0;
        if (row)
            lw_atomic_put(row + lane, bytes, old);
    }
    return LW_STEP_NEXT;
}

#define FLAT_ATOMIC_OF(OP, LDS_OP)                                                                           \
    lw_step lw_sem_flat_atomic_##OP(lw_wave *w, const lw_decoded *in)                                        \
    {                                                                                                        \
        return run_atomic(w, in, lw_atomic_##OP, lw_atomic_##LDS_OP);                                        \
    }
#define FLAT_ATOMIC(OP) FLAT_ATOMIC_OF(OP, OP)

LW_ATOMIC_OPS(FLAT_ATOMIC)
FLAT_ATOMIC_OF(add_f32, lds_add_f32)
FLAT_ATOMIC_OF(pk_add_f16, lds_pk_add_f16)
FLAT_ATOMIC_OF(pk_add_bf16, lds_pk_add_bf16)
FLAT_ATOMIC(add_f64)
FLAT_ATOMIC_OF(min_f64, lds_min_f64)
FLAT_ATOMIC_OF(max_f64, lds_max_f64)
FLAT_ATOMIC_OF(min_f32, lds_min_f32)
FLAT_ATOMIC_OF(max_f32, lds_max_f32)
FLAT_ATOMIC(cmpswap_float)
FLAT_ATOMIC(csub)
FLAT_ATOMIC_OF(min_num_f32, lds_min_num_f32)
FLAT_ATOMIC_OF(max_num_f32, lds_max_num_f32)
FLAT_ATOMIC_OF(min_num_f64, lds_min_num_f64)
FLAT_ATOMIC_OF(max_num_f64, lds_max_num_f64)
FLAT_ATOMIC(cond_sub)

/* Lane L at the scalar address + offset + 4 * L (AMD RDNA3 ISA manual, GLOBAL_LOAD_ADDTID_B32). */
static uint8_t *addtid_at(lw_wave *w, const flat_form *f, unsigned lane, lw_access_kind kind)
{
    return lw_access_global(w, (int)lane, f->base + 4u * lane, 4, kind);
}

lw_step lw_sem_flat_load_addtid(lw_wave *w, const lw_decoded *in)
{
    const flat_form f = form_of(w, in);
    for (uint64_t left = lw_wave_exec(w); left; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctzll(left);
        const uint8_t *at = addtid_at(w, &f, lane, LW_ACCESS_LOAD);
        if (!at)
            return LW_STEP_FAULT;
        memcpy(lw_access_row(w, &in->dst) + lane, at, 4);
    }
    return LW_STEP_NEXT;
}

lw_step lw_sem_flat_store_addtid(lw_wave *w, const lw_decoded *in)
{
    const flat_form f = form_of(w, in);
    for (uint64_t left = lw_wave_exec(w); left; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctzll(left);
        uint8_t *at = addtid_at(w, &f, lane, LW_ACCESS_STORE);
        if (!at)
            return LW_STEP_FAULT;
        memcpy(at, lw_access_row(w, &in->src[1]) + lane, 4);
    }
    return LW_STEP_NEXT;
}

/*
 * Loads to LDS at M0[17:2] * 4 + offset + lane * size: the instruction offset is added on both sides (AMD
 * CDNA4 ISA manual 9.2; LLVM uses it that way).
 */
static lw_step load_lds(lw_wave *w, const lw_decoded *in, bool is_signed)
{
    const flat_form f = form_of(w, in);
    const lw_element e = lw_element_of(in, is_signed);
    const uint64_t exec = lw_wave_exec(w);
    const lw_copy_source source = f.seg == LW_SEG_SCRATCH ? LW_SOURCE_SCRATCH : LW_SOURCE_GLOBAL;
    lw_lds_place to = { .element = &e, .base = (w->sgpr[LW_SGPR_M0] & 0x3fffc) + (uint32_t)in->offset };
    lw_copy *copy = lw_lds_dma_begin(w);
    bool good = copy != NULL;
    for (to.lane = 0; to.lane < LW_LANES && good; to.lane++)
        if (exec >> to.lane & 1)
            good = lw_lds_dma_add(w, copy, &to, 0, e.bytes, source, lane_address(&f, to.lane));
    return good ? lw_lds_dma_issue(w, copy) : lw_lds_dma_abandon(w, copy);
}

/* Bit 13 of gfx908 and gfx90a sends the data of a load to LDS. */
lw_step lw_sem_flat_load(lw_wave *w, const lw_decoded *in)
{
    return in->lds ? load_lds(w, in, false) : load(w, in, false);
}

lw_step lw_sem_flat_load_signed(lw_wave *w, const lw_decoded *in)
{
    return in->lds ? load_lds(w, in, true) : load(w, in, true);
}

lw_step lw_sem_flat_load_lds(lw_wave *w, const lw_decoded *in)
{
    return load_lds(w, in, false);
}

lw_step lw_sem_flat_load_lds_signed(lw_wave *w, const lw_decoded *in)
{
    return load_lds(w, in, true);
}

/* ---- gfx12: transposing loads, blocks of registers ---- */

static lw_step load_turned(lw_wave *w, const lw_decoded *in, const lw_turn *turn)
{
    lw_turned t;
    const flat_form f = form_of(w, in);
    const unsigned bytes = lw_turn_bytes(turn);
    if (lw_turned_refused(w))
        return LW_STEP_FAULT;
    memset(&t, 0, sizeof(t));
    for (unsigned lane = 0; lane < LW_TURNED_LANES; lane++) {
        bool fault;
        const uint8_t *at = flat_at(w, &f, lane, bytes, LW_ACCESS_LOAD, &fault);
        if (!at)
            return LW_STEP_FAULT;
        memcpy(t.source[lane], at, bytes);
    }
    lw_turned_put(&t, turn, in, lw_access_row(w, &in->dst));
    return LW_STEP_NEXT;
}

lw_step lw_sem_flat_load_tr_b16(lw_wave *w, const lw_decoded *in)
{
    return load_turned(w, in, &lw_turn_16);
}

lw_step lw_sem_flat_load_tr_b8(lw_wave *w, const lw_decoded *in)
{
    return load_turned(w, in, &lw_turn_8);
}

lw_step lw_sem_flat_load_tr_b6(lw_wave *w, const lw_decoded *in)
{
    return load_turned(w, in, &lw_turn_6);
}

lw_step lw_sem_flat_load_tr_b4(lw_wave *w, const lw_decoded *in)
{
    return load_turned(w, in, &lw_turn_4);
}

/* Those of 32 registers and dwords whose bits are set in M0 (AMD RDNA4 ISA manual, GLOBAL_LOAD_BLOCK). */
static lw_step move_block(lw_wave *w, const lw_decoded *in, uint32_t *row, lw_access_kind kind)
{
    flat_form f = form_of(w, in);
    const uint64_t base = f.base;
    for (uint32_t left = w->sgpr[LW_SGPR_M0]; left; left &= left - 1) {
        const unsigned i = (unsigned)__builtin_ctz(left);
        f.base = base + 4 * (uint64_t)i;
        for (uint64_t lanes = lw_wave_exec(w); lanes; lanes &= lanes - 1) {
            const unsigned lane = (unsigned)__builtin_ctzll(lanes);
            bool fault;
            uint8_t *at = flat_at(w, &f, lane, 4, kind, &fault);
            if (!at)
                return LW_STEP_FAULT;
            uint32_t *word = row + (size_t)i * LW_LANES + lane;
            memcpy(kind == LW_ACCESS_STORE ? (void *)at : word, kind == LW_ACCESS_STORE ? (void *)word : at,
                   4);
        }
    }
    return LW_STEP_NEXT;
}

lw_step lw_sem_flat_load_block(lw_wave *w, const lw_decoded *in)
{
    return move_block(w, in, lw_access_row(w, &in->dst), LW_ACCESS_LOAD);
}

lw_step lw_sem_flat_store_block(lw_wave *w, const lw_decoded *in)
{
    return move_block(w, in, lw_access_row(w, &in->src[1]), LW_ACCESS_STORE);
}

/* ---- gfx1250: copies to and from LDS, each lane at its own address ---- */

/* `other`: the register with the lanes' addresses in LDS. The instruction's offset is added on both sides. */
static lw_step copy_lanes(lw_wave *w, const lw_decoded *in, const lw_opnd *other, lw_copy_way way)
{
    const flat_form f = form_of(w, in);
    const uint32_t *lds = lw_access_row(w, other);
    const uint64_t exec = lw_wave_exec(w);
    lw_copy *copy = lw_lds_dma_begin(w);
    bool good = copy != NULL;
    for (unsigned lane = 0; good && lane < LW_LANES; lane++)
        if (exec >> lane & 1)
            good = lw_lds_dma_add_at(w, copy, (int)lane, lds[lane] + (uint32_t)in->offset, in->row->bytes,
                                     lane_address(&f, lane), way);
    return good ? lw_lds_dma_issue(w, copy) : lw_lds_dma_abandon(w, copy);
}

lw_step lw_sem_flat_load_async(lw_wave *w, const lw_decoded *in)
{
    return copy_lanes(w, in, &in->src[3], LW_COPY_TO_LDS);
}

lw_step lw_sem_flat_store_async(lw_wave *w, const lw_decoded *in)
{
    return copy_lanes(w, in, &in->src[1], LW_COPY_FROM_LDS);
}

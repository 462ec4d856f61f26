/* SPDX-License-Identifier: MIT */
/* LDS: reads, writes, atomics. */
#include "emu/amdgpu/memory/access.h"
#include "emu/amdgpu/control/handlers.h"

/* Byte address of a lane: the address register plus the 16-bit offset. */
static uint32_t lane_address(const uint32_t *address, const lw_decoded *in, unsigned lane)
{
    return address[lane] + (uint32_t)in->offset;
}

static void read_element(lw_wave *w, const lw_element *e, uint32_t address, unsigned lane, uint8_t *bytes)
{
    const uint8_t *at = lw_access_lds(w, (int)lane, address, e->bytes, LW_ACCESS_LOAD);
    if (at)
        lw_access_move(bytes, at, e->bytes);
    else
        memset(bytes, 0, e->bytes);
}

static void write_element(lw_wave *w, const lw_element *e, uint32_t address, unsigned lane,
                          const uint32_t *row)
{
    uint8_t *at = lw_access_lds(w, (int)lane, address, e->bytes, LW_ACCESS_STORE);
    if (at)
        lw_element_get(e, row + lane, at);
}

static lw_step read_lanes(lw_wave *w, const lw_decoded *in, bool is_signed)
{
    const lw_element e = lw_element_of(in, is_signed);
    const uint64_t exec = lw_wave_exec(w);
    const uint32_t *address = lw_access_row(w, &in->src[0]);
    uint32_t *row = lw_access_row(w, &in->dst);
    for (unsigned lane = 0; lane < LW_LANES; lane++) {
        uint8_t bytes[LW_MAX_ACCESS];
        if (!(exec >> lane & 1))
            continue;
        read_element(w, &e, lane_address(address, in, lane), lane, bytes);
        lw_element_put(&e, row + lane, bytes);
    }
    return LW_STEP_NEXT;
}

lw_step lw_sem_ds_read(lw_wave *w, const lw_decoded *in)
{
    return read_lanes(w, in, false);
}

lw_step lw_sem_ds_read_signed(lw_wave *w, const lw_decoded *in)
{
    return read_lanes(w, in, true);
}

lw_step lw_sem_ds_write(lw_wave *w, const lw_decoded *in)
{
    const lw_element e = lw_element_of(in, false);
    const uint64_t exec = lw_wave_exec(w);
    const uint32_t *address = lw_access_row(w, &in->src[0]);
    const uint32_t *row = lw_access_row(w, &in->src[1]);
    for (unsigned lane = 0; lane < LW_LANES; lane++)
        if (exec >> lane & 1)
            write_element(w, &e, lane_address(address, in, lane), lane, row);
    return LW_STEP_NEXT;
}

/* Two places, with 8-bit offsets in units of the element or of 64 elements. */
static uint32_t pair_address(const uint32_t *address, const lw_decoded *in, unsigned lane, unsigned which,
                             unsigned unit)
{
    return address[lane] + ((uint32_t)in->offset >> (8 * which) & 0xff) * unit * in->row->bytes;
}

static lw_step read_pairs(lw_wave *w, const lw_decoded *in, unsigned unit)
{
    const lw_element e = lw_element_of(in, false);
    const uint64_t exec = lw_wave_exec(w);
    const uint32_t *address = lw_access_row(w, &in->src[0]);
    uint32_t *row = lw_access_row(w, &in->dst);
    const size_t second = (size_t)(e.bytes / 4) * LW_LANES;
    for (unsigned lane = 0; lane < LW_LANES; lane++) {
        uint8_t bytes[2][LW_MAX_ACCESS];
        if (!(exec >> lane & 1))
            continue;
        read_element(w, &e, pair_address(address, in, lane, 0, unit), lane, bytes[0]);
        read_element(w, &e, pair_address(address, in, lane, 1, unit), lane, bytes[1]);
        lw_element_put(&e, row + lane, bytes[0]);
        lw_element_put(&e, row + second + lane, bytes[1]);
    }
    return LW_STEP_NEXT;
}

lw_step lw_sem_ds_read2(lw_wave *w, const lw_decoded *in)
{
    return read_pairs(w, in, 1);
}

lw_step lw_sem_ds_read2st64(lw_wave *w, const lw_decoded *in)
{
    return read_pairs(w, in, 64);
}

/* If both places are the same, the second value remains. */
static lw_step write_pairs(lw_wave *w, const lw_decoded *in, unsigned unit)
{
    const lw_element e = lw_element_of(in, false);
    const uint64_t exec = lw_wave_exec(w);
    const uint32_t *address = lw_access_row(w, &in->src[0]);
    for (unsigned lane = 0; lane < LW_LANES; lane++) {
        if (!(exec >> lane & 1))
            continue;
        for (unsigned i = 0; i < 2; i++)
            write_element(w, &e, pair_address(address, in, lane, i, unit), lane,
                          lw_access_row(w, &in->src[1 + i]));
    }
    return LW_STEP_NEXT;
}

lw_step lw_sem_ds_write2(lw_wave *w, const lw_decoded *in)
{
    return write_pairs(w, in, 1);
}

lw_step lw_sem_ds_write2st64(lw_wave *w, const lw_decoded *in)
{
    return write_pairs(w, in, 64);
}

/* Address = M0[15:0] + offset + lane * 4 (AMD CDNA3 ISA manual, DS_READ_ADDTID_B32). */
static uint32_t tid_address(const lw_wave *w, const lw_decoded *in, unsigned lane)
{
    return (w->sgpr[LW_SGPR_M0] & 0xffff) + (uint32_t)in->offset + lane * 4;
}

lw_step lw_sem_ds_read_addtid(lw_wave *w, const lw_decoded *in)
{
    const lw_element e = lw_element_of(in, false);
    const uint64_t exec = lw_wave_exec(w);
    uint32_t *row = lw_access_row(w, &in->dst);
    for (unsigned lane = 0; lane < LW_LANES; lane++) {
        uint8_t bytes[LW_MAX_ACCESS];
        if (!(exec >> lane & 1))
            continue;
        read_element(w, &e, tid_address(w, in, lane), lane, bytes);
        lw_element_put(&e, row + lane, bytes);
    }
    return LW_STEP_NEXT;
}

lw_step lw_sem_ds_write_addtid(lw_wave *w, const lw_decoded *in)
{
    const lw_element e = lw_element_of(in, false);
    const uint64_t exec = lw_wave_exec(w);
    const uint32_t *row = lw_access_row(w, &in->src[1]);
    for (unsigned lane = 0; lane < LW_LANES; lane++)
        if (exec >> lane & 1)
            write_element(w, &e, tid_address(w, in, lane), lane, row);
    return LW_STEP_NEXT;
}

/* ---- Atomics: lanes in ascending order ---- */

static uint64_t atomic_at(lw_wave *w, const lw_decoded *in, uint32_t address, unsigned lane, lw_atomic_fn op,
                          uint64_t value, uint64_t compare)
{
    uint8_t *at = lw_access_lds(w, (int)lane, address, in->row->bytes, LW_ACCESS_ATOMIC);
    return at ? lw_atomic_apply(at, in->row->bytes, op, value, compare, w) : 0;
}

/* `compare_first`: the first data operand is the comparand, the second the new value (DS_CMPST). */
static lw_step run_atomic(lw_wave *w, const lw_decoded *in, lw_atomic_fn op, bool compare_first)
{
    const uint64_t exec = lw_wave_exec(w);
    const unsigned bytes = in->row->bytes;
    const uint32_t *address = lw_access_row(w, &in->src[0]);
    const uint32_t *first = lw_access_row(w, &in->src[1]);
    const uint32_t *second = in->src[2].kind == LW_OPND_NONE ? NULL : lw_access_row(w, &in->src[2]);
    uint32_t *row = in->dst.kind == LW_OPND_NONE ? NULL : lw_access_row(w, &in->dst);
    for (unsigned lane = 0; lane < LW_LANES; lane++) {
        if (!(exec >> lane & 1))
            continue;
        const uint64_t a = lw_atomic_get(first + lane, bytes);
        const uint64_t b = second ? lw_atomic_get(second + lane, bytes) : 0;
        const uint64_t old = atomic_at(w, in, lane_address(address, in, lane), lane, op,
                                       compare_first ? b : a, compare_first ? a : b);
        if (row)
            lw_atomic_put(row + lane, bytes, old);
    }
    return LW_STEP_NEXT;
}

#define DS_ATOMIC(OP)                                                                                        \
    lw_step lw_sem_ds_##OP(lw_wave *w, const lw_decoded *in)                                                 \
    {                                                                                                        \
        return run_atomic(w, in, lw_atomic_##OP, false);                                                     \
    }

DS_ATOMIC(add)
DS_ATOMIC(sub)
DS_ATOMIC(rsub)
DS_ATOMIC(inc)
DS_ATOMIC(dec)
DS_ATOMIC(smin)
DS_ATOMIC(smax)
DS_ATOMIC(umin)
DS_ATOMIC(umax)
DS_ATOMIC(and)
DS_ATOMIC(or)
DS_ATOMIC(xor)
DS_ATOMIC(mskor)
DS_ATOMIC(swap)
DS_ATOMIC(wrap)
DS_ATOMIC(cond_sub)
DS_ATOMIC(csub)
DS_ATOMIC(lds_min_num_f32)
DS_ATOMIC(lds_max_num_f32)
DS_ATOMIC(lds_min_num_f64)
DS_ATOMIC(lds_max_num_f64)
DS_ATOMIC(lds_min_f32)
DS_ATOMIC(lds_max_f32)
DS_ATOMIC(lds_min_f64)
DS_ATOMIC(lds_max_f64)
DS_ATOMIC(add_f64)
DS_ATOMIC(lds_add_f32)
DS_ATOMIC(lds_pk_add_f16)
DS_ATOMIC(lds_pk_add_bf16)

lw_step lw_sem_ds_cmpst(lw_wave *w, const lw_decoded *in)
{
    return run_atomic(w, in, lw_atomic_cmpswap, true);
}

lw_step lw_sem_ds_cmpst_float(lw_wave *w, const lw_decoded *in)
{
    return run_atomic(w, in, lw_atomic_cmpswap_float, true);
}

/* gfx11: the new value comes first, then the comparand (AMD RDNA3 ISA manual, DS_CMPSTORE_B32; rdna3 silicon:
 * tinygrad). */
static lw_step compare_store(lw_wave *w, const lw_decoded *in, lw_atomic_fn op)
{
    lw_decoded turned = *in;
    turned.src[1] = in->src[2];
    turned.src[2] = in->src[1];
    return run_atomic(w, &turned, op, true);
}

lw_step lw_sem_ds_cmpstore(lw_wave *w, const lw_decoded *in)
{
    return compare_store(w, in, lw_atomic_cmpswap);
}

lw_step lw_sem_ds_cmpstore_float(lw_wave *w, const lw_decoded *in)
{
    return compare_store(w, in, lw_atomic_cmpswap_float);
}

static lw_step exchange_pairs(lw_wave *w, const lw_decoded *in, unsigned unit)
{
    const uint64_t exec = lw_wave_exec(w);
    const unsigned bytes = in->row->bytes;
    const uint32_t *address = lw_access_row(w, &in->src[0]);
    uint32_t *row = lw_access_row(w, &in->dst);
    for (unsigned lane = 0; lane < LW_LANES; lane++) {
        if (!(exec >> lane & 1))
            continue;
        uint32_t at[2];
        uint64_t value[2];
        for (unsigned i = 0; i < 2; i++) {
            at[i] = pair_address(address, in, lane, i, unit);
            value[i] = lw_atomic_get(lw_access_row(w, &in->src[1 + i]) + lane, bytes);
        }
        for (unsigned i = 0; i < 2; i++) {
            const uint64_t old = atomic_at(w, in, at[i], lane, lw_atomic_swap, value[i], 0);
            lw_atomic_put(row + (size_t)i * (bytes / 4) * LW_LANES + lane, bytes, old);
        }
    }
    return LW_STEP_NEXT;
}

lw_step lw_sem_ds_wrxchg2(lw_wave *w, const lw_decoded *in)
{
    return exchange_pairs(w, in, 1);
}

lw_step lw_sem_ds_wrxchg2st64(lw_wave *w, const lw_decoded *in)
{
    return exchange_pairs(w, in, 64);
}

/* SPDX-License-Identifier: MIT */
/* LDS: counters for a whole wave, conditional exchanges, operations between two places. */
#include "emu/amdgpu/memory/access.h"
#include "emu/amdgpu/control/handlers.h"

/* ---- Append and consume ---- */

/*
 * Adds the number of active lanes to one dword, or subtracts it; all active lanes get the old value. The
 * address is M0[15:0] plus the offset: so the AMD RDNA3 ISA manual (DS_APPEND, DS_CONSUME), and so LLVM 22
 * compiles llvm.amdgcn.ds.append for every generation. The manuals of CDNA and RDNA4 name the offset alone.
 */
static lw_step count_lanes(lw_wave *w, const lw_decoded *in, lw_atomic_fn op)
{
    const uint64_t exec = lw_wave_exec(w);
    unsigned first = 0, active = 0;
    uint64_t old = 0;
    if (!exec)
        return LW_STEP_NEXT;
    while (!(exec >> first & 1))
        first++;
    for (uint64_t rest = exec; rest; rest &= rest - 1)
        active++;
    const uint32_t address = (w->sgpr[LW_SGPR_M0] & 0xffff) + (uint32_t)in->offset;
    uint8_t *at = lw_access_lds(w, (int)first, address, 4, LW_ACCESS_ATOMIC);
    if (at)
        old = lw_atomic_apply(at, 4, op, active, 0, w);
    uint32_t *row = lw_access_row(w, &in->dst);
    for (unsigned lane = 0; lane < LW_LANES; lane++)
        if (exec >> lane & 1)
            row[lane] = (uint32_t)old;
    return LW_STEP_NEXT;
}

lw_step lw_sem_ds_append(lw_wave *w, const lw_decoded *in)
{
    return count_lanes(w, in, lw_atomic_add);
}

lw_step lw_sem_ds_consume(lw_wave *w, const lw_decoded *in)
{
    return count_lanes(w, in, lw_atomic_sub);
}

/* ---- Conditional exchange ---- */

/*
 * Two dwords: each is replaced if bit 31 of its new value is set, and that bit is not stored. The address is
 * a multiple of 8 below 64 KiB (AMD RDNA3 ISA manual, DS_CONDXCHG32_RTN_B64).
 */
lw_step lw_sem_ds_condxchg32(lw_wave *w, const lw_decoded *in)
{
    const uint64_t exec = lw_wave_exec(w);
    const uint32_t *address = lw_access_row(w, &in->src[0]), *data = lw_access_row(w, &in->src[1]);
    uint32_t *row = lw_access_row(w, &in->dst);
    for (unsigned lane = 0; lane < LW_LANES; lane++) {
        uint32_t old[2] = { 0 };
        if (!(exec >> lane & 1))
            continue;
        uint8_t *at =
            lw_access_lds(w, (int)lane, (address[lane] + (uint32_t)in->offset) & 0xfff8, 8, LW_ACCESS_BOTH);
        if (at)
            memcpy(old, at, 8);
        for (unsigned i = 0; at && i < 2; i++) {
            const uint32_t v = data[i * LW_LANES + lane], kept = v & 0x7fffffff;
            if (v != kept)
                memcpy(at + 4 * (size_t)i, &kept, 4);
        }
        for (unsigned i = 0; i < 2; i++)
            row[i * LW_LANES + lane] = old[i];
    }
    return LW_STEP_NEXT;
}

/* ---- Operations between two places: gfx908 ---- */

/*
 * The place A of a lane becomes A op B. B is (offset1[6], offset1[6:0], offset0), a signed number of dwords,
 * away from A (AMD Vega ISA manual, DS_ADD_SRC2_U32). With offset1[7] the distance would be in the address
 * itself, and the manual does not say which of its bits then name A.
 */
static lw_step combine_places(lw_wave *w, const lw_decoded *in, lw_atomic_fn op)
{
    const uint64_t exec = lw_wave_exec(w);
    const unsigned bytes = in->row->bytes;
    const uint32_t *address = lw_access_row(w, &in->src[0]);
    const uint32_t field = (uint32_t)in->offset & 0x7fff, distance = 4 * ((field ^ 0x4000) - 0x4000);
    if (in->offset & 0x8000)
        return lw_wave_fault(w, -1,
                             "offset1[7] puts the distance of the two places into the address, and no "
                             "source says which bits then name the first place");
    for (unsigned lane = 0; lane < LW_LANES; lane++) {
        uint64_t other = 0;
        if (!(exec >> lane & 1))
            continue;
        const uint8_t *from = lw_access_lds(w, (int)lane, address[lane] + distance, bytes, LW_ACCESS_LOAD);
        if (from)
            memcpy(&other, from, bytes);
        uint8_t *at = lw_access_lds(w, (int)lane, address[lane], bytes, LW_ACCESS_ATOMIC);
        if (at)
            (void)lw_atomic_apply(at, bytes, op, other, 0, w);
    }
    return LW_STEP_NEXT;
}

#define DS_SRC2(OP)                                                                                          \
    lw_step lw_sem_ds_src2_##OP(lw_wave *w, const lw_decoded *in)                                            \
    {                                                                                                        \
        return combine_places(w, in, lw_atomic_##OP);                                                        \
    }

DS_SRC2(add)
DS_SRC2(sub)
DS_SRC2(rsub)
DS_SRC2(inc)
DS_SRC2(dec)
DS_SRC2(smin)
DS_SRC2(smax)
DS_SRC2(umin)
DS_SRC2(umax)
DS_SRC2(and)
DS_SRC2(or)
DS_SRC2(xor)
DS_SRC2(swap)
DS_SRC2(lds_min_f32)
DS_SRC2(lds_max_f32)
DS_SRC2(lds_min_f64)
DS_SRC2(lds_max_f64)
DS_SRC2(lds_add_f32)

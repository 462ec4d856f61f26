/* SPDX-License-Identifier: MIT */
/* VOPD: both halves read before either writes (rdna3 silicon: tinygrad, test/amd/hw). */
#include "emu/amdgpu/control/handlers.h"

static void copy(uint32_t *to, const uint32_t *from)
{
    memcpy(to, from, LW_LANES * sizeof(*to));
}

/*
 * The halves write one register each, never the same one. What the first half writes is undone while the
 * second half reads.
 */
lw_step lw_exec_dual(lw_wave *w, const lw_decoded *in)
{
    const char *conflict = lw_decoded_conflict(in);
    const lw_decoded second = lw_decoded_second(in);
    uint32_t old[LW_LANES], result[LW_LANES], *row = lw_wave_vgpr(w, in->dst.reg);
    if (conflict)
        return lw_wave_fault(w, -1, "%s", conflict);
    copy(old, row);
    lw_step step = lw_handler_of(in->row, w->arch)(w, in);
    if (step != LW_STEP_NEXT)
        return step;
    copy(result, row);
    copy(row, old);
    step = lw_handler_of(second.row, w->arch)(w, &second);
    if (step == LW_STEP_NEXT)
        copy(row, result);
    return step;
}

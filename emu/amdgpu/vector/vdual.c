/* SPDX-License-Identifier: MIT */
/* VOPD: both halves read before either writes (rdna3 silicon: tinygrad, test/amd/hw). */
#include "emu/amdgpu/control/handlers.h"

static void copy_result(uint32_t *to, const uint32_t *from, const lw_opnd *dst)
{
    memcpy(to, from, (size_t)dst->dwords * LW_LANES * sizeof(*to));
}

/*
 * The halves never write the same register; the first may write a pair. What it writes is undone while the second
 * half reads.
 */
lw_step lw_exec_dual(lw_wave *w, const lw_decoded *in)
{
    enum { MOST = 2 };
    const char *conflict = lw_decoded_conflict(in);
    const lw_decoded second = lw_decoded_second(in);
    uint32_t old[MOST * LW_LANES], result[MOST * LW_LANES], *row = lw_wave_vgpr(w, in->dst.reg);
    if (conflict)
        return lw_wave_fault(w, -1, "%s", conflict);
    copy_result(old, row, &in->dst);
    lw_step step = lw_handler_of(in->row, w->arch)(w, in);
    if (step != LW_STEP_NEXT)
        return step;
    copy_result(result, row, &in->dst);
    copy_result(row, old, &in->dst);
    step = lw_handler_of(second.row, w->arch)(w, &second);
    if (step == LW_STEP_NEXT)
        copy_result(row, result, &in->dst);
    return step;
}

/* SPDX-License-Identifier: MIT */
/* VOPD: both halves read before either writes (rdna3 silicon: tinygrad, test/amd/hw). */
#include "emu/amdgpu/control/handlers.h"
#include "isa_tables/amdgpu/traits.h"

static void copy_result(uint32_t *to, const uint32_t *from, const lw_opnd *dst)
{
    memcpy(to, from, (size_t)dst->dwords * LW_LANES * sizeof(*to));
}

/* From gfx12 on, whose accesses have temporal hints, two moves may read one bank (LLVM 22). */
static bool are_moves(const lw_wave *w, const lw_decoded *in)
{
    const lw_op_row *move = &lw_op_rows[LW_OP_v_mov_b32];
    return in->row == move && in->second.row == move && lw_amdgpu_traits_of(w->arch)->temporal_hints &&
           in->dst.reg != in->second.dst.reg;
}

/*
 * The halves never write the same register; the first may write a pair. What it writes is undone while the
 * second half reads.
 */
lw_step lw_exec_dual(lw_wave *w, const lw_decoded *in)
{
    enum { MOST = 2 };
    const char *conflict = are_moves(w, in) ? NULL : lw_decoded_conflict(in);
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

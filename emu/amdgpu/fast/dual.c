/* SPDX-License-Identifier: MIT */
#include "emu/amdgpu/fast/dual.h"

#include "emu/amdgpu/control/handlers.h"

static bool reads(const lw_decoded *in, unsigned reg)
{
    for (unsigned i = 0; i < LW_MAX_SRC; i++)
        if (in->src[i].kind == LW_OPND_VGPR && in->src[i].reg <= reg &&
            reg < in->src[i].reg + in->src[i].dwords)
            return true;
    return false;
}

static lw_step run_in_turn(lw_wave *w, const lw_hot *hot)
{
    const lw_hot_dual *dual = hot->more;
    const lw_step step = dual->hot[0].fn(w, &dual->hot[0]);
    return step == LW_STEP_NEXT ? dual->hot[1].fn(w, &dual->hot[1]) : step;
}

/* What the first half writes is undone while the second half reads. */
static lw_step run_crossed(lw_wave *w, const lw_hot *hot)
{
    const lw_hot_dual *dual = hot->more;
    uint32_t old[LW_LANES], result[LW_LANES], *row = w->vgpr + dual->hot[0].dst;
    memcpy(old, row, sizeof(old));
    lw_step step = dual->hot[0].fn(w, &dual->hot[0]);
    if (step != LW_STEP_NEXT)
        return step;
    memcpy(result, row, sizeof(result));
    memcpy(row, old, sizeof(old));
    step = dual->hot[1].fn(w, &dual->hot[1]);
    if (step == LW_STEP_NEXT)
        memcpy(row, result, sizeof(result));
    return step;
}

bool lw_hot_prepare_dual(lw_fast_isa isa, lw_arch arch, const lw_decoded *in, lw_hot_dual *dual, lw_hot *hot)
{
    if (lw_decoded_conflict(in) || in->dst.dwords > 1) /* VOPD3 has halves that write two registers */
        return false;
    lw_decoded first = *in, second = lw_decoded_second(in);
    first.second.row = NULL;
    first.exec = lw_handler_of(first.row, arch);
    second.exec = lw_handler_of(second.row, arch);
    second.pc = in->pc;
    const bool late = reads(&second, first.dst.reg); /* the second half may not follow the first */
    dual->crossed = late && reads(&first, second.dst.reg);
    dual->in[0] = late && !dual->crossed ? second : first;
    dual->in[1] = late && !dual->crossed ? first : second;
    for (unsigned i = 0; i < 2; i++)
        (void)lw_hot_prepare(isa, &dual->in[i], &dual->hot[i]);
    hot->fn = dual->crossed ? run_crossed : run_in_turn;
    hot->more = dual;
    return true;
}

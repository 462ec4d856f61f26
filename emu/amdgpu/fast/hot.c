/* SPDX-License-Identifier: MIT */
/* Which form an instruction gets. */
#include "emu/amdgpu/fast/hot.h"

#include "emu/amdgpu/control/wave.h"

lw_step lw_hot_general(lw_wave *wave, const lw_hot *hot)
{
    return hot->in->exec(wave, hot->in);
}

/* False: no form knows such a source. */
static bool place_source(const lw_opnd *o, unsigned i, lw_hot *hot)
{
    switch ((lw_opnd_kind)o->kind) {
    case LW_OPND_VGPR:
    case LW_OPND_AGPR:
        hot->from[i] = o->kind == LW_OPND_VGPR ? LW_FROM_VGPR : LW_FROM_AGPR;
        hot->at[i] = (uint32_t)o->reg * LW_LANES;
        return true;
    case LW_OPND_SGPR:
        hot->from[i] = LW_FROM_SGPR;
        hot->at[i] = o->reg;
        return true;
    case LW_OPND_NONE:
    case LW_OPND_INLINE:
    case LW_OPND_LITERAL:
    case LW_OPND_IMM:
    case LW_OPND_OFF:
        hot->from[i] = LW_FROM_VALUE;
        hot->at[i] = (uint32_t)o->value;
        return true;
    default:
        return false;
    }
}

static bool place(const lw_decoded *in, lw_hot *hot)
{
    for (unsigned i = 0; i < LW_HOT_SOURCES; i++) {
        if (!place_source(&in->src[i], i, hot))
            return false;
        hot->neg |= (uint8_t)((in->src[i].neg & 1) << i);
        hot->abs |= (uint8_t)((in->src[i].abs & 1) << i);
    }
    const bool is_row = in->dst.kind == LW_OPND_VGPR || in->dst.kind == LW_OPND_AGPR;
    hot->to = in->dst.kind == LW_OPND_AGPR ? LW_FROM_AGPR : is_row ? LW_FROM_VGPR : LW_FROM_SGPR;
    hot->dst = is_row ? (uint32_t)in->dst.reg * LW_LANES : in->dst.reg;
    hot->parts = in->dst.dwords;
    hot->offset = in->offset;
    return true;
}

static const lw_hot_forms *forms_of(lw_fast_isa isa)
{
    static const lw_hot_forms *const all[] = { &lw_hot_portable, &lw_hot_avx2, &lw_hot_avx512 };
    return all[isa];
}

void lw_hot_prepare(lw_fast_isa isa, const lw_decoded *in, lw_hot *hot)
{
    const lw_hot fresh = { .fn = lw_hot_general, .in = in, .bytes = (uint8_t)(4 * in->words) };
    const lw_hot_forms *forms = forms_of(isa);
    *hot = fresh;
    if (!place(in, hot))
        *hot = fresh;
    else
        for (size_t i = 0; i < forms->count; i++) {
            const lw_hot_form *form = &forms->forms[i];
            const lw_hot_fn fn = form->general == in->exec ? form->take(form, in, hot) : NULL;
            if (fn) {
                hot->fn = fn;
                return;
            }
        }
}

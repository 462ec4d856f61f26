/* SPDX-License-Identifier: MIT */
/* The choice of the form for an instruction. */
#include "emu/ptx/fast/forms.h"

#include "emu/fast/fp16.h"
#include "emu/fast/panel_isa.h"

static const lw_ptx_fast_forms *forms_of(lw_fast_isa isa)
{
    static const lw_ptx_fast_forms *const all[] = {
#ifdef LW_FAST_VECTORS
        [LW_FAST_PORTABLE] = &lw_ptx_fast_forms_portable,
#endif
#ifdef LW_FAST_X86
        [LW_FAST_AVX2] = &lw_ptx_fast_forms_avx2,
        [LW_FAST_AVX512] = &lw_ptx_fast_forms_avx512,
#endif
        [LW_FAST_AVX512 + 1] = NULL, /* no such set with this compiler */
    };
    return all[lw_fast_isa_base(isa)];
}

/* Its mask, if it has one, is the last source. */
static bool is_whole(const lw_ptx_record *r)
{
    const lw_ptx_source *mask = r->src_count ? &r->src[r->src_count - 1] : NULL;
    return r->handler->together && (!lw_ptx_takes_mask(r) || (mask && mask->kind == LW_PTX_SOURCE_CONSTANT &&
                                                              (uint32_t)mask->value == UINT32_MAX));
}

void lw_ptx_hot_prepare(lw_fast_isa isa, lw_ptx_record *r)
{
    const lw_ptx_fast_forms *forms = forms_of(isa);
    lw_ptx_exec *fn = NULL;
    for (size_t i = 0; forms && !fn && i < forms->count; i++)
        if (forms->forms[i].general == r->handler)
            fn = forms->forms[i].take(&forms->forms[i], r);
    r->hot.exec = fn ? fn : r->handler->exec;
    r->hot.guard = r->guard;
    r->hot.flip = r->insn->guard_negated ? UINT32_MAX : 0;
    r->hot.ends = r->ends;
    r->hot.whole = is_whole(r);
}

/* SPDX-License-Identifier: MIT */
/* All kernels of one instruction set, and the choice of the kernel for a shape. Included after vec_avx2.h or
 * vec_avx512.h. */
#ifndef LW_EMU_FAST_PANEL_KERNELS_H
#define LW_EMU_FAST_PANEL_KERNELS_H

#include "emu/fast/panel_aligned.h"
#include "emu/fast/panel_bytes.h"
#include "emu/fast/panel_cdna.h"
#include "emu/fast/panel_chain64.h"
#include "emu/fast/panel_tile4.h"
#include "emu/fast/panel_fp4.h"
#include "emu/fast/panel_mx4.h"
#include "emu/fast/panel_rdna.h"
#include "emu/fast/panel_squares.h"

static lw_panel_fn find_kernel(const lw_panel_shape *s)
{
    lw_panel_fn fn = NULL;
    const bool narrows =
        s->unit.kind == LW_KIND_FUSED || s->unit.kind == LW_KIND_ONES || s->unit.kind == LW_KIND_PAIRS;
    if (s->c_after && !s->squares)
        return NULL;
    if (s->acc != LW_PANEL_F32 && (s->tile4 || !narrows))
        return NULL;
    if (s->one_of_two && !SPARSE_TURNED)
        return NULL;
    if (s->sparse && (s->k % (s->one_of_two ? 4 : 8) || s->s_count % 4 || s->unit.kind == LW_KIND_FMA))
        return NULL;
    if (s->squares)
        return find_squares(s);
    if (s->tile4 && (s->s_count != LW_PANEL || s->v_count % 8 || s->v_count > LW_PANEL))
        return NULL;
    if (s->tile4 && s->unit.kind != LW_KIND_FUSED && s->unit.kind != LW_KIND_FUSED_SCALED &&
        s->unit.kind != LW_KIND_INT)
        return NULL;
    switch ((lw_dot_kind)s->unit.kind) {
    case LW_KIND_FMA:
        return s->s->bits == 64 ? find_fma64(s) : s->s->bits == 32 ? find_fma32(s) : NULL;
    case LW_KIND_ALIGNED:
        fn = s->sparse ? NULL : find_fp4(s);
        return fn ? fn : find_aligned(s);
    case LW_KIND_INT:
        return find_bytes(s);
    case LW_KIND_FUSED:
        return find_fused(s);
    case LW_KIND_FUSED_SCALED:
        return find_mx4(s);
    case LW_KIND_EXACT:
    case LW_KIND_TREE:
        return find_cdna(s);
    case LW_KIND_ONES:
    case LW_KIND_PAIRS:
        return find_rdna(s);
    default:
        return NULL;
    }
}

#endif

/* SPDX-License-Identifier: MIT */
/* What the files of each instruction set provide to select.c. */
#ifndef LW_EMU_FAST_PANEL_ISA_H
#define LW_EMU_FAST_PANEL_ISA_H

#include <float.h>

#include "emu/fast/look.h"
#include "emu/fast/panel.h"

#ifdef __GNUC__
#define LW_APART __attribute__((noinline))
#else
#define LW_APART
#endif

/* Compilers with vectors, and hosts whose words and arithmetic match the formats. */
#if defined(__GNUC__) && (defined(__clang__) || __GNUC__ >= 12) && FLT_EVAL_METHOD == 0 &&                   \
    __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define LW_FAST_VECTORS 1

lw_panel_fn lw_portable_panels(const lw_panel_shape *shape);
const lw_look *lw_portable_look(void);
const lw_words *lw_portable_words(void);

#endif

#if defined(__x86_64__) && defined(__GNUC__)
#define LW_FAST_X86 1
#define LW_FAST_CUTS 1 /* the host can round towards zero */

lw_panel_fn lw_avx2_panels(const lw_panel_shape *shape);
lw_panel_fn lw_avx512_panels(const lw_panel_shape *shape);
const lw_look *lw_avx2_look(void);
const lw_look *lw_avx512_look(void);
const lw_words *lw_avx2_words(void);
const lw_words *lw_avx512_words(void);

#else
#define LW_FAST_CUTS 0
#endif

/* Whether the kernels of a shape want that, except where instructions have their own rounding: those of fused
 * groups, in which nothing but a sum that becomes binary32 is rounded. */
static inline bool lw_panel_cuts(const lw_panel_shape *s)
{
    return LW_FAST_CUTS && s->unit.kind == LW_KIND_FUSED && s->acc == LW_PANEL_F32 && !s->c_after;
}

#endif

/* SPDX-License-Identifier: MIT */
/* Shapes of floating-point instructions: sources with modifiers, a lane operation of emu/num, OMOD and CLAMP.
 */
#ifndef LW_EMU_AMDGPU_VFLOAT_H
#define LW_EMU_AMDGPU_VFLOAT_H

#include "emu/amdgpu/vector/vlane.h"

typedef uint64_t (*lw_lane1)(const lw_format *f, const lw_fp_env *e, uint64_t a);
typedef uint64_t (*lw_lane2)(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b);
typedef uint64_t (*lw_lane3)(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b, uint64_t c);

/* How f16 instructions treat their registers: whether op_sel selects halves, and what happens to the other
 * half. */
typedef enum lw_vstyle {
    LW_STYLE_PLAIN, /* f32 and f64; f16 that clears the upper half */
    LW_STYLE_SEL,   /* f16 with op_sel */
    LW_STYLE_KEEP,  /* f16 that keeps the upper half and has no op_sel */
} lw_vstyle;

/* Reads source i (or, for index 3, the result register as the accumulator), widened to 64 bits per lane. */
void lw_vfloat_source(lw_wave *w, const lw_decoded *in, const lw_format *f, unsigned i,
                      uint64_t out[LW_LANES]);
/* Applies OMOD and CLAMP and writes the result. */
lw_step lw_vfloat_write(lw_wave *w, const lw_decoded *in, const lw_format *f, lw_vstyle style,
                        uint64_t r[LW_LANES]);

lw_step lw_vfloat1(lw_wave *w, const lw_decoded *in, const lw_format *f, lw_vstyle style, lw_lane1 fn);
lw_step lw_vfloat3(lw_wave *w, const lw_decoded *in, const lw_format *f, lw_vstyle style, lw_lane3 fn);
/* The third source is the result's old value. */
lw_step lw_vfloat_acc(lw_wave *w, const lw_decoded *in, const lw_format *f, lw_vstyle style, lw_lane3 fn);

enum { LW_SRC_ACC = 3 };

#endif

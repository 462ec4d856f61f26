/* SPDX-License-Identifier: MIT */
/* The fast form of VOPD: the forms of its two halves, one after the other. */
#ifndef LW_EMU_AMDGPU_FAST_DUAL_H
#define LW_EMU_AMDGPU_FAST_DUAL_H

#include "emu/amdgpu/fast/hot.h"

/* The halves as instructions of their own. */
typedef struct lw_hot_dual {
    struct lw_hot_dual *next; /* the module's list */
    lw_decoded in[2];         /* in the order in which they are executed */
    lw_hot hot[2];
    bool crossed; /* each half reads what the other one writes */
} lw_hot_dual;

/*
 * Makes *hot, which lw_hot_prepare has filled in for `in`, run the forms of the two halves, which are kept in
 * *dual. False: the halves may not be combined; *hot is then unchanged.
 */
bool lw_hot_prepare_dual(lw_fast_isa isa, lw_arch arch, const lw_decoded *in, lw_hot_dual *dual, lw_hot *hot);

#endif

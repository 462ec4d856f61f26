/* SPDX-License-Identifier: MIT */
/* Decoding functions for handlers with operands of their own. */
#ifndef LW_EMU_PTX_DECODE_H
#define LW_EMU_PTX_DECODE_H

#include "emu/ptx/warp.h"

typedef struct lw_ptx_decoding {
    const lw_module *module;
    const lw_ptx_module *ptx;
    const lw_ptx_function *function;
    lw_ptx_record *r;
    const char *why; /* what is wrong; NULL: nothing */
    char text[400];  /* buffer for `why` */
} lw_ptx_decoding;

/* Sets `why`; always returns false. */
bool lw_ptx_refuse(lw_ptx_decoding *d, const char *why);

/* Decodes one operand as this type. */
bool lw_ptx_take(lw_ptx_decoding *d, const lw_ptx_operand *o, uint8_t type, lw_ptx_source *s);
/* Decodes all operands, as the letters of the row say. */
bool lw_ptx_take_operands(lw_ptx_decoding *d);

#endif

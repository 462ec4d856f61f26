/* SPDX-License-Identifier: MIT */
/* Decoding, for handlers that take operands of their own. */
#ifndef LW_EMU_PTX_DECODE_H
#define LW_EMU_PTX_DECODE_H

#include "emu/ptx/warp.h"

typedef struct lw_ptx_decoding {
    const lw_module *module;
    const lw_ptx_module *ptx;
    const lw_ptx_function *function;
    lw_ptx_record *r;
    const char *why; /* what is wrong */
    char text[400];  /* room for it */
} lw_ptx_decoding;

/* Always false. */
bool lw_ptx_refuse(lw_ptx_decoding *d, const char *why);

/* One operand of this type. */
bool lw_ptx_take(lw_ptx_decoding *d, const lw_ptx_operand *o, uint8_t type, lw_ptx_source *s);
/* All operands, by the letters of the row. */
bool lw_ptx_take_operands(lw_ptx_decoding *d);

#endif

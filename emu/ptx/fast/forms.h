/* SPDX-License-Identifier: MIT */
/*
 * Fast forms of handlers: whole warps in vectors, compiled once per instruction set of the host. A form
 * computes what the handler (lw_ptx_handler.exec) computes, bit for bit, for the types, words and operands
 * that it was chosen for when the instruction was decoded. If execution meets what it does not support, it
 * calls the handler; it stores nothing before that is decided.
 */
#ifndef LW_EMU_PTX_FAST_FORMS_H
#define LW_EMU_PTX_FAST_FORMS_H

#include "emu/fast/panel.h"
#include "emu/ptx/warp.h"

/* One row of an instruction set's table: `take` completes r->hot and returns the form, or NULL. Several rows
 * may name the same handler; the first that takes the instruction is used. */
typedef struct lw_ptx_fast_form {
    const lw_ptx_handler *general;
    lw_ptx_exec *(*take)(const struct lw_ptx_fast_form *form, lw_ptx_record *r);
    lw_ptx_exec *fn[2]; /* what `take` chooses from */
    uint8_t bits;       /* of the result's registers */
    uint8_t sources;
    uint8_t from_bits; /* of the sources' registers */
} lw_ptx_fast_form;

typedef struct lw_ptx_fast_forms {
    const lw_ptx_fast_form *forms;
    size_t count;
} lw_ptx_fast_forms;

extern const lw_ptx_fast_forms lw_ptx_fast_forms_portable, lw_ptx_fast_forms_avx2, lw_ptx_fast_forms_avx512;

/* Sets r->hot.exec, once everything else is decoded: the first form that takes it, or else the handler. */
void lw_ptx_hot_prepare(lw_fast_isa isa, lw_ptx_record *r);

#endif

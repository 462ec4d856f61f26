/* SPDX-License-Identifier: MIT */
/* A PTX spelling, read by grammar alone: what it requests, whether or not such an instruction exists. */
#ifndef LW_ISA_PTX_SPELLING_REQUEST_H
#define LW_ISA_PTX_SPELLING_REQUEST_H

#include "isa_tables/ptx/row.h"

enum { LW_PTX_SHAPE_MAX = 24 };

typedef struct lw_ptx_request {
    uint8_t form; /* lw_ptx_form */
    uint8_t fragment;
    uint16_t m, n, k;
    uint8_t a, b, c, d; /* lw_elem; for a move, all four are its type */
    uint8_t round;      /* 0 absent, else 1 + lw_ptx_round */
    uint8_t op;         /* 0 absent, 1 .xor, 2 .and */
    uint8_t scale;      /* lw_elem */
    bool block_scale;
    lw_ptx_mods mods; /* everything else; types only where the row leaves a choice */
} lw_ptx_request;

/* Indexed by lw_ptx_round and by lw_ptx_mods.space. */
extern const char *const lw_ptx_round_names[4];
extern const char *const lw_ptx_space_names[4];

/* "m16n8k16"; "m8n8" when k is 0. */
void lw_ptx_shape_text(unsigned m, unsigned n, unsigned k, char text[LW_PTX_SHAPE_MAX]);

/* Do the two differ in at most one character: wrong, missing, additional, or exchanged with the next? */
bool lw_ptx_is_near(const char *a, const char *b);

/*
 * Reads a spelling. LW_E_NOT_FOUND for another instruction, LW_E_UNSUPPORTED for other instructions of wgmma
 * and tcgen05, LW_E_FORMAT where a part is unknown, missing, repeated, or placed before one that it must
 * follow.
 */
lw_status lw_ptx_read(const char *text, lw_ptx_request *request, lw_error *error);

/* The row that means the request, and its modifiers, on `arch`; if there is none, explains what is wrong. */
lw_status lw_ptx_match(lw_arch arch, const char *text, const lw_ptx_request *request, const lw_insn **insn,
                       lw_ptx_mods *mods, lw_error *error);

#endif

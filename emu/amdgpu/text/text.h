/* SPDX-License-Identifier: MIT */
/* Internal interface of the text printer: a bounded buffer that also counts what did not fit. */
#ifndef LW_EMU_AMDGPU_TEXT_H
#define LW_EMU_AMDGPU_TEXT_H

#include <stddef.h>

#include "emu/amdgpu/decode/decoded.h"
#include "isa_tables/amdgpu/rows.h"
#include "isa_tables/amdgpu/traits.h"

typedef struct lw_text {
    char *at;
    size_t size, length; /* length continues beyond size */
    bool first;          /* no operand has been written yet */
    lw_arch arch;
    const lw_amdgpu_traits *traits;
} lw_text;

void lw_text_put(lw_text *t, const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* Writes a blank before the first operand and a comma before the others. */
void lw_text_comma(lw_text *t);

/* " name:[a,b,c]": the low `count` bits of `bits`. */
void lw_text_bits(lw_text *t, const char *name, unsigned bits, unsigned count);

/* Prints an operand; the second function first prints a comma. */
void lw_text_operand(lw_text *t, const lw_opnd *o);
void lw_text_next(lw_text *t, const lw_opnd *o);

/* Does the operand's text begin with a number? */
bool lw_text_is_number(const lw_opnd *o);
bool lw_text_is_inline_int(int64_t v);

/* Everything after the mnemonic, by encoding class. */
void lw_text_scalar(lw_text *t, const lw_decoded *in);
/* The temporal hint and the scope of gfx12, which come before other cache policy. */
void lw_text_hints(lw_text *t, const lw_decoded *in);
/* Cache policy of any generation. */
void lw_text_cache_bits(lw_text *t, const lw_decoded *in);
void lw_text_smem(lw_text *t, const lw_decoded *in);
void lw_text_vop(lw_text *t, const lw_decoded *in);
void lw_text_vop3p(lw_text *t, const lw_decoded *in);
void lw_text_mai(lw_text *t, const lw_decoded *in);
void lw_text_ds(lw_text *t, const lw_decoded *in);
void lw_text_flat(lw_text *t, const lw_decoded *in);
void lw_text_buffer(lw_text *t, const lw_decoded *in);
void lw_text_tensor(lw_text *t, const lw_decoded *in);
void lw_text_image(lw_text *t, const lw_decoded *in);
void lw_text_export(lw_text *t, const lw_decoded *in);
void lw_text_interp(lw_text *t, const lw_decoded *in);

#endif

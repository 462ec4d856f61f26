/* SPDX-License-Identifier: MIT */
/* Internal interface of the text printer: a bounded buffer that also counts what did not fit. */
#ifndef LW_EMU_AMDGPU_TEXT_H
#define LW_EMU_AMDGPU_TEXT_H

#include <stddef.h>
#include <string.h>

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

/* Where `most` more bytes and the end of the text have room; NULL: nowhere. */
static inline char *lw_text_room(const lw_text *t, size_t most)
{
    return t->length < t->size && most < t->size - t->length ? t->at + t->length : NULL;
}

/* Writes as many as fit, and counts all. */
void lw_text_cut(lw_text *t, const char *bytes, size_t count);

static inline void lw_text_bytes(lw_text *t, const char *bytes, size_t count)
{
    char *const to = lw_text_room(t, count);
    if (!to) {
        lw_text_cut(t, bytes, count);
        return;
    }
    memcpy(to, bytes, count);
    t->length += count;
}

static inline void lw_text_add(lw_text *t, const char *text)
{
    lw_text_bytes(t, text, strlen(text));
}

static inline void lw_text_if(lw_text *t, bool wanted, const char *text)
{
    if (wanted)
        lw_text_add(t, text);
}

/* A number below 1000. */
static inline char *lw_text_small(char *to, uint32_t v)
{
    if (v >= 100)
        *to++ = (char)('0' + v / 100);
    if (v >= 10)
        *to++ = (char)('0' + v / 10 % 10);
    *to++ = (char)('0' + v % 10);
    return to;
}

void lw_text_decimal(lw_text *t, uint32_t v);
void lw_text_integer(lw_text *t, int32_t v);
void lw_text_hex(lw_text *t, uint32_t v); /* 0x... */

/* As printf does. Slower than the functions above. */
void lw_text_put(lw_text *t, const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* Puts the zero byte at the end of all. */
void lw_text_end(lw_text *t);

/* Writes a blank before the first operand and a comma before the others. */
static inline void lw_text_comma(lw_text *t)
{
    if (t->first)
        lw_text_add(t, " ");
    else
        lw_text_add(t, ", ");
    t->first = false;
}

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

/* SPDX-License-Identifier: MIT */
#include <stddef.h>

#include "isa_tables/formats.h"
#include "isa_tables/matrix.h"

const lw_format lw_formats[LW_FORMAT_COUNT] = {
#define FORMAT(id_, name_, bits_, exp_, frac_, bias_, top_, source_)                                         \
    [LW_FORMAT_##id_] = { .name = name_,                                                                     \
                          .bits = bits_,                                                                     \
                          .exp_bits = exp_,                                                                  \
                          .frac_bits = frac_,                                                                \
                          .bias = bias_,                                                                     \
                          .top = LW_TOP_##top_,                                                              \
                          .source = source_ },
#include "isa_tables/formats.inc"
#undef FORMAT
};

/* The FP8 and BF8 of AMD's mnemonics are OCP's formats, with these exceptions. */
static const struct {
    uint8_t arch, elem, format; /* lw_arch, lw_elem, lw_format_id */
} dialects[] = {
    { LW_ARCH_GFX942, LW_ELEM_FP8, LW_FORMAT_FP8_FNUZ },
    { LW_ARCH_GFX942, LW_ELEM_BF8, LW_FORMAT_BF8_FNUZ },
};

const lw_format *lw_format_of(lw_elem elem, lw_arch arch)
{
    if (elem >= LW_ELEM_COUNT)
        return NULL;
    for (size_t i = 0; i < sizeof(dialects) / sizeof(dialects[0]); i++)
        if (dialects[i].arch == arch && dialects[i].elem == elem)
            return &lw_formats[dialects[i].format];
    const lw_format *format = &lw_formats[lw_elem_rows[elem].format];
    return format->top == LW_TOP_BITS ? NULL : format;
}

unsigned lw_format_bytes(const lw_format *format)
{
    return format->bits <= 8 ? 1 : format->bits <= 16 ? 2 : format->bits <= 32 ? 4 : 8;
}

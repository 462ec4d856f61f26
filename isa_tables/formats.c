/* SPDX-License-Identifier: MIT */
#include <stddef.h>

#include "isa_tables/formats.h"

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

/* 0: no number of its own. Otherwise lw_format_id + 1; FP8 and BF8 by the OCP dialect. */
static const uint8_t format_of_elem[LW_ELEM_COUNT] = {
    [LW_ELEM_F64] = LW_FORMAT_F64 + 1,
    [LW_ELEM_F32] = LW_FORMAT_F32 + 1,
    [LW_ELEM_XF32] = LW_FORMAT_XF32 + 1,
    [LW_ELEM_F16] = LW_FORMAT_F16 + 1,
    [LW_ELEM_BF16] = LW_FORMAT_BF16 + 1,
    [LW_ELEM_FP8] = LW_FORMAT_FP8_OCP + 1,
    [LW_ELEM_BF8] = LW_FORMAT_BF8_OCP + 1,
    [LW_ELEM_FP6] = LW_FORMAT_FP6 + 1,
    [LW_ELEM_BF6] = LW_FORMAT_BF6 + 1,
    [LW_ELEM_FP4] = LW_FORMAT_FP4 + 1,
    [LW_ELEM_I8] = LW_FORMAT_I8 + 1,
    [LW_ELEM_I32] = LW_FORMAT_I32 + 1,
    [LW_ELEM_E8M0] = LW_FORMAT_E8M0 + 1,
    [LW_ELEM_E5M3] = LW_FORMAT_E5M3 + 1,
    [LW_ELEM_IU8] = LW_FORMAT_I8 + 1,
    [LW_ELEM_IU4] = LW_FORMAT_I4 + 1,
    [LW_ELEM_TF32] = LW_FORMAT_XF32 + 1,
    [LW_ELEM_E4M3] = LW_FORMAT_FP8_OCP + 1,
    [LW_ELEM_E5M2] = LW_FORMAT_BF8_OCP + 1,
    [LW_ELEM_E3M2] = LW_FORMAT_BF6 + 1,
    [LW_ELEM_E2M3] = LW_FORMAT_FP6 + 1,
    [LW_ELEM_E2M1] = LW_FORMAT_FP4 + 1,
    [LW_ELEM_S8] = LW_FORMAT_I8 + 1,
    [LW_ELEM_U8] = LW_FORMAT_U8 + 1,
    [LW_ELEM_S4] = LW_FORMAT_I4 + 1,
    [LW_ELEM_U4] = LW_FORMAT_U4 + 1,
    [LW_ELEM_B1] = LW_FORMAT_B1 + 1,
    [LW_ELEM_S32] = LW_FORMAT_I32 + 1,
    [LW_ELEM_UE8M0] = LW_FORMAT_E8M0 + 1,
    [LW_ELEM_UE4M3] = LW_FORMAT_UE4M3 + 1,
    [LW_ELEM_E4M3_SCALE] = LW_FORMAT_UE4M3 + 1,
};

const lw_format *lw_format_of(lw_elem elem, lw_arch arch)
{
    if (elem >= LW_ELEM_COUNT || !format_of_elem[elem])
        return NULL;
    if (arch == LW_ARCH_GFX942 && elem == LW_ELEM_FP8)
        return &lw_formats[LW_FORMAT_FP8_FNUZ];
    if (arch == LW_ARCH_GFX942 && elem == LW_ELEM_BF8)
        return &lw_formats[LW_FORMAT_BF8_FNUZ];
    return &lw_formats[format_of_elem[elem] - 1];
}

unsigned lw_format_bytes(const lw_format *format)
{
    return format->bits <= 8 ? 1 : format->bits <= 16 ? 2 : format->bits <= 32 ? 4 : 8;
}

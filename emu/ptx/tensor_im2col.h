/* SPDX-License-Identifier: MIT */
/* Places of im2col's fields in a tensor map: our own, in bytes that tile maps leave zero. */
#ifndef LW_EMU_PTX_TENSOR_IM2COL_H
#define LW_EMU_PTX_TENSOR_IM2COL_H

enum {
    LW_IM2COL_MARK_AT = 0x40,
    LW_IM2COL_LOWER_AT = 0x44, /* three numbers of 16 bits, like the next */
    LW_IM2COL_UPPER_AT = 0x4a,
    LW_IM2COL_CHANNELS_AT = 0x50,
    LW_IM2COL_PIXELS_AT = 0x52,
    LW_IM2COL_WIDE_AT = 0x54, /* 0: three dimensions of space, 1: im2col::w, 2: im2col::w::128 */
    LW_IM2COL_MARK = 0x63326d69,
    LW_IM2COL_CHANNELS = 256, /* at most */
    LW_IM2COL_PIXELS = 1024,
};

#endif

/* SPDX-License-Identifier: MIT */
/* Formats in which typed and formatted buffer instructions find their data in memory. */
#ifndef LW_ISA_AMDGPU_BUFFER_FORMATS_H
#define LW_ISA_AMDGPU_BUFFER_FORMATS_H

#include <stdbool.h>
#include <stdint.h>

/* What the bits of a channel mean, as NUM_FORMAT of gfx9 encodes it. */
typedef enum lw_channel_number {
    LW_CHANNEL_UNORM,
    LW_CHANNEL_SNORM,
    LW_CHANNEL_USCALED,
    LW_CHANNEL_SSCALED,
    LW_CHANNEL_UINT,
    LW_CHANNEL_SINT,
    LW_CHANNEL_RESERVED_6,
    LW_CHANNEL_FLOAT,
} lw_channel_number;

static inline bool lw_channel_is_integer(lw_channel_number n)
{
    return n == LW_CHANNEL_UINT || n == LW_CHANNEL_SINT;
}

enum { LW_CHANNELS = 4, LW_BUFFER_DATA_COUNT = 16 };

/* The channels of an element, from the lowest bit up. */
typedef struct lw_buffer_data {
    const char *name;
    uint8_t bits[LW_CHANNELS]; /* 0: there is no such channel */
    uint8_t numbers;           /* 1 << lw_channel_number, or-ed: those that a source defines for it */
} lw_buffer_data;

/* Indexed by the DATA_FORMAT of gfx9. */
extern const lw_buffer_data lw_buffer_data_rows[LW_BUFFER_DATA_COUNT];
/* Indexed by lw_channel_number. */
extern const char *const lw_channel_number_names[LW_CHANNEL_FLOAT + 1];

typedef struct lw_buffer_format {
    const lw_buffer_data *data;
    lw_channel_number number;
} lw_buffer_format;

/* The format that gfx9 encodes as two numbers, of which the low bits count. */
lw_buffer_format lw_buffer_format_of_pair(unsigned data, unsigned number);
/* The one that gfx11 and gfx12 encode as one; data NULL: the code is reserved. */
lw_buffer_format lw_buffer_format_of_code(unsigned code);

/* Does a source say how its channels are converted? */
bool lw_buffer_format_defined(const lw_buffer_format *f);

/* Bytes of an element; 0: INVALID or reserved. */
unsigned lw_buffer_format_bytes(const lw_buffer_format *f);

#endif

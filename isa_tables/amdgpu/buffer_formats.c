/* SPDX-License-Identifier: MIT */
#include "isa_tables/amdgpu/buffer_formats.h"

enum {
    NORMS = 1 << LW_CHANNEL_UNORM | 1 << LW_CHANNEL_SNORM,
    SCALED = 1 << LW_CHANNEL_USCALED | 1 << LW_CHANNEL_SSCALED,
    INTEGERS = 1 << LW_CHANNEL_UINT | 1 << LW_CHANNEL_SINT,
    FLOATS = 1 << LW_CHANNEL_FLOAT,
};

enum {
#define DATA(code, name, x, y, z, w, numbers) DATA_##name = code,
#include "isa_tables/amdgpu/buffer_formats.inc"
#undef DATA
};

const lw_buffer_data lw_buffer_data_rows[LW_BUFFER_DATA_COUNT] = {
#define DATA(code, name, x, y, z, w, numbers) [code] = { #name, { x, y, z, w }, numbers },
#include "isa_tables/amdgpu/buffer_formats.inc"
#undef DATA
};

const char *const lw_channel_number_names[LW_CHANNEL_FLOAT + 1] = {
    "UNORM", "SNORM", "USCALED", "SSCALED", "UINT", "SINT", "RESERVED_6", "FLOAT",
};

static const lw_buffer_format unified[] = {
    { &lw_buffer_data_rows[DATA_INVALID], LW_CHANNEL_UINT },
#define UNIFIED(code, data, number) [code] = { &lw_buffer_data_rows[DATA_##data], LW_CHANNEL_##number },
#include "isa_tables/amdgpu/buffer_formats.inc"
#undef UNIFIED
};

lw_buffer_format lw_buffer_format_of_pair(unsigned data, unsigned number)
{
    return (lw_buffer_format){ &lw_buffer_data_rows[data & 15], (lw_channel_number)(number & 7) };
}

lw_buffer_format lw_buffer_format_of_code(unsigned code)
{
    return code < sizeof(unified) / sizeof(unified[0]) ? unified[code]
                                                       : (lw_buffer_format){ 0, LW_CHANNEL_UINT };
}

bool lw_buffer_format_defined(const lw_buffer_format *f)
{
    return f->data && f->data->numbers >> f->number & 1;
}

unsigned lw_buffer_format_bytes(const lw_buffer_format *f)
{
    unsigned bits = 0;
    for (int i = 0; i < LW_CHANNELS && f->data; i++)
        bits += f->data->bits[i];
    return bits / 8;
}

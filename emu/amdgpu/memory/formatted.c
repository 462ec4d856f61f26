/* SPDX-License-Identifier: MIT */
/*
 * Buffer instructions that convert their data: tbuffer_*, whose word names the format, and buffer_*_format_*,
 * whose resource does. Source: AMD's emulator rocjitsu, for the order of channels, what missing ones are, and
 * the range check.
 */
#include "emu/amdgpu/control/handlers.h"
#include "emu/amdgpu/memory/buffer.h"
#include "emu/num/channel.h"
#include "isa_tables/amdgpu/buffer_formats.h"
#include "isa_tables/amdgpu/traits.h"

/* How a formatted access finds its data: a format, and for each component of the registers the channel that
 * it stands for. */
typedef struct buffer_view {
    lw_buffer_format format;
    unsigned bytes;      /* of an element in memory; 0: there is none, nothing is accessed */
    unsigned components; /* in registers */
    bool half;           /* two components to a register */
    bool high;           /* or one, in the upper half */
    uint8_t select[LW_CHANNELS];
} buffer_view;

/* A component's DST_SEL. */
enum { SELECT_ZERO, SELECT_ONE, SELECT_RESERVED, SELECT_FIRST = 4 };

static lw_buffer_format format_of(const lw_wave *w, unsigned data, unsigned number)
{
    return lw_amdgpu_traits_of(w->arch)->formats ? lw_buffer_format_of_code(data)
                                                 : lw_buffer_format_of_pair(data, number);
}

/* The format that the resource names. */
static lw_buffer_format resource_format(const lw_wave *w, uint32_t word)
{
    if (lw_amdgpu_traits_of(w->arch)->formats)
        return format_of(w, word >> 12 & 63, 0);
    return format_of(w, word >> 15 & 15, word >> 12 & 7);
}

/* Typed instructions name the format and take the channels in order; the others take both from the resource.
 * False after lw_wave_fault. A format INVALID, the resource's also where the instruction names one, makes it
 * unbound (rocjitsu). */
static bool make_view(lw_wave *w, const lw_decoded *in, buffer_view *view)
{
    const uint32_t word = w->sgpr[in->src[1].reg + 3], flags = in->row->flags;
    *view = (buffer_view){ .bytes = 0 };
    if (!lw_wave_exec(w)) /* nothing is converted, whatever the resource says */
        return true;
    const bool typed = in->enc == LW_ENC_MTBUF;
    const lw_buffer_format resource = resource_format(w, word);
    buffer_view v = { .format = typed ? format_of(w, in->dfmt, in->nfmt) : resource,
                      .half = (flags & (LW_OPF_D16 | LW_OPF_D16_HI)) != 0,
                      .high = (flags & LW_OPF_D16_HI) != 0 };
    v.components = in->row->bytes / (v.half ? 2u : 4u);
    const bool bound = resource.data && resource.data != lw_buffer_data_rows;
    v.bytes = bound || !typed ? lw_buffer_format_bytes(&v.format) : 0;
    if (v.format.data != lw_buffer_data_rows && !lw_buffer_format_defined(&v.format)) {
        lw_wave_fault(w, -1, "no source tells how the buffer format %s %s is converted",
                      v.format.data ? v.format.data->name : "with a reserved code",
                      v.format.data ? lw_channel_number_names[v.format.number] : "");
        return false;
    }
    for (unsigned i = 0; i < LW_CHANNELS; i++) {
        v.select[i] = (uint8_t)(typed ? SELECT_FIRST + i : word >> 3 * i & 7);
        if (v.select[i] >= SELECT_RESERVED && v.select[i] < SELECT_FIRST) {
            lw_wave_fault(w, -1, "DST_SEL of the buffer has the reserved value %u", v.select[i]);
            return false;
        }
    }
    *view = v;
    return true;
}

static uint32_t channel_bits(const uint8_t *bytes, unsigned at, unsigned width)
{
    uint64_t v = 0;
    memcpy(&v, bytes + at / 8, (at + width + 7) / 8 - at / 8);
    return (uint32_t)(v >> at % 8);
}

static void set_channel_bits(uint8_t *bytes, unsigned at, unsigned width, uint32_t value)
{
    uint64_t v = 0;
    const size_t size = (at + width + 7) / 8 - at / 8;
    memcpy(&v, bytes + at / 8, size);
    v |= (uint64_t)value << at % 8;
    memcpy(bytes + at / 8, &v, size);
}

/* The components of an element; `bytes` NULL: the access is out of range, and all channels are 0. */
static void unpack_element(const buffer_view *v, const uint8_t *bytes, uint32_t component[LW_CHANNELS])
{
    uint32_t channel[LW_CHANNELS] = { 0 };
    const lw_channel_number number = v->format.number;
    for (unsigned i = 0, at = 0; i < LW_CHANNELS && bytes; at += v->format.data->bits[i++])
        if (v->format.data->bits[i])
            channel[i] = lw_channel_unpack(number, v->format.data->bits[i],
                                           channel_bits(bytes, at, v->format.data->bits[i]));
    const uint32_t one = lw_channel_is_integer(number) ? 1 : 0x3f800000;
    for (unsigned i = 0; i < LW_CHANNELS; i++)
        component[i] = v->select[i] >= SELECT_FIRST ? channel[v->select[i] - SELECT_FIRST]
                       : v->select[i] == SELECT_ONE ? one
                                                    : 0;
}

/* A channel gets the first component that selects it, and x if none does or the registers do not hold it. */
static void pack_element(const buffer_view *v, const uint32_t component[LW_CHANNELS], uint8_t *bytes)
{
    const uint8_t *bits = v->format.data->bits;
    memset(bytes, 0, LW_MAX_ACCESS);
    for (unsigned i = 0, at = 0; i < LW_CHANNELS; at += bits[i++]) {
        unsigned from = 0;
        while (from < LW_CHANNELS && v->select[from] != SELECT_FIRST + i)
            from++;
        if (bits[i])
            set_channel_bits(
                bytes, at, bits[i],
                lw_channel_pack(v->format.number, bits[i], component[from < v->components ? from : 0]));
    }
}

static void put_components(const buffer_view *v, bool keep, const uint32_t component[LW_CHANNELS],
                           uint32_t *row)
{
    for (unsigned i = 0; i < v->components && !v->half; i++)
        row[(size_t)i * LW_LANES] = component[i];
    for (unsigned i = 0; i < v->components && v->half; i++) {
        uint32_t *to = &row[(size_t)(i / 2) * LW_LANES];
        const unsigned shift = v->high ? 16 : i % 2 * 16;
        const uint32_t half = lw_channel_to_half(v->format.number, v->format.data->bits[0], component[i]);
        const uint32_t rest = keep || i % 2 ? *to & ~(UINT32_C(0xffff) << shift) : 0;
        *to = rest | half << shift;
    }
}

static void get_components(const buffer_view *v, const uint32_t *row, uint32_t component[LW_CHANNELS])
{
    for (unsigned i = 0; i < v->components && !v->half; i++)
        component[i] = row[(size_t)i * LW_LANES];
    for (unsigned i = 0; i < v->components && v->half; i++)
        component[i] = lw_channel_of_half(v->format.number,
                                          row[(size_t)(i / 2) * LW_LANES] >> (v->high ? 16 : i % 2 * 16));
}

/* All bytes of an element are in range, or none is accessed. */
static bool in_range(lw_wave *w, const lw_buffer_form *f, const buffer_view *v, unsigned lane,
                     lw_access_kind kind)
{
    const lw_buffer_place p = lw_buffer_place_of(f, lane);
    if (v->bytes && v->bytes <= p.good)
        return true;
    if (v->bytes)
        lw_access_dropped(w, (int)lane, p.address, v->bytes, kind);
    return false;
}

lw_step lw_sem_buffer_load_format(lw_wave *w, const lw_decoded *in)
{
    lw_buffer_form f;
    buffer_view v;
    if (!lw_buffer_open(w, in, &f) || !make_view(w, in, &v))
        return LW_STEP_FAULT;
    if (in->lds)
        return lw_wave_fault(w, -1, "no source tells what a formatted load writes to LDS");
    const lw_element e = { .bytes = (uint8_t)v.bytes };
    const uint64_t exec = lw_wave_exec(w);
    uint32_t *row = lw_access_row(w, &in->dst);
    for (unsigned lane = 0; lane < LW_LANES; lane++) {
        uint8_t bytes[LW_MAX_ACCESS];
        uint32_t component[LW_CHANNELS];
        if (!(exec >> lane & 1))
            continue;
        const bool good = in_range(w, &f, &v, lane, LW_ACCESS_LOAD);
        if (good && !lw_buffer_fetch(w, &f, lane, &e, bytes))
            return LW_STEP_FAULT;
        unpack_element(&v, good ? bytes : NULL, component);
        put_components(&v, in->dst.flags & LW_OPND_F_KEEP, component, row + lane);
    }
    return LW_STEP_NEXT;
}

lw_step lw_sem_buffer_store_format(lw_wave *w, const lw_decoded *in)
{
    lw_buffer_form f;
    buffer_view v;
    if (!lw_buffer_open(w, in, &f) || !make_view(w, in, &v))
        return LW_STEP_FAULT;
    const lw_element e = { .bytes = (uint8_t)v.bytes };
    const uint64_t exec = lw_wave_exec(w);
    const uint32_t *row = lw_access_row(w, &in->src[3]);
    for (unsigned lane = 0; lane < LW_LANES; lane++) {
        uint8_t bytes[LW_MAX_ACCESS];
        uint32_t component[LW_CHANNELS] = { 0 };
        if (!(exec >> lane & 1) || !in_range(w, &f, &v, lane, LW_ACCESS_STORE))
            continue;
        get_components(&v, row + lane, component);
        pack_element(&v, component, bytes);
        if (!lw_buffer_put(w, &f, lane, &e, bytes))
            return LW_STEP_FAULT;
    }
    return LW_STEP_NEXT;
}

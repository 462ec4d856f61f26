/* SPDX-License-Identifier: MIT */
/* AMD's conversions to 8 bits and fewer. Their formats: AMD CDNA3 and CDNA4 ISA manuals. */
#include "observers/numerics.h"

typedef struct narrow_format {
    uint8_t bits;     /* of a number */
    uint8_t largest;  /* codes without sign */
    uint8_t infinity; /* 0: none */
    uint8_t nan;      /* with sign: all codes of this size and above; 0: none */
    uint32_t limit;   /* the largest number, as f32 */
} narrow_format;

static const narrow_format formats[] = {
    [LW_NUMBER_E4M3] = { 8, 0x7e, 0, 0x7f, 0x43e00000 /* 448 */ },
    [LW_NUMBER_E4M3_FNUZ] = { 8, 0x7f, 0, 0x80, 0x43700000 /* 240 */ },
    [LW_NUMBER_E5M2] = { 8, 0x7b, 0x7c, 0x7d, 0x47600000 /* 57344 */ },
    [LW_NUMBER_E5M2_FNUZ] = { 8, 0x7f, 0, 0x80, 0x47600000 },
    [LW_NUMBER_E2M3] = { 6, 0x1f, 0, 0, 0x40f00000 /* 7.5 */ },
    [LW_NUMBER_E3M2] = { 6, 0x1f, 0, 0, 0x41e00000 /* 28 */ },
    [LW_NUMBER_E2M1] = { 4, 7, 0, 0, 0x40c00000 /* 6 */ },
};

const lw_fact_operand *lw_narrow_result(const lw_event *event)
{
    const lw_facts *f = event->facts;
    for (size_t i = 0; i < f->operand_count; i++)
        if (f->operands[i].role == LW_ROLE_RESULT && f->operands[i].is_register)
            return &f->operands[i];
    return NULL;
}

static void values_of(const lw_event *event, const lw_fact_operand *o, unsigned index,
                      uint32_t word[LW_MAX_LANES])
{
    if (o->is_register && o->lanes != LW_LANES_SCALAR) {
        lw_event_values(event, o->file, o->first + index, word, event->lanes);
        return;
    }
    const uint32_t one =
        o->is_register ? lw_event_value(event, o->file, o->first + index, 0) : (uint32_t)o->constant;
    for (unsigned lane = 0; lane < event->lanes; lane++)
        word[lane] = one;
}

/* The largest number times the scale, as f32; UINT32_MAX: none is larger. */
static uint32_t scaled_limit(uint32_t limit, uint32_t scale)
{
    enum { EXPONENT = 23, BIAS = 127, NO_NUMBER = 255 };
    const uint32_t infinity = (uint32_t)NO_NUMBER << EXPONENT, e = scale >> EXPONENT & NO_NUMBER;
    const int64_t moved = (int64_t)limit + ((int64_t)e - BIAS) * (INT64_C(1) << EXPONENT);
    if (e == NO_NUMBER || moved >= (int64_t)infinity)
        return UINT32_MAX;
    return moved > 0 ? (uint32_t)moved : 0;
}

static void look_at_source(const lw_event *event, const lw_fact_operand *o,
                           const uint32_t limit[LW_MAX_LANES], uint8_t kinds[LW_MAX_LANES])
{
    const lw_number format = event->facts->source_number;
    const bool two = format == LW_NUMBER_F16X2 || format == LW_NUMBER_BF16X2;
    const unsigned shift = two ? 0 : lw_number_shift(o->bytes_read), count = o->is_register ? o->count : 1;
    uint32_t word[LW_MAX_LANES];
    for (unsigned i = 0; i < count; i++) {
        values_of(event, o, i, word);
        for (unsigned lane = 0; lane < event->lanes; lane++) {
            const uint32_t w = word[lane] >> shift;
            const bool beyond = lw_number_magnitude(format, w) > limit[lane] ||
                                (two && lw_number_magnitude(format, w >> 16) > limit[lane]);
            kinds[lane] |= (uint8_t)(lw_number_kinds(format, w, 0) | (beyond ? LW_IS_BEYOND : 0));
        }
    }
}

void lw_narrow_sources(const lw_event *event, uint8_t kinds[LW_MAX_LANES])
{
    const lw_facts *f = event->facts;
    const uint32_t largest = formats[f->number].limit;
    const lw_fact_operand *source[4] = { NULL };
    uint32_t limit[LW_MAX_LANES];
    size_t count = 0;
    for (size_t i = 0; i < f->operand_count && count < 4; i++)
        if (f->operands[i].role == LW_ROLE_SOURCE || f->operands[i].role == LW_ROLE_SCALE)
            source[count++] = &f->operands[i];
    if (f->scaled && count)
        values_of(event, source[--count], 0, limit);
    for (unsigned lane = 0; lane < event->lanes; lane++)
        limit[lane] = f->scaled ? scaled_limit(largest, limit[lane]) : largest;
    for (size_t i = 0; i < count; i++)
        if (i != 1 || !f->random)
            look_at_source(event, source[i], limit, kinds);
}

static unsigned kind_of_code(const narrow_format *f, uint32_t code)
{
    const uint32_t size = code & ((1u << (f->bits - 1)) - 1);
    if (f->nan & 0x80 ? code == f->nan : f->nan && size >= f->nan)
        return LW_IS_NAN;
    if (f->infinity && size == f->infinity)
        return LW_IS_INFINITY;
    return LW_IS_NORMAL | (size == f->largest ? LW_IS_BEYOND : 0);
}

void lw_narrow_results(const lw_event *event, uint8_t kinds[LW_MAX_LANES])
{
    const lw_fact_operand *o = lw_narrow_result(event);
    const narrow_format *f = &formats[event->facts->number];
    const unsigned bits = f->bits;
    unsigned from = 0;
    while (o->count == 1 && from < 24 && !(o->bytes_written >> from / 8 & 1))
        from += 8;
    uint32_t word[2][LW_MAX_LANES] = { { 0 } };
    for (unsigned i = 0; i < event->facts->narrows; i++) {
        const unsigned at = from + i * bits, reg = at / 32, shift = at % 32;
        const bool crosses = shift + bits > 32 && reg + 1 < o->count;
        values_of(event, o, reg, word[0]);
        if (crosses)
            values_of(event, o, reg + 1, word[1]);
        for (unsigned lane = 0; lane < event->lanes; lane++) {
            const uint64_t both = (uint64_t)(crosses ? word[1][lane] : 0) << 32 | word[0][lane];
            kinds[lane] |= (uint8_t)kind_of_code(f, (uint32_t)(both >> shift) & ((1u << bits) - 1));
        }
    }
}

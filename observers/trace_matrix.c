/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/layout.h>
#include <lanewise/mma.h>

#include "observers/trace.h"

enum { COLUMNS = 16, TEXT = 48 };

/* An operand's elements by block, row and column of the printed matrix (scales and indices: X down, Y
 * across). */
typedef struct picture {
    lw_layout_info info;
    uint64_t *codes;
    uint8_t *known; /* 1: some place holds the element */
} picture;

static uint64_t bits_at(const lw_event *event, lw_operand operand, const lw_matrix_operand *op,
                        const lw_layout_entry *e)
{
    if (!op->is_register)
        return op->constant;
    uint64_t value = 0;
    unsigned filled = 0;
    for (unsigned bit = e->lsb; bit <= e->msb;) {
        const unsigned take =
            32 - bit % 32 < (unsigned)e->msb - bit + 1 ? 32 - bit % 32 : (unsigned)e->msb - bit + 1;
        const uint32_t word = lw_event_value(
            event, op->file, lw_event_matrix_register(event, operand, e->reg + bit / 32), e->lane);
        const uint64_t part = (uint64_t)word >> bit % 32 & ((1ULL << take) - 1);
        value |= part << filled;
        filled += take;
        bit += take;
    }
    return value;
}

static bool fill(picture *pic, const lw_layout *layout, const lw_event *event, lw_operand operand,
                 const lw_matrix_operand *op)
{
    size_t count = 0;
    if (lw_layout_entries(layout, NULL, 0, &count) != LW_OK || count == 0)
        return false;
    lw_layout_entry *entries = calloc(count, sizeof(*entries));
    if (!entries || lw_layout_entries(layout, entries, count, &count) != LW_OK) {
        free(entries);
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        const lw_layout_entry *e = &entries[i];
        const size_t at = ((size_t)e->block * pic->info.x_count + e->x) * pic->info.y_count + e->y;
        pic->codes[at] = bits_at(event, operand, op, e);
        pic->known[at] = 1;
    }
    free(entries);
    return true;
}

static const char *number_format(const lw_mma_shape *shape, lw_operand operand)
{
    switch (operand) {
    case LW_OPERAND_A:
        return shape->a_format;
    case LW_OPERAND_B:
        return shape->b_format;
    case LW_OPERAND_C:
        return shape->c_format;
    case LW_OPERAND_D:
        return shape->d_format;
    case LW_OPERAND_INDEX:
    case LW_OPERAND_SCALE_A:
    case LW_OPERAND_SCALE_B:
    case LW_OPERAND_COUNT:
        return NULL; /* codes are printed */
    }
    return NULL;
}

static void show_cell(lw_trace *trace, const picture *pic, size_t at, const char *format)
{
    char text[TEXT] = "?";
    if (pic->known[at] && (!format || lw_mma_decode(format, pic->codes[at], text, sizeof(text)) != LW_OK))
        snprintf(text, sizeof(text), "%llx", (unsigned long long)pic->codes[at]);
    lw_trace_write(trace, " %10s", text);
}

static void show_picture(lw_trace *trace, const picture *pic, const char *format)
{
    const unsigned rows = pic->info.x_count, cols = pic->info.y_count;
    for (unsigned block = 0; block < pic->info.blocks; block++)
        for (unsigned from = 0; from < cols; from += COLUMNS) {
            const unsigned to = from + COLUMNS < cols ? from + COLUMNS : cols;
            lw_trace_write(trace, "      block %u, %s %u..%u\n", block, pic->info.y_name, from, to - 1);
            for (unsigned row = 0; row < rows; row++) {
                lw_trace_write(trace, "      %s %3u:", pic->info.x_name, row);
                for (unsigned col = from; col < to; col++)
                    show_cell(trace, pic, ((size_t)block * rows + row) * cols + col, format);
                lw_trace_write(trace, "\n");
            }
        }
}

static void show_operand(lw_trace *trace, const lw_event *event, const lw_matrix_event *matrix,
                         lw_operand operand, const char *format)
{
    lw_layout *layout = NULL;
    if (lw_layout_create(event->arch, matrix->insn, operand, 0, &matrix->mods, &layout, NULL) != LW_OK)
        return;
    picture pic = { 0 };
    lw_layout_get_info(layout, &pic.info);
    const size_t elements = (size_t)pic.info.x_count * pic.info.y_count * pic.info.blocks;
    pic.codes = calloc(elements, sizeof(*pic.codes));
    pic.known = calloc(elements, 1);
    lw_trace_write(trace, "      %s (%s)%s\n", lw_operand_name(operand), pic.info.format,
                   operand == LW_OPERAND_D ? " =>" : "");
    if (pic.codes && pic.known && fill(&pic, layout, event, operand, &matrix->operand[operand]))
        show_picture(trace, &pic, format);
    free(pic.codes);
    free(pic.known);
    lw_layout_free(layout);
}

void lw_trace_matrices(lw_trace *trace, const lw_event *event, const lw_matrix_event *matrix, bool result)
{
    lw_mma *mma = NULL;
    lw_mma_shape shape = { 0 };
    const lw_mma_options options = { .struct_size = sizeof(lw_mma_options), .mods = &matrix->mods };
    if (lw_mma_create(event->arch, matrix->insn, &options, &mma, NULL) == LW_OK)
        lw_mma_get_shape(mma, &shape);
    for (int operand = 0; operand < LW_OPERAND_COUNT; operand++) {
        lw_operand_info info;
        const bool wanted = (operand == LW_OPERAND_D) == result;
        if (wanted && lw_insn_operand(event->arch, matrix->insn, (lw_operand)operand, &matrix->mods, &info,
                                      NULL) == LW_OK)
            show_operand(trace, event, matrix, (lw_operand)operand,
                         number_format(&shape, (lw_operand)operand));
    }
    lw_mma_free(mma);
}

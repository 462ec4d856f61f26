/* SPDX-License-Identifier: MIT */
/* Writing a part of a launch. */
#include <stdlib.h>

#include "isa_tables/error.h"
#include "isa_tables/options.h"
#include "loaders/part.h"

/* Appends a number to `to`, which has room, unless it is NULL; returns the new size. */
static size_t put_number(uint8_t *to, size_t size, uint64_t value)
{
    do {
        if (to)
            to[size] = (uint8_t)((value & 0x7f) | (value > 0x7f ? 0x80 : 0));
        size++;
        value >>= 7;
    } while (value);
    return size;
}

/* The runs as numbers; the size alone where `to` is NULL. */
static size_t put_runs(uint8_t *to, const lw_byte_run *runs, size_t count)
{
    size_t size = 0;
    uint64_t end = 0;
    for (size_t i = 0; i < count; i++) {
        size = put_number(to, size, runs[i].start - end);
        size = put_number(to, size, runs[i].size);
        end = runs[i].start + runs[i].size;
    }
    return size;
}

static void put_piece(lw_sections_out *out, const lw_launch_piece *p, uint8_t *scratch)
{
    uint8_t head[LW_PART_PIECE] = { 0 };
    const uint64_t written = lw_runs_bytes(p->writes, p->write_count);
    const size_t sizes[] = { strlen(p->name), strlen(p->file), p->shape_size,
                             put_runs(NULL, p->reads, p->read_count),
                             put_runs(NULL, p->writes, p->write_count) };
    uint64_t all =
        LW_PART_PIECE + lw_sections_padded(written) + (p->before ? lw_sections_padded(p->size) : 0);
    lw_put_le(head, p->size, 8);
    for (size_t i = 0; i < 5; i++) {
        lw_put_le(head + 8 + 8 * i, sizes[i], 8);
        all += lw_sections_padded(sizes[i]);
    }
    lw_put_le(head + 48, (uint64_t)p->fill, 4);
    lw_sections_put_head(out, LW_SECTION_PART_PIECE, all);
    lw_sections_put(out, head, sizeof(head));
    lw_sections_put(out, p->name, sizes[0]);
    lw_sections_put(out, p->file, sizes[1]);
    lw_sections_put(out, p->shape, sizes[2]);
    lw_sections_put(out, scratch, put_runs(scratch, p->reads, p->read_count));
    lw_sections_put(out, scratch, put_runs(scratch, p->writes, p->write_count));
    if (p->before)
        lw_sections_put(out, p->before, (size_t)p->size);
    lw_sections_put(out, p->bytes, (size_t)written);
}

/* The most bytes that the runs of a piece take. */
static size_t most_runs(const lw_launch_part *part)
{
    size_t most = 1;
    for (size_t i = 0; i < part->piece_count; i++) {
        const lw_launch_piece *p = &part->pieces[i];
        const size_t reads = put_runs(NULL, p->reads, p->read_count);
        const size_t writes = put_runs(NULL, p->writes, p->write_count);
        most = reads > most ? reads : most;
        most = writes > most ? writes : most;
    }
    return most;
}

lw_status lw_launch_part_write(const lw_launch_part *part, lw_sink sink, void *context, lw_error *error)
{
    lw_launch_part p = lw_launch_part_default();
    if (!sink || !lw_options_take(&p, part, sizeof(p), sizeof(p)))
        return lw_error_fail(error, LW_E_ARGUMENT, "writing a part needs one of a known size, and a sink");
    const lw_status status = lw_launch_part_check(&p, error);
    if (status != LW_OK)
        return status == LW_E_FORMAT ? LW_E_ARGUMENT : status;
    uint8_t *scratch = malloc(most_runs(&p));
    if (!scratch)
        return lw_no_memory(error);
    uint8_t head[LW_PART_HEAD];
    lw_sections_out out = { .sink = sink, .context = context };
    lw_sections_begin(&out, LW_PART_MAGIC, LW_PART_ONCE + p.piece_count);
    lw_put_le(head, p.number, 4);
    lw_put_le(head + 4, p.count, 4);
    memcpy(head + 8, p.launch, sizeof(p.launch));
    lw_sections_put_section(&out, LW_SECTION_PART, head, sizeof(head));
    lw_sections_put_section(&out, LW_SECTION_PART_ABOUT, p.about, strlen(p.about));
    for (size_t i = 0; i < p.piece_count; i++)
        put_piece(&out, &p.pieces[i], scratch);
    free(scratch);
    return lw_sections_finish(&out);
}

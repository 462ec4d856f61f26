/* SPDX-License-Identifier: MIT */
/* Joining the parts of a launch. */
#include <inttypes.h>
#include <stdlib.h>

#include "isa_tables/error.h"
#include "isa_tables/options.h"
#include "loaders/part.h"

/* Bytes of one piece that a part touched. */
typedef struct touch {
    uint64_t start, end;
    uint32_t part; /* its place in the order */
} touch;

/* ---- Do they belong together? ---- */

static int by_number(const void *a, const void *b)
{
    const lw_launch_part *x = *(const lw_launch_part *const *)a, *y = *(const lw_launch_part *const *)b;
    return x->number < y->number ? -1 : x->number > y->number;
}

static lw_status check_pieces(const lw_launch_part *a, const lw_launch_part *b, lw_error *error)
{
    bool same = a->piece_count == b->piece_count;
    for (size_t i = 0; i < a->piece_count && same; i++) {
        const lw_launch_piece *p = &a->pieces[i], *q = &b->pieces[i];
        same = p->size == q->size && strcmp(p->name, q->name) == 0 && strcmp(p->file, q->file) == 0 &&
               p->shape_size == q->shape_size &&
               (!p->shape_size || memcmp(p->shape, q->shape, p->shape_size) == 0);
    }
    if (same)
        return LW_OK;
    return lw_error_fail(error, LW_E_ARGUMENT,
                         "parts %u and %u do not keep the same arrays for the same files",
                         (unsigned)a->number + 1, (unsigned)b->number + 1);
}

/* `sorted` by number. */
static lw_status check_set(const lw_launch_part *const *sorted, size_t count, lw_error *error)
{
    const lw_launch_part *first = sorted[0];
    for (size_t i = 1; i < count; i++) {
        const lw_launch_part *p = sorted[i];
        if (memcmp(p->launch, first->launch, sizeof(p->launch)) != 0)
            return lw_error_fail(
                error, LW_E_ARGUMENT,
                "parts %u and %u are of different launches: program, arguments or options differ",
                (unsigned)first->number + 1, (unsigned)p->number + 1);
        if (p->count != first->count)
            return lw_error_fail(error, LW_E_ARGUMENT, "a part of %u and a part of %u do not join",
                                 (unsigned)first->count, (unsigned)p->count);
        if (p->number == sorted[i - 1]->number)
            return lw_error_fail(error, LW_E_ARGUMENT, "part %u is there twice", (unsigned)p->number + 1);
    }
    for (uint32_t i = 0; i < first->count; i++)
        if (i >= count || sorted[i]->number != i)
            return lw_error_fail(error, LW_E_ARGUMENT, "part %u of %u is missing", (unsigned)i + 1,
                                 (unsigned)first->count);
    lw_status status = LW_OK;
    for (size_t i = 1; i < count && status == LW_OK; i++)
        status = check_pieces(first, sorted[i], error);
    return status;
}

/* ---- Does one touch what another one wrote? ---- */

static int by_start(const void *a, const void *b)
{
    const touch *x = a, *y = b;
    return x->start < y->start ? -1 : x->start > y->start;
}

static lw_status fail_meeting(const lw_launch_part *const *sorted, size_t piece, const touch *wrote,
                              const touch *other, bool read, lw_error *error)
{
    const uint64_t from = wrote->start > other->start ? wrote->start : other->start;
    const uint64_t to = wrote->end < other->end ? wrote->end : other->end;
    return lw_error_fail(
        error, LW_E_UNSUPPORTED,
        "part %u wrote bytes %" PRIu64 " to %" PRIu64 " of %s, which part %u %s: run the launch whole",
        (unsigned)sorted[wrote->part]->number + 1, from, to - 1, sorted[0]->pieces[piece].name,
        (unsigned)sorted[other->part]->number + 1, read ? "read" : "wrote too");
}

/* All that was written to a piece, ascending; the caller frees it. */
static touch *list_writes(const lw_launch_part *const *sorted, size_t count, size_t piece, size_t *writes)
{
    *writes = 0;
    for (size_t i = 0; i < count; i++)
        *writes += sorted[i]->pieces[piece].write_count;
    touch *all = malloc((*writes + 1) * sizeof(*all));
    size_t at = 0;
    for (size_t i = 0; i < count && all; i++)
        for (size_t k = 0; k < sorted[i]->pieces[piece].write_count; k++) {
            const lw_byte_run *run = &sorted[i]->pieces[piece].writes[k];
            all[at++] = (touch){ run->start, run->start + run->size, (uint32_t)i };
        }
    if (all)
        qsort(all, *writes, sizeof(*all), by_start);
    return all;
}

/* The first of the writes, which do not overlap, that ends after `start`. */
static size_t first_after(const touch *all, size_t count, uint64_t start)
{
    size_t low = 0, high = count;
    while (low < high) {
        const size_t mid = low + (high - low) / 2;
        if (all[mid].end <= start)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static lw_status check_reads(const lw_launch_part *const *sorted, size_t part, size_t piece, const touch *all,
                             size_t writes, lw_error *error)
{
    const lw_launch_piece *p = &sorted[part]->pieces[piece];
    for (size_t i = 0; i < p->read_count; i++) {
        const touch read = { p->reads[i].start, p->reads[i].start + p->reads[i].size, (uint32_t)part };
        for (size_t k = first_after(all, writes, read.start); k < writes && all[k].start < read.end; k++)
            if (all[k].part != read.part)
                return fail_meeting(sorted, piece, &all[k], &read, true, error);
    }
    return LW_OK;
}

static lw_status check_piece(const lw_launch_part *const *sorted, size_t count, size_t piece, lw_error *error)
{
    size_t writes;
    lw_status status = LW_OK;
    touch *all = list_writes(sorted, count, piece, &writes);
    if (!all)
        return lw_no_memory(error);
    for (size_t i = 1; i < writes && status == LW_OK; i++)
        if (all[i].start < all[i - 1].end)
            status = fail_meeting(sorted, piece, &all[i - 1], &all[i], false, error);
    for (size_t i = 0; i < count && status == LW_OK; i++)
        status = check_reads(sorted, i, piece, all, writes, error);
    free(all);
    return status;
}

/* ---- Joining ---- */

static void put_bytes(const lw_launch_piece *p, uint8_t *target)
{
    const uint8_t *from = p->bytes;
    for (size_t i = 0; i < p->write_count; i++) {
        memcpy(target + p->writes[i].start, from, (size_t)p->writes[i].size);
        from += p->writes[i].size;
    }
}

static lw_status join(const lw_launch_part *const *sorted, size_t count, void *const *targets,
                      lw_error *error)
{
    lw_status status = check_set(sorted, count, error);
    for (size_t piece = 0; status == LW_OK && piece < sorted[0]->piece_count; piece++)
        status = check_piece(sorted, count, piece, error);
    for (size_t i = 0; i < count && status == LW_OK; i++)
        for (size_t piece = 0; piece < sorted[i]->piece_count; piece++)
            if (targets && targets[piece])
                put_bytes(&sorted[i]->pieces[piece], targets[piece]);
    return status;
}

lw_status lw_launch_parts_join(const lw_launch_part *const *parts, size_t count, void *const *targets,
                               lw_error *error)
{
    lw_status status = LW_OK;
    if (!parts || !count)
        return lw_error_fail(error, LW_E_ARGUMENT, "joining needs parts");
    for (size_t i = 0; i < count && status == LW_OK; i++)
        status = parts[i] && lw_options_known(parts[i], sizeof(lw_launch_part), sizeof(lw_launch_part))
                     ? lw_launch_part_check(parts[i], error)
                     : lw_error_fail(error, LW_E_ARGUMENT,
                                     "part %zu of those given is NULL or of an unknown size", i);
    if (status != LW_OK)
        return status == LW_E_FORMAT ? LW_E_ARGUMENT : status;
    const lw_launch_part **sorted = malloc(count * sizeof(*sorted));
    if (!sorted)
        return lw_no_memory(error);
    memcpy(sorted, parts, count * sizeof(*sorted));
    qsort(sorted, count, sizeof(*sorted), by_number);
    status = join(sorted, count, targets, error);
    free(sorted);
    return status;
}

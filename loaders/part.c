/* SPDX-License-Identifier: MIT */
/* Reading a part of a launch, and what one may hold. */
#include "loaders/part.h"

#include <inttypes.h>
#include <stdlib.h>

#include "isa_tables/error.h"
#include "isa_tables/options.h"

void lw_launch_part_init(lw_launch_part *part, size_t size)
{
    const lw_launch_part made = { .count = 1, .about = "" };
    lw_options_init(part, size, &made, sizeof(made));
}

/* ---- What it may hold ---- */

uint64_t lw_runs_bytes(const lw_byte_run *runs, size_t count)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < count; i++)
        bytes += runs[i].size;
    return bytes;
}

static bool are_runs(const lw_byte_run *runs, size_t count, uint64_t size)
{
    uint64_t end = 0;
    for (size_t i = 0; i < count; i++) {
        if (!runs[i].size || runs[i].start > size || runs[i].size > size - runs[i].start ||
            (i && runs[i].start <= end))
            return false;
        end = runs[i].start + runs[i].size;
    }
    return true;
}

static lw_status check_piece(const lw_launch_piece *p, size_t i, lw_error *error)
{
    if ((!p->shape && p->shape_size) || (!p->reads && p->read_count) || (!p->writes && p->write_count) ||
        (!p->bytes && p->write_count))
        return lw_error_fail(error, LW_E_FORMAT, "piece %zu: a NULL pointer with a size", i);
    if (!p->name || !lw_sections_text(p->name, false) || !p->file || !lw_sections_text(p->file, false))
        return lw_error_fail(error, LW_E_FORMAT, "piece %zu: its name or file is not a line of text", i);
    if (p->fill < 0 || p->fill > LW_FILL_UNKNOWN || p->reserved)
        return lw_error_fail(error, LW_E_FORMAT,
                             "piece %zu: its fill is not 0 to 257, or a reserved word is not 0", i);
    if ((p->fill == LW_FILL_BEFORE) != (p->before != NULL))
        return lw_error_fail(error, LW_E_FORMAT, "piece %zu: its fill and its contents before do not agree",
                             i);
    if (!are_runs(p->reads, p->read_count, p->size) || !are_runs(p->writes, p->write_count, p->size))
        return lw_error_fail(error, LW_E_FORMAT,
                             "piece %zu: runs that are empty, out of order, touch or lie outside", i);
    return LW_OK;
}

lw_status lw_launch_part_check(const lw_launch_part *part, lw_error *error)
{
    if (part->number >= part->count)
        return lw_error_fail(error, LW_E_FORMAT, "there is no part %u of %u", (unsigned)part->number,
                             (unsigned)part->count);
    if (!part->about || !lw_sections_text(part->about, true))
        return lw_error_fail(error, LW_E_FORMAT, "about: not lines of text");
    if (!part->pieces && part->piece_count)
        return lw_error_fail(error, LW_E_FORMAT, "a NULL pointer with a size");
    lw_status status = LW_OK;
    for (size_t i = 0; i < part->piece_count && status == LW_OK; i++)
        status = check_piece(&part->pieces[i], i, error);
    return status;
}

/* ---- Reading ---- */

/* The part that is handed out, and what belongs to it. */
typedef struct read_part {
    lw_launch_part part; /* first: the caller has its address */
    lw_arena arena;
    lw_launch_piece *pieces;
} read_part;

typedef struct reader {
    lw_sections in;
    read_part *into;
} reader;

static lw_status read_head(reader *r)
{
    lw_launch_part *p = &r->into->part;
    lw_bytes body;
    lw_status status = lw_sections_next(&r->in, LW_SECTION_PART, &body);
    if (status != LW_OK)
        return status;
    if (body.size != LW_PART_HEAD)
        return lw_sections_fail(&r->in, LW_SECTIONS_HEAD, "the first section does not have 40 bytes");
    p->number = lw_le32(body.data);
    p->count = lw_le32(body.data + 4);
    memcpy(p->launch, body.data + 8, sizeof(p->launch));
    status = lw_sections_next(&r->in, LW_SECTION_PART_ABOUT, &body);
    return status == LW_OK ? lw_sections_copy(&r->in, body, &p->about) : status;
}

/* A number of the fewest bytes; false: it is not one. */
static bool read_number(lw_bytes in, size_t *at, uint64_t *value)
{
    *value = 0;
    for (unsigned i = 0; i < LW_LEB128_MOST && *at < in.size; i++) {
        const uint8_t byte = in.data[(*at)++];
        if (i == LW_LEB128_MOST - 1 && byte > 1)
            return false;
        *value |= (uint64_t)(byte & 0x7f) << 7 * i;
        if (!(byte & 0x80))
            return byte || i == 0;
    }
    return false;
}

/* Two bytes of the file at least become one run of 16. */
static lw_status read_runs(reader *r, lw_bytes in, const lw_byte_run **runs, size_t *count)
{
    lw_byte_run *made = lw_arena_alloc(&r->into->arena, in.size / 2 + 1, sizeof(*made));
    uint64_t end = 0, gap, size;
    if (!made)
        return lw_no_memory(r->in.error);
    *runs = made;
    for (size_t at = 0; at < in.size; (*count)++) {
        if (!read_number(in, &at, &gap) || !read_number(in, &at, &size) || gap > UINT64_MAX - end ||
            size > UINT64_MAX - end - gap)
            return lw_sections_fail(&r->in, lw_sections_place(&r->in, in) + at, "not a run of bytes");
        made[*count] = (lw_byte_run){ end + gap, size };
        end += gap + size;
    }
    return LW_OK;
}

static lw_status read_contents(reader *r, lw_bytes body, uint64_t *at, lw_launch_piece *p)
{
    lw_bytes before, bytes;
    lw_status status = LW_OK;
    if (p->fill == LW_FILL_BEFORE) {
        status = lw_sections_take(&r->in, body, at, p->size, &before);
        if (status != LW_OK)
            return status;
        p->before = before.data;
    }
    const uint64_t size = lw_runs_bytes(p->writes, p->write_count);
    status = lw_sections_take(&r->in, body, at, size, &bytes);
    if (status != LW_OK)
        return status;
    p->bytes = bytes.data;
    return *at == body.size ? LW_OK
                            : lw_sections_fail(&r->in, lw_sections_place(&r->in, body) + *at,
                                               "more bytes than the piece has");
}

static lw_status read_piece(reader *r, lw_launch_piece *p)
{
    lw_bytes body, given[5];
    uint64_t at = LW_PART_PIECE;
    lw_status status = lw_sections_next(&r->in, LW_SECTION_PART_PIECE, &body);
    if (status != LW_OK)
        return status;
    if (body.size < LW_PART_PIECE)
        return lw_sections_fail(&r->in, lw_sections_place(&r->in, body), "a piece without its numbers");
    p->size = lw_le64(body.data);
    const uint32_t fill = lw_le32(body.data + 48);
    p->fill = fill > LW_FILL_UNKNOWN ? -1 : (int32_t)fill;
    p->reserved = lw_le32(body.data + 52);
    for (int i = 0; i < 5 && status == LW_OK; i++)
        status = lw_sections_take(&r->in, body, &at, lw_le64(body.data + 8 + 8 * i), &given[i]);
    if (status == LW_OK)
        status = lw_sections_copy(&r->in, given[0], &p->name);
    if (status == LW_OK)
        status = lw_sections_copy(&r->in, given[1], &p->file);
    if (status != LW_OK)
        return status;
    p->shape = given[2].data;
    p->shape_size = given[2].size;
    status = read_runs(r, given[3], &p->reads, &p->read_count);
    if (status == LW_OK)
        status = read_runs(r, given[4], &p->writes, &p->write_count);
    if (status == LW_OK)
        status =
            check_piece(&(lw_launch_piece){ .name = p->name,
                                            .file = p->file,
                                            .size = p->size,
                                            .fill = p->fill == LW_FILL_BEFORE ? LW_FILL_UNKNOWN : p->fill,
                                            .reserved = p->reserved,
                                            .reads = p->reads,
                                            .read_count = p->read_count,
                                            .writes = p->writes,
                                            .write_count = p->write_count,
                                            .bytes = body.data },
                        r->into->part.piece_count - 1, r->in.error);
    return status == LW_OK ? read_contents(r, body, &at, p) : status;
}

static lw_status read_all(reader *r)
{
    lw_launch_part *p = &r->into->part;
    lw_status status = read_head(r);
    if (status != LW_OK)
        return status;
    /* each takes more than half as many bytes of the file as it takes memory */
    if (r->in.left > (r->in.in.size - r->in.at) / (LW_SECTIONS_SECTION + LW_PART_PIECE))
        return lw_error_fail(r->in.error, LW_E_TRUNCATED,
                             "%u pieces are announced, which do not fit in the file", (unsigned)r->in.left);
    r->into->pieces = calloc((size_t)r->in.left + 1, sizeof(*r->into->pieces));
    if (!r->into->pieces)
        return lw_no_memory(r->in.error);
    p->pieces = r->into->pieces;
    while (r->in.left && status == LW_OK)
        status = read_piece(r, &r->into->pieces[p->piece_count++]);
    if (status == LW_OK)
        status = lw_sections_end(&r->in);
    return status == LW_OK ? lw_launch_part_check(p, r->in.error) : status;
}

lw_status lw_launch_part_read(const void *bytes, size_t size, lw_launch_part **part, lw_error *error)
{
    reader r = { .in = { .error = error } };
    if (!bytes || !part)
        return lw_error_fail(error, LW_E_ARGUMENT, "reading a part needs bytes and a place for the result");
    lw_status status =
        lw_sections_open(&r.in, (lw_bytes){ bytes, size }, LW_PART_MAGIC, "a part of a launch");
    if (status != LW_OK)
        return status;
    r.into = calloc(1, sizeof(*r.into));
    if (!r.into)
        return lw_no_memory(error);
    lw_launch_part_init(&r.into->part, sizeof(r.into->part));
    r.in.arena = &r.into->arena;
    status = read_all(&r);
    if (status != LW_OK) {
        lw_launch_part_free(&r.into->part);
        return status;
    }
    *part = &r.into->part;
    return LW_OK;
}

void lw_launch_part_free(lw_launch_part *part)
{
    read_part *p = (read_part *)(void *)part;
    if (!p)
        return;
    lw_arena_free(&p->arena);
    free(p->pieces);
    free(p);
}

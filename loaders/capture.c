/* SPDX-License-Identifier: MIT */
/* Reading a captured launch, and what one may hold. */
#include "loaders/capture.h"

#include <inttypes.h>
#include <stdlib.h>

#include "isa_tables/error.h"
#include "isa_tables/options.h"

void lw_capture_init(lw_capture *capture, size_t size)
{
    const lw_capture made = { .kernel = "", .target = "", .api = "", .outcome = "", .about = "" };
    lw_options_init(capture, size, &made, sizeof(made));
}

/* ---- What it may hold ---- */

static lw_status check_texts(const lw_capture *c, lw_error *error)
{
    const struct {
        const char *name, *text;
        bool needed;
    } texts[] = { { "kernel", c->kernel, true },
                  { "target", c->target, true },
                  { "api", c->api, true },
                  { "outcome", c->outcome, false } };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        if (!texts[i].text || !lw_sections_text(texts[i].text, false))
            return lw_error_fail(error, LW_E_FORMAT, "%s: not a line of text", texts[i].name);
        if (texts[i].needed && !texts[i].text[0])
            return lw_error_fail(error, LW_E_FORMAT, "%s: it is empty", texts[i].name);
    }
    if (!c->about || !lw_sections_text(c->about, true))
        return lw_error_fail(error, LW_E_FORMAT, "about: not lines of text");
    return LW_OK;
}

static bool all_zero(const uint32_t v[3])
{
    return !v[0] && !v[1] && !v[2];
}

static bool none_zero(const uint32_t v[3])
{
    return v[0] && v[1] && v[2];
}

static lw_status check_sizes(const lw_capture *c, lw_error *error)
{
    const bool grid = none_zero(c->grid) && all_zero(c->items),
               items = all_zero(c->grid) && none_zero(c->items);
    if (!grid && !items)
        return lw_error_fail(error, LW_E_FORMAT,
                             "launch: one of grid and items has three sizes above 0, the other is all zero");
    if (!none_zero(c->block))
        return lw_error_fail(error, LW_E_FORMAT, "launch: a size of the block is 0");
    if (!none_zero(c->cluster) && !all_zero(c->cluster))
        return lw_error_fail(error, LW_E_FORMAT, "launch: a size of the cluster is 0");
    if (c->reserved)
        return lw_error_fail(error, LW_E_FORMAT, "launch: a reserved word is not 0");
    return LW_OK;
}

static int by_address(const void *a, const void *b)
{
    const lw_capture_piece *x = *(const lw_capture_piece *const *)a, *y = *(const lw_capture_piece *const *)b;
    return x->address < y->address ? -1 : x->address > y->address;
}

static lw_status check_overlap(const lw_capture *c, lw_error *error)
{
    const lw_capture_piece **sorted = malloc((c->piece_count + 1) * sizeof(*sorted));
    if (!sorted)
        return lw_no_memory(error);
    size_t count = 0;
    for (size_t i = 0; i < c->piece_count; i++)
        if (c->pieces[i].size)
            sorted[count++] = &c->pieces[i];
    qsort((void *)sorted, count, sizeof(*sorted), by_address);
    lw_status status = LW_OK;
    for (size_t i = 1; i < count && status == LW_OK; i++)
        if (sorted[i]->address - sorted[i - 1]->address < sorted[i - 1]->size)
            status = lw_error_fail(error, LW_E_FORMAT, "pieces at 0x%" PRIx64 " and 0x%" PRIx64 " overlap",
                                   sorted[i - 1]->address, sorted[i]->address);
    free((void *)sorted);
    return status;
}

static lw_status check_pieces(const lw_capture *c, lw_error *error)
{
    const bool ended = !c->outcome[0];
    for (size_t i = 0; i < c->piece_count; i++) {
        const lw_capture_piece *p = &c->pieces[i];
        if (!p->name || !lw_sections_text(p->name, false))
            return lw_error_fail(error, LW_E_FORMAT, "piece %zu: its name is not a line of text", i);
        if (p->size && (p->address + p->size - 1 < p->address || !p->before))
            return lw_error_fail(error, LW_E_FORMAT,
                                 "piece %zu: 0x%" PRIx64 " and %" PRIu64 " bytes are no range with contents",
                                 i, p->address, p->size);
        if (p->size && ended != (p->after != NULL))
            return lw_error_fail(error, LW_E_FORMAT, "piece %zu: %s", i,
                                 ended ? "its contents after the launch are missing"
                                       : "it has contents after a launch that did not end");
    }
    return check_overlap(c, error);
}

lw_status lw_capture_check(const lw_capture *c, lw_error *error)
{
    if ((!c->code && c->code_size) || (!c->args && c->args_size) || (!c->pieces && c->piece_count))
        return lw_error_fail(error, LW_E_FORMAT, "a NULL pointer with a size");
    lw_status status = check_texts(c, error);
    if (status == LW_OK)
        status = check_sizes(c, error);
    return status == LW_OK ? check_pieces(c, error) : status;
}

/* ---- Reading ---- */

/* The capture that is handed out, and what belongs to it. */
typedef struct read_capture {
    lw_capture capture; /* first: the caller has its address */
    lw_arena arena;
    lw_capture_piece *pieces;
} read_capture;

typedef struct reader {
    lw_sections in;
    read_capture *into;
} reader;

static lw_status fail_at(const reader *r, uint64_t at, const char *what)
{
    return lw_sections_fail(&r->in, at, what);
}

static lw_status section(reader *r, uint32_t kind, lw_bytes *body)
{
    return lw_sections_next(&r->in, kind, body);
}

static lw_status read_launch(reader *r)
{
    lw_bytes body;
    lw_capture *c = &r->into->capture;
    const lw_status status = section(r, LW_SECTION_LAUNCH, &body);
    if (status != LW_OK)
        return status;
    if (body.size != LW_CAPTURE_WORDS * 4)
        return fail_at(r, LW_SECTIONS_HEAD, "the launch is not 13 words");
    uint32_t *const sizes[] = { c->grid, c->items, c->block, c->cluster };
    for (size_t i = 0; i < 12; i++)
        sizes[i / 3][i % 3] = lw_le32(body.data + 4 * i);
    c->dynamic_lds = lw_le32(body.data + 48);
    return LW_OK;
}

static lw_status read_parts(reader *r)
{
    lw_capture *c = &r->into->capture;
    const char **const texts[] = { &c->kernel, &c->target, &c->api, &c->outcome, &c->about };
    lw_bytes body;
    lw_status status = LW_OK;
    for (uint32_t i = 0; i < sizeof(texts) / sizeof(texts[0]) && status == LW_OK; i++) {
        status = section(r, LW_SECTION_KERNEL + i, &body);
        if (status == LW_OK)
            status = lw_sections_copy(&r->in, body, texts[i]);
    }
    if (status == LW_OK)
        status = section(r, LW_SECTION_CODE, &body);
    if (status == LW_OK) {
        c->code = body.data;
        c->code_size = body.size;
        status = section(r, LW_SECTION_ARGS, &body);
    }
    if (status == LW_OK) {
        c->args = body.data;
        c->args_size = body.size;
    }
    return status;
}

static lw_status read_piece(reader *r, lw_capture_piece *p)
{
    lw_bytes body, name, before, after;
    lw_status status = section(r, LW_SECTION_PIECE, &body);
    uint64_t at = LW_CAPTURE_PIECE;
    if (status != LW_OK)
        return status;
    if (body.size < LW_CAPTURE_PIECE)
        return fail_at(r, lw_sections_place(&r->in, body), "a piece without its four numbers");
    p->address = lw_le64(body.data);
    p->size = lw_le64(body.data + 8);
    const uint32_t length = lw_le32(body.data + 16), follows = lw_le32(body.data + 20);
    if (follows > (p->size ? LW_PIECE_BOTH : LW_PIECE_BEFORE))
        return fail_at(r, lw_sections_place(&r->in, body) + 20, p->size ? "not 0, 1 or 2" : "not 0");
    status = lw_sections_take(&r->in, body, &at, length, &name);
    if (status == LW_OK)
        status = lw_sections_copy(&r->in, name, &p->name);
    if (status == LW_OK)
        status = lw_sections_take(&r->in, body, &at, p->size, &before);
    if (status == LW_OK && follows == LW_PIECE_BOTH)
        status = lw_sections_take(&r->in, body, &at, p->size, &after);
    if (status != LW_OK)
        return status;
    if (at != body.size)
        return fail_at(r, lw_sections_place(&r->in, body) + at, "more bytes than the piece has");
    p->before = before.data;
    p->after = follows == LW_PIECE_BOTH ? after.data : follows == LW_PIECE_SAME ? before.data : NULL;
    return LW_OK;
}

static lw_status read_all(reader *r)
{
    lw_capture *c = &r->into->capture;
    lw_status status = read_launch(r);
    if (status == LW_OK)
        status = read_parts(r);
    if (status != LW_OK)
        return status;
    /* each takes more bytes of the file than it takes memory */
    if (r->in.left > (r->in.in.size - r->in.at) / (LW_SECTIONS_SECTION + LW_CAPTURE_PIECE))
        return lw_error_fail(r->in.error, LW_E_TRUNCATED,
                             "%u pieces are announced, which do not fit in the file", (unsigned)r->in.left);
    r->into->pieces = calloc((size_t)r->in.left + 1, sizeof(*r->into->pieces));
    if (!r->into->pieces)
        return lw_no_memory(r->in.error);
    c->pieces = r->into->pieces;
    while (r->in.left && status == LW_OK)
        status = read_piece(r, &r->into->pieces[c->piece_count++]);
    if (status == LW_OK)
        status = lw_sections_end(&r->in);
    return status == LW_OK ? lw_capture_check(c, r->in.error) : status;
}

lw_status lw_capture_read(const void *bytes, size_t size, lw_capture **capture, lw_error *error)
{
    const lw_bytes file = { bytes, size };
    reader r = { .in = { .error = error } };
    if (!bytes || !capture)
        return lw_error_fail(error, LW_E_ARGUMENT,
                             "reading a capture needs bytes and a place for the result");
    lw_status status = lw_sections_open(&r.in, file, LW_CAPTURE_MAGIC, "a captured launch");
    if (status != LW_OK)
        return status;
    r.into = calloc(1, sizeof(*r.into));
    if (!r.into)
        return lw_no_memory(error);
    lw_capture_init(&r.into->capture, sizeof(r.into->capture));
    r.in.arena = &r.into->arena;
    status = read_all(&r);
    if (status != LW_OK) {
        lw_capture_free(&r.into->capture);
        return status;
    }
    *capture = &r.into->capture;
    return LW_OK;
}

void lw_capture_free(lw_capture *capture)
{
    read_capture *c = (read_capture *)(void *)capture;
    if (!c)
        return;
    lw_arena_free(&c->arena);
    free(c->pieces);
    free(c);
}

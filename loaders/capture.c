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

static bool is_text(const char *text, bool lines)
{
    const char *t = text;
    for (; *t; t++)
        if (((unsigned char)*t < ' ' && !(lines && *t == '\n')) || *t == 0x7f)
            return false;
    return !lines || t == text || t[-1] == '\n';
}

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
        if (!texts[i].text || !is_text(texts[i].text, false))
            return lw_error_fail(error, LW_E_FORMAT, "%s: not a line of text", texts[i].name);
        if (texts[i].needed && !texts[i].text[0])
            return lw_error_fail(error, LW_E_FORMAT, "%s: it is empty", texts[i].name);
    }
    if (!c->about || !is_text(c->about, true))
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
        if (!p->name || !is_text(p->name, false))
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
    lw_bytes in; /* without the hash */
    uint64_t at;
    uint32_t sections; /* that are left */
    read_capture *into;
    lw_error *error;
} reader;

static lw_status fail_at(const reader *r, uint64_t at, const char *what)
{
    return lw_error_fail(r->error, LW_E_FORMAT, "byte %" PRIu64 ": %s", at, what);
}

/* `size` bytes and the zeros after them, from byte *at of `in`. */
static lw_status take(const reader *r, lw_bytes in, uint64_t *at, uint64_t size, lw_bytes *out)
{
    lw_bytes zeros;
    const uint64_t file = (uint64_t)(in.data - r->in.data) + *at;
    if (!lw_slice(in, *at, size, out) || !lw_slice(in, *at + size, lw_capture_padded(size) - size, &zeros))
        return lw_error_fail(r->error, LW_E_TRUNCATED,
                             "byte %" PRIu64 ": %" PRIu64 " bytes are announced, %" PRIu64 " are left", file,
                             size, (uint64_t)in.size - *at);
    for (size_t i = 0; i < zeros.size; i++)
        if (zeros.data[i])
            return fail_at(r, file + size + i, "not 0 between two parts");
    *at += size + zeros.size;
    return LW_OK;
}

/* The next section, which must be of that kind. */
static lw_status section(reader *r, uint32_t kind, lw_bytes *body)
{
    lw_bytes head;
    const uint64_t at = r->at;
    if (!r->sections)
        return lw_error_fail(r->error, LW_E_FORMAT, "section %u is missing", (unsigned)kind);
    if (!lw_slice(r->in, r->at, LW_CAPTURE_SECTION, &head))
        return lw_error_fail(r->error, LW_E_TRUNCATED, "byte %" PRIu64 ": the file ends before section %u",
                             at, (unsigned)kind);
    if (lw_le32(head.data) != kind || lw_le32(head.data + 4))
        return lw_error_fail(r->error, LW_E_FORMAT,
                             "byte %" PRIu64 ": a section of kind %u where %u is expected", at,
                             (unsigned)lw_le32(head.data), (unsigned)kind);
    r->at += LW_CAPTURE_SECTION;
    r->sections--;
    return take(r, r->in, &r->at, lw_le64(head.data + 8), body);
}

static lw_status copy_text(reader *r, lw_bytes from, const char **to)
{
    if (memchr(from.data, '\0', from.size))
        return fail_at(r, (uint64_t)(from.data - r->in.data), "a NUL in a text");
    *to = lw_arena_text(&r->into->arena, from.data, from.size);
    return *to ? LW_OK : lw_no_memory(r->error);
}

static lw_status read_launch(reader *r)
{
    lw_bytes body;
    lw_capture *c = &r->into->capture;
    const lw_status status = section(r, LW_SECTION_LAUNCH, &body);
    if (status != LW_OK)
        return status;
    if (body.size != LW_CAPTURE_WORDS * 4)
        return fail_at(r, LW_CAPTURE_HEAD, "the launch is not 13 words");
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
            status = copy_text(r, body, texts[i]);
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
        return fail_at(r, (uint64_t)(body.data - r->in.data), "a piece without its four numbers");
    p->address = lw_le64(body.data);
    p->size = lw_le64(body.data + 8);
    const uint32_t length = lw_le32(body.data + 16), follows = lw_le32(body.data + 20);
    if (follows > (p->size ? LW_PIECE_BOTH : LW_PIECE_BEFORE))
        return fail_at(r, (uint64_t)(body.data - r->in.data) + 20, p->size ? "not 0, 1 or 2" : "not 0");
    status = take(r, body, &at, length, &name);
    if (status == LW_OK)
        status = copy_text(r, name, &p->name);
    if (status == LW_OK)
        status = take(r, body, &at, p->size, &before);
    if (status == LW_OK && follows == LW_PIECE_BOTH)
        status = take(r, body, &at, p->size, &after);
    if (status != LW_OK)
        return status;
    if (at != body.size)
        return fail_at(r, (uint64_t)(body.data - r->in.data) + at, "more bytes than the piece has");
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
    if (r->sections > (r->in.size - r->at) / (LW_CAPTURE_SECTION + LW_CAPTURE_PIECE))
        return lw_error_fail(r->error, LW_E_TRUNCATED,
                             "%u pieces are announced, which do not fit in the file", (unsigned)r->sections);
    r->into->pieces = calloc((size_t)r->sections + 1, sizeof(*r->into->pieces));
    if (!r->into->pieces)
        return lw_no_memory(r->error);
    c->pieces = r->into->pieces;
    while (r->sections && status == LW_OK)
        status = read_piece(r, &r->into->pieces[c->piece_count++]);
    if (status == LW_OK && r->at != r->in.size)
        return fail_at(r, r->at, "the file goes on after its last section");
    return status == LW_OK ? lw_capture_check(c, r->error) : status;
}

lw_status lw_capture_read(const void *bytes, size_t size, lw_capture **capture, lw_error *error)
{
    const lw_bytes file = { bytes, size };
    if (!bytes || !capture)
        return lw_error_fail(error, LW_E_ARGUMENT,
                             "reading a capture needs bytes and a place for the result");
    if (!lw_starts_with(file, LW_CAPTURE_MAGIC, LW_CAPTURE_MAGIC_SIZE))
        return lw_error_fail(error, LW_E_FORMAT, "it does not begin as a captured launch does");
    if (size < LW_CAPTURE_HEAD + 8)
        return lw_error_fail(error, LW_E_TRUNCATED, "it ends within its first %d bytes", LW_CAPTURE_HEAD + 8);
    if (lw_le32(file.data + 8) != LW_CAPTURE_VERSION)
        return lw_error_fail(error, LW_E_FORMAT, "it is of version %u; this library reads version %d",
                             (unsigned)lw_le32(file.data + 8), LW_CAPTURE_VERSION);
    if (lw_fnv(LW_FNV_FIRST, bytes, size - 8) != lw_le64(file.data + size - 8))
        return lw_error_fail(error, LW_E_FORMAT, "its hash is wrong: it is damaged or incomplete");
    read_capture *into = calloc(1, sizeof(*into));
    if (!into)
        return lw_no_memory(error);
    lw_capture_init(&into->capture, sizeof(into->capture));
    reader r = { { file.data, size - 8 }, LW_CAPTURE_HEAD, lw_le32(file.data + 12), into, error };
    const lw_status status = read_all(&r);
    if (status != LW_OK) {
        lw_capture_free(&into->capture);
        return status;
    }
    *capture = &into->capture;
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

/* SPDX-License-Identifier: MIT */
/* Writing a captured launch. */
#include "isa_tables/error.h"
#include "isa_tables/options.h"
#include "loaders/capture.h"

typedef struct writer {
    lw_sink sink;
    void *context;
    uint64_t hash;
    lw_status status;
} writer;

/* Bytes, and zeros up to a multiple of 8. After a failure, nothing. */
static void put(writer *w, const void *bytes, size_t size)
{
    static const char zeros[8];
    const size_t pad = (size_t)(lw_capture_padded(size) - size);
    if (w->status == LW_OK && size) {
        w->hash = lw_fnv(w->hash, bytes, size);
        w->status = w->sink(w->context, bytes, size);
    }
    if (w->status == LW_OK && pad) {
        w->hash = lw_fnv(w->hash, zeros, pad);
        w->status = w->sink(w->context, zeros, pad);
    }
}

static void put_head(writer *w, uint32_t kind, uint64_t size)
{
    uint8_t head[LW_CAPTURE_SECTION] = { 0 };
    lw_put_le(head, kind, 4);
    lw_put_le(head + 8, size, 8);
    put(w, head, sizeof(head));
}

static void put_section(writer *w, uint32_t kind, const void *bytes, size_t size)
{
    put_head(w, kind, size);
    put(w, bytes, size);
}

static void put_launch(writer *w, const lw_capture *c)
{
    const uint32_t *const sizes[] = { c->grid, c->items, c->block, c->cluster };
    uint8_t words[4 * LW_CAPTURE_WORDS];
    for (size_t i = 0; i < 12; i++)
        lw_put_le(words + 4 * i, sizes[i / 3][i % 3], 4);
    lw_put_le(words + 48, c->dynamic_lds, 4);
    put_section(w, LW_SECTION_LAUNCH, words, sizeof(words));
}

static void put_piece(writer *w, const lw_capture_piece *p)
{
    uint8_t head[LW_CAPTURE_PIECE];
    const uint32_t follows = !p->after               ? LW_PIECE_BEFORE
                             : p->after == p->before ? LW_PIECE_SAME
                                                     : LW_PIECE_BOTH;
    const size_t length = strlen(p->name);
    const uint64_t bytes = lw_capture_padded(p->size) * (follows == LW_PIECE_BOTH ? 2 : 1);
    lw_put_le(head, p->address, 8);
    lw_put_le(head + 8, p->size, 8);
    lw_put_le(head + 16, length, 4);
    lw_put_le(head + 20, follows, 4);
    put_head(w, LW_SECTION_PIECE, LW_CAPTURE_PIECE + lw_capture_padded(length) + bytes);
    put(w, head, sizeof(head));
    put(w, p->name, length);
    put(w, p->before, (size_t)p->size);
    if (follows == LW_PIECE_BOTH)
        put(w, p->after, (size_t)p->size);
}

static lw_status check(const lw_capture *capture, lw_sink sink, lw_capture *into, lw_error *error)
{
    if (!sink || !lw_options_take(into, capture, sizeof(*into), sizeof(*into)))
        return lw_error_fail(error, LW_E_ARGUMENT, "writing a capture needs one of a known size, and a sink");
    const lw_status status = lw_capture_check(into, error);
    return status == LW_E_FORMAT ? LW_E_ARGUMENT : status;
}

lw_status lw_capture_write(const lw_capture *capture, lw_sink sink, void *context, lw_error *error)
{
    lw_capture c = lw_capture_default();
    const lw_status status = check(capture, sink, &c, error);
    if (status != LW_OK)
        return status;
    writer w = { sink, context, LW_FNV_FIRST, LW_OK };
    uint8_t head[LW_CAPTURE_HEAD], hash[8];
    memcpy(head, LW_CAPTURE_MAGIC, LW_CAPTURE_MAGIC_SIZE);
    lw_put_le(head + 8, LW_CAPTURE_VERSION, 4);
    lw_put_le(head + 12, LW_SECTIONS_ONCE + c.piece_count, 4);
    put(&w, head, sizeof(head));
    put_launch(&w, &c);
    const char *const texts[] = { c.kernel, c.target, c.api, c.outcome, c.about };
    for (uint32_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        put_section(&w, LW_SECTION_KERNEL + i, texts[i], strlen(texts[i]));
    put_section(&w, LW_SECTION_CODE, c.code, c.code_size);
    put_section(&w, LW_SECTION_ARGS, c.args, c.args_size);
    for (size_t i = 0; i < c.piece_count; i++)
        put_piece(&w, &c.pieces[i]);
    lw_put_le(hash, w.hash, sizeof(hash));
    put(&w, hash, sizeof(hash));
    return w.status;
}

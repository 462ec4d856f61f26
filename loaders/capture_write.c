/* SPDX-License-Identifier: MIT */
/* Writing a captured launch. */
#include "isa_tables/error.h"
#include "isa_tables/options.h"
#include "loaders/capture.h"

static void put_launch(lw_sections_out *w, const lw_capture *c)
{
    const uint32_t *const sizes[] = { c->grid, c->items, c->block, c->cluster };
    uint8_t words[4 * LW_CAPTURE_WORDS];
    for (size_t i = 0; i < 12; i++)
        lw_put_le(words + 4 * i, sizes[i / 3][i % 3], 4);
    lw_put_le(words + 48, c->dynamic_lds, 4);
    lw_sections_put_section(w, LW_SECTION_LAUNCH, words, sizeof(words));
}

static void put_piece(lw_sections_out *w, const lw_capture_piece *p)
{
    uint8_t head[LW_CAPTURE_PIECE];
    const uint32_t follows = !p->after               ? LW_PIECE_BEFORE
                             : p->after == p->before ? LW_PIECE_SAME
                                                     : LW_PIECE_BOTH;
    const size_t length = strlen(p->name);
    const uint64_t bytes = lw_sections_padded(p->size) * (follows == LW_PIECE_BOTH ? 2 : 1);
    lw_put_le(head, p->address, 8);
    lw_put_le(head + 8, p->size, 8);
    lw_put_le(head + 16, length, 4);
    lw_put_le(head + 20, follows, 4);
    lw_sections_put_head(w, LW_SECTION_PIECE, LW_CAPTURE_PIECE + lw_sections_padded(length) + bytes);
    lw_sections_put(w, head, sizeof(head));
    lw_sections_put(w, p->name, length);
    lw_sections_put(w, p->before, (size_t)p->size);
    if (follows == LW_PIECE_BOTH)
        lw_sections_put(w, p->after, (size_t)p->size);
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
    lw_sections_out w = { .sink = sink, .context = context };
    lw_sections_begin(&w, LW_CAPTURE_MAGIC, LW_SECTIONS_ONCE + c.piece_count);
    put_launch(&w, &c);
    const char *const texts[] = { c.kernel, c.target, c.api, c.outcome, c.about };
    for (uint32_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        lw_sections_put_section(&w, LW_SECTION_KERNEL + i, texts[i], strlen(texts[i]));
    lw_sections_put_section(&w, LW_SECTION_CODE, c.code, c.code_size);
    lw_sections_put_section(&w, LW_SECTION_ARGS, c.args, c.args_size);
    for (size_t i = 0; i < c.piece_count; i++)
        put_piece(&w, &c.pieces[i]);
    return lw_sections_finish(&w);
}

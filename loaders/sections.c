/* SPDX-License-Identifier: MIT */
#include "loaders/sections.h"

#include <inttypes.h>

#include "isa_tables/error.h"

bool lw_sections_text(const char *text, bool lines)
{
    const char *t = text;
    for (; *t; t++)
        if (((unsigned char)*t < ' ' && !(lines && *t == '\n')) || *t == 0x7f)
            return false;
    return !lines || t == text || t[-1] == '\n';
}

/* ---- Reading ---- */

lw_status lw_sections_fail(const lw_sections *s, uint64_t at, const char *what)
{
    return lw_error_fail(s->error, LW_E_FORMAT, "byte %" PRIu64 ": %s", at, what);
}

lw_status lw_sections_open(lw_sections *s, lw_bytes file, const char *magic, const char *what)
{
    if (!lw_starts_with(file, magic, LW_SECTIONS_MAGIC))
        return lw_error_fail(s->error, LW_E_FORMAT, "it does not begin as %s does", what);
    if (file.size < LW_SECTIONS_HEAD + 8)
        return lw_error_fail(s->error, LW_E_TRUNCATED, "it ends within its first %d bytes",
                             LW_SECTIONS_HEAD + 8);
    if (lw_le32(file.data + 8) != LW_SECTIONS_VERSION)
        return lw_error_fail(s->error, LW_E_FORMAT, "it is of version %u; this library reads version %d",
                             (unsigned)lw_le32(file.data + 8), LW_SECTIONS_VERSION);
    if (lw_fnv(LW_FNV_FIRST, file.data, file.size - 8) != lw_le64(file.data + file.size - 8))
        return lw_error_fail(s->error, LW_E_FORMAT, "its hash is wrong: it is damaged or incomplete");
    s->in = (lw_bytes){ file.data, file.size - 8 };
    s->at = LW_SECTIONS_HEAD;
    s->left = lw_le32(file.data + 12);
    return LW_OK;
}

lw_status lw_sections_take(const lw_sections *s, lw_bytes in, uint64_t *at, uint64_t size, lw_bytes *out)
{
    lw_bytes zeros;
    const uint64_t file = lw_sections_place(s, in) + *at;
    if (!lw_slice(in, *at, size, out) || !lw_slice(in, *at + size, lw_sections_padded(size) - size, &zeros))
        return lw_error_fail(s->error, LW_E_TRUNCATED,
                             "byte %" PRIu64 ": %" PRIu64 " bytes are announced, %" PRIu64 " are left", file,
                             size, (uint64_t)in.size - *at);
    for (size_t i = 0; i < zeros.size; i++)
        if (zeros.data[i])
            return lw_sections_fail(s, file + size + i, "not 0 between two parts");
    *at += size + zeros.size;
    return LW_OK;
}

lw_status lw_sections_next(lw_sections *s, uint32_t kind, lw_bytes *body)
{
    lw_bytes head;
    const uint64_t at = s->at;
    if (!s->left)
        return lw_error_fail(s->error, LW_E_FORMAT, "section %u is missing", (unsigned)kind);
    if (!lw_slice(s->in, s->at, LW_SECTIONS_SECTION, &head))
        return lw_error_fail(s->error, LW_E_TRUNCATED, "byte %" PRIu64 ": the file ends before section %u",
                             at, (unsigned)kind);
    if (lw_le32(head.data) != kind || lw_le32(head.data + 4))
        return lw_error_fail(s->error, LW_E_FORMAT,
                             "byte %" PRIu64 ": a section of kind %u where %u is expected", at,
                             (unsigned)lw_le32(head.data), (unsigned)kind);
    s->at += LW_SECTIONS_SECTION;
    s->left--;
    return lw_sections_take(s, s->in, &s->at, lw_le64(head.data + 8), body);
}

lw_status lw_sections_copy(const lw_sections *s, lw_bytes from, const char **to)
{
    if (memchr(from.data, '\0', from.size))
        return lw_sections_fail(s, lw_sections_place(s, from), "a NUL in a text");
    *to = lw_arena_text(s->arena, from.data, from.size);
    return *to ? LW_OK : lw_no_memory(s->error);
}

lw_status lw_sections_end(const lw_sections *s)
{
    return s->at == s->in.size ? LW_OK
                               : lw_sections_fail(s, s->at, "the file goes on after its last section");
}

/* ---- Writing ---- */

static void send(lw_sections_out *out, const void *bytes, size_t size)
{
    if (out->status != LW_OK || !size)
        return;
    out->hash = lw_fnv(out->hash, bytes, size);
    out->status = out->sink(out->context, bytes, size);
}

void lw_sections_put(lw_sections_out *out, const void *bytes, size_t size)
{
    static const char zeros[8];
    send(out, bytes, size);
    send(out, zeros, (size_t)(lw_sections_padded(size) - size));
}

void lw_sections_begin(lw_sections_out *out, const char *magic, size_t count)
{
    uint8_t head[LW_SECTIONS_HEAD];
    memcpy(head, magic, LW_SECTIONS_MAGIC);
    lw_put_le(head + 8, LW_SECTIONS_VERSION, 4);
    lw_put_le(head + 12, count, 4);
    out->hash = LW_FNV_FIRST;
    out->status = LW_OK;
    lw_sections_put(out, head, sizeof(head));
}

void lw_sections_put_head(lw_sections_out *out, uint32_t kind, uint64_t size)
{
    uint8_t head[LW_SECTIONS_SECTION] = { 0 };
    lw_put_le(head, kind, 4);
    lw_put_le(head + 8, size, 8);
    lw_sections_put(out, head, sizeof(head));
}

void lw_sections_put_section(lw_sections_out *out, uint32_t kind, const void *bytes, size_t size)
{
    lw_sections_put_head(out, kind, size);
    lw_sections_put(out, bytes, size);
}

lw_status lw_sections_finish(lw_sections_out *out)
{
    uint8_t hash[8];
    lw_put_le(hash, out->hash, sizeof(hash));
    lw_sections_put(out, hash, sizeof(hash));
    return out->status;
}

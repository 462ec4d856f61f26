/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>

#ifdef LW_HAVE_ZLIB
#include <zlib.h>
#endif
#ifdef LW_HAVE_ZSTD
#include <zstd.h>
#endif

#include "isa_tables/error.h"
#include "loaders/inflate.h"

#if defined(LW_HAVE_ZLIB) || defined(LW_HAVE_ZSTD)

/* The block, and a byte past its end that only a stream longer than declared reaches. */
typedef struct growing {
    uint8_t *data;
    size_t size, room;
    uint64_t declared;
    uint8_t spill;
} growing;

/* Where the next bytes go: at least one. */
static lw_status make_room(growing *out, uint8_t **at, size_t *room, lw_error *error)
{
    enum { FIRST_ROOM = 1 << 16 };
    if (out->size == out->room && out->room < out->declared) {
        uint64_t wanted = out->room ? 2 * (uint64_t)out->room : FIRST_ROOM;
        wanted = wanted < out->declared ? wanted : out->declared;
        uint8_t *data = realloc(out->data, (size_t)wanted);
        if (!data)
            return lw_no_memory(error);
        out->data = data;
        out->room = (size_t)wanted;
    }
    const bool full = out->size == out->room;
    *at = full ? &out->spill : out->data + out->size;
    *room = full ? 1 : out->room - out->size;
    return LW_OK;
}

static lw_status refuse_size(const growing *out, lw_error *error)
{
    if (out->size > out->declared)
        return lw_error_fail(error, LW_E_FORMAT,
                             "a compressed offload bundle says that %" PRIu64 " bytes come out; it is more",
                             out->declared);
    return lw_error_fail(error, LW_E_FORMAT,
                         "a compressed offload bundle says that %" PRIu64 " bytes come out; it is %zu",
                         out->declared, out->size);
}

#endif

#ifdef LW_HAVE_ZLIB
static lw_status run_zlib(z_stream *z, growing *out, lw_error *error)
{
    for (;;) {
        size_t room = 0;
        const lw_status status = make_room(out, &z->next_out, &room, error);
        if (status != LW_OK)
            return status;
        const uInt offered = room > UINT_MAX ? UINT_MAX : (uInt)room;
        z->avail_out = offered;
        const int answer = inflate(z, Z_NO_FLUSH);
        out->size += offered - z->avail_out;
        if (out->size > out->declared)
            return refuse_size(out, error);
        if (answer == Z_STREAM_END)
            return LW_OK;
        if (answer == Z_MEM_ERROR)
            return lw_no_memory(error);
        if (answer == Z_BUF_ERROR || (answer == Z_OK && z->avail_in == 0 && z->avail_out > 0))
            return lw_error_fail(error, LW_E_TRUNCATED, "the zlib stream ends early");
        if (answer != Z_OK)
            return lw_error_fail(error, LW_E_FORMAT, "the zlib stream is damaged: %s",
                                 z->msg ? z->msg : "unknown reason");
    }
}

static lw_status inflate_zlib(lw_bytes in, growing *out, size_t *used, lw_error *error)
{
    if (in.size > UINT_MAX)
        return lw_error_fail(error, LW_E_UNSUPPORTED, "a zlib stream of more than 4 GiB");
    z_stream z = { .next_in = (z_const Bytef *)in.data, .avail_in = (uInt)in.size };
    if (inflateInit(&z) != Z_OK)
        return lw_no_memory(error);
    const lw_status status = run_zlib(&z, out, error);
    *used = in.size - z.avail_in;
    inflateEnd(&z);
    return status;
}
#endif

#ifdef LW_HAVE_ZSTD
static lw_status run_zstd(ZSTD_DStream *z, lw_bytes in, growing *out, size_t *used, lw_error *error)
{
    ZSTD_inBuffer source = { in.data, in.size, 0 };
    for (;;) {
        uint8_t *at = NULL;
        size_t room = 0;
        const lw_status status = make_room(out, &at, &room, error);
        if (status != LW_OK)
            return status;
        ZSTD_outBuffer target = { at, room, 0 };
        const size_t answer = ZSTD_decompressStream(z, &target, &source);
        out->size += target.pos;
        *used = source.pos;
        if (ZSTD_isError(answer))
            return lw_error_fail(error, LW_E_FORMAT, "the zstd stream is damaged: %s",
                                 ZSTD_getErrorName(answer));
        if (out->size > out->declared)
            return refuse_size(out, error);
        if (answer == 0)
            return LW_OK;
        if (source.pos == source.size && target.pos < target.size)
            return lw_error_fail(error, LW_E_TRUNCATED, "the zstd stream ends early");
    }
}

static lw_status inflate_zstd(lw_bytes in, growing *out, size_t *used, lw_error *error)
{
    ZSTD_DStream *z = ZSTD_createDStream();
    if (!z)
        return lw_no_memory(error);
    const lw_status status = run_zstd(z, in, out, used, error);
    ZSTD_freeDStream(z);
    return status;
}
#endif

lw_status lw_inflate(lw_method method, lw_bytes in, uint64_t declared, uint8_t **out, size_t *used,
                     lw_error *error)
{
#if !defined(LW_HAVE_ZLIB) && !defined(LW_HAVE_ZSTD)
    (void)in, (void)declared, (void)out, (void)used;
#endif
#ifndef LW_HAVE_ZLIB
    if (method == LW_METHOD_ZLIB)
        return lw_error_fail(error, LW_E_ABSENT,
                             "the offload bundle is compressed with zlib, and this build has no zlib");
#endif
#ifndef LW_HAVE_ZSTD
    if (method == LW_METHOD_ZSTD)
        return lw_error_fail(error, LW_E_ABSENT,
                             "the offload bundle is compressed with zstd, and this build has no libzstd");
#endif
#if defined(LW_HAVE_ZLIB) || defined(LW_HAVE_ZSTD)
    growing block = { .declared = declared };
    size_t taken = 0;
    lw_status status = LW_E_ABSENT;
#ifdef LW_HAVE_ZLIB
    if (method == LW_METHOD_ZLIB)
        status = inflate_zlib(in, &block, &taken, error);
#endif
#ifdef LW_HAVE_ZSTD
    if (method == LW_METHOD_ZSTD)
        status = inflate_zstd(in, &block, &taken, error);
#endif
    if (status == LW_OK && block.size != declared)
        status = refuse_size(&block, error);
    if (status != LW_OK) {
        free(block.data);
        return status;
    }
    *out = block.data;
    *used = taken;
#endif
    return LW_OK;
}

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

typedef struct growing {
    uint8_t *data;
    size_t size, room;
    uint64_t limit;
} growing;

/* Makes room for at least one more byte. */
static lw_status grow(growing *out, lw_error *error)
{
    enum { FIRST_ROOM = 1 << 16 };
    if (out->size < out->room)
        return LW_OK;
    if (out->room >= out->limit)
        return lw_error_fail(error, LW_E_UNSUPPORTED,
                             "the compressed data is larger than %" PRIu64 " bytes, the limit for this file",
                             out->limit);
    uint64_t room = out->room ? 2 * (uint64_t)out->room : FIRST_ROOM;
    if (room > out->limit)
        room = out->limit;
    uint8_t *data = realloc(out->data, (size_t)room);
    if (!data)
        return lw_no_memory(error);
    out->data = data;
    out->room = (size_t)room;
    return LW_OK;
}

#endif

#ifdef LW_HAVE_ZLIB
static lw_status run_zlib(z_stream *z, growing *out, lw_error *error)
{
    for (;;) {
        const lw_status status = grow(out, error);
        if (status != LW_OK)
            return status;
        const size_t room = out->room - out->size;
        const uInt offered = room > UINT_MAX ? UINT_MAX : (uInt)room;
        z->next_out = out->data + out->size;
        z->avail_out = offered;
        const int answer = inflate(z, Z_NO_FLUSH);
        out->size += offered - z->avail_out;
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
        const lw_status status = grow(out, error);
        if (status != LW_OK)
            return status;
        ZSTD_outBuffer target = { out->data, out->room, out->size };
        const size_t answer = ZSTD_decompressStream(z, &target, &source);
        out->size = target.pos;
        *used = source.pos;
        if (ZSTD_isError(answer))
            return lw_error_fail(error, LW_E_FORMAT, "the zstd stream is damaged: %s",
                                 ZSTD_getErrorName(answer));
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

lw_status lw_inflate(lw_method method, lw_bytes in, uint64_t limit, uint8_t **out, size_t *out_size,
                     size_t *used, lw_error *error)
{
#if !defined(LW_HAVE_ZLIB) && !defined(LW_HAVE_ZSTD)
    (void)in, (void)limit, (void)out, (void)out_size, (void)used;
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
    growing block = { .limit = limit };
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
    if (status != LW_OK) {
        free(block.data);
        return status;
    }
    *out = block.data;
    *out_size = block.size;
    *used = taken;
#endif
    return LW_OK;
}

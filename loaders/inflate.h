/* SPDX-License-Identifier: MIT */
/* Decompression through zlib and libzstd, where this build has them. */
#ifndef LW_LOADERS_INFLATE_H
#define LW_LOADERS_INFLATE_H

#include "loaders/bytes.h"

typedef enum lw_method {
    LW_METHOD_ZLIB = 0, /* the numbers of the compressed offload bundle */
    LW_METHOD_ZSTD = 1,
} lw_method;

/*
 * Decompresses the one stream at the start of `in` into a malloc'd block of exactly `declared` bytes; any
 * other size is LW_E_FORMAT. The block grows with the data, so a false declared size costs nothing. `used` is
 * how many bytes of `in` the stream took.
 */
lw_status lw_inflate(lw_method method, lw_bytes in, uint64_t declared, uint8_t **out, size_t *used,
                     lw_error *error);

#endif

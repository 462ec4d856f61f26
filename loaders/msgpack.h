/* SPDX-License-Identifier: MIT */
/*
 * A reader of MessagePack (the public specification, msgpack.org), as far as AMDGPU metadata needs it: maps,
 * arrays, strings, integers, booleans. Everything else can be skipped. It does not recurse, so deeply nested
 * input is harmless. Once a call has failed, all further calls fail.
 */
#ifndef LW_LOADERS_MSGPACK_H
#define LW_LOADERS_MSGPACK_H

#include "loaders/bytes.h"

typedef struct lw_msgpack {
    lw_bytes rest;
    bool failed;
} lw_msgpack;

/* Each consumes one value of its kind, or fails. Counts never exceed the bytes that are left. */
bool lw_msgpack_map(lw_msgpack *in, uint32_t *pairs);
bool lw_msgpack_array(lw_msgpack *in, uint32_t *count);
bool lw_msgpack_text(lw_msgpack *in, lw_bytes *text);
bool lw_msgpack_uint(lw_msgpack *in, uint64_t *value); /* negative integers fail */
bool lw_msgpack_bool(lw_msgpack *in, bool *value);     /* integers 0 and 1 count as booleans */
/* Consumes one value of any kind, whatever it contains. */
bool lw_msgpack_skip(lw_msgpack *in);

#endif

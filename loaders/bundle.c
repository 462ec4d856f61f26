/* SPDX-License-Identifier: MIT */
/* Offload bundles and offload binaries (clang documents "Offload Bundler" and "Offload Binary"). */
#include <inttypes.h>

#include "isa_tables/error.h"
#include "loaders/inflate.h"
#include "loaders/members.h"

enum {
    BUNDLE_MAGIC = 24, /* bytes of "__CLANG_OFFLOAD_BUNDLE__" */
    BUNDLE_HEAD = BUNDLE_MAGIC + 8,
    BUNDLE_ENTRY = 24,
    BINARY_HEAD = 32,
    BINARY_ENTRY = 40,
    BINARY_STRING = 16,
};

static lw_status truncated(lw_error *error, const char *what)
{
    return lw_error_fail(error, LW_E_TRUNCATED, "%s reaches beyond the end of the file", what);
}

static lw_status read_bundle(lw_members *members, const char *container, lw_bytes in, size_t *used,
                             lw_error *error)
{
    lw_bytes head, fixed, id, image;
    if (!lw_slice(in, 0, BUNDLE_HEAD, &head))
        return truncated(error, "the header of an offload bundle");
    const uint64_t count = lw_le64(head.data + BUNDLE_MAGIC);
    uint64_t at = BUNDLE_HEAD, end = BUNDLE_HEAD;

    for (uint64_t i = 0; i < count; i++) {
        if (!lw_slice(in, at, BUNDLE_ENTRY, &fixed) ||
            !lw_slice(in, at + BUNDLE_ENTRY, lw_le64(fixed.data + 16), &id))
            return truncated(error, "the table of an offload bundle");
        at += BUNDLE_ENTRY + id.size;
        const uint64_t offset = lw_le64(fixed.data), size = lw_le64(fixed.data + 8);
        if (!lw_slice(in, offset, size, &image))
            return lw_error_fail(error, LW_E_TRUNCATED,
                                 "offload bundle entry '%.*s' (%" PRIu64 " bytes at offset %" PRIu64
                                 ") reaches beyond the end of the file (%zu bytes)",
                                 id.size > 64 ? 64 : (int)id.size, (const char *)id.data, size, offset,
                                 in.size);
        if (offset + size > end)
            end = offset + size;
        const lw_status status = lw_members_add(members, container, id, image, error);
        if (status != LW_OK)
            return status;
    }
    *used = (size_t)(at > end ? at : end);
    return LW_OK;
}

lw_status lw_bundle_read(lw_members *members, lw_bytes in, size_t *used, lw_error *error)
{
    return read_bundle(members, "offload bundle", in, used, error);
}

/*
 * "CCOB", u16 version, u16 method; then version 1: u32 size inflated; version 2: u32 file size, u32 size
 * inflated; version 3: u64 file size, u64 size inflated; then u64 hash (not checked) and the stream.
 */
static lw_status read_compressed_head(lw_bytes in, lw_bytes *stream, uint64_t *inflated, bool *sized,
                                      lw_error *error)
{
    static const uint8_t head_sizes[4] = { 0, 20, 24, 32 };
    lw_bytes head;
    if (!lw_slice(in, 0, 8, &head))
        return truncated(error, "the header of a compressed offload bundle");
    const unsigned version = lw_le16(head.data + 4);
    if (version < 1 || version > 3)
        return lw_error_fail(error, LW_E_UNSUPPORTED,
                             "a compressed offload bundle of version %u; versions 1 to 3 are read", version);
    if (!lw_slice(in, 0, head_sizes[version], &head))
        return truncated(error, "the header of a compressed offload bundle");

    uint64_t total = in.size;
    if (version == 1)
        *inflated = lw_le32(head.data + 8);
    if (version == 2)
        total = lw_le32(head.data + 8), *inflated = lw_le32(head.data + 12);
    if (version == 3)
        total = lw_le64(head.data + 8), *inflated = lw_le64(head.data + 16);
    if (total < head.size)
        return lw_error_fail(error, LW_E_FORMAT,
                             "a compressed offload bundle that says it has %" PRIu64 " bytes", total);
    if (!lw_slice(in, head.size, total - head.size, stream))
        return lw_error_fail(error, LW_E_TRUNCATED,
                             "a compressed offload bundle of %" PRIu64 " bytes reaches beyond the end of the "
                             "file (%zu bytes)",
                             total, in.size);
    *sized = version > 1;
    return LW_OK;
}

/* Refuses a declared size that exceeds what the bundles of this file may still inflate to. */
static lw_status check_declared(const lw_members *members, uint64_t declared, lw_error *error)
{
    const uint64_t most = (uint64_t)LW_MAX_DECOMPRESSED_MIB << 20;
    if (declared > most - members->inflated)
        return lw_error_fail(error, LW_E_UNSUPPORTED,
                             "a compressed offload bundle says that %" PRIu64
                             " bytes come out; %d MiB is the limit for all of a file",
                             declared, (int)LW_MAX_DECOMPRESSED_MIB);
    if (declared > members->limit || members->inflated > members->limit - declared)
        return lw_error_fail(error, LW_E_NO_MEMORY,
                             "a compressed offload bundle says that %" PRIu64
                             " bytes come out, which exceeds the memory limit of %" PRIu64 " bytes",
                             declared, members->limit);
    return LW_OK;
}

static lw_status inflate_bundle(lw_members *members, unsigned method, lw_bytes stream, uint64_t declared,
                                size_t *used, lw_bytes *bundle, lw_error *error)
{
    uint8_t *block;
    if (method != LW_METHOD_ZLIB && method != LW_METHOD_ZSTD)
        return lw_error_fail(error, LW_E_UNSUPPORTED,
                             "compression method %u of an offload bundle; 0 (zlib) and 1 (zstd) are known",
                             method);
    lw_status status = check_declared(members, declared, error);
    if (status == LW_OK)
        status = lw_inflate((lw_method)method, stream, declared, &block, used, error);
    if (status == LW_OK)
        status = lw_members_keep(members, block, error);
    if (status != LW_OK)
        return status;
    members->inflated += declared;
    *bundle = (lw_bytes){ block, (size_t)declared };
    return LW_OK;
}

lw_status lw_compressed_bundle_read(lw_members *members, lw_bytes in, size_t *used, lw_error *error)
{
    lw_bytes stream = { 0 }, bundle = { 0 };
    uint64_t expected = 0;
    size_t stream_used = 0, bundle_used = 0;
    bool sized = false;
    lw_status status = read_compressed_head(in, &stream, &expected, &sized, error);
    if (status != LW_OK)
        return status;
    status = inflate_bundle(members, lw_le16(in.data + 6), stream, expected, &stream_used, &bundle, error);
    if (status != LW_OK)
        return status;
    if (!lw_starts_with(bundle, "__CLANG_OFFLOAD_BUNDLE__", BUNDLE_MAGIC))
        return lw_error_fail(error, LW_E_FORMAT,
                             "a compressed offload bundle does not contain an offload bundle");
    status = read_bundle(members, "compressed offload bundle", bundle, &bundle_used, error);
    if (status != LW_OK)
        return status;
    *used = (size_t)(stream.data - in.data) + (sized ? stream.size : stream_used);
    return LW_OK;
}

/* A NUL-terminated string of the binary, without its NUL. */
static bool binary_string(lw_bytes binary, uint64_t offset, lw_bytes *text)
{
    lw_bytes rest;
    if (offset > binary.size || !lw_slice(binary, offset, binary.size - offset, &rest))
        return false;
    const uint8_t *end = rest.size ? memchr(rest.data, 0, rest.size) : NULL;
    return end && lw_slice(rest, 0, (uint64_t)(end - rest.data), text);
}

/* The entry's "arch" value becomes its id. */
static lw_status binary_id(lw_bytes binary, uint64_t offset, uint64_t count, lw_bytes *id, lw_error *error)
{
    lw_bytes table, key, value;
    if (count > binary.size / BINARY_STRING || !lw_slice(binary, offset, count * BINARY_STRING, &table))
        return truncated(error, "the string table of an offload binary");
    for (uint64_t i = 0; i < count; i++) {
        const uint8_t *pair = table.data + i * BINARY_STRING;
        if (!binary_string(binary, lw_le64(pair), &key) || !binary_string(binary, lw_le64(pair + 8), &value))
            return truncated(error, "a string of an offload binary");
        if (key.size == 4 && memcmp(key.data, "arch", 4) == 0)
            *id = value;
    }
    return LW_OK;
}

/*
 * u32 magic, u32 version, u64 size, u64 entry offset, u64 entry size. Entry: u16 image kind, u16 offload
 * kind, u32 flags, u64 string table, u64 strings, u64 image offset, u64 image size.
 */
lw_status lw_offload_binary_read(lw_members *members, lw_bytes in, size_t *used, lw_error *error)
{
    lw_bytes head, binary, entry, image;
    if (!lw_slice(in, 0, BINARY_HEAD, &head))
        return truncated(error, "the header of an offload binary");
    const uint32_t version = lw_le32(head.data + 4);
    if (version != 1)
        return lw_error_fail(error, LW_E_UNSUPPORTED,
                             "an offload binary of version %" PRIu32 "; version 1 is read", version);
    const uint64_t size = lw_le64(head.data + 8);
    if (size < BINARY_HEAD || !lw_slice(in, 0, size, &binary))
        return lw_error_fail(error, LW_E_TRUNCATED,
                             "an offload binary of %" PRIu64 " bytes reaches beyond the end of the file (%zu "
                             "bytes)",
                             size, in.size);
    if (!lw_slice(binary, lw_le64(head.data + 16), BINARY_ENTRY, &entry))
        return truncated(error, "the entry of an offload binary");
    if (!lw_slice(binary, lw_le64(entry.data + 24), lw_le64(entry.data + 32), &image))
        return truncated(error, "the image of an offload binary");

    lw_bytes id = { in.data, 0 };
    lw_status status = binary_id(binary, lw_le64(entry.data + 8), lw_le64(entry.data + 16), &id, error);
    if (status != LW_OK)
        return status;
    status = lw_members_add(members, "offload binary", id, image, error);
    if (status != LW_OK)
        return status;
    *used = binary.size;
    return LW_OK;
}

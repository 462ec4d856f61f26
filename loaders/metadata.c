/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>

#include "isa_tables/error.h"
#include "loaders/metadata.h"
#include "loaders/msgpack.h"

/* ---- A map's known keys, by table ---- */

typedef enum field_kind {
    FIELD_TEXT,  /* const char * */
    FIELD_U32,   /* uint32_t */
    FIELD_U32X3, /* uint32_t[3] */
    FIELD_BOOL,  /* bool */
    FIELD_LATER, /* lw_msgpack at the value, which is skipped for now */
} field_kind;

typedef struct field {
    const char *key;
    field_kind kind;
    size_t offset;
} field;

typedef struct reader {
    lw_arena *arena;
    lw_error *error;
    const char *what; /* "the metadata", "kernel 'x'" */
} reader;

static lw_status bad(const reader *r, const char *key, const char *why)
{
    return lw_error_fail(r->error, LW_E_FORMAT, "metadata of %.200s: '%.64s' %s", r->what, key, why);
}

static lw_status read_text(const reader *r, lw_msgpack *in, const field *f, const char **out)
{
    lw_bytes text;
    if (!lw_msgpack_text(in, &text))
        return bad(r, f->key, "is not a text");
    if (text.size && memchr(text.data, 0, text.size))
        return bad(r, f->key, "contains a NUL byte");
    *out = lw_arena_text(r->arena, text.data, text.size);
    return *out ? LW_OK : lw_no_memory(r->error);
}

static lw_status read_u32(const reader *r, lw_msgpack *in, const field *f, uint32_t *out)
{
    uint64_t value;
    if (!lw_msgpack_uint(in, &value) || value > UINT32_MAX)
        return bad(r, f->key, "is not a number from 0 to 4294967295");
    *out = (uint32_t)value;
    return LW_OK;
}

static lw_status read_u32x3(const reader *r, lw_msgpack *in, const field *f, uint32_t *out)
{
    uint32_t count;
    if (!lw_msgpack_array(in, &count) || count != 3)
        return bad(r, f->key, "is not a sequence of three numbers");
    for (int i = 0; i < 3; i++) {
        const lw_status status = read_u32(r, in, f, &out[i]);
        if (status != LW_OK)
            return status;
    }
    return LW_OK;
}

static lw_status read_value(const reader *r, lw_msgpack *in, const field *f, void *target)
{
    void *out = (uint8_t *)target + f->offset;
    switch (f->kind) {
    case FIELD_TEXT:
        return read_text(r, in, f, out);
    case FIELD_U32:
        return read_u32(r, in, f, out);
    case FIELD_U32X3:
        return read_u32x3(r, in, f, out);
    case FIELD_BOOL:
        return lw_msgpack_bool(in, out) ? LW_OK : bad(r, f->key, "is neither true nor false");
    case FIELD_LATER:
        *(lw_msgpack *)out = *in;
        return lw_msgpack_skip(in) ? LW_OK : bad(r, f->key, "is damaged");
    }
    return LW_OK;
}

static lw_status read_map(const reader *r, lw_msgpack *in, const field *fields, size_t count, void *target)
{
    uint32_t pairs;
    if (!lw_msgpack_map(in, &pairs))
        return lw_error_fail(r->error, LW_E_FORMAT, "metadata of %.200s: not a map", r->what);
    for (uint32_t p = 0; p < pairs; p++) {
        lw_bytes key;
        size_t f = 0;
        if (!lw_msgpack_text(in, &key))
            return lw_error_fail(r->error, LW_E_FORMAT, "metadata of %.200s: a key is not a text", r->what);
        while (f < count && (strlen(fields[f].key) != key.size || memcmp(fields[f].key, key.data, key.size)))
            f++;
        if (f == count && !lw_msgpack_skip(in))
            return lw_error_fail(r->error, LW_E_FORMAT, "metadata of %.200s: a value is damaged", r->what);
        const lw_status status = f < count ? read_value(r, in, &fields[f], target) : LW_OK;
        if (status != LW_OK)
            return status;
    }
    return LW_OK;
}

/* ---- Arguments ---- */

typedef struct raw_arg {
    lw_arg_info info;
    const char *actual_access;
} raw_arg;

static const field arg_fields[] = {
    { ".name", FIELD_TEXT, offsetof(raw_arg, info.name) },
    { ".type_name", FIELD_TEXT, offsetof(raw_arg, info.type_name) },
    { ".value_kind", FIELD_TEXT, offsetof(raw_arg, info.value_kind) },
    { ".address_space", FIELD_TEXT, offsetof(raw_arg, info.address_space) },
    { ".offset", FIELD_U32, offsetof(raw_arg, info.offset) },
    { ".size", FIELD_U32, offsetof(raw_arg, info.size) },
    { ".pointee_align", FIELD_U32, offsetof(raw_arg, info.pointee_align) },
    { ".is_const", FIELD_BOOL, offsetof(raw_arg, info.is_const) },
    { ".actual_access", FIELD_TEXT, offsetof(raw_arg, actual_access) },
};

static lw_arg_kind arg_kind(const lw_arg_info *arg)
{
    if (strcmp(arg->value_kind, "by_value") == 0)
        return strcmp(arg->name, "pad") == 0 ? LW_ARG_PADDING : LW_ARG_VALUE;
    if (strcmp(arg->value_kind, "global_buffer") == 0)
        return LW_ARG_BUFFER;
    if (strcmp(arg->value_kind, "dynamic_shared_pointer") == 0)
        return LW_ARG_LDS;
    return strncmp(arg->value_kind, "hidden_", 7) == 0 ? LW_ARG_HIDDEN : LW_ARG_OTHER;
}

static bool is_explicit(lw_arg_kind kind)
{
    return kind == LW_ARG_VALUE || kind == LW_ARG_BUFFER || kind == LW_ARG_OTHER;
}

/* Padding past the end of the segment is not an argument to pass. */
static lw_status warn_of_padding(const reader *r, const lw_arg_info *arg, lw_kernel_info *info)
{
    char text[256];
    const int length = snprintf(text, sizeof(text),
                                "argument 'pad' (%" PRIu32 " bytes at offset %" PRIu32
                                ") lies outside the %" PRIu32 " bytes of the kernarg segment; it is left out",
                                arg->size, arg->offset, info->kernarg_size);
    info->warning = lw_arena_text(r->arena, text, (size_t)length);
    return info->warning ? LW_OK : lw_no_memory(r->error);
}

/* *out has the kind LW_ARG_PADDING and a size of 0 if there is nothing to pass. */
static lw_status read_arg(const reader *r, lw_msgpack *in, lw_kernel_info *info, lw_arg_info *out)
{
    raw_arg raw = { .info = { .name = "", .type_name = "", .value_kind = "", .address_space = "" },
                    .actual_access = "" };
    const lw_status status = read_map(r, in, arg_fields, sizeof(arg_fields) / sizeof(arg_fields[0]), &raw);
    if (status != LW_OK)
        return status;
    const uint32_t kernarg_size = info->kernarg_size;
    lw_arg_info *arg = &raw.info;
    const bool align_ok = (arg->pointee_align & (arg->pointee_align - 1)) == 0;
    arg->kind = arg_kind(arg);
    const bool outside = arg->offset > kernarg_size || arg->size > kernarg_size - arg->offset;
    if (outside && arg->kind == LW_ARG_PADDING) {
        *out = (lw_arg_info){ .kind = LW_ARG_PADDING };
        return warn_of_padding(r, arg, info);
    }
    if (outside)
        return lw_error_fail(r->error, LW_E_FORMAT,
                             "metadata of %.200s: argument '%.64s' (%" PRIu32 " bytes at offset %" PRIu32
                             ") lies outside the %" PRIu32 " bytes of its kernarg segment",
                             r->what, arg->name, arg->size, arg->offset, kernarg_size);
    if (!align_ok)
        return bad(r, ".pointee_align", "is not a power of two");
    arg->is_const = arg->is_const || strcmp(raw.actual_access, "read_only") == 0;
    *out = *arg;
    return LW_OK;
}

/* Moves the caller's arguments to the front; both groups keep their order. */
static lw_status order_args(const reader *r, lw_kernel_info *info, const lw_arg_info *args, uint32_t count)
{
    lw_arg_info *ordered = lw_arena_alloc(r->arena, count, sizeof(*ordered));
    size_t next = 0;
    if (!ordered)
        return lw_no_memory(r->error);
    for (uint32_t i = 0; i < count; i++)
        if (is_explicit(args[i].kind))
            ordered[next++] = args[i];
    info->explicit_count = next;
    for (uint32_t i = 0; i < count; i++)
        if (!is_explicit(args[i].kind))
            ordered[next++] = args[i];
    info->args = ordered;
    info->arg_count = count;
    return LW_OK;
}

static lw_status read_args(const reader *r, lw_msgpack *in, lw_kernel_info *info)
{
    enum { LEAST_ARG = 30 }; /* size of a map with .offset, .size and .value_kind */
    uint32_t count;
    if (!lw_msgpack_array(in, &count) || count > in->rest.size / LEAST_ARG)
        return bad(r, ".args", "is not a sequence of arguments");
    lw_arg_info *args = lw_arena_alloc(r->arena, count, sizeof(*args));
    if (!args)
        return lw_no_memory(r->error);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        const lw_status status = read_arg(r, in, info, &args[kept]);
        if (status != LW_OK)
            return status;
        kept += args[kept].kind != LW_ARG_PADDING || args[kept].size;
    }
    return order_args(r, info, args, kept);
}

/* ---- Kernels ---- */

typedef struct raw_kernel {
    lw_kernel_info info;
    const char *symbol;
    lw_msgpack args;
} raw_kernel;

static const field kernel_fields[] = {
    { ".name", FIELD_TEXT, offsetof(raw_kernel, info.name) },
    { ".symbol", FIELD_TEXT, offsetof(raw_kernel, symbol) },
    { ".args", FIELD_LATER, offsetof(raw_kernel, args) },
    { ".kernarg_segment_size", FIELD_U32, offsetof(raw_kernel, info.kernarg_size) },
    { ".kernarg_segment_align", FIELD_U32, offsetof(raw_kernel, info.kernarg_align) },
    { ".group_segment_fixed_size", FIELD_U32, offsetof(raw_kernel, info.lds_size) },
    { ".private_segment_fixed_size", FIELD_U32, offsetof(raw_kernel, info.private_size) },
    { ".wavefront_size", FIELD_U32, offsetof(raw_kernel, info.wavefront_size) },
    { ".max_flat_workgroup_size", FIELD_U32, offsetof(raw_kernel, info.max_workgroup_size) },
    { ".reqd_workgroup_size", FIELD_U32X3, offsetof(raw_kernel, info.required_workgroup) },
    { ".max_num_work_groups_x", FIELD_U32, offsetof(raw_kernel, info.max_workgroups[0]) },
    { ".max_num_work_groups_y", FIELD_U32, offsetof(raw_kernel, info.max_workgroups[1]) },
    { ".max_num_work_groups_z", FIELD_U32, offsetof(raw_kernel, info.max_workgroups[2]) },
    { ".cluster_dims", FIELD_U32X3, offsetof(raw_kernel, info.cluster) },
    { ".uses_dynamic_stack", FIELD_BOOL, offsetof(raw_kernel, info.dynamic_stack) },
    { ".uniform_work_group_size", FIELD_BOOL, offsetof(raw_kernel, info.uniform_workgroup) },
};

static lw_status read_kernel(reader *r, lw_msgpack *in, lw_kernel_info *info, const char **symbol)
{
    raw_kernel raw = { .info = { .name = "", .has_metadata = true }, .symbol = "" };
    r->what = "a kernel";
    lw_status status = read_map(r, in, kernel_fields, sizeof(kernel_fields) / sizeof(kernel_fields[0]), &raw);
    if (status != LW_OK)
        return status;
    r->what = raw.info.name;
    if (!*raw.info.name || !*raw.symbol)
        return bad(r, *raw.info.name ? ".symbol" : ".name", "is missing");
    if (raw.info.kernarg_align & (raw.info.kernarg_align - 1))
        return bad(r, ".kernarg_segment_align", "is not a power of two");
    if (raw.args.rest.data && (status = read_args(r, &raw.args, &raw.info)) != LW_OK)
        return status;
    *info = raw.info;
    *symbol = raw.symbol;
    return LW_OK;
}

typedef struct raw_top {
    const char *target;
    lw_msgpack kernels;
} raw_top;

static const field top_fields[] = {
    { "amdhsa.target", FIELD_TEXT, offsetof(raw_top, target) },
    { "amdhsa.kernels", FIELD_LATER, offsetof(raw_top, kernels) },
};

lw_status lw_metadata_read(lw_arena *arena, lw_bytes note, lw_metadata *metadata, lw_error *error)
{
    enum { LEAST_KERNEL = 14 }; /* size of a map with .name and .symbol */
    reader r = { arena, error, "the code object" };
    raw_top top = { .target = NULL };
    lw_msgpack in = { .rest = note };
    lw_status status = read_map(&r, &in, top_fields, sizeof(top_fields) / sizeof(top_fields[0]), &top);
    if (status != LW_OK)
        return status;

    lw_metadata m = { .target = top.target };
    uint32_t count = 0;
    if (top.kernels.rest.data &&
        (!lw_msgpack_array(&top.kernels, &count) || count > top.kernels.rest.size / LEAST_KERNEL))
        return bad(&r, "amdhsa.kernels", "is not a sequence of kernels");
    m.kernels = lw_arena_alloc(arena, count, sizeof(*m.kernels));
    m.symbols = lw_arena_alloc(arena, count, sizeof(*m.symbols));
    if (!m.kernels || !m.symbols)
        return lw_no_memory(error);
    for (; m.count < count; m.count++) {
        status = read_kernel(&r, &top.kernels, &m.kernels[m.count].info, &m.symbols[m.count]);
        if (status != LW_OK)
            return status;
    }
    *metadata = m;
    return LW_OK;
}

/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "isa_tables/error.h"
#include "loaders/bytes.h"
#include "loaders/kernarg.h"

enum { POINTER_SIZE = 8, MOST_GROUP = UINT16_MAX };

/* ---- Hidden arguments ---- */

typedef struct hidden {
    const char *value_kind;
    uint32_t size;
    uint64_t value;
} hidden;

static uint64_t full_groups(const lw_kernarg_launch *launch, int dim)
{
    return launch->items[dim] / launch->group[dim];
}

static uint64_t remainder_of(const lw_kernarg_launch *launch, int dim)
{
    return launch->items[dim] % launch->group[dim];
}

static unsigned dimensions(const lw_kernarg_launch *launch)
{
    if (launch->dims)
        return launch->dims;
    if (launch->items[2] > 1)
        return 3;
    return launch->items[1] > 1 ? 2 : 1;
}

/* LLVM AMDGPUUsage, "Kernel Argument Metadata", code objects V3 to V5: kinds, and what each is set to. */
static lw_status set_hidden(const lw_kernel_info *kernel, const lw_arg_info *arg, const lw_kernarg_launch *l,
                            uint8_t *out, lw_error *error)
{
    const hidden rows[] = {
        { "hidden_block_count_x", 4, full_groups(l, 0) },
        { "hidden_block_count_y", 4, full_groups(l, 1) },
        { "hidden_block_count_z", 4, full_groups(l, 2) },
        { "hidden_group_size_x", 2, l->group[0] },
        { "hidden_group_size_y", 2, l->group[1] },
        { "hidden_group_size_z", 2, l->group[2] },
        { "hidden_remainder_x", 2, remainder_of(l, 0) },
        { "hidden_remainder_y", 2, remainder_of(l, 1) },
        { "hidden_remainder_z", 2, remainder_of(l, 2) },
        { "hidden_global_offset_x", 8, l->global_offset[0] },
        { "hidden_global_offset_y", 8, l->global_offset[1] },
        { "hidden_global_offset_z", 8, l->global_offset[2] },
        { "hidden_grid_dims", 2, dimensions(l) },
        { "hidden_printf_buffer", 8, l->printf_buffer },
        { "hidden_hostcall_buffer", 8, l->hostcall_buffer },
        { "hidden_multigrid_sync_arg", 8, l->multigrid_sync },
        { "hidden_heap_v1", 8, l->heap },
        { "hidden_default_queue", 8, l->default_queue },
        { "hidden_completion_action", 8, l->completion_action },
        { "hidden_dynamic_lds_size", 4, l->dynamic_lds },
        { "hidden_private_base", 4, l->private_base >> 32 },
        { "hidden_shared_base", 4, l->shared_base >> 32 },
        { "hidden_queue_ptr", 8, l->queue },
    };
    if (strcmp(arg->value_kind, "hidden_none") == 0)
        return LW_OK;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (strcmp(arg->value_kind, rows[i].value_kind) != 0)
            continue;
        if (arg->size != rows[i].size)
            return lw_error_fail(error, LW_E_FORMAT,
                                 "kernel '%.100s': argument %s has %" PRIu32 " bytes; it must have %" PRIu32,
                                 kernel->name, arg->value_kind, arg->size, rows[i].size);
        lw_put_le(out, rows[i].value, rows[i].size);
        return LW_OK;
    }
    return lw_error_fail(error, LW_E_UNSUPPORTED,
                         "kernel '%.100s' wants '%.64s', which a launch here cannot set up", kernel->name,
                         arg->value_kind);
}

/* ---- The caller's values ---- */

/* "argument 2 'n' of kernel 'scale'" */
static void append_arg(const lw_kernel_info *kernel, size_t index, lw_error *error)
{
    const lw_arg_info *arg = &kernel->args[index];
    lw_error_append(error, "argument %zu", index);
    if (*arg->name)
        lw_error_append(error, " '%.64s'", arg->name);
    lw_error_append(error, " of kernel '%.100s'", kernel->name);
}

static lw_status check_value(const lw_kernel_info *kernel, size_t index, const lw_arg *value, lw_error *error)
{
    const lw_arg_info *arg = &kernel->args[index];
    const char *why = NULL;
    lw_status status = LW_E_ARGUMENT;
    if (arg->kind == LW_ARG_OTHER)
        status = LW_E_UNSUPPORTED, why = " is of a kind that a launch here cannot set up: ";
    else if (arg->kind == LW_ARG_BUFFER && !value->is_pointer)
        why = " is a buffer; a value was given: ";
    else if (arg->kind == LW_ARG_BUFFER && (arg->size != POINTER_SIZE || value->size != POINTER_SIZE))
        why = " is a buffer, but not of 8 bytes: ";
    else if (arg->kind == LW_ARG_VALUE && value->is_pointer && arg->size != POINTER_SIZE)
        why = " is passed by value; a buffer was given: ";
    else if (value->size != arg->size)
        why = " has another size than what was given: ";
    else if (!value->bytes && value->size)
        why = " was given as NULL bytes: ";
    if (!why)
        return LW_OK;
    lw_error_fail(error, status, "%s", "");
    append_arg(kernel, index, error);
    lw_error_append(error, "%sit is '%.64s' of %" PRIu32 " bytes, given %zu bytes", why, arg->value_kind,
                    arg->size, value->size);
    return status;
}

/* Finds an argument by its own name, or a hidden one by its kind in the metadata ("hidden_..."). */
static bool find_named(const lw_kernel_info *kernel, const char *name, size_t *index)
{
    for (size_t i = 0; i < kernel->arg_count; i++) {
        const lw_arg_info *arg = &kernel->args[i];
        const bool is_hidden = arg->kind == LW_ARG_HIDDEN && strcmp(arg->value_kind, "hidden_none") != 0;
        if (i >= kernel->explicit_count && !is_hidden)
            continue;
        if (*name && strcmp(is_hidden ? arg->value_kind : arg->name, name) == 0) {
            *index = i;
            return true;
        }
    }
    return false;
}

static lw_status bind_named(const lw_kernel_info *kernel, const lw_arg *values, size_t value_count,
                            const lw_arg **bound, lw_error *error)
{
    for (size_t v = 0; v < value_count; v++) {
        size_t index;
        if (!values[v].name)
            continue;
        if (!find_named(kernel, values[v].name, &index)) {
            lw_error_fail(error, LW_E_ARGUMENT, "kernel '%.100s' has no argument '%.64s'; it has",
                          kernel->name, values[v].name);
            for (size_t i = 0; i < kernel->explicit_count; i++)
                lw_error_append(error, "%s %.48s", i ? "," : "",
                                *kernel->args[i].name ? kernel->args[i].name : "(unnamed)");
            return LW_E_ARGUMENT;
        }
        if (bound[index])
            return lw_error_fail(error, LW_E_ARGUMENT, "argument '%.64s' of kernel '%.100s' is given twice",
                                 values[v].name, kernel->name);
        bound[index] = &values[v];
    }
    return LW_OK;
}

static lw_status bind(const lw_kernel_info *kernel, const lw_arg *values, size_t value_count,
                      const lw_arg **bound, lw_error *error)
{
    lw_status status = bind_named(kernel, values, value_count, bound, error);
    if (status != LW_OK)
        return status;
    size_t hidden_count = 0, index = 0;
    for (size_t i = kernel->explicit_count; i < kernel->arg_count; i++)
        hidden_count += bound[i] != NULL;
    if (value_count - hidden_count != kernel->explicit_count)
        return lw_error_fail(error, LW_E_ARGUMENT, "kernel '%.100s' takes %zu arguments; %zu are given",
                             kernel->name, kernel->explicit_count, value_count - hidden_count);
    for (size_t v = 0; v < value_count; v++) {
        if (values[v].name)
            continue;
        while (bound[index])
            index++;
        bound[index] = &values[v];
    }
    for (size_t i = 0; status == LW_OK && i < kernel->arg_count; i++)
        if (bound[i])
            status = check_value(kernel, i, bound[i], error);
    return status;
}

/* ---- The segment ---- */

uint32_t lw_kernarg_lds_start(const lw_kernel_info *kernel)
{
    uint64_t align = 1;
    for (size_t i = 0; i < kernel->arg_count; i++)
        if (kernel->args[i].kind == LW_ARG_LDS && kernel->args[i].pointee_align > align)
            align = kernel->args[i].pointee_align;
    const uint64_t start = (kernel->lds_size + align - 1) & ~(align - 1);
    return start > UINT32_MAX ? UINT32_MAX : (uint32_t)start;
}

static lw_status set_others(const lw_kernel_info *kernel, const lw_kernarg_launch *launch,
                            const lw_arg *const *bound, uint8_t *segment, lw_error *error)
{
    for (size_t i = kernel->explicit_count; i < kernel->arg_count; i++) {
        const lw_arg_info *arg = &kernel->args[i];
        uint8_t *out = segment + arg->offset;
        lw_status status = LW_OK;
        if (bound[i])
            continue;
        if (arg->kind == LW_ARG_HIDDEN)
            status = set_hidden(kernel, arg, launch, out, error);
        else if (arg->kind == LW_ARG_LDS && arg->size >= 4)
            lw_put_le(out, lw_kernarg_lds_start(kernel), 4);
        else if (arg->kind == LW_ARG_LDS)
            status = lw_error_fail(error, LW_E_FORMAT, "kernel '%.100s': an LDS pointer of %" PRIu32 " bytes",
                                   kernel->name, arg->size);
        if (status != LW_OK)
            return status;
    }
    return LW_OK;
}

static lw_status check_launch(const lw_kernarg_launch *launch, lw_error *error)
{
    static const char letters[] = "xyz";
    for (int d = 0; d < 3; d++) {
        if (launch->group[d] == 0 || launch->group[d] > MOST_GROUP)
            return lw_error_fail(error, LW_E_ARGUMENT, "workgroup size %c is %" PRIu32 "; it must be 1 to %d",
                                 letters[d], launch->group[d], (int)MOST_GROUP);
        if (launch->items[d] == 0)
            return lw_error_fail(error, LW_E_ARGUMENT, "grid size %c is 0 work-items; it must be at least 1",
                                 letters[d]);
    }
    if (launch->dims > 3)
        return lw_error_fail(error, LW_E_ARGUMENT, "a grid of %u dimensions; it must be 1 to 3",
                             launch->dims);
    return LW_OK;
}

lw_status lw_kernarg_build(const lw_kernel_info *kernel, const lw_arg *values, size_t value_count,
                           const lw_kernarg_launch *launch, void *segment, size_t size, lw_error *error)
{
    if (!kernel->has_metadata && (kernel->kernarg_size || value_count))
        return lw_error_fail(error, LW_E_UNSUPPORTED,
                             "kernel '%.100s' has no metadata that says what its arguments are: give its "
                             "argument block as it is",
                             kernel->name);
    if (size != kernel->kernarg_size)
        return lw_error_fail(error, LW_E_ARGUMENT,
                             "a kernarg segment of %zu bytes; kernel '%.100s' has %" PRIu32, size,
                             kernel->name, kernel->kernarg_size);
    lw_status status = check_launch(launch, error);
    if (status != LW_OK)
        return status;
    uint8_t *built = calloc(1, size + 1);
    const lw_arg **bound = calloc(kernel->arg_count + 1, sizeof(*bound));
    status = built && bound ? bind(kernel, values, value_count, bound, error) : lw_no_memory(error);
    if (status == LW_OK)
        status = set_others(kernel, launch, bound, built, error);
    for (size_t i = 0; status == LW_OK && i < kernel->arg_count; i++)
        if (bound[i] && bound[i]->size)
            memcpy(built + kernel->args[i].offset, bound[i]->bytes, bound[i]->size);
    if (status == LW_OK && size)
        memcpy(segment, built, size);
    free(built);
    free(bound);
    return status;
}

/* ---- The packet ---- */

void lw_aql_packet(const lw_kernarg_launch *launch, uint32_t private_size, uint32_t group_size,
                   uint64_t kernel_object, uint64_t kernarg_address, uint8_t packet[LW_AQL_PACKET_SIZE])
{
    /* Header: type 2 (kernel dispatch), acquire and release fences of system scope (2) in bits 10:9, 12:11.
     */
    const unsigned header = 2 | 2 << 9 | 2 << 11;
    memset(packet, 0, LW_AQL_PACKET_SIZE);
    lw_put_le(packet, header, 2);
    lw_put_le(packet + 2, dimensions(launch), 2);
    for (int d = 0; d < 3; d++) {
        lw_put_le(packet + 4 + 2 * d, launch->group[d], 2);
        lw_put_le(packet + 12 + 4 * d, launch->items[d], 4);
    }
    lw_put_le(packet + 24, private_size, 4);
    lw_put_le(packet + 28, group_size, 4);
    lw_put_le(packet + 32, kernel_object, 8);
    lw_put_le(packet + 40, kernarg_address, 8);
}

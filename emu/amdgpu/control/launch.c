/* SPDX-License-Identifier: MIT */
/* What a launch of a kernel needs: arguments, registers, placement in device memory. */
#include <stdlib.h>
#include <string.h>

#include "emu/amdgpu/control/machine.h"
#include "emu/amdgpu/control/setup.h"
#include "emu/amdgpu/vector/matrix_plan.h"
#include "isa_tables/amdgpu/traits.h"
#include "isa_tables/error.h"
#include "loaders/kernarg.h"

static lw_kernarg_launch kernarg_launch(const lw_session *s, const lw_launch_options *o)
{
    lw_kernarg_launch l = { .dynamic_lds = o->dynamic_lds,
                            .private_base = LW_APERTURE_PRIVATE,
                            .shared_base = LW_APERTURE_LDS };
    memcpy(l.items, s->items, sizeof(l.items));
    memcpy(l.group, s->block, sizeof(l.group));
    return l;
}

static lw_status build_arguments(uint8_t *kernarg, const lw_launch_options *o, const lw_kernel_info *info,
                                 const lw_kernarg_launch *l, lw_error *error)
{
    if (o->kernarg) {
        if (o->kernarg_size != info->kernarg_size)
            return lw_error_fail(error, LW_E_ARGUMENT, "kernel %s takes %u bytes of arguments, not %zu",
                                 info->name, info->kernarg_size, o->kernarg_size);
        memcpy(kernarg, o->kernarg, o->kernarg_size);
        return LW_OK;
    }
    return lw_kernarg_build(info, o->args, o->arg_count, l, kernarg, info->kernarg_size, error);
}

/* Runtimes allocate argument memory in cache lines; loads may be wider than the arguments. */
static uint64_t kernarg_room(const lw_kernel_info *info)
{
    return ((uint64_t)info->kernarg_size + 63) / 64 * 64 + 64;
}

/* The hidden argument that printf and assert use, if it is null. */
static const char *null_service(const lw_kernel_info *info, const uint8_t *kernarg)
{
    static const uint8_t null[8] = { 0 };
    for (size_t i = info->explicit_count; i < info->arg_count; i++) {
        const lw_arg_info *arg = &info->args[i];
        const bool service = strcmp(arg->value_kind, "hidden_hostcall_buffer") == 0 ||
                             strcmp(arg->value_kind, "hidden_printf_buffer") == 0;
        if (service && arg->size == sizeof(null) && memcmp(kernarg + arg->offset, null, sizeof(null)) == 0)
            return arg->value_kind;
    }
    return NULL;
}

static lw_status place_arguments(lw_session *s, const lw_launch_options *o, const lw_kernel *kernel,
                                 lw_error *error)
{
    lw_amd_launch *a = s->own;
    const lw_kernarg_launch l = kernarg_launch(s, o);
    const uint64_t room = kernarg_room(&kernel->info);
    uint64_t arguments, packet;
    a->kernarg = calloc(1, (size_t)room);
    if (!a->kernarg)
        return lw_error_fail(error, LW_E_NO_MEMORY, "no host memory for arguments");
    s->held = room;
    lw_status status = build_arguments(a->kernarg, o, &kernel->info, &l, error);
    if (status == LW_OK)
        status =
            lw_session_map(s, LW_ADDRESS_KERNARG, a->kernarg, room, "kernel arguments", &arguments, error);
    if (status == LW_OK)
        status = lw_session_map(s, LW_ADDRESS_PACKET, a->packet, sizeof(a->packet), "dispatch packet",
                                &packet, error);
    if (status != LW_OK)
        return status;
    lw_aql_packet(&l, s->scratch_size, s->lds_size, s->module->base + kernel->desc_offset, arguments,
                  a->packet);
    const lw_setup_addresses addresses = { arguments, packet };
    lw_setup_entry(s, kernel, &addresses);
    s->null_service = null_service(&kernel->info, a->kernarg);
    return LW_OK;
}

static lw_status prepare_kernel(lw_session *s, const lw_launch_options *o, lw_error *error)
{
    const lw_program *p = s->module->program;
    if (!p || o->kernel >= p->kernel_count)
        return lw_error_fail(error, LW_E_ARGUMENT, "the program has %zu kernels, there is no number %zu",
                             p ? p->kernel_count : 0, o->kernel);
    const lw_kernel *kernel = &p->kernels[o->kernel];
    s->kernel = kernel->info.name;
    s->lanes = lw_setup_lanes(kernel);
    lw_status status = lw_session_sizes(s, o, &kernel->info, LW_MAX_WORKGROUP, error);
    if (status == LW_OK && s->ranks > 1 && !lw_amdgpu_traits_of(s->arch)->clusters)
        return lw_error_fail(error, LW_E_UNSUPPORTED, "%s has no clusters of workgroups",
                             lw_arch_get(s->arch)->name);
    if (status == LW_OK)
        status = lw_setup_sizes(s, o, kernel, error);
    if (status == LW_OK)
        status = lw_setup_registers(s, kernel, error);
    return status == LW_OK ? place_arguments(s, o, kernel, error) : status;
}

lw_status lw_amd_prepare(lw_session *s, const lw_launch_options *o, lw_error *error)
{
    lw_amd_launch *a = calloc(1, sizeof(*a));
    if (!a)
        return lw_error_fail(error, LW_E_NO_MEMORY, "no host memory for a launch");
    s->own = a;
    lw_status status = lw_amd_readings(s, error);
    if (status == LW_OK)
        status = s->given.waves ? lw_setup_given(s, error) : prepare_kernel(s, o, error);
    if (status != LW_OK)
        return status;
    a->matrices = lw_matrix_set_of(s);
    if (!a->matrices)
        return lw_error_fail(error, LW_E_NO_MEMORY, "no host memory for a launch");
    const size_t rows = (size_t)(a->vgprs + a->agprs) * LW_LANES * sizeof(uint32_t);
    s->wave_bytes = lw_group_align(sizeof(lw_wave));
    s->area_bytes = lw_group_align(rows + (size_t)s->scratch_size * LW_LANES);
    return LW_OK;
}

void lw_amd_leave(lw_session *s)
{
    lw_amd_launch *a = s->own;
    if (a)
        free(a->kernarg);
    free(a);
}

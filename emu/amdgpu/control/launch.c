/* SPDX-License-Identifier: MIT */
/* Launching a kernel of a loaded program: sizes, arguments, placement in device memory. */
#include <stdlib.h>
#include <string.h>

#include "emu/amdgpu/control/machine.h"
#include "emu/amdgpu/control/setup.h"
#include "emu/device/fpenv.h"
#include "isa_tables/error.h"
#include "loaders/kernarg.h"

lw_launch_options lw_launch_options_default(void)
{
    return (lw_launch_options){ .struct_size = sizeof(lw_launch_options),
                                .budget = LW_BUDGET_DEFAULT,
                                .poison = 0x7fc0dead };
}

/* What a launch maps into the caller's memory and takes away again. */
typedef struct placement {
    lw_memory *memory;
    uint64_t mapped[LW_MAX_PLACED];
    size_t count;
    uint8_t *image, *kernarg;
    uint8_t packet[LW_AQL_PACKET_SIZE];
} placement;

static lw_status place(placement *p, uint64_t base, uint8_t *host, uint64_t size, bool writable,
                       const char *name, lw_error *error)
{
    const lw_region region = {
        .base = base, .size = size, .host = host, .name = (char *)(uintptr_t)name, .writable = writable
    };
    if (!size)
        return LW_OK;
    if (p->count == LW_MAX_PLACED)
        return lw_error_fail(error, LW_E_UNSUPPORTED, "the program has more than %d segments",
                             LW_MAX_PLACED - 2);
    const lw_status status = lw_memory_map(p->memory, &region);
    if (status == LW_E_NO_MEMORY)
        return lw_error_fail(error, status, "no host memory to place \"%s\"", name);
    if (status != LW_OK)
        return lw_error_fail(error, status,
                             "\"%s\" cannot be placed at device address 0x%llx, which is taken", name,
                             (unsigned long long)base);
    p->mapped[p->count++] = base;
    return LW_OK;
}

static void displace(placement *p)
{
    for (size_t i = 0; i < p->count; i++)
        lw_memory_unmap(p->memory, p->mapped[i]);
    free(p->image);
    free(p->kernarg);
}

/* The program, relocated, segment by segment. Each launch gets a fresh copy. */
static lw_status place_program(placement *p, const lw_program *program, lw_machine *m, lw_error *error)
{
    p->image = malloc(program->image_size ? (size_t)program->image_size : 1);
    if (!p->image)
        return lw_error_fail(error, LW_E_NO_MEMORY, "no host memory for the program");
    lw_status status = lw_program_relocate(program, LW_ADDRESS_CODE, p->image, error);
    uint64_t low = UINT64_MAX, high = 0;
    for (size_t i = 0; i < program->segment_count && status == LW_OK; i++) {
        const lw_segment *s = &program->segments[i];
        status = place(p, LW_ADDRESS_CODE + s->offset, p->image + s->offset, s->size, s->writable,
                       s->executable ? "program code" : "program data", error);
        if (!s->executable)
            continue;
        low = s->offset < low ? s->offset : low;
        high = s->offset + s->size > high ? s->offset + s->size : high;
    }
    if (status == LW_OK && high <= low)
        return lw_error_fail(error, LW_E_FORMAT, "the program has no executable segment");
    m->code_base = LW_ADDRESS_CODE + low;
    m->code = p->image + low;
    m->code_size = high - low;
    return status;
}

static lw_kernarg_launch kernarg_launch(const lw_machine *m, const lw_launch_options *o)
{
    lw_kernarg_launch l = { .dynamic_lds = o->dynamic_lds,
                            .private_base = LW_APERTURE_PRIVATE,
                            .shared_base = LW_APERTURE_LDS };
    memcpy(l.items, m->items, sizeof(l.items));
    memcpy(l.group, m->block, sizeof(l.group));
    return l;
}

static lw_status build_arguments(placement *p, const lw_launch_options *o, const lw_kernel_info *info,
                                 const lw_kernarg_launch *l, lw_error *error)
{
    if (o->kernarg) {
        if (o->kernarg_size != info->kernarg_size)
            return lw_error_fail(error, LW_E_ARGUMENT, "kernel %s takes %u bytes of arguments, not %zu",
                                 info->name, info->kernarg_size, o->kernarg_size);
        memcpy(p->kernarg, o->kernarg, o->kernarg_size);
        return LW_OK;
    }
    return lw_kernarg_build(info, o->args, o->arg_count, l, p->kernarg, info->kernarg_size, error);
}

/* Runtimes hand out argument memory in cache lines; loads may be wider than the arguments. */
static uint64_t kernarg_room(const lw_kernel_info *info)
{
    return ((uint64_t)info->kernarg_size + 63) / 64 * 64 + 64;
}

/* The hidden argument through which the kernel would print or assert, where it is null. */
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

static lw_status place_arguments(placement *p, const lw_launch_options *o, const lw_kernel *kernel,
                                 const lw_machine *m, lw_error *error)
{
    const lw_kernarg_launch l = kernarg_launch(m, o);
    p->kernarg = calloc(1, (size_t)kernarg_room(&kernel->info));
    if (!p->kernarg)
        return lw_error_fail(error, LW_E_NO_MEMORY, "no host memory for arguments");
    lw_status status = build_arguments(p, o, &kernel->info, &l, error);
    if (status == LW_OK)
        status = place(p, LW_ADDRESS_KERNARG, p->kernarg, kernarg_room(&kernel->info), false,
                       "kernel arguments", error);
    lw_aql_packet(&l, m->scratch_size, m->lds_size, LW_ADDRESS_CODE + kernel->desc_offset, LW_ADDRESS_KERNARG,
                  p->packet);
    if (status == LW_OK)
        status = place(p, LW_ADDRESS_PACKET, p->packet, sizeof(p->packet), false, "dispatch packet", error);
    return status;
}

static lw_status check_options(const lw_launch_options *o, lw_error *error)
{
    if (!o || o->struct_size != sizeof(*o) || !o->program || !o->memory)
        return lw_error_fail(error, LW_E_ARGUMENT,
                             "a launch needs options of this version with a program and a memory");
    if (o->kernel >= o->program->kernel_count)
        return lw_error_fail(error, LW_E_ARGUMENT, "the program has %zu kernels, there is no number %zu",
                             o->program->kernel_count, o->kernel);
    if (!lw_arch_get(o->program->arch)->runs_kernels)
        return lw_error_fail(error, LW_E_UNSUPPORTED, "this version does not run kernels of %s",
                             lw_arch_get(o->program->arch)->name);
    return LW_OK;
}

/* May workgroups run in parallel? *why says why not, or why that is allowed. */
static bool may_be_parallel(const lw_machine *m, const lw_launch_options *o, const char **why)
{
    bool reachable_only = true;
    if (o->schedule == LW_SCHEDULE_RANDOM)
        *why = "a random order was asked for";
    else if (o->observer_count)
        *why = "observers watch the launch";
    else if (o->threads == 1)
        *why = "one thread was asked for";
    else if (o->memory->process != lw_memory_process() || o->program->process != lw_memory_process())
        *why = "the process was forked after the program was loaded";
    else if (m->groups[0] == 1 && m->groups[1] == 1 && m->groups[2] == 1)
        *why = "there is one workgroup";
    else if ((*why = lw_order_visible(m, &reachable_only)) == NULL) {
        *why = reachable_only
                   ? "no reachable instruction is made for workgroups that work together, and none met"
                   : "no instruction of the program is made for workgroups that work together, and "
                     "none met";
        return true;
    }
    return false;
}

static lw_status run(lw_machine *m, const lw_launch_options *o, lw_launch_result **result, lw_error *error)
{
    const char *why;
    lw_grid_job job = {
        .size = { m->groups[0], m->groups[1], m->groups[2] },
        .only = o->only,
        .only_count = o->only_count,
        .threads = o->threads,
        .schedule = o->schedule,
        .seed = o->seed,
        .progress = o->progress,
        .progress_context = o->progress_context,
    };
    job.parallel = may_be_parallel(m, o, &why);
    return lw_machine_run(m, &job, why, result, error);
}

static lw_status launch(const lw_launch_options *options, lw_launch_result **result, lw_error *error)
{
    lw_status status = check_options(options, error);
    if (status != LW_OK)
        return status;
    const lw_kernel *kernel = &options->program->kernels[options->kernel];
    lw_machine machine = { .arch = options->program->arch,
                           .kernel = kernel->info.name,
                           .program = options->program,
                           .memory = options->memory,
                           .poison = options->poison,
                           .readings = options->readings,
                           .reading_count = options->reading_count,
                           .schedule = options->schedule,
                           .seed = options->seed,
                           .async = options->async,
                           .async_seed = options->async_seed,
                           .budget = options->budget,
                           .time_limit = options->time_limit,
                           .observers = options->observers,
                           .observer_count = options->observer_count };
    status = lw_machine_options(&machine, error);
    if (status == LW_OK)
        status = lw_setup_sizes(&machine, options, kernel, error);
    if (status == LW_OK)
        status = lw_setup_registers(&machine, kernel, error);
    if (status != LW_OK)
        return status;

    placement p = { .memory = options->memory };
    status = place_program(&p, options->program, &machine, error);
    if (status == LW_OK)
        status = place_arguments(&p, options, kernel, &machine, error);
    if (status == LW_OK) {
        lw_setup_entry(&machine, kernel, p.kernarg);
        machine.held = 2 * options->program->image_size + kernarg_room(&kernel->info);
        machine.null_service = null_service(&kernel->info, p.kernarg);
        status = run(&machine, options, result, error);
    }
    displace(&p);
    return status;
}

lw_status lw_launch(const lw_launch_options *options, lw_launch_result **result, lw_error *error)
{
    const uint64_t host = lw_fpenv_enter();
    const lw_status status = launch(options, result, error);
    lw_fpenv_leave(host);
    return status;
}

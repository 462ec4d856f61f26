/* SPDX-License-Identifier: MIT */
/* Running raw machine code on waves whose registers the caller gives. */
#include <stdlib.h>

#include "emu/amdgpu/control/machine.h"
#include "emu/device/fpenv.h"
#include "isa_tables/error.h"

enum { MAX_LDS = 160 * 1024, MAX_RAW_WAVES = 1024, MAX_SCRATCH = 1 << 24 };

static lw_status check_waves(const lw_wave_state *waves, size_t count, lw_error *error)
{
    for (size_t i = 0; i < count; i++) {
        const lw_wave_state *s = &waves[i];
        if (s->vgprs > 256 || s->agprs > 256 || (s->vgprs && !s->vgpr) || (s->agprs && !s->agpr))
            return lw_error_fail(error, LW_E_ARGUMENT,
                                 "wave %zu: at most 256 vector and 256 accumulation registers, "
                                 "with memory for them",
                                 i);
        if (s->vgprs != waves[0].vgprs || s->agprs != waves[0].agprs)
            return lw_error_fail(error, LW_E_ARGUMENT, "wave %zu has other numbers of registers than wave 0",
                                 i);
    }
    return LW_OK;
}

static lw_status check_options(const lw_code_options *o, const lw_wave_state *waves, size_t count,
                               lw_error *error)
{
    if (!o || o->struct_size != sizeof(*o) || !waves)
        return lw_error_fail(error, LW_E_ARGUMENT, "running code needs options of this version and waves");
    const lw_arch_info *arch = lw_arch_get(o->arch);
    if (!arch)
        return lw_error_fail(error, LW_E_ARGUMENT, "running code needs an architecture");
    if (!arch->runs_kernels)
        return lw_error_fail(error, LW_E_UNSUPPORTED, "this version does not run machine code of %s",
                             arch->name);
    if (!o->code || !o->words || o->words > UINT32_MAX / 8)
        return lw_error_fail(error, LW_E_ARGUMENT, "there is no code to run");
    if (count == 0 || count > MAX_RAW_WAVES)
        return lw_error_fail(error, LW_E_ARGUMENT, "a workgroup has 1 to %d waves, not %zu", MAX_RAW_WAVES,
                             count);
    if (o->lds_size > MAX_LDS || (o->lds_size && !o->lds) || o->scratch > MAX_SCRATCH)
        return lw_error_fail(error, LW_E_ARGUMENT, "LDS or scratch is too large, or LDS has no memory");
    return check_waves(waves, count, error);
}

static lw_machine make_machine(const lw_code_options *o, lw_wave_state *waves, size_t count)
{
    return (lw_machine){
        .arch = o->arch,
        .kernel = "",
        .entry = LW_ADDRESS_CODE,
        .kernel_base = LW_ADDRESS_CODE,
        .code_base = LW_ADDRESS_CODE,
        .code = (const uint8_t *)o->code,
        .code_size = 4 * (uint64_t)o->words,
        .memory = o->memory,
        .block = { (uint32_t)(count * LW_LANES), 1, 1 },
        .items = { (uint32_t)(count * LW_LANES), 1, 1 },
        .groups = { 1, 1, 1 },
        .vgprs = waves[0].vgprs,
        .vgpr_limit = waves[0].vgprs,
        .agprs = waves[0].agprs,
        .lds_size = o->lds_size,
        .scratch_size = o->scratch,
        .raw = waves,
        .raw_count = count,
        .raw_lds = o->lds,
        .readings = o->readings,
        .reading_count = o->reading_count,
        .schedule = o->schedule,
        .seed = o->seed,
        .async = o->async,
        .async_seed = o->async_seed,
        .budget = o->budget,
        .time_limit = o->time_limit,
        .observers = o->observers,
        .observer_count = o->observer_count,
    };
}

static lw_status run_code(const lw_code_options *options, lw_wave_state *waves, size_t wave_count,
                          lw_launch_result **result, lw_error *error)
{
    lw_status status = check_options(options, waves, wave_count, error);
    if (status != LW_OK)
        return status;
    lw_machine machine = make_machine(options, waves, wave_count);
    status = lw_machine_options(&machine, error);
    if (status != LW_OK)
        return status;
    /* Scalar loads may read the code, as they may in a launch. */
    lw_memory empty = { .next = LW_ADDRESS_FIRST, .limit = lw_memory_limit_default() };
    lw_memory *memory = machine.memory ? machine.memory : &empty;
    const lw_region code = { .base = LW_ADDRESS_CODE,
                             .size = machine.code_size,
                             .host = (uint8_t *)(uintptr_t)options->code,
                             .name = (char *)(uintptr_t) "code" };
    machine.memory = memory;
    status = lw_memory_map(memory, &code);
    if (status != LW_OK)
        return lw_error_fail(error, status, "the code cannot be placed in device memory");
    lw_grid_job job = {
        .size = { 1, 1, 1 },
        .threads = 1,
        .schedule = options->schedule,
        .seed = options->seed,
    };
    status = lw_machine_run(&machine, &job, "raw code is one workgroup", result, error);
    lw_memory_unmap(memory, LW_ADDRESS_CODE);
    free(empty.regions);
    return status;
}

lw_status lw_code_run(const lw_code_options *options, lw_wave_state *waves, size_t wave_count,
                      lw_launch_result **result, lw_error *error)
{
    const uint64_t host = lw_fpenv_enter();
    const lw_status status = run_code(options, waves, wave_count, result, error);
    lw_fpenv_leave(host);
    return status;
}

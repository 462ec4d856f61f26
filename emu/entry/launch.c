/* SPDX-License-Identifier: MIT */
/* Launches: a module, a session on it, and running that session to its end. */
#include <stdlib.h>

#include "emu/device/fail.h"
#include "emu/device/fpenv.h"
#include "emu/device/session.h"
#include "isa_tables/options.h"

enum { MAX_RAW_WAVES = 1024, MAX_SCRATCH = 1 << 24 };

void lw_launch_options_init(lw_launch_options *options, size_t size)
{
    const lw_launch_options made = { .budget = LW_BUDGET_DEFAULT, .poison = 0x7fc0dead };
    lw_options_init(options, size, &made, sizeof(made));
}

static lw_status check_launch(const lw_launch_options *o, lw_error *error)
{
    if (!o->module && (!o->program || !o->memory))
        return lw_fail(error, LW_E_ARGUMENT, "a launch needs a module, or a program and a memory");
    if (o->module && ((o->program && o->program != lw_module_program(o->module)) ||
                      (o->memory && o->memory != lw_module_memory(o->module))))
        return lw_fail(error, LW_E_ARGUMENT,
                       "the launch's program or memory is not that of the module it names");
    return LW_OK;
}

static lw_status begin(const lw_launch_options *options, lw_session **session, lw_error *error)
{
    lw_module *own = NULL;
    lw_launch_options o = lw_launch_options_default();
    if (!lw_options_take(&o, options, sizeof(o), offsetof(lw_launch_options, module)) &&
        !lw_options_take(&o, options, sizeof(o), offsetof(lw_launch_options, print)) &&
        !lw_options_take(&o, options, sizeof(o), offsetof(lw_launch_options, cluster)) &&
        !lw_options_take(&o, options, sizeof(o), offsetof(lw_launch_options, footprint)))
        return lw_fail(error, LW_E_ARGUMENT, "a launch needs options, with the struct_size of some version");
    lw_status status = check_launch(&o, error);
    if (status == LW_OK && !o.module)
        status = lw_module_load(o.memory, o.program, &own, error);
    if (status != LW_OK)
        return status;
    status = lw_session_new(own ? own : o.module, &o, NULL, session, error);
    if (status == LW_OK)
        (*session)->owns_module = own != NULL;
    else
        lw_module_unload(own);
    return status;
}

lw_status lw_session_begin(const lw_launch_options *options, lw_session **session, lw_error *error)
{
    if (!session)
        return lw_fail(error, LW_E_ARGUMENT, "a session needs a place for its handle");
    return begin(options, session, error);
}

lw_status lw_launch(const lw_launch_options *options, lw_launch_result **result, lw_error *error)
{
    lw_session *session;
    const lw_status status = begin(options, &session, error);
    return status == LW_OK ? lw_session_finish(session, result, error) : status;
}

/* ---- Raw machine code ---- */

static lw_status check_code(const lw_code_options *o, const lw_wave_state *waves, size_t count,
                            lw_error *error)
{
    if (!waves)
        return lw_fail(error, LW_E_ARGUMENT, "running code needs waves");
    if (!lw_arch_get(o->arch))
        return lw_fail(error, LW_E_ARGUMENT, "running code needs an architecture");
    if (count == 0 || count > MAX_RAW_WAVES)
        return lw_fail(error, LW_E_ARGUMENT, "a workgroup has 1 to %d waves, not %zu", MAX_RAW_WAVES, count);
    const char *arch = lw_arch_get(o->arch)->name;
    if (o->lds_size > lw_arch_lds_size(arch))
        return lw_fail(error, LW_E_ARGUMENT, "%u bytes of LDS; a workgroup of %s has at most %u", o->lds_size,
                       arch, lw_arch_lds_size(arch));
    if ((o->lds_size && !o->lds) || o->scratch > MAX_SCRATCH)
        return lw_fail(error, LW_E_ARGUMENT, "scratch is too large, or LDS has no memory");
    return LW_OK;
}

static lw_launch_options launch_of(const lw_code_options *o)
{
    return (lw_launch_options){ .struct_size = sizeof(lw_launch_options),
                                .threads = 1,
                                .readings = o->readings,
                                .reading_count = o->reading_count,
                                .schedule = o->schedule,
                                .seed = o->seed,
                                .async = o->async,
                                .async_seed = o->async_seed,
                                .budget = o->budget,
                                .time_limit = o->time_limit,
                                .observers = o->observers,
                                .observer_count = o->observer_count };
}

/* Without a memory of the caller's, makes one for the code alone. */
static lw_status place_code(const lw_code_options *o, lw_memory **own, lw_module **module, lw_error *error)
{
    *own = NULL;
    if (!o->memory && lw_memory_create(own) != LW_OK)
        return lw_fail(error, LW_E_NO_MEMORY, "no host memory to run code");
    const lw_status status =
        lw_module_load_code(o->memory ? o->memory : *own, o->arch, o->code, o->words, module, error);
    if (status != LW_OK)
        lw_memory_free(*own);
    return status;
}

lw_status lw_session_begin_code(const lw_code_options *code, lw_wave_state *waves, size_t wave_count,
                                lw_session **session, lw_error *error)
{
    lw_memory *own_memory;
    lw_module *module;
    lw_code_options taken = { .async = LW_ASYNC_LATE };
    const lw_code_options *o = &taken;
    if (!session)
        return lw_fail(error, LW_E_ARGUMENT, "a session needs a place for its handle");
    if (!lw_options_take(&taken, code, sizeof(taken), offsetof(lw_code_options, async)) &&
        !lw_options_take(&taken, code, sizeof(taken), offsetof(lw_code_options, lanes)))
        return lw_fail(error, LW_E_ARGUMENT,
                       "running code needs options, with the struct_size of some version");
    lw_status status = check_code(o, waves, wave_count, error);
    if (status == LW_OK)
        status = place_code(o, &own_memory, &module, error);
    if (status != LW_OK)
        return status;
    const lw_launch_options options = launch_of(o);
    const lw_given given = { waves, wave_count, o->lds, o->lds_size, o->scratch, o->lanes };
    status = lw_session_new(module, &options, &given, session, error);
    if (status == LW_OK) {
        (*session)->owns_module = true;
        (*session)->own_memory = own_memory;
    } else {
        lw_module_unload(module);
        lw_memory_free(own_memory);
    }
    return status;
}

lw_status lw_code_run(const lw_code_options *options, lw_wave_state *waves, size_t wave_count,
                      lw_launch_result **result, lw_error *error)
{
    lw_session *session;
    const lw_status status = lw_session_begin_code(options, waves, wave_count, &session, error);
    return status == LW_OK ? lw_session_finish(session, result, error) : status;
}

/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/device/checks.h"
#include "runtime/device/module.h"
#include "runtime/device/settings.h"

enum { MOST_THREADS = 1024 };

/* A queued launch; arguments are those of the call. */
typedef struct launch_job {
    rt_function *function;
    lw_launch_options options;
    lw_arg *args;
    unsigned char *bytes; /* of the arguments, as in the kernel's segment */
} launch_job;

static void free_job(launch_job *j)
{
    free(j->args);
    free(j->bytes);
    free(j);
}

/* An argument block may end early; missing bytes are zero. */
static void copy_argument(const lw_arg_info *a, const rt_launch *launch, size_t index, unsigned char *to)
{
    if (launch->params) {
        memcpy(to, launch->params[index], a->size);
    } else if (a->offset < launch->block_size) {
        const size_t left = launch->block_size - a->offset;
        memcpy(to, (const unsigned char *)launch->block_of_args + a->offset, left < a->size ? left : a->size);
    }
}

static int take_arguments(const rt_launch *launch, launch_job *j)
{
    const lw_kernel_info *info = j->function->info;
    size_t bytes = 0;
    for (size_t i = 0; i < info->explicit_count; i++)
        bytes += info->args[i].size;
    if (info->explicit_count && !launch->params && !launch->block_of_args)
        return RT_INVALID_VALUE;
    j->args = calloc(info->explicit_count + 1, sizeof(*j->args));
    j->bytes = calloc(1, bytes + 1);
    if (!j->args || !j->bytes)
        return RT_OUT_OF_MEMORY;
    bytes = 0;
    for (size_t i = 0; i < info->explicit_count; i++) {
        const lw_arg_info *a = &info->args[i];
        copy_argument(a, launch, i, j->bytes + bytes);
        j->args[i] =
            (lw_arg){ .bytes = j->bytes + bytes, .size = a->size, .is_pointer = a->kind == LW_ARG_BUFFER };
        bytes += a->size;
    }
    j->options.args = j->args;
    j->options.arg_count = info->explicit_count;
    return RT_OK;
}

/* The mnemonic: PTX has its line before it, and perhaps a guard ("line 13: @%p1 ld.global.f32"). */
static bool begins(const char *text, const char *prefix)
{
    const char *line = strncmp(text, "line ", 5) == 0 ? strstr(text, ": ") : NULL;
    if (line)
        text = line + 2;
    if (*text == '@' && strchr(text, ' '))
        text = strchr(text, ' ') + 1;
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* The error that the program gets for a launch that failed. */
static int error_of(lw_status status, const lw_launch_result *result)
{
    static const char *const memory[] = { "global_",   "flat_",     "buffer_", "scratch_", "ds_",
                                          "s_load",    "s_buffer",  "s_store", "ld.",      "st.",
                                          "atom",      "red.",      "cp.",     "ldmatrix", "stmatrix",
                                          "wmma.load", "wmma.store" };
    if (status == LW_OK)
        return RT_OK;
    if (status == LW_E_NO_MEMORY)
        return RT_OUT_OF_MEMORY;
    if (status == LW_E_FAULT && result && strstr(result->fault.reason, "assert"))
        return RT_ASSERT;
    if (status == LW_E_FAULT && result && rt_is_nvidia() &&
        strstr(result->fault.reason, "which is not a multiple of"))
        return RT_MISALIGNED_ADDRESS;
    for (size_t i = 0; status == LW_E_FAULT && result && i < sizeof(memory) / sizeof(memory[0]); i++)
        if (begins(result->fault.instruction, memory[i]))
            return RT_ILLEGAL_ADDRESS;
    return RT_LAUNCH_FAILURE;
}

static int run(void *payload)
{
    launch_job *j = payload;
    lw_launch_result *result = NULL;
    lw_error error = { "" };
    rt_checks checks;
    if (rt_sticky() != RT_OK) {
        free_job(j);
        return rt_sticky();
    }
    (void)rt_memory_lock();
    lw_status status = rt_checks_begin(&checks);
    j->options.observers = checks.observers;
    j->options.observer_count = checks.count;
    if (status == LW_OK)
        status = lw_launch(&j->options, &result, &error);
    rt_memory_unlock();
    const int code = error_of(status, result);
    if (status != LW_OK)
        rt_say("%s", error.text[0] ? error.text : lw_status_text(status));
    if (code != RT_OK && code != RT_OUT_OF_MEMORY)
        rt_set_sticky(code);
    rt_checks_end(&checks, j->function->info->name);
    rt_report_launch(j->function->info->name, result, status, checks.errors, checks.findings);
    lw_launch_result_free(result);
    free_job(j);
    return code;
}

/* printf and assert of HIP need a host thread that serves the device, which does not exist here. */
static void say_what_is_missing(rt_function *function)
{
    const lw_kernel_info *info = function->info;
    for (size_t i = info->explicit_count; i < info->arg_count && !function->said; i++)
        if (strcmp(info->args[i].value_kind, "hidden_hostcall_buffer") == 0) {
            function->said = true;
            rt_say("kernel %.200s asks for a hostcall buffer (device printf, assert or malloc), which is not "
                   "served: "
                   "it gets a null pointer",
                   info->name);
        }
}

/* vprintf of PTX. */
static void print(void *context, const char *text, size_t size)
{
    (void)context;
    fwrite(text, 1, size, stdout);
}

int rt_function_launch(rt_function *function, rt_stream *stream, const rt_launch *launch)
{
    launch_job *j = calloc(1, sizeof(*j));
    if (!j)
        return RT_OUT_OF_MEMORY;
    j->function = function;
    j->options = lw_launch_options_default();
    j->options.module = function->module->loaded;
    j->options.kernel = function->kernel;
    j->options.dynamic_lds = launch->shared;
    j->options.print = print;
    j->options.readings = rt_readings(&j->options.reading_count);
    memcpy(j->options.grid, launch->grid, sizeof(launch->grid));
    memcpy(j->options.block, launch->block, sizeof(launch->block));
    int error = take_arguments(launch, j);
    if (error == RT_OK) {
        say_what_is_missing(function);
        error = rt_stream_push(stream, run, j, false);
    }
    if (error != RT_OK)
        free_job(j);
    return error;
}

static unsigned round_up(unsigned value, unsigned unit)
{
    return (value + unit - 1) / unit * unit;
}

/* Counts as ROCm/clr hipamd/src/hip_platform.cpp does: waves that registers allow, and workgroups that LDS
 * allows. */
int rt_occupancy(const rt_function *function, unsigned block, size_t dynamic, int *groups)
{
    const rt_product *p = rt_product_get();
    const lw_kernel_info *info = function->info;
    const bool wide = p->wave == 64, amd = p->gcn_name[0];
    const unsigned simds = 4, most_waves = amd && !wide ? 16 : (unsigned)(p->unit_threads / p->wave) / simds;
    const unsigned file = wide || !amd ? 512 : 1536, granule = wide || !amd ? 8 : 24;
    if (!block)
        return RT_INVALID_VALUE;
    *groups = 0;
    if (block > MOST_THREADS)
        return RT_OK;
    const unsigned registers = round_up(info->vgprs + info->agprs ? info->vgprs + info->agprs : 1, granule);
    const unsigned waves = file / registers < most_waves ? file / registers : most_waves;
    const unsigned threads = waves * simds * (unsigned)p->wave;
    const size_t lds = info->lds_size + dynamic;
    const size_t by_lds = lds ? (size_t)p->shared_unit_kib * 1024 / lds : SIZE_MAX;
    const size_t by_waves = threads / round_up(block, (unsigned)p->wave);
    const size_t most = by_waves < by_lds ? by_waves : by_lds;
    *groups = most < (size_t)p->unit_groups ? (int)most : p->unit_groups;
    return RT_OK;
}

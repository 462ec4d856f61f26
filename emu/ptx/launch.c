/* SPDX-License-Identifier: MIT */
/* What a launch of a PTX kernel needs: arguments, sizes, shared and local memory. */
#include <stdlib.h>

#include "emu/mma/prepared.h"
#include "emu/ptx/warp.h"
#include "isa_tables/error.h"
#include "isa_tables/readings.h"
#include "loaders/kernarg.h"

enum { MOST_ROWS = 1 << 16 };

static lw_status read_arguments(lw_ptx_launch *l, const lw_launch_options *o, const lw_kernel_info *info,
                                lw_error *error)
{
    const lw_kernarg_launch none = { .items = { 1, 1, 1 }, .group = { 1, 1, 1 } };
    l->params = calloc(1, (size_t)info->kernarg_size + 1);
    if (!l->params)
        return lw_error_fail(error, LW_E_NO_MEMORY, "no host memory for arguments");
    if (!o->kernarg)
        return lw_kernarg_build(info, o->args, o->arg_count, &none, l->params, info->kernarg_size, error);
    if (o->kernarg_size != info->kernarg_size)
        return lw_error_fail(error, LW_E_ARGUMENT, "kernel %s takes %u bytes of arguments, not %zu",
                             info->name, info->kernarg_size, o->kernarg_size);
    if (o->kernarg_size)
        memcpy(l->params, o->kernarg, o->kernarg_size);
    return LW_OK;
}

/* Dynamic shared memory begins at the strictest alignment of any .extern array. */
static uint64_t shared_size(const lw_ptx_launch *l, uint32_t dynamic)
{
    uint64_t align = 16;
    for (size_t i = 0; i < l->module->variables.count; i++) {
        const lw_ptx_variable *v = lw_ptx_variable_at(l->module, i);
        if (v->space == LW_PTX_SPACE_SHARED && v->is_extern && v->align > align)
            align = v->align;
    }
    const uint64_t fixed = l->function->shared_size;
    return dynamic ? (fixed + align - 1) / align * align + dynamic : fixed;
}

/* What the block runs on: the module's own target, or the later one that it was loaded for. */
static const char *device_of(const lw_session *s, const lw_ptx_launch *l)
{
    lw_arch own;
    return lw_arch_find(l->module->target, &own) == LW_OK && own == s->arch ? l->module->target
                                                                            : lw_arch_get(s->arch)->name;
}

static lw_status set_memory(lw_session *s, const lw_ptx_launch *l, const lw_launch_options *o,
                            lw_error *error)
{
    const uint64_t shared = shared_size(l, o->dynamic_lds);
    const uint64_t frames = lw_ptx_frames(l->module, l->function);
    const uint64_t local = o->scratch > frames ? o->scratch : frames;
    const char *device = device_of(s, l);
    if (shared > lw_arch_lds_size(device))
        return lw_error_fail(
            error, LW_E_ARGUMENT,
            "%llu bytes of shared memory (%u of them the kernel's own); a block of %s has at most %u",
            (unsigned long long)shared, l->function->shared_size, device, lw_arch_lds_size(device));
    if (local > 512 * 1024 || l->rows > MOST_ROWS)
        return lw_error_fail(
            error, LW_E_UNSUPPORTED,
            "%llu bytes of local memory and %u registers of 32 bits; at most 524288 and %d are run",
            (unsigned long long)local, l->rows, MOST_ROWS);
    s->lds_size = (uint32_t)shared;
    s->scratch_size = (uint32_t)(local + 15) / 16 * 16;
    return LW_OK;
}

/*
 * What cooperative groups synchronise a grid with: compiled code takes %envreg1 and %envreg2 for the upper
 * and lower half of the address of { u32 size; u32 barrier }, and works on the second word with atomics and
 * loads (headers of CUDA 13). Every launch begins with zeros.
 */
static lw_status open_barrier(lw_module *m, lw_error *error)
{
    static const uint32_t workspace[2] = { sizeof(workspace), 0 };
    lw_ptx_placed *own = m->own;
    lw_status status = LW_OK;
    if (!own->has_barrier)
        return LW_OK;
    if (!own->barrier)
        status = lw_memory_allocate(m->memory, "the grid's barrier", sizeof(workspace), LW_ACCESS_READ_WRITE,
                                    &own->barrier, error);
    return status == LW_OK ? lw_memory_write(m->memory, own->barrier, workspace, sizeof(workspace)) : status;
}

/* The registers of the kernel, and of all functions if it calls any. */
static void take_frame(lw_ptx_launch *l, const lw_ptx_placed *own)
{
    l->stack_words = lw_ptx_stack_words(l->module, l->function);
    l->rows = l->stack_words ? own->all_rows : l->function->rows;
    l->predicates = l->stack_words ? own->all_predicates : l->function->predicates;
}

static lw_status prepare(lw_session *s, lw_ptx_launch *l, const lw_launch_options *o, lw_error *error)
{
    const lw_program *p = s->module->program;
    if (o->kernel >= p->kernel_count)
        return lw_error_fail(error, LW_E_ARGUMENT, "the program has %zu kernels, there is no number %zu",
                             p->kernel_count, o->kernel);
    const lw_kernel_info *info = &p->kernels[o->kernel].info;
    if (info->unsupported[0])
        return lw_error_fail(
            error, LW_E_UNSUPPORTED, "kernel %.100s needs what this version cannot run: %.800s%s", info->name,
            info->unsupported, strlen(info->unsupported) > 800 ? " ...; its list has all" : "");
    lw_status status = lw_readings_check((const char *const *)s->readings, s->reading_count, error);
    if (status != LW_OK)
        return status;
    l->module = p->ptx;
    l->function = lw_ptx_function_at(p->ptx, p->kernels[o->kernel].function);
    take_frame(l, s->module->own);
    l->dynamic_shared = o->dynamic_lds;
    l->in_clusters = info->cluster[0] || o->cluster[0] || o->cluster[1] || o->cluster[2];
    s->kernel = info->name;
    s->entry = s->kernel_base = s->module->base + l->function->insns.first;
    status = lw_session_sizes(s, o, info, LW_PTX_MOST_BLOCK, error);
    if (status == LW_OK)
        status = set_memory(s, l, o, error);
    return status == LW_OK ? read_arguments(l, o, info, error) : status;
}

lw_status lw_ptx_prepare(lw_session *s, const lw_launch_options *o, lw_error *error)
{
    lw_ptx_launch *l = calloc(1, sizeof(*l));
    if (!l)
        return lw_error_fail(error, LW_E_NO_MEMORY, "no host memory for a launch");
    s->own = l;
    s->lanes = LW_PTX_LANES;
    /* without a size, the block has the size that the kernel requires */
    lw_launch_options sized = *o;
    if (!o->block[0] && s->module->program && o->kernel < s->module->program->kernel_count)
        memcpy(sized.block, s->module->program->kernels[o->kernel].info.required_workgroup,
               sizeof(sized.block));
    lw_status status = prepare(s, l, &sized, error);
    if (status == LW_OK)
        status = lw_ptx_heap_open(s->module, error);
    if (status == LW_OK)
        status = open_barrier(s->module, error);
    if (status != LW_OK)
        return status;
    lw_ptx_placed *own = s->module->own;
    lw_lock_take(&s->module->code.lock);
    l->matrices = lw_mma_set_of(&own->sets, s->readings, s->reading_count, s->lanes);
    lw_lock_leave(&s->module->code.lock);
    if (!l->matrices)
        return lw_error_fail(error, LW_E_NO_MEMORY, "no host memory for a launch");
    l->owns = own->has_wgmma;
    const size_t words = lw_ptx_row_words(l);
    s->wave_bytes = lw_group_align(sizeof(lw_ptx_warp));
    s->area_bytes = lw_group_align(words * sizeof(uint32_t)) +
                    lw_group_align((size_t)l->stack_words * LW_PTX_LANES * sizeof(uint32_t)) +
                    lw_group_align((size_t)s->scratch_size * LW_PTX_LANES);
    return LW_OK;
}

void lw_ptx_leave(lw_session *s)
{
    lw_ptx_launch *l = s->own;
    if (l)
        free(l->params);
    free(l);
}

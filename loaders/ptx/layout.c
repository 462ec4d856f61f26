/* SPDX-License-Identifier: MIT */
/* Places of shared and local variables. */
#include "loaders/ptx/parse.h"

static uint64_t align_up(uint64_t at, uint32_t align)
{
    return (at + align - 1) / align * align;
}

static uint64_t place_one(lw_ptx_variable *v, uint64_t at)
{
    v->offset = align_up(at, v->align);
    return v->offset + v->size;
}

/* Places a function's variables of one space, one after the other, from `at` on; returns where the last
 * ends. */
static uint64_t place(lw_ptx_module *m, const lw_ptx_function *f, lw_ptx_space space, uint64_t at)
{
    for (uint32_t i = 0; i < f->variables.count; i++) {
        lw_ptx_variable *v = lw_ptx_variable_at(m, f->variables.first + i);
        if (v->space == space && !v->is_extern)
            at = place_one(v, at);
    }
    return at;
}

/* Variables outside functions come first, at the same place for all kernels; a kernel's own variables
 * follow. */
static bool place_shared(lw_ptx_parser *p)
{
    lw_ptx_module *m = p->module;
    uint64_t common = 0;
    for (size_t i = 0; i < m->variables.count; i++) {
        lw_ptx_variable *v = lw_ptx_variable_at(m, i);
        const bool own = v->function != LW_PTX_NONE && lw_ptx_function_at(m, v->function)->is_entry;
        if (v->space == LW_PTX_SPACE_SHARED && !v->is_extern && !own)
            common = place_one(v, common);
    }
    for (size_t i = 0; i < m->functions.count; i++) {
        lw_ptx_function *f = lw_ptx_function_at(m, i);
        const uint64_t end = f->is_entry ? place(m, f, LW_PTX_SPACE_SHARED, common) : common;
        if (end > UINT32_MAX)
            return lw_ptx_fail_at(p, &p->token, LW_E_UNSUPPORTED,
                                  "more than 4 GiB of shared memory in '%.80s'", f->name);
        f->shared_size = (uint32_t)end;
    }
    return true;
}

/* Parameters or results of a function that is called. */
static uint64_t place_span(lw_ptx_module *m, const lw_ptx_span *span, uint64_t at)
{
    for (uint32_t i = 0; i < span->count; i++) {
        lw_ptx_variable *v = lw_ptx_variable_at(m, span->first + i);
        if (v->space == LW_PTX_SPACE_PARAM)
            at = place_one(v, at);
    }
    return at;
}

/* A function's frame: its local variables, the parameters of the calls in it, its own and its results. */
static bool place_local(lw_ptx_parser *p)
{
    for (size_t i = 0; i < p->module->functions.count; i++) {
        lw_ptx_function *f = lw_ptx_function_at(p->module, i);
        uint64_t end = place(p->module, f, LW_PTX_SPACE_LOCAL, 0);
        end = place(p->module, f, LW_PTX_SPACE_PARAM, end);
        if (!f->is_entry) {
            end = place_span(p->module, &f->params, end);
            end = place_span(p->module, &f->results, end);
        }
        if (end > UINT32_MAX)
            return lw_ptx_fail_at(p, &p->token, LW_E_UNSUPPORTED,
                                  "more than 4 GiB of local memory in '%.80s'", f->name);
        f->local_size = (uint32_t)end;
    }
    return true;
}

bool lw_ptx_place_variables(lw_ptx_parser *p)
{
    return place_shared(p) && place_local(p);
}

/* SPDX-License-Identifier: MIT */
/* The variables of a program, which keep their values from launch to launch. */
#include "loaders/program.h"
#include "loaders/ptx/module.h"

/* The next variable of PTX from *at on. */
static bool next_ptx(const lw_ptx_module *m, size_t *at, lw_variable *variable)
{
    for (; *at < m->variables.count; (*at)++) {
        const lw_ptx_variable *v = lw_ptx_variable_at(m, *at);
        const bool kept = v->space == LW_PTX_SPACE_GLOBAL || v->space == LW_PTX_SPACE_CONST;
        if (!kept || v->function != LW_PTX_NONE || !v->size)
            continue;
        *variable = (lw_variable){ v->name, v->size };
        (*at)++;
        return true;
    }
    return false;
}

/* Kernel descriptors are objects too. */
static bool next_symbol(const lw_program *p, size_t *at, lw_variable *variable)
{
    for (; *at < p->symbol_count; (*at)++) {
        const lw_symbol *s = &p->symbols[*at];
        const size_t length = strlen(s->name);
        const bool descriptor = length > 3 && strcmp(s->name + length - 3, ".kd") == 0;
        if (!s->is_object || !s->size || descriptor)
            continue;
        *variable = (lw_variable){ s->name, s->size };
        (*at)++;
        return true;
    }
    return false;
}

bool lw_program_next_variable(const lw_program *program, size_t *at, lw_variable *variable)
{
    if (!program || !at || !variable)
        return false;
    return program->ptx ? next_ptx(program->ptx, at, variable) : next_symbol(program, at, variable);
}

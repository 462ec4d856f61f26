/* SPDX-License-Identifier: MIT */
#include "loaders/ptx/program.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "isa_tables/error.h"
#include "loaders/ptx/lex.h"
#include "loaders/ptx/module.h"
#include "loaders/ptx/needs.h"

/* ---- Targets ---- */

void lw_ptx_target(lw_bytes text, char *target, size_t size)
{
    const uint32_t length = text.size < LW_PTX_MOST_TEXT ? (uint32_t)text.size : LW_PTX_MOST_TEXT;
    lw_ptx_lexer lexer = lw_ptx_lex_begin((const char *)text.data, length);
    lw_ptx_token t = { 0 };
    for (int i = 0; i < 3; i++)
        t = lw_ptx_lex(&lexer); /* .version N.N .target */
    const bool named = t.kind == LW_PTX_TOKEN_DOT && lw_ptx_is(&lexer, &t, ".target");
    t = lw_ptx_lex(&lexer);
    const int shown = named && t.kind == LW_PTX_TOKEN_NAME && t.size < size ? (int)t.size : 0;
    snprintf(target, size, "%.*s", shown, lexer.text + t.at);
}

lw_arch lw_ptx_arch(const char *target)
{
    lw_arch arch;
    return strncmp(target, "sm_", 3) == 0 && lw_arch_find(target, &arch) == LW_OK ? arch : LW_ARCH_NONE;
}

/* 90 for "sm_90"; 0 if anything follows the number. */
static unsigned long plain_number(const char *target)
{
    char *end;
    const unsigned long number = strncmp(target, "sm_", 3) == 0 ? strtoul(target + 3, &end, 10) : 0;
    return number && !*end ? number : 0;
}

bool lw_ptx_runs_on(const char *target, lw_arch arch)
{
    const lw_arch_info *info = lw_arch_get(arch);
    if (!info || strncmp(info->name, "sm_", 3) != 0)
        return false;
    if (lw_ptx_arch(target) == arch)
        return true;
    const unsigned long own = plain_number(target);
    return own && own <= strtoul(info->name + 3, NULL, 10);
}

/* ---- Arguments ---- */

static bool is_address_sized(const lw_ptx_variable *v)
{
    const lw_ptx_type_info *type = &lw_ptx_types[v->type];
    return !v->is_array && v->vector == 1 && type->bits == 64 && type->kind != LW_PTX_CLASS_FLOAT;
}

static lw_arg_kind kind_of(const lw_ptx_variable *v)
{
    if (!is_address_sized(v))
        return LW_ARG_VALUE;
    const bool global = v->points == 1 || v->points == 2 + LW_PTX_SPACE_GLOBAL;
    return global ? LW_ARG_BUFFER : v->points ? LW_ARG_OTHER : LW_ARG_EITHER;
}

static const char *type_text(lw_program *p, const lw_ptx_variable *v)
{
    char text[64];
    const char *word = lw_ptx_types[v->type].word;
    if (v->is_array)
        snprintf(text, sizeof(text), "%s[%" PRIu64 "]", word, v->size / (lw_ptx_types[v->type].bits / 8));
    else
        snprintf(text, sizeof(text), v->vector > 1 ? "v%u %s" : "%.0u%s", v->vector > 1 ? v->vector : 0u,
                 word);
    return lw_arena_text(&p->arena, text, strlen(text));
}

static bool fill_args(lw_program *p, const lw_ptx_function *f, lw_kernel_info *info)
{
    lw_arg_info *args = lw_arena_alloc(&p->arena, f->params.count, sizeof(*args));
    uint32_t align = 1;
    for (uint32_t i = 0; args && i < f->params.count; i++) {
        const lw_ptx_variable *v = lw_ptx_variable_at(p->ptx, f->params.first + i);
        args[i] = (lw_arg_info){ .name = v->name,
                                 .type_name = type_text(p, v),
                                 .value_kind = v->points ? ".param .ptr" : ".param",
                                 .address_space = v->points == 2 + LW_PTX_SPACE_GLOBAL ? "global" : "",
                                 .kind = kind_of(v),
                                 .offset = (uint32_t)v->offset,
                                 .size = (uint32_t)v->size };
        align = v->align > align ? v->align : align;
        if (!args[i].type_name)
            return false;
    }
    info->args = args;
    info->arg_count = info->explicit_count = f->params.count;
    info->kernarg_size = f->param_size;
    info->kernarg_align = align;
    return args != NULL;
}

/* ---- Kernels ---- */

static uint32_t product(const uint32_t size[3])
{
    const uint64_t all = (uint64_t)size[0] * size[1] * size[2];
    return all > UINT32_MAX || (uint64_t)size[0] * size[1] > UINT32_MAX ? 0 : (uint32_t)all;
}

static bool fill_kernel(lw_program *p, size_t index, lw_ptx_needs *needs, lw_kernel *kernel)
{
    const lw_ptx_function *f = lw_ptx_function_at(p->ptx, index);
    lw_kernel_info *info = &kernel->info;
    kernel->function = (uint32_t)index;
    info->name = f->name;
    info->lds_size = f->shared_size;
    info->private_size = f->local_size;
    info->wavefront_size = 32;
    info->max_workgroup_size = product(f->max_block);
    memcpy(info->required_workgroup, f->block, sizeof(f->block));
    memcpy(info->cluster, f->cluster, sizeof(f->cluster));
    info->has_metadata = true;
    info->warning = "";
    return lw_ptx_fill_needs(needs, f, info) && fill_args(p, f, info);
}

static bool fill_all(lw_program *p, lw_ptx_needs *needs)
{
    for (size_t i = 0; i < p->ptx->functions.count; i++) {
        const lw_ptx_function *f = lw_ptx_function_at(p->ptx, i);
        if (f->is_entry && f->is_defined && !fill_kernel(p, i, needs, &p->kernels[p->kernel_count++]))
            return false;
    }
    return true;
}

static bool fill_kernels(lw_program *p)
{
    lw_ptx_needs needs;
    size_t count = 0;
    for (size_t i = 0; i < p->ptx->functions.count; i++)
        count += lw_ptx_function_at(p->ptx, i)->is_entry && lw_ptx_function_at(p->ptx, i)->is_defined;
    p->kernels = lw_arena_alloc(&p->arena, count, sizeof(*p->kernels));
    const bool good = lw_ptx_needs_open(&needs, p) && p->kernels && fill_all(p, &needs);
    lw_ptx_needs_close(&needs);
    return good;
}

/* ---- Symbols: functions, and labels between them, by the number of their first instruction ---- */

static int by_address(const void *a, const void *b)
{
    const lw_symbol *x = a, *y = b;
    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    return x->is_function != y->is_function ? (x->is_function ? -1 : 1) : strcmp(x->name, y->name);
}

static bool fill_symbols(lw_program *p)
{
    const lw_ptx_module *m = p->ptx;
    p->symbols = lw_arena_alloc(&p->arena, m->functions.count + m->labels.count, sizeof(*p->symbols));
    for (size_t i = 0; p->symbols && i < m->functions.count; i++) {
        const lw_ptx_function *f = lw_ptx_function_at(m, i);
        if (f->is_defined)
            p->symbols[p->symbol_count++] = (lw_symbol){ .name = f->name,
                                                         .address = f->insns.first,
                                                         .size = f->insns.count,
                                                         .is_function = true,
                                                         .is_global = f->is_visible };
    }
    for (size_t i = 0; p->symbols && i < m->labels.count; i++) {
        const lw_ptx_label *l = (lw_ptx_label *)m->labels.items + i;
        const char *name = lw_arena_text(&p->arena, m->text + l->at, l->size);
        if (!name)
            return false;
        p->symbols[p->symbol_count++] = (lw_symbol){ .name = name, .address = l->insn };
    }
    if (p->symbols)
        qsort(p->symbols, p->symbol_count, sizeof(*p->symbols), by_address);
    return p->symbols != NULL;
}

static lw_status check_target(const lw_ptx_module *m, lw_error *error)
{
    if (lw_ptx_arch(m->target) != LW_ARCH_NONE)
        return LW_OK;
    lw_error_fail(error, LW_E_ARCH, "line %" PRIu32 ", column %" PRIu32 ": the target %.40s is not known;",
                  m->target_line, m->target_column, m->target);
    size_t named = 0;
    for (size_t i = 0; lw_arch_name_at(i); i++)
        if (lw_ptx_arch(lw_arch_name_at(i)) != LW_ARCH_NONE)
            lw_error_append(error, "%s%s", named++ ? ", " : " these are: ", lw_arch_name_at(i));
    return LW_E_ARCH;
}

lw_status lw_ptx_fill_program(lw_program *p, lw_bytes text, uint64_t limit, lw_error *error)
{
    lw_status status = lw_ptx_parse(text, limit, &p->ptx, error);
    if (status == LW_OK)
        status = check_target(p->ptx, error);
    if (status != LW_OK)
        return status;
    p->abi_version = p->ptx->isa;
    p->target_id = lw_arena_text(&p->arena, p->ptx->target, strlen(p->ptx->target));
    return p->target_id && fill_kernels(p) && fill_symbols(p) ? LW_OK : lw_no_memory(error);
}

/* ---- Text ---- */

lw_status lw_program_text_at(const lw_program *program, uint64_t number, lw_program_text *text,
                             lw_error *error)
{
    if (!program || !text || !program->ptx)
        return lw_error_fail(error, LW_E_ARGUMENT, "program or text is NULL, or the program has no text");
    if (number >= program->ptx->insns.count)
        return lw_error_fail(error, LW_E_NOT_FOUND, "there is no instruction %" PRIu64, number);
    const lw_ptx_insn *insn = lw_ptx_insn_at(program->ptx, (size_t)number);
    *text = (lw_program_text){ .line = insn->line,
                               .column = insn->column,
                               .supported = lw_ptx_op_runs(insn->op) };
    lw_ptx_insn_text(program->ptx, insn, text->text, sizeof(text->text));
    return LW_OK;
}

size_t lw_program_text_count(const lw_program *program)
{
    return program && program->ptx ? program->ptx->insns.count : 0;
}

lw_status lw_ptx_program_line(const lw_program *program, uint64_t number, lw_line *line, lw_error *error)
{
    const char *path;
    const lw_ptx_loc *loc =
        number < program->ptx->insns.count
            ? lw_ptx_insn_loc(program->ptx, lw_ptx_insn_at(program->ptx, (size_t)number), &path)
            : NULL;
    if (!loc || !path)
        return lw_error_fail(error, LW_E_NOT_FOUND,
                             loc ? "a .loc names file %" PRIu32 ", which no .file declares"
                                 : "no .loc stands before the instruction",
                             loc ? loc->file : 0);
    line->line = loc->line;
    line->column = loc->column;
    snprintf(line->file, sizeof(line->file), "%s", path);
    return LW_OK;
}

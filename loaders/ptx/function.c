/* SPDX-License-Identifier: MIT */
/* Kernels and functions: everything before the body. */
#include <inttypes.h>

#include "loaders/ptx/parse.h"

static lw_ptx_function *current(lw_ptx_parser *p)
{
    return lw_ptx_function_at(p->module, p->function);
}

/* ---- Parameters ---- */

static bool keep_parameter(lw_ptx_parser *p, const lw_ptx_declaration *d, lw_ptx_variable *v,
                           const lw_ptx_token *name)
{
    uint32_t index;
    const bool unnamed = lw_ptx_is(&p->lexer, name, "_");
    if (d->space == LW_PTX_SPACE_REG) {
        if (v->is_array)
            return lw_ptx_fail_at(p, name, LW_E_FORMAT, "a register cannot be an array");
        if (!lw_ptx_add_register(p, name, d->type, d->vector, &index))
            return false;
        v->slot = lw_ptx_register_at(p->module, index)->slot;
    }
    lw_ptx_variable *new = lw_ptx_push(p, &p->module->variables, sizeof(*new));
    if (!new)
        return false;
    *new = *v;
    if (unnamed)
        return true;
    return d->space == LW_PTX_SPACE_REG
               ? lw_ptx_declare(p, name, LW_PTX_NAME_REGISTER, index)
               : lw_ptx_declare(p, name, LW_PTX_NAME_VARIABLE, (uint32_t)(p->module->variables.count - 1));
}

static bool read_parameter(lw_ptx_parser *p)
{
    lw_ptx_declaration d = { 0 };
    lw_ptx_variable v;
    lw_ptx_token name;
    lw_ptx_dimensions dimensions;
    if (!lw_ptx_space_at(p, &d.space) || (d.space != LW_PTX_SPACE_PARAM && d.space != LW_PTX_SPACE_REG))
        return lw_ptx_expected(p, ".param or .reg");
    lw_ptx_next(p);
    return lw_ptx_declaration_read(p, &d) && lw_ptx_item_read(p, &d, &v, &name, &dimensions) &&
           keep_parameter(p, &d, &v, &name);
}

static bool read_parameters(lw_ptx_parser *p, lw_ptx_span *span)
{
    *span = (lw_ptx_span){ (uint32_t)p->module->variables.count, 0 };
    if (!lw_ptx_need_punct(p, '('))
        return false;
    if (!lw_ptx_at_punct(p, ')'))
        do {
            if (p->module->variables.count - span->first >= LW_PTX_MOST_LIST)
                return lw_ptx_fail_at(p, &p->token, LW_E_UNSUPPORTED, "more than %d parameters",
                                      LW_PTX_MOST_LIST);
            if (!read_parameter(p))
                return false;
        } while (lw_ptx_take_punct(p, ','));
    span->count = (uint32_t)p->module->variables.count - span->first;
    return lw_ptx_need_punct(p, ')');
}

/* Each parameter of a kernel at the next multiple of its alignment (PTX ISA, "Kernel Function Parameters").
 */
static bool place_parameters(lw_ptx_parser *p)
{
    enum { MOST = 1 << 20 };
    lw_ptx_function *f = current(p);
    uint64_t end = 0;
    for (uint32_t i = 0; i < f->params.count; i++) {
        lw_ptx_variable *v = lw_ptx_variable_at(p->module, f->params.first + i);
        v->offset = (end + v->align - 1) / v->align * v->align;
        end = v->offset + v->size;
        if (end > MOST)
            return lw_ptx_fail_at(p, &p->token, LW_E_UNSUPPORTED, "more than %d bytes of parameters", MOST);
    }
    f->param_size = (uint32_t)end;
    return true;
}

/* ---- Directives between the parameters and the body ---- */

static bool read_three(lw_ptx_parser *p, uint32_t out[3])
{
    for (int i = 0; i < 3; i++) {
        uint64_t value = 1;
        if ((i == 0 || lw_ptx_take_punct(p, ',')) && !lw_ptx_need_number(p, "a size", 1, UINT32_MAX, &value))
            return false;
        out[i] = (uint32_t)value;
    }
    return true;
}

/* Those whose numbers affect how a kernel is compiled, not what it computes. */
static bool skip_tuning(lw_ptx_parser *p, bool *found)
{
    static const char *const words[] = { ".minnctapersm",   ".maxnreg",      ".maxnctapersm",
                                         ".maxclusterrank", ".abi_preserve", ".abi_preserve_control" };
    uint64_t ignored;
    *found = false;
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]) && !*found; i++)
        *found = lw_ptx_take_dot(p, words[i]);
    return !*found || lw_ptx_need_number(p, "a number", 0, UINT32_MAX, &ignored);
}

static bool read_directive(lw_ptx_parser *p, bool *found)
{
    lw_ptx_function *f = current(p);
    *found = true;
    if (lw_ptx_take_dot(p, ".maxntid"))
        return read_three(p, f->max_block);
    if (lw_ptx_take_dot(p, ".reqntid"))
        return read_three(p, f->block);
    if (lw_ptx_take_dot(p, ".reqnctapercluster"))
        return read_three(p, f->cluster);
    if (lw_ptx_take_dot(p, ".explicitcluster") || lw_ptx_take_dot(p, ".blocksareclusters"))
        return true;
    if (lw_ptx_take_dot(p, ".noreturn"))
        return f->no_return = true;
    if (lw_ptx_take_dot(p, ".pragma"))
        return lw_ptx_pragma_read(p);
    return skip_tuning(p, found);
}

static bool read_directives(lw_ptx_parser *p)
{
    bool found = true;
    while (found)
        if (!read_directive(p, &found))
            return false;
    return true;
}

/* .attribute(.unified(1, 2)) and .noreturn may come before the name too. */
static bool read_attributes(lw_ptx_parser *p, lw_ptx_function *f)
{
    for (;;) {
        if (lw_ptx_take_dot(p, ".noreturn"))
            f->no_return = true;
        else if (!lw_ptx_at_dot(p, ".attribute"))
            return true;
        else if (!lw_ptx_attribute_skip(p))
            return false;
    }
}

/* ---- Declarations and definitions ---- */

/* The function of that name, new or already declared; parameters of an earlier declaration are dropped. */
static bool begin(lw_ptx_parser *p, const lw_ptx_token *name, const lw_ptx_function *head)
{
    lw_ptx_name *known = lw_ptx_find_in(p, name, 0);
    if (known && known->kind != LW_PTX_NAME_FUNCTION)
        return lw_ptx_fail_at(p, name, LW_E_FORMAT, "the name of a variable, declared before");
    if (known) {
        p->function = known->index;
        if (current(p)->is_entry != head->is_entry)
            return lw_ptx_fail_at(p, name, LW_E_FORMAT, "declared before as another kind of function");
        return true;
    }
    lw_ptx_function *f = lw_ptx_push(p, &p->module->functions, sizeof(*f));
    if (!f)
        return false;
    *f = *head;
    p->function = (uint32_t)(p->module->functions.count - 1);
    f->name = lw_ptx_copy(p, name);
    return f->name && lw_ptx_declare(p, name, LW_PTX_NAME_FUNCTION, p->function);
}

/*
 * Results come before the name, but the name must be known in the outermost scope before the parameters are
 * declared in the function's own scope: this looks ahead for the name, and the results are parsed
 * afterwards.
 */
static bool find_function_name(lw_ptx_parser *p, lw_ptx_token *name)
{
    const lw_ptx_lexer saved = p->lexer;
    const lw_ptx_token first = p->token;
    if (lw_ptx_take_punct(p, '('))
        while (!lw_ptx_take_punct(p, ')')) {
            if (p->token.kind == LW_PTX_TOKEN_END || p->token.kind == LW_PTX_TOKEN_BAD ||
                lw_ptx_at_punct(p, ';'))
                return lw_ptx_expected(p, "')'");
            lw_ptx_next(p);
        }
    if (!lw_ptx_need_name(p, "a function's name", name))
        return false;
    p->lexer = saved;
    p->token = first;
    return true;
}

static bool read_head(lw_ptx_parser *p)
{
    lw_ptx_span results = { 0, 0 }, params = { 0, 0 };
    lw_ptx_function *f = current(p);
    f->rows = f->predicates = 0;
    f->registers.first = (uint32_t)p->module->registers.count;
    if (lw_ptx_at_punct(p, '(') && !read_parameters(p, &results))
        return false;
    lw_ptx_next(p); /* the name */
    if (lw_ptx_at_punct(p, '(') && !read_parameters(p, &params))
        return false;
    current(p)->results = results;
    current(p)->params = params;
    return place_parameters(p) && read_directives(p);
}

static bool read_body(lw_ptx_parser *p, const lw_ptx_token *name)
{
    lw_ptx_function *f = current(p);
    if (f->is_defined)
        return lw_ptx_fail_at(p, name, LW_E_FORMAT, "a second body of '%.80s'", f->name);
    f->is_defined = true;
    f->line = name->line;
    f->variables.first = (uint32_t)p->module->variables.count;
    f->insns.first = (uint32_t)p->module->insns.count;
    p->loc = LW_PTX_NONE;
    if (!lw_ptx_block_read(p) || !lw_ptx_resolve_pending(p))
        return false;
    f = current(p);
    f->variables.count = (uint32_t)p->module->variables.count - f->variables.first;
    f->insns.count = (uint32_t)p->module->insns.count - f->insns.first;
    f->registers.count = (uint32_t)p->module->registers.count - f->registers.first;
    return true;
}

bool lw_ptx_function_read(lw_ptx_parser *p, lw_ptx_declaration linkage)
{
    lw_ptx_function head = { .is_entry = lw_ptx_at_dot(p, ".entry"),
                             .is_extern = linkage.is_extern,
                             .is_visible = linkage.is_visible,
                             .is_weak = linkage.is_weak,
                             .line = p->token.line };
    lw_ptx_token name;
    lw_ptx_next(p);
    if (!read_attributes(p, &head) || !find_function_name(p, &name) || !begin(p, &name, &head) ||
        !lw_ptx_scope_open(p) || !read_head(p))
        return false;
    const bool good = lw_ptx_at_punct(p, '{') ? read_body(p, &name)
                                              : lw_ptx_take_punct(p, ';') || lw_ptx_expected(p, "'{' or ';'");
    lw_ptx_scope_close(p);
    p->function = LW_PTX_NONE;
    return good;
}

bool lw_ptx_prototype_read(lw_ptx_parser *p, uint32_t *index)
{
    const uint32_t outer = p->function;
    lw_ptx_span results = { 0, 0 }, params = { 0, 0 };
    lw_ptx_function *f = lw_ptx_push(p, &p->module->functions, sizeof(*f));
    if (!f)
        return false;
    f->name = "_";
    f->line = p->token.line;
    p->function = *index = (uint32_t)(p->module->functions.count - 1);
    lw_ptx_token name;
    if (!lw_ptx_scope_open(p) || (lw_ptx_at_punct(p, '(') && !read_parameters(p, &results)) ||
        !lw_ptx_need_name(p, "'_'", &name) || (lw_ptx_at_punct(p, '(') && !read_parameters(p, &params)) ||
        !read_directives(p))
        return false;
    lw_ptx_scope_close(p);
    current(p)->results = results;
    current(p)->params = params;
    p->function = outer;
    return true;
}

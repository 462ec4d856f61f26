/* SPDX-License-Identifier: MIT */
/* Declarations: registers and variables. */
#include <inttypes.h>

#include "loaders/ptx/parse.h"

#define MOST_BYTES (UINT64_C(1) << 40)
enum { MOST_ALIGN = 1 << 20 };

typedef struct space_word {
    const char *word;
    uint8_t space;
} space_word;

static const space_word spaces[] = {
    { ".global", LW_PTX_SPACE_GLOBAL }, { ".const", LW_PTX_SPACE_CONST }, { ".shared", LW_PTX_SPACE_SHARED },
    { ".local", LW_PTX_SPACE_LOCAL },   { ".param", LW_PTX_SPACE_PARAM }, { ".reg", LW_PTX_SPACE_REG },
};

bool lw_ptx_space_at(const lw_ptx_parser *p, uint8_t *space)
{
    for (size_t i = 0; i < sizeof(spaces) / sizeof(spaces[0]); i++)
        if (lw_ptx_at_dot(p, spaces[i].word)) {
            *space = spaces[i].space;
            return true;
        }
    return false;
}

/* ---- Parts of a declaration before the name ---- */

static bool read_align(lw_ptx_parser *p, uint32_t *align)
{
    uint64_t value;
    const lw_ptx_token at = p->token;
    if (!lw_ptx_need_number(p, "an alignment", 1, MOST_ALIGN, &value))
        return false;
    if (value & (value - 1))
        return lw_ptx_fail_at(p, &at, LW_E_FORMAT, "an alignment of %" PRIu64 "; it must be a power of two",
                              value);
    if (align)
        *align = (uint32_t)value;
    return true;
}

/* .ptr [.space] [.align n]: what a parameter points to. */
static bool read_ptr(lw_ptx_parser *p, lw_ptx_declaration *d)
{
    uint8_t space;
    d->points = 1;
    if (lw_ptx_space_at(p, &space)) {
        lw_ptx_next(p);
        d->points = (uint8_t)(2 + space);
    }
    return !lw_ptx_take_dot(p, ".align") || read_align(p, NULL);
}

/* .attribute(.managed), .attribute(.unified(1, 2)): they have no effect here. */
bool lw_ptx_attribute_skip(lw_ptx_parser *p)
{
    unsigned open = 0;
    lw_ptx_next(p);
    do {
        if (p->token.kind == LW_PTX_TOKEN_END || p->token.kind == LW_PTX_TOKEN_BAD ||
            (!open && !lw_ptx_at_punct(p, '(')))
            return lw_ptx_expected(p, "an attribute in parentheses");
        open += lw_ptx_at_punct(p, '(');
        open -= lw_ptx_at_punct(p, ')');
        lw_ptx_next(p);
    } while (open);
    return true;
}

static bool is_storable(uint8_t type, uint8_t space)
{
    if (type == LW_PTX_TYPE_PRED)
        return space == LW_PTX_SPACE_REG;
    return lw_ptx_types[type].kind != LW_PTX_CLASS_PACKED || type == LW_PTX_TYPE_F16X2;
}

static bool read_type(lw_ptx_parser *p, lw_ptx_declaration *d)
{
    static const char *const opaque[] = { ".texref", ".samplerref", ".surfref" };
    const lw_ptx_token t = p->token;
    if (t.kind != LW_PTX_TOKEN_DOT)
        return lw_ptx_expected(p, "a type");
    uint8_t type = (uint8_t)lw_ptx_type_find(lw_ptx_text(p, &t) + 1, t.size - 1);
    for (size_t i = 0; i < 3; i++)
        if (lw_ptx_at_dot(p, opaque[i]))
            type = LW_PTX_TYPE_B64; /* a handle */
    if (!type || !is_storable(type, d->space) || d->type)
        return lw_ptx_expected(p, d->type ? "a name" : "a type that variables can have");
    d->type = type;
    lw_ptx_next(p);
    return true;
}

bool lw_ptx_declaration_read(lw_ptx_parser *p, lw_ptx_declaration *d)
{
    bool good = true;
    d->vector = 1;
    while (good && p->token.kind == LW_PTX_TOKEN_DOT) {
        if (lw_ptx_take_dot(p, ".align"))
            good = read_align(p, &d->align);
        else if (lw_ptx_take_dot(p, ".ptr"))
            good = read_ptr(p, d);
        else if (lw_ptx_at_dot(p, ".attribute"))
            good = lw_ptx_attribute_skip(p);
        else if (lw_ptx_take_dot(p, ".v2"))
            d->vector = 2;
        else if (lw_ptx_take_dot(p, ".v4"))
            d->vector = 4;
        else
            good = read_type(p, d);
    }
    return good && (d->type || lw_ptx_expected(p, "a type"));
}

/* ---- Variables ---- */

static bool read_dimensions(lw_ptx_parser *p, lw_ptx_dimensions *dimensions)
{
    dimensions->count = 0;
    while (lw_ptx_at_punct(p, '[')) {
        if (dimensions->count == LW_PTX_MOST_DIMENSIONS)
            return lw_ptx_fail_at(p, &p->token, LW_E_UNSUPPORTED, "an array of more than %d dimensions",
                                  LW_PTX_MOST_DIMENSIONS);
        lw_ptx_next(p);
        uint64_t *size = &dimensions->size[dimensions->count];
        *size = 0;
        const bool open = dimensions->count == 0 && lw_ptx_at_punct(p, ']');
        if (!open &&
            !lw_ptx_need_number(p, "the size of an array", dimensions->count ? 1 : 0, MOST_BYTES, size))
            return false;
        if (!lw_ptx_need_punct(p, ']'))
            return false;
        dimensions->count++;
    }
    return true;
}

static bool set_size(lw_ptx_parser *p, lw_ptx_variable *v, const lw_ptx_token *name,
                     const lw_ptx_dimensions *dimensions)
{
    v->size = (uint64_t)lw_ptx_types[v->type].bits / 8 * v->vector;
    for (unsigned i = 0; i < dimensions->count; i++) {
        if (dimensions->size[i] && v->size > MOST_BYTES / dimensions->size[i])
            return lw_ptx_fail_at(p, name, LW_E_UNSUPPORTED, "an array of more than 2^40 bytes");
        v->size *= dimensions->size[i];
    }
    return true;
}

bool lw_ptx_item_read(lw_ptx_parser *p, const lw_ptx_declaration *d, lw_ptx_variable *v, lw_ptx_token *name,
                      lw_ptx_dimensions *dimensions)
{
    if (!lw_ptx_need_name(p, "a name", name))
        return false;
    *v = (lw_ptx_variable){ .line = name->line,
                            .column = name->column,
                            .function = p->function,
                            .space = d->space,
                            .type = d->type,
                            .vector = d->vector,
                            .points = d->points,
                            .is_extern = d->is_extern,
                            .is_visible = d->is_visible,
                            .is_weak = d->is_weak,
                            .is_common = d->is_common };
    v->align = d->align ? d->align : lw_ptx_types[d->type].bits / 8 * d->vector;
    if (!(v->name = lw_ptx_copy(p, name)) || !read_dimensions(p, dimensions))
        return false;
    v->is_array = dimensions->count > 0;
    v->unsized = v->is_array && dimensions->size[0] == 0;
    return set_size(p, v, name, dimensions);
}

/* Declares the variable; a definition replaces an .extern declaration. */
static bool keep_variable(lw_ptx_parser *p, const lw_ptx_token *name, const lw_ptx_variable *v)
{
    const lw_ptx_name *known = lw_ptx_find_in(p, name, p->scope);
    if (known && known->kind == LW_PTX_NAME_VARIABLE) {
        lw_ptx_variable *before = lw_ptx_variable_at(p->module, known->index);
        if ((before->is_extern || v->is_extern) && before->space == v->space && before->type == v->type) {
            if (before->is_extern)
                *before = *v;
            return true;
        }
    }
    lw_ptx_variable *new = lw_ptx_push(p, &p->module->variables, sizeof(*new));
    if (!new)
        return false;
    *new = *v;
    return lw_ptx_declare(p, name, LW_PTX_NAME_VARIABLE, (uint32_t)(p->module->variables.count - 1));
}

static bool read_variable(lw_ptx_parser *p, const lw_ptx_declaration *d)
{
    lw_ptx_variable v;
    lw_ptx_token name;
    lw_ptx_dimensions dimensions;
    if (!lw_ptx_item_read(p, d, &v, &name, &dimensions))
        return false;
    if (lw_ptx_at_punct(p, '=')) {
        const lw_ptx_token at = lw_ptx_next(p);
        if (d->space != LW_PTX_SPACE_GLOBAL && d->space != LW_PTX_SPACE_CONST)
            return lw_ptx_fail_at(p, &at, LW_E_FORMAT,
                                  "only .global and .const variables can be initialised");
        if (!lw_ptx_initialiser_read(p, &v, &dimensions))
            return false;
    }
    if (v.unsized && !v.is_extern)
        return lw_ptx_fail_at(p, &name, LW_E_FORMAT, "the array has no size, and is not .extern");
    return keep_variable(p, &name, &v);
}

/* ---- Registers ---- */

bool lw_ptx_register_read(lw_ptx_parser *p, const lw_ptx_declaration *d, const lw_ptx_token *name)
{
    uint32_t index;
    if (!lw_ptx_take_punct(p, '<'))
        return lw_ptx_add_register(p, name, d->type, d->vector, &index) &&
               lw_ptx_declare(p, name, LW_PTX_NAME_REGISTER, index);
    /* not an expression: that would take the closing '>' for an operator */
    if (p->token.kind != LW_PTX_TOKEN_INT || p->token.value > UINT32_MAX)
        return lw_ptx_expected(p, "how many registers there are");
    const lw_ptx_token count = lw_ptx_next(p);
    lw_ptx_range *range = lw_ptx_need_punct(p, '>') ? lw_ptx_push(p, &p->ranges, sizeof(*range)) : NULL;
    if (!range)
        return false;
    *range = (lw_ptx_range){ .count = (uint32_t)count.value, .type = d->type, .vector = d->vector };
    return lw_ptx_declare(p, name, LW_PTX_NAME_RANGE, (uint32_t)(p->ranges.count - 1));
}

static bool read_register(lw_ptx_parser *p, const lw_ptx_declaration *d)
{
    lw_ptx_token name;
    if (p->function == LW_PTX_NONE)
        return lw_ptx_expected(p, "something else than a register outside functions");
    return lw_ptx_need_name(p, "a register's name", &name) && lw_ptx_register_read(p, d, &name);
}

bool lw_ptx_variables_read(lw_ptx_parser *p, lw_ptx_declaration d)
{
    lw_ptx_space_at(p, &d.space);
    lw_ptx_next(p);
    if (!lw_ptx_declaration_read(p, &d))
        return false;
    do {
        if (d.space == LW_PTX_SPACE_REG ? !read_register(p, &d) : !read_variable(p, &d))
            return false;
    } while (lw_ptx_take_punct(p, ','));
    return lw_ptx_need_punct(p, ';');
}

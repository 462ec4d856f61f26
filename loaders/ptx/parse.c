/* SPDX-License-Identifier: MIT */
/* Tokens, errors and memory of the parser, and directives outside functions. */
#include "loaders/ptx/parse.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "isa_tables/error.h"

/* ---- Errors ---- */

bool lw_ptx_fail_at(lw_ptx_parser *p, const lw_ptx_token *token, lw_status status, const char *format, ...)
{
    char text[512];
    va_list args;
    if (p->status != LW_OK)
        return false;
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    p->status = lw_error_fail(p->error, status, "line %" PRIu32 ", column %" PRIu32 ": %s", token->line,
                              token->column, text);
    return false;
}

bool lw_ptx_expected(lw_ptx_parser *p, const char *what)
{
    const lw_ptx_token *t = &p->token;
    const int shown = t->size < 60 ? (int)t->size : 60;
    if (t->kind == LW_PTX_TOKEN_BAD)
        return lw_ptx_fail_at(p, t, LW_E_FORMAT, "%s", p->lexer.why);
    if (t->kind == LW_PTX_TOKEN_END)
        return lw_ptx_fail_at(p, t, LW_E_FORMAT, "the text ends where %s is expected", what);
    return lw_ptx_fail_at(p, t, LW_E_FORMAT, "'%.*s' where %s is expected", shown, lw_ptx_text(p, t), what);
}

bool lw_ptx_no_memory(lw_ptx_parser *p)
{
    if (p->status == LW_OK)
        p->status = lw_no_memory(p->error);
    return false;
}

bool lw_ptx_over_limit(lw_ptx_parser *p)
{
    if (p->status == LW_OK)
        p->status =
            lw_error_fail(p->error, LW_E_NO_MEMORY, "the PTX module takes more memory than the limit allows");
    return false;
}

/* ---- Memory ---- */

static bool take_room(lw_ptx_parser *p, uint64_t count, size_t size)
{
    if (count > p->room / (size ? size : 1))
        return lw_ptx_over_limit(p);
    p->room -= count * size;
    return true;
}

void *lw_ptx_push(lw_ptx_parser *p, lw_ptx_list *list, size_t size)
{
    if (list->count == list->room) {
        const size_t room = list->room ? list->room * 2 : 16;
        if (list->room >= UINT32_MAX / 2 || !take_room(p, room - list->room, size)) {
            lw_ptx_no_memory(p);
            return NULL;
        }
        void *grown = realloc(list->items, room * size);
        if (!grown) {
            lw_ptx_no_memory(p);
            return NULL;
        }
        list->items = grown;
        list->room = room;
    }
    return memset((char *)list->items + list->count++ * size, 0, size);
}

void *lw_ptx_alloc(lw_ptx_parser *p, uint64_t count, size_t size)
{
    void *block = take_room(p, count + 4, size) ? lw_arena_alloc(&p->module->arena, count, size) : NULL;
    if (!block)
        lw_ptx_no_memory(p);
    return block;
}

const char *lw_ptx_text(const lw_ptx_parser *p, const lw_ptx_token *token)
{
    return p->module->text + token->at;
}

const char *lw_ptx_copy(lw_ptx_parser *p, const lw_ptx_token *token)
{
    char *copy = lw_ptx_alloc(p, (uint64_t)token->size + 1, 1);
    if (copy)
        memcpy(copy, lw_ptx_text(p, token), token->size);
    return copy;
}

bool lw_ptx_enter(lw_ptx_parser *p)
{
    if (p->depth >= LW_PTX_MOST_DEPTH)
        return lw_ptx_fail_at(p, &p->token, LW_E_UNSUPPORTED,
                              "more than %d braces or parentheses in each other", LW_PTX_MOST_DEPTH);
    p->depth++;
    return true;
}

/* ---- Tokens ---- */

lw_ptx_token lw_ptx_next(lw_ptx_parser *p)
{
    const lw_ptx_token token = p->token;
    p->token = lw_ptx_lex(&p->lexer);
    return token;
}

bool lw_ptx_at_punct(const lw_ptx_parser *p, unsigned punct)
{
    return p->token.kind == LW_PTX_TOKEN_PUNCT && p->token.value == punct;
}

bool lw_ptx_take_punct(lw_ptx_parser *p, unsigned punct)
{
    const bool here = lw_ptx_at_punct(p, punct);
    if (here)
        lw_ptx_next(p);
    return here;
}

bool lw_ptx_need_punct(lw_ptx_parser *p, unsigned punct)
{
    const char what[] = { '\'', (char)punct, '\'', '\0' };
    return lw_ptx_take_punct(p, punct) || lw_ptx_expected(p, what);
}

bool lw_ptx_at_dot(const lw_ptx_parser *p, const char *word)
{
    return p->token.kind == LW_PTX_TOKEN_DOT && lw_ptx_is(&p->lexer, &p->token, word);
}

bool lw_ptx_take_dot(lw_ptx_parser *p, const char *word)
{
    const bool here = lw_ptx_at_dot(p, word);
    if (here)
        lw_ptx_next(p);
    return here;
}

bool lw_ptx_need_name(lw_ptx_parser *p, const char *what, lw_ptx_token *name)
{
    if (p->token.kind != LW_PTX_TOKEN_NAME)
        return lw_ptx_expected(p, what);
    *name = lw_ptx_next(p);
    return true;
}

bool lw_ptx_need_number(lw_ptx_parser *p, const char *what, uint64_t low, uint64_t high, uint64_t *value)
{
    const lw_ptx_token at = p->token;
    lw_ptx_value v = { 0 };
    if (!lw_ptx_expr(p, &v))
        return false;
    if (v.kind != LW_PTX_VALUE_INT || v.bits < low || v.bits > high)
        return lw_ptx_fail_at(p, &at, LW_E_FORMAT, "%s must be a number from %" PRIu64 " to %" PRIu64, what,
                              low, high);
    *value = v.bits;
    return true;
}

/* ---- Directives outside functions ---- */

/* "9.0" comes as one token, a real number. */
static bool read_version(lw_ptx_parser *p)
{
    const lw_ptx_token t = p->token;
    const char *text = lw_ptx_text(p, &t);
    unsigned major = 0, minor = 0;
    uint32_t i = 0;
    if (t.kind != LW_PTX_TOKEN_F64)
        return lw_ptx_expected(p, "the version of PTX, as 9.0,");
    for (; i < t.size && text[i] >= '0' && text[i] <= '9' && major < 1000; i++)
        major = major * 10 + (unsigned)(text[i] - '0');
    if (i + 2 != t.size || text[i] != '.' || text[i + 1] < '0' || text[i + 1] > '9')
        return lw_ptx_expected(p, "the version of PTX, as 9.0,");
    minor = (unsigned)(text[i + 1] - '0');
    if (major < 2)
        return lw_ptx_fail_at(p, &t, LW_E_UNSUPPORTED, "PTX %u.%u; versions from 2.0 on are read", major,
                              minor);
    p->module->isa = major * 10 + minor;
    lw_ptx_next(p);
    return true;
}

/* The modifiers that may follow the target. PTX ISA, "PTX Module Directives: .target". */
static bool read_target(lw_ptx_parser *p)
{
    lw_ptx_token name;
    do {
        if (!lw_ptx_need_name(p, "the name of a target", &name))
            return false;
        const char *text = lw_ptx_text(p, &name);
        const bool processor = name.size > 3 && memcmp(text, "sm_", 3) == 0;
        if (processor && p->module->target)
            return lw_ptx_fail_at(p, &name, LW_E_FORMAT, "a second target");
        if (processor) {
            p->module->target = lw_ptx_copy(p, &name);
            p->module->target_line = name.line;
            p->module->target_column = name.column;
        } else if (!lw_ptx_is(&p->lexer, &name, "debug") && !lw_ptx_is(&p->lexer, &name, "texmode_unified") &&
                   !lw_ptx_is(&p->lexer, &name, "texmode_independent")) {
            return lw_ptx_fail_at(p, &name, LW_E_FORMAT, "'%.*s' is not a target such as sm_80",
                                  name.size < 40 ? (int)name.size : 40, text);
        }
    } while (lw_ptx_take_punct(p, ','));
    return p->status == LW_OK;
}

/* .file N "path" {, timestamp, size} */
static bool read_file(lw_ptx_parser *p)
{
    uint64_t number = 0, ignored;
    if (!lw_ptx_need_number(p, "the number of a file", 0, INT32_MAX, &number))
        return false;
    if (p->token.kind != LW_PTX_TOKEN_STRING)
        return lw_ptx_expected(p, "a path in quotes");
    const lw_ptx_token path = lw_ptx_next(p);
    lw_ptx_file *file = lw_ptx_push(p, &p->module->files, sizeof(*file));
    if (!file)
        return false;
    file->number = (uint32_t)number;
    file->path = lw_ptx_copy(p, &path);
    while (lw_ptx_take_punct(p, ','))
        if (!lw_ptx_need_number(p, "a file's time or size", 0, UINT64_MAX, &ignored))
            return false;
    return file->path != NULL;
}

/* Debugging data that is not used here: .section NAME { ... } */
static bool skip_section(lw_ptx_parser *p)
{
    if (p->token.kind != LW_PTX_TOKEN_DOT && p->token.kind != LW_PTX_TOKEN_NAME)
        return lw_ptx_expected(p, "the name of a section");
    lw_ptx_next(p);
    if (!lw_ptx_need_punct(p, '{'))
        return false;
    while (!lw_ptx_at_punct(p, '}')) {
        if (p->token.kind == LW_PTX_TOKEN_END || p->token.kind == LW_PTX_TOKEN_BAD || lw_ptx_at_punct(p, '{'))
            return lw_ptx_expected(p, "'}' of a section");
        lw_ptx_next(p);
    }
    lw_ptx_next(p);
    return true;
}

bool lw_ptx_pragma_read(lw_ptx_parser *p)
{
    do {
        if (p->token.kind != LW_PTX_TOKEN_STRING)
            return lw_ptx_expected(p, "a string");
        lw_ptx_next(p);
    } while (lw_ptx_take_punct(p, ','));
    return lw_ptx_need_punct(p, ';');
}

/* .alias NAME, FUNCTION; */
static bool read_alias(lw_ptx_parser *p)
{
    lw_ptx_token name, target;
    if (!lw_ptx_need_name(p, "a function's name", &name) || !lw_ptx_need_punct(p, ',') ||
        !lw_ptx_need_name(p, "a function's name", &target) || !lw_ptx_need_punct(p, ';'))
        return false;
    lw_ptx_name *known = lw_ptx_find_in(p, &name, 0), *meant = lw_ptx_find_in(p, &target, 0);
    if (!known || known->kind != LW_PTX_NAME_FUNCTION || !meant || meant->kind != LW_PTX_NAME_FUNCTION)
        return lw_ptx_fail_at(p, known ? &target : &name, LW_E_FORMAT,
                              "an alias needs two functions that are declared before it");
    known->index = meant->index;
    return true;
}

static bool read_linked(lw_ptx_parser *p)
{
    lw_ptx_declaration d = { 0 };
    for (;;) {
        if (lw_ptx_take_dot(p, ".extern"))
            d.is_extern = true;
        else if (lw_ptx_take_dot(p, ".visible"))
            d.is_visible = true;
        else if (lw_ptx_take_dot(p, ".weak"))
            d.is_weak = true;
        else if (lw_ptx_take_dot(p, ".common"))
            d.is_common = true;
        else
            break;
    }
    uint8_t space;
    if (lw_ptx_at_dot(p, ".entry") || lw_ptx_at_dot(p, ".func"))
        return lw_ptx_function_read(p, d);
    if (lw_ptx_space_at(p, &space) && space != LW_PTX_SPACE_REG && space != LW_PTX_SPACE_PARAM)
        return lw_ptx_variables_read(p, d);
    return lw_ptx_expected(p, "a directive: .entry, .func, .global, .const, .shared or the like");
}

static bool read_top(lw_ptx_parser *p)
{
    uint64_t bits = 0;
    if (lw_ptx_at_dot(p, ".version") || !p->module->isa) {
        if (p->module->isa)
            return lw_ptx_fail_at(p, &p->token, LW_E_FORMAT, "a second .version");
        return lw_ptx_take_dot(p, ".version") ? read_version(p) : lw_ptx_expected(p, ".version");
    }
    if (lw_ptx_at_dot(p, ".target") || !p->module->target)
        return lw_ptx_take_dot(p, ".target") ? read_target(p) : lw_ptx_expected(p, ".target");
    if (lw_ptx_take_dot(p, ".address_size")) {
        const lw_ptx_token at = p->token;
        if (!lw_ptx_need_number(p, "the size of an address", 32, 64, &bits))
            return false;
        return bits == 64 ||
               lw_ptx_fail_at(p, &at, LW_E_UNSUPPORTED, "addresses of %" PRIu64 " bits; 64 are read", bits);
    }
    if (lw_ptx_take_dot(p, ".file"))
        return read_file(p);
    if (lw_ptx_take_dot(p, ".section"))
        return skip_section(p);
    if (lw_ptx_take_dot(p, ".pragma"))
        return lw_ptx_pragma_read(p);
    if (lw_ptx_take_dot(p, ".alias"))
        return read_alias(p);
    if (lw_ptx_take_dot(p, ".loc"))
        return lw_ptx_loc_read(p);
    return read_linked(p);
}

/* ---- A module ---- */

static bool read_module(lw_ptx_parser *p)
{
    if (!lw_ptx_scope_open(p))
        return false;
    lw_ptx_next(p);
    while (p->token.kind != LW_PTX_TOKEN_END)
        if (!lw_ptx_take_punct(p, ';') && !read_top(p))
            return false;
    if (!p->module->isa)
        return lw_ptx_expected(p, ".version");
    if (!p->module->target)
        return lw_ptx_expected(p, ".target");
    return lw_ptx_place_variables(p);
}

static void free_parser(lw_ptx_parser *p)
{
    free(p->names);
    free(p->scopes.items);
    free(p->ranges.items);
    free(p->pending.items);
    free(p->stack.items);
}

lw_status lw_ptx_parse(lw_bytes text, uint64_t limit, lw_ptx_module **module, lw_error *error)
{
    if (text.size > LW_PTX_MOST_TEXT)
        return lw_error_fail(error, LW_E_UNSUPPORTED, "a PTX text of %zu bytes; up to %d are read", text.size,
                             LW_PTX_MOST_TEXT);
    lw_ptx_parser p = { .error = error, .room = limit, .function = LW_PTX_NONE, .loc = LW_PTX_NONE };
    p.module = calloc(1, sizeof(*p.module));
    if (!p.module)
        return lw_no_memory(error);
    p.module->text = lw_ptx_alloc(&p, (uint64_t)text.size + 1, 1);
    if (p.module->text) {
        memcpy(p.module->text, text.data, text.size);
        p.module->text_size = (uint32_t)text.size;
        p.lexer = lw_ptx_lex_begin(p.module->text, (uint32_t)text.size);
        read_module(&p);
    }
    free_parser(&p);
    if (p.status != LW_OK) {
        lw_ptx_module_free(p.module);
        return p.status;
    }
    *module = p.module;
    return LW_OK;
}

/* SPDX-License-Identifier: MIT */
/* Names, and the scopes in which they are valid. */
#include <stdlib.h>

#include "loaders/ptx/parse.h"

static lw_ptx_scope *scope_at(const lw_ptx_parser *p, uint32_t i)
{
    return (lw_ptx_scope *)p->scopes.items + i;
}

bool lw_ptx_scope_open(lw_ptx_parser *p)
{
    const uint32_t parent = p->scopes.count ? p->scope : LW_PTX_NONE;
    lw_ptx_scope *s = lw_ptx_enter(p) ? lw_ptx_push(p, &p->scopes, sizeof(*s)) : NULL;
    if (!s)
        return false;
    s->parent = parent;
    p->scope = (uint32_t)(p->scopes.count - 1);
    return true;
}

void lw_ptx_scope_close(lw_ptx_parser *p)
{
    p->scope = scope_at(p, p->scope)->parent;
    p->depth--;
}

/* ---- The table ---- */

/* FNV-1a. */
static uint32_t hash_of(const char *text, uint32_t size, uint32_t scope, bool range)
{
    uint32_t h = UINT32_C(2166136261) ^ scope * UINT32_C(2654435761) ^ (range ? UINT32_C(0x5bd1e995) : 0);
    for (uint32_t i = 0; i < size; i++)
        h = (h ^ (uint8_t)text[i]) * UINT32_C(16777619);
    return h;
}

static lw_ptx_name *find(const lw_ptx_parser *p, const char *text, uint32_t size, uint32_t scope, bool range)
{
    const uint32_t hash = hash_of(text, size, scope, range);
    if (!p->name_room)
        return NULL;
    for (size_t i = hash & (p->name_room - 1);; i = (i + 1) & (p->name_room - 1)) {
        lw_ptx_name *n = &p->names[i];
        if (!n->text)
            return NULL;
        if (n->hash == hash && n->scope == scope && n->size == size &&
            (n->kind == LW_PTX_NAME_RANGE) == range && memcmp(n->text, text, size) == 0)
            return n;
    }
}

static void place(lw_ptx_name *names, size_t room, const lw_ptx_name *name)
{
    size_t i = name->hash & (room - 1);
    while (names[i].text)
        i = (i + 1) & (room - 1);
    names[i] = *name;
}

static bool grow(lw_ptx_parser *p)
{
    const size_t room = p->name_room ? p->name_room * 2 : 256;
    if (room * sizeof(*p->names) > p->room)
        return lw_ptx_over_limit(p);
    lw_ptx_name *names = calloc(room, sizeof(*names));
    if (!names)
        return lw_ptx_no_memory(p);
    p->room -= (room - p->name_room) * sizeof(*names);
    for (size_t i = 0; i < p->name_room; i++)
        if (p->names[i].text)
            place(names, room, &p->names[i]);
    free(p->names);
    p->names = names;
    p->name_room = room;
    return true;
}

static bool add(lw_ptx_parser *p, const lw_ptx_token *name, uint32_t scope, lw_ptx_name_kind kind,
                uint32_t index)
{
    const bool range = kind == LW_PTX_NAME_RANGE;
    if (p->name_count * 2 >= p->name_room && !grow(p))
        return false;
    const lw_ptx_name n = { .text = lw_ptx_text(p, name),
                            .size = name->size,
                            .scope = scope,
                            .index = index,
                            .hash = hash_of(lw_ptx_text(p, name), name->size, scope, range),
                            .kind = (uint8_t)kind };
    place(p->names, p->name_room, &n);
    p->name_count++;
    if (range)
        scope_at(p, scope)->has_ranges = true;
    return true;
}

bool lw_ptx_declare(lw_ptx_parser *p, const lw_ptx_token *name, lw_ptx_name_kind kind, uint32_t index)
{
    if (find(p, lw_ptx_text(p, name), name->size, p->scope, kind == LW_PTX_NAME_RANGE))
        return lw_ptx_fail_at(p, name, LW_E_FORMAT, "'%.*s' is declared twice",
                              name->size < 80 ? (int)name->size : 80, lw_ptx_text(p, name));
    return add(p, name, p->scope, kind, index);
}

lw_ptx_name *lw_ptx_find_in(const lw_ptx_parser *p, const lw_ptx_token *name, uint32_t scope)
{
    return find(p, lw_ptx_text(p, name), name->size, scope, false);
}

lw_ptx_name *lw_ptx_find_from(const lw_ptx_parser *p, const lw_ptx_token *name, uint32_t scope)
{
    for (; scope != LW_PTX_NONE; scope = scope_at(p, scope)->parent) {
        lw_ptx_name *found = lw_ptx_find_in(p, name, scope);
        if (found)
            return found;
    }
    return NULL;
}

/* ---- Registers ---- */

static uint32_t rows_of(uint8_t type)
{
    const unsigned bits = lw_ptx_types[type].bits;
    return bits <= 32 ? 1 : bits / 32;
}

bool lw_ptx_add_register(lw_ptx_parser *p, const lw_ptx_token *name, uint8_t type, uint8_t vector,
                         uint32_t *index)
{
    lw_ptx_function *f = lw_ptx_function_at(p->module, p->function);
    lw_ptx_register *r = lw_ptx_push(p, &p->module->registers, sizeof(*r));
    if (!r)
        return false;
    const bool predicate = type == LW_PTX_TYPE_PRED;
    const uint32_t rows = predicate ? vector : rows_of(type) * vector;
    uint32_t *used = predicate ? &f->predicates : &f->rows;
    /* 64-bit registers begin at an even row, 128-bit ones at a multiple of four */
    if (!predicate && rows_of(type) > 1)
        *used = (*used + rows_of(type) - 1) / rows_of(type) * rows_of(type);
    *r = (lw_ptx_register){
        .at = name->at, .size = name->size, .slot = *used, .type = type, .vector = vector
    };
    *used += rows;
    *index = (uint32_t)(p->module->registers.count - 1);
    return true;
}

/* Whether the name belongs to a register range of this scope. Its number follows the range's prefix. */
static lw_ptx_range *range_of(const lw_ptx_parser *p, const char *text, uint32_t size, uint32_t scope)
{
    uint64_t number = 0, weight = 1;
    for (uint32_t i = size; i > 1 && size - i < 10; i--) {
        const char c = text[i - 1];
        if (c < '0' || c > '9')
            return NULL;
        number += (uint64_t)(c - '0') * weight;
        weight *= 10;
        if (c == '0' && i != size)
            continue; /* %r01 is not a member of %r<9> */
        const lw_ptx_name *n = find(p, text, i - 1, scope, true);
        lw_ptx_range *range = n ? (lw_ptx_range *)p->ranges.items + n->index : NULL;
        if (range && number < range->count)
            return range;
    }
    return NULL;
}

bool lw_ptx_find_name(lw_ptx_parser *p, const lw_ptx_token *name, lw_ptx_name **found)
{
    const char *text = lw_ptx_text(p, name);
    *found = NULL;
    for (uint32_t s = p->scope; s != LW_PTX_NONE; s = scope_at(p, s)->parent) {
        if ((*found = lw_ptx_find_in(p, name, s)) != NULL)
            return true;
        const lw_ptx_range *range = scope_at(p, s)->has_ranges ? range_of(p, text, name->size, s) : NULL;
        uint32_t index;
        if (!range)
            continue;
        if (!lw_ptx_add_register(p, name, range->type, range->vector, &index) ||
            !add(p, name, s, LW_PTX_NAME_REGISTER, index))
            return false;
        *found = lw_ptx_find_in(p, name, s);
        return true;
    }
    return true;
}

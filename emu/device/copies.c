/* SPDX-License-Identifier: MIT */
#include "emu/device/copies.h"

#include <stdlib.h>

#include "emu/device/snapshot.h"

enum { UNCOUNTED = 1 << 16, AT_A_TIME = 1 << 16, FIRST_PIECES = 8 };

/* Counts bytes that are about to be allocated. */
static bool take(lw_copy_pool *pool, uint64_t bytes)
{
    const uint64_t end = pool->bytes + bytes, counted = end > UNCOUNTED ? end - UNCOUNTED : 0;
    if (pool->keeper && counted > pool->taken) {
        const uint64_t more = (counted - pool->taken + AT_A_TIME - 1) / AT_A_TIME * AT_A_TIME;
        if (!lw_keeper_take(pool->keeper, more)) {
            pool->full = true;
            return false;
        }
        pool->taken += more;
    }
    pool->bytes = end;
    return true;
}

static lw_copy *make(lw_copy_pool *pool)
{
    lw_copy *copy = take(pool, sizeof(*copy)) ? calloc(1, sizeof(*copy)) : NULL;
    if (copy)
        copy->pool = pool;
    return copy;
}

lw_copy *lw_copies_new(lw_copies *copies, uint32_t owner, uint64_t pc, uint64_t index)
{
    lw_copy *copy = copies->pool->free;
    if (copy)
        copies->pool->free = copy->next;
    else
        copy = make(copies->pool);
    if (!copy)
        return NULL;
    copy->next = NULL;
    copy->owner = owner;
    copy->pc = pc;
    copy->index = index;
    copy->count = 0;
    copy->kind = 0;
    return copy;
}

lw_copy_piece *lw_copy_room(lw_copy *copy, size_t count)
{
    size_t capacity = copy->capacity ? copy->capacity : FIRST_PIECES;
    while (capacity - copy->count < count)
        capacity *= 2;
    if (capacity != copy->capacity) {
        const bool room = take(copy->pool, (capacity - copy->capacity) * sizeof(*copy->pieces));
        lw_copy_piece *grown = room ? realloc(copy->pieces, capacity * sizeof(*grown)) : NULL;
        if (!grown)
            return NULL;
        copy->pieces = grown;
        copy->capacity = capacity;
    }
    return &copy->pieces[copy->count];
}

lw_copy_piece *lw_copy_add(lw_copy *copy)
{
    lw_copy_piece *piece = lw_copy_room(copy, 1);
    copy->count += piece != NULL;
    return piece;
}

void lw_copies_issue(lw_copies *copies, lw_copy *copy)
{
    if (copies->last)
        copies->last->next = copy;
    else
        copies->first = copy;
    copies->last = copy;
}

static bool is_covered(const lw_copy *copy, uint32_t owner, uint64_t limit)
{
    return copy->owner == owner && copy->index < limit;
}

bool lw_copies_covered(const lw_copies *copies, uint32_t owner, uint64_t limit)
{
    for (const lw_copy *c = copies->first; c; c = c->next)
        if (is_covered(c, owner, limit))
            return true;
    return false;
}

lw_copy *lw_copies_take(lw_copies *copies, uint32_t owner, uint64_t limit)
{
    lw_copy *before = NULL, *c = copies->first;
    while (c && !is_covered(c, owner, limit)) {
        before = c;
        c = c->next;
    }
    if (!c)
        return NULL;
    if (before)
        before->next = c->next;
    else
        copies->first = c->next;
    if (copies->last == c)
        copies->last = before;
    c->next = NULL;
    return c;
}

bool lw_copies_report(const lw_copies *copies)
{
    for (const lw_copy *c = copies->first; c; c = c->next)
        if (c->owner & LW_COPY_REPORTS)
            return true;
    return false;
}

lw_copy *lw_copies_take_first(lw_copies *copies)
{
    return copies->first ? lw_copies_take(copies, copies->first->owner, UINT64_MAX) : NULL;
}

void lw_copies_recycle(lw_copies *copies, lw_copy *copy)
{
    copy->next = copies->pool->free;
    copies->pool->free = copy;
}

void lw_copies_drop(lw_copies *copies)
{
    while (copies->first) {
        lw_copy *copy = copies->first;
        copies->first = copy->next;
        lw_copies_recycle(copies, copy);
    }
    copies->last = NULL;
}

uint64_t lw_copies_bytes(const lw_copies *copies)
{
    uint64_t bytes = 0;
    for (const lw_copy *c = copies->first; c; c = c->next)
        bytes += sizeof(*c) + c->count * sizeof(*c->pieces);
    return bytes;
}

void lw_copy_pool_free(lw_copy_pool *pool)
{
    if (pool->keeper)
        lw_keeper_give(pool->keeper, pool->taken);
    pool->taken = 0;
    while (pool->free) {
        lw_copy *copy = pool->free;
        pool->free = copy->next;
        free(copy->pieces);
        free(copy);
    }
}

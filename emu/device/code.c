/* SPDX-License-Identifier: MIT */
#include "emu/device/code.h"

#include <stdlib.h>

enum { TABLE = 128 /* pages */ };

bool lw_code_open(lw_code *code, uint64_t base, uint64_t size, unsigned shift)
{
    const uint64_t page = (uint64_t)LW_CODE_PAGE << shift;
    *code = (lw_code){ .base = base, .size = size, .shift = shift, .page_count = (size_t)(size / page + 1) };
    code->pages = calloc(code->page_count, sizeof(*code->pages));
    if (!code->pages)
        return false;
    if (lw_lock_create(&code->lock))
        return true;
    free(code->pages);
    code->pages = NULL;
    return false;
}

void lw_code_close(lw_code *code)
{
    if (!code->pages)
        return;
    for (size_t i = 0; i < code->page_count; i++)
        free(atomic_load_explicit(&code->pages[i], memory_order_relaxed));
    free(code->pages);
    lw_lock_destroy(&code->lock);
    code->pages = NULL;
}

bool lw_counts_open(lw_counts *counts, const lw_code *code)
{
    const size_t tables = (code->page_count + TABLE - 1) / TABLE;
    *counts = (lw_counts){ .tables = calloc(tables, sizeof(*counts->tables)), .table_count = tables };
    return counts->tables != NULL;
}

void lw_counts_close(lw_counts *counts)
{
    while (counts->first) {
        lw_count_page *page = counts->first;
        counts->first = page->next;
        free(page->blocks);
        free(page);
    }
    for (size_t i = 0; i < counts->table_count; i++)
        free(counts->tables[i]);
    free(counts->tables);
    *counts = (lw_counts){ .first = NULL };
}

lw_count_page *lw_counts_at(lw_counts *counts, size_t page)
{
    lw_count_page **table = counts->tables[page / TABLE];
    if (!table) {
        table = calloc(TABLE, sizeof(*table));
        if (!table)
            return NULL;
        counts->tables[page / TABLE] = table;
    }
    if (!table[page % TABLE]) {
        lw_count_page *made = calloc(1, sizeof(*made));
        if (!made)
            return NULL;
        made->number = page;
        made->next = counts->first;
        counts->first = made;
        table[page % TABLE] = made;
    }
    return table[page % TABLE];
}

static lw_code_page *page_at(lw_code *code, size_t number)
{
    lw_code_page *page = atomic_load_explicit(&code->pages[number], memory_order_acquire);
    if (page)
        return page;
    lw_lock_take(&code->lock);
    page = atomic_load_explicit(&code->pages[number], memory_order_relaxed);
    if (!page) {
        page = calloc(1, sizeof(*page));
        atomic_store_explicit(&code->pages[number], page, memory_order_release);
    }
    lw_lock_leave(&code->lock);
    return page;
}

bool lw_code_turn(lw_code *code, lw_counts *counts, uint64_t pc, lw_code_cursor *cursor, bool *no_memory)
{
    const uint64_t offset = pc - code->base, page_bytes = (uint64_t)LW_CODE_PAGE << code->shift;
    const uint64_t place = UINT64_C(1) << code->shift;
    *no_memory = false;
    cursor->size = 0;
    if (offset >= (code->size & ~(place - 1)) || offset & (place - 1))
        return false;
    const size_t number = (size_t)(offset / page_bytes);
    lw_code_page *page = page_at(code, number);
    lw_count_page *count = page ? lw_counts_at(counts, number) : NULL;
    *no_memory = !count;
    if (!count)
        return false;
    const uint64_t base = code->base + number * page_bytes, left = code->base + code->size - base;
    *cursor = (lw_code_cursor){ base, left < page_bytes ? left & ~(place - 1) : page_bytes, page, count };
    return true;
}

void *lw_code_at(const lw_code *code, uint64_t pc)
{
    const uint64_t place = (pc - code->base) >> code->shift;
    if (pc - code->base >= code->size)
        return NULL;
    lw_code_page *page = atomic_load_explicit(&code->pages[place / LW_CODE_PAGE], memory_order_acquire);
    return page ? atomic_load_explicit(&page->record[place % LW_CODE_PAGE], memory_order_acquire) : NULL;
}

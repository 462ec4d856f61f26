/* SPDX-License-Identifier: MIT */
/*
 * The decoded code of a module, and what a thread counts about it. A place is where an instruction may start.
 * Records belong to the module and are shared: each is made once, on first arrival, and published complete.
 * They depend only on the bytes and the generation. Memory and time are proportional to the code that is
 * executed, not to the file's size.
 */
#ifndef LW_EMU_DEVICE_CODE_H
#define LW_EMU_DEVICE_CODE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "emu/device/lock.h"

enum { LW_CODE_PAGE = 1024 /* places */ };

typedef struct lw_code_page {
    _Atomic(void *) record[LW_CODE_PAGE]; /* the machine's record; NULL: not decoded yet */
} lw_code_page;

typedef struct lw_code {
    uint64_t base, size; /* device address of the first place; bytes */
    unsigned shift;      /* log2 of the size of a place in bytes */
    _Atomic(lw_code_page *) *pages;
    size_t page_count;
    lw_lock lock; /* held while pages and records are made */
} lw_code;

/* False: no host memory. */
bool lw_code_open(lw_code *code, uint64_t base, uint64_t size, unsigned shift);
void lw_code_close(lw_code *code);

/* How often a thread arrived at the places of one page. */
typedef struct lw_count_page {
    struct lw_count_page *next;
    size_t number; /* of the page */
    void *blocks;  /* the machine's blocks of code; freed with the page */
    uint64_t executed[LW_CODE_PAGE];
} lw_count_page;

typedef struct lw_counts {
    lw_count_page ***tables; /* pages, made on first arrival */
    size_t table_count;
    lw_count_page *first;
} lw_counts;

/* False: no host memory. */
bool lw_counts_open(lw_counts *counts, const lw_code *code);
void lw_counts_close(lw_counts *counts);

/* The counts of a page, made if needed. NULL: no host memory. */
lw_count_page *lw_counts_at(lw_counts *counts, size_t page);

/* The position of a thread: a page of code and its counts. All zero before the first use. */
typedef struct lw_code_cursor {
    uint64_t base, size; /* of the page, in bytes; size 0: no page */
    lw_code_page *page;
    lw_count_page *counts;
} lw_code_cursor;

/* Moves a cursor to the page of `pc`. False: `pc` is not in the code or (*no_memory) the host has no
 * memory. */
bool lw_code_turn(lw_code *code, lw_counts *counts, uint64_t pc, lw_code_cursor *cursor, bool *no_memory);

/* The record at `pc`; NULL if there is none yet. */
void *lw_code_at(const lw_code *code, uint64_t pc);

#endif

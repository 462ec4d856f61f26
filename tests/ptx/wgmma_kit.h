/* SPDX-License-Identifier: MIT */
/* One wgmma: its factors in shared memory and registers, a kernel that executes it, its result. */
#ifndef LW_TESTS_PTX_WGMMA_KIT_H
#define LW_TESTS_PTX_WGMMA_KIT_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/lanewise.h>

enum { ROWS = 64, MOST_N = 256, MOST_K = 256, THREADS = 128, IMAGE = 1 << 16, B_AT = 1 << 15 };

typedef enum kind { F16, BF16, TF32, E4M3, E5M2, S8, U8, B1 } kind;

typedef struct shape {
    const char *d, *a, *b;
    kind a_kind, b_kind;
    unsigned k, bits, d_bits; /* dense k; bits of an element */
} shape;

enum { SHAPES = 9 };
extern const shape shapes[SHAPES];

/* The place of one matrix in shared memory. */
typedef struct major {
    unsigned width; /* 16: no swizzle */
    bool turned;
    unsigned leading, stride;
} major;

typedef struct product {
    const shape *s;
    unsigned n;
    bool registers, sparse, adds;
    int sign_a, sign_b;
    major a, b;
    unsigned selector;
    lw_async async;
    const char *options; /* after the types */
} product;

/* Dense A and B (B column by column), and C. */
extern int am[ROWS][MOST_K], bm[MOST_N][MOST_K], cm[ROWS][MOST_N];
/* The kernel's input, its output in d_regs, and its text. */
extern uint8_t image[IMAGE];
extern uint32_t a_regs[4][THREADS], d_regs[128][THREADS];
extern char text[1 << 16];

/* The byte of element (mn, k), of `bits` bits. */
unsigned place(const major *m, unsigned start, unsigned mn, unsigned k, unsigned bits);
unsigned dense_k(const product *p);
/* The place of D(row, n): its register and thread, and the shift of its half. */
unsigned find_d(const product *p, unsigned row, unsigned n, unsigned *thread, unsigned *shift);
/* The code of an integer in D's type. */
uint32_t result_of(const product *p, int v);
/* Replaces the kernel's text from a place on. */
void put_text(size_t at, const char *between, const char *after);
void store_bits(uint8_t *at, unsigned k, unsigned bits, uint32_t value);
/* Draws the matrices and lays them out. */
void fill(const product *p);
void write_kernel(const product *p);
lw_status run(const product *p, unsigned threads, lw_error *error);

#endif

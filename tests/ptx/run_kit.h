/* SPDX-License-Identifier: MIT */
/* One PTX kernel with three buffers of 32-bit numbers, of which each thread has its own elements. */
#ifndef LW_TESTS_PTX_RUN_KIT_H
#define LW_TESTS_PTX_RUN_KIT_H

#include <lanewise/lanewise.h>

#define HEAD ".version 8.0\n.target sm_80\n.address_size 64\n"

enum { MOST = 128 };

typedef struct bench {
    lw_memory *memory;
    lw_program *program;
    uint64_t at[3]; /* a, b, out */
    uint32_t out[MOST];
    lw_error error;
    lw_fault fault;
    uint64_t executed;
} bench;

void open_bench(bench *t, const char *text, const uint32_t *a, const uint32_t *b);
lw_status launch(bench *t, uint32_t threads, uint32_t shared);
void close_bench(bench *t);

/* A kernel whose body computes %r3 from %r1 and %r2, which are a[i] and b[i]; %r0 is i. */
void write_kernel(char *text, size_t size, const char *declarations, const char *body);

/* Such a kernel with a[i] = b[i] = i, launched without a fault. */
void run_one(const char *declarations, const char *body, uint32_t threads, uint32_t shared, bench *t);

#endif

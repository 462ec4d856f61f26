/* SPDX-License-Identifier: MIT */
/* Launching the kernels of corpus/ on a few buffers. */
#ifndef LW_TESTS_PTX_CORPUS_KIT_H
#define LW_TESTS_PTX_CORPUS_KIT_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/lanewise.h>

enum { MOST_BUFFERS = 4, MOST_BYTES = 1 << 14, CORPUS_CHECKS = 8 };

typedef struct corpus_bench {
    lw_memory *memory;
    lw_program *program;
    uint64_t at[MOST_BUFFERS];
    lw_error error;
    char printed[1024];
    size_t used;
    const char *reading;
    lw_async async;
    uint64_t seed;        /* of LW_ASYNC_RANDOM */
    uint32_t shared;      /* bytes of dynamic shared memory */
    uint32_t cluster[3];  /* blocks; all zero: as the kernel says */
    uint64_t approximate; /* executions of instructions that the PTX ISA gives a bound of error for */
    uint64_t launches;
    lw_check *check[CORPUS_CHECKS];
    const lw_observer *observer[CORPUS_CHECKS];
    const char *race;  /* the rule by which the kernel races; NULL: it does not */
    lw_module *module; /* NULL: each launch loads the program anew */
} corpus_bench;

/* Runs a suite once for each of several files of the corpus, which corpus_open then opens; returns main's
 * status. */
int corpus_main(Suite *(*make)(void), const char *const *files, size_t count);

/* A file, or the one of corpus_main. */
corpus_bench corpus_open_file(const char *path);
corpus_bench corpus_open(void);
void corpus_close(corpus_bench *t);
lw_status corpus_try(corpus_bench *t, const char *kernel, uint32_t blocks, uint32_t threads, int pointers,
                     const int *number);
void corpus_launch(corpus_bench *t, const char *kernel, uint32_t blocks, uint32_t threads, int pointers,
                   const int *number);
void corpus_refused(corpus_bench *t, const char *kernel, int pointers, const char *says);
void corpus_put(corpus_bench *t, int buffer, const void *data, size_t size);
void corpus_get(corpus_bench *t, int buffer, void *data, size_t size);
uint32_t corpus_noise(uint32_t i);

#endif

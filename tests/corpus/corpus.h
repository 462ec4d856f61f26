/* SPDX-License-Identifier: MIT */
/*
 * A case of the corpus: it fills buffers, launches a kernel and compares with its own computation in C, which
 * does not use Lanewise. A kernel is launched on one thread and on two; both must produce the same bytes.
 */
#ifndef CORPUS_H
#define CORPUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct corpus corpus;

typedef struct corpus_case {
    const char *name; /* name of the kernel */
    void (*run)(corpus *c);
} corpus_case;

/* A file of kernels/ and its cases; the last case's name is NULL. */
typedef struct corpus_file {
    const char *name;
    const corpus_case *cases;
} corpus_file;

extern const corpus_file corpus_files[];

extern const corpus_case corpus_simple[], corpus_reduce[], corpus_scan[], corpus_control[], corpus_dense[],
    corpus_mfma[], corpus_mfma_cdna1[], corpus_mfma_cdna3[], corpus_wmma[], corpus_wmma_rdna4[],
    corpus_wmma_64[], corpus_wmma_rdna4_64[], corpus_smfmac[], corpus_swmmac[], corpus_scaled[],
    corpus_quantize8[], corpus_quantize_mx[], corpus_attention[], corpus_attention_mfma[], corpus_opencl[],
    corpus_tiles[], corpus_lanes[], corpus_shares[], corpus_permlane[], corpus_machine[], corpus_swmmac_64[],
    corpus_mfma_gfx950[], corpus_mfma_xf32[], corpus_smfmac_gfx950[], corpus_wmma_gfx1250[],
    corpus_swmmac_gfx1250[], corpus_quantize_gfx1250[];

/* Arguments, in the kernel's order. Buffers are zeroed; the case fills them before the launch and reads them
 * after it. */
void *corpus_buffer(corpus *c, size_t size);
void corpus_u32(corpus *c, uint32_t value);
void corpus_f32(corpus *c, float value);
void corpus_f64(corpus *c, double value);
/* Local memory that a pointer among the arguments names; the launch fills it in. */
void corpus_local(corpus *c, uint32_t bytes);

/* Launches the case's kernel with the arguments so far. False if it failed, which has been reported. */
bool corpus_launch(corpus *c, uint32_t groups_x, uint32_t groups_y, uint32_t block);
/* Launches again in the same module: global variables keep their values. */
bool corpus_again(corpus *c);
/* The same, on one thread and on two: each launch must stop with a fault for this reason. */
void corpus_faults(corpus *c, const char *reason);

/* Whether the target is this one. */
bool corpus_is(const corpus *c, const char *arch);

/* A pseudo-random number, and floats: in [-1, 1), and whole numbers in [-limit, limit]. */
uint32_t corpus_random(corpus *c);
float corpus_unit(corpus *c);
float corpus_whole(corpus *c, int limit);

/* If element `i` differs, counts it, and reports the first such element. */
void corpus_same_u64(corpus *c, const char *what, size_t i, uint64_t got, uint64_t expected);
/* The same if the difference exceeds `allowed` times |expected| + allowed / 1000. */
void corpus_near(corpus *c, const char *what, size_t i, double got, double expected, double allowed);

#endif

/* SPDX-License-Identifier: MIT */
/* The benchmark's parts. Each prints its table and returns 0, or reports an error and returns 1. */
#ifndef LW_BENCH_H
#define LW_BENCH_H

#include <stdbool.h>

#include <lanewise/lanewise.h>

/* Seconds of a monotonic clock. */
double bench_now(void);

/* Seconds of processor time of this thread. */
double bench_processor(void);

/* Machine instructions, one wave, one thread: nanoseconds each, without the time for decoding and
 * preparing. */
int bench_code(void);

/* An instruction's machine code, and the time it takes in a wave of gfx950, or of another target in its usual
 * size, with these registers; -1 if it failed, which has been reported. */
typedef struct bench_insn {
    const char *text;
    unsigned words;
    uint32_t word[4];
    bool flushes; /* MODE flushes subnormal f32 numbers */
    lw_arch arch; /* LW_ARCH_NONE: gfx950 */
} bench_insn;
enum { BENCH_VGPRS = 64 };
double bench_insn_ns(const bench_insn *insn, const uint32_t *registers); /* BENCH_VGPRS of 64 lanes each */

/* Ordinary numbers; v8 to v15 are small in every format that matrix instructions multiply. */
void bench_fill_registers(uint32_t *registers);

/* Classes of instructions, with the target times; LANEWISE_CPU, if set, limits the instruction set of the
 * host. */
int bench_classes(const char *only);

/* Matrix instructions in a wave, which notes the aspects that numbers touch: the cost of doing so. */
int bench_aspects(void);

/* OpenBLAS on one thread, GMAC/s, with n * n matrices; zeros if the benchmark was built without it. */
typedef struct bench_blas {
    double f32, f64;
    int n;
} bench_blas;
bench_blas bench_blas_rates(void);

/* lw_mma_execute_registers: nanoseconds per call and GMAC/s, for each instruction set of the host. `only`:
 * cases whose line "ARCH INSTRUCTION" contains it; NULL: all. LANEWISE_CPU, if set, limits it to that set and
 * leaves the comparison out. */
int bench_matrix(const char *only);

/* The same, in short, for every row of the tables: GMAC/s, also with one NaN, and whether anything is
 * vectorised. */
int bench_rows(const char *only);

/* Whether "ARCH TEXT" contains `only`; NULL matches any. */
bool bench_wanted(const char *arch, const char *text, const char *only);

/* lw_mma_create and lw_mma_clone: the slowest of all rows of the tables, and the mean; with `only`, those of
 * each matching row. */
int bench_create(const char *only);

/* Whole kernels of examples/objects, those whose name contains `only`: end to end on two threads, and the
 * gain from the second thread. */
int bench_kernels(const char *objects, const char *only);

/* Kernels that aims.sh compiled into a folder. */
int bench_aims(const char *folder, const char *only);

/* Loading a code object of 1 MiB and disassembling all of it. */
int bench_load(const char *objects, const char *only);

/* The cost of a launch besides its instructions, and how soon a cancelled launch ends. */
int bench_launch_costs(const char *folder);

/* The time of an exact binary64 multiply-add made of additions and multiplications. */
int bench_fma(void);

/* The gain from a second thread; `own`: the folder of threads.co. 1 if a launch that is long enough and may
 * run in parallel gains less than the target. */
int bench_threads(const char *own, const char *objects, const char *only);

/* The cost of watching parallel runs. */
int bench_watch(const char *objects);

/* A case of bench_kernels on one thread, with an observer or NULL: seconds of processor time; 0 if it
 * failed. */
double bench_launch(const char *objects, size_t kernel, const lw_observer *observer);
/* The same on several threads; false if it failed. */
typedef struct bench_times {
    double processor, clock; /* seconds */
    unsigned threads;        /* that took part */
} bench_times;
bool bench_launch_on(const char *objects, size_t kernel, unsigned threads, bench_times *seconds);
const char *bench_kernel_name(size_t kernel);               /* NULL past the last one */
int bench_observers(const char *objects, const char *only); /* kernels whose names contain `only` */

/* How the time of kernels whose names contain `only` is distributed over instructions. */
int bench_shares(const char *objects, const char *only);

/* PTX: classes of instructions, parsing and matrix products; `folder`: the root of the source. */
int bench_ptx(const char *folder, const char *only);

/* Runs two programs alternately with the same words, and prints the ratios of their figures. 1 if a figure of
 * this program is more than BENCH_SLOWER times the other's, or none could be compared. Hosts are noisy: a
 * ratio closer to 1 has no meaning. */
#define BENCH_SLOWER 1.3
int bench_against(const char *self, const char *other, char **words, int count);

#endif

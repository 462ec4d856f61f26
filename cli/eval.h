/* SPDX-License-Identifier: MIT */
/* What `eval` works on. */
#ifndef LW_CLI_EVAL_H
#define LW_CLI_EVAL_H

#include <lanewise/mma.h>

#include "cli/expect.h"
#include "cli/readings.h"
#include "cli/target.h"

enum { EVAL_SOURCES = 6 };

typedef struct eval_job {
    lw_mma *mma;
    lw_mma_shape shape;
    lw_npy sources[EVAL_SOURCES]; /* a b c index scale-a scale-b; data NULL where absent */
    lw_mma_matrices matrices;     /* points into sources and d */
    lw_npy d;
    const arg_type *d_type;
    uint32_t touched; /* aspects */
    uint32_t open;    /* open questions that decide these numbers: lw_mma_open_at */
    const char *expect_path;
    lw_npy expected;
    compare_limits limits;
    uint64_t held; /* bytes of the arrays that were read */
} eval_job;

/* Prepares and checks everything that the call names. Must be freed even after a failure. */
int eval_job_read(const cli_call *call, lw_arch arch, const lw_insn *insn, eval_job *job);
/* Whether the result may be written to `out`: no option may have read that file. */
int eval_check_output(const cli_call *call, const char *out);

void eval_job_free(eval_job *job);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Which instructions waves reached, and which way conditional branches went: an observer. What was not
 * reached is what a caller finds in the program (lw_program_section_at, lw_program_text_at) and not here.
 */
#ifndef LANEWISE_COVERAGE_H
#define LANEWISE_COVERAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lanewise/export.h>
#include <lanewise/observe.h>
#include <lanewise/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lw_coverage lw_coverage;

/* An instruction that was reached. May grow at its end: read it through the pointer. */
typedef struct lw_covered {
    uint64_t code_offset; /* from the kernel's first byte, PTX: instruction */
    uint64_t executed;    /* by waves */
    bool branches;        /* a conditional branch */
    uint64_t taken;       /* by waves; lanes of a warp that diverge take both ways */
    uint64_t not_taken;
} lw_covered;

/* LW_E_ARGUMENT, LW_E_NO_MEMORY. */
LW_API lw_status lw_coverage_create(lw_coverage **coverage);
LW_API const lw_observer *lw_coverage_observer(const lw_coverage *coverage);
LW_API size_t lw_coverage_count(const lw_coverage *coverage);
/* In ascending order of code_offset; NULL if `index` is not below the count. */
LW_API const lw_covered *lw_coverage_at(const lw_coverage *coverage, size_t index);
LW_API void lw_coverage_free(lw_coverage *coverage); /* NULL is allowed */

#ifdef __cplusplus
}
#endif

#endif

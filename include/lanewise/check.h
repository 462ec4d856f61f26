/* SPDX-License-Identifier: MIT */
/*
 * Checks that report mistakes in a program: each is an observer (lanewise/observe.h) and a list of findings.
 * lw_check_name_at lists the checks, so that a caller that goes through the list offers all of them.
 *
 * A finding names one place, or two where an earlier and a later instruction conflict. The same rule at the
 * same places is one finding, which says how often it occurred and where first. Only paths that were executed
 * are checked.
 */
#ifndef LANEWISE_CHECK_H
#define LANEWISE_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lanewise/export.h>
#include <lanewise/observe.h>
#include <lanewise/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * How bad a finding is. Values may be added at the end.
 *
 * ERROR: hardware has no interlock for it, or documents say that the result is undefined.
 * STRICT: documents or LLVM ask for more than what was found, and hardware probably does not need it; not
 * listed unless lw_check_options.strict asks.
 */
typedef enum lw_severity {
    LW_SEVERITY_ERROR,
    LW_SEVERITY_WARNING,
    LW_SEVERITY_STRICT,
    LW_SEVERITY_INFO,
    LW_SEVERITY_COUNT,
} lw_severity;

LW_API const char *lw_severity_name(lw_severity severity); /* "error"; "" out of range */

/* One instruction of a finding. */
typedef struct lw_finding_place {
    bool known;
    uint64_t code_offset;    /* from the kernel's first byte */
    const char *instruction; /* its text; "" where it is not known */
    lw_line source;          /* line 0 where it is not known */
} lw_finding_place;

typedef struct lw_finding {
    lw_severity severity;
    const char *rule; /* its short name: "matrix-result-read" */
    const char
        *what; /* one clause: "v0 is read 2 wait states after the instruction that writes it; it needs 7" */
    const char *why;        /* the rule and its source */
    const char *cure;       /* what to do: "insert s_nop 4 before +0x1a8"; "" where nothing simple helps */
    lw_finding_place place; /* the instruction that is wrong: the later one of two */
    lw_finding_place other; /* the earlier one; not known where there is only one */
    uint32_t workgroup[3];  /* where it occurred first */
    uint32_t wave;
    int lane;       /* -1: all, or none in particular */
    uint64_t times; /* executions of `place` at which it occurred */
} lw_finding;

typedef struct lw_check lw_check;

typedef struct lw_check_options {
    size_t struct_size; /* sizeof(lw_check_options) */
    bool strict;        /* list LW_SEVERITY_STRICT too */
} lw_check_options;

LW_API lw_check_options lw_check_options_default(void);

/* The checks by number; NULL after the last one. */
LW_API const char *lw_check_name_at(size_t index);
/* What the check of that number looks for, in one line; NULL after the last one. */
LW_API const char *lw_check_summary_at(size_t index);

/* `options` may be NULL. LW_E_NOT_FOUND: no check has that name. */
LW_API lw_status lw_check_create(const char *name, const lw_check_options *options, lw_check **check);
LW_API const char *lw_check_name(const lw_check *check);
LW_API const lw_observer *lw_check_observer(const lw_check *check);

/* How many findings are listed, and how many of a severity. */
LW_API size_t lw_check_count(const lw_check *check);
LW_API size_t lw_check_count_of(const lw_check *check, lw_severity severity);
/* Errors first, then by address; NULL if `index` is not below the count. Valid until the observed launch
 * continues. */
LW_API const lw_finding *lw_check_at(const lw_check *check, size_t index);
/* What the check does not or could not examine, as sentences that qualify a run without findings; NULL after
 * the last one. */
LW_API const char *lw_check_unchecked_at(const lw_check *check, size_t index);

LW_API void lw_check_free(lw_check *check);

#ifdef __cplusplus
}
#endif

#endif

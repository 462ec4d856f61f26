/* SPDX-License-Identifier: MIT */
/* The trace observer's state, shared by its two files. */
#ifndef LW_OBSERVERS_TRACE_H
#define LW_OBSERVERS_TRACE_H

#include <lanewise/observe.h>

struct lw_trace {
    lw_observer observer;
    lw_trace_options options;
    uint32_t workgroup[3];
    uint64_t shown; /* instructions */
    uint64_t exec;  /* before the instruction */
    bool stopped;   /* the sink wants no more */
};

/* printf to the sink, unless it has stopped. At most 1023 bytes at a time. */
void lw_trace_write(lw_trace *trace, const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* Is it a matrix instruction whose matrices are at hand? Those of a wgmma are in shared memory, or not
 * computed yet. */
bool lw_trace_shows(const lw_event *event, lw_matrix_event *matrix);

/* Shows the operands of a matrix instruction as matrices: its sources, or its result. */
void lw_trace_matrices(lw_trace *trace, const lw_event *event, const lw_matrix_event *matrix, bool result);

#endif

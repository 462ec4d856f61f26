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
    bool stopped;   /* the sink refused more */
};

/* printf to the sink, unless it has stopped; at most 1023 bytes at a time. */
void lw_trace_write(lw_trace *trace, const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* Shows operands of a matrix instruction as matrices: its sources, or its result. */
void lw_trace_matrices(lw_trace *trace, const lw_event *event, const lw_matrix_event *matrix, bool result);

#endif

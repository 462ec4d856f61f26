/* SPDX-License-Identifier: MIT */
/* Comparing an array with what was expected: bits first, then within a tolerance. */
#ifndef LW_CLI_COMPARE_H
#define LW_CLI_COMPARE_H

#include "cli/arg.h"

typedef struct compare_limits {
    bool has_ulp, has_rtol;
    uint64_t ulp; /* distance allowed, in steps of the element's format */
    double rtol;  /* |got - expected| <= rtol * |expected| */
} compare_limits;

enum { COMPARE_SAMPLES = 4 };

typedef struct compare_sample {
    uint64_t index, got, expected; /* element number in C order, codes */
    uint64_t ulp;
} compare_sample;

typedef struct compare_result {
    uint64_t count;   /* elements */
    uint64_t differ;  /* elements whose bits differ */
    uint64_t outside; /* elements outside every given tolerance; equal to `differ` without one */
    uint64_t worst_ulp;
    bool has_ulp; /* distances are defined for this type */
    size_t samples;
    compare_sample sample[COMPARE_SAMPLES]; /* the first that are outside, else the first that differ */
} compare_result;

/* Compares two arrays of one shape and type. With a tolerance, NaN equals NaN; otherwise only bits count. */
void compare_arrays(const arg_type *type, const lw_npy *got, const lw_npy *expected,
                    const compare_limits *limits, compare_result *result);

/* The number that a code stands for; only for types with `significand`, or integers. */
double compare_value(const arg_type *type, uint64_t code);

#endif

/* SPDX-License-Identifier: MIT */
/* One PTX instruction, or a few, on difficult and random operands, compared with a C function. */
#ifndef LW_TESTS_PTX_VALUES_KIT_H
#define LW_TESTS_PTX_VALUES_KIT_H

#include <check.h>
#include <stdbool.h>
#include <stdint.h>

/* The numbers that bits stand for, and back. Which NaN a result has is open, so bits32 and bits64 return one
 * NaN for all. */
float f32(uint64_t a);
double f64(uint64_t a);
uint64_t bits32(float f);
uint64_t bits64(double d);
/* Subnormals of f32 become zeros with their sign. */
uint64_t flush(uint64_t a);

/* Defines a reference function of three operands that returns the expression. */
#define REF(name, expression)                                                                                \
    static uint64_t name(uint64_t a, uint64_t b, uint64_t c)                                                 \
    {                                                                                                        \
        (void)a, (void)b, (void)c;                                                                           \
        return (uint64_t)(expression);                                                                       \
    }

typedef uint64_t (*values_reference)(uint64_t a, uint64_t b, uint64_t c);

/*
 * `body` computes %r9 or %rd9 from three operands of 64 bits, %rd0 to %rd2, whose low parts are in %r0 to %r2
 * and %h0 to %h2. %p, %c (of 8 bits), %h3 and up, %r3 to %r8 and %rd3 to %rd8 are free; %rd11 is the address
 * of eight bytes of the thread's own in global memory.
 */
typedef struct values_case {
    const char *body;
    values_reference wanted;
    int real64; /* the result is an f64: all NaNs count as one */
} values_case;

void values_check(const values_case *test);
/* Runs the suite; returns the status for main. */
int values_run(const char *name, TCase *cases);

#endif

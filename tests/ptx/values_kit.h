/* SPDX-License-Identifier: MIT */
/* One PTX instruction, or a few, on awkward and random operands against a C function. */
#ifndef LW_TESTS_PTX_VALUES_KIT_H
#define LW_TESTS_PTX_VALUES_KIT_H

#include <stdbool.h>
#include <stdint.h>

typedef uint64_t (*values_reference)(uint64_t a, uint64_t b, uint64_t c);

/*
 * `body` computes %r9 or %rd9 from three operands of 64 bits, %rd0 to %rd2, whose low parts are in %r0 to %r2
 * and %h0 to %h2. %p, %c (of 8 bits), %h3 and up, %r3 to %r8 and %rd3 to %rd8 are free; %rd11 is the address
 * of eight bytes of the thread's own in global memory. `same` maps results that count as equal to one; NULL:
 * none do.
 */
void values_check(const char *body, values_reference wanted, uint64_t (*same)(uint64_t));

#endif

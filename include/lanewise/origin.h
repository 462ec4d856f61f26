/* SPDX-License-Identifier: MIT */
/*
 * Where the operands of matrix instructions come from: the bit of the array from which each bit of an operand
 * was copied.
 *
 * A launch is run several times, each time with different data in its arrays: in pass p every bit of them is
 * one digit of its own number, or of a checksum of that number. The digits that arrive in a register give the
 * number of the bit, whatever path it took: loads, LDS, permutations, packing. Computed values do not give
 * valid numbers, which the checksum detects (it passes by chance for one in 256 single bits, but not for an
 * element of several adjacent bits). The instructions that a kernel executes must not depend on these data;
 * passes that differ are refused.
 *
 *     lw_origin_create(bits of all arrays, &origin)
 *     for each pass: lw_origin_begin, lw_origin_fill for each array, lw_launch with lw_origin_observer
 *     lw_origin_finish, then lw_origin_count, lw_origin_at and lw_origin_bit
 */
#ifndef LANEWISE_ORIGIN_H
#define LANEWISE_ORIGIN_H

#include <lanewise/observe.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lw_origin lw_origin;

/* `bits` of all arrays together, up to 2^40. LW_E_ARGUMENT, LW_E_NO_MEMORY. */
LW_API lw_status lw_origin_create(uint64_t bits, lw_origin **origin);
/* NULL is allowed. */
LW_API void lw_origin_free(lw_origin *origin);

LW_API unsigned lw_origin_passes(const lw_origin *origin);
/* Before a launch: passes 0, 1, .. each once. LW_E_ARGUMENT for another. */
LW_API lw_status lw_origin_begin(lw_origin *origin, unsigned pass);
/* Fills an array, whose first bit has number `first` (a multiple of 8), with the data of this pass. */
LW_API void lw_origin_fill(const lw_origin *origin, uint64_t first, void *bytes, size_t size);
LW_API const lw_observer *lw_origin_observer(const lw_origin *origin);
/* After the last launch. LW_E_UNSUPPORTED where passes executed other matrix instructions, or there are too
 * many of them; LW_E_NO_MEMORY. */
LW_API lw_status lw_origin_finish(lw_origin *origin, lw_error *error);

/* A matrix instruction of the first workgroup, at its first execution by each wave. */
typedef struct lw_origin_report {
    lw_arch arch;
    lw_matrix_event matrix;
    uint64_t code_offset;
    const char *instruction; /* its text */
    uint32_t workgroup[3];
    uint32_t wave, lanes;
    uint64_t times; /* how often the wave executed it */
    lw_line source; /* line 0 where it is not known */
} lw_origin_report;

LW_API size_t lw_origin_count(const lw_origin *origin);
/* In the order of execution, the waves as they were scheduled; NULL past the end. */
LW_API const lw_origin_report *lw_origin_at(const lw_origin *origin, size_t index);

#define LW_ORIGIN_ZERO (UINT64_MAX)    /* a constant 0 */
#define LW_ORIGIN_ONE (UINT64_MAX - 1) /* a constant 1 */
#define LW_ORIGIN_COMPUTED (UINT64_MAX - 2)
#define LW_ORIGIN_NONE (UINT64_MAX - 3) /* the instruction has no such register */

/* The number of the bit from which bit `bit` of a lane's registers of A, B, C, index or scales was copied. */
LW_API uint64_t lw_origin_bit(const lw_origin *origin, size_t index, lw_operand operand, unsigned lane,
                              unsigned bit);

#ifdef __cplusplus
}
#endif

#endif

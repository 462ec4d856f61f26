/* SPDX-License-Identifier: MIT */
/*
 * A layout as a value: which places hold which elements. It can come from a matrix instruction
 * (lw_layout_get_relation), a tile in shared memory, or the notation of another tool.
 *
 * A relation is a set of pairs (place, element). A place is a lane and a bit of the lane's string of
 * registers; bit t of the string is bit t % 32 of register t / 32. For a tile in memory the lane is 0
 * and the string is the memory. An element is row, col, k, block; coordinates that an operand does not
 * have are 0. The pairs are generated: with every digit at some value below its radix, and every base
 * taken or not, each coordinate is
 *
 *     (origin + sum of value * stride over the digits) XOR (the bases that are taken)
 *
 * then lanes are taken modulo `lanes`, and the place's first bit is start + pitch * (what that gives for
 * `bit`). A digit or base that moves only the place makes copies of elements; one that moves only the
 * element lets a place serve several elements. Strides are never negative.
 *
 * Digits express every operand of every instruction, CuTe's shapes and strides, IREE's, TIRx's and Composable
 * Kernel's tuples, and padded tiles. Bases express Triton's linear layouts and swizzled tiles: they are
 * vectors over GF(2). Where digits are powers of two that do not carry into each other, the two forms are
 * equivalent, and lw_relation_to_bases and lw_relation_to_digits convert between them. A relation has no
 * direction: its inverse is itself, read by lw_relation_places instead of lw_relation_elements.
 *
 * All structs here are plain values and frozen: they will not grow. Zero is not a valid relation: `lanes`,
 * `pitch`, `width` and the extents are at least 1.
 */
#ifndef LANEWISE_RELATION_H
#define LANEWISE_RELATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lanewise/export.h>
#include <lanewise/status.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    LW_RELATION_MAX_DIGITS = 9,
    LW_RELATION_MAX_BASES = 28,
    LW_RELATION_MAX_PAIRS = 1 << LW_RELATION_MAX_BASES, /* copies counted */
};

/* A place with an element; as a base, what is XORed into each coordinate. */
typedef struct lw_pair {
    uint32_t lane, bit;
    uint32_t row, col, k, block;
} lw_pair;

typedef struct lw_digit {
    uint32_t radix;              /* 1 or more; a digit of radix 1 has no effect */
    uint32_t lane, bit;          /* strides in places; `bit` counts `pitch` bits */
    uint32_t row, col, k, block; /* strides in elements */
} lw_digit;

typedef struct lw_relation {
    uint32_t digits, bases; /* how many of each there are */
    lw_digit digit[LW_RELATION_MAX_DIGITS];
    lw_pair base[LW_RELATION_MAX_BASES]; /* `bit` counts `pitch` bits */
    lw_pair origin;                      /* `bit` counts `pitch` bits */
    uint32_t pitch;                      /* bits for each step of `bit`: 1, or from one element to the next */
    uint32_t start;                      /* bits before the first place; less than `bits` */
    uint32_t lanes;                      /* of the wave, or threads in all */
    uint32_t bits;                       /* of a lane's registers, or of the memory */
    uint32_t width;                      /* bits of an element */
    uint32_t rows, cols, ks, blocks;     /* extents; 1 for a coordinate that it lacks */
} lw_relation;

/*
 * LW_OK where the relation keeps the limits above, has at most LW_RELATION_MAX_PAIRS pairs, and every pair
 * lies inside: row < rows and so on, and the last bit of a place < bits. Otherwise LW_E_ARGUMENT and a
 * sentence that says what is wrong. The bounds of pairs are taken from the sum of all strides; where digits
 * and bases move one coordinate this can refuse a relation that would just fit. Lanes that wrap around
 * (reach `lanes` before the modulo) and bases that move lanes need a power of two of lanes.
 * All functions below except lw_relation_pair return LW_E_ARGUMENT for a relation that fails this check.
 */
LW_API lw_status lw_relation_check(const lw_relation *relation, lw_error *error);

/* How many pairs the relation generates: the product of the radices times 2 to the bases. */
LW_API lw_status lw_relation_pairs(const lw_relation *relation, size_t *count);

/*
 * Pair number n, digit 0 counting fastest, bases after all digits; `bit` is the first bit of the place.
 * Does not check the relation, so that listing all pairs is fast: for a relation that lw_relation_check
 * refuses, the result has no meaning. LW_E_ARGUMENT for NULL and for n past the last pair.
 */
LW_API lw_status lw_relation_pair(const lw_relation *relation, size_t n, lw_pair *pair);

/*
 * What does the place hold that begins at this bit of this lane? Writes at most `capacity` pairs and always
 * their full number; none where nothing begins there. `pairs` may be NULL when capacity is 0. A pair that
 * the relation generates twice is given twice. LW_E_ARGUMENT for NULL and for places outside.
 */
LW_API lw_status lw_relation_elements(const lw_relation *relation, uint32_t lane, uint32_t bit,
                                      lw_pair *pairs, size_t capacity, size_t *count);

/* Where is the element at `element`'s row, col, k, block (its lane and bit are ignored)? As above. */
LW_API lw_status lw_relation_places(const lw_relation *relation, const lw_pair *element, lw_pair *pairs,
                                    size_t capacity, size_t *count);

/*
 * The same pairs in normal form. Digits: none of radix 1 or without strides; neighbours joined (s0 at
 * stride d and s1 at stride s0 * d are one digit); those that move the bit first, by rising stride, then
 * those that move the lane, then those that move the element only. Bases: the reduced echelon form (each has
 * a lowest bit, in the order bit, lane, row, col, k, block, that no other has), in the order of those bits.
 * `pitch` is the greatest step of all (with bases, the greatest power of two), and `start` takes the
 * constant. `result` may be the relation itself, here and below.
 */
LW_API lw_status lw_relation_normalize(const lw_relation *relation, lw_relation *result);

/*
 * The same pairs as bases only, in normal form; the vectors of register and lane are then what Triton
 * prints. LW_E_UNSUPPORTED where a radix is not a power of two, or where a sum of two digits, or of a digit
 * and the origin, carries (lanes rotated by BLGP); the sentence says which.
 */
LW_API lw_status lw_relation_to_bases(const lw_relation *relation, lw_relation *result, lw_error *error);

/*
 * The same pairs as digits only, in normal form. LW_E_UNSUPPORTED where bases share bits of a coordinate
 * with each other or with the origin (a swizzle), or more than nine digits would be needed.
 */
LW_API lw_status lw_relation_to_digits(const lw_relation *relation, lw_relation *result, lw_error *error);

/*
 * Are the two the same set of pairs, of elements of the same width? Extents, `bits`, the order of digits and
 * how often a pair is generated do not matter. At worst it looks up every pair of both.
 */
LW_API lw_status lw_relation_equal(const lw_relation *a, const lw_relation *b, bool *equal);

/*
 * Swizzles places, as CuTe's Swizzle<bits, base, shift> does: a place's first bit is counted in `unit` bits
 * (an element, or 8 for bytes); of that number x, the `bits` bits from base + shift on are XORed into those
 * from base on; where shift is negative, the bits from base on into those from base - shift on. It is its own
 * inverse. LW_E_ARGUMENT for bits 0, |shift| < bits, anything beyond 32 bits, unit 0; LW_E_UNSUPPORTED where
 * places are not multiples of the unit, or the digits that are swizzled are not powers of two.
 */
LW_API lw_status lw_relation_swizzle(const lw_relation *relation, uint32_t unit, unsigned bits, unsigned base,
                                     int shift, lw_relation *result, lw_error *error);

/*
 * Goes from places of `from` to places of `to` that hold the same element: how data moves from one operand
 * to another, or which bytes of a tile lanes load. The result has the places, lanes, bits and width of
 * `from`; its elements are places of `to`: `row` is the lane, `col` the first bit; rows and cols are `to`'s
 * lanes and bits, ks and blocks are 1. Where `to` has copies, there is a pair for each.
 * Where the steps of `from` do not fit those of `to` (6 elements a lane into 4 a lane) the digits of `from`
 * are divided into prime factors, smallest first; LW_E_UNSUPPORTED where that does not suffice, or where an
 * element of `from` has no place in `to`. Every pair of the result has been compared.
 */
LW_API lw_status lw_relation_compose(const lw_relation *from, const lw_relation *to, lw_relation *result,
                                     lw_error *error);

#ifdef __cplusplus
}
#endif

#endif

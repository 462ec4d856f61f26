/* SPDX-License-Identifier: MIT */
/* Which element sits in a place of a PTX operand, by the PTX ISA manual's formulas, place by place. */
#ifndef LW_TESTS_LAYOUTS_PTX_NAIVE_H
#define LW_TESTS_LAYOUTS_PTX_NAIVE_H

#include <stdbool.h>

#include <lanewise/insn.h>

typedef struct ptx_case {
    const char *spelling;
    lw_insn_info info;
    lw_mods mods;
    lw_operand operand;
    const char *format;
    unsigned bits; /* of the format */
    unsigned selector, byte_id, thread_id, scales;
} ptx_case;

typedef struct ptx_element {
    unsigned row, col, k, block;
} ptx_element;

/* Bits from one place to the next, and from a place's beginning to its element. */
unsigned ptx_slot_bits(const ptx_case *c);
unsigned ptx_offset(const ptx_case *c);

/* The element in slot `slot` of register `reg` of a lane; false when nothing is there. */
bool ptx_find(const ptx_case *c, unsigned lane, unsigned reg, unsigned slot, ptx_element *element);

#endif

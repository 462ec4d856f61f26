/* SPDX-License-Identifier: MIT */
/*
 * The layout rules of AMD's matrix instructions written down a second time, as the documents state them: one
 * formula per operand kind with division and remainder, no digits, no shared code.
 */
#ifndef LW_TESTS_LAYOUTS_NAIVE_H
#define LW_TESTS_LAYOUTS_NAIVE_H

#include <lanewise/lanewise.h>

enum { NAIVE_MAX = 8192 };

/*
 * Fills `out` (NAIVE_MAX entries) with every (place, element) pair in any order and returns their number.
 * `width` is the operand's bits per element with `mods`, whose `wave` is the wave size. Each copy of an
 * element is a pair of its own.
 */
size_t naive_entries(const lw_insn_info *info, lw_operand operand, unsigned width, const lw_mods *mods,
                     lw_layout_entry *out);

/* The same for WMMA and SWMMAC, to which naive_entries delegates. */
size_t naive_wmma_entries(const lw_insn_info *info, lw_operand operand, unsigned width, const lw_mods *mods,
                          lw_layout_entry *out);

#endif

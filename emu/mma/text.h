/* SPDX-License-Identifier: MIT */
/* Exact numbers as text. */
#ifndef LW_EMU_MMA_TEXT_H
#define LW_EMU_MMA_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "isa_tables/formats.h"

enum { LW_NUMBER_TEXT = 32 };

/*
 * (-1)^neg * sig * 2^exp: decimal where that takes few digits, otherwise as a hexadecimal fraction and a
 * power of two. `text` has LW_NUMBER_TEXT bytes.
 */
void lw_text_number(bool neg, uint64_t sig, int exp, char *text);

/* The number, infinity or NaN that a code means. */
void lw_text_code(const lw_format *format, uint64_t code, char *text);

#endif

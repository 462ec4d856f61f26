/* SPDX-License-Identifier: MIT */
/* Reading numbers and lists of numbers from words. Whole words only: "5x" is not a number. */
#ifndef LW_CLI_PARSE_H
#define LW_CLI_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Decimal or 0x hexadecimal, no sign, no blanks. */
bool parse_u64(const char *text, uint64_t *value);

/*
 * An integer literal that fits in `size` bytes (1, 2, 4, 8) as signed or unsigned; *bits is its
 * two's complement, zero above `size` bytes.
 */
bool parse_integer(const char *text, unsigned size, bool is_signed, uint64_t *bits);

/* Between 1 and `most` numbers separated by commas, each at least `low`; *count says how many. */
bool parse_numbers(const char *text, uint64_t low, size_t most, uint64_t *values, size_t *count);

/* "X", "X,Y" or "X,Y,Z", each 1 .. 2^32-1; missing ones are 1. */
bool parse_dims(const char *text, uint32_t dims[3]);

/* Pairs of hexadecimal digits, first byte first, blanks and underscores between pairs allowed. */
bool parse_hex_bytes(const char *text, uint8_t *bytes, size_t room, size_t *size);

/* "1000000", "512M", "8G": a number of bytes above 0; K, M, G, T are powers of 1024. */
bool parse_size(const char *text, uint64_t *bytes);

#endif

/* SPDX-License-Identifier: MIT */
#include "emu/mma/pack.h"

#include <string.h>

#include "emu/fast/dense.h"

enum { BYTE_ROWS = 4, HALF_ROWS = 2 };

static bool is_whole(const lw_format *format)
{
    return format->bits == 8u * lw_format_bytes(format);
}

bool lw_mma_pack_is_copy(const lw_mma_port *port, const lw_format *format)
{
    return is_whole(format) && port->row_elements * (unsigned)format->bits == 32u * port->row_words;
}

/* Packs bytes into a string of codes of fewer than eight bits. */
static void pack_narrow(const uint8_t *codes, unsigned count, unsigned bits, uint32_t *out)
{
    const uint32_t mask = (1u << bits) - 1;
    uint64_t string = 0;
    unsigned held = 0;
    for (unsigned i = 0; i < count; i++) {
        string |= (uint64_t)(codes[i] & mask) << held;
        held += bits;
        if (held >= 32) {
            *out++ = (uint32_t)string;
            string >>= 32;
            held -= 32;
        }
    }
    if (held)
        *out = (uint32_t)string;
}

void lw_mma_pack_rows(const lw_mma_port *port, const lw_format *format, const void *matrix, uint32_t *image)
{
    const unsigned rows = port->elements / port->row_elements, count = port->row_elements;
    const size_t bytes = (size_t)count * lw_format_bytes(format);
    const char *from = matrix;
    if (lw_mma_pack_is_copy(port, format)) {
        memcpy(image, from, rows * bytes);
        return;
    }
    if (format->bits == 4 && count % 8 == 0) { /* whole words: rows follow each other without a gap */
        lw_dense_nibbles((const uint8_t *)from, port->words, image);
        return;
    }
    if (format->bits == 1 && count % 32 == 0) {
        lw_dense_bits((const uint8_t *)from, port->words, image);
        return;
    }
    for (unsigned row = 0; row < rows; row++, from += bytes, image += port->row_words) {
        if (is_whole(format)) {
            image[port->row_words - 1u] = 0;
            memcpy(image, from, bytes);
        } else {
            pack_narrow((const uint8_t *)from, count, format->bits, image);
        }
    }
}

/* A word of each column, from the remaining rows of bytes. */
static void join_bytes(const uint8_t *rows, unsigned columns, unsigned count, uint32_t *out)
{
    if (count >= BYTE_ROWS) {
        lw_dense_byte_columns(rows, columns, out);
        return;
    }
    for (unsigned x = 0; x < columns; x++) {
        out[x] = 0;
        for (unsigned n = 0; n < count; n++)
            out[x] |= (uint32_t)rows[n * columns + x] << 8 * n;
    }
}

static void columns_of_bytes(const uint8_t *matrix, unsigned rows, unsigned columns, uint32_t *out)
{
    for (unsigned y = 0; y < rows; y += BYTE_ROWS, out += columns)
        join_bytes(matrix + (size_t)y * columns, columns, rows - y, out);
}

static void columns_of_nibbles(const uint8_t *matrix, unsigned rows, unsigned columns, uint32_t *out)
{
    for (unsigned y = 0; y < rows; y += 2 * BYTE_ROWS, matrix += 2 * BYTE_ROWS * columns, out += columns)
        lw_dense_nibble_columns(matrix, columns, out);
}

static void columns_of_bits(const uint8_t *matrix, unsigned rows, unsigned columns, uint32_t *out)
{
    for (unsigned y = 0; y < rows; y += 32, matrix += (size_t)32 * columns, out += columns)
        lw_dense_bit_columns(matrix, columns, out);
}

static void columns_of_halves(const char *restrict matrix, unsigned rows, unsigned columns,
                              uint32_t *restrict out)
{
    uint16_t last[64];
    const size_t bytes = columns * sizeof(*last);
    for (unsigned y = 0; y + 1 < rows; y += HALF_ROWS, out += columns)
        lw_dense_half_columns(matrix + y * bytes, columns, out);
    if (rows % HALF_ROWS == 0)
        return;
    memcpy(last, matrix + (rows - 1) * bytes, bytes);
    for (unsigned x = 0; x < columns; x++)
        out[x] = last[x];
}

static void columns_of_doubles(const char *matrix, unsigned rows, unsigned columns, uint32_t *out)
{
    if (columns == 4) {
        lw_dense_evens(matrix, rows, out);
        return;
    }
    lw_dense_part(matrix, rows * columns, columns, out);
}

/* Codes of any width below eight bits; a code may span two words. */
static void columns_of_narrow(const uint8_t *restrict matrix, unsigned rows, unsigned columns, unsigned bits,
                              unsigned words, uint32_t *restrict out)
{
    const uint32_t mask = (1u << bits) - 1;
    memset(out, 0, (size_t)words * columns * sizeof(*out));
    for (unsigned y = 0; y < rows; y++) {
        const unsigned at = y * bits, shift = at % 32;
        uint32_t *word = out + (size_t)(at / 32) * columns;
        for (unsigned x = 0; x < columns; x++)
            word[x] |= (matrix[y * columns + x] & mask) << shift;
        if (shift + bits > 32)
            for (unsigned x = 0; x < columns; x++)
                word[columns + x] |= (matrix[y * columns + x] & mask) >> (32 - shift);
    }
}

void lw_mma_pack_columns(const lw_mma_port *port, const lw_format *format, unsigned columns,
                         const void *matrix, uint32_t *image)
{
    const unsigned rows = port->row_elements, blocks = port->elements / rows / columns;
    const char *from = matrix;
    if (format->bits == 32) {
        memcpy(image, from, (size_t)blocks * rows * columns * sizeof(*image));
        return;
    }
    if (format->bits == 8 && rows == 4 && columns == 4) {
        lw_dense_byte_squares(matrix, blocks, image);
        return;
    }
    for (unsigned block = 0; block < blocks; block++) {
        const uint8_t *bytes = (const uint8_t *)from;
        if (format->bits == 64)
            columns_of_doubles(from, rows, columns, image);
        else if (format->bits == 16)
            columns_of_halves(from, rows, columns, image);
        else if (format->bits == 8)
            columns_of_bytes(bytes, rows, columns, image);
        else if (format->bits == 4 && rows % 8 == 0 && columns % 8 == 0)
            columns_of_nibbles(bytes, rows, columns, image);
        else if (format->bits == 1 && rows % 32 == 0 && columns % 8 == 0)
            columns_of_bits(bytes, rows, columns, image);
        else
            columns_of_narrow(bytes, rows, columns, format->bits, port->row_words, image);
        from += (size_t)rows * columns * lw_format_bytes(format);
        image += (size_t)port->row_words * columns;
    }
}

void lw_mma_turn(unsigned blocks, unsigned words, unsigned columns, const uint32_t *restrict from,
                 uint32_t *restrict to)
{
    const unsigned size = words * columns;
    for (unsigned block = 0; block < blocks; block++, from += size, to += size)
        lw_dense_turn(from, columns, words, columns, to, words);
}

void lw_mma_unpack_rows(const lw_mma_port *port, const lw_format *format, const uint32_t *image, void *matrix)
{
    const unsigned rows = port->elements / port->row_elements, count = port->row_elements;
    const size_t bytes = (size_t)count * lw_format_bytes(format);
    char *to = matrix;
    if (lw_mma_pack_is_copy(port, format)) {
        memcpy(to, image, rows * bytes);
        return;
    }
    for (unsigned row = 0; row < rows; row++, to += bytes, image += port->row_words)
        if (is_whole(format))
            memcpy(to, image, bytes);
        else
            for (unsigned i = 0; i < count; i++)
                to[i] = (char)lw_mma_code(image, i, format->bits);
}

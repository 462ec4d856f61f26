/* SPDX-License-Identifier: MIT */
/* Not by printf, which would take longer than everything else that disassembling does. */
#include <stdio.h>
#include <string.h>

#include "cli/disasm_block.h"

enum { TEXT_WIDTH = 59, PIECE = 64, MAX_BYTES = 24 };

void block_flush(block *b)
{
    fwrite(b->at, 1, b->used, stdout);
    b->used = 0;
}

/* Where `size` more bytes have room. */
static char *make_room(block *b, size_t size)
{
    if (sizeof(b->at) - b->used < size)
        block_flush(b);
    return b->at + b->used;
}

void block_put(block *b, const char *text, size_t length)
{
    if (length > sizeof(b->at)) {
        block_flush(b);
        fwrite(text, 1, length, stdout);
        return;
    }
    memcpy(make_room(b, length), text, length);
    b->used += length;
}

/* Eight digits, computed side by side, a byte each. */
static char *put_hex32(char *to, uint32_t v)
{
    uint64_t x = v;
    x = (x | x << 16) & UINT64_C(0x0000ffff0000ffff);
    x = (x | x << 8) & UINT64_C(0x00ff00ff00ff00ff);
    x = (x | x << 4) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    const uint64_t letters = (x + UINT64_C(0x0606060606060606)) >> 4 & UINT64_C(0x0101010101010101);
    x += UINT64_C(0x3030303030303030) + letters * ('A' - '0' - 10);
    for (unsigned i = 0; i < 8; i++)
        to[i] = (char)(x >> (56 - 8 * i));
    return to + 8;
}

/* 12 to 16 digits: the first eight and the last eight. */
static char *put_address(char *to, uint64_t address)
{
    unsigned digits = 12;
    while (digits < 16 && address >> 4 * digits)
        digits++;
    put_hex32(to, (uint32_t)(address >> 4 * (digits - 8)));
    return put_hex32(to + digits - 8, (uint32_t)address);
}

/* Whole dwords, or what remains after the last one, byte by byte. */
static char *put_words(char *to, const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i + 4 <= size && i < MAX_BYTES; i += 4) {
        const uint8_t *b = bytes + i;
        *to++ = ' ';
        to = put_hex32(to, b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24);
    }
    for (size_t i = 0; size < 4 && i < size; i++) {
        char digits[8];
        put_hex32(digits, bytes[i]);
        *to++ = ' ';
        *to++ = digits[6];
        *to++ = digits[7];
    }
    return to;
}

/* Blanks up to the comment. Pieces of a fixed size, which may write more than is kept: these are copied
 * without a call. */
static char *put_text(char *to, const char *text)
{
    const size_t length = strlen(text);
    if (length > TEXT_WIDTH) {
        memcpy(to, text, length);
        return to + length;
    }
    memcpy(to, text, PIECE);
    memset(to + length, ' ', PIECE);
    return to + TEXT_WIDTH;
}

void block_instruction(block *b, uint64_t address, const uint8_t *bytes, const lw_disasm *in, bool open)
{
    char *const line = make_room(b, sizeof(in->text) + 2 * PIECE + 32 + 3 * MAX_BYTES), *to = line;
    *to++ = '\t';
    to = put_text(to, in->text);
    memcpy(to, "// ", 3);
    to = put_address(to + 3, address);
    *to++ = ':';
    to = put_words(to, bytes, in->size);
    if (!open)
        *to++ = '\n';
    b->used += (size_t)(to - line);
}

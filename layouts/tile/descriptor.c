/* SPDX-License-Identifier: MIT */
/*
 * A and B of wgmma and tcgen05.mma in shared memory: PTX ISA, matrix descriptors; equal to CUTLASS's
 * descriptors and swizzled layouts, element for element.
 */
#include <stdlib.h>

#include "isa_tables/error.h"
#include "isa_tables/options.h"
#include "isa_tables/ptx/row.h"
#include "layouts/tile/tile.h"

enum { PIECE = 16, GROUP = 8 }; /* bytes that stay together; rows of a swizzle's pattern */

lw_status lw_descriptor_fill(uint64_t descriptor, lw_descriptor *fields)
{
    static const uint8_t widths[] = { 0, 128, 64, 32 };
    const lw_descriptor made = {
        .struct_size = sizeof(made),
        .start = (uint32_t)(descriptor & 0x3fff) << 4,
        .leading = (uint32_t)(descriptor >> 16 & 0x3fff) << 4,
        .stride = (uint32_t)(descriptor >> 32 & 0x3fff) << 4,
        .base_offset = (uint8_t)(descriptor >> 49 & 7),
        .swizzle = widths[descriptor >> 62],
    };
    return fields && lw_options_give(fields, &made, sizeof(made), sizeof(made)) ? LW_OK : LW_E_ARGUMENT;
}

/* tcgen05: bits 63:61 are the swizzle, 48:46 a version; 1 is a swizzle of pieces of 32 bytes, four rows high.
 */
enum { WIDE_PIECES = 1 };
static lw_status read_tensor(uint64_t descriptor, bool *wide, lw_descriptor *d, lw_error *error)
{
    static const uint8_t widths[] = { 0, 128, 128, 0, 64, 0, 32, 0 };
    const unsigned mode = (unsigned)(descriptor >> 61), version = (unsigned)(descriptor >> 46 & 7);
    lw_descriptor_fill(descriptor, d);
    d->swizzle = widths[mode];
    *wide = mode == WIDE_PIECES;
    if (mode && !d->swizzle)
        return lw_error_fail(error, LW_E_UNSUPPORTED,
                             "the descriptor has the swizzle %u, which means nothing", mode);
    if (version != 1)
        return lw_error_fail(error, LW_E_UNSUPPORTED,
                             "a descriptor of tcgen05 has 1 in its bits 48:46, this one has %u", version);
    if (descriptor >> 52 & 1)
        return lw_error_fail(
            error, LW_E_UNSUPPORTED,
            "the descriptor has an absolute leading-dimension offset (bit 52), which is not in "
            "this version");
    return LW_OK;
}

/* Swizzles 16-byte pieces within the pattern: bits 4 and up of the address are XORed with bits 7 and up. */
static uint64_t turn(const lw_descriptor *d, bool wide, uint64_t address)
{
    if (wide)
        return address ^ (address >> 7 & 3) << 5;
    const uint64_t mask = d->swizzle ? d->swizzle / PIECE - 1 : 0;
    return address ^ (address >> 7 & mask) << 4;
}

/* The byte of row or column `mn` at byte `b` of k, where k is contiguous. */
static uint64_t by_k(const lw_descriptor *d, uint64_t mn, uint64_t b)
{
    const uint64_t group = d->start + mn / GROUP * d->stride;
    return d->swizzle ? group + mn % GROUP * d->swizzle + b
                      : group + mn % GROUP * PIECE + b / PIECE * d->leading + b % PIECE;
}

/* The byte at k and byte `c` of the rows or columns, where those are contiguous. */
static uint64_t by_mn(const lw_descriptor *d, bool wide, uint64_t k, uint64_t c)
{
    const unsigned group = wide ? GROUP / 2 : GROUP;
    if (d->swizzle)
        return d->start + c % d->swizzle + c / d->swizzle * d->leading + k % group * d->swizzle +
               k / group * d->stride;
    return d->start + c % PIECE + c / PIECE * d->stride + k % GROUP * PIECE + k / GROUP * d->leading;
}

/* Which of the two coordinates is contiguous, and their extents. */
typedef struct shape {
    bool is_a, turned, wide; /* wide: pieces of 32 bytes are swizzled */
    uint32_t mn, k, width;
} shape;

static lw_status check(lw_arch arch, const lw_insn *insn, lw_operand operand, const lw_mods *mods,
                       const lw_descriptor *d, shape *s, lw_error *error)
{
    lw_operand_info info;
    const bool wide = s->wide;
    if (!insn || !lw_ptx_has_parts(insn) || operand > LW_OPERAND_B)
        return lw_error_fail(error, LW_E_ARGUMENT, "descriptors are of A and B of wgmma and tcgen05.mma");
    const lw_status st = lw_insn_operand(arch, insn, operand, mods, &info, error);
    if (st != LW_OK)
        return st;
    const lw_mods none = { 0 };
    mods = mods ? mods : &none;
    *s = (shape){ .is_a = operand == LW_OPERAND_A, .width = info.element_bits, .wide = wide };
    s->turned = s->is_a ? mods->ptx.a_col : mods->ptx.b_row;
    s->mn = s->is_a ? insn->m : insn->n;
    s->k = s->is_a && lw_ptx_is_sparse(insn) ? insn->k / 2u : insn->k;
    if (lw_ptx_is_tensor(insn) && wide != (s->turned && s->width == 32))
        return lw_error_fail(
            error, LW_E_UNSUPPORTED,
            "tf32 that lies M-major or N-major, and nothing else, has the swizzle of pieces of 32 "
            "bytes (1 in bits 63:61)");
    if (insn->ptx->data == LW_PTX_FLOAT8 && s->width < 8)
        return lw_error_fail(
            error, LW_E_UNSUPPORTED,
            "how elements of 6 and 4 bits are padded in shared memory is not in this version");
    if (d->base_offset)
        return lw_error_fail(error, LW_E_UNSUPPORTED,
                             "the descriptor has the base offset %u: nothing is known of others than 0",
                             d->base_offset);
    if (!s->turned && d->swizzle && d->swizzle * 8u < s->k * s->width)
        return lw_error_fail(error, LW_E_UNSUPPORTED,
                             "a swizzle of %u bytes cannot hold the %u bytes of k that a %s has", d->swizzle,
                             s->k * s->width / 8, s->is_a ? "row" : "column");
    return LW_OK;
}

static void place(const shape *s, const lw_descriptor *d, lw_tile *tile)
{
    for (uint32_t row = 0; row < tile->rows; row++)
        for (uint32_t col = 0; col < tile->cols; col++) {
            const uint64_t mn = s->is_a ? row : col, k = s->is_a ? col : row;
            const uint64_t bit = (s->turned ? mn : k) * s->width;
            const uint64_t byte = s->turned ? by_mn(d, s->wide, k, bit / 8) : by_k(d, mn, bit / 8);
            const uint64_t at = turn(d, s->wide, byte) * 8 + bit % 8;
            tile->bit[(size_t)row * tile->cols + col] = at;
            tile->bits = at + s->width > tile->bits ? at + s->width : tile->bits;
        }
}

lw_status lw_tile_of_descriptor(lw_arch arch, const lw_insn *insn, lw_operand operand, const lw_mods *mods,
                                uint64_t descriptor, lw_tile **tile, lw_error *error)
{
    lw_descriptor d = { .struct_size = sizeof(d) };
    shape s = { .width = 0 };
    if (!tile)
        return lw_error_fail(error, LW_E_ARGUMENT, "lw_tile_of_descriptor needs a result");
    lw_descriptor_fill(descriptor, &d);
    lw_status st = insn && lw_ptx_is_tensor(insn) ? read_tensor(descriptor, &s.wide, &d, error) : LW_OK;
    if (st == LW_OK)
        st = check(arch, insn, operand, mods, &d, &s, error);
    if (st != LW_OK)
        return st;
    lw_tile *made = malloc(sizeof(*made));
    if (made)
        *made = (lw_tile){ .name = "descriptor",
                           .rows = s.is_a ? s.mn : s.k,
                           .cols = s.is_a ? s.k : s.mn,
                           .width = s.width,
                           .bit = malloc((size_t)s.mn * s.k * sizeof(*made->bit)) };
    if (!made || !made->bit) {
        lw_tile_free(made);
        return lw_error_fail(error, LW_E_NO_MEMORY, "no memory for a tile");
    }
    place(&s, &d, made);
    *tile = made;
    return LW_OK;
}

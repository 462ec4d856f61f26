/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "layouts/ptx_naive.h"

static bool spells(const ptx_case *c, const char *part)
{
    return strstr(c->spelling, part) != NULL;
}

static bool is(const ptx_case *c, const char *format)
{
    return strcmp(c->format, format) == 0;
}

static bool in_byte(const ptx_case *c)
{
    if (is(c, "e4m3") || is(c, "e5m2") || is(c, "e3m2") || is(c, "e2m3"))
        return true;
    return is(c, "e2m1") && spells(c, "f8f6f4");
}

unsigned ptx_slot_bits(const ptx_case *c)
{
    if (c->operand == LW_OPERAND_INDEX)
        return 4;
    if (c->operand == LW_OPERAND_SCALE_A || c->operand == LW_OPERAND_SCALE_B)
        return 8;
    if (spells(c, "matrix"))
        return spells(c, "b16") && !spells(c, "b8x16") ? 16 : 8;
    return in_byte(c) ? 8 : c->bits;
}

unsigned ptx_offset(const ptx_case *c)
{
    return is(c, "e2m1") && in_byte(c) ? 2 : 0;
}

/* A of m16n8kK and m8n8kK. */
static ptx_element a_16(unsigned g, unsigned t, unsigned r, unsigned j, unsigned e)
{
    return (ptx_element){ .row = g + 8 * (r & 1), .k = e * t + j + 4 * e * (r >> 1) };
}

static ptx_element find_a(const ptx_case *c, unsigned g, unsigned t, unsigned r, unsigned j, unsigned e)
{
    const bool wmma = spells(c, "wmma");
    const unsigned m = c->info.m, kk = spells(c, "mma.sp") ? c->info.k / 2u : c->info.k;
    if (m == 8) /* L8, and m8n32k16 */
        return (ptx_element){ .row = g, .k = e * t + j + 4 * e * (r % (kk / (4 * e))) };
    if (wmma && m == 16)
        return a_16(g, t, r % (kk == 4 * e ? 2 : 4), j, e);
    if (wmma && m == 32 && kk == 4 * e) /* int8 */
        return (ptx_element){ .row = g + 8 * r, .k = e * t + j };
    if (wmma && m == 32)
        return (ptx_element){ .row = g + 8 * (r & 1) + 16 * (r >> 2), .k = e * t + j + 8 * (r >> 1 & 1) };
    return a_16(g, t, r, j, e);
}

static ptx_element find_b(const ptx_case *c, unsigned g, unsigned t, unsigned r, unsigned j, unsigned e)
{
    const unsigned n = c->info.n, k = c->info.k;
    const bool bytes = k == 4 * e;
    if (n == 8)
        return (ptx_element){ .k = e * t + j + 4 * e * (r % (k / (4 * e))), .col = g };
    if (bytes)
        return (ptx_element){ .k = e * t + j, .col = g + 8 * r };
    if (n == 16)
        return (ptx_element){ .k = e * t + j + 4 * e * (r & 1), .col = g + 8 * (r >> 1 & 1) };
    return (ptx_element){ .k = e * t + j + 8 * (r >> 1 & 1), .col = g + 8 * (r & 1) + 16 * (r >> 2) };
}

/* `v` counts elements of a lane. */
static ptx_element find_c(const ptx_case *c, unsigned g, unsigned t, unsigned v)
{
    const unsigned pair = 2 * t + (v & 1), high = 8 * (v >> 1 & 1);
    if (c->info.m == 16 && c->info.n == 16)
        return (ptx_element){ .row = g + high, .col = pair + 8 * (v >> 2) };
    if (c->info.n == 32 && c->info.arch < LW_ARCH_SM_80 && is(c, "s32")) /* four products of 8 x 8 */
        return (ptx_element){ .row = g, .col = pair + 8 * (v >> 1) };
    if (c->info.n == 32)
        return (ptx_element){ .row = pair, .col = g + high + 16 * (v >> 2) };
    return (ptx_element){ .row = g + high + 16 * (v >> 2), .col = pair };
}

static ptx_element find_quads(const ptx_case *c, unsigned lane, unsigned reg, unsigned slot)
{
    const unsigned q = lane & 3, hi = lane >= 16, p = lane >> 2 & 3, i = 2 * reg + slot;
    if (c->operand == LW_OPERAND_A)
        return spells(c, "m8n8k4.col") ? (ptx_element){ .row = i + 4 * hi, .k = q, .block = p }
                                       : (ptx_element){ .row = q + 4 * hi, .k = i, .block = p };
    if (c->operand == LW_OPERAND_B)
        return spells(c, ".row.f") ? (ptx_element){ .k = q, .col = i + 4 * hi, .block = p }
                                   : (ptx_element){ .k = i, .col = q + 4 * hi, .block = p };
    if (c->bits == 16)
        return (ptx_element){ .row = q + 4 * hi, .col = i, .block = p };
    return (ptx_element){ .row = (lane & 1) + (reg & 2) + 4 * hi,
                          .col = (reg & 4) + (lane & 2) + (reg & 1),
                          .block = p };
}

/* The table of nibbles, case by case; `c` is the nibble's place in the word. */
static bool find_index(const ptx_case *c, unsigned g, unsigned t, unsigned n, ptx_element *out)
{
    const unsigned f = c->selector, k = c->info.k;
    const bool tf32 = spells(c, "tf32"), wide = tf32 || spells(c, "f16.f16") || spells(c, "bf16");
    const bool nibbles = spells(c, "s4") || spells(c, "u4") || spells(c, "mxf4");
    const bool first_shape = wide ? k == (tf32 ? 8u : 16u) : k == (nibbles ? 64u : 32u);
    if (wide && first_shape) {
        *out = (ptx_element){ .row = g + 8 * (n / 4), .k = n % 4 };
        return t == f;
    }
    if (wide) {
        *out = (ptx_element){ .row = g + 8 * (n / 4), .k = 4 * (t & 1) + n % 4 };
        return t >> 1 == f;
    }
    if (first_shape) {
        *out = (ptx_element){ .row = g + 8 * (t & 1), .k = n };
        return t >> 1 == f;
    }
    *out = (ptx_element){ .row = g + 8 * (t & 1), .k = 8 * (t >> 1) + n };
    return true;
}

static bool find_scale(const ptx_case *c, unsigned g, unsigned t, unsigned byte, ptx_element *out)
{
    const unsigned i = byte - c->byte_id;
    if (byte < c->byte_id || i >= c->scales)
        return false;
    if (c->operand == LW_OPERAND_SCALE_B) {
        *out = (ptx_element){ .col = g, .k = i };
        return t == c->thread_id;
    }
    *out = (ptx_element){ .row = t % 2 ? g + 8 : g, .k = i };
    return t / 2 == c->thread_id;
}

/* Row and place in the row of the matrix in memory. */
static ptx_element find_moved(const ptx_case *c, unsigned g, unsigned t, unsigned reg, unsigned e)
{
    unsigned row, at, block = reg;
    const bool trans = spells(c, ".trans") && !(spells(c, "movmatrix") && c->operand == LW_OPERAND_A);
    if (spells(c, "m16n16")) {
        row = 4 * t + e;
        at = g + 8 * (reg & 1);
        block = reg >> 1;
    } else if (spells(c, "m8n16")) {
        row = g;
        at = 4 * t + e;
    } else if (spells(c, "m16n8")) {
        row = 2 * t + (e & 1);
        at = g + 8 * (e >> 1);
    } else {
        row = trans ? 2 * t + e : g;
        at = trans ? g : 2 * t + e;
    }
    if (c->operand == LW_OPERAND_A)
        return (ptx_element){ .row = row, .k = at, .block = block };
    return (ptx_element){ .row = row, .col = at, .block = block };
}

bool ptx_find(const ptx_case *c, unsigned lane, unsigned reg, unsigned slot, ptx_element *out)
{
    const unsigned g = lane >> 2, t = lane & 3, bits = ptx_slot_bits(c), e = bits > 32 ? 1 : 32 / bits;
    if (spells(c, "matrix")) {
        *out = find_moved(c, g, t, reg, slot);
        return true;
    }
    if (c->operand == LW_OPERAND_INDEX)
        return find_index(c, g, t, slot, out);
    if (c->operand == LW_OPERAND_SCALE_A || c->operand == LW_OPERAND_SCALE_B)
        return find_scale(c, g, t, slot, out);
    if (spells(c, "m8n8k4.") && spells(c, "f16")) {
        *out = find_quads(c, lane, reg, slot);
        return true;
    }
    if (c->operand == LW_OPERAND_A)
        *out = find_a(c, g, t, reg, slot, e);
    else if (c->operand == LW_OPERAND_B)
        *out = find_b(c, g, t, reg, slot, e);
    else
        *out = find_c(c, g, t, e * reg + slot);
    return true;
}

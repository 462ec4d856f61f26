/* SPDX-License-Identifier: MIT */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "layouts/naive.h"

typedef struct place {
    unsigned lane, bit;
} place;

static bool is_f8f6f4(const lw_insn_info *info)
{
    return strstr(info->mnemonic, "f8f6f4") != NULL;
}

/* CDNA4's doubled SMFMAC: A fills four registers instead of two. */
static bool is_doubled_sparse(const lw_insn_info *info)
{
    return info->sparse && info->operand[LW_OPERAND_A].registers == 4;
}

/* AMD's calculator, dense A and B: lane groups of e = K / L adjacent k. `line` is i or j. */
static place dense(const lw_insn_info *info, unsigned width, unsigned line, unsigned k, unsigned block)
{
    const unsigned m = info->m, b = info->blocks;
    const unsigned l = 64 / (m * b), e = info->k / l;
    return (place){ block * m + k / e * (m * b) + line, k % e * width };
}

/* AMD CDNA4 ISA manual and gfx950 dumps: the inverse map, searched. */
static place f8f6f4(const lw_insn_info *info, unsigned width, unsigned line, unsigned k)
{
    const unsigned dim = info->m, l = 64u / dim, slots = info->k / l;
    for (unsigned g = 0; g < l; g++)
        for (unsigned s = 0; s < slots; s++) {
            const unsigned here = width == 8 ? 16 * l * (s / 16) + 16 * g + s % 16 : 32 * g + s;
            if (here == k)
                return (place){ dim * g + line, s * width };
        }
    abort();
}

/* Sparse A: `k` counts kept values; two of them belong to four dense k. */
static place sparse_a(const lw_insn_info *info, unsigned width, unsigned line, unsigned k)
{
    const unsigned per = (unsigned)info->k * info->m / 64, dense_k = k / 2 * 4;
    const unsigned group = dense_k % per / 4;
    return (place){ info->m * (dense_k / per) + line, (2 * group + k % 2) * width };
}

static place sparse_b(const lw_insn_info *info, unsigned width, unsigned line, unsigned k)
{
    const unsigned dim = info->m, l = 64u / dim, per = info->k / l, h = per / 2;
    if (!is_doubled_sparse(info))
        return (place){ dim * (k / per) + line, k % per * width };
    return (place){ dim * (k / h % l) + line, (h * (k / (h * l)) + k % h) * width };
}

/* Four bits per group of four, in the lane of the group's kept values. */
static place sparse_index(const lw_insn_info *info, const lw_mods *mods, unsigned line, unsigned group)
{
    const unsigned per = (unsigned)info->k * info->m / 64;
    const unsigned set_bits = per; /* per/4 groups of 4 bits */
    const unsigned set = mods->cbsz == 0 && set_bits < 32 ? mods->abid : 0;
    return (place){ info->m * (4u * group / per) + line, 4 * (4 * group % per / 4) + set * set_bits };
}

/* C and D, shape by shape, as AMD's calculator shows them. */
static place sum(const lw_insn_info *info, unsigned width, unsigned i, unsigned j, unsigned b)
{
    if (width == 64)
        return info->m == 16 ? (place){ 16 * (i % 4) + j, 64 * (i / 4) } : (place){ 16 * i + 4 * b + j, 0 };
    if (info->m == 32)
        return (place){ 32 * (i / 4 % 2) + j, 32 * (16 * b + 4 * (i / 8) + i % 4) };
    if (info->m == 16)
        return (place){ 16 * (i / 4) + j, 32 * (4 * b + i % 4) };
    return (place){ 4 * b + j, 32 * (i % 4) };
}

static unsigned blgp_lane(unsigned blgp, unsigned lane)
{
    const unsigned read[8] = { lane,      lane % 32,      32 + lane % 32, (lane + 16) % 64,
                               lane % 16, 16 + lane % 16, 32 + lane % 16, 48 + lane % 16 };
    return read[blgp];
}

static place place_a(const lw_insn_info *info, unsigned width, const lw_mods *mods, unsigned i, unsigned k,
                     unsigned b)
{
    if (info->sparse)
        return sparse_a(info, width, i, k);
    if (is_f8f6f4(info))
        return f8f6f4(info, width, i, k);
    if (info->blocks > 1 && width != 64)
        b = (b & ~((1u << mods->cbsz) - 1)) + mods->abid;
    return dense(info, width, i, k, b);
}

static place place_b(const lw_insn_info *info, unsigned width, const lw_mods *mods, unsigned j, unsigned k,
                     unsigned b)
{
    if (info->sparse)
        return sparse_b(info, width, j, k);
    if (is_f8f6f4(info))
        return f8f6f4(info, width, j, k);
    place p = dense(info, width, j, k, b);
    const bool old = info->arch == LW_ARCH_GFX908 || info->arch == LW_ARCH_GFX90A;
    const bool open = !old && info->blocks == 1 && strcmp(info->operand[LW_OPERAND_A].format, "f32") != 0;
    if (!open || (mods->readings & LW_READING_BLGP_PATTERN))
        p.lane = blgp_lane(mods->blgp, p.lane);
    return p;
}

static place scale(const lw_insn_info *info, const lw_mods *mods, unsigned which, unsigned line, unsigned q)
{
    const unsigned byte = (mods->op_sel >> which & 1u) + 2 * (mods->op_sel_hi >> which & 1u);
    return (place){ info->m * q + line, 8 * byte };
}

static place find(const lw_insn_info *info, lw_operand operand, unsigned width, const lw_mods *mods,
                  unsigned b, unsigned x, unsigned y)
{
    switch (operand) {
    case LW_OPERAND_A:
        return place_a(info, width, mods, x, y, b);
    case LW_OPERAND_B:
        return place_b(info, width, mods, y, x, b);
    case LW_OPERAND_C:
    case LW_OPERAND_D:
        return sum(info, width, x, y, b);
    case LW_OPERAND_INDEX:
        return sparse_index(info, mods, x, y);
    case LW_OPERAND_SCALE_A:
        return scale(info, mods, 0, x, y);
    case LW_OPERAND_SCALE_B:
        return scale(info, mods, 1, x, y);
    case LW_OPERAND_COUNT:
        break;
    }
    abort();
}

static void extents(const lw_insn_info *info, lw_operand operand, unsigned *xs, unsigned *ys)
{
    const unsigned dims[LW_OPERAND_COUNT][2] = {
        [LW_OPERAND_A] = { info->m, info->sparse ? info->k / 2 : info->k },
        [LW_OPERAND_B] = { info->k, info->n },
        [LW_OPERAND_C] = { info->m, info->n },
        [LW_OPERAND_D] = { info->m, info->n },
        [LW_OPERAND_INDEX] = { info->m, info->k / 4 },
        [LW_OPERAND_SCALE_A] = { info->m, info->k / 32 },
        [LW_OPERAND_SCALE_B] = { info->n, info->k / 32 },
    };
    *xs = dims[operand][0];
    *ys = dims[operand][1];
}

size_t naive_entries(const lw_insn_info *info, lw_operand operand, unsigned width, const lw_mods *mods,
                     lw_layout_entry *out)
{
    unsigned xs, ys;
    size_t count = 0;
    if (strstr(info->mnemonic, "wmma") || strstr(info->mnemonic, "swmmac"))
        return naive_wmma_entries(info, operand, width, mods, out);
    extents(info, operand, &xs, &ys);
    for (unsigned b = 0; b < info->blocks; b++)
        for (unsigned n = 0; n < xs * ys; n++) {
            const unsigned x = n / ys, y = n % ys;
            const place p = find(info, operand, width, mods, b, x, y);
            out[count++] = (lw_layout_entry){
                .lane = (uint16_t)p.lane,
                .reg = (uint16_t)(p.bit / 32),
                .lsb = (uint16_t)(p.bit % 32),
                .msb = (uint16_t)(p.bit % 32 + width - 1),
                .block = (uint16_t)b,
                .x = (uint16_t)x,
                .y = (uint16_t)y,
            };
        }
    return count;
}

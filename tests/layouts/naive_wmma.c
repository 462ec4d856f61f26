/* SPDX-License-Identifier: MIT */
/*
 * WMMA and SWMMAC as AMD's calculator (gfx11, gfx12) and the CDNA5 ISA manual (gfx1250) tabulate them:
 * register and lane of each k, case by case. `k` is dense k throughout; of a sparse A it is the first k of
 * the group.
 */
#include <stdlib.h>
#include <string.h>

#include "layouts/naive.h"

typedef struct place {
    unsigned reg, lane, bit; /* bit within the register, or beyond its end */
} place;

typedef struct question {
    const lw_insn_info *info;
    const lw_mods *mods;
    lw_operand operand;
    unsigned wave, width, a_width;
    unsigned x, y;
} question;

static bool named(const question *q, const char *part)
{
    return strstr(q->info->mnemonic, part) != NULL;
}

static unsigned element_bit(unsigned width, unsigned k)
{
    return width * (k % (32 / width));
}

/* Calculator, gfx12, dense A: rows of the table data x wave. */
static place gfx12_dense(unsigned width, unsigned total_k, unsigned wave, unsigned k)
{
    const bool w32 = wave == 32;
    if (width == 16)
        return w32 ? (place){ 2 * (k / 8) + k / 2 % 2, 16 * (k / 4 % 2), 0 }
                   : (place){ k / 2 % 2, 32 * (k / 8 % 2) + 16 * (k / 4 % 2), 0 };
    if (width == 8)
        return w32 ? (place){ k / 4 % 2, 16 * (k / 8), 0 } : (place){ 0, 32 * (k / 4 % 2) + 16 * (k / 8), 0 };
    if (total_k == 16)
        return (place){ 0, 16 * (k / 8), 0 };
    return w32 ? (place){ k / 8 % 2, 16 * (k / 16), 0 } : (place){ 0, 32 * (k / 8 % 2) + 16 * (k / 16), 0 };
}

static place gfx12_sparse_a(unsigned width, unsigned total_k, unsigned wave, unsigned k)
{
    const bool w32 = wave == 32;
    if (width == 16)
        return w32 ? (place){ 2 * (k / 16) + k / 4 % 2, 16 * (k / 8 % 2), 0 }
                   : (place){ k / 4 % 2, 16 * (k / 8), 0 };
    if (width == 8)
        return w32 ? (place){ k / 8 % 2, 16 * (k / 16), 0 }
                   : (place){ 0, 32 * (k / 8 % 2) + 16 * (k / 16), 0 };
    if (total_k == 32)
        return (place){ 0, 16 * (k / 16), 0 };
    return w32 ? (place){ k / 16 % 2, 16 * (k / 32), 0 } : (place){ 0, 32 * (k / 16 % 2) + 16 * (k / 32), 0 };
}

static place gfx12_sparse_b(unsigned width, unsigned total_k, unsigned wave, unsigned k)
{
    const bool w32 = wave == 32;
    if (width == 16)
        return w32 ? (place){ 4 * (k / 16) + k / 2 % 4, 16 * (k / 8 % 2), 0 }
                   : (place){ k / 2 % 4, 16 * (k / 8), 0 };
    if (width == 8)
        return w32 ? (place){ k / 4 % 4, 16 * (k / 16), 0 }
                   : (place){ k / 4 % 2, 32 * (k / 8 % 2) + 16 * (k / 16), 0 };
    if (total_k == 32)
        return w32 ? (place){ k / 8 % 2, 16 * (k / 16), 0 }
                   : (place){ 0, 32 * (k / 8 % 2) + 16 * (k / 16), 0 };
    return w32 ? (place){ k / 8 % 4, 16 * (k / 32), 0 }
               : (place){ k / 8 % 2, 32 * (k / 16 % 2) + 16 * (k / 32), 0 };
}

static place gfx12_index(const question *q, unsigned k)
{
    const bool w32 = q->wave == 32;
    const unsigned width = q->a_width, total_k = q->info->k;
    place p = gfx12_sparse_a(width, total_k, q->wave, k);
    unsigned sets;
    p.reg = 0;
    if (width == 16) {
        p.bit = w32 ? 8 * (k / 16) + 4 * (k / 4 % 2) : 4 * (k / 4 % 2);
        sets = w32 ? 2 : 4;
    } else if (width == 8) {
        p.bit = w32 ? 4 * (k / 4 % 4) : 4 * (k / 4 % 2);
        sets = w32 ? 2 : 4;
    } else if (total_k == 32) {
        p.bit = 4 * (k / 4 % 4);
        sets = 2;
    } else {
        p.bit = w32 ? 4 * (k / 4 % 8) : 4 * (k / 4 % 4);
        sets = w32 ? 1 : 2;
    }
    p.bit += q->mods->index_key * (32 / sets);
    return p;
}

static place gfx12_sum(const question *q)
{
    const unsigned i = q->x, j = q->y, n = q->wave == 32 ? i % 8 : i % 4;
    const unsigned lane = (q->wave == 32 ? 0 : 32 * (i / 4 % 2)) + 16 * (i / 8) + j;
    return q->width == 32 ? (place){ n, lane, 0 } : (place){ n / 2, lane, 16 * (n % 2) };
}

static place gfx11(const question *q, unsigned line, unsigned k, unsigned copy)
{
    const unsigned r = q->wave / 16;
    if (q->operand == LW_OPERAND_A || q->operand == LW_OPERAND_B)
        return (place){ 0, line + 16 * copy, q->width * k };
    const bool high = q->width == 16 && (q->mods->op_sel & 4);
    return (place){ q->x / r, 16 * (q->x % r) + q->y, high ? 16 : 0 };
}

static place gfx12(const question *q, unsigned line, unsigned k)
{
    place p;
    if (q->operand == LW_OPERAND_C || q->operand == LW_OPERAND_D)
        return gfx12_sum(q);
    if (q->operand == LW_OPERAND_INDEX) {
        p = gfx12_index(q, 4 * k);
    } else if (!q->info->sparse) {
        p = gfx12_dense(q->width, q->info->k, q->wave, k);
        p.bit = element_bit(q->width, k);
    } else if (q->operand == LW_OPERAND_B) {
        p = gfx12_sparse_b(q->width, q->info->k, q->wave, k);
        p.bit = element_bit(q->width, k);
    } else {
        const unsigned first = k / 2 * 4;
        p = gfx12_sparse_a(q->width, q->info->k, q->wave, first);
        p.bit = 2 * q->width * (first / 4 % (16 / q->width)) + q->width * (k % 2);
    }
    p.lane += line;
    return p;
}

/* Length of a run of k before the other 16 lanes continue: table of the CDNA5 ISA manual. */
static unsigned run_of(const question *q)
{
    if (named(q, "16x16x4_"))
        return 2;
    if (named(q, "16x16x32_"))
        return 8;
    if (named(q, "16x16x64_"))
        return 16;
    return q->width == 8 ? 16 : 32;
}

static place gfx1250_sparse(const question *q, unsigned line, unsigned k)
{
    const bool halves = q->info->k == 64; /* 16-bit data */
    if (q->operand == LW_OPERAND_INDEX) {
        const unsigned kept = 2 * k;
        return halves ? (place){ 0, 16 * (kept / 16) + line, 2 * (kept % 16) }
                      : (place){ 0, 16 * (kept / 32) + line, 2 * (kept % 32) };
    }
    if (q->operand == LW_OPERAND_A)
        return halves ? (place){ 0, 16 * (k / 8 % 2) + line, 16 * (8 * (k / 16) + k % 8) }
                      : (place){ 0, 16 * (k / 16 % 2) + line, 8 * (16 * (k / 32) + k % 16) };
    return halves ? (place){ 0, 16 * (k / 16 % 2) + line, 16 * (16 * (k / 32) + k % 16) }
                  : (place){ 0, 16 * (k / 32 % 2) + line, 8 * (32 * (k / 64) + k % 32) };
}

static place gfx1250_sum(const question *q)
{
    const unsigned i = q->x, j = q->y;
    if (q->info->m == 32)
        return (place){ 8 * (i / 16) + i % 8, 16 * (i % 16 / 8) + j, 0 };
    if (q->width == 64)
        return (place){ 2 * (i % 8), 16 * (i / 8) + j, 0 };
    if (q->width == 16)
        return (place){ i % 8 / 2, 16 * (i / 8) + j, 16 * (i % 2) };
    return (place){ i % 8, 16 * (i / 8) + j, 0 };
}

static place gfx1250(const question *q, unsigned line, unsigned k)
{
    const bool tall = q->info->m == 32;
    if (q->operand == LW_OPERAND_C || q->operand == LW_OPERAND_D)
        return gfx1250_sum(q);
    if (q->operand == LW_OPERAND_SCALE_A)
        return (place){ 0, line + (tall ? 0 : 16 * q->mods->scale_row_a), 8 * k };
    if (q->operand == LW_OPERAND_SCALE_B)
        return (place){ 0, line + 16 * q->mods->scale_row_b, 8 * k };
    if (q->info->sparse)
        return gfx1250_sparse(q, line, k);
    const unsigned run = run_of(q);
    const place p = { 0, 16 * (k / run % 2) + line % 16, q->width * (run * (k / (2 * run)) + k % run) };
    return (place){ line >= 16 ? 8 : 0, p.lane, p.bit };
}

static void extents(const question *q, unsigned *xs, unsigned *ys)
{
    const lw_insn_info *info = q->info;
    const unsigned scale = named(q, "scale16") ? info->k / 16u : info->k / 32u;
    const unsigned dims[LW_OPERAND_COUNT][2] = {
        [LW_OPERAND_A] = { info->m, info->sparse ? info->k / 2 : info->k },
        [LW_OPERAND_B] = { info->k, info->n },
        [LW_OPERAND_C] = { info->m, info->n },
        [LW_OPERAND_D] = { info->m, info->n },
        [LW_OPERAND_INDEX] = { info->m, info->k / 4 },
        [LW_OPERAND_SCALE_A] = { info->m, scale },
        [LW_OPERAND_SCALE_B] = { info->n, scale },
    };
    *xs = dims[q->operand][0];
    *ys = dims[q->operand][1];
}

size_t naive_wmma_entries(const lw_insn_info *info, lw_operand operand, unsigned width, const lw_mods *mods,
                          lw_layout_entry *out)
{
    question q = { .info = info, .mods = mods, .operand = operand, .wave = mods->wave, .width = width };
    unsigned xs, ys;
    size_t count = 0;
    q.a_width = info->operand[LW_OPERAND_A].element_bits;
    extents(&q, &xs, &ys);
    const bool copied = (info->arch == LW_ARCH_GFX1100 || info->arch == LW_ARCH_GFX1150) &&
                        (operand == LW_OPERAND_A || operand == LW_OPERAND_B);
    const unsigned copies = copied ? q.wave / 16 : 1;
    for (unsigned n = 0; n < xs * ys * copies; n++) {
        const unsigned copy = n % copies;
        q.x = n / copies / ys;
        q.y = n / copies % ys;
        const unsigned line = operand == LW_OPERAND_B ? q.y : q.x, k = operand == LW_OPERAND_B ? q.x : q.y;
        place p = (info->arch == LW_ARCH_GFX1100 || info->arch == LW_ARCH_GFX1150) ? gfx11(&q, line, k, copy)
                  : info->arch == LW_ARCH_GFX1201                                  ? gfx12(&q, line, k)
                                                                                   : gfx1250(&q, line, k);
        p.bit += 32 * p.reg;
        out[count++] = (lw_layout_entry){
            .lane = (uint16_t)p.lane,
            .reg = (uint16_t)(p.bit / 32),
            .lsb = (uint16_t)(p.bit % 32),
            .msb = (uint16_t)(p.bit % 32 + width - 1),
            .x = (uint16_t)q.x,
            .y = (uint16_t)q.y,
        };
    }
    return count;
}

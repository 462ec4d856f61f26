/* SPDX-License-Identifier: MIT */
/* wgmma and tcgen05: matrices part by part. */
#include <string.h>

#include "emu/mma/mma.h"

enum { MOST_K = 256, MOST_BYTES = 4 };

/* Copies the first `width` bytes of each row; rows are `line` bytes apart. */
static void cut(const uint8_t *from, size_t line, unsigned rows, size_t width, uint8_t *to)
{
    for (unsigned r = 0; from && r < rows; r++)
        memcpy(to + r * width, from + r * line, width);
}

lw_status lw_mma_part_with(const lw_mma *mma, const lw_mma_matrices *mat, unsigned row, unsigned col,
                           lw_mma_part_fn *fn, void *context)
{
    const lw_insn *part = mma->insn, *whole = mma->whole;
    const size_t a_line = mma->products * lw_format_bytes(mma->a), b_bytes = lw_format_bytes(mma->b),
                 c_bytes = lw_format_bytes(mma->c);
    uint8_t b[MOST_K * 8 * MOST_BYTES], c[16 * 8 * MOST_BYTES];
    lw_mma_matrices own = *mat;
    if (!mat->a || !mat->b || (mma->sparse && !mat->index))
        return LW_E_ARGUMENT;
    row -= row % part->m;
    col -= col % part->n;
    own.a = (const uint8_t *)mat->a + row * a_line;
    if (mma->sparse)
        own.index = mat->index + (size_t)row * (mma->products / mma->chunk);
    if (mma->scaled) {
        const size_t scales = mma->products / mma->scale_span;
        own.scale_a = mat->scale_a ? mat->scale_a + row * scales : NULL;
        own.scale_b = mat->scale_b ? mat->scale_b + col * scales : NULL;
    }
    cut((const uint8_t *)mat->b + col * b_bytes, whole->n * b_bytes, whole->k, part->n * b_bytes, b);
    own.b = b;
    own.c = mat->c && !mma->no_c ? c : NULL;
    if (own.c)
        cut((const uint8_t *)mat->c + (row * whole->n + col) * c_bytes, whole->n * c_bytes, part->m,
            part->n * c_bytes, c);
    return fn(mma, &own, row, col, context);
}

lw_status lw_mma_each_part(const lw_mma *mma, const lw_mma_matrices *mat, lw_mma_part_fn *fn, void *context)
{
    lw_status st = LW_OK;
    for (unsigned row = 0; row < mma->whole->m && st == LW_OK; row += mma->insn->m)
        for (unsigned col = 0; col < mma->whole->n && st == LW_OK; col += mma->insn->n)
            st = lw_mma_part_with(mma, mat, row, col, fn, context);
    return st;
}

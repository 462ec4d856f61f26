/* SPDX-License-Identifier: MIT */
#include <lanewise/mmt4d.h>

#include <stdlib.h>
#include <string.h>

#include "isa_tables/error.h"

/* Transposes a tile of B from n x k to the k x n that the instruction takes. */
static void turn(const unsigned char *from, unsigned char *to, size_t n, size_t k, size_t bytes)
{
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < k; i++)
            memcpy(to + (i * n + j) * bytes, from + (j * k + i) * bytes, bytes);
}

/* One column of tiles of B against all of A; B's tiles are transposed once. */
static lw_status multiply(const lw_mma *mma, const lw_mma_shape *s, const lw_mmt4d *p, uint64_t n1,
                          unsigned char *turned)
{
    const size_t a_size = (size_t)s->m * s->k * s->a_bytes, b_size = (size_t)s->n * s->k * s->b_bytes,
                 c_size = (size_t)s->m * s->n * s->d_bytes;
    for (uint64_t k1 = 0; k1 < p->k1; k1++) {
        turn((const unsigned char *)p->b + (n1 * p->k1 + k1) * b_size, turned, s->n, s->k, s->b_bytes);
        for (uint64_t m1 = 0; m1 < p->m1; m1++) {
            unsigned char *c = (unsigned char *)p->c + (m1 * p->n1 + n1) * c_size;
            const lw_mma_matrices mat = {
                .a = (const unsigned char *)p->a + (m1 * p->k1 + k1) * a_size, .b = turned, .c = c, .d = c
            };
            const lw_status st = lw_mma_execute_matrices(mma, &mat, NULL);
            if (st != LW_OK)
                return st;
        }
    }
    return LW_OK;
}

lw_status lw_mmt4d_execute(const lw_mma *mma, const lw_mmt4d *product, lw_error *error)
{
    lw_mma_shape s;
    if (!mma || !product || !product->a || !product->b || !product->c || lw_mma_get_shape(mma, &s) != LW_OK)
        return lw_error_fail(error, LW_E_ARGUMENT, "lw_mmt4d_execute needs an instruction and three arrays");
    if (s.blocks != 1 || s.groups || s.scale_k || s.a_k != s.k)
        return lw_error_fail(error, LW_E_UNSUPPORTED,
                             "mmt4d takes instructions of one dense product: no blocks, index or scales");
    if (strcmp(s.c_format, s.d_format) != 0)
        return lw_error_fail(error, LW_E_UNSUPPORTED, "C is %s and D is %s: a sum cannot go on", s.c_format,
                             s.d_format);
    unsigned char *turned = malloc((size_t)s.n * s.k * s.b_bytes);
    if (!turned)
        return lw_error_fail(error, LW_E_NO_MEMORY, "no memory for a tile");
    lw_status st = LW_OK;
    for (uint64_t n1 = 0; n1 < product->n1 && st == LW_OK; n1++)
        st = multiply(mma, &s, product, n1, turned);
    free(turned);
    return st;
}

/* SPDX-License-Identifier: MIT */
#include "isa_tables/near.h"

#include <string.h>

static unsigned smaller(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

unsigned lw_near_distance(const char *a, const char *b)
{
    unsigned row[LW_NEAR_WORD + 1];
    const size_t rows = strnlen(a, LW_NEAR_WORD), length = strnlen(b, LW_NEAR_WORD);
    for (size_t j = 0; j <= length; j++)
        row[j] = (unsigned)j;
    for (size_t i = 0; i < rows; i++) {
        unsigned diagonal = row[0];
        row[0] = (unsigned)i + 1;
        for (size_t j = 0; j < length; j++) {
            const unsigned replace = diagonal + (a[i] != b[j]);
            diagonal = row[j + 1];
            row[j + 1] = smaller(replace, smaller(row[j], row[j + 1]) + 1);
        }
    }
    return row[length];
}

void lw_near_add(lw_near *near, size_t index, unsigned distance)
{
    size_t at = near->count;
    while (at > 0 && distance < near->distance[at - 1])
        at--;
    if (at == LW_NEAR_MOST)
        return;
    near->count += near->count < LW_NEAR_MOST;
    for (size_t i = near->count - 1; i > at; i--) {
        near->index[i] = near->index[i - 1];
        near->distance[i] = near->distance[i - 1];
    }
    near->index[at] = index;
    near->distance[at] = distance;
}

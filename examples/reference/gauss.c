/* SPDX-License-Identifier: MIT */
#include "gauss.h"

gauss gauss_seeded(uint64_t seed)
{
    return (gauss){ seed * UINT64_C(0x2545f4914f6cdd1d) + 1 };
}

uint32_t gauss_bits(gauss *g)
{
    g->state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t x = g->state;
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)((x ^ x >> 31) >> 32);
}

int gauss_exponent(gauss *g, int spread)
{
    return spread ? (int)(gauss_bits(g) % (uint32_t)(2 * spread + 1)) - spread : 0;
}

exact gauss_next(gauss *g)
{
    int64_t sum = 0;
    for (int i = 0; i < 12; i++)
        sum += gauss_bits(g) >> 8;
    return (exact){ sum - ((int64_t)6 << 24), -24 };
}

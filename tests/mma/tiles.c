/* SPDX-License-Identifier: MIT */
#include "tiles.h"

#include <string.h>

#include "oracle.h"

uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

uint64_t tile_get(const void *matrix, size_t n, unsigned bytes)
{
    uint64_t code = 0;
    memcpy(&code, (const char *)matrix + n * bytes, bytes);
    return code;
}

void tile_put(void *matrix, size_t n, unsigned bytes, uint64_t code)
{
    memcpy((char *)matrix + n * bytes, &code, bytes);
}

static bool is_special(const oracle_format *f, uint64_t code)
{
    const uint64_t ones = (UINT64_C(1) << (f->exp_bits + f->frac_bits)) - 1, m = code & ones;
    const uint64_t inf = ones >> f->frac_bits << f->frac_bits;
    switch (f->top) {
    case TOP_INF_NAN:
        return m >= inf;
    case TOP_ALL_ONES_NAN:
        return m == ones;
    case TOP_MINUS_ZERO_NAN:
        return m == 0 && code != 0;
    case TOP_PLAIN:
        break;
    }
    return false;
}

/* A finite code whose exponent field is within `spread` of `around`. */
static uint64_t near_exponent(const oracle_format *f, int around, int spread, uint64_t r)
{
    const int top = (1 << f->exp_bits) - 1;
    int field = around + (int)(r >> 40) % (2 * spread + 1) - spread;
    field = field < 0 ? 0 : field > top ? top : field;
    const uint64_t sign = (r >> 32 & 1) << (f->exp_bits + f->frac_bits);
    const uint64_t code = sign | (uint64_t)field << f->frac_bits | (r & ((UINT64_C(1) << f->frac_bits) - 1));
    return is_special(f, code) ? 0 : code;
}

static uint64_t element(const oracle_format *f, int bits, int kind, uint64_t r, uint64_t r2)
{
    const uint64_t mask = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
    if (!f || kind == TILE_RANDOM_BITS)
        return kind == TILE_HUGE ? (r2 & 1 ? mask >> 1 : mask / 2 + 1) : r & mask;
    const int top = (1 << f->exp_bits) - 1;
    switch (kind) {
    case TILE_NORMAL:
    case TILE_OPPOSE_C:
    case TILE_EDGE_C:
        return near_exponent(f, f->bias - 1, 2, r);
    case TILE_CANCEL:
        return near_exponent(f, f->bias, f->exp_bits > 5 ? 20 : top, r);
    case TILE_TINY:
        return r2 % 3 == 0 ? 0 : near_exponent(f, r2 % 3 == 1 ? 0 : f->bias, 1, r);
    case TILE_HUGE:
        return near_exponent(f, top, 1, r | (r2 & 1 ? (UINT64_C(1) << f->frac_bits) - 1 : 0));
    default:
        return is_special(f, r & mask) ? 0 : r & mask;
    }
}

static uint64_t c_element(const oracle_format *f, int kind, uint64_t r, uint64_t r2)
{
    if (!f)
        return r2 % 4 == 0 ? 0x7fffff00 + (r & 0xff) : r2 % 4 == 1 ? 0x80000000 + (r & 0xff) : r & 0xffffffff;
    const uint64_t one = 1, sign = (r & 1) << (f->exp_bits + f->frac_bits);
    const uint64_t largest = ((one << f->exp_bits) - 1) * (one << f->frac_bits) - 1;
    if (kind == TILE_NORMAL || (kind == TILE_HUGE && r2 % 2))
        return near_exponent(f, f->bias, kind == TILE_HUGE ? 40 : 3, r);
    if (kind != TILE_EDGE_C)
        return element(f, f->exp_bits + f->frac_bits + 1,
                       kind == TILE_RANDOM_BITS ? TILE_RANDOM_BITS
                       : kind == TILE_TINY      ? TILE_TINY
                                                : TILE_CANCEL,
                       r, r2);
    switch (r2 % 5) {
    case 0:
        return sign;
    case 1:
        return sign | (r >> 8 & ((one << f->frac_bits) - 1)) >> (r >> 3 & 7);
    case 2:
        return sign | largest;
    case 3:
        return sign | (r & 2 ? (r >> 8) % ((one << f->exp_bits) - 1) : (uint64_t)f->bias - 30 + (r >> 8) % 60)
                          << f->frac_bits;
    default:
        return near_exponent(f, f->bias, 60, r);
    }
}

/* Column pairs k, k + distance get opposite products. */
static void cancel_pairs(const lw_mma_shape *s, uint64_t *state, tile *t)
{
    const unsigned distance = 1u << next_random(state) % 4;
    const uint64_t sign = UINT64_C(1) << (s->a_bits - 1);
    for (unsigned k = 0; k + distance < s->a_k; k++) {
        if (k / distance % 2 || next_random(state) % 4 == 0)
            continue;
        for (size_t i = 0; i < (size_t)s->m * s->blocks; i++) {
            const uint64_t code = tile_get(t->a, i * s->a_k + k, s->a_bytes);
            tile_put(t->a, i * s->a_k + k + distance, s->a_bytes, code ? code ^ sign : 0);
        }
        for (size_t bl = 0; bl < s->blocks && s->a_k == s->k; bl++)
            for (size_t j = 0; j < s->n; j++)
                tile_put(t->b, (bl * s->k + k + distance) * s->n + j, s->b_bytes,
                         tile_get(t->b, (bl * s->k + k) * s->n + j, s->b_bytes));
    }
}

static void fill_rest(const lw_mma_shape *s, int kind, uint64_t *state, tile *t)
{
    for (unsigned i = 0; i < s->m * (unsigned)s->groups; i++) {
        static const uint8_t ordered[6] = { 0x4, 0x8, 0xc, 0x9, 0xd, 0xe };
        t->index[i] =
            kind == TILE_RANDOM_BITS ? (uint8_t)(next_random(state) & 15) : ordered[next_random(state) % 6];
    }
    const uint64_t mode = next_random(state) % 3;
    for (unsigned i = 0; i < 64 && s->scale_k; i++) {
        const uint64_t r = next_random(state), q = next_random(state);
        const unsigned spread = mode == 0 ? 6 : mode == 1 ? 60 : 255;
        t->scale_a[i] = (uint8_t)(mode == 2 ? r % 256 : 127 - spread / 2 + r % spread);
        t->scale_b[i] = (uint8_t)(mode == 2 ? q % 256 : 127 - spread / 2 + q % spread);
    }
}

void tile_fill(const lw_mma_shape *s, int kind, uint64_t *state, tile *t)
{
    const oracle_format *fa = oracle_format_named(s->a_format), *fb = oracle_format_named(s->b_format);
    const oracle_format *fc = oracle_format_named(s->c_format);
    for (size_t i = 0; i < (size_t)s->m * s->a_k * s->blocks; i++) {
        const uint64_t r = next_random(state);
        tile_put(t->a, i, s->a_bytes, element(fa, s->a_bits, kind, r, next_random(state)));
    }
    for (size_t i = 0; i < (size_t)s->n * s->k * s->blocks; i++) {
        const uint64_t r = next_random(state);
        tile_put(t->b, i, s->b_bytes, element(fb, s->b_bits, kind, r, next_random(state)));
    }
    if (kind == TILE_CANCEL || (kind == TILE_HUGE && next_random(state) % 2))
        cancel_pairs(s, state, t);
    for (size_t i = 0; i < (size_t)s->m * s->n * s->blocks; i++) {
        const uint64_t r = next_random(state);
        tile_put(t->c, i, s->c_bytes, c_element(fc, kind, r, next_random(state)));
    }
    fill_rest(s, kind, state, t);
}

lw_mma_matrices tile_matrices(const lw_mma_shape *s, tile *t, void *d)
{
    return (lw_mma_matrices){ .a = t->a,
                              .b = t->b,
                              .c = t->c,
                              .d = d,
                              .index = s->groups ? t->index : NULL,
                              .scale_a = s->scale_k ? t->scale_a : NULL,
                              .scale_b = s->scale_k ? t->scale_b : NULL };
}

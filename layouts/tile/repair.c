/* SPDX-License-Identifier: MIT */
/* The cheapest swizzle, and the smallest padding, of a plain tile. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "isa_tables/error.h"
#include "isa_tables/options.h"
#include "layouts/tile/tile.h"

/* MOST_UNITS: log2 of the largest number of accesses that are moved together. */
enum { MOST_BITS = 5, MOST_PAD = 256, MOST_UNITS = 4 };

/* An access, and how many of the list take the same turns whatever is tried. */
typedef struct pattern {
    size_t wave;
    uint32_t times;
} pattern;

typedef struct search {
    const lw_bank_rule *rule;
    lw_tile_accesses list;
    pattern *pattern; /* room for all of the list */
    size_t patterns;
    uint64_t row, size; /* bytes of a contiguous row, of the tile */
    uint32_t bytes;
} search;

/* Whether the numbers of two accesses take the same turns. */
typedef bool likeness(const search *s, const lw_bank_access *a, const lw_bank_access *b);

bool lw_tile_swizzles_alike(unsigned banks, uint32_t bytes, const lw_bank_access a[LW_BANK_LANES],
                            const lw_bank_access b[LW_BANK_LANES])
{
    const uint64_t by = a[0].address ^ b[0].address;
    if (bytes & (bytes - 1) || banks & (banks - 1))
        return false;
    for (size_t lane = 0; lane < LW_BANK_LANES; lane++)
        if (a[lane].size != b[lane].size || (a[lane].size && (a[lane].address ^ b[lane].address) != by))
            return false;
    return true;
}

bool lw_tile_pads_alike(uint64_t row, const lw_bank_access a[LW_BANK_LANES],
                        const lw_bank_access b[LW_BANK_LANES])
{
    const uint64_t by = a[0].address - b[0].address, rows = a[0].address / row - b[0].address / row;
    if (by % 4)
        return false;
    for (size_t lane = 0; lane < LW_BANK_LANES; lane++)
        if (a[lane].size != b[lane].size ||
            (a[lane].size && (a[lane].address - b[lane].address != by ||
                              a[lane].address / row - b[lane].address / row != rows)))
            return false;
    return true;
}

static bool differ_by_xor(const search *s, const lw_bank_access *a, const lw_bank_access *b)
{
    return lw_tile_swizzles_alike(s->rule->banks, s->bytes, a, b);
}

static bool differ_by_shift(const search *s, const lw_bank_access *a, const lw_bank_access *b)
{
    return lw_tile_pads_alike(s->row, a, b);
}

/* Operands all over a tile are mostly alike: each pattern is tried once. */
static void gather(search *s, likeness *alike)
{
    s->patterns = 0;
    for (size_t w = 0; w < (size_t)s->list.operands * s->list.accesses; w++) {
        size_t p = 0;
        while (p < s->patterns && !alike(s, s->list.wave[s->pattern[p].wave], s->list.wave[w]))
            p++;
        if (p == s->patterns)
            s->pattern[s->patterns++] = (pattern){ .wave = w };
        s->pattern[p].times++;
    }
}

static lw_bank_turns count(const search *s, lw_tile_move *move, const void *how)
{
    lw_bank_turns turns = { .phases = 0 };
    for (size_t p = 0; p < s->patterns; p++)
        lw_tile_add_wave(s->list.wave[s->pattern[p].wave], s->pattern[p].times, s->rule, move, how, &turns);
    return turns;
}

typedef struct swizzle {
    unsigned b, m, s;
} swizzle;

static uint64_t move_swizzled(const void *how, uint64_t address)
{
    const swizzle *w = how;
    return lw_tile_swizzle(address, w->b, w->m, (int)w->s);
}

typedef struct padding {
    uint64_t row, pad;
} padding;

static uint64_t move_padded(const void *how, uint64_t address)
{
    const padding *p = how;
    return address + address / p->row * p->pad;
}

static unsigned log_two(uint64_t n)
{
    unsigned e = 0;
    while (n > 1) {
        n /= 2;
        e++;
    }
    return e;
}

/* Whole accesses are exchanged, and all stay within the tile. */
static void find_swizzle(search *s, lw_tile_repair *made)
{
    const unsigned least = log_two(s->bytes), top = log_two(s->size);
    made->swizzle = made->plain;
    if (s->size & (s->size - 1))
        return;
    gather(s, differ_by_xor);
    for (unsigned b = 1; b <= MOST_BITS; b++)
        for (unsigned shift = b; least + shift + b <= top; shift++)
            for (unsigned m = least; m + shift + b <= top && m <= least + MOST_UNITS; m++) {
                const swizzle w = { b, m, shift };
                const lw_bank_turns turns = count(s, move_swizzled, &w);
                if (turns.turns >= made->swizzle.turns)
                    continue;
                made->swizzle = turns;
                made->swizzled = true;
                made->b = (uint8_t)b;
                made->m = (uint8_t)m;
                made->s = (uint8_t)shift;
            }
}

static void find_padding(search *s, lw_tile_repair *made)
{
    made->padding = made->plain;
    if (!s->row || s->row % s->bytes)
        return;
    gather(s, differ_by_shift);
    const uint32_t step = s->bytes < 4 ? 4 : s->bytes;
    for (uint32_t pad = step; pad <= MOST_PAD; pad += step) {
        const padding p = { s->row, pad };
        const lw_bank_turns turns = count(s, move_padded, &p);
        if (turns.turns >= made->padding.turns)
            continue;
        made->padding = turns;
        made->padded = true;
        made->pad = pad;
    }
}

/* ---- In notations ---- */

typedef struct text {
    char *at;
    size_t room;
} text;

static void put(text *t, const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 2, 3)))
#endif
    ;

static void put(text *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(t->at, t->room, format, args);
    va_end(args);
    const size_t used = n < 0 ? 0 : (size_t)n < t->room ? (size_t)n : t->room - 1;
    t->at += used;
    t->room -= used;
}

/* In elements of 2^e bytes, the m of a swizzle on byte addresses becomes m - e. */
static void say_swizzle(text *t, const lw_tile_repair *made, uint32_t width, uint32_t length, bool columns,
                        uint32_t rows, uint32_t cols)
{
    const unsigned bits = log_two(width), row = log_two(length);
    if (width & (width - 1))
        return;
    const unsigned m = made->m + 3 - bits, s = made->s;
    if (columns)
        put(t, "Sw<%u,%u,%u> o 0 o (%u,%u):(1,%u)\n", made->b, m, s, rows, cols, rows);
    else
        put(t, "Sw<%u,%u,%u> o 0 o (%u,%u):(%u,1)\n", made->b, m, s, rows, cols, cols);
    if (m + s >= row && m + made->b <= row)
        put(t, "#ttg.swizzled_shared<{vec = %u, perPhase = %u, maxPhase = %u, order = [%d, %d]}>\n", 1u << m,
            1u << (m + s - row), 1u << made->b, !columns, columns);
    if (!columns)
        put(t, "#iree_codegen.xor_shuffle<%u, %u, %u>\n", 1u << (m + made->b), 1u << m, 1u << (m + s));
}

static void say_padding(text *t, const lw_tile_repair *made, uint32_t width, uint32_t length, bool columns,
                        uint32_t rows, uint32_t cols)
{
    const uint32_t pad = 8 * made->pad / width;
    if (8 * made->pad % width)
        return;
    put(t, columns ? "(%u,%u):(1,%u)\n" : "(%u,%u):(%u,1)\n", rows, cols, length + pad);
    if (length && !(length & (length - 1)))
        put(t, "#ttg.padded_shared<[%u:+%u] {order = [%d, %d], shape = [%u, %u]}>\n", length, pad, !columns,
            columns, rows, cols);
}

lw_status lw_tile_fill_repair(const lw_layout *layout, uint32_t rows, uint32_t cols, uint32_t bytes,
                              bool store, lw_tile_repair *repair, lw_error *error)
{
    lw_tile *plain = NULL;
    lw_tile_repair made = { .struct_size = sizeof(made) };
    search s = { .bytes = bytes };
    if (!layout || !repair || !lw_options_known(repair, sizeof(made), sizeof(made)))
        return lw_error_fail(error, LW_E_ARGUMENT,
                             "lw_tile_find_repair needs a layout and a result of this version");
    const bool columns = lw_tile_is_columns(layout);
    const uint32_t width = layout->relation.width, length = columns ? rows : cols;
    lw_status st = lw_bank_rule_find(layout->arch, store, bytes, &s.rule, error);
    if (st == LW_OK)
        st = lw_tile_create_plain(rows, cols, width, columns, &plain, error);
    if (st == LW_OK)
        st = lw_tile_collect(plain, layout, bytes, &s.list, error);
    lw_tile_free(plain);
    if (st != LW_OK)
        return st;
    s.pattern = malloc((size_t)s.list.operands * s.list.accesses * sizeof(*s.pattern));
    if (!s.pattern) {
        free(s.list.wave);
        return lw_error_fail(error, LW_E_NO_MEMORY, "no memory for the accesses of a wave");
    }
    s.row = (uint64_t)length * width / 8;
    s.size = (uint64_t)rows * cols * width / 8;
    lw_tile_add_turns(&s.list, s.rule, &made.plain);
    find_swizzle(&s, &made);
    find_padding(&s, &made);
    free(s.list.wave);
    free(s.pattern);
    text t = { made.text, sizeof(made.text) };
    if (made.swizzled)
        say_swizzle(&t, &made, width, length, columns, rows, cols);
    if (made.padded)
        say_padding(&t, &made, width, length, columns, rows, cols);
    lw_options_give(repair, &made, sizeof(made), sizeof(made));
    return LW_OK;
}

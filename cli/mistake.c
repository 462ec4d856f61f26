/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/mistake.h"

/* Two arrays as rows and columns; further dimensions count as further rows. */
typedef struct pair {
    const uint8_t *got, *expected;
    size_t size; /* bytes of an element */
    uint64_t rows, cols, count;
} pair;

static pair make_pair(const lw_npy *got, const lw_npy *expected)
{
    pair p = { .got = got->data, .expected = expected->data, .size = lw_dtype_size(got->dtype) };
    p.count = got->count;
    p.cols = got->dims ? got->shape[got->dims - 1] : 1;
    p.rows = p.cols ? p.count / p.cols : 0;
    return p;
}

static bool same(const pair *p, uint64_t got, uint64_t expected)
{
    return memcmp(p->got + got * p->size, p->expected + expected * p->size, p->size) == 0;
}

/* ---- Transposed ---- */

static bool is_transposed(const pair *p, const lw_npy *array, char *text)
{
    if (array->dims < 2)
        return false;
    const uint64_t rows = array->shape[array->dims - 2], cols = p->cols, block = rows * cols;
    if (rows < 2 || cols < 2)
        return false;
    for (uint64_t at = 0; at < p->count; at++) {
        const uint64_t i = at % block / cols, j = at % cols;
        if (!same(p, at - at % block + j * rows + i, at))
            return false;
    }
    snprintf(text, MISTAKE_ROOM, "it is the expected array transposed%s",
             array->dims > 2 ? ", in each block" : "");
    return true;
}

/* ---- Something in another order ---- */

/* Units (rows, columns, lanes) of an array: element e of unit u is number u * unit_step + e * step. */
typedef struct units {
    const char *noun;
    uint64_t count, elements, unit_step, step;
} units;

typedef struct keyed {
    uint64_t hash, unit;
} keyed;

static uint64_t hash_unit(const pair *p, const uint8_t *data, const units *u, uint64_t unit)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (uint64_t e = 0; e < u->elements; e++) {
        const uint8_t *at = data + (unit * u->unit_step + e * u->step) * p->size;
        for (size_t b = 0; b < p->size; b++)
            hash = (hash ^ at[b]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

static bool same_unit(const pair *p, const units *u, uint64_t got, uint64_t expected)
{
    for (uint64_t e = 0; e < u->elements; e++)
        if (!same(p, got * u->unit_step + e * u->step, expected * u->unit_step + e * u->step))
            return false;
    return true;
}

static int compare_keys(const void *a, const void *b)
{
    const keyed *x = a, *y = b;
    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    return x->unit < y->unit ? -1 : x->unit > y->unit;
}

/* order[i]: which expected unit is at i. Units in their right place stay there. */
static bool find_order(const pair *p, const units *u, uint64_t *order)
{
    keyed *got = cli_alloc((size_t)u->count * sizeof(*got));
    keyed *expected = cli_alloc((size_t)u->count * sizeof(*expected));
    size_t moved = 0;
    for (uint64_t i = 0; i < u->count; i++) {
        order[i] = i;
        if (same_unit(p, u, i, i))
            continue;
        got[moved] = (keyed){ hash_unit(p, p->got, u, i), i };
        expected[moved++] = (keyed){ hash_unit(p, p->expected, u, i), i };
    }
    qsort(got, moved, sizeof(*got), compare_keys);
    qsort(expected, moved, sizeof(*expected), compare_keys);
    bool found = moved > 0;
    for (size_t i = 0; i < moved && found; i++) {
        order[got[i].unit] = expected[i].unit;
        found = same_unit(p, u, got[i].unit, expected[i].unit);
    }
    free(got);
    free(expected);
    return found;
}

static bool is_xor(const uint64_t *order, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        if (order[i] != (i ^ order[0]))
            return false;
    return true;
}

static bool is_rotation(const uint64_t *order, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        if (order[i] != (i + order[0]) % count)
            return false;
    return true;
}

static void describe_order(const units *u, const uint64_t *order, char *text)
{
    enum { SHOWN = 4 };
    const char *noun = u->noun;
    size_t used = 0;
    if (u->noun[0] == 'l')
        used = (size_t)snprintf(text, MISTAKE_ROOM, "in each %" PRIu64 " elements ", u->count);
    used += (size_t)snprintf(text + used, MISTAKE_ROOM - used, "the %ss are in another order: ", noun);
    if (is_xor(order, u->count)) {
        snprintf(text + used, MISTAKE_ROOM - used, "%s i holds expected %s i ^ %" PRIu64, noun, noun,
                 order[0]);
        return;
    }
    if (is_rotation(order, u->count)) {
        snprintf(text + used, MISTAKE_ROOM - used, "%s i holds expected %s (i + %" PRIu64 ") mod %" PRIu64,
                 noun, noun, order[0], u->count);
        return;
    }
    uint64_t moved = 0;
    for (uint64_t i = 0; i < u->count; i++)
        if (order[i] != i && moved++ < SHOWN && used < MISTAKE_ROOM)
            used +=
                (size_t)snprintf(text + used, MISTAKE_ROOM - used, "%s%s %" PRIu64 " holds expected %" PRIu64,
                                 moved > 1 ? ", " : "", noun, i, order[i]);
    if (moved > SHOWN && used < MISTAKE_ROOM)
        snprintf(text + used, MISTAKE_ROOM - used, ", and %" PRIu64 " more", moved - SHOWN);
}

static bool is_reordered(const pair *p, const units *u, char *text)
{
    if (u->count < 2 || u->elements == 0)
        return false;
    uint64_t *order = cli_alloc((size_t)u->count * sizeof(*order));
    const bool found = find_order(p, u, order);
    if (found)
        describe_order(u, order, text);
    free(order);
    return found;
}

/* ---- A tile is missing ---- */

/* Every byte that differs belongs to an element that holds only `fill`. */
static bool holds_only(const pair *p, uint64_t element, uint8_t fill)
{
    for (size_t b = 0; b < p->size; b++)
        if (p->got[element * p->size + b] != fill)
            return false;
    return true;
}

typedef struct box {
    uint64_t top, bottom, left, right; /* inclusive */
} box;

static bool box_holds_only(const pair *p, const box *b, uint8_t fill)
{
    for (uint64_t r = b->top; r <= b->bottom; r++)
        for (uint64_t c = b->left; c <= b->right; c++)
            if (!holds_only(p, r * p->cols + c, fill))
                return false;
    return true;
}

static box differing_box(const pair *p)
{
    box b = { .top = p->rows, .left = p->cols };
    for (uint64_t i = 0; i < p->count; i++) {
        const uint64_t r = i / p->cols, c = i % p->cols;
        if (same(p, i, i))
            continue;
        b.top = r < b.top ? r : b.top;
        b.bottom = r > b.bottom ? r : b.bottom;
        b.left = c < b.left ? c : b.left;
        b.right = c > b.right ? c : b.right;
    }
    return b;
}

static void describe_box(const pair *p, const box *b, const char *what, char *text)
{
    if (p->rows == 1)
        snprintf(text, MISTAKE_ROOM, "elements %" PRIu64 " to %" PRIu64 " hold only %s", b->left, b->right,
                 what);
    else
        snprintf(text, MISTAKE_ROOM,
                 "a tile is missing: rows %" PRIu64 " to %" PRIu64 ", columns %" PRIu64 " to %" PRIu64
                 " hold only %s",
                 b->top, b->bottom, b->left, b->right, what);
}

/* How many tiles of `edge` by `edge` have a difference; 0 if one of them holds anything but `fill`. */
static uint64_t count_tiles(const pair *p, uint64_t edge, uint8_t fill, box *first)
{
    uint64_t count = 0;
    for (uint64_t r = 0; r < p->rows; r += edge)
        for (uint64_t c = 0; c < p->cols; c += edge) {
            const box tile = { r, r + edge - 1, c, c + edge - 1 };
            bool differs = false;
            for (uint64_t i = 0; i < edge * edge && !differs; i++)
                differs = !same(p, (r + i / edge) * p->cols + c + i % edge,
                                (r + i / edge) * p->cols + c + i % edge);
            if (!differs)
                continue;
            if (!box_holds_only(p, &tile, fill))
                return 0;
            if (count++ == 0)
                *first = tile;
        }
    return count;
}

static bool is_missing(const pair *p, char *text)
{
    static const struct {
        uint8_t fill;
        const char *what;
    } fills[] = { { 0, "zeros" }, { ARG_POISON, "0xa5, as out: arrays are before the kernel runs" } };
    static const uint64_t edges[] = { 128, 64, 32, 16, 8, 4 };
    enum { FEWEST = 4 }; /* fewer elements do not make a tile */
    const box all = differing_box(p);
    const bool large = (all.bottom - all.top + 1) * (all.right - all.left + 1) >= FEWEST;
    for (size_t f = 0; f < CLI_COUNT(fills); f++) {
        if (large && box_holds_only(p, &all, fills[f].fill)) {
            describe_box(p, &all, fills[f].what, text);
            return true;
        }
        for (size_t e = 0; e < CLI_COUNT(edges); e++) {
            box first = { 0 };
            if (p->rows % edges[e] || p->cols % edges[e])
                continue;
            const uint64_t count = count_tiles(p, edges[e], fills[f].fill, &first);
            if (!count)
                continue;
            snprintf(text, MISTAKE_ROOM,
                     "%" PRIu64 " tiles of %" PRIu64 " x %" PRIu64
                     " are missing: they hold only %s; the first begins"
                     " at row %" PRIu64 ", column %" PRIu64,
                     count, edges[e], edges[e], fills[f].what, first.top, first.left);
            return true;
        }
    }
    return false;
}

/* ---- All of them ---- */

bool mistake_explain(const arg_type *type, const lw_npy *got, const lw_npy *expected,
                     const compare_result *result, char text[MISTAKE_ROOM])
{
    const pair p = make_pair(got, expected);
    const units orders[] = {
        { "row", p.rows, p.cols, p.cols, 1 },
        { "column", p.rows > 1 ? p.cols : 0, p.rows, 1, p.cols },
        { "lane", p.count % 32 == 0 && p.count > 32 ? 32 : 0, p.count / 32, 1, 32 },
        { "lane", p.count % 64 == 0 && p.count > 64 ? 64 : 0, p.count / 64, 1, 64 },
    };
    text[0] = '\0';
    if (result->differ == 0)
        return false;
    if (is_transposed(&p, got, text))
        return true;
    for (size_t i = 0; i < CLI_COUNT(orders); i++)
        if (is_reordered(&p, &orders[i], text))
            return true;
    if (is_missing(&p, text))
        return true;
    if (!type->significand || !result->has_ulp || result->worst_ulp > 1)
        return false;
    snprintf(text, MISTAKE_ROOM, "%s",
             result->worst_ulp
                 ? "every difference is one ulp; another rounding, or another order of k, can be the cause"
                 : "every difference is the sign of a zero, or the bits of a NaN");
    return true;
}

/* ---- The map ---- */

void mistake_print_map(const lw_npy *got, const lw_npy *expected)
{
    enum { MOST = 64 };
    const pair p = make_pair(got, expected);
    const bool flat = p.rows == 1;
    const uint64_t cols = flat && p.cols > MOST ? MOST : p.cols, rows = (p.count + cols - 1) / cols;
    const uint64_t down = (rows + MOST - 1) / MOST, across = (cols + MOST - 1) / MOST;
    const bool colour = isatty(STDOUT_FILENO) && !getenv("NO_COLOR");
    printf("  . equal, x different%s; ", down * across > 1 ? ", + partly" : "");
    if (flat)
        printf("a line is %" PRIu64 " elements, ", cols * down);
    else
        fputs("rows down, columns across, ", stdout);
    printf("a character %" PRIu64 " x %" PRIu64 "\n", down, across);
    for (uint64_t r = 0; r < rows; r += down) {
        fputs("  ", stdout);
        for (uint64_t c = 0; c < cols; c += across) {
            uint64_t inside = 0, differ = 0;
            for (uint64_t i = r; i < r + down && i < rows; i++)
                for (uint64_t j = c; j < c + across && j < cols && i * cols + j < p.count; j++) {
                    inside++;
                    differ += !same(&p, i * cols + j, i * cols + j);
                }
            if (inside)
                printf(differ && colour ? "\033[31m%c\033[0m" : "%c", differ == 0        ? '.'
                                                                      : differ == inside ? 'x'
                                                                                         : '+');
        }
        putchar('\n');
    }
}

/* SPDX-License-Identifier: MIT */
/* Texts about tiles in shared memory: CuTe, IREE, TIRx, address arithmetic. */
#include <stdlib.h>
#include <string.h>

#include "layouts/notation/tuple.h"
#include "layouts/tile/tile.h"

enum { MOST_SHIFT = 24 };
#define NOWHERE UINT64_MAX

bool lw_tile_is_done(lw_reader *r)
{
    return lw_reader_end(r) || lw_reader_fail(r, "the layout ends before this");
}

bool lw_tile_log_two(lw_reader *r, uint32_t n, const char *what, unsigned *exponent)
{
    *exponent = 0;
    while (n > 1 && n % 2 == 0) {
        n /= 2;
        ++*exponent;
    }
    return n == 1 || lw_reader_fail(r, "%s before this is not a power of two", what);
}

typedef struct swizzle {
    unsigned b, m;
    int s;
    bool bytes; /* in bytes; otherwise in elements */
} swizzle;

static bool check_swizzle(lw_reader *r, const swizzle *w)
{
    const unsigned shift = (unsigned)abs(w->s);
    return (w->b <= shift && w->b + w->m + shift <= MOST_SHIFT) ||
           lw_reader_fail(r, "the swizzle before this overlaps itself, or is beyond %d bits", MOST_SHIFT);
}

static void apply_swizzle(lw_tile *t, const swizzle *w)
{
    const uint64_t unit = w->bytes ? 8 : t->width;
    for (size_t i = 0; i < (size_t)t->rows * t->cols; i++)
        t->bit[i] = lw_tile_swizzle(t->bit[i] / unit, w->b, w->m, w->s) * unit + t->bit[i] % unit;
}

bool lw_tile_fill_plain(lw_reader *r, lw_tile *t, unsigned inner)
{
    if (!lw_tile_make_room(r, t))
        return false;
    for (uint32_t row = 0; row < t->rows; row++)
        for (uint32_t col = 0; col < t->cols; col++)
            t->bit[row * t->cols + col] =
                (uint64_t)t->width * (inner ? row * t->cols + col : col * t->rows + row);
    return true;
}

/* ---- CuTe ---- */

static bool read_swizzle(lw_reader *r, swizzle *w)
{
    uint32_t n[3];
    for (int i = 0; i < 3; i++) {
        if (i && !lw_reader_need(r, ","))
            return false;
        const bool negative = i == 2 && lw_reader_take(r, "-");
        if (!lw_reader_number(r, &n[i]))
            return false;
        if (n[i] > MOST_SHIFT)
            return lw_reader_fail(r, "the number is too large");
        w->s = negative ? -(int)n[i] : (int)n[i];
    }
    w->b = n[0];
    w->m = n[1];
    return lw_reader_need(r, ">") && check_swizzle(r, w);
}

/* "_smem_ptr[16b](unset) o", "o 0 o", "o"; with a pointer, the swizzle applies to bytes. */
static bool read_between(lw_reader *r, swizzle *w)
{
    uint32_t n;
    if (lw_reader_take(r, "_smem_ptr[")) {
        w->bytes = true;
        if (!lw_reader_number(r, &n) || !lw_reader_need(r, "b") || !lw_reader_need(r, "](") ||
            !lw_reader_need(r, "unset") || !lw_reader_need(r, ")"))
            return false;
    }
    if (!lw_reader_need(r, "o"))
        return false;
    const size_t start = r->at;
    if (lw_reader_take(r, "smem_ptr[")) {
        w->bytes = true;
        return lw_reader_number(r, &n) && lw_reader_need(r, "b") && lw_reader_need(r, "](") &&
               lw_reader_need(r, "unset") && lw_reader_need(r, ")") && lw_reader_need(r, "o");
    }
    if (lw_reader_take(r, "_0") || lw_reader_take(r, "0"))
        return lw_reader_need(r, "o");
    r->at = start;
    return true;
}

static bool read_cute(lw_reader *r, lw_tile *t)
{
    lw_tuple shape, stride;
    swizzle w = { .b = 0 };
    const bool swizzled = lw_reader_take(r, "Swizzle<") || lw_reader_take(r, "Sw<");
    if (swizzled && (!read_swizzle(r, &w)))
        return false;
    if (swizzled && lw_reader_end(r)) {
        if (!lw_tile_fill_plain(r, t, 1))
            return false;
        apply_swizzle(t, &w);
        return true;
    }
    if ((swizzled && !read_between(r, &w)) || !lw_tuple_read_layout(r, &shape, &stride) ||
        !lw_tile_is_done(r))
        return false;
    if (shape.modes != 2)
        return lw_reader_fail(r, "the layout before this has no two modes, rows and columns");
    const uint32_t rows = lw_tuple_size(&shape, 0, shape.end_of_first),
                   cols = lw_tuple_size(&shape, shape.end_of_first, shape.leaves);
    if ((t->rows && rows != t->rows) || (t->cols && cols != t->cols))
        return lw_reader_fail(r, "the layout before this is of %u x %u elements, the tile of %u x %u", rows,
                              cols, t->rows, t->cols);
    t->rows = rows;
    t->cols = cols;
    if (!lw_tile_make_room(r, t))
        return false;
    for (uint32_t row = 0; row < rows; row++)
        for (uint32_t col = 0; col < cols; col++)
            t->bit[row * cols + col] =
                t->width * (lw_tuple_map(&shape, &stride, 0, shape.end_of_first, row) +
                            lw_tuple_map(&shape, &stride, shape.end_of_first, shape.leaves, col));
    if (swizzled)
        apply_swizzle(t, &w);
    return true;
}

/* ---- IREE and TIRx ---- */

static bool fill_swizzled_rows(lw_reader *r, lw_tile *t, const swizzle *w)
{
    if (!check_swizzle(r, w) || !lw_tile_fill_plain(r, t, 1))
        return false;
    apply_swizzle(t, w);
    return true;
}

/* xor_shuffle<row width, access width, row stride, rows per phase> */
static bool read_shuffle(lw_reader *r, lw_tile *t)
{
    uint32_t n[4] = { 0, 0, 0, 1 };
    unsigned e[4], count = 0;
    do {
        if (count == 4)
            return lw_reader_fail(r, "'>' is expected here");
        if (!lw_reader_number(r, &n[count++]))
            return false;
    } while (lw_reader_take(r, ","));
    if (!lw_reader_need(r, ">") || !lw_tile_is_done(r))
        return false;
    if (count < 2)
        return lw_reader_fail(r, "a row width and an access width are expected before this");
    n[2] = count > 2 ? n[2] : n[0];
    for (int i = 0; i < 4; i++)
        if (!lw_tile_log_two(r, n[i], "a number", &e[i]))
            return false;
    if (e[0] < e[1] || e[2] + e[3] < e[1])
        return lw_reader_fail(r, "a row is narrower than an access");
    const swizzle w = { .b = e[0] - e[1], .m = e[1], .s = (int)(e[2] + e[3] - e[1]) };
    return fill_swizzled_rows(r, t, &w);
}

/* ComposeLayout(per_element, swizzle_len, atom_len) */
static bool read_compose(lw_reader *r, lw_tile *t)
{
    uint32_t n[3];
    unsigned count;
    if (!lw_reader_list(r, "(", ")", n, 3, &count) || !lw_tile_is_done(r))
        return false;
    if (count != 3 || n[0] > MOST_SHIFT || n[1] > MOST_SHIFT || n[2] > MOST_SHIFT)
        return lw_reader_fail(r, "three small numbers are expected before this");
    const swizzle w = { .b = n[1], .m = n[0], .s = (int)n[2] };
    return fill_swizzled_rows(r, t, &w);
}

static bool read_tirx(lw_reader *r, lw_tile *t)
{
    lw_tv tv = { .r = { .rows = t->rows, .cols = t->cols, .ks = 1, .blocks = 1, .lanes = 1 },
                 .axis = { LW_AXIS_ROW, LW_AXIS_COL },
                 .axes = 2 };
    if (!lw_tile_make_room(r, t))
        return false;
    r->tv = &tv;
    lw_read_tirx(r);
    r->tv = NULL;
    for (size_t i = 0; r->status == LW_OK && i < (size_t)t->rows * t->cols; i++)
        t->bit[i] = NOWHERE;
    for (size_t i = 0; r->status == LW_OK && i < r->claims; i++) {
        uint64_t *bit = &t->bit[r->claim[i].row * t->cols + r->claim[i].col];
        if (r->claim[i].lane || *bit != NOWHERE)
            lw_reader_fail(r, "an element before this is not at one place in memory");
        *bit = (uint64_t)r->claim[i].bit * t->width;
    }
    free(r->claim);
    r->claim = NULL;
    return r->status == LW_OK;
}

/* ---- Address arithmetic ---- */

static void set_offset(void *context, uint32_t row, uint32_t col, bool bytes, uint64_t offset)
{
    lw_tile *t = context;
    t->bit[row * t->cols + col] = offset * (bytes ? 8 : t->width);
}

static bool read_arithmetic(lw_reader *r, lw_tile *t)
{
    if (lw_reader_end(r))
        return lw_reader_fail(r, "there is nothing to read");
    return lw_tile_make_room(r, t) && lw_formula_offsets(r, t->rows, t->cols, set_offset, t);
}

bool lw_tile_read_any(lw_reader *r, lw_tile *tile)
{
    static const struct {
        const char *begin, *name;
        bool (*read)(lw_reader *r, lw_tile *t);
        bool taken; /* the text before it no longer matters */
    } looks[] = {
        { "#ttg.swizzled_shared<{", "swizzled_shared", lw_tile_read_swizzled, true },
        { "#ttg.amd_rotating_shared<{", "amd_rotating_shared", lw_tile_read_rotating, true },
        { "#ttg.partitioned_shared<{", "partitioned_shared", lw_tile_read_partitioned, true },
        { "#ttg.padded_shared<", "padded_shared", lw_tile_read_padded, true },
        { "#ttg.nvmma_shared<{", "nvmma_shared", lw_tile_read_nvmma, true },
        { "#ttg.shared_linear<", "shared_linear", lw_tile_read_linear, true },
        { "#iree_codegen.xor_shuffle<", "xor_shuffle", read_shuffle, true },
        { "SWIZZLE_", "NVIDIA's mode", lw_tile_read_mode, true },
        { "ComposeLayout", "TIRx", read_compose, true },
        { "S[", "TIRx", read_tirx, false },
        { "Sw", "CuTe", read_cute, false },
        { "Layout<", "CuTe", read_cute, false },
        { "make_layout(", "CuTe", read_cute, false },
        { "cute.make_layout(", "CuTe", read_cute, false },
        { "(", "CuTe", read_cute, false },
    };
    lw_reader_skip(r);
    const size_t at = r->at;
    for (size_t i = 0; i < sizeof(looks) / sizeof(looks[0]); i++) {
        const size_t length = strlen(looks[i].begin);
        if (r->size - r->at < length || memcmp(r->text + r->at, looks[i].begin, length) != 0)
            continue;
        r->at += looks[i].taken ? length : 0;
        tile->name = looks[i].name;
        return looks[i].read(r, tile);
    }
    if (at < r->size && r->text[at] == '#')
        return lw_reader_fail(
            r, "of attributes, #ttg.swizzled_shared, amd_rotating_shared, padded_shared, partitioned_shared, "
               "nvmma_shared, shared_linear and #iree_codegen.xor_shuffle are tiles that are read");
    tile->name = "address arithmetic";
    return read_arithmetic(r, tile);
}

/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "isa_tables/error.h"
#include "isa_tables/options.h"
#include "layouts/tile/tile.h"

uint64_t lw_tile_swizzle(uint64_t x, unsigned b, unsigned m, int s)
{
    const uint64_t bits = (UINT64_C(1) << b) - 1;
    if (s >= 0)
        return x ^ (x >> s & bits << m);
    return x ^ (x & bits << m) << -s;
}

bool lw_tile_make_room(lw_reader *r, lw_tile *tile)
{
    if (tile->rows == 0 || tile->cols == 0)
        return lw_reader_fail(r,
                              "the text does not say how many rows and columns the tile has: give its shape");
    if (tile->rows > LW_TILE_MOST || tile->cols > LW_TILE_MOST / tile->rows)
        return lw_reader_fail(r, "a tile of %u x %u elements: %d at most", tile->rows, tile->cols,
                              LW_TILE_MOST);
    tile->bit = malloc((size_t)tile->rows * tile->cols * sizeof(*tile->bit));
    if (!tile->bit)
        r->status = lw_error_fail(r->error, LW_E_NO_MEMORY, "no memory for a tile");
    return tile->bit != NULL;
}

static int by_bit(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Sets the tile's end; fails if two elements overlap. */
static bool find_end(lw_reader *r, lw_tile *tile)
{
    const size_t count = (size_t)tile->rows * tile->cols;
    uint64_t *sorted = malloc(count * sizeof(*sorted));
    if (!sorted) {
        r->status = lw_error_fail(r->error, LW_E_NO_MEMORY, "no memory for a tile");
        return false;
    }
    memcpy(sorted, tile->bit, count * sizeof(*sorted));
    bool rises = true;
    for (size_t i = 1; i < count && rises; i++)
        rises = sorted[i - 1] < sorted[i];
    if (!rises)
        qsort(sorted, count, sizeof(*sorted), by_bit);
    size_t clash = 1;
    while (clash < count && sorted[clash] - sorted[clash - 1] >= tile->width)
        clash++;
    tile->bits = sorted[count - 1] + tile->width;
    const uint64_t at = clash < count ? sorted[clash] : 0;
    free(sorted);
    return clash >= count ||
           lw_reader_fail(r, "two elements of the tile share bit %llu of memory", (unsigned long long)at);
}

static bool is_width(uint32_t width)
{
    return width == 4 || width == 6 || width == 8 || width == 16 || width == 32 || width == 64;
}

lw_status lw_tile_read(const char *text, size_t size, uint32_t rows, uint32_t cols, uint32_t width,
                       lw_tile **tile, lw_error *error)
{
    if (!text || !tile || !is_width(width))
        return lw_error_fail(error, LW_E_ARGUMENT,
                             "lw_tile_read needs a text, a result, and elements of 4, 6, 8, 16, "
                             "32 or 64 bits");
    lw_reader r = { .text = text, .size = size, .error = error };
    lw_tile *made = malloc(sizeof(*made));
    if (!made)
        return lw_error_fail(error, LW_E_NO_MEMORY, "no memory for a tile");
    *made = (lw_tile){ .rows = rows, .cols = cols, .width = width };
    if (lw_tile_read_any(&r, made) && find_end(&r, made)) {
        *tile = made;
        return LW_OK;
    }
    lw_tile_free(made);
    return r.status;
}

lw_status lw_tile_create_plain(uint32_t rows, uint32_t cols, uint32_t width, bool columns, lw_tile **tile,
                               lw_error *error)
{
    static const char by_rows[] = "offset = 0";
    if (!tile || !is_width(width))
        return lw_error_fail(error, LW_E_ARGUMENT,
                             "lw_tile_create_plain needs a result, and elements of 4, 6, 8, 16, "
                             "32 or 64 bits");
    lw_reader r = { .text = by_rows, .size = 0, .error = error };
    lw_tile *made = malloc(sizeof(*made));
    if (!made)
        return lw_error_fail(error, LW_E_NO_MEMORY, "no memory for a tile");
    *made = (lw_tile){ .name = columns ? "columns" : "rows", .rows = rows, .cols = cols, .width = width };
    if (!lw_tile_make_room(&r, made)) {
        free(made);
        return r.status == LW_E_FORMAT ? LW_E_ARGUMENT : r.status;
    }
    for (uint32_t row = 0; row < rows; row++)
        for (uint32_t col = 0; col < cols; col++)
            made->bit[row * cols + col] = (uint64_t)width * (columns ? col * rows + row : row * cols + col);
    made->bits = (uint64_t)rows * cols * width;
    *tile = made;
    return LW_OK;
}

void lw_tile_free(lw_tile *tile)
{
    if (tile)
        free(tile->bit);
    free(tile);
}

lw_status lw_tile_fill_info(const lw_tile *tile, lw_tile_info *info)
{
    if (!tile || !info)
        return LW_E_ARGUMENT;
    const lw_tile_info made = { .struct_size = sizeof(made),
                                .name = tile->name,
                                .rows = tile->rows,
                                .cols = tile->cols,
                                .width = tile->width,
                                .bits = tile->bits };
    return lw_options_give(info, &made, sizeof(made), sizeof(made)) ? LW_OK : LW_E_ARGUMENT;
}

lw_status lw_tile_bit(const lw_tile *tile, uint32_t row, uint32_t col, uint64_t *bit)
{
    if (!tile || !bit || row >= tile->rows || col >= tile->cols)
        return LW_E_ARGUMENT;
    *bit = tile->bit[row * tile->cols + col];
    return LW_OK;
}

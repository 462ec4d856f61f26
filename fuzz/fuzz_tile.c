/* SPDX-License-Identifier: MIT */
/* Arbitrary text as a tile in shared memory: the first byte selects its shape, and an error names a
 * column. */
#include <stdlib.h>
#include <string.h>

#include <lanewise/lanewise.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void insist(int condition)
{
    if (!condition)
        abort();
}

static lw_status drop(void *context, const char *text, size_t size)
{
    (void)context, (void)text, (void)size;
    return LW_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint32_t shapes[][3] = { { 0, 0, 16 }, { 16, 64, 16 }, { 8, 8, 32 }, { 3, 5, 6 } };
    lw_tile *tile = NULL;
    lw_error error = { "" };
    if (size == 0)
        return 0;
    const uint32_t *s = shapes[data[0] % (sizeof(shapes) / sizeof(shapes[0]))];
    const lw_status st = lw_tile_read((const char *)data + 1, size - 1, s[0], s[1], s[2], &tile, &error);
    if (st != LW_OK) {
        insist(st == LW_E_FORMAT && strstr(error.text, "column "));
        return 0;
    }
    lw_tile_info info;
    uint64_t bit;
    insist(lw_tile_get_info(tile, &info) == LW_OK && info.rows && info.cols);
    insist(lw_tile_bit(tile, info.rows - 1, info.cols - 1, &bit) == LW_OK && bit + info.width <= info.bits);
    for (int f = LW_LAYOUT_GRID; f <= LW_LAYOUT_LATEX; f++) {
        const lw_status written = lw_tile_print(tile, (lw_layout_format)f, drop, NULL, &error);
        insist(written == LW_OK || written == LW_E_UNSUPPORTED);
    }
    lw_tile_free(tile);
    return 0;
}

/* SPDX-License-Identifier: MIT */
/* Triton's partitioned_shared: a tile cut into pieces along one dimension, which are assigned to separate
 * buffers in turn. */
#include <stdlib.h>
#include <string.h>

#include "layouts/tile/tile.h"

typedef struct partition {
    uint32_t buffers, groups, dim;
    lw_reader inner; /* the layout of a piece: its text */
} partition;

/* The text of an attribute, up to the '>' that closes it. */
static bool take_attribute(lw_reader *r, lw_reader *inner)
{
    unsigned depth = 0;
    lw_reader_skip(r);
    *inner = *r;
    if (r->at >= r->size || r->text[r->at] != '#')
        return lw_reader_fail(r, "an attribute is expected here, as #ttg.swizzled_shared<{..}>");
    while (r->at < r->size) {
        const char c = r->text[r->at++];
        depth += c == '<';
        if (c == '>' && (depth == 0 || --depth == 0))
            break;
    }
    if (depth || r->text[r->at - 1] != '>')
        return lw_reader_fail(r, "'>' is expected here");
    inner->size = r->at;
    return true;
}

static bool read_partition(lw_reader *r, partition *p)
{
    static const char *const names[] = { "numPartitions", "numGroups", "partitionDim", "partitionLayout" };
    uint32_t *const numbers[] = { &p->buffers, &p->groups, &p->dim };
    unsigned seen = 0;
    do {
        unsigned f = 0;
        while (f < 4 && !lw_reader_take(r, names[f]))
            f++;
        if (f == 4)
            return lw_reader_fail(
                r, "numPartitions, numGroups, partitionDim or partitionLayout is expected here");
        if (seen >> f & 1)
            return lw_reader_fail(r, "%s is said twice", names[f]);
        seen |= 1u << f;
        if (!lw_reader_need(r, "=") ||
            !(f < 3 ? lw_reader_number(r, numbers[f]) : take_attribute(r, &p->inner)))
            return false;
    } while (lw_reader_take(r, ","));
    for (unsigned f = 0; f < 4; f++)
        if (!(seen >> f & 1))
            return lw_reader_fail(r, "%s is missing before this", names[f]);
    return lw_reader_need(r, "}") && lw_reader_need(r, ">") && lw_tile_is_done(r);
}

static bool check_partition(lw_reader *r, const lw_tile *t, const partition *p, uint32_t piece[2])
{
    unsigned exponent;
    if (!lw_tile_log_two(r, p->buffers, "numPartitions", &exponent) ||
        !lw_tile_log_two(r, p->groups, "numGroups", &exponent))
        return false;
    if (p->buffers < 2)
        return lw_reader_fail(r, "numPartitions before this is not at least 2");
    if (p->dim > 1)
        return lw_reader_fail(r, "partitionDim before this is %u, a tile has dimensions 0 and 1", p->dim);
    const uint32_t along = p->dim ? t->cols : t->rows;
    const uint64_t pieces = (uint64_t)p->buffers * p->groups;
    if (along % pieces)
        return lw_reader_fail(r, "%u elements along dimension %u do not divide into %llu pieces", along,
                              p->dim, (unsigned long long)pieces);
    piece[0] = t->rows;
    piece[1] = t->cols;
    piece[p->dim] = (uint32_t)(along / pieces);
    return true;
}

/* The bits of memory of a piece. If a buffer has several pieces they must be full: where a piece with gaps
 * ends is not documented. */
static bool measure(lw_reader *r, const partition *p, const lw_tile *piece, uint64_t *bits)
{
    const size_t count = (size_t)piece->rows * piece->cols;
    *bits = (uint64_t)count * piece->width;
    for (size_t i = 0; i < count; i++)
        *bits = piece->bit[i] >= *bits ? piece->bit[i] + piece->width : *bits;
    return p->groups == 1 || *bits == (uint64_t)count * piece->width ||
           lw_reader_fail(
               r, "a piece has gaps, and a buffer has several: Triton's documentation does not say where "
                  "each begins");
}

bool lw_tile_read_partitioned(lw_reader *r, lw_tile *t)
{
    static const char *const self = "#ttg.partitioned_shared";
    partition p = { .buffers = 0 };
    uint32_t size[2];
    uint64_t bits = 0;
    if (!read_partition(r, &p) || !lw_tile_make_room(r, t) || !check_partition(r, t, &p, size))
        return false;
    lw_reader *inner = &p.inner;
    lw_tile piece = { .rows = size[0], .cols = size[1], .width = t->width };
    const bool again =
        inner->size - inner->at > strlen(self) && !memcmp(inner->text + inner->at, self, strlen(self));
    const bool fine = (!again || lw_reader_fail(inner, "pieces of pieces")) &&
                      lw_tile_read_any(inner, &piece) && measure(inner, &p, &piece, &bits);
    r->status = inner->status;
    for (uint32_t row = 0; fine && row < t->rows; row++)
        for (uint32_t col = 0; col < t->cols; col++) {
            const uint32_t number = p.dim ? col / size[1] : row / size[0];
            const uint64_t buffer = number % p.buffers, place = number / p.buffers;
            t->bit[row * t->cols + col] =
                (buffer * p.groups + place) * bits + piece.bit[row % size[0] * size[1] + col % size[1]];
        }
    free(piece.bit);
    return fine;
}

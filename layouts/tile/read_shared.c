/* SPDX-License-Identifier: MIT */
/* Texts about tiles in shared memory: Triton's attributes and NVIDIA's modes. */
#include "layouts/tile/tile.h"

enum { MOST_BASES = 28 };
#define NOWHERE UINT64_MAX

typedef struct field {
    const char *name;
    uint32_t *n;
    unsigned count; /* 1: a number; 2: two in brackets; 0: CGALayout, which may only be empty */
    bool seen, optional;
} field;

static bool read_no_cluster(lw_reader *r)
{
    return lw_reader_need(r, "[") &&
           (lw_reader_take(r, "]") || lw_reader_fail(r, "a CGALayout of several workgroups is not read"));
}

/* "name = number" and "name = [1, 0]", separated by commas, in any order, up to `close`; all that are not
 * optional must be present. */
static bool read_fields(lw_reader *r, field *fields, unsigned count, const char *close)
{
    do {
        unsigned f = 0, got;
        while (f < count && !lw_reader_take(r, fields[f].name))
            f++;
        if (f == count)
            return lw_reader_fail(r, "a parameter that is not known");
        if (fields[f].seen)
            return lw_reader_fail(r, "%s is said twice", fields[f].name);
        fields[f].seen = true;
        if (!lw_reader_need(r, "="))
            return false;
        if (!fields[f].count && !read_no_cluster(r))
            return false;
        if (!fields[f].count)
            continue;
        if (fields[f].count == 1 && (lw_reader_take(r, "false") || lw_reader_take(r, "true")))
            *fields[f].n = r->text[r->at - 2] == 'u';
        else if (fields[f].count == 1 ? !lw_reader_number(r, fields[f].n)
                                      : !lw_reader_list(r, "[", "]", fields[f].n, 2, &got))
            return false;
        else if (fields[f].count == 2 && got != 2)
            return lw_reader_fail(r, "%s before this has %u numbers, a tile has two dimensions",
                                  fields[f].name, got);
    } while (lw_reader_take(r, ","));
    for (unsigned f = 0; f < count; f++)
        if (!fields[f].seen && !fields[f].optional)
            return lw_reader_fail(r, "%s is missing before this", fields[f].name);
    return lw_reader_need(r, close);
}

static bool check_order(lw_reader *r, const uint32_t order[2])
{
    return (order[0] < 2 && order[1] == 1 - order[0]) ||
           lw_reader_fail(r, "order before this is not [1, 0] or [0, 1]");
}

/* Rows are XORed with their phase; if `rotating`, also with the number of the block of phases. */
static bool read_phases(lw_reader *r, lw_tile *t, bool rotating)
{
    uint32_t vec, per, most, order[2];
    unsigned exponent;
    field fields[] = { { "vec", &vec, 1, false, false },
                       { "perPhase", &per, 1, false, false },
                       { "maxPhase", &most, 1, false, false },
                       { "order", order, 2, false, false },
                       { "CGALayout", NULL, 0, false, true } };
    if (!read_fields(r, fields, 5, "}") || !lw_reader_need(r, ">") || !lw_tile_is_done(r) ||
        !check_order(r, order) || !lw_tile_log_two(r, vec, "vec", &exponent) ||
        !lw_tile_log_two(r, per, "perPhase", &exponent) || !lw_tile_log_two(r, most, "maxPhase", &exponent) ||
        !lw_tile_fill_plain(r, t, order[0]))
        return false;
    const uint32_t length = order[0] ? t->cols : t->rows;
    if (!lw_tile_log_two(r, length, "a row of the tile", &exponent))
        return false;
    for (uint32_t row = 0; row < t->rows; row++)
        for (uint32_t col = 0; col < t->cols; col++) {
            const uint32_t outer = order[0] ? row : col, inner = order[0] ? col : row;
            const uint32_t block = rotating ? outer / per / most % most : 0;
            const uint32_t turned = inner ^ vec * (outer / per % most ^ block) % length;
            t->bit[row * t->cols + col] = (uint64_t)t->width * (outer * length + turned);
        }
    return true;
}

bool lw_tile_read_swizzled(lw_reader *r, lw_tile *t)
{
    return read_phases(r, t, false);
}

bool lw_tile_read_rotating(lw_reader *r, lw_tile *t)
{
    return read_phases(r, t, true);
}

typedef struct mode {
    uint32_t bytes, transposed;
    uint32_t padded; /* eight bytes of 4-bit elements alternate with eight unused bytes */
} mode;

static bool read_mode_attribute(lw_reader *r, const lw_tile *t, mode *m)
{
    uint32_t width;
    field fields[] = { { "swizzlingByteWidth", &m->bytes, 1, false, false },
                       { "transposed", &m->transposed, 1, false, false },
                       { "elementBitWidth", &width, 1, false, false },
                       { "fp4Padded", &m->padded, 1, false, true },
                       { "CGALayout", NULL, 0, false, true } };
    m->padded = 0;
    if (!read_fields(r, fields, 5, "}") || !lw_reader_need(r, ">") || !lw_tile_is_done(r))
        return false;
    if (m->padded && (m->bytes != 128 || width != 8))
        return lw_reader_fail(r, "fp4Padded before this needs a swizzle of 128 bytes and elements of 8 bits");
    return width == t->width ||
           lw_reader_fail(r, "elements of %u bits before this, the tile's have %u", width, t->width);
}

/* Pieces as wide as the swizzle, one after the other, each with all rows; 16-byte units are XORed with the
 * row. */
static bool fill_mode(lw_reader *r, lw_tile *t, const mode *m)
{
    const uint32_t bytes = m->bytes;
    const bool transposed = m->transposed;
    if (bytes != 32 && bytes != 64 && bytes != 128)
        return lw_reader_fail(r, "a swizzle of %u bytes: must be 32, 64 or 128", bytes);
    if (!lw_tile_make_room(r, t))
        return false;
    const uint32_t rows = transposed ? t->cols : t->rows, cols = transposed ? t->rows : t->cols;
    const uint64_t spread = m->padded ? 2 : 1, piece = 8 * bytes / t->width / spread;
    if (cols % piece)
        return lw_reader_fail(r, "rows of %u elements are not a multiple of %u bytes", cols, bytes);
    const unsigned b = bytes == 128 ? 3 : bytes == 64 ? 2 : 1;
    for (uint32_t row = 0; row < rows; row++)
        for (uint32_t col = 0; col < cols; col++) {
            const uint64_t inside = col % piece, line = col / piece * rows + row;
            const uint64_t at =
                (line * piece * spread + (m->padded ? inside / 8 * 16 + inside % 8 : inside)) * t->width;
            t->bit[transposed ? col * t->cols + row : row * t->cols + col] =
                lw_tile_swizzle(at / 8, b, 4, 3) * 8 + at % 8;
        }
    return true;
}

bool lw_tile_read_nvmma(lw_reader *r, lw_tile *t)
{
    mode m;
    if (!read_mode_attribute(r, t, &m))
        return false;
    return m.bytes ? fill_mode(r, t, &m) : lw_tile_fill_plain(r, t, !m.transposed);
}

bool lw_tile_read_mode(lw_reader *r, lw_tile *t)
{
    static const char *const names[] = { "32B", "64B", "128B" };
    for (unsigned i = 0; i < 3; i++)
        if (lw_reader_take(r, names[i]))
            return lw_tile_is_done(r) && fill_mode(r, t, &(mode){ .bytes = 32u << i });
    return lw_reader_fail(r, "128B, 64B or 32B is expected here");
}

/* offset = [[0,1],[0,2],..]: the coordinates that each bit of the offset stands for. */
static bool read_bases(lw_reader *r, uint32_t bases[][2], unsigned *count)
{
    unsigned got;
    *count = 0;
    if (!lw_reader_need(r, "offset") || !lw_reader_need(r, "=") || !lw_reader_need(r, "["))
        return false;
    if (lw_reader_take(r, "]"))
        return true;
    do {
        if (*count == MOST_BASES)
            return lw_reader_fail(r, "more than %d vectors", MOST_BASES);
        if (!lw_reader_list(r, "[", "]", bases[(*count)++], 2, &got))
            return false;
        if (got != 2)
            return lw_reader_fail(r, "the vector before this has %u coordinates, a tile has two", got);
    } while (lw_reader_take(r, ","));
    return lw_reader_need(r, "]");
}

static bool read_no_blocks(lw_reader *r)
{
    return !lw_reader_take(r, ",") || (lw_reader_need(r, "block") && lw_reader_need(r, "=") &&
                                       lw_reader_need(r, "[") && lw_reader_need(r, "]"));
}

/* Fills offsets from bases; a shape that is not given is what the bases span. */
static bool fill_bases(lw_reader *r, lw_tile *t, uint32_t bases[][2], unsigned count)
{
    uint32_t reach[2] = { 0, 0 };
    for (unsigned b = 0; b < count; b++)
        for (int d = 0; d < 2; d++)
            reach[d] |= bases[b][d];
    if (count > 17)
        return lw_reader_fail(r, "the layout before this has more than %d places", LW_TILE_MOST);
    t->rows = t->rows ? t->rows : reach[0] + 1;
    t->cols = t->cols ? t->cols : reach[1] + 1;
    if (!lw_tile_make_room(r, t))
        return false;
    for (size_t i = 0; i < (size_t)t->rows * t->cols; i++)
        t->bit[i] = NOWHERE;
    for (uint32_t n = 0; n < UINT32_C(1) << count; n++) {
        uint32_t at[2] = { 0, 0 };
        for (unsigned b = 0; b < count; b++)
            for (int d = 0; d < 2; d++)
                at[d] ^= n >> b & 1 ? bases[b][d] : 0;
        if (at[0] >= t->rows || at[1] >= t->cols)
            return lw_reader_fail(r, "offset %u is row %u, column %u; the tile is of %u x %u", n, at[0],
                                  at[1], t->rows, t->cols);
        uint64_t *bit = &t->bit[at[0] * t->cols + at[1]];
        *bit = *bit == NOWHERE ? (uint64_t)n * t->width : *bit;
    }
    for (size_t i = 0; i < (size_t)t->rows * t->cols; i++)
        if (t->bit[i] == NOWHERE)
            return lw_reader_fail(r, "row %zu, column %zu is at no offset", i / t->cols, i % t->cols);
    return true;
}

bool lw_tile_read_linear(lw_reader *r, lw_tile *t)
{
    uint32_t bases[MOST_BASES][2], alignment;
    unsigned count;
    if (!lw_reader_need(r, "{") || !read_bases(r, bases, &count) || !read_no_blocks(r) ||
        !lw_reader_need(r, "}"))
        return false;
    if (lw_reader_take(r, ",") &&
        (!lw_reader_need(r, "alignment") || !lw_reader_need(r, "=") || !lw_reader_number(r, &alignment)))
        return false;
    return lw_reader_need(r, ">") && lw_tile_is_done(r) && fill_bases(r, t, bases, count);
}

typedef struct paddings {
    uint32_t interval[8], pad[8];
    unsigned count;
} paddings;

static bool read_paddings(lw_reader *r, paddings *p)
{
    p->count = 0;
    if (!lw_reader_need(r, "["))
        return false;
    do {
        if (p->count == 8)
            return lw_reader_fail(r, "more than 8 paddings");
        if (!lw_reader_number(r, &p->interval[p->count]))
            return false;
        if (p->interval[p->count] == 0)
            return lw_reader_fail(r, "an interval of 0");
        if (!lw_reader_need(r, ":") || !lw_reader_need(r, "+") || !lw_reader_number(r, &p->pad[p->count++]))
            return false;
    } while (lw_reader_take(r, ","));
    return lw_reader_need(r, "]");
}

/* The rows and columns in the text, checked against those given. */
static bool take_shape(lw_reader *r, lw_tile *t, const uint32_t shape[2])
{
    if ((t->rows && shape[0] != t->rows) || (t->cols && shape[1] != t->cols))
        return lw_reader_fail(r, "the layout before this is of %u x %u elements, the tile of %u x %u",
                              shape[0], shape[1], t->rows, t->cols);
    t->rows = shape[0];
    t->cols = shape[1];
    return true;
}

bool lw_tile_read_padded(lw_reader *r, lw_tile *t)
{
    paddings p;
    uint32_t order[2] = { 1, 0 }, shape[2], bases[MOST_BASES][2];
    unsigned count;
    field fields[] = { { "order", order, 2, false, false }, { "shape", shape, 2, false, false } };
    if (!read_paddings(r, &p) || !lw_reader_need(r, "{"))
        return false;
    lw_reader ahead = *r;
    if (lw_reader_take(&ahead, "offset")) {
        if (!read_bases(r, bases, &count) || !read_no_blocks(r) || !lw_reader_need(r, "}") ||
            !lw_reader_need(r, ">") || !lw_tile_is_done(r) || !fill_bases(r, t, bases, count))
            return false;
    } else if (!read_fields(r, fields, 2, "}") || !lw_reader_need(r, ">") || !lw_tile_is_done(r) ||
               !check_order(r, order) || !take_shape(r, t, shape) || !lw_tile_fill_plain(r, t, order[0])) {
        return false;
    }
    for (size_t i = 0; i < (size_t)t->rows * t->cols; i++) {
        const uint64_t at = t->bit[i] / t->width;
        for (unsigned n = 0; n < p.count; n++)
            t->bit[i] += at / p.interval[n] * p.pad[n] * t->width;
    }
    return true;
}

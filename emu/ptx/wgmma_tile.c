/* SPDX-License-Identifier: MIT */
/* wgmma's matrices in shared memory: descriptors and places of elements. */
#include "emu/ptx/wgmma_tile.h"

#include <string.h>

enum { CHUNK = 16 }; /* bytes that stay contiguous */

/* A decoded descriptor. */
typedef struct tile {
    uint32_t start, leading, stride; /* bytes */
    uint32_t width;                  /* of the swizzle pattern; 16: no swizzle */
    lw_ptx_view memory;              /* the block's */
} tile;

lw_ptx_view lw_ptx_view_of(const lw_ptx_warp *w)
{
    return (lw_ptx_view){ lw_group_lds(w->head.group, w->head.rank), w->head.group->lds_size };
}

/* `w` NULL: nothing is reported. */
static bool read_tile(lw_ptx_warp *w, uint64_t descriptor, unsigned bytes, bool turned, tile *t)
{
    static const uint32_t widths[] = { CHUNK, 128, 64, 32 };
    const unsigned base = (unsigned)(descriptor >> 49 & 7);
    *t = (tile){ .start = (uint32_t)(descriptor & 0x3fff) << 4,
                 .leading = (uint32_t)(descriptor >> 16 & 0x3fff) << 4,
                 .stride = (uint32_t)(descriptor >> 32 & 0x3fff) << 4,
                 .width = widths[descriptor >> 62] };
    const bool narrow = !turned && t->width != CHUNK && t->width < bytes;
    if (!w)
        return !base && !narrow;
    t->memory = lw_ptx_view_of(w);
    if (base) {
        lw_fault_say(
            &w->head, -1,
            "the matrix descriptor 0x%016llx has the base offset %u: nothing is known of others than 0",
            (unsigned long long)descriptor, base);
        return false;
    }
    if (narrow) {
        lw_fault_say(&w->head, -1, "a swizzle of %u bytes cannot hold %u bytes of a column", t->width, bytes);
        return false;
    }
    return true;
}

/* Permutes 16-byte pieces: bits 4 and up of an address are exclusive-ored with bits 7 and up. */
static uint32_t swizzled(const tile *t, uint32_t address)
{
    return address ^ ((address >> 7 & (t->width / CHUNK - 1)) << 4);
}

static const uint8_t *chunk_at(lw_ptx_warp *w, const tile *t, uint32_t offset)
{
    const uint32_t at = lw_ptx_in_rank(swizzled(t, t->start + offset), 0);
    const bool inside = at < t->memory.size && t->memory.size - at >= CHUNK;
    if (!w->head.log && at % CHUNK == 0 && inside)
        return t->memory.shared + at;
    return lw_ptx_reach(w, 0, LW_PTX_WORD_SHARED_CTA,
                        lw_ptx_in_rank(swizzled(t, t->start + offset), w->head.rank), CHUNK, false);
}

/* Where the piece of a row (column) with byte `b` of k is; consecutive k are adjacent. */
static uint32_t straight_at(const tile *t, unsigned mn, unsigned b)
{
    const uint32_t row = mn % 8 * t->width + mn / 8 * t->stride;
    return row + (t->width == CHUNK ? b / CHUNK * t->leading : b - b % CHUNK);
}

enum { TURNED_BYTES = 2, TURNED_EACH = CHUNK / TURNED_BYTES };

/* The same for 16-bit elements, where adjacent rows (columns) are contiguous: of eight of them, for one k. */
static uint32_t turned_at(const tile *t, unsigned mn, unsigned k)
{
    const uint32_t c = (mn - mn % TURNED_EACH) * TURNED_BYTES;
    return t->width == CHUNK
               ? c / CHUNK * t->stride + k % 8 * CHUNK + k / 8 * t->leading
               : c % t->width + c / t->width * t->leading + k % 8 * t->width + k / 8 * t->stride;
}

/* `count` rows (columns) from number `first` on, one after the other, with `bytes` of k each. */
static bool read_straight(lw_ptx_warp *w, const tile *t, unsigned first, unsigned count, unsigned bytes,
                          uint8_t *to)
{
    for (unsigned i = 0; i < count; i++)
        for (unsigned b = 0; b < bytes; b += CHUNK) {
            const uint8_t *from = chunk_at(w, t, straight_at(t, first + i, b));
            if (!from)
                return false;
            memcpy(to + (size_t)i * bytes + b, from, CHUNK);
        }
    return true;
}

static bool read_turned(lw_ptx_warp *w, const tile *t, unsigned first, unsigned count, unsigned bytes,
                        uint8_t *to)
{
    for (unsigned i = 0; i < count; i += TURNED_EACH)
        for (unsigned k = 0; k < bytes / TURNED_BYTES; k++) {
            const uint8_t *from = chunk_at(w, t, turned_at(t, first + i, k));
            if (!from)
                return false;
            for (unsigned e = 0; e < TURNED_EACH; e++)
                memcpy(to + (size_t)(i + e) * bytes + (size_t)k * TURNED_BYTES,
                       from + (size_t)e * TURNED_BYTES, TURNED_BYTES);
        }
    return true;
}

bool lw_ptx_read_tile(lw_ptx_warp *w, uint64_t descriptor, bool turned, unsigned first, unsigned count,
                      unsigned bytes, uint8_t *to)
{
    tile t;
    return read_tile(w, descriptor, bytes, turned, &t) &&
           (turned ? read_turned : read_straight)(w, &t, first, count, bytes, to);
}

bool lw_ptx_tile_address(uint64_t descriptor, bool turned, unsigned bytes, unsigned row, unsigned byte,
                         uint32_t *address)
{
    tile t;
    if (!read_tile(NULL, descriptor, bytes, turned, &t))
        return false;
    const uint32_t chunk = swizzled(
        &t, t.start + (turned ? turned_at(&t, row, byte / TURNED_BYTES) : straight_at(&t, row, byte)));
    *address = lw_ptx_in_rank(chunk, 0) +
               (turned ? row % TURNED_EACH * TURNED_BYTES + byte % TURNED_BYTES : byte % CHUNK);
    return true;
}

/* SPDX-License-Identifier: MIT */
/*
 * Moving tiles of A through LDS without registers in between (buffer_load_dwordx4 ... lds).
 *
 * A tile is 16 rows of 128 bf16: 256 "quads" of 16 bytes, 16 per row, and one row spans all 64 LDS banks.
 * A direct load puts lane L's quad at the instruction's base + 16*L, so a swizzle can only happen on the
 * global side: quad slot s of LDS receives the tile's quad swizzle(s). The swizzles are their own inverse.
 */
#ifndef EXAMPLES_MXFP4_LDS_H
#define EXAMPLES_MXFP4_LDS_H

#include "mxfp4.h"

enum { TILE_QUADS = 256, A_LOADS = TILE_QUADS / WAVE };

enum swizzle_kind {
    SWIZZLE_NONE, /* lanes that read a column of quads meet in four banks: 8 lanes of a phase collide */
    SWIZZLE_HALF, /* quad bits 1:0 are flipped by the row's low bits: still 2 lanes per bank */
    SWIZZLE_FULL, /* and quad bit 3 by the row's next bit: every bank once per phase */
};

template <swizzle_kind KIND> DEVICE u32 swizzle(u32 quad)
{
    u32 flip = 0;
    if (KIND != SWIZZLE_NONE)
        flip |= quad >> 4 & 3;
    if (KIND == SWIZZLE_FULL)
        flip |= quad >> 3 & 8;
    return quad ^ flip;
}

/*
 * A buffer of exactly m x k elements: loads past its end return zero instead of faulting, which
 * supplies the missing rows when m is not a multiple of 16. Word 3 says "raw bytes".
 */
DEVICE __amdgpu_buffer_rsrc_t buffer_over(const void *base, u32 bytes)
{
    return __builtin_amdgcn_make_buffer_rsrc(const_cast<void *>(base), 0, bytes, 0x00027000);
}

/* The size must be a literal, hence two functions: 16 or 4 bytes per lane. */
DEVICE void load_quads_to_lds(__amdgpu_buffer_rsrc_t from, void *to, u32 lane_offset, u32 wave_offset)
{
    __builtin_amdgcn_raw_ptr_buffer_load_lds(from, (__attribute__((address_space(3))) void *)to, 16,
                                             lane_offset, wave_offset, 0, 0);
}

DEVICE void load_words_to_lds(__amdgpu_buffer_rsrc_t from, void *to, u32 lane_offset, u32 wave_offset)
{
    __builtin_amdgcn_raw_ptr_buffer_load_lds(from, (__attribute__((address_space(3))) void *)to, 4,
                                             lane_offset, wave_offset, 0, 0);
}

/* The compiler does not follow data that loads put into LDS: these waits are placed by hand. */
template <int OUTSTANDING> DEVICE void wait_loads()
{
    asm volatile("s_waitcnt vmcnt(%0)" : : "n"(OUTSTANDING) : "memory");
}

DEVICE void wait_lds()
{
    asm volatile("s_waitcnt lgkmcnt(0)" : : : "memory");
}

/* Reads this lane's block of 32 values (row lane % 16, k block lane / 16) out of a staged tile. */
template <swizzle_kind KIND> DEVICE a_block read_block(const u32x4 *tile, u32 lane)
{
    a_block a;
    for (u32 i = 0; i < 4; i++)
        a.quad[i] = tile[swizzle<KIND>(lane % 16 * 16 + lane / 16 * 4 + i)];
    return a;
}

/* Where the four loads of a tile read, in bytes from the tile row's first element of A. */
template <swizzle_kind KIND> struct a_tile_source {
    u32 offset[A_LOADS];

    /*
     * The row is part of the per-lane offset, not of the scalar one: documents disagree whether the
     * range check of a raw buffer counts the scalar offset, and this way rows past m fail it in both
     * readings.
     */
    DEVICE a_tile_source of(u32 tile_y, u32 k, u32 lane)
    {
        a_tile_source s;
        for (u32 i = 0; i < A_LOADS; i++) {
            const u32 quad = swizzle<KIND>(i * WAVE + lane);
            s.offset[i] = ((tile_y * TILE + quad / 16) * k + quad % 16 * 8) * sizeof(bf16);
        }
        return s;
    }

    __attribute__((device, always_inline)) void load(__amdgpu_buffer_rsrc_t a, u32x4 *tile, u32 step) const
    {
        for (u32 i = 0; i < A_LOADS; i++)
            load_quads_to_lds(a, tile + i * WAVE, offset[i], step * STEP * sizeof(bf16));
    }
};

struct tile_position {
    u32 x, y;
};

/*
 * Workgroups are dealt to the eight dies in turn. Renumbering them so that each die gets a consecutive
 * run, and running down the rows first, lets neighbours on a die share columns of B in its cache.
 * `blocks` need not divide by eight (the last few stay where they are); the count of row tiles must be
 * a power of two, which spares an integer division.
 */
DEVICE tile_position remapped_tile(u32 block, u32 blocks, u32 m)
{
    const u32 dies = 8, run = blocks / dies;
    const u32 at = block < run * dies ? block % dies * run + block / dies : block;
    const u32 rows = (m + TILE - 1) / TILE;
    return { at >> __builtin_ctz(rows), at & (rows - 1) };
}

DEVICE u32 tile_count(u32 m, u32 n)
{
    return (m + TILE - 1) / TILE * (n / TILE);
}

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Tensor copies of pixels (im2col). The dimensions are channels, then one to three of space, then images. A
 * copy takes some channels of a number of pixels. It begins at its coordinates and walks through a box of
 * space, which the corners bound, in steps; the offsets are added to each pixel's place, and pixels that then
 * are outside the tensor read as zeros. PTX ISA 9.1, "Im2col mode"; CUDA driver API, cuTensorMapEncodeIm2col.
 * Where the driver puts these fields into a map is not published: they are where emu/ptx/tensor_map.c puts
 * them.
 *
 * .im2col::w and .im2col::w::128 walk through one row of pixels only, from image to image ("im2col::w and
 * im2col::w::128 modes"), and then load `halo` pixels more: those that come next, or after each 32 pixels
 * those that come next there. PTX ISA draws where they are in shared memory; the order used here is that of
 * a public simulator (TIRx-harness' numsim, tests of wide im2col): behind all pixels, with ::128 the first
 * of each 32, then the second of each. Inferred.
 */
#include "emu/ptx/tensor.h"
#include "emu/ptx/tensor_im2col.h"

enum { WIDE_PIXELS = 128, GROUP = 32 }; /* of .im2col::w::128 */

static int32_t field(const uint8_t *map, unsigned at)
{
    int16_t v;
    memcpy(&v, map + at, sizeof(v));
    return v;
}

bool lw_ptx_im2col_read(const uint8_t *map, lw_ptx_tensor *t)
{
    uint32_t mark;
    memcpy(&mark, map + LW_IM2COL_MARK_AT, sizeof(mark));
    t->mode = mark == LW_IM2COL_MARK ? LW_IM2COL_SPACE : LW_IM2COL_NONE;
    if (!t->mode)
        return true;
    if (map[LW_IM2COL_WIDE_AT])
        t->mode = map[LW_IM2COL_WIDE_AT] == 1 ? LW_IM2COL_W : LW_IM2COL_W128;
    for (unsigned d = 0; d < LW_PTX_DIMS - 2; d++) {
        t->lower[d] = field(map, LW_IM2COL_LOWER_AT + 2 * d);
        t->upper[d] = field(map, LW_IM2COL_UPPER_AT + 2 * d);
    }
    t->box[0] = (uint32_t)field(map, LW_IM2COL_CHANNELS_AT);
    t->pixels = (uint32_t)field(map, LW_IM2COL_PIXELS_AT);
    return t->rank >= 3 && t->box[0] - 1 < LW_IM2COL_CHANNELS && t->pixels - 1 < LW_IM2COL_PIXELS;
}

static int64_t last(const lw_ptx_tensor *t, unsigned d)
{
    return (int64_t)t->dim[d] - 1 + t->upper[d - 1];
}

/* How many dimensions the walk goes through, the images not counted. */
static unsigned dimensions(const lw_ptx_tensor *t)
{
    return t->mode == LW_IM2COL_SPACE ? t->rank - 2 : 1;
}

static uint32_t pixels_of(const lw_ptx_tensor *t)
{
    return t->mode == LW_IM2COL_W128 ? WIDE_PIXELS : t->pixels;
}

uint32_t lw_ptx_im2col_pixels(const lw_ptx_tensor *t, const lw_ptx_corner *corner)
{
    return pixels_of(t) + corner->halo * (t->mode == LW_IM2COL_W128 ? WIDE_PIXELS / GROUP : 1);
}

/* The ranges of {halo, offset} (PTX ISA, "cp.async.bulk.tensor"). */
static bool wide_fits(lw_ptx_warp *w, unsigned lane, const lw_ptx_tensor *t, const lw_ptx_corner *corner)
{
    enum { OFFSETS = 32, HALOS = 512, HALOS_OF_128 = 32 };
    const uint32_t halos = t->mode == LW_IM2COL_W128 ? HALOS_OF_128 : HALOS;
    if (t->mode == LW_IM2COL_SPACE || (corner->halo < halos && corner->plus[0] < OFFSETS))
        return true;
    lw_fault_say(&w->head, (int)lane,
                 "a copy of pixels with a halo of %u and an offset of %u; they are below %u and %d",
                 corner->halo, (unsigned)corner->plus[0], halos, OFFSETS);
    return false;
}

bool lw_ptx_im2col_begins(lw_ptx_warp *w, unsigned lane, const lw_ptx_tensor *t, const lw_ptx_corner *corner)
{
    const bool before = t->mode != LW_IM2COL_SPACE; /* it may begin to the left of its box */
    for (unsigned d = 1; d <= dimensions(t); d++)
        if ((corner->at[d] < t->lower[d - 1] && !before) || corner->at[d] > last(t, d)) {
            lw_fault_say(
                &w->head, (int)lane,
                "an im2col copy begins at coordinate %lld of dimension %u; its box is from %d to %lld",
                (long long)corner->at[d], d, (int)t->lower[d - 1], (long long)last(t, d));
            return false;
        }
    return wide_fits(w, lane, t, corner);
}

static void next_pixel(const lw_ptx_tensor *t, int64_t *at)
{
    for (unsigned d = 1; d <= dimensions(t); d++) {
        at[d] += t->step[d];
        if (at[d] <= last(t, d))
            return;
        at[d] = t->lower[d - 1];
    }
    at[t->rank - 1]++;
}

/* Where a copy puts its pixels. */
typedef struct target {
    lw_copy *copy;
    unsigned lane;
    const lw_ptx_tensor *t;
    const lw_ptx_corner *corner;
    uint64_t shared;
    uint8_t kind;
} target;

/* The pixel at these coordinates as row `n` of the box. */
static bool add_pixel(const target *to, uint32_t n, const int64_t *at)
{
    const lw_ptx_tensor *t = to->t;
    uint64_t row = t->base;
    bool inside = true;
    for (unsigned d = 1; d < t->rank; d++) {
        const int64_t here = at[d] + (d + 1 < t->rank ? to->corner->plus[d - 1] : 0);
        inside = inside && here >= 0 && (uint64_t)here < t->dim[d];
        row += (uint64_t)here * t->stride[d];
    }
    return lw_ptx_tensor_row(to->copy, to->lane, t, to->shared + (uint64_t)n * t->pitch, row,
                             to->corner->at[0], inside, to->kind);
}

/* .im2col::w::128: the pixel as one of the halo of a group, if it is one. */
static bool add_halo(const target *to, uint32_t n, const int64_t *at)
{
    enum { GROUPS = WIDE_PIXELS / GROUP };
    const uint32_t group = n / GROUP, number = n % GROUP;
    if (to->t->mode != LW_IM2COL_W128 || !group || number >= to->corner->halo)
        return true;
    return add_pixel(to, WIDE_PIXELS + number * GROUPS + group - 1, at);
}

bool lw_ptx_im2col_add(lw_copy *copy, unsigned lane, const lw_ptx_tensor *t, uint64_t shared,
                       const lw_ptx_corner *corner, uint8_t kind)
{
    const target to = { copy, lane, t, corner, shared, kind };
    const uint32_t pixels = pixels_of(t), own = t->mode == LW_IM2COL_W128 ? pixels : pixels + corner->halo;
    int64_t at[LW_PTX_DIMS];
    memcpy(at, corner->at, sizeof(at));
    for (uint32_t n = 0; n < pixels + corner->halo; n++) {
        if ((n < own && !add_pixel(&to, n, at)) || !add_halo(&to, n, at))
            return false;
        next_pixel(t, at);
    }
    return true;
}

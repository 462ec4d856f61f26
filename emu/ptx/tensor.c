/* SPDX-License-Identifier: MIT */
/*
 * Tensor copies, tiles of one to five dimensions: cp.async.bulk.tensor between global memory, as a tensor map
 * of 128 bytes describes it, and a box in shared memory, whose 16-byte pieces a swizzle permutes. The map's
 * fields are where ptxas 13.0's code for tensormap.replace writes them. PTX ISA 9.1, "Tensors" and
 * "cp.async.bulk.tensor". Inferred, because NVIDIA only draws it: rows that are narrower than the swizzle
 * are its width apart (CUDA programming guide: room for "the full swizzle width"), those of 96 bytes are 96
 * apart, and halves of 16 bytes change places in odd lines of 128 bytes.
 */
#include "emu/ptx/tensor.h"

#include "emu/ptx/decode.h"
#include "emu/ptx/handlers.h"

enum { DIMS = LW_PTX_DIMS, MAP_BYTES = LW_PTX_MAP_BYTES, MAP_PART = 64, CHUNK = 16 };

static uint32_t word_at(const uint8_t *map, unsigned at)
{
    uint32_t v;
    memcpy(&v, map + at, sizeof(v));
    return v;
}

static bool refuse_map(lw_ptx_warp *w, unsigned lane, const char *what, uint32_t value)
{
    lw_fault_say(&w->head, (int)lane, "the tensor map has %s %u, which this version does not run", what,
                 value);
    return false;
}

static bool read_format(lw_ptx_warp *w, unsigned lane, const uint8_t *map, lw_ptx_tensor *t)
{
    enum { CODES = 11, FLIPPED = 2, MOST = 4 };
    static const uint8_t sizes[CODES] = { 1, 2, 4, 4, 8, 8, 2, 4, 0, 8, 2 };
    const uint32_t format = word_at(map, 8), code = format >> 7 & 15;
    t->rank = (format >> 4 & 7) + 1;
    t->swizzle = (format >> 13 & 3) | (format >> 22 & 1) << 2;
    const uint32_t pieces = format >> 19 & 7; /* 0: 16 bytes, 1 and 2: 32, 3: 64 */
    if (code >= CODES || !sizes[code])
        return refuse_map(w, lane, "the element code", code);
    if (format >> 11 & 3)
        return refuse_map(w, lane, "the interleave", format >> 11 & 3);
    if (format >> 15 & 3)
        return refuse_map(w, lane, "a NaN fill or tf32, bits 16:15", format >> 15 & 3);
    if (t->swizzle > MOST)
        return refuse_map(w, lane, "the swizzle mode", t->swizzle);
    if (pieces > 3 || (pieces && t->swizzle != 3))
        return refuse_map(w, lane, "the swizzle atomicity, bits 21:19", pieces);
    t->bytes = sizes[code];
    t->code = code;
    t->pieces = pieces == 3 ? 2 : pieces != 0;
    t->flips = pieces == FLIPPED;
    return t->rank <= DIMS || refuse_map(w, lane, "the rank", t->rank);
}

/* Rows of the box: as wide as the swizzle in shared memory, and no wider in the tensor. */
static bool read_rows(lw_ptx_warp *w, unsigned lane, lw_ptx_tensor *t)
{
    static const uint8_t spans[] = { 0, 32, 64, 128, 96 };
    const uint32_t row = t->box[0] * t->bytes, span = spans[t->swizzle];
    if (row % CHUNK)
        return refuse_map(w, lane, "an inner box that is not a multiple of 16 bytes:", row);
    if (span && row > span)
        return refuse_map(w, lane, "an inner box that is wider than its swizzle:", row);
    t->pitch = span ? span : row;
    return true;
}

static bool read_map(lw_ptx_warp *w, const lw_ptx_record *r, unsigned lane, unsigned rank, lw_ptx_tensor *t)
{
    uint8_t map[MAP_BYTES];
    const uint64_t address = lw_ptx_get(w, &r->from, lane) + r->from_offset;
    for (unsigned at = 0; at < MAP_BYTES; at += MAP_PART) {
        const uint8_t *part = lw_ptx_reach(w, lane, LW_PTX_WORD_NONE, address + at, MAP_PART, false);
        if (!part)
            return false;
        memcpy(map + at, part, MAP_PART);
    }
    *t = (lw_ptx_tensor){ .base = word_at(map, 0) | (uint64_t)word_at(map, 4) << 32 };
    if (!read_format(w, lane, map, t))
        return false;
    if (t->rank != rank) {
        lw_fault_say(&w->head, (int)lane, "copies %u dimensions; the tensor map has %u", rank, t->rank);
        return false;
    }
    for (unsigned d = 0; d < rank; d++) {
        const uint64_t low = d ? word_at(map, 0x0c + 4 * (d - 1)) : 0,
                       high = d ? word_at(map, 0x1c) >> 4 * (d - 1) & 15 : 0;
        const uint32_t box = (d ? map[0x38 + d - 1] : map[0x37]) + 1u;
        t->dim[d] = (uint64_t)word_at(map, 0x20 + 4 * d) + 1;
        t->stride[d] = d ? (high << 32 | low) << 4 : t->bytes;
        t->step[d] = d ? (word_at(map, 0x34) >> 3 * d & 7) + 1 : 1;
        t->box[d] = (box + t->step[d] - 1) / t->step[d];
    }
    if (!lw_ptx_im2col_read(map, t))
        return refuse_map(w, lane, "numbers of im2col out of their range; pixels:", t->pixels);
    return read_rows(w, lane, t);
}

/* The place of a byte of the box: bits 4 and up of its address are exclusive-ored with bits 7 and up; with
 * larger pieces bits 5 or 6 and up. */
static uint64_t swizzled(const lw_ptx_tensor *t, uint64_t address)
{
    static const uint8_t bits[] = { 0, 1, 2, 3, 1 };
    const uint64_t mask = (UINT64_C(1) << (bits[t->swizzle] - t->pieces)) - 1;
    const uint64_t flip = t->flips ? address >> 4 & 8 : 0;
    return address ^ (address >> 7 & mask) << (4 + t->pieces) ^ flip;
}

/* One row of the box: whole chunks where they are inside and aligned, otherwise element by element. */
bool lw_ptx_tensor_row(lw_copy *copy, unsigned lane, const lw_ptx_tensor *t, uint64_t shared, uint64_t row,
                       int64_t first, bool inside, uint8_t kind)
{
    const uint32_t piece_bytes = t->flips ? CHUNK / 2 : CHUNK, each = piece_bytes / t->bytes;
    for (uint32_t i = 0; i < t->box[0]; i += each) {
        const int64_t at = first + i;
        const uint64_t from = row + (uint64_t)at * t->bytes,
                       to = swizzled(t, shared + (uint64_t)i * t->bytes);
        const bool whole = inside && at >= 0 && (uint64_t)(at + each) <= t->dim[0] && from % piece_bytes == 0;
        for (uint32_t k = 0; k < each; k += whole ? each : 1) {
            const bool there = inside && at + k >= 0 && (uint64_t)(at + k) < t->dim[0];
            const uint8_t width = (uint8_t)(whole ? piece_bytes : t->bytes);
            if (!there && kind == LW_PTX_PIECE_OUT)
                continue;
            lw_copy_piece *piece = lw_copy_add(copy);
            if (!piece)
                return false;
            *piece = (lw_copy_piece){ .from = from + (uint64_t)k * t->bytes,
                                      .to = (uint32_t)(to + (uint64_t)k * t->bytes),
                                      .lane = (int16_t)lane,
                                      .bytes = there ? width : 0,
                                      .width = width,
                                      .kind = kind,
                                      .more = (uint8_t)t->code };
        }
    }
    return true;
}

enum { ROWS = 4 };

/* .tile::gather4 and scatter4: four rows, one after the other in shared memory. */
static bool add_rows(lw_copy *copy, unsigned lane, const lw_ptx_tensor *t, uint64_t shared,
                     const lw_ptx_corner *corner, uint8_t kind)
{
    for (unsigned n = 0; n < ROWS; n++) {
        const int64_t at = corner->at[1 + n];
        if (!lw_ptx_tensor_row(copy, lane, t, shared + (uint64_t)n * t->pitch,
                               t->base + (uint64_t)at * t->stride[1], corner->at[0],
                               at >= 0 && (uint64_t)at < t->dim[1], kind))
            return false;
    }
    return true;
}

static bool add_box(lw_copy *copy, unsigned lane, const lw_ptx_tensor *t, uint64_t shared,
                    const lw_ptx_corner *corner, uint8_t kind)
{
    uint64_t rows = 1;
    if (t->mode)
        return lw_ptx_im2col_add(copy, lane, t, shared, corner, kind);
    if (corner->rows)
        return add_rows(copy, lane, t, shared, corner, kind);
    for (unsigned d = 1; d < t->rank; d++)
        rows *= t->box[d];
    for (uint64_t n = 0; n < rows; n++) {
        uint64_t row = t->base, left = n;
        bool inside = true;
        for (unsigned d = 1; d < t->rank; d++) {
            const int64_t at = corner->at[d] + (int64_t)(left % t->box[d] * t->step[d]);
            left /= t->box[d];
            inside = inside && at >= 0 && (uint64_t)at < t->dim[d];
            row += (uint64_t)at * t->stride[d];
        }
        if (!lw_ptx_tensor_row(copy, lane, t, shared + n * t->pitch, row, corner->at[0], inside, kind))
            return false;
    }
    return true;
}

static uint64_t box_bytes(const lw_ptx_tensor *t, const lw_ptx_corner *corner)
{
    if (t->mode)
        return (uint64_t)t->bytes * lw_ptx_im2col_pixels(t, corner) * t->box[0];
    uint64_t bytes = (uint64_t)t->bytes * (corner->rows ? ROWS : 1);
    for (unsigned d = 0; d < t->rank; d++)
        bytes *= t->box[d];
    return bytes;
}

/* The mbarrier of a box in block `rank`; with .cta_group::2 that of the block of the pair whose place in it
 * the mbarrier's own block has. */
static uint32_t reporter(const lw_ptx_corner *corner, uint64_t mbarrier, uint32_t rank)
{
    const uint32_t own = (uint32_t)mbarrier >> LW_PTX_RANK_AT;
    return lw_ptx_in_rank(mbarrier, corner->pairs ? (rank & ~1u) | (own & 1) : rank);
}

/* The box and its report, in one block or at the same places of several. */
static bool add_boxes(lw_copy *copy, unsigned lane, const lw_ptx_tensor *t, uint64_t shared,
                      const lw_ptx_corner *corner, uint64_t mbarrier, uint32_t targets)
{
    bool good =
        targets || (add_box(copy, lane, t, shared, corner, LW_PTX_PIECE_IN) &&
                    lw_ptx_bulk_report(copy, lane, mbarrier, box_bytes(t, corner), LW_PTX_PIECE_BYTES));
    for (uint32_t rank = 0; good && targets >> rank; rank++)
        if (targets >> rank & 1)
            good = add_box(copy, lane, t, lw_ptx_in_rank(shared, rank), corner, LW_PTX_PIECE_IN) &&
                   lw_ptx_bulk_report(copy, lane, reporter(corner, mbarrier, rank), box_bytes(t, corner),
                                      LW_PTX_PIECE_BYTES);
    return good;
}

/* What the instruction copies. */
static lw_im2col mode_of(const lw_ptx_record *r)
{
    if (lw_ptx_has(r, LW_PTX_GROUP_IM2COL_WIDE))
        return lw_ptx_opcode_word(&r->insn->opcode, LW_PTX_GROUP_IM2COL_WIDE) == LW_PTX_WORD_IM2COL_W
                   ? LW_IM2COL_W
                   : LW_IM2COL_W128;
    return lw_ptx_has(r, LW_PTX_GROUP_IM2COL) || lw_ptx_has(r, LW_PTX_GROUP_IM2COL_OUT) ? LW_IM2COL_SPACE
                                                                                        : LW_IM2COL_NONE;
}

/* Is the map made for such a copy? Otherwise a fault has been reported. */
static bool suits(lw_ptx_warp *w, unsigned lane, const lw_ptx_tensor *t, lw_im2col mode, bool in)
{
    static const char *const copies[] = { "a tile", "pixels (.im2col)", "pixels (.im2col::w)",
                                          "pixels (.im2col::w::128)" };
    static const char *const maps[] = { "tiles", "pixels (im2col)", "pixels (im2col::w)",
                                        "pixels (im2col::w::128)" };
    if (t->mode == mode && (in || !t->flips))
        return true;
    if (t->mode == mode)
        lw_fault_say(&w->head, (int)lane,
                     "copies out of shared memory; a swizzle that exchanges halves of 16 bytes is for copies "
                     "into it only");
    else
        lw_fault_say(&w->head, (int)lane, "copies %s; the tensor map is for %s", copies[mode], maps[t->mode]);
    return false;
}

/* The coordinates, and what is added to each pixel's. */
static void read_corner(lw_ptx_warp *w, const lw_ptx_record *r, unsigned lane, unsigned rank, lw_im2col mode,
                        lw_ptx_corner *corner)
{
    const bool wide = lw_ptx_has(r, LW_PTX_GROUP_IM2COL_WIDE), space = lw_ptx_has(r, LW_PTX_GROUP_IM2COL);
    uint32_t values[LW_PTX_DIMS - 2] = { 0 };
    corner->offsets = wide ? 2 : space ? rank - 2 : 0;
    for (unsigned d = 0; d < corner->count; d++)
        corner->at[d] = (int64_t)lw_ptx_extend(lw_ptx_get(w, &r->src[d], lane), 32, true);
    for (unsigned d = 0; d < corner->offsets; d++)
        values[d] = (uint32_t)(lw_ptx_get(w, &r->src[rank + d], lane) & 0xffff);
    for (unsigned d = 0; mode == LW_IM2COL_SPACE && d < corner->offsets; d++)
        corner->plus[d] = values[d];
    if (wide) {
        corner->halo = values[0];
        corner->plus[0] = values[1];
    }
}

/* The copy's map and where it begins. False: a fault, which has been reported. */
static bool read_copy(lw_ptx_warp *w, const lw_ptx_record *r, unsigned lane, bool in, lw_ptx_tensor *t,
                      lw_ptx_corner *corner)
{
    const unsigned rank =
        (unsigned)(lw_ptx_opcode_word(&r->insn->opcode, LW_PTX_GROUP_DIM) - LW_PTX_WORD_DIM_1) + 1;
    const lw_im2col mode = mode_of(r);
    const bool rows = lw_ptx_has(r, LW_PTX_GROUP_GATHER) || lw_ptx_has(r, LW_PTX_GROUP_SCATTER);
    *corner = (lw_ptx_corner){
        .rows = rows,
        .count = rows ? 1 + ROWS : rank,
        .pairs = lw_ptx_opcode_word(&r->insn->opcode, LW_PTX_GROUP_CTA_GROUP) == LW_PTX_WORD_CTA_GROUP_2,
    };
    if (!read_map(w, r, lane, rank, t) || !suits(w, lane, t, mode, in))
        return false;
    if (rows && t->box[1] != 1) {
        lw_fault_say(&w->head, (int)lane,
                     "copies four rows one by one; the tensor map's box has %u rows, not 1", t->box[1]);
        return false;
    }
    read_corner(w, r, lane, rank, mode, corner);
    return !mode || lw_ptx_im2col_begins(w, lane, t, corner);
}

static lw_ptx_step copy_lane(lw_ptx_warp *w, const lw_ptx_record *r, unsigned lane, bool in)
{
    enum { ALIGN = 128 };
    const uint64_t shared = (uint32_t)lw_ptx_address(w, r, lane);
    const uint64_t mbarrier = in ? lw_ptx_get(w, &r->third, lane) + r->third_offset : 0;
    lw_ptx_corner corner;
    lw_ptx_tensor t;
    if (!read_copy(w, r, lane, in, &t, &corner) || !lw_ptx_tensor_reduces(w, r, lane, t.code))
        return LW_PTX_STEP_FAULT;
    if (shared % ALIGN) {
        lw_fault_say(&w->head, (int)lane,
                     "byte 0x%llx of shared memory, the place of a box, is not a multiple of %d",
                     (unsigned long long)shared, ALIGN);
        return LW_PTX_STEP_FAULT;
    }
    uint32_t targets = 0;
    if (in && (!lw_ptx_bulk_targets(w, r, lane, corner.count + corner.offsets, &targets) ||
               !lw_ptx_bulk_is_with(w, lane, shared, mbarrier, corner.pairs)))
        return LW_PTX_STEP_FAULT;
    lw_copy *copy = lw_ptx_bulk_new(w, in);
    if (!copy || !(in ? add_boxes(copy, lane, &t, shared, &corner, mbarrier, targets)
                      : add_box(copy, lane, &t, shared, &corner, LW_PTX_PIECE_OUT)))
        return lw_ptx_bulk_no_memory(w);
    w->bulk_lanes |= in ? 0 : UINT32_C(1) << lane;
    return lw_ptx_bulk_issue(w, copy);
}

static lw_ptx_step each(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes, bool in)
{
    for (unsigned lane = 0; lane < LW_PTX_LANES; lane++)
        if ((lanes >> lane & 1) && copy_lane(w, r, lane, in) == LW_PTX_STEP_FAULT)
            return LW_PTX_STEP_FAULT;
    return LW_PTX_STEP_NEXT;
}

static lw_ptx_step tensor_in(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    return each(w, r, lanes, true);
}

lw_ptx_step lw_ptx_tensor_out(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    return each(w, r, lanes, false);
}

const lw_ptx_handler lw_ptx_sem_cp_tensor_in = { .exec = tensor_in };
const lw_ptx_handler lw_ptx_sem_cp_tensor_out = { .exec = lw_ptx_tensor_out };

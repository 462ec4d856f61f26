/* SPDX-License-Identifier: MIT */
/*
 * tensormap.replace, which changes one field of a tensor map in memory, and tensormap.cp_fenceproxy, which
 * copies a map from shared to global memory. The fields are where ptxas 13.0's code writes them, and it
 * leaves all other bits as they are (PTX ISA 9.1, "tensormap.replace").
 */
#include "emu/ptx/handlers.h"

enum { MAP_BYTES = 128, WORD_BYTES = 4, PIECE = 8, DIMS = 5 };

/* A field of `bits` bits at bit `at` of the word at byte `word`; the value is given plus `less`. */
typedef struct field {
    uint8_t word, at, bits, less;
} field;

/* A value of 64 bits takes two words. */
static const field fields[LW_PTX_WORD_COUNT] = {
    [LW_PTX_WORD_MAP_RANK] = { 0x08, 4, 3, 0 },
    [LW_PTX_WORD_MAP_INTERLEAVE] = { 0x08, 11, 2, 0 },
    [LW_PTX_WORD_MAP_FILL] = { 0x08, 15, 1, 0 },
    [LW_PTX_WORD_MAP_ATOMICITY] = { 0x08, 19, 2, 0 },
};

/* Changes some bits of a word of the map. False after a fault, which has been reported. */
static bool change(lw_ptx_warp *w, const lw_ptx_record *r, unsigned lane, unsigned at, uint32_t mask,
                   uint32_t value)
{
    uint32_t old;
    uint8_t *to = lw_ptx_reach(w, lane, r->space, lw_ptx_address(w, r, lane) + at, WORD_BYTES, true);
    if (!to)
        return false;
    memcpy(&old, to, sizeof(old));
    old = (old & ~mask) | (value & mask);
    lw_note_store(w->head.group->worker, to, sizeof(old));
    memcpy(to, &old, sizeof(old));
    return true;
}

static bool refuse(lw_ptx_warp *w, unsigned lane, const char *what, uint64_t value)
{
    lw_fault_say(&w->head, (int)lane, "a tensor map has no %s %llu", what, (unsigned long long)value);
    return false;
}

/* elemtype: 0 to 10 as the map codes them; 11 and 12 are f32 and f32.ftz with the bit for tf32; the others
 * are packed. */
static bool put_type(lw_ptx_warp *w, const lw_ptx_record *r, unsigned lane, uint64_t type)
{
    enum { CODE_AT = 7, CODE = 15 << CODE_AT, TF32 = 1 << 16 };
    static const uint8_t codes[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 7, 8, 11, 12, 13 };
    if (type >= sizeof(codes))
        return refuse(w, lane, "element type", type);
    const bool tf32 = type == 11 || type == 12;
    return change(w, r, lane, 0x08, CODE | (tf32 ? TF32 : 0),
                  (uint32_t)codes[type] << CODE_AT | (tf32 ? TF32 : 0));
}

/* swizzle_mode: 0 to 4; two bits, and the third apart. */
static bool put_swizzle(lw_ptx_warp *w, const lw_ptx_record *r, unsigned lane, uint64_t mode)
{
    enum { LOW_AT = 13, HIGH_AT = 22, MOST = 4 };
    if (mode > MOST)
        return refuse(w, lane, "swizzle mode", mode);
    return change(w, r, lane, 0x08, UINT32_C(3) << LOW_AT | UINT32_C(1) << HIGH_AT,
                  (uint32_t)(mode & 3) << LOW_AT | (uint32_t)(mode >> 2) << HIGH_AT);
}

static bool put_stride(lw_ptx_warp *w, const lw_ptx_record *r, unsigned lane, unsigned number, uint64_t bytes)
{
    const uint64_t units = bytes >> 4;
    if (bytes & 15 || units >> 36)
        return refuse(w, lane, "stride", bytes);
    return change(w, r, lane, 0x0c + 4 * number, UINT32_MAX, (uint32_t)units) &&
           change(w, r, lane, 0x1c, UINT32_C(15) << 4 * number, (uint32_t)(units >> 32) << 4 * number);
}

/* The fields that a dimension has. */
static bool put_numbered(lw_ptx_warp *w, const lw_ptx_record *r, unsigned lane)
{
    const uint64_t number = lw_ptx_get(w, &r->src[0], lane), value = lw_ptx_get(w, &r->src[1], lane);
    const unsigned d = (unsigned)number, box = d ? 0x38 : 0x34, at = d ? 8 * (d - 1) : 24;
    const lw_ptx_word_id which = lw_ptx_opcode_word(&r->insn->opcode, LW_PTX_GROUP_MAP_FIELD_OF);
    if (number >= (which == LW_PTX_WORD_MAP_STRIDE ? DIMS - 1 : DIMS))
        return refuse(w, lane, "dimension", number);
    if (which == LW_PTX_WORD_MAP_STRIDE)
        return put_stride(w, r, lane, d, value);
    if (which == LW_PTX_WORD_MAP_DIM)
        return change(w, r, lane, 0x20 + 4 * d, UINT32_MAX, (uint32_t)value - 1);
    const uint64_t most = which == LW_PTX_WORD_MAP_BOX ? 256 : 8;
    if (!value || value > most)
        return refuse(w, lane, "size or step of a box", value);
    if (which == LW_PTX_WORD_MAP_BOX)
        return change(w, r, lane, box, UINT32_C(255) << at, ((uint32_t)value - 1) << at);
    return change(w, r, lane, 0x34, UINT32_C(7) << 3 * d, ((uint32_t)value - 1) << 3 * d);
}

static bool put_single(lw_ptx_warp *w, const lw_ptx_record *r, unsigned lane)
{
    const uint64_t value = lw_ptx_get(w, &r->src[0], lane);
    const lw_ptx_word_id which = lw_ptx_opcode_word(&r->insn->opcode, LW_PTX_GROUP_MAP_FIELD);
    const field *f = &fields[which];
    if (which == LW_PTX_WORD_MAP_ADDRESS)
        return change(w, r, lane, 0, UINT32_MAX, (uint32_t)value) &&
               change(w, r, lane, 4, UINT32_MAX, (uint32_t)(value >> 32));
    if (which == LW_PTX_WORD_MAP_TYPE)
        return put_type(w, r, lane, value);
    if (which == LW_PTX_WORD_MAP_SWIZZLE)
        return put_swizzle(w, r, lane, value);
    if (value >> f->bits || (which == LW_PTX_WORD_MAP_RANK && value >= DIMS))
        return refuse(w, lane, "field of this kind with the value", value);
    return change(w, r, lane, f->word, (uint32_t)lw_ptx_mask(f->bits) << f->at, (uint32_t)value << f->at);
}

static lw_ptx_step replace(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    const bool numbered = lw_ptx_has(r, LW_PTX_GROUP_MAP_FIELD_OF);
    for (unsigned lane = 0; lane < LW_PTX_LANES; lane++)
        if ((lanes >> lane & 1) && !(numbered ? put_numbered : put_single)(w, r, lane))
            return LW_PTX_STEP_FAULT;
    return LW_PTX_STEP_NEXT;
}

/* The warp copies one map, as its first lane says. */
static lw_ptx_step copy_map(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    const uint64_t size = lw_ptx_get(w, &r->src[0], 0);
    const uint64_t from = lw_ptx_get(w, &r->from, 0) + r->from_offset, to = lw_ptx_address(w, r, 0);
    if (!lanes)
        return LW_PTX_STEP_NEXT;
    if (lanes != UINT32_MAX || size != MAP_BYTES) {
        lw_fault_say(&w->head, -1, "executed by lanes 0x%08x, for %llu bytes; all 32 copy 128 bytes together",
                     lanes, (unsigned long long)size);
        return LW_PTX_STEP_FAULT;
    }
    for (unsigned at = 0; at < MAP_BYTES; at += PIECE) {
        const uint8_t *source = lw_ptx_reach(w, 0, LW_PTX_WORD_SHARED, from + at, PIECE, false);
        uint8_t *target = source ? lw_ptx_reach(w, 0, LW_PTX_WORD_GLOBAL, to + at, PIECE, true) : NULL;
        if (!target)
            return LW_PTX_STEP_FAULT;
        lw_note_store(w->head.group->worker, target, PIECE);
        memcpy(target, source, PIECE);
    }
    return LW_PTX_STEP_NEXT;
}

const lw_ptx_handler lw_ptx_sem_map_replace = { .exec = replace };
const lw_ptx_handler lw_ptx_sem_map_copy = { .exec = copy_map };

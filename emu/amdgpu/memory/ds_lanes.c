/* SPDX-License-Identifier: MIT */
/* DS instructions that move data between lanes: permutes, swizzle, transposing reads. */
#include <string.h>

#include "emu/amdgpu/memory/access.h"
#include "emu/amdgpu/control/handlers.h"
#include "isa_tables/amdgpu/rows.h"
#include "isa_tables/amdgpu/traits.h"

static bool active(uint64_t exec, unsigned lane)
{
    return exec >> lane & 1;
}

/* The lane that the address in `lane` selects: any lane of the wave or, on gfx11, of its half of the wave
 * (AMD RDNA3 ISA manual, pseudo-code of DS_BPERMUTE_B32). */
static unsigned named_lane(const lw_wave *w, unsigned lane, uint32_t address)
{
    const bool halves = lw_amdgpu_traits_of(w->arch)->permutes_in_halves;
    return halves ? (lane & 32) | (address >> 2 & 31) : address >> 2 & (w->lanes - 1u);
}

/* Each active lane fetches from the lane that it selects; an inactive source gives 0. */
lw_step lw_sem_ds_bpermute_b32(lw_wave *w, const lw_decoded *in)
{
    const uint64_t exec = lw_wave_exec(w);
    const uint32_t *address = lw_access_row(w, &in->src[0]);
    const uint32_t *data = lw_access_row(w, &in->src[1]);
    uint32_t result[LW_LANES];
    for (unsigned lane = 0; lane < LW_LANES; lane++) {
        const unsigned from = named_lane(w, lane, address[lane] + (uint32_t)in->offset);
        result[lane] = active(exec, from) ? data[from] : 0;
    }
    uint32_t *row = lw_access_row(w, &in->dst);
    for (unsigned lane = 0; lane < LW_LANES; lane++)
        if (active(exec, lane))
            row[lane] = result[lane];
    return LW_STEP_NEXT;
}

/* The same; inactive lanes are also read (AMD RDNA4 ISA manual, DS_BPERMUTE_FI_B32). */
lw_step lw_sem_ds_bpermute_fi_b32(lw_wave *w, const lw_decoded *in)
{
    const uint64_t exec = lw_wave_exec(w);
    const uint32_t *address = lw_access_row(w, &in->src[0]);
    const uint32_t *data = lw_access_row(w, &in->src[1]);
    uint32_t result[LW_LANES];
    for (unsigned lane = 0; lane < LW_LANES; lane++)
        result[lane] = data[(address[lane] + (uint32_t)in->offset) >> 2 & (w->lanes - 1u)];
    uint32_t *row = lw_access_row(w, &in->dst);
    for (unsigned lane = 0; lane < LW_LANES; lane++)
        if (active(exec, lane))
            row[lane] = result[lane];
    return LW_STEP_NEXT;
}

/* Each active lane sends to a lane; the highest sender wins, and lanes without a sender get 0. */
lw_step lw_sem_ds_permute_b32(lw_wave *w, const lw_decoded *in)
{
    const uint64_t exec = lw_wave_exec(w);
    const uint32_t *address = lw_access_row(w, &in->src[0]);
    const uint32_t *data = lw_access_row(w, &in->src[1]);
    uint32_t result[LW_LANES] = { 0 };
    for (unsigned lane = 0; lane < LW_LANES; lane++)
        if (active(exec, lane))
            result[named_lane(w, lane, address[lane] + (uint32_t)in->offset)] = data[lane];
    uint32_t *row = lw_access_row(w, &in->dst);
    for (unsigned lane = 0; lane < LW_LANES; lane++)
        if (active(exec, lane))
            row[lane] = result[lane];
    return LW_STEP_NEXT;
}

static unsigned reverse5(unsigned v)
{
    unsigned r = 0;
    for (unsigned i = 0; i < 5; i++)
        r |= (v >> i & 1) << (4 - i);
    return r;
}

static unsigned ones(unsigned v)
{
    unsigned n = 0;
    for (; v; v &= v - 1)
        n++;
    return n;
}

/* Source lane of lane k under a swizzle pattern (AMD CDNA3 ISA manual, DS_SWIZZLE_B32). */
static unsigned swizzle_source(unsigned pattern, unsigned k)
{
    const unsigned half = k & 32, l = k & 31, mask = pattern & 31;
    if (pattern >= 0xe000)
        return half | ((reverse5(l) >> ones(mask)) | (l & mask));
    if (pattern >= 0xc000) {
        const unsigned n = pattern >> 5 & 31;
        const unsigned turned = (pattern >> 10 & 1 ? l - n : l + n) & 31;
        return half | (l & mask) | (turned & ~mask & 31);
    }
    if (pattern >= 0x8000)
        return (k & ~3u) | (pattern >> (2 * (k & 3)) & 3);
    return half | (((l & mask) | (pattern >> 5 & 31)) ^ (pattern >> 10 & 31));
}

lw_step lw_sem_ds_swizzle_b32(lw_wave *w, const lw_decoded *in)
{
    const uint64_t exec = lw_wave_exec(w);
    const uint32_t *data = lw_access_row(w, &in->src[0]);
    uint32_t result[LW_LANES];
    for (unsigned lane = 0; lane < LW_LANES; lane++) {
        const unsigned from = swizzle_source((unsigned)in->offset & 0xffff, lane);
        result[lane] = active(exec, from) ? data[from] : 0;
    }
    uint32_t *row = lw_access_row(w, &in->dst);
    for (unsigned lane = 0; lane < LW_LANES; lane++)
        if (active(exec, lane))
            row[lane] = result[lane];
    return LW_STEP_NEXT;
}

/* Fills in the lane whose data each lane receives, 255 where none does; false for instructions that move
 * nothing between lanes. */
bool lw_ds_lanes_of(const lw_wave *w, const lw_decoded *in, uint8_t from[LW_LANES])
{
    const uint64_t exec = lw_wave_exec(w);
    const size_t op = (size_t)lw_op_index(in->row);
    const bool sends = op == LW_OP_ds_permute_b32, fetches = op == LW_OP_ds_bpermute_b32;
    const bool all = op == LW_OP_ds_bpermute_fi_b32;
    if (!sends && !fetches && !all && op != LW_OP_ds_swizzle_b32)
        return false;
    const lw_opnd *o = &in->src[0];
    const uint32_t *address = (o->kind == LW_OPND_AGPR ? w->agpr : w->vgpr) + (size_t)o->reg * LW_LANES;
    memset(from, 255, LW_LANES);
    for (unsigned lane = 0; lane < w->lanes; lane++) {
        const uint32_t named = address[lane] + (uint32_t)in->offset;
        const unsigned other = all                ? named >> 2 & (w->lanes - 1u)
                               : sends || fetches ? named_lane(w, lane, named)
                                                  : swizzle_source((unsigned)in->offset & 0xffff, lane);
        if (sends && active(exec, lane))
            from[other] = (uint8_t)lane;
        else if (!sends && (all || active(exec, other)))
            from[lane] = (uint8_t)other;
    }
    return true;
}

/* ---- Transposing reads of gfx950 ---- */

/* `width` bits at bit `at` of a lane's bytes; fields have at most 16 bits and may cross bytes. */
static uint32_t get_field(const uint8_t *bytes, unsigned at, unsigned width)
{
    uint32_t v = 0;
    for (unsigned i = 0; i < width; i++)
        v |= (uint32_t)(bytes[(at + i) / 8] >> ((at + i) % 8) & 1) << i;
    return v;
}

static void set_field(uint8_t *bytes, unsigned at, unsigned width, uint32_t v)
{
    for (unsigned i = 0; i < width; i++)
        bytes[(at + i) / 8] |= (uint8_t)((v >> i & 1) << ((at + i) % 8));
}

/*
 * Sixteen lanes hold rows of 16 elements, each row in `per_row` lanes; every lane receives one column.
 * Element a of lane l comes from lane per_row * a + l / (16 / per_row), element l % (16 / per_row). 16-bit
 * elements: AMD CDNA4 ISA manual 11.4, and as compilers use it; narrower elements are assumed to follow the
 * same rule.
 */
static lw_step read_transposed(lw_wave *w, const lw_decoded *in, unsigned element_bits, unsigned bytes)
{
    uint8_t source[LW_LANES][12] = { { 0 } };
    const unsigned count = bytes * 8 / element_bits, per_row = 16 / count;
    const uint32_t *address = lw_access_row(w, &in->src[0]);
    if (lw_wave_exec(w) != UINT64_MAX)
        return lw_wave_fault(w, -1, "a transposing read needs all lanes active");
    for (unsigned lane = 0; lane < LW_LANES; lane++) {
        const uint32_t from = address[lane] + (uint32_t)in->offset;
        const uint8_t *at = lw_access_lds(w, (int)lane, from, bytes, LW_ACCESS_LOAD);
        if (at)
            lw_access_move(source[lane], at, bytes);
    }
    uint32_t *row = lw_access_row(w, &in->dst);
    for (unsigned lane = 0; lane < LW_LANES; lane++) {
        uint8_t result[12] = { 0 };
        const unsigned group = lane & ~15u, l = lane & 15;
        for (unsigned a = 0; a < count; a++) {
            const uint8_t *from = source[group + per_row * a + l / count];
            set_field(result, a * element_bits, element_bits,
                      get_field(from, l % count * element_bits, element_bits));
        }
        for (unsigned i = 0; i * 4 < bytes; i++)
            memcpy(&row[(size_t)i * LW_LANES + lane], result + 4 * (size_t)i, 4);
    }
    return LW_STEP_NEXT;
}

lw_step lw_sem_ds_read_tr_b16(lw_wave *w, const lw_decoded *in)
{
    return read_transposed(w, in, 16, 8);
}

lw_step lw_sem_ds_read_tr_b8(lw_wave *w, const lw_decoded *in)
{
    return read_transposed(w, in, 8, 8);
}

lw_step lw_sem_ds_read_tr_b4(lw_wave *w, const lw_decoded *in)
{
    return read_transposed(w, in, 4, 8);
}

lw_step lw_sem_ds_read_tr_b6(lw_wave *w, const lw_decoded *in)
{
    return read_transposed(w, in, 6, 12);
}

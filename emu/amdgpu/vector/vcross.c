/* SPDX-License-Identifier: MIT */
/* Moves between lanes, between lanes and scalars, and between the two vector register files. */
#include "emu/amdgpu/control/handlers.h"
#include "emu/amdgpu/vector/vlane.h"

static const uint32_t *vector_row(lw_wave *w, const lw_opnd *o)
{
    return (o->kind == LW_OPND_AGPR ? w->agpr : w->vgpr) + (size_t)o->reg * LW_LANES;
}

static bool is_vector(const lw_opnd *o)
{
    return o->kind == LW_OPND_VGPR || o->kind == LW_OPND_AGPR;
}

/* The lane of v_readlane and v_writelane: 6 bits in wave64. */
static unsigned lane_index(const lw_wave *w, const lw_opnd *o)
{
    return (unsigned)lw_vscalar(w, o) & (w->lanes == 32 ? 31u : 63u);
}

static lw_step read_from(lw_wave *w, const lw_decoded *in, unsigned lane)
{
    if (!is_vector(&in->src[0]))
        return lw_wave_fault(w, -1, "reading a lane needs a vector register");
    w->sgpr[in->dst.reg] = vector_row(w, &in->src[0])[lane];
    return LW_STEP_NEXT;
}

lw_step lw_sem_v_readlane_b32(lw_wave *w, const lw_decoded *in)
{
    return read_from(w, in, lane_index(w, &in->src[1]));
}

/* The lowest active lane; lane 0 if there is none. */
lw_step lw_sem_v_readfirstlane_b32(lw_wave *w, const lw_decoded *in)
{
    const uint64_t exec = lw_wave_exec(w);
    return read_from(w, in, exec ? lw_ctz64(exec) : 0);
}

lw_step lw_sem_v_writelane_b32(lw_wave *w, const lw_decoded *in)
{
    const unsigned lane = lane_index(w, &in->src[1]);
    lw_wave_vgpr(w, in->dst.reg)[lane] = (uint32_t)lw_vscalar(w, &in->src[0]);
    return LW_STEP_NEXT;
}

lw_step lw_sem_v_swap_b32(lw_wave *w, const lw_decoded *in)
{
    uint32_t *a = lw_wave_vgpr(w, in->dst.reg), *b = lw_wave_vgpr(w, in->src[0].reg);
    uint32_t old[LW_LANES];
    memcpy(old, a, sizeof(old));
    lw_vmerge(a, lw_wave_exec(w), b);
    lw_vmerge(b, lw_wave_exec(w), old);
    return LW_STEP_NEXT;
}

/*
 * Exchanges lanes of vdst whose `width` bit is set with the lanes of src0 that are `width` below. No public
 * source has a rule for inactive lanes: here, active lanes are written, and inactive ones are read unchanged.
 */
static lw_step swap_rows(lw_wave *w, const lw_decoded *in, unsigned width)
{
    uint32_t *a = lw_wave_vgpr(w, in->dst.reg), *b = lw_wave_vgpr(w, in->src[0].reg);
    uint32_t new_a[LW_LANES], new_b[LW_LANES];
    memcpy(new_a, a, sizeof(new_a));
    memcpy(new_b, b, sizeof(new_b));
    for (unsigned lane = 0; lane < LW_LANES; lane++) {
        if (lane & width)
            new_a[lane] = b[lane ^ width];
        else
            new_b[lane] = a[lane ^ width];
    }
    lw_vmerge(a, lw_wave_exec(w), new_a);
    lw_vmerge(b, lw_wave_exec(w), new_b);
    return LW_STEP_NEXT;
}

lw_step lw_sem_v_permlane16_swap_b32(lw_wave *w, const lw_decoded *in)
{
    return swap_rows(w, in, 16);
}

lw_step lw_sem_v_permlane32_swap_b32(lw_wave *w, const lw_decoded *in)
{
    return swap_rows(w, in, 32);
}

static lw_step move_acc(lw_wave *w, const lw_decoded *in)
{
    uint32_t buf[LW_LANES], r[LW_LANES];
    memcpy(r, lw_vsrc(w, in, 0, LW_V_B32, buf), sizeof(r));
    return lw_vwrite(w, in, r);
}

lw_step lw_sem_v_accvgpr_read_b32(lw_wave *w, const lw_decoded *in)
{
    return move_acc(w, in);
}

lw_step lw_sem_v_accvgpr_write_b32(lw_wave *w, const lw_decoded *in)
{
    return move_acc(w, in);
}

lw_step lw_sem_v_accvgpr_mov_b32(lw_wave *w, const lw_decoded *in)
{
    return move_acc(w, in);
}

/*
 * gfx1250: lanes of groups of W lanes read each other, as __shfl and its relatives do (HIP's header for
 * shuffles, which calls these). The lane that each reads, by S and the lane's place in its group; where there
 * is none, itself. No source says what an inactive lane gives: its register is read.
 */
static unsigned bcast_from(unsigned place, unsigned s, unsigned width)
{
    (void)place;
    return s & 63 & (width - 1);
}

static unsigned up_from(unsigned place, unsigned s, unsigned width)
{
    const unsigned distance = s < width ? s : width;
    return place < distance ? place : place - distance;
}

static unsigned down_from(unsigned place, unsigned s, unsigned width)
{
    const unsigned distance = s < width ? s : width;
    return place + distance < width ? place + distance : place;
}

typedef unsigned (*group_from)(unsigned place, unsigned s, unsigned width);

/* Groups have a power of two of lanes, at most a wave. 0 after lw_wave_fault. */
static unsigned group_width(lw_wave *w, const lw_opnd *o)
{
    const uint32_t width = (uint32_t)lw_vscalar(w, o);
    if (width && width <= w->lanes && !(width & (width - 1)))
        return width;
    lw_wave_fault(w, -1,
                  "groups of %u lanes: no source here says what a width other than a power of two does",
                  (unsigned)width);
    return 0;
}

static lw_step read_in_groups(lw_wave *w, const lw_decoded *in, group_from from)
{
    const unsigned width = group_width(w, &in->src[2]), s = (unsigned)lw_vscalar(w, &in->src[1]);
    const uint32_t *row = lw_wave_vgpr(w, in->src[0].reg);
    uint32_t r[LW_LANES] = { 0 };
    if (!width)
        return LW_STEP_FAULT;
    for (unsigned lane = 0; lane < w->lanes; lane++) {
        const unsigned base = lane & ~(width - 1);
        r[lane] = row[base + from(lane - base, s, width)];
    }
    return lw_vwrite(w, in, r);
}

lw_step lw_sem_v_permlane_bcast_b32(lw_wave *w, const lw_decoded *in)
{
    return read_in_groups(w, in, bcast_from);
}

lw_step lw_sem_v_permlane_up_b32(lw_wave *w, const lw_decoded *in)
{
    return read_in_groups(w, in, up_from);
}

lw_step lw_sem_v_permlane_down_b32(lw_wave *w, const lw_decoded *in)
{
    return read_in_groups(w, in, down_from);
}

/* The only one that may read another group: one with lower lanes. */
lw_step lw_sem_v_permlane_xor_b32(lw_wave *w, const lw_decoded *in)
{
    const unsigned width = group_width(w, &in->src[2]), s = (unsigned)lw_vscalar(w, &in->src[1]);
    const uint32_t *row = lw_wave_vgpr(w, in->src[0].reg);
    uint32_t r[LW_LANES] = { 0 };
    if (!width)
        return LW_STEP_FAULT;
    for (unsigned lane = 0; lane < w->lanes; lane++) {
        const unsigned other = lane ^ s, end = (lane & ~(width - 1)) + width;
        r[lane] = row[s >= w->lanes || other >= end ? lane : other];
    }
    return lw_vwrite(w, in, r);
}

/* An address for ds_bpermute_b32. */
lw_step lw_sem_v_permlane_idx_gen_b32(lw_wave *w, const lw_decoded *in)
{
    const unsigned width = group_width(w, &in->src[1]);
    const uint32_t *row = lw_wave_vgpr(w, in->src[0].reg);
    uint32_t r[LW_LANES] = { 0 };
    if (!width)
        return LW_STEP_FAULT;
    for (unsigned lane = 0; lane < w->lanes; lane++)
        r[lane] = ((row[lane] & (width - 1)) + (lane & ~(width - 1))) << 2;
    return lw_vwrite(w, in, r);
}

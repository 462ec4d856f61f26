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

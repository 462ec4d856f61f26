/* SPDX-License-Identifier: MIT */
/* Fast forms of moves between lanes and scalars, and between rows. */
#ifndef LW_EMU_AMDGPU_FAST_MOVES_H
#define LW_EMU_AMDGPU_FAST_MOVES_H

#include "emu/amdgpu/fast/row.h"

/* ---- One lane ---- */

static uint32_t scalar_source(const lw_wave *w, const lw_hot *hot, unsigned i)
{
    return hot->from[i] == LW_FROM_SGPR ? w->sgpr[hot->at[i]] : hot->at[i];
}

static const uint32_t *row_of_source(const lw_wave *w, const lw_hot *hot)
{
    return (hot->from[0] == LW_FROM_VGPR ? w->vgpr : w->agpr) + hot->at[0];
}

static lw_step hot_v_readlane_b32(lw_wave *w, const lw_hot *hot)
{
    w->sgpr[hot->dst] = row_of_source(w, hot)[scalar_source(w, hot, 1) & (w->lanes - 1u)];
    return LW_STEP_NEXT;
}

/* The lowest active lane, lane 0 if there is none. */
static lw_step hot_v_readfirstlane_b32(lw_wave *w, const lw_hot *hot)
{
    const uint64_t exec = lw_wave_exec(w);
    w->sgpr[hot->dst] = row_of_source(w, hot)[exec ? lw_ctz64(exec) : 0];
    return LW_STEP_NEXT;
}

static lw_step hot_v_writelane_b32(lw_wave *w, const lw_hot *hot)
{
    w->vgpr[hot->dst + (scalar_source(w, hot, 1) & (w->lanes - 1u))] = scalar_source(w, hot, 0);
    return LW_STEP_NEXT;
}

static lw_hot_fn take_read(const lw_hot_form *form, const lw_decoded *in, lw_hot *hot)
{
    const bool scalar = hot->from[1] > LW_FROM_AGPR && in->dst.kind == LW_OPND_SGPR;
    return scalar && is_plain(in) && hot->from[0] <= LW_FROM_AGPR ? form->fn[0] : NULL;
}

static lw_hot_fn take_write(const lw_hot_form *form, const lw_decoded *in, lw_hot *hot)
{
    const bool scalar = hot->from[0] > LW_FROM_AGPR && hot->from[1] > LW_FROM_AGPR;
    return scalar && is_plain(in) && hot->to == LW_FROM_VGPR ? form->fn[0] : NULL;
}

/* ---- Rows that are exchanged ---- */

VEC void swap_vectors(uint32_t *a, uint32_t *b, unsigned active_a, unsigned active_b)
{
    const vi x = vi_load(a), y = vi_load(b);
    vi_store_some(a, active_a, y);
    vi_store_some(b, active_b, x);
}

/* Exchanges the lanes whose `width` bit is set with the lanes of source 0 that are `width` below; width 0:
 * every lane with the same lane. */
VEC lw_step swap_lanes(lw_wave *w, const lw_hot *hot, unsigned width)
{
    const uint64_t exec = lw_wave_exec(w);
    uint32_t *a = w->vgpr + hot->dst, *b = w->vgpr + hot->at[0];
    for (unsigned at = 0; at < LW_LANES; at += VEC_LANES)
        if ((at & width) == width)
            swap_vectors(a + at, b + (at ^ width), (unsigned)(exec >> at), (unsigned)(exec >> (at ^ width)));
    return LW_STEP_NEXT;
}

static lw_step hot_v_swap_b32(lw_wave *w, const lw_hot *hot)
{
    return swap_lanes(w, hot, 0);
}

static lw_step hot_v_permlane16_swap_b32(lw_wave *w, const lw_hot *hot)
{
    return swap_lanes(w, hot, 16);
}

static lw_step hot_v_permlane32_swap_b32(lw_wave *w, const lw_hot *hot)
{
    return swap_lanes(w, hot, 32);
}

/* Two registers, neither of them an accumulation register. */
static lw_hot_fn take_swap(const lw_hot_form *form, const lw_decoded *in, lw_hot *hot)
{
    const bool rows = hot->from[0] == LW_FROM_VGPR && hot->to == LW_FROM_VGPR;
    return rows && is_plain(in) && hot->at[0] != hot->dst ? form->fn[0] : NULL;
}

/* ---- Permutes within rows ---- */

/* The selectors of v_permlane16 and v_permlanex16 are a table of 16 lanes as DPP's; x: of the other row of a
 * pair. */
VEC lw_step permlane(lw_wave *w, const lw_hot *hot, unsigned across)
{
    row_room room[3];
    vi moved[LW_LANES / VEC_LANES];
    if (lw_wave_exec(w) != row_all(w))
        return lw_hot_general(w, hot);
    const row from = row_source(w, hot, 0, 0, &room[0]);
    const uint64_t low = *row_source(w, hot, 1, 0, &room[1]).at,
                   high = *row_source(w, hot, 2, 0, &room[2]).at;
    const row_result r = row_open(w, hot, false, 0, NULL);
    for (unsigned at = 0; at < LW_LANES; at += 16)
        vec_moved(moved + at / VEC_LANES, from.at + (at ^ across), low | high << 32);
    for (unsigned n = 0; n < row_vectors(w); n++)
        row_put(r, n, moved[n]);
    return LW_STEP_NEXT;
}

static lw_step hot_v_permlane16_b32(lw_wave *w, const lw_hot *hot)
{
    return permlane(w, hot, 0);
}

static lw_step hot_v_permlanex16_b32(lw_wave *w, const lw_hot *hot)
{
    return permlane(w, hot, 16);
}

/* The same, with each lane naming its own source. */
VEC lw_step permlane_var(lw_wave *w, const lw_hot *hot, unsigned across)
{
    row_room room[2];
    uint32_t number[LW_LANES], moved[LW_LANES];
    if (lw_wave_exec(w) != row_all(w))
        return lw_hot_general(w, hot);
    const row from = row_source(w, hot, 0, 0, &room[0]), select = row_source(w, hot, 1, 0, &room[1]);
    const row_result r = row_open(w, hot, false, 0, NULL);
    for (unsigned n = 0; n < LW_LANES / VEC_LANES; n++) {
        const unsigned place = (n * VEC_LANES & ~15u) ^ across;
        vi_store(number + n * VEC_LANES, vi_or(vi_and(row_at(select, n), vi_all(15)), vi_all((int)place)));
    }
    turn_pick(from.at, number, moved);
    for (unsigned n = 0; n < row_vectors(w); n++)
        row_put(r, n, vi_load(moved + n * VEC_LANES));
    return LW_STEP_NEXT;
}

static lw_step hot_v_permlane16_var_b32(lw_wave *w, const lw_hot *hot)
{
    return permlane_var(w, hot, 0);
}

static lw_step hot_v_permlanex16_var_b32(lw_wave *w, const lw_hot *hot)
{
    return permlane_var(w, hot, 16);
}

static lw_hot_fn take_permlane_var(const lw_hot_form *form, const lw_decoded *in, lw_hot *hot)
{
    const bool rows = hot->from[0] <= LW_FROM_AGPR && hot->from[1] <= LW_FROM_AGPR;
    return in->sub == LW_SUB_NONE && rows ? form->fn[0] : NULL;
}

static lw_hot_fn take_permlane(const lw_hot_form *form, const lw_decoded *in, lw_hot *hot)
{
    const bool scalar = hot->from[1] >= LW_FROM_SGPR && hot->from[2] >= LW_FROM_SGPR;
    return in->sub == LW_SUB_NONE && scalar && hot->from[0] <= LW_FROM_AGPR ? form->fn[0] : NULL;
}

#define MOVES(name, taker)                                                                                   \
    {                                                                                                        \
        .general = lw_sem_##name, .take = taker, .fn = { hot_##name }                                        \
    }

#define MOVES_FORMS                                                                                          \
    MOVES(v_readlane_b32, take_read), MOVES(v_readfirstlane_b32, take_read),                                 \
        MOVES(v_writelane_b32, take_write), MOVES(v_swap_b32, take_swap),                                    \
        MOVES(v_permlane16_swap_b32, take_swap), MOVES(v_permlane32_swap_b32, take_swap),                    \
        MOVES(v_permlane16_b32, take_permlane), MOVES(v_permlanex16_b32, take_permlane),                     \
        MOVES(v_permlane16_var_b32, take_permlane_var), MOVES(v_permlanex16_var_b32, take_permlane_var)

#endif

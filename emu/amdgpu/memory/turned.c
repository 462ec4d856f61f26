/* SPDX-License-Identifier: MIT */
#include "emu/amdgpu/memory/turned.h"

#include "emu/amdgpu/control/handlers.h"

void lw_turn_16(unsigned lane, unsigned a, unsigned *from, unsigned *element)
{
    *from = (lane & ~7u) + a;
    *element = lane & 7;
}

void lw_turn_8(unsigned lane, unsigned a, unsigned *from, unsigned *element)
{
    *from = (lane & ~15u) + 8 * (a / 4) + 4 * (lane % 16 / 8) + a % 4;
    *element = lane & 7;
}

bool lw_turned_refused(lw_wave *w)
{
    if (w->lanes != LW_TURNED_LANES)
        lw_wave_fault(
            w, -1,
            "a transposing load cannot run in a wave of %u lanes: no source says which elements its "
            "lanes get",
            w->lanes);
    else if (lw_wave_exec(w) != UINT32_MAX)
        lw_wave_fault(w, -1, "a transposing load needs all lanes active");
    return w->lanes != LW_TURNED_LANES || lw_wave_exec(w) != UINT32_MAX;
}

void lw_turned_put(const lw_turned *t, lw_turn_fn turn, unsigned size, uint32_t *row)
{
    for (unsigned lane = 0; lane < LW_TURNED_LANES; lane++) {
        uint8_t result[2 * LW_TURNED_ELEMENTS];
        for (unsigned a = 0; a < LW_TURNED_ELEMENTS; a++) {
            unsigned from, element;
            turn(lane, a, &from, &element);
            memcpy(result + (size_t)a * size, t->source[from] + (size_t)element * size, size);
        }
        for (unsigned i = 0; i < LW_TURNED_ELEMENTS * size / 4; i++)
            memcpy(&row[(size_t)i * LW_LANES + lane], result + 4 * (size_t)i, 4);
    }
}

/* From LDS; a lane out of range gets zeros. */
static lw_step load_turned(lw_wave *w, const lw_decoded *in, lw_turn_fn turn, unsigned size)
{
    lw_turned t;
    const uint32_t *address = lw_access_row(w, &in->src[0]);
    const unsigned bytes = LW_TURNED_ELEMENTS * size;
    if (lw_turned_refused(w))
        return LW_STEP_FAULT;
    for (unsigned lane = 0; lane < LW_TURNED_LANES; lane++) {
        const uint32_t from = address[lane] + (uint32_t)in->offset;
        if (from % bytes)
            return lw_wave_fault(w, (int)lane,
                                 "a transposing load from LDS needs addresses that are multiples of %u; "
                                 "on an MI455X others were seen to be loaded without transposing",
                                 bytes);
        const uint8_t *at = lw_access_lds(w, (int)lane, from, bytes, LW_ACCESS_LOAD);
        memset(t.source[lane], 0, bytes);
        if (at)
            memcpy(t.source[lane], at, bytes);
    }
    lw_turned_put(&t, turn, size, lw_access_row(w, &in->dst));
    return LW_STEP_NEXT;
}

lw_step lw_sem_ds_load_tr_b16(lw_wave *w, const lw_decoded *in)
{
    return load_turned(w, in, lw_turn_16, 2);
}

lw_step lw_sem_ds_load_tr_b8(lw_wave *w, const lw_decoded *in)
{
    return load_turned(w, in, lw_turn_8, 1);
}

/* SPDX-License-Identifier: MIT */
#include "emu/amdgpu/memory/turned.h"

#include "emu/amdgpu/control/handlers.h"

static void from_16(unsigned lane, unsigned a, unsigned *other, unsigned *element)
{
    *other = a;
    *element = lane;
}

static void from_8(unsigned lane, unsigned a, unsigned *other, unsigned *element)
{
    *other = 8 * (a / 4) + 4 * (lane / 8) + a % 4;
    *element = lane & 7;
}

static void from_6(unsigned lane, unsigned a, unsigned *other, unsigned *element)
{
    *other = 8 * (a / 4) + 4 * (lane / 16) + a % 4;
    *element = lane & 15;
}

static void from_4(unsigned lane, unsigned a, unsigned *other, unsigned *element)
{
    *other = 16 * (a / 8) + 8 * (lane / 16) + a % 8;
    *element = lane & 15;
}

const lw_turn lw_turn_16 = { 16, 8, 16, from_16 }, lw_turn_8 = { 8, 8, 8, from_8 },
              lw_turn_6 = { 6, 16, 4, from_6 }, lw_turn_4 = { 4, 16, 8, from_4 };

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

void lw_turned_put(const lw_turned *t, const lw_turn *turn, const lw_decoded *in, uint32_t *row)
{
    const unsigned bytes = lw_turn_bytes(turn), lanes = in->row->exchange;
    for (unsigned lane = 0; lane < LW_TURNED_LANES; lane++) {
        uint8_t result[LW_TURNED_BYTES + 4] = { 0 };
        for (unsigned a = 0; a < turn->count; a++) {
            unsigned other, element;
            uint32_t value, old;
            turn->from(lane % lanes, a, &other, &element);
            const unsigned at = element * turn->bits, to = a * turn->bits;
            memcpy(&value, t->source[lane / lanes * lanes + other] + at / 8, sizeof(value));
            memcpy(&old, result + to / 8, sizeof(old));
            old |= (value >> at % 8 & ((1u << turn->bits) - 1)) << to % 8;
            memcpy(result + to / 8, &old, sizeof(old));
        }
        for (unsigned i = 0; i < bytes / 4; i++)
            memcpy(&row[(size_t)i * LW_LANES + lane], result + 4 * (size_t)i, 4);
    }
}

/* From LDS; a lane out of range gets zeros. */
static lw_step load_turned(lw_wave *w, const lw_decoded *in, const lw_turn *turn)
{
    lw_turned t;
    const uint32_t *address = lw_access_row(w, &in->src[0]);
    const unsigned bytes = lw_turn_bytes(turn);
    if (lw_turned_refused(w))
        return LW_STEP_FAULT;
    memset(&t, 0, sizeof(t));
    for (unsigned lane = 0; lane < LW_TURNED_LANES; lane++) {
        const uint32_t from = address[lane] + (uint32_t)in->offset;
        if (from % turn->align)
            return lw_wave_fault(w, (int)lane,
                                 "a transposing load from LDS needs addresses that are multiples of %u; "
                                 "on an MI455X others were seen to be loaded without transposing",
                                 turn->align);
        const uint8_t *at = lw_access_lds(w, (int)lane, from, bytes, LW_ACCESS_LOAD);
        if (at)
            memcpy(t.source[lane], at, bytes);
    }
    lw_turned_put(&t, turn, in, lw_access_row(w, &in->dst));
    return LW_STEP_NEXT;
}

lw_step lw_sem_ds_load_tr_b16(lw_wave *w, const lw_decoded *in)
{
    return load_turned(w, in, &lw_turn_16);
}

lw_step lw_sem_ds_load_tr_b8(lw_wave *w, const lw_decoded *in)
{
    return load_turned(w, in, &lw_turn_8);
}

lw_step lw_sem_ds_load_tr_b6(lw_wave *w, const lw_decoded *in)
{
    return load_turned(w, in, &lw_turn_6);
}

lw_step lw_sem_ds_load_tr_b4(lw_wave *w, const lw_decoded *in)
{
    return load_turned(w, in, &lw_turn_4);
}

/* SPDX-License-Identifier: MIT */
/*
 * A wave that polls memory need not use up its turn before others get theirs. From time to time its turn is
 * looked at: for some instructions, one at a time, until the wave has come back twice to the instruction
 * where the look began. If its registers were the same both times, it will come back again unless memory
 * changes, and its turn ends. Nothing but the schedule depends on that; still.c finds out whether anything
 * can change.
 */
#include "emu/device/session.h"

enum {
    FIRST =
        1 << 11, /* instructions of a turn before the first look; each later one comes after twice as many */
    PART = 128,  /* a look takes at most this part of the instructions before it */
};

void lw_spin_begin(lw_round *r)
{
    r->spins = r->look_has_state = false;
    r->look = FIRST;
    r->looks_from = 0;
}

void lw_spin_look(lw_round *r, const lw_wave_head *w)
{
    const uint64_t from = r->looks_from ? r->looks_from : r->look;
    if (!r->looks_from) {
        r->looks_from = r->look;
        r->look_pc = w->pc;
        r->look_has_state = false;
    } else if (w->pc == r->look_pc) {
        const uint64_t state = lw_wave_hash(w, true);
        r->spins = r->look_has_state && state == r->look_state;
        r->look_has_state = true;
        r->look_state = state;
    }
    r->look++;
    if (r->look > from + from / PART) {
        r->look = 2 * from;
        r->looks_from = 0;
    }
}

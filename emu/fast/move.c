/* SPDX-License-Identifier: MIT */
/* Fixed rearrangements of words. */
#include "emu/fast/panel.h"

#include <string.h>

bool lw_move_is_run(const lw_move_chunk *chunk)
{
    for (int t = 1; t < LW_PANEL; t++)
        if (chunk->from[t] != chunk->from[0] + t)
            return false;
    return true;
}

/* Finds the vectors of `lanes` words that contain the `count` words; false if there are more than four. */
static bool gather(const uint16_t *from, unsigned count, unsigned lanes, uint16_t *vector, uint8_t *pick,
                   unsigned *vectors)
{
    *vectors = 0;
    for (unsigned t = 0; t < count; t++) {
        const uint16_t first = (uint16_t)(from[t] / lanes * lanes);
        unsigned n = 0;
        while (n < *vectors && vector[n] != first)
            n++;
        if (n == 4)
            return false;
        if (n == *vectors)
            vector[(*vectors)++] = first;
        pick[t] = (uint8_t)(n * lanes + from[t] % lanes);
    }
    for (unsigned n = *vectors; n < 4; n++)
        vector[n] = vector[0];
    return true;
}

void lw_move_prepare(lw_move_chunk *chunk)
{
    enum { HALF = LW_PANEL / 2 };
    unsigned vectors, half[2];
    if (lw_move_is_run(chunk)) {
        chunk->kind = LW_MOVE_RUN;
        return;
    }
    chunk->by_half =
        gather(chunk->from, HALF, HALF, chunk->half_vector[0], chunk->half_pick, &half[0]) &&
        gather(chunk->from + HALF, HALF, HALF, chunk->half_vector[1], chunk->half_pick + HALF, &half[1]);
    const bool few = gather(chunk->from, LW_PANEL, LW_PANEL, chunk->vector, chunk->pick, &vectors);
    chunk->kind = few ? LW_MOVE_SHUFFLE : LW_MOVE_WORDS;
    chunk->vectors = (uint8_t)vectors;
}

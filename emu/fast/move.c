/* SPDX-License-Identifier: MIT */
/* Fixed rearrangements of words. */
#include "emu/fast/panel.h"

#include <string.h>

static bool is_run(const lw_move_chunk *chunk)
{
    for (int t = 1; t < LW_PANEL; t++)
        if (chunk->from[t] != chunk->from[0] + t)
            return false;
    return true;
}

void lw_move_prepare(lw_move_chunk *chunk)
{
    chunk->vectors = 0;
    chunk->kind = LW_MOVE_RUN;
    if (is_run(chunk))
        return;
    chunk->kind = LW_MOVE_WORDS;
    for (int t = 0; t < LW_PANEL; t++) {
        const uint16_t vector = (uint16_t)(chunk->from[t] / LW_PANEL * LW_PANEL);
        unsigned n = 0;
        while (n < chunk->vectors && chunk->vector[n] != vector)
            n++;
        if (n == 4)
            return;
        if (n == chunk->vectors)
            chunk->vector[chunk->vectors++] = vector;
        chunk->pick[t] = (uint8_t)(n * LW_PANEL + chunk->from[t] % LW_PANEL);
    }
    if (chunk->vectors == 3)
        chunk->vector[3] = chunk->vector[0];
    chunk->kind = LW_MOVE_SHUFFLE;
}

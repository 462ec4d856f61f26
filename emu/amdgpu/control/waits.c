/* SPDX-License-Identifier: MIT */
#include "emu/amdgpu/control/waits.h"

lw_wave *lw_waiting_wave(const lw_amd_group *g)
{
    for (uint32_t i = 0; i < g->wave_count; i++)
        if (g->waves[i].state == LW_WAVE_WAITS)
            return &g->waves[i];
    return NULL;
}

static uint64_t mix_words(uint64_t number, const uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        number ^= words[i];
        number *= UINT64_C(0x9e3779b97f4a7c15);
        number ^= number >> 29;
    }
    return number;
}

bool lw_wave_sleeps_again(lw_wave *w)
{
    if (!lw_waiting_wave(w->group))
        return true;
    uint64_t number = lw_grid_hash(w->pc, (uint64_t)w->scc << 32 | w->mode);
    number = mix_words(number, w->sgpr, LW_SGPR_COUNT);
    number = mix_words(number, w->vgpr, (size_t)w->vgprs * LW_LANES);
    number = mix_words(number, w->agpr, (size_t)w->agprs * LW_LANES);
    const bool again = number == w->slept_as;
    w->slept_as = number;
    return again;
}

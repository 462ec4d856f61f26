/* SPDX-License-Identifier: MIT */
/* The initial state of a wave (LLVM AMDGPUUsage, "Initial Kernel Execution State"; AMD CDNA3 ISA manual 3).
 */
#include "emu/amdgpu/control/machine.h"

/* Size of the workgroup at this place: the last one of a dimension may be partial. */
static void group_extent(const lw_machine *m, const uint32_t id[3], uint32_t extent[3])
{
    for (int d = 0; d < 3; d++) {
        const uint64_t first = (uint64_t)id[d] * m->block[d];
        const uint64_t left = m->items[d] - first;
        extent[d] = left < m->block[d] ? (uint32_t)left : m->block[d];
    }
}

uint32_t lw_start_waves(const lw_machine *m, const uint32_t id[3])
{
    if (m->raw)
        return (uint32_t)m->raw_count;
    uint32_t e[3];
    group_extent(m, id, e);
    return (uint32_t)(((uint64_t)e[0] * e[1] * e[2] + LW_LANES - 1) / LW_LANES);
}

static void start_raw(lw_wave *w, const lw_wave_state *s)
{
    if (s->vgprs)
        memcpy(w->vgpr, s->vgpr, (size_t)s->vgprs * LW_LANES * sizeof(uint32_t));
    if (s->agprs)
        memcpy(w->agpr, s->agpr, (size_t)s->agprs * LW_LANES * sizeof(uint32_t));
    memcpy(w->sgpr, s->sgpr, sizeof(w->sgpr));
    w->scc = s->scc & 1;
    w->mode = s->mode;
}

/* Work-items fill lanes x fastest; v0 = x | y << 10 | z << 20, as far as the kernel asks (gfx90a and later).
 */
static uint64_t fill_item_ids(lw_wave *w, const uint32_t extent[3])
{
    const lw_machine *m = w->group->machine;
    const uint64_t items = (uint64_t)extent[0] * extent[1] * extent[2];
    uint64_t exec = 0;
    for (unsigned lane = 0; lane < LW_LANES; lane++) {
        const uint64_t i = (uint64_t)w->id * LW_LANES + lane;
        if (i >= items)
            break;
        const uint32_t x = (uint32_t)(i % extent[0]);
        const uint32_t y = m->item_id_dims > 1 ? (uint32_t)(i / extent[0] % extent[1]) : 0;
        const uint32_t z = m->item_id_dims > 2 ? (uint32_t)(i / extent[0] / extent[1]) : 0;
        if (w->vgprs)
            w->vgpr[lane] = x | y << 10 | z << 20;
        exec |= UINT64_C(1) << lane;
    }
    return exec;
}

void lw_start_wave(lw_wave *w)
{
    const lw_machine *m = w->group->machine;
    if (m->raw) {
        start_raw(w, &m->raw[w->id]);
        return;
    }
    for (unsigned i = 0; i < LW_SGPR_COUNT; i++)
        w->sgpr[i] = m->poison;
    w->mode = m->mode;
    unsigned at = m->user_sgpr_count;
    memcpy(w->sgpr, m->user_sgprs, at * sizeof(uint32_t));
    for (int d = 0; d < 3; d++)
        if (m->group_id_sgpr[d])
            w->sgpr[at++] = w->group->id[d];
    if (m->group_info_sgpr)
        w->sgpr[at++] = (uint32_t)(w->id == 0) << 31 | w->group->wave_count;
    w->sgpr[LW_SGPR_M0] = 0;
    lw_wave_set_sgpr64(w, LW_SGPR_VCC, 0);
    lw_wave_set_sgpr64(w, LW_SGPR_FLAT_SCRATCH, LW_APERTURE_PRIVATE);

    uint32_t extent[3];
    group_extent(m, w->group->id, extent);
    lw_wave_set_sgpr64(w, LW_SGPR_EXEC, fill_item_ids(w, extent));
}

/* SPDX-License-Identifier: MIT */
/* The initial state of a wave (LLVM AMDGPUUsage, "Initial Kernel Execution State"; AMD CDNA3 ISA manual 3).
 */
#include "emu/amdgpu/control/machine.h"
#include "isa_tables/amdgpu/traits.h"

void lw_amd_attach(lw_wave_head *head, uint8_t *area)
{
    lw_wave *w = lw_amd_wave(head);
    const lw_amd_launch *l = lw_amd_launch_of(w);
    w->vgpr = (uint32_t *)(void *)area;
    w->agpr = w->vgpr + (size_t)l->vgprs * LW_LANES;
    w->scratch = area + (size_t)(l->vgprs + l->agprs) * LW_LANES * sizeof(uint32_t);
}

size_t lw_amd_state(const lw_wave_head *head, lw_span spans[LW_MAX_SPANS])
{
    const lw_wave *w = lw_amd_wave_of(head);
    const size_t rows = (size_t)(w->accum + w->agprs) * LW_LANES; /* of both kinds, contiguous */
    spans[0] = (lw_span){ .at = w->sgpr, .size = sizeof(w->sgpr) };
    spans[1] = (lw_span){ .at = &w->mode, .size = sizeof(w->mode) };
    spans[2] = (lw_span){ .at = &w->scc, .size = sizeof(w->scc) };
    spans[3] = (lw_span){ .at = w->vgpr, .size = rows * sizeof(uint32_t) };
    spans[4] = (lw_span){ .at = w->scratch, .size = (size_t)w->scratch_size * LW_LANES, .own_memory = true };
    return 5;
}

/* Bits that are on but not visible in MODE. */
static uint32_t hidden_mode(const lw_wave *w)
{
    return lw_amdgpu_traits_of(w->arch)->mode_fixed ? LW_MODE_DX10_CLAMP | LW_MODE_IEEE : 0;
}

static void start_given(lw_wave *w, const lw_wave_state *s)
{
    if (s->vgprs)
        memcpy(w->vgpr, s->vgpr, (size_t)s->vgprs * LW_LANES * sizeof(uint32_t));
    if (s->agprs)
        memcpy(w->agpr, s->agpr, (size_t)s->agprs * LW_LANES * sizeof(uint32_t));
    memcpy(w->sgpr, s->sgpr, sizeof(s->sgpr));
    w->scc = s->scc & 1;
    w->mode = s->mode | hidden_mode(w);
}

/* The ids of one work-item, with as many components as the kernel requests. gfx90a and later pack them: v0 is
 * x | y << 10 | z << 20. */
static void fill_ids(lw_wave *w, unsigned lane, const uint32_t id[3])
{
    const unsigned dims = lw_amd_launch_of(w)->item_id_dims;
    const bool apart = lw_amdgpu_traits_of(w->arch)->ids_apart;
    uint32_t packed = 0;
    for (unsigned d = 0; d < dims && d < 3; d++) {
        packed |= id[d] << 10 * d;
        if (apart && d < w->vgprs)
            w->vgpr[(size_t)d * LW_LANES + lane] = id[d];
    }
    if (!apart && w->vgprs)
        w->vgpr[lane] = packed;
}

/* Work-items fill lanes, x fastest. */
static uint64_t fill_item_ids(lw_wave *w, const uint32_t extent[3])
{
    const uint64_t items = (uint64_t)extent[0] * extent[1] * extent[2];
    uint64_t exec = 0;
    for (unsigned lane = 0; lane < w->lanes; lane++) {
        const uint64_t i = (uint64_t)w->head.place * w->lanes + lane;
        if (i >= items)
            break;
        const uint32_t id[3] = { (uint32_t)(i % extent[0]), (uint32_t)(i / extent[0] % extent[1]),
                                 (uint32_t)(i / extent[0] / extent[1]) };
        fill_ids(w, lane, id);
        exec |= UINT64_C(1) << lane;
    }
    return exec;
}

/* gfx1250: the workgroup's place in its cluster, the highest one, and the highest number (LLVM 22). Zero
 * without a cluster. */
static uint32_t place_in_cluster(const lw_wave *w)
{
    const lw_session *s = w->head.group->session;
    uint32_t v = s->ranks > 1 ? (s->ranks - 1) << 24 : 0, rank = w->head.rank;
    for (unsigned d = 0; d < 3 && s->ranks > 1; d++) {
        v |= rank % s->cluster[d] << 4 * d | (s->cluster[d] - 1) << (12 + 4 * d);
        rank /= s->cluster[d];
    }
    return v;
}

/* What the kernel's descriptor requests, in the order of the scalar registers. */
static void fill_sgprs(lw_wave *w)
{
    const lw_amd_launch *l = lw_amd_launch_of(w);
    const lw_group *g = w->head.group;
    for (unsigned i = 0; i < LW_SGPR_COUNT; i++)
        w->sgpr[i] = g->session->poison;
    unsigned at = l->user_sgpr_count;
    memcpy(w->sgpr, l->user_sgprs, at * sizeof(uint32_t));
    const bool in_ttmp = lw_amdgpu_traits_of(w->arch)->ids_in_ttmp;
    if (in_ttmp) {
        w->sgpr[LW_SGPR_TTMP0 + 8] = w->head.place << 25; /* LLVM reads bits 29:25 for the wave's number */
        w->sgpr[LW_SGPR_TTMP0 + 9] = g->id[0];            /* in a launch with clusters, the cluster's */
        w->sgpr[LW_SGPR_TTMP0 + 6] = place_in_cluster(w);
        w->sgpr[LW_SGPR_TTMP0 + 7] = (g->id[1] & 0xffff) | g->id[2] << 16;
    }
    for (int d = 0; d < 3 && !in_ttmp; d++)
        if (l->group_id_sgpr[d])
            w->sgpr[at++] = g->id[d];
    if (l->group_info_sgpr)
        w->sgpr[at++] = (uint32_t)(w->head.place == 0) << 31 | g->wave_count / g->session->ranks;
    if (l->scratch_offset_sgpr)
        w->sgpr[at++] = 0; /* every wave has its own buffer */
    w->sgpr[LW_SGPR_M0] = 0;
    lw_wave_set_sgpr64(w, LW_SGPR_VCC, 0);
    if (lw_amdgpu_traits_of(w->arch)->sgprs <= LW_SGPR_FLAT_SCRATCH)
        lw_wave_set_sgpr64(w, LW_SGPR_FLAT_SCRATCH, LW_APERTURE_PRIVATE);
}

void lw_amd_start(lw_wave_head *head)
{
    lw_wave *w = lw_amd_wave(head);
    const lw_session *s = head->group->session;
    const lw_amd_launch *l = s->own;
    w->vgprs = (uint16_t)l->vgpr_limit;
    w->accum = (uint16_t)l->vgprs;
    w->agprs = (uint16_t)l->agprs;
    w->sgprs = LW_SGPR_COUNT;
    w->lanes = (uint8_t)s->lanes;
    w->arch = s->arch;
    w->scratch_size = s->scratch_size;
    w->resolving =
        lw_amdgpu_traits_of(s->arch)->vgpr_msb ? LW_MODE_VGPR_MSB : LW_MODE_GPR_IDX_EN | LW_MODE_VSKIP;
    w->signalled = false;
    if (s->given.waves) {
        start_given(w, &s->given.waves[head->id]);
        return;
    }
    w->mode = l->mode;
    fill_sgprs(w);
    uint32_t id[3], extent[3];
    memcpy(id, head->group->id, sizeof(id));
    if (s->ranks > 1)
        lw_wave_workgroup(head, id);
    lw_group_extent(s, id, extent);
    lw_wave_set_sgpr64(w, LW_SGPR_EXEC, fill_item_ids(w, extent));
}

/* Raw code: copies waves and LDS back to the caller. */
void lw_amd_end(lw_group *g)
{
    const lw_given *given = &g->session->given;
    for (uint32_t i = 0; given->waves && i < g->wave_count; i++) {
        const lw_wave *w = lw_amd_wave(lw_group_wave(g, i));
        lw_wave_state *s = &given->waves[i];
        if (s->vgprs)
            memcpy(s->vgpr, w->vgpr, (size_t)s->vgprs * LW_LANES * sizeof(uint32_t));
        if (s->agprs)
            memcpy(s->agpr, w->agpr, (size_t)s->agprs * LW_LANES * sizeof(uint32_t));
        memcpy(s->sgpr, w->sgpr, sizeof(s->sgpr));
        s->scc = w->scc;
        s->mode = w->mode & ~hidden_mode(w);
    }
    if (given->lds)
        memcpy(given->lds, g->lds, g->lds_size);
}

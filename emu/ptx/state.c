/* SPDX-License-Identifier: MIT */
/* Operands of one lane. */
#include "emu/ptx/warp.h"

static uint32_t *row(const lw_ptx_warp *w, uint32_t slot, unsigned lane)
{
    return &w->rows[(size_t)slot * LW_PTX_LANES + lane];
}

static uint64_t raw(const lw_ptx_warp *w, const lw_ptx_source *s, unsigned lane)
{
    switch ((lw_ptx_source_kind)s->kind) {
    case LW_PTX_SOURCE_REGISTER:
        return s->bits == 64 ? *row(w, s->slot, lane) | (uint64_t)*row(w, s->slot + 1, lane) << 32
                             : *row(w, s->slot, lane) & lw_ptx_mask(s->bits);
    case LW_PTX_SOURCE_SPECIAL:
        return lw_ptx_special_value(w, s, lane);
    case LW_PTX_SOURCE_FRAME:
        return s->value + w->frame[lane];
    case LW_PTX_SOURCE_SHARED:
        return s->value + ((uint64_t)w->head.rank << LW_PTX_RANK_AT);
    default:
        return s->value;
    }
}

uint64_t lw_ptx_get(const lw_ptx_warp *w, const lw_ptx_source *s, unsigned lane)
{
    if (s->kind == LW_PTX_SOURCE_PREDICATE)
        return (w->predicates[s->slot] >> lane & 1) != s->negated;
    return s->want ? lw_ptx_extend(raw(w, s, lane), s->want, s->is_signed) : raw(w, s, lane);
}

void lw_ptx_put(lw_ptx_warp *w, const lw_ptx_source *d, unsigned lane, uint64_t value)
{
    if (d->kind == LW_PTX_SOURCE_PREDICATE) {
        const uint32_t bit = UINT32_C(1) << lane;
        w->predicates[d->slot] = value & 1 ? w->predicates[d->slot] | bit : w->predicates[d->slot] & ~bit;
    } else if (d->kind == LW_PTX_SOURCE_REGISTER) {
        *row(w, d->slot, lane) = (uint32_t)(value & lw_ptx_mask(d->bits));
        if (d->bits == 64)
            *row(w, d->slot + 1, lane) = (uint32_t)(value >> 32);
    }
}

bool lw_ptx_is_uniform(const lw_ptx_warp *w, const lw_ptx_source *s)
{
    if (s->kind == LW_PTX_SOURCE_CONSTANT || s->kind == LW_PTX_SOURCE_SHARED)
        return true;
    if (s->kind != LW_PTX_SOURCE_REGISTER || s->bits < 32)
        return false;
    uint32_t other = 0;
    for (unsigned word = 0; word < s->bits / 32u; word++) {
        const uint32_t *lanes = row(w, s->slot + word, 0);
        for (unsigned lane = 0; lane < LW_PTX_LANES; lane++)
            other |= lanes[lane] ^ lanes[0];
    }
    return !other;
}

/* ---- Special registers ---- */

static uint32_t thread_id(const lw_ptx_warp *w, unsigned part, unsigned lane)
{
    uint32_t extent[3], block[3];
    lw_wave_workgroup(&w->head, block);
    lw_group_extent(w->head.group->session, block, extent);
    const uint64_t i = (uint64_t)w->head.place * LW_PTX_LANES + lane;
    return (uint32_t)(part == 0   ? i % extent[0]
                      : part == 1 ? i / extent[0] % extent[1]
                                  : i / extent[0] / extent[1]);
}

static uint32_t lane_mask(lw_ptx_special which, unsigned lane)
{
    const uint32_t bit = UINT32_C(1) << lane;
    return which == LW_PTX_SPECIAL_LANEMASK_EQ   ? bit
           : which == LW_PTX_SPECIAL_LANEMASK_LT ? bit - 1
           : which == LW_PTX_SPECIAL_LANEMASK_LE ? bit | (bit - 1)
           : which == LW_PTX_SPECIAL_LANEMASK_GE ? ~(bit - 1)
                                                 : ~(bit | (bit - 1));
}

static uint32_t block_of(const lw_ptx_warp *w, unsigned part)
{
    uint32_t block[3];
    lw_wave_workgroup(&w->head, block);
    return block[part];
}

/* As if one unit ran all blocks, with one nanosecond and one clock per instruction of the warp. */
uint64_t lw_ptx_special_value(const lw_ptx_warp *w, const lw_ptx_source *s, unsigned lane)
{
    const lw_group *g = w->head.group;
    const lw_session *session = g->session;
    const unsigned part = s->part;
    switch ((lw_ptx_special)s->slot) {
    case LW_PTX_SPECIAL_TID:
        return part < 3 ? thread_id(w, part, lane) : 0;
    case LW_PTX_SPECIAL_NTID:
        return part < 3 ? session->block[part] : 0;
    case LW_PTX_SPECIAL_CTAID:
        return part < 3 ? block_of(w, part) : 0;
    case LW_PTX_SPECIAL_NCTAID:
        return part < 3 ? session->groups[part] : 0;
    case LW_PTX_SPECIAL_LANEID:
        return lane;
    case LW_PTX_SPECIAL_WARPID:
        return w->head.place;
    case LW_PTX_SPECIAL_NWARPID:
        return g->wave_count / session->ranks;
    case LW_PTX_SPECIAL_NSMID:
        return 1;
    case LW_PTX_SPECIAL_SMID:
    case LW_PTX_SPECIAL_GRIDID:
        return 0;
    case LW_PTX_SPECIAL_CLUSTERID:
        return part < 3 ? g->id[part] : 0;
    case LW_PTX_SPECIAL_NCLUSTERID:
        return part < 3 ? session->groups[part] / session->cluster[part] : 0;
    case LW_PTX_SPECIAL_CLUSTER_NCTAID:
        return part < 3 ? session->cluster[part] : 0;
    case LW_PTX_SPECIAL_CLUSTER_NCTARANK:
        return session->ranks;
    case LW_PTX_SPECIAL_CLUSTER_CTAID:
        return part < 3 ? block_of(w, part) - g->id[part] * session->cluster[part] : 0;
    case LW_PTX_SPECIAL_CLUSTER_CTARANK:
        return w->head.rank;
    case LW_PTX_SPECIAL_IS_EXPLICIT_CLUSTER:
        return ((const lw_ptx_launch *)session->own)->in_clusters;
    case LW_PTX_SPECIAL_TOTAL_SMEM_SIZE:
        return g->lds_size;
    case LW_PTX_SPECIAL_DYNAMIC_SMEM_SIZE:
        return ((const lw_ptx_launch *)session->own)->dynamic_shared;
    case LW_PTX_SPECIAL_CLOCK:
    case LW_PTX_SPECIAL_CLOCK64:
    case LW_PTX_SPECIAL_GLOBALTIMER:
    case LW_PTX_SPECIAL_GLOBALTIMER_LO:
        g->worker->changes++;
        return w->head.executed;
    case LW_PTX_SPECIAL_CLOCK_HI:
    case LW_PTX_SPECIAL_GLOBALTIMER_HI:
        g->worker->changes++;
        return w->head.executed >> 32;
    case LW_PTX_SPECIAL_ENVREG: /* 1: the upper half, 2: the lower one */
        return (uint32_t)(((const lw_ptx_placed *)session->module->own)->barrier >>
                          (s->member == 1 ? 32 : 0));
    default:
        return lane_mask((lw_ptx_special)s->slot, lane);
    }
}

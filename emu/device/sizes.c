/* SPDX-License-Identifier: MIT */
/* The size of a launch, checked against what the kernel says. */
#include "emu/device/fail.h"
#include "emu/device/session.h"

/* A limit of this implementation: the number of workgroups, and memory for their order, must fit 64 bits. */
static const uint64_t MAX_GROUPS = UINT64_C(1) << 40;

/* Zeros after the first component count as 1. */
static void complete(const uint32_t given[3], uint32_t out[3])
{
    for (int d = 0; d < 3; d++)
        out[d] = given[d] || d == 0 ? given[d] : 1;
}

static lw_status check_block(const lw_session *s, const lw_kernel_info *info, uint32_t most_items,
                             lw_error *error)
{
    const uint64_t items = (uint64_t)s->block[0] * s->block[1] * s->block[2];
    const uint32_t most = info->max_workgroup_size ? info->max_workgroup_size : most_items;
    if (s->block[0] > most_items || s->block[1] > most_items || s->block[2] > most_items || items == 0 ||
        items > most)
        return lw_fail(error, LW_E_ARGUMENT, "kernel %s takes %ss of 1 to %u work-items, not %u x %u x %u",
                       info->name, s->machine->group_word, most, s->block[0], s->block[1], s->block[2]);
    for (int d = 0; d < 3; d++)
        if (info->required_workgroup[d] && info->required_workgroup[d] != s->block[d])
            return lw_fail(error, LW_E_ARGUMENT, "kernel %s was compiled for %ss of %u x %u x %u only",
                           info->name, s->machine->group_word, info->required_workgroup[0],
                           info->required_workgroup[1], info->required_workgroup[2]);
    return LW_OK;
}

static lw_status set_dimension(lw_session *s, const lw_kernel_info *info, int d, uint64_t items,
                               lw_error *error)
{
    if (items == 0 || items > UINT32_MAX)
        return lw_fail(error, LW_E_ARGUMENT,
                       "dimension %d of the launch has %llu work-items, not 1 to 2^32-1", d,
                       (unsigned long long)items);
    if (info->uniform_workgroup && items % s->block[d])
        return lw_fail(error, LW_E_ARGUMENT,
                       "kernel %s was compiled for whole %ss: %llu work-items are not a multiple of %u",
                       info->name, s->machine->group_word, (unsigned long long)items, s->block[d]);
    s->items[d] = (uint32_t)items;
    s->groups[d] = (uint32_t)((items + s->block[d] - 1) / s->block[d]);
    return LW_OK;
}

static lw_status set_grid(lw_session *s, const lw_launch_options *o, const lw_kernel_info *info,
                          lw_error *error)
{
    const bool by_items = o->items[0] || o->items[1] || o->items[2];
    const bool by_groups = o->grid[0] || o->grid[1] || o->grid[2];
    if (by_items == by_groups)
        return lw_fail(error, LW_E_ARGUMENT, "a launch needs a size in %ss or in work-items, and not both",
                       s->machine->group_word);
    uint32_t given[3];
    lw_status status = LW_OK;
    complete(by_items ? o->items : o->grid, given);
    for (int d = 0; d < 3 && status == LW_OK; d++)
        status = set_dimension(s, info, d, by_items ? given[d] : (uint64_t)given[d] * s->block[d], error);
    if (status == LW_OK && (uint64_t)s->groups[0] * s->groups[1] > MAX_GROUPS / s->groups[2])
        return lw_fail(error, LW_E_ARGUMENT, "a launch of %u x %u x %u %ss; at most 2^40 are run",
                       s->groups[0], s->groups[1], s->groups[2], s->machine->group_word);
    return status;
}

/* What the launch or else the kernel says; blocks of a cluster run together. */
static lw_status set_cluster(lw_session *s, const lw_launch_options *o, const lw_kernel_info *info,
                             lw_error *error)
{
    const bool given = o->cluster[0] || o->cluster[1] || o->cluster[2];
    const bool stated = info->cluster[0] != 0 && s->machine->clusters;
    uint64_t ranks = 1;
    const uint32_t none[3] = { 1, 1, 1 };
    complete(given ? o->cluster : stated ? info->cluster : none, s->cluster);
    for (int d = 0; d < 3; d++) {
        const uint32_t want = info->cluster[d] ? info->cluster[d] : 1;
        s->cluster[d] += s->cluster[d] == 0;
        if (given && stated && s->cluster[d] != want)
            return lw_fail(error, LW_E_ARGUMENT, "kernel %s was compiled for clusters of %u x %u x %u only",
                           info->name, info->cluster[0], info->cluster[1] ? info->cluster[1] : 1,
                           info->cluster[2] ? info->cluster[2] : 1);
        if (s->groups[d] % s->cluster[d])
            return lw_fail(error, LW_E_ARGUMENT,
                           "a grid of %u x %u x %u %ss is not a multiple of clusters of %u x %u x %u",
                           s->groups[0], s->groups[1], s->groups[2], s->machine->group_word, s->cluster[0],
                           s->cluster[1], s->cluster[2]);
        ranks *= s->cluster[d];
    }
    if (ranks > LW_MOST_RANKS)
        return lw_fail(error, LW_E_ARGUMENT, "a cluster of %llu %ss; at most %d are run",
                       (unsigned long long)ranks, s->machine->group_word, LW_MOST_RANKS);
    s->ranks = (uint32_t)ranks;
    if (ranks > 1 && !s->machine->clusters)
        return lw_fail(error, LW_E_UNSUPPORTED, "this version runs no clusters of %ss on this target",
                       s->machine->group_word);
    if (ranks > 1 && o->only_count)
        return lw_fail(error, LW_E_UNSUPPORTED,
                       "the %ss of a cluster run together: single ones of them cannot be chosen",
                       s->machine->group_word);
    return LW_OK;
}

static lw_status check_only(const lw_session *s, const lw_launch_options *o, lw_error *error)
{
    if (o->only_count && !o->only)
        return lw_fail(error, LW_E_ARGUMENT, "%zu %ss are to run, but `only` is NULL", o->only_count,
                       s->machine->group_word);
    for (size_t i = 0; i < o->only_count; i++)
        for (int d = 0; d < 3; d++)
            if (o->only[i][d] >= s->groups[d])
                return lw_fail(error, LW_E_ARGUMENT, "there is no %s (%u,%u,%u) in a grid of %u x %u x %u",
                               s->machine->group_word, o->only[i][0], o->only[i][1], o->only[i][2],
                               s->groups[0], s->groups[1], s->groups[2]);
    return LW_OK;
}

lw_status lw_session_sizes(lw_session *s, const lw_launch_options *o, const lw_kernel_info *kernel,
                           uint32_t most_items, lw_error *error)
{
    complete(o->block, s->block);
    lw_status status = check_block(s, kernel, most_items, error);
    if (status == LW_OK)
        status = set_grid(s, o, kernel, error);
    if (status == LW_OK)
        status = check_only(s, o, error);
    if (status == LW_OK)
        status = set_cluster(s, o, kernel, error);
    const uint64_t items = (uint64_t)s->block[0] * s->block[1] * s->block[2];
    s->most_waves = (uint32_t)((items + s->lanes - 1) / s->lanes) * s->ranks;
    return status;
}

/* SPDX-License-Identifier: MIT */
/*
 * Caches on AMD: what their invalidation makes known, and which loads an old line may hide something from.
 * What each generation needs is in LLVM's AMDGPUUsage, "Memory Model", and is what LLVM 22 emits for fences:
 * in WGP mode an acquire for the workgroup invalidates the first-level cache (L0), in CU mode it does not; on
 * gfx1250 only one for the cluster does.
 */
#include "observers/races.h"

/* What an invalidation says about how far it goes. */
typedef enum reach {
    ONE_BY_ONE,    /* an instruction for each cache: gfx11's buffer_gl1_inv (or s_gl1_inv), which comes first,
                      and buffer_gl0_inv */
    AS_SCOPE_SAYS, /* one instruction with a scope */
    EVERYWHERE,
} reach;

static reach reach_of(lw_arch arch)
{
    static const uint8_t of[LW_ARCH_COUNT] = {
        [LW_ARCH_GFX908] = EVERYWHERE,    [LW_ARCH_GFX90A] = EVERYWHERE,     [LW_ARCH_GFX942] = AS_SCOPE_SAYS,
        [LW_ARCH_GFX950] = AS_SCOPE_SAYS, [LW_ARCH_GFX1201] = AS_SCOPE_SAYS, [LW_ARCH_GFX1250] = AS_SCOPE_SAYS
    };
    return (reach)of[arch];
}

/* Does the invalidation reach the caches that other workgroups use? */
static bool reaches_far(const lw_races *races)
{
    return reach_of(races->arch) == EVERYWHERE || races->place->scope >= LW_SCOPE_DEVICE;
}

/* Does it empty the first-level cache? */
static bool reaches_near(const lw_races *races)
{
    const lw_scope scope = races->place->scope;
    const reach how = reach_of(races->arch);
    return how == ONE_BY_ONE ? scope < LW_SCOPE_DEVICE
                             : how == EVERYWHERE || scope >= lw_race_atomic_scope(races->arch);
}

static void invalidate(lw_races *races, unsigned number)
{
    lw_race_wave_state *wave = races->wave;
    if (reaches_far(races))
        lw_race_clock_join(&wave->inner, &wave->taken);
    if (!reaches_near(races))
        return;
    lw_race_waves_note(races, wave, number);
    wave->fresh = wave->known;
    lw_race_clock_join(&wave->others, &wave->inner);
    if (races->split_l0 || races->clustered)
        lw_race_clock_join(&wave->fresh_others, &wave->others);
}

void lw_race_caches_use(lw_races *races, unsigned number)
{
    lw_race_wave_state *wave = races->wave;
    if (races->place->order == LW_ORDER_RELEASE && races->place->scope >= LW_SCOPE_DEVICE) {
        lw_race_waves_note(races, wave, number);
        wave->released = wave->known;
        wave->released.at[number][LW_RACE_GLOBAL] = (uint32_t)wave->pending.issued[LW_PENDING_VMEM];
    }
    if (races->place->order == LW_ORDER_ACQUIRE)
        invalidate(races, number);
}

/* A load that may be answered by the first-level cache: one without a scope. Nothing says which cache tiles
 * go through. */
static bool is_cached(const lw_races *races, const lw_race_record *later)
{
    const unsigned channel = lw_race_channel(later);
    return races->space == LW_SPACE_GLOBAL && channel != LW_PENDING_SCALAR && channel != LW_PENDING_TENSOR &&
           !races->place->atomic && races->place->scope < lw_race_atomic_scope(races->arch);
}

bool lw_race_may_hide(const lw_races *races, const lw_race_record *earlier, const lw_race_record *later,
                      bool earlier_stores, bool later_stores)
{
    if (!races->split_l0 && !races->clustered)
        return false;
    if (!earlier_stores || later_stores || !is_cached(races, later))
        return false;
    const bool same = lw_race_group(earlier) == races->group->number;
    const lw_race_times *fresh =
        same ? &races->wave->fresh : lw_race_clock_of(&races->wave->fresh_others, lw_race_group(earlier));
    if (same && !races->split_l0)
        return false;
    return !fresh || fresh->at[lw_race_wave(earlier)][lw_race_channel(earlier)] < earlier->index;
}

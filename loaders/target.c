/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "loaders/target.h"

static const char *const names[256] = {
#define TARGET(number_, name_) [number_] = name_,
#include "loaders/target.inc"
#undef TARGET
};

/* Generic processors, and the architectures of ours that they cover (LLVM AMDGPUUsage, "AMDGPU Generic
 * Processors"). */
static const struct {
    const char *name;
    lw_arch covers[2];
} generics[] = {
    { "gfx9-4-generic", { LW_ARCH_GFX942, LW_ARCH_GFX950 } },
    { "gfx11-generic", { LW_ARCH_GFX1100, LW_ARCH_GFX1150 } },
    { "gfx12-generic", { LW_ARCH_GFX1201, LW_ARCH_NONE } },
};

void lw_target_name(uint32_t e_flags, char text[LW_TARGET_TEXT])
{
    const char *name = names[e_flags & 0xff];
    if (name)
        snprintf(text, LW_TARGET_TEXT, "%s", name);
    else
        snprintf(text, LW_TARGET_TEXT, "machine 0x%02x", (unsigned)(e_flags & 0xff));
}

void lw_target_id(uint32_t e_flags, char text[LW_TARGET_TEXT])
{
    /* Values of the fields: 0 unsupported, 1 any, 2 off, 3 on. XNACK is in bits 9:8, SRAMECC in bits
     * 11:10. */
    static const char *const sramecc[4] = { "", "", ":sramecc-", ":sramecc+" };
    static const char *const xnack[4] = { "", "", ":xnack-", ":xnack+" };
    const char *name = names[e_flags & 0xff];
    snprintf(text, LW_TARGET_TEXT, "amdgcn-amd-amdhsa--%s%s%s", name ? name : "unknown",
             sramecc[e_flags >> 10 & 3], xnack[e_flags >> 8 & 3]);
}

bool lw_target_runs_on(uint32_t e_flags, lw_arch arch)
{
    const char *name = names[e_flags & 0xff];
    lw_arch own;
    if (!name || arch == LW_ARCH_NONE)
        return false;
    for (size_t i = 0; i < sizeof(generics) / sizeof(generics[0]); i++)
        if (strcmp(name, generics[i].name) == 0)
            return generics[i].covers[0] == arch || generics[i].covers[1] == arch;
    return lw_arch_find(name, &own) == LW_OK && own == arch;
}

lw_arch lw_target_arch(uint32_t e_flags)
{
    const char *name = names[e_flags & 0xff];
    lw_arch found = LW_ARCH_NONE;
    if (name && lw_arch_find(name, &found) == LW_OK)
        return found;
    for (int a = LW_ARCH_NONE + 1; a < LW_ARCH_COUNT; a++) {
        if (!lw_target_runs_on(e_flags, (lw_arch)a))
            continue;
        if (found != LW_ARCH_NONE)
            return LW_ARCH_NONE;
        found = (lw_arch)a;
    }
    return found;
}

/* SPDX-License-Identifier: MIT */
#include <string.h>

#include <lanewise/arch.h>

/* e_flags machine numbers: LLVM AMDGPUUsage, table "AMDGPU ELF Header e_flags". */
static const lw_arch_info infos[LW_ARCH_COUNT] = {
#define ARCH(id_, name_, marketing_, vendor_, mach_, matrix_, runs_)                                         \
    [LW_ARCH_##id_] = { .name = name_,                                                                       \
                        .marketing = marketing_,                                                             \
                        .vendor = vendor_,                                                                   \
                        .elf_mach = mach_,                                                                   \
                        .has_matrix = matrix_,                                                               \
                        .runs_kernels = runs_ },
#include "arch.inc"
#undef ARCH
};

static const struct {
    const char *name;
    lw_arch arch;
    const char *note;
} siblings[] = {
#define SIBLING(name_, id_, note_) { name_, LW_ARCH_##id_, note_ },
#include "arch.inc"
#undef SIBLING
};

const lw_arch_info *lw_arch_get(lw_arch arch)
{
    if (arch <= LW_ARCH_NONE || arch >= LW_ARCH_COUNT)
        return NULL;
    return &infos[arch];
}

lw_status lw_arch_find(const char *name, lw_arch *arch)
{
    if (!name || !arch)
        return LW_E_ARGUMENT;
    for (int a = LW_ARCH_NONE + 1; a < LW_ARCH_COUNT; a++)
        if (strcmp(name, infos[a].name) == 0) {
            *arch = (lw_arch)a;
            return LW_OK;
        }
    for (size_t i = 0; i < sizeof(siblings) / sizeof(siblings[0]); i++)
        if (strcmp(name, siblings[i].name) == 0) {
            *arch = siblings[i].arch;
            return LW_OK;
        }
    return LW_E_NOT_FOUND;
}

const char *lw_arch_sibling_note(const char *name)
{
    for (size_t i = 0; name && i < sizeof(siblings) / sizeof(siblings[0]); i++)
        if (strcmp(name, siblings[i].name) == 0)
            return siblings[i].note;
    return NULL;
}

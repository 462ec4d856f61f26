/* SPDX-License-Identifier: MIT */
#include <string.h>

#include <lanewise/arch.h>

/* e_flags machine numbers: LLVM AMDGPUUsage, table "AMDGPU ELF Header e_flags". */
static const lw_arch_info infos[LW_ARCH_COUNT] = {
#define ARCH(id_, name_, marketing_, vendor_, mach_, matrix_, decodes_, runs_, lds_)                         \
    [LW_ARCH_##id_] = { .name = name_,                                                                       \
                        .marketing = marketing_,                                                             \
                        .vendor = vendor_,                                                                   \
                        .elf_mach = mach_,                                                                   \
                        .has_matrix = matrix_,                                                               \
                        .runs_kernels = runs_,                                                               \
                        .reads_code = decodes_ },
#include "arch.inc"
#undef ARCH
};

static const uint32_t lds_kib[LW_ARCH_COUNT] = {
#define ARCH(id_, name_, marketing_, vendor_, mach_, matrix_, decodes_, runs_, lds_) [LW_ARCH_##id_] = lds_,
#include "arch.inc"
#undef ARCH
};

static const struct {
    const char *name;
    uint32_t kib;
} siblings_lds[] = {
#define SIBLING_LDS(name_, kib_) { name_, kib_ },
#include "arch.inc"
#undef SIBLING_LDS
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

static const struct {
    const char *name, *target;
} products[] = {
#define PRODUCT(name_, target_) { name_, target_ },
#include "arch.inc"
#undef PRODUCT
};

enum { SIBLINGS = sizeof(siblings) / sizeof(siblings[0]), PRODUCTS = sizeof(products) / sizeof(products[0]) };

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
    for (size_t i = 0; i < SIBLINGS; i++)
        if (strcmp(name, siblings[i].name) == 0) {
            *arch = siblings[i].arch;
            return LW_OK;
        }
    return LW_E_NOT_FOUND;
}

const char *lw_arch_sibling_note(const char *name)
{
    for (size_t i = 0; name && i < SIBLINGS; i++)
        if (strcmp(name, siblings[i].name) == 0)
            return siblings[i].note;
    return NULL;
}

uint32_t lw_arch_lds_size(const char *name)
{
    lw_arch arch;
    for (size_t i = 0; name && i < sizeof(siblings_lds) / sizeof(siblings_lds[0]); i++)
        if (strcmp(name, siblings_lds[i].name) == 0)
            return siblings_lds[i].kib * 1024;
    return lw_arch_find(name, &arch) == LW_OK ? lds_kib[arch] * 1024 : 0;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '-' || c == '_';
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Moves past `prefix` if the text begins with it; blanks and case are ignored. */
static bool skip_prefix(const char **text, const char *prefix)
{
    const char *t = *text;
    for (; *prefix; prefix++) {
        if (is_blank(*prefix))
            continue;
        while (is_blank(*t))
            t++;
        if (lower(*t++) != lower(*prefix))
            return false;
    }
    while (is_blank(*t))
        t++;
    *text = t;
    return true;
}

static bool is_product(const char *text, const char *name)
{
    return skip_prefix(&text, name) && *text == '\0';
}

const char *lw_arch_product(const char *name)
{
    static const char *const makers[] = { "AMD",     "NVIDIA", "Instinct", "Radeon",
                                          "GeForce", "Tesla",  "Quadro",   "Jetson" };
    if (!name)
        return NULL;
    for (size_t i = 0; i < sizeof(makers) / sizeof(makers[0]); i++)
        skip_prefix(&name, makers[i]);
    for (size_t i = 0; i < PRODUCTS; i++)
        if (is_product(name, products[i].name))
            return products[i].target;
    return NULL;
}

const char *lw_arch_name_at(size_t index)
{
    const size_t archs = LW_ARCH_COUNT - 1;
    if (index < archs)
        return infos[index + 1].name;
    if (index < archs + SIBLINGS)
        return siblings[index - archs].name;
    return index < archs + SIBLINGS + PRODUCTS ? products[index - archs - SIBLINGS].name : NULL;
}

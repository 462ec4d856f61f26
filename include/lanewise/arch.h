/* SPDX-License-Identifier: MIT */
/* The GPU architectures Lanewise knows by name. */
#ifndef LANEWISE_ARCH_H
#define LANEWISE_ARCH_H

#include <stdbool.h>
#include <stdint.h>

#include <lanewise/export.h>
#include <lanewise/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * One member per generation whose instructions differ. Siblings (gfx940, gfx1201's gfx1200 ...) map to
 * one of these by lw_arch_find. The order is stable; new members are added at the end of their vendor.
 */
typedef enum lw_arch {
    LW_ARCH_NONE,
    LW_ARCH_GFX908,
    LW_ARCH_GFX90A,
    LW_ARCH_GFX942,
    LW_ARCH_GFX950,
    LW_ARCH_GFX1100,
    LW_ARCH_GFX1201,
    LW_ARCH_GFX1250,
    LW_ARCH_COUNT,
} lw_arch;

typedef struct lw_arch_info {
    const char *name;      /* "gfx950" */
    const char *marketing; /* "CDNA4 (MI350 series)" */
    uint32_t elf_mach;     /* low byte of e_flags in an AMDGPU code object */
    bool has_matrix;       /* this version has rows for its matrix instructions */
    bool runs_kernels;     /* this version can decode and run its machine code */
} lw_arch_info;

/* The facts of one architecture; NULL for LW_ARCH_NONE and values outside the enumeration. */
LW_API const lw_arch_info *lw_arch_get(lw_arch arch);

/*
 * Finds an architecture by name ("gfx942"; siblings that share its instructions, such as "gfx940", too).
 * LW_E_NOT_FOUND if the name is unknown, LW_E_ARGUMENT for NULL.
 */
LW_API lw_status lw_arch_find(const char *name, lw_arch *arch);

#ifdef __cplusplus
}
#endif

#endif

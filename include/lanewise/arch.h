/* SPDX-License-Identifier: MIT */
/* The GPU architectures Lanewise knows by name. */
#ifndef LANEWISE_ARCH_H
#define LANEWISE_ARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lanewise/export.h>
#include <lanewise/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * One member per generation whose instructions or arithmetic differ; NVIDIA's are PTX targets, where the
 * suffixes a and f (sm_120a, sm_120f) accept more than the plain target. lw_arch_find maps siblings (gfx940,
 * gfx1200, sm_121a ...) to one of these.
 */
typedef enum lw_arch {
    LW_ARCH_NONE,
    LW_ARCH_GFX908,
    LW_ARCH_GFX90A,
    LW_ARCH_GFX942,
    LW_ARCH_GFX950,
    LW_ARCH_GFX1100,
    LW_ARCH_GFX1150,
    LW_ARCH_GFX1201,
    LW_ARCH_GFX1250,
    LW_ARCH_SM_70,
    LW_ARCH_SM_72,
    LW_ARCH_SM_75,
    LW_ARCH_SM_80,
    LW_ARCH_SM_86,
    LW_ARCH_SM_89,
    LW_ARCH_SM_90,
    LW_ARCH_SM_100,
    LW_ARCH_SM_100A,
    LW_ARCH_SM_120,
    LW_ARCH_SM_120A,
    LW_ARCH_SM_120F,
    LW_ARCH_COUNT,
} lw_arch;

typedef struct lw_arch_info {
    const char *name;      /* "gfx950" */
    const char *marketing; /* "CDNA4 (MI350 series)" */
    const char *vendor;    /* "AMD", "NVIDIA" */
    uint32_t elf_mach;     /* low byte of e_flags in an AMDGPU code object; 0 for NVIDIA's */
    bool has_matrix;       /* this version knows its matrix instructions */
    bool runs_kernels;     /* this version can run its kernels */
    bool reads_code; /* this version can decode its machine code, or parse its PTX, without running it */
} lw_arch_info;

/* The facts of one architecture; NULL for LW_ARCH_NONE and values outside the enumeration. */
LW_API const lw_arch_info *lw_arch_get(lw_arch arch);

/*
 * Finds an architecture by name ("gfx942"; siblings that share its instructions, such as "gfx940", too).
 * LW_E_NOT_FOUND if the name is unknown, LW_E_ARGUMENT for NULL.
 */
LW_API lw_status lw_arch_find(const char *name, lw_arch *arch);

/*
 * A note about a sibling: "gfx1200 has the instructions of gfx1201", and what was not measured on it. NULL
 * for names that are not siblings.
 */
LW_API const char *lw_arch_sibling_note(const char *name);

/*
 * The most bytes of LDS that a workgroup of a target has (AMD), or of shared memory, static and dynamic
 * together, that a block has (NVIDIA): 65536 for "gfx942", 166912 for "sm_80" and "sm_87", 101376 for
 * "sm_86". A launch that wants more is refused. 0 for names that lw_arch_find does not know, and for NULL.
 */
LW_API uint32_t lw_arch_lds_size(const char *name);

/*
 * The target of a product: "gfx942" for "MI300X", "sm_90" for "H100", "gfx1201" for "Radeon RX 9070", for
 * lw_arch_find. Case, blanks, '-' and '_' do not matter, and brand names (AMD, Instinct, Radeon,
 * NVIDIA, GeForce, ...) may come first. NULL for products that are not listed, and for NULL.
 */
LW_API const char *lw_arch_product(const char *name);

/* All names: architectures, siblings, products. Index 0 and up; NULL after the last one. */
LW_API const char *lw_arch_name_at(size_t index);

#ifdef __cplusplus
}
#endif

#endif

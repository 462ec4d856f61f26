/* SPDX-License-Identifier: MIT */
/* The processor that the e_flags of an AMDGPU ELF file name, and its architecture here. */
#ifndef LW_LOADERS_TARGET_H
#define LW_LOADERS_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lanewise/arch.h>

enum { LW_TARGET_TEXT = 64 };

/* The processor's name, or "machine 0x77" for a number that no document names. Always NUL-terminated. */
void lw_target_name(uint32_t e_flags, char text[LW_TARGET_TEXT]);

/* The target id in canonical form: "amdgcn-amd-amdhsa--gfx950:sramecc+:xnack-". */
void lw_target_id(uint32_t e_flags, char text[LW_TARGET_TEXT]);

/* The architecture; LW_ARCH_NONE when it is unknown, or for generic code that several architectures can
 * run. */
lw_arch lw_target_arch(uint32_t e_flags);

/* Whether that code runs on `arch`: it is for the same architecture, or generic code that covers it. */
bool lw_target_runs_on(uint32_t e_flags, lw_arch arch);

#endif

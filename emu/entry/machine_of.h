/* SPDX-License-Identifier: MIT */
/* Which machine runs what. */
#ifndef LW_EMU_ENTRY_MACHINE_OF_H
#define LW_EMU_ENTRY_MACHINE_OF_H

#include "emu/device/machine.h"

/* NULL: programs for this architecture can be looked at, not run. */
const lw_machine *lw_machine_of(lw_arch arch);

#endif

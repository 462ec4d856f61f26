/* SPDX-License-Identifier: MIT */
/* The host's floating-point control word: emulation needs round-to-nearest without flushing. */
#ifndef LW_EMU_DEVICE_FPENV_H
#define LW_EMU_DEVICE_FPENV_H

#include <stdint.h>

/* Sets the default mode for this thread and returns the previous one. */
uint64_t lw_fpenv_enter(void);
void lw_fpenv_leave(uint64_t saved);

#endif

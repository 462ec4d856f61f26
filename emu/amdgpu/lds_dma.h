/* SPDX-License-Identifier: MIT */
/* Loads that go to LDS instead of registers. */
#ifndef LW_EMU_AMDGPU_LDS_DMA_H
#define LW_EMU_AMDGPU_LDS_DMA_H

#include "emu/amdgpu/access.h"

/*
 * Writes one lane's element to LDS byte `base` + lane * 4, or lane * 16 for elements of 12 and 16 bytes (the
 * fourth dword of a slot stays as it is for 12). `bytes` NULL: zeros (out of range in memory). Small elements
 * are extended to a dword. Outside the workgroup's LDS nothing is written.
 */
void lw_lds_dma_put(lw_wave *w, const lw_element *e, uint32_t base, unsigned lane, const uint8_t *bytes);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Conversions between the channels of a buffer's format and registers. The order is that of AMD's emulator
 * rocjitsu, which was written beside gfx11 and gfx12 silicon; which of the rules below were compared there it
 * does not say, so what rests on them is labelled inferred.
 */
#ifndef LW_EMU_NUM_CHANNEL_H
#define LW_EMU_NUM_CHANNEL_H

#include "isa_tables/amdgpu/buffer_formats.h"

/*
 * A channel of `width` bits as a register holds it: an integer, or an f32. Normalised numbers are the
 * quotient rounded once to nearest even, at least -1; floats keep the payload of a NaN, and those of 10 and
 * 11 bits have no sign.
 */
uint32_t lw_channel_unpack(lw_channel_number number, unsigned width, uint32_t bits);

/*
 * The reverse. Integers are cut. Normalised numbers are limited, then rounded to nearest even; scaled ones
 * are limited, then cut towards zero; NaN gives 0 in both. Floats are rounded to nearest even; those of 10
 * and 11 bits turn negative numbers into 0 and too large ones into the largest.
 */
uint32_t lw_channel_pack(lw_channel_number number, unsigned width, uint32_t value);

/* The 16 bits that a load of halves writes for an unpacked channel, and what a store of halves packs. An f32
 * channel is rounded towards zero, all other numbers to nearest even; integers are cut. */
uint32_t lw_channel_to_half(lw_channel_number number, unsigned width, uint32_t value);
uint32_t lw_channel_of_half(lw_channel_number number, uint32_t half);

#endif

/* SPDX-License-Identifier: MIT */
/* Images of modules, for which a program gives only the address. */
#ifndef LW_RUNTIME_IMAGE_H
#define LW_RUNTIME_IMAGE_H

#include "runtime/device/device.h"

/*
 * Finds the image's length in its own headers (ELF; offload bundle, plain or compressed; a fat binary's
 * wrapper, which points to one of these) and loads the code object for the device. RT_INVALID_IMAGE: it is
 * none of these, or damaged; RT_NO_BINARY_FOR_DEVICE: nothing in it is for the device; RT_OUT_OF_MEMORY.
 */
int rt_image_load(const void *image, lw_program **program, lw_error *error);
/* The same for bytes whose number is known. */
int rt_image_load_bytes(const void *bytes, size_t size, lw_program **program, lw_error *error);

#endif

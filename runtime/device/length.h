/* SPDX-License-Identifier: MIT */
/* Images that a program gives by their address alone. */
#ifndef LW_RUNTIME_LENGTH_H
#define LW_RUNTIME_LENGTH_H

#include <stdbool.h>
#include <stdint.h>

/* What HIP's fat binary wrapper points to, NULL for nothing; any other image is returned as it is. */
const void *rt_image_unwrap(const void *image);

/* The bytes of an ELF file, an offload bundle or a compressed one; 0 where the image is none of these. */
uint64_t rt_image_length(const void *image);

/* Machine code of NVIDIA, which is not documented: cubins, and the fat binaries that hold PTX packed beside
 * them. */
bool rt_image_is_sealed(const void *image);

#endif

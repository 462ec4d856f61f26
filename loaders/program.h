/* SPDX-License-Identifier: MIT */
/* What a loaded program is to the machine that runs it. Built by the loaders, read by emu. */
#ifndef LW_LOADERS_PROGRAM_H
#define LW_LOADERS_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include <lanewise/program.h>

#include "loaders/bytes.h"

/* One PT_LOAD segment inside the image. Offsets count from the image's first byte. */
typedef struct lw_segment {
    uint64_t offset, size; /* size in memory; not rounded up to anything */
    bool writable, executable;
} lw_segment;

/* The 64-byte kernel descriptor, unpacked (LLVM AMDGPUUsage, "Kernel Descriptor"). */
typedef struct lw_kernel_desc {
    uint32_t group_segment_size, private_segment_size, kernarg_size;
    uint64_t entry; /* image offset of the first instruction */
    uint32_t rsrc1, rsrc2, rsrc3;
    uint16_t properties;     /* bytes 56..57: which user SGPRs are set up, wave32, dynamic stack */
    uint16_t preload_length; /* dwords */
    uint16_t preload_offset; /* dwords */
} lw_kernel_desc;

typedef struct lw_kernel {
    lw_kernel_info info; /* the public view: name, arguments, sizes (lanewise/program.h) */
    lw_kernel_desc desc;
    uint64_t desc_offset; /* image offset of the descriptor */
    uint32_t function;    /* PTX: its index in the module */
} lw_kernel;

/*
 * One code object, or one PTX module, of which only `ptx`, arch, process, target_id, abi_version, kernels and
 * symbols are set. The image is zero-filled and aligned to 4 KiB, with its segments at their vaddr offsets
 * from the lowest one; lw_program_relocate applies relocations once the load address is known.
 */
struct lw_program {
    lw_arena arena; /* owns everything that the pointers below point to */
    lw_arch arch;
    unsigned abi_version; /* code object version: 4, 5, 6 */
    long process;         /* the process that loaded it */
    char *processor;      /* "gfx950", "gfx1251": what e_flags say; PTX: NULL */
    char *target_id;      /* "amdgcn-amd-amdhsa--gfx950:sramecc+" or what e_flags say */
    uint8_t *image;
    uint64_t image_size;
    uint64_t image_vaddr; /* vaddr of image[0] in the file */
    lw_segment *segments;
    size_t segment_count;
    lw_kernel *kernels;
    size_t kernel_count;
    struct lw_reloc *relocs;
    size_t reloc_count;
    lw_section *sections;
    size_t section_count;
    lw_symbol *symbols; /* sorted by address, then name */
    size_t symbol_count;
    struct lw_lines *lines;    /* NULL: the file has no line table */
    struct lw_ptx_module *ptx; /* NULL: a code object */
};

/*
 * Copies the image to `out` (image_size bytes) and applies its relocations for a load at `base`. Fails with
 * LW_E_FORMAT for a relocation outside the image, LW_E_UNSUPPORTED for an unknown type.
 */
lw_status lw_program_relocate(const lw_program *program, uint64_t base, uint8_t *out, lw_error *error);

#endif

/* SPDX-License-Identifier: MIT */
/* Steps of loading one code object. Each fills members of the program; what it allocates is the arena's. */
#ifndef LW_LOADERS_IMAGE_H
#define LW_LOADERS_IMAGE_H

#include "loaders/elf.h"
#include "loaders/program.h"

/* Copies the PT_LOAD segments: image, image_size, image_vaddr, segments. `limit`: bytes of the image. */
lw_status lw_image_load(lw_program *program, const lw_elf *elf, uint64_t limit, lw_error *error);

/* Bytes of the loaded image by their address in the file. */
bool lw_image_slice(const lw_program *program, uint64_t vaddr, uint64_t size, lw_bytes *out);

/* Reads the dynamic section: relocations, and the dynamic symbols of a file without section headers. */
lw_status lw_dynamic_read(lw_program *program, const lw_elf *elf, lw_error *error);

/* Sections and symbols. Symbols end up sorted by name; lw_symbols_by_address puts them in their public
 * order. */
lw_status lw_sections_read(lw_program *program, const lw_elf *elf, lw_error *error);
lw_status lw_symbols_read(lw_program *program, const lw_elf *elf, lw_error *error);
void lw_symbols_by_address(lw_program *program);

/* Kernels: metadata and descriptors. Needs the symbols sorted by name. */
lw_status lw_kernels_read(lw_program *program, const lw_elf *elf, lw_error *error);

/* One code object as a program for `arch`, which has been checked against its header. */
lw_status lw_code_object_load(lw_bytes file, lw_arch arch, uint64_t limit, lw_program **program,
                              lw_error *error);

/* A PTX module as a program for `arch`, on which its target runs. */
lw_status lw_ptx_text_load(lw_bytes text, lw_arch arch, uint64_t limit, lw_program **program,
                           lw_error *error);

/* Adds the entries of a symbol table that lie in the image. `strings` is empty or ends with a NUL byte. */
lw_status lw_symbols_add(lw_program *program, lw_bytes table, lw_bytes strings, lw_error *error);

#endif

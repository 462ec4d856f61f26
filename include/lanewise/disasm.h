/* SPDX-License-Identifier: MIT */
/* Machine code as assembler text. */
#ifndef LANEWISE_DISASM_H
#define LANEWISE_DISASM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lanewise/arch.h>
#include <lanewise/export.h>
#include <lanewise/program.h>
#include <lanewise/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lw_disasm {
    size_t struct_size; /* sizeof(lw_disasm): lw_disasm_decode sets it */
    char text[256];     /* as llvm-objdump 22 prints it: no leading blanks, no comment; branch distances as
                           encoded */
    size_t size;        /* bytes of machine code: 4, 8, 12 or 16 */
    bool branches;      /* s_branch and s_cbranch_*: `target` is where it goes */
    uint64_t target;    /* byte address; set for s_call_b64 and similar ones too, 0 otherwise */
} lw_disasm;

/*
 * Disassembles the instruction at the start of `bytes`, of which there are `size`; it is at byte
 * `address`. Errors, *disasm then being untouched but for its struct_size:
 *   LW_E_ARGUMENT   NULL, or a struct_size that no version had
 *   LW_E_ARCH       this version cannot decode the machine code of `arch`
 *   LW_E_FORMAT     no instruction of `arch` starts with these bits
 *   LW_E_TRUNCATED  the instruction needs more bytes than there are
 */
LW_API lw_status lw_disasm_fill(lw_arch arch, const void *bytes, size_t size, uint64_t address,
                                lw_disasm *disasm);
static inline lw_status lw_disasm_decode(lw_arch arch, const void *bytes, size_t size, uint64_t address,
                                         lw_disasm *disasm)
{
    if (disasm)
        disasm->struct_size = sizeof(*disasm);
    return lw_disasm_fill(arch, bytes, size, address, disasm);
}

/*
 * The same for code of a program: for its processor, which may have encodings that the architecture lacks
 * whose rows it uses (gfx1251: DPP of 64-bit values). LW_E_ARGUMENT for a NULL program too.
 */
LW_API lw_status lw_disasm_fill_program(const lw_program *program, const void *bytes, size_t size,
                                        uint64_t address, lw_disasm *disasm);
static inline lw_status lw_disasm_program(const lw_program *program, const void *bytes, size_t size,
                                          uint64_t address, lw_disasm *disasm)
{
    if (disasm)
        disasm->struct_size = sizeof(*disasm);
    return lw_disasm_fill_program(program, bytes, size, address, disasm);
}

#ifdef __cplusplus
}
#endif

#endif

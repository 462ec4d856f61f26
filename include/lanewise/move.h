/* SPDX-License-Identifier: MIT */
/*
 * Instructions of a warp that move matrix elements and compute nothing: ldmatrix, stmatrix, movmatrix,
 * wmma.load, wmma.store (lw_insn_info.moves). Registers are images as in mma.h, x[reg * 32 + lane]; memory,
 * shared or global, is one run of bytes at an address of the caller's choice.
 *
 * What the PTX ISA manual leaves undefined is refused with a sentence that names lane and address: an address
 * outside the memory, a row that is not aligned, two rows stored to one place. Nothing has been written
 * then. Which element goes where is given by the layouts of the instruction (lw_layout_create).
 */
#ifndef LANEWISE_MOVE_H
#define LANEWISE_MOVE_H

#include <stddef.h>
#include <stdint.h>

#include <lanewise/arch.h>
#include <lanewise/export.h>
#include <lanewise/insn.h>
#include <lanewise/status.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { LW_MOVE_LANES = 32 };

/* Memory at addresses base .. base + size - 1. */
typedef struct lw_move_memory {
    void *bytes;
    uint64_t base;
    size_t size;
} lw_move_memory;

typedef struct lw_move_args {
    /*
     * The address operand of every lane. ldmatrix, stmatrix: of a row of 16 bytes, aligned to 16; matrix q
     * has the lanes from 8 q on (m16n16: 16 q). Other lanes' addresses are ignored, but on sm_75 they must be
     * valid too. wmma: the matrix, the same in all lanes; each row (.col: column) must begin at a multiple
     * of the bytes that a lane's fragment has. movmatrix: not used.
     */
    uint64_t address[LW_MOVE_LANES];
    uint32_t stride;        /* wmma: elements from one row (column) to the next; 0: their length */
    lw_move_memory memory;  /* read by loads, written by stores */
    const uint32_t *source; /* stores: the registers stored; movmatrix: the register moved */
    uint32_t *result;       /* loads, movmatrix: the registers written */
} lw_move_args;

/*
 * Executes one such instruction. Numbers of registers are those of lw_insn_operand for the operand that is
 * present. `result` may be `source`. NULL mods means none; lw_insn_parse fills them from a spelling.
 *   LW_E_ARGUMENT     NULL, not an instruction that moves elements, or the memory exceeds the address space
 *   LW_E_FAULT        a row or element outside the memory
 *   LW_E_UNSUPPORTED  a misaligned address, wmma addresses that differ between lanes, rows stored over each
 *                     other, or modifiers that are not defined
 *   LW_E_ARCH         `arch` does not have the instruction
 */
LW_API lw_status lw_move_execute(lw_arch arch, const lw_insn *insn, const lw_mods *mods,
                                 const lw_move_args *args, lw_error *error);

#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: MIT */
/* Prints every matrix instruction of AMD for the assembler: arch, op, names, register counts. */
#include <stdio.h>

#include <lanewise/insn.h>

static void print_row(lw_arch arch, const lw_insn *insn)
{
    lw_insn_info info;
    if (lw_insn_get_info(arch, insn, &info) != LW_OK || info.ptx_isa)
        return;
    const lw_operand_info *o = info.operand;
    printf("%s %u %u %d %d %u %u %u %s", lw_arch_get(arch)->name, info.opcode, info.bytes, info.sparse,
           info.scaled, o[LW_OPERAND_D].registers, o[LW_OPERAND_A].registers, o[LW_OPERAND_B].registers,
           info.mnemonic);
    for (int i = 0; i < LW_INSN_MAX_ALIASES && info.aliases[i]; i++)
        printf(" %s", info.aliases[i]);
    printf("\n");
}

int main(void)
{
    for (int a = 1; a < LW_ARCH_COUNT; a++)
        for (size_t i = 0; i < lw_insn_count((lw_arch)a); i++)
            print_row((lw_arch)a, lw_insn_at((lw_arch)a, i));
    return 0;
}

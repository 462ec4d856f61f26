/* SPDX-License-Identifier: MIT */
/* Prints every matrix instruction of AMD for the assembler: arch, op, names, register counts. */
#include <stdio.h>

#include <lanewise/insn.h>

static unsigned registers_of(const lw_insn_info *info, const lw_insn *insn, lw_operand operand,
                             const lw_mods *mods)
{
    lw_operand_info o;
    return lw_insn_operand(info->arch, insn, operand, mods, &o, NULL) == LW_OK ? o.registers : 0;
}

/* arch wave op bytes sparse files(D) D A B C-or-index scale names... */
static void print_row(lw_arch arch, const lw_insn *insn, unsigned wave)
{
    lw_insn_info info;
    if (lw_insn_get_info(arch, insn, &info) != LW_OK || !(info.wave_sizes & wave / 32))
        return;
    const lw_mods mods = { .wave = (uint8_t)wave };
    printf("%s %u %u %u %d %c", lw_arch_get(arch)->name, wave, info.opcode, info.bytes, info.sparse,
           info.operand[LW_OPERAND_D].files[0]);
    const lw_operand shown[] = { LW_OPERAND_D, LW_OPERAND_A, LW_OPERAND_B,
                                 info.sparse ? LW_OPERAND_INDEX : LW_OPERAND_C, LW_OPERAND_SCALE_A };
    for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++)
        printf(" %u", registers_of(&info, insn, shown[i], &mods));
    printf(" %s", info.mnemonic);
    for (int i = 0; i < LW_INSN_MAX_ALIASES && info.aliases[i]; i++)
        printf(" %s", info.aliases[i]);
    printf("\n");
}

int main(void)
{
    for (int a = LW_ARCH_GFX908; a <= LW_ARCH_GFX1250; a++)
        for (size_t i = 0; i < lw_insn_count((lw_arch)a); i++)
            for (unsigned wave = 32; wave <= 64; wave += 32)
                print_row((lw_arch)a, lw_insn_at((lw_arch)a, i), wave);
    return 0;
}

/* SPDX-License-Identifier: MIT */
/*
 * Answers lines "ARCH WAVE NAME [MODIFIERS]" with "yes", the operands that the assembler needs and the
 * modifiers as they are printed; or with "open" (a reading would allow it), "refused" or "absent", and the
 * reason.
 */
#include <stdio.h>
#include <string.h>

#include <lanewise/insn.h>

static void print_tuple(char file, unsigned first, unsigned count)
{
    if (count == 1)
        printf("%c%u", file, first);
    else
        printf("%c[%u:%u]", file, first, first + count - 1);
}

static unsigned count_of(const lw_insn_info *info, const lw_insn *insn, lw_operand operand,
                         const lw_mods *mods)
{
    lw_operand_info o;
    return lw_insn_operand(info->arch, insn, operand, mods, &o, NULL) == LW_OK ? o.registers : 0;
}

static void print_operands(const lw_insn_info *info, const lw_insn *insn, const lw_mods *mods)
{
    const char file = info->operand[LW_OPERAND_D].files[0];
    print_tuple(file, 0, count_of(info, insn, LW_OPERAND_D, mods));
    printf(", ");
    print_tuple('v', 64, count_of(info, insn, LW_OPERAND_A, mods));
    printf(", ");
    print_tuple('v', 128, count_of(info, insn, LW_OPERAND_B, mods));
    printf(", ");
    if (info->sparse)
        print_tuple('v', 200, count_of(info, insn, LW_OPERAND_INDEX, mods));
    else
        print_tuple(file, 0, count_of(info, insn, LW_OPERAND_C, mods));
    if (info->scaled) {
        printf(", ");
        print_tuple('v', 202, count_of(info, insn, LW_OPERAND_SCALE_A, mods));
        printf(", ");
        print_tuple('v', 204, count_of(info, insn, LW_OPERAND_SCALE_B, mods));
    }
}

static void answer(const char *arch_name, const char *wave, const char *name, const char *text)
{
    lw_arch arch;
    const lw_insn *insn;
    lw_error error = { "" };
    lw_insn_info info;
    lw_mods mods = { 0 }, none = { 0 };
    char all[512], printed[512] = "";
    if (lw_arch_find(arch_name, &arch) != LW_OK) {
        printf("absent\t\tno architecture\n");
        return;
    }
    lw_status st = lw_insn_find(arch, name, &insn, &error);
    if (st != LW_OK || lw_insn_get_info(arch, insn, &info) != LW_OK) {
        printf("%s\t\t%s\n", st == LW_E_UNSUPPORTED ? "refused" : "absent", error.text);
        return;
    }
    snprintf(all, sizeof(all), "%s wave:%s", text, wave);
    st = lw_mods_parse(arch, insn, all, &mods, &error);
    none.wave = (uint8_t)(strcmp(wave, "64") == 0 ? 64 : 32);
    const bool open = strstr(error.text, "the reading ") != NULL;
    if (open) { /* only the formats matter, not the scales */
        snprintf(all, sizeof(all), "%s wave:%s reading:scale-formats:any", text, wave);
        if (lw_mods_parse(arch, insn, all, &mods, NULL) == LW_OK)
            none = mods;
    }
    printf("%s\t", st == LW_OK ? "yes" : open ? "open" : "refused");
    print_operands(&info, insn, st == LW_OK ? &mods : &none);
    if (st == LW_OK && lw_mods_print(arch, insn, &mods, printed, sizeof(printed), NULL) != LW_OK)
        snprintf(printed, sizeof(printed), "does not print");
    printf("\t%s\n", st == LW_OK ? printed : error.text);
}

int main(void)
{
    char line[512];
    while (fgets(line, sizeof(line), stdin)) {
        char arch[16], wave[8], name[96];
        int used = 0;
        line[strcspn(line, "\n")] = '\0';
        if (sscanf(line, "%15s %7s %95s %n", arch, wave, name, &used) != 3)
            return 1;
        answer(arch, wave, name, line + used);
    }
    return 0;
}

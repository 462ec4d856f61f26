/* SPDX-License-Identifier: MIT */
/* Arbitrary text as the description of a layout: the first byte selects the operand, and an error names a
 * column. */
#include <stdlib.h>
#include <string.h>

#include <lanewise/lanewise.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void insist(int condition)
{
    if (!condition)
        abort();
}

static lw_status drop(void *context, const char *text, size_t size)
{
    (void)context, (void)text, (void)size;
    return LW_OK;
}

/* The same without an instruction, and as an expression of CuTe's algebra. */
static void read_alone(const char *text, size_t size)
{
    lw_relation relation;
    lw_error error = { "" };
    lw_status st = lw_notation_read(text, size, LW_OPERAND_A, 16, 16, 64, &relation, NULL, &error);
    insist(st == LW_OK || st == LW_E_UNSUPPORTED || (st == LW_E_FORMAT && strstr(error.text, "column ")));
    if (st == LW_OK)
        insist(lw_notation_print(&relation, LW_OPERAND_A, LW_LAYOUT_LISTING, drop, NULL, NULL) == LW_OK);
    const uint32_t shape[3] = { 32, 16, 8 };
    for (uint32_t rank = 1; rank <= 3; rank++) {
        st = lw_triton_linear(text, size, shape, rank, LW_LAYOUT_TRITON, drop, NULL, &error);
        insist(st == LW_OK || (st == LW_E_FORMAT && strstr(error.text, "column ")));
    }
    st = lw_cute_evaluate(text, size, drop, NULL, &error);
    insist(st == LW_OK || (st == LW_E_FORMAT && strstr(error.text, "column ")));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct {
        lw_arch arch;
        const char *name;
        lw_operand operand;
    } operands[] = {
        { LW_ARCH_GFX942, "v_mfma_f32_16x16x16_f16", LW_OPERAND_A },
        { LW_ARCH_GFX942, "v_mfma_f32_4x4x4_16b_f16", LW_OPERAND_D },
        { LW_ARCH_GFX1100, "v_wmma_f16_16x16x16_f16", LW_OPERAND_D },
        { LW_ARCH_GFX942, "v_smfmac_f32_16x16x32_f16", LW_OPERAND_INDEX },
        { LW_ARCH_SM_100A, "tcgen05.m128n8k64.mxf4.f32.e2m1.e2m1", LW_OPERAND_SCALE_A },
    };
    const lw_insn *insn = NULL;
    lw_layout *layout = NULL;
    lw_layout_judgement j;
    lw_error error = { "" };
    if (size == 0)
        return 0;
    const size_t pick = data[0] % (sizeof(operands) / sizeof(operands[0]));
    insist(lw_insn_find(operands[pick].arch, operands[pick].name, &insn, NULL) == LW_OK);
    insist(lw_layout_create(operands[pick].arch, insn, operands[pick].operand, 0, NULL, &layout, NULL) ==
           LW_OK);
    const lw_status st = lw_layout_judge(layout, (const char *)data + 1, size - 1, &j, &error);
    if (st == LW_OK)
        insist(strlen(j.text) > 0 && (j.wrong == 0) == (j.verdict == LW_VERDICT_EQUAL));
    else
        insist(st == LW_E_UNSUPPORTED || (st == LW_E_FORMAT && strstr(error.text, "column ")));
    lw_layout_free(layout);
    read_alone((const char *)data + 1, size - 1);
    return 0;
}

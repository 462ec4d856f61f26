/* SPDX-License-Identifier: MIT */
#include <lanewise/lanewise.h>
#include <stdio.h>

int main(void)
{
    const lw_insn *insn;
    lw_mma *mma;
    uint16_t a[16 * 16] = { 0xf000, 0xb800, 0xb400, 0xb000 };                            /* f16, [i][k] */
    uint16_t b[16 * 16] = { [0] = 0x6400, [16] = 0x3c00, [32] = 0x3c00, [48] = 0x3c00 }; /* f16, [k][j] */
    uint32_t c[16 * 16] = { 0x4b000000 }, d[16 * 16];                                    /* f32, [i][j] */

    if (lw_insn_find(LW_ARCH_GFX942, "v_mfma_f32_16x16x16_f16", &insn, NULL) != LW_OK ||
        lw_mma_create(LW_ARCH_GFX942, insn, NULL, &mma, NULL) != LW_OK ||
        lw_mma_execute_matrices(mma, &(lw_mma_matrices){ .a = a, .b = b, .c = c, .d = d }, NULL) != LW_OK)
        return 1;
    printf("d[0][0] = %08x\n", d[0]); /* bf000000 on CDNA3; exact arithmetic would give bf600000 */
    lw_mma_free(mma);
    return 0;
}

/* SPDX-License-Identifier: MIT */
/* A user's program: builds against the installed library only, and multiplies on two GPUs. */
#include <stdio.h>
#include <string.h>

#include <lanewise/lanewise.h>

enum { MOST = 16 * 16 };

/* A is all ones, column j of B is f16(j): each element of D is k * j. */
static int multiplies(lw_arch arch, const char *text, unsigned k, unsigned n)
{
    static const uint16_t small[16] = { 0,      0x3c00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600, 0x4700,
                                        0x4800, 0x4880, 0x4900, 0x4980, 0x4a00, 0x4a80, 0x4b00, 0x4b80 };
    uint16_t a[MOST], b[MOST];
    float d[MOST];
    const lw_insn *insn;
    lw_mods mods;
    lw_mma *mma;
    lw_error error;
    for (unsigned i = 0; i < MOST; i++) {
        a[i] = 0x3c00;
        b[i] = small[i % n];
    }
    if (lw_insn_parse(arch, text, &insn, &mods, &error) != LW_OK) {
        fprintf(stderr, "%s\n", error.text);
        return 0;
    }
    const lw_mma_options options = { .struct_size = sizeof(lw_mma_options), .mods = &mods };
    if (lw_mma_create(arch, insn, &options, &mma, &error) != LW_OK) {
        fprintf(stderr, "%s\n", error.text);
        return 0;
    }
    const lw_mma_matrices matrices = { .a = a, .b = b, .d = d };
    int good = lw_mma_execute_matrices(mma, &matrices, NULL) == LW_OK;
    for (unsigned i = 0; good && i < 16 * n; i++)
        good = d[i] == (float)(k * (i % n));
    lw_mma_free(mma);
    return good;
}

int main(void)
{
    lw_arch arch;
    if (lw_arch_find("gfx950", &arch) != LW_OK || strcmp(lw_arch_get(arch)->name, "gfx950") != 0)
        return 1;
    if (strcmp(lw_version(), LW_VERSION_STRING) != 0 || lw_abi_version() != LW_ABI_VERSION)
        return 1;
    if (!multiplies(LW_ARCH_GFX1201, "v_wmma_f32_16x16x16_f16", 16, 16) ||
        !multiplies(LW_ARCH_SM_90, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", 16, 8))
        return 1;
    printf("lanewise %s\n", lw_version());
    return 0;
}

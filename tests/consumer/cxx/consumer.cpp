/* SPDX-License-Identifier: MIT */
/* A C++ program that uses the library. */
#include <cstdio>
#include <vector>

#include <lanewise/lanewise.h>

int main()
{
    const lw_insn *insn = nullptr;
    lw_mma *mma = nullptr;
    lw_error error = {};
    if (lw_insn_find(LW_ARCH_SM_90, "mma.m16n8k16.f32.f16.f16.f32", &insn, &error) != LW_OK ||
        lw_mma_create(LW_ARCH_SM_90, insn, nullptr, &mma, &error) != LW_OK) {
        std::fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    std::vector<uint16_t> a(16 * 16, 0x3c00), b(16 * 8, 0x4000); /* 1 and 2 */
    std::vector<float> d(16 * 8);
    lw_mma_matrices matrices = {};
    matrices.a = a.data();
    matrices.b = b.data();
    matrices.d = d.data();
    const lw_status status = lw_mma_execute_matrices(mma, &matrices, nullptr);
    lw_mma_free(mma);
    for (float element : d)
        if (status != LW_OK || element != 32.0f)
            return 1;
    std::printf("lanewise %s from C++\n", lw_version());
    return 0;
}

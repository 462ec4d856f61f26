/* SPDX-License-Identifier: MIT */
/* Counters, scopes and hazard classes by generation: the words are from llvm-mc, the expected values from
 * LLVM's documents (AMDGPUUsage, "Memory Model", and the syntax of s_waitcnt) and AMD's ISA manuals. */
#include <check.h>
#include <stdlib.h>

#include "emu/amdgpu/decode/facts.h"

typedef struct line {
    lw_arch arch;
    uint32_t words[3];
    lw_class kind;
    lw_hazard_class hazard;
    uint8_t raises[LW_COUNTER_COUNT];
    int16_t awaits[LW_COUNTER_COUNT];
    lw_scope scope;
} line;

enum {
    VM = LW_COUNTER_VM,
    LGKM = LW_COUNTER_LGKM,
    EXP = LW_COUNTER_EXP,
    VS = LW_COUNTER_VS,
    KM = LW_COUNTER_KM,
    ASYNC = LW_COUNTER_ASYNC,
    TENSOR = LW_COUNTER_TENSOR,
    X = LW_COUNTER_X
};

/* clang-format off */
#define NO { -1, -1, -1, -1, -1, -1, -1, -1 }
#define R11 LW_ARCH_GFX1100
#define C3 LW_ARCH_GFX942
#define R1250 LW_ARCH_GFX1250

static const line lines[] = {
    /* s_waitcnt vmcnt(5) lgkmcnt(2); vmcnt(0); expcnt(1); lgkmcnt(62) */
    { R11, { 0xbf891427 }, LW_CLASS_WAIT, LW_HAZARD_OTHER, { 0 }, { [VM] = 5, [LGKM] = 2, [EXP] = -1, [VS] = -1, [KM] = -1, [ASYNC] = -1, [TENSOR] = -1, [X] = -1 }, 0 },
    { R11, { 0xbf8903f7 }, LW_CLASS_WAIT, LW_HAZARD_OTHER, { 0 }, { [VM] = 0, [LGKM] = -1, [EXP] = -1, [VS] = -1, [KM] = -1, [ASYNC] = -1, [TENSOR] = -1, [X] = -1 }, 0 },
    { R11, { 0xbf89fff1 }, LW_CLASS_WAIT, LW_HAZARD_OTHER, { 0 }, { [VM] = -1, [LGKM] = -1, [EXP] = 1, [VS] = -1, [KM] = -1, [ASYNC] = -1, [TENSOR] = -1, [X] = -1 }, 0 },
    { R11, { 0xbf89ffe7 }, LW_CLASS_WAIT, LW_HAZARD_OTHER, { 0 }, { [VM] = -1, [LGKM] = 62, [EXP] = -1, [VS] = -1, [KM] = -1, [ASYNC] = -1, [TENSOR] = -1, [X] = -1 }, 0 },
    /* s_waitcnt_vscnt null, 3; null, 63; s_wait_idle */
    { R11, { 0xbc7c0003 }, LW_CLASS_WAIT, LW_HAZARD_SALU, { 0 }, { [VM] = -1, [LGKM] = -1, [EXP] = -1, [VS] = 3, [KM] = -1, [ASYNC] = -1, [TENSOR] = -1, [X] = -1 }, 0 },
    { R11, { 0xbc7c003f }, LW_CLASS_WAIT, LW_HAZARD_SALU, { 0 }, NO, 0 },
    { R11, { 0xbf8a0000 }, LW_CLASS_WAIT, LW_HAZARD_OTHER, { 0 }, { 0, 0, 0, 0, -1, -1, -1, -1 }, 0 },
    /* global_load_b128 glc; global_store_b32 glc; flat_load_b32; flat_store_b32; scratch_store_b32 */
    { R11, { 0xdc5e4000, 0x047c0000 }, LW_CLASS_GLOBAL, LW_HAZARD_MEMORY, { [VM] = 1 }, NO, LW_SCOPE_SYSTEM },
    { R11, { 0xdc6a4000, 0x007c0200 }, LW_CLASS_GLOBAL, LW_HAZARD_MEMORY, { [VS] = 1 }, NO, LW_SCOPE_WAVE },
    { R11, { 0xdc500000, 0x047c0000 }, LW_CLASS_GENERIC, LW_HAZARD_MEMORY, { [VM] = 1, [LGKM] = 1 }, NO, LW_SCOPE_WAVE },
    { R11, { 0xdc680000, 0x007c0200 }, LW_CLASS_GENERIC, LW_HAZARD_MEMORY, { [LGKM] = 1, [VS] = 1 }, NO, LW_SCOPE_WAVE },
    /* buffer_gl0_inv; buffer_gl1_inv */
    { R11, { 0xe0ac0000, 0 }, LW_CLASS_CACHE, LW_HAZARD_MEMORY, { [VM] = 1 }, NO, LW_SCOPE_WORKGROUP },
    { R11, { 0xe0b00000, 0 }, LW_CLASS_CACHE, LW_HAZARD_MEMORY, { [VM] = 1 }, NO, LW_SCOPE_DEVICE },
    /* s_gl1_inv; s_dcache_inv */
    { R11, { 0xf4800000, 0xf8000000 }, LW_CLASS_CACHE, LW_HAZARD_SMEM, { [LGKM] = 1 }, NO, LW_SCOPE_DEVICE },
    { R11, { 0xf4840000, 0xf8000000 }, LW_CLASS_CACHE, LW_HAZARD_SMEM, { [LGKM] = 1 }, NO, LW_SCOPE_WAVE },
    { R11, { 0xdc690000, 0x00fc0201 }, LW_CLASS_SCRATCH, LW_HAZARD_MEMORY, { [VS] = 1 }, NO, LW_SCOPE_WAVE },
    /* s_load_b32; s_load_b64 glc; s_sendmsg; v_exp_f32; v_fma_f64; s_setreg_b32 */
    { R11, { 0xf4000001, 0xf8000000 }, LW_CLASS_SCALAR_MEMORY, LW_HAZARD_SMEM, { [LGKM] = 1 }, NO, 0 },
    { R11, { 0xf4044001, 0xf8000000 }, LW_CLASS_SCALAR_MEMORY, LW_HAZARD_SMEM, { [LGKM] = 2 }, NO, 0 },
    { R11, { 0xbfb60001 }, LW_CLASS_MESSAGE, LW_HAZARD_OTHER, { [LGKM] = 1 }, NO, 0 },
    { R11, { 0x7e024b02 }, LW_CLASS_VECTOR, LW_HAZARD_TRANS, { 0 }, NO, 0 },
    { R11, { 0xd6140000, 0x041a0902 }, LW_CLASS_VECTOR, LW_HAZARD_FMA64, { 0 }, NO, 0 },
    { R11, { 0xb900f801 }, LW_CLASS_SCALAR, LW_HAZARD_SETREG, { 0 }, NO, 0 },
    /* s_waitcnt vmcnt(17) lgkmcnt(3); s_store_dword; s_memtime; s_dcache_wb; buffer_wbl2 sc0 sc1 */
    { C3, { 0xbf8c4371 }, LW_CLASS_WAIT, LW_HAZARD_OTHER, { 0 }, { [VM] = 17, [LGKM] = 3, [EXP] = -1, [VS] = -1, [KM] = -1, [ASYNC] = -1, [TENSOR] = -1, [X] = -1 }, 0 },
    { C3, { 0xc0420001, 0x00000000 }, LW_CLASS_SCALAR_MEMORY, LW_HAZARD_SMEM, { [LGKM] = 1 }, NO, 0 },
    { C3, { 0xc0900000, 0x00000000 }, LW_CLASS_SCALAR_MEMORY, LW_HAZARD_SMEM, { [LGKM] = 2 }, NO, 0 },
    { C3, { 0xc0840000, 0x00000000 }, LW_CLASS_CACHE, LW_HAZARD_SMEM, { [LGKM] = 1 }, NO, 0 },
    { C3, { 0xe0a0c000, 0x00000000 }, LW_CLASS_CACHE, LW_HAZARD_MEMORY, { [VM] = 1 }, NO, LW_SCOPE_SYSTEM },
    /* global_store_dword sc1; global_atomic_add (sc1), without and with a result; flat_load_dword sc0 */
    { C3, { 0xde708000, 0x007f0200 }, LW_CLASS_GLOBAL, LW_HAZARD_MEMORY, { [VM] = 1 }, NO, LW_SCOPE_DEVICE },
    { C3, { 0xdf088000, 0x007f0200 }, LW_CLASS_GLOBAL, LW_HAZARD_MEMORY, { [VM] = 1 }, NO, LW_SCOPE_SYSTEM },
    { C3, { 0xdd098000, 0x017f0200 }, LW_CLASS_GLOBAL, LW_HAZARD_MEMORY, { [VM] = 1 }, NO, LW_SCOPE_DEVICE },
    { C3, { 0xdc510000, 0x02000000 }, LW_CLASS_GENERIC, LW_HAZARD_MEMORY, { [VM] = 1, [LGKM] = 1 }, NO, LW_SCOPE_WORKGROUP },
    /* v_mfma_f32_16x16x16_f16; v_mfma_f32_16x16x4_f32; v_mfma_f64_16x16x4_f64; v_accvgpr_read_b32; v_dot4_i32_i8 */
    { C3, { 0xd3cd0000, 0x04020900 }, LW_CLASS_MATRIX, LW_HAZARD_XDL, { 0 }, NO, 0 },
    { C3, { 0xd3c50000, 0x04020900 }, LW_CLASS_MATRIX, LW_HAZARD_SGEMM, { 0 }, NO, 0 },
    { C3, { 0xd3ee0000, 0x04020900 }, LW_CLASS_MATRIX, LW_HAZARD_DGEMM, { 0 }, NO, 0 },
    { C3, { 0xd3d84000, 0x18000100 }, LW_CLASS_VECTOR, LW_HAZARD_ACC_READ, { 0 }, NO, 0 },
    { C3, { 0xd3a84000, 0x1c0e0501 }, LW_CLASS_VECTOR, LW_HAZARD_DOT, { 0 }, NO, 0 },
    /* tensor_load_to_lds; s_wait_tensorcnt 1; global_load_async_to_lds_b32; s_wait_asynccnt 2 */
    { R1250, { 0xd0710001, 0x7c000000, 0x7c7c0400 }, LW_CLASS_GLOBAL, LW_HAZARD_MEMORY, { [TENSOR] = 1 }, NO, 0 },
    { R1250, { 0xbfcb0001 }, LW_CLASS_WAIT, LW_HAZARD_OTHER, { 0 }, { -1, -1, -1, -1, -1, -1, 1, -1 }, 0 },
    { R1250, { 0xee180002, 0x00000000, 0x00000001 }, LW_CLASS_GLOBAL, LW_HAZARD_MEMORY, { [VM] = 1, [ASYNC] = 1 }, NO, LW_SCOPE_WORKGROUP },
    { R1250, { 0xbfca0002 }, LW_CLASS_WAIT, LW_HAZARD_OTHER, { 0 }, { -1, -1, -1, -1, -1, 2, -1, -1 }, 0 },
    /* s_wait_xcnt 2; global_store_async_from_lds_b32; global_load_b32; s_load_b64; flat_store_b32 */
    { R1250, { 0xbfc50002 }, LW_CLASS_WAIT, LW_HAZARD_OTHER, { 0 }, { -1, -1, -1, -1, -1, -1, -1, 2 }, 0 },
    { R1250, { 0xee190002, 0x00800000, 0x00000000 }, LW_CLASS_GLOBAL, LW_HAZARD_MEMORY, { [VS] = 1, [ASYNC] = 1 }, NO, LW_SCOPE_WORKGROUP },
    { R1250, { 0xee050002, 0x00000004, 0x0000000a }, LW_CLASS_GLOBAL, LW_HAZARD_MEMORY, { [VM] = 1, [X] = 1 }, NO, LW_SCOPE_WORKGROUP },
    { R1250, { 0xf4002080, 0xf8000000 }, LW_CLASS_SCALAR_MEMORY, LW_HAZARD_SMEM, { [KM] = 2, [X] = 1 }, NO, 0 },
    { R1250, { 0xec06807c, 0x02000000, 0x00000000 }, LW_CLASS_GENERIC, LW_HAZARD_MEMORY, { [LGKM] = 1, [VS] = 1, [X] = 1 }, NO, LW_SCOPE_WORKGROUP },
};
/* clang-format on */

enum { LINES = sizeof(lines) / sizeof(lines[0]) };

START_TEST(columns)
{
    const line *l = &lines[_i];
    lw_decoded in;
    lw_fact_operand operands[LW_MAX_OPERANDS];
    ck_assert_msg(lw_amdgpu_decode(l->arch, l->words, 3, &in) == LW_OK, "line %d", _i);
    const lw_facts f = lw_decoded_facts(l->arch, &in, 0, operands);
    ck_assert_msg(f.kind == l->kind, "line %d: class %d", _i, (int)f.kind);
    ck_assert_msg(f.hazard == l->hazard, "line %d: hazard class %d", _i, (int)f.hazard);
    ck_assert_msg(f.memory.scope == l->scope, "line %d: scope %d", _i, (int)f.memory.scope);
    for (int c = 0; c < LW_COUNTER_ROOM; c++) {
        const bool known = c < LW_COUNTER_COUNT;
        ck_assert_msg(f.counters[c].raises == (known ? l->raises[c] : 0), "line %d: counter %d raised by %d",
                      _i, c, f.counters[c].raises);
        ck_assert_msg(f.counters[c].awaits == (known ? l->awaits[c] : -1),
                      "line %d: counter %d awaited at %d", _i, c, f.counters[c].awaits);
    }
    for (int c = 0; c < LW_COUNTER_FIRST; c++)
        ck_assert(f.raises[c] == f.counters[c].raises && f.awaits[c] == f.counters[c].awaits);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("observers_columns");
    TCase *tc = tcase_create("columns");
    tcase_add_loop_test(tc, columns, 0, LINES);
    suite_add_tcase(s, tc);
    SRunner *sr = srunner_create(s);
    srunner_run_all(sr, CK_NORMAL);
    const int failed = srunner_ntests_failed(sr);
    srunner_free(sr);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* SPDX-License-Identifier: MIT */
#include "isa_tables/error.h"
#include "isa_tables/matrix.h"
#include "isa_tables/ptx/row_macros.h"

/* clang-format off */
const lw_elem_row lw_elem_rows[LW_ELEM_COUNT] = {
    [LW_ELEM_NONE] = { "", 0 },
    [LW_ELEM_F64] = { "f64", 64 },
    [LW_ELEM_F32] = { "f32", 32 },
    [LW_ELEM_XF32] = { "xf32", 32 },
    [LW_ELEM_F16] = { "f16", 16 },
    [LW_ELEM_BF16] = { "bf16", 16 },
    [LW_ELEM_FP8] = { "fp8", 8 },
    [LW_ELEM_BF8] = { "bf8", 8 },
    [LW_ELEM_FP6] = { "fp6", 6 },
    [LW_ELEM_BF6] = { "bf6", 6 },
    [LW_ELEM_FP4] = { "fp4", 4 },
    [LW_ELEM_I8] = { "i8", 8 },
    [LW_ELEM_I32] = { "i32", 32 },
    [LW_ELEM_E8M0] = { "e8m0", 8 },
    [LW_ELEM_INDEX] = { "index", 4 },
    [LW_ELEM_CBSZ] = { "by cbsz", 0 },
    [LW_ELEM_BLGP] = { "by blgp", 0 },
    [LW_ELEM_IU8] = { "iu8", 8 },
    [LW_ELEM_IU4] = { "iu4", 4 },
    [LW_ELEM_E5M3] = { "e5m3", 8 },
    [LW_ELEM_E4M3_SCALE] = { "e4m3", 8 },
    [LW_ELEM_TF32] = { "tf32", 32 },
    [LW_ELEM_E4M3] = { "e4m3", 8 },
    [LW_ELEM_E5M2] = { "e5m2", 8 },
    [LW_ELEM_E3M2] = { "e3m2", 6 },
    [LW_ELEM_E2M3] = { "e2m3", 6 },
    [LW_ELEM_E2M1] = { "e2m1", 4 },
    [LW_ELEM_S8] = { "s8", 8 },
    [LW_ELEM_U8] = { "u8", 8 },
    [LW_ELEM_S4] = { "s4", 4 },
    [LW_ELEM_U4] = { "u4", 4 },
    [LW_ELEM_B1] = { "b1", 1 },
    [LW_ELEM_S32] = { "s32", 32 },
    [LW_ELEM_UE8M0] = { "ue8m0", 8 },
    [LW_ELEM_UE4M3] = { "ue4m3", 8 },
    [LW_ELEM_B16] = { "b16", 16 },
    [LW_ELEM_B8] = { "b8", 8 },
    [LW_ELEM_B6X16] = { "b6x16_p32", 8 },
    [LW_ELEM_B4X16] = { "b4x16_p64", 8 },
    [LW_ELEM_BY_TYPE] = { "by type", 0 },
};
/* clang-format on */

const lw_insn lw_insn_rows[] = {
#include "isa_tables/ptx/mma.inc"
#define OP(op908_, op90a_, op942_, op950_)                                                                   \
    {                                                                                                        \
        [LW_ARCH_GFX908] = op908_, [LW_ARCH_GFX90A] = op90a_, [LW_ARCH_GFX942] = op942_,                     \
        [LW_ARCH_GFX950] = op950_,                                                                           \
    }
#define PASSES OP
#define MATRIX(name_, alias1_, alias2_, op_, passes_, m_, n_, k_, blocks_, a_, b_, d_, family_, mods_, dot_) \
    { .mnemonic = name_,                                                                                     \
      .aliases = { alias1_, alias2_ },                                                                       \
      .op = op_,                                                                                             \
      .passes = passes_,                                                                                     \
      .m = m_,                                                                                               \
      .n = n_,                                                                                               \
      .k = k_,                                                                                               \
      .blocks = blocks_,                                                                                     \
      .a = LW_ELEM_##a_,                                                                                     \
      .b = LW_ELEM_##b_,                                                                                     \
      .c = LW_ELEM_##d_,                                                                                     \
      .d = LW_ELEM_##d_,                                                                                     \
      .layout = LW_FAMILY_##family_,                                                                         \
      .mods = LW_MODS_##mods_,                                                                               \
      .dot = LW_DOT_##dot_ },
#include "isa_tables/matrix.inc"
#undef MATRIX
#undef PASSES
#undef OP
#include "isa_tables/ptx/wmma.inc"
};

const size_t lw_insn_row_count = sizeof(lw_insn_rows) / sizeof(lw_insn_rows[0]);

lw_elem lw_elem_f8f6f4(unsigned code)
{
    static const lw_elem codes[LW_F8F6F4_FORMATS] = { LW_ELEM_FP8, LW_ELEM_BF8, LW_ELEM_FP6, LW_ELEM_BF6,
                                                      LW_ELEM_FP4 };
    return code < LW_F8F6F4_FORMATS ? codes[code] : LW_ELEM_NONE;
}

const lw_insn *lw_insn_by_op(lw_arch arch, unsigned op, bool scaled)
{
    if (arch <= LW_ARCH_NONE || arch >= LW_ARCH_COUNT || op == LW_OP_ABSENT)
        return NULL;
    for (size_t i = 0; i < lw_insn_row_count; i++)
        if (lw_insn_rows[i].op[arch] == op && lw_insn_is_scaled(&lw_insn_rows[i]) == scaled)
            return &lw_insn_rows[i];
    return NULL;
}

static lw_elem resolve(lw_elem elem, const lw_mods *mods)
{
    if (elem == LW_ELEM_CBSZ)
        return lw_elem_f8f6f4(mods->cbsz);
    if (elem == LW_ELEM_BLGP)
        return lw_elem_f8f6f4(mods->blgp);
    return elem;
}

lw_elem lw_insn_elem(const lw_insn *insn, lw_operand operand, const lw_mods *mods)
{
    if (insn->ptx)
        return lw_ptx_elem(insn, operand, &mods->ptx);
    switch (operand) {
    case LW_OPERAND_A:
        return resolve((lw_elem)insn->a, mods);
    case LW_OPERAND_B:
        return resolve((lw_elem)insn->b, mods);
    case LW_OPERAND_C:
        return lw_insn_is_sparse(insn) ? LW_ELEM_NONE : (lw_elem)insn->c;
    case LW_OPERAND_D:
        return (lw_elem)insn->d;
    case LW_OPERAND_INDEX:
        return lw_insn_is_sparse(insn) ? LW_ELEM_INDEX : LW_ELEM_NONE;
    case LW_OPERAND_SCALE_A:
    case LW_OPERAND_SCALE_B:
        return lw_insn_is_scaled(insn) ? LW_ELEM_E8M0 : LW_ELEM_NONE;
    case LW_OPERAND_COUNT:
        break;
    }
    return LW_ELEM_NONE;
}

unsigned lw_insn_registers(const lw_insn *insn, lw_operand operand, const lw_mods *mods)
{
    enum { BITS_PER_REGISTER_ROW = 64 * 32 };
    if (insn->ptx)
        return lw_ptx_registers(insn, operand, &mods->ptx);
    const lw_elem elem = lw_insn_elem(insn, operand, mods);
    const unsigned bits = lw_elem_rows[elem].bits * (unsigned)insn->blocks;
    const unsigned k = operand == LW_OPERAND_A && lw_insn_is_sparse(insn) ? insn->k / 2u : insn->k;

    if (elem == LW_ELEM_NONE)
        return 0;
    if (operand == LW_OPERAND_A)
        return insn->m * k * bits / BITS_PER_REGISTER_ROW;
    if (operand == LW_OPERAND_B)
        return insn->n * k * bits / BITS_PER_REGISTER_ROW;
    if (operand == LW_OPERAND_C || operand == LW_OPERAND_D)
        return (unsigned)insn->m * insn->n * bits / BITS_PER_REGISTER_ROW;
    return 1;
}

unsigned lw_insn_index_sets(const lw_insn *insn)
{
    const unsigned groups = (unsigned)insn->m * insn->k / 4;
    const unsigned bits_per_lane = groups * lw_elem_rows[LW_ELEM_INDEX].bits / 64;
    return 32 / bits_per_lane;
}

lw_status lw_insn_require(lw_arch arch, const lw_insn *insn, lw_error *error)
{
    if (!insn)
        return lw_error_fail(error, LW_E_ARGUMENT, "no instruction was given");
    if (arch <= LW_ARCH_NONE || arch >= LW_ARCH_COUNT)
        return lw_error_fail(error, LW_E_ARGUMENT, "%d is not an architecture", (int)arch);
    if (!lw_insn_on(insn, arch))
        return lw_error_fail(error, LW_E_ARCH, "%s has no %s", lw_arch_get(arch)->name, insn->mnemonic);
    return LW_OK;
}

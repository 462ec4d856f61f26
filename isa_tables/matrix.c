/* SPDX-License-Identifier: MIT */
#include "isa_tables/error.h"
#include "isa_tables/matrix.h"
#include "isa_tables/ptx/row_macros.h"

const lw_elem_row lw_elem_rows[LW_ELEM_COUNT] = {
#define ELEM(id_, name_, format_) [LW_ELEM_##id_] = { name_, LW_BITS_OF_##format_, LW_FORMAT_##format_ },
#include "isa_tables/elems.inc"
#undef ELEM
};

const lw_insn lw_insn_rows[] = {
#include "isa_tables/ptx/mma.inc"
#define TCGEN05(post_, ...) PTX_TCGEN05("tcgen05.", 128, 16, post_, __VA_ARGS__)
#include "isa_tables/ptx/tcgen05.inc"
#undef TCGEN05
#define TCGEN05_SCALED(post_, ...) PTX_TCGEN05("tcgen05.", 128, 8, post_, __VA_ARGS__)
#include "isa_tables/ptx/tcgen05.inc"
#undef TCGEN05_SCALED
#define TCGEN05(post_, ...) PTX_TCGEN05("tcgen05.", 64, 8, post_, __VA_ARGS__)
#include "isa_tables/ptx/tcgen05.inc"
#undef TCGEN05
#define TCGEN05_SP(post_, ...) PTX_TCGEN05("tcgen05.sp.", 128, 16, post_, __VA_ARGS__)
#include "isa_tables/ptx/tcgen05.inc"
#undef TCGEN05_SP
#define TCGEN05_SP_SCALED(post_, ...) PTX_TCGEN05("tcgen05.sp.", 128, 8, post_, __VA_ARGS__)
#include "isa_tables/ptx/tcgen05.inc"
#undef TCGEN05_SP_SCALED
#define TCGEN05_SP(post_, ...) PTX_TCGEN05("tcgen05.sp.", 64, 8, post_, __VA_ARGS__)
#include "isa_tables/ptx/tcgen05.inc"
#undef TCGEN05_SP
#define OP(op908_, op90a_, op942_, op950_)                                                                   \
    {                                                                                                        \
        [LW_ARCH_GFX908] = op908_, [LW_ARCH_GFX90A] = op90a_, [LW_ARCH_GFX942] = op942_,                     \
        [LW_ARCH_GFX950] = op950_,                                                                           \
    }
#define PASSES OP
#define MATRIX(name_, alias1_, alias2_, op_, passes_, m_, n_, k_, blocks_, a_, b_, d_, scale_, family_,      \
               mods_, dot_)                                                                                  \
    { .mnemonic = #name_,                                                                                    \
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
      .scale_k = scale_,                                                                                     \
      .layout = LW_FAMILY_##family_,                                                                         \
      .mods = LW_MODS_##mods_,                                                                               \
      .dot = LW_DOT_##dot_ },
#include "isa_tables/matrix.inc"
#undef MATRIX
#undef PASSES
#undef OP

#define ASM LW_OP_ASSEMBLER_ONLY
#define OP(op1100_, op1201_, op1250_)                                                                        \
    {                                                                                                        \
        [LW_ARCH_GFX1100] = op1100_, [LW_ARCH_GFX1150] = op1100_, [LW_ARCH_GFX1201] = op1201_,               \
        [LW_ARCH_GFX1250] = op1250_,                                                                         \
    }
#define CYCLES(on1100_, on1201_)                                                                             \
    {                                                                                                        \
        [LW_ARCH_GFX1100] = (on1100_) / 4, [LW_ARCH_GFX1150] = (on1100_) / 4,                                \
        [LW_ARCH_GFX1201] = (on1201_) / 4,                                                                   \
    }
#define WMMA(name_, op_, cycles_, m_, n_, k_, a_, b_, c_, d_, scale_, family_, mods_, dot_)                  \
    { .mnemonic = #name_,                                                                                    \
      .op = op_,                                                                                             \
      .passes = cycles_,                                                                                     \
      .m = m_,                                                                                               \
      .n = n_,                                                                                               \
      .k = k_,                                                                                               \
      .blocks = 1,                                                                                           \
      .a = LW_ELEM_##a_,                                                                                     \
      .b = LW_ELEM_##b_,                                                                                     \
      .c = LW_ELEM_##c_,                                                                                     \
      .d = LW_ELEM_##d_,                                                                                     \
      .scale_k = scale_,                                                                                     \
      .layout = LW_FAMILY_##family_,                                                                         \
      .mods = LW_MODS_##mods_,                                                                               \
      .dot = LW_DOT_##dot_ },
#include "isa_tables/matrix.inc"
#undef WMMA
#undef CYCLES
#undef OP
#undef ASM
#define WGMMA(...) PTX_WGMMA(8, __VA_ARGS__)
#include "isa_tables/ptx/wgmma.inc"
#undef WGMMA
#include "isa_tables/ptx/wmma.inc"
};

const size_t lw_insn_row_count = sizeof(lw_insn_rows) / sizeof(lw_insn_rows[0]);

lw_elem lw_elem_f8f6f4(unsigned code)
{
    static const lw_elem codes[LW_F8F6F4_FORMATS] = { LW_ELEM_FP8, LW_ELEM_BF8, LW_ELEM_FP6, LW_ELEM_BF6,
                                                      LW_ELEM_FP4 };
    return code < LW_F8F6F4_FORMATS ? codes[code] : LW_ELEM_NONE;
}

/*
 * Sources. MODE: see the MODE column of recipes.inc. Layouts of WMMA: AMD's matrix instruction calculator for
 * gfx11 and gfx12; the CDNA5 ISA manual, 7.12, for gfx1250. index_key: LLVM 22's assembler. layouts_from:
 * AMD's calculator covers gfx942 but not gfx950. PTX: the ISA manual says which addresses ldmatrix needs and
 * that wmma's fragments are opaque; where these are from sm_75 on was read from ptxas 13.0's code.
 */
/* clang-format off */
const lw_arch_traits lw_arch_traits_rows[LW_ARCH_COUNT] = {
#define V_OR_A "v or a"
#define CDNA_TRAITS(align_, d_, c_, ...)                                                                     \
    { .wave = 64, .wave_sizes = 2, .tuple_align = align_, .ab = V_OR_A, .d = d_, .c = c_, .scale = "v", __VA_ARGS__ }
#define LATER_CDNA(...)                                                                                      \
    CDNA_TRAITS(2, "v or a as C is", "v or a as D is, or an inline constant", .f32_denormals = true, __VA_ARGS__)
#define RDNA_TRAITS(sizes_, align_, ...)                                                                     \
    { .wave = 32, .wave_sizes = sizes_, .tuple_align = align_, .ab = "v", .d = "v",                          \
      .c = "v, or an inline constant", .scale = "v, s, or an inline constant", .ovfl_f16_only = true,       \
      __VA_ARGS__ }
    [LW_ARCH_GFX908] = CDNA_TRAITS(1, "a", "a", .last_alias_only = true, .no_inline_c = true),
    [LW_ARCH_GFX90A] = LATER_CDNA(.last_alias_only = true),
    [LW_ARCH_GFX942] = LATER_CDNA(),
    [LW_ARCH_GFX950] = LATER_CDNA(.layouts_from = LW_ARCH_GFX942),
    [LW_ARCH_GFX1100] = RDNA_TRAITS(3, 1, .ab_lanes = 16, .cd_bits = 32),
    [LW_ARCH_GFX1150] = RDNA_TRAITS(3, 1, .ab_lanes = 16, .cd_bits = 32, .layouts_from = LW_ARCH_GFX1100),
    [LW_ARCH_GFX1201] = RDNA_TRAITS(3, 1, ),
    [LW_ARCH_GFX1250] = RDNA_TRAITS(1, 2, .scales_by_row = true, .runs_by_width = true, .index_apart = true,
                                    .index_key_spare = true),
#define PTX_TRAITS(...)                                                                                      \
    { .wave = 32, .wave_sizes = 1, .tuple_align = 1, .ab = "r", .d = "r", .c = "r", .scale = "r", __VA_ARGS__ }
    [LW_ARCH_SM_70] = PTX_TRAITS(.fragments_unpublished = true, .sums_of_quarters = true),
    [LW_ARCH_SM_72] = PTX_TRAITS(.fragments_unpublished = true, .sums_of_quarters = true),
    [LW_ARCH_SM_75] = PTX_TRAITS(.all_addresses = true, .sums_of_quarters = true),
    [LW_ARCH_SM_80] = PTX_TRAITS(),
    [LW_ARCH_SM_86] = PTX_TRAITS(),
    [LW_ARCH_SM_89] = PTX_TRAITS(),
    [LW_ARCH_SM_90] = PTX_TRAITS(),
    [LW_ARCH_SM_100] = PTX_TRAITS(),
    [LW_ARCH_SM_100A] = PTX_TRAITS(),
    [LW_ARCH_SM_120] = PTX_TRAITS(),
    [LW_ARCH_SM_120A] = PTX_TRAITS(),
    [LW_ARCH_SM_120F] = PTX_TRAITS(),
#undef PTX_TRAITS
#undef RDNA_TRAITS
#undef LATER_CDNA
#undef CDNA_TRAITS
#undef V_OR_A
};
/* clang-format on */

const char *lw_insn_name(lw_arch arch, const lw_insn *insn)
{
    const char *name = insn->mnemonic;
    if (lw_arch_traits_rows[arch].last_alias_only && lw_insn_on(insn, arch))
        for (int i = 0; i < LW_INSN_MAX_ALIASES && insn->aliases[i]; i++)
            name = insn->aliases[i];
    return name;
}

const char *const *lw_insn_aliases(lw_arch arch, const lw_insn *insn)
{
    static const char *const none[LW_INSN_MAX_ALIASES] = { NULL };
    return lw_arch_traits_rows[arch].last_alias_only ? none : insn->aliases;
}

const lw_insn *lw_insn_by_op(lw_arch arch, unsigned op, unsigned scale_k)
{
    if (arch <= LW_ARCH_NONE || arch >= LW_ARCH_COUNT || op <= LW_OP_ASSEMBLER_ONLY)
        return NULL;
    for (size_t i = 0; i < lw_insn_row_count; i++)
        if (lw_insn_rows[i].op[arch] == op && lw_insn_rows[i].scale_k == scale_k)
            return &lw_insn_rows[i];
    return NULL;
}

unsigned lw_insn_wave(lw_arch arch, const lw_mods *mods)
{
    return mods && mods->wave ? mods->wave : lw_arch_traits_rows[arch].wave;
}

static lw_elem resolve(lw_elem elem, const lw_mods *mods)
{
    if (elem == LW_ELEM_CBSZ || elem == LW_ELEM_FMT_A)
        return lw_elem_f8f6f4(mods->cbsz);
    if (elem == LW_ELEM_BLGP || elem == LW_ELEM_FMT_B)
        return lw_elem_f8f6f4(mods->blgp);
    return elem;
}

/* AMD CDNA5 ISA manual: the codes of matrix_a_scale_fmt and matrix_b_scale_fmt. */
static lw_elem scale_elem(unsigned code)
{
    static const lw_elem codes[] = { LW_ELEM_E8M0, LW_ELEM_E5M3, LW_ELEM_E4M3_SCALE };
    return code < sizeof(codes) / sizeof(codes[0]) ? codes[code] : LW_ELEM_NONE;
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
        return insn->scale_k ? scale_elem(mods->scale_fmt_a) : LW_ELEM_NONE;
    case LW_OPERAND_SCALE_B:
        return insn->scale_k ? scale_elem(mods->scale_fmt_b) : LW_ELEM_NONE;
    case LW_OPERAND_COUNT:
        break;
    }
    return LW_ELEM_NONE;
}

/* Registers needed for so many bits spread over so many lanes. */
static unsigned spread(unsigned bits, unsigned lanes)
{
    return (bits + lanes * 32 - 1) / (lanes * 32);
}

static unsigned most(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

/* C and D. Where C is read from D's registers in another format, that format counts for D, too. */
static unsigned result_registers(lw_arch arch, const lw_insn *insn, lw_operand operand, unsigned lanes)
{
    unsigned bits = lw_elem_rows[operand == LW_OPERAND_C ? insn->c : insn->d].bits;
    if (operand == LW_OPERAND_D && lw_insn_is_sparse(insn))
        bits = most(bits, lw_elem_rows[insn->c].bits);
    bits = most(bits, lw_arch_traits_rows[arch].cd_bits);
    return spread((unsigned)insn->m * insn->n * insn->blocks * bits, lanes);
}

/* A scale of A or B: `rows` is m or n. */
static unsigned scale_registers(lw_arch arch, const lw_insn *insn, unsigned rows, unsigned lanes)
{
    const unsigned bits = rows * insn->k / insn->scale_k * lw_elem_rows[LW_ELEM_E8M0].bits;
    return spread(bits, lw_arch_traits_rows[arch].scales_by_row ? rows : lanes);
}

unsigned lw_insn_registers(lw_arch arch, const lw_insn *insn, lw_operand operand, const lw_mods *mods)
{
    if (insn->ptx)
        return lw_ptx_registers(insn, operand, &mods->ptx);
    const lw_elem elem = lw_insn_elem(insn, operand, mods);
    if (elem == LW_ELEM_NONE)
        return 0;

    const unsigned lanes = lw_insn_wave(arch, mods), copy_lanes = lw_arch_traits_rows[arch].ab_lanes;
    const unsigned bits = lw_elem_rows[elem].bits * (unsigned)insn->blocks;
    const unsigned k = lw_insn_is_sparse(insn) ? insn->k / 2u : insn->k;
    switch (operand) {
    case LW_OPERAND_A:
        return spread(insn->m * k * bits, copy_lanes ? copy_lanes : lanes);
    case LW_OPERAND_B:
        return spread((unsigned)insn->n * insn->k * bits, copy_lanes ? copy_lanes : lanes);
    case LW_OPERAND_C:
    case LW_OPERAND_D:
        return result_registers(arch, insn, operand, lanes);
    case LW_OPERAND_INDEX:
        return spread((unsigned)insn->m * insn->k / 4 * bits, lanes);
    case LW_OPERAND_SCALE_A:
        return scale_registers(arch, insn, insn->m, lanes);
    case LW_OPERAND_SCALE_B:
        return scale_registers(arch, insn, insn->n, lanes);
    case LW_OPERAND_COUNT:
        break;
    }
    return 0;
}

/* The index lies in the lanes that hold A: for iu4 16x16x32, half of a wave of 64. */
unsigned lw_insn_index_sets(const lw_insn *insn, unsigned wave)
{
    const unsigned a_lanes = (unsigned)insn->m * insn->k / 2 * lw_elem_rows[insn->a].bits / 32;
    const unsigned lanes = a_lanes < wave ? a_lanes : wave;
    const unsigned groups = (unsigned)insn->m * insn->k / 4;
    return most(1, 32 * lanes / (groups * lw_elem_rows[LW_ELEM_INDEX].bits));
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

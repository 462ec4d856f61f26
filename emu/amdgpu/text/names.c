/* SPDX-License-Identifier: MIT */
/* Mnemonics of executed instructions. The rows of flat, scratch and global instructions omit the prefix. */
#include "emu/amdgpu/control/machine.h"
#include "isa_tables/amdgpu/rows.h"

enum { FIRST = LW_OP_load_ubyte };

/* By segment, as the SEG field encodes them. */
static const char *const gfx9_names[][LW_SEGMENTS] = {
#define FLAT(id, ...) [LW_OP_##id - FIRST] = { "flat_" #id, "scratch_" #id, "global_" #id },
#include "isa_tables/amdgpu/flat.inc"
#undef FLAT
};

/* Rows that exist on gfx11 or gfx12 always give their name there; it comes after a NULL. */
static const char *const gfx11_names[][1 + LW_SEGMENTS] = {
#define G9(op)
#define G94(op)
#define G9A(op)
#define G8A(op)
#define G90A(op)
#define G908(op)
#define S908(op, segments)
#define S90A(op, segments)
#define G942(op)
#define G950(op)
#define G11(op)
#define N11(op, name) "flat_" #name, "scratch_" #name, "global_" #name
#define G12(op)
#define N12(op, name)
#define S12(op, name, segments)
#define G120(op)
#define N120(op, name)
#define G125(op)
#define N125(op, name)
#define FLAT(id, codes, ...) [LW_OP_##id - FIRST] = { NULL, codes },
#include "isa_tables/amdgpu/flat.inc"
#undef FLAT
};
static const char *const gfx12_names[][1 + LW_SEGMENTS] = {
#undef N11
#undef N12
#undef S12
#undef N120
#define N11(op, name)
#define S12(op, name, segments) N12(op, name)
#define N12(op, name) "flat_" #name, "scratch_" #name, "global_" #name
#define N120 N12
#define FLAT(id, codes, ...) [LW_OP_##id - FIRST] = { NULL, codes },
#include "isa_tables/amdgpu/flat.inc"
#undef FLAT
};
static const char *const gfx1250_names[][1 + LW_SEGMENTS] = {
#undef N120
#undef N125
#define N120(op, name)
#define N125 N12
#define FLAT(id, codes, ...) [LW_OP_##id - FIRST] = { NULL, codes },
#include "isa_tables/amdgpu/flat.inc"
#undef FLAT
};

/* Generations with separate names for them. */
static const char *const (*const own_names[LW_ARCH_COUNT])[1 + LW_SEGMENTS] = {
    [LW_ARCH_GFX1100] = gfx11_names,
    [LW_ARCH_GFX1150] = gfx11_names,
    [LW_ARCH_GFX1201] = gfx12_names,
    [LW_ARCH_GFX1250] = gfx1250_names,
};

#define SECONDS(x, n)                                                                                        \
    {                                                                                                        \
        PAIR(x, "fmac_f32"), PAIR(x, "fmaak_f32"), PAIR(x, "fmamk_f32"), PAIR(x, "mul_f32"),                 \
            PAIR(x, "add_f32"), PAIR(x, "sub_f32"), PAIR(x, "subrev_f32"), PAIR(x, "mul_dx9_zero_f32"),      \
            PAIR(x, "mov_b32"), PAIR(x, "cndmask_b32"), PAIR(x, "max" n "_f32"), PAIR(x, "min" n "_f32"),    \
            PAIR(x, "dot2acc_f32_f16"), PAIR(x, "dot2acc_f32_bf16"), NULL, NULL, PAIR(x, "add_nc_u32"),      \
            PAIR(x, "lshlrev_b32"), PAIR(x, "and_b32"),                                                      \
    }
#define PAIR(x, y) "v_dual_" x " :: v_dual_" y
/* By both opcodes of VOPD. The names are static, because counts outlive the code that they belong to. */
#define DUALS(n)                                                                                             \
    {                                                                                                        \
        SECONDS("fmac_f32", n), SECONDS("fmaak_f32", n), SECONDS("fmamk_f32", n), SECONDS("mul_f32", n),     \
            SECONDS("add_f32", n), SECONDS("sub_f32", n), SECONDS("subrev_f32", n),                          \
            SECONDS("mul_dx9_zero_f32", n), SECONDS("mov_b32", n), SECONDS("cndmask_b32", n),                \
            SECONDS("max" n "_f32", n), SECONDS("min" n "_f32", n), SECONDS("dot2acc_f32_f16", n),           \
            SECONDS("dot2acc_f32_bf16", n),                                                                  \
    }
/* gfx1250, where either half may also be one of VOPD3. */
#define SECONDS_LONG(x)                                                                                      \
    {                                                                                                        \
        PAIR(x, "fmac_f32"), PAIR(x, "fmaak_f32"), PAIR(x, "fmamk_f32"), PAIR(x, "mul_f32"),                 \
            PAIR(x, "add_f32"), PAIR(x, "sub_f32"), PAIR(x, "subrev_f32"), PAIR(x, "mul_dx9_zero_f32"),      \
            PAIR(x, "mov_b32"), PAIR(x, "cndmask_b32"), PAIR(x, "max_num_f32"), PAIR(x, "min_num_f32"),      \
            PAIR(x, "dot2acc_f32_f16"), PAIR(x, "dot2acc_f32_bf16"), NULL, NULL, PAIR(x, "add_nc_u32"),      \
            PAIR(x, "lshlrev_b32"), PAIR(x, "bitop2_b32"), PAIR(x, "fma_f32"), PAIR(x, "sub_nc_u32"),        \
            PAIR(x, "lshrrev_b32"), PAIR(x, "ashrrev_i32"), PAIR(x, "max_i32"), PAIR(x, "min_i32"),          \
    }
#define DUALS_LONG                                                                                           \
    {                                                                                                        \
        SECONDS_LONG("fmac_f32"), SECONDS_LONG("fmaak_f32"), SECONDS_LONG("fmamk_f32"),                      \
            SECONDS_LONG("mul_f32"), SECONDS_LONG("add_f32"), SECONDS_LONG("sub_f32"),                       \
            SECONDS_LONG("subrev_f32"), SECONDS_LONG("mul_dx9_zero_f32"), SECONDS_LONG("mov_b32"),           \
            SECONDS_LONG("cndmask_b32"), SECONDS_LONG("max_num_f32"), SECONDS_LONG("min_num_f32"),           \
            SECONDS_LONG("dot2acc_f32_f16"),                                                                 \
            SECONDS_LONG("dot2acc_f32_bf16"), [16] = SECONDS_LONG("add_nc_u32"),                             \
                                              SECONDS_LONG("lshlrev_b32"), [19] = SECONDS_LONG("fma_f32"),   \
                                              SECONDS_LONG("sub_nc_u32"), SECONDS_LONG("lshrrev_b32"),       \
                                              SECONDS_LONG("ashrrev_i32"), [32] = SECONDS_LONG("fma_f64"),   \
                                              SECONDS_LONG("add_f64"), SECONDS_LONG("mul_f64"),              \
                                              SECONDS_LONG("max_num_f64"), SECONDS_LONG("min_num_f64"),      \
    }
static const uint8_t dual_set[LW_ARCH_COUNT] = { [LW_ARCH_GFX1201] = 1, [LW_ARCH_GFX1250] = 2 };
static const char *const dual_names[][LW_DUAL_FIRST][LW_DUAL_SECOND] = { DUALS(""), DUALS("_num"),
                                                                         DUALS_LONG };

static unsigned dual_code(lw_arch arch, const lw_op_row *row)
{
    const lw_op_on *on = lw_op_get_on(row, arch);
    return on && on->dual ? on->dual - 1u : 0;
}

const char *lw_decoded_name(lw_arch arch, const lw_decoded *in)
{
    const lw_op_row *row = in->row;
    if (in->second.row)
        return dual_names[dual_set[arch]][dual_code(arch, row)][dual_code(arch, in->second.row)];
    if (row->enc != LW_ENC_FLAT)
        return lw_op_name(row, arch);
    if (row->kind & LW_SEG_NAMED)
        return lw_op_name(row, arch);
    const unsigned at = (unsigned)lw_op_index(row) - FIRST;
    const char *own = own_names[arch] ? own_names[arch][at][1 + in->seg] : NULL;
    return own ? own : gfx9_names[at][in->seg];
}

unsigned lw_decoded_kind(lw_arch arch, const lw_decoded *in)
{
    if (in->second.row)
        return LW_OP_COUNT * LW_SEGMENTS + dual_code(arch, in->row) * LW_DUAL_SECOND +
               dual_code(arch, in->second.row);
    return (unsigned)lw_op_index(in->row) * LW_SEGMENTS + in->seg;
}

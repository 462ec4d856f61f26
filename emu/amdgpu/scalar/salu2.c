/* SPDX-License-Identifier: MIT */
/* Two scalar sources: SOP2, SOPC. */
#include "emu/amdgpu/scalar/salu_bits.h"
#include "emu/amdgpu/scalar/salu_shapes.h"

typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t i32;
typedef int64_t i64;

/* clang-format off */
LW_SOP2(s_add_u32,  u32, u32, u32, a + b,       d < a)
LW_SOP2(s_sub_u32,  u32, u32, u32, a - b,       a < b)
LW_SOP2(s_addc_u32, u32, u32, u32, a + b + scc, ((u64)a + b + scc) >> 32)
LW_SOP2(s_subb_u32, u32, u32, u32, a - b - scc, (u64)b + scc > a)
/* Signed overflow: both operands differ in sign from the result (of a subtraction: the first, and the operands). */
LW_SOP2(s_add_i32,  u32, u32, u32, a + b,       ((a ^ d) & (b ^ d)) >> 31)
LW_SOP2(s_sub_i32,  u32, u32, u32, a - b,       ((a ^ b) & (a ^ d)) >> 31)
LW_SOP2(s_min_i32,  i32, i32, i32, a < b ? a : b,  a < b)
LW_SOP2(s_min_u32,  u32, u32, u32, a < b ? a : b,  a < b)
LW_SOP2(s_max_i32,  i32, i32, i32, a >= b ? a : b, a >= b)
LW_SOP2(s_max_u32,  u32, u32, u32, a >= b ? a : b, a >= b)
LW_SOP2(s_cselect_b32, u32, u32, u32, scc ? a : b, scc)
LW_SOP2(s_cselect_b64, u64, u64, u64, scc ? a : b, scc)

LW_SOP2(s_and_b32,   u32, u32, u32, a & b,    d)
LW_SOP2(s_and_b64,   u64, u64, u64, a & b,    d)
LW_SOP2(s_or_b32,    u32, u32, u32, a | b,    d)
LW_SOP2(s_or_b64,    u64, u64, u64, a | b,    d)
LW_SOP2(s_xor_b32,   u32, u32, u32, a ^ b,    d)
LW_SOP2(s_xor_b64,   u64, u64, u64, a ^ b,    d)
LW_SOP2(s_andn2_b32, u32, u32, u32, a & ~b,   d)
LW_SOP2(s_andn2_b64, u64, u64, u64, a & ~b,   d)
LW_SOP2(s_orn2_b32,  u32, u32, u32, a | ~b,   d)
LW_SOP2(s_orn2_b64,  u64, u64, u64, a | ~b,   d)
LW_SOP2(s_nand_b32,  u32, u32, u32, ~(a & b), d)
LW_SOP2(s_nand_b64,  u64, u64, u64, ~(a & b), d)
LW_SOP2(s_nor_b32,   u32, u32, u32, ~(a | b), d)
LW_SOP2(s_nor_b64,   u64, u64, u64, ~(a | b), d)
LW_SOP2(s_xnor_b32,  u32, u32, u32, ~(a ^ b), d)
LW_SOP2(s_xnor_b64,  u64, u64, u64, ~(a ^ b), d)

LW_SOP2(s_lshl_b32, u32, u32, u32, a << (b & 31), d)
LW_SOP2(s_lshl_b64, u64, u32, u64, a << (b & 63), d)
LW_SOP2(s_lshr_b32, u32, u32, u32, a >> (b & 31), d)
LW_SOP2(s_lshr_b64, u64, u32, u64, a >> (b & 63), d)
LW_SOP2(s_ashr_i32, i32, u32, i32, a >> (b & 31), d)
LW_SOP2(s_ashr_i64, i64, u32, i64, a >> (b & 63), d)
LW_SOP2(s_bfm_b32,  u32, u32, u32, lw_bits_ones(a & 31) << (b & 31), scc)
LW_SOP2(s_bfm_b64,  u32, u32, u64, lw_bits_ones(a & 63) << (b & 63), scc)
/* A field that reaches beyond the register is taken as all that is left of it: inferred, no document says. */
LW_SOP2(s_bfe_u32,  u32, u32, u32, lw_bits_field(a, b & 31, b >> 16 & 127), d)
LW_SOP2(s_bfe_i32,  i32, u32, i32, lw_bits_signed_field(a, b & 31, b >> 16 & 127), d)
LW_SOP2(s_bfe_u64,  u64, u32, u64, lw_bits_field(a, b & 63, b >> 16 & 127), d)
LW_SOP2(s_bfe_i64,  i64, u32, i64, lw_bits_signed_field(a, b & 63, b >> 16 & 127), d)

LW_SOP2(s_mul_i32,    u32, u32, u32, a * b, scc)
LW_SOP2(s_mul_hi_u32, u32, u32, u32, (u64)a * b >> 32, scc)
LW_SOP2(s_mul_hi_i32, i32, i32, i32, (i64)a * b >> 32, scc)
/* |a - b| in 32 bits: 80000000 stays as it is. */
LW_SOP2(s_absdiff_i32, u32, u32, u32, (a - b) >> 31 ? b - a : a - b, d)
LW_SOP2(s_lshl1_add_u32, u32, u32, u32, (a << 1) + b, (((u64)a << 1) + b) >> 32)
LW_SOP2(s_lshl2_add_u32, u32, u32, u32, (a << 2) + b, (((u64)a << 2) + b) >> 32)
LW_SOP2(s_lshl3_add_u32, u32, u32, u32, (a << 3) + b, (((u64)a << 3) + b) >> 32)
LW_SOP2(s_lshl4_add_u32, u32, u32, u32, (a << 4) + b, (((u64)a << 4) + b) >> 32)
LW_SOP2(s_pack_ll_b32_b16, u32, u32, u32, (b & 0xffff) << 16 | (a & 0xffff), scc)
LW_SOP2(s_pack_lh_b32_b16, u32, u32, u32, (b & 0xffff0000) | (a & 0xffff), scc)
LW_SOP2(s_pack_hh_b32_b16, u32, u32, u32, (b & 0xffff0000) | a >> 16, scc)

LW_SOPC(s_cmp_eq_i32, i32, i32, a == b)
LW_SOPC(s_cmp_lg_i32, i32, i32, a != b)
LW_SOPC(s_cmp_gt_i32, i32, i32, a > b)
LW_SOPC(s_cmp_ge_i32, i32, i32, a >= b)
LW_SOPC(s_cmp_lt_i32, i32, i32, a < b)
LW_SOPC(s_cmp_le_i32, i32, i32, a <= b)
LW_SOPC(s_cmp_eq_u32, u32, u32, a == b)
LW_SOPC(s_cmp_lg_u32, u32, u32, a != b)
LW_SOPC(s_cmp_gt_u32, u32, u32, a > b)
LW_SOPC(s_cmp_ge_u32, u32, u32, a >= b)
LW_SOPC(s_cmp_lt_u32, u32, u32, a < b)
LW_SOPC(s_cmp_le_u32, u32, u32, a <= b)
LW_SOPC(s_cmp_eq_u64, u64, u64, a == b)
LW_SOPC(s_cmp_lg_u64, u64, u64, a != b)
LW_SOPC(s_bitcmp0_b32, u32, u32, !(a >> (b & 31) & 1))
LW_SOPC(s_bitcmp1_b32, u32, u32, a >> (b & 31) & 1)
LW_SOPC(s_bitcmp0_b64, u64, u32, !(a >> (b & 63) & 1))
LW_SOPC(s_bitcmp1_b64, u64, u32, a >> (b & 63) & 1)
/* clang-format on */

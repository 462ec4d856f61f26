/* SPDX-License-Identifier: MIT */
/* How mma.inc, wgmma.inc, tcgen05.inc and wmma.inc become rows; only matrix.c and parts.c include this. */
#ifndef LW_ISA_PTX_ROW_MACROS_H
#define LW_ISA_PTX_ROW_MACROS_H

#include "isa_tables/ptx/row.h"

/* Targets. From sm_80 on, every later target accepts what an earlier one does. */
#define SM_(arch_) (1u << LW_ARCH_SM_##arch_)
#define FROM_90 (SM_(90) | SM_(100) | SM_(100A) | SM_(120) | SM_(120A) | SM_(120F))
#define FROM_89 (SM_(89) | FROM_90)
#define FROM_80 (SM_(80) | SM_(86) | FROM_89)
#define FROM_75 (SM_(75) | FROM_80)
#define FROM_72 (SM_(72) | FROM_75)
#define FROM_70 (SM_(70) | FROM_72)
#define A_100 (SM_(100A) | A_120)
#define A_120 (SM_(120A) | SM_(120F))
#define ONLY_120A SM_(120A)

/* The element column of a class: its only type, or BY_TYPE. */
enum {
    PTX_ELEM_F16 = LW_ELEM_F16,
    PTX_ELEM_BF16 = LW_ELEM_BF16,
    PTX_ELEM_TF32 = LW_ELEM_TF32,
    PTX_ELEM_F64 = LW_ELEM_F64,
    PTX_ELEM_F32 = LW_ELEM_F32,
    PTX_ELEM_S32 = LW_ELEM_S32,
    PTX_ELEM_E2M1 = LW_ELEM_E2M1,
    PTX_ELEM_B1 = LW_ELEM_B1,
    PTX_ELEM_B16 = LW_ELEM_B16,
    PTX_ELEM_B8 = LW_ELEM_B8,
    PTX_ELEM_INT8 = LW_ELEM_BY_TYPE,
    PTX_ELEM_INT4 = LW_ELEM_BY_TYPE,
    PTX_ELEM_FP8 = LW_ELEM_BY_TYPE,
    PTX_ELEM_FLOAT8 = LW_ELEM_BY_TYPE,
    PTX_ELEM_NARROW = LW_ELEM_BY_TYPE,
    PTX_ELEM_BYTES = LW_ELEM_BY_TYPE,
    PTX_ELEM_PACKED = LW_ELEM_BY_TYPE,
};

#define LW_PTX_NOTE_4X_UE8M0                                                                                 \
    "from the PTX ISA manual, version 9.1; ptxas 13.0 rejects it, and whether the f targets have it is not " \
    "known"
#define LW_PTX_NOTE_SELECTORS                                                                                \
    "ptxas 13.0 also accepts the selectors 2 and 3, which the PTX ISA manual does not define"

#define PTX_ROW(name_, form_, m_, n_, k_, blocks_, a_, b_, c_, d_, family_, dot_, archs_, ...)               \
    { .mnemonic = name_,                                                                                     \
      .m = m_,                                                                                               \
      .n = n_,                                                                                               \
      .k = k_,                                                                                               \
      .blocks = blocks_,                                                                                     \
      .a = a_,                                                                                               \
      .b = b_,                                                                                               \
      .c = c_,                                                                                               \
      .d = d_,                                                                                               \
      .layout = LW_FAMILY_PTX_##family_,                                                                     \
      .mods = LW_MODS_PTX,                                                                                   \
      .dot = LW_DOT_##dot_,                                                                                  \
      .archs = archs_,                                                                                       \
      .ptx = &(const lw_ptx_row){ .form = LW_PTX_##form_, __VA_ARGS__ } },

/* A multiplication. The last arguments are the PTX ISA version and further fields of lw_ptx_row. */
#define PTX(name_, form_, m_, n_, k_, data_, c_, d_, layouts_, family_, dot_, archs_, ...)                   \
    PTX_ROW(name_, form_, m_, n_, k_, 1, PTX_ELEM_##data_, PTX_ELEM_##data_, LW_ELEM_##c_, LW_ELEM_##d_,     \
            family_, dot_, archs_, .data = LW_PTX_##data_, .layouts = LW_PTX_##layouts_, .isa = __VA_ARGS__)

/* m8n8k4 of f16: four products. */
#define PTX_QUADS(name_, c_, d_, dot_, archs_, ...)                                                          \
    PTX_ROW(name_, MMA, 8, 8, 4, 4, LW_ELEM_F16, LW_ELEM_F16, LW_ELEM_##c_, LW_ELEM_##d_, QP, dot_, archs_,  \
            .data = LW_PTX_F16, .layouts = LW_PTX_ANY_LAYOUT, .isa = __VA_ARGS__)

#define PTX_WHEN(fragment_, operand_, data_)                                                                 \
    (LW_OPERAND_##fragment_ == LW_OPERAND_##operand_ ? (int)PTX_ELEM_##data_ : (int)LW_ELEM_NONE)

/* A move of one operand. The last arguments as above. */
#define PTX_MOVE(name_, form_, fragment_, m_, n_, k_, data_, family_, archs_, ...)                           \
    PTX_ROW(name_, form_, m_, n_, k_, 1, PTX_WHEN(fragment_, A, data_), PTX_WHEN(fragment_, B, data_),       \
            PTX_WHEN(fragment_, C, data_), PTX_WHEN(fragment_, D, data_), family_, MOVE, archs_,             \
            .fragment = LW_OPERAND_##fragment_, .data = LW_PTX_##data_, .isa = __VA_ARGS__)

/* wgmma: may A and B be negated? May those of 16 bits be stored by rows or by columns in shared memory? */
#define PTX_NEGATES(data_) (LW_PTX_##data_ != LW_PTX_INT8 && LW_PTX_##data_ != LW_PTX_B1)
#define PTX_TURNS(data_)                                                                                     \
    (LW_PTX_##data_ == LW_PTX_F16 || LW_PTX_##data_ == LW_PTX_BF16 ? LW_PTX_ANY_LAYOUT : LW_PTX_ROW_COL)

/* A row of wgmma.inc with N columns. */
#define PTX_WGMMA(n_, pre_, post_, form_, k_, data_, d_, family_, dot_, ...)                                 \
    PTX_ROW(pre_ "m64n" #n_ post_, WG##form_, 64, n_, k_, 1, PTX_ELEM_##data_, PTX_ELEM_##data_,             \
            LW_ELEM_##d_, LW_ELEM_##d_, WG_##family_, dot_, SM_(90), .data = LW_PTX_##data_,                 \
            .layouts = PTX_TURNS(data_), .negates = PTX_NEGATES(data_), .isa = __VA_ARGS__)

/* A row of tcgen05.inc. Packed 4-bit elements lie side by side along k only. */
#define PTX_LIES(data_) (LW_PTX_##data_ == LW_PTX_E2M1 ? LW_PTX_ROW_COL : LW_PTX_ANY_LAYOUT)
#define PTX_TCGEN05(pre_, m_, n_, post_, form_, k_, data_, d_, family_, dot_, ...)                           \
    PTX_ROW(pre_ "m" #m_ "n" #n_ post_, TCGEN05_##form_, m_, n_, k_, 1, PTX_ELEM_##data_, PTX_ELEM_##data_,  \
            LW_ELEM_##d_, LW_ELEM_##d_, TM_##family_, dot_, SM_(100A), .data = LW_PTX_##data_,               \
            .layouts = PTX_LIES(data_), .negates = PTX_NEGATES(data_), .needs_kind = true,                   \
            .isa = __VA_ARGS__)

#endif

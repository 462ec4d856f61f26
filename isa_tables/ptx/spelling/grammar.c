/* SPDX-License-Identifier: MIT */
#include "isa_tables/ptx/spelling/grammar.h"

#include "isa_tables/ptx/row.h"

const lw_ptx_word lw_ptx_words[] = {
    { "sync", SLOT_SYNC, 0 },
    { "aligned", SLOT_ALIGNED, 0 },
    { "sp", SLOT_SPARSE, 0 },
    { "sp::ordered_metadata", SLOT_SPARSE, 1 },
    { "a", SLOT_FRAGMENT, LW_OPERAND_A },
    { "b", SLOT_FRAGMENT, LW_OPERAND_B },
    { "c", SLOT_FRAGMENT, LW_OPERAND_C },
    { "d", SLOT_FRAGMENT, LW_OPERAND_D },
    { "row", SLOT_LAYOUT, 0 },
    { "col", SLOT_LAYOUT, 1 },
    { "satfinite", SLOT_SATFINITE, 1 },
    { "rn", SLOT_ROUND, LW_PTX_RN },
    { "rz", SLOT_ROUND, LW_PTX_RZ },
    { "rm", SLOT_ROUND, LW_PTX_RM },
    { "rp", SLOT_ROUND, LW_PTX_RP },
    { "kind::f8f6f4", SLOT_KIND, LW_PTX_KIND_F8F6F4 },
    { "kind::mxf8f6f4", SLOT_KIND, LW_PTX_KIND_MXF8F6F4 },
    { "kind::mxf4", SLOT_KIND, LW_PTX_KIND_MXF4 },
    { "kind::mxf4nvf4", SLOT_KIND, LW_PTX_KIND_MXF4NVF4 },
    { "kind::f16", SLOT_KIND, LW_PTX_KIND_F16 },
    { "kind::tf32", SLOT_KIND, LW_PTX_KIND_TF32 },
    { "kind::i8", SLOT_KIND, LW_PTX_KIND_I8 },
    { "block_scale", SLOT_BLOCK_SCALE, 1 },
    { "block16", SLOT_BLOCK, 16 },
    { "block32", SLOT_BLOCK, 32 },
    { "cta_group::1", SLOT_GROUP, 1 },
    { "scale_vec::1X", SLOT_SCALE_VEC, 1 },
    { "scale_vec::2X", SLOT_SCALE_VEC, 2 },
    { "scale_vec::4X", SLOT_SCALE_VEC, 4 },
    { "f16", SLOT_TYPE, LW_ELEM_F16 },
    { "bf16", SLOT_TYPE, LW_ELEM_BF16 },
    { "tf32", SLOT_TYPE, LW_ELEM_TF32 },
    { "f32", SLOT_TYPE, LW_ELEM_F32 },
    { "f64", SLOT_TYPE, LW_ELEM_F64 },
    { "e4m3", SLOT_TYPE, LW_ELEM_E4M3 },
    { "e5m2", SLOT_TYPE, LW_ELEM_E5M2 },
    { "e3m2", SLOT_TYPE, LW_ELEM_E3M2 },
    { "e2m3", SLOT_TYPE, LW_ELEM_E2M3 },
    { "e2m1", SLOT_TYPE, LW_ELEM_E2M1 },
    { "s8", SLOT_TYPE, LW_ELEM_S8 },
    { "u8", SLOT_TYPE, LW_ELEM_U8 },
    { "s4", SLOT_TYPE, LW_ELEM_S4 },
    { "u4", SLOT_TYPE, LW_ELEM_U4 },
    { "b1", SLOT_TYPE, LW_ELEM_B1 },
    { "s32", SLOT_TYPE, LW_ELEM_S32 },
    { "b16", SLOT_TYPE, LW_ELEM_B16 },
    { "b8", SLOT_TYPE, LW_ELEM_B8 },
    { "b6x16_p32", SLOT_TYPE, LW_ELEM_B6X16 },
    { "b4x16_p64", SLOT_TYPE, LW_ELEM_B4X16 },
    { "b8x16", SLOT_PACKED, 1 },
    { "ue8m0", SLOT_SCALE_TYPE, LW_ELEM_UE8M0 },
    { "ue4m3", SLOT_SCALE_TYPE, LW_ELEM_UE4M3 },
    { "xor", SLOT_OP, 1 },
    { "and", SLOT_OP, 2 },
    { "popc", SLOT_POPC, 1 },
    { "x1", SLOT_COUNT, 1 },
    { "x2", SLOT_COUNT, 2 },
    { "x4", SLOT_COUNT, 4 },
    { "trans", SLOT_TRANS, 1 },
    { "global", SLOT_SPACE, 1 },
    { "shared", SLOT_SPACE, 2 },
    { "shared::cta", SLOT_SPACE, 3 },
};

const size_t lw_ptx_word_count = sizeof(lw_ptx_words) / sizeof(lw_ptx_words[0]);

#define MUST(slot_)                                                                                          \
    {                                                                                                        \
        SLOT_##slot_, false                                                                                  \
    }
#define MAY(slot_)                                                                                           \
    {                                                                                                        \
        SLOT_##slot_, true                                                                                   \
    }

const lw_ptx_grammar lw_ptx_grammars[] = {
    { "wgmma.mma_async",
      LW_PTX_WGMMA,
      "wgmma.mma_async[.sp].sync.aligned.SHAPE[.satfinite].D.A.B[.and.popc]",
      { MAY(SPARSE), MUST(SYNC), MUST(ALIGNED), MUST(SHAPE), MAY(SATFINITE), MUST(TYPE), MUST(TYPE),
        MUST(TYPE), MAY(OP), MAY(POPC) } },
    { "tcgen05.mma",
      LW_PTX_TCGEN05_MMA,
      "tcgen05.mma[.sp].cta_group::1.kind::KIND[.block_scale[.block16|.block32|.scale_vec::NX]] and, for its "
      "instruction descriptor, .SHAPE.D.A.B[.SCALE_TYPE][.satfinite] or .idesc::0xNNNNNNNN",
      { MAY(SPARSE), MUST(GROUP), MUST(KIND), MAY(BLOCK_SCALE), MAY(SCALE_VEC), MAY(BLOCK), MUST(SHAPE),
        MUST(TYPE), MUST(TYPE), MUST(TYPE), MAY(SCALE_TYPE), MAY(SATFINITE) } },
    { "wmma.mma",
      LW_PTX_WMMA_MMA,
      "wmma.mma[.xor.popc|.and.popc].sync.aligned.LAYOUT_A.LAYOUT_B.SHAPE[.ROUND].D[.A.B].C[.satfinite]",
      { MAY(OP), MAY(POPC), MUST(SYNC), MUST(ALIGNED), MUST(LAYOUT), MUST(LAYOUT), MUST(SHAPE), MAY(ROUND),
        MUST(TYPE), MUST(TYPE), MAY(TYPE), MAY(TYPE), MAY(SATFINITE) } },
    { "wmma.load",
      LW_PTX_WMMA_LOAD,
      "wmma.load.{a,b,c}.sync.aligned.LAYOUT.SHAPE[.SPACE].TYPE",
      { MUST(FRAGMENT), MUST(SYNC), MUST(ALIGNED), MUST(LAYOUT), MUST(SHAPE), MAY(SPACE), MUST(TYPE) } },
    { "wmma.store",
      LW_PTX_WMMA_STORE,
      "wmma.store.d.sync.aligned.LAYOUT.SHAPE[.SPACE].TYPE",
      { MUST(FRAGMENT), MUST(SYNC), MUST(ALIGNED), MUST(LAYOUT), MUST(SHAPE), MAY(SPACE), MUST(TYPE) } },
    { "ldmatrix",
      LW_PTX_LDMATRIX,
      "ldmatrix.sync.aligned.SHAPE.{x1,x2,x4}[.trans][.SPACE].{b16,b8,b8x16.b6x16_p32,b8x16.b4x16_p64}",
      { MUST(SYNC), MUST(ALIGNED), MUST(SHAPE), MUST(COUNT), MAY(TRANS), MAY(SPACE), MAY(PACKED),
        MUST(TYPE) } },
    { "stmatrix",
      LW_PTX_STMATRIX,
      "stmatrix.sync.aligned.SHAPE.{x1,x2,x4}[.trans][.SPACE].{b16,b8}",
      { MUST(SYNC), MUST(ALIGNED), MUST(SHAPE), MUST(COUNT), MAY(TRANS), MAY(SPACE), MUST(TYPE) } },
    { "movmatrix",
      LW_PTX_MOVMATRIX,
      "movmatrix.sync.aligned.m8n8.trans.b16",
      { MUST(SYNC), MUST(ALIGNED), MUST(SHAPE), MUST(TRANS), MUST(TYPE) } },
    { "mma",
      LW_PTX_MMA,
      "mma[.sp|.sp::ordered_metadata].sync.aligned.SHAPE.LAYOUT_A.LAYOUT_B[.satfinite][.ROUND]"
      "[.kind::KIND[.block_scale[.scale_vec::NX]]].D.A.B.C[.SCALE_TYPE][.xor.popc|.and.popc]",
      { MAY(SPARSE), MUST(SYNC), MUST(ALIGNED), MUST(SHAPE), MUST(LAYOUT), MUST(LAYOUT), MAY(SATFINITE),
        MAY(ROUND), MAY(KIND), MAY(BLOCK_SCALE), MAY(SCALE_VEC), MUST(TYPE), MUST(TYPE), MUST(TYPE),
        MUST(TYPE), MAY(SCALE_TYPE), MAY(OP), MAY(POPC) } },
};

const size_t lw_ptx_grammar_count = sizeof(lw_ptx_grammars) / sizeof(lw_ptx_grammars[0]);

const lw_ptx_sequence lw_ptx_sequences[] = {
    { SLOT_OP, SLOT_POPC, ".xor and .and stand before .popc" },
    { SLOT_TYPE, SLOT_SCALE_TYPE, "the type of the scales stands after those of D, A, B and C" },
    { SLOT_PACKED, SLOT_TYPE, ".b8x16 stands before .b6x16_p32 and .b4x16_p64" },
};

const size_t lw_ptx_sequence_count = sizeof(lw_ptx_sequences) / sizeof(lw_ptx_sequences[0]);

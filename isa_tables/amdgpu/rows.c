/* SPDX-License-Identifier: MIT */
#include "isa_tables/amdgpu/rows.h"

#include <stddef.h>

#include "isa_tables/matrix_index.h"

/* The short words that rows use in their modifier and effect columns. */
enum {
    N0 = LW_MOD_NEG | LW_MOD_ABS,
    N1 = N0 << 1,
    N01 = N0 | N1,
    N2 = N0 << 2,
    N02 = N0 | N0 << 2,
    N012 = N02 | N1,
    NEG012 = 7 * LW_MOD_NEG,
    I0 = LW_MOD_IGN,
    I1 = I0 << 1,
    I2 = I0 << 2,
    I01 = I0 | I1,
    I12 = I1 | I2,
    I012 = I01 | I2,
    CLAMP = LW_MOD_CLAMP,
    OMOD = LW_MOD_OMOD,
    OPSEL = LW_OPSEL_ALL << LW_MOD_OPSEL_SHIFT,
    OPSEL2 = LW_OPSEL_TWO << LW_MOD_OPSEL_SHIFT,
    OPSEL3 = LW_OPSEL_ALL << LW_MOD_OPSEL_SHIFT,
    NO_OPSEL = LW_OPSEL_NONE << LW_MOD_OPSEL_SHIFT,
    NO_OPSEL2 = LW_OPSEL_NOT2 << LW_MOD_OPSEL_SHIFT,
    BCFI = LW_OPSEL_BOUND_FI << LW_MOD_OPSEL_SHIFT,
    OPSELB = LW_OPSEL_BYTES << LW_MOD_OPSEL_SHIFT,
    BYTE_SEL = LW_OPSEL_BYTE_SEL << LW_MOD_OPSEL_SHIFT,
    SDWA = LW_MOD_SDWA,
    DPP = LW_MOD_DPP,
    NO_VOP3 = LW_MOD_NO_VOP3,
    K1 = LW_MOD_K1,
    K2 = LW_MOD_K2,
    MIX = LW_MOD_MIX,
    BITOP3 = LW_MOD_BITOP3,
    SPARSE = LW_MOD_SPARSE,
    F8F6F4 = LW_MOD_F8F6F4,
    NEG_BLGP = LW_MOD_NEG_BLGP,
    SCALED = LW_MOD_SCALED,
    LD_SCALE = LW_MOD_LD_SCALE,
    WHOLE = LW_MOD_SDWA_WHOLE,
    NO_DPP = LW_MOD_NO_DPP,
    BARE = LW_MOD_BARE,
    SCALE_SEL = LW_MOD_SCALE_SEL,
    MIXB = LW_MOD_MIX | LW_MOD_MIX_BF16,

    R_SCC = LW_OPF_R_SCC,
    W_SCC = LW_OPF_W_SCC,
    R_VCC = LW_OPF_R_VCC,
    R_EXEC = LW_OPF_R_EXEC,
    W_EXEC = LW_OPF_W_EXEC,
    R_M0 = LW_OPF_R_M0,
    W_M0 = LW_OPF_W_M0,
    W_MODE = LW_OPF_W_MODE,
    TIED = LW_OPF_TIED,
    SWAP = LW_OPF_SWAP,
    CARRY_IN = LW_OPF_CARRY_IN,
    CARRY_OUT = LW_OPF_CARRY_OUT,
    BRANCH = LW_OPF_BRANCH,
    NO_EXEC = LW_OPF_NO_EXEC,
    LOAD = LW_OPF_LOAD,
    STORE = LW_OPF_STORE,
    ATOMIC = LW_OPF_ATOMIC,
    D16 = LW_OPF_D16,
    D16_HI = LW_OPF_D16_HI,
    OFF2 = LW_OPF_OFF2,
    NOADDR = LW_OPF_NOADDR,
    NOOFF = LW_OPF_NOOFF,
    NOGDS = LW_OPF_NOGDS,
    SWIZZLE = LW_OPF_SWIZZLE,
    LDS = LW_OPF_LDS,
    LDS_WIDE = LW_OPF_LDS_WIDE,
    OLD_LDS = LW_OPF_OLD_LDS,
    FORMAT = LW_OPF_FORMAT,
    GWS = LW_OPF_GWS,
    ONE_LANE = LW_OPF_ONE_LANE,
    FLUSHED = LW_OPF_FLUSHED,
    MAI_FLAGS_none = LW_OPF_NO_EXEC, /* by semantics: moves of accumulation registers obey EXEC */
    MAI_FLAGS_v_accvgpr_read_b32 = 0,
    MAI_FLAGS_v_accvgpr_write_b32 = 0,
    MAI_HAZARD_none = LW_HAZARD_XDL, /* the first half of a scaled matrix instruction */
    MAI_HAZARD_v_accvgpr_read_b32 = LW_HAZARD_ACC_READ,
    MAI_HAZARD_v_accvgpr_write_b32 = LW_HAZARD_ACC_WRITE,

    /* what families and modifier rules of matrix.inc mean to the decoder */
    MAI_FAMILY_MFMA = 0,
    MAI_FAMILY_F8F6F4 = LW_MOD_F8F6F4,
    MAI_FAMILY_SMFMAC = LW_MOD_SPARSE,
    MAI_FAMILY_SMFMAC_X2 = LW_MOD_SPARSE,
    MAI_FAMILY_WMMA = 0,
    MAI_FAMILY_SWMMAC = LW_MOD_SPARSE,
    MAI_RULE_DENSE_BLOCKS = 0,
    MAI_RULE_DENSE_BLGP = 0,
    MAI_RULE_DENSE_NONE = 0,
    MAI_RULE_F64 = LW_MOD_NEG_BLGP,
    MAI_RULE_SMFMAC = 0,
    MAI_RULE_FORMATS = 0,
    MAI_RULE_SCALED = LW_MOD_SCALED,
    /* inline constants of an f64 accumulator are doubles; others have the bits of 32-bit constants */
    MAI_C_F64 = LW_TYPE_F64,
    MAI_C_F32 = LW_TYPE_WIDE,
    MAI_C_I32 = LW_TYPE_WIDE,
    WMMA_C_F32 = LW_TYPE_F32,
    WMMA_C_I32 = LW_TYPE_I32,
    WMMA_C_F16 = LW_TYPE_F16,
    WMMA_C_BF16 = LW_TYPE_BF16,

    IMG_SAMPLER = LW_IMAGE_SAMPLER,
    IMG_GRADIENTS = LW_IMAGE_GRADIENTS,
    IMG_LOD = LW_IMAGE_LOD,
    IMG_G16 = LW_IMAGE_G16,
    IMG_GATHER = LW_IMAGE_GATHER,
    IMG_NO_COORDS = LW_IMAGE_NO_COORDS,
    IMG_NO_D16 = LW_IMAGE_NO_D16,
    IMG_PAIR = LW_IMAGE_PAIR,
    IMG_BVH = LW_IMAGE_BVH,
    ATTR = LW_INTERP_ATTR,
    CORNER = LW_INTERP_CORNER,
    HIGH = LW_INTERP_HIGH,
    DIVIDES = LW_INTERP_OMOD,
    WAITS = LW_INTERP_WAIT,
    HALVES = LW_INTERP_OPSEL,

    R = 1,
    W = 2,
    RW = 3,
    NO = 0,
    SEG_G = 1 << LW_SEG_GLOBAL,
    SEG_GS = SEG_G | 1 << LW_SEG_SCRATCH,
    SEG_FG = SEG_G | 1 << LW_SEG_FLAT,
    SEG_FGS = SEG_FG | SEG_GS,
    SEG_N = SEG_G | LW_SEG_NAMED,
    SEG_NULL = SEG_N | LW_SEG_NULL,
};

/* clang-format off */
/* Words of the effects column that fill columns of their own; they use the bits above the 32 of LW_OPF_*. */
#define HAZARD_WORD(class) ((uint64_t)LW_HAZARD_##class << 32)
#define TRANS HAZARD_WORD(TRANS)
#define DOT HAZARD_WORD(DOT)
#define FMA64 HAZARD_WORD(FMA64)
#define DIV_FMAS HAZARD_WORD(DIV_FMAS)
#define LANE HAZARD_WORD(LANE)
#define PERMLANE HAZARD_WORD(PERMLANE)
#define LANE_SWAP HAZARD_WORD(LANE_SWAP)
#define WAIT_ALU HAZARD_WORD(WAIT_ALU)
#define SETREG HAZARD_WORD(SETREG)
#define GETREG HAZARD_WORD(GETREG)
#define RFE HAZARD_WORD(RFE)
#define TRAFFIC_WORD(traffic) ((uint64_t)LW_TRAFFIC_##traffic << 40)
#define INV TRAFFIC_WORD(INVALIDATE)
#define INVL1 TRAFFIC_WORD(INVALIDATE_L1)
#define WB TRAFFIC_WORD(WRITE_BACK)
#define MESSAGE TRAFFIC_WORD(MESSAGE)
#define WAIT_WORD(wait) ((uint64_t)LW_WAIT_##wait << 48)
#define WAIT_FIELDS WAIT_WORD(FIELDS)
#define WAIT_VS WAIT_WORD(VS)
#define WAIT_VM WAIT_WORD(VM)
#define WAIT_EXP WAIT_WORD(EXP)
#define WAIT_LGKM WAIT_WORD(LGKM)
#define WAIT_IDLE WAIT_WORD(IDLE)
#define WAIT_KM WAIT_WORD(KM)
#define WAIT_ASYNC WAIT_WORD(ASYNC)
#define WAIT_TENSOR WAIT_WORD(TENSOR)
#define WAIT_X WAIT_WORD(X)
#define WAIT_LOAD_DS WAIT_WORD(LOAD_DS)
#define WAIT_STORE_DS WAIT_WORD(STORE_DS)
#define PART_WORD(part) ((uint64_t)LW_PART_##part << 56)
#define TURNS(lanes) ((uint64_t)(lanes) / 8 << 60)
#define TURNS_8 TURNS(8)
#define TURNS_16 TURNS(16)
#define TURNS_32 TURNS(32)
#define TO_HALF (TIED | PART_WORD(HALF))
#define TO_BYTE (TIED | PART_WORD(BYTE))

/* The columns that a row's words fill. Where no word does, encoding class and flags decide. */
#define WORD(words, shift) ((uint8_t)((uint64_t)(words) >> (shift) & 0xff))
#define OR_ELSE(word, other) ((word) ? (word) : (other))
#define EFFECTS(words, traffic_, hazard_) \
    .flags = (uint32_t)((uint64_t)(words) & UINT32_MAX), .hazard = OR_ELSE(WORD(words, 32), LW_HAZARD_##hazard_), \
    .traffic = OR_ELSE(WORD(words, 40), traffic_), .wait = WORD(words, 48), .part = WORD(words, 56) & 15, \
    .exchange = WORD(words, 60) * 8
#define ACCESS_TRAFFIC(words) \
    ((words) & ATOMIC ? LW_TRAFFIC_ATOMIC : (words) & STORE ? LW_TRAFFIC_STORE : (words) & LOAD ? LW_TRAFFIC_LOAD : LW_TRAFFIC_NONE)
#define DS_TRAFFIC(words) ((words) & GWS ? LW_TRAFFIC_GDS : LW_TRAFFIC_LDS)
#define SMEM_TRAFFIC(kind, bytes) SMEM_TRAFFIC_##kind(bytes)
#define SMEM_TRAFFIC_SM_LOAD(bytes) ((bytes) > 4 ? LW_TRAFFIC_SCALAR_WIDE : LW_TRAFFIC_SCALAR)
#define SMEM_TRAFFIC_SM_STORE(bytes) LW_TRAFFIC_SCALAR_STORE
#define SMEM_TRAFFIC_SM_ATOMIC(bytes) LW_TRAFFIC_SCALAR_ATOMIC
#define SMEM_TRAFFIC_SM_INV(bytes) LW_TRAFFIC_SCALAR_INVALIDATE
#define SMEM_TRAFFIC_SM_INV_L1(bytes) LW_TRAFFIC_SCALAR_INVALIDATE_L1
#define SMEM_TRAFFIC_SM_WB(bytes) LW_TRAFFIC_SCALAR_WRITE_BACK
#define SMEM_TRAFFIC_SM_TIME(bytes) LW_TRAFFIC_TIME
#define SMEM_TRAFFIC_SM_PROBE(bytes) LW_TRAFFIC_SCALAR_PROBE
#define SMEM_TRAFFIC_SM_DISCARD(bytes) LW_TRAFFIC_SCALAR_PROBE
#define SMEM_TRAFFIC_SM_PREFETCH(bytes) LW_TRAFFIC_SCALAR_PROBE

/* The operand words of rows, by token pasting: T(F32), T(S(B32)), T(AV(4)). */
#define T(word) T_##word
#define T_NONE {LW_TYPE_NONE, 0, 0}
#define T_B16 {LW_TYPE_B16, 1, 0}
#define T_I16 {LW_TYPE_I16, 1, 0}
#define T_U16 {LW_TYPE_U16, 1, 0}
#define T_F16 {LW_TYPE_F16, 1, 0}
#define T_BF16 {LW_TYPE_BF16, 1, 0}
#define T_V2F16 {LW_TYPE_V2F16, 1, 0}
#define T_V2BF16 {LW_TYPE_V2BF16, 1, 0}
#define T_V2I16 {LW_TYPE_V2I16, 1, 0}
#define T_B32 {LW_TYPE_B32, 1, 0}
#define T_I32 {LW_TYPE_I32, 1, 0}
#define T_U32 {LW_TYPE_U32, 1, 0}
#define T_F32 {LW_TYPE_F32, 1, 0}
#define T_V2F32 {LW_TYPE_V2F32, 2, 0}
#define T_V2B32 {LW_TYPE_V2B32, 2, 0}
#define T_B64 {LW_TYPE_B64, 2, 0}
#define T_I64 {LW_TYPE_I64, 2, 0}
#define T_U64 {LW_TYPE_U64, 2, 0}
#define T_F64 {LW_TYPE_F64, 2, 0}
#define T_B96 {LW_TYPE_WIDE, 3, 0}
#define T_B128 {LW_TYPE_WIDE, 4, 0}
#define T_B192 {LW_TYPE_WIDE, 6, 0}
#define T_B256 {LW_TYPE_WIDE, 8, 0}
#define T_B512 {LW_TYPE_WIDE, 16, 0}
#define T_B1024 {LW_TYPE_WIDE, 32, 0}
#define T_IMM(kind) {LW_TYPE_B32, 0, LW_REG_IMM}
#define T_S(type) {LW_TYPE_##type, 1, LW_REG_SCALAR}
#define T_SR(type) {LW_TYPE_##type, LW_TYPE_##type == LW_TYPE_B64 ? 2 : 1, LW_REG_SGPR}
#define T_V(type) {LW_TYPE_##type, LW_TYPE_##type == LW_TYPE_V2F32 || LW_TYPE_##type == LW_TYPE_B64 ? 2 : 1, LW_REG_VECTOR}
#define T_I(type) {LW_TYPE_##type, LW_TYPE_##type == LW_TYPE_B64 ? 2 : 1, LW_REG_SRC}
#define T_A(type) {LW_TYPE_##type, 1, LW_REG_ACC}

/* The same for moves of accumulation registers, whose operands are given by register class. */
#define M(word) M_##word
#define M_NONE {LW_TYPE_NONE, 0, 0}
#define M_V(n) {LW_TYPE_B32, n, LW_REG_VECTOR}
#define M_A(n) {LW_TYPE_B32, n, LW_REG_ACC}
#define M_SRC(n) {LW_TYPE_B32, n, LW_REG_SRC}

#define HEAD(id_, enc_, sem_, ev_, ...)                                                                      \
    .name = #id_, .sem = #sem_, .on = { __VA_ARGS__ }, .enc = LW_ENC_##enc_, .evidence = LW_EV_##ev_

#define ON(arch) [LW_ARCH_##arch - LW_ARCH_GFX908]
#define G9(op) G8A(op) G94(op)
#define G9A(op) G90A(op) G94(op)
#define G94(op) G942(op) G950(op)
#define G8A(op) G908(op) G90A(op)
#define S90A(op, segments_) ON(GFX90A) = { .code = (op) + 1, .segments = segments_ },
#define S908(op, segments_) ON(GFX908) = { .code = (op) + 1, .segments = segments_, .no_return = true },
#define R908(op) ON(GFX908) = { .code = (op) + 1, .no_return = true },
#define G908(op) ON(GFX908) = { .code = (op) + 1 },
#define N908(op, name_) ON(GFX908) = { .code = (op) + 1, .name = #name_ },
#define G90A(op) ON(GFX90A) = { .code = (op) + 1 },
#define G942(op) ON(GFX942) = { .code = (op) + 1 },
#define G950(op) ON(GFX950) = { .code = (op) + 1 },
#define G11(op) ON(GFX1100) = { .code = (op) + 1 }, \
    ON(GFX1150) = { .code = (op) + 1 },
#define N11(op, name_) ON(GFX1100) = { .code = (op) + 1, .name = #name_ }, \
    ON(GFX1150) = { .code = (op) + 1, .name = #name_ },
#define E11(op, name_, enc_) ON(GFX1100) = { .code = (op) + 1, .name = #name_, .enc = LW_ENC_##enc_ + 1 }, \
    ON(GFX1150) = { .code = (op) + 1, .name = #name_, .enc = LW_ENC_##enc_ + 1 },
#define D11(op) ON(GFX1100).dual = (op) + 1, \
    ON(GFX1150).dual = (op) + 1,
#define P11(op, name_) ON(GFX1100) = { .dual = (op) + 1, .name = #name_ }, \
    ON(GFX1150) = { .dual = (op) + 1, .name = #name_ },
#define M11(op, name_, mods_) ON(GFX1100) = { .code = (op) + 1, .name = #name_, .mods = mods_, .own_mods = true }, \
    ON(GFX1150) = { .code = (op) + 1, .name = #name_, .mods = mods_, .own_mods = true },

/* what came with gfx1150 */
#define G115(op) ON(GFX1150) = { .code = (op) + 1 },
#define M115(op, name_, mods_) ON(GFX1150) = { .code = (op) + 1, .name = #name_, .mods = mods_, .own_mods = true },

/* gfx1201 and gfx1250; one of them */
#define G12(op) G120(op) G125(op)
#define N12(op, name_) N120(op, name_) N125(op, name_)
#define S12(op, name_, segments_) S120(op, name_, segments_) S125(op, name_, segments_)
#define E12(op, name_, enc_) E120(op, name_, enc_) E125(op, name_, enc_)
#define D12(op) D120(op) D125(op)
#define P12(op, name_) P120(op, name_) P125(op, name_)
#define M12(op, name_, mods_) M120(op, name_, mods_) M125(op, name_, mods_)
#define G120(op) ON(GFX1201) = { .code = (op) + 1 },
#define N120(op, name_) ON(GFX1201) = { .code = (op) + 1, .name = #name_ },
#define S120(op, name_, segments_) ON(GFX1201) = { .code = (op) + 1, .name = #name_, .segments = segments_ },
#define E120(op, name_, enc_) ON(GFX1201) = { .code = (op) + 1, .name = #name_, .enc = LW_ENC_##enc_ + 1 },
#define D120(op) ON(GFX1201).dual = (op) + 1,
#define P120(op, name_) ON(GFX1201) = { .dual = (op) + 1, .name = #name_ },
#define M120(op, name_, mods_) ON(GFX1201) = { .code = (op) + 1, .name = #name_, .mods = mods_, .own_mods = true },
#define G125(op) ON(GFX1250) = { .code = (op) + 1 },
#define N125(op, name_) ON(GFX1250) = { .code = (op) + 1, .name = #name_ },
#define S125(op, name_, segments_) ON(GFX1250) = { .code = (op) + 1, .name = #name_, .segments = segments_ },
#define E125(op, name_, enc_) ON(GFX1250) = { .code = (op) + 1, .name = #name_, .enc = LW_ENC_##enc_ + 1 },
#define D125(op) ON(GFX1250).dual = (op) + 1,
#define P125(op, name_) ON(GFX1250) = { .dual = (op) + 1, .name = #name_ },
#define M125(op, name_, mods_) ON(GFX1250) = { .code = (op) + 1, .name = #name_, .mods = mods_, .own_mods = true },

/* gfx1251's DPP of 64-bit values and 32-bit factors */
#define W1251 ON(GFX1250).dpp_share = true,

#define SOP1(id_, codes_, d, s0, effects, sem_, ev_) [LW_OP_##id_] = { \
    HEAD(id_, SOP1, sem_, ev_, codes_), .dst = T(d), .src = {T(s0)}, EFFECTS(effects, LW_TRAFFIC_NONE, SALU) },
#define SOP2(id_, codes_, d, s0, s1, effects, sem_, ev_) [LW_OP_##id_] = { \
    HEAD(id_, SOP2, sem_, ev_, codes_), .dst = T(d), .src = {T(s0), T(s1)}, EFFECTS(effects, LW_TRAFFIC_NONE, SALU) },
#define SOPC(id_, codes_, s0, s1, effects, sem_, ev_) [LW_OP_##id_] = { \
    HEAD(id_, SOPC, sem_, ev_, codes_), .src = {T(s0), T(s1)}, EFFECTS(effects, LW_TRAFFIC_NONE, SALU) },
#define SOPK(id_, codes_, d, access_, kind_, effects, sem_, ev_) [LW_OP_##id_] = { \
    HEAD(id_, SOPK, sem_, ev_, codes_), .dst = T(d), .access = access_, .imm = LW_IMM_##kind_, EFFECTS(effects, LW_TRAFFIC_NONE, SALU) },
#define SOPP(id_, codes_, kind_, effects, sem_, ev_) [LW_OP_##id_] = { \
    HEAD(id_, SOPP, sem_, ev_, codes_), .imm = LW_IMM_##kind_, EFFECTS(effects, LW_TRAFFIC_NONE, OTHER) },
#define SMEM(id_, codes_, d, base_, bytes_, kind_, sem_, ev_) [LW_OP_##id_] = { \
    HEAD(id_, SMEM, sem_, ev_, codes_), .dst = T(d), .base = base_, .bytes = bytes_, .kind = LW_##kind_, \
    .traffic = SMEM_TRAFFIC(kind_, bytes_), .hazard = LW_HAZARD_SMEM },
#define VOP1(id_, codes_, d, s0, mods_, effects, sem_, ev_) [LW_OP_##id_] = { \
    HEAD(id_, VOP1, sem_, ev_, codes_), .dst = T(d), .src = {T(s0)}, .mods = mods_, EFFECTS(effects, LW_TRAFFIC_NONE, VALU) },
#define VOP2(id_, codes_, d, s0, s1, mods_, effects, sem_, ev_) [LW_OP_##id_] = { \
    HEAD(id_, VOP2, sem_, ev_, codes_), .dst = T(d), .src = {T(s0), T(s1)}, .mods = mods_, EFFECTS(effects, LW_TRAFFIC_NONE, VALU) },
#define VOPC(id_, codes_, s0, s1, mods_, effects, sem_, ev_) [LW_OP_##id_] = { \
    HEAD(id_, VOPC, sem_, ev_, codes_), .dst = {LW_TYPE_MASK, 2, LW_REG_SCALAR}, \
    .src = {T(s0), T(s1)}, .mods = mods_, EFFECTS(effects, LW_TRAFFIC_NONE, VALU) },
#define VOP3(id_, codes_, d, s0, s1, s2, mods_, effects, sem_, ev_) [LW_OP_##id_] = { \
    HEAD(id_, VOP3, sem_, ev_, codes_), .dst = T(d), .src = {T(s0), T(s1), T(s2)}, .mods = mods_, EFFECTS(effects, LW_TRAFFIC_NONE, VALU) },
#define VOP3P(id_, codes_, d, s0, s1, s2, mods_, effects, sem_, ev_) [LW_OP_##id_] = { \
    HEAD(id_, VOP3P, sem_, ev_, codes_), .dst = T(d), .src = {T(s0), T(s1), T(s2)}, .mods = mods_, EFFECTS(effects, LW_TRAFFIC_NONE, VALU) },
#define MAI(id_, codes_, d, a, b, c, mods_, sem_, ev_) [LW_OP_##id_] = { \
    HEAD(id_, MAI, sem_, ev_, codes_), .dst = M(d), .src = {M(a), M(b), M(c)}, .mods = mods_, \
    .flags = MAI_FLAGS_##sem_, .hazard = MAI_HAZARD_##sem_ },

#define IMAGE(id_, codes_, kind_, extra_, flags_, sem_, ev_) [LW_OP_##id_] = { \
    HEAD(id_, MIMG, sem_, ev_, codes_), .kind = kind_, .bytes = extra_, EFFECTS(flags_, ACCESS_TRAFFIC(flags_), MEMORY) },
#define EXP(id_, codes_, sem_, ev_) [LW_OP_##id_] = { HEAD(id_, EXP, sem_, ev_, codes_), EFFECTS(0, LW_TRAFFIC_NONE, MEMORY) },
#define VINTRP(id_, codes_, d, s0, s1, s2, kind_, sem_, ev_) [LW_OP_##id_] = { \
    HEAD(id_, VINTRP, sem_, ev_, codes_), .dst = T(d), .src = {T(s0), T(s1), T(s2)}, .kind = kind_, EFFECTS(0, LW_TRAFFIC_NONE, VALU) },
#define VINTERP(id_, codes_, d, s0, s1, s2, kind_, sem_, ev_) [LW_OP_##id_] = { \
    HEAD(id_, VINTERP, sem_, ev_, codes_), .dst = T(d), .src = {T(s0), T(s1), T(s2)}, .kind = kind_, EFFECTS(0, LW_TRAFFIC_NONE, VALU) },
#define LDSDIR(id_, codes_, kind_, sem_, ev_) [LW_OP_##id_] = { \
    HEAD(id_, LDSDIR, sem_, ev_, codes_), .dst = {LW_TYPE_B32, 1, 0}, .kind = kind_, EFFECTS(0, LW_TRAFFIC_NONE, MEMORY) },
#define TENSOR(id_, codes_, flags_, sem_, ev_) [LW_OP_##id_] = { \
    HEAD(id_, TENSOR, sem_, ev_, codes_), EFFECTS((flags_) | NO_EXEC, LW_TRAFFIC_TENSOR, MEMORY) },

/*
 * A row of matrix.inc as machine code has it. The third source is C (an accumulator or a constant), or, in sparse
 * instructions, whose C is D, the register of the index. CBSZ and BLGP name formats of at most 8 bits; printer and
 * decoder take fewer registers for narrower ones. The opcode of a 16-byte form is that of its second half plus
 * 0x100.
 */
#define OP(on908, on90a, on942, on950) on908, on90a, on942, on950
#define MATRIX_CODE(op, scale_k) ((op) ? (op) + LW_SCALED_OPCODES(scale_k) + 1 : 0)
#define MATRIX_CODES_(scale_k, on908, on90a, on942, on950) { \
    ON(GFX908) = { .code = MATRIX_CODE(on908, scale_k) }, \
    ON(GFX90A) = { .code = MATRIX_CODE(on90a, scale_k) }, \
    ON(GFX942) = { .code = MATRIX_CODE(on942, scale_k) }, ON(GFX950) = { .code = MATRIX_CODE(on950, scale_k) } }
#define MATRIX_CODES(...) MATRIX_CODES_(__VA_ARGS__)
#define MATRIX_BITS(elem) (LW_ELEM_BITS_##elem ? LW_ELEM_BITS_##elem : 8)
#define MATRIX_REGS(rows, columns, blocks, elem) ((rows) * (columns) * (blocks) * MATRIX_BITS(elem) / (64 * 32))
#define MATRIX_HAZARD(a) \
    (LW_ELEM_##a == LW_ELEM_F64 ? LW_HAZARD_DGEMM : LW_ELEM_##a == LW_ELEM_F32 ? LW_HAZARD_SGEMM : LW_HAZARD_XDL)
#define MATRIX_SPARSE(family) ((MAI_FAMILY_##family & LW_MOD_SPARSE) != 0)
#define MATRIX(id_, alias1, alias2, op_, passes, m, n, k, blocks, a, b, d, scale_k, family, rule, dot) [LW_OP_##id_] = { \
    .name = #id_, .sem = "matrix", .insn = &lw_insn_rows[LW_INSN_##id_], \
    .on = MATRIX_CODES(scale_k, op_), .enc = LW_ENC_MAI, .evidence = LW_EV_EXACT, .flags = LW_OPF_NO_EXEC, .hazard = MATRIX_HAZARD(a), \
    .mods = MAI_FAMILY_##family | MAI_RULE_##rule, \
    .dst = {LW_TYPE_WIDE, MATRIX_REGS(m, n, blocks, d), LW_REG_AV}, \
    .src = {{LW_TYPE_WIDE, MATRIX_REGS(m, MATRIX_SPARSE(family) ? (k) / 2 : (k), blocks, a), LW_REG_AV}, \
            {LW_TYPE_WIDE, MATRIX_REGS(n, k, blocks, b), LW_REG_AV}, \
            {MATRIX_SPARSE(family) ? LW_TYPE_B32 : MAI_C_##d, MATRIX_SPARSE(family) ? 1 : MATRIX_REGS(m, n, blocks, d), \
             MATRIX_SPARSE(family) ? LW_REG_VECTOR : LW_REG_AV_SRC}} },
#define DS(id_, codes_, d, d0, d1, bytes_, flags_, sem_, ev_) [LW_OP_##id_] = { \
    HEAD(id_, DS, sem_, ev_, codes_), .dst = T(d), .src = {T(d0), T(d1)}, .bytes = bytes_, EFFECTS(flags_, DS_TRAFFIC(flags_), MEMORY) },
#define FLAT(id_, codes_, segs, d, data, bytes_, flags_, sem_, ev_) [LW_OP_##id_] = { \
    HEAD(id_, FLAT, sem_, ev_, codes_), .dst = T(d), .src = {T(data)}, .kind = segs, .bytes = bytes_, EFFECTS(flags_, ACCESS_TRAFFIC(flags_), MEMORY) },
#define MUBUF(id_, codes_, data, bytes_, flags_, sem_, ev_) [LW_OP_##id_] = { \
    HEAD(id_, MUBUF, sem_, ev_, codes_), .dst = T(data), .bytes = bytes_, EFFECTS(flags_, ACCESS_TRAFFIC(flags_), MEMORY) },
#define MTBUF(id_, codes_, data, bytes_, flags_, sem_, ev_) [LW_OP_##id_] = { \
    HEAD(id_, MTBUF, sem_, ev_, codes_), .dst = T(data), .bytes = bytes_, EFFECTS(flags_, ACCESS_TRAFFIC(flags_), MEMORY) },

/*
 * The same for RDNA's. The decoder asks lw_insn_registers how many registers the generation's layout takes.
 * ASM: LLVM 22 reads gfx1201's code there, too; no manual lists the instruction.
 */
#define ASM (-1)
#define WMMA_CODE(op, scale_k) MATRIX_CODE((op), scale_k)
#define WMMA_CODES_(scale_k, on1100, on1201, on1250) { ON(GFX1100) = { .code = WMMA_CODE(on1100, scale_k) }, \
    ON(GFX1150) = { .code = WMMA_CODE(on1100, scale_k) }, \
    ON(GFX1201) = { .code = WMMA_CODE(on1201, scale_k) }, \
    ON(GFX1250) = { .code = WMMA_CODE((on1250) < 0 ? (on1201) : (on1250), scale_k), .text_only = (on1250) < 0 } }
#define WMMA_CODES(...) WMMA_CODES_(__VA_ARGS__)
#define WMMA_OP(on1100, on1201, on1250) on1100, on1201, on1250
#define WMMA(id_, op_, cycles, m, n, k, a, b, c, d, scale_k, family, rule, dot) [LW_OP_##id_] = { \
    .name = #id_, .sem = "matrix", .insn = &lw_insn_rows[LW_INSN_##id_], .on = WMMA_CODES(scale_k, WMMA_##op_), \
    .enc = LW_ENC_VOP3P, .evidence = LW_EV_EXACT, .flags = LW_OPF_NO_EXEC, .hazard = LW_HAZARD_WMMA, \
    .mods = MAI_FAMILY_##family | ((scale_k) ? LW_MOD_SCALED : 0), \
    .dst = {LW_TYPE_WIDE, 1, LW_REG_VECTOR}, \
    .src = {{LW_TYPE_WIDE, 1, LW_REG_VECTOR}, {LW_TYPE_WIDE, 1, LW_REG_VECTOR}, \
            {MATRIX_SPARSE(family) ? LW_TYPE_B32 : WMMA_C_##c, 1, MATRIX_SPARSE(family) ? LW_REG_VECTOR : LW_REG_SRC}} },
/* clang-format on */

const lw_op_row lw_op_rows[LW_OP_COUNT] = {
#include "isa_tables/amdgpu/sop1.inc"
#include "isa_tables/amdgpu/sop2.inc"
#include "isa_tables/amdgpu/sopc.inc"
#include "isa_tables/amdgpu/sopk.inc"
#include "isa_tables/amdgpu/sopp.inc"
#include "isa_tables/amdgpu/smem.inc"
#include "isa_tables/amdgpu/vop1.inc"
#include "isa_tables/amdgpu/vop2.inc"
#include "isa_tables/amdgpu/vopc.inc"
#include "isa_tables/amdgpu/vop3.inc"
#include "isa_tables/amdgpu/vop3p.inc"
#include "isa_tables/amdgpu/mai.inc"
#include "isa_tables/amdgpu/ds.inc"
#include "isa_tables/amdgpu/flat.inc"
#include "isa_tables/amdgpu/mubuf.inc"
#include "isa_tables/amdgpu/mtbuf.inc"
#include "isa_tables/amdgpu/tensor.inc"
#include "isa_tables/amdgpu/image.inc"
#include "isa_tables/amdgpu/graphics.inc"
#include "isa_tables/matrix.inc"
};

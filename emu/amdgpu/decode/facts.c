/* SPDX-License-Identifier: MIT */
/* Classes, memory, counters: what rows and fields say about an instruction apart from its operands. */
#include <string.h>

#include "emu/amdgpu/decode/facts.h"

#include "emu/amdgpu/decode/bytes.h"
#include "emu/amdgpu/decode/decode.h"
#include "isa_tables/amdgpu/rows.h"
#include "isa_tables/amdgpu/traits.h"
#include "isa_tables/matrix.h"

/* What it writes back or invalidates. */
static lw_memory_order order_of(const lw_op_row *row)
{
    switch ((lw_traffic)row->traffic) {
    case LW_TRAFFIC_INVALIDATE:
    case LW_TRAFFIC_INVALIDATE_L1:
    case LW_TRAFFIC_SCALAR_INVALIDATE:
    case LW_TRAFFIC_SCALAR_INVALIDATE_L1:
        return LW_ORDER_ACQUIRE;
    case LW_TRAFFIC_WRITE_BACK:
    case LW_TRAFFIC_SCALAR_WRITE_BACK:
        return LW_ORDER_RELEASE;
    default:
        return LW_ORDER_NONE;
    }
}

static bool is_flat(const lw_op_row *row)
{
    return row->enc == LW_ENC_FLAT;
}

static bool is_buffer(const lw_op_row *row)
{
    return row->enc == LW_ENC_MUBUF || row->enc == LW_ENC_MTBUF;
}

static lw_class control_class(const lw_op_row *row)
{
    if (row->imm == LW_IMM_LABEL)
        return LW_CLASS_BRANCH;
    if (row->flags & LW_OPF_BRANCH)
        return LW_CLASS_END;
    return lw_op_index(row) == LW_OP_s_barrier || lw_op_index(row) == LW_OP_s_barrier_wait ? LW_CLASS_BARRIER
                                                                                           : LW_CLASS_OTHER;
}

static lw_class class_of(const lw_decoded *in)
{
    static const lw_class segments[] = { [LW_SEG_FLAT] = LW_CLASS_GENERIC,
                                         [LW_SEG_SCRATCH] = LW_CLASS_SCRATCH,
                                         [LW_SEG_GLOBAL] = LW_CLASS_GLOBAL };
    const lw_op_row *row = in->row;
    if (row->insn)
        return LW_CLASS_MATRIX;
    if (order_of(row) != LW_ORDER_NONE)
        return LW_CLASS_CACHE;
    if (row->wait != LW_WAIT_NONE)
        return LW_CLASS_WAIT;
    if (row->traffic == LW_TRAFFIC_MESSAGE)
        return LW_CLASS_MESSAGE;
    switch ((lw_enc)row->enc) {
    case LW_ENC_SOP1:
    case LW_ENC_SOP2:
    case LW_ENC_SOPC:
    case LW_ENC_SOPK:
        return row->flags & LW_OPF_BRANCH ? LW_CLASS_BRANCH : LW_CLASS_SCALAR;
    case LW_ENC_SOPP:
        return control_class(row);
    case LW_ENC_SMEM:
        return LW_CLASS_SCALAR_MEMORY;
    case LW_ENC_DS:
        return in->gds || row->flags & LW_OPF_GWS ? LW_CLASS_SYNC : LW_CLASS_LDS;
    case LW_ENC_FLAT:
        return segments[in->seg];
    case LW_ENC_MUBUF:
    case LW_ENC_MTBUF:
    case LW_ENC_TENSOR:
    case LW_ENC_MIMG:
        return LW_CLASS_GLOBAL;
    default:
        return LW_CLASS_VECTOR;
    }
}

/* The scope that the cache bits give; that of LDS is the workgroup. */
static lw_scope scope_of(const lw_counters *c, const lw_decoded *in, bool atomic)
{
    const lw_cache_bits *s = &c->scopes;
    const unsigned bits = in->has_scope ? in->scope : (in->nv || in->dlc ? 2u : 0) | (in->glc ? 1u : 0);
    if (in->row->enc == LW_ENC_DS)
        return LW_SCOPE_WORKGROUP;
    if (in->row->traffic == LW_TRAFFIC_SCALAR_INVALIDATE_L1)
        return LW_SCOPE_DEVICE;
    if (!is_flat(in->row) && !is_buffer(in->row))
        return LW_SCOPE_WAVE;
    if (order_of(in->row) != LW_ORDER_NONE)
        return in->row->traffic == LW_TRAFFIC_INVALIDATE_L1 ? LW_SCOPE_DEVICE : (lw_scope)s->cache[bits];
    if (atomic)
        return (lw_scope)s->atomic[bits];
    return (lw_scope)(in->row->flags & LW_OPF_STORE ? s->store : s->load)[bits];
}

static void set_memory(lw_fact_memory *m, const lw_counters *c, const lw_decoded *in)
{
    const lw_op_row *row = in->row;
    const bool scalar = row->enc == LW_ENC_SMEM;
    const bool atomic = scalar ? row->kind == LW_SM_ATOMIC : (row->flags & LW_OPF_ATOMIC) != 0;
    m->load = atomic || (scalar ? row->kind == LW_SM_LOAD : (row->flags & LW_OPF_LOAD) != 0);
    m->store = atomic || (scalar ? row->kind == LW_SM_STORE : (row->flags & LW_OPF_STORE) != 0);
    m->returns = atomic && in->dst.kind != LW_OPND_NONE;
    m->to_lds = in->lds && row->flags & (LW_OPF_LDS | LW_OPF_LDS_WIDE | LW_OPF_OLD_LDS);
    m->buffer = is_buffer(row) && order_of(row) == LW_ORDER_NONE;
    m->transposes = row->exchange != 0;
    m->exchange = row->exchange;
    m->nontemporal = in->slc && (is_flat(row) || is_buffer(row));
    m->scope = scope_of(c, in, atomic);
    m->order = order_of(row);
    if (!m->load && !m->store)
        return;
    m->requests = row->flags & LW_OPF_OFF2 ? 2 : 1;
    m->bytes = m->transposes ? (uint16_t)(4 * in->dst.dwords) : row->bytes;
    m->offset = in->offset;
}

/* The row's traffic; if the row leaves it open, bits of the instruction decide. */
static lw_traffic traffic_of(const lw_decoded *in)
{
    lw_traffic traffic = (lw_traffic)in->row->traffic;
    if (traffic == LW_TRAFFIC_ATOMIC)
        traffic = in->dst.kind != LW_OPND_NONE ? LW_TRAFFIC_LOAD : LW_TRAFFIC_STORE;
    if (in->row->enc == LW_ENC_DS && in->gds)
        return LW_TRAFFIC_GDS;
    if (is_flat(in->row) && in->src[3].kind != LW_OPND_NONE) /* gfx1250 */
        return LW_TRAFFIC_ASYNC;
    if (is_flat(in->row) && in->lds && in->row->flags & LW_OPF_LDS && in->row->flags & LW_OPF_STORE)
        return LW_TRAFFIC_ASYNC_STORE;
    if (!is_flat(in->row) || in->seg != LW_SEG_FLAT || in->lds)
        return traffic;
    return traffic == LW_TRAFFIC_LOAD ? LW_TRAFFIC_FLAT_LOAD : LW_TRAFFIC_FLAT_STORE;
}

/* For a wait on one counter, whose limit is the immediate. */
static int left_of_one(const lw_counters *c, const lw_decoded *in, lw_counter counter, lw_counter awaited)
{
    return counter == awaited && in->imm < c->most[counter] ? (int)in->imm : -1;
}

/* The same for a wait on two: LDS in bits 5:0, `memory` in bits 13:8. */
static int left_of_two(const lw_counters *c, const lw_decoded *in, lw_counter counter, lw_counter memory)
{
    const unsigned shift = counter == memory ? 8 : 0, left = in->imm >> shift & 63;
    const bool named = counter == memory || counter == LW_COUNTER_LGKM;
    return named && left < c->most[counter] ? (int)left : -1;
}

/* How much of a counter may remain after the instruction; -1: it does not wait for the counter. */
static int left_of(const lw_counters *c, const lw_decoded *in, lw_counter counter)
{
    switch ((lw_wait)in->row->wait) {
    case LW_WAIT_FIELDS:
        return lw_counters_left(c, counter, in->imm);
    case LW_WAIT_VS:
        return left_of_one(c, in, counter, LW_COUNTER_VS);
    case LW_WAIT_VM:
        return left_of_one(c, in, counter, LW_COUNTER_VM);
    case LW_WAIT_EXP:
        return left_of_one(c, in, counter, LW_COUNTER_EXP);
    case LW_WAIT_LGKM:
        return left_of_one(c, in, counter, LW_COUNTER_LGKM);
    case LW_WAIT_KM:
        return left_of_one(c, in, counter, LW_COUNTER_KM);
    case LW_WAIT_ASYNC:
        return left_of_one(c, in, counter, LW_COUNTER_ASYNC);
    case LW_WAIT_TENSOR:
        return left_of_one(c, in, counter, LW_COUNTER_TENSOR);
    case LW_WAIT_X:
        return left_of_one(c, in, counter, LW_COUNTER_X);
    case LW_WAIT_LOAD_DS:
        return left_of_two(c, in, counter, LW_COUNTER_VM);
    case LW_WAIT_STORE_DS:
        return left_of_two(c, in, counter, LW_COUNTER_VS);
    case LW_WAIT_IDLE:
        return c->most[counter] ? 0 : -1;
    case LW_WAIT_NONE:
        break;
    }
    return -1;
}

static void set_counters(lw_facts *f, const lw_counters *c, const lw_decoded *in)
{
    const uint8_t *raises = c->raises[traffic_of(in)];
    for (size_t i = 0; i < LW_COUNTER_ROOM; i++)
        f->counters[i] = (lw_fact_counter){ .awaits = -1 };
    for (size_t i = 0; i < LW_COUNTER_COUNT; i++)
        f->counters[i] = (lw_fact_counter){ raises[i], (int16_t)left_of(c, in, (lw_counter)i) };
    for (size_t i = 0; i < LW_COUNTER_FIRST; i++) {
        f->raises[i] = f->counters[i].raises;
        f->awaits[i] = f->counters[i].awaits;
    }
}

/* Where the format can be chosen, the row's passes are those for 6- and 4-bit operands. */
static unsigned passes_of(lw_arch arch, const lw_decoded *in)
{
    enum { EIGHT_BITS = 2 }; /* CBSZ and BLGP: 0 and 1 name 8-bit formats */
    const bool chosen = (in->row->mods & LW_MOD_F8F6F4) != 0;
    const bool wide = chosen && (in->cbsz < EIGHT_BITS || in->blgp < EIGHT_BITS);
    return in->row->insn ? in->row->insn->passes[arch] * (wide ? 2u : 1u) : 0;
}

/* lw_facts.distance. CBSZ and BLGP choose formats: 0 and 1 of 8 bits, 4 of 4 bits. */
static void set_distance(lw_facts *f, lw_arch arch, const lw_decoded *in)
{
    enum {
        DENSE = 5,
        DENSE_LONG = 9,
        SPARSE = 3,
        SPARSE_LONG = 5,
        DENSE_SHORT = 2,
        PLAIN = 1,
        FOUR_BITS = 4
    };
    lw_insn_info info;
    if (!lw_amdgpu_traits_of(arch)->beside || !in->row->insn ||
        lw_insn_get_info(arch, in->row->insn, &info) != LW_OK)
        return;
    const unsigned bits = info.operand[LW_OPERAND_A].element_bits;
    const bool integer = strcmp(info.operand[LW_OPERAND_D].format, "i32") == 0;
    const bool wide = !bits && (in->cbsz < 2 || in->blgp < 2);
    const bool fours = bits == 4 || (!bits && in->cbsz == FOUR_BITS && in->blgp == FOUR_BITS);
    const bool slow = integer || wide, brief = fours || (bits == 8 && info.k == 64);
    f->distance_strict = bits == 32    ? PLAIN
                         : info.sparse ? (slow ? SPARSE_LONG : SPARSE)
                         : slow        ? DENSE_LONG
                                       : DENSE;
    f->distance = info.sparse || integer || bits == 32 ? f->distance_strict : brief ? DENSE_SHORT : DENSE;
}

/* lw_facts.scratch_base; 64 bits are named by the lower half. */
static uint8_t scratch_base_of(const lw_decoded *in)
{
    unsigned halves = 0;
    for (unsigned i = 0; i < sizeof(in->row->src) / sizeof(in->row->src[0]); i++) {
        const unsigned half = in->src[i].reg - LW_CODE_FLAT_SCRATCH;
        if (in->src[i].kind == LW_OPND_SPECIAL && half < 2)
            halves |= 1u << half | (in->row->src[i].dwords == 2 ? 2u : 0u);
    }
    return (uint8_t)halves;
}

static lw_number number_of(uint8_t type)
{
    static const uint8_t numbers[] = { [LW_TYPE_F16] = LW_NUMBER_F16,     [LW_TYPE_BF16] = LW_NUMBER_BF16,
                                       [LW_TYPE_V2F16] = LW_NUMBER_F16X2, [LW_TYPE_V2BF16] = LW_NUMBER_BF16X2,
                                       [LW_TYPE_F32] = LW_NUMBER_F32,     [LW_TYPE_V2F32] = LW_NUMBER_F32X2,
                                       [LW_TYPE_F64] = LW_NUMBER_F64 };
    return type < sizeof(numbers) ? (lw_number)numbers[type] : LW_NUMBER_NONE;
}

/* Truth tables of two and three sources: bit i is the result for the bits a, b and c of i. */
enum {
    A = 0xaa,
    B = 0xcc,
    C = 0xf0,
    NOT = 0xff,
};

/* How results depend on sources, for instructions of which more is known than that they compute. */
static const struct {
    uint8_t flow, truth, shifted;
} flows[LW_OP_COUNT] = {
    [LW_OP_s_mov_b32] = { LW_FLOW_COPIES, 0, 0 },
    [LW_OP_s_mov_b64] = { LW_FLOW_COPIES, 0, 0 },
    [LW_OP_v_mov_b32] = { LW_FLOW_COPIES, 0, 0 },
    [LW_OP_v_mov_b64] = { LW_FLOW_COPIES, 0, 0 },
    [LW_OP_v_readfirstlane_b32] = { LW_FLOW_COPIES, 0, 0 },
    [LW_OP_v_readlane_b32] = { LW_FLOW_COPIES, 0, 0 },
    [LW_OP_v_writelane_b32] = { LW_FLOW_COPIES, 0, 0 },
    [LW_OP_v_accvgpr_read_b32] = { LW_FLOW_COPIES, 0, 0 },
    [LW_OP_v_accvgpr_write_b32] = { LW_FLOW_COPIES, 0, 0 },
    [LW_OP_v_accvgpr_mov_b32] = { LW_FLOW_COPIES, 0, 0 },
    [LW_OP_v_cndmask_b32] = { LW_FLOW_SELECTS, 0, 0 },
    [LW_OP_s_cselect_b32] = { LW_FLOW_SELECTS, 0, 0 },
    [LW_OP_s_cselect_b64] = { LW_FLOW_SELECTS, 0, 0 },
    [LW_OP_v_and_b32] = { LW_FLOW_BITS, A &B, 0 },
    [LW_OP_v_or_b32] = { LW_FLOW_BITS, A | B, 0 },
    [LW_OP_v_xor_b32] = { LW_FLOW_BITS, A ^ B, 0 },
    [LW_OP_v_xnor_b32] = { LW_FLOW_BITS, NOT ^ A ^ B, 0 },
    [LW_OP_v_not_b32] = { LW_FLOW_BITS, NOT ^ A, 0 },
    [LW_OP_v_bfi_b32] = { LW_FLOW_BITS, (A & B) | ((NOT ^ A) & C), 0 },
    [LW_OP_v_and_or_b32] = { LW_FLOW_BITS, (A & B) | C, 0 },
    [LW_OP_v_or3_b32] = { LW_FLOW_BITS, A | B | C, 0 },
    [LW_OP_v_xor3_b32] = { LW_FLOW_BITS, A ^ B ^ C, 0 },
    [LW_OP_s_and_b32] = { LW_FLOW_BITS, A &B, 0 },
    [LW_OP_s_and_b64] = { LW_FLOW_BITS, A &B, 0 },
    [LW_OP_s_or_b32] = { LW_FLOW_BITS, A | B, 0 },
    [LW_OP_s_or_b64] = { LW_FLOW_BITS, A | B, 0 },
    [LW_OP_s_xor_b32] = { LW_FLOW_BITS, A ^ B, 0 },
    [LW_OP_s_xor_b64] = { LW_FLOW_BITS, A ^ B, 0 },
    [LW_OP_s_andn2_b32] = { LW_FLOW_BITS, A &(NOT ^ B), 0 },
    [LW_OP_s_andn2_b64] = { LW_FLOW_BITS, A &(NOT ^ B), 0 },
    [LW_OP_s_orn2_b32] = { LW_FLOW_BITS, A | (NOT ^ B), 0 },
    [LW_OP_s_orn2_b64] = { LW_FLOW_BITS, A | (NOT ^ B), 0 },
    [LW_OP_s_nand_b32] = { LW_FLOW_BITS, NOT ^ (A & B), 0 },
    [LW_OP_s_nand_b64] = { LW_FLOW_BITS, NOT ^ (A & B), 0 },
    [LW_OP_s_nor_b32] = { LW_FLOW_BITS, NOT ^ (A | B), 0 },
    [LW_OP_s_nor_b64] = { LW_FLOW_BITS, NOT ^ (A | B), 0 },
    [LW_OP_s_xnor_b32] = { LW_FLOW_BITS, NOT ^ A ^ B, 0 },
    [LW_OP_s_xnor_b64] = { LW_FLOW_BITS, NOT ^ A ^ B, 0 },
    [LW_OP_s_not_b32] = { LW_FLOW_BITS, NOT ^ A, 0 },
    [LW_OP_s_not_b64] = { LW_FLOW_BITS, NOT ^ A, 0 },
    [LW_OP_v_perm_b32] = { LW_FLOW_BYTES, 0, 0 },
    [LW_OP_v_cvt_pkrtz_f16_f32] = { LW_FLOW_PACKS, 0, 0 },
    [LW_OP_v_cvt_pk_f16_f32] = { LW_FLOW_PACKS, 0, 0 },
    [LW_OP_v_cvt_pk_bf16_f32] = { LW_FLOW_PACKS, 0, 0 },
    [LW_OP_v_cvt_pknorm_i16_f32] = { LW_FLOW_PACKS, 0, 0 },
    [LW_OP_v_cvt_pknorm_u16_f32] = { LW_FLOW_PACKS, 0, 0 },
    [LW_OP_v_cvt_pk_u16_u32] = { LW_FLOW_PACKS, 0, 0 },
    [LW_OP_v_cvt_pk_i16_i32] = { LW_FLOW_PACKS, 0, 0 },
    [LW_OP_v_cvt_pk_i16_f32] = { LW_FLOW_PACKS, 0, 0 },
    [LW_OP_v_cvt_pk_u16_f32] = { LW_FLOW_PACKS, 0, 0 },
    [LW_OP_v_pack_b32_f16] = { LW_FLOW_PACKS, 0, 0 },
    [LW_OP_v_lshlrev_b32] = { LW_FLOW_LEFT, 0, 1 },
    [LW_OP_v_lshlrev_b64] = { LW_FLOW_LEFT, 0, 1 },
    [LW_OP_v_lshrrev_b32] = { LW_FLOW_RIGHT, 0, 1 },
    [LW_OP_v_lshrrev_b64] = { LW_FLOW_RIGHT, 0, 1 },
    [LW_OP_s_lshl_b32] = { LW_FLOW_LEFT, 0, 0 },
    [LW_OP_s_lshl_b64] = { LW_FLOW_LEFT, 0, 0 },
    [LW_OP_s_lshr_b32] = { LW_FLOW_RIGHT, 0, 0 },
    [LW_OP_s_lshr_b64] = { LW_FLOW_RIGHT, 0, 0 },
    [LW_OP_v_add_co_u32] = { LW_FLOW_CARRIES, 0, 0 },
    [LW_OP_v_add_u32] = { LW_FLOW_CARRIES, 0, 0 },
    [LW_OP_v_addc_co_u32] = { LW_FLOW_CARRIES, 0, 0 },
    [LW_OP_v_mul_i32_i24] = { LW_FLOW_CARRIES, 0, 0 },
    [LW_OP_v_mul_u32_u24] = { LW_FLOW_CARRIES, 0, 0 },
    [LW_OP_v_sub_co_u32] = { LW_FLOW_CARRIES, 0, 0 },
    [LW_OP_v_sub_u32] = { LW_FLOW_CARRIES, 0, 0 },
    [LW_OP_v_subb_co_u32] = { LW_FLOW_CARRIES, 0, 0 },
    [LW_OP_v_subbrev_co_u32] = { LW_FLOW_CARRIES, 0, 0 },
    [LW_OP_v_subrev_co_u32] = { LW_FLOW_CARRIES, 0, 0 },
    [LW_OP_v_subrev_u32] = { LW_FLOW_CARRIES, 0, 0 },
    [LW_OP_v_add3_u32] = { LW_FLOW_CARRIES, 0, 0 },
    [LW_OP_v_add_i32] = { LW_FLOW_CARRIES, 0, 0 },
    [LW_OP_v_add_lshl_u32] = { LW_FLOW_CARRIES, 0, 0 },
    [LW_OP_v_lshl_add_u32] = { LW_FLOW_CARRIES, 0, 0 },
    [LW_OP_v_lshl_add_u64] = { LW_FLOW_CARRIES, 0, 0 },
    [LW_OP_v_lshl_or_b32] = { LW_FLOW_LEFT, 0, 0 },
    [LW_OP_v_mad_i32_i24] = { LW_FLOW_CARRIES, 0, 0 },
    [LW_OP_v_mad_i64_i32] = { LW_FLOW_CARRIES, 0, 0 },
    [LW_OP_v_mad_u32_u24] = { LW_FLOW_CARRIES, 0, 0 },
    [LW_OP_v_mad_u64_u32] = { LW_FLOW_CARRIES, 0, 0 },
    [LW_OP_v_mul_lo_u32] = { LW_FLOW_CARRIES, 0, 0 },
    [LW_OP_v_sub_i32] = { LW_FLOW_CARRIES, 0, 0 },
    [LW_OP_v_xad_u32] = { LW_FLOW_CARRIES, 0, 0 },
    [LW_OP_s_add_i32] = { LW_FLOW_CARRIES, 0, 0 },
    [LW_OP_s_add_nc_u64] = { LW_FLOW_CARRIES, 0, 0 },
    [LW_OP_s_add_u32] = { LW_FLOW_CARRIES, 0, 0 },
    [LW_OP_s_addc_u32] = { LW_FLOW_CARRIES, 0, 0 },
    [LW_OP_s_lshl1_add_u32] = { LW_FLOW_CARRIES, 0, 0 },
    [LW_OP_s_lshl2_add_u32] = { LW_FLOW_CARRIES, 0, 0 },
    [LW_OP_s_lshl3_add_u32] = { LW_FLOW_CARRIES, 0, 0 },
    [LW_OP_s_lshl4_add_u32] = { LW_FLOW_CARRIES, 0, 0 },
    [LW_OP_s_mul_i32] = { LW_FLOW_CARRIES, 0, 0 },
    [LW_OP_s_sub_i32] = { LW_FLOW_CARRIES, 0, 0 },
    [LW_OP_s_sub_nc_u64] = { LW_FLOW_CARRIES, 0, 0 },
    [LW_OP_s_sub_u32] = { LW_FLOW_CARRIES, 0, 0 },
    [LW_OP_s_subb_u32] = { LW_FLOW_CARRIES, 0, 0 },
    [LW_OP_s_addk_i32] = { LW_FLOW_CARRIES, 0, 0 },
    [LW_OP_v_permlane64_b32] = { LW_FLOW_LANES, 0, 0 },
    [LW_OP_v_permlane16_b32] = { LW_FLOW_LANES, 0, 0 },
    [LW_OP_v_permlanex16_b32] = { LW_FLOW_LANES, 0, 0 },
    [LW_OP_v_permlane16_var_b32] = { LW_FLOW_LANES, 0, 0 },
    [LW_OP_v_permlanex16_var_b32] = { LW_FLOW_LANES, 0, 0 },
    [LW_OP_ds_bpermute_b32] = { LW_FLOW_LANES, 0, 0 },
    [LW_OP_ds_bpermute_fi_b32] = { LW_FLOW_LANES, 0, 0 },
    [LW_OP_ds_permute_b32] = { LW_FLOW_LANES, 0, 0 },
    [LW_OP_ds_swizzle_b32] = { LW_FLOW_LANES, 0, 0 },
};

/* Packed 16-bit operations whose halves stay apart: every source takes its low half low, its high half
 * high. */
static bool keeps_halves(const lw_decoded *in)
{
    static const bool pairs[] = { [LW_TYPE_V2F16] = true, [LW_TYPE_V2BF16] = true, [LW_TYPE_V2I16] = true };
    const unsigned type = in->row->dst.type;
    if (in->enc != LW_ENC_VOP3P || type >= sizeof(pairs) || !pairs[type])
        return false;
    for (unsigned i = 0; i < LW_MAX_SRC; i++) {
        const lw_opnd *o = &in->src[i];
        const bool is_register = o->kind == LW_OPND_VGPR || o->kind == LW_OPND_SGPR;
        if (is_register && (o->pick != 2 || o->type >= sizeof(pairs) || !pairs[o->type]))
            return false;
    }
    return true;
}

/* The barriers of gfx12 by number. What 0 and those of trap handlers name is no barrier for a wave. */
enum { GROUP_BARRIER = -1, CLUSTER_BARRIER = -3 };

static void set_numbered(lw_facts *f, int number, bool in_m0, lw_async_step step)
{
    f->barrier = -1;
    if (!in_m0 && number == GROUP_BARRIER) {
        f->sync = step == LW_ASYNC_ARRIVES ? LW_SYNC_ARRIVE : LW_SYNC_NONE;
        f->barrier = f->kind == LW_CLASS_BARRIER ? 0 : -1;
    } else if (!in_m0 && number == CLUSTER_BARRIER) {
        f->sync = LW_SYNC_CLUSTER;
        f->step = step;
    } else if (in_m0 || number > 0 || step == LW_ASYNC_OTHER) { /* joining 0 leaves the one joined */
        f->sync = LW_SYNC_NAMED;
        f->step = step;
        f->barrier = in_m0 ? -1 : number;
    }
}

/* Synchronisation but by s_barrier. */
static void set_sync(lw_facts *f, const lw_decoded *in)
{
    static const struct {
        size_t op;
        lw_async_step step;
        lw_completion completion;
    } rows[] = {
        { LW_OP_s_barrier_signal, LW_ASYNC_ARRIVES, LW_COMPLETION_NONE },
        { LW_OP_s_barrier_signal_isfirst, LW_ASYNC_ARRIVES, LW_COMPLETION_NONE },
        { LW_OP_s_barrier_wait, LW_ASYNC_WAITS, LW_COMPLETION_NONE },
        { LW_OP_s_barrier_init, LW_ASYNC_OTHER, LW_COMPLETION_NONE },
        { LW_OP_s_barrier_join, LW_ASYNC_OTHER, LW_COMPLETION_NONE },
        { LW_OP_s_barrier_leave, LW_ASYNC_OTHER, LW_COMPLETION_NONE },
        { LW_OP_ds_atomic_barrier_arrive_rtn_b64, LW_ASYNC_ARRIVES, LW_COMPLETION_OBJECT },
        { LW_OP_ds_atomic_async_barrier_arrive_b64, LW_ASYNC_ARRIVES, LW_COMPLETION_GROUP },
    };
    const size_t op = lw_op_index(in->row);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (rows[i].op != op)
            continue;
        f->completion = rows[i].completion;
        if (rows[i].completion != LW_COMPLETION_NONE) {
            f->sync = LW_SYNC_OBJECT;
            f->step = rows[i].step;
        } else if (op == LW_OP_s_barrier_leave) { /* the one that the wave has joined */
            set_numbered(f, 0, true, rows[i].step);
        } else if (in->row->enc == LW_ENC_SOPP) {
            set_numbered(f, (int16_t)in->imm, false, rows[i].step);
        } else {
            set_numbered(f, (int32_t)in->src[0].value, in->src[0].kind == LW_OPND_SGPR, rows[i].step);
        }
    }
}

/* An operand that is only part of a register is not a plain copy. */
static void set_flow(lw_facts *f, const lw_decoded *in)
{
    const size_t op = lw_op_index(in->row);
    if (in->sub == LW_SUB_SDWA || in->second.row || (flows[op].flow == LW_FLOW_CARRIES && in->clamp))
        return;
    f->flow = keeps_halves(in) ? LW_FLOW_HALVES : (lw_flow)flows[op].flow;
    f->truth = flows[op].truth;
    f->shifted = flows[op].shifted;
}

lw_facts lw_decoded_facts(lw_arch arch, const lw_decoded *in, uint64_t pc, lw_fact_operand *operands)
{
    const lw_op_row *row = in->row;
    lw_facts f = { .struct_size = sizeof(f), .kind = class_of(in), .operands = operands, .barrier = -1 };
    f.operand_count = lw_decoded_operands(in, operands, LW_MAX_OPERANDS);
    const lw_counters *counters = lw_amdgpu_traits_of(arch)->counters;
    set_memory(&f.memory, counters, in);
    set_counters(&f, counters, in);
    f.hazard = (lw_hazard_class)row->hazard;
    f.passes = passes_of(arch, in);
    set_distance(&f, arch, in);
    f.scratch_base = scratch_base_of(in);
    f.dual = in->second.row != NULL;
    f.opcode = (uint32_t)lw_op_index(row);
    f.wait_states = (uint8_t)(f.opcode == LW_OP_s_nop ? (in->imm & 15) + 1 : 1);
    set_flow(&f, in);
    if (f.kind == LW_CLASS_VECTOR && !in->second.row && in->sub != LW_SUB_SDWA) {
        f.number = number_of(row->dst.type);
        f.source_number = number_of(row->src[0].type);
        lw_decoded_narrow(&f, arch, lw_op_name(row, arch));
    }
    f.part_result = lw_decoded_part_result(in);
    if (f.kind == LW_CLASS_BARRIER)
        f.barrier = 0;
    set_sync(&f, in);
    f.has_immediate = (row->enc == LW_ENC_SOPP || row->enc == LW_ENC_SOPK) && row->imm != LW_IMM_NOIMM;
    f.immediate = f.has_immediate ? (int64_t)in->imm : 0;
    f.has_target = f.kind == LW_CLASS_BRANCH && row->imm == LW_IMM_LABEL;
    if (f.has_target)
        f.target = pc + 4u * in->words + (uint64_t)((int64_t)(int16_t)in->imm * 4);
    f.conditional = f.has_target && row->enc == LW_ENC_SOPP && lw_op_index(row) != LW_OP_s_branch;
    return f;
}

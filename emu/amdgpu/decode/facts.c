/* SPDX-License-Identifier: MIT */
/* Classes, memory, counters: what rows and fields say of an instruction apart from its operands. */
#include "emu/amdgpu/decode/facts.h"

#include "isa_tables/amdgpu/rows.h"
#include "isa_tables/matrix.h"

static bool is_flat(const lw_op_row *row)
{
    return row->enc == LW_ENC_FLAT;
}

static bool is_buffer(const lw_op_row *row)
{
    return row->enc == LW_ENC_MUBUF || row->enc == LW_ENC_MTBUF;
}

/* Writes back or invalidates caches: buffer and scalar memory instructions without an address. */
static bool is_cache(const lw_op_row *row)
{
    return (is_buffer(row) && row->flags & LW_OPF_NOADDR) ||
           (row->enc == LW_ENC_SMEM && row->kind == LW_SM_NONE);
}

static lw_class control_class(const lw_op_row *row)
{
    if (row->imm == LW_IMM_WAITCNT)
        return LW_CLASS_WAIT;
    if (row->imm == LW_IMM_SENDMSG)
        return LW_CLASS_MESSAGE;
    if (row->imm == LW_IMM_LABEL)
        return LW_CLASS_BRANCH;
    if (row->flags & LW_OPF_BRANCH)
        return LW_CLASS_END;
    return lw_op_index(row) == LW_OP_s_barrier ? LW_CLASS_BARRIER : LW_CLASS_OTHER;
}

static lw_class class_of(const lw_decoded *in)
{
    static const lw_class segments[] = { [LW_SEG_FLAT] = LW_CLASS_GENERIC,
                                         [LW_SEG_SCRATCH] = LW_CLASS_SCRATCH,
                                         [LW_SEG_GLOBAL] = LW_CLASS_GLOBAL };
    const lw_op_row *row = in->row;
    if (row->insn)
        return LW_CLASS_MATRIX;
    if (is_cache(row))
        return LW_CLASS_CACHE;
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
        return LW_CLASS_GLOBAL;
    default:
        return LW_CLASS_VECTOR;
    }
}

/* SC1 and SC0 of gfx942 and gfx950 (LLVM AMDGPUUsage, "Memory Model GFX942"). Of atomics SC0 asks for the old
 * value. */
static lw_scope scope_of(const lw_decoded *in, bool atomic)
{
    static const lw_scope scopes[] = { LW_SCOPE_WAVE, LW_SCOPE_WORKGROUP, LW_SCOPE_DEVICE, LW_SCOPE_SYSTEM };
    if (in->row->enc == LW_ENC_DS)
        return LW_SCOPE_WORKGROUP;
    if (!is_flat(in->row) && !is_buffer(in->row))
        return LW_SCOPE_WAVE;
    if (atomic)
        return in->nv ? LW_SCOPE_SYSTEM : LW_SCOPE_DEVICE;
    return scopes[(in->nv ? 2 : 0) | (in->glc ? 1 : 0)];
}

static lw_memory_order order_of(const lw_op_row *row)
{
    const lw_op op = lw_op_index(row);
    if (!is_cache(row))
        return LW_ORDER_NONE;
    return op == LW_OP_buffer_wbl2 || op == LW_OP_s_dcache_wb || op == LW_OP_s_dcache_wb_vol
               ? LW_ORDER_RELEASE
               : LW_ORDER_ACQUIRE;
}

static void set_memory(lw_fact_memory *m, const lw_decoded *in)
{
    const lw_op_row *row = in->row;
    const bool scalar = row->enc == LW_ENC_SMEM;
    const bool atomic = scalar ? row->kind == LW_SM_ATOMIC : (row->flags & LW_OPF_ATOMIC) != 0;
    m->load = atomic || (scalar ? row->kind == LW_SM_LOAD : (row->flags & LW_OPF_LOAD) != 0);
    m->store = atomic || (scalar ? row->kind == LW_SM_STORE : (row->flags & LW_OPF_STORE) != 0);
    m->returns = atomic && in->dst.kind != LW_OPND_NONE;
    m->to_lds = row->flags & (LW_OPF_LDS | LW_OPF_LDS_WIDE) && (in->lds || is_flat(row));
    m->buffer = is_buffer(row) && !is_cache(row);
    m->transposes = (row->flags & LW_OPF_TURNS) != 0;
    m->nontemporal = in->slc && (is_flat(row) || is_buffer(row));
    m->scope = scope_of(in, atomic);
    m->order = order_of(row);
    if (!m->load && !m->store)
        return;
    m->requests = row->flags & LW_OPF_OFF2 ? 2 : 1;
    m->bytes = m->transposes ? (uint16_t)(4 * in->dst.dwords) : row->bytes;
    m->offset = in->offset;
}

/* LLVM 22 (SIInsertWaitcnts) and the AMD CDNA3 ISA manual, "Data dependency resolution". */
static void set_counters(lw_facts *f, const lw_decoded *in)
{
    const lw_op_row *row = in->row;
    for (size_t i = 0; i < LW_COUNTER_COUNT; i++)
        f->awaits[i] = -1;
    f->raises[LW_COUNTER_VM] = is_flat(row) || is_buffer(row);
    f->raises[LW_COUNTER_LGKM] = row->enc == LW_ENC_DS || f->kind == LW_CLASS_MESSAGE ||
                                 f->kind == LW_CLASS_SCALAR_MEMORY || row->enc == LW_ENC_SMEM ||
                                 (f->kind == LW_CLASS_GENERIC && !f->memory.to_lds);
    if (row->enc == LW_ENC_SMEM && ((row->kind == LW_SM_LOAD && row->bytes > 4) || row->kind == LW_SM_TIME))
        f->raises[LW_COUNTER_LGKM] = 2;
    f->raises[LW_COUNTER_EXP] = f->kind == LW_CLASS_SYNC;
    if (f->kind != LW_CLASS_WAIT)
        return;
    const unsigned vm = (in->imm & 15) | (in->imm >> 14 & 3) << 4, exp = in->imm >> 4 & 7,
                   lgkm = in->imm >> 8 & 15;
    f->awaits[LW_COUNTER_VM] = (int16_t)(vm == 63 ? -1 : (int)vm);
    f->awaits[LW_COUNTER_EXP] = (int16_t)(exp == 7 ? -1 : (int)exp);
    f->awaits[LW_COUNTER_LGKM] = (int16_t)(lgkm == 15 ? -1 : (int)lgkm);
}

/* The row's passes are those of 6- and 4-bit operands where the format can be chosen. */
static unsigned passes_of(lw_arch arch, const lw_decoded *in)
{
    enum { EIGHT_BITS = 2 }; /* CBSZ and BLGP: 0 and 1 name 8-bit formats */
    const bool chosen = (in->row->mods & LW_MOD_F8F6F4) != 0;
    const bool wide = chosen && (in->cbsz < EIGHT_BITS || in->blgp < EIGHT_BITS);
    return in->row->insn ? in->row->insn->passes[arch] * (wide ? 2u : 1u) : 0;
}

lw_facts lw_decoded_facts(lw_arch arch, const lw_decoded *in, uint64_t pc, lw_fact_operand *operands)
{
    const lw_op_row *row = in->row;
    lw_facts f = { .struct_size = sizeof(f), .kind = class_of(in), .operands = operands, .barrier = -1 };
    f.operand_count = lw_decoded_operands(in, operands, LW_MAX_OPERANDS);
    set_memory(&f.memory, in);
    set_counters(&f, in);
    f.passes = passes_of(arch, in);
    if (f.kind == LW_CLASS_BARRIER)
        f.barrier = 0;
    f.has_immediate = (row->enc == LW_ENC_SOPP || row->enc == LW_ENC_SOPK) && row->imm != LW_IMM_NOIMM;
    f.immediate = f.has_immediate ? (int64_t)in->imm : 0;
    f.has_target = f.kind == LW_CLASS_BRANCH && row->imm == LW_IMM_LABEL;
    if (f.has_target)
        f.target = pc + 4u * in->words + (uint64_t)((int64_t)(int16_t)in->imm * 4);
    f.conditional = f.has_target && row->enc == LW_ENC_SOPP && lw_op_index(row) != LW_OP_s_branch;
    return f;
}

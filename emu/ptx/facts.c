/* SPDX-License-Identifier: MIT */
/* The facts of an instruction, which observers are given once. Registers are rows of the frame. */
#include "emu/ptx/warp.h"

static lw_class space_class(uint8_t word)
{
    return word == LW_PTX_WORD_NONE ? LW_CLASS_GENERIC
           : word == LW_PTX_WORD_SHARED || word == LW_PTX_WORD_SHARED_CTA ||
                   word == LW_PTX_WORD_SHARED_CLUSTER
               ? LW_CLASS_LDS
           : word == LW_PTX_WORD_LOCAL                                    ? LW_CLASS_SCRATCH
           : word == LW_PTX_WORD_PARAM || word == LW_PTX_WORD_PARAM_ENTRY ? LW_CLASS_SCALAR
                                                                          : LW_CLASS_GLOBAL;
}

static lw_class class_of(const lw_ptx_record *r)
{
    const char *operands = r->insn->op->operands;
    switch ((lw_ptx_op_id)r->insn->op->id) {
    case LW_PTX_OP_bra:
        return LW_CLASS_BRANCH;
    case LW_PTX_OP_ret:
    case LW_PTX_OP_exit:
        return LW_CLASS_END;
    case LW_PTX_OP_bar:
    case LW_PTX_OP_barrier:
        return LW_CLASS_BARRIER;
    default:
        return strchr(operands, 'm') ? space_class(r->space) : LW_CLASS_VECTOR;
    }
}

static void add(lw_facts *f, lw_fact_operand *operands, const lw_ptx_source *s, lw_role role)
{
    if (s->kind != LW_PTX_SOURCE_REGISTER)
        return;
    const bool result = role == LW_ROLE_RESULT;
    operands[f->operand_count++] = (lw_fact_operand){ .role = role,
                                                      .is_register = true,
                                                      .file = LW_FILE_VGPR,
                                                      .first = (uint16_t)s->slot,
                                                      .count = s->bits == 64 ? 2 : 1,
                                                      .lanes = LW_LANES_ACTIVE,
                                                      .read = !result,
                                                      .written = result,
                                                      .bytes_read = result ? 0 : LW_BYTES_ALL,
                                                      .bytes_written = result ? LW_BYTES_ALL : 0 };
}

lw_facts lw_ptx_facts(lw_arch arch, const void *record, uint64_t pc, lw_fact_operand *operands)
{
    (void)arch, (void)pc;
    const lw_ptx_record *r = record;
    const bool memory = strchr(r->insn->op->operands, 'm') != NULL;
    const bool store = r->insn->op->operands[0] == 'm';
    lw_facts f = { .struct_size = sizeof(f),
                   .kind = class_of(r),
                   .operands = operands,
                   .barrier = -1,
                   .awaits = { -1, -1, -1 } };
    for (size_t i = 0; i < LW_COUNTER_ROOM; i++)
        f.counters[i].awaits = -1;
    for (unsigned i = 0; i < r->dst_count; i++)
        add(&f, operands, &r->dst[i], LW_ROLE_RESULT);
    for (unsigned i = 0; i < r->src_count; i++)
        add(&f, operands, &r->src[i], store ? LW_ROLE_DATA : LW_ROLE_SOURCE);
    if (memory)
        add(&f, operands, &r->address, LW_ROLE_ADDRESS);
    if (memory)
        f.memory = (lw_fact_memory){ .load = !store,
                                     .store = store,
                                     .requests = 1,
                                     .bytes = (uint16_t)(store ? r->src_count * r->src_bits / 8
                                                               : r->dst_count * r->dst_bits / 8),
                                     .offset = (int64_t)r->offset };
    if (f.kind == LW_CLASS_BARRIER && r->src[0].kind == LW_PTX_SOURCE_CONSTANT)
        f.barrier = (int)r->src[0].value;
    f.conditional = r->insn->guard != LW_PTX_NONE;
    return f;
}

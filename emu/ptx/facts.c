/* SPDX-License-Identifier: MIT */
/* The facts of an instruction, which observers receive once. Registers are rows of the frame. */
#include "emu/ptx/matrix.h"

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

/* The first row that matches applies. */
static lw_sync sync_of(const lw_ptx_record *r)
{
    static const struct {
        const char *mnemonic;
        lw_ptx_group_set groups;
        lw_sync sync;
    } rows[] = {
        { "bar", LW_PTX_GROUP_BIT(LW_PTX_GROUP_WARP), LW_SYNC_WARP },
        { "bar", LW_PTX_GROUP_BIT(LW_PTX_GROUP_ARRIVE), LW_SYNC_ARRIVE },
        { "bar", 0, LW_SYNC_BARRIER },
        { "barrier", LW_PTX_GROUP_BIT(LW_PTX_GROUP_CLUSTER), LW_SYNC_CLUSTER },
        { "barrier", LW_PTX_GROUP_BIT(LW_PTX_GROUP_ARRIVE), LW_SYNC_ARRIVE },
        { "barrier", 0, LW_SYNC_BARRIER },
        { "fence", LW_PTX_GROUP_BIT(LW_PTX_GROUP_PROXY) | LW_PTX_GROUP_BIT(LW_PTX_GROUP_COPY),
          LW_SYNC_PROXY },
        { "fence", LW_PTX_GROUP_BIT(LW_PTX_GROUP_PROXY), LW_SYNC_NONE },
        { "fence", 0, LW_SYNC_FENCE },
        { "membar", LW_PTX_GROUP_BIT(LW_PTX_GROUP_PROXY), LW_SYNC_NONE },
        { "membar", 0, LW_SYNC_FENCE },
        { "mbarrier", 0, LW_SYNC_OBJECT },
        { "cp", 0, LW_SYNC_COPY },
        { "st", LW_PTX_GROUP_BIT(LW_PTX_GROUP_COPY), LW_SYNC_COPY },
        { "red", LW_PTX_GROUP_BIT(LW_PTX_GROUP_COPY), LW_SYNC_COPY },
        { "wgmma", 0, LW_SYNC_MATRIX },
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (strcmp(r->insn->op->mnemonic, rows[i].mnemonic) == 0 &&
            (r->groups & rows[i].groups) == rows[i].groups)
            return rows[i].sync == LW_SYNC_PROXY &&
                           lw_ptx_opcode_word(&r->insn->opcode, LW_PTX_GROUP_SPACE) == LW_PTX_WORD_GLOBAL
                       ? LW_SYNC_NONE
                       : rows[i].sync;
    return LW_SYNC_NONE;
}

static lw_class class_of(const lw_ptx_record *r, lw_sync sync)
{
    const char *operands = r->insn->op->operands;
    switch ((lw_ptx_op_id)r->insn->op->id) {
    case LW_PTX_OP_bra:
        return LW_CLASS_BRANCH;
    case LW_PTX_OP_ret:
    case LW_PTX_OP_exit:
        return LW_CLASS_END;
    default:
        break;
    }
    if (sync == LW_SYNC_BARRIER || sync == LW_SYNC_ARRIVE)
        return LW_CLASS_BARRIER;
    /* not r->space: parameters of functions are in local memory */
    const uint8_t space = (uint8_t)lw_ptx_opcode_word(&r->insn->opcode, LW_PTX_GROUP_SPACE);
    return strchr(operands, 'm') ? space_class(space) : LW_CLASS_VECTOR;
}

static void add(lw_facts *f, lw_fact_operand *operands, const lw_ptx_source *s, lw_role role)
{
    const bool predicate = s->kind == LW_PTX_SOURCE_PREDICATE;
    if (s->kind != LW_PTX_SOURCE_REGISTER && !predicate)
        return;
    const bool result = role == LW_ROLE_RESULT;
    operands[f->operand_count++] = (lw_fact_operand){ .role = role,
                                                      .is_register = true,
                                                      .file = predicate ? LW_FILE_PREDICATE : LW_FILE_VGPR,
                                                      .first = (uint16_t)s->slot,
                                                      .count = !predicate && s->bits == 64 ? 2 : 1,
                                                      .lanes = LW_LANES_ACTIVE,
                                                      .read = !result,
                                                      .written = result,
                                                      .bytes_read = result ? 0 : LW_BYTES_ALL,
                                                      .bytes_written = result ? LW_BYTES_ALL : 0 };
}

static bool is_atomic(const lw_ptx_record *r)
{
    return strcmp(r->insn->op->mnemonic, "atom") == 0 || strcmp(r->insn->op->mnemonic, "red") == 0;
}

/* Weak accesses have the scope of their own thread. PTX ISA 9.1: atom and red are .relaxed.gpu by default,
 * volatile is .relaxed.sys. Cluster scope is treated as device scope. */
static void set_order(lw_fact_memory *m, const lw_ptx_record *r)
{
    static const uint8_t orders[LW_PTX_WORD_COUNT] = { [LW_PTX_WORD_ACQUIRE] = LW_ORDER_ACQUIRE,
                                                       [LW_PTX_WORD_RELEASE] = LW_ORDER_RELEASE,
                                                       [LW_PTX_WORD_ACQ_REL] = LW_ORDER_BOTH };
    const lw_ptx_opcode *opcode = &r->insn->opcode;
    const lw_ptx_group group = is_atomic(r) ? LW_PTX_GROUP_SEMANTICS : LW_PTX_GROUP_ORDER;
    const lw_ptx_word_id word = lw_ptx_opcode_word(opcode, group);
    const lw_ptx_word_id scope = lw_ptx_opcode_word(opcode, LW_PTX_GROUP_SCOPE);
    const bool strong = word != LW_PTX_WORD_NONE || lw_ptx_has(r, LW_PTX_GROUP_MMIO);
    m->order = (lw_memory_order)orders[word];
    m->scope = scope == LW_PTX_WORD_SCOPE_CTA   ? LW_SCOPE_WORKGROUP
               : scope == LW_PTX_WORD_SCOPE_SYS ? LW_SCOPE_SYSTEM
               : scope != LW_PTX_WORD_NONE      ? LW_SCOPE_DEVICE
               : is_atomic(r)                   ? LW_SCOPE_DEVICE
               : strong                         ? LW_SCOPE_SYSTEM
                                                : LW_SCOPE_WAVE;
}

/* mov.b32 d, {a, b}: two halves. */
static bool packs_halves(const lw_ptx_record *r)
{
    if ((lw_ptx_op_id)r->insn->op->id != LW_PTX_OP_mov || r->dst_count != 1 || r->src_count != 2)
        return false;
    return r->src[0].kind == LW_PTX_SOURCE_REGISTER && r->src[0].bits == 16 &&
           r->src[1].kind == LW_PTX_SOURCE_REGISTER && r->src[1].bits == 16;
}

/* mov between a vector and a register that is as wide as all of it. */
static bool splits_or_joins(const lw_ptx_record *r)
{
    if ((lw_ptx_op_id)r->insn->op->id != LW_PTX_OP_mov || (r->dst_count == 1) == (r->src_count == 1))
        return false;
    for (unsigned i = 0; i < r->src_count; i++)
        if (r->src[i].kind != LW_PTX_SOURCE_REGISTER)
            return false;
    for (unsigned i = 0; i < r->dst_count; i++) /* not where a part goes nowhere */
        if (r->dst[i].kind != LW_PTX_SOURCE_REGISTER)
            return false;
    return true;
}

/* Of two or three source bits, as in lw_facts.truth. */
enum {
    A = 0xaa,
    B = 0xcc,
    NOT = 0xff,
};

static lw_flow bits_flow(lw_facts *f, const lw_ptx_record *r, unsigned truth)
{
    for (unsigned i = 0; i < r->src_count; i++)
        if (r->src[i].negated) /* !p */
            return LW_FLOW_COMPUTES;
    f->truth = (uint8_t)truth;
    return LW_FLOW_BITS;
}

/* The table in the text is indexed by a, b, c from the highest bit down. */
static unsigned lop3_truth(unsigned table)
{
    unsigned truth = 0;
    for (unsigned i = 0; i < 8; i++)
        truth |= (table >> ((i & 1) << 2 | (i & 2) | i >> 2) & 1) << i;
    return truth;
}

static bool crosses_lanes(const lw_ptx_record *r)
{
    static const char *const names[] = { "shfl", "vote", "match", "redux" };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strcmp(r->insn->op->mnemonic, names[i]) == 0)
            return true;
    return false;
}

static lw_flow flow_of(lw_facts *f, const lw_ptx_record *r)
{
    const bool plain = r->dst_count == 1 && r->src_count == 1 && r->dst_bits == r->src_bits;
    switch ((lw_ptx_op_id)r->insn->op->id) {
    case LW_PTX_OP_mov:
        return plain                ? LW_FLOW_COPIES
               : packs_halves(r)    ? LW_FLOW_BYTES
               : splits_or_joins(r) ? LW_FLOW_PARTS
                                    : LW_FLOW_COMPUTES;
    case LW_PTX_OP_selp:
        return LW_FLOW_SELECTS;
    case LW_PTX_OP_and:
        return bits_flow(f, r, A & B);
    case LW_PTX_OP_or:
        return bits_flow(f, r, A | B);
    case LW_PTX_OP_xor:
        return bits_flow(f, r, A ^ B);
    case LW_PTX_OP_not:
        return bits_flow(f, r, NOT ^ A);
    case LW_PTX_OP_lop3:
        return r->src[3].kind == LW_PTX_SOURCE_CONSTANT
                   ? bits_flow(f, r, lop3_truth((unsigned)r->src[3].value))
                   : LW_FLOW_COMPUTES;
    case LW_PTX_OP_add_int:
    case LW_PTX_OP_sub_int:
        return lw_ptx_has(r, LW_PTX_GROUP_SAT) ? LW_FLOW_COMPUTES : LW_FLOW_CARRIES;
    case LW_PTX_OP_mul_wide:
    case LW_PTX_OP_mad_wide:
        return LW_FLOW_CARRIES;
    case LW_PTX_OP_shl:
        return LW_FLOW_LEFT;
    case LW_PTX_OP_shr:
        return r->src_signed ? LW_FLOW_COMPUTES : LW_FLOW_RIGHT;
    default:
        return crosses_lanes(r) ? LW_FLOW_LANES : LW_FLOW_COMPUTES;
    }
}

/* Where each bit counts, constants do. */
static bool shows_constants(lw_flow flow)
{
    return flow == LW_FLOW_BITS || flow == LW_FLOW_LEFT || flow == LW_FLOW_RIGHT || flow == LW_FLOW_SELECTS;
}

static lw_number number_of(uint8_t type)
{
    switch ((lw_ptx_type)type) {
    case LW_PTX_TYPE_F16:
        return LW_NUMBER_F16;
    case LW_PTX_TYPE_F16X2:
        return LW_NUMBER_F16X2;
    case LW_PTX_TYPE_BF16:
        return LW_NUMBER_BF16;
    case LW_PTX_TYPE_BF16X2:
        return LW_NUMBER_BF16X2;
    case LW_PTX_TYPE_F32:
        return LW_NUMBER_F32;
    case LW_PTX_TYPE_F64:
        return LW_NUMBER_F64;
    case LW_PTX_TYPE_E4M3X2:
        return LW_NUMBER_E4M3X2;
    case LW_PTX_TYPE_E5M2X2:
        return LW_NUMBER_E5M2X2;
    case LW_PTX_TYPE_E2M3X2:
        return LW_NUMBER_E2M3X2;
    case LW_PTX_TYPE_E3M2X2:
        return LW_NUMBER_E3M2X2;
    case LW_PTX_TYPE_E2M1X2:
        return LW_NUMBER_E2M1X2;
    default:
        return LW_NUMBER_NONE;
    }
}

/* ldmatrix and the like: their operands are in the matrix instruction's own structure. The addresses of some
 * lanes do not count (lw_event_lanes). */
static void add_moved(lw_facts *f, lw_fact_operand *operands, const lw_ptx_record *r)
{
    uint64_t lanes;
    const lw_ptx_source *stride = lw_ptx_matrix_memory(r, &f->memory, &lanes);
    if (!stride)
        return;
    f->kind = space_class((uint8_t)lw_ptx_opcode_word(&r->insn->opcode, LW_PTX_GROUP_SPACE));
    const size_t first = f->operand_count;
    add(f, operands, &r->address, LW_ROLE_ADDRESS);
    if (stride != &r->address)
        add(f, operands, stride, LW_ROLE_ADDRESS);
    for (size_t i = first; i < f->operand_count; i++)
        operands[i].lanes = LW_LANES_SOME;
}

/* A matrix instruction's registers; of ldmatrix and the like those that it loads or stores. */
static void add_fragments(lw_facts *f, lw_fact_operand *operands, const lw_ptx_record *r)
{
    lw_matrix_event m;
    const bool stores = f->memory.store;
    if (!lw_ptx_matrix_event(r, &m))
        return;
    for (int i = 0; i < LW_OPERAND_COUNT; i++) {
        const lw_operand op = i == 0                   ? LW_OPERAND_D
                              : i <= (int)LW_OPERAND_D ? (lw_operand)(i - 1)
                                                       : (lw_operand)i;
        const lw_role role = op == LW_OPERAND_INDEX     ? LW_ROLE_INDEX
                             : op >= LW_OPERAND_SCALE_A ? LW_ROLE_SCALE
                             : stores                   ? LW_ROLE_DATA
                             : op == LW_OPERAND_D       ? LW_ROLE_RESULT
                                                        : LW_ROLE_SOURCE;
        for (unsigned w = 0; w < m.operand[op].count && m.operand[op].is_register; w++) {
            const lw_ptx_source s = { .kind = LW_PTX_SOURCE_REGISTER,
                                      .slot = lw_ptx_matrix_register(r, op, w),
                                      .bits = 32 };
            add(f, operands, &s, role);
            operands[f->operand_count - 1].lanes = LW_LANES_ALL;
        }
    }
}

/* Predicates that select are masks. The last operand of lop3 is in lw_facts.truth. */
static void add_source(lw_facts *f, lw_fact_operand *operands, const lw_ptx_record *r, unsigned i, bool store)
{
    const lw_ptx_source *s = &r->src[i];
    const bool selects = f->flow == LW_FLOW_SELECTS && i == 2;
    if (s->kind == LW_PTX_SOURCE_CONSTANT && shows_constants(f->flow) && i < 3)
        operands[f->operand_count++] =
            (lw_fact_operand){ .role = LW_ROLE_SOURCE, .lanes = LW_LANES_SCALAR, .constant = s->value };
    else
        add(f, operands, s, selects ? LW_ROLE_MASK : store ? LW_ROLE_DATA : LW_ROLE_SOURCE);
}

/* The predicate after @: lw_event_lanes gives the lanes that might execute the instruction. */
static void add_guard(lw_facts *f, lw_fact_operand *operands, const lw_ptx_record *r)
{
    const lw_ptx_source s = { .kind = LW_PTX_SOURCE_PREDICATE, .slot = r->guard };
    add(f, operands, &s, LW_ROLE_MASK);
    operands[f->operand_count - 1].lanes = LW_LANES_SOME;
}

lw_facts lw_ptx_facts(lw_arch arch, const void *record, uint64_t pc, lw_fact_operand *operands)
{
    (void)arch, (void)pc;
    const lw_ptx_record *r = record;
    const lw_sync sync = sync_of(r);
    const bool fence = sync == LW_SYNC_FENCE || sync == LW_SYNC_PROXY;
    const bool memory = !fence && strchr(r->insn->op->operands, 'm') != NULL;
    const bool store = r->insn->op->operands[0] == 'm';
    lw_facts f = { .struct_size = sizeof(f),
                   .kind = class_of(r, sync),
                   .operands = operands,
                   .barrier = -1,
                   .awaits = { -1, -1, -1 } };
    for (size_t i = 0; i < LW_COUNTER_ROOM; i++)
        f.counters[i].awaits = -1;
    for (unsigned i = 0; i < r->dst_count; i++)
        add(&f, operands, &r->dst[i], LW_ROLE_RESULT);
    f.flow = flow_of(&f, r);
    for (unsigned i = 0; i < r->src_count; i++)
        add_source(&f, operands, r, i, store);
    if (memory)
        add(&f, operands, &r->address, LW_ROLE_ADDRESS);
    if (memory)
        f.memory = (lw_fact_memory){ .load = !store,
                                     .store = store,
                                     .requests = 1,
                                     .bytes = (uint16_t)(store ? r->src_count * r->src_bits / 8
                                                               : r->dst_count * r->dst_bits / 8),
                                     .offset = (int64_t)r->offset };
    if (memory && is_atomic(r))
        f.memory.load = f.memory.store = true;
    if (memory)
        set_order(&f.memory, r);
    add_moved(&f, operands, r);
    add_fragments(&f, operands, r);
    if (f.flow == LW_FLOW_BYTES) /* bytes 0 and 1 of the first source, then of the second */
        operands[f.operand_count++] =
            (lw_fact_operand){ .role = LW_ROLE_SOURCE, .lanes = LW_LANES_SCALAR, .constant = 0x01000504 };
    if (f.kind == LW_CLASS_VECTOR && f.flow == LW_FLOW_COMPUTES) {
        f.number = number_of(r->type);
        f.source_number = number_of(r->src_type);
    }
    f.sync = sync;
    lw_ptx_async_facts(&f, operands, r);
    if (f.kind == LW_CLASS_BARRIER && r->src[0].kind == LW_PTX_SOURCE_CONSTANT)
        f.barrier = (int)r->src[0].value;
    f.conditional = r->insn->guard != LW_PTX_NONE;
    if (f.conditional)
        add_guard(&f, operands, r);
    return f;
}

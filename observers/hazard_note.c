/* SPDX-License-Identifier: MIT */
/* What the rules of wait states need to know about an instruction, from its facts. */
#include <string.h>

#include "observers/hazards.h"

/* One numbering of the registers of all files: the first number of each file. */
static const uint16_t file_base[LW_FILE_COUNT] = {
    [LW_FILE_VGPR] = 0,    [LW_FILE_AGPR] = 1024,  [LW_FILE_SGPR] = 2048,
    [LW_FILE_TRAP] = 3072, [LW_FILE_NAMED] = 4096, [LW_FILE_PREDICATE] = 5120
};

void lw_hazard_register(unsigned reg, lw_reg_file *file, unsigned *number)
{
    *file = (lw_reg_file)0;
    for (int i = 0; i < LW_FILE_COUNT; i++)
        if (reg >= file_base[i])
            *file = (lw_reg_file)i;
    *number = reg - file_base[*file];
}

static uint32_t kinds_of(lw_hazard_class hazard)
{
    static const uint32_t kinds[] = {
        [LW_HAZARD_OTHER] = LW_HZ_OTHER,
        [LW_HAZARD_SALU] = LW_HZ_SALU,
        [LW_HAZARD_SETREG] = LW_HZ_SETREG,
        [LW_HAZARD_GETREG] = LW_HZ_GETREG,
        [LW_HAZARD_RFE] = LW_HZ_RFE,
        [LW_HAZARD_SMEM] = LW_HZ_OTHER | LW_HZ_SMEM,
        [LW_HAZARD_MEMORY] = LW_HZ_VMEM,
        [LW_HAZARD_VALU] = LW_HZ_VALU,
        [LW_HAZARD_TRANS] = LW_HZ_VALU | LW_HZ_TRANS,
        [LW_HAZARD_DOT] = LW_HZ_VALU | LW_HZ_DOT,
        [LW_HAZARD_FMA64] = LW_HZ_VALU | LW_HZ_FMA64,
        [LW_HAZARD_DIV_FMAS] = LW_HZ_VALU | LW_HZ_DIV_FMAS,
        [LW_HAZARD_LANE] = LW_HZ_VALU | LW_HZ_LANE,
        [LW_HAZARD_LANE_SWAP] = LW_HZ_VALU | LW_HZ_SWAP,
        [LW_HAZARD_ACC_READ] = LW_HZ_VALU | LW_HZ_ACC_READ,
        [LW_HAZARD_ACC_WRITE] = LW_HZ_VALU | LW_HZ_ACC_WRITE,
        [LW_HAZARD_XDL] = LW_HZ_XDL,
        [LW_HAZARD_SGEMM] = LW_HZ_SGEMM,
        [LW_HAZARD_DGEMM] = LW_HZ_DGEMM,
        [LW_HAZARD_WMMA] = LW_HZ_WMMA,
        [LW_HAZARD_PERMLANE] = LW_HZ_VALU | LW_HZ_PERMLANE,
        [LW_HAZARD_WAIT_ALU] = LW_HZ_OTHER | LW_HZ_WAIT_ALU,
    };
    const uint32_t known = (size_t)hazard < sizeof(kinds) / sizeof(kinds[0]) ? kinds[hazard] : 0;
    return known ? known : LW_HZ_OTHER;
}

static bool is_dpp(const lw_facts *f)
{
    for (size_t i = 0; i < f->operand_count; i++)
        if (f->operands[i].role == LW_ROLE_SOURCE && f->operands[i].lanes == LW_LANES_SOME)
            return f->kind == LW_CLASS_VECTOR && f->hazard != LW_HAZARD_LANE;
    return false;
}

/* A store or a compare-and-swap of more than 64 bits; for buffers, only without a scalar offset. */
static bool is_wide_store(const lw_facts *f)
{
    bool wide = false, scalar_offset = false;
    for (size_t i = 0; i < f->operand_count; i++) {
        const lw_fact_operand *o = &f->operands[i];
        wide = wide || (o->role == LW_ROLE_DATA && o->is_register && o->count > 2);
        scalar_offset = scalar_offset || (f->memory.buffer && o->role == LW_ROLE_ADDRESS && o->is_register &&
                                          o->lanes == LW_LANES_SCALAR && o->count == 1);
    }
    return wide && f->memory.store && !scalar_offset;
}

static uint32_t all_kinds(const lw_facts *f)
{
    uint32_t kinds = kinds_of(f->hazard);
    if (kinds & LW_HZ_VMEM && f->kind == LW_CLASS_LDS)
        kinds = LW_HZ_LDS;
    if (kinds & LW_HZ_VMEM && f->memory.buffer)
        kinds |= LW_HZ_BUFFER;
    if (kinds & LW_HZ_VMEM && is_wide_store(f))
        kinds |= LW_HZ_WIDE_STORE;
    if (!(kinds & LW_HZ_VALU))
        return kinds;
    return kinds | (kinds & LW_HZ_ACC_WRITE ? 0u : LW_HZ_VGPR_VALU) |
           (kinds & LW_HZ_DOT ? 0u : LW_HZ_PLAIN_VALU) | (kinds & LW_HZ_TRANS ? 0u : LW_HZ_NOT_TRANS) |
           (is_dpp(f) ? LW_HZ_DPP : 0u) | (f->part_result ? LW_HZ_PART : 0u);
}

static uint8_t registers_of(const lw_fact_operand *o)
{
    if (o->file == LW_FILE_VGPR || o->file == LW_FILE_AGPR)
        return LW_HZ_VECTOR;
    if (o->file != LW_FILE_NAMED)
        return LW_HZ_SCALAR;
    switch ((lw_named)o->first) {
    case LW_NAMED_VCC_LO:
    case LW_NAMED_VCC_HI:
        return LW_HZ_VCC;
    case LW_NAMED_EXEC_LO:
    case LW_NAMED_EXEC_HI:
        return LW_HZ_EXEC;
    case LW_NAMED_M0:
        return LW_HZ_M0;
    default:
        return LW_HZ_NOTHING;
    }
}

/* `source`: the number of sources before this one. */
static uint16_t use_of(uint32_t kinds, const lw_fact_operand *o, unsigned source)
{
    const bool matrix = kinds & (LW_HZ_MATRIX | LW_HZ_WMMA);
    switch (o->role) {
    case LW_ROLE_RESULT:
    case LW_ROLE_KEPT:
        if (!o->written || !o->read || kinds & LW_HZ_LANE)
            return LW_HZ_RESULT;
        return (uint16_t)(LW_HZ_RESULT | (matrix ? 0u : kinds & LW_HZ_DOT ? LW_HZ_THIRD : LW_HZ_SOURCE));
    case LW_ROLE_SOURCE:
        if (matrix)
            return source == 2 ? LW_HZ_C : LW_HZ_AB;
        if (kinds & LW_HZ_DOT && source == 2)
            return LW_HZ_THIRD;
        if (o->written) /* swapped */
            return LW_HZ_SOURCE | LW_HZ_RESULT;
        return kinds & LW_HZ_LANE && source == 1 ? LW_HZ_SELECT : LW_HZ_SOURCE;
    case LW_ROLE_INDEX:
    case LW_ROLE_SCALE:
        return LW_HZ_AB;
    case LW_ROLE_MASK:
        return LW_HZ_MASK;
    case LW_ROLE_ADDRESS:
        return LW_HZ_ADDRESS;
    case LW_ROLE_DATA:
        return LW_HZ_DATA;
    case LW_ROLE_IMPLIED:
        break;
    }
    return LW_HZ_IMPLIED;
}

static void put(lw_hazard_note *note, const lw_hazard_operand *o)
{
    if (note->count < LW_HZ_OPERANDS)
        note->operands[note->count++] = *o;
}

/* VGPRs from `accum` on are AGPRs. */
static unsigned number_of(const lw_fact_operand *o, unsigned accum)
{
    if (o->file == LW_FILE_VGPR && o->first >= accum)
        return file_base[LW_FILE_AGPR] + o->first - accum;
    return file_base[o->file] + o->first;
}

static void put_operand(lw_hazard_note *note, const lw_fact_operand *o, unsigned source, unsigned accum)
{
    lw_hazard_operand own = { .first = (uint16_t)number_of(o, accum),
                              .count = o->count,
                              .use = use_of(note->kinds, o, source),
                              .registers = registers_of(o),
                              .read = o->read,
                              .written = o->written };
    if (note->kinds & (LW_HZ_MATRIX | LW_HZ_WMMA) && o->role == LW_ROLE_RESULT &&
        o->read) { /* sparse: C is D */
        own.read = false;
        put(note, &own);
        own = (lw_hazard_operand){ own.first, own.count, LW_HZ_C, own.registers, true, false };
    }
    put(note, &own);
}

enum { MODE = 1, BASE_LO = 20, BASE_HI = 21, SKIP_BIT = 28, LONGEST = 24, LONGEST_PLAIN = 5 };

/* s_setreg, s_getreg: the number of the register, and whether MODE.vskip is one of the bits. */
static int32_t setting_of(const lw_facts *f)
{
    const unsigned imm = (unsigned)f->immediate, id = imm & 63, from = imm >> 6 & 31,
                   bits = (imm >> 11 & 31) + 1;
    return (int32_t)(id | (id == MODE && from <= SKIP_BIT && SKIP_BIT < from + bits ? 1u << 16 : 0u));
}

void lw_hazard_note_of(lw_hazard_note *note, const lw_event *event, lw_hazard_target target)
{
    const lw_facts *f = event->facts;
    const unsigned accum = lw_event_accum_offset(event);
    memset(note, 0, sizeof(*note));
    note->place = event->place;
    note->kinds = all_kinds(f);
    note->opcode = f->opcode;
    note->wide = event->lanes == 64;
    note->moved = event->moved;
    note->dual = f->dual;
    note->scratch_base = f->scratch_base;
    note->arrives = f->sync == LW_SYNC_OBJECT && f->completion == LW_COMPLETION_GROUP;
    note->passes = (uint16_t)f->passes;
    note->wait_states = f->wait_states;
    note->longest = note->kinds & LW_HZ_MATRIX ? LONGEST : note->kinds & LW_HZ_OTHER ? 2 : LONGEST_PLAIN;
    if (f->hazard == LW_HAZARD_SETREG || f->hazard == LW_HAZARD_GETREG)
        note->setting = setting_of(f);
    const int32_t id = note->kinds & LW_HZ_GETREG && target == LW_HZ_GFX1250 ? note->setting & 63 : 0;
    note->scratch_base |= id == BASE_LO ? 1 : id == BASE_HI ? 2 : 0;
    if (f->hazard == LW_HAZARD_WAIT_ALU)
        note->setting = (int32_t)f->immediate;
    if (f->hazard == LW_HAZARD_WAIT_ALU && (f->immediate >> 12 & 15) == 0)
        note->kinds |= LW_HZ_DRAIN;
    if (f->kind == LW_CLASS_BRANCH && !f->has_target) /* LLVM 22 does not look across calls and returns */
        note->kinds |= LW_HZ_DRAIN;
    const bool beside = target == LW_HZ_GFX1250 && note->kinds & LW_HZ_TRANS;
    note->after = beside ? 1 : f->distance;
    note->after_strict = beside ? 1 : f->distance_strict;
    unsigned source = 0;
    for (size_t i = 0; i < f->operand_count; i++) {
        const lw_fact_operand *o = &f->operands[i];
        if (o->is_register)
            put_operand(note, o, source, accum);
        source += o->role == LW_ROLE_SOURCE;
    }
    note->base_writer = target == LW_HZ_GFX1250 && lw_hazard_writes_base(note, 3);
}

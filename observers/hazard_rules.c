/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "observers/hazards.h"

/* The words used in hazards.inc. */
enum {
    SALU = LW_HZ_SALU | LW_HZ_SETREG | LW_HZ_GETREG,
    SETREG = LW_HZ_SETREG,
    GETREG = LW_HZ_GETREG,
    RFE = LW_HZ_RFE,
    VMEM = LW_HZ_VMEM,
    LDS = LW_HZ_LDS,
    VALU = LW_HZ_VALU,
    PLAIN_VALU = LW_HZ_PLAIN_VALU,
    NOT_TRANS = LW_HZ_NOT_TRANS,
    TRANS = LW_HZ_TRANS,
    DOT = LW_HZ_DOT,
    FMA64 = LW_HZ_FMA64,
    DIV_FMAS = LW_HZ_DIV_FMAS,
    LANE = LW_HZ_LANE,
    SWAP = LW_HZ_SWAP,
    XDL = LW_HZ_XDL,
    SGEMM = LW_HZ_SGEMM,
    DGEMM = LW_HZ_DGEMM,
    MATRIX = LW_HZ_MATRIX,
    ACC_READ = LW_HZ_ACC_READ,
    ACC_WRITE = LW_HZ_ACC_WRITE,
    VGPR_VALU = LW_HZ_VGPR_VALU,
    DPP = LW_HZ_DPP,
    PART = LW_HZ_PART,
    WIDE_STORE = LW_HZ_WIDE_STORE,
    ANY = LW_HZ_ANY,
    RESULT = LW_HZ_RESULT,
    SOURCE = LW_HZ_SOURCE,
    SELECT = LW_HZ_SELECT,
    MASK = LW_HZ_MASK,
    ADDRESS = LW_HZ_ADDRESS,
    DATA = LW_HZ_DATA,
    IMPLIED = LW_HZ_IMPLIED,
    USE = LW_HZ_USE,
    MATRIX_C = LW_HZ_C,
    MATRIX_AB = LW_HZ_AB,
    VECTOR = LW_HZ_VECTOR,
    SCALAR = LW_HZ_SCALAR,
    EXEC = LW_HZ_EXEC,
    VCC = LW_HZ_VCC,
    M0 = LW_HZ_M0,
    NOTHING = LW_HZ_NOTHING,
};

typedef enum meet { RAW, WAW, WAR, UNDER, AFTER } meet;

typedef enum condition {
    NONE,
    OTHER_OPCODE,
    SAME_OPCODE,
    SAME_SETTING,
    TRAP_SETTING,
    SKIP_SETTING,
} condition;

typedef enum relation { C_SAME, C_OVER, AB, READ, OVERWRITE, C_LATE, RELATIONS } relation;

enum {
    A08 = 1 << LW_HZ_GFX908,
    A90 = 1 << LW_HZ_GFX90A,
    A42 = 1 << LW_HZ_GFX942,
    A50 = 1 << LW_HZ_GFX950,
    A94 = A42 | A50,
    A9042 = A90 | A42,
    ALL = A90 | A94,
};

enum { FIXED, PASSES };

typedef struct plain_rule {
    const char *name, *why;
    lw_severity severity;
    uint32_t earlier, later;
    uint16_t earlier_use, later_use;
    uint8_t registers;
    uint8_t meet, condition;
    uint8_t states[LW_HZ_TARGETS];
} plain_rule;

typedef struct matrix_rule {
    const char *name;
    lw_severity severity;
    uint8_t targets;
    uint32_t earlier, later;
    uint8_t relation, base;
    int8_t plus;
    uint8_t small_passes, small;
} matrix_rule;

static const plain_rule plain_rules[] = {
#define PLAIN(name_, severity_, earlier_, earlier_use_, meet_, later_, later_use_, registers_, condition_,   \
              a_, b_, c_, d_, why_)                                                                          \
    { name_, why_,       LW_SEVERITY_##severity_, earlier_, later_, earlier_use_, later_use_, registers_,    \
      meet_, condition_, { a_, b_, c_, d_ } },
#define MATRIX(...)
#include "observers/hazards.inc"
#undef PLAIN
#undef MATRIX
};

static const matrix_rule matrix_rules[] = {
#define PLAIN(...)
#define MATRIX(name_, severity_, targets_, earlier_, relation_, later_, base_, plus_, small_passes_, small_) \
    { name_, LW_SEVERITY_##severity_, targets_, earlier_, later_, relation_, base_,                          \
      plus_, small_passes_,           small_ },
#include "observers/hazards.inc"
#undef PLAIN
#undef MATRIX
};

static const char *const relation_why[RELATIONS] = {
    [C_SAME] = "a matrix instruction adds to the result of another one",
    [C_OVER] =
        ("C of a matrix instruction shares registers with the result of another one, and is not all of it or "
         "takes another number of passes"),
    [AB] = "A, B, the index or a scale of a matrix instruction is the result of another one",
    [READ] = "an instruction reads the result of a matrix instruction",
    [OVERWRITE] = "an instruction overwrites the result of a matrix instruction",
    [C_LATE] = "an instruction overwrites what a matrix instruction still reads as C",
};

enum { PLAIN_RULES = sizeof(plain_rules) / sizeof(plain_rules[0]) };
enum { MATRIX_RULES = sizeof(matrix_rules) / sizeof(matrix_rules[0]) };

int lw_hazard_target_of(lw_arch arch)
{
    static const uint8_t targets[LW_ARCH_COUNT] = {
        [LW_ARCH_GFX908] = LW_HZ_GFX908 + 1, [LW_ARCH_GFX90A] = LW_HZ_GFX90A + 1,
        [LW_ARCH_GFX942] = LW_HZ_GFX942 + 1, [LW_ARCH_GFX950] = LW_HZ_GFX950 + 1,
        [LW_ARCH_GFX1100] = LW_HZ_GFX11 + 1, [LW_ARCH_GFX1150] = LW_HZ_GFX115 + 1,
        [LW_ARCH_GFX1201] = LW_HZ_GFX12 + 1, [LW_ARCH_GFX1250] = LW_HZ_GFX1250 + 1
    };
    return (unsigned)arch < LW_ARCH_COUNT ? targets[arch] - 1 : -1;
}

static bool overlap(const lw_hazard_operand *a, const lw_hazard_operand *b, uint16_t *reg)
{
    const unsigned first = a->first > b->first ? a->first : b->first;
    const unsigned a_end = a->first + a->count, b_end = b->first + b->count;
    *reg = (uint16_t)first;
    return first < (a_end < b_end ? a_end : b_end);
}

static void take(lw_hazard_need *need, unsigned states, const char *rule, const char *why, uint16_t reg,
                 bool written)
{
    if (states > need->states)
        *need = (lw_hazard_need){ states, rule, why, reg, written };
}

/* Strict also requires everything that is an error. */
static void want(lw_hazard_needs *needs, lw_severity severity, unsigned states, const char *rule,
                 const char *why, uint16_t reg, bool written)
{
    if (severity == LW_SEVERITY_ERROR)
        take(&needs->error, states, rule, why, reg, written);
    take(&needs->strict, states, rule, why, reg, written);
}

enum { TRAPSTS = 3, SETTING_ID = 63, SETTING_SKIP = 1 << 16 };

static bool holds(const plain_rule *r, const lw_hazard_note *earlier, const lw_hazard_note *later)
{
    switch ((condition)r->condition) {
    case NONE:
        return true;
    case OTHER_OPCODE:
        return earlier->opcode != later->opcode;
    case SAME_OPCODE:
        return earlier->opcode == later->opcode;
    case SAME_SETTING:
        return (earlier->setting & SETTING_ID) == (later->setting & SETTING_ID);
    case TRAP_SETTING:
        return (earlier->setting & SETTING_ID) == TRAPSTS;
    case SKIP_SETTING:
        return (earlier->setting & SETTING_SKIP) != 0;
    }
    return false;
}

/* Does the earlier instruction access such registers in the way that the rule says? */
static bool touches(const plain_rule *r, const lw_hazard_operand *o)
{
    return o->use & r->earlier_use && o->registers & r->registers && (r->meet == WAR ? o->read : o->written);
}

/* Do the two meet as the rule says? *reg: the first register through which they do. */
static bool meets(const plain_rule *r, const lw_hazard_note *earlier, const lw_hazard_note *later,
                  uint16_t *reg)
{
    *reg = UINT16_MAX;
    if (r->meet == AFTER)
        return true;
    for (unsigned i = 0; i < earlier->count; i++) {
        const lw_hazard_operand *e = &earlier->operands[i];
        if (!touches(r, e))
            continue;
        *reg = e->first;
        if (r->meet == UNDER)
            return true;
        for (unsigned k = 0; k < later->count; k++) {
            const lw_hazard_operand *l = &later->operands[k];
            if (l->use & r->later_use && (r->meet == RAW ? l->read : l->written) && overlap(e, l, reg))
                return true;
        }
    }
    return false;
}

static void plain_needs(lw_hazard_target target, const lw_hazard_note *earlier, const lw_hazard_note *later,
                        lw_hazard_needs *needs)
{
    for (size_t i = 0; i < PLAIN_RULES; i++) {
        const plain_rule *r = &plain_rules[i];
        uint16_t reg;
        if (r->states[target] && earlier->kinds & r->earlier && later->kinds & r->later &&
            holds(r, earlier, later) && meets(r, earlier, later, &reg))
            want(needs, r->severity, r->states[target], r->name, r->why, reg,
                 r->meet == WAW || r->meet == WAR);
    }
}

/* How registers `e` of a matrix instruction and `l` of a later instruction meet; RELATIONS: they do not. */
static relation relation_of(const lw_hazard_note *later, const lw_hazard_operand *e,
                            const lw_hazard_operand *l)
{
    const bool matrix = later->kinds & MATRIX;
    if (e->use == LW_HZ_C && e->read && l->written && !matrix)
        return C_LATE;
    if (!(e->use & RESULT && e->written))
        return RELATIONS;
    if (l->read)
        return !matrix ? READ : l->use == LW_HZ_C ? C_OVER : AB;
    return l->written && !matrix ? OVERWRITE : RELATIONS;
}

static unsigned states_of(const matrix_rule *r, unsigned passes)
{
    if (r->small_passes && passes == r->small_passes)
        return r->small;
    const int states = (r->base == PASSES ? (int)passes : 0) + r->plus;
    return states > 0 ? (unsigned)states : 0;
}

static void matrix_need(lw_hazard_target target, relation met, const lw_hazard_note *earlier,
                        const lw_hazard_note *later, uint16_t reg, lw_hazard_needs *needs)
{
    for (size_t i = 0; i < MATRIX_RULES; i++) {
        const matrix_rule *r = &matrix_rules[i];
        if (r->relation == met && r->targets >> target & 1 && earlier->kinds & r->earlier &&
            later->kinds & r->later)
            want(needs, r->severity, states_of(r, earlier->passes), r->name, relation_why[met], reg,
                 met == OVERWRITE || met == C_LATE);
    }
}

/* C is all or a part of D. If it is all of D, but the two take different times, at least the states for a
 * partial overlap are needed (manuals of CDNA3 and CDNA4; nobody says so of gfx908). */
static void c_needs(lw_hazard_target target, const lw_hazard_note *earlier, const lw_hazard_note *later,
                    const lw_hazard_operand *d, const lw_hazard_operand *c, uint16_t reg,
                    lw_hazard_needs *needs)
{
    const bool all = d->first == c->first && d->count == c->count;
    if (all)
        matrix_need(target, C_SAME, earlier, later, reg, needs);
    if (!all || (earlier->passes != later->passes && target != LW_HZ_GFX908))
        matrix_need(target, C_OVER, earlier, later, reg, needs);
}

static void matrix_needs(lw_hazard_target target, const lw_hazard_note *earlier, const lw_hazard_note *later,
                         lw_hazard_needs *needs)
{
    for (unsigned i = 0; i < earlier->count; i++)
        for (unsigned k = 0; k < later->count; k++) {
            const lw_hazard_operand *e = &earlier->operands[i], *l = &later->operands[k];
            uint16_t reg;
            if (e->registers != VECTOR || l->registers != VECTOR || !overlap(e, l, &reg))
                continue;
            const relation met = relation_of(later, e, l);
            if (met == C_OVER)
                c_needs(target, earlier, later, e, l, reg, needs);
            else if (met != RELATIONS)
                matrix_need(target, met, earlier, later, reg, needs);
            if (met == READ && l->written) /* a tied result */
                matrix_need(target, OVERWRITE, earlier, later, reg, needs);
        }
}

lw_hazard_needs lw_hazard_between(lw_hazard_target target, const lw_hazard_note *earlier,
                                  const lw_hazard_note *later)
{
    lw_hazard_needs needs = { { 0 }, { 0 } };
    plain_needs(target, earlier, later, &needs);
    if (earlier->kinds & MATRIX)
        matrix_needs(target, earlier, later, &needs);
    return needs;
}

/* SPDX-License-Identifier: MIT */
#include "observers/pending.h"

#include <stdlib.h>

enum {
    VM = LW_COUNTER_VM,
    LGKM = LW_COUNTER_LGKM,
    EXP = LW_COUNTER_EXP,
    VS = LW_COUNTER_VS,
    KM = LW_COUNTER_KM,
    ASYNC = LW_COUNTER_ASYNC,
    TENSOR = LW_COUNTER_TENSOR,
    X = LW_COUNTER_X
};

const lw_pending_target *lw_pending_target_of(lw_arch arch)
{
    /* AMD CDNA3 ISA manual 4.4, RDNA3 ISA manual 5.6; LLVM 22 (SIInsertWaitcnts) */
    static const lw_pending_target cdna = { .most = { [VM] = 63, [LGKM] = 15, [EXP] = 7 } };
    static const lw_pending_target rdna3 = { .most = { [VM] = 63, [LGKM] = 63, [EXP] = 7, [VS] = 63 },
                                             .flat_counts = true };
    /* gfx12: LLVM 22; that a full counter delays the next operation is inferred from the others, and so is
     * the width of asynccnt and tensorcnt, which only gfx1250 raises */
    static const lw_pending_target gfx12 = {
        .most = { [VM] = 63, [LGKM] = 63, [EXP] = 7, [VS] = 63, [KM] = 31, [ASYNC] = 63, [TENSOR] = 63 },
        .flat_counts = true,
        .loads_cross = true,
        .names = { [VM] = "s_wait_loadcnt",
                   [LGKM] = "s_wait_dscnt",
                   [EXP] = "s_wait_expcnt",
                   [VS] = "s_wait_storecnt",
                   [KM] = "s_wait_kmcnt",
                   [ASYNC] = "s_wait_asynccnt",
                   [TENSOR] = "s_wait_tensorcnt" },
    };
    static const lw_pending_target *const targets[LW_ARCH_COUNT] = {
        [LW_ARCH_GFX908] = &cdna,   [LW_ARCH_GFX90A] = &cdna,   [LW_ARCH_GFX942] = &cdna,
        [LW_ARCH_GFX950] = &cdna,   [LW_ARCH_GFX1100] = &rdna3, [LW_ARCH_GFX1150] = &rdna3,
        [LW_ARCH_GFX1201] = &gfx12, [LW_ARCH_GFX1250] = &gfx12
    };
    return (unsigned)arch < LW_ARCH_COUNT ? targets[arch] : NULL;
}

static lw_pending_class class_of(const lw_facts *f)
{
    if (f->counters[TENSOR].raises)
        return LW_PENDING_TENSOR;
    if (f->counters[ASYNC].raises)
        return LW_PENDING_ASYNC;
    const bool two = f->counters[LGKM].raises && (f->counters[VM].raises || f->counters[VS].raises);
    if (f->kind == LW_CLASS_GENERIC || two)
        return LW_PENDING_FLAT;
    if (f->counters[VM].raises)
        return LW_PENDING_VMEM;
    if (f->counters[VS].raises)
        return LW_PENDING_STORE;
    if (f->kind == LW_CLASS_LDS)
        return LW_PENDING_LDS;
    return f->hazard == LW_HAZARD_SMEM ? LW_PENDING_SCALAR : LW_PENDING_OTHER;
}

void lw_pending_kind_of(lw_pending_kind *kind, const lw_facts *facts)
{
    memset(kind, 0, sizeof(*kind));
    kind->class = (uint8_t)class_of(facts);
    for (int c = 0; c < LW_COUNTER_COUNT; c++) {
        kind->tokens[c] = c == X ? 0 : facts->counters[c].raises; /* it says nothing about results */
        kind->awaits[c] = c == X ? -1 : facts->counters[c].awaits;
        kind->shows |= (uint8_t)(kind->tokens[c] ? 1u << c : 0u);
        kind->issues = kind->issues || kind->tokens[c];
        kind->waits = kind->waits || kind->awaits[c] >= 0;
    }
    if (kind->class == LW_PENDING_ASYNC)
        kind->shows = 1u << ASYNC;
}

bool lw_pending_begin(lw_pending *p, size_t rows)
{
    if (p->row_count < rows || !p->row_ops) {
        free(p->row_ops);
        p->row_count = 0;
        p->row_ops = malloc(rows + sizeof(uint64_t));
        if (!p->row_ops)
            return false;
        p->row_count = rows;
    }
    memset(p->row_ops, 0, p->row_count + sizeof(uint64_t));
    memset(p->issued, 0, sizeof(p->issued));
    memset(p->done, 0, sizeof(p->done));
    memset(p->tokens, 0, sizeof(p->tokens));
    p->copies = 0;
    p->count = 0;
    p->free_count = LW_PENDING_MOST;
    for (unsigned i = 0; i < LW_PENDING_MOST; i++)
        p->free[i] = (uint8_t)(LW_PENDING_MOST - 1 - i);
    return true;
}

void lw_pending_release(lw_pending *p)
{
    free(p->row_ops);
    p->row_ops = NULL;
    p->row_count = 0;
}

static bool has_order(unsigned class)
{
    return class == LW_PENDING_VMEM || class == LW_PENDING_STORE || class == LW_PENDING_LDS ||
           class == LW_PENDING_ASYNC || class == LW_PENDING_TENSOR;
}

/* Removes operation number `at` in the order: it is done. */
static void retire(lw_pending *p, unsigned at)
{
    const unsigned slot = p->order[at];
    lw_pending_op *op = &p->ops[slot];
    for (unsigned i = 0; i < op->run_count; i++)
        for (uint32_t row = op->runs[i].row; row < op->runs[i].row + op->runs[i].count; row++)
            if (p->row_ops[row] == slot + 1)
                p->row_ops[row] = 0;
    if (has_order(op->class) && op->index > p->done[op->class])
        p->done[op->class] = op->index;
    for (unsigned c = 0; c < LW_COUNTER_COUNT; c++)
        p->tokens[c] -= op->tokens[c];
    p->copies -= op->copies;
    memmove(p->order + at, p->order + at + 1, p->count - at - 1);
    p->count--;
    p->free[p->free_count++] = (uint8_t)slot;
}

/* The class of an operation as one counter sees it. Where FLAT operations complete in order with others, it
 * is the class of those. */
static unsigned class_on(const lw_pending_target *target, const lw_pending_op *op, unsigned counter)
{
    static const uint8_t others[LW_COUNTER_COUNT] = {
        [VM] = LW_PENDING_VMEM,       [LGKM] = LW_PENDING_LDS,  [EXP] = LW_PENDING_OTHER,
        [VS] = LW_PENDING_STORE,      [KM] = LW_PENDING_SCALAR, [ASYNC] = LW_PENDING_ASYNC,
        [TENSOR] = LW_PENDING_TENSOR,
    };
    if (op->class == LW_PENDING_ASYNC)
        return others[counter];
    return op->class == LW_PENDING_FLAT && target->flat_counts ? others[counter] : op->class;
}

static void wait_one(lw_pending *p, const lw_pending_target *target, unsigned counter, unsigned left)
{
    unsigned tokens[LW_PENDING_CLASSES] = { 0 };
    bool some = false;
    if (left && p->tokens[counter] <= left)
        return;
    for (unsigned at = p->count; at-- > 0;) {
        lw_pending_op *op = &p->ops[p->order[at]];
        const unsigned class = class_on(target, op, counter);
        tokens[class] += op->tokens[counter];
        if (op->tokens[counter] && (left == 0 || (has_order(class) && tokens[class] > left)))
            some |= !(op->waiting &= (uint8_t) ~(1u << counter));
    }
    for (unsigned at = some ? p->count : 0; at-- > 0;)
        if (!p->ops[p->order[at]].waiting)
            retire(p, at);
}

void lw_pending_wait(lw_pending *p, const lw_pending_target *target, const lw_pending_kind *kind)
{
    for (unsigned c = 0; c < LW_COUNTER_COUNT && p->count; c++)
        if (kind->awaits[c] >= 0)
            wait_one(p, target, c, (unsigned)kind->awaits[c]);
}

void lw_pending_make_room(lw_pending *p, const lw_pending_target *target, const lw_pending_kind *kind)
{
    for (unsigned c = 0; c < LW_COUNTER_COUNT; c++) {
        const unsigned most = target->most[c], tokens = kind->tokens[c];
        if (tokens && p->count && tokens <= most && p->tokens[c] + tokens > most)
            wait_one(p, target, c, most - tokens);
    }
}

lw_pending_op *lw_pending_issue(lw_pending *p, const lw_pending_kind *kind, uint32_t place)
{
    if (!p->free_count)
        retire(p, 0);
    const unsigned slot = p->free[--p->free_count];
    lw_pending_op *op = &p->ops[slot];
    p->order[p->count++] = (uint8_t)slot;
    *op = (lw_pending_op){ .place = place,
                           .class = kind->class,
                           .waiting = kind->shows,
                           .shows = kind->shows,
                           .index = ++p->issued[kind->class] };
    memcpy(op->tokens, kind->tokens, sizeof(op->tokens));
    for (unsigned c = 0; c < LW_COUNTER_COUNT; c++)
        p->tokens[c] += kind->tokens[c];
    return op;
}

void lw_pending_claim(lw_pending *p, const lw_pending_op *op)
{
    p->copies += op->copies;
    for (unsigned i = 0; i < op->run_count; i++)
        for (uint32_t row = op->runs[i].row; row < op->runs[i].row + op->runs[i].count && row < p->row_count;
             row++)
            p->row_ops[row] = (uint8_t)(op - p->ops + 1);
}

void lw_pending_forget(lw_pending *p, const lw_pending_op *op)
{
    for (unsigned at = 0; at < p->count; at++)
        if (&p->ops[p->order[at]] == op) {
            p->ops[p->order[at]].run_count = 0;
            p->copies -= op->copies;
            p->ops[p->order[at]].copies = false;
        }
    for (size_t row = 0; row < p->row_count; row++)
        if (p->row_ops[row] == op - p->ops + 1)
            p->row_ops[row] = 0;
}

unsigned lw_pending_left_for(const lw_pending *p, const lw_pending_target *target, const lw_pending_op *op,
                             lw_counter counter)
{
    const unsigned class = class_on(target, op, counter), most = target->most[counter];
    unsigned younger = 0;
    bool seen = false;
    if (!has_order(class))
        return 0;
    for (unsigned at = 0; at < p->count; at++) {
        const lw_pending_op *other = &p->ops[p->order[at]];
        younger += seen && class_on(target, other, counter) == class ? other->tokens[counter] : 0;
        seen = seen || other == op;
    }
    return younger < most ? younger : most - 1;
}

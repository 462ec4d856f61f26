/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "observers/undefined.h"

size_t lw_lack_runs(const lw_shadow_rows *rows, const lw_facts *facts, lw_shadow_run *runs, uint8_t *role)
{
    size_t count = lw_shadow_runs(rows, facts, runs, LW_LACK_RUNS);
    count = count < LW_LACK_RUNS ? count : LW_LACK_RUNS;
    for (size_t i = 0; i < count; i++)
        role[i] = (uint8_t)facts->operands[runs[i].operand].role;
    return count;
}

/* How many operands of a role there are: results before data. */
static unsigned operands_of(const lw_facts *facts, lw_role role)
{
    unsigned count = 0;
    for (size_t i = 0; i < facts->operand_count; i++)
        count += facts->operands[i].role == role && facts->operands[i].is_register;
    return count;
}

/* The bytes of memory that each operand of the role holds. Two requests load into one operand, and store from
 * two. */
static unsigned share_of(const lw_facts *facts, lw_role role)
{
    const unsigned operands = operands_of(facts, role), bytes = facts->memory.bytes;
    if (!operands)
        return 0;
    return facts->memory.requests == 2 ? (role == LW_ROLE_RESULT ? 2 * bytes : bytes) : bytes / operands;
}

static void set_bytes(lw_lack_place *p, const lw_facts *facts)
{
    const lw_role role = facts->memory.store ? LW_ROLE_DATA : LW_ROLE_RESULT;
    const unsigned share = share_of(facts, role);
    unsigned left = share;
    p->byte_count = 0;
    for (size_t i = 0; i < p->count; i++) {
        const lw_shadow_run *run = &p->runs[i];
        if (p->role[i] != role)
            continue;
        if (i == 0 || p->runs[i - 1].operand != run->operand)
            left = share;
        const unsigned mask = role == LW_ROLE_DATA ? run->read : run->written;
        for (unsigned reg = 0; reg < run->count; reg++)
            for (unsigned b = 0; b < 4; b++)
                if (mask >> b & 1 && left && p->byte_count < LW_LACK_BYTES) {
                    p->bytes[p->byte_count++] = (lw_lack_byte){ (uint8_t)i, (uint8_t)reg, (uint8_t)b };
                    left--;
                }
    }
}

/* May it access LDS or scratch? Buffers may be in scratch. */
static bool accesses_own_memory(const lw_facts *f)
{
    return f->kind == LW_CLASS_LDS || f->kind == LW_CLASS_GENERIC || f->kind == LW_CLASS_SCRATCH ||
           f->memory.to_lds || (f->kind == LW_CLASS_GLOBAL && f->memory.buffer);
}

static bool is_moving(const lw_event *event)
{
    lw_matrix_event m;
    lw_insn_info info;
    return lw_event_matrix(event, &m) && lw_insn_get_info(event->arch, m.insn, &info) == LW_OK && info.moves;
}

/* wmma.load and wmma.store access each lane's bytes in the order of its registers, as other loads do. */
static bool moves_rows(const lw_facts *f)
{
    return f->memory.requests || !(f->memory.load || f->memory.store);
}

/* May a lane stand for others that load the same? Their places are known where each lane names one. */
static bool may_repeat(const lw_lack_place *p, const lw_facts *f)
{
    return !p->moves && f->memory.requests == 1 && f->memory.load && !f->memory.store && !f->memory.to_lds &&
           !f->memory.transposes;
}

uint32_t lw_lack_prepare(lw_lack_place *p, const lw_shadow_rows *rows, const lw_event *event)
{
    const lw_facts *facts = event->facts;
    lw_matrix_event m;
    lw_lack_place_free(p);
    memset(p, 0, sizeof(*p));
    p->count = lw_lack_runs(rows, facts, p->runs, p->role);
    const bool moving = is_moving(event);
    p->moves = moving && moves_rows(facts);
    p->is_matrix = !moving && lw_event_matrix(event, &m);
    set_bytes(p, facts);
    lw_finding_at_event(&p->at, event);
    const bool async =
        facts->sync == LW_SYNC_OBJECT || (facts->sync == LW_SYNC_COPY && facts->step == LW_ASYNC_ISSUES);
    const bool accesses = facts->memory.load || facts->memory.store || facts->memory.to_lds;
    p->only_lds = accesses && facts->kind == LW_CLASS_LDS && !facts->memory.to_lds;
    const bool memory = async || (accesses && (p->moves || accesses_own_memory(facts)));
    return (p->count ? LW_SEE_BEFORE : 0u) |
           (memory ? LW_SEE_AFTER | LW_SEE_ACCESSES | LW_SEE_RUNS | LW_SEE_DONE : 0u) |
           (memory && may_repeat(p, facts) ? LW_SEE_ONCE : 0u);
}

void lw_lack_place_free(lw_lack_place *p)
{
    for (int op = 0; p->parts && op < LW_OPERAND_COUNT; op++)
        free(p->parts[op].entries);
    free(p->parts);
    p->parts = NULL;
}

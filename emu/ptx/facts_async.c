/* SPDX-License-Identifier: MIT */
/* What observers are told about asynchronous instructions: PTX ISA 9.1, "Asynchronous Operations",
 * "mbarrier", "Async proxy". */
#include "emu/ptx/matrix.h"

#define HAS(name) LW_PTX_GROUP_BIT(LW_PTX_GROUP_##name)

typedef struct async_row {
    const char *mnemonic;
    lw_ptx_group_set groups;
    lw_async_step step;
    lw_completion completion;
    bool async_proxy;
} async_row;

/* The first row that matches applies. */
static const async_row *row_of(const lw_ptx_record *r)
{
    static const async_row rows[] = {
        { "cp", HAS(COMMIT) | HAS(BULK), LW_ASYNC_COMMITS, LW_COMPLETION_BULK_GROUP, false },
        { "cp", HAS(COMMIT), LW_ASYNC_COMMITS, LW_COMPLETION_GROUP, false },
        { "cp", HAS(WAIT) | HAS(BULK), LW_ASYNC_WAITS, LW_COMPLETION_BULK_GROUP, false },
        { "cp", HAS(WAIT), LW_ASYNC_WAITS, LW_COMPLETION_GROUP, false },
        { "cp", HAS(WAIT_ALL), LW_ASYNC_WAITS, LW_COMPLETION_GROUP, false },
        { "cp", HAS(MBARRIER) | HAS(ARRIVE), LW_ASYNC_ARRIVES, LW_COMPLETION_GROUP, false },
        { "cp", HAS(BULK_PREFETCH), LW_ASYNC_OTHER, LW_COMPLETION_NONE, false },
        { "cp", HAS(BY_GROUP), LW_ASYNC_ISSUES, LW_COMPLETION_BULK_GROUP, true },
        { "cp", HAS(BY_MBARRIER), LW_ASYNC_ISSUES, LW_COMPLETION_OBJECT, true },
        { "cp", 0, LW_ASYNC_ISSUES, LW_COMPLETION_GROUP, false },
        { "st", HAS(COPY), LW_ASYNC_ISSUES, LW_COMPLETION_OBJECT, false },
        { "red", HAS(COPY), LW_ASYNC_ISSUES, LW_COMPLETION_OBJECT, false },
        { "mbarrier", HAS(TEST_WAIT), LW_ASYNC_WAITS, LW_COMPLETION_OBJECT, false },
        { "mbarrier", HAS(ARRIVE), LW_ASYNC_ARRIVES, LW_COMPLETION_OBJECT, false },
        { "mbarrier", HAS(DROP), LW_ASYNC_ARRIVES, LW_COMPLETION_OBJECT, false },
        { "mbarrier", 0, LW_ASYNC_OTHER, LW_COMPLETION_OBJECT, false },
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (strcmp(r->insn->op->mnemonic, rows[i].mnemonic) == 0 &&
            (r->groups & rows[i].groups) == rows[i].groups)
            return &rows[i];
    return NULL;
}

/* mbarrier.arrive is .release and waits are .acquire unless they say .relaxed; both are .cta by default. */
static void order_object(lw_fact_memory *m, const lw_ptx_record *r, lw_async_step step)
{
    const bool relaxed = lw_ptx_opcode_word(&r->insn->opcode, LW_PTX_GROUP_SEMANTICS) == LW_PTX_WORD_RELAXED;
    m->order = relaxed                    ? LW_ORDER_NONE
               : step == LW_ASYNC_ARRIVES ? LW_ORDER_RELEASE
               : step == LW_ASYNC_WAITS   ? LW_ORDER_ACQUIRE
                                          : LW_ORDER_NONE;
    if (step == LW_ASYNC_ARRIVES || lw_ptx_has(r, LW_PTX_GROUP_EXPECT) ||
        lw_ptx_has(r, LW_PTX_GROUP_COMPLETE))
        m->load = m->store = true;
    if (lw_ptx_opcode_word(&r->insn->opcode, LW_PTX_GROUP_SCOPE) == LW_PTX_WORD_NONE)
        m->scope = LW_SCOPE_WORKGROUP;
}

static void add_wait(lw_facts *f, uint64_t left)
{
    f->has_immediate = true;
    f->immediate = (int64_t)left;
}

void lw_ptx_async_facts(lw_facts *f, lw_fact_operand *operands, const lw_ptx_record *r)
{
    if (f->sync == LW_SYNC_MATRIX) {
        uint64_t left;
        f->completion = LW_COMPLETION_MATRIX;
        f->number = f->source_number = LW_NUMBER_NONE; /* its registers are matrices */
        f->step = lw_ptx_wgmma_step(r, &left);
        f->async_proxy = f->step == LW_ASYNC_ISSUES;
        if (f->step == LW_ASYNC_WAITS)
            add_wait(f, left);
        lw_ptx_wgmma_operands(r, f, operands);
        return;
    }
    if (f->sync == LW_SYNC_CLUSTER) {
        f->step = lw_ptx_has(r, LW_PTX_GROUP_ARRIVE) ? LW_ASYNC_ARRIVES : LW_ASYNC_WAITS;
        f->memory.order = lw_ptx_opcode_word(&r->insn->opcode, LW_PTX_GROUP_SEMANTICS) == LW_PTX_WORD_RELAXED
                              ? LW_ORDER_NONE
                          : f->step == LW_ASYNC_ARRIVES ? LW_ORDER_RELEASE
                                                        : LW_ORDER_ACQUIRE;
        return;
    }
    if (f->sync == LW_SYNC_FENCE &&
        lw_ptx_opcode_word(&r->insn->opcode, LW_PTX_GROUP_RESTRICT) == LW_PTX_WORD_MBARRIER_INIT)
        f->completion = LW_COMPLETION_OBJECT;
    const async_row *row = f->sync == LW_SYNC_COPY || f->sync == LW_SYNC_OBJECT ? row_of(r) : NULL;
    if (!row)
        return;
    f->step = row->step;
    f->completion = row->completion;
    f->async_proxy = row->async_proxy;
    f->source_only = lw_ptx_has(r, LW_PTX_GROUP_READ);
    if (row->step == LW_ASYNC_WAITS && row->completion != LW_COMPLETION_OBJECT && r->src_count)
        add_wait(f, r->src[0].value);
    if (row->step == LW_ASYNC_ISSUES &&
        r->handler->lane) { /* reductions; a tensor map has the type of its own */
        f->memory.load = f->memory.store = true;
        f->memory.bytes = lw_ptx_has(r, LW_PTX_GROUP_TENSOR) ? 0 : (uint16_t)(r->dst_bits / 8);
    }
    if (f->sync == LW_SYNC_OBJECT)
        order_object(&f->memory, r, row->step);
}

/* SPDX-License-Identifier: MIT */
/* May workgroups run at the same time? Examines every instruction that is reachable from the entry. */
#include <stdlib.h>

#include "emu/amdgpu/control/machine.h"
#include "isa_tables/amdgpu/rows.h"

enum { PAGE_BYTES = 64 * 1024 };

typedef struct scan {
    const lw_session *m;
    const lw_code *code;
    uint64_t **seen; /* by page */
    uint64_t *queue; /* offsets still to be examined */
    size_t queued, capacity;
    const char *why;
    bool unknown_jump;
    bool no_memory;
} scan;

/* Bits for the dwords of one page of code; NULL: no host memory. */
static uint64_t *page_of(scan *s, uint64_t offset)
{
    uint64_t **page = &s->seen[offset / PAGE_BYTES];
    if (!*page && !(*page = calloc(PAGE_BYTES / 4 / 64, sizeof(**page))))
        s->no_memory = true;
    return *page;
}

static void push(scan *s, uint64_t offset)
{
    if (offset >= s->code->size || offset & 3)
        return;
    uint64_t *page = page_of(s, offset);
    const uint64_t place = offset % PAGE_BYTES / 4;
    if (!page || page[place / 64] >> place % 64 & 1)
        return;
    if (s->queued == s->capacity) {
        const size_t capacity = s->capacity ? 2 * s->capacity : 64;
        uint64_t *grown = realloc(s->queue, capacity * sizeof(*grown));
        if (!grown) {
            s->no_memory = true;
            return;
        }
        s->queue = grown;
        s->capacity = capacity;
    }
    page[place / 64] |= UINT64_C(1) << place % 64;
    s->queue[s->queued++] = offset;
}

/* Why this instruction can make the order of workgroups visible; NULL if it cannot. */
static const char *reason(const lw_decoded *in)
{
    const lw_op_row *row = in->row;
    const bool global = row->enc == LW_ENC_FLAT || row->enc == LW_ENC_MUBUF || row->enc == LW_ENC_MTBUF;
    if (row->enc == LW_ENC_SMEM && row->kind == LW_SM_ATOMIC)
        return "the kernel has scalar atomics";
    if (row->enc == LW_ENC_SMEM && row->kind == LW_SM_STORE)
        return "the kernel has scalar stores";
    if (global && row->flags & LW_OPF_ATOMIC)
        return "the kernel has atomics on global memory";
    if (row->enc == LW_ENC_DS && in->gds)
        return "the kernel uses global data share";
    return NULL;
}

/* Loads and cache controls of device scope (SC1) are how kernels wait for other workgroups. */
static const char *waiting(const lw_decoded *in)
{
    const lw_op_row *row = in->row;
    if (row->enc == LW_ENC_MUBUF && row->flags & LW_OPF_NOADDR && in->nv)
        return "the kernel has fences of device scope, as used to wait for other workgroups";
    const bool vector = row->enc == LW_ENC_FLAT || row->enc == LW_ENC_MUBUF;
    if (vector && row->flags & LW_OPF_LOAD && in->nv)
        return "the kernel has loads with device scope, as used to wait for other workgroups";
    return NULL;
}

static void look_at(scan *s, uint64_t offset)
{
    const lw_module *m = s->m->module;
    uint32_t words[4] = { 0 };
    const size_t count = lw_amd_words(m, s->code->base + offset, words);
    lw_decoded in;
    if (lw_amd_decode(m, words, count, &in) != LW_OK)
        return;
    if (!s->why)
        s->why = reason(&in);
    if (!s->why)
        s->why = waiting(&in);
    const uint64_t next = offset + 4u * in.words;
    const bool branches = (in.row->flags & LW_OPF_BRANCH) != 0;
    if (!branches) {
        push(s, next);
        return;
    }
    const bool relative = in.row->imm == LW_IMM_LABEL;
    if (relative)
        push(s, next + (uint64_t)((int64_t)(int16_t)in.imm * 4));
    else if (in.row->enc == LW_ENC_SOP1)
        s->unknown_jump = true;
    if (strcmp(in.row->name, "s_branch") != 0 && in.row->imm != LW_IMM_ENDPGM && in.row->enc != LW_ENC_SOP1)
        push(s, next);
}

static void scan_reachable(scan *s)
{
    push(s, s->m->entry - s->code->base);
    while (s->queued && !s->no_memory)
        look_at(s, s->queue[--s->queued]);
}

/* An indirect jump may go anywhere: examines all of the code. */
static void scan_everything(scan *s)
{
    for (uint64_t offset = 0; offset + 4 <= s->code->size && !s->why; offset += 4)
        look_at(s, offset);
}

static const char *find(const lw_session *session, bool *reachable_only)
{
    const lw_code *code = &session->module->code;
    const size_t pages = (size_t)(code->size / PAGE_BYTES + 1);
    scan s = { .m = session, .code = code, .seen = calloc(pages, sizeof(*s.seen)) };
    if (!s.seen)
        return "the host has no memory to look at the code";
    scan_reachable(&s);
    *reachable_only = !s.unknown_jump;
    if (s.unknown_jump && !s.why)
        scan_everything(&s);
    for (size_t i = 0; i < pages; i++)
        free(s.seen[i]);
    free(s.seen);
    free(s.queue);
    return s.no_memory ? "the host has no memory to look at the code" : s.why;
}

/* Determined once for each kernel of a module. */
const char *lw_amd_order(const lw_session *session, bool *reachable_only)
{
    lw_order *order = &session->module->orders[session->number];
    lw_lock_take(&session->module->code.lock);
    if (!order->known)
        order->why = find(session, &order->reachable_only);
    order->known = true;
    lw_lock_leave(&session->module->code.lock);
    *reachable_only = order->reachable_only;
    return order->why;
}

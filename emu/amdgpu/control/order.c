/* SPDX-License-Identifier: MIT */
/* May workgroups run at the same time? Looks at every instruction that can be reached from the entry. */
#include <stdlib.h>

#include "emu/amdgpu/control/machine.h"
#include "isa_tables/amdgpu/rows.h"

typedef struct scan {
    const lw_machine *m;
    uint8_t *seen;   /* a byte for each dword of code */
    uint64_t *queue; /* offsets to look at */
    size_t queued, capacity;
    const char *why;
    bool unknown_jump;
    bool no_memory;
} scan;

static void push(scan *s, uint64_t offset)
{
    if (offset >= s->m->code_size || offset & 3 || s->seen[offset / 4])
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
    s->seen[offset / 4] = 1;
    s->queue[s->queued++] = offset;
}

/* Why this instruction lets the order of workgroups be seen; NULL if it does not. */
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
    const lw_machine *m = s->m;
    uint32_t words[4] = { 0 };
    size_t count = (size_t)((m->code_size - offset) / 4);
    count = count > 4 ? 4 : count;
    memcpy(words, m->code + offset, count * 4);
    lw_decoded in;
    if (lw_amdgpu_decode(m->arch, words, count, &in) != LW_OK)
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
    push(s, s->m->entry - s->m->code_base);
    while (s->queued && !s->no_memory)
        look_at(s, s->queue[--s->queued]);
}

/* Indirect jumps may lead anywhere: look at all of the code. */
static void scan_everything(scan *s)
{
    for (uint64_t offset = 0; offset + 4 <= s->m->code_size && !s->why; offset += 4)
        look_at(s, offset);
}

const char *lw_order_visible(const lw_machine *machine, bool *reachable_only)
{
    scan s = { .m = machine, .seen = calloc((size_t)(machine->code_size / 4 + 1), 1) };
    if (!s.seen)
        return "the host has no memory to look at the code";
    scan_reachable(&s);
    *reachable_only = !s.unknown_jump;
    if (s.unknown_jump && !s.why)
        scan_everything(&s);
    free(s.seen);
    free(s.queue);
    return s.no_memory ? "the host has no memory to look at the code" : s.why;
}

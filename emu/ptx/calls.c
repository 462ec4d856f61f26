/* SPDX-License-Identifier: MIT */
/*
 * Calls. A lane's frames follow one another in its local memory: local variables, parameters of calls, and
 * parameters and results of the function itself. What the lane needs to return is on a stack of words that
 * programs cannot access: the return address, the caller's frame, the function, and the number of words saved
 * below them, which are the previous registers of a function that calls itself.
 */
#include "emu/ptx/calls.h"

#include <stdlib.h>

#include "emu/ptx/decode.h"
#include "emu/ptx/handlers.h"

enum {
    FRAME_ALIGN = 16,
    HEAD_WORDS = 4,            /* return pc, frame, function, saved words */
    RECURSION_WORDS = 4096,    /* of stack, and */
    RECURSION_BYTES = 64 << 10 /* of frames, if functions may call themselves */
};

static uint32_t frame_bytes(const lw_ptx_function *f)
{
    return (f->local_size + FRAME_ALIGN - 1) / FRAME_ALIGN * FRAME_ALIGN;
}

/* ---- What a kernel needs ---- */

static const lw_ptx_function *target_of(const lw_ptx_module *m, const lw_ptx_insn *insn, bool *indirect)
{
    const uint32_t first = insn->operands.first;
    uint32_t at = lw_ptx_operand_at(m, first)->kind == LW_PTX_OPERAND_LIST;
    const lw_ptx_operand *o = lw_ptx_operand_at(m, first + at);
    *indirect = o->kind != LW_PTX_OPERAND_FUNCTION;
    return *indirect ? NULL : lw_ptx_function_at(m, o->index);
}

/* 0: no calls; 1: calls; 2: calls that may re-enter a function that has not returned. */
static int calls_of(const lw_ptx_module *m, const lw_ptx_function *f, unsigned depth)
{
    int most = 0;
    if (depth > m->functions.count || depth > LW_PTX_MOST_DEPTH)
        return 2;
    for (uint32_t i = 0; i < f->insns.count && most < 2; i++) {
        bool indirect;
        const lw_ptx_insn *insn = lw_ptx_insn_at(m, f->insns.first + i);
        if (!insn->op || insn->op->id != LW_PTX_OP_call)
            continue;
        const lw_ptx_function *to = target_of(m, insn, &indirect);
        const int below = indirect ? 2 : to->is_defined ? calls_of(m, to, depth + 1) : 0;
        most = below == 2 ? 2 : indirect || to->is_defined ? 1 : most;
    }
    return most;
}

uint32_t lw_ptx_stack_words(const lw_ptx_module *m, const lw_ptx_function *kernel)
{
    const int calls = calls_of(m, kernel, 0);
    const uint32_t plain = HEAD_WORDS * (uint32_t)m->functions.count;
    return calls == 2 ? plain + RECURSION_WORDS : calls ? plain : 0;
}

uint64_t lw_ptx_frames(const lw_ptx_module *m, const lw_ptx_function *kernel)
{
    const int calls = calls_of(m, kernel, 0);
    uint64_t size = kernel->local_size;
    if (!calls)
        return size;
    size = frame_bytes(kernel) + (calls == 2 ? RECURSION_BYTES : 0);
    for (size_t i = 0; i < m->functions.count; i++)
        if (!lw_ptx_function_at(m, i)->is_entry)
            size += frame_bytes(lw_ptx_function_at(m, i));
    return size;
}

/* ---- Decoding ---- */

static bool take_passed(lw_ptx_decoding *d, const lw_ptx_operand *o, const lw_ptx_variable *as,
                        lw_ptx_passed *p)
{
    *p = (lw_ptx_passed){ .size = 0 };
    if (o->kind == LW_PTX_OPERAND_VARIABLE) {
        const lw_ptx_variable *v = lw_ptx_variable_at(d->ptx, o->index);
        p->size = as->size;
        if (v->space != LW_PTX_SPACE_PARAM || as->space != LW_PTX_SPACE_PARAM || v->size != as->size)
            return lw_ptx_refuse(d, "an argument of the call is not of its parameter's kind and size");
    } else if (as->space != LW_PTX_SPACE_REG) {
        return lw_ptx_refuse(d, "an argument of the call must be a variable of .param space");
    }
    return lw_ptx_take(d, o, as->type, &p->source) &&
           (!p->size || p->source.kind == LW_PTX_SOURCE_FRAME ||
            lw_ptx_refuse(d, "a kernel's parameter cannot be handed on as it is"));
}

/* The parts of "(results), target, (arguments), prototype"; all but the target may be missing. */
typedef struct parts {
    const lw_ptx_operand *results, *target, *params, *last;
} parts;

static parts split(const lw_ptx_module *m, const lw_ptx_insn *insn)
{
    parts p = { NULL, NULL, NULL, NULL };
    for (uint32_t i = 0; i < insn->operands.count; i++) {
        const lw_ptx_operand *o = lw_ptx_operand_at(m, insn->operands.first + i);
        if (o->kind != LW_PTX_OPERAND_LIST && !p.target)
            p.target = o;
        else if (o->kind != LW_PTX_OPERAND_LIST)
            p.last = o;
        else if (p.target)
            p.params = o;
        else
            p.results = o;
    }
    return p;
}

static const lw_ptx_function *signature(const lw_ptx_module *m, const parts *p)
{
    if (p->target && p->target->kind == LW_PTX_OPERAND_FUNCTION)
        return lw_ptx_function_at(m, p->target->index);
    if (p->last && p->last->kind == LW_PTX_OPERAND_PROTOTYPE)
        return lw_ptx_function_at(m, p->last->index);
    return p->last && p->last->kind == LW_PTX_OPERAND_TARGETS && p->last->count
               ? lw_ptx_function_at(m, lw_ptx_operand_at(m, p->last->index)->index)
               : NULL;
}

static bool take_list(lw_ptx_decoding *d, const lw_ptx_operand *list, const lw_ptx_span *as,
                      lw_ptx_passed *out)
{
    for (uint32_t i = 0; i < as->count; i++)
        if (!take_passed(d, lw_ptx_operand_at(d->ptx, list->index + i),
                         lw_ptx_variable_at(d->ptx, as->first + i), &out[i]))
            return false;
    return true;
}

static bool take_call(lw_ptx_decoding *d, lw_ptx_record *r)
{
    const parts p = split(d->ptx, r->insn);
    const lw_ptx_function *as = signature(d->ptx, &p);
    if (!as)
        return lw_ptx_refuse(d, "the call names neither a function nor a prototype");
    const uint32_t results = p.results ? p.results->count : 0, params = p.params ? p.params->count : 0;
    if (results != as->results.count || params != as->params.count)
        return lw_ptx_refuse(d, "the call has another number of arguments or results than what it calls");
    lw_ptx_call *c = calloc(1, sizeof(*c) + (size_t)(results + params) * sizeof(c->passed[0]));
    if (!c)
        return lw_ptx_refuse(d, "the host has no memory for decoded instructions");
    r->extra = c;
    r->extra_free = free;
    c->results = results;
    c->params = params;
    c->to = p.target->kind == LW_PTX_OPERAND_FUNCTION ? as : NULL;
    if (c->to && !as->is_defined)
        c->host = (uint8_t)lw_ptx_host_find(as->name, params);
    if (c->to && !as->is_defined && !c->host)
        return lw_ptx_refuse(d, "the function is declared here and defined nowhere");
    return (c->to || lw_ptx_take(d, p.target, LW_PTX_TYPE_U64, &c->through)) &&
           (!p.results || take_list(d, p.results, &as->results, c->passed)) &&
           (!p.params || take_list(d, p.params, &as->params, c->passed + results));
}

/* ---- A lane's stack ---- */

static uint32_t *stack_of(const lw_ptx_warp *w, unsigned lane)
{
    const lw_ptx_launch *l = w->head.group->session->own;
    return w->stack + (size_t)lane * l->stack_words;
}

static size_t index_of(const lw_ptx_module *m, const lw_ptx_function *f)
{
    return (size_t)(f - lw_ptx_function_at(m, 0));
}

static bool is_inside(const lw_ptx_warp *w, unsigned lane, uint32_t function)
{
    const uint32_t *stack = stack_of(w, lane);
    for (uint32_t top = w->stack_top[lane]; top; top -= HEAD_WORDS + stack[top - 1])
        if (stack[top - 2] == function)
            return true;
    return false;
}

/* Moves a lane's registers of a function to `words`, or back. */
static void move_registers(lw_ptx_warp *w, unsigned lane, uint32_t function, uint32_t *words, bool back)
{
    const lw_module *m = w->head.group->session->module;
    const lw_ptx_placed *own = m->own;
    const lw_ptx_function *f = lw_ptx_function_at(m->program->ptx, function);
    const uint32_t bit = UINT32_C(1) << lane;
    for (uint32_t i = 0; i < f->rows; i++) {
        uint32_t *row = &w->rows[(size_t)(own->rows[function] + i) * LW_PTX_LANES + lane];
        *(back ? row : &words[i]) = *(back ? &words[i] : row);
    }
    for (uint32_t i = 0; i < f->predicates; i++) {
        uint32_t *p = &w->predicates[own->predicates[function] + i], *word = &words[f->rows + i];
        if (back)
            *p = *word ? *p | bit : *p & ~bit;
        else
            *word = *p & bit;
    }
}

static bool push(lw_ptx_warp *w, unsigned lane, const lw_ptx_record *r, const lw_ptx_function *to,
                 uint32_t frame)
{
    const lw_ptx_launch *l = w->head.group->session->own;
    const uint32_t number = (uint32_t)index_of(l->module, to), top = w->stack_top[lane];
    const uint32_t saved = is_inside(w, lane, number) ? to->rows + to->predicates : 0;
    const lw_session *s = w->head.group->session;
    uint32_t *stack = stack_of(w, lane) + top;
    (void)r;
    if (top + saved + HEAD_WORDS > l->stack_words || (uint64_t)frame + to->local_size > s->scratch_size) {
        lw_fault_say(
            &w->head, (int)lane,
            "calls %.100s %u calls deep: no room for its frame (a lane has %u bytes of local memory)",
            to->name, w->depth[lane], s->scratch_size);
        return false;
    }
    if (saved)
        move_registers(w, lane, number, stack, false);
    stack[saved] = lw_ptx_here(w) + 1;
    stack[saved + 1] = w->frame[lane];
    stack[saved + 2] = number;
    stack[saved + 3] = saved;
    w->stack_top[lane] = top + saved + HEAD_WORDS;
    w->depth[lane]++;
    w->frame[lane] = frame;
    return true;
}

/* ---- Parameters and results ---- */

static uint8_t *local_of(const lw_ptx_warp *w, unsigned lane)
{
    return w->local + (size_t)lane * w->head.group->session->scratch_size;
}

/* The register for a .reg parameter of a function. */
static lw_ptx_source register_of(const lw_ptx_warp *w, const lw_ptx_function *f, const lw_ptx_variable *v)
{
    const lw_module *m = w->head.group->session->module;
    const lw_ptx_placed *own = m->own;
    const size_t number = index_of(m->program->ptx, f);
    const bool predicate = v->type == LW_PTX_TYPE_PRED;
    return (lw_ptx_source){ .kind = predicate ? LW_PTX_SOURCE_PREDICATE : LW_PTX_SOURCE_REGISTER,
                            .bits = lw_ptx_types[v->type].bits,
                            .slot = v->slot + (predicate ? own->predicates : own->rows)[number] };
}

/* Passes arguments; the caller's frame was at `from`. */
static void pass(lw_ptx_warp *w, unsigned lane, const lw_ptx_call *c, const lw_ptx_function *to,
                 uint32_t from, const uint64_t *values)
{
    const lw_ptx_module *ptx = w->head.group->session->module->program->ptx;
    uint8_t *local = local_of(w, lane);
    for (uint32_t i = 0; i < c->params; i++) {
        const lw_ptx_passed *p = &c->passed[c->results + i];
        const lw_ptx_variable *v = lw_ptx_variable_at(ptx, to->params.first + i);
        const lw_ptx_source in = register_of(w, to, v);
        if (p->size)
            memcpy(local + w->frame[lane] + v->offset, local + from + p->source.value, (size_t)p->size);
        else
            lw_ptx_put(w, &in, lane, values[i]);
    }
}

static void take_back(lw_ptx_warp *w, unsigned lane, const lw_ptx_call *c, const lw_ptx_function *of,
                      uint32_t to_frame, uint64_t *values)
{
    const lw_ptx_module *ptx = w->head.group->session->module->program->ptx;
    uint8_t *local = local_of(w, lane);
    for (uint32_t i = 0; i < c->results; i++) {
        const lw_ptx_variable *v = lw_ptx_variable_at(ptx, of->results.first + i);
        const lw_ptx_source out = register_of(w, of, v);
        if (c->passed[i].size)
            memcpy(local + to_frame + c->passed[i].source.value, local + w->frame[lane] + v->offset,
                   (size_t)c->passed[i].size);
        else
            values[i] = lw_ptx_get(w, &out, lane);
    }
}

/* ---- Call and return ---- */

enum { MOST_VALUES = 64 }; /* registers passed in one call */

static const lw_ptx_function *callee(lw_ptx_warp *w, const lw_ptx_call *c, unsigned lane)
{
    const lw_module *m = w->head.group->session->module;
    const lw_ptx_placed *own = m->own;
    if (c->to)
        return c->to;
    const uint64_t number = lw_ptx_get(w, &c->through, lane) - m->base;
    for (size_t i = 0; i < own->defined_count; i++) {
        const lw_ptx_function *f = own->defined[i];
        if (f->insns.first == number && !f->is_entry && f->params.count == c->params &&
            f->results.count == c->results)
            return f;
    }
    lw_fault_say(&w->head, (int)lane, "calls address 0x%llx, where no function with such parameters begins",
                 (unsigned long long)(number + m->base));
    return NULL;
}

static bool enter(lw_ptx_warp *w, const lw_ptx_record *r, unsigned lane)
{
    const lw_ptx_call *c = r->extra;
    const uint32_t from = w->frame[lane];
    uint64_t values[MOST_VALUES];
    const lw_ptx_function *to = callee(w, c, lane);
    if (!to)
        return false;
    for (uint32_t i = 0; i < c->params && i < MOST_VALUES; i++)
        values[i] =
            c->passed[c->results + i].size ? 0 : lw_ptx_get(w, &c->passed[c->results + i].source, lane);
    if (!push(w, lane, r, to, from + frame_bytes(r->function)))
        return false;
    pass(w, lane, c, to, from, values);
    w->lane_pc[lane] = to->insns.first;
    return true;
}

static lw_ptx_step call(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    const lw_ptx_call *c = r->extra;
    const bool host = c->host != LW_PTX_HOST_NONE;
    if (!lanes)
        return LW_PTX_STEP_NEXT;
    if (!host)
        lw_ptx_stand(w, w->active & ~lanes, lw_ptx_here(w) + 1);
    for (unsigned lane = 0; lane < LW_PTX_LANES; lane++)
        if ((lanes >> lane & 1) && !(host ? lw_ptx_host_call(w, r, lane) : enter(w, r, lane)))
            return LW_PTX_STEP_FAULT;
    return host ? LW_PTX_STEP_NEXT : lw_ptx_choose(w);
}

/* Returns one lane to its caller; false if it was in the kernel itself. */
static bool leave_call(lw_ptx_warp *w, unsigned lane)
{
    const lw_code *code = &w->head.group->session->module->code;
    const lw_ptx_module *ptx = w->head.group->session->module->program->ptx;
    uint32_t *stack = stack_of(w, lane);
    const lw_ptx_record *r;
    do {
        if (!w->depth[lane])
            return false;
        const uint32_t top = w->stack_top[lane], saved = stack[top - 1], number = stack[top - 2];
        uint64_t values[MOST_VALUES];
        r = lw_code_at(code, code->base + stack[top - 4] - 1);
        const lw_ptx_call *c = r->extra;
        take_back(w, lane, c, lw_ptx_function_at(ptx, number), stack[top - 3], values);
        w->lane_pc[lane] = stack[top - 4];
        w->frame[lane] = stack[top - 3];
        w->stack_top[lane] = top - HEAD_WORDS - saved;
        w->depth[lane]--;
        if (saved)
            move_registers(w, lane, number, stack + w->stack_top[lane], true);
        for (uint32_t i = 0; i < c->results; i++)
            if (!c->passed[i].size)
                lw_ptx_put(w, &c->passed[i].source, lane, values[i]);
    } while (r->ends);
    return true;
}

lw_ptx_step lw_ptx_return(lw_ptx_warp *w, uint32_t lanes)
{
    lw_ptx_stand(w, w->active & ~lanes, lw_ptx_here(w) + 1);
    for (unsigned lane = 0; lane < LW_PTX_LANES; lane++)
        if ((lanes >> lane & 1) && !leave_call(w, lane))
            w->live &= ~(UINT32_C(1) << lane);
    return lw_ptx_settle(w) ? lw_ptx_choose(w) : LW_PTX_STEP_FAULT;
}

const lw_ptx_handler lw_ptx_sem_call = { .exec = call, .prepare = take_call };

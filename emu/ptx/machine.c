/* SPDX-License-Identifier: MIT */
/* NVIDIA's machine as emu/device sees it. */
#include <stdio.h>

#include "emu/ptx/copies.h"
#include "emu/ptx/matrix.h"
#include "isa_tables/readings.h"

static const lw_ptx_launch *launch_of(const lw_wave_head *head)
{
    return head->group->session->own;
}

static void attach(lw_wave_head *head, uint8_t *area)
{
    lw_ptx_warp *w = lw_ptx_warp_of(head);
    const lw_ptx_launch *l = launch_of(head);
    const size_t words = lw_ptx_row_words(l);
    w->rows = (uint32_t *)(void *)area;
    w->predicates = w->rows + (size_t)l->rows * LW_PTX_LANES;
    w->owners = w->predicates + l->predicates;
    w->stack = w->rows + lw_group_align(words * sizeof(uint32_t)) / sizeof(uint32_t);
    w->local = area + lw_group_align(words * sizeof(uint32_t)) +
               lw_group_align((size_t)l->stack_words * LW_PTX_LANES * sizeof(uint32_t));
}

static void start(lw_wave_head *head)
{
    lw_ptx_warp *w = lw_ptx_warp_of(head);
    uint32_t extent[3], block[3];
    lw_wave_workgroup(head, block);
    lw_group_extent(head->group->session, block, extent);
    const uint64_t threads = (uint64_t)extent[0] * extent[1] * extent[2];
    const uint64_t left = threads - (uint64_t)head->place * LW_PTX_LANES;
    w->live = w->active = left >= LW_PTX_LANES ? UINT32_MAX : (UINT32_C(1) << left) - 1;
}

static size_t state(const lw_wave_head *head, lw_span spans[LW_MAX_SPANS])
{
    const lw_ptx_warp *w = lw_ptx_const_warp(head);
    const lw_ptx_launch *l = launch_of(head);
    spans[0] = (lw_span){ .at = w->rows, .size = lw_ptx_row_words(l) * sizeof(uint32_t) };
    spans[1] =
        (lw_span){ .at = w->lane_pc, .size = offsetof(lw_ptx_warp, seen) - offsetof(lw_ptx_warp, lane_pc) };
    spans[2] = (lw_span){ .at = &w->turns,
                          .size = offsetof(lw_ptx_warp, lane_pc) - offsetof(lw_ptx_warp, turns),
                          .patience = true };
    spans[3] = (lw_span){ .at = w->local,
                          .size = (size_t)head->group->session->scratch_size * LW_PTX_LANES,
                          .own_memory = true };
    return 4;
}

static bool prints(const lw_ptx_module *m)
{
    for (size_t i = 0; i < m->functions.count; i++)
        if (strcmp(lw_ptx_function_at(m, i)->name, "vprintf") == 0)
            return true;
    return false;
}

/* Loads and stores of other blocks are watched; instructions that only order them are no reason to run
 * serially. */
static const char *order(const lw_session *session, bool *reachable_only)
{
    *reachable_only = false;
    if (((const lw_ptx_placed *)session->module->own)->has_barrier)
        return "blocks wait for each other at the grid's barrier";
    return session->print && prints(session->module->program->ptx) ? "the module prints" : NULL;
}

static void text(const lw_module *module, uint64_t pc, char *out, size_t size)
{
    const lw_ptx_insn *insn = lw_ptx_insn_of(module, pc);
    const size_t used = insn ? (size_t)snprintf(out, size, "line %u: ", insn->line) : 0;
    out[used < size ? used : 0] = '\0';
    if (insn && used < size)
        lw_ptx_insn_text(module->program->ptx, insn, out + used, size - used);
}

static const void *fetch(lw_worker *worker, lw_wave_head *head)
{
    const void *record = lw_code_at(&worker->session->module->code, head->pc);
    return record ? record : lw_ptx_fetch(worker, lw_ptx_warp_of(head));
}

static bool line(const lw_module *module, uint64_t pc, lw_line *out)
{
    if (lw_program_line(module->program, pc - module->base, out, NULL) == LW_OK && out->line)
        return true;
    *out = (lw_line){ "", 0, 0 };
    return false;
}

/* Lanes that go on together. At a barrier that has opened it is those that run first, once the warp does. */
static uint32_t together(const lw_ptx_warp *w)
{
    uint32_t lanes = 0;
    if (!w->blocked || w->blocked != w->live)
        return w->active;
    for (unsigned lane = 0; lane < LW_PTX_LANES; lane++)
        if (w->live >> lane & 1 && w->lane_pc[lane] == lw_ptx_here(w))
            lanes |= UINT32_C(1) << lane;
    return lanes;
}

static uint64_t exec(const lw_wave_head *head)
{
    const lw_ptx_warp *w = lw_ptx_const_warp(head);
    const lw_ptx_record *r = lw_code_at(&head->group->session->module->code, head->pc);
    if (w->seen)
        return w->seen_lanes;
    if (!r || r->guard == LW_PTX_NONE)
        return together(w);
    const uint32_t mask = w->predicates[r->guard];
    return together(w) & (r->insn->guard_negated ? ~mask : mask);
}

static const lw_ptx_insn *insn_of(const void *record)
{
    return ((const lw_ptx_record *)record)->insn;
}

static unsigned kind(const void *record)
{
    return insn_of(record)->op->id;
}

static const char *mnemonic(const void *record)
{
    return insn_of(record)->op->mnemonic;
}

/* What was measured was so on a B200 (sm_100a); for other targets it is inferred. */
static lw_label label_of(const lw_worker *worker, const lw_ptx_op *op)
{
    const bool elsewhere = strcmp(worker->session->module->program->ptx->target, "sm_100a") != 0;
    return op->evidence == LW_LABEL_MEASURED && elsewhere ? LW_LABEL_INFERRED : (lw_label)op->evidence;
}

static void tally(const lw_worker *worker, const void *record, uint64_t executed, lw_tally *out)
{
    out->executed += executed;
    out->name = mnemonic(record);
    if (!out->is_matrix)
        out->label = label_of(worker, insn_of(record)->op);
    const lw_ptx_group_set bounded =
        LW_PTX_GROUP_BIT(LW_PTX_GROUP_APPROX) | LW_PTX_GROUP_BIT(LW_PTX_GROUP_FULL);
    if (label_of(worker, insn_of(record)->op) == LW_LABEL_INFERRED)
        out->source =
            insn_of(record)->op->needs & bounded
                ? "correctly rounded; the PTX ISA gives a bound of error, hardware differs in last bits"
                : "the PTX ISA leaves a choice open, which is made here";
    lw_ptx_matrix_tally(worker, record, out);
}

static size_t event_text(const lw_event *event, char *out, size_t size)
{
    char whole[2048]; /* a wgmma has up to 128 registers */
    const lw_ptx_record *record = event->state->record;
    const lw_ptx_launch *l = launch_of(event->state->wave);
    lw_ptx_insn_text(l->module, record->insn, whole, sizeof(whole));
    if (size)
        snprintf(out, size, "%s", whole);
    return strlen(whole);
}

static uint64_t event_lanes(const lw_event *event, const lw_fact_operand *operand)
{
    const bool guards = operand->role == LW_ROLE_MASK && operand->lanes == LW_LANES_SOME;
    lw_fact_memory memory;
    uint64_t lanes;
    if (operand->role == LW_ROLE_ADDRESS && operand->lanes == LW_LANES_SOME &&
        lw_ptx_matrix_memory(event->state->record, &memory, &lanes))
        return event->exec & lanes;
    return guards ? lw_ptx_const_warp(event->state->wave)->active : event->exec;
}

static bool event_matrix(const lw_event *event, lw_matrix_event *matrix)
{
    return lw_ptx_matrix_event(event->state->record, matrix);
}

static unsigned matrix_register(const lw_event *event, lw_operand operand, unsigned index)
{
    return lw_ptx_matrix_register(event->state->record, operand, index);
}

static bool is_wgmma(const lw_ptx_record *r)
{
    return strcmp(r->insn->op->semantics, "wgmma") == 0;
}

static bool product(const lw_event *event, lw_matrix_event *matrix)
{
    const lw_ptx_record *r = event->state->record;
    const lw_session *s = event->state->wave->group->session;
    lw_insn_info info;
    const bool found = is_wgmma(r)
                           ? lw_ptx_wgmma_event(r, matrix)
                           : lw_ptx_matrix_event(r, matrix) &&
                                 lw_insn_get_info(event->arch, matrix->insn, &info) == LW_OK && !info.moves;
    if (found)
        matrix->mods.readings = lw_readings_of_mods(0, (const char *const *)s->readings, s->reading_count);
    return found;
}

static void product_word(const lw_event *event, lw_operand operand, unsigned word, uint32_t *values,
                         size_t count)
{
    const lw_ptx_record *r = event->state->record;
    (is_wgmma(r) ? lw_ptx_wgmma_word : lw_ptx_matrix_word)(lw_ptx_const_warp(event->state->wave), r, operand,
                                                           word, values, count);
}

/* Those of a warp are words of registers. */
static bool product_place(const lw_event *event, lw_operand operand, unsigned word, lw_product_place *place)
{
    const lw_ptx_record *r = event->state->record;
    lw_matrix_event matrix;
    if (is_wgmma(r))
        return lw_ptx_wgmma_place(lw_ptx_const_warp(event->state->wave), r, event->state->copy, operand, word,
                                  place);
    if (!product(event, &matrix) || !matrix.operand[operand].is_register ||
        word >= matrix.operand[operand].count)
        return false;
    *place = (lw_product_place){ .file = matrix.operand[operand].file,
                                 .reg = lw_ptx_matrix_register(r, operand, word) };
    return true;
}

static uint32_t value(const lw_wave_head *head, lw_reg_file file, unsigned reg, unsigned lane)
{
    const bool there = file == LW_FILE_VGPR && reg < launch_of(head)->rows && lane < LW_PTX_LANES;
    if (file == LW_FILE_PREDICATE && reg < launch_of(head)->predicates && lane < LW_PTX_LANES)
        return lw_ptx_const_warp(head)->predicates[reg] >> lane & 1;
    return there ? lw_ptx_const_warp(head)->rows[(size_t)reg * LW_PTX_LANES + lane] : 0;
}

static void values(const lw_wave_head *head, lw_reg_file file, unsigned reg, uint32_t *out, size_t count)
{
    for (size_t lane = 0; lane < count; lane++)
        out[lane] = value(head, file, reg, (unsigned)lane);
}

/* The function's name for a row of its frame; "%rd3+1" is the upper half of %rd3. */
size_t lw_ptx_register_name(const lw_module *module, const lw_ptx_function *f, lw_reg_file file, unsigned reg,
                            char *out, size_t size)
{
    const lw_ptx_module *ptx = module->program->ptx;
    const lw_ptx_placed *own = module->own;
    int length = -1;
    for (uint32_t i = 0; f && i < f->registers.count && length < 0; i++) {
        const lw_ptx_register *r = lw_ptx_register_at(ptx, f->registers.first + i);
        const bool predicate = file == LW_FILE_PREDICATE;
        const size_t number = (size_t)(f - lw_ptx_function_at(ptx, 0));
        const uint32_t from = reg - (predicate ? own->predicates : own->rows)[number] - r->slot;
        const uint32_t rows = predicate ? r->vector : (lw_ptx_types[r->type].bits + 31u) / 32u * r->vector;
        if ((file != LW_FILE_VGPR && !predicate) || (r->type == LW_PTX_TYPE_PRED) != predicate ||
            from >= rows)
            continue;
        length = snprintf(out, size, from ? "%.*s+%u" : "%.*s", (int)r->size, ptx->text + r->at, from);
    }
    if (length < 0)
        length = file == LW_FILE_VGPR ? snprintf(out, size, "row%u", reg) : snprintf(out, size, "none");
    return length < 0 ? 0 : (size_t)length;
}

static size_t register_name(const lw_event *event, lw_reg_file file, unsigned reg, char *out, size_t size)
{
    const lw_ptx_record *record = event->state->record;
    return lw_ptx_register_name(event->state->wave->group->session->module, record ? record->function : NULL,
                                file, reg, out, size);
}

static unsigned lanes(const lw_wave_head *head)
{
    (void)head;
    return LW_PTX_LANES;
}

static unsigned registers(const lw_wave_head *head, lw_reg_file file)
{
    return file == LW_FILE_VGPR        ? launch_of(head)->rows
           : file == LW_FILE_PREDICATE ? launch_of(head)->predicates
                                       : 0;
}

static unsigned accum_offset(const lw_wave_head *head)
{
    return launch_of(head)->rows;
}

const lw_machine lw_ptx_machine = {
    .group_word = "block",
    .wave_word = "warp",
    .shared_word = "shared memory",
    .kinds = LW_PTX_OP_COUNT,
    .clusters = true,
    .open = lw_ptx_open,
    .close = lw_ptx_close,
    .symbol = lw_ptx_symbol,
    .prepare = lw_ptx_prepare,
    .leave = lw_ptx_leave,
    .order = order,
    .attach = attach,
    .start = start,
    .run = lw_ptx_run,
    .state = state,
    .copy = lw_ptx_arrive,
    .fetch = fetch,
    .text = text,
    .line = line,
    .exec = exec,
    .asked = lw_ptx_asked,
    .object = lw_ptx_object,
    .kind = kind,
    .tally = tally,
    .mnemonic = mnemonic,
    .event_text = event_text,
    .event_lanes = event_lanes,
    .event_matrix = event_matrix,
    .matrix_register = matrix_register,
    .product = product,
    .product_word = product_word,
    .product_place = product_place,
    .value = value,
    .values = values,
    .register_name = register_name,
    .lanes = lanes,
    .facts = lw_ptx_facts,
    .registers = registers,
    .accum_offset = accum_offset,
};

/* SPDX-License-Identifier: MIT */
/* Matrix instructions: register images in, register images out. */
#include <stdlib.h>

#include <lanewise/mma.h>

#include "emu/amdgpu/memory/access.h"
#include "emu/amdgpu/control/handlers.h"
#include "emu/amdgpu/vector/matrix_plan.h"
#include "emu/mma/mma.h"
#include "isa_tables/matrix.h"
#include "isa_tables/readings.h"

typedef struct lw_matrix_plan {
    const lw_insn *insn;
    lw_arch arch;
    lw_mods mods;
    lw_mma *mma;
    uint32_t touched, open;
} lw_matrix_plan;

bool lw_matrix_is(const lw_op_row *row)
{
    return row->insn != NULL;
}

static lw_mods mods_of(const lw_machine *m, const lw_decoded *in)
{
    const bool scaled = (in->row->mods & LW_MOD_SCALED) != 0;
    lw_mods mods = { .cbsz = in->cbsz,
                     .abid = in->abid,
                     .readings = lw_readings_of_mods(0, m->readings, m->reading_count) };
    if (in->row->mods & LW_MOD_NEG_BLGP)
        mods.neg = in->blgp;
    else
        mods.blgp = in->blgp;
    if (scaled) {
        mods.op_sel = in->op_sel;
        mods.op_sel_hi = in->op_sel_hi;
    }
    return mods;
}

lw_step lw_matrix_plan_make(lw_wave *w, const lw_decoded *in, void **plan)
{
    const lw_machine *m = w->group->machine;
    const lw_insn *insn = in->row->insn;
    lw_error error = { .text = "" };
    lw_matrix_plan *p = calloc(1, sizeof(*p));
    if (!p)
        return lw_wave_fault(w, -1, "the host has no memory for a matrix instruction");
    *p = (lw_matrix_plan){ .insn = insn, .arch = m->arch, .mods = mods_of(m, in) };
    const lw_mma_options options = {
        .mods = &p->mods, .wave = LW_LANES, .readings = m->readings, .reading_count = m->reading_count
    };
    if (lw_mma_create(m->arch, insn, &options, &p->mma, &error) != LW_OK) {
        free(p);
        return lw_wave_fault(w, -1, "%s", error.text);
    }
    *plan = p;
    return LW_STEP_NEXT;
}

void lw_matrix_plan_free(void *plan)
{
    if (!plan)
        return;
    lw_mma_free(((lw_matrix_plan *)plan)->mma);
    free(plan);
}

void lw_matrix_plan_tally(const void *plan, struct lw_tally *tally)
{
    const lw_matrix_plan *p = plan;
    lw_label label = lw_mma_weakest(p->mma, p->touched);
    const lw_reading *question = lw_mma_open_at(p->mma, p->open, 0);
    label = question && question->label > label ? question->label : label;
    tally->aspects |= p->touched;
    if (tally->source && label <= tally->weakest)
        return;
    tally->weakest = (uint8_t)label;
    tally->source = "";
    for (unsigned a = 0; a < LW_MMA_ASPECT_COUNT; a++) {
        lw_mma_evidence evidence;
        if (a != LW_MMA_FINITE && !(p->touched >> a & 1))
            continue;
        if (lw_mma_get_evidence(p->mma, (lw_mma_aspect)a, &evidence) == LW_OK && evidence.label == label)
            tally->source = evidence.source;
    }
    if (question && question->label == label)
        tally->source = question->text;
}

static uint32_t mode_of(const lw_wave *w)
{
    const uint32_t denorm = w->mode >> LW_MODE_DENORM_F32_SHIFT;
    uint32_t mode = 0;
    if (w->mode & LW_MODE_FP16_OVFL)
        mode |= LW_MMA_MODE_FP16_OVFL;
    if (!(denorm & LW_DENORM_IN_KEPT))
        mode |= LW_MMA_MODE_F32_FLUSH_IN;
    if (!(denorm & LW_DENORM_OUT_KEPT))
        mode |= LW_MMA_MODE_F32_FLUSH_OUT;
    return mode;
}

static bool is_register(const lw_opnd *o)
{
    return o->kind == LW_OPND_VGPR || o->kind == LW_OPND_AGPR;
}

lw_step lw_sem_matrix(lw_wave *w, const lw_decoded *in)
{
    lw_matrix_plan *p = in->plan;
    lw_mma_registers regs = {
        .a = lw_access_row(w, &in->src[0]),
        .b = lw_access_row(w, &in->src[1]),
        .d = lw_access_row(w, &in->dst),
        .mode = mode_of(w),
    };
    if (in->row->mods & LW_MOD_SPARSE) {
        regs.c = regs.d;
        regs.index = lw_access_row(w, &in->src[2]);
    } else if (is_register(&in->src[2])) {
        regs.c = lw_access_row(w, &in->src[2]);
    } else {
        regs.c_constant = in->src[2].value;
    }
    if (in->row->mods & LW_MOD_SCALED) {
        regs.scale_a = lw_access_row(w, &in->scale[0]); /* the decoder lets vector registers through only */
        regs.scale_b = lw_access_row(w, &in->scale[1]);
    }
    uint32_t open = 0; /* before D overwrites C */
    if (lw_mma_may_be_open(p->mma, &regs, p->open) && lw_mma_open_registers(p->mma, &regs, &open) == LW_OK)
        p->open |= open;
    const lw_status status = lw_mma_execute_watched(p->mma, &regs, &p->touched);
    if (status != LW_OK)
        return lw_wave_fault(w, -1, "the matrix unit refuses its operands: %s", lw_status_text(status));
    return LW_STEP_NEXT;
}

static void describe(lw_matrix_event *event, lw_operand operand, const lw_opnd *o)
{
    lw_matrix_operand *m = &event->operand[operand];
    m->is_register = is_register(o);
    m->file = o->kind == LW_OPND_AGPR ? LW_FILE_AGPR : LW_FILE_VGPR;
    m->first = o->reg;
    m->count = o->dwords;
    m->constant = m->is_register ? 0 : o->value;
}

void lw_matrix_plan_describe(const lw_decoded *in, lw_matrix_event *event)
{
    const lw_matrix_plan *p = in->plan;
    *event = (lw_matrix_event){ .insn = p->insn, .mods = p->mods };
    describe(event, LW_OPERAND_A, &in->src[0]);
    describe(event, LW_OPERAND_B, &in->src[1]);
    describe(event, LW_OPERAND_D, &in->dst);
    if (in->row->mods & LW_MOD_SPARSE) {
        describe(event, LW_OPERAND_C, &in->dst);
        describe(event, LW_OPERAND_INDEX, &in->src[2]);
    } else {
        describe(event, LW_OPERAND_C, &in->src[2]);
    }
    if (in->row->mods & LW_MOD_SCALED) {
        describe(event, LW_OPERAND_SCALE_A, &in->scale[0]);
        describe(event, LW_OPERAND_SCALE_B, &in->scale[1]);
    }
}

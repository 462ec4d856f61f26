/* SPDX-License-Identifier: MIT */
/* Matrix instructions: register images in, register images out. */
#include <stdio.h>
#include <stdlib.h>

#include <lanewise/mma.h>

#include "emu/amdgpu/memory/access.h"
#include "emu/amdgpu/control/handlers.h"
#include "emu/amdgpu/vector/matrix_narrow.h"
#include "emu/amdgpu/vector/matrix_plan.h"
#include "emu/mma/mma.h"
#include "isa_tables/matrix.h"
#include "isa_tables/readings.h"

bool lw_matrix_is(const lw_op_row *row)
{
    return row->insn != NULL;
}

/* RDNA's: fields by the assembler's names; op_sel_hi as the difference from what the assembler emits by
 * default. */
static lw_mods wmma_mods_of(const lw_decoded *in)
{
    lw_mods mods = {
        .op_sel = in->op_sel,
        .op_sel_hi = in->op_sel_hi ^ 7u,
        .clamp = in->clamp,
        .index_key = in->index_key,
        .cbsz = in->cbsz,
        .blgp = in->blgp,
        .scale_row_a = in->scale_row[0],
        .scale_row_b = in->scale_row[1],
        .scale_fmt_a = in->scale_format[0],
        .scale_fmt_b = in->scale_format[1],
        .reuse_a = in->reuse_a,
        .reuse_b = in->reuse_b,
    };
    for (unsigned i = 0; i < 3; i++) {
        mods.neg_lo |= (uint8_t)((in->src[i].neg & 1) << i);
        mods.neg_hi |= (uint8_t)((in->src[i].neg >> 1 & 1) << i);
    }
    return mods;
}

static lw_mods mods_of(const lw_decoded *in)
{
    if (in->enc == LW_ENC_VOP3P)
        return wmma_mods_of(in);
    const bool scaled = (in->row->mods & LW_MOD_SCALED) != 0;
    lw_mods mods = { .cbsz = in->cbsz, .abid = in->abid };
    if (in->mods & LW_MOD_NEG_BLGP)
        mods.neg = in->blgp;
    else
        mods.blgp = in->blgp;
    if (scaled) {
        mods.op_sel = in->op_sel;
        mods.op_sel_hi = in->op_sel_hi;
    }
    return mods;
}

const lw_mma_key *lw_matrix_key_of(lw_mma_key **keys, const lw_decoded *in)
{
    const lw_mods mods = mods_of(in);
    return lw_mma_key_of(keys, in->row->insn, &mods);
}

lw_mma_set *lw_matrix_set_of(const lw_session *s)
{
    lw_amd_module *m = s->module->own;
    lw_lock_take(&s->module->code.lock);
    lw_mma_set *set = lw_mma_set_of(&m->sets, s->readings, s->reading_count, s->lanes);
    lw_lock_leave(&s->module->code.lock);
    return set;
}

/* NULL after lw_wave_fault. */
static const lw_mma *mma_of(lw_wave *w, const lw_mma_key *key)
{
    const lw_session *s = w->head.group->session;
    lw_mma_set *set = lw_amd_launch_of(w)->matrices;
    const lw_mma *mma = lw_mma_set_find(set, key);
    if (mma)
        return mma;
    lw_error error;
    lw_lock_take(&s->module->code.lock);
    mma = lw_mma_set_prepare(set, s->arch, key, &error);
    lw_lock_leave(&s->module->code.lock);
    if (!mma)
        lw_wave_fault(w, -1, "%s", error.text);
    return mma;
}

lw_step lw_matrix_prepare(lw_wave *w, const lw_decoded *in)
{
    return mma_of(w, in->matrix) ? LW_STEP_NEXT : LW_STEP_FAULT;
}

/* What this thread has recorded about it; NULL: no host memory. */
static lw_mma_use *use_of(lw_worker *worker, unsigned number)
{
    return lw_worker_note(worker, number, sizeof(lw_mma_use));
}

void lw_matrix_tally(const lw_worker *worker, const lw_decoded *in, lw_tally *tally)
{
    const lw_mma_key *key = in->matrix;
    const lw_amd_launch *launch = worker->session->own;
    const lw_mma *mma = lw_mma_set_find(launch->matrices, key);
    lw_mma_use use = { .touched = 0 };
    const char *source;
    if ((key->number + 1) * sizeof(use) <= worker->note_bytes)
        memcpy(&use, worker->notes + key->number * sizeof(use), sizeof(use));
    if (!mma)
        return;
    const lw_label label = lw_mma_use_weakest(mma, &use, &source);
    tally->aspects |= use.touched;
    if (tally->is_matrix && label <= tally->label)
        return;
    tally->is_matrix = true;
    tally->label = label;
    tally->source = source;
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

/* Executes, and records what the end of the session reports about it. */
static lw_step execute(lw_wave *w, const lw_mma *mma, const lw_mma_registers *regs, lw_mma_use *use)
{
    const lw_status status = lw_mma_execute_noting(mma, regs, use);
    if (status != LW_OK)
        return lw_wave_fault(w, -1, "the matrix unit refuses its operands: %s", lw_status_text(status));
    /* Some take long; a cancellation should not wait for many of them. */
    const bool cancelled = atomic_load_explicit(&w->head.group->session->cancelled, memory_order_relaxed);
    return cancelled ? LW_STEP_PAUSE : LW_STEP_NEXT;
}

static lw_step execute_narrow(lw_wave *w, const lw_decoded *in, const lw_mma *mma, lw_mma_use *use)
{
    lw_matrix_images images;
    const lw_step step = lw_matrix_gather(w, in, &images);
    if (step != LW_STEP_NEXT)
        return step;
    const lw_mma_registers regs = { .a = images.a,
                                    .b = images.b,
                                    .c = images.has_c ? images.c : NULL,
                                    .d = images.d,
                                    .index = images.index,
                                    .scale_a = images.scale[0],
                                    .scale_b = images.scale[1],
                                    .c_constant = in->src[2].value,
                                    .mode = mode_of(w) };
    const lw_step done = execute(w, mma, &regs, use);
    lw_matrix_scatter(w, in, &images);
    return done;
}

lw_step lw_sem_matrix(lw_wave *w, const lw_decoded *in)
{
    const lw_mma *mma = mma_of(w, in->matrix);
    lw_mma_use *use = mma ? use_of(w->head.group->worker, in->matrix->number) : NULL;
    if (!mma)
        return LW_STEP_FAULT;
    if (!use)
        return lw_wave_fault(w, -1, "the host has no memory for a matrix instruction");
    if (w->lanes != LW_LANES)
        return execute_narrow(w, in, mma, use);
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
        regs.scale_a = lw_access_row(w, &in->scale[0]); /* the decoder allows only vector registers */
        regs.scale_b = lw_access_row(w, &in->scale[1]);
    }
    return execute(w, mma, &regs, use);
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

void lw_matrix_describe(const lw_decoded *in, const lw_session *session, lw_matrix_event *event)
{
    *event = (lw_matrix_event){ .insn = in->matrix->insn, .mods = in->matrix->mods };
    event->mods.readings =
        lw_readings_of_mods(0, (const char *const *)session->readings, session->reading_count);
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

/* SPDX-License-Identifier: MIT */
/*
 * cp.async: copies from global to shared memory that arrive at a wait (emu/device/arrive.c). Every thread has
 * its own groups; here a warp commits with all its lanes, so that the groups are the warp's.
 */
#include "emu/ptx/copies.h"
#include "emu/ptx/decode.h"
#include "emu/ptx/handlers.h"
#include "emu/ptx/matrix.h"
#include "emu/ptx/tensor.h"

static bool take_copy(lw_ptx_decoding *d, lw_ptx_record *r)
{
    const uint64_t size = r->src[0].value;
    const bool cg = lw_ptx_opcode_word(&r->insn->opcode, LW_PTX_GROUP_COPY_CACHE) == LW_PTX_WORD_CG;
    if (lw_ptx_opcode_word(&r->insn->opcode, LW_PTX_GROUP_SPACE) == LW_PTX_WORD_GLOBAL ||
        !lw_ptx_has(r, LW_PTX_GROUP_SECOND_SPACE))
        return lw_ptx_refuse(d, "cp.async copies from .global to .shared");
    if (r->src[0].kind != LW_PTX_SOURCE_CONSTANT || (size != 16 && (cg || (size != 4 && size != 8))))
        return lw_ptx_refuse(d, cg ? "cp.async.cg copies 16 bytes" : "cp.async.ca copies 4, 8 or 16 bytes");
    return true;
}

/* The number of bytes to read; the rest are zeros. A true predicate means that nothing is read. */
static uint8_t source_bytes(const lw_ptx_warp *w, const lw_ptx_record *r, unsigned lane, uint8_t size)
{
    if (r->src_count < 2)
        return size;
    const uint64_t v = lw_ptx_get(w, &r->src[1], lane);
    if (r->src[1].kind == LW_PTX_SOURCE_PREDICATE)
        return v ? 0 : size;
    return (uint8_t)(v < size ? v : size);
}

/* Combines the numbers of a piece one by one with those in memory; `r` NULL: replaces these. */
static void put_piece(lw_ptx_warp *w, const lw_ptx_record *r, uint8_t *to, const uint8_t *from, uint32_t size)
{
    const uint32_t bytes = r ? r->dst_bits / 8u : size;
    lw_note_store(w->head.group->worker, to, size);
    if (!r)
        memcpy(to, from, size);
    for (uint32_t at = 0; r && at < size; at += bytes) {
        uint64_t in[LW_PTX_MOST_SOURCES] = { 0, 0, 0, 0 };
        memcpy(&in[0], to + at, bytes);
        memcpy(&in[1], from + at, bytes);
        for (unsigned i = 0; i < 2; i++)
            in[i] = lw_ptx_extend(in[i], r->dst_bits, r->dst_signed);
        const uint64_t v = r->handler->lane(r, in);
        memcpy(to + at, &v, bytes);
    }
}

/* Between blocks of a cluster: bytes of shared memory, or an operand of the instruction. */
static bool perform_across(lw_ptx_warp *w, unsigned lane, const lw_ptx_record *r, const lw_copy_piece *p)
{
    const bool value = p->kind == LW_PTX_PIECE_VALUE;
    const uint8_t *from = value ? (const uint8_t *)&p->from
                                : lw_ptx_reach(w, lane, LW_PTX_WORD_SHARED, p->from, p->width, false);
    uint8_t *to = from ? lw_ptx_reach(w, lane, LW_PTX_WORD_SHARED_CLUSTER, p->to, p->width, true) : NULL;
    if (to)
        put_piece(w, r, to, from, p->width);
    return to != NULL;
}

static bool perform_out(lw_ptx_warp *w, unsigned lane, const lw_ptx_record *r, const lw_copy_piece *p)
{
    const uint8_t *from = lw_ptx_reach(w, lane, LW_PTX_WORD_SHARED, p->to, p->width, false);
    uint8_t *to = from ? lw_ptx_reach(w, lane, LW_PTX_WORD_GLOBAL, p->from, p->width, true) : NULL;
    if (!to)
        return false;
    put_piece(w, r, to, from, p->width);
    return true;
}

/* A copy into the warp's own shared memory that nobody observes. False: nothing has been done. */
static bool perform_quickly(lw_ptx_warp *w, const lw_copy_piece *p)
{
    const lw_group *g = w->head.group;
    lw_worker *worker = g->worker;
    const uint32_t to = p->to - ((uint32_t)w->head.rank << LW_PTX_RANK_AT);
    if (w->head.log || worker->touches || p->bytes != p->width || (to | p->from) % p->width ||
        to >= g->lds_size || g->lds_size - to < p->width)
        return false;
    const uint8_t *from = lw_mem_at(&worker->view, p->from, p->width, false);
    if (!from || worker->view.hit.guarded ||
        (worker->watch && worker->view.hit.writable &&
         !lw_watch_note(worker->watch, p->from, p->width, false)))
        return false;
    worker->changes++;
    memcpy(lw_group_lds(g, w->head.rank) + to, from, p->width);
    return true;
}

/* `r`: the operation that combines numbers; NULL: they are copied. */
static bool perform(lw_ptx_warp *w, const lw_ptx_record *r, const lw_copy_piece *p)
{
    const unsigned lane = (unsigned)p->lane;
    if (p->kind == LW_PTX_PIECE_IN && perform_quickly(w, p))
        return true;
    if (p->kind == LW_PTX_PIECE_OUT)
        return perform_out(w, lane, r, p);
    if (p->kind == LW_PTX_PIECE_ACROSS || p->kind == LW_PTX_PIECE_VALUE)
        return perform_across(w, lane, r, p);
    if (p->kind != LW_PTX_PIECE_IN)
        return lw_ptx_mbarrier_report(w, lane, p->to, p->from, p->kind != LW_PTX_PIECE_BYTES);
    uint8_t *to = lw_ptx_reach(w, lane, LW_PTX_WORD_SHARED_CLUSTER, p->to, p->width, true);
    const uint8_t *from =
        to && p->bytes ? lw_ptx_reach(w, lane, LW_PTX_WORD_GLOBAL, p->from, p->width, false) : NULL;
    if (!to || (p->bytes && !from))
        return false;
    lw_note_store(w->head.group->worker, to, p->width);
    memset(to, 0, p->width);
    if (from)
        memcpy(to, from, p->bytes);
    return true;
}

bool lw_ptx_arrive(lw_wave_head *head, const lw_copy *copy)
{
    if (copy->count && copy->pieces[0].kind == LW_PTX_PIECE_WGMMA)
        return lw_ptx_wgmma_arrive(lw_ptx_warp_of(head), copy);
    const lw_ptx_record *r = lw_code_at(&head->group->session->module->code, copy->pc);
    const lw_ptx_record *joins = r && r->handler->lane ? r : NULL;
    lw_ptx_record typed;
    if (joins && copy->count && lw_ptx_has(r, LW_PTX_GROUP_TENSOR)) {
        typed = lw_ptx_tensor_typed(r, copy->pieces[0].more);
        joins = &typed;
    }
    for (size_t i = 0; i < copy->count; i++)
        if (!perform(lw_ptx_warp_of(head), joins, &copy->pieces[i]))
            return false;
    return true;
}

static lw_ptx_step no_memory(lw_ptx_warp *w)
{
    lw_copies_refuse(&w->head);
    return LW_PTX_STEP_FAULT;
}

/* Destinations are checked now, sources when they are read. */
static lw_ptx_step cp_async(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    lw_copies *copies = &w->head.group->copies;
    const uint8_t size = (uint8_t)r->src[0].value;
    if (!lanes)
        return LW_PTX_STEP_NEXT;
    lw_copy *copy = lw_copies_new(copies, w->head.id, w->head.pc, w->head.issued);
    if (!copy)
        return no_memory(w);
    for (unsigned lane = 0; lane < LW_PTX_LANES; lane++) {
        if (!(lanes >> lane & 1))
            continue;
        lw_copy_piece *piece = lw_copy_add(copy);
        if (!piece)
            return no_memory(w);
        *piece = (lw_copy_piece){ .from = lw_ptx_get(w, &r->from, lane) + r->from_offset,
                                  .to = (uint32_t)lw_ptx_address(w, r, lane),
                                  .lane = (int16_t)lane,
                                  .bytes = source_bytes(w, r, lane, size),
                                  .width = size };
    }
    if (w->head.group->session->async == LW_ASYNC_EARLY) {
        const bool good = lw_ptx_arrive(&w->head, copy);
        lw_copies_recycle(copies, copy);
        return good ? LW_PTX_STEP_NEXT : LW_PTX_STEP_FAULT;
    }
    lw_copies_issue(copies, copy);
    w->head.pending++;
    w->head.issued++;
    return LW_PTX_STEP_NEXT;
}

static lw_ptx_step cp_commit(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    (void)r;
    if (!lanes)
        return LW_PTX_STEP_NEXT;
    if (lanes != w->live) {
        lw_fault_say(&w->head, -1,
                     "executed by lanes 0x%08x of the warp, which has 0x%08x: groups of single "
                     "lanes cannot be kept apart yet",
                     lanes, w->live);
        return LW_PTX_STEP_FAULT;
    }
    w->commits[w->commit_count++ % LW_PTX_MOST_COMMITS] = w->head.issued;
    return LW_PTX_STEP_NEXT;
}

/* Leaves at most the newest groups pending; without an operand (wait_all), none. */
static lw_ptx_step cp_wait(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    const uint64_t left = r->src_count ? r->src[0].value : 0;
    uint64_t limit = w->head.issued;
    if (!lanes || !w->head.pending)
        return LW_PTX_STEP_NEXT;
    if (left >= LW_PTX_MOST_COMMITS) {
        lw_fault_say(&w->head, -1, "waits for all but %llu groups; up to %d groups are tracked",
                     (unsigned long long)left, LW_PTX_MOST_COMMITS - 1);
        return LW_PTX_STEP_FAULT;
    }
    if (r->src_count)
        limit = left < w->commit_count ? w->commits[(w->commit_count - left - 1) % LW_PTX_MOST_COMMITS] : 0;
    if (!lw_copies_covered(&w->head.group->copies, w->head.id, limit))
        return LW_PTX_STEP_NEXT;
    w->head.wait_limit = limit;
    return LW_PTX_STEP_WAIT;
}

const lw_ptx_handler lw_ptx_sem_cp_async = { .exec = cp_async, .prepare = take_copy };
const lw_ptx_handler lw_ptx_sem_cp_commit = { .exec = cp_commit };
const lw_ptx_handler lw_ptx_sem_cp_wait = { .exec = cp_wait };

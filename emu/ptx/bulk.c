/* SPDX-License-Identifier: MIT */
/*
 * cp.async.bulk: copies of many bytes at once. Copies into shared memory report to an mbarrier and arrive
 * when no warp of the block can continue without them; copies out of it belong to groups, like those of
 * cp.async. Every thread has its own groups; if several lanes of a warp have issued copies, a wait covers all
 * of them, which is permitted.
 */
#include "emu/ptx/bulk.h"

#include "emu/ptx/decode.h"
#include "emu/ptx/handlers.h"

enum { PIECE = 16 };

/* The state space that is named second: where the bytes come from. */
static lw_ptx_word_id source_space(const lw_ptx_record *r)
{
    const lw_ptx_opcode *o = &r->insn->opcode;
    lw_ptx_word_id from = LW_PTX_WORD_NONE;
    for (unsigned i = 0; i < o->word_count; i++)
        if (o->words[i] == LW_PTX_WORD_GLOBAL || o->words[i] == LW_PTX_WORD_SHARED_CTA ||
            o->words[i] == LW_PTX_WORD_SHARED_CLUSTER)
            from = (lw_ptx_word_id)o->words[i];
    return from;
}

static lw_ptx_word_id target_space(const lw_ptx_record *r)
{
    return lw_ptx_opcode_word(&r->insn->opcode, LW_PTX_GROUP_SPACE);
}

static bool is_across(const lw_ptx_record *r)
{
    return target_space(r) == LW_PTX_WORD_SHARED_CLUSTER && source_space(r) == LW_PTX_WORD_SHARED_CTA;
}

static bool take_in(lw_ptx_decoding *d, lw_ptx_record *r)
{
    const bool from_global = target_space(r) != LW_PTX_WORD_GLOBAL && source_space(r) == LW_PTX_WORD_GLOBAL;
    return from_global || (is_across(r) && !lw_ptx_has(r, LW_PTX_GROUP_MULTICAST)) ||
           lw_ptx_refuse(d, "copies that report to an mbarrier go from .global into shared memory, or from "
                            ".shared::cta to .shared::cluster");
}

static bool take_out(lw_ptx_decoding *d, lw_ptx_record *r)
{
    return (target_space(r) == LW_PTX_WORD_GLOBAL && source_space(r) == LW_PTX_WORD_SHARED_CTA) ||
           lw_ptx_refuse(d, "bulk groups copy from .shared::cta to .global");
}

bool lw_ptx_bulk_take_reduce(lw_ptx_decoding *d, lw_ptx_record *r)
{
    return lw_ptx_has(r, LW_PTX_GROUP_BY_GROUP)
               ? take_out(d, r)
               : is_across(r) ||
                     lw_ptx_refuse(d, "reductions that report to an mbarrier go from .shared::cta "
                                      "to .shared::cluster");
}

lw_ptx_step lw_ptx_bulk_no_memory(lw_ptx_warp *w)
{
    lw_copies_refuse(&w->head);
    return LW_PTX_STEP_FAULT;
}

static bool is_good(lw_ptx_warp *w, unsigned lane, uint64_t shared, uint64_t global, uint64_t size)
{
    if (shared % PIECE == 0 && global % PIECE == 0 && size % PIECE == 0)
        return true;
    lw_fault_say(
        &w->head, (int)lane,
        "copies %llu bytes between 0x%llx and byte 0x%llx of shared memory; all three are multiples of %d",
        (unsigned long long)size, (unsigned long long)global, (unsigned long long)shared, PIECE);
    return false;
}

/* The pieces of one lane's copy. False: no host memory. */
static bool add_pieces(lw_copy *copy, unsigned lane, uint64_t shared, uint64_t global, uint64_t size,
                       uint8_t kind)
{
    for (uint64_t at = 0; at < size; at += PIECE) {
        lw_copy_piece *piece = lw_copy_add(copy);
        if (!piece)
            return false;
        *piece = (lw_copy_piece){ .from = global + at,
                                  .to = (uint32_t)(shared + at),
                                  .lane = (int16_t)lane,
                                  .bytes = PIECE,
                                  .width = PIECE,
                                  .kind = kind };
    }
    return true;
}

bool lw_ptx_bulk_report(lw_copy *copy, unsigned lane, uint64_t mbarrier, uint64_t bytes, uint8_t kind)
{
    lw_copy_piece *piece = lw_copy_add(copy);
    if (piece)
        *piece =
            (lw_copy_piece){ .from = bytes, .to = (uint32_t)mbarrier, .lane = (int16_t)lane, .kind = kind };
    return piece != NULL;
}

lw_copy *lw_ptx_bulk_new(lw_ptx_warp *w, bool reports)
{
    return lw_copies_new(&w->head.group->copies, w->head.id | (reports ? LW_COPY_REPORTS : 0), w->head.pc,
                         reports ? 0 : w->head.issued);
}

lw_ptx_step lw_ptx_bulk_issue(lw_ptx_warp *w, lw_copy *copy)
{
    lw_copies *copies = &w->head.group->copies;
    if (w->head.group->session->async == LW_ASYNC_EARLY) {
        const bool good = lw_ptx_arrive(&w->head, copy);
        lw_copies_recycle(copies, copy);
        return good ? LW_PTX_STEP_NEXT : LW_PTX_STEP_FAULT;
    }
    lw_copies_issue(copies, copy);
    if (!(copy->owner & LW_COPY_REPORTS)) {
        w->head.pending++;
        w->head.issued++;
    }
    return LW_PTX_STEP_NEXT;
}

bool lw_ptx_bulk_targets(lw_ptx_warp *w, const lw_ptx_record *r, unsigned lane, unsigned mask_source,
                         uint32_t *targets)
{
    const uint32_t ranks = lw_group_ranks(w->head.group);
    const bool multicast = lw_ptx_has(r, LW_PTX_GROUP_MULTICAST) && r->src_count > mask_source;
    *targets = multicast ? (uint32_t)lw_ptx_get(w, &r->src[mask_source], lane) & 0xffff : 0;
    if (*targets >> ranks) {
        lw_fault_say(&w->head, (int)lane, "copies to the blocks 0x%x of a cluster that has %u", *targets,
                     ranks);
        return false;
    }
    if (multicast && !*targets)
        lw_fault_say(&w->head, (int)lane, "copies to no block of the cluster: the mask is 0");
    return !multicast || *targets;
}

/* Into shared memory of one block and its mbarrier, or at the same places of several blocks. */
static bool add_in(lw_copy *copy, unsigned lane, uint64_t to, uint64_t from, uint64_t size, uint64_t mbarrier,
                   uint32_t targets, uint8_t kind)
{
    bool good = targets || (add_pieces(copy, lane, to, from, size, kind) &&
                            lw_ptx_bulk_report(copy, lane, mbarrier, size, LW_PTX_PIECE_BYTES));
    for (uint32_t rank = 0; good && targets >> rank; rank++)
        if (targets >> rank & 1)
            good = add_pieces(copy, lane, lw_ptx_in_rank(to, rank), from, size, kind) &&
                   lw_ptx_bulk_report(copy, lane, lw_ptx_in_rank(mbarrier, rank), size, LW_PTX_PIECE_BYTES);
    return good;
}

bool lw_ptx_bulk_is_with(lw_ptx_warp *w, unsigned lane, uint64_t to, uint64_t mbarrier, bool pairs)
{
    const unsigned of = LW_PTX_RANK_AT + pairs;
    if ((uint32_t)to >> of == (uint32_t)mbarrier >> of)
        return true;
    lw_fault_say(
        &w->head, (int)lane,
        "the bytes go to block %u of the cluster, the mbarrier at 0x%x is in block %u: they have to be "
        "in the same %s",
        (uint32_t)to >> LW_PTX_RANK_AT, (uint32_t)mbarrier, (uint32_t)mbarrier >> LW_PTX_RANK_AT,
        pairs ? "pair of blocks" : "block");
    return false;
}

static lw_ptx_step in_lane(lw_ptx_warp *w, const lw_ptx_record *r, unsigned lane)
{
    const uint64_t to = (uint32_t)lw_ptx_address(w, r, lane), size = lw_ptx_get(w, &r->src[0], lane);
    const uint64_t from = lw_ptx_get(w, &r->from, lane) + r->from_offset;
    const uint64_t mbarrier = lw_ptx_get(w, &r->third, lane) + r->third_offset;
    uint32_t targets;
    if (!is_good(w, lane, to, from, size) || !lw_ptx_bulk_targets(w, r, lane, 1, &targets) ||
        !lw_ptx_bulk_is_with(w, lane, to, mbarrier, false))
        return LW_PTX_STEP_FAULT;
    lw_copy *copy = lw_ptx_bulk_new(w, true);
    if (!copy || !add_in(copy, lane, to, from, size, mbarrier, targets,
                         is_across(r) ? LW_PTX_PIECE_ACROSS : LW_PTX_PIECE_IN))
        return lw_ptx_bulk_no_memory(w);
    return lw_ptx_bulk_issue(w, copy);
}

/* st.async and red.async: operands of the instruction. */
static lw_ptx_step value_lane(lw_ptx_warp *w, const lw_ptx_record *r, unsigned lane)
{
    const uint32_t to = (uint32_t)lw_ptx_address(w, r, lane), bytes = r->src_bits / 8u;
    const uint64_t mbarrier = lw_ptx_get(w, &r->third, lane) + r->third_offset;
    if (to % (bytes * r->src_count)) {
        lw_fault_say(&w->head, (int)lane, "stores %u bytes at address 0x%x, which is not a multiple of %u",
                     bytes * r->src_count, to, bytes * r->src_count);
        return LW_PTX_STEP_FAULT;
    }
    lw_copy *copy = lw_ptx_bulk_is_with(w, lane, to, mbarrier, false) ? lw_ptx_bulk_new(w, true) : NULL;
    if (!copy)
        return w->head.fault->reason[0] ? LW_PTX_STEP_FAULT : lw_ptx_bulk_no_memory(w);
    for (unsigned i = 0; i < r->src_count; i++) {
        lw_copy_piece *piece = lw_copy_add(copy);
        if (!piece)
            return lw_ptx_bulk_no_memory(w);
        *piece = (lw_copy_piece){ .from = lw_ptx_get(w, &r->src[i], lane),
                                  .to = to + i * bytes,
                                  .lane = (int16_t)lane,
                                  .bytes = (uint8_t)bytes,
                                  .width = (uint8_t)bytes,
                                  .kind = LW_PTX_PIECE_VALUE };
    }
    if (!lw_ptx_bulk_report(copy, lane, mbarrier, (uint64_t)bytes * r->src_count, LW_PTX_PIECE_BYTES))
        return lw_ptx_bulk_no_memory(w);
    return lw_ptx_bulk_issue(w, copy);
}

/* .cp_mask: bit i of the mask lets byte i of every 16 pass. */
static bool add_bytes(lw_copy *copy, unsigned lane, uint64_t shared, uint64_t global, uint64_t size,
                      uint32_t mask)
{
    for (uint64_t at = 0; at < size; at++) {
        if (!(mask >> at % PIECE & 1))
            continue;
        lw_copy_piece *piece = lw_copy_add(copy);
        if (!piece)
            return false;
        *piece = (lw_copy_piece){ .from = global + at,
                                  .to = (uint32_t)(shared + at),
                                  .lane = (int16_t)lane,
                                  .bytes = 1,
                                  .width = 1,
                                  .kind = LW_PTX_PIECE_OUT };
    }
    return true;
}

static lw_ptx_step out_lane(lw_ptx_warp *w, const lw_ptx_record *r, unsigned lane)
{
    const uint64_t to = lw_ptx_address(w, r, lane), size = lw_ptx_get(w, &r->src[0], lane);
    const uint64_t from = (uint32_t)(lw_ptx_get(w, &r->from, lane) + r->from_offset);
    if (!is_good(w, lane, from, to, size))
        return LW_PTX_STEP_FAULT;
    lw_copy *copy = lw_ptx_bulk_new(w, false);
    const bool masked = lw_ptx_has(r, LW_PTX_GROUP_CP_MASK);
    if (!copy || !(masked ? add_bytes(copy, lane, from, to, size, (uint32_t)lw_ptx_get(w, &r->src[1], lane))
                          : add_pieces(copy, lane, from, to, size, LW_PTX_PIECE_OUT)))
        return lw_ptx_bulk_no_memory(w);
    w->bulk_lanes |= UINT32_C(1) << lane;
    return lw_ptx_bulk_issue(w, copy);
}

static lw_ptx_step arrive_lane(lw_ptx_warp *w, const lw_ptx_record *r, unsigned lane)
{
    const uint32_t mbarrier = (uint32_t)lw_ptx_address(w, r, lane);
    const uint8_t kind = lw_ptx_has(r, LW_PTX_GROUP_NOINC) ? LW_PTX_PIECE_ARRIVE : LW_PTX_PIECE_ARRIVE_MORE;
    lw_copy *copy = lw_ptx_bulk_new(w, true);
    if (!copy || !lw_ptx_bulk_report(copy, lane, mbarrier, 0, kind))
        return lw_ptx_bulk_no_memory(w);
    if (kind == LW_PTX_PIECE_ARRIVE_MORE && !lw_ptx_mbarrier_expect_one(w, lane, mbarrier))
        return LW_PTX_STEP_FAULT;
    return lw_ptx_bulk_issue(w, copy);
}

typedef lw_ptx_step one_lane(lw_ptx_warp *w, const lw_ptx_record *r, unsigned lane);

static lw_ptx_step each(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes, one_lane *of)
{
    for (unsigned lane = 0; lane < LW_PTX_LANES; lane++)
        if ((lanes >> lane & 1) && of(w, r, lane) == LW_PTX_STEP_FAULT)
            return LW_PTX_STEP_FAULT;
    return LW_PTX_STEP_NEXT;
}

lw_ptx_step lw_ptx_value_async(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    return each(w, r, lanes, value_lane);
}

lw_ptx_step lw_ptx_bulk_reduce(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    return each(w, r, lanes, lw_ptx_has(r, LW_PTX_GROUP_BY_GROUP) ? out_lane : in_lane);
}

static lw_ptx_step bulk_in(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    return each(w, r, lanes, in_lane);
}

static lw_ptx_step bulk_out(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    return each(w, r, lanes, out_lane);
}

static lw_ptx_step report(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    return each(w, r, lanes, arrive_lane);
}

static lw_ptx_step bulk_commit(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    (void)r;
    if (lanes)
        w->bulk_commits[w->bulk_count++ % LW_PTX_MOST_COMMITS] = w->head.issued;
    return LW_PTX_STEP_NEXT;
}

/* Leaves at most the newest groups pending; .read waits for no less here. */
static lw_ptx_step bulk_wait(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    const uint64_t left = r->src[0].value;
    const bool several = (w->bulk_lanes & (w->bulk_lanes - 1)) != 0;
    uint64_t limit = w->head.issued;
    if (!lanes || !w->head.pending)
        return LW_PTX_STEP_NEXT;
    if (!several && left < LW_PTX_MOST_COMMITS)
        limit = left < w->bulk_count ? w->bulk_commits[(w->bulk_count - left - 1) % LW_PTX_MOST_COMMITS] : 0;
    if (!lw_copies_covered(&w->head.group->copies, w->head.id, limit))
        return LW_PTX_STEP_NEXT;
    w->head.wait_limit = limit;
    if (w->active == w->live)
        return LW_PTX_STEP_WAIT;
    return lw_copies_complete(&w->head, limit) ? LW_PTX_STEP_NEXT : LW_PTX_STEP_LOST;
}

const lw_ptx_handler lw_ptx_sem_st_async = { .exec = lw_ptx_value_async };
const lw_ptx_handler lw_ptx_sem_cp_bulk_in = { .exec = bulk_in, .prepare = take_in };
const lw_ptx_handler lw_ptx_sem_cp_bulk_out = { .exec = bulk_out, .prepare = take_out };
const lw_ptx_handler lw_ptx_sem_cp_mbarrier_arrive = { .exec = report };
const lw_ptx_handler lw_ptx_sem_cp_bulk_commit = { .exec = bulk_commit };
const lw_ptx_handler lw_ptx_sem_cp_bulk_wait = { .exec = bulk_wait };

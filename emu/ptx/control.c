/* SPDX-License-Identifier: MIT */
/*
 * Which lanes of a warp run. Lanes have their own program counters. The group that is deepest in calls and,
 * among those, at the lowest pc runs; it absorbs the lanes whose pc it reaches. A group that has branched
 * backward a thousand times while others could run gives way to them for as many instructions, so that lanes
 * waiting in a loop do not block those that they wait for.
 */
#include "emu/ptx/decode.h"
#include "emu/ptx/handlers.h"

enum { PATIENCE = 1000, BLOCK_BARRIERS = 16, CLUSTER_BARRIER = LW_WHOLE_BARRIER };

static uint64_t base_of(const lw_ptx_warp *w)
{
    return w->head.group->session->module->code.base;
}

uint32_t lw_ptx_here(const lw_ptx_warp *w)
{
    return (uint32_t)(w->head.pc - base_of(w));
}

void lw_ptx_stand(lw_ptx_warp *w, uint32_t lanes, uint32_t pc)
{
    for (unsigned lane = 0; lane < LW_PTX_LANES; lane++)
        if (lanes >> lane & 1)
            w->lane_pc[lane] = pc;
}

/* The lanes deepest in calls and, among those, at the lowest pc. */
static uint32_t first_group(const lw_ptx_warp *w, uint32_t lanes, uint32_t *at)
{
    uint32_t found = 0, depth = 0;
    *at = UINT32_MAX;
    for (unsigned lane = 0; lane < LW_PTX_LANES; lane++) {
        if (!(lanes >> lane & 1) || w->depth[lane] < depth)
            continue;
        const bool deeper = w->depth[lane] > depth;
        if (!deeper && w->lane_pc[lane] > *at)
            continue;
        found = deeper || w->lane_pc[lane] < *at ? 0 : found;
        depth = w->depth[lane];
        *at = w->lane_pc[lane];
        found |= UINT32_C(1) << lane;
    }
    return found;
}

/* The group's number for a barrier of the block, or of the cluster. */
static uint16_t barrier_of(const lw_ptx_warp *w, uint64_t number)
{
    return (uint16_t)(number == CLUSTER_BARRIER ? CLUSTER_BARRIER : w->head.rank * LW_BARRIERS + number);
}

lw_ptx_step lw_ptx_choose(lw_ptx_warp *w)
{
    uint32_t pc;
    if (!w->live) {
        if (w->cluster_lanes)
            w->head.group->arrived[CLUSTER_BARRIER]--;
        return LW_PTX_STEP_END;
    }
    const uint32_t ready = w->live & ~w->blocked & ~w->waiting;
    if (!ready && w->waiting) {
        w->active = first_group(w, w->waiting, &pc);
        w->head.pc = base_of(w) + pc;
        lw_ptx_say_stuck(w);
        return LW_PTX_STEP_FAULT;
    }
    if (!ready) {
        first_group(w, w->live, &pc);
        w->head.pc = base_of(w) + pc;
        w->head.barrier = barrier_of(w, w->barrier);
        w->head.expected = (uint16_t)w->expected;
        w->active = 0;
        return LW_PTX_STEP_BARRIER;
    }
    if (!(ready & ~w->parked))
        w->parked = 0;
    w->active = first_group(w, ready & ~w->parked, &pc);
    w->head.pc = base_of(w) + pc;
    return LW_PTX_STEP_JUMPED;
}

void lw_ptx_rejoin(lw_ptx_warp *w)
{
    if (w->parked && --w->parked_left == 0)
        w->parked = 0;
    lw_ptx_stand(w, w->active, lw_ptx_here(w));
    lw_ptx_choose(w);
}

/* ---- Branches and ends ---- */

/* Lanes that keep branching backward while others could run eventually give way to them. */
static void give_way(lw_ptx_warp *w, uint32_t lanes)
{
    const uint32_t others = w->live & ~w->blocked & ~w->waiting & ~lanes;
    if (w->parked || !others || ++w->turns <= PATIENCE)
        return;
    w->turns = 0;
    w->parked = lanes;
    w->parked_left = PATIENCE;
}

static lw_ptx_step leave(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    (void)r;
    lw_ptx_stand(w, w->active & ~lanes, lw_ptx_here(w) + 1);
    w->live &= ~lanes;
    return lw_ptx_settle(w) ? lw_ptx_choose(w) : LW_PTX_STEP_FAULT;
}

static lw_ptx_step ret(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    (void)r;
    return lanes ? lw_ptx_return(w, lanes) : LW_PTX_STEP_NEXT;
}

static lw_ptx_step bra(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    const uint32_t here = lw_ptx_here(w);
    if (!lanes)
        return LW_PTX_STEP_NEXT;
    if (r->to_end)
        return lw_ptx_return(w, lanes);
    if (lanes == w->active && w->active == w->live) {
        w->head.pc = base_of(w) + r->target;
        return LW_PTX_STEP_JUMPED;
    }
    lw_ptx_stand(w, w->active & ~lanes, here + 1);
    lw_ptx_stand(w, lanes, r->target);
    if (r->target <= here)
        give_way(w, lanes);
    return lw_ptx_choose(w);
}

/* The labels are in the module, from operand `target` on; `offset` is their number. */
static bool take_targets(lw_ptx_decoding *d, lw_ptx_record *r)
{
    const lw_ptx_function *f = d->function;
    const lw_ptx_operand *list = lw_ptx_operand_at(d->ptx, r->insn->operands.first + 1);
    if (list->kind != LW_PTX_OPERAND_TARGETS)
        return lw_ptx_refuse(d, "the branch has no list of labels");
    r->target = list->index;
    r->offset = list->count;
    for (uint32_t i = 0; i < list->count; i++)
        if (lw_ptx_operand_at(d->ptx, list->index + i)->index - f->insns.first >= f->insns.count)
            return lw_ptx_refuse(d, "a label of its list stands after the last instruction");
    return true;
}

static lw_ptx_step brx(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    const lw_ptx_module *ptx = w->head.group->session->module->program->ptx;
    const uint32_t here = lw_ptx_here(w);
    bool back = false;
    if (!lanes)
        return LW_PTX_STEP_NEXT;
    lw_ptx_stand(w, w->active & ~lanes, here + 1);
    for (unsigned lane = 0; lane < LW_PTX_LANES; lane++) {
        if (!(lanes >> lane & 1))
            continue;
        const uint64_t index = lw_ptx_get(w, &r->src[0], lane);
        if (index >= r->offset) {
            lw_fault_say(&w->head, (int)lane, "branches to label number %llu of a list of %llu",
                         (unsigned long long)index, (unsigned long long)r->offset);
            return LW_PTX_STEP_FAULT;
        }
        w->lane_pc[lane] = lw_ptx_operand_at(ptx, r->target + (size_t)index)->index;
        back = back || w->lane_pc[lane] <= here;
    }
    if (back && w->active != w->live)
        give_way(w, lanes);
    return lw_ptx_choose(w);
}

static int first_of(uint32_t lanes)
{
    int lane = 0;
    while (!(lanes >> lane & 1))
        lane++;
    return lane;
}

static lw_ptx_step trap(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    if (!lanes)
        return LW_PTX_STEP_NEXT;
    lw_fault_say(&w->head, first_of(lanes), "the kernel executes %s", r->insn->op->mnemonic);
    return LW_PTX_STEP_FAULT;
}

/* ---- Barriers ---- */

static bool is_reduction(const lw_ptx_record *r)
{
    return lw_ptx_has(r, LW_PTX_GROUP_REDUCE);
}

/* For one lane: its barrier's number, and how many threads the barrier counts (0: all of the block). */
static bool read_barrier(lw_ptx_warp *w, const lw_ptx_record *r, unsigned lane, uint64_t *number,
                         uint64_t *threads)
{
    const unsigned numbers = r->src_count - (is_reduction(r) ? 1u : 0u);
    *number = lw_ptx_get(w, &r->src[0], lane);
    *threads = numbers > 1 ? lw_ptx_get(w, &r->src[1], lane) : 0;
    if (*number >= BLOCK_BARRIERS)
        lw_fault_say(&w->head, (int)lane, "barrier %llu; there are 0 to %d", (unsigned long long)*number,
                     BLOCK_BARRIERS - 1);
    else if (*threads % LW_PTX_LANES || *threads > LW_PTX_MOST_BLOCK ||
             (!*threads && lw_ptx_has(r, LW_PTX_GROUP_ARRIVE)))
        lw_fault_say(&w->head, (int)lane,
                     "a barrier of %llu threads; their number is a multiple of %d up to %d",
                     (unsigned long long)*threads, LW_PTX_LANES, LW_PTX_MOST_BLOCK);
    else
        return true;
    return false;
}

static bool agrees(lw_ptx_warp *w, const lw_ptx_record *r, unsigned lane, uint64_t number, uint64_t threads)
{
    if (!w->blocked)
        return true;
    if (number != w->barrier || threads / LW_PTX_LANES != w->expected) {
        lw_fault_say(&w->head, (int)lane, "other lanes of the warp wait at barrier %u", w->barrier);
        return false;
    }
    const lw_ptx_module *ptx = w->head.group->session->module->program->ptx;
    if (r->aligned && w->barrier_pc != lw_ptx_here(w)) {
        lw_fault_say(&w->head, (int)lane,
                     "all lanes of a warp execute a barrier together; others (mask 0x%08x) wait at the one "
                     "of line %u (barrier.sync without .aligned allows that)",
                     w->blocked, lw_ptx_insn_at(ptx, w->barrier_pc)->line);
        return false;
    }
    return true;
}

static lw_ptx_step bar_wait(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    const uint32_t others = w->blocked;
    for (unsigned lane = 0; lane < LW_PTX_LANES; lane++) {
        uint64_t number, threads;
        if (!(lanes >> lane & 1))
            continue;
        if (!read_barrier(w, r, lane, &number, &threads) || !agrees(w, r, lane, number, threads))
            return LW_PTX_STEP_FAULT;
        w->barrier = (uint32_t)number;
        w->expected = (uint32_t)(threads / LW_PTX_LANES);
        w->barrier_pc = others ? w->barrier_pc : lw_ptx_here(w);
        w->blocked |= UINT32_C(1) << lane;
        w->head.voters += is_reduction(r);
        w->head.ayes += is_reduction(r) && lw_ptx_get(w, &r->src[r->src_count - 1], lane);
    }
    lw_ptx_stand(w, w->active, lw_ptx_here(w) + 1);
    return lanes ? lw_ptx_choose(w) : LW_PTX_STEP_NEXT;
}

/* The result of a reduction, for every lane that waited. */
static void give_votes(lw_ptx_warp *w, const lw_ptx_record *r, unsigned lane)
{
    const bool all = w->head.ayes == w->head.voters, some = w->head.ayes != 0;
    const bool popc = lw_ptx_has(r, LW_PTX_GROUP_POPC);
    lw_ptx_put(w, &r->dst[0], lane, popc ? w->head.ayes : r->boolean == LW_PTX_WORD_AND ? all : some);
}

void lw_ptx_release(lw_ptx_warp *w)
{
    const lw_code *code = &w->head.group->session->module->code;
    for (unsigned lane = 0; lane < LW_PTX_LANES; lane++) {
        if (!(w->blocked >> lane & 1))
            continue;
        const lw_ptx_record *r = lw_code_at(code, base_of(w) + w->lane_pc[lane] - 1);
        if (r && is_reduction(r))
            give_votes(w, r, lane);
    }
    w->blocked = 0;
    w->head.voters = w->head.ayes = 0;
    lw_ptx_choose(w);
}

/* Arrives at a barrier without waiting: a warp arrives once, with all its lanes. */
static lw_ptx_step bar_arrive(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    uint64_t number, threads;
    if (!lanes)
        return LW_PTX_STEP_NEXT;
    if (!read_barrier(w, r, (unsigned)first_of(lanes), &number, &threads))
        return LW_PTX_STEP_FAULT;
    if (lanes != w->live) {
        lw_fault_say(&w->head, -1, "executed by lanes 0x%08x of the warp, which has 0x%08x", lanes, w->live);
        return LW_PTX_STEP_FAULT;
    }
    w->head.group->arrived[barrier_of(w, number)]++;
    w->head.group->worker->changes++;
    return LW_PTX_STEP_NEXT;
}

/* ---- The barrier of a cluster: arrive first, wait later ---- */

static bool is_whole(lw_ptx_warp *w, uint32_t lanes)
{
    if (lanes != w->live)
        lw_fault_say(&w->head, -1, "executed by lanes 0x%08x of the warp, which has 0x%08x", lanes, w->live);
    return lanes == w->live;
}

static lw_ptx_step cluster_arrive(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    lw_group *g = w->head.group;
    (void)r;
    if (!lanes)
        return LW_PTX_STEP_NEXT;
    if (!is_whole(w, lanes))
        return LW_PTX_STEP_FAULT;
    if (w->cluster_lanes) {
        lw_fault_say(&w->head, -1, "arrives at the cluster's barrier again without having waited at it");
        return LW_PTX_STEP_FAULT;
    }
    w->cluster_lanes = lanes;
    w->cluster_turn = g->opened[CLUSTER_BARRIER];
    g->arrived[CLUSTER_BARRIER]++;
    g->worker->changes++;
    return LW_PTX_STEP_NEXT;
}

static lw_ptx_step cluster_wait(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    lw_group *g = w->head.group;
    (void)r;
    if (!lanes)
        return LW_PTX_STEP_NEXT;
    if (!is_whole(w, lanes))
        return LW_PTX_STEP_FAULT;
    if (!w->cluster_lanes) {
        lw_fault_say(&w->head, -1, "waits at the cluster's barrier without having arrived at it");
        return LW_PTX_STEP_FAULT;
    }
    w->cluster_lanes = 0;
    if (w->cluster_turn != g->opened[CLUSTER_BARRIER])
        return LW_PTX_STEP_NEXT;
    g->arrived[CLUSTER_BARRIER]--;
    w->barrier = CLUSTER_BARRIER;
    w->expected = 0;
    w->barrier_pc = lw_ptx_here(w);
    w->blocked = lanes;
    lw_ptx_stand(w, w->active, lw_ptx_here(w) + 1);
    return lw_ptx_choose(w);
}

const lw_ptx_handler lw_ptx_sem_cluster_arrive = { .exec = cluster_arrive };
const lw_ptx_handler lw_ptx_sem_cluster_wait = { .exec = cluster_wait };

/* Nothing to do: memory is consistent, because one warp runs at a time and threads with conflicting accesses
 * are run again serially. */
static lw_ptx_step pass(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    (void)w, (void)r, (void)lanes;
    return LW_PTX_STEP_NEXT;
}

static lw_ptx_step none(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    (void)r, (void)lanes;
    lw_fault_say(&w->head, -1, "this version cannot run the instruction");
    return LW_PTX_STEP_FAULT;
}

const lw_ptx_handler lw_ptx_sem_none = { .exec = none };
const lw_ptx_handler lw_ptx_sem_bra = { .exec = bra };
const lw_ptx_handler lw_ptx_sem_brx = { .exec = brx, .prepare = take_targets };
const lw_ptx_handler lw_ptx_sem_ret = { .exec = ret };
const lw_ptx_handler lw_ptx_sem_exit = { .exec = leave };
const lw_ptx_handler lw_ptx_sem_trap = { .exec = trap };
const lw_ptx_handler lw_ptx_sem_brkpt = { .exec = trap };
const lw_ptx_handler lw_ptx_sem_bar_sync = { .exec = bar_wait };
const lw_ptx_handler lw_ptx_sem_bar_red = { .exec = bar_wait };
const lw_ptx_handler lw_ptx_sem_bar_red_popc = { .exec = bar_wait };
const lw_ptx_handler lw_ptx_sem_bar_arrive = { .exec = bar_arrive };
const lw_ptx_handler lw_ptx_sem_membar = { .exec = pass };
const lw_ptx_handler lw_ptx_sem_nanosleep = { .exec = pass };

/* SPDX-License-Identifier: MIT */
/*
 * What lanes of a warp do together: shfl, vote, match, redux, bar.warp.sync with a member mask, and matrix
 * instructions with all 32 lanes. A lane that arrives early waits until every member that has not ended
 * executes an instruction with the same words and the same mask, anywhere in the program (PTX ISA 9.1,
 * sections 9.7.9.6, 9.7.13); for matrix instructions, it must be the same instruction.
 */
#include <stdio.h>

#include "emu/ptx/floats.h"

static const lw_ptx_record *record_of(const lw_ptx_warp *w, unsigned lane)
{
    const lw_code *code = &w->head.group->session->module->code;
    return lw_code_at(code, code->base + w->lane_pc[lane]);
}

/* The lanes that execute it together. The last source is the mask, except for matrix instructions. */
static uint32_t members_of(const lw_ptx_warp *w, const lw_ptx_record *r, unsigned lane)
{
    if (!lw_ptx_takes_mask(r))
        return UINT32_MAX;
    return (uint32_t)lw_ptx_get(w, &r->src[r->src_count - 1], lane);
}

static bool is_same(const lw_ptx_record *a, const lw_ptx_record *b)
{
    if (a == b)
        return true;
    return lw_ptx_takes_mask(a) && a->insn->op == b->insn->op &&
           memcmp(&a->insn->opcode, &b->insn->opcode, sizeof(a->insn->opcode)) == 0;
}

/* The lanes that wait for the same as `lane`. */
static uint32_t partners(const lw_ptx_warp *w, unsigned lane)
{
    const lw_ptx_record *r = record_of(w, lane);
    const uint32_t mask = members_of(w, r, lane);
    uint32_t found = 0;
    for (unsigned other = 0; other < LW_PTX_LANES; other++) {
        if (!(w->waiting >> other & 1))
            continue;
        const lw_ptx_record *o = record_of(w, other);
        if (is_same(r, o) && members_of(w, o, other) == mask)
            found |= UINT32_C(1) << other;
    }
    return found;
}

static bool act(lw_ptx_warp *w, uint32_t members)
{
    const lw_ptx_record *of[LW_PTX_LANES] = { NULL };
    const lw_ptx_record *any = NULL;
    for (unsigned lane = 0; lane < LW_PTX_LANES; lane++)
        if (members >> lane & 1)
            any = of[lane] = record_of(w, lane);
    if (!any->handler->together(w, of, members))
        return false;
    w->waiting &= ~members;
    for (unsigned lane = 0; lane < LW_PTX_LANES; lane++)
        w->lane_pc[lane] += members >> lane & 1;
    return true;
}

bool lw_ptx_settle(lw_ptx_warp *w)
{
    uint32_t left = w->waiting;
    for (unsigned lane = 0; lane < LW_PTX_LANES; lane++) {
        if (!(left >> lane & 1))
            continue;
        const lw_ptx_record *r = record_of(w, lane);
        const uint32_t together = partners(w, lane), need = members_of(w, r, lane) & w->live;
        left &= ~together;
        if ((need & ~together) == 0 && (lw_ptx_takes_mask(r) || need == UINT32_MAX) && !act(w, need))
            return false;
    }
    return true;
}

static bool all_agree(const lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    const bool masked = lw_ptx_takes_mask(r);
    if (!masked)
        return lanes == UINT32_MAX;
    for (unsigned lane = 0; lane < LW_PTX_LANES; lane++)
        if ((lanes >> lane & 1) && (members_of(w, r, lane) & w->live) != lanes)
            return false;
    return true;
}

static bool names_itself(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    for (unsigned lane = 0; lane < LW_PTX_LANES; lane++) {
        if (!(lanes >> lane & 1) || members_of(w, r, lane) >> lane & 1)
            continue;
        lw_fault_say(&w->head, (int)lane, "the lane is not in its own member mask 0x%08x",
                     members_of(w, r, lane));
        return false;
    }
    return true;
}

lw_ptx_step lw_ptx_meet(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    const lw_ptx_record *of[LW_PTX_LANES];
    const uint32_t here = lw_ptx_here(w);
    const bool whole = r->hot.whole && lanes == UINT32_MAX;
    if (!lanes)
        return LW_PTX_STEP_NEXT;
    if (!whole && !names_itself(w, r, lanes))
        return LW_PTX_STEP_FAULT;
    if (whole || all_agree(w, r, lanes)) {
        for (unsigned lane = 0; lane < LW_PTX_LANES; lane++)
            of[lane] = r;
        return r->handler->together(w, of, lanes) ? LW_PTX_STEP_NEXT : LW_PTX_STEP_FAULT;
    }
    lw_ptx_stand(w, w->active & ~lanes, here + 1);
    lw_ptx_stand(w, lanes, here);
    w->waiting |= lanes;
    return lw_ptx_settle(w) ? lw_ptx_choose(w) : LW_PTX_STEP_FAULT;
}

/* "lanes 0x0000ffff wait at line 12 for lanes 0xffff0000, of which 0xffff0000 wait at barrier 0" */
void lw_ptx_say_stuck(lw_ptx_warp *w)
{
    unsigned lane = 0;
    while (!(w->active >> lane & 1))
        lane++;
    const lw_ptx_record *r = record_of(w, lane);
    const uint32_t together = partners(w, lane), members = members_of(w, r, lane);
    const uint32_t missing = members & ~together, gone = missing & ~w->live;
    char why[200];
    int used = snprintf(why, sizeof(why), "lanes 0x%08x wait here for lanes 0x%08x", together, missing);
    if (gone)
        used +=
            snprintf(why + used, sizeof(why) - (size_t)used, "; 0x%08x have ended or were never there", gone);
    if (missing & w->blocked)
        used += snprintf(why + used, sizeof(why) - (size_t)used, "; 0x%08x wait at barrier %u",
                         missing & w->blocked, w->barrier);
    if (missing & w->waiting)
        snprintf(why + used, sizeof(why) - (size_t)used, "; 0x%08x wait for others of the warp elsewhere",
                 missing & w->waiting);
    lw_fault_say(&w->head, (int)lane, "%s", why);
}

/* ---- shfl ---- */

/* The lane that the value comes from; false: the lane itself, because that one is out of range. */
static bool partner(const lw_ptx_record *r, unsigned lane, uint32_t b, uint32_t c, unsigned *from)
{
    const unsigned step = b & 31, limit = c & 31, segment = c >> 8 & 31;
    const unsigned last = (lane & segment) | (limit & ~segment & 31), first = lane & segment;
    unsigned at = r->word == LW_PTX_WORD_UP     ? lane - step
                  : r->word == LW_PTX_WORD_DOWN ? lane + step
                  : r->word == LW_PTX_WORD_BFLY ? lane ^ step
                                                : first | (step & ~segment);
    const bool inside = r->word == LW_PTX_WORD_UP ? (int)at >= (int)last : (int)at <= (int)last;
    *from = inside ? at : lane;
    return inside;
}

/* One instruction with constants for all 32 lanes. False: it is another case, and nothing has been done. */
static bool shuffle_whole(lw_ptx_warp *w, const lw_ptx_record *const *of)
{
    const lw_ptx_record *r = of[0];
    const lw_ptx_source *d = &r->dst[0], *s = &r->src[0];
    uint32_t got[LW_PTX_LANES], inside = 0;
    bool same = d->kind == LW_PTX_SOURCE_REGISTER && d->bits == 32 && s->kind == LW_PTX_SOURCE_REGISTER &&
                s->bits == 32 && r->src[1].kind == LW_PTX_SOURCE_CONSTANT &&
                r->src[2].kind == LW_PTX_SOURCE_CONSTANT &&
                (r->dst_count < 2 || r->dst[1].kind == LW_PTX_SOURCE_PREDICATE);
    for (unsigned lane = 1; lane < LW_PTX_LANES; lane++)
        same = same && of[lane] == r;
    if (!same)
        return false;
    const uint32_t *value = &w->rows[(size_t)s->slot * LW_PTX_LANES];
    for (unsigned lane = 0; lane < LW_PTX_LANES; lane++) {
        unsigned from;
        inside |= (uint32_t)partner(r, lane, (uint32_t)r->src[1].value, (uint32_t)r->src[2].value, &from)
                  << lane;
        got[lane] = value[from];
    }
    memcpy(&w->rows[(size_t)d->slot * LW_PTX_LANES], got, sizeof(got));
    if (r->dst_count > 1)
        w->predicates[r->dst[1].slot] = inside;
    return true;
}

/* A value from a lane outside the members is undefined: it is the poison of registers. */
static bool shuffle(lw_ptx_warp *w, const lw_ptx_record *const *of, uint32_t members)
{
    uint32_t value[LW_PTX_LANES], got[LW_PTX_LANES];
    bool inside[LW_PTX_LANES];
    const uint32_t poison = w->head.group->session->poison;
    if (members == UINT32_MAX && shuffle_whole(w, of))
        return true;
    for (unsigned lane = 0; lane < LW_PTX_LANES; lane++)
        value[lane] = members >> lane & 1 ? (uint32_t)lw_ptx_get(w, &of[lane]->src[0], lane) : poison;
    for (unsigned lane = 0; lane < LW_PTX_LANES; lane++) {
        unsigned from;
        if (!(members >> lane & 1))
            continue;
        const lw_ptx_record *r = of[lane];
        inside[lane] = partner(r, lane, (uint32_t)lw_ptx_get(w, &r->src[1], lane),
                               (uint32_t)lw_ptx_get(w, &r->src[2], lane), &from);
        got[lane] = value[from];
    }
    for (unsigned lane = 0; lane < LW_PTX_LANES; lane++) {
        if (!(members >> lane & 1))
            continue;
        lw_ptx_put(w, &of[lane]->dst[0], lane, got[lane]);
        if (of[lane]->dst_count > 1)
            lw_ptx_put(w, &of[lane]->dst[1], lane, inside[lane]);
    }
    return true;
}

/* ---- vote, match, redux ---- */

static uint32_t ballot_of(const lw_ptx_warp *w, const lw_ptx_record *const *of, uint32_t members)
{
    uint32_t v = 0;
    for (unsigned lane = 0; lane < LW_PTX_LANES; lane++)
        if (members >> lane & 1)
            v |= (uint32_t)(lw_ptx_get(w, &of[lane]->src[0], lane) & 1) << lane;
    return v;
}

/* All lanes get the same value. */
static bool give(lw_ptx_warp *w, const lw_ptx_record *const *of, uint32_t members, uint64_t v)
{
    for (unsigned lane = 0; lane < LW_PTX_LANES; lane++)
        if (members >> lane & 1)
            lw_ptx_put(w, &of[lane]->dst[0], lane, v);
    return true;
}

static const lw_ptx_record *any_of(const lw_ptx_record *const *of, uint32_t members)
{
    unsigned lane = 0;
    while (!(members >> lane & 1))
        lane++;
    return of[lane];
}

static bool ballot(lw_ptx_warp *w, const lw_ptx_record *const *of, uint32_t members)
{
    return give(w, of, members, ballot_of(w, of, members));
}

static bool vote(lw_ptx_warp *w, const lw_ptx_record *const *of, uint32_t members)
{
    const uint32_t ayes = ballot_of(w, of, members);
    const uint8_t word = any_of(of, members)->word;
    const bool all = ayes == members, none = ayes == 0;
    return give(w, of, members,
                word == LW_PTX_WORD_ALL   ? all
                : word == LW_PTX_WORD_ANY ? !none
                                          : all || none);
}

static bool match(lw_ptx_warp *w, const lw_ptx_record *const *of, uint32_t members)
{
    uint64_t value[LW_PTX_LANES] = { 0 };
    for (unsigned lane = 0; lane < LW_PTX_LANES; lane++)
        if (members >> lane & 1)
            value[lane] = lw_ptx_get(w, &of[lane]->src[0], lane);
    for (unsigned lane = 0; lane < LW_PTX_LANES; lane++) {
        uint32_t equal = 0;
        if (!(members >> lane & 1))
            continue;
        for (unsigned other = 0; other < LW_PTX_LANES; other++)
            equal |= (uint32_t)((members >> other & 1) && value[other] == value[lane]) << other;
        const bool all = equal == members;
        lw_ptx_put(w, &of[lane]->dst[0], lane, lw_ptx_has(of[lane], LW_PTX_GROUP_ALL) && !all ? 0 : equal);
        if (of[lane]->dst_count > 1)
            lw_ptx_put(w, &of[lane]->dst[1], lane, all);
    }
    return true;
}

/* Applies the row's operation to the first value and the next, and so on. */
static bool reduce(lw_ptx_warp *w, const lw_ptx_record *const *of, uint32_t members)
{
    const lw_ptx_record *r = any_of(of, members);
    uint64_t in[LW_PTX_MOST_SOURCES] = { 0, 0, 0, 0 };
    bool begun = false;
    for (unsigned lane = 0; lane < LW_PTX_LANES; lane++) {
        if (!(members >> lane & 1))
            continue;
        in[1] = lw_ptx_get(w, &of[lane]->src[0], lane);
        in[0] = begun ? r->handler->lane(r, in) : in[1];
        begun = true;
    }
    return give(w, of, members, in[0]);
}

static uint64_t sum(const lw_ptx_record *r, const uint64_t *in)
{
    (void)r;
    return in[0] + in[1];
}

static uint64_t bits(const lw_ptx_record *r, const uint64_t *in)
{
    return r->word == LW_PTX_WORD_AND  ? in[0] & in[1]
           : r->word == LW_PTX_WORD_OR ? in[0] | in[1]
                                       : in[0] ^ in[1];
}

static uint64_t extreme(const lw_ptx_record *r, const uint64_t *in)
{
    const bool less = r->dst_signed ? (int64_t)in[0] < (int64_t)in[1] : in[0] < in[1];
    return less == (r->word == LW_PTX_WORD_MIN) ? in[0] : in[1];
}

static uint64_t extreme_float(const lw_ptx_record *r, const uint64_t *in)
{
    const bool abs = lw_ptx_has(r, LW_PTX_GROUP_ABS);
    const uint64_t a = abs ? lw_fp_magnitude(r->fmt, in[0]) : in[0];
    return lw_ptx_chosen(r, a, abs ? lw_fp_magnitude(r->fmt, in[1]) : in[1], r->word == LW_PTX_WORD_MAX);
}

static bool only_meet(lw_ptx_warp *w, const lw_ptx_record *const *of, uint32_t members)
{
    (void)w, (void)of, (void)members;
    return true;
}

const lw_ptx_handler lw_ptx_sem_shfl = { .exec = lw_ptx_meet, .together = shuffle };
const lw_ptx_handler lw_ptx_sem_vote = { .exec = lw_ptx_meet, .together = vote };
const lw_ptx_handler lw_ptx_sem_ballot = { .exec = lw_ptx_meet, .together = ballot };
const lw_ptx_handler lw_ptx_sem_match_any = { .exec = lw_ptx_meet, .together = match };
const lw_ptx_handler lw_ptx_sem_match_all = { .exec = lw_ptx_meet, .together = match };
const lw_ptx_handler lw_ptx_sem_redux_add = { .exec = lw_ptx_meet, .lane = sum, .together = reduce };
const lw_ptx_handler lw_ptx_sem_redux_bits = { .exec = lw_ptx_meet, .lane = bits, .together = reduce };
const lw_ptx_handler lw_ptx_sem_redux_select = { .exec = lw_ptx_meet, .lane = extreme, .together = reduce };
const lw_ptx_handler lw_ptx_sem_redux_float = { .exec = lw_ptx_meet,
                                                .lane = extreme_float,
                                                .together = reduce };
/* One leader per mask: the lowest member. The ISA leaves this open. */
static bool elect(lw_ptx_warp *w, const lw_ptx_record *const *of, uint32_t members)
{
    unsigned leader = 0;
    while (!(members >> leader & 1))
        leader++;
    for (unsigned lane = leader; lane < LW_PTX_LANES; lane++) {
        if (!(members >> lane & 1))
            continue;
        lw_ptx_put(w, &of[lane]->dst[0], lane, leader);
        if (of[lane]->dst_count > 1)
            lw_ptx_put(w, &of[lane]->dst[1], lane, lane == leader);
    }
    return true;
}

const lw_ptx_handler lw_ptx_sem_elect = { .exec = lw_ptx_meet, .together = elect };
const lw_ptx_handler lw_ptx_sem_bar_warp = { .exec = lw_ptx_meet, .together = only_meet };

/* The lanes that run together now; on hardware, any lanes that have not ended could be included. */
static lw_ptx_step activemask(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    for (unsigned lane = 0; lane < LW_PTX_LANES; lane++)
        if (lanes >> lane & 1)
            lw_ptx_put(w, &r->dst[0], lane, lanes);
    return LW_PTX_STEP_NEXT;
}

const lw_ptx_handler lw_ptx_sem_activemask = { .exec = activemask };

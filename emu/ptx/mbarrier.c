/* SPDX-License-Identifier: MIT */
/*
 * mbarrier objects: eight bytes of shared memory that count arrivals and bytes. PTX ISA 9.1, "mbarrier". The
 * word is laid out as in ptxas 13.0's code for sm_90 (expected count, pending count and phase); the place of
 * the byte count is our choice. Lanes operate one at a time, lane 0 first.
 */
#include <stdio.h>

#include "emu/ptx/copies.h"
#include "emu/ptx/handlers.h"

enum {
    COUNT_BITS = 20,
    TX_BITS = 21,
    EXPECTED_AT = 1,
    TX_AT = 22,
    PENDING_AT = 43,
    PHASE_AT = 63,
    BYTES = 8
};
#define COUNT_RANGE (UINT64_C(1) << COUNT_BITS)

typedef struct barrier {
    uint64_t expected, pending; /* arrivals of a phase; those still missing in this one */
    int64_t tx;                 /* bytes that this phase waits for */
    bool phase;
} barrier;

static uint64_t count_at(uint64_t word, unsigned at)
{
    return (COUNT_RANGE - (word >> at)) & (COUNT_RANGE - 1);
}

static barrier unpack(uint64_t word)
{
    return (barrier){ .expected = count_at(word, EXPECTED_AT),
                      .pending = count_at(word, PENDING_AT),
                      .tx = (int64_t)lw_ptx_extend(word >> TX_AT, TX_BITS, true),
                      .phase = word >> PHASE_AT };
}

static uint64_t pack(const barrier *b)
{
    return ((COUNT_RANGE - b->expected) & (COUNT_RANGE - 1)) << EXPECTED_AT |
           ((uint64_t)b->tx & lw_ptx_mask(TX_BITS)) << TX_AT |
           ((COUNT_RANGE - b->pending) & (COUNT_RANGE - 1)) << PENDING_AT | (uint64_t)b->phase << PHASE_AT;
}

/* The access, which is to an mbarrier, as observers see it. */
static uint8_t *reach_word(lw_ptx_warp *w, unsigned lane, uint8_t space, uint64_t address, bool stores)
{
    lw_access_log *log = w->head.log;
    const size_t before = log ? log->count : 0;
    uint8_t *at = lw_ptx_reach(w, lane, space, address, BYTES, stores);
    if (at && log && log->count > before)
        log->entries[before].object = true;
    return at;
}

static uint8_t *reach_as(lw_ptx_warp *w, unsigned lane, uint8_t space, uint64_t address, barrier *b,
                         uint64_t *word, bool stores)
{
    uint8_t *at = reach_word(w, lane, space, address, stores);
    if (!at)
        return NULL;
    memcpy(word, at, BYTES);
    *b = unpack(*word);
    if (b->expected)
        return at;
    lw_fault_say(&w->head, (int)lane, "the mbarrier at address 0x%llx is not initialised",
                 (unsigned long long)address);
    return NULL;
}

static uint8_t *reach(lw_ptx_warp *w, unsigned lane, uint8_t space, uint64_t address, barrier *b,
                      uint64_t *word)
{
    return reach_as(w, lane, space, address, b, word, true);
}

static void write_word(lw_ptx_warp *w, uint8_t *at, uint64_t word)
{
    lw_note_store(w->head.group->worker, at, BYTES);
    memcpy(at, &word, BYTES);
}

/* A phase that waits for nothing more ends. */
static void store(lw_ptx_warp *w, uint8_t *at, barrier *b)
{
    if (b->pending == 0 && b->tx == 0) {
        b->phase = !b->phase;
        b->pending = b->expected;
    }
    write_word(w, at, pack(b));
}

static bool add_bytes(lw_ptx_warp *w, unsigned lane, barrier *b, int64_t bytes)
{
    b->tx += bytes;
    if (b->tx < (int64_t)COUNT_RANGE && b->tx > -(int64_t)COUNT_RANGE)
        return true;
    lw_fault_say(&w->head, (int)lane,
                 "the mbarrier would wait for %lld bytes; it counts up to %lld either way", (long long)b->tx,
                 (long long)COUNT_RANGE - 1);
    return false;
}

static bool arrive(lw_ptx_warp *w, unsigned lane, barrier *b, uint64_t count)
{
    if (count && count <= b->pending) {
        b->pending -= count;
        return true;
    }
    lw_fault_say(&w->head, (int)lane,
                 "arrives %llu times at an mbarrier that still expects %llu of %llu arrivals",
                 (unsigned long long)count, (unsigned long long)b->pending, (unsigned long long)b->expected);
    return false;
}

bool lw_ptx_mbarrier_report(lw_ptx_warp *w, unsigned lane, uint32_t address, uint64_t bytes, uint32_t count)
{
    barrier b;
    uint64_t word;
    uint8_t *at = reach(w, lane, LW_PTX_WORD_SHARED_CLUSTER, address, &b, &word);
    if (!at || (count && !arrive(w, lane, &b, count)) || !add_bytes(w, lane, &b, -(int64_t)bytes))
        return false;
    store(w, at, &b);
    return true;
}

bool lw_ptx_mbarrier_expect_one(lw_ptx_warp *w, unsigned lane, uint32_t address)
{
    barrier b;
    uint64_t word;
    uint8_t *at = reach(w, lane, LW_PTX_WORD_SHARED_CLUSTER, address, &b, &word);
    if (!at)
        return false;
    b.pending++;
    write_word(w, at, pack(&b));
    return true;
}

/* ---- Instructions: for one lane. False after a fault, which has been reported ---- */

typedef bool one_lane(lw_ptx_warp *w, const lw_ptx_record *r, unsigned lane);

static lw_ptx_step each(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes, one_lane *of)
{
    for (unsigned lane = 0; lane < LW_PTX_LANES; lane++)
        if ((lanes >> lane & 1) && !of(w, r, lane))
            return LW_PTX_STEP_FAULT;
    return LW_PTX_STEP_NEXT;
}

static bool begin(lw_ptx_warp *w, const lw_ptx_record *r, unsigned lane)
{
    const uint64_t count = lw_ptx_get(w, &r->src[0], lane);
    uint8_t *at = reach_word(w, lane, r->space, lw_ptx_address(w, r, lane), true);
    if (!at)
        return false;
    if (!count || count >= COUNT_RANGE) {
        lw_fault_say(&w->head, (int)lane, "an mbarrier for %llu arrivals; it counts 1 to %llu",
                     (unsigned long long)count, (unsigned long long)COUNT_RANGE - 1);
        return false;
    }
    write_word(w, at, pack(&(barrier){ .expected = count, .pending = count }));
    return true;
}

static bool end(lw_ptx_warp *w, const lw_ptx_record *r, unsigned lane)
{
    barrier b;
    uint64_t word;
    uint8_t *at = reach(w, lane, r->space, lw_ptx_address(w, r, lane), &b, &word);
    if (at)
        write_word(w, at, 0);
    return at != NULL;
}

/* arrive and arrive_drop. The operand is a count, or bytes for .expect_tx. The result is the previous
 * word. */
static bool come(lw_ptx_warp *w, const lw_ptx_record *r, unsigned lane)
{
    const bool expects = lw_ptx_has(r, LW_PTX_GROUP_EXPECT);
    const uint64_t given = r->src_count ? lw_ptx_get(w, &r->src[0], lane) : 1, count = expects ? 1 : given;
    barrier b;
    uint64_t word;
    uint8_t *at = reach(w, lane, r->space, lw_ptx_address(w, r, lane), &b, &word);
    if (!at || (expects && !add_bytes(w, lane, &b, (int64_t)given)) || !arrive(w, lane, &b, count))
        return false;
    if (lw_ptx_has(r, LW_PTX_GROUP_DROP))
        b.expected -= count < b.expected ? count : b.expected;
    if (!b.expected || (lw_ptx_has(r, LW_PTX_GROUP_NOCOMPLETE) && b.pending == 0 && b.tx == 0)) {
        lw_fault_say(&w->head, (int)lane,
                     b.expected ? "completes a phase, which .noComplete promises not to"
                                : "drops an arrival of an mbarrier that expects none");
        return false;
    }
    store(w, at, &b);
    lw_ptx_put(w, &r->dst[0], lane, word);
    return true;
}

static bool count_bytes(lw_ptx_warp *w, const lw_ptx_record *r, unsigned lane)
{
    const int64_t bytes = (int64_t)lw_ptx_get(w, &r->src[0], lane);
    barrier b;
    uint64_t word;
    uint8_t *at = reach(w, lane, r->space, lw_ptx_address(w, r, lane), &b, &word);
    if (!at || !add_bytes(w, lane, &b, lw_ptx_has(r, LW_PTX_GROUP_COMPLETE) ? -bytes : bytes))
        return false;
    store(w, at, &b);
    return true;
}

/* Has the phase of this token, or that of this parity, ended? */
static bool ask(lw_ptx_warp *w, const lw_ptx_record *r, unsigned lane)
{
    const uint64_t given = lw_ptx_get(w, &r->src[0], lane);
    const bool phase = lw_ptx_has(r, LW_PTX_GROUP_PARITY) ? given & 1 : given >> PHASE_AT;
    barrier b;
    uint64_t word;
    if (!reach_as(w, lane, r->space, lw_ptx_address(w, r, lane), &b, &word, false))
        return false;
    lw_ptx_put(w, &r->dst[0], lane, b.phase != phase);
    return true;
}

static lw_ptx_step init(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    return each(w, r, lanes, begin);
}

static lw_ptx_step inval(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    return each(w, r, lanes, end);
}

static lw_ptx_step come_all(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    return each(w, r, lanes, come);
}

static lw_ptx_step tx(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    return each(w, r, lanes, count_bytes);
}

/* All lanes ask the same, and nobody observes: one answer serves them all. */
static bool asks_once(const lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    return lanes == UINT32_MAX && !w->head.log && r->dst[0].kind == LW_PTX_SOURCE_PREDICATE &&
           lw_ptx_is_uniform(w, &r->address) && lw_ptx_is_uniform(w, &r->src[0]);
}

/* If a lane gets "not yet", other warps have their turn. */
static lw_ptx_step wait(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    if (asks_once(w, r, lanes)) {
        if (!ask(w, r, 0))
            return LW_PTX_STEP_FAULT;
        uint32_t *answer = &w->predicates[r->dst[0].slot];
        *answer = *answer & 1 ? UINT32_MAX : 0;
        return *answer ? LW_PTX_STEP_NEXT : LW_PTX_STEP_YIELD;
    }
    if (each(w, r, lanes, ask) == LW_PTX_STEP_FAULT)
        return LW_PTX_STEP_FAULT;
    for (unsigned lane = 0; lane < LW_PTX_LANES; lane++)
        if ((lanes >> lane & 1) && !lw_ptx_get(w, &r->dst[0], lane))
            return LW_PTX_STEP_YIELD;
    return LW_PTX_STEP_NEXT;
}

const lw_ptx_handler lw_ptx_sem_mbarrier_init = { .exec = init };
const lw_ptx_handler lw_ptx_sem_mbarrier_inval = { .exec = inval };
const lw_ptx_handler lw_ptx_sem_mbarrier_arrive = { .exec = come_all };
const lw_ptx_handler lw_ptx_sem_mbarrier_tx = { .exec = tx };
const lw_ptx_handler lw_ptx_sem_mbarrier_wait = { .exec = wait };

/* ---- What others are told ---- */

bool lw_ptx_object(const lw_group *g, unsigned rank, uint64_t address, lw_event_object *object)
{
    uint64_t word;
    if (address >= g->lds_size || g->lds_size - address < BYTES)
        return false;
    memcpy(&word, lw_group_lds(g, rank) + address, BYTES);
    const barrier b = unpack(word);
    *object = (lw_event_object){ .expected = (uint32_t)b.expected,
                                 .pending = (uint32_t)b.pending,
                                 .bytes = (int32_t)b.tx,
                                 .phase = b.phase };
    return b.expected != 0;
}

/* The first lane that runs stands for all: a wait of the others is told when it is their turn. */
bool lw_ptx_asked(const lw_wave_head *head, uint64_t pc, char *text, size_t size)
{
    const lw_ptx_warp *w = lw_ptx_const_warp(head);
    lw_group *g = head->group;
    const lw_ptx_record *r = lw_code_at(&g->session->module->code, pc);
    unsigned lane = 0;
    if (!r || r->handler != &lw_ptx_sem_mbarrier_wait)
        return false;
    while (lane + 1 < LW_PTX_LANES && !(w->active >> lane & 1))
        lane++;
    const uint32_t address = (uint32_t)lw_ptx_address(w, r, lane);
    const uint32_t rank = address >> LW_PTX_RANK_AT, at = address & (uint32_t)lw_ptx_mask(LW_PTX_RANK_AT);
    uint64_t word;
    if (rank >= lw_group_ranks(g) || at >= g->lds_size || g->lds_size - at < BYTES)
        return false;
    memcpy(&word, lw_group_lds(g, rank) + at, BYTES);
    const barrier b = unpack(word);
    const int used = snprintf(text, size, "%llu of %llu arrivals", (unsigned long long)b.pending,
                              (unsigned long long)b.expected);
    if (b.tx)
        snprintf(text + used, size - (size_t)used,
                 b.tx > 0 ? " and %lld bytes" : " and has got %lld bytes too many",
                 b.tx > 0 ? (long long)b.tx : -(long long)b.tx);
    return true;
}

LW_PTX_LANE(mbarrier_pending, count_at(a, PENDING_AT))

/* ---- Addresses of a cluster's shared memory: bits 31 to 24 are the block's rank ---- */

LW_PTX_LANE(mapa, (a & ~UINT64_C(0xff000000)) | (b & 0xff) << 24)
LW_PTX_LANE(getctarank, a >> 24 & 0xff)

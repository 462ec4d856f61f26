/* SPDX-License-Identifier: MIT */
/*
 * Split barriers of gfx12: signalling arrival, and waiting for the others (AMD RDNA4 ISA manual, "Barriers").
 * gfx1250: named barriers of a workgroup and the barrier of a cluster (LLVM, "AMDGPU Execution
 * Synchronization"; HipKittens' notes on a gfx1250).
 *
 * Those of gfx1250 count signals, whoever waits: when all have come, the waves that the barrier concerns are
 * marked, and a wait takes its mark or sleeps until there is one.
 */
#include "emu/amdgpu/control/handlers.h"
#include "emu/amdgpu/control/machine.h"
#include "emu/amdgpu/scalar/scalar.h"
#include "isa_tables/amdgpu/traits.h"

enum {
    BARRIER_NONE = 0,
    BARRIER_GROUP = -1,
    BARRIER_TRAP = -2,
    BARRIER_CLUSTER = -3,
    BARRIER_CLUSTER_TRAP = -4
};

/* Numbers of emu/device: the workgroup's barrier, named ones after it. */
static unsigned number_of(const lw_wave *w, unsigned named)
{
    return w->head.rank * LW_BARRIERS + named;
}

/* Has the wave signalled its arrival at the group's barrier, which has not opened since? */
static bool is_awaited(const lw_wave *w)
{
    return w->signalled && w->barrier_phase == w->head.group->opened[number_of(w, 0)];
}

/* A wave that has ended counts as ended at the group's barrier, not as arrived. */
lw_step lw_sem_s_endpgm(lw_wave *w, const lw_decoded *in)
{
    (void)in;
    if (is_awaited(w))
        w->head.group->arrived[number_of(w, 0)]--;
    w->signalled = false;
    return LW_STEP_END;
}

/* Waves that signalled the barrier of the group, and wait for it or not. */
static unsigned arrivals(const lw_wave *w)
{
    lw_group *g = w->head.group;
    const unsigned barrier = number_of(w, 0);
    unsigned n = g->arrived[barrier];
    for (uint32_t i = 0; i < g->wave_count; i++) {
        const lw_wave_head *x = lw_group_wave(g, i);
        n += x->state == LW_WAVE_AT_BARRIER && x->barrier == barrier;
    }
    return n;
}

/* Marks the waves that have joined the named barrier, or those of all workgroups, and wakes those that wait.
 */
static void complete(lw_wave *w, unsigned barrier, unsigned named)
{
    lw_group *g = w->head.group;
    g->arrived[barrier] = 0;
    for (uint32_t i = 0; i < g->wave_count; i++) {
        lw_wave *x = lw_amd_wave(lw_group_wave(g, i));
        if (named && (x->named != named || x->head.rank != w->head.rank))
            continue;
        bool *mark = named ? &x->named_open : &x->cluster_open;
        const bool waits = x->head.state == LW_WAVE_AT_BARRIER && x->head.barrier == barrier;
        *mark = !waits && x->head.state != LW_WAVE_ENDED;
        if (waits)
            x->head.state = LW_WAVE_READY;
    }
}

/* One signal at a barrier of gfx1250; returns how many there were before. */
static int signal_at(lw_wave *w, unsigned barrier, unsigned named, unsigned members)
{
    lw_group *g = w->head.group;
    const unsigned before = g->arrived[barrier]++;
    g->worker->changes++; /* waves that poll the barrier's state do not repeat theirs */
    if (before + 1 == members)
        complete(w, barrier, named);
    return (int)before;
}

/* The number that an operand names, and what it says about members: a constant, or M0. */
typedef struct barrier_operand {
    int number;
    unsigned members; /* M0 only; 0: not given */
} barrier_operand;

static barrier_operand operand_of(const lw_wave *w, const lw_decoded *in)
{
    const uint32_t m0 = w->sgpr[LW_SGPR_M0];
    uint64_t value = 0;
    if (in->src[0].kind == LW_OPND_SGPR)
        return (barrier_operand){ (int)(m0 & 31), m0 >> 16 & 127 };
    lw_scalar_read(w, &in->src[0], &value);
    return (barrier_operand){ (int32_t)value, 0 };
}

/* False after lw_wave_fault. */
static bool has_named(lw_wave *w, int number)
{
    const lw_amdgpu_traits *traits = lw_amdgpu_traits_of(w->arch);
    const unsigned most = traits->named_barriers ? lw_amd_launch_of(w)->named_barriers : 0;
    if (number > 0 && (unsigned)number <= most)
        return true;
    if (!traits->named_barriers)
        lw_wave_fault(w, -1, "%s has no named barriers; this one is %d", lw_arch_get(w->arch)->name, number);
    else
        lw_wave_fault(w, -1, "the wave's workgroup has named barriers 1 to %u; this one is %d", most, number);
    return false;
}

/* False after lw_wave_fault. */
static bool has_cluster(lw_wave *w)
{
    const lw_amdgpu_traits *traits = lw_amdgpu_traits_of(w->arch);
    if (traits->clusters && lw_group_ranks(w->head.group) > 1)
        return true;
    lw_wave_fault(w, -1, "the barrier of a cluster: %s",
                  traits->clusters ? "the launch has no clusters"
                                   : "there are no clusters on this generation");
    return false;
}

enum { FAULT = -1, NOTHING = -2 };

static int come_to_named(lw_wave *w, const barrier_operand *o)
{
    lw_group *g = w->head.group;
    if (!has_named(w, o->number))
        return FAULT;
    const unsigned barrier = number_of(w, (unsigned)o->number);
    if (o->members)
        g->members[barrier] = (uint16_t)o->members;
    if (!g->members[barrier] || g->arrived[barrier] >= g->members[barrier]) {
        lw_wave_fault(w, -1, "the barrier %d has %u members and %u arrivals%s", o->number,
                      g->members[barrier], g->arrived[barrier],
                      g->members[barrier] ? "" : ": it was never initialised");
        return FAULT;
    }
    return signal_at(w, barrier, (unsigned)o->number, g->members[barrier]);
}

/* One wave of each workgroup arrives for all of it. */
static int come_to_cluster(lw_wave *w)
{
    if (!has_cluster(w))
        return FAULT;
    lw_group *g = w->head.group;
    const uint32_t mine = UINT32_C(1) << w->head.rank;
    if (!g->arrived[LW_WHOLE_BARRIER])
        g->came = 0;
    if (g->came & mine) {
        lw_wave_fault(w, -1,
                      "a second wave of the workgroup comes to the cluster's barrier; one arrives for all");
        return FAULT;
    }
    g->came |= mine;
    return signal_at(w, LW_WHOLE_BARRIER, 0, lw_group_ranks(g));
}

static int come_to_group(lw_wave *w)
{
    if (is_awaited(w)) {
        lw_wave_fault(w, -1, "the wave comes to the barrier a second time without having waited for it");
        return FAULT;
    }
    lw_group *g = w->head.group;
    const unsigned before = arrivals(w), barrier = number_of(w, 0);
    w->signalled = true;
    w->barrier_phase = g->opened[barrier];
    g->arrived[barrier]++;
    return (int)before;
}

/* How many had arrived before this wave; FAULT; NOTHING: there is no such barrier to arrive at. */
static int come_to_barrier(lw_wave *w, const lw_decoded *in)
{
    const barrier_operand o = operand_of(w, in);
    if (o.number == BARRIER_NONE || o.number == BARRIER_TRAP || o.number == BARRIER_CLUSTER_TRAP)
        return NOTHING;
    if (o.number == BARRIER_CLUSTER)
        return come_to_cluster(w);
    return o.number == BARRIER_GROUP ? come_to_group(w) : come_to_named(w, &o);
}

lw_step lw_sem_s_barrier_signal(lw_wave *w, const lw_decoded *in)
{
    return come_to_barrier(w, in) == FAULT ? LW_STEP_FAULT : LW_STEP_NEXT;
}

lw_step lw_sem_s_barrier_signal_isfirst(lw_wave *w, const lw_decoded *in)
{
    const int before = come_to_barrier(w, in);
    if (before == FAULT)
        return LW_STEP_FAULT;
    w->scc = before <= 0;
    return LW_STEP_NEXT;
}

/* Waves of the workgroup that have not ended. */
static unsigned living(const lw_wave *w)
{
    unsigned n = 0;
    for (uint32_t i = 0; i < w->head.group->wave_count; i++) {
        const lw_wave_head *x = lw_group_wave(w->head.group, i);
        n += x->rank == w->head.rank && x->state != LW_WAVE_ENDED;
    }
    return n;
}

/*
 * Bit 0: there is such a barrier; bits 10:4: its members, which are the waves that have not ended; bits
 * 22:16: those that have signalled since it opened. Inferred: how ended waves count. A wave may poll: it lets
 * others run.
 */
lw_step lw_sem_s_get_barrier_state(lw_wave *w, const lw_decoded *in)
{
    const int number = operand_of(w, in).number;
    unsigned members, n;
    if (number == BARRIER_GROUP) {
        members = living(w);
        n = arrivals(w);
        n = n < members ? n : 0;
    } else if (number == BARRIER_CLUSTER) {
        if (!has_cluster(w))
            return LW_STEP_FAULT;
        members = lw_group_ranks(w->head.group);
        n = w->head.group->arrived[LW_WHOLE_BARRIER];
    } else if (number < 0) {
        return lw_wave_fault(w, -1, "the state of barrier %d is for trap handlers", number);
    } else if (!has_named(w, number)) {
        return LW_STEP_FAULT;
    } else {
        members = w->head.group->members[number_of(w, (unsigned)number)];
        n = w->head.group->arrived[number_of(w, (unsigned)number)];
    }
    lw_scalar_write(w, &in->dst, 1u | members << 4 | n << 16);
    return LW_STEP_YIELD;
}

/* Takes the mark, or sleeps until a signal wakes the wave. */
static lw_step wait_for_mark(lw_wave *w, bool *mark, unsigned barrier)
{
    if (*mark) {
        *mark = false;
        return LW_STEP_NEXT;
    }
    w->head.barrier = (uint16_t)barrier;
    w->head.expected = LW_OPENED_BY_SIGNAL;
    return LW_STEP_BARRIER;
}

/* From here on, the wave counts among those that wait, no longer among those that have only signalled. */
static lw_step wait_for_group(lw_wave *w)
{
    if (!w->signalled)
        return lw_wave_fault(w, -1, "the wave waits for a barrier that it has not come to");
    const bool awaited = is_awaited(w);
    w->signalled = false;
    if (!awaited)
        return LW_STEP_NEXT;
    w->head.barrier = (uint16_t)number_of(w, 0);
    w->head.expected = 0;
    w->head.group->arrived[w->head.barrier]--;
    return LW_STEP_BARRIER;
}

/* Whatever number names a named barrier, the wave waits at the one that it has joined, or not at all. */
lw_step lw_sem_s_barrier_wait(lw_wave *w, const lw_decoded *in)
{
    const int number = (int16_t)in->imm;
    if (number == BARRIER_TRAP || number == BARRIER_NONE || number == BARRIER_CLUSTER_TRAP)
        return LW_STEP_NEXT;
    if (number == BARRIER_GROUP)
        return wait_for_group(w);
    if (number == BARRIER_CLUSTER)
        return has_cluster(w) ? wait_for_mark(w, &w->cluster_open, LW_WHOLE_BARRIER) : LW_STEP_FAULT;
    if (!has_named(w, number))
        return LW_STEP_FAULT;
    return w->named ? wait_for_mark(w, &w->named_open, number_of(w, w->named)) : LW_STEP_NEXT;
}

lw_step lw_sem_s_barrier(lw_wave *w, const lw_decoded *in)
{
    (void)w;
    (void)in;
    return LW_STEP_BARRIER;
}

/* ---- Named barriers ---- */

/* Members are in M0[22:16] whatever names the barrier; 0 leaves their number as it is (seen on a gfx1250). */
lw_step lw_sem_s_barrier_init(lw_wave *w, const lw_decoded *in)
{
    const unsigned members = w->sgpr[LW_SGPR_M0] >> 16 & 127;
    const int number = operand_of(w, in).number;
    if (!has_named(w, number))
        return LW_STEP_FAULT;
    const unsigned barrier = number_of(w, (unsigned)number);
    if (members)
        w->head.group->members[barrier] = (uint16_t)members;
    w->head.group->arrived[barrier] = 0;
    return LW_STEP_NEXT;
}

/* Joining the barrier 0 leaves the one that was joined. */
lw_step lw_sem_s_barrier_join(lw_wave *w, const lw_decoded *in)
{
    const int number = operand_of(w, in).number;
    if (number && !has_named(w, number))
        return LW_STEP_FAULT;
    w->named = (uint8_t)number;
    w->named_open = false;
    return LW_STEP_NEXT;
}

/* One member less at the barrier that was joined, which may complete it. No source says what SCC tells: it is
 * 0 here. */
lw_step lw_sem_s_barrier_leave(lw_wave *w, const lw_decoded *in)
{
    (void)in;
    lw_group *g = w->head.group;
    const unsigned named = w->named, barrier = number_of(w, named);
    if (!lw_amdgpu_traits_of(w->arch)->named_barriers)
        return has_named(w, (int)named) ? LW_STEP_NEXT : LW_STEP_FAULT;
    w->scc = 0;
    if (!named)
        return LW_STEP_NEXT;
    if (!g->members[barrier])
        return lw_wave_fault(w, -1, "the wave leaves the barrier %u, which has no members", named);
    w->named = 0;
    w->named_open = false;
    g->members[barrier]--;
    g->worker->changes++;
    if (g->arrived[barrier] && g->arrived[barrier] == g->members[barrier])
        complete(w, barrier, named);
    return LW_STEP_NEXT;
}

/* ---- What others are told ---- */

bool lw_amd_barrier(const lw_wave_head *head, unsigned number, lw_event_barrier *barrier)
{
    const lw_wave *w = lw_amd_wave_of(head);
    const lw_group *g = head->group;
    const lw_amdgpu_traits *traits = lw_amdgpu_traits_of(w->arch);
    const unsigned at = number ? number_of(w, number) : LW_WHOLE_BARRIER;
    if (number ? !traits->named_barriers || number > lw_amd_launch_of(w)->named_barriers
               : !traits->clusters || lw_group_ranks(g) < 2)
        return false;
    *barrier = (lw_event_barrier){ .members = number ? g->members[at] : lw_group_ranks(g),
                                   .arrived = g->arrived[at],
                                   .joined = w->named };
    return true;
}

/* SPDX-License-Identifier: MIT */
/* How a race is reported. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "observers/races.h"

static const char read_rule[] = "race-read", overwrite_rule[] = "race-overwrite", write_rule[] = "race-write";
static const char unwaited_rule[] = "barrier-without-wait", scope_rule[] = "insufficient-scope",
                  stale_rule[] = "stale-scalar", stale_l0_rule[] = "stale-l0", mixed_rule[] = "mixed-atomic",
                  lanes_rule[] = "race-lanes", at_once_rule[] = "race-at-once",
                  async_rule[] = "async-unwaited", proxy_rule[] = "proxy-fence",
                  late_fence_rule[] = "proxy-fence-late";

static const char unordered_why[] = "no barrier or flag orders the two, so either may happen first";
static const char unwaited_why[] =
    "a barrier does not wait for memory: an access issued before it without a wait may happen after it";
static const char scope_why[] =
    "other workgroups see what was written only if the writer has written its caches back and the "
    "reader has invalidated its own after it saw the flag, both for the device (LLVM AMDGPUUsage, Memory "
    "Model)";
static const char thread_scope_why[] =
    "the release and the acquire between the two have to name a scope that includes both blocks; "
    "mbarrier.arrive and the waits have .cta, unless they name another one (PTX ISA 9.1, Memory Consistency "
    "Model, mbarrier)";
static const char stale_why[] = "vector stores of the same launch do not update the scalar cache";
static const char stale_l0_why[] =
    "the reader's first-level cache (L0) may still hold what was there before: waves of a workgroup in WGP "
    "mode and workgroups of a cluster may have different ones (LLVM AMDGPUUsage, Memory Model)";
static const char mixed_why[] =
    "a plain read and an atomic operation of another wave are not ordered; a loop "
    "around cmpswap may start with such a read, since it retries if the value "
    "was old";

static const char lanes_why[] =
    "lanes of a warp need not run in lockstep: bar.warp.sync orders them, shuffles "
    "and votes do not (PTX ISA 9.1, Memory "
    "Consistency Model)";
static const char at_once_why[] =
    "lanes of one instruction store different values there: which one remains is undefined";

static const char async_why[] = "the accesses of an asynchronous operation happen at any time from its issue "
                                "on, until a wait shows that it is "
                                "complete (PTX ISA 9.1, Asynchronous Operations)";
static const char proxy_why[] = "bulk and tensor copies and wgmma access shared memory through the async "
                                "proxy, to which earlier stores and "
                                "copies are visible only after fence.proxy.async (PTX ISA 9.1, Async proxy)";
static const char late_fence_why[] = "another thread than the writer has executed fence.proxy.async: the PTX "
                                     "ISA's examples have the writer do it, "
                                     "before the barrier";

static const char *why_of(lw_race_verdict verdict)
{
    static const char *const texts[LW_RACE_VERDICTS] = {
        [LW_RACE_UNORDERED] = unordered_why,
        [LW_RACE_UNWAITED] = unwaited_why,
        [LW_RACE_WEAK] = scope_why,
        [LW_RACE_STALE] = stale_why,
        [LW_RACE_STALE_L0] = stale_l0_why,
        [LW_RACE_MIXED] = mixed_why,
        [LW_RACE_LANES] = lanes_why,
        [LW_RACE_AT_ONCE] = at_once_why,
        [LW_RACE_ASYNC] = async_why,
        [LW_RACE_PROXY] = proxy_why,
        [LW_RACE_FENCED_LATE] = late_fence_why,
    };
    return texts[verdict];
}

static const char *rule_of(const lw_race_pair *p)
{
    switch (p->verdict) {
    case LW_RACE_UNWAITED:
        return unwaited_rule;
    case LW_RACE_WEAK:
        return scope_rule;
    case LW_RACE_STALE:
        return stale_rule;
    case LW_RACE_STALE_L0:
        return stale_l0_rule;
    case LW_RACE_MIXED:
        return mixed_rule;
    case LW_RACE_LANES:
        return lanes_rule;
    case LW_RACE_AT_ONCE:
        return at_once_rule;
    case LW_RACE_ASYNC:
        return async_rule;
    case LW_RACE_PROXY:
        return proxy_rule;
    case LW_RACE_FENCED_LATE:
        return late_fence_rule;
    default:
        break;
    }
    return !p->later_stores ? read_rule : p->earlier_stores ? write_rule : overwrite_rule;
}

/* Did the write (of two writes, the later one) leave the bytes unchanged? */
static bool is_quiet(const lw_race_pair *p)
{
    return ((p->later_stores ? p->later.how : p->earlier.how) & LW_RACE_QUIET) != 0;
}

static lw_severity severity_of(const lw_race_pair *p)
{
    static const bool errors[LW_RACE_VERDICTS] = {
        [LW_RACE_UNORDERED] = true, [LW_RACE_UNWAITED] = true, [LW_RACE_ASYNC] = true, [LW_RACE_PROXY] = true
    };
    if (p->verdict == LW_RACE_AT_ONCE)
        return LW_SEVERITY_ERROR;
    if (is_quiet(p))
        return LW_SEVERITY_INFO;
    return errors[p->verdict] ? LW_SEVERITY_ERROR : LW_SEVERITY_WARNING;
}

/* The subject of the earlier access: "warp 1 has". */
static void write_who(char *who, size_t size, const lw_races *r, const lw_race_pair *p)
{
    const bool async = r->threads && !lw_race_of_thread(&p->earlier);
    const unsigned later = r->arriving ? r->issuer_number : lw_race_wave(&p->later);
    if (async)
        snprintf(who, size, "an asynchronous operation has");
    else if (lw_race_group(&p->earlier) != r->group->number)
        snprintf(who, size, "another %s has", r->threads ? "block" : "workgroup");
    else if (lw_race_wave(&p->earlier) != later)
        snprintf(who, size, "%s %u has", r->threads ? "warp" : "wave", lw_race_wave(&p->earlier));
    else if (r->arriving)
        snprintf(who, size, "the warp that issued it has");
    else
        snprintf(who, size, "%s has", r->threads ? "another lane" : "the same wave");
}

static void write_what(char *what, const lw_races *r, const lw_event *event, const lw_race_pair *p)
{
    const char *did = p->earlier_stores ? "written" : "read", *does = p->later_stores ? "written" : "read";
    char subject[80], who[48], of[32] = "";
    lw_event_region region;
    if (r->block)
        snprintf(of, sizeof(of), " of block %u", r->block - 1);
    if (r->space == LW_SPACE_LDS)
        snprintf(subject, sizeof(subject), "%s byte 0x%" PRIx64 "%s", r->threads ? "shared" : "LDS",
                 p->address, of);
    else if (lw_event_region_at(event, LW_SPACE_GLOBAL, p->address, &region) && region.name[0])
        snprintf(subject, sizeof(subject), "byte 0x%" PRIx64 " of %.40s", p->address - region.base,
                 region.name);
    else
        snprintf(subject, sizeof(subject), "global byte 0x%" PRIx64, p->address);
    write_who(who, sizeof(who), r, p);
    snprintf(what, LW_FINDING_WHAT, "%s is %s%s; %s %s it%s%s", subject, does,
             r->arriving ? " by an asynchronous operation" : "", who, did,
             p->verdict == LW_RACE_UNORDERED ? ", and the two are not ordered" : "",
             is_quiet(p) ? "; the write changed nothing" : "");
}

/* The wait that shows operations of a channel to be complete: "s_waitcnt lgkmcnt(0)", gfx12 "s_wait_dscnt 0".
 */
static void write_wait(char *wait, size_t size, const lw_races *r, unsigned channel)
{
    static const uint8_t counters[LW_RACE_CHANNELS] = {
        [LW_PENDING_VMEM] = LW_COUNTER_VM,     [LW_PENDING_STORE] = LW_COUNTER_VS,
        [LW_PENDING_LDS] = LW_COUNTER_LGKM,    [LW_PENDING_SCALAR] = LW_COUNTER_KM,
        [LW_PENDING_FLAT] = LW_COUNTER_LGKM,   [LW_RACE_GLOBAL] = LW_COUNTER_VM,
        [LW_PENDING_ASYNC] = LW_COUNTER_ASYNC, [LW_PENDING_TENSOR] = LW_COUNTER_TENSOR,
    };
    const char *name = r->target->names[counters[channel]];
    const bool both = channel == LW_PENDING_FLAT;
    if (name)
        snprintf(wait, size, "%s%s%s 0", both ? r->target->names[LW_COUNTER_VM] : "", both ? " 0 and " : "",
                 name);
    else
        snprintf(wait, size, "%s",
                 channel == LW_PENDING_LDS                                 ? "s_waitcnt lgkmcnt(0)"
                 : channel == LW_PENDING_STORE                             ? "s_waitcnt_vscnt null, 0x0"
                 : channel == LW_PENDING_VMEM || channel == LW_RACE_GLOBAL ? "s_waitcnt vmcnt(0)"
                                                                           : "s_waitcnt vmcnt(0) lgkmcnt(0)");
}

/* Of the operation that is not known to be complete. */
static const char *async_cure(const lw_race_pair *p)
{
    static const char *const texts[LW_RACE_CHANNELS] = {
        [LW_RACE_COPY] =
            "wait with cp.async.wait_group, then bar.sync where another thread has issued the copy",
        [LW_RACE_OUT] = "let the issuing thread execute cp.async.bulk.wait_group, then synchronise",
        [LW_RACE_SOURCE] = "let the issuing thread execute cp.async.bulk.wait_group.read, then synchronise",
        [LW_RACE_MATRIX] = "execute wgmma.wait_group before the bytes are given to a writer",
        [LW_RACE_OBJECT] =
            "wait for the phase of the mbarrier, and let users of the bytes arrive before they are "
            "overwritten",
    };
    return texts[lw_race_channel(lw_race_of_thread(&p->earlier) ? &p->later : &p->earlier)];
}

static void write_threads_cure(char *cure, const lw_races *r, const lw_race_pair *p)
{
    const char *text =
        p->verdict == LW_RACE_ASYNC ? async_cure(p)
        : p->verdict == LW_RACE_PROXY || p->verdict == LW_RACE_FENCED_LATE
            ? "let the writer execute fence.proxy.async before the barrier that orders the two"
        : p->verdict == LW_RACE_LANES   ? "put bar.warp.sync between the two"
        : p->verdict == LW_RACE_AT_ONCE ? "let one lane store, or use red"
        : p->verdict == LW_RACE_WEAK
            ? (r->space == LW_SPACE_LDS ? "use a scope that includes both blocks: .cluster"
                                        : "use a scope that includes both blocks: .gpu")
        : lw_race_group(&p->earlier) == r->group->number && !r->block ? "put bar.sync between the two"
        : r->space == LW_SPACE_LDS
            ? "let the blocks meet at barrier.cluster, or pass an mbarrier with .release.cluster and "
              ".acquire.cluster"
            : "give each block bytes of its own, use atom, or pass a flag with .release and .acquire";
    snprintf(cure, LW_FINDING_CURE, "%s", text);
}

static void write_cure(char *cure, const lw_races *r, const lw_race_pair *p)
{
    const bool same = lw_race_group(&p->earlier) == lw_race_group(&p->later);
    const bool alone = same && lw_race_wave(&p->earlier) == lw_race_wave(&p->later);
    char wait[48];
    if (r->threads) {
        write_threads_cure(cure, r, p);
        return;
    }
    write_wait(wait, sizeof(wait), r, lw_race_channel(&p->earlier));
    const char *barrier =
        r->target->names[LW_COUNTER_VM] ? "s_barrier_signal -1 and s_barrier_wait -1" : "s_barrier";
    if (p->verdict == LW_RACE_STALE)
        snprintf(cure, LW_FINDING_CURE, "read it with a vector load, or insert s_dcache_inv before");
    else if (p->verdict == LW_RACE_STALE_L0)
        snprintf(cure, LW_FINDING_CURE,
                 "insert %s after the barrier or the flag, before the later instruction",
                 r->target->names[LW_COUNTER_VM] ? "global_inv scope:SCOPE_SE" : "buffer_gl0_inv");
    else if (p->verdict == LW_RACE_WEAK)
        snprintf(cure, LW_FINDING_CURE,
                 "release before the flag is written, acquire after it is read, both for the device");
    else if (p->verdict == LW_RACE_MIXED)
        snprintf(cure, LW_FINDING_CURE,
                 "read it with an atomic operation, unless a cmpswap checks what was read");
    else if (alone)
        snprintf(cure, LW_FINDING_CURE, "insert %s between the two", wait);
    else if (p->verdict == LW_RACE_UNWAITED)
        snprintf(cure, LW_FINDING_CURE, "insert %s after the earlier instruction, before the barrier", wait);
    else if (same)
        snprintf(cure, LW_FINDING_CURE, "insert %s and %s between the two", wait, barrier);
    else
        snprintf(cure, LW_FINDING_CURE, "%s",
                 r->place->atomic ? "make both atomic"
                                  : "give each workgroup bytes of its own, or use atomics");
}

/* Do the two lanes of the instruction store the same value? Compares the first register of the data. */
static bool stores_equal(const lw_races *r, const lw_event *event, const lw_race_pair *p)
{
    if (r->place->data < 0)
        return true;
    const unsigned reg = (unsigned)r->place->data;
    return lw_event_value(event, r->place->data_file, reg, p->earlier.how & LW_RACE_LANE) ==
           lw_event_value(event, r->place->data_file, reg, p->later.how & LW_RACE_LANE);
}

void lw_race_tell(void *context, const lw_event *event, const lw_race_pair *pair)
{
    lw_races *r = context;
    if (pair->verdict == LW_RACE_AT_ONCE && stores_equal(r, event, pair))
        return;
    const uint32_t place = pair->earlier.how >> LW_RACE_PLACE_SHIFT;
    const lw_race_place *earlier = place < LW_RACE_PLACES - 1 ? lw_note_of(&r->places, place) : NULL;
    const lw_race_place *later = lw_note_of(&r->places, event->place);
    const lw_finding_new made = { .severity = severity_of(pair),
                                  .rule = rule_of(pair),
                                  .why = r->threads && pair->verdict == LW_RACE_WEAK ? thread_scope_why
                                                                                     : why_of(pair->verdict),
                                  .place = &later->at,
                                  .other = earlier ? &earlier->at : NULL,
                                  .lane = pair->lane };
    bool fresh;
    const size_t index = lw_finding_find(&r->check.findings, event, &made, &fresh);
    if (index == SIZE_MAX)
        return;
    lw_finding_record *record = &r->check.findings.records[index];
    lw_finding_occurs(record, r->execution);
    if (!fresh)
        return;
    write_what(record->what, r, event, pair);
    write_cure(record->cure, r, pair);
}

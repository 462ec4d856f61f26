/* SPDX-License-Identifier: MIT */
/* The observers of one launch, and the places of its code that have been reported to them. Independent of the
 * vendor. */
#ifndef LW_EMU_DEVICE_OBSERVED_H
#define LW_EMU_DEVICE_OBSERVED_H

#include <lanewise/observe.h>

struct lw_code;
struct lw_access_log;

typedef enum lw_hook {
    LW_HOOK_WAVE_BEGIN,
    LW_HOOK_WAVE_END,
    LW_HOOK_BARRIER,
    LW_HOOK_ARRIVED,
} lw_hook;

enum { LW_MAX_OPERANDS = 160 }; /* no instruction has more: wgmma has 132 registers, and a few sources */

/* An instruction of the launch's code. Kept small: every execution looks at it. */
typedef struct lw_seen_place {
    const lw_facts *facts; /* the place owns them and their operands */
    const char *mnemonic;
    uint32_t number;
    uint32_t wants; /* LW_SEE_: what at least one observer wants; RUNS, DONE and ONCE: what suits all */
    uint8_t each[]; /* what each observer wants */
} lw_seen_place;

typedef struct lw_observed {
    lw_observer *observers; /* copies with all members, whatever their struct_size */
    size_t count;
    uint64_t base; /* of the code: slot = (pc - base) >> shift */
    unsigned shift;
    lw_seen_place ***pages; /* of slots; NULL: none of them reached yet */
    size_t page_count;
    struct lw_seen_chunk *chunks; /* the places, side by side, the most recent first */
    uint32_t places;
    bool steps; /* an observer wants instructions */
} lw_observed;

enum { LW_SEEN_PAGE = 1024 }; /* slots */

/* NULL: no host memory. */
lw_observed *lw_observed_new(const lw_observer *const *observers, size_t count, const struct lw_code *code);
void lw_observed_free(lw_observed *observed);

/* The place at `pc`; NULL: not reached yet. */
static inline lw_seen_place *lw_observed_at(const lw_observed *observed, uint64_t pc)
{
    const uint64_t slot = (pc - observed->base) >> observed->shift;
    lw_seen_place **page =
        slot / LW_SEEN_PAGE < observed->page_count ? observed->pages[slot / LW_SEEN_PAGE] : NULL;
    return page ? page[slot % LW_SEEN_PAGE] : NULL;
}

/* A new place with a copy of its facts; no observer has been told. NULL: no host memory. */
lw_seen_place *lw_observed_add(lw_observed *observed, uint64_t pc, const lw_facts *facts);

/* Reports a new place to every observer with `event`, and records what each wants of it. */
void lw_observed_tell(lw_observed *observed, lw_seen_place *place, const lw_event *event);

/* Calls a hook of all observers that want it: a copy's arrival, as they said for its place; NULL: waves and
 * barriers. `before` and `after` are called by event.c itself: they are most of what a watched launch calls.
 */
void lw_observed_call(const lw_observed *observed, lw_hook hook, const lw_seen_place *place,
                      const lw_event *event, size_t own);
/* How many accesses at the beginning of the list are for observers that do not want those to other blocks of
 * the cluster, which are put last where some do and some do not. */
size_t lw_observed_own(const lw_observed *observed, const lw_seen_place *place, struct lw_access_log *log);

#endif

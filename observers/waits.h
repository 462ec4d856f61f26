/* SPDX-License-Identifier: MIT */
/* --check waits: shared by its parts. `waits.c` follows results and LDS, `waits_sources.c` the sources of
 * memory operations whose addresses are being translated. */
#ifndef LW_OBSERVERS_WAITS_H
#define LW_OBSERVERS_WAITS_H

#include "observers/check.h"
#include "observers/live.h"
#include "observers/notes.h"
#include "observers/pending.h"

enum { LW_WAITS_RUNS = 32 };

/* What a place has to do with the translation of addresses. */
typedef struct lw_translation_kind {
    bool issues, scalar; /* scalar: scalar memory */
    int16_t awaits;      /* so many may be left; -1: it waits for none */
} lw_translation_kind;

typedef struct lw_wait_place {
    lw_pending_kind kind;
    lw_translation_kind translation;
    bool known, to_lds, from_lds, reads_lds;
    uint8_t count;
    lw_shadow_run runs[LW_WAITS_RUNS];
    lw_finding_at at;
} lw_wait_place;

/*
 * A wave's memory operations whose addresses may not be translated yet, numbered from 1 on. Those of vector
 * memory are translated in order; scalar ones in any order. There are never both: the hardware waits.
 */
enum { LW_TRANSLATIONS = 64 };
typedef struct lw_translations {
    uint64_t issued, done;
    bool scalar;
    uint32_t place[LW_TRANSLATIONS]; /* of operation n: at n modulo that */
    uint64_t lanes[LW_TRANSLATIONS];
    uint64_t *last; /* for each register: the last operation that reads it */
    size_t rows;
} lw_translations;

typedef struct lw_waits {
    lw_check check;
    const lw_pending_target *target;
    lw_shadow_rows rows;
    lw_note_list quick;       /* of the registers that a place uses */
    lw_note_list places;      /* of lw_wait_place */
    lw_live_list waves;       /* of lw_pending */
    lw_live_list translating; /* of lw_translations */
    bool repeats;             /* operations may be repeated while their addresses are translated */
} lw_waits;

/* The lanes that a run uses in this execution; 1 for scalars. */
uint64_t lw_waits_lanes(const lw_event *event, const lw_shadow_run *run);
int lw_waits_first_lane(const lw_shadow_run *run, uint64_t lanes);

/* ---- waits_sources.c ---- */

void lw_translation_kind_of(lw_translation_kind *kind, const lw_facts *facts);
void lw_translations_begin(lw_waits *w, const lw_event *event);
/* An execution waits, writes registers or issues an operation. */
void lw_translations_follow(lw_waits *w, const lw_wait_place *place, const lw_shadow_run *runs, size_t count,
                            const lw_event *event);
void lw_translations_release(void *item);

#endif

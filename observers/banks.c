/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include <lanewise/banks.h>

#include "observers/bank_repair.h"
#include "observers/notes.h"
#include "observers/report.h"

enum { LANES = LW_BANK_LANES };

/* What is known about an LDS instruction before it runs. */
typedef struct bank_place {
    const lw_bank_rule *rule; /* NULL: there is no rule */
    size_t item;              /* index of its report */
    bool seen;                /* it has a report */
    uint8_t kept;             /* requests kept for lw_banks_find_repair */
    bool assumed;
} bank_place;

struct lw_banks {
    lw_observer observer;
    lw_report_list list; /* of lw_banks_report, without address and text */
    lw_note_list places; /* of bank_place */
    uint64_t uncounted;  /* wave instructions without a rule */
    lw_kept kept;
    lw_banks_repair repair; /* of lw_banks_find_repair */
};

/* Adds one wave instruction's accesses, counted by one rule, to a report. */
static void count_accesses(lw_banks_report *report, const lw_bank_rule *rule, const lw_bank_access *accesses,
                           size_t count)
{
    lw_bank_turns turns = { .phases = 0 };
    lw_bank_count(rule, accesses, count, &turns);
    report->phases += turns.phases;
    report->turns += turns.turns;
    report->assumed |= turns.inferred != 0;
    if (turns.degree > report->max_degree)
        report->max_degree = turns.degree;
}

/* A two-address instruction (read2, write2) makes two requests: first every lane's first address, then every
 * lane's second. */
static size_t take_request(const lw_event *event, size_t nth, lw_bank_access *out)
{
    size_t n = 0, repeat = 0;
    for (size_t i = 0; i < event->access_count; i++) {
        const lw_memory_access *a = &event->accesses[i];
        repeat = i > 0 && a->lane == event->accesses[i - 1].lane ? repeat + 1 : 0;
        if (a->space == LW_SPACE_LDS && !a->dropped && repeat == nth && n < LANES && a->lane >= 0 &&
            a->lane < LANES)
            out[n++] = (lw_bank_access){ .lane = (uint32_t)a->lane, .size = a->size, .address = a->address };
    }
    return n;
}

static void keep(lw_banks *banks, bank_place *place, const lw_bank_access *request, size_t count)
{
    if (place->kept == LW_KEPT_OF_PLACE) {
        banks->kept.whole = false;
        return;
    }
    place->kept++;
    lw_kept_add(&banks->kept, place->rule, request, count);
}

/* That a transposing read or an atomic has the phases of a plain access of its width is not published, but
 * assumed. */
static uint32_t decoded(void *context, const lw_event *event)
{
    struct lw_banks *banks = context;
    const lw_fact_memory *memory = &event->facts->memory;
    if (event->facts->kind != LW_CLASS_LDS || !(memory->load || memory->store))
        return LW_SEE_NOTHING;
    const lw_bank_rule *rule = NULL;
    if (memory->requests) /* how wmma.load accesses banks is not documented */
        (void)lw_bank_rule_find(event->arch, memory->store, memory->bytes, &rule, NULL);
    bank_place *place = lw_note_of(&banks->places, event->place);
    if (!place)
        return LW_SEE_NOTHING;
    *place = (bank_place){ .rule = rule,
                           .assumed = !rule || rule->evidence >= LW_LABEL_INFERRED || memory->transposes ||
                                      (memory->load && memory->store) };
    return LW_SEE_AFTER | LW_SEE_ACCESSES;
}

static void after(void *context, const lw_event *event)
{
    struct lw_banks *banks = context;
    bank_place *place = lw_note_of(&banks->places, event->place);
    lw_bank_access request[LANES];
    for (size_t nth = 0; nth < 2 && place; nth++) {
        const size_t count = take_request(event, nth, request);
        if (count == 0)
            return;
        if (!place->rule) {
            banks->uncounted++;
            return;
        }
        if (!place->seen && !lw_report_find(&banks->list, event, &place->item))
            return;
        place->seen = true;
        lw_banks_report *report = lw_report_item(&banks->list, place->item);
        report->executed += nth == 0;
        report->assumed |= place->assumed;
        if (request[0].size > place->rule->bytes) /* ldmatrix: a row is wider than what a lane gets */
            lw_bank_rule_find(event->arch, event->facts->memory.store, request[0].size, &place->rule, NULL);
        count_accesses(report, place->rule, request, count);
        keep(banks, place, request, count);
    }
}

lw_status lw_banks_create(lw_banks **banks)
{
    if (!banks)
        return LW_E_ARGUMENT;
    lw_banks *made = calloc(1, sizeof(*made));
    if (!made)
        return LW_E_NO_MEMORY;
    lw_kept_start(&made->kept);
    made->list.item_size = sizeof(lw_banks_report);
    made->places.item_size = sizeof(bank_place);
    made->observer = (lw_observer){
        .struct_size = sizeof(lw_observer), .context = made, .decoded = decoded, .after = after
    };
    *banks = made;
    return LW_OK;
}

const lw_observer *lw_banks_observer(const lw_banks *banks)
{
    return banks ? &banks->observer : NULL;
}

size_t lw_banks_count(const lw_banks *banks)
{
    return banks ? banks->list.count : 0;
}

const lw_banks_report *lw_banks_at(const lw_banks *banks, size_t index)
{
    void *item = NULL;
    const lw_report *report = banks ? lw_report_at(&banks->list, index, &item) : NULL;
    if (!report)
        return NULL;
    lw_banks_report *shown = item;
    shown->code_offset = report->code_offset;
    shown->instruction = report->instruction;
    shown->source = report->source;
    return shown;
}

const lw_banks_repair *lw_banks_find_repair(lw_banks *banks)
{
    if (!banks)
        return NULL;
    banks->repair = (lw_banks_repair){ 0 };
    lw_kept_repair(&banks->kept, &banks->repair);
    return &banks->repair;
}

uint64_t lw_banks_uncounted(const lw_banks *banks)
{
    return banks ? banks->uncounted : 0;
}

void lw_banks_free(lw_banks *banks)
{
    if (banks) {
        lw_report_free(&banks->list);
        lw_note_free(&banks->places);
        lw_kept_free(&banks->kept);
    }
    free(banks);
}

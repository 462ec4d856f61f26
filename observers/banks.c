/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "observers/notes.h"
#include "observers/report.h"

enum { MAX_BANKS = 64, LANES = 64 };

/*
 * How one kind of LDS access is cut into phases: `phase` names, for each four consecutive lanes, the phase
 * they belong to. Only lanes of one phase can conflict.
 */
typedef struct phase_rule {
    lw_arch arch;
    uint8_t bytes; /* largest access per lane it serves */
    bool store;
    uint8_t banks;
    uint8_t phases;
    uint8_t phase[LANES / 4];
    bool assumed;
} phase_rule;

static const phase_rule rules[] = {
#define RULE(arch_, store_, bytes_, banks_, phases_, assumed_, ...)                                          \
    { .arch = LW_ARCH_##arch_,                                                                               \
      .bytes = bytes_,                                                                                       \
      .store = store_,                                                                                       \
      .banks = banks_,                                                                                       \
      .phases = phases_,                                                                                     \
      .phase = { __VA_ARGS__ },                                                                              \
      .assumed = assumed_ },
#include "observers/banks.inc"
#undef RULE
};

/* What is known of an LDS instruction before it runs. */
typedef struct bank_place {
    const phase_rule *rule;
    size_t item; /* of its report */
    bool seen;   /* it has one */
    bool assumed;
} bank_place;

struct lw_banks {
    lw_observer observer;
    lw_report_list list; /* of lw_banks_report, without address and text */
    lw_note_list places; /* of bank_place */
};

static const phase_rule *find_rule(lw_arch arch, bool store, uint32_t bytes)
{
    for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
        if (rules[i].arch == arch && rules[i].store == store && bytes <= rules[i].bytes)
            return &rules[i];
    return NULL;
}

/* Different dwords that the lanes of one phase ask of the busiest bank; 0 if no lane asks. */
static unsigned phase_degree(const phase_rule *rule, unsigned phase, const lw_memory_access *accesses,
                             size_t count)
{
    uint64_t dwords[MAX_BANKS][LANES];
    unsigned used[MAX_BANKS] = { 0 };
    unsigned degree = 0;

    for (size_t i = 0; i < count; i++) {
        const lw_memory_access *a = &accesses[i];
        if (a->lane < 0 || a->lane >= LANES || a->size == 0 || rule->phase[a->lane / 4] != phase)
            continue;
        for (uint64_t dword = a->address / 4; dword <= (a->address + a->size - 1) / 4; dword++) {
            const unsigned bank = (unsigned)(dword % rule->banks);
            unsigned seen = 0;
            while (seen < used[bank] && dwords[bank][seen] != dword)
                seen++;
            if (seen == used[bank] && used[bank] < LANES)
                dwords[bank][used[bank]++] = dword;
            if (used[bank] > degree)
                degree = used[bank];
        }
    }
    return degree;
}

/* Adds one wave instruction's accesses of one rule to a report. */
static void count_accesses(lw_banks_report *report, const phase_rule *rule, const lw_memory_access *accesses,
                           size_t count)
{
    for (unsigned phase = 0; phase < rule->phases; phase++) {
        const unsigned degree = phase_degree(rule, phase, accesses, count);
        if (degree == 0)
            continue;
        report->phases++;
        report->turns += degree;
        if (degree > report->max_degree)
            report->max_degree = degree;
    }
}

/* Accesses of two-address instructions (read2, write2) are two requests: each lane's first, then each second.
 */
static size_t take_request(const lw_event *event, size_t nth, lw_memory_access *out)
{
    size_t n = 0, repeat = 0;
    for (size_t i = 0; i < event->access_count; i++) {
        const lw_memory_access *a = &event->accesses[i];
        repeat = i > 0 && a->lane == event->accesses[i - 1].lane ? repeat + 1 : 0;
        if (a->space == LW_SPACE_LDS && !a->dropped && repeat == nth && n < LANES)
            out[n++] = *a;
    }
    return n;
}

/* A transposing read or an atomic goes by the phases of the plain access of its width: not published. */
static uint32_t decoded(void *context, const lw_event *event)
{
    struct lw_banks *banks = context;
    const lw_fact_memory *memory = &event->facts->memory;
    if (event->facts->kind != LW_CLASS_LDS || !(memory->load || memory->store))
        return LW_SEE_NOTHING;
    const phase_rule *rule = find_rule(event->arch, memory->store, memory->bytes);
    bank_place *place = rule ? lw_note_of(&banks->places, event->place) : NULL;
    if (!place)
        return LW_SEE_NOTHING;
    *place =
        (bank_place){ .rule = rule,
                      .assumed = rule->assumed || memory->transposes || (memory->load && memory->store) };
    return LW_SEE_AFTER | LW_SEE_ACCESSES;
}

static void after(void *context, const lw_event *event)
{
    struct lw_banks *banks = context;
    bank_place *place = lw_note_of(&banks->places, event->place);
    lw_memory_access request[LANES];
    for (size_t nth = 0; nth < 2 && place; nth++) {
        const size_t count = take_request(event, nth, request);
        if (count == 0)
            return;
        if (!place->seen && !lw_report_find(&banks->list, event, &place->item))
            return;
        place->seen = true;
        lw_banks_report *report = lw_report_item(&banks->list, place->item);
        report->executed += nth == 0;
        report->assumed |= place->assumed;
        count_accesses(report, place->rule, request, count);
    }
}

lw_status lw_banks_create(lw_banks **banks)
{
    if (!banks)
        return LW_E_ARGUMENT;
    lw_banks *made = calloc(1, sizeof(*made));
    if (!made)
        return LW_E_NO_MEMORY;
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

void lw_banks_free(lw_banks *banks)
{
    if (banks) {
        lw_report_free(&banks->list);
        lw_note_free(&banks->places);
    }
    free(banks);
}

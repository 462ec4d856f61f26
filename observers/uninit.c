/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "observers/report.h"

enum { MAX_WAVES = 32, FILE_REGS = 256, SGPRS = 128, MAX_RANGES = 24 };
enum { FIRST_TTMP = 108, LAST_TTMP = 123, EXEC_LO = 126, EXEC_HI = 127 };

/* Bit l of a register's mask: lane l has been written. Scalars use bit 0. */
typedef struct wave_shadow {
    uint64_t vgpr[FILE_REGS], agpr[FILE_REGS];
    uint64_t sgpr[SGPRS];
    uint64_t scc;
    unsigned accum; /* VGPRs from here on are AGPRs */
} wave_shadow;

typedef struct record {
    lw_uninit_report report;
    char what[64];
} record;

struct lw_uninit {
    lw_observer observer;
    lw_report_list list; /* of record */
    wave_shadow *waves[MAX_WAVES];
    uint8_t *lds; /* 1: the byte has been written */
    uint32_t lds_size;
    uint32_t group[3]; /* the workgroup that began last: the one that is followed */
};

/* These name one lane of a register; which one is data. They neither count as readers nor leave lanes out. */
static const char *const one_lane[] = { "v_readlane", "v_writelane" };

static bool starts_with_any(const char *text, const char *const *prefixes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strncmp(text, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return false;
}

static uint64_t *mask_of(wave_shadow *wave, lw_reg_file file, unsigned reg)
{
    switch (file) {
    case LW_FILE_VGPR:
        if (reg >= wave->accum)
            return reg - wave->accum < FILE_REGS ? &wave->agpr[reg - wave->accum] : NULL;
        return reg < FILE_REGS ? &wave->vgpr[reg] : NULL;
    case LW_FILE_AGPR:
        return reg < FILE_REGS ? &wave->agpr[reg] : NULL;
    case LW_FILE_SGPR:
        return reg < SGPRS ? &wave->sgpr[reg] : NULL;
    case LW_FILE_SCC:
        return &wave->scc;
    case LW_FILE_MODE:
        return NULL;
    }
    return NULL;
}

static bool is_scalar(lw_reg_file file)
{
    return file != LW_FILE_VGPR && file != LW_FILE_AGPR;
}

static void add_report(lw_uninit *check, const lw_event *event, int lane, const char *what)
{
    int is_new;
    record *r = lw_report_find(&check->list, event, &is_new);
    if (!r)
        return;
    r->report.times++;
    if (!is_new)
        return;
    snprintf(r->what, sizeof(r->what), "%s", what);
    memcpy(r->report.workgroup, event->workgroup, sizeof(r->report.workgroup));
    r->report.wave = event->wave;
    r->report.lane = lane;
}

/* Registers of one file that do not hold the poison pattern are part of the initial state. */
static void mark_initial(wave_shadow *wave, const lw_event *event, lw_reg_file file)
{
    const unsigned count = lw_event_register_count(event, file);
    for (unsigned reg = 0; reg < count; reg++) {
        uint64_t *mask = mask_of(wave, file, reg);
        const unsigned lanes = is_scalar(file) ? 1 : 64;
        for (unsigned lane = 0; mask && lane < lanes; lane++)
            if (!event->poison || lw_event_value(event, file, reg, lane) != *event->poison)
                *mask |= 1ULL << lane;
    }
}

/* The waves of a workgroup begin together, the first one first. */
static void start_group(lw_uninit *check, const lw_event *event)
{
    if (event->wave != 0)
        return;
    memcpy(check->group, event->workgroup, sizeof(check->group));
    free(check->lds);
    check->lds_size = lw_event_lds_size(event);
    check->lds = check->lds_size ? malloc(check->lds_size) : NULL;
    if (check->lds)
        memset(check->lds, event->poison ? 0 : 1, check->lds_size);
}

static void wave_begin(void *context, const lw_event *event)
{
    lw_uninit *check = context;
    start_group(check, event);
    if (event->wave >= MAX_WAVES)
        return;
    wave_shadow **slot = &check->waves[event->wave];
    if (!*slot)
        *slot = malloc(sizeof(**slot));
    if (!*slot)
        return;
    memset(*slot, 0, sizeof(**slot));
    (*slot)->accum = lw_event_accum_offset(event);
    mark_initial(*slot, event, LW_FILE_VGPR);
    mark_initial(*slot, event, LW_FILE_AGPR);
    mark_initial(*slot, event, LW_FILE_SGPR);
    (*slot)->sgpr[EXEC_LO] = (*slot)->sgpr[EXEC_HI] = 1;
    for (unsigned reg = FIRST_TTMP; reg <= LAST_TTMP; reg++)
        (*slot)->sgpr[reg] = 1;
}

/* The first register of a range that is read although a lane of it was not written; -1 if there is none. */
static int find_unwritten(wave_shadow *wave, const lw_reg_range *range, int *lane)
{
    const uint64_t lanes = is_scalar(range->file) ? 1 : range->lanes;
    for (unsigned reg = range->first; reg < (unsigned)range->first + range->count; reg++) {
        const uint64_t *mask = mask_of(wave, range->file, reg);
        const uint64_t missing = mask ? lanes & ~*mask : 0;
        if (!missing)
            continue;
        *lane = -1;
        for (int l = 0; !is_scalar(range->file) && l < 64 && *lane < 0; l++)
            if (missing >> l & 1)
                *lane = l;
        return (int)reg;
    }
    return -1;
}

/* NULL for a workgroup that goes on after another one has begun: what it wrote is no longer known. */
static wave_shadow *shadow_of(lw_uninit *check, const lw_event *event)
{
    if (event->wave >= MAX_WAVES || memcmp(check->group, event->workgroup, sizeof(check->group)) != 0)
        return NULL;
    return check->waves[event->wave];
}

static size_t ranges_of(const lw_event *event, lw_reg_range ranges[MAX_RANGES])
{
    const size_t count = lw_event_registers(event, ranges, MAX_RANGES);
    return count < MAX_RANGES ? count : MAX_RANGES;
}

static void before(void *context, const lw_event *event)
{
    lw_uninit *check = context;
    wave_shadow *wave = shadow_of(check, event);
    if (!wave || starts_with_any(event->mnemonic, one_lane, sizeof(one_lane) / sizeof(one_lane[0])))
        return;

    lw_reg_range ranges[MAX_RANGES];
    const size_t count = ranges_of(event, ranges);
    for (size_t i = 0; i < count; i++) {
        if (!ranges[i].read)
            continue;
        int lane;
        const int reg = find_unwritten(wave, &ranges[i], &lane);
        if (reg < 0)
            continue;
        char what[LW_REGISTER_NAME];
        lw_register_name(ranges[i].file, (unsigned)reg, what);
        add_report(check, event, lane, what);
        return;
    }
}

/* Past the end of the workgroup's LDS nobody can write: stores vanish there, and loads give zero. */
static void report_dropped(lw_uninit *check, const lw_event *event, const lw_memory_access *a)
{
    char what[64];
    snprintf(what, sizeof(what), "LDS byte 0x%llx, past the workgroup's %u bytes",
             (unsigned long long)a->address, (unsigned)lw_event_lds_size(event));
    add_report(check, event, a->lane, what);
}

static void check_lds(lw_uninit *check, const lw_event *event)
{
    bool reported = false;
    for (size_t i = 0; i < event->access_count; i++) {
        const lw_memory_access *a = &event->accesses[i];
        if (a->late)
            continue;
        if (a->space == LW_SPACE_LDS && a->load && a->dropped && !reported) {
            report_dropped(check, event, a);
            reported = true;
        }
        if (a->space != LW_SPACE_LDS || a->dropped || !check->lds)
            continue;
        for (uint64_t byte = a->address; byte < a->address + a->size && byte < check->lds_size; byte++) {
            if (a->load && !check->lds[byte] && !reported) {
                char what[32];
                snprintf(what, sizeof(what), "LDS byte 0x%x", (unsigned)byte);
                add_report(check, event, a->lane, what);
                reported = true;
            }
            if (a->store)
                check->lds[byte] = 1;
        }
    }
}

static void after(void *context, const lw_event *event)
{
    lw_uninit *check = context;
    wave_shadow *wave = shadow_of(check, event);
    if (!wave)
        return;
    check_lds(check, event);

    const bool one = starts_with_any(event->mnemonic, one_lane, sizeof(one_lane) / sizeof(one_lane[0]));
    lw_reg_range ranges[MAX_RANGES];
    const size_t count = ranges_of(event, ranges);
    for (size_t i = 0; i < count; i++) {
        if (!ranges[i].written)
            continue;
        const uint64_t lanes = one || is_scalar(ranges[i].file) ? ~0ULL : ranges[i].lanes;
        for (unsigned reg = ranges[i].first; reg < (unsigned)ranges[i].first + ranges[i].count; reg++) {
            uint64_t *mask = mask_of(wave, ranges[i].file, reg);
            if (mask)
                *mask |= lanes;
        }
    }
}

/* Copies to LDS have written when they arrive, not before. */
static void arrived(void *context, const lw_event *event)
{
    lw_uninit *check = context;
    if (shadow_of(check, event))
        check_lds(check, event);
}

lw_status lw_uninit_create(lw_uninit **check)
{
    if (!check)
        return LW_E_ARGUMENT;
    lw_uninit *made = calloc(1, sizeof(*made));
    if (!made)
        return LW_E_NO_MEMORY;
    made->list.item_size = sizeof(record);
    made->observer = (lw_observer){ .struct_size = sizeof(lw_observer),
                                    .context = made,
                                    .wave_begin = wave_begin,
                                    .before = before,
                                    .after = after,
                                    .arrived = arrived };
    *check = made;
    return LW_OK;
}

const lw_observer *lw_uninit_observer(const lw_uninit *check)
{
    return check ? &check->observer : NULL;
}

size_t lw_uninit_count(const lw_uninit *check)
{
    return check ? check->list.count : 0;
}

const lw_uninit_report *lw_uninit_at(const lw_uninit *check, size_t index)
{
    void *item = NULL;
    const lw_report *report = check ? lw_report_at(&check->list, index, &item) : NULL;
    if (!report)
        return NULL;
    record *r = item;
    r->report.code_offset = report->code_offset;
    r->report.instruction = report->instruction;
    r->report.what = r->what;
    return &r->report;
}

void lw_uninit_free(lw_uninit *check)
{
    if (!check)
        return;
    for (size_t i = 0; i < MAX_WAVES; i++)
        free(check->waves[i]);
    free(check->lds);
    lw_report_free(&check->list);
    free(check);
}

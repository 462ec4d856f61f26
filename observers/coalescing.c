/* SPDX-License-Identifier: MIT */
/* How many blocks of global memory the lanes of one instruction touch. */
#include <stdlib.h>
#include <string.h>

#include "observers/notes.h"
#include "observers/report.h"

/* What memory is fetched in. AMD: CDNA3 documents 64-byte transactions; gfx1250's line of 128 bytes is
 * published, those of gfx11 and gfx12 and gfx908's and gfx90a's 64 are inferred. */
static const struct {
    uint32_t bytes; /* 0: NVIDIA's */
    bool inferred;
} units[LW_ARCH_COUNT] = {
    [LW_ARCH_GFX908] = { 64, true },   [LW_ARCH_GFX90A] = { 64, true },   [LW_ARCH_GFX942] = { 64, false },
    [LW_ARCH_GFX950] = { 64, false },  [LW_ARCH_GFX1100] = { 128, true }, [LW_ARCH_GFX1150] = { 128, true },
    [LW_ARCH_GFX1201] = { 128, true }, [LW_ARCH_GFX1250] = { 128, false }
};

enum { SECTOR = 32 /* NVIDIA, CUDA C++ Programming Guide */ };

/* What one lane requests in one piece. */
typedef struct piece {
    uint64_t address, end;
} piece;

typedef struct coalescing_place {
    bool counts, seen;
    size_t item; /* index of its report */
} coalescing_place;

struct lw_coalescing {
    lw_observer observer;
    lw_report_list list;  /* of lw_coalescing_report, without address and text */
    lw_note_list places;  /* of coalescing_place */
    piece *pieces;        /* of one instruction */
    size_t count, room;   /* of them */
    int64_t stride;       /* from each lane to the next active one, for each lane between; */
    bool regular, single; /* whether it is the same for all, or there is one lane only */
};

static bool add_piece(lw_coalescing *c, uint64_t address, uint64_t size)
{
    if (c->count == c->room) {
        const size_t room = c->room ? 2 * c->room : 128;
        piece *more = realloc(c->pieces, room * sizeof(*more));
        if (!more)
            return false;
        c->pieces = more;
        c->room = room;
    }
    c->pieces[c->count++] = (piece){ address, address + size };
    return true;
}

/* The distance of the addresses of two lanes, for each lane between. */
static void compare_lanes(lw_coalescing *c, const lw_memory_access *before, const lw_memory_access *a)
{
    const int lanes = a->lane - before->lane;
    const int64_t distance = (int64_t)(a->address - before->address), stride = distance / lanes;
    c->regular = c->regular && distance % lanes == 0 && (c->single || c->stride == stride) &&
                 (!before->more || stride == (int64_t)before->size);
    c->stride = c->single ? stride : c->stride;
    c->single = false;
}

/* False if no lane accesses global memory, or without host memory. */
static bool take_pieces(lw_coalescing *c, const lw_event *event)
{
    const lw_memory_access *before = NULL;
    c->count = 0;
    c->stride = 0;
    c->regular = c->single = true;
    for (size_t i = 0; i < event->access_count; i++) {
        const lw_memory_access *a = &event->accesses[i];
        if (a->space != LW_SPACE_GLOBAL || a->dropped || a->lane < 0 || !a->size)
            continue;
        if (!add_piece(c, a->address, a->size * (UINT64_C(1) + a->more)))
            return false;
        if (before && a->lane <= before->lane)
            continue; /* a further piece of a lane */
        if (before)
            compare_lanes(c, before, a);
        else if (a->more)
            c->stride = (int64_t)a->size, c->single = false;
        before = a;
    }
    return c->count > 0;
}

static int by_address(const void *a, const void *b)
{
    const piece *x = a, *y = b;
    return x->address < y->address ? -1 : x->address > y->address;
}

static void sort(lw_coalescing *c)
{
    size_t sorted = 1;
    while (sorted < c->count && c->pieces[sorted - 1].address <= c->pieces[sorted].address)
        sorted++;
    if (sorted < c->count)
        qsort(c->pieces, c->count, sizeof(*c->pieces), by_address);
}

/* Distinct blocks of `bytes`, a power of two; pieces are sorted. */
static uint64_t count_blocks(const lw_coalescing *c, uint64_t bytes)
{
    uint64_t blocks = 0, next = 0; /* blocks below `next` have been counted */
    for (size_t i = 0; i < c->count; i++) {
        const uint64_t first = c->pieces[i].address / bytes, end = (c->pieces[i].end - 1) / bytes + 1,
                       from = first > next ? first : next;
        blocks += end > from ? end - from : 0;
        next = end > next ? end : next;
    }
    return blocks;
}

static uint32_t unit_of(lw_arch arch, bool *inferred)
{
    const bool has_row = arch < LW_ARCH_COUNT && units[arch].bytes;
    *inferred = has_row ? units[arch].inferred : strcmp(lw_arch_get(arch)->vendor, "NVIDIA") != 0;
    return has_row ? units[arch].bytes : SECTOR;
}

/* `stride` of the report stays as long as every execution has it. */
static void count_instruction(lw_coalescing *c, lw_coalescing_report *report)
{
    sort(c);
    const uint64_t bytes = count_blocks(c, 1);
    report->bytes += bytes;
    report->needed += (bytes + report->unit - 1) / report->unit;
    for (int i = 0; i < LW_COALESCING_SIZES; i++)
        report->blocks[i] += count_blocks(c, UINT64_C(32) << i);
    report->touched += count_blocks(c, report->unit);
    report->misaligned += c->pieces[0].address % report->unit != 0;
    const bool same = !c->single && c->regular && (!report->strided || report->stride == c->stride);
    report->irregular |= !c->single && !same;
    if (!c->single && !report->irregular) {
        report->stride = c->stride;
        report->strided = true;
    }
    report->executed++;
}

static uint32_t decoded(void *context, const lw_event *event)
{
    struct lw_coalescing *c = context;
    const lw_fact_memory *memory = &event->facts->memory;
    coalescing_place *place = lw_note_of(&c->places, event->place);
    const lw_class kind = event->facts->kind;
    if (!place || !(memory->load || memory->store) || kind == LW_CLASS_SCALAR_MEMORY ||
        kind == LW_CLASS_LDS || kind == LW_CLASS_SCRATCH)
        return LW_SEE_NOTHING;
    place->counts = true;
    return LW_SEE_AFTER | LW_SEE_ACCESSES;
}

static void after(void *context, const lw_event *event)
{
    struct lw_coalescing *c = context;
    coalescing_place *place = lw_note_of(&c->places, event->place);
    if (!place || !place->counts || !take_pieces(c, event))
        return;
    if (!place->seen && !lw_report_find(&c->list, event, &place->item))
        return;
    lw_coalescing_report *report = lw_report_item(&c->list, place->item);
    place->seen = true;
    if (!report->unit)
        report->unit = unit_of(event->arch, &report->assumed);
    count_instruction(c, report);
}

lw_status lw_coalescing_create(lw_coalescing **coalescing)
{
    if (!coalescing)
        return LW_E_ARGUMENT;
    lw_coalescing *made = calloc(1, sizeof(*made));
    if (!made)
        return LW_E_NO_MEMORY;
    made->list.item_size = sizeof(lw_coalescing_report);
    made->places.item_size = sizeof(coalescing_place);
    made->observer = (lw_observer){
        .struct_size = sizeof(lw_observer), .context = made, .decoded = decoded, .after = after
    };
    *coalescing = made;
    return LW_OK;
}

const lw_observer *lw_coalescing_observer(const lw_coalescing *coalescing)
{
    return coalescing ? &coalescing->observer : NULL;
}

size_t lw_coalescing_count(const lw_coalescing *coalescing)
{
    return coalescing ? coalescing->list.count : 0;
}

const lw_coalescing_report *lw_coalescing_at(const lw_coalescing *coalescing, size_t index)
{
    void *item = NULL;
    const lw_report *report = coalescing ? lw_report_at(&coalescing->list, index, &item) : NULL;
    if (!report)
        return NULL;
    lw_coalescing_report *shown = item;
    shown->code_offset = report->code_offset;
    shown->instruction = report->instruction;
    shown->source = report->source;
    return shown;
}

void lw_coalescing_free(lw_coalescing *coalescing)
{
    if (coalescing) {
        lw_report_free(&coalescing->list);
        lw_note_free(&coalescing->places);
        free(coalescing->pieces);
    }
    free(coalescing);
}

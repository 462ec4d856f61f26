/* SPDX-License-Identifier: MIT */
/* LDS and scratch keep what is undefined. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "observers/undefined.h"

enum { MOST_SCRATCH = 1 << 16 };

/* A byte of LDS or of the lane's scratch: what says whether it is undefined. */
typedef struct cell {
    uint8_t *flag;   /* NULL: it counts as defined */
    uint8_t inverse; /* flag XOR inverse: the undefined bits */
    uint32_t *origin;
} cell;

static bool grow_origins(lw_lack_wave *w, uint32_t cells)
{
    if (cells <= w->scratch_cells)
        return true;
    uint32_t *grown = realloc(w->scratch_origin, cells * sizeof(*grown));
    if (!grown)
        return false;
    memset(grown + w->scratch_cells, 0, (cells - w->scratch_cells) * sizeof(*grown));
    w->scratch_origin = grown;
    w->scratch_cells = cells;
    return true;
}

static bool grow_scratch(lw_lack_wave *w, unsigned lane, uint64_t end)
{
    uint32_t size = w->scratch_size[lane] ? w->scratch_size[lane] : 64;
    while (size < end)
        size *= 2;
    uint8_t *grown = grow_origins(w, size / LW_LACK_CELL) ? realloc(w->scratch[lane], size) : NULL;
    if (!grown)
        return false;
    memset(grown + w->scratch_size[lane], 0, size - w->scratch_size[lane]);
    w->scratch[lane] = grown;
    w->scratch_size[lane] = size;
    return true;
}

static cell cell_of(lw_lack_step *s, const lw_memory_access *a, uint64_t address)
{
    lw_lack_wave *w = s->wave;
    lw_lack_group *g = s->group;
    cell c = { NULL, 0, NULL };
    if (a->space == LW_SPACE_LDS && g && g->known && address < g->size) {
        c.flag = &g->lacks[address];
        c.origin = &g->origin[address / LW_LACK_CELL];
    } else if (a->space == LW_SPACE_SCRATCH && a->lane >= 0 && address < MOST_SCRATCH && s->event->poison) {
        const unsigned lane = (unsigned)a->lane;
        if (address < w->scratch_size[lane] || grow_scratch(w, lane, address + 1))
            c = (cell){ &w->scratch[lane][address], 0xff, &w->scratch_origin[address / LW_LACK_CELL] };
    }
    return c;
}

/* The pieces of LDS that have bytes of an access. */
static uint64_t pieces_of(const lw_lack_group *g, uint64_t address, uint64_t size)
{
    const uint64_t first = address >> g->shift, last = (address + size - 1) >> g->shift;
    return ((UINT64_C(2) << last) - 1) & ~((UINT64_C(1) << first) - 1);
}

static unsigned undefined_in(const cell *c)
{
    return c->flag ? (unsigned)(*c->flag ^ c->inverse) : 0;
}

/* The origin of what a cell lacks: it was stored, or nothing was. */
static void take_origin(lw_lack_step *s, cell c, const lw_memory_access *a, uint64_t address)
{
    char what[40];
    if (s->origin)
        return;
    snprintf(what, sizeof(what), "%s byte 0x%llx", a->space == LW_SPACE_LDS ? "LDS" : "scratch",
             (unsigned long long)address);
    s->origin = *c.origin ? *c.origin : lw_lack_origin_new(s, what);
    *c.origin = s->origin;
}

/* The register byte that has byte `at` of what a lane moves; NULL: none, it is filled up. */
static const lw_lack_byte *byte_of(const lw_lack_step *s, unsigned at)
{
    return at < s->place->byte_count ? &s->place->bytes[at] : NULL;
}

static unsigned data_lacks(const lw_lack_step *s, const lw_lack_byte *b, int lane)
{
    const lw_shadow_run *run = b ? &s->place->runs[b->run] : NULL;
    if (!run)
        return 0;
    const uint32_t row = run->row + b->reg;
    return lw_shadow_is_vector(run->file) ? lw_lack_bits(s->wave, row, b->byte, (unsigned)lane)
                                          : (unsigned)(s->wave->any[row] >> 8 * b->byte & 0xff);
}

/* Asynchronous copies of PTX, and operations on mbarriers: their registers are not followed. */
static bool is_copy(const lw_lack_step *s)
{
    return s->event->facts->sync == LW_SYNC_COPY || s->event->facts->sync == LW_SYNC_OBJECT;
}

/* A copy out of shared memory into memory that others see. */
static void judge_source(lw_lack_step *s, const lw_memory_access *a)
{
    for (unsigned i = 0; i < a->size; i++) {
        const cell c = cell_of(s, a, a->address + i);
        if (!undefined_in(&c))
            continue;
        take_origin(s, c, a, a->address + i);
        lw_lack_report(s, lw_lack_store_rule, a->lane);
        s->origin = 0;
        return;
    }
}

static void load(lw_lack_step *s, const lw_memory_access *a, unsigned offset)
{
    for (unsigned i = 0; i < a->size; i++) {
        const cell c = cell_of(s, a, a->address + i);
        const lw_lack_byte *b = byte_of(s, offset + i);
        if (!b || !undefined_in(&c))
            continue;
        take_origin(s, c, a, a->address + i);
        lw_lack_set_bits(s, &s->place->runs[b->run], b->reg, b->byte, (unsigned)a->lane, undefined_in(&c));
    }
}

static void store(lw_lack_step *s, const lw_memory_access *a, unsigned offset)
{
    const bool copies = is_copy(s) || s->event->facts->memory.to_lds || !s->place->byte_count;
    for (unsigned i = 0; i < a->size; i++) {
        const cell c = cell_of(s, a, a->address + i);
        const lw_lack_byte *b = copies ? NULL : byte_of(s, offset + i);
        const unsigned lacks = b ? data_lacks(s, b, a->lane) : 0;
        if (!c.flag)
            continue;
        *c.flag = (uint8_t)(lacks ^ c.inverse);
        if (lacks && a->space == LW_SPACE_LDS)
            s->group->whole &= ~pieces_of(s->group, a->address + i, 1);
        if (lacks)
            *c.origin = lw_lack_origin_of(s, &s->place->runs[b->run], b->reg);
    }
}

/* What goes to memory that others see, and operands of atomic operations, must be defined. */
static void judge_data(lw_lack_step *s, const lw_memory_access *a, unsigned offset)
{
    const bool atomic = a->load || s->event->facts->memory.load;
    const unsigned size = atomic ? (unsigned)s->place->byte_count : a->size;
    for (unsigned i = 0; i < size; i++) {
        const lw_lack_byte *b = byte_of(s, offset + i);
        if (!data_lacks(s, b, a->lane))
            continue;
        s->origin = lw_lack_origin_of(s, &s->place->runs[b->run], b->reg);
        lw_lack_report(s, atomic ? lw_lack_atomic_rule : lw_lack_store_rule, a->lane);
        return;
    }
}

/* Transposing reads: every lane of a group may get any of its bytes. */
static void load_turned(lw_lack_step *s, const lw_memory_access *a)
{
    bool lacks = false;
    for (unsigned i = 0; i < a->size; i++) {
        const cell c = cell_of(s, a, a->address + i);
        if (undefined_in(&c))
            take_origin(s, c, a, a->address + i);
        lacks = lacks || undefined_in(&c) != 0;
    }
    const unsigned group = s->event->facts->memory.exchange, first = (unsigned)a->lane / group * group;
    const uint64_t lanes = ((UINT64_C(1) << group) - 1) << first;
    for (size_t i = 0; lacks && i < s->place->byte_count; i++) {
        const lw_lack_byte *b = &s->place->bytes[i];
        lw_lack_set(s, &s->place->runs[b->run], b->reg, b->byte, lanes & s->event->exec, UINT64_MAX);
    }
}

static bool stores_globally(const lw_event *event)
{
    for (size_t i = 0; i < event->access_count; i++)
        if (event->accesses[i].space == LW_SPACE_GLOBAL && event->accesses[i].store)
            return true;
    return false;
}

static void access_one(lw_lack_step *s, const lw_memory_access *a, unsigned offset)
{
    const bool own = a->space != LW_SPACE_GLOBAL;
    if (is_copy(s)) {
        if (own && a->store)
            store(s, a, offset);
        else if (own && !a->object && stores_globally(s->event))
            judge_source(s, a);
        return;
    }
    const bool atomic = s->event->facts->memory.load && s->event->facts->memory.store;
    if (atomic || (a->store && !own))
        judge_data(s, a, atomic ? 0 : offset);
    if (own && a->load && s->event->facts->memory.transposes)
        load_turned(s, a);
    else if (own && a->load && (!atomic || s->event->facts->memory.returns))
        load(s, a, offset);
    if (own && a->store)
        store(s, a, offset);
}

/* Does a register whose bytes go to memory, or a result that is read, lack anything in any lane? */
static bool data_is_defined(const lw_lack_step *s)
{
    for (size_t i = 0; i < s->place->count; i++) {
        const lw_shadow_run *run = &s->place->runs[i];
        for (unsigned reg = 0; run->read && reg < run->count; reg++)
            if (s->wave->any[run->row + reg])
                return false;
    }
    return true;
}

static bool all_zero(const uint8_t *bytes, size_t size)
{
    uint64_t word[2] = { 0 };
    for (; size >= 16 && !(word[0] | word[1]); bytes += 16, size -= 16)
        memcpy(word, bytes, 16);
    for (; size >= 4 && !(word[0] | word[1]); bytes += 4, size -= 4)
        memcpy(word, bytes, 4);
    for (; size && !(word[0] | word[1]); bytes++, size--)
        word[0] = *bytes;
    return !(word[0] | word[1]);
}

/* Looks for pieces of LDS that are defined as a whole; the fewer it finds, the longer it waits next time. */
static void find_whole(lw_lack_group *g)
{
    const uint64_t before = g->whole;
    for (unsigned i = 0; i < LW_LACK_PIECES && i << g->shift < g->size; i++) {
        const uint32_t at = i << g->shift, left = g->size - at, most = UINT32_C(1) << g->shift;
        if (!(g->whole >> i & 1) && all_zero(g->lacks + at, left < most ? left : most))
            g->whole |= UINT64_C(1) << i;
    }
    g->missed = 0;
    g->patience = g->whole != before             ? LW_LACK_PATIENCE
                  : g->patience < UINT32_MAX / 2 ? 2 * g->patience
                                                 : g->patience;
}

/* Accesses of defined data, by far the most. True: nothing else is to be done. */
static bool is_plain(const lw_lack_step *s, const lw_memory_access *a, bool defined)
{
    lw_lack_group *g = s->group;
    const uint64_t size = a->size * (UINT64_C(1) + a->more);
    if (a->space == LW_SPACE_GLOBAL)
        return defined || !a->store;
    if (a->space != LW_SPACE_LDS || !defined || !g || !g->known || a->address >= g->size ||
        size > g->size - a->address)
        return false;
    if (a->load && !all_zero(g->lacks + a->address, (size_t)size))
        return false;
    if (a->store)
        memset(g->lacks + a->address, 0, (size_t)size);
    if (++g->missed >= g->patience)
        find_whole(g);
    return true;
}

/* Is it within pieces of LDS that are defined as a whole? */
static bool is_whole(const lw_lack_group *g, const lw_memory_access *a)
{
    const uint64_t size = a->size * (UINT64_C(1) + a->more);
    return a->space == LW_SPACE_LDS && a->address < g->size && size <= g->size - a->address &&
           !(pieces_of(g, a->address, size) & ~g->whole);
}

bool lw_lack_lds_is_whole(const lw_lack_group *g)
{
    return g && g->known && g->size && !(pieces_of(g, 0, g->size) & ~g->whole);
}

/* Does the access leave what is defined as it is? */
static bool passes(const lw_lack_step *s, const lw_memory_access *a, bool defined)
{
    return a->late || a->lane < 0 || a->lane >= LW_MAX_LANES || a->dropped || is_plain(s, a, defined) ||
           (s->event->facts->memory.to_lds && a->space == LW_SPACE_GLOBAL);
}

/* The LDS that an access is to. */
static void enter(lw_lack_step *s, const lw_memory_access *a)
{
    if (!s->check->clustered || a->space != LW_SPACE_LDS)
        return;
    lw_event other = *s->event;
    if (!a->block || lw_event_cluster_block(s->event, a->block - 1u, other.workgroup))
        s->group = lw_lack_group_of(s->check, &other);
}

/* The accesses from `first` on, lane by lane; `offset`: the bytes that each lane has moved before. */
static void access_all(lw_lack_step *s, size_t first, bool defined)
{
    unsigned offset[LW_MAX_LANES] = { 0 };
    for (size_t i = 0; i < s->event->access_count; i++) {
        lw_memory_access a = s->event->accesses[i];
        if (a.late || a.lane < 0)
            continue;
        const unsigned lanes = a.more + a.again + 1;
        const uint32_t step = a.again ? 0 : a.size;
        a.more = a.again = 0;
        enter(s, &a);
        for (unsigned n = 0; n < lanes && a.lane < LW_MAX_LANES; n++, a.lane++) {
            if (i >= first && !passes(s, &a, defined))
                access_one(s, &a, offset[a.lane]);
            offset[a.lane] += a.size;
            a.address += step;
        }
    }
}

void lw_lack_memory(lw_lack_step *s)
{
    const bool defined = data_is_defined(s);
    const lw_memory_access *a = s->event->accesses;
    size_t i = 0;
    lw_matrix_event m;
    const bool follows = defined && s->group && s->group->known && !s->check->clustered;
    const lw_lack_group none = { .size = 0 }, *g = follows ? s->group : &none;
    const bool moves = s->place->moves;
    if (s->event->facts->sync == LW_SYNC_MATRIX) /* its results are not followed */
        return;
    while (i < s->event->access_count && !s->check->clustered &&
           (is_whole(g, &a[i]) || passes(s, &a[i], defined)))
        i++;
    if (i < s->event->access_count && moves && lw_event_matrix(s->event, &m))
        lw_lack_moved(s, &m);
    else if (i < s->event->access_count)
        access_all(s, i, defined);
}

/* Lane 8 b + x of ldmatrix names row x of matrix b. */
static bool find_row(const lw_event *event, int lane, lw_memory_access *row)
{
    for (size_t i = 0; i < event->access_count; i++) {
        *row = event->accesses[i];
        const int further = lane - row->lane;
        row->address += (uint64_t)further * row->size;
        if (further >= 0 && further <= (int)row->more)
            return true;
    }
    return false;
}

/* Byte `b` of the element, in memory at `address`. */
static void load_moved(lw_lack_step *s, const lw_layout_entry *e, const lw_shadow_run *run, unsigned reg,
                       unsigned b, const lw_memory_access *a, uint64_t address)
{
    const cell c = cell_of(s, a, address);
    if (!undefined_in(&c))
        return;
    take_origin(s, c, a, address);
    lw_lack_set(s, run, reg, e->lsb / 8u + b, UINT64_C(1) << e->lane, UINT64_C(1) << e->lane);
}

/* The same of stmatrix. */
static void store_moved(lw_lack_step *s, const lw_layout_entry *e, const lw_shadow_run *run, unsigned reg,
                        unsigned b, const lw_memory_access *a, uint64_t address)
{
    const unsigned lacks = lw_lack_bits(s->wave, run->row + reg, e->lsb / 8u + b, e->lane);
    const cell c = cell_of(s, a, address);
    if (!c.flag)
        return;
    *c.flag = (uint8_t)(lacks ^ c.inverse);
    if (!lacks)
        return;
    s->group->whole &= ~pieces_of(s->group, address, 1);
    *c.origin = lw_lack_origin_of(s, run, reg);
}

static void move_element(lw_lack_step *s, const lw_layout_entry *e, unsigned reg, unsigned bytes)
{
    lw_memory_access row;
    const bool stores = s->event->facts->memory.store;
    const bool known = find_row(s->event, 8 * (int)e->block + (int)e->x, &row);
    for (size_t i = 0; known && i < s->count; i++) {
        const lw_shadow_run *run = &s->runs[i];
        if (s->role[i] != (stores ? LW_ROLE_DATA : LW_ROLE_RESULT) || reg < run->reg ||
            reg >= run->reg + (unsigned)run->count)
            continue;
        for (unsigned b = 0; b < bytes; b++)
            (stores ? store_moved : load_moved)(s, e, run, reg - run->reg, b, &row,
                                                row.address + e->y * bytes + b);
    }
}

void lw_lack_moved(lw_lack_step *s, const lw_matrix_event *matrix)
{
    lw_insn_info info;
    if (lw_insn_get_info(s->event->arch, matrix->insn, &info) != LW_OK)
        return;
    for (int op = 0; op < LW_OPERAND_COUNT; op++) {
        lw_layout *layout = NULL;
        lw_layout_info about;
        size_t count = 0;
        if (!info.operand[op].present || lw_layout_create(s->event->arch, matrix->insn, (lw_operand)op, 0,
                                                          &matrix->mods, &layout, NULL) != LW_OK)
            continue;
        lw_layout_entry *entries = NULL;
        if (lw_layout_get_info(layout, &about) == LW_OK &&
            lw_layout_entries(layout, NULL, 0, &count) == LW_OK && count)
            entries = calloc(count, sizeof(*entries));
        if (entries && lw_layout_entries(layout, entries, count, &count) == LW_OK)
            for (size_t i = 0; i < count; i++)
                move_element(s, &entries[i], lw_event_matrix_register(s->event, LW_OPERAND_D, entries[i].reg),
                             about.width / 8u);
        free(entries);
        lw_layout_free(layout);
        return;
    }
}

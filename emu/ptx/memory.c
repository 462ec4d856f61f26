/* SPDX-License-Identifier: MIT */
/* Moves, loads and stores. Every access is checked: it must be inside an allocation and aligned to its
 * size. */
#include "emu/device/log.h"
#include "emu/ptx/decode.h"
#include "emu/ptx/handlers.h"

typedef struct access {
    lw_ptx_warp *w;
    unsigned lane;
    uint32_t size;
    bool store;
} access;

/* `block`: lw_memory_access.block */
static void note(const access *a, lw_space space, uint64_t address, unsigned block)
{
    lw_memory_access *entry = a->w->head.log ? lw_log_next(a->w->head.log) : NULL;
    if (!entry)
        return;
    entry->lane = (int)a->lane;
    entry->space = space;
    entry->load = !a->store;
    entry->store = a->store;
    entry->address = address;
    entry->size = a->size;
    entry->block = (uint8_t)block;
}

static uint8_t *reach_global(const access *a, uint64_t address)
{
    char why[300];
    lw_worker *worker = a->w->head.group->worker;
    uint8_t *at = lw_mem_at(&worker->view, address, a->size, a->store);
    if (!at) {
        lw_mem_explain(&worker->view, address, a->size, a->store, why, sizeof(why));
        lw_fault_say(&a->w->head, (int)a->lane, "%s", why);
        return NULL;
    }
    if (worker->watch && worker->view.hit.writable &&
        !lw_watch_note(worker->watch, address, a->size, a->store)) {
        lw_fault_say(&a->w->head, -1, "there is no memory to record what the launch touches");
        return NULL;
    }
    if (worker->view.hit.guarded && !lw_ptx_heap_allows(a->w, a->lane, address, a->size, a->store))
        return NULL;
    note(a, LW_SPACE_GLOBAL, address, 0);
    return at;
}

/* An access to memory of the warp's own, of `size` bytes: shared memory, or a lane's local memory. */
static uint8_t *reach_own(const access *a, uint8_t *base, uint32_t size, uint64_t address, lw_space space,
                          const char *what)
{
    if (address >= size || a->size > size - address) {
        lw_fault_say(&a->w->head, (int)a->lane, "%s %u bytes at byte 0x%llx of %s, which has %u",
                     a->store ? "stores" : "loads", a->size, (unsigned long long)address, what, size);
        return NULL;
    }
    note(a, space, address, 0);
    return base + address;
}

/* Shared memory of another block of the cluster. Observers whose events concern one block are not told. */
static uint8_t *reach_remote(const access *a, uint32_t rank, uint32_t address)
{
    const lw_group *g = a->w->head.group;
    bool lives = false;
    for (uint32_t i = 0; i < g->wave_count; i++) {
        const lw_wave_head *x = lw_group_wave(g, i);
        lives = lives || (x->rank == rank && x->state != LW_WAVE_ENDED);
    }
    if (!lives)
        lw_fault_say(
            &a->w->head, (int)a->lane,
            "%s shared memory of block %u of the cluster, which has ended: the blocks have to meet at "
            "the cluster's barrier before one of them ends",
            a->store ? "writes" : "reads", rank);
    else if (address >= g->lds_size || a->size > g->lds_size - address)
        lw_fault_say(&a->w->head, (int)a->lane,
                     "%s %u bytes at byte 0x%x of the shared memory of block %u of the cluster, which has %u",
                     a->store ? "stores" : "loads", a->size, address, rank, g->lds_size);
    else {
        if (a->w->head.log && a->w->head.log->across)
            note(a, LW_SPACE_LDS, address, rank + 1);
        return lw_group_lds(g, rank) + address;
    }
    return NULL;
}

/* `own`: the instruction reaches the block's own memory only. */
static uint8_t *reach_shared(const access *a, uint64_t address, bool own)
{
    const lw_group *g = a->w->head.group;
    const uint32_t rank = (uint32_t)address >> LW_PTX_RANK_AT, at = lw_ptx_in_rank(address, 0);
    if (rank == a->w->head.rank)
        return reach_own(a, lw_group_lds(g, rank), g->lds_size, at, LW_SPACE_LDS, "shared memory");
    if (rank < lw_group_ranks(g) && !own)
        return reach_remote(a, rank, at);
    if (rank < lw_group_ranks(g))
        lw_fault_say(&a->w->head, (int)a->lane,
                     "%s shared memory of block %u of the cluster with .shared, which is that of the block's "
                     "own: .shared::cluster reaches others",
                     a->store ? "writes" : "reads", rank);
    else if (lw_group_ranks(g) > 1)
        lw_fault_say(&a->w->head, (int)a->lane,
                     "the address 0x%x names block %u of the cluster, which has %u", (uint32_t)address, rank,
                     lw_group_ranks(g));
    else
        return reach_own(a, g->lds, g->lds_size, (uint32_t)address, LW_SPACE_LDS, "shared memory");
    return NULL;
}

static uint8_t *reach_local(const access *a, uint64_t address)
{
    const uint32_t size = a->w->head.group->session->scratch_size;
    return reach_own(a, a->w->local + (size_t)a->lane * size, size, (uint32_t)address, LW_SPACE_SCRATCH,
                     "the lane's local memory");
}

/* Kernel parameters are in a separate space, which no observer sees. */
static uint8_t *reach_param(const access *a, uint64_t address)
{
    const lw_ptx_launch *l = a->w->head.group->session->own;
    const uint32_t size = l->function->param_size;
    if (a->store) {
        lw_fault_say(&a->w->head, (int)a->lane, "stores to the parameters of the kernel");
        return NULL;
    }
    if (address < size && a->size <= size - address)
        return l->params + address;
    lw_fault_say(&a->w->head, (int)a->lane, "loads %u bytes at byte 0x%llx of the parameters, which have %u",
                 a->size, (unsigned long long)address, size);
    return NULL;
}

/* A generic address selects the space by its window; other addresses are in their space. */
static uint8_t *reach(const access *a, uint8_t space, uint64_t address)
{
    const bool generic = space == LW_PTX_WORD_NONE;
    if (space == LW_PTX_WORD_PARAM || space == LW_PTX_WORD_PARAM_ENTRY)
        return reach_param(a, address);
    if (space == LW_PTX_WORD_SHARED || space == LW_PTX_WORD_SHARED_CTA || space == LW_PTX_WORD_SHARED_CLUSTER)
        return reach_shared(a, address, space != LW_PTX_WORD_SHARED_CLUSTER);
    if (space == LW_PTX_WORD_LOCAL)
        return reach_local(a, address);
    if (generic && address - LW_APERTURE_LDS < LW_APERTURE_SIZE)
        return reach_shared(a, address - LW_APERTURE_LDS, false);
    if (generic && address - LW_APERTURE_PRIVATE < LW_APERTURE_SIZE)
        return reach_local(a, address - LW_APERTURE_PRIVATE);
    if (generic && address - LW_PTX_APERTURE_PARAM < LW_APERTURE_SIZE)
        return reach_param(a, address - LW_PTX_APERTURE_PARAM);
    return reach_global(a, address);
}

static void say_misaligned(const access *a, uint8_t space, uint64_t address)
{
    char place[300] = "";
    const bool windowed =
        address - LW_APERTURE_LDS < LW_PTX_APERTURE_PARAM + LW_APERTURE_SIZE - LW_APERTURE_LDS;
    if (space == LW_PTX_WORD_GLOBAL || space == LW_PTX_WORD_CONST ||
        (space == LW_PTX_WORD_NONE && !windowed)) {
        memcpy(place, " (", 2);
        lw_mem_place(&a->w->head.group->worker->view, address, place + 2, sizeof(place) - 3);
        strcat(place, ")");
    }
    lw_fault_say(&a->w->head, (int)a->lane, "%s %u bytes at address 0x%llx%s, which is not a multiple of %u",
                 a->store ? "stores" : "loads", a->size, (unsigned long long)address, place, a->size);
}

uint8_t *lw_ptx_reach(lw_ptx_warp *w, unsigned lane, uint8_t space, uint64_t address, uint32_t size,
                      bool store)
{
    const access a = { w, lane, size, store };
    if (address % size) {
        say_misaligned(&a, space, address);
        return NULL;
    }
    return reach(&a, space, address);
}

/* ---- Windows of the generic address space ---- */

uint64_t lw_ptx_window(uint8_t space)
{
    static const uint64_t windows[LW_PTX_WORD_COUNT] = {
        [LW_PTX_WORD_SHARED] = LW_APERTURE_LDS,         [LW_PTX_WORD_SHARED_CTA] = LW_APERTURE_LDS,
        [LW_PTX_WORD_SHARED_CLUSTER] = LW_APERTURE_LDS, [LW_PTX_WORD_LOCAL] = LW_APERTURE_PRIVATE,
        [LW_PTX_WORD_PARAM] = LW_PTX_APERTURE_PARAM,    [LW_PTX_WORD_PARAM_ENTRY] = LW_PTX_APERTURE_PARAM,
    };
    return windows[space];
}

/* Parameters of functions are in local memory. */
static bool settle_space(lw_ptx_decoding *d, lw_ptx_record *r)
{
    const bool param = r->space == LW_PTX_WORD_PARAM || r->space == LW_PTX_WORD_PARAM_ENTRY;
    if (param && (!d->function->is_entry || r->src[0].kind == LW_PTX_SOURCE_FRAME))
        r->space = LW_PTX_WORD_LOCAL;
    return true;
}

static uint64_t to_generic(const lw_ptx_record *r, const uint64_t *in)
{
    return in[0] + lw_ptx_window(r->space);
}

static uint64_t from_generic(const lw_ptx_record *r, const uint64_t *in)
{
    return in[0] - lw_ptx_window(r->space);
}

const lw_ptx_handler lw_ptx_sem_cvta = { .exec = lw_ptx_compute,
                                         .lane = to_generic,
                                         .prepare = settle_space };
const lw_ptx_handler lw_ptx_sem_cvta_to = { .exec = lw_ptx_compute,
                                            .lane = from_generic,
                                            .prepare = settle_space };

/* Global and constant memory share the addresses outside all other windows; the module's constants are
 * known. */
static bool is_in_space(const lw_ptx_warp *w, uint8_t space, uint64_t address)
{
    const uint64_t window = lw_ptx_window(space);
    const lw_module *m = w->head.group->session->module;
    const lw_ptx_placed *own = m->own;
    const bool other = space == LW_PTX_WORD_SHARED || space == LW_PTX_WORD_SHARED_CTA
                           ? (uint32_t)address >> LW_PTX_RANK_AT != w->head.rank
                           : false;
    if (window)
        return address - window < LW_APERTURE_SIZE && !other;
    const bool constant = address - own->consts < own->consts_size;
    const bool windowed =
        address - LW_APERTURE_LDS < LW_PTX_APERTURE_PARAM + LW_APERTURE_SIZE - LW_APERTURE_LDS;
    return space == LW_PTX_WORD_CONST ? constant : !constant && !windowed;
}

static lw_ptx_step isspacep(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    for (unsigned lane = 0; lane < LW_PTX_LANES; lane++)
        if (lanes >> lane & 1)
            lw_ptx_put(w, &r->dst[0], lane, is_in_space(w, r->space, lw_ptx_get(w, &r->src[0], lane)));
    return LW_PTX_STEP_NEXT;
}

const lw_ptx_handler lw_ptx_sem_isspacep = { .exec = isspacep };

/* ---- Loads and stores: dst and src hold the elements ---- */

uint64_t lw_ptx_address(const lw_ptx_warp *w, const lw_ptx_record *r, unsigned lane)
{
    return lw_ptx_get(w, &r->address, lane) + r->offset;
}

static void load_lane(lw_ptx_warp *w, const lw_ptx_record *r, unsigned lane, const uint8_t *at)
{
    const unsigned bytes = r->dst_bits / 8;
    for (unsigned i = 0; i < r->dst_count; i++) {
        uint64_t v = 0;
        memcpy(&v, at + (size_t)i * bytes, bytes);
        lw_ptx_put(w, &r->dst[i], lane, lw_ptx_extend(v, r->dst_bits, r->dst_signed));
    }
}

static lw_ptx_step ld(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    const uint32_t size = r->dst_count * (uint32_t)r->dst_bits / 8;
    for (unsigned lane = 0; lane < LW_PTX_LANES; lane++) {
        if (!(lanes >> lane & 1))
            continue;
        const uint8_t *at = lw_ptx_reach(w, lane, r->space, lw_ptx_address(w, r, lane), size, false);
        if (!at)
            return LW_PTX_STEP_FAULT;
        load_lane(w, r, lane, at);
    }
    return LW_PTX_STEP_NEXT;
}

static void note_store(lw_ptx_warp *w, const uint8_t *at, uint32_t size)
{
    const size_t own = (size_t)w->head.group->session->scratch_size * LW_PTX_LANES;
    if ((uintptr_t)at - (uintptr_t)w->local < own)
        lw_note_own_store(&w->head, at, size);
    else
        lw_note_store(w->head.group->worker, at, size);
}

static lw_ptx_step st(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    const unsigned bytes = r->src_bits / 8, size = r->src_count * bytes;
    for (unsigned lane = 0; lane < LW_PTX_LANES; lane++) {
        if (!(lanes >> lane & 1))
            continue;
        uint8_t *at = lw_ptx_reach(w, lane, r->space, lw_ptx_address(w, r, lane), size, true);
        if (!at)
            return LW_PTX_STEP_FAULT;
        note_store(w, at, size);
        for (unsigned i = 0; i < r->src_count; i++) {
            const uint64_t v = lw_ptx_get(w, &r->src[i], lane);
            memcpy(at + (size_t)i * bytes, &v, bytes);
        }
    }
    return LW_PTX_STEP_NEXT;
}

const lw_ptx_handler lw_ptx_sem_ld = { .exec = ld };
const lw_ptx_handler lw_ptx_sem_st = { .exec = st };

__extension__ typedef unsigned __int128 lw_ptx_wide;

/* ---- mov: one value, combined from parts and split into parts, the lowest first ---- */

/* One register of 32 or 64 bits, from another one or a constant. */
static bool mov_rows(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    const lw_ptx_source *d = &r->dst[0], *s = &r->src[0];
    const unsigned words = d->bits / 32u;
    if (lanes != UINT32_MAX || r->src_count != 1 || r->dst_count != 1 || d->kind != LW_PTX_SOURCE_REGISTER ||
        d->bits < 32 || r->dst_bits != d->bits)
        return false;
    uint32_t *row = &w->rows[(size_t)d->slot * LW_PTX_LANES];
    if (s->kind == LW_PTX_SOURCE_REGISTER && s->bits == d->bits && (!s->want || s->want == s->bits)) {
        memmove(row, &w->rows[(size_t)s->slot * LW_PTX_LANES], words * LW_PTX_LANES * sizeof(*row));
        return true;
    }
    if (s->kind != LW_PTX_SOURCE_CONSTANT)
        return false;
    const uint64_t v = lw_ptx_get(w, s, 0);
    for (unsigned i = 0; i < words * LW_PTX_LANES; i++)
        row[i] = (uint32_t)(v >> i / LW_PTX_LANES * 32);
    return true;
}

static lw_ptx_step mov(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    if (mov_rows(w, r, lanes))
        return LW_PTX_STEP_NEXT;
    const unsigned in = r->dst_bits / r->src_count, out = r->dst_bits / r->dst_count;
    for (unsigned lane = 0; lane < LW_PTX_LANES; lane++) {
        lw_ptx_wide v = 0;
        if (!(lanes >> lane & 1))
            continue;
        for (unsigned i = 0; i < r->src_count; i++)
            v |= (lw_ptx_wide)(lw_ptx_get(w, &r->src[i], lane) & lw_ptx_mask(in)) << i * in;
        for (unsigned i = 0; i < r->dst_count; i++)
            lw_ptx_put(w, &r->dst[i], lane, (uint64_t)(v >> i * out) & lw_ptx_mask(out));
    }
    return LW_PTX_STEP_NEXT;
}

const lw_ptx_handler lw_ptx_sem_mov = { .exec = mov };

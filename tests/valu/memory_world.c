/* SPDX-License-Identifier: MIT */
#include "tests/valu/memory_world.h"

#include <stdio.h>

#include "isa_tables/readings.h"

static const uint64_t sizes[WORLD_REGIONS] = { 4096 + 100, 300, 3 * 4096 + 52, 700, 500, 8000 };
enum { READ_ONLY = 3, TOLD = 4, ACROSS = 5 };

static unsigned below(kit *k, unsigned n)
{
    return (unsigned)((kit_random(k) >> 33) % n);
}

void world_open(world *w)
{
    memset(w, 0, sizeof(*w));
    if (lw_memory_create(&w->memory) != LW_OK)
        abort();
    for (unsigned i = 0; i < ACROSS; i++) {
        const lw_access access = i == READ_ONLY ? LW_ACCESS_READ : LW_ACCESS_READ_WRITE;
        w->size[i] = sizes[i];
        if (lw_memory_allocate(w->memory, "some", sizes[i], access, &w->base[i], NULL) != LW_OK)
            abort();
    }
    const lw_region across = { .base = LW_ADDRESS_FIRST * 2 - 4000,
                               .size = sizes[ACROSS],
                               .host = calloc(1, (size_t)sizes[ACROSS]),
                               .writable = true,
                               .owned = true };
    w->base[ACROSS] = across.base;
    w->size[ACROSS] = across.size;
    if (!across.host || lw_memory_map(w->memory, &across) != LW_OK)
        abort();
    w->touches = calloc(1, WORLD_TOUCHES);
    w->session.memory = w->memory;
    w->group.session = &w->session;
    w->group.worker = &w->worker;
    w->worker.session = &w->session;
    w->group.lds = w->lds;
    w->group.copies.pool = &w->pool;
}

static void end_watch(world *w)
{
    if (w->worker.watch)
        lw_watch_view_end(w->worker.watch);
    lw_watch_free(w->watch);
    w->worker.watch = NULL;
    w->watch = NULL;
}

void world_close(world *w)
{
    end_watch(w);
    lw_memory_free(w->memory);
    lw_copy_pool_free(&w->pool);
    free(w->touches);
}

static uint8_t *host_of(const world *w, unsigned region)
{
    return lw_memory_host(w->memory, w->base[region], w->size[region]);
}

static void fill_bytes(kit *k, uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i += 8) {
        const uint64_t any = kit_random(k);
        memcpy(bytes + i, &any, size - i < 8 ? size - i : 8);
    }
}

/* Everything that a wave points to. */
static void point(world *w)
{
    w->k.w.vgpr = w->k.vgpr[0];
    w->k.w.agpr = w->k.agpr[0];
    w->k.w.head.fault = &w->k.fault;
    w->k.w.head.group = &w->group;
    w->k.w.scratch = w->scratch;
}

/* Everything that a wave points to, with empty records. */
static void open_books(world *w)
{
    end_watch(w);
    point(w);
    if (lw_memory_watch_stores(w->memory, w->base[TOLD], NULL) != LW_OK)
        abort();
    memset(w->touches, 0, WORLD_TOUCHES);
    w->worker = (lw_worker){ .session = &w->session };
    w->worker.view.memory = w->memory;
    w->worker.touches = w->repeating ? w->touches : NULL;
    if (!w->watched)
        return;
    w->watch = lw_watch_new(w->memory);
    w->worker.watch = w->watch ? lw_watch_view_new(w->watch) : NULL;
    for (unsigned i = 0; i < WORLD_REGIONS; i++) /* pages that were only read have not been saved */
        lw_watch_note(w->worker.watch, w->base[i], 1, false);
}

void world_fill(world *w, lw_arch arch, uint64_t seed, bool watched, bool repeating)
{
    static const uint32_t lds_sizes[] = { WORLD_LDS, 4096, 1000, 16, 7, 0 };
    memset(&w->k, 0, sizeof(w->k));
    w->k.seed = seed;
    w->k.w.vgprs = w->k.w.agprs = KIT_REGS;
    forms_fill(&w->k, arch);
    w->k.w.scratch_size = WORLD_SCRATCH;
    w->session.kernel_readings = below(&w->k, 3) ? 0 : LW_KERNEL_RANGE_WITHOUT_SOFFSET;
    w->session.async = below(&w->k, 4) ? LW_ASYNC_LATE : LW_ASYNC_EARLY;
    w->group.lds_size = lds_sizes[below(&w->k, 3) ? below(&w->k, 2) : below(&w->k, 6)];
    fill_bytes(&w->k, w->lds, sizeof(w->lds));
    fill_bytes(&w->k, w->scratch, sizeof(w->scratch));
    for (unsigned i = 0; i < WORLD_REGIONS; i++)
        fill_bytes(&w->k, host_of(w, i), (size_t)w->size[i]);
    w->watched = watched;
    w->repeating = repeating;
    open_books(w);
}

void world_copy(world *to, const world *from)
{
    to->k = from->k;
    to->session.kernel_readings = from->session.kernel_readings;
    to->session.async = from->session.async;
    to->group.lds_size = from->group.lds_size;
    memcpy(to->lds, from->lds, sizeof(to->lds));
    memcpy(to->scratch, from->scratch, sizeof(to->scratch));
    for (unsigned i = 0; i < WORLD_REGIONS; i++)
        memcpy(host_of(to, i), host_of(from, i), (size_t)to->size[i]);
    to->watched = from->watched;
    to->repeating = from->repeating;
    open_books(to);
}

void world_together(world *w)
{
    const uint64_t active = lw_wave_exec(&w->k.w);
    const unsigned first = active ? (unsigned)__builtin_ctzll(active) : 0;
    for (unsigned r = 0; r < KIT_REGS; r++)
        for (unsigned lane = 0; lane < LW_LANES; lane++)
            w->k.vgpr[r][lane] = w->k.vgpr[r][first];
}

void world_return(world *w, const world *from)
{
    w->k = from->k;
    point(w);
}

/* ---- Addresses ---- */

/* Offsets of the lanes' bytes within `size`: consecutive, spread, equal, overlapping, at the end, some beyond
 * it. */
static void aim_offsets(kit *k, uint64_t size, unsigned bytes, uint32_t offset[LW_LANES])
{
    const uint32_t room = size > bytes ? (uint32_t)(size - bytes) : 0;
    const unsigned pattern = below(k, 7), unit = below(k, 2) ? bytes : 1 + below(k, 2 * bytes);
    uint32_t start = below(k, room + 1);
    if (pattern < 3 && (uint64_t)LW_LANES * unit <= size)
        start = below(k, (unsigned)(size - (uint64_t)LW_LANES * unit) + 1);
    if (below(k, 2))
        start &= ~15u;
    if (pattern == 2 && (uint64_t)LW_LANES * bytes <= size && !below(k, 4)) /* the last ones are outside */
        start = (uint32_t)(size - (uint64_t)LW_LANES * bytes) + bytes * (1 + below(k, 4));
    for (unsigned lane = 0; lane < LW_LANES; lane++) {
        const uint32_t any = below(k, room + 1);
        offset[lane] = pattern < 3    ? start + lane * (pattern ? bytes : unit)
                       : pattern == 3 ? start
                       : pattern == 4 ? (start + below(k, 12) < room ? start + below(k, 12) : room)
                       : pattern == 5 ? room - (any < 4 ? any : 0)
                                      : any;
    }
    if (!below(k, 4))
        offset[below(k, LW_LANES)] += room + below(k, 20);
    if (!below(k, 8))
        offset[below(k, LW_LANES)] = (uint32_t)(kit_random(k) >> 20);
}

static void aim_narrow(world *w, const uint32_t *offset, uint32_t base, unsigned reg)
{
    for (unsigned lane = 0; lane < LW_LANES; lane++)
        w->k.vgpr[reg][lane] = offset[lane] - base;
}

static void aim_wide(world *w, const uint32_t *offset, uint64_t base, unsigned reg)
{
    const bool wild = below(&w->k, 2);
    for (unsigned lane = 0; lane < LW_LANES; lane++) {
        const bool active = lw_wave_exec(&w->k.w) >> lane & 1;
        const uint64_t at = base + offset[lane];
        w->k.vgpr[reg][lane] = active || !wild ? (uint32_t)at : (uint32_t)(at * 77);
        w->k.vgpr[reg + 1][lane] = (uint32_t)(at >> 32) + (below(&w->k, 2000) == 0);
    }
}

static void aim_flat(world *w, const lw_decoded *in)
{
    kit *k = &w->k;
    uint32_t offset[LW_LANES];
    const uint64_t add = (uint64_t)(int64_t)in->offset;
    const bool has_row = in->src[0].kind == LW_OPND_VGPR, has_base = in->src[2].kind == LW_OPND_SGPR;
    if (in->seg == LW_SEG_SCRATCH) {
        aim_offsets(k, WORLD_SCRATCH, in->row->bytes, offset);
        const uint32_t base = has_base ? below(k, 50) : 0;
        if (has_base)
            k->w.sgpr[in->src[2].reg] = has_row ? base : offset[0] - (uint32_t)add;
        if (has_row)
            aim_narrow(w, offset, base + (uint32_t)add, in->src[0].reg);
        return;
    }
    const unsigned region = below(k, WORLD_REGIONS);
    aim_offsets(k, w->size[region], in->row->bytes, offset);
    if (in->src[0].dwords == 2) {
        const uint64_t aperture = below(k, 2) ? LW_APERTURE_LDS : LW_APERTURE_PRIVATE;
        const bool generic = in->seg == LW_SEG_FLAT && !below(k, 4);
        aim_wide(w, offset, (generic ? aperture : w->base[region]) - add, in->src[0].reg);
        return;
    }
    const unsigned how = below(k, 4);
    const uint32_t shift = how == 0   ? 0
                           : how == 1 ? below(k, 300)
                           : how == 2 ? UINT32_MAX
                                      : 0u - below(k, 300);
    const uint64_t base = w->base[region] - (uint64_t)(int64_t)(how == 2 ? (int64_t)shift : (int32_t)shift);
    aim_narrow(w, offset, 0 - shift, in->src[0].reg);
    lw_wave_set_sgpr64(&k->w, in->src[2].reg, base - add);
}

static void aim_lds(world *w, const lw_decoded *in)
{
    uint32_t offset[LW_LANES];
    const bool pair = in->row->flags & LW_OPF_OFF2;
    const unsigned bytes = in->row->exchange ? in->dst.dwords * 4u : in->row->bytes;
    aim_offsets(&w->k, w->group.lds_size, bytes, offset);
    const uint32_t add = (uint32_t)in->offset & (pair ? 0xff : 0xffff);
    aim_narrow(w, offset, add * (pair ? bytes : 1), in->src[0].reg);
}

static void aim_buffer(world *w, const lw_decoded *in)
{
    kit *k = &w->k;
    uint32_t offset[LW_LANES], *resource = &k->w.sgpr[in->src[1].reg];
    const unsigned region = below(k, WORLD_REGIONS), reg = in->src[0].reg;
    const bool has_row = in->src[0].kind == LW_OPND_VGPR, strided = in->idxen && below(k, 4);
    const uint32_t stride = strided ? 1 + below(k, 40) : 0, soffset = below(k, 3) ? 0 : below(k, 40);
    const uint64_t size = w->size[region];
    aim_offsets(k, size, in->row->bytes, offset);
    if (in->src[2].kind == LW_OPND_SGPR)
        k->w.sgpr[in->src[2].reg] = soffset;
    for (unsigned lane = 0; lane < LW_LANES && has_row; lane++) {
        const uint32_t index = stride ? offset[lane] / stride : (uint32_t)kit_random(k);
        if (in->idxen)
            k->vgpr[reg][lane] = index;
        if (in->offen)
            k->vgpr[reg + (in->idxen ? 1 : 0)][lane] =
                offset[lane] - index * stride - (uint32_t)in->offset - (below(k, 50) ? 0 : soffset);
    }
    const uint64_t base = w->base[region] - (has_row && in->offen ? 0 : below(k, 2) * (uint64_t)in->offset);
    resource[0] = (uint32_t)base;
    resource[1] = (uint32_t)(base >> 32) | stride << 16 | (uint32_t)(below(k, 16) == 0) << 31;
    uint32_t highest = 0; /* a buffer that ends near the last lane's bytes, or anywhere */
    for (unsigned lane = 0; lane < LW_LANES; lane++)
        highest = offset[lane] > highest ? offset[lane] : highest;
    resource[2] = below(k, 3) ? highest + in->row->bytes + below(k, 41) : UINT32_MAX - below(k, 2);
    if (stride)
        resource[2] = highest / stride + below(k, 2);
    resource[3] = below(k, 16) ? 0 : 1u << 23;
    resource[3] |= (below(k, 8) ? 3u : below(k, 4)) << 28; /* OOB_SELECT of gfx11, nothing on gfx9 */
}

/* Where copies to LDS go, most of them inside. */
static void aim_copies(world *w)
{
    const uint32_t all = 16 * LW_LANES, size = w->group.lds_size, room = size > all ? size - all : 0;
    w->k.w.sgpr[LW_SGPR_M0] = below(&w->k, below(&w->k, 8) ? room + 1 : size + 40);
    if (!below(&w->k, 4)) /* bits that do not count */
        w->k.w.sgpr[LW_SGPR_M0] |= below(&w->k, 1 << 12) << 18;
}

void world_aim(world *w, const lw_decoded *in)
{
    if (in->lds)
        aim_copies(w);
    if (in->row->enc == LW_ENC_DS)
        aim_lds(w, in);
    else if (in->row->enc == LW_ENC_FLAT)
        aim_flat(w, in);
    else if (in->row->enc == LW_ENC_MUBUF)
        aim_buffer(w, in);
}

bool world_arrive(world *w)
{
    bool good = true;
    lw_copy *copy;
    while (good && (copy = lw_copies_take_first(&w->group.copies)) != NULL) {
        w->k.w.head.pending--;
        good = lw_amd_copy(&w->k.w.head, copy);
        lw_copies_recycle(&w->group.copies, copy);
    }
    lw_copies_drop(&w->group.copies);
    return good;
}

/* ---- Comparing ---- */

static bool same_watch(const world *a, const world *b)
{
    if (!a->worker.watch)
        return true;
    for (int store = 0; store < 2; store++) {
        lw_watch_end_run(&a->worker.watch->run[store], store);
        lw_watch_end_run(&b->worker.watch->run[store], store);
    }
    for (size_t i = 0; i < a->memory->count; i++) {
        void **x = a->worker.watch->pages[i], **y = b->worker.watch->pages[i];
        for (size_t page = 0; page * LW_WATCH_PAGE < a->memory->regions[i].size; page++) {
            const lw_watch_page *p = x ? x[page] : NULL, *q = y ? y[page] : NULL;
            if ((p == NULL) != (q == NULL))
                return false;
            if (p && (p->saved != q->saved || memcmp(p->bits, q->bits, sizeof(p->bits)) != 0))
                return false;
        }
    }
    return true;
}

static const char *difference(const world *a, const world *b)
{
    for (unsigned i = 0; i < WORLD_REGIONS; i++)
        if (memcmp(host_of(a, i), host_of(b, i), (size_t)a->size[i]) != 0)
            return "memory";
    const lw_region *x = &a->memory->regions[TOLD], *y = &b->memory->regions[TOLD];
    if (memcmp((const void *)x->stored, (const void *)y->stored, lw_region_marks(x)) != 0)
        return "marks of stores";
    if (memcmp(a->lds, b->lds, sizeof(a->lds)) != 0)
        return "LDS";
    if (memcmp(a->scratch, b->scratch, sizeof(a->scratch)) != 0)
        return "scratch";
    if (a->worker.changes != b->worker.changes)
        return "changes";
    if (memcmp(a->touches, b->touches, sizeof(size_t)) != 0)
        return "touches";
    if (memcmp(&a->worker.outside, &b->worker.outside, sizeof(a->worker.outside)) != 0)
        return "LDS outside";
    if (strcmp(a->k.fault.reason, b->k.fault.reason) != 0 || a->k.fault.lane != b->k.fault.lane)
        return "fault";
    return same_watch(a, b) ? NULL : "watch";
}

bool world_same(const world *a, const world *b, char *where, size_t size)
{
    const char *what = difference(a, b);
    if (what)
        snprintf(where, size, "%s", what);
    return !what && forms_same(&a->k, &b->k, where, size);
}

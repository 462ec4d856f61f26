/* SPDX-License-Identifier: MIT */
/* Saving the state of a session, and going back to it. */
#include <stdlib.h>
#include <string.h>

#include "emu/device/fail.h"
#include "emu/device/session.h"

/* A saved workgroup. */
typedef struct saved_group {
    uint8_t *bytes;   /* the whole allocation; NULL: it had already ended in this round */
    lw_copies copies; /* deep copies of the pending ones, in a pool of their own */
} saved_group;

/* How often a thread had arrived at the places of one page. */
typedef struct saved_counts {
    size_t page;
    uint64_t executed[LW_CODE_PAGE];
} saved_counts;

struct lw_checkpoint {
    const lw_session *session;
    lw_snapshot *memory;
    lw_grid_place place;
    saved_group *groups;
    lw_copy_pool pool;
    saved_counts *counts;
    size_t count_pages;
    uint64_t executed, waves, changes, stepped;
    lw_lds_outside outside;
    uint64_t outside_linear, outside_pc;
    uint8_t *notes;
    size_t note_bytes;
};

/* Appends copies of all of `from`. False: no host memory. */
static bool clone_copies(const lw_copies *from, lw_copies *to)
{
    for (const lw_copy *c = from->first; c; c = c->next) {
        lw_copy *made = lw_copies_new(to, c->owner, c->pc, c->index);
        bool good = made != NULL;
        if (good)
            made->kind = c->kind;
        for (size_t i = 0; good && i < c->count; i++) {
            lw_copy_piece *piece = lw_copy_add(made);
            good = piece != NULL;
            if (good)
                *piece = c->pieces[i];
        }
        if (!good) {
            if (made)
                lw_copies_recycle(to, made);
            return false;
        }
        lw_copies_issue(to, made);
    }
    return true;
}

/* ---- Saving ---- */

static bool save_group(lw_checkpoint *c, saved_group *to, const lw_group *g)
{
    const size_t bytes = lw_group_bytes(g->session);
    to->copies = (lw_copies){ .pool = &c->pool };
    to->bytes = malloc(bytes);
    if (!to->bytes)
        return false;
    memcpy(to->bytes, g, bytes);
    return clone_copies(&g->copies, &to->copies);
}

static bool save_groups(lw_checkpoint *c, const lw_session *s)
{
    c->groups = calloc(c->place.live + 1, sizeof(*c->groups));
    for (size_t i = 0; c->groups && i < c->place.live; i++) {
        const lw_group *g = lw_grid_group(s->grid, i);
        if (g && !save_group(c, &c->groups[i], g))
            return false;
    }
    return c->groups != NULL;
}

static bool save_counts(lw_checkpoint *c, const lw_worker *w)
{
    size_t pages = 0;
    for (const lw_count_page *p = w->counts.first; p; p = p->next)
        pages++;
    c->counts = malloc((pages + 1) * sizeof(*c->counts));
    for (const lw_count_page *p = w->counts.first; c->counts && p; p = p->next) {
        saved_counts *to = &c->counts[c->count_pages++];
        to->page = p->number;
        memcpy(to->executed, p->executed, sizeof(to->executed));
    }
    return c->counts != NULL;
}

static bool save_worker(lw_checkpoint *c, const lw_worker *w)
{
    c->executed = w->executed;
    c->waves = w->waves;
    c->changes = w->changes;
    c->outside = w->outside;
    c->outside_linear = w->outside_linear;
    c->outside_pc = w->outside_pc;
    c->note_bytes = w->note_bytes;
    c->notes = malloc(w->note_bytes + 1);
    if (c->notes && w->note_bytes)
        memcpy(c->notes, w->notes, w->note_bytes);
    return c->notes && save_counts(c, w);
}

/* Counts what is about to be saved towards the memory's limit. */
static lw_status take_room(lw_checkpoint *c, const lw_session *s, const lw_worker *w, lw_error *error)
{
    const lw_status status = lw_memory_snapshot(s->memory, &c->memory, error);
    if (status != LW_OK)
        return status;
    uint64_t bytes = w->note_bytes;
    for (size_t i = 0; i < c->place.live; i++) {
        const lw_group *g = lw_grid_group(s->grid, i);
        bytes += g ? lw_group_bytes(s) + lw_copies_bytes(&g->copies) : 0;
    }
    for (const lw_count_page *p = w->counts.first; p; p = p->next)
        bytes += sizeof(saved_counts);
    if (lw_snapshot_take(c->memory, bytes))
        return LW_OK;
    return lw_fail(error, LW_E_NO_MEMORY,
                   "a checkpoint begins with %llu bytes; the memory limit of %llu bytes leaves %llu",
                   (unsigned long long)bytes, (unsigned long long)s->memory->limit,
                   (unsigned long long)lw_memory_room(s->memory));
}

static lw_status fill(lw_checkpoint *c, lw_session *s, lw_error *error)
{
    lw_worker *worker = lw_grid_worker(s->grid);
    const lw_status status = worker && lw_grid_save(s->grid, &c->place)
                                 ? take_room(c, s, worker, error)
                                 : lw_fail(error, LW_E_NO_MEMORY, "no host memory for a checkpoint");
    if (status != LW_OK)
        return status;
    lw_worker_settle(worker, s->machine);
    if (!save_groups(c, s) || !save_worker(c, worker))
        return lw_fail(error, LW_E_NO_MEMORY, "no host memory for a checkpoint");
    return LW_OK;
}

lw_status lw_session_save(lw_session *s, lw_checkpoint **checkpoint, lw_error *error)
{
    if (!s || !checkpoint)
        return lw_fail(error, LW_E_ARGUMENT, "saving needs a session and a place for the handle");
    if (s->footprint)
        return lw_fail(error, LW_E_UNSUPPORTED, "a launch whose footprint is recorded cannot be stepped");
    lw_checkpoint *c = lw_session_open_grid(s) ? calloc(1, sizeof(*c)) : NULL;
    const lw_status status =
        c ? fill(c, s, error) : lw_fail(error, LW_E_NO_MEMORY, "no host memory for a checkpoint");
    if (status != LW_OK) {
        lw_checkpoint_free(c);
        return status;
    }
    c->session = s;
    c->stepped = s->stepped;
    *checkpoint = c;
    return LW_OK;
}

void lw_checkpoint_free(lw_checkpoint *c)
{
    if (!c)
        return;
    for (size_t i = 0; c->groups && i < c->place.live; i++) {
        lw_copies_drop(&c->groups[i].copies);
        free(c->groups[i].bytes);
    }
    lw_copy_pool_free(&c->pool);
    lw_grid_place_free(&c->place);
    lw_snapshot_free(c->memory);
    free(c->groups);
    free(c->counts);
    free(c->notes);
    free(c);
}

/* ---- Going back ---- */

/* NULL: no host memory. */
static lw_group *make_group(const saved_group *from, lw_worker *worker)
{
    const size_t bytes = lw_group_bytes(worker->session);
    lw_group *g = aligned_alloc(64, bytes);
    if (!g)
        return NULL;
    memcpy(g, from->bytes, bytes);
    g->copies = (lw_copies){ .pool = &worker->copies };
    g->compared = NULL;
    g->comparing = false;
    g->worker = worker;
    lw_group_attach(g);
    if (clone_copies(&from->copies, &g->copies))
        return g;
    lw_copies_drop(&g->copies);
    free(g);
    return NULL;
}

static void free_groups(void **groups, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        lw_group *g = groups[i];
        if (g)
            lw_copies_drop(&g->copies);
        free(g);
    }
    free(groups);
}

/* NULL: no host memory. */
static void **make_groups(const lw_checkpoint *c, lw_worker *worker)
{
    void **groups = calloc(c->place.live + 1, sizeof(*groups));
    for (size_t i = 0; groups && i < c->place.live; i++) {
        if (c->groups[i].bytes && !(groups[i] = make_group(&c->groups[i], worker))) {
            free_groups(groups, i);
            return NULL;
        }
    }
    return groups;
}

/* The checkpoint's pages all exist: pages are never removed. */
static void put_worker(const lw_checkpoint *c, lw_worker *w)
{
    w->executed = c->executed;
    w->waves = c->waves;
    w->changes = c->changes;
    w->outside = c->outside;
    w->outside_linear = c->outside_linear;
    w->outside_pc = c->outside_pc;
    w->faulted = false;
    w->touches = NULL;
    if (w->note_bytes)
        memset(w->notes, 0, w->note_bytes);
    if (c->note_bytes)
        memcpy(w->notes, c->notes, c->note_bytes);
    lw_worker_settle(w, w->session->machine);
    for (lw_count_page *p = w->counts.first; p; p = p->next)
        memset(p->executed, 0, sizeof(p->executed));
    for (size_t i = 0; i < c->count_pages; i++)
        memcpy(lw_counts_at(&w->counts, c->counts[i].page)->executed, c->counts[i].executed,
               sizeof(c->counts[i].executed));
}

/* The number of workgroups in the checkpoint. */
static size_t saved_groups(const lw_checkpoint *c)
{
    size_t count = 0;
    for (size_t i = 0; i < c->place.live; i++)
        count += c->groups[i].bytes != NULL;
    return count;
}

/* The current workgroups are freed; only those beyond their number need room. */
static lw_status check_room(const lw_session *s, const lw_worker *worker, size_t wanted, lw_error *error)
{
    const uint64_t room = lw_memory_room(s->memory);
    const size_t held = worker->groups ? worker->groups : 1;
    const uint64_t bytes = wanted > held ? (wanted - held) * (uint64_t)lw_group_bytes(s) : 0;
    if (bytes <= room)
        return LW_OK;
    return lw_fail(error, LW_E_NO_MEMORY,
                   "going back takes %llu bytes for workgroups; the memory limit of %llu bytes leaves %llu",
                   (unsigned long long)bytes, (unsigned long long)s->memory->limit, (unsigned long long)room);
}

lw_status lw_session_restore(lw_session *s, const lw_checkpoint *c, lw_error *error)
{
    if (!s || !c || c->session != s)
        return lw_fail(error, LW_E_ARGUMENT, "going back needs a session and a checkpoint of it");
    lw_worker *worker = lw_grid_worker(s->grid);
    const size_t wanted = saved_groups(c);
    lw_status status = check_room(s, worker, wanted, error);
    void **groups = status == LW_OK ? make_groups(c, worker) : NULL;
    if (status == LW_OK && !groups)
        status = lw_fail(error, LW_E_NO_MEMORY, "no host memory to go back");
    if (status == LW_OK)
        status = lw_memory_restore(s->memory, c->memory, error);
    if (status == LW_OK && !lw_grid_restore(s->grid, &c->place, groups))
        status = lw_fail(error, LW_E_NO_MEMORY, "no host memory to go back");
    if (status != LW_OK) {
        if (groups)
            free_groups(groups, c->place.live);
        return status;
    }
    free(groups);
    lw_group_charge(worker, wanted);
    put_worker(c, worker);
    s->stand_count = 0;
    s->stepped = c->stepped;
    return LW_OK;
}

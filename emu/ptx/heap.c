/* SPDX-License-Identifier: MIT */
/*
 * malloc and free of kernels: blocks of one allocation of 8 MiB (the default size of CUDA's heap), which
 * keeps its contents between the launches of a module. The first block that is large enough is used. The data
 * about a block is in that memory, directly before the block; behind all blocks a table says of every 16
 * bytes how many of them a kernel may access. Snapshots and watched runs therefore include both.
 */
#include <stdio.h>

#include "emu/ptx/warp.h"

enum { HEAP_BYTES = 8 << 20, ALIGN = 16, TABLE_BYTES = HEAP_BYTES / ALIGN };

typedef enum block_use { BLOCK_NONE, BLOCK_USED, BLOCK_FREE } block_use;

/* Before each block. `room` 0: no block has been here yet. */
typedef struct block_head {
    uint32_t room, asked; /* its size, a multiple of ALIGN; the size that malloc was called with */
    uint32_t use;         /* block_use */
    uint32_t by;          /* the instruction that called malloc or free, from the module's first one */
} block_head;

enum { HEAD = sizeof(block_head) };

static bool names_malloc(const lw_ptx_module *m)
{
    for (size_t i = 0; i < m->functions.count; i++) {
        const lw_ptx_function *f = lw_ptx_function_at(m, i);
        if (!f->is_defined && lw_ptx_host_find(f->name, f->params.count) == LW_PTX_HOST_MALLOC)
            return true;
    }
    return false;
}

lw_status lw_ptx_heap_open(lw_module *m, lw_error *error)
{
    lw_ptx_placed *own = m->own;
    if (own->heap || !names_malloc(m->program->ptx))
        return LW_OK;
    const lw_status status = lw_memory_allocate(m->memory, "the heap of malloc", HEAP_BYTES + TABLE_BYTES,
                                                LW_ACCESS_READ_WRITE, &own->heap, error);
    if (status == LW_OK)
        lw_memory_guard(m->memory, own->heap);
    return status;
}

static uint64_t heap_of(const lw_ptx_warp *w)
{
    return ((const lw_ptx_placed *)w->head.group->session->module->own)->heap;
}

/* Bytes of the heap's own data. NULL: a fault, which has been reported. */
static uint8_t *reach(lw_ptx_warp *w, unsigned lane, uint64_t address, uint64_t size, bool store)
{
    lw_worker *worker = w->head.group->worker;
    uint8_t *at = lw_mem_at(&worker->view, address, size, store);
    if (at && (!worker->watch || lw_watch_note(worker->watch, address, size, store))) {
        if (store)
            lw_note_store(worker, at, (uint32_t)size);
        return at;
    }
    lw_fault_say(&w->head, (int)lane, "there is no memory to watch malloc's heap");
    return NULL;
}

static bool load(lw_ptx_warp *w, unsigned lane, uint64_t address, block_head *head)
{
    const uint8_t *at = reach(w, lane, address, HEAD, false);
    if (at)
        memcpy(head, at, HEAD);
    return at != NULL;
}

/* Writes a block's head and, in the table, which of its bytes may be accessed. */
static bool store(lw_ptx_warp *w, unsigned lane, uint64_t address, const block_head *head)
{
    const uint64_t heap = heap_of(w), granules = head->room / ALIGN;
    const uint64_t entry = heap + HEAP_BYTES + (address + HEAD - heap) / ALIGN;
    const uint32_t open = head->use == BLOCK_USED ? head->asked : 0;
    uint8_t *at = reach(w, lane, address, HEAD, true);
    uint8_t *table = at ? reach(w, lane, entry, granules, true) : NULL;
    if (!table)
        return false;
    memcpy(at, head, HEAD);
    memset(table, 0, (size_t)granules);
    memset(table, ALIGN, open / ALIGN);
    if (open % ALIGN)
        table[open / ALIGN] = open % ALIGN;
    return true;
}

static uint32_t caller(const lw_ptx_warp *w)
{
    return (uint32_t)(w->head.pc - w->head.group->session->module->base);
}

bool lw_ptx_heap_take(lw_ptx_warp *w, unsigned lane, uint64_t size, uint64_t *address)
{
    const uint64_t heap = heap_of(w);
    const uint64_t want = size > HEAP_BYTES ? HEAP_BYTES : (size + ALIGN - 1) / ALIGN * ALIGN;
    *address = 0;
    for (uint64_t at = heap; size && at + HEAD + want <= heap + HEAP_BYTES;) {
        block_head head;
        if (!load(w, lane, at, &head))
            return false;
        if (head.room == 0 || (head.use == BLOCK_FREE && head.room >= want)) {
            *address = at + HEAD;
            head =
                (block_head){ head.room ? head.room : (uint32_t)want, (uint32_t)size, BLOCK_USED, caller(w) };
            return store(w, lane, at, &head);
        }
        at += HEAD + head.room;
    }
    return true;
}

/* The last block that begins at or before an address, or the first one. False: there is none, or a fault. */
static bool find_block(lw_ptx_warp *w, unsigned lane, uint64_t address, uint64_t *at, block_head *head)
{
    const uint64_t end = heap_of(w) + HEAP_BYTES;
    *at = heap_of(w);
    bool good = load(w, lane, *at, head) && head->room;
    while (good) {
        block_head next;
        const uint64_t then = *at + HEAD + head->room;
        if (then + HEAD > end || then + HEAD > address || !load(w, lane, then, &next) || !next.room)
            break;
        *at = then;
        *head = next;
    }
    return good;
}

/* "the block of 64 bytes at 0x1000000010 that "line 150: call.uni (retval0), malloc, (param0)" took" */
static void name_block(const lw_ptx_warp *w, uint64_t at, const block_head *head, char *text, size_t size)
{
    char line[80];
    const lw_session *s = w->head.group->session;
    s->machine->text(s->module, s->module->base + head->by, line, sizeof(line));
    snprintf(text, size, "the block of %u bytes at 0x%llx that \"%s\" %s", head->asked,
             (unsigned long long)(at + HEAD), line, head->use == BLOCK_FREE ? "has freed" : "took");
}

bool lw_ptx_heap_give(lw_ptx_warp *w, unsigned lane, uint64_t address)
{
    const uint64_t heap = heap_of(w);
    char block[200];
    uint64_t at = 0;
    block_head head = { .use = BLOCK_NONE };
    if (!address)
        return true;
    const bool inside = heap && address - heap < HEAP_BYTES && find_block(w, lane, address, &at, &head) &&
                        address >= at + HEAD;
    const bool begins = inside && at + HEAD == address;
    if (begins && head.use == BLOCK_USED) {
        head.use = BLOCK_FREE;
        head.by = caller(w);
        return store(w, lane, at, &head);
    }
    if (inside)
        name_block(w, at, &head, block, sizeof(block));
    if (begins)
        lw_fault_say(&w->head, (int)lane, "frees address 0x%llx, which is free already: it is %s",
                     (unsigned long long)address, block);
    else if (inside)
        lw_fault_say(&w->head, (int)lane,
                     "frees address 0x%llx, which malloc has not given: it is byte %llu of %s",
                     (unsigned long long)address, (unsigned long long)(address - at - HEAD), block);
    else {
        lw_mem_place(&w->head.group->worker->view, address, block, sizeof(block));
        lw_fault_say(&w->head, (int)lane, "frees address 0x%llx, which malloc has not given (%s)",
                     (unsigned long long)address, block);
    }
    return false;
}

/* The nearest block, and the distance to it. */
static void refuse(lw_ptx_warp *w, unsigned lane, uint64_t address, uint32_t size, bool stores)
{
    char block[200];
    const char *verb = stores ? "stores" : "loads";
    const unsigned long long a = address;
    uint64_t at;
    block_head head, next;
    if (!find_block(w, lane, address, &at, &head)) {
        lw_fault_say(&w->head, (int)lane,
                     "%s %u bytes at address 0x%llx in malloc's heap, which has no block", verb, size, a);
        return;
    }
    const uint64_t end = at + HEAD + head.asked, then = at + HEAD + head.room;
    const bool follows = then + HEAD < heap_of(w) + HEAP_BYTES && load(w, lane, then, &next) && next.room;
    if (address >= end && follows && address < then + HEAD && then + HEAD - address < address - end) {
        at = then;
        head = next;
    }
    name_block(w, at, &head, block, sizeof(block));
    const bool below = address < at + HEAD, past = address >= at + HEAD + head.asked;
    const uint64_t gap = below  ? at + HEAD - address
                         : past ? address - at - HEAD - head.asked
                                : address - at - HEAD;
    lw_fault_say(&w->head, (int)lane, "%s %u bytes at address 0x%llx, %s%llu%s %s", verb, size, a,
                 below || past ? "" : "byte ", (unsigned long long)gap,
                 below  ? " bytes before"
                 : past ? " bytes past the end of"
                        : " of",
                 block);
}

bool lw_ptx_heap_allows(lw_ptx_warp *w, unsigned lane, uint64_t address, uint32_t size, bool stores)
{
    const uint64_t offset = address - heap_of(w), first = offset / ALIGN, last = (offset + size - 1) / ALIGN;
    bool good = offset < HEAP_BYTES && last < TABLE_BYTES;
    const uint8_t *table =
        good ? reach(w, lane, heap_of(w) + HEAP_BYTES + first, last - first + 1, false) : NULL;
    if (good && !table)
        return false;
    for (uint64_t i = first; good && i <= last; i++)
        good = table[i - first] >= (i < last ? ALIGN : (offset + size - 1) % ALIGN + 1);
    if (!good)
        refuse(w, lane, address, size, stores);
    return good;
}

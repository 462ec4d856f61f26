/* SPDX-License-Identifier: MIT */
/*
 * malloc and free of kernels: blocks of one allocation of 8 MiB (the default size of CUDA's heap), which
 * keeps its contents between the launches of a module. The data about a block is in that memory, directly
 * before the block; snapshots and watched runs therefore include it. The first block that is large enough is
 * used.
 */
#include "emu/ptx/warp.h"

enum { HEAP_BYTES = 8 << 20, ALIGN = 16, HEAD = 16 };

/* Before each block: its size in bytes, and whether it is in use. Size 0: no block has been here yet. */
static const uint64_t used_mark = UINT64_C(0x7573656420626c6b), free_mark = UINT64_C(0x6672656520626c6b);

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
    return lw_memory_allocate(m->memory, "the heap of malloc", HEAP_BYTES, LW_ACCESS_READ_WRITE, &own->heap,
                              error);
}

static bool load(lw_ptx_warp *w, unsigned lane, uint64_t address, uint64_t *v)
{
    const uint8_t *at = lw_ptx_reach(w, lane, LW_PTX_WORD_GLOBAL, address, 8, false);
    if (at)
        memcpy(v, at, 8);
    return at != NULL;
}

static bool store(lw_ptx_warp *w, unsigned lane, uint64_t address, uint64_t v)
{
    uint8_t *at = lw_ptx_reach(w, lane, LW_PTX_WORD_GLOBAL, address, 8, true);
    if (!at)
        return false;
    lw_note_store(w->head.group->worker, at, 8);
    memcpy(at, &v, 8);
    return true;
}

bool lw_ptx_heap_take(lw_ptx_warp *w, unsigned lane, uint64_t size, uint64_t *address)
{
    const uint64_t heap = ((const lw_ptx_placed *)w->head.group->session->module->own)->heap;
    const uint64_t want = size > HEAP_BYTES ? HEAP_BYTES : (size + ALIGN - 1) / ALIGN * ALIGN;
    *address = 0;
    for (uint64_t at = heap; size && at + HEAD + want <= heap + HEAP_BYTES;) {
        uint64_t bytes, mark;
        if (!load(w, lane, at, &bytes) || !load(w, lane, at + 8, &mark))
            return false;
        if (bytes == 0 || (mark == free_mark && bytes >= want)) {
            *address = at + HEAD;
            return store(w, lane, at, bytes ? bytes : want) && store(w, lane, at + 8, used_mark);
        }
        at += HEAD + bytes;
    }
    return true;
}

bool lw_ptx_heap_give(lw_ptx_warp *w, unsigned lane, uint64_t address)
{
    const uint64_t heap = ((const lw_ptx_placed *)w->head.group->session->module->own)->heap;
    uint64_t mark = 0;
    if (!address)
        return true;
    const bool inside = address >= heap + HEAD && address < heap + HEAP_BYTES && address % ALIGN == 0;
    if (inside && !load(w, lane, address - 8, &mark))
        return false;
    if (mark == used_mark)
        return store(w, lane, address - 8, free_mark);
    lw_fault_say(&w->head, (int)lane, "frees address 0x%llx, which %s", (unsigned long long)address,
                 mark == free_mark ? "is free already" : "malloc has not given");
    return false;
}

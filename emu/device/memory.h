/* SPDX-License-Identifier: MIT */
/* Device memory as the machines see it: regions at device addresses, with one translation for every
 * access. */
#ifndef LW_EMU_DEVICE_MEMORY_H
#define LW_EMU_DEVICE_MEMORY_H

#include <stdatomic.h>

#include <lanewise/launch.h>

/* Where a launch places what the caller did not allocate, always below the first allocation. */
#define LW_ADDRESS_CODE UINT64_C(0x800000000)
#define LW_ADDRESS_KERNARG UINT64_C(0x700000000)
#define LW_ADDRESS_PACKET UINT64_C(0x701000000)
#define LW_ADDRESS_FIRST UINT64_C(0x1000000000)
#define LW_ADDRESS_END (UINT64_C(1) << 47) /* of lw_memory_allocate_at: below the windows */
/* Windows of the generic address space (Linux KFD's choice for gfx9). */
#define LW_APERTURE_LDS UINT64_C(0x1000000000000)
#define LW_APERTURE_PRIVATE UINT64_C(0x2000000000000)
/* where flat addresses reach the scratch of all lanes: compilers recognise these by bits 63 to 58, which are
 * 0 in all other addresses */
#define LW_APERTURE_ALL_SCRATCH UINT64_C(0x1000000000000000)
#define LW_APERTURE_SIZE UINT64_C(0x100000000)

typedef struct lw_region {
    uint64_t base, size;
    uint8_t *host;
    char *name;
    bool writable, owned;
    _Atomic uint8_t
        *stored;            /* a byte for four of memory, a bit for each that was stored to; NULL: no marks */
    _Atomic uint64_t *kept; /* by page: the last snapshot that has its bytes; NULL: none yet */
    bool noted;             /* stored, or a snapshot wants to know: stores must be reported */
    bool guarded;           /* the machine knows which of its bytes a kernel may reach */
    struct lw_keeper *keeper;
    uint64_t serial; /* unique among the regions of a memory */
} lw_region;

enum { LW_STORED_DWORD = 15 }; /* all four bytes */

struct lw_memory {
    lw_region *regions; /* ascending by base, without overlap */
    size_t count, capacity;
    uint64_t next;            /* where the next allocation goes */
    uint64_t limit, used;     /* the limit on bytes, launches included; bytes allocated here */
    long process;             /* the process that made it */
    uint64_t serial;          /* of the next region */
    struct lw_keeper *keeper; /* of snapshots */
    uint64_t beside;          /* part of `used`: bytes that the caller holds */
};

/* The size of a region's marks of stores, in bytes. */
static inline size_t lw_region_marks(const lw_region *r)
{
    return (size_t)(r->size / 4 + (r->size % 4 != 0));
}

/* Bytes that may still be allocated or saved. */
uint64_t lw_memory_room(const lw_memory *memory);

/*
 * The lowest multiple of 64 KiB from `from` on where `size` bytes fit with 64 KiB free on both sides, below
 * the first allocation. If there is none, an address where nothing can be mapped.
 */
uint64_t lw_memory_gap(const lw_memory *memory, uint64_t from, uint64_t size);

/* The id of this process; 0 on hosts without processes. */
long lw_memory_process(void);

/* A reader's position: the region its last access was in. One per thread. */
typedef struct lw_mem_view {
    const lw_memory *memory;
    lw_region hit;
    bool no_memory; /* the last store did not happen: no memory to save what it overwrites */
} lw_mem_view;

static inline bool lw_region_holds(const lw_region *r, uint64_t address, uint64_t size)
{
    const uint64_t offset = address - r->base;
    return offset < r->size && size <= r->size - offset;
}

/* The slow path of lw_mem_at: finds the region and remembers it. */
uint8_t *lw_mem_lookup(lw_mem_view *view, uint64_t address, uint64_t size, bool store);

/* Marks a store to `size` bytes at `offset` in a region that has marks. Several threads may store to one
 * dword. */
static inline void lw_region_note(const lw_region *r, uint64_t offset, uint64_t size)
{
    const uint64_t end = offset + size;
    for (uint64_t at = offset & ~UINT64_C(3); at < end; at += 4) {
        const unsigned from = at < offset ? (unsigned)(offset - at) : 0;
        const unsigned to = end - at < 4 ? (unsigned)(end - at) : 4;
        const unsigned bits = (1u << to) - (1u << from);
        if (bits == LW_STORED_DWORD)
            atomic_store_explicit(&r->stored[at / 4], LW_STORED_DWORD, memory_order_relaxed);
        else
            atomic_fetch_or_explicit(&r->stored[at / 4], (uint8_t)bits, memory_order_relaxed);
    }
}

/* Reports a store that is about to happen in a noted region. False: no memory to save what it overwrites. */
bool lw_region_tell(const lw_region *r, uint64_t offset, uint64_t size);

/* Host pointer to `size` bytes at `address`. NULL if they are not all in one region or if `store` and it is
 * read-only. */
static inline uint8_t *lw_mem_at(lw_mem_view *view, uint64_t address, uint64_t size, bool store)
{
    const lw_region *r = &view->hit;
    if (lw_region_holds(r, address, size) && (r->writable || !store)) {
        if (store && r->noted && !lw_region_tell(r, address - r->base, size)) {
            view->no_memory = true;
            return NULL;
        }
        return r->host + (address - r->base);
    }
    return lw_mem_lookup(view, address, size, store);
}

/* Says why lw_mem_at returned NULL. */
void lw_mem_explain(const lw_mem_view *view, uint64_t address, uint64_t size, bool store, char *text,
                    size_t text_size);

/* The place of an address as "byte 0x10 of "NAME", 64 bytes at 0x1000000000", or what it is nearest to. */
void lw_mem_place(const lw_mem_view *view, uint64_t address, char *text, size_t text_size);

/* The allocation at `base` becomes guarded. */
void lw_memory_guard(lw_memory *memory, uint64_t base);

/*
 * Maps host bytes at a device address; `owned` ones are freed with the memory. The name is copied.
 * LW_E_ARGUMENT if the range is occupied or wraps.
 */
lw_status lw_memory_map(lw_memory *memory, const lw_region *region);

/* Removes the region at `base`, and frees it if it is owned. Does nothing if there is none. */
void lw_memory_unmap(lw_memory *memory, uint64_t base);

#endif

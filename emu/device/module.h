/* SPDX-License-Identifier: MIT */
/* A program placed in a memory, inside. What is in it is the machine's business. */
#ifndef LW_EMU_DEVICE_MODULE_H
#define LW_EMU_DEVICE_MODULE_H

#include <lanewise/module.h>

#include "emu/device/code.h"
#include "emu/device/memory.h"

struct lw_machine;

/* What is known about one kernel's code, once it was asked for; guarded by code.lock. */
typedef struct lw_order {
    bool known;
    bool reachable_only;
    const char *why; /* the order of workgroups may be seen; NULL: it cannot */
} lw_order;

struct lw_module {
    const struct lw_machine *machine;
    lw_memory *memory;
    const lw_program *program; /* NULL: raw code */
    lw_arch arch;
    uint64_t base;  /* device address of the image's first byte */
    uint8_t *image; /* as placed: relocated; kernels may have written to its data */
    uint64_t image_size;
    uint64_t *mapped; /* the bases of its regions */
    size_t mapped_count;
    lw_code code;
    void *own;        /* the machine's */
    lw_order *orders; /* one for each kernel; of raw code one */
    size_t order_count;
    long process;
};

/* A module without contents. NULL: no host memory. */
lw_module *lw_module_new(const struct lw_machine *machine, lw_memory *memory, const lw_program *program,
                         size_t kernels);

/* Maps a region that goes when the module does. LW_E_NO_MEMORY, LW_E_ARGUMENT: see lw_memory_map. */
lw_status lw_module_map(lw_module *module, const lw_region *region);

#endif

/* SPDX-License-Identifier: MIT */
/* A program placed in a memory: internal interface. Its contents belong to the machine. */
#ifndef LW_EMU_DEVICE_MODULE_H
#define LW_EMU_DEVICE_MODULE_H

#include <lanewise/module.h>

#include "emu/device/code.h"
#include "emu/device/memory.h"

struct lw_machine;

/* What is known about one kernel's code, determined on request; guarded by code.lock. */
typedef struct lw_order {
    bool known;
    bool reachable_only;
    const char *why; /* why the order of workgroups can be observed; NULL: it cannot */
} lw_order;

struct lw_module {
    const struct lw_machine *machine;
    lw_memory *memory;
    const lw_program *program; /* NULL: raw code */
    lw_arch arch;
    uint64_t base;  /* device address of the image's first byte */
    uint8_t *image; /* as placed and relocated; kernels may have written to its data */
    uint64_t image_size;
    uint64_t *mapped; /* the bases of its regions */
    size_t mapped_count;
    lw_code code;
    void *own;        /* the machine's */
    lw_order *orders; /* one for each kernel; one for raw code */
    size_t order_count;
    long process;
};

/* A module without contents. NULL: no host memory. */
lw_module *lw_module_new(const struct lw_machine *machine, lw_memory *memory, const lw_program *program,
                         size_t kernels);

/* Maps a region that is removed with the module. LW_E_NO_MEMORY, LW_E_ARGUMENT: see lw_memory_map. */
lw_status lw_module_map(lw_module *module, const lw_region *region);

#endif

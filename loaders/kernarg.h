/* SPDX-License-Identifier: MIT */
/* Building what a kernel reads its arguments from: the kernarg segment and the AQL dispatch packet. */
#ifndef LW_LOADERS_KERNARG_H
#define LW_LOADERS_KERNARG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lanewise/launch.h>

/* What the hidden arguments are computed from. Zero stands for a facility that is missing here: the kernel
 * gets a null pointer. */
typedef struct lw_kernarg_launch {
    uint32_t items[3]; /* the grid in work-items, each at least 1 */
    uint32_t group[3]; /* a full workgroup, each at least 1 */
    uint64_t global_offset[3];
    unsigned dims;         /* 1..3; 0: the last dimension that has more than one work-item */
    uint32_t dynamic_lds;  /* bytes */
    uint64_t private_base; /* flat apertures, as addresses: the high half is passed */
    uint64_t shared_base;
    uint64_t printf_buffer, hostcall_buffer, multigrid_sync, heap, default_queue, completion_action, queue;
} lw_kernarg_launch;

/*
 * Writes the kernarg segment: `segment` has kernel->kernarg_size bytes (`size`), all of which are written
 * (padding and hidden_none as zeros). The caller passes no values for LW_ARG_LDS arguments: they get the LDS
 * address after the static LDS, rounded up to pointee_align.
 * A value named like a hidden argument replaces what is computed for it.
 * LW_E_ARGUMENT: wrong number of values, a name that is unknown or bound twice, wrong kind or size, grid or
 * group out of range; the sentence names the argument and what it must be. LW_E_UNSUPPORTED: an argument or a
 * hidden argument of a kind that a launch cannot set up.
 */
lw_status lw_kernarg_build(const lw_kernel_info *kernel, const lw_arg *values, size_t value_count,
                           const lw_kernarg_launch *launch, void *segment, size_t size, lw_error *error);

/* Where dynamic LDS starts: after the static LDS, rounded up to the strictest pointee_align. */
uint32_t lw_kernarg_lds_start(const lw_kernel_info *kernel);

enum { LW_AQL_PACKET_SIZE = 64 };

/*
 * Writes the HSA kernel dispatch packet that `enable_sgpr_dispatch_ptr` points to (LLVM AMDGPUUsage,
 * "Kernel Dispatch"; HSA Platform System Architecture Specification 1.2, 2.9.6).
 */
void lw_aql_packet(const lw_kernarg_launch *launch, uint32_t private_size, uint32_t group_size,
                   uint64_t kernel_object, uint64_t kernarg_address, uint8_t packet[LW_AQL_PACKET_SIZE]);

#endif

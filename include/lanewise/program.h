/* SPDX-License-Identifier: MIT */
/* Compiled kernels: loading code objects and asking what is inside. */
#ifndef LANEWISE_PROGRAM_H
#define LANEWISE_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lanewise/arch.h>
#include <lanewise/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lw_program lw_program;

/* What one kernel argument is, from the code object's metadata. */
typedef enum lw_arg_kind {
    LW_ARG_VALUE,  /* passed by value */
    LW_ARG_BUFFER, /* a pointer to global memory */
    LW_ARG_LDS,    /* a pointer to dynamically sized LDS: its value is set by the launch */
    LW_ARG_HIDDEN, /* set by the launch (block counts, group sizes, apertures, ...) */
    LW_ARG_OTHER,  /* images, samplers, queues: a launch refuses them */
} lw_arg_kind;

typedef struct lw_arg_info {
    const char *name;       /* "" when the metadata has none */
    const char *type_name;  /* source-level type, "" when absent */
    const char *value_kind; /* the metadata's own word: "by_value", "hidden_block_count_x", ... */
    lw_arg_kind kind;
    uint32_t offset, size; /* in the kernarg segment, bytes */
    bool is_const;         /* the kernel promises not to write through it (actual_access or is_const) */
} lw_arg_info;

typedef struct lw_kernel_info {
    const char *name;
    const lw_arg_info *args; /* explicit and hidden ones, in the metadata's order */
    size_t arg_count;
    size_t explicit_count; /* the first ones, those a caller gives */
    uint32_t kernarg_size, kernarg_align;
    uint32_t lds_size;     /* static LDS, bytes */
    uint32_t private_size; /* scratch per work-item, bytes */
    uint32_t wavefront_size;
    uint32_t max_workgroup_size;     /* 0 when not stated */
    uint32_t required_workgroup[3];  /* 0 when not stated */
    uint32_t vgprs, agprs, sgprs;    /* as the descriptor allocates them */
} lw_kernel_info;

#ifdef __cplusplus
}
#endif

#endif

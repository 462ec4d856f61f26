/* SPDX-License-Identifier: MIT */
/* IREE's #iree_gpu.lowering_config as text. */
#ifndef LW_CLI_SCHEDULE_CONFIG_H
#define LW_CLI_SCHEDULE_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/cli.h"

/* What one says about a matrix product, along M, N and K. */
typedef struct schedule_config {
    char intrinsic[64];
    uint32_t workgroup[3], reduction[3];
    uint32_t subgroup[3]; /* tile-and-fuse: tiles of each subgroup */
    uint32_t basis[3];    /* vector-distribute: subgroups */
    bool has_basis, padded;
} schedule_config;

/* Reads the whole text; reports an error, with its column, as --check's. */
int schedule_config_read(const cli_call *call, const char *text, schedule_config *config);

#endif

/* SPDX-License-Identifier: MIT */
/* The part of `lanewise validate` that asks devices, and reads what they answered. */
#ifndef LW_CLI_GPU_VALIDATE_H
#define LW_CLI_GPU_VALIDATE_H

#include "cli/cli.h"
#include "cli/json.h"

/* validate --device. */
int validate_device(const cli_call *call);

typedef struct validate_counts {
    uint64_t results, same, different, evidence; /* cases; evidence: those that a GPU answered */
} validate_counts;

/* A recording that has been recognised. Members go to the object open in `json`, unless that is NULL. */
int validate_recording(const cli_call *call, const char *path, cli_json *json, validate_counts *counts);

#endif

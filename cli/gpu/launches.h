/* SPDX-License-Identifier: MIT */
/*
 * Whole kernels, launched on the device and here on the same bytes. A list has a launch on each line,
 *
 *     FILE KERNEL GRID BLOCK LDS ARGUMENT...     for example
 *     objects/vector_add_gfx942.co vector_add 16 256 0 out:f32:4096 in:f32:4096 in:f32:4096 u32:4096
 *
 * FILE beside the list; GRID in workgroups and BLOCK as X,Y,Z; LDS in bytes. An argument is a buffer,
 * in:TYPE:N or out:TYPE:N of N elements with generated values, or a number of four bytes, u32:V. "#" begins a
 * comment.
 */
#ifndef LW_CLI_GPU_LAUNCHES_H
#define LW_CLI_GPU_LAUNCHES_H

#include "cli/gpu/contest.h"

/* Adds a row for each launch of the list that is for the device. */
int launches_run(contest *c, const char *list);

#endif

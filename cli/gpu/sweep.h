/* SPDX-License-Identifier: MIT */
/*
 * Parts of a comparison with a device, as files for 'lanewise merge'. The file is lanewise/part.h's without
 * arrays; its lines about the part are, in this order of first letters within a subject:
 *
 *     lanewise VERSION
 *     device
 *     head KEY: VALUE                  the lines of a recording's head
 *     only TEXT, report PATH, record PATH      what the command says, if it does; launches: there are some
 *     row NUMBER CASES ALL WORDS DIFFERENT CASE WORD GOT WANT GROUP NAME
 *                                      CASES of ALL of a subject; the last four numbers: the first difference
 *     text LINE, verdict LINE          of the row before
 *     left NUMBER REFUSED NAME         a subject that was not compared; REFUSED: 1 if the driver refused it
 *     why LINE                         of the line before
 *     probes RESULTS DEFAULT OTHERWISE UNEXPLAINED
 *     kept LINE                        of a recording; "at NUMBER" comes before a subject's lines
 */
#ifndef LW_CLI_GPU_SWEEP_H
#define LW_CLI_GPU_SWEEP_H

#include "cli/gpu/contest.h"
#include "cli/merge.h"

/* Writes the part. `kept`: the lines of its recording, or NULL. `identity` is ended. */
int sweep_write(const contest *c, const recording_head *head, const char *kept, const char *path);

bool sweep_is(const lw_launch_part *part);
/* Joins parts that belong together: prints the table and writes the files that the command named. */
int sweep_merge(const merge_job *job);

#endif

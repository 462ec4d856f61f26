/* SPDX-License-Identifier: MIT */
/* Which registers, lane by lane, and which bytes of LDS have been written. */
#ifndef LW_OBSERVERS_SHADOW_H
#define LW_OBSERVERS_SHADOW_H

#include <lanewise/observe.h>

/* Do the registers of this lw_reg_file hold something for each lane? */
bool lw_shadow_is_vector(unsigned file);

enum { LW_SHADOW_RUNS = 160 }; /* no instruction has more runs */

/* How the registers of a launch's waves are numbered: each has a row, and those of one file have consecutive
 * rows. */
typedef struct lw_shadow_rows {
    uint32_t first[LW_FILE_COUNT], count[LW_FILE_COUNT];
    uint32_t accum; /* VGPRs from this one on use the rows of AGPRs */
    uint32_t total;
} lw_shadow_rows;

/* A wave's registers: bit l of a row says that lane l has been written; for scalars, bit 0. `parts` has rows
 * for single bytes: what instructions wrote that do not write whole registers. */
typedef struct lw_wave_shadow {
    uint64_t *rows;
    uint64_t (*parts)[4];
    size_t capacity;
} lw_wave_shadow;

/* An operand as rows. */
typedef struct lw_shadow_run {
    uint32_t row;
    uint16_t count;
    uint16_t operand;      /* its number in the facts */
    uint16_t reg;          /* of the first row, with `file` */
    uint8_t file;          /* lw_reg_file */
    uint8_t lanes;         /* lw_lanes */
    uint8_t read, written; /* bytes of each register; bytes that are kept do not count as read */
} lw_shadow_run;

void lw_shadow_layout(lw_shadow_rows *rows, const lw_event *event);

/* Begins a wave: what does not hold the poison pattern belongs to the initial state. False: no host
 * memory. */
bool lw_shadow_begin(lw_wave_shadow *wave, const lw_shadow_rows *rows, const lw_event *event);

void lw_shadow_free(lw_wave_shadow *wave);

/* The lanes in which these bytes of a register have been written. */
uint64_t lw_shadow_written(const lw_wave_shadow *wave, uint32_t row, unsigned bytes);
void lw_shadow_write(lw_wave_shadow *wave, const lw_shadow_run *run, uint64_t lanes);

/* The register operands of the facts as runs; writes at most `capacity` of them and returns how many there
 * are. */
size_t lw_shadow_runs(const lw_shadow_rows *rows, const lw_facts *facts, lw_shadow_run *runs,
                      size_t capacity);

/* `bytes` has a 1 for each byte of LDS that has been written. Are all `count` of them 1? */
bool lw_shadow_bytes_written(const uint8_t *bytes, size_t count);

#endif

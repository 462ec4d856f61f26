/* SPDX-License-Identifier: MIT */
/*
 * Data that no program has written, followed through a launch: `undefined.c` is the check and judges uses,
 * `undefined_place.c` prepares an instruction, `undefined_flow.c` follows registers, `undefined_matrix.c`
 * elements of matrices, `undefined_memory.c` LDS and scratch.
 */
#ifndef LW_OBSERVERS_UNDEFINED_H
#define LW_OBSERVERS_UNDEFINED_H

#include <lanewise/layout.h>

#include "observers/check.h"
#include "observers/live.h"
#include "observers/notes.h"
#include "observers/shadow.h"

enum {
    LW_LACK_RUNS = LW_SHADOW_RUNS,
    LW_LACK_BYTES = 64,
    LW_LACK_CELL = 4,
    LW_LACK_PIECES = 64,
    LW_LACK_PATIENCE = 512
};

/*
 * What a wave's registers lack. A vector register's row has a mask of lanes for each byte, and `any` for all
 * of them; a scalar register's row has the bits that are undefined in `any`. `origin` says where data that is
 * undefined was first read: an index into the check's list, plus 1; 0: nowhere yet.
 */
typedef struct lw_lack_wave {
    uint64_t *any;
    uint64_t (*bytes)[4];
    uint32_t *origin;
    uint8_t (**exact)[4]; /* of a row, or NULL: for each lane and byte that lacks something, the bits */
    size_t capacity;
    uint8_t *scratch[LW_MAX_LANES]; /* bits that have been written */
    uint32_t scratch_size[LW_MAX_LANES];
    uint32_t *scratch_origin; /* of each cell, of all lanes */
    uint32_t scratch_cells;
    bool known; /* false: no host memory for the wave */
} lw_lack_wave;

/* A workgroup's LDS. */
typedef struct lw_lack_group {
    uint8_t *lacks; /* undefined bits */
    uint32_t *origin;
    uint32_t size, room, waves;
    bool known; /* false: every byte counts as defined */
    /* Pieces of 2^shift bytes, one bit each, which are defined as a whole; they are looked for anew after so
     * many accesses of defined bytes elsewhere. */
    uint64_t whole;
    uint32_t shift, missed, patience;
} lw_lack_group;

/* A byte of what a lane loads or stores, in the order of its memory, and the register that has it. */
typedef struct lw_lack_byte {
    uint8_t run, reg, byte;
} lw_lack_byte;

/* The layout of an operand of a matrix instruction. */
typedef struct lw_lack_part {
    lw_layout_entry *entries;
    size_t count;
    uint16_t rows, cols, width;
} lw_lack_part;

/* What every execution looks at comes first. */
typedef struct lw_lack_place {
    size_t count;
    lw_shadow_run runs[LW_LACK_RUNS];
    uint8_t role[LW_LACK_RUNS]; /* lw_role */
    lw_finding_at at;
    lw_lack_byte bytes[LW_LACK_BYTES]; /* loads: of the result; stores: of the data */
    size_t byte_count;
    bool is_matrix, moves; /* moves: rows in memory, in the layout of a matrix: ldmatrix and stmatrix */
    bool only_lds;         /* it accesses no memory but LDS */
    unsigned blocks;
    lw_lack_part *parts; /* of a matrix instruction, by lw_operand; NULL: not needed yet */
} lw_lack_place;

/* Where undefined data was first read. */
typedef struct lw_lack_origin {
    lw_finding_at at;
    char what[40];
} lw_lack_origin;

typedef struct lw_lack_check {
    lw_check check;
    lw_note_list places; /* of lw_lack_place */
    lw_live_list waves, groups;
    lw_shadow_rows rows;
    lw_wave_shadow initial;
    lw_lack_origin *origins;
    size_t origin_count, origin_room;
    bool clustered; /* workgroups may access the LDS of others */
} lw_lack_check;

/* One execution. */
typedef struct lw_lack_step {
    lw_lack_check *check;
    const lw_event *event;
    lw_lack_place *place;
    const lw_shadow_run *runs;
    const uint8_t *role;
    size_t count;
    lw_lack_wave *wave;
    lw_lack_group *group; /* whose LDS is accessed */
    uint32_t origin;      /* of what the sources lack */
} lw_lack_step;

/* The runs of the instruction's operands, with their roles. */
size_t lw_lack_runs(const lw_shadow_rows *rows, const lw_facts *facts, lw_shadow_run *runs, uint8_t *role);
/* Prepares a place; returns what the check wants to see there. */
uint32_t lw_lack_prepare(lw_lack_place *place, const lw_shadow_rows *rows, const lw_event *event);
void lw_lack_place_free(lw_lack_place *place);

/* The lanes that the run uses in this execution. */
uint64_t lw_lack_lanes(const lw_lack_step *s, const lw_shadow_run *run);
/* The lanes in which bytes that are read of one register are undefined; scalars: the undefined bits. */
uint64_t lw_lack_of(const lw_lack_step *s, const lw_shadow_run *run, unsigned reg);
/* Does a run that is read lack anything? */
bool lw_lack_reads(const lw_lack_step *s, const lw_shadow_run *run);

/* Sets what bytes of a vector register's row lack in `lanes`, or all of a scalar register. */
void lw_lack_set(lw_lack_step *s, const lw_shadow_run *run, unsigned reg, unsigned byte, uint64_t lanes,
                 uint64_t lacks);
void lw_lack_set_scalar(lw_lack_step *s, const lw_shadow_run *run, unsigned reg, uint32_t bits);
/* The undefined bits of a register's byte in a lane, and setting them. */
unsigned lw_lack_bits(const lw_lack_wave *w, uint32_t row, unsigned byte, unsigned lane);
void lw_lack_set_bits(lw_lack_step *s, const lw_shadow_run *run, unsigned reg, unsigned byte, unsigned lane,
                      unsigned bits);
/* All results are defined. */
void lw_lack_clear(lw_lack_step *s);

/* Where a run's undefined data came from; made if this is where it is read first. */
uint32_t lw_lack_origin_of(lw_lack_step *s, const lw_shadow_run *run, unsigned reg);
uint32_t lw_lack_origin_new(lw_lack_step *s, const char *what);

/* Results of an instruction some of whose sources are undefined. */
void lw_lack_flow(lw_lack_step *s);
/* The same for a matrix instruction. False: its layout is not known. */
bool lw_lack_matrix(lw_lack_step *s, const lw_matrix_event *matrix);
/* ldmatrix and stmatrix: what goes from memory to registers or back. */
void lw_lack_moved(lw_lack_step *s, const lw_matrix_event *matrix);

/* What an instruction has loaded from LDS or scratch, and stored there. */
void lw_lack_memory(lw_lack_step *s);
/* Is all of the workgroup's LDS known to be defined? */
bool lw_lack_lds_is_whole(const lw_lack_group *g);
/* The LDS of the event's workgroup; NULL: no host memory. */
lw_lack_group *lw_lack_group_of(lw_lack_check *c, const lw_event *event);
/* A use of undefined data: in `lane`; -1: all of them. */
void lw_lack_report(lw_lack_step *s, const char *rule, int lane);

extern const char lw_lack_store_rule[], lw_lack_atomic_rule[], lw_lack_exec_rule[];

#endif

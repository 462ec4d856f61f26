/* SPDX-License-Identifier: MIT */
/* Where bytes come from: what its parts share. `why.c` runs the launches, `why_log.c` notes what happens,
 * `why_walk.c` goes back in time, with `why_memory.c` for loads and stores and `why_matrix.c` for matrix
 * instructions, `why_graph.c` answers. */
#ifndef LW_OBSERVERS_WHY_H
#define LW_OBSERVERS_WHY_H

#include <lanewise/layout.h>
#include <lanewise/why.h>

#include "observers/notes.h"
#include "observers/shadow.h"

enum { LW_WHY_RUNS = 40, LW_WHY_SCALAR = 255, LW_WHY_NAME = 24, LW_WHY_NONE = 0 };

/* ---- What is noted ---- */

/* An instruction of the launch; where registers are addressed through an index, one for each execution. */
typedef struct lw_why_place {
    uint64_t pc, code_offset;
    lw_fact_memory memory;
    lw_class kind;
    lw_flow flow;
    lw_shadow_run runs[LW_WHY_RUNS];
    uint8_t role[LW_WHY_RUNS]; /* lw_role of each run */
    uint8_t
        share[LW_WHY_RUNS]; /* of memory instructions: bytes of its operand that go to or come from memory */
    size_t run_count;
    size_t source[2];    /* LW_FLOW_BYTES: runs of the first and the second source, or run_count */
    bool moves;          /* the matrix instruction moves elements of memory */
    bool crosses;        /* has an operand of which only the execution says which lanes it has */
    const lw_insn *insn; /* NULL: no matrix instruction */
    lw_mods mods;
    bool constant[LW_OPERAND_COUNT]; /* operand is `value`, not registers */
    uint64_t value[LW_OPERAND_COUNT];
    uint32_t *rows[LW_OPERAND_COUNT]; /* of its registers */
    unsigned row_count[LW_OPERAND_COUNT];
    char *text;
    lw_line *line;
} lw_why_place;

typedef struct lw_why_access {
    uint64_t address;
    uint32_t size;
    uint8_t lane; /* LW_WHY_SCALAR: none */
    uint8_t space;
    bool load, store;
} lw_why_access;

/* One execution. Accesses of one that crosses lanes: the mask of lanes that are read, that of lanes written.
 */
typedef struct lw_why_step {
    uint64_t exec;
    uint32_t place, wave, access, accesses;
} lw_why_step;

typedef struct lw_why_wave {
    uint32_t workgroup[3], id, group;
    uint32_t lanes;
    bool live;
    uint32_t step;   /* its last one */
    uint64_t *given; /* lanes of each row that the launch sets */
    uint32_t *want;  /* [row][lane]: the first of what wants it; while walking */
} lw_why_wave;

typedef struct lw_why_region {
    uint64_t base, size;
    char *name;
    uint8_t *bytes; /* of small ones that no allocation of the caller is */
} lw_why_region;

typedef struct lw_why_log {
    lw_observer observer;
    uint64_t limit, bytes;
    bool full, no_memory, begun;
    const char *unsupported;
    lw_shadow_rows rows;
    lw_wave_shadow scratch;
    char (*names)[LW_WHY_NAME]; /* of rows */
    lw_note_list numbers;       /* of a place of the launch: its index among `places`, + 1 */
    lw_why_place *places;
    size_t place_count, place_room;
    lw_why_wave *waves;
    size_t wave_count, wave_room, last, groups;
    lw_why_step *steps;
    size_t step_count, step_room;
    lw_why_access *accesses;
    size_t access_count, access_room;
    lw_why_region *regions;
    size_t region_count, region_room;
} lw_why_log;

void lw_why_log_begin(lw_why_log *log, uint64_t limit);
void lw_why_log_free(lw_why_log *log);

/* Room for one more of `size` bytes in an array that counts within the limit; false: `full` or `no_memory`.
 */
bool lw_why_room(lw_why_log *log, void **items, size_t count, size_t *room, size_t size);

/* The row of a register; UINT32_MAX: the waves have none. */
uint32_t lw_why_row(const lw_why_log *log, lw_reg_file file, unsigned reg);
const lw_why_region *lw_why_region_of(const lw_why_log *log, uint64_t address);

/* ---- The way back ---- */

/* Somebody needs bytes of a register or of four bytes of memory. */
typedef struct lw_why_want {
    lw_why_edge edge; /* without `to` */
    uint32_t next;
    uint8_t need; /* bytes that nothing has written yet, going back */
} lw_why_want;

/* Four bytes of memory. Keys are not zero. */
typedef struct lw_why_cell {
    uint64_t key;
    uint32_t head;
} lw_why_cell;

/* A matrix instruction's layouts. */
typedef struct lw_why_shape {
    const lw_insn *insn;
    lw_mods mods;
    struct lw_why_part {
        lw_layout_entry *entries;
        size_t count;
        uint32_t *first; /* by element, the number of an entry + 1 */
        lw_layout_info info;
    } part[LW_OPERAND_COUNT];
} lw_why_shape;

/* A node that was just made, whose sources are still to be asked for. */
typedef struct lw_why_made {
    uint32_t node;
    uint16_t run;   /* that it was written by; of stores none */
    uint16_t dword; /* of the operand */
    uint8_t lane;
    uint32_t access; /* of memory */
} lw_why_made;

struct lw_why {
    lw_why_log log;
    lw_arch arch;
    lw_why_node *nodes;
    uint32_t *row; /* of nodes: UINT32_MAX, or the row that they write */
    size_t node_count, node_room, row_room;
    lw_why_edge *edges; /* in the end sorted by node */
    size_t edge_count, edge_room;
    size_t *first; /* of each node, its first edge */
    lw_why_want *wants;
    size_t want_count, want_room;
    uint32_t free_want;
    lw_why_cell *cells;
    size_t cell_count, cell_room, cells_wanted;
    lw_why_shape *shapes;
    size_t shape_count, shape_room;
    lw_why_made *made;
    size_t made_count, made_room;
    struct lw_why_input *inputs; /* lw_why_inputs, memoised */
    uint64_t groups;
};

/* Makes a node; its number, or 0 (that of the bytes that were asked for): no memory. */
uint32_t lw_why_make(lw_why *w, const lw_why_node *node, uint32_t row);
/* The node of an execution, as far as it is known from the step. */
lw_why_node lw_why_of_step(const lw_why *w, lw_why_kind kind, size_t step, int lane);
void lw_why_make_later(lw_why *w, const lw_why_made *made);

/* Asks for bytes of a register; for four bytes of memory. */
void lw_why_want_register(lw_why *w, uint32_t wave, uint32_t row, unsigned lane, const lw_why_edge *edge,
                          uint8_t need);
void lw_why_want_memory(lw_why *w, uint64_t key, const lw_why_edge *edge, uint8_t need);

/* Of what is wanted at *head, gives `node` those bytes that `cover` has. False: there was nothing. */
bool lw_why_settle(lw_why *w, uint32_t *head, uint8_t cover, uint32_t node);
/* Would it give any? */
bool lw_why_is_wanted(const lw_why *w, uint32_t head, uint8_t cover);

/* The key of the four bytes at an address, and back. */
uint64_t lw_why_key(const lw_why *w, uint32_t wave, unsigned lane, unsigned space, uint64_t address);
uint64_t lw_why_key_address(uint64_t key);
lw_space lw_why_key_space(uint64_t key);
/* What wants it; NULL: nothing. */
uint32_t *lw_why_cell_of(lw_why *w, uint64_t key);

/* Lanes of a run in a step. */
uint64_t lw_why_lanes(const lw_why *w, const lw_why_step *step, const lw_shadow_run *run, bool written);

/* Nodes of what the step wrote; sources of a node that was made. */
void lw_why_memory_back(lw_why *w, size_t step);
void lw_why_memory_sources(lw_why *w, size_t step, const lw_why_made *made);
void lw_why_matrix_back(lw_why *w, size_t step);
void lw_why_matrix_sources(lw_why *w, size_t step, const lw_why_made *made);

/* The same of instructions that move elements: a register of `made`; byte `at` of a row that `lane` names,
 * which is byte `from` of the node. */
void lw_why_moved_sources(lw_why *w, const lw_why_step *s, const lw_why_made *made);
void lw_why_moved_byte(lw_why *w, const lw_why_step *s, uint32_t node, unsigned lane, unsigned at,
                       unsigned from);
void lw_why_want_byte(lw_why *w, uint32_t node, const lw_why_step *s, const lw_why_access *a,
                      uint64_t address, unsigned from);

/* From the bytes at `address` back to the beginning. False: no memory, or the limit is reached. */
bool lw_why_walk(lw_why *w, uint64_t address, uint32_t size);
/* Sorts the edges. */
bool lw_why_close(lw_why *w);

#endif

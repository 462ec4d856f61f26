/* SPDX-License-Identifier: MIT */
/* Where bytes come from: declarations shared by its files. `why.c` runs the launches, `why_log.c` records
 * what happens, `why_walk.c` walks back in time, with `why_memory.c` for loads and stores and `why_matrix.c`
 * for matrix instructions, `why_graph.c` answers queries. */
#ifndef LW_OBSERVERS_WHY_H
#define LW_OBSERVERS_WHY_H

#include <lanewise/layout.h>
#include <lanewise/why.h>

#include "observers/notes.h"
#include "observers/shadow.h"

enum { LW_WHY_SCALAR = 255, LW_WHY_NAME = 24, LW_WHY_NONE = 0 };

/* ---- The record ---- */

/* An instruction of the launch; one for each execution if it addresses registers through an index. */
typedef struct lw_why_place {
    uint64_t pc, code_offset;
    lw_fact_memory memory;
    lw_class kind;
    lw_flow flow;
    lw_shadow_run *runs;
    uint8_t *role;  /* lw_role of each run */
    uint8_t *share; /* memory instructions: bytes of the operand that go to or come from memory */
    size_t run_count;
    size_t source[2];    /* LW_FLOW_BYTES: runs of the first and the second source, or run_count */
    bool moves;          /* the matrix instruction moves elements of memory */
    bool crosses;        /* has an operand whose lanes are known only from the execution */
    bool copies;         /* from memory to memory, without registers */
    bool sends;          /* copies values of registers, which may arrive later */
    const char *refused; /* what it writes is not followed: its name; NULL: it is */
    const lw_insn *insn; /* NULL: not a matrix instruction */
    lw_mods mods;
    bool constant[LW_OPERAND_COUNT]; /* the operand is `value`, not registers */
    uint64_t value[LW_OPERAND_COUNT];
    uint32_t *rows[LW_OPERAND_COUNT]; /* of each register of the operand */
    unsigned row_count[LW_OPERAND_COUNT];
    /* A wgmma: it reads and writes when it arrives. `insn` is its part (lw_event_product). */
    bool arrives;
    const lw_insn *whole;
    bool shared[LW_OPERAND_COUNT];    /* the operand is in shared memory */
    uint16_t words[LW_OPERAND_COUNT]; /* of the operand, for each lane */
    uint32_t bare;                    /* the place of the same without C, plus 1; 0: none yet */
    char *text;
    lw_line *line;
} lw_why_place;

/* Spaces of accesses. REMOTE: shared memory of another block of the cluster; the high half of the address is
 * that block's group. FLIGHT: registers' values that an instruction has sent and that have not arrived; each
 * lane's have an address of their own. */
enum { LW_WHY_REMOTE = LW_SPACE_SCRATCH + 1, LW_WHY_FLIGHT };

typedef struct lw_why_access {
    uint64_t address;
    uint32_t size;
    uint8_t lane;  /* LW_WHY_SCALAR: none */
    uint8_t space; /* lw_space, or LW_WHY_REMOTE */
    bool load, store;
} lw_why_access;

/* One execution. If it crosses lanes, its first two accesses are masks: of lanes read, and of lanes
 * written. Those of a wgmma are words of operands in shared memory, of all lanes: indices of lw_why_word
 * arrays. It has none when it is issued. */
typedef struct lw_why_step {
    uint64_t exec;
    uint32_t place, wave, access, accesses;
} lw_why_step;

/* A lane's word in shared memory: the places of its halves. */
typedef struct lw_why_word {
    uint32_t address[2];
} lw_why_word;

enum { LW_WHY_LANES = 32 }; /* of a warp */

typedef struct lw_why_wave {
    uint32_t workgroup[3], id, group;
    uint32_t lanes;
    uint32_t step;   /* the wave's last one */
    uint64_t *given; /* for each row, the lanes that the launch initialises */
    uint32_t *want;  /* while walking: [row][lane], the head of a list of wants */
} lw_why_wave;

/* Values of a lane that have not arrived. Those of one place and lane arrive in the order in which they were
 * sent. */
typedef struct lw_why_flight {
    uint32_t place, wave;
    uint8_t lane;
    uint64_t address;
} lw_why_flight;

typedef struct lw_why_region {
    uint64_t base, size;
    char *name;
    uint8_t *bytes; /* contents, if it is small and not allocated by the caller */
} lw_why_region;

typedef struct lw_why_log {
    lw_observer observer;
    uint64_t limit, bytes;
    bool full, no_memory, begun;
    lw_shadow_rows rows;
    lw_wave_shadow scratch;
    char (*names)[LW_WHY_NAME]; /* of each row */
    lw_note_list numbers;       /* for each place of the launch: its index in `places`, plus 1 */
    lw_why_place *places;
    size_t place_count, place_room;
    lw_why_wave *waves;
    size_t wave_count, wave_room, last, groups;
    lw_why_step *steps;
    size_t step_count, step_room;
    lw_why_access *accesses;
    size_t access_count, access_room;
    lw_why_word (*words)[LW_WHY_LANES];
    size_t word_count, word_room;
    lw_why_flight *flights;
    size_t flight_count, flight_room, flown;
    lw_why_region *regions;
    size_t region_count, region_room;
} lw_why_log;

void lw_why_log_begin(lw_why_log *log, uint64_t limit);
void lw_why_log_free(lw_why_log *log);

/* Makes room for one more item of `size` bytes in an array that counts towards the limit. False: `full` or
 * `no_memory`. */
bool lw_why_room(lw_why_log *log, void **items, size_t count, size_t *room, size_t size);

/* The row of a register; UINT32_MAX: waves have no such register. */
uint32_t lw_why_row(const lw_why_log *log, lw_reg_file file, unsigned reg);
/* A place; UINT32_MAX: no memory, or the limit is reached. */
uint32_t lw_why_add_place(lw_why_log *log, const lw_event *event);

void lw_why_add_access(lw_why_log *log, lw_why_step *step, const lw_why_access *access);
/* Accesses that the record does not have. */
bool lw_why_is_left_out(const lw_memory_access *access);

/* The values of each lane leave: they are stored to addresses of their own. False: they have arrived at
 * once. */
bool lw_why_send(lw_why_log *log, lw_why_step *step, const lw_event *event);
/* The address of the values that arrive; 0: they did not leave before. */
uint64_t lw_why_land(lw_why_log *log, const lw_why_step *step, const lw_event *event);

/* Leaves out the middle of long lists of registers in a text. */
void lw_why_shorten(char *text);

/* wgmma: fills in what `p` is; notes where the execution finds its operands. */
void lw_why_set_product(lw_why_log *log, lw_why_place *p, const lw_event *event);
void lw_why_note_product(lw_why_log *log, lw_why_step *step, const lw_event *event);
/* Where a lane's word of an operand in shared memory is. */
const lw_why_word *lw_why_word_of(const lw_why_log *log, const lw_why_step *step, lw_operand operand,
                                  unsigned word, unsigned lane);

const lw_why_region *lw_why_region_of(const lw_why_log *log, uint64_t address);

/* ---- The walk back ---- */

/* A node wants bytes of a register or of four bytes of memory. */
typedef struct lw_why_want {
    lw_why_edge edge; /* without `to` */
    uint32_t next;
    uint8_t need; /* bytes whose writer has not been found yet */
} lw_why_want;

/* Four bytes of memory. Keys are not zero. */
typedef struct lw_why_cell {
    uint64_t key;
    uint32_t head;
} lw_why_cell;

/* A matrix instruction's layouts. */
typedef struct lw_why_shape {
    const lw_insn *insn;
    bool has_c;
    lw_mods mods;
    struct lw_why_part {
        lw_layout_entry *entries;
        size_t count;
        uint32_t *first; /* for each element: the index of an entry, plus 1 */
        lw_layout_info info;
    } part[LW_OPERAND_COUNT];
} lw_why_shape;

/* A node just made, whose sources have yet to be found. */
typedef struct lw_why_made {
    uint32_t node;
    uint16_t run;   /* that wrote it; unused for stores */
    uint16_t dword; /* of the operand */
    uint8_t lane;
    uint32_t access; /* of memory: its index */
} lw_why_made;

struct lw_why {
    lw_why_log log;
    lw_arch arch;
    const char *refused; /* the bytes depend on an instruction that is not followed: its name */
    lw_why_node *nodes;
    uint32_t *row; /* for each node: the row that it writes, or UINT32_MAX */
    size_t node_count, node_room, row_room;
    lw_why_edge *edges; /* finally sorted by node */
    size_t edge_count, edge_room;
    size_t *first; /* for each node: its first edge */
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

/* Makes a node and returns its number; 0, the number of the bytes asked for: no memory, or the limit is
 * reached. */
uint32_t lw_why_make(lw_why *w, const lw_why_node *node, uint32_t row);
/* A node of an execution, filled in as far as the step determines it. */
lw_why_node lw_why_of_step(const lw_why *w, lw_why_kind kind, size_t step, int lane);
void lw_why_make_later(lw_why *w, const lw_why_made *made);

/* Adds a want: bytes of a register, or of four bytes of memory. */
void lw_why_want_register(lw_why *w, uint32_t wave, uint32_t row, unsigned lane, const lw_why_edge *edge,
                          uint8_t need);
void lw_why_want_memory(lw_why *w, uint64_t key, const lw_why_edge *edge, uint8_t need);

/* Adds edges to `node` for wants in the list at *head, for those bytes that are in `cover`. False: none of
 * them was wanted. */
bool lw_why_settle(lw_why *w, uint32_t *head, uint8_t cover, uint32_t node);
/* Would lw_why_settle add any? */
bool lw_why_is_wanted(const lw_why *w, uint32_t head, uint8_t cover);

/* A key for the four bytes at an address, and back. */
uint64_t lw_why_key(const lw_why *w, uint32_t wave, unsigned lane, unsigned space, uint64_t address);
uint64_t lw_why_key_address(uint64_t key);
lw_space lw_why_key_space(uint64_t key);
/* The list of wants of these four bytes; NULL if it is empty. */
uint32_t *lw_why_cell_of(lw_why *w, uint64_t key);

/* The lanes that a step reads or writes in a run. */
uint64_t lw_why_lanes(const lw_why *w, const lw_why_step *step, const lw_shadow_run *run, bool written);

/* Make nodes for what the step wrote; find the sources of a node just made. */
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

/* Walks from the bytes at `address` back to the beginning. False: no memory, or the limit is reached. */
bool lw_why_walk(lw_why *w, uint64_t address, uint32_t size);
/* Sorts the edges. */
bool lw_why_close(lw_why *w);

#endif

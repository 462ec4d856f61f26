/* SPDX-License-Identifier: MIT */
/* Lane arithmetic as steps of a stack machine: the text is read once, and run for every place. */
#ifndef LW_LAYOUTS_NOTATION_LANE_CODE_H
#define LW_LAYOUTS_NOTATION_LANE_CODE_H

#include "layouts/notation/reader.h"

enum { LW_CODE_NAMES = 24, LW_CODE_NAME = 24 };

/* Each level of an expression holds one value at most while it reads the next. */
enum { LW_CODE_DEPTH = 64, LW_CODE_LEVELS = 10, LW_CODE_STACK = LW_CODE_DEPTH * (LW_CODE_LEVELS + 1) + 2 };

typedef enum lw_step_kind {
    LW_STEP_NUMBER,  /* pushes `number` */
    LW_STEP_LOAD,    /* pushes variable `number` */
    LW_STEP_NEGATE,  /* of the last value */
    LW_STEP_APPLY,   /* an operator on the last two values */
    LW_STEP_SET,     /* variable `number` becomes the last value */
    LW_STEP_COMPARE, /* the place is excluded if the last two values differ */
    LW_STEP_REQUIRE, /* the place is excluded if the last value is 0 */
    LW_STEP_UNLESS,  /* if the last value is 0, goes on at step `number` */
    LW_STEP_GO,      /* goes on at step `number` */
} lw_step_kind;

typedef struct lw_step {
    lw_step_kind kind;
    char op; /* as lane_code.c codes it */
    uint32_t number;
    size_t at; /* where the reader was, for error messages */
} lw_step;

typedef struct lw_lane_code {
    char name[LW_CODE_NAMES][LW_CODE_NAME];
    unsigned names, given; /* the first ones are set before each run */
    lw_step *step;
    size_t steps, room;
    size_t end; /* where reading ended */
    lw_status status;
    lw_error error; /* of the reading: reported once the steps before it have run */
} lw_lane_code;

/* The value of a name that a run has not set: no number is so small. */
#define LW_LANE_UNSET INT64_MIN

/* What one run leaves: the value of every name. */
typedef struct lw_lane_values {
    int64_t of[LW_CODE_NAMES];
    bool excluded; /* a condition does not hold */
} lw_lane_values;

/* Reads the reader's text; `names` are those that every run sets before it begins: `firsts` are the first of
 * two numbers, the others the second. False without memory. Errors in the text are left to lw_lane_code_run.
 */
bool lw_lane_code_read(lw_reader *r, lw_lane_code *code, const char *const *names, unsigned count,
                       unsigned firsts);

/* The same of the names that lw_read_formula sets: for lw_reader.code. */
bool lw_lane_code_of_places(lw_reader *r, lw_lane_code *code);

/* Runs the steps on values->of[0 .. count - 1], or fails where the text is wrong or a value has no meaning.
 */
bool lw_lane_code_run(lw_reader *r, const lw_lane_code *code, lw_lane_values *values);

/* The number of a name, or -1. */
int lw_lane_code_find(const lw_lane_code *code, const char *name);

#endif

/* SPDX-License-Identifier: MIT */
/* The claims of lane arithmetic: its values for every lane and value. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "layouts/notation/lane_code.h"

/* The names that the text finds already set: first those of the lane, then those of the value. */
static const char *const given_names[] = { "l",           "lane", "lane_id", "laneid", "tid",      "thread",
                                           "threadIdx.x", "v",    "value",   "item",   "vgpr_item" };
enum { LANE_NAMES = 7, GIVEN_NAMES = sizeof(given_names) / sizeof(given_names[0]) };

static const char *const axis_names[LW_AXES][3] = { [LW_AXIS_ROW] = { "i", "row", "m" },
                                                    [LW_AXIS_COL] = { "j", "col", "n" },
                                                    [LW_AXIS_K] = { "k", "K", "kk" },
                                                    [LW_AXIS_BLOCK] = { "b", "block", "blk" } };

/* Lane arithmetic with the number of the name of each axis, or -1 where the text does not define it. */
typedef struct claims {
    const lw_lane_code *code;
    uint8_t axis[LW_TV_MOST_AXES]; /* which coordinate a claim sets */
    int name[LW_TV_MOST_AXES];
    unsigned axes;
} claims;

static bool coordinate(lw_reader *r, const claims *c, const lw_lane_values *values, unsigned n, uint32_t *at)
{
    if (c->name[n] < 0)
        return lw_reader_fail(r, "%c is not defined", lw_tv_letter(r->tv->axis[n]));
    const int64_t value = values->of[c->name[n]];
    if (value == LW_LANE_UNSET)
        return lw_reader_fail(r, "%s is not set in some lane", c->code->name[c->name[n]]);
    if (value < 0)
        return lw_reader_fail(r, "%s is %lld in some lane", c->code->name[c->name[n]], (long long)value);
    *at = (uint32_t)value;
    return true;
}

static bool evaluate(lw_reader *r, const claims *c, uint32_t lane, uint32_t value)
{
    lw_lane_values values;
    uint32_t at[LW_TV_MOST_AXES];
    for (unsigned i = 0; i < GIVEN_NAMES; i++)
        values.of[i] = i < LANE_NAMES ? lane : value;
    if (!lw_lane_code_run(r, c->code, &values))
        return false;
    if (values.excluded)
        return true;
    for (unsigned a = 0; a < c->axes; a++)
        if (!coordinate(r, c, &values, a, &at[a]))
            return false;
    return lw_reader_claim(r, lane, value, c->axis, at, c->axes);
}

static bool has_axis(const lw_reader *r, unsigned axes, unsigned axis)
{
    for (unsigned a = 0; a < axes; a++)
        if (r->tv->axis[a] == axis)
            return true;
    return false;
}

/* A name that ends in one of an axis' names: a_row, get_k. Of several, the one that begins with the operand's
 * letter. */
static int find_ending(const lw_reader *r, const lw_lane_code *code, const char *const names[3])
{
    const char operand = r->tv->layout ? lw_operand_name((lw_operand)r->tv->layout->operand)[0] : 0;
    int any = -1, own = -1;
    unsigned anys = 0, owns = 0;
    for (unsigned i = GIVEN_NAMES; i < code->names; i++) {
        const char *end = strrchr(code->name[i], '_');
        for (int n = 0; end && n < 3; n++) {
            if (strcmp(end + 1, names[n]) != 0)
                continue;
            any = (int)i;
            anys++;
            if (toupper((unsigned char)code->name[i][0]) != operand || code->name[i][1] != '_')
                continue;
            own = (int)i;
            owns++;
        }
    }
    return owns == 1 ? own : anys == 1 ? any : -1;
}

/* The first of an axis' names that the text defines. As in the PTX ISA, k is also the column of A and the row
 * of B. */
static void name_axes(const lw_reader *r, claims *c)
{
    c->axes = lw_reader_axes(r, false, c->axis);
    for (unsigned a = 0; a < c->axes; a++) {
        c->name[a] = -1;
        for (int n = 0; n < 3 && c->name[a] < 0; n++)
            c->name[a] = lw_lane_code_find(c->code, axis_names[r->tv->axis[a]][n]);
        if (c->name[a] < 0)
            c->name[a] = find_ending(r, c->code, axis_names[r->tv->axis[a]]);
    }
    for (unsigned a = 0; a < c->axes; a++)
        if (r->tv->axis[a] == LW_AXIS_K && c->name[a] < 0)
            c->name[a] = lw_lane_code_find(c->code, has_axis(r, c->axes, LW_AXIS_ROW) ? "col" : "row");
}

bool lw_lane_code_of_places(lw_reader *r, lw_lane_code *code)
{
    return lw_lane_code_read(r, code, given_names, GIVEN_NAMES, LANE_NAMES);
}

void lw_read_formula(lw_reader *r)
{
    lw_lane_code read;
    claims c = { .code = r->code };
    if (lw_reader_end(r)) {
        lw_reader_fail(r, "there is nothing to read");
        return;
    }
    bool fine = r->code || lw_lane_code_of_places(r, &read);
    if (!r->code)
        c.code = &read;
    name_axes(r, &c);
    for (uint32_t lane = 0; fine && lane < r->tv->r.lanes; lane++)
        for (uint32_t value = 0; fine && value < r->tv->count && !lw_reader_skips(r, lane); value++)
            fine = evaluate(r, &c, lane, value);
    if (!r->code)
        free(read.step);
}

static const char *const element_names[] = { "row", "i", "r", "m", "col", "j", "k", "c", "n" };
enum { ROW_NAMES = 4, ELEMENT_NAMES = sizeof(element_names) / sizeof(element_names[0]) };

static bool offset_of(lw_reader *r, const lw_lane_code *code, uint32_t row, uint32_t col,
                      lw_formula_found *found, void *context)
{
    lw_lane_values values;
    for (unsigned i = 0; i < ELEMENT_NAMES; i++)
        values.of[i] = i < ROW_NAMES ? row : col;
    if (!lw_lane_code_run(r, code, &values))
        return false;
    const int byte = lw_lane_code_find(code, "byte"),
              n = byte >= 0 ? byte : lw_lane_code_find(code, "offset");
    if (n < 0)
        return lw_reader_fail(r, "neither offset nor byte is defined");
    if (values.of[n] == LW_LANE_UNSET)
        return lw_reader_fail(r, "%s of row %u, column %u is not set", code->name[n], row, col);
    if (values.of[n] < 0)
        return lw_reader_fail(r, "%s of row %u, column %u is %lld", code->name[n], row, col,
                              (long long)values.of[n]);
    found(context, row, col, byte >= 0, (uint64_t)values.of[n]);
    return true;
}

bool lw_formula_offsets(lw_reader *r, uint32_t rows, uint32_t cols, lw_formula_found *found, void *context)
{
    lw_lane_code code;
    r->at = 0;
    bool fine = lw_lane_code_read(r, &code, element_names, ELEMENT_NAMES, ROW_NAMES);
    for (uint32_t row = 0; fine && row < rows; row++)
        for (uint32_t col = 0; fine && col < cols; col++)
            fine = offset_of(r, &code, row, col, found, context);
    free(code.step);
    return fine;
}

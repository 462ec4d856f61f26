/* SPDX-License-Identifier: MIT */
/* The accesses with which a wave loads an operand from a tile, and the turns they take. */
#include <stdlib.h>
#include <string.h>

#include "isa_tables/error.h"
#include "isa_tables/options.h"
#include "layouts/tile/tile.h"

/* For each lane and value, where its element is in the operand. */
typedef struct values {
    uint16_t (*at)[2]; /* [lane * count + v]: X, Y; NOTHING where the lane has no such value */
    uint32_t lanes, count, rows, cols;
} values;

enum { NOTHING = 0xffff };

static lw_status list_values(const lw_layout *layout, values *v, lw_error *error)
{
    lw_tv tv;
    const lw_status st = lw_tv_make(layout, "banks", &tv, error);
    if (st != LW_OK)
        return st;
    if (layout->index || tv.r.blocks > 1 || tv.still.count)
        return lw_error_fail(
            error, LW_E_UNSUPPORTED,
            "operands of several blocks, and those with index data or a broadcast, are not read from "
            "one tile");
    if (tv.r.lanes > LW_BANK_LANES)
        return lw_error_fail(error, LW_E_UNSUPPORTED,
                             "the operand is in the %u lanes of a warpgroup; accesses are those of one warp",
                             tv.r.lanes);
    *v = (values){ .lanes = tv.r.lanes,
                   .count = tv.count,
                   .rows = lw_tv_extent(&tv, tv.axis[0]),
                   .cols = lw_tv_extent(&tv, tv.axis[1]) };
    v->at = malloc((size_t)v->lanes * v->count * sizeof(*v->at));
    if (!v->at)
        return lw_error_fail(error, LW_E_NO_MEMORY, "no memory for the accesses of a wave");
    memset(v->at, 0xff, (size_t)v->lanes * v->count * sizeof(*v->at));
    const size_t pairs = (size_t)lw_relation_count(&tv.r);
    for (size_t n = 0; n < pairs; n++) {
        lw_pair p;
        lw_relation_pair(&tv.r, n, &p);
        uint16_t *at = v->at[p.lane * v->count + (p.bit - tv.r.start) / tv.r.pitch];
        at[0] = (uint16_t)lw_layout_x(layout, &p);
        at[1] = (uint16_t)lw_layout_y(layout, &p);
    }
    return LW_OK;
}

bool lw_tile_is_columns(const lw_layout *layout)
{
    values v = { .at = NULL };
    bool columns = false;
    if (list_values(layout, &v, NULL) == LW_OK && v.count > 1)
        columns = v.at[0][0] != v.at[1][0];
    free(v.at);
    return columns;
}

/* Where the values of a lane from `first` on are, if they are adjacent and aligned. */
static bool find_access(const lw_tile *t, const values *v, uint32_t lane, uint32_t first, uint32_t row,
                        uint32_t col, uint32_t bytes, lw_bank_access *access)
{
    const uint32_t per = 8 * bytes / t->width;
    *access = (lw_bank_access){ .lane = lane };
    const uint16_t(*at)[2] = (const uint16_t(*)[2]) & v->at[lane * v->count + first];
    if (at[0][0] == NOTHING)
        return true;
    const uint64_t bit = t->bit[(row + at[0][0]) * t->cols + col + at[0][1]];
    for (uint32_t n = 1; n < per; n++)
        if (at[n][0] == NOTHING ||
            t->bit[(row + at[n][0]) * t->cols + col + at[n][1]] != bit + (uint64_t)n * t->width)
            return false;
    access->size = bytes;
    access->address = bit / 8;
    return bit % (8 * bytes) == 0;
}

/* Fills the waves; false if an access is not possible, with the lane and value in `where`. */
static bool fill(const lw_tile *t, const values *v, uint32_t bytes, lw_tile_accesses *list, uint32_t where[2])
{
    const uint32_t per = 8 * bytes / t->width;
    size_t wave = 0;
    for (uint32_t row = 0; row < t->rows; row += v->rows)
        for (uint32_t col = 0; col < t->cols; col += v->cols)
            for (uint32_t first = 0; first < v->count; first += per, wave++)
                for (uint32_t lane = 0; lane < v->lanes; lane++)
                    if (!find_access(t, v, lane, first, row, col, bytes, &list->wave[wave][lane])) {
                        where[0] = lane;
                        where[1] = first;
                        return false;
                    }
    return true;
}

static lw_status try_width(const lw_tile *tile, const values *v, uint32_t bytes, lw_tile_accesses *list,
                           lw_error *error)
{
    uint32_t where[2] = { 0, 0 };
    const uint32_t per = 8 * bytes / tile->width;
    if (8 * bytes % tile->width || per == 0 || v->count % per)
        return lw_error_fail(
            error, LW_E_UNSUPPORTED,
            "the %u values of %u bits of a lane are not a whole number of accesses of %u bits", v->count,
            tile->width, 8 * bytes);
    list->accesses = v->count / per;
    list->operands = tile->rows / v->rows * (tile->cols / v->cols);
    list->wave = calloc((size_t)list->operands * list->accesses, sizeof(*list->wave));
    if (!list->wave)
        return lw_error_fail(error, LW_E_NO_MEMORY, "no memory for the accesses of a wave");
    if (fill(tile, v, bytes, list, where))
        return LW_OK;
    free(list->wave);
    list->wave = NULL;
    return lw_error_fail(error, LW_E_UNSUPPORTED,
                         "the %u bits from value %u of lane %u on are not adjacent and aligned in the tile",
                         8 * bytes, where[1], where[0]);
}

lw_status lw_tile_collect(const lw_tile *tile, const lw_layout *layout, uint32_t bytes,
                          lw_tile_accesses *list, lw_error *error)
{
    values v;
    *list = (lw_tile_accesses){ .wave = NULL };
    lw_status st = list_values(layout, &v, error);
    if (st != LW_OK)
        return st;
    if (layout->relation.width != tile->width || tile->rows % v.rows || tile->cols % v.cols) {
        free(v.at);
        return lw_error_fail(
            error, LW_E_UNSUPPORTED,
            "a tile of %u x %u elements of %u bits is not a whole number of operands of %u x %u of %u bits",
            tile->rows, tile->cols, tile->width, v.rows, v.cols, layout->relation.width);
    }
    st = try_width(tile, &v, bytes, list, error);
    for (uint32_t less = bytes / 2; st == LW_E_UNSUPPORTED && less; less /= 2)
        if (try_width(tile, &v, less, list, NULL) == LW_OK) {
            free(list->wave);
            list->wave = NULL;
            lw_error_append(error, "; the widest access that is possible has %u bits", 8 * less);
            break;
        }
    free(v.at);
    return st;
}

void lw_tile_add_wave(const lw_bank_access wave[LW_BANK_LANES], uint32_t times, const lw_bank_rule *rule,
                      lw_tile_move *move, const void *how, lw_bank_turns *turns)
{
    lw_bank_access asked[LW_BANK_LANES];
    lw_bank_turns one = { .phases = 0 };
    size_t count = 0;
    for (size_t lane = 0; lane < LW_BANK_LANES; lane++) {
        if (!wave[lane].size)
            continue;
        asked[count] = wave[lane];
        if (move)
            asked[count].address = move(how, asked[count].address);
        count++;
    }
    lw_bank_count(rule, asked, count, &one);
    turns->phases += times * one.phases;
    turns->turns += times * one.turns;
    turns->degree = one.degree > turns->degree ? one.degree : turns->degree;
    turns->inferred |= one.inferred;
}

void lw_tile_add_turns(const lw_tile_accesses *list, const lw_bank_rule *rule, lw_bank_turns *turns)
{
    for (size_t w = 0; w < (size_t)list->operands * list->accesses; w++)
        lw_tile_add_wave(list->wave[w], 1, rule, NULL, NULL, turns);
}

static lw_status give(lw_tile_banks *banks, const lw_bank_rule *rule, lw_tile_accesses *list, lw_error *error)
{
    lw_tile_banks made = {
        .struct_size = sizeof(made), .rule = *rule, .operands = list->operands, .accesses = list->accesses
    };
    lw_tile_add_turns(list, rule, &made.turns);
    free(list->wave);
    if (!lw_options_give(banks, &made, sizeof(made), sizeof(made)))
        return lw_error_fail(error, LW_E_ARGUMENT, "banks: a struct_size that no version had");
    return LW_OK;
}

lw_status lw_tile_fill_banks(const lw_tile *tile, const lw_layout *layout, uint32_t bytes, bool store,
                             lw_tile_banks *banks, lw_error *error)
{
    const lw_bank_rule *rule;
    lw_tile_accesses list;
    if (!tile || !layout || !banks)
        return lw_error_fail(error, LW_E_ARGUMENT, "lw_tile_count_banks needs a tile, a layout and a result");
    lw_status st = lw_bank_rule_find(layout->arch, store, bytes, &rule, error);
    if (st == LW_OK)
        st = lw_tile_collect(tile, layout, bytes, &list, error);
    return st == LW_OK ? give(banks, rule, &list, error) : st;
}

lw_status lw_tile_list_access(const lw_tile *tile, const lw_layout *layout, uint32_t bytes, uint32_t number,
                              lw_bank_access *accesses, size_t capacity, size_t *count, lw_error *error)
{
    lw_tile_accesses list;
    if (!tile || !layout || !count || !bytes || (capacity && !accesses))
        return lw_error_fail(error, LW_E_ARGUMENT, "lw_tile_list_access needs a tile, a layout and a result");
    const lw_status st = lw_tile_collect(tile, layout, bytes, &list, error);
    if (st != LW_OK)
        return st;
    const bool exists = number < (uint64_t)list.operands * list.accesses;
    size_t found = 0;
    for (size_t lane = 0; exists && lane < LW_BANK_LANES; lane++) {
        if (!list.wave[number][lane].size)
            continue;
        if (found < capacity)
            accesses[found] = list.wave[number][lane];
        found++;
    }
    free(list.wave);
    if (!exists)
        return lw_error_fail(error, LW_E_ARGUMENT, "there is no access %u", number);
    *count = found;
    return LW_OK;
}

lw_status lw_tile_fill_ldmatrix(const lw_tile *tile, lw_arch arch, bool columns, lw_tile_banks *banks,
                                lw_error *error)
{
    enum { BYTES = 16, ROWS = 8 };
    const lw_bank_rule *rule;
    if (!tile || !banks)
        return lw_error_fail(error, LW_E_ARGUMENT, "lw_tile_count_ldmatrix needs a tile and a result");
    const lw_status st = lw_bank_rule_find(arch, false, BYTES, &rule, error);
    if (st != LW_OK)
        return st;
    const uint32_t rows = columns ? tile->cols : tile->rows, cols = columns ? tile->rows : tile->cols,
                   per = 8 * BYTES / tile->width;
    if (lw_arch_get(arch)->vendor[0] != 'N' || 8 * BYTES % tile->width || rows % ROWS || cols % per)
        return lw_error_fail(error, LW_E_UNSUPPORTED,
                             "ldmatrix loads pieces of 8 rows of 16 bytes, on NVIDIA's GPUs");
    lw_tile_accesses list = { .operands = rows / ROWS * (cols / per), .accesses = 1 };
    list.wave = calloc(list.operands, sizeof(*list.wave));
    if (!list.wave)
        return lw_error_fail(error, LW_E_NO_MEMORY, "no memory for the accesses of a wave");
    for (uint32_t n = 0; n < rows * (cols / per); n++) {
        const uint32_t row = n / (cols / per), col = n % (cols / per) * per;
        const uint32_t step = columns ? tile->cols : 1;
        const uint64_t *at = &tile->bit[columns ? col * tile->cols + row : row * tile->cols + col];
        bool together = *at % (8 * BYTES) == 0;
        for (uint32_t i = 1; i < per; i++)
            together = together && at[i * step] == *at + (uint64_t)i * tile->width;
        if (!together) {
            free(list.wave);
            return lw_error_fail(error, LW_E_UNSUPPORTED,
                                 "the 16 bytes of row %u from column %u on are not adjacent and aligned", row,
                                 col);
        }
        list.wave[row / ROWS * (cols / per) + col / per][row % ROWS] =
            (lw_bank_access){ .lane = row % ROWS, .size = BYTES, .address = *at / 8 };
    }
    lw_bank_rule rows_rule = *rule;
    rows_rule.evidence = LW_LABEL_INFERRED;
    rows_rule.source = "the rows of one matrix are taken to be a phase, as of 128-bit reads";
    return give(banks, &rows_rule, &list, error);
}

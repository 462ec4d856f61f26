/* SPDX-License-Identifier: MIT */
/*
 * ldmatrix and stmatrix of 8 x 8 elements of 16 bits in the block's own shared memory, without the tables of
 * places: lane 4g + t holds the elements (g, 2t) and (g, 2t+1) of a matrix, and with .trans (2t, g) and
 * (2t+1, g) (PTX ISA 9.1, "ldmatrix"). lw_move_execute does the same from the tables, for all forms.
 */
#include "emu/device/log.h"
#include "emu/ptx/matrix.h"

enum { SIDE = 8, ROW_BYTES = 16, MOST_MATRICES = 4 };

bool lw_ptx_rows_plain(const lw_ptx_source *word, unsigned count)
{
    bool plain = true;
    for (unsigned i = 0; i < count; i++)
        plain = plain && word[i].kind == LW_PTX_SOURCE_REGISTER && word[i].bits == 32;
    return plain;
}

/* The rows that the lanes point to. False: one is outside or not aligned. */
static bool find_rows(const lw_ptx_warp *w, const lw_ptx_record *r, unsigned rows, uint8_t **at)
{
    const lw_group *g = w->head.group;
    const uint32_t size = g->lds_size, base = (uint32_t)w->head.rank << LW_PTX_RANK_AT;
    uint8_t *shared = lw_group_lds(g, w->head.rank);
    for (unsigned lane = 0; lane < rows; lane++) {
        const uint32_t offset = (uint32_t)lw_ptx_address(w, r, lane) - base;
        if (offset % ROW_BYTES || offset >= size || size - offset < ROW_BYTES)
            return false;
        at[lane] = shared + offset;
    }
    return true;
}

static void note_rows(lw_ptx_warp *w, uint8_t **at, unsigned rows, bool stores)
{
    const uint8_t *shared = lw_group_lds(w->head.group, w->head.rank);
    uint32_t offset[LW_MAX_LANES];
    for (unsigned lane = 0; lane < rows; lane++)
        offset[lane] = (uint32_t)(at[lane] - shared);
    const lw_log_lanes lanes = { .at = offset,
                                 .active = (UINT64_C(1) << rows) - 1,
                                 .size = ROW_BYTES,
                                 .space = LW_SPACE_LDS,
                                 .load = !stores,
                                 .store = stores };
    lw_log_wave(w->head.log, &lanes);
}

/* The elements of a matrix with rows and columns exchanged. */
static void turn(const uint16_t from[SIDE][SIDE], uint16_t to[SIDE][SIDE])
{
    for (unsigned i = 0; i < SIDE; i++)
        for (unsigned j = 0; j < SIDE; j++)
            to[j][i] = from[i][j];
}

bool lw_ptx_rows_move(lw_ptx_warp *w, const lw_ptx_record *r, const lw_ptx_source *word, unsigned count,
                      bool stores, bool trans)
{
    uint8_t *at[MOST_MATRICES * SIDE];
    uint16_t elements[2][SIDE][SIDE];
    lw_worker *worker = w->head.group->worker;
    if ((stores && worker->touches) || !find_rows(w, r, count * SIDE, at))
        return false;
    if (w->head.log)
        note_rows(w, at, count * SIDE, stores);
    for (unsigned i = 0; i < count; i++) {
        uint32_t *lanes = w->rows + (size_t)word[i].slot * LW_PTX_LANES;
        if (stores)
            memcpy(elements[0], lanes, sizeof(elements[0]));
        for (unsigned row = 0; !stores && row < SIDE; row++)
            memcpy(elements[0][row], at[i * SIDE + row], ROW_BYTES);
        if (trans)
            turn((const uint16_t(*)[SIDE])elements[0], elements[1]);
        if (!stores)
            memcpy(lanes, elements[trans], sizeof(elements[0]));
        for (unsigned row = 0; stores && row < SIDE; row++)
            memcpy(at[i * SIDE + row], elements[trans][row], ROW_BYTES);
    }
    worker->changes += stores ? count * SIDE : 0;
    return true;
}

/* SPDX-License-Identifier: MIT */
/* The steps in which portable vectors rearrange words: quarters of chunks, gathered together where possible.
 */
#include <stdlib.h>

#include "emu/fast/panel.h"

enum { FOUR = 4, MAX_WORDS = LW_PANEL_CD_WORDS, MAX_QUARTERS = LW_PANEL_CD_WORDS / FOUR, NONE = 0xffff };

/* The quarters of a move's chunks; those that begin with the same word are a list. */
typedef struct quarters {
    const lw_move *move;
    uint16_t first[MAX_WORDS], next[MAX_QUARTERS];
    bool done[MAX_QUARTERS];
} quarters;

static const uint16_t *from_of(const quarters *q, unsigned n)
{
    return q->move->chunk[n / FOUR].from + n % FOUR * FOUR;
}

static void list_quarters(quarters *q, const lw_move *move)
{
    q->move = move;
    for (unsigned i = 0; i < MAX_WORDS; i++)
        q->first[i] = NONE;
    for (unsigned n = FOUR * (unsigned)move->chunks; n-- > 0;) {
        const uint16_t word = from_of(q, n)[0];
        q->done[n] = false;
        q->next[n] = NONE;
        if (word >= MAX_WORDS)
            continue;
        q->next[n] = q->first[word];
        q->first[word] = (uint16_t)n;
    }
}

/* An unfinished quarter with these words, or NONE. */
static unsigned find(const quarters *q, const unsigned words[FOUR])
{
    unsigned n = words[0] < MAX_WORDS ? q->first[words[0]] : NONE;
    for (; n != NONE; n = q->next[n]) {
        const uint16_t *from = from_of(q, n);
        if (!q->done[n] && from[1] == words[1] && from[2] == words[2] && from[3] == words[3])
            return n;
    }
    return NONE;
}

/* Quarters number i of which have words b + i * each + {0, by[0], by[1], by[2]}, as a step of `count`. */
static bool find_step(quarters *q, unsigned b, unsigned each, const unsigned by[3], unsigned count,
                      uint16_t to[FOUR])
{
    unsigned found[FOUR];
    for (unsigned i = 0; i < count; i++) {
        const unsigned word = b + i * each;
        found[i] = find(q, (const unsigned[FOUR]){ word, word + by[0], word + by[1], word + by[2] });
        if (found[i] == NONE)
            return false;
        to[i] = (uint16_t)(found[i] * FOUR);
    }
    for (unsigned i = 0; i < count; i++)
        q->done[found[i]] = true;
    return true;
}

/* A step of several quarters, of which n is the first. */
static bool join(quarters *q, unsigned n, lw_move_step *step)
{
    const uint16_t *from = from_of(q, n);
    const unsigned b = from[0], by = (unsigned)(from[1] - b);
    if (q->done[n] || b % FOUR || from[1] <= b)
        return false;
    const unsigned rows[] = { by, 2 * by, 3 * by };
    *step = (lw_move_step){ .from = { from[0], from[1], from[2], from[3] } };
    if (by >= FOUR && find_step(q, b, 1, rows, FOUR, step->to)) {
        step->kind = find_step(q, b, 1, rows, FOUR, step->second) ? LW_STEP_TURN_TWICE : LW_STEP_TURN;
        return true;
    }
    if (by >= FOUR && find_step(q, b, 2, (const unsigned[]){ by, 1, by + 1 }, 2, step->to)) {
        step->kind = LW_STEP_ZIP;
        return true;
    }
    if (by >= FOUR && find_step(q, b, 1, (const unsigned[]){ by, 2, by + 2 }, 2, step->to)) {
        step->kind = LW_STEP_CROSS;
        return true;
    }
    if (by == 2 && find_step(q, b, 1, (const unsigned[]){ 2, 4, 6 }, 2, step->to)) {
        step->from[1] = from[2];
        step->kind = LW_STEP_UNZIP;
        return true;
    }
    return false;
}

static lw_move_step alone(const quarters *q, unsigned n)
{
    const uint16_t *from = from_of(q, n);
    const bool four = from[1] == from[0] + 1 && from[2] == from[0] + 2 && from[3] == from[0] + 3;
    return (lw_move_step){ .kind = four ? LW_STEP_FOUR : LW_STEP_WORDS,
                           .from = { from[0], from[1], from[2], from[3] },
                           .to = { (uint16_t)(n * FOUR) } };
}

static void fill_steps(quarters *q, lw_move *move)
{
    const unsigned count = FOUR * (unsigned)move->chunks;
    for (unsigned n = 0; n < count; n += FOUR)
        if (lw_move_is_run(&move->chunk[n / FOUR])) {
            q->done[n] = q->done[n + 1] = q->done[n + 2] = q->done[n + 3] = true;
            move->step[move->steps++] = (lw_move_step){ .kind = LW_STEP_RUN,
                                                        .from = { move->chunk[n / FOUR].from[0] },
                                                        .to = { (uint16_t)(n * FOUR) } };
        }
    for (unsigned n = 0; n < count; n++)
        if (join(q, n, &move->step[move->steps]))
            move->steps++;
    for (unsigned n = 0; n < count; n++)
        if (!q->done[n])
            move->step[move->steps++] = alone(q, n);
}

static int by_kind(const void *a, const void *b)
{
    return (int)((const lw_move_step *)a)->kind - (int)((const lw_move_step *)b)->kind;
}

lw_status lw_move_make_steps(lw_move *move)
{
    if (!move->chunk)
        return LW_OK;
    quarters q;
    move->step = calloc(FOUR * (size_t)move->chunks, sizeof(*move->step));
    if (!move->step)
        return LW_E_NO_MEMORY;
    list_quarters(&q, move);
    fill_steps(&q, move);
    qsort(move->step, move->steps, sizeof(*move->step), by_kind);
    for (unsigned n = 0; n < move->steps; n++)
        move->of[move->step[n].kind]++;
    return LW_OK;
}

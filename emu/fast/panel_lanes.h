/* SPDX-License-Identifier: MIT */
/*
 * What a kernel that adds groups of products works on, and how it stores D and tells of it. Included after
 * vec_avx2.h or the like.
 */
#ifndef LW_EMU_FAST_PANEL_LANES_H
#define LW_EMU_FAST_PANEL_LANES_H

#include "emu/fast/panel_quiet.h"
#include "emu/fast/panel_scales.h"
#if VEC_HAS_PICKS
#include "emu/fast/panel_chosen.h"
#else
#include "emu/fast/panel_turned.h"
#endif

enum { MAX_ROWS = 32, MAX_VECTORS = 2 * LW_PANEL / VEC_LANES };

/* What a step is given as its stride, other than that of a side: 0 for sparse operands; for squares of four
 * by four, and of eight by eight. */
enum { SQUARE = 4, SQUARES_STRIDE = 4, EIGHTS_STRIDE = 8 };

VEC bool has_squares(int stride)
{
    return stride == SQUARES_STRIDE || stride == EIGHTS_STRIDE;
}

/* Lanes between two words of a string. */
VEC int lanes_of(int stride)
{
    return has_squares(stride) ? LW_PANEL : stride;
}

typedef struct group_task {
    const lw_panel_shape *shape;
    const lw_panels *p;
    const side *s, *v;
    int k_from;                 /* the block's first k, where all blocks are decoded together */
    int rebase;                 /* sum of both sides' */
    uint8_t count[MAX_VECTORS]; /* rows to compute, by vector of lanes: those after them have no products */
    struct chosen *chosen;      /* sparse shapes only */
    const uint32_t *xs, *xv;    /* scales' exponents, [scale block][i] */
    float limit;                /* ALIGNED: a C of at least so many units takes the slow path */
    heeds *heeds;               /* NULL: nobody asks */
    lw_panel_padded padded;     /* found so far */
    bool sides;                 /* so far, both certainly have no subnormal number */
} group_task;

/* The lanes being computed, and the accumulators of all rows: of S, or of V if it is sparse and
 * transposed. */
typedef struct lanes {
    int lane, half, run, run_step, rows;
    bool redo;
    bool plain_c; /* C has neither -0 nor a subnormal number, an infinity or a NaN; may stay unset */
    _Alignas(64) float acc[MAX_ROWS][VEC_LANES];
} lanes;

/* Where a kernel's loops store D. It is copied for each, because the stores might change anything. */
typedef struct ends {
    const float (*acc)[VEC_LANES];
    const uint32_t *c;
    uint32_t *d;
    const uint16_t *c_at, *d_at;
    int step;
} ends;

VEC ends ends_of(const lw_panels *p, const lanes *l)
{
    return (ends){ l->acc, p->c + l->half, p->d + l->half, p->c_at + l->run, p->d_at + l->run, l->run_step };
}

/* What end_rows examines. */
typedef enum end_mode {
    END_ALL,      /* all of D */
    END_PADDED,   /* plain zeros are set apart: those of unused rows and lanes, where C is +0, too */
    END_PADDED_D, /* the same where C is known to have no -0, and is what a zero of D was */
} end_mode;

VEC void end_row(const ends *e, int i, bool used, end_mode mode, heeds *h, heed_lanes *own)
{
    const bool padded = mode != END_ALL;
    const vf d = vf_load(e->acc[i]), c = mode == END_PADDED ? vf_load(e->c + e->c_at[i * e->step]) : d;
    vf_store(e->d + e->d_at[i * e->step], d);
    heeds_add(h, used, c, d, padded, own);
}

VEC void end_four(const ends *e, int i, bool used, end_mode mode, heeds *h, heed_lanes *own)
{
    end_row(e, i, used, mode, h, own);
    end_row(e, i + 1, used, mode, h, own);
    end_row(e, i + 2, used, mode, h, own);
    end_row(e, i + 3, used, mode, h, own);
}

/* Unused rows follow each other: four at a time. */
VEC void end_rows(const group_task *t, const lanes *l, heeds *h, end_mode mode)
{
    const bool padded = mode != END_ALL;
    const ends e = ends_of(t->p, l);
    const int rows = t->shape->s_count;
    heeds found = *h;
    heed_lanes own = heed_lanes_none();
    int i = 0;
    for (; i + 4 <= rows; i += 4) {
        const unsigned used = padded ? (unsigned)(found.s_used >> i) & 15 : 15;
        if (used == 15)
            end_four(&e, i, true, mode, &found, &own);
        else if (used == 0)
            end_four(&e, i, false, mode, &found, &own);
        else
            for (int n = i; n < i + 4; n++)
                end_row(&e, n, found.s_used >> n & 1, mode, &found, &own);
    }
    for (; i < rows; i++)
        end_row(&e, i, found.s_used >> i & 1, mode, &found, &own);
    heeds_end(&found, l->lane, padded, &own);
    h->d = found.d;
    h->rest = found.rest;
}

/* Rows that were not computed are C, which loses -0. */
VEC void lose_minus(const group_task *t, lanes *l)
{
    for (int i = l->rows; i < t->shape->s_count; i++)
        vf_store(l->acc[i], vf_add(vf_load(l->acc[i]), vf_all(0.0f)));
}

LW_APART static void end_quietly(const group_task *t, lanes *l)
{
    if (!SUSPECTS_MINUS || !l->plain_c)
        lose_minus(t, l);
    if (t->p->quiet->padded == LW_PADDED_NOT)
        end_rows(t, l, t->heeds, END_ALL);
    else if (SUSPECTS_MINUS && t->shape->unit.kind == LW_KIND_ALIGNED && l->plain_c)
        end_rows(t, l, t->heeds, END_PADDED_D);
    else
        end_rows(t, l, t->heeds, END_PADDED);
}

VEC void end_dense(const group_task *t, lanes *l)
{
    const ends e = ends_of(t->p, l);
    const int rows = l->rows;
    if (t->heeds)
        end_quietly(t, l);
    else
        for (int i = 0; i < rows; i++)
            vf_store(e.d + e.d_at[i * e.step], vf_load(e.acc[i]));
}

#endif

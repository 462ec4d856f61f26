/* SPDX-License-Identifier: MIT */
/*
 * A layout as other tools' notations describe it: an element for each lane l and each value v of the lane,
 * counted from the lowest bits. No notation says which bits v occupies.
 */
#ifndef LW_LAYOUTS_NOTATION_TV_H
#define LW_LAYOUTS_NOTATION_TV_H

#include "layouts/layout.h"
#include "layouts/writer.h"

enum { LW_TV_MOST_AXES = 4 };

/* A number and its digits by increasing step; of a coordinate, by decreasing stride. */
typedef struct lw_tv_digits {
    lw_digit digit[LW_RELATION_MAX_DIGITS];
    unsigned count;
} lw_tv_digits;

typedef struct lw_tv {
    const lw_layout *layout;
    lw_relation r;       /* in normal form: `bit` counts values */
    lw_tv_digits lanes;  /* those that move the lane */
    lw_tv_digits values; /* those that move the value */
    lw_tv_digits still;  /* those that move neither: a place holds several elements */
    uint32_t count;      /* values of a lane */
    bool uneven;         /* they are not at even steps of bits: `r` and `values` count them */
    uint32_t step[LW_RELATION_MAX_DIGITS]; /* of each of `values`, in units of r.pitch */
    bool whole;                            /* every lane holds an element */
    bool turned;                           /* lanes are rotated */
    uint8_t axis[LW_TV_MOST_AXES]; /* the coordinates that the operand has, in display order: block, X, Y */
    unsigned axes;
} lw_tv;

/* LW_E_UNSUPPORTED for a layout with XOR bases; `name` is the notation's, for error messages. */
lw_status lw_tv_make(const lw_layout *layout, const char *name, lw_tv *tv, lw_error *error);

/* The value that begins at this bit of a lane's registers; false if none does. */
bool lw_tv_value(const lw_tv *tv, uint64_t bit, uint64_t *value);

/* LW_E_UNSUPPORTED where the element is not a function of lane and value; unless `lists`, also where some
 * lanes hold nothing. */
lw_status lw_tv_is_function(const lw_tv *tv, const char *name, bool lists, lw_error *error);

uint32_t lw_tv_extent(const lw_tv *tv, unsigned axis);

/* The stride of a digit on an axis of the relation. */
static inline uint32_t lw_tv_on(const lw_digit *d, unsigned axis)
{
    return lw_digit_vector(d).on[axis];
}

/* The digits of a coordinate, by decreasing stride. LW_E_UNSUPPORTED where one also moves another coordinate
 * or some are missing. */
lw_status lw_tv_coordinate(const lw_tv *tv, unsigned axis, const char *name, lw_tv_digits *digits,
                           lw_error *error);

/* Whether the digit moves only the place. */
static inline bool lw_tv_is_copy(const lw_digit *d)
{
    return !d->row && !d->col && !d->k && !d->block;
}

/* "i", "j", "k", "b" */
char lw_tv_letter(unsigned axis);

/* A line with what the notation cannot say: which bits values occupy, unless they are simply adjacent. */
void lw_tv_note(const lw_tv *tv, const char *comment, lw_writer *w);

/* Each writes its notation and a newline. LW_E_UNSUPPORTED with a sentence if it cannot express the
 * layout. */
typedef lw_status lw_notation_writer(const lw_layout *layout, lw_writer *w, lw_error *error);
lw_notation_writer lw_write_cute, lw_write_triton, lw_write_gluon, lw_write_iree, lw_write_tirx, lw_write_ck;
lw_notation_writer lw_write_formula, lw_write_calculator, lw_write_latex, lw_write_table;

#endif

/* SPDX-License-Identifier: MIT */
/* IREE's single subgroup layout: per dimension outer, thread, tstrides, element (IREEGPUAttrs). */
#include "isa_tables/error.h"
#include "layouts/notation/tv.h"

enum { OUTER, ELEMENT, GROUPS };

/* One dimension: values before the lanes, lanes, values after them. */
typedef struct dimension {
    lw_tv_digits group[GROUPS]; /* by decreasing stride */
    uint32_t count[GROUPS], thread, tstride;
} dimension;

static void add(dimension *d, unsigned group, const lw_digit *digit)
{
    d->group[group].digit[d->group[group].count++] = *digit;
    d->count[group] *= digit->radix;
}

static lw_status split(const lw_tv *tv, unsigned axis, dimension *d, lw_error *error)
{
    lw_tv_digits digits;
    const lw_status st = lw_tv_coordinate(tv, axis, "IREE", &digits, error);
    *d = (dimension){ .count = { 1, 1 }, .thread = 1 };
    for (unsigned i = 0; st == LW_OK && i < digits.count; i++) {
        const lw_digit *digit = &digits.digit[i];
        if (!digit->lane) {
            add(d, d->thread > 1 ? ELEMENT : OUTER, digit);
            continue;
        }
        if (d->thread > 1)
            return lw_error_fail(
                error, LW_E_UNSUPPORTED,
                "IREE: %c is spread over the lanes twice, and a dimension has one stride of threads",
                lw_tv_letter(axis));
        d->thread = digit->radix;
        d->tstride = digit->lane;
    }
    return st;
}

/* Whether values count through the groups, elements of the last dimension fastest, outers after all
 * elements. */
static bool is_in_order(const dimension *d, unsigned count)
{
    uint32_t step = 1;
    for (int group = ELEMENT; group >= OUTER; group--)
        for (unsigned i = count; i-- > 0;)
            for (unsigned n = d[i].group[group].count; n-- > 0;) {
                if (d[i].group[group].digit[n].bit != step)
                    return false;
                step *= d[i].group[group].digit[n].radix;
            }
    return true;
}

/* The values of a dimension without threads may be outers or elements: elements are tried first. */
static bool arrange(dimension *d, unsigned count)
{
    for (unsigned choice = 0; choice < 1u << count; choice++) {
        dimension tried[LW_TV_MOST_AXES];
        for (unsigned i = 0; i < count; i++) {
            tried[i] = d[i];
            if (d[i].thread > 1 || choice >> i & 1)
                continue;
            tried[i].group[ELEMENT] = d[i].group[OUTER];
            tried[i].count[ELEMENT] = d[i].count[OUTER];
            tried[i].group[OUTER].count = 0;
            tried[i].count[OUTER] = 1;
        }
        if (!is_in_order(tried, count))
            continue;
        for (unsigned i = 0; i < count; i++)
            d[i] = tried[i];
        return true;
    }
    return false;
}

static void put(lw_writer *w, const char *name, const uint32_t *numbers, unsigned count)
{
    lw_writer_put(w, "%s = {", name);
    for (unsigned i = 0; i < count; i++)
        lw_writer_put(w, "%s%u", i ? ", " : "", numbers[i]);
    lw_writer_put(w, "}");
}

lw_status lw_write_iree(const lw_layout *layout, lw_writer *w, lw_error *error)
{
    lw_tv tv;
    dimension d[LW_TV_MOST_AXES];
    uint32_t outer[LW_TV_MOST_AXES], thread[LW_TV_MOST_AXES], stride[LW_TV_MOST_AXES],
        element[LW_TV_MOST_AXES];
    lw_status st = lw_tv_make(layout, "IREE", &tv, error);
    if (st == LW_OK)
        st = lw_tv_is_function(&tv, "IREE", false, error);
    for (unsigned a = 0; st == LW_OK && a < tv.axes; a++)
        st = split(&tv, tv.axis[a], &d[a], error);
    if (st != LW_OK)
        return st;
    for (unsigned i = 0; i < tv.values.count; i++)
        if (lw_tv_is_copy(&tv.values.digit[i]))
            return lw_error_fail(error, LW_E_UNSUPPORTED,
                                 "IREE: a lane holds an element twice, and its values are all different");
    if (!arrange(d, tv.axes))
        return lw_error_fail(error, LW_E_UNSUPPORTED,
                             "IREE: values of a lane are counted in another order than outer, element");
    for (unsigned a = 0; a < tv.axes; a++) {
        outer[a] = d[a].count[OUTER];
        element[a] = d[a].count[ELEMENT];
        thread[a] = d[a].thread;
        stride[a] = d[a].tstride;
    }
    put(w, "outer", outer, tv.axes);
    put(w, " thread", thread, tv.axes);
    put(w, " tstrides", stride, tv.axes);
    put(w, " element", element, tv.axes);
    lw_writer_put(w, "\n");
    lw_tv_note(&tv, "//", w);
    return LW_OK;
}

/* SPDX-License-Identifier: MIT */
#include "isa_tables/error.h"
#include "layouts/notation/tv.h"

static void set_axes(lw_tv *tv)
{
    const unsigned operand = tv->layout->operand;
    const bool columns_first = operand == LW_OPERAND_SCALE_B, k_first = operand == LW_OPERAND_B;
    const bool over_columns = operand == LW_OPERAND_B || operand == LW_OPERAND_C || operand == LW_OPERAND_D;
    if (tv->r.blocks > 1)
        tv->axis[tv->axes++] = LW_AXIS_BLOCK;
    tv->axis[tv->axes++] = k_first ? LW_AXIS_K : columns_first ? LW_AXIS_COL : LW_AXIS_ROW;
    tv->axis[tv->axes++] = over_columns ? LW_AXIS_COL : LW_AXIS_K;
}

static void add_by_step(lw_tv_digits *list, const lw_digit *d, unsigned axis)
{
    unsigned at = list->count++;
    for (; at > 0 && lw_tv_on(&list->digit[at - 1], axis) > lw_tv_on(d, axis); at--)
        list->digit[at] = list->digit[at - 1];
    list->digit[at] = *d;
}

/* The number that a list of digits counts to, if they form a mixed-radix numeral; otherwise 0. */
static uint32_t counts_to(const lw_tv_digits *list, unsigned axis)
{
    uint32_t n = 1;
    for (unsigned i = 0; i < list->count; i++) {
        if (lw_tv_on(&list->digit[i], axis) != n)
            return 0;
        n *= list->digit[i].radix;
    }
    return n;
}

static bool is_turned(const lw_relation *r)
{
    uint64_t most = r->origin.lane;
    for (uint32_t i = 0; i < r->digits; i++)
        most += (uint64_t)(r->digit[i].radix - 1) * r->digit[i].lane;
    return most >= r->lanes;
}

/*
 * Numbers values that are not at even steps by their order; false where they overlap. The relation counts
 * values then, as its digits do, and `step` is where they are.
 */
static bool number_by_order(lw_tv *tv)
{
    lw_relation dense = tv->r;
    uint64_t span = 1;
    uint32_t count = 1;
    for (unsigned i = 0; i < tv->values.count; i++) {
        lw_digit *d = &tv->values.digit[i];
        if (d->bit < span || d->lane)
            return false;
        for (uint32_t n = 0; n < dense.digits; n++)
            if (tv->r.digit[n].bit == d->bit)
                dense.digit[n].bit = count;
        tv->step[i] = d->bit;
        span += (uint64_t)(d->radix - 1) * d->bit;
        d->bit = count;
        count *= d->radix;
    }
    tv->count = count;
    tv->uneven = true;
    tv->r = dense;
    return true;
}

bool lw_tv_value(const lw_tv *tv, uint64_t bit, uint64_t *value)
{
    const uint64_t apart = tv->count > 1 ? tv->r.pitch : tv->r.width;
    if (bit < tv->r.start || (bit - tv->r.start) % apart)
        return false;
    uint64_t unit = (bit - tv->r.start) / apart;
    *value = unit;
    if (!tv->uneven)
        return true;
    *value = 0;
    for (unsigned i = tv->values.count; i-- > 0;) {
        const uint64_t digit = unit / tv->step[i];
        if (digit >= tv->values.digit[i].radix)
            return false;
        *value += digit * tv->values.digit[i].bit;
        unit -= digit * tv->step[i];
    }
    return unit == 0;
}

lw_status lw_tv_make(const lw_layout *layout, const char *name, lw_tv *tv, lw_error *error)
{
    *tv = (lw_tv){ .layout = layout };
    if (lw_relation_normalize(&layout->relation, &tv->r) != LW_OK || tv->r.bases)
        return lw_error_fail(error, LW_E_UNSUPPORTED, "%s: the layout is not a mixed-radix number", name);
    for (uint32_t i = 0; i < tv->r.digits; i++) {
        const lw_digit *d = &tv->r.digit[i];
        if (d->lane)
            add_by_step(&tv->lanes, d, LW_AXIS_LANE);
        else if (d->bit)
            add_by_step(&tv->values, d, LW_AXIS_BIT);
        else
            tv->still.digit[tv->still.count++] = *d;
    }
    set_axes(tv);
    tv->count = counts_to(&tv->values, LW_AXIS_BIT);
    tv->whole = counts_to(&tv->lanes, LW_AXIS_LANE) == tv->r.lanes;
    tv->turned = is_turned(&tv->r);
    if (!tv->count && !number_by_order(tv))
        return lw_error_fail(error, LW_E_UNSUPPORTED, "%s: the values of a lane are at uneven steps", name);
    return LW_OK;
}

lw_status lw_tv_is_function(const lw_tv *tv, const char *name, bool lists, lw_error *error)
{
    if (tv->turned)
        return lw_error_fail(error, LW_E_UNSUPPORTED,
                             "%s: lanes are rotated, and it has no offset modulo the wave", name);
    if (tv->still.count)
        return lw_error_fail(
            error, LW_E_UNSUPPORTED,
            "%s: a place serves several elements (CBSZ), so the element is not a function of lane and value",
            name);
    const lw_pair *o = &tv->r.origin;
    if (o->lane || o->bit || o->row || o->col || o->k || o->block)
        return lw_error_fail(error, LW_E_UNSUPPORTED, "%s: the first place does not hold the first element",
                             name);
    if (!lists && !tv->whole)
        return lw_error_fail(error, LW_E_UNSUPPORTED,
                             "%s: some lanes hold nothing, and it has no list of lanes", name);
    return LW_OK;
}

uint32_t lw_tv_extent(const lw_tv *tv, unsigned axis)
{
    const uint32_t extents[LW_AXES] = { [LW_AXIS_ROW] = tv->r.rows,
                                        [LW_AXIS_COL] = tv->r.cols,
                                        [LW_AXIS_K] = tv->r.ks,
                                        [LW_AXIS_BLOCK] = tv->r.blocks };
    return extents[axis];
}

lw_status lw_tv_coordinate(const lw_tv *tv, unsigned axis, const char *name, lw_tv_digits *digits,
                           lw_error *error)
{
    digits->count = 0;
    for (uint32_t i = 0; i < tv->r.digits; i++) {
        const lw_digit *d = &tv->r.digit[i];
        if (!lw_tv_on(d, axis))
            continue;
        for (unsigned other = LW_AXIS_ROW; other < LW_AXES; other++)
            if (other != axis && lw_tv_on(d, other))
                return lw_error_fail(error, LW_E_UNSUPPORTED, "%s: %c and %c move together", name,
                                     lw_tv_letter(axis), lw_tv_letter(other));
        add_by_step(digits, d, axis);
    }
    if (counts_to(digits, axis) != lw_tv_extent(tv, axis))
        return lw_error_fail(error, LW_E_UNSUPPORTED, "%s: the digits of %c do not make up %u", name,
                             lw_tv_letter(axis), lw_tv_extent(tv, axis));
    for (unsigned low = 0, high = digits->count; low + 1 < high; low++) {
        const lw_digit swap = digits->digit[low];
        digits->digit[low] = digits->digit[--high];
        digits->digit[high] = swap;
    }
    return LW_OK;
}

char lw_tv_letter(unsigned axis)
{
    return axis == LW_AXIS_ROW ? 'i' : axis == LW_AXIS_COL ? 'j' : axis == LW_AXIS_K ? 'k' : 'b';
}

/* Where values are that are not at even steps: the bit of each. */
static void put_bits(const lw_tv *tv, const char *comment, lw_writer *w)
{
    lw_writer_put(w, "%s values of %u bits, at bits", comment, tv->r.width);
    for (uint32_t value = 0; value < tv->count; value++) {
        uint32_t unit = 0;
        for (unsigned i = 0; i < tv->values.count; i++)
            unit += value / tv->values.digit[i].bit % tv->values.digit[i].radix * tv->step[i];
        lw_writer_put(w, "%s %u", value ? "," : "", tv->r.start + unit * tv->r.pitch);
    }
    lw_writer_put(w, "\n");
}

void lw_tv_note(const lw_tv *tv, const char *comment, lw_writer *w)
{
    if (tv->uneven) {
        put_bits(tv, comment, w);
        return;
    }
    const bool apart = tv->count > 1 && tv->r.pitch != tv->r.width;
    if (!apart && !tv->r.start)
        return;
    lw_writer_put(w, "%s values of %u bits", comment, tv->r.width);
    if (apart)
        lw_writer_put(w, ", %u bits apart", tv->r.pitch);
    lw_writer_put(w, ", the first at bit %u\n", tv->r.start);
}

/* SPDX-License-Identifier: MIT */
/* IREE's single subgroup layouts, TIRx and Composable Kernel. */
#include "isa_tables/error.h"
#include "layouts/notation/reader.h"

enum { MOST = 16 };

static bool is_done(lw_reader *r)
{
    return lw_reader_end(r) || lw_reader_fail(r, "the layout ends before this");
}

/* The product if it stays small; 0 otherwise. */
static uint32_t product(const uint32_t *n, unsigned count)
{
    uint64_t all = 1;
    for (unsigned i = 0; i < count; i++)
        if ((all *= n[i]) == 0 || all > LW_MOST_CLAIMS)
            return 0;
    return (uint32_t)all;
}

/* ---- IREE ---- */

enum { OUTER, THREAD, TSTRIDES, ELEMENT, PARTS };

static void read_tuples(lw_reader *r)
{
    static const char *const names[PARTS] = { "outer", "thread", "tstrides", "element" };
    uint32_t part[PARTS][LW_TV_MOST_AXES], at[LW_TV_MOST_AXES];
    uint8_t axis[LW_TV_MOST_AXES];
    const unsigned axes = lw_reader_axes(r, false, axis);
    for (unsigned p = 0; p < PARTS; p++) {
        unsigned count;
        if (!lw_reader_need(r, names[p]) || !lw_reader_need(r, "=") ||
            !lw_reader_list(r, "{", "}", part[p], LW_TV_MOST_AXES, &count))
            return;
        if (count != axes) {
            lw_reader_fail(r, "%s before this has %u numbers, the operand has %u dimensions", names[p], count,
                           axes);
            return;
        }
        lw_reader_take(r, ",");
    }
    const uint32_t outers = product(part[OUTER], axes), elements = product(part[ELEMENT], axes);
    if (!is_done(r))
        return;
    if (!outers || !elements || !product(part[THREAD], axes) || product(part[THREAD], axes) > LW_MOST_LANES ||
        outers > LW_MOST_CLAIMS / elements / r->tv->r.lanes) {
        lw_reader_fail(r, "the layout before this has no places, or more than %d", LW_MOST_CLAIMS);
        return;
    }
    for (uint32_t lane = 0; lane < r->tv->r.lanes; lane++)
        for (uint32_t value = 0; value < outers * elements; value++) {
            uint32_t o = value / elements, e = value % elements;
            for (unsigned a = axes; a-- > 0;) {
                const uint32_t stride = part[TSTRIDES][a] ? part[TSTRIDES][a] : 1, thread = part[THREAD][a];
                at[a] = (o % part[OUTER][a] * thread + lane / stride % thread) * part[ELEMENT][a] +
                        e % part[ELEMENT][a];
                o /= part[OUTER][a];
                e /= part[ELEMENT][a];
            }
            if (!lw_reader_claim(r, lane, value, axis, at, axes))
                return;
        }
}

enum { SUBGROUPS, BATCH, OUTERS, THREADS, ELEMENTS, SUBGROUP_STRIDES, THREAD_STRIDES, LISTS };

/* The lists of a nested layout, in the order in which IREE prints them; each has a number for every
 * dimension. */
static bool read_lists(lw_reader *r, unsigned axes, uint32_t list[LISTS][LW_TV_MOST_AXES])
{
    static const char *const names[LISTS] = { "subgroup_tile", "batch_tile",   "outer_tile",
                                              "thread_tile",   "element_tile", "subgroup_strides",
                                              "thread_strides" };
    for (unsigned n = 0; n < LISTS; n++) {
        unsigned count;
        if ((n && !lw_reader_need(r, ",")) || !lw_reader_need(r, names[n]) || !lw_reader_need(r, "=") ||
            !lw_reader_list(r, "[", "]", list[n], LW_TV_MOST_AXES, &count))
            return false;
        if (count != axes)
            return lw_reader_fail(r, "%s before this has %u numbers, the operand has %u dimensions", names[n],
                                  count, axes);
    }
    return lw_reader_need(r, ">") && is_done(r);
}

/* Subgroups, batches, outer tiles, threads and elements, from slow to fast in each dimension. */
static void read_nested(lw_reader *r)
{
    uint32_t list[LISTS][LW_TV_MOST_AXES], at[LW_TV_MOST_AXES];
    uint8_t axis[LW_TV_MOST_AXES];
    const unsigned axes = lw_reader_axes(r, false, axis);
    if (!read_lists(r, axes, list))
        return;
    if (product(list[SUBGROUPS], axes) != 1) {
        r->status = lw_error_fail(r->error, LW_E_UNSUPPORTED, "the layout is one of several subgroups");
        return;
    }
    uint32_t own[3] = { product(list[BATCH], axes), product(list[OUTERS], axes),
                        product(list[ELEMENTS], axes) };
    const uint64_t values = (uint64_t)own[0] * own[1] * own[2];
    if (!values || !product(list[THREADS], axes) || product(list[THREADS], axes) > LW_MOST_LANES ||
        values > LW_MOST_CLAIMS / r->tv->r.lanes) {
        lw_reader_fail(r, "the layout before this has no places, or more than %d", LW_MOST_CLAIMS);
        return;
    }
    for (uint32_t lane = 0; lane < r->tv->r.lanes; lane++)
        for (uint32_t value = 0; value < values; value++) {
            uint32_t b = value / own[2] / own[1], o = value / own[2] % own[1], e = value % own[2];
            for (unsigned a = axes; a-- > 0;) {
                const uint32_t stride = list[THREAD_STRIDES][a], tiles = list[THREADS][a];
                const uint32_t thread = stride ? lane / stride % tiles : 0; /* 0: not distributed */
                at[a] = ((b % list[BATCH][a] * list[OUTERS][a] + o % list[OUTERS][a]) * tiles + thread) *
                            list[ELEMENTS][a] +
                        e % list[ELEMENTS][a];
                b /= list[BATCH][a];
                o /= list[OUTERS][a];
                e /= list[ELEMENTS][a];
            }
            if (!lw_reader_claim(r, lane, value, axis, at, axes))
                return;
        }
}

void lw_read_iree(lw_reader *r)
{
    if (!lw_reader_take(r, "#iree_vector_ext.nested_layout"))
        read_tuples(r);
    else if (lw_reader_need(r, "<"))
        read_nested(r);
}

/* ---- TIRx ---- */

typedef struct terms {
    uint32_t extent[MOST], stride[MOST];
    bool on_lanes[MOST];
    unsigned count;
} terms;

static bool read_term(lw_reader *r, uint32_t *stride, bool *on_lanes)
{
    *on_lanes = false;
    if (!lw_reader_number(r, stride))
        return false;
    if (!lw_reader_take(r, "@"))
        return true;
    *on_lanes = lw_reader_take(r, "laneid");
    return *on_lanes || lw_reader_take(r, "m") ||
           lw_reader_fail(r, "laneid or m is expected here: other axes are not places of a wave");
}

/* S[(16,4):(1@laneid,1)], from the opening bracket on. */
static bool read_terms(lw_reader *r, terms *t)
{
    *t = (terms){ .count = 0 };
    lw_reader_skip(r);
    if (!lw_reader_need(r, "["))
        return false;
    lw_reader_skip(r);
    const bool tuple = r->at < r->size && r->text[r->at] == '(';
    if (tuple ? !lw_reader_list(r, "(", ")", t->extent, MOST, &t->count)
              : !(t->count = 1, lw_reader_number(r, t->extent)))
        return false;
    if (lw_reader_take(r, ":")) {
        if (tuple && !lw_reader_need(r, "("))
            return false;
        for (unsigned i = 0; i < t->count; i++)
            if ((i && !lw_reader_need(r, ",")) || !read_term(r, &t->stride[i], &t->on_lanes[i]))
                return false;
        if (tuple && !lw_reader_need(r, ")"))
            return false;
    } else {
        uint64_t step = 1;
        for (unsigned i = t->count; i-- > 0; step *= t->extent[i]) {
            if (step > LW_MOST_NUMBER)
                return lw_reader_fail(r, "the extents before this are too large");
            t->stride[i] = (uint32_t)step;
        }
    }
    return lw_reader_need(r, "]");
}

/* Row-major: the last extent is the fastest. */
static void step(const terms *t, uint32_t n, uint64_t *lane, uint64_t *value)
{
    for (unsigned i = t->count; i-- > 0; n /= t->extent[i])
        *(t->on_lanes[i] ? lane : value) += (uint64_t)(n % t->extent[i]) * t->stride[i];
}

void lw_read_tirx(lw_reader *r)
{
    terms shard, copies = { .count = 0 };
    uint64_t from_lane = 0, from_value = 0;
    uint8_t axis[LW_TV_MOST_AXES];
    uint32_t total = 1;
    const unsigned axes = lw_reader_axes(r, false, axis);
    if (!lw_reader_need(r, "S") || !read_terms(r, &shard))
        return;
    while (lw_reader_take(r, "+")) {
        uint32_t n;
        bool on_lanes;
        if (lw_reader_take(r, "R") ? !read_terms(r, &copies) : !read_term(r, &n, &on_lanes))
            return;
        if (r->text[r->at - 1] != ']')
            *(on_lanes ? &from_lane : &from_value) += n;
    }
    if (!is_done(r))
        return;
    for (unsigned a = 0; a < axes; a++)
        total *= lw_tv_extent(r->tv, axis[a]);
    const uint32_t all = product(shard.extent, shard.count), times = product(copies.extent, copies.count);
    if (all != total || !times || times > LW_MOST_CLAIMS / all) {
        lw_reader_fail(r, "the extents before this are of %u elements, the operand has %u", all, total);
        return;
    }
    for (uint32_t n = 0; n < all; n++)
        for (uint32_t copy = 0; copy < times; copy++) {
            uint64_t lane = from_lane, value = from_value;
            uint32_t at[LW_TV_MOST_AXES], rest = n;
            for (unsigned a = axes; a-- > 0; rest /= lw_tv_extent(r->tv, axis[a]))
                at[a] = rest % lw_tv_extent(r->tv, axis[a]);
            step(&shard, n, &lane, &value);
            step(&copies, copy, &lane, &value);
            if (!lw_reader_claim(r, lane > LW_MOST_NUMBER ? LW_MOST_NUMBER : (uint32_t)lane,
                                 value > LW_MOST_NUMBER ? LW_MOST_NUMBER : (uint32_t)value, axis, at, axes))
                return;
        }
}

/* ---- Composable Kernel ---- */

typedef struct places {
    uint32_t major[MOST], minor[MOST];
    unsigned count;
} places;

typedef struct encoding {
    uint32_t h[LW_TV_MOST_AXES + 1][MOST]; /* 0: copies */
    unsigned digits[LW_TV_MOST_AXES + 1];
    places lane, value;
    unsigned axes;
} encoding;

static bool read_sequence(lw_reader *r, uint32_t *n, unsigned *count)
{
    return lw_reader_need(r, "sequence") && lw_reader_list(r, "<", ">", n, MOST, count);
}

static bool read_wrapped(lw_reader *r, uint32_t *n, unsigned *count)
{
    return lw_reader_need(r, "tuple") && lw_reader_need(r, "<") && read_sequence(r, n, count) &&
           lw_reader_need(r, ">");
}

static bool read_coordinates(lw_reader *r, encoding *e)
{
    if (!lw_reader_need(r, "tuple") || !lw_reader_need(r, "<"))
        return false;
    for (unsigned a = 1; a <= e->axes; a++)
        if ((a > 1 && !lw_reader_need(r, ",")) || !read_sequence(r, e->h[a], &e->digits[a]))
            return false;
    return lw_reader_need(r, ">");
}

static bool read_places(lw_reader *r, encoding *e)
{
    unsigned majors, minors;
    if (!read_wrapped(r, e->lane.major, &majors) || !lw_reader_need(r, ",") ||
        !read_wrapped(r, e->lane.minor, &minors))
        return false;
    e->lane.count = majors;
    if (majors != minors)
        return lw_reader_fail(r, "%u majors and %u minors of lanes before this", majors, minors);
    if (!lw_reader_need(r, ",") || !read_sequence(r, e->value.major, &majors) || !lw_reader_need(r, ",") ||
        !read_sequence(r, e->value.minor, &minors))
        return false;
    e->value.count = majors;
    return majors == minors ||
           lw_reader_fail(r, "%u majors and %u minors of values before this", majors, minors);
}

/* The sizes of the digits that a list of places names; false if one does not exist. */
static bool sizes(lw_reader *r, const encoding *e, const places *p, uint32_t *n)
{
    for (unsigned i = 0; i < p->count; i++) {
        if (p->major[i] > e->axes || p->minor[i] >= e->digits[p->major[i]])
            return lw_reader_fail(r, "there is no digit (%u, %u)", p->major[i], p->minor[i]);
        n[i] = e->h[p->major[i]][p->minor[i]];
    }
    return true;
}

/* Sets the digits that the places name to the digits of n, the last fastest. */
static void set_digits(const places *p, const uint32_t *size, uint32_t n, uint32_t digit[][MOST])
{
    for (unsigned i = p->count; i-- > 0; n /= size[i])
        digit[p->major[i]][p->minor[i]] = n % size[i];
}

static void claim_encoding(lw_reader *r, const encoding *e)
{
    uint32_t lane_size[MOST], value_size[MOST], digit[LW_TV_MOST_AXES + 1][MOST] = { { 0 } },
                                                                        at[LW_TV_MOST_AXES];
    uint8_t axis[LW_TV_MOST_AXES];
    lw_reader_axes(r, true, axis);
    if (!sizes(r, e, &e->lane, lane_size) || !sizes(r, e, &e->value, value_size))
        return;
    const uint32_t lanes = product(lane_size, e->lane.count), values = product(value_size, e->value.count);
    if (!lanes || !values || lanes > LW_MOST_LANES || values > LW_MOST_CLAIMS / lanes) {
        lw_reader_fail(r, "the layout before this has no places, or more than %d", LW_MOST_CLAIMS);
        return;
    }
    for (uint32_t n = 0; n < lanes * values; n++) {
        set_digits(&e->lane, lane_size, n / values, digit);
        set_digits(&e->value, value_size, n % values, digit);
        for (unsigned a = 0; a < e->axes; a++) {
            at[a] = 0;
            for (unsigned d = 0; d < e->digits[a + 1]; d++)
                at[a] = at[a] * e->h[a + 1][d] + digit[a + 1][d];
        }
        if (!lw_reader_claim(r, n / values, n % values, axis, at, e->axes))
            return;
    }
}

void lw_read_ck(lw_reader *r)
{
    encoding e = { .axes = r->tv->axes };
    lw_reader_take(r, "ck_tile::");
    if (!lw_reader_need(r, "tile_distribution_encoding") || !lw_reader_need(r, "<") ||
        !read_sequence(r, e.h[0], &e.digits[0]) || !lw_reader_need(r, ",") || !read_coordinates(r, &e) ||
        !lw_reader_need(r, ",") || !read_places(r, &e) || !lw_reader_need(r, ">") || !is_done(r))
        return;
    claim_encoding(r, &e);
}

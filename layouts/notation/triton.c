/* SPDX-License-Identifier: MIT */
/* Triton: linear layouts over the bits of register and lane, as MLIR attribute and as Gluon's constructor. */
#include "isa_tables/error.h"
#include "layouts/notation/tv.h"

typedef struct spelling {
    const char *name, *open, *labels[4], *comma, *close, *comment; /* for register, lane, warp, block */
    bool shape;
} spelling;

static const spelling attribute = {
    "Triton", "#ttg.linear<{", { "register = ", ", lane = ", ", warp = ", ", block = " }, ", ", "}>", "//",
    false
};
static const spelling gluon = { "Gluon",
                                "DistributedLinearLayout(",
                                { "reg_bases=", ", lane_bases=", ", warp_bases=", ", block_bases=" },
                                ", ",
                                ")",
                                "#",
                                true };

/* The vector of a bit of register or lane; false if nothing moves that bit. */
static bool vector_of(const lw_relation *r, unsigned axis, uint32_t bit, lw_vector *v)
{
    for (uint32_t i = 0; i < r->bases; i++) {
        *v = lw_pair_vector(&r->base[i]);
        if (v->on[axis] == bit)
            return v->on[axis == LW_AXIS_BIT ? LW_AXIS_LANE : LW_AXIS_BIT] == 0;
    }
    return false;
}

static lw_status put_vectors(const lw_tv *tv, const lw_relation *r, const spelling *s, unsigned axis,
                             uint32_t end, lw_writer *w, lw_error *error)
{
    lw_writer_put(w, "[");
    for (uint32_t bit = 1; bit < end; bit *= 2) {
        lw_vector v;
        if (!vector_of(r, axis, bit, &v))
            return lw_error_fail(error, LW_E_UNSUPPORTED,
                                 "%s: bit %u of the %s moves nothing: some places hold no element", s->name,
                                 bit, axis == LW_AXIS_BIT ? "register" : "lane");
        lw_writer_put(w, "%s[", bit > 1 ? ", " : "");
        for (unsigned a = 0; a < tv->axes; a++)
            lw_writer_put(w, "%s%u", a ? ", " : "", v.on[tv->axis[a]]);
        lw_writer_put(w, "]");
    }
    lw_writer_put(w, "]");
    return LW_OK;
}

static lw_status write(const lw_layout *layout, const spelling *s, lw_writer *w, lw_error *error)
{
    lw_tv tv;
    lw_relation r;
    lw_error why = { "" };
    lw_status st = lw_tv_make(layout, s->name, &tv, error);
    if (st != LW_OK || (st = lw_tv_is_function(&tv, s->name, false, error)) != LW_OK)
        return st;
    if ((st = lw_relation_to_bases(&tv.r, &r, &why)) != LW_OK)
        return lw_error_fail(error, st, "%s: %.400s", s->name, why.text);
    lw_writer_put(w, "%s%s", s->open, s->labels[0]);
    if ((st = put_vectors(&tv, &r, s, LW_AXIS_BIT, tv.count, w, error)) != LW_OK)
        return st;
    lw_writer_put(w, "%s", s->labels[1]);
    if ((st = put_vectors(&tv, &r, s, LW_AXIS_LANE, r.lanes, w, error)) != LW_OK)
        return st;
    lw_writer_put(w, "%s[]%s[]", s->labels[2], s->labels[3]);
    for (unsigned a = 0; s->shape && a < tv.axes; a++)
        lw_writer_put(w, "%s%u%s", a ? ", " : ", shape=[", lw_tv_extent(&tv, tv.axis[a]),
                      a + 1 == tv.axes ? "]" : "");
    lw_writer_put(w, "%s\n", s->close);
    lw_tv_note(&tv, s->comment, w);
    return LW_OK;
}

lw_status lw_write_triton(const lw_layout *layout, lw_writer *w, lw_error *error)
{
    return write(layout, &attribute, w, error);
}

lw_status lw_write_gluon(const lw_layout *layout, lw_writer *w, lw_error *error)
{
    return write(layout, &gluon, w, error);
}

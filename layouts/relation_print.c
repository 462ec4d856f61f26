/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "layouts/relation_print.h"

/* ` "lane": 1, "row": 2` */
static void put_members(lw_writer *w, const lw_vector *v, const char *sep)
{
    for (unsigned axis = 0; axis < LW_AXES; axis++)
        if (v->on[axis]) {
            lw_writer_put(w, "%s \"%s\": %u", sep, lw_axis_name(axis), v->on[axis]);
            sep = ",";
        }
}

static void put_digits(lw_writer *w, const lw_relation *r)
{
    lw_writer_put(w, "    \"digits\": [");
    for (uint32_t i = 0; i < r->digits; i++) {
        const lw_vector stride = lw_digit_vector(&r->digit[i]);
        lw_writer_put(w, "%s\n      { \"radix\": %u", i ? "," : "", r->digit[i].radix);
        put_members(w, &stride, ",");
        lw_writer_put(w, " }");
    }
    lw_writer_put(w, "\n    ],\n");
}

static void put_bases(lw_writer *w, const lw_relation *r)
{
    lw_writer_put(w, "    \"bases\": [");
    for (uint32_t i = 0; i < r->bases; i++) {
        const lw_vector v = lw_pair_vector(&r->base[i]);
        lw_writer_put(w, "%s\n      {", i ? "," : "");
        put_members(w, &v, "");
        lw_writer_put(w, " }");
    }
    lw_writer_put(w, "\n    ]\n");
}

void lw_relation_put_json(lw_writer *w, const lw_relation *relation)
{
    lw_relation digits, bases;
    if (lw_relation_normalize(relation, &digits) != LW_OK)
        return;
    const lw_vector origin = lw_pair_vector(&digits.origin);
    lw_writer_put(w, "  \"relation\": {\n    \"pitch\": %u,\n    \"start\": %u,\n    \"origin\": {",
                  digits.pitch, digits.start);
    put_members(w, &origin, "");
    lw_writer_put(w, " },\n");
    put_digits(w, &digits);
    /* both forms have the same origin, start and pitch */
    if (lw_relation_to_bases(relation, &bases, NULL) == LW_OK && bases.pitch == digits.pitch &&
        bases.start == digits.start && memcmp(&bases.origin, &digits.origin, sizeof(bases.origin)) == 0)
        put_bases(w, &bases);
    else
        lw_writer_put(w, "    \"bases\": null\n");
    lw_writer_put(w, "  },\n");
}

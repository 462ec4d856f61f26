/* SPDX-License-Identifier: MIT */
/* A relation as a member of a JSON object. */
#ifndef LW_LAYOUTS_RELATION_PRINT_H
#define LW_LAYOUTS_RELATION_PRINT_H

#include "layouts/relation.h"
#include "layouts/writer.h"

/*
 * `"relation": { ... }` in normal form, indented by two: pitch, start, origin, digits and bases (null where
 * digits alone say it). Coordinates that are 0 are left out.
 */
void lw_relation_put_json(lw_writer *w, const lw_relation *relation);

#endif

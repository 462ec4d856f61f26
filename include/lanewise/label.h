/* SPDX-License-Identifier: MIT */
/*
 * How well a rule is supported: one vocabulary for the arithmetic of matrix instructions, for the places of
 * their elements and for machine instructions.
 *
 * LW_LABEL_RECORDED and LW_LABEL_MEASURED are earned by an instruction on a target, aspect by aspect, from
 * the data that covered it (isa_tables/evidence.inc lists them, isa_tables/amdgpu/labels.inc those of AMD's
 * other instructions); no instruction inherits them from a neighbour. An instruction that no list names is
 * LW_LABEL_INFERRED at best.
 */
#ifndef LANEWISE_LABEL_H
#define LANEWISE_LABEL_H

#include <lanewise/export.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Strongest first. */
typedef enum lw_label {
    LW_LABEL_EXACT,    /* the definition leaves no freedom */
    LW_LABEL_RECORDED, /* results of that chip, which come with Lanewise, replay bit for bit */
    LW_LABEL_MEASURED, /* a published comparison with the chip names this instruction */
    LW_LABEL_VENDOR,   /* the manufacturer's documents, or its published software, say so */
    LW_LABEL_INFERRED, /* follows from related facts; it has not been measured */
    LW_LABEL_UNKNOWN,  /* nothing public: a default was chosen */
    LW_LABEL_COUNT,
} lw_label;

/* "exact", "recorded", "measured", "vendor", "inferred", "unknown"; NULL for other values. */
LW_API const char *lw_label_name(lw_label label);

#ifdef __cplusplus
}
#endif

#endif

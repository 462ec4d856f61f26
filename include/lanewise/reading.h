/* SPDX-License-Identifier: MIT */
/*
 * Readings: what sources leave open, and how it may be read.
 *
 * An open question is a topic, and each way to answer it is a reading, written "topic:name": how products are
 * grouped ("doubled-k:tr8"), what a modifier does that assembles but that no document
 * describes ("cbsz:ignored"), what an access of a kernel means ("buffer-range:without-soffset"). Each
 * topic has a default reading; for modifiers the default is to refuse them. Functions take readings
 * as an array of such names, and ignore those that do not affect them. If several are of
 * one topic, the last one counts.
 */
#ifndef LANEWISE_READING_H
#define LANEWISE_READING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lanewise/arch.h>
#include <lanewise/export.h>
#include <lanewise/insn.h>
#include <lanewise/label.h>
#include <lanewise/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a question is about. */
typedef enum lw_reading_about {
    LW_READING_OF_ARITHMETIC, /* of matrix instructions */
    LW_READING_OF_MODIFIERS,  /* of matrix instructions */
    LW_READING_OF_MACHINE,    /* of kernels */
} lw_reading_about;

typedef struct lw_reading {
    const char *topic;      /* "doubled-k" */
    const char *name;       /* "tr8" */
    bool is_default;        /* taken when the caller says nothing */
    lw_label label;         /* how well this reading is supported */
    const char *text;       /* what it means, and where the idea comes from */
    const char *applies;    /* to which instructions, in words */
    lw_reading_about about; /* what the question is about */
    uint32_t aspects;   /* of arithmetic: the aspects of a result that it decides, bits 1u << lw_mma_aspect */
    uint16_t mods;      /* of modifiers: the bit of lw_mods.readings that takes it; else 0 */
    const char *former; /* the name it had as an assumption, which is accepted too; NULL: none */
} lw_reading;

/*
 * All readings, those of a topic together, the default first; arithmetic, then modifiers, then the machine.
 * Index 0 and up; NULL after the last one.
 */
LW_API const lw_reading *lw_reading_at(size_t index);

/*
 * The reading that "topic:name" (or a former name: "cbsz-ignored") names. LW_E_ARGUMENT for NULL;
 * LW_E_NOT_FOUND with a sentence: the names that the topic has, or the nearest readings.
 */
LW_API lw_status lw_reading_find(const char *text, const lw_reading **reading, lw_error *error);

/*
 * Does the reading concern this matrix instruction on this architecture: can it change its results, or what
 * modifiers it takes? false for NULL, and for readings of the machine.
 */
LW_API bool lw_reading_concerns(lw_arch arch, const lw_insn *insn, const lw_reading *reading);

#ifdef __cplusplus
}
#endif

#endif

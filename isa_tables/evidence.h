/* SPDX-License-Identifier: MIT */
/* Which instruction has which label, on which target, for which aspect, and from which data. */
#ifndef LW_ISA_EVIDENCE_H
#define LW_ISA_EVIDENCE_H

#include <lanewise/mma.h>

#include "isa_tables/matrix.h"

/* The aspects of lw_mma_aspect, and one more: the places of elements. */
enum { LW_ASPECT_PLACES = LW_MMA_ASPECT_COUNT };

typedef enum lw_evidence_source_id {
#define SOURCE(id_, label_, text_) LW_SOURCE_##id_,
#define LINE(source_, arch_, waves_, aspects_, insn_)
#include "isa_tables/evidence.inc"
#undef LINE
#undef SOURCE
    LW_SOURCE_COUNT,
} lw_evidence_source_id;

typedef struct lw_evidence_source {
    lw_label label;   /* LW_LABEL_RECORDED or LW_LABEL_MEASURED */
    const char *text; /* whose data, and what it covered */
} lw_evidence_source;

/* Indexed by lw_evidence_source_id. */
extern const lw_evidence_source lw_evidence_sources[LW_SOURCE_COUNT];

typedef struct lw_evidence_line {
    uint8_t source;   /* lw_evidence_source_id */
    uint8_t arch;     /* lw_arch */
    uint8_t waves;    /* bit 0: 32 lanes, bit 1: 64 */
    uint8_t aspects;  /* bits 1u << aspect; 0: the data covered only a part, which earns no label */
    const char *insn; /* as lw_evidence_key writes it */
} lw_evidence_line;

extern const lw_evidence_line lw_evidence_lines[];
extern const size_t lw_evidence_line_count;

enum { LW_EVIDENCE_KEY_MAX = 192 };

/*
 * The name of an instruction in the lists: AMD's mnemonic on `arch`; or PTX's spelling, with .row.col
 * whatever the layouts are, and without what lw_insn_print writes after the first blank.
 */
void lw_evidence_key(lw_arch arch, const lw_insn *insn, const lw_mods *mods, char key[LW_EVIDENCE_KEY_MAX]);

/* The strongest line about an aspect, NULL if there is none. `wave`: number of lanes. */
const lw_evidence_line *lw_evidence_find(lw_arch arch, const char *key, unsigned wave, unsigned aspect);

/* The first line whose data covered a part of the instruction, or NULL. */
const lw_evidence_line *lw_evidence_partial(lw_arch arch, const char *key, unsigned wave);

/*
 * Do documents of the vendor name the instruction on this target (isa_tables/documented.inc)? If not, nothing
 * that recipes and layouts quote from documents is about it.
 */
bool lw_evidence_documented(lw_arch arch, const lw_insn *insn);

#endif

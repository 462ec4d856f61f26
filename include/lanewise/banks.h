/* SPDX-License-Identifier: MIT */
/*
 * Bank conflicts of LDS (NVIDIA: shared memory), as a number. Consecutive dwords of memory belong to
 * consecutive banks. A wave's access is divided into phases, and a phase takes as many turns as it requests
 * different dwords of its busiest bank. A dword that several lanes request is read once for all of them.
 * Which lanes share a phase, and how many banks serve them, is known only for some accesses of some GPUs;
 * each rule has a label and a source. The check of a running kernel (lw_banks_create) and the conflicts of a
 * tile (lw_tile_count_banks) use these rules.
 */
#ifndef LANEWISE_BANKS_H
#define LANEWISE_BANKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lanewise/arch.h>
#include <lanewise/export.h>
#include <lanewise/label.h>
#include <lanewise/status.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { LW_BANK_LANES = 64 };

/* How one kind of access is served. A plain value and frozen. */
typedef struct lw_bank_rule {
    lw_arch arch;
    bool store;
    uint8_t bytes;                    /* the largest access of a lane that the rule is for */
    uint8_t banks;                    /* of four bytes each */
    uint8_t phases;                   /* of lanes 0 .. lanes - 1 */
    uint8_t lanes;                    /* for which the phases are known: 32 or 64 */
    bool merges;                      /* pairs of phases may be served as one: see lw_bank_count */
    uint8_t phase[LW_BANK_LANES / 4]; /* of lanes 0-3, 4-7, ..; 32 lanes: the second half is as the first */
    lw_label evidence;
    const char *source;
} lw_bank_rule;

/*
 * The rule for accesses of `bytes` per lane (1 to 16). LW_E_UNSUPPORTED where nothing is published about how
 * they are served, LW_E_ARGUMENT for NULL, an unknown architecture and other sizes. The rule is a constant of
 * the library.
 */
LW_API lw_status lw_bank_rule_find(lw_arch arch, bool store, uint32_t bytes, const lw_bank_rule **rule,
                                   lw_error *error);

/* The phase of a lane, before any are merged. LW_E_ARGUMENT for NULL and for lanes from LW_BANK_LANES on. */
LW_API lw_status lw_bank_phase(const lw_bank_rule *rule, unsigned lane, unsigned *phase);

/* What one lane requests; lanes that request nothing are left out. A plain value and frozen. */
typedef struct lw_bank_access {
    uint32_t lane, size; /* size in bytes */
    uint64_t address;
} lw_bank_access;

/* A plain value and frozen. */
typedef struct lw_bank_turns {
    uint64_t phases;   /* with at least one lane */
    uint64_t turns;    /* that they take: as many as phases where there is no conflict */
    uint32_t degree;   /* turns of the worst phase */
    uint32_t inferred; /* 1 where a lane was not one of those that the rule is known for */
} lw_bank_turns;

/*
 * Adds one access of a wave to `turns` (all zero before the first). Where the rule merges (NVIDIA, 64 and 128
 * bits), phases 2n and 2n + 1 are one phase if the neighbour of every lane that requests something (lane ^ 1
 * for all lanes, or lane ^ 2 for all lanes) requests the same address or nothing. LW_E_ARGUMENT for NULL, for
 * lanes from LW_BANK_LANES on, and for more than that many accesses.
 */
LW_API lw_status lw_bank_count(const lw_bank_rule *rule, const lw_bank_access *accesses, size_t count,
                               lw_bank_turns *turns);

#ifdef __cplusplus
}
#endif

#endif

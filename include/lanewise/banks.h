/* SPDX-License-Identifier: MIT */
/*
 * Bank conflicts of LDS (NVIDIA: shared memory), as a number: memory is dwords dealt to banks in turn, a
 * wave's access is cut into phases, and a phase takes as many turns as it asks different dwords of its
 * busiest bank. Equal dwords are read once for all lanes that ask for them. Which lanes share a phase, and
 * how many banks serve them, is known for some accesses of some GPUs only; each rule says how well, and where
 * from. The check of a running kernel (lw_banks_create) and the conflicts of a tile (lw_tile_count_banks) go
 * by these rules.
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
    uint8_t bytes;                    /* the largest access of a lane that goes so */
    uint8_t banks;                    /* of four bytes */
    uint8_t phases;                   /* of lanes 0 .. lanes - 1 */
    uint8_t lanes;                    /* for which the phases are known: 32 or 64 */
    bool merges;                      /* pairs of phases may be served as one: see lw_bank_count */
    uint8_t phase[LW_BANK_LANES / 4]; /* of lanes 0-3, 4-7, ..; 32 lanes: the second half goes as the first */
    lw_label evidence;
    const char *source;
} lw_bank_rule;

/*
 * The rule for accesses of `bytes` a lane (1 to 16). LW_E_UNSUPPORTED where nobody published how they are
 * served, LW_E_ARGUMENT for NULL, an unknown architecture and other sizes. The rule is constant and lives
 * forever.
 */
LW_API lw_status lw_bank_rule_find(lw_arch arch, bool store, uint32_t bytes, const lw_bank_rule **rule,
                                   lw_error *error);

/* What one lane asks for; lanes that ask for nothing are left out. A plain value and frozen. */
typedef struct lw_bank_access {
    uint32_t lane, size; /* size in bytes */
    uint64_t address;
} lw_bank_access;

/* A plain value and frozen. */
typedef struct lw_bank_turns {
    uint64_t phases;   /* with at least one lane */
    uint64_t turns;    /* that they take: as many as phases where nothing conflicts */
    uint32_t degree;   /* turns of the worst phase */
    uint32_t inferred; /* 1 where a lane was beyond those that the rule is known for */
} lw_bank_turns;

/*
 * Adds one access of a wave to `turns` (all zero before the first). Where the rule merges (NVIDIA, 64 and 128
 * bits), phases 2n and 2n + 1 are one where every lane that asks has a neighbour, lane ^ 1 for all or lane ^
 * 2 for all, that asks for the same address or for nothing. LW_E_ARGUMENT for NULL, lanes from LW_BANK_LANES
 * on, more than that many accesses.
 */
LW_API lw_status lw_bank_count(const lw_bank_rule *rule, const lw_bank_access *accesses, size_t count,
                               lw_bank_turns *turns);

#ifdef __cplusplus
}
#endif

#endif

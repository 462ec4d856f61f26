/* SPDX-License-Identifier: MIT */
/*
 * The matrix instructions of a program. Each instruction with its modifiers is a key and is prepared once for
 * every choice of readings and every wave size, for all launches and threads. What executions encounter is
 * recorded by the key's number.
 */
#ifndef LW_EMU_MMA_PREPARED_H
#define LW_EMU_MMA_PREPARED_H

#include <lanewise/mma.h>

/* An instruction with its modifiers; without readings, which belong to a launch. */
typedef struct lw_mma_key {
    struct lw_mma_key *next;
    const lw_insn *insn;
    lw_mods mods;
    unsigned number; /* counted from 0 within the list */
} lw_mma_key;

/* What launches with the same readings and wave size have prepared, by the keys' numbers. */
typedef struct lw_mma_set lw_mma_set;

/* What executions have encountered: aspects of the arithmetic, and open questions (lw_mma_open_at). */
typedef struct lw_mma_use {
    uint32_t touched, open;
    uint8_t expects_zeros; /* as in lw_mma_notes */
} lw_mma_use;

/* Finds the key in a list, or adds it; the caller holds the list's lock. `mods` has no padding of its own and
 * no readings. NULL: no host memory, or 65,536 keys. */
const lw_mma_key *lw_mma_key_of(lw_mma_key **keys, const lw_insn *insn, const lw_mods *mods);
void lw_mma_keys_free(lw_mma_key *keys);

/* Finds the set for these readings and this wave size, or makes it; the caller holds the list's lock. NULL:
 * no host memory. */
lw_mma_set *lw_mma_set_of(lw_mma_set **sets, char *const *readings, size_t count, unsigned wave);
void lw_mma_sets_free(lw_mma_set *sets);

/* The prepared instruction, or NULL if it is not prepared yet. Any thread may call this. */
const lw_mma *lw_mma_set_find(lw_mma_set *set, const lw_mma_key *key);

/* Prepares it if that has not been done; the caller holds the list's lock. NULL with a sentence in *error. */
const lw_mma *lw_mma_set_prepare(lw_mma_set *set, lw_arch arch, const lw_mma_key *key, lw_error *error);

/* Executes as lw_mma_execute_registers does, and adds what is encountered to *use; aspects already there are
 * not looked for again. */
lw_status lw_mma_execute_noting(const lw_mma *mma, const lw_mma_registers *regs, lw_mma_use *use);

/* The weakest label of what was encountered, and its source. */
lw_label lw_mma_use_weakest(const lw_mma *mma, const lw_mma_use *use, const char **source);

#endif

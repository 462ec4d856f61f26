/* SPDX-License-Identifier: MIT */
#include "emu/mma/prepared.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/mma/mma.h"
#include "isa_tables/readings.h"

enum { PAGE = 256, PAGES = 256 };

typedef struct page {
    _Atomic(lw_mma *) mma[PAGE];
} page;

struct lw_mma_set {
    lw_mma_set *next;
    char **readings;
    size_t reading_count;
    unsigned wave;
    _Atomic(page *) page[PAGES];
};

const lw_mma_key *lw_mma_key_of(lw_mma_key **keys, const lw_insn *insn, const lw_mods *mods)
{
    const unsigned number = *keys ? (*keys)->number + 1 : 0;
    for (lw_mma_key *k = *keys; k; k = k->next)
        if (k->insn == insn && memcmp(&k->mods, mods, sizeof(*mods)) == 0)
            return k;
    lw_mma_key *made = number < PAGE * PAGES ? calloc(1, sizeof(*made)) : NULL;
    if (!made)
        return NULL;
    *made = (lw_mma_key){ .next = *keys, .insn = insn, .number = number };
    memcpy(&made->mods, mods, sizeof(*mods));
    *keys = made;
    return made;
}

void lw_mma_keys_free(lw_mma_key *keys)
{
    while (keys) {
        lw_mma_key *next = keys->next;
        free(keys);
        keys = next;
    }
}

/* ---- Sets ---- */

static bool is_for(const lw_mma_set *set, char *const *readings, size_t count, unsigned wave)
{
    if (set->reading_count != count || set->wave != wave)
        return false;
    for (size_t i = 0; i < count; i++)
        if (strcmp(set->readings[i], readings[i]) != 0)
            return false;
    return true;
}

static void free_set(lw_mma_set *set)
{
    for (size_t i = 0; i < PAGES; i++) {
        page *p = atomic_load_explicit(&set->page[i], memory_order_relaxed);
        for (size_t j = 0; p && j < PAGE; j++)
            lw_mma_free(atomic_load_explicit(&p->mma[j], memory_order_relaxed));
        free(p);
    }
    for (size_t i = 0; i < set->reading_count; i++)
        free(set->readings[i]);
    free(set->readings);
    free(set);
}

static lw_mma_set *new_set(char *const *readings, size_t count, unsigned wave)
{
    lw_mma_set *set = calloc(1, sizeof(*set));
    if (!set)
        return NULL;
    set->wave = wave;
    set->readings = calloc(count + 1, sizeof(*set->readings));
    for (size_t i = 0; set->readings && i < count; i++) {
        set->readings[i] = strdup(readings[i]);
        if (!set->readings[i])
            break;
        set->reading_count++;
    }
    if (set->readings && set->reading_count == count)
        return set;
    free_set(set);
    return NULL;
}

lw_mma_set *lw_mma_set_of(lw_mma_set **sets, char *const *readings, size_t count, unsigned wave)
{
    lw_mma_set *set = *sets;
    while (set && !is_for(set, readings, count, wave))
        set = set->next;
    if (!set && (set = new_set(readings, count, wave)) != NULL) {
        set->next = *sets;
        *sets = set;
    }
    return set;
}

void lw_mma_sets_free(lw_mma_set *sets)
{
    while (sets) {
        lw_mma_set *next = sets->next;
        free_set(sets);
        sets = next;
    }
}

const lw_mma *lw_mma_set_find(lw_mma_set *set, const lw_mma_key *key)
{
    page *p = atomic_load_explicit(&set->page[key->number / PAGE], memory_order_acquire);
    return p ? atomic_load_explicit(&p->mma[key->number % PAGE], memory_order_acquire) : NULL;
}

const lw_mma *lw_mma_set_prepare(lw_mma_set *set, lw_arch arch, const lw_mma_key *key, lw_error *error)
{
    const lw_mma *there = lw_mma_set_find(set, key);
    if (there)
        return there;
    page *p = atomic_load_explicit(&set->page[key->number / PAGE], memory_order_relaxed);
    if (!p) {
        p = calloc(1, sizeof(*p));
        atomic_store_explicit(&set->page[key->number / PAGE], p, memory_order_release);
    }
    snprintf(error->text, sizeof(error->text), "the host has no memory for a matrix instruction");
    const char *const *readings = (const char *const *)set->readings;
    lw_mods mods = key->mods;
    mods.readings = lw_readings_of_mods(0, readings, set->reading_count);
    const lw_mma_options options = { .struct_size = sizeof(options),
                                     .mods = &mods,
                                     .wave = set->wave,
                                     .readings = readings,
                                     .reading_count = set->reading_count };
    lw_mma *mma = NULL;
    if (!p || lw_mma_create(arch, key->insn, &options, &mma, error) != LW_OK)
        return NULL;
    atomic_store_explicit(&p->mma[key->number % PAGE], mma, memory_order_release);
    return mma;
}

/* ---- What executions meet ---- */

lw_label lw_mma_use_weakest(const lw_mma *mma, const lw_mma_use *use, const char **source)
{
    const lw_label met = lw_mma_weakest(mma, use->touched);
    const lw_reading *question = lw_mma_open_at(mma, use->open, 0);
    *source = "";
    if (question && question->label >= met) {
        *source = question->text;
        return question->label;
    }
    for (unsigned a = 0; a < LW_MMA_ASPECT_COUNT; a++) {
        lw_mma_evidence evidence;
        if (a != LW_MMA_FINITE && !(use->touched >> a & 1))
            continue;
        if (lw_mma_get_evidence(mma, (lw_mma_aspect)a, &evidence) == LW_OK && evidence.label == met)
            *source = evidence.source;
    }
    return met;
}

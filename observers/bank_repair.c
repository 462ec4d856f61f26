/* SPDX-License-Identifier: MIT */
/* The cheapest swizzle and the smallest padding of LDS for the requests of a run. */
#include "observers/bank_repair.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BITS = 5, MOST_UNITS = 4, TOP = 16 /* log2 of what is swizzled */, MOST_PAD = 256 };
enum { LEAST_ROW = 64, MOST_ROW = 4096 };

void lw_kept_start(lw_kept *kept)
{
    *kept = (lw_kept){ .whole = true };
}

void lw_kept_free(lw_kept *kept)
{
    free(kept->requests);
    free(kept->accesses);
}

static bool make_room(lw_kept *kept, size_t count)
{
    if (!kept->requests)
        kept->requests = malloc(LW_KEPT_IN_ALL * sizeof(*kept->requests));
    if (kept->used + count > kept->room) {
        const size_t room = 2 * kept->room + LW_BANK_LANES;
        lw_bank_access *more = realloc(kept->accesses, room * sizeof(*more));
        if (!more)
            return false;
        kept->accesses = more;
        kept->room = room;
    }
    return kept->requests != NULL;
}

void lw_kept_add(lw_kept *kept, const lw_bank_rule *rule, const lw_bank_access *accesses, size_t count)
{
    if (kept->count == LW_KEPT_IN_ALL || count > LW_BANK_LANES || !make_room(kept, count)) {
        kept->whole = false;
        return;
    }
    kept->requests[kept->count++] = (lw_kept_request){ rule, kept->used, count };
    memcpy(kept->accesses + kept->used, accesses, count * sizeof(*accesses));
    kept->used += count;
}

/* Where a byte goes: XORed with higher bits, or with padding after each row. */
typedef struct way {
    unsigned b, m, s;
    uint64_t row, pad; /* row 0: swizzled */
} way;

static uint64_t move(const way *w, uint64_t address)
{
    if (w->row)
        return address + address / w->row * w->pad;
    const uint64_t mask = (UINT64_C(1) << w->b) - 1;
    return address ^ (address >> (w->m + w->s) & mask) << w->m;
}

/* Stops once it takes as many turns as `most`. */
static lw_bank_turns count_turns(const lw_kept *kept, const way *w, uint64_t most)
{
    lw_bank_turns turns = { .phases = 0 };
    lw_bank_access moved[LW_BANK_LANES];
    for (size_t r = 0; r < kept->count && turns.turns < most; r++) {
        const lw_kept_request *request = &kept->requests[r];
        memcpy(moved, kept->accesses + request->first, request->count * sizeof(*moved));
        for (size_t i = 0; w && i < request->count; i++)
            moved[i].address = move(w, moved[i].address);
        lw_bank_count(request->rule, moved, request->count, &turns);
    }
    return turns;
}

/* Whether every access lies within a block of `bytes`. */
static bool stay_whole(const lw_kept *kept, uint64_t bytes)
{
    for (size_t i = 0; i < kept->used; i++) {
        const lw_bank_access *a = &kept->accesses[i];
        if (a->address / bytes != (a->address + a->size - 1) / bytes)
            return false;
    }
    return true;
}

/* log2 of the widest access, rounded up to a power of two. */
static unsigned widest(const lw_kept *kept)
{
    unsigned e = 0;
    for (size_t i = 0; i < kept->used; i++)
        while (UINT32_C(1) << e < kept->accesses[i].size)
            e++;
    return e;
}

static void find_swizzle(const lw_kept *kept, unsigned least, lw_banks_repair *made)
{
    made->swizzle = made->plain;
    if (!stay_whole(kept, UINT64_C(1) << least))
        return;
    for (unsigned b = 1; b <= MOST_BITS; b++)
        for (unsigned s = b; least + s + b <= TOP; s++)
            for (unsigned m = least; m + s + b <= TOP && m <= least + MOST_UNITS; m++) {
                const way w = { .b = b, .m = m, .s = s };
                const lw_bank_turns turns = count_turns(kept, &w, made->swizzle.turns);
                if (turns.turns >= made->swizzle.turns)
                    continue;
                made->swizzle = turns;
                made->swizzled = true;
                made->b = (uint8_t)b;
                made->m = (uint8_t)m;
                made->s = (uint8_t)s;
            }
}

/* Of equal ones, that with the fewest bytes for each byte of a row. */
static void find_padding(const lw_kept *kept, unsigned least, lw_banks_repair *made)
{
    const uint32_t step = UINT32_C(1) << (least < 2 ? 2 : least);
    made->padding = made->plain;
    for (uint32_t row = MOST_ROW; row >= LEAST_ROW; row /= 2)
        for (uint32_t pad = step; pad <= MOST_PAD && pad < row && stay_whole(kept, row); pad += step) {
            const way w = { .row = row, .pad = pad };
            const bool smaller = made->padded && (uint64_t)pad * made->row < (uint64_t)made->pad * row;
            const lw_bank_turns turns = count_turns(kept, &w, made->padding.turns + smaller);
            if (turns.turns >= made->padding.turns + smaller)
                continue;
            made->padding = turns;
            made->padded = true;
            made->row = row;
            made->pad = pad;
        }
}

void lw_kept_repair(const lw_kept *kept, lw_banks_repair *made)
{
    made->whole = kept->whole;
    made->requests = kept->count;
    made->plain = count_turns(kept, NULL, UINT64_MAX);
    if (made->plain.turns == made->plain.phases)
        return;
    const unsigned least = widest(kept);
    find_swizzle(kept, least, made);
    find_padding(kept, least, made);
}

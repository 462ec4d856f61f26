/* SPDX-License-Identifier: MIT */
/* Sparse A: its index, and zeros between its codes. For instruction sets that shift each lane by its own
 * count; included after move_words. */
#ifndef LW_EMU_FAST_PANEL_SPREAD_H
#define LW_EMU_FAST_PANEL_SPREAD_H

#include "emu/fast/panel.h"

/* A chunk's codes become one or two words. */
static void spread(const lw_spread *s, const uint32_t *index, const uint32_t *stored, uint32_t *dense)
{
    const unsigned words = 2u * s->chunk * s->bits / 32;
    const vi mask = vi_all((int)(UINT32_MAX >> (32 - s->bits)));
    for (unsigned q = 0; q < s->chunks; q++)
        for (unsigned lane = 0; lane < s->lanes; lane += VEC_LANES) {
            const vi nibble = vi_load(index + q * s->lanes + lane);
            vi to[2] = { vi_all(0), vi_all(0) };
            for (unsigned n = 0; n < s->chunk; n++) {
                const unsigned from = (q * s->chunk + n) * s->bits;
                const vi all = vi_load(stored + from / 32 * s->lanes + lane);
                const vi code = vi_and(vi_shr(all, (int)(from % 32)), mask);
                const vi shift = vi_and(vi_lookup(s->shift[n], nibble), vi_all(0xff));
                to[0] = vi_or(to[0], vi_shlv(code, shift));
                to[1] = vi_or(to[1], vi_shlv(code, vi_sub(shift, vi_all(32))));
            }
            for (unsigned w = 0; w < words; w++)
                vi_store(dense + (q * words + w) * s->lanes + lane, to[w]);
        }
}

static bool index_nibbles(const lw_index *index, const uint32_t *registers, uint32_t *nibbles)
{
    const vi ones = vi_all(0xff);
    vi legal = ones;
    move_words(&index->words, registers, nibbles);
    for (unsigned i = 0; i < index->words.chunks * (unsigned)LW_PANEL; i += VEC_LANES) {
        const vi shift = vi_load(index->shift + i);
        const vi nibble = vi_and(vi_shrv(vi_load(nibbles + i), shift), vi_all(15));
        legal = vi_and(legal, vi_lookup(index->legal, nibble));
        vi_store(nibbles + i, nibble);
    }
    return !vm_any(vi_eq(vi_and(legal, ones), vi_all(0)));
}

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Sums of single bits: the number of k for which both codes are 1, or for which they differ. Bytes count the
 * bits of their places over all words, of which there are at most 31. Included after panel_decode.h.
 */
#ifndef LW_EMU_FAST_PANEL_BITS_H
#define LW_EMU_FAST_PANEL_BITS_H

#include "emu/fast/panel_decode.h"

enum { MOST_BIT_WORDS = 31 };

/* The number of bits that are set in each byte. */
VEC vi bits_of_bytes(vi x)
{
    const vi pairs = vi_sub(x, vi_and(vi_shr(x, 1), vi_all(0x55555555)));
    const vi fours = vi_add(vi_and(pairs, vi_all(0x33333333)), vi_and(vi_shr(pairs, 2), vi_all(0x33333333)));
    return vi_and(vi_add(fours, vi_shr(fours, 4)), vi_all(0x0f0f0f0f));
}

/* The sum of a lane's bytes, each of which is at most 8 * MOST_BIT_WORDS. */
VEC vi bits_total(vi bytes)
{
    const vi halves = vi_add(vi_and(bytes, vi_all(0x00ff00ff)), vi_and(vi_shr(bytes, 8), vi_all(0x00ff00ff)));
    return vi_and(vi_add(halves, vi_shr(halves, 16)), vi_all(0xffff));
}

VEC vi bits_met(vi a, vi b, bool differ)
{
    return differ ? vi_xor(a, b) : vi_and(a, b);
}

/* Row i of S, or of each square; `from`: V's first word for these lanes, `to`: the run. */
VEC void bits_row(const lw_panel_shape *s, const lw_panels *p, const uint32_t *ss, const uint32_t *vs, int i,
                  unsigned run, int half, bool differ)
{
    vi bytes = vi_all(0);
    for (int w = 0; w < s->v_words; w++) {
        const uint32_t *word = ss + w * s->s_stride;
        vi a;
        if (s->squares)
            a = vi_load(word + half);
        else
            a = vi_each(word + i);
        if (s->squares)
            a = i == 0   ? vi_of_four(a, 0)
                : i == 1 ? vi_of_four(a, 1)
                : i == 2 ? vi_of_four(a, 2)
                         : vi_of_four(a, 3);
        bytes = vi_add(bytes, bits_of_bytes(bits_met(a, vi_load(vs + w * s->v_count), differ)));
    }
    vi_store(p->d + p->d_at[run] + half, vi_add(vi_load(p->c + p->c_at[run] + half), bits_total(bytes)));
}

VEC lw_panel_result bits_blocks(const lw_panel_shape *s, const lw_panels *p, bool differ)
{
    const int panels = s->v_count / LW_PANEL;
    for (int block = 0; block < s->blocks; block++)
        for (int i = 0; i < s->s_count; i++)
            for (int lane = 0; lane < s->v_count; lane += VEC_LANES)
                bits_row(s, p, p->s + block * s->s_words * s->s_stride,
                         p->v + block * s->v_words * s->v_count + lane, i,
                         (unsigned)((block * s->s_count + i) * panels + lane / LW_PANEL), lane % LW_PANEL,
                         differ);
    return LW_PANELS_DONE;
}

static lw_panel_result bits_and(const lw_panel_shape *s, const lw_panels *p)
{
    return bits_blocks(s, p, false);
}

static lw_panel_result bits_xor(const lw_panel_shape *s, const lw_panels *p)
{
    return bits_blocks(s, p, true);
}

static lw_panel_fn find_bits(const lw_panel_shape *s)
{
    if (s->v->bits != 1 || s->sparse || s->scaled || s->tile4 || s->saturate || s->v_words > MOST_BIT_WORDS ||
        s->k % 32)
        return NULL;
    return s->differ ? bits_xor : bits_and;
}

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Sums of products of integers of eight and four bits. Included behind panel_decode.h. Codes of four bits
 * become bytes first: low halves of a word's bytes in one word, high halves in another. Sums of products stay
 * far below 2^31, so that only the addition of C can overflow.
 */
#ifndef LW_EMU_FAST_PANEL_BYTES_H
#define LW_EMU_FAST_PANEL_BYTES_H

#include "emu/fast/panel_decode.h"

enum { MAX_BYTE_WORDS = 16, BYTE_ROWS = 4, BYTE_ONES = 0x01010101, BYTE_BIAS = 128 };

/* Operands of byte_dot, [part][word of bytes][lane], and what their offsets add to every sum. */
typedef struct byte_side {
    _Alignas(64) uint32_t part[2 * BYTE_PARTS * LW_PANEL_SIDE_WORDS];
    _Alignas(64) uint32_t start[4 * LW_PANEL];
} byte_side;

/* Word of bytes number n of a word of codes. */
VEC vi byte_word(vi word, int bits, bool is_unsigned, int n)
{
    if (bits == 8)
        return word;
    const vi code = vi_and(n ? vi_shr(word, 4) : word, vi_all(0x0f0f0f0f));
    return is_unsigned ? code : vi_add8(vi_xor(code, vi_all(0x08080808)), vi_all((int)UINT32_C(0xf8f8f8f8)));
}

/* `start` becomes the sum over a lane's words: of S times 128 where V is offset, of V times -128 where S is.
 */
VEC void byte_prepare_as(const uint32_t *image, int words, int stride, const lw_format *f, bool is_s,
                         bool other_offset, int bits, byte_side *out)
{
    const bool u8 = bits == 8 && f->top == LW_TOP_UINT, u4 = bits == 4 && f->top == LW_TOP_UINT;
    const int ways = 8 / bits;
    const vi ones = vi_all(BYTE_ONES);
    for (int lane = 0; lane < stride; lane += VEC_LANES) {
        vi sum = vi_all(0);
        for (int w = 0; w < words; w++)
            for (int n = 0; n < ways; n++) {
                const vi bytes = byte_word(vi_load(image + w * stride + lane), bits, u4, n);
                for (int part = 0; part < BYTE_PARTS; part++) {
                    const vi x = is_s ? byte_part_s(bytes, u8, part) : byte_part_v(bytes, u8, part);
                    vi_store(out->part + ((part * words + w) * ways + n) * stride + lane, x);
                    if (BYTE_OFFSETS && other_offset)
                        sum = is_s ? byte_dot(sum, x, ones) : byte_dot(sum, ones, x);
                }
            }
        if (is_s && !u8)
            sum = vi_sub(sum, vi_all(BYTE_BIAS * 4 * words * ways));
        sum = vi_shl(sum, 7);
        vi_store(out->start + lane, !BYTE_OFFSETS || !other_offset ? vi_all(0)
                                    : is_s                         ? sum
                                                                   : vi_sub(vi_all(0), sum));
    }
}

VEC void byte_prepare(const uint32_t *image, int words, int stride, const lw_format *f, bool is_s,
                      bool other_offset, byte_side *out)
{
    if (f->bits == 8)
        byte_prepare_as(image, words, stride, f, is_s, other_offset, 8, out);
    else
        byte_prepare_as(image, words, stride, f, is_s, other_offset, 4, out);
}

static bool byte_unsigned(const lw_format *f)
{
    return f->bits == 8 && f->top == LW_TOP_UINT;
}

/* Rows of S one by one; words: of bytes. */
VEC void bytes_block(const lw_panel_shape *s, const lw_panels *p, unsigned block, int words, int stride)
{
    const int panels = s->v_count / LW_PANEL;
    const uint32_t *c = p->c;
    uint32_t *d = p->d;
    const uint16_t *c_at = p->c_at, *d_at = p->d_at;
    const bool saturate = s->saturate;
    byte_side side_s, side_v;
    byte_prepare(p->s + (size_t)block * s->s_words * (unsigned)stride, s->s_words, stride, s->s, true,
                 byte_unsigned(s->v), &side_s);
    byte_prepare(p->v + (size_t)block * s->v_words * s->v_count, s->v_words, s->v_count, s->v, false,
                 !byte_unsigned(s->s), &side_v);
    for (int lane = 0; lane < s->v_count; lane += VEC_LANES) {
        int run = (int)block * s->s_count * panels + lane / LW_PANEL;
        const int half = lane % LW_PANEL;
        vi b[BYTE_PARTS * MAX_BYTE_WORDS];
        for (int w = 0; w < words * BYTE_PARTS; w++)
            b[w] = vi_load(side_v.part + w * s->v_count + lane);
        const vi start = vi_load(side_v.start + lane);
        for (int i = 0; i < s->s_count; i += BYTE_ROWS, run += BYTE_ROWS * panels) {
            vi acc[BYTE_ROWS];
            for (int r = 0; r < BYTE_ROWS; r++)
                acc[r] = vi_add(start, vi_each(side_s.start + i + r));
            for (int w = 0; w < words * BYTE_PARTS; w++)
                for (int r = 0; r < BYTE_ROWS; r++)
                    acc[r] = byte_dot(acc[r], vi_each(side_s.part + w * stride + i + r), b[w]);
            for (int r = 0; r < BYTE_ROWS; r++) {
                const vi old = vi_load(c + c_at[run + r * panels] + half);
                vi_store(d + d_at[run + r * panels] + half,
                         saturate ? vi_add_saturated(old, acc[r]) : vi_add(old, acc[r]));
            }
        }
    }
}

#define BYTES(name_, words_, stride_)                                                                        \
    static lw_panel_result name_(const lw_panel_shape *s, const lw_panels *p)                                \
    {                                                                                                        \
        for (unsigned block = 0; block < s->blocks; block++)                                                 \
            bytes_block(s, p, block, words_, stride_);                                                       \
        return LW_PANELS_DONE;                                                                               \
    }
BYTES(bytes_1_16, 1, 16)
BYTES(bytes_1_32, 1, 32)
BYTES(bytes_2_32, 2, 32)
BYTES(bytes_4_16, 4, 16)
BYTES(bytes_4_32, 4, 32)
BYTES(bytes_8_16, 8, 16)
BYTES(bytes_8_32, 8, 32)
BYTES(bytes_16_16, 16, 16)
#undef BYTES

enum { BYTE_FOUR = 4 };

/* Adds words q of both sides, a vector of rows by two fours of columns. */
VEC void bytes_fours_words(const uint32_t *s, const uint32_t *v, int next, vi acc[2])
{
    const vi word = vi_load(s);
    const vi s0 = vi_of_four(word, 0), s1 = vi_of_four(word, 1), s2 = vi_of_four(word, 2),
             s3 = vi_of_four(word, 3);
    for (int n = 0; n < 2; n++, v += BYTE_FOUR) {
        acc[n] = byte_dot(acc[n], s0, vi_four(v));
        acc[n] = byte_dot(acc[n], s1, vi_four(v + next));
        acc[n] = byte_dot(acc[n], s2, vi_four(v + 2 * next));
        acc[n] = byte_dot(acc[n], s3, vi_four(v + 3 * next));
    }
}

/* Panels of four rows by four columns; words: of bytes in a lane. */
VEC lw_panel_result bytes_fours(const lw_panel_shape *shape, const lw_panels *p, int words)
{
    const int s_stride = BYTE_FOUR * shape->s_count, n = shape->v_count, v_stride = BYTE_FOUR * n;
    byte_side s, v;
    uint32_t start[2 * LW_PANEL];
    byte_prepare(p->s, shape->s_words / BYTE_FOUR, s_stride, shape->s, true, byte_unsigned(shape->v), &s);
    byte_prepare(p->v, shape->v_words / BYTE_FOUR, v_stride, shape->v, false, !byte_unsigned(shape->s), &v);
    for (int i = 0; i < n; i += VEC_LANES)
        vi_store(start + i, vi_add(vi_add(vi_load(v.start + i), vi_load(v.start + n + i)),
                                   vi_add(vi_load(v.start + 2 * n + i), vi_load(v.start + 3 * n + i))));
    for (int at = 0; at < s_stride; at += VEC_LANES)
        for (int four = 0; four < n / BYTE_FOUR; four += 2) {
            const vi rows = vi_load(s.start + at);
            const vi row = vi_add(vi_add(vi_of_four(rows, 0), vi_of_four(rows, 1)),
                                  vi_add(vi_of_four(rows, 2), vi_of_four(rows, 3)));
            vi acc[2];
            for (int i = 0; i < 2; i++)
                acc[i] = vi_add(row, vi_four(start + (four + i) * BYTE_FOUR));
            for (int w = 0; w < words * BYTE_PARTS; w++)
                bytes_fours_words(s.part + w * s_stride + at, v.part + w * v_stride + four * BYTE_FOUR, n,
                                  acc);
            for (int i = 0; i < 2; i++) {
                const int run = at / LW_PANEL * (n / BYTE_FOUR) + four + i, half = at % LW_PANEL;
                const vi old = vi_load(p->c + p->c_at[run] + half);
                vi_store(p->d + p->d_at[run] + half,
                         shape->saturate ? vi_add_saturated(old, acc[i]) : vi_add(old, acc[i]));
            }
        }
    return LW_PANELS_DONE;
}

#define BYTES_FOURS(name_, words_)                                                                           \
    static lw_panel_result name_(const lw_panel_shape *shape, const lw_panels *p)                            \
    {                                                                                                        \
        return bytes_fours(shape, p, words_);                                                                \
    }
BYTES_FOURS(bytes_fours_1, 1)
BYTES_FOURS(bytes_fours_2, 2)
BYTES_FOURS(bytes_fours_4, 4)
#undef BYTES_FOURS

/* words: of bytes; stride 0: panels of four rows by four columns. */
static lw_panel_fn find_bytes(const lw_panel_shape *s)
{
    static const struct {
        uint8_t words, stride;
        lw_panel_fn fn;
    } rows[] = { { 1, 16, bytes_1_16 },   { 1, 32, bytes_1_32 },   { 2, 32, bytes_2_32 },
                 { 4, 16, bytes_4_16 },   { 4, 32, bytes_4_32 },   { 8, 16, bytes_8_16 },
                 { 8, 32, bytes_8_32 },   { 16, 16, bytes_16_16 }, { 4, 0, bytes_fours_1 },
                 { 8, 0, bytes_fours_2 }, { 16, 0, bytes_fours_4 } };
    if (s->s->bits != s->v->bits || (s->s->bits != 8 && s->s->bits != 4) || s->s_count % BYTE_ROWS ||
        (s->fours && s->v_count % (2 * BYTE_FOUR)))
        return NULL;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (rows[i].words * 4 == s->k && rows[i].stride == (s->fours ? 0 : s->s_stride))
            return rows[i].fn;
    return NULL;
}

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Sums of products of integers of eight and four bits. Included after panel_decode.h. Codes of four bits
 * first become bytes: the low halves of a word's bytes in one word, the high halves in another. Sums of
 * products stay far below 2^31; only the addition of C can overflow.
 */
#ifndef LW_EMU_FAST_PANEL_BYTES_H
#define LW_EMU_FAST_PANEL_BYTES_H

#include "emu/fast/panel_bits.h"
#include "emu/fast/panel_decode.h"

enum { MAX_BYTE_WORDS = 32, BYTE_ROWS = 4, BYTE_ONES = 0x01010101, BYTE_BIAS = 128 };

/* Operands of byte_dot, [part][word of bytes][lane], and what the offsets of the other side add to every
 * sum. */
typedef struct byte_side {
    _Alignas(64) uint32_t part[2 * BYTE_PARTS * LW_PANEL_SIDE_WORDS];
    _Alignas(64) uint32_t start[4 * LW_PANEL];
} byte_side;

/* Number n of the words of bytes that a word of codes becomes. */
VEC vi byte_word(vi word, int bits, bool is_unsigned, int n)
{
    if (bits == 8)
        return word;
    const vi code = vi_and(n ? vi_shr(word, 4) : word, vi_all(0x0f0f0f0f));
    return is_unsigned ? code : vi_add8(vi_xor(code, vi_all(0x08080808)), vi_all((int)UINT32_C(0xf8f8f8f8)));
}

/* For `count` lanes. `start` becomes a multiple of the sum over a lane's words: 128 times for S where V is
 * offset, -128 times for V where S is. */
VEC void byte_prepare_as(const uint32_t *image, int words, int stride, int count, const lw_format *f,
                         bool is_s, bool other_offset, int bits, byte_side *out)
{
    const bool u8 = bits == 8 && f->top == LW_TOP_UINT, u4 = bits == 4 && f->top == LW_TOP_UINT;
    const int ways = 8 / bits;
    const vi ones = vi_all(BYTE_ONES);
    for (int lane = 0; lane < count; lane += VEC_LANES) {
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

VEC void byte_prepare(const uint32_t *image, int words, int stride, int count, const lw_format *f, bool is_s,
                      bool other_offset, byte_side *out)
{
    if (f->bits == 8)
        byte_prepare_as(image, words, stride, count, f, is_s, other_offset, 8, out);
    else
        byte_prepare_as(image, words, stride, count, f, is_s, other_offset, 4, out);
}

static bool byte_unsigned(const lw_format *f)
{
    return f->bits == 8 && f->top == LW_TOP_UINT;
}

/* Codes shifted up by n times their width, n from 0 to 3. */
VEC vi sparse_shift(vi codes, vi n, int bits)
{
    if (VEC_HAS_PICKS)
        return vi_shlv(codes, vi_shl(n, bits == 8 ? 3 : 2));
    const vi none = vi_all(0), one = vi_all(1);
    const vi odd = vi_sub(none, vi_and(n, one)), upper = vi_sub(none, vi_shr(n, 1));
    const vi by_one = vi_xor(codes, vi_and(vi_xor(codes, vi_shl(codes, bits)), odd));
    return vi_xor(by_one, vi_and(vi_xor(by_one, vi_shl(by_one, 2 * bits)), upper));
}

/* The lowest byte of each lane in all four. */
VEC vi each_byte(vi bytes)
{
    const vi two = vi_or(bytes, vi_shl(bytes, 8));
    return vi_or(two, vi_shl(two, 16));
}

/* Four dense bytes from the two in the lower half of a word, for a nibble of the index: which of them is at a
 * byte's own number. */
VEC vi sparse_bytes(vi word, vi nibble)
{
    const vi places = vi_all(0x03020100), byte = vi_all(0xff), at = each_byte(nibble);
    const vi first = vi_eq8(vi_and(at, vi_all(0x03030303)), places),
             second = vi_eq8(vi_and(at, vi_all(0x0c0c0c0c)), vi_shl(places, 2));
    return vi_or(vi_and(each_byte(vi_and(word, byte)), first),
                 vi_and(each_byte(vi_and(vi_shr(word, 8), byte)), second));
}

/* Word n of dense codes, made from stored ones; `same`: lanes in which an index names one place twice. */
VEC vi sparse_word(const uint32_t *v, const uint32_t *index, int count, int n, int bits, vm *same)
{
    const int groups = 8 / bits; /* each of two stored codes, or four dense codes in the word */
    const vi three = vi_all(3), codes = vi_all((1 << bits) - 1);
    vi word = vi_load(v + n / 2 * count), dense = vi_all(0);
    if (n % 2)
        word = vi_shr(word, 16);
    for (int g = 0; g < groups; g++) {
        const vi nibble = vi_load(index + (n * groups + g) * count);
        const vi first = vi_and(nibble, three), second = vi_and(vi_shr(nibble, 2), three);
        *same = vm_or(*same, vi_eq(first, second));
        if (!VEC_HAS_PICKS && bits == 8)
            return sparse_bytes(word, nibble);
        const vi one = vi_and(vi_shr(word, 2 * bits * g), codes),
                 two = vi_and(vi_shr(word, 2 * bits * g + bits), codes);
        const vi four = vi_or(sparse_shift(one, first, bits), sparse_shift(two, second, bits));
        dense = vi_or(dense, vi_shl(four, 16 * g));
    }
    return dense;
}

/* The image of a sparse V with zeros inserted; false if an index names one place twice. */
VEC bool sparse_dense(const lw_panel_shape *s, const lw_panels *p, int bits, uint32_t *out)
{
    vm same = vm_none();
    for (int n = 0; n < 2 * s->v_words; n++)
        for (int lane = 0; lane < s->v_count; lane += VEC_LANES)
            vi_store(out + n * s->v_count + lane,
                     sparse_word(p->v + lane, p->index + lane, s->v_count, n, bits, &same));
    return !vm_any(same);
}

/* Rows of S one by one. words: number of words of bytes; v: the image of V, in dense codes. */
VEC void bytes_block(const lw_panel_shape *s, const lw_panels *p, const uint32_t *v, unsigned block,
                     int words, int stride)
{
    const int panels = s->v_count / LW_PANEL;
    const uint32_t *c = p->c;
    uint32_t *d = p->d;
    const uint16_t *c_at = p->c_at, *d_at = p->d_at;
    const bool saturate = s->saturate;
    byte_side side_s, side_v;
    byte_prepare(p->s + (size_t)block * s->s_words * (unsigned)stride, s->s_words, stride, s->s_count, s->s,
                 true, byte_unsigned(s->v), &side_s);
    const int v_words = s->sparse ? 2 * s->v_words : s->v_words;
    byte_prepare(v + (size_t)block * s->v_words * s->v_count, v_words, s->v_count, s->v_count, s->v, false,
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

static bool sparse_make(const lw_panel_shape *s, const lw_panels *p, uint32_t *out)
{
    return s->v->bits == 8 ? sparse_dense(s, p, 8, out) : sparse_dense(s, p, 4, out);
}

#define BYTES(name_, words_, stride_)                                                                        \
    static lw_panel_result name_(const lw_panel_shape *s, const lw_panels *p)                                \
    {                                                                                                        \
        uint32_t dense[LW_PANEL_SIDE_WORDS];                                                                 \
        if (s->sparse && !sparse_make(s, p, dense))                                                          \
            return LW_PANELS_NONE;                                                                           \
        for (unsigned block = 0; block < s->blocks; block++)                                                 \
            bytes_block(s, p, s->sparse ? dense : p->v, block, words_, stride_);                             \
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
BYTES(bytes_16_32, 16, 32)
BYTES(bytes_32_16, 32, 16)
#undef BYTES

enum { BYTE_FOUR = 4 };

enum { BYTE_TILE4_STRIDE = BYTE_FOUR * LW_PANEL };

typedef struct bytes_tile4_task {
    const lw_panel_shape *shape;
    const lw_panels *p;
    byte_side s, v; /* if S has one part and V is signed, only `start` of S */
    uint32_t start[2 * LW_PANEL];
} bytes_tile4_task;

/* Adds words of S's lanes times V's, for a vector of rows and two groups of four columns. */
VEC void bytes_tile4_word(vi word, const uint32_t *v, int columns, vi acc[2])
{
    const vi s0 = vi_of_four(word, 0), s1 = vi_of_four(word, 1), s2 = vi_of_four(word, 2),
             s3 = vi_of_four(word, 3);
    for (int n = 0; n < 2; n++, v += BYTE_FOUR) {
        acc[n] = byte_dot(acc[n], s0, vi_four(v));
        acc[n] = byte_dot(acc[n], s1, vi_four(v + columns));
        acc[n] = byte_dot(acc[n], s2, vi_four(v + 2 * columns));
        acc[n] = byte_dot(acc[n], s3, vi_four(v + 3 * columns));
    }
}

static void bytes_tile4_prepare(const lw_panel_shape *shape, const lw_panels *p, bytes_tile4_task *t)
{
    const int columns = shape->v_count;
    const bool offset = byte_unsigned(shape->v);
    t->shape = shape;
    t->p = p;
    if (offset || BYTE_PARTS > 1)
        byte_prepare(p->s, shape->s_words / BYTE_FOUR, BYTE_TILE4_STRIDE, BYTE_TILE4_STRIDE, shape->s, true,
                     offset, &t->s);
    else
        for (int at = 0; at < BYTE_TILE4_STRIDE; at += VEC_LANES)
            vi_store(t->s.start + at, vi_all(0));
    byte_prepare(p->v, shape->v_words / BYTE_FOUR, BYTE_FOUR * columns, BYTE_FOUR * columns, shape->v, false,
                 !byte_unsigned(shape->s), &t->v);
    const uint32_t *start = t->v.start;
    for (int i = 0; i < columns; i += VEC_LANES)
        vi_store(t->start + i,
                 vi_add(vi_add(vi_load(start + i), vi_load(start + columns + i)),
                        vi_add(vi_load(start + 2 * columns + i), vi_load(start + 3 * columns + i))));
}

/* A vector of rows, all columns. words: number of words of codes in a lane of S. */
VEC void bytes_tile4_rows(const bytes_tile4_task *t, int at, int words, int columns, int bits,
                          bool s_unsigned)
{
    const int ways = 8 / bits, v_stride = BYTE_FOUR * columns;
    const lw_panels *p = t->p;
    const bool u4 = bits == 4 && s_unsigned, u8 = bits == 8 && s_unsigned;
    const vi rows = vi_load(t->s.start + at);
    const vi row = vi_add(vi_add(vi_of_four(rows, 0), vi_of_four(rows, 1)),
                          vi_add(vi_of_four(rows, 2), vi_of_four(rows, 3)));
    for (int four = 0; four < columns / BYTE_FOUR; four += 2) {
        const uint32_t *v = t->v.part + four * BYTE_FOUR;
        vi acc[2];
        for (int i = 0; i < 2; i++)
            acc[i] = vi_add(row, vi_four(t->start + (four + i) * BYTE_FOUR));
#pragma GCC unroll 1
        for (int n = 0; n < BYTE_PARTS * words * ways; n++, v += v_stride) {
            /* A single part is computed faster than it is stored and loaded. */
            const vi word = BYTE_PARTS > 1
                                ? vi_load(t->s.part + n * BYTE_TILE4_STRIDE + at)
                                : byte_part_s(byte_word(vi_load(p->s + n / ways * BYTE_TILE4_STRIDE + at),
                                                        bits, u4, n % ways),
                                              u8, 0);
            bytes_tile4_word(word, v, columns, acc);
        }
        for (int i = 0; i < 2; i++) {
            const int run = at / LW_PANEL * (columns / BYTE_FOUR) + four + i, half = at % LW_PANEL;
            const vi old = vi_load(p->c + p->c_at[run] + half);
            vi_store(p->d + p->d_at[run] + half,
                     t->shape->saturate ? vi_add_saturated(old, acc[i]) : vi_add(old, acc[i]));
        }
    }
}

VEC lw_panel_result bytes_tile4(const lw_panel_shape *shape, const lw_panels *p, int words, int columns,
                                int bits)
{
    bytes_tile4_task t;
    bytes_tile4_prepare(shape, p, &t);
    if (shape->s->top == LW_TOP_UINT)
        for (int at = 0; at < BYTE_TILE4_STRIDE; at += VEC_LANES)
            bytes_tile4_rows(&t, at, words, columns, bits, true);
    else
        for (int at = 0; at < BYTE_TILE4_STRIDE; at += VEC_LANES)
            bytes_tile4_rows(&t, at, words, columns, bits, false);
    return LW_PANELS_DONE;
}

#define BYTES_TILE4(name_, words_, columns_, bits_)                                                          \
    static lw_panel_result name_(const lw_panel_shape *shape, const lw_panels *p)                            \
    {                                                                                                        \
        return bytes_tile4(shape, p, words_, columns_, bits_);                                               \
    }
BYTES_TILE4(bytes_tile4_1_8, 1, 8, 8)
BYTES_TILE4(bytes_tile4_2_8, 2, 8, 8)
BYTES_TILE4(bytes_tile4_1_16, 1, 16, 8)
BYTES_TILE4(nibbles_tile4_1_8, 1, 8, 4)
BYTES_TILE4(nibbles_tile4_2_8, 2, 8, 4)
#undef BYTES_TILE4

static lw_panel_fn find_bytes_tile4(const lw_panel_shape *s)
{
    static const struct {
        uint8_t words, columns, bits;
        lw_panel_fn fn;
    } rows[] = { { 1, 8, 8, bytes_tile4_1_8 },
                 { 2, 8, 8, bytes_tile4_2_8 },
                 { 1, 16, 8, bytes_tile4_1_16 },
                 { 1, 8, 4, nibbles_tile4_1_8 },
                 { 2, 8, 4, nibbles_tile4_2_8 } };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (rows[i].words * BYTE_FOUR == s->s_words && rows[i].columns == s->v_count &&
            rows[i].bits == s->s->bits && s->s_count == LW_PANEL)
            return rows[i].fn;
    return NULL;
}

/* words: number of words of bytes. */
static lw_panel_fn find_bytes(const lw_panel_shape *s)
{
    static const struct {
        uint8_t words, stride;
        lw_panel_fn fn;
    } rows[] = { { 1, 16, bytes_1_16 },  { 1, 32, bytes_1_32 },   { 2, 32, bytes_2_32 },
                 { 4, 16, bytes_4_16 },  { 4, 32, bytes_4_32 },   { 8, 16, bytes_8_16 },
                 { 8, 32, bytes_8_32 },  { 16, 16, bytes_16_16 }, { 16, 32, bytes_16_32 },
                 { 32, 16, bytes_32_16 } };
    const int k = s->sparse ? 2 * s->k : s->k;
    if (s->s->bits == 1)
        return find_bits(s);
    if (s->s->bits != s->v->bits || (s->s->bits != 8 && s->s->bits != 4) || s->s_count % BYTE_ROWS)
        return NULL;
    if (s->tile4)
        return find_bytes_tile4(s);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (rows[i].words * 4 == k && rows[i].stride == s->s_stride)
            return rows[i].fn;
    return NULL;
}

#endif

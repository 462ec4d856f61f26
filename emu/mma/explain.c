/* SPDX-License-Identifier: MIT */
/* How one element of D comes about: the reference's own steps, told in sentences. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "emu/mma/mma.h"
#include "emu/mma/text.h"

enum { ROW_TEXT = 320 };

typedef struct teller {
    const lw_mma *mma;
    const lw_mma_tile *tile;
    unsigned block, row, col;
    lw_mma_explain_fn explain;
    void *context;
    lw_status status;
    int group, first;
    uint64_t accumulator;
} teller;

static void say(teller *t, lw_mma_explain_kind kind, int k, uint64_t bits, const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 5, 6)))
#endif
    ;

static void say(teller *t, lw_mma_explain_kind kind, int k, uint64_t bits, const char *format, ...)
{
    char text[ROW_TEXT];
    va_list args;
    if (t->status != LW_OK)
        return;
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    const lw_mma_explain_row row = { kind, t->group, k, bits, text };
    t->status = t->explain(t->context, &row);
}

static const char *number(int64_t value, int exp, char *text)
{
    lw_text_number(value < 0, (uint64_t)(value < 0 ? -value : value), exp, text);
    return text;
}

static void group_begins(void *context, int group, int first, uint64_t accumulator, int scale_a, int scale_b)
{
    teller *t = context;
    char c[LW_NUMBER_TEXT];
    const bool goes_on = t->mma->recipe.fused && group > 0;
    t->group = group;
    t->first = first;
    if (!goes_on) {
        lw_text_code(t->mma->c, accumulator, c);
        say(t, LW_MMA_EXPLAIN_INPUT, -1, accumulator, "%s = %s (0x%08" PRIx64 ")",
            group ? "accumulator" : "C", c, accumulator);
    }
    if (t->mma->scaled)
        say(t, LW_MMA_EXPLAIN_SCALE, -1, (uint64_t)scale_a | (uint64_t)scale_b << 8,
            "scale A 0x%02x, scale B 0x%02x: the sum of this block counts times 2^%d", (unsigned)scale_a,
            (unsigned)scale_b, scale_a + scale_b - 254);
}

static void tell_product(teller *t, const lw_dot_event *e)
{
    char at[LW_NUMBER_TEXT], bt[LW_NUMBER_TEXT], pt[LW_NUMBER_TEXT];
    uint64_t a, b;
    const int k = t->first + e->index;
    lw_mma_product_codes(t->mma, t->tile, t->block, t->row, t->col, (unsigned)k, &a, &b);
    lw_text_code(t->mma->a, a, at);
    lw_text_code(t->mma->b, b, bt);
    say(t, LW_MMA_EXPLAIN_PRODUCT, k, a | b << 32,
        "product %d: %s * %s = %s, exponent %d, %" PRId64 " units%s", k, at, bt, number(e->value, e->exp, pt),
        e->top, e->units, e->cut ? "; bits below the grid cut" : "");
}

static void tell_chain(teller *t, const lw_dot_event *e)
{
    char at[LW_NUMBER_TEXT], bt[LW_NUMBER_TEXT], rt[LW_NUMBER_TEXT], ct[LW_NUMBER_TEXT];
    uint64_t a, b;
    lw_mma_product_codes(t->mma, t->tile, t->block, t->row, t->col, (unsigned)e->index, &a, &b);
    lw_text_code(t->mma->a, a, at);
    lw_text_code(t->mma->b, b, bt);
    if (t->mma->recipe.unit.kind == LW_KIND_INT) {
        say(t, LW_MMA_EXPLAIN_PRODUCT, e->index, (a & 0xff) | (b & 0xff) << 32,
            "product %d: %s * %s, total %" PRId64, e->index, at, bt, (int64_t)e->bits);
        return;
    }
    lw_text_code(t->mma->c, t->accumulator, ct);
    lw_text_code(t->mma->c, e->bits, rt);
    t->accumulator = e->bits;
    say(t, LW_MMA_EXPLAIN_PRODUCT, e->index, e->bits, "step %d: fma(%s, %s, %s) = %s", e->index, at, bt, ct,
        rt);
}

static void tell_c(teller *t, const lw_dot_event *e)
{
    char v[LW_NUMBER_TEXT];
    if (e->index)
        say(t, LW_MMA_EXPLAIN_ALIGN, -1, 0,
            "C is ignored: its exponent is more than %d below the largest, %d", t->mma->recipe.unit.drop,
            e->top);
    else
        say(t, LW_MMA_EXPLAIN_ALIGN, -1, 0, "C on the grid 2^%d: %s%s", e->exp, number(e->value, e->exp, v),
            e->cut ? ", bits below cut towards minus infinity" : "");
}

static void dot_event(void *context, const lw_dot_event *e)
{
    teller *t = context;
    char v[LW_NUMBER_TEXT];
    const char *cut = e->cut ? ", bits below cut towards minus infinity" : "";
    switch (e->kind) {
    case LW_EVENT_PRODUCT:
        tell_product(t, e);
        break;
    case LW_EVENT_CLASS:
        if (t->mma->recipe.unit.classes == 2)
            say(t, LW_MMA_EXPLAIN_ALIGN, -1, 0, "products in %s places: %s, largest exponent %d%s",
                e->index ? "odd" : "even", number(e->value, e->exp, v), e->top,
                e->cut ? "; bits cut towards minus infinity where the classes meet" : "");
        break;
    case LW_EVENT_JOINED:
        say(t, LW_MMA_EXPLAIN_ALIGN, -1, 0, "sum of products on the grid 2^%d: %s%s", e->exp,
            number(e->value, e->exp, v), cut);
        break;
    case LW_EVENT_C:
        tell_c(t, e);
        break;
    case LW_EVENT_TOTAL:
        say(t, LW_MMA_EXPLAIN_SUM, -1, 0, "total on the grid 2^%d: %s%s", e->exp, number(e->value, e->exp, v),
            cut);
        break;
    case LW_EVENT_PAIR:
    case LW_EVENT_MUL:
    case LW_EVENT_ADD:
        break;
    case LW_EVENT_FMA:
        tell_chain(t, e);
        break;
    case LW_EVENT_SPECIAL:
        lw_text_code(t->mma->d, e->bits, v);
        say(t, LW_MMA_EXPLAIN_SPECIAL, -1, e->bits, "a NaN or an infinity decides: %s (0x%08" PRIx64 ")", v,
            e->bits);
        break;
    case LW_EVENT_ROUNDED:
        lw_text_code(t->mma->d, e->bits, v);
        say(t, LW_MMA_EXPLAIN_ROUND, -1, e->bits, "rounded to nearest even: %s (0x%08" PRIx64 ")", v,
            e->bits);
        break;
    }
}

static lw_status explain_tile(const lw_mma *mma, const lw_mma_tile *tile, unsigned block, unsigned row,
                              unsigned col, lw_mma_explain_fn explain, void *context)
{
    const lw_insn *in = mma->insn;
    if (block >= in->blocks || row >= in->m || col >= in->n)
        return LW_E_ARGUMENT;
    teller t = { .mma = mma,
                 .tile = tile,
                 .block = block,
                 .row = row,
                 .col = col,
                 .explain = explain,
                 .context = context,
                 .group = -1 };
    char v[LW_NUMBER_TEXT];
    if (mma->recipe.unit.kind != LW_KIND_ALIGNED) {
        t.accumulator = lw_mma_code(tile->c, (block * in->m + row) * in->n + col, mma->c->bits);
        lw_text_code(mma->c, t.accumulator, v);
        say(&t, LW_MMA_EXPLAIN_INPUT, -1, t.accumulator, "C = %s (0x%0*" PRIx64 ")", v, mma->c->bits / 4,
            t.accumulator);
    }
    const lw_dot_log dot = { dot_event, &t };
    const lw_mma_group_log log = { &dot, group_begins, &t };
    const uint64_t d = lw_mma_element(mma, tile, block, row, col, &log);
    t.group = -1;
    lw_text_code(mma->d, d, v);
    say(&t, LW_MMA_EXPLAIN_RESULT, -1, d, "D = %s (0x%0*" PRIx64 ")", v, mma->d->bits / 4, d);
    return t.status;
}

lw_status lw_mma_explain_matrices(const lw_mma *mma, const lw_mma_matrices *mat, unsigned block, unsigned row,
                                  unsigned col, lw_mma_explain_fn explain, void *context)
{
    if (!mma || !mat || !explain)
        return LW_E_ARGUMENT;
    lw_mma_tile tile;
    const lw_status st = lw_mma_tile_from_matrices(mma, mat, &tile);
    return st == LW_OK ? explain_tile(mma, &tile, block, row, col, explain, context) : st;
}

lw_status lw_mma_explain_registers(const lw_mma *mma, const lw_mma_registers *regs, unsigned block,
                                   unsigned row, unsigned col, lw_mma_explain_fn explain, void *context)
{
    if (!mma || !regs || !explain)
        return LW_E_ARGUMENT;
    lw_mma_tile tile;
    const lw_status st = lw_mma_tile_from_registers(mma, regs, &tile);
    return st == LW_OK ? explain_tile(mma, &tile, block, row, col, explain, context) : st;
}

/* SPDX-License-Identifier: MIT */
/* How one element of D is computed: the reference's own steps, one line each. */
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
    int group;
    const lw_mma_pass *pass;
    unsigned first; /* the step's first product, by its number in the pass */
    int count;      /* products of the group */
    uint64_t accumulator;
    bool headed; /* the column headings of the group's products have been printed */
    int stored;  /* stored k of the row to be printed next, or -1 */
} teller;

/* How a kind of unit cuts and rounds, in words. */
typedef struct wording {
    const char *cut, *rounded;
} wording;

static const wording wordings[LW_KIND_COUNT] = {
    [LW_KIND_FMA] = { "", "rounded" },
    [LW_KIND_ALIGNED] = { ", bits below cut towards minus infinity", "rounded to nearest even" },
    [LW_KIND_INT] = { "", "" },
    [LW_KIND_EXACT] = { "", "rounded once, to nearest even" },
    [LW_KIND_TREE] = { "", "the group's result" },
    [LW_KIND_ONES] = { ", bits below cut before the sign is applied in one's complement",
                       "rounded to the accumulator's format" },
    [LW_KIND_PAIRS] = { ", bits below cut towards minus infinity", "rounded to the accumulator's format" },
    [LW_KIND_FUSED] = { ", bits below cut towards zero", "converted: cut towards zero" },
    [LW_KIND_FUSED_SCALED] = { ", bits below cut towards zero", "converted: cut towards zero" },
    [LW_KIND_FMA_PAIRS] = { "", "rounded" },
    [LW_KIND_BLOCKS] = { "", "the block's sum times both scales, added: the accumulator" },
};

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
    const lw_mma_explain_row row = { kind, t->group, k, bits, text, t->stored };
    t->stored = -1;
    t->status = t->explain(t->context, &row);
}

static const char *number(int64_t value, int exp, char *text)
{
    lw_text_number(value < 0, value < 0 ? ~(uint64_t)value + 1 : (uint64_t)value, exp, text);
    return text;
}

static const lw_format *acc_format(const teller *t)
{
    if (t->mma->recipe.unit.kind == LW_KIND_INT || t->mma->d->bits == 64)
        return t->mma->d;
    return lw_dot_acc_format((lw_dot_acc)t->mma->acc);
}

/* A code with its value: "1.5 (0x3fc00000)". */
static const char *coded(const lw_format *format, uint64_t code, char *text)
{
    char value[LW_NUMBER_TEXT];
    lw_text_code(format, code, value);
    snprintf(text, ROW_TEXT / 2, "%s (0x%0*" PRIx64 ")", value, format->bits / 4, code);
    return text;
}

static void tell_scales(teller *t, unsigned first, const lw_dot_group *g)
{
    const lw_mma *mma = t->mma;
    const unsigned spans = mma->products / mma->scale_span, q = t->pass->number[first] / mma->scale_span;
    const uint8_t a = t->tile->scale_a[t->row * spans + q], b = t->tile->scale_b[t->col * spans + q];
    char factor[LW_NUMBER_TEXT];
    if (g->scale_nan)
        snprintf(factor, sizeof(factor), "NaN");
    else if (g->scale_sig == 1)
        snprintf(factor, sizeof(factor), "2^%d", g->scale - g->scale_frac);
    else
        lw_text_number(false, g->scale_sig, g->scale - g->scale_frac, factor);
    say(t, LW_MMA_EXPLAIN_SCALE, -1, (uint64_t)a | (uint64_t)b << 8,
        "scale A 0x%02x, scale B 0x%02x: the sum of this block counts times %s", (unsigned)a, (unsigned)b,
        factor);
}

static void group_begins(void *context, const lw_mma_pass *pass, unsigned first, const lw_dot_group *group,
                         uint64_t accumulator)
{
    teller *t = context;
    char c[ROW_TEXT / 2];
    const bool at_once = t->mma->recipe.fused || t->mma->recipe.unit.kind == LW_KIND_FUSED_SCALED;
    const bool goes_on = at_once && first > 0;
    t->group++;
    t->pass = pass;
    t->first = goes_on ? t->first : first;
    t->count = group ? group->count : pass->count;
    t->accumulator = accumulator;
    t->headed = false;
    if (!goes_on)
        say(t, LW_MMA_EXPLAIN_INPUT, -1, accumulator, "%s = %s",
            t->group || t->mma->recipe.shape.c_last ? "accumulator" : "C",
            coded(acc_format(t), accumulator, c));
    if (t->mma->scaled && group)
        tell_scales(t, first, group);
}

typedef struct factors {
    int k;
    char ks[24]; /* text of the k columns: k, preceded by stored k where A is sparse */
    uint64_t a, b;
    char at[LW_NUMBER_TEXT], bt[LW_NUMBER_TEXT];
} factors;

/* The code without the fraction bits that do not take part (xf32, tf32). */
static uint64_t used_bits(const lw_format *format, uint64_t code)
{
    return code >> (format->frac_bits - lw_part_frac(format)) << (format->frac_bits - lw_part_frac(format));
}

/* The two operands of the group's product `index`, whose row is printed next. */
static factors factors_of(teller *t, int index)
{
    const int stored = t->pass->number[t->first + (unsigned)index];
    factors f = { .k = stored };
    snprintf(f.ks, sizeof(f.ks), "%5d", stored);
    if (t->mma->sparse) {
        uint8_t k_of[LW_MMA_MAX_PRODUCTS];
        lw_mma_dense_k(t->mma, t->tile, t->row, k_of);
        f.k = k_of[stored];
        t->stored = stored;
        snprintf(f.ks, sizeof(f.ks), "%10d %5d", stored, f.k);
    }
    lw_mma_product_codes(t->mma, t->tile, t->block, t->row, t->col, (unsigned)stored, &f.a, &f.b);
    lw_text_code(t->mma->a, used_bits(t->mma->a, f.a), f.at);
    lw_text_code(t->mma->b, used_bits(t->mma->b, f.b), f.bt);
    return f;
}

static void head(teller *t, const char *columns)
{
    const lw_format *a = t->mma->a;
    if (!t->headed)
        say(t, LW_MMA_EXPLAIN_HEAD, -1, 0, "%s%s%s%s", t->mma->sparse ? "  stored k " : "", columns,
            lw_part_frac(a) < a->frac_bits ? "   (10 fraction bits of A and B take part)" : "",
            t->mma->factor_a != a ? "   (A and B as f16)" : "");
    t->headed = true;
}

static void tell_product(teller *t, const lw_dot_event *e)
{
    char pt[LW_NUMBER_TEXT];
    head(t, "    k               A               B               product   exp           units  of");
    const factors f = factors_of(t, e->index);
    say(t, LW_MMA_EXPLAIN_PRODUCT, f.k, f.a | f.b << 32, "%s %15s %15s %21s %5d %15" PRId64 "  2^%d%s", f.ks,
        f.at, f.bt, number(e->value, e->exp, pt), e->top, e->units, e->grid, e->cut ? ", the rest cut" : "");
}

static void tell_rounded_product(teller *t, const lw_dot_event *e)
{
    char rt[LW_NUMBER_TEXT];
    head(t, "    k               A               B       rounded product  bits");
    const factors f = factors_of(t, e->index);
    lw_text_code(&lw_formats[LW_FORMAT_F32], e->bits, rt);
    say(t, LW_MMA_EXPLAIN_PRODUCT, f.k, f.a | f.b << 32, "%s %15s %15s %21s  0x%08" PRIx64, f.ks, f.at, f.bt,
        rt, e->bits);
}

static void tell_chain(teller *t, const lw_dot_event *e)
{
    const lw_mma *mma = t->mma;
    const lw_format *format = acc_format(t);
    char rt[LW_NUMBER_TEXT];
    const bool is_int = mma->recipe.unit.kind == LW_KIND_INT;
    const bool pairs = mma->recipe.unit.kind == LW_KIND_FMA_PAIRS;
    head(t, is_int  ? "    k               A               B                 total"
            : pairs ? "    k               A               B        sum of the pair  bits"
                    : "    k               A               B           accumulator  bits");
    const factors f = factors_of(t, e->index);
    if (is_int) {
        say(t, LW_MMA_EXPLAIN_PRODUCT, f.k, (f.a & 0xff) | (f.b & 0xff) << 32, "%s %15s %15s %21" PRId64,
            f.ks, f.at, f.bt, (int64_t)e->bits);
        return;
    }
    lw_text_code(format, e->bits, rt);
    say(t, LW_MMA_EXPLAIN_PRODUCT, f.k, e->bits, "%s %15s %15s %21s  0x%0*" PRIx64, f.ks, f.at, f.bt, rt,
        format->bits / 4, e->bits);
}

static void tell_c(teller *t, const lw_dot_event *e)
{
    const lw_dot_unit *unit = &t->mma->recipe.unit;
    char v[LW_NUMBER_TEXT];
    if (!e->index)
        say(t, LW_MMA_EXPLAIN_ALIGN, -1, 0, "accumulator on the grid 2^%d: %s%s", e->exp,
            number(e->value, e->exp, v), e->cut ? wordings[unit->kind].cut : "");
    else if (unit->drop)
        say(t, LW_MMA_EXPLAIN_ALIGN, -1, 0,
            "the accumulator is ignored: its exponent is more than %d below the largest, %d", unit->drop,
            e->top);
    else
        say(t, LW_MMA_EXPLAIN_ALIGN, -1, 0, "the accumulator lies below the grid 2^%d and counts as 0",
            e->exp);
}

static void tell_align(teller *t, const lw_dot_event *e)
{
    char v[LW_NUMBER_TEXT];
    const lw_dot_unit *unit = &t->mma->recipe.unit;
    number(e->value, e->exp, v);
    if (e->kind == LW_EVENT_PAIR)
        say(t, LW_MMA_EXPLAIN_ALIGN, -1, 0, "pair %d on the grid 2^%d: %s%s", e->index, e->grid, v,
            e->cut ? "; bits cut towards minus infinity where the pairs meet" : "");
    else if (e->kind == LW_EVENT_CLASS && unit->classes == 2)
        say(t, LW_MMA_EXPLAIN_ALIGN, -1, 0, "products in %s places: %s, largest exponent %d%s",
            e->index ? "odd" : "even", v, e->top,
            e->cut ? "; bits cut towards minus infinity where the classes meet" : "");
    else if (e->kind == LW_EVENT_JOINED && unit->kind == LW_KIND_FUSED_SCALED)
        say(t, LW_MMA_EXPLAIN_ALIGN, -1, 0, "scaled sum of block %d on the grid 2^%d: %s%s", e->index, e->exp,
            v, e->cut ? wordings[unit->kind].cut : "");
    else if (e->kind == LW_EVENT_JOINED)
        say(t, LW_MMA_EXPLAIN_ALIGN, -1, 0, "sum of products on the grid 2^%d: %s%s", e->exp, v,
            e->cut ? wordings[unit->kind].cut : "");
}

/* What a node of a tree adds: products in pairs, sums in pairs, and finally the accumulator. */
static void tell_node(teller *t, const lw_dot_event *e, const char *result)
{
    const int leaves = t->count / 2, left = 2 * (e->index - leaves);
    if (e->index < leaves)
        say(t, LW_MMA_EXPLAIN_SUM, -1, e->bits, "sum %d = products %d and %d of the group: %s", e->index,
            2 * e->index, 2 * e->index + 1, result);
    else if (e->index < t->count - 1)
        say(t, LW_MMA_EXPLAIN_SUM, -1, e->bits, "sum %d = sums %d and %d: %s", e->index, left, left + 1,
            result);
    else
        say(t, LW_MMA_EXPLAIN_SUM, -1, e->bits, "accumulator and sum %d: %s", e->index - 1, result);
}

static void tell_bits(teller *t, const lw_dot_event *e)
{
    const wording *w = &wordings[t->mma->recipe.unit.kind];
    const bool is_int = t->mma->recipe.unit.kind == LW_KIND_INT;
    const lw_format *f = e->kind == LW_EVENT_NARROWED || is_int ? t->mma->d : acc_format(t);
    char v[ROW_TEXT / 2];
    coded(f, e->bits, v);
    if (is_int)
        say(t, LW_MMA_EXPLAIN_ROUND, -1, e->bits, "out of range: %s: %s",
            e->cut ? "the low 32 bits are kept" : "the nearest limit", v);
    else if (e->kind == LW_EVENT_SPECIAL)
        say(t, LW_MMA_EXPLAIN_SPECIAL, -1, e->bits, "a NaN or an infinity decides: %s", v);
    else if (e->kind == LW_EVENT_ADD && t->mma->recipe.unit.kind == LW_KIND_FMA_PAIRS)
        say(t, LW_MMA_EXPLAIN_SUM, -1, e->bits, "accumulator plus the pair, rounded to nearest even: %s", v);
    else if (e->kind == LW_EVENT_ADD)
        tell_node(t, e, v);
    else if (e->kind == LW_EVENT_C_ADDED)
        say(t, LW_MMA_EXPLAIN_SUM, -1, e->bits, "C added, rounded to nearest even: %s", v);
    else if (e->kind == LW_EVENT_NARROWED)
        say(t, LW_MMA_EXPLAIN_ROUND, -1, e->bits, "%s %s: %s",
            t->mma->recipe.shape.narrow == LW_NARROW_CUT ? "cut to" : "rounded to nearest even to",
            t->mma->d->name, v);
    else
        say(t, LW_MMA_EXPLAIN_ROUND, -1, e->bits, "%s: %s",
            t->mma->recipe.unit.kind == LW_KIND_FUSED && t->mma->acc == LW_ACC_F16
                ? "converted: to nearest even"
                : w->rounded,
            v);
}

static void tell_total(teller *t, const lw_dot_event *e)
{
    char v[LW_NUMBER_TEXT];
    const lw_dot_kind kind = (lw_dot_kind)t->mma->recipe.unit.kind;
    number(e->value, e->exp, v);
    if (kind == LW_KIND_EXACT)
        say(t, LW_MMA_EXPLAIN_SUM, -1, 0, "exact total%s: %s", e->cut ? ", its leading bits" : "", v);
    else
        say(t, LW_MMA_EXPLAIN_SUM, -1, 0, "total on the grid 2^%d: %s%s", e->exp, v,
            e->cut ? wordings[kind].cut : "");
}

static void dot_event(void *context, const lw_dot_event *e)
{
    teller *t = context;
    switch (e->kind) {
    case LW_EVENT_PRODUCT:
        tell_product(t, e);
        break;
    case LW_EVENT_MUL:
        tell_rounded_product(t, e);
        break;
    case LW_EVENT_FMA:
        tell_chain(t, e);
        break;
    case LW_EVENT_CLASS:
    case LW_EVENT_JOINED:
    case LW_EVENT_PAIR:
        tell_align(t, e);
        break;
    case LW_EVENT_C:
        tell_c(t, e);
        break;
    case LW_EVENT_TOTAL:
        tell_total(t, e);
        break;
    case LW_EVENT_ADD:
    case LW_EVENT_SPECIAL:
    case LW_EVENT_ROUNDED:
    case LW_EVENT_C_ADDED:
    case LW_EVENT_NARROWED:
        tell_bits(t, e);
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
                 .group = -1,
                 .stored = -1 };
    char v[ROW_TEXT / 2];
    const uint64_t c = lw_mma_c_code(mma, tile, block, row, col);
    if (mma->recipe.shape.c_last || mma->acc != lw_mma_acc_of(mma->c))
        say(&t, LW_MMA_EXPLAIN_INPUT, -1, c, "C = %s", coded(mma->c, c, v));
    const lw_dot_log dot = { dot_event, &t };
    const lw_mma_group_log log = { &dot, group_begins, &t };
    const uint64_t d = lw_mma_element(mma, tile, block, row, col, &log);
    t.group = -1;
    say(&t, LW_MMA_EXPLAIN_RESULT, -1, d, "D = %s", coded(mma->d, d, v));
    return t.status;
}

typedef struct asked {
    unsigned block, row, col;
    lw_mma_explain_fn explain;
    void *context;
} asked;

static lw_status explain_one(const lw_mma *mma, const lw_mma_matrices *mat, unsigned row, unsigned col,
                             void *context)
{
    const asked *ask = context;
    lw_mma_tile tile;
    const lw_status st = lw_mma_tile_from_matrices(mma, mat, &tile);
    return st != LW_OK ? st
                       : explain_tile(mma, &tile, ask->block, ask->row - row, ask->col - col, ask->explain,
                                      ask->context);
}

lw_status lw_mma_explain_matrices(const lw_mma *mma, const lw_mma_matrices *mat, unsigned block, unsigned row,
                                  unsigned col, lw_mma_explain_fn explain, void *context)
{
    asked ask = { block, row, col, explain, context };
    if (!mma || !mat || !explain || (mma->whole && (row >= mma->whole->m || col >= mma->whole->n)))
        return LW_E_ARGUMENT;
    return mma->whole ? lw_mma_part_with(mma, mat, row, col, explain_one, &ask)
                      : explain_one(mma, mat, 0, 0, &ask);
}

lw_status lw_mma_explain_registers(const lw_mma *mma, const lw_mma_registers *regs, unsigned block,
                                   unsigned row, unsigned col, lw_mma_explain_fn explain, void *context)
{
    if (!mma || !regs || !explain)
        return LW_E_ARGUMENT;
    if (mma->whole)
        return LW_E_UNSUPPORTED;
    lw_mma_tile tile;
    const lw_status st = lw_mma_tile_from_registers(mma, regs, &tile);
    return st == LW_OK ? explain_tile(mma, &tile, block, row, col, explain, context) : st;
}

/* SPDX-License-Identifier: MIT */
/* Compares a claimed layout with the real one. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa_tables/error.h"
#include "isa_tables/options.h"
#include "layouts/notation/sides.h"

static const struct {
    const char *name;
    lw_notation_reader *read;
} notations[] = {
    [LW_NOTATION_FORMULA] = { "lane arithmetic", lw_read_formula },
    [LW_NOTATION_CUTE] = { "CuTe", lw_read_cute },
    [LW_NOTATION_TRITON] = { "Triton's linear layout", lw_read_triton },
    [LW_NOTATION_IREE] = { "IREE", lw_read_iree },
    [LW_NOTATION_TIRX] = { "TIRx", lw_read_tirx },
    [LW_NOTATION_CK] = { "Composable Kernel", lw_read_ck },
    [LW_NOTATION_LISTING] = { "listing", lw_read_listing },
    [LW_NOTATION_CALCULATOR] = { "AMD's calculator", lw_read_calculator },
};
enum { NOTATIONS = sizeof(notations) / sizeof(notations[0]), SHOWN = 4 };

const char *lw_notation_name(lw_notation notation)
{
    return (unsigned)notation < NOTATIONS ? notations[notation].name : NULL;
}

static void say(lw_sides *s, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(s->j->text + s->used, LW_VERDICT_TEXT - s->used, format, args);
    va_end(args);
    if (n > 0)
        s->used = s->used + (size_t)n < LW_VERDICT_TEXT ? s->used + (size_t)n : LW_VERDICT_TEXT - 1;
}

/* The coordinate shown on an axis of the operand. */
static uint32_t on_axis(const lw_pair *p, unsigned axis)
{
    return axis == LW_AXIS_ROW ? p->row : axis == LW_AXIS_COL ? p->col : axis == LW_AXIS_K ? p->k : p->block;
}

static void name_element(const lw_sides *s, const lw_pair *p, char *text, size_t size)
{
    size_t n = (size_t)snprintf(text, size, "%s", lw_operand_name((lw_operand)s->tv->layout->operand));
    for (unsigned a = 0; a < s->tv->axes; a++)
        n += (size_t)snprintf(text + n, size - n, "[%c=%u]", lw_tv_letter(s->tv->axis[a]),
                              on_axis(p, s->tv->axis[a]));
}

/* ---- The verdicts ---- */

static void say_k(lw_sides *s)
{
    const lw_layout_judgement *j = s->j;
    unsigned shown = 0;
    say(s, "equal up to a renaming of k:");
    for (unsigned k = 0; k < j->ks && shown < 8; k++)
        if (j->k_of[k] != k) {
            say(s, "%s %u is called %u", shown ? "," : "", k, j->k_of[k]);
            shown++;
        }
    say(s, "%s\nHarmless if and only if A and B%s rename k alike.\n", shown == 8 ? ", ..." : "",
        lw_insn_is_sparse(s->tv->layout->insn) ? ", and the index" : "");
}

/* Whether values v of the instruction are at `w` in every lane. Both sides have one element per place, in the
 * same places. */
static bool stands_at(const lw_sides *s, size_t v, size_t w)
{
    for (size_t lane = 0; lane * s->tv->count < s->owns; lane++) {
        lw_pair a = s->own[lane * s->tv->count + v];
        const lw_pair *b = &s->given[lane * s->tv->count + w];
        a.bit = b->bit;
        if (lw_pair_compare(&a, b) != 0)
            return false;
    }
    return true;
}

static bool is_reordered(lw_sides *s)
{
    enum { MOST = 64 };
    uint8_t at[MOST];
    bool taken[MOST] = { false };
    const size_t count = s->tv->count;
    if (s->owns != s->givens || count > MOST || count < 2 || s->owns % count || s->tv->still.count)
        return false;
    for (size_t i = 0; i < s->owns; i++)
        if (!lw_pair_same_place(&s->own[i], &s->given[i]) || s->own[i].bit != i % count)
            return false;
    for (size_t v = 0; v < count; v++) {
        size_t w = 0;
        while (w < count && (taken[w] || !stands_at(s, v, w)))
            w++;
        if (w == count)
            return false;
        at[v] = (uint8_t)w;
        taken[w] = true;
    }
    say(s, "each lane holds its elements, in another order: values 0, 1, 2 .. of the instruction are yours");
    for (size_t v = 0; v < count && v < 16; v++)
        say(s, "%s %u", v ? "," : "", at[v]);
    say(s, "%s\n", count > 16 ? ", ..." : "");
    return true;
}

static int by_element(const void *a, const void *b)
{
    lw_pair x = *(const lw_pair *)a, y = *(const lw_pair *)b;
    x.lane = x.bit = y.lane = y.bit = 0;
    const int order = lw_pair_compare(&x, &y);
    return order ? order : lw_pair_compare(a, b);
}

/* How many distinct elements occur, by marking them. SIZE_MAX where their numbers are too sparse for that. */
static size_t mark_elements(const lw_pair *pairs, size_t count)
{
    enum { SPARSEST = 64 };
    uint64_t rows = 1, cols = 1, ks = 1, blocks = 1;
    for (size_t i = 0; i < count; i++) {
        const lw_pair *p = &pairs[i];
        rows = p->row >= rows ? (uint64_t)p->row + 1 : rows;
        cols = p->col >= cols ? (uint64_t)p->col + 1 : cols;
        ks = p->k >= ks ? (uint64_t)p->k + 1 : ks;
        blocks = p->block >= blocks ? (uint64_t)p->block + 1 : blocks;
    }
    const uint64_t most = (uint64_t)SPARSEST * count;
    if (rows > most || cols > most / rows || ks > most / (rows * cols) || blocks > most / (rows * cols * ks))
        return SIZE_MAX;
    bool *marked = calloc((size_t)(rows * cols * ks * blocks), sizeof(*marked));
    size_t n = marked ? 0 : SIZE_MAX;
    for (size_t i = 0; marked && i < count; i++) {
        const lw_pair *p = &pairs[i];
        bool *mark = &marked[((p->block * rows + p->row) * cols + p->col) * ks + p->k];
        n += !*mark;
        *mark = true;
    }
    free(marked);
    return n;
}

/* How many distinct elements occur. May sort the pairs by element for this, and back. */
static size_t elements(lw_pair *pairs, size_t count)
{
    size_t n = count ? mark_elements(pairs, count) : 0;
    if (n != SIZE_MAX)
        return n;
    n = 0;
    qsort(pairs, count, sizeof(*pairs), by_element);
    for (size_t i = 0; i < count; i++) {
        lw_pair a = pairs[i], b = i ? pairs[i - 1] : a;
        a.lane = a.bit = b.lane = b.bit = 0;
        n += i == 0 || lw_pair_compare(&a, &b) != 0;
    }
    qsort(pairs, count, sizeof(*pairs), lw_pair_compare);
    return n;
}

/* Number of pairs that both sides have; both are sorted. */
static size_t common(const lw_sides *s)
{
    size_t n = 0;
    for (size_t i = 0, g = 0; i < s->owns && g < s->givens;) {
        const int order = lw_pair_compare(&s->own[i], &s->given[g]);
        n += order == 0;
        i += order <= 0;
        g += order >= 0;
    }
    return n;
}

/* Every element has a place that is claimed correctly, and some have one that is not: reports the first of
 * those. */
static bool are_copies_unequal(lw_sides *s, size_t shared)
{
    const lw_pair *wrong = NULL;
    size_t kept = 0;
    if (s->owns != s->givens || shared == s->owns)
        return false;
    lw_pair *right = malloc(s->owns * sizeof(*right));
    for (size_t i = 0; right && i < s->owns; i++) {
        if (!lw_pair_same_place(&s->own[i], &s->given[i])) {
            kept = 0;
            break;
        }
        if (lw_pair_compare(&s->own[i], &s->given[i]) == 0)
            right[kept++] = s->own[i];
        else if (!wrong)
            wrong = &s->own[i];
    }
    const bool unequal = right && wrong && kept && elements(right, kept) == elements(s->own, s->owns);
    free(right);
    if (!unequal)
        return false;
    char yours[64], theirs[64];
    name_element(s, &s->given[wrong - s->own], yours, sizeof(yours));
    name_element(s, wrong, theirs, sizeof(theirs));
    say(s, "copies are unequal: %zu of %zu places are right, and every element once at least\n", shared,
        s->owns);
    say(s, "lane %u v %u: yours %s, a copy of %s\n", wrong->lane, wrong->bit, yours, theirs);
    return true;
}

static bool is_about_copies(lw_sides *s, size_t shared)
{
    if (are_copies_unequal(s, shared))
        return true;
    if (shared == s->givens && elements(s->given, s->givens) == elements(s->own, s->owns)) {
        say(s, "copies are missing: %zu of %zu places are given, and every element at least once\n",
            s->givens, s->owns);
        return true;
    }
    if (shared == s->owns && elements(s->given, s->givens) == elements(s->own, s->owns)) {
        say(s, "surplus copies: the instruction has %zu places, %zu are given\n", s->owns, s->givens);
        return true;
    }
    return false;
}

/* Reports what each side has at a place; NULL where it has nothing. */
static void say_place(lw_sides *s, const lw_pair *own, const lw_pair *given)
{
    char yours[64] = "nothing", theirs[64] = "nothing";
    const lw_pair *at = own ? own : given;
    if (given)
        name_element(s, given, yours, sizeof(yours));
    if (own)
        name_element(s, own, theirs, sizeof(theirs));
    say(s, "lane %u v %u: yours %s, instruction %s\n", at->lane, at->bit, yours, theirs);
}

/* In order of place; elements of one place are compared in their order. */
static void say_differences(lw_sides *s)
{
    size_t shown = 0, wrong = 0, i = 0, g = 0;
    while (i < s->owns || g < s->givens) {
        const lw_pair *own = i < s->owns ? &s->own[i] : NULL, *given = g < s->givens ? &s->given[g] : NULL;
        if (own && given && !lw_pair_same_place(own, given)) {
            const bool first = own->lane != given->lane ? own->lane < given->lane : own->bit < given->bit;
            own = first ? own : NULL;
            given = first ? NULL : given;
        }
        const bool agree = own && given && lw_pair_compare(own, given) == 0;
        if (!agree && shown++ < SHOWN)
            say_place(s, own, given);
        wrong += !agree;
        i += own != NULL;
        g += given != NULL;
    }
    if (wrong > SHOWN)
        say(s, "and %zu more\n", wrong - SHOWN);
    s->j->wrong = wrong;
}

static void judge(lw_sides *s)
{
    lw_layout_judgement *j = s->j;
    const size_t shared = common(s);
    j->wrong = s->owns + s->givens - 2 * shared;
    if (lw_pairs_equal(s->own, s->owns, s->given, s->givens)) {
        j->verdict = LW_VERDICT_EQUAL;
        say(s, "equal: all %zu places\n", s->owns);
    } else if (lw_sides_find_k(s)) {
        j->verdict = LW_VERDICT_K_RENAMED;
        say_k(s);
    } else if (is_reordered(s)) {
        j->verdict = LW_VERDICT_REORDERED;
    } else if (is_about_copies(s, shared)) {
        j->verdict = LW_VERDICT_COPIES;
    } else {
        j->verdict = LW_VERDICT_DIFFERENT;
        say(s, "different: %zu of %zu places agree\n", shared, s->owns);
        say_differences(s);
    }
}

/* ---- Reading ---- */

void lw_notation_take(lw_reader *r, lw_notation notation)
{
    r->at = r->claims = 0;
    notations[notation].read(r);
}

lw_status lw_reader_read(lw_reader *r, lw_notation notation)
{
    lw_notation_take(r, notation);
    if (r->status == LW_OK && !r->claims)
        lw_reader_fail(r, "no place is said");
    r->claims = r->status == LW_OK ? lw_pairs_sort(r->claim, r->claims) : 0;
    return r->status;
}

static lw_status read_and_judge(lw_sides *s, lw_reader *r)
{
    lw_layout_judgement *j = s->j;
    j->notation = lw_notation_guess(r);
    if (lw_reader_read(r, j->notation) != LW_OK)
        return r->status;
    s->given = r->claim;
    s->givens = r->claims;
    judge(s);
    if (j->verdict != LW_VERDICT_DIFFERENT)
        return LW_OK;
    lw_reader turned = { .text = r->text, .size = r->size, .tv = r->tv, .transposed = true };
    turned.listing = r->listing;
    turned.code = r->code;
    if (lw_reader_read(&turned, j->notation) == LW_OK &&
        lw_pairs_equal(s->own, s->owns, turned.claim, turned.claims)) {
        j->verdict = LW_VERDICT_TRANSPOSED;
        s->used = 0;
        say(s, "transposed: equal with %c and %c exchanged\n", lw_tv_letter(s->tv->axis[s->tv->axes - 2]),
            lw_tv_letter(s->tv->axis[s->tv->axes - 1]));
    }
    free(turned.claim);
    return LW_OK;
}

/* Both sides as text, for the caller to free. */
static lw_status open_sides(lw_reader *r, lw_sides *s)
{
    if (lw_sides_list_own(s) != LW_OK)
        return lw_error_fail(r->error, LW_E_NO_MEMORY, "no memory to check a layout");
    const lw_status st = lw_reader_read(r, lw_notation_guess(r));
    s->given = r->claim;
    s->givens = r->claims;
    return st;
}

static void put_cells(const lw_sides *s, const char *cells, lw_writer *w)
{
    const lw_tv *tv = s->tv;
    const uint32_t columns = lw_tv_extent(tv, tv->axis[tv->axes - 1]),
                   lines = lw_tv_extent(tv, tv->axis[tv->axes - 2]);
    for (uint32_t block = 0; block < tv->r.blocks; block++) {
        if (tv->r.blocks > 1)
            lw_writer_put(w, "block %u\n", block);
        for (uint32_t x = 0; x < lines; x++, cells += columns)
            lw_writer_put(w, "%.*s\n", (int)columns, cells);
    }
}

/* Marks the elements of pairs that occur only in the instruction's layout. */
static lw_status put_wrong(const lw_sides *s, lw_writer *w, lw_error *error)
{
    const lw_tv *tv = s->tv;
    const unsigned x = tv->axis[tv->axes - 2], y = tv->axis[tv->axes - 1];
    const size_t columns = lw_tv_extent(tv, y), block = columns * lw_tv_extent(tv, x),
                 all = block * tv->r.blocks;
    char *cells = malloc(all);
    if (!cells)
        return lw_error_fail(error, LW_E_NO_MEMORY, "no memory to check a layout");
    memset(cells, '.', all);
    for (size_t i = 0, g = 0; i < s->owns; i++) {
        while (g < s->givens && lw_pair_compare(&s->given[g], &s->own[i]) < 0)
            g++;
        if (g == s->givens || lw_pair_compare(&s->given[g], &s->own[i]) != 0)
            cells[s->own[i].block * block + on_axis(&s->own[i], x) * columns + on_axis(&s->own[i], y)] = 'X';
    }
    put_cells(s, cells, w);
    free(cells);
    return lw_writer_finish(w);
}

lw_status lw_layout_print_wrong(const lw_layout *layout, const char *text, size_t size, lw_sink sink,
                                void *context, lw_error *error)
{
    lw_tv tv;
    lw_writer w;
    if (!layout || (!text && size) || !sink)
        return lw_error_fail(error, LW_E_ARGUMENT, "lw_layout_print_wrong needs a layout, a text and a sink");
    lw_status st = lw_tv_make(layout, "check", &tv, error);
    lw_sides s = { .tv = &tv };
    lw_reader r = { .text = text, .size = size, .error = error, .tv = &tv };
    lw_writer_start(&w, sink, context);
    if (st == LW_OK && (st = open_sides(&r, &s)) == LW_OK)
        st = put_wrong(&s, &w, error);
    free(s.own);
    free(r.claim);
    return st;
}

lw_status lw_layout_fill_judgement(const lw_layout *layout, const char *text, size_t size,
                                   lw_layout_judgement *judgement, lw_error *error)
{
    if (!layout || (!text && size) || !judgement)
        return lw_error_fail(error, LW_E_ARGUMENT, "lw_layout_judge needs a layout, a text and a judgement");
    return lw_layout_judge_text(layout, &(lw_reader){ .text = text, .size = size }, judgement, error);
}

lw_status lw_layout_judge_text(const lw_layout *layout, const lw_reader *text, lw_layout_judgement *judgement,
                               lw_error *error)
{
    lw_tv tv;
    lw_layout_judgement made = { .struct_size = sizeof(made) };
    if (!lw_options_known(judgement, sizeof(made), sizeof(made)))
        return lw_error_fail(error, LW_E_ARGUMENT, "judgement: a struct_size of %zu is of no version",
                             judgement->struct_size);
    if (layout->index)
        return lw_error_fail(error, LW_E_UNSUPPORTED,
                             "with index data, notations are in stored k: use the layout without index data");
    lw_status st = lw_tv_make(layout, "check", &tv, error);
    lw_sides s = { .tv = &tv, .j = &made };
    lw_reader r = *text;
    r.error = error;
    r.tv = &tv;
    if (st == LW_OK && (st = lw_sides_list_own(&s)) != LW_OK)
        st = lw_error_fail(error, st, "no memory to check a layout");
    made.places = s.owns;
    if (st == LW_OK)
        st = read_and_judge(&s, &r);
    free(s.own);
    free(r.claim);
    if (st == LW_OK)
        lw_options_give(judgement, &made, sizeof(made), sizeof(made));
    return st;
}

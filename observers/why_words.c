/* SPDX-License-Identifier: MIT */
/* How a result differs from a matrix product, in words: C[i,j] is the sum of A[i,k] * B[k,j], where either
 * array may be stored transposed, and either may be operand A of the instruction. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/mma.h>

#include "observers/why_products.h"

/* How an array's elements depend on k. */
typedef enum way {
    WAY_NONE, /* neither */
    WAY_ROW,  /* one row: k is the column */
    WAY_COLUMN,
} way;

/* One of the two factors: all its elements in the order of products and k. */
typedef struct factor {
    lw_operand operand, scale;
    const lw_why_array *array;
    lw_why_element *e;
    size_t count;
    uint64_t rows, cols; /* of the array, in elements */
    way goes;
    uint64_t index;  /* the row, or the column, that was used */
    uint64_t needed; /* the one that the element needs */
    uint64_t lines;  /* number of rows or columns of C */
} factor;

typedef struct words {
    const lw_why_products *products;
    const lw_why_target *target;
    const double *expected; /* NULL: unknown */
    factor left, right;
    char *text;
    size_t size;
    bool no_memory;
} words;

static const lw_why_product *product_at(const words *w, size_t i)
{
    return &w->products->product[i];
}

/* ---- Factors ---- */

/* False: the elements are not those of one array of two dimensions. */
static bool collect(words *w, lw_operand operand, factor *f)
{
    const size_t products = w->products->count;
    *f = (factor){ .operand = operand,
                   .scale = operand == LW_OPERAND_A ? LW_OPERAND_SCALE_A : LW_OPERAND_SCALE_B };
    for (size_t s = 0; s < products; s++)
        f->count += product_at(w, s)->count[operand];
    f->e = calloc(f->count + 1, sizeof(*f->e));
    if (!f->e) {
        w->no_memory = true;
        return false;
    }
    size_t at = 0;
    for (size_t s = 0; s < products; s++)
        for (unsigned k = 0; k < product_at(w, s)->count[operand]; k++)
            f->e[at++] = product_at(w, s)->element[operand][k];
    for (size_t i = 0; i < f->count; i++)
        if (!f->e[i].known || f->e[i].array != f->e[0].array)
            return false;
    if (!f->count)
        return false;
    f->array = &w->products->arrays[f->e[0].array];
    const unsigned bits = product_at(w, 0)->bits[operand];
    f->rows = f->array->rows;
    f->cols = f->array->columns * 8 * f->array->size / (bits ? bits : 1);
    return f->array->dims == 2;
}

static void find_way(factor *f)
{
    bool row = true, column = true;
    for (size_t i = 1; i < f->count; i++) {
        row = row && f->e[i].row == f->e[0].row;
        column = column && f->e[i].column == f->e[0].column;
    }
    f->goes = row ? WAY_ROW : column ? WAY_COLUMN : WAY_NONE;
    f->index = row ? f->e[0].row : f->e[0].column;
}

static uint64_t k_of(const factor *f, size_t i)
{
    return f->goes == WAY_ROW ? f->e[i].column : f->e[i].row;
}

/* How well a factor fits as the one with `lines` rows (of A) or columns (of B). */
static int fit(const factor *f, uint64_t lines, uint64_t needed)
{
    const bool has = f->rows == lines || f->cols == lines;
    return (has ? 1 : 0) + (f->goes != WAY_NONE && f->index == needed ? 2 : 0);
}

/* ---- Transposed ---- */

static bool is_contiguous(const factor *f, uint64_t step)
{
    for (size_t i = 1; i < f->count; i++)
        if (f->e[i].number - f->e[i - 1].number != step)
            return false;
    return true;
}

static double value_of(const words *w, lw_operand operand, uint64_t code)
{
    const lw_why *why = w->products->why;
    const lw_why_node *n = &why->nodes[product_at(w, 0)->node];
    lw_operand_info info;
    char text[64];
    if (lw_insn_operand(why->arch, n->insn, operand, n->mods, &info, NULL) != LW_OK ||
        lw_mma_decode(info.format, code, text, sizeof(text)) != LW_OK)
        return 0;
    return strtod(text, NULL);
}

/* Element k of a line of a square array of plain elements. */
static uint64_t code_at(const factor *f, way goes, uint64_t line, uint64_t k)
{
    const uint64_t row = goes == WAY_ROW ? line : k, column = goes == WAY_ROW ? k : line;
    const size_t size = f->array->size;
    uint64_t code = 0;
    memcpy(&code, (const char *)f->array->data + (row * f->cols + column) * size, size);
    return code;
}

/* Whether the expected value results if the factor is transposed. Only if arrays hold plain elements, and
 * nothing is scaled. */
static bool expects_other(const words *w, const factor *turned, const factor *other)
{
    const lw_why_product *first = product_at(w, 0);
    double sum[2] = { 0, 0 };
    if (!w->expected || first->bits[turned->operand] != 8 * turned->array->size ||
        turned->count != other->count || first->count[turned->scale] || first->count[other->scale])
        return false;
    for (size_t i = 0; i < turned->count; i++) {
        const double factor_value = value_of(w, other->operand, other->e[i].code);
        for (int turn = 0; turn < 2; turn++) {
            const way goes = (turned->goes == WAY_ROW) != turn ? WAY_ROW : WAY_COLUMN;
            const uint64_t code = code_at(turned, goes, turned->needed, k_of(turned, i));
            sum[turn] += factor_value * value_of(w, turned->operand, code);
        }
    }
    const double as_is = sum[0] - *w->expected, other_way = sum[1] - *w->expected;
    return other_way * other_way < 1e-4 * as_is * as_is;
}

static bool say_transposed(words *w, const factor *f, const factor *other)
{
    const bool square = f->rows == f->cols;
    const bool has_rows = f->rows == f->lines, has_cols = f->cols == f->lines;
    bool turned = false;
    if (f->goes == WAY_NONE)
        turned = (has_cols && is_contiguous(f, 1) && f->e[0].number == f->needed * f->rows) ||
                 (has_rows && is_contiguous(f, f->rows) && f->e[0].number == f->needed);
    else if (square && f->index == f->needed)
        turned = expects_other(w, f, other);
    else if (!square)
        turned = f->goes == WAY_ROW ? has_cols && !has_rows : has_rows && !has_cols;
    if (!turned)
        return false;
    const bool by_rows = f->goes == WAY_NONE ? has_rows : f->goes == WAY_COLUMN;
    const char *name = f->array->name;
    const lw_why_element *one = &f->e[f->count > 1];
    snprintf(w->text, w->size,
             "%s is read transposed: for k = 1, %s[%" PRIu64 ",%" PRIu64 "] is used and not %s[%" PRIu64
             ",%" PRIu64 "]",
             name, name, one->row, one->column, name, by_rows ? f->needed : 1, by_rows ? 1 : f->needed);
    return true;
}

/* ---- Neither a row nor a column ---- */

/* The element that a factor needs where the other one has k. */
static lw_why_element needed_at(const factor *f, bool by_rows, uint64_t k)
{
    return (lw_why_element){ .row = by_rows ? f->needed : k, .column = by_rows ? k : f->needed };
}

/* Are the elements those that a transposition of tiles of `side` would give? */
static bool is_turned(const factor *f, const factor *other, bool by_rows, uint64_t side)
{
    for (size_t i = 0; i < f->count; i++) {
        const lw_why_element e = needed_at(f, by_rows, k_of(other, i));
        if (f->e[i].row != e.row - e.row % side + e.column % side ||
            f->e[i].column != e.column - e.column % side + e.row % side)
            return false;
    }
    return true;
}

/* Tiles of a matrix that are transposed where they are; or any other order. */
static bool say_scattered(words *w, const factor *f, const factor *other)
{
    enum { MOST_SIDE = 256 };
    const char *name = f->array->name;
    if (f->goes != WAY_NONE || other->goes == WAY_NONE || f->count != other->count)
        return false;
    for (uint64_t side = 2; side <= MOST_SIDE; side *= 2)
        for (int by_rows = 0; by_rows < 2; by_rows++) {
            const bool fits = (by_rows ? f->rows : f->cols) == f->lines;
            if (!fits || !is_turned(f, other, by_rows, side))
                continue;
            const lw_why_element *one = &f->e[f->count > 1];
            const lw_why_element e = needed_at(f, by_rows, k_of(other, f->count > 1));
            snprintf(w->text, w->size,
                     "%s is read transposed in tiles of %" PRIu64 " x %" PRIu64 ": for k = %" PRIu64
                     ", %s[%" PRIu64 ",%" PRIu64 "] is used and not %s[%" PRIu64 ",%" PRIu64 "]",
                     name, side, side, k_of(other, f->count > 1), name, one->row, one->column, name, e.row,
                     e.column);
            return true;
        }
    snprintf(w->text, w->size,
             "the elements of %s that are used are neither of one row nor of one column: %s[%" PRIu64
             ",%" PRIu64 "] for k = %" PRIu64 ", %s[%" PRIu64 ",%" PRIu64 "] for k = %" PRIu64,
             name, name, f->e[0].row, f->e[0].column, k_of(other, 0), name, f->e[f->count - 1].row,
             f->e[f->count - 1].column, k_of(other, f->count - 1));
    return true;
}

/* ---- Rows, columns, k ---- */

static bool say_lane(words *w, const factor *f, const char *noun)
{
    const char *name = f->array->name;
    const lw_why_node *n = &w->products->why->nodes[product_at(w, w->products->count - 1)->node];
    if (f->goes == WAY_NONE || f->index == f->needed)
        return false;
    snprintf(w->text, w->size,
             "wrong lane: %s %" PRIu64 " of %s is used where %s %" PRIu64
             " is needed; element [%u][%u] of D, in lane %d of wave %u, belongs to another place",
             noun, f->index, name, noun, f->needed, n->row, n->col, n->lane, n->wave);
    return true;
}

static bool say_k(words *w)
{
    const factor *l = &w->left, *r = &w->right;
    size_t wrong = 0, first = 0;
    if (l->count != r->count || l->goes == WAY_NONE || r->goes == WAY_NONE)
        return false;
    for (size_t i = l->count; i-- > 0;)
        if (k_of(l, i) != k_of(r, i)) {
            first = i;
            wrong++;
        }
    if (!wrong)
        return false;
    snprintf(w->text, w->size,
             "wrong k order: k = %" PRIu64 " of %s is multiplied by k = %" PRIu64
             " of %s, in product %zu; %zu of %zu products do not match",
             k_of(l, first), l->array->name, k_of(r, first), r->array->name, first + 1, wrong, l->count);
    return true;
}

/* The first run of k that is used `times` times. */
static bool find_run(const uint8_t *used, uint64_t ks, bool twice, uint64_t *first, uint64_t *last)
{
    for (uint64_t k = 0; k < ks; k++) {
        if (twice ? used[k] < 2 : used[k] != 0)
            continue;
        *first = *last = k;
        while (*last + 1 < ks && (twice ? used[*last + 1] > 1 : !used[*last + 1]))
            ++*last;
        return true;
    }
    return false;
}

static bool say_twice(words *w)
{
    const factor *l = &w->left;
    const uint64_t ks = l->goes == WAY_ROW ? l->cols : l->rows;
    uint64_t twice[2], never[2];
    if (l->goes == WAY_NONE || ks > UINT64_C(1) << 32)
        return false;
    uint8_t *used = calloc((size_t)ks + 1, 1);
    if (!used) {
        w->no_memory = true;
        return true;
    }
    for (size_t i = 0; i < l->count; i++)
        if (used[k_of(l, i)] < 2)
            used[k_of(l, i)]++;
    const bool more = find_run(used, ks, true, &twice[0], &twice[1]);
    const bool less = find_run(used, ks, false, &never[0], &never[1]);
    free(used);
    if (more)
        snprintf(w->text, w->size, "a tile is used twice: k = %" PRIu64 " to %" PRIu64, twice[0], twice[1]);
    const size_t at = strlen(w->text);
    if (less)
        snprintf(w->text + at, w->size - at, "%sk = %" PRIu64 " to %" PRIu64 " %s never used",
                 more ? "; " : "", never[0], never[1], never[0] == never[1] ? "is" : "are");
    return more || less;
}

/* ---- Scales ---- */

static bool say_scale_of(words *w, const factor *f, const lw_why_product *step, size_t first)
{
    const unsigned blocks = step->count[f->scale], ks = step->count[f->operand];
    const unsigned each = blocks ? ks / blocks : 0;
    for (unsigned b = 0; b < blocks; b++) {
        const lw_why_element *s = &step->element[f->scale][b];
        const lw_why_array *scales = &w->products->arrays[s->array];
        if (!each || !s->known || scales->dims != 2)
            continue;
        const uint64_t k = k_of(f, first + b * each), needed = k / each;
        if (s->row == f->needed && s->column == needed)
            continue;
        snprintf(w->text, w->size,
                 "wrong scale: k = %" PRIu64 " to %" PRIu64 " of %s %" PRIu64
                 " of %s are scaled by %s[%" PRIu64 ",%" PRIu64 "], the scale of %s; theirs is %s[%" PRIu64
                 ",%" PRIu64 "]",
                 k, k + each - 1, f == &w->left ? "row" : "column", f->needed, f->array->name, scales->name,
                 s->row, s->column, s->row == f->needed ? "a neighbouring block" : "another row",
                 scales->name, f->needed, needed);
        return true;
    }
    return false;
}

static bool say_scale(words *w)
{
    size_t at[2] = { 0, 0 };
    for (size_t s = 0; s < w->products->count; s++) {
        const lw_why_product *step = product_at(w, s);
        if (say_scale_of(w, &w->left, step, at[0]) || say_scale_of(w, &w->right, step, at[1]))
            return true;
        at[0] += step->count[w->left.operand];
        at[1] += step->count[w->right.operand];
    }
    return false;
}

/* ---- All ---- */

static void place_factors(words *w)
{
    const uint64_t m = w->target->rows, n = w->target->columns, i = w->target->row, j = w->target->column;
    if (fit(&w->left, m, i) + fit(&w->right, n, j) < fit(&w->left, n, j) + fit(&w->right, m, i)) {
        const factor swap = w->left;
        w->left = w->right;
        w->right = swap;
    }
    w->left.lines = m;
    w->left.needed = i;
    w->right.lines = n;
    w->right.needed = j;
}

static void say(words *w)
{
    find_way(&w->left);
    find_way(&w->right);
    place_factors(w);
    if (say_transposed(w, &w->left, &w->right) || say_transposed(w, &w->right, &w->left) ||
        say_scattered(w, &w->left, &w->right) || say_scattered(w, &w->right, &w->left) ||
        say_lane(w, &w->left, w->left.goes == WAY_ROW ? "row" : "column") ||
        say_lane(w, &w->right, w->right.goes == WAY_ROW ? "row" : "column") || say_k(w) || say_twice(w) ||
        say_scale(w))
        return;
    if (w->left.goes == WAY_NONE || w->right.goes == WAY_NONE)
        return;
    snprintf(
        w->text, w->size,
        "rows, columns, k and scales are those of a matrix product: the difference is in the data, in the "
        "arithmetic, or in what follows the product");
}

lw_status lw_why_explain(const lw_why_products *products, const lw_why_target *target, const double *expected,
                         char *text, size_t size)
{
    if (!products || !target || !text || !size)
        return LW_E_ARGUMENT;
    words w = { .products = products, .target = target, .expected = expected, .text = text, .size = size };
    text[0] = '\0';
    const bool left = collect(&w, LW_OPERAND_A, &w.left), right = collect(&w, LW_OPERAND_B, &w.right);
    if (left && right)
        say(&w);
    free(w.left.e);
    free(w.right.e);
    return w.no_memory ? LW_E_NO_MEMORY : LW_OK;
}

/* SPDX-License-Identifier: MIT */
/* How a result differs from a matrix product, in words: C[i,j] is the sum of A[i,k] * B[k,j], where either
 * array may be stored transposed, and either may be operand A of the instruction. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/mma.h>

#include "cli/why.h"

/* How an array's elements depend on k. */
typedef enum way {
    WAY_NONE, /* neither */
    WAY_ROW,  /* one row: k is the column */
    WAY_COLUMN,
} way;

/* One of the two factors: all its elements in the order of steps and k. */
typedef struct factor {
    lw_operand operand, scale;
    size_t arg;
    const lw_npy *array;
    why_element *e;
    size_t count;
    uint64_t rows, cols; /* of the array, in elements */
    way goes;
    uint64_t index;  /* the row, or the column, that was used */
    uint64_t needed; /* the one that the element needs */
    uint64_t lines;  /* number of rows or columns of C */
} factor;

typedef struct words {
    const why_job *job;
    factor left, right;
    char *text;
    size_t size;
} words;

/* ---- Factors ---- */

static bool collect(const why_job *job, lw_operand operand, factor *f)
{
    f->operand = operand;
    f->scale = operand == LW_OPERAND_A ? LW_OPERAND_SCALE_A : LW_OPERAND_SCALE_B;
    for (size_t s = 0; s < job->step_count; s++)
        f->count += job->steps[s].count[operand];
    f->e = cli_alloc((f->count + 1) * sizeof(*f->e));
    size_t at = 0;
    for (size_t s = 0; s < job->step_count; s++)
        for (unsigned k = 0; k < job->steps[s].count[operand]; k++)
            f->e[at++] = job->steps[s].element[operand][k];
    for (size_t i = 0; i < f->count; i++)
        if (!f->e[i].known || f->e[i].arg != f->e[0].arg)
            return false;
    if (!f->count)
        return false;
    f->arg = f->e[0].arg;
    f->array = &job->run.args[f->arg].array;
    if (f->array->dims != 2)
        return false;
    const unsigned bits = job->steps[0].bits[operand];
    f->rows = f->array->shape[0];
    f->cols = f->array->shape[1] * 8 * lw_dtype_size(f->array->dtype) / (bits ? bits : 1);
    return true;
}

static void find_way(factor *f)
{
    bool row = true, col = true;
    for (size_t i = 1; i < f->count; i++) {
        row = row && f->e[i].row == f->e[0].row;
        col = col && f->e[i].col == f->e[0].col;
    }
    f->goes = row ? WAY_ROW : col ? WAY_COLUMN : WAY_NONE;
    f->index = row ? f->e[0].row : f->e[0].col;
}

static uint64_t k_of(const factor *f, size_t i)
{
    return f->goes == WAY_ROW ? f->e[i].col : f->e[i].row;
}

/* How well a factor fits as the one with `lines` rows (of A) or columns (of B). */
static int fit(const factor *f, uint64_t lines, uint64_t needed)
{
    const bool has = f->rows == lines || f->cols == lines;
    return (has ? 1 : 0) + (f->goes != WAY_NONE && f->index == needed ? 2 : 0);
}

static void name_factor(const words *w, const factor *f, char *text, size_t size)
{
    why_arg_name(w->job, f->arg, text, size);
}

/* ---- Transposed ---- */

static bool is_contiguous(const factor *f, uint64_t step)
{
    for (size_t i = 1; i < f->count; i++)
        if (f->e[i].number - f->e[i - 1].number != step)
            return false;
    return true;
}

static double value_of(const words *w, lw_operand operand, const why_element *e)
{
    const lw_why_node *n = lw_why_node_at(w->job->why, w->job->steps[0].node);
    lw_operand_info info;
    char text[64];
    if (lw_insn_operand(lw_program_arch(w->job->run.program), n->insn, operand, n->mods, &info, NULL) !=
            LW_OK ||
        lw_mma_decode(info.format, e->code, text, sizeof(text)) != LW_OK)
        return 0;
    return strtod(text, NULL);
}

/* Element k of a line of a square array. */
static why_element element_at(const words *w, const factor *f, way goes, uint64_t line, uint64_t k)
{
    const uint64_t row = goes == WAY_ROW ? line : k, col = goes == WAY_ROW ? k : line;
    const size_t size = lw_dtype_size(f->array->dtype);
    why_element e = { .known = true, .arg = f->arg, .row = row, .col = col };
    (void)w;
    memcpy(&e.code, (const char *)f->array->data + (row * f->cols + col) * size, size);
    return e;
}

/* Whether the expected value results if the factor is transposed. Only if arrays hold plain elements, and
 * nothing is scaled. */
static bool expects_other(const words *w, const factor *turned, const factor *other)
{
    const arg_type *type = w->job->run.args[w->job->arg].type;
    const unsigned bits = w->job->steps[0].bits[turned->operand];
    double sum[2] = { 0, 0 };
    if (!type->significand || bits != 8 * lw_dtype_size(turned->array->dtype) ||
        w->job->steps[0].count[turned->scale] || w->job->steps[0].count[other->scale])
        return false;
    for (size_t i = 0; i < turned->count; i++) {
        const double factor_value = value_of(w, other->operand, &other->e[i]);
        for (int turn = 0; turn < 2; turn++) {
            const way goes = (turned->goes == WAY_ROW) != turn ? WAY_ROW : WAY_COLUMN;
            const why_element e = element_at(w, turned, goes, turned->needed, k_of(turned, i));
            sum[turn] += factor_value * value_of(w, turned->operand, &e);
        }
    }
    const double expected = compare_value(type, w->job->expected);
    const double as_is = sum[0] - expected, other_way = sum[1] - expected;
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
    char name[80], first[200];
    const bool by_rows = f->goes == WAY_NONE ? has_rows : f->goes == WAY_COLUMN;
    const uint64_t n = f->needed;
    name_factor(w, f, name, sizeof(name));
    const why_element *one = &f->e[f->count > 1];
    snprintf(first, sizeof(first), "%s[%" PRIu64 ",%" PRIu64 "]", name, one->row, one->col);
    if (by_rows)
        snprintf(w->text, w->size, "%s is read transposed: for k = 1, %s is used and not %s[%" PRIu64 ",1]",
                 name, first, name, n);
    else
        snprintf(w->text, w->size, "%s is read transposed: for k = 1, %s is used and not %s[1,%" PRIu64 "]",
                 name, first, name, n);
    return true;
}

/* ---- Rows, columns, k ---- */

static bool say_lane(words *w, const factor *f, const char *noun)
{
    char name[80];
    const lw_why_node *n = lw_why_node_at(w->job->why, w->job->steps[w->job->step_count - 1].node);
    if (f->goes == WAY_NONE || f->index == f->needed)
        return false;
    name_factor(w, f, name, sizeof(name));
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
    char left[200], right[200];
    if (l->count != r->count || l->goes == WAY_NONE || r->goes == WAY_NONE)
        return false;
    for (size_t i = l->count; i-- > 0;)
        if (k_of(l, i) != k_of(r, i)) {
            first = i;
            wrong++;
        }
    if (!wrong)
        return false;
    snprintf(left, sizeof(left), "k = %" PRIu64, k_of(l, first));
    snprintf(right, sizeof(right), "k = %" PRIu64, k_of(r, first));
    char names[2][80];
    name_factor(w, l, names[0], sizeof(names[0]));
    name_factor(w, r, names[1], sizeof(names[1]));
    snprintf(
        w->text, w->size,
        "wrong k order: %s of %s is multiplied by %s of %s, in product %zu; %zu of %zu products do not match",
        left, names[0], right, names[1], first + 1, wrong, l->count);
    return true;
}

/* The first run of k that is used `times` times. */
static bool find_run(const unsigned *used, uint64_t ks, bool twice, uint64_t *first, uint64_t *last)
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
    unsigned *used = cli_alloc((size_t)ks * sizeof(*used));
    for (size_t i = 0; i < l->count; i++)
        used[k_of(l, i)]++;
    const bool more = find_run(used, ks, true, &twice[0], &twice[1]);
    const bool less = find_run(used, ks, false, &never[0], &never[1]);
    free(used);
    if (more)
        snprintf(w->text, w->size, "a tile is used twice: k = %" PRIu64 " to %" PRIu64, twice[0], twice[1]);
    if (less)
        snprintf(w->text + strlen(w->text), w->size - strlen(w->text),
                 "%sk = %" PRIu64 " to %" PRIu64 " %s never used", more ? "; " : "", never[0], never[1],
                 never[0] == never[1] ? "is" : "are");
    return more || less;
}

/* ---- Scales ---- */

static bool say_scale_of(words *w, const factor *f, const why_step *step, size_t first)
{
    const unsigned blocks = step->count[f->scale], ks = step->count[f->operand];
    const unsigned each = blocks ? ks / blocks : 0;
    char name[80], scales[80];
    for (unsigned b = 0; b < blocks; b++) {
        const why_element *s = &step->element[f->scale][b];
        if (!each || !s->known || w->job->run.args[s->arg].array.dims != 2)
            continue;
        const uint64_t k = k_of(f, first + b * each), needed = k / each;
        if (s->row == f->needed && s->col == needed)
            continue;
        name_factor(w, f, name, sizeof(name));
        why_arg_name(w->job, s->arg, scales, sizeof(scales));
        snprintf(w->text, w->size,
                 "wrong scale: k = %" PRIu64 " to %" PRIu64 " of %s %" PRIu64
                 " of %s are scaled by %s[%" PRIu64 ",%" PRIu64 "], the scale of %s; theirs is %s[%" PRIu64
                 ",%" PRIu64 "]",
                 k, k + each - 1, f == &w->left ? "row" : "column", f->needed, name, scales, s->row, s->col,
                 s->row == f->needed ? "a neighbouring block" : "another row", scales, f->needed, needed);
        return true;
    }
    return false;
}

static bool say_scale(words *w)
{
    size_t at[2] = { 0, 0 };
    for (size_t s = 0; s < w->job->step_count; s++) {
        const why_step *step = &w->job->steps[s];
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
    const lw_npy *c = &w->job->run.args[w->job->arg].array;
    const uint64_t m = c->shape[0], n = c->shape[1], i = w->job->element / n, j = w->job->element % n;
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
        say_lane(w, &w->left, w->left.goes == WAY_ROW ? "row" : "column") ||
        say_lane(w, &w->right, w->right.goes == WAY_ROW ? "row" : "column") || say_k(w) || say_twice(w) ||
        say_scale(w))
        return;
    snprintf(
        w->text, w->size,
        "rows, columns, k and scales are those of a matrix product: the difference is in the data, in the "
        "arithmetic, or in what follows the product");
}

void why_words(const why_job *job, char *text, size_t size)
{
    words w = { .job = job, .text = text, .size = size };
    text[0] = '\0';
    if (!job->expect || job->got == job->expected || !job->step_count ||
        job->run.args[job->arg].array.dims != 2)
        return;
    const bool left = collect(job, LW_OPERAND_A, &w.left), right = collect(job, LW_OPERAND_B, &w.right);
    if (left && right)
        say(&w);
    free(w.left.e);
    free(w.right.e);
}

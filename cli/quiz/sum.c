/* SPDX-License-Identifier: MIT */
/* Questions about a few products: numbers a person can add, and what the instruction makes of them. */
#include "cli/quiz/sum.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

bool quiz_value(const char *format, uint64_t code, double *value)
{
    char text[64], *end;
    if (lw_mma_decode(format, code, text, sizeof(text)) != LW_OK || strchr(text, 'n'))
        return false; /* nan, inf */
    *value = strtod(text, &end);
    return *end == '\0';
}

/* Whether a code is a multiple of `step`, not zero, and at most `most` in size. */
static bool is_fit(const char *format, uint64_t code, double step, double most)
{
    double v;
    if (!quiz_value(format, code, &v) || v == 0 || v > most || v < -most)
        return false;
    const double steps = v / step;
    return steps == (double)(int64_t)steps;
}

/* Any code; of wide formats one with few significant bits and an exponent of 1/4 to 2^27, or a small whole
 * number. */
static uint64_t any_code(uint64_t *state, const char *format, unsigned bits)
{
    uint64_t c = quiz_random(state);
    if (bits >= 32 && format[0] != 'i' && format[0] != 's' && format[0] != 'u') {
        const unsigned fraction = bits == 64 ? 52 : 23;
        const uint64_t bias = bits == 64 ? 1023 : 127;
        c = (c & 1) << (bits - 1) | (bias - 2 + quiz_below(state, 30)) << fraction |
            (uint64_t)quiz_below(state, 4) << (fraction - 2);
    } else if (bits >= 32) {
        c = (uint64_t)((int64_t)quiz_below(state, 33) - 16);
    }
    return c & (bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1);
}

/* A code that fits. `thorough`: where guessing does not find one of a narrow format, from some code on
 * upwards. */
static bool pick_code(uint64_t *state, bool thorough, const char *format, unsigned bits, double step,
                      double most, uint64_t *code)
{
    for (int i = 0; i < 4000; i++) {
        *code = any_code(state, format, bits);
        if (is_fit(format, *code, step, most))
            return true;
    }
    if (!thorough || bits > 16)
        return false;
    const uint64_t count = UINT64_C(1) << bits, first = quiz_random(state);
    for (uint64_t i = 0; i < count; i++) {
        *code = (first + i) % count;
        if (is_fit(format, *code, step, most))
            return true;
    }
    return false;
}

static void put(void *matrix, size_t index, unsigned bytes, uint64_t code)
{
    memcpy((uint8_t *)matrix + index * bytes, &code, bytes);
}

typedef struct matrices {
    uint8_t *a, *b, *c, *d;
} matrices;

static void free_matrices(matrices *m)
{
    free(m->a);
    free(m->b);
    free(m->c);
    free(m->d);
}

static void fill_matrices(const quiz_sum *s, matrices *m)
{
    const lw_mma_shape *shape = &s->shape;
    const size_t sizes[] = { (size_t)shape->m * shape->k * shape->a_bytes,
                             (size_t)shape->k * shape->n * shape->b_bytes,
                             (size_t)shape->m * shape->n * shape->c_bytes,
                             (size_t)shape->m * shape->n * shape->d_bytes };
    uint8_t **const parts[] = { &m->a, &m->b, &m->c, &m->d };
    for (int i = 0; i < 4; i++) {
        *parts[i] = cli_alloc(sizes[i]);
        memset(*parts[i], 0, sizes[i]);
    }
    for (unsigned i = 0; i < s->count; i++) {
        put(m->a, (size_t)s->row * shape->k + s->k[i], shape->a_bytes, s->a[i]);
        put(m->b, (size_t)s->k[i] * shape->n + s->col, shape->b_bytes, s->b[i]);
    }
    put(m->c, (size_t)s->row * shape->n + s->col, shape->c_bytes, s->c);
}

/* Executes; *open gets the questions of the arithmetic that would change D, *touched its aspects. */
static lw_status execute(quiz_sum *s, const lw_mma *mma, const matrices *m, uint32_t *touched, uint32_t *open)
{
    lw_mma_matrices mat = { .a = m->a, .b = m->b, .c = m->c, .d = m->d };
    lw_status st = lw_mma_open_matrices(mma, &mat, open);
    if (st == LW_OK)
        st = lw_mma_execute_matrices(mma, &mat, touched);
    s->d = 0;
    memcpy(&s->d, m->d + ((size_t)s->row * s->shape.n + s->col) * s->shape.d_bytes, s->shape.d_bytes);
    return st;
}

lw_status quiz_compute(quiz_question *q, lw_mma_explain_fn explain, void *context)
{
    lw_mma *mma = NULL;
    matrices m = { NULL, NULL, NULL, NULL };
    uint32_t touched = 0, open = 0;
    lw_status st = lw_mma_create(q->arch, q->insn, NULL, &mma, NULL);
    if (st != LW_OK)
        return st;
    fill_matrices(&q->sum, &m);
    st = execute(&q->sum, mma, &m, &touched, &open);
    q->sum.evidence = lw_mma_weakest(mma, touched);
    if (st == LW_OK && open)
        st = LW_E_UNSUPPORTED;
    if (st == LW_OK && explain) {
        const lw_mma_matrices mat = { .a = m.a, .b = m.b, .c = m.c };
        st = lw_mma_explain_matrices(mma, &mat, 0, q->sum.row, q->sum.col, explain, context);
    }
    free_matrices(&m);
    lw_mma_free(mma);
    return st;
}

/* The sum in exact arithmetic: all values are multiples of 2^-8 below 2^40, so that doubles hold them. */
static bool add_exactly(const quiz_sum *s, double *sum)
{
    if (!quiz_value(s->shape.c_format, s->c, sum))
        return false;
    for (unsigned i = 0; i < s->count; i++) {
        double a, b;
        if (!quiz_value(s->shape.a_format, s->a[i], &a) || !quiz_value(s->shape.b_format, s->b[i], &b))
            return false;
        *sum += a * b;
    }
    return true;
}

/* Level 1: small whole numbers. Level 2: fractions and C. Level 3: sizes that differ so much that bits are
 * lost. */
static bool pick_numbers(uint64_t *state, unsigned level, bool thorough, quiz_sum *s)
{
    const lw_mma_shape *shape = &s->shape;
    const double step = level == 1 ? 1 : 0.25, most = level == 1 ? 4 : 8;
    s->row = quiz_below(state, shape->m);
    s->col = quiz_below(state, shape->n);
    s->count = level + 1;
    if (s->count > shape->k)
        s->count = shape->k;
    for (unsigned i = 0; i < s->count; i++) {
        bool taken = true;
        while (taken) {
            s->k[i] = quiz_below(state, shape->k);
            taken = false;
            for (unsigned j = 0; j < i; j++)
                taken |= s->k[j] == s->k[i];
        }
        if (!pick_code(state, thorough, shape->a_format, shape->a_bits, step, most, &s->a[i]) ||
            !pick_code(state, thorough, shape->b_format, shape->b_bits, step, most, &s->b[i]))
            return false;
    }
    return level == 1 ||
           pick_code(state, thorough, shape->c_format, shape->c_bits, step, level == 2 ? 16 : 0x1p27, &s->c);
}

static void write_sum(quiz_question *q)
{
    const quiz_sum *s = &q->sum;
    char value[64];
    size_t used = (size_t)snprintf(q->text, sizeof(q->text), "%s on %s, all elements zero but",
                                   q->info.mnemonic, lw_arch_get(q->arch)->name);
    for (unsigned i = 0; i < s->count; i++) {
        lw_mma_decode(s->shape.a_format, s->a[i], value, sizeof(value));
        used += (size_t)snprintf(q->text + used, sizeof(q->text) - used, " A[%u][%u] = %s,", s->row, s->k[i],
                                 value);
        lw_mma_decode(s->shape.b_format, s->b[i], value, sizeof(value));
        used += (size_t)snprintf(q->text + used, sizeof(q->text) - used, " B[%u][%u] = %s,", s->k[i], s->col,
                                 value);
    }
    lw_mma_decode(s->shape.c_format, s->c, value, sizeof(value));
    snprintf(q->text + used, sizeof(q->text) - used,
             " C[%u][%u] = %s (A: %s, B: %s, C and D: %s). Which bits are in D[%u][%u]?", s->row, s->col,
             value, s->shape.a_format, s->shape.b_format, s->shape.d_format, s->row, s->col);
    snprintf(q->form, sizeof(q->form), "bits such as 0x%0*x, or a value such as 2.5 or 0x1.4p1",
             s->shape.d_bits / 4, 0x40);
    lw_mma_decode(s->shape.d_format, s->d, value, sizeof(value));
    snprintf(q->answer, sizeof(q->answer), "0x%0*llx", s->shape.d_bits / 4, (unsigned long long)s->d);
    snprintf(q->command, sizeof(q->command),
             "lanewise eval %s --arch %s --a a.npy --b b.npy --c c.npy --explain %u,%u", q->info.mnemonic,
             lw_arch_get(q->arch)->name, s->row, s->col);
}

bool quiz_ask_sum(uint64_t *state, quiz_question *q)
{
    quiz_sum *s = &q->sum;
    lw_mma *mma = NULL;
    double exact, got;
    if (q->info.sparse || q->info.scaled || q->info.blocks > 1 ||
        lw_mma_create(q->arch, q->insn, NULL, &mma, NULL) != LW_OK)
        return false;
    const lw_status st = lw_mma_get_shape(mma, &s->shape);
    lw_mma_free(mma);
    if (st != LW_OK || strcmp(s->shape.c_format, s->shape.d_format) != 0 ||
        !pick_numbers(state, q->level, q->thorough, s) || quiz_compute(q, NULL, NULL) != LW_OK ||
        !add_exactly(s, &exact) || !quiz_value(s->shape.d_format, s->d, &got))
        return false;
    /* The instruction's rules matter at level 3 only, and must be known; zeros would raise the question of
     * their sign. */
    if (got == 0 || s->evidence == LW_LABEL_UNKNOWN || (got != exact) != (q->level == 3))
        return false;
    write_sum(q);
    return true;
}

/* SPDX-License-Identifier: MIT */
/* wgmma: A and C are in registers, B is in shared memory, where the kernel puts the words of its image. */
#include <stdlib.h>
#include <string.h>

#include "cli/gpu/subject.h"

enum { WARPGROUP = 128, ROWS = 8, ROW_BYTES = 16 };

/* Widths at both ends and between them. */
static const char *const widths[] = { "n8k", "n64k", "n256k" };

int warpgroup_each(lw_arch arch, subject_visit *visit, void *context)
{
    int exit = 0;
    for (size_t i = 0; i < lw_insn_count(arch) && !exit; i++) {
        char text[SUBJECT_NAME], other[2 * SUBJECT_NAME];
        size_t length;
        const lw_insn *insn = lw_insn_at(arch, i);
        if (lw_insn_print(arch, insn, NULL, text, sizeof(text), &length) != LW_OK || length >= sizeof(text) ||
            strncmp(text, "wgmma", 5) != 0 || !strstr(text, widths[0]))
            continue;
        text[strcspn(text, " ")] = '\0';
        const char *at = strstr(text, widths[0]);
        for (size_t n = 0; n < CLI_COUNT(widths) && !exit; n++) {
            snprintf(other, sizeof(other), "%.*s%s%s", (int)(at - text), text, widths[n],
                     at + strlen(widths[0]));
            exit = matrix_spellings(arch, other, visit, context);
        }
    }
    return exit;
}

/* Where B's elements are without a swizzle: eight columns of 16 bytes of k follow each other, then the next
 * 16 bytes of k, then the next eight columns. */
static void add_b(subject *s)
{
    cli_wave *w = &s->wave;
    lw_mma_shape shape;
    lw_mma_get_shape(s->mma, &shape);
    const unsigned bits = shape.b_bits, k_bytes = shape.k * bits / 8;
    const size_t count = (size_t)shape.n * shape.k;
    lw_layout_entry *entries = cli_alloc(count * sizeof(*entries));
    const lw_layout_info info = {
        .x_count = shape.k, .y_count = shape.n, .blocks = 1, .width = (uint8_t)bits
    };
    for (size_t i = 0; i < count; i++) {
        const unsigned k = (unsigned)(i / shape.n), n = (unsigned)(i % shape.n), k_byte = k * bits / 8;
        const unsigned byte = n / ROWS * (ROWS * k_bytes) + k_byte / ROW_BYTES * (ROWS * ROW_BYTES) +
                              n % ROWS * ROW_BYTES + k_byte % ROW_BYTES;
        const unsigned lsb = byte % 4 * 8 + k * bits % 8, word = byte / 4;
        entries[i] = (lw_layout_entry){ .lane = (uint16_t)(word % WARPGROUP),
                                        .reg = (uint16_t)(word / WARPGROUP),
                                        .lsb = (uint8_t)lsb,
                                        .msb = (uint8_t)(lsb + bits - 1),
                                        .x = (uint16_t)k,
                                        .y = (uint16_t)n };
    }
    const unsigned words = shape.n * k_bytes / 4;
    wave_add_elements(w, LW_OPERAND_B, &info, (words + WARPGROUP - 1) / WARPGROUP, entries, count);
}

bool warpgroup_open(subject *s, lw_error *error)
{
    cli_wave *w = &s->wave;
    if (wave_open(s->arch, s->name, 0, w, error) != LW_OK)
        return false;
    const lw_mma_options options = { .struct_size = sizeof(options), .mods = &w->mods, .wave = w->lanes };
    if (lw_mma_create(w->arch, w->insn, &options, &s->mma, error) != LW_OK)
        return false;
    if (w->lanes != WARPGROUP || !w->operand[LW_OPERAND_A].image || w->operand[LW_OPERAND_B].image)
        return subject_fail(error, "it is not a wgmma");
    add_b(s);
    s->lanes = w->lanes;
    s->out_words = wave_words(w, LW_OPERAND_D);
    for (size_t i = 0; i < MATRIX_SOURCES; i++)
        s->in_words += wave_words(w, matrix_source(w, i));
    return code_ptx_warpgroup(s, error);
}

/* ---- Plain matrices ---- */

typedef struct plain {
    lw_mma_shape shape;
    uint8_t *a, *b, *c, *d, *index;
} plain;

/* Elements of an operand as lw_mma_matrices has them. */
static uint8_t *take(const cli_wave *w, lw_operand o, unsigned bytes)
{
    const lw_layout_info *shape = &w->operand[o].shape;
    uint8_t *to = cli_alloc((size_t)shape->x_count * shape->y_count * bytes);
    for (unsigned x = 0; x < shape->x_count; x++)
        for (unsigned y = 0; y < shape->y_count; y++) {
            uint64_t code = 0;
            wave_get(w, o, x, y, &code);
            for (unsigned i = 0; i < bytes; i++)
                to[((size_t)x * shape->y_count + y) * bytes + i] = (uint8_t)(code >> 8 * i);
        }
    return to;
}

static void open_plain(subject *s, const uint32_t *in, plain *p)
{
    cli_wave *w = &s->wave;
    for (size_t i = 0; i < MATRIX_SOURCES; i++) {
        const lw_operand o = matrix_source(w, i);
        if (wave_words(w, o))
            memcpy(w->operand[o].image, in, wave_words(w, o) * sizeof(*in));
        in += wave_words(w, o);
    }
    lw_mma_get_shape(s->mma, &p->shape);
    p->a = take(w, LW_OPERAND_A, p->shape.a_bytes);
    p->b = take(w, LW_OPERAND_B, p->shape.b_bytes);
    p->c = take(w, LW_OPERAND_C, p->shape.c_bytes);
    p->index = p->shape.groups ? take(w, LW_OPERAND_INDEX, 1) : NULL;
    p->d = cli_alloc((size_t)p->shape.m * p->shape.n * p->shape.d_bytes);
}

static void close_plain(plain *p)
{
    free(p->a);
    free(p->b);
    free(p->c);
    free(p->d);
    free(p->index);
}

static lw_mma_matrices matrices_of(const plain *p)
{
    return (lw_mma_matrices){ .a = p->a, .b = p->b, .c = p->c, .d = p->d, .index = p->index };
}

static void put_d(subject *s, const plain *p, uint32_t *out)
{
    cli_wave *w = &s->wave;
    for (unsigned x = 0; x < p->shape.m; x++)
        for (unsigned y = 0; y < p->shape.n; y++) {
            uint64_t code = 0;
            memcpy(&code, p->d + ((size_t)x * p->shape.n + y) * p->shape.d_bytes, p->shape.d_bytes);
            wave_put(w, LW_OPERAND_D, x, y, code);
        }
    memcpy(out, w->operand[LW_OPERAND_D].image, s->out_words * sizeof(*out));
}

bool warpgroup_expect(subject *s, const uint32_t *in, size_t cases, uint32_t *out, lw_error *error)
{
    bool fine = true;
    for (size_t n = 0; n < cases && fine; n++) {
        plain p;
        open_plain(s, in + n * s->in_words, &p);
        const lw_mma_matrices m = matrices_of(&p);
        fine = lw_mma_execute_matrices(s->mma, &m, NULL) == LW_OK;
        if (fine)
            put_d(s, &p, out + n * s->out_words);
        else if (lw_mma_check_matrices(s->mma, &m, error) == LW_OK)
            subject_fail(error, "it cannot be computed");
        close_plain(&p);
    }
    return fine;
}

void warpgroup_explain(subject *s, const uint32_t *in, const uint32_t *got, const uint32_t *want, size_t word,
                       FILE *out)
{
    plain p;
    const lw_layout_entry *e = matrix_entry(&s->wave, got, want, word);
    if (!e)
        return;
    open_plain(s, in, &p);
    const lw_mma_matrices m = matrices_of(&p);
    matrix_tell(s, e, got, want, out);
    fputs(", because\n", out);
    if (lw_mma_explain_matrices(s->mma, &m, e->block, e->x, e->y, matrix_print_step, out) != LW_OK)
        fputs("      no explanation\n", out);
    close_plain(&p);
}

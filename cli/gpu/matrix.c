/* SPDX-License-Identifier: MIT */
/* Matrix instructions as subjects: every spelling and every set of modifiers that is defined; the probes. */
#include <stdlib.h>
#include <string.h>

#include "cli/gpu/subject.h"
#include "cli/gpu/values.h"

/* Parts of PTX spellings that stand for one another; "" leaves the part out. */
static const char *const alternatives[][5] = {
    { "e4m3", "e5m2", "e3m2", "e2m3", "e2m1" },
    { "s8", "u8" },
    { "s4", "u4" },
    { "xor", "and" },
    { "row", "col" },
};

/* Modifiers of AMD's instructions; each is tried on each instruction, and so are pairs of formats. */
static const char *const modifiers[] = {
    "",
    "cbsz:1 abid:1",
    "cbsz:2 abid:3",
    "blgp:1",
    "blgp:4",
    "neg:[1,0,0]",
    "neg:[0,0,1]",
    "neg_lo:[1,0,0]",
    "neg_lo:[1,1,0]",
    "neg_lo:[0,0,1]",
    "neg_hi:[0,0,1]",
    "neg_lo:[0,1,1] neg_hi:[1,0,0]",
    "neg_lo:[1,1,0] clamp",
    "clamp",
    "op_sel:[0,0,1]",
    "index_key:1",
    "abid:1",
    "op_sel:[1,0,0] op_sel_hi:[0,1,0]",
};

enum { FORMATS = 5 };

lw_operand matrix_source(const cli_wave *wave, size_t index)
{
    static const lw_operand order[MATRIX_SOURCES] = {
        LW_OPERAND_A, LW_OPERAND_B, LW_OPERAND_C, LW_OPERAND_INDEX, LW_OPERAND_SCALE_A, LW_OPERAND_SCALE_B
    };
    return order[index] == LW_OPERAND_C ? wave_c(wave) : order[index];
}

/* ---- Names ---- */

/* All ways to replace a part of `text` from `at` on; calls `visit` with those that the target has. */
static int visit_spellings(lw_arch arch, const char *text, size_t at, subject_visit *visit, void *context)
{
    const size_t length = strcspn(text + at, ".");
    const lw_insn *insn;
    lw_mods mods;
    if (!text[at])
        return lw_insn_parse(arch, text, &insn, &mods, NULL) == LW_OK ? visit(context, text) : 0;
    const size_t next = at + length + (text[at + length] == '.');
    for (size_t row = 0; row < CLI_COUNT(alternatives); row++) {
        bool member = false;
        for (size_t i = 0; i < CLI_COUNT(alternatives[row]) && alternatives[row][i]; i++)
            member |=
                strlen(alternatives[row][i]) == length && !strncmp(alternatives[row][i], text + at, length);
        for (size_t i = 0; member && i < CLI_COUNT(alternatives[row]) && alternatives[row][i]; i++) {
            char other[SUBJECT_NAME];
            const char *word = alternatives[row][i];
            snprintf(other, sizeof(other), "%.*s%s%s", (int)at, text, word, text + at + length);
            const int exit =
                visit_spellings(arch, other, at + strlen(word) + (next > at + length), visit, context);
            if (exit)
                return exit;
        }
        if (member)
            return 0;
    }
    return visit_spellings(arch, text, next, visit, context);
}

/* The same with .satfinite before the first type of a matrix product. */
static int visit_saturating(lw_arch arch, const char *text, subject_visit *visit, void *context)
{
    const char *type = strstr(text, ".s32.");
    char other[2 * SUBJECT_NAME];
    if (!type || strstr(text, "satfinite"))
        return 0;
    if (strncmp(text, "wmma", 4) == 0)
        snprintf(other, sizeof(other), "%s.satfinite", text);
    else
        snprintf(other, sizeof(other), "%.*s.satfinite%s", (int)(type - text), text, type);
    return visit_spellings(arch, other, 0, visit, context);
}

int matrix_spellings(lw_arch arch, const char *text, subject_visit *visit, void *context)
{
    const int exit = visit_spellings(arch, text, 0, visit, context);
    return exit ? exit : visit_saturating(arch, text, visit, context);
}

static int visit_ptx(lw_arch arch, const lw_insn *insn, subject_visit *visit, void *context)
{
    char text[SUBJECT_NAME];
    size_t length;
    if (lw_insn_print(arch, insn, NULL, text, sizeof(text), &length) != LW_OK || length >= sizeof(text))
        return 0;
    text[strcspn(text, " ")] = '\0';
    return matrix_spellings(arch, text, visit, context);
}

static int visit_modified(lw_arch arch, const char *mnemonic, const char *text, unsigned wave,
                          subject_visit *visit, void *context)
{
    char name[SUBJECT_NAME];
    const lw_insn *insn;
    lw_mods mods;
    snprintf(name, sizeof(name), "%s%s%s%s", mnemonic, *text ? " " : "", text, wave == 64 ? " wave:64" : "");
    return lw_insn_parse(arch, name, &insn, &mods, NULL) == LW_OK ? visit(context, name) : 0;
}

static int visit_amd(lw_arch arch, const lw_insn_info *info, unsigned wave, subject_visit *visit,
                     void *context)
{
    int exit = 0;
    for (size_t i = 0; i < CLI_COUNT(modifiers) && !exit; i++)
        exit = visit_modified(arch, info->mnemonic, modifiers[i], wave, visit, context);
    const bool by_cbsz = strncmp(info->operand[LW_OPERAND_A].format, "by ", 3) == 0;
    for (unsigned i = 1; by_cbsz && i < FORMATS * FORMATS && !exit; i++) {
        char text[64];
        snprintf(text, sizeof(text), "cbsz:%u blgp:%u", i / FORMATS, i % FORMATS);
        exit = visit_modified(arch, info->mnemonic, text, wave, visit, context);
    }
    return exit;
}

int matrix_each(lw_arch arch, subject_visit *visit, void *context)
{
    const bool nvidia = strcmp(lw_arch_get(arch)->vendor, "NVIDIA") == 0;
    const bool rdna = strncmp(lw_arch_get(arch)->name, "gfx1", 4) == 0;
    int exit = 0;
    for (size_t i = 0; i < lw_insn_count(arch) && !exit; i++) {
        lw_insn_info info;
        const lw_insn *insn = lw_insn_at(arch, i);
        if (lw_insn_get_info(arch, insn, &info) != LW_OK)
            continue;
        if (info.moves || strncmp(info.mnemonic, "wgmma", 5) == 0)
            continue;
        if (nvidia)
            exit = visit_ptx(arch, insn, visit, context);
        else
            exit = visit_amd(arch, &info, 0, visit, context);
        if (rdna && (info.wave_sizes & 2) && !exit)
            exit = visit_amd(arch, &info, 64, visit, context);
    }
    return exit;
}

/* ---- Subjects ---- */

bool matrix_open_code(subject *s, const char *kernel, lw_error *error)
{
    const cli_wave *w = &s->wave;
    const bool nvidia = strcmp(lw_arch_get(s->arch)->vendor, "NVIDIA") == 0;
    s->lanes = w->lanes;
    s->out_words = wave_words(w, LW_OPERAND_D);
    s->in_words = 0;
    for (size_t i = 0; i < MATRIX_SOURCES; i++)
        s->in_words += wave_words(w, matrix_source(w, i));
    if (!s->out_words || !wave_words(w, LW_OPERAND_A) || !wave_words(w, LW_OPERAND_B))
        return subject_fail(error, "its operands are not all in registers");
    const lw_mma_options options = { .struct_size = sizeof(options), .mods = &w->mods, .wave = w->lanes };
    if (lw_mma_create(w->arch, w->insn, &options, &s->mma, error) != LW_OK)
        return false;
    return nvidia ? code_ptx_matrix(s, kernel, error) : code_amd_matrix(s, error);
}

/* tcgen05. */
static bool in_memory(const subject *s)
{
    const lw_insn *insn;
    lw_mods mods;
    lw_insn_info info;
    return lw_insn_parse(s->arch, s->name, &insn, &mods, NULL) == LW_OK &&
           lw_insn_get_info(s->arch, insn, &info) == LW_OK && info.operand[LW_OPERAND_B].present &&
           !info.moves && !info.operand[LW_OPERAND_B].registers;
}

bool matrix_open(subject *s, lw_error *error)
{
    if (in_memory(s))
        return subject_fail(error, "its operands are in tensor memory, and no kernel is written for it");
    if (wave_open(s->arch, s->name, 0, &s->wave, error) != LW_OK)
        return false;
    return matrix_open_code(s, s->name, error);
}

void matrix_store_images(const cli_wave *w, uint32_t *in)
{
    for (size_t i = 0; i < MATRIX_SOURCES; i++) {
        const lw_operand o = matrix_source(w, i);
        const size_t words = wave_words(w, o);
        if (words)
            memcpy(in, w->operand[o].image, words * sizeof(*in));
        in += words;
    }
}

static lw_mma_registers registers_of(const cli_wave *w, const uint32_t *in, uint32_t *d)
{
    const uint32_t *at[LW_OPERAND_COUNT] = { NULL };
    for (size_t i = 0; i < MATRIX_SOURCES; i++) {
        const lw_operand o = matrix_source(w, i);
        at[o] = wave_words(w, o) ? in : NULL;
        in += wave_words(w, o);
    }
    return (lw_mma_registers){ .a = at[LW_OPERAND_A],
                               .b = at[LW_OPERAND_B],
                               .c = at[wave_c(w)],
                               .d = d,
                               .index = at[LW_OPERAND_INDEX],
                               .scale_a = at[LW_OPERAND_SCALE_A],
                               .scale_b = at[LW_OPERAND_SCALE_B] };
}

void matrix_fill(subject *s, uint64_t seed, uint64_t number, uint32_t *in)
{
    values_fill_wave(&s->wave, seed, s->name, number);
    matrix_store_images(&s->wave, in);
}

/* Bits of D's registers that are no element's are zero before, as in the kernels; where C is read from D, D
 * begins as C. */
bool matrix_expect(subject *s, const uint32_t *in, size_t cases, uint32_t *out, lw_error *error)
{
    for (size_t n = 0; n < cases; n++, in += s->in_words, out += s->out_words) {
        lw_mma_registers r = registers_of(&s->wave, in, out);
        memset(out, 0, s->out_words * sizeof(*out));
        if (wave_c(&s->wave) == LW_OPERAND_D)
            memcpy(out, r.c, s->out_words * sizeof(*out));
        if (lw_mma_execute_registers(s->mma, &r, NULL) == LW_OK)
            continue;
        if (lw_mma_check_registers(s->mma, &r, error) == LW_OK)
            subject_fail(error, "it cannot be computed");
        return false;
    }
    return true;
}

lw_status matrix_print_step(void *context, const lw_mma_explain_row *row)
{
    fprintf(context, "    %s%s\n", row->kind == LW_MMA_EXPLAIN_RESULT ? "" : "  ", row->text);
    return LW_OK;
}

const lw_layout_entry *matrix_entry(const cli_wave *w, const uint32_t *got, const uint32_t *want, size_t word)
{
    const wave_operand *d = &w->operand[LW_OPERAND_D];
    for (size_t i = 0; i < d->entry_count; i++) {
        const lw_layout_entry *e = &d->entries[i];
        const size_t first = (size_t)e->reg * w->lanes + e->lane;
        const bool wide = e->msb >= 32;
        const unsigned width = e->msb + 1u - e->lsb;
        const uint32_t mask = (width >= 32 ? UINT32_MAX : (UINT32_C(1) << width) - 1) << e->lsb;
        if ((first == word && ((got[word] ^ want[word]) & mask)) || (wide && first + w->lanes == word))
            return e;
    }
    return NULL;
}

static void print_number(const subject *s, const lw_layout_entry *e, const uint32_t *image, FILE *out)
{
    const cli_wave *w = &s->wave;
    const size_t at = (size_t)e->reg * w->lanes + e->lane;
    const unsigned width = e->msb + 1u - e->lsb;
    uint64_t code = image[at] >> e->lsb;
    char text[64];
    lw_mma_shape shape;
    if (e->msb >= 32)
        code |= (uint64_t)image[at + w->lanes] << 32;
    if (width < 64)
        code &= (UINT64_C(1) << width) - 1;
    fprintf(out, "%0*llx", (int)(width + 3) / 4, (unsigned long long)code);
    if (lw_mma_get_shape(s->mma, &shape) == LW_OK &&
        lw_mma_decode(shape.d_format, code, text, sizeof(text)) == LW_OK)
        fprintf(out, " (%s)", text);
}

void matrix_tell(const subject *s, const lw_layout_entry *e, const uint32_t *got, const uint32_t *want,
                 FILE *out)
{
    fprintf(out, "    D[%u,%u] of block %u (register %u, lane %u): ", e->x, e->y, e->block, e->reg, e->lane);
    print_number(s, e, got, out);
    fputs(" there, ", out);
    print_number(s, e, want, out);
    fputs(" here", out);
}

void matrix_explain(subject *s, const uint32_t *in, const uint32_t *got, const uint32_t *want, size_t word,
                    FILE *out)
{
    const lw_layout_entry *e = matrix_entry(&s->wave, got, want, word);
    if (!e) {
        fprintf(out, "    bits that no element of D has, register %zu of lane %zu: %08x there, %08x here\n",
                word / s->lanes, word % s->lanes, got[word], want[word]);
        return;
    }
    matrix_tell(s, e, got, want, out);
    fputs(", because\n", out);
    const lw_mma_registers r = registers_of(&s->wave, in, NULL);
    if (lw_mma_explain_registers(s->mma, &r, e->block, e->x, e->y, matrix_print_step, out) != LW_OK)
        fputs("      no explanation\n", out);
}

/* SPDX-License-Identifier: MIT */
#include "isa_tables/ptx/wgmma.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa_tables/error.h"
#include "isa_tables/ptx/row_macros.h"
#include "isa_tables/ptx/spelling/grammar.h"

#define WGMMA(name_, form_, k_, data_, d_, family_, dot_, ...)                                               \
    PTX_ROW(name_, form_, 16, 8, k_, 1, PTX_ELEM_##data_, PTX_ELEM_##data_, LW_ELEM_##d_, LW_ELEM_##d_,      \
            family_, dot_, SM_(90), .data = LW_PTX_##data_, .layouts = LW_PTX_ROW_COL, .part = true,         \
            .isa = __VA_ARGS__)
static const lw_insn parts[] = {
#include "isa_tables/ptx/wgmma.inc"
};
#undef WGMMA

enum { PARTS = sizeof(parts) / sizeof(parts[0]), MOST_N = 256, WORD = 48 };

const lw_insn *lw_wgmma_part(const char *name)
{
    for (size_t i = 0; i < PARTS; i++)
        if (strcmp(parts[i].mnemonic, name) == 0)
            return &parts[i];
    return NULL;
}

typedef struct words {
    unsigned sync, aligned, sp, shapes, types, satfinite, op, popc;
    unsigned m, n, k;
    uint8_t type[3]; /* lw_elem: of D, A, B */
} words;

static lw_elem type_of(const char *word)
{
    for (size_t i = 0; i < lw_ptx_word_count; i++)
        if (lw_ptx_words[i].slot == SLOT_TYPE && strcmp(lw_ptx_words[i].text, word) == 0)
            return (lw_elem)lw_ptx_words[i].value;
    return LW_ELEM_NONE;
}

static bool read_shape(const char *word, words *w)
{
    char *end;
    if (strncmp(word, "m64n", 4) != 0)
        return false;
    w->m = 64;
    w->n = (unsigned)strtoul(word + 4, &end, 10);
    if (*end != 'k' || end == word + 4)
        return false;
    const char *k = end + 1;
    w->k = (unsigned)strtoul(k, &end, 10);
    return !*end && end != k;
}

static bool read_word(const char *word, words *w)
{
    const lw_elem type = type_of(word);
    if (type && w->types < 3) {
        w->type[w->types++] = (uint8_t)type;
        return true;
    }
    return strcmp(word, "sync") == 0        ? w->sync++ == 0
           : strcmp(word, "aligned") == 0   ? w->aligned++ == 0
           : strcmp(word, "sp") == 0        ? w->sp++ == 0
           : strcmp(word, "satfinite") == 0 ? w->satfinite++ == 0
           : strcmp(word, "and") == 0       ? w->op++ == 0
           : strcmp(word, "popc") == 0      ? w->popc++ == 0
           : read_shape(word, w)            ? w->shapes++ == 0
                                            : false;
}

static bool is_type(const lw_ptx_row *row, uint8_t type)
{
    for (const uint8_t *t = lw_ptx_class_types((lw_ptx_class)row->data); *t; t++)
        if (*t == type)
            return true;
    return false;
}

/* Columns of integers and bits: multiples of 16 from 32 on (ptxas 13.0; the manual's list ends at 224). */
static bool is_width(const lw_insn *part, unsigned n)
{
    const unsigned step = part->d == LW_ELEM_S32 && n > 32 ? 16 : 8;
    return n >= 8 && n <= MOST_N && n % step == 0;
}

static bool is_meant(const lw_insn *part, const words *w)
{
    const lw_ptx_row *row = part->ptx;
    return part->k == w->k && part->d == w->type[0] && is_type(row, w->type[1]) && is_type(row, w->type[2]) &&
           (row->form == LW_PTX_MMA_SP) == (w->sp != 0) && w->satfinite <= (unsigned)row->satfinite &&
           w->op == (unsigned)row->binary && w->popc == w->op && is_width(part, w->n);
}

lw_status lw_wgmma_read(const char *text, lw_wgmma *out, lw_error *error)
{
    static const char verb[] = "wgmma.mma_async";
    words w = { 0 };
    const char *at = text + strlen(verb);
    if (strncmp(text, verb, strlen(verb)) != 0 || (*at && *at != '.'))
        return lw_error_fail(error, LW_E_NOT_FOUND, "%.100s is not a wgmma.mma_async instruction", text);
    while (*at == '.') {
        char word[WORD];
        const size_t length = strcspn(at + 1, ".");
        snprintf(word, sizeof(word), "%.*s", (int)(length < WORD ? length : WORD - 1), at + 1);
        if (length >= WORD || !read_word(word, &w))
            return lw_error_fail(error, LW_E_UNSUPPORTED,
                                 "%.160s: .%s appears twice or does not belong there", text, word);
        at += 1 + length;
    }
    for (size_t i = 0; i < PARTS && w.sync && w.aligned && w.types == 3; i++) {
        if (!is_meant(&parts[i], &w))
            continue;
        *out = (lw_wgmma){ .part = &parts[i], .n = (uint16_t)w.n };
        if (parts[i].a == LW_ELEM_BY_TYPE) {
            out->mods.ptx.a_type = w.type[1];
            out->mods.ptx.b_type = w.type[2];
        }
        out->mods.ptx.satfinite = (uint8_t)w.satfinite;
        out->mods.ptx.op = (uint8_t)w.op;
        return LW_OK;
    }
    return lw_error_fail(error, LW_E_UNSUPPORTED, "%.160s: no wgmma of sm_90a has this shape and these types",
                         text);
}

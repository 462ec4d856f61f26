/* SPDX-License-Identifier: MIT */
/* Reading a spelling of PTX by the grammar. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa_tables/error.h"
#include "isa_tables/ptx/descriptor.h"
#include "isa_tables/ptx/spelling/grammar.h"
#include "isa_tables/ptx/spelling/request.h"

const char *const lw_ptx_round_names[4] = { "rn", "rz", "rm", "rp" };
const char *const lw_ptx_space_names[4] = { "", "global", "shared", "shared::cta" };

void lw_ptx_shape_text(unsigned m, unsigned n, unsigned k, char text[LW_PTX_SHAPE_MAX])
{
    if (k)
        snprintf(text, LW_PTX_SHAPE_MAX, "m%un%uk%u", m, n, k);
    else
        snprintf(text, LW_PTX_SHAPE_MAX, "m%un%u", m, n);
}

typedef struct span {
    const char *at;
    size_t length;
} span;

static span next_word(const char **text)
{
    const span word = { *text, strcspn(*text, ".") };
    *text += word.length;
    *text += **text == '.';
    return word;
}

/* "m16": the letter and a number of one to three digits. Moves past them. */
static bool read_extent(span *s, char letter, uint16_t *value)
{
    size_t i = 1;
    unsigned v = 0;
    if (s->length < 2 || s->at[0] != letter)
        return false;
    for (; i < s->length && i < 4 && s->at[i] >= '0' && s->at[i] <= '9'; i++)
        v = v * 10 + (unsigned)(s->at[i] - '0');
    *value = (uint16_t)v;
    s->at += i;
    s->length -= i;
    return i > 1 && v > 0;
}

static bool read_shape(span word, lw_ptx_request *request)
{
    lw_ptx_request r = { 0 };
    if (!read_extent(&word, 'm', &r.m) || !read_extent(&word, 'n', &r.n))
        return false;
    if (word.length && (!read_extent(&word, 'k', &r.k) || word.length))
        return false;
    request->m = r.m;
    request->n = r.n;
    request->k = r.k;
    return true;
}

static lw_ptx_slot classify(span word, lw_ptx_request *shape, uint8_t *value)
{
    for (size_t i = 0; i < lw_ptx_word_count; i++)
        if (strlen(lw_ptx_words[i].text) == word.length &&
            memcmp(lw_ptx_words[i].text, word.at, word.length) == 0) {
            *value = lw_ptx_words[i].value;
            return (lw_ptx_slot)lw_ptx_words[i].slot;
        }
    return read_shape(word, shape) ? SLOT_SHAPE : SLOT_UNKNOWN;
}

typedef struct reading {
    uint8_t types[4];
    unsigned type_count, layout_count;
    uint8_t block; /* .block16, .block32 */
    bool packed, popc;
} reading;

static void take(lw_ptx_request *r, reading *seen, lw_ptx_slot what, uint8_t value)
{
    switch (what) {
    case SLOT_SPARSE:
        r->form++; /* the sparse form follows the dense one */
        r->mods.ordered = value;
        break;
    case SLOT_FRAGMENT:
        r->fragment = value;
        break;
    case SLOT_LAYOUT:
        if (seen->layout_count++ == 0)
            r->mods.a_col = value;
        else
            r->mods.b_row = !value;
        break;
    case SLOT_SATFINITE:
        r->mods.satfinite = value;
        break;
    case SLOT_ROUND:
        r->mods.round = value;
        r->round = (uint8_t)(1 + value);
        break;
    case SLOT_KIND:
        r->mods.kind = value;
        break;
    case SLOT_BLOCK_SCALE:
        r->block_scale = true;
        break;
    case SLOT_SCALE_VEC:
        r->mods.scale_vec = value;
        break;
    case SLOT_BLOCK:
        seen->block = value;
        break;
    case SLOT_TYPE:
        seen->types[seen->type_count++] = value;
        break;
    case SLOT_SCALE_TYPE:
        r->scale = value;
        break;
    case SLOT_OP:
        r->op = value;
        r->mods.op = value == 2;
        break;
    case SLOT_POPC:
        seen->popc = true;
        break;
    case SLOT_COUNT:
        r->mods.count = value;
        break;
    case SLOT_TRANS:
        r->mods.trans = value;
        break;
    case SLOT_SPACE:
        r->mods.space = value;
        break;
    case SLOT_PACKED:
        seen->packed = true;
        break;
    default:
        break;
    }
}

/* wgmma and tcgen05 */
static bool has_c_in_d(unsigned form)
{
    return form >= LW_PTX_WGMMA && form <= LW_PTX_TCGEN05_MMA_SP;
}

/* The types in order: one for a move, D C for the f16 form of wmma, D A B where C is D, else D A B C. */
static bool assign_types(lw_ptx_request *r, const reading *seen)
{
    if (seen->type_count == 1) {
        r->a = r->b = r->c = r->d = seen->types[0];
        return true;
    }
    r->d = seen->types[0];
    r->c = has_c_in_d(r->form) ? r->d : seen->types[seen->type_count - 1];
    if (seen->type_count == 2)
        r->a = r->b = LW_ELEM_F16;
    if (seen->type_count > 2) {
        r->a = seen->types[1];
        r->b = seen->types[2];
    }
    return seen->type_count != 3 || has_c_in_d(r->form);
}

static bool is_moved(uint8_t elem)
{
    return elem == LW_ELEM_B16 || elem == LW_ELEM_B8 || elem == LW_ELEM_B6X16 || elem == LW_ELEM_B4X16;
}

static void append_words(lw_error *error, const lw_ptx_grammar *g, lw_ptx_slot what)
{
    const bool moves =
        g->form == LW_PTX_LDMATRIX || g->form == LW_PTX_STMATRIX || g->form == LW_PTX_MOVMATRIX;
    const char *gap = "";
    if (what == SLOT_SHAPE)
        lw_error_append(error, "a shape such as .%s",
                        moves                 ? "m8n8"
                        : has_c_in_d(g->form) ? "m64n128k16"
                                              : "m16n8k16");
    for (size_t i = 0; i < lw_ptx_word_count; i++) {
        if (lw_ptx_words[i].slot != what || (what == SLOT_TYPE && is_moved(lw_ptx_words[i].value) != moves))
            continue;
        lw_error_append(error, "%s.%s", gap, lw_ptx_words[i].text);
        gap = " or ";
    }
}

static lw_status append_order(const lw_ptx_grammar *g, lw_error *error)
{
    lw_error_append(error, "; the parts are %s, in any order but that of types and of layouts", g->order);
    return LW_E_FORMAT;
}

/* Do the words differ in one character: wrong, missing, additional, or exchanged with the next? */
static bool is_near(span a, span b)
{
    while (a.length && b.length && *a.at == *b.at) {
        a = (span){ a.at + 1, a.length - 1 };
        b = (span){ b.at + 1, b.length - 1 };
    }
    while (a.length && b.length && a.at[a.length - 1] == b.at[b.length - 1]) {
        a.length--;
        b.length--;
    }
    if (a.length == 2 && b.length == 2)
        return a.at[0] == b.at[1] && a.at[1] == b.at[0];
    return a.length <= 1 && b.length <= 1;
}

bool lw_ptx_is_near(const char *a, const char *b)
{
    return is_near((span){ a, strlen(a) }, (span){ b, strlen(b) });
}

/* Adds the words and shapes that are near a misspelt one. */
static void append_near(span word, lw_error *error)
{
    const char *gap = "; near it: ";
    char shape[LW_PTX_SHAPE_MAX], last[LW_PTX_SHAPE_MAX] = "";
    for (size_t i = 0; i < lw_ptx_word_count; i++)
        if (is_near(word, (span){ lw_ptx_words[i].text, strlen(lw_ptx_words[i].text) })) {
            lw_error_append(error, "%s.%s", gap, lw_ptx_words[i].text);
            gap = ", ";
        }
    for (size_t i = 0; i < lw_insn_row_count; i++) {
        if (!lw_insn_rows[i].ptx)
            continue;
        lw_ptx_shape_text(lw_insn_rows[i].m, lw_insn_rows[i].n, lw_insn_rows[i].k, shape);
        if (strcmp(shape, last) == 0 || !is_near(word, (span){ shape, strlen(shape) }))
            continue;
        lw_error_append(error, "%s.%s", gap, shape);
        gap = ", ";
        memcpy(last, shape, sizeof(last));
    }
}

static unsigned count_places(const lw_ptx_grammar *g, lw_ptx_slot what, bool must)
{
    unsigned n = 0;
    for (const lw_ptx_place *at = g->places; at->slot != SLOT_END; at++)
        n += at->slot == what && !(must && at->optional);
    return n;
}

/* What is wrong with a word of the spelling; LW_OK if nothing is. */
static lw_status check_word(const char *text, const lw_ptx_grammar *g, span word, lw_ptx_slot what,
                            const uint8_t *seen, lw_error *error)
{
    const int n = (int)word.length;
    const unsigned most = count_places(g, what, false);
    if (n == 0) {
        lw_error_fail(error, LW_E_FORMAT, "%s: it has two dots in a row", text);
        return append_order(g, error);
    }
    if (what == SLOT_UNKNOWN) {
        lw_error_fail(error, LW_E_FORMAT, "%s: no matrix instruction of PTX has a part \".%.*s\"", text, n,
                      word.at);
        append_near(word, error);
        return append_order(g, error);
    }
    if (most == 0 || seen[what] == most) {
        lw_error_fail(error, LW_E_FORMAT, "%s: \".%.*s\" is %s", text, n, word.at,
                      most ? "one too many" : "no part of it");
        return append_order(g, error);
    }
    for (size_t i = 0; i < lw_ptx_sequence_count; i++)
        if (lw_ptx_sequences[i].first == what && seen[lw_ptx_sequences[i].then])
            return lw_error_fail(error, LW_E_FORMAT, "%s: \".%.*s\" is out of place: %s", text, n, word.at,
                                 lw_ptx_sequences[i].says);
    return LW_OK;
}

/* Are all required words there? */
static lw_status check_missing(const char *text, const lw_ptx_grammar *g, const uint8_t *seen,
                               lw_error *error)
{
    for (const lw_ptx_place *at = g->places; at->slot != SLOT_END; at++) {
        const unsigned least = count_places(g, (lw_ptx_slot)at->slot, true);
        if (seen[at->slot] >= least)
            continue;
        if (at->slot == SLOT_TYPE && least > 1)
            lw_error_fail(error, LW_E_FORMAT, "%s: it names %u types; it needs those of %s", text,
                          seen[SLOT_TYPE],
                          least == 2   ? "D and C, or of D, A, B and C"
                          : least == 3 ? "D, A and B"
                                       : "D, A, B and C");
        else {
            lw_error_fail(error, LW_E_FORMAT, "%s: %s", text,
                          seen[at->slot] ? "it needs one more of " : "it lacks ");
            append_words(error, g, (lw_ptx_slot)at->slot);
        }
        return append_order(g, error);
    }
    return LW_OK;
}

static lw_status check_whole(const char *text, const lw_ptx_request *request, const reading *seen,
                             lw_error *error)
{
    if (request->form == LW_PTX_WMMA_MMA && seen->type_count == 4 && request->a == LW_ELEM_F16)
        return lw_error_fail(error, LW_E_FORMAT, "%s: of f16, wmma names only the types of D and C", text);
    if (seen->block && (!request->block_scale || request->mods.scale_vec))
        return lw_error_fail(error, LW_E_FORMAT, "%s: .block%u stands after .block_scale, without .scale_vec",
                             text, seen->block);
    const bool packed_type = request->d == LW_ELEM_B6X16 || request->d == LW_ELEM_B4X16;
    if (seen->packed != packed_type)
        return lw_error_fail(error, LW_E_FORMAT,
                             "%s: .b8x16 and .b6x16_p32 or .b4x16_p64 only stand together", text);
    if (seen->popc != (request->op != 0))
        return lw_error_fail(error, LW_E_FORMAT, "%s: .xor or .and and .popc only stand together", text);
    return LW_OK;
}

static lw_status read_words(const char *text, const char *rest, const lw_ptx_grammar *g,
                            lw_ptx_request *request, lw_error *error)
{
    reading read = { .type_count = 0 };
    uint8_t seen[SLOT_UNKNOWN + 1] = { 0 };
    lw_status st = LW_OK;
    for (bool first = true; *rest && st == LW_OK; first = false) {
        uint8_t value = 0;
        const span word = next_word(&rest);
        const lw_ptx_slot what = classify(word, request, &value);
        if (first != (what == SLOT_FRAGMENT) && count_places(g, SLOT_FRAGMENT, true)) {
            lw_error_fail(error, LW_E_FORMAT, "%s: the fragment stands first, after %s: ", text, g->verb);
            append_words(error, g, SLOT_FRAGMENT);
            return append_order(g, error);
        }
        st = check_word(text, g, word, what, seen, error);
        if (st == LW_OK)
            take(request, &read, what, value);
        seen[what]++;
    }
    if (st == LW_OK)
        st = check_missing(text, g, seen, error);
    if (st != LW_OK)
        return st;
    if (!assign_types(request, &read))
        return lw_error_fail(error, LW_E_FORMAT, "%s: three types; it needs those of D, A, B and C, in order",
                             text);
    st = check_whole(text, request, &read, error);
    if (st == LW_OK && read.block) /* scales of a row of 32 k, of packed 4-bit data of 64 */
        request->mods.scale_vec =
            (uint8_t)((request->mods.kind == LW_PTX_KIND_MXF8F6F4 ? 32 : 64) / read.block);
    return st;
}

/*
 * tcgen05 with .idesc::N: the words that the instruction descriptor stands for take its place. The request
 * gets the flags that are not words.
 */
static lw_status expand(const char *text, const char *at, char words[LW_PTX_SPELLING_MAX], lw_ptx_mods *flags,
                        lw_error *error)
{
    static const char mark[] = ".idesc::";
    const char *digits = at + sizeof(mark) - 1;
    char *end, shape[LW_PTX_SHAPE_MAX];
    const unsigned long long number = strtoull(digits, &end, 0);
    lw_ptx_kind kind = LW_PTX_KIND_NONE;
    lw_tcgen05_fields f;
    for (size_t i = 0; i < lw_ptx_word_count; i++) {
        const size_t length = strlen(lw_ptx_words[i].text);
        const char *found = lw_ptx_words[i].slot == SLOT_KIND ? strstr(text, lw_ptx_words[i].text) : NULL;
        if (found && (found[length] == '.' || found[length] == '\0'))
            kind = (lw_ptx_kind)lw_ptx_words[i].value;
    }
    if (kind == LW_PTX_KIND_NONE)
        return lw_error_fail(error, LW_E_FORMAT, "%s: it lacks .kind::", text);
    if (!isdigit((unsigned char)*digits) || number > UINT32_MAX || (*end && *end != '.'))
        return lw_error_fail(error, LW_E_FORMAT, "%s: .idesc:: needs a number of 32 bits, such as 0x08400010",
                             text);
    const lw_status st = lw_tcgen05_read((uint32_t)number, kind, strstr(text, ".sp.") != NULL, &f, error);
    if (st != LW_OK)
        return st;
    lw_ptx_shape_text(f.m, f.n, f.k, shape);
    const int n =
        snprintf(words, LW_PTX_SPELLING_MAX, "%.*s.%s.%s.%s.%s%s%s%s%s", (int)(at - text), text, shape,
                 lw_elem_rows[f.d].name, lw_elem_rows[f.a].name, lw_elem_rows[f.b].name, f.scale ? "." : "",
                 f.scale ? lw_elem_rows[f.scale].name : "", f.flags.satfinite ? ".satfinite" : "", end);
    *flags = f.flags;
    return n < LW_PTX_SPELLING_MAX ? LW_OK : lw_error_fail(error, LW_E_NOT_FOUND, "%s: it is too long", text);
}

static bool starts(const char *text, const char *word)
{
    const size_t n = strlen(word);
    return strncmp(text, word, n) == 0 && (text[n] == '.' || text[n] == '\0');
}

bool lw_ptx_is_name(const char *text)
{
    for (size_t i = 0; i < lw_ptx_grammar_count; i++)
        if (starts(text, lw_ptx_grammars[i].verb))
            return true;
    return starts(text, "wgmma") || starts(text, "tcgen05");
}

/* For instructions of wgmma and tcgen05 that do not multiply, and short names that do not exist. */
static lw_status fail_beyond(const char *text, lw_error *error)
{
    if (strncmp(text, "tcgen05.m64", 11) == 0 || strncmp(text, "tcgen05.m128", 12) == 0 ||
        strncmp(text, "tcgen05.sp.m", 12) == 0)
        return lw_error_fail(
            error, LW_E_NOT_FOUND,
            "%s: no tcgen05.mma has this short name; M is 64 or 128, with scales 128; N up to 256 by "
            "8, with M = 128 and no scales by 16, of integers above 32 by 16",
            text);
    if (starts(text, "tcgen05"))
        return lw_error_fail(error, LW_E_UNSUPPORTED, "%s: of tcgen05 only tcgen05.mma is in this version",
                             text);
    if (strncmp(text, "wgmma.m64", 9) == 0 || strncmp(text, "wgmma.sp.m64", 12) == 0)
        return lw_error_fail(
            error, LW_E_NOT_FOUND,
            "%s: no wgmma has this short name; N is 8 to 256 by 8, of integers and bits above "
            "32 by 16, and full spellings begin with wgmma.mma_async",
            text);
    return lw_error_fail(error, LW_E_UNSUPPORTED,
                         "%s: of wgmma only wgmma.mma_async multiplies; kernels run the others too", text);
}

static lw_status fail_verb(const char *text, lw_error *error)
{
    lw_error_fail(error, LW_E_NOT_FOUND,
                  "\"%s\" is no matrix instruction of PTX; they begin with mma., mma.sp., wgmma.mma_async., "
                  "wmma.mma., "
                  "wmma.load., wmma.store., ldmatrix., stmatrix. or movmatrix.",
                  text);
    for (size_t i = 0; i < lw_ptx_grammar_count; i++) {
        const char *verb = lw_ptx_grammars[i].verb;
        size_t length = strcspn(text, ".");
        if (strchr(verb, '.') && text[length])
            length += 1 + strcspn(text + length + 1, ".");
        if (is_near((span){ text, length }, (span){ verb, strlen(verb) })) {
            lw_error_append(error, "; near it: %s", verb);
            break;
        }
    }
    return LW_E_NOT_FOUND;
}

/* Reads `words` by the grammar; `text` is what messages quote. */
static lw_status read_form(const char *text, const char *words, const lw_ptx_grammar *g,
                           const lw_ptx_mods *flags, lw_ptx_request *request, lw_error *error)
{
    lw_ptx_request read = { .form = g->form };
    const char *rest = words + strlen(g->verb);
    if (flags)
        read.mods = *flags;
    const lw_status st = read_words(text, rest + (*rest == '.'), g, &read, error);
    if (st == LW_OK)
        *request = read;
    return st;
}

static lw_status read_tensor(const char *text, const lw_ptx_grammar *g, lw_ptx_request *request,
                             lw_error *error)
{
    char words[LW_PTX_SPELLING_MAX];
    lw_ptx_mods flags = { 0 };
    const char *at = strstr(text, ".idesc::");
    if (strstr(text, ".cta_group::2") || strstr(text, ".ws"))
        return lw_error_fail(error, LW_E_UNSUPPORTED,
                             "%s: of tcgen05.mma this version has .cta_group::1 without .ws", text);
    if (!at)
        return read_form(text, text, g, NULL, request, error);
    const lw_status st = expand(text, at, words, &flags, error);
    return st == LW_OK ? read_form(text, words, g, &flags, request, error) : st;
}

lw_status lw_ptx_read(const char *text, lw_ptx_request *request, lw_error *error)
{
    for (size_t i = 0; i < lw_ptx_grammar_count; i++) {
        const lw_ptx_grammar *g = &lw_ptx_grammars[i];
        if (!starts(text, g->verb))
            continue;
        const size_t length = strlen(text);
        if (text[length - 1] == '.')
            return lw_error_fail(error, LW_E_FORMAT, "%s: it ends with a dot; the parts are %s", text,
                                 g->order);
        return g->form == LW_PTX_TCGEN05_MMA ? read_tensor(text, g, request, error)
                                             : read_form(text, text, g, NULL, request, error);
    }
    if (starts(text, "wgmma") || starts(text, "tcgen05"))
        return fail_beyond(text, error);
    return fail_verb(text, error);
}

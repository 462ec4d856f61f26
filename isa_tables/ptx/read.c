/* SPDX-License-Identifier: MIT */
/* The grammar of the warp-level matrix instructions of PTX. */
#include <stdio.h>
#include <string.h>

#include "isa_tables/error.h"
#include "isa_tables/ptx/request.h"

const char *const lw_ptx_round_names[4] = { "rn", "rz", "rm", "rp" };
const char *const lw_ptx_space_names[4] = { "", "global", "shared", "shared::cta" };

/* What a word between two dots can be. */
typedef enum slot {
    SLOT_END,
    SLOT_SYNC,
    SLOT_ALIGNED,
    SLOT_SPARSE,
    SLOT_FRAGMENT,
    SLOT_SHAPE,
    SLOT_LAYOUT,
    SLOT_SATFINITE,
    SLOT_ROUND,
    SLOT_KIND,
    SLOT_BLOCK_SCALE,
    SLOT_SCALE_VEC,
    SLOT_TYPE,
    SLOT_SCALE_TYPE,
    SLOT_OP,
    SLOT_POPC,
    SLOT_COUNT,
    SLOT_TRANS,
    SLOT_SPACE,
    SLOT_PACKED,
    SLOT_UNKNOWN,
} slot;

static const struct word {
    const char *text;
    uint8_t slot, value;
} words[] = {
    { "sync", SLOT_SYNC, 0 },
    { "aligned", SLOT_ALIGNED, 0 },
    { "sp", SLOT_SPARSE, 0 },
    { "sp::ordered_metadata", SLOT_SPARSE, 1 },
    { "a", SLOT_FRAGMENT, LW_OPERAND_A },
    { "b", SLOT_FRAGMENT, LW_OPERAND_B },
    { "c", SLOT_FRAGMENT, LW_OPERAND_C },
    { "d", SLOT_FRAGMENT, LW_OPERAND_D },
    { "row", SLOT_LAYOUT, 0 },
    { "col", SLOT_LAYOUT, 1 },
    { "satfinite", SLOT_SATFINITE, 1 },
    { "rn", SLOT_ROUND, LW_PTX_RN },
    { "rz", SLOT_ROUND, LW_PTX_RZ },
    { "rm", SLOT_ROUND, LW_PTX_RM },
    { "rp", SLOT_ROUND, LW_PTX_RP },
    { "kind::f8f6f4", SLOT_KIND, LW_PTX_KIND_F8F6F4 },
    { "kind::mxf8f6f4", SLOT_KIND, LW_PTX_KIND_MXF8F6F4 },
    { "kind::mxf4", SLOT_KIND, LW_PTX_KIND_MXF4 },
    { "kind::mxf4nvf4", SLOT_KIND, LW_PTX_KIND_MXF4NVF4 },
    { "block_scale", SLOT_BLOCK_SCALE, 1 },
    { "scale_vec::1x", SLOT_SCALE_VEC, 1 },
    { "scale_vec::2x", SLOT_SCALE_VEC, 2 },
    { "scale_vec::4x", SLOT_SCALE_VEC, 4 },
    { "f16", SLOT_TYPE, LW_ELEM_F16 },
    { "bf16", SLOT_TYPE, LW_ELEM_BF16 },
    { "tf32", SLOT_TYPE, LW_ELEM_TF32 },
    { "f32", SLOT_TYPE, LW_ELEM_F32 },
    { "f64", SLOT_TYPE, LW_ELEM_F64 },
    { "e4m3", SLOT_TYPE, LW_ELEM_E4M3 },
    { "e5m2", SLOT_TYPE, LW_ELEM_E5M2 },
    { "e3m2", SLOT_TYPE, LW_ELEM_E3M2 },
    { "e2m3", SLOT_TYPE, LW_ELEM_E2M3 },
    { "e2m1", SLOT_TYPE, LW_ELEM_E2M1 },
    { "s8", SLOT_TYPE, LW_ELEM_S8 },
    { "u8", SLOT_TYPE, LW_ELEM_U8 },
    { "s4", SLOT_TYPE, LW_ELEM_S4 },
    { "u4", SLOT_TYPE, LW_ELEM_U4 },
    { "b1", SLOT_TYPE, LW_ELEM_B1 },
    { "s32", SLOT_TYPE, LW_ELEM_S32 },
    { "b16", SLOT_TYPE, LW_ELEM_B16 },
    { "b8", SLOT_TYPE, LW_ELEM_B8 },
    { "b6x16_p32", SLOT_TYPE, LW_ELEM_B6X16 },
    { "b4x16_p64", SLOT_TYPE, LW_ELEM_B4X16 },
    { "b8x16", SLOT_PACKED, 1 },
    { "ue8m0", SLOT_SCALE_TYPE, LW_ELEM_UE8M0 },
    { "ue4m3", SLOT_SCALE_TYPE, LW_ELEM_UE4M3 },
    { "xor", SLOT_OP, 1 },
    { "and", SLOT_OP, 2 },
    { "popc", SLOT_POPC, 1 },
    { "x1", SLOT_COUNT, 1 },
    { "x2", SLOT_COUNT, 2 },
    { "x4", SLOT_COUNT, 4 },
    { "trans", SLOT_TRANS, 1 },
    { "global", SLOT_SPACE, 1 },
    { "shared", SLOT_SPACE, 2 },
    { "shared::cta", SLOT_SPACE, 3 },
};

/* A place in a grammar: which word must or may stand there. */
typedef struct place {
    uint8_t slot;
    bool optional;
} place;

#define MUST(slot_)                                                                                          \
    {                                                                                                        \
        SLOT_##slot_, false                                                                                  \
    }
#define MAY(slot_)                                                                                           \
    {                                                                                                        \
        SLOT_##slot_, true                                                                                   \
    }

enum { MOST_PLACES = 20 };

static const struct grammar {
    const char *verb; /* the words in front */
    uint8_t form;
    const char *order; /* for people */
    place places[MOST_PLACES];
} grammars[] = {
    { "wmma.mma",
      LW_PTX_WMMA_MMA,
      "wmma.mma[.xor.popc|.and.popc].sync.aligned.LAYOUT_A.LAYOUT_B.SHAPE[.ROUND].D[.A.B].C[.satfinite]",
      { MAY(OP), MAY(POPC), MUST(SYNC), MUST(ALIGNED), MUST(LAYOUT), MUST(LAYOUT), MUST(SHAPE), MAY(ROUND),
        MUST(TYPE), MUST(TYPE), MAY(TYPE), MAY(TYPE), MAY(SATFINITE) } },
    { "wmma.load",
      LW_PTX_WMMA_LOAD,
      "wmma.load.{a,b,c}.sync.aligned.LAYOUT.SHAPE[.SPACE].TYPE",
      { MUST(FRAGMENT), MUST(SYNC), MUST(ALIGNED), MUST(LAYOUT), MUST(SHAPE), MAY(SPACE), MUST(TYPE) } },
    { "wmma.store",
      LW_PTX_WMMA_STORE,
      "wmma.store.d.sync.aligned.LAYOUT.SHAPE[.SPACE].TYPE",
      { MUST(FRAGMENT), MUST(SYNC), MUST(ALIGNED), MUST(LAYOUT), MUST(SHAPE), MAY(SPACE), MUST(TYPE) } },
    { "ldmatrix",
      LW_PTX_LDMATRIX,
      "ldmatrix.sync.aligned.SHAPE.{x1,x2,x4}[.trans][.SPACE].{b16,b8,b8x16.b6x16_p32,b8x16.b4x16_p64}",
      { MUST(SYNC), MUST(ALIGNED), MUST(SHAPE), MUST(COUNT), MAY(TRANS), MAY(SPACE), MAY(PACKED),
        MUST(TYPE) } },
    { "stmatrix",
      LW_PTX_STMATRIX,
      "stmatrix.sync.aligned.SHAPE.{x1,x2,x4}[.trans][.SPACE].{b16,b8}",
      { MUST(SYNC), MUST(ALIGNED), MUST(SHAPE), MUST(COUNT), MAY(TRANS), MAY(SPACE), MUST(TYPE) } },
    { "movmatrix",
      LW_PTX_MOVMATRIX,
      "movmatrix.sync.aligned.m8n8.trans.b16",
      { MUST(SYNC), MUST(ALIGNED), MUST(SHAPE), MUST(TRANS), MUST(TYPE) } },
    { "mma",
      LW_PTX_MMA,
      "mma[.sp|.sp::ordered_metadata].sync.aligned.SHAPE.LAYOUT_A.LAYOUT_B[.satfinite][.ROUND]"
      "[.kind::KIND[.block_scale[.scale_vec::NX]]].D.A.B.C[.SCALE_TYPE][.xor.popc|.and.popc]",
      { MAY(SPARSE), MUST(SYNC), MUST(ALIGNED), MUST(SHAPE), MUST(LAYOUT), MUST(LAYOUT), MAY(SATFINITE),
        MAY(ROUND), MAY(KIND), MAY(BLOCK_SCALE), MAY(SCALE_VEC), MUST(TYPE), MUST(TYPE), MUST(TYPE),
        MUST(TYPE), MAY(SCALE_TYPE), MAY(OP), MAY(POPC) } },
};

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

/* "m16": the letter and a number of one to three digits; moves on. */
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

static slot classify(span word, lw_ptx_request *shape, uint8_t *value)
{
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (strlen(words[i].text) == word.length && memcmp(words[i].text, word.at, word.length) == 0) {
            *value = words[i].value;
            return (slot)words[i].slot;
        }
    return read_shape(word, shape) ? SLOT_SHAPE : SLOT_UNKNOWN;
}

/* What was read of repeated slots. */
typedef struct reading {
    uint8_t types[4];
    unsigned type_count, layout_count;
    bool packed, popc;
} reading;

static void take(lw_ptx_request *r, reading *seen, slot what, uint8_t value)
{
    switch (what) {
    case SLOT_SPARSE:
        r->form = LW_PTX_MMA_SP;
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

/* The types in order: one for a move, D C for the f16 form of wmma, else D A B C. */
static bool assign_types(lw_ptx_request *r, const reading *seen)
{
    if (seen->type_count == 1) {
        r->a = r->b = r->c = r->d = seen->types[0];
        return true;
    }
    r->d = seen->types[0];
    r->c = seen->types[seen->type_count - 1];
    if (seen->type_count == 2)
        r->a = r->b = LW_ELEM_F16;
    if (seen->type_count == 4) {
        r->a = seen->types[1];
        r->b = seen->types[2];
    }
    return seen->type_count != 3;
}

static bool is_moved(uint8_t elem)
{
    return elem == LW_ELEM_B16 || elem == LW_ELEM_B8 || elem == LW_ELEM_B6X16 || elem == LW_ELEM_B4X16;
}

static void append_words(lw_error *error, const struct grammar *g, slot what, const char *gap)
{
    const bool moves =
        g->form == LW_PTX_LDMATRIX || g->form == LW_PTX_STMATRIX || g->form == LW_PTX_MOVMATRIX;
    if (what == SLOT_SHAPE)
        lw_error_append(error, "%sa shape such as .%s", gap, moves ? "m8n8" : "m16n8k16");
    if (what == SLOT_END)
        lw_error_append(error, "%sthe end", gap);
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        const int vec = words[i].slot == SLOT_SCALE_VEC; /* written .scale_vec::1X */
        if (words[i].slot != what || (what == SLOT_TYPE && is_moved(words[i].value) != moves))
            continue;
        lw_error_append(error, "%s.%.*s%s", gap, (int)strlen(words[i].text) - vec, words[i].text,
                        vec ? "X" : "");
        gap = ", ";
    }
}

/* What is wrong with a word, what may stand in its place, and the order of all. */
static lw_status fail_word(const char *text, span word, slot what, const struct grammar *g, const place *at,
                           lw_error *error)
{
    const char *gap = "; legal there: ";
    if (word.length == 0)
        lw_error_fail(error, LW_E_FORMAT, "%s: it ends too early, or has two dots", text);
    else if (what == SLOT_UNKNOWN)
        lw_error_fail(error, LW_E_FORMAT, "%s: no matrix instruction of PTX has a part \".%.*s\"", text,
                      (int)word.length, word.at);
    else
        lw_error_fail(error, LW_E_FORMAT, "%s: \".%.*s\" is out of place", text, (int)word.length, word.at);
    for (bool last = false; !last; at++, gap = ", ") {
        last = !at->optional;
        append_words(error, g, (slot)at->slot, gap);
    }
    lw_error_append(error, "; the order is %s", g->order);
    return LW_E_FORMAT;
}

static lw_status read_places(const char *text, const char *rest, const struct grammar *g,
                             lw_ptx_request *request, lw_error *error)
{
    reading seen = { .type_count = 0 };
    const place *at = g->places;
    while (*rest) {
        uint8_t value = 0;
        const span word = next_word(&rest);
        const slot what = classify(word, request, &value);
        const place *const first = at;
        while (at->slot != what && at->optional)
            at++;
        if (at->slot != what || what == SLOT_END)
            return fail_word(text, word, what, g, first, error);
        take(request, &seen, what, value);
        at++;
    }
    const place *const first = at;
    while (at->optional)
        at++;
    if (at->slot != SLOT_END)
        return fail_word(text, (span){ "", 0 }, SLOT_END, g, first, error);
    if (!assign_types(request, &seen))
        return lw_error_fail(error, LW_E_FORMAT, "%s: three types; it needs those of D, A, B and C, in order",
                             text);
    if (request->form == LW_PTX_WMMA_MMA && seen.type_count == 4 && request->a == LW_ELEM_F16)
        return lw_error_fail(error, LW_E_FORMAT, "%s: of f16, wmma names only the types of D and C", text);
    const bool packed_type = request->d == LW_ELEM_B6X16 || request->d == LW_ELEM_B4X16;
    if (seen.packed != packed_type)
        return lw_error_fail(error, LW_E_FORMAT,
                             "%s: .b8x16 and .b6x16_p32 or .b4x16_p64 only stand together", text);
    if (seen.popc != (request->op != 0))
        return lw_error_fail(error, LW_E_FORMAT, "%s: .xor or .and and .popc only stand together", text);
    return LW_OK;
}

static bool starts(const char *text, const char *word)
{
    const size_t n = strlen(word);
    return strncmp(text, word, n) == 0 && (text[n] == '.' || text[n] == '\0');
}

bool lw_ptx_is_name(const char *text)
{
    for (size_t i = 0; i < sizeof(grammars) / sizeof(grammars[0]); i++)
        if (starts(text, grammars[i].verb))
            return true;
    return starts(text, "wgmma") || starts(text, "tcgen05");
}

lw_status lw_ptx_read(const char *text, lw_ptx_request *request, lw_error *error)
{
    for (size_t i = 0; i < sizeof(grammars) / sizeof(grammars[0]); i++) {
        const struct grammar *g = &grammars[i];
        if (!starts(text, g->verb))
            continue;
        lw_ptx_request read = { .form = g->form };
        const char *rest = text + strlen(g->verb);
        const size_t length = strlen(text);
        if (text[length - 1] == '.')
            return lw_error_fail(error, LW_E_FORMAT, "%s: it ends too early: with a dot; the order is %s",
                                 text, g->order);
        const lw_status st = read_places(text, rest + (*rest == '.'), g, &read, error);
        if (st == LW_OK)
            *request = read;
        return st;
    }
    if (starts(text, "wgmma") || starts(text, "tcgen05"))
        return lw_error_fail(error, LW_E_UNSUPPORTED,
                             "%s: this version has no wgmma and no tcgen05 instructions, only those of one "
                             "warp: mma, wmma, ldmatrix, stmatrix, movmatrix",
                             text);
    return lw_error_fail(error, LW_E_NOT_FOUND,
                         "\"%s\" is no matrix instruction of PTX; they begin with mma., mma.sp., wmma.mma., "
                         "wmma.load., wmma.store., ldmatrix., stmatrix. or movmatrix.",
                         text);
}

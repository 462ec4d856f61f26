/* SPDX-License-Identifier: MIT */
/* From what a spelling requests to the row that means it, or to the part that no row has. */
#include <stdio.h>
#include <string.h>

#include "isa_tables/error.h"
#include "isa_tables/ptx/spelling/request.h"
#include "isa_tables/ptx/parts.h"

/* The parts of a spelling, in the order in which they are judged. */
typedef enum part {
    PART_FORM,
    PART_SHAPE,
    PART_SPARSE,
    PART_KIND,
    PART_BLOCK_SCALE,
    PART_SCALE_VEC,
    PART_D,
    PART_C,
    PART_A,
    PART_B,
    PART_MIX,
    PART_SCALE_TYPE,
    PART_LAYOUT,
    PART_SATFINITE,
    PART_ROUND,
    PART_OP,
    PART_COUNT,
    PART_TRANS,
    PART_SPACE,
    PARTS,
} part;

static const char *const part_names[PARTS] = {
    [PART_FORM] = "the kind of instruction",
    [PART_SHAPE] = "the shape",
    [PART_SPARSE] = "the kind of metadata",
    [PART_KIND] = "the kind",
    [PART_BLOCK_SCALE] = "block scaling",
    [PART_SCALE_VEC] = "the scale vector",
    [PART_D] = "the type of D",
    [PART_C] = "the type of C",
    [PART_A] = "the type of A",
    [PART_B] = "the type of B",
    [PART_MIX] = "the pair of types of A and B",
    [PART_SCALE_TYPE] = "the type of the scales",
    [PART_LAYOUT] = "the layout",
    [PART_SATFINITE] = "saturation",
    [PART_ROUND] = "rounding",
    [PART_OP] = "the operation on bits",
    [PART_COUNT] = "the number of matrices",
    [PART_TRANS] = "transposition",
    [PART_SPACE] = "the state space",
};

static bool class_has(lw_ptx_class class, lw_elem elem)
{
    for (const uint8_t *t = lw_ptx_class_types(class); *t; t++)
        if (*t == elem)
            return true;
    return false;
}

static bool fits(const lw_insn *insn, lw_elem column, lw_elem asked)
{
    if (column == LW_ELEM_BY_TYPE)
        return class_has((lw_ptx_class)insn->ptx->data, asked);
    return column == LW_ELEM_NONE || column == asked;
}

static bool is_byte(lw_elem elem)
{
    return elem == LW_ELEM_E4M3 || elem == LW_ELEM_E5M2;
}

static bool types_mix(const lw_ptx_row *row, lw_elem a, lw_elem b)
{
    if (row->same_types)
        return a == b;
    return row->data != LW_PTX_NARROW || !is_byte(a) || !is_byte(b);
}

static bool fits_form(const lw_insn *insn, const lw_ptx_request *r)
{
    const lw_ptx_row *row = insn->ptx;
    if (row->form != r->form)
        return false;
    if (row->form == LW_PTX_WMMA_LOAD || row->form == LW_PTX_WMMA_STORE)
        return row->fragment == r->fragment;
    return true;
}

/* Every .kind:: is used with ordered metadata. */
static bool fits_sparse(const lw_ptx_row *row, const lw_ptx_mods *mods)
{
    if (row->form == LW_PTX_WGMMA_SP || row->form == LW_PTX_TCGEN05_MMA_SP)
        return !mods->ordered;
    if (row->form != LW_PTX_MMA_SP)
        return true;
    return mods->ordered ? row->sp & LW_PTX_SP_ORDERED : (row->sp & LW_PTX_SP) && !mods->kind;
}

static bool fits_kind(const lw_ptx_row *row, const lw_ptx_mods *mods)
{
    if (mods->kind == LW_PTX_KIND_NONE)
        return !row->needs_kind;
    return row->kind == mods->kind;
}

static bool fits_part(const lw_insn *insn, const lw_ptx_request *r, part what)
{
    const lw_ptx_row *row = insn->ptx;
    const lw_ptx_mods *mods = &r->mods;
    switch (what) {
    case PART_FORM:
        return fits_form(insn, r);
    case PART_SHAPE:
        return insn->m == r->m && (insn->n == r->n || lw_ptx_has_width(insn, r->n)) && insn->k == r->k;
    case PART_SPARSE:
        return fits_sparse(row, mods);
    case PART_KIND:
        return fits_kind(row, mods);
    case PART_BLOCK_SCALE:
        return r->block_scale == (row->scale_vecs != 0);
    case PART_SCALE_VEC:
        return (row->scale_vecs ? row->scale_vecs : LW_PTX_NO_VEC) >> mods->scale_vec & 1;
    case PART_D:
        return fits(insn, (lw_elem)insn->d, (lw_elem)r->d);
    case PART_C:
        return fits(insn, (lw_elem)insn->c, (lw_elem)r->c);
    case PART_A:
        return fits(insn, (lw_elem)insn->a, (lw_elem)r->a);
    case PART_B:
        return fits(insn, (lw_elem)insn->b, (lw_elem)r->b);
    case PART_MIX:
        return types_mix(row, (lw_elem)r->a, (lw_elem)r->b);
    case PART_SCALE_TYPE:
        return row->scale == r->scale;
    case PART_LAYOUT:
        return !row->layouts || (row->layouts >> (mods->a_col + 2 * mods->b_row) & 1);
    case PART_SATFINITE:
        return !mods->satfinite || row->satfinite;
    case PART_ROUND:
        return !r->round || row->round;
    case PART_OP:
        return row->binary && lw_ptx_is_warpgroup(insn) ? r->op == 2 : (r->op != 0) == row->binary;
    case PART_COUNT:
        return !mods->count || (row->counts >> mods->count & 1);
    case PART_TRANS:
        return !row->trans || (row->trans >> mods->trans & 1);
    case PART_SPACE:
        return mods->space != 1 || row->form == LW_PTX_WMMA_LOAD || row->form == LW_PTX_WMMA_STORE;
    case PARTS:
        break;
    }
    return false;
}

/* Bits 1u << part for every part that the row does not have. */
static uint32_t misfits(const lw_insn *insn, const lw_ptx_request *r)
{
    uint32_t set = 0;
    for (unsigned p = 0; p < PARTS; p++)
        set |= (uint32_t)!fits_part(insn, r, (part)p) << p;
    return set;
}

/* Types as mods hold them: only where the row leaves a choice. */
static lw_ptx_mods mods_of(const lw_insn *insn, const lw_ptx_request *r)
{
    lw_ptx_mods mods = r->mods;
    mods.a_type = insn->a == LW_ELEM_BY_TYPE ? r->a : 0;
    mods.b_type = insn->b == LW_ELEM_BY_TYPE ? r->b : 0;
    mods.c_type = insn->c == LW_ELEM_BY_TYPE ? r->c : 0;
    mods.d_type = insn->d == LW_ELEM_BY_TYPE ? r->d : 0;
    return mods;
}

typedef struct list {
    char text[400];
    size_t used;
} list;

/* Appends ", WORD" unless the list already has it. */
static void add_word(list *l, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = l->text; (at = strstr(at, word)); at += length)
        if ((at == l->text || at[-1] == ' ') && (at[length] == ',' || at[length] == '\0'))
            return;
    const int n = snprintf(l->text + l->used, sizeof(l->text) - l->used, "%s%s", l->used ? ", " : "", word);
    l->used += (size_t)n < sizeof(l->text) - l->used ? (size_t)n : 0;
    l->text[l->used] = '\0';
}

static void add_elem(list *l, const lw_insn *insn, uint8_t column)
{
    char word[32];
    const uint8_t one[2] = { column, LW_ELEM_NONE };
    const uint8_t *types =
        column == LW_ELEM_BY_TYPE ? lw_ptx_class_types((lw_ptx_class)insn->ptx->data) : one;
    for (; *types; types++) {
        snprintf(word, sizeof(word), ".%s", lw_elem_rows[*types].name);
        add_word(l, word);
    }
}

static void add_kind(list *l, const lw_ptx_row *row)
{
    char word[32];
    if (!row->needs_kind)
        add_word(l, "none");
    if (!row->kind)
        return;
    snprintf(word, sizeof(word), ".kind::%s", lw_ptx_kind_names[row->kind]);
    add_word(l, word);
}

static void add_bits(list *l, unsigned set, const char *const *names)
{
    for (unsigned i = 0; set >> i; i++)
        if (set >> i & 1)
            add_word(l, names[i]);
}

/* For wgmma, one word for all widths. */
static void add_shape(list *l, const lw_insn *insn)
{
    char word[96];
    if (lw_ptx_has_parts(insn))
        snprintf(word, sizeof(word), "m%unNk%u with N = %u to 256 by %u%s", insn->m, insn->k, insn->n,
                 insn->n, insn->d == LW_ELEM_S32 && insn->n == 8 ? " (above 32 by 16)" : "");
    else
        lw_ptx_shape_text(insn->m, insn->n, insn->k, word);
    add_word(l, word);
}

/* What the row has in this part. */
static void add_legal(list *l, const lw_insn *insn, part what)
{
    static const char *const vecs[] = { "none", ".scale_vec::1X", ".scale_vec::2X", "", ".scale_vec::4X" };
    static const char *const layouts[] = { ".row.col", ".col.col", ".row.row", ".col.row" };
    static const char *const places[] = { ".row", ".col" };
    static const char *const counts[] = { "", ".x1", ".x2", "", ".x4" };
    static const char *const transposed[] = { "none", ".trans" };
    const lw_ptx_row *row = insn->ptx;
    switch (what) {
    case PART_SHAPE:
        add_shape(l, insn);
        break;
    case PART_SPARSE:
        add_word(l, lw_ptx_has_parts(insn) ? ".sp" : ".sp::ordered_metadata"); /* all mma accept that */
        break;
    case PART_KIND:
        add_kind(l, row);
        break;
    case PART_BLOCK_SCALE:
        add_word(l, row->scale_vecs ? ".block_scale" : "none");
        break;
    case PART_SCALE_VEC:
        add_bits(l, row->scale_vecs ? row->scale_vecs : 1, vecs);
        break;
    case PART_D:
        add_elem(l, insn, insn->d);
        break;
    case PART_C:
        add_elem(l, insn, insn->c);
        break;
    case PART_A:
        add_elem(l, insn, insn->a);
        break;
    case PART_B:
        add_elem(l, insn, insn->b);
        break;
    case PART_MIX:
        add_word(l, row->same_types ? "one type for both" : "at least one of fewer than eight bits");
        break;
    case PART_SCALE_TYPE:
        add_elem(l, insn, row->scale);
        if (!row->scale)
            add_word(l, "none");
        break;
    case PART_LAYOUT:
        add_bits(l, row->layouts, row->form <= LW_PTX_WMMA_MMA ? layouts : places);
        break;
    case PART_SATFINITE:
    case PART_ROUND:
        add_word(l, "none");
        break;
    case PART_OP:
        if (!lw_ptx_is_warpgroup(insn) || !row->binary)
            add_word(l, row->binary ? ".xor.popc" : "none");
        if (row->binary)
            add_word(l, ".and.popc");
        break;
    case PART_COUNT:
        add_bits(l, row->counts, counts);
        break;
    case PART_TRANS:
        add_bits(l, row->trans, transposed);
        break;
    case PART_SPACE:
        add_word(l, "none, .shared, .shared::cta");
        break;
    case PART_FORM:
    case PARTS:
        break;
    }
}

/* The first part in which some row differs while it has everything else; if there is none, the shape. */
static part only_wrong(const lw_ptx_request *r)
{
    part first = PARTS;
    bool shape = false;
    for (size_t i = 0; i < lw_insn_row_count; i++) {
        const uint32_t wrong = lw_insn_rows[i].ptx ? misfits(&lw_insn_rows[i], r) : 0;
        shape = shape || wrong == 1u << PART_SHAPE;
        for (unsigned p = PART_SPARSE; p < (unsigned)first; p++)
            if (wrong == 1u << p)
                first = (part)p;
    }
    return first == PARTS && shape ? PART_SHAPE : first;
}

/* The part to name: the only wrong one, or the first that no row has together with the parts before it. */
static part find_wrong(const lw_ptx_request *r)
{
    const part only = only_wrong(r);
    if (only != PARTS)
        return only;
    for (unsigned p = 0; p < PARTS; p++) {
        bool any = false;
        for (size_t i = 0; i < lw_insn_row_count && !any; i++)
            any = lw_insn_rows[i].ptx && !(misfits(&lw_insn_rows[i], r) & ((2u << p) - 1));
        if (!any)
            return (part)p;
    }
    return PARTS;
}

/* What rows have in the wrong part: rows that fit everything else or, if there are none, those that fit the
 * parts before it. */
static void list_legal(const lw_ptx_request *r, part wrong, list *l)
{
    for (int narrow = 1; narrow >= 0 && !l->used; narrow--)
        for (size_t i = 0; i < lw_insn_row_count; i++) {
            const lw_insn *insn = &lw_insn_rows[i];
            const uint32_t others = narrow ? ~(1u << wrong) : (1u << wrong) - 1;
            if (insn->ptx && !(misfits(insn, r) & others))
                add_legal(l, insn, wrong);
        }
}

/* The request with every part that the row lacks replaced by what the row has, as `arch` accepts it. */
static bool adapt(lw_arch arch, const lw_insn *insn, const lw_ptx_request *r, uint32_t wrong,
                  lw_ptx_mods *mods)
{
    *mods = mods_of(insn, r);
    if (wrong & (1u << PART_A | 1u << PART_B | 1u << PART_C | 1u << PART_D | 1u << PART_MIX))
        mods->a_type = mods->b_type = mods->c_type = mods->d_type = 0;
    if (wrong & 1u << PART_LAYOUT || !insn->ptx->layouts)
        mods->a_col = mods->b_row = 0;
    mods->satfinite = mods->satfinite && insn->ptx->satfinite;
    mods->round = insn->ptx->round ? mods->round : 0;
    mods->op = insn->ptx->binary ? mods->op : 0;
    mods->ordered = insn->ptx->form == LW_PTX_MMA_SP && (mods->ordered || wrong & 1u << PART_SPARSE);
    if (wrong & 1u << PART_KIND)
        mods->kind = 0;
    if (wrong & 1u << PART_SCALE_VEC || !insn->ptx->scale_vecs)
        mods->scale_vec = 0;
    if (wrong & 1u << PART_COUNT || !insn->ptx->counts)
        mods->count = 0;
    if (wrong & 1u << PART_TRANS || !insn->ptx->trans)
        mods->trans = 0;
    if (wrong & 1u << PART_SPACE)
        mods->space = 0;
    return (lw_ptx_archs(insn, mods) >> arch & 1u) &&
           lw_ptx_check(arch, insn, &(lw_mods){ .ptx = *mods }, NULL) == LW_OK;
}

/* A distance: another form or shape weighs more than a type, a type more than a qualifier. */
static unsigned distance(const lw_insn *insn, const lw_ptx_request *r, uint32_t wrong)
{
    static const uint8_t weights[PARTS] = {
        [PART_FORM] = 8, [PART_SHAPE] = 3, [PART_A] = 2,   [PART_B] = 2,
        [PART_D] = 2,    [PART_C] = 2,     [PART_MIX] = 2, [PART_KIND] = 2
    };
    unsigned sum = 0;
    for (unsigned p = 0; p < PARTS; p++)
        if (wrong >> p & 1)
            sum += weights[p] ? weights[p] : 1;
    return sum + (insn->ptx->form == r->form ? 0 : 8) + (insn->k == r->k ? 0 : 1);
}

static void suggest_nearest(lw_arch arch, const lw_ptx_request *r, lw_error *error)
{
    const lw_insn *best = NULL;
    lw_ptx_mods best_mods = { 0 };
    unsigned best_distance = 0;
    for (size_t i = 0; i < lw_insn_row_count; i++) {
        const lw_insn *insn = &lw_insn_rows[i];
        lw_ptx_mods mods;
        if (!insn->ptx)
            continue;
        const uint32_t wrong = misfits(insn, r);
        const unsigned d = distance(insn, r, wrong);
        if ((best && d >= best_distance) || !adapt(arch, insn, r, wrong, &mods))
            continue;
        best = insn;
        best_mods = mods;
        best_distance = d;
    }
    if (!best)
        return;
    char text[LW_PTX_SPELLING_MAX];
    if (lw_ptx_has_width(best, r->n))
        best = lw_ptx_of_width(best, r->n);
    lw_ptx_spell(best, &best_mods, text);
    lw_error_append(error, "; the nearest of %s is %s", lw_arch_get(arch)->name, text);
}

static lw_status fail_part(lw_arch arch, const char *text, const lw_ptx_request *r, lw_error *error)
{
    if (!error)
        return LW_E_NOT_FOUND;
    const part wrong = find_wrong(r);
    list legal = { .used = 0 };
    if (wrong == PART_FORM && (r->form == LW_PTX_WMMA_LOAD || r->form == LW_PTX_WMMA_STORE))
        lw_error_fail(error, LW_E_NOT_FOUND, "%s: the fragment is wrong; legal is: %s", text,
                      r->form == LW_PTX_WMMA_LOAD ? ".a, .b, .c" : ".d");
    else if (wrong == PARTS || wrong == PART_FORM)
        lw_error_fail(error, LW_E_NOT_FOUND, "%s: there is no such instruction", text);
    else {
        list_legal(r, wrong, &legal);
        lw_error_fail(error, LW_E_NOT_FOUND, "%s: %s is wrong; with the rest as it is, legal is: %s", text,
                      part_names[wrong], legal.text);
    }
    suggest_nearest(arch, r, error);
    return LW_E_NOT_FOUND;
}

lw_status lw_ptx_match(lw_arch arch, const char *text, const lw_ptx_request *request, const lw_insn **insn,
                       lw_ptx_mods *mods, lw_error *error)
{
    const lw_insn *elsewhere = NULL;
    uint32_t archs = 0;
    for (size_t i = 0; i < lw_insn_row_count; i++) {
        const lw_insn *row = &lw_insn_rows[i];
        if (!row->ptx || misfits(row, request))
            continue;
        const lw_ptx_mods found = mods_of(row, request);
        elsewhere = row;
        archs |= lw_ptx_archs(row, &found);
        if (lw_ptx_archs(row, &found) >> arch & 1u) {
            *insn = lw_ptx_has_parts(row) ? lw_ptx_of_width(row, request->n) : row;
            *mods = found;
            return LW_OK;
        }
    }
    if (!elsewhere)
        return fail_part(arch, text, request, error);
    char names[160];
    lw_ptx_name_archs(archs, names, sizeof(names));
    return lw_error_fail(error, LW_E_ARCH, "%s has no %s; it is an instruction of %s",
                         lw_arch_get(arch)->name, text, names);
}

/* SPDX-License-Identifier: MIT */
#include "isa_tables/ptx/parts.h"

#include <string.h>

#include "isa_tables/ptx/row_macros.h"

#define PART(name_, form_, k_, data_, d_, family_, dot_, archs_, ...)                                        \
    PTX_ROW(name_, form_, 16, 8, k_, 1, PTX_ELEM_##data_, PTX_ELEM_##data_, LW_ELEM_##d_, LW_ELEM_##d_,      \
            family_, dot_, archs_, .data = LW_PTX_##data_, .layouts = LW_PTX_ROW_COL, .part = true,          \
            .negates = PTX_NEGATES(data_), .isa = __VA_ARGS__)
#define WGMMA(pre_, post_, form_, k_, data_, d_, family_, dot_, ...)                                         \
    PART(pre_ "m64nN" post_, form_, k_, data_, d_, family_, dot_, SM_(90), __VA_ARGS__)
#define TENSOR(pre_, post_, form_, k_, data_, d_, family_, dot_, ...)                                        \
    PART(pre_ "mMnN" post_, form_, k_, data_, d_, family_, dot_, SM_(100A), __VA_ARGS__)
#define TCGEN05(...) TENSOR("tcgen05.", __VA_ARGS__)
#define TCGEN05_SCALED(...) TENSOR("tcgen05.", __VA_ARGS__)
#define TCGEN05_SP(...) TENSOR("tcgen05.sp.", __VA_ARGS__)
#define TCGEN05_SP_SCALED(...) TENSOR("tcgen05.sp.", __VA_ARGS__)
static const lw_insn parts[] = {
#include "isa_tables/ptx/wgmma.inc"
#include "isa_tables/ptx/tcgen05.inc"
};
#undef TCGEN05
#undef TCGEN05_SCALED
#undef TCGEN05_SP
#undef TCGEN05_SP_SCALED
#undef TENSOR
#undef WGMMA
#undef PART

/* Every width above the least, by multiples of 16 and of 8. */
#define BY_16(ROW, ...)                                                                                      \
    ROW(32, __VA_ARGS__)                                                                                     \
    ROW(48, __VA_ARGS__)                                                                                     \
    ROW(64, __VA_ARGS__)                                                                                     \
    ROW(80, __VA_ARGS__)                                                                                     \
    ROW(96, __VA_ARGS__)                                                                                     \
    ROW(112, __VA_ARGS__)                                                                                    \
    ROW(128, __VA_ARGS__)                                                                                    \
    ROW(144, __VA_ARGS__)                                                                                    \
    ROW(160, __VA_ARGS__)                                                                                    \
    ROW(176, __VA_ARGS__)                                                                                    \
    ROW(192, __VA_ARGS__)                                                                                    \
    ROW(208, __VA_ARGS__) ROW(224, __VA_ARGS__) ROW(240, __VA_ARGS__) ROW(256, __VA_ARGS__)
#define BY_8(ROW, ...)                                                                                       \
    ROW(24, __VA_ARGS__)                                                                                     \
    ROW(40, __VA_ARGS__)                                                                                     \
    ROW(56, __VA_ARGS__)                                                                                     \
    ROW(72, __VA_ARGS__)                                                                                     \
    ROW(88, __VA_ARGS__)                                                                                     \
    ROW(104, __VA_ARGS__)                                                                                    \
    ROW(120, __VA_ARGS__)                                                                                    \
    ROW(136, __VA_ARGS__)                                                                                    \
    ROW(152, __VA_ARGS__)                                                                                    \
    ROW(168, __VA_ARGS__)                                                                                    \
    ROW(184, __VA_ARGS__)                                                                                    \
    ROW(200, __VA_ARGS__) ROW(216, __VA_ARGS__) ROW(232, __VA_ARGS__) ROW(248, __VA_ARGS__)
#define TENSOR_128(n_, pre_, ...) PTX_TCGEN05(pre_, 128, n_, __VA_ARGS__)
#define TENSOR_64(n_, pre_, ...) PTX_TCGEN05(pre_, 64, n_, __VA_ARGS__)
#define WGMMA(...) PTX_WGMMA(16, __VA_ARGS__) BY_8(PTX_WGMMA, __VA_ARGS__) BY_16(PTX_WGMMA, __VA_ARGS__)
#define BOTH(...)                                                                                            \
    BY_16(TENSOR_128, __VA_ARGS__)                                                                           \
    TENSOR_64(16, __VA_ARGS__) BY_8(TENSOR_64, __VA_ARGS__) BY_16(TENSOR_64, __VA_ARGS__)
#define ONE(...) TENSOR_128(16, __VA_ARGS__) BY_8(TENSOR_128, __VA_ARGS__) BY_16(TENSOR_128, __VA_ARGS__)
#define TCGEN05(...) BOTH("tcgen05.", __VA_ARGS__)
#define TCGEN05_SCALED(...) ONE("tcgen05.", __VA_ARGS__)
#define TCGEN05_SP(...) BOTH("tcgen05.sp.", __VA_ARGS__)
#define TCGEN05_SP_SCALED(...) ONE("tcgen05.sp.", __VA_ARGS__)
static const lw_insn wide[] = {
#include "isa_tables/ptx/wgmma.inc"
#include "isa_tables/ptx/tcgen05.inc"
};

enum { PARTS = sizeof(parts) / sizeof(parts[0]), WIDE = sizeof(wide) / sizeof(wide[0]) };

/* Do the two differ only in M and N, or is one a part of the other? */
static bool is_kin(const lw_insn *a, const lw_insn *b)
{
    const lw_ptx_row *x = a->ptx, *y = b->ptx;
    return a->archs == b->archs && x->data == y->data && a->k == b->k && a->d == b->d && x->kind == y->kind &&
           x->scale == y->scale && x->scale_vecs == y->scale_vecs &&
           lw_ptx_is_sparse(a) == lw_ptx_is_sparse(b);
}

/*
 * Multiples of 8; of integers and bits, of 16 from 32 on (wgmma: ptxas 13.0, the manual's list ends at 224).
 * tcgen05: PTX ISA manual; with 128 rows and without scales, multiples of 16.
 */
bool lw_ptx_has_width(const lw_insn *insn, unsigned n)
{
    enum { STEP = 8, MOST = 256, LAST_ODD = 32, TALL = 128 };
    const bool tall = insn->m == TALL && !insn->ptx->scale_vecs;
    const unsigned step = tall || (insn->d == LW_ELEM_S32 && n > LAST_ODD) ? 2 * STEP : STEP;
    return lw_ptx_has_parts(insn) && n >= STEP && n <= MOST && n % step == 0;
}

const lw_insn *lw_ptx_of_width(const lw_insn *insn, unsigned n)
{
    if (!lw_ptx_has_width(insn, n))
        return NULL;
    if (insn->n == n)
        return insn;
    for (size_t i = 0; i < WIDE; i++)
        if (wide[i].n == n && wide[i].m == insn->m && is_kin(&wide[i], insn))
            return &wide[i];
    for (size_t i = 0; i < lw_insn_row_count; i++)
        if (lw_ptx_has_parts(&lw_insn_rows[i]) && lw_insn_rows[i].n == n && lw_insn_rows[i].m == insn->m &&
            is_kin(&lw_insn_rows[i], insn))
            return &lw_insn_rows[i];
    return NULL;
}

const lw_insn *lw_ptx_wide_at(size_t index)
{
    return index < WIDE ? &wide[index] : NULL;
}

const lw_insn *lw_ptx_part_of(const lw_insn *insn)
{
    for (size_t i = 0; i < PARTS && lw_ptx_has_parts(insn); i++)
        if (is_kin(&parts[i], insn))
            return &parts[i];
    return NULL;
}

const lw_insn *lw_ptx_part_at(size_t index)
{
    return index < PARTS ? &parts[index] : NULL;
}

const lw_insn *lw_ptx_part(const char *name)
{
    for (size_t i = 0; i < PARTS; i++)
        if (strcmp(parts[i].mnemonic, name) == 0)
            return &parts[i];
    return NULL;
}

lw_mods lw_ptx_part_mods(const lw_insn *insn, const lw_mods *mods)
{
    lw_mods part;
    memset(&part, 0, sizeof(part)); /* the padding, too: mods are compared and hashed by their bytes */
    memcpy(&part.ptx, &mods->ptx, sizeof(part.ptx));
    part.ptx.a_col = part.ptx.b_row = part.ptx.no_c = part.ptx.byte_a = part.ptx.byte_b = 0;
    part.ptx.kind = 0;               /* parts exist without a .kind:: */
    part.ptx.op = insn->ptx->binary; /* the only operation is .and.popc */
    return part;
}

/* Is `word` one of the words after the mnemonic? Counts them in `words`. */
static bool has_word(const char *opcode, const char *word, unsigned *words)
{
    const size_t size = strlen(word);
    bool found = false;
    *words = 0;
    for (const char *at = strchr(opcode, '.'); at; at = strchr(at + 1, '.')) {
        found = found || (strncmp(at + 1, word, size) == 0 && strchr(".", at[1 + size]));
        ++*words;
    }
    return found;
}

lw_ptx_wgmma_verb lw_ptx_wgmma_verb_of(const char *opcode)
{
    static const struct {
        const char *word;
        lw_ptx_wgmma_verb verb;
    } waits[] = { { "fence", LW_PTX_WGMMA_FENCE },
                  { "commit_group", LW_PTX_WGMMA_COMMIT },
                  { "wait_group", LW_PTX_WGMMA_WAIT } };
    enum { WORDS = 3 }; /* its own, sync and aligned, in any order */
    unsigned words;
    if (has_word(opcode, "mma_async", &words))
        return LW_PTX_WGMMA_PRODUCT;
    for (size_t i = 0; i < sizeof(waits) / sizeof(waits[0]); i++)
        if (has_word(opcode, waits[i].word, &words) && words == WORDS && has_word(opcode, "sync", &words) &&
            has_word(opcode, "aligned", &words))
            return waits[i].verb;
    return LW_PTX_WGMMA_NONE;
}

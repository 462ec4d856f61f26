/* SPDX-License-Identifier: MIT */
/* PTX instructions by name or spelling, and the numbers that PTX writes as operands. */
#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "isa_tables/error.h"
#include "isa_tables/ptx/spelling/request.h"

/* As PTX writes it: all lower case, except the X of .scale_vec::1X. */
static void to_lower(const char *text, char lower[LW_PTX_SPELLING_MAX])
{
    static const char vec[] = "scale_vec::";
    size_t length = 0;
    for (; text[length]; length++)
        lower[length] = (char)tolower((unsigned char)text[length]);
    lower[length] = '\0';
    char *at = strstr(lower, vec);
    if (at && at[sizeof(vec) - 1] && at[sizeof(vec)] == 'x')
        at[sizeof(vec)] = 'X';
}

/* A row by its own name: the first types of its class, .row.col, no qualifiers. */
static lw_status find_name(lw_arch arch, const lw_insn *row, const lw_insn **insn, lw_mods *mods,
                           lw_error *error)
{
    const lw_mods none = { 0 };
    if (!lw_insn_on(row, arch)) {
        char names[160];
        lw_ptx_name_archs(row->archs, names, sizeof(names));
        return lw_error_fail(error, LW_E_ARCH, "%s has no %s; it is an instruction of %s",
                             lw_arch_get(arch)->name, row->mnemonic, names);
    }
    *mods = none;
    *insn = row;
    return LW_OK;
}

/* A row by its short name, or what a spelling means. */
static lw_status find_text(lw_arch arch, const char *text, const lw_insn **insn, lw_mods *mods,
                           lw_error *error)
{
    for (size_t i = 0; i < lw_insn_row_count; i++)
        if (lw_insn_rows[i].ptx && strcmp(lw_insn_rows[i].mnemonic, text) == 0)
            return find_name(arch, &lw_insn_rows[i], insn, mods, error);
    lw_ptx_request request;
    lw_mods found = { 0 };
    lw_status st = lw_ptx_read(text, &request, error);
    if (st == LW_OK)
        st = lw_ptx_match(arch, text, &request, insn, &found.ptx, error);
    if (st == LW_OK)
        *mods = found;
    return st;
}

/* Is only its case wrong? Or is it near the short name of a row? */
static void append_near(lw_arch arch, const char *text, lw_error *error)
{
    const lw_insn *insn;
    lw_mods mods;
    char lower[LW_PTX_SPELLING_MAX];
    to_lower(text, lower);
    if (strcmp(lower, text) != 0 && find_text(arch, lower, &insn, &mods, NULL) == LW_OK) {
        lw_error_fail(error, LW_E_NOT_FOUND, "%s: PTX is written in lower case, as ptxas takes it: %s", text,
                      lower);
        return;
    }
    const char *gap = "; short names near it: ";
    for (size_t i = 0; i < lw_insn_row_count; i++) {
        const lw_insn *row = &lw_insn_rows[i];
        if (!row->ptx || !lw_insn_on(row, arch) || !lw_ptx_is_near(lower, row->mnemonic))
            continue;
        lw_error_append(error, "%s%s", gap, row->mnemonic);
        gap = ", ";
    }
}

lw_status lw_ptx_find(lw_arch arch, const char *text, const lw_insn **insn, lw_mods *mods, lw_error *error)
{
    if (strlen(text) >= LW_PTX_SPELLING_MAX)
        return lw_error_fail(error, LW_E_NOT_FOUND,
                             "no PTX matrix instruction has a name of more than %d characters",
                             LW_PTX_SPELLING_MAX - 1);
    if ((text[0] == 'v' || text[0] == 'V') && text[1] == '_')
        return lw_error_fail(error, LW_E_NOT_FOUND,
                             "%s is named like an instruction of AMD, but %s is NVIDIA's", text,
                             lw_arch_get(arch)->name);
    const lw_status st = find_text(arch, text, insn, mods, error);
    if (st != LW_OK && st != LW_E_ARCH && error)
        append_near(arch, text, error);
    return st;
}

/* Modifiers that are operands in PTX. */
static const struct number {
    const char *name;
    size_t offset;
    bool scale; /* belongs to block scaling; otherwise to sparsity */
} numbers[] = {
    { "selector", offsetof(lw_ptx_mods, selector), false },
    { "byte-id-a", offsetof(lw_ptx_mods, byte_a), true },
    { "thread-id-a", offsetof(lw_ptx_mods, thread_a), true },
    { "byte-id-b", offsetof(lw_ptx_mods, byte_b), true },
    { "thread-id-b", offsetof(lw_ptx_mods, thread_b), true },
};

const char *lw_ptx_number_at(size_t index, const lw_ptx_mods *mods, unsigned *value)
{
    if (index >= sizeof(numbers) / sizeof(numbers[0]))
        return NULL;
    *value = *((const uint8_t *)mods + numbers[index].offset);
    return numbers[index].name;
}

const char *lw_ptx_mod_names(const lw_insn *insn)
{
    const bool sparse = lw_ptx_is_sparse(insn), scaled = insn->ptx->scale != LW_ELEM_NONE;
    if (!scaled)
        return sparse ? "selector" : "";
    return sparse ? "selector byte-id-a thread-id-a byte-id-b thread-id-b"
                  : "byte-id-a thread-id-a byte-id-b thread-id-b";
}

const char *lw_ptx_mod_help(const lw_insn *insn)
{
    const bool sparse = lw_ptx_is_sparse(insn), scaled = insn->ptx->scale != LW_ELEM_NONE;
    if (!scaled && !sparse)
        return "Types, layouts and qualifiers are part of the spelling.";
    if (!scaled)
        return "selector:N is the sparsity selector, the last operand: which lanes of each four hold the "
               "metadata. All else is part of the spelling.";
    if (!sparse)
        return "byte-id-a, thread-id-a, byte-id-b, thread-id-b are the operands after the scales: which "
               "byte of which lane of each four holds them. All else is part of the spelling.";
    return "selector:N is the sparsity selector; byte-id-a, thread-id-a, byte-id-b, thread-id-b are the "
           "operands after the scales: which byte of which lane of each four holds them. All else is part "
           "of the spelling.";
}

/* PTX ISA manual: what each move does with its addresses. */
#define ROWS_OF(lane_)                                                                                       \
    "Row i of matrix q is 16 bytes at the address that lane " lane_ " holds, a multiple of 16"
#define OTHERS "; other lanes' addresses are ignored. "
#define PACKED_ROWS                                                                                          \
    "Elements lie side by side from the row's bit 0 on, b6x16_p32 and b4x16_p64 in 6 and 4 bits; each "      \
    "fills "                                                                                                 \
    "a byte, with zeros above."
#define FRAGMENT(verb_)                                                                                      \
    verb_ " one fragment. All lanes hold the matrix's address and one stride, elements from row to row "     \
          "(.col: from column to column). Every row must begin at a multiple of the fragment's bytes in a "  \
          "lane, 4 times its registers."

static const char *const move_help[LW_PTX_FORM_COUNT] = {
    [LW_PTX_WMMA_LOAD] = FRAGMENT("Loads"),
    [LW_PTX_WMMA_STORE] = FRAGMENT("Stores"),
    [LW_PTX_LDMATRIX] =
        "Loads 1, 2 or 4 matrices of 8 rows. " ROWS_OF("8 q + i") ". Other lanes' addresses "
                                                                  "are ignored, but must be valid on sm_75.",
    [LW_PTX_STMATRIX] = "Stores 1, 2 or 4 matrices of 8 rows of memory. " ROWS_OF("8 q + i") OTHERS
    "Rows stored to one place are undefined.",
    [LW_PTX_MOVMATRIX] = "Transposes a matrix of 8 x 8 between the lanes' registers. It has no address.",
};

const char *lw_ptx_move_help(const lw_insn *insn)
{
    const lw_ptx_row *row = insn->ptx;
    if (row->form == LW_PTX_LDMATRIX && row->data == LW_PTX_BYTES)
        return "Loads 1 or 2 matrices of 16 rows. " ROWS_OF("16 q + i") OTHERS PACKED_ROWS;
    if (row->form == LW_PTX_LDMATRIX && row->data == LW_PTX_PACKED)
        return "Loads 1, 2 or 4 matrices of 8 rows. " ROWS_OF("8 q + i") OTHERS PACKED_ROWS;
    return move_help[row->form] ? move_help[row->form] : "";
}

static lw_status fail_name(const lw_insn *insn, const char *piece, size_t length, lw_error *error)
{
    const char *names = lw_ptx_mod_names(insn);
    return lw_error_fail(error, LW_E_UNSUPPORTED,
                         "%s does not take \"%.*s\"; %s%s; types, layouts and qualifiers are part of the "
                         "spelling, as in mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
                         insn->mnemonic, (int)length, piece,
                         names[0] ? "beside its spelling it takes: " : "it takes no modifiers", names);
}

static lw_status read_piece(const lw_insn *insn, const char *piece, size_t length, unsigned *seen,
                            lw_mods *mods, lw_error *error)
{
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        const size_t n = strlen(numbers[i].name);
        if (length < n + 1 || strncmp(piece, numbers[i].name, n) != 0 || piece[n] != ':')
            continue;
        if (numbers[i].scale ? insn->ptx->scale == LW_ELEM_NONE : !lw_ptx_is_sparse(insn))
            break;
        if (*seen >> i & 1)
            return lw_error_fail(error, LW_E_FORMAT, "%s is given twice", numbers[i].name);
        if (length != n + 2 || piece[n + 1] < '0' || piece[n + 1] > '9')
            return lw_error_fail(error, LW_E_FORMAT, "%s takes a number from 0 to 3, not \"%.*s\"",
                                 numbers[i].name, (int)(length - n - 1), piece + n + 1);
        *seen |= 1u << i;
        *((uint8_t *)&mods->ptx + numbers[i].offset) = (uint8_t)(piece[n + 1] - '0');
        return LW_OK;
    }
    return fail_name(insn, piece, length, error);
}

lw_status lw_ptx_mods_parse(const lw_insn *insn, const char *text, lw_mods *mods, lw_error *error)
{
    unsigned seen = 0;
    for (;;) {
        text += strspn(text, " \t\n,");
        const size_t length = strcspn(text, " \t\n,");
        if (length == 0)
            return LW_OK;
        const lw_status st = read_piece(insn, text, length, &seen, mods, error);
        if (st != LW_OK)
            return st;
        text += length;
    }
}

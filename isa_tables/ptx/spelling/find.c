/* SPDX-License-Identifier: MIT */
/* PTX instructions by name or spelling, and the numbers that PTX writes as operands. */
#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "isa_tables/error.h"
#include "isa_tables/ptx/spelling/request.h"
#include "isa_tables/ptx/parts.h"

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

/* Rows of lw_insn_rows, then those of further widths (row 0 for a width that does not exist); NULL
 * after the last. */
static const lw_insn *row_at(size_t index)
{
    if (index < lw_insn_row_count)
        return &lw_insn_rows[index];
    const lw_insn *row = lw_ptx_wide_at(index - lw_insn_row_count);
    return row && !lw_ptx_has_width(row, row->n) ? &lw_insn_rows[0] : row;
}

/* A row by its short name, or what a spelling means. */
static lw_status find_text(lw_arch arch, const char *text, const lw_insn **insn, lw_mods *mods,
                           lw_error *error)
{
    const lw_insn *row;
    for (size_t i = 0; (row = row_at(i)) != NULL; i++)
        if (row->ptx && strcmp(row->mnemonic, text) == 0)
            return find_name(arch, row, insn, mods, error);
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
    enum { MOST_NEAR = 8 };
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
    const lw_insn *row;
    unsigned said = 0;
    for (size_t i = 0; (row = row_at(i)) != NULL && said < MOST_NEAR; i++) {
        if (!row->ptx || !lw_insn_on(row, arch) || !lw_ptx_is_near(lower, row->mnemonic))
            continue;
        said++;
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

/* Modifiers that are operands in PTX: their names and their values as written. */
typedef enum number_kind {
    OF_SPARSE,
    OF_SCALES,
    OF_SCALE_IDS, /* from here to OF_TENSOR_C: tcgen05 */
    OF_NEGATIVES,
    OF_TENSOR_TURNS,
    OF_TENSOR_C,
    OF_SIGNS,  /* 1 or -1 */
    OF_TURNS,  /* 0 or 1 */
    OF_SCALE_D /* 1 or 0 */
} number_kind;

static const struct number {
    const char *name;
    size_t offset;
    uint8_t kind;
    uint8_t count;
    const char *values[4]; /* by their value in lw_ptx_mods; the first is the default */
} numbers[] = {
    { "selector", offsetof(lw_ptx_mods, selector), OF_SPARSE, 4, { "0", "1", "2", "3" } },
    { "byte-id-a", offsetof(lw_ptx_mods, byte_a), OF_SCALES, 4, { "0", "1", "2", "3" } },
    { "thread-id-a", offsetof(lw_ptx_mods, thread_a), OF_SCALES, 4, { "0", "1", "2", "3" } },
    { "byte-id-b", offsetof(lw_ptx_mods, byte_b), OF_SCALES, 4, { "0", "1", "2", "3" } },
    { "thread-id-b", offsetof(lw_ptx_mods, thread_b), OF_SCALES, 4, { "0", "1", "2", "3" } },
    { "scale-d", offsetof(lw_ptx_mods, no_c), OF_SCALE_D, 2, { "1", "0" } },
    { "imm-scale-a", offsetof(lw_ptx_mods, neg_a), OF_SIGNS, 2, { "1", "-1" } },
    { "imm-scale-b", offsetof(lw_ptx_mods, neg_b), OF_SIGNS, 2, { "1", "-1" } },
    { "imm-trans-a", offsetof(lw_ptx_mods, a_col), OF_TURNS, 2, { "0", "1" } },
    { "imm-trans-b", offsetof(lw_ptx_mods, b_row), OF_TURNS, 2, { "0", "1" } },
    { "scale-id-a", offsetof(lw_ptx_mods, byte_a), OF_SCALE_IDS, 4, { "0", "1", "2", "3" } },
    { "scale-id-b", offsetof(lw_ptx_mods, byte_b), OF_SCALE_IDS, 4, { "0", "1", "2", "3" } },
    { "enable-input-d", offsetof(lw_ptx_mods, no_c), OF_TENSOR_C, 2, { "1", "0" } },
    { "negate-a", offsetof(lw_ptx_mods, neg_a), OF_NEGATIVES, 2, { "0", "1" } },
    { "negate-b", offsetof(lw_ptx_mods, neg_b), OF_NEGATIVES, 2, { "0", "1" } },
    { "transpose-a", offsetof(lw_ptx_mods, a_col), OF_TENSOR_TURNS, 2, { "0", "1" } },
    { "transpose-b", offsetof(lw_ptx_mods, b_row), OF_TENSOR_TURNS, 2, { "0", "1" } },
};

enum { NUMBERS = sizeof(numbers) / sizeof(numbers[0]) };

static bool has_number(const lw_insn *insn, number_kind kind)
{
    const lw_ptx_row *row = insn->ptx;
    const bool group = lw_ptx_is_warpgroup(insn), tensor = lw_ptx_is_tensor(insn);
    const bool turns = row->layouts == LW_PTX_ANY_LAYOUT, scaled = row->scale != LW_ELEM_NONE;
    switch (kind) {
    case OF_SPARSE:
        return lw_ptx_is_sparse(insn) && !tensor;
    case OF_SCALES:
        return scaled && !tensor;
    case OF_SIGNS:
        return group && row->negates;
    case OF_TURNS:
        return group && turns;
    case OF_SCALE_D:
        return group;
    case OF_SCALE_IDS:
        return tensor && scaled;
    case OF_NEGATIVES:
        return tensor && row->negates;
    case OF_TENSOR_TURNS:
        return tensor && turns;
    case OF_TENSOR_C:
        break;
    }
    return tensor;
}

const char *lw_ptx_number_at(size_t index, const lw_insn *insn, const lw_ptx_mods *mods, const char **value)
{
    if (index >= NUMBERS)
        return NULL;
    const uint8_t has = *((const uint8_t *)mods + numbers[index].offset);
    const bool known = has < numbers[index].count && has_number(insn, (number_kind)numbers[index].kind);
    *value = has && known ? numbers[index].values[has] : NULL;
    return numbers[index].name;
}

/* The modifiers of a wgmma, by whether it is sparse, negates and turns. */
static const char *wgmma_mod_names(const lw_insn *insn)
{
    static const char *const names[2][3] = {
        { "scale-d", "scale-d imm-scale-a imm-scale-b",
          "scale-d imm-scale-a imm-scale-b imm-trans-a imm-trans-b" },
        { "selector scale-d", "selector scale-d imm-scale-a imm-scale-b",
          "selector scale-d imm-scale-a imm-scale-b imm-trans-a imm-trans-b" },
    };
    return names[has_number(insn, OF_SPARSE)][has_number(insn, OF_SIGNS) + has_number(insn, OF_TURNS)];
}

/* The same for tcgen05. */
static const char *tensor_mod_names(const lw_insn *insn)
{
    if (!has_number(insn, OF_NEGATIVES))
        return "enable-input-d transpose-a transpose-b";
    if (!has_number(insn, OF_SCALE_IDS))
        return "enable-input-d negate-a negate-b transpose-a transpose-b";
    return has_number(insn, OF_TENSOR_TURNS)
               ? "scale-id-a scale-id-b enable-input-d negate-a negate-b transpose-a transpose-b"
               : "scale-id-a scale-id-b enable-input-d negate-a negate-b";
}

const char *lw_ptx_mod_names(const lw_insn *insn)
{
    const bool sparse = lw_ptx_is_sparse(insn), scaled = insn->ptx->scale != LW_ELEM_NONE;
    if (lw_ptx_is_warpgroup(insn))
        return wgmma_mod_names(insn);
    if (lw_ptx_is_tensor(insn))
        return tensor_mod_names(insn);
    if (!scaled)
        return sparse ? "selector" : "";
    return sparse ? "selector byte-id-a thread-id-a byte-id-b thread-id-b"
                  : "byte-id-a thread-id-a byte-id-b thread-id-b";
}

#define WGMMA_HELP                                                                                           \
    "The operands of wgmma that are constants: scale-d:0 leaves C out (D = A * B); imm-scale-a:-1 and "      \
    "imm-scale-b:-1 negate the elements of A and B; imm-trans-a:1 and imm-trans-b:1 say that A and B lie "   \
    "M-major and N-major in shared memory. N is any multiple of 8 up to 256, of integers and bits from 32 "  \
    "on of 16: part of the name, as in m64n128k16."

#define TENSOR_HELP                                                                                          \
    "enable-input-d:0 leaves C out (D = A * B); the others are bits of the instruction descriptor: "         \
    "negate-a "                                                                                              \
    "and negate-b, transpose-a and transpose-b (A and B lie M-major and N-major in shared memory), "         \
    "scale-id-a "                                                                                            \
    "and scale-id-b (which bytes of a column hold the scales). In PTX the descriptor also holds the shape "  \
    "and "                                                                                                   \
    "the types, which are words here: .m128n256k16.f32.f16.f16, or the descriptor itself, "                  \
    ".idesc::0x08400010. "                                                                                   \
    "The short name has N in it, as m128n256k16."

const char *lw_ptx_mod_help(const lw_insn *insn)
{
    const bool sparse = lw_ptx_is_sparse(insn), scaled = insn->ptx->scale != LW_ELEM_NONE;
    if (lw_ptx_is_tensor(insn))
        return TENSOR_HELP;
    if (lw_ptx_is_warpgroup(insn))
        return sparse ? "selector:N is the sparsity selector: which lanes of each four hold the "
                        "metadata. " WGMMA_HELP
                      : WGMMA_HELP;
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

/* Finds the value in lw_ptx_mods for a written one. */
static lw_status read_value(const struct number *n, const char *text, size_t length, uint8_t *value,
                            lw_error *error)
{
    for (unsigned v = 0; v < n->count; v++)
        if (strlen(n->values[v]) == length && memcmp(n->values[v], text, length) == 0) {
            *value = (uint8_t)v;
            return LW_OK;
        }
    if (n->count > 2 && length == 1 && *text >= '0' &&
        *text <= '9') { /* out of range: lw_ptx_check says so */
        *value = (uint8_t)(*text - '0');
        return LW_OK;
    }
    if (n->count > 2)
        return lw_error_fail(error, LW_E_FORMAT, "%s takes a number from 0 to 3, not \"%.*s\"", n->name,
                             (int)length, text);
    return lw_error_fail(error, LW_E_FORMAT, "%s is %s or %s, not \"%.*s\"", n->name, n->values[0],
                         n->values[1], (int)length, text);
}

static lw_status read_piece(const lw_insn *insn, const char *piece, size_t length, unsigned *seen,
                            lw_mods *mods, lw_error *error)
{
    for (size_t i = 0; i < NUMBERS; i++) {
        const size_t n = strlen(numbers[i].name);
        if (length < n + 1 || strncmp(piece, numbers[i].name, n) != 0 || piece[n] != ':')
            continue;
        if (!has_number(insn, (number_kind)numbers[i].kind))
            break;
        if (*seen >> i & 1)
            return lw_error_fail(error, LW_E_FORMAT, "%s is given twice", numbers[i].name);
        *seen |= 1u << i;
        return read_value(&numbers[i], piece + n + 1, length - n - 1,
                          (uint8_t *)&mods->ptx + numbers[i].offset, error);
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

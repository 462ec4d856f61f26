/* SPDX-License-Identifier: MIT */
#include "isa_tables/ptx/op.h"

#include <string.h>

const lw_ptx_type_info lw_ptx_types[LW_PTX_TYPE_COUNT] = {
#define IN_PACK(bits_) ((bits_) == 6 ? 8 : (bits_))
#define BITS_OF(format_, count_)                                                                             \
    ((count_) == 1 ? (int)LW_BITS_OF_##format_ : (count_)*IN_PACK((int)LW_BITS_OF_##format_))
#define TYPE(id, word_, format_, count_, class_)                                                             \
    [LW_PTX_TYPE_##                                                                                          \
        id] = { word_, BITS_OF(format_, count_), LW_PTX_CLASS_##class_, LW_FORMAT_##format_, count_ },
#include "isa_tables/ptx/scalar_types.inc"
#undef TYPE
#undef BITS_OF
#undef IN_PACK
};

const lw_ptx_special_info lw_ptx_specials[LW_PTX_SPECIAL_COUNT] = {
#define ALL UINT32_MAX
#define SOME(member) (UINT32_C(1) << (member))
#define SPECIAL(id, name_, bits_, components_, last_, known_)                                                \
    [LW_PTX_SPECIAL_##id] = { name_, bits_, components_, last_, known_ },
#include "isa_tables/ptx/special_registers.inc"
#undef SPECIAL
#undef SOME
#undef ALL
};

#define G(group) LW_PTX_GROUP_BIT(LW_PTX_GROUP_##group)

typedef struct word_info {
    const char *text;
    lw_ptx_group_set groups;
} word_info;

static const word_info words[LW_PTX_WORD_COUNT] = {
#define WORD(id, text_, groups_) [LW_PTX_WORD_##id] = { text_, groups_ },
#include "isa_tables/ptx/words.inc"
#undef WORD
};

/* clang-format off */
#define T(type) (UINT64_C(1) << LW_PTX_TYPE_##type)
#define PRED T(PRED)
#define B32 T(B32)
#define B64 T(B64)
#define B128 T(B128)
#define U16 T(U16)
#define U32 T(U32)
#define U64 T(U64)
#define F32 T(F32)
#define F64 T(F64)
#define BITS (T(B16) | B32 | B64)
#define SINTS (T(S16) | T(S32) | T(S64))
#define INTS (U16 | U32 | U64 | SINTS)
#define INTS16_32 (U16 | U32 | T(S16) | T(S32))
#define CVTS (INTS | T(U8) | T(S8))
#define CVT32S (T(U8) | T(S8) | U16 | T(S16) | U32 | T(S32))
#define F16 T(F16)
#define BF16 T(BF16)
#define HALVES (F16 | BF16)
#define PAIRS (T(F16X2) | T(BF16X2))
#define REALS (HALVES | F32 | F64)
#define TF32 T(TF32)
#define INTPAIRS (T(U16X2) | T(S16X2))
#define INT32 (U32 | T(S32))
#define FP8X2 (T(E4M3X2) | T(E5M2X2))
#define FP6X2 (T(E2M3X2) | T(E3M2X2))
#define FP4X2 T(E2M1X2)
#define FP8X4 (T(E4M3X4) | T(E5M2X4))
#define FP6X4 (T(E2M3X4) | T(E3M2X4))
#define FP4X4 T(E2M1X4)
#define SCALEX2 T(UE8M0X2)
#define MEMORY (BITS | T(B8) | B128 | CVTS | F32 | F64)

const lw_ptx_op lw_ptx_ops[LW_PTX_OP_COUNT] = {
#define OP(id_, mnemonic_, needs_, takes_, first_, second_, operands_, semantics_, evidence_)                \
    [LW_PTX_OP_##id_] = { .mnemonic = mnemonic_, .operands = operands_, .semantics = #semantics_,            \
                          .needs = needs_, .takes = takes_, .types = { first_, second_ },                    \
                          .id = LW_PTX_OP_##id_, .evidence = LW_LABEL_##evidence_ },
#include "isa_tables/ptx/ops.inc"
#undef OP
};
/* clang-format on */

static bool is_word(const char *text, const char *word, size_t size)
{
    return strlen(text) == size && memcmp(text, word, size) == 0;
}

lw_ptx_type lw_ptx_type_find(const char *word, size_t size)
{
    for (int t = LW_PTX_TYPE_NONE + 1; t < LW_PTX_TYPE_COUNT; t++)
        if (is_word(lw_ptx_types[t].word, word, size))
            return (lw_ptx_type)t;
    return LW_PTX_TYPE_NONE;
}

static lw_ptx_word_id find_word(const char *word, size_t size)
{
    for (int w = LW_PTX_WORD_NONE + 1; w < LW_PTX_WORD_COUNT; w++)
        if (is_word(words[w].text, word, size))
            return (lw_ptx_word_id)w;
    return LW_PTX_WORD_NONE;
}

void lw_ptx_opcode_add(lw_ptx_opcode *opcode, const char *word, size_t size)
{
    const lw_ptx_type type = lw_ptx_type_find(word, size);
    const lw_ptx_word_id found = type ? LW_PTX_WORD_NONE : find_word(word, size);
    if (type && opcode->type_count < LW_PTX_MOST_TYPES)
        opcode->types[opcode->type_count++] = (uint8_t)type;
    else if (found && opcode->word_count < LW_PTX_MOST_WORDS)
        opcode->words[opcode->word_count++] = (uint8_t)found;
    else
        opcode->unknown = true;
}

static bool types_fit(const lw_ptx_op *op, const lw_ptx_opcode *opcode)
{
    const unsigned count = op->types[1] ? 2 : op->types[0] ? 1 : 0;
    const bool third = strchr(op->operands, 'y') != NULL;
    if (opcode->type_count != count + third || (third && opcode->types[count] != LW_PTX_TYPE_B32))
        return false;
    for (unsigned i = 0; i < count; i++)
        if (!(op->types[i] >> opcode->types[i] & 1))
            return false;
    return true;
}

/* Each word must belong to one group of the row that no other word has taken; no required group may be
 * missing. */
static bool words_fit(const lw_ptx_op *op, const lw_ptx_opcode *opcode)
{
    lw_ptx_group_set free_groups = op->needs | op->takes, taken = 0;
    for (unsigned i = 0; i < opcode->word_count; i++) {
        const lw_ptx_group_set fit = words[opcode->words[i]].groups & free_groups;
        const lw_ptx_group_set group = fit & (~fit + 1);
        if (!group)
            return false;
        taken |= group;
        free_groups &= ~group;
    }
    return (op->needs & ~taken) == 0;
}

/* isa_tables/ptx/spelling reads the words of matrix instructions. */
static bool fits(const lw_ptx_op *op, const lw_ptx_opcode *opcode)
{
    if (op->operands[0] == 'n')
        return true;
    return !opcode->unknown && types_fit(op, opcode) && words_fit(op, opcode);
}

const lw_ptx_op *lw_ptx_op_find(const char *mnemonic, size_t size, const lw_ptx_opcode *opcode)
{
    size_t low = 0, high = LW_PTX_OP_COUNT;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        const char *name = lw_ptx_ops[middle].mnemonic;
        const int order = strncmp(name, mnemonic, size);
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (size_t i = low; i < LW_PTX_OP_COUNT && strncmp(lw_ptx_ops[i].mnemonic, mnemonic, size) == 0; i++)
        if (!lw_ptx_ops[i].mnemonic[size] && fits(&lw_ptx_ops[i], opcode))
            return &lw_ptx_ops[i];
    return NULL;
}

static unsigned count_of(const char *text, char letter)
{
    unsigned count = 0;
    for (; *text; text++)
        count += *text == letter;
    return count;
}

bool lw_ptx_op_letters(const lw_ptx_op *op, const lw_ptx_opcode *opcode, uint32_t count,
                       char letters[LW_PTX_MOST_OPERANDS + 1])
{
    const bool hint = (lw_ptx_opcode_groups(opcode) & G(HINT)) && strchr(op->operands, 'h');
    const unsigned optional = count_of(op->operands, '?');
    const unsigned least = (unsigned)strlen(op->operands) - 2 * optional + hint;
    unsigned spare = count > least ? (unsigned)(count - least) : 0, used = 0;
    for (const char *letter = op->operands; *letter; letter += letter[1] == '?' ? 2 : 1) {
        const bool given = letter[1] != '?' || (*letter == 'h' ? hint : spare && spare--);
        if (given && used < LW_PTX_MOST_OPERANDS)
            letters[used++] = *letter;
    }
    letters[used] = '\0';
    return used == count;
}

const char *lw_ptx_op_target(const lw_ptx_op *op)
{
    static const char *const targets[LW_PTX_OP_COUNT] = {
#define ONLY_ON(id, target) [LW_PTX_OP_##id] = target,
#include "isa_tables/ptx/targets.inc"
#undef ONLY_ON
    };
    return targets[op->id];
}

bool lw_ptx_op_runs(const lw_ptx_op *op)
{
    return op && strcmp(op->semantics, "none") != 0;
}

lw_ptx_word_id lw_ptx_opcode_word(const lw_ptx_opcode *opcode, lw_ptx_group group)
{
    for (unsigned i = 0; i < opcode->word_count; i++)
        if (words[opcode->words[i]].groups >> group & 1)
            return (lw_ptx_word_id)opcode->words[i];
    return LW_PTX_WORD_NONE;
}

lw_ptx_group_set lw_ptx_opcode_groups(const lw_ptx_opcode *opcode)
{
    lw_ptx_group_set groups = 0;
    for (unsigned i = 0; i < opcode->word_count; i++)
        groups |= words[opcode->words[i]].groups;
    return groups;
}

lw_ptx_host lw_ptx_host_find(const char *name, uint32_t params)
{
    static const struct {
        const char *name;
        uint32_t params;
    } hosts[LW_PTX_HOST_COUNT] = {
#define HOST(id, name_, params_) [LW_PTX_HOST_##id] = { name_, params_ },
#include "isa_tables/ptx/host_functions.inc"
#undef HOST
    };
    for (int h = LW_PTX_HOST_NONE + 1; h < LW_PTX_HOST_COUNT; h++)
        if (hosts[h].params == params && strcmp(hosts[h].name, name) == 0)
            return (lw_ptx_host)h;
    return LW_PTX_HOST_NONE;
}

/* The number after a member's name: "%envreg31". */
static bool read_member(const char *digits, size_t size, unsigned last, unsigned *member)
{
    if (size == 0 || size > 2 || (size == 2 && digits[0] == '0'))
        return false;
    *member = 0;
    for (size_t i = 0; i < size; i++) {
        if (digits[i] < '0' || digits[i] > '9')
            return false;
        *member = *member * 10 + (unsigned)(digits[i] - '0');
    }
    return *member <= last;
}

bool lw_ptx_special_find(const char *name, size_t size, lw_ptx_special *special, unsigned *member)
{
    for (int s = 0; s < LW_PTX_SPECIAL_COUNT; s++) {
        const lw_ptx_special_info *info = &lw_ptx_specials[s];
        const size_t own = strlen(info->name);
        *special = (lw_ptx_special)s;
        *member = 0;
        if (own > size || memcmp(info->name, name, own) != 0)
            continue;
        if (info->last ? read_member(name + own, size - own, info->last, member) : own == size)
            return true;
    }
    return false;
}

/* SPDX-License-Identifier: MIT */
/* What users may ask about a matrix instruction. */
#include <ctype.h>
#include <string.h>

#include "isa_tables/error.h"
#include "isa_tables/matrix.h"
#include "isa_tables/ptx/row.h"

static const char *const operand_names[LW_OPERAND_COUNT] = {
    [LW_OPERAND_A] = "A",
    [LW_OPERAND_B] = "B",
    [LW_OPERAND_C] = "C",
    [LW_OPERAND_D] = "D",
    [LW_OPERAND_INDEX] = "index",
    [LW_OPERAND_SCALE_A] = "scale_a",
    [LW_OPERAND_SCALE_B] = "scale_b",
};

const char *lw_operand_name(lw_operand operand)
{
    return (unsigned)operand < LW_OPERAND_COUNT ? operand_names[operand] : NULL;
}

static bool same_word(const char *a, const char *b)
{
    for (; *a && tolower((unsigned char)*a) == tolower((unsigned char)*b); a++)
        b++;
    return *a == '\0' && *b == '\0';
}

lw_status lw_operand_find(const char *name, lw_operand *operand)
{
    if (!name || !operand)
        return LW_E_ARGUMENT;
    for (unsigned i = 0; i < LW_OPERAND_COUNT; i++)
        if (same_word(name, operand_names[i])) {
            *operand = (lw_operand)i;
            return LW_OK;
        }
    return LW_E_NOT_FOUND;
}

size_t lw_insn_count(lw_arch arch)
{
    size_t count = 0;
    while (lw_insn_at(arch, count))
        count++;
    return count;
}

const lw_insn *lw_insn_at(lw_arch arch, size_t index)
{
    if (arch <= LW_ARCH_NONE || arch >= LW_ARCH_COUNT)
        return NULL;
    for (size_t i = 0; i < lw_insn_row_count; i++)
        if (lw_insn_on(&lw_insn_rows[i], arch) && index-- == 0)
            return &lw_insn_rows[i];
    return NULL;
}

static const char *operand_files(const lw_insn *insn, lw_operand operand)
{
    if (insn->ptx)
        return "registers";
    if (operand == LW_OPERAND_INDEX || operand == LW_OPERAND_SCALE_A || operand == LW_OPERAND_SCALE_B)
        return "v";
    if (operand == LW_OPERAND_A || operand == LW_OPERAND_B || lw_insn_is_sparse(insn))
        return "v or a";
    return operand == LW_OPERAND_C ? "v or a as D is, or an inline constant" : "v or a as C is";
}

/* The shape of an operand under `mods`, formats that a modifier picks resolved. */
static void fill_operand(const lw_insn *insn, lw_operand operand, const lw_mods *mods, lw_operand_info *info)
{
    const lw_elem elem = lw_insn_elem(insn, operand, mods);
    *info = (lw_operand_info){
        .present = elem != LW_ELEM_NONE,
        .format = lw_elem_rows[elem].name,
        .element_bits = lw_elem_rows[elem].bits,
        .registers = (uint8_t)lw_insn_registers(insn, operand, mods),
        .files = elem == LW_ELEM_NONE ? "" : operand_files(insn, operand),
    };
}

static bool by_type(const lw_insn *insn, lw_operand operand)
{
    const uint8_t columns[] = { insn->a, insn->b, insn->c, insn->d };
    return operand <= LW_OPERAND_D && columns[operand] == LW_ELEM_BY_TYPE;
}

/* Formats that a modifier picks stay open; 8-bit data, code 0, takes the most registers. */
static void fill_operand_any(const lw_insn *insn, lw_operand operand, lw_operand_info *info)
{
    const lw_mods none = { 0 };
    fill_operand(insn, operand, &none, info);
    if (insn->ptx && by_type(insn, operand)) {
        info->format = lw_elem_rows[LW_ELEM_BY_TYPE].name;
        info->element_bits = insn->ptx->data == LW_PTX_INT8 || insn->ptx->data == LW_PTX_FP8 ? 8 : 0;
    }
    if (insn->layout != LW_FAMILY_F8F6F4 || (operand != LW_OPERAND_A && operand != LW_OPERAND_B))
        return;
    info->format = lw_elem_rows[operand == LW_OPERAND_A ? insn->a : insn->b].name;
    info->element_bits = 0;
}

static const char *family_name(const lw_insn *insn)
{
    if (insn->ptx)
        return lw_ptx_form_names[insn->ptx->form];
    if (lw_insn_is_sparse(insn))
        return "smfmac";
    return lw_insn_is_scaled(insn) ? "mfma_scale" : "mfma";
}

/* What is different where there is no machine code to describe. */
static void describe_ptx(const lw_insn *insn, lw_insn_info *info)
{
    info->encoding = "PTX";
    info->wave_sizes = 1 << 0;
    info->bytes = 0;
    info->c_inline = false;
    info->ptx_isa = insn->ptx->isa;
    info->moves = lw_ptx_is_move(insn);
    info->modifiers = lw_ptx_mod_names(insn);
    info->modifier_help = lw_ptx_mod_help(insn);
}

lw_status lw_insn_get_info(lw_arch arch, const lw_insn *insn, lw_insn_info *info)
{
    if (!info)
        return LW_E_ARGUMENT;
    const lw_status st = lw_insn_require(arch, insn, NULL);
    if (st != LW_OK)
        return st;

    const bool by_format = insn->layout == LW_FAMILY_F8F6F4;
    *info = (lw_insn_info){
        .mnemonic = insn->mnemonic,
        .family = family_name(insn),
        .encoding = lw_insn_is_scaled(insn) ? "VOP3PX2" : "VOP3P-MAI",
        .arch = arch,
        .m = insn->m,
        .n = insn->n,
        .k = insn->k,
        .blocks = insn->blocks,
        .wave_sizes = 1 << 1,
        .bytes = lw_insn_is_scaled(insn) ? 16 : 8,
        .opcode = insn->op[arch],
        .passes = (uint8_t)(insn->passes[arch] * (by_format ? 2 : 1)),
        .passes_note = by_format ? "half of that when neither A nor B is 8-bit" : "",
        .sparse = lw_insn_is_sparse(insn),
        .scaled = lw_insn_is_scaled(insn),
        .c_inline = !lw_insn_is_sparse(insn),
        .modifiers = lw_mod_rule_names((lw_mod_rule)insn->mods),
        .modifier_help = lw_mod_rule_help((lw_mod_rule)insn->mods),
    };
    if (insn->ptx)
        describe_ptx(insn, info);
    memcpy(info->aliases, insn->aliases, sizeof(info->aliases));
    for (unsigned a = 0; a < LW_ARCH_COUNT; a++)
        if (lw_insn_on(insn, (lw_arch)a))
            info->archs |= 1u << a;
    for (unsigned i = 0; i < LW_OPERAND_COUNT; i++)
        fill_operand_any(insn, (lw_operand)i, &info->operand[i]);
    return LW_OK;
}

lw_status lw_insn_operand(lw_arch arch, const lw_insn *insn, lw_operand operand, const lw_mods *mods,
                          lw_operand_info *info, lw_error *error)
{
    const lw_mods none = { 0 };
    if (!info || (unsigned)operand >= LW_OPERAND_COUNT)
        return lw_error_fail(error, LW_E_ARGUMENT, "no such operand");
    const lw_status st = lw_mods_check(arch, insn, mods, error);
    if (st != LW_OK)
        return st;

    lw_operand_info found;
    fill_operand(insn, operand, mods ? mods : &none, &found);
    if (!found.present)
        return lw_error_fail(error, LW_E_ARGUMENT, "%s has no operand %s%s", insn->mnemonic,
                             operand_names[operand],
                             operand == LW_OPERAND_C ? ": it adds to D, which is read and written" : "");
    *info = found;
    return LW_OK;
}

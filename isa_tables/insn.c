/* SPDX-License-Identifier: MIT */
/* What users may ask about a matrix instruction. */
#include <ctype.h>
#include <string.h>

#include "isa_tables/error.h"
#include "isa_tables/options.h"
#include "isa_tables/matrix.h"
#include "isa_tables/ptx/descriptor.h"

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
    for (size_t i = 0; arch > LW_ARCH_NONE && arch < LW_ARCH_COUNT && i < lw_insn_row_count; i++)
        count += lw_insn_on(&lw_insn_rows[i], arch);
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

static const char *operand_files(lw_arch arch, const lw_insn *insn, lw_operand operand)
{
    if (lw_ptx_is_tensor(insn) && operand <= LW_OPERAND_B)
        return operand == LW_OPERAND_A ? "tensor or shared memory" : "shared memory";
    if (lw_ptx_is_tensor(insn))
        return "tensor memory";
    if (lw_ptx_is_warpgroup(insn) && operand <= LW_OPERAND_B)
        return operand == LW_OPERAND_A ? "registers or shared memory" : "shared memory";
    if (insn->ptx)
        return "registers";
    const lw_arch_traits *traits = &lw_arch_traits_rows[arch];
    switch (operand) {
    case LW_OPERAND_A:
    case LW_OPERAND_B:
        return traits->ab;
    case LW_OPERAND_C:
        return traits->c;
    case LW_OPERAND_D:
        return lw_insn_is_sparse(insn) ? traits->ab : traits->d;
    case LW_OPERAND_SCALE_A:
    case LW_OPERAND_SCALE_B:
        return traits->scale;
    case LW_OPERAND_INDEX:
    case LW_OPERAND_COUNT:
        break;
    }
    return "v";
}

/* The shape of an operand under `mods`, with the formats that a modifier picks resolved. */
static void fill_operand(lw_arch arch, const lw_insn *insn, lw_operand operand, const lw_mods *mods,
                         lw_operand_info *info)
{
    const lw_elem elem = lw_insn_elem(insn, operand, mods);
    const bool in_columns = lw_ptx_is_tensor(insn);
    const unsigned registers = lw_insn_registers(arch, insn, operand, mods);
    *info = (lw_operand_info){
        .present = elem != LW_ELEM_NONE,
        .format = lw_elem_rows[elem].name,
        .element_bits = lw_elem_rows[elem].bits,
        .registers = (uint8_t)(in_columns ? 0 : registers),
        .columns = (uint16_t)(in_columns ? registers : 0),
        .files = elem == LW_ELEM_NONE ? "" : operand_files(arch, insn, operand),
    };
}

static bool by_type(const lw_insn *insn, lw_operand operand)
{
    const uint8_t columns[] = { insn->a, insn->b, insn->c, insn->d };
    return operand <= LW_OPERAND_D && columns[operand] == LW_ELEM_BY_TYPE;
}

/* Formats that a modifier picks stay open; 8-bit data (code 0) takes the most registers. */
static void fill_operand_any(lw_arch arch, const lw_insn *insn, lw_operand operand, lw_operand_info *info)
{
    const lw_mods none = { 0 };
    const lw_elem elem = (lw_elem)(operand == LW_OPERAND_A ? insn->a : insn->b);
    fill_operand(arch, insn, operand, &none, info);
    if (insn->ptx && by_type(insn, operand)) {
        info->format = lw_ptx_class_name((lw_ptx_class)insn->ptx->data);
        info->element_bits = insn->ptx->data == LW_PTX_INT8 || insn->ptx->data == LW_PTX_FP8 ? 8 : 0;
    }
    if (insn->ptx || (operand != LW_OPERAND_A && operand != LW_OPERAND_B) || lw_elem_rows[elem].bits)
        return;
    info->format = lw_elem_rows[elem].name;
    info->element_bits = 0;
}

static const char *family_name(const lw_insn *insn)
{
    if (insn->ptx)
        return lw_ptx_form_names[insn->ptx->form];
    switch ((lw_layout_family)insn->layout) {
    case LW_FAMILY_SMFMAC:
    case LW_FAMILY_SMFMAC_X2:
        return "smfmac";
    case LW_FAMILY_SWMMAC:
        return "swmmac";
    case LW_FAMILY_WMMA:
        return lw_insn_is_scaled(insn) ? "wmma_scale" : "wmma";
    default:
        return lw_insn_is_scaled(insn) ? "mfma_scale" : "mfma";
    }
}

static const char *encoding_name(const lw_insn *insn)
{
    if (lw_insn_is_scaled(insn))
        return "VOP3PX2";
    return insn->layout == LW_FAMILY_WMMA || insn->layout == LW_FAMILY_SWMMAC ? "VOP3P" : "VOP3P-MAI";
}

static void fill_time(lw_arch arch, const lw_insn *insn, lw_insn_info *info)
{
    const bool cdna = info->wave_sizes == 2, by_format = insn->layout == LW_FAMILY_F8F6F4;
    const unsigned passes = insn->passes[arch] * (by_format ? 2u : 1u);
    info->passes = (uint8_t)(cdna ? passes : 0);
    info->cycles = (uint16_t)(4 * passes);
    info->passes_note = by_format ? "half of that when neither A nor B is 8-bit" : "";
    if (!cdna)
        info->passes_note = passes ? "AMD's matrix instruction calculator" : "nothing is published";
}

unsigned lw_insn_wave_sizes(lw_arch arch, const lw_insn *insn)
{
    return insn->ptx ? lw_ptx_lanes(insn) >> 5 : lw_arch_traits_rows[arch].wave_sizes;
}

unsigned lw_insn_usual_wave(lw_arch arch, const lw_insn *insn)
{
    return insn->ptx ? lw_ptx_lanes(insn) : lw_arch_traits_rows[arch].wave;
}

/* What differs because there is no machine code to describe. */
static void describe_ptx(const lw_insn *insn, lw_insn_info *info)
{
    info->encoding = "PTX";
    info->passes_note = "";
    info->bytes = 0;
    info->c_inline = false;
    info->ptx_isa = insn->ptx->isa;
    info->moves = lw_ptx_is_move(insn);
    info->modifiers = lw_ptx_mod_names(insn);
    info->modifier_help = lw_ptx_mod_help(insn);
    info->move_help = lw_ptx_move_help(insn);
}

lw_status lw_insn_fill_info(lw_arch arch, const lw_insn *insn, lw_insn_info *given)
{
    lw_insn_info made, *info = &made;
    if (!lw_options_known(given, sizeof(made), sizeof(made)))
        return LW_E_ARGUMENT;
    const lw_status st = lw_insn_require(arch, insn, NULL);
    if (st != LW_OK)
        return st;

    const lw_arch_traits *traits = &lw_arch_traits_rows[arch];
    const lw_mod_row *mods = lw_insn_mod_row(arch, insn);
    *info = (lw_insn_info){
        .mnemonic = lw_insn_name(arch, insn),
        .family = family_name(insn),
        .encoding = encoding_name(insn),
        .arch = arch,
        .m = insn->m,
        .n = insn->n,
        .k = insn->k,
        .blocks = insn->blocks,
        .wave_sizes = (uint8_t)lw_insn_wave_sizes(arch, insn),
        .wave = (uint8_t)lw_insn_usual_wave(arch, insn),
        .tuple_align = traits->tuple_align,
        .bytes = lw_insn_is_scaled(insn) ? 16 : 8,
        .opcode = insn->op[arch],
        .sparse = lw_insn_is_sparse(insn),
        .scaled = lw_insn_is_scaled(insn),
        .scale_k = insn->scale_k,
        .c_inline = !lw_insn_is_sparse(insn) && !traits->no_inline_c,
        .modifiers = mods->names,
        .modifier_help = mods->help,
        .move_help = "",
    };
    fill_time(arch, insn, info);
    if (insn->ptx)
        describe_ptx(insn, info);
    memcpy(info->aliases, lw_insn_aliases(arch, insn), sizeof(info->aliases));
    for (unsigned a = 0; a < LW_ARCH_COUNT; a++)
        if (lw_insn_on(insn, (lw_arch)a))
            info->archs |= 1u << a;
    for (unsigned i = 0; i < LW_OPERAND_COUNT; i++)
        fill_operand_any(arch, insn, (lw_operand)i, &info->operand[i]);
    lw_options_give(given, &made, sizeof(made), sizeof(made));
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
    fill_operand(arch, insn, operand, mods ? mods : &none, &found);
    if (!found.present)
        return lw_error_fail(error, LW_E_ARGUMENT, "%s has no operand %s%s", lw_insn_name(arch, insn),
                             operand_names[operand],
                             operand == LW_OPERAND_C ? ": it adds to D, which is read and written" : "");
    *info = found;
    return LW_OK;
}

lw_status lw_insn_descriptor(lw_arch arch, const lw_insn *insn, const lw_mods *mods, uint32_t *descriptor)
{
    const lw_mods none = { 0 };
    if (!insn || !descriptor)
        return LW_E_ARGUMENT;
    if (!lw_ptx_is_tensor(insn))
        return LW_E_UNSUPPORTED;
    const lw_status st = lw_mods_check(arch, insn, mods, NULL);
    if (st == LW_OK)
        *descriptor = lw_tcgen05_descriptor(insn, mods ? &mods->ptx : &none.ptx);
    return st;
}

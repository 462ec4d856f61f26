/* SPDX-License-Identifier: MIT */
/* How sure we are of the layouts of WMMA and SWMMAC. */
#include "layouts/verdict.h"

#define CALCULATOR "Equal to AMD's matrix instruction calculator, element for element."
#define CDNA5                                                                                                \
    "AMD CDNA5 ISA manual 7.12 and Composable Kernel's parameters; every element has one place. Not "        \
    "measured."
#define INDEX_ORDER                                                                                          \
    "AMD requires the first position of a group to be less than the second; what the chip does otherwise "   \
    "is not specified."

static const lw_layout_verdict by_calculator = { LW_LABEL_VENDOR, CALCULATOR, NULL };
static const lw_layout_verdict copies = {
    LW_LABEL_VENDOR,
    CALCULATOR " Every 16 lanes hold a copy; AMD requires the copies to be equal.",
    "What the instruction computes from copies that differ is not specified. The natural guess is that each "
    "16 lanes of D are computed from the copy in their own lanes.",
};
static const lw_layout_verdict halves = {
    LW_LABEL_VENDOR,
    CALCULATOR " Elements fill one half of each register: the low one, or the high one with op_sel:[0,0,1].",
    "Whether D's other half keeps its bits: LLVM has forms that rely on it and forms that do not care; here "
    "it is kept.",
};
static const lw_layout_verdict index_by_calculator = { LW_LABEL_VENDOR, CALCULATOR, INDEX_ORDER };
static const lw_layout_verdict index_of_nibbles = {
    LW_LABEL_VENDOR,
    CALCULATOR,
    INDEX_ORDER " One published report says that a gfx1201 read the index fields of iu4 swapped and with the "
                "low bit flipped, unlike the ISA manual; results captured in waves of 32 contradict it.",
};
static const lw_layout_verdict documented = { LW_LABEL_VENDOR, CDNA5, NULL };
static const lw_layout_verdict runs = {
    LW_LABEL_VENDOR,
    CDNA5 " Composable Kernel describes two contiguous halves of k instead: the same up to the order of "
          "summation as long as A and B have elements of one width and no scales.",
    NULL,
};
static const lw_layout_verdict unscaled_formats = {
    LW_LABEL_UNKNOWN,
    CDNA5,
    "For unscaled f8f6f4 with 6- or 4-bit data another emulator (rocjitsu) permutes the bits of k "
    "differently, and pairs A and B as here only when scaled. Here the ISA manual's table is used for both.",
};
static const lw_layout_verdict low_registers = {
    LW_LABEL_UNKNOWN,
    "The bf16 result in the low four of the eight registers that held C, after another emulator (rocjitsu).",
    "LLVM gives the result eight registers, as C has; no document says which four hold the bf16 elements.",
};
static const lw_layout_verdict sparse_f16 = {
    LW_LABEL_INFERRED,
    "Composable Kernel's GPU tests of the f16 form. A group's values and B's k lie in the same lane.",
    NULL,
};
static const lw_layout_verdict sparse_bf16 = {
    LW_LABEL_INFERRED,
    "As the f16 form, which Composable Kernel's GPU tests confirm; not measured for this one.",
    NULL,
};
static const lw_layout_verdict sparse_bytes = {
    LW_LABEL_INFERRED,
    "Kernels of Tensile need it, as the authors of another emulator (rocjitsu) found. The tables of the "
    "CDNA5 "
    "ISA manual (7.12.3, 7.12.5) place 8-bit data differently.",
    NULL,
};
#define INDEX_KEY                                                                                            \
    "All bits of the index are in use, so that index_key has nothing to pick; LLVM assembles 0 and 1, and "  \
    "another emulator (rocjitsu) reads 1 as the upper 16 bits. Here it must be 0. " INDEX_ORDER
static const lw_layout_verdict index_f16 = {
    LW_LABEL_INFERRED,
    "Composable Kernel's GPU tests of the f16 form. The index is not in the lanes of the values: the lower "
    "16 "
    "lanes hold it for the lower half of k.",
    INDEX_KEY,
};
static const lw_layout_verdict index_bf16 = {
    LW_LABEL_INFERRED,
    "As the f16 form, which Composable Kernel's GPU tests confirm. The index is not in the lanes of the "
    "values: the lower 16 lanes hold it for the lower half of k.",
    INDEX_KEY,
};
static const lw_layout_verdict index_bytes = {
    LW_LABEL_INFERRED,
    "Kernels of Tensile need it, as the authors of another emulator (rocjitsu) found; the CDNA5 ISA manual "
    "differs. The index fills a pair of registers, and the lower 16 lanes hold it for the lower half of k.",
    INDEX_KEY,
};
static const lw_layout_verdict scales = {
    LW_LABEL_VENDOR,
    "AMD CDNA5 ISA manual. Byte q of the register, or of the pair, scales block q of k; ROW0 and ROW1 name "
    "the 16 lanes that hold the bytes. Not measured.",
    NULL,
};

static bool is_sum(const lw_layout *layout)
{
    return layout->operand == LW_OPERAND_C || layout->operand == LW_OPERAND_D;
}

static unsigned width_of(const lw_layout *layout, lw_operand operand)
{
    return lw_elem_rows[lw_insn_elem(layout->insn, operand, &layout->mods)].bits;
}

lw_layout_verdict lw_gfx11_verdict(const lw_layout *layout)
{
    if (!is_sum(layout))
        return copies;
    return layout->relation.width == 16 ? halves : by_calculator;
}

lw_layout_verdict lw_gfx12_verdict(const lw_layout *layout)
{
    if (layout->operand != LW_OPERAND_INDEX)
        return by_calculator;
    return width_of(layout, LW_OPERAND_A) == 4 ? index_of_nibbles : index_by_calculator;
}

static lw_layout_verdict gfx1250_sparse(const lw_layout *layout)
{
    const bool index = layout->operand == LW_OPERAND_INDEX;
    if (is_sum(layout)) {
        const bool half_filled = layout->relation.width * 8u < layout->registers * 32u;
        return half_filled ? low_registers : documented;
    }
    if (width_of(layout, LW_OPERAND_A) == 8)
        return index ? index_bytes : sparse_bytes;
    if (layout->insn->a == LW_ELEM_F16)
        return index ? index_f16 : sparse_f16;
    return index ? index_bf16 : sparse_bf16;
}

static lw_layout_verdict gfx1250_dense(const lw_layout *layout)
{
    const lw_insn *insn = layout->insn;
    const unsigned a = width_of(layout, LW_OPERAND_A), b = width_of(layout, LW_OPERAND_B);
    if (layout->operand == LW_OPERAND_SCALE_A || layout->operand == LW_OPERAND_SCALE_B)
        return scales;
    if (is_sum(layout))
        return documented;
    const bool by_format = insn->a == LW_ELEM_FMT_A && !lw_insn_is_scaled(insn);
    return by_format && (a < 8 || b < 8) ? unscaled_formats : runs;
}

lw_layout_verdict lw_gfx1250_verdict(const lw_layout *layout)
{
    return lw_insn_is_sparse(layout->insn) ? gfx1250_sparse(layout) : gfx1250_dense(layout);
}

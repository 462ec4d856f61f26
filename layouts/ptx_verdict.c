/* SPDX-License-Identifier: MIT */
/* How sure we are of the layouts of PTX's instructions. */
#include "isa_tables/ptx/row.h"
#include "layouts/verdict.h"

#define CUTE "Equal to CUTLASS's MMA traits, element for element."
#define DECODED                                                                                              \
    "Read from the code that ptxas 13.0 makes: the addresses of wmma.load, element for element, on sm_75, "  \
    "sm_80, sm_86, sm_89, sm_90, sm_100a and sm_120a, and the registers of wmma.mma. PTX calls fragments "   \
    "opaque: a kernel that keeps to load, mma and store works with any map."

static const lw_layout_verdict by_traits = { LW_LABEL_VENDOR, CUTE, NULL };
static const lw_layout_verdict containers = {
    LW_LABEL_VENDOR,
    CUTE " Every element has a byte: 6-bit formats in bits 5:0, e2m1 in bits 5:2. ldmatrix of 4-bit data "
         "leaves e2m1 in bits 3:0, so kernels shift it left by two.",
    "What hardware does where the other bits of the byte are not zero; here they are not read.",
};
static const lw_layout_verdict scale_bytes = {
    LW_LABEL_VENDOR,
    "Lanes equal to CUTLASS's MMA traits; which byte belongs to which block of k is the PTX ISA manual's "
    "text. Other bytes and lanes are not read.",
    NULL,
};
static const lw_layout_verdict index_of_words = {
    LW_LABEL_VENDOR,
    CUTE " Every lane holds eight nibbles of one row.",
    "What hardware does with equal positions, and with ordered_metadata where they descend.",
};
static const lw_layout_verdict index_of_halves = {
    LW_LABEL_VENDOR,
    "The PTX ISA manual, and CUTLASS's reordering of metadata, replayed. The selector names the threads of "
    "each quad whose words are read.",
    "What hardware does with equal positions, and with ordered_metadata where they descend.",
};
static const lw_layout_verdict index_of_pairs = {
    LW_LABEL_VENDOR,
    "The PTX ISA manual, and CUTLASS's reordering of metadata, replayed. The selector names the two threads "
    "of each quad whose words are read.",
    "Which of the two threads holds the rows below 8 was not measured; here it is the lower one.",
};
static const lw_layout_verdict fragments = { LW_LABEL_VENDOR, DECODED, NULL };
static const lw_layout_verdict fragment_copies = {
    LW_LABEL_VENDOR,
    DECODED " The registers beyond those that the shape needs hold copies, which wmma.mma does not read.",
    NULL,
};
static const lw_layout_verdict older_fragments = {
    LW_LABEL_UNKNOWN,
    "The map of sm_75, which serves kernels that keep to wmma.load, wmma.mma and wmma.store.",
    "What fragments look like before sm_75 is not published; on sm_70 those of f16 are known to differ.",
};
static const lw_layout_verdict of_groups = {
    LW_LABEL_VENDOR,
    "Equal to CUTLASS's traits of wgmma, element for element: the lanes are the 128 threads of a warpgroup, "
    "whose warp w has the rows from 16 w on. A may be in shared memory instead.",
    NULL,
};
static const lw_layout_verdict group_sums = {
    LW_LABEL_VENDOR,
    "Equal to CUTLASS's traits of wgmma, element for element: the lanes are the 128 threads of a warpgroup, "
    "whose warp w has the rows from 16 w on. C is D.",
    NULL,
};
static const lw_layout_verdict in_tensor_memory = {
    LW_LABEL_VENDOR,
    "Equal to CUTLASS's fragments of tensor memory, element for element: the lanes are those of tensor "
    "memory, a "
    "register is a column of 32 bits. A may be in shared memory instead.",
    NULL,
};
static const lw_layout_verdict tensor_sums = {
    LW_LABEL_VENDOR,
    "Equal to CUTLASS's fragments of tensor memory, element for element: the lanes are those of tensor "
    "memory, a "
    "register is a column of 32 bits, of which an f16 has the lower half. C is D.",
    "Of 64 rows, those of a quarter may begin at its lane 16 too: the address in D's operand says so.",
};
static const lw_layout_verdict tensor_scales = {
    LW_LABEL_VENDOR,
    "The PTX ISA manual's figures, and CUTLASS's scale atom as tcgen05.cp.32x128b.warpx4 copies it: every "
    "quarter of "
    "the lanes has all scales.",
    NULL,
};
static const lw_layout_verdict moves = {
    LW_LABEL_VENDOR,
    "Equal to CUTLASS's copy traits, element for element. i is the row of the matrix in memory, the number "
    "of its address among those of the matrix; the other coordinate is the element's place in the row.",
    NULL,
};
static const lw_layout_verdict moved_in_registers = {
    LW_LABEL_VENDOR,
    "The PTX ISA manual: the elements of A, transposed in D.",
    NULL,
};

static lw_layout_verdict judge_index(const lw_layout *layout)
{
    const unsigned bits = lw_elem_rows[lw_insn_elem(layout->insn, LW_OPERAND_A, &layout->mods)].bits;
    if (bits > 8)
        return index_of_halves;
    return layout->insn->ptx->selectors > 1 ? index_of_pairs : index_of_words;
}

static lw_layout_verdict judge_tensor(const lw_layout *layout)
{
    if (layout->operand == LW_OPERAND_SCALE_A || layout->operand == LW_OPERAND_SCALE_B)
        return tensor_scales;
    const bool sums = layout->operand == LW_OPERAND_C || layout->operand == LW_OPERAND_D;
    lw_layout_verdict v = sums ? tensor_sums : in_tensor_memory;
    if (layout->insn->m != 64)
        v.open = NULL;
    return v;
}

static lw_layout_verdict judge_fragment(const lw_layout *layout)
{
    const bool is_ab = layout->operand == LW_OPERAND_A || layout->operand == LW_OPERAND_B;
    if (lw_arch_traits_rows[layout->arch].fragments_unpublished)
        return layout->insn->m == 8 && layout->insn->n == 8 ? by_traits : older_fragments;
    return layout->insn->ptx->repeated && is_ab ? fragment_copies : fragments;
}

lw_layout_verdict lw_ptx_verdict(const lw_layout *layout)
{
    const lw_insn *insn = layout->insn;
    const uint8_t data = insn->ptx->data;
    if (insn->layout == LW_FAMILY_PTX_MOVE)
        return insn->ptx->form == LW_PTX_MOVMATRIX ? moved_in_registers : moves;
    if (insn->layout == LW_FAMILY_PTX_WMMA)
        return judge_fragment(layout);
    if (lw_ptx_is_tensor(insn))
        return judge_tensor(layout);
    if (layout->operand == LW_OPERAND_INDEX)
        return judge_index(layout);
    if (layout->operand == LW_OPERAND_SCALE_A || layout->operand == LW_OPERAND_SCALE_B)
        return scale_bytes;
    const bool is_ab = layout->operand == LW_OPERAND_A || layout->operand == LW_OPERAND_B;
    if (lw_ptx_is_warpgroup(insn))
        return is_ab ? of_groups : group_sums;
    return is_ab && (data == LW_PTX_FLOAT8 || data == LW_PTX_NARROW) ? containers : by_traits;
}

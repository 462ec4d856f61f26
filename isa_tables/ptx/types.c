/* SPDX-License-Identifier: MIT */
/* What follows from a PTX row and its spelling: element types, registers, targets. */
#include <stdio.h>
#include <string.h>

#include "isa_tables/ptx/row.h"

const char *const lw_ptx_form_names[LW_PTX_FORM_COUNT] = {
    [LW_PTX_MMA] = "mma",
    [LW_PTX_MMA_SP] = "mma.sp",
    [LW_PTX_WGMMA] = "wgmma",
    [LW_PTX_WGMMA_SP] = "wgmma.sp",
    [LW_PTX_TCGEN05_MMA] = "tcgen05.mma",
    [LW_PTX_TCGEN05_MMA_SP] = "tcgen05.mma.sp",
    [LW_PTX_WMMA_MMA] = "wmma.mma",
    [LW_PTX_WMMA_LOAD] = "wmma.load",
    [LW_PTX_WMMA_STORE] = "wmma.store",
    [LW_PTX_LDMATRIX] = "ldmatrix",
    [LW_PTX_STMATRIX] = "stmatrix",
    [LW_PTX_MOVMATRIX] = "movmatrix",
};

const char *const lw_ptx_kind_names[LW_PTX_KIND_COUNT] = {
    [LW_PTX_KIND_NONE] = "",
    [LW_PTX_KIND_F8F6F4] = "f8f6f4",
    [LW_PTX_KIND_MXF8F6F4] = "mxf8f6f4",
    [LW_PTX_KIND_MXF4] = "mxf4",
    [LW_PTX_KIND_MXF4NVF4] = "mxf4nvf4",
    [LW_PTX_KIND_F16] = "f16",
    [LW_PTX_KIND_TF32] = "tf32",
    [LW_PTX_KIND_I8] = "i8",
};

enum { MOST_TYPES = 6 };

static const uint8_t class_types[LW_PTX_CLASS_COUNT][MOST_TYPES] = {
    [LW_PTX_F16] = { LW_ELEM_F16 },
    [LW_PTX_BF16] = { LW_ELEM_BF16 },
    [LW_PTX_TF32] = { LW_ELEM_TF32 },
    [LW_PTX_F64] = { LW_ELEM_F64 },
    [LW_PTX_F32] = { LW_ELEM_F32 },
    [LW_PTX_S32] = { LW_ELEM_S32 },
    [LW_PTX_E2M1] = { LW_ELEM_E2M1 },
    [LW_PTX_B1] = { LW_ELEM_B1 },
    [LW_PTX_INT8] = { LW_ELEM_S8, LW_ELEM_U8 },
    [LW_PTX_INT4] = { LW_ELEM_S4, LW_ELEM_U4 },
    [LW_PTX_FP8] = { LW_ELEM_E4M3, LW_ELEM_E5M2 },
    [LW_PTX_FLOAT8] = { LW_ELEM_E4M3, LW_ELEM_E5M2, LW_ELEM_E3M2, LW_ELEM_E2M3, LW_ELEM_E2M1 },
    [LW_PTX_NARROW] = { LW_ELEM_E2M1, LW_ELEM_E2M3, LW_ELEM_E3M2, LW_ELEM_E4M3, LW_ELEM_E5M2 },
    [LW_PTX_B16] = { LW_ELEM_B16 },
    [LW_PTX_BYTES] = { LW_ELEM_B8, LW_ELEM_B6X16, LW_ELEM_B4X16 },
    [LW_PTX_PACKED] = { LW_ELEM_B6X16, LW_ELEM_B4X16 },
    [LW_PTX_B8] = { LW_ELEM_B8 },
};

const uint8_t *lw_ptx_class_types(lw_ptx_class class)
{
    return class_types[class];
}

const char *lw_ptx_class_name(lw_ptx_class class)
{
    static const char *const names[LW_PTX_CLASS_COUNT] = {
        [LW_PTX_INT8] = "s8/u8",    [LW_PTX_INT4] = "s4/u4",    [LW_PTX_FP8] = "fp8",
        [LW_PTX_FLOAT8] = "f8f6f4", [LW_PTX_NARROW] = "f8f6f4", [LW_PTX_BYTES] = "b8/b6/b4",
        [LW_PTX_PACKED] = "b6/b4",
    };
    return names[class] ? names[class] : lw_elem_rows[class_types[class][0]].name;
}

lw_ptx_kind lw_ptx_kind_of(const lw_insn *insn, const lw_ptx_mods *mods)
{
    const lw_ptx_row *row = insn->ptx;
    return (lw_ptx_kind)(mods->kind || !row->needs_kind ? mods->kind : row->kind);
}

unsigned lw_ptx_scale_count(const lw_insn *insn, const lw_ptx_mods *mods)
{
    const uint8_t vecs = insn->ptx->scale_vecs;
    if (!vecs || mods->scale_vec)
        return vecs ? mods->scale_vec : 0;
    return vecs & LW_PTX_1X ? 1 : vecs & LW_PTX_2X ? 2 : 4;
}

unsigned lw_ptx_matrix_count(const lw_ptx_mods *mods)
{
    return mods->count ? mods->count : 1;
}

static lw_elem pick(lw_elem elem, const lw_ptx_row *row, uint8_t type)
{
    if (elem != LW_ELEM_BY_TYPE)
        return elem;
    return (lw_elem)(type ? type : class_types[row->data][0]);
}

lw_elem lw_ptx_elem(const lw_insn *insn, lw_operand operand, const lw_ptx_mods *mods)
{
    const lw_ptx_row *row = insn->ptx;
    switch (operand) {
    case LW_OPERAND_A:
        return pick((lw_elem)insn->a, row, mods->a_type);
    case LW_OPERAND_B:
        return pick((lw_elem)insn->b, row, mods->b_type);
    case LW_OPERAND_C:
        return pick((lw_elem)insn->c, row, mods->c_type);
    case LW_OPERAND_D:
        return pick((lw_elem)insn->d, row, mods->d_type);
    case LW_OPERAND_INDEX:
        return lw_ptx_is_sparse(insn) ? LW_ELEM_INDEX : LW_ELEM_NONE;
    case LW_OPERAND_SCALE_A:
    case LW_OPERAND_SCALE_B:
        return (lw_elem)row->scale;
    case LW_OPERAND_COUNT:
        break;
    }
    return LW_ELEM_NONE;
}

/* Bits that an element takes in a register: 4- and 6-bit floats occupy bytes, except packed e2m1. */
static unsigned slot_bits(const lw_insn *insn, lw_elem elem)
{
    const unsigned kind = insn->ptx->kind;
    const bool bytes = kind == LW_PTX_KIND_F8F6F4 || kind == LW_PTX_KIND_MXF8F6F4;
    return bytes && lw_elem_rows[elem].bits < 8 ? 8 : lw_elem_rows[elem].bits;
}

static unsigned moved_registers(const lw_insn *insn, const lw_ptx_mods *mods)
{
    return insn->ptx->per_matrix * lw_ptx_matrix_count(mods);
}

/*
 * Columns of tensor memory: D has one for each column of the matrix, A its k in 32-bit words, the metadata 64
 * bits for each row or (16- and 32-bit data) 32 for two rows; scales of 32 rows have one.
 */
static unsigned tensor_columns(const lw_insn *insn, lw_operand operand, const lw_ptx_mods *mods)
{
    enum { SCALE_ROWS = 32 };
    const unsigned bits = slot_bits(insn, lw_ptx_elem(insn, LW_OPERAND_A, mods));
    switch (operand) {
    case LW_OPERAND_A:
        return insn->k / (lw_ptx_is_sparse(insn) ? 2u : 1u) * bits / 32;
    case LW_OPERAND_C:
    case LW_OPERAND_D:
        return insn->n;
    case LW_OPERAND_INDEX:
        return bits > 8 ? 1 : 2;
    case LW_OPERAND_SCALE_A:
        return insn->m / SCALE_ROWS;
    case LW_OPERAND_SCALE_B:
        return (insn->n + SCALE_ROWS - 1u) / SCALE_ROWS;
    case LW_OPERAND_B:
    case LW_OPERAND_COUNT:
        break;
    }
    return 0;
}

unsigned lw_ptx_registers(const lw_insn *insn, lw_operand operand, const lw_ptx_mods *mods)
{
    enum { REPEATED_REGISTERS = 8 };
    const unsigned row_bits = 32 * lw_ptx_lanes(insn);
    const lw_elem elem = lw_ptx_elem(insn, operand, mods);
    const unsigned bits = slot_bits(insn, elem) * insn->blocks;
    const unsigned k = operand == LW_OPERAND_A && lw_ptx_is_sparse(insn) ? insn->k / 2u : insn->k;

    if (elem == LW_ELEM_NONE)
        return 0;
    if (lw_ptx_is_tensor(insn))
        return tensor_columns(insn, operand, mods);
    if (insn->layout == LW_FAMILY_PTX_MOVE)
        return moved_registers(insn, mods);
    if ((operand == LW_OPERAND_A || operand == LW_OPERAND_B) && insn->ptx->repeated)
        return REPEATED_REGISTERS;
    if (operand == LW_OPERAND_A)
        return insn->m * k * bits / row_bits;
    if (operand == LW_OPERAND_B)
        return lw_ptx_is_warpgroup(insn) ? 0 : insn->n * k * bits / row_bits;
    if (operand == LW_OPERAND_C || operand == LW_OPERAND_D)
        return (unsigned)insn->m * insn->n * slot_bits(insn, elem) * insn->blocks / row_bits;
    return 1;
}

/* Is it the spelling that fewer targets have? */
static bool means_also(const lw_insn *insn, const lw_ptx_mods *mods)
{
    return !insn->ptx->needs_kind && (insn->ptx->binary ? mods->op != 0 : mods->kind != LW_PTX_KIND_NONE);
}

uint32_t lw_ptx_archs(const lw_insn *insn, const lw_ptx_mods *mods)
{
    return means_also(insn, mods) ? insn->ptx->also : insn->archs;
}

bool lw_ptx_is_ordered(const lw_insn *insn, const lw_ptx_mods *mods)
{
    return mods->ordered || insn->ptx->sp == LW_PTX_SP_ORDERED;
}

unsigned lw_ptx_isa(const lw_insn *insn, const lw_ptx_mods *mods)
{
    enum { ORDERED_METADATA_SINCE = 85 };
    const unsigned isa = means_also(insn, mods) ? insn->ptx->also_isa : insn->ptx->isa;
    return lw_ptx_is_ordered(insn, mods) && isa < ORDERED_METADATA_SINCE ? ORDERED_METADATA_SINCE : isa;
}

void lw_ptx_name_archs(uint32_t archs, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (unsigned a = 0; a < LW_ARCH_COUNT && used < size; a++)
        if (archs >> a & 1u)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "",
                                     lw_arch_get((lw_arch)a)->name);
}

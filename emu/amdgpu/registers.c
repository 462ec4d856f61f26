/* SPDX-License-Identifier: MIT */
#include "emu/amdgpu/registers.h"

#include "emu/amdgpu/decode.h"

typedef struct range_list {
    lw_reg_range *ranges;
    size_t capacity, count;
    bool all_lanes;
} range_list;

static void add(range_list *list, lw_reg_file file, unsigned first, unsigned count, bool read, bool written)
{
    if (list->count < list->capacity)
        list->ranges[list->count] =
            (lw_reg_range){ file, (uint16_t)first, (uint16_t)count, read, written, list->all_lanes };
    list->count++;
}

/* VCCZ, EXECZ and SCC are what they are computed from; apertures and LDS are no registers. */
static void add_special(range_list *list, unsigned code)
{
    if (code == LW_CODE_VCCZ)
        add(list, LW_FILE_SGPR, LW_CODE_VCC, 2, true, false);
    else if (code == LW_CODE_VCCZ + 1)
        add(list, LW_FILE_SGPR, LW_CODE_EXEC, 2, true, false);
    else if (code == LW_CODE_VCCZ + 2)
        add(list, LW_FILE_SCC, 0, 1, true, false);
}

static void add_operand(range_list *list, const lw_opnd *o, bool read, bool written)
{
    switch ((lw_opnd_kind)o->kind) {
    case LW_OPND_VGPR:
        add(list, LW_FILE_VGPR, o->reg, o->dwords, read, written);
        return;
    case LW_OPND_AGPR:
        add(list, LW_FILE_AGPR, o->reg, o->dwords, read, written);
        return;
    case LW_OPND_SGPR:
        add(list, LW_FILE_SGPR, o->reg, o->dwords, read, written);
        return;
    case LW_OPND_SPECIAL:
        add_special(list, o->reg);
        return;
    case LW_OPND_NONE:
    case LW_OPND_INLINE:
    case LW_OPND_LITERAL:
    case LW_OPND_IMM:
    case LW_OPND_OFF:
        return;
    }
}

/* The result register keeps some of its bits, or is a source. */
static bool keeps_result(const lw_inst *in)
{
    const bool dpp_partial =
        in->sub == LW_SUB_DPP && (in->dpp_row_mask != 15 || in->dpp_bank_mask != 15 || !in->dpp_bound_ctrl);
    const bool sdwa_partial = in->sub == LW_SUB_SDWA && in->sdwa_dst_unused == 2;
    return in->row->flags & (LW_OPF_TIED | LW_OPF_SWAP) || in->row->mods & LW_MOD_SPARSE || dpp_partial ||
           sdwa_partial;
}

/* What no operand names; the decoder has made operands of the VCC of carries and compares. */
static void add_implicit(range_list *list, const lw_inst *in)
{
    const uint32_t flags = in->row->flags;
    const bool m0_in = flags & LW_OPF_R_M0 || (in->row->enc == LW_ENC_MUBUF && in->lds);
    if (flags & (LW_OPF_R_EXEC | LW_OPF_W_EXEC))
        add(list, LW_FILE_SGPR, LW_CODE_EXEC, 2, flags & LW_OPF_R_EXEC, flags & LW_OPF_W_EXEC);
    if (flags & LW_OPF_R_VCC)
        add(list, LW_FILE_SGPR, LW_CODE_VCC, 2, true, false);
    if (flags & (LW_OPF_R_SCC | LW_OPF_W_SCC))
        add(list, LW_FILE_SCC, 0, 1, flags & LW_OPF_R_SCC, flags & LW_OPF_W_SCC);
    if (m0_in || flags & LW_OPF_W_M0)
        add(list, LW_FILE_SGPR, LW_CODE_M0, 1, m0_in, flags & LW_OPF_W_M0);
    if (flags & LW_OPF_W_MODE)
        add(list, LW_FILE_MODE, 0, 1, true, true);
}

size_t lw_inst_registers(const lw_inst *in, lw_reg_range *ranges, size_t capacity)
{
    range_list list = { .ranges = ranges,
                        .capacity = ranges ? capacity : 0,
                        .all_lanes = (in->row->flags & LW_OPF_NO_EXEC) != 0 };
    add_operand(&list, &in->dst, keeps_result(in), true);
    add_operand(&list, &in->sdst, false, true);
    for (unsigned i = 0; i < LW_MAX_SRC; i++)
        add_operand(&list, &in->src[i], true, i == 0 && in->row->flags & LW_OPF_SWAP);
    add_operand(&list, &in->scale[0], true, false);
    add_operand(&list, &in->scale[1], true, false);
    add_implicit(&list, in);
    return list.count;
}

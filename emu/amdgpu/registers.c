/* SPDX-License-Identifier: MIT */
#include "emu/amdgpu/registers.h"

#include "emu/amdgpu/decode.h"

typedef struct lw_collector {
    lw_reg_range *ranges;
    unsigned count;
} lw_collector;

static void add(lw_collector *c, lw_reg_file file, unsigned first, unsigned count, bool read, bool written)
{
    if (c->count < LW_MAX_REG_RANGES)
        c->ranges[c->count++] = (lw_reg_range){ .file = (uint8_t)file,
                                                .first = (uint16_t)first,
                                                .count = (uint16_t)count,
                                                .read = read,
                                                .written = written };
}

static void add_operand(lw_collector *c, const lw_opnd *o, bool read, bool written)
{
    if (o->kind == LW_OPND_VGPR)
        add(c, LW_FILE_VGPR, o->reg, o->dwords, read, written);
    else if (o->kind == LW_OPND_AGPR)
        add(c, LW_FILE_AGPR, o->reg, o->dwords, read, written);
    else if (o->kind == LW_OPND_SGPR)
        add(c, LW_FILE_SGPR, o->reg, o->dwords, read, written);
    else if (o->kind == LW_OPND_SPECIAL && o->reg == LW_CODE_VCCZ)
        add(c, LW_FILE_SGPR, LW_CODE_VCC, 2, true, false);
    else if (o->kind == LW_OPND_SPECIAL && o->reg == LW_CODE_VCCZ + 1)
        add(c, LW_FILE_SGPR, LW_CODE_EXEC, 2, true, false);
    else if (o->kind == LW_OPND_SPECIAL && o->reg == LW_CODE_VCCZ + 2)
        add(c, LW_FILE_SCC, 0, 1, true, false);
}

static bool is_vector(const lw_inst *in)
{
    return in->row->enc >= LW_ENC_VOP1;
}

/* The result register keeps some of its bits. */
static bool keeps_result(const lw_inst *in)
{
    const uint32_t flags = in->row->flags;
    const bool dpp_partial =
        in->sub == LW_SUB_DPP && (in->dpp_row_mask != 15 || in->dpp_bank_mask != 15 || !in->dpp_bound_ctrl);
    const bool sdwa_partial = in->sub == LW_SUB_SDWA && in->sdwa_dst_unused == 2;
    return flags & (LW_OPF_TIED | LW_OPF_SWAP) || in->row->mods & LW_MOD_SPARSE || dpp_partial ||
           sdwa_partial;
}

static void add_implicit(lw_collector *c, const lw_inst *in)
{
    const uint32_t flags = in->row->flags;
    const bool lane_mask = is_vector(in) && !(flags & LW_OPF_NO_EXEC);
    const bool exec_in = flags & LW_OPF_R_EXEC || lane_mask, exec_out = flags & LW_OPF_W_EXEC;
    const bool m0_in = flags & LW_OPF_R_M0 || (in->row->enc == LW_ENC_MUBUF && in->lds);
    if (exec_in || exec_out)
        add(c, LW_FILE_SGPR, LW_CODE_EXEC, 2, exec_in, exec_out);
    if (flags & LW_OPF_R_VCC)
        add(c, LW_FILE_SGPR, LW_CODE_VCC, 2, true, false);
    if (flags & (LW_OPF_R_SCC | LW_OPF_W_SCC))
        add(c, LW_FILE_SCC, 0, 1, flags & LW_OPF_R_SCC, flags & LW_OPF_W_SCC);
    if (m0_in || flags & LW_OPF_W_M0)
        add(c, LW_FILE_SGPR, LW_CODE_M0, 1, m0_in, flags & LW_OPF_W_M0);
    if (flags & LW_OPF_W_MODE)
        add(c, LW_FILE_MODE, 0, 1, false, true);
}

unsigned lw_inst_registers(const lw_inst *in, lw_reg_range ranges[LW_MAX_REG_RANGES])
{
    lw_collector c = { .ranges = ranges };
    add_operand(&c, &in->dst, keeps_result(in), true);
    add_operand(&c, &in->sdst, false, true);
    for (unsigned i = 0; i < LW_MAX_SRC; i++)
        add_operand(&c, &in->src[i], true, i == 0 && in->row->flags & LW_OPF_SWAP);
    add_operand(&c, &in->scale[0], true, false);
    add_operand(&c, &in->scale[1], true, false);
    add_implicit(&c, in);
    return c.count;
}

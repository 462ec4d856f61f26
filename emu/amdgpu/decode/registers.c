/* SPDX-License-Identifier: MIT */
#include "emu/amdgpu/decode/registers.h"

#include "emu/amdgpu/decode/decode.h"
#include "emu/amdgpu/vector/vlane.h"

enum { SDWA_DWORD = 6 }; /* dst_sel of the whole register */

typedef struct range_list {
    lw_reg_range *ranges;
    size_t capacity, count;
    bool all_lanes;
} range_list;

static void add(range_list *list, lw_reg_file file, unsigned first, unsigned count, bool read, bool written)
{
    if (list->count < list->capacity)
        list->ranges[list->count] = (lw_reg_range){ file,    (uint16_t)first, (uint16_t)count, read,
                                                    written, list->all_lanes, UINT64_MAX };
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

/* The result register is a source, or keeps some of its bytes in the lanes that are written. */
static bool reads_result(const lw_decoded *in)
{
    const bool sdwa_partial =
        in->sub == LW_SUB_SDWA && in->sdwa_dst_unused == 2 && in->sdwa_dst_sel < SDWA_DWORD;
    return in->row->flags & (LW_OPF_TIED | LW_OPF_SWAP) || in->row->mods & LW_MOD_SPARSE || sdwa_partial;
}

/* DPP may leave lanes of the result alone. */
static bool keeps_lanes(const lw_decoded *in)
{
    return in->sub == LW_SUB_DPP &&
           (in->dpp_row_mask != 15 || in->dpp_bank_mask != 15 || !in->dpp_bound_ctrl);
}

/* What no operand names; the decoder has made operands of the VCC of carries and compares. */
static void add_implicit(range_list *list, const lw_decoded *in)
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

size_t lw_decoded_registers(const lw_decoded *in, lw_reg_range *ranges, size_t capacity)
{
    range_list list = { .ranges = ranges,
                        .capacity = ranges ? capacity : 0,
                        .all_lanes = (in->row->flags & LW_OPF_NO_EXEC) != 0 };
    add_operand(&list, &in->dst, reads_result(in) || keeps_lanes(in), true);
    add_operand(&list, &in->sdst, false, true);
    for (unsigned i = 0; i < LW_MAX_SRC; i++)
        add_operand(&list, &in->src[i], true, i == 0 && in->row->flags & LW_OPF_SWAP);
    add_operand(&list, &in->scale[0], true, false);
    add_operand(&list, &in->scale[1], true, false);
    add_implicit(&list, in);
    return list.count;
}

/* Of lw_decoded_registers' first range, which is a vector result under DPP, the lanes it reads and writes. */
static size_t split_result(const lw_decoded *in, uint64_t exec, lw_reg_range *ranges, size_t capacity,
                           size_t n)
{
    const uint64_t written = lw_vactive_of(in, exec);
    lw_reg_range kept = ranges[0];
    kept.written = false;
    kept.lanes = reads_result(in) ? exec : exec & ~written;
    ranges[0].read = false;
    ranges[0].lanes = written;
    if (!kept.lanes)
        return n;
    if (n < capacity)
        ranges[n] = kept;
    return n + 1;
}

size_t lw_active_registers(const lw_decoded *in, uint64_t exec, lw_reg_range *ranges, size_t capacity)
{
    const size_t n = lw_decoded_registers(in, ranges, capacity);
    for (size_t i = 0; i < n && i < capacity; i++) {
        const bool vector = ranges[i].file == LW_FILE_VGPR || ranges[i].file == LW_FILE_AGPR;
        if (vector && !ranges[i].all_lanes)
            ranges[i].lanes = exec;
    }
    if (capacity && keeps_lanes(in) && in->dst.kind == LW_OPND_VGPR)
        return split_result(in, exec, ranges, capacity, n);
    return n;
}

/* SPDX-License-Identifier: MIT */
/* Which registers an instruction reads and writes, and in which lanes. */
#include "emu/amdgpu/decode/bytes.h"
#include "emu/amdgpu/decode/decode.h"
#include "emu/amdgpu/decode/facts.h"
#include "emu/amdgpu/vector/vlane.h"

typedef struct operand_list {
    lw_fact_operand *operands;
    size_t capacity, count;
    lw_lanes vector; /* of vector registers */
    unsigned mask_dwords;
} operand_list;

/* Runs of scalar registers that form one file of the public interface. */
static const struct {
    uint16_t first, count;
    lw_reg_file file;
    uint16_t reg; /* the number of the first one in that file */
} scalars[] = {
    { 0, LW_SGPR_VCC, LW_FILE_SGPR, 0 },
    { LW_SGPR_VCC, 2, LW_FILE_NAMED, LW_NAMED_VCC_LO },
    { LW_SGPR_TTMP0, LW_SGPR_M0 - LW_SGPR_TTMP0, LW_FILE_TRAP, 0 },
    { LW_SGPR_M0, 1, LW_FILE_NAMED, LW_NAMED_M0 },
    { LW_SGPR_EXEC, 2, LW_FILE_NAMED, LW_NAMED_EXEC_LO },
};

enum { SCALAR_RUNS = sizeof(scalars) / sizeof(scalars[0]) };

int lw_scalar_code(lw_reg_file file, unsigned reg)
{
    for (size_t i = 0; i < SCALAR_RUNS; i++)
        if (scalars[i].file == file && reg >= scalars[i].reg && reg - scalars[i].reg < scalars[i].count)
            return (int)(scalars[i].first + reg - scalars[i].reg);
    return -1;
}

static void put(operand_list *list, const lw_fact_operand *operand)
{
    if (list->count < list->capacity)
        list->operands[list->count] = *operand;
    list->count++;
}

static void put_register(operand_list *list, lw_role role, lw_reg_file file, unsigned first, unsigned count,
                         bool read, bool written)
{
    const bool vector = file == LW_FILE_VGPR || file == LW_FILE_AGPR;
    put(list, &(lw_fact_operand){ .role = role,
                                  .is_register = true,
                                  .file = file,
                                  .first = (uint16_t)first,
                                  .count = (uint16_t)count,
                                  .lanes = vector ? list->vector : LW_LANES_SCALAR,
                                  .read = read,
                                  .written = written,
                                  .bytes_read = read ? LW_BYTES_ALL : 0,
                                  .bytes_written = written ? LW_BYTES_ALL : 0 });
}

/* Scalar registers by their codes; a run may extend into another file. */
static void put_scalars(operand_list *list, lw_role role, unsigned code, unsigned count, bool read,
                        bool written)
{
    const unsigned end = code + count;
    for (size_t i = 0; i < SCALAR_RUNS; i++) {
        const unsigned from = code > scalars[i].first ? code : scalars[i].first;
        const unsigned last = scalars[i].first + (unsigned)scalars[i].count;
        const unsigned to = end < last ? end : last;
        if (from < to)
            put_register(list, role, scalars[i].file, scalars[i].reg + from - scalars[i].first, to - from,
                         read, written);
    }
}

/* VCCZ, EXECZ and SCC count as the registers that they are computed from; apertures and LDS are not
 * registers. */
static void put_special(operand_list *list, lw_role role, unsigned code)
{
    if (code == LW_CODE_VCCZ)
        put_scalars(list, role, LW_SGPR_VCC, list->mask_dwords, true, false);
    else if (code == LW_CODE_VCCZ + 1)
        put_scalars(list, role, LW_SGPR_EXEC, list->mask_dwords, true, false);
    else if (code == LW_CODE_VCCZ + 2)
        put_register(list, role, LW_FILE_NAMED, LW_NAMED_SCC, 1, true, false);
}

static void narrow_to_half(lw_fact_operand *operand, bool high)
{
    const uint8_t half = high ? 0xc : 0x3;
    operand->bytes_read &= half;
    operand->bytes_written &= half;
}

static void put_operand(operand_list *list, lw_role role, const lw_opnd *o, bool read, bool written)
{
    switch ((lw_opnd_kind)o->kind) {
    case LW_OPND_VGPR:
        put_register(list, role, LW_FILE_VGPR, o->reg, o->dwords, read, written);
        if (o->flags & LW_OPND_F_HALF && list->count <= list->capacity)
            narrow_to_half(&list->operands[list->count - 1], o->sel == LW_SEL_WORD_1);
        return;
    case LW_OPND_AGPR:
        put_register(list, role, LW_FILE_AGPR, o->reg, o->dwords, read, written);
        return;
    case LW_OPND_SGPR:
        put_scalars(list, role, o->reg, o->dwords, read, written);
        return;
    case LW_OPND_SPECIAL:
        put_special(list, role, o->reg);
        return;
    case LW_OPND_INLINE:
    case LW_OPND_LITERAL:
    case LW_OPND_IMM:
        put(list, &(lw_fact_operand){ .role = role, .lanes = LW_LANES_SCALAR, .constant = o->value });
        return;
    case LW_OPND_NONE:
    case LW_OPND_OFF:
        return;
    }
}

/* Is the result register a source, not just partly kept? */
static bool reads_result(const lw_decoded *in)
{
    return (in->row->flags & (LW_OPF_TIED | LW_OPF_SWAP) && in->row->part == LW_PART_WHOLE) ||
           in->row->mods & LW_MOD_SPARSE;
}

/* May DPP leave lanes of the result unchanged? */
static bool keeps_lanes(const lw_decoded *in)
{
    return in->sub == LW_SUB_DPP &&
           (in->dpp_row_mask != 15 || in->dpp_bank_mask != 15 || !in->dpp_bound_ctrl);
}

/* The role of a source by its encoding: see lw_decoded.src. */
static lw_role role_of(const lw_decoded *in, unsigned source)
{
    const lw_op_row *row = in->row;
    switch ((lw_enc)row->enc) {
    case LW_ENC_SMEM:
        return source < 2 ? LW_ROLE_ADDRESS : LW_ROLE_DATA;
    case LW_ENC_DS:
        return source < 1 ? LW_ROLE_ADDRESS : LW_ROLE_DATA;
    case LW_ENC_FLAT:
        return source == 1 ? LW_ROLE_DATA : LW_ROLE_ADDRESS;
    case LW_ENC_MUBUF:
    case LW_ENC_MTBUF:
        return source < 3 ? LW_ROLE_ADDRESS : LW_ROLE_DATA;
    case LW_ENC_TENSOR:
        return LW_ROLE_ADDRESS;
    case LW_ENC_MIMG:
        return source < 2 ? LW_ROLE_ADDRESS : LW_ROLE_DATA;
    default:
        if (source == 2 && row->mods & LW_MOD_SPARSE)
            return LW_ROLE_INDEX;
        return source == 2 && row->flags & LW_OPF_CARRY_IN ? LW_ROLE_MASK : LW_ROLE_SOURCE;
    }
}

/* The result; under DPP, with the lanes in which it is written. The part of it that is kept comes last. */
static void put_result(operand_list *list, const lw_decoded *in)
{
    const size_t at = list->count;
    const bool some = keeps_lanes(in) && in->dst.kind == LW_OPND_VGPR;
    put_operand(list, LW_ROLE_RESULT, &in->dst, reads_result(in) && !some, true);
    if (some && at < list->capacity)
        list->operands[at].lanes = LW_LANES_SOME;
    if (at < list->count && at < list->capacity)
        list->operands[at].bytes_written = lw_decoded_result_bytes(in);
}

/* Does it read only the first active lane, or lane 0? */
static bool reads_first_lane(const lw_decoded *in)
{
    return in->row->hazard == LW_HAZARD_LANE && !(in->row->flags & LW_OPF_ONE_LANE);
}

/* Source `i`, limited to the part that is read. */
static void put_source(operand_list *list, const lw_decoded *in, unsigned i)
{
    const bool swaps = i == 0 && in->row->flags & LW_OPF_SWAP;
    const lw_part part = lw_decoded_source_part(in, i);
    const size_t at = list->count;
    lw_opnd o = in->src[i];
    o.reg = (uint16_t)(o.reg + part.first);
    o.dwords = part.count;
    put_operand(list, role_of(in, i), &o, true, swaps);
    if (at >= list->count || at >= list->capacity)
        return;
    if (part.bytes != LW_BYTES_ALL)
        list->operands[at].bytes_read = part.bytes;
    if (i == 0 && (in->sub == LW_SUB_DPP || reads_first_lane(in)))
        list->operands[at].lanes = LW_LANES_SOME;
}

/* Lanes that DPP leaves unchanged, and bytes kept in those that are written. */
static void put_kept(operand_list *list, const lw_decoded *in)
{
    const uint8_t bytes = lw_decoded_result_bytes(in);
    const size_t at = list->count;
    if (in->dst.kind != LW_OPND_VGPR && in->dst.kind != LW_OPND_AGPR)
        return;
    if (keeps_lanes(in))
        put_operand(list, LW_ROLE_KEPT, &in->dst, true, false);
    if (keeps_lanes(in) && at < list->capacity)
        list->operands[at].lanes = LW_LANES_SOME;
    if (bytes == LW_BYTES_ALL || keeps_lanes(in))
        return;
    put_operand(list, LW_ROLE_KEPT, &in->dst, true, false);
    if (at < list->capacity)
        list->operands[at].bytes_read = LW_BYTES_ALL & ~bytes;
}

/* Registers that no operand names. (The decoder has already made operands of the VCC of carries and
 * compares.) */
static void put_implied(operand_list *list, const lw_decoded *in)
{
    const uint32_t flags = in->row->flags;
    const bool own_address = in->src[3].kind != LW_OPND_NONE; /* of FLAT: in LDS */
    const bool to_lds =
        in->lds && (in->row->enc == LW_ENC_MUBUF || (in->row->enc == LW_ENC_FLAT && !own_address));
    const bool m0_in = flags & LW_OPF_R_M0 || to_lds;
    if (flags & (LW_OPF_R_EXEC | LW_OPF_W_EXEC))
        put_scalars(list, LW_ROLE_IMPLIED, LW_SGPR_EXEC, list->mask_dwords, flags & LW_OPF_R_EXEC,
                    flags & LW_OPF_W_EXEC);
    if (flags & LW_OPF_R_VCC)
        put_scalars(list, LW_ROLE_IMPLIED, LW_SGPR_VCC, list->mask_dwords, true, false);
    if (flags & (LW_OPF_R_SCC | LW_OPF_W_SCC))
        put_register(list, LW_ROLE_IMPLIED, LW_FILE_NAMED, LW_NAMED_SCC, 1, flags & LW_OPF_R_SCC,
                     flags & LW_OPF_W_SCC);
    if (m0_in || flags & LW_OPF_W_M0)
        put_scalars(list, LW_ROLE_IMPLIED, LW_SGPR_M0, 1, m0_in, flags & LW_OPF_W_M0);
    if (flags & LW_OPF_W_MODE)
        put_register(list, LW_ROLE_IMPLIED, LW_FILE_NAMED, LW_NAMED_MODE, 1, true, true);
}

static lw_lanes vector_lanes(const lw_decoded *in)
{
    if (in->row->flags & LW_OPF_ONE_LANE)
        return LW_LANES_ONE;
    /* swaps of lanes also read inactive lanes; no source says what happens to those */
    const bool all = in->row->flags & LW_OPF_NO_EXEC || in->row->hazard == LW_HAZARD_LANE_SWAP;
    return all ? LW_LANES_ALL : LW_LANES_ACTIVE;
}

static void put_all(operand_list *list, const lw_decoded *in)
{
    put_result(list, in);
    put_operand(list, LW_ROLE_RESULT, &in->sdst, false, true);
    for (unsigned i = 0; i < LW_MAX_SRC; i++)
        put_source(list, in, i);
    put_operand(list, LW_ROLE_SCALE, &in->scale[0], true, false);
    put_operand(list, LW_ROLE_SCALE, &in->scale[1], true, false);
    put_implied(list, in);
    put_kept(list, in);
}

size_t lw_decoded_operands(const lw_decoded *in, lw_fact_operand *operands, size_t capacity)
{
    operand_list list = { .operands = operands,
                          .capacity = operands ? capacity : 0,
                          .vector = vector_lanes(in),
                          .mask_dwords = in->mask_dwords };
    put_all(&list, in);
    if (in->second.row) {
        const lw_decoded second = lw_decoded_second(in);
        put_all(&list, &second);
    }
    return list.count;
}

uint64_t lw_decoded_lanes(const lw_decoded *in, const lw_fact_operand *operand, uint64_t exec)
{
    switch (operand->lanes) {
    case LW_LANES_SCALAR:
        return 1;
    case LW_LANES_ACTIVE:
        return exec;
    case LW_LANES_ALL:
    case LW_LANES_ONE:
        return UINT64_MAX;
    case LW_LANES_SOME: {
        if (reads_first_lane(in))
            return exec ? exec & (0 - exec) : 1;
        const uint64_t written = lw_vactive_of(in, exec);
        if (operand->role == LW_ROLE_SOURCE)
            return lw_vread_of(in, exec);
        if (operand->role != LW_ROLE_KEPT)
            return written;
        return reads_result(in) ? exec : exec & ~written;
    }
    }
    return 0;
}

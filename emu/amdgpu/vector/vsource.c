/* SPDX-License-Identifier: MIT */
/* Sources of vector instructions: registers, constants, SDWA and DPP selection, NEG and ABS. */
#include "emu/amdgpu/vector/vlane.h"

#include "emu/amdgpu/scalar/scalar.h"
#include "isa_tables/amdgpu/rows.h"
#include "isa_tables/amdgpu/traits.h"

uint64_t lw_vscalar(const lw_wave *w, const lw_opnd *o)
{
    uint64_t v = 0;
    return lw_scalar_read(w, o, &v) ? v : 0;
}

lw_step lw_vcheck(lw_wave *w, const lw_decoded *in)
{
    uint64_t v;
    for (unsigned i = 0; i < 3; i++)
        if (in->src[i].kind == LW_OPND_SPECIAL && !lw_scalar_read(w, &in->src[i], &v))
            return lw_wave_fault(w, -1, "source %u: special register %u has no rule for vector instructions",
                                 i, (unsigned)in->src[i].reg);
    return LW_STEP_NEXT;
}

uint64_t lw_vmask_in(const lw_wave *w, const lw_decoded *in)
{
    const lw_opnd *o = &in->src[2];
    if (in->enc == LW_ENC_VOP3 && o->kind == LW_OPND_INLINE) /* a register that reads as 0 */
        return o->value;
    return lw_wave_mask(w, in->enc == LW_ENC_VOP3 && o->kind == LW_OPND_SGPR ? o->reg : LW_SGPR_VCC);
}

/* The register row of a vector operand; NULL for a scalar one. */
static const uint32_t *row_of(const lw_wave *w, const lw_opnd *o, unsigned part)
{
    const size_t at = ((size_t)o->reg + part) * LW_LANES;
    if (o->kind == LW_OPND_VGPR)
        return w->vgpr + at;
    return o->kind == LW_OPND_AGPR ? w->agpr + at : NULL;
}

const uint32_t *lw_vdst_old(lw_wave *w, const lw_decoded *in, unsigned part)
{
    return row_of(w, &in->dst, part);
}

static void broadcast(uint32_t buf[LW_LANES], uint32_t v)
{
    for (unsigned lane = 0; lane < LW_LANES; lane++)
        buf[lane] = v;
}

/*
 * The lane that DPP reads for `lane`, or -1 when there is none (AMD CDNA3 and RDNA3 ISA manuals, DPP_CTRL;
 * row_newbcast from gfx90a on, which is row_share of gfx11).
 */
static int dpp_source(unsigned ctrl, int lane)
{
    const int row = lane & ~15, at = lane & 15, n = (int)(ctrl & 15);
    int from;
    if (ctrl < 0x100)
        return (lane & ~3) | (int)(ctrl >> (2 * (lane & 3)) & 3);
    switch (ctrl >> 4) {
    case 0x10: /* row_shl */
        return at + n < 16 ? lane + n : -1;
    case 0x11: /* row_shr */
        return at >= n ? lane - n : -1;
    case 0x12: /* row_ror */
        return row | ((at - n) & 15);
    case 0x15: /* row_newbcast, row_share */
        return row | n;
    case 0x16: /* row_xmask */
        return lane ^ n;
    default:
        break;
    }
    switch (ctrl) {
    case 0x130: /* wave_shl */
        from = lane + 1;
        return from < LW_LANES ? from : -1;
    case 0x134: /* wave_rol */
        return (lane + 1) & 63;
    case 0x138: /* wave_shr */
        return lane - 1;
    case 0x13c: /* wave_ror */
        return (lane - 1) & 63;
    case 0x140: /* row_mirror */
        return row | (15 - at);
    case 0x141: /* row_half_mirror */
        return (lane & ~7) | (7 - (lane & 7));
    case 0x142: /* row_bcast15 */
        return row - 1;
    case 0x143: /* row_bcast31 */
        return lane >= 32 ? 31 : -1;
    default:
        return -1;
    }
}

/* A source lane must exist and, unless inactive lanes are fetched, be active. */
static int dpp_active_source(const lw_decoded *in, uint64_t exec, int lane)
{
    const int from =
        in->dpp8 ? (lane & ~7) | (int)(in->dpp_lanes >> 3 * (lane & 7) & 7) : dpp_source(in->dpp_ctrl, lane);
    return from >= 0 && (in->dpp_fetch_inactive || exec >> from & 1) ? from : -1;
}

uint64_t lw_vsourced_of(const lw_decoded *in, uint64_t exec)
{
    if (in->sub != LW_SUB_DPP || in->dpp_bound_ctrl)
        return exec;
    uint64_t sourced = exec;
    for (int lane = 0; lane < LW_LANES; lane++)
        if (dpp_active_source(in, exec, lane) < 0)
            sourced &= ~((uint64_t)1 << lane);
    return sourced;
}

uint64_t lw_vactive_of(const lw_decoded *in, uint64_t exec)
{
    if (in->sub != LW_SUB_DPP)
        return exec;
    uint64_t active = lw_vsourced_of(in, exec);
    for (int lane = 0; lane < LW_LANES; lane++)
        if (!(in->dpp_row_mask >> (lane / 16) & 1) || !(in->dpp_bank_mask >> (lane % 16 / 4) & 1))
            active &= ~((uint64_t)1 << lane);
    return active;
}

uint64_t lw_vread_of(const lw_decoded *in, uint64_t exec)
{
    uint64_t read = 0;
    const bool carries = in->row->flags & LW_OPF_CARRY_OUT;
    for (uint64_t left = carries ? lw_vsourced_of(in, exec) : lw_vactive_of(in, exec); left;
         left &= left - 1) {
        const int from = dpp_active_source(in, exec, (int)lw_ctz64(left));
        read |= from < 0 ? 0 : UINT64_C(1) << from;
    }
    return read;
}

void lw_vlanes_of(const lw_decoded *in, uint64_t exec, uint8_t from[LW_LANES])
{
    for (int lane = 0; lane < LW_LANES; lane++)
        from[lane] = (uint8_t)dpp_active_source(in, exec, lane);
}

uint64_t lw_vactive(const lw_wave *w, const lw_decoded *in)
{
    return lw_vactive_of(in, lw_wave_exec(w));
}

static void permute_dpp(const lw_wave *w, const lw_decoded *in, const uint32_t *row, uint32_t buf[LW_LANES])
{
    const uint64_t exec = lw_wave_exec(w);
    for (int lane = 0; lane < LW_LANES; lane++) {
        const int from = dpp_active_source(in, exec, lane);
        buf[lane] = from < 0 ? 0 : row[from];
    }
}

/* A byte or word, zero- or sign-extended. */
static void select_part(lw_sel sel, bool sext, uint32_t buf[LW_LANES])
{
    const bool byte = sel >= LW_SEL_BYTE_0;
    const unsigned width = byte ? 8 : 16,
                   shift = byte ? 8 * (sel - LW_SEL_BYTE_0) : 16 * (sel - LW_SEL_WORD_0);
    const uint32_t mask = (1u << width) - 1, sign = sext ? 1u << (width - 1) : 0;
    for (unsigned lane = 0; lane < LW_LANES; lane++) {
        const uint32_t v = buf[lane] >> shift & mask;
        buf[lane] = (v ^ sign) - sign;
    }
}

static void edit_sign(uint32_t buf[LW_LANES], uint32_t sign, bool clear, bool flip)
{
    const uint32_t keep = clear ? ~sign : ~0u, change = flip ? sign : 0;
    for (unsigned lane = 0; lane < LW_LANES; lane++)
        buf[lane] = (buf[lane] & keep) ^ change;
}

/* True if the instruction reads the row itself. */
static bool is_plain(const lw_decoded *in, unsigned i, lw_vkind kind)
{
    const lw_opnd *o = &in->src[i];
    if ((in->sub == LW_SUB_DPP && i == 0) || o->sel)
        return false;
    if (kind == LW_V_B32)
        return true;
    return kind == LW_V_F32 && !(o->neg | o->abs);
}

static void modify(const lw_decoded *in, unsigned i, lw_vkind kind, uint32_t buf[LW_LANES])
{
    const lw_opnd *o = &in->src[i];
    if (o->sel)
        select_part((lw_sel)o->sel, o->flags & LW_OPND_F_SEXT, buf);
    if (kind != LW_V_B32 && kind != LW_V_F32)
        for (unsigned lane = 0; lane < LW_LANES; lane++)
            buf[lane] &= 0xffff;

    const bool clear = o->abs, flip = o->neg;
    if (kind == LW_V_B32 || kind == LW_V_B16 || !(clear || flip))
        return;
    edit_sign(buf, kind == LW_V_F32 ? 0x80000000u : 0x8000u, clear, flip);
}

const uint32_t *lw_vsrc(lw_wave *w, const lw_decoded *in, unsigned i, lw_vkind kind, uint32_t buf[LW_LANES])
{
    const lw_opnd *o = &in->src[i];
    const uint32_t *row = row_of(w, o, 0);
    if (row && is_plain(in, i, kind))
        return row;
    if (!row)
        broadcast(buf, (uint32_t)lw_vscalar(w, o));
    else if (in->sub == LW_SUB_DPP && i == 0)
        permute_dpp(w, in, row, buf);
    else
        memcpy(buf, row, LW_LANES * sizeof(*buf));
    modify(in, i, kind, buf);
    return buf;
}

const uint32_t *lw_vsrc_part(lw_wave *w, const lw_decoded *in, unsigned i, unsigned part,
                             uint32_t buf[LW_LANES])
{
    const lw_opnd *o = &in->src[i];
    const uint32_t *row = row_of(w, o, part);
    if (row)
        return row;
    broadcast(buf, part < 2 ? (uint32_t)(lw_vscalar(w, o) >> (32 * part)) : 0);
    return buf;
}

const uint64_t *lw_vsrc64(lw_wave *w, const lw_decoded *in, unsigned i, bool is_float, uint64_t buf[LW_LANES])
{
    const lw_opnd *o = &in->src[i];
    const uint32_t *low = row_of(w, o, 0), *high = row_of(w, o, 1);
    const bool clear = is_float && o->abs, flip = is_float && o->neg;
    const uint64_t sign = (uint64_t)1 << 63, keep = clear ? ~sign : ~(uint64_t)0, change = flip ? sign : 0;
    uint32_t moved[2][LW_LANES];
    if (!low) {
        const uint64_t v = (lw_vscalar(w, o) & keep) ^ change;
        for (unsigned lane = 0; lane < LW_LANES; lane++)
            buf[lane] = v;
        return buf;
    }
    if (in->sub == LW_SUB_DPP && i == 0) {
        permute_dpp(w, in, low, moved[0]);
        permute_dpp(w, in, high, moved[1]);
        low = moved[0];
        high = moved[1];
    }
    for (unsigned lane = 0; lane < LW_LANES; lane++)
        buf[lane] = ((low[lane] | (uint64_t)high[lane] << 32) & keep) ^ change;
    return buf;
}

lw_fp_env lw_vmode(const lw_wave *w, const lw_format *f)
{
    const bool is_f32 = f->frac_bits == 23;
    const unsigned round = w->mode >> (is_f32 ? LW_MODE_ROUND_F32_SHIFT : LW_MODE_ROUND_F64_SHIFT) & 3;
    const unsigned denorm = w->mode >> (is_f32 ? LW_MODE_DENORM_F32_SHIFT : LW_MODE_DENORM_F64_SHIFT) & 3;
    return (lw_fp_env){
        .round = (uint8_t)round,
        .keep_in = denorm & LW_DENORM_IN_KEPT,
        .keep_out = denorm & LW_DENORM_OUT_KEPT,
        .ieee = w->mode & LW_MODE_IEEE,
        .dx10_clamp = w->mode & LW_MODE_DX10_CLAMP,
        .saturate = f->frac_bits == 10 && w->mode & LW_MODE_FP16_OVFL,
    };
}

/* MODE as far as the instruction asks for it. */
static lw_fp_env mode_asked(const lw_wave *w, const lw_decoded *in, const lw_format *f)
{
    lw_fp_env e = lw_vmode(w, f);
    if (in->row->flags & LW_OPF_FLUSHED)
        e.keep_in = e.keep_out = false;
    return e;
}

lw_fp_env lw_vmode_out(const lw_wave *w, const lw_decoded *in, const lw_format *f)
{
    lw_fp_env e = mode_asked(w, in, f);
    const bool is_f32 = f->frac_bits == 23, is_f64 = f->frac_bits == 52;
    if (in->row->hazard == LW_HAZARD_TRANS && !is_f64) {
        e.round = LW_FP_RNE;
        e.keep_out = e.keep_out && !is_f32;
    }
    return e;
}

lw_fp_env lw_vmode_of(const lw_wave *w, const lw_decoded *in, const lw_format *f)
{
    lw_fp_env e = mode_asked(w, in, f);
    e.keep_out = e.keep_out && !(in->omod && lw_amdgpu_traits_of(w->arch)->omod_always);
    return e;
}

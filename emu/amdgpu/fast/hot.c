/* SPDX-License-Identifier: MIT */
/* The choice of the form for an instruction. */
#include "emu/amdgpu/fast/hot.h"

#include "emu/amdgpu/control/wave.h"
#include "emu/amdgpu/fast/forms_fp16.h"
#include "emu/fast/fp16.h"
#include "emu/fast/panel_isa.h"
#include "isa_tables/amdgpu/rows.h"

lw_step lw_hot_general(lw_wave *wave, const lw_hot *hot)
{
    wave->head.pc = hot->in->pc; /* within blocks the loop does not update it */
    return hot->in->exec(wave, hot->in);
}

/* False: forms do not support such a source. */
static bool place_source(const lw_opnd *o, unsigned i, lw_hot *hot)
{
    switch ((lw_opnd_kind)o->kind) {
    case LW_OPND_VGPR:
    case LW_OPND_AGPR:
        hot->from[i] = o->kind == LW_OPND_VGPR ? LW_FROM_VGPR : LW_FROM_AGPR;
        hot->at[i] = (uint32_t)o->reg * LW_LANES;
        return true;
    case LW_OPND_SGPR:
        hot->from[i] = LW_FROM_SGPR;
        hot->at[i] = o->reg;
        return true;
    case LW_OPND_NONE:
    case LW_OPND_INLINE:
    case LW_OPND_LITERAL:
    case LW_OPND_IMM:
    case LW_OPND_OFF:
        hot->from[i] = LW_FROM_VALUE;
        hot->at[i] = (uint32_t)o->value;
        return true;
    default:
        return false;
    }
}

/*
 * The lane of 16 that DPP reads for `lane`; 16 or more: none (AMD CDNA3 ISA manual, DPP_CTRL; row_newbcast
 * from gfx90a on). Controls that move values between rows of 16 lanes give no source to any lane.
 */
static unsigned dpp_lane(unsigned ctrl, unsigned lane)
{
    enum { NONE = 16, MIRROR = 0x140, HALF_MIRROR = 0x141 };
    const unsigned n = ctrl & 15;
    if (ctrl < 0x100)
        return (lane & 12) | (ctrl >> 2 * (lane & 3) & 3);
    if (ctrl == MIRROR || ctrl == HALF_MIRROR)
        return lane ^ (ctrl == MIRROR ? 15 : 7);
    switch (ctrl >> 4) {
    case 0x10: /* row_shl */
        return lane + n;
    case 0x11: /* row_shr */
        return lane - n;
    case 0x12: /* row_ror */
        return (lane - n) & 15;
    case 0x15: /* row_newbcast, row_share */
        return n;
    case 0x16: /* row_xmask, from gfx11 on */
        return lane ^ n;
    default:
        return NONE;
    }
}

static void place_dpp(const lw_decoded *in, lw_hot *hot)
{
    if (in->sub != LW_SUB_DPP)
        return;
    for (unsigned lane = 0; lane < 16; lane++) {
        const unsigned eight = (lane & 8) | (in->dpp_lanes >> 3 * (lane & 7) & 7);
        const unsigned from = in->dpp8 ? eight : dpp_lane(in->dpp_ctrl, lane);
        if (from < 16)
            hot->extra |= 1u << lane;
        hot->lanes |= (uint64_t)(from & 15) << 4 * lane;
        hot->extra |= (in->dpp_bank_mask >> lane / 4 & 1u) << (16 + lane);
    }
}

static bool place(const lw_decoded *in, lw_hot *hot)
{
    for (unsigned i = 0; i < LW_HOT_SOURCES; i++) {
        if (!place_source(&in->src[i], i, hot))
            return false;
        hot->neg |= (uint8_t)((in->src[i].neg & 1) << i);
        hot->abs |= (uint8_t)((in->src[i].abs & 1) << i);
    }
    const bool is_row = in->dst.kind == LW_OPND_VGPR || in->dst.kind == LW_OPND_AGPR;
    hot->to = in->dst.kind == LW_OPND_AGPR ? LW_FROM_AGPR : is_row ? LW_FROM_VGPR : LW_FROM_SGPR;
    hot->dst = is_row ? (uint32_t)in->dst.reg * LW_LANES : in->dst.reg;
    hot->parts = in->dst.dwords;
    hot->offset = in->offset;
    place_dpp(in, hot);
    return true;
}

#define LISTED(isa, name) &lw_hot_##isa##_##name,

const lw_hot_forms *lw_hot_group(lw_fast_isa isa, size_t n)
{
    /* clang-format off */
    static const lw_hot_forms *const groups[][11] = {
#ifdef LW_FAST_VECTORS
        [LW_FAST_PORTABLE] = { LW_HOT_GROUPS(LISTED, portable) NULL },
#endif
#ifdef LW_FAST_X86
        [LW_FAST_AVX2] = { LW_HOT_GROUPS(LISTED, avx2) NULL },
        [LW_FAST_AVX512] = { LW_HOT_GROUPS(LISTED, avx512) NULL },
#ifdef LW_FAST_FP16
        [LW_FAST_AVX512FP16] = { LISTED(avx512fp16, halves) LW_HOT_GROUPS(LISTED, avx512) NULL },
#endif
#endif
        [LW_FAST_AVX512FP16 + 1] = { NULL }, /* no such set with this compiler */
    };
    /* clang-format on */
    return groups[isa][n];
}

/* The first form that takes the instruction, whose function is set; NULL: none. */
static const lw_hot_form *choose(const lw_hot_forms *forms, const lw_decoded *in, lw_hot *hot)
{
    for (size_t i = 0; i < forms->count; i++) {
        const lw_hot_form *form = &forms->forms[i];
        const lw_hot_fn fn = form->general == in->exec ? form->take(form, in, hot) : NULL;
        if (fn) {
            hot->fn = fn;
            return form;
        }
    }
    return NULL;
}

static const lw_hot_form *choose_vector(lw_fast_isa isa, const lw_decoded *in, lw_hot *hot)
{
    const lw_hot_form *form = NULL;
    const lw_hot_forms *group;
    for (size_t n = 0; !form && (group = lw_hot_group(isa, n)); n++)
        form = choose(group, in, hot);
    return form;
}

static bool is_scalar(const lw_op_row *row)
{
    return row->enc == LW_ENC_SOP1 || row->enc == LW_ENC_SOP2 || row->enc == LW_ENC_SOPC ||
           row->enc == LW_ENC_SOPK || row->enc == LW_ENC_SOPP;
}

static bool is_vector(lw_enc enc)
{
    return enc == LW_ENC_VOP1 || enc == LW_ENC_VOP2 || enc == LW_ENC_VOP3 || enc == LW_ENC_VOP3P;
}

bool lw_hot_prepare(lw_fast_isa isa, const lw_decoded *in, lw_hot *hot)
{
    const lw_hot fresh = { .fn = lw_hot_general, .in = in, .bytes = (uint8_t)(4 * in->words) };
    *hot = fresh;
    const bool vop3 = in->enc == LW_ENC_VOP3 || in->enc == LW_ENC_VOP3P;
    const bool moves = in->sub == LW_SUB_DPP && (vop3 || in->dpp_fetch_inactive);
    const bool scaled = in->scale_offset || (in->row->enc == LW_ENC_FLAT && in->seg == LW_SEG_FLAT &&
                                             in->src[2].kind == LW_OPND_SGPR);
    const bool half = in->dst.flags & LW_OPND_F_HALF && !is_vector(in->enc);
    if (moves || scaled || half || in->dst.flags & LW_OPND_F_KEEP ||
        !place(in, hot)) { /* left to general handlers */
        *hot = fresh;
        return true;
    }
    const lw_hot_form *form =
        is_scalar(in->row) ? choose(&lw_hot_scalar, in, hot) : choose_vector(isa, in, hot);
    return !form || form->kind == LW_HOT_NOTES;
}

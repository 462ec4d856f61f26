/* SPDX-License-Identifier: MIT */
/* Results of vector instructions: lane masks, partial registers, SDWA destinations, OMOD and CLAMP. */
#include "emu/amdgpu/vector/vlane.h"
#include "isa_tables/amdgpu/traits.h"

/* The write masks of four lanes, by four bits of EXEC. */
#define QUAD(a, b, c, d)                                                                                     \
    {                                                                                                        \
        0u - a, 0u - b, 0u - c, 0u - d                                                                       \
    }
static const uint32_t lane_masks[16][4] = {
    QUAD(0, 0, 0, 0), QUAD(1, 0, 0, 0), QUAD(0, 1, 0, 0), QUAD(1, 1, 0, 0),
    QUAD(0, 0, 1, 0), QUAD(1, 0, 1, 0), QUAD(0, 1, 1, 0), QUAD(1, 1, 1, 0),
    QUAD(0, 0, 0, 1), QUAD(1, 0, 0, 1), QUAD(0, 1, 0, 1), QUAD(1, 1, 0, 1),
    QUAD(0, 0, 1, 1), QUAD(1, 0, 1, 1), QUAD(0, 1, 1, 1), QUAD(1, 1, 1, 1),
};
#undef QUAD

void lw_vmerge(uint32_t *row, uint64_t active, const uint32_t r[LW_LANES])
{
    if (active == ~(uint64_t)0) {
        memcpy(row, r, LW_LANES * sizeof(*row));
        return;
    }
    for (unsigned quad = 0; quad < LW_LANES / 4; quad++) {
        const uint32_t *mask = lane_masks[active >> (4 * quad) & 15];
        for (unsigned j = 0; j < 4; j++) {
            const unsigned lane = 4 * quad + j;
            row[lane] = (r[lane] & mask[j]) | (row[lane] & ~mask[j]);
        }
    }
}

static uint32_t *result_row(lw_wave *w, const lw_decoded *in, unsigned part)
{
    uint32_t *file = in->dst.kind == LW_OPND_AGPR ? w->agpr : w->vgpr;
    return file + ((size_t)in->dst.reg + part) * LW_LANES;
}

/* dst_sel: 0-3 byte, 4-5 word; dst_unused: 0 clears the rest, 1 extends the sign upwards, 2 keeps the
 * rest. */
static void place_sdwa(const lw_decoded *in, const uint32_t *old, const uint32_t *r, uint32_t out[LW_LANES])
{
    enum { SEXT = 1, PRESERVE = 2 };
    const unsigned sel = in->sdwa_dst_sel;
    const unsigned width = sel < 4 ? 8 : 16, shift = sel < 4 ? 8 * sel : 16 * (sel - 4);
    const uint32_t field = ((1u << width) - 1) << shift;
    for (unsigned lane = 0; lane < LW_LANES; lane++) {
        uint32_t v = r[lane] << shift & field;
        if (in->sdwa_dst_unused == PRESERVE)
            v |= old[lane] & ~field;
        else if (in->sdwa_dst_unused == SEXT && v >> (shift + width - 1) & 1)
            v |= ~(field | (field - 1));
        out[lane] = v;
    }
}

/* The other half is kept. */
static void place_half(bool high, const uint32_t *old, const uint32_t *r, uint32_t out[LW_LANES])
{
    for (unsigned lane = 0; lane < LW_LANES; lane++)
        out[lane] =
            high ? r[lane] << 16 | (old[lane] & 0xffff) : (r[lane] & 0xffff) | (old[lane] & 0xffff0000u);
}

void lw_vwrite_part(lw_wave *w, const lw_decoded *in, unsigned part, const uint32_t r[LW_LANES])
{
    lw_vmerge(result_row(w, in, part), lw_vactive(w, in), r);
}

lw_step lw_vwrite(lw_wave *w, const lw_decoded *in, const uint32_t r[LW_LANES])
{
    const lw_step step = lw_vcheck(w, in);
    if (step != LW_STEP_NEXT)
        return step;
    uint32_t *row = result_row(w, in, 0);
    uint32_t placed[LW_LANES];
    if (in->dst.flags & LW_OPND_F_HALF) {
        place_half(in->dst.sel == LW_SEL_WORD_1, row, r, placed);
        r = placed;
    } else if (in->sub == LW_SUB_SDWA && in->sdwa_dst_sel < 6) {
        place_sdwa(in, row, r, placed);
        r = placed;
    }
    lw_vmerge(row, lw_vactive(w, in), r);
    return LW_STEP_NEXT;
}

lw_step lw_vwrite16(lw_wave *w, const lw_decoded *in, lw_vdst_kind kind, const uint32_t r[LW_LANES])
{
    if (kind == LW_VD_FULL || in->sub == LW_SUB_SDWA || in->dst.flags & LW_OPND_F_HALF)
        return lw_vwrite(w, in, r);
    uint32_t merged[LW_LANES];
    place_half(kind == LW_VD_SEL && in->dst.sel == LW_SEL_WORD_1, result_row(w, in, 0), r, merged);
    return lw_vwrite(w, in, merged);
}

lw_step lw_vwrite64(lw_wave *w, const lw_decoded *in, const uint64_t r[LW_LANES])
{
    const lw_step step = lw_vcheck(w, in);
    if (step != LW_STEP_NEXT)
        return step;
    uint32_t low[LW_LANES], high[LW_LANES];
    for (unsigned lane = 0; lane < LW_LANES; lane++) {
        low[lane] = (uint32_t)r[lane];
        high[lane] = (uint32_t)(r[lane] >> 32);
    }
    lw_vwrite_part(w, in, 0, low);
    lw_vwrite_part(w, in, 1, high);
    return LW_STEP_NEXT;
}

void lw_vwrite_mask(lw_wave *w, const lw_decoded *in, uint64_t mask)
{
    const lw_opnd *o = in->sdst.kind == LW_OPND_SGPR ? &in->sdst : &in->dst;
    lw_wave_set_mask(w, o->kind == LW_OPND_SGPR ? o->reg : LW_SGPR_VCC, mask);
}

void lw_vwrite_carry(lw_wave *w, const lw_decoded *in, uint64_t carry)
{
    const uint64_t exec = lw_wave_exec(w), sourced = lw_vsourced_of(in, exec);
    const uint64_t old = lw_wave_mask(w, in->sdst.kind == LW_OPND_SGPR ? in->sdst.reg : LW_SGPR_VCC);
    lw_vwrite_mask(w, in, (carry & sourced) | (old & exec & ~sourced));
}

static bool omod_works(const lw_wave *w, const lw_decoded *in, const lw_fp_env *e)
{
    return in->omod && (lw_amdgpu_traits_of(w->arch)->omod_always || (!e->ieee && !e->keep_out));
}

void lw_voutput32(const lw_wave *w, const lw_decoded *in, const lw_format *f, uint64_t active,
                  uint32_t r[LW_LANES])
{
    const lw_fp_env e = lw_vmode_out(w, in, f);
    const unsigned omod = omod_works(w, in, &e) ? in->omod : 0;
    if (!omod && !in->clamp)
        return;
    for (uint64_t left = active; left; left &= left - 1) {
        const unsigned lane = lw_ctz64(left);
        const uint64_t v = lw_fp_omod(f, &e, r[lane], omod);
        r[lane] = (uint32_t)(in->clamp ? lw_fp_clamp(f, &e, v) : v);
    }
}

void lw_voutput64(const lw_wave *w, const lw_decoded *in, const lw_format *f, uint64_t active,
                  uint64_t r[LW_LANES])
{
    const lw_fp_env e = lw_vmode_out(w, in, f);
    const unsigned omod = omod_works(w, in, &e) ? in->omod : 0;
    if (!omod && !in->clamp)
        return;
    for (uint64_t left = active; left; left &= left - 1) {
        const unsigned lane = lw_ctz64(left);
        const uint64_t v = lw_fp_omod(f, &e, r[lane], omod);
        r[lane] = in->clamp ? lw_fp_clamp(f, &e, v) : v;
    }
}

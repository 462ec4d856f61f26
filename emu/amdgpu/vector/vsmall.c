/* SPDX-License-Identifier: MIT */
/*
 * Conversions to and from 8- and 4-bit floats, one or two at a time: the plain ones of gfx942 and gfx950 and
 * the scaled ones of gfx950. op_sel selects bytes and words: bit 0 of the selector is op_sel[0] for reading,
 * op_sel[2] (bytes) or op_sel[3] (words) for writing (AMD CDNA4 ISA manual).
 */
#include "emu/amdgpu/control/handlers.h"
#include "isa_tables/amdgpu/traits.h"
#include "emu/amdgpu/vector/vfloat.h"
#include "emu/num/small.h"

static bool overflow_mode(const lw_wave *w)
{
    return w->mode & LW_MODE_FP16_OVFL;
}

static const lw_small *fp8_of(const lw_wave *w)
{
    return lw_amdgpu_traits_of(w->arch)->fp8_fnuz ? &lw_small_fp8_fnuz : &lw_small_fp8;
}

static const lw_small *bf8_of(const lw_wave *w)
{
    return lw_amdgpu_traits_of(w->arch)->fp8_fnuz ? &lw_small_bf8_fnuz : &lw_small_bf8;
}

static unsigned code_bits(const lw_small *s)
{
    return s->fmt->exp_bits + s->fmt->frac_bits + 1u;
}

/* Writes `width` bits at `shift` of the result register and keeps the rest. */
static lw_step write_field(lw_wave *w, const lw_decoded *in, unsigned shift, unsigned width,
                           const uint32_t v[LW_LANES])
{
    const uint32_t *old = lw_vdst_old(w, in, 0);
    const uint32_t field = ((1u << width) - 1) << shift;
    uint32_t r[LW_LANES];
    for (unsigned lane = 0; lane < LW_LANES; lane++)
        r[lane] = (old[lane] & ~field) | (v[lane] << shift & field);
    return lw_vwrite(w, in, r);
}

/* A narrowing conversion: its source format, and which sources are the scale and the seed; -1: none. */
typedef struct narrow_op {
    const lw_format *from;
    int8_t scale, seed;
    uint8_t count; /* elements: 1 or 2 */
} narrow_op;

static lw_step refuse_modifier(lw_wave *w)
{
    return lw_wave_fault(w, -1, "neg and abs on a packed source have no documented meaning");
}

/* The elements of a conversion: two f32 sources, a pair of registers, or the halves of one. */
static void gather(lw_wave *w, const lw_decoded *in, const narrow_op *op, uint32_t x[2][LW_LANES])
{
    uint32_t buf[LW_LANES];
    const bool wide = op->from->frac_bits == 23;
    for (unsigned i = 0; i < op->count; i++) {
        const uint32_t *row;
        if (!wide)
            row = lw_vsrc(w, in, 0, op->count == 1 ? LW_V_F16 : LW_V_B32, buf);
        else if (op->count == 2 && op->seed >= 0)
            row = lw_vsrc_part(w, in, 0, i, buf);
        else
            row = lw_vsrc(w, in, i, LW_V_F32, buf);
        for (unsigned lane = 0; lane < LW_LANES; lane++)
            x[i][lane] = wide ? row[lane] : row[lane] >> (16 * i) & 0xffff;
    }
}

static bool modifiers_clear(const lw_decoded *in, const narrow_op *op)
{
    const bool packed = op->count == 2 && (op->from->frac_bits != 23 || op->seed >= 0);
    return !packed || !(in->src[0].neg | in->src[0].abs);
}

static lw_step narrow(lw_wave *w, const lw_decoded *in, const lw_small *to, const narrow_op *op)
{
    if (!modifiers_clear(in, op))
        return refuse_modifier(w);
    uint32_t x[2][LW_LANES], bs[LW_LANES], br[LW_LANES], r[LW_LANES];
    const bool ovfl = overflow_mode(w);
    const uint32_t *scale = op->scale >= 0 ? lw_vsrc(w, in, (unsigned)op->scale, LW_V_B32, bs) : NULL;
    const uint32_t *seed = op->seed >= 0 ? lw_vsrc(w, in, (unsigned)op->seed, LW_V_B32, br) : NULL;
    gather(w, in, op, x);
    for (unsigned lane = 0; lane < LW_LANES; lane++) {
        const int s = scale ? lw_scale_of_f32(scale[lane]) : 0;
        uint32_t random = seed ? seed[lane] : 0;
        r[lane] = 0;
        for (unsigned i = 0; i < op->count; i++) {
            const uint32_t code = seed ? lw_small_narrow_sr(to, ovfl, op->from, x[i][lane], s, random)
                                       : lw_small_narrow(to, ovfl, op->from, x[i][lane], s);
            r[lane] |= code << (code_bits(to) * i);
            random = lw_prng(random);
        }
    }
    if (in->dst.flags & LW_OPND_F_HALF)
        return lw_vwrite16(w, in, LW_VD_SEL, r);
    const unsigned width = code_bits(to) * op->count;
    const unsigned shift = width == 16 ? 16 * (in->op_sel >> 3 & 1u) : 8 * (in->op_sel >> 2 & 3u);
    return write_field(w, in, shift, width, r);
}

#define NARROW(name, to, from, scale, seed, count)                                                           \
    lw_step lw_sem_##name(lw_wave *w, const lw_decoded *in)                                                  \
    {                                                                                                        \
        return narrow(w, in, to, &(const narrow_op){ &lw_fp_##from, scale, seed, count });                   \
    }

NARROW(v_cvt_pk_fp8_f32, fp8_of(w), f32, -1, -1, 2)
NARROW(v_cvt_pk_bf8_f32, bf8_of(w), f32, -1, -1, 2)
NARROW(v_cvt_sr_fp8_f32, fp8_of(w), f32, -1, 1, 1)
NARROW(v_cvt_sr_bf8_f32, bf8_of(w), f32, -1, 1, 1)
NARROW(v_cvt_pk_fp8_f32_rdna, &lw_small_fp8_rdna, f32, -1, -1, 2)
NARROW(v_cvt_pk_bf8_f32_rdna, &lw_small_bf8_rdna, f32, -1, -1, 2)
NARROW(v_cvt_sr_fp8_f32_rdna, &lw_small_fp8_rdna, f32, -1, 1, 1)
NARROW(v_cvt_sr_bf8_f32_rdna, &lw_small_bf8_rdna, f32, -1, 1, 1)
NARROW(v_cvt_pk_fp8_f16, &lw_small_fp8_rdna, f16, -1, -1, 2)
NARROW(v_cvt_pk_bf8_f16, &lw_small_bf8_rdna, f16, -1, -1, 2)
NARROW(v_cvt_sr_fp8_f16, &lw_small_fp8_rdna, f16, -1, 1, 1)
NARROW(v_cvt_sr_bf8_f16, &lw_small_bf8_rdna, f16, -1, 1, 1)
NARROW(v_cvt_scalef32_pk_fp8_f32, &lw_small_fp8, f32, 2, -1, 2)
NARROW(v_cvt_scalef32_pk_bf8_f32, &lw_small_bf8, f32, 2, -1, 2)
NARROW(v_cvt_scalef32_pk_fp4_f32, &lw_small_fp4, f32, 2, -1, 2)
NARROW(v_cvt_scalef32_pk_fp8_f16, &lw_small_fp8, f16, 1, -1, 2)
NARROW(v_cvt_scalef32_pk_bf8_f16, &lw_small_bf8, f16, 1, -1, 2)
NARROW(v_cvt_scalef32_pk_fp4_f16, &lw_small_fp4, f16, 1, -1, 2)
NARROW(v_cvt_scalef32_pk_fp8_bf16, &lw_small_fp8, bf16, 1, -1, 2)
NARROW(v_cvt_scalef32_pk_bf8_bf16, &lw_small_bf8, bf16, 1, -1, 2)
NARROW(v_cvt_scalef32_pk_fp4_bf16, &lw_small_fp4, bf16, 1, -1, 2)
NARROW(v_cvt_scalef32_sr_fp8_f32, &lw_small_fp8, f32, 2, 1, 1)
NARROW(v_cvt_scalef32_sr_bf8_f32, &lw_small_bf8, f32, 2, 1, 1)
NARROW(v_cvt_scalef32_sr_fp8_f16, &lw_small_fp8, f16, 2, 1, 1)
NARROW(v_cvt_scalef32_sr_bf8_f16, &lw_small_bf8, f16, 2, 1, 1)
NARROW(v_cvt_scalef32_sr_fp8_bf16, &lw_small_fp8, bf16, 2, 1, 1)
NARROW(v_cvt_scalef32_sr_bf8_bf16, &lw_small_bf8, bf16, 2, 1, 1)
NARROW(v_cvt_scalef32_sr_pk_fp4_f32, &lw_small_fp4, f32, 2, 1, 2)
NARROW(v_cvt_scalef32_sr_pk_fp4_f16, &lw_small_fp4, f16, 2, 1, 2)
NARROW(v_cvt_scalef32_sr_pk_fp4_bf16, &lw_small_fp4, bf16, 2, 1, 2)

/* One or two codes from the byte or word that op_sel selects; the scale is source 1, unless the conversion is
 * plain. */
typedef struct widen_op {
    const lw_format *to;
    bool scaled;
    uint8_t count;
} widen_op;

static void widen_codes(lw_wave *w, const lw_decoded *in, const lw_small *from, const widen_op *op,
                        uint32_t r[2][LW_LANES])
{
    uint32_t bx[LW_LANES], bs[LW_LANES];
    const unsigned width = code_bits(from) * op->count;
    const unsigned sel = !op->scaled ? 0 : width == 16 ? in->op_sel & 1u : in->op_sel & 3u;
    const uint32_t *x = lw_vsrc(w, in, 0, LW_V_B32, bx);
    const uint32_t *scale = op->scaled ? lw_vsrc(w, in, 1, LW_V_B32, bs) : NULL;
    for (unsigned i = 0; i < op->count; i++) {
        const unsigned shift = width * sel + code_bits(from) * i;
        for (unsigned lane = 0; lane < LW_LANES; lane++) {
            const uint32_t code = x[lane] >> shift & ((1u << code_bits(from)) - 1);
            const int s = scale ? lw_scale_of_f32(scale[lane]) : 0;
            r[i][lane] = (uint32_t)lw_small_widen(from, code, s, op->to);
        }
    }
}

static lw_step widen(lw_wave *w, const lw_decoded *in, const lw_small *from, const widen_op *op)
{
    uint32_t r[2][LW_LANES];
    const lw_step step = lw_vcheck(w, in);
    if (step != LW_STEP_NEXT)
        return step;
    widen_codes(w, in, from, op, r);
    if (!op->scaled)
        for (unsigned i = 0; i < op->count; i++)
            lw_voutput32(w, in, op->to, lw_wave_exec(w), r[i]);
    if (op->to->frac_bits == 23 && op->count == 1)
        return lw_vwrite(w, in, r[0]);
    if (op->to->frac_bits == 23) {
        for (unsigned i = 0; i < op->count; i++)
            lw_vwrite_part(w, in, i, r[i]);
        return LW_STEP_NEXT;
    }
    if (op->count == 1)
        return lw_vwrite16(w, in, LW_VD_SEL, r[0]);
    for (unsigned lane = 0; lane < LW_LANES; lane++)
        r[0][lane] |= r[1][lane] << 16;
    return lw_vwrite(w, in, r[0]);
}

#define WIDEN(name, from, to, scaled, count)                                                                 \
    lw_step lw_sem_##name(lw_wave *w, const lw_decoded *in)                                                  \
    {                                                                                                        \
        return widen(w, in, from, &(const widen_op){ &lw_fp_##to, scaled, count });                          \
    }

/* Without a scale, the byte or word is selected by SDWA's src0_sel, or it is byte 0 or word 0. */
WIDEN(v_cvt_f32_fp8, fp8_of(w), f32, false, 1)
WIDEN(v_cvt_f32_bf8, bf8_of(w), f32, false, 1)
WIDEN(v_cvt_pk_f32_fp8, fp8_of(w), f32, false, 2)
WIDEN(v_cvt_pk_f32_bf8, bf8_of(w), f32, false, 2)
WIDEN(v_cvt_scalef32_f32_fp8, &lw_small_fp8, f32, true, 1)
WIDEN(v_cvt_scalef32_f32_bf8, &lw_small_bf8, f32, true, 1)
WIDEN(v_cvt_scalef32_f16_fp8, &lw_small_fp8, f16, true, 1)
WIDEN(v_cvt_scalef32_f16_bf8, &lw_small_bf8, f16, true, 1)
WIDEN(v_cvt_scalef32_pk_f32_fp8, &lw_small_fp8, f32, true, 2)
WIDEN(v_cvt_scalef32_pk_f32_bf8, &lw_small_bf8, f32, true, 2)
WIDEN(v_cvt_scalef32_pk_f32_fp4, &lw_small_fp4, f32, true, 2)
WIDEN(v_cvt_scalef32_pk_f16_fp8, &lw_small_fp8, f16, true, 2)
WIDEN(v_cvt_scalef32_pk_f16_bf8, &lw_small_bf8, f16, true, 2)
WIDEN(v_cvt_scalef32_pk_f16_fp4, &lw_small_fp4, f16, true, 2)
WIDEN(v_cvt_scalef32_pk_bf16_fp8, &lw_small_fp8, bf16, true, 2)
WIDEN(v_cvt_scalef32_pk_bf16_bf8, &lw_small_bf8, bf16, true, 2)
WIDEN(v_cvt_scalef32_pk_bf16_fp4, &lw_small_fp4, bf16, true, 2)

/* NaNs as f32 results have them, without payload (inferred). */
static lw_step write_f16(lw_wave *w, const lw_decoded *in, unsigned count, uint32_t r[2][LW_LANES])
{
    for (unsigned i = 0; i < count; i++)
        for (unsigned lane = 0; lane < LW_LANES; lane++)
            if (lw_format_is_nan(&lw_fp_f16, r[i][lane]))
                r[i][lane] = (r[i][lane] & 0x8000) | 0x7e00;
    if (count == 1)
        return lw_vwrite16(w, in, LW_VD_SEL, r[0]);
    for (unsigned lane = 0; lane < LW_LANES; lane++)
        r[0][lane] |= r[1][lane] << 16;
    return lw_vwrite(w, in, r[0]);
}

/* gfx12: the byte that op_sel[1:0] selects, with these two bits exchanged, or the half of the register (AMD
 * RDNA4 ISA manual, V_CVT_F32_FP8). */
static lw_step widen_selected(lw_wave *w, const lw_decoded *in, const lw_small *from, const widen_op *op)
{
    const unsigned sel = in->op_sel & 3u;
    uint32_t bx[LW_LANES], r[2][LW_LANES];
    const lw_step step = lw_vcheck(w, in);
    if (step != LW_STEP_NEXT)
        return step;
    const unsigned width = code_bits(from) * op->count;
    const unsigned at = op->count == 2 ? 0 : sel >> 1 | (sel & 1u) << 1;
    const uint32_t *x = lw_vsrc(w, in, 0, op->count == 2 ? LW_V_B16 : LW_V_B32, bx);
    for (unsigned i = 0; i < op->count; i++)
        for (unsigned lane = 0; lane < LW_LANES; lane++) {
            const uint32_t code = x[lane] >> (width * at + code_bits(from) * i) & 0xff;
            r[i][lane] = (uint32_t)lw_small_widen(from, code, 0, op->to);
        }
    if (op->to->bits == 16)
        return write_f16(w, in, op->count, r);
    if (op->count == 1)
        return lw_vwrite(w, in, r[0]);
    lw_vwrite_part(w, in, 0, r[0]);
    lw_vwrite_part(w, in, 1, r[1]);
    return LW_STEP_NEXT;
}

#define WIDEN_SELECTED(name, from, to, count)                                                                \
    lw_step lw_sem_##name(lw_wave *w, const lw_decoded *in)                                                  \
    {                                                                                                        \
        return widen_selected(w, in, from, &(const widen_op){ &lw_fp_##to, false, count });                  \
    }

WIDEN_SELECTED(v_cvt_f32_fp8_sel, &lw_small_fp8, f32, 1)
WIDEN_SELECTED(v_cvt_f32_bf8_sel, &lw_small_bf8, f32, 1)
WIDEN_SELECTED(v_cvt_pk_f32_fp8_sel, &lw_small_fp8, f32, 2)
WIDEN_SELECTED(v_cvt_pk_f32_bf8_sel, &lw_small_bf8, f32, 2)
WIDEN_SELECTED(v_cvt_f16_fp8, &lw_small_fp8, f16, 1)
WIDEN_SELECTED(v_cvt_f16_bf8, &lw_small_bf8, f16, 1)
WIDEN_SELECTED(v_cvt_pk_f16_fp8, &lw_small_fp8, f16, 2)
WIDEN_SELECTED(v_cvt_pk_f16_bf8, &lw_small_bf8, f16, 2)

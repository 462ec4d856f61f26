/* SPDX-License-Identifier: MIT */
/* Packed f16 and f32 arithmetic, and fused multiply-add of mixed formats. */
#include "emu/amdgpu/decode/decode.h"
#include "emu/amdgpu/control/handlers.h"
#include "emu/amdgpu/vector/vfloat.h"
#include "emu/amdgpu/vector/vrows.h"

enum { SIGN16 = 0x8000 };

/* The half of source i that the low or high result reads, negated as the operand says. */
static void half_source(lw_wave *w, const lw_decoded *in, unsigned i, bool high, uint32_t out[LW_LANES])
{
    uint32_t buf[LW_LANES];
    const uint32_t *row = lw_vsrc(w, in, i, LW_V_B32, buf);
    const unsigned shift = 16 * (in->src[i].pick >> high & 1u);
    const uint32_t flip = in->src[i].neg >> high & 1 ? SIGN16 : 0;
    for (unsigned lane = 0; lane < LW_LANES; lane++)
        out[lane] = (row[lane] >> shift & 0xffff) ^ flip;
}

/* bf16 is rounded to nearest and keeps subnormals, whatever MODE says (AMD's emulator; no measurement). */
static lw_fp_env half_mode(const lw_wave *w, const lw_format *f)
{
    lw_fp_env e = lw_vmode(w, f);
    if (f->exp_bits == lw_fp_bf16.exp_bits) {
        e.round = LW_FP_RNE;
        e.keep_in = e.keep_out = true;
    }
    return e;
}

static lw_step packed_halves(lw_wave *w, const lw_decoded *in, const lw_format *f, unsigned sources,
                             lw_lane2 two, lw_lane3 three)
{
    uint32_t s[3][LW_LANES] = { { 0 } }, half[2][LW_LANES] = { { 0 } };
    const lw_fp_env e = half_mode(w, f);
    const uint64_t exec = lw_wave_exec(w);
    for (unsigned high = 0; high < 2; high++) {
        for (unsigned i = 0; i < sources; i++)
            half_source(w, in, i, high, s[i]);
        for (uint64_t left = exec; left; left &= left - 1) {
            const unsigned k = lw_ctz64(left);
            half[high][k] =
                (uint32_t)(two ? two(f, &e, s[0][k], s[1][k]) : three(f, &e, s[0][k], s[1][k], s[2][k]));
        }
        lw_voutput32(w, in, f, exec, half[high]);
    }
    for (unsigned lane = 0; lane < LW_LANES; lane++)
        half[0][lane] |= half[1][lane] << 16;
    return lw_vwrite(w, in, half[0]);
}

/* Of two NaNs the first, unless the second alone signals and IEEE is set (captures of a gfx1100; AMD's
 * emulator for all generations). The manuals' pseudo-code has the second. */
static bool first_of_nans(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b)
{
    const bool second = e->ieee && lw_fp_is_snan(f, b) && !lw_fp_is_snan(f, a);
    return lw_fp_is_nan(f, a) && lw_fp_is_nan(f, b) && !second;
}

static uint64_t least(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b)
{
    return first_of_nans(f, e, a, b) ? lw_fp_pass_nan(f, e, a) : lw_fp_min(f, e, a, b);
}

static uint64_t largest(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b)
{
    return first_of_nans(f, e, a, b) ? lw_fp_pass_nan(f, e, a) : lw_fp_max(f, e, a, b);
}

#define PACKED2(name, fmt, fn)                                                                               \
    lw_step lw_sem_##name(lw_wave *w, const lw_decoded *in)                                                  \
    {                                                                                                        \
        return packed_halves(w, in, &lw_fp_##fmt, 2, fn, NULL);                                              \
    }
#define PACKED3(name, fmt, fn)                                                                               \
    lw_step lw_sem_##name(lw_wave *w, const lw_decoded *in)                                                  \
    {                                                                                                        \
        return packed_halves(w, in, &lw_fp_##fmt, 3, NULL, fn);                                              \
    }

PACKED2(v_pk_add_f16, f16, lw_fp_add)
PACKED2(v_pk_mul_f16, f16, lw_fp_mul)
PACKED2(v_pk_min_f16, f16, least)
PACKED2(v_pk_max_f16, f16, largest)
PACKED2(v_pk_min_num_f16, f16, lw_fp_min_num)
PACKED2(v_pk_max_num_f16, f16, lw_fp_max_num)
PACKED2(v_pk_minimum_f16, f16, lw_fp_minimum)
PACKED2(v_pk_maximum_f16, f16, lw_fp_maximum)
PACKED3(v_pk_fma_f16, f16, lw_fp_fma)
PACKED3(v_pk_minimum3_f16, f16, lw_fp_minimum3)
PACKED3(v_pk_maximum3_f16, f16, lw_fp_maximum3)
PACKED3(v_pk_min3_num_f16, f16, lw_fp_min3_num)
PACKED3(v_pk_max3_num_f16, f16, lw_fp_max3_num)
PACKED2(v_pk_add_bf16, bf16, lw_fp_add)
PACKED2(v_pk_mul_bf16, bf16, lw_fp_mul)
PACKED2(v_pk_min_num_bf16, bf16, lw_fp_min_num)
PACKED2(v_pk_max_num_bf16, bf16, lw_fp_max_num)
PACKED3(v_pk_fma_bf16, bf16, lw_fp_fma)

/* VOP2: no half selection, the accumulator is the result register. */
lw_step lw_sem_v_pk_fmac_f16(lw_wave *w, const lw_decoded *in)
{
    if (lw_decoded_has_signs(in) || in->sub == LW_SUB_SDWA)
        return lw_wave_fault(w, -1, "modifiers on v_pk_fmac_f16 have no documented meaning");
    lw_decoded packed = *in;
    packed.src[2] = in->dst;
    for (unsigned i = 0; i < 3; i++)
        packed.src[i].pick = 2;
    return packed_halves(w, &packed, &lw_fp_f16, 3, NULL, lw_fp_fma);
}

/* The register of a 64-bit source that the low or high result of packed f32 reads. */
static void word_source(lw_wave *w, const lw_decoded *in, unsigned i, bool high, bool is_float,
                        uint32_t out[LW_LANES])
{
    uint32_t buf[LW_LANES];
    const unsigned part = in->src[i].pick >> high & 1u;
    const uint32_t *row = lw_vsrc_part(w, in, i, part, buf);
    const uint32_t flip = is_float && in->src[i].neg >> high & 1 ? 0x80000000u : 0;
    for (unsigned lane = 0; lane < LW_LANES; lane++)
        out[lane] = row[lane] ^ flip;
}

typedef void (*row2_f32)(const lw_fp_env *, uint64_t, const uint32_t *, const uint32_t *, uint32_t *);

/* run == NULL: fused multiply-add of three sources. */
static lw_step packed_f32(lw_wave *w, const lw_decoded *in, row2_f32 run)
{
    uint32_t s[3][LW_LANES], r[2][LW_LANES];
    const lw_fp_env e = lw_vmode(w, &lw_fp_f32);
    const uint64_t exec = lw_wave_exec(w);
    for (unsigned high = 0; high < 2; high++) {
        for (unsigned i = 0; i < (run ? 2 : 3); i++)
            word_source(w, in, i, high, true, s[i]);
        if (run)
            run(&e, exec, s[0], s[1], r[high]);
        else
            lw_row_fma_f32(&e, exec, s[0], s[1], s[2], r[high]);
        lw_voutput32(w, in, &lw_fp_f32, exec, r[high]);
    }
    const lw_step step = lw_vcheck(w, in);
    if (step != LW_STEP_NEXT)
        return step;
    lw_vwrite_part(w, in, 0, r[0]);
    lw_vwrite_part(w, in, 1, r[1]);
    return LW_STEP_NEXT;
}

lw_step lw_sem_v_pk_fma_f32(lw_wave *w, const lw_decoded *in)
{
    return packed_f32(w, in, NULL);
}

lw_step lw_sem_v_pk_mul_f32(lw_wave *w, const lw_decoded *in)
{
    return packed_f32(w, in, lw_row_mul_f32);
}

lw_step lw_sem_v_pk_add_f32(lw_wave *w, const lw_decoded *in)
{
    return packed_f32(w, in, lw_row_add_f32);
}

/* The low result comes from source 0 (op_sel[0]), the high one from source 1 (op_sel[1]). */
lw_step lw_sem_v_pk_mov_b32(lw_wave *w, const lw_decoded *in)
{
    uint32_t r[2][LW_LANES];
    const lw_step step = lw_vcheck(w, in);
    if (step != LW_STEP_NEXT)
        return step;
    word_source(w, in, 0, false, false, r[0]);
    word_source(w, in, 1, false, false, r[1]);
    lw_vwrite_part(w, in, 0, r[0]);
    lw_vwrite_part(w, in, 1, r[1]);
    return LW_STEP_NEXT;
}

/* An inline constant means the constant of the narrow format: compilers fold f16 constants into these
 * operands (LLVM 22). */
static const uint32_t *mix_half(lw_wave *w, const lw_decoded *in, const lw_format *f, unsigned i,
                                uint32_t buf[LW_LANES])
{
    if (in->src[i].kind != LW_OPND_INLINE)
        return lw_vsrc(w, in, i, LW_V_F16, buf);
    lw_decoded typed = *in;
    typed.src[i].value = lw_decode_inline(f->frac_bits == 10 ? LW_TYPE_F16 : LW_TYPE_BF16, in->src[i].code);
    return lw_vsrc(w, &typed, i, LW_V_F16, buf);
}

/*
 * A source of the mixed operations. With op_sel_hi, it is the half that op_sel selects: an f16, widened
 * exactly after its input flush, or a bf16, which is flushed as the f32 that it is the upper half of
 * (inferred). Otherwise it is an f32. abs (neg_hi) means ABS here.
 */
static void mix_source(lw_wave *w, const lw_decoded *in, const lw_format *f, unsigned i,
                       uint32_t out[LW_LANES])
{
    uint32_t buf[LW_LANES];
    const uint32_t *row = lw_vsrc(w, in, i, LW_V_F32, buf);
    const lw_fp_env e32 = lw_vmode(w, &lw_fp_f32);
    if (!(in->src[i].pick & 2)) {
        for (unsigned lane = 0; lane < LW_LANES; lane++)
            out[lane] = (uint32_t)lw_fp_flush_in(&lw_fp_f32, &e32, row[lane]);
        return;
    }
    lw_fp_env narrow = lw_vmode(w, f->frac_bits == 10 ? f : &lw_fp_f32);
    narrow.ieee = false; /* any quieting of NaNs is done by the sum */
    narrow.keep_out = true;
    row = mix_half(w, in, f, i, buf);
    for (unsigned lane = 0; lane < LW_LANES; lane++)
        out[lane] = (uint32_t)lw_fp_convert(f, &narrow, &lw_fp_f32, &narrow, row[lane]);
}

/* The high half of a constant is not documented, except that that of zero is zero. */
static bool mix_constants_known(const lw_decoded *in)
{
    for (unsigned i = 0; i < 3; i++)
        if (in->src[i].kind == LW_OPND_INLINE && in->src[i].pick == 3 && in->src[i].value)
            return false;
    return true;
}

static lw_step mix_sources(lw_wave *w, const lw_decoded *in, const lw_format *f, uint32_t s[3][LW_LANES])
{
    if (!mix_constants_known(in))
        return lw_wave_fault(
            w, -1,
            "the high half of an inline constant as 16-bit source of a mixed operation has no "
            "documented value");
    for (unsigned i = 0; i < 3; i++)
        mix_source(w, in, f, i, s[i]);
    return LW_STEP_NEXT;
}

static lw_step mix_to_f32(lw_wave *w, const lw_decoded *in, const lw_format *narrow)
{
    uint32_t s[3][LW_LANES], r[LW_LANES];
    const lw_step step = mix_sources(w, in, narrow, s);
    if (step != LW_STEP_NEXT)
        return step;
    const lw_fp_env e = lw_vmode(w, &lw_fp_f32);
    lw_row_fma_f32(&e, lw_wave_exec(w), s[0], s[1], s[2], r);
    lw_voutput32(w, in, &lw_fp_f32, lw_wave_exec(w), r);
    return lw_vwrite(w, in, r);
}

lw_step lw_sem_v_fma_mix_f32(lw_wave *w, const lw_decoded *in)
{
    return mix_to_f32(w, in, &lw_fp_f16);
}

lw_step lw_sem_v_fma_mix_f32_bf16(lw_wave *w, const lw_decoded *in)
{
    return mix_to_f32(w, in, &lw_fp_bf16);
}

/* One rounding, from the exact sum to f16 or bf16; the other half of the register is kept. */
static lw_step mix_to_half(lw_wave *w, const lw_decoded *in, const lw_format *f, bool high)
{
    uint32_t s[3][LW_LANES], r[LW_LANES] = { 0 };
    const lw_step step = mix_sources(w, in, f, s);
    if (step != LW_STEP_NEXT)
        return step;
    const lw_fp_env e = half_mode(w, f);
    for (uint64_t left = lw_wave_exec(w); left; left &= left - 1) {
        const unsigned lane = lw_ctz64(left);
        r[lane] = (uint32_t)lw_fp_fma_f32_to(f, &e, s[0][lane], s[1][lane], s[2][lane]);
    }
    lw_voutput32(w, in, f, lw_wave_exec(w), r);
    const uint32_t *old = lw_vdst_old(w, in, 0);
    for (unsigned lane = 0; lane < LW_LANES; lane++)
        r[lane] = high ? r[lane] << 16 | (old[lane] & 0xffff) : r[lane] | (old[lane] & 0xffff0000u);
    return lw_vwrite(w, in, r);
}

lw_step lw_sem_v_fma_mixlo_f16(lw_wave *w, const lw_decoded *in)
{
    return mix_to_half(w, in, &lw_fp_f16, false);
}

lw_step lw_sem_v_fma_mixhi_f16(lw_wave *w, const lw_decoded *in)
{
    return mix_to_half(w, in, &lw_fp_f16, true);
}

lw_step lw_sem_v_fma_mixlo_bf16(lw_wave *w, const lw_decoded *in)
{
    return mix_to_half(w, in, &lw_fp_bf16, false);
}

lw_step lw_sem_v_fma_mixhi_bf16(lw_wave *w, const lw_decoded *in)
{
    return mix_to_half(w, in, &lw_fp_bf16, true);
}

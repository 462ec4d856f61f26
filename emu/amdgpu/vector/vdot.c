/* SPDX-License-Identifier: MIT */
/* Dot products of the elements of one register. Integers: the exact sum plus the addend; CLAMP saturates
 * once. */
#include "emu/amdgpu/control/handlers.h"
#include "emu/amdgpu/vector/vfloat.h"
#include "emu/num/dot.h"
#include "isa_tables/amdgpu/traits.h"

/* Sources as 32-bit rows. The addend is source 2 in VOP3P and the result register in VOP2. */
typedef struct dot_rows {
    uint32_t buf[3][LW_LANES];
    const uint32_t *a, *b, *c;
} dot_rows;

static lw_step read_rows(lw_wave *w, const lw_decoded *in, dot_rows *d)
{
    if (in->enc != LW_ENC_VOP3P && lw_decoded_has_signs(in))
        return lw_wave_fault(w, -1, "neg and abs on a packed dot product have no documented meaning");
    d->a = lw_vsrc(w, in, 0, LW_V_B32, d->buf[0]);
    d->b = lw_vsrc(w, in, 1, LW_V_B32, d->buf[1]);
    d->c = in->enc == LW_ENC_VOP3P ? lw_vsrc(w, in, 2, LW_V_B32, d->buf[2]) : lw_vdst_old(w, in, 0);
    return LW_STEP_NEXT;
}

/* Element k of a source; two-element dots may select halves with op_sel (k = 0) and op_sel_hi (k = 1). */
static unsigned element_shift(const lw_decoded *in, unsigned source, unsigned width, unsigned k)
{
    if (width != 16 || in->enc != LW_ENC_VOP3P)
        return width * k;
    return 16 * (in->src[source].pick >> k & 1u);
}

static inline int64_t element(uint32_t v, unsigned shift, unsigned width, bool is_signed)
{
    const int64_t e = (int64_t)(v >> shift & ((1u << width) - 1));
    return is_signed && e >> (width - 1) ? e - ((int64_t)1 << width) : e;
}

static lw_step dot_int(lw_wave *w, const lw_decoded *in, unsigned width, bool is_signed)
{
    dot_rows d;
    uint32_t r[LW_LANES];
    const lw_step step = read_rows(w, in, &d);
    if (step != LW_STEP_NEXT)
        return step;
    if (lw_decoded_has_signs(in))
        return lw_wave_fault(w, -1, "neg on an integer dot product has no documented meaning");
    const int64_t low = is_signed ? INT32_MIN : 0, high = is_signed ? INT32_MAX : UINT32_MAX;
    for (unsigned lane = 0; lane < LW_LANES; lane++) {
        int64_t sum = is_signed ? (int64_t)(int32_t)d.c[lane] : (int64_t)d.c[lane];
        for (unsigned k = 0; k < 32 / width; k++)
            sum += element(d.a[lane], element_shift(in, 0, width, k), width, is_signed) *
                   element(d.b[lane], element_shift(in, 1, width, k), width, is_signed);
        r[lane] = (uint32_t)(!in->clamp ? sum : sum < low ? low : sum > high ? high : sum);
    }
    return lw_vwrite(w, in, r);
}

/* neg_lo says which of the first two sources is signed (AMD RDNA3 ISA manual, V_DOT4_I32_IU8). */
static lw_step dot_mixed(lw_wave *w, const lw_decoded *in, unsigned width)
{
    const bool sign_a = in->src[0].neg & 1, sign_b = in->src[1].neg & 1;
    dot_rows d;
    uint32_t r[LW_LANES];
    const lw_step step = read_rows(w, in, &d);
    if (step != LW_STEP_NEXT)
        return step;
    if (in->src[2].neg || (in->src[0].neg | in->src[1].neg) & 2)
        return lw_wave_fault(w, -1, "neg of these sources has no documented meaning here");
    for (unsigned lane = 0; lane < LW_LANES; lane++) {
        int64_t sum = (int32_t)d.c[lane];
        for (unsigned k = 0; k < 32 / width; k++)
            sum +=
                element(d.a[lane], width * k, width, sign_a) * element(d.b[lane], width * k, width, sign_b);
        r[lane] = (uint32_t)(!in->clamp        ? sum
                             : sum < INT32_MIN ? INT32_MIN
                             : sum > INT32_MAX ? INT32_MAX
                                               : sum);
    }
    return lw_vwrite(w, in, r);
}

lw_step lw_sem_v_dot4_i32_iu8(lw_wave *w, const lw_decoded *in)
{
    return dot_mixed(w, in, 8);
}

lw_step lw_sem_v_dot8_i32_iu4(lw_wave *w, const lw_decoded *in)
{
    return dot_mixed(w, in, 4);
}

#define DOT_INT(name, width, is_signed)                                                                      \
    lw_step lw_sem_##name(lw_wave *w, const lw_decoded *in)                                                  \
    {                                                                                                        \
        return dot_int(w, in, width, is_signed);                                                             \
    }

DOT_INT(v_dot2_i32_i16, 16, true)
DOT_INT(v_dot2_u32_u16, 16, false)
DOT_INT(v_dot4_i32_i8, 8, true)
DOT_INT(v_dot4_u32_u8, 8, false)
DOT_INT(v_dot8_i32_i4, 4, true)
DOT_INT(v_dot8_u32_u4, 4, false)
DOT_INT(v_dot2c_i32_i16, 16, true)
DOT_INT(v_dot4c_i32_i8, 8, true)
DOT_INT(v_dot8c_i32_i4, 4, true)

/*
 * Two float products and an addend. How often CDNA rounds is not public; this is computed as two fused
 * multiply-adds, element 0 first, to nearest even. According to the CDNA2 manual, subnormal sources and
 * results are flushed; gfx950 keeps those of f16 (LLVM), and we assume the same for bf16. On gfx11 it is a
 * step of WMMA's unit (captured).
 */
static uint32_t two_fmas(const lw_format *f, const lw_fp_env *e, const uint32_t a[2], const uint32_t b[2],
                         uint32_t c)
{
    const lw_fp_env wide = { .keep_in = e->keep_in, .keep_out = true };
    uint64_t sum = c;
    for (unsigned k = 0; k < 2; k++)
        sum = lw_fp_fma(&lw_fp_f32, e, lw_fp_convert(f, &wide, &lw_fp_f32, &wide, a[k]),
                        lw_fp_convert(f, &wide, &lw_fp_f32, &wide, b[k]), sum);
    return (uint32_t)sum;
}

/* One step of a matrix unit's arithmetic, if that is known. */
static uint32_t one_step(const lw_dot_unit *unit, const lw_format *f, const uint32_t a[2],
                         const uint32_t b[2], uint32_t c)
{
    const lw_part pa[2] = { lw_part_make(f, a[0], false), lw_part_make(f, a[1], false) };
    const lw_part pb[2] = { lw_part_make(f, b[0], false), lw_part_make(f, b[1], false) };
    const lw_dot_env env = { .first = true };
    const lw_dot_group group = {
        .a = pa, .b = pb, .count = 2, .frac = 2 * lw_part_frac(f), .a_frac = lw_part_frac(f), .scale_sig = 1
    };
    return lw_dot_step(unit, &group, 1, LW_ACC_F32, c, &env, NULL);
}

static lw_step dot_float(lw_wave *w, const lw_decoded *in, const lw_format *f)
{
    const lw_amdgpu_traits *traits = lw_amdgpu_traits_of(w->arch);
    const lw_dot_unit *unit = f == &lw_fp_f16 ? traits->dot2_f16 : traits->dot2_bf16;
    dot_rows d;
    uint32_t r[LW_LANES] = { 0 };
    const lw_step step = read_rows(w, in, &d);
    if (step != LW_STEP_NEXT)
        return step;
    const bool keep = !traits->dot2_flushes, packed = in->enc == LW_ENC_VOP3P;
    const lw_fp_env e = { .keep_in = keep, .keep_out = keep, .ieee = w->mode & LW_MODE_IEEE };
    const uint32_t c_keep = packed && in->src[2].neg & 2 ? 0x7fffffffu : ~0u;
    const uint32_t c_flip = packed && in->src[2].neg & 1 ? 0x80000000u : 0;
    for (uint64_t left = lw_wave_exec(w); left; left &= left - 1) {
        const unsigned lane = lw_ctz64(left);
        const uint32_t c = (d.c[lane] & c_keep) ^ c_flip;
        uint32_t a[2], b[2];
        for (unsigned k = 0; k < 2; k++) {
            const uint32_t neg_a = in->src[0].neg >> k & 1u, neg_b = in->src[1].neg >> k & 1u;
            a[k] = (d.a[lane] >> element_shift(in, 0, 16, k) & 0xffff) ^ neg_a << 15;
            b[k] = (d.b[lane] >> element_shift(in, 1, 16, k) & 0xffff) ^ neg_b << 15;
        }
        r[lane] = unit ? one_step(unit, f, a, b, c) : two_fmas(f, &e, a, b, c);
    }
    lw_voutput32(w, in, &lw_fp_f32, lw_wave_exec(w), r);
    return lw_vwrite(w, in, r);
}

#define DOT_FLOAT(name, fmt)                                                                                 \
    lw_step lw_sem_##name(lw_wave *w, const lw_decoded *in)                                                  \
    {                                                                                                        \
        return dot_float(w, in, &lw_fp_##fmt);                                                               \
    }

DOT_FLOAT(v_dot2_f32_f16, f16)
DOT_FLOAT(v_dot2c_f32_f16, f16)
DOT_FLOAT(v_dot2_f32_bf16, bf16)
DOT_FLOAT(v_dot2c_f32_bf16, bf16)

/*
 * Four products of 8-bit floats on one grid: a step of the unit that rocjitsu (ROCm/rocm-systems) states for
 * gfx1201; no results of a chip are published. neg_lo and neg_hi act on the addend only.
 */
static lw_step dot4_float(lw_wave *w, const lw_decoded *in, const lw_format *fa, const lw_format *fb)
{
    const lw_dot_unit *unit = &lw_dot_units[LW_UNIT_SINGLE4];
    dot_rows d;
    uint32_t r[LW_LANES] = { 0 };
    const lw_step step = read_rows(w, in, &d);
    if (step != LW_STEP_NEXT)
        return step;
    const uint32_t keep = in->src[2].neg & 2 ? 0x7fffffffu : ~0u, flip = in->src[2].neg & 1 ? 0x80000000u : 0;
    for (uint64_t left = lw_wave_exec(w); left; left &= left - 1) {
        const unsigned lane = lw_ctz64(left);
        lw_part a[4], b[4];
        for (unsigned k = 0; k < 4; k++) {
            a[k] = lw_part_make(fa, d.a[lane] >> 8 * k & 0xff, false);
            b[k] = lw_part_make(fb, d.b[lane] >> 8 * k & 0xff, false);
        }
        const lw_dot_env env = { .first = true };
        const lw_dot_group group = { .a = a,
                                     .b = b,
                                     .count = 4,
                                     .frac = lw_part_frac(fa) + lw_part_frac(fb),
                                     .a_frac = lw_part_frac(fa),
                                     .scale_sig = 1 };
        r[lane] = lw_dot_step(unit, &group, 1, LW_ACC_F32, (d.c[lane] & keep) ^ flip, &env, NULL);
    }
    return lw_vwrite(w, in, r);
}

#define DOT4_FLOAT(fmt_a, fmt_b)                                                                             \
    lw_step lw_sem_v_dot4_f32_##fmt_a##_##fmt_b(lw_wave *w, const lw_decoded *in)                            \
    {                                                                                                        \
        return dot4_float(w, in, &lw_fp_##fmt_a, &lw_fp_##fmt_b);                                            \
    }

DOT4_FLOAT(fp8, bf8)
DOT4_FLOAT(bf8, fp8)
DOT4_FLOAT(fp8, fp8)
DOT4_FLOAT(bf8, bf8)

/* SPDX-License-Identifier: MIT */
/* gfx950's conversions of 32 elements at a time to and from 6-bit floats: element i at bit 6i of 192 bits. */
#include "emu/amdgpu/control/handlers.h"
#include "emu/amdgpu/vector/vfloat.h"
#include "emu/num/small.h"

enum { COUNT = 32, CODE = 6, PACKED = COUNT * CODE / 32 };

/* Element i of a source of 32-bit or packed 16-bit numbers. */
static void read_element(lw_wave *w, const lw_decoded *in, unsigned source, const lw_format *f, unsigned i,
                         uint32_t out[LW_LANES])
{
    uint32_t buf[LW_LANES];
    const bool wide = f->frac_bits == 23;
    const uint32_t *row = lw_vsrc_part(w, in, source, wide ? i : i / 2, buf);
    const unsigned shift = wide ? 0 : 16 * (i & 1);
    const uint32_t mask = wide ? ~0u : 0xffff;
    for (unsigned lane = 0; lane < LW_LANES; lane++)
        out[lane] = row[lane] >> shift & mask;
}

static void put_code(uint32_t r[PACKED][LW_LANES], unsigned i, unsigned lane, uint32_t code)
{
    const unsigned bit = CODE * i, at = bit / 32, shift = bit % 32;
    r[at][lane] |= code << shift;
    if (shift + CODE > 32)
        r[at + 1][lane] |= code >> (32 - shift);
}

/* interleaved: two sources of 16 f32 each, alternating. seed < 0: to nearest even. */
typedef struct narrow32_op {
    const lw_format *from;
    int8_t scale, seed;
    bool interleaved;
} narrow32_op;

static lw_step narrow32(lw_wave *w, const lw_decoded *in, const lw_small *to, const narrow32_op *op)
{
    uint32_t r[PACKED][LW_LANES] = { { 0 } }, x[LW_LANES], bs[LW_LANES], random[LW_LANES] = { 0 };
    const lw_step step = lw_vcheck(w, in);
    if (step != LW_STEP_NEXT)
        return step;
    const uint32_t *scale = lw_vsrc(w, in, (unsigned)op->scale, LW_V_B32, bs);
    if (op->seed >= 0) {
        uint32_t buf[LW_LANES];
        memcpy(random, lw_vsrc(w, in, (unsigned)op->seed, LW_V_B32, buf), sizeof(random));
    }
    for (unsigned i = 0; i < COUNT; i++) {
        if (op->interleaved)
            read_element(w, in, i & 1, op->from, i / 2, x);
        else
            read_element(w, in, 0, op->from, i, x);
        for (unsigned lane = 0; lane < LW_LANES; lane++) {
            const int s = lw_scale_of_f32(scale[lane]);
            const uint32_t code = op->seed >= 0
                                      ? lw_small_narrow_sr(to, false, op->from, x[lane], s, random[lane])
                                      : lw_small_narrow(to, false, op->from, x[lane], s);
            put_code(r, i, lane, code);
            random[lane] = lw_prng(random[lane]);
        }
    }
    for (unsigned i = 0; i < PACKED; i++)
        lw_vwrite_part(w, in, i, r[i]);
    return LW_STEP_NEXT;
}

#define NARROW32(name, to, from, scale, seed, interleaved)                                                   \
    lw_step lw_sem_##name(lw_wave *w, const lw_decoded *in)                                                  \
    {                                                                                                        \
        return narrow32(w, in, &lw_small_##to,                                                               \
                        &(const narrow32_op){ &lw_fp_##from, scale, seed, interleaved });                    \
    }

NARROW32(v_cvt_scalef32_2xpk16_fp6_f32, fp6, f32, 2, -1, true)
NARROW32(v_cvt_scalef32_2xpk16_bf6_f32, bf6, f32, 2, -1, true)
NARROW32(v_cvt_scalef32_pk32_fp6_f16, fp6, f16, 1, -1, false)
NARROW32(v_cvt_scalef32_pk32_fp6_bf16, fp6, bf16, 1, -1, false)
NARROW32(v_cvt_scalef32_pk32_bf6_f16, bf6, f16, 1, -1, false)
NARROW32(v_cvt_scalef32_pk32_bf6_bf16, bf6, bf16, 1, -1, false)
NARROW32(v_cvt_scalef32_sr_pk32_fp6_f32, fp6, f32, 2, 1, false)
NARROW32(v_cvt_scalef32_sr_pk32_bf6_f32, bf6, f32, 2, 1, false)
NARROW32(v_cvt_scalef32_sr_pk32_fp6_f16, fp6, f16, 2, 1, false)
NARROW32(v_cvt_scalef32_sr_pk32_fp6_bf16, fp6, bf16, 2, 1, false)
NARROW32(v_cvt_scalef32_sr_pk32_bf6_f16, bf6, f16, 2, 1, false)
NARROW32(v_cvt_scalef32_sr_pk32_bf6_bf16, bf6, bf16, 2, 1, false)

static void read_codes(lw_wave *w, const lw_decoded *in, unsigned i, uint32_t out[LW_LANES])
{
    uint32_t b0[LW_LANES], b1[LW_LANES];
    const unsigned bit = CODE * i, at = bit / 32, shift = bit % 32;
    const uint32_t *low = lw_vsrc_part(w, in, 0, at, b0);
    const uint32_t *high = shift + CODE > 32 ? lw_vsrc_part(w, in, 0, at + 1, b1) : low;
    for (unsigned lane = 0; lane < LW_LANES; lane++)
        out[lane] = (uint32_t)((low[lane] | (uint64_t)high[lane] << 32) >> shift) & ((1u << CODE) - 1);
}

static lw_step widen32(lw_wave *w, const lw_decoded *in, const lw_small *from, const lw_format *to)
{
    uint32_t r[COUNT][LW_LANES] = { { 0 } }, code[LW_LANES], bs[LW_LANES];
    const lw_step step = lw_vcheck(w, in);
    if (step != LW_STEP_NEXT)
        return step;
    const bool wide = to->frac_bits == 23;
    const uint32_t *scale = lw_vsrc(w, in, 1, LW_V_B32, bs);
    for (unsigned i = 0; i < COUNT; i++) {
        read_codes(w, in, i, code);
        uint32_t *out = r[wide ? i : i / 2];
        const unsigned shift = wide ? 0 : 16 * (i & 1);
        for (unsigned lane = 0; lane < LW_LANES; lane++)
            out[lane] |= (uint32_t)lw_small_widen(from, code[lane], lw_scale_of_f32(scale[lane]), to)
                         << shift;
    }
    for (unsigned i = 0; i < (wide ? COUNT : COUNT / 2); i++)
        lw_vwrite_part(w, in, i, r[i]);
    return LW_STEP_NEXT;
}

#define WIDEN32(name, from, to)                                                                              \
    lw_step lw_sem_##name(lw_wave *w, const lw_decoded *in)                                                  \
    {                                                                                                        \
        return widen32(w, in, &lw_small_##from, &lw_fp_##to);                                                \
    }

WIDEN32(v_cvt_scalef32_pk32_f32_fp6, fp6, f32)
WIDEN32(v_cvt_scalef32_pk32_f32_bf6, bf6, f32)
WIDEN32(v_cvt_scalef32_pk32_f16_fp6, fp6, f16)
WIDEN32(v_cvt_scalef32_pk32_f16_bf6, bf6, f16)
WIDEN32(v_cvt_scalef32_pk32_bf16_fp6, fp6, bf16)
WIDEN32(v_cvt_scalef32_pk32_bf16_bf6, bf6, bf16)

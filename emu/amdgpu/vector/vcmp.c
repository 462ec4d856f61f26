/* SPDX-License-Identifier: MIT */
/*
 * Compares into lane masks. Inactive lanes give 0; v_cmpx also writes EXEC (gfx9: in addition to VCC or the
 * scalar destination). A predicate is the set of orderings for which it holds.
 */
#include "emu/amdgpu/control/handlers.h"
#include "emu/amdgpu/vector/vlane.h"

enum {
    F = 0,
    LT = LW_FP_LESS,
    EQ = LW_FP_EQUAL,
    LE = LT | EQ,
    GT = LW_FP_GREATER,
    LG = LT | GT,
    GE = GT | EQ,
    O = LT | EQ | GT,
    U = LW_FP_UNORDERED,
    NGE = LT | U,
    NLG = EQ | U,
    NGT = LE | U,
    NLE = GT | U,
    NEQ = LG | U,
    NLT = GE | U,
    TRU = O | U,
    NE = LG,
    T = O,
};

static lw_step finish(lw_wave *w, const lw_decoded *in, bool writes_exec, uint64_t mask)
{
    const lw_step step = lw_vcheck(w, in);
    if (step != LW_STEP_NEXT)
        return step;
    mask &= lw_vactive(w, in);
    lw_vwrite_mask(w, in, mask);
    if (writes_exec)
        lw_wave_set_mask(w, LW_SGPR_EXEC, mask);
    return LW_STEP_NEXT;
}

static inline uint64_t flag(unsigned orders, unsigned order, unsigned lane)
{
    return (uint64_t)((orders & order) != 0) << lane;
}

static lw_step compare_float(lw_wave *w, const lw_decoded *in, const lw_format *f, unsigned orders,
                             bool writes_exec)
{
    uint32_t ba[LW_LANES], bb[LW_LANES];
    const lw_vkind kind = f->frac_bits == 10 ? LW_V_F16 : LW_V_F32;
    const uint32_t *a = lw_vsrc(w, in, 0, kind, ba), *b = lw_vsrc(w, in, 1, kind, bb);
    const lw_fp_env e = lw_vmode(w, f);
    uint64_t mask = 0;
    for (unsigned lane = 0; lane < LW_LANES; lane++)
        mask |= flag(orders, lw_fp_compare(f, &e, a[lane], b[lane]), lane);
    return finish(w, in, writes_exec, mask);
}

static lw_step compare_f64(lw_wave *w, const lw_decoded *in, const lw_format *f, unsigned orders,
                           bool writes_exec)
{
    uint64_t ba[LW_LANES], bb[LW_LANES];
    const uint64_t *a = lw_vsrc64(w, in, 0, true, ba), *b = lw_vsrc64(w, in, 1, true, bb);
    const lw_fp_env e = lw_vmode(w, f);
    uint64_t mask = 0;
    for (unsigned lane = 0; lane < LW_LANES; lane++)
        mask |= flag(orders, lw_fp_compare(f, &e, a[lane], b[lane]), lane);
    return finish(w, in, writes_exec, mask);
}

static inline unsigned order_of(bool less, bool equal)
{
    return less ? LT : equal ? EQ : GT;
}

/* Flipping the sign bit turns signed sources into unsigned ones of the same order. */
static lw_step compare_int(lw_wave *w, const lw_decoded *in, lw_vkind kind, uint32_t flip, unsigned orders,
                           bool writes_exec)
{
    uint32_t ba[LW_LANES], bb[LW_LANES];
    const uint32_t *a = lw_vsrc(w, in, 0, kind, ba), *b = lw_vsrc(w, in, 1, kind, bb);
    uint64_t mask = 0;
    for (unsigned lane = 0; lane < LW_LANES; lane++) {
        const uint32_t x = a[lane] ^ flip, y = b[lane] ^ flip;
        mask |= flag(orders, order_of(x < y, x == y), lane);
    }
    return finish(w, in, writes_exec, mask);
}

static lw_step compare_int64(lw_wave *w, const lw_decoded *in, uint64_t flip, unsigned orders,
                             bool writes_exec)
{
    uint64_t ba[LW_LANES], bb[LW_LANES];
    const uint64_t *a = lw_vsrc64(w, in, 0, false, ba), *b = lw_vsrc64(w, in, 1, false, bb);
    uint64_t mask = 0;
    for (unsigned lane = 0; lane < LW_LANES; lane++) {
        const uint64_t x = a[lane] ^ flip, y = b[lane] ^ flip;
        mask |= flag(orders, order_of(x < y, x == y), lane);
    }
    return finish(w, in, writes_exec, mask);
}

#define COMPARE(name, call)                                                                                  \
    lw_step lw_sem_v_cmp_##name(lw_wave *w, const lw_decoded *in)                                            \
    {                                                                                                        \
        const bool writes_exec = false;                                                                      \
        return call;                                                                                         \
    }                                                                                                        \
    lw_step lw_sem_v_cmpx_##name(lw_wave *w, const lw_decoded *in)                                           \
    {                                                                                                        \
        const bool writes_exec = true;                                                                       \
        return call;                                                                                         \
    }

#define FLOATS(type, run, fmt)                                                                               \
    COMPARE(f_##type, run(w, in, fmt, F, writes_exec))                                                       \
    COMPARE(lt_##type, run(w, in, fmt, LT, writes_exec))                                                     \
    COMPARE(eq_##type, run(w, in, fmt, EQ, writes_exec))                                                     \
    COMPARE(le_##type, run(w, in, fmt, LE, writes_exec))                                                     \
    COMPARE(gt_##type, run(w, in, fmt, GT, writes_exec))                                                     \
    COMPARE(lg_##type, run(w, in, fmt, LG, writes_exec))                                                     \
    COMPARE(ge_##type, run(w, in, fmt, GE, writes_exec))                                                     \
    COMPARE(o_##type, run(w, in, fmt, O, writes_exec))                                                       \
    COMPARE(u_##type, run(w, in, fmt, U, writes_exec))                                                       \
    COMPARE(nge_##type, run(w, in, fmt, NGE, writes_exec))                                                   \
    COMPARE(nlg_##type, run(w, in, fmt, NLG, writes_exec))                                                   \
    COMPARE(ngt_##type, run(w, in, fmt, NGT, writes_exec))                                                   \
    COMPARE(nle_##type, run(w, in, fmt, NLE, writes_exec))                                                   \
    COMPARE(neq_##type, run(w, in, fmt, NEQ, writes_exec))                                                   \
    COMPARE(nlt_##type, run(w, in, fmt, NLT, writes_exec))                                                   \
    COMPARE(tru_##type, run(w, in, fmt, TRU, writes_exec))

FLOATS(f16, compare_float, &lw_fp_f16)
FLOATS(f32, compare_float, &lw_fp_f32)
FLOATS(f64, compare_f64, &lw_fp_f64)

#define INTS32(type, kind, flip)                                                                             \
    COMPARE(f_##type, compare_int(w, in, kind, flip, F, writes_exec))                                        \
    COMPARE(lt_##type, compare_int(w, in, kind, flip, LT, writes_exec))                                      \
    COMPARE(eq_##type, compare_int(w, in, kind, flip, EQ, writes_exec))                                      \
    COMPARE(le_##type, compare_int(w, in, kind, flip, LE, writes_exec))                                      \
    COMPARE(gt_##type, compare_int(w, in, kind, flip, GT, writes_exec))                                      \
    COMPARE(ne_##type, compare_int(w, in, kind, flip, NE, writes_exec))                                      \
    COMPARE(ge_##type, compare_int(w, in, kind, flip, GE, writes_exec))                                      \
    COMPARE(t_##type, compare_int(w, in, kind, flip, T, writes_exec))

INTS32(i16, LW_V_B16, 0x8000u)
INTS32(u16, LW_V_B16, 0)
INTS32(i32, LW_V_B32, 0x80000000u)
INTS32(u32, LW_V_B32, 0)

#define INTS64(type, flip)                                                                                   \
    COMPARE(f_##type, compare_int64(w, in, flip, F, writes_exec))                                            \
    COMPARE(lt_##type, compare_int64(w, in, flip, LT, writes_exec))                                          \
    COMPARE(eq_##type, compare_int64(w, in, flip, EQ, writes_exec))                                          \
    COMPARE(le_##type, compare_int64(w, in, flip, LE, writes_exec))                                          \
    COMPARE(gt_##type, compare_int64(w, in, flip, GT, writes_exec))                                          \
    COMPARE(ne_##type, compare_int64(w, in, flip, NE, writes_exec))                                          \
    COMPARE(ge_##type, compare_int64(w, in, flip, GE, writes_exec))                                          \
    COMPARE(t_##type, compare_int64(w, in, flip, T, writes_exec))

INTS64(i64, (uint64_t)1 << 63)
INTS64(u64, (uint64_t)0)

/* The class mask is an integer source. The value keeps its raw encoding after NEG and ABS and is never
 * flushed. */
static lw_step classify(lw_wave *w, const lw_decoded *in, const lw_format *f, bool writes_exec)
{
    uint32_t ba[LW_LANES], bb[LW_LANES];
    const bool half = f->frac_bits == 10;
    const uint32_t *a = lw_vsrc(w, in, 0, half ? LW_V_F16 : LW_V_F32, ba);
    const uint32_t *b = lw_vsrc(w, in, 1, half ? LW_V_B16 : LW_V_B32, bb);
    uint64_t mask = 0;
    for (unsigned lane = 0; lane < LW_LANES; lane++)
        mask |= flag(b[lane], lw_fp_class(f, a[lane]), lane);
    return finish(w, in, writes_exec, mask);
}

static lw_step classify_f64(lw_wave *w, const lw_decoded *in, bool writes_exec)
{
    uint64_t ba[LW_LANES];
    uint32_t bb[LW_LANES];
    const uint64_t *a = lw_vsrc64(w, in, 0, true, ba);
    const uint32_t *b = lw_vsrc(w, in, 1, LW_V_B32, bb);
    uint64_t mask = 0;
    for (unsigned lane = 0; lane < LW_LANES; lane++)
        mask |= flag(b[lane], lw_fp_class(&lw_fp_f64, a[lane]), lane);
    return finish(w, in, writes_exec, mask);
}

COMPARE(class_f16, classify(w, in, &lw_fp_f16, writes_exec))
COMPARE(class_f32, classify(w, in, &lw_fp_f32, writes_exec))
COMPARE(class_f64, classify_f64(w, in, writes_exec))

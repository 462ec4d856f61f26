/* SPDX-License-Identifier: MIT */
/* The arithmetic of a prepared instruction, in words. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "emu/mma/mma.h"

#ifdef __GNUC__
__attribute__((format(printf, 3, 4)))
#endif
static void
append(char *text, size_t size, const char *format, ...)
{
    const size_t length = strlen(text);
    va_list args;
    va_start(args, format);
    vsnprintf(text + length, size - length, format, args);
    va_end(args);
}

static const char *const split_names[LW_SPLIT_COUNT] = {
    [LW_SPLIT_NONE] = "",
    [LW_SPLIT_PAIRS] = ", two passes by pairs of k",
    [LW_SPLIT_FOURS] = ", two passes by groups of four k",
    [LW_SPLIT_HALVES] = ", two passes by halves",
};

static const char *const split_texts[LW_SPLIT_COUNT] = {
    [LW_SPLIT_NONE] = "",
    [LW_SPLIT_PAIRS] =
        " This is done twice: for the products with k mod 4 of 0 or 1, then, starting from that "
        "result, for those with 2 or 3.",
    [LW_SPLIT_FOURS] = " This is done twice: for the products with an even k/4, then, starting from that "
                       "result, for those with an odd one.",
    [LW_SPLIT_HALVES] = " This is done twice: for the lower half of the products, then, starting from that "
                        "result, for the upper half.",
};

/* Integers that wrap give the same result in any order. */
static lw_split split_that_shows(const lw_mma *mma)
{
    const bool wraps = mma->recipe.unit.kind == LW_KIND_INT && !mma->saturate;
    return wraps ? LW_SPLIT_NONE : (lw_split)mma->recipe.shape.split;
}

static void name_recipe(lw_mma *mma, bool chained)
{
    const lw_recipe *r = &mma->recipe;
    char *name = mma->recipe_name;
    const size_t size = sizeof(mma->recipe_name);
    append(name, size, "%s", r->unit.name);
    if (chained)
        append(name, size, r->fused ? ", fused" : ", chained");
    append(name, size, "%s", split_names[split_that_shows(mma)]);
    if (mma->factor_a != mma->a)
        append(name, size, ", of %s", mma->factor_a->name);
    if (r->shape.c_last)
        append(name, size, ", C added last");
    if (mma->sparse)
        append(name, size, ", stored products");
}

static void tell_aligned(lw_mma *mma)
{
    const lw_dot_unit *u = &mma->recipe.unit;
    if (u->kind != LW_KIND_ALIGNED)
        return;
    append(mma->rule, sizeof(mma->rule),
           " The product side meets C with 32 fraction bits (floored), the normalised total keeps 31 "
           "(floored) and is rounded to the nearest f32, ties to even; a zero total is +0.");
    if (u->drop == 0 && u->group > 8)
        append(mma->rule, sizeof(mma->rule), " C always takes part here.");
}

static void tell_operands(lw_mma *mma)
{
    char *rule = mma->rule;
    const size_t size = sizeof(mma->rule);
    const bool sums = mma->recipe.unit.kind != LW_KIND_FUSED || mma->recipe.unit.group > mma->scale_span;
    if (mma->scaled && mma->recipe.unit.kind == LW_KIND_BLOCKS)
        append(rule, size, " A NaN scale gives NaN.");
    else if (mma->scaled && mma->scale_a->top == LW_TOP_SCALE && mma->scale_b->top == LW_TOP_SCALE)
        append(rule, size,
               " A block's %s count%s times 2^(scale A - 127 + scale B - 127) without rounding; a scale of "
               "0xff gives NaN.",
               sums ? "sum" : "products", sums ? "s" : "");
    else if (mma->scaled)
        append(rule, size,
               " A block's sum counts times both scales without rounding; a NaN scale gives NaN.");
    if (mma->sparse)
        append(rule, size,
               " Products are those of the stored values of A, each with the B that its index names, in "
               "stored order.");
    if (mma->saturate)
        append(rule, size, " The total is limited to the range of i32%s.",
               mma->passes > 1 ? " after each of the two" : "");
}

/* What a NaN is, in the accumulator's format. */
static void tell_nan(lw_mma *mma)
{
    static const char *const factor[] = { "ffc00a3d", "fe3d", "fffd" };
    static const char *const conflict[] = { "ffc00000", "fe00", "ffc0" };
    const lw_dot_unit *u = &mma->recipe.unit;
    if (u->nan != LW_NAN_RDNA)
        append(mma->rule, sizeof(mma->rule), " Every NaN is %s.",
               mma->d->bits == 64 ? "7ff8000000000000" : "7fc00000");
    else
        append(
            mma->rule, sizeof(mma->rule),
            " A NaN factor gives %s, then Inf * 0 or infinities of both signs give %s; a NaN in acc stays, "
            "made quiet.",
            factor[mma->acc], u->one_nan ? "the same" : conflict[mma->acc]);
}

/* 16-bit accumulators, NaN and MODE of AMD's units. The texts of NVIDIA's units include theirs. */
static void tell_results(lw_mma *mma)
{
    char *rule = mma->rule;
    const size_t size = sizeof(mma->rule);
    const lw_recipe *r = &mma->recipe;
    const bool clamps = (mma->mode_mask & LW_MMA_MODE_FP16_OVFL) && !r->no_clamp;
    if (lw_mma_is_ptx(mma))
        return;
    if (r->unit.kind == LW_KIND_INT) {
        append(rule, size, "%s",
               clamps ? " Under MODE.FP16_OVFL the exact total is limited to the range of i32." : "");
        return;
    }
    if (mma->acc == LW_ACC_F16)
        append(
            rule, size,
            " acc is f16: rounded to nearest even after every step, denormals kept, its leading bit counting "
            "as 2^-14 at least.");
    else if (mma->acc == LW_ACC_BF16)
        append(rule, size, " acc is bf16 after every step.");
    tell_nan(mma);
    if (clamps && mma->acc == lw_mma_acc_of(mma->d))
        append(rule, size, " Under MODE.FP16_OVFL a finite overflow gives the largest finite number.");
    if ((mma->mode_mask & LW_MMA_MODE_F32_FLUSH_IN) && !r->keep_subnormals)
        append(rule, size, " MODE's f32 denormal bits act.");
}

void lw_mma_make_rule(lw_mma *mma)
{
    const lw_recipe *r = &mma->recipe;
    const unsigned group = r->unit.group;
    const bool grouped = r->unit.kind == LW_KIND_ALIGNED || r->unit.kind == LW_KIND_FUSED;
    const bool chained = grouped && group < mma->pass[0].count;
    char *rule = mma->rule;
    const size_t size = sizeof(mma->rule);
    name_recipe(mma, chained);
    if (mma->factor_a != mma->a)
        append(rule, size,
               "A and B are converted to %s first, exactly: exponents are those they have there. ",
               mma->factor_a->name);
    append(rule, size, "%s", r->unit.text);
    tell_aligned(mma);
    if (chained && r->unit.kind == LW_KIND_ALIGNED)
        append(rule, size,
               r->fused ? " All groups meet C at once." : " Each group's result is the next group's C.");
    append(rule, size, "%s", split_texts[split_that_shows(mma)]);
    if (r->shape.c_last)
        append(rule, size,
               " The first product group starts from +0; C is added at the end and the sum rounded to "
               "nearest even.");
    if (mma->acc != lw_mma_acc_of(mma->d))
        append(rule, size, " The accumulator is f32 throughout; the result is then %s %s.",
               r->shape.narrow == LW_NARROW_CUT ? "cut to" : "rounded to nearest even to", mma->d->name);
    tell_operands(mma);
    tell_results(mma);
}

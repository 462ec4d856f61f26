/* SPDX-License-Identifier: MIT */
/*
 * What the rows of recipes cannot say about an instruction's evidence: a row serves a dot class on an
 * architecture, but measurements covered some of its shapes, types and qualifiers. Labels only become weaker
 * here.
 */
#include "emu/mma/mma.h"
#include "isa_tables/ptx/row.h"

#define BIT(aspect_) (1u << LW_MMA_##aspect_)

/* All that numbers decide. */
enum { ALL = BIT(FINITE) | BIT(SUBNORMAL) | BIT(ZERO_SIGN) | BIT(OVERFLOW) | BIT(NAN) };

static bool is_fp6(const lw_format *format)
{
    return format == &lw_formats[LW_FORMAT_FP6] || format == &lw_formats[LW_FORMAT_BF6];
}

static bool has_fp6(const lw_mma *mma)
{
    return mma->recipe.shape.fp6_unmeasured && (is_fp6(mma->a) || is_fp6(mma->b));
}

/* The rows of an A2 are one group each. */
static bool chains_on_sm_86(const lw_mma *mma)
{
    const lw_dot_unit *unit = &mma->recipe.unit;
    return mma->arch == LW_ARCH_SM_86 && unit->kind == LW_KIND_FUSED && mma->products > unit->group;
}

static bool has_e8m0_by_four(const lw_mma *mma)
{
    return mma->arch >= LW_ARCH_SM_70 && mma->scaled && mma->products / mma->scale_span == 4 &&
           mma->scale_a == &lw_formats[LW_FORMAT_E8M0];
}

/* fp8 in two passes of f16: outputs with k = 32 and one type for A and B are published. */
static bool is_other_fp8_sequence(const lw_mma *mma)
{
    return lw_mma_is_ptx(mma) && mma->recipe.shape.split == LW_SPLIT_PAIRS &&
           (mma->products != 32 || mma->a != mma->b || lw_ptx_kind_of(mma->insn, &mma->mods.ptx));
}

static bool is_wmma(const lw_mma *mma)
{
    return lw_mma_is_ptx(mma) && mma->insn->ptx->form == LW_PTX_WMMA_MMA;
}

static bool converts_c_or_d(const lw_mma *mma)
{
    return is_wmma(mma) && mma->c != mma->d;
}

static bool is_wmma_of_tf32(const lw_mma *mma)
{
    return is_wmma(mma) && mma->recipe.shape.mask_first;
}

/* Integers of gfx1201 are recorded in waves of 32. */
static bool is_wave64_of_recorded_32(const lw_mma *mma)
{
    return mma->arch == LW_ARCH_GFX1201 && mma->wave == 64 && mma->recipe.unit.kind == LW_KIND_INT;
}

static bool ignores_clamp_of_f16(const lw_mma *mma)
{
    return mma->ignores_clamp && mma->d == &lw_formats[LW_FORMAT_F16];
}

static bool rounds_as_told(const lw_mma *mma)
{
    return lw_mma_is_ptx(mma) && mma->mods.ptx.round != LW_PTX_RN;
}

static const struct {
    bool (*concerns)(const lw_mma *mma);
    unsigned aspects;
    lw_mma_evidence at_most;
} rules[] = {
    { has_fp6,
      ALL,
      { LW_MMA_INFERRED, "measured with e4m3, e5m2 and e2m1 only; e3m2 and e2m3 are taken to be alike" } },
    { chains_on_sm_86,
      BIT(FINITE),
      { LW_MMA_INFERRED,
        "raw outputs of an A2, published with arXiv 2512.07004, are of single groups; that groups are "
        "chained is taken over from sm_80 and sm_89, which are measured" } },
    { has_e8m0_by_four,
      ALL,
      { LW_MMA_INFERRED,
        "measured with two ue8m0 and with four ue4m3 scales a row; four of ue8m0 are taken to be alike" } },
    { is_other_fp8_sequence,
      BIT(FINITE),
      { LW_MMA_VENDOR, "the sequence that ptxas 13.0 emits; published outputs of GPUs are of k = 32 and one "
                       "type for A and B" } },
    { converts_c_or_d,
      BIT(FINITE) | BIT(OVERFLOW) | BIT(NAN),
      { LW_MMA_VENDOR, "the sequence that ptxas 13.0 emits: C is widened, or D rounded to nearest even, "
                       "around an instruction "
                       "that is measured" } },
    { is_wmma_of_tf32,
      BIT(FINITE),
      { LW_MMA_VENDOR, "the sequence that ptxas 13.0 emits: two steps of four k, each of an instruction that "
                       "is measured" } },
    { is_wave64_of_recorded_32,
      BIT(FINITE) | BIT(OVERFLOW),
      { LW_MMA_INFERRED, "recorded on a gfx1201 in waves of 32; waves of 64 are taken to be alike" } },
    { ignores_clamp_of_f16,
      ALL,
      { LW_MMA_INFERRED, "clamp is taken to have no effect on f16 results, as recorded of bf16 results" } },
    { rounds_as_told,
      ALL,
      { LW_MMA_VENDOR,
        "PTX ISA: IEEE arithmetic, rounded as the qualifier says; rounding to nearest even is measured" } },
};

/* How sure we are of operands that documents leave undefined. */
static void add_operand_evidence(lw_mma *mma)
{
    lw_mma_evidence *e = &mma->recipe.evidence[LW_MMA_OPERANDS];
    if (mma->copies > 1)
        *e = (lw_mma_evidence){
            LW_MMA_UNKNOWN, "AMD requires the copies of A and B in the lane groups to be equal; where they "
                            "differ, each group is taken to use its own, as the rocjitsu emulator does"
        };
    else if (mma->sparse && !lw_mma_is_ptx(mma))
        *e = (lw_mma_evidence){ LW_MMA_UNKNOWN,
                                "an index whose first position is not below its second is not defined; it is "
                                "used as it stands" };
    else if (mma->sparse)
        *e = (lw_mma_evidence){ LW_MMA_VENDOR,
                                "PTX ISA: which metadata is defined; with any other nothing is computed" };
    else
        *e = (lw_mma_evidence){ LW_MMA_VENDOR, "no operand of this instruction is undefined" };
}

/* Where a sum of integers that leaves the range goes is open with .satfinite only. */
static void add_wrap_evidence(lw_mma *mma)
{
    if (lw_mma_is_ptx(mma) && mma->recipe.unit.kind == LW_KIND_INT && !mma->saturate)
        mma->recipe.evidence[LW_MMA_OVERFLOW] =
            (lw_mma_evidence){ LW_MMA_VENDOR, "PTX ISA: without .satfinite sums wrap, modulo 2^32" };
}

void lw_mma_adjust_evidence(lw_mma *mma)
{
    add_operand_evidence(mma);
    add_wrap_evidence(mma);
    for (size_t r = 0; r < sizeof(rules) / sizeof(rules[0]); r++) {
        if (!rules[r].concerns(mma))
            continue;
        for (unsigned aspect = 0; aspect < LW_MMA_ASPECT_COUNT; aspect++)
            if ((rules[r].aspects >> aspect & 1) &&
                mma->recipe.evidence[aspect].label < rules[r].at_most.label)
                mma->recipe.evidence[aspect] = rules[r].at_most;
    }
}

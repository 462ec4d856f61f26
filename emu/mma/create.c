/* SPDX-License-Identifier: MIT */
/* Preparing an instruction. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "emu/mma/mma.h"
#include "emu/mma/panels.h"
#include "emu/num/fp.h"
#include "isa_tables/error.h"
#include "isa_tables/options.h"
#include "isa_tables/ptx/parts.h"
#include "isa_tables/sparse.h"

/* What lw_mma_create allocates. Everything except `owners` is constant from then on. */
typedef struct lw_mma_shared {
    lw_mma mma;
    atomic_size_t owners;
} lw_mma_shared;

static lw_status make_readings(lw_mma *mma, const lw_mma_options *options)
{
    for (size_t i = 0; i < lw_reading_count; i++)
        if (lw_reading_rows[i].info.is_default &&
            lw_reading_row_concerns(&lw_reading_rows[i], mma->insn->dot, mma->arch))
            mma->reading[mma->readings++] =
                lw_readings_pick(&lw_reading_rows[i], options->readings, options->reading_count);
    return lw_recipe_resolve(mma->insn->dot, mma->arch, mma->reading, mma->readings, &mma->recipe);
}

/* The operand whose registers hold this one: D for C, where C has no registers of its own. */
static lw_operand source_of(const lw_mma *mma, lw_operand operand)
{
    const bool reads_d =
        operand == LW_OPERAND_C && lw_insn_registers(mma->arch, mma->insn, LW_OPERAND_C, &mma->mods) == 0;
    return reads_d ? LW_OPERAND_D : operand;
}

static lw_status make_ports(lw_mma *mma, lw_error *error)
{
    for (int op = 0; op < LW_OPERAND_COUNT; op++) {
        lw_layout layout;
        const lw_operand source = source_of(mma, (lw_operand)op);
        if (!lw_insn_registers(mma->arch, mma->insn, source, &mma->mods))
            continue;
        lw_status st =
            op == LW_OPERAND_C
                ? lw_layout_build_c(mma->arch, mma->insn, mma->wave, &mma->mods, &layout, error)
                : lw_layout_build(mma->arch, mma->insn, source, mma->wave, &mma->mods, &layout, error);
        if (st == LW_OK)
            st = lw_mma_port_make(&layout, &mma->port[op]);
        if (st == LW_E_NO_MEMORY)
            return lw_error_fail(error, st, "no memory for a matrix instruction");
        if (st != LW_OK)
            return st;
        lw_mma_find_copies(mma, &layout);
    }
    return LW_OK;
}

/* The format of an operand's elements; NULL for none. */
static const lw_format *format_of(const lw_mma *mma, lw_operand operand)
{
    const bool in_d = source_of(mma, operand) != operand;
    const lw_elem elem = in_d ? (lw_elem)mma->insn->c : lw_insn_elem(mma->insn, operand, &mma->mods);
    const bool is_signed = mma->mods.neg_lo & 1u << operand;
    if (elem == LW_ELEM_IU8 && !is_signed)
        return &lw_formats[LW_FORMAT_U8];
    if (elem == LW_ELEM_IU4 && !is_signed)
        return &lw_formats[LW_FORMAT_U4];
    return lw_format_of(elem, mma->arch);
}

static lw_status find_formats(lw_mma *mma, lw_error *error)
{
    mma->a = format_of(mma, LW_OPERAND_A);
    mma->b = format_of(mma, LW_OPERAND_B);
    mma->c = format_of(mma, LW_OPERAND_C);
    mma->d = format_of(mma, LW_OPERAND_D);
    if (mma->scaled) {
        mma->scale_a = format_of(mma, LW_OPERAND_SCALE_A);
        mma->scale_b = format_of(mma, LW_OPERAND_SCALE_B);
    }
    if (!mma->a || !mma->b || !mma->c || !mma->d || (mma->scaled && (!mma->scale_a || !mma->scale_b)))
        return lw_error_fail(error, LW_E_UNSUPPORTED, "%s: no number format for its operands",
                             lw_insn_name(mma->arch, mma->insn));
    return LW_OK;
}

/* Which of `count` products pass `p` takes. */
static bool in_pass(lw_split split, unsigned p, unsigned number, unsigned count)
{
    const unsigned run[LW_SPLIT_COUNT] = {
        [LW_SPLIT_NONE] = count, [LW_SPLIT_PAIRS] = 2, [LW_SPLIT_FOURS] = 4, [LW_SPLIT_HALVES] = count / 2
    };
    return number / run[split] % 2 == p;
}

static void make_passes(lw_mma *mma)
{
    const lw_split split = (lw_split)mma->recipe.shape.split;
    mma->passes = 0;
    for (unsigned p = 0; p < LW_MMA_MAX_PASSES; p++) {
        lw_mma_pass *pass = &mma->pass[mma->passes];
        pass->count = 0;
        for (unsigned i = 0; i < mma->products; i++)
            if (in_pass(split, p, i, mma->products))
                pass->number[pass->count++] = (uint8_t)i;
        mma->passes = (uint8_t)(mma->passes + (pass->count != 0));
    }
}

/* Bits of MODE that have an effect under some reading. What sources say about them is in the recipes'
 * evidence. */
static uint32_t mode_mask(const lw_mma *mma)
{
    const lw_arch_traits *traits = &lw_arch_traits_rows[mma->arch];
    if (lw_mma_is_ptx(mma) || mma->d->bits == 64)
        return 0;
    if (traits->ovfl_f16_only)
        return mma->d->bits == 16 && mma->d->exp_bits == 5 ? LW_MMA_MODE_FP16_OVFL : 0;
    if (mma->recipe.unit.kind == LW_KIND_FMA && traits->f32_denormals)
        return LW_MMA_MODE_FP16_OVFL | LW_MMA_MODE_F32_FLUSH_IN | LW_MMA_MODE_F32_FLUSH_OUT;
    return LW_MMA_MODE_FP16_OVFL;
}

static uint8_t rounding_of(const lw_ptx_mods *ptx)
{
    static const uint8_t modes[] = {
        [LW_PTX_RN] = LW_FP_RNE, [LW_PTX_RZ] = LW_FP_ZERO, [LW_PTX_RM] = LW_FP_DOWN, [LW_PTX_RP] = LW_FP_UP
    };
    return ptx->round < sizeof(modes) ? modes[ptx->round] : (uint8_t)LW_FP_RNE;
}

static void make_arithmetic(lw_mma *mma)
{
    const lw_insn *in = mma->insn;
    const lw_ptx_mods *ptx = &mma->mods.ptx;
    const bool wide = mma->recipe.shape.wide || mma->c->bits > mma->d->bits;
    const lw_format *factors = mma->recipe.shape.factors ? &lw_formats[mma->recipe.shape.factors] : NULL;
    mma->factor_a = factors ? factors : mma->a;
    mma->factor_b = factors ? factors : mma->b;
    mma->acc = (uint8_t)(wide ? LW_ACC_F32 : lw_mma_acc_of(mma->d));
    mma->round = rounding_of(ptx);
    mma->int_op = mma->a->bits == 1 && !ptx->op ? LW_INT_XOR : LW_INT_MUL;
    mma->saturate = mma->mods.clamp || ptx->satfinite;
    mma->mode_mask = mode_mask(mma);
    if (mma->sparse)
        mma->chunk = (uint8_t)(mma->products * in->m / mma->port[LW_OPERAND_INDEX].elements);
    if (mma->scaled)
        mma->scale_span = (uint16_t)(mma->products * in->m / mma->port[LW_OPERAND_SCALE_A].elements);
    mma->legal_index = lw_sparse_legal(mma->insn, &mma->mods, mma->chunk);
    make_passes(mma);
}

/* Readings that the vectorised code does not implement. */
static bool is_for_the_reference(const lw_mma *mma)
{
    return mma->recipe.half_normal || (mma->recipe.unit.zero_terms && mma->recipe.unit.kind != LW_KIND_FUSED);
}

static lw_status prepare(lw_mma *mma, const lw_mma_options *options, lw_error *error)
{
    const lw_insn *in = mma->insn;
    if (lw_ptx_is_move(in))
        return lw_error_fail(error, LW_E_UNSUPPORTED, "%s moves data and computes nothing: lw_move_execute",
                             in->mnemonic);
    mma->sparse = lw_insn_is_sparse(in);
    mma->scaled = lw_insn_is_scaled(in);
    mma->products = (uint16_t)(mma->sparse ? in->k / 2 : in->k);
    lw_status st = find_formats(mma, error);
    if (st == LW_OK)
        st = make_readings(mma, options);
    lw_mma_find_deep_topic(mma);
    if (st == LW_OK)
        st = make_ports(mma, error);
    if (st != LW_OK)
        return st;
    make_arithmetic(mma);
    if (lw_mma_prepare_signs(mma) != LW_OK)
        return lw_error_fail(error, LW_E_NO_MEMORY, "no memory for a matrix instruction");
    lw_mma_adjust_evidence(mma);
    lw_mma_make_rule(mma);
    lw_fast_isa isa = LW_FAST_PORTABLE;
    st = lw_fast_isa_choose(&isa, error);
    if (st != LW_OK || options->reference_only || is_for_the_reference(mma))
        return st;
    st = lw_mma_panels_make(mma, isa);
    return st == LW_OK ? st : lw_error_fail(error, st, "no memory for a matrix instruction");
}

/* Replaces a wgmma or tcgen05.mma by its part. */
static void be_part(lw_mma *mma)
{
    enum { WARP = 32 };
    mma->whole = mma->insn;
    mma->no_c = mma->mods.ptx.no_c;
    mma->mods = lw_ptx_part_mods(mma->insn, &mma->mods);
    mma->insn = lw_ptx_part_of(mma->insn);
    mma->wave = WARP;
}

lw_status lw_mma_create(lw_arch arch, const lw_insn *insn, const lw_mma_options *options, lw_mma **out,
                        lw_error *error)
{
    lw_mma_options own = { .struct_size = sizeof(own) };
    if (!insn || !out || !lw_arch_get(arch))
        return lw_error_fail(error, LW_E_ARGUMENT, "an instruction, an architecture and a result are needed");
    if (options && !lw_options_take(&own, options, sizeof(own), sizeof(own)))
        return lw_error_fail(error, LW_E_ARGUMENT, "options: a struct_size of %zu is of no version",
                             options->struct_size);
    options = &own;
    lw_status st = lw_readings_check(options->readings, options->reading_count, error);
    if (st != LW_OK)
        return st;
    lw_mods mods = options->mods ? *options->mods : (lw_mods){ 0 };
    if (!insn->ptx)
        mods.readings = lw_readings_of_mods(mods.readings, options->readings, options->reading_count);
    st = lw_layout_choose_wave(arch, insn, options->wave, &mods, error);
    if (st == LW_OK)
        st = lw_mods_check(arch, insn, &mods, error);
    if (st != LW_OK)
        return st;
    lw_mma_shared *shared = calloc(1, sizeof(*shared));
    if (!shared)
        return lw_error_fail(error, LW_E_NO_MEMORY, "no memory for a matrix instruction");
    atomic_init(&shared->owners, 1);
    lw_mma *mma = &shared->mma;
    mma->insn = insn;
    mma->arch = arch;
    mma->mods = lw_mods_effective(arch, insn, &mods);
    mma->ignores_clamp = mods.clamp && !mma->mods.clamp;
    mma->wave = mods.wave;
    if (lw_ptx_has_parts(insn))
        be_part(mma);
    st = prepare(mma, options, error);
    if (st != LW_OK) {
        lw_mma_free(mma);
        return st;
    }
    *out = mma;
    return LW_OK;
}

lw_status lw_mma_clone(const lw_mma *mma, lw_mma **clone)
{
    if (!mma || !clone)
        return LW_E_ARGUMENT;
    lw_mma_shared *shared = (lw_mma_shared *)mma;
    atomic_fetch_add_explicit(&shared->owners, 1, memory_order_relaxed);
    *clone = &shared->mma;
    return LW_OK;
}

void lw_mma_free(lw_mma *mma)
{
    if (!mma || atomic_fetch_sub_explicit(&((lw_mma_shared *)mma)->owners, 1, memory_order_acq_rel) != 1)
        return;
    for (int op = 0; op < LW_OPERAND_COUNT; op++)
        lw_mma_port_free(&mma->port[op]);
    lw_mma_panels_free(mma->panels);
    for (int op = LW_OPERAND_A; op <= LW_OPERAND_C; op++) {
        free(mma->signs[op].keep);
        free(mma->signs[op].flip);
    }
    free((lw_mma_shared *)mma);
}

/* SPDX-License-Identifier: MIT */
/* Preparing an instruction. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/mma/mma.h"
#include "emu/mma/panels.h"
#include "isa_tables/error.h"

static bool is_named(const lw_choice_row *row, const char *text)
{
    const size_t topic = strlen(row->info.topic);
    return strncmp(text, row->info.topic, topic) == 0 && text[topic] == ':' &&
           strcmp(text + topic + 1, row->info.name) == 0;
}

/* The row that "topic:name" names; the sentence lists what there is. */
static const lw_choice_row *find_choice(const char *text, lw_error *error)
{
    const size_t topic = strcspn(text, ":");
    bool known = false;
    for (size_t i = 0; i < lw_choice_count; i++) {
        const lw_choice_row *row = &lw_choice_rows[i];
        if (is_named(row, text))
            return row;
        known |= strncmp(text, row->info.topic, topic) == 0 && row->info.topic[topic] == '\0';
    }
    lw_error_fail(error, LW_E_NOT_FOUND, known ? "\"%s\": the topic has" : "\"%s\" is no choice; there are",
                  text);
    const char *sep = " ";
    for (size_t i = 0; i < lw_choice_count; i++) {
        const lw_mma_choice_info *info = &lw_choice_rows[i].info;
        if (known && (strncmp(text, info->topic, topic) != 0 || info->topic[topic] != '\0'))
            continue;
        lw_error_append(error, "%s%s:%s", sep, info->topic, info->name);
        sep = ", ";
    }
    return NULL;
}

/* The choice in force for the topic of default row `def`: the last one that the caller named, or the default.
 */
static const lw_choice_row *pick(const lw_choice_row *def, const lw_mma_options *options)
{
    const lw_choice_row *picked = def;
    for (size_t n = 0; n < options->choice_count; n++)
        for (size_t i = 0; i < lw_choice_count; i++)
            if (strcmp(lw_choice_rows[i].info.topic, def->info.topic) == 0 &&
                is_named(&lw_choice_rows[i], options->choices[n]))
                picked = &lw_choice_rows[i];
    return picked;
}

static lw_status make_choices(lw_mma *mma, const lw_mma_options *options, lw_error *error)
{
    for (size_t n = 0; n < options->choice_count; n++) {
        if (!options->choices[n])
            return lw_error_fail(error, LW_E_ARGUMENT, "choice %zu is NULL", n);
        if (!find_choice(options->choices[n], error))
            return LW_E_NOT_FOUND;
    }
    for (size_t i = 0; i < lw_choice_count; i++)
        if (lw_choice_rows[i].info.is_default &&
            lw_choice_concerns(&lw_choice_rows[i], mma->insn->dot, mma->arch))
            mma->choice[mma->choices++] = pick(&lw_choice_rows[i], options);
    return lw_recipe_resolve(mma->insn->dot, mma->arch, mma->choice, mma->choices, &mma->recipe);
}

static lw_status make_ports(lw_mma *mma, lw_error *error)
{
    for (int op = 0; op < LW_OPERAND_COUNT; op++) {
        lw_layout layout;
        const bool reads_d = op == LW_OPERAND_C && mma->sparse;
        const lw_operand source = reads_d ? LW_OPERAND_D : (lw_operand)op;
        if (!lw_insn_registers(mma->insn, source, &mma->mods))
            continue;
        lw_status st = lw_layout_build(mma->arch, mma->insn, source, mma->wave, &mma->mods, &layout, error);
        if (st == LW_OK)
            st = lw_mma_port_make(&layout, &mma->port[op]);
        if (st == LW_E_NO_MEMORY)
            return lw_error_fail(error, st, "no memory for a matrix instruction");
        if (st != LW_OK)
            return st;
    }
    return LW_OK;
}

static void make_shape(lw_mma *mma)
{
    const lw_insn *in = mma->insn;
    mma->shape = (lw_fast_shape){
        .a = mma->a,
        .b = mma->b,
        .recipe = &mma->recipe,
        .m = in->m,
        .n = in->n,
        .k = in->k,
        .blocks = in->blocks,
        .a_k = mma->products,
        .a_words = mma->port[LW_OPERAND_A].row_words,
        .b_words = mma->port[LW_OPERAND_B].row_words,
    };
}

static void make_rule(lw_mma *mma)
{
    static const char aligned[] = " The product side meets C with 32 fraction bits (floored), the normalised "
                                  "total keeps 31 (floored) and "
                                  "is rounded to the nearest f32, ties to even; a zero total is +0.";
    const lw_dot_unit *u = &mma->recipe.unit;
    const bool steps = u->kind == LW_KIND_ALIGNED && u->group < mma->products;
    snprintf(mma->recipe_name, sizeof(mma->recipe_name), "%s%s%s", u->name,
             steps ? (mma->recipe.fused ? ", fused" : ", chained") : "",
             mma->sparse ? ", stored products" : "");
    snprintf(mma->rule, sizeof(mma->rule), "%s%s%s%s%s%s", u->text, u->kind == LW_KIND_ALIGNED ? aligned : "",
             u->kind == LW_KIND_ALIGNED && u->drop == 0 && u->group > 8 ? " C always takes part here." : "",
             steps ? (mma->recipe.fused ? " All groups meet C at once."
                                        : " Each group's result is the next group's C.")
                   : "",
             mma->scaled
                 ? " A block's sum counts times 2^(scale A - 127 + scale B - 127) without rounding; a scale "
                   "of 0xff gives NaN."
                 : "",
             mma->sparse
                 ? " Products are those of the stored values of A, each with the B that its index names, in "
                   "stored order."
                 : "");
}

static lw_status prepare(lw_mma *mma, const lw_mma_options *options, lw_error *error)
{
    const lw_insn *in = mma->insn;
    mma->sparse = lw_insn_is_sparse(in);
    mma->scaled = lw_insn_is_scaled(in);
    mma->products = (uint16_t)(mma->sparse ? in->k / 2 : in->k);
    mma->a = lw_format_of(lw_insn_elem(in, LW_OPERAND_A, &mma->mods), mma->arch);
    mma->b = lw_format_of(lw_insn_elem(in, LW_OPERAND_B, &mma->mods), mma->arch);
    mma->d = lw_format_of(lw_insn_elem(in, LW_OPERAND_D, &mma->mods), mma->arch);
    mma->c = mma->d;
    if (!mma->a || !mma->b || !mma->d)
        return lw_error_fail(error, LW_E_UNSUPPORTED, "%s: no number format for its operands", in->mnemonic);
    lw_status st = make_choices(mma, options, error);
    if (st == LW_OK)
        st = make_ports(mma, error);
    if (st != LW_OK)
        return st;
    make_shape(mma);
    make_rule(mma);
    lw_fast_isa isa = LW_FAST_PORTABLE;
    st = lw_fast_isa_choose(&isa, error);
    if (st != LW_OK || options->reference_only)
        return st;
    mma->fast = lw_fast_find(&mma->shape, isa);
    st = lw_mma_panels_make(mma, isa);
    return st == LW_OK ? st : lw_error_fail(error, st, "no memory for a matrix instruction");
}

lw_status lw_mma_create(lw_arch arch, const lw_insn *insn, const lw_mma_options *options, lw_mma **out,
                        lw_error *error)
{
    static const lw_mma_options none = { 0 };
    if (!insn || !out || !lw_arch_get(arch))
        return lw_error_fail(error, LW_E_ARGUMENT, "an instruction, an architecture and a result are needed");
    if (!options)
        options = &none;
    lw_status st = lw_mods_check(arch, insn, options->mods, error);
    if (st != LW_OK)
        return st;
    lw_mma *mma = calloc(1, sizeof(*mma));
    if (!mma)
        return lw_error_fail(error, LW_E_NO_MEMORY, "no memory for a matrix instruction");
    mma->insn = insn;
    mma->arch = arch;
    mma->wave = (uint8_t)(options->wave ? options->wave : 64);
    if (options->mods)
        mma->mods = *options->mods;
    st = options->wave > 64 ? lw_error_fail(error, LW_E_ARGUMENT, "no wave has %u lanes", options->wave)
                            : prepare(mma, options, error);
    if (st != LW_OK) {
        lw_mma_free(mma);
        return st;
    }
    *out = mma;
    return LW_OK;
}

void lw_mma_free(lw_mma *mma)
{
    if (!mma)
        return;
    for (int op = 0; op < LW_OPERAND_COUNT; op++)
        lw_mma_port_free(&mma->port[op]);
    lw_mma_panels_free(mma->panels);
    free(mma);
}

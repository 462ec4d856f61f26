/* SPDX-License-Identifier: MIT */
/* Which operand a layout belongs to, and how sure we are of it. */
#include "isa_tables/evidence.h"
#include "layouts/query.h"
#include "layouts/verdict.h"
#include "isa_tables/options.h"
#include "isa_tables/ptx/row.h"

#define INDEX_ORDER                                                                                          \
    "AMD requires the first position of a group to be less than the second; what the chip does otherwise "   \
    "is not specified."

static const lw_layout_verdict by_calculator = {
    LW_LABEL_VENDOR,
    "Equal to AMD's matrix instruction calculator, element for element.",
    NULL,
};
static const lw_layout_verdict index_by_calculator = {
    LW_LABEL_VENDOR,
    "Equal to AMD's matrix instruction calculator, element for element.",
    INDEX_ORDER,
};
static const lw_layout_verdict carried_over = {
    LW_LABEL_INFERRED,
    "The rule of CDNA3, where it equals AMD's matrix instruction calculator; documents describe the "
    "instruction alike on gfx950, where it was not measured.",
    NULL,
};
static const lw_layout_verdict doubled_dense = {
    LW_LABEL_INFERRED,
    "CDNA3's rule with twice the k per lane, from documents only. Every element has one place and every "
    "bit of the operand is used once; not measured on gfx950.",
    NULL,
};
static const lw_layout_verdict sparse_carried_over = {
    LW_LABEL_UNKNOWN,
    "The rule of CDNA3, where it equals AMD's matrix instruction calculator; Composable Kernel tests the "
    "f16 form with the same parameters on gfx950.",
    "One published report says that a kernel built on the 16x16x32 f16 form, right on gfx942, gave wrong "
    "results on gfx950; the cause is not known.",
};
static const lw_layout_verdict probed_index = {
    LW_LABEL_INFERRED,
    "Reproduces published one-hot probes of a gfx950 (f16 16x16x64, fp8 16x16x128) and Composable "
    "Kernel's GPU tests.",
    INDEX_ORDER,
};
static const lw_layout_verdict probed_sparse = {
    LW_LABEL_INFERRED,
    "Reproduces published one-hot probes of a gfx950 (f16 16x16x64, fp8 16x16x128) and Composable "
    "Kernel's GPU tests. A and B of one product lie in different lanes: B comes in two halves.",
    NULL,
};
static const lw_layout_verdict sparse_set = {
    LW_LABEL_VENDOR,
    "As set 0, which reproduces published probes of a gfx950; that abid picks the upper half of the index "
    "register is documented, not measured.",
    INDEX_ORDER,
};
static const lw_layout_verdict f8f6f4_bytes = {
    LW_LABEL_INFERRED,
    "Composable Kernel's GPU tests and published gfx950 dumps. Each lane holds two runs of 16 k. Some "
    "compilers describe 32 contiguous k instead: the two differ only with scales or against 6- or 4-bit "
    "data.",
    NULL,
};
static const lw_layout_verdict f8f6f4_packed = {
    LW_LABEL_INFERRED,
    "Composable Kernel's GPU tests and published gfx950 dumps. Each lane holds one run of 32 k; registers "
    "beyond the format's count are not read.",
    NULL,
};
static const lw_layout_verdict f8f6f4_rest = {
    LW_LABEL_INFERRED,
    "Composable Kernel's GPU tests and published gfx950 dumps.",
    NULL,
};
static const lw_layout_verdict scale_bytes = {
    LW_LABEL_INFERRED,
    "Composable Kernel's GPU tests and published gfx950 dumps. One E8M0 byte per 32 k; op_sel and "
    "op_sel_hi name one byte for the whole wave. A scale's lane is not always the lane of its data.",
    NULL,
};
static const lw_layout_verdict by_reading = {
    LW_LABEL_UNKNOWN,
    "The layout follows the reading that was given.",
    "A modifier here has no documented meaning.",
};

static bool is_sum(const lw_layout *layout)
{
    return layout->operand == LW_OPERAND_C || layout->operand == LW_OPERAND_D;
}

static lw_layout_verdict judge_f8f6f4(const lw_layout *layout)
{
    if (layout->elem == LW_ELEM_E8M0)
        return scale_bytes;
    if (is_sum(layout))
        return f8f6f4_rest;
    return layout->relation.width == 8 ? f8f6f4_bytes : f8f6f4_packed;
}

static lw_layout_verdict judge_gfx950(const lw_layout *layout)
{
    const lw_insn *insn = layout->insn;
    switch ((lw_layout_family)insn->layout) {
    case LW_FAMILY_MFMA:
        return is_sum(layout) || lw_insn_on(insn, (lw_arch)lw_arch_traits_rows[layout->arch].layouts_from)
                   ? carried_over
                   : doubled_dense;
    case LW_FAMILY_SMFMAC:
        return is_sum(layout) ? carried_over : sparse_carried_over;
    case LW_FAMILY_SMFMAC_X2:
        if (layout->operand != LW_OPERAND_INDEX)
            return probed_sparse;
        return layout->relation.origin.bit ? sparse_set : probed_index;
    case LW_FAMILY_F8F6F4:
    default:
        break;
    }
    return judge_f8f6f4(layout);
}

/* Whether this operand's layout depends on a modifier that only a reading allows. */
static bool rests_on_reading(const lw_layout *layout)
{
    const lw_mods *m = &layout->mods;
    const lw_mod_rule rule = (lw_mod_rule)lw_insn_mod_row(layout->arch, layout->insn)->reads_as;
    if (layout->operand == LW_OPERAND_A)
        return (m->cbsz || m->abid) &&
               (rule == LW_MODS_DENSE_BLGP || rule == LW_MODS_DENSE_NONE || rule == LW_MODS_F64);
    if (layout->operand == LW_OPERAND_B)
        return m->blgp && rule == LW_MODS_DENSE_NONE;
    return layout->operand == LW_OPERAND_INDEX && (m->cbsz || m->abid) &&
           lw_insn_index_sets(layout->insn, layout->relation.lanes) == 1;
}

static lw_layout_verdict judge_by_calculator(const lw_layout *layout)
{
    return layout->operand == LW_OPERAND_INDEX ? index_by_calculator : by_calculator;
}

static lw_layout_verdict judge(const lw_layout *layout)
{
    static lw_layout_judge *const judges[LW_ARCH_COUNT] = {
        [LW_ARCH_GFX908] = judge_by_calculator, [LW_ARCH_GFX90A] = judge_by_calculator,
        [LW_ARCH_GFX942] = judge_by_calculator, [LW_ARCH_GFX950] = judge_gfx950,
        [LW_ARCH_GFX1100] = lw_gfx11_verdict,   [LW_ARCH_GFX1150] = lw_gfx11_verdict,
        [LW_ARCH_GFX1201] = lw_gfx12_verdict,   [LW_ARCH_GFX1250] = lw_gfx1250_verdict,
    };
    if (layout->insn->ptx)
        return lw_ptx_verdict(layout);
    return rests_on_reading(layout) ? by_reading : judges[layout->arch](layout);
}

/* An instruction that no list names is at best inferred; a layout that was compared with a chip is labelled
 * so. */
static lw_layout_verdict adjust(const lw_layout *layout, lw_layout_verdict v)
{
    char key[LW_EVIDENCE_KEY_MAX];
    if (!lw_evidence_documented(layout->arch, layout->insn) && v.evidence < LW_LABEL_INFERRED) {
        v.evidence = LW_LABEL_INFERRED;
        v.note = "The rule of its family; no list of comparisons or documents names this instruction.";
    }
    lw_evidence_key(layout->arch, layout->insn, &layout->mods, key);
    const lw_evidence_line *line =
        lw_evidence_find(layout->arch, key, layout->relation.lanes, LW_ASPECT_PLACES);
    if (!line || v.note == sparse_set.note || v.evidence > LW_LABEL_INFERRED)
        return v;
    if (v.evidence < LW_LABEL_INFERRED) /* the notes of the others already say what was compared */
        v.note = lw_evidence_sources[line->source].text;
    v.evidence = lw_evidence_sources[line->source].label;
    return v;
}

static const struct {
    const char *x, *y;
} axes[LW_OPERAND_COUNT] = {
    [LW_OPERAND_A] = { "i", "k" },
    [LW_OPERAND_B] = { "k", "j" },
    [LW_OPERAND_C] = { "i", "j" },
    [LW_OPERAND_D] = { "i", "j" },
    [LW_OPERAND_INDEX] = { "i", "group" },
    [LW_OPERAND_SCALE_A] = { "i", "k block" },
    [LW_OPERAND_SCALE_B] = { "j", "k block" },
};

lw_status lw_layout_fill_info(const lw_layout *layout, lw_layout_info *info)
{
    if (!layout || !lw_options_known(info, offsetof(lw_layout_info, columns), sizeof(*info)))
        return LW_E_ARGUMENT;
    const lw_pair last = { .row = layout->relation.rows - 1,
                           .col = layout->relation.cols - 1,
                           .k = layout->relation.ks - 1 };
    const lw_layout_verdict v = adjust(layout, judge(layout));
    const bool stored = lw_layout_is_stored(layout), in_columns = lw_ptx_is_tensor(layout->insn);
    const lw_layout_info made = {
        .insn = layout->insn,
        .mnemonic = lw_insn_name(layout->arch, layout->insn),
        .operand = (lw_operand)layout->operand,
        .format = lw_elem_rows[layout->elem].name,
        .x_name = axes[layout->operand].x,
        .y_name = stored && !layout->index ? "stored k" : axes[layout->operand].y,
        .x_count = (uint16_t)(lw_layout_x(layout, &last) + 1),
        .y_count = (uint16_t)((lw_layout_y(layout, &last) + 1) * (stored && layout->index ? 2 : 1)),
        .blocks = (uint16_t)layout->relation.blocks,
        .width = (uint8_t)layout->relation.width,
        .wave = (uint8_t)layout->relation.lanes,
        .registers = (uint8_t)(in_columns ? 0 : layout->registers),
        .columns = (uint16_t)(in_columns ? layout->registers : 0),
        .evidence = v.evidence,
        .note = v.note,
        .open = v.open ? v.open : lw_layout_index_open(layout),
    };
    lw_options_give(info, &made, offsetof(lw_layout_info, columns), sizeof(made));
    return LW_OK;
}

/* SPDX-License-Identifier: MIT */
/* Choosing the layout value for an operand. */
#include "isa_tables/error.h"
#include "isa_tables/ptx/row.h"
#include "layouts/cdna.h"
#include "layouts/ptx.h"
#include "layouts/wmma.h"

enum { SCALE_BLOCK = 32 /* k per scale: AMD CDNA4 ISA manual */ };

static bool is_wmma(const lw_insn *insn)
{
    return insn->layout == LW_FAMILY_WMMA || insn->layout == LW_FAMILY_SWMMAC;
}

/* gfx1250 fills its scale registers: there are 32 k per block with one register of four scales per lane, 16
 * with two. */
static unsigned scale_blocks(const lw_layout *layout, const lw_insn *insn)
{
    return is_wmma(insn) ? layout->registers * 4u : insn->k / SCALE_BLOCK;
}

static void set_extents(lw_layout *layout, const lw_insn *insn)
{
    const unsigned k = insn->k;
    layout->relation.rows = layout->relation.cols = layout->relation.ks = 1;
    layout->relation.blocks = insn->blocks;
    switch ((lw_operand)layout->operand) {
    case LW_OPERAND_A:
        layout->relation.rows = insn->m;
        layout->relation.ks = lw_insn_is_sparse(insn) ? k / 2 : k;
        return;
    case LW_OPERAND_B:
        layout->relation.cols = insn->n;
        layout->relation.ks = k;
        return;
    case LW_OPERAND_C:
    case LW_OPERAND_D:
        layout->relation.rows = insn->m;
        layout->relation.cols = insn->n;
        return;
    case LW_OPERAND_INDEX:
        layout->relation.rows = insn->m;
        layout->relation.ks = k / 4;
        return;
    case LW_OPERAND_SCALE_A:
        layout->relation.rows = insn->m;
        layout->relation.ks = scale_blocks(layout, insn);
        return;
    case LW_OPERAND_SCALE_B:
        layout->relation.cols = insn->n;
        layout->relation.ks = scale_blocks(layout, insn);
        return;
    case LW_OPERAND_COUNT:
        return;
    }
}

/* Layouts of the operands, by family. */
typedef struct family {
    lw_layout_builder *a, *b, *cd32, *cd64, *index, *scale;
} family;

static const family families[] = {
    [LW_FAMILY_MFMA] = { lw_cdna_dense_ab, lw_cdna_dense_ab, lw_cdna_cd32, lw_cdna_cd64, NULL, NULL },
    [LW_FAMILY_SMFMAC] = { lw_cdna_dense_ab, lw_cdna_dense_ab, lw_cdna_cd32, NULL, lw_cdna_index, NULL },
    [LW_FAMILY_SMFMAC_X2] = { lw_cdna_dense_ab, lw_cdna_sparse_x2_b, lw_cdna_cd32, NULL, lw_cdna_index,
                              NULL },
    [LW_FAMILY_F8F6F4] = { lw_cdna_f8f6f4_ab, lw_cdna_f8f6f4_ab, lw_cdna_cd32, NULL, NULL, lw_cdna_scale },
    [LW_FAMILY_WMMA] = { lw_wmma_ab, lw_wmma_ab, lw_wmma_cd, lw_wmma_cd, NULL, lw_wmma_scale },
    [LW_FAMILY_SWMMAC] = { lw_wmma_ab, lw_wmma_ab, lw_wmma_cd, NULL, lw_wmma_index, NULL },
    [LW_FAMILY_PTX_L16] = { lw_ptx_ab, lw_ptx_ab, lw_ptx_cd, lw_ptx_cd, NULL, lw_ptx_scale },
    [LW_FAMILY_PTX_L8] = { lw_ptx_ab, lw_ptx_ab, lw_ptx_cd, lw_ptx_cd, NULL, NULL },
    [LW_FAMILY_PTX_QP] = { lw_ptx_quads_ab, lw_ptx_quads_ab, lw_ptx_quads_cd, NULL, NULL, NULL },
    [LW_FAMILY_PTX_L16S] = { lw_ptx_ab, lw_ptx_ab, lw_ptx_cd, NULL, lw_ptx_index, lw_ptx_scale },
    [LW_FAMILY_PTX_WMMA] = { lw_ptx_ab, lw_ptx_ab, lw_ptx_cd, lw_ptx_cd, NULL, NULL },
    [LW_FAMILY_PTX_WG_L16] = { lw_ptx_group_a, NULL, lw_ptx_group_cd, NULL, NULL, NULL },
    [LW_FAMILY_PTX_WG_L16S] = { lw_ptx_group_a, NULL, lw_ptx_group_cd, NULL, lw_ptx_group_index, NULL },
    [LW_FAMILY_PTX_TM_L16] = { lw_ptx_tensor_a, NULL, lw_ptx_tensor_cd, NULL, NULL, lw_ptx_tensor_scale },
    [LW_FAMILY_PTX_TM_L16S] = { lw_ptx_tensor_a, NULL, lw_ptx_tensor_cd, NULL, lw_ptx_tensor_index,
                                lw_ptx_tensor_scale },
    [LW_FAMILY_PTX_MOVE] = { lw_ptx_move, NULL, lw_ptx_move, NULL, NULL, NULL },
};

/* NULL where the family has no such layout. */
static lw_layout_builder *choose(const lw_layout *layout, const lw_insn *insn)
{
    if (insn->layout >= sizeof(families) / sizeof(families[0]))
        return NULL;
    const family *f = &families[insn->layout];
    switch ((lw_operand)layout->operand) {
    case LW_OPERAND_A:
        return f->a;
    case LW_OPERAND_B:
        return f->b;
    case LW_OPERAND_C:
    case LW_OPERAND_D:
        return layout->relation.width == 64 ? f->cd64 : f->cd32;
    case LW_OPERAND_INDEX:
        return f->index;
    case LW_OPERAND_SCALE_A:
    case LW_OPERAND_SCALE_B:
        return f->scale;
    case LW_OPERAND_COUNT:
        break;
    }
    return NULL;
}

/* Whether BLGP permutes B's lanes: on gfx908 and gfx90a in every form but f64, later only in some. */
static bool has_lane_pattern(lw_mod_rule rule, const lw_mods *mods)
{
    return rule == LW_MODS_DENSE_BLOCKS || rule == LW_MODS_DENSE_BLGP ||
           (rule == LW_MODS_DENSE_NONE && (mods->readings & LW_READING_BLGP_PATTERN));
}

/* Only modifiers that move whole blocks or lanes; the others are constants of the families. */
static void apply_mods(lw_layout *layout, const lw_insn *insn, const lw_mods *mods)
{
    const lw_mod_rule rule = (lw_mod_rule)lw_insn_mod_row(layout->arch, insn)->reads_as;
    if (layout->operand == LW_OPERAND_A && rule == LW_MODS_DENSE_BLOCKS)
        lw_cdna_share_blocks(layout, mods->cbsz, mods->abid);
    if (layout->operand == LW_OPERAND_B && mods->blgp && has_lane_pattern(rule, mods))
        lw_cdna_lane_pattern(layout, mods->blgp);
}

lw_status lw_layout_choose_wave(lw_arch arch, const lw_insn *insn, unsigned wave, lw_mods *mods,
                                lw_error *error)
{
    const lw_status st = lw_insn_require(arch, insn, error);
    if (st != LW_OK)
        return st;
    const unsigned sizes = lw_insn_wave_sizes(arch, insn);
    if (wave && mods->wave && wave != mods->wave)
        return lw_error_fail(error, LW_E_ARGUMENT, "%s: the modifiers are for waves of %u lanes, not %u",
                             lw_insn_name(arch, insn), mods->wave, wave);
    if (!wave)
        wave = mods->wave;
    if (!wave)
        wave = sizes & 1u ? 32 : sizes & 2u ? 64 : 128;
    if (wave != 32 && wave != 64 && wave != 128)
        return lw_error_fail(error, LW_E_ARGUMENT, "no wave has %u lanes: they have 32 or 64", wave);
    if (!(sizes & wave >> 5))
        return lw_error_fail(error, LW_E_ARGUMENT, "%s runs in waves of %u lanes only, not %u",
                             lw_insn_name(arch, insn), lw_insn_usual_wave(arch, insn), wave);
    mods->wave = (uint8_t)wave;
    return LW_OK;
}

/* Appends the digits. */
static lw_status finish(lw_layout *built, lw_layout *layout, lw_error *error)
{
    const lw_insn *insn = built->insn;
    lw_layout_builder *build = choose(built, insn);
    const char *unknown = lw_ptx_is_tensor(insn) ? lw_ptx_tensor_unknown(built) : NULL;
    if (unknown)
        return lw_error_fail(error, LW_E_UNSUPPORTED, "%s of %s: %s",
                             lw_operand_name((lw_operand)built->operand), lw_insn_name(built->arch, insn),
                             unknown);
    if (!build && lw_insn_registers(built->arch, insn, (lw_operand)built->operand, &built->mods) == 0)
        return lw_error_fail(error, LW_E_UNSUPPORTED,
                             "%s of %s is %s: it is in shared memory, where a descriptor says "
                             "(lanewise layout --descriptor, lw_tile_of_descriptor)",
                             lw_operand_name((lw_operand)built->operand), lw_insn_name(built->arch, insn),
                             lw_ptx_is_tensor(insn) ? "not in tensor memory" : "in no register");
    if (!build)
        return lw_error_fail(error, LW_E_UNSUPPORTED, "the layout of operand %s of %s is not in this version",
                             lw_operand_name((lw_operand)built->operand), lw_insn_name(built->arch, insn));
    build(built, insn, &built->mods);
    apply_mods(built, insn, &built->mods);
    *layout = *built;
    return LW_OK;
}

lw_status lw_layout_build(lw_arch arch, const lw_insn *insn, lw_operand operand, unsigned wave,
                          const lw_mods *mods, lw_layout *layout, lw_error *error)
{
    lw_mods all = mods ? *mods : (lw_mods){ 0 };
    lw_operand_info shape;
    lw_status st = lw_layout_choose_wave(arch, insn, wave, &all, error);
    if (st == LW_OK)
        st = lw_insn_operand(arch, insn, operand, &all, &shape, error);
    if (st != LW_OK)
        return st;

    const unsigned registers = lw_insn_registers(arch, insn, operand, &all);
    lw_layout built = {
        .relation = { .width = shape.element_bits, .lanes = all.wave, .bits = 32u * registers, .pitch = 1 },
        .registers = (uint16_t)registers,
        .operand = (uint8_t)operand,
        .elem = (uint8_t)lw_insn_elem(insn, operand, &all),
        .insn = insn,
        .arch = arch,
        .mods = all,
    };
    set_extents(&built, insn);
    return finish(&built, layout, error);
}

lw_status lw_layout_build_c(lw_arch arch, const lw_insn *insn, unsigned wave, const lw_mods *mods,
                            lw_layout *layout, lw_error *error)
{
    lw_layout built;
    const lw_operand from = insn && lw_insn_is_sparse(insn) ? LW_OPERAND_D : LW_OPERAND_C;
    const lw_status st = lw_layout_build(arch, insn, from, wave, mods, &built, error);
    if (st != LW_OK)
        return st;
    if (from == LW_OPERAND_D && insn->c != insn->d) {
        built.elem = insn->c;
        built.relation.width = lw_elem_rows[insn->c].bits;
        built.relation.digits = 0;
        built.relation.origin = (lw_pair){ 0 };
        return finish(&built, layout, error);
    }
    *layout = built;
    return LW_OK;
}

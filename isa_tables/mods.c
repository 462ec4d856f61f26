/* SPDX-License-Identifier: MIT */
/* Which modifier values mean something for which instruction. */
#include <stddef.h>

#include "isa_tables/error.h"
#include "isa_tables/matrix.h"
#include "isa_tables/ptx/row.h"

static const lw_assumption_info assumptions[] = {
    { "cbsz-ignored", LW_ASSUME_CBSZ_IGNORED,
      "dense MFMA with one block, and f64: cbsz and abid assemble, but AMD's matrix instruction "
      "calculator calls them unsupported and no manual gives them a meaning; assume that they have no "
      "effect" },
    { "blgp-ignored", LW_ASSUME_BLGP_IGNORED,
      "dense MFMA with one block other than f32: blgp assembles, but AMD's matrix instruction "
      "calculator calls it unsupported on gfx942 and no manual says what it does there; assume that it "
      "has no effect" },
    { "blgp-pattern", LW_ASSUME_BLGP_PATTERN,
      "the same instructions: assume that blgp picks lanes of B as it does where it is documented" },
    { "index-set-ignored", LW_ASSUME_INDEX_SET_IGNORED,
      "SMFMAC whose index fills the whole register: there is no set to pick, and no manual says what "
      "cbsz and abid do; assume that they have no effect" },
};

const lw_assumption_info *lw_mods_assumption_at(size_t index)
{
    return index < sizeof(assumptions) / sizeof(assumptions[0]) ? &assumptions[index] : NULL;
}

static const struct {
    const char *names, *help;
} rules[] = {
    [LW_MODS_DENSE_BLOCKS] = { "cbsz abid blgp", "cbsz:0..log2(blocks) lets each run of 2^cbsz blocks read "
                                                 "one block of A, number abid:0..2^cbsz-1 of the run. "
                                                 "blgp:0..7 picks the lanes B is read from: 0 own; 1 "
                                                 "lanes 0-31, 2 lanes 32-63 for both halves; 3 sixteen "
                                                 "lanes on; 4..7 the lanes 0-15, 16-31, 32-47, 48-63 "
                                                 "for all." },
    [LW_MODS_DENSE_BLGP] = { "cbsz abid blgp",
                             "blgp:0..7 picks the lanes B is read from: 0 own; 1 lanes 0-31, 2 lanes "
                             "32-63 for both halves; 3 sixteen lanes on; 4..7 the lanes 0-15, 16-31, "
                             "32-47, 48-63 for all. cbsz and abid assemble, but have no documented "
                             "meaning with one block." },
    [LW_MODS_DENSE_NONE] = { "cbsz abid blgp",
                             "All three assemble, but none has a documented meaning for this instruction." },
    [LW_MODS_F64] = { "cbsz abid neg",
                      "neg:[a,b,c] negates A, B, C (encoded in the BLGP field). cbsz and abid assemble, "
                      "but have no documented meaning." },
    [LW_MODS_SMFMAC] = { "cbsz abid",
                         "With cbsz:0, abid picks which of the index sets in the index register is "
                         "used; with any other cbsz it is set 0." },
    [LW_MODS_FORMATS] = { "cbsz blgp",
                          "cbsz is the format of A, blgp that of B: 0 fp8, 1 bf8, 2 fp6, 3 bf6, 4 fp4." },
    [LW_MODS_SCALED] = { "cbsz blgp op_sel op_sel_hi", "cbsz is the format of A, blgp that of B: 0 fp8, 1 "
                                                       "bf8, 2 fp6, 3 bf6, 4 fp4. The scale of A is "
                                                       "byte op_sel[0] + 2*op_sel_hi[0] of its "
                                                       "register, that of B is byte op_sel[1] + "
                                                       "2*op_sel_hi[1]." },
    [LW_MODS_PTX] = { "", "The spelling says everything: see the PTX ISA." },
};

const char *lw_mod_rule_names(lw_mod_rule rule)
{
    return rules[rule].names;
}

const char *lw_mod_rule_help(lw_mod_rule rule)
{
    return rules[rule].help;
}

/* Why a modifier is refused although the assembler takes it, and by which assumption it would pass. */
static lw_status fail_open(const lw_insn *insn, const char *mod, const char *assume, lw_error *error)
{
    return lw_error_fail(error, LW_E_UNSUPPORTED,
                         "%s: %s assembles but has no documented meaning here; say assume:%s to run it",
                         insn->mnemonic, mod, assume);
}

static lw_status check_cbsz_open(const lw_insn *insn, const lw_mods *mods, lw_error *error)
{
    if ((mods->cbsz || mods->abid) && !(mods->assume & LW_ASSUME_CBSZ_IGNORED))
        return fail_open(insn, mods->cbsz ? "cbsz" : "abid", "cbsz-ignored", error);
    return LW_OK;
}

static lw_status check_dense(const lw_insn *insn, const lw_mods *mods, lw_error *error)
{
    if (insn->mods != LW_MODS_DENSE_BLOCKS)
        return check_cbsz_open(insn, mods, error);
    if (1u << mods->cbsz > insn->blocks)
        return lw_error_fail(error, LW_E_UNSUPPORTED, "%s: cbsz:%u groups %u blocks, but there are %u",
                             insn->mnemonic, mods->cbsz, 1u << mods->cbsz, insn->blocks);
    if (mods->abid >= 1u << mods->cbsz)
        return lw_error_fail(error, LW_E_UNSUPPORTED,
                             "%s: abid:%u is not among the %u block%s that cbsz:%u groups", insn->mnemonic,
                             mods->abid, 1u << mods->cbsz, mods->cbsz ? "s" : "", mods->cbsz);
    return LW_OK;
}

static lw_status check_blgp_open(const lw_insn *insn, const lw_mods *mods, lw_error *error)
{
    const unsigned both = LW_ASSUME_BLGP_IGNORED | LW_ASSUME_BLGP_PATTERN;
    if (insn->mods != LW_MODS_DENSE_NONE || mods->blgp == 0)
        return LW_OK;
    if ((mods->assume & both) == both)
        return lw_error_fail(error, LW_E_UNSUPPORTED, "%s: blgp-ignored and blgp-pattern exclude each other",
                             insn->mnemonic);
    if (!(mods->assume & both))
        return fail_open(insn, "blgp", "blgp-ignored or assume:blgp-pattern", error);
    return LW_OK;
}

static lw_status check_index_set(const lw_insn *insn, const lw_mods *mods, lw_error *error)
{
    const unsigned sets = lw_insn_index_sets(insn);
    if (sets == 1) {
        if ((mods->cbsz || mods->abid) && !(mods->assume & LW_ASSUME_INDEX_SET_IGNORED))
            return fail_open(insn, mods->cbsz ? "cbsz" : "abid", "index-set-ignored", error);
        return LW_OK;
    }
    if (mods->cbsz == 0 && mods->abid >= sets)
        return lw_error_fail(error, LW_E_UNSUPPORTED, "%s: abid:%u, but the index register holds sets 0..%u",
                             insn->mnemonic, mods->abid, sets - 1);
    return LW_OK;
}

static lw_status check_formats(const lw_insn *insn, const lw_mods *mods, lw_error *error)
{
    const unsigned worst = mods->cbsz > mods->blgp ? mods->cbsz : mods->blgp;
    if (worst >= LW_F8F6F4_FORMATS)
        return lw_error_fail(error, LW_E_UNSUPPORTED,
                             "%s: %s:%u is a reserved format; 0 is fp8, 1 bf8, 2 fp6, 3 bf6, 4 fp4",
                             insn->mnemonic, mods->cbsz == worst ? "cbsz" : "blgp", worst);
    return LW_OK;
}

/* Fields that the rule's instructions do not have at all must be zero. */
static lw_status check_absent(const lw_insn *insn, const lw_mods *mods, lw_error *error)
{
    const bool f64 = insn->mods == LW_MODS_F64, scaled = insn->mods == LW_MODS_SCALED;
    const bool formats = scaled || insn->mods == LW_MODS_FORMATS;
    const char *name = NULL;
    if (mods->neg > (f64 ? 7 : 0))
        name = "neg";
    if (mods->op_sel > (scaled ? 3 : 0))
        name = "op_sel";
    if (mods->op_sel_hi > (scaled ? 3 : 0))
        name = "op_sel_hi";
    if (mods->abid > (formats ? 0 : 15))
        name = "abid";
    if (mods->blgp > (f64 || lw_insn_is_sparse(insn) ? 0 : 7))
        name = "blgp";
    if (mods->cbsz > 7)
        name = "cbsz";
    if (!name)
        return LW_OK;
    return lw_error_fail(error, LW_E_UNSUPPORTED, "%s does not take this %s; its modifiers are: %s",
                         insn->mnemonic, name, lw_mod_rule_names((lw_mod_rule)insn->mods));
}

lw_status lw_mods_check(lw_arch arch, const lw_insn *insn, const lw_mods *mods, lw_error *error)
{
    lw_status st = lw_insn_require(arch, insn, error);
    if (st != LW_OK || !mods)
        return st;
    if ((st = check_absent(insn, mods, error)) != LW_OK)
        return st;

    switch ((lw_mod_rule)insn->mods) {
    case LW_MODS_DENSE_BLOCKS:
    case LW_MODS_DENSE_BLGP:
    case LW_MODS_DENSE_NONE:
        st = check_dense(insn, mods, error);
        return st != LW_OK ? st : check_blgp_open(insn, mods, error);
    case LW_MODS_F64:
        return check_cbsz_open(insn, mods, error);
    case LW_MODS_SMFMAC:
        return check_index_set(insn, mods, error);
    case LW_MODS_FORMATS:
    case LW_MODS_SCALED:
        return check_formats(insn, mods, error);
    case LW_MODS_PTX:
        return lw_ptx_check(arch, insn, mods, error);
    }
    return LW_OK;
}

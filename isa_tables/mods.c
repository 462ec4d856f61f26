/* SPDX-License-Identifier: MIT */
/* Which modifier values mean something for which instruction. */
#include <stddef.h>
#include <string.h>

#include "isa_tables/error.h"
#include "isa_tables/matrix.h"
#include "isa_tables/ptx/row.h"
#include "isa_tables/readings.h"

typedef struct subject {
    lw_arch arch;
    const lw_insn *insn;
    const lw_mod_row *row;
    const lw_mods *mods;
    const char *name;
    lw_error *error;
} subject;

/* Why a modifier is refused although the assembler accepts it, and which reading would allow it. */
static lw_status fail_open(const subject *s, const char *mod, unsigned bit)
{
    const lw_reading *reading = lw_reading_of_bit(bit);
    return lw_error_fail(s->error, LW_E_UNSUPPORTED,
                         "%s: %s assembles but has no documented meaning here; the reading %s:%s runs it",
                         s->name, mod, reading->topic, reading->name);
}

static lw_status check_cbsz_open(const subject *s)
{
    const lw_mods *mods = s->mods;
    if ((mods->cbsz || mods->abid) && !(mods->readings & LW_READING_CBSZ_IGNORED))
        return fail_open(s, mods->cbsz ? "cbsz" : "abid", LW_READING_CBSZ_IGNORED);
    return LW_OK;
}

static lw_status check_dense_blocks(const subject *s)
{
    const lw_mods *mods = s->mods;
    if (1u << mods->cbsz > s->insn->blocks)
        return lw_error_fail(s->error, LW_E_UNSUPPORTED, "%s: cbsz:%u groups %u blocks, but there are %u",
                             s->name, mods->cbsz, 1u << mods->cbsz, s->insn->blocks);
    if (mods->abid && !mods->cbsz)
        return lw_error_fail(s->error, LW_E_UNSUPPORTED,
                             "%s: abid:%u picks one of the blocks that cbsz groups, but cbsz is 0", s->name,
                             mods->abid);
    if (mods->abid >= 1u << mods->cbsz)
        return lw_error_fail(s->error, LW_E_UNSUPPORTED,
                             "%s: abid:%u is not among the %u blocks that cbsz:%u groups", s->name,
                             mods->abid, 1u << mods->cbsz, mods->cbsz);
    return LW_OK;
}

static lw_status check_dense_none(const subject *s)
{
    const unsigned both = LW_READING_BLGP_IGNORED | LW_READING_BLGP_PATTERN, taken = s->mods->readings & both;
    const lw_status st = check_cbsz_open(s);
    if (st != LW_OK || s->mods->blgp == 0)
        return st;
    if (taken == both)
        return lw_error_fail(s->error, LW_E_UNSUPPORTED,
                             "%s: blgp:ignored and blgp:pattern exclude each other", s->name);
    if (taken)
        return LW_OK;
    fail_open(s, "blgp", LW_READING_BLGP_IGNORED);
    lw_error_append(s->error, ", and so does blgp:pattern");
    return LW_E_UNSUPPORTED;
}

static lw_status check_index_set(const subject *s)
{
    const unsigned sets = lw_insn_index_sets(s->insn, lw_insn_wave(s->arch, s->mods));
    const lw_mods *mods = s->mods;
    if (sets == 1) {
        if ((mods->cbsz || mods->abid) && !(mods->readings & LW_READING_INDEX_SET_IGNORED))
            return fail_open(s, mods->cbsz ? "cbsz" : "abid", LW_READING_INDEX_SET_IGNORED);
        return LW_OK;
    }
    if (mods->cbsz == 0 && mods->abid >= sets)
        return lw_error_fail(s->error, LW_E_UNSUPPORTED,
                             "%s: abid:%u, but the index register holds sets 0..%u", s->name, mods->abid,
                             sets - 1);
    return LW_OK;
}

/*
 * LLVM 22 accepts 0 and 1 for gfx1250, whose index fills its registers, and nothing for gfx12's iu4 16x16x64
 * in waves of 32, where the index fills its register, too.
 */
static lw_status check_index_key(const subject *s)
{
    const unsigned wave = lw_insn_wave(s->arch, s->mods), sets = lw_insn_index_sets(s->insn, wave);
    const bool fills = sets == 1 && lw_arch_traits_rows[s->arch].index_key_spare && s->mods->index_key < 2;
    if (s->mods->index_key < sets || (fills && (s->mods->readings & LW_READING_INDEX_SET_IGNORED)))
        return LW_OK;
    if (fills)
        return fail_open(s, "index_key", LW_READING_INDEX_SET_IGNORED);
    if (sets == 1)
        return lw_error_fail(
            s->error, LW_E_UNSUPPORTED,
            "%s: index_key:%u, but in waves of %u lanes the index fills its register: there is "
            "nothing to pick",
            s->name, s->mods->index_key, wave);
    return lw_error_fail(s->error, LW_E_UNSUPPORTED,
                         "%s: index_key:%u, but in waves of %u lanes the index register holds sets 0..%u",
                         s->name, s->mods->index_key, wave, sets - 1);
}

static lw_status check_formats(const subject *s)
{
    const lw_mods *mods = s->mods;
    const bool a_worst = mods->cbsz >= mods->blgp, wmma = lw_mod_row_has(s->row, "matrix_a_fmt", 12);
    const unsigned worst = a_worst ? mods->cbsz : mods->blgp;
    const char *mfma_name = a_worst ? "cbsz" : "blgp", *wmma_name = a_worst ? "matrix_a_fmt" : "matrix_b_fmt";
    if (worst >= LW_F8F6F4_FORMATS)
        return lw_error_fail(s->error, LW_E_UNSUPPORTED,
                             "%s: %s:%u is a reserved format; 0 is fp8, 1 bf8, 2 fp6, 3 bf6, 4 fp4", s->name,
                             wmma ? wmma_name : mfma_name, worst);
    return LW_OK;
}

/* AMD's CDNA5 ISA manual names these pairs of scale formats, as ROCm's rocjitsu quotes it. */
static bool scale_pair_is_named(const subject *s)
{
    enum { E8 = 0, E4M3 = 2 };
    const bool a4 = lw_insn_elem(s->insn, LW_OPERAND_A, s->mods) == LW_ELEM_FP4;
    const bool b4 = lw_insn_elem(s->insn, LW_OPERAND_B, s->mods) == LW_ELEM_FP4;
    const unsigned a = s->mods->scale_fmt_a, b = s->mods->scale_fmt_b;
    if (a == E8 && b == E8)
        return true;
    if (a4 && b4)
        return a == E4M3 && b == E4M3;
    return (b4 && a == E8) || (a4 && b == E8);
}

static lw_status check_scales(const subject *s)
{
    const lw_mods *mods = s->mods;
    if (s->insn->m == 32 && mods->scale_row_a)
        return lw_error_fail(
            s->error, LW_E_UNSUPPORTED,
            "%s: matrix_a_scale must be MATRIX_SCALE_ROW0: the scales of A's 32 rows take all "
            "lanes",
            s->name);
    if (scale_pair_is_named(s) || (mods->readings & LW_READING_SCALE_FORMATS))
        return LW_OK;
    return lw_error_fail(s->error, LW_E_UNSUPPORTED,
                         "%s: AMD does not name %s scales for %s with %s scales for %s; the reading "
                         "scale-formats:any runs it",
                         s->name, lw_elem_rows[lw_insn_elem(s->insn, LW_OPERAND_SCALE_A, mods)].name,
                         lw_elem_rows[lw_insn_elem(s->insn, LW_OPERAND_A, mods)].name,
                         lw_elem_rows[lw_insn_elem(s->insn, LW_OPERAND_SCALE_B, mods)].name,
                         lw_elem_rows[lw_insn_elem(s->insn, LW_OPERAND_B, mods)].name);
}

static lw_status check_formats_and_scales(const subject *s)
{
    const lw_status st = check_formats(s);
    return st != LW_OK ? st : check_scales(s);
}

/* Indexed by the rule that applies; NULL where every value of the fields means something. */
static lw_status (*const checks[LW_MODS_COUNT])(const subject *) = {
    [LW_MODS_DENSE_BLOCKS] = check_dense_blocks,
    [LW_MODS_DENSE_BLGP] = check_cbsz_open,
    [LW_MODS_DENSE_NONE] = check_dense_none,
    [LW_MODS_F64] = check_cbsz_open,
    [LW_MODS_SMFMAC] = check_index_set,
    [LW_MODS_FORMATS] = check_formats,
    [LW_MODS_SCALED] = check_formats,
    [LW_MODS_WMMA_FMT] = check_formats,
    [LW_MODS_WMMA_FMT_SCALED] = check_formats_and_scales,
    [LW_MODS_WMMA_F4_SCALED] = check_scales,
    [LW_MODS_SWMMAC_FLOAT] = check_index_key,
    [LW_MODS_SWMMAC_INT] = check_index_key,
    [LW_MODS_SWMMAC_BYTE] = check_index_key,
};

/* What a modifier is for, to explain why an instruction does not have it. */
static const struct {
    const char *name, *purpose;
} purposes[] = {
    { "cbsz", "belongs to CDNA's MFMA" },
    { "abid", "belongs to CDNA's MFMA" },
    { "blgp", "belongs to CDNA's dense MFMA (f64 of gfx942 and gfx950 has neg in its place)" },
    { "neg", "belongs to f64 MFMA of gfx942 and gfx950" },
    { "matrix_a_fmt", "belongs to gfx1250's f8f6f4" },
    { "matrix_b_fmt", "belongs to gfx1250's f8f6f4" },
    { "matrix_a_scale", "belongs to gfx1250's scaled WMMA" },
    { "matrix_b_scale", "belongs to gfx1250's scaled WMMA" },
    { "matrix_a_scale_fmt", "belongs to gfx1250's scaled WMMA" },
    { "matrix_b_scale_fmt", "belongs to gfx1250's scaled WMMA" },
    { "matrix_a_reuse", "only some instructions of gfx1250 have" },
    { "matrix_b_reuse", "only some instructions of gfx1250 have" },
    { "index_key", "picks an index set of SWMMAC" },
    { "op_sel", "picks halves of 16-bit results on gfx11 and scale bytes on gfx950" },
    { "op_sel_hi", "picks scale bytes on gfx950" },
    { "neg_lo", "changes signs of floats, or says which integers are signed, in WMMA and SWMMAC" },
    { "neg_hi", "changes signs of floats in WMMA and SWMMAC" },
    { "clamp", "limits results that are integers" },
};

lw_status lw_mods_fail_absent(lw_arch arch, const lw_insn *insn, const char *field, lw_error *error)
{
    const lw_mod_row *row = lw_insn_mod_row(arch, insn);
    const char *purpose = "it does not have";
    for (size_t i = 0; i < sizeof(purposes) / sizeof(purposes[0]); i++)
        if (strcmp(purposes[i].name, field) == 0)
            purpose = purposes[i].purpose;
    return lw_error_fail(error, LW_E_UNSUPPORTED, "%s does not take %s, which %s; its modifiers are: %s",
                         lw_insn_name(arch, insn), field, purpose, row->names[0] ? row->names : "none");
}

/* Bits of a list for operands that cannot have them. */
static lw_status fail_list_bits(const subject *s, const char *field, unsigned legal)
{
    static const char *const words[] = {
        "no bit",     "bit 0 only",        "bit 1 only",        "bits 0 and 1 only",
        "bit 2 only", "bits 0 and 2 only", "bits 1 and 2 only", "all bits"
    };
    return lw_error_fail(s->error, LW_E_UNSUPPORTED, "%s: %s may set %s here (bits 0, 1, 2 are for A, B, C)",
                         s->name, field, words[legal & 7]);
}

/* Reserved formats pass here: check_formats refuses them. */
static unsigned largest(const lw_mod_field *f)
{
    const bool format = f->offset == offsetof(lw_mods, cbsz) || f->offset == offsetof(lw_mods, blgp);
    return f->kind == LW_MOD_FIELD_BITS ? (1u << f->max) - 1 : format ? 7u : f->max;
}

/* The field of the instruction at `offset` of lw_mods; NULL for none. */
static const lw_mod_field *field_at(const lw_mod_row *row, size_t offset)
{
    for (size_t i = 0; i < lw_mod_field_count; i++) {
        const lw_mod_field *f = &lw_mod_fields[i];
        if (f->offset == offset && lw_mod_row_has(row, f->name, strlen(f->name)))
            return f;
    }
    return NULL;
}

/* Bits of a field that code may set without effect. */
static unsigned ignored_bits(const lw_mod_row *row, size_t offset)
{
    switch (offset) {
    case offsetof(lw_mods, op_sel):
        return row->ignored.op_sel;
    case offsetof(lw_mods, op_sel_hi):
        return row->ignored.op_sel_hi;
    case offsetof(lw_mods, clamp):
        return row->ignores_clamp;
    default:
        return 0;
    }
}

/* Fields that the instruction neither has nor ignores must be zero; the others must be in range. */
static lw_status check_fields(const subject *s)
{
    static const lw_ptx_mods none;
    if (memcmp(&s->mods->ptx, &none, sizeof(none)) != 0)
        return lw_error_fail(s->error, LW_E_UNSUPPORTED, "%s takes no qualifiers of PTX", s->name);
    for (size_t i = 0; i < lw_mod_field_count; i++) {
        const lw_mod_field *f = field_at(s->row, lw_mod_fields[i].offset);
        const uint8_t value = ((const uint8_t *)s->mods)[lw_mod_fields[i].offset];
        if (!f && (value & ~ignored_bits(s->row, lw_mod_fields[i].offset)))
            return lw_mods_fail_absent(s->arch, s->insn, lw_mod_fields[i].name, s->error);
        if (f && value > largest(f))
            return lw_error_fail(s->error, LW_E_UNSUPPORTED, "%s: %s is %u; the largest is %u", s->name,
                                 f->name, value, largest(f));
    }
    return LW_OK;
}

static lw_status check_bits(const subject *s)
{
    const lw_mods *m = s->mods;
    const lw_mod_bits *means = &s->row->means, *also = &s->row->assembles, *none = &s->row->ignored;
    const struct {
        const char *name;
        unsigned given, means, assembles;
    } lists[] = {
        { "op_sel", m->op_sel, means->op_sel | none->op_sel, also->op_sel },
        { "op_sel_hi", m->op_sel_hi, means->op_sel_hi | none->op_sel_hi, also->op_sel_hi },
        { "neg_lo", m->neg_lo, means->neg_lo | none->neg_lo, also->neg_lo },
        { "neg_hi", m->neg_hi, means->neg_hi | none->neg_hi, also->neg_hi },
    };
    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
        const unsigned legal = lists[i].means | lists[i].assembles;
        if (lists[i].given & ~legal)
            return fail_list_bits(s, lists[i].name, legal);
        if ((lists[i].given & lists[i].assembles) && !(m->readings & s->row->needs))
            return fail_open(s, lists[i].name, s->row->needs);
    }
    return LW_OK;
}

static lw_status check_wave(const subject *s)
{
    const unsigned sizes = lw_arch_traits_rows[s->arch].wave_sizes, wave = s->mods->wave;
    if (!wave || (wave == 32 && (sizes & 1)) || (wave == 64 && (sizes & 2)))
        return LW_OK;
    return lw_error_fail(s->error, LW_E_UNSUPPORTED, "%s runs in waves of %s lanes on %s, not %u", s->name,
                         sizes == 3   ? "32 or 64"
                         : sizes == 2 ? "64"
                                      : "32",
                         lw_arch_get(s->arch)->name, wave);
}

lw_status lw_mods_check(lw_arch arch, const lw_insn *insn, const lw_mods *mods, lw_error *error)
{
    lw_status st = lw_insn_require(arch, insn, error);
    if (st != LW_OK || !mods)
        return st;
    if (insn->ptx)
        return lw_ptx_check(arch, insn, mods, error);
    const subject s = { arch, insn, lw_insn_mod_row(arch, insn), mods, lw_insn_name(arch, insn), error };
    if ((st = check_wave(&s)) != LW_OK || (st = check_fields(&s)) != LW_OK || (st = check_bits(&s)) != LW_OK)
        return st;
    return checks[s.row->reads_as] ? checks[s.row->reads_as](&s) : LW_OK;
}

lw_mods lw_mods_effective(lw_arch arch, const lw_insn *insn, const lw_mods *mods)
{
    const lw_mod_row *row = lw_insn_mod_row(arch, insn);
    const lw_mod_rule rule = (lw_mod_rule)row->reads_as;
    lw_mods e = { 0 };
    if (mods)
        e = *mods;
    if (insn->ptx)
        return e;
    e.reuse_a = e.reuse_b = 0;
    if (row->ignores_clamp)
        e.clamp = 0;
    if (row->needs != LW_READING_NEG_C) {
        e.op_sel &= row->means.op_sel;
        e.op_sel_hi &= row->means.op_sel_hi;
        e.neg_lo &= row->means.neg_lo;
        e.neg_hi &= row->means.neg_hi;
    }
    if (rule == LW_MODS_DENSE_BLGP || rule == LW_MODS_DENSE_NONE || rule == LW_MODS_F64)
        e.cbsz = e.abid = 0;
    if (rule == LW_MODS_DENSE_NONE && !(e.readings & LW_READING_BLGP_PATTERN))
        e.blgp = 0;
    if (lw_insn_is_sparse(insn) && lw_insn_index_sets(insn, lw_insn_wave(arch, mods)) == 1)
        e.cbsz = e.abid = e.index_key = 0;
    return e;
}

/* SPDX-License-Identifier: MIT */
/* Every operand of every instruction with every modifier, compared with formulas written a second time. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layouts/layout.h"
#include "layouts/naive.h"

static int compare(const void *left, const void *right)
{
    const lw_layout_entry *a = left, *b = right;
    const int d[] = { a->reg - b->reg,     a->lsb - b->lsb, a->lane - b->lane,
                      a->block - b->block, a->x - b->x,     a->y - b->y };
    for (size_t i = 0; i < sizeof(d) / sizeof(d[0]); i++)
        if (d[i])
            return d[i];
    return 0;
}

typedef struct subject {
    lw_arch arch;
    const lw_insn *insn;
    lw_insn_info info;
    lw_mods mods;
    lw_operand operand;
    lw_operand_info shape;
    char name[160];
} subject;

static void name_subject(subject *s)
{
    snprintf(s->name, sizeof(s->name),
             "%s %s %s wave %u cbsz:%u abid:%u blgp:%u op_sel:%u,%u index_key:%u rows:%u,%u",
             lw_arch_get(s->arch)->name, s->info.mnemonic, lw_operand_name(s->operand), s->mods.wave,
             s->mods.cbsz, s->mods.abid, s->mods.blgp, s->mods.op_sel, s->mods.op_sel_hi, s->mods.index_key,
             s->mods.scale_row_a, s->mods.scale_row_b);
}

/* Hot loops compare without Check's assertions, since Check writes to a pipe for each of them. */

/* gfx11 has a copy of A and B in every 16 lanes. */
static unsigned copies(const subject *s)
{
    const bool data = s->operand == LW_OPERAND_A || s->operand == LW_OPERAND_B;
    return (s->arch == LW_ARCH_GFX1100 || s->arch == LW_ARCH_GFX1150) && data ? s->mods.wave / 16u : 1;
}

/* Operands with unused bits: see the tables in the documents. */
static bool has_gaps(const subject *s)
{
    const lw_insn_info *info = &s->info;
    if (s->operand > LW_OPERAND_D)
        return true;
    if ((s->arch == LW_ARCH_GFX1100 || s->arch == LW_ARCH_GFX1150))
        return s->shape.element_bits == 16 && s->operand >= LW_OPERAND_C;
    if (s->arch == LW_ARCH_GFX1201) /* 16 k of four bits fill half a wave of 64 */
        return s->mods.wave == 64 && s->shape.element_bits == 4 &&
               (info->k == 16 || (info->k == 32 && info->sparse && s->operand == LW_OPERAND_A));
    return strstr(info->mnemonic, "v_swmmac_bf16f32") && s->operand == LW_OPERAND_D;
}

/* The whole relation equals the naive one, in the documented order. */
static void check_entries(const subject *s, const lw_layout *layout)
{
    static lw_layout_entry want[NAIVE_MAX], got[NAIVE_MAX];
    const size_t wanted = naive_entries(&s->info, s->operand, s->shape.element_bits, &s->mods, want);
    size_t count = 0;
    qsort(want, wanted, sizeof(want[0]), compare);
    ck_assert_int_eq(lw_layout_entries(layout, got, NAIVE_MAX, &count), LW_OK);
    ck_assert_msg(count == wanted, "%s: %zu entries, not %zu", s->name, count, wanted);
    for (size_t i = 0; i < count; i++)
        if (compare(&want[i], &got[i]) != 0 || want[i].msb != got[i].msb)
            ck_abort_msg(
                "%s: block %u x %u y %u is at lane %u reg %u bit %u, expected block %u x %u y %u at %u %u %u",
                s->name, got[i].block, got[i].x, got[i].y, got[i].lane, got[i].reg, got[i].lsb, want[i].block,
                want[i].x, want[i].y, want[i].lane, want[i].reg, want[i].lsb);
}

/* The table that plans use agrees with the same formulas. */
static void check_fill(const subject *s, const lw_layout *layout)
{
    static lw_layout_entry want[NAIVE_MAX];
    static lw_place places[NAIVE_MAX];
    const size_t wanted = naive_entries(&s->info, s->operand, s->shape.element_bits, &s->mods, want);
    ck_assert_uint_eq(lw_layout_elements_total(layout), wanted / copies(s));
    lw_layout_fill(layout, places);
    const bool b = s->operand == LW_OPERAND_B, sum = s->operand == LW_OPERAND_C || s->operand == LW_OPERAND_D;
    const bool scale_b = s->operand == LW_OPERAND_SCALE_B;
    for (size_t i = 0; i < wanted; i++) {
        const unsigned x = want[i].x, y = want[i].y;
        const unsigned row = b || scale_b ? 0 : x, col = b || sum ? y : (scale_b ? x : 0),
                       k = b ? x : (sum ? 0 : y);
        const lw_place p = places[lw_layout_ordinal(layout, want[i].block, row, col, k)];
        if (copies(s) > 1 && want[i].lane >= 16)
            continue;
        if (p.lane != want[i].lane || p.bit != want[i].reg * 32 + want[i].lsb)
            ck_abort_msg("%s: fill, x %u y %u", s->name, x, y);
    }
}

/* Without modifiers nothing is copied or shared: each bit that the operand uses belongs to one element. */
static void check_cover(const subject *s, const lw_layout *layout)
{
    static uint8_t hits[64][32 * 32];
    const unsigned wave = s->mods.wave;
    for (unsigned lane = 0; lane < wave; lane++)
        memset(hits[lane], 0, layout->registers * 32u);
    for (size_t n = 0; n < lw_layout_pairs(layout); n++) {
        const lw_pair p = lw_layout_pair(layout, n);
        if (p.lane >= wave || p.bit + layout->relation.width > layout->registers * 32)
            ck_abort_msg("%s: outside", s->name);
        for (unsigned t = 0; t < layout->relation.width; t++)
            hits[p.lane][p.bit + t]++;
    }
    const bool spread = s->mods.cbsz && s->info.blocks > 1;
    if (spread || (s->mods.blgp && s->shape.format[0] != '\0' && !strstr(s->info.mnemonic, "f8f6f4")))
        return;
    size_t used = 0;
    for (unsigned lane = 0; lane < wave; lane++)
        for (unsigned bit = 0; bit < layout->registers * 32u; bit++) {
            if (hits[lane][bit] > 1)
                ck_abort_msg("%s: lane %u bit %u twice", s->name, lane, bit);
            used += hits[lane][bit];
        }
    ck_assert_uint_eq(used, lw_layout_elements_total(layout) * copies(s) * layout->relation.width);
    const bool whole = used == wave * 32 * layout->registers;
    ck_assert_msg(whole || has_gaps(s), "%s: not all bits used", s->name);
}

/* place -> element and element -> place agree with the full relation, for a sample. */
static void check_queries(const subject *s, const lw_layout *layout)
{
    static lw_layout_entry all[NAIVE_MAX], some[NAIVE_MAX];
    size_t count = 0, found = 0, touching = 0;
    lw_layout_entries(layout, all, NAIVE_MAX, &count);
    for (size_t i = 0; i < count; i += 1 + count / 5) {
        ck_assert_int_eq(lw_layout_places(layout, all[i].block, all[i].x, all[i].y, some, NAIVE_MAX, &found),
                         LW_OK);
        ck_assert_msg(found == copies(s) && compare(&some[found > 1 ? all[i].lane / 16 : 0], &all[i]) == 0,
                      "%s: places", s->name);

        const unsigned lane = all[i].lane, last = all[i].reg + all[i].msb / 32u;
        ck_assert_int_eq(lw_layout_elements(layout, lane, last, some, NAIVE_MAX, &found), LW_OK);
        touching = 0;
        for (size_t e = 0; e < count; e++)
            touching += all[e].lane == lane && all[e].reg <= last && last <= all[e].reg + all[e].msb / 32u;
        ck_assert_msg(found == touching, "%s: %zu elements in lane %u, expected %zu", s->name, found, lane,
                      touching);
    }
}

static unsigned long subjects, rotated;

/* A pair as an entry of the listing. */
static lw_layout_entry entry_of(const subject *s, const lw_pair *p)
{
    const bool b = s->operand == LW_OPERAND_B, sum = s->operand == LW_OPERAND_C || s->operand == LW_OPERAND_D;
    return (lw_layout_entry){
        .lane = (uint16_t)p->lane,
        .reg = (uint16_t)(p->bit / 32),
        .lsb = (uint16_t)(p->bit % 32),
        .msb = (uint16_t)(p->bit % 32 + s->shape.element_bits - 1),
        .block = (uint16_t)p->block,
        .x = (uint16_t)(b                                  ? p->k
                        : s->operand == LW_OPERAND_SCALE_B ? p->col
                                                           : p->row),
        .y = (uint16_t)(b || sum ? p->col : p->k),
    };
}

/* Whether the relation agrees with the formulas, whatever its form. */
static void check_pairs(const subject *s, const lw_relation *r)
{
    static lw_layout_entry want[NAIVE_MAX], got[NAIVE_MAX];
    const size_t wanted = naive_entries(&s->info, s->operand, s->shape.element_bits, &s->mods, want);
    size_t count = 0;
    ck_assert_int_eq(lw_relation_pairs(r, &count), LW_OK);
    ck_assert_msg(count == wanted, "%s: %zu pairs, not %zu", s->name, count, wanted);
    for (size_t n = 0; n < count; n++) {
        lw_pair p;
        lw_relation_pair(r, n, &p);
        got[n] = entry_of(s, &p);
    }
    qsort(want, wanted, sizeof(want[0]), compare);
    qsort(got, count, sizeof(got[0]), compare);
    if (memcmp(want, got, count * sizeof(got[0])) != 0)
        ck_abort_msg("%s: other pairs", s->name);
}

/* Looked up from both sides, the relation has the entries of the formulas: for a sample. */
static void check_lookups(const subject *s, const lw_relation *r)
{
    static lw_layout_entry want[NAIVE_MAX];
    const size_t wanted = naive_entries(&s->info, s->operand, s->shape.element_bits, &s->mods, want);
    for (size_t i = 0; i < wanted; i += 1 + wanted / 5) {
        lw_pair got[64], places[64];
        size_t count = 0, elsewhere = 0, here = 0;
        ck_assert_int_eq(
            lw_relation_elements(r, want[i].lane, want[i].reg * 32u + want[i].lsb, got, 64, &count), LW_OK);
        for (size_t n = 0; n < count && n < 64; n++) {
            const lw_layout_entry entry = entry_of(s, &got[n]);
            here += compare(&entry, &want[i]) == 0;
        }
        ck_assert_msg(here == 1 && lw_relation_places(r, &got[0], places, 64, &elsewhere) == LW_OK &&
                          elsewhere == copies(s),
                      "%s: looked up, %zu elements, %zu places", s->name, count, elsewhere);
    }
}

/* Digits to bases and back: for all operands, except where BLGP rotates lanes. */
static void check_relation(const subject *s, const lw_layout *layout, bool thorough)
{
    lw_relation normal, bases, digits;
    ck_assert_msg(lw_relation_check(&layout->relation, NULL) == LW_OK, "%s: refused", s->name);
    ck_assert_int_eq(lw_relation_normalize(&layout->relation, &normal), LW_OK);
    const bool rotates =
        s->operand == LW_OPERAND_B && s->mods.blgp == 3 && layout->relation.origin.lane == 16;
    const lw_status st = lw_relation_to_bases(&layout->relation, &bases, NULL);
    if (rotates) {
        ck_assert_int_eq(st, LW_E_UNSUPPORTED);
        rotated++;
        return;
    }
    ck_assert_msg(st == LW_OK && bases.digits == 0, "%s: no bases", s->name);
    ck_assert_int_eq(lw_relation_to_digits(&bases, &digits, NULL), LW_OK);
    ck_assert_msg(memcmp(&digits, &normal, sizeof(digits)) == 0, "%s: digits, bases, other digits", s->name);
    if (!thorough)
        return;
    check_pairs(s, &normal);
    check_pairs(s, &bases);
    check_lookups(s, &normal);
    check_lookups(s, &bases);
}

static void check_subject(subject *s, bool thorough)
{
    lw_layout layout;
    lw_error error = { { 0 } };
    name_subject(s);
    ck_assert_int_eq(lw_insn_operand(s->arch, s->insn, s->operand, &s->mods, &s->shape, NULL), LW_OK);
    ck_assert_msg(lw_layout_build(s->arch, s->insn, s->operand, 0, &s->mods, &layout, &error) == LW_OK,
                  "%s: %s", s->name, error.text);
    ck_assert_uint_eq(layout.registers, s->shape.registers);
    check_entries(s, &layout);
    check_fill(s, &layout);
    check_cover(s, &layout);
    if (thorough)
        check_queries(s, &layout);
    check_relation(s, &layout, thorough);
    subjects++;
}

/* Modifiers that affect an operand; others would only repeat the same layout. */
static bool is_plain(const lw_mods *mods)
{
    const lw_mods plain = { .readings = mods->readings, .wave = mods->wave };
    return memcmp(&plain, mods, sizeof(plain)) == 0;
}

static bool concerns(const subject *s, lw_operand operand)
{
    const bool sum = operand == LW_OPERAND_C || operand == LW_OPERAND_D;
    return is_plain(&s->mods) || !sum || s->mods.op_sel || (s->mods.cbsz == 1 && s->mods.blgp == 1);
}

static void check_mods(subject *s)
{
    if (lw_mods_check(s->arch, s->insn, &s->mods, NULL) != LW_OK)
        return;
    for (unsigned o = 0; o < LW_OPERAND_COUNT; o++) {
        s->operand = (lw_operand)o;
        if (s->info.operand[o].present && concerns(s, s->operand))
            check_subject(s, is_plain(&s->mods));
    }
}

/* cbsz x abid x blgp x op_sel x op_sel_hi; what is not defined is refused and skipped */
static void check_mfma(subject *s)
{
    const bool multi = s->info.blocks > 1, sparse = s->info.sparse;
    const unsigned selects = s->info.scaled ? 16 : 1;
    for (unsigned fields = 0; fields < 8 * 16 * 8; fields++)
        for (unsigned select = 0; select < selects; select++) {
            s->mods = (lw_mods){ .cbsz = (uint8_t)(fields % 8),
                                 .abid = (uint8_t)(fields / 8 % 16),
                                 .blgp = (uint8_t)(fields / 128),
                                 .op_sel = (uint8_t)(select % 4),
                                 .op_sel_hi = (uint8_t)(select / 4),
                                 .wave = 64 };
            /* cbsz and blgp act on different operands: their product adds nothing beyond a sample */
            if (multi && s->mods.cbsz && s->mods.blgp > 1)
                continue;
            if (select && s->mods.cbsz != s->mods.blgp)
                continue;
            if (!multi && !sparse && !strstr(s->info.mnemonic, "f8f6f4"))
                s->mods.readings = LW_READING_BLGP_PATTERN;
            check_mods(s);
        }
}

/* Both wave sizes x formats x the high half of D x index_key x rows of scales. */
static void check_wmma(subject *s)
{
    for (unsigned fields = 0; fields < 2 * 5 * 5; fields++)
        for (unsigned select = 0; select < 2 * 4 * 4; select++) {
            s->mods = (lw_mods){ .wave = (uint8_t)(fields % 2 ? 64 : 32),
                                 .cbsz = (uint8_t)(fields / 2 % 5),
                                 .blgp = (uint8_t)(fields / 10),
                                 .op_sel = (uint8_t)(select % 2 ? 4 : 0),
                                 .index_key = (uint8_t)(select / 2 % 4),
                                 .scale_row_a = (uint8_t)(select / 8 % 2),
                                 .scale_row_b = (uint8_t)(select / 16) };
            if (s->info.wave_sizes & (s->mods.wave == 32 ? 1u : 2u))
                check_mods(s);
        }
}

static void check_insn(lw_arch arch, const lw_insn *insn)
{
    subject s = { .arch = arch, .insn = insn };
    ck_assert_int_eq(lw_insn_get_info(arch, insn, &s.info), LW_OK);
    if (strstr(s.info.mnemonic, "wmma") || strstr(s.info.mnemonic, "swmmac"))
        check_wmma(&s);
    else
        check_mfma(&s);
}

START_TEST(layouts_follow_the_documents)
{
    const lw_arch arch = (lw_arch)_i;
    subjects = rotated = 0;
    if (strcmp(lw_arch_get(arch)->vendor, "AMD") != 0)
        return;
    for (size_t i = 0; i < lw_insn_count(arch); i++)
        check_insn(arch, lw_insn_at(arch, i));
    printf("%s: %lu layouts compared\n", lw_arch_get(arch)->name, subjects);
    ck_assert_uint_gt(subjects, 10 * lw_insn_count(arch));
    ck_assert_msg((rotated > 0) == (arch <= LW_ARCH_GFX950), "%lu layouts rotated", rotated);
}
END_TEST

/*
 * Published one-hot probes of a gfx950 (f16 16x16x64 and fp8 16x16x128 SMFMAC), as relations: group n of
 * A's lane group G meets B in lane group 2*(G%2) + n/(groups/2), slots from h*(G/2) + 4*(n % (groups/2)).
 */
START_TEST(doubled_sparse_b_meets_a_where_probes_say)
{
    const char *names[] = { "v_smfmac_f32_16x16x64_f16", "v_smfmac_f32_16x16x128_fp8_fp8" };
    const unsigned per_lane[] = { 16, 32 }, width[] = { 16, 8 };
    const unsigned groups = per_lane[_i] / 4, h = per_lane[_i] / 2;
    const lw_insn *insn = NULL;
    lw_layout a, b;
    ck_assert_int_eq(lw_insn_find(LW_ARCH_GFX950, names[_i], &insn, NULL), LW_OK);
    ck_assert_int_eq(lw_layout_build(LW_ARCH_GFX950, insn, LW_OPERAND_A, 64, NULL, &a, NULL), LW_OK);
    ck_assert_int_eq(lw_layout_build(LW_ARCH_GFX950, insn, LW_OPERAND_B, 64, NULL, &b, NULL), LW_OK);
    static lw_place in_a[NAIVE_MAX], in_b[NAIVE_MAX];
    lw_layout_fill(&a, in_a);
    lw_layout_fill(&b, in_b);
    for (unsigned group = 0; group < 4 * groups; group++) {
        const lw_place kept = in_a[lw_layout_ordinal(&a, 0, 5, 0, 2 * group)];
        const unsigned g = kept.lane / 16, n = kept.bit / width[_i] / 2;
        for (unsigned p = 0; p < 4; p++) {
            const lw_place met = in_b[lw_layout_ordinal(&b, 0, 0, 9, 4 * group + p)];
            ck_assert_uint_eq(met.lane, 16 * (2 * (g % 2) + n / (groups / 2)) + 9);
            ck_assert_uint_eq(met.bit / width[_i], h * (g / 2) + 4 * (n % (groups / 2)) + p);
        }
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("layouts");
    TCase *tc = tcase_create("all");
    tcase_set_timeout(tc, 120);
    tcase_add_loop_test(tc, layouts_follow_the_documents, LW_ARCH_NONE + 1, LW_ARCH_COUNT);
    tcase_add_loop_test(tc, doubled_sparse_b_meets_a_where_probes_say, 0, 2);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

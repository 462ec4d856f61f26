/* SPDX-License-Identifier: MIT */
/* Readings: how they are named, and which instructions those of modifiers concern. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>
#include <lanewise/mma.h>

static const lw_reading *find(const char *text)
{
    const lw_reading *reading = NULL;
    lw_error error = { "" };
    ck_assert_msg(lw_reading_find(text, &reading, &error) == LW_OK, "%s: %s", text, error.text);
    return reading;
}

START_TEST(names_find_their_readings)
{
    const lw_reading *r;
    size_t former = 0;
    for (size_t i = 0; (r = lw_reading_at(i)) != NULL; i++) {
        char name[128];
        snprintf(name, sizeof(name), "%s:%s", r->topic, r->name);
        ck_assert_ptr_eq(find(name), r);
        ck_assert(r->text[0] && r->applies[0] && r->label < LW_LABEL_COUNT);
        ck_assert((r->about == LW_READING_OF_ARITHMETIC) == (r->aspects != 0));
        ck_assert((r->about == LW_READING_OF_MODIFIERS && !r->is_default) == (r->mods != 0));
        if (r->former)
            ck_assert_ptr_eq(find(r->former), r);
        former += r->former != NULL;
    }
    ck_assert_uint_eq(former, 8);
    ck_assert_str_eq(find("neg-c")->name, "applied");
    ck_assert_int_eq(find("buffer-range-without-soffset")->about, LW_READING_OF_MACHINE);
    ck_assert_uint_eq(find("blgp-pattern")->mods, LW_READING_BLGP_PATTERN);
}
END_TEST

START_TEST(unknown_names_get_near_ones)
{
    static const struct {
        const char *text, *says;
    } rows[] = {
        { "doubled-k:tr9",
          "there is no reading \"doubled-k:tr9\"; the topic has doubled-k:tr8, doubled-k:gtr16, "
          "doubled-k:tr16" },
        { "cbsz", "there is no reading \"cbsz\"; the topic has cbsz:refused, cbsz:ignored" },
        { "indexset:ignored",
          "there is no reading \"indexset:ignored\"; the nearest are index-set:ignored, " },
        { "buffer-rnge:without-soffset",
          "there is no reading \"buffer-rnge:without-soffset\"; the nearest are "
          "buffer-range:without-soffset, buffer-range:with-soffset, " },
        { "", "there is no reading \"\"; the nearest are " },
    };
    char big[1000];
    memset(big, 'x', sizeof(big));
    big[sizeof(big) - 1] = '\0';
    const lw_reading *reading = NULL;
    lw_error error;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        ck_assert_int_eq(lw_reading_find(rows[i].text, &reading, &error), LW_E_NOT_FOUND);
        ck_assert_msg(strncmp(error.text, rows[i].says, strlen(rows[i].says)) == 0, "%s", error.text);
    }
    ck_assert_int_eq(lw_reading_find(big, &reading, &error), LW_E_NOT_FOUND);
    ck_assert_int_eq(lw_reading_find(NULL, &reading, NULL), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_reading_find("cbsz:ignored", NULL, NULL), LW_E_ARGUMENT);
    ck_assert_ptr_null(reading);
}
END_TEST

/* Whether these modifiers need exactly this reading. */
static bool needs(lw_arch arch, const lw_insn *insn, lw_mods mods, uint16_t bit)
{
    if (lw_mods_check(arch, insn, &mods, NULL) != LW_E_UNSUPPORTED)
        return false;
    mods.readings = bit;
    return lw_mods_check(arch, insn, &mods, NULL) == LW_OK;
}

/* Whether any single field with any value needs it. */
static bool any_needs(lw_arch arch, const lw_insn *insn, uint16_t bit)
{
    enum { HIGHEST = 15 };
    for (uint8_t value = 1; value <= HIGHEST; value++) {
        const lw_mods rows[] = { { .cbsz = value },       { .abid = value },   { .blgp = value },
                                 { .neg_lo = value },     { .neg_hi = value }, { .index_key = value },
                                 { .scale_fmt_a = value } };
        for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
            if (needs(arch, insn, rows[i], bit))
                return true;
    }
    return false;
}

START_TEST(readings_of_modifiers_concern_what_needs_them)
{
    const lw_reading *r, *by_default = NULL;
    for (size_t i = 0; (r = lw_reading_at(i)) != NULL; i++) {
        size_t concerned = 0;
        by_default = r->is_default ? r : by_default;
        for (lw_arch arch = LW_ARCH_NONE; r->mods && arch < LW_ARCH_COUNT; arch++)
            for (size_t n = 0; n < lw_insn_count(arch); n++) {
                const lw_insn *insn = lw_insn_at(arch, n);
                const bool is = lw_reading_concerns(arch, insn, r);
                lw_insn_info info;
                ck_assert_int_eq(lw_insn_get_info(arch, insn, &info), LW_OK);
                ck_assert_msg(is == any_needs(arch, insn, r->mods), "%s:%s, %s of %s: %d", r->topic, r->name,
                              info.mnemonic, lw_arch_get(arch)->name, is);
                ck_assert(is == lw_reading_concerns(arch, insn, by_default));
                concerned += is;
            }
        ck_assert(!r->mods || concerned != 0);
    }
}
END_TEST

/* The reading is the same as a modifier and as an option; the last of several for a topic counts. */
START_TEST(options_take_all_readings)
{
    static const struct {
        const char *names[3];
        uint16_t mods;
        lw_status status;
    } rows[] = {
        { { "cbsz:ignored" }, 0, LW_OK },
        { { "cbsz-ignored" }, 0, LW_OK },
        { { "blgp:ignored" }, 0, LW_E_UNSUPPORTED },
        { { "cbsz:ignored", "doubled-k:tr16", "buffer-range:without-soffset" }, 0, LW_OK },
        { { "cbsz:ignored", "cbsz:refused" }, 0, LW_E_UNSUPPORTED },
        { { "cbsz:refused" }, LW_READING_CBSZ_IGNORED, LW_E_UNSUPPORTED },
        { { "cbsz:refused", "cbsz:ignored" }, LW_READING_BLGP_PATTERN, LW_OK },
        { { "doubled-k:tr16" }, LW_READING_CBSZ_IGNORED, LW_OK },
        { { "cbsz:ignord" }, LW_READING_CBSZ_IGNORED, LW_E_NOT_FOUND },
    };
    const lw_insn *insn;
    ck_assert_int_eq(lw_insn_find(LW_ARCH_GFX950, "v_mfma_f32_16x16x32_f16", &insn, NULL), LW_OK);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const lw_mods mods = { .cbsz = 1, .readings = rows[i].mods };
        lw_mma_options options = { .struct_size = sizeof(lw_mma_options),
                                   .mods = &mods,
                                   .readings = rows[i].names };
        while (options.reading_count < 3 && rows[i].names[options.reading_count])
            options.reading_count++;
        lw_mma *mma = NULL;
        const lw_status status = lw_mma_create(LW_ARCH_GFX950, insn, &options, &mma, NULL);
        ck_assert_msg(status == rows[i].status, "row %zu: %d", i, status);
        lw_mma_free(mma);
    }
}
END_TEST

/* PTX spells its modifiers; readings of AMD's do not concern it. */
START_TEST(readings_of_others_are_ignored)
{
    static const char *const names[] = { "cbsz:ignored", "neg-c", "buffer-range:without-soffset" };
    const lw_mma_options options = { .struct_size = sizeof(lw_mma_options),
                                     .readings = names,
                                     .reading_count = 3 };
    const lw_insn *insn;
    lw_mods mods;
    lw_mma *mma = NULL;
    ck_assert_int_eq(
        lw_insn_parse(LW_ARCH_SM_80, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", &insn, &mods, NULL),
        LW_OK);
    ck_assert_int_eq(lw_mma_create(LW_ARCH_SM_80, insn, &options, &mma, NULL), LW_OK);
    lw_mma_free(mma);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("readings");
    tcase_add_test(tc, names_find_their_readings);
    tcase_add_test(tc, unknown_names_get_near_ones);
    tcase_add_test(tc, readings_of_modifiers_concern_what_needs_them);
    tcase_add_test(tc, options_take_all_readings);
    tcase_add_test(tc, readings_of_others_are_ignored);
    Suite *suite = suite_create("readings");
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

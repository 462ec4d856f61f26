/* SPDX-License-Identifier: MIT */
/* Modifiers: what is read, what is refused, and with which sentence. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/insn.h>

static const lw_insn *find(const char *name)
{
    const lw_insn *insn = NULL;
    ck_assert_int_eq(lw_insn_find(LW_ARCH_GFX950, name, &insn, NULL), LW_OK);
    return insn;
}

static const char *const one_block = "v_mfma_f32_16x16x16_f16";
static const char *const four_blocks = "v_mfma_f32_16x16x4_4b_f16";
static const char *const f32_block = "v_mfma_f32_32x32x2_f32";
static const char *const f64 = "v_mfma_f64_4x4x4_4b_f64";
static const char *const sparse = "v_smfmac_f32_16x16x32_f16";
static const char *const sparse_bytes = "v_smfmac_i32_16x16x64_i8";
static const char *const sparse_full = "v_smfmac_i32_16x16x128_i8";
static const char *const formats = "v_mfma_f32_16x16x128_f8f6f4";
static const char *const scaled = "v_mfma_scale_f32_16x16x128_f8f6f4";

static void accept(const char *name, const char *text, lw_mods want)
{
    lw_mods got;
    lw_error error = { { 0 } };
    memset(&got, 0xff, sizeof(got));
    ck_assert_msg(lw_mods_parse(LW_ARCH_GFX950, find(name), text, &got, &error) == LW_OK, "%s %s: %s", name,
                  text, error.text);
    ck_assert_msg(memcmp(&got, &want, sizeof(got)) == 0, "%s %s", name, text);
}

static void refuse(const char *name, const char *text, lw_status status, const char *in_sentence)
{
    lw_mods got, before;
    lw_error error = { { 0 } };
    memset(&got, 0x5a, sizeof(got));
    memset(&before, 0x5a, sizeof(before));
    const lw_status st = lw_mods_parse(LW_ARCH_GFX950, find(name), text, &got, &error);
    ck_assert_msg(st == status, "%s %s: status %d, %s", name, text, (int)st, error.text);
    ck_assert_msg(strstr(error.text, in_sentence) != NULL, "\"%s\" lacks \"%s\"", error.text, in_sentence);
    ck_assert_int_eq(memcmp(&got, &before, sizeof(got)), 0);
    ck_assert_int_eq(lw_mods_parse(LW_ARCH_GFX950, find(name), text, &got, NULL), status);
}

START_TEST(reads_the_assemblers_spelling)
{
    accept(one_block, "", (lw_mods){ 0 });
    accept(one_block, "  cbsz:0,abid:0  blgp:0 ", (lw_mods){ 0 });
    accept(four_blocks, "abid:3 cbsz:2 blgp:7", (lw_mods){ .cbsz = 2, .abid = 3, .blgp = 7 });
    accept(f32_block, "blgp:5", (lw_mods){ .blgp = 5 });
    accept(f64, "neg:[1,0,1]", (lw_mods){ .neg = 5 });
    accept(f64, "neg:[ 0 , 1 ]", (lw_mods){ .neg = 2 });
    accept(sparse, "abid:3", (lw_mods){ .abid = 3 });
    accept(sparse, "cbsz:7 abid:15", (lw_mods){ .cbsz = 7, .abid = 15 });
    accept(formats, "cbsz:fp4 blgp:bf6", (lw_mods){ .cbsz = 4, .blgp = 3 });
    accept(scaled, "op_sel:[0,1,0] op_sel_hi:[1,1,0] cbsz:2 blgp:1",
           (lw_mods){ .op_sel = 2, .op_sel_hi = 3, .cbsz = 2, .blgp = 1 });
}
END_TEST

START_TEST(refuses_what_is_no_modifier)
{
    refuse(one_block, "cbsz", LW_E_FORMAT, "NAME:VALUE");
    refuse(one_block, "cbsz:", LW_E_FORMAT, "0 to 7");
    refuse(one_block, "cbsz:8", LW_E_FORMAT, "0 to 7");
    refuse(one_block, "abid:16", LW_E_FORMAT, "0 to 15");
    refuse(formats, "cbsz:1 blgp:0 cbsz:1", LW_E_FORMAT, "cbsz is given twice");
    refuse(one_block, "blgp:99999999999", LW_E_FORMAT, "0 to 7");
    refuse(one_block, "blgp:-1", LW_E_FORMAT, "0 to 7");
    refuse(one_block, "cbsz:fp4", LW_E_FORMAT, "0 to 7");
    refuse(formats, "cbsz:fp5", LW_E_FORMAT, "0 to 7");
    refuse(one_block, "clamps:1", LW_E_FORMAT, "no modifier is called \"clamps\"");
    refuse(one_block, "assume:nothing", LW_E_FORMAT, "cbsz-ignored");
    for (unsigned i = 0; i < 8; i++) {
        const char *bad[] = { "neg:1",         "neg:[]",    "neg:[1,]", "neg:[2]",
                              "neg:[1,0,0,0]", "neg:[1 0]", "neg:[1,0", "neg:[,1]" };
        refuse(f64, bad[i], LW_E_FORMAT, "list of up to 3");
    }
}
END_TEST

START_TEST(refuses_what_the_instruction_lacks)
{
    refuse(one_block, "neg:[1,0,0]", LW_E_UNSUPPORTED, "cbsz abid blgp");
    refuse(f64, "blgp:1", LW_E_UNSUPPORTED, "cbsz abid neg");
    refuse(sparse, "blgp:1", LW_E_UNSUPPORTED, "cbsz abid");
    refuse(formats, "abid:1", LW_E_UNSUPPORTED, "cbsz blgp");
    refuse(formats, "op_sel:[1,0,0]", LW_E_UNSUPPORTED, "cbsz blgp");
    refuse(scaled, "op_sel:[0,0,1]", LW_E_UNSUPPORTED, "op_sel");
    refuse(four_blocks, "cbsz:3", LW_E_UNSUPPORTED, "groups 8 blocks, but there are 4");
    refuse(four_blocks, "cbsz:1 abid:2", LW_E_UNSUPPORTED, "not among the 2 blocks");
    refuse(four_blocks, "abid:1", LW_E_UNSUPPORTED, "not among the 1 block ");
    refuse(sparse, "abid:4", LW_E_UNSUPPORTED, "sets 0..3");
    refuse(sparse_bytes, "abid:2", LW_E_UNSUPPORTED, "sets 0..1");
    refuse(formats, "blgp:5", LW_E_UNSUPPORTED, "blgp:5 is a reserved format");
    refuse(scaled, "cbsz:7", LW_E_UNSUPPORTED, "cbsz:7 is a reserved format");
}
END_TEST

START_TEST(open_meanings_need_an_assumption)
{
    refuse(one_block, "cbsz:1", LW_E_UNSUPPORTED, "assume:cbsz-ignored");
    refuse(one_block, "abid:1", LW_E_UNSUPPORTED, "assume:cbsz-ignored");
    refuse(one_block, "blgp:1", LW_E_UNSUPPORTED, "assume:blgp-pattern");
    refuse(one_block, "blgp:1 assume:cbsz-ignored", LW_E_UNSUPPORTED, "assume:blgp-pattern");
    refuse(one_block, "blgp:1 assume:blgp-pattern assume:blgp-ignored", LW_E_UNSUPPORTED, "exclude");
    refuse(f32_block, "cbsz:1", LW_E_UNSUPPORTED, "assume:cbsz-ignored");
    refuse(f64, "cbsz:1", LW_E_UNSUPPORTED, "assume:cbsz-ignored");
    refuse(sparse_full, "abid:1", LW_E_UNSUPPORTED, "assume:index-set-ignored");
    accept(one_block, "cbsz:1 assume:cbsz-ignored", (lw_mods){ .cbsz = 1, .assume = LW_ASSUME_CBSZ_IGNORED });
    accept(one_block, "assume:blgp-pattern blgp:1", (lw_mods){ .blgp = 1, .assume = LW_ASSUME_BLGP_PATTERN });
    accept(one_block, "assume:blgp-ignored blgp:1", (lw_mods){ .blgp = 1, .assume = LW_ASSUME_BLGP_IGNORED });
    accept(sparse_full, "assume:index-set-ignored abid:1",
           (lw_mods){ .abid = 1, .assume = LW_ASSUME_INDEX_SET_IGNORED });
    size_t count = 0;
    while (lw_mods_assumption_at(count))
        count++;
    ck_assert_uint_eq(count, 8);
}
END_TEST

/* Fields as a decoder fills them, without text: what the encoding can hold and the assembler cannot write. */
START_TEST(raw_fields_are_checked_too)
{
    const lw_mods blgp = { .blgp = 1 }, abid = { .abid = 1 }, neg = { .neg = 8 }, cbsz = { .cbsz = 8 };
    ck_assert_int_eq(lw_mods_check(LW_ARCH_GFX950, find(sparse), &blgp, NULL), LW_E_UNSUPPORTED);
    ck_assert_int_eq(lw_mods_check(LW_ARCH_GFX950, find(f64), &blgp, NULL), LW_E_UNSUPPORTED);
    ck_assert_int_eq(lw_mods_check(LW_ARCH_GFX950, find(formats), &abid, NULL), LW_E_UNSUPPORTED);
    ck_assert_int_eq(lw_mods_check(LW_ARCH_GFX950, find(f64), &neg, NULL), LW_E_UNSUPPORTED);
    ck_assert_int_eq(lw_mods_check(LW_ARCH_GFX950, find(four_blocks), &cbsz, NULL), LW_E_UNSUPPORTED);
    ck_assert_int_eq(lw_mods_check(LW_ARCH_GFX950, find(four_blocks), NULL, NULL), LW_OK);
    ck_assert_int_eq(lw_mods_check(LW_ARCH_GFX942, find(formats), NULL, NULL), LW_E_ARCH);
    ck_assert_int_eq(lw_mods_check(LW_ARCH_GFX942, NULL, NULL, NULL), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_mods_check(LW_ARCH_COUNT, find(formats), NULL, NULL), LW_E_ARGUMENT);
}
END_TEST

START_TEST(operands_follow_the_format_codes)
{
    const unsigned registers[] = { 8, 8, 6, 6, 4 }, bits[] = { 8, 8, 6, 6, 4 };
    const char *names[] = { "fp8", "bf8", "fp6", "bf6", "fp4" };
    lw_operand_info a, b;
    for (unsigned code = 0; code < 5; code++) {
        const lw_mods mods = { .cbsz = (uint8_t)code, .blgp = (uint8_t)(4 - code) };
        ck_assert_int_eq(lw_insn_operand(LW_ARCH_GFX950, find(scaled), LW_OPERAND_A, &mods, &a, NULL), LW_OK);
        ck_assert_int_eq(lw_insn_operand(LW_ARCH_GFX950, find(scaled), LW_OPERAND_B, &mods, &b, NULL), LW_OK);
        ck_assert_str_eq(a.format, names[code]);
        ck_assert_str_eq(b.format, names[4 - code]);
        ck_assert_uint_eq(a.registers, registers[code]);
        ck_assert_uint_eq(b.element_bits, bits[4 - code]);
    }
    lw_error error = { { 0 } };
    ck_assert_int_eq(lw_insn_operand(LW_ARCH_GFX950, find(sparse), LW_OPERAND_C, NULL, &a, &error),
                     LW_E_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(error.text, "adds to D"));
}
END_TEST

static uint32_t next_random(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

/* Any text gives an answer, and what is accepted passes the check; exact-size memory shows stray reads. */
START_TEST(any_text_is_survived)
{
    static const char alphabet[] = "cbszabidlgpneo_hum:[]0123456789, -f";
    static const char *const words[] = { "cbsz:",        "abid:",       "blgp:",   "neg:[",
                                         "op_sel:[",     "op_sel_hi:[", "assume:", "1,0]",
                                         "blgp-pattern", "fp4",         " ",       "7" };
    uint32_t state = 0x9e3779b9;
    for (int round = 0; round < 100000; round++) {
        char text[64] = "";
        for (uint32_t n = next_random(&state) % 6; n > 0; n--) {
            const char letter[2] = { alphabet[next_random(&state) % (sizeof(alphabet) - 1)], '\0' };
            const char *word = words[next_random(&state) % (sizeof(words) / sizeof(words[0]))];
            strcat(text, next_random(&state) % 4 ? word : letter);
        }
        char *exact = malloc(strlen(text) + 1);
        strcpy(exact, text);
        const lw_insn *insn = lw_insn_at(LW_ARCH_GFX950, next_random(&state) % lw_insn_count(LW_ARCH_GFX950)),
                      *found;
        lw_mods mods;
        lw_error error;
        const lw_status st = lw_mods_parse(LW_ARCH_GFX950, insn, exact, &mods, &error);
        if (st != LW_OK && st != LW_E_FORMAT && st != LW_E_UNSUPPORTED)
            ck_abort_msg("\"%s\": status %d", text, (int)st);
        if (st == LW_OK && lw_mods_check(LW_ARCH_GFX950, insn, &mods, NULL) != LW_OK)
            ck_abort_msg("\"%s\" was accepted", text);
        if (round % 50 == 0 && lw_insn_find(LW_ARCH_GFX950, exact, &found, &error) == LW_OK)
            ck_abort_msg("\"%s\" is an instruction", text);
        free(exact);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("mods");
    TCase *tc = tcase_create("all");
    tcase_add_test(tc, reads_the_assemblers_spelling);
    tcase_add_test(tc, refuses_what_is_no_modifier);
    tcase_add_test(tc, refuses_what_the_instruction_lacks);
    tcase_add_test(tc, open_meanings_need_an_assumption);
    tcase_add_test(tc, raw_fields_are_checked_too);
    tcase_add_test(tc, operands_follow_the_format_codes);
    tcase_add_test(tc, any_text_is_survived);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

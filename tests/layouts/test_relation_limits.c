/* SPDX-License-Identifier: MIT */
/* Relations that are not valid are refused with a sentence; random ones do no harm. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "layouts/relation_naive.h"

static const lw_relation tile = {
    .digits = 2,
    .digit = { { .radix = 8, .bit = 16, .k = 1 }, { .radix = 16, .lane = 1, .row = 1 } },
    .pitch = 1,
    .lanes = 32,
    .bits = 128,
    .width = 16,
    .rows = 16,
    .cols = 1,
    .ks = 8,
    .blocks = 1,
};

static void refuse(const lw_relation *r, const char *sentence)
{
    lw_error error = { { 0 } };
    lw_relation out;
    lw_pair pair;
    size_t count = 0;
    bool equal = false;
    ck_assert_int_eq(lw_relation_check(r, &error), LW_E_ARGUMENT);
    ck_assert_str_eq(error.text, sentence);
    ck_assert_int_eq(lw_relation_pairs(r, &count), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_relation_elements(r, 0, 0, NULL, 0, &count), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_relation_places(r, &(lw_pair){ 0 }, NULL, 0, &count), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_relation_normalize(r, &out), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_relation_to_bases(r, &out, NULL), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_relation_to_digits(r, &out, NULL), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_relation_equal(r, &tile, &equal), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_relation_equal(&tile, r, &equal), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_relation_swizzle(r, 16, 1, 0, 1, &out, NULL), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_relation_compose(r, &tile, &out, NULL), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_relation_compose(&tile, r, &out, NULL), LW_E_ARGUMENT);
    lw_relation_pair(r, 12345, &pair); /* the result has no meaning, but nothing outside is read */
}

START_TEST(what_is_outside_its_limits_is_refused)
{
    lw_relation r = { 0 };
    refuse(&r, "lanes, bits, pitch, width and extents of a relation are at least 1");
    r = tile, r.digits = 10;
    refuse(&r, "a relation of 10 digits and 0 bases: 9 and 28 are the most");
    r = tile, r.digits = UINT32_MAX;
    refuse(&r, "a relation of 4294967295 digits and 0 bases: 9 and 28 are the most");
    r = tile, r.bases = UINT32_MAX;
    refuse(&r, "a relation of 2 digits and 4294967295 bases: 9 and 28 are the most");
    r = tile, r.digit[1].radix = 0;
    refuse(&r, "digit 1 of a relation has radix 0");
    r = tile, r.digit[1].radix = UINT32_MAX;
    refuse(&r, "a relation of more than 2^28 pairs");
    r = tile, r.bases = 22;
    refuse(&r, "a relation of more than 2^28 pairs");
    r = tile, r.digits = 9;
    for (int i = 0; i < 9; i++)
        r.digit[i] =
            (lw_digit){ UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX };
    refuse(&r, "a relation of more than 2^28 pairs");
    r = tile, r.pitch = 0;
    refuse(&r, "lanes, bits, pitch, width and extents of a relation are at least 1");
    r = tile, r.digit[0].bit = 17;
    refuse(&r, "a relation with places past bit 127 of a lane");
    r = tile, r.start = 1;
    refuse(&r, "a relation with places past bit 127 of a lane");
    r = tile, r.start = r.width = r.bits = r.pitch = r.origin.bit = UINT32_MAX;
    refuse(&r, "a relation with places past bit 4294967294 of a lane");
    r = tile, r.digit[0].bit = UINT32_MAX;
    refuse(&r, "a relation with places past bit 127 of a lane");
    r = tile, r.pitch = UINT32_MAX, r.digit[0].bit = UINT32_C(1) << 29;
    refuse(&r, "a relation with places past bit 127 of a lane");
    r = tile, r.digit[0].k = 2;
    refuse(&r, "a relation of elements past k 7");
    r = tile, r.origin.block = 1;
    refuse(&r, "a relation of elements past block 0");
    r = tile, r.origin.row = UINT32_MAX, r.rows = UINT32_MAX;
    refuse(&r, "a relation of elements past row 4294967294");
    r = tile, r.digit[1].lane = UINT32_MAX;
    refuse(&r, "a relation whose lanes reach past 31: with bases they need a power of two");
    r = tile, r.lanes = 12, r.bases = 1, r.base[0].lane = 1;
    refuse(&r, "a relation whose lanes reach past 11: with bases they need a power of two");
    r = tile, r.bases = 1, r.base[0].col = UINT32_MAX;
    refuse(&r, "a relation of elements past col 0");
    ck_assert_int_eq(lw_relation_check(NULL, NULL), LW_E_ARGUMENT);
    r = tile;
    r.digit[1].lane = UINT32_MAX / 15;
    ck_assert_int_eq(lw_relation_check(&r, NULL), LW_OK); /* the largest that 32 bits hold */
}
END_TEST

/* Random bits in all fields: refused or sound, never a crash (the sanitizers watch). */
START_TEST(random_bits_do_no_harm)
{
    unsigned valid = 0;
    for (int round = 0; round < 20000; round++) {
        lw_relation r = tile, out;
        uint32_t words[sizeof(r) / sizeof(uint32_t)];
        memcpy(words, &r, sizeof(r));
        for (uint32_t i = naive_draw(4); i < 4; i++)
            words[naive_draw(sizeof(r) / sizeof(uint32_t))] =
                naive_draw(2) ? naive_draw(64) : UINT32_C(1) << naive_draw(32);
        memcpy(&r, words, sizeof(r));
        lw_pair pair;
        size_t count = 0;
        lw_relation_pair(&r, naive_draw(1000), &pair);
        if (lw_relation_check(&r, NULL) != LW_OK)
            continue;
        valid++;
        lw_relation_pairs(&r, &count);
        if (count > NAIVE_PAIRS)
            continue;
        lw_relation_normalize(&r, &out);
        ck_assert_int_eq(lw_relation_check(&out, NULL), LW_OK);
        lw_relation_to_bases(&r, &out, NULL);
        lw_relation_to_digits(&r, &out, NULL);
        lw_relation_swizzle(&r, 16, 1 + naive_draw(3), naive_draw(4), 3 - (int)naive_draw(7), &out, NULL);
        lw_relation_compose(&r, &tile, &out, NULL);
        lw_relation_compose(&tile, &r, &out, NULL);
        for (size_t n = 0; n < count; n += 1 + count / 7) {
            ck_assert_int_eq(lw_relation_pair(&r, n, &pair), LW_OK);
            ck_assert_int_eq(lw_relation_elements(&r, pair.lane, pair.bit, NULL, 0, &count), LW_OK);
            ck_assert_uint_gt(count, 0);
            ck_assert_int_eq(lw_relation_places(&r, &pair, NULL, 0, &count), LW_OK);
            ck_assert_uint_gt(count, 0);
            lw_relation_pairs(&r, &count);
        }
    }
    ck_assert_uint_gt(valid, 1000);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("limits of relations");
    TCase *tc = tcase_create("all");
    tcase_set_timeout(tc, 120);
    tcase_add_test(tc, what_is_outside_its_limits_is_refused);
    tcase_add_test(tc, random_bits_do_no_harm);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

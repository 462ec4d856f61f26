/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/parse.h"

START_TEST(numbers_are_whole_words)
{
    static const struct {
        const char *text;
        bool ok;
        uint64_t value;
    } cases[] = {
        { "0", true, 0 },
        { "007", true, 7 },
        { "0x1F", true, 31 },
        { "18446744073709551615", true, UINT64_MAX },
        { "18446744073709551616", false, 0 },
        { "0xffffffffffffffff", true, UINT64_MAX },
        { "0x10000000000000000", false, 0 },
        { "", false, 0 },
        { "0x", false, 0 },
        { "-1", false, 0 },
        { " 1", false, 0 },
        { "1 ", false, 0 },
        { "5x", false, 0 },
        { "1f", false, 0 },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        uint64_t v = 99;
        ck_assert_msg(parse_u64(cases[i].text, &v) == cases[i].ok, "'%s'", cases[i].text);
        ck_assert_uint_eq(v, cases[i].ok ? cases[i].value : 99);
    }
}
END_TEST

/* Every boundary of every width, compared with how the C library reads the same text. */
START_TEST(integers_fit_their_width)
{
    for (unsigned size = 1; size <= 4; size *= 2)
        for (int is_signed = 0; is_signed < 2; is_signed++) {
            const long long low = is_signed ? -(1ll << (size * 8 - 1)) : 0;
            const long long high = (1ll << (size * 8 - (unsigned)is_signed)) - 1;
            const long long tries[] = { low - 1, low, low + 1, -1, 0, 1, high - 1, high, high + 1 };
            for (size_t i = 0; i < sizeof(tries) / sizeof(tries[0]); i++) {
                char text[32];
                uint64_t bits = 0;
                snprintf(text, sizeof(text), "%lld", tries[i]);
                const bool fits = tries[i] >= low && tries[i] <= high;
                ck_assert_msg(parse_integer(text, size, is_signed, &bits) == fits, "%s in %u bytes", text,
                              size);
                const uint64_t mask = (1ull << (size * 8)) - 1;
                if (fits)
                    ck_assert_uint_eq(bits, (uint64_t)tries[i] & mask);
            }
        }
    uint64_t bits;
    ck_assert(parse_integer("-9223372036854775808", 8, true, &bits) && bits == 1ull << 63);
    ck_assert(!parse_integer("-9223372036854775809", 8, true, &bits));
    ck_assert(!parse_integer("9223372036854775808", 8, true, &bits));
    ck_assert(parse_integer("18446744073709551615", 8, false, &bits) && bits == UINT64_MAX);
}
END_TEST

START_TEST(sizes_have_one_to_three_parts)
{
    uint32_t d[3] = { 9, 9, 9 };
    ck_assert(parse_dims("4", d) && d[0] == 4 && d[1] == 1 && d[2] == 1);
    ck_assert(parse_dims("4,5", d) && d[0] == 4 && d[1] == 5 && d[2] == 1);
    ck_assert(parse_dims("4,5,0x6", d) && d[2] == 6);
    static const char *const wrong[] = { "",        "0",          "1,0", "1,,2", "1,2,",
                                         "1,2,3,4", "4294967296", "1x2", "1, 2" };
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        ck_assert_msg(!parse_dims(wrong[i], d), "'%s'", wrong[i]);
    ck_assert_uint_eq(d[2], 6);
}
END_TEST

START_TEST(hex_bytes_come_in_pairs)
{
    uint8_t b[4];
    size_t size = 0;
    ck_assert(parse_hex_bytes("00fFA0_01", b, 4, &size) && size == 4);
    ck_assert(memcmp(b, "\x00\xff\xa0\x01", 4) == 0);
    ck_assert(!parse_hex_bytes("0", b, 4, &size));
    ck_assert(!parse_hex_bytes("", b, 4, &size));
    ck_assert(!parse_hex_bytes("0g", b, 4, &size));
    ck_assert(!parse_hex_bytes("0001020304", b, 4, &size));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cli_parse");
    TCase *tc = tcase_create("words");
    tcase_add_test(tc, numbers_are_whole_words);
    tcase_add_test(tc, integers_fit_their_width);
    tcase_add_test(tc, sizes_have_one_to_three_parts);
    tcase_add_test(tc, hex_bytes_come_in_pairs);
    suite_add_tcase(s, tc);
    SRunner *sr = srunner_create(s);
    srunner_run_all(sr, CK_NORMAL);
    const int failed = srunner_ntests_failed(sr);
    srunner_free(sr);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

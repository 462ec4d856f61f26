/* SPDX-License-Identifier: MIT */
/* The reader of JSON and of the protocol's frames: what it accepts, what it refuses and why. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/debug/frame.h"
#include "cli/debug/json_read.h"

static const struct {
    const char *text;
    const char *why; /* NULL: it is accepted */
} cases[] = {
    { "null", NULL },
    { " [1, 2 ,3]\n", NULL },
    { "{\"a\": {\"b\": []}, \"c\": {}}", NULL },
    { "-0.5e+10", NULL },
    { "1E5", NULL },
    { "\"\\u00e9\\ud83d\\ude00\\n\"", NULL },
    { "", "a value is missing" },
    { "  ", "a value is missing" },
    { "nul", "not a value" },
    { "nullx", "something follows the value" },
    { "01", "not a number" },
    { "-", "not a number" },
    { "1.", "digits must follow the point" },
    { "1e", "digits must follow the exponent's e" },
    { "+1", "not a value" },
    { "\"a", "a string without an end" },
    { "\"\\x\"", "no such escape" },
    { "\"\\u12g4\"", "four hexadecimal digits must follow \\u" },
    { "\"\\ud800\"", "the first half of a surrogate pair without the second" },
    { "\"\\udc00\"", "the second half of a surrogate pair without the first" },
    { "\"\\ud800\\u0041\"", "the first half of a surrogate pair without the second" },
    { "\"\x01\"", "a control character in a string" },
    { "\"\xff\"", "a string that is not UTF-8" },
    { "\"\xc0\x80\"", "a string that is not UTF-8" },
    { "\"\xed\xa0\x80\"", "a string that is not UTF-8" },
    { "[1", "an array without an end" },
    { "[1,]", "not a value" },
    { "{\"a\"}", "a colon must follow a member's name" },
    { "{1: 2}", "a member's name must be a string" },
    { "{\"a\": 1,}", "a member's name must be a string" },
    { "{\"a\": 1", "an object without an end" },
};

/* Each from an exact block of the heap, so that a sanitizer sees a byte too many. */
START_TEST(accepts_and_refuses)
{
    const size_t size = strlen(cases[_i].text);
    char *bytes = malloc(size + !size);
    json_document d;
    memcpy(bytes, cases[_i].text, size);
    const bool good = json_read(bytes, size, &d);
    ck_assert_msg(good == !cases[_i].why, "%s", cases[_i].text);
    if (!good)
        ck_assert_str_eq(d.why, cases[_i].why);
    json_free(&d);
    /* nor does any beginning of it crash */
    for (size_t part = 0; part < size; part++) {
        char *begin = malloc(part + !part);
        memcpy(begin, bytes, part);
        json_read(begin, part, &d);
        json_free(&d);
        free(begin);
    }
    free(bytes);
}
END_TEST

START_TEST(values)
{
    static const char text[] =
        "{\"n\": -12345678901234567, \"big\": 1234567890123456789, \"f\": 1.5, \"s\": "
        "\"a\\u0000\\u00e9\\ud83d\\ude00\", \"t\": true, \"l\": [1, \"x\", null], \"n\": 2}";
    json_document d;
    int64_t number = 0;
    ck_assert(json_read(text, strlen(text), &d));
    const json_node *root = d.nodes;
    ck_assert(json_whole(json_get(root, "n"), &number) && number == -12345678901234567);
    ck_assert(!json_whole(json_get(root, "big"), &number) && !json_whole(json_get(root, "f"), &number));
    ck_assert_str_eq(json_text(json_get(root, "s")), "a\xef\xbf\xbd\xc3\xa9\xf0\x9f\x98\x80");
    ck_assert(json_is_true(json_get(root, "t")) && !json_is_true(json_get(root, "l")));
    const json_node *item = json_get(root, "l")->first;
    ck_assert(json_whole(item, &number) && number == 1);
    ck_assert_str_eq(json_text(item->next), "x");
    ck_assert_int_eq(item->next->next->kind, JSON_NULL);
    ck_assert_ptr_null(item->next->next->next);
    ck_assert_ptr_null(json_get(root, "absent"));
    ck_assert_ptr_null(json_get(json_get(root, "s"), "s"));
    ck_assert_ptr_null(json_text(NULL));
    json_free(&d);
}
END_TEST

START_TEST(depth)
{
    char text[2 * JSON_DEPTH + 3];
    json_document d;
    for (size_t deep = JSON_DEPTH; deep <= JSON_DEPTH + 1; deep++) {
        memset(text, '[', deep);
        memset(text + deep, ']', deep);
        ck_assert_int_eq(json_read(text, 2 * deep, &d), deep == JSON_DEPTH);
        if (deep > JSON_DEPTH)
            ck_assert_str_eq(d.why, "objects and arrays more than 64 deep");
        json_free(&d);
    }
}
END_TEST

static frame_state look(const char *text, size_t *at, size_t *body, const char **why)
{
    return frame_find(text, strlen(text), at, body, why);
}

START_TEST(frames)
{
    size_t at, body;
    const char *why = NULL;
    ck_assert_int_eq(look("Content-Length: 2\r\n\r\n{}rest", &at, &body, &why), FRAME_WHOLE);
    ck_assert_uint_eq(at, 21);
    ck_assert_uint_eq(body, 2);
    ck_assert_int_eq(look("X: y\ncontent-length:2 \n\n{}", &at, &body, &why), FRAME_WHOLE);
    ck_assert_int_eq(look("Content-Length: 2\r\n\r\n{", &at, &body, &why), FRAME_MORE);
    ck_assert_int_eq(look("Content-Le", &at, &body, &why), FRAME_MORE);
    ck_assert_int_eq(look("", &at, &body, &why), FRAME_MORE);
    ck_assert_int_eq(look("\r\n", &at, &body, &why), FRAME_BAD);
    ck_assert_str_eq(why, "a header without Content-Length");
    ck_assert_int_eq(look("Content-Length: 2x\r\n", &at, &body, &why), FRAME_BAD);
    ck_assert_int_eq(look("Content-Length: -2\r\n", &at, &body, &why), FRAME_BAD);
    ck_assert_int_eq(look("Content-Length:\r\n", &at, &body, &why), FRAME_BAD);
    ck_assert_str_eq(why, "Content-Length is not a number");
    ck_assert_int_eq(look("Content-Length: 1048576\r\n\r\n", &at, &body, &why), FRAME_MORE);
    ck_assert_int_eq(look("Content-Length: 1048577\r\n", &at, &body, &why), FRAME_BAD);
    ck_assert_int_eq(look("Content-Length: 99999999999999999999999\r\n", &at, &body, &why), FRAME_BAD);
    ck_assert_str_eq(why, "a message of more than 1048576 bytes");
    char *longer = malloc(FRAME_HEADER + 1);
    memset(longer, 'a', FRAME_HEADER + 1);
    ck_assert_int_eq(frame_find(longer, FRAME_HEADER - 1, &at, &body, &why), FRAME_MORE);
    ck_assert_int_eq(frame_find(longer, FRAME_HEADER, &at, &body, &why), FRAME_BAD);
    free(longer);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("debug_json_read");
    TCase *tc = tcase_create("json");
    tcase_add_loop_test(tc, accepts_and_refuses, 0, (int)(sizeof(cases) / sizeof(cases[0])));
    tcase_add_test(tc, values);
    tcase_add_test(tc, depth);
    tcase_add_test(tc, frames);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

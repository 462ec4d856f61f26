/* SPDX-License-Identifier: MIT */
/* What vprintf prints: widths as arguments; conversions that are refused. Texts are as the C standard has
 * them. What a failed assertion says. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/lanewise.h>

enum { MOST = 4096, CASES = 11 };

static char printed[MOST];

static void collect(void *context, const char *text, size_t size)
{
    (void)context;
    const size_t used = strlen(printed);
    ck_assert_uint_lt(used + size, sizeof(printed));
    memcpy(printed + used, text, size);
    printed[used + size] = '\0';
}

/* One thread prints with these arguments, 32-bit integers one after the other. */
static lw_status print(const char *format, const int *args, unsigned count, lw_error *error)
{
    char text[MOST], bytes[1024] = "", stores[512] = "";
    lw_program *program;
    lw_memory *memory;
    printed[0] = '\0';
    for (size_t i = 0; i <= strlen(format); i++)
        sprintf(bytes + strlen(bytes), "%s%d", i ? ", " : "", format[i]);
    for (unsigned i = 0; i < count; i++)
        sprintf(stores + strlen(stores), "mov.b32 %%r0, %d; st.local.b32 [args+%u], %%r0;\n", args[i], 4 * i);
    snprintf(
        text, sizeof(text),
        ".version 8.0\n.target sm_80\n.address_size 64\n"
        ".extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);\n"
        ".global .align 1 .b8 format[] = {%s};\n"
        ".entry k() {\n.reg .b32 %%r<2>; .reg .b64 %%rd<3>; .local .align 8 .b8 args[64];\n%s"
        "mov.b64 %%rd0, format; cvta.global.u64 %%rd0, %%rd0; mov.b64 %%rd1, args; cvta.local.u64 %%rd1, "
        "%%rd1;\n"
        "{ .param .b64 p0; .param .b64 p1; .param .b32 r0; st.param.b64 [p0], %%rd0; st.param.b64 [p1], "
        "%%rd1;\ncall.uni (r0), vprintf, (p0, p1); }\nret; }\n",
        bytes, stores);
    ck_assert_msg(lw_program_load(text, strlen(text), NULL, &program, error) == LW_OK, "%s\n%s", error->text,
                  text);
    ck_assert_int_eq(lw_memory_create(&memory), LW_OK);
    lw_launch_options o = lw_launch_options_default();
    o.program = program;
    o.memory = memory;
    o.grid[0] = o.block[0] = 1;
    o.print = collect;
    const lw_status status = lw_launch(&o, NULL, error);
    lw_memory_free(memory);
    lw_program_free(program);
    return status;
}

START_TEST(conversions)
{
    static const struct {
        const char *format;
        int args[4];
        unsigned count;
        const char *wanted; /* NULL: refused */
    } cases[CASES] = {
        { "[%*d]", { 6, 42 }, 2, "[    42]" },
        { "[%-*d|%*d]", { 6, 42, -6, 7 }, 4, "[42    |7     ]" },
        { "[%0*x]", { 6, 42 }, 2, "[00002a]" },
        { "[%+*d%%%*c]", { 4, 9, 3, 'x' }, 4, "[  +9%  x]" },
        { "[%5d|%-5u|%05i]", { -42, 42, 42 }, 3, "[  -42|42   |00042]" },
        { "[%1023d]", { 1 }, 1, "" },
        { "[%.*f]", { 3, 0, 0 }, 3, NULL },
        { "[%5*d]", { 3, 1 }, 2, NULL },
        { "[%2000000000d]", { 1 }, 1, NULL },
        { "[%*d]", { 2000000000, 1 }, 2, NULL },
        { "[%*n]", { 2, 1 }, 2, NULL },
    };
    lw_error error = { "" };
    const lw_status status = print(cases[_i].format, cases[_i].args, cases[_i].count, &error);
    ck_assert_int_eq(status, cases[_i].wanted ? LW_OK : LW_E_FAULT);
    if (!cases[_i].wanted)
        ck_assert_msg(strstr(error.text, "which is not supported") != NULL, "%s", error.text);
    else if (*cases[_i].wanted)
        ck_assert_str_eq(printed, cases[_i].wanted);
    else
        ck_assert_uint_eq(strspn(printed + 1, " "), 1022);
}
END_TEST

/* Thread 3 of 8 fails; a message at `at` that nobody has written is a fault of its own. */
static const char asserting[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".extern .func __assertfail (.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 "
    "e);\n"
    ".global .align 1 .b8 said[] = {120, 60, 51, 0};\n"
    ".global .align 1 .b8 file[] = {107, 46, 99, 117, 0};\n"
    ".global .align 1 .b8 name[] = {107, 0};\n"
    ".entry k(.param .u64 at) {\n.reg .b32 %r<2>; .reg .b64 %rd<5>; .reg .pred %p;\n"
    "mov.u32 %r0, %tid.x; setp.ne.u32 %p, %r0, 3; @%p ret;\n"
    "mov.b64 %rd0, said; cvta.global.u64 %rd0, %rd0; mov.b64 %rd1, file; cvta.global.u64 %rd1, %rd1;\n"
    "mov.b64 %rd2, name; cvta.global.u64 %rd2, %rd2;\n"
    "ld.param.u64 %rd3, [at]; setp.ne.u64 %p, %rd3, 0; @%p mov.b64 %rd0, %rd3;\n"
    "{ .param .b64 p0; .param .b64 p1; .param .b32 p2; .param .b64 p3; .param .b64 p4; st.param.b64 [p0], "
    "%rd0;\n"
    "st.param.b64 [p1], %rd1; st.param.b32 [p2], 7; st.param.b64 [p3], %rd2; st.param.b64 [p4], 1;\n"
    "call.uni __assertfail, (p0, p1, p2, p3, p4); }\nret; }\n";

START_TEST(assertions)
{
    static const char *const wanted[] = { "lane 3, ", "assertion failed: x<3, in k (k.cu:7)" };
    lw_error error = { "" };
    lw_program *program;
    lw_memory *memory;
    ck_assert_msg(lw_program_load(asserting, strlen(asserting), NULL, &program, &error) == LW_OK, "%s",
                  error.text);
    ck_assert_int_eq(lw_memory_create(&memory), LW_OK);
    const uint64_t at = _i ? UINT64_C(0x123456789000) : 0;
    const lw_arg args[] = { { .name = "at", .bytes = &at, .size = 8 } };
    lw_launch_options o = lw_launch_options_default();
    o.program = program;
    o.memory = memory;
    o.grid[0] = 1;
    o.block[0] = 8;
    o.args = args;
    o.arg_count = 1;
    ck_assert_int_eq(lw_launch(&o, NULL, &error), LW_E_FAULT);
    ck_assert_msg(strstr(error.text, wanted[0]) != NULL, "%s", error.text);
    ck_assert_msg((strstr(error.text, wanted[1]) != NULL) == !_i, "%s", error.text);
    lw_memory_free(memory);
    lw_program_free(program);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ptx_printing");
    TCase *tc = tcase_create("vprintf");
    tcase_add_loop_test(tc, conversions, 0, CASES);
    suite_add_tcase(suite, tc);
    TCase *failing = tcase_create("assert");
    tcase_add_loop_test(failing, assertions, 0, 2);
    suite_add_tcase(suite, failing);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}

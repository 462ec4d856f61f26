/* SPDX-License-Identifier: MIT */
#include "tests/ptx/values_kit.h"

#include <fenv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/lanewise.h>

enum { THREADS = 1024 };

float f32(uint64_t a)
{
    const uint32_t low = (uint32_t)a;
    float f;
    memcpy(&f, &low, sizeof(f));
    return f;
}

double f64(uint64_t a)
{
    double d;
    memcpy(&d, &a, sizeof(d));
    return d;
}

uint64_t bits32(float f)
{
    uint32_t a;
    memcpy(&a, &f, sizeof(a));
    return f != f ? 0x7fffffff : a;
}

uint64_t bits64(double d)
{
    uint64_t a;
    memcpy(&a, &d, sizeof(a));
    return d != d ? UINT64_C(0x7ff8000000000000) : a;
}

uint64_t flush(uint64_t a)
{
    return a & 0x7f800000 ? (uint32_t)a : a & 0x80000000;
}

static const uint64_t awkward[] = {
    0,
    1,
    2,
    7,
    31,
    32,
    33,
    63,
    64,
    0x7fffffff,
    0x80000000,
    0xffffffff,
    0xfffffffe,
    0x3f800000,
    0xbf800000,
    0x00800000,
    0x007fffff,
    0x80000001,
    0x7f7fffff,
    0x7f800000,
    0xff800000,
    0x7fc00001,
    0x4b800001,
    0x3f7fffff,
    0x12345678,
    0x00003c00,
    0x00007bff,
    0x00008400,
    0x00000001,
    0x0000fc00,
    0x477fe000,
    0x477ff000,
    0x33000000,
    UINT64_MAX,
    UINT64_C(1) << 63,
    UINT64_C(0x7fffffffffffffff),
    UINT64_C(0x3ff0000000000000),
    UINT64_C(0xbff8000000000000),
    UINT64_C(0x0010000000000000),
    UINT64_C(0x000fffffffffffff),
    UINT64_C(0x7ff0000000000000),
    UINT64_C(0x7ff8000000000001),
    UINT64_C(0x7fefffffffffffff),
    UINT64_C(0x41dfffffffe00000),
    UINT64_C(0x43f0000000000000),
    UINT64_C(0x3e70000000000001),
};

enum { AWKWARD = sizeof(awkward) / sizeof(awkward[0]) };

static uint64_t random_bits(void)
{
    static uint64_t x = 88172645463325252u;
    x ^= x << 13;
    x ^= x >> 7;
    return x ^= x << 17;
}

/* All pairs of difficult values occur in some thread; the rest are random, some of them close in size. */
static uint64_t operand(unsigned thread, unsigned which)
{
    if (thread < 768)
        return awkward[(which == 0   ? thread
                        : which == 1 ? thread / AWKWARD + thread * 5
                                     : thread * 11 + 3) %
                       AWKWARD];
    const uint64_t r = random_bits();
    return thread % 2 ? r
                      : (r & UINT64_C(0x800fffff807fffff)) | UINT64_C(0x3fe000003f000000) |
                            (r >> 7 & UINT64_C(0x0010000001800000));
}

static void write_kernel(char *text, size_t size, const char *body)
{
    snprintf(
        text, size,
        ".version 8.6\n.target sm_100a\n.address_size 64\n"
        ".entry k(.param .u64 in, .param .u64 out) {\n"
        ".reg .pred %%p<4>; .reg .b8 %%c<4>; .reg .b16 %%h<12>; .reg .b32 %%r<12>; .reg .b64 %%rd<14>;\n"
        "ld.param.u64 %%rd10, [in]; ld.param.u64 %%rd11, [out]; mov.u32 %%r10, %%tid.x;\n"
        "mad.wide.u32 %%rd10, %%r10, 24, %%rd10; mad.wide.u32 %%rd11, %%r10, 8, %%rd11;\n"
        "ld.global.b64 %%rd0, [%%rd10]; ld.global.b64 %%rd1, [%%rd10+8]; ld.global.b64 %%rd2, [%%rd10+16];\n"
        "cvt.u32.u64 %%r0, %%rd0; cvt.u32.u64 %%r1, %%rd1; cvt.u32.u64 %%r2, %%rd2;\n"
        "cvt.u16.u64 %%h0, %%rd0; cvt.u16.u64 %%h1, %%rd1; cvt.u16.u64 %%h2, %%rd2;\n"
        "%s\n%s st.global.b64 [%%rd11], %%rd9;\n}\n",
        body, strstr(body, "%rd9") ? "" : "cvt.u64.u32 %rd9, %r9;");
}

static uint64_t in[THREADS][3], out[THREADS];

static void run(const char *text)
{
    lw_program *program;
    lw_memory *memory;
    lw_error error = { "" };
    uint64_t at[2];
    ck_assert_msg(lw_program_load(text, strlen(text), NULL, &program, &error) == LW_OK, "%s\n%s", error.text,
                  text);
    ck_assert_int_eq(lw_memory_create(&memory), LW_OK);
    ck_assert_int_eq(lw_memory_allocate(memory, "in", THREADS * 24, LW_ACCESS_READ_WRITE, &at[0], NULL),
                     LW_OK);
    ck_assert_int_eq(lw_memory_allocate(memory, "out", THREADS * 8, LW_ACCESS_READ_WRITE, &at[1], NULL),
                     LW_OK);
    lw_memory_write(memory, at[0], in, THREADS * 24);
    const lw_arg args[] = { { NULL, &at[0], 8, true }, { NULL, &at[1], 8, true } };
    lw_launch_options o = lw_launch_options_default();
    o.program = program;
    o.memory = memory;
    o.grid[0] = 1;
    o.block[0] = THREADS;
    o.args = args;
    o.arg_count = 2;
    ck_assert_msg(lw_launch(&o, NULL, &error) == LW_OK, "%s\n%s", error.text, text);
    lw_memory_read(memory, at[1], out, THREADS * 8);
    lw_memory_free(memory);
    lw_program_free(program);
}

void values_check(const values_case *test)
{
    char text[4096];
    const bool wide = strstr(test->body, "%rd9") != NULL;
    for (unsigned i = 0; i < THREADS; i++)
        for (unsigned k = 0; k < 3; k++)
            in[i][k] = operand(i, k);
    write_kernel(text, sizeof(text), test->body);
    run(text);
    for (unsigned i = 0; i < THREADS; i++) {
        uint64_t want = test->wanted(in[i][0], in[i][1], in[i][2]);
        fesetround(FE_TONEAREST);
        const uint64_t got = test->real64 ? bits64(f64(out[i])) : out[i];
        want = wide ? want : (uint32_t)want;
        ck_assert_msg(got == want, "%s of %016llx, %016llx, %016llx: %016llx, not %016llx", test->body,
                      (unsigned long long)in[i][0], (unsigned long long)in[i][1],
                      (unsigned long long)in[i][2], (unsigned long long)got, (unsigned long long)want);
    }
}

int values_run(const char *name, TCase *cases)
{
    Suite *suite = suite_create(name);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

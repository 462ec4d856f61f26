/* SPDX-License-Identifier: MIT */
/*
 * Functions of f32 in kernels, compared with the host's long double functions rounded once: sources of every
 * sign and exponent, a stride over all of them, a finer one with LW_FULL=1. What rounds otherwise than to
 * nearest is judged by the order of numbers.
 */
#include <check.h>
#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/launch.h>

static long double inverse(long double x)
{
    return 1 / x;
}

static long double inverse_root(long double x)
{
    return 1 / sqrtl(x);
}

static const struct function_row {
    const char *spelling;
    long double (*host)(long double);
    int round; /* of fenv.h */
    bool flushes;
} functions[] = {
    { "ex2.approx.f32", exp2l, FE_TONEAREST, false },
    { "ex2.approx.ftz.f32", exp2l, FE_TONEAREST, true },
    { "lg2.approx.f32", log2l, FE_TONEAREST, false },
    { "sin.approx.f32", sinl, FE_TONEAREST, false },
    { "cos.approx.f32", cosl, FE_TONEAREST, false },
    { "tanh.approx.f32", tanhl, FE_TONEAREST, false },
    { "rsqrt.approx.f32", inverse_root, FE_TONEAREST, false },
    { "rcp.rn.f32", inverse, FE_TONEAREST, false },
    { "rcp.rz.f32", inverse, FE_TOWARDZERO, false },
    { "rcp.rm.f32", inverse, FE_DOWNWARD, false },
    { "rcp.rp.ftz.f32", inverse, FE_UPWARD, true },
    { "sqrt.rn.f32", sqrtl, FE_TONEAREST, false },
    { "sqrt.rz.f32", sqrtl, FE_TOWARDZERO, false },
    { "sqrt.rm.ftz.f32", sqrtl, FE_DOWNWARD, true },
    { "sqrt.rp.f32", sqrtl, FE_UPWARD, false },
};
enum {
    FUNCTIONS = sizeof(functions) / sizeof(functions[0]),
    LANES = 32,
    GROUPS = 2048,
    BATCH = LANES * GROUPS
};

static float float_of(uint32_t code)
{
    float v;
    memcpy(&v, &code, sizeof(v));
    return v;
}

static uint32_t code_of(float v)
{
    uint32_t code;
    memcpy(&code, &v, sizeof(code));
    return v != v ? 0x7fffffff : code;
}

static bool is_subnormal(float v)
{
    return fpclassify(v) == FP_SUBNORMAL;
}

static uint32_t wanted(const struct function_row *f, uint32_t x)
{
    float from = float_of(x);
    if (f->flushes && is_subnormal(from))
        from = copysignf(0, from);
    volatile long double exact = f->host((long double)from);
    fesetround(f->round);
    volatile float to = (float)exact;
    fesetround(FE_TONEAREST);
    return code_of(f->flushes && is_subnormal(to) ? copysignf(0, to) : to);
}

typedef struct kernel {
    lw_memory *memory;
    lw_program *program;
    uint64_t address[2];
    uint32_t in[BATCH], out[BATCH];
} kernel;

static void open_kernel(kernel *k, const char *spelling)
{
    char text[1024];
    lw_error error = { "" };
    snprintf(text, sizeof(text),
             ".version 8.0\n.target sm_90\n.address_size 64\n"
             ".visible .entry k(.param .u64 from, .param .u64 to)\n{\n"
             ".reg .b32 %%r<4>; .reg .b64 %%w<3>;\n"
             "ld.param.u64 %%w0, [from]; ld.param.u64 %%w1, [to];\n"
             "mov.u32 %%r0, %%tid.x; mov.u32 %%r1, %%ctaid.x; mad.lo.u32 %%r0, %%r1, %d, %%r0;\n"
             "mad.wide.u32 %%w0, %%r0, 4, %%w0; mad.wide.u32 %%w1, %%r0, 4, %%w1;\n"
             "ld.global.f32 %%r2, [%%w0]; %s %%r3, %%r2; st.global.f32 [%%w1], %%r3; ret;\n}\n",
             LANES, spelling);
    ck_assert_msg(lw_program_load(text, strlen(text), NULL, &k->program, &error) == LW_OK, "%s", error.text);
    ck_assert_int_eq(lw_memory_create(&k->memory), LW_OK);
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(
            lw_memory_allocate(k->memory, "x", sizeof(k->in), LW_ACCESS_READ_WRITE, &k->address[i], &error),
            LW_OK);
}

static void run(kernel *k)
{
    const lw_arg args[2] = { { NULL, &k->address[0], 8, true }, { NULL, &k->address[1], 8, true } };
    lw_launch_options options = lw_launch_options_default();
    lw_error error = { "" };
    options.program = k->program;
    options.memory = k->memory;
    options.grid[0] = GROUPS;
    options.block[0] = LANES;
    options.args = args;
    options.arg_count = 2;
    ck_assert_int_eq(lw_memory_write(k->memory, k->address[0], k->in, sizeof(k->in)), LW_OK);
    ck_assert_msg(lw_launch(&options, NULL, &error) == LW_OK, "%s", error.text);
    ck_assert_int_eq(lw_memory_read(k->memory, k->address[1], k->out, sizeof(k->out)), LW_OK);
}

START_TEST(as_the_host)
{
    const struct function_row *f = &functions[_i];
    const uint64_t stride = getenv("LW_FULL") ? 251 : 40961;
    kernel *k = calloc(1, sizeof(*k));
    ck_assert_ptr_nonnull(k);
    open_kernel(k, f->spelling);
    for (uint64_t x = 0; x <= UINT32_MAX;) {
        for (size_t i = 0; i < BATCH; i++, x += stride)
            k->in[i] = (uint32_t)x;
        run(k);
        for (size_t i = 0; i < BATCH; i++)
            if (k->out[i] != wanted(f, k->in[i]))
                ck_abort_msg("%s of %08x: %08x, not %08x", f->spelling, (unsigned)k->in[i],
                             (unsigned)k->out[i], (unsigned)wanted(f, k->in[i]));
    }
    lw_program_free(k->program);
    lw_memory_free(k->memory);
    free(k);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("functions");
    TCase *tc = tcase_create("functions");
    tcase_set_timeout(tc, 600);
    tcase_add_loop_test(tc, as_the_host, 0, FUNCTIONS);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

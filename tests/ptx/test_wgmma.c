/* SPDX-License-Identifier: MIT */
/*
 * wgmma: every type, A in registers and in shared memory, every swizzle, both majors, negated factors, sparse
 * A; on small integers, whose products and sums are exact in every format. Places in shared memory are first
 * compared with addresses from CUTLASS's layouts, then used to lay out the factors; fragments are written a
 * second time, from an element to its place. Sums that are not exact: a few known ones.
 */
#include "tests/ptx/wgmma_kit.h"

enum { BETWEEN = 11 };

START_TEST(places_are_those_of_cutlass)
{
    static const struct {
        major m;
        unsigned start, bits, mn, k, at;
    } cases[] = {
        { { 128, false, 16, 1024 }, 0x400, 16, 1, 0, 0x490 },
        { { 128, false, 16, 1024 }, 0x400, 16, 7, 15, 0x7ee },
        { { 128, false, 16, 1024 }, 0x400, 16, 63, 15, 0x23ee },
        { { 128, false, 16, 1024 }, 0x420, 16, 5, 9, 0x6e2 },
        { { 128, false, 16, 1024 }, 0x2000, 8, 3, 17, 0x21a1 },
        { { 128, false, 16, 1024 }, 0x2000, 8, 9, 31, 0x248f },
        { { 128, false, 16, 1024 }, 0x2000, 32, 15, 7, 0x27ec },
        { { 64, false, 16, 512 }, 0x1000, 16, 3, 9, 0x10c2 },
        { { 64, false, 16, 512 }, 0x1000, 16, 6, 0, 0x11b0 },
        { { 32, false, 16, 256 }, 0x1000, 16, 15, 15, 0x11ee },
        { { 32, false, 16, 256 }, 0x1000, 16, 4, 8, 0x1080 },
        { { 16, false, 128, 256 }, 0x1000, 16, 9, 9, 0x1192 },
        { { 128, true, 8192, 1024 }, 0x4000, 16, 200, 15, 0xa7e0 },
        { { 128, true, 8192, 1024 }, 0x4000, 16, 9, 3, 0x41a2 },
        { { 128, true, 1024, 4096 }, 0x4000, 16, 70, 9, 0x549c },
        { { 64, true, 2048, 512 }, 0x4000, 16, 40, 11, 0x4ac0 },
        { { 16, true, 128, 512 }, 0x4000, 16, 13, 10, 0x42aa },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        ck_assert_msg(place(&cases[i].m, cases[i].start, cases[i].mn, cases[i].k, cases[i].bits) ==
                          cases[i].at,
                      "case %zu", i);
}
END_TEST

/* D against the sums of integers. */
static void compare(const product *p)
{
    for (unsigned i = 0; i < ROWS; i++)
        for (unsigned n = 0; n < p->n; n++) {
            unsigned thread, shift;
            int sum = 0;
            for (unsigned k = 0; k < dense_k(p); k++)
                sum += am[i][k] * bm[n][k];
            sum = sum * p->sign_a * p->sign_b + (p->adds ? cm[i][n] : 0);
            const unsigned r = find_d(p, i, n, &thread, &shift);
            const uint32_t got = p->s->d_bits == 16 ? d_regs[r][thread] >> shift & 0xffff : d_regs[r][thread];
            ck_assert_msg(got == result_of(p, sum), "%s.%s n %u, row %u, column %u: %08x, not %08x (%d)",
                          p->s->d, p->s->a, p->n, i, n, got, result_of(p, sum), sum);
        }
}

static void check(const product *p)
{
    lw_error error = { "" };
    fill(p);
    write_kernel(p);
    ck_assert_msg(run(p, THREADS, &error) == LW_OK, "%s", error.text);
    compare(p);
}

/* ---- Choice of instructions ---- */

static major lying(unsigned width, unsigned bits, unsigned rows, unsigned k, bool turned)
{
    const unsigned bytes = k * bits / 8, across = rows * bits / 8;
    if (!turned)
        return width > 16 ? (major){ width, false, 16, 8 * width }
                          : (major){ 16, false, (rows + 7) / 8 * 128, 128 + 0 * bytes };
    if (width > 16)
        return (major){ width, true, 8 * width * (k / 8), 8 * width };
    return (major){ 16, true, across / 16 * 128, 128 };
}

static product basic(int shape_number, unsigned n)
{
    const shape *s = &shapes[shape_number];
    return (product){ .s = s,
                      .n = n,
                      .adds = true,
                      .sign_a = 1,
                      .sign_b = 1,
                      .a = lying(128, s->bits, ROWS, s->k, false),
                      .b = lying(128, s->bits, n, s->k, false) };
}

START_TEST(every_type_and_width)
{
    static const unsigned widths[] = { 8, 24, 64, 128, 256 };
    const int number = _i % SHAPES;
    unsigned n = widths[_i / SHAPES];
    product p = basic(number, n);
    p.registers = _i & 1;
    p.async = _i % 3 == 0 ? LW_ASYNC_EARLY : LW_ASYNC_LATE;
    check(&p);
}
END_TEST

START_TEST(every_swizzle)
{
    static const unsigned patterns[] = { 16, 32, 64, 128 };
    const int number = _i / 4;
    product p = basic(number, 40);
    if (shapes[number].d[0] == 's')
        p.n = 48;
    p.a = lying(patterns[_i % 4], p.s->bits, ROWS, p.s->k, false);
    p.b = lying(patterns[(_i + 1) % 4], p.s->bits, p.n, p.s->k, false);
    p.adds = _i & 1;
    check(&p);
}
END_TEST

/* M-major A and N-major B of 16-bit types. */
START_TEST(turned_matrices)
{
    static const unsigned patterns[] = { 16, 32, 64, 128 };
    product p = basic(_i / 16, 64);
    p.a = lying(patterns[_i % 4], 16, ROWS, 16, _i & 4);
    p.b = lying(patterns[(_i + 1) % 4], 16, p.n, 16, true);
    p.registers = _i & 8;
    check(&p);
}
END_TEST

START_TEST(factors_are_negated)
{
    product p = basic(_i % 6, 16);
    p.sign_a = _i / 6 % 2 ? -1 : 1;
    p.sign_b = _i / 12 ? -1 : 1;
    p.registers = _i & 1;
    check(&p);
}
END_TEST

START_TEST(sparse_products)
{
    static const unsigned patterns[] = { 16, 64, 128 };
    product p = basic(_i % 8, 32);
    p.sparse = true;
    p.selector = p.s->bits == 8 ? 0 : (unsigned)_i / 8 % 2;
    p.registers = _i & 1;
    p.b = lying(patterns[_i / 8], p.s->bits, p.n, 2 * p.s->k, false);
    check(&p);
}
END_TEST

/* The largest integers wrap, or are clamped with .satfinite. */
START_TEST(integers_wrap_or_clamp)
{
    product p = basic(6, 8);
    lw_error error = { "" };
    p.options = _i ? ".satfinite" : NULL;
    for (unsigned i = 0; i < 128; i++)
        for (unsigned t = 0; t < THREADS; t++)
            d_regs[i][t] = 0x7fffffff;
    for (unsigned i = 0; i < 4; i++)
        for (unsigned t = 0; t < THREADS; t++)
            a_regs[i][t] = 0x01010101;
    memset(image, 1, sizeof(image));
    p.registers = true;
    write_kernel(&p);
    ck_assert_msg(run(&p, THREADS, &error) == LW_OK, "%s", error.text);
    ck_assert_uint_eq(d_regs[0][0], _i ? 0x7fffffff : 0x8000001f);
}
END_TEST

/* Sums that are not exact: k and codes of a and b (the rest is zero), C, D. arXiv 2511.10909's model of an
 * H100. */
START_TEST(known_sums)
{
    static const struct {
        int shape;
        uint32_t a[32], b[32], c, d;
    } cases[] = {
        { 0, { 0x0c00, 0x0c00, 0x0c00, 0x0c00 }, { 0x0800, 0x0800, 0x0800, 0x0800 }, 0x3f800000, 0x3f800001 },
        { 0, { 0x5c00, 0xdc00, 0x1400, 0x1400, 0x1400 }, { 0x5c00, 0x5c00, 0x1400, 0x1400, 0x1400 }, 0, 0 },
        { 3,
          { 0x4d000000, 0xcd000000, 0, 0, 0x3f800000 },
          { 0x3f800000, 0x3f800000, 0, 0, 0x3f800000 },
          0,
          0 },
        { 4, { 0 }, { 0 }, 0x3f8003ff, 0x3f800000 },
        { 4, { 0x38 }, { 0x3c }, 0x4b800001, 0x4b800000 },
        { 1, { 0x3800, 0x0c00 }, { 0x3c00, 0x3c00 }, 0x6400, 0x6401 },
    };
    product p = basic(cases[_i].shape, 8);
    lw_error error = { "" };
    memset(image, 0, sizeof(image));
    memset(a_regs, 0, sizeof(a_regs));
    memset(d_regs, 0, sizeof(d_regs));
    for (unsigned k = 0; k < p.s->k; k++) {
        store_bits(&image[place(&p.a, 0, 0, k, p.s->bits)], k, p.s->bits, cases[_i].a[k]);
        store_bits(&image[place(&p.b, B_AT, 0, k, p.s->bits)], k, p.s->bits, cases[_i].b[k]);
    }
    d_regs[0][0] = cases[_i].c;
    write_kernel(&p);
    ck_assert_msg(run(&p, THREADS, &error) == LW_OK, "%s", error.text);
    ck_assert_uint_eq(d_regs[0][0], cases[_i].d);
}
END_TEST

/* What may and what may not be executed between a wgmma, whose commit ends `before`, and its wait. With early
 * copies everything may. */
START_TEST(registers_belong_to_a_wgmma_until_the_wait)
{
    static const char commit[] = "wgmma.commit_group.sync.aligned;\n";
    static const struct {
        const char *between, *says;
    } cases[] = {
        { "mov.b32 %r3, %d1;", "accesses %d1, which belongs to the wgmma of line" },
        { "mov.b32 %d2, 0;", "accesses %d2, which" },
        { "mov.b32 %a1, 0;", "accesses %a1, which" },
        { "add.u32 %r3, %r1, %a3;", "accesses %a3, which" },
        { "mov.b64 {%r3, %d3}, %rd3;", "accesses %d3, which" },
        { "ld.shared.b32 %r3, [%d0];", "accesses %d0, which" },
        { "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%r3, %r5, %r6, %r7}, {%r3, %r5, %r6, %r7}, "
          "{%r3, %d1}, {%r3, %r5, %r6, %r7};",
          "accesses %d1, which" },
        { "wgmma.wait_group.sync.aligned 1; mov.b32 %r3, %d1;", "accesses %d1, which" },
        { "@%p1 mov.b32 %d2, 0; mov.b32 %r3, %r4; mov.b32 %m0, 0; setp.eq.u32 %p2, 0, 0;", NULL },
        { "mov.b64 %rd5, 0; mov.b64 %rd6, 0; setp.ne.u32 %p2, 0, 0;", NULL },
        { "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 1; mov.b32 %r3, %d1;", NULL },
    };
    static char after[4096];
    lw_error error = { "" };
    product p = basic(0, 8);
    ck_assert_uint_eq(sizeof(cases) / sizeof(cases[0]), BETWEEN);
    p.registers = true;
    p.sparse = cases[_i / 3].between[0] == '@';
    p.b = lying(128, p.s->bits, p.n, p.sparse ? 2 * p.s->k : p.s->k, false);
    p.async = _i % 3 == 0 ? LW_ASYNC_LATE : _i % 3 == 1 ? LW_ASYNC_EARLY : LW_ASYNC_RANDOM;
    fill(&p);
    write_kernel(&p);
    char *at = strstr(text, commit) + strlen(commit);
    snprintf(after, sizeof(after), "%s", at);
    put_text((size_t)(at - text), cases[_i / 3].between, after);
    const lw_status status = run(&p, THREADS, &error);
    if (!cases[_i / 3].says || (p.async == LW_ASYNC_EARLY && !strstr(cases[_i / 3].between, "[%d0]"))) {
        ck_assert_msg(status == LW_OK, "%s", error.text);
        if (!cases[_i / 3].says)
            compare(&p);
    } else if (p.async != LW_ASYNC_EARLY)
        ck_assert_msg(status == LW_E_FAULT && strstr(error.text, cases[_i / 3].says), "%s", error.text);
}
END_TEST

/* Forms that cannot run are reported; ptxas 13.0 refuses the first ones, too. */
START_TEST(misuse_is_said)
{
    static const struct {
        const char *from, *to, *says;
        unsigned threads;
    } cases[] = {
        { "sm_90a", "sm_90 ", "wgmma is an instruction of sm_90a only", THREADS },
        { "m64n8k16", "m64n9k16", "the shape is wrong; with the rest as it is, legal is: m64nNk16", THREADS },
        { "m64n8k16", "m64n8k32", "the nearest of sm_90 is wgmma.mma_async.sync.aligned.m64n8k16", THREADS },
        { "f32.f16.f16", "f32.f16.s16", "no matrix instruction of PTX has a part \".s16\"", THREADS },
        { ", 1, 1, 0", ", 0, 1, 0", "column 1: operand 5 of wgmma must be 1 or -1", THREADS },
        { ", 1, 1, 0", ", 1, 1, 2", "of wgmma must be a constant from 0 to 1", THREADS },
        { "%d3}", "%r0}", "", THREADS },
        { "{%d0, ", "{     ", "operand 1 of wgmma must be 4 registers in braces", THREADS },
        { "add.u64 %rd6,", "xor.b64 %rd6,", "", THREADS },
        { "wait_group.sync.aligned 0", "wait_group.sync.aligned 9",
          "accesses %d0, which belongs to the wgmma of line 25 until a wgmma.wait_group covers that",
          THREADS },
        { "cvt.u64.u32 %rd4, %r4;", "cvt.u64.u32 %rd4, %r1;", "has another descriptor of A than lane 0 has",
          THREADS },
        { "0x4000004000010000", "0x4002004000010000", "base offset 1: nothing is known of others than 0",
          THREADS },
        { "0x4000004000010000", "0x40003fff00010000", "which has 65536", THREADS },
        { "", "", "warp 0 belongs to no warpgroup", 96 },
    };
    product p = basic(0, 8);
    lw_error error = { "" };
    fill(&p);
    write_kernel(&p);
    char *at = strstr(text, cases[_i].from);
    ck_assert_msg(at != NULL, "%s", text);
    memcpy(at, cases[_i].to, strlen(cases[_i].to));
    const lw_status status = run(&p, cases[_i].threads, &error);
    ck_assert_msg(cases[_i].says[0] ? status != LW_OK && strstr(error.text, cases[_i].says) : status == LW_OK,
                  "%s", error.text);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ptx_wgmma");
    TCase *tc = tcase_create("wgmma");
    tcase_set_timeout(tc, 30);
    tcase_add_test(tc, places_are_those_of_cutlass);
    tcase_add_loop_test(tc, every_type_and_width, 0, 5 * SHAPES);
    tcase_add_loop_test(tc, every_swizzle, 0, 4 * SHAPES);
    tcase_add_loop_test(tc, turned_matrices, 0, 48);
    tcase_add_loop_test(tc, factors_are_negated, 0, 24);
    tcase_add_loop_test(tc, sparse_products, 0, 24);
    tcase_add_loop_test(tc, integers_wrap_or_clamp, 0, 2);
    tcase_add_loop_test(tc, known_sums, 0, 6);
    tcase_add_loop_test(tc, registers_belong_to_a_wgmma_until_the_wait, 0, 3 * BETWEEN);
    tcase_add_loop_test(tc, misuse_is_said, 0, 14);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

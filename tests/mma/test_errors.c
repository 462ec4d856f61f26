/* SPDX-License-Identifier: MIT */
/*
 * Calls that must fail: wrong arguments, waves that contradict each other, and every allocation failing in
 * turn (the linker redirects malloc and calloc, -Wl,--wrap). Nothing is written then; leaks show under ASan.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/lanewise.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);

/* Counts down to the allocation that fails; 0: none. Check allocates too, so this is set only around the
 * tested call. */
static int fail_in;

static bool fails(void)
{
    return fail_in > 0 && --fail_in == 0;
}

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails() ? NULL : __real_calloc(count, size);
}

/* Instructions that need memory for different things: panels, copies, an index, scales, signs, moved lanes.
 */
static const struct subject {
    lw_arch arch;
    const char *text;
} subjects[] = {
    { LW_ARCH_GFX908, "v_mfma_f32_4x4x4f16 cbsz:2 abid:1 blgp:1" },
    { LW_ARCH_GFX942, "v_mfma_f32_32x32x8_f16" },
    { LW_ARCH_GFX942, "v_mfma_f64_16x16x4_f64 neg:[1,0,1]" },
    { LW_ARCH_GFX942, "v_smfmac_f32_16x16x32_f16 abid:1" },
    { LW_ARCH_GFX950, "v_mfma_scale_f32_16x16x128_f8f6f4 cbsz:4 blgp:2" },
    { LW_ARCH_GFX1100, "v_wmma_f16_16x16x16_f16 neg_lo:[1,0,0] neg_hi:[0,1,1]" },
    { LW_ARCH_GFX1201, "v_swmmac_f32_16x16x32_f16 index_key:1" },
    { LW_ARCH_GFX1250, "v_wmma_scale16_f32_16x16x128_f8f6f4 matrix_a_fmt:fp4" },
    { LW_ARCH_SM_80, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32" },
    { LW_ARCH_SM_80, "mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 selector:1" },
    { LW_ARCH_SM_120A, "mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue8m0" },
    { LW_ARCH_SM_70, "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32" },
};
enum { SUBJECTS = sizeof(subjects) / sizeof(subjects[0]), MOST_ALLOCATIONS = 64 };

static const lw_insn *parse(const struct subject *s, lw_mods *mods)
{
    const lw_insn *insn = NULL;
    lw_error error = { "" };
    ck_assert_msg(lw_insn_parse(s->arch, s->text, &insn, mods, &error) == LW_OK, "%s: %s", s->text,
                  error.text);
    return insn;
}

START_TEST(creating_without_memory)
{
    lw_mods mods;
    const lw_insn *insn = parse(&subjects[_i], &mods);
    const lw_mma_options options = { .struct_size = sizeof(lw_mma_options), .mods = &mods };
    int nth = 0;
    for (lw_status st = LW_E_NO_MEMORY; st != LW_OK;) {
        lw_mma *mma = NULL;
        lw_error error = { "" };
        fail_in = ++nth;
        st = lw_mma_create(subjects[_i].arch, insn, &options, &mma, &error);
        fail_in = 0;
        ck_assert_msg(st == LW_OK || st == LW_E_NO_MEMORY, "allocation %d: %s", nth, error.text);
        ck_assert((st == LW_OK) == (mma != NULL));
        ck_assert((st == LW_OK) == (error.text[0] == '\0'));
        ck_assert_int_lt(nth, MOST_ALLOCATIONS);
        lw_mma_free(mma);
    }
    ck_assert_int_gt(nth, 3);
}
END_TEST

static lw_status swallow(void *context, const char *text, size_t size)
{
    (void)context;
    (void)text;
    (void)size;
    return LW_OK;
}

START_TEST(probe_programs_without_memory)
{
    lw_mods mods;
    const lw_insn *insn = parse(&subjects[_i], &mods);
    lw_status st = LW_E_NO_MEMORY;
    for (int nth = 1; st != LW_OK; nth++) {
        lw_error error = { "" };
        fail_in = nth;
        st = lw_layout_probe(subjects[_i].arch, insn, 0, &mods, swallow, NULL, &error);
        fail_in = 0;
        ck_assert_msg(st == LW_OK || st == LW_E_NO_MEMORY, "allocation %d: %s", nth, error.text);
        ck_assert((st == LW_OK) == (error.text[0] == '\0'));
        ck_assert_int_lt(nth, MOST_ALLOCATIONS);
    }
}
END_TEST

START_TEST(moves_without_memory)
{
    static const char *const texts[] = { "ldmatrix.sync.aligned.m8n8.x2.shared.b16",
                                         "movmatrix.sync.aligned.m8n8.trans.b16",
                                         "wmma.load.a.sync.aligned.row.m16n16k16.f16" };
    const struct subject s = { LW_ARCH_SM_80, texts[_i] };
    uint32_t source[8 * 32] = { 0 }, result[8 * 32];
    unsigned char bytes[512] = { 0 };
    lw_mods mods;
    const lw_insn *insn = parse(&s, &mods);
    const lw_move_args args = { .memory = { bytes, 0, sizeof(bytes) }, .source = source, .result = result };
    lw_status st = LW_E_NO_MEMORY;
    int nth = 0;
    while (st != LW_OK) {
        lw_error error = { "" };
        memset(result, 0x5a, sizeof(result));
        fail_in = ++nth;
        st = lw_move_execute(s.arch, insn, &mods, &args, &error);
        fail_in = 0;
        ck_assert_msg(st == LW_OK || st == LW_E_NO_MEMORY, "allocation %d: %s", nth, error.text);
        ck_assert(st == LW_OK || (error.text[0] && result[0] == 0x5a5a5a5a));
        ck_assert_int_lt(nth, MOST_ALLOCATIONS);
    }
    ck_assert_int_gt(nth, 2);
}
END_TEST

/* The options and the modifiers must name the same wave; fields of modifiers are read for it. */
START_TEST(waves_must_agree)
{
    const struct subject s = { LW_ARCH_GFX1201, "v_swmmac_f32_16x16x32_f16" };
    lw_mods mods;
    lw_mma *mma = NULL;
    lw_mma_shape shape;
    lw_error error = { "" };
    const lw_insn *insn = parse(&s, &mods);
    mods.wave = 64;
    lw_mma_options options = { .struct_size = sizeof(lw_mma_options), .mods = &mods, .wave = 32 };
    ck_assert_int_eq(lw_mma_create(s.arch, insn, &options, &mma, &error), LW_E_ARGUMENT);
    ck_assert_str_eq(error.text,
                     "v_swmmac_f32_16x16x32_f16: the modifiers are for waves of 64 lanes, not 32");
    options.wave = 48;
    mods.wave = 0;
    ck_assert_int_eq(lw_mma_create(s.arch, insn, &options, &mma, &error), LW_E_ARGUMENT);
    mods.wave = 48;
    options.wave = 0;
    ck_assert_int_eq(lw_mma_create(s.arch, insn, &options, &mma, &error), LW_E_ARGUMENT);

    /* Waves of 64 lanes hold four index sets in a register, those of 32 hold two. */
    mods = (lw_mods){ .index_key = 3 };
    ck_assert_int_eq(lw_mma_create(s.arch, insn, &options, &mma, &error), LW_E_UNSUPPORTED);
    ck_assert_ptr_null(mma);
    options.wave = 64;
    ck_assert_msg(lw_mma_create(s.arch, insn, &options, &mma, &error) == LW_OK, "%s", error.text);
    ck_assert_int_eq(lw_mma_get_shape(mma, &shape), LW_OK);
    ck_assert_uint_eq(shape.wave, 64);
    lw_mma_free(mma);
}
END_TEST

static lw_status stop_at_once(void *context, const lw_mma_explain_row *row)
{
    (void)context;
    (void)row;
    return LW_E_IO;
}

START_TEST(wrong_arguments)
{
    const struct subject s = { LW_ARCH_GFX942, "v_mfma_i32_16x16x32_i8" };
    static const uint32_t zero[4 * 64];
    lw_mods mods;
    lw_mma *mma = NULL;
    lw_error error = { "" };
    lw_mma_evidence evidence;
    const lw_insn *insn = parse(&s, &mods);
    const lw_mma_options none_named = { .struct_size = sizeof(lw_mma_options), .reading_count = 1 };
    ck_assert_int_eq(lw_mma_create(s.arch, insn, &none_named, &mma, &error), LW_E_ARGUMENT);
    ck_assert_str_eq(error.text, "reading 0 is NULL");
    ck_assert_int_eq(lw_mma_create(s.arch, insn, NULL, NULL, &error), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_mma_create(s.arch, insn, NULL, &mma, NULL), LW_OK);

    ck_assert_int_eq(lw_mma_get_shape(mma, NULL), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_mma_get_shape(NULL, NULL), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_mma_get_rule(NULL, NULL), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_mma_get_evidence(mma, LW_MMA_ASPECT_COUNT, &evidence), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_mma_get_evidence(mma, LW_MMA_FINITE, NULL), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_mma_weakest(NULL, 0), LW_LABEL_UNKNOWN);
    ck_assert_ptr_null(lw_mma_get_reading(mma, NULL));
    ck_assert_ptr_null(lw_mma_get_reading(NULL, "overflow"));
    ck_assert_ptr_null(lw_reading_at(SIZE_MAX));
    ck_assert(!lw_reading_concerns(s.arch, insn, NULL));
    const lw_reading *first = lw_reading_at(0), not_ours = *first;
    ck_assert(!lw_reading_concerns(s.arch, NULL, first) && !lw_reading_concerns(LW_ARCH_COUNT, insn, first));
    ck_assert(!lw_reading_concerns(s.arch, insn, &not_ours));
    ck_assert_ptr_null(lw_label_name((lw_label)99));
    ck_assert_ptr_null(lw_mma_aspect_name(LW_MMA_ASPECT_COUNT));

    uint32_t d[4 * 64];
    lw_mma_registers r = { .a = zero, .b = zero, .d = NULL };
    ck_assert_int_eq(lw_mma_execute_registers(mma, &r, NULL), LW_E_ARGUMENT);
    r = (lw_mma_registers){ .a = zero, .d = d };
    ck_assert_int_eq(lw_mma_check_registers(mma, &r, &error), LW_E_ARGUMENT);
    ck_assert_str_eq(error.text, "v_mfma_i32_16x16x32_i8 needs A, B");
    ck_assert_int_eq(lw_mma_execute_registers(mma, &r, NULL), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_mma_check_registers(NULL, &r, &error), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_mma_check_matrices(mma, NULL, &error), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_mma_execute_matrices(mma, NULL, NULL), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_mma_explain_registers(mma, NULL, 0, 0, 0, stop_at_once, NULL), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_mma_explain_matrices(mma, NULL, 0, 0, 0, stop_at_once, NULL), LW_E_ARGUMENT);
    r = (lw_mma_registers){ .a = zero, .b = zero };
    ck_assert_int_eq(lw_mma_explain_registers(mma, &r, 0, 0, 0, NULL, NULL), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_mma_explain_registers(mma, &r, 0, 16, 0, stop_at_once, NULL), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_mma_explain_registers(mma, &r, 0, 15, 15, stop_at_once, NULL), LW_E_IO);
    lw_mma_free(mma);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("mma_errors");
    TCase *tc = tcase_create("errors");
    tcase_add_loop_test(tc, creating_without_memory, 0, SUBJECTS);
    tcase_add_loop_test(tc, probe_programs_without_memory, 0, SUBJECTS);
    tcase_add_loop_test(tc, moves_without_memory, 0, 3);
    tcase_add_test(tc, waves_must_agree);
    tcase_add_test(tc, wrong_arguments);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

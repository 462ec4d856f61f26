/* SPDX-License-Identifier: MIT */
/*
 * The library has no hidden state: threads that use it on their own handles, and on one shared prepared
 * instruction and one shared program, get what one thread gets. Run under ThreadSanitizer too (preset tsan).
 */
#include <check.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/lanewise.h>

enum { THREADS = 4, ROUNDS = 4, COUNT = 1000 };

typedef struct shared {
    const lw_program *program;
    const lw_mma *mma;
} shared;

typedef struct job {
    const shared *with;
    float sum[COUNT];
    uint32_t d[16 * 16];
    size_t places;
    uint32_t digest; /* of the results of many instructions */
    int failed;
} job;

static const struct {
    lw_arch arch;
    const char *text;
} prepared[] = {
    { LW_ARCH_GFX950, "v_mfma_scale_f32_16x16x128_f8f6f4 cbsz:4 blgp:4" },
    { LW_ARCH_GFX1100, "v_wmma_f16_16x16x16_f16" },
    { LW_ARCH_GFX1201, "v_swmmac_f32_16x16x32_f16" },
    { LW_ARCH_GFX1250, "v_wmma_f32_16x16x4_f32" },
    { LW_ARCH_SM_80, "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32" },
    { LW_ARCH_SM_90, "mma.sync.aligned.m8n8k4.row.col.rz.f64.f64.f64.f64" },
    { LW_ARCH_SM_120A, "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.u8.s32" },
};

static lw_status add_text(void *context, const lw_mma_explain_row *row)
{
    uint32_t *digest = context;
    for (const char *c = row->text; *c; c++)
        *digest = *digest * 31 + (unsigned char)*c;
    return LW_OK;
}

static lw_status add_bytes(void *context, const char *text, size_t size)
{
    uint32_t *digest = context;
    for (size_t i = 0; i < size; i++)
        *digest = *digest * 31 + (unsigned char)text[i];
    return LW_OK;
}

/* Prepares, executes and explains instructions, and prints a layout: from text to freed handles. */
static int prepare(job *j)
{
    enum { MOST_WORDS = 32 * 64 };
    uint32_t a[MOST_WORDS], d[MOST_WORDS] = { 0 };
    uint32_t digest = 0;
    for (uint32_t i = 0; i < MOST_WORDS; i++)
        a[i] = UINT32_C(0x2c003c00) + i % 16 * UINT32_C(0x00110013);
    for (size_t n = 0; n < sizeof(prepared) / sizeof(prepared[0]); n++) {
        const lw_insn *insn;
        lw_mods mods;
        lw_mma *mma;
        lw_layout *layout;
        lw_error error;
        const lw_arch arch = prepared[n].arch;
        const lw_mma_registers r = {
            .a = a, .b = a + 64, .c = d, .d = d, .index = a, .scale_a_constant = 127, .scale_b_constant = 127
        };
        if (lw_insn_parse(arch, prepared[n].text, &insn, &mods, &error) != LW_OK)
            return 0;
        const lw_mma_options options = { .struct_size = sizeof(lw_mma_options), .mods = &mods };
        if (lw_mma_create(arch, insn, &options, &mma, &error) != LW_OK)
            return 0;
        int good = lw_mma_execute_registers(mma, &r, NULL) == LW_OK &&
                   lw_mma_explain_registers(mma, &r, 0, 0, 0, add_text, &digest) == LW_OK;
        lw_mma_free(mma);
        good = good && lw_layout_create(arch, insn, LW_OPERAND_B, 0, &mods, &layout, &error) == LW_OK;
        if (!good)
            return 0;
        good = lw_layout_print(layout, LW_LAYOUT_GRID, NULL, add_bytes, &digest, &error) == LW_OK;
        lw_layout_free(layout);
        if (!good)
            return 0;
        for (size_t i = 0; i < MOST_WORDS; i++)
            digest = digest * 31 + d[i];
    }
    j->digest = digest;
    return 1;
}

static int multiply(job *j)
{
    uint16_t a[16 * 16], b[16 * 16];
    for (int i = 0; i < 256; i++) {
        a[i] = (uint16_t)(0x3000 + 7 * i);
        b[i] = (uint16_t)(0x3800 - 5 * i);
    }
    const lw_mma_matrices mat = { .a = a, .b = b, .d = j->d };
    lw_mma *own = NULL;
    const int good =
        lw_mma_clone(j->with->mma, &own) == LW_OK && lw_mma_execute_matrices(own, &mat, NULL) == LW_OK;
    lw_mma_free(own);
    return good;
}

static int look_up(job *j)
{
    const lw_insn *insn;
    lw_layout *layout;
    if (lw_insn_find(LW_ARCH_GFX950, "v_mfma_f32_32x32x64_f8f6f4", &insn, NULL) != LW_OK ||
        lw_layout_create(LW_ARCH_GFX950, insn, LW_OPERAND_A, 0, NULL, &layout, NULL) != LW_OK)
        return 0;
    const int good = lw_layout_entries(layout, NULL, 0, &j->places) == LW_OK;
    lw_layout_free(layout);
    return good;
}

static int add_vectors(job *j)
{
    lw_memory *memory = NULL;
    uint64_t address[3];
    const uint32_t n = COUNT;
    int good = lw_memory_create(&memory) == LW_OK;
    for (int i = 0; good && i < 3; i++)
        good = lw_memory_allocate(memory, "v", COUNT * 4, LW_ACCESS_READ_WRITE, &address[i], NULL) == LW_OK;
    if (good) {
        float *a = lw_memory_host(memory, address[1], COUNT * 4);
        float *b = lw_memory_host(memory, address[2], COUNT * 4);
        for (int i = 0; i < COUNT; i++) {
            a[i] = (float)i;
            b[i] = 0.25f;
        }
        const lw_arg args[] = { { NULL, &address[0], 8, true },
                                { NULL, &address[1], 8, true },
                                { NULL, &address[2], 8, true },
                                { NULL, &n, 4, false } };
        lw_launch_options options = lw_launch_options_default();
        options.program = j->with->program;
        options.memory = memory;
        options.grid[0] = 4;
        options.block[0] = 256;
        options.args = args;
        options.arg_count = 4;
        options.threads = 2;
        good = lw_launch(&options, NULL, NULL) == LW_OK &&
               lw_memory_read(memory, address[0], j->sum, sizeof(j->sum)) == LW_OK;
    }
    lw_memory_free(memory);
    return good;
}

static void *work(void *context)
{
    job *j = context;
    for (int i = 0; i < ROUNDS; i++)
        j->failed |= !multiply(j) || !look_up(j) || !prepare(j) || !add_vectors(j);
    return NULL;
}

START_TEST(threads_get_what_one_gets)
{
    const lw_insn *insn;
    lw_mma *mma = NULL;
    lw_program *program = NULL;
    lw_error error = { "" };
    ck_assert(lw_insn_find(LW_ARCH_GFX942, "v_mfma_f32_16x16x16_f16", &insn, &error) == LW_OK);
    ck_assert(lw_mma_create(LW_ARCH_GFX942, insn, NULL, &mma, &error) == LW_OK);
    ck_assert_msg(lw_program_load_file(LW_SOURCE_DIR "/examples/objects/vector_add_gfx942.co", NULL, &program,
                                       &error) == LW_OK,
                  "%s", error.text);
    const shared with = { program, mma };
    job *jobs = calloc(THREADS, sizeof(*jobs));
    pthread_t threads[THREADS];
    ck_assert_ptr_nonnull(jobs);
    for (int i = 0; i < THREADS; i++) {
        jobs[i].with = &with;
        ck_assert_int_eq(pthread_create(&threads[i], NULL, work, &jobs[i]), 0);
    }
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
    for (int i = 0; i < THREADS; i++) {
        ck_assert_int_eq(jobs[i].failed, 0);
        ck_assert_mem_eq(jobs[i].d, jobs[0].d, sizeof(jobs[0].d));
        ck_assert_uint_eq(jobs[i].places, 32 * 64);
        ck_assert_uint_eq(jobs[i].digest, jobs[0].digest);
        ck_assert_uint_ne(jobs[i].digest, 0);
        for (int k = 0; k < COUNT; k++)
            ck_assert_float_eq(jobs[i].sum[k], (float)k + 0.25f);
    }
    free(jobs);
    lw_program_free(program);
    lw_mma_free(mma);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("threads");
    TCase *tc = tcase_create("threads");
    tcase_add_test(tc, threads_get_what_one_gets);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}

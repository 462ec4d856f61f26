/* SPDX-License-Identifier: MIT */
/*
 * When loads to LDS arrive. Wave `reader` reads LDS while the other wave refills it: in every block of code
 * the refilling wave has a nonzero number in s0, copies buffer dwords to LDS bytes 0 to 255 and reads them
 * into v5; the reader reads them into v5 and v6.
 */
#include "machine/fixture.h"

enum { REFILL = 1, READ = 0 };

static uint32_t in_buffer(const fixture *f, unsigned i)
{
    uint32_t v;
    memcpy(&v, f->buffer + 4 * (size_t)i, 4);
    return v;
}

/* The dwords that LDS held before the run. */
typedef struct before {
    uint32_t lds[LDS / 4];
} before;

static void prepare(fixture *f, before *b, lw_async async, uint64_t seed)
{
    fixture_init(f, 11);
    f->options.async = async;
    f->options.async_seed = seed;
    f->options.budget = 100000000;
    for (unsigned w = 0; w < MAX_WAVES; w++) {
        for (unsigned lane = 0; lane < 64; lane++) {
            const uint64_t from = f->address + 4 * (uint64_t)lane;
            uint32_t *v = f->vgpr[w] + lane;
            v[0] = v[12 * 64] = (uint32_t)from;
            v[64] = v[13 * 64] = (uint32_t)(from >> 32);
            v[2 * 64] = v[11 * 64] = 4 * lane;
            v[3 * 64] = LDS - 4; /* a flag */
            v[4 * 64] = 1;
            v[9 * 64] = 0xabcd0000 + lane;
        }
        f->wave[w].sgpr[4] = (uint32_t)f->address;
        f->wave[w].sgpr[5] = (uint32_t)(f->address >> 32);
        f->wave[w].sgpr[6] = BUFFER;
        f->wave[w].sgpr[7] = 0x27000;
    }
    memset(f->lds + LDS - 4, 0, 4);
    memcpy(b->lds, f->lds, LDS);
}

static void run_two(fixture *f, const char *block, unsigned refiller)
{
    f->wave[refiller].sgpr[0] = REFILL;
    f->wave[!refiller].sgpr[0] = READ;
    const lw_status status = fixture_run(f, block, 2);
    ck_assert_msg(status == LW_OK, "%s: %s", block, f->error.text);
}

/* Whether register `reg` of the wave holds the earlier contents of LDS, or the buffer. */
static bool holds(const fixture *f, const before *b, unsigned wave, unsigned r, bool new_bytes)
{
    for (unsigned lane = 0; lane < 64; lane++)
        if (f->vgpr[wave][r * 64 + lane] != (new_bytes ? in_buffer(f, lane) : b->lds[lane]))
            return false;
    return true;
}

/*
 * The refilling wave waits directly after the issue, or fills the counter; the other wave, before or after it
 * in the order of waves, is still reading, and sleeps in between.
 */
START_TEST(the_other_wave_reads_on)
{
    static const char *const blocks[] = { "async_refill", "async_refill_63", "async_refill_64" };
    const char *block = blocks[_i / 2];
    const unsigned refiller = (unsigned)_i & 1;
    fixture f;
    before b;
    prepare(&f, &b, LW_ASYNC_LATE, 0);
    run_two(&f, block, refiller);
    ck_assert_msg(holds(&f, &b, !refiller, 5, false), "%s: first read of the other wave", block);
    ck_assert_msg(holds(&f, &b, !refiller, 6, false), "%s: second read of the other wave", block);
    ck_assert_msg(holds(&f, &b, refiller, 5, true), "%s: after the wait", block);
    if (_i / 2)
        ck_assert_msg(holds(&f, &b, refiller, 6, false), "%s: the counter is not full yet", block);
    ck_assert_int_eq(memcmp(f.lds, f.buffer, 256), 0);
    fixture_free(&f);
}
END_TEST

/* The same without delay: the result on a machine that copies at issue. */
START_TEST(early_copies)
{
    fixture f;
    before b;
    prepare(&f, &b, LW_ASYNC_EARLY, 0);
    run_two(&f, "async_refill", 0);
    ck_assert(holds(&f, &b, 1, 5, true));
    ck_assert(holds(&f, &b, 0, 5, true));
    fixture_free(&f);
}
END_TEST

/* vmcnt(n) leaves the last n operations unfinished, whatever they are. */
START_TEST(operations_count_in_order)
{
    fixture f;
    before b;
    prepare(&f, &b, LW_ASYNC_LATE, 0);
    for (unsigned lane = 0; lane < 64; lane++)
        f.vgpr[0][12 * 64 + lane] += 2048;
    fixture_ok(&f, "async_count");
    for (unsigned lane = 0; lane < 64; lane++) {
        ck_assert_uint_eq(reg(&f, 5)[lane], in_buffer(&f, lane));
        ck_assert_uint_eq(reg(&f, 6)[lane], b.lds[64 + lane]);
        ck_assert_uint_eq(reg(&f, 7)[lane], b.lds[64 + lane]);
        ck_assert_uint_eq(reg(&f, 10)[lane], in_buffer(&f, lane));
    }
    fixture_free(&f);

    prepare(&f, &b, LW_ASYNC_LATE, 0);
    fixture_ok(&f, "async_count_20");
    ck_assert(holds(&f, &b, 0, 5, false));
    ck_assert(holds(&f, &b, 0, 6, true));
    fixture_free(&f);
}
END_TEST

/* Addresses, lanes and M0 are those of the issue; memory is read when the copy arrives. */
START_TEST(taken_at_issue)
{
    fixture f;
    before b;
    prepare(&f, &b, LW_ASYNC_LATE, 0);
    const uint32_t old = in_buffer(&f, 0);
    fixture_ok(&f, "async_issue");
    ck_assert_uint_eq(reg(&f, 5)[0], 0xabcd0000);
    for (unsigned lane = 1; lane < 64; lane++)
        ck_assert_uint_eq(reg(&f, 5)[lane], in_buffer(&f, lane));
    ck_assert_int_eq(memcmp(f.lds + 256, b.lds + 64, LDS - 256), 0);
    fixture_free(&f);

    prepare(&f, &b, LW_ASYNC_EARLY, 0);
    fixture_ok(&f, "async_issue");
    ck_assert_uint_eq(reg(&f, 5)[0], old);
    fixture_free(&f);
}
END_TEST

/* A barrier does not wait for copies. */
START_TEST(barriers)
{
    fixture f;
    before b;
    prepare(&f, &b, LW_ASYNC_LATE, 0);
    run_two(&f, "async_barrier", 1);
    ck_assert(holds(&f, &b, 0, 5, false));
    ck_assert_int_eq(memcmp(f.lds, f.buffer, 256), 0);
    fixture_free(&f);
    prepare(&f, &b, LW_ASYNC_EARLY, 0);
    run_two(&f, "async_barrier", 1);
    ck_assert(holds(&f, &b, 0, 5, true));
    fixture_free(&f);
}
END_TEST

/* Kernels that wait and synchronise get the same bits whenever copies arrive, in every order of waves. */
START_TEST(right_kernels)
{
    static const char *const blocks[] = { "async_barrier_right", "async_flag", "async_flag_busy" };
    const lw_async async = _i < 2 ? (lw_async)_i : LW_ASYNC_RANDOM;
    for (size_t i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++) {
        for (unsigned refiller = 0; refiller < 2; refiller++) {
            fixture f;
            before b;
            prepare(&f, &b, async, (uint64_t)_i);
            f.options.schedule = _i & 4 ? LW_SCHEDULE_RANDOM : LW_SCHEDULE_SERIAL;
            f.options.seed = (uint64_t)_i;
            run_two(&f, blocks[i], refiller);
            ck_assert_msg(holds(&f, &b, !refiller, 5, true), "%s, %d", blocks[i], _i);
            fixture_free(&f);
        }
    }
}
END_TEST

/* A racing kernel shows it: different seeds give different results, and each seed repeats its own. */
START_TEST(random_arrivals)
{
    unsigned seen[2] = { 0, 0 };
    for (uint64_t seed = 0; seed < 32; seed++) {
        bool first = false;
        for (int again = 0; again < 2; again++) {
            fixture f;
            before b;
            prepare(&f, &b, LW_ASYNC_RANDOM, seed);
            run_two(&f, "async_refill", 0);
            const bool late = holds(&f, &b, 1, 6, false);
            ck_assert(late || holds(&f, &b, 1, 6, true));
            ck_assert(holds(&f, &b, 0, 5, true));
            if (again)
                ck_assert(late == first);
            first = late;
            fixture_free(&f);
        }
        seen[first]++;
    }
    ck_assert(seen[0] > 3 && seen[1] > 3);
}
END_TEST

START_TEST(faults_name_the_issue)
{
    fixture f;
    before b;
    prepare(&f, &b, LW_ASYNC_LATE, 0);
    f.vgpr[0][7] = f.vgpr[0][64 + 7] = 0;
    ck_assert_int_eq(fixture_run(&f, "async_fault", 1), LW_E_FAULT);
    ck_assert_uint_eq(f.result->fault.code_offset, 8);
    ck_assert_int_eq(f.result->fault.lane, 7);
    ck_assert_str_eq(f.result->fault.instruction, "global_load_lds_dword v[0:1], off");
    ck_assert(holds(&f, &b, 0, 5, false)); /* the instruction after the issue has run */
    fixture_free(&f);
}
END_TEST

START_TEST(arrives_at_the_end)
{
    fixture f;
    before b;
    prepare(&f, &b, LW_ASYNC_LATE, 0);
    fixture_ok(&f, "async_end");
    ck_assert(holds(&f, &b, 0, 5, false));
    ck_assert_int_eq(memcmp(f.lds, f.buffer, 256), 0);
    f.options.async = (lw_async)3;
    ck_assert_int_eq(fixture_run(&f, "async_end", 1), LW_E_ARGUMENT);
    fixture_free(&f);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("async");
    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, the_other_wave_reads_on, 0, 6);
    tcase_add_test(tc, early_copies);
    tcase_add_test(tc, operations_count_in_order);
    tcase_add_test(tc, taken_at_issue);
    tcase_add_test(tc, barriers);
    tcase_add_loop_test(tc, right_kernels, 0, 12);
    tcase_add_test(tc, random_arrivals);
    tcase_add_test(tc, faults_name_the_issue);
    tcase_add_test(tc, arrives_at_the_end);
    return run_suite("machine_async", tc);
}

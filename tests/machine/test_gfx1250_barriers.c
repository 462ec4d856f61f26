/* SPDX-License-Identifier: MIT */
/*
 * gfx1250: named barriers. Rules: LLVM's "AMDGPU Execution Synchronization", a public test program of
 * s_barrier_init whose oracle is AMD's text, HipKittens' notes on a gfx1250. Words: llvm-mc 22.
 */
#include "machine/gfx1250.h"

#include "emu/device/memory.h"

#define INIT_2 0xbefd00ff, 0x00020001, 0xbe80517d /* barrier 1 has two members */
#define STATE 0xbe865081, 0xbfc70000              /* s6 */
#define SIGNAL 0xbe804e81
#define FIRST 0xbe804f81
#define JOIN 0xbe805281
#define WAIT 0xbf940001

START_TEST(states)
{
    reset(1);
    RUN(INIT_2, STATE);
    ck_assert_uint_eq(w.wave[0].sgpr[6], 2 << 4 | 1);
    RUN(INIT_2, SIGNAL, STATE);
    ck_assert_uint_eq(w.wave[0].sgpr[6], 1 << 16 | 2 << 4 | 1);
    RUN(INIT_2, SIGNAL, SIGNAL, STATE);
    ck_assert_uint_eq(w.wave[0].sgpr[6], 2 << 4 | 1);
    /* M0 gives the members anew, and the barrier; isfirst: 1, then 0 */
    RUN(0xbefd00ff, 0x00030001, 0xbe804e7d, FIRST, 0x98078081, SIGNAL, FIRST, 0x98088081, STATE);
    ck_assert(w.wave[0].sgpr[7] == 0 && w.wave[0].sgpr[8] == 1);
    ck_assert_uint_eq(w.wave[0].sgpr[6], 1 << 16 | 3 << 4 | 1);
}
END_TEST

/* Wave 0 produces: it signals and does not wait. Wave 1 waits for it, having joined; wave 2 has not joined,
 * and its wait does nothing. */
START_TEST(producer_and_consumer)
{
    for (unsigned shift = 0; shift < 3; shift++) {
        reset(3);
        for (unsigned i = 0; i < 3; i++) {
            w.wave[i].sgpr[2] = (i + shift) % 3;
            w.wave[i].sgpr[LW_SGPR_EXEC] = 1;
            w.vgpr[i][2 * 64] = 77;
        }
        RUN(0xbefd00ff, 0x00010001, 0xbe80517d,        /* one signal opens barrier 1 */
            0x8b7d8102, 0xbe80527d,                    /* join the barrier s2 & 1 */
            0xbe804ec1, 0xbf94ffff,                    /* all have come so far */
            0xbf068102, 0xbfa20008,                    /* wave 1 goes to L */
            0xbf068202, 0xbfa20004,                    /* wave 2 goes to M */
            0xd8340000, 0x00000200, SIGNAL,            /* wave 0: ds_store_b32 v0, v2; signal */
            0xbfb00000, WAIT, 0xbfb00000,              /* M */
            WAIT, 0xd8d80000, 0x08000000, 0xbfc60000); /* L: v8 = what was stored */
        ck_assert_uint_eq(dword(w.lds, 0), 77);
        ck_assert_uint_eq(w.vgpr[(4 - shift) % 3][8 * 64], 77);
    }
}
END_TEST

/* A wait takes the barrier that was joined, whichever number it names; leaving makes one member less. */
START_TEST(joins_and_leaves)
{
    reset(1);
    RUN(INIT_2, JOIN, SIGNAL, SIGNAL, 0xbf940002, STATE);
    ck_assert_uint_eq(w.wave[0].sgpr[6], 2 << 4 | 1);
    RUN(INIT_2, JOIN, SIGNAL, 0xbf950000, STATE); /* the arrival that was missing is no longer expected */
    ck_assert_uint_eq(w.wave[0].sgpr[6], 1 << 4 | 1);
    RUN(INIT_2, JOIN, 0xbe805280, WAIT); /* joined 0 */
    FAILS(LW_E_LIVELOCK, "waits at barrier 1, at which 1 signal has arrived", INIT_2, JOIN, SIGNAL,
          0xbf940002);
}
END_TEST

START_TEST(refusals)
{
    reset(1);
    REFUSED("never initialised", SIGNAL);
    REFUSED("named barriers 1 to 16; this one is 17", 0xbe804e91);
    REFUSED("the launch has no clusters", 0xbe804ec3);
    REFUSED("the launch has no clusters", 0xbf94fffd);
}
END_TEST

/* Arrivals in LDS that nobody waits for: they may take what the memory's limit leaves, and no more. */
START_TEST(arrivals_without_end)
{
    reset(1);
    const uint64_t taken = lw_memory_limit_default() - lw_memory_room(w.memory);
    memset(w.lds, 0, 8);
    lw_memory_set_limit(w.memory, taken + (1 << 20));
    REFUSED("copies that have been issued and not completed take more than the memory limit", 0xd9580000, 0,
            0xbfa0fffd);
    ck_assert_uint_eq(lw_memory_room(w.memory), 1 << 20); /* all is given back */
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("gfx1250 barriers");
    tcase_add_test(tc, states);
    tcase_add_test(tc, producer_and_consumer);
    tcase_add_test(tc, joins_and_leaves);
    tcase_add_test(tc, refusals);
    tcase_add_test(tc, arrivals_without_end);
    const int failed = run_suite("machine_gfx1250_barriers", tc);
    if (w.memory)
        lw_memory_free(w.memory);
    return failed;
}

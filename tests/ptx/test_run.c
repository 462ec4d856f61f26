/* SPDX-License-Identifier: MIT */
/* PTX kernels that run: lanes compared with the same computation in C, divergence, barriers, faults. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/ptx/run_kit.h"

/* ---- Single instructions ---- */

typedef uint32_t (*reference)(uint32_t a, uint32_t b);

static float real(uint32_t a)
{
    float f;
    memcpy(&f, &a, sizeof(f));
    return f;
}

static uint32_t bits(float f)
{
    uint32_t a;
    memcpy(&a, &f, sizeof(a));
    return f != f ? 0x7fffffff : a;
}

#define REFERENCE(name, expression)                                                                          \
    static uint32_t name(uint32_t a, uint32_t b)                                                             \
    {                                                                                                        \
        (void)a, (void)b;                                                                                    \
        return (uint32_t)(expression);                                                                       \
    }

REFERENCE(add, a + b)
REFERENCE(sat, (int64_t)(int32_t)a + (int32_t)b > INT32_MAX   ? INT32_MAX
               : (int64_t)(int32_t)a + (int32_t)b < INT32_MIN ? INT32_MIN
                                                              : (int64_t)(int32_t)a + (int32_t)b)
REFERENCE(mul, a *b)
REFERENCE(mulhi_u, (uint64_t)a *b >> 32)
REFERENCE(mulhi_s, (uint64_t)((int64_t)(int32_t)a *(int32_t)b) >> 32)
REFERENCE(wide_s, ((uint64_t)((int64_t)(int32_t)a * (int32_t)b) >> 32) ^ (a * b))
REFERENCE(shl, b > 31 ? 0 : a << b)
REFERENCE(shr_u, b > 31 ? 0 : a >> b)
REFERENCE(shr_s, (int32_t)a < 0 ? ~(b > 31 ? 0 : ~a >> b) : (b > 31 ? 0 : a >> b))
REFERENCE(minimum_s, (int32_t)a < (int32_t)b ? a : b)
REFERENCE(maximum_u, a > b ? a : b)
REFERENCE(less_s, (int32_t)a < (int32_t)b ? a : b)
REFERENCE(less_u, a < b ? a : b)
REFERENCE(unordered, !(real(a) >= real(b)) ? 1 : 0)
REFERENCE(ordered, real(a) < real(b) ? 1 : 0)
REFERENCE(both, (a & 1) && a < b ? 5 : 6)
REFERENCE(count, __builtin_popcount(a))
REFERENCE(zeros, a ? __builtin_clz(a) : 32)
REFERENCE(low_half, (uint32_t)(int32_t)(int16_t)a)
REFERENCE(saturated_byte, (int32_t)a<0 ? 0 : a> 255 ? 255 : a)
REFERENCE(swap, a >> 16 | a << 16)
REFERENCE(fadd, bits(real(a) + real(b)))
REFERENCE(fsub, bits(real(a) - real(b)))
REFERENCE(fmul, bits(real(a) * real(b)))
REFERENCE(fma_, bits((float)((double)real(a) * (double)real(a) + 0.0)))
REFERENCE(from_s, bits((float)(int32_t)a))
REFERENCE(from_u, bits((float)a))

static const struct {
    const char *body;
    reference wanted;
} single[] = {
    { "add.s32 %r3, %r1, %r2;", add },
    { "add.sat.s32 %r3, %r1, %r2;", sat },
    { "mul.lo.u32 %r3, %r1, %r2;", mul },
    { "mul.hi.u32 %r3, %r1, %r2;", mulhi_u },
    { "mul.hi.s32 %r3, %r1, %r2;", mulhi_s },
    { "mul.wide.s32 %rd5, %r1, %r2; mov.b64 {%r4, %r5}, %rd5; xor.b32 %r3, %r4, %r5;", wide_s },
    { "mov.b32 %r6, 0; mad.lo.s32 %r3, %r1, %r2, %r6;", mul },
    { "shl.b32 %r3, %r1, %r2;", shl },
    { "shr.u32 %r3, %r1, %r2;", shr_u },
    { "shr.s32 %r3, %r1, %r2;", shr_s },
    { "min.s32 %r3, %r1, %r2;", minimum_s },
    { "max.u32 %r3, %r1, %r2;", maximum_u },
    { "setp.lt.s32 %p1, %r1, %r2; selp.b32 %r3, %r1, %r2, %p1;", less_s },
    { "setp.lo.u32 %p1, %r1, %r2; selp.b32 %r3, %r1, %r2, %p1;", less_u },
    { "setp.ltu.f32 %p1, %r1, %r2; selp.b32 %r3, 1, 0, %p1;", unordered },
    { "setp.lt.f32 %p1|%p2, %r1, %r2; selp.b32 %r3, 1, 0, %p1; @%p2 mov.b32 %r3, 0;", ordered },
    { "and.b32 %r4, %r1, 1; setp.ne.s32 %p1, %r4, 0; setp.lt.and.u32 %p2, %r1, %r2, %p1;"
      "mov.b32 %r3, 6; @%p2 mov.b32 %r3, 5;",
      both },
    { "popc.b32 %r3, %r1;", count },
    { "clz.b32 %r3, %r1;", zeros },
    { "cvt.s32.s16 %r3, %r1;", low_half },
    { "cvt.sat.u8.s32 %r3, %r1;", saturated_byte },
    { "mov.b32 {%h1, %h2}, %r1; mov.b32 %r3, {%h2, %h1};", swap },
    { "add.f32 %r3, %r1, %r2;", fadd },
    { "sub.rn.f32 %r3, %r1, %r2;", fsub },
    { "mul.f32 %r3, %r1, %r2;", fmul },
    { "fma.rn.f32 %r3, %r1, %r1, 0f00000000;", fma_ },
    { "cvt.rn.f32.s32 %r3, %r1;", from_s },
    { "cvt.rn.f32.u32 %r3, %r1;", from_u },
};

static const uint32_t awkward[] = { 0,          1,          2,          31,         32,         33,
                                    0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffe, 0x3f800000, 0xbf800000,
                                    0x00800000, 0x7f800000, 0xff800000, 0x7fc00001, 0x4b800001, 0x12345678 };

enum { AWKWARD = sizeof(awkward) / sizeof(awkward[0]) };

START_TEST(one_instruction_as_in_c)
{
    char text[2048];
    uint32_t a[MOST] = { 0 }, b[MOST] = { 0 };
    bench t = { 0 };
    write_kernel(text, sizeof(text), "", single[_i].body);
    open_bench(&t, text, NULL, NULL);
    for (unsigned shift = 0; shift < AWKWARD; shift++) {
        for (unsigned i = 0; i < MOST; i++) {
            a[i] = awkward[i % AWKWARD];
            b[i] = awkward[(i + shift) % AWKWARD];
        }
        lw_memory_write(t.memory, t.at[0], a, sizeof(a));
        lw_memory_write(t.memory, t.at[1], b, sizeof(b));
        ck_assert_msg(launch(&t, 100, 0) == LW_OK, "%s", t.error.text);
        for (unsigned i = 0; i < 100; i++)
            ck_assert_msg(t.out[i] == single[_i].wanted(a[i], b[i]), "%s of %08x, %08x: %08x, not %08x",
                          single[_i].body, a[i], b[i], t.out[i], single[_i].wanted(a[i], b[i]));
        ck_assert_uint_eq(t.out[100], 0); /* no thread has this element */
    }
    close_bench(&t);
}
END_TEST

START_TEST(f32_corners_follow_the_isa)
{
    static const struct {
        const char *body;
        uint32_t wanted;
    } cases[] = {
        { "max.f32 %r3, 0f7fc00000, 0f40000000;", 0x40000000 },
        { "max.NaN.f32 %r3, 0f7fc00000, 0f40000000;", 0x7fffffff },
        { "min.f32 %r3, 0f00000000, 0f80000000;", 0x80000000 },
        { "max.f32 %r3, 0f80000000, 0f00000000;", 0x00000000 },
        { "add.ftz.f32 %r3, 0f00000001, 0f00000001;", 0 },
        { "add.f32 %r3, 0f00000001, 0f00000001;", 2 },
        { "mul.ftz.f32 %r3, 0f80000001, 0f3f800000;", 0x80000000 },
        { "add.sat.f32 %r3, 0f3f800000, 0f3f800000;", 0x3f800000 },
        { "add.sat.f32 %r3, 0f7fc00000, 0f3f800000;", 0 },
        { "add.rz.f32 %r3, 0f3f800000, 0f33ffffff;", 0x3f800000 },
        { "add.rp.f32 %r3, 0f3f800000, 0f00000001;", 0x3f800001 },
        { "add.rz.f32 %r3, 0f7fc00001, 0f3f800000;", 0x7fffffff },
        { "fma.rm.f32 %r3, 0f3f800000, 0fffc00003, 0f3f800000;", 0x7fffffff },
        { "mov.b32 {%h1, %h2}, 0x7e013c00; add.f16 %h3, %h1, %h2; mov.b32 %r3, {%h3, %h3};", 0x7fff7fff },
        { "neg.f32 %r3, 0f7fc00000;", 0x7fffffff },
        { "abs.f32 %r3, 0fbf800000;", 0x3f800000 },
        { "cvt.rzi.s32.f32 %r3, 0fbfc00000;", 0xffffffff },
        { "cvt.rni.s32.f32 %r3, 0f40200000;", 2 },
        { "cvt.rzi.s32.f32 %r3, 0f7fc00000;", 0 },
        { "cvt.rzi.u32.f32 %r3, 0fbf800000;", 0 },
        { "cvt.rzi.s32.f32 %r3, 0f7f800000;", 0x7fffffff },
        { "cvt.rmi.f32.f32 %r3, 0fbfc00000;", 0xc0000000 },
        { "mov.b64 %rd5, 0d3FF0000010000000; cvt.rn.f32.f64 %r3, %rd5;", 0x3f800000 },
        { "mov.b64 %rd5, 0d3FF0000010000000; cvt.rp.f32.f64 %r3, %rd5;", 0x3f800001 },
        { "add.f32 %r3, 0f3f800000, 1.5;", 0x40200000 },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        bench t;
        run_one("", cases[i].body, 1, 0, &t);
        ck_assert_msg(t.out[0] == cases[i].wanted, "%s: %08x", cases[i].body, t.out[0]);
        close_bench(&t);
    }
}
END_TEST

/* ---- Divergence ---- */

START_TEST(lanes_part_and_meet_again)
{
    bench t;
    run_one("",
            "mov.b32 %r3, 0; setp.eq.s32 %p1, %r1, 0; @%p1 bra END;\n"
            "LOOP: add.s32 %r3, %r3, %r1; and.b32 %r4, %r1, 1; setp.ne.s32 %p2, %r4, 0; @%p2 bra ODD;\n"
            "add.s32 %r3, %r3, 1000; bra NEXT;\nODD: add.s32 %r3, %r3, 100000;\n"
            "NEXT: sub.s32 %r1, %r1, 1; setp.ne.s32 %p1, %r1, 0; @%p1 bra LOOP;\nEND:",
            40, 0, &t);
    for (uint32_t i = 0; i < 40; i++)
        ck_assert_uint_eq(t.out[i], i * (i + 1) / 2 + i / 2 * 1000 + (i + 1) / 2 * 100000);
    /* lanes that reconverge run together: one turn of the loop for all, not one each */
    ck_assert_uint_lt(t.executed, 2 * (15 + 12 * 40));
    close_bench(&t);
}
END_TEST

START_TEST(lanes_that_spin_give_way)
{
    bench t;
    run_one(
        ".shared .align 4 .b32 flag;",
        "setp.eq.s32 %p2, %r0, 0; @%p2 st.shared.b32 [flag], 0; bar.sync 0; setp.eq.s32 %p1, %r0, 31;\n"
        "@%p1 bra SET;\nSPIN: ld.volatile.shared.b32 %r4, [flag]; setp.eq.s32 %p2, %r4, 0; @%p2 bra SPIN;\n"
        "mov.b32 %r3, 7; bra END;\nSET: st.volatile.shared.b32 [flag], 1; mov.b32 %r3, 8;\nEND:",
        32, 0, &t);
    ck_assert_uint_eq(t.out[0], 7);
    ck_assert_uint_eq(t.out[30], 7);
    ck_assert_uint_eq(t.out[31], 8);
    close_bench(&t);
}
END_TEST

START_TEST(exited_lanes_are_gone)
{
    bench t;
    run_one("", "mov.b32 %r3, 1; setp.gt.s32 %p1, %r0, 9; @%p1 exit; bar.sync 0;", 33, 0, &t);
    ck_assert_uint_eq(t.out[9], 1);
    ck_assert_uint_eq(t.out[10], 0);
    ck_assert_uint_eq(t.out[32], 0);
    close_bench(&t);
}
END_TEST

/* Two shuffles at different places count as one; lanes that have ended are not waited for. */
START_TEST(lanes_meet_from_different_places)
{
    bench t;
    run_one("",
            "setp.gt.s32 %p1, %r0, 19; @%p1 exit; setp.lt.s32 %p2, %r0, 10; @%p2 bra A;\n"
            "shfl.sync.bfly.b32 %r3, %r1, 16, 31, -1; bra B;\n"
            "A: shfl.sync.bfly.b32 %r3, %r1, 16, 31, -1;\nB:",
            32, 0, &t);
    for (uint32_t i = 0; i < 20; i++)
        if ((i ^ 16) < 20)
            ck_assert_uint_eq(t.out[i], i ^ 16);
    close_bench(&t);
}
END_TEST

START_TEST(barriers_join_warps)
{
    bench t;
    run_one(
        ".extern .shared .align 8 .b8 s[];",
        "mov.u32 %r5, s; shl.b32 %r6, %r0, 2; add.u32 %r5, %r5, %r6; st.shared.b32 [%r5], %r1; bar.sync 0;\n"
        "xor.b32 %r7, %r0, 32; shl.b32 %r7, %r7, 2; cvt.u64.u32 %rd7, %r7; mov.u64 %rd8, s;\n"
        "cvta.shared.u64 %rd8, %rd8; add.s64 %rd8, %rd8, %rd7; ld.b32 %r3, [%rd8];",
        64, 256, &t);
    for (uint32_t i = 0; i < 64; i++)
        ck_assert_uint_eq(t.out[i], i ^ 32);
    close_bench(&t);
}
END_TEST

START_TEST(vectors_of_four_are_moved)
{
    bench t;
    run_one(
        ".shared .align 16 .b8 s[640];",
        "mad.lo.u32 %r5, %r0, 16, 0; add.s32 %r6, %r1, 1000; st.shared.v4.b32 [%r5], {%r1, %r6, 7, %r1};\n"
        "ld.shared.v4.b32 {%r7, %r8, %r9, %r10}, [%r5]; add.s32 %r3, %r7, %r8; add.s32 %r3, %r3, %r9;\n"
        "add.s32 %r3, %r3, %r10;",
        40, 0, &t);
    for (uint32_t i = 0; i < 40; i++)
        ck_assert_uint_eq(t.out[i], 3 * i + 1007);
    close_bench(&t);
}
END_TEST

/* Written as four words, moved as 128 bits, split into two of 64 bits; words of which all bits count. */
START_TEST(registers_of_128_bits_are_moved)
{
    bench t;
    run_one(".shared .align 16 .b8 s[1280];",
            ".reg .b128 %q<4>; .reg .b64 %w<4>; .reg .b32 %v<9>;\n"
            "mul.lo.u32 %r5, %r0, 32; mad.lo.u32 %v1, %r1, 0x01030507, 0x89abcdef; not.b32 %v2, %v1;\n"
            "mov.b128 %q0, {%r1, %v1, 0x70000007, %v2}; mov.b128 %q1, %q0; st.shared.b128 [%r5+16], %q1;\n"
            "ld.shared.v2.b64 {%w0, %w1}, [%r5+16]; mov.b128 %q2, {%w1, %w0}; st.shared.b128 [%r5], %q2;\n"
            "ld.shared.b128 %q3, [%r5]; mov.b128 {%v4, _, %v6, %v7}, %q3; ld.shared.b32 %v8, [%r5+12];\n"
            "mul.lo.u32 %v4, %v4, 3; mul.lo.u32 %v6, %v6, 5; mul.lo.u32 %v7, %v7, 7;\n"
            "add.u32 %r3, %v4, %v6; add.u32 %r3, %r3, %v7; mad.lo.u32 %r3, %v8, 11, %r3;\n"
            "ld.shared.b32 %v8, [%r5+4]; mad.lo.u32 %r3, %v8, 13, %r3;",
            40, 0, &t);
    for (uint32_t i = 0; i < 40; i++) {
        const uint32_t v = i * 0x01030507 + 0x89abcdef;
        ck_assert_uint_eq(t.out[i], 0x70000007u * 3 + i * 5 + v * 7 + v * 11 + ~v * 13);
    }
    close_bench(&t);
}
END_TEST

/* Lanes exchange one place in turn: each gets its neighbour's 128 bits. Then a compare that differs in the
 * upper half only stores nothing, and of those that are right the first lane's stores. */
START_TEST(atomics_of_128_bits_take_turns)
{
    bench t;
    run_one(
        ".shared .align 16 .b8 s[16];",
        ".reg .b128 %q<6>; .reg .b32 %v<9>;\n"
        "st.shared.v4.b32 [s], {0, 0, 0, 0}; mov.b32 %v0, 7; mad.lo.u32 %v1, %r0, 3, 1; mul.lo.u32 %v2, %r0, "
        "5;\n"
        "mov.b128 %q0, {%r0, %v0, %v1, %v2}; mov.b128 %q4, {31, %v0, 94, 156};\n"
        "atom.shared.exch.b128 %q1, [s], %q0; mov.b128 {%v3, _, %v4, _}, %q1;\n"
        "atom.shared.cas.b128 %q2, [s], %q4, %q0; mov.b128 {%v5, _, _, %v6}, %q2;\n"
        "mov.b128 %q4, {31, %v0, 94, 155}; atom.shared.relaxed.cta.cas.b128 %q3, [s], %q4, %q0;\n"
        "mov.b128 {_, _, _, %v7}, %q3;\n"
        "mad.lo.u32 %r3, %v4, 64, %v3; mad.lo.u32 %r3, %v6, 65536, %r3; mad.lo.u32 %r3, %v7, 16777216, %r3;",
        32, 0, &t);
    for (uint32_t i = 0; i < 32; i++) {
        const uint32_t before = i ? (i - 1) + 64 * (3 * (i - 1) + 1) : 0;
        ck_assert_uint_eq(t.out[i], before + 65536 * 155 + 16777216 * (i ? 0u : 155u));
    }
    close_bench(&t);
}
END_TEST

START_TEST(local_memory_is_a_lanes_own)
{
    bench t;
    run_one("",
            ".local .align 8 .b8 l[16]; mov.u64 %rd5, l; cvta.local.u64 %rd5, %rd5; st.b32 [%rd5+4], %r1;\n"
            "st.local.v2.b32 [l+8], {%r1, %r2}; ld.local.b32 %r4, [l+4]; ld.u8 %r5, [%rd5+12];\n"
            "add.s32 %r3, %r4, %r5;",
            50, 0, &t);
    for (uint32_t i = 0; i < 50; i++)
        ck_assert_uint_eq(t.out[i], 2 * i);
    close_bench(&t);
}
END_TEST

/* ---- Faults ---- */

/* Matrix instructions that the target does not have, the first with the reason, and registers of unknown
 * contents; all of them, however many there are. */
START_TEST(everything_that_cannot_run_is_listed)
{
    enum { MANY = 300, LINE = 80 };
    static char text[MANY * LINE + 2000];
    char wanted[40];
    int used = snprintf(text, sizeof(text),
                        ".version 8.0\n.target sm_80\n.address_size 64\n.entry k() { .reg .b32 %%r<9>;\n"
                        "mov.u32 %%r1, %%envreg2;\n"
                        "mov.u32 %%r1, %%pm3;\n"
                        "movmatrix.sync.aligned.m8n8.trans.b16 %%r1, %%r2;\n"
                        "stmatrix.sync.aligned.m8n8.x1.shared.b16 [%%r1], {%%r2};\n"
                        "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {%%r1,%%r2,%%r3,%%r4}, "
                        "{%%r1,%%r2,%%r3,%%r4}, {%%r1,%%r2}, {%%r1,%%r2,%%r3,%%r4};\n"
                        "wgmma.fence.sync.aligned;\n");
    for (int i = 0; i < MANY; i++)
        used += snprintf(text + used, sizeof(text) - (size_t)used, "tcgen05.wait::ld.sync.aligned;\n");
    snprintf(text + used, sizeof(text) - (size_t)used, "}\n");
    lw_program *p;
    lw_error error = { "" };
    ck_assert_msg(lw_program_load(text, strlen(text), NULL, &p, &error) == LW_OK, "%s", error.text);
    const char *list = lw_program_kernel_at(p, 0)->unsupported;
    static const char first[] =
        "mov.u32 %r1, %pm3 (line 6), stmatrix.sync.aligned.m8n8.x1.shared.b16 (line 8: sm_80 has no ";
    ck_assert_msg(strncmp(list, first, strlen(first)) == 0, "%s", list);
    ck_assert_ptr_nonnull(
        strstr(list, "), mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 (line 9), "
                     "wgmma.fence.sync.aligned (line 10), tcgen05.wait::ld.sync.aligned (line 11), "));
    snprintf(wanted, sizeof(wanted), "aligned (line %d)", MANY + 10);
    ck_assert_ptr_nonnull(strstr(list, wanted));
    lw_program_free(p);
}
END_TEST

START_TEST(faults_say_where)
{
    static const struct {
        const char *body, *reason;
        int lane;
    } cases[] = {
        { "add.s64 %rd3, %rd3, 2; mov.b32 %r3, 1;",
          "stores 4 bytes at address 0x1000040002 (byte 0x2 of \"o\", 512 bytes at 0x1000040000), which is "
          "not a multiple of 4 (executed by lanes 0xffffffff)",
          0 },
        { "ld.shared.b32 %r3, [%r1+4];",
          "loads 4 bytes at byte 0x4 of shared memory, which has 0 (executed by lanes 0xffffffff)", 0 },
        { "setp.eq.s32 %p1, %r0, 5; @%p1 trap;", "the kernel executes trap (executed by lanes 0x00000020)",
          5 },
        { "setp.lt.s32 %p1, %r0, 16; @%p1 bra A; bar.sync 0; bra B; A: shfl.sync.idx.b32 %r3, %r1, 0, 31, "
          "-1; B:",
          "lanes 0x0000ffff wait here for lanes 0xffff0000; 0xffff0000 wait at barrier 0", 0 },
        { "setp.lt.s32 %p1, %r0, 16; @%p1 bra A; bar.sync 0; bra B; A: bar.sync 0; B:",
          "all lanes of a warp execute a barrier together; others (mask 0xffff0000) wait at the one of line "
          "11 (barrier.sync without .aligned allows that)",
          0 },
        { "shfl.sync.idx.b32 %r3, %r1, 0, 31, 1;",
          "the lane is not in its own member mask 0x00000001 (executed by lanes 0xffffffff)", 1 },
        { ".reg .b128 %q; ld.global.b128 %q, [%rd3+8];",
          "loads 16 bytes at address 0x1000040008 (byte 0x8 of \"o\", 512 bytes at 0x1000040000), which is "
          "not a multiple of 16 (executed by lanes 0xffffffff)",
          0 },
        { "bar.sync 16;", "barrier 16; there are 0 to 15 (executed by lanes 0xffffffff)", 0 },
        { "bar.sync 0, 40;",
          "a barrier of 40 threads; their number is a multiple of 32 up to 1024 (executed by lanes "
          "0xffffffff)",
          0 },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char text[2048];
        bench t = { 0 };
        uint32_t a[MOST] = { 0 };
        write_kernel(text, sizeof(text), "", cases[i].body);
        open_bench(&t, text, a, a);
        ck_assert_int_eq(launch(&t, 32, 0), LW_E_FAULT);
        ck_assert_str_eq(t.fault.reason, cases[i].reason);
        ck_assert_int_eq(t.fault.lane, cases[i].lane);
        ck_assert_ptr_nonnull(strstr(t.error.text, "kernel k, block (0,0,0), warp 0, lane "));
        close_bench(&t);
    }
}
END_TEST

START_TEST(unsupported_kernels_are_refused)
{
    char text[2048];
    bench t = { 0 };
    write_kernel(text, sizeof(text), "", "\nfoo.bar %r3;\nbaz.rn.f32 %r3, %r1;");
    open_bench(&t, text, NULL, NULL);
    ck_assert_int_eq(launch(&t, 32, 0), LW_E_UNSUPPORTED);
    ck_assert_str_eq(t.error.text,
                     "kernel k needs what this version cannot run: foo.bar (line 12), baz.rn.f32 (line 13)");
    close_bench(&t);
}
END_TEST

/* ---- Globals ---- */

START_TEST(globals_keep_their_values)
{
    static const char text[] =
        HEAD ".const .align 4 .b32 step = 2; .visible .global .align 8 .b32 counter = 5;\n"
             ".global .u64 where = counter;\n"
             ".entry k { .reg .b64 %rd<3>; .reg .b32 %r<4>; ld.global.u64 %rd1, [where];\n"
             "ld.global.b32 %r1, [%rd1]; ld.const.b32 %r2, [step]; add.s32 %r1, %r1, %r2;\n"
             "st.global.b32 [counter], %r1; ret; }";
    bench t = { 0 };
    lw_module *module;
    uint64_t address, size;
    open_bench(&t, text, NULL, NULL);
    ck_assert_int_eq(lw_module_load(t.memory, t.program, &module, &t.error), LW_OK);
    ck_assert_int_eq(lw_module_symbol(module, "counter", &address, &size, &t.error), LW_OK);
    ck_assert_uint_eq(size, 4);
    for (uint32_t i = 1; i <= 3; i++) {
        uint32_t value;
        lw_launch_options o = lw_launch_options_default();
        o.module = module;
        o.grid[0] = o.block[0] = 1;
        ck_assert_msg(lw_launch(&o, NULL, &t.error) == LW_OK, "%s", t.error.text);
        lw_memory_read(t.memory, address, &value, 4);
        ck_assert_uint_eq(value, 5 + 2 * i);
    }
    lw_module_unload(module);
    close_bench(&t);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ptx_run");
    TCase *tc = tcase_create("kernels");
    tcase_add_loop_test(tc, one_instruction_as_in_c, 0, sizeof(single) / sizeof(single[0]));
    tcase_add_test(tc, f32_corners_follow_the_isa);
    tcase_add_test(tc, lanes_part_and_meet_again);
    tcase_add_test(tc, lanes_that_spin_give_way);
    tcase_add_test(tc, exited_lanes_are_gone);
    tcase_add_test(tc, lanes_meet_from_different_places);
    tcase_add_test(tc, barriers_join_warps);
    tcase_add_test(tc, vectors_of_four_are_moved);
    tcase_add_test(tc, registers_of_128_bits_are_moved);
    tcase_add_test(tc, atomics_of_128_bits_take_turns);
    tcase_add_test(tc, everything_that_cannot_run_is_listed);
    tcase_add_test(tc, local_memory_is_a_lanes_own);
    tcase_add_test(tc, faults_say_where);
    tcase_add_test(tc, unsupported_kernels_are_refused);
    tcase_add_test(tc, globals_keep_their_values);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

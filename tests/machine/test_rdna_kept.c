/* SPDX-License-Identifier: MIT */
/*
 * What gfx11 and gfx12 compute as gfx9 does (AMD RDNA3 ISA manual, chapter 16): faces and coordinates of cube
 * maps, compared with the table of the OpenGL 4.6 specification (8.13, cube map texture selection), sums of
 * absolute differences of bytes, and atomic operations of LDS with two data. Words: llvm-mc 22.
 */
#include <math.h>

#include "machine/fixture.h"

static const lw_arch archs[] = { LW_ARCH_GFX1100, LW_ARCH_GFX1150, LW_ARCH_GFX1201, LW_ARCH_GFX1250 };
enum { ARCHS = sizeof(archs) / sizeof(archs[0]), LANES = 32 };

static void run(fixture *f, int arch, const uint32_t *words, size_t count)
{
    f->options.arch = archs[arch];
    f->options.code = words;
    f->options.words = count;
    lw_launch_result_free(f->result);
    f->result = NULL;
    ck_assert_msg(lw_code_run(&f->options, f->wave, 1, &f->result, &f->error) == LW_OK, "%s", f->error.text);
}

#define RUN(f, arch, ...)                                                                                    \
    do {                                                                                                     \
        const uint32_t code[] = { __VA_ARGS__, 0xbfb00000 };                                                 \
        run(f, arch, code, sizeof(code) / sizeof(code[0]));                                                  \
    } while (0)

/* For each face: the axis of its largest coordinate and its sign, then signed axes of s and t (1 x, 2 y, 3
 * z).
 */
static const int faces[6][4] = { { 1, 1, -3, -2 }, { 1, -1, 3, -2 }, { 2, 1, 1, 3 },
                                 { 2, -1, 1, -3 }, { 3, 1, 1, -2 },  { 3, -1, -1, -2 } };

static float along(const float *at, int axis)
{
    return axis < 0 ? -at[-axis - 1] : at[axis - 1];
}

START_TEST(cubes)
{
    fixture f;
    fixture_init(&f, 7);
    float at[LANES][3];
    for (unsigned lane = 0; lane < LANES; lane++)
        for (unsigned i = 0; i < 3; i++) {
            const uint32_t bits = reg(&f, i)[lane];
            at[lane][i] = (float)((int32_t)bits >> 8) / 1024;
            if (lane % 6 / 2 == i) /* each face is met */
                at[lane][i] = lane & 1 ? -1e5f : 1e5f;
            memcpy(&reg(&f, i)[lane], &at[lane][i], 4);
        }
    RUN(&f, _i, 0xd60c0003, 0x040a0300, 0xd60d0004, 0x040a0300, 0xd60e0005, 0x040a0300, 0xd60f0006,
        0x040a0300);
    for (unsigned lane = 0; lane < LANES; lane++) {
        float got[4];
        for (unsigned i = 0; i < 4; i++)
            memcpy(&got[i], &reg(&f, 3 + i)[lane], 4);
        const unsigned id = lane % 6;
        ck_assert_msg(got[0] == (float)id, "lane %u: face %g", lane, (double)got[0]);
        ck_assert(got[1] == along(at[lane], faces[id][2]) && got[2] == along(at[lane], faces[id][3]));
        ck_assert(got[3] == 2 * at[lane][faces[id][0] - 1]);
        ck_assert_int_eq(signbit(got[3]) != 0, faces[id][1] < 0);
    }
    fixture_free(&f);
}
END_TEST

/* Of equal magnitudes, z counts before y and y before x; -0 is not below 0. */
START_TEST(cube_edges)
{
    static const struct {
        float at[3];
        float face;
    } edges[] = { { { 1, 1, 1 }, 4 },  { { 1, 1, -1 }, 5 }, { { -1, 1, 0 }, 2 },
                  { { 1, -1, 0 }, 3 }, { { 0, 0, 0 }, 4 },  { { 2, 1, -2 }, 5 },
                  { { 1, -2, 2 }, 4 }, { { -2, 1, 1 }, 1 }, { { 2, 1, 1 }, 0 } };
    fixture f;
    fixture_init(&f, 7);
    const size_t count = sizeof(edges) / sizeof(edges[0]);
    for (size_t lane = 0; lane < count; lane++)
        for (unsigned i = 0; i < 3; i++)
            memcpy(&reg(&f, i)[lane], &edges[lane].at[i], 4);
    reg(&f, 2)[4] = 0x80000000;
    RUN(&f, _i, 0xd60c0003, 0x040a0300);
    for (size_t lane = 0; lane < count; lane++) {
        float face;
        memcpy(&face, &reg(&f, 3)[lane], 4);
        ck_assert_msg(face == edges[lane].face, "%zu: %g", lane, (double)face);
    }
    fixture_free(&f);
}
END_TEST

/* The four bytes of b, and those of a from byte `at` on. */
static uint32_t differences(const uint8_t *a, const uint8_t *b, bool masked)
{
    uint32_t sum = 0;
    for (unsigned i = 0; i < 4; i++)
        sum += masked && !b[i] ? 0 : (uint32_t)abs(a[i] - b[i]);
    return sum;
}

START_TEST(differences_of_bytes)
{
    fixture f;
    fixture_init(&f, 8);
    for (unsigned lane = 0; lane < LANES; lane++)
        if (lane & 1)
            reg(&f, 2)[lane] &= 0xff00ff;
    snapshot s;
    take(&f, &s);
    RUN(&f, _i, 0xd63a0006, 0x04120500); /* v_qsad_pk_u16_u8 v[6:7], v[0:1], v2, v[4:5] */
    for (unsigned masked = 0; masked < 2; masked++) {
        if (masked)
            RUN(&f, _i, 0xd63b0006, 0x04120500);
        for (unsigned lane = 0; lane < LANES; lane++) {
            const uint32_t words[] = { s.vgpr[lane], s.vgpr[64 + lane], s.vgpr[128 + lane] };
            uint8_t bytes[12];
            memcpy(bytes, words, 12);
            uint64_t want = 0;
            for (unsigned i = 0; i < 4; i++) {
                const uint32_t c = s.vgpr[(4 + i / 2) * 64 + lane] >> 16 * (i % 2);
                const uint32_t sum = differences(bytes + i, bytes + 8, masked) + c;
                want |= (uint64_t)(uint16_t)sum << 16 * i;
            }
            ck_assert_uint_eq(get_pair(&f, 6, lane), want);
        }
    }
    RUN(&f, _i, 0xd63d0008, 0x04120500); /* v_mqsad_u32_u8 v[8:11], v[0:1], v2, v[4:7] */
    for (unsigned lane = 0; lane < LANES; lane++) {
        const uint32_t words[] = { s.vgpr[lane], s.vgpr[64 + lane], s.vgpr[128 + lane] };
        uint8_t bytes[12];
        memcpy(bytes, words, 12);
        for (unsigned i = 0; i < 4; i++)
            ck_assert_uint_eq(reg(&f, 8 + i)[lane],
                              differences(bytes + i, bytes + 8, true) + reg(&f, 4 + i)[lane]);
    }
    fixture_free(&f);
}
END_TEST

/* ds_mskor_rtn_b32 and _b64, ds_mskor_b32, ds_nop; ds_wrap_rtn_b32 of gfx11. */
START_TEST(shared_memory)
{
    fixture f;
    fixture_init(&f, 9);
    for (unsigned lane = 0; lane < LANES; lane++)
        reg(&f, 2)[lane] = 16 * lane;
    snapshot s;
    take(&f, &s);
    RUN(&f, _i, 0xd8b00004, 0x08050402, 0xd9b00008, 0x0a060402, 0xd8300000, 0x00050402, 0xd8500000, 0);
    for (unsigned lane = 0; lane < LANES; lane++) {
        uint32_t old[4], now[4], mask[2], bits[4];
        memcpy(old, s.lds + 16 * lane, 16);
        memcpy(now, f.lds + 16 * lane, 16);
        for (unsigned i = 0; i < 4; i++)
            bits[i] = s.vgpr[(4 + i) * 64 + lane];
        memcpy(mask, bits, 8);
        ck_assert(reg(&f, 8)[lane] == old[1] && now[1] == ((old[1] & ~mask[0]) | bits[1]));
        ck_assert(reg(&f, 10)[lane] == old[2] && reg(&f, 11)[lane] == old[3]);
        ck_assert(now[2] == ((old[2] & ~mask[0]) | bits[2]) && now[3] == ((old[3] & ~mask[1]) | bits[3]));
        ck_assert_uint_eq(now[0], (old[0] & ~mask[0]) | bits[1]);
    }
    fixture_free(&f);
}
END_TEST

/* The place in a ring: down by the first datum if that many are there, otherwise up by the second. */
START_TEST(rings)
{
    fixture f;
    fixture_init(&f, 10);
    for (unsigned lane = 0; lane < LANES; lane++) {
        reg(&f, 2)[lane] = 4 * lane;
        if (lane & 1)
            memcpy(&reg(&f, 4)[lane], f.lds + 4 * lane + 4, 4);
    }
    snapshot s;
    take(&f, &s);
    RUN(&f, _i, 0xd8d00004, 0x08050402);
    for (unsigned lane = 0; lane < LANES; lane++) {
        uint32_t old, now;
        const uint32_t down = s.vgpr[4 * 64 + lane], up = s.vgpr[5 * 64 + lane];
        memcpy(&old, s.lds + 4 * lane + 4, 4);
        memcpy(&now, f.lds + 4 * lane + 4, 4);
        ck_assert(reg(&f, 8)[lane] == old && now == (old < down ? old + up : old - down));
    }
    fixture_free(&f);
}
END_TEST

/* No debugger is attached: s_cbranch_cdbg* never branch. */
START_TEST(debuggers)
{
    fixture f;
    fixture_init(&f, 11);
    RUN(&f, _i, 0xbfa70001, 0xbe800081, 0xbfa80001, 0xbe810082, 0xbfa90001, 0xbe820083, 0xbfaa0001,
        0xbe830084);
    for (unsigned i = 0; i < 4; i++)
        ck_assert_uint_eq(f.wave[0].sgpr[i], i + 1);
    fixture_free(&f);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("kept");
    tcase_add_loop_test(tc, cubes, 0, ARCHS);
    tcase_add_loop_test(tc, cube_edges, 0, ARCHS);
    tcase_add_loop_test(tc, differences_of_bytes, 0, ARCHS);
    tcase_add_loop_test(tc, shared_memory, 0, ARCHS);
    tcase_add_loop_test(tc, rings, 0, 2);
    tcase_add_loop_test(tc, debuggers, 0, 2);
    return run_suite("machine_rdna_kept", tc);
}

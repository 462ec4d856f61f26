/* SPDX-License-Identifier: MIT */
/* The initial state of waves: registers by the kernel descriptor, LDS by the launch. */
#include "emu/amdgpu/control/setup.h"
#include "machine/fixture.h"

enum { POISON = 0x5a5a5a5a };

static lw_launch_options options_of(uint32_t dynamic_lds)
{
    lw_launch_options o = lw_launch_options_default();
    o.grid[0] = o.block[0] = 1;
    o.dynamic_lds = dynamic_lds;
    return o;
}

/* A session with its AMD part, in a module at the usual address. */
typedef struct prepared {
    lw_module module;
    lw_session s;
    lw_amd_launch a;
    lw_amd_module own;
} prepared;

static void prepare(prepared *p, lw_arch arch)
{
    memset(p, 0, sizeof(*p));
    p->module.base = LW_ADDRESS_CODE;
    p->s.machine = &lw_amd_machine;
    p->s.module = &p->module;
    p->s.arch = arch;
    p->s.lanes = p->own.lanes = 64;
    p->s.ranks = 1;
    p->s.own = &p->a;
    p->module.own = &p->own;
}

/* MODE from its fields in rsrc1: rounding +inf and -inf, denormals kept and flushed, IEEE, FP16_OVFL. */
START_TEST(mode)
{
    const struct {
        uint32_t rsrc1, mode;
    } rows[] = {
        { 1u << 12 | 2u << 14 | 3u << 16 | 0u << 18, 0x39 },
        { 1u << 21, 1u << 8 },
        { 1u << 23, 1u << 9 },
        { 1u << 26, 1u << 23 },
        { 0x00af0000 | 0x3f, 0x3f0 }, /* as compiled by clang */
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        prepared m;
        prepare(&m, LW_ARCH_GFX942);
        const lw_kernel k = { .info = { .name = "k" }, .desc = { .rsrc1 = rows[i].rsrc1 } };
        ck_assert_int_eq(lw_setup_registers(&m.s, &k, NULL), LW_OK);
        ck_assert_uint_eq(m.a.mode, rows[i].mode);
    }
}
END_TEST

/* Granules of 8 over both register files; accumulation registers begin at accum_offset. */
START_TEST(register_files)
{
    const struct {
        uint32_t granules, accum;
        unsigned vgprs, agprs, limit;
    } rows[] = { { 5, 4, 20, 28, 48 },
                 { 0, 0, 4, 4, 8 },
                 { 63, 63, 256, 256, 256 },
                 { 0, 3, 8, 0, 8 },
                 { 63, 31, 128, 256, 256 } };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        prepared m;
        prepare(&m, LW_ARCH_GFX950);
        const lw_kernel k = { .info = { .name = "k" },
                              .desc = { .rsrc1 = rows[i].granules, .rsrc3 = rows[i].accum } };
        ck_assert_int_eq(lw_setup_registers(&m.s, &k, NULL), LW_OK);
        ck_assert_uint_eq(m.a.vgprs, rows[i].vgprs);
        ck_assert_uint_eq(m.a.agprs, rows[i].agprs);
        ck_assert_uint_eq(m.a.vgpr_limit, rows[i].limit);
    }
}
END_TEST

START_TEST(refused_descriptors)
{
    prepared m;
    prepare(&m, LW_ARCH_GFX950);
    const lw_kernel wave32 = { .info = { .name = "k" }, .desc = { .properties = 1u << 10 } };
    ck_assert_int_eq(lw_setup_registers(&m.s, &wave32, NULL), LW_E_FORMAT);
    const lw_kernel wave64 = { .info = { .name = "k" } };
    for (uint32_t fours = 4; fours < 8; fours += 3) { /* named barriers of gfx1250, in units of four */
        prepared named;
        prepare(&named, LW_ARCH_GFX1250);
        named.own.lanes = 32;
        const lw_kernel k = { .info = { .name = "k" },
                              .desc = { .properties = 1u << 10, .rsrc3 = fours << 14 } };
        ck_assert_int_eq(lw_setup_registers(&named.s, &k, NULL), fours == 4 ? LW_OK : LW_E_FORMAT);
    }
    prepared rdna;
    lw_error error;
    prepare(&rdna, LW_ARCH_GFX1100);
    rdna.own.lanes = 32; /* the size of another kernel in the file */
    ck_assert_int_eq(lw_setup_registers(&rdna.s, &wave64, &error), LW_E_UNSUPPORTED);
    ck_assert_str_eq(error.text,
                     "kernel k asks for waves of 64 lanes, but the file's first kernel for waves of 32; one "
                     "file has one size of waves in this version");
    rdna.own.lanes = 64; /* granules of four registers */
    const lw_kernel granules = { .info = { .name = "k" }, .desc = { .rsrc1 = 5 } };
    ck_assert_int_eq(lw_setup_registers(&rdna.s, &granules, NULL), LW_OK);
    ck_assert_uint_eq(rdna.a.vgprs, 24);
    const lw_kernel many = { .info = { .name = "k" }, .desc = { .rsrc2 = 17u << 1 } };
    ck_assert_int_eq(lw_setup_registers(&m.s, &many, NULL), LW_E_FORMAT);
}
END_TEST

/* One wave of a prepared machine. */
typedef struct started {
    lw_wave wave;
    lw_group group;
    uint32_t v0[64];
} started;

static void start(started *s, prepared *m, uint32_t wave)
{
    memset(s, 0, sizeof(*s));
    s->group = (lw_group){ .session = &m->s, .id = { 70, 80, 90 }, .wave_count = 2 };
    s->wave.vgpr = s->v0;
    s->wave.head.group = &s->group;
    s->wave.head.id = s->wave.head.place = wave;
    for (unsigned lane = 0; lane < 64; lane++)
        s->v0[lane] = POISON;
    lw_amd_start(&s->wave.head);
}

static void prepare_kernel(prepared *p, const lw_kernel *k, uint8_t *kernarg)
{
    static const lw_setup_addresses at = { LW_ADDRESS_KERNARG, LW_ADDRESS_PACKET };
    prepare(p, LW_ARCH_GFX950);
    for (int d = 0; d < 3; d++) {
        p->s.block[d] = 3 + 2 * (uint32_t)d;
        p->s.items[d] = 100 * p->s.block[d];
        p->s.groups[d] = 100;
    }
    p->s.scratch_size = 0x44;
    p->s.poison = POISON;
    p->a.kernarg = kernarg;
    ck_assert_int_eq(lw_setup_registers(&p->s, k, NULL), LW_OK);
    lw_setup_entry(&p->s, k, &at);
}

/* System SGPRs begin at the declared count, however few user SGPRs are filled. */
START_TEST(sparse_sgprs)
{
    const lw_kernel k = {
        .info = { .name = "k" },
        .desc = { .entry = 0x1000, .rsrc2 = 15u << 1 | 1u << 7 | 1u << 9 | 1u << 10, .properties = 1u << 3 }
    };
    prepared m;
    prepare_kernel(&m, &k, NULL);
    ck_assert_uint_eq(m.s.entry, LW_ADDRESS_CODE + 0x1000);
    for (uint32_t wave = 0; wave < 2; wave++) {
        started s;
        start(&s, &m, wave);
        ck_assert_uint_eq(lw_wave_sgpr64(&s.wave, 0), LW_ADDRESS_KERNARG);
        for (unsigned i = 2; i < 15; i++)
            ck_assert_uint_eq(s.wave.sgpr[i], POISON);
        ck_assert_uint_eq(s.wave.sgpr[15], 70);
        ck_assert_uint_eq(s.wave.sgpr[16], 90);
        ck_assert_uint_eq(s.wave.sgpr[17], wave == 0 ? 0x80000002 : 2);
        ck_assert_uint_eq(s.wave.sgpr[18], POISON);
    }
}
END_TEST

/* All registers that can be requested, in order; 4 + 5 * 2 + 1 registers. */
START_TEST(dense_sgprs)
{
    const lw_kernel k = { .info = { .name = "k" }, .desc = { .rsrc2 = 15u << 1, .properties = 0x7f } };
    prepared m;
    prepare_kernel(&m, &k, NULL);
    started s;
    start(&s, &m, 0);
    ck_assert_uint_eq(lw_wave_sgpr64(&s.wave, 4), LW_ADDRESS_PACKET);
    ck_assert_uint_eq(lw_wave_sgpr64(&s.wave, 8), LW_ADDRESS_KERNARG);
    ck_assert_uint_eq(s.wave.sgpr[14], 0x44);
    ck_assert_uint_eq(s.wave.sgpr[15], POISON);
}
END_TEST

/* Preloaded arguments follow the other user SGPRs, and the code that would load them is jumped over. */
START_TEST(preloaded_arguments)
{
    uint8_t kernarg[40];
    for (unsigned i = 0; i < sizeof(kernarg); i++)
        kernarg[i] = (uint8_t)i;
    const lw_kernel k = { .info = { .name = "k", .kernarg_size = sizeof(kernarg) },
                          .desc = { .entry = 0x1000,
                                    .rsrc2 = 5u << 1 | 1u << 7,
                                    .properties = 1u << 3,
                                    .preload_length = 3,
                                    .preload_offset = 5 } };
    prepared m;
    prepare_kernel(&m, &k, kernarg);
    ck_assert_uint_eq(m.s.entry, LW_ADDRESS_CODE + 0x1000 + 256);
    ck_assert_uint_eq(m.s.kernel_base, LW_ADDRESS_CODE + 0x1000);
    started s;
    start(&s, &m, 0);
    ck_assert_uint_eq(lw_wave_sgpr64(&s.wave, 0), LW_ADDRESS_KERNARG);
    ck_assert_uint_eq(s.wave.sgpr[2], 0x17161514);
    ck_assert_uint_eq(s.wave.sgpr[3], 0x1b1a1918);
    ck_assert_uint_eq(s.wave.sgpr[4], 0x1f1e1d1c);
    ck_assert_uint_eq(s.wave.sgpr[5], 70);
}
END_TEST

/* v0 = x | y << 10 | z << 20 as far as requested; x is fastest; 105 work-items leave 41 in the second
 * wave. */
START_TEST(packed_item_ids)
{
    for (unsigned dims = 1; dims <= 3; dims++) {
        const lw_kernel k = { .info = { .name = "k" }, .desc = { .rsrc2 = (dims - 1) << 11 } };
        prepared m;
        prepare_kernel(&m, &k, NULL);
        for (uint32_t wave = 0; wave < 2; wave++) {
            started s;
            start(&s, &m, wave);
            ck_assert_uint_eq(lw_wave_exec(&s.wave), wave ? (UINT64_C(1) << 41) - 1 : UINT64_MAX);
            unsigned item = 0;
            for (uint32_t z = 0; z < 7; z++)
                for (uint32_t y = 0; y < 5; y++)
                    for (uint32_t x = 0; x < 3; x++, item++)
                        if (item / 64 == wave)
                            ck_assert_uint_eq(s.v0[item % 64],
                                              x | (dims > 1 ? y << 10 : 0) | (dims > 2 ? z << 20 : 0));
            for (unsigned lane = 41; wave && lane < 64; lane++)
                ck_assert_uint_eq(s.v0[lane], POISON);
        }
    }
}
END_TEST

/* Granules and limits of LDS by architecture; 0: refused. */
START_TEST(lds_sizes)
{
    const struct {
        lw_arch arch;
        uint32_t fixed, dynamic, size;
    } rows[] = {
        { LW_ARCH_GFX942, 1, 0, 512 },
        { LW_ARCH_GFX942, 500, 13, 1024 },
        { LW_ARCH_GFX942, 65536, 0, 65536 },
        { LW_ARCH_GFX942, 65536, 1, 0 },
        { LW_ARCH_GFX950, 1, 0, 1280 },
        { LW_ARCH_GFX950, 65536, 65536, 131840 },
        { LW_ARCH_GFX950, 100000, 63840, 163840 },
        { LW_ARCH_GFX950, 100000, 63841, 0 },
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        prepared m;
        prepare(&m, rows[i].arch);
        const lw_kernel k = { .info = { .name = "k", .lds_size = rows[i].fixed },
                              .desc = { .group_segment_size = rows[i].fixed } };
        const lw_launch_options o = options_of(rows[i].dynamic);
        const lw_status status = lw_setup_sizes(&m.s, &o, &k, NULL);
        ck_assert_int_eq(status, rows[i].size ? LW_OK : LW_E_ARGUMENT);
        if (rows[i].size)
            ck_assert_uint_eq(m.s.lds_size, rows[i].size);
    }
}
END_TEST

/* Dynamic LDS begins at its argument's alignment, and ends that much later. */
START_TEST(aligned_dynamic_lds)
{
    const lw_arg_info args[] = { { .name = "a", .kind = LW_ARG_LDS, .size = 4, .pointee_align = 16 },
                                 { .name = "b", .kind = LW_ARG_LDS, .size = 4, .pointee_align = 1 } };
    lw_kernel k = { .info = { .name = "k", .args = args, .arg_count = 1, .lds_size = 4 },
                    .desc = { .group_segment_size = 4 } };
    prepared m;
    prepare(&m, LW_ARCH_GFX942);
    lw_launch_options o = options_of(500);
    ck_assert_int_eq(lw_setup_sizes(&m.s, &o, &k, NULL), LW_OK);
    ck_assert_uint_eq(m.s.lds_size, 1024);

    /* One size cannot serve two arrays; a caller who writes the argument block knows where they begin. */
    k.info.arg_count = 2;
    ck_assert_int_eq(lw_setup_sizes(&m.s, &o, &k, NULL), LW_E_UNSUPPORTED);
    o.kernarg = args;
    ck_assert_int_eq(lw_setup_sizes(&m.s, &o, &k, NULL), LW_OK);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("setup");
    tcase_add_test(tc, mode);
    tcase_add_test(tc, register_files);
    tcase_add_test(tc, refused_descriptors);
    tcase_add_test(tc, sparse_sgprs);
    tcase_add_test(tc, dense_sgprs);
    tcase_add_test(tc, preloaded_arguments);
    tcase_add_test(tc, packed_item_ids);
    tcase_add_test(tc, lds_sizes);
    tcase_add_test(tc, aligned_dynamic_lds);
    return run_suite("machine_setup", tc);
}

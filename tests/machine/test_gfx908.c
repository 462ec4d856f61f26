/* SPDX-License-Identifier: MIT */
/* What gfx908 does otherwise than gfx90a: two register files, three registers for the ids, older
 * instructions. Expected numbers: LLVM AMDGPUUsage ("Kernel Descriptor", "Initial Kernel Execution State")
 * and plain arithmetic. */
#include "emu/amdgpu/control/setup.h"
#include "machine/fixture.h"

static void init(fixture *f, uint64_t seed)
{
    fixture_init(f, seed);
    f->options.arch = LW_ARCH_GFX908;
}

static float float_of(uint32_t bits)
{
    float v;
    memcpy(&v, &bits, sizeof(v));
    return v;
}

static uint32_t bits_of(float v)
{
    uint32_t bits;
    memcpy(&bits, &v, sizeof(bits));
    return bits;
}

/* Granules of four registers, as many of each kind; accum_offset does not exist. */
START_TEST(two_files)
{
    const struct {
        uint32_t granules;
        unsigned registers;
    } rows[] = { { 0, 4 }, { 5, 24 }, { 63, 256 } };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        lw_amd_module own = { .lanes = 64 };
        lw_module module = { .own = &own };
        lw_amd_launch a = { 0 };
        lw_session s = {
            .machine = &lw_amd_machine, .module = &module, .arch = LW_ARCH_GFX908, .lanes = 64, .own = &a
        };
        const lw_kernel k = { .info = { .name = "k" }, .desc = { .rsrc1 = rows[i].granules, .rsrc3 = 63 } };
        ck_assert_int_eq(lw_setup_registers(&s, &k, NULL), LW_OK);
        ck_assert_uint_eq(a.vgprs, rows[i].registers);
        ck_assert_uint_eq(a.agprs, rows[i].registers);
        ck_assert_uint_eq(a.vgpr_limit, rows[i].registers);
    }
}
END_TEST

/* v0, v1 and v2 hold x, y and z, as many as the kernel requests; the other registers stay. */
START_TEST(ids_in_three_registers)
{
    enum { POISON = 0x5a5a5a5a, REGISTERS = 4 };
    for (unsigned dims = 1; dims <= 3; dims++) {
        uint32_t v[REGISTERS][64];
        for (unsigned i = 0; i < REGISTERS * 64; i++)
            v[i / 64][i % 64] = POISON;
        lw_amd_launch a = { .vgprs = REGISTERS, .vgpr_limit = REGISTERS, .item_id_dims = dims };
        lw_session s = { .arch = LW_ARCH_GFX908, .lanes = 64, .own = &a };
        for (int d = 0; d < 3; d++) {
            s.block[d] = 3 + (uint32_t)d;
            s.items[d] = s.block[d];
            s.groups[d] = 1;
        }
        lw_group group = { .session = &s, .wave_count = 1 };
        lw_wave w = { .vgpr = v[0], .head = { .group = &group } };
        lw_amd_start(&w.head);
        for (uint32_t lane = 0; lane < 60; lane++) {
            const uint32_t id[3] = { lane % 3, lane / 3 % 4, lane / 12 };
            for (unsigned d = 0; d < 3; d++)
                ck_assert_uint_eq(v[d][lane], d < dims ? id[d] : POISON);
        }
        ck_assert_uint_eq(v[0][60], POISON);
        ck_assert_uint_eq(v[3][0], POISON);
    }
}
END_TEST

/* Sixteen products of 4 x 1 by 1 x 4: C and D are accumulation registers, which share nothing with the
 * others. */
START_TEST(accumulators_beside)
{
    fixture f;
    init(&f, 1);
    uint32_t before[8 * 64];
    for (unsigned lane = 0; lane < 64; lane++)
        for (unsigned r = 0; r < 4; r++)
            reg(&f, r)[lane] = bits_of((float)(int)(mix(r * 64 + lane) % 31) - 15);
    memcpy(before, f.vgpr[0], sizeof(before));
    fixture_ok(&f, "gfx908_product");
    for (unsigned lane = 0; lane < 64; lane++)
        for (unsigned row = 0; row < 4; row++) {
            const float c[4] = { float_of(before[2 * 64 + lane]), float_of(before[3 * 64 + lane]), 1, 0 };
            const float a = float_of(before[lane / 4 * 4 + row]), b = float_of(before[64 + lane]);
            ck_assert_uint_eq(f.agpr[0][(8 + row) * 64 + lane], bits_of(a * b + c[row]));
            ck_assert_uint_eq(reg(&f, 4 + row)[lane], bits_of(a * b + c[row]));
        }
    ck_assert_mem_eq(f.vgpr[0], before, 4 * 64 * sizeof(uint32_t));
    fixture_free(&f);
}
END_TEST

/* Bit 13 of a load (gfx90a, too) sends each lane's dword to LDS, from M0 and the instruction's offset on. */
START_TEST(loads_to_lds)
{
    fixture f;
    init(&f, 2);
    f.options.arch = _i ? LW_ARCH_GFX90A : LW_ARCH_GFX908;
    for (unsigned lane = 0; lane < 64; lane++)
        set_pair(&f, 0, lane, f.address + 12 * lane);
    snapshot s;
    take(&f, &s);
    fixture_ok(&f, "gfx908_to_lds");
    for (unsigned lane = 0; lane < 64; lane++)
        memcpy(s.lds + 64 + 8 + 4 * lane, f.buffer + 12 * lane + 8, 4);
    same_as(&f, &s, "load to LDS");
    fixture_free(&f);
}
END_TEST

/* Zero times anything is zero; v_mad_f32 rounds the product before it adds. */
START_TEST(legacy_products)
{
    fixture f;
    init(&f, 3);
    for (unsigned lane = 0; lane < 64; lane++) {
        reg(&f, 0)[lane] = lane % 3 ? bits_of(1 + (float)lane / 64) : 0;
        reg(&f, 1)[lane] = lane % 2 ? bits_of(3) : 0x7f800000;
    }
    fixture_ok(&f, "gfx908_legacy");
    for (unsigned lane = 0; lane < 64; lane++) {
        const uint32_t own = reg(&f, 0)[lane], other = reg(&f, 1)[lane];
        const uint32_t product = own ? bits_of(float_of(own) * float_of(other)) : 0;
        ck_assert_uint_eq(reg(&f, 2)[lane], product);
        if (lane % 16 != 15) { /* row_shl:1 reads the next lane */
            const uint32_t next = reg(&f, 0)[lane + 1];
            ck_assert_uint_eq(reg(&f, 3)[lane], next ? bits_of(float_of(next) * float_of(other)) : 0);
        }
        if (lane % 2 && lane % 3) {
            const float sum = float_of(own) * float_of(other);
            ck_assert_uint_eq(reg(&f, 4)[lane], bits_of(sum + sum));
        }
    }
    fixture_free(&f);
}
END_TEST

/* What is decoded but not executed stops with its name. */
START_TEST(refused_by_name)
{
    fixture f;
    init(&f, 4);
    ck_assert_int_ne(fixture_run(&f, "gfx908_gds", 1), LW_OK);
    ck_assert_ptr_nonnull(strstr(f.error.text, "global data share"));
    fixture_free(&f);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("gfx908");
    tcase_add_test(tc, two_files);
    tcase_add_test(tc, ids_in_three_registers);
    tcase_add_test(tc, accumulators_beside);
    tcase_add_loop_test(tc, loads_to_lds, 0, 2);
    tcase_add_test(tc, legacy_products);
    tcase_add_test(tc, refused_by_name);
    return run_suite("machine_gfx908", tc);
}

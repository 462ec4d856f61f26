/* SPDX-License-Identifier: MIT */
/* Loads and stores of every class and width, compared with a byte-wise model. */
#include <stdio.h>

#include "machine/fixture.h"

/* The properties in the name of a load or store. */
typedef struct form {
    const char *suffix;
    unsigned bytes;
    bool is_signed, d16, high;
} form;

static const form LOADS[] = {
    { "ubyte", 1, false, false, false },    { "sbyte", 1, true, false, false },
    { "ushort", 2, false, false, false },   { "sshort", 2, true, false, false },
    { "dword", 4, false, false, false },    { "dwordx2", 8, false, false, false },
    { "dwordx3", 12, false, false, false }, { "dwordx4", 16, false, false, false },
    { "ubyte_d16", 1, false, true, false }, { "ubyte_d16_hi", 1, false, true, true },
    { "sbyte_d16", 1, true, true, false },  { "sbyte_d16_hi", 1, true, true, true },
    { "short_d16", 2, false, true, false }, { "short_d16_hi", 2, false, true, true },
};

static const form STORES[] = {
    { "byte", 1, false, false, false },      { "short", 2, false, false, false },
    { "dword", 4, false, false, false },     { "dwordx2", 8, false, false, false },
    { "dwordx3", 12, false, false, false },  { "dwordx4", 16, false, false, false },
    { "byte_d16_hi", 1, false, true, true }, { "short_d16_hi", 2, false, true, true },
};

enum { LOAD_FORMS = sizeof(LOADS) / sizeof(LOADS[0]), STORE_FORMS = sizeof(STORES) / sizeof(STORES[0]) };

static const uint64_t EXEC = UINT64_C(0xfedc00017fff8085);

static uint32_t byte_sum(const uint8_t *bytes, unsigned count)
{
    uint32_t v = 0;
    for (unsigned i = 0; i < count; i++)
        v += (uint32_t)bytes[i] << (8 * i);
    return v;
}

/* The registers v4.. of one lane after loading these bytes. */
static void model_load(const form *m, const uint8_t *bytes, uint32_t *v4)
{
    if (m->bytes >= 4) {
        for (unsigned i = 0; i < m->bytes / 4; i++)
            v4[64 * i] = byte_sum(bytes + 4 * i, 4);
        return;
    }
    uint32_t v = byte_sum(bytes, m->bytes);
    const uint32_t bits = 8 * m->bytes;
    if (m->is_signed && v >= 1u << (bits - 1))
        v += UINT32_MAX << bits;
    if (m->d16)
        v = m->high ? v * 65536 : v % 65536;
    *v4 = v;
}

static void model_store(const form *m, uint8_t *bytes, const uint32_t *v4)
{
    for (unsigned i = 0; i < m->bytes; i++)
        bytes[i] = (uint8_t)(v4[64 * (i / 4)] >> (8 * (i % 4) + (m->high ? 16 : 0)));
}

static void name_of(char *name, size_t size, const char *head, const form *m)
{
    snprintf(name, size, "%s_%s", head, m->suffix);
}

/* Unaligned places, not overlapping for stores. */
static uint32_t place(unsigned lane)
{
    return 40 + 19 * lane + lane % 3;
}

START_TEST(global_loads)
{
    const form *m = &LOADS[_i];
    char name[64];
    name_of(name, sizeof(name), "global_load", m);
    fixture f;
    fixture_init(&f, (uint64_t)_i + 1);
    for (unsigned lane = 0; lane < 64; lane++)
        set_pair(&f, 0, lane, f.address + place(lane) + 7);
    set_exec(&f, EXEC);
    snapshot s;
    take(&f, &s);
    for (unsigned lane = 0; lane < 64; lane++)
        if (EXEC >> lane & 1)
            model_load(m, f.buffer + place(lane), &s.vgpr[4 * 64 + lane]);
    fixture_ok(&f, name);
    same_as(&f, &s, name);
    fixture_free(&f);
}
END_TEST

START_TEST(global_stores)
{
    const form *m = &STORES[_i];
    char name[64];
    name_of(name, sizeof(name), "global_store", m);
    fixture f;
    fixture_init(&f, (uint64_t)_i + 1);
    set_scalar64(&f, 4, f.address - 11);
    for (unsigned lane = 0; lane < 64; lane++)
        reg(&f, 2)[lane] = place(lane);
    set_exec(&f, EXEC);
    snapshot s;
    take(&f, &s);
    for (unsigned lane = 0; lane < 64; lane++)
        if (EXEC >> lane & 1)
            model_store(m, s.buffer + place(lane), &f.vgpr[0][4 * 64 + lane]);
    fixture_ok(&f, name);
    same_as(&f, &s, name);
    fixture_free(&f);
}
END_TEST

/* A raw buffer of `records` bytes at buffer + 64 in s[0:3]. */
static void set_resource(fixture *f, uint32_t records, uint32_t stride, uint32_t word3)
{
    const uint64_t base = f->address + 64;
    f->wave[0].sgpr[0] = (uint32_t)base;
    f->wave[0].sgpr[1] = (uint32_t)(base >> 32) | stride << 16;
    f->wave[0].sgpr[2] = records;
    f->wave[0].sgpr[3] = word3;
}

/* Lanes reach beyond num_records: whole dwords (or the small element) inside it count, the rest is zero. */
static void model_raw_load(const form *m, const fixture *f, uint32_t offset, uint32_t records, uint32_t *v4)
{
    uint8_t bytes[16] = { 0 };
    const unsigned unit = m->bytes < 4 ? m->bytes : 4;
    for (unsigned i = 0; i < m->bytes; i += unit)
        if ((uint64_t)offset + i + unit <= records)
            memcpy(bytes + i, f->buffer + 64 + offset + i, unit);
    model_load(m, bytes, v4);
}

START_TEST(buffer_loads)
{
    const form *m = &LOADS[_i];
    char name[64];
    name_of(name, sizeof(name), "buffer_load", m);
    fixture f;
    fixture_init(&f, (uint64_t)_i + 1);
    set_resource(&f, 1001, 0, 0x00027000);
    f.wave[0].sgpr[8] = 12;
    for (unsigned lane = 0; lane < 64; lane++)
        reg(&f, 2)[lane] = lane == 63 ? 0x80000000 : place(lane);
    snapshot s;
    take(&f, &s);
    for (unsigned lane = 0; lane < 64; lane++)
        model_raw_load(m, &f, lane == 63 ? 0x80000011 : place(lane) + 17, 1001, &s.vgpr[4 * 64 + lane]);
    fixture_ok(&f, name);
    same_as(&f, &s, name);
    fixture_free(&f);
}
END_TEST

START_TEST(buffer_stores)
{
    const form *m = &STORES[_i];
    char name[64];
    name_of(name, sizeof(name), "buffer_store", m);
    fixture f;
    fixture_init(&f, (uint64_t)_i + 1);
    set_resource(&f, 1001, 0, 0x00027000);
    f.wave[0].sgpr[8] = 12;
    for (unsigned lane = 0; lane < 64; lane++)
        reg(&f, 2)[lane] = place(lane);
    set_exec(&f, EXEC);
    snapshot s;
    take(&f, &s);
    for (unsigned lane = 0; lane < 64; lane++) {
        uint8_t bytes[16];
        const unsigned unit = m->bytes < 4 ? m->bytes : 4, at = place(lane) + 17;
        model_store(m, bytes, &f.vgpr[0][4 * 64 + lane]);
        for (unsigned i = 0; i < m->bytes && EXEC >> lane & 1; i += unit)
            if (at + i + unit <= 1001)
                memcpy(s.buffer + 64 + at + i, bytes + i, unit);
    }
    fixture_ok(&f, name);
    same_as(&f, &s, name);
    fixture_free(&f);
}
END_TEST

/* With the other reading, the scalar offset is not checked. */
START_TEST(range_check_without_soffset)
{
    static const char *const readings[] = { "buffer-range:without-soffset" };
    for (int with = 0; with < 2; with++) {
        fixture f;
        fixture_init(&f, 5);
        set_resource(&f, 100, 0, 0x00027000);
        f.wave[0].sgpr[8] = 96;
        for (unsigned lane = 0; lane < 64; lane++)
            reg(&f, 2)[lane] = lane;
        f.options.readings = readings;
        f.options.reading_count = (size_t)with;
        snapshot s;
        take(&f, &s);
        for (unsigned lane = 0; lane < 64; lane++)
            s.vgpr[4 * 64 + lane] = with ? byte_sum(f.buffer + 64 + 96 + 5 + lane, 4) : 0;
        fixture_ok(&f, "buffer_load_dword");
        same_as(&f, &s, "soffset");
        fixture_free(&f);
    }
}
END_TEST

START_TEST(structured_buffers)
{
    fixture f;
    fixture_init(&f, 6);
    set_resource(&f, 50, 24, 0x00027000);
    f.wave[0].sgpr[8] = 8;
    for (unsigned lane = 0; lane < 64; lane++)
        reg(&f, 2)[lane] = lane;
    snapshot s;
    take(&f, &s);
    for (unsigned lane = 0; lane < 64; lane++)
        s.vgpr[4 * 64 + lane] = lane < 50 ? byte_sum(f.buffer + 64 + 24 * lane + 8 + 4, 4) : 0;
    fixture_ok(&f, "buffer_struct");
    same_as(&f, &s, "index");

    for (unsigned lane = 0; lane < 64; lane++)
        reg(&f, 3)[lane] = lane % 3;
    take(&f, &s);
    for (unsigned lane = 0; lane < 64; lane++)
        for (unsigned i = 0; i < 2; i++)
            s.vgpr[(4 + i) * 64 + lane] =
                lane < 50 ? byte_sum(f.buffer + 64 + 24 * lane + lane % 3 + 8 + 4 * i, 4) : 0;
    fixture_ok(&f, "buffer_both");
    same_as(&f, &s, "index and offset");
    fixture_free(&f);
}
END_TEST

/* The index that is checked is the one that is used: with ADD_TID the lane's number is part of it. */
START_TEST(structured_buffer_with_lanes)
{
    fixture f;
    fixture_init(&f, 8);
    set_resource(&f, 50, 24, 0x00800000);
    f.wave[0].sgpr[8] = 8;
    for (unsigned lane = 0; lane < 64; lane++)
        reg(&f, 2)[lane] = 3;
    snapshot s;
    take(&f, &s);
    for (unsigned lane = 0; lane < 64; lane++)
        s.vgpr[4 * 64 + lane] = lane + 3 < 50 ? byte_sum(f.buffer + 64 + 24 * (lane + 3) + 8 + 4, 4) : 0;
    fixture_ok(&f, "buffer_struct");
    same_as(&f, &s, "index and lane");
    fixture_free(&f);
}
END_TEST

/* The scratch-like swizzle: add-tid, index stride 64, offset/4 rows of 64 dwords. */
START_TEST(swizzled_buffer)
{
    fixture f;
    fixture_init(&f, 7);
    set_resource(&f, 0, 0x8000, 1u << 23 | 3u << 21);
    f.wave[0].sgpr[8] = 4;
    snapshot s;
    take(&f, &s);
    for (unsigned lane = 0; lane < 64; lane++)
        s.vgpr[4 * 64 + lane] = byte_sum(f.buffer + 64 + 4 + 12 / 4 * 256 + lane * 4, 4);
    fixture_ok(&f, "buffer_none");
    same_as(&f, &s, "add-tid");
    fixture_free(&f);
}
END_TEST

START_TEST(scratch_accesses)
{
    for (unsigned i = 0; i < STORE_FORMS; i++) {
        char store[64], load[64];
        name_of(store, sizeof(store), "scratch_store", &STORES[i]);
        const form *m = &LOADS[STORES[i].bytes == 1 ? 0 : STORES[i].bytes == 2 ? 2 : 3 + STORES[i].bytes / 4];
        name_of(load, sizeof(load), "scratch_load", m);
        fixture f;
        fixture_init(&f, i + 1);
        f.wave[0].sgpr[8] = 8;
        for (unsigned lane = 0; lane < 64; lane++)
            reg(&f, 2)[lane] = lane % 37;
        fixture_ok(&f, store); /* scratch is gone after a run: only faults and bounds can be observed */
        for (unsigned lane = 0; lane < 64; lane++)
            reg(&f, 2)[lane] = lane == 9 ? 60 : 0;
        ck_assert_int_eq(fixture_run(&f, load, 1), LW_E_FAULT);
        ck_assert_int_eq(f.result->fault.lane, 9);
        ck_assert_str_eq(f.result->fault.reason, "loads from scratch byte 0x47 of the lane's 64");
        fixture_free(&f);
    }
}
END_TEST

/* Data stored by one instruction is loaded by another, at other offsets, each lane separately. */
START_TEST(scratch_keeps)
{
    fixture f;
    fixture_init(&f, 14);
    f.options.scratch = 60;
    f.wave[0].sgpr[8] = 5;
    f.wave[0].sgpr[9] = 40;
    for (unsigned lane = 0; lane < 64; lane++)
        reg(&f, 2)[lane] = lane % 7;
    fixture_ok(&f, "scratch_both");
    for (unsigned lane = 0; lane < 64; lane++) {
        uint8_t stored[12], loaded[16];
        for (unsigned i = 0; i < 3; i++)
            memcpy(stored + 4 * i, &reg(&f, 4 + i)[lane], 4);
        for (unsigned i = 0; i < 4; i++)
            memcpy(loaded + 4 * i, &reg(&f, 8 + i)[lane], 4);
        ck_assert_mem_eq(loaded + 1, stored, 12);
        ck_assert_uint_eq(reg(&f, 12)[lane] >> 8 & 0xff, reg(&f, 7)[lane] & 0xff);
        ck_assert_uint_eq(reg(&f, 12)[lane] >> 16, reg(&f, 7)[lane] & 0x80 ? 0xffff : 0);
    }
    fixture_free(&f);
}
END_TEST

/* Flat addresses reach global memory, LDS and scratch through their apertures. */
START_TEST(flat_loads)
{
    const form *m = &LOADS[_i];
    char name[64];
    name_of(name, sizeof(name), "flat_load", m);
    fixture f;
    fixture_init(&f, (uint64_t)_i + 1);
    for (unsigned lane = 0; lane < 64; lane++)
        set_pair(&f, 0, lane,
                 lane & 1 ? UINT64_C(0x1000000000000) + place(lane) - 9 : f.address + place(lane) - 9);
    snapshot s;
    take(&f, &s);
    for (unsigned lane = 0; lane < 64; lane++)
        model_load(m, (lane & 1 ? f.lds : f.buffer) + place(lane), &s.vgpr[4 * 64 + lane]);
    fixture_ok(&f, name);
    same_as(&f, &s, name);
    fixture_free(&f);
}
END_TEST

/* Loads that go to LDS: slot, stride and offset of each form. */
static void check_lds_dma(const char *block, unsigned bytes, unsigned stride, unsigned m0, unsigned offset,
                          bool raw)
{
    fixture f;
    fixture_init(&f, 11);
    set_resource(&f, 900, 0, 0x00027000);
    f.wave[0].sgpr[8] = 16;
    for (unsigned lane = 0; lane < 64; lane++) {
        reg(&f, 2)[lane] = place(lane);
        set_pair(&f, 0, lane, f.address + place(lane));
        if (raw)
            reg(&f, 2)[lane] = place(lane);
    }
    set_exec(&f, EXEC);
    snapshot s;
    take(&f, &s);
    for (unsigned lane = 0; lane < 64; lane++) {
        uint8_t data[16] = { 0 };
        const unsigned at = raw ? place(lane) + 16 + offset : place(lane) + offset;
        const unsigned unit = bytes < 4 ? bytes : 4;
        for (unsigned i = 0; i < bytes; i += unit)
            if (!raw || at + i + unit <= 900)
                memcpy(data + i, f.buffer + (raw ? 64 : 0) + at + i, unit);
        const unsigned to = m0 + offset + lane * stride, size = bytes < 4 ? 4 : bytes;
        if (EXEC >> lane & 1 && to + size <= LDS)
            memcpy(s.lds + to, data, size);
    }
    fixture_ok(&f, block);
    s.vgpr[2 * 64] = f.vgpr[0][2 * 64];
    same_as(&f, &s, block);
    fixture_free(&f);
}

/* Buffer loads use 16 bits of M0 on gfx942 and 18 on gfx950; 0x40040 is then outside or inside. */
START_TEST(width_of_m0)
{
    static const struct {
        lw_arch arch;
        uint32_t m0;
        bool inside;
    } rows[] = {
        { LW_ARCH_GFX942, 0x10040, true },
        { LW_ARCH_GFX950, 0x10040, false },
        { LW_ARCH_GFX950, 0x40040, true },
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        fixture f;
        fixture_init(&f, 12);
        set_resource(&f, 900, 0, 0x00027000);
        f.options.arch = rows[i].arch;
        f.wave[0].sgpr[8] = 16;
        f.wave[0].sgpr[124] = rows[i].m0;
        memset(reg(&f, 2), 0, 256);
        set_exec(&f, 2);
        snapshot s;
        take(&f, &s);
        if (rows[i].inside)
            memcpy(s.lds + 0x40 + 4 + 4, f.buffer + 64 + 16 + 4, 4);
        fixture_ok(&f, "buffer_lds_m0");
        same_as(&f, &s, "width of M0");
        fixture_free(&f);
    }
}
END_TEST

START_TEST(loads_to_lds)
{
    check_lds_dma("buffer_lds", 4, 4, 0x40, 4, true);
    check_lds_dma("buffer_lds_x4", 16, 16, 0x40, 16, true);
    check_lds_dma("buffer_lds_x3", 12, 16, 0x40, 16, true);
    check_lds_dma("buffer_lds_ubyte", 1, 4, 0x40, 4, true);
    check_lds_dma("global_lds", 4, 4, 0x40, 8, false);
    check_lds_dma("global_lds_x4", 16, 16, 0x40, 32, false);
}
END_TEST

START_TEST(scalar_loads)
{
    fixture f;
    fixture_init(&f, 12);
    set_scalar64(&f, 4, f.address + 64 + 3); /* address bits 1:0 are ignored */
    f.wave[0].sgpr[8] = 20;
    fixture_ok(&f, "s_loads");
    const struct {
        unsigned first, count, offset;
    } want[] = { { 10, 1, 4 }, { 12, 2, 20 }, { 16, 4, 28 }, { 24, 8, 0 }, { 32, 16, (unsigned)-16 } };
    for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++)
        for (unsigned d = 0; d < want[i].count; d++)
            ck_assert_uint_eq(f.wave[0].sgpr[want[i].first + d],
                              byte_sum(f.buffer + 64 + (int)want[i].offset + 4 * d, 4));

    set_resource(&f, 16, 0, 0x00027000);
    f.wave[0].sgpr[8] = 16;
    fixture_ok(&f, "s_buffer_loads");
    for (unsigned d = 0; d < 4; d++)
        ck_assert_uint_eq(f.wave[0].sgpr[12 + d], d < 2 ? byte_sum(f.buffer + 64 + 8 + 4 * d, 4) : 0);
    ck_assert_uint_eq(f.wave[0].sgpr[16], 0);
    fixture_free(&f);
}
END_TEST

START_TEST(scalar_stores)
{
    fixture f;
    fixture_init(&f, 13);
    f.options.arch = LW_ARCH_GFX942;
    set_scalar64(&f, 4, f.address + 128);
    f.wave[0].sgpr[8] = 100;
    snapshot s;
    take(&f, &s);
    memcpy(s.buffer + 136, &f.wave[0].sgpr[10], 4);
    memcpy(s.buffer + 228, &f.wave[0].sgpr[12], 8);
    memcpy(s.buffer + 160, &f.wave[0].sgpr[16], 16);
    fixture_ok(&f, "s_stores");
    same_as(&f, &s, "scalar stores");
    fixture_free(&f);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("access");
    tcase_add_loop_test(tc, global_loads, 0, LOAD_FORMS);
    tcase_add_loop_test(tc, global_stores, 0, STORE_FORMS);
    tcase_add_loop_test(tc, buffer_loads, 0, LOAD_FORMS);
    tcase_add_loop_test(tc, buffer_stores, 0, STORE_FORMS);
    tcase_add_loop_test(tc, flat_loads, 0, LOAD_FORMS);
    tcase_add_test(tc, range_check_without_soffset);
    tcase_add_test(tc, structured_buffers);
    tcase_add_test(tc, structured_buffer_with_lanes);
    tcase_add_test(tc, swizzled_buffer);
    tcase_add_test(tc, scratch_accesses);
    tcase_add_test(tc, scratch_keeps);
    tcase_add_test(tc, width_of_m0);
    tcase_add_test(tc, loads_to_lds);
    tcase_add_test(tc, scalar_loads);
    tcase_add_test(tc, scalar_stores);
    return run_suite("machine_access", tc);
}

/* SPDX-License-Identifier: MIT */
/* Read-modify-write instructions of global memory, LDS and scalar memory, compared with a plain model. */
#include <stdio.h>

#include "machine/fixture.h"

/* The new value of an integer operation, computed with signed and unsigned C integers of the same width. */
static uint64_t model(const char *op, uint64_t old, uint64_t v, uint64_t second, unsigned bits)
{
    const uint64_t mask = bits == 64 ? UINT64_MAX : UINT32_MAX;
    const int64_t so = bits == 64 ? (int64_t)old : (int32_t)old, sv = bits == 64 ? (int64_t)v : (int32_t)v;
    uint64_t r = 0;
    if (strcmp(op, "swap") == 0 || strcmp(op, "wrxchg") == 0)
        r = v;
    else if (strcmp(op, "cmpswap") == 0)
        r = old == second ? v : old;
    else if (strcmp(op, "add") == 0)
        r = old + v;
    else if (strcmp(op, "sub") == 0)
        r = old - v;
    else if (strcmp(op, "rsub") == 0)
        r = v - old;
    else if (strcmp(op, "smin") == 0)
        r = so < sv ? old : v;
    else if (strcmp(op, "smax") == 0)
        r = so > sv ? old : v;
    else if (strcmp(op, "umin") == 0)
        r = old < v ? old : v;
    else if (strcmp(op, "umax") == 0)
        r = old > v ? old : v;
    else if (strcmp(op, "and") == 0)
        r = old & v;
    else if (strcmp(op, "or") == 0)
        r = old | v;
    else if (strcmp(op, "xor") == 0)
        r = old ^ v;
    else if (strcmp(op, "inc") == 0)
        r = old >= v ? 0 : old + 1;
    else if (strcmp(op, "dec") == 0)
        r = old == 0 || old > v ? v : old - 1;
    else
        ck_abort_msg("no model of %s", op);
    return r & mask;
}

static const char *const OPS[] = { "swap", "cmpswap", "add", "sub", "smin", "umin", "smax",
                                   "umax", "and",     "or",  "xor", "inc",  "dec" };
enum { OP_COUNT = sizeof(OPS) / sizeof(OPS[0]) };

static uint64_t load(const uint8_t *at, unsigned bytes)
{
    uint64_t v = 0;
    memcpy(&v, at, bytes);
    return v;
}

/* Eight lanes share a place, so that the order of lanes matters. Some old values equal their operand. */
static unsigned place(unsigned lane)
{
    return 128 + lane / 8 * 16;
}

static void prepare(fixture *f, unsigned bytes)
{
    for (unsigned lane = 0; lane < 64; lane++) {
        const unsigned p = place(lane);
        set_pair(f, 0, lane, f->address + p);
        reg(f, 2)[lane] = p;
        if (lane % 3 == 0 && bytes == 4) {
            memcpy(&reg(f, 5)[lane], f->buffer + p, 4);
            reg(f, 4)[lane] = lane % 2 ? 0 : (uint32_t)load(f->buffer + p, 4);
        } else if (lane % 3 == 0) {
            set_pair(f, 6, lane, load(f->buffer + p, 8));
            set_pair(f, 4, lane, lane % 2 ? 0 : load(f->buffer + p, 8));
        }
    }
    set_exec(f, UINT64_C(0xf7ffffffe0ff0f35));
}

static void check_global(const char *op, unsigned bytes)
{
    char name[64];
    snprintf(name, sizeof(name), "global_atomic_%s%s", op, bytes == 8 ? "_x2" : "");
    fixture f;
    fixture_init(&f, bytes + strlen(op));
    prepare(&f, bytes);
    snapshot s;
    take(&f, &s);
    for (unsigned lane = 0; lane < 64; lane++) {
        if (!(UINT64_C(0xf7ffffffe0ff0f35) >> lane & 1))
            continue;
        const uint64_t v = bytes == 8 ? get_pair(&f, 4, lane) : reg(&f, 4)[lane];
        const uint64_t second = bytes == 8 ? get_pair(&f, 6, lane) : reg(&f, 5)[lane];
        const uint64_t old = load(s.buffer + place(lane), bytes);
        const uint64_t new_value = model(op, old, v, second, 8 * bytes);
        memcpy(s.buffer + place(lane), &new_value, bytes);
        s.vgpr[8 * 64 + lane] = (uint32_t)old;
        if (bytes == 8)
            s.vgpr[9 * 64 + lane] = (uint32_t)(old >> 32);
    }
    fixture_ok(&f, name);
    same_as(&f, &s, name);
    fixture_free(&f);
}

START_TEST(global_atomics)
{
    check_global(OPS[_i], 4);
    check_global(OPS[_i], 8);
}
END_TEST

START_TEST(buffer_atomics)
{
    char name[64];
    snprintf(name, sizeof(name), "buffer_atomic_%s", OPS[_i]);
    fixture f;
    fixture_init(&f, (uint64_t)_i + 3);
    prepare(&f, 4);
    f.wave[0].sgpr[0] = (uint32_t)f.address;
    f.wave[0].sgpr[1] = (uint32_t)(f.address >> 32);
    f.wave[0].sgpr[2] = 128 + 16 * 6 + 3; /* the last lanes' places are out of range */
    f.wave[0].sgpr[3] = 0x00027000;
    f.wave[0].sgpr[8] = 5;
    for (unsigned lane = 0; lane < 64; lane++)
        reg(&f, 2)[lane] -= 5;
    set_exec(&f, UINT64_MAX);
    snapshot s;
    take(&f, &s);
    for (unsigned lane = 0; lane < 64; lane++) {
        const bool inside = place(lane) + 4 <= f.wave[0].sgpr[2];
        const uint64_t old = inside ? load(s.buffer + place(lane), 4) : 0;
        const uint64_t new_value = model(OPS[_i], old, reg(&f, 4)[lane], reg(&f, 5)[lane], 32);
        if (inside)
            memcpy(s.buffer + place(lane), &new_value, 4);
        s.vgpr[4 * 64 + lane] = (uint32_t)old;
    }
    snprintf(name, sizeof(name), "buffer_atomic_%s", OPS[_i]);
    fixture_ok(&f, name);
    same_as(&f, &s, name);
    fixture_free(&f);
}
END_TEST

START_TEST(scalar_atomics)
{
    char name[64];
    snprintf(name, sizeof(name), "s_atomic_%s", OPS[_i]);
    fixture f;
    fixture_init(&f, (uint64_t)_i + 9);
    f.options.arch = LW_ARCH_GFX942;
    set_scalar64(&f, 4, f.address + 48);
    const uint64_t old = load(f.buffer + 64, 4);
    const uint64_t new_value = model(OPS[_i], old, f.wave[0].sgpr[10], f.wave[0].sgpr[11], 32);
    fixture_ok(&f, name);
    ck_assert_uint_eq(load(f.buffer + 64, 4), new_value);
    ck_assert_uint_eq(f.wave[0].sgpr[10], (uint32_t)old);
    fixture_free(&f);
}
END_TEST

static const char *const LDS_OPS[][2] = {
    { "add_u", "add" },       { "sub_u", "sub" },  { "rsub_u", "rsub" }, { "inc_u", "inc" },
    { "dec_u", "dec" },       { "min_i", "smin" }, { "max_i", "smax" },  { "min_u", "umin" },
    { "max_u", "umax" },      { "and_b", "and" },  { "or_b", "or" },     { "xor_b", "xor" },
    { "wrxchg_b", "wrxchg" },
};
enum { LDS_OP_COUNT = sizeof(LDS_OPS) / sizeof(LDS_OPS[0]) };

static void check_lds(const char *spelling, const char *op, unsigned bytes)
{
    char name[64];
    snprintf(name, sizeof(name), "ds_%s%u", spelling, 8 * bytes);
    fixture f;
    fixture_init(&f, bytes + strlen(op));
    for (unsigned lane = 0; lane < 64; lane++)
        reg(&f, 2)[lane] = lane == 50 ? LDS : place(lane) - bytes;
    snapshot s;
    take(&f, &s);
    for (unsigned lane = 0; lane < 64; lane++) {
        const uint64_t v = bytes == 8 ? get_pair(&f, 4, lane) : reg(&f, 4)[lane];
        const uint64_t old = lane == 50 ? 0 : load(s.lds + place(lane), bytes);
        const uint64_t new_value = model(op, old, v, 0, 8 * bytes);
        if (lane != 50)
            memcpy(s.lds + place(lane), &new_value, bytes);
        s.vgpr[8 * 64 + lane] = (uint32_t)old;
        if (bytes == 8)
            s.vgpr[9 * 64 + lane] = (uint32_t)(old >> 32);
    }
    fixture_ok(&f, name);
    same_as(&f, &s, name);
    fixture_free(&f);
}

START_TEST(lds_atomics)
{
    check_lds(LDS_OPS[_i][0], LDS_OPS[_i][1], 4);
    check_lds(LDS_OPS[_i][0], LDS_OPS[_i][1], 8);
}
END_TEST

/* Two data operands: mask and bits, comparand and value, subtrahend and refill. */
START_TEST(lds_two_operands)
{
    static const char *const names[] = { "ds_mskor_b32", "ds_cmpst_b32", "ds_wrap_b32" };
    for (int which = 0; which < 3; which++) {
        fixture f;
        fixture_init(&f, 21);
        for (unsigned lane = 0; lane < 64; lane++) {
            reg(&f, 2)[lane] = 4 * lane;
            if (lane & 1)
                memcpy(&reg(&f, 4)[lane], f.lds + 4 * lane + 4, 4);
        }
        snapshot s;
        take(&f, &s);
        for (unsigned lane = 0; lane < 64; lane++) {
            const uint32_t old = (uint32_t)load(s.lds + 4 * lane + 4, 4), a = reg(&f, 4)[lane],
                           b = reg(&f, 5)[lane];
            const uint32_t want[] = { (old & ~a) | b, old == a ? b : old, old >= a ? old - a : old + b };
            memcpy(s.lds + 4 * lane + 4, &want[which], 4);
            s.vgpr[8 * 64 + lane] = old;
        }
        fixture_ok(&f, names[which]);
        same_as(&f, &s, names[which]);
        fixture_free(&f);
    }
}
END_TEST

/* One float atomic of lane 0: bits in memory, operand, expected. */
typedef struct float_case {
    const char *block;
    uint64_t old, operand, want;
    unsigned bytes;
} float_case;

static const float_case FLOATS[] = {
    { "global_atomic_add_f32", 0x3f800000, 0x40000000, 0x40400000, 4 },
    { "global_atomic_add_f32", 0x00000001, 0x00000001, 0x00000000, 4 }, /* subnormals are flushed in L2 */
    { "global_atomic_add_f32", 0x80000001, 0x80000000, 0x80000000, 4 },
    { "global_atomic_add_f32", 0x4b800000, 0x3f800000, 0x4b800000, 4 }, /* tie to even */
    { "global_atomic_add_f32", 0x7fa00000, 0x3f800000, 0x7fe00000, 4 }, /* NaNs are quieted */
    { "global_atomic_add_f32", 0x7f800000, 0xff800000, 0xffc00000, 4 },
    { "global_atomic_pk_add_f16", 0x00013c00, 0x00014000, 0x00024200, 4 }, /* subnormals are kept */
    { "global_atomic_pk_add_bf16", 0x00013f80, 0x00014000, 0x00024040, 4 },
    { "global_atomic_add_f64", 1, 1, 2, 8 },
    { "global_atomic_add_f64", UINT64_C(0x3ff0000000000000), UINT64_C(0x3ff0000000000000),
      UINT64_C(0x4000000000000000), 8 },
    { "global_atomic_min_f64", UINT64_C(0x8000000000000000), 0, UINT64_C(0x8000000000000000), 8 },
    { "global_atomic_min_f64", 0, UINT64_C(0x8000000000000000), UINT64_C(0x8000000000000000), 8 },
    { "global_atomic_max_f64", UINT64_C(0x8000000000000000), 0, 0, 8 },
    { "global_atomic_max_f64", UINT64_C(0x7ff8000000000000), 5, 5, 8 },
    { "global_atomic_min_f64", 5, UINT64_C(0x7ff8000000000000), 5, 8 },
    { "global_atomic_max_f64", 5, UINT64_C(0x7ff0000000000001), UINT64_C(0x7ff8000000000001), 8 },
    { "global_atomic_min_f64", UINT64_C(0xfff0000000000000), UINT64_C(0xbff0000000000000),
      UINT64_C(0xfff0000000000000), 8 },
};
enum { FLOAT_COUNT = sizeof(FLOATS) / sizeof(FLOATS[0]) };

START_TEST(float_atomics)
{
    const float_case *c = &FLOATS[_i];
    fixture f;
    fixture_init(&f, 30);
    set_exec(&f, 1);
    memcpy(f.buffer, &c->old, c->bytes);
    set_pair(&f, 0, 0, f.address);
    set_pair(&f, 4, 0, c->operand);
    f.wave[0].mode = 0x3ff; /* another rounding mode: atomics still round to nearest */
    fixture_ok(&f, c->block);
    ck_assert_msg(load(f.buffer, c->bytes) == c->want, "%s %d: %llx, not %llx", c->block, _i,
                  (unsigned long long)load(f.buffer, c->bytes), (unsigned long long)c->want);
    ck_assert_uint_eq(c->bytes == 8 ? get_pair(&f, 8, 0) : reg(&f, 8)[0], c->old);
    fixture_free(&f);
}
END_TEST

/* LDS adds obey MODE's denormal field. */
START_TEST(lds_add_obeys_mode)
{
    for (int keep = 0; keep < 2; keep++) {
        fixture f;
        fixture_init(&f, 31);
        set_exec(&f, 1);
        f.wave[0].mode = keep ? 0x3f0 : 0x3c0;
        reg(&f, 2)[0] = 0;
        reg(&f, 4)[0] = 1;
        memcpy(f.lds + 4, &(uint32_t){ 2 }, 4);
        fixture_ok(&f, "ds_add_f32");
        ck_assert_uint_eq(load(f.lds + 4, 4), keep ? 3 : 0);
        fixture_free(&f);
    }
}
END_TEST

/* LDS minimum and maximum: flushed operands compare as zeros; a value that is kept is not flushed. */
static const struct {
    const char *block;
    uint64_t old, operand, kept, flushed; /* results where MODE keeps subnormals and where it flushes */
    unsigned bytes;
} CHOICES[] = {
    { "ds_min_f32", 0x3f800000, 0xbf800000, 0xbf800000, 0xbf800000, 4 },
    { "ds_max_f32", 0x3f800000, 0xbf800000, 0x3f800000, 0x3f800000, 4 },
    { "ds_min_f32", 0, 0x80000000, 0x80000000, 0x80000000, 4 },
    { "ds_max_f32", 0x80000000, 0, 0, 0, 4 },
    { "ds_min_f32", 2, 1, 1, 2, 4 },
    { "ds_max_f32", 1, 2, 2, 1, 4 },
    { "ds_max_f32", 0x80000001, 0, 0, 0, 4 },
    { "ds_min_f32", 0, 0x80000001, 0x80000001, 0x80000001, 4 },
    { "ds_min_f32", 0x80000000, 0x80000001, 0x80000001, 0x80000000, 4 },
    { "ds_min_f32", 5, 0x7fa00000, 0x7fe00000, 0x7fe00000, 4 },
    { "ds_max_f32", 0x7fc00000, 0xff800000, 0xff800000, 0xff800000, 4 },
    { "ds_min_f32", 0x3f800000, 0x7fc00000, 0x3f800000, 0x3f800000, 4 },
    { "ds_min_f64", 2, 1, 1, 2, 8 },
    { "ds_max_f64", 1, 2, 2, 1, 8 },
    { "ds_max_f64", 1, UINT64_C(0x3ff0000000000000), UINT64_C(0x3ff0000000000000),
      UINT64_C(0x3ff0000000000000), 8 },
};
enum { CHOICE_COUNT = sizeof(CHOICES) / sizeof(CHOICES[0]) };

START_TEST(lds_choices)
{
    for (int keep = 0; keep < 2; keep++) {
        const uint64_t want = keep ? CHOICES[_i].kept : CHOICES[_i].flushed;
        const unsigned bytes = CHOICES[_i].bytes;
        fixture f;
        fixture_init(&f, 33);
        set_exec(&f, 1);
        /* the other width's field says the opposite */
        f.wave[0].mode = (bytes == 4) == (keep != 0) ? 0x330 : 0x3c0;
        reg(&f, 2)[0] = 4;
        set_pair(&f, 4, 0, CHOICES[_i].operand);
        memcpy(f.lds + 8, &CHOICES[_i].old, bytes);
        fixture_ok(&f, CHOICES[_i].block);
        ck_assert_uint_eq(load(f.lds + 8, bytes), want);
        ck_assert_uint_eq(bytes == 8 ? get_pair(&f, 8, 0) : reg(&f, 8)[0], CHOICES[_i].old);
        fixture_free(&f);
    }
}
END_TEST

/* Flat atomics on global memory follow the rules of L2, those with an address in LDS the rules of LDS. */
START_TEST(flat_adds_by_aperture)
{
    static const struct {
        const char *block;
        uint32_t global, flushed, kept;
    } rows[] = {
        { "flat_atomic_add_f32", 0, 0, 0x00010002 },
        { "flat_atomic_pk_add_f16", 0x00010002, 0, 0x00010002 },
        { "flat_atomic_pk_add_bf16", 0x00010002, 0, 0x00010002 },
    };
    for (size_t i = 0; i < 3 * sizeof(rows) / sizeof(rows[0]); i++) {
        const unsigned where = (unsigned)i % 3; /* global, LDS that flushes, LDS that keeps */
        fixture f;
        fixture_init(&f, 32);
        set_exec(&f, 1);
        f.wave[0].mode = where == 1 ? 0x300 : 0x3f0;
        memcpy(where ? f.lds + 8 : f.buffer + 8, &(uint32_t){ 0x00010001 }, 4);
        set_pair(&f, 0, 0, (where ? UINT64_C(0x1000000000000) : f.address) + 8);
        reg(&f, 4)[0] = 1;
        fixture_ok(&f, rows[i / 3].block);
        ck_assert_uint_eq(load(where ? f.lds + 8 : f.buffer + 8, 4), where == 0   ? rows[i / 3].global
                                                                     : where == 1 ? rows[i / 3].flushed
                                                                                  : rows[i / 3].kept);
        fixture_free(&f);
    }
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("atomics");
    tcase_add_loop_test(tc, global_atomics, 0, OP_COUNT);
    tcase_add_loop_test(tc, buffer_atomics, 0, OP_COUNT);
    tcase_add_loop_test(tc, scalar_atomics, 0, OP_COUNT);
    tcase_add_loop_test(tc, lds_atomics, 0, LDS_OP_COUNT);
    tcase_add_test(tc, lds_two_operands);
    tcase_add_loop_test(tc, float_atomics, 0, FLOAT_COUNT);
    tcase_add_test(tc, lds_add_obeys_mode);
    tcase_add_test(tc, flat_adds_by_aperture);
    tcase_add_loop_test(tc, lds_choices, 0, CHOICE_COUNT);
    return run_suite("machine_atomics", tc);
}

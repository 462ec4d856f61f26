/* SPDX-License-Identifier: MIT */
/*
 * The layout value can hold what other generations need, too: copies in every half-wave, wave32, 6-bit
 * strings across registers, odd widths, a warp's fragments. Formulas: AMD's matrix instruction calculator
 * (gfx11, gfx12), AMD CDNA5 ISA manual 7.12 (gfx1250), NVIDIA's PTX ISA (mma.m16n8k16).
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "layouts/layout.h"

typedef struct place_formula {
    unsigned lane, bit;
} place_formula;

typedef place_formula place_of(unsigned row, unsigned col, unsigned k, unsigned copy);

typedef struct odd_layout {
    const char *name;
    place_of *where;
    unsigned copies;
    unsigned unused_from; /* lanes from here on hold nothing; 0: all lanes are used */
    lw_layout layout;
} odd_layout;

static place_formula gfx11_a(unsigned row, unsigned col, unsigned k, unsigned copy)
{
    (void)col;
    return (place_formula){ row + 16 * copy, 16 * k };
}

static place_formula gfx11_d16_high(unsigned row, unsigned col, unsigned k, unsigned copy)
{
    (void)k;
    (void)copy;
    return (place_formula){ 16 * (row % 2) + col, 32 * (row / 2) + 16 };
}

static place_formula gfx12_a16(unsigned row, unsigned col, unsigned k, unsigned copy)
{
    (void)col;
    (void)copy;
    return (place_formula){ 16 * (k / 4 % 2) + row, 32 * (2 * (k / 8) + k / 2 % 2) + 16 * (k % 2) };
}

static place_formula gfx12_d32_wave64(unsigned row, unsigned col, unsigned k, unsigned copy)
{
    (void)k;
    (void)copy;
    return (place_formula){ 32 * (row / 4 % 2) + 16 * (row / 8) + col, 32 * (row % 4) };
}

static place_formula gfx12_iu4_wave64(unsigned row, unsigned col, unsigned k, unsigned copy)
{
    (void)col;
    (void)copy;
    return (place_formula){ 16 * (k / 8) + row, 4 * (k % 8) };
}

static place_formula gfx1250_fp6(unsigned row, unsigned col, unsigned k, unsigned copy)
{
    (void)col;
    (void)copy;
    return (place_formula){ 16 * (k / 32 % 2) + row, 6 * (32 * (k / 64) + k % 32) };
}

static place_formula gfx1250_fp4_tall(unsigned row, unsigned col, unsigned k, unsigned copy)
{
    (void)col;
    (void)copy;
    return (place_formula){ 16 * (k / 32 % 2) + row % 16,
                            32 * (8 * (row / 16)) + 4 * (32 * (k / 64) + k % 32) };
}

static place_formula gfx1250_index(unsigned row, unsigned col, unsigned k, unsigned copy)
{
    (void)col;
    (void)copy;
    return (place_formula){ 16 * (k / 32) + row, 2 * (k % 32) };
}

static place_formula nibble_in_byte(unsigned row, unsigned col, unsigned k, unsigned copy)
{
    (void)col;
    (void)copy;
    return (place_formula){ row, 8 * k + 2 };
}

static place_formula rotated(unsigned row, unsigned col, unsigned k, unsigned copy)
{
    (void)row;
    (void)copy;
    return (place_formula){ (16 * k + col + 16) % 64, 0 };
}

static place_formula ptx_m16n8k16_a(unsigned row, unsigned col, unsigned k, unsigned copy)
{
    (void)col;
    (void)copy;
    return (place_formula){ 4 * (row % 8) + k % 8 / 2, 32 * (row / 8 + 2 * (k / 8)) + 16 * (k % 2) };
}

/* clang-format off */
#define EXTENTS(rows_, cols_, ks_) .bits = 512, .pitch = 1, .rows = rows_, .cols = cols_, .ks = ks_, .blocks = 1
static const odd_layout odd[] = {
    { "gfx11 WMMA A, wave64", gfx11_a, 4, 0,
      { .registers = 8, .relation = { .width = 16, .lanes = 64, EXTENTS(16, 1, 16), .digits = 3,
        .digit = { { .radix = 16, .bit = 16, .k = 1 }, { .radix = 16, .lane = 1, .row = 1 }, { .radix = 4, .lane = 16 } } } } },
    { "gfx11 WMMA f16 D, wave32, op_sel[2]", gfx11_d16_high, 1, 0,
      { .registers = 8, .relation = { .width = 16, .lanes = 32, EXTENTS(16, 16, 1), .digits = 3, .origin = { .bit = 16 },
        .digit = { { .radix = 16, .lane = 1, .col = 1 }, { .radix = 2, .lane = 16, .row = 1 }, { .radix = 8, .bit = 32, .row = 2 } } } } },
    { "gfx12 A, 16-bit, wave32", gfx12_a16, 1, 0,
      { .registers = 4, .relation = { .width = 16, .lanes = 32, EXTENTS(16, 1, 16), .digits = 4,
        .digit = { { .radix = 4, .bit = 16, .k = 1 }, { .radix = 2, .lane = 16, .k = 4 }, { .radix = 2, .bit = 64, .k = 8 },
                   { .radix = 16, .lane = 1, .row = 1 } } } } },
    { "gfx12 D, 32-bit, wave64", gfx12_d32_wave64, 1, 0,
      { .registers = 4, .relation = { .width = 32, .lanes = 64, EXTENTS(16, 16, 1), .digits = 4,
        .digit = { { .radix = 4, .bit = 32, .row = 1 }, { .radix = 2, .lane = 32, .row = 4 }, { .radix = 2, .lane = 16, .row = 8 },
                   { .radix = 16, .lane = 1, .col = 1 } } } } },
    { "gfx12 A, iu4 K16, wave64", gfx12_iu4_wave64, 1, 32,
      { .registers = 1, .relation = { .width = 4, .lanes = 64, EXTENTS(16, 1, 16), .digits = 3,
        .digit = { { .radix = 8, .bit = 4, .k = 1 }, { .radix = 2, .lane = 16, .k = 8 }, { .radix = 16, .lane = 1, .row = 1 } } } } },
    { "gfx1250 A, 6-bit", gfx1250_fp6, 1, 0,
      { .registers = 12, .relation = { .width = 6, .lanes = 32, EXTENTS(16, 1, 128), .digits = 4,
        .digit = { { .radix = 32, .bit = 6, .k = 1 }, { .radix = 2, .lane = 16, .k = 32 }, { .radix = 2, .bit = 192, .k = 64 },
                   { .radix = 16, .lane = 1, .row = 1 } } } } },
    { "gfx1250 A, 32x16x128 4-bit", gfx1250_fp4_tall, 1, 0,
      { .registers = 16, .relation = { .width = 4, .lanes = 32, EXTENTS(32, 1, 128), .digits = 5,
        .digit = { { .radix = 32, .bit = 4, .k = 1 }, { .radix = 2, .lane = 16, .k = 32 }, { .radix = 2, .bit = 128, .k = 64 },
                   { .radix = 16, .lane = 1, .row = 1 }, { .radix = 2, .bit = 256, .row = 16 } } } } },
    { "gfx1250 SWMMAC x128 index", gfx1250_index, 1, 0,
      { .registers = 2, .relation = { .width = 2, .lanes = 32, EXTENTS(16, 1, 64), .digits = 3,
        .digit = { { .radix = 32, .bit = 2, .k = 1 }, { .radix = 2, .lane = 16, .k = 32 }, { .radix = 16, .lane = 1, .row = 1 } } } } },
    { "4 bits in bits 5:2 of a byte", nibble_in_byte, 1, 0,
      { .registers = 2, .relation = { .width = 4, .lanes = 32, EXTENTS(32, 1, 8), .digits = 2, .origin = { .bit = 2 },
        .digit = { { .radix = 8, .bit = 8, .k = 1 }, { .radix = 32, .lane = 1, .row = 1 } } } } },
    { "lanes beyond the wave come round", rotated, 1, 0,
      { .registers = 1, .relation = { .width = 32, .lanes = 64, EXTENTS(1, 16, 4), .digits = 2, .origin = { .lane = 16 },
        .digit = { { .radix = 16, .lane = 1, .col = 1 }, { .radix = 4, .lane = 16, .k = 1 } } } } },
    { "PTX mma.m16n8k16 A, 16-bit", ptx_m16n8k16_a, 1, 0,
      { .registers = 4, .relation = { .width = 16, .lanes = 32, EXTENTS(16, 1, 16), .digits = 5,
        .digit = { { .radix = 2, .bit = 16, .k = 1 }, { .radix = 4, .lane = 1, .k = 2 }, { .radix = 2, .bit = 64, .k = 8 },
                   { .radix = 8, .lane = 4, .row = 1 }, { .radix = 2, .bit = 32, .row = 8 } } } } },
};
#undef EXTENTS
/* clang-format on */

static bool has_pair(const lw_layout *layout, place_formula at, unsigned row, unsigned col, unsigned k)
{
    for (size_t n = 0; n < lw_layout_pairs(layout); n++) {
        const lw_pair p = lw_layout_pair(layout, n);
        if (p.lane == at.lane && p.bit == at.bit && p.row == row && p.col == col && p.k == k)
            return true;
    }
    return false;
}

START_TEST(odd_layouts_fit)
{
    const odd_layout *o = &odd[_i];
    const lw_layout *l = &o->layout;
    static lw_place places[16 * 16 * 16];
    lw_layout_fill(l, places);
    ck_assert_uint_eq(lw_layout_pairs(l), lw_layout_elements_total(l) * o->copies);
    for (unsigned row = 0; row < l->relation.rows; row++)
        for (unsigned rest = 0; rest < (unsigned)l->relation.cols * l->relation.ks; rest++) {
            const unsigned col = rest / l->relation.ks, k = rest % l->relation.ks;
            for (unsigned copy = 0; copy < o->copies; copy++)
                if (!has_pair(l, o->where(row, col, k, copy), row, col, k))
                    ck_abort_msg("%s: row %u col %u k %u copy %u", o->name, row, col, k, copy);
            const lw_place first = places[lw_layout_ordinal(l, 0, row, col, k)];
            const place_formula want = o->where(row, col, k, 0);
            if (first.lane != want.lane || first.bit != want.bit)
                ck_abort_msg("%s: fill, row %u col %u k %u", o->name, row, col, k);
        }
}
END_TEST

/* Each used bit is used once, and the lanes that should hold nothing are empty. */
START_TEST(odd_layouts_use_places_once)
{
    const odd_layout *o = &odd[_i];
    const lw_layout *l = &o->layout;
    static uint8_t hits[64][512];
    memset(hits, 0, sizeof(hits));
    for (size_t n = 0; n < lw_layout_pairs(l); n++) {
        const lw_pair p = lw_layout_pair(l, n);
        for (unsigned t = 0; t < l->relation.width; t++)
            if (p.lane >= l->relation.lanes || p.bit + t >= l->registers * 32u || hits[p.lane][p.bit + t]++)
                ck_abort_msg("%s: lane %u bit %u", o->name, p.lane, p.bit + t);
        if (o->unused_from && p.lane >= o->unused_from)
            ck_abort_msg("%s: lane %u should hold nothing", o->name, p.lane);
    }
}
END_TEST

START_TEST(no_element_without_a_place_goes_unnoticed)
{
    lw_layout half = {
        .registers = 1,
        .relation = { .width = 32,
                      .lanes = 64,
                      .bits = 32,
                      .pitch = 1,
                      .rows = 4,
                      .cols = 1,
                      .ks = 1,
                      .blocks = 1 },
    };
    half.relation.digits = 1;
    half.relation.digit[0] = (lw_digit){ .radix = 2, .lane = 1, .row = 1 };
    lw_place places[4];
    lw_layout_fill(&half, places);
    ck_assert_uint_eq(places[1].lane, 1);
    ck_assert_uint_eq(places[2].lane, LW_NO_PLACE);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("layout values");
    TCase *tc = tcase_create("all");
    const int count = sizeof(odd) / sizeof(odd[0]);
    tcase_add_loop_test(tc, odd_layouts_fit, 0, count);
    tcase_add_loop_test(tc, odd_layouts_use_places_once, 0, count);
    tcase_add_test(tc, no_element_without_a_place_goes_unnoticed);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

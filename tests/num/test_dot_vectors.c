/* SPDX-License-Identifier: MIT */
/* The dot units of gfx11 and gfx12 compared, bit for bit, with results captured on a gfx1100 and a
 * gfx1201. */
#include "num/captures.h"
#include "num/dot_amd.h"

static lw_format_id format_of(const capture *r)
{
    return strcmp(r->field[2], "f16") == 0 ? LW_FORMAT_F16 : LW_FORMAT_BF16;
}

static lw_dot_unit_id unit_of(const capture *r)
{
    if (strcmp(r->field[1], "gfx1100") == 0)
        return format_of(r) == LW_FORMAT_F16 ? LW_UNIT_ONES2 : LW_UNIT_ONES2F;
    return LW_UNIT_PAIRS4;
}

/* One step of v_dot2_f32_f16 or v_dot2_f32_bf16, which have the dot unit of a matrix instruction: element 0
 * low. */
static void check_dot2(const capture *r)
{
    const lw_dot_unit_id unit = strcmp(r->field[1], "gfx1100") == 0 ? unit_of(r) : LW_UNIT_PAIRS2;
    const uint32_t a[2] = { hex(r, 3) & 0xffff, hex(r, 3) >> 16 },
                   b[2] = { hex(r, 4) & 0xffff, hex(r, 4) >> 16 };
    const uint32_t d = run_chain(unit, format_of(r), format_of(r), LW_ACC_F32, false, a, b, 2, hex(r, 5));
    ck_assert_msg(d == hex(r, 6), "%s %s %s %s %s: %08x, hardware %s", r->field[1], r->field[2], r->field[3],
                  r->field[4], r->field[5], d, r->field[6]);
}

/*
 * The rows list 8 consecutive k per lane. A step takes what all lanes hold in one pair of registers, so that
 * wave32, with two lanes per row, processes k in another order than wave64, with four.
 */
static void check_wmma(const capture *r)
{
    static const int order32[16] = { 0, 1, 2, 3, 8, 9, 10, 11, 4, 5, 6, 7, 12, 13, 14, 15 };
    uint32_t a[16], b[16], a32[16], b32[16];
    for (int k = 0; k < 16; k++) {
        a[k] = hex(r, 3 + k);
        b[k] = hex(r, 19 + k);
    }
    for (int k = 0; k < 16; k++) {
        a32[k] = a[order32[k]];
        b32[k] = b[order32[k]];
    }
    const bool gfx11 = strcmp(r->field[1], "gfx1100") == 0;
    const lw_format_id f = format_of(r);
    const uint32_t d32 =
        run_chain(unit_of(r), f, f, LW_ACC_F32, false, gfx11 ? a : a32, gfx11 ? b : b32, 16, hex(r, 35));
    const uint32_t d64 = run_chain(unit_of(r), f, f, LW_ACC_F32, false, a, b, 16, hex(r, 35));
    ck_assert_msg(d32 == hex(r, 36), "wave32 %s: %08x, hardware %s", r->field[35], d32, r->field[36]);
    ck_assert_msg(d64 == hex(r, 37), "wave64 %s: %08x, hardware %s", r->field[35], d64, r->field[37]);
}

START_TEST(every_row)
{
    FILE *f = fopen(CAPTURES_PATH, "r");
    ck_assert_ptr_nonnull(f);
    char line[LINE];
    int dot2 = 0, wmma = 0;
    while (fgets(line, sizeof(line), f)) {
        if (line[0] == '#')
            continue;
        capture r = split(line);
        const bool wide = strcmp(r.field[0], "wmma") == 0;
        dot2 += !wide;
        wmma += wide;
        if (wide)
            check_wmma(&r);
        else
            check_dot2(&r);
    }
    fclose(f);
    ck_assert_int_eq(dot2, 224);
    ck_assert_int_eq(wmma, 24);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("num_dot_vectors");
    TCase *tc = tcase_create("captures");
    tcase_add_test(tc, every_row);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

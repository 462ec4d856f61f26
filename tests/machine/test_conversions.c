/* SPDX-License-Identifier: MIT */
/* Conversions that a Radeon RX 9070 XT (gfx1201) computed: tests/data/gfx1201-conversions.csv, whose head
 * says where it is from. Each runs in every lane. What has a fast form runs by it; valu_forms compares those
 * with the general handlers. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/launch.h>

enum { REGISTERS = 6, LANES = 32, ROW = 64, LEAST = 1000, FIELDS = 6 };

typedef struct captured {
    char name[64];
    uint32_t words[3];
    unsigned count;
    uint32_t mode, src1;
    uint64_t src0, result;
} captured;

static bool read_row(char *line, captured *c)
{
    char *field[FIELDS];
    field[0] = line;
    for (unsigned i = 1; i < FIELDS; i++) {
        char *comma = strchr(field[i - 1], ',');
        if (!comma)
            return false;
        *comma = '\0';
        field[i] = comma + 1;
    }
    snprintf(c->name, sizeof(c->name), "%.63s", field[0]);
    c->count = sscanf(field[1], "%x %x", &c->words[0], &c->words[1]) == 2 ? 2 : 1;
    c->words[c->count] = 0xbfb00000; /* s_endpgm */
    c->mode = (uint32_t)strtoul(field[2], NULL, 16);
    c->src0 = strtoull(field[3], NULL, 16);
    c->src1 = (uint32_t)strtoul(field[4], NULL, 16);
    c->result = strtoull(field[5], NULL, 16);
    return true;
}

/* Whether all lanes got the captured bits; `why` says what else happened. */
static bool agrees(const captured *c, char *why, size_t size)
{
    static uint32_t vgpr[REGISTERS * ROW];
    const lw_code_options options = {
        .struct_size = sizeof(options), .arch = LW_ARCH_GFX1201, .code = c->words, .words = c->count + 1
    };
    lw_wave_state wave = { .vgpr = vgpr, .vgprs = REGISTERS, .mode = c->mode };
    lw_launch_result *result = NULL;
    lw_error error = { .text = "" };
    const bool wide = strncmp(c->name, "v_cvt_f64", 9) == 0;
    memset(vgpr, 0xa5, sizeof(vgpr));
    for (unsigned lane = 0; lane < LANES; lane++) {
        vgpr[lane] = (uint32_t)c->src0;
        vgpr[ROW + lane] = (uint32_t)(c->src0 >> 32);
        vgpr[2 * ROW + lane] = c->src1;
    }
    wave.sgpr[126] = UINT32_MAX; /* EXEC */
    const lw_status status = lw_code_run(&options, &wave, 1, &result, &error);
    const bool ran = status == LW_OK;
    snprintf(why, size, "%s", error.text);
    lw_launch_result_free(result);
    for (unsigned lane = 0; ran && lane < LANES; lane++) {
        const uint64_t high = wide ? vgpr[5 * ROW + lane] : 0, got = high << 32 | vgpr[4 * ROW + lane];
        if (got != c->result) {
            snprintf(why, size, "lane %u has %llx", lane, (unsigned long long)got);
            return false;
        }
    }
    return ran;
}

START_TEST(as_captured)
{
    char line[256], why[1024];
    captured c;
    unsigned rows = 0, wrong = 0;
    FILE *file = fopen(LW_SOURCE_DIR "/tests/data/gfx1201-conversions.csv", "r");
    ck_assert_ptr_nonnull(file);
    while (fgets(line, sizeof(line), file)) {
        if (line[0] == '#' || strncmp(line, "name,", 5) == 0)
            continue;
        ck_assert_msg(read_row(line, &c), "%s", line);
        rows++;
        if (!agrees(&c, why, sizeof(why))) {
            wrong++;
            printf("%s, MODE %x, of %llx and %x: %llx was captured; %s\n", c.name, c.mode,
                   (unsigned long long)c.src0, c.src1, (unsigned long long)c.result, why);
        }
    }
    fclose(file);
    ck_assert_uint_ge(rows, LEAST);
    ck_assert_uint_eq(wrong, 0);
}
END_TEST

/* Words of v_mul_f32 v4, v0, v2, with OMOD in bits 27 and 28 of the second. */
#define MUL(omod) { 0xd5080004, 0x00020500 | (omod) << 27, 0xbfb00000 }, 2

/* Products near the ends of the range. Without OMOD: what the model computes with which AMD qualified
 * v_mul_f32 on the same card (rocjitsu, hwfloat/mul_f32.h). With it, the captures' rule: what is below the
 * smallest normal number before it is rounded to the grid of subnormals is flushed, though it would round to
 * that number. */
START_TEST(products_at_the_ends)
{
    static const captured cases[] = {
        { "v_mul_f32", MUL(0), 0x00, 0x207ffffe, 0x1f800001, 0x00800000 },
        { "v_mul_f32", MUL(0), 0x30, 0x207ffffe, 0x1f800001, 0x00800000 },
        { "v_mul_f32", MUL(0), 0x03, 0x207ffffe, 0x1f800001, 0x00000000 },
        { "v_mul_f32", MUL(0), 0x33, 0x207ffffe, 0x1f800001, 0x007fffff },
        { "v_mul_f32", MUL(0), 0x30, 0x20000000, 0x1fffffff, 0x00800000 },
        { "v_mul_f32", MUL(0), 0x00, 0x20000000, 0x1fffffff, 0x00000000 },
        { "v_mul_f32", MUL(0), 0x32, 0x20000000, 0x9fffffff, 0x80800000 },
        { "v_mul_f32", MUL(0), 0x03, 0x40000000, 0x7f7fffff, 0x7f7fffff },
        { "v_mul_f32", MUL(0), 0x01, 0x40000000, 0xff7fffff, 0xff7fffff },
        { "v_mul_f32", MUL(0), 0x02, 0x40000000, 0xff7fffff, 0xff800000 },
        { "v_mul_f32", MUL(0), 0x30, 0x7f800000, 0x00000000, 0xffc00000 },
        { "v_mul_f32", MUL(0), 0x00, 0x7f800000, 0x00000001, 0xffc00000 },
        { "v_mul_f32", MUL(0), 0x30, 0x7f800000, 0x00000001, 0x7f800000 },
        { "v_mul_f32", MUL(0), 0x30, 0x3f800000, 0x00000001, 0x00000001 },
        { "v_mul_f32", MUL(0), 0x10, 0x3f800000, 0x00000001, 0x00000000 },
        { "v_mul_f32", MUL(0), 0x20, 0x3f800000, 0x00000001, 0x00000000 },
        { "v_mul_f32", MUL(0), 0xf0, 0x00800000, 0x3f7fffff, 0x00800000 },
        { "v_mul_f32 mul:2", MUL(1), 0xf0, 0x00800000, 0x3f7fffff, 0 },
        { "v_mul_f32 mul:2", MUL(1), 0xf0, 0x00800000, 0x3f800000, 0x01000000 },
        { "v_mul_f32 mul:4", MUL(2), 0xf0, 0x00800001, 0x3f7fffff, 0x01800000 },
    };
    char why[1024];
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        ck_assert_msg(agrees(&cases[i], why, sizeof(why)), "%s, MODE %x, of %llx and %x: %s", cases[i].name,
                      cases[i].mode, (unsigned long long)cases[i].src0, cases[i].src1, why);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("conversions");
    TCase *tc = tcase_create("gfx1201");
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, as_captured);
    tcase_add_test(tc, products_at_the_ends);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

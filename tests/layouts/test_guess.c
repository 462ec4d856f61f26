/* SPDX-License-Identifier: MIT */
/* Which operands a text fits, against judgements of every operand. */
#include <check.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/lanewise.h>

enum { TEXT_MAX = 1 << 20 };
static char out[TEXT_MAX];
static size_t used;

static lw_status collect(void *context, const char *bytes, size_t size)
{
    (void)context;
    ck_assert_uint_lt(used + size, TEXT_MAX);
    memcpy(out + used, bytes, size);
    used += size;
    out[used] = '\0';
    return LW_OK;
}

static void clear(void)
{
    used = 0;
    out[0] = '\0';
}

/* The guess is what the judgement of that operand says. */
static void check_guess(const lw_layout_guess *g, const char *text, size_t size)
{
    lw_layout *layout = NULL;
    lw_layout_judgement j;
    ck_assert_int_eq(lw_layout_create(g->arch, g->insn, g->operand, g->wave, NULL, &layout, NULL), LW_OK);
    ck_assert_int_eq(lw_layout_judge(layout, text, size, &j, NULL), LW_OK);
    ck_assert_int_eq(j.verdict, g->verdict);
    lw_layout_free(layout);
}

/* A text is guessed to be its own operand, and so many of the guesses are judged to be equal. */
static void guess(lw_arch arch, const lw_layout *layout, lw_layout_format format, size_t judged)
{
    static lw_layout_guess list[256];
    lw_layout_info info;
    size_t count = 0;
    bool found = false;
    lw_layout_get_info(layout, &info);
    clear();
    if (lw_layout_print(layout, format, NULL, collect, NULL, NULL) != LW_OK)
        return;
    ck_assert_int_eq(lw_layout_guesses(out, used, arch, list, 256, &count, NULL), LW_OK);
    ck_assert_uint_le(count, 256);
    for (size_t i = 0; i < count; i++) {
        found = found || (list[i].insn == info.insn && list[i].operand == info.operand &&
                          list[i].wave == info.wave && list[i].verdict == LW_VERDICT_EQUAL);
        if (i < judged)
            check_guess(&list[i], out, used);
    }
    ck_assert_msg(found, "%s %s", info.mnemonic, out);
}

START_TEST(guesses)
{
    for (size_t n = 0; n < lw_insn_count(LW_ARCH_GFX1201); n++)
        for (int o = 0; o < LW_OPERAND_COUNT; o++)
            for (unsigned wave = 32; wave <= 64; wave += 32) {
                lw_layout *layout = NULL;
                if (lw_layout_create(LW_ARCH_GFX1201, lw_insn_at(LW_ARCH_GFX1201, n), (lw_operand)o, wave,
                                     NULL, &layout, NULL) != LW_OK)
                    continue;
                guess(LW_ARCH_GFX1201, layout, LW_LAYOUT_FORMULA, SIZE_MAX);
                lw_layout_free(layout);
            }
}
END_TEST

/* C and D of several widths of instructions that have many; in notations that name bits, and that do not. */
START_TEST(widths)
{
    static const struct {
        const char *name;
        lw_arch arch;
        unsigned step;
    } rows[] = { { "wgmma.m64n%uk16.f32.f16.f16", LW_ARCH_SM_90, 24 },
                 { "wgmma.sp.m64n%uk64.s32.int8.int8", LW_ARCH_SM_90, 64 },
                 { "tcgen05.m128n%uk16.f32.f16.f16", LW_ARCH_SM_100A, 64 } };
    for (unsigned n = rows[_i].step; n <= 256; n += rows[_i].step)
        for (lw_operand o = LW_OPERAND_C; o <= LW_OPERAND_D; o++) {
            char name[64];
            const lw_insn *insn;
            lw_layout *layout = NULL;
            lw_error error = { "" };
            snprintf(name, sizeof(name), rows[_i].name, n);
            ck_assert_msg(lw_insn_find(rows[_i].arch, name, &insn, NULL) == LW_OK, "%s", name);
            ck_assert_msg(lw_layout_create(rows[_i].arch, insn, o, 0, NULL, &layout, &error) == LW_OK, "%s",
                          error.text);
            guess(rows[_i].arch, layout, LW_LAYOUT_CUTE, 1);
            if (n % 48 == 0 || n == 256)
                guess(rows[_i].arch, layout, LW_LAYOUT_LISTING, 1);
            lw_layout_free(layout);
        }
}
END_TEST

/* ---- Guesses against judgements of every operand ---- */

typedef struct judged {
    const char *text;
    size_t size, count, at;
    const lw_layout_guess *list;
} judged;

/* The guess has the operand if and only if the judgement of the operand is one that fits. */
static void compare_guess(judged *g, lw_arch arch, const lw_insn *insn, lw_operand operand, unsigned wave)
{
    lw_layout *layout = NULL;
    lw_layout_judgement j;
    if (lw_layout_create(arch, insn, operand, wave, NULL, &layout, NULL) != LW_OK)
        return;
    const bool fits = lw_layout_judge(layout, g->text, g->size, &j, NULL) == LW_OK &&
                      (j.verdict == LW_VERDICT_EQUAL || j.verdict == LW_VERDICT_K_RENAMED ||
                       j.verdict == LW_VERDICT_REORDERED || j.verdict == LW_VERDICT_TRANSPOSED);
    lw_layout_free(layout);
    if (!fits)
        return;
    const lw_layout_guess *is = &g->list[g->at++];
    ck_assert_msg(g->at <= g->count && is->arch == arch && is->insn == insn && is->operand == operand &&
                      is->wave == wave && is->verdict == j.verdict,
                  "%.*s: %s, %s of waves of %u", (int)g->size, g->text, lw_arch_get(arch)->name,
                  lw_operand_name(operand), wave);
}

/* Rows that lw_insn_at leaves out: all but the least N. */
static bool is_further_width(const lw_layout_guess *g)
{
    for (size_t n = 0; n < lw_insn_count(g->arch); n++)
        if (lw_insn_at(g->arch, n) == g->insn)
            return false;
    return true;
}

static void compare_guesses(const char *text, lw_arch arch, unsigned most_lanes)
{
    static lw_layout_guess list[4096];
    judged g = { .text = text, .size = strlen(text), .list = list };
    const lw_status st = lw_layout_guesses(text, g.size, arch, list, 4096, &g.count, NULL);
    ck_assert_uint_le(g.count, 4096);
    if (st != LW_OK)
        g.count = 0;
    for (size_t n = 0; n < lw_insn_count(arch); n++)
        for (int o = 0; o < LW_OPERAND_COUNT; o++)
            for (unsigned wave = 32; wave <= most_lanes; wave *= 2) {
                lw_insn_info info;
                lw_insn_get_info(arch, lw_insn_at(arch, n), &info);
                if (info.wave_sizes & wave / 32)
                    compare_guess(&g, arch, lw_insn_at(arch, n), (lw_operand)o, wave);
            }
    for (; g.at < g.count && is_further_width(&list[g.at]); g.at++)
        check_guess(&list[g.at], text, g.size);
    ck_assert_msg(g.at == g.count, "%s: %zu guesses, %zu fit", text, g.count, g.at);
}

/* The distinct formulas of an architecture; of every second one, what it becomes when k is renamed, values
 * are reordered, or lanes 2 and 3 are exchanged, which no sample of lanes shows. */
static void compare_operand(lw_arch arch, const lw_insn *insn, lw_operand operand)
{
    static char seen[512][128];
    static size_t count;
    char line[256], text[400];
    lw_layout *layout = NULL;
    if (lw_layout_create(arch, insn, operand, 0, NULL, &layout, NULL) != LW_OK)
        return;
    clear();
    lw_layout_info info;
    const lw_status st = lw_layout_print(layout, LW_LAYOUT_FORMULA, NULL, collect, NULL, NULL);
    lw_layout_get_info(layout, &info);
    lw_layout_free(layout);
    if (st != LW_OK || used >= sizeof(seen[0]))
        return;
    snprintf(line, sizeof(line), "%.*s", (int)strcspn(out, "\n"), out);
    for (size_t i = 0; i < count; i++)
        if (strcmp(seen[i], line) == 0)
            return;
    ck_assert_uint_lt(count, 512);
    memcpy(seen[count++], line, strlen(line) + 1);
    static const char *const changes[] = { "%s, k = k^1", "v = v^1, %s", "l = l^(l/2%%2), %s" };
    if (info.wave == 128 && count % 4)
        return;
    if (count % 2)
        snprintf(text, sizeof(text), "%s", line);
    else
        snprintf(text, sizeof(text), changes[count / 2 % 3], line);
    compare_guesses(text, arch, info.wave == 128 ? 128 : 64); /* those of 128 lanes are large */
}

START_TEST(guesses_are_judgements)
{
    for (size_t n = 0; n < lw_insn_count((lw_arch)_i); n++)
        for (int o = 0; o < LW_OPERAND_COUNT; o++)
            compare_operand((lw_arch)_i, lw_insn_at((lw_arch)_i, n), (lw_operand)o);
}
END_TEST

/* f16 and f32 have the same elements in a lane, but not in the same bits. */
START_TEST(bits_are_told_apart)
{
    static const lw_layout_format formats[] = { LW_LAYOUT_LISTING, LW_LAYOUT_CSV, LW_LAYOUT_CALCULATOR };
    static const char *const names[] = { "mma.m16n8k16.f16.f16.f16.f16", "mma.m16n8k16.f32.f16.f16.f32" };
    for (size_t n = 0; n < 2; n++) {
        const lw_insn *insn;
        lw_layout *layout = NULL;
        ck_assert_int_eq(lw_insn_find(LW_ARCH_SM_80, names[n], &insn, NULL), LW_OK);
        ck_assert_int_eq(lw_layout_create(LW_ARCH_SM_80, insn, LW_OPERAND_D, 0, NULL, &layout, NULL), LW_OK);
        guess(LW_ARCH_SM_80, layout, formats[_i], SIZE_MAX);
        compare_guesses(out, LW_ARCH_SM_80, 32);
        lw_layout_free(layout);
    }
}
END_TEST

/* A listing with rows and columns exchanged, which are not as many: it fits no operand otherwise. */
START_TEST(exchanged_listing)
{
    static lw_layout_guess list[64];
    const lw_insn *insn;
    lw_layout *layout = NULL;
    lw_layout_entry entries[256];
    size_t count = 0, fits = 0, transposed = 0;
    ck_assert_int_eq(lw_insn_find(LW_ARCH_SM_80, "mma.m16n8k16.f32.f16.f16.f32", &insn, NULL), LW_OK);
    ck_assert_int_eq(lw_layout_create(LW_ARCH_SM_80, insn, LW_OPERAND_D, 0, NULL, &layout, NULL), LW_OK);
    ck_assert_int_eq(lw_layout_entries(layout, entries, 256, &count), LW_OK);
    clear();
    for (size_t i = 0; i < count; i++) {
        const lw_layout_entry *e = &entries[i];
        used += (size_t)snprintf(out + used, sizeof(out) - used, "%u %u %u %u %u %u %u\n", e->lane, e->reg,
                                 e->lsb, e->msb, e->block, e->y, e->x);
    }
    ck_assert_int_eq(lw_layout_guesses(out, used, LW_ARCH_SM_80, list, 64, &fits, NULL), LW_OK);
    for (size_t i = 0; i < fits; i++)
        transposed += list[i].insn == insn && list[i].operand == LW_OPERAND_D &&
                      list[i].verdict == LW_VERDICT_TRANSPOSED;
    ck_assert_uint_eq(transposed, 1);
    compare_guesses(out, LW_ARCH_SM_80, 32);
    lw_layout_free(layout);
}
END_TEST

START_TEST(no_guess)
{
    lw_layout_guess one;
    size_t count = 1;
    lw_error error = { "" };
    ck_assert_int_eq(lw_layout_guesses("i = 0, k = 0", 12, LW_ARCH_GFX942, &one, 1, &count, NULL), LW_OK);
    ck_assert_uint_eq(count, 0);
    ck_assert_int_eq(lw_layout_guesses("i = (", 5, LW_ARCH_GFX942, &one, 1, &count, &error), LW_E_FORMAT);
    ck_assert_msg(strstr(error.text, "column 6"), "%s", error.text);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("guess");
    TCase *tc = tcase_create("guess");
    tcase_set_timeout(tc, 120);
    tcase_add_test(tc, guesses);
    tcase_add_loop_test(tc, widths, 0, 3);
    tcase_add_loop_test(tc, guesses_are_judgements, LW_ARCH_NONE + 1, LW_ARCH_COUNT);
    tcase_add_loop_test(tc, bits_are_told_apart, 0, 3);
    tcase_add_test(tc, exchanged_listing);
    tcase_add_test(tc, no_guess);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* SPDX-License-Identifier: MIT */
/*
 * Stored k and dense k of a sparse A. lw_layout_create_indexed is compared with what instructions do on
 * register images: a one in a place of A selects, from a B that contains its own k in binary, the k that the
 * place stands for. It is also compared with AMD's calculator, which gives each k of a group the two places
 * of the group.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/lanewise.h>

#include "images.h"

enum { K_BITS = 8 };

static uint64_t seed = 20240611;

/* A's code of one, and B[k][j] = bit j of k. */
static void fill_b(const subject *s, images *im)
{
    static lw_layout_entry entries[MAX_ENTRIES];
    const uint64_t one = one_of(s->shape.b_format, s->shape.b_bits);
    const size_t count = entries_of(s, LW_OPERAND_B, entries);
    ck_assert_uint_ne(one, 0);
    memset(im, 0, sizeof(*im));
    memset(im->scale_a, 0x70, /* a power of two in every format of scales */
           sizeof(im->scale_a));
    memset(im->scale_b, 0x70, sizeof(im->scale_b));
    for (size_t n = 0; n < count; n++)
        if (entries[n].y < K_BITS && entries[n].x >> entries[n].y & 1)
            put_bits(s, im->b, &entries[n], one);
}

static const uint8_t defined[6] = { 0x4, 0x8, 0xc, 0x9, 0xd, 0xe };

/* Random defined nibbles, in `nibbles` and in the index registers. */
static size_t fill_index(const subject *s, images *im, uint8_t *nibbles)
{
    static lw_layout_entry entries[MAX_ENTRIES];
    const bool halves = s->shape.groups == s->shape.a_k;
    const size_t count = entries_of(s, LW_OPERAND_INDEX, entries);
    const size_t total = (size_t)s->shape.m * s->shape.groups;
    for (size_t i = 0; i < total; i++)
        nibbles[i] = defined[halves ? 5 * (next_random(&seed) & 1) : next_random(&seed) % 6];
    for (size_t n = 0; n < count; n++)
        put_bits(s, im->index, &entries[n], nibbles[entries[n].x * s->shape.groups + entries[n].y]);
    return total;
}

/* The k that each row of D gives in binary. */
static void read_k(const subject *s, const uint32_t *d, unsigned *k)
{
    static lw_layout_entry entries[MAX_ENTRIES];
    const size_t count = entries_of(s, LW_OPERAND_D, entries);
    for (size_t n = 0; n < count; n++) {
        const lw_layout_entry *e = &entries[n];
        if (e->y < K_BITS && bits_at(s, d, e))
            k[e->x] |= 1u << e->y;
    }
}

/* The entries of A by dense k, with the stored k of each. */
static struct {
    lw_layout_entry entry[MAX_ENTRIES];
    unsigned stored[MAX_ENTRIES];
    size_t count;
} kept;

static void fill_kept(const lw_layout *layout)
{
    ck_assert_int_eq(lw_layout_entries(layout, kept.entry, MAX_ENTRIES, &kept.count), LW_OK);
    for (size_t n = 0; n < kept.count; n++)
        ck_assert_int_eq(lw_layout_stored_k(layout, &kept.entry[n], &kept.stored[n]), LW_OK);
}

/* A one in each row, where stored k is `stored` plus the row, and its copies; *expected: their dense k. */
static void light(const subject *s, unsigned stored, images *im, unsigned *expected)
{
    const uint64_t one = one_of(s->shape.a_format, s->shape.a_bits);
    memset(im->a, 0, sizeof(im->a));
    for (size_t n = 0; n < kept.count; n++) {
        const lw_layout_entry *e = &kept.entry[n];
        if (kept.stored[n] != (stored + e->x) % s->shape.a_k)
            continue;
        put_bits(s, im->a, e, one);
        expected[e->x] = e->y;
    }
}

static void check_subject(const subject *s)
{
    static images im;
    static uint32_t d[ARENA];
    uint8_t nibbles[4096];
    lw_layout *layout = NULL;
    lw_layout_info info;
    lw_error error = { "" };
    fill_b(s, &im);
    const size_t count = fill_index(s, &im, nibbles);
    const lw_status st =
        lw_layout_create_indexed(s->arch, s->insn, s->shape.wave, &s->mods, nibbles, count, &layout, &error);
    ck_assert_msg(st == LW_OK, "%s: %s", s->name, error.text);
    ck_assert_int_eq(lw_layout_get_info(layout, &info), LW_OK);
    ck_assert_str_eq(info.y_name, "k");
    ck_assert_uint_eq(info.y_count, s->shape.k);
    fill_kept(layout);
    for (unsigned stored = 0; stored < s->shape.a_k; stored++) {
        unsigned expected[64] = { 0 }, got[64] = { 0 };
        light(s, stored, &im, expected);
        memset(d, 0, sizeof(d));
        lw_mma_registers regs = registers_of(s, &im, d);
        ck_assert_int_eq(lw_mma_execute_registers(s->mma, &regs, NULL), LW_OK);
        read_k(s, d, got);
        for (unsigned i = 0; i < s->shape.m; i++)
            if (got[i] != expected[i])
                ck_abort_msg("%s on %s, row %u, stored k %u: the layout says k %u, the instruction takes %u",
                             s->name, lw_arch_get(s->arch)->name, i, (stored + i) % s->shape.a_k, expected[i],
                             got[i]);
    }
    lw_layout_free(layout);
}

static const struct {
    lw_arch arch;
    const char *mods;
    unsigned wave;
} targets[] = {
    { LW_ARCH_GFX942, "", 0 },   { LW_ARCH_GFX942, "abid:1", 0 },    { LW_ARCH_GFX950, "", 0 },
    { LW_ARCH_GFX1201, "", 32 }, { LW_ARCH_GFX1201, "", 64 },        { LW_ARCH_GFX1201, "index_key:1", 64 },
    { LW_ARCH_GFX1250, "", 0 },  { LW_ARCH_SM_80, "", 0 },           { LW_ARCH_SM_90, "", 0 },
    { LW_ARCH_SM_120A, "", 0 },  { LW_ARCH_SM_80, "selector:1", 0 },
};

START_TEST(places_are_for_the_k_that_the_instruction_takes)
{
    const lw_arch arch = targets[_i].arch;
    const lw_insn *insn;
    unsigned done = 0;
    for (size_t n = 0; (insn = lw_insn_at(arch, n)) != NULL; n++) {
        subject s;
        lw_insn_info info;
        if (lw_insn_get_info(arch, insn, &info) != LW_OK || !info.sparse ||
            info.operand[LW_OPERAND_B].registers == 0 || /* wgmma: ptx_wgmma_rows has its products */
            !subject_parse(arch, n, targets[_i].mods, targets[_i].wave, &s))
            continue;
        check_subject(&s);
        lw_mma_free(s.mma);
        done++;
    }
    ck_assert_uint_ge(done, 4);
}
END_TEST

static const lw_insn *find(lw_arch arch, const char *name)
{
    const lw_insn *insn = NULL;
    ck_assert_int_eq(lw_insn_find(arch, name, &insn, NULL), LW_OK);
    return insn;
}

static const struct {
    const char *name;
    unsigned m, k, width;
} smfmacs[] = {
    { "v_smfmac_f32_16x16x32_f16", 16, 32, 16 },
    { "v_smfmac_f32_32x32x16_bf16", 32, 16, 16 },
    { "v_smfmac_i32_16x16x64_i8", 16, 64, 8 },
    { "v_smfmac_f32_32x32x32_fp8_bf8", 32, 32, 8 },
};

/* AMD's calculator: lane M*(k/per) + i, slots 2g and 2g + 1, g = k % per / 4, where per = K*M/64. */
START_TEST(each_kept_value_is_in_one_of_the_calculators_two_places)
{
    static lw_layout_entry e[MAX_ENTRIES], stored[MAX_ENTRIES];
    const unsigned m = smfmacs[_i].m, k = smfmacs[_i].k, per = k * m / 64;
    const lw_insn *insn = find(LW_ARCH_GFX942, smfmacs[_i].name);
    const size_t groups = (size_t)m * k / 4;
    uint8_t nibbles[4096];
    lw_layout *layout = NULL, *plain = NULL;
    size_t count, seen = 0, taken_for_dense = 0;
    for (size_t i = 0; i < groups; i++)
        nibbles[i] = defined[next_random(&seed) % 6];
    ck_assert_int_eq(lw_layout_create_indexed(LW_ARCH_GFX942, insn, 0, NULL, nibbles, groups, &layout, NULL),
                     LW_OK);
    ck_assert_int_eq(lw_layout_create(LW_ARCH_GFX942, insn, LW_OPERAND_A, 0, NULL, &plain, NULL), LW_OK);
    for (unsigned i = 0; i < m; i++)
        for (unsigned x = 0; x < k; x++) {
            const unsigned group = nibbles[i * (k / 4) + x / 4], g = x % per / 4;
            const bool first = (group & 3) == x % 4, second = group >> 2 == x % 4;
            ck_assert_int_eq(lw_layout_places(layout, 0, i, x, e, MAX_ENTRIES, &count), LW_OK);
            ck_assert_uint_eq(count, first || second);
            const unsigned slot = 2 * g + (second ? 1u : 0u);
            if (count &&
                (e[0].lane != m * (x / per) + i || e[0].reg * 32u + e[0].lsb != slot * smfmacs[_i].width))
                ck_abort_msg("A[%u][%u] of %s is in lane %u, bit %u", i, x, smfmacs[_i].name, e[0].lane,
                             e[0].reg * 32u + e[0].lsb);
            seen += count;
            if (lw_layout_places(plain, 0, i, x, stored, MAX_ENTRIES, &count) == LW_OK)
                taken_for_dense += stored[0].lane == m * (x / per) + i &&
                                   (stored[0].reg * 32u + stored[0].lsb) / smfmacs[_i].width / 2 == g;
        }
    ck_assert_uint_eq(seen, (size_t)m * k / 2);
    /* reading stored k as dense k is right only for the first two of a row */
    ck_assert_uint_eq(taken_for_dense, 2 * m);
    lw_layout_free(layout);
    lw_layout_free(plain);
}
END_TEST

/* The names of k, and the stored k of entries with an index and without. */
START_TEST(stored_k_is_called_so)
{
    static lw_layout_entry entries[MAX_ENTRIES];
    const lw_insn *insn = find(LW_ARCH_GFX942, "v_smfmac_f32_16x16x32_f16");
    lw_layout *a = NULL, *b = NULL;
    lw_layout_info info;
    size_t count;
    unsigned k = 99;
    ck_assert_int_eq(lw_layout_create(LW_ARCH_GFX942, insn, LW_OPERAND_A, 0, NULL, &a, NULL), LW_OK);
    ck_assert_int_eq(lw_layout_create(LW_ARCH_GFX942, insn, LW_OPERAND_B, 0, NULL, &b, NULL), LW_OK);
    ck_assert_int_eq(lw_layout_get_info(a, &info), LW_OK);
    ck_assert_str_eq(info.y_name, "stored k");
    ck_assert_uint_eq(info.y_count, 16);
    ck_assert_int_eq(lw_layout_get_info(b, &info), LW_OK);
    ck_assert_str_eq(info.x_name, "k");
    ck_assert_int_eq(lw_layout_entries(a, entries, MAX_ENTRIES, &count), LW_OK);
    for (size_t n = 0; n < count; n++) {
        ck_assert_int_eq(lw_layout_stored_k(a, &entries[n], &k), LW_OK);
        ck_assert_uint_eq(k, entries[n].y);
    }
    ck_assert_int_eq(lw_layout_stored_k(b, &entries[0], &k), LW_E_ARGUMENT);
    entries[0].lane = 64;
    ck_assert_int_eq(lw_layout_stored_k(a, &entries[0], &k), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_layout_stored_k(NULL, &entries[1], &k), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_layout_stored_k(a, NULL, &k), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_layout_stored_k(a, &entries[1], NULL), LW_E_ARGUMENT);
    lw_layout_free(a);
    lw_layout_free(b);
}
END_TEST

static void refused(lw_arch arch, const char *name, const uint8_t *index, size_t count, lw_status want,
                    const char *says)
{
    lw_layout *layout = NULL;
    const lw_insn *insn = NULL;
    lw_mods mods;
    lw_error error = { "" };
    ck_assert_int_eq(lw_insn_parse(arch, name, &insn, &mods, NULL), LW_OK);
    ck_assert_int_eq(lw_layout_create_indexed(arch, insn, 0, &mods, index, count, &layout, &error), want);
    ck_assert_msg(strstr(error.text, says) != NULL, "\"%s\" does not say \"%s\"", error.text, says);
    ck_assert_ptr_null(layout);
}

/* Modifiers without .sp::ordered_metadata imply it if the row has no other spelling. */
START_TEST(ordered_where_nothing_else_is_spelled)
{
    static const char only[] =
        "mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.kind::f8f6f4.f32.e2m1.e2m1.f32";
    const lw_insn *insn = NULL;
    lw_layout *layout = NULL;
    lw_error error = { "" };
    uint8_t index[16 * 16];
    char text[2][256];
    lw_mods mods;
    memset(index, 4, sizeof(index));
    index[9] = 0x6; /* 2, 1 */
    ck_assert_int_eq(lw_insn_parse(LW_ARCH_SM_120F, only, &insn, &mods, NULL), LW_OK);
    ck_assert_int_eq(mods.ptx.ordered, 1);
    lw_insn_print(LW_ARCH_SM_120F, insn, &mods, text[0], sizeof(text[0]), NULL);
    mods.ptx.ordered = 0;
    lw_insn_print(LW_ARCH_SM_120F, insn, &mods, text[1], sizeof(text[1]), NULL);
    ck_assert_str_eq(text[0], text[1]);
    ck_assert_int_eq(
        lw_layout_create_indexed(LW_ARCH_SM_120F, insn, 0, &mods, index, sizeof(index), &layout, &error),
        LW_E_UNSUPPORTED);
    ck_assert_msg(strstr(error.text, "0x4 0x8 0x9 0xc 0xd 0xe are defined"), "%s", error.text);
}
END_TEST

START_TEST(an_index_that_cannot_be_is_refused)
{
    static const char smfmac[] = "v_smfmac_f32_16x16x32_f16";
    static const char sparse[] = "mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";
    static const char ordered[] = "mma.sp::ordered_metadata.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";
    uint8_t index[128];
    lw_layout *layout = NULL;
    lw_layout_info info;
    memset(index, 4, sizeof(index));
    refused(LW_ARCH_GFX942, smfmac, index, 127, LW_E_ARGUMENT, "16 x 8, 128 elements, not 127");
    refused(LW_ARCH_GFX942, "v_mfma_f32_16x16x16_f16", index, 64, LW_E_ARGUMENT, "has no sparse A");
    refused(LW_ARCH_GFX942, smfmac, NULL, 128, LW_E_ARGUMENT, "needs an instruction");
    ck_assert_int_eq(lw_layout_create_indexed(LW_ARCH_GFX942, NULL, 0, NULL, index, 128, &layout, NULL),
                     LW_E_ARGUMENT);
    ck_assert_int_eq(lw_layout_create_indexed(LW_ARCH_GFX942, find(LW_ARCH_GFX942, smfmac), 0, NULL, index,
                                              128, NULL, NULL),
                     LW_E_ARGUMENT);
    index[9] = 16;
    refused(LW_ARCH_GFX942, smfmac, index, 128, LW_E_ARGUMENT, "element 9 of the index is 16");
    index[9] = 0x5; /* 1, 1 */
    refused(LW_ARCH_SM_80, sparse, index, 64, LW_E_UNSUPPORTED, "row 2, chunk 1 is 0x5");
    index[9] = 0x6; /* 2, 1 */
    refused(LW_ARCH_SM_90, ordered, index, 64, LW_E_UNSUPPORTED, "row 2, chunk 1 is 0x6");
    ck_assert_int_eq(lw_layout_create_indexed(LW_ARCH_SM_80, find(LW_ARCH_SM_80, sparse), 0, NULL, index, 64,
                                              &layout, NULL),
                     LW_OK);
    lw_layout_free(layout);
    layout = NULL;

    /* AMD's manual requires ascending positions; others are shown, and reported as open. */
    ck_assert_int_eq(lw_layout_create_indexed(LW_ARCH_GFX942, find(LW_ARCH_GFX942, smfmac), 0, NULL, index,
                                              128, &layout, NULL),
                     LW_OK);
    ck_assert_int_eq(lw_layout_get_info(layout, &info), LW_OK);
    ck_assert_ptr_nonnull(info.open);
    ck_assert_ptr_nonnull(strstr(info.open, "what the chip does is not specified"));
    lw_layout_free(layout);
    index[9] = 0x9;
    ck_assert_int_eq(lw_layout_create_indexed(LW_ARCH_GFX942, find(LW_ARCH_GFX942, smfmac), 0, NULL, index,
                                              128, &layout, NULL),
                     LW_OK);
    ck_assert_int_eq(lw_layout_get_info(layout, &info), LW_OK);
    ck_assert_ptr_null(info.open);
    lw_layout_free(layout);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("stored_k");
    TCase *tc = tcase_create("stored_k");
    tcase_set_timeout(tc, 120);
    tcase_add_loop_test(tc, places_are_for_the_k_that_the_instruction_takes, 0,
                        (int)(sizeof(targets) / sizeof(targets[0])));
    tcase_add_loop_test(tc, each_kept_value_is_in_one_of_the_calculators_two_places, 0, 4);
    tcase_add_test(tc, stored_k_is_called_so);
    tcase_add_test(tc, ordered_where_nothing_else_is_spelled);
    tcase_add_test(tc, an_index_that_cannot_be_is_refused);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}

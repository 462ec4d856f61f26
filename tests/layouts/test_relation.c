/* SPDX-License-Identifier: MIT */
/*
 * The relation between places and elements compared with nested loops over its definition, for constructed
 * and random relations. For what other tools express with it, see test_relation_tools.c; for instructions,
 * test_layouts.c.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layouts/relation_naive.h"

static bool is_same_set(const lw_relation *a, const lw_relation *b)
{
    static lw_pair of_a[NAIVE_PAIRS], of_b[NAIVE_PAIRS];
    const size_t in_a = naive_sort(of_a, naive_pairs(a, of_a), true),
                 in_b = naive_sort(of_b, naive_pairs(b, of_b), true);
    return in_a == in_b && memcmp(of_a, of_b, in_a * sizeof(*of_a)) == 0;
}

/* A stride that is often a power of two and often zero. */
static uint32_t draw_stride(void)
{
    const uint32_t kind = naive_draw(4);
    return kind < 2 ? 0 : kind == 2 ? UINT32_C(1) << naive_draw(6) : naive_draw(13);
}

static lw_pair draw_vector(void)
{
    return (lw_pair){ draw_stride(), draw_stride(), draw_stride(), draw_stride(), draw_stride(), 0 };
}

/* Up to five digits and five bases; mixed, or only one of them, as `kind` says. */
static lw_relation draw_relation(unsigned kind)
{
    static const uint32_t radices[] = { 2, 2, 4, 3, 2, 8, 1, 6 };
    lw_relation r = { .pitch = 1 + naive_draw(6),
                      .start = naive_draw(40),
                      .lanes = naive_draw(2) ? 32 : 1 + naive_draw(70),
                      .width = 4 };
    r.digits = kind == 1 ? 0 : naive_draw(5);
    r.bases = kind == 0 ? 0 : naive_draw(6);
    for (unsigned i = 0; i < r.digits; i++) {
        const lw_pair v = draw_vector();
        r.digit[i] = (lw_digit){ radices[naive_draw(8)], v.lane, v.bit, v.row, v.col, v.k, v.block };
    }
    for (unsigned i = 0; i < r.bases; i++)
        r.base[i] = draw_vector();
    if (naive_draw(2))
        r.origin = draw_vector();
    r.rows = 1 + naive_draw(256);
    r.cols = r.ks = r.blocks = 600;
    r.bits = 2000;
    return r;
}

/* Valid, and with few enough pairs to enumerate. */
static bool is_usable(const lw_relation *r)
{
    size_t pairs = 0;
    return lw_relation_pairs(r, &pairs) == LW_OK && pairs <= 512;
}

static size_t matching(const lw_pair *all, size_t count, const lw_pair *want, bool by_place, lw_pair *out)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        const lw_pair *p = &all[i];
        const bool fits = by_place ? p->lane == want->lane && p->bit == want->bit
                                   : p->row == want->row && p->col == want->col && p->k == want->k &&
                                         p->block == want->block;
        if (fits)
            out[found++] = *p;
    }
    return naive_sort(out, found, false);
}

static void check_lookups(const lw_relation *r, const lw_pair *all, size_t count, const lw_pair *want)
{
    static lw_pair expected[NAIVE_PAIRS], got[NAIVE_PAIRS];
    for (int by_place = 0; by_place < 2; by_place++) {
        const size_t wanted = matching(all, count, want, by_place, expected);
        size_t found = 0;
        const lw_status st = by_place
                                 ? lw_relation_elements(r, want->lane, want->bit, got, NAIVE_PAIRS, &found)
                                 : lw_relation_places(r, want, got, NAIVE_PAIRS, &found);
        ck_assert_int_eq(st, LW_OK);
        if (found != wanted)
            ck_abort_msg("%zu pairs, not %zu", found, wanted);
        naive_sort(got, found, false);
        if (memcmp(got, expected, found * sizeof(*got)) != 0)
            ck_abort_msg("other pairs");
    }
}

/* Every pair in order, and lookups of a sample of pairs, of their neighbours, and of places without an
 * element. */
START_TEST(pairs_and_lookups_follow_the_definition)
{
    static lw_pair all[NAIVE_PAIRS];
    unsigned valid = 0;
    for (int round = 0; round < 4000; round++) {
        const lw_relation r = draw_relation(naive_draw(3));
        if (!is_usable(&r))
            continue;
        valid++;
        const size_t count = naive_pairs(&r, all);
        size_t pairs = 0;
        ck_assert_int_eq(lw_relation_pairs(&r, &pairs), LW_OK);
        ck_assert_uint_eq(pairs, count);
        for (size_t n = 0; n < count; n++) {
            lw_pair p;
            if (lw_relation_pair(&r, n, &p) != LW_OK || memcmp(&p, &all[n], sizeof(p)) != 0)
                ck_abort_msg("pair %zu of round %d", n, round);
            /* what lw_relation_check promises */
            if (p.row >= r.rows || p.col >= r.cols || p.k >= r.ks || p.block >= r.blocks ||
                p.lane >= r.lanes || p.bit + r.width > r.bits)
                ck_abort_msg("pair %zu of round %d is outside", n, round);
        }
        lw_pair past;
        ck_assert_int_eq(lw_relation_pair(&r, count, &past), LW_E_ARGUMENT);
        for (int i = 0; i < 6; i++) {
            lw_pair want = all[naive_draw((uint32_t)count)];
            want.bit += (uint32_t)(i % 2) * (1 + naive_draw(3));
            want.row = i % 3 == 2 ? naive_draw(r.rows) : want.row;
            check_lookups(&r, all, count, &want);
        }
    }
    ck_assert_uint_gt(valid, 1500);
}
END_TEST

/* Whether pair number n, for all n, is the XOR that the powers of two in n give. All radices are powers of
 * two. */
static bool is_linear(const lw_pair *all, size_t count)
{
    for (size_t n = 0; n < count; n++) {
        lw_pair x = all[0];
        for (size_t bit = 1; bit <= n; bit *= 2)
            if (n & bit) {
                x.lane ^= all[bit].lane ^ all[0].lane;
                x.bit ^= all[bit].bit ^ all[0].bit;
                x.row ^= all[bit].row ^ all[0].row;
                x.col ^= all[bit].col ^ all[0].col;
                x.k ^= all[bit].k ^ all[0].k;
            }
        if (memcmp(&x, &all[n], sizeof(x)) != 0)
            return false;
    }
    return true;
}

/* Whether every base has a lowest bit, in the order of the axes, that no other base has, and these bits
 * increase. */
static bool is_reduced(const lw_relation *r)
{
    int last = -1;
    for (unsigned i = 0; i < r->bases; i++) {
        const lw_pair *b = &r->base[i];
        const uint32_t axes[6] = { b->bit, b->lane, b->row, b->col, b->k, b->block };
        int lowest = 0;
        while (lowest < 192 && !(axes[lowest / 32] >> lowest % 32 & 1))
            lowest++;
        if (lowest == 192 || lowest <= last)
            return false;
        last = lowest;
        for (unsigned other = 0; other < r->bases; other++) {
            const lw_pair *o = &r->base[other];
            const uint32_t its[6] = { o->bit, o->lane, o->row, o->col, o->k, o->block };
            if (other != i && its[lowest / 32] >> lowest % 32 & 1)
                return false;
        }
    }
    return true;
}

/* Conversions keep the set; a normal form is its own normal form; a relation without bases is really not
 * linear. */
START_TEST(forms_are_the_same_set)
{
    static lw_pair all[NAIVE_PAIRS];
    unsigned to_bases = 0, to_digits = 0, refused = 0;
    for (int round = 0; round < 8000; round++) {
        const unsigned kind = naive_draw(3);
        lw_relation r = draw_relation(kind), form, again;
        if (kind == 0 && naive_draw(2)) /* for linear ones */
            for (unsigned i = 0; i < r.digits; i++)
                r.digit[i].radix = UINT32_C(1) << naive_draw(4);
        if (!is_usable(&r))
            continue;
        ck_assert_int_eq(lw_relation_normalize(&r, &form), LW_OK);
        ck_assert_int_eq(lw_relation_check(&form, NULL), LW_OK);
        ck_assert_msg(is_same_set(&r, &form), "normal form of round %d", round);
        ck_assert_msg(is_reduced(&form), "bases of round %d are not reduced", round);
        ck_assert_int_eq(lw_relation_normalize(&form, &again), LW_OK);
        ck_assert_msg(memcmp(&form, &again, sizeof(form)) == 0, "twice normal, round %d", round);

        bool powers = kind == 0;
        for (unsigned i = 0; i < r.digits; i++)
            powers = powers && !(r.digit[i].radix & (r.digit[i].radix - 1));
        if (lw_relation_to_bases(&r, &form, NULL) == LW_OK) {
            to_bases++;
            ck_assert_uint_eq(form.digits, 0);
            ck_assert_int_eq(lw_relation_check(&form, NULL), LW_OK);
            ck_assert_msg(is_same_set(&r, &form), "bases of round %d", round);
        } else if (powers && !(r.lanes & (r.lanes - 1)) &&
                   memcmp(&again.origin, &(lw_pair){ 0 }, sizeof(lw_pair)) == 0) {
            again.pitch = 1; /* in steps of the places, like bases */
            again.start = 0;
            ck_assert_msg(!is_linear(all, naive_pairs(&again, all)), "round %d is linear", round);
            refused++;
        }
        if (lw_relation_to_digits(&r, &form, NULL) == LW_OK) {
            to_digits++;
            ck_assert_uint_eq(form.bases, 0);
            ck_assert_int_eq(lw_relation_check(&form, NULL), LW_OK);
            ck_assert_msg(is_same_set(&r, &form), "digits of round %d", round);
        } else {
            ck_assert_uint_gt(r.bases, 0);
        }
    }
    ck_assert_uint_gt(to_bases, 1000);
    ck_assert_uint_gt(to_digits, 1000);
    ck_assert_uint_gt(refused, 20);
}
END_TEST

/* Two relations are equal if their sets of pairs are, whatever their form. */
START_TEST(equality_is_of_sets)
{
    unsigned same = 0, other = 0;
    for (int round = 0; round < 3000; round++) {
        lw_relation a = draw_relation(naive_draw(3)), b = a;
        if (!is_usable(&a))
            continue;
        if (naive_draw(2) || lw_relation_to_bases(&a, &b, NULL) != LW_OK)
            lw_relation_normalize(&a, &b);
        if (b.digits && naive_draw(2))
            b.digit[naive_draw(b.digits)].lane ^= 1;
        else if (b.bases && naive_draw(2))
            b.base[naive_draw(b.bases)].row ^= 1;
        if (b.digits > 1 && naive_draw(2)) {
            const lw_digit first = b.digit[0];
            b.digit[0] = b.digit[1];
            b.digit[1] = first;
        }
        bool equal = false;
        if (lw_relation_check(&b, NULL) != LW_OK)
            continue;
        ck_assert_int_eq(lw_relation_equal(&a, &b, &equal), LW_OK);
        ck_assert_msg(equal == is_same_set(&a, &b), "round %d", round);
        same += equal;
        other += !equal;
    }
    ck_assert_uint_gt(same, 300);
    ck_assert_uint_gt(other, 300);

    lw_relation a = { .digits = 1,
                      .digit = { { 4, 1, 0, 1, 0, 0, 0 } },
                      .pitch = 1,
                      .lanes = 4,
                      .bits = 32,
                      .width = 16,
                      .rows = 4,
                      .cols = 1,
                      .ks = 1,
                      .blocks = 1 };
    lw_relation b = a;
    bool equal = true;
    b.width = 8;
    ck_assert_int_eq(lw_relation_equal(&a, &b, &equal), LW_OK);
    ck_assert(!equal);
    b = a;
    b.lanes = 8;
    ck_assert_int_eq(lw_relation_equal(&a, &b, &equal), LW_OK);
    ck_assert(!equal);
}
END_TEST

/* If both have the element, its place is mapped to its place; no place is left out. */
START_TEST(composition_goes_through_elements)
{
    static lw_pair of_from[NAIVE_PAIRS], of_to[NAIVE_PAIRS], want[512 * 512], got[512 * 512];
    unsigned composed = 0;
    for (int round = 0; round < 6000; round++) {
        lw_relation from = draw_relation(naive_draw(3)), to = draw_relation(naive_draw(3)), r;
        if (naive_draw(2)) {
            to.digits = from.digits;
            memcpy(to.digit, from.digit, sizeof(to.digit));
            to.bases = from.bases;
            memcpy(to.base, from.base, sizeof(to.base));
            to.origin = from.origin;
            for (unsigned i = 0; i < to.digits; i++) {
                to.digit[i].bit = draw_stride();
                to.digit[i].lane = draw_stride();
            }
        }
        if (!is_usable(&from) || !is_usable(&to) || lw_relation_compose(&from, &to, &r, NULL) != LW_OK)
            continue;
        composed++;
        const size_t places = naive_pairs(&from, of_from), targets = naive_pairs(&to, of_to);
        size_t wanted = 0;
        for (size_t f = 0; f < places; f++)
            for (size_t t = 0; t < targets; t++) {
                const lw_pair *p = &of_from[f], *q = &of_to[t];
                if (p->row != q->row || p->col != q->col || p->k != q->k || p->block != q->block)
                    continue;
                want[wanted++] = (lw_pair){ p->lane, p->bit, q->lane, q->bit, 0, 0 };
            }
        wanted = naive_sort(want, wanted, true);
        const size_t found = naive_sort(got, naive_pairs(&r, got), true);
        ck_assert_msg(found == wanted && memcmp(got, want, found * sizeof(*got)) == 0, "round %d", round);
        ck_assert_uint_eq(r.rows, to.lanes);
        ck_assert_uint_eq(r.cols, to.bits);
    }
    ck_assert_uint_gt(composed, 200);
}
END_TEST

/* The largest possible tile is looked up at once, without enumeration. */
START_TEST(lookups_do_not_count_through_all)
{
    const lw_relation huge = {
        .digits = 2,
        .digit = { { .radix = 1 << 14, .bit = 16, .col = 1 },
                   { .radix = 1 << 14, .bit = 16 << 14, .row = 1 } },
        .pitch = 1,
        .lanes = 1,
        .bits = UINT32_MAX,
        .width = 15,
        .rows = 1 << 14,
        .cols = 1 << 14,
        .ks = 1,
        .blocks = 1,
    };
    lw_relation linear;
    ck_assert_int_eq(lw_relation_to_bases(&huge, &linear, NULL), LW_OK);
    ck_assert_uint_eq(linear.bases, 28);
    for (int round = 0; round < 20000; round++) {
        const lw_pair want = { .row = naive_draw(1 << 14), .col = naive_draw(1 << 14) };
        lw_pair got[2];
        size_t count = 0;
        ck_assert_int_eq(lw_relation_places(naive_draw(2) ? &huge : &linear, &want, got, 2, &count), LW_OK);
        if (count != 1 || got[0].bit != 16 * (want.row * (1 << 14) + want.col))
            ck_abort_msg("row %u col %u", want.row, want.col);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("relations");
    TCase *tc = tcase_create("all");
    tcase_set_timeout(tc, 120);
    tcase_add_test(tc, pairs_and_lookups_follow_the_definition);
    tcase_add_test(tc, forms_are_the_same_set);
    tcase_add_test(tc, equality_is_of_sets);
    tcase_add_test(tc, composition_goes_through_elements);
    tcase_add_test(tc, lookups_do_not_count_through_all);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

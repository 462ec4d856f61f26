/* SPDX-License-Identifier: MIT */
/*
 * The check of wait states: sequences with their expected findings (hazard_cases.txt), each with a corrected
 * twin that must be clean; loops and branches; the contents of a finding.
 */
#include <stdio.h>

#include <lanewise/check.h>

#include "machine/fixture.h"
#include "observers/told.h"

enum { WORDS = 24 };

typedef struct hazard_case {
    const char *name;
    lw_arch arch;
    unsigned lanes;
    unsigned error, strict;
    const char *rule;
    uint32_t words[WORDS];
    size_t count;
} hazard_case;

#define WORD_COUNT(...) (sizeof((uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t))

static const hazard_case cases[] = {
#define CASE(name_, arch_, lanes_, error_, strict_, rule_, ...)                                              \
    { name_, LW_ARCH_##arch_, lanes_, error_, strict_, rule_, { __VA_ARGS__ }, WORD_COUNT(__VA_ARGS__) },
#include "observers/hazard_cases.inc"
#undef CASE
};

enum { CASES = sizeof(cases) / sizeof(cases[0]) };

typedef struct answer {
    unsigned error, strict;
    char rule[40], cure[120];
    uint64_t before; /* where the correction goes */
} answer;

/* "insert s_nop 4 before": 5; "insert s_nop 15 and s_nop 2 before": 19; "insert 4 v_nop before": 4. */
static unsigned missing_of(const char *cure)
{
    unsigned a = 0, b = 0;
    if (sscanf(cure, "insert s_nop %u and s_nop %u", &a, &b) == 2)
        return a + b + 2;
    if (sscanf(cure, "insert %u v_nop", &a) == 1)
        return a;
    if (strncmp(cure, "insert s_nop", 12) != 0)
        return cure[0] != '\0'; /* RDNA: one instruction */
    return sscanf(cure, "insert s_nop %u", &a) == 1 ? a + 1 : 0;
}

static void take_findings(const lw_check *check, answer *a)
{
    for (size_t i = 0; i < lw_check_count(check); i++) {
        const lw_finding *f = lw_check_at(check, i);
        const unsigned missing = missing_of(f->cure);
        ck_assert_uint_eq(f->times, 1);
        ck_assert(f->place.known && f->other.known && f->place.code_offset > f->other.code_offset);
        if (f->severity == LW_SEVERITY_ERROR && missing > a->error)
            a->error = missing;
        if (missing > a->strict) {
            a->strict = missing;
            a->before = f->place.code_offset;
            snprintf(a->cure, sizeof(a->cure), "%s", f->cure);
        }
        if (i == 0)
            snprintf(a->rule, sizeof(a->rule), "%s", f->rule);
    }
}

static answer ask(lw_arch arch, unsigned lanes, const uint32_t *words, size_t count)
{
    answer a = { .rule = "none" };
    lw_check_options options = lw_check_options_default();
    lw_check *check = NULL;
    told t;
    options.strict = true;
    ck_assert_int_eq(lw_check_create("hazards", &options, &check), LW_OK);
    told_begin(&t, arch, lanes, lw_check_observer(check));
    ck_assert(told_all(&t, words, count));
    take_findings(check, &a);
    lw_check_free(check);
    return a;
}

START_TEST(sequences)
{
    const hazard_case *c = &cases[_i];
    const answer a = ask(c->arch, c->lanes, c->words, c->count);
    ck_assert_msg(a.error == c->error && a.strict == c->strict && strcmp(a.rule, c->rule) == 0,
                  "%s: %u and %u are missing by %s, not %u and %u by %s", c->name, a.error, a.strict, a.rule,
                  c->error, c->strict, c->rule);
}
END_TEST

/* RDNA's correction, one instruction of the assembler's. */
static uint32_t rdna_cure(const char *cure)
{
    static const struct {
        const char *begins;
        uint32_t word;
    } cures[] = { { "insert s_waitcnt_depctr depctr_sa_sdst", 0xbf88fffe },
                  { "insert s_waitcnt_depctr depctr_va_vcc", 0xbf88fffd },
                  { "insert s_waitcnt_depctr depctr_va_sdst", 0xbf88f1ff },
                  { "insert s_wait_alu depctr_sa_sdst", 0xbf88fffe },
                  { "insert s_wait_alu depctr_va_sdst", 0xbf88f1ff },
                  { "insert v_nop", 0x7e000000 },
                  { "insert a v_mov_b32", 0x7e020301 },        /* v1, v1 */
                  { "insert s_waitcnt_depctr", 0xbf880fff } }; /* va_vdst(0) */
    unsigned count;
    if (sscanf(cure, "insert %u v_nop", &count) == 1)
        return 0x7e000000;
    for (size_t i = 0; i < sizeof(cures) / sizeof(cures[0]); i++)
        if (strncmp(cure, cures[i].begins, strlen(cures[i].begins)) == 0)
            return cures[i].word;
    return 0;
}

/* Applies the correction: wait states before the named instruction. */
START_TEST(cured)
{
    const hazard_case *c = &cases[_i];
    const answer a = ask(c->arch, c->lanes, c->words, c->count);
    uint32_t words[WORDS + 16];
    const size_t at = a.before / 4;
    size_t count = at;
    if (!a.strict)
        return;
    memcpy(words, c->words, at * sizeof(*words));
    if (rdna_cure(a.cure)) {
        for (unsigned i = 0; i < a.strict; i++)
            words[count++] = rdna_cure(a.cure);
        memcpy(words + count, c->words + at, (c->count - at) * sizeof(*words));
        ck_assert_uint_eq(ask(c->arch, c->lanes, words, count + c->count - at).error, 0);
        return;
    }
    for (unsigned left = a.strict; left;) {
        const unsigned states = left > 16 ? 16 : left;
        words[count++] = 0xbf800000u | (states - 1);
        left -= states;
    }
    memcpy(words + count, c->words + at, (c->count - at) * sizeof(*words));
    const answer after = ask(c->arch, c->lanes, words, count + c->count - at);
    ck_assert_msg(after.strict == 0, "%s: with '%s' %u are missing still", c->name, a.cure, after.strict);
    words[at + (a.strict > 16)]--; /* one fewer */
    if (a.strict > 1 && ((words[at + (a.strict > 16)] & 0xffff) < 16))
        ck_assert_msg(ask(c->arch, c->lanes, words, count + c->count - at).strict == 1,
                      "%s: one fewer is enough", c->name);
}
END_TEST

START_TEST(told_in_words)
{
    lw_check *check = NULL;
    told t;
    ck_assert_int_eq(lw_check_create("hazards", NULL, &check), LW_OK);
    told_begin(&t, LW_ARCH_GFX942, 64, lw_check_observer(check));
    const hazard_case *c = &cases[1];
    for (int i = 0; i < 3; i++) /* three waves: one finding */
        ck_assert(told_all(&t, c->words, c->count) || i);
    ck_assert_uint_eq(lw_check_count_of(check, LW_SEVERITY_ERROR), 3); /* three places */
    const lw_finding *f = lw_check_at(check, 0);
    ck_assert_str_eq(f->what, "v0 is needed 5 wait states after the instruction that writes it; it needs 7");
    ck_assert_str_eq(f->cure, "insert s_nop 1 before +0xc");
    ck_assert_str_eq(f->other.instruction, "v_mfma_f32_16x16x16_f16 v[0:3], v[64:65], v[80:81], v[0:3]");
    ck_assert_str_eq(f->place.instruction, "v_mov_b32_e32 v200, v0");
    ck_assert_ptr_null(lw_check_at(check, 3));
    lw_check_free(check);
}
END_TEST

/* A loop: the end of one round and the beginning of the next; counted each time, reported once. */
START_TEST(around_a_loop)
{
    static fixture f;
    lw_check *check = NULL;
    ck_assert_int_eq(lw_check_create("hazards", NULL, &check), LW_OK);
    const lw_observer *const list[] = { lw_check_observer(check) };
    fixture_init(&f, 1);
    f.options.arch = LW_ARCH_GFX942;
    f.options.observers = list;
    f.options.observer_count = 1;
    f.wave[0].sgpr[0] = 5;
    fixture_ok(&f, "hazard_loop");
    ck_assert_uint_eq(lw_check_count(check), 1);
    const lw_finding *found = lw_check_at(check, 0);
    ck_assert_str_eq(found->rule, "vgpr-dpp");
    ck_assert_uint_eq(found->times, 4); /* not before the first round */
    ck_assert(found->place.code_offset < found->other.code_offset);
    lw_check_free(check);
    fixture_free(&f);
}
END_TEST

START_TEST(unknown_target)
{
    lw_check *check = NULL;
    told t;
    ck_assert_int_eq(lw_check_create("hazards", NULL, &check), LW_OK);
    told_begin(&t, LW_ARCH_GFX908, 64, lw_check_observer(check));
    ck_assert_ptr_null(lw_check_unchecked_at(check, 1));
    t.event.arch = LW_ARCH_SM_80;
    ck_assert_uint_eq(t.observer->decoded(t.observer->context, &t.event), LW_SEE_NOTHING);
    ck_assert_uint_eq(lw_check_count(check), 0);
    ck_assert_ptr_nonnull(lw_check_unchecked_at(check, 1));
    lw_check_free(check);
}
END_TEST

START_TEST(arguments)
{
    lw_check *check = NULL;
    lw_check_options wrong = lw_check_options_default();
    wrong.struct_size = 3;
    ck_assert_int_eq(lw_check_create("hazard", NULL, &check), LW_E_NOT_FOUND);
    ck_assert_int_eq(lw_check_create("hazards", &wrong, &check), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_check_create(NULL, NULL, &check), LW_E_ARGUMENT);
    ck_assert_ptr_null(check);
    ck_assert_str_eq(lw_check_name_at(0), "hazards");
    ck_assert_ptr_null(lw_check_name_at(1000));
    ck_assert_str_eq(lw_severity_name(LW_SEVERITY_ERROR), "error");
    ck_assert_str_eq(lw_severity_name(LW_SEVERITY_COUNT), "");
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("hazards");
    tcase_add_loop_test(tc, sequences, 0, CASES);
    tcase_add_loop_test(tc, cured, 0, CASES);
    tcase_add_test(tc, told_in_words);
    tcase_add_test(tc, around_a_loop);
    tcase_add_test(tc, unknown_target);
    tcase_add_test(tc, arguments);
    return run_suite("observers_hazards", tc);
}

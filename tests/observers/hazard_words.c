/* SPDX-License-Identifier: MIT */
/*
 * The check of wait states as a filter for the script in this folder: reads lines of hexadecimal dwords, each
 * a short program, and writes "ERROR STRICT RULE" for each: the wait states that have to be inserted in it at
 * each level, and the first rule; "-" if it is not an instruction. With the lanes of a wave after
 * the target, it writes "PLACE:EARLIER:RULE:LEVEL:COUNT" for each finding instead, places in dwords, or
 * "none"; COUNT: of the v_nop that are missing, where distances are counted in them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/check.h>

#include "observers/told.h"

enum { WORDS = 128, LINE = 2048 };

/* "insert s_nop 4 before": 5; "insert s_nop 15 and s_nop 2 before": 19. */
static unsigned missing_of(const lw_finding *f)
{
    unsigned a = 0, b = 0;
    if (sscanf(f->cure, "insert s_nop %u and s_nop %u", &a, &b) == 2)
        return a + b + 2;
    return sscanf(f->cure, "insert s_nop %u", &a) == 1 ? a + 1 : 0;
}

static void tell_places(const lw_check *check, bool fine)
{
    const size_t count = lw_check_count(check);
    for (size_t i = 0; fine && i < count; i++) {
        const lw_finding *f = lw_check_at(check, i);
        unsigned missing = 0;
        sscanf(f->cure, "insert %u v_nop", &missing);
        printf("%u:%u:%s:%s:%u ", (unsigned)f->place.code_offset / 4, (unsigned)f->other.code_offset / 4,
               f->rule, lw_severity_name(f->severity), missing);
    }
    puts(!fine ? "-" : count ? "" : "none");
}

/* How many wait states have to be inserted before the place at word `at`, if so many were before those ahead
 * of it. */
static unsigned before_place(const lw_check *check, uint64_t at, bool strict, const unsigned *inserted)
{
    unsigned most = 0;
    for (size_t i = 0; i < lw_check_count(check); i++) {
        const lw_finding *f = lw_check_at(check, i);
        unsigned missing = missing_of(f);
        if (f->place.code_offset / 4 != at || (!strict && f->severity != LW_SEVERITY_ERROR))
            continue;
        for (uint64_t between = f->other.code_offset / 4 + 1; between < at; between++)
            missing -= inserted[between] < missing ? inserted[between] : missing;
        most = missing > most ? missing : most;
    }
    return most;
}

/* In the whole sequence, as a recognizer inserts them from the first place to the last. */
static unsigned inserted_in(const lw_check *check, bool strict)
{
    unsigned inserted[WORDS] = { 0 }, sum = 0;
    for (uint64_t at = 0; at < WORDS; at++)
        sum += inserted[at] = before_place(check, at, strict, inserted);
    return sum;
}

static void answer(lw_arch arch, const uint32_t *words, size_t count, unsigned lanes)
{
    lw_check_options options = lw_check_options_default();
    lw_check *check = NULL;
    told t;
    options.strict = true;
    if (lw_check_create("hazards", &options, &check) != LW_OK)
        exit(2);
    told_begin(&t, arch, lanes ? lanes : 64, lw_check_observer(check));
    const char *rule = "none";
    const bool fine = told_all(&t, words, count);
    if (lw_check_count(check))
        rule = lw_check_at(check, 0)->rule;
    if (lanes) {
        tell_places(check, fine);
        lw_check_free(check);
        return;
    }
    if (fine)
        printf("%u %u %s\n", inserted_in(check, false), inserted_in(check, true), rule);
    else
        puts("-");
    lw_check_free(check);
}

int main(int argc, char **argv)
{
    lw_arch arch = LW_ARCH_NONE;
    char line[LINE];
    if (argc < 2 || argc > 3 || lw_arch_find(argv[1], &arch) != LW_OK)
        return 2;
    while (fgets(line, sizeof(line), stdin)) {
        uint32_t words[WORDS];
        size_t count = 0;
        char *at = line, *end;
        for (; count < WORDS; count++, at = end) {
            words[count] = (uint32_t)strtoul(at, &end, 16);
            if (end == at)
                break;
        }
        answer(arch, words, count, argc > 2 ? (unsigned)atoi(argv[2]) : 0);
    }
    return 0;
}

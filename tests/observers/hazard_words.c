/* SPDX-License-Identifier: MIT */
/*
 * The check of wait states as a filter for the script in this folder: reads lines of hexadecimal dwords, each
 * a short program, and writes "ERROR STRICT RULE" for each: the wait states that are missing before its last
 * instruction at each level, and the rule; "-" if it is not an instruction. With the lanes of a wave after
 * the target, it writes "PLACE:EARLIER:RULE:LEVEL" for each finding instead, places in dwords, or "none".
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
        printf("%u:%u:%s:%s ", (unsigned)f->place.code_offset / 4, (unsigned)f->other.code_offset / 4,
               f->rule, lw_severity_name(f->severity));
    }
    puts(!fine ? "-" : count ? "" : "none");
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
    unsigned most[LW_SEVERITY_COUNT] = { 0 };
    const char *rule = "none";
    const bool fine = told_all(&t, words, count);
    for (size_t i = 0; i < lw_check_count(check); i++) {
        const lw_finding *f = lw_check_at(check, i);
        const unsigned missing = missing_of(f);
        if (missing > most[f->severity])
            most[f->severity] = missing;
        rule = i == 0 ? f->rule : rule;
    }
    if (lanes) {
        tell_places(check, fine);
        lw_check_free(check);
        return;
    }
    if (most[LW_SEVERITY_STRICT] < most[LW_SEVERITY_ERROR])
        most[LW_SEVERITY_STRICT] = most[LW_SEVERITY_ERROR];
    if (fine)
        printf("%u %u %s\n", most[LW_SEVERITY_ERROR], most[LW_SEVERITY_STRICT], rule);
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

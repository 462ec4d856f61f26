/* SPDX-License-Identifier: MIT */
#include "runtime/device/checks.h"

#include <stdio.h>
#include <string.h>

#include "runtime/device/settings.h"

enum { MOST_PRINTED = 8 };

static const char *chosen[RT_MOST_CHECKS];
static size_t chosen_count;

static const char *known_name(const char *name, size_t length)
{
    const char *known;
    for (size_t i = 0; (known = lw_check_name_at(i)); i++)
        if (strlen(known) == length && strncmp(known, name, length) == 0)
            return known;
    return NULL;
}

static bool choose(const char *name, size_t length)
{
    const char *known = known_name(name, length);
    if (length == 3 && strncmp(name, "all", 3) == 0) {
        for (chosen_count = 0; chosen_count < RT_MOST_CHECKS && lw_check_name_at(chosen_count);
             chosen_count++)
            chosen[chosen_count] = lw_check_name_at(chosen_count);
        return true;
    }
    for (size_t i = 0; known && i < chosen_count; i++)
        if (chosen[i] == known)
            return true;
    if (known && chosen_count < RT_MOST_CHECKS)
        chosen[chosen_count++] = known;
    return known;
}

int rt_checks_choose(const char *names)
{
    while (*names) {
        const size_t length = strcspn(names, ",");
        if (length && !choose(names, length)) {
            rt_say("LANEWISE_CHECK: there is no check '%.*s'; no device is offered", (int)length, names);
            return RT_NO_DEVICE;
        }
        names += length + (names[length] == ',');
    }
    return RT_OK;
}

lw_status rt_checks_begin(rt_checks *checks)
{
    memset(checks, 0, sizeof(*checks));
    for (size_t i = 0; i < chosen_count; i++) {
        const lw_status status = lw_check_create(chosen[i], NULL, &checks->check[i]);
        if (status != LW_OK)
            return status;
        checks->observers[i] = lw_check_observer(checks->check[i]);
        checks->count++;
    }
    return LW_OK;
}

static void describe(const lw_finding_place *place, const char *word, char *text, size_t size)
{
    text[0] = '\0';
    if (!place->known)
        return;
    const int used = snprintf(text, size, "; %s +0x%llx %.120s", word, (unsigned long long)place->code_offset,
                              place->instruction);
    if (place->source.line && used > 0 && (size_t)used < size)
        snprintf(text + used, size - (size_t)used, " (%.200s:%u)", place->source.file, place->source.line);
}

static void print(const char *kernel, const char *check, const lw_finding *f)
{
    char place[480], other[480];
    describe(&f->place, "at", place, sizeof(place));
    describe(&f->other, "after", other, sizeof(other));
    rt_say("%.120s: %s %s: %.300s%s%s%s%.200s (%llu times)", kernel, check, lw_severity_name(f->severity),
           f->what, place, other, f->cure[0] ? "; " : "", f->cure, (unsigned long long)f->times);
}

/* Findings for information only (which arrays a kernel used) do not count here. */
static size_t count_of(const lw_check *check)
{
    return lw_check_count(check) - lw_check_count_of(check, LW_SEVERITY_INFO);
}

void rt_checks_end(rt_checks *checks, const char *kernel)
{
    for (size_t i = 0; i < checks->count; i++) {
        lw_check *check = checks->check[i];
        const size_t count = count_of(check);
        size_t printed = 0;
        for (size_t n = 0; n < lw_check_count(check) && printed < MOST_PRINTED; n++)
            if (lw_check_at(check, n)->severity != LW_SEVERITY_INFO) {
                print(kernel, lw_check_name(check), lw_check_at(check, n));
                printed++;
            }
        if (count > MOST_PRINTED)
            rt_say("%.120s: %s: %zu more", kernel, lw_check_name(check), count - MOST_PRINTED);
        checks->errors += lw_check_count_of(check, LW_SEVERITY_ERROR);
        checks->findings += count;
        lw_check_free(check);
    }
    if (chosen_count > checks->count) /* one could not be created: out of memory */
        lw_check_free(checks->check[checks->count]);
}

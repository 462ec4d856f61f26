/* SPDX-License-Identifier: MIT */
#include <stddef.h>
#include <string.h>

#include <lanewise/reading.h>

#include "runtime/device/device.h"
#include "runtime/device/settings.h"

enum { MOST_READINGS = 16, NAME_SIZE = 96 };

static char text[MOST_READINGS][NAME_SIZE];
static const char *chosen[MOST_READINGS];
static size_t chosen_count;

int rt_readings_choose(const char *names)
{
    lw_error error = { "" };
    const lw_reading *reading;
    while (*names) {
        const size_t length = strcspn(names, ",");
        if (length) {
            if (length >= NAME_SIZE || chosen_count == MOST_READINGS) {
                rt_say("LANEWISE_READING: more than %d readings, or a name of more than %d characters; no "
                       "device is offered",
                       MOST_READINGS, NAME_SIZE - 1);
                return RT_NO_DEVICE;
            }
            memcpy(text[chosen_count], names, length);
            text[chosen_count][length] = '\0';
            if (lw_reading_find(text[chosen_count], &reading, &error) != LW_OK) {
                rt_say("LANEWISE_READING: %s; no device is offered", error.text);
                return RT_NO_DEVICE;
            }
            chosen[chosen_count] = text[chosen_count];
            chosen_count++;
        }
        names += length + (names[length] == ',');
    }
    return RT_OK;
}

const char *const *rt_readings(size_t *count)
{
    *count = chosen_count;
    return chosen;
}

/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/readings.h"

int readings_find(const cli_call *call, const char *option, const char *text, const lw_reading **reading)
{
    char what[32];
    lw_error error = { "" };
    char *copy = cli_copy(text, strlen(text));
    char *equals = strchr(copy, '=');
    if (equals && !strchr(copy, ':'))
        *equals = ':';
    const lw_status status = lw_reading_find(copy, reading, &error);
    free(copy);
    if (status == LW_OK)
        return CLI_FINE;
    snprintf(what, sizeof(what), "--%s", option);
    return cli_fail_status(call, what, status, &error);
}

static bool is_reading_option(const char *name)
{
    return !strcmp(name, "reading") || !strcmp(name, "numerics") || !strcmp(name, "assume");
}

int readings_read(const cli_call *call, cli_readings *readings)
{
    *readings = (cli_readings){ .names = cli_alloc((call->given_count + 1) * sizeof(char *)) };
    for (size_t i = 0; i < call->given_count; i++) {
        const cli_given *given = &call->given[i];
        const lw_reading *reading;
        if (!is_reading_option(given->option->name))
            continue;
        const int exit = readings_find(call, given->option->name, given->value, &reading);
        if (exit != CLI_FINE) {
            readings_free(readings);
            return exit;
        }
        const size_t size = strlen(reading->topic) + strlen(reading->name) + 2;
        char *name = cli_alloc(size);
        snprintf(name, size, "%s:%s", reading->topic, reading->name);
        readings->names[readings->count++] = name;
    }
    return CLI_FINE;
}

void readings_free(cli_readings *readings)
{
    for (size_t i = 0; i < readings->count; i++)
        free(readings->names[i]);
    free(readings->names);
    *readings = (cli_readings){ 0 };
}

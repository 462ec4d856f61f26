/* SPDX-License-Identifier: MIT */
#include "cli/junit.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static void put_text(const char *text, FILE *out)
{
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if (strchr("<>&\"'", c))
            fprintf(out, "&#%u;", c);
        else if (c < 0x20 || c > 0x7e)
            fprintf(out, "\\x%02x", c);
        else
            putc(c, out);
    }
}

static void put_attribute(const char *name, const char *value, FILE *out)
{
    fprintf(out, " %s=\"", name);
    put_text(value, out);
    putc('"', out);
}

static void put_case(const char *suite, const junit_case *c, FILE *out)
{
    fputs("  <testcase", out);
    put_attribute("classname", suite, out);
    put_attribute("name", c->name, out);
    if (c->outcome == JUNIT_PASSED) {
        fputs("/>\n", out);
        return;
    }
    fprintf(out, ">\n    <%s", c->outcome == JUNIT_FAILED ? "failure" : "error");
    put_attribute("message", c->text, out);
    fputs("/>\n  </testcase>\n", out);
}

static size_t count_of(const junit_case *cases, size_t count, junit_outcome outcome)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++)
        found += cases[i].outcome == outcome;
    return found;
}

int junit_write(const cli_call *call, const char *suite, const junit_case *cases, size_t count)
{
    const char *path = cli_value(call, "junit");
    FILE *out = path ? fopen(path, "w") : NULL;
    if (!path)
        return CLI_FINE;
    if (!out)
        return cli_unwritten(call, "junit", strerror(errno));
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite", out);
    put_attribute("name", suite, out);
    fprintf(out, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\">\n", count,
            count_of(cases, count, JUNIT_FAILED), count_of(cases, count, JUNIT_ERROR));
    for (size_t i = 0; i < count; i++)
        put_case(suite, &cases[i], out);
    fputs("</testsuite>\n", out);
    const bool broken = ferror(out) != 0;
    if (fclose(out) != 0 || broken)
        return cli_unwritten(call, "junit", "the device is full or gone");
    return CLI_FINE;
}

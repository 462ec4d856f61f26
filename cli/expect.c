/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/file.h"
#include "cli/expect.h"
#include "cli/mistake.h"
#include "cli/parse.h"

int expect_limits(const cli_call *call, compare_limits *limits)
{
    const char *ulp = cli_value(call, "ulp"), *rtol = cli_value(call, "rtol");
    char *end = NULL;
    *limits = (compare_limits){ .has_ulp = ulp != NULL, .has_rtol = rtol != NULL };
    if (!cli_has(call, "expect") && (ulp || rtol))
        return cli_fail(call, CLI_USAGE, "--%s has no effect without --expect", ulp ? "ulp" : "rtol");
    if (ulp && !parse_u64(ulp, &limits->ulp))
        return cli_fail(call, CLI_USAGE, "--ulp %s: needs a whole number from 0 up", ulp);
    if (!rtol)
        return CLI_FINE;
    limits->rtol = strtod(rtol, &end);
    if (end == rtol || *end || !(limits->rtol >= 0 && limits->rtol < 1e300))
        return cli_fail(call, CLI_USAGE, "--rtol %s: needs a number from 0 up, such as 1e-3", rtol);
    return CLI_FINE;
}

void expect_shape_text(const lw_npy *array, char *text, size_t size)
{
    size_t used = 0;
    snprintf(text, size, "scalar");
    for (unsigned i = 0; i < array->dims && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%" PRIu64, i ? "x" : "", array->shape[i]);
}

static bool same_shape(const lw_npy *a, const lw_npy *b)
{
    return a->dtype == b->dtype && a->dims == b->dims &&
           memcmp(a->shape, b->shape, a->dims * sizeof(a->shape[0])) == 0;
}

int expect_load(const cli_call *call, const char *path, uint64_t held, const arg_type *type,
                const lw_npy *got, lw_npy *expected)
{
    char shape[2][256];
    const int read = file_read_array(call, "expect", path, &held, expected);
    const bool tolerant = cli_has(call, "ulp") || cli_has(call, "rtol");
    if (read != CLI_FINE)
        return read;
    if (tolerant && type->raw && !type->significand) {
        lw_npy_free(expected);
        return cli_fail(call, CLI_USAGE,
                        "--expect %s: %s codes are compared bit for bit only; leave --ulp and --rtol out",
                        path, type->name);
    }
    if (same_shape(got, expected))
        return CLI_FINE;
    expect_shape_text(got, shape[0], sizeof(shape[0]));
    expect_shape_text(expected, shape[1], sizeof(shape[1]));
    const int exit = cli_fail(call, CLI_USAGE, "--expect %s: it holds %s %s, but the result is %s %s", path,
                              lw_dtype_name(expected->dtype), shape[1], lw_dtype_name(got->dtype), shape[0]);
    lw_npy_free(expected);
    return exit;
}

void expect_print_index(const lw_npy *array, uint64_t index)
{
    uint64_t inner = array->count;
    putchar('[');
    for (unsigned i = 0; i < array->dims; i++) {
        inner /= array->shape[i] ? array->shape[i] : 1;
        printf("%s%" PRIu64, i ? "," : "", index / inner);
        index %= inner;
    }
    putchar(']');
}

static void print_code(const arg_type *type, uint64_t code)
{
    printf("0x%0*" PRIx64, (int)lw_dtype_size(type->dtype) * 2, code);
    if (!type->raw || type->significand)
        printf(" (%.9g)", compare_value(type, code));
}

static void print_sample(const arg_type *type, const lw_npy *got, const compare_result *r,
                         const compare_sample *s)
{
    fputs("  ", stdout);
    expect_print_index(got, s->index);
    fputs(" is ", stdout);
    print_code(type, s->got);
    fputs(", expected ", stdout);
    print_code(type, s->expected);
    if (r->has_ulp && s->ulp != UINT64_MAX)
        printf(", %" PRIu64 " ulp", s->ulp);
    putchar('\n');
}

static void print_report(const char *path, const arg_type *type, const lw_npy *got, const lw_npy *expected,
                         const compare_limits *limits, const compare_result *r)
{
    char mistake[MISTAKE_ROOM];
    if (r->differ == 0) {
        printf("expect %s: all %" PRIu64 " elements equal, bit for bit\n", path, r->count);
        return;
    }
    printf("expect %s: %" PRIu64 " of %" PRIu64 " elements differ", path, r->differ, r->count);
    if (limits->has_ulp || limits->has_rtol)
        printf(", %" PRIu64 " of them by more than allowed", r->outside);
    if (r->has_ulp && r->worst_ulp != UINT64_MAX)
        printf("; the largest difference is %" PRIu64 " ulp", r->worst_ulp);
    putchar('\n');
    for (size_t i = 0; i < r->samples; i++)
        print_sample(type, got, r, &r->sample[i]);
    if (mistake_explain(type, got, expected, r, mistake))
        printf("  explained: %s\n", mistake);
    if (r->differ > COMPARE_SAMPLES)
        mistake_print_map(got, expected);
}

static void write_report(cli_json *json, const char *path, const arg_type *type, const lw_npy *got,
                         const lw_npy *expected, const compare_result *r)
{
    char mistake[MISTAKE_ROOM];
    const unsigned digits = (unsigned)lw_dtype_size(type->dtype) * 2;
    json_open(json, NULL, '{');
    json_string(json, "file", path);
    json_bool(json, "equal", r->differ == 0);
    json_bool(json, "accepted", r->outside == 0);
    json_uint(json, "elements", r->count);
    json_uint(json, "differ", r->differ);
    json_uint(json, "outside", r->outside);
    if (r->has_ulp && r->worst_ulp != UINT64_MAX)
        json_uint(json, "largest_ulp", r->worst_ulp);
    if (mistake_explain(type, got, expected, r, mistake))
        json_string(json, "explained", mistake);
    json_open(json, "samples", '[');
    for (size_t i = 0; i < r->samples; i++) {
        json_open(json, NULL, '{');
        json_uint(json, "element", r->sample[i].index);
        json_hex(json, "got", r->sample[i].got, digits);
        json_hex(json, "expected", r->sample[i].expected, digits);
        json_close(json, '}');
    }
    json_close(json, ']');
    json_close(json, '}');
}

int expect_report(const char *path, const arg_type *type, const lw_npy *got, const lw_npy *expected,
                  const compare_limits *limits, cli_json *json)
{
    compare_result result;
    compare_arrays(type, got, expected, limits, &result);
    if (json)
        write_report(json, path, type, got, expected, &result);
    else
        print_report(path, type, got, expected, limits, &result);
    return result.outside ? CLI_NO : CLI_FINE;
}

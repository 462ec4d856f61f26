/* SPDX-License-Identifier: MIT */
#include "cli/schedule_config.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* The parameters that are read. `mark` is a bit of the set of those that were given. */
typedef enum parameter {
    MMA_KIND = 1,
    WORKGROUP = 2,
    REDUCTION = 4,
    SUBGROUP = 8,
    BASIS = 16,
    PADDING = 32,
    PROMOTED = 64,
} parameter;

static const struct {
    const char *name;
    parameter mark;
} parameters[] = {
    { "mma_kind", MMA_KIND },         { "workgroup", WORKGROUP },  { "reduction", REDUCTION },
    { "subgroup", SUBGROUP },         { "subgroup_basis", BASIS }, { "padding", PADDING },
    { "promote_operands", PROMOTED },
};

typedef struct reader {
    const char *text;
    size_t at;
    char why[160]; /* "": all is well so far */
} reader;

static bool fail(reader *r, const char *why)
{
    if (!r->why[0])
        snprintf(r->why, sizeof(r->why), "column %zu: %s", r->at + 1, why);
    return false;
}

static void skip(reader *r)
{
    while (isspace((unsigned char)r->text[r->at]))
        r->at++;
}

static bool take(reader *r, const char *word)
{
    skip(r);
    const size_t length = strlen(word);
    if (strncmp(r->text + r->at, word, length) != 0)
        return false;
    r->at += length;
    return true;
}

static bool need(reader *r, const char *word)
{
    char why[64];
    snprintf(why, sizeof(why), "'%s' is expected here", word);
    return take(r, word) || fail(r, why);
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Letters, digits and _. */
static bool read_word(reader *r, char *word, size_t room)
{
    size_t length = 0;
    skip(r);
    while (is_word(r->text[r->at]) && length + 1 < room)
        word[length++] = r->text[r->at++];
    word[length] = '\0';
    if (is_word(r->text[r->at]))
        return fail(r, "the name is too long");
    return length || fail(r, "a name is expected here");
}

static bool read_number(reader *r, uint32_t *number)
{
    uint64_t value = 0;
    skip(r);
    if (!isdigit((unsigned char)r->text[r->at]))
        return fail(r, "a number is expected here");
    while (isdigit((unsigned char)r->text[r->at])) {
        value = value * 10 + (uint64_t)(r->text[r->at++] - '0');
        if (value > UINT32_MAX)
            return fail(r, "the number is too large");
    }
    *number = (uint32_t)value;
    return true;
}

/* `[1, 2, 3]`; *count says how many. */
static bool read_numbers(reader *r, uint32_t *numbers, size_t most, size_t *count)
{
    if (!need(r, "["))
        return false;
    for (*count = 0; *count < most;) {
        if (!read_number(r, &numbers[(*count)++]))
            return false;
        if (!take(r, ","))
            return need(r, "]");
    }
    return fail(r, "too many numbers");
}

/* One number for each of M, N and K. */
static bool read_three(reader *r, uint32_t three[3])
{
    uint32_t numbers[4];
    size_t count = 0;
    if (!read_numbers(r, numbers, 4, &count))
        return false;
    memcpy(three, numbers, 3 * sizeof(*three));
    return count == 3 || fail(r, "three numbers are expected before this: for M, N and K");
}

/* `#iree_gpu.mma_layout<NAME>` or `#iree_gpu.virtual_mma_layout<NAME>` */
static bool read_kind(reader *r, char name[64])
{
    if (!need(r, "#iree_gpu."))
        return false;
    (void)take(r, "virtual_");
    return need(r, "mma_layout<") && read_word(r, name, 64) && need(r, ">");
}

/* `[[2, 2, 1], [0, 1, 2]]`: counts, and the dimension of each. */
static bool read_basis(reader *r, schedule_config *c)
{
    uint32_t order[3];
    if (!need(r, "[") || !read_three(r, c->basis) || !need(r, ",") || !read_three(r, order) || !need(r, "]"))
        return false;
    c->has_basis = true;
    return (order[0] == 0 && order[1] == 1 && order[2] == 2) || fail(r, "only the order [0, 1, 2] is read");
}

static bool read_value(reader *r, parameter which, schedule_config *c)
{
    uint32_t numbers[8];
    size_t count;
    switch (which) {
    case MMA_KIND:
        return read_kind(r, c->intrinsic);
    case WORKGROUP:
        return read_three(r, c->workgroup);
    case REDUCTION:
        return read_three(r, c->reduction);
    case SUBGROUP:
        return read_three(r, c->subgroup);
    case BASIS:
        return read_basis(r, c);
    case PADDING:
        c->padded = true;
        return read_three(r, numbers);
    default:
        return read_numbers(r, numbers, 8, &count);
    }
}

static bool read_parameter(reader *r, schedule_config *c, unsigned *given)
{
    char name[64];
    skip(r);
    const size_t start = r->at;
    if (!read_word(r, name, sizeof(name)))
        return false;
    for (size_t i = 0; i < sizeof(parameters) / sizeof(parameters[0]); i++) {
        if (strcmp(parameters[i].name, name) != 0)
            continue;
        if (*given & parameters[i].mark) {
            r->at = start;
            return fail(r, "this parameter is said twice");
        }
        *given |= parameters[i].mark;
        return need(r, "=") && read_value(r, parameters[i].mark, c);
    }
    r->at = start;
    return fail(r, "this parameter is not read");
}

static bool read_all(reader *r, schedule_config *c)
{
    unsigned given = 0;
    char alias[64];
    if (take(r, "lowering_config") ||
        (r->text[r->at] == '#' && strncmp(r->text + r->at, "#iree_gpu", 9) != 0)) {
        if (take(r, "#") && !read_word(r, alias, sizeof(alias)))
            return false;
        if (!need(r, "="))
            return false;
    }
    if (!need(r, "#iree_gpu.lowering_config<") || !need(r, "{"))
        return false;
    do
        if (!read_parameter(r, c, &given))
            return false;
    while (take(r, ","));
    if ((given & (MMA_KIND | WORKGROUP | REDUCTION)) != (MMA_KIND | WORKGROUP | REDUCTION))
        return fail(r, "mma_kind, workgroup or reduction is missing before this");
    if (!(given & SUBGROUP) == !(given & BASIS))
        return fail(r, "one of subgroup and subgroup_basis is needed before this");
    if (!need(r, "}") || !need(r, ">"))
        return false;
    skip(r);
    return !r->text[r->at] || fail(r, "the attribute ends before this");
}

int schedule_config_read(const cli_call *call, const char *text, schedule_config *config)
{
    reader r = { .text = text };
    *config = (schedule_config){ .padded = false };
    return read_all(&r, config) ? CLI_FINE : cli_fail(call, CLI_USAGE, "--check: %s", r.why);
}

/* SPDX-License-Identifier: MIT */
#include "observers/check.h"

#include <stdlib.h>
#include <string.h>

static const lw_check_row *const rows[] = { &lw_check_hazards, &lw_check_waits,    &lw_check_races,
                                            &lw_check_bounds,  &lw_check_numerics, &lw_check_uninit };

enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

const char *lw_severity_name(lw_severity severity)
{
    static const char *const names[LW_SEVERITY_COUNT] = { [LW_SEVERITY_ERROR] = "error",
                                                          [LW_SEVERITY_WARNING] = "warning",
                                                          [LW_SEVERITY_STRICT] = "strict",
                                                          [LW_SEVERITY_INFO] = "info" };
    return (unsigned)severity < LW_SEVERITY_COUNT ? names[severity] : "";
}

lw_check_options lw_check_options_default(void)
{
    return (lw_check_options){ .struct_size = sizeof(lw_check_options) };
}

const char *lw_check_name_at(size_t index)
{
    return index < ROWS ? rows[index]->name : NULL;
}

const char *lw_check_summary_at(size_t index)
{
    return index < ROWS ? rows[index]->summary : NULL;
}

static const lw_check_row *find_row(const char *name)
{
    for (size_t i = 0; i < ROWS; i++)
        if (strcmp(rows[i]->name, name) == 0)
            return rows[i];
    return NULL;
}

lw_status lw_check_create(const char *name, const lw_check_options *options, lw_check **check)
{
    if (!name || !check || (options && options->struct_size != sizeof(*options)))
        return LW_E_ARGUMENT;
    const lw_check_row *row = find_row(name);
    if (!row)
        return LW_E_NOT_FOUND;
    lw_check *made = calloc(1, row->size);
    if (!made)
        return LW_E_NO_MEMORY;
    made->row = row;
    made->observer = (lw_observer){ .struct_size = sizeof(lw_observer), .context = made };
    made->strict = options && options->strict;
    if (!row->begin(made)) {
        lw_check_free(made);
        return LW_E_NO_MEMORY;
    }
    *check = made;
    return LW_OK;
}

const char *lw_check_name(const lw_check *check)
{
    return check ? check->row->name : NULL;
}

const lw_observer *lw_check_observer(const lw_check *check)
{
    return check ? &check->observer : NULL;
}

size_t lw_check_count(const lw_check *check)
{
    return check ? lw_finding_count(&check->findings, check->strict) : 0;
}

size_t lw_check_count_of(const lw_check *check, lw_severity severity)
{
    size_t count = 0;
    for (size_t i = 0; check && i < check->findings.count; i++) {
        const lw_finding *f = &check->findings.records[i].finding;
        count += f->times && f->severity == severity;
    }
    return count;
}

/* The order of findings, and the texts that they point to, are made on demand. */
const lw_finding *lw_check_at(const lw_check *check, size_t index)
{
    lw_check *own = (lw_check *)check;
    if (!check)
        return NULL;
    if (own->summarise)
        own->summarise(own);
    return lw_finding_get(&own->findings, index, check->strict);
}

void lw_check_unchecked(lw_check *check, const char *sentence)
{
    for (size_t i = 0; i + 1 < LW_UNCHECKED; i++) {
        if (!check->unchecked[i])
            check->unchecked[i] = sentence;
        if (check->unchecked[i] == sentence)
            return;
    }
}

const char *lw_check_unchecked_at(const lw_check *check, size_t index)
{
    return check && index < LW_UNCHECKED ? check->unchecked[index] : NULL;
}

void lw_check_free(lw_check *check)
{
    if (!check)
        return;
    check->row->release(check);
    lw_finding_free(&check->findings);
    free(check);
}

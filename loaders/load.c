/* SPDX-License-Identifier: MIT */
/* Choosing one of the code objects of a file. */
#include <limits.h>
#include <stdlib.h>

#include "isa_tables/error.h"
#include "isa_tables/options.h"
#include "loaders/image.h"
#include "loaders/members.h"
#include "loaders/ptx/program.h"
#include "loaders/target.h"

void lw_load_options_init(lw_load_options *options, size_t size)
{
    const lw_load_options made = { .member = LW_MEMBER_ANY };
    lw_options_init(options, size, &made, sizeof(made));
}

static const char *arch_name(lw_arch arch)
{
    const lw_arch_info *info = lw_arch_get(arch);
    return info ? info->name : "none";
}

/* "; the file holds one code object, for gfx942 (hipv4-...)", "... 2 code objects: 0 for gfx942, 1 for ..."
 */
static void append_members(const lw_members *members, lw_error *error)
{
    enum { MOST_NAMED = 12 };
    const bool one = members->count == 1;
    if (one)
        lw_error_append(error, "; the file holds one code object,");
    else
        lw_error_append(error, "; the file holds %zu code objects:", members->count);
    for (size_t i = 0; i < members->count && i < MOST_NAMED; i++) {
        const lw_member *m = &members->entries[i].info;
        if (!one)
            lw_error_append(error, "%s %zu", i ? "," : "", i);
        lw_error_append(error, " for %s%s%.60s%s", m->target, *m->id ? " (" : "", m->id, *m->id ? ")" : "");
    }
    if (members->count > MOST_NAMED)
        lw_error_append(error, " and %zu more", members->count - MOST_NAMED);
}

static bool fits(const lw_member_entry *entry, const lw_load_options *o)
{
    if (entry->is_ptx) /* an unknown target is refused when the text is parsed, with its line */
        return o->arch == LW_ARCH_NONE || entry->info.arch == LW_ARCH_NONE ||
               lw_ptx_runs_on(entry->info.target, o->arch);
    return o->arch == LW_ARCH_NONE || lw_target_runs_on(entry->flags, o->arch);
}

/* The architecture the entry would be loaded for; LW_ARCH_NONE if that is open. */
static lw_arch meaning(const lw_member_entry *entry, const lw_load_options *o)
{
    return o->arch != LW_ARCH_NONE ? o->arch : entry->info.arch;
}

static lw_status refuse_unknown(const lw_member_entry *entry, lw_error *error)
{
    int covered = 0;
    lw_error_fail(error, LW_E_ARCH, "the code object is for %s, ", entry->info.target);
    for (int a = LW_ARCH_NONE + 1; a < LW_ARCH_COUNT; a++)
        if (lw_target_runs_on(entry->flags, (lw_arch)a))
            lw_error_append(error, "%s%s", covered++ ? " and " : "which runs on ", arch_name((lw_arch)a));
    lw_error_append(error, covered ? ": choose one of them" : "a processor that Lanewise does not know");
    return LW_E_ARCH;
}

static lw_status load_entry(const lw_members *members, size_t index, const lw_load_options *o,
                            lw_program **program, lw_error *error)
{
    const lw_member_entry *entry = &members->entries[index];
    const lw_arch arch = meaning(entry, o);
    lw_program *loaded = NULL;
    size_t kernel;
    if (arch == LW_ARCH_NONE && !entry->is_ptx)
        return refuse_unknown(entry, error);
    lw_status status =
        entry->is_ptx
            ? lw_ptx_text_load(entry->elf, arch, members->limit, &loaded, error)
            : lw_code_object_load(entry->elf, arch, members->limit - members->inflated, &loaded, error);
    if (status == LW_OK && o->kernel)
        status = lw_program_find(loaded, o->kernel, &kernel, error);
    if (status != LW_OK) {
        lw_program_free(loaded);
        return status;
    }
    *program = loaded;
    return LW_OK;
}

/* If several entries fit, the requested kernel decides, provided that only one of them has it. */
static lw_status load_by_kernel(const lw_members *members, const bool *chosen, const lw_load_options *o,
                                lw_program **program, lw_error *error)
{
    lw_program *found = NULL;
    for (size_t i = 0; i < members->count; i++) {
        lw_program *loaded = NULL;
        if (!chosen[i])
            continue;
        const lw_status status = load_entry(members, i, o, &loaded, error);
        if (status == LW_E_NOT_FOUND)
            continue;
        if (status != LW_OK || found) {
            lw_program_free(found);
            lw_program_free(loaded);
            if (status != LW_OK)
                return status;
            lw_error_fail(error, LW_E_ARGUMENT, "more than one code object has a kernel '%.100s'", o->kernel);
            append_members(members, error);
            return LW_E_ARGUMENT;
        }
        found = loaded;
    }
    if (!found) {
        lw_error_fail(error, LW_E_NOT_FOUND, "no code object of the file has a kernel '%.100s'", o->kernel);
        append_members(members, error);
        return LW_E_NOT_FOUND;
    }
    *program = found;
    return LW_OK;
}

static lw_status refuse_arch(const lw_members *members, const lw_load_options *o, lw_error *error)
{
    lw_error_fail(error, LW_E_ARCH, "no code object for %s", arch_name(o->arch));
    append_members(members, error);
    return LW_E_ARCH;
}

static lw_status load_member(const lw_members *members, const lw_load_options *o, lw_program **program,
                             lw_error *error)
{
    const size_t index = (size_t)o->member;
    if (index >= members->count) {
        lw_error_fail(error, LW_E_ARGUMENT, "there is no code object %d", o->member);
        append_members(members, error);
        return LW_E_ARGUMENT;
    }
    if (!fits(&members->entries[index], o))
        return refuse_arch(members, o, error);
    return load_entry(members, index, o, program, error);
}

/* Marks the entries that fit; entries for unknown processors only if nothing else fits. */
static size_t choose(const lw_members *members, const lw_load_options *o, bool *chosen, size_t *last)
{
    size_t known = 0, count = 0;
    for (size_t i = 0; i < members->count; i++)
        known += fits(&members->entries[i], o) && meaning(&members->entries[i], o) != LW_ARCH_NONE;
    for (size_t i = 0; i < members->count; i++) {
        const lw_member_entry *entry = &members->entries[i];
        chosen[i] = fits(entry, o) && (!known || meaning(entry, o) != LW_ARCH_NONE);
        if (!chosen[i])
            continue;
        *last = i;
        count++;
    }
    return count;
}

static lw_status load_chosen(const lw_members *members, const lw_load_options *o, lw_program **program,
                             lw_error *error)
{
    size_t last = 0;
    if (o->member != LW_MEMBER_ANY)
        return load_member(members, o, program, error);
    bool *chosen = calloc(members->count, sizeof(*chosen));
    if (!chosen)
        return lw_no_memory(error);
    const size_t count = choose(members, o, chosen, &last);
    lw_status status;
    if (count == 0) {
        status = refuse_arch(members, o, error);
    } else if (count == 1) {
        status = load_entry(members, last, o, program, error);
    } else if (o->kernel) {
        status = load_by_kernel(members, chosen, o, program, error);
    } else {
        status = lw_error_fail(error, LW_E_ARGUMENT,
                               "%zu code objects fit: choose one by architecture, "
                               "kernel or index",
                               count);
        append_members(members, error);
    }
    free(chosen);
    return status;
}

/* The caller's options, or the defaults. */
static lw_status take_options(lw_load_options *o, const lw_load_options *options, lw_error *error)
{
    *o = lw_load_options_default();
    if (options && !lw_options_take(o, options, sizeof(*o), offsetof(lw_load_options, memory_limit)))
        return lw_error_fail(error, LW_E_ARGUMENT, "load options: a struct_size of %zu is of no version",
                             options->struct_size);
    return LW_OK;
}

static lw_status check_load(const lw_load_options *o, lw_error *error)
{
    if (o->member < LW_MEMBER_ANY)
        return lw_error_fail(error, LW_E_ARGUMENT, "load options: member is out of range");
    if (o->arch != LW_ARCH_NONE && !lw_arch_get(o->arch))
        return lw_error_fail(error, LW_E_ARGUMENT, "load options: arch %d is none", (int)o->arch);
    return LW_OK;
}

lw_status lw_program_load(const void *data, size_t size, const lw_load_options *options, lw_program **program,
                          lw_error *error)
{
    lw_load_options o;
    lw_members *members = NULL;
    if (!program || (!data && size))
        return lw_error_fail(error, LW_E_ARGUMENT, "data or program is NULL");
    lw_status status = take_options(&o, options, error);
    if (status == LW_OK)
        status = check_load(&o, error);
    if (status == LW_OK)
        status = lw_members_read_within(data, size, o.memory_limit, &members, error);
    if (status == LW_OK)
        status = load_chosen(members, &o, program, error);
    lw_members_free(members);
    return status;
}

lw_status lw_program_load_member(const lw_members *members, size_t index, const lw_load_options *options,
                                 lw_program **program, lw_error *error)
{
    lw_load_options o;
    if (!members || !program || index > INT_MAX)
        return lw_error_fail(error, LW_E_ARGUMENT,
                             "members or program is NULL, or there is no code object %zu", index);
    lw_status status = take_options(&o, options, error);
    if (status != LW_OK)
        return status;
    o.member = (int)index;
    status = check_load(&o, error);
    return status == LW_OK ? load_member(members, &o, program, error) : status;
}

lw_status lw_program_load_file(const char *path, const lw_load_options *options, lw_program **program,
                               lw_error *error)
{
    uint8_t *data;
    size_t size;
    lw_load_options o;
    if (!path)
        return lw_error_fail(error, LW_E_ARGUMENT, "path is NULL");
    lw_status status = take_options(&o, options, error);
    if (status != LW_OK)
        return status;
    const uint64_t limit = o.memory_limit ? o.memory_limit : lw_memory_limit_default();
    status = lw_file_read(path, limit, &data, &size, error);
    if (status != LW_OK)
        return status;
    status = lw_program_load(data, size, &o, program, error);
    free(data);
    return status;
}

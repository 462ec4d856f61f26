/* SPDX-License-Identifier: MIT */
/* The code object that suits a device. */
#include <stdio.h>

#include "isa_tables/error.h"
#include "loaders/members.h"
#include "loaders/target.h"

/* '+', '-', or 0 where the target id does not state the feature. */
static char state_of(const char *id, const char *feature)
{
    const size_t length = strlen(feature);
    for (const char *at = strchr(id, ':'); at; at = strchr(at + 1, ':'))
        if (strncmp(at + 1, feature, length) == 0 && (at[1 + length] == '+' || at[1 + length] == '-'))
            return at[1 + length];
    return 0;
}

static bool agrees(const char *code, const char *device)
{
    static const char *const features[] = { "sramecc", "xnack" };
    for (size_t i = 0; i < sizeof(features) / sizeof(features[0]); i++) {
        const char a = state_of(code, features[i]), b = state_of(device, features[i]);
        if (a && b && a != b)
            return false;
    }
    return true;
}

static bool suits(const lw_member_entry *e, const char *device, lw_arch arch)
{
    char id[LW_TARGET_TEXT];
    const size_t length = strcspn(device, ":");
    if (e->is_ptx)
        return strcmp(lw_arch_get(arch)->vendor, "NVIDIA") == 0;
    /* siblings share an architecture here, but their code is not exchangeable */
    const bool same = strlen(e->info.target) == length && strncmp(e->info.target, device, length) == 0;
    const bool generic = e->info.arch == LW_ARCH_NONE && lw_target_runs_on(e->flags, arch);
    lw_target_id(e->flags, id);
    return (same || generic) && agrees(id, device) && agrees(e->info.id, device);
}

static lw_status find_arch(const char *device, lw_arch *arch, lw_error *error)
{
    char processor[LW_TARGET_TEXT];
    snprintf(processor, sizeof(processor), "%.*s", (int)strcspn(device, ":"), device);
    return lw_arch_find(processor, arch) == LW_OK
               ? LW_OK
               : lw_error_fail(error, LW_E_NOT_FOUND, "no processor is called \"%s\"", processor);
}

lw_status lw_members_choose(const lw_members *members, const char *device, size_t *index, lw_error *error)
{
    lw_arch arch;
    if (!members || !device || !index)
        return lw_error_fail(error, LW_E_ARGUMENT,
                             "choosing a code object needs a file's members and a device");
    if (find_arch(device, &arch, error) != LW_OK)
        return LW_E_NOT_FOUND;
    for (size_t i = 0; i < members->count; i++)
        if (suits(&members->entries[i], device, arch)) {
            *index = i;
            return LW_OK;
        }
    const lw_member *first = lw_members_at(members, 0);
    return lw_error_fail(error, LW_E_ARCH, "no code object in it is for %s; the first is for %s", device,
                         first && first->id[0] ? first->id
                         : first               ? first->target
                                               : "nothing");
}

lw_status lw_program_load_for(const void *data, size_t size, const char *device, uint64_t memory_limit,
                              lw_program **program, lw_error *error)
{
    lw_load_options options = lw_load_options_default();
    lw_members *members;
    size_t index;
    if (!device)
        return lw_error_fail(error, LW_E_ARGUMENT, "loading what a device would take needs a device");
    lw_status status = find_arch(device, &options.arch, error);
    if (status == LW_OK)
        status = lw_members_read_within(data, size, memory_limit, &members, error);
    if (status != LW_OK)
        return status;
    status = lw_members_choose(members, device, &index, error);
    if (status == LW_OK)
        status = lw_program_load_member(members, index, &options, program, error);
    lw_members_free(members);
    return status;
}

/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "isa_tables/error.h"
#include "loaders/elf.h"
#include "loaders/members.h"
#include "loaders/ptx/module.h"
#include "loaders/ptx/program.h"
#include "loaders/target.h"

struct lw_inflated {
    struct lw_inflated *next;
    uint8_t *block;
};

lw_status lw_members_keep(lw_members *members, uint8_t *block, lw_error *error)
{
    struct lw_inflated *kept = malloc(sizeof(*kept));
    if (!kept) {
        free(block);
        return lw_no_memory(error);
    }
    *kept = (struct lw_inflated){ members->blocks, block };
    members->blocks = kept;
    return LW_OK;
}

static lw_status make_room(lw_members *members, lw_error *error)
{
    if (members->count < members->room)
        return LW_OK;
    if (members->count == LW_MAX_MEMBERS)
        return lw_error_fail(error, LW_E_UNSUPPORTED, "the file holds more than %d code objects, the limit",
                             (int)LW_MAX_MEMBERS);
    const size_t room = members->room ? 2 * members->room : 8;
    lw_member_entry *entries = realloc(members->entries, room * sizeof(*entries));
    if (!entries)
        return lw_no_memory(error);
    members->entries = entries;
    members->room = room;
    return LW_OK;
}

static bool is_amdgpu_elf(lw_bytes image)
{
    enum { FLAGS_END = 52 };
    return image.size >= FLAGS_END && lw_starts_with(image, "\177ELF\2\1", 6) &&
           lw_le16(image.data + 18) == LW_ELF_MACHINE_AMDGPU;
}

lw_status lw_members_add(lw_members *members, const char *container, lw_bytes id, lw_bytes image,
                         lw_error *error)
{
    if (!is_amdgpu_elf(image)) {
        members->passed_over++;
        return LW_OK;
    }
    const lw_status status = make_room(members, error);
    if (status != LW_OK)
        return status;

    const uint32_t flags = lw_le32(image.data + 48);
    char target[LW_TARGET_TEXT];
    lw_target_name(flags, target);
    const char *id_text = lw_arena_text(&members->arena, id.data, id.size);
    const char *target_text = lw_arena_text(&members->arena, target, strlen(target));
    if (!id_text || !target_text)
        return lw_no_memory(error);
    members->entries[members->count++] = (lw_member_entry){
        .info = { .container = container,
                  .id = id_text,
                  .target = target_text,
                  .arch = lw_target_arch(flags),
                  .size = image.size },
        .flags = flags,
        .elf = image,
    };
    return LW_OK;
}

/* A PTX file is one member as it is. */
static lw_status add_ptx(lw_members *members, lw_bytes text, lw_error *error)
{
    char target[LW_TARGET_TEXT];
    const lw_status status = make_room(members, error);
    if (status != LW_OK)
        return status;
    lw_ptx_target(text, target, sizeof(target));
    const char *target_text = lw_arena_text(&members->arena, target, strlen(target));
    if (!target_text)
        return lw_no_memory(error);
    members->entries[members->count++] = (lw_member_entry){
        .info = { .container = "PTX module",
                  .id = "",
                  .target = target_text,
                  .arch = lw_ptx_arch(target),
                  .size = text.size },
        .elf = text,
        .is_ptx = true,
    };
    return LW_OK;
}

static lw_container_fn *container_at(lw_bytes in)
{
    static const struct {
        const char *magic;
        size_t size;
        lw_container_fn *read;
    } kinds[] = {
        { "__CLANG_OFFLOAD_BUNDLE__", 24, lw_bundle_read },
        { "CCOB", 4, lw_compressed_bundle_read },
        { "\x10\xff\x10\xad", 4, lw_offload_binary_read },
    };
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        if (lw_starts_with(in, kinds[i].magic, kinds[i].size))
            return kinds[i].read;
    return NULL;
}

/* Reads consecutive containers, with zero bytes between them. `where` names the place in error messages. */
static lw_status read_containers(lw_members *members, const char *where, lw_bytes in, lw_error *error)
{
    const size_t whole = in.size;
    while (in.size) {
        lw_container_fn *read = container_at(in);
        size_t used = 1;
        if (!read && in.data[0] != 0)
            return lw_error_fail(error, LW_E_FORMAT,
                                 "%s: offset %zu holds neither an offload bundle nor an offload binary",
                                 where, whole - in.size);
        const lw_status status = read ? read(members, in, &used, error) : LW_OK;
        if (status != LW_OK)
            return status;
        in = (lw_bytes){ in.data + used, in.size - used };
    }
    return LW_OK;
}

/* Reads the device code in the sections of a host ELF file. */
static lw_status read_host(lw_members *members, lw_bytes file, lw_error *error)
{
    /* Older clang -c -fgpu-rdc: a section per target, "__CLANG_OFFLOAD_BUNDLE__" and the entry's id. */
    static const char per_target[] = "__CLANG_OFFLOAD_BUNDLE__";
    const size_t prefix = sizeof(per_target) - 1;
    bool found = false;
    lw_elf elf;
    lw_status status = lw_elf_open(file, &elf, error);
    for (uint64_t i = 0; status == LW_OK && i < elf.section_count; i++) {
        const lw_elf_section section = lw_elf_section_at(&elf, i);
        const bool holds =
            strcmp(section.name, ".hip_fatbin") == 0 || strcmp(section.name, ".llvm.offloading") == 0;
        const bool single = strncmp(section.name, per_target, prefix) == 0;
        lw_bytes bytes;
        if (!holds && !single)
            continue;
        found = true;
        status = lw_elf_section_bytes(&elf, &section, &bytes, error);
        if (status != LW_OK)
            return status;
        const lw_bytes id = { (const uint8_t *)section.name, strlen(section.name) };
        status = single ? lw_members_add(members, "offload section",
                                         (lw_bytes){ id.data + prefix, id.size - prefix }, bytes, error)
                        : read_containers(members, section.name, bytes, error);
    }
    if (status == LW_OK && !found)
        return lw_error_fail(error, LW_E_FORMAT,
                             "a host ELF file (machine %u) without GPU code: it has neither .hip_fatbin nor "
                             ".llvm.offloading",
                             (unsigned)elf.machine);
    return status;
}

static lw_status read_any(lw_members *members, lw_bytes in, lw_error *error)
{
    if (in.size == 0)
        return lw_error_fail(error, LW_E_TRUNCATED, "the file is empty");
    if (is_amdgpu_elf(in))
        return lw_members_add(members, "code object", (lw_bytes){ in.data, 0 }, in, error);
    if (lw_starts_with(in, "\177ELF", 4))
        return read_host(members, in, error);
    if (container_at(in))
        return read_containers(members, "file", in, error);
    if (lw_starts_with(in, "!<arch>\n", 8))
        return lw_error_fail(error, LW_E_UNSUPPORTED, "a static library; extract its members first");
    if (lw_starts_with(in, "BC\xc0\xde", 4))
        return lw_error_fail(error, LW_E_UNSUPPORTED,
                             "LLVM bitcode; compile and link it to a code object first");
    if (lw_ptx_recognise(in))
        return add_ptx(members, in, error);
    return lw_error_fail(
        error, LW_E_FORMAT,
        "neither an ELF file nor an offload bundle nor an offload binary nor PTX (it starts with "
        "byte 0x%02x)",
        in.data[0]);
}

lw_status lw_members_read(const void *data, size_t size, lw_members **members, lw_error *error)
{
    return lw_members_read_within(data, size, 0, members, error);
}

lw_status lw_members_read_within(const void *data, size_t size, uint64_t memory_limit, lw_members **members,
                                 lw_error *error)
{
    if ((!data && size) || !members)
        return lw_error_fail(error, LW_E_ARGUMENT, "data or members is NULL");
    lw_members *m = calloc(1, sizeof(*m));
    if (!m)
        return lw_no_memory(error);
    m->limit = memory_limit ? memory_limit : lw_memory_limit_default();
    lw_status status = read_any(m, (lw_bytes){ data, size }, error);
    if (status == LW_OK && m->count == 0)
        status =
            lw_error_fail(error, LW_E_FORMAT,
                          "no AMDGPU code object in the file; it has %zu entries of other kinds (host code, "
                          "bitcode, other devices)",
                          m->passed_over);
    if (status != LW_OK) {
        lw_members_free(m);
        return status;
    }
    *members = m;
    return LW_OK;
}

size_t lw_members_count(const lw_members *members)
{
    return members ? members->count : 0;
}

const lw_member *lw_members_at(const lw_members *members, size_t index)
{
    return members && index < members->count ? &members->entries[index].info : NULL;
}

void lw_members_free(lw_members *members)
{
    if (!members)
        return;
    while (members->blocks) {
        struct lw_inflated *next = members->blocks->next;
        free(members->blocks->block);
        free(members->blocks);
        members->blocks = next;
    }
    lw_arena_free(&members->arena);
    free(members->entries);
    free(members);
}

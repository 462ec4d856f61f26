/* SPDX-License-Identifier: MIT */
#include "runtime/device/image.h"

#include <elf.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ENTRIES = 4096 };

static const char bundle_magic[] = "__CLANG_OFFLOAD_BUNDLE__";
static const uint32_t cuda_wrapper_magic = 0x466243b1, cuda_fatbin_magic = 0xba55ed50;
static const uint32_t wrapper_magic = 0x48495046; /* __CudaFatBinaryWrapper of HIP: clang, CGCUDANV.cpp */

static int refuse(lw_error *error, int code, const char *text)
{
    snprintf(error->text, sizeof(error->text), "%s", text);
    return code;
}

static uint64_t most(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static uint64_t elf_size(const char *image)
{
    Elf64_Ehdr head;
    memcpy(&head, image, sizeof(head));
    uint64_t size = sizeof(head);
    if (head.e_shentsize == sizeof(Elf64_Shdr))
        size = most(size, head.e_shoff + (uint64_t)head.e_shnum * sizeof(Elf64_Shdr));
    for (unsigned n = 0; head.e_shentsize == sizeof(Elf64_Shdr) && n < head.e_shnum; n++) {
        Elf64_Shdr section;
        memcpy(&section, image + head.e_shoff + n * sizeof(section), sizeof(section));
        if (section.sh_type != SHT_NOBITS)
            size = most(size, section.sh_offset + section.sh_size);
    }
    for (unsigned n = 0; head.e_phentsize == sizeof(Elf64_Phdr) && n < head.e_phnum; n++) {
        Elf64_Phdr segment;
        memcpy(&segment, image + head.e_phoff + n * sizeof(segment), sizeof(segment));
        size = most(size, segment.p_offset + segment.p_filesz);
    }
    return size;
}

static uint64_t word64(const char *at)
{
    uint64_t value;
    memcpy(&value, at, sizeof(value));
    return value;
}

/* Entries: offset, size, length of the id, the id. */
static uint64_t bundle_size(const char *image)
{
    const size_t magic = sizeof(bundle_magic) - 1;
    const uint64_t count = word64(image + magic);
    uint64_t at = magic + 8, size = at;
    for (uint64_t n = 0; n < count && n < MOST_ENTRIES; n++) {
        size = most(size, word64(image + at) + word64(image + at + 8));
        at += 24 + word64(image + at + 16);
    }
    return most(size, at);
}

/* "CCOB", version, method, the size of the whole: 32 bits in version 2, 64 in version 3. Version 1 has none.
 */
static uint64_t compressed_size(const char *image)
{
    uint16_t version;
    uint32_t small;
    memcpy(&version, image + 4, sizeof(version));
    memcpy(&small, image + 8, sizeof(small));
    return version == 2 ? small : version == 3 ? word64(image + 8) : 0;
}

static bool states(const char *id, const char *feature)
{
    const char *at = strstr(id, feature);
    const size_t length = strlen(feature);
    return at && (at[length] == '\0' || at[length] == ':');
}

/* The devices have sramecc on and xnack off; a code object that says otherwise is not for them. */
static bool features_agree(const char *id)
{
    return !states(id, ":sramecc-") && !states(id, ":xnack+");
}

/* PTX, which the driver compiles for its device: of the device's own target or an older one. */
static int load_ptx(const char *text, size_t size, lw_program **program, lw_error *error)
{
    lw_load_options options = lw_load_options_default();
    options.arch = rt_arch();
    const lw_status status = lw_program_load(text, size, &options, program, error);
    return status == LW_OK            ? RT_OK
           : status == LW_E_NO_MEMORY ? RT_OUT_OF_MEMORY
           : status == LW_E_ARCH      ? RT_NO_BINARY_FOR_DEVICE
                                      : RT_INVALID_PTX;
}

/* Machine code of NVIDIA is not documented: cubins, and the fat binaries that hold PTX packed beside them. */
static bool is_sealed(const char *image)
{
    uint32_t first;
    uint16_t machine;
    memcpy(&first, image, sizeof(first));
    if (first == cuda_wrapper_magic || first == cuda_fatbin_magic)
        return true;
    if (memcmp(image, ELFMAG, SELFMAG) != 0)
        return false;
    memcpy(&machine, image + offsetof(Elf64_Ehdr, e_machine), sizeof(machine));
    return machine == EM_CUDA;
}

static int load_nvidia(const char *image, lw_program **program, lw_error *error)
{
    if (is_sealed(image))
        return refuse(error, RT_NO_BINARY_FOR_DEVICE,
                      "it is a cubin or a fat binary of CUDA: only PTX text can run here");
    return load_ptx(image, strlen(image), program, error);
}

static bool is_for_device(const lw_member *member)
{
    const size_t length = strlen(member->target);
    const bool generic = length > 8 && strcmp(member->target + length - 8, "-generic") == 0;
    lw_arch arch = LW_ARCH_NONE;
    if (generic)
        (void)lw_arch_find(member->target, &arch);
    return (generic ? arch == rt_arch() : strcmp(member->target, rt_product_get()->target) == 0) &&
           features_agree(member->id);
}

static int load_member(const lw_members *members, size_t index, lw_program **program, lw_error *error)
{
    lw_load_options options = lw_load_options_default();
    options.arch = rt_arch();
    const lw_status status = lw_program_load_member(members, index, &options, program, error);
    if (status == LW_OK && !features_agree(lw_program_target_id(*program))) {
        lw_program_free(*program);
        return refuse(error, RT_NO_BINARY_FOR_DEVICE,
                      "it is for xnack+ or sramecc-, which the device does not have");
    }
    return status == LW_OK            ? RT_OK
           : status == LW_E_NO_MEMORY ? RT_OUT_OF_MEMORY
           : status == LW_E_ARCH      ? RT_NO_BINARY_FOR_DEVICE
                                      : RT_INVALID_IMAGE;
}

int rt_image_load_bytes(const void *bytes, size_t size, lw_program **program, lw_error *error)
{
    lw_members *members;
    if (rt_is_nvidia())
        return size > sizeof(Elf64_Ehdr) && is_sealed(bytes) ? load_nvidia(bytes, program, error)
                                                             : load_ptx(bytes, size, program, error);
    const lw_status status = lw_members_read(bytes, size, &members, error);
    if (status != LW_OK)
        return status == LW_E_NO_MEMORY ? RT_OUT_OF_MEMORY : RT_INVALID_IMAGE;
    int code = RT_NO_BINARY_FOR_DEVICE;
    const lw_member *first = lw_members_at(members, 0);
    snprintf(error->text, sizeof(error->text), "no code object in it is for %s; the first is for %.100s",
             rt_product_get()->gcn_name,
             first && first->id[0] ? first->id
             : first               ? first->target
                                   : "nothing");
    for (size_t i = 0; i < lw_members_count(members); i++)
        if (is_for_device(lw_members_at(members, i))) {
            code = load_member(members, i, program, error);
            break;
        }
    lw_members_free(members);
    return code;
}

int rt_image_load(const void *image, lw_program **program, lw_error *error)
{
    const char *bytes = image;
    uint32_t first;
    if (rt_is_nvidia())
        return load_nvidia(image, program, error);
    memcpy(&first, bytes, sizeof(first));
    if (first == wrapper_magic) {
        memcpy(&bytes, bytes + 8, sizeof(bytes));
        if (!bytes)
            return refuse(error, RT_INVALID_IMAGE, "the fat binary's wrapper points nowhere");
        memcpy(&first, bytes, sizeof(first));
    }
    uint64_t size = 0;
    if (memcmp(&first, ELFMAG, SELFMAG) == 0)
        size = bytes[EI_CLASS] == ELFCLASS64 ? elf_size(bytes) : 0;
    else if (memcmp(&first, "CCOB", 4) == 0)
        size = compressed_size(bytes);
    else if (memcmp(&first, bundle_magic, 4) == 0 &&
             memcmp(bytes, bundle_magic, sizeof(bundle_magic) - 1) == 0)
        size = bundle_size(bytes);
    if (!size || size > SIZE_MAX / 2)
        return refuse(error, RT_INVALID_IMAGE,
                      "it is no code object, offload bundle or fat binary whose length is known");
    return rt_image_load_bytes(bytes, (size_t)size, program, error);
}

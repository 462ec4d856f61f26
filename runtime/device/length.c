/* SPDX-License-Identifier: MIT */
#include "runtime/device/length.h"

#include <elf.h>
#include <stddef.h>
#include <string.h>

enum { MOST_ENTRIES = 4096 };

static const char bundle_magic[] = "__CLANG_OFFLOAD_BUNDLE__";
static const uint32_t cuda_wrapper_magic = 0x466243b1, cuda_fatbin_magic = 0xba55ed50;
static const uint32_t wrapper_magic = 0x48495046; /* __CudaFatBinaryWrapper of HIP: clang, CGCUDANV.cpp */

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

const void *rt_image_unwrap(const void *image)
{
    uint32_t first;
    const void *inner;
    memcpy(&first, image, sizeof(first));
    if (first != wrapper_magic)
        return image;
    memcpy(&inner, (const char *)image + 8, sizeof(inner));
    return inner;
}

uint64_t rt_image_length(const void *image)
{
    const char *bytes = image;
    uint32_t first;
    memcpy(&first, bytes, sizeof(first));
    if (memcmp(&first, ELFMAG, SELFMAG) == 0)
        return bytes[EI_CLASS] == ELFCLASS64 ? elf_size(bytes) : 0;
    if (memcmp(&first, "CCOB", 4) == 0)
        return compressed_size(bytes);
    if (memcmp(&first, bundle_magic, 4) == 0 && memcmp(bytes, bundle_magic, sizeof(bundle_magic) - 1) == 0)
        return bundle_size(bytes);
    return 0;
}

bool rt_image_is_sealed(const void *image)
{
    uint32_t first;
    uint16_t machine;
    memcpy(&first, image, sizeof(first));
    if (first == cuda_wrapper_magic || first == cuda_fatbin_magic)
        return true;
    if (memcmp(image, ELFMAG, SELFMAG) != 0)
        return false;
    memcpy(&machine, (const char *)image + offsetof(Elf64_Ehdr, e_machine), sizeof(machine));
    return machine == EM_CUDA;
}

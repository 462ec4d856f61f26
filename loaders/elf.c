/* SPDX-License-Identifier: MIT */
#include <inttypes.h>

#include "isa_tables/error.h"
#include "loaders/elf.h"

enum {
    EHDR_SIZE = 64,
    PHDR_SIZE = 56,
    SHDR_SIZE = 64,
    COUNT_IN_SECTION_0 = 0xffff, /* PN_XNUM, SHN_XINDEX */
};

static lw_status check_ident(lw_bytes file, lw_error *error)
{
    if (!lw_starts_with(file, "\177ELF", 4))
        return lw_error_fail(error, LW_E_FORMAT, "not an ELF file");
    if (file.size < EHDR_SIZE)
        return lw_error_fail(error, LW_E_TRUNCATED, "the file ends inside the ELF header");
    if (file.data[4] != 2)
        return lw_error_fail(error, LW_E_UNSUPPORTED, "a 32-bit ELF file; only 64-bit ones are read");
    if (file.data[5] != 1)
        return lw_error_fail(error, LW_E_UNSUPPORTED,
                             "a big-endian ELF file; only little-endian ones are read");
    if (file.data[6] != 1)
        return lw_error_fail(error, LW_E_FORMAT, "ELF version %u; there is only version 1", file.data[6]);
    return LW_OK;
}

static lw_status find_segments(lw_elf *elf, lw_error *error)
{
    const uint8_t *h = elf->file.data;
    elf->segment_count = lw_le16(h + 56);
    if (elf->segment_count == 0)
        return LW_OK;
    if (elf->segment_count == COUNT_IN_SECTION_0 || lw_le16(h + 54) != PHDR_SIZE)
        return lw_error_fail(error, LW_E_FORMAT,
                             "ELF header: %u program headers of %u bytes; expected fewer, "
                             "of %d bytes",
                             (unsigned)elf->segment_count, (unsigned)lw_le16(h + 54), PHDR_SIZE);
    if (!lw_slice(elf->file, lw_le64(h + 32), (uint64_t)elf->segment_count * PHDR_SIZE, &elf->phdrs))
        return lw_error_fail(error, LW_E_TRUNCATED,
                             "the ELF program headers reach beyond the end of the file");
    return LW_OK;
}

static lw_status find_sections(lw_elf *elf, lw_error *error)
{
    const uint8_t *h = elf->file.data;
    const uint64_t offset = lw_le64(h + 40);
    uint64_t names = lw_le16(h + 62);
    lw_bytes first;
    if (offset == 0)
        return LW_OK;
    elf->section_count = lw_le16(h + 60);
    if (lw_le16(h + 58) != SHDR_SIZE)
        return lw_error_fail(error, LW_E_FORMAT, "ELF header: section headers of %u bytes; expected %d",
                             (unsigned)lw_le16(h + 58), SHDR_SIZE);
    if (!lw_slice(elf->file, offset, SHDR_SIZE, &first))
        return lw_error_fail(error, LW_E_TRUNCATED,
                             "the ELF section headers reach beyond the end of the file");
    if (elf->section_count == 0)
        elf->section_count = lw_le64(first.data + 32);
    if (names == COUNT_IN_SECTION_0)
        names = lw_le32(first.data + 40);
    if (elf->section_count > elf->file.size / SHDR_SIZE ||
        !lw_slice(elf->file, offset, elf->section_count * SHDR_SIZE, &elf->shdrs))
        return lw_error_fail(error, LW_E_TRUNCATED,
                             "the ELF section headers reach beyond the end of the file");
    if (names == 0 || names >= elf->section_count)
        return LW_OK;

    const lw_elf_section table = lw_elf_section_at(elf, names);
    const lw_status status = lw_elf_section_bytes(elf, &table, &elf->names, error);
    if (status != LW_OK)
        return status;
    if (elf->names.size && elf->names.data[elf->names.size - 1])
        return lw_error_fail(error, LW_E_FORMAT, "the ELF section names do not end with a NUL byte");
    return LW_OK;
}

lw_status lw_elf_open(lw_bytes file, lw_elf *elf, lw_error *error)
{
    lw_status status = check_ident(file, error);
    if (status != LW_OK)
        return status;
    const uint8_t *h = file.data;
    lw_elf e = { .file = file,
                 .flags = lw_le32(h + 48),
                 .type = lw_le16(h + 16),
                 .machine = lw_le16(h + 18),
                 .osabi = h[7],
                 .abi_version = h[8] };
    if ((status = find_segments(&e, error)) != LW_OK || (status = find_sections(&e, error)) != LW_OK)
        return status;
    *elf = e;
    return LW_OK;
}

lw_elf_segment lw_elf_segment_at(const lw_elf *elf, uint32_t index)
{
    const uint8_t *p = elf->phdrs.data + (size_t)index * PHDR_SIZE;
    return (lw_elf_segment){ .type = lw_le32(p),
                             .flags = lw_le32(p + 4),
                             .offset = lw_le64(p + 8),
                             .vaddr = lw_le64(p + 16),
                             .file_size = lw_le64(p + 32),
                             .memory_size = lw_le64(p + 40) };
}

lw_elf_section lw_elf_section_at(const lw_elf *elf, uint64_t index)
{
    const uint8_t *p = elf->shdrs.data + (size_t)index * SHDR_SIZE;
    return (lw_elf_section){ .name = lw_elf_string(elf->names, lw_le32(p)),
                             .type = lw_le32(p + 4),
                             .flags = lw_le64(p + 8),
                             .address = lw_le64(p + 16),
                             .offset = lw_le64(p + 24),
                             .size = lw_le64(p + 32),
                             .link = lw_le32(p + 40) };
}

lw_status lw_elf_section_bytes(const lw_elf *elf, const lw_elf_section *section, lw_bytes *bytes,
                               lw_error *error)
{
    const uint64_t size = section->type == LW_SHT_NOBITS ? 0 : section->size;
    if (!lw_slice(elf->file, size ? section->offset : 0, size, bytes))
        return lw_error_fail(error, LW_E_TRUNCATED,
                             "ELF section '%.64s' (%" PRIu64 " bytes at file offset %" PRIu64
                             ") reaches beyond the end of the file (%zu bytes)",
                             section->name, section->size, section->offset, elf->file.size);
    return LW_OK;
}

lw_elf_symbol lw_elf_symbol_read(const uint8_t *entry)
{
    return (lw_elf_symbol){ .name = lw_le32(entry),
                            .type = entry[4] & 15,
                            .binding = entry[4] >> 4,
                            .section = lw_le16(entry + 6),
                            .value = lw_le64(entry + 8),
                            .size = lw_le64(entry + 16) };
}

const char *lw_elf_string(lw_bytes table, uint64_t offset)
{
    return offset < table.size ? (const char *)table.data + offset : "";
}

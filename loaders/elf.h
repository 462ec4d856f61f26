/* SPDX-License-Identifier: MIT */
/* 64-bit little-endian ELF files, as far as loading needs them (System V ABI, "Object Files"). */
#ifndef LW_LOADERS_ELF_H
#define LW_LOADERS_ELF_H

#include "loaders/bytes.h"

enum {
    LW_ELF_TYPE_REL = 1,
    LW_ELF_TYPE_DYN = 3,
    LW_ELF_MACHINE_AMDGPU = 224,
    LW_ELF_OSABI_HSA = 64,

    LW_PT_LOAD = 1,
    LW_PT_DYNAMIC = 2,
    LW_PT_NOTE = 4,
    LW_PF_X = 1,
    LW_PF_W = 2,

    LW_SHT_SYMTAB = 2,
    LW_SHT_NOTE = 7,
    LW_SHT_NOBITS = 8,
    LW_SHT_DYNSYM = 11,
    LW_SHF_WRITE = 1,
    LW_SHF_ALLOC = 2,
    LW_SHF_EXEC = 4,

    LW_SYM_SIZE = 24,
    LW_SHN_UNDEF = 0,
    LW_SHN_LORESERVE = 0xff00,
    LW_STT_OBJECT = 1,
    LW_STT_FUNC = 2,
};

typedef struct lw_elf {
    lw_bytes file, phdrs, shdrs; /* the tables, whole */
    lw_bytes names;              /* section names: empty, or its last byte is NUL */
    uint32_t flags, segment_count;
    uint64_t section_count;
    uint16_t type, machine;
    uint8_t osabi, abi_version;
} lw_elf;

typedef struct lw_elf_segment {
    uint32_t type, flags;
    uint64_t offset, vaddr, file_size, memory_size;
} lw_elf_segment;

typedef struct lw_elf_section {
    const char *name;
    uint32_t type, link;
    uint64_t flags, address, offset, size;
} lw_elf_section;

typedef struct lw_elf_symbol {
    uint32_t name;
    uint8_t type, binding;
    uint16_t section;
    uint64_t value, size;
} lw_elf_symbol;

/* Checks the header and that both tables lie in the file. */
lw_status lw_elf_open(lw_bytes file, lw_elf *elf, lw_error *error);

/* `index` is below segment_count or section_count; the contents of the entry have not been checked. */
lw_elf_segment lw_elf_segment_at(const lw_elf *elf, uint32_t index);
lw_elf_section lw_elf_section_at(const lw_elf *elf, uint64_t index);

/* The section's bytes in the file (none for SHT_NOBITS). */
lw_status lw_elf_section_bytes(const lw_elf *elf, const lw_elf_section *section, lw_bytes *bytes,
                               lw_error *error);

/* `entry` has LW_SYM_SIZE bytes. */
lw_elf_symbol lw_elf_symbol_read(const uint8_t *entry);

/* The string at `offset` of a string table whose last byte is NUL; "" for an offset outside. */
const char *lw_elf_string(lw_bytes table, uint64_t offset);

#endif

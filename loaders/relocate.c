/* SPDX-License-Identifier: MIT */
/* The dynamic section and its relocations (LLVM AMDGPUUsage, "Relocation Records"). */
#include <inttypes.h>

#include "isa_tables/error.h"
#include "loaders/image.h"

enum {
    DYN_SIZE = 16,
    RELA_SIZE = 24,
    DT_NULL = 0,
    DT_PLTRELSZ = 2,
    DT_HASH = 4,
    DT_STRTAB = 5,
    DT_SYMTAB = 6,
    DT_RELA = 7,
    DT_RELASZ = 8,
    DT_RELAENT = 9,
    DT_STRSZ = 10,
    DT_REL = 17,
    DT_JMPREL = 23,
    DT_RELR = 36,
    DT_KEPT = 40,
    SHN_ABS = 0xfff1,
    STB_WEAK = 2,
};

struct lw_reloc {
    uint64_t place; /* address of the field to change, as in the file */
    uint64_t value; /* the symbol's, as in the file */
    uint64_t addend;
    const char *symbol;
    uint32_t type;
    bool absolute;  /* `value` does not depend on the load address */
    bool undefined; /* and not weak */
};

typedef enum calculation {
    CALC_REFUSED, /* a known type that occurs in static linking only */
    CALC_NOTHING,
    CALC_SYMBOL,   /* S + A */
    CALC_RELATIVE, /* S + A - P */
    CALC_BASE,     /* B + A */
} calculation;

static const struct {
    const char *name;
    uint8_t calculation, width, shift;
} types[] = {
    [0] = { "R_AMDGPU_NONE", CALC_NOTHING, 0, 0 },
    [1] = { "R_AMDGPU_ABS32_LO", CALC_SYMBOL, 4, 0 },
    [2] = { "R_AMDGPU_ABS32_HI", CALC_SYMBOL, 4, 32 },
    [3] = { "R_AMDGPU_ABS64", CALC_SYMBOL, 8, 0 },
    [4] = { "R_AMDGPU_REL32", CALC_REFUSED, 0, 0 },
    [5] = { "R_AMDGPU_REL64", CALC_RELATIVE, 8, 0 },
    [6] = { "R_AMDGPU_ABS32", CALC_REFUSED, 0, 0 },
    [7] = { "R_AMDGPU_GOTPCREL", CALC_REFUSED, 0, 0 },
    [8] = { "R_AMDGPU_GOTPCREL32_LO", CALC_REFUSED, 0, 0 },
    [9] = { "R_AMDGPU_GOTPCREL32_HI", CALC_REFUSED, 0, 0 },
    [10] = { "R_AMDGPU_REL32_LO", CALC_RELATIVE, 4, 0 },
    [11] = { "R_AMDGPU_REL32_HI", CALC_RELATIVE, 4, 32 },
    [13] = { "R_AMDGPU_RELATIVE64", CALC_BASE, 8, 0 },
    [14] = { "R_AMDGPU_REL16", CALC_REFUSED, 0, 0 },
};

typedef struct dynamic {
    uint64_t tag[DT_KEPT];
    lw_bytes strings;
} dynamic;

static lw_status read_tags(const lw_program *program, const lw_elf_segment *segment, dynamic *d,
                           lw_error *error)
{
    lw_bytes table;
    if (!lw_image_slice(program, segment->vaddr, segment->memory_size, &table))
        return lw_error_fail(error, LW_E_FORMAT, "the dynamic section lies outside the loaded segments");
    for (size_t at = 0; at + DYN_SIZE <= table.size; at += DYN_SIZE) {
        const uint64_t tag = lw_le64(table.data + at);
        if (tag == DT_NULL)
            break;
        if (tag < DT_KEPT)
            d->tag[tag] = lw_le64(table.data + at + 8);
    }
    if (d->tag[DT_REL] || d->tag[DT_RELR])
        return lw_error_fail(error, LW_E_UNSUPPORTED,
                             "the code object has %s relocations; only DT_RELA ones are read",
                             d->tag[DT_REL] ? "DT_REL" : "DT_RELR");
    if (d->tag[DT_RELAENT] && d->tag[DT_RELAENT] != RELA_SIZE)
        return lw_error_fail(error, LW_E_FORMAT, "relocations of %" PRIu64 " bytes; expected %d",
                             d->tag[DT_RELAENT], (int)RELA_SIZE);
    if (!d->tag[DT_STRTAB])
        return LW_OK;
    if (!lw_image_slice(program, d->tag[DT_STRTAB], d->tag[DT_STRSZ], &d->strings) ||
        (d->strings.size && d->strings.data[d->strings.size - 1]))
        return lw_error_fail(
            error, LW_E_FORMAT,
            "the dynamic strings lie outside the loaded segments or do not end with a NUL byte");
    return LW_OK;
}

static lw_status resolve(const lw_program *program, const dynamic *d, uint32_t index, struct lw_reloc *r,
                         lw_error *error)
{
    lw_bytes entry;
    if (index == 0)
        return LW_OK;
    const uint64_t at = (uint64_t)index * LW_SYM_SIZE;
    if (!d->tag[DT_SYMTAB] || d->tag[DT_SYMTAB] > UINT64_MAX - at ||
        !lw_image_slice(program, d->tag[DT_SYMTAB] + at, LW_SYM_SIZE, &entry))
        return lw_error_fail(error, LW_E_FORMAT,
                             "a relocation names dynamic symbol %" PRIu32 "; there is none", index);
    const lw_elf_symbol s = lw_elf_symbol_read(entry.data);
    r->symbol = lw_elf_string(d->strings, s.name);
    r->value = s.section == LW_SHN_UNDEF ? 0 : s.value;
    r->absolute = s.section == LW_SHN_UNDEF || s.section >= LW_SHN_LORESERVE;
    r->undefined = s.section == LW_SHN_UNDEF ? s.binding != STB_WEAK : r->absolute && s.section != SHN_ABS;
    return LW_OK;
}

static lw_status read_relocs(lw_program *program, const dynamic *d, unsigned start, unsigned size,
                             lw_error *error)
{
    lw_bytes table;
    if (!d->tag[start] || !d->tag[size])
        return LW_OK;
    if (!lw_image_slice(program, d->tag[start], d->tag[size], &table))
        return lw_error_fail(error, LW_E_FORMAT, "the relocations lie outside the loaded segments");
    const size_t count = table.size / RELA_SIZE;
    struct lw_reloc *relocs = lw_arena_alloc(&program->arena, program->reloc_count + count, sizeof(*relocs));
    if (!relocs)
        return lw_no_memory(error);
    if (program->reloc_count)
        memcpy(relocs, program->relocs, program->reloc_count * sizeof(*relocs));
    program->relocs = relocs;
    for (size_t i = 0; i < count; i++) {
        const uint8_t *p = table.data + i * RELA_SIZE;
        struct lw_reloc r = { .place = lw_le64(p),
                              .type = lw_le32(p + 8),
                              .addend = lw_le64(p + 16),
                              .symbol = "",
                              .absolute = true };
        const lw_status status = resolve(program, d, lw_le32(p + 12), &r, error);
        if (status != LW_OK)
            return status;
        relocs[program->reloc_count++] = r;
    }
    return LW_OK;
}

/* DT_HASH starts with the number of buckets and the number of symbols. */
static lw_status add_dynamic_symbols(lw_program *program, const dynamic *d, lw_error *error)
{
    lw_bytes hash, table;
    if (!d->tag[DT_SYMTAB] || !d->tag[DT_HASH])
        return LW_OK;
    if (!lw_image_slice(program, d->tag[DT_HASH], 8, &hash) ||
        !lw_image_slice(program, d->tag[DT_SYMTAB], (uint64_t)lw_le32(hash.data + 4) * LW_SYM_SIZE, &table))
        return lw_error_fail(error, LW_E_FORMAT, "the dynamic symbols lie outside the loaded segments");
    return lw_symbols_add(program, table, d->strings, error);
}

lw_status lw_dynamic_read(lw_program *program, const lw_elf *elf, lw_error *error)
{
    for (uint32_t i = 0; i < elf->segment_count; i++) {
        const lw_elf_segment segment = lw_elf_segment_at(elf, i);
        dynamic d = { .tag = { 0 } };
        if (segment.type != LW_PT_DYNAMIC)
            continue;
        lw_status status = read_tags(program, &segment, &d, error);
        if (status == LW_OK)
            status = read_relocs(program, &d, DT_RELA, DT_RELASZ, error);
        if (status == LW_OK)
            status = read_relocs(program, &d, DT_JMPREL, DT_PLTRELSZ, error);
        if (status == LW_OK && elf->section_count == 0)
            status = add_dynamic_symbols(program, &d, error);
        return status;
    }
    return LW_OK;
}

static uint64_t calculate(const lw_program *program, const struct lw_reloc *r, uint64_t base, calculation how)
{
    const uint64_t moved = base - program->image_vaddr;
    const uint64_t symbol = r->absolute ? r->value : r->value + moved;
    switch (how) {
    case CALC_REFUSED:
    case CALC_NOTHING:
        return 0;
    case CALC_SYMBOL:
        return symbol + r->addend;
    case CALC_RELATIVE:
        return symbol + r->addend - (r->place + moved);
    case CALC_BASE:
        return moved + r->addend;
    }
    return 0;
}

lw_status lw_program_relocate(const lw_program *program, uint64_t base, uint8_t *out, lw_error *error)
{
    memcpy(out, program->image, (size_t)program->image_size);
    for (size_t i = 0; i < program->reloc_count; i++) {
        const struct lw_reloc *r = &program->relocs[i];
        const bool known = r->type < sizeof(types) / sizeof(types[0]) && types[r->type].name;
        const calculation how = known ? (calculation)types[r->type].calculation : CALC_REFUSED;
        lw_bytes place;
        if (how == CALC_REFUSED)
            return lw_error_fail(error, LW_E_UNSUPPORTED,
                                 "relocation type %" PRIu32 " (%s) at address 0x%" PRIx64
                                 " is not one that a linked code object can have",
                                 r->type, known ? types[r->type].name : "unknown", r->place);
        if (r->undefined)
            return lw_error_fail(error, LW_E_UNSUPPORTED,
                                 "the code object refers to '%.200s', which it does not define", r->symbol);
        if (!lw_image_slice(program, r->place, types[r->type].width, &place))
            return lw_error_fail(error, LW_E_FORMAT,
                                 "a relocation at address 0x%" PRIx64 " lies outside the image", r->place);
        const uint64_t value = calculate(program, r, base, how) >> types[r->type].shift;
        lw_put_le(out + (place.data - program->image), value, types[r->type].width);
    }
    return LW_OK;
}

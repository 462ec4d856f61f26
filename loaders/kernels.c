/* SPDX-License-Identifier: MIT */
/* Kernel descriptors joined with metadata (LLVM AMDGPUUsage, "Kernel Descriptor"). */
#include <inttypes.h>
#include <stdlib.h>

#include "isa_tables/amdgpu/traits.h"
#include "isa_tables/error.h"
#include "loaders/image.h"
#include "loaders/metadata.h"

enum {
    NOTE_HEAD = 12,
    NOTE_METADATA = 32, /* NT_AMDGPU_METADATA */
    DESC_SIZE = 64,
    PROPERTY_WAVE32 = 1 << 10,
    PROPERTY_DYNAMIC_STACK = 1 << 11,
};

/* ---- Finding the metadata ---- */

static uint64_t padded(uint32_t size)
{
    return ((uint64_t)size + 3) & ~(uint64_t)3;
}

/* Finds the note named "AMDGPU" with the type of the metadata. */
static lw_status find_note(lw_bytes notes, lw_bytes *found, lw_error *error)
{
    static const char owner[] = "AMDGPU";
    while (notes.size >= NOTE_HEAD) {
        const uint32_t name_size = lw_le32(notes.data), size = lw_le32(notes.data + 4);
        const uint32_t type = lw_le32(notes.data + 8);
        lw_bytes name, content;
        if (!lw_slice(notes, NOTE_HEAD, name_size, &name) ||
            !lw_slice(notes, NOTE_HEAD + padded(name_size), size, &content))
            return lw_error_fail(error, LW_E_TRUNCATED, "an ELF note reaches beyond the end of its section");
        if (type == NOTE_METADATA && lw_starts_with(name, owner, sizeof(owner) - 1)) {
            *found = content;
            return LW_OK;
        }
        const uint64_t step = NOTE_HEAD + padded(name_size) + padded(size);
        if (step >= notes.size)
            break;
        notes = (lw_bytes){ notes.data + step, notes.size - (size_t)step };
    }
    return LW_OK;
}

static lw_status find_metadata(const lw_elf *elf, lw_bytes *found, lw_error *error)
{
    lw_status status = LW_OK;
    lw_bytes notes;
    for (uint32_t i = 0; status == LW_OK && !found->data && i < elf->segment_count; i++) {
        const lw_elf_segment s = lw_elf_segment_at(elf, i);
        if (s.type != LW_PT_NOTE)
            continue;
        if (!lw_slice(elf->file, s.offset, s.file_size, &notes))
            return lw_error_fail(error, LW_E_TRUNCATED, "the notes reach beyond the end of the file");
        status = find_note(notes, found, error);
    }
    for (uint64_t i = 0; status == LW_OK && !found->data && i < elf->section_count; i++) {
        const lw_elf_section s = lw_elf_section_at(elf, i);
        if (s.type != LW_SHT_NOTE)
            continue;
        status = lw_elf_section_bytes(elf, &s, &notes, error);
        if (status == LW_OK)
            status = find_note(notes, found, error);
    }
    return status;
}

/* ---- Descriptors ---- */

static void unpack(const uint8_t *d, lw_kernel_desc *desc)
{
    *desc = (lw_kernel_desc){ .group_segment_size = lw_le32(d),
                              .private_segment_size = lw_le32(d + 4),
                              .kernarg_size = lw_le32(d + 8),
                              .entry = lw_le64(d + 16),
                              .rsrc3 = lw_le32(d + 44),
                              .rsrc1 = lw_le32(d + 48),
                              .rsrc2 = lw_le32(d + 52),
                              .properties = lw_le16(d + 56),
                              .preload_length = lw_le16(d + 58) & 0x7f,
                              .preload_offset = lw_le16(d + 58) >> 7 };
}

/* Register counts: AMDGPUUsage, compute_pgm_rsrc1 and, for the unified file's split, compute_pgm_rsrc3. */
static void count_registers(lw_arch arch, const lw_kernel_desc *d, lw_kernel_info *info)
{
    const lw_amdgpu_traits *traits = lw_amdgpu_traits_of(arch);
    const bool wave32 = (d->properties & PROPERTY_WAVE32) != 0 && traits->vgpr_granule_32;
    const uint32_t granule =
        wave32 || !traits->vgpr_granule_64 ? traits->vgpr_granule_32 : traits->vgpr_granule_64;
    const uint32_t total = ((d->rsrc1 & 63) + 1) * granule, accum_offset = ((d->rsrc3 & 63) + 1) * 4;
    info->vgprs = traits->accum && accum_offset < total ? accum_offset : total;
    info->agprs = traits->agprs_beside ? total : total - info->vgprs;
    info->sgprs = traits->sgprs_always ? traits->sgprs_always : ((d->rsrc1 >> 6 & 15) / 2 + 1) * 16;
}

static bool is_code(const lw_program *program, uint64_t offset)
{
    for (size_t i = 0; i < program->segment_count; i++) {
        const lw_segment *s = &program->segments[i];
        if (s->executable && offset >= s->offset && offset - s->offset < s->size)
            return true;
    }
    return false;
}

static lw_status read_descriptor(const lw_program *program, const lw_symbol *symbol, lw_kernel *kernel,
                                 lw_error *error)
{
    lw_kernel_info *info = &kernel->info;
    lw_kernel_desc *desc = &kernel->desc;
    lw_bytes bytes;
    if (!lw_image_slice(program, symbol->address, DESC_SIZE, &bytes))
        return lw_error_fail(error, LW_E_FORMAT, "the descriptor of kernel '%.200s' lies outside the image",
                             info->name);
    unpack(bytes.data, desc);
    kernel->desc_offset = symbol->address - program->image_vaddr;
    desc->entry += kernel->desc_offset;
    if (desc->entry % 4 || !is_code(program, desc->entry))
        return lw_error_fail(error, LW_E_FORMAT,
                             "kernel '%.200s' starts at image offset 0x%" PRIx64 ", which is not code",
                             info->name, desc->entry);

    /* The runtime takes these from the descriptor; the kernarg segment is at least as large as the metadata
     * says. */
    info->lds_size = desc->group_segment_size;
    info->private_size = desc->private_segment_size;
    if (info->kernarg_size < desc->kernarg_size)
        info->kernarg_size = desc->kernarg_size;
    if (info->kernarg_align == 0)
        info->kernarg_align = 16;
    if (info->wavefront_size == 0)
        info->wavefront_size = desc->properties & PROPERTY_WAVE32 ? 32 : 64;
    info->dynamic_stack = info->dynamic_stack || (desc->properties & PROPERTY_DYNAMIC_STACK) != 0;
    info->unsupported = info->approximate = info->contracted = "";
    if (!info->warning)
        info->warning = "";
    count_registers(program->arch, desc, info);
    return LW_OK;
}

/* ---- Joining ---- */

static int compare_name(const void *key, const void *element)
{
    const lw_symbol *symbol = element;
    return strcmp(key, symbol->name);
}

static lw_status join_metadata(lw_program *program, const lw_metadata *metadata, bool *described,
                               lw_error *error)
{
    for (size_t i = 0; i < metadata->count; i++) {
        lw_kernel *kernel = &program->kernels[program->kernel_count];
        const lw_symbol *symbol = program->symbol_count
                                      ? bsearch(metadata->symbols[i], program->symbols, program->symbol_count,
                                                sizeof(lw_symbol), compare_name)
                                      : NULL;
        if (!symbol)
            return lw_error_fail(error, LW_E_FORMAT,
                                 "kernel '%.200s': its descriptor '%.200s' is not in the symbol table",
                                 metadata->kernels[i].info.name, metadata->symbols[i]);
        *kernel = metadata->kernels[i];
        const lw_status status = read_descriptor(program, symbol, kernel, error);
        if (status != LW_OK)
            return status;
        described[symbol - program->symbols] = true;
        program->kernel_count++;
    }
    return LW_OK;
}

static size_t descriptor_name(const lw_symbol *symbol)
{
    const size_t length = strlen(symbol->name);
    if (!symbol->is_object || symbol->size != DESC_SIZE || length < 4)
        return 0;
    return strcmp(symbol->name + length - 3, ".kd") == 0 ? length - 3 : 0;
}

/* Descriptors that no metadata mentions, as in hand-written assembly. */
static lw_status add_bare_kernels(lw_program *program, const bool *described, lw_error *error)
{
    for (size_t i = 0; i < program->symbol_count; i++) {
        const lw_symbol *symbol = &program->symbols[i];
        const size_t length = descriptor_name(symbol);
        if (length == 0 || described[i])
            continue;
        lw_kernel *kernel = &program->kernels[program->kernel_count];
        *kernel = (lw_kernel){ .info = { .name = lw_arena_text(&program->arena, symbol->name, length) } };
        if (!kernel->info.name)
            return lw_no_memory(error);
        const lw_status status = read_descriptor(program, symbol, kernel, error);
        if (status != LW_OK)
            return status;
        program->kernel_count++;
    }
    return LW_OK;
}

lw_status lw_kernels_read(lw_program *program, const lw_elf *elf, lw_error *error)
{
    lw_bytes note = { NULL, 0 };
    lw_metadata metadata = { .count = 0 };
    lw_status status = find_metadata(elf, &note, error);
    if (status == LW_OK && note.data)
        status = lw_metadata_read(&program->arena, note, &metadata, error);
    if (status != LW_OK)
        return status;

    size_t most = metadata.count;
    for (size_t i = 0; i < program->symbol_count; i++)
        most += descriptor_name(&program->symbols[i]) != 0;
    bool *described = lw_arena_alloc(&program->arena, program->symbol_count, sizeof(*described));
    program->kernels = lw_arena_alloc(&program->arena, most, sizeof(*program->kernels));
    if (!described || !program->kernels)
        return lw_no_memory(error);

    status = join_metadata(program, &metadata, described, error);
    if (status == LW_OK)
        status = add_bare_kernels(program, described, error);
    if (status == LW_OK && metadata.target)
        program->target_id = lw_arena_text(&program->arena, metadata.target, strlen(metadata.target));
    return status;
}

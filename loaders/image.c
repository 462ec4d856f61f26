/* SPDX-License-Identifier: MIT */
#include <inttypes.h>

#include "isa_tables/error.h"
#include "loaders/image.h"

enum { PAGE = 4096 };

static lw_status check_segment(const lw_elf *elf, uint32_t index, const lw_elf_segment *s, uint64_t end,
                               lw_bytes *bytes, lw_error *error)
{
    if (s->file_size > s->memory_size)
        return lw_error_fail(error, LW_E_FORMAT,
                             "segment %" PRIu32 " has more bytes in the file (%" PRIu64
                             ") than in memory (%" PRIu64 ")",
                             index, s->file_size, s->memory_size);
    if (!lw_slice(elf->file, s->offset, s->file_size, bytes))
        return lw_error_fail(error, LW_E_TRUNCATED,
                             "segment %" PRIu32 " (%" PRIu64 " bytes at file offset %" PRIu64
                             ") reaches beyond the end of the file (%zu bytes)",
                             index, s->file_size, s->offset, elf->file.size);
    if (s->vaddr < end)
        return lw_error_fail(error, LW_E_FORMAT,
                             "segment %" PRIu32 " at address 0x%" PRIx64
                             " overlaps the one before it, or they are not in ascending order",
                             index, s->vaddr);
    if (s->memory_size > UINT64_MAX - s->vaddr)
        return lw_error_fail(error, LW_E_FORMAT, "segment %" PRIu32 " wraps around the address space", index);
    return LW_OK;
}

/* Checks all segments; counts them and finds the image's first address and size. */
static lw_status measure(lw_program *program, const lw_elf *elf, uint64_t limit, lw_error *error)
{
    uint64_t end = 0;
    for (uint32_t i = 0; i < elf->segment_count; i++) {
        const lw_elf_segment s = lw_elf_segment_at(elf, i);
        lw_bytes bytes;
        if (s.type != LW_PT_LOAD || s.memory_size == 0)
            continue;
        const lw_status status = check_segment(elf, i, &s, end, &bytes, error);
        if (status != LW_OK)
            return status;
        if (program->segment_count++ == 0)
            program->image_vaddr = s.vaddr & ~(uint64_t)(PAGE - 1);
        end = s.vaddr + s.memory_size;
    }
    if (program->segment_count == 0)
        return lw_error_fail(error, LW_E_FORMAT, "the code object has nothing to load: no PT_LOAD segment");
    program->image_size = end - program->image_vaddr;
    if (program->image_size > (uint64_t)LW_MAX_IMAGE_MIB << 20)
        return lw_error_fail(error, LW_E_UNSUPPORTED,
                             "the code object takes %" PRIu64 " bytes of memory, the limit is %d MiB",
                             program->image_size, (int)LW_MAX_IMAGE_MIB);
    if (program->image_size > limit)
        return lw_error_fail(error, LW_E_NO_MEMORY,
                             "the code object takes %" PRIu64 " bytes of memory; %" PRIu64
                             " are left within the memory limit",
                             program->image_size, limit);
    return LW_OK;
}

lw_status lw_image_load(lw_program *program, const lw_elf *elf, uint64_t limit, lw_error *error)
{
    const lw_status status = measure(program, elf, limit, error);
    if (status != LW_OK)
        return status;
    program->image = lw_arena_alloc(&program->arena, program->image_size, 1);
    program->segments = lw_arena_alloc(&program->arena, program->segment_count, sizeof(lw_segment));
    if (!program->image || !program->segments)
        return lw_no_memory(error);

    lw_segment *next = program->segments;
    for (uint32_t i = 0; i < elf->segment_count; i++) {
        const lw_elf_segment s = lw_elf_segment_at(elf, i);
        lw_bytes bytes;
        if (s.type != LW_PT_LOAD || s.memory_size == 0 || !lw_slice(elf->file, s.offset, s.file_size, &bytes))
            continue;
        const uint64_t offset = s.vaddr - program->image_vaddr;
        if (bytes.size)
            memcpy(program->image + offset, bytes.data, bytes.size);
        *next++ = (lw_segment){ .offset = offset,
                                .size = s.memory_size,
                                .writable = (s.flags & LW_PF_W) != 0,
                                .executable = (s.flags & LW_PF_X) != 0 };
    }
    return LW_OK;
}

bool lw_image_slice(const lw_program *program, uint64_t vaddr, uint64_t size, lw_bytes *out)
{
    const lw_bytes image = { program->image, (size_t)program->image_size };
    return vaddr >= program->image_vaddr && lw_slice(image, vaddr - program->image_vaddr, size, out);
}

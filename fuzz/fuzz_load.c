/* SPDX-License-Identifier: MIT */
/* Arbitrary bytes as a file with code objects: list, load, look at everything, relocate, build arguments. */
#include <stdlib.h>
#include <string.h>

#include "loaders/kernarg.h"
#include "loaders/program.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_MEMBERS = 4, MOST_IMAGE = 1 << 20, MOST_ARGS = 64 };

static volatile size_t sink;

static void use_kernel(const lw_kernel_info *kernel)
{
    static const uint64_t zero[8];
    const lw_kernarg_launch launch = { .items = { 100, 3, 1 }, .group = { 64, 2, 1 } };
    lw_arg args[MOST_ARGS];
    lw_error error;
    if (kernel->explicit_count > MOST_ARGS || kernel->kernarg_size > MOST_IMAGE)
        return;
    for (size_t i = 0; i < kernel->explicit_count; i++) {
        const lw_arg_info *arg = &kernel->args[i];
        if (arg->size > sizeof(zero))
            return;
        args[i] = (lw_arg){ i % 2 ? arg->name : NULL, zero, arg->size, arg->kind == LW_ARG_BUFFER };
    }
    uint8_t *segment = malloc(kernel->kernarg_size + 1u);
    if (!segment)
        return;
    const lw_status status = lw_kernarg_build(kernel, args, kernel->explicit_count, &launch, segment,
                                              kernel->kernarg_size, &error);
    sink += status == LW_OK && kernel->kernarg_size ? segment[kernel->kernarg_size - 1] : 0;
    free(segment);
}

static void use_program(const lw_program *program)
{
    lw_error error;
    size_t index;
    for (size_t i = 0; i < lw_program_section_count(program); i++) {
        const lw_section *s = lw_program_section_at(program, i);
        sink += strlen(s->name) + s->data[0] + s->data[s->size - 1];
    }
    for (size_t i = 0; i < lw_program_symbol_count(program); i++)
        sink += strlen(lw_program_symbol_at(program, i)->name);
    for (size_t i = 0; i < lw_program_kernel_count(program); i++) {
        use_kernel(lw_program_kernel_at(program, i));
        sink += program->image ? program->image[program->kernels[i].desc.entry] : 0; /* PTX has none */
    }
    lw_line line;
    for (uint64_t at = 0; at < program->image_size && at < MOST_IMAGE; at += 32)
        if (lw_program_line(program, program->image_vaddr + at, &line, &error) == LW_OK)
            sink += strlen(line.file) + line.line;
    sink += (size_t)lw_program_find(program, "shapes::repeat", &index, &error);
    if (!program->image || program->image_size > MOST_IMAGE)
        return;
    uint8_t *image = malloc((size_t)program->image_size);
    if (image)
        sink += (size_t)lw_program_relocate(program, 0x7000001000, image, &error);
    free(image);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    lw_members *members;
    lw_error error;
    if (lw_members_read(data, size, &members, &error) != LW_OK)
        return 0;
    const size_t count = lw_members_count(members);
    for (size_t i = 0; i < count && i < MOST_MEMBERS; i++) {
        lw_load_options options = lw_load_options_default();
        lw_program *program;
        options.member = (int)i;
        if (lw_members_at(members, i)->arch == LW_ARCH_NONE)
            options.arch = LW_ARCH_GFX950;
        if (lw_program_load(data, size, &options, &program, &error) != LW_OK)
            continue;
        use_program(program);
        lw_program_free(program);
    }
    lw_members_free(members);
    return 0;
}

/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <unistd.h>

#include "isa_tables/error.h"
#include "loaders/image.h"
#include "loaders/lines.h"
#include "loaders/mangle.h"
#include "loaders/ptx/module.h"
#include "loaders/ptx/program.h"
#include "loaders/target.h"

/* ABI versions: 0 is code object V2, 1 is V3, ... (LLVM AMDGPUUsage, "ELF ABI Version"). */
enum { V4_ABI = 2, V6_ABI = 4 };

static lw_status check_header(const lw_elf *elf, lw_error *error)
{
    if (elf->machine != LW_ELF_MACHINE_AMDGPU)
        return lw_error_fail(error, LW_E_FORMAT, "an ELF file of machine %u, not AMDGPU",
                             (unsigned)elf->machine);
    if (elf->osabi != LW_ELF_OSABI_HSA)
        return lw_error_fail(error, LW_E_UNSUPPORTED,
                             "a code object for OS ABI %u; only 64 (HSA, as HIP and OpenCL use it) is read",
                             (unsigned)elf->osabi);
    if (elf->abi_version < V4_ABI || elf->abi_version > V6_ABI)
        return lw_error_fail(error, LW_E_UNSUPPORTED,
                             "a code object of version %u; versions 4, 5 and 6 are read",
                             (unsigned)elf->abi_version + 2);
    if (elf->type == LW_ELF_TYPE_REL)
        return lw_error_fail(error, LW_E_UNSUPPORTED,
                             "an unlinked object file; link it first (ld.lld -shared)");
    if (elf->type != LW_ELF_TYPE_DYN)
        return lw_error_fail(error, LW_E_FORMAT, "ELF type %u; a code object is a shared object (3)",
                             (unsigned)elf->type);
    return LW_OK;
}

static lw_status fill_program(lw_program *p, lw_bytes file, uint64_t limit, lw_error *error)
{
    char id[LW_TARGET_TEXT], name[LW_TARGET_TEXT];
    lw_elf elf;
    lw_status status = lw_elf_open(file, &elf, error);
    if (status == LW_OK)
        status = check_header(&elf, error);
    if (status != LW_OK)
        return status;
    p->abi_version = elf.abi_version + 2u;
    lw_target_id(elf.flags, id);
    lw_target_name(elf.flags, name);
    p->processor = lw_arena_text(&p->arena, name, strlen(name));
    p->target_id = lw_arena_text(&p->arena, id, strlen(id));
    if (!p->target_id || !p->processor)
        return lw_no_memory(error);

    if ((status = lw_image_load(p, &elf, limit, error)) != LW_OK)
        return status;
    if ((status = lw_sections_read(p, &elf, error)) != LW_OK)
        return status;
    if ((status = lw_dynamic_read(p, &elf, error)) != LW_OK)
        return status;
    if ((status = lw_symbols_read(p, &elf, error)) != LW_OK)
        return status;
    if ((status = lw_kernels_read(p, &elf, error)) != LW_OK)
        return status;
    lw_symbols_by_address(p);
    return lw_lines_read(p, &elf, limit - p->image_size, error);
}

static long this_process(void)
{
#ifdef __wasi__
    return 0;
#else
    return (long)getpid();
#endif
}

/* A new program, filled with what `bytes` hold. */
static lw_status load(lw_bytes bytes, lw_arch arch, uint64_t limit,
                      lw_status (*fill)(lw_program *, lw_bytes, uint64_t, lw_error *), lw_program **program,
                      lw_error *error)
{
    lw_program *p = calloc(1, sizeof(*p));
    if (!p)
        return lw_no_memory(error);
    p->arch = arch;
    p->process = this_process();
    const lw_status status = fill(p, bytes, limit, error);
    if (status != LW_OK) {
        lw_program_free(p);
        return status;
    }
    *program = p;
    return LW_OK;
}

lw_status lw_code_object_load(lw_bytes file, lw_arch arch, uint64_t limit, lw_program **program,
                              lw_error *error)
{
    return load(file, arch, limit, fill_program, program, error);
}

lw_status lw_ptx_text_load(lw_bytes text, lw_arch arch, uint64_t limit, lw_program **program, lw_error *error)
{
    return load(text, arch, limit, lw_ptx_fill_program, program, error);
}

void lw_program_free(lw_program *program)
{
    if (!program)
        return;
    lw_lines_free(program->lines);
    lw_ptx_module_free(program->ptx);
    lw_arena_free(&program->arena);
    free(program);
}

lw_arch lw_program_arch(const lw_program *program)
{
    return program ? program->arch : LW_ARCH_NONE;
}

const char *lw_program_target_id(const lw_program *program)
{
    return program ? program->target_id : "";
}

unsigned lw_program_abi_version(const lw_program *program)
{
    return program ? program->abi_version : 0;
}

size_t lw_program_kernel_count(const lw_program *program)
{
    return program ? program->kernel_count : 0;
}

const lw_kernel_info *lw_program_kernel_at(const lw_program *program, size_t index)
{
    return program && index < program->kernel_count ? &program->kernels[index].info : NULL;
}

size_t lw_program_section_count(const lw_program *program)
{
    return program ? program->section_count : 0;
}

const lw_section *lw_program_section_at(const lw_program *program, size_t index)
{
    return program && index < program->section_count ? &program->sections[index] : NULL;
}

size_t lw_program_symbol_count(const lw_program *program)
{
    return program ? program->symbol_count : 0;
}

const lw_symbol *lw_program_symbol_at(const lw_program *program, size_t index)
{
    return program && index < program->symbol_count ? &program->symbols[index] : NULL;
}

/* ---- Finding a kernel ---- */

static void append_kernels(const lw_program *program, const char *base_name, lw_error *error)
{
    enum { MOST_NAMED = 10 };
    size_t named = 0, left_out = 0;
    for (size_t i = 0; i < program->kernel_count; i++) {
        const char *name = program->kernels[i].info.name;
        if (base_name && !lw_mangled_has_name(name, base_name))
            continue;
        if (named == MOST_NAMED)
            left_out++;
        else
            lw_error_append(error, "%s%.70s", named++ ? ", " : "", name);
    }
    if (left_out)
        lw_error_append(error, " and %zu more", left_out);
}

lw_status lw_program_find(const lw_program *program, const char *name, size_t *index, lw_error *error)
{
    size_t found = 0, matches = 0;
    if (!program || !name || !index)
        return lw_error_fail(error, LW_E_ARGUMENT, "program, name or index is NULL");
    for (size_t i = 0; i < program->kernel_count; i++) {
        const char *own = program->kernels[i].info.name;
        if (strcmp(own, name) == 0) {
            *index = i;
            return LW_OK;
        }
        if (lw_mangled_has_name(own, name)) {
            found = i;
            matches++;
        }
    }
    if (matches == 1) {
        *index = found;
        return LW_OK;
    }
    if (matches) {
        lw_error_fail(error, LW_E_ARGUMENT, "%zu kernels are called '%.100s': ", matches, name);
        append_kernels(program, name, error);
        return LW_E_ARGUMENT;
    }
    const char *what = program->ptx ? "module" : "code object";
    if (program->kernel_count == 0)
        return lw_error_fail(error, LW_E_NOT_FOUND, "no kernel '%.100s': the %s has no kernels", name, what);
    lw_error_fail(error, LW_E_NOT_FOUND, "no kernel '%.100s'; the %s has ", name, what);
    append_kernels(program, NULL, error);
    return LW_E_NOT_FOUND;
}

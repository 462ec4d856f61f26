/* SPDX-License-Identifier: MIT */
/* Modules: which machine runs a program. */
#include <string.h>

#include "emu/amdgpu/control/machine.h"
#include "emu/device/fail.h"
#include "emu/ptx/warp.h"

enum { MOST_WORDS = UINT32_MAX / 8 };

/* NULL: programs for this architecture can be inspected but not run. */
static const lw_machine *machine_of(lw_arch arch)
{
    const lw_arch_info *info = lw_arch_get(arch);
    if (!info || !info->runs_kernels)
        return NULL;
    return strcmp(info->vendor, "NVIDIA") == 0 ? &lw_ptx_machine : &lw_amd_machine;
}

static lw_status finish(lw_module *m, lw_status status, lw_module **module)
{
    if (status == LW_OK)
        *module = m;
    else
        lw_module_unload(m);
    return status;
}

lw_status lw_module_load(lw_memory *memory, const lw_program *program, lw_module **module, lw_error *error)
{
    if (!memory || !program || !module)
        return lw_fail(error, LW_E_ARGUMENT, "a module needs a memory and a program");
    const lw_arch arch = lw_program_arch(program);
    const lw_machine *machine = machine_of(arch);
    if (!machine)
        return lw_fail(error, LW_E_UNSUPPORTED, "this version does not run kernels of %s",
                       lw_arch_get(arch)->name);
    lw_module *m = lw_module_new(machine, memory, program, lw_program_kernel_count(program));
    if (!m)
        return lw_fail(error, LW_E_NO_MEMORY, "no host memory for a module");
    m->arch = arch;
    return finish(m, machine->open(m, error), module);
}

lw_status lw_module_load_code(lw_memory *memory, lw_arch arch, const uint32_t *code, size_t words,
                              lw_module **module, lw_error *error)
{
    const lw_arch_info *info = lw_arch_get(arch);
    if (!memory || !module || !info)
        return lw_fail(error, LW_E_ARGUMENT, "a module needs a memory and an architecture");
    const lw_machine *machine = machine_of(arch);
    if (!machine || !machine->open_code)
        return lw_fail(error, LW_E_UNSUPPORTED, "this version does not run machine code of %s", info->name);
    if (!code || !words || words > MOST_WORDS)
        return lw_fail(error, LW_E_ARGUMENT, "there is no code to run");
    lw_module *m = lw_module_new(machine, memory, NULL, 1);
    if (!m)
        return lw_fail(error, LW_E_NO_MEMORY, "no host memory for a module");
    m->arch = arch;
    return finish(m, machine->open_code(m, code, words, error), module);
}

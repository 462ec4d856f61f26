/* SPDX-License-Identifier: MIT */
#include "emu/device/module.h"

#include <stdlib.h>

#include "emu/device/fail.h"
#include "emu/device/machine.h"

lw_module *lw_module_new(const lw_machine *machine, lw_memory *memory, const lw_program *program,
                         size_t kernels)
{
    lw_module *m = calloc(1, sizeof(*m));
    lw_order *orders = calloc(kernels ? kernels : 1, sizeof(*orders));
    if (!m || !orders) {
        free(m);
        free(orders);
        return NULL;
    }
    *m = (lw_module){ .machine = machine,
                      .memory = memory,
                      .program = program,
                      .orders = orders,
                      .order_count = kernels,
                      .process = lw_memory_process() };
    return m;
}

lw_status lw_module_map(lw_module *m, const lw_region *region)
{
    uint64_t *grown = realloc(m->mapped, (m->mapped_count + 1) * sizeof(*grown));
    if (!grown)
        return LW_E_NO_MEMORY;
    m->mapped = grown;
    const lw_status status = lw_memory_map(m->memory, region);
    if (status == LW_OK)
        m->mapped[m->mapped_count++] = region->base;
    return status;
}

void lw_module_unload(lw_module *m)
{
    if (!m)
        return;
    m->machine->close(m);
    lw_code_close(&m->code);
    for (size_t i = 0; i < m->mapped_count; i++)
        lw_memory_unmap(m->memory, m->mapped[i]);
    free(m->mapped);
    free(m->image);
    free(m->orders);
    free(m);
}

const lw_program *lw_module_program(const lw_module *module)
{
    return module ? module->program : NULL;
}

lw_memory *lw_module_memory(const lw_module *module)
{
    return module ? module->memory : NULL;
}

lw_arch lw_module_arch(const lw_module *module)
{
    return module ? module->arch : LW_ARCH_NONE;
}

lw_status lw_module_symbol(const lw_module *module, const char *name, uint64_t *address, uint64_t *size,
                           lw_error *error)
{
    uint64_t at, bytes;
    if (!module || !name)
        return lw_fail(error, LW_E_ARGUMENT, "looking up a symbol needs a module and a name");
    if (module->machine->symbol(module, name, &at, &bytes) != LW_OK)
        return lw_fail(error, LW_E_NOT_FOUND, "the module has no symbol \"%s\"", name);
    if (address)
        *address = at;
    if (size)
        *size = bytes;
    return LW_OK;
}

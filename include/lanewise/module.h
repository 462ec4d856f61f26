/* SPDX-License-Identifier: MIT */
/*
 * Programs placed in a memory.
 *
 * A program is a parsed file. A module is that program with device addresses. It is relocated once; its
 * global variables can be found, read and written, and keep their values from launch to launch, as on a GPU.
 * Code is decoded when it is first reached and shared by all launches and threads, so that a second launch
 * takes microseconds, however large the file is. A kernel that stores into code faults.
 */
#ifndef LANEWISE_MODULE_H
#define LANEWISE_MODULE_H

#include <lanewise/launch.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lw_module lw_module;

/*
 * Places a program in a memory. Both must stay valid until the module is unloaded. The first module of a
 * memory is at 0x800000000, the next ones at the lowest multiples of 64 KiB that leave at least 64 KiB
 * unmapped between two. The image counts as an allocation within the memory's limit. LW_E_ARGUMENT for NULL
 * or where no address is left, LW_E_UNSUPPORTED: programs for this architecture can be inspected but not run;
 * LW_E_FORMAT: it cannot be relocated or has no code; LW_E_NO_MEMORY.
 */
LW_API lw_status lw_module_load(lw_memory *memory, const lw_program *program, lw_module **module,
                                lw_error *error);

/*
 * Places `words` dwords of machine code of an AMD `arch`: a module without a file, for lw_code_run. The words
 * are copied. Fails as lw_module_load does.
 */
LW_API lw_status lw_module_load_code(lw_memory *memory, lw_arch arch, const uint32_t *code, size_t words,
                                     lw_module **module, lw_error *error);

/*
 * Takes the module out of its memory. No session of it may exist. NULL is allowed. lw_memory_free does not do
 * this: unload first.
 */
LW_API void lw_module_unload(lw_module *module);

/* The program, the memory and the architecture of a module; the program of raw code is NULL. */
LW_API const lw_program *lw_module_program(const lw_module *module);
LW_API lw_memory *lw_module_memory(const lw_module *module);
LW_API lw_arch lw_module_arch(const lw_module *module);

/*
 * A variable or function of the program by its symbol's name (as the compiler mangled it): its device address
 * and its size in bytes; either may be NULL. LW_E_NOT_FOUND: there is no such symbol; LW_E_ARGUMENT for NULL.
 */
LW_API lw_status lw_module_symbol(const lw_module *module, const char *name, uint64_t *address,
                                  uint64_t *size, lw_error *error);

#ifdef __cplusplus
}
#endif

#endif

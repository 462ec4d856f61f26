/* SPDX-License-Identifier: MIT */
/* Which architecture and instruction a call is about; reports an error if there is none. */
#ifndef LW_CLI_TARGET_H
#define LW_CLI_TARGET_H

#include <lanewise/insn.h>

#include "cli/cli.h"

#define CLI_OPTION_ARCH                                                                                      \
    {                                                                                                        \
        .name = "arch", .value = "ARCH",                                                                     \
        .help = "gfx908 ... gfx1250, sm_70 ... sm_121a ('lanewise list' names them), or a\n"                 \
                "product, such as MI300X, 'RX 9070', H100"                                                   \
    }

/* The architecture that --arch names. `required`: its absence is an error; else *arch stays LW_ARCH_NONE. */
int target_arch(const cli_call *call, bool required, lw_arch *arch);

/* The first operand as an instruction of --arch. */
int target_insn(const cli_call *call, lw_arch *arch, const lw_insn **insn);

/* All --mod of the call, with --wave and the modifiers implied by --reading, in one set. */
int target_mods(const cli_call *call, lw_arch arch, const lw_insn *insn, lw_mods *mods);

/* An lw_sink whose context is a FILE. */
lw_status target_sink(void *file, const char *text, size_t size);

/* Prints a text in lines of at most 100 columns, each after `indent` blanks. Line breaks in it are kept. */
void target_print_wrapped(int indent, const char *text);

#endif

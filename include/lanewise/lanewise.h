/* SPDX-License-Identifier: MIT */
/*
 * Everything Lanewise offers. What holds for all of it:
 *
 * - Results come through the last pointers and are written only on success (launches apart: launch.h).
 * - What a _create, _load, _read or lw_launch gives is freed by the function named _free beside it.
 * - Functions keep no state: several threads may call any of them at once on different objects. One object
 * may be read by several threads at once while nobody changes it; a launch changes its lw_memory and, through
 *   callbacks, its observers. A launch may use several threads itself (lw_launch_options.threads).
 * - Structs of options start with struct_size; get them from their _default function, or set it to the
 * struct's sizeof. Another size is that of another version of this library and is refused (LW_E_ARGUMENT).
 * Plain values (lw_relation, lw_digit, lw_pair) and elements of callers' arrays (lw_layout_entry) are frozen.
 * Options without struct_size (lw_mma_options, lw_layout_print_options) are guarded by LW_ABI_VERSION alone.
 * - No function prints or ends the program. All run under a floating-point control word of their own,
 * whatever the host has set (rounding, flushing, unmasked exceptions, sticky flags), and leave the host's as
 * it was; callbacks are called under the library's.
 */
#ifndef LANEWISE_LANEWISE_H
#define LANEWISE_LANEWISE_H

#include <lanewise/arch.h>
#include <lanewise/disasm.h>
#include <lanewise/insn.h>
#include <lanewise/label.h>
#include <lanewise/launch.h>
#include <lanewise/layout.h>
#include <lanewise/mma.h>
#include <lanewise/module.h>
#include <lanewise/move.h>
#include <lanewise/npy.h>
#include <lanewise/observe.h>
#include <lanewise/program.h>
#include <lanewise/reading.h>
#include <lanewise/relation.h>
#include <lanewise/session.h>
#include <lanewise/sink.h>
#include <lanewise/status.h>
#include <lanewise/version.h>

#endif

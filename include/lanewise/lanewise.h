/* SPDX-License-Identifier: MIT */
/*
 * All of Lanewise. What holds for all of it:
 *
 * - Results are returned through the last pointers and are written only on success (launches excepted:
 *   launch.h).
 * - An object that a _create, _load, _read function or lw_launch returns is freed by the _free function of
 *   its type.
 * - Functions keep no state: several threads may call any of them at once on different objects. Several
 *   threads may read one object at once while none changes it; a launch changes its lw_memory and,
 *   through callbacks, its observers. A launch may itself use several threads (lw_launch_options.threads).
 * - A struct that may grow begins with struct_size, and later libraries of the same SONAME accept the size
 *   that a program was built with: members that a smaller struct lacks have their default (options) or are
 *   left out (results). Any other size is refused (LW_E_ARGUMENT). Get options from their _default
 *   function, or set struct_size to the struct's sizeof; the functions that fill a struct set it
 *   themselves. Languages other than C and C++ set it and call the function beneath: lw_insn_fill_info for
 *   lw_insn_get_info, and the _init functions, which write as many bytes as they are told, for the _default
 *   functions. These structs may grow:
 *       lw_load_options, lw_launch_options, lw_code_options, lw_mma_options, lw_layout_print_options,
 *       lw_step_options, lw_observer, lw_insn_info, lw_layout_info, lw_layout_judgement, lw_mma_shape,
 *       lw_disasm, lw_tile_info, lw_tile_banks, lw_tile_repair, lw_tiling, lw_capture, lw_launch_part
 * - Structs that the library owns and gives pointers to may grow at their end, in any version: read them
 *   through the pointer, do not copy or allocate them:
 *       lw_arch_info, lw_reading, lw_event, lw_facts, lw_launch_result, lw_kernel_info, lw_arg_info,
 *       lw_finding, lw_member, lw_uninit_report, lw_banks_report, lw_banks_repair, lw_coalescing_report,
 *       lw_progress, lw_mma_explain_row, lw_why_product
 * - Everything else is frozen for a SONAME: plain values
 *       lw_mods, lw_ptx_mods, lw_relation, lw_digit, lw_bank_rule, lw_bank_turns, lw_tiling_problem,
 *       lw_tensor_map, lw_tensor_im2col, lw_pack, lw_pair, lw_error, lw_line, lw_fault, lw_lds_outside,
 *       lw_mma_evidence, lw_mma_rule, lw_matrix_event, lw_matrix_operand, lw_operand_info, lw_allocation,
 *       lw_pause, lw_trace_options, lw_check_options, lw_section, lw_symbol, lw_npy, lw_sha256,
 *       lw_why_target
 *   elements of arrays
 *       lw_layout_entry, lw_layout_move, lw_layout_guess, lw_arg, lw_bank_access, lw_wave_state,
 *       lw_memory_access, lw_launch_count, lw_wave_stand, lw_byte_run, lw_launch_piece, lw_why_array,
 *       lw_why_element
 *   and operands of one call
 *       lw_mma_registers, lw_mma_matrices, lw_move_args, lw_move_memory
 * - No function prints or ends the program. All run under a floating-point control word of their own,
 *   whatever the host has set (rounding, flushing, unmasked exceptions, sticky flags), and leave the host's
 *   unchanged; callbacks are called under the library's.
 */
#ifndef LANEWISE_LANEWISE_H
#define LANEWISE_LANEWISE_H

#include <lanewise/arch.h>
#include <lanewise/banks.h>
#include <lanewise/check.h>
#include <lanewise/convert.h>
#include <lanewise/coverage.h>
#include <lanewise/disasm.h>
#include <lanewise/encoding.h>
#include <lanewise/hash.h>
#include <lanewise/insn.h>
#include <lanewise/label.h>
#include <lanewise/launch.h>
#include <lanewise/layout.h>
#include <lanewise/mma.h>
#include <lanewise/mmt4d.h>
#include <lanewise/module.h>
#include <lanewise/move.h>
#include <lanewise/notation.h>
#include <lanewise/capture.h>
#include <lanewise/npy.h>
#include <lanewise/observe.h>
#include <lanewise/origin.h>
#include <lanewise/pack.h>
#include <lanewise/part.h>
#include <lanewise/program.h>
#include <lanewise/reading.h>
#include <lanewise/relation.h>
#include <lanewise/session.h>
#include <lanewise/sink.h>
#include <lanewise/status.h>
#include <lanewise/tensor_map.h>
#include <lanewise/tile.h>
#include <lanewise/tiling.h>
#include <lanewise/version.h>
#include <lanewise/why.h>
#include <lanewise/why_product.h>

#endif

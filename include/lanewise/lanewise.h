/* SPDX-License-Identifier: MIT */
/* Everything Lanewise offers. */
#ifndef LANEWISE_LANEWISE_H
#define LANEWISE_LANEWISE_H

#include <lanewise/arch.h>
#include <lanewise/disasm.h>
#include <lanewise/insn.h>
#include <lanewise/launch.h>
#include <lanewise/layout.h>
#include <lanewise/mma.h>
#include <lanewise/npy.h>
#include <lanewise/observe.h>
#include <lanewise/program.h>
#include <lanewise/sink.h>
#include <lanewise/status.h>
#include <lanewise/version.h>

#endif

/* SPDX-License-Identifier: MIT */
/* What `info` and `list` have in common. */
#ifndef LW_CLI_INFO_H
#define LW_CLI_INFO_H

#include <lanewise/insn.h>

#include "cli/json.h"

/* The members that a row of `list` and the object of `info` share. */
void info_write_head(cli_json *json, const lw_insn_info *info);

#endif

/* SPDX-License-Identifier: MIT */
/* The debugger's commands. */
#ifndef LW_CLI_DEBUG_COMMAND_H
#define LW_CLI_DEBUG_COMMAND_H

#include "cli/debug/debug.h"

typedef struct debug_result {
    bool good;       /* false: `text` says why it was not done */
    bool moved;      /* d->stop is new */
    bool quit;       /* the user wants to leave */
    debug_text text; /* the caller frees it */
} debug_result;

/* Executes a line; an empty one or a comment (#) does nothing. */
debug_result debug_execute(debugger *d, const char *line);
/* The same for commands that change nothing; others are refused. */
debug_result debug_look(debugger *d, const char *line);

/* Where the launch stopped, and what it printed until then. */
void debug_report(debugger *d, debug_text *out);
/* "workgroup 0,0,0 wave 0: +0x1a8 v_add_u32 v0, v1, v2 (file.hip:12)" */
void debug_describe(const debugger *d, const debug_id *id, debug_text *out);
/* What happened, in a word and in a sentence. */
const char *debug_reason_name(debug_reason reason);
void debug_reason_text(const debugger *d, debug_text *out);
/* The list of commands. */
void debug_help(debug_text *out);

#endif

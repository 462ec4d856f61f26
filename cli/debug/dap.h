/* SPDX-License-Identifier: MIT */
/* An editor's session, by the Debug Adapter Protocol (microsoft.github.io/debug-adapter-protocol). */
#ifndef LW_CLI_DEBUG_DAP_H
#define LW_CLI_DEBUG_DAP_H

#include "cli/debug/command.h"
#include "cli/debug/json_read.h"
#include "cli/json.h"

/* Who set a breakpoint; those of source files follow. */
enum { DAP_FUNCTIONS = 1, DAP_INSTRUCTIONS, DAP_DATA, DAP_SOURCES };

/* What a reference to variables stands for; valid until the launch goes on. */
typedef enum dap_what {
    DAP_NAMED,    /* scope: EXEC, VCC, the position */
    DAP_SCALARS,  /* scope */
    DAP_VECTORS,  /* scope; `part` 1: accumulation registers */
    DAP_REGISTER, /* the lanes of vector register `first` */
    DAP_MATRICES, /* scope: operands of the next instruction */
    DAP_TILE,     /* operand `part` */
    DAP_TILE_ROW, /* row `first` of it (rows of all blocks are counted) */
    DAP_ARRAYS,   /* scope: arguments */
    DAP_ARRAY,    /* argument `part` */
    DAP_LDS,      /* scope: words */
} dap_what;

typedef struct dap_handle {
    dap_what what;
    debug_id wave;
    unsigned part;
    uint64_t first;
} dap_handle;

typedef struct dap {
    debugger *d;
    int64_t seq;
    char *input; /* what has been read and not handled */
    size_t input_size, input_room;
    bool input_over;

    char *message; /* being written */
    size_t message_size;
    cli_json json;

    const json_node *request, *arguments;
    bool started, running, leaving;
    bool stop_on_entry;
    int exit;

    debug_id *threads; /* by number - 1 */
    size_t thread_count;
    dap_handle *handles; /* by reference - 1 */
    size_t handle_count;
    char **sources; /* by owner - DAP_SOURCES */
    size_t source_count;
} dap;

/* ---- dap.c: messages ---- */

void dap_begin_response(dap *s); /* of success; "body" is open */
void dap_end_response(dap *s);
void dap_done(dap *s); /* success without a body */
void dap_fail(dap *s, const char *why);
void dap_begin_event(dap *s, const char *event);
void dap_end_event(dap *s);
/* A text for the editor's console, "stdout", "console" or "important". */
void dap_output(dap *s, const char *category, const char *text);
/* The launch has stopped: tells the editor. */
void dap_stopped(dap *s);
/* Chooses the wave that the request is about. False after failing. */
bool dap_thread(dap *s, const json_node *id);
int64_t dap_thread_number(dap *s, const debug_id *wave);

/* ---- Requests ---- */

void dap_set_breakpoints(dap *s);
void dap_set_functions(dap *s);
void dap_set_instructions(dap *s);
void dap_set_data(dap *s);
void dap_data_info(dap *s);

void dap_threads(dap *s);
void dap_stack(dap *s);
void dap_scopes(dap *s);
void dap_variables(dap *s);
void dap_evaluate(dap *s);
/* A Source of the protocol. */
void dap_write_source(dap *s, const char *key, const char *path);

void dap_disassemble(dap *s);
void dap_read_memory(dap *s);

#endif

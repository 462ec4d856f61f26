/* SPDX-License-Identifier: MIT */
/* Messages to and from the editor. */
#include "cli/debug/dap.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/debug/frame.h"
#include "cli/debug/terminal.h"

/* ---- Writing ---- */

static void begin_message(dap *s, const char *type)
{
    s->json = (cli_json){ .out = open_memstream(&s->message, &s->message_size) };
    if (!s->json.out) {
        cli_say(s->d->job->call, "the host has no memory for a message");
        exit(CLI_FAULT);
    }
    json_open(&s->json, NULL, '{');
    json_int(&s->json, "seq", ++s->seq);
    json_string(&s->json, "type", type);
}

static void end_message(dap *s)
{
    json_close(&s->json, '}');
    fclose(s->json.out);
    printf("Content-Length: %zu\r\n\r\n", s->message_size);
    fwrite(s->message, 1, s->message_size, stdout);
    fflush(stdout);
    free(s->message);
    s->message = NULL;
}

static void begin_response(dap *s, bool success)
{
    int64_t seq = 0;
    (void)json_whole(json_get(s->request, "seq"), &seq);
    begin_message(s, "response");
    json_int(&s->json, "request_seq", seq);
    json_bool(&s->json, "success", success);
    json_string(&s->json, "command", json_text(json_get(s->request, "command")));
}

void dap_begin_response(dap *s)
{
    begin_response(s, true);
    json_open(&s->json, "body", '{');
}

void dap_end_response(dap *s)
{
    json_close(&s->json, '}');
    end_message(s);
}

void dap_done(dap *s)
{
    begin_response(s, true);
    end_message(s);
}

void dap_fail(dap *s, const char *why)
{
    begin_response(s, false);
    json_string(&s->json, "message", why);
    end_message(s);
}

void dap_begin_event(dap *s, const char *event)
{
    begin_message(s, "event");
    json_string(&s->json, "event", event);
    json_open(&s->json, "body", '{');
}

void dap_end_event(dap *s)
{
    dap_end_response(s);
}

void dap_output(dap *s, const char *category, const char *text)
{
    dap_begin_event(s, "output");
    json_string(&s->json, "category", category);
    json_string(&s->json, "output", text);
    dap_end_event(s);
}

/* ---- Stops ---- */

static const char *stop_reason(const debugger *d)
{
    static const char *const names[] = {
        [DEBUG_BEGINS] = "entry",           [DEBUG_STEPPED] = "step",    [DEBUG_BREAKPOINT] = "breakpoint",
        [DEBUG_ACCESS] = "data breakpoint", [DEBUG_PAUSED] = "pause",    [DEBUG_WAVE_ENDED] = "step",
        [DEBUG_FAULT] = "exception",        [DEBUG_STUCK] = "exception", [DEBUG_ENDED] = "pause",
    };
    return names[d->stop.reason];
}

static void tell_printed(dap *s)
{
    if (s->d->printed.size)
        dap_output(s, "stdout", s->d->printed.at);
    debug_text_clear(&s->d->printed);
}

static void tell_end(dap *s)
{
    dap_begin_event(s, "exited");
    json_int(&s->json, "exitCode", 0);
    dap_end_event(s);
    dap_begin_event(s, "terminated");
    dap_end_event(s);
}

void dap_stopped(dap *s)
{
    debugger *d = s->d;
    debug_text text = { NULL, 0, 0 };
    s->handle_count = 0;
    tell_printed(s);
    debug_reason_text(d, &text);
    if (d->stop.reason == DEBUG_ENDED) {
        dap_output(s, "console", "all have ended\n");
        tell_end(s);
        debug_text_free(&text);
        return;
    }
    dap_begin_event(s, "stopped");
    json_string(&s->json, "reason", stop_reason(d));
    if (text.size) {
        json_string(&s->json, "description", text.at);
        json_string(&s->json, "text", text.at);
    }
    if (d->chosen)
        json_int(&s->json, "threadId", dap_thread_number(s, &d->wave));
    json_bool(&s->json, "allThreadsStopped", true);
    if (d->stop.number) {
        json_open(&s->json, "hitBreakpointIds", '[');
        json_uint(&s->json, NULL, d->stop.number);
        json_close(&s->json, ']');
    }
    dap_end_event(s);
    debug_text_free(&text);
}

/* ---- Requests about the session ---- */

static void initialize(dap *s)
{
    static const char *const can[] = {
        "supportsConfigurationDoneRequest",
        "supportsFunctionBreakpoints",
        "supportsInstructionBreakpoints",
        "supportsDataBreakpoints",
        "supportsStepBack",
        "supportsSteppingGranularity",
        "supportsReadMemoryRequest",
        "supportsDisassembleRequest",
        "supportsRestartRequest",
        "supportsTerminateRequest",
        "supportsEvaluateForHovers",
    };
    dap_begin_response(s);
    for (size_t i = 0; i < CLI_COUNT(can); i++)
        json_bool(&s->json, can[i], true);
    dap_end_response(s);
}

static void launch(dap *s)
{
    const json_node *stop = json_get(s->arguments, "stopOnEntry");
    s->stop_on_entry = !stop || json_is_true(stop);
    dap_done(s);
    dap_begin_event(s, "initialized");
    dap_end_event(s);
}

static void configured(dap *s)
{
    dap_done(s);
    s->started = true;
    if (s->stop_on_entry)
        dap_stopped(s);
    else
        s->running = true;
}

static void leave(dap *s)
{
    dap_done(s);
    s->leaving = true;
}

static void terminate(dap *s)
{
    dap_done(s);
    dap_begin_event(s, "terminated");
    dap_end_event(s);
}

static void restart(dap *s)
{
    dap_done(s);
    s->running = false;
    debug_goto(s->d, 0);
    dap_stopped(s);
}

static void accept(dap *s)
{
    dap_done(s);
}

static void go_on(dap *s)
{
    dap_begin_response(s);
    json_bool(&s->json, "allThreadsContinued", true);
    dap_end_response(s);
    s->running = true;
}

static void pause_now(dap *s)
{
    dap_done(s);
    if (!s->running)
        return;
    s->running = false;
    s->d->stop = (debug_stop){ .reason = DEBUG_PAUSED };
    dap_stopped(s);
}

/* Steps are lines, unless the editor wants instructions or there are none. */
static bool by_line(const dap *s)
{
    const char *granularity = json_text(json_get(s->arguments, "granularity"));
    const debug_code *c = &s->d->code;
    return (c->has_lines || c->ptx) && !(granularity && strcmp(granularity, "instruction") == 0);
}

static void step(dap *s)
{
    if (!dap_thread(s, json_get(s->arguments, "threadId")))
        return;
    dap_done(s);
    s->running = false;
    if (by_line(s))
        debug_step_line(s->d);
    else
        debug_step(s->d, 1);
    dap_stopped(s);
}

static void step_out(dap *s)
{
    dap_fail(s, "there is no call stack: step, or set a breakpoint");
}

static void step_back(dap *s)
{
    if (!dap_thread(s, json_get(s->arguments, "threadId")))
        return;
    dap_done(s);
    s->running = false;
    if (by_line(s))
        debug_back_line(s->d);
    else
        debug_back(s->d, 1);
    dap_stopped(s);
}

/* It ends by itself: requests that arrive meanwhile wait. */
static void reverse(dap *s)
{
    dap_done(s);
    s->running = false;
    bool (*const interrupted)(void *) = s->d->interrupted;
    s->d->interrupted = NULL;
    debug_reverse(s->d);
    s->d->interrupted = interrupted;
    dap_stopped(s);
}

static const struct {
    const char *command;
    void (*handle)(dap *s);
} requests[] = {
    { "initialize", initialize },
    { "launch", launch },
    { "attach", launch },
    { "configurationDone", configured },
    { "disconnect", leave },
    { "terminate", terminate },
    { "restart", restart },
    { "setExceptionBreakpoints", accept },
    { "setBreakpoints", dap_set_breakpoints },
    { "setFunctionBreakpoints", dap_set_functions },
    { "setInstructionBreakpoints", dap_set_instructions },
    { "dataBreakpointInfo", dap_data_info },
    { "setDataBreakpoints", dap_set_data },
    { "threads", dap_threads },
    { "stackTrace", dap_stack },
    { "scopes", dap_scopes },
    { "variables", dap_variables },
    { "evaluate", dap_evaluate },
    { "continue", go_on },
    { "pause", pause_now },
    { "next", step },
    { "stepIn", step },
    { "stepOut", step_out },
    { "stepBack", step_back },
    { "reverseContinue", reverse },
    { "disassemble", dap_disassemble },
    { "readMemory", dap_read_memory },
};

static void handle(dap *s, const char *command)
{
    for (size_t i = 0; i < CLI_COUNT(requests); i++)
        if (strcmp(requests[i].command, command) == 0) {
            requests[i].handle(s);
            return;
        }
    dap_fail(s, "this request is not supported");
}

/* ---- Reading ---- */

static void handle_body(dap *s, const char *bytes, size_t size)
{
    json_document document;
    if (!json_read(bytes, size, &document)) {
        debug_text text = { NULL, 0, 0 };
        debug_say(&text, "a message that is not JSON: %s, at byte %zu\n", document.why, document.at);
        dap_output(s, "important", text.at);
        debug_text_free(&text);
        json_free(&document);
        return;
    }
    const json_node *type = json_get(document.nodes, "type");
    const char *command = json_text(json_get(document.nodes, "command"));
    int64_t seq;
    const bool request = json_text(type) && strcmp(json_text(type), "request") == 0;
    s->request = document.nodes;
    s->arguments = json_get(document.nodes, "arguments");
    if (request && command && json_whole(json_get(document.nodes, "seq"), &seq))
        handle(s, command);
    else
        dap_output(s, "important", "a message that is not a request with seq and command\n");
    json_free(&document);
}

/* Reads what is there; waits for it if asked to. False: there is nothing more. */
static bool read_more(dap *s, bool wait)
{
    struct pollfd in = { .fd = STDIN_FILENO, .events = POLLIN };
    if (s->input_over || (!wait && poll(&in, 1, 0) <= 0))
        return false;
    if (s->input_room - s->input_size < 4096) {
        s->input_room = 2 * s->input_room + 8192;
        s->input = cli_grow(s->input, s->input_room);
    }
    ssize_t got;
    do
        got = read(STDIN_FILENO, s->input + s->input_size, 4096);
    while (got < 0 && errno == EINTR);
    s->input_over = got <= 0;
    s->input_size += got > 0 ? (size_t)got : 0;
    return got > 0;
}

/* Does a request wait, or will none come any more? */
static bool interrupted(void *context)
{
    dap *s = context;
    size_t at, size;
    const char *why;
    while (read_more(s, false) && s->input_size < FRAME_HEADER + FRAME_BODY)
        continue;
    return s->input_over || frame_find(s->input, s->input_size, &at, &size, &why) != FRAME_MORE;
}

/* One request. False: there is none. */
static bool serve_one(dap *s)
{
    size_t at = 0, size = 0;
    const char *why = "";
    frame_state state;
    while ((state = frame_find(s->input, s->input_size, &at, &size, &why)) == FRAME_MORE)
        if (!read_more(s, true))
            break;
    if (state == FRAME_BAD)
        s->exit = cli_fail(s->d->job->call, CLI_USAGE, "--dap: %s", why);
    else if (state == FRAME_MORE && s->input_size)
        s->exit = cli_fail(s->d->job->call, CLI_USAGE, "--dap: the input ends inside a message");
    if (state != FRAME_WHOLE)
        return false;
    char *body = cli_copy(s->input + at, size);
    s->input_size -= at + size;
    memmove(s->input, s->input + at + size, s->input_size);
    handle_body(s, body, size);
    free(body);
    return true;
}

/* Continues, and pauses only to look at requests. */
static void run(dap *s)
{
    debug_continue(s->d);
    if (s->d->stop.reason == DEBUG_PAUSED)
        return;
    s->running = false;
    dap_stopped(s);
}

static void close_session(dap *s)
{
    free(s->input);
    free(s->threads);
    free(s->handles);
    for (size_t i = 0; i < s->source_count; i++)
        free(s->sources[i]);
    free(s->sources);
}

int debug_serve(debugger *d)
{
    dap s = { .d = d, .exit = CLI_FINE, .stop_on_entry = true };
    d->interrupted = interrupted;
    d->interrupt_context = &s;
    while (!s.leaving) {
        if (s.running)
            run(&s);
        else if (!serve_one(&s))
            break;
        while (s.running && !s.leaving && interrupted(&s))
            if (!serve_one(&s))
                s.leaving = true;
    }
    close_session(&s);
    return s.exit;
}

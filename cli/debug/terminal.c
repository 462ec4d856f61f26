/* SPDX-License-Identifier: MIT */
/* The debugger on a terminal, or with a script. */
#include "cli/debug/terminal.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/debug/command.h"
#include "cli/json.h"

enum { LINE = 8192 };

static volatile sig_atomic_t signalled;

static void note(int number)
{
    (void)number;
    signalled = 1;
}

static bool interrupted(void *context)
{
    (void)context;
    return signalled != 0;
}

static const char prompt[] = "(lanewise) ";

typedef struct session {
    debugger *d;
    bool terminal, json;
    cli_json writer;
    bool failed; /* a command of a script */
} session;

static void write_stop(session *s)
{
    const debugger *d = s->d;
    cli_json *j = &s->writer;
    lw_wave_stand stand;
    json_open(j, "stop", '{');
    json_string(j, "reason", debug_reason_name(d->stop.reason));
    json_uint(j, "position", d->position);
    if (d->stop.number)
        json_uint(j, "breakpoint", d->stop.number);
    if (d->stop.text[0])
        json_string(j, "text", d->stop.text);
    if (d->chosen && debug_stand(d, &d->wave, &stand)) {
        json_open(j, "workgroup", '[');
        for (int i = 0; i < 3; i++)
            json_uint(j, NULL, d->wave.workgroup[i]);
        json_close(j, ']');
        json_uint(j, "wave", d->wave.wave);
        json_uint(j, "code_offset", stand.code_offset);
        json_string(j, "instruction", stand.instruction);
        const debug_place *p = debug_code_at(&d->code, stand.code_offset);
        uint32_t line = 0;
        const char *file = p ? debug_code_source(&d->code, p, &line) : NULL;
        if (file) {
            json_string(j, "file", file);
            json_uint(j, "line", line);
        }
    }
    json_close(j, '}');
}

static void show(session *s, const char *line, const debug_result *r)
{
    const char *text = debug_text_of(&r->text);
    if (s->json) {
        json_open(&s->writer, NULL, '{');
        json_string(&s->writer, "command", line);
        json_bool(&s->writer, "done", r->good);
        json_string(&s->writer, r->good ? "text" : "error", text);
        if (r->moved)
            write_stop(s);
        json_close(&s->writer, '}');
    } else if (r->good) {
        fputs(text, stdout);
    } else {
        cli_say(s->d->job->call, "%s: %s", line, text);
    }
    s->failed = s->failed || !r->good;
}

/* False after quit. */
static bool execute(session *s, char *line)
{
    line[strcspn(line, "\r\n")] = '\0';
    if (!s->terminal && !s->json)
        printf("%s%s\n", prompt, line);
    debug_result r = debug_execute(s->d, line);
    const bool goes_on = !r.quit;
    if (r.text.size || !r.good || r.moved)
        show(s, line, &r);
    debug_text_free(&r.text);
    return goes_on;
}

/* Drops a line that is too long, with a sentence. */
static bool is_whole(session *s, const char *line, FILE *in)
{
    if (strlen(line) + 1 < LINE || line[LINE - 2] == '\n')
        return true;
    for (int c = getc(in); c != EOF && c != '\n';)
        c = getc(in);
    cli_say(s->d->job->call, "a line of more than %d characters", LINE - 2);
    s->failed = true;
    return false;
}

static void begin(session *s)
{
    debug_text text = { NULL, 0, 0 };
    if (s->json) {
        json_open(&s->writer, NULL, '{');
        json_open(&s->writer, "commands", '[');
        return;
    }
    if (s->terminal)
        printf("%s on %s; 'help' lists the commands\n", s->d->job->kernel->name,
               lw_arch_get(lw_program_arch(s->d->job->program))->name);
    debug_report(s->d, &text);
    fputs(debug_text_of(&text), stdout);
    debug_text_free(&text);
}

/* 3 if the kernel has faulted or cannot go on where the session is left; 2 if a command of a script could not
 * be done. */
static int exit_of(const session *s)
{
    const debug_reason reason = s->d->stop.reason;
    if (reason == DEBUG_FAULT || reason == DEBUG_STUCK)
        return CLI_FAULT;
    return s->failed && !s->terminal ? CLI_USAGE : CLI_FINE;
}

int debug_terminal(debugger *d, FILE *in)
{
    session s = { .d = d,
                  .terminal = isatty(fileno(in)) != 0,
                  .json = d->job->call->wants_json,
                  .writer = { .out = stdout } };
    struct sigaction action = { .sa_handler = note }, before;
    char line[LINE];
    sigaction(SIGINT, &action, &before);
    d->interrupted = interrupted;
    begin(&s);
    for (bool goes_on = true; goes_on;) {
        if (s.terminal)
            fputs(prompt, stdout);
        fflush(stdout);
        signalled = 0;
        if (!fgets(line, sizeof(line), in)) {
            clearerr(in);
            if (signalled && s.terminal) { /* at the prompt: nothing to interrupt */
                putchar('\n');
                continue;
            }
            break;
        }
        goes_on = is_whole(&s, line, in) ? execute(&s, line) : true;
    }
    sigaction(SIGINT, &before, NULL);
    if (s.json) {
        json_close(&s.writer, ']');
        json_uint(&s.writer, "status", (uint64_t)exit_of(&s));
        json_close(&s.writer, '}');
    } else if (s.terminal) {
        putchar('\n');
    }
    return exit_of(&s);
}

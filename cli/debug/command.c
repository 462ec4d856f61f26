/* SPDX-License-Identifier: MIT */
/* A line of text becomes a call of the debugger. */
#include "cli/debug/command.h"

#include <inttypes.h>
#include <string.h>

#include "cli/debug/value.h"
#include "cli/parse.h"

typedef struct command {
    const char *name, *letter; /* "" where it has no short form */
    const char *words, *help;
    bool (*run)(debugger *d, const char *words, debug_result *r);
    bool looks; /* changes nothing */
} command;

/* ---- Moving ---- */

/* An optional number from 1 on; without one, 1. */
static bool read_count(const char *words, uint64_t *count, debug_text *out)
{
    *count = 1;
    if (!*words || (parse_u64(words, count) && *count))
        return true;
    debug_say(out, "'%s' is not a number from 1 on", words);
    return false;
}

static bool moved(debugger *d, debug_result *r)
{
    r->moved = true;
    debug_report(d, &r->text);
    return true;
}

static bool run_step(debugger *d, const char *words, debug_result *r)
{
    uint64_t count;
    if (!read_count(words, &count, &r->text))
        return false;
    debug_step(d, count);
    return moved(d, r);
}

static bool no_words(const char *words, debug_text *out)
{
    if (*words)
        debug_say(out, "takes no words, but '%s' is given", words);
    return !*words;
}

static bool run_next(debugger *d, const char *words, debug_result *r)
{
    if (!no_words(words, &r->text))
        return false;
    if (!d->code.has_lines && !d->code.ptx) {
        debug_say(&r->text, "the file has no source lines: it needs -g or -gline-tables-only");
        return false;
    }
    debug_step_line(d);
    return moved(d, r);
}

static bool run_continue(debugger *d, const char *words, debug_result *r)
{
    if (!no_words(words, &r->text))
        return false;
    debug_continue(d);
    return moved(d, r);
}

static bool run_back(debugger *d, const char *words, debug_result *r)
{
    uint64_t count;
    if (strcmp(words, "line") == 0) {
        debug_back_line(d);
        return moved(d, r);
    }
    if (!read_count(words, &count, &r->text))
        return false;
    debug_back(d, count);
    return moved(d, r);
}

static bool run_reverse(debugger *d, const char *words, debug_result *r)
{
    if (!no_words(words, &r->text))
        return false;
    debug_reverse(d);
    return moved(d, r);
}

static bool run_goto(debugger *d, const char *words, debug_result *r)
{
    uint64_t number;
    if (!parse_u64(words, &number)) {
        debug_say(&r->text, "needs a position, the number that stops show in [ ]");
        return false;
    }
    debug_goto(d, number);
    return moved(d, r);
}

/* ---- Breakpoints ---- */

static void list_point(const debugger *d, const debug_point *p, debug_text *out)
{
    debug_say(out, "  %u: %s %s", p->number, p->kind == DEBUG_AT_CODE ? "break" : "watch", p->what);
    for (size_t i = 0; i < p->offset_count && i < 4; i++) {
        const debug_place *place = debug_code_at(&d->code, p->offsets[i]);
        debug_say(out, "%s+0x%" PRIx64, i ? ", " : " at ", p->offsets[i]);
        if (place && p->offset_count == 1)
            debug_say(out, " %s", debug_code_text(&d->code, place));
    }
    if (p->offset_count > 4)
        debug_say(out, " and %zu more", p->offset_count - 4);
    if (p->kind == DEBUG_AT_MEMORY)
        debug_say(out, " at %s0x%" PRIx64 ", %" PRIu64 " bytes", p->space == LW_SPACE_LDS ? "LDS " : "",
                  p->address, p->size);
    debug_say(out, "\n");
}

static bool added(debugger *d, unsigned number, debug_result *r)
{
    if (number)
        list_point(d, debug_point_find(d, number), &r->text);
    return number != 0;
}

static bool run_break(debugger *d, const char *words, debug_result *r)
{
    return added(d, debug_break(d, words, &r->text), r);
}

static bool run_watch(debugger *d, const char *words, debug_result *r)
{
    return added(d, debug_watch(d, words, &r->text), r);
}

static bool run_breakpoints(debugger *d, const char *words, debug_result *r)
{
    if (!no_words(words, &r->text))
        return false;
    for (size_t i = 0; i < d->point_count; i++)
        list_point(d, &d->points[i], &r->text);
    if (!d->point_count)
        debug_say(&r->text, "  none\n");
    return true;
}

static bool run_delete(debugger *d, const char *words, debug_result *r)
{
    uint64_t number;
    if (!*words) {
        while (d->point_count)
            debug_delete(d, d->points[0].number);
        return true;
    }
    if (parse_u64(words, &number) && number <= d->last_number && debug_delete(d, (unsigned)number))
        return true;
    debug_say(&r->text, "there is no breakpoint %s", words);
    return false;
}

/* ---- Looking ---- */

static bool run_where(debugger *d, const char *words, debug_result *r)
{
    size_t index;
    lw_wave_stand s;
    if (!no_words(words, &r->text))
        return false;
    debug_say(&r->text, "[%" PRIu64 "] ", d->position);
    if (!d->chosen || !debug_find(d, &d->wave, &index) || !lw_session_wave_at(d->session, index, &s)) {
        debug_say(&r->text, "all %s have ended\n", d->amd ? "waves" : "warps");
        return true;
    }
    debug_describe(d, &d->wave, &r->text);
    debug_say(&r->text, "\n  %s, %" PRIu64 " instruction%s so far, active lanes 0x%0*" PRIx64 ", lane %u\n",
              s.text, s.executed, s.executed == 1 ? "" : "s", (int)d->lanes / 4,
              lw_session_wave_exec(d->session, index), d->lane);
    return true;
}

static bool run_waves(debugger *d, const char *words, debug_result *r)
{
    const size_t count = lw_session_wave_count(d->session);
    lw_wave_stand s;
    if (!no_words(words, &r->text))
        return false;
    for (size_t i = 0; i < count; i++) {
        if (!lw_session_wave_at(d->session, i, &s))
            continue;
        const debug_id id = { { s.workgroup[0], s.workgroup[1], s.workgroup[2] }, s.wave };
        debug_say(&r->text, "%c%c ", d->chosen && debug_same(&id, &d->wave) ? '*' : ' ',
                  !d->over && debug_same(&id, &d->next) ? '>' : ' ');
        if (s.doing == LW_DOING_ENDED)
            debug_say(&r->text, "%s %u,%u,%u %s %u: has ended", d->amd ? "workgroup" : "block",
                      s.workgroup[0], s.workgroup[1], s.workgroup[2], d->amd ? "wave" : "warp", s.wave);
        else
            debug_describe(d, &id, &r->text);
        debug_say(&r->text, "\n");
    }
    if (!count)
        debug_say(&r->text, "  none\n");
    return true;
}

static bool run_wave(debugger *d, const char *words, debug_result *r)
{
    const char *colon = strchr(words, ':');
    char dims[64];
    uint64_t number, group[3] = { 0 };
    size_t count = 0;
    debug_id id = d->wave;
    lw_wave_stand s;
    snprintf(dims, sizeof(dims), "%.*s", colon ? (int)(colon - words) : 0, words);
    if (!parse_u64(colon ? colon + 1 : words, &number) || number > 1023 ||
        (colon && !parse_numbers(dims, 0, 3, group, &count))) {
        debug_say(&r->text, "needs a number, or X,Y,Z:W for one of another %s",
                  d->amd ? "workgroup" : "block");
        return false;
    }
    for (int i = 0; colon && i < 3; i++)
        id.workgroup[i] = (uint32_t)group[i];
    id.wave = (uint32_t)number;
    if (!debug_stand(d, &id, &s) || s.doing == LW_DOING_ENDED) {
        debug_say(&r->text, "%s %u of %s %u,%u,%u does not exist now", d->amd ? "wave" : "warp", id.wave,
                  d->amd ? "workgroup" : "block", id.workgroup[0], id.workgroup[1], id.workgroup[2]);
        return false;
    }
    d->wave = id;
    d->chosen = true;
    return run_where(d, "", r);
}

static bool run_print(debugger *d, const char *words, debug_result *r)
{
    return debug_print(d, words, &r->text);
}

static bool run_matrix(debugger *d, const char *words, debug_result *r)
{
    return debug_matrix(d, words, &r->text);
}

static bool run_lds(debugger *d, const char *words, debug_result *r)
{
    return debug_lds(d, words, &r->text);
}

static bool run_memory(debugger *d, const char *words, debug_result *r)
{
    return debug_memory(d, words, &r->text);
}

static bool run_list(debugger *d, const char *words, debug_result *r)
{
    const debug_code *c = &d->code;
    uint64_t around = 5;
    lw_wave_stand s;
    if (*words && (!parse_u64(words, &around) || around > 100000)) {
        debug_say(&r->text, "'%s' is not a number of instructions", words);
        return false;
    }
    const bool there = d->chosen && debug_stand(d, &d->wave, &s);
    const debug_place *at = debug_code_at(c, there ? s.code_offset : 0);
    if (!at) {
        debug_say(&r->text, "the file does not say where the code is");
        return false;
    }
    const size_t index = (size_t)(at - c->at);
    const size_t from = index > around ? index - around : 0;
    for (size_t i = from; i < c->count && i <= index + around; i++) {
        char line[300];
        debug_code_line(c, &c->at[i], line, sizeof(line));
        debug_say(&r->text, "%c +0x%" PRIx64 " %s", there && i == index ? '>' : ' ', c->at[i].offset,
                  debug_code_text(c, &c->at[i]));
        if (line[0])
            debug_say(&r->text, "  (%s)", line);
        debug_say(&r->text, "\n");
    }
    return true;
}

static bool run_quit(debugger *d, const char *words, debug_result *r)
{
    (void)d;
    r->quit = no_words(words, &r->text);
    return r->quit;
}

static bool run_help(debugger *d, const char *words, debug_result *r)
{
    (void)d;
    if (!no_words(words, &r->text))
        return false;
    debug_help(&r->text);
    return true;
}

/* ---- The table ---- */

static const command commands[] = {
    { "step", "s", "[N]", "N instructions of the chosen wave; others run where it waits for them", run_step,
      false },
    { "next", "n", "", "to another source line", run_next, false },
    { "continue", "c", "", "to the next breakpoint, or the end", run_continue, false },
    { "back", "", "[N] | line", "N instructions of the chosen wave back, or a source line", run_back, false },
    { "reverse", "", "", "back to the breakpoint before, or to the beginning", run_reverse, false },
    { "goto", "", "N", "to position N, before or after this one: stops show it in [ ]", run_goto, false },
    { "break", "b", "PLACE [wave W] [lane L]",
      "at 0x1a8 (offset), 12 or FILE:12 (line), v_mfma_* (name), matrix, barrier;\nW is a number or X,Y,Z:W; "
      "a lane counts where it is active",
      run_break, false },
    { "watch", "", "PLACE [read|write] [wave W] [lane L]",
      "after an access to C, C[2,17], lds OFFSET [BYTES], ADDRESS [BYTES]", run_watch, false },
    { "breakpoints", "", "", "lists them", run_breakpoints, true },
    { "delete", "d", "[N]", "removes breakpoint N, or all", run_delete, false },
    { "where", "w", "", "the chosen wave: its next instruction, its active lanes", run_where, true },
    { "waves", "", "", "all waves under way (* chosen, > next to run), and what each waits for", run_waves,
      true },
    { "wave", "", "W | X,Y,Z:W", "chooses a wave", run_wave, false },
    { "print", "p", "REGISTER[:COUNT] [TYPE] [lane L]",
      "v4, v[4:7], a0, s8, vcc, exec, m0, scc, %r3; [ ] marks values of inactive lanes;\ntypes: x8 to x64, "
      "i4 to i64, u4 to u64, f16, bf16, f32, f64, fp8, bf8, fp8_fnuz,\nbf8_fnuz, fp6, bf6, fp4, e8m0; small "
      "ones fill a register from bit 0 on",
      run_print, true },
    { "matrix", "m", "[OPERAND] | INSTRUCTION OPERAND REGISTER...",
      "what the next matrix instruction sees, or what another one would see in these\nregisters", run_matrix,
      true },
    { "lds", "", "OFFSET [TYPE] [COLS | ROWSxCOLS]", "LDS or shared memory", run_lds, true },
    { "memory", "", "[NAME[I,J] | ADDRESS] [TYPE] [COLS | ROWSxCOLS]",
      "an array's elements; alone: lists the arrays", run_memory, true },
    { "list", "l", "[N]", "N instructions (5) before and after the next one", run_list, true },
    { "help", "h", "", "this list", run_help, true },
    { "quit", "q", "", "leaves", run_quit, false },
};

void debug_help(debug_text *out)
{
    for (size_t i = 0; i < CLI_COUNT(commands); i++) {
        const command *c = &commands[i];
        debug_say(out, "%s%s%s%s%s%s\n", c->name, *c->letter ? " (" : "", c->letter, *c->letter ? ")" : "",
                  *c->words ? " " : "", c->words);
        for (const char *line = c->help; line;) {
            const char *end = strchr(line, '\n');
            debug_say(out, "    %.*s\n", (int)(end ? end - line : (long)strlen(line)), line);
            line = end ? end + 1 : NULL;
        }
    }
}

static const char *name_of(size_t index, const void *context)
{
    (void)context;
    return commands[index].name;
}

/* By its letter, its name, or the beginning of only one name. */
static const command *find(const char *word, debug_text *why)
{
    const command *found = NULL;
    size_t fits = 0;
    for (size_t i = 0; i < CLI_COUNT(commands); i++) {
        if (strcmp(word, commands[i].name) == 0 || strcmp(word, commands[i].letter) == 0)
            return &commands[i];
        if (strncmp(word, commands[i].name, strlen(word)) == 0) {
            found = &commands[i];
            fits++;
        }
    }
    if (fits == 1)
        return found;
    const char *near = fits ? NULL : cli_nearest(word, name_of, CLI_COUNT(commands), NULL);
    if (fits)
        debug_say(why, "'%s' is the beginning of several commands", word);
    else if (near)
        debug_say(why, "no command '%s'; did you mean '%s'?", word, near);
    else
        debug_say(why, "no command '%s'; 'help' lists them", word);
    return NULL;
}

static debug_result execute(debugger *d, const char *line, bool only_look)
{
    char word[32], rest[4096];
    debug_result r = { .good = true };
    line += strspn(line, " \t\r\n");
    if (!*line || *line == '#')
        return r;
    const size_t length = strcspn(line, " \t\r\n");
    snprintf(word, sizeof(word), "%.*s", length < sizeof(word) ? (int)length : (int)sizeof(word), line);
    line += length;
    line += strspn(line, " \t");
    size_t size = strlen(line);
    while (size && strchr(" \t\r\n", line[size - 1]))
        size--;
    if (size >= sizeof(rest)) {
        r.good = false;
        debug_say(&r.text, "the line is longer than %zu characters", sizeof(rest) - 1);
        return r;
    }
    memcpy(rest, line, size);
    rest[size] = '\0';
    const command *c = find(word, &r.text);
    if (c && only_look && !c->looks)
        debug_say(&r.text, "'%s' belongs on the console", c->name);
    r.good = c && (c->looks || !only_look) && c->run(d, rest, &r);
    return r;
}

debug_result debug_execute(debugger *d, const char *line)
{
    return execute(d, line, false);
}

debug_result debug_look(debugger *d, const char *line)
{
    return execute(d, line, true);
}

/* SPDX-License-Identifier: MIT */
/* Threads (waves), stacks, scopes, and what the user types. */
#define _XOPEN_SOURCE 700 /* realpath */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/debug/dap.h"
#include "cli/debug/value.h"

int64_t dap_thread_number(dap *s, const debug_id *wave)
{
    for (size_t i = 0; i < s->thread_count; i++)
        if (debug_same(&s->threads[i], wave))
            return (int64_t)i + 1;
    s->threads = cli_grow(s->threads, (s->thread_count + 1) * sizeof(*s->threads));
    s->threads[s->thread_count++] = *wave;
    return (int64_t)s->thread_count;
}

bool dap_thread(dap *s, const json_node *id)
{
    int64_t number = 0;
    lw_wave_stand stand;
    if (!json_whole(id, &number) || number < 1 || (uint64_t)number > s->thread_count ||
        !debug_stand(s->d, &s->threads[number - 1], &stand) || stand.doing == LW_DOING_ENDED) {
        dap_fail(s, "this wave does not exist now");
        return false;
    }
    s->d->wave = s->threads[number - 1];
    s->d->chosen = true;
    return true;
}

void dap_threads(dap *s)
{
    debugger *d = s->d;
    lw_wave_stand stand;
    dap_begin_response(s);
    json_open(&s->json, "threads", '[');
    for (size_t i = 0; i < lw_session_wave_count(d->session); i++) {
        if (!lw_session_wave_at(d->session, i, &stand) || stand.doing == LW_DOING_ENDED)
            continue;
        const debug_id id = { { stand.workgroup[0], stand.workgroup[1], stand.workgroup[2] }, stand.wave };
        debug_text name = { NULL, 0, 0 };
        debug_say(&name, "%s %u,%u,%u %s %u", d->amd ? "workgroup" : "block", id.workgroup[0],
                  id.workgroup[1], id.workgroup[2], d->amd ? "wave" : "warp", id.wave);
        if (stand.doing != LW_DOING_RUNS)
            debug_say(&name, ", %s", stand.text);
        json_open(&s->json, NULL, '{');
        json_int(&s->json, "id", dap_thread_number(s, &id));
        json_string(&s->json, "name", name.at);
        json_close(&s->json, '}');
        debug_text_free(&name);
    }
    json_close(&s->json, ']');
    dap_end_response(s);
}

/* Where the file is: as the compiler wrote it, or of that name beside the program. NULL: neither. */
static char *find_source(const dap *s, const char *path)
{
    const char *program = s->d->job->path, *slash = strrchr(program, '/'), *name = strrchr(path, '/');
    char *found = realpath(path, NULL);
    if (found)
        return found;
    debug_text beside = { NULL, 0, 0 };
    debug_say(&beside, "%.*s%s", slash ? (int)(slash - program) + 1 : 0, program, name ? name + 1 : path);
    found = realpath(beside.at, NULL);
    debug_text_free(&beside);
    return found;
}

void dap_write_source(dap *s, const char *key, const char *path)
{
    const char *slash = strrchr(path, '/');
    char *found = find_source(s, path);
    json_open(&s->json, key, '{');
    json_string(&s->json, "name", slash ? slash + 1 : path);
    json_string(&s->json, "path", found ? found : path);
    json_close(&s->json, '}');
    free(found);
}

static void write_place(dap *s, const debug_place *p)
{
    uint32_t line = 0;
    const char *path = p ? debug_code_source(&s->d->code, p, &line) : NULL;
    if (path)
        dap_write_source(s, "source", path);
    json_uint(&s->json, "line", line);
    json_uint(&s->json, "column", path ? 1 : 0);
}

void dap_stack(dap *s)
{
    debugger *d = s->d;
    lw_wave_stand stand;
    if (!dap_thread(s, json_get(s->arguments, "threadId")) || !debug_stand(d, &d->wave, &stand))
        return;
    const debug_place *p = debug_code_at(&d->code, stand.code_offset);
    debug_text name = { NULL, 0, 0 };
    debug_say(&name, "%s +0x%" PRIx64 " %s", d->job->kernel->name, stand.code_offset,
              p ? debug_code_text(&d->code, p) : stand.instruction);
    dap_begin_response(s);
    json_open(&s->json, "stackFrames", '[');
    json_open(&s->json, NULL, '{');
    json_int(&s->json, "id", dap_thread_number(s, &d->wave));
    json_string(&s->json, "name", name.at);
    write_place(s, p);
    json_hex(&s->json, "instructionPointerReference", stand.code_offset, 1);
    json_close(&s->json, '}');
    json_close(&s->json, ']');
    json_int(&s->json, "totalFrames", 1);
    dap_end_response(s);
    debug_text_free(&name);
}

static void write_scope(dap *s, const char *name, dap_what what, unsigned part, bool expensive)
{
    s->handles = cli_grow(s->handles, (s->handle_count + 1) * sizeof(*s->handles));
    s->handles[s->handle_count++] = (dap_handle){ .what = what, .wave = s->d->wave, .part = part };
    json_open(&s->json, NULL, '{');
    json_string(&s->json, "name", name);
    if (what <= DAP_VECTORS)
        json_string(&s->json, "presentationHint", "registers");
    json_uint(&s->json, "variablesReference", s->handle_count);
    json_bool(&s->json, "expensive", expensive);
    json_close(&s->json, '}');
}

void dap_scopes(dap *s)
{
    debugger *d = s->d;
    size_t wave;
    debug_tile tile;
    /* a frame has the number of its thread */
    if (!dap_thread(s, json_get(s->arguments, "frameId")) || !debug_find(d, &d->wave, &wave))
        return;
    dap_begin_response(s);
    json_open(&s->json, "scopes", '[');
    if (debug_tile_here(d, wave, LW_OPERAND_A, 0, &tile, NULL)) {
        debug_tile_free(&tile);
        write_scope(s, "Matrices", DAP_MATRICES, 0, false);
    }
    if (d->amd) {
        write_scope(s, "Wave", DAP_NAMED, 0, false);
        write_scope(s, "Scalar registers", DAP_SCALARS, 0, false);
    }
    write_scope(s, d->amd ? "Vector registers" : "Registers", DAP_VECTORS, 0, false);
    if (d->amd && lw_session_register_count(d->session, wave, LW_FILE_AGPR))
        write_scope(s, "Accumulation registers", DAP_VECTORS, 1, false);
    write_scope(s, "Arrays", DAP_ARRAYS, 0, false);
    uint32_t size = 0;
    if (lw_session_lds(d->session, wave, &size) && size)
        write_scope(s, d->amd ? "LDS" : "Shared memory", DAP_LDS, 0, true);
    json_close(&s->json, ']');
    dap_end_response(s);
}

/* ---- What the user types ---- */

static void answer(dap *s, bool good, const char *text)
{
    if (!good) {
        dap_fail(s, text);
        return;
    }
    dap_begin_response(s);
    json_string(&s->json, "result", text);
    json_int(&s->json, "variablesReference", 0);
    dap_end_response(s);
}

/* A register, an array's element, or a command that looks: what hovering and watching show. */
static void show_value(dap *s, const char *words)
{
    debug_text text = { NULL, 0, 0 };
    bool good = debug_print(s->d, words, &text);
    if (!good) {
        debug_text_clear(&text);
        good = debug_memory(s->d, words, &text);
    }
    if (!good) {
        debug_text_free(&text);
        const debug_result r = debug_look(s->d, words);
        good = r.good;
        text = r.text;
    }
    answer(s, good, debug_text_of(&text));
    debug_text_free(&text);
}

void dap_evaluate(dap *s)
{
    const char *words = json_text(json_get(s->arguments, "expression"));
    const char *context = json_text(json_get(s->arguments, "context"));
    const json_node *frame = json_get(s->arguments, "frameId");
    if (!words) {
        dap_fail(s, "there is no expression");
        return;
    }
    if (frame && !dap_thread(s, frame))
        return;
    if (context && strcmp(context, "repl") != 0) {
        show_value(s, words);
        return;
    }
    debug_result r = debug_execute(s->d, words);
    answer(s, r.good, debug_text_of(&r.text));
    if (r.moved)
        dap_stopped(s);
    if (r.quit) {
        dap_begin_event(s, "terminated");
        dap_end_event(s);
    }
    debug_text_free(&r.text);
}

/* SPDX-License-Identifier: MIT */
/* Registers, matrices and memory as the protocol's trees of variables. */
#include <inttypes.h>
#include <string.h>

#include "cli/debug/dap.h"
#include "cli/debug/value.h"

enum { MOST = 4096 /* variables in one answer */ };

/* The part of the list that the editor wants. */
typedef struct window {
    dap *s;
    size_t wave;
    uint64_t start, count;
} window;

static bool wants(const window *w, uint64_t index)
{
    return index >= w->start && index - w->start < w->count;
}

static void write_variable(dap *s, const char *name, const char *value, uint64_t reference, uint64_t members)
{
    json_open(&s->json, NULL, '{');
    json_string(&s->json, "name", name);
    json_string(&s->json, "value", value);
    json_uint(&s->json, "variablesReference", reference);
    if (members)
        json_uint(&s->json, "indexedVariables", members);
    json_close(&s->json, '}');
}

static uint64_t refer(dap *s, dap_what what, const debug_id *wave, unsigned part, uint64_t first)
{
    s->handles = cli_grow(s->handles, (s->handle_count + 1) * sizeof(*s->handles));
    s->handles[s->handle_count++] = (dap_handle){ .what = what, .wave = *wave, .part = part, .first = first };
    return s->handle_count;
}

/* ---- Registers ---- */

static void named_variables(window *w)
{
    static const char *const names[] = { "exec", "vcc", "m0", "scc", "mode" };
    const dap *s = w->s;
    for (uint64_t i = 0; i < CLI_COUNT(names); i++) {
        debug_text out = { NULL, 0, 0 };
        if (wants(w, i) && debug_print(s->d, names[i], &out)) {
            const char *colon = strchr(out.at, ':');
            out.at[out.size - 1] = '\0'; /* the line's end */
            write_variable(w->s, names[i], colon ? colon + 2 : out.at, 0, 0);
        }
        debug_text_free(&out);
    }
}

static void scalar_variables(window *w)
{
    lw_session *session = w->s->d->session;
    const unsigned count = lw_session_register_count(session, w->wave, LW_FILE_SGPR);
    for (unsigned i = 0; i < count; i++) {
        char name[16], value[24];
        if (!wants(w, i))
            continue;
        snprintf(name, sizeof(name), "s%u", i);
        snprintf(value, sizeof(value), "0x%08x", lw_session_value(session, w->wave, LW_FILE_SGPR, i, 0));
        write_variable(w->s, name, value, 0, 0);
    }
}

static void vector_variables(window *w, const dap_handle *h)
{
    debugger *d = w->s->d;
    const lw_reg_file file = h->part ? LW_FILE_AGPR : LW_FILE_VGPR;
    const unsigned count = lw_session_register_count(d->session, w->wave, file);
    const lw_event *event = lw_session_wave_event(d->session, w->wave);
    const debug_id wave = h->wave;
    const unsigned part = h->part;
    uint64_t shown = 0;
    for (unsigned i = 0; i < count; i++) {
        char name[128] = "", value[64];
        if (event)
            lw_event_register_name(event, file, i, name, sizeof(name));
        else
            snprintf(name, sizeof(name), "%s%u", part ? "a" : d->amd ? "v" : "row", i);
        if (!d->amd && strncmp(name, "row", 3) == 0)
            continue; /* of another function */
        if (!wants(w, shown++))
            continue;
        snprintf(value, sizeof(value), "lane %u: 0x%08x", d->lane,
                 lw_session_value(d->session, w->wave, file, i, d->lane));
        write_variable(w->s, name, value, refer(w->s, DAP_REGISTER, &wave, part, i), d->lanes);
    }
}

static void lane_variables(window *w, const dap_handle *h)
{
    debugger *d = w->s->d;
    const lw_reg_file file = h->part ? LW_FILE_AGPR : LW_FILE_VGPR;
    const uint64_t exec = lw_session_wave_exec(d->session, w->wave);
    for (unsigned lane = 0; lane < d->lanes; lane++) {
        char name[16], value[256], number[DEBUG_VALUE], half[2][DEBUG_VALUE];
        const uint32_t code = lw_session_value(d->session, w->wave, file, (unsigned)h->first, lane);
        if (!wants(w, lane))
            continue;
        debug_value(debug_type_find("f32"), code, number);
        debug_value(debug_type_find("f16"), code & 0xffff, half[0]);
        debug_value(debug_type_find("f16"), code >> 16, half[1]);
        snprintf(name, sizeof(name), "lane %u", lane);
        snprintf(value, sizeof(value), "0x%08x, i32 %d, f32 %s, f16 %s %s%s", code, (int32_t)code, number,
                 half[0], half[1], exec >> lane & 1 ? "" : ", inactive");
        write_variable(w->s, name, value, 0, 0);
    }
}

/* ---- Matrices ---- */

static void matrix_variables(window *w, const dap_handle *h)
{
    const debug_id wave = h->wave;
    uint64_t shown = 0;
    for (unsigned op = 0; op < LW_OPERAND_COUNT; op++) {
        debug_tile t;
        char value[96];
        if (op == LW_OPERAND_D || !debug_tile_here(w->s->d, w->wave, (lw_operand)op, 0, &t, NULL))
            continue;
        snprintf(value, sizeof(value), "%s, %u x %u", t.info.format, t.info.x_count, t.info.y_count);
        const unsigned rows = t.info.x_count * t.info.blocks;
        if (wants(w, shown++))
            write_variable(w->s, lw_operand_name((lw_operand)op), value, refer(w->s, DAP_TILE, &wave, op, 0),
                           rows);
        debug_tile_free(&t);
    }
}

/* The rows of a tile, or the elements of one row. */
static void tile_variables(window *w, const dap_handle *h)
{
    debug_tile t;
    const dap_handle at = *h;
    if (!debug_tile_here(w->s->d, w->wave, (lw_operand)at.part, 0, &t, NULL))
        return;
    const unsigned rows = t.info.x_count * t.info.blocks, cols = t.info.y_count;
    const unsigned count = at.what == DAP_TILE ? rows : cols;
    for (unsigned i = 0; i < count; i++) {
        char name[64], text[DEBUG_VALUE];
        debug_text value = { NULL, 0, 0 };
        const size_t row = at.what == DAP_TILE ? i : (size_t)at.first;
        if (!wants(w, i) || row >= rows)
            continue;
        for (unsigned k = at.what == DAP_TILE ? 0 : i; k < (at.what == DAP_TILE ? cols : i + 1); k++) {
            debug_tile_value(&t, row * cols + k, text);
            debug_say(&value, "%s%s", value.size ? " " : "", text);
        }
        snprintf(name, sizeof(name), "%s %u", at.what == DAP_TILE ? t.info.x_name : t.info.y_name, i);
        write_variable(w->s, name, value.at,
                       at.what == DAP_TILE ? refer(w->s, DAP_TILE_ROW, &at.wave, at.part, i) : 0,
                       at.what == DAP_TILE ? cols : 0);
        debug_text_free(&value);
    }
    debug_tile_free(&t);
}

/* ---- Memory ---- */

static void write_array(dap *s, size_t arg, uint64_t reference)
{
    const debugger *d = s->d;
    const run_arg *a = &d->job->args[arg];
    char title[160];
    debug_text shape = { NULL, 0, 0 };
    run_arg_title(d->job, arg, title, sizeof(title));
    debug_say(&shape, "%s", debug_type_of(a)->name);
    for (unsigned k = 0; k < a->array.dims; k++)
        debug_say(&shape, "%s%" PRIu64 "%s", k ? "," : "[", a->array.shape[k],
                  k + 1 == a->array.dims ? "]" : "");
    json_open(&s->json, NULL, '{');
    json_string(&s->json, "name",
                run_arg_name(d->job->infos[arg])[0] ? run_arg_name(d->job->infos[arg]) : title);
    json_string(&s->json, "value", shape.at);
    json_uint(&s->json, "variablesReference", reference);
    json_uint(&s->json, "indexedVariables", a->array.count);
    json_hex(&s->json, "memoryReference", d->job->addresses[arg], 1);
    json_close(&s->json, '}');
    debug_text_free(&shape);
}

static void array_list(window *w, const dap_handle *h)
{
    const debugger *d = w->s->d;
    const debug_id wave = h->wave;
    for (size_t i = 0; i < d->job->arg_count; i++)
        if (wants(w, i) && arg_array_bytes(&d->job->args[i]))
            write_array(w->s, i, refer(w->s, DAP_ARRAY, &wave, (unsigned)i, 0));
}

static void array_variables(window *w, const dap_handle *h)
{
    const debugger *d = w->s->d;
    const run_arg *a = &d->job->args[h->part];
    const debug_type *type = debug_type_of(a);
    const uint64_t size = lw_dtype_size(a->array.dtype);
    for (uint64_t i = w->start; i < a->array.count && i - w->start < w->count; i++) {
        char value[DEBUG_VALUE], name[160];
        uint64_t code = 0, rest = i, used = sizeof(name) - 1;
        if (lw_memory_read(d->job->memory, d->job->addresses[h->part] + i * size, &code, size) != LW_OK)
            break;
        name[used] = '\0';
        for (unsigned k = a->array.dims; k-- > 0;) { /* "[2,17]", from its end */
            char digits[24];
            const int length = snprintf(digits, sizeof(digits), "%s%" PRIu64 "%s", k ? "," : "[",
                                        rest % a->array.shape[k], k + 1 == a->array.dims ? "]" : "");
            rest /= a->array.shape[k];
            if ((uint64_t)length > used)
                break;
            used -= (uint64_t)length;
            memcpy(name + used, digits, (size_t)length);
        }
        debug_value(type, code, value);
        write_variable(w->s, name + used, value, 0, 0);
    }
}

static void lds_variables(window *w)
{
    uint32_t size = 0;
    const uint8_t *bytes = lw_session_lds(w->s->d->session, w->wave, &size);
    for (uint64_t i = w->start; bytes && 4 * i + 4 <= size && i - w->start < w->count; i++) {
        char name[24], value[24];
        snprintf(name, sizeof(name), "0x%" PRIx64, 4 * i);
        snprintf(value, sizeof(value), "0x%08" PRIx64, debug_bits(bytes, 32 * i, 32));
        write_variable(w->s, name, value, 0, 0);
    }
}

static void write_all(window *w, const dap_handle *h)
{
    switch (h->what) {
    case DAP_NAMED:
        named_variables(w);
        break;
    case DAP_SCALARS:
        scalar_variables(w);
        break;
    case DAP_VECTORS:
        vector_variables(w, h);
        break;
    case DAP_REGISTER:
        lane_variables(w, h);
        break;
    case DAP_MATRICES:
        matrix_variables(w, h);
        break;
    case DAP_TILE:
    case DAP_TILE_ROW:
        tile_variables(w, h);
        break;
    case DAP_ARRAYS:
        array_list(w, h);
        break;
    case DAP_ARRAY:
        array_variables(w, h);
        break;
    case DAP_LDS:
        lds_variables(w);
        break;
    }
}

void dap_variables(dap *s)
{
    int64_t reference = 0, start = 0, count = 0;
    window w = { .s = s };
    (void)json_whole(json_get(s->arguments, "variablesReference"), &reference);
    (void)json_whole(json_get(s->arguments, "start"), &start);
    (void)json_whole(json_get(s->arguments, "count"), &count);
    if (reference < 1 || (uint64_t)reference > s->handle_count) {
        dap_fail(s, "these variables are those of an earlier stop");
        return;
    }
    const dap_handle h = s->handles[reference - 1];
    if (!debug_find(s->d, &h.wave, &w.wave)) {
        dap_fail(s, "this wave does not exist now");
        return;
    }
    s->d->wave = h.wave;
    w.start = start > 0 ? (uint64_t)start : 0;
    w.count = count > 0 && count < MOST ? (uint64_t)count : MOST;
    dap_begin_response(s);
    json_open(&s->json, "variables", '[');
    write_all(&w, &h);
    json_close(&s->json, ']');
    dap_end_response(s);
}

/* SPDX-License-Identifier: MIT */
/* Breakpoints: places of the code and accesses to memory. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/debug/debug.h"
#include "cli/parse.h"

enum { WORD = 256 };

/* ---- Words ---- */

/* The next word, of at most WORD - 1 characters; NULL after the last one or for one that is longer. */
static const char *next_word(const char **at, char word[WORD])
{
    *at += strspn(*at, " \t");
    const size_t length = strcspn(*at, " \t");
    if (!length || length >= WORD)
        return NULL;
    memcpy(word, *at, length);
    word[length] = '\0';
    *at += length;
    return word;
}

/* "3" or "X,Y,Z:3" */
static bool read_wave(const char *word, debug_point *p)
{
    const char *colon = strchr(word, ':');
    uint64_t number, group[3] = { 0 };
    size_t count = 0;
    char dims[64];
    if (!parse_u64(colon ? colon + 1 : word, &number) || number > 1023)
        return false;
    p->wave = (int)number;
    p->any_group = !colon;
    if (!colon)
        return true;
    snprintf(dims, sizeof(dims), "%.*s", (int)(colon - word), word);
    if ((size_t)(colon - word) >= sizeof(dims) || !parse_numbers(dims, 0, 3, group, &count))
        return false;
    for (int i = 0; i < 3; i++)
        p->workgroup[i] = (uint32_t)group[i];
    return true;
}

/* "wave W", "lane L", "read", "write" after the place. */
static bool read_filters(debugger *d, const char *at, debug_point *p, debug_text *why)
{
    char word[WORD], value[WORD];
    while (next_word(&at, word)) {
        uint64_t number;
        const bool memory = p->kind == DEBUG_AT_MEMORY;
        if (memory && strcmp(word, "read") == 0) {
            p->stores = false;
        } else if (memory && strcmp(word, "write") == 0) {
            p->loads = false;
        } else if (strcmp(word, "wave") == 0) {
            if (!next_word(&at, value) || !read_wave(value, p)) {
                debug_say(why, "wave needs a number, or X,Y,Z:W for a wave of one workgroup");
                return false;
            }
        } else if (strcmp(word, "lane") == 0) {
            if (!next_word(&at, value) || !parse_u64(value, &number) || number >= d->lanes) {
                debug_say(why, "lane needs a number below %u", d->lanes);
                return false;
            }
            p->lane = (int)number;
        } else {
            debug_say(why, "'%s' is not understood here: %swave W, lane L", word,
                      memory ? "read, write, " : "");
            return false;
        }
    }
    return true;
}

enum { MOST_POINTS = 1024 };

static bool has_room(const debugger *d, debug_text *why)
{
    if (d->point_count >= MOST_POINTS)
        debug_say(why, "there are %d breakpoints, and no more are kept", MOST_POINTS);
    return d->point_count < MOST_POINTS;
}

static unsigned add_point(debugger *d, debug_point *p, const char *words)
{
    d->points = cli_grow(d->points, (d->point_count + 1) * sizeof(*d->points));
    p->number = ++d->last_number;
    p->what = cli_copy(words, strlen(words));
    d->points[d->point_count++] = *p;
    return p->number;
}

/* ---- Places ---- */

static void take(debug_point *p, uint64_t offset)
{
    p->offsets = cli_grow(p->offsets, (p->offset_count + 1) * sizeof(*p->offsets));
    p->offsets[p->offset_count++] = offset;
}

/* A name with * for any characters at its end. */
static bool fits(const char *pattern, const char *name, size_t length)
{
    const size_t size = strlen(pattern);
    if (size && pattern[size - 1] == '*')
        return length >= size - 1 && memcmp(pattern, name, size - 1) == 0;
    return length == size && memcmp(pattern, name, size) == 0;
}

static bool is_matrix(const debugger *d, const char *name, size_t length)
{
    char text[WORD];
    const lw_insn *insn;
    lw_mods mods;
    lw_insn_info info;
    const lw_arch arch = lw_program_arch(d->job->program);
    snprintf(text, sizeof(text), "%.*s", (int)length, name);
    if (!d->amd && (strncmp(text, "wgmma.mma_async", 15) == 0 || strncmp(text, "mma.", 4) == 0))
        return true;
    const lw_status status =
        d->amd ? lw_insn_find(arch, text, &insn, NULL) : lw_insn_parse(arch, text, &insn, &mods, NULL);
    return status == LW_OK && lw_insn_get_info(arch, insn, &info) == LW_OK && !info.moves;
}

static bool is_barrier(const debugger *d, const char *name, size_t length)
{
    static const char *const amd[] = { "s_barrier*" }, *const ptx[] = { "bar.*", "barrier.*", "mbarrier.*" };
    const char *const *names = d->amd ? amd : ptx;
    for (size_t i = 0; i < (d->amd ? CLI_COUNT(amd) : CLI_COUNT(ptx)); i++)
        if (fits(names[i], name, length))
            return true;
    return false;
}

static void take_named(debugger *d, const char *word, debug_point *p)
{
    const debug_code *c = &d->code;
    for (size_t i = 0; i < c->count; i++) {
        size_t length;
        const char *name = debug_code_mnemonic(debug_code_text(c, &c->at[i]), &length);
        if (strcmp(word, "matrix") == 0    ? is_matrix(d, name, length)
            : strcmp(word, "barrier") == 0 ? is_barrier(d, name, length)
                                           : fits(word, name, length))
            take(p, c->at[i].offset);
    }
}

/* "12" or "file.hip:12". */
static bool take_line(debugger *d, const char *word, debug_point *p, debug_text *why)
{
    const char *colon = strrchr(word, ':');
    char file[WORD];
    uint64_t line;
    if (!parse_u64(colon ? colon + 1 : word, &line) || !line || line > UINT32_MAX)
        return false;
    snprintf(file, sizeof(file), "%.*s", colon ? (int)(colon - word) : 0, word);
    const char *in = colon ? file : NULL;
    for (size_t i = 0; i < d->code.count; i++)
        if (debug_code_begins(&d->code, i, in, (uint32_t)line))
            take(p, d->code.at[i].offset);
    if (p->offset_count)
        return true;
    const uint32_t near = debug_code_near(&d->code, in, (uint32_t)line);
    if (!d->code.has_lines && !d->code.ptx)
        debug_say(why, "the file has no source lines: it needs -g or -gline-tables-only");
    else if (near)
        debug_say(why, "no instruction comes from line %s; the next line with one is %u", word, near);
    else
        debug_say(why, "no instruction comes from line %s or a later one", word);
    return true;
}

static void take_place(debugger *d, const char *word, debug_point *p, debug_text *why)
{
    uint64_t offset;
    const char *number = word[0] == '+' ? word + 1 : word;
    if (strncmp(number, "0x", 2) == 0 && parse_u64(number, &offset)) {
        if (debug_code_at(&d->code, offset))
            take(p, offset);
        else
            debug_say(why, "no instruction begins at +0x%" PRIx64, offset);
    } else if (!take_line(d, word, p, why)) {
        take_named(d, word, p);
        if (!p->offset_count)
            debug_say(why, "the code has no instruction '%s'", word);
    }
}

unsigned debug_break(debugger *d, const char *words, debug_text *why)
{
    const char *at = words;
    char word[WORD];
    debug_point p = { .kind = DEBUG_AT_CODE, .any_group = true, .wave = -1, .lane = -1 };
    if (!has_room(d, why))
        return 0;
    if (!next_word(&at, word)) {
        debug_say(why, "needs a place: 0x1a8, 12, file.hip:12, v_mfma_*, matrix or barrier");
        return 0;
    }
    take_place(d, word, &p, why);
    if (p.offset_count && read_filters(d, at, &p, why))
        return add_point(d, &p, words + strspn(words, " \t"));
    free(p.offsets);
    return 0;
}

/* ---- Memory ---- */

/* NAME or NAME[I,J] */
static bool read_element(debugger *d, const char *word, debug_point *p, debug_text *why)
{
    const run_job *job = d->job;
    const size_t length = strcspn(word, "[");
    char name[WORD], numbers[WORD];
    uint64_t index[LW_NPY_MAX_DIMS];
    size_t arg, count = 0;
    snprintf(name, sizeof(name), "%.*s", (int)length, word);
    if (!run_find_arg(job, name, &arg) || !job->args[arg].array.data) {
        debug_say(why, "the kernel has no array '%s'", name);
        return false;
    }
    const lw_npy *a = &job->args[arg].array;
    const size_t bytes = lw_dtype_size(a->dtype);
    p->address = job->addresses[arg];
    p->size = a->count * bytes;
    if (!word[length])
        return true;
    snprintf(numbers, sizeof(numbers), "%s", word + length + 1);
    const size_t end = strcspn(numbers, "]");
    const bool closed = numbers[end] == ']' && !numbers[end + 1];
    numbers[end] = '\0';
    if (!closed || !parse_numbers(numbers, 0, LW_NPY_MAX_DIMS, index, &count) ||
        (count != 1 && count != a->dims)) {
        debug_say(why, "%s: %s needs an index for each of %u dimensions, or one for all", word, name,
                  a->dims);
        return false;
    }
    uint64_t element = 0;
    for (size_t i = 0; i < count; i++) {
        const uint64_t limit = count == 1 ? a->count : a->shape[i];
        if (index[i] >= limit) {
            debug_say(why, "%s is outside the array", word);
            return false;
        }
        element = element * limit + index[i];
    }
    p->address += element * bytes;
    p->size = bytes;
    return true;
}

/* An optional number of bytes; without one, 4. */
static bool read_size(const char **at, debug_point *p, debug_text *why)
{
    char word[WORD];
    const char *before = *at;
    p->size = 4;
    if (!next_word(at, word))
        return true;
    if (word[0] < '0' || word[0] > '9') {
        *at = before;
        return true;
    }
    if (!parse_u64(word, &p->size) || !p->size)
        debug_say(why, "%s is not a number of bytes", word);
    return p->size > 0;
}

static bool read_memory(debugger *d, const char **at, debug_point *p, debug_text *why)
{
    char word[WORD];
    if (!next_word(at, word)) {
        debug_say(why, "needs an array or its element, C[2,17], or lds OFFSET, or an address");
        return false;
    }
    if (strcmp(word, "lds") == 0 || strcmp(word, "shared") == 0) {
        p->space = LW_SPACE_LDS;
        if (next_word(at, word) && parse_u64(word, &p->address))
            return read_size(at, p, why);
        debug_say(why, "lds needs an offset");
        return false;
    }
    p->space = LW_SPACE_GLOBAL;
    if (strncmp(word, "0x", 2) == 0 && parse_u64(word, &p->address))
        return read_size(at, p, why);
    return read_element(d, word, p, why);
}

unsigned debug_watch(debugger *d, const char *words, debug_text *why)
{
    const char *at = words;
    debug_point p = {
        .kind = DEBUG_AT_MEMORY, .any_group = true, .wave = -1, .lane = -1, .loads = true, .stores = true
    };
    if (!has_room(d, why) || !read_memory(d, &at, &p, why) || !read_filters(d, at, &p, why))
        return 0;
    if (!p.loads && !p.stores)
        p.loads = p.stores = true; /* "read write" */
    return add_point(d, &p, words + strspn(words, " \t"));
}

/* ---- All of them ---- */

bool debug_delete(debugger *d, unsigned number)
{
    for (size_t i = 0; i < d->point_count; i++) {
        if (d->points[i].number != number)
            continue;
        free(d->points[i].what);
        free(d->points[i].offsets);
        d->point_count--;
        memmove(&d->points[i], &d->points[i + 1], (d->point_count - i) * sizeof(*d->points));
        return true;
    }
    return false;
}

const debug_point *debug_point_find(const debugger *d, unsigned number)
{
    for (size_t i = 0; i < d->point_count; i++)
        if (d->points[i].number == number)
            return &d->points[i];
    return NULL;
}

void debug_points_free(debugger *d)
{
    while (d->point_count)
        debug_delete(d, d->points[0].number);
    free(d->points);
}

uint64_t *debug_offsets(const debugger *d, size_t *count)
{
    size_t room = 0;
    *count = 0;
    for (size_t i = 0; i < d->point_count; i++)
        room += d->points[i].offset_count;
    uint64_t *offsets = cli_alloc((room + 1) * sizeof(*offsets));
    for (size_t i = 0; i < d->point_count; i++)
        for (size_t k = 0; k < d->points[i].offset_count; k++)
            offsets[(*count)++] = d->points[i].offsets[k];
    return offsets;
}

static bool concerns(const debug_point *p, const uint32_t workgroup[3], uint32_t wave)
{
    return (p->wave < 0 || (uint32_t)p->wave == wave) &&
           (p->any_group || memcmp(p->workgroup, workgroup, sizeof(p->workgroup)) == 0);
}

debug_point *debug_point_here(const debugger *d)
{
    lw_wave_stand s;
    size_t index;
    if (!d->point_count || !debug_find(d, &d->next, &index) || !lw_session_wave_at(d->session, index, &s))
        return NULL;
    for (size_t i = 0; i < d->point_count; i++) {
        debug_point *p = &d->points[i];
        if (p->kind != DEBUG_AT_CODE || !concerns(p, s.workgroup, s.wave) ||
            (p->lane >= 0 && !(lw_session_wave_exec(d->session, index) >> p->lane & 1)))
            continue;
        for (size_t k = 0; k < p->offset_count; k++)
            if (p->offsets[k] == s.code_offset)
                return p;
    }
    return NULL;
}

/* ---- Accesses ---- */

static uint32_t decoded(void *context, const lw_event *event)
{
    (void)context;
    const lw_fact_memory *m = &event->facts->memory;
    return m->load || m->store || m->requests ? LW_SEE_AFTER | LW_SEE_ACCESSES : LW_SEE_NOTHING;
}

static bool touches(const debug_point *p, const lw_memory_access *a)
{
    return p->kind == DEBUG_AT_MEMORY && p->space == a->space && !a->dropped &&
           (p->lane < 0 || p->lane == a->lane) && ((p->loads && a->load) || (p->stores && a->store)) &&
           (a->address - p->address < p->size || p->address - a->address < a->size);
}

static void note_access(debugger *d, const lw_event *event, const debug_point *p, const lw_memory_access *a,
                        bool arrives)
{
    debug_text lane = { NULL, 0, 0 };
    if (a->lane >= 0)
        debug_say(&lane, " by lane %d", a->lane);
    d->accessed = true;
    d->access = (debug_stop){ .reason = DEBUG_ACCESS, .number = p->number };
    d->accessor =
        (debug_id){ { event->workgroup[0], event->workgroup[1], event->workgroup[2] }, event->wave };
    char text[256];
    lw_event_text(event, text, sizeof(text));
    snprintf(d->access.text, sizeof(d->access.text), "%s%s%s: +0x%" PRIx64 " %.200s",
             a->load && a->store ? "atomic access"
             : a->store          ? "stored"
                                 : "loaded",
             debug_text_of(&lane), arrives ? " when the copy arrived" : "", event->code_offset, text);
    debug_text_free(&lane);
    lw_session_ask(d->session);
}

static void look(debugger *d, const lw_event *event, bool arrived)
{
    if (!d->listens || d->accessed)
        return;
    for (size_t i = 0; i < d->point_count; i++) {
        const debug_point *p = &d->points[i];
        if (p->kind != DEBUG_AT_MEMORY || !concerns(p, event->workgroup, event->wave))
            continue;
        for (size_t k = 0; k < event->access_count; k++)
            if ((arrived || !event->accesses[k].late) && touches(p, &event->accesses[k])) {
                note_access(d, event, p, &event->accesses[k], arrived);
                return;
            }
    }
}

static void after(void *context, const lw_event *event)
{
    look(context, event, false);
}

static void arrived(void *context, const lw_event *event)
{
    look(context, event, true);
}

void debug_observe(debugger *d)
{
    d->observer = (lw_observer){ .struct_size = sizeof(lw_observer),
                                 .context = d,
                                 .decoded = decoded,
                                 .after = after,
                                 .arrived = arrived };
    d->observers[0] = &d->observer;
    d->job->options.observers = d->observers;
    d->job->options.observer_count = 1;
}

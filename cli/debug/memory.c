/* SPDX-License-Identifier: MIT */
/* LDS and memory as typed arrays. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/debug/value.h"
#include "cli/parse.h"

enum { WORD = 256, SHOWN = 16, MOST = 1 << 16 };

/* What to show: rows of elements; `pitch` bits lie between the beginnings of two rows. */
typedef struct window {
    const debug_type *type;
    const uint8_t *bytes; /* of the whole region */
    uint64_t size;        /* of it, in bytes */
    uint64_t bit;         /* where the first element is */
    uint64_t rows, cols, pitch;
} window;

static size_t next_word(const char **at, char word[WORD])
{
    *at += strspn(*at, " \t");
    const size_t length = strcspn(*at, " \t");
    snprintf(word, WORD, "%.*s", (int)length, *at);
    *at += length;
    return length;
}

/* "16x32" or "32" */
static bool read_shape(const char *word, window *w)
{
    char rows[32];
    const char *cross = strchr(word, 'x');
    if (!cross) {
        w->rows = 1;
        return parse_u64(word, &w->cols) && w->cols && w->cols <= MOST;
    }
    snprintf(rows, sizeof(rows), "%.*s", (int)(cross - word), word);
    return parse_u64(rows, &w->rows) && parse_u64(cross + 1, &w->cols) && w->rows && w->cols &&
           w->rows <= MOST && w->cols <= MOST && w->rows * w->cols <= MOST;
}

/* [TYPE] [SHAPE] */
static bool read_form(const char *at, window *w, bool *shaped, bool *typed, debug_text *out)
{
    char word[WORD];
    *shaped = *typed = false;
    while (next_word(&at, word)) {
        const debug_type *type = debug_type_find(word);
        if (type) {
            w->type = type;
            *typed = true;
        } else if (read_shape(word, w)) {
            *shaped = true;
        } else {
            debug_say(out, "'%s' is neither a type nor a shape such as 16 or 8x16; types are ", word);
            debug_type_names(out);
            return false;
        }
    }
    return true;
}

static void show(const window *w, debug_text *out)
{
    char text[DEBUG_VALUE];
    for (uint64_t row = 0; row < w->rows; row++) {
        debug_say(out, "  +0x%" PRIx64 ":", (w->bit + row * w->pitch) / 8);
        for (uint64_t col = 0; col < w->cols; col++) {
            const uint64_t bit = w->bit + row * w->pitch + col * w->type->bits;
            if (bit + w->type->bits > 8 * w->size) {
                debug_say(out, " (the end)");
                break;
            }
            debug_value(w->type, debug_bits(w->bytes, bit, w->type->bits), text);
            debug_say(out, " %7s", text);
        }
        debug_say(out, "\n");
        if (w->bit + (row + 1) * w->pitch >= 8 * w->size)
            break;
    }
}

bool debug_lds(debugger *d, const char *words, debug_text *out)
{
    char word[WORD];
    size_t wave;
    uint64_t offset;
    uint32_t size = 0;
    bool shaped, typed;
    const char *noun = d->amd ? "LDS" : "shared memory";
    window w = { .type = debug_type_find("x32"), .rows = 1, .cols = 8 };
    if (!d->chosen || !debug_find(d, &d->wave, &wave)) {
        debug_say(out, "there is no %s: all have ended", d->amd ? "workgroup" : "block");
        return false;
    }
    w.bytes = lw_session_lds(d->session, wave, &size);
    w.size = size;
    if (!next_word(&words, word) || !parse_u64(word, &offset) || offset >= size) {
        debug_say(out, "needs an offset below %u, the %s of the %s", size, noun,
                  d->amd ? "workgroup" : "block");
        return false;
    }
    if (!read_form(words, &w, &shaped, &typed, out))
        return false;
    w.bit = 8 * offset;
    w.pitch = w.cols * w.type->bits;
    show(&w, out);
    return true;
}

/* ---- Arrays ---- */

/* The element's number in the array. */
static bool read_index(const lw_npy *a, const char *word, uint64_t *element, uint64_t *col)
{
    uint64_t index[LW_NPY_MAX_DIMS];
    char numbers[WORD];
    size_t count;
    *element = *col = 0;
    if (!word[0])
        return true;
    snprintf(numbers, sizeof(numbers), "%s", word + 1);
    const size_t end = strcspn(numbers, "]");
    const bool closed = numbers[end] == ']' && !numbers[end + 1];
    numbers[end] = '\0';
    if (!closed || !parse_numbers(numbers, 0, LW_NPY_MAX_DIMS, index, &count) ||
        (count != 1 && count != a->dims))
        return false;
    for (size_t i = 0; i < count; i++) {
        const uint64_t limit = count == 1 ? a->count : a->shape[i];
        if (index[i] >= limit)
            return false;
        *element = *element * limit + index[i];
        *col = index[i];
    }
    return true;
}

static bool show_array(debugger *d, size_t arg, const char *index, const char *form, debug_text *out)
{
    const run_arg *a = &d->job->args[arg];
    const uint64_t bytes = arg_array_bytes(a);
    const unsigned unit = 8 * (unsigned)lw_dtype_size(a->array.dtype);
    const uint64_t across = a->array.dims ? a->array.shape[a->array.dims - 1] : 1;
    uint64_t element, col;
    bool shaped, typed;
    window w = { .type = debug_type_of(a), .size = bytes, .rows = 1, .cols = 1 };
    if (!read_index(&a->array, index, &element, &col)) {
        debug_say(out, "%s is not an element of the array", index);
        return false;
    }
    if (!read_form(form, &w, &shaped, &typed, out))
        return false;
    w.bytes = lw_memory_host(d->job->memory, d->job->addresses[arg], bytes);
    if (!w.bytes || !bytes) {
        debug_say(out, "the array has no elements");
        return false;
    }
    const bool row_wise = a->array.dims > 1 && w.type->bits * across % unit == 0;
    w.bit = element * unit;
    w.pitch = row_wise ? across * unit : w.cols * w.type->bits;
    if (!shaped && !index[0]) { /* the beginning of the whole array */
        const uint64_t all = across * unit / w.type->bits;
        w.cols = all < SHOWN ? all : SHOWN;
        w.rows = across ? a->array.count / across : 0;
        w.rows = w.rows < SHOWN ? w.rows : SHOWN;
        w.pitch = across * unit;
    }
    char title[160];
    run_arg_title(d->job, arg, title, sizeof(title));
    debug_say(out, "%s at 0x%" PRIx64 ", %s\n", title, d->job->addresses[arg], w.type->name);
    show(&w, out);
    return true;
}

static bool show_address(debugger *d, uint64_t address, const char *form, debug_text *out)
{
    bool shaped, typed;
    lw_allocation region;
    window w = { .type = debug_type_find("x32"), .rows = 1, .cols = 8 };
    if (!read_form(form, &w, &shaped, &typed, out))
        return false;
    for (size_t i = 0; lw_memory_at(d->job->memory, i, &region); i++) {
        if (address - region.address >= region.size)
            continue;
        w.bytes = region.host;
        w.size = region.size;
        w.bit = 8 * (address - region.address);
        w.pitch = w.cols * w.type->bits;
        debug_say(out, "\"%s\" at 0x%" PRIx64 ", %s\n", region.name, region.address, w.type->name);
        show(&w, out);
        return true;
    }
    debug_say(out, "nothing is allocated at 0x%" PRIx64, address);
    return false;
}

/* Without words: what there is. */
static void list_arrays(debugger *d, debug_text *out)
{
    for (size_t i = 0; i < d->job->arg_count; i++) {
        const run_arg *a = &d->job->args[i];
        char title[160];
        run_arg_title(d->job, i, title, sizeof(title));
        if (!a->array.data && !arg_array_bytes(a))
            continue;
        debug_say(out, "  %s at 0x%" PRIx64 ": %s", title, d->job->addresses[i], debug_type_of(a)->name);
        for (unsigned k = 0; k < a->array.dims; k++)
            debug_say(out, "%s%" PRIu64, k ? "," : "[", a->array.shape[k]);
        debug_say(out, "]\n");
    }
}

bool debug_memory(debugger *d, const char *words, debug_text *out)
{
    char word[WORD], name[WORD];
    uint64_t address;
    size_t arg;
    if (!next_word(&words, word)) {
        list_arrays(d, out);
        return true;
    }
    if (strncmp(word, "0x", 2) == 0 && parse_u64(word, &address))
        return show_address(d, address, words, out);
    const size_t length = strcspn(word, "[");
    snprintf(name, sizeof(name), "%.*s", (int)length, word);
    if (run_find_arg(d->job, name, &arg) && d->job->args[arg].array.data)
        return show_array(d, arg, word + length, words, out);
    debug_say(out, "the kernel has no array '%s'", name);
    return false;
}

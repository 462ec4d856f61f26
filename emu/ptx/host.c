/* SPDX-License-Identifier: MIT */
/* Functions that the device provides: vprintf, __assertfail, malloc and free. */
#include <stdio.h>
#include <stdlib.h>

#include "emu/ptx/calls.h"

enum { MOST_TEXT = 1024, MOST_SPEC = 32 };

/* The value of parameter number `i` of the call, from the caller's frame. */
static uint64_t argument(const lw_ptx_warp *w, const lw_ptx_call *c, unsigned lane, uint32_t i)
{
    const lw_ptx_passed *p = &c->passed[c->results + i];
    const uint8_t *local = w->local + (size_t)lane * w->head.group->session->scratch_size;
    uint64_t v = 0;
    memcpy(&v, local + w->frame[lane] + p->source.value, p->size < 8 ? (size_t)p->size : 8);
    return v;
}

/* Stores the call's result in the caller's frame, with the size that it has there. */
static void give_result(lw_ptx_warp *w, const lw_ptx_call *c, unsigned lane, uint64_t v)
{
    uint8_t *local = w->local + (size_t)lane * w->head.group->session->scratch_size;
    if (c->results)
        memcpy(local + w->frame[lane] + c->passed[0].source.value, &v,
               c->passed[0].size < 8 ? (size_t)c->passed[0].size : 8);
}

/* A zero-terminated text at a generic address. */
static bool read_text(lw_ptx_warp *w, unsigned lane, uint64_t at, char *text, size_t size)
{
    size_t n = 0;
    do {
        const uint8_t *byte = lw_ptx_reach(w, lane, LW_PTX_WORD_NONE, at + n, 1, false);
        if (!byte)
            return false;
        text[n] = (char)*byte;
    } while (text[n] && ++n + 1 < size);
    text[n] = '\0';
    return true;
}

/* ---- vprintf: arguments follow one another, each aligned to its size ---- */

typedef struct printing {
    lw_ptx_warp *w;
    unsigned lane;
    uint64_t at; /* the next argument */
    char out[4 * MOST_TEXT];
    size_t used;
} printing;

static bool fetch(printing *p, uint32_t size, uint64_t *v)
{
    p->at = (p->at + size - 1) / size * size;
    const uint8_t *at = lw_ptx_reach(p->w, p->lane, LW_PTX_WORD_NONE, p->at, size, false);
    p->at += size;
    *v = 0;
    if (at)
        memcpy(v, at, size);
    return at != NULL;
}

static void put(printing *p, const char *text)
{
    const size_t n = strlen(text), room = sizeof(p->out) - 1 - p->used, taken = n < room ? n : room;
    memcpy(p->out + p->used, text, taken);
    p->used += taken;
    p->out[p->used] = '\0';
}

/* One conversion with the host's snprintf; `spec` has no length modifier and ends with its letter. */
static bool convert(printing *p, char *spec, size_t length, bool wide)
{
    char text[MOST_TEXT], name[MOST_TEXT];
    const char letter = spec[length - 1];
    uint64_t v;
    if (letter == 's')
        return fetch(p, 8, &v) && read_text(p->w, p->lane, v, name, sizeof(name)) &&
               (snprintf(text, sizeof(text), spec, name), put(p, text), true);
    if (strchr("eEfFgGaA", letter)) {
        double d;
        if (!fetch(p, 8, &v))
            return false;
        memcpy(&d, &v, sizeof(d));
        snprintf(text, sizeof(text), spec, d);
    } else if (letter == 'c') {
        if (!fetch(p, 4, &v))
            return false;
        snprintf(text, sizeof(text), spec, (int)v);
    } else {
        if (!fetch(p, wide ? 8 : 4, &v))
            return false;
        const bool is_signed = letter == 'd' || letter == 'i';
        memcpy(spec + length - 1, "ll", 2);
        spec[length + 1] = letter == 'p' ? 'x' : letter;
        spec[length + 2] = '\0';
        snprintf(text, sizeof(text), spec,
                 is_signed ? (long long)lw_ptx_extend(v, wide ? 64 : 32, true) : (long long)v);
    }
    put(p, text);
    return true;
}

/* '*' as a width: the next argument, an int (CUDA C++ programming guide, "Format Specifiers"). False after a
 * fault, which has been reported. */
static bool take_width(printing *p, char spec[MOST_SPEC], size_t *length)
{
    uint64_t v;
    if (!fetch(p, 4, &v))
        return false;
    const int64_t width = (int64_t)lw_ptx_extend(v, 32, true);
    *length += (size_t)snprintf(spec + *length, MOST_SPEC - *length, "%lld", (long long)width);
    return true;
}

/* Is every number in it one that fits into a text? */
static bool is_narrow(const char *spec)
{
    for (; *spec; spec++)
        if (*spec >= '0' && *spec <= '9') {
            char *end;
            if (strtoul(spec, &end, 10) >= MOST_TEXT)
                return false;
            spec = end - 1;
        }
    return true;
}

/* After a '%': flags, width and precision are kept; a length modifier gives the size of an integer. NULL
 * after a fault, which has been reported. */
static const char *take_spec(printing *p, const char *f, char spec[MOST_SPEC], size_t *length, bool *wide)
{
    enum { NUMBER = 11, REST = 5 };
    *length = 0;
    spec[(*length)++] = '%';
    while (*f && strchr("-+ #0123456789.*", *f) && *length < MOST_SPEC - REST - (*f == '*' ? NUMBER : 0)) {
        if (*f == '*' && strchr("-+ #0%", spec[*length - 1])) {
            if (!take_width(p, spec, length))
                return NULL;
        } else
            spec[(*length)++] = *f;
        f++;
    }
    *wide = *f == 'p';
    for (; *f && strchr("hlLzjt", *f); f++)
        *wide = *wide || strchr("lzjt", *f);
    if (*f)
        spec[(*length)++] = *f++;
    spec[*length] = '\0';
    return f;
}

static bool print(printing *p, const char *f)
{
    while (*f) {
        char spec[MOST_SPEC], one[2] = { *f, '\0' };
        size_t length;
        bool wide;
        if (*f++ != '%') {
            put(p, one);
            continue;
        }
        f = take_spec(p, f, spec, &length, &wide);
        if (!f)
            return false;
        const char letter = spec[length - 1];
        if (letter == '%' && length == 2) {
            put(p, "%");
        } else if (length < 2 || strchr(spec, '*') || !is_narrow(spec) ||
                   !strchr("diouxXcsfFeEgGaAp", letter)) {
            lw_fault_say(&p->w->head, (int)p->lane,
                         "prints with the conversion \"%s\", which is not supported", spec);
            return false;
        } else if (!convert(p, spec, length, wide)) {
            return false;
        }
    }
    return true;
}

static bool call_vprintf(lw_ptx_warp *w, const lw_ptx_record *r, unsigned lane)
{
    const lw_ptx_call *c = r->extra;
    char format[MOST_TEXT];
    printing p = { .w = w, .lane = lane, .at = argument(w, c, lane, 1) };
    if (!read_text(w, lane, argument(w, c, lane, 0), format, sizeof(format)) || !print(&p, format))
        return false;
    lw_session_print(w->head.group->session, p.out, p.used);
    give_result(w, c, lane, (uint32_t)p.used);
    return true;
}

static bool call_assertfail(lw_ptx_warp *w, const lw_ptx_record *r, unsigned lane)
{
    const lw_ptx_call *c = r->extra;
    char message[160], file[160], function[160];
    if (!read_text(w, lane, argument(w, c, lane, 0), message, sizeof(message)) ||
        !read_text(w, lane, argument(w, c, lane, 1), file, sizeof(file)) ||
        !read_text(w, lane, argument(w, c, lane, 3), function, sizeof(function)))
        return false;
    lw_fault_say(&w->head, (int)lane, "assertion failed: %s, in %s (%s:%u)", message, function, file,
                 (unsigned)argument(w, c, lane, 2));
    return false;
}

static bool call_malloc(lw_ptx_warp *w, const lw_ptx_record *r, unsigned lane)
{
    const lw_ptx_call *c = r->extra;
    uint64_t address;
    if (!lw_ptx_heap_take(w, lane, argument(w, c, lane, 0), &address))
        return false;
    give_result(w, c, lane, address);
    return true;
}

static bool call_free(lw_ptx_warp *w, const lw_ptx_record *r, unsigned lane)
{
    return lw_ptx_heap_give(w, lane, argument(w, r->extra, lane, 0));
}

bool lw_ptx_host_call(lw_ptx_warp *w, const lw_ptx_record *r, unsigned lane)
{
    typedef bool host_function(lw_ptx_warp *, const lw_ptx_record *, unsigned);
    static host_function *const functions[LW_PTX_HOST_COUNT] = {
        [LW_PTX_HOST_VPRINTF] = call_vprintf,
        [LW_PTX_HOST_ASSERTFAIL] = call_assertfail,
        [LW_PTX_HOST_MALLOC] = call_malloc,
        [LW_PTX_HOST_FREE] = call_free,
    };
    return functions[((const lw_ptx_call *)r->extra)->host](w, r, lane);
}

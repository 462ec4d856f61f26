/* SPDX-License-Identifier: MIT */
#include "runtime/capture/reach.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t FOLLOWED = 1 << 20; /* tables of pointers are small */

static bool fail(cap_reach *r, const char *why)
{
    if (!r->why)
        r->why = why;
    return false;
}

static bool read_piece(const cap_reach *r, void *to, uint64_t address, uint64_t size, bool on_host)
{
    if (on_host)
        memcpy(to, (const void *)(uintptr_t)address, (size_t)size);
    return on_host || r->device->read(to, address, size);
}

static bool make_room(cap_reach *r)
{
    const size_t room = r->room ? 2 * r->room : 16;
    if (r->count < r->room)
        return true;
    lw_capture_piece *pieces = realloc(r->pieces, room * sizeof(*pieces));
    if (pieces)
        r->pieces = pieces;
    bool *on_host = realloc(r->on_host, room * sizeof(*on_host));
    if (on_host)
        r->on_host = on_host;
    if (pieces && on_host)
        r->room = room;
    return pieces && on_host;
}

/* Takes ownership of the name. */
static bool add(cap_reach *r, char *name, uint64_t address, uint64_t size, bool on_host)
{
    if (size > r->limit - r->bytes) {
        free(name);
        return fail(r, "it can reach more memory than --limit allows");
    }
    void *bytes = malloc(size ? (size_t)size : 1);
    const bool can = name && bytes && make_room(r);
    if (!can || !read_piece(r, bytes, address, size, on_host)) {
        free(name);
        free(bytes);
        return fail(r, can ? "memory that it can reach cannot be read" : "the host has no more memory");
    }
    r->on_host[r->count] = on_host;
    r->pieces[r->count++] =
        (lw_capture_piece){ .name = name, .address = address, .size = size, .before = bytes };
    r->bytes += size;
    return true;
}

static bool is_known(const cap_reach *r, uint64_t address)
{
    for (size_t i = 0; i < r->count; i++)
        if (address - r->pieces[i].address < r->pieces[i].size)
            return true;
    return false;
}

/* Every aligned word may be an address: the interface says whether it is one. */
static bool look(cap_reach *r, const void *bytes, uint64_t size)
{
    static const uint64_t least = 1 << 16, most = UINT64_C(1) << 47;
    uint64_t word, last = 0, base, length;
    for (uint64_t at = 0; at + 8 <= size; at += 8) {
        memcpy(&word, (const char *)bytes + at, sizeof(word));
        if (word < least || word >= most || word == last || is_known(r, word))
            continue;
        last = word;
        if (r->device->find(word, &base, &length) && !is_known(r, base) &&
            !add(r, strdup(""), base, length, false))
            return false;
    }
    return true;
}

static bool add_variable(cap_reach *r, const cap_function *f, const char *name)
{
    uint64_t address, size;
    if (!r->device->variable(f, name, &address, &size) || !size || is_known(r, address))
        return true;
    return add(r, strdup(name), address, size, false);
}

/* Those that the program has registered, else those that the code's symbols name. */
static bool add_variables(cap_reach *r, const cap_function *f)
{
    const cap_variable *v = cap_next_variable(f->image, NULL);
    const lw_program *program = f->image->program;
    const bool registered = v != NULL;
    for (; v; v = cap_next_variable(f->image, v))
        if (v->managed ? !add(r, strdup(v->name), (uintptr_t)v->host, sizeof(void *), true)
                       : !add_variable(r, f, v->name))
            return false;
    lw_variable found;
    for (size_t at = 0; !registered && lw_program_next_variable(program, &at, &found);)
        if (!add_variable(r, f, found.name))
            return false;
    return true;
}

bool cap_reach_find(cap_reach *r, const cap_device *device, const cap_function *function, const void *args,
                    size_t args_size, uint64_t limit, char *why, size_t why_size)
{
    *r = (cap_reach){ .device = device, .limit = limit };
    bool good = (!function->image->program || add_variables(r, function)) && look(r, args, args_size);
    for (; good && r->looked < r->count; r->looked++) {
        const lw_capture_piece *p = &r->pieces[r->looked];
        if (p->size <= FOLLOWED)
            good = look(r, p->before, p->size);
    }
    if (!good)
        snprintf(why, why_size, "%s", r->why);
    return good;
}

bool cap_reach_read_again(cap_reach *r)
{
    bool good = true;
    for (size_t i = 0; i < r->count && good; i++) {
        lw_capture_piece *p = &r->pieces[i];
        void *bytes = malloc(p->size ? (size_t)p->size : 1);
        good = bytes && read_piece(r, bytes, p->address, p->size, r->on_host[i]);
        if (good && memcmp(bytes, p->before, (size_t)p->size) != 0) {
            p->after = bytes;
        } else {
            p->after = p->before;
            free(bytes);
        }
    }
    for (size_t i = 0; i < r->count && !good; i++) {
        if (r->pieces[i].after != r->pieces[i].before)
            free((void *)(uintptr_t)r->pieces[i].after);
        r->pieces[i].after = NULL;
    }
    return good;
}

void cap_reach_free(cap_reach *r)
{
    for (size_t i = 0; i < r->count; i++) {
        const lw_capture_piece *p = &r->pieces[i];
        free((void *)(uintptr_t)p->name);
        if (p->after != p->before)
            free((void *)(uintptr_t)p->after);
        free((void *)(uintptr_t)p->before);
    }
    free(r->pieces);
    free(r->on_host);
}

/* SPDX-License-Identifier: MIT */
/* Around a launch: what it can reach is read before it, and again after it. */
#define _GNU_SOURCE /* program_invocation_short_name */
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <lanewise/version.h>

#include "runtime/capture/capture.h"
#include "runtime/capture/reach.h"

struct cap_record {
    const cap_device *device;
    lw_capture capture;
    cap_reach reach;
    uint8_t *args;
    char target[128], about[1024], path[4096], outcome[256];
};

static pthread_mutex_t lock =
    PTHREAD_MUTEX_INITIALIZER;  /* one launch at a time, from before it to after it */
static _Thread_local int depth; /* the vendor's functions may call each other */
static uint64_t seen, saved;

static void lost(const char *why, const cap_function *f)
{
    cap_report("lost", why, f ? f->name : "");
}

void cap_pass(const char *how)
{
    if (depth == 0 && cap_settings_get()->folder)
        cap_report("lost", how, "");
}

/* ---- The code and the arguments ---- */

/* The kernel as the metadata describe it; NULL: it cannot be known, and `why` says so. */
static const lw_kernel_info *kernel_of(const cap_function *f, const char *target, char *why, size_t size)
{
    lw_error error = { "" };
    size_t index;
    lw_status status = f->image->program ? LW_OK
                                         : lw_program_load_for(f->image->bytes, f->image->size, target, 0,
                                                               &f->image->program, &error);
    if (status == LW_OK)
        status = lw_program_find(f->image->program, f->name, &index, &error);
    if (status == LW_OK)
        return lw_program_kernel_at(f->image->program, index);
    snprintf(why, size, "its arguments are unknown: %.900s",
             error.text[0] ? error.text : lw_status_text(status));
    return NULL;
}

/* One argument, to its place in the block. */
static void put(cap_record *r, const cap_request *q, size_t index, size_t offset, size_t size)
{
    if (q->params)
        memcpy(r->args + offset, q->params[index], size);
    else if (offset < q->block_size)
        memcpy(r->args + offset, (const uint8_t *)q->block_of_args + offset,
               size < q->block_size - offset ? size : q->block_size - offset);
}

/* The code is not kept, so the driver has to tell; or the program gives all bytes. */
static bool take_unknown(cap_record *r, const cap_request *q, char *why, size_t why_size)
{
    size_t offset, size, end = q->params ? 0 : q->block_size;
    bool told = !q->params && q->block_of_args;
    for (size_t i = 0;
         q->params && q->device->argument && q->device->argument(q->function, i, &offset, &size); i++) {
        end = offset + size;
        told = true;
    }
    r->args = told ? calloc(1, end + 1) : NULL;
    if (!r->args) {
        snprintf(why, why_size,
                 "it is machine code, and the driver does not tell the sizes of its arguments");
        return false;
    }
    r->capture.args_size = end;
    if (!q->params)
        memcpy(r->args, q->block_of_args, end);
    for (size_t i = 0; q->params && q->device->argument(q->function, i, &offset, &size); i++)
        if (offset + size <= end)
            put(r, q, i, offset, size);
    return true;
}

static bool take_args(cap_record *r, const cap_request *q, const cap_function *f, char *why, size_t why_size)
{
    if (!f->image->size)
        return take_unknown(r, q, why, why_size);
    const lw_kernel_info *info = kernel_of(f, r->target, why, why_size);
    if (!info)
        return false;
    for (size_t i = 0; i < info->explicit_count; i++)
        if (info->args[i].offset + info->args[i].size > r->capture.args_size)
            r->capture.args_size = info->args[i].offset + info->args[i].size;
    r->args = calloc(1, r->capture.args_size + 1);
    if (!r->args || (info->explicit_count && !q->params && !q->block_of_args)) {
        snprintf(why, why_size, r->args ? "it is given no arguments" : "the host has no more memory");
        return false;
    }
    for (size_t i = 0; i < info->explicit_count; i++)
        put(r, q, i, info->args[i].offset, info->args[i].size);
    return true;
}

/* ---- Before ---- */

static void describe(cap_record *r)
{
    char time_text[64] = "";
    const time_t now = time(NULL);
    struct tm utc;
    r->device->describe(r->target, sizeof(r->target), r->about, sizeof(r->about) - 256);
    if (gmtime_r(&now, &utc))
        strftime(time_text, sizeof(time_text), "%Y-%m-%dT%H:%M:%SZ", &utc);
    const size_t used = strlen(r->about);
    snprintf(r->about + used, sizeof(r->about) - used, "program %.100s\ntime %s\nlanewise %s\n",
             program_invocation_short_name, time_text, LW_VERSION_STRING);
}

static bool take(cap_record *r, const cap_request *q, const cap_function *f, char *why, size_t why_size)
{
    const cap_settings *s = cap_settings_get();
    lw_capture *c = &r->capture;
    *c = lw_capture_default();
    describe(r);
    if (!take_args(r, q, f, why, why_size))
        return false;
    if (q->device->synchronize() != 0) {
        snprintf(why, why_size, "work before it has failed");
        return false;
    }
    if (!cap_reach_find(&r->reach, q->device, f, r->args, c->args_size, s->limit, why, why_size))
        return false;
    c->kernel = f->name;
    c->target = r->target;
    c->api = q->device->api;
    c->outcome = "the program ended during the launch, or it has not ended";
    c->about = r->about;
    memcpy(c->grid, q->grid, sizeof(c->grid));
    memcpy(c->items, q->items, sizeof(c->items));
    memcpy(c->block, q->block, sizeof(c->block));
    memcpy(c->cluster, q->cluster, sizeof(c->cluster));
    c->dynamic_lds = q->shared;
    c->code = f->image->bytes;
    c->code_size = f->image->size;
    c->args = r->args;
    c->pieces = r->reach.pieces;
    c->piece_count = r->reach.count;
    return cap_store(c, r->path, sizeof(r->path), why, why_size);
}

static void drop(cap_record *r)
{
    cap_reach_free(&r->reach);
    free(r->args);
    free(r);
}

/* Whether this launch is one of those asked for. The lock must be held. */
static bool is_wanted(const cap_function *f)
{
    const cap_settings *s = cap_settings_get();
    if (f && !strstr(f->name, s->kernel))
        return false;
    return seen++ >= s->skip && saved < s->most;
}

cap_record *cap_begin(const cap_request *q)
{
    char why[1024] = "the host has no more memory";
    if (depth++ || !cap_settings_get()->folder)
        return NULL;
    const cap_function *f = cap_find_function(q->function);
    if (q->device->is_recorded(q->stream)) {
        lost("it was recorded into a graph", f);
        return NULL;
    }
    pthread_mutex_lock(&lock);
    cap_record *r = NULL;
    if (is_wanted(f)) {
        r = f ? calloc(1, sizeof(*r)) : NULL;
        if (r)
            r->device = q->device;
        if (!f)
            lost("its code was loaded in a way that is not followed", NULL);
        else if (!r || !take(r, q, f, why, sizeof(why))) {
            lost(why, f);
            if (r)
                drop(r);
            r = NULL;
        }
    }
    if (!r)
        pthread_mutex_unlock(&lock);
    return r;
}

/* ---- After ---- */

/* The launch has ended, or has failed: then memory cannot be read, and what was before is what there is. */
static void finish(cap_record *r)
{
    char why[1024] = "";
    const int error = r->device->synchronize();
    if (error == 0 && cap_reach_read_again(&r->reach)) {
        r->capture.outcome = "";
    } else if (error == 0) {
        r->capture.outcome = "memory could not be read after the launch";
    } else {
        r->device->error_text(error, r->outcome, sizeof(r->outcome));
        r->capture.outcome = r->outcome;
    }
    if (cap_store(&r->capture, r->path, sizeof(r->path), why, sizeof(why))) {
        saved++;
        cap_report("saved", r->path, r->capture.kernel);
    } else {
        cap_report("lost", why, r->capture.kernel);
    }
}

/* The vendor's functions that finish() calls are not the program's, so the depth goes down last. */
int cap_end(cap_record *r, int error)
{
    if (r && error != 0) {
        remove(r->path);
        cap_report("lost", "the launch was refused", r->capture.kernel);
    } else if (r) {
        finish(r);
    }
    if (r) {
        drop(r);
        pthread_mutex_unlock(&lock);
    }
    depth--;
    return error;
}

/* SPDX-License-Identifier: MIT */
/* run --capture FILE: memory after the launch, here and on the GPU. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/run_capture.h"

/* How one piece compares. */
typedef struct difference {
    uint64_t bytes, first; /* how many differ; the offset of the first word that does */
    uint64_t got, want;    /* that word */
    unsigned width;        /* its bytes */
} difference;

/* What memory holds here. */
static const uint8_t *bytes_of(const run_job *job, const lw_capture_piece *p)
{
    uint64_t address = p->address;
    if (p->name[0] && lw_module_symbol(job->module, p->name, &address, NULL, NULL) != LW_OK)
        return NULL;
    return lw_memory_host(lw_module_memory(job->module), address, p->size);
}

static uint64_t word_at(const uint8_t *bytes, unsigned width)
{
    uint64_t value = 0;
    for (unsigned i = width; i-- > 0;)
        value = value << 8 | bytes[i];
    return value;
}

static difference compare(const lw_capture_piece *p, const uint8_t *got)
{
    difference d = { 0 };
    const uint8_t *want = p->after;
    if (!got || memcmp(got, want, (size_t)p->size) == 0)
        return d;
    for (uint64_t i = 0; i < p->size; i++)
        if (got[i] != want[i] && d.bytes++ == 0)
            d.first = i;
    const bool words = p->size % 4 == 0;
    d.width = words ? 4 : 1;
    d.first -= d.first % d.width;
    d.got = word_at(got + d.first, d.width);
    d.want = word_at(want + d.first, d.width);
    return d;
}

/* Why there is nothing to compare; NULL: there is. */
static const char *no_comparison(const run_job *job)
{
    if (job->options.only_count)
        return "only some workgroups ran";
    return job->capture->outcome[0] ? job->capture->outcome : NULL;
}

static void print_piece(const run_job *job, const lw_capture_piece *p, const difference *d)
{
    char title[256];
    run_capture_title(job, p, title, sizeof(title));
    printf("capture: %s: %" PRIu64 " of %" PRIu64 " bytes differ; at byte %" PRIu64 ": 0x%0*" PRIx64
           ", on the GPU 0x%0*" PRIx64 "\n",
           title, d->bytes, p->size, d->first, (int)d->width * 2, d->got, (int)d->width * 2, d->want);
}

static void write_piece(cli_json *json, const run_job *job, const lw_capture_piece *p, const difference *d)
{
    char title[256];
    run_capture_title(job, p, title, sizeof(title));
    json_open(json, NULL, '{');
    json_string(json, "name", title);
    json_hex(json, "address", p->address, 1);
    json_uint(json, "bytes", p->size);
    json_uint(json, "differ", d->bytes);
    if (d->bytes) {
        json_uint(json, "first", d->first);
        json_hex(json, "got", d->got, d->width * 2);
        json_hex(json, "expected", d->want, d->width * 2);
    }
    json_close(json, '}');
}

/* How many pieces differ; each is told. */
static size_t tell_pieces(const run_job *job, cli_json *json, uint64_t *bytes)
{
    size_t differ = 0;
    *bytes = 0;
    for (size_t i = 0; i < job->capture->piece_count; i++) {
        const lw_capture_piece *p = &job->capture->pieces[i];
        if (!p->size)
            continue;
        const difference d = compare(p, bytes_of(job, p));
        *bytes += p->size;
        differ += d.bytes != 0;
        if (json)
            write_piece(json, job, p, &d);
        else if (d.bytes)
            print_piece(job, p, &d);
    }
    return differ;
}

static int report_text(const run_job *job)
{
    const char *why = no_comparison(job);
    uint64_t bytes;
    if (why) {
        printf("capture: not compared: %s%s\n", job->options.only_count ? "" : "on the GPU, ", why);
        return CLI_FINE;
    }
    const size_t differ = tell_pieces(job, NULL, &bytes);
    if (differ)
        return CLI_NO;
    printf("capture: all %" PRIu64 " bytes that the launch could reach are as on the GPU\n", bytes);
    return CLI_FINE;
}

static int report_json(const run_job *job, cli_json *json)
{
    const lw_capture *c = job->capture;
    const char *why = no_comparison(job);
    uint64_t bytes = 0;
    size_t differ = 0;
    json_open(json, "capture", '{');
    json_string(json, "file", job->capture_path);
    json_string(json, "target", c->target);
    json_string(json, "api", c->api);
    json_string(json, "about", c->about);
    json_string(json, "outcome", c->outcome);
    json_bool(json, "compared", !why);
    json_open(json, "pieces", '[');
    if (!why)
        differ = tell_pieces(job, json, &bytes);
    json_close(json, ']');
    json_uint(json, "bytes", bytes);
    json_bool(json, "equal", !why && !differ);
    json_close(json, '}');
    return differ ? CLI_NO : CLI_FINE;
}

int run_capture_report(const run_job *job, cli_json *json)
{
    if (!job->capture)
        return CLI_FINE;
    return json ? report_json(job, json) : report_text(job);
}

bool run_capture_case(const run_job *job, bool ended, junit_case *c)
{
    size_t differ = 0;
    if (!job->capture)
        return false;
    *c = (junit_case){ .name = "capture", .outcome = ended ? JUNIT_PASSED : JUNIT_ERROR };
    if (!ended || no_comparison(job)) {
        snprintf(c->text, sizeof(c->text), "%s", ended ? no_comparison(job) : "the launch did not end");
        return true;
    }
    for (size_t i = 0; i < job->capture->piece_count; i++) {
        const lw_capture_piece *p = &job->capture->pieces[i];
        differ += p->size && compare(p, bytes_of(job, p)).bytes;
    }
    if (differ)
        c->outcome = JUNIT_FAILED;
    snprintf(c->text, sizeof(c->text), "%zu of %zu pieces of memory differ", differ,
             job->capture->piece_count);
    return true;
}

/* SPDX-License-Identifier: MIT */
#include "cli/gpu/sweep.h"

#include <stdlib.h>
#include <string.h>

#include <lanewise/version.h>

#include "cli/part_file.h"

static void say_lines(part_buffer *about, const char *word, const char *lines)
{
    for (const char *at = lines, *end; at && *at; at = end + (*end != '\0')) {
        end = at + strcspn(at, "\n");
        part_put(about, word, strlen(word));
        part_put(about, " ", 1);
        for (const char *c = at; c < end; c++) /* a driver's words may hold anything */
            part_put(about, (unsigned char)*c < ' ' || *c == 0x7f ? " " : c, 1);
        part_put(about, "\n", 1);
    }
}

static void say_row(part_buffer *about, const contest_row *row)
{
    part_say(about, "row %zu %llu %llu %llu %llu %llu %zu %u %u %s %s\n", row->number,
             (unsigned long long)row->cases, (unsigned long long)row->all, (unsigned long long)row->words,
             (unsigned long long)row->mismatches, (unsigned long long)row->first_case, row->first_word,
             (unsigned)row->got, (unsigned)row->want, row->group, row->name);
    say_lines(about, "text", row->text);
    say_lines(about, "verdict", row->verdict);
}

static void say_head(part_buffer *about, const recording_head *head)
{
    char line[2 * RECORDING_TEXT];
    for (size_t i = 0; recording_head_line(head, i, line, sizeof(line)); i++)
        say_lines(about, "head", line);
}

static void say_all(part_buffer *about, const contest *c, const recording_head *head, const char *kept)
{
    part_say(about, "lanewise %s\n", LW_VERSION_STRING);
    part_say(about, "device\n");
    say_head(about, head);
    say_lines(about, "only", c->only);
    say_lines(about, "report", c->report_path);
    say_lines(about, "record", c->record_path);
    if (c->launches)
        part_say(about, "launches\n");
    for (size_t i = 0; i < c->row_count; i++)
        say_row(about, &c->row[i]);
    for (size_t i = 0; i < c->left_count; i++) {
        const contest_reason *reason = &c->reason[c->left[i].reason];
        part_say(about, "left %zu %d %s\n", c->left[i].number, reason->refused, c->left[i].name);
        say_lines(about, "why", reason->text);
    }
    part_say(about, "probes %zu %zu %zu %zu\n", c->probes.results, c->probes.as_default, c->probes.otherwise,
             c->probes.unexplained);
    say_lines(about, "kept", kept);
    part_put(about, "", 1);
}

int sweep_write(const contest *c, const recording_head *head, const char *kept, const char *path)
{
    lw_launch_part part = lw_launch_part_default();
    part_buffer about = { 0 };
    say_all(&about, c, head, kept);
    lw_sha256_end(c->identity, part.launch, NULL);
    part.number = c->part;
    part.count = c->parts;
    part.about = (const char *)about.bytes;
    const int exit = part_write(c->call, &part, path);
    free(about.bytes);
    return exit;
}

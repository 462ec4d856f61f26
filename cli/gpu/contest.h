/* SPDX-License-Identifier: MIT */
/* The comparison of a device, or of what one answered, with the emulator. */
#ifndef LW_CLI_GPU_CONTEST_H
#define LW_CLI_GPU_CONTEST_H

#include <lanewise/hash.h>

#include "cli/gpu/recording.h"
#include "cli/gpu/runtime.h"
#include "cli/gpu/subject.h"

/* One line of the table. */
typedef struct contest_row {
    char group[16], name[SUBJECT_NAME];
    size_t number;                     /* of the subject, in the order of the whole comparison */
    uint64_t all;                      /* cases, of which a part has some */
    uint64_t cases, words, mismatches; /* words: of 32 bits, of all results */
    uint64_t first_case;               /* of the first difference */
    size_t first_word;
    uint32_t got, want;
    char *text;    /* the first difference in words; NULL: there is none */
    char *verdict; /* of a probe, in words; NULL: nothing is said */
} contest_row;

/* Why subjects were not compared, and how many. */
typedef struct contest_reason {
    char text[sizeof(lw_error)], example[SUBJECT_NAME];
    size_t count;
    bool refused; /* by the driver */
} contest_reason;

/* A subject that was not compared. */
typedef struct contest_left {
    size_t number, reason;
    char name[SUBJECT_NAME];
} contest_left;

typedef struct contest {
    const cli_call *call;
    FILE *out; /* the table; NULL: none */
    gpu *device;
    uint64_t seed, cases;
    bool all_inputs;
    double deadline;      /* --time-limit, seconds of a clock that never goes back; 0: none */
    const char *only;     /* NULL: everything */
    const char *launches; /* a list of whole kernels (launches.h), or NULL */
    uint32_t part, parts; /* which batches are compared; parts 0: all */
    lw_sha256 *identity;  /* of a part: takes what the comparison depends on; else NULL */
    const char *report_path, *record_path;
    contest_row *row;
    size_t row_count;
    contest_reason *reason;
    size_t reason_count;
    size_t *slot; /* reasons by their texts: numbers plus one, a power of two of them */
    size_t slot_count;
    contest_left *left;
    size_t left_count;
    probe_report probes;
    recording_writer *record; /* NULL: nothing is recorded */
    uint64_t in_address, out_address;
    size_t in_room, out_room; /* bytes there */
    size_t wanted, done;      /* subjects, for the progress line */
} contest;

/* Compares everything that `only` selects with the device. CLI_FAULT where the device fails. */
int contest_run(contest *c);

/* Cases; of some, documents do not say what is right. */
typedef struct contest_counts {
    uint64_t all, same, different;
} contest_counts;

/* Recomputes a recording. */
int contest_replay(contest *c, const char *path, const recording *r, contest_counts *counts);

/* The first line of a kind of subject. */
void contest_print_titles(const contest *c, const char *what, const char *cases);
/* The whole table again, without the probes' line. */
void contest_print_rows(const contest *c);
/* How many answers to probes agree with which readings; nothing if there are none. */
void contest_print_probes(const contest *c);
void contest_json_probes(const contest *c, const char *name, cli_json *json);
/* The table's end: probes and what was left out. */
void contest_print(const contest *c);
/* Members of the object that is open in `json`. */
void contest_json(const contest *c, cli_json *json);
void contest_free(contest *c);

/* ---- What both use ---- */

/* --time-limit: reports a wrong one. */
int contest_read_limit(contest *c);
bool contest_is_late(const contest *c);

/* A batch of cases of a subject. */
typedef struct contest_batch {
    uint64_t first;
    size_t count, room; /* cases */
    uint32_t *in, *want, *got;
} contest_batch;

/* Results of a case are recorded in full up to CONTEST_LARGEST bytes; of small ones CONTEST_FULL_BYTES. */
enum {
    CONTEST_MOST_CASES = 100000000,
    CONTEST_BATCH = 256,
    CONTEST_MOST_OF_DIGEST = 1 << 16,
    CONTEST_FULL_BYTES = 2048,
    CONTEST_LARGEST = 4096
};
/* Cases that one digest covers, and that one part compares in a row: a batch, or of millions of cases many.
 */
uint64_t contest_chunk(uint64_t cases);

/* For a subject of so many cases. */
void contest_batch_open(contest_batch *b, const subject *s, uint64_t cases);
void contest_batch_close(contest_batch *b);
/* Operands, and what the emulator computes. */
bool contest_compute(const contest *c, subject *s, contest_batch *b, lw_error *error);
/* Counts what differs in `got`, and remembers the first difference in words. */
void contest_compare(contest_row *row, subject *s, const contest_batch *b);
/* A new row of the table; it is printed by contest_end_row. */
contest_row *contest_add_row(contest *c, const char *group, const char *name);
contest_row *contest_begin_row(contest *c, const subject *s, uint64_t cases);
void contest_end_row(const contest *c, const contest_row *row);
/* The subject of number c->done. */
void contest_leave_out(contest *c, const char *name, const char *why, bool refused);
/* The first chunk of subject c->done that is to be compared: chunks are dealt to the parts in turn. */
uint64_t contest_first_chunk(const contest *c);

#endif

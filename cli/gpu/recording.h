/* SPDX-License-Identifier: MIT */
/*
 * Recordings: what a device answered, small enough to keep. Operands are not stored: they follow from the
 * seed, the generator's version and the number of the case. The file is text, one item a line:
 *
 *     lanewise recording 1
 *     source: gpu                        ("emulator": made on a stand-in, which is evidence of nothing)
 *     api: cuda                          device:, target:, arch:, driver:, lanewise:, generator:, seed:,
 *                                        date:
 *     subject GROUP CASES WORDS NAME     CASES results of WORDS 32-bit words each follow, in order
 *     full N HEX                         of case N: eight digits for each word
 *     digest N COUNT HEX                 of the cases N to N + COUNT - 1: FNV-1a, 64 bits, of the words'
 * bytes end HEX                            FNV-1a of all bytes before this line
 */
#ifndef LW_CLI_GPU_RECORDING_H
#define LW_CLI_GPU_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { RECORDING_TEXT = 256 };

typedef struct recording_head {
    char source[RECORDING_TEXT], api[RECORDING_TEXT], device[RECORDING_TEXT], target[RECORDING_TEXT],
        arch[RECORDING_TEXT], driver[RECORDING_TEXT], lanewise[RECORDING_TEXT], generator[RECORDING_TEXT],
        seed[RECORDING_TEXT], date[RECORDING_TEXT];
} recording_head;

/* Results of one or more cases. */
typedef struct recording_item {
    uint64_t first, count;
    uint64_t digest;
    const char *full; /* the digits, not terminated; NULL: there is only a digest */
} recording_item;

typedef struct recording_subject {
    char *group, *name;
    uint64_t cases;
    size_t words; /* of a case */
    size_t first_item, item_count;
} recording_subject;

typedef struct recording {
    recording_head head;
    recording_subject *subject;
    size_t subject_count;
    recording_item *item;
    size_t item_count;
} recording;

/* Whether a file with this first line claims to be a recording. */
bool recording_recognise(const char *line, size_t length);

/*
 * Reads a whole file; `bytes` must stay valid. False, with a sentence that names the line, for everything
 * that the description above does not allow, a wrong digest at the end included. Free in any case.
 */
bool recording_read(const char *bytes, size_t size, recording *r, char why[RECORDING_TEXT]);
void recording_free(recording *r);

/* Word number `index` of an item that is given in full. */
uint32_t recording_word(const recording_item *item, size_t index);

/* Writing: head, then subjects, then the end. A write that fails is noticed at the end. */
typedef struct recording_writer {
    FILE *file;
    uint64_t hash;
} recording_writer;

void recording_begin(recording_writer *w, FILE *file, const recording_head *head);
/* A line of the head, "KEY: VALUE", and its reading back. False if there is no such line. */
bool recording_head_line(const recording_head *head, size_t index, char *line, size_t size);
bool recording_head_take(recording_head *head, size_t index, const char *line);
void recording_put_subject(recording_writer *w, const char *group, const char *name, uint64_t cases,
                           size_t words);
void recording_put_full(recording_writer *w, uint64_t number, const uint32_t *words, size_t count);
void recording_put_digest(recording_writer *w, uint64_t first, uint64_t count, uint64_t digest);
/* A line that one of these has written, without its end. */
void recording_put_line(recording_writer *w, const char *line, size_t length);
/* False if something was not written. Does not close the file. */
bool recording_end(recording_writer *w);

/* FNV-1a, 64 bits, of a text. */
uint64_t recording_text_hash(const char *text);
/* FNV-1a, 64 bits, of the words' bytes, lowest first, after those whose digest is `before`; of none:
 * RECORDING_NO_WORDS. */
uint64_t recording_digest(uint64_t before, const uint32_t *words, size_t count);
#define RECORDING_NO_WORDS UINT64_C(14695981039346656037)

#endif

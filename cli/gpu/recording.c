/* SPDX-License-Identifier: MIT */
#include "cli/gpu/recording.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

static const char first_line[] = "lanewise recording 1";

enum { MOST_WORDS = 1 << 16, WORD_DIGITS = 8, HASH_DIGITS = 16 };

/* The lines of the head, in order. */
static const struct head_row {
    const char *key;
    size_t offset;
} head_rows[] = {
    { "source", offsetof(recording_head, source) },     { "api", offsetof(recording_head, api) },
    { "device", offsetof(recording_head, device) },     { "target", offsetof(recording_head, target) },
    { "arch", offsetof(recording_head, arch) },         { "driver", offsetof(recording_head, driver) },
    { "lanewise", offsetof(recording_head, lanewise) }, { "generator", offsetof(recording_head, generator) },
    { "seed", offsetof(recording_head, seed) },         { "date", offsetof(recording_head, date) },
};

/* ---- Digests ---- */

static const uint64_t hash_start = RECORDING_NO_WORDS;

static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ at[i]) * UINT64_C(1099511628211);
    return hash;
}

uint64_t recording_text_hash(const char *text)
{
    return hash_bytes(hash_start, text, strlen(text));
}

uint64_t recording_digest(uint64_t hash, const uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        unsigned char bytes[4];
        for (unsigned byte = 0; byte < sizeof(bytes); byte++)
            bytes[byte] = (unsigned char)(words[i] >> 8 * byte);
        hash = hash_bytes(hash, bytes, sizeof(bytes));
    }
    return hash;
}

/* ---- Writing ---- */

static void put(recording_writer *w, const char *format, ...)
{
    char text[2 * RECORDING_TEXT + 64];
    va_list rest;
    va_start(rest, format);
    vsnprintf(text, sizeof(text), format, rest);
    va_end(rest);
    w->hash = hash_bytes(w->hash, text, strlen(text));
    fputs(text, w->file);
}

void recording_begin(recording_writer *w, FILE *file, const recording_head *head)
{
    *w = (recording_writer){ .file = file, .hash = hash_start };
    char line[2 * RECORDING_TEXT];
    put(w, "%s\n", first_line);
    for (size_t i = 0; recording_head_line(head, i, line, sizeof(line)); i++)
        put(w, "%s\n", line);
}

bool recording_head_line(const recording_head *head, size_t index, char *line, size_t size)
{
    if (index >= CLI_COUNT(head_rows))
        return false;
    snprintf(line, size, "%s: %s", head_rows[index].key, (const char *)head + head_rows[index].offset);
    return true;
}

bool recording_head_take(recording_head *head, size_t index, const char *line)
{
    const char *key = index < CLI_COUNT(head_rows) ? head_rows[index].key : "";
    const size_t length = strlen(key);
    if (!length || strncmp(line, key, length) != 0 || strncmp(line + length, ": ", 2) != 0 ||
        strlen(line + length + 2) >= RECORDING_TEXT)
        return false;
    strcpy((char *)head + head_rows[index].offset, line + length + 2);
    return true;
}

void recording_put_subject(recording_writer *w, const char *group, const char *name, uint64_t cases,
                           size_t words)
{
    put(w, "subject %s %llu %zu %s\n", group, (unsigned long long)cases, words, name);
}

void recording_put_full(recording_writer *w, uint64_t number, const uint32_t *words, size_t count)
{
    put(w, "full %llu ", (unsigned long long)number);
    for (size_t i = 0; i < count; i++)
        put(w, "%08x", (unsigned)words[i]);
    put(w, "\n");
}

void recording_put_digest(recording_writer *w, uint64_t first, uint64_t count, uint64_t digest)
{
    put(w, "digest %llu %llu %016llx\n", (unsigned long long)first, (unsigned long long)count,
        (unsigned long long)digest);
}

void recording_put_line(recording_writer *w, const char *line, size_t length)
{
    w->hash = hash_bytes(w->hash, line, length);
    w->hash = hash_bytes(w->hash, "\n", 1);
    fwrite(line, 1, length, w->file);
    fputc('\n', w->file);
}

bool recording_end(recording_writer *w)
{
    fprintf(w->file, "end %016llx\n", (unsigned long long)w->hash);
    return fflush(w->file) == 0 && !ferror(w->file);
}

/* ---- Reading ---- */

typedef struct reader {
    const char *at, *end; /* the rest, without the last line */
    size_t line;          /* number of the line that was taken */
    const char *from, *to;
    uint64_t next; /* the case that the next item must begin with */
    recording *r;
    char *why;
} reader;

static bool fail(const reader *t, const char *what)
{
    snprintf(t->why, RECORDING_TEXT, "line %zu: %s", t->line, what);
    return false;
}

static bool take_line(reader *t)
{
    if (t->at == t->end)
        return false;
    const char *newline = memchr(t->at, '\n', (size_t)(t->end - t->at));
    t->from = t->at;
    t->to = newline ? newline : t->end;
    t->at = newline ? newline + 1 : t->end;
    t->line++;
    return true;
}

/* A word and the blank after it, or all that is left of the line if `last`. */
static bool take_word(reader *t, bool last, const char **word, size_t *length)
{
    const char *blank = last ? t->to : memchr(t->from, ' ', (size_t)(t->to - t->from));
    if (!blank || blank == t->from)
        return false;
    *word = t->from;
    *length = (size_t)(blank - t->from);
    t->from = last ? t->to : blank + 1;
    return true;
}

static bool take_prefix(reader *t, const char *prefix)
{
    const size_t length = strlen(prefix);
    if ((size_t)(t->to - t->from) < length || memcmp(t->from, prefix, length) != 0)
        return false;
    t->from += length;
    return true;
}

static bool take_number(reader *t, uint64_t *value)
{
    enum { MOST_DIGITS = 18 };
    const char *word;
    size_t length;
    *value = 0;
    if (!take_word(t, false, &word, &length) || length > MOST_DIGITS)
        return false;
    for (size_t i = 0; i < length; i++) {
        if (word[i] < '0' || word[i] > '9')
            return false;
        *value = 10 * *value + (uint64_t)(word[i] - '0');
    }
    return true;
}

static int digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* `count` lower-case hexadecimal digits; false for any other character. */
static bool read_hex(const char *text, size_t count, uint64_t *value)
{
    *value = 0;
    for (size_t i = 0; i < count; i++) {
        if (digit(text[i]) < 0)
            return false;
        *value = *value << 4 | (uint64_t)digit(text[i]);
    }
    return true;
}

/* The last line, and whether the bytes before it are those that were written. */
static bool check_end(reader *t, const char *bytes, size_t size)
{
    enum { LENGTH = 4 + HASH_DIGITS + 1 };
    uint64_t hash;
    if (size < LENGTH || memcmp(bytes + size - LENGTH, "end ", 4) != 0 || bytes[size - 1] != '\n' ||
        !read_hex(bytes + size - LENGTH + 4, HASH_DIGITS, &hash)) {
        snprintf(t->why, RECORDING_TEXT, "its end is missing: the file is truncated");
        return false;
    }
    t->end = bytes + size - LENGTH;
    if (hash_bytes(hash_start, bytes, size - LENGTH) == hash)
        return true;
    snprintf(t->why, RECORDING_TEXT, "the digest at its end does not agree: the file is damaged");
    return false;
}

static bool read_head(reader *t)
{
    if (!take_line(t) || !recording_recognise(t->from, (size_t)(t->to - t->from)))
        return fail(t, "not a recording of this version");
    for (size_t i = 0; i < CLI_COUNT(head_rows); i++) {
        char *field = (char *)&t->r->head + head_rows[i].offset;
        const bool taken = take_line(t) && take_prefix(t, head_rows[i].key) && take_prefix(t, ": ");
        const size_t length = taken ? (size_t)(t->to - t->from) : 0;
        if (!taken || length >= RECORDING_TEXT || memchr(t->from, '\0', length)) {
            snprintf(t->why, RECORDING_TEXT, "line %zu: needs '%s: TEXT'", t->line, head_rows[i].key);
            return false;
        }
        memcpy(field, t->from, length);
        field[length] = '\0';
    }
    return true;
}

/* Makes room for one more: sizes grow by doubling, and `count` says when. */
static void *grow(void *array, size_t count, size_t size)
{
    return count & (count - 1) ? array : cli_grow(array, (count ? 2 * count : 1) * size);
}

static bool end_subject(reader *t)
{
    const recording_subject *s = t->r->subject_count ? &t->r->subject[t->r->subject_count - 1] : NULL;
    return !s || t->next == s->cases || fail(t, "the cases before this line are not complete");
}

static bool read_subject(reader *t)
{
    recording *r = t->r;
    recording_subject s = { .first_item = r->item_count };
    const char *group, *name;
    size_t group_length, name_length;
    uint64_t words;
    if (!take_word(t, false, &group, &group_length) || !take_number(t, &s.cases) || !take_number(t, &words) ||
        !take_word(t, true, &name, &name_length) || !s.cases || !words || words > MOST_WORDS ||
        memchr(group, '\0', group_length) || memchr(name, '\0', name_length))
        return fail(t, "needs 'subject GROUP CASES WORDS NAME'");
    if (!end_subject(t))
        return false;
    s.words = (size_t)words;
    s.group = cli_copy(group, group_length);
    s.name = cli_copy(name, name_length);
    r->subject = grow(r->subject, r->subject_count, sizeof(*r->subject));
    r->subject[r->subject_count++] = s;
    t->next = 0;
    return true;
}

static bool read_full(reader *t, const recording_subject *s, recording_item *item)
{
    uint64_t word;
    if (!take_number(t, &item->first) || (size_t)(t->to - t->from) != s->words * WORD_DIGITS)
        return false;
    item->count = 1;
    item->full = t->from;
    for (size_t i = 0; i < s->words; i++)
        if (!read_hex(t->from + i * WORD_DIGITS, WORD_DIGITS, &word))
            return false;
    return true;
}

static bool read_digest(reader *t, recording_item *item)
{
    return take_number(t, &item->first) && take_number(t, &item->count) && t->to - t->from == HASH_DIGITS &&
           read_hex(t->from, HASH_DIGITS, &item->digest) && item->count > 0;
}

static bool read_item(reader *t, bool full)
{
    recording *r = t->r;
    recording_item item = { .full = NULL };
    recording_subject *s = r->subject_count ? &r->subject[r->subject_count - 1] : NULL;
    if (!s)
        return fail(t, "results before the first subject");
    if (!(full ? read_full(t, s, &item) : read_digest(t, &item)))
        return fail(t, full ? "needs 'full N' and eight digits for each word" : "needs 'digest N COUNT HEX'");
    if (item.first != t->next || item.count > s->cases - item.first)
        return fail(t, "its cases do not follow those before");
    t->next += item.count;
    r->item = grow(r->item, r->item_count, sizeof(*r->item));
    r->item[r->item_count++] = item;
    s->item_count++;
    return true;
}

static bool read_line(reader *t)
{
    if (take_prefix(t, "subject "))
        return read_subject(t);
    if (take_prefix(t, "full "))
        return read_item(t, true);
    if (take_prefix(t, "digest "))
        return read_item(t, false);
    return fail(t, "neither 'subject', 'full' nor 'digest'");
}

bool recording_recognise(const char *line, size_t length)
{
    while (length && (line[length - 1] == '\n' || line[length - 1] == '\r'))
        length--;
    return length == sizeof(first_line) - 1 && memcmp(line, first_line, length) == 0;
}

bool recording_read(const char *bytes, size_t size, recording *r, char why[RECORDING_TEXT])
{
    reader t = { .at = bytes, .r = r, .why = why };
    *r = (recording){ .subject = NULL };
    if (!check_end(&t, bytes, size) || !read_head(&t))
        return false;
    while (take_line(&t))
        if (!read_line(&t))
            return false;
    return end_subject(&t);
}

void recording_free(recording *r)
{
    for (size_t i = 0; i < r->subject_count; i++) {
        free(r->subject[i].group);
        free(r->subject[i].name);
    }
    free(r->subject);
    free(r->item);
    *r = (recording){ .subject = NULL };
}

uint32_t recording_word(const recording_item *item, size_t index)
{
    uint64_t word = 0;
    (void)read_hex(item->full + index * WORD_DIGITS, WORD_DIGITS, &word);
    return (uint32_t)word;
}

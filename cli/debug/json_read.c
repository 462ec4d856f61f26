/* SPDX-License-Identifier: MIT */
#include "cli/debug/json_read.h"

#include <stdlib.h>
#include <string.h>

typedef struct reader {
    const unsigned char *at, *end, *begin;
    json_document *document;
    json_node *node; /* the next free one */
    char *text;      /* the next free byte */
    const char *why;
} reader;

static bool refuse(reader *r, const char *why)
{
    if (!r->why)
        r->why = why;
    return false;
}

static void skip_blanks(reader *r)
{
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\n' || *r->at == '\r'))
        r->at++;
}

static bool take(reader *r, unsigned char c)
{
    const bool there = r->at < r->end && *r->at == c;
    r->at += there;
    return there;
}

/* ---- Strings ---- */

static void put_point(reader *r, uint32_t point)
{
    char *t = r->text;
    if (point < 0x80) {
        *t++ = (char)point;
    } else if (point < 0x800) {
        *t++ = (char)(0xc0 | point >> 6);
        *t++ = (char)(0x80 | (point & 0x3f));
    } else if (point < 0x10000) {
        *t++ = (char)(0xe0 | point >> 12);
        *t++ = (char)(0x80 | (point >> 6 & 0x3f));
        *t++ = (char)(0x80 | (point & 0x3f));
    } else {
        *t++ = (char)(0xf0 | point >> 18);
        *t++ = (char)(0x80 | (point >> 12 & 0x3f));
        *t++ = (char)(0x80 | (point >> 6 & 0x3f));
        *t++ = (char)(0x80 | (point & 0x3f));
    }
    r->text = t;
}

static bool read_unit(reader *r, uint32_t *unit)
{
    *unit = 0;
    for (int i = 0; i < 4; i++) {
        const unsigned char c = r->at < r->end ? *r->at : 0;
        const int digit = c >= '0' && c <= '9'   ? c - '0'
                          : c >= 'a' && c <= 'f' ? c - 'a' + 10
                          : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                 : -1;
        if (digit < 0)
            return refuse(r, "four hexadecimal digits must follow \\u");
        *unit = *unit << 4 | (uint32_t)digit;
        r->at++;
    }
    return true;
}

/* \uXXXX, perhaps two of them. */
static bool read_point(reader *r)
{
    uint32_t unit, low;
    if (!read_unit(r, &unit))
        return false;
    if (unit >= 0xdc00 && unit < 0xe000)
        return refuse(r, "the second half of a surrogate pair without the first");
    if (unit >= 0xd800 && unit < 0xdc00) {
        if (!take(r, '\\') || !take(r, 'u') || !read_unit(r, &low) || low < 0xdc00 || low >= 0xe000)
            return refuse(r, "the first half of a surrogate pair without the second");
        unit = 0x10000 + ((unit - 0xd800) << 10 | (low - 0xdc00));
    }
    put_point(r, unit ? unit : 0xfffd);
    return true;
}

static bool read_escape(reader *r)
{
    static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    const char c = r->at < r->end ? (char)*r->at++ : '\0';
    const char *found = c ? strchr(names, c) : NULL;
    if (c == 'u')
        return read_point(r);
    if (!found)
        return refuse(r, "no such escape");
    *r->text++ = values[found - names];
    return true;
}

/* Bytes of the UTF-8 character here; 0 if it is not one. */
static size_t utf8_size(const reader *r)
{
    const unsigned char *p = r->at;
    const size_t size = *p < 0x80 ? 1 : *p < 0xc2 ? 0 : *p < 0xe0 ? 2 : *p < 0xf0 ? 3 : *p < 0xf5 ? 4 : 0;
    if (size > (size_t)(r->end - p))
        return 0;
    for (size_t i = 1; i < size; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    if (size == 3 && ((*p == 0xe0 && p[1] < 0xa0) || (*p == 0xed && p[1] > 0x9f)))
        return 0;
    return size == 4 && ((*p == 0xf0 && p[1] < 0x90) || (*p == 0xf4 && p[1] > 0x8f)) ? 0 : size;
}

/* After the opening quote. NULL after refusing. */
static const char *read_string(reader *r)
{
    const char *begin = r->text;
    while (r->at < r->end && *r->at != '"') {
        if (*r->at == '\\') {
            r->at++;
            if (!read_escape(r))
                return NULL;
            continue;
        }
        const size_t size = utf8_size(r);
        if (*r->at < 0x20 || !size) {
            refuse(r, *r->at < 0x20 ? "a control character in a string" : "a string that is not UTF-8");
            return NULL;
        }
        memcpy(r->text, r->at, size);
        r->text += size;
        r->at += size;
    }
    if (!take(r, '"')) {
        refuse(r, "a string without an end");
        return NULL;
    }
    *r->text++ = '\0';
    return begin;
}

/* ---- Numbers and words ---- */

static size_t skip_digits(reader *r)
{
    const unsigned char *from = r->at;
    while (r->at < r->end && *r->at >= '0' && *r->at <= '9')
        r->at++;
    return (size_t)(r->at - from);
}

static bool read_number(reader *r, json_node *node)
{
    const bool negative = take(r, '-');
    const unsigned char *digits = r->at;
    const size_t count = skip_digits(r);
    node->kind = JSON_NUMBER;
    if (!count || (count > 1 && *digits == '0'))
        return refuse(r, "not a number");
    node->whole = count <= 18;
    for (size_t i = 0; node->whole && i < count; i++)
        node->number = 10 * node->number + (digits[i] - '0');
    node->number = negative ? -node->number : node->number;
    if (take(r, '.')) {
        node->whole = false;
        if (!skip_digits(r))
            return refuse(r, "digits must follow the point");
    }
    if (take(r, 'e') || take(r, 'E')) {
        node->whole = false;
        if (!take(r, '+'))
            take(r, '-');
        if (!skip_digits(r))
            return refuse(r, "digits must follow the exponent's e");
    }
    return true;
}

static bool read_word(reader *r, json_node *node)
{
    static const struct {
        const char *word;
        json_kind kind;
    } words[] = { { "null", JSON_NULL }, { "false", JSON_FALSE }, { "true", JSON_TRUE } };
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        const size_t length = strlen(words[i].word);
        if ((size_t)(r->end - r->at) < length || memcmp(r->at, words[i].word, length) != 0)
            continue;
        r->at += length;
        node->kind = words[i].kind;
        return true;
    }
    return refuse(r, "not a value");
}

/* ---- Values ---- */

static bool read_value(reader *r, json_node *node, unsigned depth);

static bool read_members(reader *r, json_node *node, unsigned char close, unsigned depth)
{
    json_node **link = &node->first;
    if (depth == JSON_DEPTH)
        return refuse(r, "objects and arrays more than 64 deep");
    skip_blanks(r);
    if (take(r, close))
        return true;
    do {
        json_node *member = r->node++;
        *link = member;
        link = &member->next;
        skip_blanks(r);
        if (close == '}') {
            if (!take(r, '"'))
                return refuse(r, "a member's name must be a string");
            if (!(member->key = read_string(r)))
                return false;
            skip_blanks(r);
            if (!take(r, ':'))
                return refuse(r, "a colon must follow a member's name");
        }
        if (!read_value(r, member, depth + 1))
            return false;
        skip_blanks(r);
    } while (take(r, ','));
    return take(r, close) || refuse(r, close == '}' ? "an object without an end" : "an array without an end");
}

static bool read_value(reader *r, json_node *node, unsigned depth)
{
    skip_blanks(r);
    if (r->at == r->end)
        return refuse(r, "a value is missing");
    if (take(r, '{')) {
        node->kind = JSON_OBJECT;
        return read_members(r, node, '}', depth);
    }
    if (take(r, '[')) {
        node->kind = JSON_ARRAY;
        return read_members(r, node, ']', depth);
    }
    if (take(r, '"')) {
        node->kind = JSON_STRING;
        node->text = read_string(r);
        return node->text != NULL;
    }
    return *r->at == '-' || (*r->at >= '0' && *r->at <= '9') ? read_number(r, node) : read_word(r, node);
}

bool json_read(const char *bytes, size_t size, json_document *document)
{
    /* Each value but the first follows a bracket or a comma, and no text is longer than what is written; an
     * escape of six bytes becomes at most three. */
    size_t nodes = 1;
    for (size_t i = 0; i < size; i++)
        nodes += bytes[i] == ',' || bytes[i] == '[' || bytes[i] == '{';
    *document = (json_document){ .nodes = calloc(nodes + 1, sizeof(json_node)), .texts = malloc(size + 1) };
    reader r = { .at = (const unsigned char *)bytes, .document = document };
    if (!document->nodes || !document->texts) {
        document->why = "no host memory";
        return false;
    }
    r.begin = r.at;
    r.end = r.at + size;
    r.node = document->nodes + 1;
    r.text = document->texts;
    bool good = read_value(&r, document->nodes, 0);
    skip_blanks(&r);
    if (good && r.at != r.end)
        good = refuse(&r, "something follows the value");
    document->why = r.why;
    document->at = (size_t)(r.at - r.begin);
    return good;
}

void json_free(json_document *document)
{
    free(document->nodes);
    free(document->texts);
    *document = (json_document){ .nodes = NULL };
}

const json_node *json_get(const json_node *object, const char *key)
{
    if (!object || object->kind != JSON_OBJECT)
        return NULL;
    for (const json_node *n = object->first; n; n = n->next)
        if (strcmp(n->key, key) == 0)
            return n;
    return NULL;
}

const char *json_text(const json_node *node)
{
    return node && node->kind == JSON_STRING ? node->text : NULL;
}

bool json_whole(const json_node *node, int64_t *number)
{
    const bool there = node && node->kind == JSON_NUMBER && node->whole;
    if (there)
        *number = node->number;
    return there;
}

bool json_is_true(const json_node *node)
{
    return node && node->kind == JSON_TRUE;
}

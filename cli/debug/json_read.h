/* SPDX-License-Identifier: MIT */
/* Reads JSON (RFC 8259). Needs nothing but the C library, and a bounded amount of memory for bounded input.
 */
#ifndef LW_CLI_DEBUG_JSON_READ_H
#define LW_CLI_DEBUG_JSON_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { JSON_DEPTH = 64 /* objects and arrays within each other */ };

typedef enum json_kind {
    JSON_NULL,
    JSON_FALSE,
    JSON_TRUE,
    JSON_NUMBER,
    JSON_STRING,
    JSON_ARRAY,
    JSON_OBJECT,
} json_kind;

typedef struct json_node {
    json_kind kind;
    bool whole;              /* JSON_NUMBER: it is an integer that fits */
    int64_t number;          /* if so */
    const char *key;         /* members of objects; else NULL */
    const char *text;        /* JSON_STRING: in UTF-8; a NUL in it has become U+FFFD */
    struct json_node *first; /* JSON_ARRAY, JSON_OBJECT: NULL if it is empty */
    struct json_node *next;  /* the next one in the same array or object */
} json_node;

typedef struct json_document {
    json_node *nodes; /* the first one is the value */
    char *texts;
    const char *why; /* if it was refused */
    size_t at;       /* the byte where it was */
} json_document;

/* False if the bytes are not exactly one value; `why` and `at` say what is wrong. Free it in every case. */
bool json_read(const char *bytes, size_t size, json_document *document);
void json_free(json_document *document);

/* All take NULL. The first member of that name; NULL if there is none. */
const json_node *json_get(const json_node *object, const char *key);
const char *json_text(const json_node *node); /* NULL if it is no string */
bool json_whole(const json_node *node, int64_t *number);
bool json_is_true(const json_node *node);

#endif

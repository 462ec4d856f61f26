/* SPDX-License-Identifier: MIT */
/* Writes JSON with commas and escapes in the right places. Keys are NULL inside arrays. */
#ifndef LW_CLI_JSON_H
#define LW_CLI_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct cli_json {
    FILE *out;
    unsigned depth;
    bool filled; /* the innermost open object or array has a member already */
    bool broken; /* the last value written was an object: the bracket around it goes on a new line */
} cli_json;

void json_open(cli_json *json, const char *key, char bracket); /* '{' or '[' */
void json_close(cli_json *json, char bracket);                 /* '}' or ']'; the outermost ends the line */
void json_string(cli_json *json, const char *key, const char *text); /* NULL becomes null */
void json_int(cli_json *json, const char *key, int64_t value);
void json_uint(cli_json *json, const char *key, uint64_t value);
void json_seconds(cli_json *json, const char *key, double seconds);
void json_bool(cli_json *json, const char *key, bool value);
void json_hex(cli_json *json, const char *key, uint64_t value, unsigned digits); /* as "0x..." */

#endif

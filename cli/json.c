/* SPDX-License-Identifier: MIT */
#include <inttypes.h>

#include "cli/json.h"

/* Length in bytes of the UTF-8 character at `p`; 0 if it is not valid: file names may hold any bytes. */
static int utf8_length(const unsigned char *p)
{
    const int length = *p < 0x80 ? 1 : *p < 0xc2 ? 0 : *p < 0xe0 ? 2 : *p < 0xf0 ? 3 : *p < 0xf5 ? 4 : 0;
    for (int i = 1; i < length; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    if (length == 3 && ((*p == 0xe0 && p[1] < 0xa0) || (*p == 0xed && p[1] > 0x9f)))
        return 0;
    return length == 4 && ((*p == 0xf0 && p[1] < 0x90) || (*p == 0xf4 && p[1] > 0x8f)) ? 0 : length;
}

static void put_text(FILE *out, const char *text)
{
    fputc('"', out);
    for (const unsigned char *p = (const unsigned char *)text; *p;) {
        const int length = utf8_length(p);
        if (*p == '"' || *p == '\\')
            fprintf(out, "\\%c", *p);
        else if (*p < 0x20)
            fprintf(out, "\\u%04x", *p);
        else if (length == 0)
            fputs("\\ufffd", out);
        else
            fwrite(p, 1, (size_t)length, out);
        p += length ? length : 1;
    }
    fputc('"', out);
}

/* The comma, newline and key that precede a value. Lists of plain numbers stay on one line. */
static void begin_value(cli_json *json, const char *key, bool breaks)
{
    if (json->filled)
        fputs(key || breaks ? "," : ", ", json->out);
    if (key) {
        fprintf(json->out, "\n%*s", (int)json->depth * 2, "");
        put_text(json->out, key);
        fputs(": ", json->out);
    }
    json->filled = true;
    json->broken = false;
}

static void new_line(const cli_json *json)
{
    fprintf(json->out, "\n%*s", (int)json->depth * 2, "");
}

void json_open(cli_json *json, const char *key, char bracket)
{
    const bool breaks = !key && bracket == '{' && json->depth > 0;
    begin_value(json, key, breaks);
    if (breaks)
        new_line(json);
    fputc(bracket, json->out);
    json->depth++;
    json->filled = false;
}

void json_close(cli_json *json, char bracket)
{
    json->depth--;
    if (json->filled && (bracket == '}' || json->broken))
        new_line(json);
    fputc(bracket, json->out);
    json->filled = true;
    json->broken = bracket == '}';
    if (json->depth == 0)
        fputc('\n', json->out);
}

void json_string(cli_json *json, const char *key, const char *text)
{
    begin_value(json, key, false);
    if (text)
        put_text(json->out, text);
    else
        fputs("null", json->out);
}

void json_int(cli_json *json, const char *key, int64_t value)
{
    begin_value(json, key, false);
    fprintf(json->out, "%" PRId64, value);
}

void json_uint(cli_json *json, const char *key, uint64_t value)
{
    begin_value(json, key, false);
    fprintf(json->out, "%" PRIu64, value);
}

void json_seconds(cli_json *json, const char *key, double seconds)
{
    begin_value(json, key, false);
    fprintf(json->out, "%.6f", seconds);
}

void json_bool(cli_json *json, const char *key, bool value)
{
    begin_value(json, key, false);
    fputs(value ? "true" : "false", json->out);
}

void json_hex(cli_json *json, const char *key, uint64_t value, unsigned digits)
{
    begin_value(json, key, false);
    fprintf(json->out, "\"0x%0*" PRIx64 "\"", (int)digits, value);
}

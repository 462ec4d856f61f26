/* SPDX-License-Identifier: MIT */
#include "cli/inputs.h"

#include <lanewise/version.h>

#include "cli/file.h"

/* From the file's position to its end. False if it cannot be read. */
static bool hash_file(FILE *file, char text[LW_SHA256_TEXT])
{
    lw_sha256 hash;
    uint8_t bytes[4096];
    size_t got;
    lw_sha256_begin(&hash);
    while ((got = fread(bytes, 1, sizeof(bytes), file)) > 0)
        lw_sha256_add(&hash, bytes, got);
    lw_sha256_end(&hash, NULL, text);
    return !ferror(file);
}

int input_hash(const cli_call *call, const char *path, input_file *input)
{
    const char *why;
    FILE *file = file_open(path, &why);
    if (!file)
        return cli_fail(call, CLI_USAGE, "%s: cannot be opened: %s", path, why);
    const bool read = hash_file(file, input->sha256);
    fclose(file);
    if (!read)
        return cli_fail(call, CLI_USAGE, "%s: cannot be read", path);
    input->path = path;
    return CLI_FINE;
}

void input_report(const input_file *inputs, size_t count, cli_json *json)
{
    json_string(json, "lanewise", LW_VERSION_STRING);
    json_open(json, "inputs", '[');
    for (size_t i = 0; i < count; i++) {
        json_open(json, NULL, '{');
        json_string(json, "path", inputs[i].path);
        json_string(json, "sha256", inputs[i].sha256);
        json_close(json, '}');
    }
    json_close(json, ']');
}

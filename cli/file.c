/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/file.h"

enum { FIRST_ROOM = 1 << 16 };

int file_read(const cli_call *call, const char *path, uint8_t **bytes, size_t *size)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        return cli_fail(call, CLI_USAGE, "cannot open %s: %s", path, strerror(errno));

    size_t room = FIRST_ROOM, used = 0, got;
    uint8_t *data = cli_alloc(room);
    errno = 0;
    while ((got = fread(data + used, 1, room - used, f)) > 0) {
        used += got;
        if (used == room)
            data = cli_grow(data, room *= 2);
    }
    const bool failed = ferror(f);
    const int why = errno;
    fclose(f);
    if (failed) {
        free(data);
        return cli_fail(call, CLI_USAGE, "cannot read %s: %s", path, why ? strerror(why) : "read error");
    }
    *bytes = data;
    *size = used;
    return CLI_FINE;
}

void file_split(const char *word, char **path, const char **kernel)
{
    const char *colon = strrchr(word, ':');
    /* "file.co:ns::kernel": the kernel's own colons come in pairs. */
    while (colon && colon > word && colon[-1] == ':') {
        colon -= 2;
        while (colon > word && *colon != ':')
            colon--;
        colon = colon > word ? colon : NULL;
    }
    if (!colon || access(word, F_OK) == 0) {
        *path = cli_copy(word, strlen(word));
        *kernel = NULL;
        return;
    }
    *path = cli_copy(word, (size_t)(colon - word));
    *kernel = colon + 1;
}

const char *file_arg_kind(lw_arg_kind kind)
{
    switch (kind) {
    case LW_ARG_VALUE:
        return "value";
    case LW_ARG_BUFFER:
        return "buffer";
    case LW_ARG_LDS:
        return "LDS pointer";
    case LW_ARG_HIDDEN:
        return "hidden";
    case LW_ARG_PADDING:
        return "padding";
    case LW_ARG_OTHER:
        break;
    }
    return "unsupported";
}

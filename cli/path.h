/* SPDX-License-Identifier: MIT */
/* Files, whatever their paths are spelt like. */
#ifndef LW_CLI_PATH_H
#define LW_CLI_PATH_H

#include <stdbool.h>

/* What stands at a path, links followed. */
typedef enum path_kind {
    PATH_ABSENT,   /* nothing */
    PATH_FILE,     /* a regular file */
    PATH_FOLDER,   /* a folder */
    PATH_SPECIAL,  /* a pipe, a device, a socket: cannot be replaced, only written */
    PATH_DANGLING, /* a link that leads nowhere, or in a circle */
} path_kind;

path_kind path_look(const char *path);

/*
 * Would the two paths be one regular file? They are where both exist and are the same file (through links,
 * hard ones too), or where neither exists and they have the same name in the same folder. Pipes and devices
 * are never the same file: writing to them replaces nothing.
 */
bool path_same(const char *a, const char *b);

/* The folder part of a path, "." where it has none; to be freed. */
char *path_folder(const char *path);

/* The path of the file itself: links followed where it exists, otherwise `path`; to be freed. */
char *path_target(const char *path);

#endif

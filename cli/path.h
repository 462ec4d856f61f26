/* SPDX-License-Identifier: MIT */
/* Comparing and resolving files, however their paths are spelt. */
#ifndef LW_CLI_PATH_H
#define LW_CLI_PATH_H

#include <stdbool.h>

/* What is at a path, links followed. */
typedef enum path_kind {
    PATH_ABSENT,   /* nothing */
    PATH_FILE,     /* a regular file */
    PATH_FOLDER,   /* a folder */
    PATH_SPECIAL,  /* a pipe, a device, a socket: cannot be replaced, only written */
    PATH_DANGLING, /* a link whose target does not exist, or a circle of links */
} path_kind;

path_kind path_look(const char *path);

/*
 * Whether the two paths are one regular file: both exist and are the same file (through links, hard ones
 * too), or neither exists and they have the same name in the same folder. Pipes and devices never count as
 * the same file: writing to them replaces nothing.
 */
bool path_same(const char *a, const char *b);

/* The folder part of a path, "." if it has none; the caller frees it. */
char *path_folder(const char *path);

/* The path of the file itself: links resolved if it exists, otherwise `path`; the caller frees it. */
char *path_target(const char *path);

#endif

/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700 /* realpath */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/cli.h"
#include "cli/path.h"

path_kind path_look(const char *path)
{
    struct stat st;
    if (stat(path, &st) != 0)
        return lstat(path, &st) == 0 ? PATH_DANGLING : PATH_ABSENT;
    if (S_ISDIR(st.st_mode))
        return PATH_FOLDER;
    return S_ISREG(st.st_mode) ? PATH_FILE : PATH_SPECIAL;
}

char *path_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash)
        return cli_copy(".", 1);
    return cli_copy(path, slash == path ? 1 : (size_t)(slash - path));
}

char *path_target(const char *path)
{
    char *target = realpath(path, NULL);
    return target ? target : cli_copy(path, strlen(path));
}

static bool same_node(const char *a, const char *b)
{
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool path_same(const char *a, const char *b)
{
    const path_kind kind = path_look(a);
    if (kind != path_look(b))
        return false;
    if (kind == PATH_FILE)
        return same_node(a, b);
    if (kind != PATH_ABSENT || strcmp(base_name(a), base_name(b)) != 0)
        return false;
    char *folder_a = path_folder(a), *folder_b = path_folder(b);
    const bool same = same_node(folder_a, folder_b);
    free(folder_a);
    free(folder_b);
    return same;
}

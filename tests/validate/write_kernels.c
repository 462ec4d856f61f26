/* SPDX-License-Identifier: MIT */
/*
 * Writes the kernels of `lanewise validate --device`, for other tools to judge.
 *   write_kernels ARCH DIR [GROUP]: a file N.ptx or N.co for each subject, of a probe also N.txt with what it
 * asks; prints "N LANES GROUP NAME" for each
 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli/gpu/subject.h"

void *cli_alloc(size_t size)
{
    return cli_grow(NULL, size);
}

void *cli_grow(void *old, size_t size)
{
    void *memory = realloc(old, size ? size : 1);
    if (!memory)
        abort();
    return memory;
}

typedef struct writing {
    lw_arch arch;
    const subject_group *group;
    const char *folder;
    unsigned count;
} writing;

static int write_one(void *context, const char *name)
{
    writing *w = context;
    subject s;
    lw_error error;
    if (subject_open(w->group, name, w->arch, &s, &error)) {
        char path[4096];
        const bool ptx = strcmp(lw_arch_get(w->arch)->vendor, "NVIDIA") == 0;
        snprintf(path, sizeof(path), "%s/%u.%s", w->folder, w->count, ptx ? "ptx" : "co");
        FILE *file = fopen(path, "wb");
        if (!file || fwrite(s.image, 1, s.image_size, file) != s.image_size || fclose(file) != 0)
            return 2;
        snprintf(path, sizeof(path), "%s/%u.txt", w->folder, w->count);
        if (s.probe &&
            (!(file = fopen(path, "w")) || fputs(probe_kernel(s.probe), file) < 0 || fclose(file) != 0))
            return 2;
        printf("%u %u %s %s\n", w->count++, s.lanes, w->group->name, name);
    }
    subject_close(&s);
    return 0;
}

int main(int argc, char **argv)
{
    writing w = { .folder = argc > 2 ? argv[2] : "." };
    int exit = 0;
    if (argc < 3 || lw_arch_find(argv[1], &w.arch) != LW_OK)
        return 2;
    for (size_t i = 0; (w.group = subject_group_at(i)) != NULL && !exit; i++)
        if (argc < 4 || strcmp(argv[3], w.group->name) == 0)
            exit = w.group->each(w.arch, write_one, &w);
    return exit;
}

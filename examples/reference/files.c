/* SPDX-License-Identifier: MIT */
#include "files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Noreturn void fail(const char *what, const char *why)
{
    fprintf(stderr, "gemm_reference: %s: %s\n", what, why);
    exit(2);
}

static array allocate(const char *type, const size_t *shape, size_t dims)
{
    array a = { .dims = dims, .item = (size_t)(type[2] - '0'), .count = 1 };
    memcpy(a.type, type, 4);
    for (size_t i = 0; i < dims; i++) {
        a.shape[i] = shape[i];
        a.count *= shape[i];
    }
    a.data = calloc(a.count ? a.count : 1, a.item);
    if (!a.data)
        fail("array", "out of memory");
    return a;
}

array array_new(const char *type, size_t rows, size_t cols)
{
    return allocate(type, (size_t[]){ rows, cols }, 2);
}

array array_new_flat(const char *type, size_t count)
{
    return allocate(type, &count, 1);
}

void array_free(array *a)
{
    free(a->data);
    a->data = NULL;
}

static FILE *open_in(const char *dir, const char *name, const char *mode)
{
    char path[4096];
    const int n = snprintf(path, sizeof(path), "%s/%s", dir, name);
    if (n < 0 || (size_t)n >= sizeof(path))
        fail(name, "path too long");
    FILE *f = fopen(path, mode);
    if (!f)
        fail(path, "cannot open");
    return f;
}

/* Format version 1.0: magic, version, header length, a Python dictionary padded to 64 bytes. */
void array_write(const array *a, const char *dir, const char *name)
{
    char head[128];
    char shape[64];
    if (a->dims == 1)
        snprintf(shape, sizeof(shape), "(%zu,)", a->shape[0]);
    else
        snprintf(shape, sizeof(shape), "(%zu, %zu)", a->shape[0], a->shape[1]);
    const int used = snprintf(head, sizeof(head), "{'descr': '%.3s', 'fortran_order': False, 'shape': %s, }",
                              a->type, shape);
    memset(head + used, ' ', sizeof(head) - (size_t)used);
    head[117] = '\n'; /* 10 bytes of preamble and 118 of header make 128 */

    const unsigned char preamble[10] = { 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, 118, 0 };
    FILE *f = open_in(dir, name, "wb");
    const bool ok = fwrite(preamble, 1, 10, f) == 10 && fwrite(head, 1, 118, f) == 118 &&
                    fwrite(a->data, a->item, a->count, f) == a->count;
    if (fclose(f) != 0 || !ok)
        fail(name, "cannot write");
}

array array_read(const char *dir, const char *name, const char *type, size_t count)
{
    FILE *f = open_in(dir, name, "rb");
    unsigned char preamble[10];
    if (fread(preamble, 1, 10, f) != 10 || memcmp(preamble, "\x93NUMPY\x01", 7) != 0)
        fail(name, "not an .npy file of version 1.0");

    char head[65536];
    const size_t length = preamble[8] | (size_t)preamble[9] << 8;
    if (fread(head, 1, length, f) != length)
        fail(name, "header is cut short");
    head[length] = '\0';
    char wanted[16];
    snprintf(wanted, sizeof(wanted), "'%s'", type);
    if (!strstr(head, wanted))
        fail(name, "has another element type than expected");

    array a = array_new_flat(type, count);
    if (fread(a.data, a.item, count, f) != count || fgetc(f) != EOF)
        fail(name, "has another number of elements than expected");
    fclose(f);
    return a;
}

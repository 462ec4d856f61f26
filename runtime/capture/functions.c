/* SPDX-License-Identifier: MIT */
/* What the program has loaded. Nothing is ever forgotten while a launch may use it: cap_remove_image only
 * makes room for a new owner of the same handle. */
#include <elf.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "runtime/capture/capture.h"
#include "runtime/device/length.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static cap_image *images;
static cap_function *functions;
static cap_variable *variables;

static cap_image *find_image(const void *key)
{
    cap_image *i = images;
    while (i && i->key != key)
        i = i->next;
    return i;
}

static void add(const void *key, const void *bytes, size_t size)
{
    cap_image *i = calloc(1, sizeof(*i));
    if (i)
        i->bytes = malloc(size + 1);
    if (!i || !i->bytes) {
        free(i);
        return;
    }
    if (size)
        memcpy(i->bytes, bytes, size);
    i->key = key;
    i->size = size;
    pthread_mutex_lock(&lock);
    i->next = images;
    images = i;
    pthread_mutex_unlock(&lock);
}

void cap_add_image(const void *key, const void *image)
{
    const void *bytes = image ? rt_image_unwrap(image) : NULL;
    if (!bytes || rt_image_is_sealed(bytes)) {
        add(key, NULL, 0);
        return;
    }
    const uint64_t size = rt_image_length(bytes);
    add(key, bytes, size && size < SIZE_MAX / 2 ? (size_t)size : strlen(bytes)); /* else text: PTX */
}

void cap_add_file(const void *key, const char *path)
{
    struct stat info;
    FILE *file = fopen(path, "rb");
    char *bytes = NULL;
    size_t size = 0;
    if (file && fstat(fileno(file), &info) == 0 && S_ISREG(info.st_mode) &&
        info.st_size > (off_t)sizeof(Elf64_Ehdr))
        bytes = malloc((size_t)info.st_size);
    if (bytes)
        size = fread(bytes, 1, (size_t)info.st_size, file);
    add(key, bytes, bytes && size && rt_image_is_sealed(bytes) ? 0 : size);
    free(bytes);
    if (file)
        fclose(file);
}

void cap_remove_image(const void *key)
{
    pthread_mutex_lock(&lock);
    for (cap_image *i = images; i; i = i->next)
        if (i->key == key)
            i->key = NULL;
    pthread_mutex_unlock(&lock);
}

/* The lock must be held. */
static void add_function(const void *key, cap_image *image, const char *name)
{
    cap_function *f = calloc(1, sizeof(*f));
    char *copy = strdup(name);
    if (!f || !copy) {
        free(f);
        free(copy);
        return;
    }
    *f = (cap_function){ functions, key, image, copy };
    functions = f;
}

/* The lock must be held. The latest owner of a handle. */
static cap_function *find_function(const void *key)
{
    cap_function *f = functions;
    while (f && f->key != key)
        f = f->next;
    return f;
}

void cap_add_function(const void *key, const void *image_key, const char *name)
{
    pthread_mutex_lock(&lock);
    cap_image *image = find_image(image_key);
    const cap_function *known = find_function(key);
    if (image && !(known && known->image == image && strcmp(known->name, name) == 0))
        add_function(key, image, name);
    pthread_mutex_unlock(&lock);
}

void cap_add_alias(const void *key, const void *known)
{
    pthread_mutex_lock(&lock);
    const cap_function *f = find_function(known);
    if (f && key != known)
        add_function(key, f->image, f->name);
    pthread_mutex_unlock(&lock);
}

void cap_add_variable(const void *image_key, const void *host, const char *name, bool managed)
{
    cap_variable *v = calloc(1, sizeof(*v));
    char *copy = strdup(name);
    pthread_mutex_lock(&lock);
    const cap_image *image = find_image(image_key);
    if (v && copy && image) {
        *v = (cap_variable){ variables, image, host, copy, managed };
        variables = v;
    } else {
        free(v);
        free(copy);
    }
    pthread_mutex_unlock(&lock);
}

cap_function *cap_find_function(const void *key)
{
    pthread_mutex_lock(&lock);
    cap_function *f = find_function(key);
    pthread_mutex_unlock(&lock);
    return f;
}

const cap_variable *cap_next_variable(const cap_image *image, const cap_variable *after)
{
    pthread_mutex_lock(&lock);
    const cap_variable *v = after ? after->next : variables;
    while (v && v->image != image)
        v = v->next;
    pthread_mutex_unlock(&lock);
    return v;
}

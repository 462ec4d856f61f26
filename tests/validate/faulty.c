/* SPDX-License-Identifier: MIT */
/*
 * A device that computes wrongly, in the place of a stand-in: everything is the stand-in's, except what
 * LW_FAULT says. One source for both APIs (FAULTY_HIP).
 *   flip:N+B        one bit of the copy number N from the device (from 0), in byte B (without +B: 4)
 *   replace:X=Y     X in a kernel's PTX becomes Y; for HIP, X and Y are words of code in hex
 *   capability:N    the device is of compute capability N.0
 *   refuse          the driver refuses every kernel
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INVALID_PTX = 218 };

static const char *fault(const char *kind)
{
    const char *text = getenv("LW_FAULT");
    const size_t length = strlen(kind);
    return text && strncmp(text, kind, length) == 0 ? text + length : NULL;
}

static void next(const char *name, void *function)
{
    void *found = dlsym(RTLD_NEXT, name);
    memcpy(function, &found, sizeof(found));
}

static void flip(void *to, size_t size)
{
    static unsigned long copies;
    char *end = NULL;
    const char *number = fault("flip:");
    const unsigned long which = number ? strtoul(number, &end, 10) : 0;
    const size_t at = end && *end == '+' ? strtoul(end + 1, NULL, 10) : 4;
    if (number && copies++ == which && size > at)
        ((uint8_t *)to)[at] ^= 0x10;
}

#ifndef FAULTY_HIP
int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t size);
int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t size)
{
    int (*copy)(void *, uint64_t, size_t);
    next("cuMemcpyDtoH_v2", &copy);
    const int error = copy(to, from, size);
    flip(to, size);
    return error;
}

int cuDeviceGetAttribute(int *value, int attribute, int device);
int cuDeviceGetAttribute(int *value, int attribute, int device)
{
    int (*get)(int *, int, int);
    const char *number = fault("capability:");
    next("cuDeviceGetAttribute", &get);
    const int error = get(value, attribute, device);
    if (number && attribute == 75)
        *value = atoi(number);
    if (number && attribute == 76)
        *value = 0;
    return error;
}

/* A copy of the text with the replacement. */
static char *replaced(const char *text)
{
    const char *rule = fault("replace:"), *equals = rule ? strchr(rule, '=') : NULL;
    char *copy = malloc(2 * strlen(text) + 1), *to = copy;
    const size_t length = equals ? (size_t)(equals - rule) : 0;
    while (*text)
        if (length && strncmp(text, rule, length) == 0 && strlen(equals + 1) <= 2 * length) {
            to += sprintf(to, "%s", equals + 1);
            text += length;
        } else {
            *to++ = *text++;
        }
    *to = '\0';
    return copy;
}

int cuModuleLoadDataEx(void **module, const void *image, unsigned count, int *options, void **values);
int cuModuleLoadDataEx(void **module, const void *image, unsigned count, int *options, void **values)
{
    int (*load)(void **, const void *, unsigned, int *, void **);
    next("cuModuleLoadDataEx", &load);
    if (fault("refuse")) {
        snprintf(values[0], 64, "ptxas: no such\ninstruction");
        return INVALID_PTX;
    }
    char *copy = replaced(image);
    const int error = load(module, copy, count, options, values);
    free(copy);
    return error;
}
#else
int hipMemcpyDtoH(void *to, void *from, size_t size);
int hipMemcpyDtoH(void *to, void *from, size_t size)
{
    int (*copy)(void *, void *, size_t);
    next("hipMemcpyDtoH", &copy);
    const int error = copy(to, from, size);
    flip(to, size);
    return error;
}

int hipModuleLoadDataEx(void **module, const void *image, unsigned count, int *options, void **values);
int hipModuleLoadDataEx(void **module, const void *image, unsigned count, int *options, void **values)
{
    enum { SIZE = 4600 }; /* of cli/gpu/templates.inc */
    int (*load)(void **, const void *, unsigned, int *, void **);
    static uint32_t copy[SIZE / 4];
    const char *rule = fault("replace:");
    char *end = NULL;
    next("hipModuleLoadDataEx", &load);
    if (fault("refuse"))
        return INVALID_PTX;
    memcpy(copy, image, SIZE);
    const uint32_t from = rule ? (uint32_t)strtoul(rule, &end, 16) : 0;
    for (size_t i = 0; rule && i < SIZE / 4; i++)
        if (copy[i] == from)
            copy[i] = (uint32_t)strtoul(end + 1, NULL, 16);
    return load(module, copy, count, options, values);
}
#endif

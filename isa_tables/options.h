/* SPDX-License-Identifier: MIT */
/*
 * Public structs that begin with struct_size: a caller built against earlier headers has a smaller one. What
 * it does not have keeps the default where the caller gives the struct, and is left out where the library
 * fills it. `first` is the size that the struct had in the first release of this LW_ABI_VERSION. Members are
 * added at the end, from a multiple of eight on, and each size that a release had is accepted: after a second
 * addition the sizes between are asked for by further calls.
 */
#ifndef LW_ISA_OPTIONS_H
#define LW_ISA_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static inline bool lw_options_known(const void *given, size_t size, size_t first)
{
    size_t has;
    if (!given)
        return false;
    memcpy(&has, given, sizeof(has));
    return has == size || has == first;
}

/* Writes the defaults `made`, of `size` bytes, as far as a struct of `room` bytes has room for them. */
static inline void lw_options_init(void *options, size_t room, const void *made, size_t size)
{
    if (!options || room < sizeof(room))
        return;
    memset(options, 0, room);
    memcpy(options, made, room < size ? room : size);
    memcpy(options, &room, sizeof(room));
}

/* Copies what the caller gave over `into`, which holds the defaults and is of `size` bytes. False: another
 * size. */
static inline bool lw_options_take(void *into, const void *given, size_t size, size_t first)
{
    size_t has;
    if (!lw_options_known(given, size, first))
        return false;
    memcpy(&has, given, sizeof(has));
    memcpy(into, given, has);
    memcpy(into, &size, sizeof(size));
    return true;
}

/* Copies as much of `made`, of `size` bytes, as the caller's struct has room for. False: another size. */
static inline bool lw_options_give(void *given, const void *made, size_t size, size_t first)
{
    size_t has;
    if (!lw_options_known(given, size, first))
        return false;
    memcpy(&has, given, sizeof(has));
    memcpy(given, made, has);
    memcpy(given, &has, sizeof(has));
    return true;
}

#endif

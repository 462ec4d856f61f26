/* SPDX-License-Identifier: MIT */
/*
 * Public structs that begin with struct_size: a caller built against earlier headers has a smaller one.
 * Members that it lacks keep their defaults where the caller gives the struct, and are left out where the
 * library fills it. `first` is the size of the struct in the first release of this LW_ABI_VERSION. Members
 * are added at the end, from a multiple of eight on, and the size of every release is accepted: these
 * functions know the first size and the current one, and once a second addition is made, they must be told
 * the sizes in between, too.
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

/* Writes the defaults `made`, of `size` bytes, as far as they fit in a struct of `room` bytes. */
static inline void lw_options_init(void *options, size_t room, const void *made, size_t size)
{
    if (!options || room < sizeof(room))
        return;
    memset(options, 0, room);
    memcpy(options, made, room < size ? room : size);
    memcpy(options, &room, sizeof(room));
}

/* Copies what the caller gave into `into`, which holds the defaults and has `size` bytes. False if the
 * caller's size is unknown. */
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

/* Copies as much of `made`, of `size` bytes, as fits in the caller's struct. False if the caller's size is
 * unknown. */
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

/* SPDX-License-Identifier: MIT */
/*
 * A launch in parts, on several machines: which bytes a part read and wrote, as a file, and the parts joined.
 *
 * lw_launch_options.parts cuts a launch, lw_launch_options.footprint records what the launch touches. The
 * caller describes each array that the kernel may write as a piece of a lw_launch_part, and writes the part.
 * Where all parts are at hand, lw_launch_parts_join puts what they wrote into the arrays. That is what the
 * whole launch would have written if no part touched what another one wrote, as then no workgroup can have
 * seen the work of another part; anything else is refused.
 *
 * The file: all numbers are little-endian. It begins with the 8 bytes 89 4c 57 50 41 52 0d 0a, a 32-bit
 * version (1) and a 32-bit count of sections. A section is a 32-bit kind, 32 zero bits, a 64-bit size, and as
 * many bytes, followed by zeros up to a multiple of 8. In this order:
 *
 *   1 part    two 32-bit words (number, count), 32 bytes that identify the launch
 *   2 about   lines for the reader
 *   3 piece   any number: its 64-bit size, the sizes of what follows (64 bits each): name, file, shape,
 * reads, writes; a 32-bit fill (0 to 255: every byte before the launch; 256: `before` is given; 257: not
 *             known here), 32 zero bits; then name, file, shape, reads, writes, the bytes before if given,
 * and the bytes written, one run after the other, each of these followed by zeros up to a multiple of 8.
 *             Reads and writes are runs of bytes in ascending order: for each, the distance from the end of
 * the last one (at first from 0) and the length, each as an unsigned LEB128 number of the fewest bytes.
 *
 * The last 8 bytes are the 64-bit FNV-1a hash of everything before them: it finds damage, not forgery.
 */
#ifndef LANEWISE_PART_H
#define LANEWISE_PART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lanewise/export.h>
#include <lanewise/sink.h>
#include <lanewise/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* `size` bytes from `start` on. */
typedef struct lw_byte_run {
    uint64_t start, size;
} lw_byte_run;

/* ---- What a launch touched ---- */

/*
 * The bytes that a launch read and wrote in memory that it may write (what it cannot write, no part changes).
 * Exact, atomics included, which count as written. Recording needs an eighth of the memory touched, and a
 * copy of the allocations that may be written, both within the memory's limit; launches still run in
 * parallel.
 */
typedef struct lw_footprint lw_footprint;

/* LW_E_ARGUMENT for NULL, LW_E_NO_MEMORY. It is empty until a launch that was given it has ended with LW_OK;
 * the next launch replaces what it holds. */
LW_API lw_status lw_footprint_create(lw_footprint **footprint);
/* NULL is allowed. */
LW_API void lw_footprint_free(lw_footprint *footprint);

/*
 * The runs of bytes among the `size` from device address `address` on that the launch wrote, or else read, in
 * ascending order, none touching the next; `start` counts from `address`. Returns how many there are, and
 * fills as many of `runs` as there is room for.
 */
LW_API size_t lw_footprint_runs(const lw_footprint *footprint, uint64_t address, uint64_t size, bool written,
                                lw_byte_run *runs, size_t room);

/*
 * LW_OK if all that was written lies in `areas`, which are device addresses. LW_E_UNSUPPORTED with a sentence
 * otherwise: the kernel writes to variables of its program, say, which nobody would join. LW_E_ARGUMENT for
 * NULL.
 */
LW_API lw_status lw_footprint_within(const lw_footprint *footprint, const lw_byte_run *areas, size_t count,
                                     lw_error *error);

/* ---- Parts ---- */

/* An array that the kernel may write. */
typedef struct lw_launch_piece {
    const char *name;  /* in messages: "argument 0 (c)" */
    const char *file;  /* where its bytes go in the end; "": nowhere. The library only keeps it */
    const void *shape; /* `shape_size` bytes that say what the bytes mean, which the library only keeps */
    size_t shape_size;
    uint64_t size;
    int32_t fill;             /* 0 to 255: every byte before the launch; LW_FILL_BEFORE; LW_FILL_UNKNOWN */
    uint32_t reserved;        /* 0 */
    const uint8_t *before;    /* with LW_FILL_BEFORE: `size` bytes; else NULL */
    const lw_byte_run *reads; /* within the piece, ascending, none touching the next */
    size_t read_count;
    const lw_byte_run *writes; /* likewise */
    size_t write_count;
    const uint8_t *bytes; /* what the launch left in the bytes that it wrote, one run after the other */
} lw_launch_piece;

enum { LW_FILL_BEFORE = 256, LW_FILL_UNKNOWN = 257 };

typedef struct lw_launch_part {
    size_t struct_size;     /* sizeof(lw_launch_part), so that later versions can add members */
    uint32_t number, count; /* from 0 on, as in lw_launch_options */
    uint8_t launch[32]; /* the same for parts of one launch and no other: a SHA-256 of all it depends on */
    const char *about;  /* lines that end in \n; "" if none */
    const lw_launch_piece *pieces;
    size_t piece_count;
} lw_launch_part;

/* All zero or empty but struct_size, and count, which is 1. */
LW_API void lw_launch_part_init(lw_launch_part *part, size_t size);
static inline lw_launch_part lw_launch_part_default(void)
{
    lw_launch_part part;
    lw_launch_part_init(&part, sizeof(part));
    return part;
}

/*
 * Reads a file's bytes, which must stay unchanged until lw_launch_part_free: shape, before and bytes point
 * into them. LW_E_FORMAT with a sentence that names the byte for anything that is not exactly such a file;
 * LW_E_TRUNCATED where it ends early; LW_E_NO_MEMORY; LW_E_ARGUMENT for NULL.
 */
LW_API lw_status lw_launch_part_read(const void *bytes, size_t size, lw_launch_part **part, lw_error *error);
/* NULL is allowed. */
LW_API void lw_launch_part_free(lw_launch_part *part);

/*
 * Sends the file's bytes to `sink`. LW_E_ARGUMENT: for what lw_launch_part_read would refuse; nothing has
 * been sent then. Otherwise what the sink returns.
 */
LW_API lw_status lw_launch_part_write(const lw_launch_part *part, lw_sink sink, void *context,
                                      lw_error *error);

/*
 * Puts what the parts wrote into `targets`, one for each piece, which hold what was there before the launch.
 * `parts` may be in any order. LW_E_ARGUMENT, with a sentence that names parts by their number from 1 on, if
 * one is missing or there twice, if they are of different launches or cuts, or if their pieces differ;
 * LW_E_UNSUPPORTED if one part wrote bytes that another one read or wrote: then the launch must be run whole.
 * Nothing has been written in these cases, nor after LW_E_NO_MEMORY. A target may be NULL where a piece has
 * no bytes, or if only the checks are wanted.
 */
LW_API lw_status lw_launch_parts_join(const lw_launch_part *const *parts, size_t count, void *const *targets,
                                      lw_error *error);

#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: MIT */
/*
 * One launch of a kernel, recorded on a GPU, as a file that can be replayed anywhere: the code, the
 * arguments, and the memory that the launch could reach, before it and after it. `lanewise capture` writes
 * such files, `lanewise run --capture` replays them.
 *
 * All numbers are little-endian. The file begins with the 8 bytes 89 4c 57 43 41 50 0d 0a, a 32-bit version
 * (1) and a 32-bit count of sections. A section is a 32-bit kind, 32 zero bits, a 64-bit size, and as many
 * bytes, followed by zeros up to a multiple of 8. In this order:
 *
 *   1 launch   13 words of 32 bits: grid, items, block, cluster (three each), dynamic shared bytes
 *   2 kernel   its name                    5 outcome  "" or what went wrong (see lw_capture)
 *   3 target   the device's                6 about    lines "NAME VALUE" for the reader
 *   4 api      "HIP" or "CUDA"             7 code     the code object or PTX text
 *   8 args     the argument block
 *   9 piece    any number: 64-bit address, 64-bit size, 32-bit length of the name, 32 bits that say what
 *              follows (0: before; 1: before, and after is the same; 2: before and after; 0 for a size of 0),
 * the name, before, after, each followed by zeros up to a multiple of 8
 *
 * The last 8 bytes are the 64-bit FNV-1a hash of everything before them: it finds damage, not forgery.
 */
#ifndef LANEWISE_CAPTURE_H
#define LANEWISE_CAPTURE_H

#include <stddef.h>
#include <stdint.h>

#include <lanewise/export.h>
#include <lanewise/sink.h>
#include <lanewise/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Memory that the launch could reach. */
typedef struct lw_capture_piece {
    const char *name; /* of a variable of the program; "": an allocation */
    uint64_t address, size;
    const void *before; /* `size` bytes; NULL only where the size is 0 */
    const void *after;  /* the same pointer where nothing has changed; NULL: not known */
} lw_capture_piece;

typedef struct lw_capture {
    size_t struct_size;  /* sizeof(lw_capture), so that later versions can add members */
    const char *kernel;  /* the name that the program has asked for, or registered */
    const char *target;  /* the device: "gfx942:sramecc+:xnack-", "sm_90" */
    const char *api;     /* "HIP" or "CUDA" */
    const char *outcome; /* "": the launch ended, and every piece has `after`; else what happened, and none
                            has */
    const char *about;   /* lines that end in \n: device, driver, program, time; "" if none */
    uint32_t grid[3], items[3]; /* as in lw_launch_options: the one that is not used is all zero */
    uint32_t block[3];
    uint32_t cluster[3]; /* all zero: as the kernel states */
    uint32_t dynamic_lds;
    uint32_t reserved; /* 0 */
    const void *code;
    size_t code_size;
    const void *args; /* explicit arguments, each at the offset that the kernel's metadata gives */
    size_t args_size;
    const lw_capture_piece *pieces; /* none overlaps another */
    size_t piece_count;
} lw_capture;

/* All zero or empty but struct_size. */
LW_API void lw_capture_init(lw_capture *capture, size_t size);
static inline lw_capture lw_capture_default(void)
{
    lw_capture capture;
    lw_capture_init(&capture, sizeof(capture));
    return capture;
}

/*
 * Reads a file's bytes, which must stay unchanged until lw_capture_free: code, args and pieces point into
 * them. LW_E_FORMAT with a sentence that names the byte for anything that is not exactly such a file: another
 * version, sections missing, out of order or unknown, texts with control characters, sizes of a block or a
 * grid that are zero, pieces that overlap or end beyond 2^64, a wrong hash; LW_E_TRUNCATED where it ends
 * early; LW_E_NO_MEMORY; LW_E_ARGUMENT for NULL.
 */
LW_API lw_status lw_capture_read(const void *bytes, size_t size, lw_capture **capture, lw_error *error);
/* NULL is allowed. */
LW_API void lw_capture_free(lw_capture *capture);

/*
 * Sends the file's bytes to `sink`. LW_E_ARGUMENT: for what lw_capture_read would refuse; nothing has been
 * sent then. Otherwise what the sink returns.
 */
LW_API lw_status lw_capture_write(const lw_capture *capture, lw_sink sink, void *context, lw_error *error);

#ifdef __cplusplus
}
#endif

#endif

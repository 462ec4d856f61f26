/* SPDX-License-Identifier: MIT */
/* A tile in shared memory, internal view. For what it means, see lanewise/tile.h. */
#ifndef LW_LAYOUTS_TILE_H
#define LW_LAYOUTS_TILE_H

#include <lanewise/tile.h>

#include "layouts/layout.h"
#include "layouts/notation/reader.h"

struct lw_tile {
    const char *name;
    uint32_t rows, cols, width;
    uint64_t bits; /* of memory */
    uint64_t *bit; /* of element row * cols + col */
};

/* Reads into a tile without places: sets name, rows and cols, allocates `bit` with lw_tile_make_room, fills
 * it. */
bool lw_tile_read_any(lw_reader *r, lw_tile *tile);

/* Offsets in elements; `inner` is the dimension whose elements are adjacent: 1 columns, 0 rows. */
bool lw_tile_fill_plain(lw_reader *r, lw_tile *tile, unsigned inner);

/* Checks that nothing more follows. */
bool lw_tile_is_done(lw_reader *r);

/* The logarithm of a power of two; fails for other numbers. */
bool lw_tile_log_two(lw_reader *r, uint32_t n, const char *what, unsigned *exponent);

/* Triton's shared layouts from the first parameter on, and NVIDIA's modes after "SWIZZLE_". */
typedef bool lw_tile_reader(lw_reader *r, lw_tile *tile);
lw_tile_reader lw_tile_read_swizzled, lw_tile_read_rotating, lw_tile_read_padded, lw_tile_read_nvmma,
    lw_tile_read_linear, lw_tile_read_partitioned, lw_tile_read_mode;

/* Allocates room for all elements; refuses extents of 0 and too many elements. */
bool lw_tile_make_room(lw_reader *r, lw_tile *tile);

/* The accesses of a wave, one array of LW_BANK_LANES for each; a lane without an access has size 0. */
typedef struct lw_tile_accesses {
    lw_bank_access (*wave)[LW_BANK_LANES];
    uint32_t operands, accesses; /* operands * accesses waves in total */
} lw_tile_accesses;

/* Errors as for lw_tile_fill_banks. The caller frees `wave`. */
lw_status lw_tile_collect(const lw_tile *tile, const lw_layout *layout, uint32_t bytes,
                          lw_tile_accesses *list, lw_error *error);

/* Maps an address to a new one. */
typedef uint64_t lw_tile_move(const void *how, uint64_t address);

/* Adds one access of a wave, `times` times; `move` may be NULL. */
void lw_tile_add_wave(const lw_bank_access wave[LW_BANK_LANES], uint32_t times, const lw_bank_rule *rule,
                      lw_tile_move *move, const void *how, lw_bank_turns *turns);

/* Adds up all accesses. */
void lw_tile_add_turns(const lw_tile_accesses *list, const lw_bank_rule *rule, lw_bank_turns *turns);

/*
 * Whether two accesses of a wave take as many turns as each other under every swizzle of whole accesses:
 * their addresses differ by one XOR in all lanes. They still do so after a swizzle, which is linear; accesses
 * of a power of two bytes are then in other banks (a power of two too), and two lanes share a bank or a dword
 * exactly where they did.
 */
bool lw_tile_swizzles_alike(unsigned banks, uint32_t bytes, const lw_bank_access a[LW_BANK_LANES],
                            const lw_bank_access b[LW_BANK_LANES]);

/* The same under every padding of rows of `row` bytes: they are as many rows and whole dwords apart in all
 * lanes. */
bool lw_tile_pads_alike(uint64_t row, const lw_bank_access a[LW_BANK_LANES],
                        const lw_bank_access b[LW_BANK_LANES]);

/* x XOR ((x & mask) >> s), where mask has b bits from m + s on; for s < 0, from m on, and << -s. */
uint64_t lw_tile_swizzle(uint64_t x, unsigned b, unsigned m, int s);

/* Whether the values of the operand's lanes run along the columns of the plain tile, so that rows must be
 * contiguous. */
bool lw_tile_is_columns(const lw_layout *layout);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * A tile of a matrix in shared memory: where each element (row, col) is, with its swizzle or padding; which
 * bank conflicts the lanes of a wave have when they load an operand of a matrix instruction from it; and
 * which swizzle or padding removes them.
 *
 * These notations are read; each is recognised by its form. `rows` and `cols` are in elements, and so are
 * offsets unless stated otherwise:
 *
 *     (64,64):(64,1)
 *         CuTe: two modes, row and column, to offset.
 *     Sw<3,3,3> o 0 o (64,64):(64,1)
 *         The same, swizzled; also Swizzle<3,3,3>. After Sw<3,4,3>_smem_ptr[16b](..) the swizzle counts
 *         bytes.
 *     Swizzle<3,3,3>
 *         Over row-major rows.
 *     #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
 *     #ttg.padded_shared<[32:+4, 64:+8] {order = [1, 0], shape = [16, 32]}>
 *         Also with {offset = [[..]], block = []}.
 *     #ttg.amd_rotating_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
 *     #ttg.partitioned_shared<{numPartitions = 2, numGroups = 2, partitionDim = 0, partitionLayout = ..}>
 *         The buffers one after the other: that they are in different partitions of LDS is not said.
 *     #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
 *         Also with fp4Padded = true.
 *     #ttg.shared_linear<{offset = [[0, 1], ..]}, alignment = 16>
 *     SWIZZLE_128B, SWIZZLE_64B, SWIZZLE_32B
 *         NVIDIA's modes of tensor copies: rows of that many bytes.
 *     #iree_codegen.xor_shuffle<64, 8>
 *         Over row-major rows; row stride and per_phase may follow.
 *     S[(64,64):(64,1)]
 *         TIRx, on m; ComposeLayout(3, 3, 3) over row-major rows.
 *     offset = 64*row + (col ^ row%8*8)
 *         An expression of row (i, r, m) and col (j, k, c, n) as kernels have it, in elements; `byte = ..` in
 *         bytes.
 */
#ifndef LANEWISE_TILE_H
#define LANEWISE_TILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lanewise/banks.h>
#include <lanewise/layout.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lw_tile lw_tile;

/*
 * Reads `size` bytes as a tile of rows x cols elements of `width` bits (4, 6, 8, 16, 32, 64). rows and cols
 * may be 0 where the text contains them (CuTe's shape, padded_shared's). Errors: LW_E_FORMAT with line and
 * column for text that cannot be read or is not a tile: an element without a place, two elements in one
 * place; LW_E_ARGUMENT (NULL, another width, more than LW_TILE_MOST elements); LW_E_NO_MEMORY.
 */
LW_API lw_status lw_tile_read(const char *text, size_t size, uint32_t rows, uint32_t cols, uint32_t width,
                              lw_tile **tile, lw_error *error);
enum { LW_TILE_MOST = 1 << 17 };

/* The tile without swizzle and padding: row after row, or, with `columns`, column after column. */
LW_API lw_status lw_tile_create_plain(uint32_t rows, uint32_t cols, uint32_t width, bool columns,
                                      lw_tile **tile, lw_error *error);

/* A matrix descriptor of wgmma, taken apart (tcgen05 has its swizzle in other bits). What bits they are: the
 * PTX ISA manual. */
typedef struct lw_descriptor {
    size_t struct_size;       /* sizeof(lw_descriptor): lw_descriptor_get sets it */
    uint32_t start;           /* byte address in shared memory, of which 18 bits are kept */
    uint32_t leading, stride; /* leading-dimension and stride-dimension byte offsets */
    uint8_t base_offset;
    uint8_t swizzle; /* bytes of its pattern: 128, 64, 32; 0: none */
} lw_descriptor;
LW_API lw_status lw_descriptor_fill(uint64_t descriptor, lw_descriptor *fields);
static inline lw_status lw_descriptor_get(uint64_t descriptor, lw_descriptor *fields)
{
    if (fields)
        fields->struct_size = sizeof(*fields);
    return lw_descriptor_fill(descriptor, fields);
}

/*
 * Where A (rows i, columns k; of a sparse A the stored k) or B (rows k, columns j) of a wgmma or tcgen05.mma
 * is in shared memory under that descriptor; bits count from address 0. imm-trans-a and imm-trans-b of `mods`
 * (NULL: none), of tcgen05 transpose-a and transpose-b, say whether k or the other coordinate lies side by
 * side. LW_E_ARGUMENT for other instructions and operands; LW_E_UNSUPPORTED for a base offset, of which
 * nothing is known, for a swizzle that is too narrow for k, for what tcgen05's descriptors add (a version
 * other than 1, an absolute offset), and for its elements of 6 and 4 bits beside those of 8; the errors of
 * lw_insn_operand; LW_E_NO_MEMORY.
 */
LW_API lw_status lw_tile_of_descriptor(lw_arch arch, const lw_insn *insn, lw_operand operand,
                                       const lw_mods *mods, uint64_t descriptor, lw_tile **tile,
                                       lw_error *error);

/* NULL is allowed. */
LW_API void lw_tile_free(lw_tile *tile);

typedef struct lw_tile_info {
    size_t struct_size; /* sizeof(lw_tile_info): lw_tile_get_info sets it */
    const char *name;   /* the notation: "CuTe", "swizzled_shared" and so on */
    uint32_t rows, cols, width;
    uint64_t bits; /* of memory, padding included */
} lw_tile_info;
LW_API lw_status lw_tile_fill_info(const lw_tile *tile, lw_tile_info *info);
static inline lw_status lw_tile_get_info(const lw_tile *tile, lw_tile_info *info)
{
    if (info)
        info->struct_size = sizeof(*info);
    return lw_tile_fill_info(tile, info);
}

/* The first bit of an element, counted from the tile's start. LW_E_ARGUMENT for NULL and for an element
 * outside the tile. */
LW_API lw_status lw_tile_bit(const lw_tile *tile, uint32_t row, uint32_t col, uint64_t *bit);

/* Bank conflicts of a wave's loads of an operand from a tile. */
typedef struct lw_tile_banks {
    size_t struct_size; /* sizeof(lw_tile_banks): lw_tile_count_banks sets it */
    lw_bank_rule rule;
    uint32_t operands;   /* how many operands the tile contains: all of them are loaded */
    uint32_t accesses;   /* instructions for each of them */
    lw_bank_turns turns; /* of all accesses */
} lw_tile_banks;

/*
 * Counts the conflicts of loading (`store`: storing) every operand that the tile contains. Each lane accesses
 * its values from the lowest bits on, `bytes` at a time, at their places in the tile; X of the operand runs
 * along rows, Y along columns. Where several lanes hold an element, each loads its own copy. LW_E_UNSUPPORTED
 * where the values of one access are not adjacent and aligned in the tile (the sentence names the first such
 * lane and the widest access that is possible), where the tile is not a whole number of operands, for
 * operands with several blocks or index data, and as lw_bank_rule_find; LW_E_ARGUMENT.
 */
LW_API lw_status lw_tile_fill_banks(const lw_tile *tile, const lw_layout *layout, uint32_t bytes, bool store,
                                    lw_tile_banks *banks, lw_error *error);
static inline lw_status lw_tile_count_banks(const lw_tile *tile, const lw_layout *layout, uint32_t bytes,
                                            bool store, lw_tile_banks *banks, lw_error *error)
{
    if (banks)
        banks->struct_size = sizeof(*banks);
    return lw_tile_fill_banks(tile, layout, bytes, store, banks, error);
}

/*
 * What the lanes request in access `number` of those counted above, which are numbered operand by operand
 * (row after row of the tile), and in each from a lane's lowest bits on. Addresses are bytes from the tile's
 * start. Writes at most `capacity` and always the full number. LW_E_ARGUMENT also for a number that there is
 * none of; other errors as above.
 */
LW_API lw_status lw_tile_list_access(const lw_tile *tile, const lw_layout *layout, uint32_t bytes,
                                     uint32_t number, lw_bank_access *accesses, size_t capacity,
                                     size_t *count, lw_error *error);

/*
 * The conflicts of ldmatrix (NVIDIA only): eight lanes load eight rows of 16 bytes each, from every 8 x
 * 16-byte piece of the tile. `columns`: what ldmatrix calls a row is along the tile's columns.
 * LW_E_UNSUPPORTED for other GPUs and where the 16 bytes of a row are not adjacent and aligned.
 */
LW_API lw_status lw_tile_fill_ldmatrix(const lw_tile *tile, lw_arch arch, bool columns, lw_tile_banks *banks,
                                       lw_error *error);
static inline lw_status lw_tile_count_ldmatrix(const lw_tile *tile, lw_arch arch, bool columns,
                                               lw_tile_banks *banks, lw_error *error)
{
    if (banks)
        banks->struct_size = sizeof(*banks);
    return lw_tile_fill_ldmatrix(tile, arch, columns, banks, error);
}

/* What removes conflicts from a plain tile. */
typedef struct lw_tile_repair {
    size_t struct_size;  /* sizeof(lw_tile_repair): lw_tile_find_repair sets it */
    lw_bank_turns plain; /* without swizzle or padding */
    bool swizzled;       /* there is a swizzle with fewer turns: the one with the fewest turns, then the */
    uint8_t b, m, s;     /* fewest bits, then the shortest shift is Swizzle<b, m, s> of byte offsets */
    lw_bank_turns swizzle;
    bool padded;  /* there is a padding of rows with fewer turns */
    uint32_t pad; /* the smallest with the fewest turns, in bytes per row */
    lw_bank_turns padding;
    char text[1024]; /* the swizzle and the padding in the notations that can express them, a line each */
} lw_tile_repair;

/*
 * Tries swizzles of whole accesses, with up to five bits, and paddings up to 256 bytes on the plain tile of
 * rows x cols in which a lane's values are adjacent. Errors as lw_tile_fill_banks.
 */
LW_API lw_status lw_tile_fill_repair(const lw_layout *layout, uint32_t rows, uint32_t cols, uint32_t bytes,
                                     bool store, lw_tile_repair *repair, lw_error *error);
static inline lw_status lw_tile_find_repair(const lw_layout *layout, uint32_t rows, uint32_t cols,
                                            uint32_t bytes, bool store, lw_tile_repair *repair,
                                            lw_error *error)
{
    if (repair)
        repair->struct_size = sizeof(*repair);
    return lw_tile_fill_repair(layout, rows, cols, bytes, store, repair, error);
}

#ifdef __cplusplus
}
#endif

#endif

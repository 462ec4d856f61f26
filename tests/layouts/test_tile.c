/* SPDX-License-Identifier: MIT */
/*
 * Tiles in shared memory: equalities computed by another program from the definitions of CUTLASS, Triton,
 * IREE and AMD's documents; places written out a second time here; damaged texts.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/lanewise.h>

static lw_tile *tile_of(const char *text, uint32_t rows, uint32_t cols, uint32_t width)
{
    lw_tile *tile = NULL;
    lw_error error = { "" };
    ck_assert_msg(lw_tile_read(text, strlen(text), rows, cols, width, &tile, &error) == LW_OK, "%s: %s", text,
                  error.text);
    return tile;
}

static uint64_t at(const lw_tile *tile, uint32_t row, uint32_t col)
{
    uint64_t bit = 0;
    ck_assert_int_eq(lw_tile_bit(tile, row, col, &bit), LW_OK);
    return bit;
}

/* ---- Different texts for the same tile ---- */

static const struct {
    const char *one, *other;
    uint32_t rows, cols, width;
} equal[] = {
    { "#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>",
      "Sw<3,3,3> o 0 o (16,64):(64,1)", 16, 64, 16 },
    { "#ttg.swizzled_shared<{vec=8, perPhase=2, maxPhase=4, order=[1,0]}>", "Swizzle<2,3,3>", 16, 32, 16 },
    { "#ttg.swizzled_shared<{vec = 8, perPhase = 4, maxPhase = 2, order = [1, 0]}>", "Swizzle<1,3,3>", 16, 16,
      16 },
    { "#ttg.swizzled_shared<{vec = 4, perPhase = 1, maxPhase = 16, order = [1, 0]}>", "Swizzle<4,2,4>", 16,
      64, 16 },
    { "#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>", "Swizzle<3,3,4>", 16,
      128, 16 },
    { "#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [0, 1]}>",
      "Sw<3,3,3> o 0 o (64,16):(1,64)", 64, 16, 16 },
    { "#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>",
      "Sw<3,4,3>_smem_ptr[16b](unset) o (8,64):(64,1)", 8, 64, 16 },
    { "#ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>",
      "Sw<2,4,3> o smem_ptr[16b](unset) o (8,32):(32,1)", 8, 32, 16 },
    { "#ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = false, elementBitWidth = 8}>", "SWIZZLE_32B",
      8, 32, 8 },
    { "SWIZZLE_128B", "Sw<3,3,3> o (16,(64,2)):(64,(1,1024))", 16, 128, 16 },
    { "#iree_codegen.xor_shuffle<64, 8>", "Swizzle<3,3,3>", 64, 64, 16 },
    { "#iree_codegen.xor_shuffle<256, 32>", "Swizzle<3,5,3>", 64, 256, 8 },
    { "#iree_codegen.xor_shuffle<64, 8, 128, 2>", "Swizzle<3,3,5>", 64, 128, 16 },
    { "ComposeLayout(3, 2, 4)", "Swizzle<2,3,4>", 64, 64, 16 },
    { "S[(16,64):(64,1)]", "(16,64):(64,1)", 16, 64, 16 },
    { "S[(16,8,8):(8,128,1)]", "(16,(8,8)):(8,(1,128))", 16, 64, 16 },
    { "#ttg.padded_shared<[32:+4, 64:+8] {order = [1, 0], shape = [16, 32]}>",
      "offset = 32*row + col + (32*row + col)/32*4 + (32*row + col)/64*8", 16, 32, 16 },
    { "#ttg.padded_shared<[64:+8] {offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0]], block = []}>",
      "offset = 16*row + col + row/4*8", 4, 16, 16 },
    { "#ttg.padded_shared<[64:+8] {order = [0, 1], shape = [64, 4]}>", "(64,4):(1,72)", 64, 4, 32 },
    { "#ttg.shared_linear<{offset = [[0, 1], [0, 2], [1, 0], [2, 2]]}, alignment = 16>",
      "offset = (col ^ row/2*2) + 4*row", 4, 4, 32 },
    { "#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0], CGALayout = []}>",
      "Swizzle<3,3,3>", 16, 64, 16 },
    { "#ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = true, elementBitWidth = 16}>",
      "(16,64):(1,16)", 16, 64, 16 },
    /* Vectors that Triton 3.9.0 gives for these attributes. */
    { "#ttg.amd_rotating_shared<{vec = 4, perPhase = 1, maxPhase = 4, order = [1, 0]}>",
      "#ttg.shared_linear<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 4], [2, 8], [4, 4], [8, 8], [16, "
      "0], "
      "[32, 0]]}, alignment = 16>",
      64, 16, 16 },
    { "#ttg.amd_rotating_shared<{vec = 2, perPhase = 2, maxPhase = 4, order = [0, 1]}>",
      "#ttg.shared_linear<{offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [0, 1], [2, 2], [4, "
      "4], "
      "[2, 8]]}, alignment = 16>",
      64, 16, 16 },
    /* Eight bytes of every 16 are unused: a vector of zeros. */
    { "#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 8, fp4Padded = "
      "true}>",
      "#ttg.shared_linear<{offset = [[0, 1], [0, 2], [0, 4], [0, 0], [0, 8], [0, 16], [0, 32], [1, 8], [2, "
      "16], "
      "[4, 32], [8, 0]]}, alignment = 1024>",
      16, 64, 8 },
    /* Triton's vectors of a buffer, followed by the number of the buffer. */
    { "#ttg.partitioned_shared<{numPartitions = 2, numGroups = 4, partitionDim = 0, partitionLayout = "
      "#ttg.swizzled_shared<{vec = 4, perPhase = 1, maxPhase = 4, order = [1, 0]}>}>",
      "#ttg.shared_linear<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 4], [2, 8], [4, 0], [8, "
      "0], "
      "[32, 0], [64, 0], [16, 0]]}, alignment = 16>",
      128, 32, 16 },
    /* Each buffer of 8 rows of 32 + 4: one piece. */
    { "#ttg.partitioned_shared<{numPartitions = 2, numGroups = 1, partitionDim = 0, partitionLayout = "
      "#ttg.padded_shared<[32:+4] {order = [1, 0], shape = [8, 32]}>}>",
      "offset = (8*36 - 4)*(row/8) + 36*(row%8) + col", 16, 32, 16 },
    { "#ttg.partitioned_shared<{partitionLayout = #ttg.swizzled_shared<{vec = 4, perPhase = 1, maxPhase = 4, "
      "order = [1, 0]}>, partitionDim = 1, numGroups = 1, numPartitions = 2}>",
      "#ttg.shared_linear<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 4], [2, 8], [4, 0], [8, 0], [0, "
      "16]]}, "
      "alignment = 16>",
      16, 32, 16 },
    { "Layout<Shape<_16,Shape<_8,_4>>, Stride<_8,Stride<_1,_128>>>", "offset = 8*row + col%8 + col/8*128", 16,
      32, 8 },
    { "make_layout(make_shape(Int<16>{}, _32{}), make_stride(_40{}, _1{}))", "offset = 40*row + col", 16, 32,
      16 },
    { "cute.make_layout((16,32), stride=(40,1))",
      "int offset(int row, int q) { if (row < 8) return 40*row + q; return q + 40*row; }", 16, 32, 16 },
    { "Sw<2,4,-3> o 0 o (16,64):(64,1)", "a = 64*row + col; offset = a ^ (a & 48) << 3", 16, 64, 16 },
    /* The expression of a published kernel, which is not a single swizzle. */
    { "a = 256*row + 2*col; byte = ((a >> 4 & 3 << 4) | (a >> 3 & 1 << 7)) ^ a",
      "byte = 256*row + ((2*col ^ row%4*16) ^ row/4%2*128)", 16, 128, 16 },
};

START_TEST(says_the_same)
{
    lw_tile *one = tile_of(equal[_i].one, equal[_i].rows, equal[_i].cols, equal[_i].width),
            *other = tile_of(equal[_i].other, equal[_i].rows, equal[_i].cols, equal[_i].width);
    lw_tile_info info;
    ck_assert_int_eq(lw_tile_get_info(one, &info), LW_OK);
    ck_assert_uint_eq(info.rows, equal[_i].rows);
    for (uint32_t row = 0; row < info.rows; row++)
        for (uint32_t col = 0; col < info.cols; col++)
            ck_assert_msg(at(one, row, col) == at(other, row, col),
                          "%s and %s: row %u col %u: bit %llu, %llu", equal[_i].one, equal[_i].other, row,
                          col, (unsigned long long)at(one, row, col),
                          (unsigned long long)at(other, row, col));
    lw_tile_free(one);
    lw_tile_free(other);
}
END_TEST

/* NVIDIA's modes as drawn in the PTX manual: the number of the 16-byte unit in a row, XOR the row. */
START_TEST(modes_of_tensor_copies)
{
    static const struct {
        const char *text;
        uint32_t bytes, rows_alike;
    } modes[] = { { "SWIZZLE_128B", 128, 1 }, { "SWIZZLE_64B", 64, 2 }, { "SWIZZLE_32B", 32, 4 } };
    for (size_t m = 0; m < 3; m++) {
        const uint32_t cols = modes[m].bytes / 2, chunks = modes[m].bytes / 16;
        lw_tile *tile = tile_of(modes[m].text, 32, cols, 16);
        for (uint32_t row = 0; row < 32; row++)
            for (uint32_t col = 0; col < cols; col++) {
                const uint32_t chunk = col / 8 ^ row / modes[m].rows_alike % chunks;
                ck_assert_uint_eq(at(tile, row, col), 8 * (row * modes[m].bytes + chunk * 16 + col % 8 * 2));
            }
        lw_tile_free(tile);
    }
}
END_TEST

/* ---- Refused texts ---- */

START_TEST(refused)
{
    static const struct {
        const char *text, *says;
    } cases[] = {
        { "", "column 1: there is nothing to read" },
        { "(16,64):(64,0)", "share bit 0" },
        { "(16,32):(32,1)", "is of 16 x 32 elements, the tile of 16 x 64" },
        { "(16,64,2):(64,1,1024)", "no two modes" },
        { "Swizzle<3,3,2>", "overlaps itself" },
        { "Swizzle<3,3,3", "column 14: '>' is expected" },
        { "offset = 64*row + x", "column 19: 'x' is not known" },
        { "offset = row", "share bit" },
        { "k = 64*row + col", "neither offset nor byte is defined" },
        { "#ttg.swizzled_shared<{vec = 3, perPhase = 1, maxPhase = 8, order = [1, 0]}>",
          "vec before this is not a power of two" },
        { "#ttg.swizzled_shared<{vec = 8, perPhase = 1, order = [1, 0]}>", "maxPhase is missing" },
        { "#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 1]}>",
          "order before this" },
        { "#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 8}>",
          "elements of 8 bits before this, the tile's have 16" },
        { "#ttg.nvmma_shared<{swizzlingByteWidth = 48, transposed = false, elementBitWidth = 16}>",
          "a swizzle of 48 bytes" },
        { "#ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16, fp4Padded = "
          "true}>",
          "fp4Padded before this needs" },
        { "#ttg.amd_rotating_shared<{vec = 4, perPhase = 1, maxPhase = 4, order = [1, 0], CGALayout = [[0, "
          "0]]}>",
          "a CGALayout of several workgroups" },
        { "#ttg.partitioned_shared<{numPartitions = 2, numGroups = 4, partitionDim = 0}>",
          "partitionLayout is missing" },
        { "#ttg.partitioned_shared<{numPartitions = 1, numGroups = 4, partitionDim = 0, partitionLayout = "
          "#ttg.swizzled_shared<{vec = 4, perPhase = 1, maxPhase = 4, order = [1, 0]}>}>",
          "numPartitions before this is not at least 2" },
        { "#ttg.partitioned_shared<{numPartitions = 2, numGroups = 16, partitionDim = 0, partitionLayout = "
          "#ttg.swizzled_shared<{vec = 4, perPhase = 1, maxPhase = 4, order = [1, 0]}>}>",
          "16 elements along dimension 0 do not divide into 32 pieces" },
        { "#ttg.partitioned_shared<{numPartitions = 2, numGroups = 2, partitionDim = 0, partitionLayout = "
          "#ttg.padded_shared<[64:+8] {order = [1, 0], shape = [4, 64]}>}>",
          "a piece has gaps" },
        { "#ttg.partitioned_shared<{numPartitions = 2, numGroups = 2, partitionDim = 0, partitionLayout = "
          "3}>",
          "column 96: an attribute is expected here" },
        { "#ttg.partitioned_shared<{numPartitions = 2, numGroups = 1, partitionDim = 0, partitionLayout = "
          "#ttg.swizzled_shared<{vec = 3, perPhase = 1, maxPhase = 4, order = [1, 0]}>}>",
          "vec before this is not a power of two" },
        { "#ttg.partitioned_shared<{numPartitions = 2, numGroups = 1, partitionDim = 2, partitionLayout = "
          "#ttg.swizzled_shared<{vec = 4, perPhase = 1, maxPhase = 4, order = [1, 0]}>}>",
          "a tile has dimensions 0 and 1" },
        { "#ttg.padded_shared<[0:+4] {order = [1, 0], shape = [16, 64]}>", "an interval of 0" },
        { "#ttg.padded_shared<[64:+4] {order = [1, 0], shape = [16, 32]}>", "is of 16 x 32 elements" },
        { "#ttg.shared_linear<{offset = [[0, 1], [0, 2], [1, 0]]}, alignment = 16>", "is at no offset" },
        { "#iree_codegen.xor_shuffle<64>", "a row width and an access width" },
        { "#iree_codegen.xor_shuffle<48, 8>", "not a power of two" },
        { "S[(16,64):(64@laneid,1)]", "not at one place in memory" },
        { "SWIZZLE_256B", "128B, 64B or 32B" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        lw_tile *tile = NULL;
        lw_error error = { "" };
        ck_assert_int_eq(lw_tile_read(cases[i].text, strlen(cases[i].text), 16, 64, 16, &tile, &error),
                         LW_E_FORMAT);
        ck_assert_msg(strstr(error.text, cases[i].says) && strstr(error.text, "column "), "%s: %s",
                      cases[i].text, error.text);
    }
}
END_TEST

static void read_anything(const char *text, size_t size, uint32_t rows, uint32_t cols, uint32_t width)
{
    char *exact = malloc(size ? size : 1);
    lw_tile *tile = NULL;
    lw_error error = { "" };
    memcpy(exact, text, size);
    const lw_status st = lw_tile_read(exact, size, rows, cols, width, &tile, &error);
    ck_assert_msg(st == LW_OK || (st == LW_E_FORMAT && strstr(error.text, "column ")), "%.*s: %s", (int)size,
                  text, error.text);
    lw_tile_free(tile);
    free(exact);
}

START_TEST(damaged)
{
    const char *text = equal[_i].one;
    const size_t size = strlen(text);
    char copy[320];
    for (size_t n = 0; n < size; n++)
        read_anything(text, n, equal[_i].rows, equal[_i].cols, equal[_i].width);
    for (size_t n = 0; n < size; n++) {
        static const char others[] = "9a(,- ";
        for (size_t o = 0; o < sizeof(others) - 1; o++) {
            memcpy(copy, text, size);
            copy[n] = others[o];
            read_anything(copy, size, equal[_i].rows, equal[_i].cols, equal[_i].width);
        }
    }
}
END_TEST

START_TEST(arguments)
{
    lw_tile *tile = NULL;
    lw_tile_info info;
    lw_bank_turns turns;
    const lw_bank_rule *rule = NULL;
    uint64_t bit;
    ck_assert_int_eq(lw_tile_read(NULL, 0, 1, 1, 16, &tile, NULL), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_tile_read("", 0, 1, 1, 5, &tile, NULL), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_tile_create_plain(0, 1, 16, false, &tile, NULL), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_tile_create_plain(1 << 16, 4, 16, false, &tile, NULL), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_tile_create_plain(4, 4, 16, true, &tile, NULL), LW_OK);
    ck_assert_int_eq(lw_tile_bit(tile, 4, 0, &bit), LW_E_ARGUMENT);
    ck_assert_uint_eq(at(tile, 1, 2), 16 * 9);
    ck_assert_int_eq(lw_tile_get_info(tile, NULL), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_tile_get_info(tile, &info), LW_OK);
    ck_assert_uint_eq(info.bits, 256);
    lw_tile_free(tile);
    ck_assert_int_eq(lw_bank_rule_find(LW_ARCH_GFX942, false, 17, &rule, NULL), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_bank_rule_find(LW_ARCH_NONE, false, 4, &rule, NULL), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_bank_count(rule, NULL, 0, &turns), LW_E_ARGUMENT);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("tiles");
    TCase *tc = tcase_create("tiles");
    tcase_set_timeout(tc, 120);
    tcase_add_loop_test(tc, says_the_same, 0, sizeof(equal) / sizeof(equal[0]));
    tcase_add_test(tc, modes_of_tensor_copies);
    tcase_add_test(tc, refused);
    tcase_add_loop_test(tc, damaged, 0, sizeof(equal) / sizeof(equal[0]));
    tcase_add_test(tc, arguments);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

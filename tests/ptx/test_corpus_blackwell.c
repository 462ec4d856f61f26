/* SPDX-License-Identifier: MIT */
/* Matrices of bytes, of which rows in memory have elements of 8, 6 or 4 bits (corpus/blackwell.cu). */
#include "tests/ptx/corpus_kit.h"

enum { LANES = 32, ROWS = 32, ROW_BYTES = 16, FORMS = 4 };

/* Element j of a row whose elements lie side by side from bit 0 on. */
static unsigned element(const uint8_t *row, unsigned bits, unsigned j)
{
    unsigned v = 0;
    for (unsigned i = 0; i < bits; i++)
        v |= ((unsigned)row[(j * bits + i) / 8] >> (j * bits + i) % 8 & 1u) << i;
    return v;
}

/* The row that a lane points to. */
static unsigned row_of(unsigned lane)
{
    return lane * 5 % ROWS;
}

/*
 * PTX ISA 9.1, "ldmatrix": of 8 rows, each lane has four neighbours of a row. Of 16 rows, which lanes get
 * transposed, the same of a column, in a second register for columns 8 to 15.
 */
static void expect_load(const uint8_t in[ROWS][ROW_BYTES], unsigned side, unsigned bits,
                        uint8_t want[LANES][ROW_BYTES])
{
    for (unsigned pointer = 0; pointer < ROWS; pointer++)
        for (unsigned j = 0; j < 16; j++) {
            const unsigned matrix = pointer / side, i = pointer % side;
            const unsigned v = element(in[row_of(pointer)], bits, j);
            if (side == 8)
                want[4 * i + j / 4][4 * matrix + j % 4] = (uint8_t)v;
            else
                want[4 * (j % 8) + i / 4][4 * (2 * matrix + j / 8) + i % 4] = (uint8_t)v;
        }
}

/* "stmatrix": the registers of a matrix of 16 x 8, whose columns become the rows in memory. */
static void expect_store(const uint8_t in[LANES][ROW_BYTES], uint8_t want[ROWS][ROW_BYTES])
{
    for (unsigned lane = 0; lane < LANES; lane++)
        for (unsigned matrix = 0; matrix < 4; matrix++)
            for (unsigned e = 0; e < 4; e++) {
                const unsigned row = lane / 4 + e / 2 * 8, column = lane % 4 * 2 + e % 2;
                want[row_of(8 * matrix + column)][row] = in[lane][4 * matrix + e];
            }
}

START_TEST(matrices_of_bytes)
{
    static const struct {
        unsigned side, bits;
    } forms[FORMS] = { { 16, 8 }, { 16, 6 }, { 8, 4 }, { 8, 6 } };
    static uint8_t in[ROWS][ROW_BYTES], got[FORMS + 1][LANES][ROW_BYTES], want[FORMS + 1][LANES][ROW_BYTES];
    corpus_bench t = corpus_open();
    for (uint32_t i = 0; i < ROWS * ROW_BYTES; i++)
        in[i / ROW_BYTES][i % ROW_BYTES] = (uint8_t)corpus_noise(i);
    for (int i = 0; i < FORMS; i++)
        expect_load((const uint8_t(*)[ROW_BYTES])in, forms[i].side, forms[i].bits, want[i]);
    expect_store((const uint8_t(*)[ROW_BYTES])in, want[FORMS]);
    corpus_put(&t, 0, in, sizeof(in));
    corpus_launch(&t, "byte_matrices", 1, LANES, 2, NULL);
    corpus_get(&t, 1, got, sizeof(got));
    for (int form = 0; form <= FORMS; form++)
        for (unsigned i = 0; i < LANES; i++)
            for (unsigned j = 0; j < ROW_BYTES; j++)
                ck_assert_msg(got[form][i][j] == want[form][i][j], "form %d: (%u, %u) is %02x, not %02x",
                              form, i, j, got[form][i][j], want[form][i][j]);
    corpus_close(&t);
}
END_TEST

static Suite *make(void)
{
    Suite *suite = suite_create("ptx_corpus_blackwell");
    TCase *tc = tcase_create("kernels");
    tcase_add_test(tc, matrices_of_bytes);
    suite_add_tcase(suite, tc);
    return suite;
}

int main(void)
{
    static const char *const files[] = { "blackwell_nvcc.ptx" };
    return corpus_main(make, files, sizeof(files) / sizeof(files[0]));
}

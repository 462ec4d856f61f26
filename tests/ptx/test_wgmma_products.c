/* SPDX-License-Identifier: MIT */
/* Products of whole warpgroups with exact sums, by every row of wgmma. */
#include "ptx/wgmma_fixture.h"

enum { ROWS = 64, LANES = 128 };

/* ---- Numbers: small integers are exact in every format ---- */

static unsigned draw(uint64_t *state, unsigned below)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(*state >> 33) % below;
}

/* -2, -1, 0, 1, 2 as codes; unsigned and one-bit types have 0 and 1. */
static uint32_t code_of(const char *format, int value)
{
    static const struct {
        const char *name;
        uint32_t one, two, sign;
    } rows[] = {
        { "f16", 0x3c00, 0x4000, 0x8000 },
        { "bf16", 0x3f80, 0x4000, 0x8000 },
        { "tf32", 0x3f800000, 0x40000000, 1u << 31 },
        { "f32", 0x3f800000, 0x40000000, 1u << 31 },
        { "e4m3", 0x38, 0x40, 0x80 },
        { "e5m2", 0x3c, 0x40, 0x80 },
    };
    const int size = value < 0 ? -value : value;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (strcmp(format, rows[i].name) == 0)
            return (size == 0 ? 0 : size == 1 ? rows[i].one : rows[i].two) | (value < 0 ? rows[i].sign : 0);
    return (uint32_t)value; /* integers and bits */
}

/* A whole number as f16, f32 or s32, in the range of sums of the numbers above. */
static uint32_t sum_code(const char *format, int value)
{
    const uint32_t sign = value < 0;
    uint32_t size = (uint32_t)(value < 0 ? -value : value), exponent = 0;
    if (strcmp(format, "i32") == 0)
        return (uint32_t)value;
    if (size == 0)
        return 0;
    while (size >> (exponent + 1))
        exponent++;
    if (strcmp(format, "f16") == 0)
        return sign << 15 | (exponent + 15) << 10 | ((size << 10 >> exponent) & 0x3ff);
    return sign << 31 | (exponent + 127) << 23 | ((size << 23 >> exponent) & 0x7fffff);
}

typedef struct problem {
    lw_mma_shape s;
    int *a, *b, *c;
    uint8_t *am, *bm, *cm, *dm, *index;
    unsigned per_chunk; /* dense k per nibble */
} problem;

static void put(uint8_t *to, size_t at, unsigned bytes, uint32_t code)
{
    memcpy(to + at * bytes, &code, bytes);
}

static void fill(problem *p, const char *a_type, const char *b_type, uint64_t *state)
{
    static const uint8_t legal[] = { 0x4, 0x8, 0xc, 0x9, 0xd, 0xe }, legal2[] = { 0x4, 0xe };
    const lw_mma_shape *s = &p->s;
    const bool a_plain = strcmp(a_type, "u8") == 0 || strcmp(a_type, "b1") == 0;
    const bool b_plain = strcmp(b_type, "u8") == 0 || strcmp(b_type, "b1") == 0;
    for (size_t i = 0; i < (size_t)s->m * s->a_k; i++) {
        p->a[i] = a_plain ? (int)draw(state, 2) : (int)draw(state, 5) - 2;
        put(p->am, i, s->a_bytes, code_of(a_type, p->a[i]) & (s->a_bytes == 1 ? 0xff : UINT32_MAX));
    }
    for (size_t i = 0; i < (size_t)s->k * s->n; i++) {
        p->b[i] = b_plain ? (int)draw(state, 2) : (int)draw(state, 5) - 2;
        put(p->bm, i, s->b_bytes, code_of(b_type, p->b[i]) & (s->b_bytes == 1 ? 0xff : UINT32_MAX));
    }
    for (size_t i = 0; i < (size_t)s->m * s->n; i++) {
        p->c[i] = (int)draw(state, 101) - 50;
        put(p->cm, i, s->c_bytes, sum_code(s->c_format, p->c[i]));
    }
    p->per_chunk = s->groups ? (unsigned)s->k / s->groups : 1;
    for (size_t i = 0; i < (size_t)s->m * s->groups; i++)
        p->index[i] = p->per_chunk == 2 ? legal2[draw(state, 2)] : legal[draw(state, 6)];
}

/* The k of B that stored value `n` of a row is multiplied with. */
static unsigned dense_k(const problem *p, unsigned row, unsigned n)
{
    const unsigned each = p->per_chunk / 2;
    if (!p->s.groups)
        return n;
    const unsigned nibble = p->index[row * p->s.groups + n / each];
    if (each == 1)
        return 2 * n + (nibble == 0xe);
    return 4 * (n / 2) + (nibble >> 2 * (n % 2) & 3);
}

static void compare(const problem *p, const char *text, int sign, bool adds)
{
    for (unsigned i = 0; i < p->s.m; i++)
        for (unsigned j = 0; j < p->s.n; j++) {
            int sum = 0;
            uint32_t got = 0;
            for (unsigned n = 0; n < p->s.a_k; n++)
                sum += p->a[i * p->s.a_k + n] * p->b[dense_k(p, i, n) * p->s.n + j];
            sum = sign * sum + (adds ? p->c[i * p->s.n + j] : 0);
            memcpy(&got, p->dm + ((size_t)i * p->s.n + j) * p->s.d_bytes, p->s.d_bytes);
            if (got != sum_code(p->s.d_format, sum))
                ck_abort_msg("%s: D(%u, %u) is %x, not %d", text, i, j, got, sum);
        }
}

static void check_product(const char *text, const char *a_type, const char *b_type, int sign, bool adds,
                          uint64_t *state)
{
    enum { MOST = 64 * 1024 };
    static int a[MOST], b[MOST], c[MOST];
    static uint8_t am[4 * MOST], bm[4 * MOST], cm[4 * MOST], dm[4 * MOST], index[MOST];
    problem p = { .a = a, .b = b, .c = c, .am = am, .bm = bm, .cm = cm, .dm = dm, .index = index };
    lw_mods mods;
    lw_mma *mma = NULL;
    lw_error error = { "" };
    uint32_t touched = 0;
    const lw_insn *insn = parse(text, &mods);
    const lw_mma_options options = { .struct_size = sizeof(options), .mods = &mods };
    ck_assert_msg(lw_mma_create(LW_ARCH_SM_90, insn, &options, &mma, &error) == LW_OK, "%s", error.text);
    ck_assert_int_eq(lw_mma_get_shape(mma, &p.s), LW_OK);
    ck_assert(p.s.m == ROWS && p.s.n == insn->n && p.s.wave == LANES && p.s.insn == insn);
    fill(&p, a_type, b_type, state);
    const lw_mma_matrices mat = { .a = am, .b = bm, .c = cm, .d = dm, .index = p.s.groups ? index : NULL };
    ck_assert_int_eq(lw_mma_check_matrices(mma, &mat, &error), LW_OK);
    memset(dm, 0xa5, sizeof(dm));
    ck_assert_int_eq(lw_mma_execute_matrices(mma, &mat, NULL), LW_OK);
    compare(&p, text, sign, adds);
    memset(dm, 0xa5, sizeof(dm));
    ck_assert_int_eq(lw_mma_execute_matrices(mma, &mat, &touched), LW_OK);
    compare(&p, text, sign, adds);
    lw_mma_free(mma);
}

START_TEST(products_of_small_integers_are_exact)
{
    csv t;
    uint64_t state = 7;
    unsigned number = 0;
    csv_open(&t, csv_path);
    while (next_wgmma(&t)) {
        static const unsigned widths[] = { 8, 24, 64, 256 };
        static const struct {
            const char *mods;
            int sign;
            bool adds;
        } ways[] = { { "", 1, true },
                     { " scale-d:0", 1, false },
                     { " imm-scale-a:-1", -1, true },
                     { " imm-scale-b:-1", -1, true },
                     { " imm-scale-a:-1 imm-scale-b:-1 scale-d:0", 1, false } };
        char text[LW_PTX_SPELLING_MAX + 64];
        const bool real = strstr(csv_get(&t, "extra_operands"), "imm-scale") != NULL;
        for (unsigned w = 0; w < (real ? 5 : 2); w++) {
            spell(&t, widths[number++ % 4], text);
            strcat(text, ways[w].mods);
            check_product(text, csv_get(&t, "a_type"), csv_get(&t, "b_type"), ways[w].sign, ways[w].adds,
                          &state);
        }
        if (real)
            continue;
        spell(&t, 8, text);
        strcat(text, " imm-scale-a:-1");
        const lw_insn *insn = NULL;
        lw_mods mods;
        ck_assert_int_eq(lw_insn_parse(LW_ARCH_SM_90, text, &insn, &mods, NULL), LW_E_UNSUPPORTED);
    }
}
END_TEST

/* The explanation of an element ends with the computed value; undefined metadata is reported with its row. */
static lw_status keep_last(void *context, const lw_mma_explain_row *row)
{
    *(uint64_t *)context = row->bits;
    return LW_OK;
}

START_TEST(elements_are_explained_and_errors_name_rows)
{
    static uint8_t am[64 * 32], bm[64 * 24], index[64 * 16];
    static uint32_t dm[64 * 24];
    uint64_t state = 3;
    lw_mods mods;
    lw_mma *mma = NULL;
    lw_error error = { "" };
    const lw_insn *insn = parse("wgmma.sp.m64n24k64.s32.int8.int8", &mods);
    for (size_t i = 0; i < sizeof(am); i++)
        am[i] = (uint8_t)draw(&state, 256);
    for (size_t i = 0; i < sizeof(bm); i++)
        bm[i] = (uint8_t)draw(&state, 256);
    memset(index, 4, sizeof(index));
    ck_assert_int_eq(lw_mma_create(LW_ARCH_SM_90, insn, NULL, &mma, NULL), LW_OK);
    const lw_mma_matrices mat = { .a = am, .b = bm, .d = dm, .index = index };
    ck_assert_int_eq(lw_mma_execute_matrices(mma, &mat, NULL), LW_OK);
    for (unsigned i = 0; i < 64; i += 13)
        for (unsigned j = 0; j < 24; j += 5) {
            uint64_t last = 0;
            ck_assert_int_eq(lw_mma_explain_matrices(mma, &mat, 0, i, j, keep_last, &last), LW_OK);
            ck_assert_uint_eq(last, dm[i * 24 + j]);
        }
    uint64_t unused = 0;
    ck_assert_int_eq(lw_mma_explain_matrices(mma, &mat, 0, 64, 0, keep_last, &unused), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_mma_explain_matrices(mma, &mat, 0, 0, 24, keep_last, &unused), LW_E_ARGUMENT);
    index[37 * 16 + 3] = 5;
    ck_assert_int_eq(lw_mma_execute_matrices(mma, &mat, NULL), LW_E_UNSUPPORTED);
    ck_assert_int_eq(lw_mma_check_matrices(mma, &mat, &error), LW_E_UNSUPPORTED);
    ck_assert_msg(strstr(error.text, "row 37, chunk 3"), "%s", error.text);
    lw_mma_free(mma);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("wgmma");
    tcase_add_test(tc, products_of_small_integers_are_exact);
    tcase_add_test(tc, elements_are_explained_and_errors_name_rows);
    return run_wgmma("ptx_wgmma_products", tc);
}

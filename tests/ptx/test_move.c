/* SPDX-License-Identifier: MIT */
/* ldmatrix, stmatrix, movmatrix, wmma.load and wmma.store, compared with the formulas of the PTX ISA
 * manual. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/mma.h>
#include <lanewise/move.h>

enum { LANES = 32, MOST = 8, SIZE = 8192 };
static const uint64_t base = 0x10000;

typedef struct bench {
    const lw_insn *insn;
    lw_mods mods;
    unsigned char bytes[SIZE];
    uint32_t source[MOST * LANES], result[MOST * LANES];
    lw_move_args args;
} bench;

static uint32_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 32);
}

static void set_up(bench *b, lw_arch arch, const char *text)
{
    uint64_t state = strlen(text);
    lw_error error = { "" };
    memset(b, 0, sizeof(*b));
    ck_assert_msg(lw_insn_parse(arch, text, &b->insn, &b->mods, &error) == LW_OK, "%s", error.text);
    for (size_t i = 0; i < SIZE; i++)
        b->bytes[i] = (unsigned char)next_random(&state);
    for (size_t i = 0; i < MOST * LANES; i++)
        b->source[i] = next_random(&state), b->result[i] = 0xdeadbeef;
    b->args.memory = (lw_move_memory){ b->bytes, base, SIZE };
    b->args.source = b->source;
    b->args.result = b->result;
    /* rows in a different order, each in another place */
    for (unsigned lane = 0; lane < LANES; lane++)
        b->args.address[lane] = base + 16 * ((lane * 7 + 3) % 32) + 512 * (lane % 3);
}

static void run(bench *b, lw_arch arch)
{
    lw_error error = { "" };
    ck_assert_msg(lw_move_execute(arch, b->insn, &b->mods, &b->args, &error) == LW_OK, "%s", error.text);
}

static unsigned byte_of(uint32_t word, unsigned i)
{
    return word >> 8 * i & 0xff;
}

/* The 16-bit element `column` of the row whose address lane `lane` holds. */
static unsigned half_at(const bench *b, unsigned lane, unsigned column)
{
    const unsigned char *row = b->bytes + (b->args.address[lane] - base);
    return row[2 * column] | (unsigned)row[2 * column + 1] << 8;
}

/* Element `i` of a row of sixteen of `bits` bits, packed from bit 0. */
static unsigned packed_at(const bench *b, unsigned lane, unsigned i, unsigned bits)
{
    const unsigned char *row = b->bytes + (b->args.address[lane] - base);
    const unsigned at = i * bits, two = row[at / 8] | (unsigned)row[at / 8 + 1] << 8;
    return two >> at % 8 & ((1u << bits) - 1);
}

START_TEST(ldmatrix_of_16_bits)
{
    for (unsigned log = 0; log < 3; log++)
        for (unsigned trans = 0; trans < 2; trans++) {
            char text[64];
            bench b;
            snprintf(text, sizeof(text), "ldmatrix.sync.aligned.m8n8.x%u%s.shared.b16", 1u << log,
                     trans ? ".trans" : "");
            set_up(&b, LW_ARCH_SM_80, text);
            run(&b, LW_ARCH_SM_80);
            for (unsigned q = 0; q < MOST; q++)
                for (unsigned lane = 0; lane < LANES; lane++) {
                    const unsigned g = lane >> 2, t = lane & 3;
                    uint32_t want = 0xdeadbeef;
                    if (q < 1u << log && trans)
                        want = half_at(&b, 8 * q + 2 * t, g) | half_at(&b, 8 * q + 2 * t + 1, g) << 16;
                    else if (q < 1u << log)
                        want = half_at(&b, 8 * q + g, 2 * t) | half_at(&b, 8 * q + g, 2 * t + 1) << 16;
                    ck_assert_msg(b.result[q * LANES + lane] == want, "%s: register %u, lane %u", text, q,
                                  lane);
                }
        }
}
END_TEST

START_TEST(ldmatrix_of_bytes)
{
    static const struct {
        const char *type;
        unsigned bits;
    } types[] = { { "b8", 8 }, { "b8x16.b6x16_p32", 6 }, { "b8x16.b4x16_p64", 4 } };
    for (unsigned i = 0; i < 12; i++) {
        const bool wide = i < 6;
        const unsigned type = i % 3, count = wide ? 1 + i / 3 % 2 : 1u << (i - 6) / 2 % 3;
        const unsigned bits = types[wide ? type : 1 + i % 2].bits;
        char text[96];
        bench b;
        snprintf(text, sizeof(text), "ldmatrix.sync.aligned.%s.x%u%s.%s", wide ? "m16n16" : "m8n16", count,
                 wide ? ".trans" : "", types[wide ? type : 1 + i % 2].type);
        set_up(&b, LW_ARCH_SM_100A, text);
        run(&b, LW_ARCH_SM_100A);
        for (unsigned reg = 0; reg < count * (wide ? 2 : 1); reg++)
            for (unsigned lane = 0; lane < LANES; lane++)
                for (unsigned e = 0; e < 4; e++) {
                    const unsigned g = lane >> 2, t = lane & 3;
                    const unsigned want =
                        wide ? packed_at(&b, 16 * (reg / 2) + 4 * t + e, g + 8 * (reg % 2), bits)
                             : packed_at(&b, 8 * reg + g, 4 * t + e, bits);
                    ck_assert_msg(byte_of(b.result[reg * LANES + lane], e) == want,
                                  "%s: register %u, lane %u, byte %u", text, reg, lane, e);
                }
    }
}
END_TEST

/* Without modifiers, the forms that exist with .trans only mean exactly those: nothing after a row is
 * read. */
START_TEST(only_form_is_the_default)
{
    static const char *const texts[] = { "ldmatrix.sync.aligned.m16n16.x1.trans.b8",
                                         "stmatrix.sync.aligned.m16n8.x1.trans.b8",
                                         "movmatrix.sync.aligned.m8n8.trans.b16" };
    for (unsigned i = 0; i < 3; i++) {
        bench b, plain;
        set_up(&b, LW_ARCH_SM_100A, texts[i]);
        for (unsigned lane = 0; lane < LANES; lane++)
            b.args.address[lane] = base + 16 * lane;
        b.args.memory.size = 512;
        plain = b;
        plain.mods = (lw_mods){ 0 };
        plain.args.source = plain.source;
        plain.args.result = plain.result;
        plain.args.memory.bytes = plain.bytes;
        run(&b, LW_ARCH_SM_100A);
        run(&plain, LW_ARCH_SM_100A);
        ck_assert_mem_eq(plain.result, b.result, sizeof(b.result));
        ck_assert_mem_eq(plain.bytes, b.bytes, SIZE);
    }
}
END_TEST

/* Stored data is the same when loaded by the same form; nothing else in memory changed. */
START_TEST(stmatrix_mirrors_ldmatrix)
{
    for (unsigned i = 0; i < 6; i++) {
        const unsigned count = 1u << i / 2;
        char text[96];
        bench b, before;
        snprintf(text, sizeof(text), "stmatrix.sync.aligned.m8n8.x%u%s.b16", count, i & 1 ? ".trans" : "");
        set_up(&b, LW_ARCH_SM_90, text);
        for (unsigned lane = 0; lane < LANES; lane++)
            b.args.address[lane] = base + 32 * ((lane * 5 + 1) % 32);
        before = b;
        run(&b, LW_ARCH_SM_90);
        for (unsigned row = 0; row < 8 * count; row++) {
            for (unsigned column = 0; column < 8; column++) {
                const unsigned r = i & 1 ? column : row % 8, c = i & 1 ? row % 8 : column;
                const uint32_t word = b.source[row / 8 * LANES + 4 * r + c / 2];
                ck_assert_uint_eq(half_at(&b, row, column), word >> 16 * (c % 2) & 0xffff);
            }
            memset(b.bytes + (b.args.address[row] - base), 0, 16);
            memset(before.bytes + (b.args.address[row] - base), 0, 16);
        }
        ck_assert_mem_eq(b.bytes, before.bytes, SIZE);
        ck_assert_mem_eq(b.result, before.result, sizeof(b.result));
    }
}
END_TEST

START_TEST(stmatrix_of_bytes)
{
    bench b;
    set_up(&b, LW_ARCH_SM_120A, "stmatrix.sync.aligned.m16n8.x2.trans.shared::cta.b8");
    for (unsigned lane = 0; lane < LANES; lane++)
        b.args.address[lane] = base + 16 * lane;
    run(&b, LW_ARCH_SM_120A);
    for (unsigned q = 0; q < 2; q++)
        for (unsigned lane = 0; lane < LANES; lane++)
            for (unsigned e = 0; e < 4; e++) {
                const unsigned g = lane >> 2, t = lane & 3;
                ck_assert_uint_eq(packed_at(&b, 8 * q + 2 * t + (e & 1), g + 8 * (e >> 1), 8),
                                  byte_of(b.source[q * LANES + lane], e));
            }
}
END_TEST

START_TEST(movmatrix_transposes)
{
    bench b;
    set_up(&b, LW_ARCH_SM_75, "movmatrix.sync.aligned.m8n8.trans.b16");
    run(&b, LW_ARCH_SM_75);
    for (unsigned lane = 0; lane < LANES; lane++)
        for (unsigned h = 0; h < 2; h++) {
            const unsigned g = lane >> 2, t = lane & 3;
            const uint32_t word = b.source[4 * (2 * t + h) + (g >> 1)];
            ck_assert_uint_eq(b.result[lane] >> 16 * h & 0xffff, word >> 16 * (g & 1) & 0xffff);
        }
    uint32_t twice[LANES];
    b.args.source = b.result;
    b.args.result = twice;
    run(&b, LW_ARCH_SM_75);
    ck_assert_mem_eq(twice, b.source, sizeof(twice));
}
END_TEST

/* A whole tile: loads of A, B and C, the multiplication, the store, against plain sums of small integers. */
static void check_tile(unsigned m, unsigned n, bool a_col, bool b_col)
{
    enum { K = 16, A_AT = 0, B_AT = 2048, C_AT = 4096, D_AT = 6144 };
    char text[96];
    bench b;
    uint32_t a[MOST * LANES], bb[MOST * LANES], c[MOST * LANES], d[MOST * LANES];
    uint32_t *images[] = { a, bb, c };
    const char *letters = "abc";
    const unsigned places[] = { A_AT, B_AT, C_AT }, c_stride = n == 8 ? 16 : 32;
    for (unsigned i = 0; i < 3; i++) {
        const bool col = i == 0 ? a_col : i == 1 && b_col;
        snprintf(text, sizeof(text), "wmma.load.%c.sync.aligned.%s.m%un%uk16.global.%s", letters[i],
                 col ? "col" : "row", m, n, i < 2 ? "s8" : "s32");
        if (i == 0)
            set_up(&b, LW_ARCH_SM_80, text);
        ck_assert_int_eq(lw_insn_parse(LW_ARCH_SM_80, text, &b.insn, &b.mods, NULL), LW_OK);
        for (unsigned lane = 0; lane < LANES; lane++)
            b.args.address[lane] = base + places[i];
        b.args.stride = i == 2 ? c_stride : 48; /* not the length of the rows */
        b.args.result = images[i];
        run(&b, LW_ARCH_SM_80);
    }

    const lw_insn *insn;
    lw_mma *mma;
    lw_mods mods;
    snprintf(text, sizeof(text), "wmma.mma.sync.aligned.%s.%s.m%un%uk16.s32.s8.s8.s32", a_col ? "col" : "row",
             b_col ? "col" : "row", m, n);
    ck_assert_int_eq(lw_insn_parse(LW_ARCH_SM_80, text, &insn, &mods, NULL), LW_OK);
    ck_assert_int_eq(lw_mma_create(LW_ARCH_SM_80, insn,
                                   &(lw_mma_options){ .struct_size = sizeof(lw_mma_options), .mods = &mods },
                                   &mma, NULL),
                     LW_OK);
    const lw_mma_registers registers = { .a = a, .b = bb, .c = c, .d = d };
    ck_assert_int_eq(lw_mma_execute_registers(mma, &registers, NULL), LW_OK);
    lw_mma_free(mma);

    snprintf(text, sizeof(text), "wmma.store.d.sync.aligned.row.m%un%uk16.s32", m, n);
    ck_assert_int_eq(lw_insn_parse(LW_ARCH_SM_80, text, &b.insn, &b.mods, NULL), LW_OK);
    for (unsigned lane = 0; lane < LANES; lane++)
        b.args.address[lane] = base + D_AT;
    b.args.stride = 0;
    b.args.source = d;
    run(&b, LW_ARCH_SM_80);
    for (unsigned i = 0; i < m; i++)
        for (unsigned j = 0; j < n; j++) {
            int32_t want, got;
            memcpy(&want, b.bytes + C_AT + 4 * (c_stride * i + j), 4);
            memcpy(&got, b.bytes + D_AT + 4 * (n * i + j), 4);
            for (unsigned k = 0; k < K; k++)
                want = (int32_t)((uint32_t)want +
                                 (uint32_t)((int8_t)b.bytes[A_AT + (a_col ? 48 * k + i : 48 * i + k)] *
                                            (int8_t)b.bytes[B_AT + (b_col ? 48 * j + k : 48 * k + j)]));
            ck_assert_msg(got == want, "%s: D[%u,%u]", text, i, j);
        }
}

START_TEST(wmma_loads_multiplies_and_stores)
{
    for (unsigned layouts = 0; layouts < 4; layouts++) {
        check_tile(16, 16, layouts & 1, layouts >> 1);
        check_tile(32, 8, layouts & 1, layouts >> 1);
        check_tile(8, 32, layouts & 1, layouts >> 1);
    }
}
END_TEST

/* A matrix that is loaded as C and stored as D is unchanged, in either layout and every type. */
START_TEST(wmma_store_mirrors_load)
{
    static const char *const shapes[] = { "m16n16k16.f16", "m16n16k16.f32", "m8n32k16.f16", "m32n8k16.s32",
                                          "m16n16k8.f32",  "m8n8k4.f64",    "m8n8k32.s32",  "m8n8k128.s32" };
    for (unsigned i = 0; i < 16; i++) {
        char text[96];
        bench b;
        snprintf(text, sizeof(text), "wmma.load.c.sync.aligned.%s.%s", i & 1 ? "col" : "row", shapes[i / 2]);
        set_up(&b, LW_ARCH_SM_80, text);
        for (unsigned lane = 0; lane < LANES; lane++)
            b.args.address[lane] = base;
        run(&b, LW_ARCH_SM_80);
        snprintf(text, sizeof(text), "wmma.store.d.sync.aligned.%s.%s", i & 1 ? "col" : "row", shapes[i / 2]);
        ck_assert_int_eq(lw_insn_parse(LW_ARCH_SM_80, text, &b.insn, &b.mods, NULL), LW_OK);
        lw_operand_info info;
        ck_assert_int_eq(lw_insn_operand(LW_ARCH_SM_80, b.insn, LW_OPERAND_D, &b.mods, &info, NULL), LW_OK);
        const size_t size = (size_t)info.registers * LANES * 4; /* C and D have no copies */
        for (unsigned lane = 0; lane < LANES; lane++)
            b.args.address[lane] = base + 4096;
        b.args.source = b.result;
        run(&b, LW_ARCH_SM_80);
        ck_assert_mem_eq(b.bytes + 4096, b.bytes, size);
    }
}
END_TEST

static void refuse(bench *b, lw_arch arch, lw_status status, const char *says)
{
    const bench before = *b;
    lw_error error = { "" };
    ck_assert_int_eq(lw_move_execute(arch, b->insn, &b->mods, &b->args, &error), status);
    ck_assert_msg(strstr(error.text, says) != NULL, "\"%s\" lacks \"%s\"", error.text, says);
    ck_assert_mem_eq(b->bytes, before.bytes, SIZE);
    ck_assert_mem_eq(b->result, before.result, sizeof(b->result));
}

START_TEST(bad_addresses_are_named)
{
    bench b;
    set_up(&b, LW_ARCH_SM_80, "ldmatrix.sync.aligned.m8n8.x2.shared.b16");
    b.args.address[11] += 8;
    refuse(&b, LW_ARCH_SM_80, LW_E_UNSUPPORTED, "of lane 11 is not a multiple of 16");
    b.args.address[11] = base + SIZE - 0;
    refuse(&b, LW_ARCH_SM_80, LW_E_FAULT, "0x12000 of lane 11 is outside the memory");
    b.args.address[11] = base - 16;
    refuse(&b, LW_ARCH_SM_80, LW_E_FAULT, "0xfff0 of lane 11 is outside");
    b.args.address[11] = base + SIZE - 16;
    run(&b, LW_ARCH_SM_80);
    b.args.address[30] = 1; /* not used by x2, but on sm_75 it must be valid */
    run(&b, LW_ARCH_SM_80);
    refuse(&b, LW_ARCH_SM_75, LW_E_UNSUPPORTED, "of lane 30");

    set_up(&b, LW_ARCH_SM_90, "stmatrix.sync.aligned.m8n8.x1.shared.b16");
    b.args.address[5] = b.args.address[2];
    refuse(&b, LW_ARCH_SM_90, LW_E_UNSUPPORTED, "lanes 2 and 5 store to one row");

    set_up(&b, LW_ARCH_SM_80, "wmma.store.d.sync.aligned.row.m16n16k16.f32");
    refuse(&b, LW_ARCH_SM_80, LW_E_UNSUPPORTED, "all lanes must have one");
    for (unsigned lane = 0; lane < LANES; lane++)
        b.args.address[lane] = base + 16;
    refuse(&b, LW_ARCH_SM_80, LW_E_UNSUPPORTED, "multiples of 32 bytes");
    for (unsigned lane = 0; lane < LANES; lane++)
        b.args.address[lane] = base;
    b.args.stride = 12;
    refuse(&b, LW_ARCH_SM_80, LW_E_UNSUPPORTED, "stride 12");
    b.args.stride = 8;
    refuse(&b, LW_ARCH_SM_80, LW_E_UNSUPPORTED, "over each other");
    b.args.stride = 1024;
    refuse(&b, LW_ARCH_SM_80, LW_E_FAULT, "not all in the memory");
}
END_TEST

START_TEST(bad_arguments_are_refused)
{
    bench b;
    set_up(&b, LW_ARCH_SM_80, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
    refuse(&b, LW_ARCH_SM_80, LW_E_ARGUMENT, "lw_mma_create");
    set_up(&b, LW_ARCH_SM_80, "ldmatrix.sync.aligned.m8n8.x1.b16");
    refuse(&b, LW_ARCH_SM_70, LW_E_ARCH, "sm_70");
    b.args.result = NULL;
    refuse(&b, LW_ARCH_SM_80, LW_E_ARGUMENT, "memory and a result");
    ck_assert_int_eq(lw_move_execute(LW_ARCH_SM_80, NULL, NULL, &b.args, NULL), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_move_execute(LW_ARCH_SM_80, b.insn, NULL, NULL, NULL), LW_E_ARGUMENT);
    set_up(&b, LW_ARCH_SM_80, "ldmatrix.sync.aligned.m8n8.x1.b16");
    b.args.memory.base = UINT64_MAX - 100;
    refuse(&b, LW_ARCH_SM_80, LW_E_ARGUMENT, "beyond the last address");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ptx_move");
    TCase *tc = tcase_create("all");
    tcase_add_test(tc, ldmatrix_of_16_bits);
    tcase_add_test(tc, ldmatrix_of_bytes);
    tcase_add_test(tc, only_form_is_the_default);
    tcase_add_test(tc, stmatrix_mirrors_ldmatrix);
    tcase_add_test(tc, stmatrix_of_bytes);
    tcase_add_test(tc, movmatrix_transposes);
    tcase_add_test(tc, wmma_loads_multiplies_and_stores);
    tcase_add_test(tc, wmma_store_mirrors_load);
    tcase_add_test(tc, bad_addresses_are_named);
    tcase_add_test(tc, bad_arguments_are_refused);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* SPDX-License-Identifier: MIT */
/*
 * tcgen05.mma as an instruction of the tables: spellings compared with what ptxas 13.0 accepts, shapes with
 * the PTX ISA's table, instruction descriptors with values from CUTLASS, places in tensor memory with CuTe
 * layouts evaluated mode by mode, and products with exact sums.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/lanewise.h>
#include <lanewise/tile.h>

#include "isa_tables/csv.h"
#include "isa_tables/ptx/parts.h"
#include "layouts/layout.h"

#define ARCH LW_ARCH_SM_100A
static const char csv_path[] = LW_SOURCE_DIR "/tests/data/ptx-mma.csv";

static const lw_insn *parse(const char *text, lw_mods *mods)
{
    const lw_insn *insn = NULL;
    lw_error error = { "" };
    ck_assert_msg(lw_insn_parse(ARCH, text, &insn, mods, &error) == LW_OK, "%s: %s", text, error.text);
    return insn;
}

static void refused(const char *text, lw_status status, const char *says)
{
    const lw_insn *insn = NULL;
    lw_mods mods;
    lw_error error = { "" };
    const lw_status st = lw_insn_parse(ARCH, text, &insn, &mods, &error);
    ck_assert_msg(st == status && strstr(error.text, says), "%s: %d %s", text, (int)st, error.text);
}

/* ---- Spellings and shapes ---- */

/* What a kind needs after PTX's own words; %u is N. */
static const struct {
    const char *kind;
    const char *words;
    unsigned k, m;
} kinds[] = {
    { "f16", "f32.bf16.bf16", 16, 64 },
    { "tf32", "f32.tf32.tf32", 8, 64 },
    { "f8f6f4", "f16.e5m2.e2m3", 32, 64 },
    { "i8", "s32.u8.s8", 32, 64 },
    { "mxf8f6f4", "f32.e4m3.e2m1.ue8m0", 32, 128 },
    { "mxf4", "f32.e2m1.e2m1.ue8m0", 64, 128 },
    { "mxf4nvf4", "f32.e2m1.e2m1.ue8m0", 64, 128 },
};

START_TEST(spellings_of_the_table)
{
    csv t;
    unsigned taken = 0, not_taken = 0;
    csv_open(&t, csv_path);
    while (csv_next(&t)) {
        char text[200], printed[200];
        const char *spelling = csv_get(&t, "instruction");
        if (strncmp(csv_get(&t, "family"), "tcgen05", 7) != 0)
            continue;
        size_t i = 0;
        while (strcmp(kinds[i].kind, csv_get(&t, "kind")) != 0)
            i++;
        const bool sparse = strstr(spelling, ".sp.") != NULL;
        snprintf(text, sizeof(text), "%s.m%un16k%u.%s", spelling, kinds[i].m, kinds[i].k << sparse,
                 kinds[i].words);
        if (strstr(spelling, "cta_group::2") || strstr(spelling, ".ws")) {
            refused(text, LW_E_UNSUPPORTED, "this version has .cta_group::1 without .ws");
            not_taken++;
            continue;
        }
        lw_mods mods, again;
        const lw_insn *insn = parse(text, &mods), *other = NULL;
        lw_error error = { "" };
        ck_assert_str_eq(lw_ptx_kind_names[insn->ptx->kind], kinds[i].kind);
        ck_assert_int_eq(lw_insn_is_sparse(insn), sparse);
        ck_assert_int_eq(lw_insn_print(ARCH, insn, &mods, printed, sizeof(printed), NULL), LW_OK);
        ck_assert_ptr_eq(parse(printed, &again), insn);
        ck_assert_ptr_eq(parse(insn->mnemonic, &again), insn);
        ck_assert_ptr_nonnull(lw_ptx_part_of(insn));
        ck_assert_int_eq(lw_insn_parse(LW_ARCH_SM_120A, text, &other, &again, &error), LW_E_ARCH);
        ck_assert(strstr(error.text, "it is an instruction of sm_100a"));
        taken++;
    }
    ck_assert_uint_eq(taken, 36); /* some twice: A in shared memory, A in tensor memory */
    ck_assert_uint_eq(not_taken, 44);
    refused("tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale.block16.m128n8k32.f32.e4m3.e4m3.ue8m0",
            LW_E_NOT_FOUND, "the scale vector is wrong");
    refused("tcgen05.mma.cta_group::1.kind::f16.block32.m64n8k16.f32.f16.f16", LW_E_FORMAT,
            ".block32 stands after");
    refused("tcgen05.fence::before_thread_sync", LW_E_UNSUPPORTED, "only tcgen05.mma");
    refused("tcgen05.m64n12k16.f32.f16.f16", LW_E_NOT_FOUND, "M is 64 or 128");
}
END_TEST

/* The PTX ISA's table of shapes for one block without .ws. */
static bool exists(const char *kind, unsigned m, unsigned n)
{
    const bool scaled = kind[0] == 'm';
    if (n < 8 || n > 256 || n % 8 || (scaled && m != 128))
        return false;
    if (strcmp(kind, "i8") == 0)
        return m == 64 ? n <= 24 || n % 16 == 0 : n % 16 == 0;
    return scaled || m == 64 || n % 16 == 0;
}

START_TEST(every_shape)
{
    unsigned legal = 0;
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        for (unsigned m = 32; m <= 256; m *= 2)
            for (unsigned n = 4; n <= 264; n += 4) {
                char text[200];
                lw_mods mods;
                const lw_insn *insn = NULL;
                snprintf(text, sizeof(text), "tcgen05.mma.cta_group::1.kind::%s%s.m%un%uk%u.%s",
                         kinds[i].kind, kinds[i].kind[0] == 'm' ? ".block_scale.block32" : "", m, n,
                         kinds[i].k, kinds[i].words);
                const bool want = (m == 64 || m == 128) && exists(kinds[i].kind, m, n);
                ck_assert_msg((lw_insn_parse(ARCH, text, &insn, &mods, NULL) == LW_OK) == want, "%s", text);
                ck_assert(!want || (insn->m == m && insn->n == n));
                legal += want;
            }
    ck_assert_uint_eq(legal, 3 * (32 + 16) + (18 + 16) + 3 * 32);
}
END_TEST

/* ---- Instruction descriptors: values of CUTLASS's InstrDescriptor ---- */

START_TEST(descriptors)
{
    static const struct {
        const char *kind, *means, *more;
        uint32_t word;
    } cases[] = {
        { "f16", "m128n256k16.f32.f16.f16", "", 0x08400010 },
        { "f16", "m128n128k16.f32.bf16.bf16", "", 0x08200490 },
        { "f16", "m64n8k16.f32.bf16.bf16", " negate-a:1 transpose-a:1", 0x0402a490 },
        { "i8", "m128n64k32.s32.s8.u8", "", 0x081000a0 },
        { "f8f6f4", "m128n128k32.f16.e4m3.e5m2", "", 0x08200400 },
        { "mxf4nvf4", "m128n256k64.f32.e2m1.e2m1.ue4m3", "", 0x08400480 },
        { "mxf8f6f4", "m128n256k32.f32.e4m3.e4m3.ue8m0", "", 0x08c00000 },
        { "mxf8f6f4", "m128n256k32.f32.e2m1.e3m2.ue8m0", " scale-id-a:3 scale-id-b:1", 0x68c01290 },
        { "tf32", "m128n128k8.f32.tf32.tf32", " negate-b:1 transpose-b:1", 0x08214910 },
        { "i8", "m64n32k32.s32.u8.u8.satfinite", "", 0x04080028 },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char text[200], numbered[200];
        const char *block = strcmp(cases[i].kind, "mxf4nvf4") == 0 ? ".block_scale.block16"
                            : cases[i].kind[0] == 'm'              ? ".block_scale"
                                                                   : "";
        lw_mods mods, again;
        uint32_t word = 0;
        snprintf(text, sizeof(text), "tcgen05.mma.cta_group::1.kind::%s%s.%s%s", cases[i].kind, block,
                 cases[i].means, cases[i].more);
        snprintf(numbered, sizeof(numbered), "tcgen05.mma.cta_group::1.kind::%s%s.idesc::0x%08x",
                 cases[i].kind, block, cases[i].word);
        const lw_insn *insn = parse(text, &mods);
        ck_assert_int_eq(lw_insn_descriptor(ARCH, insn, &mods, &word), LW_OK);
        ck_assert_msg(word == cases[i].word, "%s: %08x", text, word);
        ck_assert_ptr_eq(parse(numbered, &again), insn);
        ck_assert_mem_eq(&again, &mods, sizeof(mods));
    }
    refused("tcgen05.mma.cta_group::1.kind::f16.idesc::0x08400110", LW_E_UNSUPPORTED, "the code of a format");
    refused("tcgen05.mma.cta_group::1.kind::f16.idesc::0x08400014", LW_E_UNSUPPORTED, "bit 2 and .sp");
    refused("tcgen05.mma.sp.cta_group::1.kind::f16.idesc::0x08400016", LW_E_UNSUPPORTED, "selectors");
    refused("tcgen05.mma.cta_group::1.kind::f16.idesc::0x08400030", LW_E_UNSUPPORTED, "D's format");
    refused("tcgen05.mma.cta_group::1.kind::mxf4.block_scale.idesc::0x88c00480", LW_E_UNSUPPORTED, "k = 96");
    refused("tcgen05.mma.cta_group::1.kind::f16.idesc::0x10400010", LW_E_NOT_FOUND, "the shape is wrong");
    refused("tcgen05.mma.cta_group::1.kind::f16.idesc::zz", LW_E_FORMAT, "needs a number");
    refused("tcgen05.mma.cta_group::1.idesc::0x08400010", LW_E_FORMAT, "it lacks .kind");
    uint32_t word;
    lw_mods none = { 0 };
    const lw_insn *plain = NULL;
    ck_assert_int_eq(lw_insn_parse(ARCH, "mma.m16n8k16.f32.f16.f16.f32", &plain, &none, NULL), LW_OK);
    ck_assert_int_eq(lw_insn_descriptor(ARCH, plain, NULL, &word), LW_E_UNSUPPORTED);
}
END_TEST

/* ---- Places: CuTe layouts (shape, stride), evaluated from the element to the place ---- */

typedef struct mode {
    unsigned shape, stride;
} mode;

/* The offset of coordinate `c` in a mode of up to three parts, the first fastest. */
static unsigned offset(const mode *parts, unsigned c)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < 3 && parts[i].shape; i++) {
        sum += c % parts[i].shape * parts[i].stride;
        c /= parts[i].shape;
    }
    return sum;
}

/* CUTLASS counts 128 lanes first, then columns: of words for D, of elements for A, of bits for metadata. */
typedef struct fragment {
    mode rows[3], cols[3];
} fragment;

static void check_fragment(const char *text, lw_operand operand, const fragment *f, unsigned unit,
                           unsigned per_k)
{
    lw_mods mods;
    lw_layout layout;
    lw_error error = { "" };
    const lw_insn *insn = parse(text, &mods);
    ck_assert_msg(lw_layout_build(ARCH, insn, operand, 0, &mods, &layout, &error) == LW_OK, "%s", error.text);
    ck_assert_uint_eq(layout.relation.lanes, 128);
    size_t pairs = lw_layout_pairs(&layout);
    ck_assert_uint_eq(pairs, lw_layout_elements_total(&layout));
    for (size_t n = 0; n < pairs; n++) {
        const lw_pair p = lw_layout_pair(&layout, n);
        const unsigned at = offset(f->rows, p.row) + offset(f->cols, (p.col + p.k) * per_k);
        ck_assert_msg(p.lane == at % 128 && p.bit == at / 128 * unit, "%s %s (%u, %u): lane %u bit %u", text,
                      lw_operand_name(operand), p.row, p.col + p.k, p.lane, p.bit);
        ck_assert_uint_lt(p.bit, layout.relation.bits);
    }
}

START_TEST(places_of_a_and_d)
{
    const fragment tall = { { { 128, 1 } }, { { 256, 128 } } },
                   half = { { { 16, 1 }, { 4, 32 } }, { { 256, 128 } } };
    static const char *const types[] = { "k16.f16.f16.f16", "k8.f32.tf32.tf32", "k32.s32.int8.int8",
                                         "k32.f32.f8f6f4.f8f6f4" };
    static const unsigned widths[] = { 16, 48, 256 }, bits[] = { 16, 32, 8, 8 };
    for (unsigned i = 0; i < 4; i++)
        for (unsigned w = 0; w < 3; w++)
            for (unsigned m = 64; m <= 128; m *= 2) {
                char text[80];
                snprintf(text, sizeof(text), "tcgen05.m%un%u%s", m, widths[w], types[i]);
                check_fragment(text, LW_OPERAND_D, m == 64 ? &half : &tall, 32, 1);
                check_fragment(text, LW_OPERAND_C, m == 64 ? &half : &tall, 32, 1);
                check_fragment(text, LW_OPERAND_A, m == 64 ? &half : &tall, bits[i], 1);
            }
    check_fragment("tcgen05.m128n8k64.mxf4.f32.e2m1.e2m1", LW_OPERAND_A, &tall, 4, 1);
}
END_TEST

/* tmem_e_frg: metadata by dense k, one bit each (tf32: two, packed 4-bit data: a half). */
START_TEST(places_of_metadata)
{
    const fragment halves = { { { 8, 1 }, { 2, 2048 }, { 8, 16 } }, { { 16, 128 }, { 2, 8 } } },
                   pairs = { { { 8, 1 }, { 2, 1024 }, { 8, 16 } }, { { 8, 128 }, { 2, 8 } } },
                   bytes = { { { 128, 1 } }, { { 128, 128 } } };
    check_fragment("tcgen05.sp.m128n16k32.f32.f16.f16", LW_OPERAND_INDEX, &halves, 1, 4);
    check_fragment("tcgen05.sp.m128n16k32.f32.bf16.bf16", LW_OPERAND_INDEX, &halves, 1, 4);
    check_fragment("tcgen05.sp.m128n16k16.f32.tf32.tf32", LW_OPERAND_INDEX, &pairs, 2, 2);
    check_fragment("tcgen05.sp.m128n16k64.s32.int8.int8", LW_OPERAND_INDEX, &bytes, 1, 4);
    check_fragment("tcgen05.sp.m128n16k64.f32.f8f6f4.f8f6f4", LW_OPERAND_INDEX, &bytes, 1, 4);
    check_fragment("tcgen05.sp.m128n8k128.mxf4.f32.e2m1.e2m1", LW_OPERAND_INDEX, &bytes, 1, 4);
}
END_TEST

/* Byte mn%32 * 16 + mn/32 * 4 + j of the atom in shared memory; 16 bytes are four columns of a lane. */
START_TEST(places_of_scales)
{
    static const struct {
        const char *text;
        unsigned n, id_a, id_b;
    } cases[] = { { "tcgen05.m128n64k32.mxf8f6f4.f32.f8f6f4.f8f6f4 scale-id-a:2 scale-id-b:3", 64, 2, 3 },
                  { "tcgen05.m128n8k64.mxf4.f32.e2m1.e2m1 scale-id-a:2", 8, 2, 0 },
                  { "tcgen05.m128n256k64.mxf4nvf4.4x.f32.e2m1.e2m1", 256, 0, 0 } };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        for (lw_operand o = LW_OPERAND_SCALE_A; o <= LW_OPERAND_SCALE_B; o++) {
            lw_mods mods;
            lw_layout layout;
            const lw_insn *insn = parse(cases[i].text, &mods);
            ck_assert_int_eq(lw_layout_build(ARCH, insn, o, 0, &mods, &layout, NULL), LW_OK);
            const unsigned rows = o == LW_OPERAND_SCALE_A ? 128 : cases[i].n;
            const unsigned id = o == LW_OPERAND_SCALE_A ? cases[i].id_a : cases[i].id_b;
            ck_assert_uint_eq(lw_layout_pairs(&layout), 4u * rows * (i == 0 ? 1 : i == 1 ? 2 : 4));
            for (size_t n = 0; n < lw_layout_pairs(&layout); n++) {
                const lw_pair p = lw_layout_pair(&layout, n);
                const unsigned mn = p.row + p.col, byte = mn % 32 * 16 + mn / 32 % 4 * 4 + p.k + id;
                ck_assert_uint_eq(p.lane % 32, byte / 16);
                ck_assert_uint_eq(p.bit, (mn / 128 * 16 + byte % 16) * 8);
            }
        }
}
END_TEST

/* Examples that name numbers, and what is not known. */
START_TEST(examples_and_what_is_not_known)
{
    static const struct {
        const char *text;
        lw_operand operand;
        const char *says;
    } unknown[] = {
        { "tcgen05.m64n8k16.f32.f16.f16", LW_OPERAND_B, "in shared memory" },
        { "tcgen05.sp.m64n8k32.f32.f16.f16", LW_OPERAND_INDEX, "metadata of 64 rows" },
        { "tcgen05.m128n40k64.mxf4.f32.e2m1.e2m1", LW_OPERAND_SCALE_B, "a multiple of 32" },
        { "tcgen05.mma.cta_group::1.kind::f8f6f4.m64n8k32.f32.e2m1.e4m3", LW_OPERAND_A, "6 and 4 bits" },
    };
    for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++) {
        lw_mods mods;
        lw_layout layout;
        lw_error error = { "" };
        const lw_insn *insn = parse(unknown[i].text, &mods);
        ck_assert_int_eq(lw_layout_build(ARCH, insn, unknown[i].operand, 0, &mods, &layout, &error),
                         LW_E_UNSUPPORTED);
        ck_assert_msg(strstr(error.text, unknown[i].says), "%s", error.text);
    }
    static const struct {
        const char *text;
        lw_operand operand;
        unsigned row, col;
        unsigned lane, bit;
    } known[] = { { "tcgen05.m64n8k16.f32.f16.f16", LW_OPERAND_D, 40, 5, 72, 160 },
                  { "tcgen05.sp.m128n16k32.f32.f16.f16", LW_OPERAND_INDEX, 27, 5, 27, 20 } };
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        lw_mods mods;
        lw_layout *layout;
        lw_layout_entry at;
        size_t count;
        const lw_insn *insn = parse(known[i].text, &mods);
        ck_assert_int_eq(lw_layout_create(ARCH, insn, known[i].operand, 0, &mods, &layout, NULL), LW_OK);
        ck_assert_int_eq(lw_layout_places(layout, 0, known[i].row, known[i].col, &at, 1, &count), LW_OK);
        ck_assert(count == 1 && at.lane == known[i].lane && at.reg * 32u + at.lsb == known[i].bit);
        lw_layout_free(layout);
    }
}
END_TEST

/* ---- Shared memory ---- */

static uint64_t byte_at(const char *text, lw_operand operand, uint64_t descriptor, unsigned row, unsigned col)
{
    lw_mods mods;
    lw_tile *tile;
    uint64_t bit = 0;
    lw_error error = { "" };
    const lw_insn *insn = parse(text, &mods);
    ck_assert_msg(lw_tile_of_descriptor(ARCH, insn, operand, &mods, descriptor, &tile, &error) == LW_OK, "%s",
                  error.text);
    ck_assert_int_eq(lw_tile_bit(tile, row, col, &bit), LW_OK);
    lw_tile_free(tile);
    return bit / 8;
}

START_TEST(descriptors_of_shared_memory)
{
    static const struct {
        const char *text;
        uint64_t descriptor;
        const char *says;
    } wrong[] = {
        { "tcgen05.m128n16k16.f32.f16.f16", UINT64_C(0x4000000000010000), "has 1 in its bits 48:46" },
        { "tcgen05.m128n16k16.f32.f16.f16", UINT64_C(0x6000404000010200), "means nothing" },
        { "tcgen05.m128n16k16.f32.f16.f16", UINT64_C(0x2000404000010200), "pieces of 32 bytes" },
        { "tcgen05.m128n16k16.f32.f16.f16", UINT64_C(0x4010404000010200), "absolute" },
        { "tcgen05.m64n8k8.f32.tf32.tf32 transpose-a:1", UINT64_C(0x4000404000010200), "pieces of 32 bytes" },
        { "tcgen05.mma.cta_group::1.kind::f8f6f4.m64n8k32.f32.e2m3.e4m3", UINT64_C(0x4000404000010200),
          "padded" },
    };
    const uint64_t k_major = UINT64_C(0x4000404000010200); /* 128 bytes, stride 1024, start 0x2000 */
    ck_assert_uint_eq(byte_at("tcgen05.m128n16k16.f32.f16.f16", LW_OPERAND_A, k_major, 1, 8), 0x2080);
    ck_assert_uint_eq(byte_at("tcgen05.m128n16k32.f32.f8f6f4.f8f6f4", LW_OPERAND_A, k_major, 3, 17), 0x21a1);
    ck_assert_uint_eq(byte_at("tcgen05.m128n16k32.f32.f8f6f4.f8f6f4", LW_OPERAND_B, k_major, 31, 9), 0x248f);
    /* tf32 with m side by side, pieces of 32 bytes, leading 4096, stride 512, start 0 */
    ck_assert_uint_eq(byte_at("tcgen05.m64n8k8.f32.tf32.tf32 transpose-a:1", LW_OPERAND_A,
                              UINT64_C(0x2000402001000000), 33, 5),
                      0x12a4);
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        lw_mods mods;
        lw_tile *tile;
        lw_error error = { "" };
        const lw_insn *insn = parse(wrong[i].text, &mods);
        ck_assert_int_eq(
            lw_tile_of_descriptor(ARCH, insn, LW_OPERAND_A, &mods, wrong[i].descriptor, &tile, &error),
            LW_E_UNSUPPORTED);
        ck_assert_msg(strstr(error.text, wrong[i].says), "%s", error.text);
    }
}
END_TEST

/* ---- Products ---- */

static unsigned draw(uint64_t *state, unsigned below)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(*state >> 33) % below;
}

/* Codes of 0, 1 and 2, then the sign bit. */
static const struct {
    const char *name;
    uint32_t code[3], sign;
    uint8_t bytes;
} numbers[] = {
    { "f16", { 0, 0x3c00, 0x4000 }, 0x8000, 2 },
    { "bf16", { 0, 0x3f80, 0x4000 }, 0x8000, 2 },
    { "tf32", { 0, 0x3f800000, 0x40000000 }, 0x80000000, 4 },
    { "e4m3", { 0, 0x38, 0x40 }, 0x80, 1 },
    { "e5m2", { 0, 0x3c, 0x40 }, 0x80, 1 },
    { "e2m3", { 0, 0x08, 0x10 }, 0x20, 1 },
    { "e3m2", { 0, 0x0c, 0x10 }, 0x20, 1 },
    { "e2m1", { 0, 0x2, 0x4 }, 0x8, 1 },
};

static uint32_t code_of(const char *type, int value)
{
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
        if (strcmp(type, numbers[i].name) == 0)
            return numbers[i].code[abs(value)] | (value < 0 ? numbers[i].sign : 0);
    return (uint32_t)value;
}

/* An integer as f16, f32 or s32. */
static uint32_t sum_code(const char *format, int value)
{
    const float f = (float)value;
    uint32_t word;
    if (strcmp(format, "f16") == 0) {
        unsigned e = 0;
        const uint32_t size = (uint32_t)abs(value);
        while (size >> (e + 1))
            e++;
        return value ? (uint32_t)(value < 0) << 15 | (e + 15) << 10 | ((size << 10 >> e) & 0x3ff) : 0;
    }
    if (strcmp(format, "f32") != 0)
        return (uint32_t)value;
    memcpy(&word, &f, sizeof(word));
    return value ? word : 0;
}

enum { MOST = 128 * 256 };
static int va[MOST], vb[MOST], vc[MOST];
static uint8_t ma[4 * MOST], mb[4 * MOST], mc[4 * MOST], md[4 * MOST], mi[MOST], sa[4 * 128], sb[4 * 256];

static unsigned k_of(const lw_mma_shape *s, unsigned row, unsigned n)
{
    const unsigned chunk = s->groups ? s->k / s->groups : 1;
    if (!s->groups)
        return n;
    if (chunk == 2)
        return 2 * n + (mi[row * s->groups + n] == 0xe);
    if (chunk == 4)
        return n / 2 * 4 + (mi[row * s->groups + n / 2] >> n % 2 * 2 & 3);
    return n / 4 * 8 + (mi[row * s->groups + n / 4] >> n / 2 % 2 * 2 & 3) * 2 + n % 2; /* pairs */
}

/* Scales are powers of two: ue8m0 127 + e, ue4m3 (7 + e) << 3. */
static int scale_of(const uint8_t *scales, const lw_mma_shape *s, unsigned row, unsigned n, bool e8)
{
    const unsigned code = scales[row * s->scale_k + n * s->scale_k / s->a_k];
    return 1 << (e8 ? code - 127 : (code >> 3) - 7);
}

static void check_product(const char *text, const char *a, const char *b, int sign, bool adds,
                          uint64_t *state)
{
    static const uint8_t nibbles[] = { 4, 8, 12, 9, 13, 14 };
    lw_mods mods;
    lw_mma *mma;
    lw_mma_shape s;
    lw_error error = { "" };
    const lw_insn *insn = parse(text, &mods);
    const lw_mma_options options = { .struct_size = sizeof(options), .mods = &mods };
    ck_assert_msg(lw_mma_create(ARCH, insn, &options, &mma, &error) == LW_OK, "%s: %s", text, error.text);
    ck_assert_int_eq(lw_mma_get_shape(mma, &s), LW_OK);
    ck_assert(s.m == insn->m && s.n == insn->n && s.wave == 128 && s.insn == insn);
    const bool a_signed = strcmp(a, "u8") != 0, b_signed = strcmp(b, "u8") != 0,
               e8 = insn->ptx->scale == LW_ELEM_UE8M0;
    for (unsigned i = 0; i < s.m * s.a_k; i++) {
        va[i] = (int)draw(state, 3) * (a_signed && draw(state, 2) ? -1 : 1);
        const uint32_t code = code_of(a, va[i]);
        memcpy(ma + (size_t)i * s.a_bytes, &code, s.a_bytes);
    }
    for (unsigned i = 0; i < s.k * s.n; i++) {
        vb[i] = (int)draw(state, 3) * (b_signed && draw(state, 2) ? -1 : 1);
        const uint32_t code = code_of(b, vb[i]);
        memcpy(mb + (size_t)i * s.b_bytes, &code, s.b_bytes);
    }
    for (unsigned i = 0; i < s.m * s.n; i++) {
        vc[i] = (int)draw(state, 101) - 50;
        const uint32_t code = sum_code(s.c_format, vc[i]);
        memcpy(mc + (size_t)i * s.c_bytes, &code, s.c_bytes);
    }
    for (unsigned i = 0; i < s.m * s.groups; i++)
        mi[i] = s.k / s.groups == 2 ? (draw(state, 2) ? 4 : 14) : nibbles[draw(state, 6)];
    for (unsigned i = 0; i < s.scale_k * 256u; i++) {
        if (i < s.scale_k * 128u)
            sa[i] = (uint8_t)(e8 ? 127 + draw(state, 3) : (7 + draw(state, 3)) << 3);
        sb[i] = (uint8_t)(e8 ? 127 + draw(state, 3) : (7 + draw(state, 3)) << 3);
    }
    const lw_mma_matrices mat = { .a = ma,
                                  .b = mb,
                                  .c = mc,
                                  .d = md,
                                  .index = s.groups ? mi : NULL,
                                  .scale_a = s.scale_k ? sa : NULL,
                                  .scale_b = s.scale_k ? sb : NULL };
    ck_assert_int_eq(lw_mma_execute_matrices(mma, &mat, NULL), LW_OK);
    for (unsigned i = 0; i < s.m; i++)
        for (unsigned j = 0; j < s.n; j++) {
            int sum = 0;
            uint32_t got = 0;
            for (unsigned n = 0; n < s.a_k; n++) {
                const int scale = s.scale_k ? scale_of(sa, &s, i, n, e8) * scale_of(sb, &s, j, n, e8) : 1;
                sum += va[i * s.a_k + n] * vb[k_of(&s, i, n) * s.n + j] * scale;
            }
            sum = sign * sum + (adds ? vc[i * s.n + j] : 0);
            memcpy(&got, md + ((size_t)i * s.n + j) * s.d_bytes, s.d_bytes);
            ck_assert_msg(got == sum_code(s.d_format, sum), "%s: D(%u, %u) is %x, not %d", text, i, j, got,
                          sum);
        }
    lw_mma_free(mma);
}

START_TEST(products_of_small_integers_are_exact)
{
    static const struct {
        const char *head, *kind, *tail, *a, *b;
        unsigned k;
    } cases[] = {
        { "", "f16", "f16.f16.f16", "f16", "f16", 16 },
        { "", "f16", "f32.f16.f16", "f16", "f16", 16 },
        { "", "f16", "f32.bf16.bf16", "bf16", "bf16", 16 },
        { "", "tf32", "f32.tf32.tf32", "tf32", "tf32", 8 },
        { "", "f8f6f4", "f32.e2m3.e5m2", "e2m3", "e5m2", 32 },
        { "", "f8f6f4", "f16.e2m1.e3m2", "e2m1", "e3m2", 32 },
        { "", "i8", "s32.u8.s8", "u8", "s8", 32 },
        { "", "mxf8f6f4.block_scale", "f32.e4m3.e2m1.ue8m0", "e4m3", "e2m1", 32 },
        { "", "mxf4.block_scale", "f32.e2m1.e2m1.ue8m0", "e2m1", "e2m1", 64 },
        { "", "mxf4nvf4.block_scale.block32", "f32.e2m1.e2m1.ue8m0", "e2m1", "e2m1", 64 },
        { "", "mxf4nvf4.block_scale.block16", "f32.e2m1.e2m1.ue4m3", "e2m1", "e2m1", 64 },
        { "", "mxf4nvf4.block_scale.block16", "f32.e2m1.e2m1.ue8m0", "e2m1", "e2m1", 64 },
        { ".sp", "f16", "f32.f16.f16", "f16", "f16", 32 },
        { ".sp", "tf32", "f32.tf32.tf32", "tf32", "tf32", 16 },
        { ".sp", "f8f6f4", "f16.e5m2.e4m3", "e5m2", "e4m3", 64 },
        { ".sp", "i8", "s32.s8.u8", "s8", "u8", 64 },
        { ".sp", "mxf8f6f4.block_scale", "f32.e2m3.e4m3.ue8m0", "e2m3", "e4m3", 64 },
        { ".sp", "mxf4nvf4.block_scale.block16", "f32.e2m1.e2m1.ue4m3", "e2m1", "e2m1", 128 },
    };
    uint64_t state = 11;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        for (unsigned way = 0; way < 3; way++) {
            static const unsigned widths[] = { 8, 48, 96 };
            const bool real = strcmp(cases[i].kind, "i8") != 0, scaled = cases[i].kind[0] == 'm';
            const unsigned m = scaled || way ? 128 : 64, n = widths[(way + i) % 3];
            char text[200];
            snprintf(text, sizeof(text), "tcgen05.mma%s.cta_group::1.kind::%s.m%un%uk%u.%s%s", cases[i].head,
                     cases[i].kind, m, m == 128 && n == 8 && !scaled ? 16 : n, cases[i].k, cases[i].tail,
                     way == 0   ? ""
                     : way == 1 ? " enable-input-d:0"
                     : !real    ? ""
                     : i % 2    ? " negate-a:1"
                                : " negate-b:1");
            check_product(text, cases[i].a, cases[i].b, way == 2 && real ? -1 : 1, way != 1, &state);
        }
    refused("tcgen05.m64n8k32.s32.int8.int8 negate-a:1", LW_E_UNSUPPORTED, "enable-input-d transpose-a");
}
END_TEST

/* Numbers that show the unit: example 21 of docs/numerics.md (four scales), f8f6f4 with 25 bits, groups
 * of 16. */
static uint32_t one_element(const char *text, const void *a, const void *b, uint32_t c,
                            const uint8_t *a_scale, const uint8_t *b_scale)
{
    lw_mods mods;
    lw_mma *mma;
    lw_mma_shape s;
    uint32_t d = 0;
    memset(ma, 0, sizeof(ma));
    memset(mb, 0, sizeof(mb));
    memset(mc, 0, sizeof(mc));
    memset(sa, 0x7f, sizeof(sa));
    memset(sb, 0x7f, sizeof(sb));
    const lw_insn *insn = parse(text, &mods);
    const lw_mma_options options = { .struct_size = sizeof(options), .mods = &mods };
    ck_assert_int_eq(lw_mma_create(ARCH, insn, &options, &mma, NULL), LW_OK);
    ck_assert_int_eq(lw_mma_get_shape(mma, &s), LW_OK);
    memcpy(ma, a, (size_t)s.a_k * s.a_bytes);
    for (unsigned k = 0; k < s.k; k++)
        memcpy(mb + (size_t)k * s.n * s.b_bytes, (const uint8_t *)b + (size_t)k * s.b_bytes, s.b_bytes);
    memcpy(mc, &c, s.c_bytes);
    if (a_scale)
        memcpy(sa, a_scale, s.scale_k);
    if (b_scale)
        memcpy(sb, b_scale, s.scale_k);
    const lw_mma_matrices mat = {
        .a = ma, .b = mb, .c = mc, .d = md, .scale_a = s.scale_k ? sa : NULL, .scale_b = s.scale_k ? sb : NULL
    };
    ck_assert_int_eq(lw_mma_execute_matrices(mma, &mat, NULL), LW_OK);
    memcpy(&d, md, s.d_bytes);
    lw_mma_free(mma);
    return d;
}

START_TEST(numbers_of_each_unit)
{
    uint8_t a8[32] = { 0 }, b8[32] = { 0 }, seven[64];
    uint16_t a16[16] = { 0x5c00, 0xdc00 }, b16[16] = { 0x5c00, 0x5c00 };
    static const uint8_t scale_a[] = { 0x38, 0x7e, 0x01, 0xb9 }, scale_b[] = { 0x38, 0x7e, 0x01, 0x39 };
    for (unsigned k = 2; k < 16; k++)
        a16[k] = b16[k] = 0x1400;
    ck_assert_uint_eq(one_element("tcgen05.m64n8k16.f32.f16.f16", a16, b16, 0, NULL, NULL), 0);
    static const uint8_t at[] = { 1, 8, 9, 22, 30 }, as[] = { 0x38, 0x21, 0xc5, 0x45, 0x5b },
                         bs[] = { 0x3b, 0x3f, 0x4d, 0x38, 0x4d };
    for (unsigned i = 0; i < sizeof(at); i++) {
        a8[at[i]] = as[i];
        b8[at[i]] = bs[i];
    }
    ck_assert_uint_eq(one_element("tcgen05.m64n8k32.f32.f8f6f4.f8f6f4", a8, b8, 0x3eaaaaab, NULL, NULL),
                      0x42fe31aa);
    memset(seven, 7, sizeof(seven));
    ck_assert_uint_eq(one_element("tcgen05.m128n8k64.mxf4nvf4.4x.f32.e2m1.e2m1", seven, seven, 0x3f800001,
                                  scale_a, scale_b),
                      0x4cdc80a3);
    memset(a8, 0, sizeof(a8));
    memset(b8, 0, sizeof(b8));
    a8[0] = b8[0] = b8[1] = 0x38;
    a8[1] = 0x40;
    const uint8_t up = 0x80, down = 0x7e;
    ck_assert_uint_eq(
        one_element("tcgen05.m128n8k32.mxf8f6f4.f32.f8f6f4.f8f6f4", a8, b8, 0x3f800000, &up, &down),
        0x40800000);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ptx_tcgen05_rows");
    TCase *tc = tcase_create("tcgen05");
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, spellings_of_the_table);
    tcase_add_test(tc, every_shape);
    tcase_add_test(tc, descriptors);
    tcase_add_test(tc, places_of_a_and_d);
    tcase_add_test(tc, places_of_metadata);
    tcase_add_test(tc, places_of_scales);
    tcase_add_test(tc, examples_and_what_is_not_known);
    tcase_add_test(tc, descriptors_of_shared_memory);
    tcase_add_test(tc, products_of_small_integers_are_exact);
    tcase_add_test(tc, numbers_of_each_unit);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

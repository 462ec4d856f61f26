/* SPDX-License-Identifier: MIT */
/*
 * tcgen05.mma as an instruction of the tables: spellings compared with what ptxas 13.0 accepts, shapes with
 * the PTX ISA's table, instruction descriptors with values from CUTLASS, places in tensor memory with CuTe
 * layouts evaluated mode by mode. Products: test_tcgen05_products.c.
 */
#include <lanewise/tile.h>

#include "isa_tables/csv.h"
#include "isa_tables/ptx/parts.h"
#include "layouts/layout.h"
#include "ptx/tcgen05_fixture.h"

static const char csv_path[] = LW_SOURCE_DIR "/tests/data/ptx-mma.csv";

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
    ck_assert_uint_eq(byte_at("tcgen05.m64n8k8.f32.tf32.tf32 transpose-a:1", LW_OPERAND_A, /* stride 1024 */
                              UINT64_C(0x2000404001000000), 33, 5),
                      0x14a4);
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

int main(void)
{
    TCase *tc = tcase_create("tcgen05");
    tcase_add_test(tc, spellings_of_the_table);
    tcase_add_test(tc, every_shape);
    tcase_add_test(tc, descriptors);
    tcase_add_test(tc, places_of_a_and_d);
    tcase_add_test(tc, places_of_metadata);
    tcase_add_test(tc, places_of_scales);
    tcase_add_test(tc, examples_and_what_is_not_known);
    tcase_add_test(tc, descriptors_of_shared_memory);
    return run_tcgen05("ptx_tcgen05_rows", tc);
}

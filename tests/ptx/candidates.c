/* SPDX-License-Identifier: MIT */
/*
 * Prints PTX statements for the assembler, many more than are legal, each after whether this library accepts
 * its spelling for the target of the first argument: 1 legal, 0 not.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <lanewise/insn.h>

#include "shuffle.h"

static lw_arch arch;

typedef struct text {
    char at[600];
    size_t used;
} text;

static void add(text *t, const char *word)
{
    t->used += (size_t)snprintf(t->at + t->used, sizeof(t->at) - t->used, "%s", word);
}

/* A list of registers, "{r8,r9}" or "{d4}" for 64 bits; no statement has more than eight. */
static void add_registers(text *t, unsigned first, unsigned count, bool wide)
{
    char word[16];
    for (unsigned i = 0; i < count; i++) {
        snprintf(word, sizeof(word), "%s%c%u", i ? "," : "{", wide ? 'd' : 'r', first + i);
        add(t, word);
    }
    add(t, "}");
}

typedef struct type {
    const char *name;
    unsigned bits;
    unsigned group; /* candidates mix types of the same group */
} type;

static const type data_types[] = {
    { "f16", 16, 1 }, { "bf16", 16, 2 }, { "tf32", 32, 3 }, { "f64", 64, 4 }, { "e4m3", 8, 5 },
    { "e5m2", 8, 5 }, { "e3m2", 8, 5 },  { "e2m3", 8, 5 },  { "e2m1", 8, 5 }, { "s8", 8, 6 },
    { "u8", 8, 6 },   { "s4", 4, 7 },    { "u4", 4, 7 },    { "b1", 1, 8 },   { "f32", 32, 9 },
};
enum { DATA_TYPES = sizeof(data_types) / sizeof(data_types[0]) };

static const type result_types[] = { { "f16", 16, 0 }, { "f32", 32, 0 }, { "f64", 64, 0 }, { "s32", 32, 0 } };

typedef struct shape {
    unsigned m, n, k;
} shape;

static const shape shapes[] = {
    { 8, 8, 4 },    { 8, 8, 16 },  { 8, 8, 32 },  { 8, 8, 64 },  { 8, 8, 128 },  { 16, 8, 4 },
    { 16, 8, 8 },   { 16, 8, 16 }, { 16, 8, 32 }, { 16, 8, 64 }, { 16, 8, 128 }, { 16, 8, 256 },
    { 16, 16, 16 }, { 16, 16, 8 }, { 32, 8, 16 }, { 8, 32, 16 },
};
enum { SHAPES = sizeof(shapes) / sizeof(shapes[0]) };

static unsigned registers(unsigned rows, unsigned cols, const type *of)
{
    const unsigned bits = rows * cols * of->bits, lane = of->bits == 64 ? 2048 : 1024;
    return bits < lane ? 1 : bits / lane;
}

static bool print_one(const char *spelling, const text *operands)
{
    const lw_insn *insn;
    lw_mods mods;
    const bool legal = lw_insn_parse(arch, spelling, &insn, &mods, NULL) == LW_OK;
    printf("%d %s %s;\n", legal, spelling, operands->at);
    return legal;
}

/*
 * A statement; for every fourth legal one, and for some others, also orders of its words in which types and
 * layouts keep their order; for legal ones, also an order in which nothing does.
 */
static void print(const char *spelling, const text *operands)
{
    static uint64_t state = 7;
    static unsigned count[2];
    char other[SHUFFLE_MAX];
    const bool legal = print_one(spelling, operands);
    const bool wmma =
        strncmp(spelling, "wmma", 4) == 0; /* it has exceptions, and registers in the order of its types */
    if (count[legal]++ % (legal ? 4 : 100) != 0 || (!legal && (wmma || strstr(spelling, "kind::"))))
        return;
    for (int i = 0; i < (wmma ? 2 : legal ? 3 : 1); i++) {
        shuffle_words(spelling, i < 2, &state, other);
        print_one(other, operands);
    }
}

/* Repeated words, some of which ptxas accepts, as the list of exceptions says; upper case, which it
 * refuses. */
static void print_twice(void)
{
    static const text operands = { "{r0,r1,r2,r3}, {r8,r9,r10,r11}, {r16,r17}, {r24,r25,r26,r27}", 0 };
    static const text load = { "{r0,r1,r2,r3}, [p0]", 0 };
    print_one("mma.sync.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", &operands);
    print_one("mma.sync.aligned.m16n8k32.row.col.satfinite.satfinite.s32.s8.u8.s32", &operands);
    print_one("mma.sync.aligned.m16n8k16.m16n8k16.row.col.f32.f16.f16.f32", &operands);
    print_one("ldmatrix.sync.aligned.m8n8.x4.x4.shared.b16", &load);
    print_one("ldmatrix.sync.aligned.m8n8.x4.shared.shared.b16", &load);
    print_one("mma.SYNC.aligned.m16n8k16.row.col.f32.f16.f16.f32", &operands);
    print_one("MMA.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", &operands);
}

/* The same, for a spelling with a sparsity selector among its operands. */
static void print_selector(const char *spelling, unsigned selector, const text *operands)
{
    const lw_insn *insn;
    lw_mods mods;
    char with[400];
    snprintf(with, sizeof(with), "%s selector:%u", spelling, selector);
    const bool legal = lw_insn_parse(arch, with, &insn, &mods, NULL) == LW_OK;
    printf("%d %s %s;\n", legal, spelling, operands->at);
}

typedef struct case_mma {
    shape s;
    const type *a, *b, *c, *d;
    bool sparse, packed;
} case_mma;

/* D, A, B, C; false if a register list would be longer than PTX allows. */
static bool add_mma_registers(text *t, const case_mma *m, bool quads)
{
    type a = *m->a, b = *m->b;
    if (m->packed)
        a.bits = b.bits = 4;
    const unsigned times = quads ? 4 : 1;
    const unsigned counts[] = {
        registers(m->s.m * times, m->s.n, m->d),
        registers(m->s.m * times, m->sparse ? m->s.k / 2 : m->s.k, &a),
        registers(m->s.k * times, m->s.n, &b),
        registers(m->s.m * times, m->s.n, m->c),
    };
    const type *types[] = { m->d, &a, &b, m->c };
    for (int i = 0; i < 4; i++) {
        if (counts[i] > 8)
            return false;
        add(t, i ? ", " : "");
        add_registers(t, (unsigned)(8 * i), counts[i], types[i]->bits == 64);
    }
    return true;
}

static const char *shape_text(shape s, char out[32])
{
    snprintf(out, 32, "m%un%uk%u", s.m, s.n, s.k);
    return out;
}

static bool is_quads(const case_mma *m)
{
    return m->s.m == 8 && m->s.k == 4 && strcmp(m->a->name, "f16") == 0 && !m->sparse;
}

/* One type combination with one set of qualifiers. */
static void try_mma(const case_mma *m, const char *verb, const char *layouts, const char *before,
                    const char *after)
{
    char spelling[300], name[32];
    text operands = { .used = 0 };
    if (!add_mma_registers(&operands, m, is_quads(m)))
        return;
    snprintf(spelling, sizeof(spelling), "%s.sync.aligned.%s.%s%s.%s.%s.%s.%s%s", verb,
             shape_text(m->s, name), layouts, before, m->d->name, m->a->name, m->b->name, m->c->name, after);
    if (m->sparse)
        add(&operands, ", r40, 0x0");
    if (strstr(before, "block_scale"))
        add(&operands, ", r41, {0, 0}, r42, {0, 0}");
    print(spelling, &operands);
}

static void try_kinds(case_mma m, const char *verb)
{
    static const struct {
        const char *before, *after;
        bool packed;
    } kinds[] = {
        { ".kind::f8f6f4", "", false },
        { ".kind::mxf8f6f4.block_scale", ".ue8m0", false },
        { ".kind::mxf8f6f4.block_scale.scale_vec::1X", ".ue8m0", false },
        { ".kind::mxf8f6f4.block_scale.scale_vec::1X", ".ue4m3", false },
        { ".kind::mxf8f6f4.block_scale.scale_vec::2X", ".ue8m0", false },
        { ".kind::mxf8f6f4", "", false },
        { ".kind::mxf4.block_scale", ".ue8m0", true },
        { ".kind::mxf4.block_scale.scale_vec::2X", ".ue8m0", true },
        { ".kind::mxf4.block_scale.scale_vec::4X", ".ue8m0", true },
        { ".kind::mxf4.block_scale.scale_vec::2X", ".ue4m3", true },
        { ".kind::mxf4nvf4.block_scale", ".ue8m0", true },
        { ".kind::mxf4nvf4.block_scale.scale_vec::2X", ".ue8m0", true },
        { ".kind::mxf4nvf4.block_scale.scale_vec::2X", ".ue4m3", true },
        { ".kind::mxf4nvf4.block_scale.scale_vec::4X", ".ue4m3", true },
        { ".kind::mxf4nvf4.block_scale.scale_vec::4X", ".ue8m0", true },
        { ".kind::mxf4nvf4.block_scale.scale_vec::1X", ".ue8m0", true },
    };
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        m.packed = kinds[i].packed;
        if (m.packed && (strcmp(m.a->name, "e2m1") != 0 || strcmp(m.b->name, "e2m1") != 0))
            continue;
        try_mma(&m, verb, "row.col", kinds[i].before, kinds[i].after);
    }
}

/* Qualifiers are tried if C and D have one type that goes with A and B, and A and B have the same type. */
static bool is_usual(const case_mma *m)
{
    const unsigned group = m->a->group;
    const char *want = group == 4 ? "f64" : group >= 6 && group <= 8 ? "s32" : m->d->name;
    return m->c == m->d && strcmp(m->d->name, want) == 0 && (m->a == m->b || group == 5) &&
           (group > 5 || group == 4 || m->d->bits < 64) && (group >= 6 || strcmp(m->d->name, "s32") != 0);
}

static void try_types(const case_mma *m, const char *verb)
{
    static const char *const layouts[] = { "row.col", "row.row", "col.col", "col.row" };
    static const char *const before[] = { ".satfinite", ".rn", ".rz", ".rm", ".rp" };
    try_mma(m, verb, "row.col", "", "");
    if (!is_usual(m))
        return;
    for (int i = 1; i < 4 && m->a == m->b; i++)
        try_mma(m, verb, layouts[i], "", "");
    for (int i = 0; i < 5 && m->a == m->b; i++)
        try_mma(m, verb, "row.col", before[i], "");
    for (int i = 0; m->a->bits == 1 && i < 2; i++)
        try_mma(m, verb, "row.col", "", i ? ".and.popc" : ".xor.popc");
    if (m->a->group == 5)
        try_kinds(*m, verb);
}

/* Shapes of mma, pairs of types of one group (and one pair across groups), results of their usual types and
 * others. */
static void print_mma(const char *verb, bool sparse)
{
    static const unsigned char results[][2] = { { 0, 0 }, { 0, 1 }, { 1, 0 }, { 1, 1 }, { 2, 2 }, { 3, 3 } };
    for (int s = 0; s < SHAPES; s++)
        for (int a = 0; a < DATA_TYPES; a++)
            for (int b = 0; b < DATA_TYPES; b++) {
                const bool foreign = a == 0 && b == 1;
                if (!foreign && data_types[a].group != data_types[b].group)
                    continue;
                for (int r = 0; r < 6; r++) {
                    const case_mma m = { shapes[s],
                                         &data_types[a],
                                         &data_types[b],
                                         &result_types[results[r][0]],
                                         &result_types[results[r][1]],
                                         sparse,
                                         false };
                    try_types(&m, verb);
                }
            }
}

static void print_wmma(void)
{
    static const char *const layouts[] = { "row.col", "row.row", "col.col", "col.row" };
    static const char *const tails[] = { "", ".satfinite" };
    static const unsigned char results[][2] = { { 0, 0 }, { 0, 1 }, { 1, 0 }, { 1, 1 }, { 2, 2 }, { 3, 3 } };
    char spelling[300], name[32];
    for (int i = 0; i < SHAPES * DATA_TYPES * 6 * 4 * 2; i++) {
        const shape s = shapes[i / (DATA_TYPES * 48)];
        const type *ab = &data_types[i / 48 % DATA_TYPES], *d = &result_types[results[i / 8 % 6][1]],
                   *c = &result_types[results[i / 8 % 6][0]];
        const bool f16 = strcmp(ab->name, "f16") == 0, b1 = ab->bits == 1, wide = ab->bits == 64;
        const unsigned counts[] = { registers(s.m, s.n, d), f16 ? 8 : registers(s.m, s.k, ab),
                                    f16 ? 8 : registers(s.k, s.n, ab), registers(s.m, s.n, c) };
        const bool wides[] = { d->bits == 64, wide, wide, c->bits == 64 };
        text operands = { .used = 0 };
        bool fits = true;
        for (int o = 0; o < 4; o++) {
            fits = fits && counts[o] <= 8;
            add(&operands, o ? ", " : "");
            add_registers(&operands, (unsigned)(8 * o), fits ? counts[o] : 1, wides[o]);
        }
        /* ptxas 13.0 crashes on f16 in the shapes of b1 and 4-bit integers */
        if (!fits || (i / 2 % 4 && c != d && !f16) || (f16 && s.n == 8 && s.m == 8))
            continue;
        snprintf(spelling, sizeof(spelling), "wmma.mma%s.sync.aligned.%s.%s.%s%s%s%s%s.%s%s",
                 b1 ? i & 1 ? ".and.popc" : ".xor.popc" : "", layouts[i / 2 % 4], shape_text(s, name),
                 d->name, f16 ? "" : ".", f16 ? "" : ab->name, f16 ? "" : ".", f16 ? "" : ab->name, c->name,
                 b1 ? "" : tails[i & 1]);
        print(spelling, &operands);
    }
}

static void print_fragments(void)
{
    static const char *const spaces[] = { "", ".global", ".shared", ".shared::cta" };
    char spelling[300], name[32];
    for (int i = 0; i < SHAPES * DATA_TYPES * 4 * 2 * 4; i++) {
        const shape s = shapes[i / (DATA_TYPES * 32)];
        const int fragment = i / 8 % 4;
        const type *of = &data_types[i / 32 % DATA_TYPES], s32 = { "s32", 32, 0 };
        if (fragment >= 2 && of->group == 6)
            of = &s32;
        const bool f16 = strcmp(of->name, "f16") == 0;
        unsigned count = fragment == 0   ? registers(s.m, s.k, of)
                         : fragment == 1 ? registers(s.k, s.n, of)
                                         : registers(s.m, s.n, of);
        if (f16 && fragment < 2)
            count = 8;
        text operands = { .used = 0 };
        if (count > 8 || ((i & 3) && !f16)) /* one type is enough for state spaces: f16 */
            continue;
        add(&operands, fragment == 3 ? "[p0], " : "");
        add_registers(&operands, 0, count, of->bits == 64);
        add(&operands, fragment == 3 ? ", r40" : ", [p0], r40");
        snprintf(spelling, sizeof(spelling), "wmma.%s.%c.sync.aligned.%s.%s%s.%s",
                 fragment == 3 ? "store" : "load", "abcd"[fragment], i & 4 ? "col" : "row",
                 shape_text(s, name), spaces[i & 3], of->name);
        print(spelling, &operands);
    }
}

static void print_matrices(void)
{
    static const char *const sizes[] = { "m8n8", "m16n16", "m8n16", "m16n8" };
    static const char *const types[] = { "b16", "b8", "b8x16.b6x16_p32", "b8x16.b4x16_p64" };
    static const char *const spaces[] = { "", ".shared", ".shared::cta", ".global" };
    char spelling[300];
    for (int i = 0; i < 4 * 4 * 3 * 2 * 4 * 2; i++) {
        const int size = i / 192, type_at = i / 48 % 4, log = i / 16 % 3;
        const unsigned count = 1u << log, each = size == 1 ? 2 : 1;
        text load = { .used = 0 }, store = { .used = 0 };
        add_registers(&load, 0, count * each, false);
        add(&load, ", [p0]");
        add(&store, "[p0], ");
        add_registers(&store, 0, count * each, false);
        snprintf(spelling, sizeof(spelling), "%smatrix.sync.aligned.%s.x%u%s%s.%s", i & 1 ? "st" : "ld",
                 sizes[size], count, i & 2 ? ".trans" : "", spaces[i / 4 % 4], types[type_at]);
        print(spelling, i & 1 ? &store : &load);
    }
    for (int i = 0; i < 4 * 2 * 2; i++) {
        text move = { .used = 0 };
        add(&move, "r0, r1");
        snprintf(spelling, sizeof(spelling), "movmatrix.sync.aligned.%s%s.%s", sizes[i / 4],
                 i & 1 ? ".trans" : "", types[i / 2 % 2]);
        print(spelling, &move);
    }
}

/* Every legal sparse instruction with selectors 0 to 3. */
static void print_selectors(void)
{
    for (int s = 0; s < SHAPES; s++)
        for (int a = 0; a < DATA_TYPES; a++)
            for (unsigned i = 0; i < 16; i++) {
                char spelling[300], name[32], word[32];
                const type *d = a == 0 && (i & 4)                                      ? &result_types[0]
                                : data_types[a].group >= 6 && data_types[a].group <= 8 ? &result_types[3]
                                                                                       : &result_types[1];
                const case_mma m = { shapes[s], &data_types[a], &data_types[a], d, d, true, false };
                text operands = { .used = 0 };
                if (!add_mma_registers(&operands, &m, false))
                    continue;
                snprintf(word, sizeof(word), ", r40, 0x%x", i & 3);
                add(&operands, word);
                snprintf(spelling, sizeof(spelling), "mma.sp%s.sync.aligned.%s.row.col.%s.%s.%s.%s",
                         i & 8 ? "::ordered_metadata" : "", shape_text(m.s, name), d->name, m.a->name,
                         m.b->name, d->name);
                print_selector(spelling, i & 3, &operands);
            }
}

int main(int argc, char **argv)
{
    if (argc != 2 || lw_arch_find(argv[1], &arch) != LW_OK)
        return 2;
    print_mma("mma", false);
    print_mma("mma.sp", true);
    print_mma("mma.sp::ordered_metadata", true);
    print_wmma();
    print_fragments();
    print_matrices();
    print_selectors();
    print_twice();
    return 0;
}

/* SPDX-License-Identifier: MIT */
#include "images.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layouts/layout.h"

size_t entries_of(const subject *s, lw_operand operand, lw_layout_entry *entries)
{
    lw_layout layout;
    size_t count;
    lw_error error = { "" };
    /* for C, even if it is read from D */
    const lw_status status =
        operand == LW_OPERAND_C
            ? lw_layout_build_c(s->arch, s->insn, s->shape.wave, &s->mods, &layout, &error)
            : lw_layout_build(s->arch, s->insn, operand, s->shape.wave, &s->mods, &layout, &error);
    ck_assert_msg(status == LW_OK, "%s: %s", s->name, error.text);
    ck_assert_int_eq(lw_layout_entries(&layout, entries, MAX_ENTRIES, &count), LW_OK);
    ck_assert_uint_le(count, MAX_ENTRIES);
    return count;
}

uint64_t bits_at(const subject *s, const uint32_t *image, const lw_layout_entry *e)
{
    uint64_t code = 0;
    for (unsigned bit = e->lsb; bit <= e->msb; bit++)
        code |= (uint64_t)(image[(e->reg + bit / 32) * s->shape.wave + e->lane] >> bit % 32 & 1)
                << (bit - e->lsb);
    return code;
}

void put_bits(const subject *s, uint32_t *image, const lw_layout_entry *e, uint64_t code)
{
    for (unsigned bit = e->lsb; bit <= e->msb; bit++) {
        uint32_t *word = &image[(e->reg + bit / 32) * s->shape.wave + e->lane];
        *word = (*word & ~(1u << bit % 32)) | (uint32_t)(code >> (bit - e->lsb) & 1) << bit % 32;
    }
}

/* Rows, columns and bytes of the matrix of an operand as lw_mma_matrices has it. */
typedef struct extent {
    unsigned rows, cols, bytes;
} extent;

static extent extent_of(const lw_mma_shape *p, lw_operand operand)
{
    const extent extents[LW_OPERAND_COUNT] = {
        [LW_OPERAND_A] = { p->m, p->a_k, p->a_bytes },  [LW_OPERAND_B] = { p->k, p->n, p->b_bytes },
        [LW_OPERAND_C] = { p->m, p->n, p->c_bytes },    [LW_OPERAND_D] = { p->m, p->n, p->d_bytes },
        [LW_OPERAND_INDEX] = { p->m, p->groups, 1 },    [LW_OPERAND_SCALE_A] = { p->m, p->scale_k, 1 },
        [LW_OPERAND_SCALE_B] = { p->n, p->scale_k, 1 },
    };
    return extents[operand];
}

static void to_matrix(const subject *s, lw_operand operand, const uint32_t *image, void *matrix)
{
    static lw_layout_entry entries[MAX_ENTRIES];
    const size_t count = entries_of(s, operand, entries);
    const extent x = extent_of(&s->shape, operand);
    for (size_t i = 0; i < count; i++) {
        const lw_layout_entry *e = &entries[i];
        tile_put(matrix, ((size_t)e->block * x.rows + e->x) * x.cols + e->y, x.bytes, bits_at(s, image, e));
    }
}

/* All places of an element get the code that `choose` makes from the first one's. */
static void unify(const subject *s, lw_operand operand, uint32_t *image,
                  uint64_t (*choose)(const subject *, uint64_t))
{
    static lw_layout_entry entries[MAX_ENTRIES];
    static uint64_t codes[8192];
    static bool seen[8192];
    const size_t count = entries_of(s, operand, entries);
    const extent x = extent_of(&s->shape, operand);
    memset(seen, 0, sizeof(seen));
    for (size_t i = 0; i < count; i++) {
        const lw_layout_entry *e = &entries[i];
        const size_t n = ((size_t)e->block * x.rows + e->x) * x.cols + e->y;
        if (!seen[n])
            codes[n] = choose(s, bits_at(s, image, e));
        seen[n] = true;
        put_bits(s, image, e, codes[n]);
    }
}

static uint64_t any_code(const subject *s, uint64_t code)
{
    (void)s;
    return code;
}

static uint64_t defined_index(const subject *s, uint64_t code)
{
    static const uint8_t ordered[8] = { 0x4, 0x8, 0xc, 0x9, 0xd, 0xe, 0x4, 0xe };
    return s->shape.groups == s->shape.a_k ? (code & 1 ? 0xe : 0x4) : ordered[code % 8];
}

bool subject_make(lw_arch arch, const lw_insn *insn, const lw_mods *mods, unsigned wave, subject *s)
{
    lw_error error = { "" };
    lw_insn_info info;
    *s = (subject){ .arch = arch, .insn = insn, .mods = *mods };
    s->mods.wave = (uint8_t)wave;
    ck_assert_int_eq(lw_insn_get_info(arch, insn, &info), LW_OK);
    s->name = info.mnemonic;
    if (wave && !(info.wave_sizes & (wave == 32 ? 1 : 2)))
        return false;
    if (lw_mods_check(arch, insn, &s->mods, &error) != LW_OK)
        return false;
    const lw_mma_options options = { .struct_size = sizeof(lw_mma_options), .mods = &s->mods, .wave = wave };
    ck_assert_msg(lw_mma_create(arch, insn, &options, &s->mma, &error) == LW_OK, "%s", error.text);
    ck_assert_int_eq(lw_mma_get_shape(s->mma, &s->shape), LW_OK);
    s->sparse = info.sparse;
    s->scaled = info.scaled;
    return true;
}

bool subject_parse(lw_arch arch, size_t index, const char *text, unsigned wave, subject *s)
{
    lw_mods mods;
    char all[256];
    const lw_insn *insn = lw_insn_at(arch, index);
    snprintf(all, sizeof(all), wave ? "%s wave:%u" : "%s", text, wave);
    return lw_mods_parse(arch, insn, all, &mods, NULL) == LW_OK && subject_make(arch, insn, &mods, wave, s);
}

void images_fill(const subject *s, images *im, uint64_t *state)
{
    for (size_t i = 0; i < sizeof(*im) / sizeof(uint32_t); i++)
        memcpy((char *)im + i * sizeof(uint32_t), &(uint32_t){ (uint32_t)next_random(state) },
               sizeof(uint32_t));
    const uint32_t clear = s->shape.c_bits == 16 ? 0xbbffbbff : 0x83ffffff,
                   set = s->shape.c_bits == 16 ? 0x30003000 : 0x38000000;
    for (size_t i = 0; i < ARENA; i++) {
        im->c[i] = (im->c[i] & clear) | set;
        im->scale_a[i] = (im->scale_a[i] & 0x07070707) + 0x7c7c7c7c;
        im->scale_b[i] = (im->scale_b[i] & 0x0f0f0f0f) + 0x78787878;
    }
    unify(s, LW_OPERAND_A, im->a, any_code);
    unify(s, LW_OPERAND_B, im->b, any_code);
    if (s->sparse)
        unify(s, LW_OPERAND_INDEX, im->index, defined_index);
}

void images_to_tile(const subject *s, const images *im, tile *t)
{
    to_matrix(s, LW_OPERAND_A, im->a, t->a);
    to_matrix(s, LW_OPERAND_B, im->b, t->b);
    to_matrix(s, LW_OPERAND_C, im->c, t->c);
    if (s->sparse)
        to_matrix(s, LW_OPERAND_INDEX, im->index, t->index);
    if (s->scaled) {
        to_matrix(s, LW_OPERAND_SCALE_A, im->scale_a, t->scale_a);
        to_matrix(s, LW_OPERAND_SCALE_B, im->scale_b, t->scale_b);
    }
}

void images_expect(const subject *s, const images *im, void *d)
{
    static tile t;
    images_to_tile(s, im, &t);
    const lw_mma_matrices mat = tile_matrices(&s->shape, &t, d);
    ck_assert_int_eq(lw_mma_execute_matrices(s->mma, &mat, NULL), LW_OK);
}

lw_mma_registers registers_of(const subject *s, const images *im, uint32_t *d)
{
    return (lw_mma_registers){ .a = im->a,
                               .b = im->b,
                               .c = im->c,
                               .d = d,
                               .index = s->sparse ? im->index : NULL,
                               .scale_a = im->scale_a,
                               .scale_b = im->scale_b };
}

void check_d(const subject *s, const uint32_t *d, const uint32_t *before, const void *want, const char *what)
{
    static lw_layout_entry entries[MAX_ENTRIES];
    static uint32_t covered[ARENA];
    const size_t count = entries_of(s, LW_OPERAND_D, entries);
    memset(covered, 0, sizeof(covered));
    for (size_t i = 0; i < count; i++) {
        const lw_layout_entry *e = &entries[i];
        const size_t n = ((size_t)e->block * s->shape.m + e->x) * s->shape.n + e->y;
        put_bits(s, covered, e, UINT64_MAX);
        if (bits_at(s, d, e) != tile_get(want, n, s->shape.d_bytes))
            ck_abort_msg("%s, %s, element %zu: %llx, not %llx", s->name, what, n,
                         (unsigned long long)bits_at(s, d, e),
                         (unsigned long long)tile_get(want, n, s->shape.d_bytes));
    }
    for (size_t i = 0; i < ARENA; i++)
        if ((d[i] ^ before[i]) & ~covered[i])
            ck_abort_msg("%s, %s: word %zu was written", s->name, what, i);
}

void subject_run(const subject *s, uint64_t *state)
{
    static images im, alias;
    static uint32_t d[ARENA], before[ARENA];
    static uint64_t want[2048];
    images_fill(s, &im, state);
    images_expect(s, &im, want);
    memset(d, 0xa5, sizeof(d));
    memcpy(before, d, sizeof(d));
    lw_mma_registers regs = registers_of(s, &im, d);
    ck_assert_int_eq(lw_mma_execute_registers(s->mma, &regs, NULL), LW_OK);
    check_d(s, d, before, want, "apart");

    uint32_t *const targets[] = {
        alias.a, alias.b, alias.c, alias.index, alias.a + s->shape.wave, alias.c + s->shape.wave
    };
    for (size_t i = 0; i < sizeof(targets) / sizeof(targets[0]); i++) {
        alias = im;
        if ((char *)targets[i] + sizeof(d) > (char *)(&alias + 1))
            continue;
        memcpy(before, targets[i], sizeof(before));
        regs = registers_of(s, &alias, targets[i]);
        ck_assert_int_eq(lw_mma_execute_registers(s->mma, &regs, NULL), LW_OK);
        check_d(s, targets[i], before, want, "aliased");
    }
}

uint64_t one_of(const char *format, unsigned bits)
{
    char text[32];
    if (bits > 16)
        return bits == 64 ? UINT64_C(0x3ff0000000000000) : format[0] == 'i' ? 1 : 0x3f800000;
    for (uint64_t code = 0; code < UINT64_C(1) << bits; code++)
        if (lw_mma_decode(format, code, text, sizeof(text)) == LW_OK && strcmp(text, "1") == 0)
            return code;
    return 0;
}

void one_hot(const subject *s, tile *t, unsigned block, unsigned i, unsigned x, unsigned k, unsigned j)
{
    const lw_mma_shape *p = &s->shape;
    memset(t->a, 0, sizeof(t->a));
    memset(t->b, 0, sizeof(t->b));
    memset(t->c, 0, sizeof(t->c));
    tile_put(t->a, ((size_t)block * p->m + i) * p->a_k + x, p->a_bytes, one_of(p->a_format, p->a_bits));
    tile_put(t->b, ((size_t)block * p->k + k) * p->n + j, p->b_bytes, one_of(p->b_format, p->b_bits));
}

/* A scale's value: ue8m0 by default, otherwise an unsigned small float. */
static double scale_value(const char *format, unsigned code)
{
    double v = 1;
    int exp;
    if (strcmp(format, "e8m0") == 0 || strcmp(format, "ue8m0") == 0) {
        exp = (int)code - 127;
    } else {
        const bool wide = strcmp(format, "e5m3") == 0;
        const unsigned field = wide ? code >> 3 : code >> 3 & 15;
        v = field ? 1 + (code & 7) / 8.0 : (code & 7) / 8.0;
        exp = (int)(field ? field : 1) - (wide ? 15 : 7);
    }
    for (; exp > 0; exp--)
        v *= 2;
    for (; exp < 0; exp++)
        v /= 2;
    return v;
}

void subject_check_scales(const subject *s, uint64_t *state)
{
    static tile t;
    static float d[2048];
    const lw_mma_shape *p = &s->shape;
    lw_operand_info a, b;
    if (!s->scaled)
        return;
    ck_assert_int_eq(lw_insn_operand(s->arch, s->insn, LW_OPERAND_SCALE_A, &s->mods, &a, NULL), LW_OK);
    ck_assert_int_eq(lw_insn_operand(s->arch, s->insn, LW_OPERAND_SCALE_B, &s->mods, &b, NULL), LW_OK);
    for (unsigned x = 0; x < p->a_k; x++) {
        memset(t.index, 0x4, sizeof(t.index)); /* the first two, or pairs, of each chunk */
        const unsigned i = (unsigned)(next_random(state) % p->m), j = (unsigned)(next_random(state) % p->n);
        const unsigned chunk = p->groups ? (unsigned)p->a_k / p->groups : 1;
        const unsigned k = p->groups ? x / chunk * 2 * chunk + x % chunk : x;
        one_hot(s, &t, 0, i, x, k, j);
        for (unsigned n = 0; n < sizeof(t.scale_a); n++) {
            t.scale_a[n] = (uint8_t)(112 + next_random(state) % 14); /* no NaN in any format */
            t.scale_b[n] = (uint8_t)(112 + next_random(state) % 14);
        }
        const lw_mma_matrices mat = tile_matrices(p, &t, d);
        ck_assert_int_eq(lw_mma_execute_matrices(s->mma, &mat, NULL), LW_OK);
        const unsigned q = k / (p->k / p->scale_k);
        const float want = (float)(scale_value(a.format, t.scale_a[i * p->scale_k + q]) *
                                   scale_value(b.format, t.scale_b[j * p->scale_k + q]));
        for (unsigned e = 0; e < (unsigned)p->m * p->n; e++)
            ck_assert_msg(d[e] == (e == i * p->n + j ? want : 0.0F), "%s, product %u: %g, not %g", s->name, x,
                          (double)d[e], (double)want);
    }
}

void subject_check_constants(const subject *s, uint64_t *state)
{
    static images im;
    static uint32_t d[ARENA], want[ARENA];
    const uint64_t one = one_of(s->shape.c_format, s->shape.c_bits);
    const uint64_t word = s->shape.c_bits == 16 ? one * 0x10001 : one;
    images_fill(s, &im, state);
    for (size_t i = 0; i < ARENA; i++) {
        const bool high = s->shape.c_bits == 64 && i / s->shape.wave % 2;
        im.c[i] = (uint32_t)(s->shape.c_bits == 64 ? (high ? word >> 32 : 0) : word);
        im.scale_a[i] = 0x78787878;
        im.scale_b[i] = 0x70707070;
    }
    memset(d, 0, sizeof(d));
    memset(want, 0, sizeof(want));
    lw_mma_registers regs = registers_of(s, &im, want);
    ck_assert_int_eq(lw_mma_execute_registers(s->mma, &regs, NULL), LW_OK);
    regs.c = regs.scale_a = regs.scale_b = NULL;
    regs.c_constant = one;
    regs.scale_a_constant = 0x78;
    regs.scale_b_constant = 0x70;
    regs.d = d;
    ck_assert_int_eq(lw_mma_execute_registers(s->mma, &regs, NULL), LW_OK);
    ck_assert_msg(memcmp(d, want, sizeof(d)) == 0, "%s", s->name);
}

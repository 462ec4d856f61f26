/* SPDX-License-Identifier: MIT */
/*
 * Every conversion to and from 8-, 6- and 4-bit floats: which operand is the scale and which the seed, where
 * elements come from and go, what is kept. The rules are derived from the mnemonic, as the CDNA4 ISA manual
 * words them, not from the table of rows. The codes themselves: tests/num/test_small.c.
 */
#include <check.h>
#include <stdio.h>

#include "emu/num/small.h"
#include "isa_tables/amdgpu/rows.h"
#include "tests/valu/wave_kit.h"

enum { SEED = 2, SCALE = 3, FIRST = 32, SECOND = 48, DST = 70, WIDEST = 32, ROUNDS = 24 };

static kit k;

typedef struct small_format {
    const char *name;
    const lw_small *new, *old; /* gfx950, gfx942 */
    unsigned bits;
} small_format;

static const small_format smalls[] = { { "fp8", &lw_small_fp8, &lw_small_fp8_fnuz, 8 },
                                       { "bf8", &lw_small_bf8, &lw_small_bf8_fnuz, 8 },
                                       { "fp6", &lw_small_fp6, NULL, 6 },
                                       { "bf6", &lw_small_bf6, NULL, 6 },
                                       { "fp4", &lw_small_fp4, NULL, 4 } };

typedef struct wide_format {
    const char *name;
    const lw_format *fmt;
    unsigned bits;
} wide_format;

static const wide_format wides[] = { { "f32", &lw_fp_f32, 32 },
                                     { "bf16", &lw_fp_bf16, 16 },
                                     { "f16", &lw_fp_f16, 16 } };

/* v_cvt_ [scalef32_] [sr_] [pk_ | pk32_ | 2xpk16_] TO _ FROM */
typedef struct spelling {
    const small_format *small;
    const wide_format *wide;
    bool narrows, scaled, seeded, two_runs;
    unsigned count;
} spelling;

static bool take(const char **text, const char *word)
{
    const size_t n = strlen(word);
    if (strncmp(*text, word, n) != 0 || ((*text)[n] && (*text)[n] != '_'))
        return false;
    *text += n + ((*text)[n] == '_');
    return true;
}

static bool take_formats(const char **text, spelling *s, bool small_first)
{
    for (int part = 0; part < 2; part++) {
        bool found = false;
        if (small_first == (part == 0)) {
            for (unsigned i = 0; i < 5 && !found; i++)
                if ((found = take(text, smalls[i].name)))
                    s->small = &smalls[i];
        } else {
            for (unsigned i = 0; i < 3 && !found; i++)
                if ((found = take(text, wides[i].name)))
                    s->wide = &wides[i];
        }
        if (!found)
            return false;
    }
    return **text == '\0';
}

static bool read_name(const char *name, spelling *s)
{
    *s = (spelling){ .count = 1 };
    if (!take(&name, "v") || !take(&name, "cvt"))
        return false;
    s->scaled = take(&name, "scalef32");
    s->seeded = take(&name, "sr");
    if (take(&name, "pk"))
        s->count = 2;
    else if (take(&name, "pk32"))
        s->count = 32;
    else if (take(&name, "2xpk16"))
        s->count = 32, s->two_runs = true;
    const char *again = name;
    s->narrows = take_formats(&name, s, true);
    return s->narrows || take_formats(&again, s, false);
}

/* Two separate sources; otherwise the elements are in one operand, from its low bits on. */
static bool two_sources(const spelling *s)
{
    return s->two_runs || (s->narrows && s->count == 2 && s->wide->bits == 32 && !s->seeded);
}

static lw_decoded build(const spelling *s, unsigned op_sel)
{
    lw_decoded in = kit_inst(DST, FIRST, FIRST, FIRST);
    unsigned n = 1;
    if (two_sources(s))
        in.src[n++] = kit_v(SECOND);
    if (s->seeded)
        in.src[n++] = kit_v(SEED);
    if (s->scaled)
        in.src[n++] = kit_v(SCALE);
    in.op_sel = (uint8_t)op_sel;
    in.dst.sel = op_sel & 8 ? LW_SEL_WORD_1 : LW_SEL_ALL;
    return in;
}

/* `bits` bits from bit `at` of the registers from `reg` on. */
static uint32_t get_bits(uint32_t regs[][LW_LANES], unsigned reg, unsigned lane, unsigned at, unsigned bits)
{
    uint32_t v = 0;
    for (unsigned b = 0; b < bits; b++)
        v |= (regs[reg + (at + b) / 32][lane] >> (at + b) % 32 & 1) << b;
    return v;
}

static void put_bits(uint32_t regs[][LW_LANES], unsigned reg, unsigned lane, unsigned at, unsigned bits,
                     uint32_t v)
{
    for (unsigned b = 0; b < bits; b++) {
        uint32_t *word = &regs[reg + (at + b) / 32][lane];
        *word = (*word & ~(1u << (at + b) % 32)) | (v >> b & 1) << (at + b) % 32;
    }
}

static uint32_t source_element(const spelling *s, unsigned i, unsigned lane)
{
    if (two_sources(s))
        return get_bits(k.vgpr, i % 2 ? SECOND : FIRST, lane, i / 2 * 32, 32);
    return get_bits(k.vgpr, FIRST, lane, i * s->wide->bits, s->wide->bits);
}

static int scale_of(const spelling *s, unsigned lane)
{
    return s->scaled ? (int)(k.vgpr[SCALE][lane] >> 23 & 255) - 127 : 0;
}

/* The registers after a narrowing conversion. A pair of bytes goes to a word, a byte or a pair of nibbles to
 * a byte. */
static void narrow_want(const spelling *s, const lw_small *to, unsigned op_sel, unsigned lane,
                        uint32_t want[][LW_LANES])
{
    const unsigned bits = s->small->bits, all = bits * s->count;
    const unsigned at = all == 16 ? 16 * (op_sel >> 3) : all == 8 ? 8 * (op_sel >> 2) : 0;
    const bool ovfl = k.w.mode >> 23 & 1 && s->count <= 2;
    uint32_t seed = k.vgpr[SEED][lane];
    for (unsigned i = 0; i < s->count; i++, seed = seed << 1 ^ (seed >> 31) * 0xc5) {
        const uint32_t x = source_element(s, i, lane);
        const uint32_t code = s->seeded
                                  ? lw_small_narrow_sr(to, ovfl, s->wide->fmt, x, scale_of(s, lane), seed)
                                  : lw_small_narrow(to, ovfl, s->wide->fmt, x, scale_of(s, lane));
        put_bits(want, 0, lane, at + i * bits, bits, code);
    }
}

static void widen_want(const spelling *s, const lw_small *from, unsigned op_sel, unsigned lane,
                       uint32_t want[][LW_LANES])
{
    const unsigned bits = s->small->bits, all = bits * s->count;
    const unsigned sel = !s->scaled || all > 16 ? 0 : all == 16 ? op_sel & 1 : op_sel & 3;
    const unsigned to = s->count == 1 && s->wide->bits == 16 ? 16 * (op_sel >> 3) : 0;
    for (unsigned i = 0; i < s->count; i++) {
        const uint32_t code = get_bits(k.vgpr, FIRST, lane, sel * all + i * bits, bits);
        const uint32_t v = (uint32_t)lw_small_widen(from, code, scale_of(s, lane), s->wide->fmt);
        put_bits(want, 0, lane, to + i * s->wide->bits, s->wide->bits, v);
    }
}

/* Random sources whose exponents are in the range of the formats. */
static void draw(const spelling *s, unsigned round)
{
    kit_reset(&k, k.w.arch);
    if (round % 2)
        k.w.mode |= LW_MODE_FP16_OVFL;
    for (unsigned lane = 0; lane < 64; lane++) {
        const uint32_t r = (uint32_t)(kit_random(&k) >> 32);
        k.vgpr[SCALE][lane] = lane % 16 ? (r & 0x807fffff) | (124 + r % 7) << 23 : r;
        for (unsigned i = 0; s->narrows && i < 32; i++) {
            const uint32_t x = (uint32_t)(kit_random(&k) >> 32);
            const uint32_t f32 = (x & 0x807fffff) | (115 + x % 24) << 23,
                           bf16 = f32 >> 16 | (f32 << 3 & 0xffff0000);
            k.vgpr[FIRST + i][lane] = lane % 16 == 1         ? x
                                      : s->wide->bits == 32  ? f32
                                      : s->wide == &wides[1] ? bf16
                                                             : x;
        }
    }
}

static void run_row(const lw_op_row *row, const spelling *s, lw_arch arch, unsigned round)
{
    uint32_t want[WIDEST][LW_LANES];
    const unsigned op_sel = round % 16;
    const lw_small *small = arch == LW_ARCH_GFX942 ? s->small->old : s->small->new;
    k.w.arch = arch;
    draw(s, round);
    const lw_decoded in = build(s, op_sel);
    memcpy(want, k.vgpr[DST], sizeof(want));
    for (unsigned lane = 0; lane < 64; lane++)
        (s->narrows ? narrow_want : widen_want)(s, small, op_sel, lane, want);
    ck_assert_int_eq(lw_handlers[row - lw_op_rows](&k.w, &in), LW_STEP_NEXT);
    for (unsigned i = 0; i < WIDEST; i++)
        for (unsigned lane = 0; lane < 64; lane++)
            if (k.vgpr[DST + i][lane] != want[i][lane])
                ck_abort_msg("%s of %s, op_sel %u: register %u of lane %u is %08x, not %08x", row->name,
                             lw_arch_get(arch)->name, op_sel, i, lane, k.vgpr[DST + i][lane], want[i][lane]);
}

START_TEST(every_conversion_of_small_floats)
{
    unsigned rows = 0;
    for (unsigned i = 0; i < LW_OP_COUNT; i++) {
        const lw_op_row *row = &lw_op_rows[i];
        spelling s;
        if (!strcmp(row->sem, "none") || !read_name(row->name, &s) || lw_op_code(row, LW_ARCH_GFX950) < 0)
            continue; /* gfx1250's own are in test_gfx1250.c and test_blocks.c */
        rows++;
        for (unsigned round = 0; round < ROUNDS; round++) {
            if (lw_op_code(row, LW_ARCH_GFX942) >= 0)
                run_row(row, &s, LW_ARCH_GFX942, round);
            run_row(row, &s, LW_ARCH_GFX950, round);
        }
    }
    /* 8 without a scale; with one, 18 that narrow to one or two codes and 13 the other way, 12 and 6 of 32
     */
    ck_assert_uint_eq(rows, 8 + 18 + 13 + 12 + 6);
}
END_TEST

/* SDWA selects the byte, or the word of a pair. */
START_TEST(bytes_and_words_by_sdwa)
{
    k.w.arch = LW_ARCH_GFX950;
    kit_reset(&k, LW_ARCH_GFX950);
    for (unsigned sel = 0; sel < 4; sel++) {
        lw_decoded in = kit_inst(DST, FIRST, 0, 0);
        in.enc = LW_ENC_VOP1;
        in.sub = LW_SUB_SDWA;
        in.sdwa_dst_sel = 6;
        in.src[0].sel = kit_sdwa(sel);
        ck_assert_int_eq(lw_sem_v_cvt_f32_bf8(&k.w, &in), LW_STEP_NEXT);
        for (unsigned lane = 0; lane < 64; lane++)
            ck_assert_uint_eq(
                k.vgpr[DST][lane],
                lw_small_widen(&lw_small_bf8, k.vgpr[FIRST][lane] >> (8 * sel) & 255, 0, &lw_fp_f32));
        in.src[0].sel = kit_sdwa(4 + sel % 2);
        ck_assert_int_eq(lw_sem_v_cvt_pk_f32_bf8(&k.w, &in), LW_STEP_NEXT);
        for (unsigned at = 0; at < 128; at++)
            ck_assert_uint_eq(k.vgpr[DST + at % 2][at / 2],
                              lw_small_widen(&lw_small_bf8,
                                             k.vgpr[FIRST][at / 2] >> (16 * (sel % 2) + 8 * (at % 2)) & 255,
                                             0, &lw_fp_f32));
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("packing");
    TCase *tc = tcase_create("packing");
    tcase_set_timeout(tc, 120);
    tcase_add_test(tc, every_conversion_of_small_floats);
    tcase_add_test(tc, bytes_and_words_by_sdwa);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}

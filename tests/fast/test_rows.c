/* SPDX-License-Identifier: MIT */
/*
 * Every instruction with every vectorised implementation that the host supports, on register images:
 * bit-identical to the reference. LW_FULL=1 runs many more tiles.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codes.h"
#include "emu/fast/fp16.h"
#include "emu/mma/panels.h"
#include "emu/mma/prepared.h"

enum { MAX_REGISTERS = 64, MAX_LANES = 64, WORDS = MAX_REGISTERS * MAX_LANES };

static void put(uint32_t *regs, unsigned lanes, lw_place place, unsigned width, uint64_t code)
{
    if (place.lane == LW_NO_PLACE)
        return;
    for (unsigned bit = 0; bit < width; bit++) {
        const unsigned at = place.bit + bit;
        uint32_t *word = regs + (size_t)(at / 32) * lanes + place.lane;
        *word = (*word & ~(1u << at % 32)) | (uint32_t)(code >> bit & 1) << at % 32;
    }
}

static const char *const isas[] = { "portable", "avx2", "avx512" };

typedef struct images {
    uint32_t a[WORDS], b[WORDS], c[WORDS], d[WORDS], want[WORDS];
    uint32_t index[WORDS], scale_a[WORDS], scale_b[WORDS];
} images;

/* How far A, B and C are moved: C to the size of the products, or near it. */
typedef struct distance {
    int powers[3];
} distance;

static distance distance_of(kind what, uint64_t random)
{
    static const int far[] = { 0, -25, -40, -46, -50, -58, -60, 75 };
    enum { FAR = sizeof(far) / sizeof(far[0]) };
    if (what != KIND_AWAY)
        return (distance){ { 0, 0, 0 } };
    const int a = far[random % FAR], b = far[random / FAR % FAR];
    return (distance){ { a, b, a + b + (int)(random >> 20 & 31) - 24 } };
}

/* Near 1; anything; as far as is accepted; the two sides far from 1 in opposite directions; a few far
 * ones. */
static uint64_t scale_code(kind what, int side, uint64_t random)
{
    if (what == KIND_BITS || (what == KIND_SPARSE && random % 40 == 0))
        return random >> 8 & 1 ? 255 : random >> 9 & 0xff;
    if (what == KIND_FAR)
        return 97 + random % 61;
    if (what == KIND_FINITE)
        return (side ? 127 + 30 : 127 - 50) + random % 8;
    return 124 + random % 7;
}

static void fill(const lw_mma *mma, kind what, uint64_t *state, images *im)
{
    const struct {
        lw_operand op;
        const lw_format *format;
        uint32_t *regs;
    } part[] = { { LW_OPERAND_A, mma->a, im->a },
                 { LW_OPERAND_B, mma->b, im->b },
                 { LW_OPERAND_C, mma->c, im->c } };
    const uint64_t odd = codes_next(state);
    const distance away = distance_of(what, odd >> 16);
    for (size_t i = 0; i < sizeof(im->a) / 4; i++)
        im->a[i] = im->b[i] = im->c[i] = im->d[i] = im->scale_a[i] = im->scale_b[i] =
            (uint32_t)codes_next(state);
    for (unsigned n = 0; n < 3; n++) {
        const lw_mma_port *port = &mma->port[part[n].op];
        const lw_format *f = part[n].format;
        for (unsigned e = 0; e < port->elements; e++)
            put(part[n].regs, port->lanes, port->place[e], f->bits,
                codes_moved(f, n == 2 ? codes_c(f, what, state) : codes_element(f, what, state),
                            away.powers[n]));
        if (what == KIND_ONE_ODD && odd % 3 == n && f->exp_bits) {
            const unsigned e = (unsigned)(odd >> 8) % port->elements;
            put(part[n].regs, port->lanes, port->place[e], f->bits, codes_odd(f, state));
        }
    }
    /* An index that PTX leaves undefined is refused; for AMD, all are valid. */
    for (unsigned e = 0; mma->sparse && e < mma->port[LW_OPERAND_INDEX].elements; e++) {
        const lw_mma_port *port = &mma->port[LW_OPERAND_INDEX];
        uint64_t nibble = codes_next(state) & 15;
        while ((lw_mma_is_ptx(mma) || what == KIND_FINITE) && !(mma->legal_index >> nibble & 1))
            nibble = codes_next(state) & 15;
        put(im->index, port->lanes, port->place[e], port->width, nibble);
    }
    for (int n = 0; n < 2; n++)
        if (mma->scaled) {
            const lw_mma_port *port = &mma->port[n ? LW_OPERAND_SCALE_B : LW_OPERAND_SCALE_A];
            for (unsigned e = 0; e < port->elements; e++) {
                const uint64_t r = codes_next(state);
                put(n ? im->scale_b : im->scale_a, port->lanes, port->place[e], 8, scale_code(what, n, r));
            }
        }
}

/* Most rows of zeros have the smallest scale. */
static void pad_scales(const lw_mma_port *port, unsigned rows, uint64_t which, uint32_t *regs)
{
    for (unsigned e = 0; e < port->elements; e++)
        if (which >> e / (port->elements / rows) % 16 & 1)
            put(regs, port->lanes, port->place[e], 8, 0);
}

/* Like tiles padded with zeros: rows of A and columns of B that are +0, one of them except for its last code,
 * and C of +0; tiny: with a few -0 and smallest numbers, and one smallest number of A or of B. */
static void pad(const lw_mma *mma, bool tiny, uint64_t *state, images *im)
{
    const struct {
        lw_operand op;
        const lw_format *format;
        uint32_t *regs;
    } part[] = { { LW_OPERAND_A, mma->a, im->a },
                 { LW_OPERAND_B, mma->b, im->b },
                 { LW_OPERAND_C, mma->c, im->c } };
    for (unsigned n = 0; n < 3; n++) {
        const lw_mma_port *port = &mma->port[part[n].op];
        const uint64_t which = codes_next(state);
        for (unsigned e = 0; e < port->elements; e++) {
            const unsigned row = e / port->row_elements, last = (e + 1) % port->row_elements == 0;
            const uint64_t odd = codes_next(state) % 1024, bits = part[n].format->bits;
            if (n == 2)
                put(part[n].regs, port->lanes, port->place[e], (unsigned)bits,
                    !tiny      ? 0
                    : odd == 0 ? UINT64_C(1) << (bits - 1)
                    : odd == 1 ? 1
                               : 0);
            else if ((which >> row % 16 & 1) && !(last && row % 8 == which >> 16 % 8))
                put(part[n].regs, port->lanes, port->place[e], (unsigned)bits, 0);
        }
        if (mma->scaled && n < 2)
            pad_scales(&mma->port[n ? LW_OPERAND_SCALE_B : LW_OPERAND_SCALE_A],
                       port->elements / port->row_elements, which, n ? im->scale_b : im->scale_a);
    }
    if (!tiny)
        return;
    const uint64_t one = codes_next(state);
    const lw_mma_port *port = &mma->port[part[one % 2].op];
    put(part[one % 2].regs, port->lanes, port->place[(one >> 8) % port->elements], part[one % 2].format->bits,
        1);
}

/* An element of C is -0. */
static void put_minus(const lw_mma *mma, images *im)
{
    const lw_mma_port *c = &mma->port[LW_OPERAND_C];
    put(im->c, c->lanes, c->place[0], mma->c->bits, UINT64_C(1) << (mma->c->bits - 1));
}

/* A NaN of A meets a subnormal number of C: a processor's flag does not tell of the latter. */
static void hide(const lw_mma *mma, images *im)
{
    const lw_mma_port *a = &mma->port[LW_OPERAND_A], *c = &mma->port[LW_OPERAND_C];
    if (mma->a->top != LW_TOP_IEEE || !mma->c->exp_bits)
        return;
    const uint64_t nan = ((UINT64_C(2) << mma->a->exp_bits) - 1) << (mma->a->frac_bits - 1);
    put(im->a, a->lanes, a->place[0], mma->a->bits, nan);
    put(im->c, c->lanes, c->place[0], mma->c->bits, 1);
}

/* All of A or of B and C are +0, but the other side has a smallest number. */
static void use_none(const lw_mma *mma, bool a, images *im)
{
    const lw_operand other = a ? LW_OPERAND_B : LW_OPERAND_A;
    memset(a ? im->a : im->b, 0, sizeof(im->a));
    memset(im->c, 0, sizeof(im->c));
    put(a ? im->b : im->a, mma->port[other].lanes, mma->port[other].place[0], (a ? mma->b : mma->a)->bits, 1);
}

/* Gives lanes that hold the same elements the same registers. */
static void copy_lanes(const lw_mma *mma, lw_operand op, uint32_t *regs)
{
    for (unsigned w = 0; w < lw_insn_registers(mma->arch, mma->insn, op, &mma->mods) * mma->wave; w++)
        if (w % mma->wave >= mma->copy_lanes)
            regs[w] = regs[w - mma->copy_lanes];
}

typedef lw_status (*execute_fn)(const lw_mma *mma, const lw_mma_registers *regs, uint32_t *touched);

/* Callers' matrices: an arbitrary code in each element's bytes; bits above narrow codes are set. */
typedef struct matrices {
    uint8_t a[8 * 4096], b[8 * 4096], c[8 * 2048], d[8 * 2048], want[8 * 2048];
    uint8_t index[LW_TILE_INDEX], scale_a[LW_TILE_SCALES], scale_b[LW_TILE_SCALES];
} matrices;

/* One operand's elements as a matrix; if `columns` is not 0: stored k by column, [block][k][column]. `above`:
 * the bits above narrow codes. */
static void fill_matrix(const lw_mma *mma, lw_operand op, const lw_format *f, unsigned columns,
                        const uint32_t *regs, uint64_t above, uint8_t *matrix)
{
    const lw_mma_port *port = &mma->port[op];
    const unsigned bytes = lw_format_bytes(f), ks = port->row_elements;
    for (unsigned e = 0; e < port->elements; e++) {
        const lw_place place = port->place[e];
        uint64_t code = f->bits < 8 ? above << f->bits : 0;
        for (unsigned bit = 0; place.lane != LW_NO_PLACE && bit < f->bits; bit++) {
            const unsigned at = place.bit + bit;
            code |= (uint64_t)(regs[(size_t)(at / 32) * port->lanes + place.lane] >> at % 32 & 1) << bit;
        }
        const unsigned k = e % ks, x = e / ks;
        const size_t n = columns ? ((size_t)(x / columns) * ks + k) * columns + x % columns : e;
        memcpy(matrix + n * bytes, &code, bytes);
    }
}

static void fill_bytes(const lw_mma *mma, lw_operand op, const uint32_t *regs, uint8_t *bytes)
{
    const lw_mma_port *port = &mma->port[op];
    for (unsigned e = 0; e < port->elements; e++) {
        const lw_place place = port->place[e];
        bytes[e] = place.lane == LW_NO_PLACE
                       ? 0
                       : (uint8_t)(regs[place.bit / 32 * port->lanes + place.lane] >> place.bit % 32);
    }
}

static lw_status call_matrices(const lw_mma *mma, const matrices *m, unsigned how, uint8_t *d,
                               uint32_t *touched)
{
    enum { APART = 64, MODES = LW_MMA_MODE_FP16_OVFL | LW_MMA_MODE_F32_FLUSH_IN | LW_MMA_MODE_F32_FLUSH_OUT };
    static uint8_t both[2 * sizeof(m->d)];
    const bool in_place = how % 4 < 2, overlap = how % 4 == 2 && how % 3 == 0;
    memcpy(d, in_place ? m->c : m->d, sizeof(m->d));
    memcpy(both, m->c, sizeof(m->c));
    const lw_mma_matrices mat = {
        .a = m->a,
        .b = m->b,
        .c = in_place       ? d
             : overlap      ? both
             : how % 4 == 2 ? m->c
                            : NULL,
        .d = overlap ? both + APART : d,
        .index = m->index,
        .scale_a = how % 8 == 3 ? NULL : m->scale_a,
        .scale_b = m->scale_b,
        .mode = how % 5 == 4 ? MODES : 0,
    };
    const lw_status status = lw_mma_execute_matrices(mma, &mat, touched);
    if (overlap)
        memcpy(d, both + APART, sizeof(m->d));
    return status;
}

static void fill_matrices(const lw_mma *mma, const images *im, uint64_t above, matrices *m)
{
    fill_matrix(mma, LW_OPERAND_A, mma->a, 0, im->a, above, m->a);
    fill_matrix(mma, LW_OPERAND_B, mma->b, mma->insn->n, im->b, above, m->b);
    fill_matrix(mma, LW_OPERAND_C, mma->c, 0, im->c, above, m->c);
}

/* The same operands as matrices: every implementation gives the same bytes and aspects as the reference. */
static void check_matrices(const lw_mma *reference, lw_mma *const fast[], unsigned host, const images *im,
                           unsigned n)
{
    static matrices m;
    static uint8_t got[sizeof(m.d)];
    fill_matrices(reference, im, 0, &m);
    if (reference->sparse)
        fill_bytes(reference, LW_OPERAND_INDEX, im->index, m.index);
    if (reference->scaled) {
        fill_bytes(reference, LW_OPERAND_SCALE_A, im->scale_a, m.scale_a);
        fill_bytes(reference, LW_OPERAND_SCALE_B, im->scale_b, m.scale_b);
    }
    uint32_t want = 0, touched = 0;
    const lw_status status = call_matrices(reference, &m, n, m.want, &want);
    fill_matrices(reference, im, 0xa5, &m);
    for (unsigned isa = 0; isa < 2 * host; isa++) {
        const bool ask = isa % 2;
        ck_assert_int_eq(call_matrices(fast[isa / 2], &m, n, got, ask ? &touched : NULL), status);
        if (status != LW_OK)
            continue;
        for (size_t i = 0; i < sizeof(m.want); i++)
            if (got[i] != m.want[i])
                ck_abort_msg("%s %s, %s, round %u, matrices: byte %zu of D is %02x, reference %02x",
                             lw_arch_get(reference->arch)->name, reference->insn->mnemonic, isas[isa / 2], n,
                             i, got[i], m.want[i]);
        ck_assert_uint_eq(ask ? touched : want, want);
    }
}

/* Combinations of registers and constants. */
static lw_status call(const lw_mma *mma, images *im, unsigned how, uint32_t *d, execute_fn execute,
                      uint32_t *touched)
{
    const bool in_place = mma->sparse || how % 4 < 2;
    memcpy(d, in_place ? im->c : im->d, sizeof(im->d));
    const lw_mma_registers regs = {
        .a = im->a,
        .b = im->b,
        .c = in_place       ? d
             : how % 4 == 2 ? im->c
                            : NULL,
        .d = d,
        .index = im->index,
        .scale_a = how % 8 == 3 ? NULL : im->scale_a,
        .scale_b = im->scale_b,
        .c_constant = mma->c->bits == 64 ? UINT64_C(0x3fe0000000000000) : 0x3f000000,
        .scale_a_constant = 126,
    };
    return execute(mma, &regs, touched);
}

/* NULL if it is not a matrix multiplication or needs further modifiers. */
static lw_mma *make(lw_arch arch, const lw_insn *insn, const lw_mods *mods, bool reference)
{
    const lw_mma_options options = { .struct_size = sizeof(lw_mma_options),
                                     .mods = mods,
                                     .reference_only = reference };
    lw_mma *mma = NULL;
    (void)lw_mma_create(arch, insn, &options, &mma, NULL);
    return mma;
}

/* Few instructions compute in binary64, so that each has more rounds. */
static unsigned rounds(const lw_mma *mma)
{
    const char *full = getenv("LW_FULL");
    return full && *full == '1' ? 40 : mma->recipe.unit.kind == LW_KIND_FMA ? 16 : 2; /* few rows */
}

/* PTX spellings that are more specific than their row. */
static const struct {
    lw_arch arch;
    const char *text;
} spelled[] = {
    { LW_ARCH_SM_80, "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32" },
    { LW_ARCH_SM_80, "mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32" },
    { LW_ARCH_SM_80, "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32" },
    { LW_ARCH_SM_80, "mma.sync.aligned.m16n8k16.row.col.s32.s8.u8.s32" },
    { LW_ARCH_SM_80, "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.u8.u8.s32" },
    { LW_ARCH_SM_80, "mma.sync.aligned.m16n8k64.row.col.s32.s4.u4.s32" },
    { LW_ARCH_SM_80, "mma.sync.aligned.m16n8k64.row.col.satfinite.s32.u4.s4.s32" },
    { LW_ARCH_SM_80, "mma.sync.aligned.m16n8k32.row.col.s32.s4.s4.s32" },
    { LW_ARCH_GFX1100, "v_wmma_i32_16x16x16_iu8 neg_lo:[1,1,0]" },
    { LW_ARCH_GFX1100, "v_wmma_i32_16x16x16_iu8 neg_lo:[1,0,0] clamp" },
    { LW_ARCH_GFX1201, "v_wmma_i32_16x16x16_iu8 neg_lo:[0,1,0]" },
    { LW_ARCH_GFX1201, "v_wmma_i32_16x16x32_iu4 neg_lo:[1,1,0]" },
    { LW_ARCH_GFX1201, "v_wmma_i32_16x16x16_iu4 neg_lo:[1,0,0] clamp" },
    { LW_ARCH_SM_89, "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32" },
    { LW_ARCH_SM_89, "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32" },
    { LW_ARCH_SM_90, "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32" },
    { LW_ARCH_SM_120, "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32" },
    { LW_ARCH_SM_120, "mma.sync.aligned.m16n8k16.row.col.f32.e5m2.e5m2.f32" },
    { LW_ARCH_SM_120A,
      "mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32.e4m3.e2m1.f32.ue8m0" },
    { LW_ARCH_SM_120A,
      "mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0" },
    { LW_ARCH_SM_120A,
      "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3" },
};
enum { SPELLED = sizeof(spelled) / sizeof(spelled[0]) };

/* Alternates between keeping and clearing what the previous execution left. Zeros are expected in other turns
 * than those of instruction sets (three) and of padded tiles (five). */
static lw_status noting(const lw_mma *mma, const lw_mma_registers *regs, uint32_t *touched)
{
    static unsigned turn;
    lw_mma_use use = { .touched = *touched,
                       .open = turn % 64 ? UINT32_MAX : 0,
                       .expects_zeros = (uint8_t)(turn / 7 % 3) }; /* lw_panel_padded */
    turn++;
    const lw_status status = lw_mma_execute_noting(mma, regs, &use);
    *touched = use.touched;
    return status;
}

static void check_row(lw_arch arch, const lw_insn *insn, const lw_mods *mods, unsigned host)
{
    static images im;
    lw_mma *reference = make(arch, insn, mods, true), *fast[3] = { NULL, NULL, NULL };
    if (!reference)
        return;
    for (unsigned isa = 0; isa < host; isa++) {
        setenv("LANEWISE_CPU", isas[isa], 1);
        fast[isa] = make(arch, insn, mods, false);
        ck_assert_ptr_nonnull(fast[isa]);
    }
    unsetenv("LANEWISE_CPU");
    uint64_t state = 11;
    const unsigned words =
        lw_insn_registers(reference->arch, insn, LW_OPERAND_D, &reference->mods) * reference->wave;
    for (unsigned n = 0; n < KIND_COUNT * rounds(reference); n++) {
        fill(reference, (kind)(n % KIND_COUNT), &state, &im);
        if (n % 5 == 1 || n % 20 == 10)
            pad(reference, n % 5 == 1, &state, &im);
        if (n % 20 == 10)
            put_minus(reference, &im);
        if (n % 60 == 12) /* after a padded tile */
            use_none(reference, n % 120 == 12, &im);
        if (n % 20 == 17)
            hide(reference, &im);
        if (reference->copies > 1 && n % 7) {
            copy_lanes(reference, LW_OPERAND_A, im.a);
            copy_lanes(reference, LW_OPERAND_B, im.b);
        }
        if (n % 2 == 0)
            check_matrices(reference, fast, host, &im, n / 2);
        uint32_t want = 0;
        const lw_status status = call(reference, &im, n, im.want, lw_mma_execute_registers, &want);
        for (unsigned isa = 0; isa < host; isa++) {
            uint32_t *d = im.d;
            static uint32_t keep[WORDS];
            memcpy(keep, im.d, sizeof(keep));
            static uint32_t got[WORDS];
            const uint32_t known =
                n % 3 ? (uint32_t)codes_next(&state) & ((1u << LW_MMA_ASPECT_COUNT) - 1) : 0;
            uint32_t watched = known;
            ck_assert_int_eq(call(fast[isa], &im, n, got, noting, &watched), status);
            const bool same = memcmp(got, im.want, words * sizeof(*got)) == 0;
            if (status == LW_OK && (watched != (known | want) || !same))
                ck_abort_msg("%s %s, %s, kind %u, round %u, watched: aspects %x, known %x, reference %x%s",
                             lw_arch_get(arch)->name, insn->mnemonic, isas[isa], n % KIND_COUNT, n, watched,
                             known, want, same ? "" : "; D differs");
            memcpy(im.d, keep, sizeof(keep));
            ck_assert_int_eq(call(fast[isa], &im, n, got, lw_mma_execute_registers, NULL), status);
            memcpy(d, keep, sizeof(keep));
            for (unsigned w = 0; w < words; w++)
                if (got[w] != im.want[w])
                    ck_abort_msg("%s %s, %s, kind %u, round %u, register %u lane %u: %08x, reference %08x",
                                 lw_arch_get(arch)->name, insn->mnemonic, isas[isa], n % KIND_COUNT, n,
                                 w / reference->wave, w % reference->wave, got[w], im.want[w]);
        }
    }
    for (unsigned isa = 0; isa < host; isa++)
        lw_mma_free(fast[isa]);
    lw_mma_free(reference);
}

/* Number of entries of `isas` that the host supports. */
static unsigned host_isas(void)
{
    lw_fast_isa isa;
    ck_assert_int_eq(lw_fast_isa_choose(&isa, NULL), LW_OK);
    return isa < LW_FAST_AVX512 ? (unsigned)isa + 1 : LW_FAST_PANEL_ISAS;
}

START_TEST(equal_to_reference)
{
    const lw_arch arch = (lw_arch)_i;
    const unsigned host = host_isas();
    for (size_t i = 0; host && i < lw_insn_count(arch); i++) {
        const lw_insn *insn = lw_insn_at(arch, i);
        const bool by_mods = insn->a == LW_ELEM_CBSZ || insn->a == LW_ELEM_FMT_A;
        for (unsigned f = 0; f < (by_mods ? 25u : 1u); f++) {
            const lw_mods mods = { .cbsz = (uint8_t)(f / 5), .blgp = (uint8_t)(f % 5) };
            check_row(arch, insn, &mods, host);
        }
    }
}
END_TEST

START_TEST(spelled_rows)
{
    const lw_insn *insn;
    lw_mods mods;
    lw_error error = { "" };
    ck_assert_msg(lw_insn_parse(spelled[_i].arch, spelled[_i].text, &insn, &mods, &error) == LW_OK, "%s",
                  error.text);
    check_row(spelled[_i].arch, insn, &mods, host_isas());
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fast_rows");
    TCase *tc = tcase_create("rows");
    tcase_set_timeout(tc, 3000);
    tcase_add_loop_test(tc, equal_to_reference, 1, LW_ARCH_COUNT);
    tcase_add_loop_test(tc, spelled_rows, 0, SPELLED);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* SPDX-License-Identifier: MIT */
#include "tests/valu/forms_kit.h"

#include <stdio.h>

#include "emu/amdgpu/decode/decode.h"
#include "isa_tables/amdgpu/encodings.h"
#include "isa_tables/amdgpu/traits.h"

static unsigned below(kit *k, unsigned n)
{
    return (unsigned)((kit_random(k) >> 33) % n);
}

/* ---- Instructions ---- */

static void put(const lw_encoding *e, uint32_t *words, lw_field field, uint32_t value)
{
    const unsigned low = e->field[field].low, count = e->field[field].count;
    if (!count)
        return;
    const uint32_t mask = (uint32_t)((UINT64_C(1) << count) - 1) << low % 32;
    words[low / 32] = (words[low / 32] & ~mask) | (value << low % 32 & mask);
}

static uint32_t random_source(kit *k, unsigned bits)
{
    enum { INLINE = 128, INLINES = 121, LITERAL = 255, SDWA = 249, DPP = 250, VECTOR = 256 };
    if (bits < 9)
        return below(k, FORMS_REGS);
    switch (below(k, 8)) {
    case 0:
        return below(k, FORMS_REGS);
    case 1:
        return INLINE + below(k, INLINES);
    case 2:
        return LITERAL;
    case 3:
        return SDWA;
    case 4:
        return DPP;
    default:
        return VECTOR + below(k, FORMS_REGS);
    }
}

static uint32_t random_scalar(kit *k)
{
    enum { INLINE = 128, INLINES = 81, LITERAL = 255 };
    const unsigned kind = below(k, 4);
    return kind == 0 ? INLINE + below(k, INLINES) : kind == 1 ? LITERAL : below(k, FORMS_REGS);
}

/* Sources of scalar instructions may be constants. */
static void put_scalars(kit *k, const lw_encoding *e, uint32_t *words)
{
    put(e, words, LW_FIELD_SRC0, random_scalar(k));
    put(e, words, LW_FIELD_SRC1, random_scalar(k));
}

static void put_registers(kit *k, const lw_encoding *e, uint32_t *words)
{
    static const lw_field sources[] = { LW_FIELD_SRC0, LW_FIELD_SRC1, LW_FIELD_SRC2 };
    static const lw_field registers[] = { LW_FIELD_VDST,  LW_FIELD_SDST,  LW_FIELD_ADDR,
                                          LW_FIELD_DATA0, LW_FIELD_DATA1, LW_FIELD_SADDR };
    for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]); i++)
        put(e, words, sources[i], random_source(k, e->field[sources[i]].count));
    for (size_t i = 0; i < sizeof(registers) / sizeof(registers[0]); i++)
        put(e, words, registers[i], below(k, FORMS_REGS));
}

/* Fields that must be zero if a memory instruction does not use them. */
static void put_unused(kit *k, const lw_encoding *e, uint32_t *words)
{
    static const lw_field fields[] = { LW_FIELD_VDST, LW_FIELD_DATA0, LW_FIELD_DATA1, LW_FIELD_GDS,
                                       LW_FIELD_LDS,  LW_FIELD_SVE,   LW_FIELD_ACC };
    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
        if (below(k, 2))
            put(e, words, fields[i], 0);
}

/* Modifiers: in two of three cases, none of a kind. */
static void put_modifiers(kit *k, const lw_encoding *e, uint32_t *words)
{
    static const lw_field fields[] = { LW_FIELD_ABS, LW_FIELD_NEG, LW_FIELD_OMOD, LW_FIELD_CLAMP,
                                       LW_FIELD_OPSEL };
    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
        if (below(k, 3))
            put(e, words, fields[i], 0);
    if (below(k, 3)) {
        put(e, words, LW_FIELD_OPSEL_HI, 3);
        put(e, words, LW_FIELD_OPSEL_HI2, 1);
    }
}

/* Moves of accumulation registers have one source and nothing else. */
static void put_move(const lw_encoding *e, uint32_t *words)
{
    static const lw_field fields[] = { LW_FIELD_CBSZ, LW_FIELD_ABID, LW_FIELD_BLGP, LW_FIELD_SRC1,
                                       LW_FIELD_SRC2 };
    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
        put(e, words, fields[i], 0);
}

/* SDWA's parts: halves or whole registers. */
static void put_words(kit *k, const lw_encoding *e, uint32_t *words)
{
    enum { WORD_0 = 4, PARTS = 3 };
    put(e, words, LW_FIELD_PART0, WORD_0 + below(k, PARTS));
    put(e, words, LW_FIELD_PART1, WORD_0 + below(k, PARTS));
    put(e, words, LW_FIELD_DST_SEL, WORD_0 + below(k, PARTS));
}

/* The dword that an encoding announces in its last word: a literal, SDWA or DPP. */
static void put_second(kit *k, const lw_encodings *all, uint32_t src0, uint32_t *words)
{
    const lw_encoding *e = src0 == LW_CODE_SDWA  ? lw_encoding_of(all, LW_ENC_SDWA)
                           : src0 == LW_CODE_DPP ? lw_encoding_of(all, LW_ENC_DPP)
                           : src0 == LW_CODE_DPP8 || src0 == LW_CODE_DPP8_FETCH
                               ? lw_encoding_of(all, LW_ENC_DPP8)
                               : NULL;
    if (!e)
        return;
    put(e, words, LW_FIELD_SRC0, below(k, FORMS_REGS));
    put(e, words, LW_FIELD_SDST, below(k, FORMS_REGS));
    if (below(k, 2)) {
        put(e, words, LW_FIELD_BANK_MASK, 15);
        put(e, words, LW_FIELD_ROW_MASK, 15);
    }
    if (below(k, 2))
        put(e, words, LW_FIELD_SIGNS, 0);
    if (src0 == LW_CODE_SDWA && below(k, 2)) /* halves and whole registers */
        put_words(k, e, words);
}

/* The opcode of a row in the encoding that is used for it: its own, or that of VOP3 for a short one. */
static unsigned opcode_in(lw_arch arch, const lw_op_row *row, bool vop3)
{
    const lw_amdgpu_traits *t = lw_amdgpu_traits_of(arch);
    const unsigned code = (unsigned)lw_op_code(row, arch);
    const lw_enc enc = lw_op_enc(row, arch);
    if (!vop3 || enc == LW_ENC_VOPC)
        return code;
    return code + (enc == LW_ENC_VOP2 ? 0x100u : enc == LW_ENC_VOP1 ? t->vop3_vop1 : 0u);
}

static bool has_long_form(lw_enc enc)
{
    return enc == LW_ENC_VOP1 || enc == LW_ENC_VOP2 || enc == LW_ENC_VOPC;
}

bool forms_random(kit *k, lw_arch arch, const lw_op_row *row, forms_case *out)
{
    const lw_encodings *all = lw_amdgpu_traits_of(arch)->encodings;
    if (!all || lw_op_code(row, arch) < 0)
        return false;
    for (unsigned tries = 0; tries < 100; tries++) {
        const lw_enc enc = lw_op_enc(row, arch);
        const bool longer = has_long_form(enc) && below(k, 2);
        const lw_encoding *e = lw_encoding_of(all, longer ? LW_ENC_VOP3 : enc);
        uint32_t words[4];
        for (unsigned i = 0; i < 4; i++)
            words[i] = (uint32_t)(kit_random(k) >> 32);
        const lw_encoding *prefix = enc == LW_ENC_MAI ? lw_encoding_of(all, LW_ENC_VOP3P) : e;
        words[0] = (words[0] & ~prefix->mask) | prefix->value;
        put_registers(k, e, words);
        if ((longer || enc == LW_ENC_VOP3) &&
            !(row->flags & LW_OPF_CARRY_OUT)) /* the same bits as those of a second result */
            put(e, words, LW_FIELD_OPSEL, below(k, 16));
        put_modifiers(k, e, words);
        if (enc == LW_ENC_SOP1 || enc == LW_ENC_SOP2 || enc == LW_ENC_SOPC)
            put_scalars(k, e, words);
        if (enc == LW_ENC_DS || enc == LW_ENC_FLAT || enc == LW_ENC_MUBUF)
            put_unused(k, e, words);
        put(e, words, LW_FIELD_OP, opcode_in(arch, row, longer));
        if (enc == LW_ENC_MAI)
            put_move(e, words);
        put_second(k, all, lw_encoding_get(e, words, LW_FIELD_SRC0), words + e->words - 1);
        if (lw_amdgpu_decode(arch, words, 4, &out->in) != LW_OK || out->in.row != row)
            continue;
        out->arch = arch;
        out->row = row;
        out->in.exec = lw_handler_of(row, arch);
        return true;
    }
    return false;
}

/* ---- Waves ---- */

static uint32_t nasty(kit *k)
{
    static const uint32_t words[] = {
        0,          0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00001,
        0x7f800001, 0xffa00000, 0x00000001, 0x807fffff, 0x00800000, 0x7f7fffff, 0x3f000000, 0x34000000,
        0x7c007c00, 0xfc00fc01, 0x7e017c01, 0x00010001, 0x83ff0400, 0x7bff7bff, 0x3c00bc00, 0x80008000,
        0xffffffff, 0x7fffffff, 0x0000ffff, 0x00008000, 0x0000001f, 0x00000020, 0x4b000000, 0x5f000000,
    };
    return words[below(k, sizeof(words) / sizeof(words[0]))];
}

/* Exponents close to each other, so that sums cancel and round. */
static uint32_t near_one(kit *k)
{
    const uint32_t bits = (uint32_t)(kit_random(k) >> 32);
    return (bits & 0x807fffff) | (120 + below(k, 16)) << 23;
}

/* The same for two f16 numbers. */
static uint32_t near_ones(kit *k)
{
    const uint32_t bits = (uint32_t)(kit_random(k) >> 32);
    return (bits & 0x83ff83ff) | (12 + below(k, 6)) << 10 | (12 + below(k, 6)) << 26;
}

static uint32_t value(kit *k, unsigned nasties)
{
    if (nasties && !below(k, nasties))
        return nasty(k);
    switch (below(k, 3)) {
    case 0:
        return near_one(k);
    case 1:
        return near_ones(k);
    default:
        return (uint32_t)(kit_random(k) >> 32);
    }
}

/* Products near the smallest normal number, of f32 and of pairs of f16. */
static uint32_t edge(kit *k)
{
    static const uint32_t words[] = { 0x00ffffff, 0x80ffffff, 0x3f000000, 0xbf000000,
                                      0x3f7fffff, 0x00800000, 0x07ff3800, 0x380007ff };
    return words[below(k, sizeof(words) / sizeof(words[0]))];
}

enum { REFILL = 8 /* one register in this many gets new values each time */ };

static void fill_row(kit *k, uint32_t row[LW_LANES])
{
    static const unsigned nasties[] = { 0, 1, 4, 40 };
    const unsigned some = nasties[below(k, 4)];
    const bool edges = !below(k, 5);
    for (unsigned lane = 0; lane < LW_LANES; lane++)
        row[lane] = edges ? edge(k) : value(k, some);
}

static uint64_t random_mask(kit *k)
{
    switch (below(k, 6)) {
    case 0:
        return 0;
    case 1:
        return UINT64_C(1) << below(k, 64);
    case 2:
        return kit_random(k) & kit_random(k);
    default:
        return kit_random(k);
    }
}

void forms_fill(kit *k, lw_arch arch)
{
    k->w.lanes = (uint8_t)lw_amdgpu_traits_of(arch)->wave;
    k->w.arch = arch;
    for (unsigned r = below(k, REFILL); r < 2 * FORMS_REGS; r += REFILL) {
        fill_row(k, k->vgpr[r]);
        fill_row(k, k->agpr[r]);
    }
    for (unsigned r = below(k, REFILL); r < LW_SGPR_FILE_SIZE; r += REFILL)
        k->w.sgpr[r] = value(k, 4);
    const uint64_t full = k->w.lanes == 64 ? ~(uint64_t)0 : 0xffffffff;
    lw_wave_set_sgpr64(&k->w, LW_SGPR_EXEC, (below(k, 3) ? full : random_mask(k)) & full);
    lw_wave_set_sgpr64(&k->w, LW_SGPR_VCC, kit_random(k));
    k->w.head.pc = 4 * below(k, 1000);
    k->w.scc = (uint8_t)below(k, 2);
    k->w.mode = KIT_DEFAULT_MODE;
    const uint32_t bits = 0x3ff | LW_MODE_FP16_OVFL;
    switch (below(k, 3)) {
    case 0:
        k->w.mode = (uint32_t)(kit_random(k) >> 32) & bits;
        break;
    case 1: /* one difference, or two */
        k->w.mode ^= ((1u << below(k, 10)) | (below(k, 2) ? LW_MODE_FP16_OVFL : 0)) & bits;
        break;
    default:
        break;
    }
}

bool forms_same(const kit *a, const kit *b, char *where, size_t size)
{
    const bool rows =
        !memcmp(a->vgpr, b->vgpr, sizeof(a->vgpr)) && !memcmp(a->agpr, b->agpr, sizeof(a->agpr));
    for (unsigned r = 0; r < KIT_REGS && !rows; r++)
        for (unsigned lane = 0; lane < LW_LANES; lane++) {
            const bool v = a->vgpr[r][lane] != b->vgpr[r][lane];
            if (!v && a->agpr[r][lane] == b->agpr[r][lane])
                continue;
            snprintf(where, size, "%c%u lane %u: general 0x%08x, form 0x%08x", v ? 'v' : 'a', r, lane,
                     v ? a->vgpr[r][lane] : a->agpr[r][lane], v ? b->vgpr[r][lane] : b->agpr[r][lane]);
            return false;
        }
    for (unsigned r = 0; r < LW_SGPR_FILE_SIZE; r++)
        if (a->w.sgpr[r] != b->w.sgpr[r]) {
            snprintf(where, size, "scalar %u: general 0x%08x, form 0x%08x", r, a->w.sgpr[r], b->w.sgpr[r]);
            return false;
        }
    snprintf(where, size, "SCC, MODE or pc");
    return a->w.scc == b->w.scc && a->w.mode == b->w.mode && a->w.head.pc == b->w.head.pc;
}

/* SPDX-License-Identifier: MIT */
/*
 * Kernels as code objects. The file around the code is what clang and lld write (templates.inc); the code is
 * a few words for each register, the same on all cases of one instruction. A workgroup of one wave is a case,
 * or several: its operands begin at "in" plus the group's number times their size, register after register, a
 * word per lane.
 *
 * Scalar registers: s[0:1] the arguments, s[4:5] in, s[6:7] out, s2 (gfx12: ttmp9) the group's number.
 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/disasm.h>

#include "cli/gpu/subject.h"

enum { LANE = 0, A = 8, B = 24, C = 40, D = 72, INDEX = 104, SCALE_A = 105, SCALE_B = 106, VECTOR = 256 };

/* The words that differ between generations, as llvm-mc 22 encodes them for the registers above. */
typedef struct generation {
    uint32_t load_arguments[2]; /* s_load_b128 s[4:7], s[0:1], 0 */
    uint32_t wait_scalar, wait_vector, end_program;
    uint32_t shift_lane;                /* v_lshlrev_b32 v0, 2, v0 */
    uint32_t multiply, multiply_high;   /* s_mul_i32 s3, GROUP, literal; s_mul_hi_u32 s8, GROUP, literal */
    uint32_t zero_m0, zero_vcc;         /* s_mov_b32 m0, 0; s_mov_b64 vcc, 0 */
    uint32_t load[3], store[3];         /* global_load_b32, global_store_b32 v0 + s[..] */
    unsigned memory_words;              /* of such an instruction */
    unsigned offset_word, offset_shift; /* where its offset is */
    unsigned data_load_word, data_load_shift; /* where its register is */
    unsigned data_store_word, data_store_shift;
    uint32_t vop3, vop3p; /* fixed bits of these encodings */
    unsigned wmma_high; /* which bits of op_sel_hi WMMA has; gfx1250 has matrix_b_reuse in the place of one */
} generation;

static const generation gfx9 = {
    { 0xc00a0100, 0 },
    0xbf8cc07f,
    0xbf8c0f70,
    0xbf810000,
    0x24000082,
    0x9203ff02,
    0x9608ff02,
    0xbefc0080,
    0xbeea0180,
    { 0xdc508000, 0x00040000 },
    { 0xdc708000, 0x00060000 },
    2,
    0,
    0,
    1,
    24,
    1,
    8,
    0xd0000000,
    0xd3800000,
    7,
};

static const generation gfx11 = {
    { 0xf4080100, 0xf8000000 },
    0xbf89fc07,
    0xbf8903f7,
    0xbfb00000,
    0x30000082,
    0x9603ff02,
    0x9688ff02,
    0xbefd0080,
    0xbeea0180,
    { 0xdc520000, 0x00040000 },
    { 0xdc6a0000, 0x00060000 },
    2,
    0,
    0,
    1,
    24,
    1,
    8,
    0xd4000000,
    0xcc000000,
    7,
};

/* All members but the last. */
#define GFX12_WORDS                                                                                          \
    { 0xf4004100, 0xf8000000 }, 0xbfc70000, 0xbfc00000, 0xbfb00000, 0x30000082, 0x9603ff75, 0x9688ff75,      \
        0xbefd0080, 0xbeea0180, { 0xee050004 }, { 0xee068006 }, 3, 2, 8, 1, 0, 1, 23, 0xd4000000, 0xcc000000
static const generation gfx12 = { GFX12_WORDS, 7 };
static const generation gfx1250 = { GFX12_WORDS, 3 };
#undef GFX12_WORDS

static const struct template_row {
    const char *target;
    unsigned lanes;
    size_t size, offset, room;
    const uint16_t *runs; /* offset, count, bytes; a count of 0 ends them */
} templates[] = {
#define TEMPLATE(target, lanes, size, offset, room, ...)                                                     \
    { target, lanes, size, offset, room, (const uint16_t[]){ __VA_ARGS__ 0, 0 } },
#define RUN(...) __VA_ARGS__,
#include "cli/gpu/templates.inc"
#undef RUN
#undef TEMPLATE
};

static const generation *generation_of(lw_arch arch)
{
    const char *name = lw_arch_get(arch)->name;
    return strncmp(name, "gfx9", 4) == 0    ? &gfx9
           : strncmp(name, "gfx11", 5) == 0 ? &gfx11
           : strcmp(name, "gfx1201") == 0   ? &gfx12
           : strcmp(name, "gfx1250") == 0   ? &gfx1250
                                            : NULL;
}

/* ---- Words ---- */

enum { MOST_WORDS = 512 };

typedef struct writer {
    const generation *g;
    subject *s;
    uint32_t word[MOST_WORDS];
    size_t count;
    uint32_t base[2]; /* how far s[4:5] and s[6:7] have moved on */
} writer;

static void put(writer *t, uint32_t word)
{
    if (t->count < MOST_WORDS)
        t->word[t->count] = word;
    t->count++;
}

static void wait_states(writer *t)
{
    static const uint32_t nop_16 = 0xbf80000f; /* s_nop 15 */
    put(t, nop_16);
    put(t, nop_16);
}

/* s_add_u32 and s_addc_u32 of a pair of scalar registers and a literal, or a second pair's (s3, s8). */
static void add_to_pair(writer *t, unsigned low, uint32_t literal, bool is_literal)
{
    const uint32_t add = 0x80000000 | low << 16 | low, carry = 0x82000000 | (low + 1) << 16 | (low + 1);
    put(t, add | (is_literal ? 0xff00u : 3u << 8));
    if (is_literal)
        put(t, literal);
    put(t, carry | (is_literal ? 0x8000u : 8u << 8));
}

/* The operands of this group begin at its number times `bytes`. */
static void advance(writer *t, unsigned low, uint32_t bytes)
{
    put(t, t->g->multiply);
    put(t, bytes);
    put(t, t->g->multiply_high);
    put(t, bytes);
    add_to_pair(t, low, 0, false);
}

static void memory(writer *t, bool load, size_t word, unsigned reg)
{
    enum { REACH = 4096 };
    const generation *g = t->g;
    const uint32_t *words = load ? g->load : g->store;
    uint32_t code[3] = { words[0], words[1], words[2] }, *base = &t->base[load ? 0 : 1];
    const uint32_t at = (uint32_t)(word * t->s->lanes * 4);
    for (; at - *base >= REACH; *base += REACH)
        add_to_pair(t, load ? 4 : 6, REACH, true);
    code[g->offset_word] |= (at - *base) << g->offset_shift;
    code[load ? g->data_load_word : g->data_store_word] |=
        (uint32_t)reg << (load ? g->data_load_shift : g->data_store_shift);
    for (unsigned i = 0; i < g->memory_words; i++)
        put(t, code[i]);
}

static bool begin(writer *t, subject *s, lw_error *error)
{
    *t = (writer){ .g = generation_of(s->arch), .s = s };
    if (!t->g)
        return subject_fail(error, "no kernels are written for %s", lw_arch_get(s->arch)->name);
    put(t, t->g->load_arguments[0]);
    put(t, t->g->load_arguments[1]);
    put(t, t->g->wait_scalar);
    put(t, t->g->shift_lane);
    advance(t, 4, (uint32_t)(s->per_group * s->in_words * 4));
    advance(t, 6, (uint32_t)(s->per_group * s->out_words * 4));
    put(t, t->g->zero_m0);
    put(t, t->g->zero_vcc);
    return true;
}

static void clear(writer *t, unsigned reg, unsigned count)
{
    enum { MOVE_ZERO = 0x7e000280 }; /* v_mov_b32 v0, 0 */
    for (unsigned i = 0; i < count; i++)
        put(t, MOVE_ZERO | (reg + i) << 17);
}

static bool end(writer *t, unsigned result_words, lw_error *error)
{
    const struct template_row *row = NULL;
    for (unsigned i = 0; i < result_words; i++)
        memory(t, false, i, D + i);
    put(t, t->g->end_program);
    for (size_t i = 0; i < CLI_COUNT(templates); i++)
        if (strcmp(templates[i].target, lw_arch_get(t->s->arch)->name) == 0 &&
            templates[i].lanes == t->s->lanes)
            row = &templates[i];
    if (!row)
        return subject_fail(error, "no kernels are written for waves of %u on %s", t->s->lanes,
                            lw_arch_get(t->s->arch)->name);
    if (t->count > MOST_WORDS || t->count * 4 > row->room)
        return subject_fail(error, "its kernel is too long");
    uint8_t *image = cli_alloc(row->size);
    memset(image, 0, row->size);
    for (const uint16_t *r = row->runs; r[1]; r += 2 + r[1])
        for (unsigned i = 0; i < r[1]; i++)
            image[r[0] + i] = (uint8_t)r[2 + i];
    for (size_t i = 0; i < t->count; i++)
        for (unsigned byte = 0; byte < 4; byte++)
            image[row->offset + 4 * i + byte] = (uint8_t)(t->word[i] >> 8 * byte);
    t->s->image = (char *)image;
    t->s->image_size = row->size;
    return true;
}

/* ---- Matrix instructions ---- */

static unsigned register_of(const cli_wave *w, lw_operand o)
{
    static const uint8_t first[LW_OPERAND_COUNT] = { A, B, C, D, INDEX, SCALE_A, SCALE_B };
    (void)w;
    return first[o];
}

static uint32_t sources(const cli_wave *w)
{
    const unsigned third = w->operand[LW_OPERAND_INDEX].image ? (unsigned)INDEX : (unsigned)C;
    return (VECTOR + A) | (VECTOR + B) << 9 | (VECTOR + third) << 18;
}

/* VOP3P-MAI: AMD CDNA3 ISA manual, "VOP3P-MAI"; f64 forms have their signs in BLGP. */
static void put_mai(writer *t, const cli_wave *w, uint32_t more)
{
    const lw_mods *m = &w->mods;
    const uint32_t blgp = m->neg ? m->neg : m->blgp;
    put(t, 0xd3800000 | (uint32_t)w->info.opcode << 16 | (uint32_t)m->abid << 11 | (uint32_t)m->cbsz << 8 |
               D | more);
    put(t, sources(w) | blgp << 29);
}

/* The scales' half goes first; bit 11 of the second half says that there is one (llvm-mc 22). */
static void put_scaled(writer *t, const cli_wave *w)
{
    enum { HAS_SCALES = 1 << 11 };
    const lw_mods *m = &w->mods;
    put(t, 0xd3ac0000 | (m->op_sel & 3u) << 11);
    put(t, (VECTOR + SCALE_A) | (VECTOR + SCALE_B) << 9 | (m->op_sel_hi & 3u) << 27);
    put_mai(t, w, HAS_SCALES);
}

/* VOP3P of RDNA: AMD RDNA3 and RDNA4 ISA manuals; gfx1250 as llvm-mc 22 encodes it. op_sel_hi has all bits
 * set unless it is given; its place is that of formats where an instruction has them. */
static void put_wmma(writer *t, const cli_wave *w)
{
    const lw_mods *m = &w->mods;
    const bool formats = strncmp(w->info.operand[LW_OPERAND_A].format, "by ", 3) == 0;
    const uint32_t high = formats ? 0 : t->g->wmma_high ^ m->op_sel_hi, low = m->op_sel | m->index_key;
    put(t, 0xcc000000 | (uint32_t)w->info.opcode << 16 | (uint32_t)m->clamp << 15 | (high & 4) << 12 |
               low << 11 | (uint32_t)m->neg_hi << 8 | D);
    put(t, sources(w) | (high & 3) << 27 | (uint32_t)m->neg_lo << 29);
}

static const struct encoding_row {
    const char *name;
    void (*put)(writer *t, const cli_wave *w);
} encodings[] = {
    { "VOP3P", put_wmma },
    { "VOP3PX2", put_scaled },
};

static void put_matrix(writer *t, const cli_wave *w)
{
    for (size_t i = 0; i < CLI_COUNT(encodings); i++)
        if (strcmp(encodings[i].name, w->info.encoding) == 0) {
            encodings[i].put(t, w);
            return;
        }
    put_mai(t, w, 0);
}

/* C and D are accumulation registers on gfx908, which loads and stores do not reach there. */
static void copy_accumulators(writer *t, uint32_t code, unsigned reg, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        put(t, code | (reg + i));
        put(t, 0x18000100 | (reg + i));
    }
}

/* The instruction as it was encoded must be the one that was asked for: the decoder reads it back. */
static bool check_matrix(const writer *t, size_t at, lw_error *error)
{
    lw_disasm d;
    const cli_wave *w = &t->s->wave;
    const size_t length = strlen(w->info.mnemonic);
    if (lw_disasm_decode(t->s->arch, &t->word[at], (t->count - at) * 4, 0, &d) == LW_OK &&
        strncmp(d.text, w->info.mnemonic, length) == 0 && (d.text[length] == ' ' || d.text[length] == '_'))
        return true;
    return subject_fail(error, "its machine code is not known to this version");
}

bool code_amd_matrix(subject *s, lw_error *error)
{
    static const uint32_t write = 0xd3d94000, read = 0xd3d84000; /* v_accvgpr_write_b32, v_accvgpr_read_b32 */
    const bool moved = !strchr(s->wave.operand[LW_OPERAND_D].info.files, 'v');
    const cli_wave *w = &s->wave;
    const unsigned d_words = w->operand[LW_OPERAND_D].info.registers;
    writer t;
    size_t word = 0;
    if (!begin(&t, s, error))
        return false;
    clear(&t, D, wave_c(w) == LW_OPERAND_D ? 0 : d_words);
    for (size_t i = 0; i < MATRIX_SOURCES; i++) {
        const lw_operand o = matrix_source(w, i);
        for (unsigned r = 0; w->operand[o].image && r < w->operand[o].info.registers; r++)
            memory(&t, true, word++, register_of(w, o) + r);
    }
    put(&t, t.g->wait_vector);
    if (moved)
        copy_accumulators(&t, write, register_of(w, wave_c(w)), d_words);
    wait_states(&t);
    const size_t at = t.count;
    put_matrix(&t, w);
    if (t.count > MOST_WORDS || !check_matrix(&t, at, error))
        return t.count > MOST_WORDS ? subject_fail(error, "its kernel is too long") : false;
    wait_states(&t);
    if (moved)
        copy_accumulators(&t, read, D, d_words);
    return end(&t, d_words, error);
}

/* ---- Instructions by lane ---- */

enum { VOP3_OPS = 0x400, VOP3P_OPS = 0x80 };

/* Several cases have one source and a result of one register each: those after the ones that `words` name. */
bool code_amd_lanes(subject *s, const uint32_t words[2], lw_error *error)
{
    static const uint8_t first[SUBJECT_SOURCES] = { A, B, C };
    const unsigned result_words = s->per_group * lane_words(&s->result);
    writer t;
    size_t word = 0;
    if (s->per_group > 1 &&
        (s->source[1].bits || lane_words(&s->source[0]) != 1 || result_words != s->per_group))
        return subject_fail(error, "no kernel is written for such operands");
    if (!begin(&t, s, error))
        return false;
    clear(&t, D, result_words);
    for (unsigned i = 0; i < SUBJECT_SOURCES; i++)
        for (unsigned r = 0; r < s->per_group * lane_words(&s->source[i]); r++)
            memory(&t, true, word++, first[i] + r);
    put(&t, t.g->wait_vector);
    wait_states(&t);
    for (unsigned i = 0; i < s->per_group; i++) {
        put(&t, words[0] + i);
        put(&t, words[1] + i);
    }
    wait_states(&t);
    return end(&t, result_words, error);
}

/* "v8" or "v[8:9]" at *at, followed by a comma or the end: its bits; 0 for anything else. */
static unsigned take_register(const char **at, unsigned expected)
{
    unsigned from, to;
    int length = 0;
    *at += strspn(*at, " ");
    if (sscanf(*at, "v[%u:%u]%n", &from, &to, &length) != 2 || !length) {
        if (sscanf(*at, "v%u%n", &from, &length) != 1 || !length)
            return 0;
        to = from;
    }
    *at += length;
    if (from != expected || to < from || to - from > 1 || (**at && **at != ','))
        return 0;
    *at += **at == ',';
    return 32 * (to - from + 1);
}

/* All operands must be the registers that are loaded: no scalars, masks, constants or modifiers. */
static bool read_operands(const char *text, amd_lane_op *op)
{
    static const uint8_t first[SUBJECT_SOURCES] = { A, B, C };
    const size_t length = strcspn(text, " ");
    const char *at = text + length;
    if (length >= sizeof(op->mnemonic) || strncmp(text, "v_", 2) != 0)
        return false;
    snprintf(op->mnemonic, sizeof(op->mnemonic), "%.*s", (int)length, text);
    op->result_bits = take_register(&at, D);
    for (unsigned i = 0; i < SUBJECT_SOURCES; i++)
        op->source_bits[i] = *at ? take_register(&at, first[i]) : 0;
    return op->result_bits && op->source_bits[0] && !*at;
}

/* Instruction number `index` of those that there could be; false if that opcode is not one of them. */
static bool lane_op_at(lw_arch arch, unsigned index, amd_lane_op *op)
{
    enum { ALL_HIGH = 1 << 14 };
    const generation *g = generation_of(arch);
    const bool packed = index >= VOP3_OPS;
    const lw_insn *matrix;
    lw_disasm d;
    if (!g)
        return false;
    for (unsigned count = SUBJECT_SOURCES; count > 0; count--) {
        *op = (amd_lane_op){ .result_bits = 0 };
        op->words[0] = (packed ? g->vop3p | (index - VOP3_OPS) << 16 | ALL_HIGH : g->vop3 | index << 16) | D;
        op->words[1] = (VECTOR + A) | (count > 1 ? (VECTOR + B) << 9 : 0) |
                       (count > 2 ? (VECTOR + C) << 18 : 0) | (packed ? 3u << 27 : 0);
        if (lw_disasm_decode(arch, op->words, sizeof(op->words), 0, &d) == LW_OK && d.size == 8 &&
            read_operands(d.text, op))
            return lw_insn_find(arch, op->mnemonic, &matrix, NULL) != LW_OK;
    }
    return false;
}

const amd_lane_op *amd_lane_ops(lw_arch arch, size_t *count)
{
    static struct {
        lw_arch arch;
        size_t count;
        amd_lane_op op[VOP3_OPS + VOP3P_OPS];
    } found; /* of the last architecture: decoding all opcodes takes milliseconds */
    if (found.arch != arch)
        found.count = 0;
    for (unsigned i = 0; found.arch != arch && i < VOP3_OPS + VOP3P_OPS; i++) {
        size_t before = 0;
        if (!lane_op_at(arch, i, &found.op[found.count]))
            continue;
        while (strcmp(found.op[before].mnemonic, found.op[found.count].mnemonic) != 0)
            before++;
        found.count += before == found.count; /* some have two opcodes */
    }
    found.arch = arch;
    *count = found.count;
    return found.op;
}

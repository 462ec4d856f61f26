/* SPDX-License-Identifier: MIT */
/*
 * Kernels as PTX text, which the driver compiles. A block of one warp is a case, or several: its operands
 * begin at "in" plus the block's number times their size, register after register, a word per lane.
 */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include <stdlib.h>
#include <string.h>

#include "cli/gpu/subject.h"

/* A target's name in PTX and the first version of PTX that has it, times ten (PTX ISA, release notes). */
static const struct target_row {
    const char *arch, *target;
    unsigned version;
} targets[] = {
    { "sm_70", "sm_70", 60 },   { "sm_72", "sm_72", 61 },     { "sm_75", "sm_75", 63 },
    { "sm_80", "sm_80", 70 },   { "sm_86", "sm_86", 71 },     { "sm_89", "sm_89", 78 },
    { "sm_90", "sm_90a", 80 },  { "sm_100", "sm_100", 86 },   { "sm_100a", "sm_100a", 86 },
    { "sm_120", "sm_120", 87 }, { "sm_120a", "sm_120a", 87 }, { "sm_120f", "sm_120f", 88 },
};

/* What needs a later version of PTX or a later target than the rest: the beginning of a spelling, and a part
 * of it (PTX ISA 9.1, notes on versions and targets; ptxas 13.0). */
static const struct feature_row {
    const char *begins, *contains;
    unsigned version, sm;
} features[] = {
    { "", ".sp::ordered_metadata", 85, 80 },
    { "wgmma", "s8.u8", 84, 90 },
    { "wgmma", "u8.s8", 84, 90 },
    { "mma", ".and.popc", 71, 80 },
    { "wmma", ".and.popc", 71, 80 },
    { "", ".NaN", 70, 80 },
    { "", ".xorsign", 72, 86 },
    { "", ".relu", 70, 80 },
    { "", ".bf16", 70, 80 },
    { "add", ".bf16", 78, 90 },
    { "sub", ".bf16", 78, 90 },
    { "mul", ".bf16", 78, 90 },
    { "setp", ".bf16", 78, 90 },
    { "ex2", ".bf16", 78, 90 },
    { "tanh", ".bf16", 78, 90 },
    { "cvt", ".f32.bf16", 71, 80 },
    { "cvt", ".f16x2.f32", 70, 80 },
    { "cvt", ".tf32", 70, 80 },
    { "cvt.rn.", ".tf32", 78, 90 },
    { "cvt.rz.", ".tf32", 78, 90 },
    { "cvt", ".e4m3x2", 81, 89 },
    { "cvt", ".e5m2x2", 81, 89 },
    { "abs", ".f16", 65, 70 },
    { "min", ".f16", 70, 80 },
    { "max", ".f16", 70, 80 },
    { "ex2", ".f16", 70, 75 },
    { "tanh", "", 70, 75 },
};

typedef struct writer {
    FILE *out;
    char *text;
    size_t size;
    subject *s;
    unsigned r, w, h; /* registers used: %r 32 bits, %w 64, %h 16 */
} writer;

/* The version of PTX that a spelling needs, 0 where the target does not have it. */
static unsigned version_for(const char *spelling, unsigned version, unsigned sm)
{
    for (size_t i = 0; i < CLI_COUNT(features); i++) {
        const struct feature_row *f = &features[i];
        if (strncmp(spelling, f->begins, strlen(f->begins)) != 0 || !strstr(spelling, f->contains))
            continue;
        if (sm < f->sm)
            return 0;
        version = version > f->version ? version : f->version;
    }
    return version;
}

static bool begin(writer *t, subject *s, const char *spelling, unsigned version, lw_error *error)
{
    const struct target_row *row = NULL;
    *t = (writer){ .s = s };
    for (size_t i = 0; i < CLI_COUNT(targets); i++)
        if (strcmp(targets[i].arch, lw_arch_get(s->arch)->name) == 0)
            row = &targets[i];
    if (!row)
        return subject_fail(error, "no kernels are written for %s", lw_arch_get(s->arch)->name);
    version = version > row->version ? version : row->version;
    version = version_for(spelling, version, (unsigned)strtoul(row->arch + strlen("sm_"), NULL, 10));
    if (!version)
        return subject_fail(error, "it is not an instruction of %s", row->arch);
    t->out = open_memstream(&t->text, &t->size);
    if (!t->out)
        return subject_fail(error, "out of memory");
    fprintf(t->out,
            ".version %u.%u\n.target %s\n.address_size 64\n\n"
            ".visible .entry k(.param .u64 p0, .param .u64 p1)\n{\n"
            "    .reg .b16 %%h<8>;\n    .reg .b32 %%r<256>;\n    .reg .b64 %%w<64>;\n    .reg .pred %%p;\n"
            "    .reg .u32 %%lane, %%case;\n    .reg .u64 %%in, %%out;\n"
            "    ld.param.u64 %%in, [p0];\n    ld.param.u64 %%out, [p1];\n"
            "    mov.u32 %%lane, %%tid.x;\n    mov.u32 %%case, %%ctaid.x;\n"
            "    mad.wide.u32 %%in, %%case, %zu, %%in;\n    mad.wide.u32 %%out, %%case, %zu, %%out;\n"
            "    mad.wide.u32 %%in, %%lane, 4, %%in;\n    mad.wide.u32 %%out, %%lane, 4, %%out;\n",
            version / 10, version % 10, row->target, s->per_group * s->in_words * 4,
            s->per_group * s->out_words * 4);
    return true;
}

static bool end(writer *t, lw_error *error)
{
    fputs("    ret;\n}\n", t->out);
    if (fclose(t->out) != 0)
        return subject_fail(error, "out of memory");
    t->s->image = t->text;
    t->s->image_size = t->size; /* a NUL follows, which the driver looks for */
    return true;
}

/* Loads word number `word` of a lane into the next %r; returns its number. */
static unsigned load(writer *t, size_t word)
{
    fprintf(t->out, "    ld.global.b32 %%r%u, [%%in+%zu];\n", t->r, word * t->s->lanes * 4);
    return t->r++;
}

static void store(writer *t, size_t word, unsigned r)
{
    fprintf(t->out, "    st.global.b32 [%%out+%zu], %%r%u;\n", word * t->s->lanes * 4, r);
}

/* ---- Matrix instructions ---- */

static bool is_wide(const wave_operand *o)
{
    return !strcmp(o->info.format, "f64");
}

/* Registers of an operand as the instruction names them. */
typedef struct named {
    unsigned first, count;
    bool wide;
} named;

static named load_operand(writer *t, const wave_operand *o, size_t *word)
{
    named n = { .first = t->r, .count = o->info.registers, .wide = is_wide(o) };
    for (unsigned i = 0; i < o->info.registers; i++)
        load(t, (*word)++);
    if (!n.wide)
        return n;
    n = (named){ .first = t->w, .count = o->info.registers / 2u, .wide = true };
    for (unsigned i = 0; i < n.count; i++, t->w++)
        fprintf(t->out, "    mov.b64 %%w%u, {%%r%u, %%r%u};\n", t->w, t->r - 2 * (n.count - i),
                t->r - 2 * (n.count - i) + 1);
    return n;
}

static void write_list(writer *t, const char *before, const named *n)
{
    for (unsigned i = 0; i < n->count; i++)
        fprintf(t->out, "%s%%%c%u", i ? ", " : before, n->wide ? 'w' : 'r', n->first + i);
    fputc('}', t->out);
}

static unsigned modifier(const char *spelling, const char *name)
{
    const char *at = strstr(spelling, name);
    unsigned value = 0;
    return at && sscanf(at + strlen(name), ":%u", &value) == 1 ? value : 0;
}

/* Numbers that follow the mnemonic in `spelling` are operands. */
static void write_instruction(writer *t, const char *spelling, const named *of)
{
    const named *d = &of[LW_OPERAND_D];
    fprintf(t->out, "    %.*s ", (int)strcspn(spelling, " "), spelling);
    write_list(t, "{", d);
    for (lw_operand o = LW_OPERAND_A; o <= LW_OPERAND_C; o++)
        write_list(t, ", {", &of[o]);
    if (of[LW_OPERAND_INDEX].count)
        fprintf(t->out, ", %%r%u, 0x%x", of[LW_OPERAND_INDEX].first, modifier(spelling, "selector"));
    for (lw_operand o = LW_OPERAND_SCALE_A; o <= LW_OPERAND_SCALE_B && of[o].count; o++)
        fprintf(t->out, ", {%%r%u}, {%u, %u}", of[o].first,
                modifier(spelling, o == LW_OPERAND_SCALE_A ? "byte-id-a" : "byte-id-b"),
                modifier(spelling, o == LW_OPERAND_SCALE_A ? "thread-id-a" : "thread-id-b"));
    fputs(";\n", t->out);
}

bool code_ptx_matrix(subject *s, const char *spelling, lw_error *error)
{
    writer t;
    named of[LW_OPERAND_COUNT] = { { .count = 0 } };
    size_t word = 0;
    const wave_operand *d = &s->wave.operand[LW_OPERAND_D];
    if (!begin(&t, s, spelling, s->wave.info.ptx_isa, error))
        return false;
    for (size_t i = 0; i < MATRIX_SOURCES; i++) {
        const lw_operand o = matrix_source(&s->wave, i);
        if (s->wave.operand[o].image)
            of[o] = load_operand(&t, &s->wave.operand[o], &word);
    }
    const bool wide = is_wide(d);
    of[LW_OPERAND_D] = (named){ wide ? t.w : t.r, wide ? d->info.registers / 2u : d->info.registers, wide };
    t.r += wide ? 0 : d->info.registers;
    write_instruction(&t, spelling, of);
    for (unsigned i = 0; i < d->info.registers; i++) {
        if (wide && i % 2 == 0)
            fprintf(t.out, "    mov.b64 {%%r%u, %%r%u}, %%w%u;\n", t.r, t.r + 1,
                    of[LW_OPERAND_D].first + i / 2);
        store(&t, i, wide ? t.r++ : of[LW_OPERAND_D].first + i);
    }
    return end(&t, error);
}

/* ---- wgmma ---- */

/* B's words from memory to shared memory, in the same order. */
static void copy_shared(writer *t, size_t word, unsigned registers)
{
    for (unsigned i = 0; i < registers; i++) {
        fprintf(t->out, "    ld.global.b32 %%r%u, [%%in+%zu];\n", t->r, (word + i) * t->s->lanes * 4);
        fprintf(t->out, "    st.shared.b32 [%%at+%u], %%r%u;\n", i * t->s->lanes * 4u, t->r);
    }
}

/* Without swizzle, k along rows of 16 bytes: 8 rows follow each other, then the next 16 bytes of k (PTX ISA,
 * "Asynchronous warpgroup level matrix shared memory layout"). */
static void write_wgmma(writer *t, const named *of)
{
    const cli_wave *w = &t->s->wave;
    const bool whole = w->operand[LW_OPERAND_D].info.format[0] == 'i' || strstr(t->s->name, ".s32.");
    const bool half = strstr(t->s->name, "f16.f16") != NULL || strstr(t->s->name, "bf16") != NULL;
    const lw_layout_info *b = &w->operand[LW_OPERAND_B].shape;
    const unsigned k_bytes = (unsigned)b->x_count * b->width / 8u;
    const unsigned long long leading = 128 >> 4, stride = 8 * k_bytes >> 4;
    fprintf(t->out,
            "    fence.proxy.async;\n    bar.sync 0;\n    mov.u32 %%r%u, sm;\n    shr.u32 %%r%u, %%r%u, 4;\n"
            "    cvt.u64.u32 %%w0, %%r%u;\n    add.u64 %%w0, %%w0, 0x%llx;\n    setp.ne.u32 %%p, 1, 0;\n"
            "    wgmma.fence.sync.aligned;\n    %.*s ",
            t->r, t->r, t->r, t->r, stride << 32 | leading << 16, (int)strcspn(t->s->name, " "), t->s->name);
    write_list(t, "{", &of[LW_OPERAND_C]);
    write_list(t, ", {", &of[LW_OPERAND_A]);
    fputs(", %w0", t->out);
    if (of[LW_OPERAND_INDEX].count)
        fprintf(t->out, ", %%r%u, %u", of[LW_OPERAND_INDEX].first, w->mods.ptx.selector);
    fprintf(t->out, ", %%p%s%s;\n", whole ? "" : ", 1, 1", half ? ", 0" : "");
    fputs("    wgmma.commit_group.sync.aligned;\n    wgmma.wait_group.sync.aligned 0;\n", t->out);
}

bool code_ptx_warpgroup(subject *s, lw_error *error)
{
    writer t;
    named of[LW_OPERAND_COUNT] = { { .count = 0 } };
    size_t word = 0;
    const wave_operand *b = &s->wave.operand[LW_OPERAND_B];
    if (!begin(&t, s, s->name, s->wave.info.ptx_isa, error))
        return false;
    fprintf(t.out,
            "    .shared .align 1024 .b8 sm[%zu];\n    .reg .u32 %%at;\n    mov.u32 %%at, sm;\n"
            "    mad.lo.u32 %%at, %%lane, 4, %%at;\n",
            wave_words(&s->wave, LW_OPERAND_B) * 4);
    for (size_t i = 0; i < MATRIX_SOURCES; i++) {
        const lw_operand o = matrix_source(&s->wave, i);
        if (o == LW_OPERAND_B) {
            copy_shared(&t, word, b->info.registers);
            word += b->info.registers;
            t.r++;
        } else if (s->wave.operand[o].image) {
            of[o] = load_operand(&t, &s->wave.operand[o], &word);
        }
    }
    write_wgmma(&t, of);
    for (unsigned i = 0; i < s->wave.operand[LW_OPERAND_D].info.registers; i++)
        store(&t, i, of[LW_OPERAND_C].first + i);
    return end(&t, error);
}

/* ---- Moves ---- */

/* Registers of 32 bits, or pairs of them. */
static void write_move_registers(writer *t, const lw_operand_info *info, unsigned first)
{
    const bool wide = strcmp(info->format, "f64") == 0;
    for (unsigned i = 0; i < info->registers / (wide ? 2u : 1u); i++)
        fprintf(t->out, "%s%%%c%u", i ? ", " : "{", wide ? 'w' : 'r', wide ? i : first + i);
    fputc('}', t->out);
}

/* Between pairs of registers and the registers of 64 bits that instructions of f64 name. */
static void convert_pairs(writer *t, const lw_operand_info *info, unsigned first, bool back)
{
    for (unsigned i = 0; strcmp(info->format, "f64") == 0 && i < info->registers / 2u; i++) {
        const unsigned low = first + 2 * i;
        if (back)
            fprintf(t->out, "    mov.b64 {%%r%u, %%r%u}, %%w%u;\n", low, low + 1, i);
        else
            fprintf(t->out, "    mov.b64 %%w%u, {%%r%u, %%r%u};\n", i, low, low + 1);
    }
}

/* Registers of shared memory: where it begins, and this lane's words. */
static void write_shared(writer *t, unsigned bytes)
{
    fprintf(t->out,
            "    .shared .align 1024 .b8 sm[%u];\n    .reg .u32 %%at;\n    .reg .u64 %%base, %%to;\n"
            "    mov.u32 %%at, sm;\n    cvt.u64.u32 %%base, %%at;\n    mad.lo.u32 %%at, %%lane, 4, %%at;\n",
            bytes);
}

static void store_shared(writer *t, unsigned registers)
{
    for (unsigned i = 0; i < registers; i++) {
        fprintf(t->out, "    ld.shared.b32 %%r0, [%%at+%u];\n", i * t->s->lanes * 4u);
        store(t, i, 0);
    }
}

static void write_move(writer *t, const char *name, const lw_operand_info *info, unsigned first)
{
    const bool store = strncmp(name, "st", 2) == 0 || strncmp(name, "wmma.store", 10) == 0;
    const bool lanes = name[0] != 'w'; /* each lane has an address */
    fprintf(t->out, "    %s %%to, %%base;\n", strstr(name, ".shared") ? "mov.u64" : "cvta.shared.u64");
    if (lanes)
        fputs("    mad.wide.u32 %to, %lane, 16, %to;\n", t->out);
    convert_pairs(t, info, first, false);
    fprintf(t->out, "    %s ", name);
    if (store)
        fputs("[%to], ", t->out);
    if (strncmp(name, "movmatrix", 9) == 0)
        fprintf(t->out, "%%r%u, %%r%u", first, first + 1);
    else
        write_move_registers(t, info, first);
    if (!store && name[0] != 'm')
        fputs(", [%to]", t->out);
    fputs(";\n", t->out);
    convert_pairs(t, info, first, true);
}

bool code_ptx_moves(subject *s, const lw_operand_info *registers, lw_error *error)
{
    writer t;
    if (!begin(&t, s, s->name, s->wave.info.ptx_isa, error))
        return false;
    write_shared(&t, MOVES_SHARED * 4 * 32);
    copy_shared(&t, 0, MOVES_SHARED);
    fputs("    bar.sync 0;\n", t.out);
    const unsigned first = ++t.r;
    for (unsigned i = 0; i < MOVES_REGISTERS; i++)
        load(&t, MOVES_SHARED + i);
    write_move(&t, s->name, registers, first);
    fputs("    bar.sync 0;\n", t.out);
    store_shared(&t, MOVES_SHARED);
    for (unsigned i = 0; i < MOVES_REGISTERS; i++)
        store(&t, MOVES_SHARED + i, first + i);
    return end(&t, error);
}

/* A load's A and a store's D are shared memory; a store begins with zeros there. */
bool code_ptx_probe_move(subject *s, const char *spelling, lw_error *error)
{
    const bool memory = probe_has_memory(&s->wave), loads = probe_loads(&s->wave);
    const unsigned words = (unsigned)((loads ? s->in_words : s->out_words) / s->lanes);
    const lw_operand_info *a = &s->wave.operand[LW_OPERAND_A].info, *d = &s->wave.operand[LW_OPERAND_D].info;
    const lw_operand_info *registers = memory && !loads ? a : d;
    writer t;
    if (!begin(&t, s, spelling, s->wave.info.ptx_isa, error))
        return false;
    write_shared(&t, words * s->lanes * 4);
    if (loads)
        copy_shared(&t, 0, words);
    else
        fprintf(t.out, "    mov.b32 %%r%u, 0;\n", t.r);
    for (unsigned i = 0; i < words && memory && !loads; i++)
        fprintf(t.out, "    st.shared.b32 [%%at+%u], %%r%u;\n", i * s->lanes * 4u, t.r);
    fputs("    bar.sync 0;\n", t.out);
    const unsigned first = ++t.r, source = first + !memory; /* movmatrix names D, then A */
    for (unsigned i = 0; i < a->registers && !loads; i++)
        fprintf(t.out, "    ld.global.b32 %%r%u, [%%in+%u];\n", source + i, i * s->lanes * 4u);
    write_move(&t, spelling, registers, first);
    fputs("    bar.sync 0;\n", t.out);
    if (memory && !loads)
        store_shared(&t, words);
    for (unsigned i = 0; i < d->registers && (loads || !memory); i++)
        store(&t, i, first + i);
    return end(&t, error);
}

/* ---- Instructions by lane ---- */

static void load_lane(writer *t, const lane_operand *o, size_t *word, char name[16])
{
    const unsigned low = load(t, (*word)++);
    if (o->bits == 32) {
        snprintf(name, 16, "%%r%u", low);
    } else if (o->bits == 16) {
        snprintf(name, 16, "%%h%u", t->h);
        fprintf(t->out, "    cvt.u16.u32 %%h%u, %%r%u;\n", t->h++, low);
    } else {
        const unsigned high = load(t, (*word)++);
        snprintf(name, 16, "%%w%u", t->w);
        fprintf(t->out, "    mov.b64 %%w%u, {%%r%u, %%r%u};\n", t->w++, low, high);
    }
}

static void store_lane(writer *t, const lane_operand *o, size_t word)
{
    if (strcmp(o->type, "pred") == 0)
        fprintf(t->out, "    selp.u32 %%r%u, 1, 0, %%p;\n", t->r);
    else if (o->bits == 16)
        fprintf(t->out, "    cvt.u32.u16 %%r%u, %%h7;\n", t->r);
    else if (o->bits == 64)
        fprintf(t->out, "    mov.b64 {%%r%u, %%r%u}, %%w63;\n", t->r, t->r + 1);
    else
        fprintf(t->out, "    mov.b32 %%r%u, %%r255;\n", t->r);
    for (unsigned i = 0; i < lane_words(o); i++)
        store(t, word + i, t->r + i);
}

static void write_lanes(writer *t, const char *op, unsigned number)
{
    const subject *s = t->s;
    size_t word = number * (s->in_words / s->lanes);
    char name[SUBJECT_SOURCES][16];
    const bool pred = strcmp(s->result.type, "pred") == 0;
    t->r = t->w = t->h = 0;
    for (unsigned i = 0; i < SUBJECT_SOURCES && s->source[i].bits; i++)
        load_lane(t, &s->source[i], &word, name[i]);
    fprintf(t->out, "    %s %s", op,
            pred                   ? "%p"
            : s->result.bits == 16 ? "%h7"
            : s->result.bits == 64 ? "%w63"
                                   : "%r255");
    for (unsigned i = 0; i < SUBJECT_SOURCES && s->source[i].bits; i++)
        fprintf(t->out, ", %s", name[i]);
    fputs(";\n", t->out);
    store_lane(t, &s->result, number * (s->out_words / s->lanes));
}

bool code_ptx_lanes(subject *s, const char *op, lw_error *error)
{
    writer t;
    if (!begin(&t, s, op, 60, error))
        return false;
    for (unsigned i = 0; i < s->per_group; i++)
        write_lanes(&t, op, i);
    return end(&t, error);
}

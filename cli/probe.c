/* SPDX-License-Identifier: MIT */
/* The table of probes, and the operands of a probe. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cli/probe.h"

static const probe probes[] = {
#include "cli/probes_nvidia.inc"
#include "cli/probes_amd.inc"
};

size_t probe_count(void)
{
    return CLI_COUNT(probes);
}

const probe *probe_at(size_t index)
{
    return index < CLI_COUNT(probes) ? &probes[index] : NULL;
}

const probe *probe_find(const char *name)
{
    for (size_t i = 0; i < probe_count(); i++)
        if (!strcmp(probe_at(i)->name, name))
            return probe_at(i);
    return NULL;
}

const char *probe_kernel(const probe *p)
{
    return p->kernel ? p->kernel : p->insn;
}

static bool has_word(const char *words, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = words; (at = strstr(at, word)) != NULL; at += length)
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
            return true;
    return false;
}

bool probe_concerns(const probe *p, lw_arch arch)
{
    const lw_insn *insn;
    lw_mods mods;
    if (p->archs && !has_word(p->archs, lw_arch_get(arch)->name))
        return false;
    return lw_insn_parse(arch, p->insn, &insn, &mods, NULL) == LW_OK;
}

/* splitmix64: the same numbers on every host. */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* Codes of small integers, and the exponent field, by the names that operands have. */
static const struct format_row {
    const char *name;
    uint64_t small[4];
    unsigned exponent_bits, fraction_bits;
} formats[] = {
    { "f16", { 0, 0x3c00, 0x4000, 0xbc00 }, 5, 10 },
    { "bf16", { 0, 0x3f80, 0x4000, 0xbf80 }, 8, 7 },
    { "tf32", { 0, 0x3f800000, 0x40000000, 0xbf800000 }, 8, 23 },
    { "xf32", { 0, 0x3f800000, 0x40000000, 0xbf800000 }, 8, 23 },
    { "f32", { 0, 0x3f800000, 0x40000000, 0xbf800000 }, 8, 23 },
    { "f64",
      { 0, UINT64_C(0x3ff0000000000000), UINT64_C(0x4000000000000000), UINT64_C(0xbff0000000000000) },
      11,
      52 },
    { "e4m3", { 0, 0x38, 0x40, 0xb8 }, 4, 3 },
    { "e5m2", { 0, 0x3c, 0x40, 0xbc }, 5, 2 },
    { "e3m2", { 0, 0x0c, 0x10, 0x2c }, 3, 2 },
    { "e2m3", { 0, 0x08, 0x10, 0x28 }, 2, 3 },
    { "e2m1", { 0, 2, 4, 10 }, 2, 1 },
    { "fp6", { 0, 0x08, 0x10, 0x28 }, 2, 3 },
    { "bf6", { 0, 0x0c, 0x10, 0x2c }, 3, 2 },
    { "fp4", { 0, 2, 4, 10 }, 2, 1 },
    { "e8m0", { 0x7f, 0x80, 0x7e, 0x7f }, 8, 0 },
    { "ue8m0", { 0x7f, 0x80, 0x7e, 0x7f }, 8, 0 },
    { "ue4m3", { 0x38, 0x40, 0x30, 0x38 }, 4, 3 },
};

/* fp8 and bf8 have another bias on gfx942 than elsewhere; 1 and 2 are powers of two in both. */
static uint64_t small_code(const wave_operand *o, uint64_t random)
{
    const uint64_t mask = o->shape.width >= 64 ? UINT64_MAX : (UINT64_C(1) << o->shape.width) - 1;
    for (size_t i = 0; i < CLI_COUNT(formats); i++)
        if (!strcmp(formats[i].name, o->info.format))
            return formats[i].small[random % 4];
    if (!strcmp(o->info.format, "fp8"))
        return (const uint64_t[]){ 0, 0x38, 0x40, 0xb8 }[random % 4];
    if (!strcmp(o->info.format, "bf8"))
        return (const uint64_t[]){ 0, 0x3c, 0x40, 0xbc }[random % 4];
    return (random % 4 - (o->info.format[0] == 'u' ? 0 : 1)) & mask;
}

/* Any code; in odd rounds, codes of the wide formats have one of the middle sixteen exponents. */
static uint64_t random_code(const wave_operand *o, uint64_t random, unsigned round)
{
    const uint64_t mask = o->shape.width >= 64 ? UINT64_MAX : (UINT64_C(1) << o->shape.width) - 1;
    for (size_t i = 0; i < CLI_COUNT(formats) && round % 2; i++) {
        const struct format_row *f = &formats[i];
        if (strcmp(f->name, o->info.format) != 0 || f->exponent_bits < 5 || !f->fraction_bits)
            continue;
        const uint64_t field = (UINT64_C(1) << f->exponent_bits) - 1, middle = field / 2 - 7;
        random = (random & ~(field << f->fraction_bits)) | (middle + (random >> f->fraction_bits & 15))
                                                               << f->fraction_bits;
    }
    return random & mask;
}

uint64_t probe_random_index(const cli_wave *wave, uint64_t random)
{
    static const uint8_t nibbles[] = { 0x4, 0x8, 0x9, 0xc, 0xd, 0xe };
    const bool one_of_two = !strcmp(wave->operand[LW_OPERAND_A].info.format, "tf32");
    return one_of_two ? nibbles[5 * (random % 2)] : nibbles[random % CLI_COUNT(nibbles)];
}

static void fill(const probe *p, unsigned round, cli_wave *wave)
{
    uint64_t state = round;
    for (const char *at = p->name; *at; at++)
        state = state * 31 + (unsigned char)*at;
    for (int n = 0; n < LW_OPERAND_COUNT; n++) {
        const wave_operand *o = &wave->operand[n];
        if (!o->image || (n == LW_OPERAND_D && wave_c(wave) != LW_OPERAND_D))
            continue;
        for (unsigned x = 0; x < o->shape.x_count; x++)
            for (unsigned y = 0; y < o->shape.y_count; y++) {
                const uint64_t random = next_random(&state);
                const uint64_t code = wave->info.moves         ? random_code(o, random, 0)
                                      : n == LW_OPERAND_INDEX  ? probe_random_index(wave, random)
                                      : p->fill == PROBE_SMALL ? small_code(o, random >> 7)
                                                               : random_code(o, random, round);
                wave_put(wave, (lw_operand)n, x, y, code);
            }
    }
}

/* Position `k` of the list: along a row, but down a column for B. */
static bool put_at(cli_wave *wave, lw_operand operand, unsigned k, uint64_t code)
{
    const bool is_b = operand == LW_OPERAND_B;
    return wave_put(wave, operand, is_b ? k : 0, is_b ? 0 : k, code);
}

static bool put_list(cli_wave *wave, lw_operand operand, const char *text)
{
    unsigned k = 0;
    while (text && *text) {
        char *end;
        unsigned times = 1;
        uint64_t code = strtoull(text, &end, 16);
        if (*end == ':') {
            k = (unsigned)strtoul(text, NULL, 10);
            text = end + 1;
            code = strtoull(text, &end, 16);
        }
        if (*end == '*')
            times = (unsigned)strtoul(end + 1, &end, 10);
        if (end == text || (*end && *end != ' '))
            return false;
        for (unsigned i = 0; i < times; i++)
            if (!put_at(wave, operand, k++, code))
                return false;
        text = end + strspn(end, " ");
    }
    return true;
}

/* ldmatrix reads 512 random bytes; stmatrix overwrites as many zeros. */
static void add_memory(cli_wave *wave)
{
    enum { REGISTERS = 4 };
    uint64_t state = 1;
    const bool loads = wave->operand[LW_OPERAND_D].image != NULL;
    const lw_operand memory = loads ? LW_OPERAND_A : LW_OPERAND_D;
    wave_add_image(wave, memory, REGISTERS);
    for (size_t i = 0; loads && i < wave_words(wave, memory); i++)
        wave->operand[memory].image[i] = (uint32_t)next_random(&state);
}

/* Scales of 1, unless the probe sets them. */
static void put_neutral_scales(cli_wave *wave)
{
    for (lw_operand o = LW_OPERAND_SCALE_A; o <= LW_OPERAND_SCALE_B; o++)
        for (size_t i = 0; i < wave_words(wave, o); i++)
            wave->operand[o].image[i] =
                strcmp(wave->operand[o].info.format, "ue4m3") ? 0x7f7f7f7f : 0x38383838;
}

static bool put_codes(const probe *p, cli_wave *wave)
{
    for (size_t i = 0; p->pad && i < wave_words(wave, LW_OPERAND_A); i++)
        wave->operand[LW_OPERAND_A].image[i] |= p->pad * UINT32_C(0x01010101);
    return put_list(wave, LW_OPERAND_A, p->a) && put_list(wave, LW_OPERAND_B, p->b) &&
           put_list(wave, wave_c(wave), p->c) && put_list(wave, LW_OPERAND_INDEX, p->index) &&
           put_list(wave, LW_OPERAND_SCALE_A, p->scale_a) && put_list(wave, LW_OPERAND_SCALE_B, p->scale_b);
}

bool probe_set(const probe *p, unsigned round, cli_wave *wave)
{
    if (p->fill != PROBE_ZEROS)
        fill(p, round, wave);
    else if (!p->scale_a)
        put_neutral_scales(wave);
    return put_codes(p, wave);
}

lw_status probe_open(const probe *p, lw_arch arch, cli_wave *wave, lw_error *error)
{
    const lw_status st = wave_open(arch, p->insn, 0, wave, error);
    if (st != LW_OK)
        return st;
    if (probe_has_memory(wave))
        add_memory(wave);
    if (probe_set(p, 0, wave))
        return LW_OK;
    if (error)
        snprintf(error->text, sizeof(error->text), "the codes of probe %s do not fit its instruction",
                 p->name);
    return LW_E_FORMAT;
}

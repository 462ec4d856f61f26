/* SPDX-License-Identifier: MIT */
#include "cli/digests.h"

#include <stdlib.h>
#include <string.h>

static const char *const generator_names[] = {
    [DIGEST_INT] = "int,", [DIGEST_F16] = "f16,", [DIGEST_F8] = "f8,"
};
static const char head[] = "generator,instruction,";

/* Marsaglia's xorshift32: each draw is the next state. */
static uint32_t draw(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

bool digest_is_head(const char *line)
{
    return !strncmp(line, head, sizeof(head) - 1);
}

bool digest_recognise(const char *line)
{
    for (unsigned g = 0; g < sizeof(generator_names) / sizeof(generator_names[0]); g++)
        if (!strncmp(line, generator_names[g], strlen(generator_names[g])))
            return true;
    return digest_is_head(line);
}

/* Copies up to the comma that ends a field; commas inside quotes are kept. NULL if there is none or no
 * room. */
static const char *take_field(const char *from, char *to, size_t room)
{
    bool quoted = false;
    size_t n = 0;
    for (; *from && *from != '\n' && (quoted || *from != ','); from++) {
        if (*from == '"')
            quoted = !quoted;
        else if (n + 1 < room)
            to[n++] = *from;
        else
            return NULL;
    }
    to[n] = '\0';
    return *from == ',' ? from + 1 : NULL;
}

bool digest_parse(const char *line, digest_case *out)
{
    char name[16], insn[48], mods[48], sample[16], *end;
    digest_case c = { .generator = DIGEST_INT };
    const char *at = take_field(line, name, sizeof(name));
    at = at ? take_field(at, insn, sizeof(insn)) : NULL;
    at = at ? take_field(at, mods, sizeof(mods)) : NULL;
    at = at ? take_field(at, sample, sizeof(sample)) : NULL;
    if (!at)
        return false;
    while (strncmp(line, generator_names[c.generator], strlen(generator_names[c.generator])))
        if (++c.generator > DIGEST_F8)
            return false;
    strcpy(c.insn, insn);
    strcat(strcat(c.insn, *mods ? " " : ""), mods);
    c.sample = (unsigned)strtoul(sample, &end, 10);
    if (end == sample || *end)
        return false;
    c.want = strtoull(at, &end, 16);
    c.digits = (unsigned)(end - at);
    *out = c;
    return c.digits >= 1 && c.digits <= 16 && (*end == '\0' || *end == '\n' || *end == '\r');
}

static void fill_index(uint32_t *state, uint32_t *lanes)
{
    static const uint8_t nibbles[] = { 4, 8, 12, 9, 13, 14 };
    for (unsigned lane = 0; lane < DIGEST_LANES; lane++)
        for (unsigned group = 0; group < 8; group++)
            lanes[lane] |= (uint32_t)nibbles[draw(state) % 6] << 4 * group;
}

/* The f32 bits of a small whole number. */
static uint32_t small_f32(uint32_t from)
{
    static const uint32_t codes[] = { 0xc0000000, 0xbf800000, 0, 0x3f800000, 0x40000000 };
    return codes[from % 5];
}

/* A word of codes from a list of five, lowest bits first. */
static void fill_codes(uint32_t *state, const uint16_t *codes, unsigned bits, uint32_t *word)
{
    for (unsigned at = 0; at < 32; at += bits)
        *word |= (uint32_t)codes[draw(state) % 5] << at;
}

/* A in registers 0 and 1, B from 2, C or D from 6. */
static void fill_int(const digest_case *c, digest_words *out)
{
    static const uint32_t ends[] = { 0, 0x7fffffff, 0x80000000, 0xffffffff, 0x7fffff80, 0x80000080 };
    enum { B = 2, C = 6, INDEX = 14 };
    uint32_t state = 0xa3987412 + c->sample;
    for (unsigned r = 0; r < INDEX; r++)
        for (unsigned lane = 0; lane < DIGEST_LANES; lane++)
            out->word[r][lane] = r < C ? draw(&state) : ends[draw(&state) % 6];
    fill_index(&state, out->word[INDEX]);
    out->b = out->word[B];
    out->c = out->word[C];
    out->index = out->word[INDEX];
}

/* A in registers 0 to 3, B in 4 to 11, then D: f32 in eight registers, or 16 bits in four. */
static void fill_f16(const digest_case *c, digest_words *out)
{
    static const uint16_t f16[] = { 0xc000, 0xbc00, 0, 0x3c00, 0x4000 },
                          bf16[] = { 0xc000, 0xbf80, 0, 0x3f80, 0x4000 };
    enum { B = 4, D = 12 };
    const uint16_t *codes = strstr(c->insn, "_bf16") ? bf16 : f16;
    const bool wide = strncmp(c->insn, "v_swmmac_f32_", 13) == 0;
    const unsigned index = D + (wide ? 8 : 4);
    uint32_t state = 0x76895231 + c->sample;
    for (unsigned r = 0; r < index; r++)
        for (unsigned lane = 0; lane < DIGEST_LANES; lane++)
            if (wide && r >= D)
                out->word[r][lane] = small_f32(draw(&state));
            else
                fill_codes(&state, codes, 16, &out->word[r][lane]);
    fill_index(&state, out->word[index]);
    out->b = out->word[B];
    out->c = out->word[D];
    out->index = out->word[index];
}

/* "..._fp8_bf8": the formats of A and of B. */
static void fill_f8(const digest_case *c, digest_words *out)
{
    static const uint16_t fp8[] = { 0xc0, 0xb8, 0, 0x38, 0x40 }, bf8[] = { 0xc0, 0xbc, 0, 0x3c, 0x40 };
    enum { B = 2, D = 6, INDEX = 14 };
    const char *formats = strstr(c->insn, "_fp8_");
    formats = formats ? formats : strstr(c->insn, "_bf8_");
    const bool a_is_fp8 = formats && formats[1] == 'f', b_is_fp8 = formats && formats[5] == 'f';
    uint32_t state = 0x7381a593 + c->sample;
    for (unsigned r = 0; r < INDEX; r++)
        for (unsigned lane = 0; lane < DIGEST_LANES; lane++)
            if (r >= D)
                out->word[r][lane] = small_f32(draw(&state));
            else
                fill_codes(&state, (r < B ? a_is_fp8 : b_is_fp8) ? fp8 : bf8, 8, &out->word[r][lane]);
    fill_index(&state, out->word[INDEX]);
    out->b = out->word[B];
    out->c = out->word[D];
    out->index = out->word[INDEX];
}

void digest_generate(const digest_case *c, digest_words *out)
{
    static void (*const fill[])(const digest_case *, digest_words *) = {
        [DIGEST_INT] = fill_int, [DIGEST_F16] = fill_f16, [DIGEST_F8] = fill_f8
    };
    memset(out, 0, sizeof(*out));
    fill[c->generator](c, out);
    out->a = out->word[0];
    out->registers = (unsigned)(out->index - out->a) / DIGEST_LANES + 1;
}

uint64_t digest_of(const uint32_t *words, unsigned count)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (unsigned w = 0; w < count; w++)
        for (unsigned at = 0; at < 32; at += 8)
            hash = (hash ^ (words[w] >> at & 0xff)) * UINT64_C(1099511628211);
    return hash;
}

uint64_t digest_leading(const digest_case *c, const uint32_t *d, unsigned count)
{
    return digest_of(d, count) >> (64 - 4 * c->digits);
}

/* SPDX-License-Identifier: MIT */
/* Facts of conversions to 8 bits and fewer, from the words of their names. Formats: AMD CDNA3 and CDNA4 ISA
 * manuals. */
#include <string.h>

#include "emu/amdgpu/decode/facts.h"
#include "isa_tables/amdgpu/traits.h"

static const struct {
    const char *word;
    uint8_t number, fnuz; /* lw_number: OCP's; gfx942's */
} results[] = {
    { "fp8", LW_NUMBER_E4M3, LW_NUMBER_E4M3_FNUZ }, { "bf8", LW_NUMBER_E5M2, LW_NUMBER_E5M2_FNUZ },
    { "fp6", LW_NUMBER_E2M3, LW_NUMBER_E2M3 },      { "bf6", LW_NUMBER_E3M2, LW_NUMBER_E3M2 },
    { "fp4", LW_NUMBER_E2M1, LW_NUMBER_E2M1 },
};

static const struct {
    const char *word;
    uint8_t one, two; /* lw_number: if a register has one, if it has two */
} sources[] = {
    { "f32", LW_NUMBER_F32, LW_NUMBER_F32 },
    { "f16", LW_NUMBER_F16, LW_NUMBER_F16X2 },
    { "bf16", LW_NUMBER_BF16, LW_NUMBER_BF16X2 },
};

static const struct {
    const char *word;
    uint8_t numbers;
} counts[] = { { "pk", 2 }, { "pk8", 8 }, { "pk16", 16 }, { "pk32", 32 }, { "2xpk16", 32 } };

/* The words between underscores. Is the next one `word`? */
static bool is_word(const char *at, const char *word)
{
    const size_t size = strlen(word);
    return strncmp(at, word, size) == 0 && (at[size] == '_' || at[size] == '\0');
}

static const char *after_word(const char *at)
{
    const char *end = strchr(at, '_');
    return end ? end + 1 : "";
}

static lw_number result_of(lw_arch arch, const char *at)
{
    const bool fnuz = lw_amdgpu_traits_of(arch)->fp8_fnuz;
    for (size_t i = 0; i < sizeof(results) / sizeof(results[0]); i++)
        if (is_word(at, results[i].word))
            return (lw_number)(fnuz ? results[i].fnuz : results[i].number);
    return LW_NUMBER_NONE;
}

/* What the format is converted from; NONE: the instruction widens. */
static lw_number source_of(const char *at, unsigned numbers)
{
    for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]); i++)
        if (is_word(at, sources[i].word))
            return (lw_number)(numbers > 1 ? sources[i].two : sources[i].one);
    return LW_NUMBER_NONE;
}

void lw_decoded_narrow(lw_facts *f, lw_arch arch, const char *name)
{
    static const char begins[] = "v_cvt_";
    unsigned numbers = 1;
    bool scaled = false, random = false;
    if (strncmp(name, begins, sizeof(begins) - 1) != 0)
        return;
    for (const char *at = name + sizeof(begins) - 1; *at; at = after_word(at)) {
        const lw_number result = result_of(arch, at);
        const lw_number source = result ? source_of(after_word(at), numbers) : LW_NUMBER_NONE;
        scaled = scaled || is_word(at, "scalef32");
        random = random || is_word(at, "sr");
        for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
            numbers = is_word(at, counts[i].word) ? counts[i].numbers : numbers;
        if (!source)
            continue;
        f->number = result;
        f->source_number = source;
        f->narrows = (uint8_t)numbers;
        f->scaled = scaled;
        f->random = random;
        return;
    }
}

/* SPDX-License-Identifier: MIT */
/*
 * The decoder as a filter for the scripts in this folder.
 *   decode_words list ARCH   one line per instruction: encoding class, opcode, name
 *   decode_words ARCH        reads lines of hexadecimal dwords, writes "SIZE TEXT" or "-" for each
 *   decode_words facts ARCH  the same, and writes "CLASS HAZARD", what each counter is raised by, "SIZE
 * TEXT", with the numbers of lw_facts ARCH/64 means waves of 64 lanes where 32 are usual.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/amdgpu/decode/decoded.h"
#include "emu/amdgpu/decode/facts.h"
#include "isa_tables/amdgpu/rows.h"
#include "isa_tables/amdgpu/traits.h"

enum { MAX_WORDS = 4, LINE = 256 };

static int list_rows(lw_arch arch)
{
    static const char *const names[LW_ENC_COUNT] = { "sop1",  "sop2",   "sopc",    "sopk",   "sopp",
                                                     "smem",  "vop1",   "vop2",    "vopc",   "vop3",
                                                     "vop3p", "mai",    "ds",      "flat",   "mubuf",
                                                     "mtbuf", "tensor", "mimg",    "vimage", "vsample",
                                                     "exp",   "vintrp", "vinterp", "ldsdir" };
    for (int i = 0; i < LW_OP_COUNT; i++) {
        const lw_op_row *row = &lw_op_rows[i];
        if (lw_op_code(row, arch) >= 0)
            printf("%s %d %s %u %u\n", names[lw_op_enc(row, arch)], lw_op_code(row, arch),
                   lw_op_name(row, arch), (unsigned)lw_op_mods(row, arch), (unsigned)row->kind);
    }
    return 0;
}

static void print_facts(lw_arch arch, const lw_decoded *in)
{
    lw_fact_operand operands[LW_MAX_OPERANDS];
    const lw_facts f = lw_decoded_facts(arch, in, 0, operands);
    printf("%d %d ", (int)f.kind, (int)f.hazard);
    for (int i = 0; i < LW_COUNTER_COUNT; i++)
        printf("%u ", (unsigned)f.counters[i].raises);
}

static void decode_line(lw_arch arch, const lw_amdgpu_traits *traits, unsigned wave, const char *line,
                        bool facts)
{
    uint32_t words[MAX_WORDS];
    size_t count = 0;
    char *end = NULL;
    for (; count < MAX_WORDS; count++, line = end) {
        words[count] = (uint32_t)strtoul(line, &end, 16);
        if (end == line)
            break;
    }
    lw_decoded in;
    if (!count || lw_amdgpu_decode_as(arch, traits, wave, words, count, &in) != LW_OK) {
        puts("-");
        return;
    }
    char text[2 * LINE]; /* of a scaled matrix instruction with all modifiers: more than 256 */
    lw_amdgpu_text(arch, &in, text, sizeof(text));
    if (facts)
        print_facts(arch, &in);
    printf("%d %s\n", in.words * 4, text);
}

int main(int argc, char **argv)
{
    lw_arch arch = LW_ARCH_NONE;
    const bool facts = argc == 3 && strcmp(argv[1], "facts") == 0;
    const bool list = argc == 3 && strcmp(argv[1], "list") == 0;
    if (argc != 2 + (list || facts))
        return 2;
    char *name = argv[argc - 1], *wide = strstr(name, "/64");
    if (wide)
        *wide = '\0';
    if (lw_arch_find(name, &arch) != LW_OK)
        return 2;
    const lw_amdgpu_traits *traits = lw_amdgpu_traits_named(arch, name);
    const unsigned wave = wide ? 64 : traits->wave;
    if (list)
        return list_rows(arch);
    char line[LINE];
    while (fgets(line, sizeof(line), stdin))
        decode_line(arch, traits, wave, line, facts);
    return 0;
}

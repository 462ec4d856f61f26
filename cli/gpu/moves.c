/* SPDX-License-Identifier: MIT */
/* ldmatrix, stmatrix, movmatrix, wmma.load and wmma.store, on random bits in shared memory and registers. */
#include <string.h>

#include "cli/gpu/subject.h"
#include "cli/gpu/values.h"

enum { WARP = 32 };

/* Calls `visit` with the ways to write .x1 too. */
static int visit_counts(lw_arch arch, const char *text, subject_visit *visit, void *context)
{
    static const char *const counts[] = { ".x1", ".x2", ".x4" };
    const char *at = strstr(text, counts[0]);
    int exit = at ? 0 : matrix_spellings(arch, text, visit, context);
    for (size_t i = 0; at && i < CLI_COUNT(counts) && !exit; i++)
        for (int transposed = 0; transposed < 2 && !exit; transposed++) {
            char other[2 * SUBJECT_NAME];
            snprintf(other, sizeof(other), "%.*s%s%s%s", (int)(at - text), text, counts[i],
                     transposed ? ".trans" : "", at + strlen(counts[i]));
            if (!transposed || !strstr(text, ".trans"))
                exit = matrix_spellings(arch, other, visit, context);
        }
    return exit;
}

int moves_each(lw_arch arch, subject_visit *visit, void *context)
{
    int exit = 0;
    for (size_t i = 0; i < lw_insn_count(arch) && !exit; i++) {
        char text[SUBJECT_NAME];
        size_t length;
        lw_insn_info info;
        const lw_insn *insn = lw_insn_at(arch, i);
        if (lw_insn_get_info(arch, insn, &info) != LW_OK || !info.moves ||
            lw_insn_print(arch, insn, NULL, text, sizeof(text), &length) != LW_OK || length >= sizeof(text))
            continue;
        exit = visit_counts(arch, text, visit, context);
    }
    return exit;
}

bool moves_open(subject *s, lw_error *error)
{
    cli_wave *w = &s->wave;
    lw_operand_info registers = { .present = false };
    if (lw_insn_parse(s->arch, s->name, &w->insn, &w->mods, error) != LW_OK ||
        lw_insn_get_info(s->arch, w->insn, &w->info) != LW_OK)
        return false;
    for (int o = 0; o < LW_OPERAND_COUNT && w->info.moves; o++)
        if (w->info.operand[o].present &&
            lw_insn_operand(s->arch, w->insn, (lw_operand)o, &w->mods, &registers, error) != LW_OK)
            return false;
    if (!registers.registers || registers.registers >= MOVES_REGISTERS)
        return subject_fail(error, "no kernel is written for it");
    s->lanes = WARP;
    s->in_words = s->out_words = (MOVES_SHARED + MOVES_REGISTERS) * WARP;
    return code_ptx_moves(s, &registers, error);
}

void moves_fill(subject *s, uint64_t seed, uint64_t number, uint32_t *in)
{
    uint64_t state = values_state(seed, s->name, number);
    for (size_t i = 0; i < s->in_words; i++)
        in[i] = (uint32_t)values_next(&state);
}

void moves_explain(subject *s, const uint32_t *in, const uint32_t *got, const uint32_t *want, size_t word,
                   FILE *out)
{
    const bool shared = word < (size_t)MOVES_SHARED * s->lanes;
    const size_t at = shared ? word * 4 : word / s->lanes - MOVES_SHARED;
    fprintf(out, shared ? "    byte %zu of shared memory: " : "    register %zu of ", at);
    if (!shared)
        fprintf(out, "lane %zu: ", word % s->lanes);
    fprintf(out, "%08x before, %08x there, %08x here\n", in[word], got[word], want[word]);
}

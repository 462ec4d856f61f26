/* SPDX-License-Identifier: MIT */
/* Probes as subjects. One of random operands has as many cases as are asked for, others have one. */
#include <stdlib.h>
#include <string.h>

#include "cli/gpu/subject.h"

int probes_each(lw_arch arch, subject_visit *visit, void *context)
{
    int exit = 0;
    for (size_t i = 0; i < probe_count() && !exit; i++)
        if (probe_concerns(probe_at(i), arch))
            exit = visit(context, probe_at(i)->name);
    return exit;
}

static bool open_move(subject *s, lw_error *error)
{
    s->lanes = s->wave.lanes;
    s->in_words = wave_words(&s->wave, LW_OPERAND_A);
    s->out_words = wave_words(&s->wave, LW_OPERAND_D);
    return code_ptx_probe_move(s, probe_kernel(s->probe), error);
}

bool probes_open(subject *s, lw_error *error)
{
    s->probe = probe_find(s->name);
    if (!s->probe || !probe_concerns(s->probe, s->arch))
        return subject_fail(error, "there is no such probe for %s", lw_arch_get(s->arch)->name);
    s->one_case = s->probe->fill != PROBE_RANDOM;
    if (probe_open(s->probe, s->arch, &s->wave, error) != LW_OK)
        return false;
    return s->wave.info.moves ? open_move(s, error) : matrix_open_code(s, probe_kernel(s->probe), error);
}

void probes_fill(subject *s, uint64_t seed, uint64_t number, uint32_t *in)
{
    (void)seed;
    probe_set(s->probe, (unsigned)number, &s->wave);
    if (s->wave.info.moves)
        memcpy(in, s->wave.operand[LW_OPERAND_A].image, s->in_words * sizeof(*in));
    else
        matrix_store_images(&s->wave, in);
}

bool probes_expect(subject *s, const uint32_t *in, size_t cases, uint32_t *out, lw_error *error)
{
    if (!s->wave.info.moves) {
        s->undefined = !matrix_expect(s, in, cases, out, error);
        return !s->undefined;
    }
    for (size_t n = 0; n < cases; n++) {
        uint32_t *d = probe_predict_move(&s->wave, s->probe->insn);
        memcpy(out + n * s->out_words, d, s->out_words * sizeof(*d));
        free(d);
    }
    return true;
}

void probes_explain(subject *s, const uint32_t *in, const uint32_t *got, const uint32_t *want, size_t word,
                    FILE *out)
{
    if (s->wave.info.moves)
        fprintf(out, "    register %zu of lane %zu: %08x there, %08x here\n", word / s->lanes,
                word % s->lanes, got[word], want[word]);
    else
        matrix_explain(s, in, got, want, word, out);
}

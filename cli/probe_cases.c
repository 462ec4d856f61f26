/* SPDX-License-Identifier: MIT */
/* Probes as text for the machine with the GPU, and the emulator's own answers. */
#include <stdlib.h>
#include <string.h>

#include "cli/probe.h"

static const struct {
    lw_operand operand;
    const char *word;
} sources[] = {
    { LW_OPERAND_A, "a" },     { LW_OPERAND_B, "b" },        { LW_OPERAND_C, "c" },
    { LW_OPERAND_INDEX, "e" }, { LW_OPERAND_SCALE_A, "sa" }, { LW_OPERAND_SCALE_B, "sb" },
};

static void write_words(FILE *out, const char *name, const uint32_t *words, size_t count)
{
    fputs(name, out);
    for (size_t i = 0; i < count; i++)
        fprintf(out, " %x", (unsigned)words[i]);
    fputc('\n', out);
}

static int write_case(const cli_call *call, const probe *p, lw_arch arch, unsigned round, FILE *out)
{
    cli_wave wave;
    lw_error error = { "" };
    const lw_status st = probe_open(p, arch, round, &wave, &error);
    if (st == LW_OK) {
        fprintf(out, "case %s#%u %s %zu %s\n", p->name, round, lw_arch_get(arch)->name,
                wave_words(&wave, LW_OPERAND_D), probe_kernel(p));
        for (size_t i = 0; i < CLI_COUNT(sources); i++) {
            const lw_operand o = sources[i].operand == LW_OPERAND_C ? wave_c(&wave) : sources[i].operand;
            if (wave.operand[o].image)
                write_words(out, sources[i].word, wave.operand[o].image, wave_words(&wave, o));
        }
        fputs("end\n", out);
    }
    wave_close(&wave);
    return st == LW_OK ? CLI_FINE : cli_fail_status(call, p->name, st, &error);
}

int probe_write_cases(const cli_call *call, lw_arch arch, unsigned rounds, FILE *out)
{
    int exit = CLI_FINE;
    size_t cases = 0;
    fputs("# lanewise cases 1\n", out);
    for (size_t i = 0; i < probe_count() && exit == CLI_FINE; i++) {
        const probe *p = probe_at(i);
        if (!probe_concerns(p, arch))
            continue;
        const unsigned times = p->fill == PROBE_RANDOM ? rounds : 1;
        for (unsigned round = 0; round < times && exit == CLI_FINE; round++, cases++)
            exit = write_case(call, p, arch, round, out);
    }
    if (exit == CLI_FINE && !cases)
        return cli_fail(call, CLI_FAULT, "no probe is for %s", lw_arch_get(arch)->name);
    return exit;
}

int probe_next_line(const cli_call *call, const char *path, FILE *file, char **line, size_t *size, bool *more)
{
    enum { LONGEST = 1 << 22 };
    size_t used = 0;
    int c;
    for (; (c = fgetc(file)) != EOF && c != '\n'; (*line)[used++] = (char)c) {
        if (c == '\0' || used == LONGEST)
            return cli_fail(call, CLI_USAGE, "%s: not a file of results: %s", path,
                            c ? "a line has more than 4194304 characters" : "it holds a zero byte");
        if (used + 2 > *size) {
            *size = 2 * *size + 4096;
            *line = cli_grow(*line, *size);
        }
    }
    *more = c != EOF || used > 0;
    if (!*line)
        *line = cli_grow(NULL, *size = 1);
    (*line)[used] = '\0';
    return CLI_FINE;
}

static int answer_case(const cli_call *call, const char *line, const char *const *readings, size_t count,
                       FILE *out)
{
    char name[PROBE_NAME_SIZE], arch_name[16];
    unsigned round;
    lw_arch arch;
    cli_wave wave;
    lw_error error = { "" };
    if (sscanf(line, "case %63s %15s", name, arch_name) != 2 || lw_arch_find(arch_name, &arch) != LW_OK)
        return cli_fail(call, CLI_USAGE, "not a case: '%s'", line);
    const probe *p = probe_find(name, &round);
    if (!p)
        return cli_fail(call, CLI_USAGE, "%s: no such probe", name);
    lw_status st = probe_open(p, arch, round, &wave, &error);
    if (st == LW_OK) {
        uint32_t *d;
        if (wave.info.moves) {
            d = probe_predict_move(&wave, p->insn);
        } else {
            d = cli_alloc(wave_words(&wave, LW_OPERAND_D) * sizeof(*d));
            st = wave_execute(&wave, readings, count, d, &error);
        }
        fprintf(out, "result %s %s\n", name, arch_name);
        if (st == LW_OK)
            write_words(out, "d", d, wave_words(&wave, LW_OPERAND_D));
        else
            fprintf(out, "# %s\nnone\n", error.text);
        free(d);
    }
    wave_close(&wave);
    return CLI_FINE;
}

int probe_answer(const cli_call *call, const char *path, FILE *cases, const char *const *readings,
                 size_t reading_count, FILE *out)
{
    char *line = NULL;
    size_t size = 0;
    bool more = false;
    fputs("# lanewise results 1\n# device: none, answered by the emulator\n", out);
    int exit = probe_next_line(call, path, cases, &line, &size, &more);
    while (exit == CLI_FINE && more) {
        if (!strncmp(line, "case ", 5))
            exit = answer_case(call, line, readings, reading_count, out);
        if (exit == CLI_FINE)
            exit = probe_next_line(call, path, cases, &line, &size, &more);
    }
    free(line);
    return exit;
}

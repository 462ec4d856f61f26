/* SPDX-License-Identifier: MIT */
/* What each reading predicts for a probe. */
#include <stdlib.h>
#include <string.h>

#include "cli/probe.h"

static uint32_t *predict(const cli_wave *wave, const char *reading)
{
    const size_t words = wave_words(wave, LW_OPERAND_D);
    uint32_t *d = cli_alloc(words * sizeof(*d));
    if (wave_execute(wave, &reading, reading ? 1 : 0, d, NULL) == LW_OK)
        return d;
    free(d);
    return NULL;
}

static uint32_t *copy_image(const cli_wave *wave, lw_operand operand)
{
    const size_t bytes = wave_words(wave, operand) * sizeof(uint32_t);
    uint32_t *copy = cli_alloc(bytes);
    memcpy(copy, wave->operand[operand].image, bytes);
    return copy;
}

/* The default's D (zeros if there is none) with D(0,0) set. */
static uint32_t *predict_code(const cli_wave *wave, const uint32_t *by_default, const char *code)
{
    cli_wave other = *wave;
    uint32_t *d = copy_image(wave, LW_OPERAND_D);
    if (by_default)
        memcpy(d, by_default, wave_words(wave, LW_OPERAND_D) * sizeof(*d));
    other.operand[LW_OPERAND_D].image = d;
    wave_put(&other, LW_OPERAND_D, 0, 0, strtoull(code, NULL, 16));
    return d;
}

static uint32_t *predict_insn(const cli_wave *wave, const char *insn)
{
    cli_wave other;
    uint32_t *d = NULL;
    if (wave_open(wave->arch, insn, wave->lanes, &other, NULL) == LW_OK) {
        for (int o = 0; o < LW_OPERAND_COUNT; o++)
            if (wave_words(wave, (lw_operand)o) == wave_words(&other, (lw_operand)o) &&
                other.operand[o].image)
                memcpy(other.operand[o].image, wave->operand[o].image,
                       wave_words(wave, (lw_operand)o) * sizeof(uint32_t));
        d = predict(&other, NULL);
    }
    wave_close(&other);
    return d;
}

static uint32_t *predict_swapped(const cli_wave *wave)
{
    cli_wave other = *wave;
    uint32_t *index = copy_image(wave, LW_OPERAND_INDEX);
    for (size_t i = 0; i < wave_words(wave, LW_OPERAND_INDEX); i++)
        index[i] = wave->operand[LW_OPERAND_INDEX].image[i ^ 1];
    other.operand[LW_OPERAND_INDEX].image = index;
    uint32_t *d = predict(&other, NULL);
    free(index);
    return d;
}

/* The readings of the probe's topic that affect its instruction. */
static size_t add_readings(const probe *p, const cli_wave *wave, probe_reading *readings)
{
    size_t count = 0;
    const lw_reading *info;
    for (size_t i = 0; p->topic && (info = lw_reading_at(i)) != NULL; i++) {
        if (strcmp(info->topic, p->topic) != 0 || !lw_reading_concerns(wave->arch, wave->insn, info))
            continue;
        probe_reading *r = &readings[count++];
        snprintf(r->name, sizeof(r->name), "%s:%s", info->topic, info->name);
        r->is_default = info->is_default;
        r->d = predict(wave, r->name);
        if (count + PROBE_MAX_GUESSES == PROBE_MAX_READINGS)
            break;
    }
    return count;
}

size_t probe_readings(const probe *p, const cli_wave *wave, probe_reading readings[PROBE_MAX_READINGS])
{
    size_t count = add_readings(p, wave, readings);
    if (count == 0) {
        readings[0] = (probe_reading){ .name = "as computed here", .is_default = true };
        readings[count++].d = wave->info.moves ? probe_predict_move(wave, p->insn) : predict(wave, NULL);
    }
    const uint32_t *by_default = readings[0].d;
    for (size_t i = 0; i < PROBE_MAX_GUESSES && p->guess[i].says; i++) {
        const probe_guess *g = &p->guess[i];
        probe_reading *r = &readings[count++];
        r->is_default = false;
        snprintf(r->name, sizeof(r->name), "%s", g->says);
        r->d = g->swap   ? predict_swapped(wave)
               : g->insn ? predict_insn(wave, g->insn)
                         : predict_code(wave, by_default, g->d);
    }
    return count;
}

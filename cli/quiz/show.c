/* SPDX-License-Identifier: MIT */
/* Explanations: the library's own grid, tile and steps. */
#include <stdio.h>
#include <string.h>

#include <lanewise/convert.h>

#include "cli/quiz/quiz.h"

static lw_status add(void *text, const char *bytes, size_t size)
{
    debug_add(text, bytes, size);
    return LW_OK;
}

/* The layout's grid with only the row, or the register, that is asked for; large matrices as sentences. */
static void show_layout(const quiz_question *q, bool colour, unsigned columns, debug_text *text)
{
    lw_layout_print_options show = lw_layout_print_options_default();
    show.colour = colour;
    show.columns = (uint16_t)columns;
    show.block = q->shown.blocks > 1 ? q->at.block : -1;
    if (q->kind == QUIZ_PLACE) {
        show.x = q->at.x;
    } else if (q->kind == QUIZ_REGISTERS) {
        show.lane = q->at.lane;
    } else {
        show.lane = q->at.lane;
        show.reg = q->at.reg;
    }
    lw_layout_print(q->layout, LW_LAYOUT_GRID, &show, add, text, NULL);
}

/* The first rows of a tile: positions in memory; long rows are cut. */
static void show_tile(const lw_tile *tile, debug_text *text)
{
    enum { LINES = 17, WIDTH = 100 };
    debug_text all = { 0 };
    if (lw_tile_print(tile, LW_LAYOUT_GRID, add, &all, NULL) == LW_OK) {
        const char *at = debug_text_of(&all);
        for (int i = 0; i < LINES && *at; i++) {
            const size_t length = strcspn(at, "\n");
            debug_say(text, "%.*s%s\n", (int)(length < WIDTH ? length : WIDTH), at,
                      length < WIDTH ? "" : " ..");
            at += length + (at[length] == '\n');
        }
        if (*at)
            debug_say(text, "  ..\n");
    }
    debug_text_free(&all);
}

static void show_turns(debug_text *text, const char *name, const lw_bank_turns *turns)
{
    debug_say(text, "%s: %llu phases take %llu turns, the worst %u\n", name,
              (unsigned long long)turns->phases, (unsigned long long)turns->turns, turns->degree);
}

/* The lanes of the first access whose bytes are in one bank, in the phase where most of them meet: a line per
 * bank. */
static void show_meetings(const quiz_question *q, const lw_bank_rule *rule, debug_text *text)
{
    enum { LINES = 8 };
    lw_bank_access lanes[LW_BANK_LANES];
    lw_tile *tile = NULL;
    size_t asked = 0;
    unsigned met[LW_BANK_LANES][LW_BANK_LANES] = { { 0 } }, phase = 0, worst = 0, most = 0, lines = 0;
    if (lw_tile_create_plain(q->rows, q->cols, q->shown.width, q->by_columns, &tile, NULL) != LW_OK ||
        lw_tile_list_access(tile, q->layout, q->access, 0, lanes, LW_BANK_LANES, &asked, NULL) != LW_OK)
        asked = 0;
    lw_tile_free(tile);
    for (size_t i = 0; i < asked && lw_bank_phase(rule, lanes[i].lane, &phase) == LW_OK; i++) {
        const unsigned count = ++met[phase % LW_BANK_LANES][lanes[i].address / 4 % rule->banks];
        worst = count > most ? phase : worst;
        most = count > most ? count : most;
    }
    for (unsigned bank = 0; bank < rule->banks && most; bank++) {
        if (!met[worst][bank] || lines++ > LINES)
            continue;
        if (lines > LINES) {
            debug_say(text, "  ..\n");
            continue;
        }
        debug_say(text, "phase %u, bank %2u: lanes", worst, bank);
        for (size_t i = 0; i < asked; i++)
            if (lw_bank_phase(rule, lanes[i].lane, &phase) == LW_OK && phase == worst &&
                lanes[i].address / 4 % rule->banks == bank)
                debug_say(text, " %u", lanes[i].lane);
        debug_say(text, "\n");
    }
}

static void show_banks(const quiz_question *q, debug_text *text)
{
    const lw_bank_rule *rule;
    lw_tile *tile = NULL;
    const bool known = lw_bank_rule_find(q->arch, false, q->access, &rule, NULL) == LW_OK;
    if (known)
        debug_say(text, "%u banks of four bytes serve %u lanes in %u phases. Evidence: %s, %s.\n",
                  rule->banks, rule->lanes, rule->phases, lw_label_name(rule->evidence), rule->source);
    show_turns(text, "as stored", &q->repair.plain);
    if (known)
        show_meetings(q, rule, text);
    if (!q->repair.swizzled)
        return;
    show_turns(text, q->kind == QUIZ_SWIZZLE ? q->answer : "with the best swizzle", &q->repair.swizzle);
    if (q->kind == QUIZ_SWIZZLE && quiz_read_tile(q, q->answer, &tile, NULL) == LW_OK)
        show_tile(tile, text);
    lw_tile_free(tile);
}

/* The steps of a group, kept back until one of its products is not zero. */
typedef struct steps {
    const quiz_sum *sum;
    debug_text *text, group;
    int number;
    bool counts;
} steps;

static void flush_group(steps *s)
{
    if (s->counts)
        debug_add(s->text, debug_text_of(&s->group), strlen(debug_text_of(&s->group)));
    debug_text_clear(&s->group);
    s->counts = false;
}

/* Whether a product is one of those that the question names; the others are products of zeros. */
static bool is_named(const quiz_sum *sum, int k)
{
    for (unsigned i = 0; i < sum->count; i++)
        if ((int)sum->k[i] == k)
            return true;
    return false;
}

static lw_status add_step(void *context, const lw_mma_explain_row *row)
{
    steps *s = context;
    const bool product = row->kind == LW_MMA_EXPLAIN_PRODUCT;
    if (row->group != s->number)
        flush_group(s);
    s->number = row->group;
    if (product && !is_named(s->sum, row->k))
        return LW_OK;
    s->counts = s->counts || product || row->group < 0;
    debug_say(&s->group, "%s\n", row->text);
    return LW_OK;
}

static void show_sum(const quiz_question *q, debug_text *text)
{
    quiz_question again = *q;
    steps s = { .sum = &q->sum, .text = text, .number = -1 };
    char value[64];
    quiz_compute(&again, add_step, &s);
    flush_group(&s);
    debug_text_free(&s.group);
    if (lw_mma_decode(q->sum.shape.d_format, q->sum.d, value, sizeof(value)) == LW_OK)
        debug_say(text, "%s is %s. Evidence: %s.\n", q->answer, value, lw_label_name(q->sum.evidence));
}

void quiz_explain(const quiz_question *q, bool colour, unsigned columns, debug_text *text)
{
    if (q->kind == QUIZ_BITS)
        show_sum(q, text);
    else if (q->kind == QUIZ_TURNS || q->kind == QUIZ_SWIZZLE)
        show_banks(q, text);
    else
        show_layout(q, colour, columns, text);
}

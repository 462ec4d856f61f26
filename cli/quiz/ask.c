/* SPDX-License-Identifier: MIT */
/* Making questions. Each number in them comes from the seed, each answer from the library. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/quiz/quiz.h"
#include "cli/quiz/sum.h"

const char *const quiz_kind_names[QUIZ_KINDS] = {
    "registers", "place", "holds", "operands", "turns", "swizzle", "bits",
};

/* The kinds of a level, in the order in which they are asked. */
static const quiz_kind kinds[QUIZ_LEVELS][5] = {
    { QUIZ_PLACE, QUIZ_HOLDS, QUIZ_REGISTERS, QUIZ_BITS, QUIZ_PLACE },
    { QUIZ_PLACE, QUIZ_HOLDS, QUIZ_OPERANDS, QUIZ_TURNS, QUIZ_BITS },
    { QUIZ_SWIZZLE, QUIZ_PLACE, QUIZ_BITS, QUIZ_HOLDS, QUIZ_OPERANDS },
};

uint64_t quiz_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

uint32_t quiz_below(uint64_t *state, uint32_t limit)
{
    return (uint32_t)((quiz_random(state) >> 32) * limit >> 32);
}

static lw_arch pick_arch(uint64_t *state)
{
    for (;;) {
        const lw_arch arch = (lw_arch)(LW_ARCH_NONE + 1 + quiz_below(state, LW_ARCH_COUNT - 1));
        if (lw_arch_get(arch)->has_matrix && lw_insn_count(arch))
            return arch;
    }
}

/* Level 1: dense, one block, f32 or i32 results. Level 2: dense. Level 3: all that compute. */
static bool suits(const quiz_question *q)
{
    const lw_insn_info *info = &q->info;
    if (info->moves || !info->operand[LW_OPERAND_D].present)
        return false;
    if (q->level == 3)
        return true;
    if (info->sparse || info->scaled || info->operand[LW_OPERAND_A].element_bits == 0)
        return false;
    return q->level == 2 || (info->blocks == 1 && info->operand[LW_OPERAND_D].element_bits == 32 &&
                             info->m <= 32 && info->n <= 32);
}

/* A, B, D, and at level 3 index and scales; nothing of which the layout is unknown. At level 1 places are
 * those of whole registers. */
static bool pick_operand(uint64_t *state, quiz_question *q)
{
    static const lw_operand choice[] = { LW_OPERAND_A,     LW_OPERAND_B,       LW_OPERAND_D,
                                         LW_OPERAND_INDEX, LW_OPERAND_SCALE_A, LW_OPERAND_SCALE_B };
    q->operand = choice[quiz_below(state, q->level == 3 ? CLI_COUNT(choice) : 3)];
    if (q->level == 1 && q->kind != QUIZ_REGISTERS)
        q->operand = LW_OPERAND_D;
    return q->info.operand[q->operand].present && q->info.operand[q->operand].registers > 0 &&
           lw_layout_create(q->arch, q->insn, q->operand, 0, NULL, &q->layout, NULL) == LW_OK &&
           lw_layout_get_info(q->layout, &q->shown) == LW_OK && q->shown.evidence != LW_LABEL_UNKNOWN;
}

static bool pick_entry(uint64_t *state, quiz_question *q)
{
    size_t count = 0;
    lw_layout_entries(q->layout, NULL, 0, &count);
    if (!count)
        return false;
    lw_layout_entry *entries = cli_alloc(count * sizeof(*entries));
    const bool fine = lw_layout_entries(q->layout, entries, count, &count) == LW_OK;
    q->at = entries[quiz_below(state, (uint32_t)count)];
    free(entries);
    return fine;
}

static void write_command(quiz_question *q, const char *filter)
{
    snprintf(q->command, sizeof(q->command), "lanewise layout %s --arch %s --operand %s %s", q->info.mnemonic,
             lw_arch_get(q->arch)->name, lw_operand_name(q->operand), filter);
}

/* "A[i=3][k=5] of v_mfma_.. on gfx942" */
static void write_element(const quiz_question *q, char *text, size_t size)
{
    char block[32] = "";
    if (q->shown.blocks > 1)
        snprintf(block, sizeof(block), "[block %u]", q->at.block);
    snprintf(text, size, "%s%s[%s=%u][%s=%u]", lw_operand_name(q->operand), block, q->shown.x_name, q->at.x,
             q->shown.y_name, q->at.y);
}

static bool ask_registers(uint64_t *state, quiz_question *q)
{
    if (!pick_operand(state, q) || !pick_entry(state, q))
        return false;
    q->number = q->shown.registers;
    snprintf(q->text, sizeof(q->text),
             "%s of %s on %s is %u x %u elements of %s. How many 32-bit registers of each of %u lanes does "
             "it take?",
             lw_operand_name(q->operand), q->info.mnemonic, lw_arch_get(q->arch)->name, q->shown.x_count,
             q->shown.y_count, q->shown.format, q->shown.wave);
    snprintf(q->form, sizeof(q->form), "a number");
    snprintf(q->answer, sizeof(q->answer), "%u", q->shown.registers);
    write_command(q, "--lane 0");
    return true;
}

static bool ask_place(uint64_t *state, quiz_question *q)
{
    char element[128], filter[64], block[32] = "";
    if (!pick_operand(state, q) || !pick_entry(state, q) ||
        lw_layout_places(q->layout, q->at.block, q->at.x, q->at.y, q->held, QUIZ_ELEMENTS, &q->held_count) !=
            LW_OK ||
        q->held_count > QUIZ_ELEMENTS)
        return false;
    q->at = q->held[0];
    const bool whole = q->shown.width % 32 == 0;
    write_element(q, element, sizeof(element));
    snprintf(q->text, sizeof(q->text), "Which lane and register%s hold %s of %s on %s?%s",
             whole ? "" : ", and which bits,", element, q->info.mnemonic, lw_arch_get(q->arch)->name,
             q->held_count > 1 ? " It has several copies; one is enough." : "");
    snprintf(q->form, sizeof(q->form),
             whole ? "\"lane 12 register 1\", or short: 12:v1, v1{12}"
                   : "\"lane 12 register 1 bits 15:0\", or short: 12:v1 15:0, v1{12}.[15:0]");
    if (whole)
        snprintf(q->answer, sizeof(q->answer), "lane %u register %u", q->at.lane, q->at.reg);
    else
        snprintf(q->answer, sizeof(q->answer), "lane %u register %u bits %u:%u", q->at.lane, q->at.reg,
                 q->at.msb, q->at.lsb);
    if (q->shown.blocks > 1)
        snprintf(block, sizeof(block), " --block %u", q->at.block);
    snprintf(filter, sizeof(filter), "--element %u,%u%s", q->at.x, q->at.y, block);
    write_command(q, filter);
    return true;
}

void quiz_write_elements(const quiz_question *q, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < q->held_count && used < size; i++) {
        const lw_layout_entry *e = &q->held[i];
        char block[32] = "";
        if (q->shown.blocks > 1)
            snprintf(block, sizeof(block), "[block %u]", e->block);
        used += (size_t)snprintf(text + used, size - used, "%s%s%s[%u][%u]", i ? " " : "",
                                 lw_operand_name(q->operand), block, e->x, e->y);
    }
}

static bool ask_holds(uint64_t *state, quiz_question *q)
{
    char filter[64];
    if (!pick_operand(state, q) || !pick_entry(state, q) ||
        lw_layout_elements(q->layout, q->at.lane, q->at.reg, q->held, QUIZ_ELEMENTS, &q->held_count) !=
            LW_OK ||
        !q->held_count || q->held_count > 8)
        return false;
    snprintf(q->text, sizeof(q->text), "What does lane %u hold in register %u of %s of %s on %s?%s",
             q->at.lane, q->at.reg, lw_operand_name(q->operand), q->info.mnemonic, lw_arch_get(q->arch)->name,
             q->held_count > 1 ? " Name all elements." : "");
    const char *const name = lw_operand_name(q->operand);
    if (q->shown.blocks > 1)
        snprintf(q->form, sizeof(q->form), "\"%s[block 1][3][5] ..\": block, %s, %s", name, q->shown.x_name,
                 q->shown.y_name);
    else
        snprintf(q->form, sizeof(q->form), "\"%s[3][5]%s\": %s, %s; or short: 3,5", name,
                 q->held_count > 1 ? " .." : "", q->shown.x_name, q->shown.y_name);
    quiz_write_elements(q, q->answer, sizeof(q->answer));
    snprintf(filter, sizeof(filter), "--lane %u --register %u", q->at.lane, q->at.reg);
    write_command(q, filter);
    return true;
}

/* Whether operand `o` has the element of q->at in its place: 1, 0, or -1 where there is no such element. */
static int has_entry(const quiz_question *q, lw_operand o)
{
    lw_layout *layout = NULL;
    lw_layout_entry places[QUIZ_ELEMENTS];
    size_t count = 0;
    int has = -1;
    if (!q->info.operand[o].present || !q->info.operand[o].registers ||
        lw_layout_create(q->arch, q->insn, o, 0, NULL, &layout, NULL) != LW_OK)
        return -1;
    if (lw_layout_places(layout, q->at.block, q->at.x, q->at.y, places, QUIZ_ELEMENTS, &count) == LW_OK &&
        count <= QUIZ_ELEMENTS) {
        has = 0;
        for (size_t i = 0; i < count; i++)
            has |= places[i].lane == q->at.lane && places[i].reg == q->at.reg && places[i].lsb == q->at.lsb;
    }
    lw_layout_free(layout);
    return has;
}

static bool ask_operands(uint64_t *state, quiz_question *q)
{
    static const lw_operand asked[] = { LW_OPERAND_A, LW_OPERAND_B, LW_OPERAND_D };
    char block[32] = "";
    if (!pick_operand(state, q) || q->operand > LW_OPERAND_D || !pick_entry(state, q))
        return false;
    for (size_t i = 0; i < CLI_COUNT(asked); i++) {
        const int has = has_entry(q, asked[i]);
        if (has < 0)
            return false;
        q->operands |= has ? 1u << asked[i] : 0;
        if (has)
            snprintf(q->answer + strlen(q->answer), 8, "%s%s", q->answer[0] ? " " : "",
                     lw_operand_name(asked[i]));
    }
    if (q->shown.blocks > 1)
        snprintf(block, sizeof(block), " of block %u", q->at.block);
    snprintf(q->text, sizeof(q->text),
             "%s on %s: which of the operands A, B and D begin their element [%u][%u]%s%s in lane %u, "
             "register %u, bit %u? Name all.",
             q->info.mnemonic, lw_arch_get(q->arch)->name, q->at.x, q->at.y, block,
             q->info.sparse ? " (of A: stored k)" : "", q->at.lane, q->at.reg, q->at.lsb);
    snprintf(q->form, sizeof(q->form), "\"A\", or \"A D\"");
    snprintf(block, sizeof(block), "--lane %u", q->at.lane);
    q->operand = LW_OPERAND_COUNT;
    for (size_t i = CLI_COUNT(asked); i-- > 0;)
        q->operand = q->operands & 1u << asked[i] ? asked[i] : q->operand;
    lw_layout_free(q->layout);
    q->layout = NULL;
    if (lw_layout_create(q->arch, q->insn, q->operand, 0, NULL, &q->layout, NULL) != LW_OK)
        return false;
    snprintf(q->command, sizeof(q->command), "lanewise layout %s --arch %s --operand all %s",
             q->info.mnemonic, lw_arch_get(q->arch)->name, block);
    return lw_layout_get_info(q->layout, &q->shown) == LW_OK;
}

static bool ask_tile(uint64_t *state, quiz_question *q)
{
    static const uint32_t sizes[] = { 32, 64, 128 };
    q->rows = sizes[quiz_below(state, 2)];
    q->cols = sizes[quiz_below(state, 3)];
    q->access = 4u << quiz_below(state, 3);
    if (!pick_operand(state, q) || q->operand > LW_OPERAND_B || q->shown.blocks > 1 ||
        lw_tile_find_repair(q->layout, q->rows, q->cols, q->access, false, &q->repair, NULL) != LW_OK ||
        q->repair.plain.degree < 2)
        return false;
    const bool columns = q->by_columns = q->repair.text[0] && strstr(q->repair.text, "order = [0, 1]");
    const bool swizzle = q->kind == QUIZ_SWIZZLE;
    if (swizzle && !q->repair.swizzled)
        return false;
    q->number = q->repair.plain.degree;
    snprintf(
        q->text, sizeof(q->text),
        "The %u lanes of a wave on %s load operand %s of %s from a tile of %u x %u elements of %s in "
        "%s, stored %s after %s without padding, b%u (%u bytes) at a time. %s",
        q->shown.wave, lw_arch_get(q->arch)->name, lw_operand_name(q->operand), q->info.mnemonic, q->rows,
        q->cols, q->shown.format, lw_arch_get(q->arch)->vendor[0] == 'A' ? "LDS" : "shared memory",
        columns ? "column" : "row", columns ? "column" : "row", q->access * 8, q->access,
        swizzle ? "Which swizzle leaves the fewest turns?"
                : "How many turns does the worst phase of such a load take (1 where nothing conflicts)?");
    snprintf(q->form, sizeof(q->form),
             swizzle ? "\"Swizzle<3,3,3>\" (of elements), SWIZZLE_128B, #ttg.swizzled_shared<..>, a padded "
                       "layout such as \"(64,64):(72,1)\", or \"offset = 64*row + (col ^ row%%8*8)\""
                     : "a number, or \"4-way\"");
    if (swizzle)
        snprintf(q->answer, sizeof(q->answer), "%.*s", (int)strcspn(q->repair.text, "\n"), q->repair.text);
    else
        snprintf(q->answer, sizeof(q->answer), "%u", q->repair.plain.degree);
    char filter[64];
    snprintf(filter, sizeof(filter), "--banks b%u --shape %ux%u", q->access * 8, q->rows, q->cols);
    write_command(q, filter);
    return !swizzle || quiz_judge(q, q->answer, filter, sizeof(filter)) == QUIZ_RIGHT;
}

static bool ask_kind(uint64_t *state, quiz_question *q)
{
    switch (q->kind) {
    case QUIZ_REGISTERS:
        return ask_registers(state, q);
    case QUIZ_PLACE:
        return ask_place(state, q);
    case QUIZ_HOLDS:
        return ask_holds(state, q);
    case QUIZ_OPERANDS:
        return ask_operands(state, q);
    case QUIZ_TURNS:
    case QUIZ_SWIZZLE:
        return ask_tile(state, q);
    default:
        return quiz_ask_sum(state, q);
    }
}

/* Tries to make a question of a kind; `tries` times, of instructions that the state chooses. */
static bool try_kind(uint64_t *state, lw_arch arch, unsigned level, quiz_kind kind, bool thorough, int tries,
                     quiz_question *q)
{
    for (int i = 0; i < tries; i++) {
        *q = (quiz_question){ .kind = kind, .level = level, .thorough = thorough };
        q->arch = arch != LW_ARCH_NONE ? arch : pick_arch(state);
        if (!lw_insn_count(q->arch))
            return false;
        q->insn = lw_insn_at(q->arch, quiz_below(state, (uint32_t)lw_insn_count(q->arch)));
        if (lw_insn_get_info(q->arch, q->insn, &q->info) == LW_OK && suits(q) && ask_kind(state, q))
            return true;
        quiz_free(q);
    }
    return false;
}

bool quiz_ask(lw_arch arch, unsigned level, uint64_t seed, unsigned index, quiz_question *q)
{
    enum { TRIES = 2000, THOROUGH_TRIES = 200, KINDS = CLI_COUNT(kinds[0]) };
    uint64_t state = seed;
    state = quiz_random(&state) ^ (uint64_t)level << 56 ^ (uint64_t)index << 40;
    for (unsigned kind = 0; kind < KINDS; kind++)
        if (try_kind(&state, arch, level, kinds[level - 1][(index + kind) % KINDS], false, TRIES, q))
            return true;
    /* Whether there is a question does not depend on the seed: sums are found if there are any. */
    return try_kind(&state, arch, level, QUIZ_BITS, true, THOROUGH_TRIES, q);
}

void quiz_free(quiz_question *q)
{
    lw_layout_free(q->layout);
    q->layout = NULL;
}

/* SPDX-License-Identifier: MIT */
/* Registers as the matrices that instructions see: the library's layouts say which element is where. */
#include <stdlib.h>
#include <string.h>

#include <lanewise/mma.h>

#include "cli/debug/value.h"

enum { COLUMNS = 16, WORD = 256 };

/* Word `word` of an operand in every lane. */
typedef bool (*words_fn)(void *context, unsigned word, uint32_t values[LW_MAX_LANES]);

void debug_tile_free(debug_tile *t)
{
    free(t->codes);
    free(t->known);
    *t = (debug_tile){ .codes = NULL };
}

void debug_tile_value(const debug_tile *t, size_t at, char text[DEBUG_VALUE])
{
    if (!t->known[at])
        snprintf(text, DEBUG_VALUE, "?");
    else if (!t->format[0] || lw_mma_decode(t->format, t->codes[at], text, DEBUG_VALUE) != LW_OK)
        snprintf(text, DEBUG_VALUE, "%llx", (unsigned long long)t->codes[at]);
}

/* The format of an operand's numbers; "" for scales and indices, whose codes are shown. */
static void find_format(lw_arch arch, const lw_insn *insn, const lw_mods *mods, lw_operand operand,
                        char format[32])
{
    lw_mma *mma = NULL;
    lw_mma_shape shape = { 0 };
    lw_mma_options options = { .struct_size = sizeof(options), .mods = mods };
    format[0] = '\0';
    if (lw_mma_create(arch, insn, &options, &mma, NULL) != LW_OK || lw_mma_get_shape(mma, &shape) != LW_OK)
        return;
    const char *const formats[LW_OPERAND_COUNT] = { [LW_OPERAND_A] = shape.a_format,
                                                    [LW_OPERAND_B] = shape.b_format,
                                                    [LW_OPERAND_C] = shape.c_format,
                                                    [LW_OPERAND_D] = shape.d_format };
    if (formats[operand])
        snprintf(format, 32, "%s", formats[operand]);
    lw_mma_free(mma);
}

static void take_bits(uint64_t *code, unsigned *filled, const uint32_t *words, const lw_layout_entry *e)
{
    for (unsigned bit = e->lsb; bit <= e->msb; bit++, ++*filled)
        *code |= (uint64_t)(words[(e->reg + bit / 32) * LW_MAX_LANES + e->lane] >> bit % 32 & 1) << *filled;
}

/* Fills the tile from the operand's words. */
static bool fill(debug_tile *t, const lw_layout *layout, words_fn words, void *context, unsigned from_word)
{
    size_t count = 0;
    const size_t elements = (size_t)t->info.x_count * t->info.y_count * t->info.blocks;
    lw_layout_entries(layout, NULL, 0, &count);
    lw_layout_entry *entries = cli_alloc((count + 1) * sizeof(*entries));
    uint32_t *all = cli_alloc(((size_t)t->info.registers + 2) * LW_MAX_LANES * sizeof(*all));
    bool good = lw_layout_entries(layout, entries, count, &count) == LW_OK && count;
    for (unsigned w = 0; good && w < t->info.registers; w++)
        good = words(context, from_word + w, all + (size_t)w * LW_MAX_LANES);
    t->codes = cli_alloc(elements * sizeof(*t->codes));
    t->known = cli_alloc(elements);
    for (size_t i = 0; good && i < count; i++) {
        const lw_layout_entry *e = &entries[i];
        const size_t at = ((size_t)e->block * t->info.x_count + e->x) * t->info.y_count + e->y;
        unsigned filled = 0;
        t->codes[at] = 0;
        t->known[at] = 1;
        take_bits(&t->codes[at], &filled, all, e);
    }
    free(all);
    free(entries);
    return good;
}

static bool make(debugger *d, const lw_insn *insn, const lw_mods *mods, lw_operand operand, words_fn words,
                 void *context, unsigned group, debug_tile *t, debug_text *why)
{
    lw_error error = { "" };
    lw_layout *layout = NULL;
    const lw_arch arch = lw_program_arch(d->job->program);
    *t = (debug_tile){ .codes = NULL };
    if (lw_layout_create(arch, insn, operand, 0, mods, &layout, &error) != LW_OK) {
        if (why)
            debug_say(why, "%s", error.text);
        return false;
    }
    lw_layout_get_info(layout, &t->info);
    find_format(arch, insn, mods, operand, t->format);
    const bool grouped = operand == LW_OPERAND_B || operand == LW_OPERAND_C || operand == LW_OPERAND_D;
    t->from_col = grouped ? group * t->info.y_count : 0;
    const bool good = fill(t, layout, words, context, grouped ? group * t->info.registers : 0);
    lw_layout_free(layout);
    if (!good) {
        debug_tile_free(t);
        if (why)
            debug_say(why, "the operand is not in registers");
    }
    return good;
}

/* ---- The next instruction ---- */

typedef struct here {
    const lw_event *event;
    lw_matrix_event matrix;
    lw_operand operand;
} here;

static bool words_here(void *context, unsigned word, uint32_t values[LW_MAX_LANES])
{
    const here *h = context;
    const lw_matrix_operand *op = &h->matrix.operand[h->operand];
    if (op->is_register)
        return lw_event_product_word(h->event, h->operand, word, values, LW_MAX_LANES);
    for (unsigned lane = 0; lane < LW_MAX_LANES; lane++)
        values[lane] = (uint32_t)(op->constant >> 32 * (word % 2));
    return true;
}

bool debug_tile_here(debugger *d, size_t wave, lw_operand operand, unsigned group, debug_tile *tile,
                     debug_text *why)
{
    here h = { .event = lw_session_wave_event(d->session, wave), .operand = operand };
    lw_operand_info info;
    const lw_arch arch = lw_program_arch(d->job->program);
    if (!h.event || !lw_event_product(h.event, &h.matrix)) {
        if (why)
            debug_say(why, "the next instruction is not a matrix instruction");
        return false;
    }
    const lw_matrix_operand *op = &h.matrix.operand[operand];
    const bool has = lw_insn_operand(arch, h.matrix.insn, operand, &h.matrix.mods, &info, NULL) == LW_OK;
    if (!has || (op->is_register ? !op->count : group > 0)) {
        if (why)
            debug_say(why, "the instruction has no operand %s that can be shown", lw_operand_name(operand));
        return false;
    }
    const bool fits = make(d, h.matrix.insn, &h.matrix.mods, operand, words_here, &h, group, tile, why);
    if (!fits || !op->is_register || (group + 1) * (unsigned)tile->info.registers <= op->count || !group)
        return fits;
    debug_tile_free(tile);
    return false;
}

/* ---- A named instruction ---- */

typedef struct given {
    const debugger *d;
    size_t wave;
    const debug_register *registers; /* one after the other */
    size_t count;
} given;

static bool words_given(void *context, unsigned word, uint32_t values[LW_MAX_LANES])
{
    const given *g = context;
    for (size_t i = 0; i < g->count; i++) {
        if (word < g->registers[i].count) {
            for (unsigned lane = 0; lane < LW_MAX_LANES; lane++)
                values[lane] = debug_register_value(g->d, g->wave, &g->registers[i], word, lane);
            return true;
        }
        word -= g->registers[i].count;
    }
    return false;
}

static void show_rows(const debug_tile *t, unsigned block, unsigned from, unsigned to, debug_text *out)
{
    char text[DEBUG_VALUE];
    for (unsigned row = 0; row < t->info.x_count; row++) {
        debug_say(out, "  %s %3u:", t->info.x_name, row);
        for (unsigned col = from; col < to; col++) {
            debug_tile_value(t, ((size_t)block * t->info.x_count + row) * t->info.y_count + col, text);
            debug_say(out, " %7s", text);
        }
        debug_say(out, "\n");
    }
}

static void show(const debug_tile *t, debug_text *out)
{
    const unsigned cols = t->info.y_count;
    for (unsigned block = 0; block < t->info.blocks; block++)
        for (unsigned from = 0; from < cols; from += COLUMNS) {
            const unsigned to = from + COLUMNS < cols ? from + COLUMNS : cols;
            debug_say(out, "%s (%s)", lw_operand_name(t->info.operand), t->info.format);
            if (t->info.blocks > 1)
                debug_say(out, ", block %u", block);
            debug_say(out, ", %s %u..%u\n", t->info.y_name, t->from_col + from, t->from_col + to - 1);
            show_rows(t, block, from, to, out);
        }
}

/* The mnemonic with its modifiers are the words before the operand's name. */
static bool read_named(debugger *d, const char *words, char *insn, size_t size, lw_operand *operand,
                       const char **rest, debug_text *out)
{
    size_t used = 0;
    insn[0] = '\0';
    while (*words) {
        char word[WORD];
        words += strspn(words, " \t");
        const size_t length = strcspn(words, " \t");
        snprintf(word, sizeof(word), "%.*s", (int)length, words);
        words += length;
        if (used && lw_operand_find(word, operand) == LW_OK) {
            *rest = words;
            return true;
        }
        if (used + length + 2 > size)
            break;
        used += (size_t)snprintf(insn + used, size - used, "%s%s", used ? " " : "", word);
    }
    debug_say(out,
              "needs an operand of the next instruction (A, B, C, D, scale_a ...), or INSTRUCTION "
              "OPERAND %s",
              d->amd ? "v4" : "%r1 %r2");
    return false;
}

static bool read_registers(debugger *d, size_t wave, const char *words, debug_register **all, size_t *count,
                           debug_text *out)
{
    *all = NULL;
    *count = 0;
    while (*(words += strspn(words, " \t"))) {
        char word[WORD];
        const size_t length = strcspn(words, " \t");
        snprintf(word, sizeof(word), "%.*s", (int)length, words);
        words += length;
        *all = cli_grow(*all, (*count + 1) * sizeof(**all));
        if (!debug_register_find(d, wave, word, &(*all)[*count], out))
            return false;
        ++*count;
    }
    if (!*count)
        debug_say(out, "needs the registers of the operand");
    return *count > 0;
}

/* A single register stands for as many as the operand has. */
static void widen(debugger *d, const lw_insn *insn, const lw_mods *mods, lw_operand operand,
                  debug_register *reg, size_t count)
{
    lw_operand_info info;
    if (count == 1 && reg->count == 1 && d->amd && !reg->scalar &&
        lw_insn_operand(lw_program_arch(d->job->program), insn, operand, mods, &info, NULL) == LW_OK)
        reg->count = info.registers;
}

static bool show_named(debugger *d, size_t wave, const char *words, debug_text *out)
{
    char text[WORD];
    const char *rest;
    lw_operand operand;
    const lw_insn *insn;
    lw_mods mods;
    lw_error error = { "" };
    debug_register *registers;
    size_t count;
    debug_tile tile;
    if (!read_named(d, words, text, sizeof(text), &operand, &rest, out))
        return false;
    if (lw_insn_parse(lw_program_arch(d->job->program), text, &insn, &mods, &error) != LW_OK) {
        debug_say(out, "%s", error.text);
        return false;
    }
    bool good = read_registers(d, wave, rest, &registers, &count, out);
    if (good) {
        widen(d, insn, &mods, operand, registers, count);
        given g = { d, wave, registers, count };
        good = make(d, insn, &mods, operand, words_given, &g, 0, &tile, out);
    }
    free(registers);
    if (good) {
        show(&tile, out);
        debug_tile_free(&tile);
    }
    return good;
}

/* One operand of the next instruction, or all that it reads. */
static bool show_here(debugger *d, size_t wave, lw_operand first, lw_operand last, debug_text *out)
{
    bool any = false;
    for (int op = (int)first; op <= (int)last; op++) {
        debug_tile tile;
        const bool one = first == last;
        for (unsigned group = 0; one || op != LW_OPERAND_D; group++) {
            if (!debug_tile_here(d, wave, (lw_operand)op, group, &tile, one && !group ? out : NULL))
                break;
            show(&tile, out);
            debug_tile_free(&tile);
            any = true;
            if (op == LW_OPERAND_A || op >= LW_OPERAND_INDEX)
                break;
        }
    }
    if (!any && first != last)
        debug_say(out, "the next instruction is not a matrix instruction");
    return any;
}

bool debug_matrix(debugger *d, const char *words, debug_text *out)
{
    size_t wave;
    lw_operand operand;
    words += strspn(words, " \t");
    if (!d->chosen || !debug_find(d, &d->wave, &wave)) {
        debug_say(out, "there is no %s: all have ended", d->amd ? "wave" : "warp");
        return false;
    }
    if (!*words)
        return show_here(d, wave, LW_OPERAND_A, (lw_operand)(LW_OPERAND_COUNT - 1), out);
    if (lw_operand_find(words, &operand) == LW_OK)
        return show_here(d, wave, operand, operand, out);
    return show_named(d, wave, words, out);
}

/* SPDX-License-Identifier: MIT */
/* The record of wgmma: the operands of an execution that are in shared memory, word by word. */
#include <stdlib.h>
#include <string.h>

#include "observers/why.h"

enum { NAME = 128 };

/* The instruction that is spelled so: its text up to the first blank. */
static const lw_insn *whole_of(const lw_event *event)
{
    char text[NAME];
    const lw_insn *insn = NULL;
    (void)lw_event_text(event, text, sizeof(text));
    char *name = text[0] == '@' ? strchr(text, ' ') : text;
    if (!name)
        return NULL;
    name += strspn(name, " ");
    name[strcspn(name, " \t")] = '\0';
    return lw_insn_find(event->arch, name, &insn, NULL) == LW_OK ? insn : NULL;
}

void lw_why_shorten(char *text)
{
    enum { SHOWN = 4 };
    for (char *open = strchr(text, '{'); open; open = strchr(open + 1, '{')) {
        char *close = strchr(open, '}'), *first = strchr(open, ','), *last = first;
        unsigned count = 1;
        for (char *c = first; c && close && c < close; c = strchr(c + 1, ',')) {
            last = c;
            count++;
        }
        if (close && count > SHOWN) {
            memcpy(first, ", ..", 4);
            memmove(first + 4, last, strlen(last) + 1);
        }
    }
}

/* The rows of an operand's words, unless it is in shared memory. */
static void set_operand(lw_why_log *log, lw_why_place *p, const lw_event *event, lw_operand op)
{
    lw_product_place where;
    const unsigned count = p->words[op];
    uint32_t *rows = count ? malloc(count * sizeof(*rows)) : NULL;
    for (unsigned i = 0; rows && i < count; i++) {
        const bool found = lw_event_product_place(event, op, i, &where);
        p->shared[op] = where.shared;
        rows[i] = found && !where.shared ? lw_why_row(log, where.file, where.reg) : UINT32_MAX;
    }
    log->no_memory = log->no_memory || (count && !rows);
    if (p->shared[op] || !rows) {
        free(rows);
        return;
    }
    p->rows[op] = rows;
    p->row_count[op] = count;
    log->bytes += count * sizeof(*rows);
}

void lw_why_set_product(lw_why_log *log, lw_why_place *p, const lw_event *event)
{
    lw_matrix_event m;
    if (!lw_event_product(event, &m))
        return;
    p->arrives = true;
    p->insn = m.insn;
    p->mods = m.mods;
    p->whole = whole_of(event);
    for (int op = 0; op < LW_OPERAND_COUNT; op++)
        p->words[op] = m.operand[op].is_register ? m.operand[op].count : 0;
    for (int op = 0; op < LW_OPERAND_COUNT; op++)
        set_operand(log, p, event, (lw_operand)op);
    p->words[LW_OPERAND_C] = p->words[LW_OPERAND_D];
    p->row_count[LW_OPERAND_C] = p->row_count[LW_OPERAND_D];
    const size_t bytes = p->row_count[LW_OPERAND_D] * sizeof(uint32_t);
    p->rows[LW_OPERAND_C] = bytes ? malloc(bytes) : NULL;
    if (p->rows[LW_OPERAND_C])
        memcpy(p->rows[LW_OPERAND_C], p->rows[LW_OPERAND_D], bytes);
    else
        p->row_count[LW_OPERAND_C] = 0;
    log->no_memory = log->no_memory || (bytes && !p->rows[LW_OPERAND_C]);
    if (!p->whole || !p->rows[LW_OPERAND_C])
        p->refused = "a wgmma of an unknown shape";
}

/* ---- Executions ---- */

/* The place of the same instruction where it leaves C out. */
static uint32_t bare_of(lw_why_log *log, uint32_t place, const lw_event *event)
{
    if (!log->places[place].bare) {
        const uint32_t made = lw_why_add_place(log, event);
        if (made == UINT32_MAX)
            return place;
        lw_why_place *bare = &log->places[made];
        free(bare->rows[LW_OPERAND_C]);
        bare->rows[LW_OPERAND_C] = NULL;
        bare->row_count[LW_OPERAND_C] = bare->words[LW_OPERAND_C] = 0;
        bare->constant[LW_OPERAND_C] = true;
        log->places[place].bare = made + 1;
    }
    return log->places[place].bare - 1;
}

void lw_why_note_product(lw_why_log *log, lw_why_step *step, const lw_event *event)
{
    lw_product_place where;
    if (!lw_event_product_place(event, LW_OPERAND_C, 0, &where))
        step->place = bare_of(log, step->place, event);
    step->access = (uint32_t)log->word_count;
    for (int op = 0; op < LW_OPERAND_COUNT; op++)
        for (unsigned i = 0; log->places[step->place].shared[op] && i < log->places[step->place].words[op];
             i++) {
            if (!lw_why_room(log, (void **)&log->words, log->word_count, &log->word_room,
                             sizeof(*log->words)) ||
                !lw_event_product_place(event, (lw_operand)op, i, &where))
                return;
            for (unsigned lane = 0; lane < LW_WHY_LANES; lane++)
                log->words[log->word_count][lane] =
                    (lw_why_word){ { where.address[0][lane], where.address[1][lane] } };
            log->word_count++;
            step->accesses++;
        }
}

const lw_why_word *lw_why_word_of(const lw_why_log *log, const lw_why_step *step, lw_operand operand,
                                  unsigned word, unsigned lane)
{
    const lw_why_place *p = &log->places[step->place];
    uint32_t at = word;
    for (int op = 0; op < (int)operand; op++)
        at += p->shared[op] ? p->words[op] : 0u;
    return at < step->accesses && lane < LW_WHY_LANES ? &log->words[step->access + at][lane] : NULL;
}

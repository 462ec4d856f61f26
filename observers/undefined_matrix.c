/* SPDX-License-Identifier: MIT */
/* Element by element: row i of A, column j of B and C[i,j] make D[i,j] undefined if any of them is. */
#include <stdlib.h>
#include <string.h>

#include "observers/undefined.h"

/* Which rows and columns of which blocks are undefined. */
typedef struct undefined_lines {
    bool *row, *col; /* [block][line] */
    unsigned rows, cols;
} undefined_lines;

static bool fill_part(lw_lack_step *s, const lw_matrix_event *m, lw_operand op, lw_lack_part *part)
{
    lw_layout *layout = NULL;
    lw_layout_info info;
    if (lw_layout_create(s->event->arch, m->insn, op, s->event->lanes, &m->mods, &layout, NULL) != LW_OK)
        return false;
    bool good = lw_layout_get_info(layout, &info) == LW_OK &&
                lw_layout_entries(layout, NULL, 0, &part->count) == LW_OK && part->count;
    part->entries = good ? calloc(part->count, sizeof(*part->entries)) : NULL;
    good = part->entries && lw_layout_entries(layout, part->entries, part->count, &part->count) == LW_OK;
    if (good) {
        part->rows = info.x_count;
        part->cols = info.y_count;
        part->width = info.width;
        s->place->blocks = info.blocks > s->place->blocks ? info.blocks : s->place->blocks;
    }
    lw_layout_free(layout);
    return good;
}

/* The layouts of the place's operands; of constants none. */
static const lw_lack_part *parts_of(lw_lack_step *s, const lw_matrix_event *m)
{
    lw_lack_place *p = s->place;
    if (p->parts)
        return p->parts;
    p->parts = calloc(LW_OPERAND_COUNT, sizeof(*p->parts));
    for (int op = 0; p->parts && op < LW_OPERAND_COUNT; op++)
        if (m->operand[op].is_register && m->operand[op].count)
            (void)fill_part(s, m, (lw_operand)op, &p->parts[op]);
    return p->parts;
}

/* The row of a register of an operand; UINT32_MAX: the wave has none. */
static uint32_t row_of(const lw_lack_step *s, const lw_matrix_event *m, lw_operand op, unsigned reg,
                       const lw_shadow_run **run)
{
    const unsigned number = lw_event_matrix_register(s->event, op, reg);
    const lw_reg_file file = m->operand[op].file;
    for (size_t i = 0; i < s->count; i++) {
        const lw_shadow_run *r = &s->runs[i];
        if (r->file == file && number >= r->reg && number < r->reg + (unsigned)r->count) {
            *run = r;
            return r->row + number - r->reg;
        }
    }
    return UINT32_MAX;
}

/* Does one place of an element lack a bit? */
static bool entry_lacks(lw_lack_step *s, const lw_matrix_event *m, lw_operand op, const lw_layout_entry *e)
{
    for (unsigned bit = e->lsb / 8u * 8; bit <= e->msb; bit += 8) {
        const lw_shadow_run *run = NULL;
        const uint32_t row = row_of(s, m, op, e->reg + bit / 32, &run);
        if (row == UINT32_MAX || !(s->wave->bytes[row][bit / 8 % 4] >> e->lane & 1))
            continue;
        if (!s->origin)
            s->origin = lw_lack_origin_of(s, run, row - run->row);
        return true;
    }
    return false;
}

/* Marks the lines of D that an operand's undefined elements reach; B's columns are its y. */
static void mark(lw_lack_step *s, const lw_matrix_event *m, const lw_lack_part *parts, lw_operand op,
                 undefined_lines *lines)
{
    const bool cols = op == LW_OPERAND_B || op == LW_OPERAND_SCALE_B;
    for (size_t i = 0; i < parts[op].count; i++) {
        const lw_layout_entry *e = &parts[op].entries[i];
        const unsigned line = op == LW_OPERAND_B ? e->y : e->x;
        if (line < (cols ? lines->cols : lines->rows) && entry_lacks(s, m, op, e))
            (cols ? lines->col : lines->row)[e->block * (cols ? lines->cols : lines->rows) + line] = true;
    }
}

static void set_element(lw_lack_step *s, const lw_matrix_event *m, const lw_layout_entry *e, bool lacks)
{
    for (unsigned bit = e->lsb / 8u * 8; bit <= e->msb; bit += 8) {
        const lw_shadow_run *run = NULL;
        const uint32_t row = row_of(s, m, LW_OPERAND_D, e->reg + bit / 32, &run);
        if (row != UINT32_MAX)
            lw_lack_set(s, run, row - run->row, bit / 8 % 4, UINT64_C(1) << e->lane,
                        lacks ? UINT64_C(1) << e->lane : 0);
    }
}

/* C is read before D is written: they may share registers, and have one layout. */
static bool *c_lacks(lw_lack_step *s, const lw_matrix_event *m, const lw_lack_part *parts)
{
    const lw_lack_part *c = &parts[LW_OPERAND_C], *d = &parts[LW_OPERAND_D];
    bool *lacks = calloc(d->count, sizeof(*lacks));
    for (size_t i = 0; lacks && i < d->count && c->count == d->count; i++)
        lacks[i] = entry_lacks(s, m, LW_OPERAND_C, &c->entries[i]);
    return lacks;
}

static void combine(lw_lack_step *s, const lw_matrix_event *m, const lw_lack_part *parts,
                    const undefined_lines *lines, const bool *c)
{
    const lw_lack_part *d = &parts[LW_OPERAND_D];
    for (size_t i = 0; i < d->count; i++) {
        const lw_layout_entry *e = &d->entries[i];
        set_element(s, m, e,
                    lines->row[e->block * lines->rows + e->x] || lines->col[e->block * lines->cols + e->y] ||
                        c[i]);
    }
}

bool lw_lack_matrix(lw_lack_step *s, const lw_matrix_event *m)
{
    const lw_lack_part *parts = parts_of(s, m);
    if (!parts || !parts[LW_OPERAND_D].count)
        return false;
    undefined_lines lines = { .rows = parts[LW_OPERAND_D].rows, .cols = parts[LW_OPERAND_D].cols };
    lines.row = calloc((size_t)s->place->blocks * lines.rows, sizeof(bool));
    lines.col = calloc((size_t)s->place->blocks * lines.cols, sizeof(bool));
    bool *c = c_lacks(s, m, parts);
    const bool good = lines.row && lines.col && c;
    for (int op = 0; good && op < LW_OPERAND_COUNT; op++)
        if (op != LW_OPERAND_C && op != LW_OPERAND_D)
            mark(s, m, parts, (lw_operand)op, &lines);
    lw_lack_clear(s);
    if (good)
        combine(s, m, parts, &lines, c);
    free(lines.row);
    free(lines.col);
    free(c);
    return good;
}

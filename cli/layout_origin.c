/* SPDX-License-Identifier: MIT */
/* One operand of a matrix instruction as elements of arguments. */
#include <stdlib.h>
#include <string.h>

#include "cli/run_layouts.h"

/* The argument that owns a bit of the concatenated arrays; arg_count if none. `*bit` then counts from its
 * start. */
static size_t find_array(const run_job *job, uint64_t *bit)
{
    for (size_t i = 0; i < job->arg_count; i++) {
        const uint64_t bits = job->followed[i] ? 8 * arg_array_bytes(&job->args[i]) : 0;
        if (*bit < bits)
            return i;
        *bit -= bits;
    }
    return job->arg_count;
}

/* Bits of a row, i.e. of the last dimension. */
static uint64_t row_bits(const lw_npy *array)
{
    const uint64_t last = array->dims ? array->shape[array->dims - 1] : 1;
    return 8 * last * lw_dtype_size(array->dtype);
}

static origin_element read_element(const run_job *job, size_t index, lw_operand operand,
                                   const lw_layout_entry *e)
{
    const unsigned first = 32u * e->reg + e->lsb, width = (unsigned)e->msb - e->lsb + 1;
    const uint64_t from = lw_origin_bit(job->origin, index, operand, e->lane, first);
    unsigned constant = 0, following = 0;
    for (unsigned b = 0; b < width; b++) {
        const uint64_t bit = lw_origin_bit(job->origin, index, operand, e->lane, first + b);
        constant += bit == LW_ORIGIN_ZERO || bit == LW_ORIGIN_ONE;
        following += from < LW_ORIGIN_NONE && bit == from + b;
    }
    origin_element made = { .kind = constant == width ? ORIGIN_CONSTANT : ORIGIN_COMPUTED, .seen = true };
    uint64_t at = from;
    if (following != width || (made.arg = find_array(job, &at)) == job->arg_count)
        return made;
    const uint64_t row = row_bits(&job->args[made.arg].array);
    if (at % row % width == 0) {
        made.kind = ORIGIN_ELEMENT;
        made.row = at / row;
        made.col = at % row / width;
    }
    return made;
}

static bool same(const origin_element *a, const origin_element *b)
{
    return a->kind == b->kind &&
           (a->kind != ORIGIN_ELEMENT || (a->arg == b->arg && a->row == b->row && a->col == b->col));
}

static const origin_element *at(const origin_operand *o, uint32_t x, uint32_t y)
{
    return &o->element[(size_t)x * o->info.y_count + y];
}

/* Whether the row depends only on x and the column only on y; with `turned`, the other way round. */
static bool goes(const origin_operand *o, bool turned)
{
    for (uint32_t x = 0; x < o->info.x_count; x++)
        for (uint32_t y = 0; y < o->info.y_count; y++) {
            const origin_element *e = at(o, x, y), *by_x = at(o, x, 0), *by_y = at(o, 0, y);
            if (e->row != (turned ? by_y : by_x)->row || e->col != (turned ? by_x : by_y)->col)
                return false;
        }
    return true;
}

static void find_pattern(origin_operand *o)
{
    if (o->copied != o->elements || o->info.blocks != 1)
        return;
    o->arg = o->element[0].arg;
    for (size_t i = 0; i < o->elements; i++)
        if (o->element[i].arg != o->arg)
            return;
    o->plain = goes(o, false);
    o->turned = !o->plain && goes(o, true);
    o->plain = o->plain || o->turned;
}

static void take_entry(const run_job *job, size_t index, lw_operand operand, const lw_layout_entry *e,
                       origin_operand *o)
{
    origin_element *to = &o->element[((size_t)e->block * o->info.x_count + e->x) * o->info.y_count + e->y];
    const origin_element read = read_element(job, index, operand, e);
    if (to->seen && !same(to, &read))
        o->unequal = true;
    if (!to->seen)
        *to = read;
}

static void count_kinds(origin_operand *o)
{
    for (size_t i = 0; i < o->elements; i++) {
        o->copied += o->element[i].seen && o->element[i].kind == ORIGIN_ELEMENT;
        o->constant += o->element[i].seen && o->element[i].kind == ORIGIN_CONSTANT;
        o->computed += o->element[i].seen && o->element[i].kind == ORIGIN_COMPUTED;
    }
}

/* A wgmma is reported as a product of eight columns that is repeated; its B, C and D have all columns. */
static uint32_t repetitions(const lw_origin_report *r, lw_operand operand)
{
    lw_operand_info info;
    const unsigned count = r->matrix.operand[operand].count;
    if (strcmp(lw_arch_get(r->arch)->vendor, "AMD") == 0 ||
        lw_insn_operand(r->arch, r->matrix.insn, operand, &r->matrix.mods, &info, NULL) != LW_OK ||
        count <= info.registers)
        return 1;
    return count / info.registers;
}

bool origin_read(const run_job *job, size_t index, lw_operand operand, origin_operand *o)
{
    const lw_origin_report *r = lw_origin_at(job->origin, index);
    lw_layout *layout = NULL;
    size_t count = 0;
    *o = (origin_operand){ .element = NULL };
    if (!r->matrix.operand[operand].is_register ||
        lw_layout_create(r->arch, r->matrix.insn, operand, r->lanes, &r->matrix.mods, &layout, NULL) != LW_OK)
        return false;
    lw_layout_get_info(layout, &o->info);
    const uint32_t repeated = repetitions(r, operand), columns = o->info.y_count;
    o->info.y_count = (uint16_t)(columns * repeated);
    lw_layout_entries(layout, NULL, 0, &count);
    lw_layout_entry *entries = cli_alloc((count + 1) * sizeof(*entries));
    lw_layout_entries(layout, entries, count, &count);
    o->elements = (size_t)o->info.x_count * o->info.y_count * o->info.blocks;
    o->element = cli_alloc(o->elements * sizeof(*o->element));
    memset(o->element, 0, o->elements * sizeof(*o->element));
    for (size_t i = 0; i < count * repeated; i++) {
        lw_layout_entry e = entries[i % count];
        e.y = (uint16_t)(e.y + i / count * columns);
        e.reg = (uint16_t)(e.reg + i / count * (r->matrix.operand[operand].count / repeated));
        take_entry(job, index, operand, &e, o);
    }
    free(entries);
    lw_layout_free(layout);
    count_kinds(o);
    find_pattern(o);
    return true;
}

bool origin_of_k(const origin_operand *o, uint32_t k, uint64_t *place)
{
    if (!o->plain)
        return false;
    const bool by_y = o->info.operand == LW_OPERAND_A;
    const origin_element *e = by_y ? at(o, 0, k) : at(o, k, 0);
    *place = by_y != o->turned ? e->col : e->row;
    return true;
}

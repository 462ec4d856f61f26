/* SPDX-License-Identifier: MIT */
/* Walking back through a matrix instruction: from an element of D to a row of A, a column of B, C and
 * scales. */
#include <stdlib.h>
#include <string.h>

#include "observers/why.h"

/* ---- Layouts ---- */

static size_t element_of(const struct lw_why_part *part, unsigned block, unsigned x, unsigned y)
{
    return ((size_t)block * part->info.x_count + x) * part->info.y_count + y;
}

static bool fill_part(struct lw_why_part *part, const lw_layout *layout)
{
    if (lw_layout_get_info(layout, &part->info) != LW_OK ||
        lw_layout_entries(layout, NULL, 0, &part->count) != LW_OK || !part->count)
        return false;
    const size_t elements = element_of(part, part->info.blocks, 0, 0);
    part->entries = calloc(part->count, sizeof(*part->entries));
    part->first = calloc(elements, sizeof(*part->first));
    if (!part->entries || !part->first ||
        lw_layout_entries(layout, part->entries, part->count, &part->count) != LW_OK)
        return false;
    for (size_t i = part->count; i-- > 0;) {
        const lw_layout_entry *e = &part->entries[i];
        part->first[element_of(part, e->block, e->x, e->y)] = (uint32_t)i + 1;
    }
    return true;
}

static lw_why_shape *shape_of(lw_why *w, const lw_why_place *p, unsigned wave)
{
    for (size_t i = 0; i < w->shape_count; i++)
        if (w->shapes[i].insn == p->insn && memcmp(&w->shapes[i].mods, &p->mods, sizeof(p->mods)) == 0)
            return &w->shapes[i];
    if (!lw_why_room(&w->log, (void **)&w->shapes, w->shape_count, &w->shape_room, sizeof(*w->shapes)))
        return NULL;
    lw_why_shape *made = &w->shapes[w->shape_count++];
    memset(made, 0, sizeof(*made));
    made->insn = p->insn;
    memcpy(&made->mods, &p->mods, sizeof(p->mods));
    for (int op = 0; op < LW_OPERAND_COUNT; op++) {
        lw_layout *layout = NULL;
        if (!p->row_count[op] ||
            lw_layout_create(w->arch, p->insn, (lw_operand)op, wave, &p->mods, &layout, NULL) != LW_OK)
            continue;
        if (!fill_part(&made->part[op], layout))
            w->log.no_memory = true;
        lw_layout_free(layout);
    }
    return made;
}

/* ---- Nodes: elements of D ---- */

/* The node of an element, perhaps made already for an earlier register of the same step. */
static uint32_t node_of(lw_why *w, size_t step, const lw_layout_entry *e, uint32_t row)
{
    const lw_why_place *p = &w->log.places[w->log.steps[step].place];
    for (size_t i = 0; i < w->made_count; i++) {
        const lw_why_node *n = &w->nodes[w->made[i].node];
        if (n->block == e->block && n->row == e->x && n->col == e->y)
            return w->made[i].node;
    }
    lw_why_node node = lw_why_of_step(w, LW_WHY_MATRIX, step, (int)e->lane);
    node.reg = w->log.names[row];
    node.insn = p->insn;
    node.mods = &p->mods;
    node.block = e->block;
    node.row = e->x;
    node.col = e->y;
    node.lsb = (uint8_t)e->lsb;
    node.bits = (uint8_t)(e->msb - e->lsb + 1);
    node.constant_c = p->constant[LW_OPERAND_C];
    node.c = p->value[LW_OPERAND_C];
    const uint32_t made = lw_why_make(w, &node, row);
    if (made)
        lw_why_make_later(w, &(lw_why_made){ .node = made });
    return made;
}

/* The bytes of register `reg` that belong to an element. */
static uint8_t bytes_of(const lw_layout_entry *e, unsigned reg)
{
    uint8_t bytes = 0;
    for (unsigned b = 0; b < 4; b++) {
        const unsigned bit = 32 * (reg - e->reg) + 8 * b;
        bytes |= (uint8_t)((reg >= e->reg && bit + 7 >= e->lsb && bit <= e->msb) << b);
    }
    return bytes;
}

void lw_why_matrix_back(lw_why *w, size_t step)
{
    const lw_why_step *s = &w->log.steps[step];
    const lw_why_place *p = &w->log.places[s->place];
    lw_why_wave *wave = &w->log.waves[s->wave];
    if (!wave->want)
        return;
    for (unsigned reg = 0; reg < p->row_count[LW_OPERAND_D]; reg++) {
        const uint32_t row = p->rows[LW_OPERAND_D][reg];
        uint32_t *heads = row == UINT32_MAX ? NULL : &wave->want[(size_t)row * LW_MAX_LANES];
        for (unsigned lane = 0; heads && lane < wave->lanes; lane++) {
            const lw_why_shape *shape = heads[lane] ? shape_of(w, p, wave->lanes) : NULL;
            const struct lw_why_part *d = shape ? &shape->part[LW_OPERAND_D] : NULL;
            for (size_t i = 0; d && i < d->count; i++) {
                const lw_layout_entry *e = &d->entries[i];
                const uint8_t bytes = e->lane == lane ? bytes_of(e, reg) : 0;
                if (!bytes || !lw_why_is_wanted(w, heads[lane], bytes))
                    continue;
                const uint32_t made = node_of(w, step, e, row);
                if (made)
                    lw_why_settle(w, &heads[lane], bytes, made);
            }
        }
    }
}

/* ---- Instructions that move elements: rows of matrices in memory, each named by a lane ---- */

enum { MATRIX_ROWS = 8 };

/* The layout of the operand whose registers are D here. */
static const struct lw_why_part *moved_part(lw_why *w, const lw_why_step *s)
{
    const lw_why_place *p = &w->log.places[s->place];
    lw_insn_info info;
    lw_why_shape *shape = shape_of(w, p, w->log.waves[s->wave].lanes);
    struct lw_why_part *part = shape ? &shape->part[LW_OPERAND_D] : NULL;
    for (int op = 0; part && !part->count && op < (int)LW_OPERAND_D; op++) {
        lw_layout *layout = NULL;
        if (lw_insn_get_info(w->arch, p->insn, &info) != LW_OK || !info.operand[op].present ||
            lw_layout_create(w->arch, p->insn, (lw_operand)op, 0, &p->mods, &layout, NULL) != LW_OK)
            continue;
        (void)fill_part(part, layout);
        lw_layout_free(layout);
    }
    return part && part->count ? part : NULL;
}

void lw_why_moved_sources(lw_why *w, const lw_why_step *s, const lw_why_made *made)
{
    const lw_why_place *p = &w->log.places[s->place];
    const struct lw_why_part *part = moved_part(w, s);
    for (unsigned reg = 0; part && reg < p->row_count[LW_OPERAND_D]; reg++)
        for (size_t i = 0; p->rows[LW_OPERAND_D][reg] == w->row[made->node] && i < part->count; i++) {
            const lw_layout_entry *e = &part->entries[i];
            const unsigned lane = (unsigned)MATRIX_ROWS * e->block + e->x, bytes = part->info.width / 8u;
            for (uint32_t a = 0; e->reg == reg && e->lane == made->lane && a < s->accesses; a++)
                for (unsigned b = 0; w->log.accesses[s->access + a].lane == lane && b < bytes; b++)
                    lw_why_want_byte(w, made->node, s, &w->log.accesses[s->access + a],
                                     w->log.accesses[s->access + a].address + e->y * bytes + b,
                                     e->lsb / 8u + b);
        }
}

void lw_why_moved_byte(lw_why *w, const lw_why_step *s, uint32_t node, unsigned lane, unsigned at,
                       unsigned from)
{
    const lw_why_place *p = &w->log.places[s->place];
    const struct lw_why_part *part = moved_part(w, s);
    for (size_t i = 0; part && i < part->count; i++) {
        const lw_layout_entry *e = &part->entries[i];
        const unsigned bytes = part->info.width / 8u, byte = e->lsb / 8u + (bytes ? at % bytes : 0);
        const lw_why_edge edge = { .from = node,
                                   .role = LW_ROLE_DATA,
                                   .shift = (int8_t)((int)byte - (int)from),
                                   .operand = LW_OPERAND_COUNT };
        if (!bytes || (unsigned)MATRIX_ROWS * e->block + e->x != lane || e->y != at / bytes ||
            e->reg >= p->row_count[LW_OPERAND_D])
            continue;
        lw_why_want_register(w, s->wave, p->rows[LW_OPERAND_D][e->reg], e->lane, &edge,
                             (uint8_t)(1u << byte));
        return;
    }
}

/* ---- Sources ---- */

static void want_element(lw_why *w, size_t step, uint32_t node, const lw_why_shape *shape, lw_operand operand,
                         unsigned x, unsigned y)
{
    const lw_why_step *s = &w->log.steps[step];
    const lw_why_place *p = &w->log.places[s->place];
    const struct lw_why_part *part = &shape->part[operand];
    const unsigned block = w->nodes[node].block;
    if (!part->count || block >= part->info.blocks || x >= part->info.x_count || y >= part->info.y_count)
        return;
    const uint32_t number = part->first[element_of(part, block, x, y)];
    if (!number)
        return;
    const lw_layout_entry *e = &part->entries[number - 1];
    for (unsigned bit = e->lsb; bit <= e->msb;) {
        const unsigned reg = e->reg + bit / 32, lsb = bit % 32,
                       bits = 32 - lsb < e->msb - bit + 1u ? 32 - lsb : e->msb - bit + 1u;
        const lw_why_edge edge = { .from = node,
                                   .role = LW_ROLE_SOURCE,
                                   .operand = operand,
                                   .x = (uint16_t)x,
                                   .y = (uint16_t)y,
                                   .at = (uint8_t)(bit - e->lsb),
                                   .lsb = (uint8_t)lsb,
                                   .bits = (uint8_t)bits };
        if (reg < p->row_count[operand])
            lw_why_want_register(w, s->wave, p->rows[operand][reg], e->lane, &edge, bytes_of(e, reg));
        bit += bits;
    }
}

/* Adds wants for the elements of all operands that an element of D depends on. */
void lw_why_matrix_sources(lw_why *w, size_t step, const lw_why_made *made)
{
    const lw_why_step *s = &w->log.steps[step];
    const lw_why_place *p = &w->log.places[s->place];
    const lw_why_shape *shape = shape_of(w, p, w->log.waves[s->wave].lanes);
    if (!shape)
        return;
    const unsigned row = w->nodes[made->node].row, col = w->nodes[made->node].col;
    const struct lw_why_part *part = shape->part;
    for (unsigned k = 0; k < part[LW_OPERAND_A].info.y_count; k++)
        want_element(w, step, made->node, shape, LW_OPERAND_A, row, k);
    for (unsigned k = 0; k < part[LW_OPERAND_B].info.x_count; k++)
        want_element(w, step, made->node, shape, LW_OPERAND_B, k, col);
    want_element(w, step, made->node, shape, LW_OPERAND_C, row, col);
    for (unsigned k = 0; k < part[LW_OPERAND_INDEX].info.y_count; k++)
        want_element(w, step, made->node, shape, LW_OPERAND_INDEX, row, k);
    for (unsigned k = 0; k < part[LW_OPERAND_SCALE_A].info.y_count; k++)
        want_element(w, step, made->node, shape, LW_OPERAND_SCALE_A, row, k);
    for (unsigned k = 0; k < part[LW_OPERAND_SCALE_B].info.y_count; k++)
        want_element(w, step, made->node, shape, LW_OPERAND_SCALE_B, col, k);
}

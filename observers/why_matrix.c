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
    const bool has_c = (p->arrives ? p->words[LW_OPERAND_C] : p->row_count[LW_OPERAND_C]) != 0;
    for (size_t i = 0; i < w->shape_count; i++)
        if (w->shapes[i].insn == p->insn && w->shapes[i].has_c == has_c &&
            memcmp(&w->shapes[i].mods, &p->mods, sizeof(p->mods)) == 0)
            return &w->shapes[i];
    if (!lw_why_room(&w->log, (void **)&w->shapes, w->shape_count, &w->shape_room, sizeof(*w->shapes)))
        return NULL;
    lw_why_shape *made = &w->shapes[w->shape_count++];
    memset(made, 0, sizeof(*made));
    made->insn = p->insn;
    made->has_c = has_c;
    memcpy(&made->mods, &p->mods, sizeof(p->mods));
    for (int op = 0; op < LW_OPERAND_COUNT; op++) {
        lw_layout *layout = NULL;
        if (!(p->arrives ? p->words[op] : p->row_count[op]) ||
            lw_layout_create(w->arch, p->insn, (lw_operand)op, wave, &p->mods, &layout, NULL) != LW_OK)
            continue;
        if (!fill_part(&made->part[op], layout))
            w->log.no_memory = true;
        lw_layout_free(layout);
    }
    return made;
}

/* ---- wgmma: a warp has sixteen rows, which are products of eight columns each ---- */

enum { PART_ROWS = 16, PART_COLUMNS = 8, GROUP_WARPS = 4 };

static unsigned first_row(const lw_why *w, size_t step)
{
    const lw_why_step *s = &w->log.steps[step];
    return w->log.places[s->place].arrives ? w->log.waves[s->wave].id % GROUP_WARPS * PART_ROWS : 0;
}

/* The words of an operand that one product has. */
static unsigned words_of(const lw_why_place *p, const struct lw_why_part *part, lw_operand operand)
{
    return p->arrives && part->info.registers ? part->info.registers : p->row_count[operand];
}

/* ---- Nodes: elements of D ---- */

/* The node of an element, perhaps made already for an earlier register of the same step; it is in a product
 * that begins at column `first`. */
static uint32_t node_of(lw_why *w, size_t step, const lw_layout_entry *e, unsigned first, uint32_t row)
{
    const lw_why_place *p = &w->log.places[w->log.steps[step].place];
    const unsigned x = first_row(w, step) + e->x, y = first + e->y;
    for (size_t i = 0; i < w->made_count; i++) {
        const lw_why_node *n = &w->nodes[w->made[i].node];
        if (n->block == e->block && n->row == x && n->col == y)
            return w->made[i].node;
    }
    lw_why_node node = lw_why_of_step(w, LW_WHY_MATRIX, step, (int)e->lane);
    node.reg = w->log.names[row];
    node.insn = p->arrives ? p->whole : p->insn;
    node.mods = &p->mods;
    node.block = e->block;
    node.row = (uint16_t)x;
    node.col = (uint16_t)y;
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
            const unsigned each = d && d->count ? words_of(p, d, LW_OPERAND_D) : 1;
            for (size_t i = 0; d && i < d->count; i++) {
                const lw_layout_entry *e = &d->entries[i];
                const uint8_t bytes = e->lane == lane ? bytes_of(e, reg % each) : 0;
                if (!bytes || !lw_why_is_wanted(w, heads[lane], bytes))
                    continue;
                w->refused = w->refused ? w->refused : p->refused;
                const uint32_t made = node_of(w, step, e, reg / each * PART_COLUMNS, row);
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

/* An operand's element of the product that a node belongs to; `first_x` and `first_y`: where the product
 * begins in the instruction's operand. */
typedef struct wanted {
    uint32_t node;
    lw_operand operand;
    unsigned x, y, first_x, first_y, part;
} wanted;

/* The piece of an element in one word, which is in shared memory. */
static void want_shared(lw_why *w, const lw_why_step *s, unsigned word, unsigned lane, lw_why_edge edge)
{
    const lw_why_word *at = lw_why_word_of(&w->log, s, edge.operand, word, lane);
    if (!at)
        return;
    const uint32_t address = at->address[edge.lsb / 16] + edge.lsb % 16 / 8u;
    edge.lsb = (uint8_t)(address % 4 * 8 + edge.lsb % 8u);
    const unsigned first = edge.lsb / 8u, last = (edge.lsb + edge.bits - 1u) / 8;
    lw_why_want_memory(w, lw_why_key(w, s->wave, lane, LW_SPACE_LDS, address), &edge,
                       (uint8_t)((2u << last) - (1u << first)));
}

static void want_element(lw_why *w, const lw_why_step *s, const lw_why_shape *shape, const wanted *of)
{
    const lw_why_place *p = &w->log.places[s->place];
    const struct lw_why_part *part = &shape->part[of->operand];
    const unsigned block = w->nodes[of->node].block;
    if (!part->count || block >= part->info.blocks || of->x >= part->info.x_count ||
        of->y >= part->info.y_count)
        return;
    const uint32_t number = part->first[element_of(part, block, of->x, of->y)];
    if (!number)
        return;
    const lw_layout_entry *e = &part->entries[number - 1];
    for (unsigned bit = e->lsb; bit <= e->msb;) {
        const unsigned reg = e->reg + bit / 32, lsb = bit % 32,
                       bits = 32 - lsb < e->msb - bit + 1u ? 32 - lsb : e->msb - bit + 1u;
        const lw_why_edge edge = { .from = of->node,
                                   .role = LW_ROLE_SOURCE,
                                   .operand = of->operand,
                                   .x = (uint16_t)(of->first_x + of->x),
                                   .y = (uint16_t)(of->first_y + of->y),
                                   .at = (uint8_t)(bit - e->lsb),
                                   .lsb = (uint8_t)lsb,
                                   .bits = (uint8_t)bits };
        const unsigned word = of->part * words_of(p, part, of->operand) + reg;
        if (p->shared[of->operand])
            want_shared(w, s, word, e->lane, edge);
        else if (word < p->row_count[of->operand])
            lw_why_want_register(w, s->wave, p->rows[of->operand][word], e->lane, &edge, bytes_of(e, reg));
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
    const unsigned first = first_row(w, step),
                   number = p->arrives ? w->nodes[made->node].col / PART_COLUMNS : 0;
    const unsigned row = w->nodes[made->node].row - first, columns = number * PART_COLUMNS,
                   col = w->nodes[made->node].col - columns;
    const struct lw_why_part *part = shape->part;
    wanted of = { .node = made->node, .operand = LW_OPERAND_A, .x = row, .first_x = first };
    for (of.y = 0; of.y < part[LW_OPERAND_A].info.y_count; of.y++)
        want_element(w, s, shape, &of);
    of = (wanted){ made->node, LW_OPERAND_B, 0, col, 0, columns, number };
    for (of.x = 0; of.x < part[LW_OPERAND_B].info.x_count; of.x++)
        want_element(w, s, shape, &of);
    of = (wanted){ made->node, LW_OPERAND_C, row, col, first, columns, number };
    want_element(w, s, shape, &of);
    of = (wanted){ .node = made->node, .operand = LW_OPERAND_INDEX, .x = row, .first_x = first };
    for (of.y = 0; of.y < part[LW_OPERAND_INDEX].info.y_count; of.y++)
        want_element(w, s, shape, &of);
    of = (wanted){ .node = made->node, .operand = LW_OPERAND_SCALE_A, .x = row };
    for (of.y = 0; of.y < part[LW_OPERAND_SCALE_A].info.y_count; of.y++)
        want_element(w, s, shape, &of);
    of = (wanted){ .node = made->node, .operand = LW_OPERAND_SCALE_B, .x = col };
    for (of.y = 0; of.y < part[LW_OPERAND_SCALE_B].info.y_count; of.y++)
        want_element(w, s, shape, &of);
}

/* SPDX-License-Identifier: MIT */
/* The walk back: what is wanted, and what wrote it last. */
#include <stdlib.h>
#include <string.h>

#include "observers/why.h"

/* ---- Nodes ---- */

uint32_t lw_why_make(lw_why *w, const lw_why_node *node, uint32_t row)
{
    if (!lw_why_room(&w->log, (void **)&w->nodes, w->node_count, &w->node_room, sizeof(*w->nodes)) ||
        !lw_why_room(&w->log, (void **)&w->row, w->node_count, &w->row_room, sizeof(*w->row)))
        return 0;
    w->nodes[w->node_count] = *node;
    w->row[w->node_count] = row;
    return (uint32_t)w->node_count++;
}

lw_why_node lw_why_of_step(const lw_why *w, lw_why_kind kind, size_t step, int lane)
{
    const lw_why_step *s = &w->log.steps[step];
    const lw_why_place *p = &w->log.places[s->place];
    const lw_why_wave *wave = &w->log.waves[s->wave];
    lw_why_node node = { .kind = kind,
                         .instruction = p->text ? p->text : "",
                         .code_offset = p->code_offset,
                         .source = p->line,
                         .number = step,
                         .wave = wave->id,
                         .lane = lane,
                         .reg = "",
                         .region = "" };
    memcpy(node.workgroup, wave->workgroup, sizeof(node.workgroup));
    return node;
}

void lw_why_make_later(lw_why *w, const lw_why_made *made)
{
    if (lw_why_room(&w->log, (void **)&w->made, w->made_count, &w->made_room, sizeof(*w->made)))
        w->made[w->made_count++] = *made;
}

/* ---- What is wanted ---- */

static bool is_same_want(const lw_why_edge *a, const lw_why_edge *b)
{
    return a->from == b->from && a->shift == b->shift && a->role == b->role &&
           a->operand == LW_OPERAND_COUNT && b->operand == LW_OPERAND_COUNT;
}

static void want(lw_why *w, uint32_t *head, const lw_why_edge *edge, uint8_t need)
{
    uint32_t at = w->free_want;
    if (!need)
        return;
    if (*head && is_same_want(&w->wants[*head].edge, edge)) {
        w->wants[*head].need |= need;
        return;
    }
    if (at) {
        w->free_want = w->wants[at].next;
    } else {
        if (!lw_why_room(&w->log, (void **)&w->wants, w->want_count + 1, &w->want_room, sizeof(*w->wants)))
            return;
        at = (uint32_t)++w->want_count; /* number 0 means none */
    }
    w->wants[at] = (lw_why_want){ .edge = *edge, .next = *head, .need = need };
    *head = at;
}

void lw_why_want_register(lw_why *w, uint32_t wave, uint32_t row, unsigned lane, const lw_why_edge *edge,
                          uint8_t need)
{
    lw_why_wave *v = &w->log.waves[wave];
    const size_t count = (size_t)w->log.rows.total * LW_MAX_LANES;
    if (row == UINT32_MAX)
        return;
    if (!v->want && w->log.bytes + count * sizeof(*v->want) <= w->log.limit) {
        v->want = calloc(count, sizeof(*v->want));
        w->log.no_memory = w->log.no_memory || !v->want;
        w->log.bytes += count * sizeof(*v->want);
    }
    if (v->want)
        want(w, &v->want[(size_t)row * LW_MAX_LANES + lane], edge, need);
    else
        w->log.full = true;
}

/* The bytes of the producer that `edge` counts, as bytes of the node that wants them. */
static uint8_t bytes_of(const lw_why *w, const lw_why_edge *edge, uint8_t produced)
{
    if (!w->nodes[edge->from].exact)
        return produced;
    return (uint8_t)(edge->shift < 0 ? produced << -edge->shift : produced >> edge->shift);
}

static void add_edge(lw_why *w, const lw_why_edge *edge, uint8_t produced, uint32_t node)
{
    if (!lw_why_room(&w->log, (void **)&w->edges, w->edge_count, &w->edge_room, sizeof(*w->edges)))
        return;
    lw_why_edge *e = &w->edges[w->edge_count++];
    *e = *edge;
    e->to = node;
    e->bytes = bytes_of(w, edge, produced);
}

bool lw_why_is_wanted(const lw_why *w, uint32_t head, uint8_t cover)
{
    for (; head; head = w->wants[head].next)
        if (w->wants[head].need & cover)
            return true;
    return false;
}

bool lw_why_settle(lw_why *w, uint32_t *head, uint8_t cover, uint32_t node)
{
    bool any = false;
    for (uint32_t *at = head; *at;) {
        lw_why_want *one = &w->wants[*at];
        const uint8_t given = one->need & cover;
        if (given)
            add_edge(w, &one->edge, given, node);
        any = any || given;
        one->need &= (uint8_t)~cover;
        if (one->need) {
            at = &one->next;
            continue;
        }
        const uint32_t gone = *at;
        *at = one->next;
        w->wants[gone].next = w->free_want;
        w->free_want = gone;
    }
    return any;
}

/* ---- Memory in units of four bytes: a hash table that only grows ---- */

uint64_t lw_why_key(const lw_why *w, uint32_t wave, unsigned lane, unsigned space, uint64_t address)
{
    if (space == LW_SPACE_GLOBAL)
        return UINT64_C(1) << 62 | address >> 2;
    if (space == LW_WHY_FLIGHT)
        return address >> 2;
    const uint64_t group = space == LW_WHY_REMOTE ? address >> 32 : w->log.waves[wave].group;
    if (space != LW_SPACE_SCRATCH)
        return UINT64_C(2) << 62 | group << 30 | (address >> 2 & 0x3fffffff);
    return UINT64_C(3) << 62 | (uint64_t)wave << 34 | (uint64_t)(lane & 63) << 28 |
           (address >> 2 & 0xfffffff);
}

lw_space lw_why_key_space(uint64_t key)
{
    return key >> 62 == 1 ? LW_SPACE_GLOBAL : key >> 62 == 2 ? LW_SPACE_LDS : LW_SPACE_SCRATCH;
}

uint64_t lw_why_key_address(uint64_t key)
{
    const lw_space space = lw_why_key_space(key);
    const uint64_t words = key & (space == LW_SPACE_GLOBAL ? (UINT64_C(1) << 62) - 1
                                  : space == LW_SPACE_LDS  ? 0x3fffffff
                                                           : 0xfffffff);
    return words << 2;
}

static lw_why_cell *slot_of(const lw_why *w, uint64_t key)
{
    size_t at = (size_t)((key ^ key >> 31) * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (w->cell_room - 1);
    while (w->cells[at].key && w->cells[at].key != key)
        at = (at + 1) & (w->cell_room - 1);
    return &w->cells[at];
}

static bool grow_cells(lw_why *w)
{
    const size_t room = w->cell_room, grown = room ? 2 * room : 1024;
    lw_why_cell *old = w->cells;
    if (2 * (w->cell_count + 1) < room)
        return true;
    if (w->log.bytes + (grown - room) * sizeof(*old) > w->log.limit)
        w->log.full = true;
    lw_why_cell *cells = w->log.full ? NULL : calloc(grown, sizeof(*cells));
    w->log.no_memory = w->log.no_memory || (!w->log.full && !cells);
    if (!cells)
        return false;
    w->log.bytes += (grown - room) * sizeof(*old);
    w->cells = cells;
    w->cell_room = grown;
    for (size_t i = 0; i < room; i++)
        if (old[i].key)
            *slot_of(w, old[i].key) = old[i];
    free(old);
    return true;
}

void lw_why_want_memory(lw_why *w, uint64_t key, const lw_why_edge *edge, uint8_t need)
{
    if (!grow_cells(w))
        return;
    lw_why_cell *cell = slot_of(w, key);
    w->cell_count += cell->key != key;
    cell->key = key;
    want(w, &cell->head, edge, need);
}

uint32_t *lw_why_cell_of(lw_why *w, uint64_t key)
{
    if (!w->cell_room)
        return NULL;
    lw_why_cell *cell = slot_of(w, key);
    return cell->key && cell->head ? &cell->head : NULL;
}

/* ---- Registers ---- */

uint64_t lw_why_lanes(const lw_why *w, const lw_why_step *step, const lw_shadow_run *run, bool written)
{
    const lw_why_wave *wave = &w->log.waves[step->wave];
    const uint64_t all = wave->lanes == LW_MAX_LANES ? UINT64_MAX : (UINT64_C(1) << wave->lanes) - 1;
    switch ((lw_lanes)run->lanes) {
    case LW_LANES_SCALAR:
        return 1;
    case LW_LANES_ACTIVE:
        return step->exec & all;
    case LW_LANES_ALL:
        return all;
    case LW_LANES_ONE:
    case LW_LANES_SOME:
        return step->accesses > written ? w->log.accesses[step->access + written].address & all : all;
    }
    return all;
}

/* Makes nodes for wanted registers that an instruction wrote. */
static void registers_back(lw_why *w, size_t step)
{
    const lw_why_step *s = &w->log.steps[step];
    const lw_why_place *p = &w->log.places[s->place];
    lw_why_wave *wave = &w->log.waves[s->wave];
    if (!wave->want)
        return;
    for (size_t r = 0; r < p->run_count; r++) {
        const lw_shadow_run *run = &p->runs[r];
        if (!run->written)
            continue;
        const uint64_t lanes = lw_why_lanes(w, s, run, true);
        for (unsigned d = 0; d < run->count; d++) {
            uint32_t *heads = &wave->want[(size_t)(run->row + d) * LW_MAX_LANES];
            for (unsigned lane = 0; lane < LW_MAX_LANES; lane++) {
                if (!heads[lane] || !(lanes >> lane & 1) || !lw_why_is_wanted(w, heads[lane], run->written))
                    continue;
                const bool scalar = run->lanes == LW_LANES_SCALAR;
                w->refused = w->refused ? w->refused : p->refused;
                lw_why_node node = lw_why_of_step(w, p->memory.load ? LW_WHY_LOAD : LW_WHY_COMPUTED, step,
                                                  scalar ? -1 : (int)lane);
                node.exact = p->memory.load
                                 ? !p->memory.transposes
                                 : p->flow == LW_FLOW_COPIES || (p->flow == LW_FLOW_BYTES && s->accesses);
                node.reg = w->log.names[run->row + d];
                const uint32_t made = lw_why_make(w, &node, run->row + d);
                if (!made)
                    return;
                lw_why_settle(w, &heads[lane], run->written, made);
                lw_why_make_later(
                    w, &(lw_why_made){
                           .node = made, .run = (uint16_t)r, .dword = (uint16_t)d, .lane = (uint8_t)lane });
            }
        }
    }
}

static bool is_value(lw_role role)
{
    return role == LW_ROLE_SOURCE || role == LW_ROLE_RESULT || role == LW_ROLE_DATA ||
           role == LW_ROLE_INDEX || role == LW_ROLE_SCALE;
}

/* The operands of the half that wrote run `r`: a second result begins the second half. */
static void half_of(const lw_why_place *p, size_t r, size_t *first, size_t *end)
{
    *first = 0;
    *end = p->run_count;
    for (size_t i = 1; i < p->run_count; i++)
        if (p->role[i] == LW_ROLE_RESULT && p->role[i - 1] != LW_ROLE_RESULT) {
            if (i <= r)
                *first = i;
            else if (*end == p->run_count)
                *end = i;
        }
}

/* Wants the sources of a computed register: in the same lane, or in every lane that the source may have. */
static void computed_sources(lw_why *w, size_t step, const lw_why_made *made)
{
    const lw_why_step *s = &w->log.steps[step];
    const lw_why_place *p = &w->log.places[s->place];
    const lw_shadow_run *result = &p->runs[made->run];
    const bool exact = w->nodes[made->node].exact, vector = result->lanes != LW_LANES_SCALAR;
    size_t first, end;
    half_of(p, made->run, &first, &end);
    for (size_t r = first; r < end; r++) {
        const lw_shadow_run *run = &p->runs[r];
        if (!run->read || !is_value((lw_role)p->role[r]) || (exact && run->written))
            continue;
        uint64_t lanes = lw_why_lanes(w, s, run, false);
        const bool same = vector && run->lanes == LW_LANES_ACTIVE && p->kind != LW_CLASS_LDS;
        lanes = same ? lanes & UINT64_C(1) << made->lane : lanes;
        for (unsigned d = exact ? made->dword : 0; d < (exact ? made->dword + 1u : run->count); d++)
            for (uint64_t left = d < run->count ? lanes : 0; left; left &= left - 1) {
                const lw_why_edge edge = { .from = made->node,
                                           .role = (lw_role)p->role[r],
                                           .operand = LW_OPERAND_COUNT };
                lw_why_want_register(w, s->wave, run->row + d, (unsigned)__builtin_ctzll(left), &edge,
                                     run->read);
            }
    }
}

/* The bytes that the selector takes from either source. */
static void selected_sources(lw_why *w, size_t step, const lw_why_made *made)
{
    const lw_why_step *s = &w->log.steps[step];
    const lw_why_place *p = &w->log.places[s->place];
    for (unsigned b = 0; b < 4; b++) {
        const unsigned byte = w->log.accesses[s->access].address >> 8 * b & 0xff;
        const size_t r = byte < 8 ? p->source[byte < 4] : p->run_count;
        const lw_why_edge edge = { .from = made->node,
                                   .role = LW_ROLE_SOURCE,
                                   .shift = (int8_t)((int)(byte & 3) - (int)b),
                                   .operand = LW_OPERAND_COUNT };
        if (r < p->run_count)
            lw_why_want_register(w, s->wave, p->runs[r].row,
                                 p->runs[r].lanes == LW_LANES_SCALAR ? 0 : made->lane, &edge,
                                 (uint8_t)(1u << (byte & 3)));
    }
}

/* A copy between lanes is exact if only one lane was read. */
static void judge_copy(lw_why *w, size_t step, const lw_why_made *made)
{
    const lw_why_step *s = &w->log.steps[step];
    const lw_why_place *p = &w->log.places[s->place];
    lw_why_node *node = &w->nodes[made->node];
    for (size_t r = 0; node->exact && r < p->run_count; r++) {
        const lw_shadow_run *run = &p->runs[r];
        if (!run->read || !is_value((lw_role)p->role[r]))
            continue;
        const uint64_t lanes = lw_why_lanes(w, s, run, false);
        const bool same = p->runs[made->run].lanes != LW_LANES_SCALAR && run->lanes == LW_LANES_ACTIVE;
        if (!same && (lanes & (lanes - 1)))
            node->exact = false;
    }
}

/* ---- The walk ---- */

static void go_back(lw_why *w, size_t step)
{
    const lw_why_place *p = &w->log.places[w->log.steps[step].place];
    w->made_count = 0;
    if (p->arrives && !w->log.steps[step].accesses)
        return; /* a wgmma is only issued */
    if (p->insn && !p->moves && p->row_count[LW_OPERAND_D])
        lw_why_matrix_back(w, step);
    else if (!p->memory.load && !p->memory.store && !w->log.steps[step].accesses)
        registers_back(w, step);
    else if (p->kind == LW_CLASS_VECTOR || p->kind == LW_CLASS_SCALAR)
        registers_back(w, step); /* here accesses are masks of lanes */
    else {
        registers_back(w, step);
        lw_why_memory_back(w, step);
    }
    for (size_t i = 0; i < w->made_count; i++) {
        const lw_why_made made = w->made[i];
        const lw_why_kind kind = w->nodes[made.node].kind;
        if (kind == LW_WHY_MATRIX) {
            lw_why_matrix_sources(w, step, &made);
        } else if (kind == LW_WHY_COMPUTED) {
            if (p->flow == LW_FLOW_BYTES && w->nodes[made.node].exact) {
                selected_sources(w, step, &made);
                continue;
            }
            judge_copy(w, step, &made);
            computed_sources(w, step, &made);
        } else {
            lw_why_memory_sources(w, step, &made);
        }
    }
}

static uint8_t all_wanted(const lw_why *w, uint32_t head)
{
    uint8_t need = 0;
    for (; head; head = w->wants[head].next)
        need |= w->wants[head].need;
    return need;
}

/* Makes nodes for wanted registers that nothing in the record has written. */
static void end_registers(lw_why *w, uint32_t wave)
{
    lw_why_wave *v = &w->log.waves[wave];
    const uint32_t total = v->want ? w->log.rows.total : 0;
    for (uint32_t row = 0; row < total; row++)
        for (unsigned lane = 0; lane < LW_MAX_LANES; lane++) {
            uint32_t *head = &v->want[(size_t)row * LW_MAX_LANES + lane];
            if (!*head)
                continue;
            const bool given = v->given[row] >> lane & 1;
            lw_why_node node = { .kind = given ? LW_WHY_GIVEN : LW_WHY_UNWRITTEN,
                                 .instruction = "",
                                 .number = UINT64_MAX,
                                 .wave = v->id,
                                 .lane = (int)lane,
                                 .reg = w->log.names[row],
                                 .region = "" };
            memcpy(node.workgroup, v->workgroup, sizeof(node.workgroup));
            const uint32_t made = lw_why_make(w, &node, row);
            if (made)
                lw_why_settle(w, head, all_wanted(w, *head), made);
        }
}

static void end_memory(lw_why *w)
{
    for (size_t i = 0; i < w->cell_room; i++) {
        lw_why_cell *cell = &w->cells[i];
        if (!cell->head)
            continue;
        const lw_space space = lw_why_key_space(cell->key);
        lw_why_node node = { .kind = space == LW_SPACE_GLOBAL ? LW_WHY_INPUT : LW_WHY_UNWRITTEN,
                             .instruction = "",
                             .number = UINT64_MAX,
                             .lane = -1,
                             .reg = "",
                             .space = space,
                             .address = lw_why_key_address(cell->key),
                             .size = 4,
                             .region = "" };
        const uint32_t made = lw_why_make(w, &node, UINT32_MAX);
        if (made)
            lw_why_settle(w, &cell->head, all_wanted(w, cell->head), made);
    }
}

bool lw_why_walk(lw_why *w, uint64_t address, uint32_t size)
{
    lw_why_node asked = { .kind = LW_WHY_ASKED,
                          .exact = true,
                          .instruction = "",
                          .number = UINT64_MAX,
                          .lane = -1,
                          .reg = "",
                          .address = address,
                          .size = size,
                          .region = "" };
    lw_why_make(w, &asked, UINT32_MAX);
    for (uint64_t at = address & ~UINT64_C(3); at < address + size && w->node_count; at += 4) {
        uint8_t need = 0;
        for (unsigned b = 0; b < 4; b++)
            need |= (uint8_t)((at + b >= address && at + b < address + size) << b);
        const lw_why_edge edge = { .from = 0,
                                   .role = LW_ROLE_DATA,
                                   .shift = (int8_t)((int64_t)address - (int64_t)at),
                                   .operand = LW_OPERAND_COUNT };
        lw_why_want_memory(w, lw_why_key(w, 0, 0, LW_SPACE_GLOBAL, at), &edge, need);
    }
    for (size_t i = w->log.step_count; i-- > 0 && !w->log.full && !w->log.no_memory;)
        go_back(w, i);
    for (size_t i = 0; i < w->log.wave_count; i++)
        end_registers(w, (uint32_t)i);
    end_memory(w);
    return !w->log.full && !w->log.no_memory;
}

/* SPDX-License-Identifier: MIT */
/* Walking back through loads, stores, atomics and copies to LDS. */
#include "observers/why.h"

static const lw_why_access *accesses_of(const lw_why *w, const lw_why_step *s, uint32_t *count)
{
    const uint32_t masks = w->log.places[s->place].crosses && s->accesses >= 2 ? 2 : 0;
    *count = s->accesses - masks;
    return w->log.accesses + s->access + masks;
}

/* The distance of a node's address from where an access begins. */
static uint64_t distance(const lw_why_access *a, uint64_t address)
{
    return address - (a->space == LW_WHY_REMOTE ? (uint32_t)a->address : a->address);
}

/* The bytes of an access that are among the four from `at` on. */
static uint8_t bytes_in(const lw_why_access *a, uint64_t at)
{
    uint8_t bytes = 0;
    for (unsigned b = 0; b < 4; b++)
        bytes |= (uint8_t)((at + b >= a->address && at + b < a->address + a->size) << b);
    return bytes;
}

/* The bytes that the lane of an access has moved by earlier ones. */
static unsigned moved_before(const lw_why_access *all, uint32_t index)
{
    unsigned bytes = 0;
    for (uint32_t i = index; i-- > 0 && all[i].lane == all[index].lane;)
        bytes += all[i].size;
    return bytes;
}

/* ---- Nodes ---- */

/* An atomic operation that returns nothing may be logged as a plain store; its facts tell the difference. */
static lw_why_kind kind_of(const lw_why_place *p)
{
    const bool atomic = p->memory.load && p->memory.store && !p->memory.to_lds;
    return atomic ? LW_WHY_ATOMIC : p->copies && !p->sends ? LW_WHY_COPY : LW_WHY_STORE;
}

/* The register that holds dword `d` of what a lane sends; UINT32_MAX: a constant is among its values. */
static uint32_t row_sent(const lw_why_place *p, unsigned d, unsigned dwords)
{
    uint32_t row = UINT32_MAX;
    unsigned all = 0;
    for (size_t r = 0; r < p->run_count; r++) {
        const unsigned count = p->role[r] == LW_ROLE_DATA ? p->runs[r].count : 0;
        row = d >= all && d - all < count ? p->runs[r].row + (d - all) : row;
        all += count;
    }
    return all == dwords ? row : UINT32_MAX;
}

/* Values leave: what wants them wants the registers. */
static void leave(lw_why *w, const lw_why_step *s, const lw_why_access *a)
{
    const lw_why_place *p = &w->log.places[s->place];
    for (unsigned d = 0; 4 * d < a->size; d++) {
        uint32_t *head = lw_why_cell_of(w, lw_why_key(w, s->wave, a->lane, a->space, a->address + 4 * d));
        while (head && *head) {
            const uint32_t at = *head, row = row_sent(p, d, a->size / 4);
            const lw_why_want one = w->wants[at];
            *head = one.next;
            w->wants[at].next = w->free_want;
            w->free_want = at;
            lw_why_want_register(w, s->wave, row, a->lane, &one.edge, one.need);
            if (row == UINT32_MAX && !w->refused)
                w->refused = "a constant among values of st.async or red.async";
        }
    }
}

/* Wants the old value of an atomic's four bytes, which a lower lane of the instruction may have written. */
static void want_old(lw_why *w, uint32_t node, uint64_t key, uint8_t bytes)
{
    const lw_why_edge edge = { .from = node, .role = LW_ROLE_RESULT, .operand = LW_OPERAND_COUNT };
    lw_why_want_memory(w, key, &edge, bytes);
}

static void access_back(lw_why *w, size_t step, const lw_why_access *a, uint32_t index)
{
    const lw_why_step *s = &w->log.steps[step];
    const lw_why_place *p = &w->log.places[s->place];
    if (a->space == LW_WHY_FLIGHT) {
        leave(w, s, a);
        return;
    }
    for (uint64_t at = a->address & ~UINT64_C(3); at < a->address + a->size; at += 4) {
        const uint64_t key = lw_why_key(w, s->wave, a->lane, a->space, at);
        const uint8_t bytes = bytes_in(a, at);
        uint32_t *head = lw_why_cell_of(w, key);
        if (!head || !lw_why_is_wanted(w, *head, bytes))
            continue;
        w->refused = w->refused ? w->refused : p->refused;
        lw_why_node node = lw_why_of_step(w, kind_of(p), step, a->lane == LW_WHY_SCALAR ? -1 : (int)a->lane);
        node.exact = node.kind != LW_WHY_ATOMIC;
        node.space = a->space == LW_WHY_REMOTE ? LW_SPACE_LDS : (lw_space)a->space;
        node.address = a->space == LW_WHY_REMOTE ? (uint32_t)at : at;
        node.size = 4;
        const uint32_t made = lw_why_make(w, &node, UINT32_MAX);
        if (!made)
            return;
        lw_why_settle(w, head, bytes, made);
        if (node.kind == LW_WHY_ATOMIC)
            want_old(w, made, key, bytes);
        lw_why_make_later(w, &(lw_why_made){ .node = made, .lane = a->lane, .access = index });
    }
}

/* From the last lane to the first: where two lanes store to one place, the higher lane's bytes remain. */
void lw_why_memory_back(lw_why *w, size_t step)
{
    const lw_why_step *s = &w->log.steps[step];
    uint32_t count;
    const lw_why_access *all = accesses_of(w, s, &count);
    for (uint32_t i = count; w->cell_room && i-- > 0;)
        if (all[i].store)
            access_back(w, step, &all[i], i);
}

/* ---- Sources ---- */

/* Wants the byte of memory at `address`, which is byte `from` of the node. */
void lw_why_want_byte(lw_why *w, uint32_t node, const lw_why_step *s, const lw_why_access *a,
                      uint64_t address, unsigned from)
{
    const unsigned byte = address & 3;
    const lw_why_edge edge = { .from = node,
                               .role = LW_ROLE_DATA,
                               .shift = (int8_t)((int)byte - (int)from),
                               .operand = LW_OPERAND_COUNT };
    lw_why_want_memory(w, lw_why_key(w, s->wave, a->lane, a->space, address), &edge, (uint8_t)(1u << byte));
}

/* The position of a register's byte among the bytes of its operand. */
static unsigned place_of(unsigned mask, unsigned dword, unsigned byte)
{
    const unsigned each = (unsigned)__builtin_popcount(mask);
    return dword * each + (unsigned)__builtin_popcount(mask & ((1u << byte) - 1));
}

/* How many bytes the operands of the same role before run `r` take. */
static unsigned bytes_before(const lw_why_place *p, size_t r)
{
    unsigned bytes = 0;
    for (size_t i = 0; i < r; i++)
        if (p->role[i] == p->role[r]) {
            const bool own = p->runs[i].operand == p->runs[r].operand;
            const unsigned each = (unsigned)__builtin_popcount(
                own && p->role[r] == LW_ROLE_RESULT ? p->runs[i].written : p->runs[i].read);
            bytes += own ? each * p->runs[i].count : p->share[i];
        }
    return bytes;
}

/* For byte `from` of a loaded register: wants byte `at` of what its lane read. */
static void load_byte(lw_why *w, const lw_why_step *s, const lw_why_made *made, unsigned at, unsigned from)
{
    const lw_why_place *p = &w->log.places[s->place];
    uint32_t count;
    const lw_why_access *all = accesses_of(w, s, &count);
    const bool scalar = p->runs[made->run].lanes == LW_LANES_SCALAR;
    const unsigned lane = scalar ? LW_WHY_SCALAR : made->lane;
    for (uint32_t i = 0; i < count; i++) {
        if (all[i].lane != lane || !all[i].load)
            continue;
        if (at < all[i].size) {
            lw_why_want_byte(w, made->node, s, &all[i], all[i].address + at, from);
            return;
        }
        at -= all[i].size;
    }
}

/* For a transposing read: wants everything that its group of lanes read. */
static void group_sources(lw_why *w, const lw_why_step *s, const lw_why_made *made)
{
    uint32_t count;
    const lw_why_access *all = accesses_of(w, s, &count);
    const unsigned group = w->log.places[s->place].memory.exchange;
    for (uint32_t i = 0; i < count; i++)
        for (uint64_t at = all[i].address & ~UINT64_C(3);
             all[i].lane / group == made->lane / group && at < all[i].address + all[i].size; at += 4) {
            const lw_why_edge edge = { .from = made->node,
                                       .role = LW_ROLE_DATA,
                                       .operand = LW_OPERAND_COUNT };
            lw_why_want_memory(w, lw_why_key(w, s->wave, all[i].lane, all[i].space, at), &edge,
                               bytes_in(&all[i], at));
        }
}

static void load_sources(lw_why *w, const lw_why_step *s, const lw_why_made *made)
{
    if (w->log.places[s->place].moves) {
        lw_why_moved_sources(w, s, made);
        return;
    }
    const lw_why_place *p = &w->log.places[s->place];
    const unsigned mask = p->runs[made->run].written, before = bytes_before(p, made->run);
    if (p->memory.transposes) {
        group_sources(w, s, made);
        return;
    }
    for (unsigned b = 0; b < 4; b++) {
        const unsigned at = place_of(mask, made->dword, b);
        if (mask >> b & 1 && at < p->share[made->run])
            load_byte(w, s, made, before + at, b);
    }
}

/* Wants the byte of a data register that is byte `at` of what the lane stores. */
static void store_byte(lw_why *w, const lw_why_step *s, const lw_why_made *made, unsigned at, unsigned from)
{
    const lw_why_place *p = &w->log.places[s->place];
    for (size_t r = 0; r < p->run_count; r++) {
        const unsigned before = p->role[r] == LW_ROLE_DATA ? bytes_before(p, r) : 0;
        if (p->role[r] != LW_ROLE_DATA || at < before)
            continue;
        for (unsigned d = 0; d < p->runs[r].count; d++)
            for (unsigned b = 0; b < 4; b++) {
                const unsigned own = place_of(p->runs[r].read, d, b);
                if (!(p->runs[r].read >> b & 1) || own >= p->share[r] || own + before != at)
                    continue;
                const lw_why_edge edge = { .from = made->node,
                                           .role = LW_ROLE_DATA,
                                           .shift = (int8_t)((int)b - (int)from),
                                           .operand = LW_OPERAND_COUNT };
                const bool scalar = p->runs[r].lanes == LW_LANES_SCALAR;
                lw_why_want_register(w, s->wave, p->runs[r].row + d, scalar ? 0 : made->lane, &edge,
                                     (uint8_t)(1u << b));
                return;
            }
    }
}

/* The load of a copy that belongs to this store: the one after it if the list begins with a store, else the
 * one before it. Zeros have none; those of AMD's copies to LDS are listed like the others. */
static const lw_why_access *partner_of(const lw_why_place *p, const lw_why_access *all, uint32_t count,
                                       uint32_t index)
{
    const bool stores_first = all[0].store && !p->memory.to_lds;
    const uint32_t other = stores_first ? index + 1 : index - 1;
    return other < count && all[other].load && all[other].lane == all[index].lane ? &all[other] : NULL;
}

/* PTX's atomics that return a value have sources, those that do not have data. */
static bool is_data(lw_role role)
{
    return role == LW_ROLE_DATA || role == LW_ROLE_SOURCE;
}

/* For an atomic: wants all data of the lane; of one that has its data from memory, those of the elements that
 * the four bytes are in. */
static void atomic_sources(lw_why *w, const lw_why_step *s, const lw_why_made *made)
{
    enum { WIDEST = 8 };
    const lw_why_place *p = &w->log.places[s->place];
    uint32_t count;
    const lw_why_access *all = accesses_of(w, s, &count), *a = &all[made->access];
    const lw_why_access *from = p->copies ? partner_of(p, all, count, made->access) : NULL;
    const lw_why_edge edge = { .from = made->node, .role = LW_ROLE_DATA, .operand = LW_OPERAND_COUNT };
    const uint64_t at = distance(a, w->nodes[made->node].address),
                   each = p->memory.bytes == 2 || p->memory.bytes == 4 ? 4 : WIDEST;
    for (uint64_t b = at - at % each; from && b < at - at % each + each && b < from->size; b += 4)
        lw_why_want_memory(w, lw_why_key(w, s->wave, from->lane, from->space, from->address + b), &edge,
                           LW_BYTES_ALL);
    for (size_t r = 0; !from && (!p->copies || p->sends) && r < p->run_count; r++)
        for (unsigned d = 0; is_data((lw_role)p->role[r]) && d < p->runs[r].count; d++)
            lw_why_want_register(w, s->wave, p->runs[r].row + d, made->lane, &edge, LW_BYTES_ALL);
}

void lw_why_memory_sources(lw_why *w, size_t step, const lw_why_made *made)
{
    const lw_why_step *s = &w->log.steps[step];
    const lw_why_node node = w->nodes[made->node];
    uint32_t count;
    const lw_why_access *all = accesses_of(w, s, &count), *a = &all[made->access];
    if (node.kind == LW_WHY_LOAD) {
        load_sources(w, s, made);
        return;
    }
    if (node.kind == LW_WHY_ATOMIC) {
        atomic_sources(w, s, made);
        return;
    }
    const lw_why_access *from = node.kind == LW_WHY_COPY || w->log.places[s->place].sends
                                    ? partner_of(&w->log.places[s->place], all, count, made->access)
                                    : NULL;
    const unsigned before = moved_before(all, made->access);
    for (unsigned b = 0; b < 4; b++) {
        const uint64_t at = distance(a, node.address) + b;
        if (at >= a->size)
            continue;
        if (from && at < from->size)
            lw_why_want_byte(w, made->node, s, from, from->address + at, b);
        else if (node.kind == LW_WHY_STORE && w->log.places[s->place].moves)
            lw_why_moved_byte(w, s, made->node, a->lane, (unsigned)at, b);
        else if (node.kind == LW_WHY_STORE)
            store_byte(w, s, made, (unsigned)at + before, b);
    }
}

/* SPDX-License-Identifier: MIT */
/* From sources to results: which bytes and bits of a result are undefined when some of the sources are. */
#include <stdlib.h>
#include <string.h>

#include "observers/undefined.h"

enum { MOST_SOURCES = 4 };

/* One source in all lanes: which bits of up to 64 are undefined, and its value. */
typedef struct source {
    const lw_fact_operand *operand;
    uint64_t lacks[LW_MAX_LANES], value[LW_MAX_LANES];
    bool lacks_any;
} source;

static uint64_t all_lanes(const lw_event *event)
{
    return event->lanes < LW_MAX_LANES ? (UINT64_C(1) << event->lanes) - 1 : UINT64_MAX;
}

/* The lane that readlane and writelane name: their last scalar source. */
static unsigned named_lane(const lw_event *event)
{
    const lw_facts *f = event->facts;
    unsigned lane = 0;
    for (size_t i = 0; i < f->operand_count; i++) {
        const lw_fact_operand *o = &f->operands[i];
        if (o->role != LW_ROLE_SOURCE || o->lanes != LW_LANES_SCALAR)
            continue;
        lane = o->is_register ? lw_event_value(event, o->file, o->first, 0) : (unsigned)o->constant;
    }
    return lane % event->lanes;
}

uint64_t lw_lack_lanes(const lw_lack_step *s, const lw_shadow_run *run)
{
    const lw_event *event = s->event;
    switch ((lw_lanes)run->lanes) {
    case LW_LANES_SCALAR:
        return UINT32_MAX; /* bits */
    case LW_LANES_ACTIVE:
        return event->exec;
    case LW_LANES_ALL:
        return all_lanes(event);
    case LW_LANES_ONE:
        return UINT64_C(1) << named_lane(event);
    case LW_LANES_SOME:
        break;
    }
    return lw_event_lanes(event, &event->facts->operands[run->operand]) & all_lanes(event);
}

uint64_t lw_lack_of(const lw_lack_step *s, const lw_shadow_run *run, unsigned reg)
{
    const lw_lack_wave *w = s->wave;
    const uint32_t row = run->row + reg;
    uint64_t lanes = 0;
    if (!w->any[row] || !lw_shadow_is_vector(run->file))
        return w->any[row];
    for (unsigned b = 0; b < 4; b++)
        lanes |= run->read >> b & 1 ? w->bytes[row][b] : 0;
    return lanes;
}

bool lw_lack_reads(const lw_lack_step *s, const lw_shadow_run *run)
{
    for (unsigned reg = 0; reg < run->count; reg++)
        if (s->wave->any[run->row + reg] && lw_lack_of(s, run, reg) & lw_lack_lanes(s, run))
            return true;
    return false;
}

/* ---- Results ---- */

void lw_lack_set(lw_lack_step *s, const lw_shadow_run *run, unsigned reg, unsigned byte, uint64_t lanes,
                 uint64_t lacks)
{
    lw_lack_wave *w = s->wave;
    const uint32_t row = run->row + reg;
    uint64_t *own = w->bytes[row];
    own[byte] = (own[byte] & ~lanes) | (lacks & lanes);
    w->any[row] = own[0] | own[1] | own[2] | own[3];
    for (unsigned lane = 0; w->exact[row] && lane < LW_MAX_LANES; lane++)
        if (lanes >> lane & 1)
            w->exact[row][lane][byte] = 0xff;
    if (lacks & lanes)
        w->origin[row] = s->origin;
}

unsigned lw_lack_bits(const lw_lack_wave *w, uint32_t row, unsigned byte, unsigned lane)
{
    if (!(w->bytes[row][byte] >> lane & 1))
        return 0;
    return w->exact[row] ? w->exact[row][lane][byte] : 0xff;
}

void lw_lack_set_bits(lw_lack_step *s, const lw_shadow_run *run, unsigned reg, unsigned byte, unsigned lane,
                      unsigned bits)
{
    lw_lack_wave *w = s->wave;
    const uint32_t row = run->row + reg;
    lw_lack_set(s, run, reg, byte, UINT64_C(1) << lane, bits ? UINT64_MAX : 0);
    if (!bits || bits == 0xff)
        return;
    if (!w->exact[row] && (w->exact[row] = malloc(LW_MAX_LANES * sizeof(*w->exact[row]))) != NULL)
        memset(w->exact[row], 0xff, LW_MAX_LANES * sizeof(*w->exact[row]));
    if (w->exact[row])
        w->exact[row][lane][byte] = (uint8_t)bits;
}

void lw_lack_set_scalar(lw_lack_step *s, const lw_shadow_run *run, unsigned reg, uint32_t bits)
{
    const bool decides = run->file == LW_FILE_NAMED &&
                         (run->reg + reg == LW_NAMED_EXEC_LO || run->reg + reg == LW_NAMED_EXEC_HI);
    if (decides && bits)
        lw_lack_report(s, lw_lack_exec_rule, -1);
    s->wave->any[run->row + reg] = decides ? 0 : bits;
    if (bits)
        s->wave->origin[run->row + reg] = s->origin;
}

void lw_lack_clear(lw_lack_step *s)
{
    for (size_t i = 0; i < s->count; i++) {
        const lw_shadow_run *run = &s->runs[i];
        for (unsigned reg = 0; run->written && reg < run->count; reg++) {
            if (!s->wave->any[run->row + reg])
                continue;
            if (!lw_shadow_is_vector(run->file)) {
                s->wave->any[run->row + reg] = 0;
                continue;
            }
            const uint64_t lanes = lw_lack_lanes(s, run);
            for (unsigned b = 0; b < 4; b++)
                if (run->written >> b & 1)
                    lw_lack_set(s, run, reg, b, lanes, 0);
        }
    }
}

/* ---- Sources ---- */

static uint32_t lane_lacks(const lw_lack_step *s, const lw_shadow_run *run, unsigned reg, unsigned lane)
{
    uint32_t lacks = 0;
    for (unsigned b = 0; b < 4; b++)
        lacks |= run->read >> b & 1 ? (uint32_t)lw_lack_bits(s->wave, run->row + reg, b, lane) << 8 * b : 0;
    return lacks;
}

/* Adds what a run of the source lacks; `from` gives lanes, or is NULL. */
static void add_run(lw_lack_step *s, const lw_shadow_run *run, const uint8_t *from, source *out)
{
    const unsigned offset = run->reg - out->operand->first;
    uint32_t values[LW_MAX_LANES];
    const bool vector = lw_shadow_is_vector(run->file);
    const unsigned one = run->lanes == LW_LANES_ONE ? named_lane(s->event) : 0;
    const bool first = run->lanes == LW_LANES_SOME && !from; /* readfirstlane */
    for (unsigned reg = 0; reg < run->count; reg++) {
        const unsigned shift = (offset + reg) % 2 * 32; /* wider operands only compute */
        lw_event_values(s->event, (lw_reg_file)run->file, run->reg + reg, values,
                        vector ? s->event->lanes : 1);
        const uint64_t some = first ? lw_lack_lanes(s, run) : 0;
        unsigned low = 0;
        while (some && !(some >> low & 1))
            low++;
        for (unsigned lane = 0; lane < s->event->lanes; lane++) {
            const unsigned at = !vector                      ? 0
                                : run->lanes == LW_LANES_ONE ? one
                                : first                      ? low
                                : from                       ? from[lane]
                                                             : lane;
            if (at >= s->event->lanes)
                continue;
            const uint32_t lacks =
                vector ? lane_lacks(s, run, reg, at) : (uint32_t)s->wave->any[run->row + reg];
            out->lacks[lane] |= (uint64_t)lacks << shift;
            out->value[lane] |= (uint64_t)values[at] << shift;
            out->lacks_any = out->lacks_any || lacks;
        }
        if (out->lacks_any && !s->origin)
            s->origin = lw_lack_origin_of(s, run, reg);
    }
}

static void take_source(lw_lack_step *s, size_t operand, source *out)
{
    const lw_fact_operand *o = &s->event->facts->operands[operand];
    uint8_t from[LW_MAX_LANES];
    memset(out, 0, sizeof(*out));
    out->operand = o;
    for (unsigned lane = 0; !o->is_register && lane < s->event->lanes; lane++)
        out->value[lane] = o->constant;
    if (!o->is_register)
        return;
    const bool crosses = (o->lanes == LW_LANES_SOME || s->event->facts->flow == LW_FLOW_LANES) &&
                         lw_event_lane_sources(s->event, o, from);
    for (size_t i = 0; i < s->count; i++)
        if (s->runs[i].operand == operand)
            add_run(s, &s->runs[i], crosses ? from : NULL, out);
}

/* ---- How results depend on them ---- */

/* The bits of f(a, b, c) that change when undefined bits do. Equal sources change together. */
static uint64_t varying(unsigned truth, const uint64_t v[3], const uint64_t lacks[3], const unsigned same[3],
                        uint64_t *known)
{
    uint64_t first = 0, differs = 0;
    for (unsigned combo = 0; combo < 8; combo++) {
        uint64_t in[3], r = 0;
        for (unsigned i = 0; i < 3; i++)
            in[i] = combo >> same[i] & 1 ? v[i] | lacks[i] : v[i] & ~lacks[i];
        for (unsigned i = 0; i < 8; i++)
            if (truth >> i & 1)
                r |= (i & 1 ? in[0] : ~in[0]) & (i & 2 ? in[1] : ~in[1]) & (i & 4 ? in[2] : ~in[2]);
        first = combo ? first : r;
        differs |= r ^ first;
    }
    *known = first & ~differs;
    return differs;
}

/* Bytes that a selector names: 0 to 3 of the second source, 4 to 7 of the first, 8 to 11 signs, others
 * constant. */
static uint64_t picked(uint64_t first, uint64_t second, uint32_t selector)
{
    uint64_t lacks = 0;
    for (unsigned b = 0; b < 4; b++) {
        const unsigned at = selector >> 8 * b & 0xff;
        const uint64_t from = at < 4    ? second >> 8 * at
                              : at < 8  ? first >> 8 * (at - 4)
                              : at < 12 ? first | second
                                        : 0;
        lacks |= (from & (at < 8 ? 0xff : UINT64_MAX) ? UINT64_C(0xff) : 0) << 8 * b;
    }
    return lacks;
}

static uint64_t if_any(uint64_t lacks)
{
    return lacks ? UINT64_MAX : 0;
}

/* What the sources say, before they are combined. */
typedef struct mix {
    source in[MOST_SOURCES];
    size_t count;
    uint64_t mask, mask_lacks; /* lanes whose choice is the second source; lanes whose choice is undefined */
    bool has_mask;
} mix;

static uint64_t bits_of(const mix *m, unsigned lane, unsigned truth, uint64_t *known)
{
    uint64_t v[3] = { 0 }, lacks[3] = { 0 };
    unsigned same[3] = { 0, 1, 2 };
    for (unsigned i = 0; i < 3 && i < m->count; i++) {
        const lw_fact_operand *o = m->in[i].operand;
        v[i] = m->in[i].value[lane];
        lacks[i] = m->in[i].lacks[lane];
        for (unsigned k = 0; k < i; k++) {
            const lw_fact_operand *other = m->in[k].operand;
            if (o->is_register && other->is_register && o->file == other->file && o->first == other->first &&
                o->lanes == other->lanes)
                same[i] = same[k];
        }
    }
    return varying(truth, v, lacks, same, known);
}

/* A source moved by another one; a third one is joined to it. */
static uint64_t moved(const lw_facts *f, const mix *m, unsigned lane)
{
    const source *in = &m->in[f->shifted], *by = &m->in[!f->shifted];
    if (m->count < 2)
        return m->count ? if_any(m->in[0].lacks[lane]) : 0;
    const unsigned width = in->operand->count > 1 ? 64 : 32;
    if (by->lacks[lane] & (width - 1))
        return UINT64_MAX;
    const bool joins = m->count > 2 && m->in[2].operand->role == LW_ROLE_SOURCE;
    const unsigned n = (unsigned)by->value[lane] & (width - 1);
    return (f->flow == LW_FLOW_LEFT ? in->lacks[lane] << n : in->lacks[lane] >> n) |
           (joins ? m->in[2].lacks[lane] : 0);
}

/* The undefined bits of the result in one lane. */
static uint64_t combine(const lw_lack_step *s, const mix *m, unsigned lane)
{
    const lw_facts *f = s->event->facts;
    uint64_t all = 0, known;
    for (size_t i = 0; i < m->count; i++)
        all |= m->in[i].lacks[lane];
    const bool undecided = m->has_mask && m->mask_lacks >> lane & 1;
    const uint64_t one = m->count > 0 ? m->in[0].lacks[lane] : 0,
                   two = m->count > 1 ? m->in[1].lacks[lane] : 0;
    switch (f->flow) {
    case LW_FLOW_COPIES:
        return one;
    case LW_FLOW_SELECTS:
        return undecided ? UINT64_MAX : m->mask >> lane & 1 ? two : one;
    case LW_FLOW_BITS:
        return f->truth ? bits_of(m, lane, f->truth, &known) : if_any(all);
    case LW_FLOW_BYTES:
        return m->count < 3 || m->in[2].lacks[lane] ? if_any(all)
                                                    : picked(one, two, (uint32_t)m->in[2].value[lane]);
    case LW_FLOW_HALVES:
        return (all & 0xffff ? 0xffff : 0) | (all >> 16 & 0xffff ? UINT64_C(0xffff0000) : 0);
    case LW_FLOW_PACKS:
        return (one ? 0xffff : 0) | (two ? UINT64_C(0xffff0000) : 0);
    case LW_FLOW_LEFT:
    case LW_FLOW_RIGHT:
        return moved(f, m, lane);
    case LW_FLOW_CARRIES: /* from the lowest undefined bit on */
        return undecided ? UINT64_MAX : all | (0 - (all & (0 - all)));
    case LW_FLOW_COMPUTES:
    case LW_FLOW_PARTS:
    case LW_FLOW_LANES:
        break;
    }
    return undecided ? UINT64_MAX : if_any(all);
}

/* ---- Masks ---- */

/* A scalar mask chooses the second source, SCC and predicates the first one. */
static void take_mask(lw_lack_step *s, size_t operand, mix *m)
{
    source scratch;
    const lw_fact_operand *o = &s->event->facts->operands[operand];
    take_source(s, operand, &scratch);
    m->has_mask = true;
    for (unsigned lane = 0; lane < s->event->lanes; lane++) {
        const bool own = o->file == LW_FILE_PREDICATE,
                   scc = o->file == LW_FILE_NAMED && o->first == LW_NAMED_SCC;
        const unsigned at = own || scc ? 0 : lane;
        const uint64_t value = scratch.value[lane] >> at & 1, lacks = scratch.lacks[lane] >> at & 1;
        m->mask |= (own || scc ? !value : value) << lane;
        m->mask_lacks |= lacks << lane;
    }
}

static bool is_condition(const lw_lack_step *s, const lw_fact_operand *o)
{
    const bool scc = o->file == LW_FILE_NAMED && o->first == LW_NAMED_SCC && o->read;
    return o->is_register && o->read &&
           ((o->role == LW_ROLE_MASK && o->lanes != LW_LANES_SOME) ||
            (o->role == LW_ROLE_IMPLIED && scc && s->event->facts->flow == LW_FLOW_SELECTS));
}

static bool is_value(const lw_lack_step *s, const lw_fact_operand *o)
{
    const bool lanes = s->event->facts->flow == LW_FLOW_LANES;
    const bool crosses = lanes && (o->role == LW_ROLE_ADDRESS || o->role == LW_ROLE_DATA);
    return o->role == LW_ROLE_SOURCE || crosses ||
           (o->role == LW_ROLE_RESULT && o->is_register && o->read && !lanes) || /* else kept in some lanes */
           (o->role == LW_ROLE_IMPLIED && o->is_register && o->read);
}

static void gather(lw_lack_step *s, mix *m)
{
    const lw_facts *f = s->event->facts;
    memset(m, 0, sizeof(*m));
    for (size_t pass = 0; pass < 2; pass++) /* a tied result comes after the sources */
        for (size_t i = 0; i < f->operand_count; i++) {
            const lw_fact_operand *o = &f->operands[i];
            const bool named = o->role == LW_ROLE_SOURCE;
            if (is_condition(s, o) && !pass)
                take_mask(s, i, m);
            else if (!is_condition(s, o) && is_value(s, o) && named == !pass && m->count < MOST_SOURCES)
                take_source(s, i, &m->in[m->count++]);
        }
}

/* ---- Into registers ---- */

static void put_vector(lw_lack_step *s, const lw_shadow_run *run, unsigned offset,
                       const uint64_t lacks[LW_MAX_LANES])
{
    const uint64_t lanes = lw_lack_lanes(s, run);
    for (unsigned reg = 0; reg < run->count; reg++)
        for (unsigned b = 0; b < 4; b++) {
            uint64_t bad = 0, part = 0;
            const unsigned shift = (offset + reg) % 2 * 32 + 8 * b;
            for (unsigned lane = 0; lane < s->event->lanes; lane++) {
                const unsigned bits = lacks[lane] >> shift & 0xff;
                bad |= (uint64_t)(bits != 0) << lane;
                part |= (uint64_t)(bits != 0 && bits != 0xff) << lane;
            }
            if (run->written >> b & 1)
                lw_lack_set(s, run, reg, b, lanes, bad);
            for (unsigned lane = 0; run->written >> b & 1 && part & lanes && lane < s->event->lanes; lane++)
                if (part & lanes & UINT64_C(1) << lane)
                    lw_lack_set_bits(s, run, reg, b, lane, lacks[lane] >> shift & 0xff);
        }
}

/* A vector instruction's scalar result is a mask of lanes, unless it copies. */
static uint32_t mask_word(const lw_lack_step *s, unsigned word, const uint64_t lacks[LW_MAX_LANES])
{
    uint64_t mask = 0;
    for (unsigned lane = 0; lane < s->event->lanes && lane < LW_MAX_LANES; lane++)
        mask |= (uint64_t)(lacks[lane] != 0) << lane;
    return (uint32_t)((mask & s->event->exec) >> 32 * word);
}

static void put_scalar(lw_lack_step *s, const lw_shadow_run *run, unsigned offset,
                       const uint64_t lacks[LW_MAX_LANES])
{
    const lw_facts *f = s->event->facts;
    const bool mask = f->kind == LW_CLASS_VECTOR && f->flow != LW_FLOW_COPIES;
    for (unsigned reg = 0; reg < run->count; reg++) {
        const unsigned word = (offset + reg) % 2;
        const bool scc = run->file == LW_FILE_NAMED && run->reg + reg == LW_NAMED_SCC;
        lw_lack_set_scalar(s, run, reg,
                           mask  ? mask_word(s, word, lacks)
                           : scc ? (uint32_t)(lacks[0] != 0)
                                 : (uint32_t)(lacks[0] >> 32 * word));
    }
}

/* Pieces of equal width that follow one another, on both sides. */
static void put_parts(lw_lack_step *s, const mix *m)
{
    unsigned results = 0, at = 0, registers = 0;
    for (size_t i = 0; i < s->count; i++)
        results += s->role[i] == LW_ROLE_RESULT;
    for (size_t i = 0; i < s->count; i++)
        registers += results == 1 ? (s->role[i] == LW_ROLE_RESULT ? s->runs[i].count : 0u)
                                  : (s->role[i] == LW_ROLE_SOURCE ? s->runs[i].count : 0u);
    const unsigned pieces = results == 1 ? (unsigned)m->count : results;
    const unsigned width = pieces && registers <= 2 ? 32 * registers / pieces : 0;
    uint64_t lacks[LW_MAX_LANES] = { 0 };
    for (unsigned lane = 0; width && results == 1 && lane < s->event->lanes; lane++)
        for (unsigned i = 0; i < pieces; i++)
            lacks[lane] |= (m->in[i].lacks[lane] & ((UINT64_C(1) << width) - 1)) << width * i;
    for (size_t i = 0; i < s->count; i++) {
        if (s->role[i] != LW_ROLE_RESULT)
            continue;
        for (unsigned lane = 0; results != 1 && width && lane < s->event->lanes; lane++)
            lacks[lane] = m->in[0].lacks[lane] >> width * at & ((UINT64_C(1) << width) - 1);
        put_vector(s, &s->runs[i], 0, lacks);
        at++;
    }
}

/* Lanes that the machine cannot name may have got any active lane's value. */
static void share_lanes(lw_lack_step *s, mix *m)
{
    uint8_t from[LW_MAX_LANES];
    uint64_t all = 0;
    for (size_t i = 0; i < m->count; i++)
        if (lw_event_lane_sources(s->event, m->in[i].operand, from))
            return;
    for (size_t i = 0; i < m->count; i++)
        for (unsigned lane = 0; lane < s->event->lanes; lane++)
            all |= s->event->exec >> lane & 1 ? m->in[i].lacks[lane] : 0;
    for (unsigned lane = 0; m->count && lane < s->event->lanes; lane++)
        m->in[0].lacks[lane] |= all;
}

/* Is a scalar result that is compared with zero certain although some of its bits are not? */
static bool scc_is_known(const lw_lack_step *s, const mix *m)
{
    uint64_t known = 0;
    if (s->event->facts->flow == LW_FLOW_BITS)
        (void)bits_of(m, 0, s->event->facts->truth, &known);
    return known != 0;
}

void lw_lack_flow(lw_lack_step *s)
{
    mix m;
    uint64_t lacks[LW_MAX_LANES] = { 0 };
    static const uint64_t none[LW_MAX_LANES];
    const lw_facts *f = s->event->facts;
    gather(s, &m);
    if (f->flow == LW_FLOW_PARTS) {
        put_parts(s, &m);
        return;
    }
    if (f->flow == LW_FLOW_LANES)
        share_lanes(s, &m);
    for (unsigned lane = 0; lane < s->event->lanes; lane++)
        lacks[lane] = combine(s, &m, lane);
    for (size_t i = 0; i < s->count; i++) {
        const lw_shadow_run *run = &s->runs[i];
        const unsigned offset = run->reg - f->operands[run->operand].first;
        const bool scc = run->file == LW_FILE_NAMED && run->reg == LW_NAMED_SCC;
        if (!run->written)
            continue;
        if (lw_shadow_is_vector(run->file))
            put_vector(s, run, offset, lacks);
        else
            put_scalar(s, run, offset, scc && scc_is_known(s, &m) ? none : lacks);
    }
}

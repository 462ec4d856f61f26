/* SPDX-License-Identifier: MIT */
/* --check numerics: classifies the numbers in sources and results, to find where NaN and infinity arise. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/mma.h>

#include "observers/check.h"
#include "observers/notes.h"
#include "observers/numerics.h"

enum { MOST_SOURCES = 4, MOST_RULES = 6, CODES = 256 };

/* A format of up to 32 bits with exponent, then significand; of fewer than 16 bits, a table of codes. */
typedef struct number_format {
    uint8_t bits, exponent, significand;
    bool by_code;
    uint8_t kind[CODES];
} number_format;

/* An operand that holds numbers. */
typedef struct number_operand {
    lw_reg_file file;
    uint16_t first, count;
    lw_lanes lanes;
    bool is_register;
    uint64_t constant;
    uint8_t format; /* lw_number; */
    uint8_t op;     /* of a matrix: lw_operand */
    uint8_t shift;  /* the first bit of a number that is in a half */
} number_operand;

typedef struct numerics_place {
    lw_finding_at at;
    number_operand result, source[MOST_SOURCES];
    size_t sources;
    bool is_matrix, wanted, narrows;
    uint32_t limit;         /* of a conversion: the magnitude of the result's largest number as f32, or 0 */
    number_format *formats; /* of a matrix, by lw_operand */
} numerics_place;

typedef struct numerics {
    lw_check check;
    lw_note_list places;        /* of numerics_place */
    uint8_t seen[LW_MAX_LANES]; /* of the instruction under way: kinds of its sources, by lane */
    uint8_t seen_all;
    const char *told[MOST_RULES];   /* rules that it was reported for */
    bool first_nan, first_infinity; /* have been reported */
} numerics;

/* ---- Kinds ---- */

/* Whether a number of a source is larger than any of the result's format. */
static unsigned beyond(lw_number format, uint32_t word, uint32_t limit)
{
    const bool two = format == LW_NUMBER_F16X2 || format == LW_NUMBER_BF16X2;
    return lw_number_magnitude(format, word) > limit ||
                   (two && lw_number_magnitude(format, word >> 16) > limit)
               ? LW_IS_BEYOND
               : 0;
}

/* The largest number of formats that numbers are narrowed to, as f32; 0: of others. */
static uint32_t limit_of(lw_number result, lw_number source)
{
    static const uint32_t limits[] = {
        [LW_NUMBER_F16] = 0x477fe000 /* 65504 */,  [LW_NUMBER_F16X2] = 0x477fe000,
        [LW_NUMBER_E4M3X2] = 0x43e00000 /* 448 */, [LW_NUMBER_E5M2X2] = 0x47600000 /* 57344 */,
        [LW_NUMBER_E2M3X2] = 0x40f00000 /* 7.5 */, [LW_NUMBER_E3M2X2] = 0x41e00000 /* 28 */,
        [LW_NUMBER_E2M1X2] = 0x40c00000 /* 6 */,
    };
    const bool half = result == LW_NUMBER_F16 || result == LW_NUMBER_F16X2;
    if (half && source != LW_NUMBER_F32 && source != LW_NUMBER_BF16 && source != LW_NUMBER_BF16X2)
        return 0;
    return result < sizeof(limits) / sizeof(limits[0]) ? limits[result] : 0;
}

/* Whether a number of a result is the largest of its format. */
static unsigned is_largest(lw_number format, uint32_t word)
{
    static const struct {
        uint8_t size, shift; /* of a number's code without its sign; to the second number */
        uint16_t code;
    } largest[] = {
        [LW_NUMBER_F16] = { 15, 0, 0x7bff }, [LW_NUMBER_F16X2] = { 15, 16, 0x7bff },
        [LW_NUMBER_E4M3X2] = { 7, 8, 0x7e }, [LW_NUMBER_E5M2X2] = { 7, 8, 0x7b },
        [LW_NUMBER_E2M3X2] = { 5, 8, 0x1f }, [LW_NUMBER_E3M2X2] = { 5, 8, 0x1f },
        [LW_NUMBER_E2M1X2] = { 3, 4, 7 },
    };
    const uint32_t mask = (1u << largest[format].size) - 1, code = largest[format].code;
    return (word & mask) == code || (word >> largest[format].shift & mask) == code ? LW_IS_BEYOND : 0;
}

static bool has_two_words(lw_number format)
{
    return format == LW_NUMBER_F64 || format == LW_NUMBER_F32X2;
}

/* Of every lane; scalars and constants are the same in all. */
static void look(const lw_event *event, const number_operand *o, uint32_t limit, uint8_t kinds[LW_MAX_LANES])
{
    const lw_number format = (lw_number)o->format;
    uint32_t low[LW_MAX_LANES], high[LW_MAX_LANES];
    const unsigned lanes = event->lanes;
    if (!o->is_register || o->lanes == LW_LANES_SCALAR) {
        const uint32_t one =
            o->is_register ? lw_event_value(event, o->file, o->first, 0) : (uint32_t)o->constant;
        const uint32_t two = !o->is_register ? (uint32_t)(o->constant >> 32)
                             : o->count > 1  ? lw_event_value(event, o->file, o->first + 1u, 0)
                                             : 0;
        const unsigned kind = lw_number_kinds(format, one >> o->shift, two) |
                              (limit ? beyond(format, one >> o->shift, limit) : 0);
        for (unsigned lane = 0; lane < lanes; lane++)
            kinds[lane] |= (uint8_t)kind;
        return;
    }
    lw_event_values(event, o->file, o->first, low, lanes);
    if (has_two_words(format) && o->count > 1)
        lw_event_values(event, o->file, o->first + 1u, high, lanes);
    else
        memset(high, 0, sizeof(high));
    for (unsigned lane = 0; lane < lanes; lane++)
        kinds[lane] |= (uint8_t)(lw_number_kinds(format, low[lane] >> o->shift, high[lane]) |
                                 (limit ? beyond(format, low[lane] >> o->shift, limit) : 0));
}

static void look_largest(const lw_event *event, const number_operand *o, uint8_t kinds[LW_MAX_LANES])
{
    uint32_t word[LW_MAX_LANES];
    lw_event_values(event, o->file, o->first, word, event->lanes);
    for (unsigned lane = 0; lane < event->lanes; lane++)
        kinds[lane] |= (uint8_t)is_largest((lw_number)o->format, word[lane] >> o->shift);
}

/* ---- Matrices ---- */

static const struct {
    const char *name;
    uint8_t bits, exponent, significand;
} plain[] = { { "f16", 16, 5, 10 }, { "bf16", 16, 8, 7 }, { "f32", 32, 8, 23 } };

static void fill_codes(number_format *f, const char *name)
{
    char text[64];
    f->by_code = true;
    for (unsigned code = 0; code < 1u << f->bits; code++)
        if (lw_mma_decode(name, code, text, sizeof(text)) == LW_OK)
            f->kind[code] = strstr(text, "nan")   ? LW_IS_NAN
                            : strstr(text, "inf") ? LW_IS_INFINITY
                                                  : LW_IS_NORMAL;
}

/* Formats whose numbers can be classified; integers and f64 cannot. */
static bool fill_format(number_format *f, const lw_operand_info *info)
{
    for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]); i++)
        if (strcmp(info->format, plain[i].name) == 0) {
            *f = (number_format){ .bits = plain[i].bits,
                                  .exponent = plain[i].exponent,
                                  .significand = plain[i].significand };
            return true;
        }
    *f = (number_format){ .bits = info->element_bits };
    if (info->element_bits != 8 || !strpbrk(info->format, "fe") || strcmp(info->format, "e8m0") == 0)
        return false;
    fill_codes(f, info->format);
    return true;
}

/* All elements of an operand together. */
static unsigned look_matrix(const lw_event *event, const number_operand *o, const number_format *f,
                            int *nan_lane)
{
    uint32_t word[LW_MAX_LANES];
    unsigned all = 0;
    for (unsigned i = 0; i < o->count; i++) {
        lw_event_values(event, o->file, lw_event_matrix_register(event, (lw_operand)o->op, i), word,
                        event->lanes);
        for (unsigned lane = 0; lane < event->lanes; lane++)
            for (unsigned bit = 0; bit < 32; bit += f->bits) {
                const uint32_t code = word[lane] >> bit & (uint32_t)((UINT64_C(1) << f->bits) - 1);
                const unsigned kind =
                    f->by_code ? f->kind[code] : lw_number_kind(code, f->exponent, f->significand);
                if (kind & (LW_IS_NAN | LW_IS_INFINITY) && *nan_lane < 0)
                    *nan_lane = (int)lane;
                all |= kind;
            }
    }
    return all;
}

/* ---- Findings ---- */

static const char nan_rule[] = "nan-born", over_rule[] = "overflow", pole_rule[] = "infinity-born",
                  lost_rule[] = "nan-lost", subnormal_rule[] = "subnormal-result", flush_rule[] = "flushed";

static void report(numerics *c, const lw_event *event, const numerics_place *p, const char *rule,
                   lw_severity severity, const char *why, int lane, const char *what)
{
    const lw_finding_new made = {
        .severity = severity, .rule = rule, .why = why, .place = &p->at, .lane = lane
    };
    bool fresh;
    const size_t index = lw_finding_find(&c->check.findings, event, &made, &fresh);
    if (index == SIZE_MAX)
        return;
    lw_finding_record *r = &c->check.findings.records[index];
    r->finding.times++;
    if (fresh)
        snprintf(r->what, sizeof(r->what), "%s", what);
}

static void tell(numerics *c, const lw_event *event, const numerics_place *p, const char *rule,
                 lw_severity severity, const char *why, int lane, const char *what)
{
    char text[LW_FINDING_WHAT], name[40] = "";
    size_t told = 0;
    while (told < MOST_RULES && c->told[told] && c->told[told] != rule)
        told++;
    if (told == MOST_RULES || c->told[told] == rule)
        return; /* another lane of the same execution */
    c->told[told] = rule;
    const bool nan = rule == nan_rule, infinity = rule == over_rule || rule == pole_rule;
    const bool first = (nan && !c->first_nan) || (infinity && !c->first_infinity);
    c->first_nan = c->first_nan || nan;
    c->first_infinity = c->first_infinity || infinity;
    const number_operand *r = &p->result;
    const unsigned reg = p->is_matrix ? lw_event_matrix_register(event, LW_OPERAND_D, 0) : r->first;
    lw_event_register_name(event, r->file, reg, name, sizeof(name));
    snprintf(text, sizeof(text), "%s%s %s%s", p->is_matrix ? "a result from " : "", name, what,
             first ? ", the first of the launch" : "");
    report(c, event, p, rule, severity, why, lane, text);
}

/* The worst of what happened in one lane. */
static void judge(numerics *c, const lw_event *event, const numerics_place *p, unsigned in, unsigned out,
                  int lane)
{
    if (out & LW_IS_NAN && in & LW_IS_BEYOND && !(in & LW_IS_NAN))
        tell(c, event, p, over_rule, LW_SEVERITY_WARNING,
             "a source is larger than the largest number of the result's format, which has no infinity, and "
             "FP16_OVFL is not set",
             lane, "is NaN");
    else if (out & LW_IS_NAN && !(in & LW_IS_NAN))
        tell(c, event, p, nan_rule, LW_SEVERITY_WARNING,
             "a NaN arises where no source is one: inf - inf, 0 * inf, 0 / 0, a root or logarithm of a "
             "negative "
             "number",
             lane, "is NaN");
    else if (out & LW_IS_INFINITY && !(in & (LW_IS_NAN | LW_IS_INFINITY)) && in & LW_IS_ZERO && !p->is_matrix)
        tell(c, event, p, pole_rule, LW_SEVERITY_INFO,
             "finite numbers, one of them zero, give an infinity: division by zero, logarithm of zero", lane,
             "is infinite");
    else if (out & LW_IS_INFINITY && !(in & (LW_IS_NAN | LW_IS_INFINITY)))
        tell(c, event, p, over_rule, LW_SEVERITY_WARNING,
             "finite numbers give an infinity: the result is too large for its format", lane, "is infinite");
    else if (in & out & LW_IS_BEYOND)
        tell(c, event, p, over_rule, LW_SEVERITY_WARNING,
             "a source is larger than the largest number of the result's format, which it becomes", lane,
             "is clipped");
    else if (!p->is_matrix && in & LW_IS_NAN && !(out & LW_IS_NAN))
        tell(c, event, p, lost_rule, LW_SEVERITY_INFO,
             "a source is NaN and the result is not: minimum, maximum, clamp", lane, "hides a NaN");
    else if (!p->is_matrix && out & LW_IS_SUBNORMAL)
        tell(c, event, p, subnormal_rule, LW_SEVERITY_INFO, "the result is below the normal numbers", lane,
             "is subnormal");
    else if (!p->is_matrix && out == LW_IS_ZERO && in & LW_IS_SUBNORMAL && !(in & LW_IS_ZERO))
        tell(c, event, p, flush_rule, LW_SEVERITY_INFO,
             "no source is zero, one is subnormal, and the result is zero: it was flushed, or is too small",
             lane, "is zero");
}

/* ---- Events ---- */

static void before(void *context, const lw_event *event)
{
    numerics *c = context;
    const numerics_place *p = lw_note_of(&c->places, event->place);
    int lane = -1;
    memset(c->seen, 0, sizeof(c->seen));
    memset(c->told, 0, sizeof(c->told));
    c->seen_all = 0;
    if (p->narrows)
        lw_narrow_sources(event, c->seen);
    for (size_t i = 0; i < p->sources; i++) {
        const number_operand *o = &p->source[i];
        if (p->is_matrix)
            c->seen_all |= (uint8_t)look_matrix(event, o, &p->formats[o->op], &lane);
        else
            look(event, o, p->limit, c->seen);
    }
}

static void after(void *context, const lw_event *event)
{
    numerics *c = context;
    const numerics_place *p = lw_note_of(&c->places, event->place);
    uint8_t out[LW_MAX_LANES] = { 0 };
    const uint8_t odd = LW_IS_NAN | LW_IS_INFINITY | LW_IS_SUBNORMAL | LW_IS_BEYOND;
    int first = -1;
    if (p->is_matrix) {
        const unsigned kinds = look_matrix(event, &p->result, &p->formats[LW_OPERAND_D], &first);
        judge(c, event, p, c->seen_all, kinds, first);
        return;
    }
    if (p->narrows)
        lw_narrow_results(event, out);
    else
        look(event, &p->result, 0, out);
    if (p->limit)
        look_largest(event, &p->result, out);
    for (uint64_t left = event->exec; left; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctzll(left);
        if (lane < event->lanes && ((out[lane] | c->seen[lane]) & odd))
            judge(c, event, p, c->seen[lane], out[lane], (int)lane);
    }
}

static void set_matrix(numerics_place *p, const lw_event *event)
{
    lw_matrix_event m;
    lw_operand_info info;
    if (!lw_event_matrix(event, &m))
        return;
    free(p->formats);
    p->formats = calloc(LW_OPERAND_COUNT, sizeof(*p->formats));
    p->is_matrix = true;
    for (int op = LW_OPERAND_A; p->formats && op <= LW_OPERAND_D; op++) {
        const lw_matrix_operand *o = &m.operand[op];
        if (!o->is_register ||
            lw_insn_operand(event->arch, m.insn, (lw_operand)op, &m.mods, &info, NULL) != LW_OK ||
            !fill_format(&p->formats[op], &info))
            continue;
        const number_operand made = {
            .file = o->file, .first = o->first, .count = o->count, .is_register = true, .op = (uint8_t)op
        };
        if (op == LW_OPERAND_D)
            p->result = made;
        else
            p->source[p->sources++] = made;
    }
    p->wanted = p->formats && p->result.count;
}

static uint8_t half_of(lw_number format, uint8_t bytes)
{
    return format == LW_NUMBER_F16 || format == LW_NUMBER_BF16 ? (uint8_t)lw_number_shift(bytes) : 0;
}

static void set_narrow(numerics_place *p, const lw_event *event)
{
    const lw_fact_operand *o = lw_narrow_result(event);
    p->result =
        (number_operand){ .file = o->file, .first = o->first, .count = o->count, .is_register = true };
    p->narrows = p->wanted = true;
}

static void set_vector(numerics_place *p, const lw_facts *facts)
{
    p->limit = limit_of(facts->number, facts->source_number);
    for (size_t i = 0; i < facts->operand_count; i++) {
        const lw_fact_operand *o = &facts->operands[i];
        number_operand made = { .file = o->file,
                                .first = o->first,
                                .count = o->count,
                                .lanes = o->lanes,
                                .is_register = o->is_register,
                                .constant = o->constant };
        if (o->role == LW_ROLE_RESULT && !p->result.count) {
            made.format = (uint8_t)facts->number;
            made.shift = half_of(facts->number, o->bytes_written);
            p->result = made;
            p->wanted = o->lanes != LW_LANES_SCALAR;
            if (o->read && p->sources < MOST_SOURCES)
                p->source[p->sources++] = made;
        } else if (o->role == LW_ROLE_SOURCE && p->sources < MOST_SOURCES) {
            made.format = (uint8_t)facts->source_number;
            made.shift = half_of(facts->source_number, o->bytes_read);
            p->source[p->sources++] = made;
        }
    }
}

static uint32_t decoded(void *context, const lw_event *event)
{
    numerics *c = context;
    const lw_facts *facts = event->facts;
    numerics_place *p = lw_note_of(&c->places, event->place);
    if (!p)
        return LW_SEE_NOTHING;
    free(p->formats);
    *p = (numerics_place){ .wanted = false };
    set_matrix(p, event);
    if (!p->is_matrix && facts->narrows && lw_narrow_result(event))
        set_narrow(p, event);
    else if (!p->is_matrix && facts->number != LW_NUMBER_NONE && facts->source_number != LW_NUMBER_NONE)
        set_vector(p, facts);
    if (!p->wanted)
        return LW_SEE_NOTHING;
    lw_finding_at_event(&p->at, event);
    return LW_SEE_BEFORE | LW_SEE_AFTER;
}

/* ---- The check ---- */

static bool begin(lw_check *check)
{
    numerics *c = (numerics *)check;
    c->places.item_size = sizeof(numerics_place);
    check->observer.decoded = decoded;
    check->observer.before = before;
    check->observer.after = after;
    lw_check_unchecked(check, "f64 matrices, wgmma, instructions in pairs");
    lw_check_unchecked(check, "a matrix instruction one of whose sources has a NaN or an infinity already");
    return true;
}

static void release(lw_check *check)
{
    numerics *c = (numerics *)check;
    numerics_place *all = (numerics_place *)(void *)c->places.items;
    for (size_t i = 0; i < c->places.count; i++)
        free(all[i].formats);
    lw_note_free(&c->places);
}

const lw_check_row lw_check_numerics = {
    .name = "numerics",
    .summary = "where NaN and infinity arise, overflow, subnormal numbers",
    .size = sizeof(numerics),
    .begin = begin,
    .release = release,
};

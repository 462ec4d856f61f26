/* SPDX-License-Identifier: MIT */
/* Lane arithmetic: assignments in C's operators, evaluated for every lane and value. */
#include <ctype.h>
#include <string.h>

#include "layouts/notation/reader.h"

enum { MOST_NAMES = 24, MOST_NAME = 24, MOST_DEPTH = 32 };

typedef struct variable {
    char name[MOST_NAME];
    int64_t value;
    bool set;
} variable;

typedef struct evaluator {
    lw_reader *r;
    variable known[MOST_NAMES];
    unsigned count, depth;
    bool excluded; /* a condition does not hold */
} evaluator;

static const char *const lane_names[] = { "l",   "lane",   "lane_id",     "laneid",
                                          "tid", "thread", "threadIdx.x", NULL };
static const char *const value_names[] = { "v", "value", "item", "vgpr_item", NULL };
static const char *const axis_names[LW_AXES][3] = { [LW_AXIS_ROW] = { "i", "row", "m" },
                                                    [LW_AXIS_COL] = { "j", "col", "n" },
                                                    [LW_AXIS_K] = { "k", "K", "kk" },
                                                    [LW_AXIS_BLOCK] = { "b", "block", "blk" } };

static int peek(const evaluator *m, size_t ahead)
{
    const lw_reader *r = m->r;
    return r->at + ahead < r->size ? (unsigned char)r->text[r->at + ahead] : 0;
}

/* A name, possibly with dots inside ("threadIdx.x"); "" if there is none. */
static bool take_name(evaluator *m, char name[MOST_NAME])
{
    size_t n = 0;
    lw_reader_skip(m->r);
    if (!isalpha(peek(m, 0)) && peek(m, 0) != '_')
        return false;
    while (isalnum(peek(m, 0)) || peek(m, 0) == '_' || (peek(m, 0) == '.' && isalpha(peek(m, 1)))) {
        if (n + 1 == MOST_NAME)
            return lw_reader_fail(m->r, "the name is too long");
        name[n++] = (char)peek(m, 0);
        m->r->at++;
    }
    name[n] = '\0';
    return true;
}

static variable *find(evaluator *m, const char *name)
{
    for (unsigned i = 0; i < m->count; i++)
        if (m->known[i].name[0] == name[0] && strcmp(m->known[i].name, name) == 0)
            return &m->known[i];
    return NULL;
}

static bool set(evaluator *m, const char *name, int64_t value)
{
    variable *v = find(m, name);
    if (!v) {
        if (m->count == MOST_NAMES)
            return lw_reader_fail(m->r, "more than %d names", MOST_NAMES);
        v = &m->known[m->count++];
        memcpy(v->name, name, strlen(name) + 1);
    }
    v->value = value;
    v->set = true;
    return true;
}

/* ---- Expressions ---- */

static bool read_sum(evaluator *m, unsigned level, int64_t *value);

static const struct {
    char text[3];
    unsigned level;
} operators[] = { { "|", 0 }, { "^", 1 }, { "&", 2 }, { "<<", 3 }, { ">>", 3 },
                  { "+", 4 }, { "-", 4 }, { "*", 5 }, { "/", 5 },  { "%", 5 } };
enum { FACTORS = 5, LEVELS = 6 };

static bool apply(evaluator *m, const char *op, int64_t a, int64_t b, int64_t *value)
{
    if ((op[0] == '/' || op[0] == '%') && b == 0)
        return lw_reader_fail(m->r, "a division by 0");
    if (op[1] && (b < 0 || b > 31))
        return lw_reader_fail(m->r, "a shift by %lld", (long long)b);
    switch (op[0]) {
    case '|':
        *value = a | b;
        break;
    case '^':
        *value = a ^ b;
        break;
    case '&':
        *value = a & b;
        break;
    case '<':
        *value = a * (INT64_C(1) << b);
        break;
    case '>':
        *value = a >= 0 ? a >> b : a;
        break;
    case '+':
        *value = a + b;
        break;
    case '-':
        *value = a - b;
        break;
    case '*':
        *value = a * b;
        break;
    case '/':
        *value = a / b;
        break;
    default:
        *value = a % b;
        break;
    }
    return (*value <= LW_MOST_NUMBER && *value >= -LW_MOST_NUMBER) ||
           lw_reader_fail(m->r, "the number before this is too large");
}

static bool read_factor(evaluator *m, int64_t *value)
{
    char name[MOST_NAME];
    uint32_t number;
    if (++m->depth > MOST_DEPTH)
        return lw_reader_fail(m->r, "the expression is too deep");
    lw_reader_skip(m->r);
    const size_t start = m->r->at;
    bool fine = true;
    if (lw_reader_take(m->r, "(")) {
        fine = read_sum(m, 0, value) && lw_reader_need(m->r, ")");
    } else if (lw_reader_take(m->r, "-")) {
        fine = read_factor(m, value);
        *value = -*value;
    } else if (take_name(m, name)) {
        const variable *v = find(m, name);
        if (!v) {
            m->r->at = start;
            return lw_reader_fail(m->r, "'%s' is not known; lanes are l, values v", name);
        }
        *value = v->value;
    } else {
        fine = lw_reader_number(m->r, &number);
        *value = fine ? (int64_t)number : 0;
        while (fine && (peek(m, 0) == 'u' || peek(m, 0) == 'U'))
            m->r->at++;
    }
    m->depth--;
    return fine;
}

/* The next operator of a level; a "*" is implied between a number and a bracket or name: 4(l/16). */
static const char *take_operator(evaluator *m, unsigned level)
{
    lw_reader_skip(m->r);
    const int next = peek(m, 0);
    for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]); i++)
        if (operators[i].level == level && operators[i].text[0] == next &&
            lw_reader_take(m->r, operators[i].text))
            return operators[i].text;
    const bool follows = next == '(' || isalpha(next);
    const size_t at = m->r->at;
    return level == FACTORS && follows && at &&
                   (isdigit((unsigned char)m->r->text[at - 1]) || m->r->text[at - 1] == ')')
               ? "*"
               : NULL;
}

static bool read_sum(evaluator *m, unsigned level, int64_t *value)
{
    if (level == LEVELS)
        return read_factor(m, value);
    if (!read_sum(m, level + 1, value))
        return false;
    for (const char *op; (op = take_operator(m, level));) {
        int64_t right;
        if (!read_sum(m, level + 1, &right) || !apply(m, op, *value, right, value))
            return false;
    }
    return m->r->status == LW_OK;
}

/* ---- Statements ---- */

static bool is_type(const char *name)
{
    static const char *const types[] = { "int",     "unsigned",  "const",      "auto",   "static",
                                         "inline",  "long",      "void",       "size_t", "uint32_t",
                                         "int32_t", "constexpr", "__device__", "let" };
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
        if (strcmp(name, types[i]) == 0)
            return true;
    return false;
}

/* Skips a function's head: the text up to its opening brace. */
static void skip_head(evaluator *m)
{
    const char *brace = memchr(m->r->text, '{', m->r->size);
    m->r->at = brace ? (size_t)(brace - m->r->text) + 1 : 0;
}

/* `const int *k = 4*(l/16)+v` or `l%4 = 0` */
static bool read_statement(evaluator *m)
{
    char name[MOST_NAME] = "";
    int64_t left, right;
    lw_reader_skip(m->r);
    size_t start = m->r->at;
    while (take_name(m, name) && is_type(name))
        start = (lw_reader_skip(m->r), m->r->at);
    if (!name[0] || is_type(name)) {
        if (lw_reader_take(m->r, "*"))
            start = (lw_reader_skip(m->r), m->r->at);
        take_name(m, name);
    }
    lw_reader_skip(m->r);
    if (name[0] && !is_type(name) && peek(m, 0) == '=' && peek(m, 1) != '=') {
        m->r->at++;
        return read_sum(m, 0, &right) && set(m, name, right);
    }
    m->r->at = start;
    if (!read_sum(m, 0, &left))
        return false;
    if (!lw_reader_take(m->r, "=="))
        if (!lw_reader_need(m->r, "="))
            return false;
    if (!read_sum(m, 0, &right))
        return false;
    m->excluded = m->excluded || left != right;
    return true;
}

/* Whether a line has ended before this place. */
static bool is_on_new_line(const evaluator *m)
{
    size_t at = m->r->at;
    while (at && isspace((unsigned char)m->r->text[at - 1]))
        if (m->r->text[--at] == '\n')
            return true;
    return false;
}

static bool read_body(evaluator *m)
{
    skip_head(m);
    while (!lw_reader_end(m->r)) {
        if (lw_reader_take(m->r, "}"))
            return lw_reader_end(m->r) || lw_reader_fail(m->r, "the function ends before this");
        if (!read_statement(m))
            return false;
        if (!lw_reader_take(m->r, ",") && !lw_reader_take(m->r, ";") && !lw_reader_end(m->r) &&
            peek(m, 0) != '}' && !is_on_new_line(m))
            return lw_reader_fail(m->r, "',' or ';' is expected here");
    }
    return true;
}

/* The value of a coordinate, by any of its names. */
static bool coordinate(evaluator *m, unsigned axis, uint32_t *at)
{
    for (int n = 0; n < 3; n++) {
        const variable *v = find(m, axis_names[axis][n]);
        if (!v)
            continue;
        if (v->value < 0)
            return lw_reader_fail(m->r, "%s is %lld in some lane", v->name, (long long)v->value);
        *at = (uint32_t)v->value;
        return true;
    }
    return lw_reader_fail(m->r, "%c is not defined", lw_tv_letter(axis));
}

/* The names of lanes, then those of values; how many are lanes'. */
static unsigned name_places(evaluator *m)
{
    unsigned lanes = 0;
    for (; lane_names[lanes]; lanes++)
        set(m, lane_names[lanes], 0);
    for (int i = 0; value_names[i]; i++)
        set(m, value_names[i], 0);
    return lanes;
}

static bool evaluate(const evaluator *named, unsigned lanes, uint32_t lane, uint32_t value,
                     const uint8_t *from, const uint8_t *axis, unsigned axes)
{
    evaluator m;
    lw_reader *r = m.r = named->r;
    uint32_t at[LW_TV_MOST_AXES];
    m.count = named->count;
    m.depth = 0;
    m.excluded = false;
    memcpy(m.known, named->known, m.count * sizeof(m.known[0]));
    for (unsigned i = 0; i < m.count; i++)
        m.known[i].value = i < lanes ? lane : value;
    if (!read_body(&m))
        return false;
    if (m.excluded)
        return true;
    for (unsigned a = 0; a < axes; a++)
        if (!coordinate(&m, from[a], &at[a]))
            return false;
    return lw_reader_claim(r, lane, value, axis, at, axes);
}

void lw_read_formula(lw_reader *r)
{
    uint8_t axis[LW_TV_MOST_AXES];
    const unsigned axes = lw_reader_axes(r, false, axis);
    if (lw_reader_end(r)) {
        lw_reader_fail(r, "there is nothing to read");
        return;
    }
    evaluator named = { .r = r };
    const unsigned lanes = name_places(&named);
    for (uint32_t lane = 0; lane < r->tv->r.lanes; lane++)
        for (uint32_t value = 0; value < r->tv->count; value++)
            if (!evaluate(&named, lanes, lane, value, r->tv->axis, axis, axes))
                return;
}

bool lw_formula_offset(lw_reader *r, uint32_t row, uint32_t col, bool *bytes, uint64_t *offset)
{
    static const char *const rows[] = { "row", "i", "r", "m" }, *const cols[] = { "col", "j", "k", "c", "n" };
    evaluator m = { .r = r };
    r->at = 0;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        set(&m, rows[i], row);
    for (size_t i = 0; i < sizeof(cols) / sizeof(cols[0]); i++)
        set(&m, cols[i], col);
    if (!read_body(&m))
        return false;
    const variable *in_bytes = find(&m, "byte"), *v = in_bytes ? in_bytes : find(&m, "offset");
    if (!v)
        return lw_reader_fail(r, "neither offset nor byte is defined");
    if (v->value < 0)
        return lw_reader_fail(r, "%s of row %u, column %u is %lld", v->name, row, col, (long long)v->value);
    *bytes = in_bytes != NULL;
    *offset = (uint64_t)v->value;
    return true;
}

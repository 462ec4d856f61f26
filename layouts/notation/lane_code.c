/* SPDX-License-Identifier: MIT */
/* Lane arithmetic: assignments in C's operators, read once and run for every place. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "isa_tables/error.h"
#include "layouts/notation/lane_code.h"

/* Each level of an expression holds one value at most while it reads the next. */
enum { MOST_DEPTH = 64, FACTORS = 9, LEVELS = 10, MOST_STACK = MOST_DEPTH * (LEVELS + 1) + 2 };

typedef struct coder {
    lw_reader *r;
    lw_lane_code *code;
    unsigned depth;
    char function[LW_CODE_NAME]; /* whose body is being read; "": none, or it has no name */
} coder;

static int peek(const coder *m, size_t ahead)
{
    const lw_reader *r = m->r;
    return r->at + ahead < r->size ? (unsigned char)r->text[r->at + ahead] : 0;
}

/* A name, possibly with dots inside ("threadIdx.x"); "" if there is none. */
static bool take_name(coder *m, char name[LW_CODE_NAME])
{
    size_t n = 0;
    lw_reader_skip(m->r);
    if (!isalpha(peek(m, 0)) && peek(m, 0) != '_')
        return false;
    while (isalnum(peek(m, 0)) || peek(m, 0) == '_' || (peek(m, 0) == '.' && isalpha(peek(m, 1)))) {
        if (n + 1 == LW_CODE_NAME)
            return lw_reader_fail(m->r, "the name is too long");
        name[n++] = (char)peek(m, 0);
        m->r->at++;
    }
    name[n] = '\0';
    return true;
}

int lw_lane_code_find(const lw_lane_code *code, const char *name)
{
    for (unsigned i = 0; i < code->names; i++)
        if (code->name[i][0] == name[0] && strcmp(code->name[i], name) == 0)
            return (int)i;
    return -1;
}

static bool emit(coder *m, lw_step_kind kind, char op, uint32_t number)
{
    lw_lane_code *c = m->code;
    if (c->steps == c->room) {
        const size_t room = c->room ? 2 * c->room : 64;
        lw_step *more = realloc(c->step, room * sizeof(*more));
        if (!more) {
            m->r->status = lw_error_fail(m->r->error, LW_E_NO_MEMORY, "no memory to read a layout");
            return false;
        }
        c->step = more;
        c->room = room;
    }
    c->step[c->steps++] = (lw_step){ .kind = kind, .op = op, .number = number, .at = m->r->at };
    return true;
}

static bool set(coder *m, const char *name)
{
    lw_lane_code *c = m->code;
    int n = lw_lane_code_find(c, name);
    if (n < 0) {
        if (c->names == LW_CODE_NAMES)
            return lw_reader_fail(m->r, "more than %d names", LW_CODE_NAMES);
        n = (int)c->names++;
        memcpy(c->name[n], name, strlen(name) + 1);
    }
    return emit(m, LW_STEP_SET, 0, (uint32_t)n);
}

/* ---- Expressions ---- */

static bool read_choice(coder *m);

/* C's, from the loosest level to the tightest; of two that begin alike, the longer one is first. */
static const struct {
    char text[3], op;
    unsigned level;
} operators[] = { { "||", 'o', 0 }, { "&&", 'a', 1 }, { "|", '|', 2 },  { "^", '^', 3 },  { "&", '&', 4 },
                  { "==", '=', 5 }, { "!=", '!', 5 }, { "<=", 'L', 6 }, { ">=", 'G', 6 }, { "<", 'l', 6 },
                  { ">", 'g', 6 },  { "<<", '<', 7 }, { ">>", '>', 7 }, { "+", '+', 8 },  { "-", '-', 8 },
                  { "*", '*', 9 },  { "/", '/', 9 },  { "%", '%', 9 } };

static bool read_known(coder *m, const char *name, size_t start)
{
    const int n = lw_lane_code_find(m->code, name);
    if (n >= 0)
        return emit(m, LW_STEP_LOAD, 0, (uint32_t)n);
    m->r->at = start;
    return lw_reader_fail(m->r, "'%s' is not known; lanes are l, values v", name);
}

static bool read_number(coder *m)
{
    uint32_t number;
    if (!lw_reader_number(m->r, &number))
        return false;
    while (peek(m, 0) == 'u' || peek(m, 0) == 'U')
        m->r->at++;
    return emit(m, LW_STEP_NUMBER, 0, number);
}

static bool read_factor(coder *m)
{
    char name[LW_CODE_NAME];
    if (++m->depth > MOST_DEPTH)
        return lw_reader_fail(m->r, "the expression is too deep");
    lw_reader_skip(m->r);
    const size_t start = m->r->at;
    bool fine;
    if (lw_reader_take(m->r, "("))
        fine = read_choice(m) && lw_reader_need(m->r, ")");
    else if (lw_reader_take(m->r, "-"))
        fine = read_factor(m) && emit(m, LW_STEP_NEGATE, 0, 0);
    else if (lw_reader_take(m->r, "~"))
        fine = read_factor(m) && emit(m, LW_STEP_NEGATE, 0, 0) && emit(m, LW_STEP_NUMBER, 0, 1) &&
               emit(m, LW_STEP_APPLY, '-', 0);
    else if (lw_reader_take(m->r, "!"))
        fine = read_factor(m) && emit(m, LW_STEP_NUMBER, 0, 0) && emit(m, LW_STEP_APPLY, '=', 0);
    else if (take_name(m, name))
        fine = read_known(m, name, start);
    else
        fine = read_number(m);
    m->depth--;
    return fine;
}

/* "|" is not the beginning of "||", nor "&" of "&&". */
static bool is_whole(const coder *m, const char *op)
{
    return op[1] || (op[0] != '|' && op[0] != '&') || peek(m, 1) != op[0];
}

/* The next operator of a level; a "*" is implied between a number and a bracket or name: 4(l/16). */
static char take_operator(coder *m, unsigned level)
{
    lw_reader_skip(m->r);
    const int next = peek(m, 0);
    for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]); i++)
        if (operators[i].level == level && operators[i].text[0] == next && is_whole(m, operators[i].text) &&
            lw_reader_take(m->r, operators[i].text))
            return operators[i].op;
    const bool follows = next == '(' || isalpha(next);
    const size_t at = m->r->at;
    return level == FACTORS && follows && at &&
                   (isdigit((unsigned char)m->r->text[at - 1]) || m->r->text[at - 1] == ')')
               ? '*'
               : 0;
}

static bool read_sum(coder *m, unsigned level)
{
    if (level == LEVELS)
        return read_factor(m);
    if (!read_sum(m, level + 1))
        return false;
    for (char op; (op = take_operator(m, level)) != 0;)
        if (!read_sum(m, level + 1) || !emit(m, LW_STEP_APPLY, op, 0))
            return false;
    return m->r->status == LW_OK;
}

/* The jump at a step, if it was emitted, goes to the next step to be emitted. */
static void aim(lw_lane_code *c, size_t step)
{
    if (step < c->steps)
        c->step[step].number = (uint32_t)c->steps;
}

/* `a ? b : c`: only the part that is chosen is computed. */
static bool read_choice(coder *m)
{
    lw_lane_code *c = m->code;
    if (++m->depth > MOST_DEPTH)
        return lw_reader_fail(m->r, "the expression is too deep");
    bool fine = read_sum(m, 0);
    if (fine && lw_reader_take(m->r, "?")) {
        const size_t unless = c->steps;
        fine = emit(m, LW_STEP_UNLESS, 0, 0) && read_choice(m) && lw_reader_need(m->r, ":");
        const size_t go = c->steps;
        fine = fine && emit(m, LW_STEP_GO, 0, 0);
        aim(c, unless); /* an error, too, is reported behind the steps before it */
        fine = fine && read_choice(m);
        aim(c, go);
    }
    m->depth--;
    return fine;
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

/*
 * Skips a function's head: the text up to its opening brace. What it returns has its name, the one before the
 * first bracket.
 */
static void skip_head(coder *m, char name[LW_CODE_NAME])
{
    lw_reader *r = m->r;
    const size_t start = r->at;
    const char *brace = memchr(r->text + start, '{', r->size - start);
    name[0] = '\0';
    if (!brace)
        return;
    const size_t end = (size_t)(brace - r->text);
    for (r->at = start; r->at < end && peek(m, 0) != '(';)
        if (!take_name(m, name))
            r->at += r->at < end && peek(m, 0) != '(';
    r->status = LW_OK; /* of a name that is too long */
    r->at = end + 1;
}

/* Whether the expression that has been read is true or false. */
static bool is_comparison(const coder *m)
{
    const lw_step *last = m->code->steps ? &m->code->step[m->code->steps - 1] : NULL;
    return last && last->kind == LW_STEP_APPLY && strchr("=!lgLGao", last->op);
}

/* `const int *k = 4*(l/16)+v`, `return 4*(l/16)+v`, `l%4 = 0`, or `l < 16` */
static bool read_statement(coder *m)
{
    char name[LW_CODE_NAME] = "";
    lw_reader_skip(m->r);
    size_t start = m->r->at;
    if (m->function[0] && take_name(m, name) && strcmp(name, "return") == 0)
        return read_choice(m) && set(m, m->function);
    m->r->at = start;
    name[0] = '\0';
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
        return read_choice(m) && set(m, name);
    }
    m->r->at = start;
    if (!read_sum(m, 0))
        return false;
    if (is_comparison(m))
        return emit(m, LW_STEP_REQUIRE, 0, 0);
    return lw_reader_need(m->r, "=") && read_sum(m, 0) && emit(m, LW_STEP_COMPARE, 0, 0);
}

/* Whether a line has ended before this place. */
static bool is_on_new_line(const coder *m)
{
    size_t at = m->r->at;
    while (at && isspace((unsigned char)m->r->text[at - 1]))
        if (m->r->text[--at] == '\n')
            return true;
    return false;
}

static bool read_body(coder *m)
{
    skip_head(m, m->function);
    while (!lw_reader_end(m->r)) {
        if (lw_reader_take(m->r, "}")) {
            if (!lw_reader_end(m->r) && !memchr(m->r->text + m->r->at, '{', m->r->size - m->r->at))
                return lw_reader_fail(m->r, "the function ends before this");
            skip_head(m, m->function); /* the next one */
            continue;
        }
        if (!read_statement(m))
            return false;
        if (!lw_reader_take(m->r, ",") && !lw_reader_take(m->r, ";") && !lw_reader_end(m->r) &&
            peek(m, 0) != '}' && !is_on_new_line(m))
            return lw_reader_fail(m->r, "',' or ';' is expected here");
    }
    return true;
}

bool lw_lane_code_read(lw_reader *r, lw_lane_code *code, const char *const *names, unsigned count)
{
    coder m = { .r = r, .code = code };
    lw_error *const error = r->error;
    memset(code, 0, sizeof(*code));
    for (unsigned i = 0; i < count; i++)
        memcpy(code->name[i], names[i], strlen(names[i]) + 1);
    code->names = count;
    r->error = &code->error;
    read_body(&m);
    r->error = error;
    code->end = r->at;
    code->status = r->status;
    r->status = LW_OK;
    if (code->status != LW_E_NO_MEMORY)
        return true;
    r->status = lw_error_fail(error, LW_E_NO_MEMORY, "%s", code->error.text);
    return false;
}

/* ---- Running ---- */

static bool apply(lw_reader *r, const lw_step *step, int64_t a, int64_t b, int64_t *value)
{
    const char op = step->op;
    r->at = step->at;
    if ((op == '/' || op == '%') && b == 0)
        return lw_reader_fail(r, "a division by 0");
    if ((op == '<' || op == '>') && (b < 0 || b > 31))
        return lw_reader_fail(r, "a shift by %lld", (long long)b);
    switch (op) {
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
    case '=':
        *value = a == b;
        break;
    case '!':
        *value = a != b;
        break;
    case 'l':
        *value = a < b;
        break;
    case 'g':
        *value = a > b;
        break;
    case 'L':
        *value = a <= b;
        break;
    case 'G':
        *value = a >= b;
        break;
    case 'a':
        *value = a && b;
        break;
    case 'o':
        *value = a || b;
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
           lw_reader_fail(r, "the number before this is too large");
}

bool lw_lane_code_run(lw_reader *r, const lw_lane_code *code, lw_lane_values *values)
{
    int64_t stack[MOST_STACK + 1], *top = stack; /* the first one stays unused */
    values->excluded = false;
    for (const lw_step *s = code->step, *end = s + code->steps; s != end; s++) {
        switch (s->kind) {
        case LW_STEP_NUMBER:
            *++top = s->number;
            break;
        case LW_STEP_LOAD:
            *++top = values->of[s->number];
            break;
        case LW_STEP_NEGATE:
            *top = -*top;
            break;
        case LW_STEP_APPLY:
            top--;
            if (!apply(r, s, top[0], top[1], top))
                return false;
            break;
        case LW_STEP_SET:
            values->of[s->number] = *top--;
            break;
        case LW_STEP_COMPARE:
            top -= 2;
            values->excluded = values->excluded || top[1] != top[2];
            break;
        case LW_STEP_REQUIRE:
            values->excluded = values->excluded || *top == 0;
            top--;
            break;
        case LW_STEP_UNLESS:
            if (*top-- == 0)
                s = code->step + s->number - 1;
            break;
        case LW_STEP_GO:
            s = code->step + s->number - 1;
            break;
        }
    }
    r->at = code->end;
    if (code->status == LW_OK)
        return true;
    r->status = lw_error_fail(r->error, code->status, "%s", code->error.text);
    return false;
}

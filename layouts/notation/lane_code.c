/* SPDX-License-Identifier: MIT */
/* Lane arithmetic: assignments in C's operators, read once and run for every place. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "isa_tables/error.h"
#include "layouts/notation/lane_code.h"

enum { FACTORS = 9, MOST_RETURNS = 32 };

typedef struct coder {
    lw_reader *r;
    lw_lane_code *code;
    unsigned depth,
        firsts; /* how many of the names that are set already are of the first of the two numbers */
    char function[LW_CODE_NAME]; /* whose body is being read; "": none, or it has no name */
    char alias[LW_CODE_NAME];    /* its parameter that has another name than these; "": none */
    uint32_t alias_of;
    size_t leave[MOST_RETURNS]; /* jumps to its end */
    unsigned leaves;
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
    if (m->alias[0] && strcmp(name, m->alias) == 0)
        return lw_reader_fail(m->r, "parameter %s is changed", name);
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
    if (m->alias[0] && strcmp(name, m->alias) == 0)
        return emit(m, LW_STEP_LOAD, 0, m->alias_of);
    const int n = lw_lane_code_find(m->code, name);
    if (n >= 0)
        return emit(m, LW_STEP_LOAD, 0, (uint32_t)n);
    m->r->at = start;
    return lw_reader_fail(m->r, "'%s' is not known; lanes are l, values v", name);
}

/* 0x1f, from the first digit on */
static bool read_hexadecimal(coder *m, uint32_t *number)
{
    if (!isxdigit(peek(m, 0)))
        return lw_reader_fail(m->r, "a hexadecimal digit is expected here");
    for (*number = 0; isxdigit(peek(m, 0)); m->r->at++) {
        const int c = tolower(peek(m, 0));
        *number = 16 * *number + (uint32_t)(isdigit(c) ? c - '0' : c - 'a' + 10);
        if (*number > LW_MOST_NUMBER)
            return lw_reader_fail(m->r, "the number is too large");
    }
    return true;
}

static bool read_number(coder *m)
{
    uint32_t number;
    if (peek(m, 0) == '0' && (peek(m, 1) == 'x' || peek(m, 1) == 'X')) {
        m->r->at += 2;
        if (!read_hexadecimal(m, &number))
            return false;
    } else if (!lw_reader_number(m->r, &number)) {
        return false;
    }
    while (peek(m, 0) == 'u' || peek(m, 0) == 'U')
        m->r->at++;
    return emit(m, LW_STEP_NUMBER, 0, number);
}

static bool read_factor(coder *m)
{
    char name[LW_CODE_NAME];
    if (++m->depth > LW_CODE_DEPTH)
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

/* Python's lane//16; with a blank it is a comment of C. */
static bool is_floor(const coder *m)
{
    const int before = m->r->at ? (unsigned char)m->r->text[m->r->at - 1] : 0;
    return peek(m, 0) == '/' && peek(m, 1) == '/' && isdigit(peek(m, 2)) &&
           (isalnum(before) || before == ')');
}

/* The next operator of a level; a "*" is implied between a number and a bracket or name: 4(l/16). */
static char take_operator(coder *m, unsigned level)
{
    if (is_floor(m)) {
        m->r->at += level == FACTORS ? 2 : 0;
        return level == FACTORS ? '/' : 0;
    }
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
    if (level == LW_CODE_LEVELS)
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
    if (++m->depth > LW_CODE_DEPTH)
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

/* Of a function's two numbers, the parameter with a name of its own is the one that the other is not. */
static void name_parameter(coder *m, size_t end)
{
    char name[LW_CODE_NAME], other[LW_CODE_NAME] = "";
    bool known[2] = { false, false }, pointer = false;
    unsigned others = 0;
    for (m->r->at++; m->r->at < end && peek(m, 0) != '{';) {
        name[0] = '\0';
        for (pointer = false; m->r->at < end && !strchr(",){", peek(m, 0));)
            if (!take_name(m, name) && m->r->at < end && !strchr(",){", peek(m, 0)))
                pointer = (peek(m, 0) == '*' || peek(m, 0) == '&') || pointer, m->r->at++;
        const int n = lw_lane_code_find(m->code, name);
        if (n >= 0 && (unsigned)n < m->code->given)
            known[(unsigned)n >= m->firsts] = true;
        else if (name[0] && !pointer && others++ == 0)
            memcpy(other, name, sizeof(other));
        m->r->at += m->r->at < end;
    }
    if (others != 1 || known[0] == known[1])
        return;
    memcpy(m->alias, other, sizeof(m->alias));
    m->alias_of = known[0] ? m->firsts : 0;
}

/*
 * Skips a function's head: the text up to its opening brace, unless a statement comes first. What it returns
 * has its name, the one before the first bracket.
 */
static void skip_head(coder *m, char name[LW_CODE_NAME])
{
    lw_reader *r = m->r;
    lw_reader_skip(r);
    const size_t start = r->at;
    const char *brace = memchr(r->text + start, '{', r->size - start);
    name[0] = m->alias[0] = '\0';
    if (!brace || memchr(r->text + start, ';', (size_t)(brace - r->text) - start))
        return;
    const size_t end = (size_t)(brace - r->text);
    while (r->at < end && peek(m, 0) != '(')
        if (!take_name(m, name))
            r->at += r->at < end && peek(m, 0) != '(';
    if (strcmp(name, "if") == 0) {
        name[0] = '\0';
        r->at = start;
        return;
    }
    if (r->at < end)
        name_parameter(m, end);
    r->status = LW_OK; /* of a name that is too long */
    r->at = end + 1;
}

/* The function's end: its returns go here. */
static void end_function(coder *m)
{
    while (m->leaves)
        aim(m->code, m->leave[--m->leaves]);
}

static bool read_return(coder *m)
{
    if (m->leaves == MOST_RETURNS)
        return lw_reader_fail(m->r, "more than %d returns", MOST_RETURNS);
    if (!read_choice(m) || !set(m, m->function))
        return false;
    m->leave[m->leaves++] = m->code->steps;
    return emit(m, LW_STEP_GO, 0, 0);
}

/* Whether the expression that has been read is true or false. */
static bool is_comparison(const coder *m)
{
    const lw_step *last = m->code->steps ? &m->code->step[m->code->steps - 1] : NULL;
    return last && last->kind == LW_STEP_APPLY && strchr("=!lgLGao", last->op);
}

static bool read_statement(coder *m);

/* A statement with its semicolon, or a block of them. */
static bool read_branch(coder *m)
{
    if (!lw_reader_take(m->r, "{")) {
        const bool fine = read_statement(m);
        lw_reader_take(m->r, ";");
        return fine;
    }
    while (!lw_reader_take(m->r, "}")) {
        if (!read_statement(m))
            return false;
        while (lw_reader_take(m->r, ";")) {
        }
        if (lw_reader_end(m->r))
            return lw_reader_fail(m->r, "'}' is expected here");
    }
    return true;
}

/* From the bracket on. */
static bool read_if(coder *m)
{
    lw_lane_code *c = m->code;
    if (++m->depth > LW_CODE_DEPTH)
        return lw_reader_fail(m->r, "the statements are too deep");
    bool fine = lw_reader_need(m->r, "(") && read_choice(m) && lw_reader_need(m->r, ")");
    const size_t unless = c->steps;
    fine = fine && emit(m, LW_STEP_UNLESS, 0, 0) && read_branch(m);
    if (fine && lw_reader_take(m->r, "else")) {
        const size_t go = c->steps;
        fine = emit(m, LW_STEP_GO, 0, 0);
        aim(c, unless);
        fine = fine && read_branch(m);
        aim(c, go);
    } else {
        aim(c, unless);
    }
    m->depth--;
    return fine;
}

/* row += 8, and so with every operator of arithmetic */
static bool read_change(coder *m, const char *name, size_t start)
{
    char op = 0;
    for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]) && !op; i++) {
        const size_t length = strlen(operators[i].text);
        if (!strchr("=!lgLGao", operators[i].op) && m->r->size - m->r->at > length &&
            memcmp(m->r->text + m->r->at, operators[i].text, length) == 0 && peek(m, length) == '=') {
            op = operators[i].op;
            m->r->at += length + 1;
        }
    }
    const size_t after = m->r->at;
    if (!read_known(m, name, start))
        return false;
    m->r->at = after;
    return read_choice(m) && emit(m, LW_STEP_APPLY, op, 0) && set(m, name);
}

/* Whether "+=" or the like comes next: no comparison. */
static bool is_change(const coder *m)
{
    const int c = peek(m, 0);
    return c && ((strchr("+-*/%&|^", c) && peek(m, 1) == '=') ||
                 ((c == '<' || c == '>') && peek(m, 1) == c && peek(m, 2) == '='));
}

/* `const int *k = 4*(l/16)+v`, `return 4*(l/16)+v`, `l%4 = 0`, `l < 16`, `k += 8`, or `if (l > 15) k = 8` */
static bool read_statement(coder *m)
{
    char name[LW_CODE_NAME] = "";
    lw_reader_skip(m->r);
    size_t start = m->r->at;
    if (take_name(m, name) && strcmp(name, "if") == 0)
        return read_if(m);
    if (m->function[0] && strcmp(name, "return") == 0)
        return read_return(m);
    m->r->at = start;
    name[0] = '\0';
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
    if (name[0] && !is_type(name) && is_change(m))
        return read_change(m, name, start);
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

/* Whether a block or a statement of an "if" has ended before this place. */
static bool has_closed(const coder *m)
{
    size_t at = m->r->at;
    while (at && isspace((unsigned char)m->r->text[at - 1]))
        at--;
    return at && (m->r->text[at - 1] == '}' || m->r->text[at - 1] == ';');
}

static bool read_body(coder *m)
{
    skip_head(m, m->function);
    while (!lw_reader_end(m->r)) {
        if (lw_reader_take(m->r, "}")) {
            end_function(m);
            while (lw_reader_take(m->r, ";")) {
            }
            if (!lw_reader_end(m->r) && !memchr(m->r->text + m->r->at, '{', m->r->size - m->r->at))
                return lw_reader_fail(m->r, "the function ends before this");
            skip_head(m, m->function); /* the next one */
            continue;
        }
        if (!read_statement(m))
            return false;
        if (!lw_reader_take(m->r, ",") && !lw_reader_take(m->r, ";") && !lw_reader_end(m->r) &&
            peek(m, 0) != '}' && !is_on_new_line(m) && !has_closed(m))
            return lw_reader_fail(m->r, "',' or ';' is expected here");
    }
    return true;
}

bool lw_lane_code_read(lw_reader *r, lw_lane_code *code, const char *const *names, unsigned count,
                       unsigned firsts)
{
    coder m = { .r = r, .code = code, .firsts = firsts };
    lw_error *const error = r->error;
    memset(code, 0, sizeof(*code));
    for (unsigned i = 0; i < count; i++)
        memcpy(code->name[i], names[i], strlen(names[i]) + 1);
    code->names = code->given = count;
    r->error = &code->error;
    read_body(&m);
    end_function(&m); /* after an error, too: the steps before it run */
    r->error = error;
    code->end = r->at;
    code->status = r->status;
    r->status = LW_OK;
    if (code->status != LW_E_NO_MEMORY)
        return true;
    r->status = lw_error_fail(error, LW_E_NO_MEMORY, "%s", code->error.text);
    return false;
}

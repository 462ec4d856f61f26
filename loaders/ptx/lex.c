/* SPDX-License-Identifier: MIT */
#include "loaders/ptx/lex.h"

#include <stdio.h>
#include <stdlib.h>

lw_ptx_lexer lw_ptx_lex_begin(const char *text, uint32_t size)
{
    return (lw_ptx_lexer){ .text = text, .size = size, .line = 1, .last = LW_PTX_TOKEN_END };
}

static char look(const lw_ptx_lexer *l, uint32_t ahead)
{
    return ahead < l->size - l->at ? l->text[l->at + ahead] : '\0';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Characters that an identifier may have after its first. */
static bool is_inner(char c)
{
    return is_letter(c) || is_digit(c) || c == '_' || c == '$';
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v';
}

static void new_line(lw_ptx_lexer *l)
{
    l->line++;
    l->line_start = l->at + 1;
}

static void skip_to_line_end(lw_ptx_lexer *l)
{
    while (l->at < l->size && l->text[l->at] != '\n')
        l->at++;
}

/* False if the comment does not end; the lexer is then still in front of it. */
static bool skip_block_comment(lw_ptx_lexer *l)
{
    const lw_ptx_lexer start = *l;
    for (l->at += 2; l->at < l->size; l->at++) {
        if (look(l, 0) == '*' && look(l, 1) == '/') {
            l->at += 2;
            return true;
        }
        if (look(l, 0) == '\n')
            new_line(l);
    }
    *l = start;
    return false;
}

/* Blanks, comments, and the lines that a C preprocessor leaves (# 1 "file"). */
static bool skip_blank(lw_ptx_lexer *l)
{
    while (l->at < l->size) {
        const char c = look(l, 0);
        if (c == '\n') {
            new_line(l);
            l->at++;
        } else if (is_blank(c)) {
            l->at++;
        } else if ((c == '/' && look(l, 1) == '/') || (c == '#' && l->at == l->line_start)) {
            skip_to_line_end(l);
        } else if (c == '/' && look(l, 1) == '*') {
            if (!skip_block_comment(l))
                return false;
        } else {
            return true;
        }
    }
    return true;
}

static int digit_of(char c)
{
    if (is_digit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : 16;
}

/* Skips the digits of a base from `at` on and returns how many there are. Overflow is recorded. */
static uint32_t take_digits(lw_ptx_lexer *l, unsigned base, uint64_t *value, bool *overflow)
{
    uint32_t count = 0;
    *value = 0;
    for (; digit_of(look(l, 0)) < (int)base; l->at++, count++) {
        const uint64_t digit = (uint64_t)digit_of(look(l, 0));
        *overflow = *overflow || *value > (UINT64_MAX - digit) / base;
        *value = *value * base + digit;
    }
    return count;
}

static void bad(lw_ptx_lexer *l, lw_ptx_token *t, const char *why)
{
    l->why = why;
    t->kind = LW_PTX_TOKEN_BAD;
}

/* 0f and eight hexadecimal digits, 0d and sixteen. */
static void lex_float_bits(lw_ptx_lexer *l, lw_ptx_token *t, uint32_t digits)
{
    bool overflow = false;
    l->at += 2;
    t->kind = digits == 8 ? LW_PTX_TOKEN_F32 : LW_PTX_TOKEN_F64;
    if (take_digits(l, 16, &t->value, &overflow) != digits || is_inner(look(l, 0)))
        bad(l, t,
            digits == 8 ? "0f takes exactly 8 hexadecimal digits" : "0d takes exactly 16 hexadecimal digits");
}

/*
 * A decimal real. strtod rounds correctly but follows the locale's decimal point, so it is given the digits
 * as a whole number with an exponent.
 */
static void lex_real(lw_ptx_lexer *l, lw_ptx_token *t)
{
    enum { MOST = 800 };
    char digits[MOST + 32];
    size_t count = 0;
    long after = 0, exponent = 0;
    bool dot = false;
    for (; is_digit(look(l, 0)) || (look(l, 0) == '.' && !dot); l->at++) {
        if (look(l, 0) == '.')
            dot = true;
        else if (count < MOST)
            digits[count++] = look(l, 0), after += dot;
    }
    if (count == 0 || count == MOST) {
        bad(l, t, "a real number needs between 1 and 799 digits");
        return;
    }
    if (look(l, 0) == 'e' || look(l, 0) == 'E') {
        const bool negative = look(l, 1) == '-';
        l->at += negative || look(l, 1) == '+' ? 2 : 1;
        if (!is_digit(look(l, 0))) {
            bad(l, t, "an exponent without digits");
            return;
        }
        for (; is_digit(look(l, 0)); l->at++)
            exponent = exponent < 100000 ? exponent * 10 + (look(l, 0) - '0') : exponent;
        exponent = negative ? -exponent : exponent;
    }
    snprintf(digits + count, sizeof(digits) - count, "e%ld", exponent - after);
    const double value = strtod(digits, NULL);
    memcpy(&t->value, &value, sizeof(value));
    t->kind = LW_PTX_TOKEN_F64;
    if (is_inner(look(l, 0)))
        bad(l, t, "a letter directly after a number");
}

static bool is_real(const lw_ptx_lexer *l)
{
    uint32_t i = 0;
    while (is_digit(look(l, i)))
        i++;
    const char c = look(l, i);
    return c == '.' || ((c == 'e' || c == 'E') && i > 0);
}

static void lex_number(lw_ptx_lexer *l, lw_ptx_token *t)
{
    const char second = look(l, 0) == '0' ? look(l, 1) : '\0';
    bool overflow = false;
    unsigned base = 10;
    t->kind = LW_PTX_TOKEN_INT;
    if (second == 'f' || second == 'F') {
        lex_float_bits(l, t, 8);
        return;
    }
    if (second == 'd' || second == 'D') {
        lex_float_bits(l, t, 16);
        return;
    }
    if (second == 'x' || second == 'X')
        base = 16, l->at += 2;
    else if (second == 'b' || second == 'B')
        base = 2, l->at += 2;
    else if (is_real(l)) {
        lex_real(l, t);
        return;
    } else if (is_digit(second))
        base = 8;
    const uint32_t digits = take_digits(l, base, &t->value, &overflow);
    t->is_unsigned = look(l, 0) == 'U' || t->value > INT64_MAX;
    l->at += look(l, 0) == 'U';
    if (!digits || is_inner(look(l, 0)))
        bad(l, t,
            base == 8 ? "an octal number (it begins with 0) with another character than 0 to 7"
                      : "a number with a character that does not belong to it");
    else if (overflow)
        bad(l, t, "a number beyond 64 bits");
}

static void lex_string(lw_ptx_lexer *l, lw_ptx_token *t)
{
    t->kind = LW_PTX_TOKEN_STRING;
    t->at = ++l->at;
    while (l->at < l->size && look(l, 0) != '"' && look(l, 0) != '\n')
        l->at += look(l, 0) == '\\' && look(l, 1) && look(l, 1) != '\n' ? 2 : 1;
    t->size = l->at - t->at;
    if (look(l, 0) == '"')
        l->at++;
    else
        bad(l, t, "a string without its closing quote");
}

/* .word{::word}; directly after a name or another such word, it may begin with digits. */
static void lex_dot(lw_ptx_lexer *l, lw_ptx_token *t)
{
    t->kind = LW_PTX_TOKEN_DOT;
    l->at++;
    while (is_inner(look(l, 0)) || (look(l, 0) == ':' && look(l, 1) == ':' && is_inner(look(l, 2))))
        l->at += look(l, 0) == ':' ? 2 : 1;
    if (l->at == t->at + 1)
        bad(l, t, "a dot without a name");
}

static void lex_punct(lw_ptx_lexer *l, lw_ptx_token *t)
{
    static const uint16_t pairs[] = { LW_PTX_SHL, LW_PTX_SHR, LW_PTX_LE,  LW_PTX_GE,
                                      LW_PTX_EQ,  LW_PTX_NE,  LW_PTX_AND, LW_PTX_OR };
    const uint8_t first = (uint8_t)look(l, 0), second = (uint8_t)look(l, 1);
    t->kind = LW_PTX_TOKEN_PUNCT;
    t->value = first;
    l->at++;
    for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
        if (pairs[i] == (first << 8 | second)) {
            t->value = pairs[i];
            l->at++;
            return;
        }
    if (!first || !strchr(";,:{}()[]<>=+-*/%!~&^|?@", first))
        bad(l, t, "a character that PTX does not use");
}

static void lex_name(lw_ptx_lexer *l, lw_ptx_token *t)
{
    t->kind = LW_PTX_TOKEN_NAME;
    l->at++;
    while (is_inner(look(l, 0)))
        l->at++;
}

static void lex_one(lw_ptx_lexer *l, lw_ptx_token *t)
{
    const char c = look(l, 0);
    const bool after_name = t->glued && (l->last == LW_PTX_TOKEN_NAME || l->last == LW_PTX_TOKEN_DOT);
    if (is_letter(c) || ((c == '_' || c == '$' || c == '%') && is_inner(look(l, 1))))
        lex_name(l, t);
    else if (c == '_')
        lex_name(l, t);
    else if (is_digit(c) || (c == '.' && is_digit(look(l, 1)) && !after_name))
        lex_number(l, t);
    else if (c == '.')
        lex_dot(l, t);
    else if (c == '"')
        lex_string(l, t);
    else
        lex_punct(l, t);
}

lw_ptx_token lw_ptx_lex(lw_ptx_lexer *l)
{
    const uint32_t before = l->at;
    const bool ended = skip_blank(l);
    lw_ptx_token t = { .kind = LW_PTX_TOKEN_END,
                       .glued = l->at == before,
                       .at = l->at,
                       .line = l->line,
                       .column = l->at - l->line_start + 1 };
    if (!ended) {
        bad(l, &t, "a comment that does not end");
        l->at = l->size;
    } else if (l->at < l->size) {
        lex_one(l, &t);
        if (t.kind != LW_PTX_TOKEN_STRING)
            t.size = l->at - t.at;
    }
    l->last = t.kind;
    return t;
}

/* SPDX-License-Identifier: MIT */
/* Constant expressions: PTX ISA 9.1, "Constant Expressions". Integers have 64 bits, reals are f64. */
#include "loaders/ptx/parse.h"

typedef struct operator_row {
    uint16_t punct;
    uint8_t rank; /* higher binds closer */
} operator_row;

/* As in C. */
static const operator_row operators[] = {
    { LW_PTX_OR, 1 },  { LW_PTX_AND, 2 }, { '|', 3 }, { '^', 4 },       { '&', 5 },       { LW_PTX_EQ, 6 },
    { LW_PTX_NE, 6 },  { '<', 7 },        { '>', 7 }, { LW_PTX_LE, 7 }, { LW_PTX_GE, 7 }, { LW_PTX_SHL, 8 },
    { LW_PTX_SHR, 8 }, { '+', 9 },        { '-', 9 }, { '*', 10 },      { '/', 10 },      { '%', 10 },
};

static bool read_ranked(lw_ptx_parser *p, unsigned rank, lw_ptx_value *v);
static bool read_ternary(lw_ptx_parser *p, lw_ptx_value *v);

static double to_double(const lw_ptx_value *v)
{
    double d;
    float f;
    const uint32_t low = (uint32_t)v->bits;
    memcpy(&d, &v->bits, sizeof(d));
    memcpy(&f, &low, sizeof(f));
    if (v->kind == LW_PTX_VALUE_INT)
        return v->is_unsigned ? (double)v->bits : (double)(int64_t)v->bits;
    return v->kind == LW_PTX_VALUE_F32 ? (double)f : d;
}

static void set_double(lw_ptx_value *v, double d)
{
    *v = (lw_ptx_value){ .kind = LW_PTX_VALUE_F64 };
    memcpy(&v->bits, &d, sizeof(d));
}

static void set_truth(lw_ptx_value *v, bool truth)
{
    *v = (lw_ptx_value){ .kind = LW_PTX_VALUE_INT, .bits = truth };
}

static bool is_number(const lw_ptx_value *v)
{
    return v->kind <= LW_PTX_VALUE_F64;
}

static bool is_true(const lw_ptx_value *v)
{
    return v->kind == LW_PTX_VALUE_INT ? v->bits != 0 : to_double(v) != 0;
}

/* ---- Binary operators ---- */

static int compare(const lw_ptx_value *a, const lw_ptx_value *b)
{
    if (a->is_unsigned || b->is_unsigned)
        return a->bits < b->bits ? -1 : a->bits > b->bits;
    return (int64_t)a->bits < (int64_t)b->bits ? -1 : (int64_t)a->bits > (int64_t)b->bits;
}

static uint64_t shift_right(const lw_ptx_value *a, uint64_t by)
{
    const uint64_t sign = !a->is_unsigned && a->bits >> 63 ? UINT64_MAX : 0;
    return by > 63 ? sign : a->bits >> by | (by && sign ? sign << (64 - by) : 0);
}

/* Division by zero has been refused. */
static uint64_t divide(const lw_ptx_value *a, const lw_ptx_value *b, bool rest)
{
    if (a->is_unsigned || b->is_unsigned)
        return rest ? a->bits % b->bits : a->bits / b->bits;
    if (b->bits == UINT64_MAX)
        return rest ? 0 : 0 - a->bits;
    const int64_t x = (int64_t)a->bits, y = (int64_t)b->bits;
    return (uint64_t)(rest ? x % y : x / y);
}

static bool is_comparison(unsigned punct, int order, bool *truth)
{
    *truth = punct == LW_PTX_EQ   ? order == 0
             : punct == LW_PTX_NE ? order != 0
             : punct == '<'       ? order < 0
             : punct == '>'       ? order > 0
             : punct == LW_PTX_LE ? order <= 0
                                  : order >= 0;
    return punct == LW_PTX_EQ || punct == LW_PTX_NE || punct == '<' || punct == '>' || punct == LW_PTX_LE ||
           punct == LW_PTX_GE;
}

static uint64_t combine(unsigned punct, const lw_ptx_value *a, const lw_ptx_value *b)
{
    const uint64_t x = a->bits, y = b->bits;
    return punct == '|'          ? x | y
           : punct == '^'        ? x ^ y
           : punct == '&'        ? x & y
           : punct == '+'        ? x + y
           : punct == '-'        ? x - y
           : punct == '*'        ? x * y
           : punct == LW_PTX_SHL ? (y > 63 ? 0 : x << y)
           : punct == LW_PTX_SHR ? shift_right(a, y)
                                 : divide(a, b, punct == '%');
}

static bool apply_real(lw_ptx_parser *p, const lw_ptx_token *at, lw_ptx_value *a, const lw_ptx_value *b)
{
    const double x = to_double(a), y = to_double(b);
    const unsigned punct = (unsigned)at->value;
    bool truth;
    if (is_comparison(punct, x < y ? -1 : x > y, &truth))
        set_truth(a, truth);
    else if (punct == '+' || punct == '-')
        set_double(a, punct == '+' ? x + y : x - y);
    else if (punct == '*' || punct == '/')
        set_double(a, punct == '*' ? x * y : x / y);
    else
        return lw_ptx_fail_at(p, at, LW_E_FORMAT, "an operator for integers between real numbers");
    return true;
}

/* Only an integer may be added to or subtracted from an address. */
static bool apply_address(lw_ptx_parser *p, const lw_ptx_token *at, lw_ptx_value *a, const lw_ptx_value *b)
{
    const bool swapped = b->kind > LW_PTX_VALUE_F64;
    const lw_ptx_value *number = swapped ? a : b;
    lw_ptx_value address = swapped ? *b : *a;
    if (number->kind != LW_PTX_VALUE_INT || (at->value != '+' && (at->value != '-' || swapped)))
        return lw_ptx_fail_at(p, at, LW_E_FORMAT, "an address takes only + and - with an integer");
    address.bits += at->value == '-' ? 0 - number->bits : number->bits;
    *a = address;
    return true;
}

static bool apply(lw_ptx_parser *p, const lw_ptx_token *at, lw_ptx_value *a, const lw_ptx_value *b)
{
    const unsigned punct = (unsigned)at->value;
    bool truth;
    if (!is_number(a) || !is_number(b))
        return apply_address(p, at, a, b);
    if (punct == LW_PTX_AND || punct == LW_PTX_OR) {
        set_truth(a, punct == LW_PTX_AND ? is_true(a) && is_true(b) : is_true(a) || is_true(b));
        return true;
    }
    if (a->kind != LW_PTX_VALUE_INT || b->kind != LW_PTX_VALUE_INT)
        return apply_real(p, at, a, b);
    if ((punct == '/' || punct == '%') && b->bits == 0)
        return lw_ptx_fail_at(p, at, LW_E_FORMAT, "a division by zero");
    if (is_comparison(punct, compare(a, b), &truth)) {
        set_truth(a, truth);
        return true;
    }
    const bool shift = punct == LW_PTX_SHL || punct == LW_PTX_SHR;
    a->bits = combine(punct, a, b);
    a->is_unsigned = a->is_unsigned || (b->is_unsigned && !shift);
    return true;
}

/* ---- Values ---- */

static bool read_symbol(lw_ptx_parser *p, lw_ptx_value *v)
{
    const lw_ptx_token name = lw_ptx_next(p);
    const int shown = name.size < 80 ? (int)name.size : 80;
    if (lw_ptx_is(&p->lexer, &name, "WARP_SZ")) {
        *v = (lw_ptx_value){ .kind = LW_PTX_VALUE_INT, .bits = 32 };
        return true;
    }
    if (lw_ptx_is(&p->lexer, &name, "generic") && lw_ptx_take_punct(p, '(')) {
        if (!read_ternary(p, v) || !lw_ptx_need_punct(p, ')'))
            return false;
        v->generic = true;
        return !is_number(v) || lw_ptx_fail_at(p, &name, LW_E_FORMAT, "generic() takes an address");
    }
    const lw_ptx_name *found = lw_ptx_find_from(p, &name, p->scope);
    if (!found)
        return lw_ptx_fail_at(p, &name, LW_E_FORMAT, "'%.*s' is not declared", shown, lw_ptx_text(p, &name));
    if (found->kind != LW_PTX_NAME_VARIABLE && found->kind != LW_PTX_NAME_FUNCTION)
        return lw_ptx_fail_at(p, &name, LW_E_FORMAT, "'%.*s' is not a constant", shown,
                              lw_ptx_text(p, &name));
    *v = (lw_ptx_value){ .kind = found->kind == LW_PTX_NAME_VARIABLE ? LW_PTX_VALUE_VARIABLE
                                                                     : LW_PTX_VALUE_FUNCTION,
                         .index = found->index };
    return true;
}

/* 0xff00(name): the byte of an address that the mask covers. */
static bool read_masked(lw_ptx_parser *p, const lw_ptx_token *mask, lw_ptx_value *v)
{
    unsigned shift = 0;
    if (!read_ternary(p, v) || !lw_ptx_need_punct(p, ')'))
        return false;
    while (shift < 64 && mask->value != UINT64_C(0xff) << shift)
        shift += 8;
    if (shift == 64 || is_number(v))
        return lw_ptx_fail_at(p, mask, LW_E_FORMAT,
                              "a mask is one byte, as 0xff00, and stands before an address");
    v->masked = true;
    v->shift = (uint8_t)shift;
    return true;
}

static bool read_literal(lw_ptx_parser *p, lw_ptx_value *v)
{
    const lw_ptx_token t = lw_ptx_next(p);
    if (t.kind == LW_PTX_TOKEN_INT && lw_ptx_take_punct(p, '('))
        return read_masked(p, &t, v);
    *v = (lw_ptx_value){ .kind = t.kind == LW_PTX_TOKEN_INT   ? LW_PTX_VALUE_INT
                                 : t.kind == LW_PTX_TOKEN_F32 ? LW_PTX_VALUE_F32
                                                              : LW_PTX_VALUE_F64,
                         .is_unsigned = t.is_unsigned,
                         .bits = t.value };
    return true;
}

/* After '(': a cast, (.s64) or (.u64), and what it applies to, or an expression. */
static bool read_parentheses(lw_ptx_parser *p, lw_ptx_value *v)
{
    const bool to_signed = lw_ptx_at_dot(p, ".s64");
    if (to_signed || lw_ptx_at_dot(p, ".u64")) {
        lw_ptx_next(p);
        const lw_ptx_token at = p->token;
        if (!lw_ptx_need_punct(p, ')') || !read_ranked(p, 11, v))
            return false;
        if (v->kind != LW_PTX_VALUE_INT)
            return lw_ptx_fail_at(p, &at, LW_E_FORMAT, "a cast applies to an integer");
        v->is_unsigned = !to_signed;
        return true;
    }
    return read_ternary(p, v) && lw_ptx_need_punct(p, ')');
}

static bool read_sign(lw_ptx_parser *p, const lw_ptx_token *at, lw_ptx_value *v)
{
    if (!is_number(v) || (at->value == '~' && v->kind != LW_PTX_VALUE_INT))
        return lw_ptx_fail_at(p, at, LW_E_FORMAT, "'%c' before what it does not apply to", (char)at->value);
    if (at->value == '!')
        set_truth(v, !is_true(v));
    else if (at->value == '~')
        v->bits = ~v->bits;
    else if (at->value == '-' && v->kind == LW_PTX_VALUE_INT)
        v->bits = 0 - v->bits;
    else if (at->value == '-')
        v->bits ^= v->kind == LW_PTX_VALUE_F32 ? UINT64_C(1) << 31 : UINT64_C(1) << 63;
    return true;
}

static bool read_unary(lw_ptx_parser *p, lw_ptx_value *v)
{
    const lw_ptx_token at = p->token;
    if (at.kind == LW_PTX_TOKEN_NAME)
        return read_symbol(p, v);
    if (at.kind == LW_PTX_TOKEN_INT || at.kind == LW_PTX_TOKEN_F32 || at.kind == LW_PTX_TOKEN_F64)
        return read_literal(p, v);
    const bool sign = at.kind == LW_PTX_TOKEN_PUNCT &&
                      (at.value == '-' || at.value == '+' || at.value == '!' || at.value == '~');
    if (!sign && !lw_ptx_at_punct(p, '('))
        return lw_ptx_expected(p, "a constant or a name");
    if (!lw_ptx_enter(p))
        return false;
    lw_ptx_next(p);
    const bool good = sign ? read_ranked(p, 11, v) && read_sign(p, &at, v) : read_parentheses(p, v);
    p->depth--;
    return good;
}

static unsigned rank_here(const lw_ptx_parser *p)
{
    if (p->token.kind == LW_PTX_TOKEN_PUNCT)
        for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]); i++)
            if (operators[i].punct == p->token.value)
                return operators[i].rank;
    return 0;
}

/* Everything that binds at least as tightly as `rank`. */
static bool read_ranked(lw_ptx_parser *p, unsigned rank, lw_ptx_value *v)
{
    if (!read_unary(p, v))
        return false;
    for (unsigned here = rank_here(p); here && here >= rank; here = rank_here(p)) {
        const lw_ptx_token at = lw_ptx_next(p);
        lw_ptx_value right = { 0 };
        if (!lw_ptx_enter(p) || !read_ranked(p, here + 1, &right))
            return false;
        p->depth--;
        if (!apply(p, &at, v, &right))
            return false;
    }
    return true;
}

static bool read_ternary(lw_ptx_parser *p, lw_ptx_value *v)
{
    lw_ptx_value yes = { 0 }, no = { 0 };
    if (!read_ranked(p, 1, v))
        return false;
    if (!lw_ptx_at_punct(p, '?'))
        return true;
    if (!is_number(v))
        return lw_ptx_expected(p, "no condition of an address");
    lw_ptx_next(p);
    if (!lw_ptx_enter(p) || !read_ternary(p, &yes) || !lw_ptx_need_punct(p, ':') || !read_ternary(p, &no))
        return false;
    p->depth--;
    *v = is_true(v) ? yes : no;
    return true;
}

bool lw_ptx_expr(lw_ptx_parser *p, lw_ptx_value *value)
{
    return read_ternary(p, value);
}

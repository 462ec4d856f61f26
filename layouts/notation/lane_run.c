/* SPDX-License-Identifier: MIT */
/* The steps of lane arithmetic, run. */
#include "isa_tables/error.h"
#include "layouts/notation/lane_code.h"

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
    int64_t stack[LW_CODE_STACK + 1], *top = stack; /* the first one stays unused */
    values->excluded = false;
    for (unsigned i = code->given; i < code->names; i++)
        values->of[i] = LW_LANE_UNSET;
    for (const lw_step *s = code->step, *end = s + code->steps; s != end; s++) {
        switch (s->kind) {
        case LW_STEP_NUMBER:
            *++top = s->number;
            break;
        case LW_STEP_LOAD:
            *++top = values->of[s->number];
            if (*top == LW_LANE_UNSET) {
                r->at = s->at;
                return lw_reader_fail(r, "%s is not set in some lane", code->name[s->number]);
            }
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

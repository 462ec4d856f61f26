/* SPDX-License-Identifier: MIT */
/*
 * The text of AMD's matrix instruction calculator: single elements (--get-register, --matrix-entry), and its
 * tables of registers by element and of elements by register, as grid, CSV, Markdown and AsciiDoc, transposed
 * or not.
 */
#include <ctype.h>
#include <string.h>

#include "isa_tables/error.h"
#include "layouts/notation/reader.h"

enum { BLOCK, X, Y, COORDINATES, MOST_COLUMNS = 1024, MOST_BLOCKS = 64, REGISTER_BITS = 32 };

/* Before the first row. */
#define NO_KEY UINT64_MAX

/* What a table is about: its cells are places of elements, or elements of places. */
typedef struct table {
    char separator;
    bool of_elements; /* the cells are elements */
    bool transposed;
    unsigned columns;
    uint64_t column[MOST_COLUMNS]; /* a row or column of the matrix, a lane, or a bit of the registers */
} table;

typedef struct calculator {
    lw_reader *r;
    const char *operand; /* its name */
    uint32_t block[MOST_BLOCKS];
    unsigned blocks; /* of the table that follows; 0: none was said, which is block 0 */
    uint32_t width;  /* bits of an element; 0: of the first place that comes */
    table t;
} calculator;

static int next_char(const lw_reader *r)
{
    return r->at < r->size ? (unsigned char)r->text[r->at] : 0;
}

/* Blanks within a line. */
static int skip_blanks(lw_reader *r)
{
    while (next_char(r) == ' ' || next_char(r) == '\t' || next_char(r) == '\r')
        r->at++;
    return next_char(r);
}

static bool at_line_end(lw_reader *r)
{
    const int c = skip_blanks(r);
    return c == '\n' || c == 0;
}

static void skip_line(lw_reader *r)
{
    while (next_char(r) && next_char(r) != '\n')
        r->at++;
}

/* ---- Places and elements ---- */

/* The element at a place of so many bits. */
static bool claim(calculator *c, uint32_t lane, uint64_t bit, const uint32_t element[COORDINATES])
{
    if (!c->r->collect)
        return lw_reader_claim_bit(c->r, lane, bit, element);
    uint32_t *line = lw_listing_add(c->r->collect);
    if (!line)
        return lw_reader_fail(c->r, "more than %d places", LW_MOST_CLAIMS);
    const uint32_t lsb = (uint32_t)(bit % REGISTER_BITS);
    const uint32_t made[LW_LISTING_FIELDS] = {
        lane, (uint32_t)(bit / REGISTER_BITS), lsb, lsb + c->width - 1, element[BLOCK], element[X], element[Y]
    };
    memcpy(line, made, sizeof(made));
    return true;
}

/* v1{21}.[31:16] or v[1:0]{21}; without `lane`, v1.[31:16] */
static bool read_place(calculator *c, uint32_t *lane, uint64_t *bit)
{
    lw_reader *r = c->r;
    uint32_t reg = 0, last = 0, msb, lsb = 0;
    if (skip_blanks(r) != 'v')
        return lw_reader_fail(r, "a register is expected here: v0%s", lane ? "{0}" : "");
    r->at++;
    if (lw_reader_take(r, "[")) {
        if (!lw_reader_number(r, &last) || !lw_reader_need(r, ":") || !lw_reader_number(r, &reg) ||
            !lw_reader_need(r, "]"))
            return false;
    } else if (!lw_reader_number(r, &reg)) {
        return false;
    } else {
        last = reg;
    }
    if (lane && (!lw_reader_need(r, "{") || !lw_reader_number(r, lane) || !lw_reader_need(r, "}")))
        return false;
    uint64_t bits = REGISTER_BITS * (last - (uint64_t)reg + 1);
    if (next_char(r) == '.' && lw_reader_take(r, ".[")) {
        if (!lw_reader_number(r, &msb) || !lw_reader_need(r, ":") || !lw_reader_number(r, &lsb) ||
            !lw_reader_need(r, "]"))
            return false;
        bits = msb - (uint64_t)lsb + 1;
    }
    *bit = (uint64_t)REGISTER_BITS * reg + lsb;
    c->width = c->width ? c->width : (uint32_t)bits;
    return bits == c->width ||
           lw_reader_fail(r, "the place before this has not the %u bits of an element", c->width);
}

/* A[5][7], and .B3 for an instruction with blocks */
static bool read_element(calculator *c, uint32_t element[COORDINATES])
{
    lw_reader *r = c->r;
    if (!lw_reader_need(r, c->operand) || !lw_reader_need(r, "[") || !lw_reader_number(r, &element[X]) ||
        !lw_reader_need(r, "]") || !lw_reader_need(r, "[") || !lw_reader_number(r, &element[Y]) ||
        !lw_reader_need(r, "]"))
        return false;
    if (r->size - r->at < 2 || memcmp(r->text + r->at, ".B", 2) != 0)
        return true;
    r->at += 2;
    return lw_reader_number(r, &element[BLOCK]);
}

/* A[5][7] = v1{21}.[31:16], with copies after a blank */
static bool read_places_of(calculator *c)
{
    lw_reader *r = c->r;
    uint32_t element[COORDINATES] = { c->blocks ? c->block[0] : 0 }, lane;
    uint64_t bit;
    if (!read_element(c, element) || !lw_reader_need(r, "="))
        return false;
    do
        if (!read_place(c, &lane, &bit) || !claim(c, lane, bit, element))
            return false;
    while (lw_reader_skip(r), next_char(r) == 'v');
    return true;
}

/* v1{21}.[31:16] = A[5][7] */
static bool read_element_of(calculator *c)
{
    uint32_t element[COORDINATES] = { 0 }, lane;
    uint64_t bit;
    return read_place(c, &lane, &bit) && lw_reader_need(c->r, "=") && read_element(c, element) &&
           claim(c, lane, bit, element);
}

/* ---- Tables ---- */

/* [M][K] of A, [K][N] of B, [M][N] of C and D; the other way round in a transposed table. */
static bool read_letters(calculator *c)
{
    const char *pair = c->operand[0] == 'A' ? "MK" : c->operand[0] == 'B' ? "KN" : "MN";
    lw_reader *r = c->r;
    const size_t at = r->at;
    if (c->operand[1] == '\0')
        for (unsigned turned = 0; turned < 2; turned++) {
            const char text[] = { '[', pair[turned], ']', '[', pair[!turned], ']', '\0' };
            if (lw_reader_take(r, text)) {
                c->t.transposed = turned;
                return true;
            }
        }
    r->at = at;
    return lw_reader_fail(r, "[%c][%c] is expected here", pair[0], pair[1]);
}

static bool take_separator(lw_reader *r, char separator)
{
    if (skip_blanks(r) != separator)
        return false;
    r->at++;
    return true;
}

/* A number, or a place without a lane. */
static bool read_key(calculator *c, bool number, uint64_t *key)
{
    uint32_t n = 0;
    if (!number)
        return read_place(c, NULL, key);
    if (!isdigit(skip_blanks(c->r)))
        return lw_reader_fail(c->r, "a number is expected here");
    if (!lw_reader_number(c->r, &n))
        return false;
    *key = n;
    return true;
}

static bool read_head(calculator *c)
{
    lw_reader *r = c->r;
    table *t = &c->t;
    *t = (table){ .separator = skip_blanks(r) == '|' ? '|' : ',' };
    take_separator(r, '|');
    t->of_elements = lw_reader_take(r, "lane");
    if (!t->of_elements && (!lw_reader_need(r, c->operand) || !read_letters(c)))
        return false;
    while (take_separator(r, t->separator) && !at_line_end(r)) {
        if (t->columns == MOST_COLUMNS)
            return lw_reader_fail(r, "more than %d columns", MOST_COLUMNS);
        if (t->columns == 0)
            t->transposed = t->of_elements ? skip_blanks(r) != 'v' : t->transposed;
        if (!read_key(c, !t->of_elements || t->transposed, &t->column[t->columns++]))
            return false;
    }
    if (!t->columns)
        return lw_reader_fail(r, "a column is expected here");
    return at_line_end(r) || lw_reader_fail(r, "'%c' is expected here", t->separator);
}

/* The element in a cell; in every block of a table of several. */
static bool claim_places(calculator *c, uint64_t row, uint64_t column)
{
    uint32_t element[COORDINATES] = { 0, (uint32_t)row, (uint32_t)column }, lane;
    uint64_t bit;
    if (c->t.transposed) {
        element[X] = (uint32_t)column;
        element[Y] = (uint32_t)row;
    }
    if (!read_place(c, &lane, &bit))
        return false;
    for (unsigned b = 0; b == 0 || b < c->blocks; b++) {
        element[BLOCK] = c->blocks ? c->block[b] : 0;
        if (!claim(c, lane, bit, element))
            return false;
    }
    return true;
}

static bool claim_element(calculator *c, uint64_t row, uint64_t column)
{
    uint32_t element[COORDINATES] = { 0 };
    const uint64_t lane = c->t.transposed ? column : row, bit = c->t.transposed ? row : column;
    return read_element(c, element) && claim(c, (uint32_t)lane, bit, element);
}

/* Whether another item of the same cell follows; those of AsciiDoc are on lines of their own. */
static bool has_item(calculator *c)
{
    lw_reader *r = c->r;
    const char begin = c->t.of_elements ? c->operand[0] : 'v';
    if (skip_blanks(r) == '<' && !lw_reader_take(r, "<br />"))
        return lw_reader_fail(r, "'<br />' is expected here");
    if (skip_blanks(r) == '\n' && c->t.separator == '|') {
        const size_t at = r->at;
        lw_reader_skip(r);
        if (next_char(r) != begin)
            r->at = at;
    }
    return next_char(r) == begin;
}

/* From the first cell on. An empty one continues the row before: copies are below each other in a grid. */
static bool read_row(calculator *c, uint64_t *key)
{
    lw_reader *r = c->r;
    table *t = &c->t;
    take_separator(r, '|');
    if ((skip_blanks(r) != '|' || *key == NO_KEY) && !read_key(c, !t->of_elements || !t->transposed, key))
        return false;
    for (unsigned n = 0; n < t->columns; n++) {
        if (!take_separator(r, t->separator))
            return lw_reader_fail(r, "'%c' is expected here: the table has %u columns", t->separator,
                                  t->columns);
        while (has_item(c))
            if (!(t->of_elements ? claim_element(c, *key, t->column[n])
                                 : claim_places(c, *key, t->column[n])))
                return false;
    }
    if (t->separator == '|')
        take_separator(r, '|');
    return r->status == LW_OK && (at_line_end(r) || lw_reader_fail(r, "the row ends before this"));
}

/* Lines between rows: +---+, |---|, |===, [cols="11<,12<",options="header"] */
static bool skip_rule(lw_reader *r)
{
    size_t at = r->at;
    if (next_char(r) == '|')
        for (at++; at < r->size && r->text[at] == ' ';)
            at++;
    const int c = at < r->size ? (unsigned char)r->text[at] : 0;
    const bool is_rule = c == '+' || c == '-' || c == '=' || c == ':' || c == '[';
    if (is_rule)
        skip_line(r);
    return is_rule;
}

static bool skip_rules(lw_reader *r)
{
    while (!lw_reader_end(r) && skip_rule(r)) {
    }
    return r->at < r->size;
}

/* Whether the line begins a row of the table: with a bar, or with a lane, a register or a number of the
 * matrix. */
static bool has_row(calculator *c)
{
    lw_reader *r = c->r;
    if (!skip_rules(r))
        return false;
    const int next = next_char(r);
    return c->t.separator == '|' ? next == '|' : isdigit(next) || (next == 'v' && c->t.of_elements);
}

static bool read_table(calculator *c)
{
    uint64_t key = NO_KEY;
    if (!skip_rules(c->r))
        return lw_reader_fail(c->r, "a table is expected here");
    if (!read_head(c))
        return false;
    while (has_row(c))
        if (!read_row(c, &key))
            return false;
    c->blocks = 0;
    return true;
}

/* ---- The whole text ---- */

/* "Block 3", "Blocks 0, 1, 2, 3", from the first number on */
static bool read_blocks(calculator *c)
{
    c->blocks = 0;
    do {
        if (c->blocks == MOST_BLOCKS)
            return lw_reader_fail(c->r, "more than %d blocks", MOST_BLOCKS);
        if (!lw_reader_number(c->r, &c->block[c->blocks++]))
            return false;
    } while (lw_reader_take(c->r, ","));
    lw_reader_take(c->r, ":");
    return true;
}

/* Whether an operand's name and a bracket with a number follow, not a table's head. */
static bool is_element(const calculator *c)
{
    const lw_reader *r = c->r;
    const size_t at = r->at + strlen(c->operand) + 1;
    return isalpha(next_char(r)) && (at >= r->size || !isalpha((unsigned char)r->text[at]));
}

static bool read_text(calculator *c)
{
    lw_reader *r = c->r;
    bool fine = true;
    while (fine && !lw_reader_end(r)) {
        if (lw_reader_take(r, "Architecture:") || lw_reader_take(r, "Instruction:"))
            skip_line(r);
        else if (lw_reader_take(r, "Block") || lw_reader_take(r, "Blocks"))
            fine = read_blocks(c);
        else if (next_char(r) == 'v')
            fine = read_element_of(c);
        else
            fine = is_element(c) ? read_places_of(c) : read_table(c);
    }
    return fine && r->status == LW_OK;
}

void lw_read_calculator(lw_reader *r)
{
    if (!r->tv->layout) {
        r->status = lw_error_fail(r->error, LW_E_UNSUPPORTED,
                                  "AMD's calculator's text names registers and bits, which only an "
                                  "instruction has");
        return;
    }
    if (lw_layout_is_stored(r->tv->layout)) {
        r->status = lw_error_fail(
            r->error, LW_E_UNSUPPORTED,
            "AMD's calculator names a sparse A by k of the dense matrix, notations here by stored k");
        return;
    }
    calculator c = { .r = r,
                     .operand = lw_operand_name((lw_operand)r->tv->layout->operand),
                     .width = r->tv->r.width };
    read_text(&c);
}

bool lw_listing_of_calculator(const char *text, size_t size, lw_listing *listing)
{
    bool whole = false;
    for (int o = 0; o < LW_OPERAND_COUNT && !whole; o++) {
        lw_error error;
        lw_reader r = { .text = text, .size = size, .error = &error, .collect = listing };
        calculator c = { .r = &r, .operand = lw_operand_name((lw_operand)o) };
        *listing = (lw_listing){ .line = NULL, .operand = o };
        whole = lw_notation_guess(&r) == LW_NOTATION_CALCULATOR && read_text(&c);
        whole = lw_listing_finish(listing, whole);
    }
    return whole;
}

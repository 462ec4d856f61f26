/* SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa_tables/error.h"
#include "layouts/notation/reader.h"

bool lw_reader_fail(lw_reader *r, const char *format, ...)
{
    char text[256];
    va_list args;
    if (r->status != LW_OK)
        return false;
    if (r->sampled) { /* nobody reads why */
        r->status = LW_E_FORMAT;
        return false;
    }
    size_t line = 1, column = 1;
    for (size_t i = 0; i < r->at && i < r->size; i++) {
        column = r->text[i] == '\n' ? 1 : column + 1;
        line += r->text[i] == '\n';
    }
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    if (line > 1)
        r->status = lw_error_fail(r->error, LW_E_FORMAT, "line %zu, column %zu: %s", line, column, text);
    else
        r->status = lw_error_fail(r->error, LW_E_FORMAT, "column %zu: %s", column, text);
    return false;
}

static int peek(const lw_reader *r, size_t ahead)
{
    return r->at + ahead < r->size ? (unsigned char)r->text[r->at + ahead] : 0;
}

void lw_reader_skip(lw_reader *r)
{
    for (;;) {
        while (r->at < r->size && isspace(peek(r, 0)))
            r->at++;
        if (peek(r, 0) != '#' && peek(r, 0) != '/')
            return;
        const bool python = peek(r, 0) == '#' && isspace(peek(r, 1)); /* "#ttg" does not begin a comment */
        if (!python && (peek(r, 0) != '/' || peek(r, 1) != '/'))
            return;
        while (r->at < r->size && peek(r, 0) != '\n')
            r->at++;
    }
}

bool lw_reader_end(lw_reader *r)
{
    lw_reader_skip(r);
    return r->at == r->size;
}

static bool is_name(int c)
{
    return isalnum(c) || c == '_';
}

bool lw_reader_take(lw_reader *r, const char *word)
{
    lw_reader_skip(r);
    if (peek(r, 0) != (unsigned char)word[0])
        return false;
    const size_t length = strlen(word);
    if (r->status != LW_OK || r->size - r->at < length || memcmp(r->text + r->at, word, length) != 0)
        return false;
    if (is_name((unsigned char)word[length - 1]) && is_name(peek(r, length)))
        return false;
    r->at += length;
    return true;
}

bool lw_reader_need(lw_reader *r, const char *word)
{
    return lw_reader_take(r, word) || lw_reader_fail(r, "'%s' is expected here", word);
}

bool lw_reader_number(lw_reader *r, uint32_t *n)
{
    lw_reader_skip(r);
    const bool wrapped = !isdigit(peek(r, 0)) && lw_reader_take(r, "Int<");
    if (wrapped)
        lw_reader_skip(r);
    if (peek(r, 0) == '_' && isdigit(peek(r, 1)))
        r->at++;
    if (!isdigit(peek(r, 0)))
        return lw_reader_fail(r, "a number is expected here");
    uint32_t v = 0;
    for (; isdigit(peek(r, 0)); r->at++) {
        v = 10 * v + (uint32_t)(peek(r, 0) - '0');
        if (v > LW_MOST_NUMBER)
            return lw_reader_fail(r, "the number is too large");
    }
    *n = v;
    return r->status == LW_OK && (!wrapped || lw_reader_need(r, ">"));
}

bool lw_reader_list(lw_reader *r, const char *open, const char *close, uint32_t *n, unsigned most,
                    unsigned *count)
{
    *count = 0;
    if (!lw_reader_need(r, open))
        return false;
    if (lw_reader_take(r, close))
        return true;
    do {
        if (*count == most)
            return lw_reader_fail(r, "more than %u numbers", most);
        if (!lw_reader_number(r, &n[(*count)++]))
            return false;
    } while (lw_reader_take(r, ","));
    return lw_reader_need(r, close);
}

static uint32_t *coordinate(lw_pair *p, unsigned axis)
{
    return axis == LW_AXIS_ROW   ? &p->row
           : axis == LW_AXIS_COL ? &p->col
           : axis == LW_AXIS_K   ? &p->k
                                 : &p->block;
}

static bool is_inside(const lw_reader *r, uint32_t lane, uint32_t value, const uint8_t *axis,
                      const uint32_t *at, unsigned axes)
{
    for (unsigned a = 0; a < axes; a++)
        if (at[a] >= lw_tv_extent(r->tv, axis[a]))
            return false;
    return lane < r->tv->r.lanes && value < r->tv->count;
}

bool lw_reader_claim(lw_reader *r, uint32_t lane, uint32_t value, const uint8_t *axis, const uint32_t *at,
                     unsigned axes)
{
    if (r->sampled && !is_inside(r, lane, value, axis, at, axes))
        return lw_reader_fail(r, "the operand has no such place or element");
    if (lw_reader_skips(r, lane))
        return true;
    if (r->claims == LW_MOST_CLAIMS)
        return lw_reader_fail(r, "more than %d places", LW_MOST_CLAIMS);
    if (r->claims == r->room) {
        const size_t room = r->room ? 2 * r->room : 1024;
        lw_pair *more = realloc(r->claim, room * sizeof(*more));
        if (!more) {
            r->status = lw_error_fail(r->error, LW_E_NO_MEMORY, "no memory to read a layout");
            return false;
        }
        r->claim = more;
        r->room = room;
    }
    lw_pair *p = &r->claim[r->claims++];
    *p = (lw_pair){ .lane = lane, .bit = value };
    for (unsigned a = 0; a < axes; a++)
        *coordinate(p, axis[a]) = at[a];
    return true;
}

unsigned lw_reader_axes(const lw_reader *r, bool by_rows_first, uint8_t *axis)
{
    unsigned n = 0;
    memcpy(axis, r->tv->axis, r->tv->axes);
    n = r->tv->axes;
    for (unsigned i = 1; by_rows_first && i < n; i++) /* the axes are numbered in that order */
        for (unsigned at = i; at > 0 && axis[at - 1] > axis[at]; at--) {
            const uint8_t swap = axis[at];
            axis[at] = axis[at - 1];
            axis[at - 1] = swap;
        }
    if (r->transposed) {
        const unsigned x = by_rows_first ? 0 : n - 2;
        const uint8_t swap = axis[x];
        axis[x] = axis[x + 1];
        axis[x + 1] = swap;
    }
    return n;
}

/* Whether the text begins with this, after blanks. */
static bool begins(const lw_reader *r, const char *word)
{
    lw_reader copy = *r;
    lw_reader_skip(&copy);
    const size_t length = strlen(word);
    return copy.size - copy.at >= length && memcmp(copy.text + copy.at, word, length) == 0;
}

/* Whether the text begins with a register and its lane: v1{17}, v[1:0]{17} */
static bool begins_with_place(const lw_reader *r)
{
    lw_reader copy = *r;
    lw_reader_skip(&copy);
    if (peek(&copy, 0) != 'v')
        return false;
    do
        copy.at++;
    while (isdigit(peek(&copy, 0)) || (peek(&copy, 0) && strchr("[:]", peek(&copy, 0))));
    return peek(&copy, 0) == '{';
}

/* Whether the first word is an operand followed by a bracket, a register, "Block 0", or a table or its head
 * begins. */
static bool is_calculator(const lw_reader *r)
{
    static const char *const heads[] = { "Block", "Architecture:", "Instruction:", "+-", "|", "[cols" };
    char open[16];
    for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++)
        if (begins(r, heads[i]))
            return true;
    for (int o = 0; o < LW_OPERAND_COUNT; o++) {
        snprintf(open, sizeof(open), "%s[", lw_operand_name((lw_operand)o));
        if (begins(r, open))
            return true;
    }
    return begins_with_place(r);
}

lw_notation lw_notation_guess(const lw_reader *r)
{
    static const struct {
        const char *begin;
        lw_notation notation;
    } looks[] = {
        { "#iree_vector_ext", LW_NOTATION_IREE },
        { "#", LW_NOTATION_TRITON },
        { "Distributed", LW_NOTATION_TRITON },
        { "- register", LW_NOTATION_TRITON },
        { "- lane", LW_NOTATION_TRITON },
        { "outer", LW_NOTATION_IREE },
        { "S[", LW_NOTATION_TIRX },
        { "ck_tile::", LW_NOTATION_CK },
        { "tile_distribution_encoding", LW_NOTATION_CK },
        { "ThrID", LW_NOTATION_CUTE },
        { "Layout<", LW_NOTATION_CUTE },
        { "Shape<", LW_NOTATION_CUTE },
        { "(", LW_NOTATION_CUTE },
        { "make_layout", LW_NOTATION_CUTE },
        { "cute.make_layout", LW_NOTATION_CUTE },
        { "!fly.layout", LW_NOTATION_CUTE },
        { "MMA", LW_NOTATION_CUTE },
        { "TiledMMA", LW_NOTATION_CUTE },
        { "Tiled MMA", LW_NOTATION_CUTE },
        { "Sw", LW_NOTATION_CUTE },
        { "lane,v", LW_NOTATION_CALCULATOR },
        { "lane,0", LW_NOTATION_CALCULATOR },
        { "lane,", LW_NOTATION_LISTING },
        { "__", LW_NOTATION_FORMULA },
    };
    if (r->listing)
        return LW_NOTATION_LISTING;
    for (size_t i = 0; i < sizeof(looks) / sizeof(looks[0]); i++)
        if (begins(r, looks[i].begin))
            return looks[i].notation;
    lw_reader copy = *r;
    lw_reader_skip(&copy);
    if (isdigit(peek(&copy, 0)) || peek(&copy, 0) == '_')
        return memchr(r->text, ':', r->size) ? LW_NOTATION_CUTE : LW_NOTATION_LISTING;
    return is_calculator(r) ? LW_NOTATION_CALCULATOR : LW_NOTATION_FORMULA;
}

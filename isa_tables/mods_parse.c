/* SPDX-License-Identifier: MIT */
/* Modifiers in the assembler's spelling. */
#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "isa_tables/error.h"
#include "isa_tables/matrix.h"
#include "isa_tables/ptx/row.h"
#include "isa_tables/readings.h"

typedef struct span {
    const char *at;
    size_t length;
} span;

static bool span_is(span s, const char *word)
{
    return strlen(word) == s.length && memcmp(s.at, word, s.length) == 0;
}

/* The next piece: up to a blank or a comma outside brackets. Empty at the end of the text. */
static span next_piece(const char **text)
{
    const char *p = *text + strspn(*text, " \t\n,");
    span piece = { p, 0 };
    for (bool inside = false; *p && (inside || !strchr(" \t\n,", *p)); p++)
        inside = (inside || *p == '[') && *p != ']';
    piece.length = (size_t)(p - piece.at);
    *text = p;
    return piece;
}

static bool read_number(span s, unsigned *value)
{
    unsigned v = 0;
    if (s.length == 0 || s.length > 3)
        return false;
    for (size_t i = 0; i < s.length; i++) {
        if (s.at[i] < '0' || s.at[i] > '9')
            return false;
        v = v * 10 + (unsigned)(s.at[i] - '0');
    }
    *value = v;
    return true;
}

/* "[1,0]": 1 to `entries` entries of 0 or 1, blanks allowed; entry i becomes bit i. */
static bool read_bits(span s, unsigned entries, unsigned *value)
{
    unsigned bits = 0, count = 0;
    bool digit_next = true;
    if (s.length < 3 || s.at[0] != '[' || s.at[s.length - 1] != ']')
        return false;
    for (size_t i = 1; i + 1 < s.length; i++) {
        const char c = s.at[i];
        if (c == ' ')
            continue;
        if (!digit_next && c != ',')
            return false;
        if (digit_next && ((c != '0' && c != '1') || count == entries))
            return false;
        if (digit_next)
            bits |= (unsigned)(c - '0') << count++;
        digit_next = !digit_next;
    }
    *value = bits;
    return !digit_next;
}

/* CDNA's f8f6f4: the formats of cbsz and blgp by name. */
static bool read_format(const lw_insn *insn, span s, unsigned *value)
{
    if (insn->layout != LW_FAMILY_F8F6F4)
        return false;
    for (unsigned code = 0; code < LW_F8F6F4_FORMATS; code++)
        if (span_is(s, lw_elem_rows[lw_elem_f8f6f4(code)].name)) {
            *value = code;
            return true;
        }
    return false;
}

/* "MATRIX_FMT_FP4", or "fp4" for short, or the number. */
static bool read_name(const lw_mod_field *field, span s, unsigned *value)
{
    enum { NAME_SIZE = 40 };
    for (unsigned code = 0; code <= field->max; code++) {
        char name[NAME_SIZE];
        snprintf(name, sizeof(name), "%s%s", field->prefix, field->names[code]);
        bool good = span_is(s, name);
        snprintf(name, sizeof(name), "%s", field->names[code]);
        for (char *c = name; *c; c++)
            *c = (char)tolower((unsigned char)*c);
        good = good || span_is(s, name);
        if (good) {
            *value = code;
            return true;
        }
    }
    return read_number(s, value) && *value <= field->max;
}

/* One name may stand for several fields; an instruction has at most one of them. */
static const lw_mod_field *find_field(span name)
{
    for (size_t i = 0; i < lw_mod_field_count; i++)
        if (span_is(name, lw_mod_fields[i].name))
            return &lw_mod_fields[i];
    return NULL;
}

/* "topic:name", or the former name of a reading of modifiers. */
static lw_status parse_reading(span text, lw_mods *mods, lw_error *error)
{
    enum { NAME_SIZE = 64 };
    char name[NAME_SIZE];
    const lw_reading *reading = NULL;
    snprintf(name, sizeof(name), "%.*s", (int)text.length, text.at ? text.at : "");
    if (lw_reading_find(name, &reading, error) != LW_OK)
        return LW_E_FORMAT;
    if (reading->about != LW_READING_OF_MODIFIERS)
        return lw_error_fail(error, LW_E_FORMAT, "%s:%s is not a reading of modifiers", reading->topic,
                             reading->name);
    mods->readings = (uint16_t)(mods->readings | reading->mods);
    return LW_OK;
}

static lw_status fail_value(const lw_mod_field *field, span value, lw_error *error)
{
    const int length = (int)value.length;
    switch ((lw_mod_kind)field->kind) {
    case LW_MOD_FIELD_BITS:
        return lw_error_fail(error, LW_E_FORMAT,
                             "%s takes a list of up to %u zeros and ones, as in %s:[0,1], not %.*s",
                             field->name, field->max, field->name, length, value.at);
    case LW_MOD_FIELD_FLAG:
        return lw_error_fail(error, LW_E_FORMAT, "%s stands alone, without \":%.*s\"", field->name, length,
                             value.at);
    case LW_MOD_FIELD_NAME:
        lw_error_fail(error, LW_E_FORMAT, "\"%.*s\" is no %s; there are", length, value.at, field->name);
        for (unsigned code = 0; code <= field->max; code++)
            lw_error_append(error, "%s %s%s (%u)", code ? "," : "", field->prefix, field->names[code], code);
        return LW_E_FORMAT;
    case LW_MOD_FIELD_NUMBER:
        break;
    }
    return lw_error_fail(error, LW_E_FORMAT, "%s takes a number from 0 to %u, not \"%.*s\"", field->name,
                         field->max, length, value.at);
}

/* `value` has a NULL text for a name without a value. */
static lw_status parse_value(const lw_insn *insn, const lw_mod_row *row, const lw_mod_field *field,
                             span value, lw_mods *mods, lw_error *error)
{
    const bool by_name = field->offset == offsetof(lw_mods, cbsz) || field->offset == offsetof(lw_mods, blgp);
    unsigned number = 0;
    bool good = false;
    switch ((lw_mod_kind)field->kind) {
    case LW_MOD_FIELD_BITS:
        good = read_bits(value, field->max, &number);
        number ^= lw_mod_field_rest(row, field);
        break;
    case LW_MOD_FIELD_FLAG:
        good = !value.at;
        number = 1;
        break;
    case LW_MOD_FIELD_NAME:
        good = read_name(field, value, &number);
        break;
    case LW_MOD_FIELD_NUMBER:
        good = (read_number(value, &number) && number <= field->max) ||
               (by_name && read_format(insn, value, &number));
        break;
    }
    if (!good)
        return fail_value(field, value, error);
    ((uint8_t *)mods)[field->offset] = (uint8_t)number;
    return LW_OK;
}

static lw_status parse_wave(span value, lw_mods *mods, lw_error *error)
{
    unsigned wave;
    if (!read_number(value, &wave) || (wave != 32 && wave != 64))
        return lw_error_fail(error, LW_E_FORMAT, "wave takes 32 or 64, not \"%.*s\"", (int)value.length,
                             value.at);
    mods->wave = (uint8_t)wave;
    return LW_OK;
}

static const char *names_or_none(const lw_mod_row *row)
{
    return row->names[0] ? row->names : "none";
}

/* `seen` has a bit for each entry of lw_mod_fields that the text has already named. */
static lw_status parse_piece(lw_arch arch, const lw_insn *insn, span piece, lw_mods *mods, unsigned *seen,
                             lw_error *error)
{
    const lw_mod_row *row = lw_insn_mod_row(arch, insn);
    const char *colon = memchr(piece.at, ':', piece.length), *insn_name = lw_insn_name(arch, insn);
    const span name = { piece.at, colon ? (size_t)(colon - piece.at) : piece.length };
    const span value = { colon ? colon + 1 : NULL, colon ? piece.length - name.length - 1 : 0 };
    const lw_mod_field *field = find_field(name);
    if (!colon && !(field && field->kind == LW_MOD_FIELD_FLAG))
        return lw_error_fail(error, LW_E_FORMAT, "\"%.*s\" is not a modifier; they look like NAME:VALUE",
                             (int)piece.length, piece.at);
    if (span_is(name, "reading") || span_is(name, "assume"))
        return parse_reading(value, mods, error);
    if (span_is(name, "wave"))
        return parse_wave(value, mods, error);
    if (!field)
        return lw_error_fail(error, LW_E_FORMAT, "no modifier is called \"%.*s\"; %s takes: %s",
                             (int)name.length, name.at, insn_name, names_or_none(row));
    if (!lw_mod_row_has(row, name.at, name.length))
        return lw_mods_fail_absent(arch, insn, field->name, error);
    const unsigned bit = 1u << (field - lw_mod_fields);
    if (*seen & bit)
        return lw_error_fail(error, LW_E_FORMAT, "%s is given twice", field->name);
    *seen |= bit;
    return parse_value(insn, row, field, value, mods, error);
}

/* Adds what the text names to `start`, which holds what the spelling already says. */
static lw_status parse_onto(lw_arch arch, const lw_insn *insn, const char *text, lw_mods start, lw_mods *mods,
                            lw_error *error)
{
    lw_status st = LW_OK;
    unsigned seen = 0;
    if (insn->ptx)
        st = lw_ptx_mods_parse(insn, text, &start, error);
    else
        for (span piece = next_piece(&text); piece.length && st == LW_OK; piece = next_piece(&text))
            st = parse_piece(arch, insn, piece, &start, &seen, error);
    if (st != LW_OK || (st = lw_mods_check(arch, insn, &start, error)) != LW_OK)
        return st;
    *mods = start;
    return LW_OK;
}

lw_status lw_mods_parse(lw_arch arch, const lw_insn *insn, const char *text, lw_mods *mods, lw_error *error)
{
    if (!text || !mods)
        return lw_error_fail(error, LW_E_ARGUMENT, "lw_mods_parse needs a text and a result");
    lw_status st = lw_insn_require(arch, insn, error);
    if (st != LW_OK)
        return st;

    return parse_onto(arch, insn, text, (lw_mods){ 0 }, mods, error);
}

lw_status lw_insn_parse(lw_arch arch, const char *text, const lw_insn **insn, lw_mods *mods, lw_error *error)
{
    enum { NAME_SIZE = 192 };
    if (!text || !insn || !mods || !lw_arch_get(arch))
        return lw_error_fail(error, LW_E_ARGUMENT,
                             "lw_insn_parse needs an architecture, a text and two results");
    text += strspn(text, " \t\n");
    const size_t length = strcspn(text, " \t\n,");
    char name[NAME_SIZE];
    if (length >= sizeof(name))
        return lw_error_fail(error, LW_E_NOT_FOUND, "no matrix instruction has a name of %zu characters",
                             length);
    memcpy(name, text, length);
    name[length] = '\0';

    const lw_insn *found;
    lw_mods spelt = { 0 };
    lw_status st = lw_arch_is_nvidia(arch) ? lw_ptx_find(arch, name, &found, &spelt, error)
                                           : lw_insn_find(arch, name, &found, error);
    if (st != LW_OK || (st = parse_onto(arch, found, text + length, spelt, mods, error)) != LW_OK)
        return st;
    *insn = found;
    return LW_OK;
}

/* SPDX-License-Identifier: MIT */
#include "cli/layout_convert.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/convert.h>

#include "cli/file.h"
#include "cli/json.h"
#include "cli/layout_banks.h"
#include "cli/parse.h"
#include "cli/target.h"

bool layout_is_free(const cli_call *call)
{
    return cli_has(call, "convert") || cli_has(call, "algebra") || cli_has(call, "to");
}

/* The value of an option, or the contents of the file it names; the caller frees *file. */
static int read_text(const cli_call *call, const char *option, const char **text, size_t *size,
                     uint8_t **file)
{
    *text = cli_value(call, option);
    *size = strlen(*text);
    *file = NULL;
    if ((*text)[0] != '@')
        return CLI_FINE;
    const int exit = file_read(call, *text + 1, file, size);
    *text = (const char *)*file;
    return exit;
}

static int fail(const cli_call *call, const char *option, lw_status st, const lw_error *error)
{
    if (st == LW_E_UNSUPPORTED)
        return cli_fail(call, CLI_NO, "%s", error->text);
    return cli_fail(call, st == LW_E_NO_MEMORY ? CLI_FAULT : CLI_USAGE, "--%s: %s", option, error->text);
}

static int read_to(const cli_call *call, lw_layout_format *format)
{
    const char *to = cli_value(call, "to");
    if (!to)
        return cli_fail(call, CLI_USAGE, "--convert needs --to, a notation");
    return lw_layout_format_find(to, format) == LW_OK
               ? CLI_FINE
               : cli_fail(call, CLI_USAGE,
                          "--to %s: must be one of formula, cute, triton, gluon, iree, tirx, ck, listing, "
                          "grid, svg",
                          to);
}

static int read_operand(const cli_call *call, lw_operand *operand)
{
    const char *name = cli_value(call, "operand");
    *operand = LW_OPERAND_D;
    if (name && (lw_operand_find(name, operand) != LW_OK || *operand > LW_OPERAND_D))
        return cli_fail(call, CLI_USAGE, "--operand %s: must be A, B, C or D; it names the coordinates",
                        name);
    return CLI_FINE;
}

static int convert_tile(const cli_call *call, lw_layout_format format, uint32_t rows, uint32_t cols)
{
    const char *text, *width = cli_value(call, "width");
    uint8_t *file;
    size_t size;
    uint64_t bits = 16;
    lw_tile *tile = NULL;
    lw_error error = { "" };
    if (width && (!parse_u64(width, &bits) || bits > 64))
        return cli_fail(call, CLI_USAGE, "--width %s: must be 4, 6, 8, 16, 32 or 64 bits", width);
    const int exit = read_text(call, "tile", &text, &size, &file);
    if (exit != CLI_FINE)
        return exit;
    lw_status st = lw_tile_read(text, size, rows, cols, (uint32_t)bits, &tile, &error);
    free(file);
    if (st == LW_OK)
        st = lw_tile_print(tile, format, target_sink, stdout, &error);
    lw_tile_free(tile);
    return st == LW_OK ? CLI_FINE : fail(call, "tile", st, &error);
}

static int convert_layout(const cli_call *call, lw_layout_format format, uint32_t rows, uint32_t cols)
{
    const char *text, *wave = cli_value(call, "wave");
    uint8_t *file;
    size_t size;
    lw_relation relation;
    lw_operand operand;
    lw_error error = { "" };
    int exit = read_operand(call, &operand);
    if (exit == CLI_FINE && !rows)
        exit = cli_fail(call, CLI_USAGE, "--convert needs --shape, as in --shape 16x16");
    if (exit == CLI_FINE)
        exit = read_text(call, "convert", &text, &size, &file);
    if (exit != CLI_FINE)
        return exit;
    lw_status st = lw_notation_read(text, size, operand, rows, cols,
                                    wave && strcmp(wave, "32") == 0 ? 32 : 64, &relation, NULL, &error);
    free(file);
    if (st == LW_OK)
        st = lw_notation_print(&relation, operand, format, target_sink, stdout, &error);
    return st == LW_OK ? CLI_FINE : fail(call, "convert", st, &error);
}

/* Whether the text, or the file it names, begins like a Triton attribute, and an attribute is wanted. */
static bool is_attribute(const char *text, size_t size, lw_layout_format format)
{
    size_t at = 0;
    while (at < size && isspace((unsigned char)text[at]))
        at++;
    return at < size && text[at] == '#' && (format == LW_LAYOUT_TRITON || format == LW_LAYOUT_GLUON);
}

/* "64", "16x16", "4x16x16" */
static int read_extents(const cli_call *call, uint32_t extents[3], uint32_t *rank)
{
    const char *text = cli_value(call, "shape");
    for (*rank = 0; text && *rank < 3;) {
        char word[16] = "";
        uint64_t n = 0;
        const size_t length = strcspn(text, "x");
        if (length < sizeof(word))
            memcpy(word, text, length);
        if (!parse_u64(word, &n) || !n || n > LW_TILE_MOST)
            break;
        extents[(*rank)++] = (uint32_t)n;
        if (!text[length])
            return CLI_FINE;
        text += length + 1;
    }
    return cli_fail(call, CLI_USAGE, "--convert needs --shape, as in --shape 64, 16x16 or 4x16x16");
}

/* Includes warps, which a relation of lanes and values does not have. */
static int convert_attribute(const cli_call *call, const char *text, size_t size, lw_layout_format format)
{
    uint32_t extents[3], rank;
    lw_error error = { "" };
    const int exit = read_extents(call, extents, &rank);
    if (exit != CLI_FINE)
        return exit;
    const lw_status st = lw_triton_linear(text, size, extents, rank, format, target_sink, stdout, &error);
    return st == LW_OK ? CLI_FINE : fail(call, "convert", st, &error);
}

/* Writes a Triton attribute as a linear layout; *done says whether this was such a case. */
static int convert_alone(const cli_call *call, lw_layout_format format, bool *done)
{
    const char *text;
    uint8_t *file;
    size_t size;
    *done = false;
    if (!cli_has(call, "convert"))
        return CLI_FINE;
    int exit = read_text(call, "convert", &text, &size, &file);
    if (exit == CLI_FINE && (*done = is_attribute(text, size, format)))
        exit = convert_attribute(call, text, size, format);
    free(file);
    return exit;
}

int layout_convert(const cli_call *call)
{
    bool done = false;
    lw_layout_format format;
    uint32_t rows = 0, cols = 0;
    lw_error error = { "" };
    if (call->operand_count)
        return cli_fail(call, CLI_USAGE, "--convert, --to and --algebra take no instruction");
    if (cli_has(call, "algebra")) {
        const char *text = cli_value(call, "algebra");
        const lw_status st = lw_cute_evaluate(text, strlen(text), target_sink, stdout, &error);
        return st == LW_OK ? CLI_FINE : fail(call, "algebra", st, &error);
    }
    int exit = read_to(call, &format);
    if (exit == CLI_FINE)
        exit = convert_alone(call, format, &done);
    if (exit != CLI_FINE || done)
        return exit;
    exit = layout_read_shape(call, "shape", &rows, &cols);
    if (exit != CLI_FINE)
        return exit;
    if (cli_has(call, "convert"))
        return convert_layout(call, format, rows, cols);
    if (!cli_has(call, "tile"))
        return cli_fail(call, CLI_USAGE,
                        "--to needs --convert, a layout of lanes and values, or --tile, one of memory");
    return convert_tile(call, format, rows, cols);
}

/* ---- From operand to operand ---- */

/* "A" of the same instruction, or "INSN:A". */
static int read_next(const cli_call *call, lw_arch arch, const lw_insn *insn, const lw_mods *mods,
                     lw_layout **to)
{
    const char *text = cli_value(call, "next"), *colon = strrchr(text, ':');
    const char *name = colon ? colon + 1 : text;
    const lw_insn *next = insn;
    lw_mods next_mods = *mods;
    lw_operand operand;
    lw_error error = { "" };
    if (lw_operand_find(name, &operand) != LW_OK || operand > LW_OPERAND_D)
        return cli_fail(call, CLI_USAGE, "--next %s: must be A, B or C, or INSN:A", text);
    if (colon) {
        char *word = cli_copy(text, (size_t)(colon - text));
        const lw_status st = lw_insn_parse(arch, word, &next, &next_mods, &error);
        free(word);
        if (st != LW_OK)
            return cli_fail_status(call, "--next", st, &error);
    }
    if (colon && cli_has(call, "wave"))
        next_mods.wave = mods->wave;
    const lw_status st = lw_layout_create(arch, next, operand, 0, &next_mods, to, &error);
    return st == LW_OK ? CLI_FINE : cli_fail_status(call, "--next", st, &error);
}

typedef struct tally {
    size_t all, moved, reordered; /* places; those from another lane; those from another value of the lane */
} tally;

static void count_moves(const lw_layout_move *m, size_t count, tally *t)
{
    for (size_t i = 0; i < count; i++) {
        t->moved += m[i].lane != m[i].from_lane;
        t->reordered += m[i].lane == m[i].from_lane && m[i].value != m[i].from_value;
    }
    t->all += count;
}

static void print_moves(const lw_layout_move *m, size_t count)
{
    enum { SHOWN = 8 };
    size_t shown = 0;
    for (size_t i = 0; i < count && shown < SHOWN; i++) {
        if (m[i].lane == m[i].from_lane && m[i].value == m[i].from_value)
            continue;
        printf("lane %u v %u comes from lane %u v %u\n", m[i].lane, m[i].value, m[i].from_lane,
               m[i].from_value);
        shown++;
    }
}

static void print_tally(const lw_layout_info *from, const lw_layout_info *to, const tally *t, size_t pieces)
{
    const char *f = lw_operand_name(from->operand), *n = lw_operand_name(to->operand);
    if (pieces > 1)
        printf("%s of %u x %u is %zu times %s of %u x %u\n", f, from->x_count, from->y_count, pieces, n,
               to->x_count, to->y_count);
    if (t->moved)
        printf("lanes must exchange: %zu of %zu values of %s come from another lane's %s\n", t->moved, t->all,
               n, f);
    else if (t->reordered)
        printf("no lanes exchange values: each lane has its values of %s in %s already, %zu of %zu in "
               "another place\n",
               n, f, t->reordered, t->all);
    else
        printf("no lanes exchange values: %s is %s as it is\n", f, n);
}

/* The moves are those of the first piece. */
static void write_next(const lw_layout_info *from, const lw_layout_info *to, const tally *t, size_t pieces,
                       const lw_layout_move *m, size_t count)
{
    cli_json json = { .out = stdout };
    json_open(&json, NULL, '{');
    json_string(&json, "from", from->mnemonic);
    json_string(&json, "from_operand", lw_operand_name(from->operand));
    json_string(&json, "to", to->mnemonic);
    json_string(&json, "to_operand", lw_operand_name(to->operand));
    json_uint(&json, "pieces", pieces);
    json_uint(&json, "values", t->all);
    json_uint(&json, "from_other_lanes", t->moved);
    json_uint(&json, "from_other_places", t->reordered);
    json_open(&json, "moves", '[');
    for (size_t i = 0; i < count; i++) {
        json_open(&json, NULL, '{');
        json_uint(&json, "lane", m[i].lane);
        json_uint(&json, "value", m[i].value);
        json_uint(&json, "from_lane", m[i].from_lane);
        json_uint(&json, "from_value", m[i].from_value);
        json_close(&json, '}');
    }
    json_close(&json, ']');
    json_close(&json, '}');
}

int layout_next(const cli_call *call, lw_arch arch, const lw_insn *insn, const lw_mods *mods,
                const lw_layout *layout)
{
    lw_layout *to = NULL;
    lw_layout_info from, info;
    lw_error error = { "" };
    tally t = { 0, 0, 0 };
    size_t count = 0, pieces = 0, room = 1 << 14;
    int exit = read_next(call, arch, insn, mods, &to);
    if (exit != CLI_FINE)
        return exit;
    lw_layout_get_info(layout, &from);
    lw_layout_get_info(to, &info);
    lw_layout_move *moves = cli_alloc(room * sizeof(*moves)), *first = cli_alloc(room * sizeof(*moves));
    size_t first_count = 0;
    lw_status st = LW_OK;
    for (uint32_t x = 0; st == LW_OK && (x == 0 || x + info.x_count <= from.x_count); x += info.x_count)
        for (uint32_t y = 0; st == LW_OK && (y == 0 || y + info.y_count <= from.y_count); y += info.y_count) {
            st = lw_layout_moves(layout, to, x, y, moves, room, &count, &error);
            if (st != LW_OK)
                break;
            count = count < room ? count : room;
            count_moves(moves, count, &t);
            if (pieces++ == 0)
                memcpy(first, moves, (first_count = count) * sizeof(*moves));
        }
    if (st == LW_OK && call->wants_json)
        write_next(&from, &info, &t, pieces, first, first_count);
    else if (st == LW_OK) {
        print_tally(&from, &info, &t, pieces);
        print_moves(first, first_count);
    }
    free(moves);
    free(first);
    lw_layout_free(to);
    if (st == LW_OK)
        return CLI_FINE;
    return cli_fail(call, st == LW_E_NO_MEMORY ? CLI_FAULT : CLI_NO, "%s", error.text);
}

/* SPDX-License-Identifier: MIT */
#include "cli/layout_banks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/tile.h>

#include "cli/file.h"
#include "cli/json.h"
#include "cli/parse.h"

/* The access that --banks describes. */
typedef struct access {
    uint32_t bytes;
    bool store, ldmatrix;
} access;

static int read_access(const cli_call *call, access *a)
{
    const char *text = cli_value(call, "banks"), *width = text;
    uint64_t bits = 0;
    *a = (access){ .bytes = 16, .ldmatrix = strcmp(text, "ldmatrix") == 0 };
    if (a->ldmatrix)
        return CLI_FINE;
    a->store = strncmp(text, "write:", 6) == 0;
    if (a->store || strncmp(text, "read:", 5) == 0)
        width = strchr(text, ':') + 1;
    if (width[0] != 'b' || !parse_u64(width + 1, &bits) || bits % 8 || bits < 8 || bits > 128)
        return cli_fail(call, CLI_USAGE,
                        "--banks %s: must be b8, b16, b32, b64, b96 or b128 for reads of each lane, with "
                        "write: in front for writes, or ldmatrix",
                        text);
    a->bytes = (uint32_t)bits / 8;
    return CLI_FINE;
}

int layout_read_shape(const cli_call *call, const char *option, uint32_t *rows, uint32_t *cols)
{
    const char *text = cli_value(call, option), *x = text ? strchr(text, 'x') : NULL;
    char first[16] = "";
    uint64_t n[2] = { 0, 0 };
    if (!text)
        return CLI_FINE;
    if (x && (size_t)(x - text) < sizeof(first))
        memcpy(first, text, (size_t)(x - text));
    if (!x || !parse_u64(first, &n[0]) || !parse_u64(x + 1, &n[1]) || !n[0] || !n[1] || n[0] > LW_TILE_MOST ||
        n[1] > LW_TILE_MOST)
        return cli_fail(call, CLI_USAGE, "--%s %s: needs rows and columns, as in --%s 64x128", option, text,
                        option);
    *rows = (uint32_t)n[0];
    *cols = (uint32_t)n[1];
    return CLI_FINE;
}

/* Whether the lanes' values run along columns: decides which plain tile the library chooses. */
static bool runs_along_columns(const lw_layout *layout)
{
    lw_layout_entry at[2] = { { .lane = 0 } };
    lw_layout_entry *entries;
    size_t count = 0, found = 0;
    lw_layout_entries(layout, NULL, 0, &count);
    entries = cli_alloc(count * sizeof(*entries));
    if (lw_layout_entries(layout, entries, count, &count) == LW_OK)
        for (size_t i = 0; i < count && found < 2; i++)
            if (entries[i].lane == 0)
                at[found++] = entries[i];
    free(entries);
    return found == 2 && at[0].x != at[1].x;
}

static int read_tile(const cli_call *call, const lw_layout *layout, const lw_layout_info *info,
                     lw_tile **tile)
{
    const char *text = cli_value(call, "tile");
    uint32_t rows = text ? 0 : info->x_count, cols = text ? 0 : info->y_count;
    uint8_t *file = NULL;
    size_t size = text ? strlen(text) : 0;
    lw_error error = { "" };
    int exit = layout_read_shape(call, "shape", &rows, &cols);
    if (exit == CLI_FINE && text && text[0] == '@')
        exit = file_read(call, text + 1, &file, &size);
    if (exit != CLI_FINE)
        return exit;
    if (!text)
        return lw_tile_create_plain(rows, cols, info->width, runs_along_columns(layout), tile, &error) ==
                       LW_OK
                   ? CLI_FINE
                   : cli_fail(call, CLI_USAGE, "--shape: %s", error.text);
    const lw_status st =
        lw_tile_read(file ? (const char *)file : text, size, rows, cols, info->width, tile, &error);
    free(file);
    if (st == LW_OK)
        return CLI_FINE;
    return cli_fail(call, st == LW_E_NO_MEMORY ? CLI_FAULT : CLI_USAGE, "--tile: %s", error.text);
}

static const char *degree(const lw_bank_turns *turns, char text[64])
{
    if (turns->degree <= 1)
        return "no conflicts";
    snprintf(text, 64, "%llu turns instead of %llu, up to %u-way conflicts", (unsigned long long)turns->turns,
             (unsigned long long)turns->phases, turns->degree);
    return text;
}

static void print_repair(const lw_tile_repair *r, bool tile)
{
    char text[64];
    if (r->plain.degree <= 1) {
        puts("plain rows or columns have no conflicts: no swizzle is needed");
        return;
    }
    if (tile)
        printf("plain: %s\n", degree(&r->plain, text));
    if (r->swizzled)
        printf("cheapest swizzle, of bytes: Swizzle<%u,%u,%u>: %s\n", r->b, r->m, r->s,
               degree(&r->swizzle, text));
    else
        puts("no swizzle of whole accesses has fewer turns");
    if (r->padded)
        printf("smallest padding: %u bytes per row: %s\n", r->pad, degree(&r->padding, text));
    else
        puts("no padding up to 256 bytes per row has fewer turns");
    if (r->text[0])
        printf("in other notations (elements):\n%s", r->text);
}

static void print_text(const access *a, const lw_tile_info *tile, const lw_tile_banks *b,
                       const lw_layout_info *info)
{
    char text[64];
    printf("%s of %u bits on %s: %u banks, %u lanes in %u phase%s. Evidence: %s, %s.\n",
           a->ldmatrix ? "ldmatrix"
           : a->store  ? "writes"
                       : "reads",
           8 * a->bytes, lw_arch_get(b->rule.arch)->name, b->rule.banks, b->rule.lanes, b->rule.phases,
           b->rule.phases == 1 ? "" : "s", lw_label_name(b->rule.evidence), b->rule.source);
    if (b->turns.inferred)
        printf("Lanes %u to 63 are taken to behave as the first %u: not published.\n", b->rule.lanes,
               b->rule.lanes);
    printf("tile: %u x %u %s, %s, %llu bytes\n", tile->rows, tile->cols, info->format, tile->name,
           (unsigned long long)(tile->bits + 7) / 8);
    if (a->ldmatrix)
        printf("%u pieces of 8 rows by 16 bytes: %s\n", b->operands, degree(&b->turns, text));
    else
        printf("%u operand%s of %u access%s: %s\n", b->operands, b->operands == 1 ? "" : "s", b->accesses,
               b->accesses == 1 ? "" : "es", degree(&b->turns, text));
}

static void json_turns(cli_json *json, const char *key, const lw_bank_turns *turns)
{
    json_open(json, key, '{');
    json_uint(json, "phases", turns->phases);
    json_uint(json, "turns", turns->turns);
    json_uint(json, "degree", turns->degree);
    json_close(json, '}');
}

/* The bank of each element's first bit, row by row, of tiles that fit on a screen. */
static void json_map(cli_json *json, const lw_tile *tile, const lw_tile_info *info, unsigned banks)
{
    enum { MOST_ELEMENTS = 1 << 14, BANK_BITS = 32 };
    uint64_t bit;
    json_open(json, "banks_of", '[');
    for (uint32_t row = 0; row < info->rows && info->rows * info->cols <= MOST_ELEMENTS; row++) {
        json_open(json, NULL, '[');
        for (uint32_t col = 0; col < info->cols && lw_tile_bit(tile, row, col, &bit) == LW_OK; col++)
            json_uint(json, NULL, bit / BANK_BITS % banks);
        json_close(json, ']');
    }
    json_close(json, ']');
}

/* What each lane requests in the first access. */
static void json_first(cli_json *json, const lw_tile *tile, const lw_layout *layout, const access *a,
                       const lw_bank_rule *rule)
{
    lw_bank_access lanes[LW_BANK_LANES];
    size_t asked = 0;
    unsigned phase;
    json_open(json, "first", '[');
    if (!a->ldmatrix &&
        lw_tile_list_access(tile, layout, a->bytes, 0, lanes, LW_BANK_LANES, &asked, NULL) == LW_OK)
        for (size_t i = 0; i < asked && lw_bank_phase(rule, lanes[i].lane, &phase) == LW_OK; i++) {
            json_open(json, NULL, '{');
            json_uint(json, "lane", lanes[i].lane);
            json_uint(json, "phase", phase);
            json_uint(json, "byte", lanes[i].address);
            json_uint(json, "bank", lanes[i].address / 4 % rule->banks);
            json_close(json, '}');
        }
    json_close(json, ']');
}

/* The lines of a text. */
static void json_lines(cli_json *json, const char *key, const char *text)
{
    json_open(json, key, '[');
    while (*text) {
        const size_t length = strcspn(text, "\n");
        char *line = cli_copy(text, length);
        json_string(json, NULL, line);
        free(line);
        text += length + (text[length] == '\n');
    }
    json_close(json, ']');
}

static void print_json(const access *a, const lw_tile *shape, const lw_layout *layout,
                       const lw_tile_info *tile, const lw_tile_banks *b, const lw_tile_repair *r)
{
    cli_json json = { .out = stdout };
    json_open(&json, NULL, '{');
    json_string(&json, "arch", lw_arch_get(b->rule.arch)->name);
    json_string(&json, "access", a->ldmatrix ? "ldmatrix" : a->store ? "write" : "read");
    json_uint(&json, "bytes", a->bytes);
    json_uint(&json, "banks", b->rule.banks);
    json_string(&json, "evidence", lw_label_name(b->rule.evidence));
    json_string(&json, "source", b->rule.source);
    json_bool(&json, "inferred_lanes", b->turns.inferred != 0);
    json_string(&json, "tile", tile->name);
    json_uint(&json, "rows", tile->rows);
    json_uint(&json, "cols", tile->cols);
    json_uint(&json, "tile_bits", tile->bits);
    json_uint(&json, "operands", b->operands);
    json_uint(&json, "accesses", b->accesses);
    json_turns(&json, "here", &b->turns);
    if (r) {
        json_turns(&json, "plain", &r->plain);
        json_open(&json, "swizzle", '{');
        json_bool(&json, "found", r->swizzled);
        json_uint(&json, "b", r->b);
        json_uint(&json, "m", r->m);
        json_uint(&json, "s", r->s);
        json_turns(&json, "turns", &r->swizzle);
        json_close(&json, '}');
        json_open(&json, "padding", '{');
        json_bool(&json, "found", r->padded);
        json_uint(&json, "bytes", r->pad);
        json_turns(&json, "turns", &r->padding);
        json_close(&json, '}');
        json_lines(&json, "notations", r->text);
    }
    json_first(&json, shape, layout, a, &b->rule);
    json_map(&json, shape, tile, b->rule.banks);
    json_close(&json, '}');
}

static int count(const cli_call *call, lw_arch arch, const lw_layout *layout, const access *a,
                 const lw_tile *tile)
{
    lw_layout_info info;
    lw_tile_info shape;
    lw_tile_banks banks;
    lw_tile_repair repair;
    lw_error error = { "" };
    lw_layout_get_info(layout, &info);
    lw_tile_get_info(tile, &shape);
    const lw_status st = a->ldmatrix
                             ? lw_tile_count_ldmatrix(tile, arch, runs_along_columns(layout), &banks, &error)
                             : lw_tile_count_banks(tile, layout, a->bytes, a->store, &banks, &error);
    if (st == LW_E_UNSUPPORTED)
        return cli_fail(call, CLI_NO, "%s", error.text);
    if (st != LW_OK)
        return cli_fail_status(call, "--banks", st, &error);
    const bool repaired = !a->ldmatrix && lw_tile_find_repair(layout, shape.rows, shape.cols, a->bytes,
                                                              a->store, &repair, NULL) == LW_OK;
    if (cli_has(call, "json")) {
        print_json(a, tile, layout, &shape, &banks, repaired ? &repair : NULL);
        return CLI_FINE;
    }
    print_text(a, &shape, &banks, &info);
    if (repaired)
        print_repair(&repair, cli_has(call, "tile"));
    return CLI_FINE;
}

int layout_banks(const cli_call *call, lw_arch arch, const lw_layout *layout)
{
    access a;
    lw_tile *tile = NULL;
    lw_layout_info info;
    int exit = read_access(call, &a);
    if (exit == CLI_FINE && lw_layout_get_info(layout, &info) == LW_OK)
        exit = read_tile(call, layout, &info, &tile);
    if (exit == CLI_FINE)
        exit = count(call, arch, layout, &a, tile);
    lw_tile_free(tile);
    return exit;
}

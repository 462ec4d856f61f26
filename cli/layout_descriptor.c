/* SPDX-License-Identifier: MIT */
/* layout --descriptor: where wgmma and tcgen05.mma find A and B in shared memory. */
#include "cli/layout_descriptor.h"

#include <stdio.h>
#include <string.h>

#include <lanewise/convert.h>
#include <lanewise/tile.h>

#include "cli/json.h"
#include "cli/parse.h"
#include "cli/target.h"

typedef struct picture {
    const lw_tile *tile;
    lw_tile_info info;
    lw_descriptor fields;
    char name; /* of the matrix */
    const char *x, *y;
} picture;

static uint64_t bit_at(const picture *p, uint32_t x, uint32_t y)
{
    uint64_t bit = 0;
    lw_tile_bit(p->tile, x, y, &bit);
    return bit;
}

/* "0x490"; for elements of fewer than eight bits, also the first such element. */
static void put_place(uint64_t bit, uint32_t width)
{
    printf("0x%04llx", (unsigned long long)(bit / 8));
    if (width < 8)
        printf(" bit %llu", (unsigned long long)(bit % 8));
}

static int print_one(const cli_call *call, const picture *p, const char *text)
{
    uint64_t at[2];
    size_t count;
    if (!parse_numbers(text, 0, 2, at, &count) || count != 2)
        return cli_fail(call, CLI_USAGE, "--element %s: needs two numbers, ROW,COL as in --element 3,5",
                        text);
    if (at[0] >= p->info.rows || at[1] >= p->info.cols)
        return cli_fail(call, CLI_USAGE, "--element %s: %c has %s up to %u and %s up to %u", text, p->name,
                        p->x, p->info.rows - 1, p->y, p->info.cols - 1);
    printf("%c[%s=%u][%s=%u] is at byte ", p->name, p->x, (unsigned)at[0], p->y, (unsigned)at[1]);
    put_place(bit_at(p, (uint32_t)at[0], (uint32_t)at[1]), p->info.width);
    putchar('\n');
    return CLI_FINE;
}

/* Whether adjacent elements in memory differ in y. */
static bool runs_along_y(const picture *p)
{
    return bit_at(p, 0, 1) == bit_at(p, 0, 0) + p->info.width;
}

/* A line for each row, or for each column if those are contiguous: the address of each 16 bytes. */
static void print_grid(const picture *p)
{
    enum { PIECE = 128 };
    const bool along_y = runs_along_y(p);
    const uint32_t step = PIECE / p->info.width, lines = along_y ? p->info.rows : p->info.cols,
                   across = along_y ? p->info.cols : p->info.rows;
    printf("Byte addresses of 16 bytes each, of the %u elements from the %s at the head of the column "
           "on.\n%s\\%s",
           step, along_y ? p->y : p->x, along_y ? p->x : p->y, along_y ? p->y : p->x);
    for (uint32_t c = 0; c < across; c += step)
        printf(" %6u", c);
    for (uint32_t l = 0; l < lines; l++) {
        printf("\n%3u", l);
        for (uint32_t c = 0; c < across; c += step) {
            printf(" ");
            put_place(along_y ? bit_at(p, l, c) : bit_at(p, c, l), 8);
        }
    }
    putchar('\n');
}

static void print_json(const picture *p, const char *insn)
{
    cli_json json = { .out = stdout };
    const char matrix[2] = { p->name, '\0' };
    json_open(&json, NULL, '{');
    json_string(&json, "instruction", insn);
    json_string(&json, "operand", matrix);
    json_uint(&json, "start", p->fields.start);
    json_uint(&json, "leading", p->fields.leading);
    json_uint(&json, "stride", p->fields.stride);
    json_uint(&json, "swizzle", p->fields.swizzle);
    json_uint(&json, "width", p->info.width);
    json_open(&json, "entries", '[');
    for (uint32_t x = 0; x < p->info.rows; x++)
        for (uint32_t y = 0; y < p->info.cols; y++) {
            json_open(&json, NULL, '{');
            json_uint(&json, "x", x);
            json_uint(&json, "y", y);
            json_uint(&json, "bit", bit_at(p, x, y));
            json_close(&json, '}');
        }
    json_close(&json, ']');
    json_close(&json, '}');
}

static void print_head(const picture *p, const char *insn)
{
    printf("%c of %s: %u-bit elements, %s 0 to %u, %s 0 to %u\n", p->name, insn, p->info.width, p->x,
           p->info.rows - 1, p->y, p->info.cols - 1);
    printf("The descriptor: start 0x%x, leading-dimension offset %u, stride offset %u, ", p->fields.start,
           p->fields.leading, p->fields.stride);
    printf(p->fields.swizzle ? "swizzle of %u bytes\n" : "no swizzle\n", p->fields.swizzle);
    puts("Evidence: vendor. Equal to CUTLASS's descriptors and layouts, element for element.");
}

static int print_as(const cli_call *call, const picture *p, const char *name)
{
    lw_layout_format format;
    lw_error error = { "" };
    if (lw_layout_format_find(name, &format) != LW_OK)
        return cli_fail(call, CLI_USAGE,
                        "--format %s: with --descriptor it is one of grid, listing, json, cute, triton, "
                        "iree, tirx",
                        name);
    const lw_status status = lw_tile_print(p->tile, format, target_sink, stdout, &error);
    if (status == LW_E_IO) /* error on stdout, which the end of the program reports */
        return CLI_USAGE;
    return status == LW_OK ? CLI_FINE : cli_fail(call, CLI_NO, "%s", error.text);
}

static int print(const cli_call *call, const picture *p, const char *insn)
{
    const char *format = cli_value(call, "format");
    if (cli_has(call, "json") || (format && strcmp(format, "json") == 0)) {
        print_json(p, insn);
        return CLI_FINE;
    }
    if (cli_has(call, "element"))
        return print_one(call, p, cli_value(call, "element"));
    if (format && strcmp(format, "grid") != 0)
        return print_as(call, p, format);
    print_head(p, insn);
    print_grid(p);
    return CLI_FINE;
}

static uint8_t tensor_swizzle(uint64_t bits)
{
    static const uint8_t widths[] = { 0, 128, 128, 0, 64, 0, 32, 0 };
    return widths[bits >> 61];
}

int layout_descriptor(const cli_call *call, lw_arch arch, const lw_insn *insn, lw_operand operand,
                      const lw_mods *mods)
{
    static const char *const others[] = { "lane",  "register", "reg",   "block",
                                          "index", "check",    "banks", "next" };
    lw_error error = { "" };
    lw_insn_info info;
    lw_tile *tile;
    uint64_t bits;
    uint32_t unused;
    picture p = { .name = operand == LW_OPERAND_A ? 'A' : 'B',
                  .x = operand == LW_OPERAND_A ? "i" : "k",
                  .y = operand == LW_OPERAND_A ? "k" : "j" };
    for (size_t i = 0; i < CLI_COUNT(others); i++)
        if (cli_has(call, others[i]))
            return cli_fail(call, CLI_USAGE, "--descriptor is about shared memory and takes no --%s",
                            others[i]);
    if (!parse_u64(cli_value(call, "descriptor"), &bits))
        return cli_fail(call, CLI_USAGE, "--descriptor %s: not a number of 64 bits, as in 0x4000004000010040",
                        cli_value(call, "descriptor"));
    const lw_status status = lw_tile_of_descriptor(arch, insn, operand, mods, bits, &tile, &error);
    if (status != LW_OK)
        return cli_fail_status(call, "--descriptor", status, &error);
    p.tile = tile;
    lw_tile_get_info(tile, &p.info);
    lw_descriptor_get(bits, &p.fields);
    if (lw_insn_descriptor(arch, insn, mods, &unused) == LW_OK) /* tcgen05 has its swizzle in bits 63:61 */
        p.fields.swizzle = tensor_swizzle(bits);
    if (lw_insn_get_info(arch, insn, &info) == LW_OK && info.sparse && operand == LW_OPERAND_A)
        p.y = "stored k";
    const int exit = print(call, &p, info.mnemonic);
    lw_tile_free(tile);
    return exit;
}

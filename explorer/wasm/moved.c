/* SPDX-License-Identifier: MIT */
/* moved: where an instruction that only moves elements takes one from, or puts it. */
#include <stdlib.h>
#include <string.h>

#include <lanewise/layout.h>
#include <lanewise/move.h>

#include "cli/json.h"
#include "cli/parse.h"
#include "cli/target.h"
#include "explorer/wasm/explorer.h"

enum {
    MEMORY = 4096,
    MEMORY_BITS = 15 /* log2 of its bits */,
    ROW = 16,
    MOST_PLACES = 64,
    MOST_REGISTERS = 64
};

typedef struct moved {
    lw_arch arch;
    const lw_insn *insn;
    lw_mods mods;
    lw_operand operand;
    lw_layout *layout;
    lw_layout_info info;
    bool fragment, loads, stores; /* neither of the last two: from registers to registers */
    uint64_t at[3];               /* row, column, block */
    uint8_t memory[MEMORY];
    uint32_t source[MOST_REGISTERS * LW_MOVE_LANES], result[MOST_REGISTERS * LW_MOVE_LANES];
} moved;

static bool bit_of(const uint32_t *registers, const lw_layout_entry *e)
{
    return registers[e->reg * LW_MOVE_LANES + e->lane] >> e->lsb & 1;
}

/* Rows lie one after another, as eval has them. */
static lw_status execute(moved *m, lw_error *error)
{
    lw_move_args args = { .memory = { .bytes = m->memory, .size = MEMORY },
                          .source = m->source,
                          .result = m->result };
    for (unsigned lane = 0; lane < LW_MOVE_LANES && !m->fragment; lane++)
        args.address[lane] = ROW * lane;
    return lw_move_execute(m->arch, m->insn, &m->mods, &args, error);
}

/* The number of the memory's bit that a load puts into the lowest bit of a place: each digit of the number is
 * asked for with a memory that has a 1 where the digit is 1. */
static lw_status find_source(moved *m, const lw_layout_entry *e, uint32_t *bit, lw_error *error)
{
    *bit = 0;
    for (unsigned digit = 0; digit < MEMORY_BITS; digit++) {
        memset(m->memory, 0, MEMORY);
        for (unsigned i = 0; i < 8 * MEMORY; i++)
            if (i >> digit & 1)
                m->memory[i / 8] |= (uint8_t)(1u << i % 8);
        const lw_status st = execute(m, error);
        if (st != LW_OK)
            return st;
        *bit |= (uint32_t)bit_of(m->result, e) << digit;
    }
    return LW_OK;
}

/* The only bit that is set after the lowest bit of a place was moved. */
static lw_status find_goal(moved *m, const lw_layout_entry *e, uint32_t *bit, lw_error *error)
{
    memset(m->memory, 0, MEMORY);
    memset(m->source, 0, sizeof(m->source));
    memset(m->result, 0, sizeof(m->result));
    m->source[e->reg * LW_MOVE_LANES + e->lane] = 1u << e->lsb;
    const lw_status st = execute(m, error);
    const uint32_t count = m->stores ? 8 * MEMORY : 32 * LW_MOVE_LANES * m->info.registers;
    *bit = 0;
    while (st == LW_OK && *bit < count &&
           !(m->stores ? m->memory[*bit / 8] >> *bit % 8 & 1 : m->result[*bit / 32] >> *bit % 32 & 1))
        ++*bit;
    return st;
}

static void write_place(cli_json *json, const moved *m, const lw_layout_entry *e, uint32_t bit)
{
    json_open(json, NULL, '{');
    json_uint(json, "lane", e->lane);
    json_uint(json, "reg", e->reg);
    json_uint(json, "lsb", e->lsb);
    json_uint(json, "msb", e->msb);
    if (m->loads || m->stores) {
        json_uint(json, "byte", bit / 8);
        json_uint(json, "bit", bit % 8);
        if (!m->fragment) {
            json_uint(json, "row_of_lane", bit / 8 / ROW);
            json_uint(json, "byte_of_row", bit / 8 % ROW);
        }
    } else {
        json_uint(json, "to_lane", bit / 32 % LW_MOVE_LANES);
        json_uint(json, "to_reg", bit / 32 / LW_MOVE_LANES);
        json_uint(json, "to_lsb", bit % 32);
    }
    json_close(json, '}');
}

static int answer(const cli_call *call, moved *m)
{
    lw_layout_entry places[MOST_PLACES];
    size_t count = 0;
    lw_error error = { "" };
    cli_json json = { .out = stdout };
    if (m->at[0] >= m->info.x_count || m->at[1] >= m->info.y_count || m->at[2] >= m->info.blocks)
        return cli_fail(call, CLI_USAGE, "--at: %s has %u rows, %u columns and %u blocks",
                        lw_operand_name(m->operand), m->info.x_count, m->info.y_count, m->info.blocks);
    if (m->info.registers > MOST_REGISTERS ||
        lw_layout_places(m->layout, (unsigned)m->at[2], (unsigned)m->at[0], (unsigned)m->at[1], places,
                         MOST_PLACES, &count) != LW_OK)
        return cli_fail(call, CLI_FAULT, "the layout of %s has no such place", call->operands[0]);
    uint32_t bits[MOST_PLACES];
    count = count < MOST_PLACES ? count : MOST_PLACES;
    for (size_t i = 0; i < count; i++) {
        const lw_status st = m->loads ? find_source(m, &places[i], &bits[i], &error)
                                      : find_goal(m, &places[i], &bits[i], &error);
        if (st != LW_OK)
            return cli_fail_status(call, NULL, st, &error);
    }
    json_open(&json, NULL, '{');
    json_string(&json, "operand", lw_operand_name(m->operand));
    json_string(&json, "moves", m->loads ? "load" : m->stores ? "store" : "registers");
    json_bool(&json, "rows_by_lane", !m->fragment && (m->loads || m->stores));
    json_open(&json, "places", '[');
    for (size_t i = 0; i < count; i++)
        write_place(&json, m, &places[i], bits[i]);
    json_close(&json, ']');
    json_string(&json, "evidence", lw_label_name(m->info.evidence));
    json_string(&json, "note", m->info.note);
    json_string(&json, "open", m->info.open);
    json_close(&json, '}');
    return CLI_FINE;
}

static int open_layout(const cli_call *call, moved *m)
{
    lw_insn_info info;
    lw_error error = { "" };
    if (lw_insn_get_info(m->arch, m->insn, &info) != LW_OK || !info.moves)
        return cli_fail(call, CLI_NO, "%s computes; it moves no elements", call->operands[0]);
    m->fragment = strncmp(info.family, "wmma", 4) == 0;
    m->loads = strcmp(info.family, "ldmatrix") == 0 || strcmp(info.family, "wmma.load") == 0;
    m->stores = strcmp(info.family, "stmatrix") == 0 || strcmp(info.family, "wmma.store") == 0;
    while (!info.operand[m->operand].present)
        m->operand++;
    const lw_status st = lw_layout_create(m->arch, m->insn, m->operand, 0, &m->mods, &m->layout, &error);
    if (st != LW_OK)
        return cli_fail_status(call, NULL, st, &error);
    lw_layout_get_info(m->layout, &m->info);
    return CLI_FINE;
}

static int run_moved(const cli_call *call)
{
    size_t count = 0;
    const char *text = cli_value(call, "at");
    moved *m = cli_alloc(sizeof(*m));
    memset(m, 0, sizeof(*m));
    int exit = target_insn(call, &m->arch, &m->insn);
    if (exit == CLI_FINE)
        exit = target_mods(call, m->arch, m->insn, &m->mods);
    if (exit == CLI_FINE && (!text || !parse_numbers(text, 0, 3, m->at, &count) || count < 2))
        exit = cli_fail(call, CLI_USAGE, "--at: needs ROW,COL[,BLOCK]");
    if (exit == CLI_FINE)
        exit = open_layout(call, m);
    if (exit == CLI_FINE)
        exit = answer(call, m);
    lw_layout_free(m->layout);
    free(m);
    return exit;
}

static const cli_option options[] = {
    CLI_OPTION_ARCH,
    { .name = "mod",
      .value = "NAME:VALUE",
      .repeats = true,
      .help = "a modifier in the assembler's spelling" },
    { .name = "wave", .value = "32", .help = "lanes of the wave" },
    { .name = "at", .value = "ROW,COL[,BLOCK]", .help = "the element that is moved" },
};

const cli_verb explorer_verb_moved = {
    .name = "moved",
    .usage = "INSN --arch ARCH --at ROW,COL",
    .summary = "where an element is taken from or put",
    .text = "",
    .options = options,
    .option_count = CLI_COUNT(options),
    .run = run_moved,
};

/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/layout.h>
#include <lanewise/npy.h>

#include "cli/file.h"
#include "cli/layout_index.h"
#include "cli/parse.h"

/* Where the index is, and room for what is read. */
typedef struct reader {
    const cli_call *call;
    const char *text; /* the option's text */
    lw_layout_info info;
    lw_layout_entry *entries;
    size_t entry_count;
    uint8_t *nibbles;
    size_t count;
} reader;

static int open_layout(reader *r, lw_arch arch, const lw_insn *insn, const lw_mods *mods)
{
    lw_layout *layout = NULL;
    lw_error error = { "" };
    lw_status status = lw_layout_create(arch, insn, LW_OPERAND_INDEX, 0, mods, &layout, &error);
    if (status == LW_OK)
        status = lw_layout_get_info(layout, &r->info);
    if (status == LW_OK)
        status = lw_layout_entries(layout, NULL, 0, &r->entry_count);
    if (status == LW_OK) {
        r->entries = cli_alloc(r->entry_count * sizeof(*r->entries));
        status = lw_layout_entries(layout, r->entries, r->entry_count, &r->entry_count);
    }
    lw_layout_free(layout);
    if (status != LW_OK)
        return cli_fail_status(r->call, NULL, status, &error);
    r->count = (size_t)r->info.x_count * r->info.y_count;
    r->nibbles = cli_alloc(r->count);
    return CLI_FINE;
}

/* From register images, word [register][lane]; of several copies, the one in the lowest lane, as instructions
 * do. */
static void from_registers(reader *r, const uint32_t *words)
{
    for (size_t n = r->entry_count; n-- > 0;) {
        const lw_layout_entry *e = &r->entries[n];
        const uint32_t word = words[(size_t)e->reg * r->info.wave + e->lane];
        r->nibbles[(size_t)e->x * r->info.y_count + e->y] = word >> e->lsb & 15;
    }
}

static int from_number(reader *r, uint64_t number)
{
    enum { MOST = 2 * 128 };
    uint32_t words[MOST] = { 0 };
    const unsigned registers = r->info.registers + r->info.columns, lanes = r->info.wave;
    if (registers < 2 && number > UINT32_MAX)
        return cli_fail(r->call, CLI_USAGE, "--index %s: the index has one register of 32 bits", r->text);
    for (unsigned i = 0; i < registers * lanes && i < MOST; i++)
        words[i] = (uint32_t)(number >> i / lanes * 32);
    from_registers(r, words);
    return CLI_FINE;
}

static int from_array(reader *r, const lw_npy *array)
{
    const uint64_t rows = r->info.x_count, groups = r->info.y_count;
    const uint64_t registers = r->info.registers + (uint64_t)r->info.columns, lanes = r->info.wave;
    const uint8_t *codes = array->data;
    if (array->dtype == LW_DTYPE_U4 && array->count == registers * lanes &&
        array->shape[array->dims - 1] == lanes) {
        from_registers(r, array->data);
        return CLI_FINE;
    }
    if (array->dtype != LW_DTYPE_U1 || array->dims != 2 || array->shape[0] != rows ||
        array->shape[1] != groups)
        return cli_fail(r->call, CLI_USAGE,
                        "--index %s: needs uint8, %" PRIu64 " x %" PRIu64
                        " (rows x groups), or uint32, %" PRIu64 " x %" PRIu64 " (registers x lanes)",
                        r->text, rows, groups, registers, lanes);
    memcpy(r->nibbles, codes, r->count);
    for (size_t i = 0; i < r->count; i++)
        if (codes[i] > 15)
            return cli_fail(r->call, CLI_USAGE,
                            "--index %s: element %zu is %u; a group's four bits are 0 to 15", r->text, i,
                            codes[i]);
    return CLI_FINE;
}

static int from_file(reader *r)
{
    lw_npy array;
    uint64_t held = 0;
    int exit = file_read_array(r->call, "index", r->text, &held, &array);
    if (exit != CLI_FINE)
        return exit;
    exit = array.dims ? from_array(r, &array)
                      : cli_fail(r->call, CLI_USAGE, "--index %s: it holds one number", r->text);
    lw_npy_free(&array);
    return exit;
}

int layout_index_read(const cli_call *call, lw_arch arch, const lw_insn *insn, const lw_mods *mods,
                      uint8_t **nibbles, size_t *count)
{
    reader r = { .call = call, .text = cli_value(call, "index") };
    uint64_t number;
    int exit = open_layout(&r, arch, insn, mods);
    if (exit == CLI_FINE)
        exit = parse_u64(r.text, &number) ? from_number(&r, number) : from_file(&r);
    free(r.entries);
    if (exit != CLI_FINE) {
        free(r.nibbles);
        return exit;
    }
    *nibbles = r.nibbles;
    *count = r.count;
    return CLI_FINE;
}

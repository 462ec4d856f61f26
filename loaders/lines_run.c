/* SPDX-License-Identifier: MIT */
/* Line number programs: DWARF 5, section 6.2.5; for versions 2 to 4 the same section of those standards. */
#include "isa_tables/error.h"
#include "loaders/lines.h"

enum {
    DW_LNS_copy = 1,
    DW_LNS_advance_pc,
    DW_LNS_advance_line,
    DW_LNS_set_file,
    DW_LNS_set_column,
    DW_LNS_negate_stmt,
    DW_LNS_set_basic_block,
    DW_LNS_const_add_pc,
    DW_LNS_fixed_advance_pc,
    DW_LNS_set_prologue_end,
    DW_LNS_set_epilogue_begin,
    DW_LNS_set_isa,

    DW_LNE_end_sequence = 1,
    DW_LNE_set_address,
    DW_LNE_define_file,
};

/* The registers that matter here, and the start of the current sequence. */
typedef struct machine {
    lw_lines *lines;
    const lw_line_unit *unit;
    uint64_t address, file;
    unsigned op_index;
    uint32_t line, column;
    size_t first; /* row */
} machine;

static void reset(machine *m)
{
    m->address = 0;
    m->op_index = 0;
    m->file = 1;
    m->line = 1;
    m->column = 0;
    m->first = m->lines->row_count;
}

static lw_status no_room(const machine *m, lw_error *error)
{
    if (!m->lines->limited)
        return lw_no_memory(error);
    return lw_line_fail(m->unit, LW_E_NO_MEMORY, error, "takes more than the memory limit leaves");
}

/* Files count from 1, from version 5 on from 0. */
static uint32_t file_index(const machine *m)
{
    const uint64_t known = m->lines->file_count - m->unit->first_file;
    const uint64_t index = m->unit->version >= 5 ? m->file : m->file - 1;
    return index < known ? (uint32_t)(m->unit->first_file + index) : LW_LINE_NO_FILE;
}

static lw_status add_row(machine *m, lw_error *error)
{
    lw_lines *l = m->lines;
    if (l->row_count > m->first && m->address < l->rows[l->row_count - 1].address)
        return lw_line_fail(m->unit, LW_E_FORMAT, error, "goes back to a lower address inside a sequence");
    void *grown = lw_lines_grow(l, l->rows, &l->row_room, l->row_count, sizeof(*l->rows));
    if (!grown)
        return no_room(m, error);
    l->rows = grown;
    l->rows[l->row_count++] = (lw_line_row){ m->address, file_index(m), m->line, m->column };
    return LW_OK;
}

static lw_status end_sequence(machine *m, lw_error *error)
{
    lw_lines *l = m->lines;
    const lw_status status = add_row(m, error);
    if (status != LW_OK)
        return status;
    void *grown = lw_lines_grow(l, l->sequences, &l->sequence_room, l->sequence_count, sizeof(*l->sequences));
    if (!grown)
        return no_room(m, error);
    l->sequences = grown;
    l->sequences[l->sequence_count++] =
        (lw_line_sequence){ m->first, l->row_count - m->first, l->rows[m->first].address,
                            l->rows[l->row_count - 1].address };
    reset(m);
    return LW_OK;
}

/* Section 6.2.5.1. */
static void advance(machine *m, uint64_t operations)
{
    const uint64_t sum = m->op_index + operations;
    m->address += m->unit->min_length * (sum / m->unit->max_ops);
    m->op_index = (unsigned)(sum % m->unit->max_ops);
}

static lw_status run_special(machine *m, unsigned opcode, lw_error *error)
{
    const unsigned adjusted = opcode - m->unit->opcode_base;
    advance(m, adjusted / m->unit->line_range);
    m->line += (uint32_t)(m->unit->line_base + (int)(adjusted % m->unit->line_range));
    return add_row(m, error);
}

static lw_status define_file(machine *m, lw_cursor *in, lw_error *error)
{
    const char *name = lw_take_string(in);
    const uint64_t directory = lw_take_uleb(in);
    return name ? lw_line_add_file(m->lines, m->unit, name, directory, error) : LW_OK;
}

static lw_status run_extended(machine *m, lw_cursor *in, lw_error *error)
{
    lw_cursor operand = { lw_take_bytes(in, lw_take_uleb(in)), in->failed };
    lw_status status = LW_OK;
    const uint64_t opcode = lw_take(&operand, 1);
    if (opcode == DW_LNE_end_sequence && !operand.failed)
        status = end_sequence(m, error);
    else if (opcode == DW_LNE_set_address && (operand.rest.size == 4 || operand.rest.size == 8))
        m->address = lw_take(&operand, operand.rest.size), m->op_index = 0;
    else if (opcode == DW_LNE_set_address)
        operand.failed = true;
    else if (opcode == DW_LNE_define_file && m->unit->version < 5)
        status = define_file(m, &operand, error);
    in->failed = in->failed || operand.failed;
    return status;
}

static void skip_unknown(const machine *m, unsigned opcode, lw_cursor *in)
{
    for (unsigned i = 0; i < m->unit->lengths[opcode - 1]; i++)
        lw_take_uleb(in);
}

static uint32_t take_column(lw_cursor *in)
{
    const uint64_t column = lw_take_uleb(in);
    return column < UINT32_MAX ? (uint32_t)column : UINT32_MAX;
}

static lw_status run_standard(machine *m, unsigned opcode, lw_cursor *in, lw_error *error)
{
    switch (opcode) {
    case DW_LNS_copy:
        return add_row(m, error);
    case DW_LNS_advance_pc:
        advance(m, lw_take_uleb(in));
        break;
    case DW_LNS_advance_line:
        m->line += (uint32_t)(uint64_t)lw_take_sleb(in);
        break;
    case DW_LNS_set_file:
        m->file = lw_take_uleb(in);
        break;
    case DW_LNS_set_column:
        m->column = take_column(in);
        break;
    case DW_LNS_const_add_pc:
        advance(m, (255u - m->unit->opcode_base) / m->unit->line_range);
        break;
    case DW_LNS_fixed_advance_pc:
        m->address += lw_take(in, 2);
        m->op_index = 0;
        break;
    case DW_LNS_negate_stmt:
    case DW_LNS_set_basic_block:
    case DW_LNS_set_prologue_end:
    case DW_LNS_set_epilogue_begin:
        break;
    case DW_LNS_set_isa:
        lw_take_uleb(in);
        break;
    default:
        skip_unknown(m, opcode, in);
    }
    return LW_OK;
}

lw_status lw_line_run(lw_lines *lines, const lw_line_unit *unit, lw_error *error)
{
    machine m = { .lines = lines, .unit = unit };
    lw_cursor in = { unit->program, false };
    reset(&m);
    while (in.rest.size) {
        const unsigned opcode = (unsigned)lw_take(&in, 1);
        const lw_status status = opcode >= unit->opcode_base ? run_special(&m, opcode, error)
                                 : opcode                    ? run_standard(&m, opcode, &in, error)
                                                             : run_extended(&m, &in, error);
        if (status != LW_OK)
            return status;
        if (in.failed)
            return lw_line_fail(unit, LW_E_TRUNCATED, error, "ends inside an instruction of its program");
    }
    if (lines->row_count > m.first)
        return lw_line_fail(unit, LW_E_FORMAT, error, "does not end its last sequence");
    return LW_OK;
}

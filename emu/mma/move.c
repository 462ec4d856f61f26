/* SPDX-License-Identifier: MIT */
/* ldmatrix and the like: elements between registers and memory, placed by the layouts. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/layout.h>

#include "emu/mma/move_runs.h"
#include "isa_tables/error.h"
#include "isa_tables/ptx/row.h"

enum { ROW_BYTES = 16 };

/* One move, with its elements and their places. */
typedef struct move {
    const lw_insn *insn;
    lw_arch arch;
    lw_mods mods;
    const lw_move_args *args;
    const char *name;
    lw_layout_info info;
    lw_layout_entry *entries;
    size_t count;
    unsigned bits;    /* of an element in memory */
    uint64_t stride;  /* wmma: bits between rows or columns */
    uint64_t element; /* wmma: bits of an element */
} move;

static lw_status list_entries(move *m, lw_operand operand, lw_error *error)
{
    lw_layout *layout;
    lw_status st = lw_layout_create(m->arch, m->insn, operand, 0, &m->mods, &layout, error);
    if (st != LW_OK)
        return st;
    lw_layout_get_info(layout, &m->info);
    st = lw_layout_entries(layout, NULL, 0, &m->count);
    if (st == LW_OK && !(m->entries = malloc(m->count * sizeof(*m->entries))))
        st = LW_E_NO_MEMORY;
    if (st == LW_OK)
        st = lw_layout_entries(layout, m->entries, m->count, &m->count);
    lw_layout_free(layout);
    return st == LW_OK ? st : lw_error_fail(error, st, "no memory for the places of %s", m->name);
}

static uint32_t field_mask(unsigned bits)
{
    return bits >= 32 ? UINT32_MAX : (1u << bits) - 1;
}

/* Elements of at most 32 bits are in one register; f64 takes two. */
static uint64_t get_field(const uint32_t *registers, const lw_layout_entry *e)
{
    const size_t at = (size_t)e->reg * LW_MOVE_LANES + e->lane;
    if (e->msb > 31)
        return registers[at] | (uint64_t)registers[at + LW_MOVE_LANES] << 32;
    return registers[at] >> e->lsb & field_mask(e->msb - e->lsb + 1u);
}

static void put_field(uint32_t *registers, const lw_layout_entry *e, uint64_t value)
{
    const size_t at = (size_t)e->reg * LW_MOVE_LANES + e->lane;
    if (e->msb > 31) {
        registers[at] = (uint32_t)value;
        registers[at + LW_MOVE_LANES] = (uint32_t)(value >> 32);
        return;
    }
    const uint32_t mask = field_mask(e->msb - e->lsb + 1u);
    registers[at] = (registers[at] & ~(mask << e->lsb)) | ((uint32_t)value & mask) << e->lsb;
}

/* Bits of memory, starting at bit `at` of the byte at `base`; they may begin and end within bytes. */
static uint64_t get_bits(const unsigned char *bytes, uint64_t at, unsigned bits)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < bits; i++)
        value |= (uint64_t)(bytes[(at + i) / 8] >> (at + i) % 8 & 1) << i;
    return value;
}

static void put_bits(unsigned char *bytes, uint64_t at, unsigned bits, uint64_t value)
{
    for (unsigned i = 0; i < bits; i++) {
        const unsigned shift = (unsigned)((at + i) % 8);
        unsigned char *byte = &bytes[(at + i) / 8];
        *byte = (unsigned char)((*byte & ~(1u << shift)) | (unsigned)(value >> i & 1) << shift);
    }
}

static bool inside(const lw_move_memory *memory, uint64_t address, uint64_t length)
{
    return address >= memory->base && length <= memory->size &&
           address - memory->base <= memory->size - length;
}

static lw_status check_row(const move *m, unsigned lane, lw_error *error)
{
    const uint64_t address = m->args->address[lane];
    if (address % ROW_BYTES)
        return lw_error_fail(error, LW_E_UNSUPPORTED,
                             "%s: the address 0x%" PRIx64 " of lane %u is not a multiple of 16", m->name,
                             address, lane);
    if (!inside(&m->args->memory, address, ROW_BYTES))
        return lw_error_fail(error, LW_E_FAULT,
                             "%s: the row at 0x%" PRIx64 " of lane %u is outside the memory, %zu bytes "
                             "from 0x%" PRIx64 " on",
                             m->name, address, lane, m->args->memory.size, m->args->memory.base);
    return LW_OK;
}

static lw_status check_rows(const move *m, unsigned rows, bool store, lw_error *error)
{
    const unsigned checked = lw_arch_traits_rows[m->arch].all_addresses ? LW_MOVE_LANES : rows;
    for (unsigned lane = 0; lane < checked; lane++) {
        const lw_status st = check_row(m, lane, error);
        if (st != LW_OK)
            return st;
        for (unsigned other = 0; store && other < lane; other++)
            if (m->args->address[lane] == m->args->address[other])
                return lw_error_fail(error, LW_E_UNSUPPORTED,
                                     "%s: lanes %u and %u store to one row, 0x%" PRIx64
                                     "; which of them is left is not defined",
                                     m->name, other, lane, m->args->address[lane]);
    }
    return LW_OK;
}

/* The place of an element's row in the byte array. */
static uint64_t row_bit(const move *m, unsigned lane)
{
    return (m->args->address[lane] - m->args->memory.base) * 8;
}

static lw_status move_rows(move *m, bool store, lw_error *error)
{
    const lw_operand operand = (lw_operand)m->insn->ptx->fragment;
    const lw_elem elem = lw_insn_elem(m->insn, operand, &m->mods);
    lw_status st = list_entries(m, operand, error);
    if (st != LW_OK)
        return st;
    m->bits = elem == LW_ELEM_B6X16 ? 6 : elem == LW_ELEM_B4X16 ? 4 : lw_elem_rows[elem].bits;
    const unsigned rows = m->info.x_count;
    if ((st = check_rows(m, rows * m->info.blocks, store, error)) != LW_OK)
        return st;
    for (size_t i = 0; i < m->count; i++) {
        lw_layout_entry e = m->entries[i];
        const uint64_t at = row_bit(m, rows * e.block + e.x) + (uint64_t)m->bits * e.y;
        if (store) {
            put_bits(m->args->memory.bytes, at, m->bits, get_field(m->args->source, &e));
            continue;
        }
        if (m->bits < 8) /* the whole byte is written */
            e.msb = (uint16_t)((e.lsb / 8) * 8 + 7), e.lsb = (uint16_t)(e.msb - 7);
        put_field(m->args->result, &e, get_bits(m->args->memory.bytes, at, m->bits));
    }
    return LW_OK;
}

static bool is_col(const move *m)
{
    return m->mods.ptx.a_col || !(m->insn->ptx->layouts & LW_PTX_ROW_ONLY);
}

/* wmma: how far elements, and rows or columns, are from each other. */
static void set_stride(move *m, unsigned bits)
{
    const unsigned length = is_col(m) ? m->info.x_count : m->info.y_count;
    m->element = bits;
    m->stride = (uint64_t)(m->args->stride ? m->args->stride : length) * bits;
}

/* wmma: bits from the matrix's address to element (x, y). */
static uint64_t fragment_bit(const move *m, const lw_layout_entry *e)
{
    return is_col(m) ? e->y * m->stride + e->x * m->element : e->x * m->stride + e->y * m->element;
}

/*
 * PTX ISA manual, storage of wmma matrices: each row (column) begins at a multiple of the fragment's size,
 * and all lanes pass the same address and stride.
 */
static lw_status check_fragment(move *m, bool store, lw_error *error)
{
    const bool col = is_col(m);
    const unsigned length = col ? m->info.x_count : m->info.y_count,
                   runs = col ? m->info.y_count : m->info.x_count;
    const unsigned fragment = 4u * m->info.registers, stride = (unsigned)(m->stride / m->element);
    const uint64_t address = m->args->address[0];
    for (unsigned lane = 1; lane < LW_MOVE_LANES; lane++)
        if (m->args->address[lane] != address)
            return lw_error_fail(error, LW_E_UNSUPPORTED,
                                 "%s: lane %u has the address 0x%" PRIx64 ", lane 0 has 0x%" PRIx64
                                 "; all lanes must have one",
                                 m->name, lane, m->args->address[lane], address);
    if (address % fragment || (runs > 1 && m->stride % (8u * fragment)))
        return lw_error_fail(error, LW_E_UNSUPPORTED,
                             "%s: address 0x%" PRIx64 ", stride %u elements: rows must begin at multiples of "
                             "%u bytes, the fragment's size in a lane",
                             m->name, address, stride, fragment);
    if (store && stride < length)
        return lw_error_fail(error, LW_E_UNSUPPORTED,
                             "%s: stride %u: rows of %u elements would be stored over each other", m->name,
                             stride, length);
    const uint64_t size = ((runs - 1) * m->stride + length * m->element + 7) / 8;
    if (!inside(&m->args->memory, address, size))
        return lw_error_fail(error, LW_E_FAULT,
                             "%s: %" PRIu64 " bytes at 0x%" PRIx64 " are not all in the memory, %zu bytes "
                             "from 0x%" PRIx64 " on",
                             m->name, size, address, m->args->memory.size, m->args->memory.base);
    return LW_OK;
}

static lw_status move_fragment(move *m, bool store, lw_error *error)
{
    const lw_operand operand = (lw_operand)m->insn->ptx->fragment;
    lw_status st = list_entries(m, operand, error);
    if (st != LW_OK)
        return st;
    set_stride(m, lw_elem_rows[lw_insn_elem(m->insn, operand, &m->mods)].bits);
    if ((st = check_fragment(m, store, error)) != LW_OK)
        return st;
    const uint64_t first = row_bit(m, 0);
    for (size_t i = 0; i < m->count; i++) {
        const lw_layout_entry *e = &m->entries[i];
        const uint64_t at = first + fragment_bit(m, e);
        if (store)
            put_bits(m->args->memory.bytes, at, (unsigned)m->element, get_field(m->args->source, e));
        else
            put_field(m->args->result, e, get_bits(m->args->memory.bytes, at, (unsigned)m->element));
    }
    return LW_OK;
}

/* Where each byte of a lane's registers is; UINT64_MAX: nowhere. */
static void place_bytes(const move *m, uint64_t offset[LW_MOVE_LANES][4 * LW_MOVED_WORDS])
{
    memset(offset, 0xff, sizeof(uint64_t[LW_MOVE_LANES][4 * LW_MOVED_WORDS]));
    for (size_t i = 0; i < m->count; i++) {
        const lw_layout_entry *e = &m->entries[i];
        const uint64_t at = fragment_bit(m, e);
        const unsigned first = 4u * e->reg + e->lsb / 8u, bytes = (e->msb - e->lsb) / 8u + 1;
        for (unsigned b = 0; b < bytes && first + b < 4 * LW_MOVED_WORDS; b++)
            offset[e->lane][first + b] = at / 8 + b;
    }
}

size_t lw_move_runs(lw_arch arch, const lw_insn *insn, const lw_mods *mods, uint32_t stride,
                    lw_move_run *runs)
{
    uint64_t offset[LW_MOVE_LANES][4 * LW_MOVED_WORDS];
    const lw_move_args args = { .stride = stride };
    move m = { .insn = insn, .arch = arch, .mods = *mods, .args = &args, .name = "" };
    size_t count = 0;
    const lw_operand operand = (lw_operand)insn->ptx->fragment;
    const bool wmma = insn->ptx->form == LW_PTX_WMMA_LOAD || insn->ptx->form == LW_PTX_WMMA_STORE;
    if (wmma && list_entries(&m, operand, NULL) == LW_OK) {
        set_stride(&m, lw_elem_rows[lw_insn_elem(insn, operand, mods)].bits);
        place_bytes(&m, offset);
        for (unsigned lane = 0; lane < LW_MOVE_LANES; lane++)
            for (unsigned b = 0; b < 4 * LW_MOVED_WORDS; b++) {
                const bool starts = b == 0 || offset[lane][b] != offset[lane][b - 1] + 1;
                if (offset[lane][b] == UINT64_MAX)
                    continue;
                if (starts)
                    runs[count++] = (lw_move_run){ .lane = (uint8_t)lane, .offset = offset[lane][b] };
                runs[count - 1].size++;
            }
    }
    free(m.entries);
    return count;
}

/* Element (i, k) of A becomes element (i, j) of D with j = k; the layouts differ by a transposition. */
static lw_status move_registers(move *m, lw_error *error)
{
    enum { SIDE = 8 };
    uint16_t element[SIDE][SIDE] = { { 0 } };
    lw_status st = list_entries(m, LW_OPERAND_A, error);
    if (st != LW_OK)
        return st;
    for (size_t i = 0; i < m->count; i++)
        element[m->entries[i].x][m->entries[i].y] = (uint16_t)get_field(m->args->source, &m->entries[i]);
    free(m->entries);
    m->entries = NULL;
    if ((st = list_entries(m, LW_OPERAND_D, error)) != LW_OK)
        return st;
    for (size_t i = 0; i < m->count; i++)
        put_field(m->args->result, &m->entries[i], element[m->entries[i].x][m->entries[i].y]);
    return LW_OK;
}

static lw_status check_args(const lw_insn *insn, const lw_move_args *args, lw_error *error)
{
    if (!insn || !args || !lw_ptx_is_move(insn))
        return lw_error_fail(error, LW_E_ARGUMENT, "%s",
                             insn ? "this instruction moves nothing; "
                                    "lw_mma_create is for those that multiply"
                                  : "lw_move_execute needs an instruction");
    const lw_ptx_form form = (lw_ptx_form)insn->ptx->form;
    const bool store = form == LW_PTX_STMATRIX || form == LW_PTX_WMMA_STORE, mov = form == LW_PTX_MOVMATRIX;
    if (((store || mov) && !args->source) || (!store && !args->result) || (!mov && !args->memory.bytes))
        return lw_error_fail(error, LW_E_ARGUMENT, "%s needs %s", insn->mnemonic,
                             mov     ? "a source and a result"
                             : store ? "a source and memory"
                                     : "memory and a result");
    if (!mov && args->memory.size && args->memory.base + (args->memory.size - 1) < args->memory.base)
        return lw_error_fail(error, LW_E_ARGUMENT, "the memory goes beyond the last address");
    return LW_OK;
}

lw_status lw_move_execute(lw_arch arch, const lw_insn *insn, const lw_mods *mods, const lw_move_args *args,
                          lw_error *error)
{
    const lw_mods none = { 0 };
    lw_status st = check_args(insn, args, error);
    if (st == LW_OK)
        st = lw_insn_require(arch, insn, error);
    if (st == LW_OK)
        st = lw_mods_check(arch, insn, mods, error);
    if (st != LW_OK)
        return st;

    char name[LW_PTX_SPELLING_MAX];
    move m = { .insn = insn, .arch = arch, .mods = mods ? *mods : none, .args = args, .name = name };
    lw_ptx_spell(insn, &m.mods.ptx, name);
    switch ((lw_ptx_form)insn->ptx->form) {
    case LW_PTX_LDMATRIX:
    case LW_PTX_STMATRIX:
        st = move_rows(&m, insn->ptx->form == LW_PTX_STMATRIX, error);
        break;
    case LW_PTX_WMMA_LOAD:
    case LW_PTX_WMMA_STORE:
        st = move_fragment(&m, insn->ptx->form == LW_PTX_WMMA_STORE, error);
        break;
    default:
        st = move_registers(&m, error);
        break;
    }
    free(m.entries);
    return st;
}

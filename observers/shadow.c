/* SPDX-License-Identifier: MIT */
#include "observers/shadow.h"

#include <stdlib.h>
#include <string.h>

bool lw_shadow_is_vector(unsigned file)
{
    return file == LW_FILE_VGPR || file == LW_FILE_AGPR || file == LW_FILE_PREDICATE;
}

void lw_shadow_layout(lw_shadow_rows *rows, const lw_event *event)
{
    *rows = (lw_shadow_rows){ .accum = lw_event_accum_offset(event) };
    for (unsigned file = 0; file < LW_FILE_COUNT; file++) {
        rows->first[file] = rows->total;
        rows->count[file] = lw_event_register_count(event, (lw_reg_file)file);
        rows->total += rows->count[file];
    }
}

/* EXEC, MODE and the registers of the trap handler are always initialised. */
static bool is_given(lw_reg_file file, unsigned reg)
{
    return file == LW_FILE_TRAP ||
           (file == LW_FILE_NAMED &&
            (reg == LW_NAMED_EXEC_LO || reg == LW_NAMED_EXEC_HI || reg == LW_NAMED_MODE));
}

static uint64_t initial_lanes(const lw_event *event, lw_reg_file file, unsigned reg)
{
    uint32_t values[LW_MAX_LANES];
    const unsigned lanes = !lw_shadow_is_vector(file)    ? 1
                           : event->lanes < LW_MAX_LANES ? event->lanes
                                                         : LW_MAX_LANES;
    uint64_t given = 0;
    if (!event->poison || is_given(file, reg))
        return UINT64_MAX;
    if (file == LW_FILE_PREDICATE || (file == LW_FILE_NAMED && reg == LW_NAMED_SCC))
        return 0; /* a single bit cannot hold the pattern */
    lw_event_values(event, file, reg, values, lanes);
    for (unsigned lane = 0; lane < lanes; lane++)
        given |= (uint64_t)(values[lane] != *event->poison) << lane;
    return given;
}

bool lw_shadow_begin(lw_wave_shadow *wave, const lw_shadow_rows *rows, const lw_event *event)
{
    if (wave->capacity < rows->total) {
        lw_shadow_free(wave);
        wave->rows = malloc(rows->total * sizeof(*wave->rows));
        wave->parts = malloc(rows->total * sizeof(*wave->parts));
        if (!wave->rows || !wave->parts)
            return false;
        wave->capacity = rows->total;
    }
    if (rows->total)
        memset(wave->parts, 0, rows->total * sizeof(*wave->parts));
    for (unsigned file = 0; file < LW_FILE_COUNT; file++)
        for (unsigned reg = 0; reg < rows->count[file]; reg++)
            wave->rows[rows->first[file] + reg] = initial_lanes(event, (lw_reg_file)file, reg);
    return true;
}

void lw_shadow_free(lw_wave_shadow *wave)
{
    free(wave->rows);
    free(wave->parts);
    *wave = (lw_wave_shadow){ 0 };
}

uint64_t lw_shadow_written(const lw_wave_shadow *wave, uint32_t row, unsigned bytes)
{
    uint64_t parts = UINT64_MAX;
    for (unsigned i = 0; i < 4; i++)
        parts &= bytes >> i & 1 ? wave->parts[row][i] : UINT64_MAX;
    return wave->rows[row] | parts;
}

void lw_shadow_write(lw_wave_shadow *wave, const lw_shadow_run *run, uint64_t lanes)
{
    for (uint32_t row = run->row; row < run->row + run->count; row++) {
        if (run->written == LW_BYTES_ALL) {
            wave->rows[row] |= lanes;
            continue;
        }
        for (unsigned i = 0; i < 4; i++)
            wave->parts[row][i] |= run->written >> i & 1 ? lanes : 0;
    }
}

static void put_run(lw_shadow_run *runs, size_t capacity, size_t *count, lw_shadow_run run)
{
    if (*count < capacity)
        runs[*count] = run;
    ++*count;
}

size_t lw_shadow_runs(const lw_shadow_rows *rows, const lw_facts *facts, lw_shadow_run *runs, size_t capacity)
{
    size_t count = 0;
    for (size_t i = 0; i < facts->operand_count; i++) {
        const lw_fact_operand *o = &facts->operands[i];
        if (!o->is_register)
            continue;
        unsigned first = o->first;
        const unsigned end = first + o->count;
        while (first < end) {
            /* rows of the operand's file or, from the accumulation offset on, of AGPRs */
            const bool moved = o->file == LW_FILE_VGPR && first >= rows->accum;
            const lw_reg_file file = moved ? LW_FILE_AGPR : o->file;
            const unsigned reg = moved ? first - rows->accum : first;
            const unsigned limit = o->file == LW_FILE_VGPR && !moved && rows->accum < end ? rows->accum : end;
            const unsigned have = reg < rows->count[file] ? rows->count[file] - reg : 0;
            const unsigned run = limit - first < have ? limit - first : have;
            if (run)
                put_run(runs, capacity, &count,
                        (lw_shadow_run){ .row = rows->first[file] + reg,
                                         .count = (uint16_t)run,
                                         .operand = (uint16_t)i,
                                         .reg = (uint16_t)first,
                                         .file = (uint8_t)o->file,
                                         .lanes = (uint8_t)o->lanes,
                                         .read = o->role == LW_ROLE_KEPT ? 0 : o->bytes_read,
                                         .written = o->bytes_written });
            first = limit;
        }
    }
    return count;
}

bool lw_shadow_bytes_written(const uint8_t *bytes, size_t count)
{
    const uint32_t all = 0x01010101u;
    for (; count >= 4; bytes += 4, count -= 4) {
        uint32_t word;
        memcpy(&word, bytes, sizeof(word));
        if (word != all)
            return false;
    }
    for (; count; bytes++, count--)
        if (!*bytes)
            return false;
    return true;
}

/* SPDX-License-Identifier: MIT */
/* AMD's machine as emu/device sees it, and the readings that a launch may choose. */
#include "emu/amdgpu/control/block.h"
#include "emu/amdgpu/control/machine.h"
#include "emu/amdgpu/vector/matrix_plan.h"
#include "isa_tables/amdgpu/labels.h"
#include "isa_tables/amdgpu/rows.h"
#include "isa_tables/amdgpu/traits.h"
#include "isa_tables/readings.h"
#include "loaders/program.h"

lw_status lw_amd_readings(lw_session *s, lw_error *error)
{
    const char *const *names = (const char *const *)s->readings;
    const lw_status status = lw_readings_check(names, s->reading_count, error);
    if (status == LW_OK)
        s->kernel_readings = lw_readings_of_kernels(names, s->reading_count);
    return status;
}

/* ---- The table ---- */

static void text(const lw_module *module, uint64_t pc, char *text, size_t size)
{
    uint32_t words[4];
    lw_decoded in;
    const size_t count = lw_amd_words(module, pc, words);
    text[0] = '\0';
    if (count && lw_amd_decode(module, words, count, &in) == LW_OK)
        lw_amdgpu_text(module->arch, &in, text, size);
}

static const void *fetch(lw_worker *worker, lw_wave_head *head)
{
    const void *record = lw_code_at(&worker->session->module->code, head->pc);
    return record ? record : lw_amd_fetch(worker, lw_amd_wave(head));
}

static bool line(const lw_module *module, uint64_t pc, lw_line *line)
{
    const lw_program *p = module->program;
    if (p && lw_program_line(p, pc - module->base + p->image_vaddr, line, NULL) == LW_OK && line->line)
        return true;
    *line = (lw_line){ "", 0, 0 };
    return false;
}

static uint64_t exec(const lw_wave_head *wave)
{
    return lw_wave_exec(lw_amd_wave_of(wave));
}

static unsigned kind(const void *record)
{
    return ((const lw_record *)record)->kind;
}

static const char *mnemonic(const void *record)
{
    return ((const lw_record *)record)->name;
}

static void tally(const lw_worker *worker, const void *record, uint64_t executed, lw_tally *tally)
{
    const lw_decoded *in = &((const lw_record *)record)->in;
    tally->executed += executed;
    tally->name = mnemonic(record);
    if (in->matrix) {
        lw_matrix_tally(worker, in, tally);
        return;
    }
    lw_op_support support = lw_op_supported(worker->session->arch, in->row);
    if (in->second.row) {
        const lw_op_support second = lw_op_supported(worker->session->arch, in->second.row);
        support = second.label > support.label ? second : support;
    }
    tally->label = support.label;
    tally->source = support.source;
}

const lw_machine lw_amd_machine = {
    .group_word = "workgroup",
    .wave_word = "wave",
    .shared_word = "LDS",
    .kinds = LW_DECODED_KINDS,
    .clusters = true, /* where traits say so */
    .open = lw_amd_open,
    .open_code = lw_amd_open_code,
    .close = lw_amd_close,
    .symbol = lw_amd_symbol,
    .prepare = lw_amd_prepare,
    .leave = lw_amd_leave,
    .order = lw_amd_order,
    .attach = lw_amd_attach,
    .start = lw_amd_start,
    .end = lw_amd_end,
    .run = lw_amd_run,
    .state = lw_amd_state,
    .copy = lw_amd_copy,
    .object = lw_amd_cell,
    .barrier = lw_amd_barrier,
    .fetch = fetch,
    .text = text,
    .line = line,
    .exec = exec,
    .kind = kind,
    .tally = tally,
    .settle = lw_blocks_settle,
    .mnemonic = mnemonic,
    .event_text = lw_amd_event_text,
    .event_lanes = lw_amd_event_lanes,
    .lane_sources = lw_amd_lane_sources,
    .event_matrix = lw_amd_event_matrix,
    .value = lw_amd_value,
    .values = lw_amd_values,
    .registers = lw_amd_registers,
    .register_name = lw_amd_register_name,
    .lanes = lw_amd_lanes,
    .facts = lw_amd_facts,
    .accum_offset = lw_amd_accum_offset,
    .splits_l0 = lw_amd_splits_l0,
};

/* SPDX-License-Identifier: MIT */
/* Modules of AMD code: placing them, and the records of decoded instructions. */
#include <stdlib.h>

#include "emu/amdgpu/control/handlers.h"
#include "emu/amdgpu/control/machine.h"
#include "emu/amdgpu/control/setup.h"
#include "emu/amdgpu/fast/dual.h"
#include "emu/amdgpu/vector/matrix_plan.h"
#include "isa_tables/amdgpu/rows.h"
#include "isa_tables/amdgpu/traits.h"
#include "isa_tables/error.h"
#include "loaders/program.h"

enum { CHUNK_RECORDS = 64, WORD_SHIFT = 2 };

typedef struct lw_record_chunk {
    struct lw_record_chunk *next;
    size_t used;
    lw_record records[CHUNK_RECORDS];
} lw_record_chunk;

/* ---- Placing a program ---- */

/* Records depend on the number of lanes in a wave, which is that of the program's first kernel. */
static lw_status open_own(lw_module *m, uint64_t base, uint64_t size, lw_error *error)
{
    const lw_program *p = m->program;
    if (!lw_code_open(&m->code, base, size, WORD_SHIFT))
        return lw_error_fail(error, LW_E_NO_MEMORY, "no host memory for the program");
    lw_amd_module *own = calloc(1, sizeof(*own));
    m->own = own;
    if (!own)
        return lw_error_fail(error, LW_E_NO_MEMORY, "no host memory for the program");
    own->traits = lw_amdgpu_traits_named(m->arch, p ? p->processor : NULL);
    own->lanes = p && p->kernel_count ? lw_setup_lanes(&p->kernels[0]) : lw_amdgpu_traits_of(m->arch)->wave;
    return lw_fast_isa_choose(&own->isa, error);
}

static lw_status map(lw_module *m, uint64_t offset, uint64_t size, bool writable, const char *name,
                     lw_error *error)
{
    const lw_region region = { .base = m->base + offset,
                               .size = size,
                               .host = m->image + offset,
                               .name = (char *)(uintptr_t)name,
                               .writable = writable };
    const lw_status status = size ? lw_module_map(m, &region) : LW_OK;
    if (status == LW_E_NO_MEMORY)
        return lw_error_fail(error, status, "no host memory to place \"%s\"", name);
    if (status != LW_OK)
        return lw_error_fail(error, status,
                             "\"%s\" cannot be placed at device address 0x%llx: no room is left", name,
                             (unsigned long long)region.base);
    return LW_OK;
}

static lw_status take_image(lw_module *m, uint64_t size, lw_error *error)
{
    const uint64_t room = lw_memory_room(m->memory);
    if (size > room)
        return lw_error_fail(
            error, LW_E_NO_MEMORY, "the program takes %llu bytes; the memory limit of %llu bytes leaves %llu",
            (unsigned long long)size, (unsigned long long)m->memory->limit, (unsigned long long)room);
    m->image = malloc(size ? (size_t)size : 1);
    if (!m->image)
        return lw_error_fail(error, LW_E_NO_MEMORY, "no host memory for the program");
    m->image_size = size;
    m->memory->used += size;
    m->base = lw_memory_gap(m->memory, LW_ADDRESS_CODE, size);
    return LW_OK;
}

lw_status lw_amd_open(lw_module *m, lw_error *error)
{
    const lw_program *p = m->program;
    m->arch = p->arch;
    m->process = p->process == m->process ? m->process : -1;
    lw_status status = take_image(m, p->image_size, error);
    if (status == LW_OK)
        status = lw_program_relocate(p, m->base, m->image, error);
    uint64_t low = UINT64_MAX, high = 0;
    for (size_t i = 0; i < p->segment_count && status == LW_OK; i++) {
        const lw_segment *s = &p->segments[i];
        status = map(m, s->offset, s->size, s->writable && !s->executable,
                     s->executable ? "program code" : "program data", error);
        if (!s->executable)
            continue;
        low = s->offset < low ? s->offset : low;
        high = s->offset + s->size > high ? s->offset + s->size : high;
    }
    if (status == LW_OK && high <= low)
        return lw_error_fail(error, LW_E_FORMAT, "the program has no executable segment");
    return status == LW_OK ? open_own(m, m->base + low, high - low, error) : status;
}

lw_status lw_amd_open_code(lw_module *m, const uint32_t *words, size_t count, lw_error *error)
{
    const uint64_t size = (uint64_t)count * 4;
    lw_status status = take_image(m, size, error);
    if (status == LW_OK) {
        memcpy(m->image, words, (size_t)size);
        status = map(m, 0, size, false, "code", error);
    }
    return status == LW_OK ? open_own(m, m->base, size, error) : status;
}

void lw_amd_close(lw_module *m)
{
    lw_amd_module *own = m->own;
    m->memory->used -= m->image_size;
    if (!own)
        return;
    while (own->chunks) {
        lw_record_chunk *chunk = own->chunks;
        own->chunks = chunk->next;
        free(chunk);
    }
    while (own->duals) {
        lw_hot_dual *dual = own->duals;
        own->duals = dual->next;
        free(dual);
    }
    lw_mma_keys_free(own->keys);
    lw_mma_sets_free(own->sets);
    free(own);
}

lw_status lw_amd_symbol(const lw_module *m, const char *name, uint64_t *address, uint64_t *size)
{
    const lw_program *p = m->program;
    for (size_t i = 0; p && i < p->symbol_count; i++) {
        if (strcmp(p->symbols[i].name, name) != 0)
            continue;
        *address = m->base + (p->symbols[i].address - p->image_vaddr);
        *size = p->symbols[i].size;
        return LW_OK;
    }
    return LW_E_NOT_FOUND;
}

/* ---- Records ---- */

static lw_record *new_record(lw_amd_module *own)
{
    if (!own->chunks || own->chunks->used == CHUNK_RECORDS) {
        lw_record_chunk *chunk = aligned_alloc(_Alignof(lw_record_chunk), sizeof(*chunk));
        if (!chunk)
            return NULL;
        chunk->used = 0;
        chunk->next = own->chunks;
        own->chunks = chunk;
    }
    return &own->chunks->records[own->chunks->used];
}

size_t lw_amd_words(const lw_module *m, uint64_t pc, uint32_t words[4])
{
    const uint64_t offset = pc - m->code.base;
    if (offset >= m->code.size || pc & 3)
        return 0;
    const uint64_t left = (m->code.size - offset) / 4;
    const size_t count = left < 4 ? (size_t)left : 4;
    memcpy(words, m->image + (pc - m->base), count * 4);
    return count;
}

/* The highest register of a kind that the instruction names, plus 1. */
static uint16_t end_of(const lw_decoded *in, lw_opnd_kind kind)
{
    const lw_opnd *const all[] = { &in->dst,    &in->sdst,   &in->src[0],   &in->src[1],
                                   &in->src[2], &in->src[3], &in->scale[0], &in->scale[1] };
    unsigned end = 0;
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
        if (all[i]->kind == kind && all[i]->reg + all[i]->dwords > end)
            end = all[i]->reg + all[i]->dwords;
    if (in->second.row) {
        const lw_decoded second = lw_decoded_second(in);
        const unsigned other = end_of(&second, kind);
        end = other > end ? other : end;
    }
    return (uint16_t)end;
}

static bool is_long_in_dword(const lw_opnd *o)
{
    enum { LITERAL64 = 254 };
    return o->kind == LW_OPND_LITERAL && o->code == LITERAL64 && o->dwords <= 1;
}

/* Why a decoded instruction cannot run with these operands; NULL: it can. */
static const char *refusal_of_operands(const lw_amdgpu_traits *traits, const lw_decoded *in)
{
    enum { RESOURCE = 4 };
    const lw_op_row *row = in->row;
    const bool buffer = (row->enc == LW_ENC_MUBUF && !(row->flags & LW_OPF_NOADDR)) ||
                        (row->enc == LW_ENC_SMEM && row->base == RESOURCE && row->kind != LW_SM_PREFETCH);
    if (buffer && traits->resource_57 && in->offset < 0)
        return "an offset in a buffer is not negative there";
    if (in->image.tfe && row->enc != LW_ENC_MIMG)
        return "the status that texture units return after the data (tfe) is not modelled";
    if (is_long_in_dword(&in->src[0]) || is_long_in_dword(&in->src[1]) || is_long_in_dword(&in->src[2]))
        return "no source here says what a literal of 64 bits means for an operand of 32";
    const bool scalar_offset = in->src[row->enc == LW_ENC_SMEM ? 1 : 2].kind == LW_OPND_SGPR;
    const bool offset = in->seg == LW_SEG_SCRATCH ? in->src[0].kind == LW_OPND_VGPR : scalar_offset;
    if (in->scale_offset && row->bytes && !offset)
        return "scale_offset has nothing to scale: there is no register with an offset";
    return NULL;
}

/* Without host memory the general handler runs. */
static void prepare_dual(lw_amd_module *own, lw_arch arch, lw_record *record)
{
    lw_hot_dual *dual = malloc(sizeof(*dual));
    if (!dual)
        return;
    if (!lw_hot_prepare_dual(own->isa, arch, &record->in, dual, &record->hot)) {
        free(dual);
        return;
    }
    dual->next = own->duals;
    own->duals = dual;
}

static lw_step decode(lw_worker *worker, lw_wave *w, lw_record *record)
{
    const lw_module *m = worker->session->module;
    lw_decoded *in = &record->in;
    uint32_t words[4];
    const size_t count = lw_amd_words(m, w->head.pc, words);
    if (!count)
        return lw_wave_fault(w, -1, "the program counter is outside the program's code");
    if (lw_amd_decode(m, words, count, in) != LW_OK)
        return lw_wave_fault(w, -1, "the words 0x%08x 0x%08x are not an instruction of %s", words[0],
                             count > 1 ? words[1] : 0,
                             m->program ? m->program->processor : lw_arch_get(m->arch)->name);
    const lw_op_row *row = in->row;
    const lw_amdgpu_traits *traits = lw_amdgpu_traits_of(m->arch);
    const char *refusal = refusal_of_operands(traits, in);
    if (refusal)
        return lw_wave_fault(w, -1, "the instruction %s cannot run: %s", lw_decoded_name(m->arch, in),
                             refusal);
    in->pc = w->head.pc;
    const bool vector_memory =
        row->enc == LW_ENC_FLAT || row->enc == LW_ENC_MUBUF || row->enc == LW_ENC_MTBUF;
    record->counted = (vector_memory && (in->lds || !traits->async_counter)) || row->enc == LW_ENC_TENSOR;
    record->vgpr_end = end_of(in, LW_OPND_VGPR);
    record->agpr_end = end_of(in, LW_OPND_AGPR);
    record->sgpr_end = end_of(in, LW_OPND_SGPR);
    record->name = lw_decoded_name(m->arch, in);
    record->kind = lw_decoded_kind(m->arch, in);
    in->exec = in->second.row ? lw_exec_dual : lw_handler_of(row, m->arch);
    const bool notes = lw_hot_prepare(((lw_amd_module *)m->own)->isa, in, &record->hot);
    if (in->second.row)
        prepare_dual(m->own, m->arch, record);
    record->silent = !notes && (vector_memory || row->enc == LW_ENC_DS || row->enc == LW_ENC_SMEM);
    if (lw_matrix_is(row) && !(in->matrix = lw_matrix_key_of(&((lw_amd_module *)m->own)->keys, in)))
        return lw_wave_fault(w, -1, "the host has no memory for a matrix instruction");
    return LW_STEP_NEXT;
}

/* The caller holds the module's lock. */
static const lw_record *make_record(lw_worker *worker, lw_wave *w, _Atomic(void *) *slot)
{
    lw_amd_module *own = worker->session->module->own;
    const lw_record *there = atomic_load_explicit(slot, memory_order_relaxed);
    lw_record *made = there ? NULL : new_record(own);
    if (there)
        return there;
    if (!made) {
        lw_wave_fault(w, -1, "the host has no memory for decoded instructions");
        return NULL;
    }
    memset(made, 0, sizeof(*made));
    if (decode(worker, w, made) == LW_STEP_FAULT)
        return NULL;
    own->chunks->used++;
    atomic_store_explicit(slot, made, memory_order_release);
    return made;
}

const lw_record *lw_amd_fetch(lw_worker *worker, lw_wave *w)
{
    lw_code *code = &worker->session->module->code;
    const lw_code_cursor *at = &worker->cursor;
    lw_lock_take(&code->lock);
    const lw_record *record =
        make_record(worker, w, &at->page->record[(w->head.pc - at->base) >> WORD_SHIFT]);
    lw_lock_leave(&code->lock);
    return record;
}

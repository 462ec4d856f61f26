/* SPDX-License-Identifier: MIT */
/* Placing a module: one byte of address per instruction, then constants, then globals. */
#include <stdlib.h>

#include "emu/mma/prepared.h"
#include "emu/ptx/warp.h"
#include "isa_tables/error.h"

enum { PART = 256 /* alignment of the parts */ };

static uint64_t align_up(uint64_t at, uint64_t align)
{
    return (at + align - 1) / align * align;
}

static const lw_ptx_module *ptx_of(const lw_module *m)
{
    return m->program->ptx;
}

/* Assigns offsets to the variables of one space, from `at` on; returns the end of the last one. */
static uint64_t place(const lw_module *m, lw_ptx_space space, uint64_t at)
{
    lw_ptx_placed *own = m->own;
    for (size_t i = 0; i < ptx_of(m)->variables.count; i++) {
        const lw_ptx_variable *v = lw_ptx_variable_at(ptx_of(m), i);
        if (v->space != space || v->is_extern || v->size > UINT64_C(1) << 40)
            continue;
        at = align_up(at, v->align);
        own->addresses[i] = at;
        at += v->size;
        if (at > UINT64_C(1) << 40)
            return UINT64_MAX;
    }
    return at;
}

static lw_status fail_memory(lw_error *error)
{
    return lw_error_fail(error, LW_E_NO_MEMORY, "no memory for the program");
}

static lw_status map(lw_module *m, uint64_t from, uint64_t end, bool writable, const char *name,
                     lw_error *error)
{
    const lw_region region = { .base = m->base + from,
                               .size = end - from,
                               .host = m->image + from,
                               .name = (char *)(uintptr_t)name,
                               .writable = writable };
    const lw_status status = end > from ? lw_module_map(m, &region) : LW_OK;
    return status == LW_OK ? LW_OK : lw_error_fail(error, status, "\"%s\" cannot be placed", name);
}

/* The address of a reference; a function's address is that of its first instruction. */
static uint64_t referred(const lw_module *m, const lw_ptx_reference *ref)
{
    const lw_ptx_placed *own = m->own;
    const uint64_t at = ref->is_function ? m->base + lw_ptx_function_at(ptx_of(m), ref->index)->insns.first
                                         : own->addresses[ref->index];
    return (at + (uint64_t)ref->addend) >> ref->shift;
}

static void fill(lw_module *m)
{
    const lw_ptx_placed *own = m->own;
    for (size_t i = 0; i < ptx_of(m)->variables.count; i++) {
        const lw_ptx_variable *v = lw_ptx_variable_at(ptx_of(m), i);
        if (!own->addresses[i])
            continue;
        uint8_t *at = m->image + (own->addresses[i] - m->base);
        const size_t size = (size_t)(v->data_size < v->size ? v->data_size : v->size);
        if (size)
            memcpy(at, v->data, size);
        for (uint32_t r = 0; r < v->reference_count; r++) {
            const uint64_t value = referred(m, &v->references[r]);
            if (v->references[r].offset + v->references[r].size <= v->size)
                memcpy(at + v->references[r].offset, &value, v->references[r].size);
        }
    }
}

static void add_base(const lw_module *m)
{
    lw_ptx_placed *own = m->own;
    for (size_t i = 0; i < ptx_of(m)->variables.count; i++)
        own->addresses[i] += own->addresses[i] ? m->base : 0;
}

static lw_status take_image(lw_module *m, uint64_t size, lw_error *error)
{
    if (size > lw_memory_room(m->memory))
        return fail_memory(error);
    m->image = calloc(1, (size_t)size);
    if (!m->image)
        return fail_memory(error);
    m->image_size = size;
    m->memory->used += size;
    m->base = lw_memory_gap(m->memory, LW_ADDRESS_CODE, size);
    return LW_OK;
}

static int by_first(const void *a, const void *b)
{
    const lw_ptx_function *x = *(const lw_ptx_function *const *)a, *y = *(const lw_ptx_function *const *)b;
    return x->insns.first < y->insns.first ? -1 : x->insns.first > y->insns.first;
}

/* Kernels share the first rows of a frame; every other function has its own rows after those. False: no
 * memory. */
static bool place_frames(const lw_ptx_module *ptx, lw_ptx_placed *own)
{
    const size_t count = ptx->functions.count;
    own->rows = calloc(count + 1, sizeof(*own->rows));
    own->predicates = calloc(count + 1, sizeof(*own->predicates));
    own->defined = calloc(count + 1, sizeof(*own->defined));
    if (!own->rows || !own->predicates || !own->defined)
        return false;
    for (size_t i = 0; i < count; i++) {
        const lw_ptx_function *f = lw_ptx_function_at(ptx, i);
        if (f->is_defined && f->insns.count)
            own->defined[own->defined_count++] = f;
        if (f->is_entry && f->rows > own->all_rows)
            own->all_rows = f->rows;
        if (f->is_entry && f->predicates > own->all_predicates)
            own->all_predicates = f->predicates;
    }
    for (size_t i = 0; i < count; i++) {
        const lw_ptx_function *f = lw_ptx_function_at(ptx, i);
        if (f->is_entry)
            continue;
        own->rows[i] = own->all_rows;
        own->predicates[i] = own->all_predicates;
        own->all_rows += f->rows;
        own->all_predicates += f->predicates;
    }
    qsort(own->defined, own->defined_count, sizeof(*own->defined), by_first);
    return true;
}

static bool names_environment(const lw_ptx_module *ptx)
{
    for (size_t i = 0; i < ptx->operands.count; i++) {
        const lw_ptx_operand *o = lw_ptx_operand_at(ptx, i);
        if (o->kind == LW_PTX_OPERAND_SPECIAL && o->index == LW_PTX_SPECIAL_ENVREG)
            return true;
    }
    return false;
}

static bool has_wgmma(const lw_ptx_module *ptx)
{
    for (size_t i = 0; i < ptx->insns.count; i++) {
        const lw_ptx_insn *insn = lw_ptx_insn_at(ptx, i);
        if (insn->op && insn->op->id == LW_PTX_OP_wgmma)
            return true;
    }
    return false;
}

lw_status lw_ptx_open(lw_module *m, lw_error *error)
{
    const lw_ptx_module *ptx = ptx_of(m);
    const uint64_t code = ptx->insns.count + 1; /* a label may follow the last one */
    lw_ptx_placed *own = calloc(1, sizeof(*own));
    m->own = own;
    if (!own || !(own->addresses = calloc(ptx->variables.count + 1, sizeof(*own->addresses))) ||
        !place_frames(ptx, own))
        return fail_memory(error);
    own->has_barrier = names_environment(ptx);
    own->has_wgmma = has_wgmma(ptx);
    lw_status status = lw_fast_isa_choose(&own->isa, error);
    if (status != LW_OK)
        return status;
    m->process = m->program->process == m->process ? m->process : -1;
    const uint64_t consts = align_up(code, PART);
    const uint64_t consts_end = place(m, LW_PTX_SPACE_CONST, consts);
    const uint64_t globals = consts_end == UINT64_MAX ? UINT64_MAX : align_up(consts_end, PART);
    const uint64_t end = globals == UINT64_MAX ? UINT64_MAX : place(m, LW_PTX_SPACE_GLOBAL, globals);
    status = end == UINT64_MAX ? fail_memory(error) : take_image(m, end, error);
    if (status == LW_OK)
        status = map(m, 0, code, false, "program code", error);
    if (status == LW_OK)
        status = map(m, consts, consts_end, false, "constant memory", error);
    if (status == LW_OK)
        status = map(m, globals, end, true, "global variables", error);
    if (status != LW_OK)
        return status;
    add_base(m);
    own->consts = m->base + consts;
    own->consts_size = consts_end - consts;
    fill(m);
    return lw_code_open(&m->code, m->base, code, 0) ? LW_OK : fail_memory(error);
}

void lw_ptx_close(lw_module *m)
{
    lw_ptx_placed *own = m->own;
    m->memory->used -= m->image_size;
    if (!own)
        return;
    if (own->heap)
        lw_memory_release(m->memory, own->heap, NULL);
    if (own->barrier)
        lw_memory_release(m->memory, own->barrier, NULL);
    lw_ptx_records_free(own);
    lw_mma_keys_free(own->keys);
    lw_mma_sets_free(own->sets);
    free(own->addresses);
    free(own->rows);
    free(own->predicates);
    free(own->defined);
    free(own);
}

lw_status lw_ptx_symbol(const lw_module *m, const char *name, uint64_t *address, uint64_t *size)
{
    const lw_ptx_placed *own = m->own;
    for (size_t i = 0; i < ptx_of(m)->variables.count; i++) {
        const lw_ptx_variable *v = lw_ptx_variable_at(ptx_of(m), i);
        if (!own->addresses[i] || strcmp(v->name, name) != 0)
            continue;
        *address = own->addresses[i];
        *size = v->size;
        return LW_OK;
    }
    return LW_E_NOT_FOUND;
}

const lw_ptx_insn *lw_ptx_insn_of(const lw_module *m, uint64_t pc)
{
    const uint64_t number = pc - m->base;
    return number < ptx_of(m)->insns.count ? lw_ptx_insn_at(ptx_of(m), (size_t)number) : NULL;
}

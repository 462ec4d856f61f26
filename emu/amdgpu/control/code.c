/* SPDX-License-Identifier: MIT */
/* Records of decoded instructions, filled on first arrival. */
#include <stdlib.h>

#include "emu/amdgpu/control/machine.h"
#include "emu/amdgpu/vector/matrix_plan.h"
#include "emu/amdgpu/control/handlers.h"
#include "isa_tables/amdgpu/rows.h"

enum { CHUNK_RECORDS = 64 };

typedef struct lw_code_chunk {
    struct lw_code_chunk *next;
    size_t used;
    lw_record records[CHUNK_RECORDS];
} lw_code_chunk;

bool lw_code_init(lw_code_cache *cache, const lw_machine *machine)
{
    const size_t words = (size_t)(machine->code_size / 4);
    *cache = (lw_code_cache){ .slots = calloc(words ? words : 1, sizeof(lw_record *)) };
    return cache->slots != NULL;
}

void lw_code_free(lw_code_cache *cache)
{
    while (cache->chunks) {
        lw_code_chunk *chunk = cache->chunks;
        cache->chunks = chunk->next;
        for (size_t i = 0; i < chunk->used; i++)
            lw_matrix_plan_free(chunk->records[i].in.plan);
        free(chunk);
    }
    free(cache->slots);
}

static lw_record *new_record(lw_code_cache *cache)
{
    if (!cache->chunks || cache->chunks->used == CHUNK_RECORDS) {
        lw_code_chunk *chunk = calloc(1, sizeof(*chunk));
        if (!chunk)
            return NULL;
        chunk->next = cache->chunks;
        cache->chunks = chunk;
    }
    return &cache->chunks->records[cache->chunks->used];
}

/* A register operand beyond what the wave has allocated; NULL if all are inside. */
static const lw_opnd *find_outside(const lw_machine *m, const lw_decoded *in)
{
    const lw_opnd *const all[] = { &in->dst,    &in->sdst,   &in->src[0],   &in->src[1],
                                   &in->src[2], &in->src[3], &in->scale[0], &in->scale[1] };
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        const unsigned end = all[i]->reg + all[i]->dwords;
        if (all[i]->kind == LW_OPND_VGPR && end > m->vgpr_limit)
            return all[i];
        if (all[i]->kind == LW_OPND_AGPR && end > m->agprs)
            return all[i];
        if (all[i]->kind == LW_OPND_SGPR && end > LW_SGPR_COUNT)
            return all[i];
    }
    return NULL;
}

static bool read_words(const lw_machine *m, uint64_t pc, uint32_t words[4], size_t *count)
{
    const uint64_t offset = pc - m->code_base;
    if (offset >= m->code_size || pc & 3)
        return false;
    *count = (size_t)((m->code_size - offset) / 4);
    if (*count > 4)
        *count = 4;
    memcpy(words, m->code + offset, *count * 4);
    return *count > 0;
}

static lw_step decode_at(lw_worker *worker, lw_wave *w, lw_decoded *in)
{
    const lw_machine *m = worker->machine;
    uint32_t words[4];
    size_t count;
    if (!read_words(m, w->pc, words, &count))
        return lw_wave_fault(w, -1, "the program counter is outside the program's code");
    if (lw_amdgpu_decode(m->arch, words, count, in) != LW_OK)
        return lw_wave_fault(w, -1, "the words 0x%08x 0x%08x are no instruction of %s", words[0],
                             count > 1 ? words[1] : 0, lw_arch_get(m->arch)->name);
    const lw_opnd *outside = find_outside(m, in);
    if (outside)
        return lw_wave_fault(w, -1, "register %c%u is not among the %u that the wave has allocated",
                             outside->kind == LW_OPND_VGPR   ? 'v'
                             : outside->kind == LW_OPND_AGPR ? 'a'
                                                             : 's',
                             outside->reg + outside->dwords - 1u,
                             outside->kind == LW_OPND_VGPR   ? m->vgpr_limit
                             : outside->kind == LW_OPND_AGPR ? m->agprs
                                                             : (unsigned)LW_SGPR_COUNT);
    if (in->gds && !(in->row->flags & LW_OPF_GWS))
        return lw_wave_fault(w, -1, "%s has no global data share, which the gds bit asks for",
                             lw_arch_get(m->arch)->name);
    in->exec = lw_handlers[lw_op_index(in->row)];
    if (lw_matrix_is(in->row))
        return lw_matrix_plan_make(w, in, &in->plan);
    return LW_STEP_NEXT;
}

lw_record *lw_code_fetch(lw_worker *worker, lw_wave *w)
{
    lw_record *record = new_record(&worker->cache);
    if (!record) {
        lw_wave_fault(w, -1, "the host has no memory for decoded instructions");
        return NULL;
    }
    *record = (lw_record){ .executed = 0 };
    if (decode_at(worker, w, &record->in) == LW_STEP_FAULT) {
        lw_run_locate_fault(worker, w, record->in.row ? &record->in : NULL);
        return NULL;
    }
    const lw_op_row *row = record->in.row;
    record->counted = row->enc == LW_ENC_FLAT || row->enc == LW_ENC_MUBUF || row->enc == LW_ENC_MTBUF;
    worker->cache.chunks->used++;
    worker->cache.slots[(w->pc - worker->machine->code_base) / 4] = record;
    return record;
}

const lw_decoded *lw_code_at(const lw_worker *worker, uint64_t pc)
{
    return &worker->cache.slots[(pc - worker->machine->code_base) / 4]->in;
}

void lw_code_tally(const lw_code_cache *cache, lw_machine *machine)
{
    for (const lw_code_chunk *chunk = cache->chunks; chunk; chunk = chunk->next) {
        for (size_t i = 0; i < chunk->used; i++) {
            const lw_record *r = &chunk->records[i];
            lw_tally *tally = &machine->tally[lw_op_index(r->in.row) * LW_SEGMENTS + r->in.seg];
            if (!r->executed)
                continue;
            tally->executed += r->executed;
            if (r->in.plan)
                lw_matrix_plan_tally(r->in.plan, tally);
        }
    }
}

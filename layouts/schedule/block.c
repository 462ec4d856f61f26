/* SPDX-License-Identifier: MIT */
/* A tile for NVIDIA's GPUs, from another tool: whether the instruction and the block can do it. */
#include <stdio.h>
#include <string.h>

#include "isa_tables/error.h"
#include "isa_tables/ptx/row.h"
#include "layouts/schedule/plan.h"

enum { M = LW_PLAN_M, N = LW_PLAN_N, K = LW_PLAN_K, MOST_THREADS = 1024 };

static const struct {
    const char *name;
    lw_elem elem;
} types[] = { { "f16", LW_ELEM_F16 },  { "bf16", LW_ELEM_BF16 }, { "tf32", LW_ELEM_TF32 },
              { "f32", LW_ELEM_F32 },  { "f64", LW_ELEM_F64 },   { "fp8", LW_ELEM_E4M3 },
              { "bf8", LW_ELEM_E5M2 }, { "i8", LW_ELEM_S8 },     { "i32", LW_ELEM_S32 } };
enum { TYPES = sizeof(types) / sizeof(types[0]) };

static unsigned bits_of(size_t type)
{
    return lw_elem_rows[types[type].elem].bits;
}

/* The number of a type, or TYPES. */
static size_t find_type(const char *name)
{
    size_t i = 0;
    while (i < TYPES && (!name || strcmp(types[i].name, name) != 0))
        i++;
    return i;
}

static bool multiplies(const lw_insn *insn, const lw_mods *mods, const size_t type[3])
{
    static const lw_operand operands[3] = { LW_OPERAND_A, LW_OPERAND_B, LW_OPERAND_D };
    for (int o = 0; o < 3; o++)
        if (lw_insn_elem(insn, operands[o], mods) != types[type[o]].elem)
            return false;
    return true;
}

static bool is_tiled(const lw_insn *insn)
{
    return insn->ptx && (insn->ptx->form == LW_PTX_MMA || insn->ptx->form == LW_PTX_WGMMA);
}

/* The mma.sync of these types that is deepest, of equals the first. */
static const lw_insn *deepest(lw_arch arch, const size_t type[3])
{
    const lw_mods only = { 0 }, named = { .ptx = { .a_type = (uint8_t)types[type[0]].elem,
                                                   .b_type = (uint8_t)types[type[1]].elem } };
    const lw_insn *insn, *found = NULL;
    for (size_t n = 0; (insn = lw_insn_at(arch, n)) != NULL; n++) {
        const bool takes =
            multiplies(insn, &only, type) ||
            (lw_mods_check(arch, insn, &named, NULL) == LW_OK && multiplies(insn, &named, type));
        if (insn->ptx->form == LW_PTX_MMA && takes && (!found || insn->k > found->k))
            found = insn;
    }
    return found;
}

static lw_status choose(lw_plan *p, const size_t type[3], const lw_insn **insn)
{
    const lw_tiling_problem *q = p->p;
    const char *const arch = lw_arch_get(q->arch)->name;
    lw_mods mods = { 0 };
    if (!p->s->intrinsic) {
        *insn = deepest(q->arch, type);
        if (!*insn)
            return lw_error_fail(p->error, LW_E_UNSUPPORTED, "no mma.sync of %s takes %s and %s to %s", arch,
                                 q->a, q->b, q->c);
        p->s->intrinsic = lw_insn_name(q->arch, *insn);
        return LW_OK;
    }
    const lw_status st = lw_insn_parse(q->arch, p->s->intrinsic, insn, &mods, p->error);
    if (st != LW_OK)
        return st;
    if (!is_tiled(*insn))
        return lw_error_fail(p->error, LW_E_UNSUPPORTED,
                             "%s: tiles are checked for dense mma.sync and wgmma only", p->s->intrinsic);
    if (!multiplies(*insn, &mods, type))
        return lw_error_fail(p->error, LW_E_UNSUPPORTED, "%s does not take %s and %s to %s", p->s->intrinsic,
                             q->a, q->b, q->c);
    return LW_OK;
}

static lw_status open(lw_plan *p, size_t type[3])
{
    const lw_tiling_problem *q = p->p;
    const char *const names[3] = { q->a, q->b, q->c };
    for (int o = 0; o < 3; o++)
        if ((type[o] = find_type(names[o])) == TYPES)
            return lw_error_fail(p->error, LW_E_ARGUMENT,
                                 "types must be f16, bf16, tf32, f32, f64, fp8, bf8, i8 or i32");
    if (q->chip)
        return lw_error_fail(p->error, LW_E_ARGUMENT, "%s is not a known chip of %s", q->chip,
                             lw_arch_get(q->arch)->name);
    p->size[M] = q->m;
    p->size[N] = q->n;
    p->size[K] = q->k;
    for (int d = M; d <= K; d++)
        if (!p->size[d] || p->size[d] > LW_TILING_MOST)
            return lw_error_fail(p->error, LW_E_ARGUMENT, "M, N and K must be 1 to %d", LW_TILING_MOST);
    p->s->lds_limit = lw_arch_lds_size(lw_arch_get(q->arch)->name);
    return LW_OK;
}

static lw_status judge(lw_plan *p, const size_t type[3])
{
    lw_tiling *s = p->s;
    const uint32_t threads = s->wave * s->subgroups[M] * s->subgroups[N];
    uint64_t tile[3];
    for (int d = M; d <= K; d++)
        tile[d] = (uint64_t)s->size[d] * s->tiles[d] * (d < K ? s->subgroups[d] : 1);
    const uint64_t bits = tile[M] * tile[K] * bits_of(type[0]) + tile[N] * tile[K] * bits_of(type[1]);
    for (int d = M; d <= K && !s->padded; d++)
        if (p->size[d] % tile[d])
            return lw_error_fail(p->error, LW_E_UNSUPPORTED, "not valid: %c = %u is not a multiple of %u",
                                 "MNK"[d], p -> size[d], (unsigned)tile[d]);
    if (threads > MOST_THREADS)
        return lw_error_fail(p->error, LW_E_UNSUPPORTED, "not valid: %u threads, a block has at most %d",
                             threads, MOST_THREADS);
    if (bits / 8 > s->lds_limit)
        return lw_error_fail(p->error, LW_E_UNSUPPORTED,
                             "not valid: A and B take %llu bytes of shared memory, a block has at most %u",
                             (unsigned long long)(bits / 8), s->lds_limit);
    s->lds = (uint32_t)(bits / 8);
    if (p->size[M] % tile[M] || p->size[N] % tile[N] || p->size[K] % tile[K])
        lw_plan_say(p, "M, N or K is not a multiple of the tile's and is padded\n");
    lw_plan_say(p, "possible: A and B take %u of %u bytes of shared memory, room for %u stages\n", s->lds,
                s->lds_limit, s->lds_limit / s->lds);
    return LW_OK;
}

lw_status lw_plan_check_block(lw_plan *p)
{
    size_t type[3];
    const lw_insn *insn = NULL;
    lw_status st = open(p, type);
    if (st == LW_OK)
        st = choose(p, type, &insn);
    if (st != LW_OK)
        return st;
    p->s->size[M] = insn->m;
    p->s->size[N] = insn->n;
    p->s->size[K] = insn->k;
    p->s->wave = lw_ptx_lanes(insn);
    st = lw_plan_check_counts(p);
    return st == LW_OK ? judge(p, type) : st;
}

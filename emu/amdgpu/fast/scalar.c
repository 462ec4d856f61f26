/* SPDX-License-Identifier: MIT */
/*
 * Fast forms of scalar instructions, for every instruction set of the host: the rows of the general handlers,
 * combined with shapes that know where their operands are.
 */
#include "emu/amdgpu/control/handlers.h"
#include "emu/amdgpu/fast/hot.h"
#include "emu/amdgpu/scalar/salu_bits.h"

/* ---- Operands: registers at hot->at, a constant in hot->lanes ---- */

typedef enum scalar_from { FROM_REG, FROM_PAIR, FROM_CONSTANT } scalar_from;

/* Bits of a form's `kind`: which operands have 64 bits. */
enum { WIDE_A = 1, WIDE_B = 2, WIDE_D = 4, NO_RESULT = 8 };

static inline uint64_t fetch(const lw_wave *w, const lw_hot *hot, unsigned i, scalar_from from)
{
    return from == FROM_CONSTANT ? hot->lanes
           : from == FROM_PAIR   ? lw_wave_sgpr64(w, hot->at[i])
                                 : w->sgpr[hot->at[i]];
}

static inline void put(lw_wave *w, const lw_hot *hot, bool wide, uint64_t value)
{
    if (wide)
        lw_wave_set_sgpr64(w, hot->dst, value);
    else
        w->sgpr[hot->dst] = (uint32_t)value;
}

#define WIDE(type) (sizeof(type) == 8)
#define FROM(type) (WIDE(type) ? FROM_PAIR : FROM_REG)

/* ---- Functions for two registers, a register and a constant, and a constant and a register ---- */

#define TWO(name, ta, tb, td, result, condition, from_a, from_b, writes)                                     \
    static lw_step name(lw_wave *wave, const lw_hot *hot)                                                    \
    {                                                                                                        \
        const ta a = (ta)fetch(wave, hot, 0, from_a);                                                        \
        const tb b = (tb)fetch(wave, hot, 1, from_b);                                                        \
        const uint32_t scc = wave->scc;                                                                      \
        const td d = (td)(result);                                                                           \
        (void)a, (void)b, (void)scc, (void)d;                                                                \
        if (writes)                                                                                          \
            put(wave, hot, WIDE(td), (uint64_t)d);                                                           \
        wave->scc = (condition) != 0;                                                                        \
        return LW_STEP_NEXT;                                                                                 \
    }

#define TWO_EACH(name, ta, tb, td, result, condition, writes)                                                \
    TWO(hot_##name##_rr, ta, tb, td, result, condition, FROM(ta), FROM(tb), writes)                          \
    TWO(hot_##name##_rk, ta, tb, td, result, condition, FROM(ta), FROM_CONSTANT, writes)                     \
    TWO(hot_##name##_kr, ta, tb, td, result, condition, FROM_CONSTANT, FROM(tb), writes)

#define LW_SOP2(name, ta, tb, td, result, condition) TWO_EACH(name, ta, tb, td, result, condition, true)
#define LW_SOPC(name, ta, tb, condition) TWO_EACH(name, ta, tb, uint32_t, 0, condition, false)
#include "emu/amdgpu/scalar/salu2.inc"
#undef LW_SOP2
#undef LW_SOPC

#define ONE(name, ta, td, result, condition, from)                                                           \
    static lw_step name(lw_wave *wave, const lw_hot *hot)                                                    \
    {                                                                                                        \
        const ta a = (ta)fetch(wave, hot, 0, from);                                                          \
        const uint32_t scc = wave->scc;                                                                      \
        const td d = (td)(result);                                                                           \
        (void)scc;                                                                                           \
        put(wave, hot, WIDE(td), (uint64_t)d);                                                               \
        wave->scc = (condition) != 0;                                                                        \
        return LW_STEP_NEXT;                                                                                 \
    }

/* The result's old value is a source, too; the row does not state the width of the other source. */
#define TIED(name, td, result, from)                                                                         \
    static lw_step name(lw_wave *wave, const lw_hot *hot)                                                    \
    {                                                                                                        \
        const uint64_t a = fetch(wave, hot, 0, from);                                                        \
        const td old = (td)(WIDE(td) ? lw_wave_sgpr64(wave, hot->dst) : wave->sgpr[hot->dst]);               \
        const uint32_t scc = wave->scc;                                                                      \
        (void)scc;                                                                                           \
        put(wave, hot, WIDE(td), (uint64_t)(td)(result));                                                    \
        return LW_STEP_NEXT;                                                                                 \
    }

#define LW_SOP1(name, ta, td, result, condition)                                                             \
    ONE(hot_##name##_r, ta, td, result, condition, FROM(ta))                                                 \
    ONE(hot_##name##_k, ta, td, result, condition, FROM_CONSTANT)
#define LW_SOP1_TIED(name, td, result)                                                                       \
    TIED(hot_##name##_r, td, result, FROM_REG)                                                               \
    TIED(hot_##name##_p, td, result, FROM_PAIR)                                                              \
    TIED(hot_##name##_k, td, result, FROM_CONSTANT)
#define LW_SOPK(name, write, result, condition)                                                              \
    static lw_step hot_##name(lw_wave *wave, const lw_hot *hot)                                              \
    {                                                                                                        \
        const uint32_t a = wave->sgpr[hot->at[0]], k = hot->extra, scc = wave->scc;                          \
        const uint32_t d = (uint32_t)(result);                                                               \
        (void)a, (void)k, (void)scc, (void)d;                                                                \
        if (write)                                                                                           \
            wave->sgpr[hot->at[0]] = d;                                                                      \
        wave->scc = (condition) != 0;                                                                        \
        return LW_STEP_NEXT;                                                                                 \
    }
#include "emu/amdgpu/scalar/salu1.inc"
#undef LW_SOP1
#undef LW_SOP1_TIED
#undef LW_SOPK

#define SAVE(name, wide, exec, saved, from)                                                                  \
    static lw_step name(lw_wave *wave, const lw_hot *hot)                                                    \
    {                                                                                                        \
        const uint64_t a = fetch(wave, hot, 0, from);                                                        \
        const uint64_t e = wide ? lw_wave_sgpr64(wave, LW_SGPR_EXEC) : wave->sgpr[LW_SGPR_EXEC];             \
        const uint64_t x = (exec);                                                                           \
        (void)e;                                                                                             \
        if (wide)                                                                                            \
            lw_wave_set_sgpr64(wave, LW_SGPR_EXEC, x);                                                       \
        else                                                                                                 \
            wave->sgpr[LW_SGPR_EXEC] = (uint32_t)x;                                                          \
        put(wave, hot, wide, (saved));                                                                       \
        wave->scc = x != 0;                                                                                  \
        return LW_STEP_NEXT;                                                                                 \
    }

#define LW_SAVEEXEC(name, exec, saved)                                                                       \
    SAVE(hot_##name##_r, true, exec, saved, FROM_PAIR)                                                       \
    SAVE(hot_##name##_k, true, exec, saved, FROM_CONSTANT)
#define LW_SAVEEXEC32(name, exec, saved)                                                                     \
    SAVE(hot_##name##_r, false, exec, saved, FROM_REG)                                                       \
    SAVE(hot_##name##_k, false, exec, saved, FROM_CONSTANT)
#include "emu/amdgpu/scalar/salu_masks.inc"
#undef LW_SAVEEXEC
#undef LW_SAVEEXEC32

/* hot->lanes is the distance from a branch to its target; the wave's pc is the branch's own. */
#define BRANCH(name, taken)                                                                                  \
    static lw_step hot_##name(lw_wave *w, const lw_hot *hot)                                                 \
    {                                                                                                        \
        if (!(taken))                                                                                        \
            return LW_STEP_NEXT;                                                                             \
        w->head.pc += hot->lanes;                                                                            \
        return LW_STEP_JUMPED;                                                                               \
    }
#include "emu/amdgpu/control/branches.inc"
#undef BRANCH

/* ---- Which form fits ---- */

static bool is_register(const lw_opnd *o, bool wide)
{
    return o->kind == LW_OPND_SGPR && (o->dwords >= 2) == wide;
}

/* A constant goes to hot->lanes. */
static bool take_constant(const lw_opnd *o, lw_hot *hot)
{
    if (o->kind != LW_OPND_INLINE && o->kind != LW_OPND_LITERAL && o->kind != LW_OPND_IMM)
        return false;
    hot->lanes = o->value;
    return true;
}

static bool fits_result(const lw_hot_form *form, const lw_decoded *in)
{
    return form->kind & NO_RESULT || is_register(&in->dst, form->kind & WIDE_D);
}

static lw_hot_fn take_two(const lw_hot_form *form, const lw_decoded *in, lw_hot *hot)
{
    const bool a = is_register(&in->src[0], form->kind & WIDE_A),
               b = is_register(&in->src[1], form->kind & WIDE_B);
    if (!fits_result(form, in))
        return NULL;
    if (a && b)
        return form->fn[0];
    if (a && take_constant(&in->src[1], hot))
        return form->fn[1];
    return b && take_constant(&in->src[0], hot) ? form->fn[2] : NULL;
}

static lw_hot_fn take_one(const lw_hot_form *form, const lw_decoded *in, lw_hot *hot)
{
    if (!fits_result(form, in))
        return NULL;
    if (is_register(&in->src[0], form->kind & WIDE_A))
        return form->fn[0];
    return take_constant(&in->src[0], hot) ? form->fn[1] : NULL;
}

static lw_hot_fn take_tied(const lw_hot_form *form, const lw_decoded *in, lw_hot *hot)
{
    if (!fits_result(form, in))
        return NULL;
    if (in->src[0].kind == LW_OPND_SGPR)
        return form->fn[in->src[0].dwords >= 2];
    return take_constant(&in->src[0], hot) ? form->fn[2] : NULL;
}

static lw_hot_fn take_immediate(const lw_hot_form *form, const lw_decoded *in, lw_hot *hot)
{
    const lw_opnd *reg = in->dst.kind != LW_OPND_NONE ? &in->dst : &in->src[0];
    if (!is_register(reg, false))
        return NULL;
    hot->at[0] = reg->reg;
    hot->extra = in->imm & 0xffff;
    return form->fn[0];
}

static lw_hot_fn take_branch(const lw_hot_form *form, const lw_decoded *in, lw_hot *hot)
{
    hot->lanes = 4u * in->words + (uint64_t)((int64_t)(int16_t)in->imm * 4);
    return form->fn[0];
}

/* clang-format off */
static const lw_hot_form all_forms[] = {
#define LW_SOP2(name, ta, tb, td, result, condition) { lw_sem_##name, take_two,                              \
    { hot_##name##_rr, hot_##name##_rk, hot_##name##_kr },                                                   \
    (WIDE(ta) ? WIDE_A : 0) | (WIDE(tb) ? WIDE_B : 0) | (WIDE(td) ? WIDE_D : 0) },
#define LW_SOPC(name, ta, tb, condition) { lw_sem_##name, take_two,                                          \
    { hot_##name##_rr, hot_##name##_rk, hot_##name##_kr },                                                   \
    (WIDE(ta) ? WIDE_A : 0) | (WIDE(tb) ? WIDE_B : 0) | NO_RESULT },
#include "emu/amdgpu/scalar/salu2.inc"
#define LW_SOP1(name, ta, td, result, condition) { lw_sem_##name, take_one,                                  \
    { hot_##name##_r, hot_##name##_k }, (WIDE(ta) ? WIDE_A : 0) | (WIDE(td) ? WIDE_D : 0) },
#define LW_SOP1_TIED(name, td, result) { lw_sem_##name, take_tied,                                           \
    { hot_##name##_r, hot_##name##_p, hot_##name##_k }, WIDE(td) ? WIDE_D : 0 },
#define LW_SOPK(name, write, result, condition) { lw_sem_##name, take_immediate, { hot_##name }, 0 },
#include "emu/amdgpu/scalar/salu1.inc"
#define LW_SAVEEXEC(name, exec, saved) { lw_sem_##name, take_one,                                            \
    { hot_##name##_r, hot_##name##_k }, WIDE_A | WIDE_D },
#define LW_SAVEEXEC32(name, exec, saved) { lw_sem_##name, take_one, { hot_##name##_r, hot_##name##_k }, 0 },
#include "emu/amdgpu/scalar/salu_masks.inc"
#define BRANCH(name, taken) { lw_sem_##name, take_branch, { hot_##name }, 0 },
#include "emu/amdgpu/control/branches.inc"
};
/* clang-format on */

const lw_hot_forms lw_hot_scalar = { all_forms, sizeof(all_forms) / sizeof(all_forms[0]) };

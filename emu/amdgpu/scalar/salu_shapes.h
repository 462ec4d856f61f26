/* SPDX-License-Identifier: MIT */
/*
 * Shapes of scalar ALU instructions. Each macro defines one handler: it combines a pure expression for the
 * result and one for SCC with the reading and writing of operands. The expressions see the sources a and b
 * and the old SCC as scc; that for SCC also sees the result as d. SCC rules: AMD CDNA3 ISA manual, tables of
 * SOP1, SOP2, SOPC and SOPK.
 */
#ifndef LW_EMU_AMDGPU_SALU_SHAPES_H
#define LW_EMU_AMDGPU_SALU_SHAPES_H

#include "emu/amdgpu/control/handlers.h"
#include "emu/amdgpu/scalar/scalar.h"

/* ta, tb, td: C types of the sources and the result. */
#define LW_SOP2(name, ta, tb, td, result, condition)                                                         \
    lw_step lw_sem_##name(lw_wave *wave, const lw_decoded *in)                                               \
    {                                                                                                        \
        uint64_t a_bits, b_bits;                                                                             \
        if (!lw_scalar_read(wave, &in->src[0], &a_bits))                                                     \
            return lw_scalar_no_value(wave, &in->src[0]);                                                    \
        if (!lw_scalar_read(wave, &in->src[1], &b_bits))                                                     \
            return lw_scalar_no_value(wave, &in->src[1]);                                                    \
        const ta a = (ta)a_bits;                                                                             \
        const tb b = (tb)b_bits;                                                                             \
        const uint32_t scc = wave->scc;                                                                      \
        const td d = (td)(result);                                                                           \
        (void)a, (void)b, (void)scc;                                                                         \
        lw_scalar_write(wave, &in->dst, (uint64_t)d);                                                        \
        wave->scc = (condition) != 0;                                                                        \
        return LW_STEP_NEXT;                                                                                 \
    }

#define LW_SOP1(name, ta, td, result, condition)                                                             \
    lw_step lw_sem_##name(lw_wave *wave, const lw_decoded *in)                                               \
    {                                                                                                        \
        uint64_t a_bits;                                                                                     \
        if (!lw_scalar_read(wave, &in->src[0], &a_bits))                                                     \
            return lw_scalar_no_value(wave, &in->src[0]);                                                    \
        const ta a = (ta)a_bits;                                                                             \
        const uint32_t scc = wave->scc;                                                                      \
        const td d = (td)(result);                                                                           \
        (void)scc;                                                                                           \
        lw_scalar_write(wave, &in->dst, (uint64_t)d);                                                        \
        wave->scc = (condition) != 0;                                                                        \
        return LW_STEP_NEXT;                                                                                 \
    }

/* The result's old value is a source, too: old. SCC is unchanged. */
#define LW_SOP1_TIED(name, td, result)                                                                       \
    lw_step lw_sem_##name(lw_wave *wave, const lw_decoded *in)                                               \
    {                                                                                                        \
        uint64_t a, old_bits;                                                                                \
        if (!lw_scalar_read(wave, &in->src[0], &a))                                                          \
            return lw_scalar_no_value(wave, &in->src[0]);                                                    \
        if (!lw_scalar_read(wave, &in->dst, &old_bits))                                                      \
            return lw_scalar_no_value(wave, &in->dst);                                                       \
        const td old = (td)old_bits;                                                                         \
        const uint32_t scc = wave->scc;                                                                      \
        (void)scc;                                                                                           \
        lw_scalar_write(wave, &in->dst, (uint64_t)(td)(result));                                             \
        return LW_STEP_NEXT;                                                                                 \
    }

#define LW_SOPC(name, ta, tb, condition)                                                                     \
    lw_step lw_sem_##name(lw_wave *wave, const lw_decoded *in)                                               \
    {                                                                                                        \
        uint64_t a_bits, b_bits;                                                                             \
        if (!lw_scalar_read(wave, &in->src[0], &a_bits))                                                     \
            return lw_scalar_no_value(wave, &in->src[0]);                                                    \
        if (!lw_scalar_read(wave, &in->src[1], &b_bits))                                                     \
            return lw_scalar_no_value(wave, &in->src[1]);                                                    \
        const ta a = (ta)a_bits;                                                                             \
        const tb b = (tb)b_bits;                                                                             \
        wave->scc = (condition) != 0;                                                                        \
        return LW_STEP_NEXT;                                                                                 \
    }

/* New EXEC from the source a and the old EXEC e; the result is `saved`, which sees e and x (the new EXEC). */
#define LW_SAVEEXEC(name, exec, saved) LW_SAVEEXEC_OF(name, lw_wave_sgpr64, lw_wave_set_sgpr64, exec, saved)
#define LW_SAVEEXEC32(name, exec, saved) LW_SAVEEXEC_OF(name, lw_wave_sgpr32, lw_wave_set_sgpr32, exec, saved)

#define LW_SAVEEXEC_OF(name, get, set, exec, saved)                                                          \
    lw_step lw_sem_##name(lw_wave *wave, const lw_decoded *in)                                               \
    {                                                                                                        \
        uint64_t a;                                                                                          \
        if (!lw_scalar_read(wave, &in->src[0], &a))                                                          \
            return lw_scalar_no_value(wave, &in->src[0]);                                                    \
        const uint64_t e = get(wave, LW_SGPR_EXEC);                                                          \
        const uint64_t x = (exec);                                                                           \
        (void)e;                                                                                             \
        set(wave, LW_SGPR_EXEC, x);                                                                          \
        lw_scalar_write(wave, &in->dst, (saved));                                                            \
        wave->scc = x != 0;                                                                                  \
        return LW_STEP_NEXT;                                                                                 \
    }

/* k: the unextended 16-bit immediate; a: the register. `write` says whether the result is written back to
 * it. */
#define LW_SOPK(name, write, result, condition)                                                              \
    lw_step lw_sem_##name(lw_wave *wave, const lw_decoded *in)                                               \
    {                                                                                                        \
        const lw_opnd *reg = in->dst.kind != LW_OPND_NONE ? &in->dst : &in->src[0];                          \
        uint64_t bits;                                                                                       \
        if (!lw_scalar_read(wave, reg, &bits))                                                               \
            return lw_scalar_no_value(wave, reg);                                                            \
        const uint32_t a = (uint32_t)bits, k = in->imm & 0xffffu, scc = wave->scc;                           \
        const uint32_t d = (uint32_t)(result);                                                               \
        (void)a, (void)k, (void)scc, (void)d;                                                                \
        if (write)                                                                                           \
            lw_scalar_write(wave, reg, d);                                                                   \
        wave->scc = (condition) != 0;                                                                        \
        return LW_STEP_NEXT;                                                                                 \
    }

#endif

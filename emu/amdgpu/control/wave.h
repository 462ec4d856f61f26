/* SPDX-License-Identifier: MIT */
/* The state of one AMD wave, and the few accessors that every instruction handler needs. */
#ifndef LW_EMU_AMDGPU_WAVE_H
#define LW_EMU_AMDGPU_WAVE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "emu/amdgpu/decode/decoded.h"
#include "emu/device/machine.h"

enum {
    LW_LANES = 64, /* row length of the register file, also for wave32 */
};

/* MODE register fields of gfx9 (amdgpu ISA manuals, "MODE register"). */
enum {
    LW_MODE_ROUND_F32_SHIFT = 0,
    LW_MODE_ROUND_F64_SHIFT = 2, /* f16 and f64 */
    LW_MODE_DENORM_F32_SHIFT = 4,
    LW_MODE_DENORM_F64_SHIFT = 6, /* f16 and f64 */
    LW_MODE_DX10_CLAMP = 1 << 8,
    LW_MODE_IEEE = 1 << 9,
    LW_MODE_FP16_OVFL = 1 << 23,
    LW_MODE_VGPR_MSB_SHIFT = 12, /* gfx1250: two bits each for the result and sources 0 to 2 */
    LW_MODE_VGPR_MSB = 0xff << 12,
    LW_MODE_GPR_IDX_EN = 1 << 27,
    LW_MODE_VSKIP = 1 << 28,
};

/* Denormal field values: bit 0 set = sources kept, bit 1 set = results kept (0 flushes both). */
enum { LW_DENORM_IN_KEPT = 1, LW_DENORM_OUT_KEPT = 2 };

/*
 * Register files are register-major: vgpr[reg * LW_LANES + lane]. Handlers may index only registers
 * 0..vgprs-1 (agprs-1, 127). Before a handler runs, every operand of the instruction has been checked against
 * the wave's allocation, except for dynamic indexing.
 */
typedef struct lw_wave {
    lw_wave_head head;
    uint32_t *vgpr;
    uint32_t *agpr;
    uint16_t vgprs, agprs, sgprs; /* registers of each kind; vN from `accum` on is a(N - accum) */
    uint16_t accum;               /* gfx90a and later; raw code: `vgprs`, because its files are separate */
    uint8_t lanes;                /* 64, or 32 in wave32 */
    uint8_t scc;
    bool signalled;                /* it has signalled arrival at the barrier and not yet waited */
    uint16_t barrier_phase;        /* how often the barrier had opened at that time */
    uint8_t named;                 /* gfx1250: the named barrier that it has joined; 0: none */
    bool named_open, cluster_open; /* that barrier, or the cluster's, has opened since the wave last waited */
    lw_arch arch;
    uint32_t mode;
    uint32_t resolving;                           /* the bits of MODE that change the meaning of operands */
    _Alignas(8) uint32_t sgpr[LW_SGPR_FILE_SIZE]; /* by LW_SGPR_*; includes VCC, M0, EXEC and TTMP */
    uint8_t *scratch;                             /* lanes * scratch_size bytes, lane after lane */
    uint32_t scratch_size;
} lw_wave;

static inline uint64_t lw_wave_sgpr64(const lw_wave *w, unsigned reg)
{
    uint64_t v;
    memcpy(&v, &w->sgpr[reg], sizeof(v));
    return v;
}

static inline void lw_wave_set_sgpr64(lw_wave *w, unsigned reg, uint64_t v)
{
    memcpy(&w->sgpr[reg], &v, sizeof(v));
}

static inline uint64_t lw_wave_sgpr32(const lw_wave *w, unsigned reg)
{
    return w->sgpr[reg];
}

static inline void lw_wave_set_sgpr32(lw_wave *w, unsigned reg, uint64_t v)
{
    w->sgpr[reg] = (uint32_t)v;
}

/* A lane mask: one register in waves of 32 lanes, two in waves of 64. */
static inline uint64_t lw_wave_mask(const lw_wave *w, unsigned reg)
{
    const uint64_t mask = lw_wave_sgpr64(w, reg);
    return w->lanes == 32 ? (uint32_t)mask : mask;
}

static inline void lw_wave_set_mask(lw_wave *w, unsigned reg, uint64_t mask)
{
    if (w->lanes == 32)
        w->sgpr[reg] = (uint32_t)mask;
    else
        lw_wave_set_sgpr64(w, reg, mask);
}

static inline uint64_t lw_wave_exec(const lw_wave *w)
{
    return lw_wave_mask(w, LW_SGPR_EXEC);
}

static inline uint32_t *lw_wave_vgpr(lw_wave *w, unsigned reg)
{
    return w->vgpr + (size_t)reg * LW_LANES;
}

/*
 * Records why the wave cannot continue and returns LW_STEP_FAULT, which handlers return. `lane` is -1 unless
 * the reason concerns one lane. The text gives only the reason; the machine adds kernel, workgroup, wave, pc
 * and the instruction's text.
 */
lw_step lw_wave_fault(lw_wave *w, int lane, const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 3, 4)))
#endif
    ;

#endif

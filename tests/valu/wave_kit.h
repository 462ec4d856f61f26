/* SPDX-License-Identifier: MIT */
/* A hand-made wave and instruction, from which handler tests start. */
#ifndef LW_TESTS_VALU_WAVE_KIT_H
#define LW_TESTS_VALU_WAVE_KIT_H

#include <stdlib.h>
#include <string.h>

#include <lanewise/launch.h>

#include "emu/amdgpu/control/handlers.h"
#include "isa_tables/amdgpu/rows.h"

enum { KIT_REGS = 128, KIT_DEFAULT_MODE = 0xf << 4 | LW_MODE_DX10_CLAMP | LW_MODE_IEEE };

typedef struct kit {
    uint32_t vgpr[KIT_REGS][LW_LANES], agpr[KIT_REGS][LW_LANES];
    lw_wave w;
    lw_fault fault;
    uint64_t seed;
} kit;

static inline uint64_t kit_random(kit *k)
{
    k->seed ^= k->seed << 13;
    k->seed ^= k->seed >> 7;
    k->seed ^= k->seed << 17;
    return k->seed * 0x2545f4914f6cdd1du;
}

/* All lanes active, clang's MODE, registers full of random bits. */
static inline void kit_reset(kit *k, lw_arch arch)
{
    memset(&k->w, 0, sizeof(k->w));
    k->seed = k->seed ? k->seed : 0x9e3779b97f4a7c15u;
    for (unsigned r = 0; r < KIT_REGS; r++)
        for (unsigned lane = 0; lane < LW_LANES; lane++) {
            k->vgpr[r][lane] = (uint32_t)(kit_random(k) >> 32);
            k->agpr[r][lane] = (uint32_t)(kit_random(k) >> 32);
        }
    k->w.vgpr = k->vgpr[0];
    k->w.agpr = k->agpr[0];
    k->w.vgprs = k->w.agprs = KIT_REGS;
    k->w.head.fault = &k->fault;
    k->w.lanes = LW_LANES;
    k->w.arch = arch;
    k->w.mode = KIT_DEFAULT_MODE;
    lw_wave_set_sgpr64(&k->w, LW_SGPR_EXEC, ~(uint64_t)0);
}

static inline lw_opnd kit_v(unsigned reg)
{
    return (lw_opnd){ .kind = LW_OPND_VGPR, .dwords = 1, .reg = (uint16_t)reg };
}

static inline lw_opnd kit_s(unsigned reg, unsigned dwords)
{
    return (lw_opnd){ .kind = LW_OPND_SGPR, .dwords = (uint8_t)dwords, .reg = (uint16_t)reg };
}

static inline lw_opnd kit_c(uint64_t value)
{
    return (lw_opnd){ .kind = LW_OPND_INLINE, .dwords = 1, .value = value };
}

/* Bit i: source i. */
static inline void kit_signs(lw_decoded *in, unsigned neg, unsigned abs)
{
    for (unsigned i = 0; i < 3; i++) {
        in->src[i].neg = neg >> i & 1;
        in->src[i].abs = abs >> i & 1;
    }
}

/* op_sel of 16-bit operands: sources in bits 0 to 2, the result in bit 3. */
static inline void kit_halves(lw_decoded *in, unsigned op_sel)
{
    in->op_sel = (uint8_t)op_sel;
    for (unsigned i = 0; i < 3; i++)
        in->src[i].sel = op_sel >> i & 1 ? LW_SEL_WORD_1 : LW_SEL_ALL;
    in->dst.sel = op_sel >> 3 & 1 ? LW_SEL_WORD_1 : LW_SEL_ALL;
}

/* The modifiers of VOP3P: bit i of each is source i's. */
static inline void kit_pairs(lw_decoded *in, unsigned op_sel, unsigned op_sel_hi, unsigned neg_lo,
                             unsigned neg_hi)
{
    for (unsigned i = 0; i < 3; i++) {
        in->src[i].pick = (uint8_t)((op_sel >> i & 1) | (op_sel_hi >> i & 1) << 1);
        in->src[i].neg = (uint8_t)((neg_lo >> i & 1) | (neg_hi >> i & 1) << 1);
    }
}

/* The same for mixed operations: op_sel, op_sel_hi (it is an f16), neg_lo (minus), neg_hi (absolute
 * value). */
static inline void kit_mixed(lw_decoded *in, unsigned op_sel, unsigned op_sel_hi, unsigned neg, unsigned abs)
{
    kit_pairs(in, op_sel, op_sel_hi, neg, 0);
    for (unsigned i = 0; i < 3; i++) {
        in->src[i].abs = abs >> i & 1;
        in->src[i].sel = in->src[i].pick == 3 ? LW_SEL_WORD_1 : LW_SEL_ALL;
    }
}

/* A part in SDWA's encoding: bytes 0 to 3, words 4 and 5, 6 all. */
static inline uint8_t kit_sdwa(unsigned sel)
{
    return (uint8_t)(sel < 4 ? LW_SEL_BYTE_0 + sel : sel < 6 ? LW_SEL_WORD_0 + sel - 4 : LW_SEL_ALL);
}

/* v[dst] = op(v[a], v[b], v[c]) in VOP3 form. */
static inline lw_decoded kit_inst(unsigned dst, unsigned a, unsigned b, unsigned c)
{
    static const lw_op_row row = { .name = "made up" };
    lw_decoded in;
    memset(&in, 0, sizeof(in));
    in.row = &row;
    in.enc = LW_ENC_VOP3;
    in.dst = kit_v(dst);
    in.src[0] = kit_v(a);
    in.src[1] = kit_v(b);
    in.src[2] = kit_v(c);
    return in;
}

#endif

/* SPDX-License-Identifier: MIT */
/* One instruction of gfx11 or gfx12 on random registers. */
#ifndef TESTS_MACHINE_RDNA_LANES_H
#define TESTS_MACHINE_RDNA_LANES_H

#include "isa_tables/amdgpu/registers.h"
#include "machine/fixture.h"
#include "machine/float_rules.h"

enum { LANES = 32, REGS = 12, ROUNDS = 60, D = 6, IEEE = 1 << 9, DX10 = 1 << 8 };

static const uint32_t END = 0xbfb00000;
static uint64_t seed = 0x9e3779b97f4a7c15u;

typedef struct world {
    lw_wave_state wave;
    uint32_t v[REGS][64];
} world;

static world before, after;

static inline void run(lw_arch arch, uint32_t mode, uint32_t first, uint32_t second)
{
    const uint32_t code[] = { first, second, END };
    const lw_code_options o = {
        .struct_size = sizeof(o), .arch = arch, .code = code, .words = 3, .budget = 9
    };
    lw_error error;
    after = before;
    after.wave.vgpr = after.v[0], after.wave.vgprs = REGS, after.wave.mode = mode;
    ck_assert_msg(lw_code_run(&o, &after.wave, 1, NULL, &error) == LW_OK, "%08x: %s", first, error.text);
}

/* Random bits; the eight bits of MODE for rounding and subnormals. */
static inline uint32_t draw_mode(void)
{
    return (uint32_t)(next_random(&seed) >> 20 & 0xff);
}

static inline void draw_registers(bool half, bool numbers)
{
    for (unsigned r = 0; r < REGS; r++)
        for (unsigned lane = 0; lane < 64; lane++)
            before.v[r][lane] = !numbers ? (uint32_t)(next_random(&seed) >> 32)
                                : half   ? (uint32_t)(nasty(&seed, 5, 10) | nasty(&seed, 5, 10) << 16)
                                         : (uint32_t)nasty(&seed, 8, 23);
    for (unsigned lane = 0; lane < LANES && numbers; lane += 3) /* equal but for a sign or one bit */
        before.v[1][lane] = before.v[0][lane] ^ (lane % 2 ? 0x80008000 : 0x00010001);
    before.wave.sgpr[LW_SGPR_EXEC] = (uint32_t)next_random(&seed) | 1;
    before.wave.sgpr[8] = (uint32_t)next_random(&seed);
}

#endif

/* SPDX-License-Identifier: MIT */
/* Waves of gfx1250 with known registers, LDS and a buffer, for pieces of machine code. */
#ifndef TESTS_MACHINE_GFX1250_H
#define TESTS_MACHINE_GFX1250_H

#include "machine/fixture.h"

#include "isa_tables/amdgpu/registers.h"

enum { LANES = 32, REGS = 32, BYTES = 8192, LDS_BYTES = 4096, WAVES = 3 };

static const uint32_t END = 0xbfb00000;

typedef struct world {
    lw_wave_state wave[WAVES];
    size_t waves;
    uint32_t vgpr[WAVES][REGS * 64];
    uint8_t lds[LDS_BYTES];
    lw_memory *memory;
    uint64_t address;
    uint8_t *bytes;
    lw_async async;
    lw_error error;
} world;

static world w;

/* Dword i of the buffer is 1000 + i, byte i of LDS is i. */
static inline void reset(size_t waves)
{
    if (w.memory)
        lw_memory_free(w.memory);
    memset(&w, 0, sizeof(w));
    w.waves = waves;
    for (size_t i = 0; i < waves; i++) {
        w.wave[i] = (lw_wave_state){ .vgprs = REGS, .mode = 0xf0, .vgpr = w.vgpr[i] };
        w.wave[i].sgpr[LW_SGPR_EXEC] = UINT32_MAX;
        w.wave[i].sgpr[2] = (uint32_t)i;
    }
    ck_assert_int_eq(lw_memory_create(&w.memory), LW_OK);
    ck_assert_int_eq(lw_memory_allocate(w.memory, "b", BYTES, LW_ACCESS_READ_WRITE, &w.address, NULL), LW_OK);
    w.bytes = lw_memory_host(w.memory, w.address, BYTES);
    for (uint32_t i = 0; i < BYTES / 4; i++)
        memcpy(w.bytes + 4 * (size_t)i, &(uint32_t){ 1000 + i }, 4);
    for (uint32_t i = 0; i < LDS_BYTES; i++)
        w.lds[i] = (uint8_t)i;
}

static inline lw_status run_words(const uint32_t *words, size_t count)
{
    const lw_code_options o = { .struct_size = sizeof(o),
                                .arch = LW_ARCH_GFX1250,
                                .code = words,
                                .words = count,
                                .memory = w.memory,
                                .lds = w.lds,
                                .lds_size = sizeof(w.lds),
                                .async = w.async,
                                .budget = 100000 };
    return lw_code_run(&o, w.wave, w.waves, NULL, &w.error);
}

#define RUN(...)                                                                                             \
    do {                                                                                                     \
        const uint32_t words_[] = { __VA_ARGS__, END };                                                      \
        ck_assert_msg(run_words(words_, sizeof(words_) / 4) == LW_OK, "%s", w.error.text);                   \
    } while (0)
#define FAILS(status, why, ...)                                                                              \
    do {                                                                                                     \
        const uint32_t words_[] = { __VA_ARGS__, END };                                                      \
        ck_assert_int_eq(run_words(words_, sizeof(words_) / 4), status);                                     \
        ck_assert_msg(strstr(w.error.text, why) != NULL, "%s", w.error.text);                                \
    } while (0)
#define REFUSED(why, ...) FAILS(LW_E_FAULT, why, __VA_ARGS__)

static inline uint32_t *row(unsigned reg)
{
    return w.vgpr[0] + (size_t)reg * 64;
}

static inline uint32_t dword(const uint8_t *bytes, size_t index)
{
    uint32_t v;
    memcpy(&v, bytes + 4 * index, sizeof(v));
    return v;
}

#endif

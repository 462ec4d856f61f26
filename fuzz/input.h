/* SPDX-License-Identifier: MIT */
/* A fuzzer's bytes, taken one after the other; zeros once they run out. */
#ifndef LW_FUZZ_INPUT_H
#define LW_FUZZ_INPUT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct input {
    const uint8_t *data;
    size_t size;
    uint32_t state; /* of the generator that fills large buffers */
} input;

static inline uint8_t take_byte(input *in)
{
    if (!in->size)
        return 0;
    in->size--;
    return *in->data++;
}

static inline uint32_t take_word(input *in)
{
    uint32_t v = 0;
    for (int i = 0; i < 4; i++)
        v = v << 8 | take_byte(in);
    return v;
}

/* A number below `count`. */
static inline uint32_t take_below(input *in, uint32_t count)
{
    return count > 256 ? take_word(in) % count : take_byte(in) % count;
}

/* Bytes that are generated from a seed in the input. */
static inline void fill_bytes(input *in, void *to, size_t size)
{
    uint8_t *p = to;
    for (size_t i = 0; i < size; i++) {
        in->state = in->state * UINT32_C(1664525) + UINT32_C(1013904223);
        p[i] = (uint8_t)(in->state >> 24);
    }
}

/* A condition that must hold for every input; the fuzzer keeps an input that violates it. */
#define insist(condition) ((condition) ? (void)0 : insist_failed(__FILE__, __LINE__, #condition))

static inline void insist_failed(const char *file, int line, const char *condition)
{
    fprintf(stderr, "%s:%d: not so: %s\n", file, line, condition);
    abort();
}

#endif

/* SPDX-License-Identifier: MIT */
/* Gives a fuzz target inputs of a generator. Usage: fuzz_NAME_replay ROUNDS [FIRST]: inputs FIRST .. FIRST +
 * ROUNDS - 1. */
#include <stdio.h>

#include "fuzz/input.h"

enum { MOST_BYTES = 512 };

static uint64_t next(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

int main(int argc, char **argv)
{
    uint8_t bytes[MOST_BYTES];
    const unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
    const unsigned long first = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
    for (unsigned long n = first; n < first + rounds; n++) {
        uint64_t state = n;
        const size_t size = next(&state) % MOST_BYTES;
        for (size_t i = 0; i < size; i++)
            bytes[i] = (uint8_t)next(&state);
        if (getenv("LW_REPLAY_VERBOSE"))
            fprintf(stderr, "%lu\n", n);
        LLVMFuzzerTestOneInput(bytes, size);
    }
    printf("%lu inputs\n", rounds);
    return 0;
}

/* SPDX-License-Identifier: MIT */
/* Reads the rows of tests/data/amd_rdna34_dot2_wmma_hw_vectors.csv. */
#ifndef LW_TESTS_NUM_CAPTURES_H
#define LW_TESTS_NUM_CAPTURES_H

#include <check.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CAPTURES_PATH LW_SOURCE_DIR "/tests/data/amd_rdna34_dot2_wmma_hw_vectors.csv"

enum { FIELDS = 40, LINE = 512 };

typedef struct capture {
    char *field[FIELDS];
    int count;
} capture;

static inline capture split(char *line)
{
    capture r = { .count = 0 };
    line[strcspn(line, "\r\n")] = 0;
    for (char *p = line; p && r.count < FIELDS; r.count++) {
        r.field[r.count] = p;
        p = strchr(p, ',');
        if (p)
            *p++ = 0;
    }
    return r;
}

static inline uint32_t hex(const capture *r, int i)
{
    ck_assert_int_lt(i, r->count);
    return (uint32_t)strtoul(r->field[i], NULL, 16);
}

#endif

/* SPDX-License-Identifier: MIT */
/* Arbitrary bytes, with a right digest behind them, as a recording: what is read is complete and in order. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/gpu/recording.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

void *cli_alloc(size_t size)
{
    return cli_grow(NULL, size);
}

void *cli_grow(void *old, size_t size)
{
    void *memory = realloc(old, size ? size : 1);
    if (!memory)
        abort();
    return memory;
}

char *cli_copy(const char *text, size_t length)
{
    char *copy = cli_alloc(length + 1);
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

static void insist(int condition)
{
    if (!condition)
        abort();
}

/* Items cover the cases of their subject, in order, and words can be read. */
static void check(const char *file, size_t size)
{
    recording r;
    char why[RECORDING_TEXT];
    uint32_t sum = 0;
    if (recording_read(file, size, &r, why)) {
        size_t item = 0;
        for (size_t i = 0; i < r.subject_count; i++) {
            uint64_t next = 0;
            insist(r.subject[i].first_item == item);
            for (size_t n = 0; n < r.subject[i].item_count; n++, item++) {
                insist(r.item[item].first == next && r.item[item].count > 0);
                next += r.item[item].count;
                for (size_t w = 0; r.item[item].full && w < r.subject[i].words; w++)
                    sum += recording_word(&r.item[item], w);
            }
            insist(next == r.subject[i].cases);
        }
        insist(item == r.item_count);
    } else {
        insist(*why != '\0' && strlen(why) < sizeof(why));
    }
    insist(sum + 1 != 0 || size > 0);
    recording_free(&r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    char *file = malloc(size + 32);
    insist(file != NULL);
    memcpy(file, data, size);
    check(file, size);
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ data[i]) * UINT64_C(1099511628211);
    const int more = snprintf(file + size, 32, "end %016llx\n", (unsigned long long)hash);
    check(file, size + (size_t)more);
    free(file);
    return 0;
}

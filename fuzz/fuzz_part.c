/* SPDX-License-Identifier: MIT */
/* Arbitrary bytes, with a right hash behind them, as a part of a launch; what can be read is written as the
 * same bytes, and a part alone joins only if it is the only one. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/part.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void insist(int condition)
{
    if (!condition)
        abort();
}

typedef struct expected {
    const uint8_t *bytes;
    size_t size;
} expected;

static lw_status compare(void *context, const char *text, size_t size)
{
    expected *e = context;
    insist(size <= e->size && memcmp(e->bytes, text, size) == 0);
    e->bytes += size;
    e->size -= size;
    return LW_OK;
}

static void check(const uint8_t *file, size_t size)
{
    lw_launch_part *part;
    lw_error error;
    expected e = { file, size };
    if (lw_launch_part_read(file, size, &part, &error) != LW_OK)
        return;
    insist(lw_launch_part_write(part, compare, &e, &error) == LW_OK && e.size == 0);
    const lw_launch_part *const parts[] = { part, part };
    insist((lw_launch_parts_join(parts, 1, NULL, &error) == LW_OK) == (part->count == 1));
    insist(lw_launch_parts_join(parts, 2, NULL, &error) == LW_E_ARGUMENT);
    lw_launch_part_free(part);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    uint8_t *file = malloc(size + 8);
    insist(file != NULL);
    check(data, size);
    for (size_t i = 0; i < size; i++) {
        file[i] = data[i];
        hash = (hash ^ data[i]) * UINT64_C(0x100000001b3);
    }
    for (int i = 0; i < 8; i++)
        file[size + (size_t)i] = (uint8_t)(hash >> 8 * i);
    check(file, size + 8);
    free(file);
    return 0;
}

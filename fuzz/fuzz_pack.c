/* SPDX-License-Identifier: MIT */
/* Arbitrary numbers as a packing, a schedule and an encoding: those accepted must pack and unpack to the
 * same. */
#include <stdlib.h>
#include <string.h>

#include <lanewise/lanewise.h>

#include "fuzz/input.h"

enum { MOST = 1 << 16 };

static lw_status drop(void *context, const char *text, size_t size)
{
    (void)context, (void)text, (void)size;
    return LW_OK;
}

static uint64_t product(const uint64_t *shape, unsigned dims)
{
    uint64_t count = 1;
    for (unsigned d = 0; d < dims; d++)
        if (shape[d] && count > MOST / shape[d])
            return MOST + 1;
        else
            count *= shape[d];
    return count;
}

static uint64_t some(input *in)
{
    const uint8_t kind = take_byte(in);
    return kind == 255   ? UINT64_MAX - take_byte(in)
           : kind == 254 ? UINT64_C(1) << take_byte(in) % 64
                         : kind % 20;
}

static void pack(input *in)
{
    lw_pack p = { .rank = take_byte(in) % 10, .tiles = take_byte(in) % 10 };
    uint64_t shape[2 * LW_PACK_DIMS];
    for (int d = 0; d < LW_PACK_DIMS; d++) {
        p.shape[d] = some(in);
        p.pos[d] = take_byte(in) % 10;
        p.tile[d] = some(in);
        p.perm[d] = take_byte(in) % 10;
    }
    if (lw_pack_shape(&p, shape, NULL) != LW_OK)
        return;
    insist(lw_pack_print(&p, drop, NULL, NULL) == LW_OK);
    const uint64_t from = product(p.shape, p.rank), to = product(shape, p.rank + p.tiles);
    if (from > MOST || to > MOST)
        return;
    uint8_t *source = malloc(from + 1), *packed = malloc(to + 1), *back = malloc(from + 1), zero = 0;
    insist(source && packed && back);
    for (uint64_t i = 0; i < from; i++)
        source[i] = (uint8_t)(1 + i % 251);
    memset(back, 0, from + 1);
    insist(lw_pack_array(&p, source, 1, &zero, packed, NULL) == LW_OK);
    insist(lw_unpack_array(&p, packed, 1, back, NULL) == LW_OK);
    insist(memcmp(source, back, from) == 0);
    free(source);
    free(packed);
    free(back);
}

static void encode(const lw_tiling_problem *p, lw_operand operand)
{
    lw_data_tiling e;
    uint64_t shape[LW_DATA_TILING_DIMS];
    if (lw_data_tiling_derive(p, operand, &e, NULL) != LW_OK)
        return;
    for (uint32_t x = 0; x < e.dims; x++)
        shape[x] = e.dim[x].extent;
    insist(lw_data_tiling_print(&e, drop, NULL) == LW_OK);
    const uint64_t from = product(e.shape, 2), to = product(shape, e.dims);
    if (from > MOST || to > MOST)
        return;
    uint8_t *source = malloc(from), *packed = malloc(to), *back = malloc(from);
    insist(source && packed && back);
    for (uint64_t i = 0; i < from; i++)
        source[i] = (uint8_t)(1 + i % 251);
    insist(lw_data_tiling_pack(&e, source, 1, packed) == LW_OK &&
           lw_data_tiling_unpack(&e, packed, 1, back) == LW_OK);
    insist(memcmp(source, back, from) == 0);
    free(source);
    free(packed);
    free(back);
}

static uint32_t extent(input *in)
{
    const uint32_t n = (uint32_t)take_byte(in) << 8 | take_byte(in);
    return n & 0x8000 ? n << 5 : n & 0x3ff;
}

static void schedule(input *in)
{
    static const char *const types[] = { "f16", "bf16", "f32", "f64", "fp8", "bf8", "i8", "i32", "f17" },
                             *const chips[] = { NULL, NULL, "mi300x", "mi250x", "rx9070xt", "none" };
    lw_tiling_problem p = { .arch = (lw_arch)(take_byte(in) % 24) };
    lw_tiling s;
    p.m = extent(in);
    p.n = extent(in);
    p.k = extent(in);
    p.a = types[take_byte(in) % 9];
    p.b = types[take_byte(in) % 9];
    p.c = types[take_byte(in) % 9];
    p.chip = chips[take_byte(in) % 6];
    p.vector_distribute = take_byte(in) & 1;
    if (lw_tiling_derive(&p, &s, NULL) == LW_OK) {
        for (int d = 0; d < 3; d++)
            insist(s.tiles[d] && s.size[d]);
        for (int d = 0; d < 2; d++)
            s.subgroups[d] += take_byte(in) % 3 - 1u;
        s.tiles[take_byte(in) % 3] += take_byte(in) % 3 - 1u;
        const lw_status st = lw_tiling_check(&p, &s, NULL);
        insist(st == LW_OK || st == LW_E_UNSUPPORTED || st == LW_E_ARGUMENT);
    }
    encode(&p, (lw_operand)(take_byte(in) % 4));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    input in = { data, size, 0 };
    if (take_byte(&in) & 1)
        pack(&in);
    else
        schedule(&in);
    return 0;
}

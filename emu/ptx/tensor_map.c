/* SPDX-License-Identifier: MIT */
/* The 128 bytes of a tensor map, with the driver's rules for their contents (CUDA driver API,
 * "cuTensorMapEncodeTiled"); the places of fields are those that emu/ptx/tensor.c reads. */
#include <lanewise/tensor_map.h>

#include <stdbool.h>
#include <string.h>

#include "emu/ptx/tensor_im2col.h"
#include "isa_tables/error.h"

enum { TYPES = 10, PIECE = 16, MOST_BOX = 256, MOST_STEP = 8 };

/* The map's number for each type; some differ from the driver's. */
static const struct {
    uint8_t bytes, code;
} types[TYPES] = {
    [LW_TENSOR_U8] = { 1, 0 },    [LW_TENSOR_U16] = { 2, 1 }, [LW_TENSOR_U32] = { 4, 2 },
    [LW_TENSOR_I32] = { 4, 3 },   [LW_TENSOR_U64] = { 8, 4 }, [LW_TENSOR_I64] = { 8, 5 },
    [LW_TENSOR_F16] = { 2, 6 },   [LW_TENSOR_F32] = { 4, 7 }, [LW_TENSOR_F64] = { 8, 9 },
    [LW_TENSOR_BF16] = { 2, 10 },
};

size_t lw_tensor_type_size(lw_tensor_type type)
{
    return (unsigned)type < TYPES ? types[type].bytes : 0;
}

void lw_tensor_map_pack_strides(lw_tensor_map *map)
{
    uint64_t bytes = map ? lw_tensor_type_size(map->type) : 0;
    for (unsigned d = 0; map && d < map->rank && d < LW_TENSOR_DIMS; d++) {
        map->strides[d] = bytes;
        bytes *= map->dims[d];
    }
}

static uint32_t step_of(const lw_tensor_map *m, unsigned d)
{
    return m->steps[d] ? m->steps[d] : 1;
}

static lw_status check_dimension(const lw_tensor_map *m, unsigned d, lw_error *error)
{
    const uint64_t stride = m->strides[d];
    if (m->dims[d] < 1 || m->dims[d] > UINT64_C(1) << 32)
        return lw_error_fail(error, LW_E_ARGUMENT,
                             "dimension %u has %llu elements; a tensor map takes 1 to 2^32", d,
                             (unsigned long long)m->dims[d]);
    if (d && (stride % PIECE || stride >= UINT64_C(1) << 40))
        return lw_error_fail(
            error, LW_E_ARGUMENT,
            "dimension %u has a stride of %llu bytes; a tensor map takes multiples of %d below 2^40", d,
            (unsigned long long)stride, PIECE);
    if (m->box[d] < 1 || m->box[d] > MOST_BOX)
        return lw_error_fail(error, LW_E_ARGUMENT,
                             "the box has %u elements in dimension %u; it takes 1 to %d", m->box[d], d,
                             MOST_BOX);
    if (step_of(m, d) > MOST_STEP || (d == 0 && step_of(m, d) != 1))
        return lw_error_fail(error, LW_E_ARGUMENT, "a step of %u in dimension %u; it is %s", m->steps[d], d,
                             d ? "1 to 8" : "1 there");
    return LW_OK;
}

/* The map's code of a swizzle, and that of its pieces. */
typedef struct swizzle {
    uint32_t choice;
    uint8_t bytes, code, pieces;
} swizzle;

static const swizzle *swizzle_of(uint32_t choice)
{
    static const swizzle all[] = {
        { 0, 0, 0, 0 },
        { 32, 32, 1, 0 },
        { 64, 64, 2, 0 },
        { 96, 96, 4, 0 },
        { 128, 128, 3, 0 },
        { 128 | LW_TENSOR_ATOM_32, 128, 3, 1 },
        { 128 | LW_TENSOR_ATOM_32 | LW_TENSOR_FLIP_8, 128, 3, 2 },
        { 128 | LW_TENSOR_ATOM_64, 128, 3, 3 },
    };
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
        if (all[i].choice == choice)
            return &all[i];
    return NULL;
}

static lw_status check(const lw_tensor_map *m, lw_error *error)
{
    const uint64_t inner = (uint64_t)m->box[0] * lw_tensor_type_size(m->type);
    lw_status status = LW_OK;
    if (!lw_tensor_type_size(m->type))
        return lw_error_fail(error, LW_E_ARGUMENT, "there is no element type %d", (int)m->type);
    if (m->rank < 1 || m->rank > LW_TENSOR_DIMS)
        return lw_error_fail(error, LW_E_ARGUMENT, "the tensor has %u dimensions; a map takes 1 to %d",
                             m->rank, LW_TENSOR_DIMS);
    if (m->address % PIECE)
        return lw_error_fail(error, LW_E_ARGUMENT, "the tensor's address 0x%llx is not a multiple of %d",
                             (unsigned long long)m->address, PIECE);
    if (!swizzle_of(m->swizzle))
        return lw_error_fail(error, LW_E_ARGUMENT, "a swizzle of %u bytes; there are 0, 32, 64, 96 and 128",
                             m->swizzle);
    for (unsigned d = 0; d < m->rank && status == LW_OK; d++)
        status = check_dimension(m, d, error);
    if (status == LW_OK && inner % PIECE)
        return lw_error_fail(error, LW_E_ARGUMENT, "the box has rows of %llu bytes; they are multiples of %d",
                             (unsigned long long)inner, PIECE);
    const uint32_t span = swizzle_of(m->swizzle)->bytes;
    if (status == LW_OK && span && inner > span)
        return lw_error_fail(error, LW_E_ARGUMENT,
                             "the box has rows of %llu bytes; a swizzle of %u bytes takes no more than these",
                             (unsigned long long)inner, span);
    return status;
}

static void put(uint8_t *bytes, unsigned at, uint64_t value, unsigned size)
{
    for (unsigned i = 0; i < size; i++)
        bytes[at + i] |= (uint8_t)(value >> 8 * i);
}

lw_status lw_tensor_map_encode(const lw_tensor_map *map, uint8_t bytes[LW_TENSOR_MAP_BYTES], lw_error *error)
{
    if (!map || !bytes)
        return lw_error_fail(error, LW_E_ARGUMENT, "no tensor map, or no room for its bytes");
    const lw_status status = check(map, error);
    if (status != LW_OK)
        return status;
    const swizzle *s = swizzle_of(map->swizzle);
    memset(bytes, 0, LW_TENSOR_MAP_BYTES);
    put(bytes, 0x00, map->address, 8);
    put(bytes, 0x08,
        (map->rank - 1) << 4 | (uint32_t)types[map->type].code << 7 | (s->code & 3u) << 13 |
            (uint32_t)s->pieces << 19 | (uint32_t)s->code >> 2 << 22,
        4);
    for (unsigned d = 0; d < map->rank; d++) {
        put(bytes, 0x20 + 4 * d, map->dims[d] - 1, 4);
        put(bytes, 0x37 + d, map->box[d] - 1, 1);
        put(bytes, 0x34, (uint64_t)(step_of(map, d) - 1) << 3 * d, 2);
        if (d) {
            put(bytes, 0x08 + 4 * d, map->strides[d] >> 4, 4);
            put(bytes, 0x1c, map->strides[d] >> 36 << 4 * (d - 1), 2);
        }
    }
    return LW_OK;
}

/* ---- Maps of pixels ---- */

static lw_status check_corner(const lw_tensor_map *m, const lw_tensor_im2col *p, unsigned d, int32_t limit,
                              lw_error *error)
{
    if (p->lower[d] < -limit || p->lower[d] >= limit || p->upper[d] < -limit || p->upper[d] >= limit)
        return lw_error_fail(error, LW_E_ARGUMENT,
                             "the corners of dimension %u are %d and %d; with %u dimensions they are %d to "
                             "%d",
                             d + 1, (int)p->lower[d], (int)p->upper[d], m->rank, -(int)limit, (int)limit - 1);
    const bool is_size = m->dims[d + 1] <= UINT64_C(1) << 32; /* others are refused later */
    if (is_size && (int64_t)m->dims[d + 1] - 1 + p->upper[d] < p->lower[d])
        return lw_error_fail(error, LW_E_ARGUMENT,
                             "the corners %d and %d of dimension %u, which has %llu elements, leave no pixel",
                             (int)p->lower[d], (int)p->upper[d], d + 1, (unsigned long long)m->dims[d + 1]);
    return LW_OK;
}

/* `space`: the dimensions that the walk goes through. */
static lw_status check_im2col(const lw_tensor_map *m, const lw_tensor_im2col *p, unsigned space,
                              lw_error *error)
{
    static const int32_t most[] = { 1 << 15, 1 << 7, 1 << 4 };
    lw_status status = LW_OK;
    if (m->rank < 3 || m->rank > LW_TENSOR_DIMS)
        return lw_error_fail(error, LW_E_ARGUMENT,
                             "the tensor has %u dimensions; a map of pixels takes 3 to %d", m->rank,
                             LW_TENSOR_DIMS);
    if (p->channels < 1 || p->channels > LW_IM2COL_CHANNELS || p->pixels < 1 || p->pixels > LW_IM2COL_PIXELS)
        return lw_error_fail(error, LW_E_ARGUMENT,
                             "%u channels of %u pixels; a map takes 1 to %d channels of 1 to %d pixels",
                             p->channels, p->pixels, LW_IM2COL_CHANNELS, LW_IM2COL_PIXELS);
    space = space < m->rank - 2 ? space : m->rank - 2;
    for (unsigned d = 0; d < space && status == LW_OK; d++)
        status = check_corner(m, p, d, most[space - 1], error);
    if (status == LW_OK && step_of(m, m->rank - 1) != 1)
        return lw_error_fail(error, LW_E_ARGUMENT, "a step of %u from image to image; it is 1 there",
                             step_of(m, m->rank - 1));
    return status;
}

/* The map, once its numbers have been checked; `wide`: see LW_IM2COL_WIDE_AT. */
static lw_status encode_pixels(const lw_tensor_map *map, const lw_tensor_im2col *pixels, unsigned wide,
                               uint8_t *bytes, lw_error *error)
{
    lw_tensor_map m = *map;
    for (unsigned d = 0; d < LW_TENSOR_DIMS; d++)
        m.box[d] = d ? 1 : pixels->channels;
    const lw_status status = lw_tensor_map_encode(&m, bytes, error);
    if (status != LW_OK)
        return status;
    put(bytes, LW_IM2COL_MARK_AT, LW_IM2COL_MARK, 4);
    for (unsigned d = 0; d + 2 < (wide ? 3 : map->rank); d++) {
        put(bytes, LW_IM2COL_LOWER_AT + 2 * d, (uint16_t)pixels->lower[d], 2);
        put(bytes, LW_IM2COL_UPPER_AT + 2 * d, (uint16_t)pixels->upper[d], 2);
    }
    put(bytes, LW_IM2COL_CHANNELS_AT, pixels->channels, 2);
    put(bytes, LW_IM2COL_PIXELS_AT, pixels->pixels, 2);
    put(bytes, LW_IM2COL_WIDE_AT, wide, 1);
    return LW_OK;
}

static const char nothing[] = "no tensor map, or no room for its bytes";

lw_status lw_tensor_map_encode_im2col(const lw_tensor_map *map, const lw_tensor_im2col *pixels,
                                      uint8_t bytes[LW_TENSOR_MAP_BYTES], lw_error *error)
{
    if (!map || !pixels || !bytes)
        return lw_error_fail(error, LW_E_ARGUMENT, "%s", nothing);
    const lw_status status = check_im2col(map, pixels, LW_TENSOR_SPACE, error);
    return status == LW_OK ? encode_pixels(map, pixels, 0, bytes, error) : status;
}

lw_status lw_tensor_map_encode_im2col_wide(const lw_tensor_map *map, const lw_tensor_im2col *pixels,
                                           lw_tensor_wide mode, uint8_t bytes[LW_TENSOR_MAP_BYTES],
                                           lw_error *error)
{
    if (!map || !pixels || !bytes)
        return lw_error_fail(error, LW_E_ARGUMENT, "%s", nothing);
    if (mode != LW_TENSOR_WIDE_W && mode != LW_TENSOR_WIDE_W128)
        return lw_error_fail(error, LW_E_ARGUMENT, "there is no mode %d of wide im2col", (int)mode);
    const lw_status status = check_im2col(map, pixels, 1, error);
    const bool narrow = map->swizzle == 96 && mode == LW_TENSOR_WIDE_W;
    if (status == LW_OK && !narrow && map->swizzle != 64 && map->swizzle != 128 &&
        map->swizzle != (128 | LW_TENSOR_ATOM_32))
        return lw_error_fail(error, LW_E_ARGUMENT,
                             "wide im2col takes swizzles of 64 or 128 bytes, the latter in pieces of 16 or "
                             "32 bytes, and im2col::w also one of 96 bytes; no other");
    return status == LW_OK ? encode_pixels(map, pixels, 1 + (unsigned)mode, bytes, error) : status;
}

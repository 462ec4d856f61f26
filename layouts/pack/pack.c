/* SPDX-License-Identifier: MIT */
#include <stdbool.h>
#include <string.h>

#include <lanewise/pack.h>

#include "isa_tables/error.h"
#include "layouts/writer.h"

enum { MOST = 2 * LW_PACK_DIMS };
#define MOST_ELEMENTS (UINT64_C(1) << 48)

/* The packing and what is derived from it. */
typedef struct plan {
    uint64_t shape[MOST], stride[MOST]; /* of the packed array */
    unsigned dims;
    uint64_t source_stride[LW_PACK_DIMS];
    uint64_t tile[LW_PACK_DIMS];  /* of each source dimension; 1 without a tile */
    unsigned inner[LW_PACK_DIMS]; /* the packed dimension inside the tile; MOST without one */
    unsigned outer[LW_PACK_DIMS]; /* the packed dimension that counts tiles */
    uint64_t count;
    bool ragged;
} plan;

static lw_status take_tiles(const lw_pack *pack, plan *p, lw_error *error)
{
    for (uint32_t d = 0; d < pack->rank; d++) {
        p->tile[d] = 1;
        p->inner[d] = MOST;
        p->outer[d] = MOST;
    }
    for (uint32_t t = 0; t < pack->tiles; t++) {
        const uint32_t d = pack->pos[t];
        if (d >= pack->rank || p->inner[d] != MOST)
            return lw_error_fail(error, LW_E_ARGUMENT, "position %u: %s", d,
                                 d >= pack->rank ? "there is no such dimension"
                                                 : "the dimension has two tiles");
        if (pack->tile[t] == 0 || pack->tile[t] > MOST_ELEMENTS)
            return lw_error_fail(error, LW_E_ARGUMENT, "a tile of %llu elements",
                                 (unsigned long long)pack->tile[t]);
        p->tile[d] = pack->tile[t];
        p->inner[d] = pack->rank + t;
        p->shape[pack->rank + t] = pack->tile[t];
    }
    return LW_OK;
}

static lw_status make_plan(const lw_pack *pack, plan *p, lw_error *error)
{
    if (pack->rank < 1 || pack->rank > LW_PACK_DIMS || pack->tiles > pack->rank)
        return lw_error_fail(error, LW_E_ARGUMENT,
                             "%u dimensions with %u tiles: 1 to %d, and a tile for each at most", pack->rank,
                             pack->tiles, LW_PACK_DIMS);
    *p = (plan){ .dims = pack->rank + pack->tiles, .count = 1 };
    const lw_status st = take_tiles(pack, p, error);
    if (st != LW_OK)
        return st;
    for (uint32_t x = 0; x < pack->rank; x++) {
        const uint32_t d = pack->perm[x];
        if (d >= pack->rank || p->outer[d] != MOST)
            return lw_error_fail(error, LW_E_ARGUMENT,
                                 "the order of tiles is not a permutation of %u dimensions", pack->rank);
        if (pack->shape[d] > MOST_ELEMENTS)
            return lw_error_fail(error, LW_E_ARGUMENT, "more than 2^48 elements");
        p->outer[d] = x;
        p->shape[x] = pack->shape[d] / p->tile[d] + (pack->shape[d] % p->tile[d] != 0);
        p->ragged = p->ragged || pack->shape[d] % p->tile[d];
    }
    for (unsigned n = p->dims; n-- > 0;) {
        p->stride[n] = p->count;
        if (p->shape[n] && p->count > MOST_ELEMENTS / p->shape[n])
            return lw_error_fail(error, LW_E_ARGUMENT, "more than 2^48 elements");
        p->count *= p->shape[n];
    }
    uint64_t stride = 1;
    for (uint32_t d = pack->rank; d-- > 0; stride *= pack->shape[d])
        p->source_stride[d] = stride;
    return LW_OK;
}

lw_status lw_pack_shape(const lw_pack *pack, uint64_t shape[2 * LW_PACK_DIMS], lw_error *error)
{
    plan p;
    if (!pack || !shape)
        return lw_error_fail(error, LW_E_ARGUMENT, "lw_pack_shape needs a packing and a result");
    const lw_status st = make_plan(pack, &p, error);
    if (st == LW_OK)
        memcpy(shape, p.shape, p.dims * sizeof(*shape));
    return st;
}

/* The source element at packed element n; false if that is padding. */
static bool find_source(const lw_pack *pack, const plan *p, uint64_t n, uint64_t *at)
{
    uint64_t coordinate[MOST];
    *at = 0;
    for (unsigned x = 0; x < p->dims; x++)
        coordinate[x] = n / p->stride[x] % p->shape[x];
    for (uint32_t d = 0; d < pack->rank; d++) {
        const uint64_t inside = p->inner[d] < MOST ? coordinate[p->inner[d]] : 0,
                       index = coordinate[p->outer[d]] * p->tile[d] + inside;
        if (index >= pack->shape[d])
            return false;
        *at += index * p->source_stride[d];
    }
    return true;
}

lw_status lw_pack_array(const lw_pack *pack, const void *source, size_t size, const void *padding,
                        void *packed, lw_error *error)
{
    plan p;
    if (!pack || !source || !size || !packed)
        return lw_error_fail(error, LW_E_ARGUMENT, "lw_pack_array needs a packing, two arrays and a size");
    const lw_status st = make_plan(pack, &p, error);
    if (st != LW_OK)
        return st;
    if (p.ragged && !padding)
        return lw_error_fail(
            error, LW_E_UNSUPPORTED,
            "the shape is not a whole number of tiles: without a padding value only full tiles are packed");
    for (uint64_t n = 0; n < p.count; n++) {
        uint64_t at;
        const void *from = find_source(pack, &p, n, &at) ? (const char *)source + at * size : padding;
        memcpy((char *)packed + n * size, from, size);
    }
    return LW_OK;
}

lw_status lw_unpack_array(const lw_pack *pack, const void *packed, size_t size, void *source, lw_error *error)
{
    plan p;
    if (!pack || !source || !size || !packed)
        return lw_error_fail(error, LW_E_ARGUMENT, "lw_unpack_array needs a packing, two arrays and a size");
    const lw_status st = make_plan(pack, &p, error);
    for (uint64_t n = 0; st == LW_OK && n < p.count; n++) {
        uint64_t at;
        if (find_source(pack, &p, n, &at))
            memcpy((char *)source + at * size, (const char *)packed + n * size, size);
    }
    return st;
}

/* ---- In words ---- */

/* What packed dimension x of source dimension d counts. */
static void put_term(const plan *p, uint32_t d, bool inner, lw_writer *w)
{
    if (inner)
        lw_writer_put(w, "d%u%%%llu", d, (unsigned long long)p->tile[d]);
    else if (p->tile[d] > 1)
        lw_writer_put(w, "d%u/%llu", d, (unsigned long long)p->tile[d]);
    else
        lw_writer_put(w, "d%u", d);
}

static void put_offset(const lw_pack *pack, const plan *p, lw_writer *w)
{
    lw_writer_put(w, "offset = ");
    for (unsigned x = 0; x + 2 < p->dims; x++)
        lw_writer_put(w, "(");
    for (unsigned x = 0; x < p->dims; x++) {
        uint32_t d = 0;
        while (p->outer[d] != x && p->inner[d] != x)
            d++;
        if (x)
            lw_writer_put(w, "*%llu + ", (unsigned long long)p->shape[x]);
        put_term(p, d, x >= pack->rank, w);
        if (x && x + 1 < p->dims)
            lw_writer_put(w, ")");
    }
    lw_writer_put(w, "\n");
}

static void put_cute(const lw_pack *pack, const plan *p, lw_writer *w)
{
    for (int strides = 0; strides < 2; strides++) {
        lw_writer_put(w, strides ? "):(" : "(");
        for (uint32_t d = 0; d < pack->rank; d++) {
            const uint64_t *of = strides ? p->stride : p->shape;
            lw_writer_put(w, "%s", d ? "," : "");
            if (p->inner[d] < MOST)
                lw_writer_put(w, "(%llu,%llu)", (unsigned long long)of[p->inner[d]],
                              (unsigned long long)of[p->outer[d]]);
            else
                lw_writer_put(w, "%llu", (unsigned long long)of[p->outer[d]]);
        }
    }
    lw_writer_put(w, ")\n");
}

lw_status lw_pack_print(const lw_pack *pack, lw_sink sink, void *context, lw_error *error)
{
    plan p;
    lw_writer w;
    if (!pack || !sink)
        return lw_error_fail(error, LW_E_ARGUMENT, "lw_pack_print needs a packing and a sink");
    const lw_status st = make_plan(pack, &p, error);
    if (st != LW_OK)
        return st;
    lw_writer_start(&w, sink, context);
    put_offset(pack, &p, &w);
    put_cute(pack, &p, &w);
    return lw_writer_finish(&w);
}

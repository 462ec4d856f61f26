/* SPDX-License-Identifier: MIT */
/* Initial values of variables: numbers, addresses, and braces around them as in C. */
#include <inttypes.h>
#include <stdlib.h>

#include "loaders/ptx/parse.h"

enum { MOST_DATA = 1 << 28 };

typedef struct filler {
    lw_ptx_parser *p;
    lw_ptx_variable *v;
    uint64_t size[LW_PTX_MOST_DIMENSIONS + 1]; /* of the array, then the vector; 0: left open */
    unsigned count;
    uint64_t element; /* bytes */
    uint8_t *bytes;
    uint64_t room, end; /* of `bytes`; where the last value ends */
    lw_ptx_list references;
} filler;

static bool reserve(filler *f, uint64_t end)
{
    if (end > MOST_DATA)
        return lw_ptx_fail_at(f->p, &f->p->token, LW_E_UNSUPPORTED, "initial values of more than %d bytes",
                              MOST_DATA);
    if (end > f->room) {
        const uint64_t room = end < 64 ? 128 : end * 2;
        if (room > f->p->room)
            return lw_ptx_over_limit(f->p);
        uint8_t *grown = realloc(f->bytes, (size_t)room);
        if (!grown)
            return lw_ptx_no_memory(f->p);
        memset(grown + f->room, 0, (size_t)(room - f->room));
        f->bytes = grown;
        f->room = room;
    }
    f->end = end > f->end ? end : f->end;
    return true;
}

static bool put_address(filler *f, const lw_ptx_token *at, const lw_ptx_value *v, uint64_t offset)
{
    if (v->masked ? f->element != 1 : f->element != 4 && f->element != 8)
        return lw_ptx_fail_at(f->p, at, LW_E_FORMAT, "an address in an element of %" PRIu64 " bytes",
                              f->element);
    lw_ptx_reference *r = lw_ptx_push(f->p, &f->references, sizeof(*r));
    if (!r)
        return false;
    *r = (lw_ptx_reference){ .offset = offset,
                             .addend = (int64_t)v->bits,
                             .index = v->index,
                             .size = (uint8_t)f->element,
                             .shift = v->shift,
                             .is_function = v->kind == LW_PTX_VALUE_FUNCTION,
                             .generic = v->generic };
    return true;
}

/* The bits that a number becomes in an element of the variable's type. */
static bool bits_of(filler *f, const lw_ptx_token *at, const lw_ptx_value *v, uint64_t *bits)
{
    const lw_ptx_type_info *type = &lw_ptx_types[f->v->type];
    *bits = v->bits;
    if (v->kind == LW_PTX_VALUE_INT && type->kind != LW_PTX_CLASS_FLOAT)
        return true;
    const unsigned width = v->kind == LW_PTX_VALUE_F32 ? 32 : v->kind == LW_PTX_VALUE_F64 ? 64 : 0;
    if (width == type->bits && (type->kind == LW_PTX_CLASS_FLOAT || type->kind == LW_PTX_CLASS_BITS))
        return true;
    double d = (double)(int64_t)v->bits;
    float s;
    uint32_t low = (uint32_t)v->bits;
    memcpy(&s, &low, sizeof(s));
    if (v->kind == LW_PTX_VALUE_F64)
        memcpy(&d, &v->bits, sizeof(d));
    else if (v->kind == LW_PTX_VALUE_F32)
        d = (double)s;
    if (f->v->type == LW_PTX_TYPE_F64) {
        memcpy(bits, &d, sizeof(d));
    } else if (f->v->type == LW_PTX_TYPE_F32) {
        s = (float)d;
        memcpy(&low, &s, sizeof(s));
        *bits = low;
    } else {
        return lw_ptx_fail_at(f->p, at, LW_E_FORMAT, "this kind of number cannot initialise a .%s",
                              type->word);
    }
    return true;
}

static bool put_value(filler *f, uint64_t offset)
{
    const lw_ptx_token at = f->p->token;
    lw_ptx_value v = { 0 };
    uint64_t bits;
    if (!lw_ptx_expr(f->p, &v) || !reserve(f, offset + f->element))
        return false;
    if (v.kind == LW_PTX_VALUE_VARIABLE || v.kind == LW_PTX_VALUE_FUNCTION)
        return put_address(f, &at, &v, offset);
    if (!bits_of(f, &at, &v, &bits))
        return false;
    lw_put_le(f->bytes + offset, bits, f->element < 8 ? (size_t)f->element : 8);
    return true;
}

/* The size in bytes of one entry of dimension `depth`. */
static uint64_t stride_of(const filler *f, unsigned depth)
{
    uint64_t stride = f->element;
    for (unsigned i = depth + 1; i < f->count; i++)
        stride *= f->size[i];
    return stride;
}

/*
 * The values in braces of dimension `depth`, from byte `offset` on. Values without inner braces fill the
 * inner dimensions in order.
 */
static bool put_braces(filler *f, unsigned depth, uint64_t offset)
{
    const uint64_t stride = stride_of(f, depth);
    const bool open = f->size[depth] == 0;
    const uint64_t end = open ? UINT64_MAX : offset + stride * f->size[depth];
    uint64_t at = offset;
    if (!lw_ptx_enter(f->p))
        return false;
    lw_ptx_next(f->p);
    while (!lw_ptx_at_punct(f->p, '}')) {
        if (at >= end)
            return lw_ptx_fail_at(f->p, &f->p->token, LW_E_FORMAT, "more initial values than elements");
        if (lw_ptx_at_punct(f->p, '{')) {
            if (depth + 1 == f->count || !stride || (at - offset) % stride)
                return lw_ptx_expected(f->p, "a value");
            if (!put_braces(f, depth + 1, at))
                return false;
            at += stride;
        } else {
            if (!put_value(f, at))
                return false;
            at += f->element;
        }
        if (!lw_ptx_take_punct(f->p, ','))
            break;
    }
    f->p->depth--;
    if (open && stride)
        f->size[depth] = (at - offset + stride - 1) / stride;
    return lw_ptx_need_punct(f->p, '}');
}

static bool fill(filler *f)
{
    if (!lw_ptx_at_punct(f->p, '{'))
        return f->v->is_array ? lw_ptx_expected(f->p, "'{'") : put_value(f, 0);
    if (!f->count) /* braces around one value */
        f->size[f->count++] = 1;
    return put_braces(f, 0, 0);
}

static bool keep(filler *f)
{
    lw_ptx_variable *v = f->v;
    uint8_t *data = lw_ptx_alloc(f->p, f->end, 1);
    lw_ptx_reference *references = lw_ptx_alloc(f->p, f->references.count, sizeof(*references));
    if (!data || !references)
        return false;
    if (f->end)
        memcpy(data, f->bytes, (size_t)f->end);
    if (f->references.count)
        memcpy(references, f->references.items, f->references.count * sizeof(*references));
    v->data = data;
    v->data_size = f->end;
    v->references = references;
    v->reference_count = (uint32_t)f->references.count;
    if (v->unsized && f->size[0]) {
        v->unsized = false;
        v->size = stride_of(f, 0) * f->size[0];
    }
    return true;
}

bool lw_ptx_initialiser_read(lw_ptx_parser *p, lw_ptx_variable *v, lw_ptx_dimensions *dimensions)
{
    filler f = { .p = p, .v = v, .count = dimensions->count, .element = lw_ptx_types[v->type].bits / 8 };
    memcpy(f.size, dimensions->size, dimensions->count * sizeof(f.size[0]));
    if (v->vector > 1)
        f.size[f.count++] = v->vector;
    const bool good = fill(&f) && keep(&f);
    free(f.bytes);
    free(f.references.items);
    return good;
}

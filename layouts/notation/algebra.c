/* SPDX-License-Identifier: MIT */
/* CuTe's layout algebra: coalesce, composition, complement, logical divide, right inverse. CUTLASS,
 * media/docs/cpp/cute. */
#include <string.h>

#include <lanewise/convert.h>

#include "isa_tables/error.h"
#include "layouts/notation/tuple.h"
#include "layouts/writer.h"

enum { MOST_NESTED = 8 };

typedef struct layout {
    lw_tuple shape, stride; /* with the same brackets */
} layout;

static bool put_leaf(lw_reader *r, layout *l, uint64_t shape, uint64_t stride)
{
    if (l->shape.leaves == LW_TUPLE_LEAVES || l->shape.length + 2 >= sizeof(l->shape.form))
        return lw_reader_fail(r, "the result has more than %d digits", LW_TUPLE_LEAVES);
    if (shape > LW_MOST_NUMBER || stride > LW_MOST_NUMBER)
        return lw_reader_fail(r, "a number of the result is too large");
    l->shape.form[l->shape.length++] = 'n';
    l->shape.leaf[l->shape.leaves++] = (uint32_t)shape;
    l->stride.leaf[l->stride.leaves++] = (uint32_t)stride;
    return true;
}

static bool put_bracket(lw_reader *r, layout *l, char c)
{
    if (l->shape.length == sizeof(l->shape.form))
        return lw_reader_fail(r, "the result is too deep");
    l->shape.form[l->shape.length++] = c;
    return true;
}

/* All leaves as one tuple, or one number. */
static bool put_flat(lw_reader *r, layout *to, const layout *from)
{
    const bool tuple = from->shape.leaves > 1;
    if (!from->shape.leaves)
        return put_leaf(r, to, 1, 0);
    if (tuple && !put_bracket(r, to, '('))
        return false;
    for (unsigned i = 0; i < from->shape.leaves; i++)
        if (!put_leaf(r, to, from->shape.leaf[i], from->stride.leaf[i]))
            return false;
    return !tuple || put_bracket(r, to, ')');
}

/* Leaves out sizes of 1 and joins neighbours. */
static layout joined(const layout *a)
{
    layout j = { .shape = { .leaves = 0 } };
    for (unsigned i = 0; i < a->shape.leaves; i++) {
        const uint32_t size = a->shape.leaf[i], stride = a->stride.leaf[i];
        const unsigned last = j.shape.leaves - 1;
        if (size == 1)
            continue;
        if (j.shape.leaves && (uint64_t)j.shape.leaf[last] * j.stride.leaf[last] == stride) {
            j.shape.leaf[last] *= size;
            continue;
        }
        j.shape.leaf[j.shape.leaves++] = size;
        j.stride.leaf[j.stride.leaves++] = stride;
    }
    return j;
}

static uint64_t size_of(const layout *a)
{
    uint64_t n = 1;
    for (unsigned i = 0; i < a->shape.leaves && n <= LW_MOST_NUMBER; i++)
        n *= a->shape.leaf[i];
    return n;
}

/* Takes `size` of the numbers of `a` (joined), every stride-th one: what is divided off on the left
 * multiplies the strides. */
static bool pick(lw_reader *r, const layout *a, uint64_t size, uint64_t stride, layout *out)
{
    layout found = { .shape = { .leaves = 0 } };
    for (unsigned i = 0; i + 1 < a->shape.leaves && size > 1 && stride; i++) {
        const uint64_t here = a->shape.leaf[i];
        if (stride >= here) {
            if (stride % here)
                return lw_reader_fail(r,
                                      "composition: a step of %llu does not divide evenly by a size of %llu",
                                      (unsigned long long)stride, (unsigned long long)here);
            stride /= here;
            continue;
        }
        if (here % stride)
            return lw_reader_fail(r, "composition: a size of %llu does not divide evenly by a step of %llu",
                                  (unsigned long long)here, (unsigned long long)stride);
        const uint64_t left = here / stride, taken = size < left ? size : left;
        if (size % taken)
            return lw_reader_fail(r, "composition: a size of %llu does not divide evenly by %llu",
                                  (unsigned long long)size, (unsigned long long)taken);
        if (!put_leaf(r, &found, taken, stride * a->stride.leaf[i]))
            return false;
        size /= taken;
        stride = 1;
    }
    const uint64_t last = a->shape.leaves ? a->stride.leaf[a->shape.leaves - 1] : 0;
    if ((size > 1 || !found.shape.leaves) && !put_leaf(r, &found, size, size > 1 ? stride * last : 0))
        return false;
    return put_flat(r, out, &found);
}

static bool compose(lw_reader *r, const layout *a, const layout *b, layout *out)
{
    const layout flat = joined(a);
    unsigned leaf = 0;
    *out = (layout){ .shape = { .leaves = 0 } };
    for (unsigned i = 0; i < b->shape.length; i++) {
        if (b->shape.form[i] != 'n' ? !put_bracket(r, out, b->shape.form[i])
                                    : !pick(r, &flat, b->shape.leaf[leaf], b->stride.leaf[leaf], out))
            return false;
        leaf += b->shape.form[i] == 'n';
    }
    return true;
}

/* Swaps the leaf with the smallest stride from `from` on into place `from`. */
static void raise(layout *a, unsigned from)
{
    unsigned least = from;
    for (unsigned i = from + 1; i < a->shape.leaves; i++)
        if (a->stride.leaf[i] < a->stride.leaf[least])
            least = i;
    const uint32_t shape = a->shape.leaf[least], stride = a->stride.leaf[least];
    a->shape.leaf[least] = a->shape.leaf[from];
    a->stride.leaf[least] = a->stride.leaf[from];
    a->shape.leaf[from] = shape;
    a->stride.leaf[from] = stride;
}

/* `a` without digits of stride 0, which reach no further element. */
static layout reaching(const layout *a)
{
    const layout flat = joined(a);
    layout kept = { .shape = { .leaves = 0 } };
    for (unsigned i = 0; i < flat.shape.leaves; i++)
        if (flat.stride.leaf[i]) {
            kept.shape.leaf[kept.shape.leaves++] = flat.shape.leaf[i];
            kept.stride.leaf[kept.stride.leaves++] = flat.stride.leaf[i];
        }
    return kept;
}

static bool complement(lw_reader *r, const layout *a, uint64_t n, layout *out)
{
    layout rest = reaching(a), gaps = { .shape = { .leaves = 0 } };
    uint64_t reached = 1;
    for (unsigned i = 0; i < rest.shape.leaves; i++) {
        raise(&rest, i);
        const uint64_t stride = rest.stride.leaf[i];
        if (stride % reached)
            return lw_reader_fail(r, "complement: a stride of %llu does not divide evenly by %llu",
                                  (unsigned long long)stride, (unsigned long long)reached);
        if (stride < reached || !put_leaf(r, &gaps, stride / reached, reached))
            return lw_reader_fail(r, "complement: the layout reaches a number twice");
        reached = stride * rest.shape.leaf[i];
    }
    if (!put_leaf(r, &gaps, (n + reached - 1) / reached, reached))
        return false;
    const layout flat = joined(&gaps);
    *out = (layout){ .shape = { .leaves = 0 } };
    return put_flat(r, out, &flat);
}

/* A o (B, complement(B, size of A)) */
static bool divide(lw_reader *r, const layout *a, const layout *b, layout *out)
{
    layout rest, both = { .shape = { .leaves = 0 } };
    if (!complement(r, b, size_of(a), &rest) || !put_bracket(r, &both, '('))
        return false;
    for (const layout *part = b; part; part = part == b ? &rest : NULL) {
        unsigned leaf = 0;
        for (unsigned i = 0; i < part->shape.length; i++) {
            if (part->shape.form[i] != 'n'
                    ? !put_bracket(r, &both, part->shape.form[i])
                    : !put_leaf(r, &both, part->shape.leaf[leaf], part->stride.leaf[leaf]))
                return false;
            leaf += part->shape.form[i] == 'n';
        }
    }
    return put_bracket(r, &both, ')') && compose(r, a, &both, out);
}

/* Maps results of `a` back to its inputs, as far as `a` gives 0, 1, 2 .. without a gap. */
static bool inverse(lw_reader *r, const layout *a, layout *out)
{
    layout found = { .shape = { .leaves = 0 } }, flat = *a;
    uint32_t before[LW_TUPLE_LEAVES];
    uint64_t product = 1, reached = 1;
    for (unsigned i = 0; i < flat.shape.leaves; product *= flat.shape.leaf[i++])
        before[i] = (uint32_t)(product > LW_MOST_NUMBER ? LW_MOST_NUMBER : product);
    for (bool more = true; more;) {
        more = false;
        for (unsigned i = 0; i < flat.shape.leaves && !more; i++)
            if (flat.shape.leaf[i] > 1 && flat.stride.leaf[i] == reached) {
                if (!put_leaf(r, &found, flat.shape.leaf[i], before[i]))
                    return false;
                reached *= flat.shape.leaf[i];
                more = true;
            }
    }
    const layout neat = joined(&found);
    *out = (layout){ .shape = { .leaves = 0 } };
    return put_flat(r, out, &neat);
}

/* ---- Expressions ---- */

static bool read_expression(lw_reader *r, layout *out, unsigned depth);

static bool read_two(lw_reader *r, layout *a, layout *b, unsigned depth)
{
    return lw_reader_need(r, "(") && read_expression(r, a, depth + 1) && lw_reader_need(r, ",") &&
           read_expression(r, b, depth + 1) && lw_reader_need(r, ")");
}

static bool read_expression(lw_reader *r, layout *out, unsigned depth)
{
    layout a, b;
    uint32_t n;
    if (depth == MOST_NESTED)
        return lw_reader_fail(r, "the expression is too deep");
    if (lw_reader_take(r, "compose"))
        return read_two(r, &a, &b, depth) && compose(r, &a, &b, out);
    if (lw_reader_take(r, "divide"))
        return read_two(r, &a, &b, depth) && divide(r, &a, &b, out);
    if (lw_reader_take(r, "complement"))
        return lw_reader_need(r, "(") && read_expression(r, &a, depth + 1) && lw_reader_need(r, ",") &&
               lw_reader_number(r, &n) && lw_reader_need(r, ")") && complement(r, &a, n, out);
    if (lw_reader_take(r, "inverse"))
        return lw_reader_need(r, "(") && read_expression(r, &a, depth + 1) && lw_reader_need(r, ")") &&
               inverse(r, &a, out);
    if (lw_reader_take(r, "coalesce")) {
        if (!lw_reader_need(r, "(") || !read_expression(r, &a, depth + 1) || !lw_reader_need(r, ")"))
            return false;
        b = joined(&a);
        *out = (layout){ .shape = { .leaves = 0 } };
        return put_flat(r, out, &b);
    }
    return lw_tuple_read_layout(r, &out->shape, &out->stride);
}

static void put(lw_writer *w, const lw_tuple *form, const uint32_t *numbers)
{
    unsigned leaf = 0;
    for (unsigned i = 0; i < form->length; i++) {
        const bool follows = i && form->form[i] != ')' && form->form[i - 1] != '(';
        if (form->form[i] == 'n')
            lw_writer_put(w, "%s%u", follows ? "," : "", numbers[leaf++]);
        else
            lw_writer_put(w, "%s%c", follows ? "," : "", form->form[i]);
    }
}

lw_status lw_cute_evaluate(const char *text, size_t size, lw_sink sink, void *context, lw_error *error)
{
    layout result;
    lw_writer w;
    if (!text || !sink)
        return lw_error_fail(error, LW_E_ARGUMENT, "lw_cute_evaluate needs a text and a sink");
    lw_reader r = { .text = text, .size = size, .error = error };
    if (!read_expression(&r, &result, 0))
        return r.status;
    if (!lw_reader_end(&r)) {
        lw_reader_fail(&r, "the expression ends before this");
        return r.status;
    }
    lw_writer_start(&w, sink, context);
    put(&w, &result.shape, result.shape.leaf);
    lw_writer_put(&w, ":");
    put(&w, &result.shape, result.stride.leaf);
    lw_writer_put(&w, "\n");
    return lw_writer_finish(&w);
}

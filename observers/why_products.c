/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "observers/why_products.h"

/* ---- Elements ---- */

static uint64_t array_bytes(const lw_why_array *a)
{
    return a->data ? a->rows * a->columns * a->size : 0;
}

/* The array that an address is in; array_count if none. */
static size_t array_at(const lw_why_products *p, uint64_t address)
{
    size_t i = 0;
    while (i < p->array_count && address - p->arrays[i].address >= array_bytes(&p->arrays[i]))
        i++;
    return i;
}

static uint64_t bits_at(const lw_why_array *array, uint64_t at, unsigned bits)
{
    const uint8_t *data = array->data;
    uint64_t code = 0;
    for (unsigned b = 0; b < bits; b++)
        code |= (uint64_t)(data[(at + b) / 8] >> (at + b) % 8 & 1) << b;
    return code;
}

/* The element at which an edge begins. */
static lw_why_element read_element(const lw_why_products *p, const lw_why_edge *edge, unsigned bits)
{
    lw_why_element e = { .node = edge->to };
    lw_why_origin origin;
    if (!lw_why_trace(p->why, edge->to, edge->lsb, edge->bits, &origin))
        return e;
    e.node = origin.node;
    const lw_why_node *node = lw_why_node_at(p->why, origin.node);
    const size_t index = array_at(p, node->address);
    if (node->kind != LW_WHY_INPUT || !origin.copied || index == p->array_count || bits > 64)
        return e;
    const lw_why_array *array = &p->arrays[index];
    const uint64_t at = 8 * (node->address - array->address) + origin.bit,
                   row = 8 * array->columns * array->size;
    if (at % bits || row % bits || at + bits > 8 * array_bytes(array))
        return e;
    e.known = true;
    e.array = index;
    e.number = at / bits;
    e.row = at / row;
    e.column = at % row / bits;
    e.code = bits_at(array, at, bits);
    return e;
}

/* ---- Products ---- */

/* Room for element k of an operand; those before it are unknown. */
static bool reach(lw_why_product *product, lw_operand operand, uint32_t k)
{
    const uint32_t old = product->count[operand];
    if (k < old)
        return true;
    lw_why_element *more = realloc(product->element[operand], ((size_t)k + 1) * sizeof(*more));
    if (!more)
        return false;
    memset(more + old, 0, (k + 1 - old) * sizeof(*more));
    product->element[operand] = more;
    product->count[operand] = k + 1;
    return true;
}

static bool fill_product(const lw_why_products *p, uint32_t number, lw_why_product *product)
{
    const lw_why_node *node = lw_why_node_at(p->why, number);
    const lw_why_edge *edge;
    product->node = number;
    for (size_t i = 0; (edge = lw_why_edge_at(p->why, number, i)) != NULL; i++) {
        const lw_operand op = edge->operand;
        lw_operand_info info;
        if (op == LW_OPERAND_COUNT || op == LW_OPERAND_C || edge->at)
            continue;
        if (!product->bits[op] &&
            lw_insn_operand(p->why->arch, node->insn, op, node->mods, &info, NULL) == LW_OK)
            product->bits[op] = info.element_bits;
        if (!product->bits[op])
            continue;
        const uint32_t k = op == LW_OPERAND_B ? edge->x : edge->y;
        if (!reach(product, op, k))
            return false;
        product->element[op][k] = read_element(p, edge, product->bits[op]);
    }
    return true;
}

static lw_status check_arrays(const lw_why *why, const lw_why_array *arrays, size_t count)
{
    if (!why || (!arrays && count))
        return LW_E_ARGUMENT;
    for (size_t i = 0; i < count; i++) {
        const lw_why_array *a = &arrays[i];
        if (a->data && (!a->name || (a->size != 1 && a->size != 2 && a->size != 4 && a->size != 8)))
            return LW_E_ARGUMENT;
    }
    return LW_OK;
}

/* The products at those nodes, in that order. Frees `nodes`, which may be NULL. */
static lw_status make(const lw_why *why, const lw_why_array *arrays, size_t array_count, uint32_t *nodes,
                      size_t count, lw_why_products **products)
{
    lw_why_products *p = nodes ? calloc(1, sizeof(*p)) : NULL;
    bool good = p != NULL;
    if (good) {
        *p = (lw_why_products){ .why = why, .arrays = arrays, .array_count = array_count, .count = count };
        p->product = calloc(count + 1, sizeof(*p->product));
        good = p->product != NULL;
    }
    for (size_t i = 0; good && i < count; i++)
        good = fill_product(p, nodes[i], &p->product[i]);
    free(nodes);
    if (good)
        *products = p;
    else
        lw_why_products_free(p);
    return good ? LW_OK : LW_E_NO_MEMORY;
}

/* ---- Which instructions ---- */

/* Marks the nodes that reach node 0 as a term of a sum. Nodes are numbered backwards in time: edges lead to
 * higher numbers. Returns the number of matrix instructions among them. */
static size_t mark_terms(const lw_why *why, bool *term)
{
    size_t found = 0;
    term[0] = true;
    for (uint32_t n = 0; n < why->node_count; n++) {
        const bool matrix = why->nodes[n].kind == LW_WHY_MATRIX;
        const lw_why_edge *edge;
        for (size_t i = 0; term[n] && (edge = lw_why_edge_at(why, n, i)) != NULL; i++)
            term[edge->to] = term[edge->to] || !matrix || edge->operand == LW_OPERAND_C;
        found += term[n] && matrix;
    }
    return found;
}

lw_status lw_why_find_products(const lw_why *why, const lw_why_array *arrays, size_t count,
                               lw_why_products **products)
{
    const lw_status status = products ? check_arrays(why, arrays, count) : LW_E_ARGUMENT;
    if (status != LW_OK)
        return status;
    bool *term = calloc(why->node_count + 1, sizeof(*term));
    const size_t found = term ? mark_terms(why, term) : 0;
    uint32_t *nodes = term ? malloc((found + 1) * sizeof(*nodes)) : NULL;
    size_t at = found;
    for (uint32_t n = 0; nodes && n < why->node_count; n++)
        if (term[n] && why->nodes[n].kind == LW_WHY_MATRIX)
            nodes[--at] = n;
    free(term);
    return make(why, arrays, count, nodes, found, products);
}

/* The instruction whose D, perhaps copied, is C of this one. 0: none. */
static uint32_t before(const lw_why *why, uint32_t number)
{
    const lw_why_edge *edge;
    for (size_t i = 0; (edge = lw_why_edge_at(why, number, i)) != NULL; i++) {
        lw_why_origin origin;
        if (edge->operand == LW_OPERAND_C && lw_why_trace(why, edge->to, edge->lsb, edge->bits, &origin) &&
            why->nodes[origin.node].kind == LW_WHY_MATRIX)
            return origin.node;
    }
    return 0;
}

lw_status lw_why_find_chain(const lw_why *why, uint32_t last, const lw_why_array *arrays, size_t count,
                            lw_why_products **products)
{
    const lw_status status = products ? check_arrays(why, arrays, count) : LW_E_ARGUMENT;
    if (status != LW_OK || last >= why->node_count || why->nodes[last].kind != LW_WHY_MATRIX)
        return LW_E_ARGUMENT;
    size_t found = 0;
    for (uint32_t n = last; n; n = before(why, n))
        found++;
    uint32_t *nodes = malloc((found + 1) * sizeof(*nodes));
    size_t at = found;
    for (uint32_t n = last; nodes && n; n = before(why, n))
        nodes[--at] = n;
    return make(why, arrays, count, nodes, found, products);
}

void lw_why_products_free(lw_why_products *products)
{
    if (!products)
        return;
    for (size_t i = 0; products->product && i < products->count; i++)
        for (int op = 0; op < LW_OPERAND_COUNT; op++)
            free(products->product[i].element[op]);
    free(products->product);
    free(products);
}

size_t lw_why_products_count(const lw_why_products *products)
{
    return products ? products->count : 0;
}

const lw_why_product *lw_why_products_at(const lw_why_products *products, size_t index)
{
    return products && index < products->count ? &products->product[index] : NULL;
}

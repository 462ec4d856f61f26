/* SPDX-License-Identifier: MIT */
/* The grammar of Triton's layout attributes: #ttg.NAME<{parameter = value, ..}>, preceded by aliases. */
#include <ctype.h>
#include <string.h>

#include "layouts/notation/linear.h"

enum { MOST_ATTRIBUTES = 24, MOST_NAME = 32, MOST_FIELDS = 8 };

/* The attributes read, including named ones. Parents point into this array. */
typedef struct file {
    lw_ttg attribute[MOST_ATTRIBUTES];
    char name[MOST_ATTRIBUTES][MOST_NAME]; /* "" if unnamed */
    unsigned count;
} file;

typedef enum value { NUMBER, FLAG, LIST, PARENT, TILES, CGA } value;

typedef struct field {
    const char *name;
    value value;
    size_t offset; /* in lw_ttg */
    bool optional;
} field;

#define AT(member_) offsetof(lw_ttg, member_)
static const struct {
    const char *name;
    lw_ttg_kind kind;
    field field[MOST_FIELDS];
} grammar[] = {
    { "blocked",
      LW_TTG_BLOCKED,
      { { "sizePerThread", LIST, AT(size), false },
        { "threadsPerWarp", LIST, AT(threads), false },
        { "warpsPerCTA", LIST, AT(warps), false },
        { "order", LIST, AT(order), false },
        { "CGALayout", CGA, 0, true } } },
    { "slice", LW_TTG_SLICE, { { "dim", NUMBER, AT(dim), false }, { "parent", PARENT, AT(parent), false } } },
    { "dot_op",
      LW_TTG_DOT_OP,
      { { "opIdx", NUMBER, AT(operand), false },
        { "parent", PARENT, AT(parent), false },
        { "kWidth", NUMBER, AT(k_width), true } } },
    { "nvidia_mma",
      LW_TTG_NVIDIA_MMA,
      { { "versionMajor", NUMBER, AT(version), false },
        { "versionMinor", NUMBER, AT(minor), false },
        { "warpsPerCTA", LIST, AT(warps), false },
        { "instrShape", LIST, AT(instruction), false },
        { "CGALayout", CGA, 0, true } } },
    { "amd_mfma",
      LW_TTG_AMD_MFMA,
      { { "version", NUMBER, AT(version), false },
        { "warpsPerCTA", LIST, AT(warps), false },
        { "instrShape", LIST, AT(instruction), false },
        { "isTransposed", FLAG, AT(transposed), false },
        { "tilesPerWarp", LIST, AT(tiles), true },
        { "elementBitWidth", NUMBER, AT(element_bits), true },
        { "CGALayout", CGA, 0, true } } },
    { "amd_wmma",
      LW_TTG_AMD_WMMA,
      { { "version", NUMBER, AT(version), false },
        { "isTranspose", FLAG, AT(transposed), false },
        { "ctaLayout", TILES, AT(linear), false },
        { "instrShape", LIST, AT(instruction), true },
        { "CGALayout", CGA, 0, true } } },
};
#undef AT
enum { KINDS = sizeof(grammar) / sizeof(grammar[0]) };

static bool read_any(lw_reader *r, file *f, unsigned depth, const lw_ttg **made);

/* {register = [[..]], warp = [[..]]}, with one or both of them. */
static bool read_tiles(lw_reader *r, lw_linear *l)
{
    l->axes = 2;
    if (!lw_reader_need(r, "{"))
        return false;
    do {
        const unsigned input = lw_reader_take(r, "register") ? LW_LINEAR_REGISTER
                               : lw_reader_take(r, "warp")   ? LW_LINEAR_WARP
                                                             : LW_LINEAR_INPUTS;
        if (input == LW_LINEAR_INPUTS || l->bits[input])
            return lw_reader_fail(r, "register or warp is expected here, each once");
        if (!lw_reader_need(r, "=") || !lw_linear_read_vectors(r, l, input))
            return false;
    } while (lw_reader_take(r, ","));
    return lw_reader_need(r, "}");
}

/* Clusters of workgroups are not supported; without one the list is empty or all zero. */
static bool read_cga(lw_reader *r)
{
    uint32_t n[LW_TV_MOST_AXES];
    unsigned count;
    if (!lw_reader_need(r, "["))
        return false;
    if (lw_reader_take(r, "]"))
        return true;
    do {
        const size_t at = r->at;
        if (!lw_reader_list(r, "[", "]", n, LW_TV_MOST_AXES, &count))
            return false;
        r->at = count && (n[0] || (count > 1 && n[1])) ? at : r->at;
        if (r->at == at)
            return lw_reader_fail(r, "a CGALayout of several workgroups is not read");
    } while (lw_reader_take(r, ","));
    return lw_reader_need(r, "]");
}

static bool read_flag(lw_reader *r, uint32_t *flag)
{
    *flag = lw_reader_take(r, "true");
    return *flag || lw_reader_take(r, "false") || lw_reader_fail(r, "true or false is expected here");
}

static bool read_value(lw_reader *r, file *f, unsigned depth, const field *what, lw_ttg *a)
{
    void *into = (char *)a + what->offset;
    lw_ttg_list *list = into;
    switch (what->value) {
    case NUMBER:
        return lw_reader_number(r, into);
    case FLAG:
        return read_flag(r, into);
    case LIST:
        return lw_reader_list(r, "[", "]", list->n, LW_TV_MOST_AXES, &list->count);
    case PARENT:
        return read_any(r, f, depth + 1, into);
    case TILES:
        return read_tiles(r, into);
    case CGA:
        return read_cga(r);
    }
    return false;
}

/* Parameters up to "}>", each once, in any order. */
static bool read_fields(lw_reader *r, file *f, unsigned depth, const field *fields, lw_ttg *a)
{
    unsigned seen = 0;
    do {
        unsigned n = 0;
        while (n < MOST_FIELDS && fields[n].name && !lw_reader_take(r, fields[n].name))
            n++;
        if (n == MOST_FIELDS || !fields[n].name)
            return lw_reader_fail(r, "this attribute has no such parameter");
        if (seen >> n & 1)
            return lw_reader_fail(r, "%s is said twice", fields[n].name);
        seen |= 1u << n;
        if (!lw_reader_need(r, "=") || !read_value(r, f, depth, &fields[n], a))
            return false;
        a->has_k_width = a->has_k_width || strcmp(fields[n].name, "kWidth") == 0;
    } while (lw_reader_take(r, ","));
    for (unsigned n = 0; n < MOST_FIELDS && fields[n].name; n++)
        if (!(seen >> n & 1) && !fields[n].optional)
            return lw_reader_fail(r, "%s is missing before this", fields[n].name);
    return lw_reader_need(r, "}") && lw_reader_need(r, ">");
}

/* How many coordinates the next vector has; 0 if there is none. */
static unsigned count_axes(const lw_reader *r)
{
    uint32_t n[LW_TV_MOST_AXES];
    unsigned count = 0;
    lw_error unused = { "" };
    lw_reader ahead = *r;
    ahead.error = &unused;
    while (ahead.at < ahead.size && r->text[ahead.at] != '>') {
        if (r->text[ahead.at] == '[') {
            lw_reader inner = ahead;
            if (lw_reader_list(&inner, "[", "]", n, LW_TV_MOST_AXES, &count) && count)
                return count;
        }
        ahead.at++;
    }
    return 0;
}

static bool read_linear(lw_reader *r, lw_ttg *a)
{
    a->kind = LW_TTG_LINEAR;
    a->linear.axes = count_axes(r);
    a->linear.axes = a->linear.axes ? a->linear.axes : 1;
    return lw_reader_need(r, "<") && lw_reader_need(r, "{") &&
           lw_linear_read_inputs(r, &a->linear, lw_linear_names) && lw_reader_need(r, "}") &&
           lw_reader_need(r, ">");
}

/* The attribute after "#ttg.". */
static bool read_attribute(lw_reader *r, file *f, unsigned depth, size_t at, const lw_ttg **made)
{
    enum { MOST_DEPTH = 4 };
    if (f->count == MOST_ATTRIBUTES || depth > MOST_DEPTH)
        return lw_reader_fail(r, "more than %d attributes, or more than %d inside each other",
                              MOST_ATTRIBUTES, MOST_DEPTH);
    lw_ttg *a = &f->attribute[f->count++];
    *made = a;
    a->at = at;
    if (lw_reader_take(r, "linear") || lw_reader_take(r, "generic_linear"))
        return read_linear(r, a);
    for (unsigned k = 0; k < KINDS; k++)
        if (lw_reader_take(r, grammar[k].name)) {
            a->kind = grammar[k].kind;
            return lw_reader_need(r, "<") && lw_reader_need(r, "{") &&
                   read_fields(r, f, depth, grammar[k].field, a);
        }
    return lw_reader_fail(r,
                          "blocked, slice, dot_op, nvidia_mma, amd_mfma, amd_wmma, linear or generic_linear "
                          "is expected here; layouts of shared memory are tiles");
}

/* "#name"; false if the text continues differently. */
static bool take_name(lw_reader *r, char name[MOST_NAME])
{
    lw_reader_skip(r);
    size_t length = 1;
    while (r->at + length < r->size &&
           (isalnum((unsigned char)r->text[r->at + length]) || r->text[r->at + length] == '_'))
        length++;
    if (r->at >= r->size || r->text[r->at] != '#' || length < 2 || length > MOST_NAME ||
        (r->at + length < r->size && r->text[r->at + length] == '.'))
        return false;
    memcpy(name, r->text + r->at + 1, length - 1);
    name[length - 1] = '\0';
    r->at += length;
    return true;
}

/* The most recent attribute of that name. */
static bool find_name(lw_reader *r, const file *f, const char *name, const lw_ttg **made)
{
    for (unsigned i = f->count; i-- > 0;)
        if (strcmp(f->name[i], name) == 0) {
            *made = &f->attribute[i];
            return true;
        }
    return lw_reader_fail(r, "#%s before this is not defined", name);
}

/* An attribute or the name of an earlier one. */
static bool read_any(lw_reader *r, file *f, unsigned depth, const lw_ttg **made)
{
    char name[MOST_NAME];
    lw_reader_skip(r);
    const size_t at = r->at;
    if (lw_reader_take(r, "#ttg.") || lw_reader_take(r, "#triton_gpu."))
        return read_attribute(r, f, depth, at, made);
    if (take_name(r, name))
        return find_name(r, f, name, made);
    return lw_reader_fail(r, "an attribute is expected here, as #ttg.blocked<{..}>");
}

bool lw_linear_read_attribute(lw_reader *r, lw_linear *l, const uint32_t *shape, bool as_said)
{
    char name[MOST_NAME];
    file f;
    const lw_ttg *last = NULL;
    memset(&f, 0, sizeof(f));
    do {
        lw_reader ahead = *r;
        const bool alias = take_name(&ahead, name) && lw_reader_take(&ahead, "=");
        if (alias)
            r->at = ahead.at;
        if (!read_any(r, &f, 0, &last))
            return false;
        if (!alias)
            break;
        memcpy(f.name[last - f.attribute], name, sizeof(name));
    } while (!lw_reader_end(r));
    if (!lw_reader_end(r))
        return lw_reader_fail(r, "the layout ends before this");
    if (!as_said || last->kind != LW_TTG_LINEAR || last->linear.axes != l->axes)
        return lw_linear_from_attribute(r, last, shape, l);
    *l = last->linear;
    return true;
}

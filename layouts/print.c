/* SPDX-License-Identifier: MIT */
/* Layouts as text and data: listing, CSV, JSON; pictures are in grid.c and svg.c. */
#include <stdlib.h>
#include <string.h>

#include "isa_tables/error.h"
#include "isa_tables/options.h"
#include "layouts/notation/tv.h"
#include "layouts/picture.h"
#include "layouts/query.h"
#include "layouts/relation_print.h"
#include "layouts/writer.h"

static const char *const format_names[] = {
    [LW_LAYOUT_LISTING] = "listing", [LW_LAYOUT_CSV] = "csv",
    [LW_LAYOUT_JSON] = "json",       [LW_LAYOUT_GRID] = "grid",
    [LW_LAYOUT_SVG] = "svg",         [LW_LAYOUT_TABLE] = "table",
    [LW_LAYOUT_FORMULA] = "formula", [LW_LAYOUT_CUTE] = "cute",
    [LW_LAYOUT_TRITON] = "triton",   [LW_LAYOUT_GLUON] = "gluon",
    [LW_LAYOUT_IREE] = "iree",       [LW_LAYOUT_TIRX] = "tirx",
    [LW_LAYOUT_CK] = "ck",           [LW_LAYOUT_CALCULATOR] = "calculator",
    [LW_LAYOUT_LATEX] = "latex",
};

/* Formats that are written from the whole operand. */
static lw_notation_writer *const writers[] = {
    [LW_LAYOUT_TABLE] = lw_write_table,
    [LW_LAYOUT_FORMULA] = lw_write_formula,
    [LW_LAYOUT_CUTE] = lw_write_cute,
    [LW_LAYOUT_TRITON] = lw_write_triton,
    [LW_LAYOUT_GLUON] = lw_write_gluon,
    [LW_LAYOUT_IREE] = lw_write_iree,
    [LW_LAYOUT_TIRX] = lw_write_tirx,
    [LW_LAYOUT_CK] = lw_write_ck,
    [LW_LAYOUT_CALCULATOR] = lw_write_calculator,
    [LW_LAYOUT_LATEX] = lw_write_latex,
};

enum { FORMATS = sizeof(format_names) / sizeof(format_names[0]), DEFAULT_COLUMNS = 100, MIN_COLUMNS = 40 };

lw_status lw_layout_format_find(const char *name, lw_layout_format *format)
{
    if (!name || !format)
        return LW_E_ARGUMENT;
    for (int i = 0; i < FORMATS; i++)
        if (strcmp(name, format_names[i]) == 0) {
            *format = (lw_layout_format)i;
            return LW_OK;
        }
    return LW_E_NOT_FOUND;
}

void lw_layout_print_options_init(lw_layout_print_options *options, size_t size)
{
    const lw_layout_print_options made = {
        .columns = DEFAULT_COLUMNS, .lane = -1, .reg = -1, .block = -1, .x = -1, .y = -1
    };
    lw_options_init(options, size, &made, sizeof(made));
}

typedef struct entry_list {
    const lw_layout_entry *all;
    size_t count;
    const lw_layout_print_options *want;
} entry_list;

static void put_rows(lw_writer *w, const entry_list *list, const char *row_format)
{
    for (size_t i = 0; i < list->count && w->status == LW_OK; i++) {
        const lw_layout_entry *e = &list->all[i];
        if (!lw_entry_matches(e, list->want))
            continue;
        const char *p = row_format;
        const unsigned values[] = { e->lane, e->reg, e->lsb, e->msb, e->block, e->x, e->y };
        for (size_t v = 0; v < sizeof(values) / sizeof(values[0]); v++)
            lw_writer_put(w, "%s%u", v ? p : "", values[v]);
        lw_writer_put(w, "\n");
    }
}

static void put_json_info(lw_writer *w, const lw_layout *layout, const lw_layout_info *info)
{
    lw_writer_put(w, "{\n  \"instruction\": \"%s\",\n  \"arch\": \"%s\",\n  \"operand\": \"%s\",\n",
                  info->mnemonic, lw_arch_get(layout->arch)->name, lw_operand_name(info->operand));
    lw_writer_put(w, "  \"format\": \"%s\",\n  \"width\": %u,\n  \"wave\": %u,\n  \"%s\": %u,\n",
                  info->format, info->width, info->wave, info->columns ? "columns" : "registers",
                  layout->registers);
    lw_writer_put(w, "  \"blocks\": %u,\n  \"x\": { \"name\": \"%s\", \"count\": %u },\n", info->blocks,
                  info->x_name, info->x_count);
    lw_writer_put(w, "  \"y\": { \"name\": \"%s\", \"count\": %u },\n", info->y_name, info->y_count);
    lw_writer_put(w, "  \"evidence\": \"%s\",\n  \"note\": \"%s\",\n", lw_label_name(info->evidence),
                  info->note);
    if (info->open)
        lw_writer_put(w, "  \"open\": \"%s\",\n", info->open);
    else
        lw_writer_put(w, "  \"open\": null,\n");
}

static void put_json(lw_writer *w, const lw_layout *layout, const lw_layout_info *info,
                     const entry_list *list)
{
    put_json_info(w, layout, info);
    lw_relation_put_json(w, &layout->relation);
    lw_writer_put(w, "  \"entries\": [");
    const char *sep = "\n";
    for (size_t i = 0; i < list->count && w->status == LW_OK; i++) {
        const lw_layout_entry *e = &list->all[i];
        if (!lw_entry_matches(e, list->want))
            continue;
        lw_writer_put(
            w,
            "%s    { \"lane\": %u, \"reg\": %u, \"lsb\": %u, \"msb\": %u, \"block\": %u, \"x\": %u, "
            "\"y\": %u",
            sep, e->lane, e->reg, e->lsb, e->msb, e->block, e->x, e->y);
        unsigned stored = 0;
        if (layout->index && lw_layout_stored_k(layout, e, &stored) == LW_OK)
            lw_writer_put(w, ", \"stored_k\": %u", stored);
        lw_writer_put(w, " }");
        sep = ",\n";
    }
    lw_writer_put(w, "\n  ]\n}\n");
}

static lw_status print_list(const lw_layout *layout, const lw_layout_info *info, lw_layout_format format,
                            const lw_layout_print_options *options, lw_writer *w)
{
    lw_layout_entry *all;
    size_t count;
    const lw_status st = lw_layout_sorted(layout, &all, &count);
    if (st != LW_OK)
        return st;
    const entry_list list = { all, count, options };
    if (format == LW_LAYOUT_CSV)
        lw_writer_put(w, "lane,reg,lsb,msb,block,x,y\n");
    if (format == LW_LAYOUT_JSON)
        put_json(w, layout, info, &list);
    else
        put_rows(w, &list, format == LW_LAYOUT_CSV ? "," : " ");
    free(all);
    return lw_writer_finish(w);
}

static lw_status print_picture(const lw_layout *layout, lw_layout_format format,
                               const lw_layout_print_options *options, lw_writer *w)
{
    lw_picture picture;
    const lw_status st = lw_picture_make(&picture, layout, options);
    if (st != LW_OK)
        return st;
    if (format == LW_LAYOUT_SVG)
        lw_picture_svg(&picture, w);
    else
        lw_picture_grid(&picture, options, w);
    lw_picture_free(&picture);
    return lw_writer_finish(w);
}

/* A filter that cannot match anything is the caller's mistake. */
static lw_status check_filter(const lw_layout *layout, const lw_layout_info *info,
                              const lw_layout_print_options *want, lw_error *error)
{
    const bool column = info->columns != 0;
    const struct {
        const char *name;
        int value, count;
    } limits[] = {
        { "lane", want->lane, info->wave },
        { column ? "column" : "register", want->reg, layout->registers },
        { "block", want->block, info->blocks },
        { info->x_name, want->x, info->x_count },
        { info->y_name, want->y, info->y_count },
    };
    const bool dense = lw_layout_is_stored(layout) && !layout->index && want->y < 2 * info->y_count;
    for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++)
        if (limits[i].value >= limits[i].count)
            return lw_error_fail(error, LW_E_ARGUMENT, "operand %s of %s has %s 0 to %d, not %d%s",
                                 lw_operand_name(info->operand), info->mnemonic, limits[i].name,
                                 limits[i].count - 1, limits[i].value,
                                 limits[i].name == info->y_name && dense
                                     ? "; k of the dense matrix is known with index data only"
                                     : "");
    return LW_OK;
}

static lw_status print_notation(const lw_layout *layout, lw_layout_format format,
                                const lw_layout_print_options *o, lw_writer *w, lw_error *error)
{
    if (o->lane >= 0 || o->reg >= 0 || o->block >= 0 || o->x >= 0 || o->y >= 0)
        return lw_error_fail(error, LW_E_ARGUMENT,
                             "%s shows the whole operand: it takes no lane, register, block or element",
                             format_names[format]);
    if (layout->index && format != LW_LAYOUT_CALCULATOR && format != LW_LAYOUT_TABLE &&
        format != LW_LAYOUT_LATEX)
        return lw_error_fail(error, LW_E_UNSUPPORTED,
                             "%s: with index data, k is not a function of lane and value alone",
                             format_names[format]);
    const lw_status st = writers[format](layout, w, error);
    return st == LW_OK ? lw_writer_finish(w) : st;
}

lw_status lw_layout_print(const lw_layout *layout, lw_layout_format format,
                          const lw_layout_print_options *options, lw_sink sink, void *context,
                          lw_error *error)
{
    if (!layout || !sink || (unsigned)format >= FORMATS)
        return lw_error_fail(error, LW_E_ARGUMENT, "lw_layout_print needs a layout, a format and a sink");
    lw_layout_print_options o = lw_layout_print_options_default();
    if (options && !lw_options_take(&o, options, sizeof(o), sizeof(o)))
        return lw_error_fail(error, LW_E_ARGUMENT, "print options: a struct_size of %zu is of no version",
                             options->struct_size);
    if (o.columns == 0)
        o.columns = DEFAULT_COLUMNS;
    if (o.columns < MIN_COLUMNS)
        o.columns = MIN_COLUMNS;

    lw_layout_info info;
    lw_status st = lw_layout_get_info(layout, &info);
    if (st != LW_OK || (st = check_filter(layout, &info, &o, error)) != LW_OK)
        return st;

    lw_writer w;
    lw_writer_start(&w, sink, context);
    if (writers[format])
        return print_notation(layout, format, &o, &w, error);
    if (format == LW_LAYOUT_GRID || format == LW_LAYOUT_SVG)
        st = print_picture(layout, format, &o, &w);
    else
        st = print_list(layout, &info, format, &o, &w);
    if (st == LW_E_NO_MEMORY)
        return lw_error_fail(error, st, "no memory to print a layout");
    return st;
}

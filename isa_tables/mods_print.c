/* SPDX-License-Identifier: MIT */
/* Modifiers as text. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "isa_tables/error.h"
#include "isa_tables/matrix.h"
#include "isa_tables/ptx/row.h"
#include "isa_tables/readings.h"

typedef struct writer {
    char *text;
    size_t size, length;
} writer;

__attribute__((format(printf, 2, 3))) static void put(writer *w, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const size_t room = w->length < w->size ? w->size - w->length : 0;
    const int n = vsnprintf(room ? w->text + w->length : NULL, room, format, args);
    va_end(args);
    w->length += n > 0 ? (size_t)n : 0;
}

static void put_bits(writer *w, unsigned bits, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        put(w, "%c%u", i ? ',' : '[', bits >> i & 1);
    put(w, "]");
}

static void put_field(writer *w, const lw_mod_row *row, const lw_mod_field *f, unsigned value)
{
    put(w, "%s%s", w->length ? " " : "", f->name);
    if (f->kind == LW_MOD_FIELD_FLAG)
        return;
    put(w, ":");
    if (f->kind == LW_MOD_FIELD_BITS)
        put_bits(w, value ^ lw_mod_field_rest(row, f), f->max);
    else if (f->kind == LW_MOD_FIELD_NAME && value <= f->max)
        put(w, "%s%s", f->prefix, f->names[value]);
    else
        put(w, "%u", value);
}

/* The field whose name, as rows spell it, is at `text`. */
static const lw_mod_field *named_field(const char *text, size_t length)
{
    for (size_t i = 0; i < lw_mod_field_count; i++)
        if (strlen(lw_mod_fields[i].name) == length && memcmp(lw_mod_fields[i].name, text, length) == 0)
            return &lw_mod_fields[i];
    return NULL;
}

static void put_ptx(writer *w, const lw_insn *insn, const lw_mods *mods)
{
    const char *name, *value;
    for (size_t i = 0; insn->ptx && (name = lw_ptx_number_at(i, insn, &mods->ptx, &value)) != NULL; i++)
        if (value)
            put(w, "%s%s:%s", w->length ? " " : "", name, value);
}

static void put_mods(writer *w, lw_arch arch, const lw_insn *insn, const lw_mods *mods)
{
    const lw_mod_row *row = lw_insn_mod_row(arch, insn);
    for (const char *at = row->names; *at;) {
        const size_t word = strcspn(at, " ");
        const lw_mod_field *f = named_field(at, word);
        const unsigned value = f ? ((const uint8_t *)mods)[f->offset] : 0;
        if (value)
            put_field(w, row, f, value);
        at += word;
        at += strspn(at, " ");
    }
    put_ptx(w, insn, mods);
    if (mods->wave)
        put(w, "%swave:%u", w->length ? " " : "", mods->wave);
    const lw_reading *r;
    for (size_t i = 0; (r = lw_reading_at(i)) != NULL; i++)
        if (mods->readings & r->mods)
            put(w, "%sreading:%s:%s", w->length ? " " : "", r->topic, r->name);
}

lw_status lw_mods_print(lw_arch arch, const lw_insn *insn, const lw_mods *mods, char *text, size_t size,
                        size_t *length)
{
    if (!mods || (!text && size))
        return lw_error_fail(NULL, LW_E_ARGUMENT, "lw_mods_print needs modifiers and room for a text");
    const lw_status st = lw_mods_check(arch, insn, mods, NULL);
    if (st != LW_OK)
        return st;

    writer w = { text, size, 0 };
    if (size)
        text[0] = '\0';
    put_mods(&w, arch, insn, mods);
    if (length)
        *length = w.length;
    return LW_OK;
}

lw_status lw_insn_print(lw_arch arch, const lw_insn *insn, const lw_mods *mods, char *text, size_t size,
                        size_t *length)
{
    const lw_mods none = { 0 };
    mods = mods ? mods : &none;
    const lw_status st = !text && size ? LW_E_ARGUMENT : lw_mods_check(arch, insn, mods, NULL);
    if (st != LW_OK)
        return st;

    writer w = { text, size, 0 };
    char spelling[LW_PTX_SPELLING_MAX];
    if (insn->ptx)
        lw_ptx_spell(insn, &mods->ptx, spelling);
    put(&w, "%s", insn->ptx ? spelling : lw_insn_name(arch, insn));
    put_mods(&w, arch, insn, mods);
    if (length)
        *length = w.length;
    return LW_OK;
}

/* SPDX-License-Identifier: MIT */
#include "isa_tables/readings.h"

#include <stdio.h>
#include <string.h>

#include "isa_tables/error.h"
#include "isa_tables/near.h"
#include "isa_tables/recipes.h"

const lw_reading_row lw_reading_rows[] = {
#define CLASS(dot_) (UINT64_C(1) << LW_DOT_##dot_)
#define ARCH(arch_) (1u << LW_ARCH_##arch_)
#define ASPECT(aspect_) (1u << LW_MMA_##aspect_)
#define READING(topic_, name_, label_, effect_, value_, aspects_, classes_, archs_, applies_, text_)         \
    { .info = { topic_, name_, LW_EFFECT_##effect_ == LW_EFFECT_NONE, LW_LABEL_##label_, text_, applies_,    \
                LW_READING_OF_ARITHMETIC, aspects_, 0, NULL },                                               \
      .effect = LW_EFFECT_##effect_,                                                                         \
      .value = value_,                                                                                       \
      .classes = classes_,                                                                                   \
      .archs = archs_ },
#include "isa_tables/readings.inc"
#include "isa_tables/readings_nvidia.inc"
#undef READING
#undef ASPECT
#undef ARCH
#undef CLASS
#define RULE(rule_) (1u << LW_MODS_##rule_)
#define MODIFIER(topic_, name_, label_, bit_, former_, rules_, applies_, text_)                              \
    { .info = { topic_, name_, (bit_) == 0, LW_LABEL_##label_, text_, applies_, LW_READING_OF_MODIFIERS, 0,  \
                bit_, former_ },                                                                             \
      .rules = rules_ },
#define MACHINE(topic_, name_, label_, bit_, former_, applies_, text_)                                       \
    { .info = { topic_, name_, (bit_) == 0, LW_LABEL_##label_, text_, applies_, LW_READING_OF_MACHINE, 0, 0, \
                former_ },                                                                                   \
      .kernels = bit_ },
#include "isa_tables/readings_modifiers.inc"
#undef MACHINE
#undef MODIFIER
#undef RULE
};
const size_t lw_reading_count = sizeof(lw_reading_rows) / sizeof(lw_reading_rows[0]);

const lw_reading *lw_reading_at(size_t index)
{
    return index < lw_reading_count ? &lw_reading_rows[index].info : NULL;
}

bool lw_reading_row_concerns(const lw_reading_row *row, lw_dot_class dot, lw_arch arch)
{
    return (row->classes >> dot & 1u) && (row->archs & 1u << arch);
}

/* Can a modifier of the instruction be refused because this reading was not chosen? */
static bool concerns_modifiers(lw_arch arch, const lw_insn *insn, const lw_reading_row *row)
{
    const lw_mod_row *mods = lw_insn_mod_row(arch, insn);
    if (!mods || !(row->rules >> mods->reads_as & 1u))
        return false;
    switch (mods->reads_as) {
    case LW_MODS_WMMA_INT:
    case LW_MODS_WMMA_WIDE:
    case LW_MODS_WMMA_BYTE:
        return mods->needs != 0;
    case LW_MODS_SMFMAC:
        return lw_insn_index_sets(insn, lw_insn_wave(arch, NULL)) == 1;
    case LW_MODS_SWMMAC_FLOAT:
    case LW_MODS_SWMMAC_INT:
    case LW_MODS_SWMMAC_BYTE:
        return lw_arch_traits_rows[arch].index_key_spare &&
               lw_insn_index_sets(insn, lw_insn_wave(arch, NULL)) == 1;
    default:
        return true;
    }
}

bool lw_reading_concerns(lw_arch arch, const lw_insn *insn, const lw_reading *reading)
{
    if (!insn || !reading || !lw_arch_get(arch) || !lw_insn_on(insn, arch))
        return false;
    for (size_t i = 0; i < lw_reading_count; i++) {
        const lw_reading_row *row = &lw_reading_rows[i];
        if (&row->info == reading)
            return lw_reading_row_concerns(row, insn->dot, arch) || concerns_modifiers(arch, insn, row);
    }
    return false;
}

bool lw_reading_decides(const lw_reading_row *row, lw_mma_aspect aspect)
{
    return row->info.aspects >> aspect & 1u;
}

static bool has_topic(const lw_reading_row *row, const char *topic, size_t length)
{
    return strlen(row->info.topic) == length && memcmp(row->info.topic, topic, length) == 0;
}

static bool is_named(const lw_reading_row *row, const char *text)
{
    const size_t topic = strlen(row->info.topic);
    return (strncmp(text, row->info.topic, topic) == 0 && text[topic] == ':' &&
            strcmp(text + topic + 1, row->info.name) == 0) ||
           (row->info.former && strcmp(text, row->info.former) == 0);
}

static const lw_reading_row *find_row(const char *text)
{
    for (size_t i = 0; i < lw_reading_count; i++)
        if (is_named(&lw_reading_rows[i], text))
            return &lw_reading_rows[i];
    return NULL;
}

/* The readings nearest to a text, best first; for former names, the readings that replaced them. */
static void suggest(const char *text, lw_error *error)
{
    enum { NAME_SIZE = LW_NEAR_WORD + 1 };
    lw_near near = { .count = 0 };
    for (size_t i = 0; i < lw_reading_count; i++) {
        const lw_reading *r = &lw_reading_rows[i].info;
        char name[NAME_SIZE];
        snprintf(name, sizeof(name), "%s:%s", r->topic, r->name);
        lw_near_add(&near, i, lw_near_distance(text, name));
    }
    for (size_t i = 0; i < near.count; i++) {
        const lw_reading *r = &lw_reading_rows[near.index[i]].info;
        lw_error_append(error, "%s%s:%s", i ? ", " : "; the nearest are ", r->topic, r->name);
    }
}

static lw_status fail_unknown(const char *text, lw_error *error)
{
    const size_t topic = strcspn(text, ":");
    const char *sep = " ";
    bool known = false;
    for (size_t i = 0; i < lw_reading_count; i++)
        known |= has_topic(&lw_reading_rows[i], text, topic);
    if (!known) {
        lw_error_fail(error, LW_E_NOT_FOUND, "there is no reading \"%s\"", text);
        suggest(text, error);
        return LW_E_NOT_FOUND;
    }
    lw_error_fail(error, LW_E_NOT_FOUND, "there is no reading \"%s\"; the topic has", text);
    for (size_t i = 0; i < lw_reading_count; i++) {
        const lw_reading_row *row = &lw_reading_rows[i];
        if (!has_topic(row, text, topic))
            continue;
        lw_error_append(error, "%s%s:%s", sep, row->info.topic, row->info.name);
        sep = ", ";
    }
    return LW_E_NOT_FOUND;
}

lw_status lw_reading_find(const char *text, const lw_reading **reading, lw_error *error)
{
    if (!text || !reading)
        return lw_error_fail(error, LW_E_ARGUMENT, "lw_reading_find needs a name and a result");
    const lw_reading_row *row = find_row(text);
    if (!row)
        return fail_unknown(text, error);
    *reading = &row->info;
    return LW_OK;
}

lw_status lw_readings_check(const char *const *names, size_t count, lw_error *error)
{
    for (size_t i = 0; i < count; i++) {
        if (!names || !names[i])
            return lw_error_fail(error, LW_E_ARGUMENT, "reading %zu is NULL", i);
        if (!find_row(names[i]))
            return fail_unknown(names[i], error);
    }
    return LW_OK;
}

const lw_reading_row *lw_readings_pick(const lw_reading_row *row, const char *const *names, size_t count)
{
    const lw_reading_row *picked = row;
    for (size_t i = 0; i < count; i++) {
        const lw_reading_row *named = find_row(names[i]);
        if (named && strcmp(named->info.topic, row->info.topic) == 0)
            picked = named;
    }
    return picked;
}

uint16_t lw_readings_of_mods(uint16_t taken, const char *const *names, size_t count)
{
    for (size_t n = 0; n < count; n++) {
        const lw_reading_row *named = find_row(names[n]);
        if (!named || named->info.about != LW_READING_OF_MODIFIERS)
            continue;
        for (size_t i = 0; i < lw_reading_count; i++)
            if (strcmp(lw_reading_rows[i].info.topic, named->info.topic) == 0)
                taken = (uint16_t)(taken & ~lw_reading_rows[i].info.mods);
        taken = (uint16_t)(taken | named->info.mods);
    }
    return taken;
}

uint32_t lw_readings_of_kernels(const char *const *names, size_t count)
{
    uint32_t taken = 0;
    for (size_t i = 0; i < lw_reading_count; i++)
        if (lw_reading_rows[i].info.about == LW_READING_OF_MACHINE && lw_reading_rows[i].info.is_default)
            taken |= lw_readings_pick(&lw_reading_rows[i], names, count)->kernels;
    return taken;
}

const lw_reading *lw_reading_of_bit(unsigned bit)
{
    for (size_t i = 0; i < lw_reading_count; i++)
        if (bit && lw_reading_rows[i].info.mods == bit)
            return &lw_reading_rows[i].info;
    return NULL;
}

/* SPDX-License-Identifier: MIT */
#include "isa_tables/recipes.h"

#include "isa_tables/formats.h"

#define CELL_(label_, source_)                                                                               \
    {                                                                                                        \
        LW_LABEL_##label_, source_                                                                           \
    }
#define CELL(pair_) CELL_ pair_
#define EVIDENCE(id_, finite_, subnormal_, zero_, overflow_, nan_, mode_)                                    \
    static const lw_evidence_row evidence_##id_ = {                                                          \
        .aspect = { [LW_MMA_FINITE] = CELL(finite_),                                                         \
                    [LW_MMA_SUBNORMAL] = CELL(subnormal_),                                                   \
                    [LW_MMA_ZERO_SIGN] = CELL(zero_),                                                        \
                    [LW_MMA_OVERFLOW] = CELL(overflow_),                                                     \
                    [LW_MMA_NAN] = CELL(nan_),                                                               \
                    [LW_MMA_MODE] = CELL(mode_) },                                                           \
    };
#include "isa_tables/recipes.inc"
#include "isa_tables/recipes_nvidia.inc"
#undef EVIDENCE
#undef CELL
#undef CELL_

static const lw_recipe_row rows[] = {
#define RECIPE_AS(dot_, arch_, unit_, known_, ...)                                                           \
    { LW_DOT_##dot_, LW_ARCH_##arch_, LW_UNIT_##unit_, { __VA_ARGS__ }, &evidence_##known_ },
#include "isa_tables/recipes.inc"
#include "isa_tables/recipes_nvidia.inc"
#undef RECIPE_AS
};

static const lw_recipe_row *find_row(lw_dot_class dot, lw_arch arch)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (rows[i].dot == dot && rows[i].arch == arch)
            return &rows[i];
    return NULL;
}

static bool has_floors(const lw_dot_unit *unit)
{
    return unit->kind == LW_KIND_FUSED || unit->kind == LW_KIND_FUSED_SCALED;
}

static void set_floors(lw_dot_unit *unit, lw_floor_reading reading)
{
    enum { LEAST_NORMAL = -126, BELOW_EVERYTHING = -2000 };
    switch (reading) {
    case LW_FLOOR_OF_F32:
        unit->floor16 = unit->floor32;
        break;
    case LW_FLOOR_ZERO_OPERANDS:
        unit->zero_terms = true;
        unit->floor16 = unit->floor32 = LEAST_NORMAL;
        break;
    case LW_FLOOR_NONE:
        unit->floor16 = unit->floor32 = BELOW_EVERYTHING;
        break;
    }
}

static void apply(lw_recipe *recipe, const lw_reading_row *reading)
{
    switch ((lw_reading_effect)reading->effect) {
    case LW_EFFECT_NONE:
        return;
    case LW_EFFECT_UNIT:
        recipe->unit = lw_dot_units[reading->value];
        break;
    case LW_EFFECT_DROP:
        recipe->unit.drop = reading->value;
        break;
    case LW_EFFECT_FUSED:
        recipe->fused = true;
        break;
    case LW_EFFECT_PARITY_K:
        recipe->parity_k = true;
        break;
    case LW_EFFECT_NO_CLAMP:
        recipe->no_clamp = true;
        break;
    case LW_EFFECT_KEEP:
        recipe->keep_subnormals = true;
        break;
    case LW_EFFECT_MASK_FIRST:
        recipe->mask_first = true;
        break;
    case LW_EFFECT_SPLIT:
        recipe->shape.split = reading->value;
        break;
    case LW_EFFECT_WIDE:
        recipe->shape.wide = reading->value != 0;
        break;
    case LW_EFFECT_NARROW:
        recipe->shape.narrow = reading->value;
        break;
    case LW_EFFECT_CLAMP_INF:
        recipe->unit.clamp_inf = true;
        break;
    case LW_EFFECT_FLOOR:
        if (!has_floors(&recipe->unit))
            return;
        set_floors(&recipe->unit, (lw_floor_reading)reading->value);
        break;
    case LW_EFFECT_PLUS_UNDERFLOW:
        if (!has_floors(&recipe->unit))
            return;
        recipe->unit.plus_underflow = true;
        break;
    case LW_EFFECT_ZERO_TERMS:
        recipe->unit.zero_terms = true;
        break;
    case LW_EFFECT_HALF_NORMAL:
        recipe->half_normal = true;
        break;
    case LW_EFFECT_CLAMP_BITS:
        recipe->clamp_bits = reading->value;
        break;
    case LW_EFFECT_GROUP_TIMES:
        recipe->unit.group = (uint8_t)(recipe->unit.group * reading->value);
        break;
    }
    for (unsigned a = 0; a < LW_MMA_ASPECT_COUNT; a++)
        if (lw_reading_decides(reading, (lw_mma_aspect)a))
            recipe->evidence[a] = (lw_mma_evidence){ reading->info.label, reading->info.text };
}

lw_status lw_recipe_resolve(lw_dot_class dot, lw_arch arch, const lw_reading_row *const *picked, size_t count,
                            lw_recipe *recipe)
{
    const lw_recipe_row *row = find_row(dot, arch);
    if (!row)
        return LW_E_ARCH;
    lw_recipe r = { .unit = lw_dot_units[row->unit],
                    .shape = row->shape,
                    .no_clamp = row->shape.no_clamp,
                    .keep_subnormals = row->shape.keep,
                    .mask_first = row->shape.mask_first };
    for (int a = 0; a < LW_MMA_ASPECT_COUNT; a++)
        r.evidence[a] = row->evidence->aspect[a];
    for (size_t i = 0; i < count; i++)
        if (lw_reading_row_concerns(picked[i], dot, arch))
            apply(&r, picked[i]);
    *recipe = r;
    return LW_OK;
}

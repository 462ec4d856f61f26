/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "cli/wave.h"

#define WAVE_END ((size_t)-1)

static size_t ordinal(const wave_operand *o, unsigned block, unsigned x, unsigned y)
{
    return ((size_t)block * o->shape.x_count + x) * o->shape.y_count + y;
}

/* Links the entries of each element; the image is one word for each lane and register. */
static void link_entries(cli_wave *wave, wave_operand *o)
{
    const size_t elements = ordinal(o, o->shape.blocks - 1u, o->shape.x_count - 1u, o->shape.y_count);
    o->next = cli_alloc(o->entry_count * sizeof(*o->next));
    o->first = cli_alloc(elements * sizeof(*o->first));
    o->image = cli_alloc((size_t)o->info.registers * wave->lanes * sizeof(*o->image));
    for (size_t i = 0; i < elements; i++)
        o->first[i] = WAVE_END;
    for (size_t i = o->entry_count; i-- > 0;) {
        size_t *first = &o->first[ordinal(o, o->entries[i].block, o->entries[i].x, o->entries[i].y)];
        o->next[i] = *first;
        *first = i;
    }
}

static lw_status open_operand(cli_wave *wave, lw_operand operand, lw_error *error)
{
    wave_operand *o = &wave->operand[operand];
    lw_layout *layout;
    size_t count;
    lw_status st = lw_insn_operand(wave->arch, wave->insn, operand, &wave->mods, &o->info, error);
    if (st != LW_OK || !o->info.registers)
        return st;
    st = lw_layout_create(wave->arch, wave->insn, operand, wave->lanes, &wave->mods, &layout, error);
    if (st != LW_OK)
        return st;
    lw_layout_get_info(layout, &o->shape);
    wave->lanes = o->shape.wave;
    st = lw_layout_entries(layout, NULL, 0, &count);
    if (st == LW_OK) {
        o->entries = cli_alloc(count * sizeof(*o->entries));
        st = lw_layout_entries(layout, o->entries, count, &count);
        o->entry_count = count;
        link_entries(wave, o);
    }
    lw_layout_free(layout);
    return st;
}

lw_status wave_open(lw_arch arch, const char *text, unsigned lanes, cli_wave *wave, lw_error *error)
{
    *wave = (cli_wave){ .arch = arch, .lanes = lanes };
    lw_status st = lw_insn_parse(arch, text, &wave->insn, &wave->mods, error);
    if (st == LW_OK)
        st = lw_insn_get_info(arch, wave->insn, &wave->info);
    for (int o = 0; o < LW_OPERAND_COUNT && st == LW_OK; o++)
        if (wave->info.operand[o].present)
            st = open_operand(wave, (lw_operand)o, error);
    if (st == LW_OK)
        wave_clear(wave);
    return st;
}

void wave_add_image(cli_wave *wave, lw_operand operand, unsigned registers)
{
    wave_operand *o = &wave->operand[operand];
    o->info = (lw_operand_info){ .format = "memory", .registers = (uint8_t)registers };
    o->image = cli_alloc((size_t)registers * wave->lanes * sizeof(*o->image));
    memset(o->image, 0, (size_t)registers * wave->lanes * sizeof(*o->image));
}

void wave_add_elements(cli_wave *wave, lw_operand operand, const lw_layout_info *shape, unsigned registers,
                       lw_layout_entry *entries, size_t count)
{
    wave_operand *o = &wave->operand[operand];
    o->info.registers = (uint8_t)registers;
    o->shape = *shape;
    o->entries = entries;
    o->entry_count = count;
    link_entries(wave, o);
    memset(o->image, 0, (size_t)registers * wave->lanes * sizeof(*o->image));
}

void wave_close(cli_wave *wave)
{
    for (int o = 0; o < LW_OPERAND_COUNT; o++) {
        free(wave->operand[o].entries);
        free(wave->operand[o].first);
        free(wave->operand[o].next);
        free(wave->operand[o].image);
    }
    *wave = (cli_wave){ 0 };
}

size_t wave_words(const cli_wave *wave, lw_operand operand)
{
    const wave_operand *o = &wave->operand[operand];
    return o->image ? (size_t)o->info.registers * wave->lanes : 0;
}

void wave_clear(cli_wave *wave)
{
    enum { IN_ORDER = 0x44444444 };
    for (int o = 0; o < LW_OPERAND_COUNT; o++)
        for (size_t i = 0; i < wave_words(wave, (lw_operand)o); i++)
            wave->operand[o].image[i] = o == LW_OPERAND_INDEX ? IN_ORDER : 0;
}

static const wave_operand *find(const cli_wave *wave, lw_operand operand, unsigned block, unsigned x,
                                unsigned y, size_t *at)
{
    const wave_operand *o = &wave->operand[operand];
    if (!o->image || block >= o->shape.blocks || x >= o->shape.x_count || y >= o->shape.y_count)
        return NULL;
    *at = o->first[ordinal(o, block, x, y)];
    return *at == WAVE_END ? NULL : o;
}

/* The part of an entry that is in its register number `part`: first bit and width there. */
static unsigned part_of(const lw_layout_entry *entry, unsigned part, unsigned *lsb)
{
    const unsigned end = entry->msb + 1u, from = 32 * part;
    *lsb = part == 0 ? entry->lsb : 0;
    if (end <= from)
        return 0;
    return (end < from + 32 ? end - from : 32) - *lsb;
}

static uint32_t low_bits(unsigned width)
{
    return width >= 32 ? UINT32_MAX : (UINT32_C(1) << width) - 1;
}

bool wave_put(cli_wave *wave, lw_operand operand, unsigned x, unsigned y, uint64_t code)
{
    return wave_put_in(wave, operand, 0, x, y, code);
}

bool wave_put_in(cli_wave *wave, lw_operand operand, unsigned block, unsigned x, unsigned y, uint64_t code)
{
    size_t at;
    const wave_operand *o = find(wave, operand, block, x, y, &at);
    if (!o)
        return false;
    for (; at != WAVE_END; at = o->next[at]) {
        const lw_layout_entry *e = &o->entries[at];
        uint64_t rest = code;
        unsigned lsb, width;
        for (unsigned part = 0; (width = part_of(e, part, &lsb)) != 0; part++) {
            uint32_t *word = &o->image[(e->reg + part) * (size_t)wave->lanes + e->lane];
            *word &= ~(low_bits(width) << lsb);
            *word |= ((uint32_t)rest & low_bits(width)) << lsb;
            rest = width >= 32 ? rest >> 32 : rest >> width;
        }
    }
    return true;
}

bool wave_get(const cli_wave *wave, lw_operand operand, unsigned x, unsigned y, uint64_t *code)
{
    size_t at;
    const wave_operand *o = find(wave, operand, 0, x, y, &at);
    if (!o)
        return false;
    const lw_layout_entry *e = &o->entries[at];
    unsigned lsb, width, have = 0;
    *code = 0;
    for (unsigned part = 0; (width = part_of(e, part, &lsb)) != 0; part++) {
        const uint32_t word = o->image[(e->reg + part) * (size_t)wave->lanes + e->lane];
        *code |= (uint64_t)(word >> lsb & low_bits(width)) << have;
        have += width;
    }
    return true;
}

lw_operand wave_c(const cli_wave *wave)
{
    return wave->operand[LW_OPERAND_C].image ? LW_OPERAND_C : LW_OPERAND_D;
}

lw_status wave_execute(const cli_wave *wave, const char *const *readings, size_t count, uint32_t *d,
                       lw_error *error)
{
    const lw_mma_options options = { .struct_size = sizeof(lw_mma_options),
                                     .mods = &wave->mods,
                                     .wave = wave->lanes,
                                     .readings = readings,
                                     .reading_count = count };
    lw_mma *mma;
    lw_status st = lw_mma_create(wave->arch, wave->insn, &options, &mma, error);
    if (st != LW_OK)
        return st;
    memcpy(d, wave->operand[LW_OPERAND_D].image, wave_words(wave, LW_OPERAND_D) * sizeof(*d));
    const lw_mma_registers regs = {
        .a = wave->operand[LW_OPERAND_A].image,
        .b = wave->operand[LW_OPERAND_B].image,
        .c = wave_c(wave) == LW_OPERAND_D ? d : wave->operand[LW_OPERAND_C].image,
        .d = d,
        .index = wave->operand[LW_OPERAND_INDEX].image,
        .scale_a = wave->operand[LW_OPERAND_SCALE_A].image,
        .scale_b = wave->operand[LW_OPERAND_SCALE_B].image,
    };
    st = lw_mma_execute_registers(mma, &regs, NULL);
    lw_mma_free(mma);
    return st;
}

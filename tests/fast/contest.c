/* SPDX-License-Identifier: MIT */
#include "contest.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/fast/fp16.h"
#include "isa_tables/ptx/row.h"

static const char *const isa_names[CONTEST_ISAS] = { "portable", "avx2", "avx512" };

unsigned contest_isas(void)
{
    lw_fast_isa isa;
    ck_assert_int_eq(lw_fast_isa_choose(&isa, NULL), LW_OK);
    return isa < LW_FAST_AVX512 ? (unsigned)isa + 1 : LW_FAST_PANEL_ISAS;
}

static lw_mma *make(lw_arch arch, const lw_insn *insn, const lw_mods *mods, bool reference)
{
    const lw_mma_options options = {
        .struct_size = sizeof(lw_mma_options), .mods = mods, .wave = mods->wave, .reference_only = reference
    };
    lw_mma *mma = NULL;
    (void)lw_mma_create(arch, insn, &options, &mma, NULL);
    return mma;
}

bool contest_open(lw_arch arch, const lw_insn *insn, const lw_mods *mods, contest *c)
{
    char text[96] = "";
    size_t length;
    *c = (contest){ .isas = contest_isas() };
    if (insn && lw_ptx_has_parts(insn)) /* ptx_wgmma_products and ptx_tcgen05_rows have the products */
        return false;
    c->reference = make(arch, insn, mods, true);
    if (!c->reference)
        return false;
    for (unsigned isa = 0; isa < c->isas; isa++) {
        setenv("LANEWISE_CPU", isa_names[isa], 1);
        c->fast[isa] = make(arch, insn, mods, false);
        ck_assert_ptr_nonnull(c->fast[isa]);
    }
    unsetenv("LANEWISE_CPU");
    c->words =
        lw_insn_registers(c->reference->arch, insn, LW_OPERAND_D, &c->reference->mods) * c->reference->wave;
    (void)lw_mods_print(arch, insn, mods, text, sizeof(text), &length);
    snprintf(c->name, sizeof(c->name), "%s %s %s", lw_arch_get(arch)->name, insn->mnemonic, text);
    return true;
}

bool contest_repeats(const contest *c)
{
    enum { SEEN = 2048 };
    static struct {
        const lw_insn *insn;
        lw_dot_unit unit;
        lw_recipe_shape shape;
    } seen[SEEN];
    static unsigned count;
    const lw_mma *mma = c->reference;
    const lw_recipe *r = &mma->recipe;
    const char *all = getenv("LW_FULL");
    if (!lw_arch_is_nvidia(mma->arch) || (all && *all == '1'))
        return false;
    for (unsigned n = 0; n < count; n++)
        if (seen[n].insn == mma->insn && memcmp(&seen[n].unit, &r->unit, sizeof(r->unit)) == 0 &&
            memcmp(&seen[n].shape, &r->shape, sizeof(r->shape)) == 0)
            return true;
    ck_assert_uint_lt(count, SEEN);
    seen[count].insn = mma->insn;
    seen[count].unit = r->unit;
    seen[count++].shape = r->shape;
    return false;
}

bool contest_open_wave(lw_arch arch, const lw_insn *insn, unsigned wave, contest *c)
{
    const lw_mods mods = { .wave = (uint8_t)(lw_arch_is_nvidia(arch) ? 0 : wave) };
    lw_insn_info info;
    return lw_insn_get_info(arch, insn, &info) == LW_OK && info.wave_sizes & (wave == 32 ? 1 : 2) &&
           contest_open(arch, insn, &mods, c);
}

void contest_close(contest *c)
{
    for (unsigned isa = 0; isa < c->isas; isa++)
        lw_mma_free(c->fast[isa]);
    lw_mma_free(c->reference);
}

void contest_put(const contest *c, lw_operand operand, uint32_t *regs, unsigned element, uint64_t code)
{
    const lw_mma *mma = c->reference;
    const lw_mma_port *port = &mma->port[operand];
    const lw_place place = port->place[element];
    const bool copied = operand == LW_OPERAND_A || operand == LW_OPERAND_B;
    if (place.lane == LW_NO_PLACE)
        return;
    for (unsigned copy = 0; copy < (copied && mma->copies > 1 ? mma->copies : 1u); copy++)
        for (unsigned bit = 0; bit < port->width; bit++) {
            const unsigned at = place.bit + bit;
            uint32_t *word = regs + (size_t)(at / 32) * port->lanes + place.lane + copy * mma->copy_lanes;
            *word = (*word & ~(1u << at % 32)) | (uint32_t)(code >> bit & 1) << at % 32;
        }
}

/* D, which initially holds C or a pattern. */
static lw_status call(const lw_mma *mma, const contest_images *im, unsigned mode, bool in_place,
                      uint32_t *touched, uint32_t *d)
{
    if (in_place || mma->sparse)
        memcpy(d, im->c, sizeof(im->c));
    else
        memset(d, 0x5a, sizeof(im->c));
    const lw_mma_registers regs = {
        .a = im->a,
        .b = im->b,
        .c = in_place || mma->sparse ? d : im->c,
        .d = d,
        .index = im->index,
        .scale_a = im->scale_a,
        .scale_b = im->scale_b,
        .mode = mode,
    };
    return lw_mma_execute_registers(mma, &regs, touched);
}

/* Portable code is slow compared with the others: except with LW_FULL=1, only a quarter of the runs include
 * it. */
static unsigned first_isa(const contest *c)
{
    static unsigned runs;
    const char *all = getenv("LW_FULL");
    return c->isas == 1 || (all && *all == '1') || runs++ % 4 == 0 ? 0 : 1;
}

static void run(const contest *c, const contest_images *im, unsigned mode, bool in_place, const char *what,
                unsigned first)
{
    static uint32_t want[CONTEST_WORDS], got[CONTEST_WORDS];
    uint32_t touched, expected;
    const lw_status status = call(c->reference, im, mode, in_place, &expected, want);
    for (unsigned n = 2 * first; n < 2 * c->isas; n++) {
        const lw_status st = call(c->fast[n / 2], im, mode, in_place, n % 2 ? &touched : NULL, got);
        ck_assert_int_eq(st, status);
        if (n % 2 && status == LW_OK)
            ck_assert_msg(touched == expected, "%s, %s, %s: aspects %x, reference %x", c->name, what,
                          isa_names[n / 2], touched, expected);
        for (unsigned w = 0; status == LW_OK && w < c->words; w++)
            if (got[w] != want[w])
                ck_abort_msg("%s, %s, %s%s, register %u lane %u: %08x, reference %08x", c->name, what,
                             isa_names[n / 2], n % 2 ? ", aspects asked" : "", w / c->reference->wave,
                             w % c->reference->wave, got[w], want[w]);
    }
}

void contest_run(const contest *c, const contest_images *im, unsigned mode, bool in_place, const char *what)
{
    run(c, im, mode, in_place, what, first_isa(c));
}

void contest_run_all(const contest *c, const contest_images *im, unsigned mode, bool in_place,
                     const char *what)
{
    run(c, im, mode, in_place, what, 0);
}

/* SPDX-License-Identifier: MIT */
/*
 * The bank counter on machine code: every width, reads, writes and two-address forms of gfx942 and gfx950,
 * inactive and dropped lanes. The groups of lanes are written out as their publishers list them and the
 * conflicts counted one dword at a time.
 */
#include <stdio.h>

#include "machine/fixture.h"

enum { LANES = 64, DWORDS = LDS / 4, PATTERNS = 24 };

/* Sources: latency probes of MI300X and MI350X (nod-ai/amd-shark-ai), HipKittens (gfx950 64-, 96- and 128-bit
 * reads, 64-bit writes), AMD Composable Kernel (128 bits); guessed ones are reported as such. */
#define EIGHTS "0-7 8-15 16-23 24-31 32-39 40-47 48-55 56-63"
#define SIXTEENS "0-15 16-31 32-47 48-63"
#define HALVES "0-31 32-63"
#define CROSSED "0-3,20-23 4-7,16-19 8-11,28-31 12-15,24-27 32-35,52-55 36-39,48-51 40-43,60-63 44-47,56-59"
#define WIDE_CROSSED "0-3,12-15,20-27 4-11,16-19,28-31 32-35,44-47,52-59 36-43,48-51,60-63"

typedef struct rule {
    lw_arch arch;
    bool store;
    unsigned bytes, banks;
    const char *groups;
    bool guessed;
} rule;

static const rule rules[] = {
    { LW_ARCH_GFX942, false, 4, 32, HALVES, false },   { LW_ARCH_GFX942, false, 8, 32, SIXTEENS, false },
    { LW_ARCH_GFX942, false, 12, 32, CROSSED, true },  { LW_ARCH_GFX942, false, 16, 32, CROSSED, false },
    { LW_ARCH_GFX942, true, 4, 32, HALVES, true },     { LW_ARCH_GFX942, true, 8, 32, SIXTEENS, true },
    { LW_ARCH_GFX942, true, 12, 32, EIGHTS, true },    { LW_ARCH_GFX942, true, 16, 32, EIGHTS, false },
    { LW_ARCH_GFX950, false, 4, 64, "0-63", true },    { LW_ARCH_GFX950, false, 8, 64, HALVES, false },
    { LW_ARCH_GFX950, false, 12, 32, CROSSED, false }, { LW_ARCH_GFX950, false, 16, 64, WIDE_CROSSED, false },
    { LW_ARCH_GFX950, true, 4, 32, HALVES, true },     { LW_ARCH_GFX950, true, 8, 32, SIXTEENS, false },
    { LW_ARCH_GFX950, true, 12, 32, EIGHTS, true },    { LW_ARCH_GFX950, true, 16, 32, EIGHTS, true },
};

static const rule *rule_of(lw_arch arch, bool store, unsigned bytes)
{
    for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
        if (rules[i].arch == arch && rules[i].store == store && rules[i].bytes == (bytes < 4 ? 4 : bytes))
            return &rules[i];
    ck_abort_msg("no rule");
    return NULL;
}

/* An instruction of code.s: its offset, the distance of a second address, and whether the rule itself is a
 * guess. */
static const struct {
    const char *block;
    unsigned bytes, offset, second;
    bool store, guess, only_950;
} instructions[] = {
    { "ds_read_u8", 1, 3, 0, false, false, false },
    { "ds_read_i16", 2, 3, 0, false, false, false },
    { "ds_read_b32", 4, 3, 0, false, false, false },
    { "ds_read_b64", 8, 3, 0, false, false, false },
    { "ds_read_b96", 12, 3, 0, false, false, false },
    { "ds_read_b128", 16, 3, 0, false, false, false },
    { "ds_write_b8", 1, 3, 0, true, false, false },
    { "ds_write_b32", 4, 3, 0, true, false, false },
    { "ds_write_b64", 8, 3, 0, true, false, false },
    { "ds_write_b96", 12, 3, 0, true, false, false },
    { "ds_write_b128", 16, 3, 0, true, false, false },
    { "ds_read2_b32", 4, 4, 32, false, false, false },
    { "ds_read2_b64", 8, 8, 64, false, false, false },
    { "ds_read2st64_b32", 4, 256, 256, false, false, false },
    { "ds_write2_b32", 4, 4, 32, true, false, false },
    { "ds_write2st64_b64", 8, 512, 512, true, false, false },
    { "ds_add_u32", 4, 4, 0, true, true, false },
    { "ds_add_u64", 8, 8, 0, true, true, false },
    { "ds_read_b64_tr_b16", 8, 16, 0, false, true, true },
};
enum { INSTRUCTIONS = sizeof(instructions) / sizeof(instructions[0]) };

/* Lanes of group n, as a mask; 0 after the last one. */
static uint64_t group_mask(const char *groups, unsigned n)
{
    uint64_t mask = 0;
    for (; n && *groups; groups++)
        n -= *groups == ' ';
    while (*groups && *groups != ' ') {
        char *end;
        const unsigned long first = strtoul(groups, &end, 10), last = strtoul(end + 1, &end, 10);
        for (unsigned long lane = first; lane <= last; lane++)
            mask |= UINT64_C(1) << lane;
        groups = end + (*end == ',');
    }
    return mask;
}

typedef struct counted {
    uint64_t phases, turns;
    unsigned worst;
} counted;

/* Adds one request: `at` is each lane's byte address; lanes that reach past the end of LDS are not served. */
static void count_request(const rule *r, const uint32_t *at, unsigned bytes, uint64_t exec, counted *c)
{
    for (unsigned n = 0; group_mask(r->groups, n); n++) {
        bool wanted[DWORDS] = { false }, any = false;
        unsigned worst = 0;
        for (unsigned lane = 0; lane < LANES; lane++) {
            if (!(group_mask(r->groups, n) & exec >> lane << lane & UINT64_C(1) << lane) ||
                at[lane] + bytes > LDS)
                continue;
            any = true;
            for (unsigned b = 0; b < bytes; b++)
                wanted[(at[lane] + b) / 4] = true;
        }
        for (unsigned bank = 0; bank < r->banks; bank++) {
            unsigned turns = 0;
            for (unsigned d = bank; d < DWORDS; d += r->banks)
                turns += wanted[d];
            worst = turns > worst ? turns : worst;
        }
        c->phases += any;
        c->turns += worst;
        c->worst = worst > c->worst ? worst : c->worst;
    }
}

/* A lane's address: strides, broadcasts, and random ones; a few past the end. */
static uint32_t pattern(unsigned n, unsigned lane, unsigned align)
{
    static const unsigned strides[] = { 1, 2, 3, 4, 8, 16, 17, 32, 33, 64 };
    const uint32_t dword = n < 10    ? lane * strides[n]
                           : n == 10 ? 0
                           : n == 11 ? lane / 2 * 32
                                     : (uint32_t)mix(n * 64 + lane);
    if (n == 23 && lane % 5 == 0)
        return LDS + 4096;
    return align < 4 ? dword * 4 % 896 + lane % 4 / align * align : dword * 4 % 896 / align * align;
}

START_TEST(conflicts)
{
    static fixture f;
    const lw_arch arch = _i % 2 ? LW_ARCH_GFX950 : LW_ARCH_GFX942;
    const unsigned at = (unsigned)_i / 2, bytes = instructions[at].bytes;
    const rule *r = rule_of(arch, instructions[at].store, bytes);
    if (instructions[at].only_950 && arch != LW_ARCH_GFX950)
        return;
    for (unsigned n = 0; n < PATTERNS; n++) {
        lw_banks *banks;
        fixture_init(&f, n + 1);
        ck_assert_int_eq(lw_banks_create(&banks), LW_OK);
        const lw_observer *observers[] = { lw_banks_observer(banks) };
        f.options.arch = arch;
        f.options.observers = observers;
        f.options.observer_count = 1;
        const bool all = strstr(instructions[at].block, "_tr_") != NULL;
        const uint64_t exec = all || n % 4 ? UINT64_MAX : n == 4 ? 0xf : n == 8 ? 0xff0000ff00 : mix(n + 99);
        set_exec(&f, exec);
        uint32_t first[LANES], second[LANES];
        for (unsigned lane = 0; lane < LANES; lane++) {
            const unsigned align = n >= 12 && bytes > 4 && !instructions[at].guess ? 4
                                   : bytes == 12                                   ? 16
                                                                                   : bytes;
            first[lane] = pattern(all && n == 23 ? 22 : n, lane, align) + 512;
            second[lane] = first[lane] + instructions[at].second;
            reg(&f, 2)[lane] = first[lane] - instructions[at].offset;
        }
        fixture_ok(&f, instructions[at].block);
        counted want = { 0, 0, 0 };
        count_request(r, first, bytes, exec, &want);
        if (instructions[at].second)
            count_request(r, second, bytes, exec, &want);
        const lw_banks_report *got = lw_banks_at(banks, 0);
        ck_assert_uint_eq(lw_banks_count(banks), want.phases ? 1 : 0);
        if (got)
            ck_assert_msg(
                got->executed == 1 && got->phases == want.phases && got->turns == want.turns &&
                    got->max_degree == want.worst && got->assumed == (r->guessed || instructions[at].guess) &&
                    got->code_offset == 0,
                "%s of %s, pattern %u: %llu phases, %llu turns, %u-way, assumed %d; not %llu, %llu, %u, %d",
                instructions[at].block, lw_arch_get(arch)->name, n, (unsigned long long)got->phases,
                (unsigned long long)got->turns, got->max_degree, got->assumed,
                (unsigned long long)want.phases, (unsigned long long)want.turns, want.worst,
                r->guessed || instructions[at].guess);
        lw_banks_free(banks);
        fixture_free(&f);
    }
}
END_TEST

/* Runs an instruction of code.s on half a wave whose lanes read these bytes; the conflicts are counted here,
 * too. */
static lw_banks *read_bytes(const rule *r, const char *block, const uint32_t at[LANES], counted *c)
{
    static fixture f;
    lw_banks *banks;
    fixture_init(&f, 1);
    ck_assert_int_eq(lw_banks_create(&banks), LW_OK);
    const lw_observer *observers[] = { lw_banks_observer(banks) };
    f.options.arch = r->arch;
    f.options.observers = observers;
    f.options.observer_count = 1;
    set_exec(&f, UINT32_MAX);
    for (unsigned lane = 0; lane < LANES; lane++)
        reg(&f, 2)[lane] = at[lane] - 3;
    fixture_ok(&f, block);
    *c = (counted){ 0, 0, 0 };
    count_request(r, at, r->bytes, UINT32_MAX, c);
    ck_assert_uint_eq(lw_banks_at(banks, 0)->turns, c->turns);
    fixture_free(&f);
    return banks;
}

static uint64_t padded_turns(const rule *r, const uint32_t at[LANES], uint32_t row, uint32_t pad)
{
    uint32_t moved[LANES];
    counted c = { 0, 0, 0 };
    for (unsigned lane = 0; lane < LANES; lane++)
        moved[lane] = at[lane] + at[lane] / row * pad;
    count_request(r, moved, r->bytes, UINT32_MAX, &c);
    return c.turns;
}

/* A column of a tile: the swizzle and the padding that are found are applied to the addresses, and no smaller
 * padding does as well. */
START_TEST(repairs)
{
    static const struct {
        lw_arch arch;
        const char *block;
        unsigned bytes, pitch;
        bool free; /* of conflicts, once repaired */
    } columns[] = {
        { LW_ARCH_GFX942, "ds_read_b32", 4, 32, true },   { LW_ARCH_GFX942, "ds_read_b64", 8, 32, true },
        { LW_ARCH_GFX942, "ds_read_b128", 16, 32, true }, { LW_ARCH_GFX950, "ds_read_b64", 8, 32, true },
        { LW_ARCH_GFX942, "ds_read_b32", 4, 16, true },
    };
    const rule *r = rule_of(columns[_i].arch, false, columns[_i].bytes);
    uint32_t at[LANES], swizzled[LANES];
    counted plain, moved;
    for (unsigned lane = 0; lane < LANES; lane++)
        at[lane] = lane % 32 * columns[_i].pitch;
    lw_banks *banks = read_bytes(r, columns[_i].block, at, &plain);
    const lw_banks_repair found = *lw_banks_find_repair(banks);
    lw_banks_free(banks);
    ck_assert(plain.turns > plain.phases && found.whole && found.requests == 1);
    ck_assert_uint_eq(found.plain.turns, plain.turns);
    ck_assert(found.swizzled && found.padded);
    for (unsigned lane = 0; lane < LANES; lane++)
        swizzled[lane] = at[lane] ^ (at[lane] >> (found.m + found.s) & ((1u << found.b) - 1)) << found.m;
    lw_banks_free(read_bytes(r, columns[_i].block, swizzled, &moved));
    ck_assert_uint_eq(moved.turns, found.swizzle.turns);
    ck_assert_uint_eq(moved.turns == moved.phases, columns[_i].free);
    ck_assert_uint_eq(padded_turns(r, at, found.row, found.pad), found.padding.turns);
    ck_assert_uint_eq(found.padding.turns == plain.phases, columns[_i].free);
    for (uint32_t row = 64; row <= 4096; row *= 2)
        for (uint32_t pad = columns[_i].bytes; pad <= 256 && pad * found.row < found.pad * row;
             pad += columns[_i].bytes)
            ck_assert_msg(padded_turns(r, at, row, pad) > found.padding.turns, "%u after each %u", pad, row);
}
END_TEST

/* Random addresses: the padding that is found adds least to a row of all that take as few turns. */
START_TEST(smallest_padding)
{
    const rule *r = rule_of(LW_ARCH_GFX942, false, 4);
    uint32_t at[LANES];
    counted plain;
    for (unsigned lane = 0; lane < LANES; lane++)
        at[lane] = (uint32_t)mix((unsigned)_i * 64 + lane % 32) % 96 * 4;
    lw_banks *banks = read_bytes(r, "ds_read_b32", at, &plain);
    const lw_banks_repair found = *lw_banks_find_repair(banks);
    lw_banks_free(banks);
    for (uint32_t row = 64; row <= 4096; row *= 2)
        for (uint32_t pad = 4; pad <= 256 && pad < row; pad += 4) {
            const uint64_t turns = padded_turns(r, at, row, pad);
            const bool smaller = pad * found.row < found.pad * row;
            ck_assert_msg(found.padded ? turns + !smaller > found.padding.turns : turns >= plain.turns,
                          "%u after each %u: %llu turns; %u after each %u", pad, row,
                          (unsigned long long)turns, found.pad, found.row);
        }
}
END_TEST

/* gfx1100 has no rule for stores of 128 bits: they are counted as not checked, and stores with rules are
 * checked. */
START_TEST(accesses_without_a_rule)
{
    static fixture f;
    static const uint32_t code[] = {
        0xdb7c0000, 0x00000200,             /* ds_store_b128 v0, v[2:5] */
        0xd9340000, 0x00000200,             /* ds_store_b64 v0, v[2:3] */
        0xdb7c0000, 0x00000200, 0xbfb00000, /* s_endpgm */
    };
    lw_banks *banks;
    fixture_init(&f, 1);
    ck_assert_int_eq(lw_banks_create(&banks), LW_OK);
    ck_assert_uint_eq(lw_banks_uncounted(banks), 0);
    const lw_observer *observers[] = { lw_banks_observer(banks) };
    f.options.arch = LW_ARCH_GFX1100;
    f.options.observers = observers;
    f.options.observer_count = 1;
    f.options.code = code;
    f.options.words = sizeof(code) / sizeof(code[0]);
    for (unsigned lane = 0; lane < LANES; lane++)
        reg(&f, 0)[lane] = lane * 16;
    ck_assert_msg(lw_code_run(&f.options, f.wave, 1, &f.result, &f.error) == LW_OK, "%s", f.error.text);
    ck_assert_uint_eq(lw_banks_uncounted(banks), 2);
    ck_assert_uint_eq(lw_banks_count(banks), 1);
    ck_assert_ptr_nonnull(strstr(lw_banks_at(banks, 0)->instruction, "ds_store_b64"));
    ck_assert_uint_eq(lw_banks_uncounted(NULL), 0);
    ck_assert_ptr_null(lw_banks_find_repair(NULL));
    lw_banks_free(banks);
    fixture_free(&f);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("banks");
    tcase_add_loop_test(tc, conflicts, 0, 2 * INSTRUCTIONS);
    tcase_add_loop_test(tc, repairs, 0, 5);
    tcase_add_loop_test(tc, smallest_padding, 0, 20);
    tcase_add_test(tc, accesses_without_a_rule);
    return run_suite("observers_banks", tc);
}

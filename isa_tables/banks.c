/* SPDX-License-Identifier: MIT */
#include <lanewise/banks.h>

#include "isa_tables/error.h"

enum { MAX_BANKS = 64, GROUP = 4, GROUPS = LW_BANK_LANES / GROUP };

static const lw_bank_rule rules[] = {
#define RULE(arch_, store_, bytes_, banks_, phases_, lanes_, evidence_, source_, ...)                        \
    { .arch = LW_ARCH_##arch_,                                                                               \
      .store = store_,                                                                                       \
      .bytes = bytes_,                                                                                       \
      .banks = banks_,                                                                                       \
      .phases = phases_,                                                                                     \
      .lanes = lanes_,                                                                                       \
      .merges = false,                                                                                       \
      .phase = { __VA_ARGS__ },                                                                              \
      .evidence = LW_LABEL_##evidence_,                                                                      \
      .source = source_ },
/* NVIDIA: reads and writes alike, 32 lanes, 4, 8 and 16 bytes. */
#define WARP(arch_, wide_, source_)                                                                          \
    WARP_ROW(arch_, false, 4, 1, VENDOR, CUDA, 0, 0, 0, 0, 0, 0, 0, 0)                                       \
    WARP_ROW(arch_, false, 8, 2, wide_, source_, 0, 0, 0, 0, 1, 1, 1, 1)                                     \
    WARP_ROW(arch_, false, 16, 4, wide_, source_, 0, 0, 1, 1, 2, 2, 3, 3)                                    \
    WARP_ROW(arch_, true, 4, 1, VENDOR, CUDA, 0, 0, 0, 0, 0, 0, 0, 0)                                        \
    WARP_ROW(arch_, true, 8, 2, wide_, source_, 0, 0, 0, 0, 1, 1, 1, 1)                                      \
    WARP_ROW(arch_, true, 16, 4, wide_, source_, 0, 0, 1, 1, 2, 2, 3, 3)
#define WARP_ROW(arch_, store_, bytes_, phases_, evidence_, source_, ...)                                    \
    { .arch = LW_ARCH_##arch_,                                                                               \
      .store = store_,                                                                                       \
      .bytes = bytes_,                                                                                       \
      .banks = 32,                                                                                           \
      .phases = phases_,                                                                                     \
      .lanes = 32,                                                                                           \
      .merges = (bytes_) > 4,                                                                                \
      .phase = { __VA_ARGS__ },                                                                              \
      .evidence = LW_LABEL_##evidence_,                                                                      \
      .source = source_ },
#include "isa_tables/banks.inc"
#undef WARP_ROW
#undef WARP
#undef RULE
};

lw_status lw_bank_rule_find(lw_arch arch, bool store, uint32_t bytes, const lw_bank_rule **rule,
                            lw_error *error)
{
    const lw_arch_info *info = lw_arch_get(arch);
    if (!rule || !info || bytes == 0 || bytes > 16)
        return lw_error_fail(error, LW_E_ARGUMENT, "an access of %u bytes: must be 1 to 16 of a known GPU",
                             bytes);
    for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
        if (rules[i].arch == arch && rules[i].store == store && bytes <= rules[i].bytes) {
            *rule = &rules[i];
            return LW_OK;
        }
    return lw_error_fail(error, LW_E_UNSUPPORTED, "%s: how %s of %u bits share banks is not published",
                         info->name, store ? "writes" : "reads", 8 * bytes);
}

static unsigned phase_of(const lw_bank_rule *rule, unsigned lane)
{
    const unsigned half = lane / rule->lanes;
    return half * rule->phases + rule->phase[lane % rule->lanes / GROUP];
}

/* Does every lane's neighbour at this distance access the same address or nothing? */
static bool has_pairs(const lw_bank_access *accesses, size_t count, unsigned distance)
{
    uint64_t address[LW_BANK_LANES];
    bool asks[LW_BANK_LANES] = { false };
    for (size_t i = 0; i < count; i++) {
        asks[accesses[i].lane] = true;
        address[accesses[i].lane] = accesses[i].address;
    }
    for (size_t i = 0; i < count; i++) {
        const unsigned other = accesses[i].lane ^ distance;
        if (asks[other] && address[other] != accesses[i].address)
            return false;
    }
    return true;
}

/* The number of different dwords that the lanes of one phase access in the busiest bank; 0 if no lane
 * accesses one. */
static unsigned phase_degree(const lw_bank_rule *rule, unsigned phase, unsigned step,
                             const lw_bank_access *accesses, size_t count)
{
    uint64_t dwords[MAX_BANKS][LW_BANK_LANES];
    unsigned used[MAX_BANKS] = { 0 };
    unsigned degree = 0;

    for (size_t i = 0; i < count; i++) {
        const lw_bank_access *a = &accesses[i];
        if (a->size == 0 || phase_of(rule, a->lane) / step != phase)
            continue;
        for (uint64_t dword = a->address / 4; dword <= (a->address + a->size - 1) / 4; dword++) {
            const unsigned bank = (unsigned)(dword % rule->banks);
            unsigned seen = 0;
            while (seen < used[bank] && dwords[bank][seen] != dword)
                seen++;
            if (seen == used[bank] && used[bank] < LW_BANK_LANES)
                dwords[bank][used[bank]++] = dword;
            if (used[bank] > degree)
                degree = used[bank];
        }
    }
    return degree;
}

lw_status lw_bank_count(const lw_bank_rule *rule, const lw_bank_access *accesses, size_t count,
                        lw_bank_turns *turns)
{
    if (!rule || (!accesses && count) || !turns || count > LW_BANK_LANES)
        return LW_E_ARGUMENT;
    unsigned halves = 1;
    for (size_t i = 0; i < count; i++) {
        if (accesses[i].lane >= LW_BANK_LANES || accesses[i].size > 16)
            return LW_E_ARGUMENT;
        halves = accesses[i].lane >= rule->lanes ? 2 : halves;
    }
    const bool merged = rule->merges && (has_pairs(accesses, count, 1) || has_pairs(accesses, count, 2));
    const unsigned step = merged ? 2 : 1;
    for (unsigned phase = 0; phase < halves * rule->phases / step; phase++) {
        const unsigned degree = phase_degree(rule, phase, step, accesses, count);
        turns->phases += degree > 0;
        turns->turns += degree;
        if (degree > turns->degree)
            turns->degree = degree;
    }
    turns->inferred |= halves > 1;
    return LW_OK;
}

lw_status lw_bank_phase(const lw_bank_rule *rule, unsigned lane, unsigned *phase)
{
    if (!rule || !phase || !rule->lanes || lane >= LW_BANK_LANES)
        return LW_E_ARGUMENT;
    *phase = phase_of(rule, lane);
    return LW_OK;
}

/* SPDX-License-Identifier: MIT */
/*
 * Prints what must not depend on the host: digests of every AMD instruction on random operands, and of the
 * PTX spellings on standard input ("ARCH SPELLING" per line), by the vectorised code and by the reference;
 * sizes of plain values; the answers of calls with sizes that exceed 32 bits. Natively and on wasm32, the
 * output must be the same.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <lanewise/lanewise.h>

enum { WORDS = 64 * 64 };

static uint64_t state;

static uint32_t draw(void)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(state >> 32);
}

/* Random codes, with zeros, ones and every exponent often enough for sums to be close to each other. */
static void fill(uint32_t *words)
{
    static const uint32_t often[] = { 0,          0x3c003c00, 0x3f800000, 0xbf80bf80,
                                      0x38383838, 0x7f800001, 0x80000000 };
    for (int i = 0; i < WORDS; i++) {
        const uint32_t bits = draw();
        words[i] = bits % 4 ? (draw() & 0x0fff0fff) | 0x30003000 : bits % 8 ? draw() : often[bits / 8 % 7];
    }
}

static uint64_t digest(const uint32_t *words)
{
    uint64_t sum = UINT64_C(14695981039346656037);
    for (int i = 0; i < WORDS; i++)
        for (int byte = 0; byte < 4; byte++)
            sum = (sum ^ (words[i] >> 8 * byte & 0xff)) * UINT64_C(1099511628211);
    return sum;
}

static void run(lw_arch arch, const lw_insn *insn, const lw_mods *mods, unsigned wave, const char *name)
{
    static uint32_t a[WORDS], b[WORDS], c[WORDS], index[WORDS], scale[WORDS], d[WORDS];
    printf("%s %s wave %u:", lw_arch_get(arch)->name, name, wave);
    for (int reference = 0; reference < 2; reference++) {
        const lw_mma_options options = {
            .struct_size = sizeof(lw_mma_options), .mods = mods, .wave = wave, .reference_only = reference
        };
        lw_mma *mma = NULL;
        lw_error error = { "" };
        if (lw_mma_create(arch, insn, &options, &mma, &error) != LW_OK) {
            printf(" %s", error.text);
            break;
        }
        state = 12345;
        for (int round = 0; round < 2; round++) {
            fill(a);
            fill(b);
            fill(c);
            for (int i = 0; i < WORDS; i++) {
                index[i] = UINT32_C(0x4e4e4e4e) ^ (draw() & 1 ? UINT32_C(0xaaaaaaaa) : 0);
                scale[i] = UINT32_C(0x7f7e807f);
            }
            memcpy(d, c, sizeof(d));
            const lw_mma_registers r = {
                .a = a, .b = b, .c = d, .d = d, .index = index, .scale_a = scale, .scale_b = scale
            };
            const lw_status st = lw_mma_execute_registers(mma, &r, NULL);
            printf(" %016" PRIx64 "%s", digest(d), st == LW_OK ? "" : lw_status_text(st));
        }
        lw_mma_free(mma);
    }
    printf("\n");
}

static void run_rows(lw_arch arch)
{
    for (size_t i = 0; i < lw_insn_count(arch); i++) {
        const lw_insn *insn = lw_insn_at(arch, i);
        lw_insn_info info;
        if (lw_insn_get_info(arch, insn, &info) != LW_OK)
            continue;
        for (unsigned wave = 32; wave <= 64; wave *= 2)
            if (info.wave_sizes & (wave == 32 ? 1u : 2u))
                run(arch, insn, NULL, wave, info.mnemonic);
    }
}

static void run_spellings(void)
{
    char line[256];
    while (fgets(line, sizeof(line), stdin)) {
        line[strcspn(line, "\n")] = '\0';
        char *spelling = strchr(line, ' ');
        lw_arch arch;
        const lw_insn *insn = NULL;
        lw_mods mods;
        lw_insn_info info;
        if (!spelling)
            continue;
        *spelling++ = '\0';
        if (lw_arch_find(line, &arch) != LW_OK || lw_insn_parse(arch, spelling, &insn, &mods, NULL) != LW_OK)
            continue;
        if (lw_insn_get_info(arch, insn, &info) == LW_OK && !info.moves)
            run(arch, insn, &mods, 32, spelling);
    }
}

/* Sizes that do not fit 32 bits are refused, not truncated. */
static void say_sizes(void)
{
    static const char npy[] =
        "\x93NUMPY\x01\x00v\x00{'descr': '<f4', 'fortran_order': False, 'shape': (65536, 16384)}"
        "                                                     \n....";
    printf("plain values: %zu %zu %zu %zu %zu\n", sizeof(lw_digit), sizeof(lw_pair), sizeof(lw_relation),
           sizeof(lw_layout_entry), sizeof(lw_error));
    lw_memory *memory = NULL;
    uint64_t address = 0;
    lw_error error = { "" };
    lw_npy array;
    if (lw_memory_create(&memory) != LW_OK)
        return;
    /* 2^42 bytes exceed all memory; 2^32 + 16, truncated, would be 16 */
    printf("2^42 bytes: %s\n", lw_status_text(lw_memory_allocate(memory, "x", UINT64_C(1) << 42,
                                                                 LW_ACCESS_READ_WRITE, &address, &error)));
    const uint64_t size = (UINT64_C(1) << 32) + 16;
    const lw_status st = lw_memory_allocate(memory, "x", size, LW_ACCESS_READ, &address, &error);
    uint8_t byte = 1;
    const bool held =
        st == LW_OK && sizeof(size_t) > 4 && lw_memory_read(memory, address + size - 1, &byte, 1) == LW_OK;
    printf("2^32 + 16 bytes: %s\n", held || st == LW_E_NO_MEMORY ? "held or refused" : "cut");
    lw_memory_free(memory);
    const bool read = lw_npy_read(npy, sizeof(npy) - 1, &array, &error) == LW_OK;
    printf("npy of 2^32 bytes, in 4: %s\n", read ? "read" : "refused");
}

int main(void)
{
    for (lw_arch arch = LW_ARCH_GFX908; arch <= LW_ARCH_GFX1250; arch = (lw_arch)(arch + 1))
        run_rows(arch);
    run_spellings();
    say_sizes();
    return 0;
}

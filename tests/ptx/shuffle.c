/* SPDX-License-Identifier: MIT */
#include "shuffle.h"

#include <stdio.h>
#include <string.h>

enum { WORDS = 24, WORD = 32 };

static unsigned draw(uint64_t *state, unsigned below)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(*state >> 33) % below;
}

/* 1 for types, 2 for layouts, 3 for operations on bits, 0 for words that may be anywhere. */
static int sequence_of(const char *word)
{
    static const char *const lists[] = {
        (" f16 bf16 tf32 f32 f64 e4m3 e5m2 e3m2 e2m3 e2m1 s8 u8 s4 u4 b1 s32 b16 b8 b8x16 b6x16_p32 "
         "b4x16_p64 ue8m0 ue4m3 "),
        " row col ",
        " xor and popc ",
    };
    char with[WORD + 2];
    snprintf(with, sizeof(with), " %s ", word);
    for (int i = 0; i < 3; i++)
        if (strstr(lists[i], with))
            return i + 1;
    return 0;
}

/* Words that are the instruction's name: mma, wmma.mma, wmma.load.a, wgmma.mma_async. */
static int name_words(const char *spelling)
{
    if (strncmp(spelling, "wgmma.", 6) == 0)
        return 2;
    if (strncmp(spelling, "wmma.", 5) != 0)
        return 1;
    return strncmp(spelling, "wmma.mma", 8) == 0 ? 2 : 3;
}

static void mix(char words[WORDS][WORD], int count, uint64_t *state)
{
    char kept[WORD];
    for (int i = count - 1; i > 0; i--) {
        const int j = (int)draw(state, (unsigned)i + 1);
        memcpy(kept, words[i], WORD);
        memcpy(words[i], words[j], WORD);
        memcpy(words[j], kept, WORD);
    }
}

void shuffle_words(const char *spelling, bool keep, uint64_t *state, char out[SHUFFLE_MAX])
{
    char words[WORDS][WORD] = { "" }, mixed[WORDS][WORD];
    int count = 0, next[4] = { 0 };
    const int name = name_words(spelling);
    for (const char *at = spelling; *at && count < WORDS; count++) {
        const size_t length = strcspn(at, ".");
        snprintf(words[count], WORD, "%.*s", (int)length, at);
        at += length + (at[length] == '.');
    }
    memcpy(mixed, words, sizeof(mixed));
    mix(mixed + name, count - name, state);
    size_t used = 0;
    for (int i = 0; i < count; i++) {
        const int s = i < name ? 0 : sequence_of(mixed[i]);
        const char *word = mixed[i];
        if (keep && s) { /* the next word of its sequence, as in the spelling */
            int n = next[s] ? next[s] : name;
            while (sequence_of(words[n]) != s)
                n++;
            word = words[n];
            next[s] = n + 1;
        }
        used += (size_t)snprintf(out + used, SHUFFLE_MAX - used, "%s%s", i ? "." : "", word);
    }
}

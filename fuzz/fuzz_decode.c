/* SPDX-License-Identifier: MIT */
/* Arbitrary bytes as machine code: decoding, printing and listing registers stay inside their buffers. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "emu/amdgpu/decode/decoded.h"
#include "emu/amdgpu/decode/facts.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void walk(lw_arch arch, const uint32_t *words, size_t count)
{
    for (size_t at = 0; at < count;) {
        lw_decoded in;
        char text[200];
        if (lw_amdgpu_decode(arch, words + at, count - at, &in) != LW_OK) {
            at++;
            continue;
        }
        if (lw_amdgpu_text(arch, &in, text, sizeof(text)) >= sizeof(text) || in.words > count - at ||
            lw_decoded_operands(&in, NULL, 0) > LW_MAX_OPERANDS)
            abort();
        at += in.words;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const size_t count = size / sizeof(uint32_t);
    uint32_t *words = malloc(count ? count * sizeof(*words) : 1);
    if (!words)
        return 0;
    memcpy(words, data, count * sizeof(*words));
    walk(LW_ARCH_GFX942, words, count);
    walk(LW_ARCH_GFX950, words, count);
    free(words);
    return 0;
}

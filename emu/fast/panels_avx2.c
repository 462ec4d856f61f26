/* SPDX-License-Identifier: MIT */
/* The panel kernels for AVX2 and FMA. */
#include "emu/fast/panel_isa.h"

#include <stddef.h>
#include <string.h>

#ifdef LW_FAST_X86

#include "emu/fast/vec_avx2_lanes.h"

#include "emu/fast/panel_kernels.h"
#include "emu/fast/panel_look.h"
#include "emu/fast/panel_words.h"

const lw_look *lw_avx2_look(void)
{
    return &looks;
}

lw_panel_fn lw_avx2_panels(const lw_panel_shape *shape)
{
    return find_kernel(shape);
}

/* Eight words from four vectors: bits 3 and 4 of a pick name the vector. */
static vi shuffle(const uint8_t *pick, const uint16_t *vector, const uint32_t *in)
{
    uint64_t bytes;
    memcpy(&bytes, pick, sizeof(bytes));
    const vi lane = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long)bytes));
    const __m256 odd = _mm256_castsi256_ps(vi_shl(lane, 28)), upper = _mm256_castsi256_ps(vi_shl(lane, 27));
    __m256 from[4];
    for (int n = 0; n < 4; n++)
        from[n] = _mm256_castsi256_ps(_mm256_permutevar8x32_epi32(vi_load(in + vector[n]), lane));
    const __m256 low = _mm256_blendv_ps(from[0], from[1], odd),
                 high = _mm256_blendv_ps(from[2], from[3], odd);
    return _mm256_castps_si256(_mm256_blendv_ps(low, high, upper));
}

static void move_words(const lw_move *move, const uint32_t *in, uint32_t *out)
{
    for (unsigned n = 0; n < move->chunks; n++, out += LW_PANEL) {
        const lw_move_chunk *chunk = &move->chunk[n];
        if (chunk->kind == LW_MOVE_RUN) {
            const uint32_t *from = in + chunk->from[0];
            vi_store(out, vi_load(from));
            vi_store(out + VEC_LANES, vi_load(from + VEC_LANES));
        } else if (chunk->by_half) {
            vi_store(out, shuffle(chunk->half_pick, chunk->half_vector[0], in));
            vi_store(out + VEC_LANES, shuffle(chunk->half_pick + VEC_LANES, chunk->half_vector[1], in));
        } else {
            for (int t = 0; t < LW_PANEL; t++)
                out[t] = in[chunk->from[t]];
        }
    }
}

#include "emu/fast/panel_spread.h"

const lw_words *lw_avx2_words(void)
{
    static const lw_words words = WORDS_OF(move_words, index_nibbles, spread);
    return &words;
}

#endif

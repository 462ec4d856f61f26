/* SPDX-License-Identifier: MIT */
/*
 * Shared by the stages of the MXFP4 GEMM  C[m][n] = sum over k of A[m][k] * B[n][k]  for gfx950.
 *
 * A is bf16, row-major, and is quantized to MXFP4 on the fly: blocks of 32 along k with one E8M0 scale.
 * B is MXFP4 already and shuffled for the matrix instruction (16 columns x 128 k at a time):
 *   codes   [n/16][k/32][16 columns][16 bytes]: 64 lanes read one tile as 64 x 16 consecutive bytes;
 *   scales  [n/32][k/256][4 k blocks][16 columns][2 halves of k][2 halves of n], one byte each: lane
 *           16*q + j finds, in one dword, the scales of four neighbouring tiles.
 * m need not be a multiple of 16; n is a multiple of 32 and k of 256.
 */
#ifndef EXAMPLES_MXFP4_H
#define EXAMPLES_MXFP4_H

#include "rt.h"

enum {
    TILE = 16,    /* rows and columns of C that one matrix instruction computes */
    STEP = 128,   /* k that one matrix instruction consumes */
    BLOCK = 32,   /* k that share one scale */
    WAVE = 64,
    FMT_FP4 = 4,  /* the operand format code of v_mfma_scale_*_f8f6f4 */
};

/* The 32 values of A that one lane quantizes. */
struct a_block {
    union {
        u32x4 quad[4];
        u32 pair[16];
    };
};

struct fp4_block {
    u32 code[4]; /* element e of the block is nibble e, counted from the low end */
    u32 scale;   /* E8M0 in the low byte */
};

/*
 * Largest magnitude of a block, as bf16 bits. bf16 bit patterns without sign are ordered like the
 * numbers, and so are f16 patterns up to infinity (0x7c00): the f16 maximum therefore works on bf16
 * data below 2^121. The compiler has no builtin for the three-operand packed form.
 */
DEVICE u32 block_magnitude(const a_block &a)
{
    u32 v[16];
    for (int i = 0; i < 16; i++)
        v[i] = a.pair[i] & 0x7fff7fffu;

    u32 part[5], top;
    for (int i = 0; i < 5; i++)
        asm("v_pk_maximum3_f16 %0, %1, %2, %3" : "=v"(part[i]) : "v"(v[3 * i]), "v"(v[3 * i + 1]), "v"(v[3 * i + 2]));
    asm("v_pk_maximum3_f16 %0, %1, %2, %3" : "=v"(top) : "v"(part[0]), "v"(part[1]), "v"(v[15]));
    asm("v_pk_maximum3_f16 %0, %0, %1, %2" : "+v"(top) : "v"(part[2]), "v"(part[3]));
    asm("v_pk_max_f16 %0, %0, %1" : "+v"(top) : "v"(part[4]));
    asm("v_max_f16_sdwa %0, %0, %0 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_0 src1_sel:WORD_1"
        : "+v"(top));
    return top;
}

/*
 * Scale rule: the magnitude's exponent less 2 (fp4's largest binade is 4..6), where a significand of
 * 1.75 and more counts as the next binade (the 0x20), because it would round past 6. Scales below
 * 2^-127 do not exist, so the subtraction saturates: zero and tiny blocks get 2^-127.
 */
DEVICE u32 scale_for(u32 magnitude)
{
    return __builtin_elementwise_sub_sat((magnitude + 0x20) >> 7, 2u);
}

DEVICE fp4_block quantize(const a_block &a)
{
    fp4_block q = {};
    q.scale = scale_for(block_magnitude(a));

    const float scale = bits_as<float>(q.scale << 23); /* the instruction looks at the exponent only */
    for (int i = 0; i < 4; i++) {
        q.code[i] = __builtin_amdgcn_cvt_scalef32_pk_fp4_bf16(q.code[i], bits_as<bf16x2>(a.pair[4 * i]), scale, 0);
        q.code[i] = __builtin_amdgcn_cvt_scalef32_pk_fp4_bf16(q.code[i], bits_as<bf16x2>(a.pair[4 * i + 1]), scale, 1);
        q.code[i] = __builtin_amdgcn_cvt_scalef32_pk_fp4_bf16(q.code[i], bits_as<bf16x2>(a.pair[4 * i + 2]), scale, 2);
        q.code[i] = __builtin_amdgcn_cvt_scalef32_pk_fp4_bf16(q.code[i], bits_as<bf16x2>(a.pair[4 * i + 3]), scale, 3);
    }
    return q;
}

/* One matrix instruction. SCALE_BYTE picks the byte of b_scale; the scale of A is in byte 0. */
template <int SCALE_BYTE> DEVICE f32x4 multiply(const fp4_block &a, u32x4 b, u32 b_scale, f32x4 c)
{
    const u32x8 wide_a = { a.code[0], a.code[1], a.code[2], a.code[3] }; /* fp4 uses 4 of 8 registers */
    const u32x8 wide_b = { b.x, b.y, b.z, b.w };
    return __builtin_amdgcn_mfma_scale_f32_16x16x128_f8f6f4(wide_a, wide_b, c, FMT_FP4, FMT_FP4, 0, a.scale,
                                                            SCALE_BYTE, b_scale);
}

/* Byte offset of the dword that holds this lane's scales for column tile `tile_x` and step `step`. */
DEVICE u32 scale_offset(u32 tile_x, u32 step, u32 k, u32 lane)
{
    return ((tile_x / 2 * (k / 256) + step / 2) * WAVE + lane) * 4;
}

/* Which byte of that dword belongs to the tile and step. */
DEVICE u32 scale_byte(u32 tile_x, u32 step) { return (step & 1) * 2 + (tile_x & 1); }

/* Index, in 16-byte units, of this lane's codes. */
DEVICE u32 code_index(u32 tile_x, u32 step, u32 k, u32 lane) { return (tile_x * (k / STEP) + step) * WAVE + lane; }

/* Stores the four rows of a tile that a lane holds, as bf16, leaving out rows from m on. */
DEVICE void store_tile(bf16 *C, f32x4 acc, u32 row0, u32 col0, u32 lane, u32 m, u32 n)
{
    const u32 row = row0 + lane / 16 * 4;
    for (u32 i = 0; i < 4; i++)
        if (row + i < m)
            C[(row + i) * n + col0 + lane % 16] = static_cast<bf16>(acc[i]);
}

#endif

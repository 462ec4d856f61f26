// SPDX-License-Identifier: MIT
// One warp's products of 8 and 4 bits on sm_120a: e4m3 and e5m2, e2m1 with scales for 32 or 16 k each.

// a: 16 rows of 32 bytes, b: 8 columns of 32 bytes
extern "C" __global__ void product_fp8(const unsigned *a, const unsigned *b, float *c)
{
    const int t = threadIdx.x, row = t / 4, quad = t % 4;
    unsigned ra[4], rb[2];
    float d[4];
    for (int i = 0; i < 4; i++) {
        ra[i] = a[(row + i % 2 * 8) * 8 + quad + i / 2 * 4];
        d[i] = c[(row + i / 2 * 8) * 8 + quad * 2 + i % 2];
    }
    for (int i = 0; i < 2; i++)
        rb[i] = b[row * 8 + quad + i * 4];
    asm volatile("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
    for (int i = 0; i < 4; i++)
        c[(row + i / 2 * 8) * 8 + quad * 2 + i % 2] = d[i];
}

// s: for each row of A, then each column of B, as many scales as there are blocks of k
#define SCALED(name, words, blocks)                                                                                    \
    extern "C" __global__ void name(const unsigned *a, const unsigned *b, const unsigned char *s, float *c)            \
    {                                                                                                                  \
        const int t = threadIdx.x, row = t / 4, quad = t % 4;                                                          \
        unsigned ra[4], rb[2], sa = 0, sb = 0;                                                                         \
        float d[4] = { 0, 1, 2, 3 };                                                                                   \
        for (int i = 0; i < 4; i++)                                                                                    \
            ra[i] = a[(row + i % 2 * 8) * 8 + quad + i / 2 * 4];                                                       \
        for (int i = 0; i < 2; i++)                                                                                    \
            rb[i] = b[row * 8 + quad + i * 4];                                                                         \
        for (int i = 0; i < blocks; i++) {                                                                             \
            sa |= (unsigned)s[(row + quad % 2 * 8) * blocks + i] << 8 * i;                                             \
            sb |= (unsigned)s[(16 + row) * blocks + i] << 8 * i;                                                       \
        }                                                                                                              \
        asm volatile("mma.sync.aligned.m16n8k64.row.col." words                                                        \
                     " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3}, %10, {0, 0}, %11, {0, 0};"                \
                     : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])                                                  \
                     : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]), "r"(sa), "r"(sb));      \
        for (int i = 0; i < 4; i++)                                                                                    \
            c[(row + i / 2 * 8) * 8 + quad * 2 + i % 2] = d[i];                                                        \
    }
SCALED(product_mxf4, "kind::mxf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0", 2)
SCALED(product_nvf4, "kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3", 4)

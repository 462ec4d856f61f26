// SPDX-License-Identifier: MIT
// One warp, one product with scales. Fragments as the PTX ISA manual draws them.

// a: 16 rows of 32 bytes, b: 8 columns of 32 bytes, s: 16 scales of A, then 8 of B, each in a byte
extern "C" __global__ void product_scaled(const unsigned *a, const unsigned *b, const unsigned char *s, float *c)
{
    const int t = threadIdx.x, row = t / 4, quad = t % 4;
    unsigned ra[4], rb[2];
    float d[4] = { 1, 2, 3, 4 };
    for (int i = 0; i < 4; i++)
        ra[i] = a[(row + i % 2 * 8) * 8 + quad + i / 2 * 4];
    for (int i = 0; i < 2; i++)
        rb[i] = b[row * 8 + quad + i * 4];
    // A's scales are read from lanes 2 and 3 of each four, byte 1; B's from lane 3, byte 2
    const unsigned sa = quad >= 2 ? (unsigned)s[row + (quad - 2) * 8] << 8 | 0x77000077u : 0x77777777u;
    const unsigned sb = quad == 3 ? (unsigned)s[16 + row] << 16 | 0x77007777u : 0x77777777u;
    asm volatile("mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32.e4m3.e4m3.f32.ue8m0 "
                 "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3}, %10, {1, 1}, %11, {2, 3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]), "r"(sa), "r"(sb));
    for (int i = 0; i < 4; i++)
        c[(row + i / 2 * 8) * 8 + quad * 2 + i % 2] = d[i];
}

/* SPDX-License-Identifier: MIT */
/* The names are those of FIPS 180-4, sections 4.1.2, 5.1.1 and 6.2. */
#include <stdio.h>
#include <string.h>

#include <lanewise/hash.h>

enum { BLOCK = 64, ROUNDS = 64, LENGTH_AT = 56 };

/* Section 4.2.2: the first 32 bits of the fractions of the cube roots of the first 64 primes. */
static const uint32_t K[ROUNDS] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotr(uint32_t x, unsigned n)
{
    return x >> n | x << (32 - n);
}

static void schedule(const uint8_t block[BLOCK], uint32_t w[ROUNDS])
{
    for (int t = 0; t < 16; t++)
        w[t] = (uint32_t)block[4 * t] << 24 | (uint32_t)block[4 * t + 1] << 16 |
               (uint32_t)block[4 * t + 2] << 8 | block[4 * t + 3];
    for (int t = 16; t < ROUNDS; t++) {
        const uint32_t s0 = rotr(w[t - 15], 7) ^ rotr(w[t - 15], 18) ^ w[t - 15] >> 3;
        const uint32_t s1 = rotr(w[t - 2], 17) ^ rotr(w[t - 2], 19) ^ w[t - 2] >> 10;
        w[t] = w[t - 16] + s0 + w[t - 7] + s1;
    }
}

static void compress(uint32_t hash[8], const uint8_t block[BLOCK])
{
    uint32_t w[ROUNDS], v[8]; /* v: a to h */
    schedule(block, w);
    memcpy(v, hash, sizeof(v));
    for (int t = 0; t < ROUNDS; t++) {
        const uint32_t s1 = rotr(v[4], 6) ^ rotr(v[4], 11) ^ rotr(v[4], 25);
        const uint32_t choice = (v[4] & v[5]) ^ (~v[4] & v[6]);
        const uint32_t t1 = v[7] + s1 + choice + K[t] + w[t];
        const uint32_t s0 = rotr(v[0], 2) ^ rotr(v[0], 13) ^ rotr(v[0], 22);
        const uint32_t majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
        memmove(&v[1], &v[0], 7 * sizeof(v[0]));
        v[4] += t1;
        v[0] = t1 + s0 + majority;
    }
    for (int i = 0; i < 8; i++)
        hash[i] += v[i];
}

/* The last block or two: the rest of the file, a one bit, zeros, and the length in bits. */
static void finish(uint32_t hash[8], uint8_t block[BLOCK], size_t rest, uint64_t bytes)
{
    memset(block + rest, 0, BLOCK - rest);
    block[rest] = 0x80;
    if (rest >= LENGTH_AT) {
        compress(hash, block);
        memset(block, 0, BLOCK);
    }
    for (int i = 0; i < 8; i++)
        block[LENGTH_AT + i] = (uint8_t)(bytes * 8 >> (56 - 8 * i));
    compress(hash, block);
}

void lw_sha256_begin(lw_sha256 *s)
{
    if (s)
        *s = (lw_sha256){ .hash = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c,
                                    0x1f83d9ab, 0x5be0cd19 } };
}

void lw_sha256_add(lw_sha256 *s, const void *bytes, size_t size)
{
    const uint8_t *from = bytes;
    while (s && bytes && size) {
        const size_t at = (size_t)(s->bytes % BLOCK), part = size < BLOCK - at ? size : BLOCK - at;
        memcpy(s->block + at, from, part);
        s->bytes += part;
        from += part;
        size -= part;
        if (s->bytes % BLOCK == 0)
            compress(s->hash, s->block);
    }
}

void lw_sha256_end(lw_sha256 *s, uint8_t *digest, char *text)
{
    if (!s)
        return;
    finish(s->hash, s->block, (size_t)(s->bytes % BLOCK), s->bytes);
    for (int i = 0; i < LW_SHA256_BYTES; i++) {
        const uint8_t byte = (uint8_t)(s->hash[i / 4] >> (24 - 8 * (i % 4)));
        if (digest)
            digest[i] = byte;
        if (text)
            snprintf(text + 2 * i, 3, "%02x", byte);
    }
}

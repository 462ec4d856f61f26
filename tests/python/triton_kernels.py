# SPDX-License-Identifier: MIT
"""Triton kernels, written for the tests of lanewise.triton."""
import triton
import triton.language as tl


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i, mask=i < n) + tl.load(y + i, mask=i < n), mask=i < n)


@triton.jit
def scaled_sum(x, out, factor, none, n):
    i = tl.arange(0, 64)
    v = tl.load(x + i, mask=i < n, other=0)
    if none is not None:
        v += 1
    tl.store(out, tl.sum(v, 0) * factor)


@triton.jit
def matmul(a, b, c, M, N, K, TF32: tl.constexpr, SUM: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m, n, k = tl.program_id(0) * BM + tl.arange(0, BM), tl.program_id(1) * BN + tl.arange(0, BN), tl.arange(0, BK)
    at_a, at_b = a + m[:, None] * K + k[None, :], b + k[:, None] * N + n[None, :]
    total = tl.zeros((BM, BN), SUM)
    for _ in range(0, K, BK):
        total = tl.dot(tl.load(at_a), tl.load(at_b), total, input_precision=TF32, out_dtype=SUM)
        at_a += BK
        at_b += BK * N
    tl.store(c + m[:, None] * N + n[None, :], total)


@triton.jit
def split_k(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, PARTS: tl.constexpr):
    part = tl.program_id(2)
    m, n = tl.program_id(0) * BM + tl.arange(0, BM), tl.program_id(1) * BN + tl.arange(0, BN)
    total = tl.zeros((BM, BN), tl.float32)
    for first in range(part * BK, K, BK * PARTS):
        k = first + tl.arange(0, BK)
        total = tl.dot(tl.load(a + m[:, None] * K + k[None, :]), tl.load(b + k[:, None] * N + n[None, :]), total)
    tl.atomic_add(c + m[:, None] * N + n[None, :], total)


@triton.jit
def scaled_matmul(a, scale_a, b, scale_b, c, K: tl.constexpr, A: tl.constexpr, B: tl.constexpr, PACK_A: tl.constexpr, PACK_B: tl.constexpr,
                  BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m, n, s = tl.arange(0, BM), tl.arange(0, BN), tl.arange(0, BK // 32)
    ka, kb = tl.arange(0, BK // PACK_A), tl.arange(0, BK // PACK_B)
    total = tl.zeros((BM, BN), tl.float32)
    for first in range(0, K, BK):
        x = tl.load(a + m[:, None] * (K // PACK_A) + first // PACK_A + ka[None, :])
        y = tl.load(b + n[None, :] * (K // PACK_B) + first // PACK_B + kb[:, None])
        p = tl.load(scale_a + m[:, None] * (K // 32) + first // 32 + s[None, :])
        q = tl.load(scale_b + n[:, None] * (K // 32) + first // 32 + s[None, :])
        total = tl.dot_scaled(x, p, A, y, q, B, total)
    tl.store(c + m[:, None] * BN + n[None, :], total)


@triton.jit
def softmax(x, out, columns, BLOCK: tl.constexpr):
    row, i = tl.program_id(0), tl.arange(0, BLOCK)
    v = tl.load(x + row * columns + i, mask=i < columns, other=-float('inf'))
    e = tl.exp(v - tl.max(v, 0))
    tl.store(out + row * columns + i, e / tl.sum(e, 0), mask=i < columns)


@triton.jit
def layer_norm(x, weight, bias, out, columns, eps, BLOCK: tl.constexpr):
    row, i = tl.program_id(0), tl.arange(0, BLOCK)
    inside = i < columns
    v = tl.load(x + row * columns + i, mask=inside, other=0.0).to(tl.float32)
    mean = tl.sum(v, 0) / columns
    d = tl.where(inside, v - mean, 0.0)
    scale = 1 / tl.sqrt(tl.sum(d * d, 0) / columns + eps)
    y = d * scale * tl.load(weight + i, mask=inside) + tl.load(bias + i, mask=inside)
    tl.store(out + row * columns + i, y, mask=inside)


@triton.jit
def attention(q, k, v, out, scale, KEYS: tl.constexpr, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    m, d, n = tl.program_id(0) * BM + tl.arange(0, BM), tl.arange(0, D), tl.arange(0, BN)
    query = tl.load(q + m[:, None] * D + d[None, :])
    most = tl.full((BM,), -float('inf'), tl.float32)
    total = tl.zeros((BM,), tl.float32)
    result = tl.zeros((BM, D), tl.float32)
    for first in range(0, KEYS, BN):
        at = first + n
        score = tl.dot(query, tl.load(k + at[None, :] * D + d[:, None])) * scale
        higher = tl.maximum(most, tl.max(score, 1))
        weight = tl.exp2(score - higher[:, None])
        old = tl.exp2(most - higher)
        total = total * old + tl.sum(weight, 1)
        result = result * old[:, None] + tl.dot(weight.to(tl.float16), tl.load(v + at[:, None] * D + d[None, :]))
        most = higher
    tl.store(out + m[:, None] * D + d[None, :], result / total[:, None])


@triton.jit
def sort(x, out, N: tl.constexpr):
    i, row = tl.arange(0, N), tl.program_id(0)
    tl.store(out + row * N + i, tl.sort(tl.load(x + row * N + i)))


@triton.jit
def described(x, out, M, N, BM: tl.constexpr, BN: tl.constexpr):
    """Tensor descriptors that the kernel makes."""
    source = tl.make_tensor_descriptor(x, [M, N], [N, 1], [BM, BN])
    target = tl.make_tensor_descriptor(out, [M, N], [N, 1], [BM, BN])
    at, to = tl.program_id(0) * BM, tl.program_id(1) * BN
    target.store([at, to], source.load([at, to]) * 2)

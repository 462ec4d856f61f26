# SPDX-License-Identifier: MIT
"""Every number of eval --explain, computed again with fractions from the rules of docs/numerics.md.

For each kind of arithmetic: elements of random, cancelling and lopsided operands; each line that the program prints must be
the expected one, in order. Usage: explain.py LANEWISE
"""
import os
import random
import re
import struct
import subprocess
import sys
import tempfile
from fractions import Fraction as Q

from explain_rules import F, Overflow, Step, bits_of, shown, special, value


class Case:
    def __init__(self, insn, arch, a, b, k, run, acc='f32', m=16, n=16, mods=(), scaled=False, wave=None,
                 sparse=False, numerics=None):
        self.insn, self.arch, self.a, self.b, self.k, self.run, self.acc = insn, arch, a, b, k, run, acc
        self.m, self.n, self.mods, self.scaled, self.wave, self.sparse = m, n, mods, scaled, wave, sparse
        self.numerics = numerics


def grouped(size, step, acc_format='f32', order=None):
    def run(s, c):
        names, acc = ['C', 'accumulator'], c
        ks = list(order or range(s.case.k))
        for at in range(0, len(ks), size):
            s.begin(names[at > 0], acc, acc_format)
            acc = step(s, ks[at:at + size], acc, at == 0)
        return acc
    return run


def chained(f):
    def run(s, c):
        s.begin('C', c, f)
        return s.chain(range(s.case.k), c, f)
    return run


def tr(size):
    return grouped(size, lambda s, ks, acc, first: s.aligned(ks, acc, 1, False))


def gtr(size):
    return grouped(size, lambda s, ks, acc, first: s.aligned(ks, acc, 2, True))


def ones(f, flush=False):
    return grouped(2, lambda s, ks, acc, first: s.ones(ks, acc, f, flush), f)


def pairs(f, size=2, order=None):
    return grouped(4, lambda s, ks, acc, first: s.pairs(ks, acc, f, size), f, order)


def integers(s, c):
    s.begin('C', c, 'i32')
    total = value('i32', c)
    for k in range(s.case.k):
        total += s.product(k)
        s.say('total', k, value(s.fa, s.a[k]), value(s.fb, s.b[k]), total)
    return int(total) % 2 ** 32


FOURS = [0, 1, 2, 3, 8, 9, 10, 11, 4, 5, 6, 7, 12, 13, 14, 15]
EXACT = {n: grouped(n, lambda s, ks, acc, first: s.exact(ks, acc)) for n in (2, 4)}
TREE = {n: grouped(n, lambda s, ks, acc, first: s.tree(ks, acc, first)) for n in (2, 4)}
CASES = [
    Case('v_mfma_f32_16x16x4f32', 'gfx908', 'f32', 'f32', 4, chained('f32')),
    Case('v_mfma_f32_16x16x16f16', 'gfx908', 'f16', 'f16', 16, EXACT[4]),
    Case('v_mfma_f32_16x16x8bf16', 'gfx908', 'bf16', 'bf16', 8, EXACT[2]),
    Case('v_mfma_f64_16x16x4f64', 'gfx90a', 'f64', 'f64', 4, chained('f64'), 'f64'),
    Case('v_mfma_f32_16x16x16f16', 'gfx90a', 'f16', 'f16', 16, TREE[4]),
    Case('v_mfma_f32_16x16x8bf16', 'gfx90a', 'bf16', 'bf16', 8, TREE[2]),
    Case('v_mfma_f32_16x16x16bf16_1k', 'gfx90a', 'bf16', 'bf16', 16, TREE[4]),
    Case('v_mfma_f32_16x16x16_f16', 'gfx942', 'f16', 'f16', 16, tr(8)),
    Case('v_mfma_f32_32x32x8_bf16', 'gfx942', 'bf16', 'bf16', 8, tr(8), m=32, n=32),
    Case('v_mfma_f32_16x16x8_xf32', 'gfx942', 'xf32', 'xf32', 8, tr(4)),
    Case('v_mfma_f32_16x16x32_fp8_bf8', 'gfx942', 'fp8_fnuz', 'bf8_fnuz', 32, gtr(16)),
    Case('v_mfma_f32_16x16x32_bf8_fp8', 'gfx950', 'bf8', 'fp8', 32, gtr(16)),
    Case('v_mfma_f32_16x16x32_f16', 'gfx950', 'f16', 'f16', 32, tr(8)),
    Case('v_mfma_f32_16x16x32_f16', 'gfx950', 'f16', 'f16', 32, tr(16), numerics='doubled-k:tr16'),
    Case('v_mfma_f32_32x32x16_bf16', 'gfx950', 'bf16', 'bf16', 16, gtr(16), m=32, n=32, numerics='doubled-k:gtr16'),
    Case('v_wmma_f32_16x16x16_fp8_fp8', 'gfx1201', 'fp8', 'fp8', 16, pairs('f32', 4), numerics='gfx12-fp8-order:ascending'),
    Case('v_wmma_f32_16x16x32_f16', 'gfx1250', 'f16', 'f16', 32, chained('f32'), numerics='gfx1250-sum:fma'),
    Case('v_mfma_f32_16x16x128_f8f6f4', 'gfx950', 'fp6', 'bf8', 128, gtr(32), mods=('cbsz:2', 'blgp:1')),
    Case('v_mfma_scale_f32_16x16x128_f8f6f4', 'gfx950', 'fp8', 'fp4', 128, gtr(32), mods=('blgp:4',), scaled=True),
    Case('v_wmma_f32_16x16x16_f16', 'gfx1100', 'f16', 'f16', 16, ones('f32')),
    Case('v_wmma_f16_16x16x16_f16', 'gfx1100', 'f16', 'f16', 16, ones('f16'), 'f16'),
    Case('v_wmma_f32_16x16x16_bf16', 'gfx1100', 'bf16', 'bf16', 16, ones('f32', True)),
    Case('v_wmma_bf16_16x16x16_bf16', 'gfx1100', 'bf16', 'bf16', 16, ones('bf16', True), 'bf16', wave='64'),
    Case('v_wmma_f32_16x16x16_f16', 'gfx1201', 'f16', 'f16', 16, pairs('f32')),
    Case('v_wmma_f16_16x16x16_f16', 'gfx1201', 'f16', 'f16', 16, pairs('f16'), 'f16', wave='64'),
    Case('v_wmma_bf16_16x16x16_bf16', 'gfx1201', 'bf16', 'bf16', 16, pairs('bf16'), 'bf16'),
    Case('v_wmma_f32_16x16x16_fp8_bf8', 'gfx1201', 'fp8', 'bf8', 16, pairs('f32', 4, FOURS)),
    Case('v_smfmac_f32_16x16x32_f16', 'gfx942', 'f16', 'f16', 16, tr(8), sparse=True),
    Case('v_smfmac_f32_32x32x32_fp8_bf8', 'gfx942', 'fp8_fnuz', 'bf8_fnuz', 16, gtr(16), m=32, n=32, sparse=True),
    Case('v_swmmac_f16_16x16x32_f16', 'gfx1201', 'f16', 'f16', 16, pairs('f16'), 'f16', sparse=True),
    Case('v_mfma_i32_16x16x32_i8', 'gfx942', 'i8', 'i8', 32, integers, 'i32'),
    Case('v_wmma_i32_16x16x16_iu4', 'gfx1100', 'i4', 'i4', 16, integers, 'i32', mods=('neg_lo:[1,1,0]',)),
    Case('v_wmma_f32_16x16x64_fp8_fp8', 'gfx1250', 'fp8', 'fp8', 64, pairs('f32', 4)),
]


def random_code(r, f, far):
    e, m, bias, _ = F[f]
    if not e:
        return r.getrandbits(m + 1)
    while True:
        spread = r.choice((1, 3, 12, 40)) if far else 2
        field = min(max(bias + r.randrange(-spread, spread + 1), 0), (1 << e) - 1)
        code = r.getrandbits(1) << (e + m) | field << m | r.getrandbits(m)
        if r.randrange(12) == 0:
            code = r.choice((0, 1 << (e + m), r.getrandbits(m) if e < 11 else 0))
        if f == 'fp8_fnuz' or f == 'bf8_fnuz':
            code = 0 if code == 1 << (e + m) else code
        if not special(f, code):
            return code


def operands(r, case):
    far = r.randrange(3)
    a = [random_code(r, case.a, far) for _ in range(case.k)]
    b = [random_code(r, case.b, far) for _ in range(case.k)]
    if r.randrange(2):  # products that cancel, and a small one
        i, j = r.sample(range(case.k), 2)
        a[j], b[j] = a[i], b[i]
        flipped = a[i] ^ 1 << (bits_of(case.a) - 1)
        a[j] = a[i] if special(case.a, flipped) or not F[case.a][0] else flipped
    return a, b, random_code(r, case.acc, r.randrange(2)) if r.randrange(6) else 0


def save(path, width, shape, codes):
    head = "{'descr': '%s', 'fortran_order': False, 'shape': (%d, %d), }" % ({1: '|u1', 2: '<u2', 4: '<u4', 8: '<u8'}[width],
                                                                            *shape)
    head += ' ' * (63 - (10 + len(head)) % 64) + '\n'
    with open(path, 'wb') as f:
        f.write(b'\x93NUMPY\x01\x00' + struct.pack('<H', len(head)) + head.encode())
        f.write(struct.pack('<%d%s' % (len(codes), {1: 'B', 2: 'H', 4: 'I', 8: 'Q'}[width]), *codes))


def number(text):
    if text == '-0':
        return '-0'
    m = re.fullmatch(r'(-?)0x1(?:\.([0-9a-f]+))?p([+-]\d+)', text)
    if not m:
        return Q(text)
    digits = m[2] or ''
    v = Q(int('1' + digits, 16)) * Q(2) ** (int(m[3]) - 4 * len(digits))
    return -v if m[1] else v


NUM, HEX = r'(-?[0-9][0-9a-fx.p+-]*)', r'\(0x([0-9a-f]+)\)'
PATTERNS = [
    (r'(C|accumulator) = %s %s' % (NUM, HEX), lambda g: ('in', g[0], number(g[1]), int(g[2], 16))),
    (r'(\d+) +%s +%s +%s +(-?\d+) +(-?\d+)  2\^(-?\d+)(, the rest cut)?' % (NUM, NUM, NUM),
     lambda g: ('product', int(g[0]), *[number(x) for x in g[1:4]], int(g[4]), Q(g[5]), int(g[6]), bool(g[7]))),
    (r'(\d+) +%s +%s +%s' % (NUM, NUM, NUM), lambda g: ('total', int(g[0]), *[number(x) for x in g[1:4]])),
    (r'(\d+) +%s +%s +%s  0x([0-9a-f]+)' % (NUM, NUM, NUM),
     lambda g: ('row', int(g[0]), *[number(x) for x in g[1:4]], int(g[4], 16))),
    (r'scale A 0x(..), scale B 0x(..): the sum of this block counts times 2\^(-?\d+)',
     lambda g: ('scale', int(g[0], 16), int(g[1], 16), Q(2) ** int(g[2]))),
    (r'products in (even|odd) places: %s, largest exponent (-?\d+)(; bits cut .*)?' % NUM,
     lambda g: ('class', g[0], number(g[1]), int(g[2]), bool(g[3]))),
    (r'sum of products on the grid 2\^(-?\d+): %s(, bits .*)?' % NUM, lambda g: ('sum', int(g[0]), number(g[1]), bool(g[2]))),
    (r'accumulator on the grid 2\^(-?\d+): %s(, bits .*)?' % NUM, lambda g: ('acc', int(g[0]), number(g[1]), bool(g[2]))),
    (r'the accumulator is ignored: its exponent is more than 25 below the largest, (-?\d+)', lambda g: ('ignored', int(g[0]))),
    (r'the accumulator lies below the grid 2\^(-?\d+) and counts as 0', lambda g: ('below', int(g[0]))),
    (r'pair (\d+) on the grid 2\^(-?\d+): %s(; bits .*)?' % NUM,
     lambda g: ('pair', int(g[0]), int(g[1]), number(g[2]), bool(g[3]))),
    (r'total on the grid 2\^(-?\d+): %s(, bits .*)?' % NUM, lambda g: ('total', int(g[0]), number(g[1]), bool(g[2]))),
    (r'exact total(, its leading bits)?: %s' % NUM, lambda g: ('leading' if g[0] else 'exact', number(g[1]))),
    (r'sum (\d+) = .*: %s %s' % (NUM, HEX), lambda g: ('node', int(g[0]), number(g[1]), int(g[2], 16))),
    (r'accumulator and sum (\d+): %s %s' % (NUM, HEX), lambda g: ('with acc', int(g[0]), number(g[1]), int(g[2], 16))),
    (r'(rounded.*|the group.*): %s %s' % (NUM, HEX), lambda g: ('rounded', g[0], number(g[1]), int(g[2], 16))),
    (r'D = %s %s' % (NUM, HEX), lambda g: ('D', number(g[0]), int(g[1], 16))),
]


def parse(text, dense=None):
    """`dense`: for a sparse A, the k of each stored k; lines of products show both."""
    out = []
    for line in text.split('\n'):
        line = line.strip()
        if not line or line.startswith(('D[', 'k ', 'stored k     k ' if dense else 'k ', 'evidence', 'reading')):
            continue
        two = dense and re.fullmatch(r'(\d+) +(\d+)( .*)', line)
        if two:
            if dense[int(two[1])] != int(two[2]):
                out.append(('wrong k', line))
            line = two[1] + two[3]
        for pattern, make in PATTERNS:
            m = re.fullmatch(pattern, line)
            if m:
                out.append(make(m.groups()))
                break
        else:
            out.append(('not understood', line))
    return out


def agree(want, got):
    if want[0] in ('mul', 'chain') and got[0] == 'row':
        return want[1:] == got[1:]
    if want[0] == 'exact' and got[0] == 'leading':
        return want[1].numerator.bit_length() > 33 and abs(got[1] - want[1]) <= abs(want[1]) * Q(2) ** -32
    return want == got


def sign_of_zero(line):
    """-0 and 0 of operands differ only in their codes."""
    return tuple(Q(0) if x == '-0' else x for x in line)


def check(lanewise, case, seed, folder):
    r = random.Random(f'{case.insn} {case.arch} {seed}')
    a, b, c = operands(r, case)
    i, j = r.randrange(case.m), r.randrange(case.n)
    wide = {'xf32': 32}
    a32, b32 = a, b
    if case.a == 'xf32':
        a32, b32 = [x << 13 | r.getrandbits(13) for x in a], [x << 13 | r.getrandbits(13) for x in b]
    dense = case.k * (1 + case.sparse)
    width = {f: (wide.get(f, bits_of(f)) + 7) // 8 for f in (case.a, case.b, case.acc)}
    width = {f: 4 if w == 3 else w for f, w in width.items()}
    am, bm = [0] * (case.m * case.k), [0] * (dense * case.n)
    am[i * case.k:i * case.k + case.k] = a32
    places = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    kept = [r.choice(places) if case.sparse else (0, 1) for _ in range(case.k // 2)]
    at = [k // 2 * 4 + kept[k // 2][k % 2] if case.sparse else k for k in range(case.k)]
    for k in range(case.k):
        bm[at[k] * case.n + j] = b32[k]
    cm = [0] * (case.m * case.n)
    cm[i * case.n + j] = c
    save(f'{folder}/a.npy', width[case.a], (case.m, case.k), am)
    save(f'{folder}/b.npy', width[case.b], (dense, case.n), bm)
    save(f'{folder}/c.npy', width[case.acc], (case.m, case.n), cm)
    command = [lanewise, 'eval', case.insn, '--arch', case.arch, '--a', f'{folder}/a.npy', '--b', f'{folder}/b.npy', '--c',
               f'{folder}/c.npy', '--explain', f'{i},{j}']
    if case.sparse:
        save(f'{folder}/index.npy', 1, (case.m, case.k // 2), [x | y << 2 for x, y in kept] * case.m)
        command += ['--index', f'{folder}/index.npy']
    scales = None
    if case.scaled:
        spans = case.k // 32
        sa, sb = [r.randrange(110, 140) for _ in range(case.m * spans)], [r.randrange(110, 140) for _ in range(case.n * spans)]
        save(f'{folder}/sa.npy', 1, (case.m, spans), sa)
        save(f'{folder}/sb.npy', 1, (case.n, spans), sb)
        command += ['--scale-a', f'{folder}/sa.npy', '--scale-b', f'{folder}/sb.npy']
        scales = [(sa[i * spans + q], sb[j * spans + q]) for q in range(spans)]
    for mod in case.mods:
        command += ['--mod', mod]
    if case.numerics:
        command += ['--numerics', case.numerics]
    if case.wave:
        command += ['--wave', case.wave]
    p = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    s = Step(case, a, b, scales)
    try:
        d = case.run(s, c)
        s.say('D', shown(value(case.acc, d), case.acc, d), d)
    except Overflow:
        return 0, True
    got = parse(p.stdout, at if case.sparse else None)
    for n in range(max(len(got), len(s.lines))):
        w = s.lines[n] if n < len(s.lines) else ('nothing',)
        g = got[n] if n < len(got) else ('nothing',)
        if not agree(sign_of_zero(w), sign_of_zero(g)):
            print(f'{case.arch} {case.insn}, seed {seed}, line {n}: printed {g}, worked out {w}\n{p.stdout}')
            return len(got), False
    return len(got), True


def main():
    lanewise = sys.argv[1]
    elements, lines, bad = 0, 0, 0
    seeds = 6 if os.environ.get('LW_SAMPLE') else 24
    with tempfile.TemporaryDirectory() as folder:
        for case in CASES:
            for seed in range(seeds):
                count, good = check(lanewise, case, seed, folder)
                elements, lines, bad = elements + (count > 0), lines + count, bad + (not good)
                if not good:
                    break
    bad += elements < seeds * 5 // 6 * len(CASES)
    print(f'{elements} elements of {len(CASES)} kinds, {lines} lines, {bad} wrong')
    sys.exit(bad != 0)


main()

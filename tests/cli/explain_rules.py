# SPDX-License-Identifier: MIT
"""The rules of docs/numerics.md in fractions: the lines that eval --explain should print for one element."""
import collections
from fractions import Fraction as Q

# bits of the exponent and of the fraction, bias, what the top codes are
F = {
    'f16': (5, 10, 15, 'ieee'), 'bf16': (8, 7, 127, 'ieee'), 'f32': (8, 23, 127, 'ieee'), 'xf32': (8, 10, 127, 'ieee'),
    'f64': (11, 52, 1023, 'ieee'), 'fp8': (4, 3, 7, 'ones'), 'bf8': (5, 2, 15, 'ieee'), 'fp8_fnuz': (4, 3, 8, 'fnuz'),
    'bf8_fnuz': (5, 2, 16, 'fnuz'), 'fp6': (2, 3, 1, ''), 'bf6': (3, 2, 3, ''), 'fp4': (2, 1, 1, ''),
    'i8': (0, 7, 0, 'int'), 'i4': (0, 3, 0, 'int'), 'i32': (0, 31, 0, 'int'),
}


def bits_of(f):
    return 1 + F[f][0] + F[f][1]


def special(f, code):
    e, m, _, top = F[f]
    mag = code & ((1 << (e + m)) - 1)
    return {'ieee': mag >> m == (1 << e) - 1, 'ones': mag == (1 << (e + m)) - 1, 'fnuz': code == 1 << (e + m),
            '': False, 'int': False}[top]


def value(f, code):
    e, m, bias, top = F[f]
    if top == 'int':
        return Q(code - (code >> m << (m + 1)))
    mag = code & ((1 << (e + m)) - 1)
    field, frac = mag >> m, mag & ((1 << m) - 1)
    v = Q(frac + ((1 << m) if field else 0)) * Q(2) ** (max(field, 1) - bias - m)
    return -v if code >> (e + m) & 1 else v


def negative(f, code):
    return code >> (F[f][0] + F[f][1]) & 1


def exponent(f, code):
    e, m, bias, _ = F[f]
    return max(code >> m & ((1 << e) - 1), 1) - bias


def lead(v):
    n = abs(v).numerator.bit_length() - abs(v).denominator.bit_length()
    return n if Q(2) ** n <= abs(v) else n - 1


def floor_to(v, g):
    return (v / Q(2) ** g).__floor__() * Q(2) ** g


def cut_to(v, g):
    return floor_to(v, g) if v >= 0 else -floor_to(-v, g)


def nearest(f, v):
    """The code of v in format f, to nearest even; zeros are +0."""
    e, m, bias, _ = F[f]
    if v == 0:
        return 0
    sign, v = (1 << (e + m), -v) if v < 0 else (0, v)
    grid = max(lead(v), 1 - bias) - m
    units = v / Q(2) ** grid
    n = units.__floor__()
    if units - n > Q(1, 2) or (units - n == Q(1, 2) and n & 1):
        n += 1
    v = n * Q(2) ** grid
    if not v:
        return sign
    grid = max(lead(v), 1 - bias)
    if grid > bias:
        return sign | ((1 << e) - 1) << m
    field = grid + bias if v >= Q(2) ** (1 - bias) else 0
    return sign | field << m | (int(v / Q(2) ** (max(grid, 1 - bias) - m)) & ((1 << m) - 1))


class Overflow(Exception):
    """The rules for infinities are not covered here."""


def shown(v, f='f32', code=None):
    if code is not None and special(f, code):
        raise Overflow
    return '-0' if code is not None and v == 0 and negative(f, code) else v


class Step:
    """The inputs of one element; methods append the expected lines."""

    def __init__(self, case, a, b, scales=None):
        self.case, self.a, self.b, self.scales, self.lines = case, a, b, scales, []
        self.fa, self.fb = case.a, case.b

    def say(self, *line):
        self.lines.append(line)

    def begin(self, name, acc, f):
        self.say('in', name, shown(value(f, acc), f, acc), acc)

    def product(self, k):
        return value(self.fa, self.a[k]) * value(self.fb, self.b[k])

    def nominal(self, k):
        return exponent(self.fa, self.a[k]) + exponent(self.fb, self.b[k])

    def row(self, k, units, grid, cut):
        self.say('product', k, value(self.fa, self.a[k]), value(self.fb, self.b[k]), self.product(k), self.nominal(k),
                 units, grid, cut)

    # CDNA3, CDNA4: groups on common grids
    def aligned(self, ks, acc, classes, drop):
        scale = 0
        if self.scales:
            sa, sb = self.scales[ks[0] // 32]
            scale = sa + sb - 254
            self.say('scale', sa, sb, Q(2) ** scale)
        live = [k for k in ks if self.product(k)]
        cls = {k: (k - ks[0]) % 2 if classes == 2 else 0 for k in live}
        top = {c: max(self.nominal(k) for k in live if cls[k] == c) for c in set(cls.values())}
        part = collections.Counter()
        for k in live:
            g = top[cls[k]] - 24
            kept = cut_to(self.product(k), g)
            part[cls[k]] += kept
            self.row(k, kept / Q(2) ** g, g, kept != self.product(k))
        largest = max(top.values(), default=None)
        s = Q(0)
        for c in sorted(top):
            joined = floor_to(part[c], largest - 24)
            s += joined
            if classes == 2:
                self.say('class', 'odd' if c else 'even', part[c], top[c], joined != part[c])
        s *= Q(2) ** scale
        ec, c = exponent('f32', acc), value('f32', acc)
        e = ec
        if live:
            e = max(ec, largest + scale)
            self.say('sum', largest + scale - 24, s, False)
        kept = floor_to(c, e - 24)
        if drop and ec < e - 25:
            kept = Q(0)
            self.say('ignored', e)
        else:
            self.say('acc', e - 24, kept, kept != c)
        v = floor_to(s, e - 32)
        cut = v != s
        v += kept
        if v:
            g = max(e - 32, max(lead(v), -126) - 31)
            w = floor_to(v, g)
            self.say('total', g, w, cut or w != v)
            v = w
        return self.rounded('rounded to nearest even', nearest('f32', v), 'f32')

    def rounded(self, words, code, f):
        self.say('rounded', words, shown(value(f, code), f, code), code)
        return code

    # CDNA1
    def exact(self, ks, acc):
        live = [k for k in ks if self.product(k)]
        grid = F[self.fa][1] + F[self.fb][1]
        for k in live:
            g = self.nominal(k) - grid
            self.row(k, self.product(k) / Q(2) ** g, g, False)
        c = value('f32', acc)
        self.say('acc', exponent('f32', acc) - 23, c, False)
        v = c + sum(self.product(k) for k in live)
        if v:
            self.say('exact', v)
        return self.rounded('rounded once, to nearest even', nearest('f32', v), 'f32')

    # CDNA2
    def tree(self, ks, acc, first):
        def flush(code):
            return code if code & 0x7f800000 else code & 0x80000000

        def add(x, y):
            v = value('f32', x) + value('f32', y)
            zero = 0x80000000 if x == y == 0x80000000 else 0
            return flush(nearest('f32', v)) if v else zero

        def side(f, code):
            return code if code >> F[f][1] & ((1 << F[f][0]) - 1) else 0
        p = []
        for k in ks:
            a, b = side(self.fa, self.a[k]), side(self.fb, self.b[k])
            sign = 0x80000000 * (negative(self.fa, a) ^ negative(self.fb, b))
            v = value(self.fa, a) * value(self.fb, b)
            p.append(flush(nearest('f32', v)) if v else sign)
            self.say('mul', k, value(self.fa, self.a[k]), value(self.fb, self.b[k]), shown(value('f32', p[-1]), 'f32', p[-1]),
                     p[-1])
        if first and not acc & 0x7f800000:
            acc = 0
        node, level = 0, p
        while len(level) > 1:
            level = [add(level[i], level[i + 1]) for i in range(0, len(level), 2)]
            for x in level:
                self.say('node', node, shown(value('f32', x), 'f32', x), x)
                node += 1
        acc = add(acc, level[0])
        self.say('with acc', node - 1, shown(value('f32', acc), 'f32', acc), acc)
        return self.rounded("the group's result", acc, 'f32')

    def narrow(self, v, f, keep=True):
        if f == 'f16':
            code = nearest('f16', v)
            code = code if code & 0x7fff else 0
        else:
            code = nearest('f32', v)
            if not code & 0x7fffffff or (not keep and not code & 0x7f800000):
                code = 0
            code = code >> 16 if f == 'bf16' else code
        return self.rounded("rounded to the accumulator's format", code, f)

    def factor(self, f, code, flush):
        return Q(0) if flush and exponent(f, code) == 1 - F[f][2] and abs(value(f, code)) < Q(2) ** (1 - F[f][2]) \
            else value(f, code)

    # RDNA3
    def ones(self, ks, acc, f, flush):
        minimum = {'f16': -14, 'bf16': -126, 'f32': -126}[f]
        c = value(f, acc)
        if f != 'f16' and abs(c) < Q(2) ** -126:
            c = Q(0)
        p = [self.factor(self.fa, self.a[k], flush) * self.factor(self.fb, self.b[k], flush) for k in ks]
        terms = [(negative(f, acc), abs(c))] + [(negative(self.fa, self.a[k]) ^ negative(self.fb, self.b[k]), abs(x))
                                                for k, x in zip(ks, p)]
        leads = [lead(m) for _, m in terms if m]
        if not leads:
            return self.rounded("rounded to the accumulator's format", 0, f)
        most = max(leads + ([minimum] if f == 'f16' else []))
        grid = max([self.nominal(k) - 24 for k, x in zip(ks, p) if x] + [most - 26])
        units = 0
        for i, (neg, m) in enumerate(terms):
            n = int(m / Q(2) ** grid)
            counted = n if neg == terms[0][0] else -n - 1
            units += counted
            cut = n * Q(2) ** grid != m
            if i == 0:
                self.say('acc', grid, (-n if neg else n) * Q(2) ** grid, cut)
            else:
                k = ks[i - 1]
                self.say('product', k, value(self.fa, self.a[k]), value(self.fb, self.b[k]), p[i - 1], self.nominal(k),
                         -counted if terms[0][0] else counted, grid, cut)
        v = (-units if terms[0][0] else units) * Q(2) ** grid
        self.say('total', grid, v, False)
        return self.narrow(v, f, keep=False)

    # RDNA4
    def pairs(self, ks, acc, f, size):
        least = -14 if f == 'f16' else -126
        c = value(f, acc)
        grids = []
        for n in range(0, len(ks), size):
            live = [k for k in ks[n:n + size] if self.product(k)]
            grids.append(max((self.nominal(k) - 24 for k in live), default=None))
        grid = max([g for g in grids if g is not None] + [(max(least, lead(c)) if c else least) - 26])
        v = Q(0)
        for n, g in enumerate(grids):
            part = Q(0)
            for k in ks[n * size:n * size + size]:
                if self.product(k):
                    kept = floor_to(self.product(k), g)
                    part += kept
                    self.row(k, kept / Q(2) ** g, g, kept != self.product(k))
            if g is not None:
                joined = floor_to(part, grid)
                v += joined
                self.say('pair', n * size // 2, g, part, joined != part)
        if c and grid > least and abs(c) < Q(2) ** grid:
            self.say('below', grid)
        else:
            kept = floor_to(c, grid)
            v += kept
            self.say('acc', grid, kept, kept != c)
        self.say('total', grid, v, False)
        return self.narrow(v, f)

    def chain(self, ks, acc, f):
        for k in ks:
            v = self.product(k) + value(f, acc)
            minus = (negative(self.fa, self.a[k]) ^ negative(self.fb, self.b[k])) and negative(f, acc)
            acc = nearest(f, v) if v else (1 << (bits_of(f) - 1)) * minus
            self.say('chain', k, value(self.fa, self.a[k]), value(self.fb, self.b[k]), shown(value(f, acc), f, acc), acc)
        return acc

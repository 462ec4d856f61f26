# SPDX-License-Identifier: MIT
"""Every row that gfx1100, gfx1150, gfx1201 or gfx1250 has, or a sibling: decoded, printed and assembled as llvm-mc does; random words.

rdna.py PROGRAM ARCH [WORDS PER ROW [SEED]]         12 words a row, with LW_FULL=1 in the environment 40
rdna.py PROGRAM ARCH random WORDS [SEED]
ARCH/64: in waves of 64 lanes.
"""
import collections
import os
import re
import sys

import differential
import llvm
import rows

differential.CLASSES.update({'smem': (0xf4000000, 18, 2), 'vop3': (0xd4000000, 16, 2), 'vop3p': (0xcc000000, 16, 2),
                             'ds': (0xd8000000, 18, 2), 'exp': (0xf8000000, 26, 2), 'vinterp': (0xcd000000, 16, 2),
                             'ldsdir': (0xce000000, 20, 1)})
differential.WIDTHS.update({'mubuf': 8, 'mimg': 8, 'vinterp': 4, 'ldsdir': 2})
RAYS = {25: 2, 26: 2, 128: 0, 129: 0}  # opcodes of rays' intersections: bits of a16
CLASSES_12 = {'smem': (0xf4000000, 13, 2), 'flat': (0xec000000, 14, 3), 'mubuf': (0xc4000000, 14, 3),
              'mtbuf': (0xc4200000, 14, 3), 'vimage': (0xd0000000, 14, 3), 'vsample': (0xe4000000, 14, 3)}
NULL, WAITCNTS = 124, range(24, 28)
BASES = {'vopc': 0, 'vop2': 0x100, 'vop1': 0x180}


class Sampler(differential.Sampler):
    def source(self, vgpr_only=False):
        r = self.rng.random()
        if vgpr_only or r < .6:
            return 256 + self.rng.randrange(256)
        return self.rng.randrange(128) if r < .8 else self.rng.choice((self.rng.randrange(128, 209),
                                                                       self.rng.randrange(240, 249), 253, 255))

    def literal(self):
        return self.rng.choice(differential.LITERALS + [self.rng.getrandbits(32)])

    def moved(self):
        """Source 0 and the dword after the instruction: plain, DPP16 or DPP8."""
        r = self.rng
        if r.random() < .7:
            return self.source(), self.literal()
        if r.random() < .5:
            return r.choice((233, 234)), r.getrandbits(32)
        ctrl = r.choice((r.getrandbits(8), 0x100 + r.randrange(0x30), 0x140 + r.randrange(2), 0x150 + r.randrange(32),
                         r.getrandbits(9)))
        return 250, r.getrandbits(8) | ctrl << 8 | self.field(2) << 18 | self.field(4) << 20 | r.getrandbits(8) << 24

    def make_smem(self, w0):
        r = self.rng
        w1 = r.choice((NULL, NULL, r.getrandbits(7))) << 25 | r.choice((0, r.getrandbits(21)))
        return [w0 | r.getrandbits(13) | self.field(1) << 14 | self.field(1) << 13, w1]

    def vop_32(self, w0, two):
        source, after = self.moved()
        return [w0 | source | (self.rng.getrandbits(8) << 9 if two else 0), after]

    def with_moved(self, words):
        source, after = self.moved()
        return [words[0], words[1] & ~0x1ff | source, after]

    def make_vop3(self, w0):
        r = self.rng
        return self.with_moved([w0 | r.getrandbits(8) | self.field(3) << 8 | self.field(1) << 15 |
                                self.field(4) * (r.random() < .3) << 11,
                                self.sources() | self.field(2) << 27 | self.field(3) << 29])

    def make_vop3p(self, w0):
        return self.with_moved(super().make_vop3p(w0))

    def make_sopk(self, w0):
        words = super().make_sopk(w0)
        return [words[0] & ~0x7f0000 | NULL << 16, words[1]] if w0 >> 23 & 31 in WAITCNTS else words

    def make_flat(self, w0):
        r = self.rng
        w1 = r.getrandbits(16) | r.choice((NULL, NULL, r.getrandbits(7))) << 16 | self.field(1) << 23 | r.getrandbits(8) << 24
        return [w0 | r.getrandbits(13) | self.field(1) << 13 | self.field(2) << 14 | r.choice((0, 1, 2, 2)) << 16, w1]


    def make_mubuf(self, w0):
        r = self.rng
        w1 = r.getrandbits(21) | self.field(1) * (r.random() < .1) << 21 | self.field(2) << 22
        return [w0 | r.getrandbits(12) | self.field(3) << 12, w1 | r.choice((r.randrange(128), r.randrange(255))) << 24]

    def make_mtbuf(self, w0):
        w0, w1 = self.make_mubuf(w0)
        return [w0 | self.rng.getrandbits(7) << 19, w1]

    def make_ds(self, w0):
        w0, w1 = super().make_ds(w0 & ~0x30000)
        return [w0 & ~0x2010000 | self.field(1) << 17, w1]


    def make_mimg(self, w0):
        r, op = self.rng, w0 >> 18 & 255
        nsa, third = self.field(1), r.getrandbits(32)
        if op in RAYS and r.random() < .8:
            return [w0 | nsa | 0x8f80 | self.field(1) << 16, r.getrandbits(16) | r.getrandbits(5) << 16, third]
        w1 = r.getrandbits(16) | r.getrandbits(5) << 16 | self.field(2) << 21 | self.field(5) << 26
        return [w0 | nsa | r.getrandbits(3) << 2 | r.getrandbits(4) << 8 | self.field(1) << 7 | self.field(6) << 12, w1, third]

    def make_exp(self, w0):
        r = self.rng
        target = r.choice((r.getrandbits(3), r.getrandbits(3), 8, 20, 21, 22, r.randrange(12, 17), r.getrandbits(6)))
        return [w0 | r.getrandbits(4) | target << 4 | self.field(4) << 10, r.getrandbits(32)]

    def make_vinterp(self, w0):
        r = self.rng
        a, b, c = (256 + r.getrandbits(8) if r.random() < .95 else self.source() for _ in range(3))
        return [w0 | r.getrandbits(8) | r.getrandbits(3) << 8 | self.field(4) << 11 | self.field(1) << 15,
                a | b << 9 | c << 18 | self.field(3) << 29]

    def make_ldsdir(self, w0):
        return [w0 | self.rng.getrandbits(20) | self.field(1) << 23]


class Sampler12(Sampler):
    """Three dwords: fields as in encodings.inc."""
    def last(self):
        r = self.rng
        return r.getrandbits(8) | r.choice((0, r.getrandbits(24), r.getrandbits(10))) << 8

    def policy(self):
        return self.field(2) << 18 | self.field(3) << 20

    def make_smem(self, w0):
        r = self.rng
        w1 = r.choice((NULL, NULL, r.getrandbits(7))) << 25 | r.choice((0, r.getrandbits(24)))
        return [w0 | r.getrandbits(13) | self.field(5) << 20 & 0x1f00000, w1]

    def make_flat(self, w0):
        r = self.rng
        w1 = r.getrandbits(8) | self.field(1) << 17 | self.policy() | r.getrandbits(8) << 23
        return [w0 | r.choice((NULL, NULL, r.getrandbits(7))) | self.field(1) << 7 | r.choice((0, 1, 2, 2)) << 24, w1, self.last()]

    def make_mubuf(self, w0):
        r = self.rng
        w1 = r.getrandbits(8) | r.choice((4 * r.randrange(30), r.getrandbits(7))) << 9 | self.policy() | 1 << 23 | r.getrandbits(2) << 30
        return [w0 | r.choice((NULL, r.getrandbits(7))) | self.field(1) << 7 | self.field(1) * (r.random() < .1) << 22, w1, self.last()]

    def make_mtbuf(self, w0):
        words = self.make_mubuf(w0)
        return [words[0], words[1] & ~(127 << 23) | self.rng.getrandbits(7) << 23, words[2]]

    def make_sopk(self, w0):
        return differential.Sampler.make_sopk(self, w0)

    def make_vimage(self, w0):
        r, op = self.rng, w0 >> 14 & 255
        third = r.getrandbits(32)
        if op in RAYS and r.random() < .8:
            return [w0 | 0xf << 22 | 16 | self.field(1) << 6 & RAYS[op] << 5, r.getrandbits(8) | r.getrandbits(5) << 11 | r.getrandbits(8) << 24, third]
        return [w0 | r.getrandbits(3) | self.field(4) << 4 | r.getrandbits(4) << 22,
                r.getrandbits(8) | r.getrandbits(5) << 11 | self.field(2) * (r.random() < .05) << 16 | self.policy() | self.field(1) << 23, third]

    def make_vsample(self, w0):
        r = self.rng
        return [w0 | r.getrandbits(3) | self.field(5) << 3 | self.field(1) << 13 | r.getrandbits(4) << 22,
                r.getrandbits(8) | self.field(1) << 8 | r.getrandbits(5) << 11 | self.policy() | self.field(5) << 25, self.rng.getrandbits(32) & r.choice((0xffffff, 0xffffffff))]


SCALED = 0x100  # opcodes of 16-byte matrix instructions count from here, those with scales for 16 from twice this


class Sampler1250(Sampler12):
    """Even register tuples, 64-bit literals, scaled offsets, halves of VOPD with three sources."""
    def source(self, vgpr_only=False):
        r = self.rng
        source = super().source(vgpr_only)
        if source >= 256 and r.random() < .7:
            return 256 + 2 * r.randrange(128)
        return 254 if r.random() < .03 and not vgpr_only else source

    def even(self):
        return self.rng.choice((self.rng.getrandbits(8), 2 * self.rng.randrange(128)))

    def vop_32(self, w0, two):
        words = super().vop_32(w0 & ~(0xff << 17) | self.even() << 17, two) if w0 >> 25 != 0x3e else super().vop_32(w0, two)
        return [words[0] & ~(0xff << 9) | self.even() << 9 if two else words[0], words[1]]

    def make_sop1(self, w0):
        words = super().make_sop1(w0)
        return [words[0] & ~0xff | 254, words[1], self.literal()] if self.rng.random() < .05 else words

    def make_sop2(self, w0):
        words = super().make_sop2(w0)
        return [words[0] & ~0xff | 254, words[1], self.literal()] if self.rng.random() < .05 else words

    def make_vop3(self, w0):
        return super().make_vop3(w0) if self.rng.random() < .5 else [super().make_vop3(w0)[0] & ~1] + super().make_vop3(w0)[1:]

    def make_vop3p(self, w0):
        r = self.rng
        if r.random() < .5:
            return super().make_vop3p(w0)
        a, b, c = (256 + 2 * r.randrange(128) for _ in range(3))  # even registers, the usual bits
        c = c if r.random() < .7 else self.source()
        return [w0 | 2 * r.randrange(128) | self.field(3) << 8 | self.field(3) << 11 | r.randrange(2) << 14 | self.field(1) * (r.random() < .2) << 15,
                a | b << 9 | c << 18 | r.choice((3, 3, r.randrange(4))) << 27 | self.field(3) << 29, self.literal()]

    def scaled(self, op):
        r = self.rng
        wide = op >= 2 * SCALED
        scales = [256 + (2 * r.randrange(128) if wide else r.randrange(256)) if r.random() < .8 else self.source() for _ in range(2)]
        first = [0xcc000000 | (0x3a if wide else 0x35) << 16 | self.field(1) << 11 | self.field(2) << 8 | self.field(2) << 13,
                 scales[0] | scales[1] << 9 | 256 << 18 | self.field(1) << 27 | self.field(2) << 29]
        return first + self.make_vop3p(0xcc000000 | (op & 0xff) << 16)[:2]

    def make_flat(self, w0):
        words = super().make_flat(w0)
        return [words[0], words[1] & ~1 | self.field(1) << 16 | self.field(1) & self.rng.getrandbits(1), words[2] & ~1 | self.rng.getrandbits(1) * self.field(1)]

    def make_smem(self, w0):
        words = super().make_smem(w0)
        return [words[0], words[1] | self.field(1) << 24]

    def make_mubuf(self, w0):
        words = super().make_mubuf(w0)
        return [words[0], words[1] & ~1 | self.field(1) & self.rng.getrandbits(1)] + words[2:]

    def make_ds(self, w0):
        words = super().make_ds(w0)
        return [words[0], words[1] & ~0x01010100 | self.field(1) << 8]

    def make_tensor(self, w0):
        """Two or four groups of registers; the other fields that LLVM reads."""
        r = self.rng
        groups = [r.choice((4 * r.randrange(24), 108 + 4 * r.randrange(3))) for _ in range(4)]
        if r.random() < .5:
            groups[2:] = [NULL, NULL]
        return [w0 | self.field(1) << 7, 0x7c000000 | self.field(2) << 18 | self.field(3) << 20,
                sum(g << 8 * i for i, g in enumerate(groups))]


def sampler_of(arch, seed):
    if arch.startswith('gfx125'):
        differential.CLASSES.update(CLASSES_12)
        differential.CLASSES.pop('mtbuf', None)
        CLASSES_12['tensor'] = differential.CLASSES['tensor'] = (0xd0400001, 14, 3)
        differential.WIDTHS.update({'smem': 6, 'flat': 8, 'vop3p': 8, 'tensor': 8})
        CLASSES[:] = [c for c in CLASSES if c not in GRAPHICS + ['mtbuf']] + ['vopd3', 'scaled', 'tensor']
        return Sampler1250({}, seed)
    if arch.startswith('gfx120'):
        differential.CLASSES.update(CLASSES_12)
        differential.WIDTHS.update({'smem': 6, 'flat': 8, 'mtbuf': 7, 'vimage': 8, 'vsample': 8})
        CLASSES[:] = [c for c in CLASSES if c != 'mimg'] + ['vimage', 'vsample']
        return Sampler12({}, seed)
    return Sampler({}, seed)


GRAPHICS = ['mimg', 'exp', 'vinterp', 'ldsdir']
CLASSES = [c for c in differential.CLASSES if c not in ('mai', 'vintrp')] + ['vopd']


def random_word(sampler, table):
    r = sampler.rng
    if r.random() < .03:
        return [r.getrandbits(32) for _ in range(4)]
    enc = r.choice(CLASSES)
    if enc == 'vopd':
        low = 0xc8000000 | r.randrange(14) << 22 | r.choice(list(range(14)) + [16, 17, 18, r.randrange(32)]) << 17
        return [low | sampler.field(8) << 9 | sampler.source(),
                sampler.source() | sampler.field(8) << 9 | r.getrandbits(15) << 17, sampler.literal()]
    if enc == 'vopd3':
        low = 0xcf000000 | r.choice((r.randrange(64), r.randrange(14))) << 18 | r.choice((r.randrange(64), r.randrange(26))) << 12
        return [low | sampler.source() | sampler.field(3) << 9 * (r.random() < .02), sampler.source() | sampler.field(6) << 9 * (r.random() < .5) |
                sampler.even() << 16 | sampler.even() << 24, sampler.even() | sampler.even() << 8 | sampler.even() << 16 | r.getrandbits(8) << 24, 0]
    if enc == 'scaled':
        return sampler.scaled(r.choice([op for op in table['vop3p'] if op >= SCALED]))
    base, low, _ = differential.CLASSES[enc]
    width = differential.WIDTHS[enc]
    op = r.choice([op for op in table[enc] if op < 1 << width]) if r.random() < .95 else r.getrandbits(width)
    words = getattr(sampler, 'make_' + enc)(base | (op & ((1 << width) - 1)) << low)
    return words + [sampler.literal()] * (4 - len(words) if isinstance(sampler, Sampler12) else 3 - len(words))


def misprinted(theirs, mine):
    """llvm-mc 22 prints other lanes of quad_perm in v_fma_mixlo_f16 and v_fma_mixhi_f16 than its assembler reads."""
    if theirs is llvm.CRASHED and mine is not llvm.REFUSED:  # it crashes on some of the same
        return re.match(r'v_(fma_mix(lo|hi)|cvt_pk_[bf]p?f?8_f32)\S*_dpp ', mine[0])
    if theirs in (llvm.REFUSED, llvm.CRASHED) or mine is llvm.REFUSED:
        return False
    if re.match(r'v_fmac_f(16|32)_e64_dpp ', theirs[0]):  # on gfx12 the code of a constant instead of the constant
        constant = r'(-?\d[^\s|)]*|null|src_\w+|0x[0-9a-f]+)(?=[ |)]|$)'  # its minus sign is its own or a modifier
        code = re.sub(r', (neg\(|-?\|?)0x[0-9a-f]+', r', \1?', theirs[0])
        signs = r', (neg\(|-?\|?)', r', (neg\(|-??\|?)'
        return any(re.sub(sign + constant, r', \1?', mine[0]) == code for sign in signs)
    second = r'(v_dual_fma[am]k_f32 .* :: v_dual_fma[am]k_f32 v\d+, )[^,]+(?=,)'
    if re.match(second, mine[0]) and 'lit(' in mine[0]:  # a constant of two, where the literal is the constant's value
        return re.sub(second, r'\1?', theirs[0]) == re.sub(second, r'\1?', mine[0])
    if re.match(r'v_cndmask_b32_dpp ', theirs[0]):  # on gfx12 the bars of abs close after the lane mask
        return re.sub(r'\|(v\d+), (vcc(_lo)?)\|', r'|\1|, \2', theirs[0]) == mine[0]
    if re.match(r'v_wmma', theirs[0]):  # 1 / (2 pi) with the digits of an f64
        return theirs[0].replace('0.15915494309189532', '0.15915494') == mine[0]
    if re.match(r'v_cvt_pk_[bf]p?f?8_f16 ', theirs[0]) and 'lit(' in mine[0]:
        return re.sub(r'lit\(0x\w+\)', '?', mine[0]) == re.sub(r' (\d+|0x\w+)$', ' ?', theirs[0])
    if re.match(r'v_cvt_pk_[bf]p?f?8_f16 ', theirs[0]):  # the bits of a constant instead of the constant
        return re.sub(r' -?\S*0x\w+\S*', ' ?', theirs[0]) == re.sub(r' -?\|?-?\d+\.\d+\|?', ' ?', mine[0])
    lanes = r' (quad_perm:\S+|/\* Invalid dpp_ctrl value \*/)'
    return re.match(r'v_(fma_mix(lo|hi)|cvt_pk_[bf]p?f?8_f32)\S*_dpp ', mine[0]) and re.sub(lanes, '', theirs[0]) == re.sub(lanes, '', mine[0])


def long_literal(arch, words):
    """Code 254, a literal of 64 bits, in encodings of more than one dword or beside one of 32 bits, and any literal in VOPD3: llvm-mc's
    disassembler takes it, its assembler does not."""
    if not arch.startswith('gfx125'):
        return False
    first, second = words[0], words[1] if len(words) > 1 else 0
    if first >> 30 == 2 and first >> 28 != 0xb and first >> 23 != 0x17d:
        if first >> 23 & 0x7f in (0x45, 0x46) and 254 in (first & 255, first >> 8 & 255):  # s_fmaak_f32, s_fmamk_f32
            return True
        return {254, 255} <= {first & 255, first >> 8 & 255}
    if first >> 25 == 0x3f and first >> 9 & 255 in (2, 0x43, 0x44, 0x48, 0x65, 0x66, 0x67, 0x68):  # moves: vector registers only
        return first & 511 == 254
    if first >> 23 == 0x17e:
        return {254, 255} <= {first & 255, first >> 8 & 255}
    if first >> 26 == 0x35 or first >> 24 == 0xcc:
        return 254 in (second & 511, second >> 9 & 511, second >> 18 & 511)
    if first >> 23 == 0x17d and first >> 8 & 255 in (0x40, 0x41, 0x48, 0x4a):  # registers only
        return first & 255 == 254
    if first >> 23 == 0x17d and 0x4e <= first >> 8 & 255 <= 0x57:  # barriers, which are not named by literals
        return first & 255 == 254
    if first >> 24 == 0xcf:
        return bool({254, 255} & {first & 511, second & 511})
    return first >> 26 == 0x32 and 254 in (first & 511, second & 511)


def foreign(words, theirs, mine, arch=''):
    """llvm-mc 22 also takes gfx9's encoding of v_fma_mix, whose class of words RDNA does not have. Of a literal of 64 bits for one of
    16 it prints other bits."""
    if mine is llvm.REFUSED and long_literal(arch, words):
        return True
    long = words[0] >> 26 in (0x33, 0x35)
    if mine is not llvm.REFUSED and 'dpp8:' in mine[0] and len(words) > 1 + long and words[1 + long] < 0x10000:
        # the upper half of the lanes' dword is zero: it prints other lanes than its assembler reads, or crashes
        lanes = r' dpp8:\S+'
        return theirs is llvm.CRASHED or theirs is not llvm.REFUSED and re.sub(lanes, '', theirs[0]) == re.sub(lanes, '', mine[0])
    if words[0] >> 23 == 0x17e and 254 in (words[0] & 255, words[0] >> 8 & 255) and mine is not llvm.REFUSED and theirs not in (llvm.REFUSED, llvm.CRASHED):
        number = r'(?<= )(0x\w+|-?\d[\d.]*)'
        return re.match(r's_cmp_\w+_f16 ', mine[0]) and re.sub(number, '?', theirs[0]) == re.sub(number, '?', mine[0])
    if words[0] >> 31 == 0 and words[0] & 511 == 254 and llvm.REFUSED not in (theirs, mine) and theirs is not llvm.CRASHED:
        number = r'(?<= )(0x\w+|-?\d[\d.]*)'
        return re.match(r'v_(.*v\d+\.[lh]|pk_fmac_f16 |cvt_\w+_([bf]p?f?8|b?f16|[iu]16)(_e32)? )', mine[0]) and re.sub(number, '?', theirs[0]) == re.sub(number, '?', mine[0])
    if words[0] >> 24 == 0xcd and mine is llvm.REFUSED and theirs not in (llvm.REFUSED, llvm.CRASHED):
        # parameters: sources are vector registers; of those of 16 bits it does not look at the bit that says so
        return words[1] & 0x4020100 != 0x4020100
    return (words[0] >> 26 == 0x34 and mine is llvm.REFUSED and theirs not in (llvm.REFUSED, llvm.CRASHED) and
            theirs[0].startswith('v_fma_mix'))


def random_words(program, arch, total, seed):
    sampler, table = sampler_of(arch, seed), collections.defaultdict(list)
    rules = differential.read_exceptions()
    for enc, op in rows.names(program, arch):
        table[enc].append(op)
        if enc in BASES:
            table['vop3'].append(op + BASES[enc])
    cases = [random_word(sampler, table) for _ in range(total)]
    counts, bad = differential.compare(program, arch, cases, rules)
    left = [b for b in bad if not misprinted(*b[1:]) and not foreign(*b, arch)]
    counts['misprinted'] += len(bad) - len(left)
    for words, a, b in left[:40]:
        print(' '.join('%08x' % w for w in words), f'\n  llvm-mc {differential.show(a)}\n  ours    {differential.show(b)}')
    print(f'{arch}: seed {seed}, {total} words, {dict(counts)}, {len(left)} disagreements')
    return 1 if left else 0


def plain_words(arch, form, word):
    """Registers 0 and as few modifiers as possible."""
    if form in ('vimage', 'vsample'):
        return [[word | mask << 22 | dim, 0, 0] for mask in (1, 3, 15) for dim in (0, 6)]
    if form == 'mimg':
        return [[word | mask << 8 | dim << 2, 0, 0] for mask in (1, 3, 15) for dim in (0, 6)]
    if arch.startswith('gfx12') and form in CLASSES_12 and form != 'smem':
        return [[word | NULL | segment << 24, 2 << 23, 0] for segment in ((0, 1, 2) if form == 'flat' else (0, ))]
    if arch.startswith('gfx12') and form == 'vop3p':
        return [[word | 1 << 14, 256 | 256 << 9 | 256 << 18 | 3 << 27], [word, 256 | 256 << 9 | 256 << 18]]
    return [[word, 0], [word, 256], [word, 256 | 256 << 9 | 256 << 18], [word | 1 << 17, 0]]


def main():
    program, arch = sys.argv[1:3]
    if sys.argv[3:4] == ['random']:
        llvm.need(llvm.TOOL)
        return random_words(program, arch, int(sys.argv[4]), int(sys.argv[5]) if len(sys.argv) > 5 else 11)
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 40 if os.environ.get('LW_FULL') == '1' else 12
    llvm.need(llvm.TOOL)
    table = rows.names(program, arch)
    sampler, rules = sampler_of(arch, int(sys.argv[4]) if len(sys.argv) > 4 else 5), differential.read_exceptions()
    keys, cases = [], []
    for enc, op in table:
        base, low, _ = differential.CLASSES[enc]
        forms = [(enc, op)]
        if enc in ('vopc', 'vop2', 'vop1'):
            forms.append(('vop3', op + BASES[enc]))
        if enc == 'vop3p' and op >= SCALED:
            cases += [sampler.scaled(op) for _ in range(count)]
            keys += [(enc, op)] * count
            continue
        for form, number in forms:
            base, low, _ = differential.CLASSES[form]
            word = base | number << low
            for words in plain_words(arch, form, word):
                keys.append((enc, op))
                cases.append(words)
            for _ in range(count):
                keys.append((enc, op))
                cases.append(getattr(sampler, 'make_' + form)(word))
    if arch.startswith('gfx125'):
        cases = [words + [sampler.literal()] * (4 - len(words)) for words in cases]
    counts, bad = differential.compare(program, arch, cases, rules)
    bad = [b for b in bad if not misprinted(*b[1:]) and not foreign(*b, arch)]
    for words, a, b in bad[:40]:
        print(' '.join('%08x' % w for w in words), f'\n  llvm-mc {differential.show(a)}\n  ours    {differential.show(b)}')
    texts = collections.defaultdict(list)
    for key, verdict in zip(keys, llvm.ours(program, arch, cases)):
        # literals in VOP3 may be spelled in two ways
        if verdict is not llvm.REFUSED and (verdict[1] < 12 or key[0] == 'mimg' or key[0] in CLASSES_12 or re.match('v_fma[am]k_f64 ', verdict[0])):
            # the disassembler prints scale_offset where there is nothing to scale, too; the assembler refuses it there;
            # of a barrier named by a register other than m0 the assembler encodes the number of its own list of registers
            if 'scale_offset' not in verdict[0] and not re.match(r's_barrier_\w+ (src_|[svte])', verdict[0]):
                texts[key].append(verdict[0])
    never = [f'{enc} {op:#x} {name}' for (enc, op), name in table.items() if (enc, op) not in texts]
    silent, changed = rows.round_trips(program, arch, dict(texts))
    for a, b in changed[:40]:
        print('assembled differently:', a, '->', differential.show(b))
    for key, text in silent.items():
        print('never assembled:', *key, text[0])
    for name in never:
        print('never decoded:', name)
    print(f'{arch}: {len(cases)} words over {len(table)} rows, {dict(counts)}, {len(bad)} disagreements, {len(never)} rows '
          f'never met, {len(silent)} never assembled, {len(changed)} changed on the way back')
    return 1 if bad or never or silent or changed else 0


if __name__ == '__main__':
    sys.exit(main())

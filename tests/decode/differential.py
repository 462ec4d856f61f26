# SPDX-License-Identifier: MIT
"""Random words of every encoding class: our decoder compared with llvm-mc.

differential.py PROGRAM ARCH [WORDS [SEED]]
"""
import collections
import os
import random
import re
import sys

import llvm

HERE = os.path.dirname(os.path.abspath(__file__))
# class: first dword, opcode position, dwords
CLASSES = {
    'sop1': (0xbe800000, 8, 1), 'sop2': (0x80000000, 23, 1), 'sopc': (0xbf000000, 16, 1),
    'sopk': (0xb0000000, 23, 1), 'sopp': (0xbf800000, 16, 1), 'smem': (0xc0000000, 18, 2),
    'vop1': (0x7e000000, 9, 1), 'vop2': (0x00000000, 25, 1), 'vopc': (0x7c000000, 17, 1),
    'vop3': (0xd0000000, 16, 2), 'vop3p': (0xd3800000, 16, 2), 'mai': (0xd3800000, 16, 2),
    'ds': (0xd8000000, 17, 2), 'flat': (0xdc000000, 18, 2), 'mubuf': (0xe0000000, 18, 2),
    'mtbuf': (0xe8000000, 15, 2), 'mimg': (0xf0000000, 18, 2), 'exp': (0xc4000000, 26, 2),
    'vintrp': (0xd4000000, 16, 1), 'vinterp': (0xd2700000, 16, 2),
}
WIDTHS = {'sop1': 8, 'sop2': 7, 'sopc': 7, 'sopk': 5, 'sopp': 7, 'smem': 8, 'vop1': 8, 'vop2': 6, 'vopc': 8,
          'vop3': 10, 'vop3p': 7, 'mai': 7, 'ds': 8, 'flat': 7, 'mubuf': 7, 'mtbuf': 4, 'mimg': 7, 'exp': 0, 'vintrp': 2, 'vinterp': 3}
VOP3_BASE = {'vopc': 0, 'vop2': 0x100, 'vop1': 0x140}
LITERALS = [0, 5, 64, 65, 0x3c00, 0x3118, 0x3f80, 0x3e22, 0x3f800000, 0xbf000000, 0x3e22f983, 0x3ff00000,
            0x3fc45f30, 0x40100000, 0xfffffff0, 0xffffffef, 0xffffffff, 0x3c003c00, 0x80000000, 0xffff]


def opcodes(program, arch):
    table = collections.defaultdict(list)
    for line in os.popen(f'{program} list {arch}'):
        enc, op = line.split()[:2]
        table[enc].append(int(op))
        if enc in VOP3_BASE:
            table['vop3'].append(int(op) + VOP3_BASE[enc])
    return table


class Sampler:
    def __init__(self, table, seed):
        self.table, self.rng = table, random.Random(seed)

    def source(self, vgpr_only=False):
        r = self.rng.random()
        if vgpr_only or r < .6:
            return 256 + self.rng.choice((self.rng.randrange(256), 2 * self.rng.randrange(120)))
        if r < .8:
            return self.rng.randrange(128)
        # literals in 64-bit encodings crash llvm-mc 22 (exceptions.txt): single words of these are tried there
        return self.rng.choice((self.rng.randrange(128, 209), self.rng.randrange(209, 255)))

    def field(self, bits):
        """Half the time zero: reserved and unused fields often must be."""
        return self.rng.choice((0, self.rng.getrandbits(bits)))

    def word(self):
        r = self.rng
        if r.random() < .03:
            return [r.getrandbits(32), r.getrandbits(32)]
        enc = r.choice(list(CLASSES))
        base, low, words = CLASSES[enc]
        op = r.choice(self.table[enc]) if self.table[enc] and r.random() < .95 else r.getrandbits(WIDTHS[enc])
        if enc == 'mai' and op >= 0x100:
            return self.scaled(op - 0x100)
        w0 = base | (op & ((1 << WIDTHS[enc]) - 1)) << low
        return getattr(self, 'make_' + enc)(w0)

    def make_sop1(self, w0):
        return [w0 | self.rng.getrandbits(7) << 16 | self.rng.getrandbits(8), self.rng.choice(LITERALS)]

    def make_sop2(self, w0):
        r = self.rng
        return [w0 | r.getrandbits(7) << 16 | r.getrandbits(16), r.choice(LITERALS + [r.getrandbits(32)])]

    def make_sopc(self, w0):
        return [w0 | self.rng.getrandbits(16), self.rng.choice(LITERALS + [self.rng.getrandbits(32)])]

    def make_sopk(self, w0):
        r = self.rng
        imm = r.choice((r.getrandbits(16), r.getrandbits(5) | 31 << 11))
        return [w0 & ~0x7fffff | r.getrandbits(7) << 16 | imm, r.choice(LITERALS + [r.getrandbits(32)])]

    def make_sopp(self, w0):
        r = self.rng
        imm = r.choice((0, r.getrandbits(16), r.getrandbits(7)))
        if w0 >> 16 == 0xbf80:
            imm |= 0x8000  # small s_nop are the marks between cases
        return [w0 & 0xffff0000 | imm, 0xbf8a0000]

    def make_smem(self, w0):
        r = self.rng
        w0 |= r.getrandbits(13) | r.choice((2 << 16, 2 << 16, 0)) | r.choice((0, 0, 1)) << 14 | self.field(1) << 16
        return [w0 | self.field(1) << 15 | self.field(1) << 13, r.getrandbits(32) & 0xfe1fffff | self.field(4) << 21]

    def sub_word(self):
        r = self.rng
        sels = [r.choice((0, 1, 2, 3, 4, 5, 6, 6)) for _ in range(3)]
        return (r.getrandbits(7) | self.field(1) << 7 | sels[0] << 8 | r.randrange(3) << 11 | self.field(3) << 13 |
                sels[1] << 16 | self.field(3) << 19 | self.field(2) << 22 | r.choice((0, sels[2])) << 24 |
                self.field(3) << 27 | self.field(2) << 30)

    def dpp_word(self):
        r = self.rng
        ctrl = r.choice((r.getrandbits(8), 0x100 + r.randrange(0x30), 0x130 + 4 * r.randrange(4),
                         0x140 + r.randrange(4), 0x150 + r.randrange(16), r.getrandbits(9)))
        return r.getrandbits(8) | ctrl << 8 | self.field(3) << 17 | self.field(4) << 20 | r.getrandbits(8) << 24

    def vop_32(self, w0, two):
        r = self.rng
        src = r.choice((self.source(), self.source(), 249, 250, 255))
        second = {249: self.sub_word, 250: self.dpp_word}.get(src, lambda: r.choice(LITERALS + [r.getrandbits(32)]))
        return [w0 | src | (r.getrandbits(8) << 9 if two else 0), second()]

    def make_vop1(self, w0):
        return self.vop_32(w0 | self.rng.getrandbits(8) << 17, False)

    def make_vop2(self, w0):
        return self.vop_32(w0 | self.rng.getrandbits(8) << 17, True)

    def make_vopc(self, w0):
        return self.vop_32(w0, True)

    def sources(self, vgpr_only=False):
        a, b, c = (self.source(vgpr_only) for _ in range(3))
        return a | b << 9 | self.rng.choice((c, c, 0)) << 18

    def make_vop3(self, w0):
        dst = self.rng.choice((self.rng.randrange(255), 2 * self.rng.randrange(60)))
        return [w0 | dst | self.field(3) << 8 | self.field(4) << 11 | self.field(1) << 15,
                self.sources() | self.field(2) << 27 | self.field(3) << 29]

    def make_vop3p(self, w0):
        return [w0 | self.rng.getrandbits(8) | self.field(3) << 8 | self.field(4) << 11 | self.field(1) << 15,
                self.sources() | self.rng.getrandbits(2) << 27 | self.field(3) << 29]

    def make_mai(self, w0):
        dst = 2 * self.rng.randrange(128)
        return [w0 | dst | self.field(3) << 8 | self.field(4) << 11 | self.field(1) << 15,
                self.sources(self.rng.random() < .8) | self.field(2) << 27 | self.field(3) << 29]

    def scaled(self, op):
        r = self.rng
        first = [0xd3ac0000 | self.field(2) << 11 | self.field(2) << 8 | self.field(2) << 13,
                 self.source() | self.source() << 9 | self.field(9) << 18 | r.getrandbits(2) << 27 | self.field(2) << 29]
        w0 = 0xd3800000 | op << 16 | r.choice((1, 1, 1, 0, 2)) << 11
        return first + [w0 | 2 * r.randrange(110) | self.field(3) << 8 | self.field(1) << 15,
                        self.sources(r.random() < .8) | self.field(2) << 27 | self.field(3) << 29]

    def make_ds(self, w0):
        fields = [self.rng.choice((0, 2 * self.rng.randrange(120), self.rng.getrandbits(8))) for _ in range(3)]
        w1 = self.rng.getrandbits(8) | fields[0] << 8 | fields[1] << 16 | fields[2] << 24
        return [w0 | self.field(16) | self.field(1) << 16 | self.field(1) << 25, w1]

    def make_flat(self, w0):
        r = self.rng
        seg = r.choice((0, 1, 2, 2, 3))
        saddr = r.choice((127, 127, 0, r.getrandbits(7)))
        w1 = 2 * r.randrange(128) | 2 * r.randrange(128) << 8 | saddr << 16 | self.field(1) << 23 | r.getrandbits(8) << 24
        return [w0 | r.getrandbits(13) | self.field(1) << 13 | seg << 14 | self.field(2) << 16 | self.field(1) << 25, w1]

    def make_mubuf(self, w0):
        r = self.rng
        soff = r.choice((r.randrange(128), r.randrange(255)))
        w1 = r.getrandbits(8) | r.getrandbits(8) << 8 | r.getrandbits(5) << 16 | self.field(2) << 21
        w1 |= self.field(1) << 23 | soff << 24
        return [w0 | r.getrandbits(12) | self.field(4) << 12 | self.field(2) << 16 | self.field(1) << 25, w1]

    def make_mimg(self, w0):
        r = self.rng
        w1 = r.getrandbits(16) | r.getrandbits(5) << 16 | self.field(5) << 21 | self.field(1) << 31
        return [w0 | r.getrandbits(4) << 8 | self.field(4) << 12 | self.field(2) << 16 | self.field(1) << 25 | self.field(1) << 7, w1]

    def make_exp(self, w0):
        r = self.rng
        target = r.choice((r.getrandbits(3), 8, r.randrange(12, 16), r.randrange(32, 64), r.getrandbits(6)))
        return [w0 | r.getrandbits(4) | target << 4 | self.field(3) << 10 | self.field(1) << 13, r.getrandbits(32)]

    def make_vintrp(self, w0):
        r = self.rng
        return [w0 | r.choice((r.randrange(3), r.getrandbits(8))) | r.getrandbits(8) << 8 | r.getrandbits(8) << 18]

    def make_vinterp(self, w0):
        r = self.rng
        first = r.choice((r.randrange(3), 256 + r.getrandbits(8), self.source()))
        w1 = self.field(8) | self.field(1) << 8 | first << 9 | r.choice((0, 256 + r.getrandbits(8))) << 18
        return [w0 | r.getrandbits(8) | self.field(3) << 8 | self.field(4) << 11 | self.field(1) << 15,
                w1 | self.field(2) << 27 | self.field(3) << 29]

    def make_mtbuf(self, w0):
        w0, w1 = self.make_mubuf(w0 & ~0x78000 | w0 & 0x78000)
        return [w0 & 0xff807fff | w0 & 0x78000 | self.rng.getrandbits(7) << 19, w1]


CRASHED = '!crashed'


def applies(pattern, arch):
    """Does a pattern that begins with a comment, (?#ARCH), apply to an architecture? To those that begin so; others apply to all."""
    only = re.match(r'\(\?#(\w+)\)', pattern)
    return not only or arch.startswith(only[1])


def read_exceptions():
    """(pattern of llvm-mc's text, reason) lines and the example words after them."""
    rules = []
    for line in open(os.path.join(HERE, 'exceptions.txt')):
        if line.strip() and not line.startswith('#'):
            pattern, examples, reason = (f.strip() for f in line.split(' ;; '))
            if pattern != CRASHED:
                rules.append((re.compile(pattern), examples, reason))
    return rules


def inline_k(words, theirs, mine):
    """The constant of v_fmamk, v_fmaak and their relatives, if it is the code of an inline constant: llvm-mc's disassembler prints that one
    where its assembler writes a literal (v_fmaak_f32 v0, v0, v0, 0x93)."""
    if theirs is llvm.REFUSED or mine is llvm.REFUSED or not re.search(r'(madmk|madak|fmamk|fmaak)_f', mine[0]):
        return False
    if theirs is llvm.CRASHED:  # at codes of literals and DPP
        return any(128 <= w <= 255 for w in words[1:])
    codes = [f'{w:#x}' for w in words[1:] if 128 <= w <= 248]
    parts = re.split('(' + '|'.join(codes) + r')(?=,|$| )', mine[0]) if codes else [mine[0]]
    pattern = ''.join(r'\S+?' if i % 2 else re.escape(part) for i, part in enumerate(parts))
    return len(parts) > 1 and re.fullmatch(pattern, theirs[0]) is not None


def reserved_sdwa(words, theirs, mine):
    """dst_unused 3 is reserved: llvm-mc's disassembler prints it as UNUSED_PAD, which its assembler writes as 0."""
    return (mine is llvm.REFUSED and words[0] & 0x1ff == 0xf9 and len(words) > 1 and words[1] >> 11 & 3 == 3 and
            theirs not in (llvm.REFUSED, llvm.CRASHED) and 'UNUSED_PAD' in theirs[0])


def spare_fields(words, theirs, mine):
    """The first half of a scaled matrix instruction has no result and no third source: fields that are not there must be zero."""
    first = words[0] >> 16
    if mine is llvm.REFUSED and theirs not in (llvm.REFUSED, llvm.CRASHED) and first in (0xd3ac, 0xcc35, 0xcc3a):
        return re.match(r'v_w?mf?ma_scale', theirs[0]) and (words[0] & (0xe7ff if first == 0xd3ac else 0xff) or words[1] >> 18 & 0x1ff not in (0, 0x100))
    return False


def excused(theirs, mine, rules):
    if theirs is llvm.CRASHED:
        return mine is llvm.REFUSED or re.match('v_w?mf?ma_ld_scale', mine[0])
    if mine is not llvm.REFUSED and theirs is not llvm.REFUSED:
        # of a scaled matrix instruction that we refuse, the first half remains
        halves = re.match('v_w?mf?ma_ld_scale', mine[0]) and re.match('v_w?mf?ma_scale', theirs[0])
        return halves and any(r.search(theirs[0]) for r, _, _ in rules)
    if (mine is llvm.REFUSED) == (theirs is llvm.REFUSED):
        return False
    text = '+' + mine[0] if theirs is llvm.REFUSED else theirs[0]
    return any(r.search(text) for r, _, _ in rules)


def agree(words, theirs, mine):
    if theirs is llvm.REFUSED or theirs is llvm.CRASHED or mine is llvm.REFUSED:
        return theirs is mine
    rest_is_empty = mine[1] == 4 * len(words)
    return theirs[0] == mine[0] and (theirs[1] == 0) == rest_is_empty


def compare(program, arch, cases, rules):
    theirs, mine = llvm.disassemble(arch, cases), llvm.ours(program, arch, cases)
    for i, (a, b) in enumerate(zip(theirs, mine)):
        if a is llvm.CRASHED and b is not llvm.REFUSED:  # perhaps because of what follows the instruction
            cases[i] = cases[i][:b[1] // 4]
            theirs[i] = llvm.disassemble(arch, [cases[i]])[0]
    rules = [r for r in rules if applies(r[0].pattern, arch)]
    counts, bad = collections.Counter(), []
    for words, a, b in zip(cases, theirs, mine):
        kind = 'refused' if a is llvm.REFUSED else 'crashed' if a is llvm.CRASHED else 'decoded'
        counts[kind] += 1
        if agree(words, a, b):
            continue
        if excused(a, b, rules):
            counts['excepted'] += 1
        else:
            bad.append((words, a, b))
    return counts, bad


def show(verdict):
    return 'crashed' if verdict is llvm.CRASHED else 'refused' if verdict is llvm.REFUSED else f'{verdict[0]} ({verdict[1]})'


def main():
    program, arch = sys.argv[1:3]
    total = int(sys.argv[3]) if len(sys.argv) > 3 else 100000
    if os.environ.get('LW_FULL'):
        total = max(total, 1000000)
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    llvm.need(llvm.TOOL)
    sampler, rules = Sampler(opcodes(program, arch), seed), read_exceptions()
    counts, bad = collections.Counter(), []
    for start in range(0, total, 50000):
        cases = [sampler.word() for _ in range(min(50000, total - start))]
        more, wrong = compare(program, arch, cases, rules)
        counts += more
        bad += wrong
    for words, a, b in bad[:int(os.environ.get('LW_SHOW', '40'))]:
        print(' '.join('%08x' % w for w in words), f'\n  llvm-mc {show(a)}\n  ours    {show(b)}')
    print(f'{arch}: seed {seed}, {total} words, {dict(counts)}, {len(bad)} disagreements')
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())

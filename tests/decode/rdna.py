# SPDX-License-Identifier: MIT
"""Every row that gfx1100 has: decoded, printed and assembled as llvm-mc does it; random words.

rdna.py PROGRAM [WORDS PER ROW [SEED]]
rdna.py PROGRAM random WORDS [SEED]

Random words may have opcodes without a row, which must be refused: absent_gfx1100.txt lists their names. Nor has any
row of gfx11 its DPP forms yet.
"""
import collections
import os
import re
import sys

import differential
import llvm
import rows

ARCH = 'gfx1100'
differential.CLASSES.update({'smem': (0xf4000000, 18, 2), 'vop3': (0xd4000000, 16, 2), 'vop3p': (0xcc000000, 16, 2),
                             'ds': (0xd8000000, 18, 2)})
NULL, WAITCNT_VSCNT = 124, 24
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

    def make_smem(self, w0):
        r = self.rng
        w1 = r.choice((NULL, NULL, r.getrandbits(7))) << 25 | r.choice((0, r.getrandbits(21)))
        return [w0 | r.getrandbits(13) | self.field(1) << 14 | self.field(1) << 13, w1]

    def vop_32(self, w0, two):
        return [w0 | self.source() | (self.rng.getrandbits(8) << 9 if two else 0), self.literal()]

    def make_vop3(self, w0):
        r = self.rng
        return [w0 | r.getrandbits(8) | self.field(3) << 8 | self.field(1) << 15 | self.field(4) * (r.random() < .3) << 11,
                self.sources() | self.field(2) << 27 | self.field(3) << 29, self.literal()]

    def make_vop3p(self, w0):
        return super().make_vop3p(w0) + [self.literal()]

    def make_sopk(self, w0):
        words = super().make_sopk(w0)
        return [words[0] & ~0x7f0000 | NULL << 16, words[1]] if w0 >> 23 & 31 == WAITCNT_VSCNT else words

    def make_flat(self, w0):
        r = self.rng
        w1 = r.getrandbits(16) | r.choice((NULL, NULL, r.getrandbits(7))) << 16 | self.field(1) << 23 | r.getrandbits(8) << 24
        return [w0 | r.getrandbits(13) | self.field(1) << 13 | self.field(2) << 14 | r.choice((0, 1, 2, 2)) << 16, w1]


CLASSES = [c for c in differential.CLASSES if c not in ('mai', 'mtbuf')] + ['vopd']


def random_word(sampler, table):
    r = sampler.rng
    if r.random() < .03:
        return [r.getrandbits(32) for _ in range(3)]
    enc = r.choice(CLASSES)
    if enc == 'vopd':
        low = 0xc8000000 | r.randrange(14) << 22 | r.choice(list(range(14)) + [16, 17, 18, r.randrange(32)]) << 17
        return [low | sampler.field(8) << 9 | sampler.source(),
                sampler.source() | sampler.field(8) << 9 | r.getrandbits(15) << 17, sampler.literal()]
    base, low, _ = differential.CLASSES[enc]
    width = differential.WIDTHS[enc]
    op = r.choice(table[enc]) if r.random() < .95 else r.getrandbits(width)
    words = getattr(sampler, 'make_' + enc)(base | (op & ((1 << width) - 1)) << low)
    return words + [sampler.literal()] * (3 - len(words))


def absent_names():
    path = os.path.join(differential.HERE, 'absent_gfx1100.txt')
    return {line.strip() for line in open(path) if line.strip() and not line.startswith('#')}


def bare(text):
    return re.sub(r'_e(32|64)$', '', text.split()[0])


def random_words(program, total, seed):
    sampler, table = Sampler({}, seed), collections.defaultdict(list)
    absent, rules = absent_names(), differential.read_exceptions()
    for enc, op in rows.names(program, ARCH):
        table[enc].append(op)
        if enc in BASES:
            table['vop3'].append(op + BASES[enc])
    cases = [random_word(sampler, table) for _ in range(total)]
    counts, bad = differential.compare(program, ARCH, cases, rules)
    left = []
    for words, theirs, mine in bad:
        name = bare(theirs[0]) if theirs not in (llvm.REFUSED, llvm.CRASHED) else ''
        if mine is llvm.REFUSED and (name in absent or name.endswith('_dpp')):
            counts['without a row'] += 1
        else:
            left.append((words, theirs, mine))
    for words, a, b in left[:40]:
        print(' '.join('%08x' % w for w in words), f'\n  llvm-mc {differential.show(a)}\n  ours    {differential.show(b)}')
    stale = sorted(absent & set(rows.names(program, ARCH).values()))
    for name in stale:
        print('listed as absent, but a row:', name)
    print(f'{ARCH}: seed {seed}, {total} words, {dict(counts)}, {len(left)} disagreements')
    return 1 if left or stale else 0


def main():
    program = sys.argv[1]
    if sys.argv[2:3] == ['random']:
        llvm.need(llvm.TOOL)
        return random_words(program, int(sys.argv[3]), int(sys.argv[4]) if len(sys.argv) > 4 else 11)
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 40
    llvm.need(llvm.TOOL)
    table = rows.names(program, ARCH)
    sampler, rules = Sampler({}, int(sys.argv[3]) if len(sys.argv) > 3 else 5), differential.read_exceptions()
    keys, cases = [], []
    for enc, op in table:
        base, low, _ = differential.CLASSES[enc]
        forms = [(enc, op)]
        if enc in ('vopc', 'vop2', 'vop1'):
            forms.append(('vop3', op + BASES[enc]))
        for form, number in forms:
            base, low, _ = differential.CLASSES[form]
            word = base | number << low
            for words in ([word, 0], [word, 256], [word, 256 | 256 << 9 | 256 << 18]):
                keys.append((enc, op))
                cases.append(words)
            for _ in range(count):
                keys.append((enc, op))
                cases.append(getattr(sampler, 'make_' + form)(word))
    counts, bad = differential.compare(program, ARCH, cases, rules)
    for words, a, b in bad[:40]:
        print(' '.join('%08x' % w for w in words), f'\n  llvm-mc {differential.show(a)}\n  ours    {differential.show(b)}')
    texts = collections.defaultdict(list)
    for key, verdict in zip(keys, llvm.ours(program, ARCH, cases)):
        if verdict is not llvm.REFUSED and verdict[1] < 12:  # literals in VOP3 may be spelled in two ways
            texts[key].append(verdict[0])
    never = [f'{enc} {op:#x} {name}' for (enc, op), name in table.items() if (enc, op) not in texts]
    silent, changed = rows.round_trips(program, ARCH, dict(texts))
    for a, b in changed[:40]:
        print('assembled differently:', a, '->', differential.show(b))
    for key, text in silent.items():
        print('never assembled:', *key, text[0])
    for name in never:
        print('never decoded:', name)
    print(f'{ARCH}: {len(cases)} words over {len(table)} rows, {dict(counts)}, {len(bad)} disagreements, {len(never)} rows '
          f'never met, {len(silent)} never assembled, {len(changed)} changed on the way back')
    return 1 if bad or never or silent or changed else 0


if __name__ == '__main__':
    sys.exit(main())

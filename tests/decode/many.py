# SPDX-License-Identifier: MIT
"""Millions of words of each architecture: our decoder compared with LLVM 22's, loaded as a library.

many.py DECODE_WORDS MANY_WORDS COUNT [SEED [ARCH ...]]
The cases are those of differential.py and rdna.py with bits changed. What is excused there is excused here.
"""
import collections
import subprocess
import sys
import time

import differential
import llvm

ARCHES = ['gfx908', 'gfx90a', 'gfx942', 'gfx950', 'gfx1100', 'gfx1100/64', 'gfx1150', 'gfx1150/64', 'gfx1201', 'gfx1201/64', 'gfx1250',
          'gfx1101', 'gfx1102', 'gfx1103', 'gfx1151', 'gfx1152', 'gfx1153', 'gfx1200', 'gfx1251']
BASES = 40000


def bases(program, arch, seed):
    """In a process of its own: rdna.py changes differential.py's tables."""
    code = ('import sys, collections\nimport differential, rows\n'
            'program, arch, seed, count = sys.argv[1:3] + [int(a) for a in sys.argv[3:]]\n'
            'if arch.startswith("gfx9"):\n'
            '    s = differential.Sampler(differential.opcodes(program, arch), seed)\n'
            '    cases = [s.word() for _ in range(count)]\n'
            'else:\n'
            '    import rdna\n'
            '    s, table = rdna.sampler_of(arch, seed), collections.defaultdict(list)\n'
            '    for enc, op in rows.names(program, arch):\n'
            '        table[enc].append(op)\n'
            '        if enc in rdna.BASES: table["vop3"].append(op + rdna.BASES[enc])\n'
            '    cases = [rdna.random_word(s, table) for _ in range(count)]\n'
            'print("\\n".join(" ".join("%x" % w for w in words) for words in cases))\n')
    return subprocess.run([sys.executable, '-c', code, program, arch, str(seed), str(BASES)], cwd=differential.HERE,
                          stdout=subprocess.PIPE, text=True, check=True).stdout


def verdict(text, size):
    return llvm.CRASHED if text == '!' else llvm.REFUSED if text == '-' else (text, size)


def compare(tools, arch, count, seed, rules):
    options = llvm.target(arch)
    features = options[1].removeprefix('-mattr=') if len(options) > 1 else ''
    rules = [r for r in rules if differential.applies(r[0].pattern, arch)]
    p = subprocess.Popen([tools[1], arch, arch.partition('/')[0], features, str(count), str(seed)], stdin=subprocess.PIPE,
                         stdout=subprocess.PIPE, text=True)
    try:
        p.stdin.write(bases(tools[0], arch, seed))
        p.stdin.close()
    except BrokenPipeError:
        pass
    counts, bad, total = collections.Counter(), [], ''
    import rdna  # its misprinted and foreign use no tables
    for line in p.stdout:
        if line.startswith('='):
            total = line[2:].strip()
            continue
        words, a, b = line.rstrip('\n').split(' | ')
        words = [int(w, 16) for w in words.split()]
        (n, _, theirs), (m, _, mine) = a.partition(' '), b.partition(' ')
        theirs, mine = verdict(theirs, int(n)), verdict(mine, int(m))
        if theirs is mine:
            continue
        if differential.excused(theirs, mine, rules):
            counts['excepted'] += 1
        elif differential.inline_k(words, theirs, mine) or differential.spare_fields(words, theirs, mine) or arch.startswith('gfx9') and differential.reserved_sdwa(words, theirs, mine):
            counts['misprinted'] += 1
        elif not arch.startswith('gfx9') and (rdna.misprinted(theirs, mine) or rdna.foreign(words, theirs, mine, arch)):
            counts['misprinted'] += 1
        else:
            bad.append((words, theirs, mine))
    if p.wait() == 77:
        print('skipped: LLVM 22 is not installed as a library')
        sys.exit(77)
    if p.returncode:
        sys.exit(f'{tools[1]} failed')
    return total, counts, bad


def main():
    tools, count = [differential.os.path.abspath(t) for t in sys.argv[1:3]], int(sys.argv[3])
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    rules, failed = differential.read_exceptions(), 0
    for arch in sys.argv[5:] or ARCHES:
        start = time.monotonic()
        total, counts, bad = compare(tools, arch, count, seed, rules)
        shown = collections.Counter()
        for words, a, b in bad:
            key = (differential.show(a).split()[0], differential.show(b).split()[0])
            shown[key] += 1
            if shown[key] <= 3:
                print(' '.join('%08x' % w for w in words), f'\n  LLVM {differential.show(a)}\n  ours {differential.show(b)}')
        print(f'{arch}: seed {seed}, {count} words, {total}, {dict(counts)}, {len(bad)} disagreements, '
              f'{time.monotonic() - start:.0f} s', flush=True)
        failed += bool(bad)
    return failed > 0


if __name__ == '__main__':
    sys.exit(main())

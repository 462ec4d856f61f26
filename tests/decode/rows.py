# SPDX-License-Identifier: MIT
"""Every opcode number of every encoding class: known to both or to neither; every row decoded, printed, assembled.

rows.py PROGRAM ARCH
"""
import collections
import os
import re
import subprocess
import sys

import differential
import llvm

FILLINGS = 24
# bits of the first dword that would turn it into another instruction are not changed
SCALED = 0x100


def words_for(sampler, enc, op):
    base, low, _ = differential.CLASSES[enc]
    if enc == 'mai' and op >= SCALED:
        return sampler.scaled(op - SCALED)
    return getattr(sampler, 'make_' + enc)(base | op << low)


def plain_words(enc, op):
    """Registers 0 and no modifiers: every row accepts one of these shapes."""
    base, low, words = differential.CLASSES[enc]
    w0, vgprs = base | (op & 0xff if enc == 'mai' else op) << low, 256 | 256 << 9 | 256 << 18
    if op >= SCALED and enc == 'mai':
        return [[0xd3ac0000, 256 | 256 << 9, w0 | 1 << 11, vgprs]]
    if words == 1:
        return [[w0 | (256 if enc.startswith('vop') else 0), 0x12345678]]
    if enc == 'mimg':
        return [[w0 | mask << 8, 0] for mask in (1, 3, 15)]
    if enc == 'vinterp':
        return [[w0, 256 << 9 | 256 << 18], [w0, 256 << 9], [w0, 0]]
    if enc in ('vop3p', 'mai'):
        return [[w0 | 1 << 14, vgprs | 3 << 27], [w0, vgprs]]
    if enc == 'smem':
        return [[w0, 0], [w0 | 1 << 17, 16]]
    if enc == 'flat':
        return [[w0, 0]] + [[w0 | seg << 14, 127 << 16] for seg in (1, 2)]
    # v_readlane_b32 reads a vector register and a scalar
    return [[w0, 0], [w0, 256], [w0, vgprs]] if enc == 'vop3' else [[w0, 0], [w0 | 1 << 16, 0]]


def skip(enc, op):
    """Opcode numbers that belong to another encoding class."""
    return (enc == 'sop2' and op >= 96) or (enc == 'sopk' and op >= 26) or (enc == 'vop2' and op >= 62) or \
        (enc == 'vop3' and (0x380 <= op or 0x270 <= op < 0x278))


def all_cases(sampler, table):
    for enc in differential.CLASSES:
        numbers = range(1 << differential.WIDTHS[enc])
        for op in list(numbers) + [n for n in table[enc] if n >= SCALED and enc == 'mai']:
            if not skip(enc, op) and not (enc == 'mai' and op in table['vop3p']):
                for words in plain_words(enc, op):
                    yield (enc, op), words
                for _ in range(FILLINGS):
                    yield (enc, op), words_for(sampler, enc, op)


def assemble(arch, texts):
    """The dwords of each instruction from llvm-mc, None if it refuses the text."""
    p = subprocess.run([llvm.TOOL, '-triple=amdgcn-amd-amdhsa', *llvm.target(arch), '-show-encoding'],
                       input='\n'.join(texts), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    bad = {int(n) - 1 for n in re.findall(r'^<stdin>:(\d+):\d+: error', p.stderr, re.M)}
    encodings = iter(re.findall(r'encoding: \[([^\]]*)\]', p.stdout))
    out = []
    for i in range(len(texts)):
        data = b'' if i in bad else bytes(int(b, 16) for b in next(encodings).split(','))
        out.append([int.from_bytes(data[j:j + 4], 'little') for j in range(0, len(data), 4)] or None)
    return out


def round_trips(program, arch, texts):
    """Rows for which no text survives llvm-mc's assembler and our decoder."""
    left, wrong = dict(texts), []
    for attempt in range(FILLINGS + 8):
        keys = [k for k in left if len(left[k]) > attempt]
        taken = [(k, w) for k, w in zip(keys, assemble(arch, [left[k][attempt] for k in keys])) if w]
        for (key, words), verdict in zip(taken, llvm.ours(program, arch, [w for _, w in taken])):
            if verdict is llvm.REFUSED or verdict[0] != left[key][attempt] or verdict[1] != 4 * len(words):
                wrong.append((left[key][attempt], verdict))
            del left[key]
    return left, wrong


def names(program, arch):
    return {(f[0], int(f[1])): f[2] for f in (line.split() for line in os.popen(f'{program} list {arch}'))}


def main():
    program, arch = sys.argv[1:3]
    llvm.need(llvm.TOOL)
    table, rows = differential.opcodes(program, arch), names(program, arch)
    sampler, rules = differential.Sampler(table, 42), differential.read_exceptions()
    keys, cases = zip(*all_cases(sampler, table))
    cases = list(cases)
    _, bad = differential.compare(program, arch, cases, rules)
    for words, a, b in bad[:40]:
        print(' '.join('%08x' % w for w in words), f'\n  llvm-mc {differential.show(a)}\n  ours    {differential.show(b)}')

    texts = collections.defaultdict(list)
    for key, verdict in zip(keys, llvm.ours(program, arch, cases)):
        if verdict is not llvm.REFUSED:
            texts[key].append(verdict[0])
    never = [f'{enc} {op:#x} {name}' for (enc, op), name in rows.items()
             if not texts[(enc, op)]]
    silent, changed = round_trips(program, arch, {k: t for k, t in texts.items() if t})
    for a, b in changed[:40]:
        print('assembled differently:', a, '->', differential.show(b))
    for key, t in silent.items():
        print('never assembled:', *key, t[0])
    for name in never:
        print('never decoded:', name)
    print(f'{arch}: {len(cases)} words over {len(rows)} rows, {len(bad)} disagreements, {len(never)} rows never met, '
          f'{len(silent)} never assembled, {len(changed)} changed on the way back')
    return 1 if bad or never or changed or silent else 0


if __name__ == '__main__':
    sys.exit(main())

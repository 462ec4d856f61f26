# SPDX-License-Identifier: MIT
"""llvm-mc as a reference disassembler: one verdict for each list of dwords."""
import os
import re
import shutil
import subprocess
import sys

TOOL = 'llvm-mc-22'
REFUSED, CRASHED = object(), object()
CHUNK = 4000
WINDOW = 128
ENVIRONMENT = {**os.environ, 'LLVM_DISABLE_SYMBOLIZATION': '1'}  # naming the functions of a crash takes half a second
# LLVM 22 prints no halves of registers for gfx12 unless told to
ATTRIBUTES = {arch: ['+real-true16'] for arch in ('gfx1200', 'gfx1201', 'gfx1250', 'gfx1251')}


def target(arch):
    """Options for a target; ARCH/64: waves of 64 lanes where 32 are usual."""
    name, _, wave = arch.partition('/')
    attributes = ATTRIBUTES.get(name, []) + (['+wavefrontsize64'] if wave else [])
    return [f'-mcpu={name}'] + ([f'-mattr={",".join(attributes)}'] if attributes else [])


def need(tool):
    if not shutil.which(tool):
        print(f'skipped: {tool} is not installed')
        sys.exit(77)


def hex_bytes(words):
    return ' '.join('0x%02x' % b for w in words for b in w.to_bytes(4, 'little'))


def run(arch, cases):
    """Verdicts up to the first crash: (text, size) or REFUSED, one for each case with an answer."""
    lines = []
    for i, words in enumerate(cases):
        lines.append(f'[{hex_bytes(words)}]')
        lines.append(f'[{hex_bytes([0xbf800000 | i])}]')  # s_nop i: a mark between the cases
    p = subprocess.run([TOOL, '-disassemble', '-triple=amdgcn-amd-amdhsa', *target(arch)],
                       input='\n'.join(lines), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                       env=ENVIRONMENT)
    refused = {}
    for m in re.finditer(r'^<stdin>:(\d+):(\d+): warning', p.stderr, re.M):
        refused.setdefault((int(m[1]) - 1) // 2, set()).add(int(m[2]))
    verdicts, got = [], []
    for line in p.stdout.splitlines():
        line = line.strip()
        mark = re.fullmatch(r's_nop (0x[0-9a-f]+|\d+)', line)
        if not mark or int(mark[1], 0) != len(verdicts):
            if line:
                got.append(line)
            continue
        bad = refused.get(len(verdicts), set())
        if 2 in bad or not got:
            verdicts.append(REFUSED)
        else:
            rest = len(got) - 1 + len(bad)
            verdicts.append((got[0], rest))
        got = []
    return verdicts


def disassemble(arch, cases):
    """A verdict for each case: (text, instructions after it), REFUSED, or CRASHED."""
    out = []
    for start in range(0, len(cases), CHUNK):
        chunk = cases[start:start + CHUNK]
        out += chunk_verdicts(arch, chunk)
    return out


def chunk_verdicts(arch, cases):
    out = []
    while len(out) < len(cases):
        left = cases[len(out):]
        done = run(arch, left)
        if len(done) < len(left):
            done = done[:-1]  # what was printed before a crash may be cut short; the crash is not far
            done += halved(arch, left[len(done):len(done) + WINDOW])
        out += done
    return out


def halved(arch, cases):
    done = run(arch, cases)
    if len(done) == len(cases):
        return done
    if len(cases) == 1:
        return [CRASHED]
    half = len(cases) // 2
    return halved(arch, cases[:half]) + halved(arch, cases[half:])


def ours(program, arch, cases):
    """The same from our decoder: (text, size in bytes) or REFUSED."""
    if not cases:
        return []
    text = '\n'.join(' '.join('%x' % w for w in words) for words in cases) + '\n'
    p = subprocess.run([program, arch], input=text, stdout=subprocess.PIPE, text=True, check=True)
    out = []
    for line in p.stdout.splitlines():
        size, _, rest = line.partition(' ')
        out.append(REFUSED if size == '-' else (rest, int(size)))
    assert len(out) == len(cases)
    return out

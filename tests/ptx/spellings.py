# SPDX-License-Identifier: MIT
"""Loads and decodes the opcodes that other people's PTX uses, and their words in other orders.

spellings/TARGET.ptx holds every opcode of tiers 1 to 2c that 166 programs use (CUDA's samples, CUTLASS, llm.c, FlashAttention,
Triton's and tinygrad's output), with operands; no lane executes them, but all are decoded. Where ptxas 13.0 is installed, it
judges the operands, and the words of each opcode in random orders: what it accepts, this library accepts.
Usage: spellings.py LANEWISE DIRECTORY
"""
import csv
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

PROGRAM, DIRECTORY = sys.argv[1:]
TARGETS = ('sm_90a', 'sm_100a', 'sm_120a')
ORDERS = 40 if os.environ.get('LW_FULL') else 4
TYPE = re.compile(r'pred|[bus](1|4|8|16|32|64|128)|b?f16(x2)?|f32(x2)?|f64|tf32|ue?\d?m\d|u?e\dm\d(x[24])?|b8x16|b[46]x16_p\d+')
LINE = re.compile(r'(@%p7 )?([a-z]\w*(?:\.[\w:]+)+)( .*)?;$')
bad = 0


def check(good, *words):
    global bad
    if not good:
        bad += 1
        print('FAILED:', *words)


def lanewise(*words):
    p = subprocess.run([PROGRAM, *words], capture_output=True, text=True)
    return p.returncode, p.stdout + p.stderr


def refused_by_ptxas(work, target, text):
    """The lines with errors; an error may hide those after it."""
    path = os.path.join(work, 'orders.ptx')
    with open(path, 'w') as f:
        f.write(text)
    p = subprocess.run(['ptxas', '-arch', target, path, '-o', os.devnull], capture_output=True, text=True)
    return {int(n) - 1 for n in re.findall(r'line (\d+); (?:error|fatal)', p.stdout + p.stderr)}


def shuffled(opcode, rng):
    """Its words in another order; types follow each other as they did."""
    name, *words = opcode.split('.')
    mixed = words[:]
    rng.shuffle(mixed)
    types = iter([w for w in words if TYPE.fullmatch(w)])
    return '.'.join([name] + [next(types) if TYPE.fullmatch(w) else w for w in mixed])


def accepted_by_ptxas(work, target, head, lines, tail):
    while lines:
        wrong = refused_by_ptxas(work, target, '\n'.join(head + lines + tail))
        if not wrong:
            break
        lines = [line for i, line in enumerate(lines) if i + len(head) not in wrong]
    return lines


def check_orders(work, target, text):
    rng = random.Random(12)
    lines = text.split('\n')
    first = next(i for i, line in enumerate(lines) if line.startswith('mov.pred %p7')) + 1
    last = lines.index('L0:')
    mixed = []
    for line in lines[first:last]:
        m = LINE.match(line)
        for _ in range(ORDERS if m else 0):
            other = shuffled(m[2], rng)
            if other != m[2]:
                mixed.append((m[1] or '') + other + (m[3] or '') + ';')
    kept = accepted_by_ptxas(work, target, lines[:first], sorted(set(mixed)), lines[last:])
    path = os.path.join(work, 'kept.ptx')
    with open(path, 'w') as f:
        f.write('\n'.join(lines[:first] + kept + lines[last:]))
    status, out = lanewise('list', path)
    check(status == 0 and 'not supported' not in out and 'not loaded' not in out, target, 'other orders:', out[:2000])
    print(f'{target}: {len(kept)} other orders of {len(set(mixed))} are accepted by ptxas, and all of these here')
    check(len(kept) > 20 or target != 'sm_90a', 'almost no other order was tried')


def has_ptxas():
    if not shutil.which('ptxas'):
        return False
    return 'release 13.0' in subprocess.run(['ptxas', '--version'], capture_output=True, text=True).stdout


def main():
    texts = {}
    for target in TARGETS:
        path = os.path.join(DIRECTORY, target + '.ptx')
        with open(path) as f:
            texts[target] = f.read()
        status, out = lanewise('list', path)
        check(status == 0 and 'not supported' not in out, path, out)
        status, out = lanewise('run', path, '--grid', '1', '--block', '32', 'null', 'bytes:' + '00' * 64)
        check(status == 0, path, out[-600:])
    whole = {m[2] for text in texts.values() for m in map(LINE.match, text.split('\n')) if m}
    check(len(whole) > 700, len(whole), 'opcodes')
    histogram = os.path.join(os.environ['LW_SOURCE_DIR'], '..', 'shared', 'data', 'ptx-histogram.csv')
    if os.path.exists(histogram):
        plain = {'bra', 'call', 'exit', 'ret', 'brkpt', 'trap'}  # have no words
        with open(histogram) as f:
            used = {r['name'] for r in csv.DictReader(f) if r['kind'] == 'op' and r['tier'] != '3'}
        check(not used - whole - plain, 'not in the files:', sorted(used - whole - plain))
    if has_ptxas():
        with tempfile.TemporaryDirectory() as work:
            for target, text in texts.items():
                check(not refused_by_ptxas(work, target, text), target, 'ptxas refuses a line')
                check_orders(work, target, text)
    else:
        print('ptxas 13.0 is not there: only loaded and decoded')
    sys.exit(bad != 0)


main()

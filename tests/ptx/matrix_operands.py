# SPDX-License-Identifier: MIT
"""Counts, widths and types of the operands of matrix instructions, against the judgements of ptxas 13.0 in a list.

What it accepts is loaded; what it refuses is refused when it is loaded, with the line and the column, and the kernels of a
module without it load. Where ptxas is installed, it judges the whole list again.
Usage: matrix_operands.py LANEWISE LIST
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

PROGRAM, LIST = sys.argv[1:]
HEAD = """.version 8.7
.target %s
.address_size 64
.entry k() {
.reg .pred %%p<4>; .reg .b16 %%h<9>; .reg .b32 %%r<40>; .reg .u32 %%u<9>; .reg .s32 %%s<9>; .reg .f32 %%f<40>;
.reg .f16x2 %%x<9>; .reg .b64 %%rd<9>; .reg .f64 %%d<9>; .shared .align 128 .b8 sm[4096];
"""
FIRST = HEAD.count('\n') + 1
bad = 0


def check(good, *words):
    global bad
    if not good:
        bad += 1
        print('FAILED:', *words)


def run(*words):
    p = subprocess.run(words, capture_output=True, text=True)
    return p.returncode, p.stdout + p.stderr


def module(target, forms):
    return HEAD % target + ''.join('  ' + form + '\n' for form in forms) + 'ret; }\n'


with open(LIST) as f:
    lines = [line.split(' ', 2) for line in f.read().splitlines() if line and line[0] != '#']
with tempfile.TemporaryDirectory() as work:
    path = os.path.join(work, 'k.ptx')

    def write(text):
        with open(path, 'w') as f:
            f.write(text)

    for target in sorted({t for _, t, _ in lines}):
        accepted = [form for verdict, t, form in lines if t == target and verdict == 'accept']
        write(module(target, accepted))
        status, text = run(PROGRAM, 'list', path)
        check(status == 0 and 'not supported' not in text, target, 'accepted by ptxas:', text)
        for form in [form for verdict, t, form in lines if t == target and verdict == 'refuse']:
            write(module(target, accepted[:1] + [form]))
            status, text = run(PROGRAM, 'list', path)
            check(status != 0 and f'line {FIRST + 1}, column 3: ' in text, target, form, text)
        if shutil.which('ptxas'):
            forms = [(verdict, form) for verdict, t, form in lines if t == target]
            write(module(target, [form for _, form in forms]))
            _, text = run('ptxas', '-arch', target, path, '-o', os.devnull)
            wrong = {int(n) - FIRST for n in re.findall(r'line (\d+); (?:error|fatal)', text)}
            for i, (verdict, form) in enumerate(forms):
                check((i in wrong) == (verdict == 'refuse'), 'ptxas:', target, form)
print(f'{len(lines)} forms, {bad} failures' + ('' if shutil.which('ptxas') else ' (ptxas is not installed: the list alone)'))
sys.exit(bad != 0)

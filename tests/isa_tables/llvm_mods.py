# SPDX-License-Identifier: MIT
"""Modifiers of AMD's matrix instructions, compared with those of LLVM's assembler.

For every instruction and every value of every field (and some pairs): the assembler accepts what we accept, with the
register counts we state, and our printed text assembles to the same bytes; what only the assembler accepts is either
open (a reading allows it) or has a reason below; so has what only we accept. Usage: llvm_mods.py ASK TABLE.csv
"""
import collections
import csv
import itertools
import re
import shutil
import subprocess
import sys

TOOL = 'llvm-mc-22'
ARCHS = {'gfx908': 'gfx908', 'gfx90a': 'gfx90a', 'gfx942': 'gfx942', 'gfx950': 'gfx950', 'gfx11': 'gfx1100',
         'gfx12': 'gfx1201', 'gfx1250': 'gfx1250'}
LISTS = ['[%d,%d,%d]' % b for b in itertools.product((0, 1), repeat=3)]

# What we refuse although it assembles: (words of our message, reason)
STRICTER = [
    (r'groups \d+ blocks', 'cbsz beyond the number of blocks has no meaning; the field holds it'),
    (r'is not among the|but cbsz is 0', 'abid beyond the blocks that cbsz groups has no meaning; the field holds it'),
    (r'holds sets 0\.\.', 'abid beyond the index sets has no meaning; the field holds it'),
    (r'is a reserved format', 'formats 5 to 7 do not exist; the assembler wants registers for 8 bits then'),
    (r'op_sel(_hi)? may set bits 0 and 1', 'a scaled MFMA has two scales: the third bit has nothing to select'),
    (r'must be MATRIX_SCALE_ROW0', 'the scales of 32 rows take all lanes'),
]
# What we accept although it does not assemble.
LOOSER = {
    ('gfx1201', '32', 'v_swmmac_i32_16x16x64_iu4', 'index_key:0'): 'the instruction has no such field in waves of 32; '
                                                                   '0 says that nothing is picked',
}


def cases(arch):
    out = ['']
    if arch.startswith('gfx9'):
        out += [f'cbsz:{c} abid:{a}' for c in range(9) for a in (0, 1, 3, 15, 16)]
        out += [f'blgp:{b}' for b in range(9)] + [f'neg:{l}' for l in LISTS]
    else:
        out += [f'neg_lo:{l}' for l in LISTS] + [f'neg_hi:{l}' for l in LISTS] + ['clamp', 'neg_lo:[1,0]', 'neg_lo:[1]']
        out += [f'index_key:{k}' for k in range(5)]
        out += ['matrix_a_reuse', 'matrix_b_reuse', 'neg_lo:[1,1,0] neg_hi:[1,1,0]']
    out += [f'op_sel:{l}' for l in LISTS] + [f'op_sel_hi:{l}' for l in LISTS]
    if arch == 'gfx950':
        out += [f'cbsz:{a} blgp:{b}' for a in range(6) for b in range(6)]
    if arch == 'gfx1250':
        formats = ['FP8', 'BF8', 'FP6', 'BF6', 'FP4']
        scales = ['E8', 'E5M3', 'E4M3']
        out += [f'matrix_a_fmt:MATRIX_FMT_{a} matrix_b_fmt:MATRIX_FMT_{b}' for a in formats for b in formats]
        out += [f'matrix_a_fmt:{a} matrix_b_fmt:{a}' for a in range(6)]
        out += [f'matrix_{x}_scale:{r}' for x in 'ab' for r in ('MATRIX_SCALE_ROW0', 'MATRIX_SCALE_ROW1', '1', '2')]
        for a, b in itertools.product(scales, scales):
            text = f'matrix_a_scale_fmt:MATRIX_SCALE_FMT_{a} matrix_b_scale_fmt:MATRIX_SCALE_FMT_{b}'
            out += [text, f'matrix_a_fmt:4 matrix_b_fmt:4 {text}', f'matrix_a_fmt:4 {text}', f'matrix_b_fmt:4 {text}']
        out += [f'matrix_b_scale_fmt:{n}' for n in range(4)]
    return out


def ask(program, lines):
    p = subprocess.run([program], input='\n'.join(lines) + '\n', stdout=subprocess.PIPE, text=True, check=True)
    return [l.split('\t') for l in p.stdout.splitlines()]


def assemble(arch, wave, lines):
    """The bytes of each line, None if the assembler refuses it."""
    features = [f'-mattr=+wavefrontsize{wave}'] if arch in ('gfx1100', 'gfx1201') else []
    p = subprocess.run([TOOL, '-arch=amdgcn', f'-mcpu={arch}', '-show-encoding', *features],
                       input='\n'.join(lines) + '\n', stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    refused = {int(m[1]) - 1 for m in re.finditer(r'^<stdin>:(\d+):\d+: error', p.stderr, re.M)}
    bytes_of = iter(re.findall(r'encoding: (\[.*\])', p.stdout))
    return [None if i in refused else next(bytes_of) for i in range(len(lines))]


def main():
    program, table = sys.argv[1:]
    if not shutil.which(TOOL):
        print(f'skipped: {TOOL} is not installed')
        sys.exit(77)
    work = collections.defaultdict(list)
    with open(table, newline='') as f:
        for row in csv.DictReader(f):
            if row['status'] == 'native' and row['family'] in ARCHS:
                for wave in row['wave'].split('+'):
                    work[ARCHS[row['family']], wave].append(row['mnemonic'])
    count, bad, met = collections.Counter(), 0, set()
    for (arch, wave), names in work.items():
        todo = [(n, m) for n in names for m in cases(arch)]
        ours = ask(program, [f'{arch} {wave} {n} {m}' for n, m in todo])
        ours = [[v, operands, re.sub(r' ?wave:\d+$', '', text)] for v, operands, text in ours]
        theirs = assemble(arch, wave, [f'{n} {o[1]} {m}' for (n, m), o in zip(todo, ours)])
        again = assemble(arch, wave, [f'{n} {o[1]} {o[2] if o[0] == "yes" else ""}' for (n, m), o in zip(todo, ours)])
        for (n, m), (verdict, _, text), code, printed in zip(todo, ours, theirs, again):
            count[verdict] += 1
            problem = None
            if (arch, wave, n, m) in LOOSER:
                problem = None if (verdict, code) == ('yes', None) else 'this exception no longer occurs'
            elif verdict == 'yes' and code is None:
                problem = 'we take it, LLVM does not'
            elif verdict == 'yes' and printed != code:
                problem = f'printed as "{text}", which is {printed}, not {code}'
            elif verdict == 'open' and code is None:
                problem = 'we call it open, but it does not assemble'
            elif verdict == 'refused' and code is not None:
                reason = next((r for r in STRICTER if re.search(r[0], text)), None)
                problem = None if reason else f'LLVM takes it, we do not: {text}'
                met.add(reason)
            if problem:
                bad += 1
                print(f'{arch} w{wave} {n} {m}: {problem}')
    for reason in set(STRICTER) - met:
        bad += 1
        print(f'no case needs this reason any more: {reason[1]}')
    print(dict(count), f'{bad} wrong')
    sys.exit(bad != 0)


main()

# SPDX-License-Identifier: MIT
"""Does LLVM's assembler know a matrix instruction that we neither have nor refuse by name, or the other way round?

The names are those in the assembler's own tables, found in its binary. A target has a name if the assembler
complains about missing operands. What a target has, we have or refuse with a reason; what it does not have, we do not
have, except as listed below.
Usage: llvm_names.py ASK TABLE.csv
"""
import csv
import os
import re
import shutil
import subprocess
import sys

TOOL = 'llvm-mc-22'
PATTERN = rb'v_(?:mfma|smfmac|wmma|swmmac|accvgpr)_[a-z0-9_]+'
TARGETS = {
    'gfx908': 'gfx908', 'gfx90a': 'gfx90a', 'gfx942': 'gfx942', 'gfx950': 'gfx950', 'gfx1100': 'gfx1100',
    'gfx1101': 'gfx1100', 'gfx1102': 'gfx1100', 'gfx1103': 'gfx1100', 'gfx1150': 'gfx1150',
    'gfx1151': 'gfx1150', 'gfx1152': 'gfx1150', 'gfx1153': 'gfx1150', 'gfx1200': 'gfx1201',
    'gfx1201': 'gfx1201', 'gfx1250': 'gfx1250', 'gfx1251': 'gfx1250',
}
# why we know a name that the assembler does not
EXCEPTIONS = {
    'v_wmma_f64_16x16x4_f64': 'an instruction of gfx1251 that LLVM 22 does not know; refused by name',
}


def names_in_tool():
    tool = os.path.realpath(shutil.which(TOOL))
    libraries = subprocess.run(['ldd', tool], stdout=subprocess.PIPE, text=True).stdout.splitlines()
    files = [tool] + [l.split()[2] for l in libraries if 'LLVM' in l and '=>' in l]
    found = set()
    for name in files:
        with open(name, 'rb') as f:
            found |= {m.decode() for m in re.findall(PATTERN, f.read())}
    return found


def known_to_llvm(target, names):
    p = subprocess.run([TOOL, '-arch=amdgcn', f'-mcpu={target}'], input='\n'.join(names) + '\n',
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    said = {int(m[1]) - 1: m[2] for m in re.finditer(r'^<stdin>:(\d+):\d+: error: (.*)', p.stderr, re.M)}
    return {n for i, n in enumerate(names)
            if 'not supported on this GPU' not in said.get(i, '') and 'invalid instruction' not in said.get(i, '')}


def verdicts(ask, target, names):
    lines = '\n'.join(f'{target} 0 {n}' for n in names) + '\n'
    p = subprocess.run([ask], input=lines, stdout=subprocess.PIPE, text=True, check=True)
    answers = p.stdout.splitlines()
    assert len(answers) == len(names)
    return dict(zip(names, (a.split('\t') for a in answers)))


def main():
    ask, table = sys.argv[1:]
    if not shutil.which(TOOL):
        print(f'skipped: {TOOL} is not installed')
        sys.exit(77)
    names = names_in_tool()
    with open(table, newline='') as f:
        for row in csv.DictReader(f):
            names |= {row['mnemonic'], *row['aliases'].split()}
    names = sorted(names)
    bad, accepted, met = 0, 0, set()
    for target, arch in TARGETS.items():
        theirs, ours = known_to_llvm(target, names), verdicts(ask, target, names)
        accepted += len(theirs)
        for n in names:
            have, why = ours[n][0], ours[n][2]
            if n in theirs and (have == 'absent' or (have == 'refused' and n not in why and 'wave' not in why)):
                print(f'{target}: LLVM has {n}; here it is {have}: {why}')
                bad += 1
            helper = 'accvgpr' in n or 'ld_scale' in n
            if n not in theirs and have != 'absent' and not helper:
                met.add(n)
                if n not in EXCEPTIONS or have != 'refused':
                    print(f'{target}: LLVM does not have {n}; here it is {have}: {why}')
                    bad += 1
    for name in EXCEPTIONS.keys() - met:
        print(f'the exception of {name} no longer occurs')
        bad += 1
    if len(names) < 180 or accepted < 400:
        print(f'only {len(names)} names in the assembler, {accepted} accepted: the search has gone wrong')
        bad += 1
    print(f'{len(names)} names, {accepted} accepted by {len(TARGETS)} targets, {len(met)} exceptions, {bad} wrong')
    sys.exit(bad != 0)


main()

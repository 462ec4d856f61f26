#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the loader's view of code objects with llvm-readelf's. Usage: notes.py DUMP FOLDER..."""
import glob
import os
import re
import shutil
import subprocess
import sys


def readelf(*args):
    return subprocess.run(['llvm-readelf-22', *args], capture_output=True, text=True, check=True).stdout


def parse_notes(text):
    """The YAML that llvm-readelf prints: two-space levels, '- ' for list items, plain scalars."""
    kernels, target, kernel, arg = [], None, None, None
    in_args = False
    for line in text.splitlines():
        m = re.match(r'^( *)(- )?(\.?[A-Za-z_.]+):\s*(.*)$', line)
        if not m:
            continue
        depth = len(m.group(1)) + (2 if m.group(2) else 0)
        key, value = m.group(3), m.group(4).strip().strip("'\"")
        if key == 'amdhsa.target':
            target = value
        elif depth == 4:
            if m.group(2):
                kernel = {'args': []}
                kernels.append(kernel)
            kernel[key] = value
            in_args = key == '.args'
        elif depth == 8 and in_args:
            if m.group(2):
                arg = {}
                kernel['args'].append(arg)
            arg[key] = value
    return target, kernels


def parse_dump(text):
    target, kernels, symbols = None, {}, set()
    for line in text.splitlines():
        if line.startswith('target='):
            target = line[7:]
        elif line.startswith('symbol '):
            address, size, name = line[7:].split(' ', 2)
            symbols.add((int(address, 16), int(size), name))
        elif m := re.match(r'^(\S+)\.kernarg=(.*)$', line):
            pairs = dict(p.split('=') for p in ('kernarg=' + m.group(2)).split())
            kernels[m.group(1)] = {k: int(v) for k, v in pairs.items()} | {'args': set()}
        elif m := re.match(r'^(\S+)\.arg offset=(\d+) size=(\d+) kind=(\S+) name=(\S*) const=(\d)$', line):
            kernels[m.group(1)]['args'].add((int(m.group(2)), int(m.group(3)), m.group(4), m.group(5), m.group(6) == '1'))
    return target, kernels, symbols


def elf_symbols(path, loads):
    """Defined, named symbols inside the loaded segments."""
    found = set()
    for line in readelf('-sW', '--dyn-syms', path).splitlines():
        f = line.split()
        if len(f) == 8 and f[0].rstrip(':').isdigit() and f[6].isdigit():
            address, size = int(f[1], 16), int(f[2], 0)
            if loads[0] <= address and address + size <= loads[1]:
                found.add((address, size, f[7]))
    return found


def load_range(path):
    first, last = None, 0
    for line in readelf('-lW', path).splitlines():
        f = line.split()
        if f and f[0] == 'LOAD':
            start, size = int(f[2], 16), int(f[5], 16)
            first = start & ~4095 if first is None else first
            last = start + size
    return first, last


def check(condition, path, *what):
    if not condition:
        print('%s:' % path, *what)
        check.failed = True


check.failed = False


def compare(dump, path, arch):
    out = subprocess.run([dump, path] + ([arch] if arch else []), capture_output=True, text=True)
    check(out.returncode == 0, path, out.stderr.strip())
    if out.returncode:
        return 0
    target, kernels, symbols = parse_dump(out.stdout)
    theirs_target, theirs = parse_notes(readelf('--notes', path))
    check(target == theirs_target, path, 'target', target, theirs_target)
    for k in theirs:
        ours = kernels.get(k['.name'])
        check(ours is not None, path, 'kernel missing', k['.name'])
        if ours is None:
            continue
        for name, key in (('kernarg', '.kernarg_segment_size'), ('align', '.kernarg_segment_align'),
                          ('lds', '.group_segment_fixed_size'), ('private', '.private_segment_fixed_size'),
                          ('wave', '.wavefront_size'), ('max', '.max_flat_workgroup_size')):
            check(ours[name] == int(k[key]), path, k['.name'], key, ours[name], k[key])
        args = {(int(a['.offset']), int(a['.size']), a['.value_kind'], a.get('.name', ''),
                 a.get('.is_const') == 'true' or a.get('.actual_access') == 'read_only') for a in k['args']}
        check(args == ours['args'], path, k['.name'], 'arguments', args ^ ours['args'])
        # the descriptor allocates at least what the metadata count (VGPRs and AGPRs share a file if both exist)
        agprs = int(k.get('.agpr_count', 0))
        check(ours['vgprs'] + ours['agprs'] >= int(k['.vgpr_count']), path, k['.name'], 'registers', ours, k)
        check(ours['agprs'] >= agprs, path, k['.name'], 'agprs', ours['agprs'], agprs)
        check(ours['sgprs'] >= int(k['.sgpr_count']), path, k['.name'], 'sgprs', ours['sgprs'], k['.sgpr_count'])
    theirs_symbols = elf_symbols(path, load_range(path))
    if theirs_symbols:
        check(symbols == theirs_symbols, path, 'symbols', symbols ^ theirs_symbols)
    return len(theirs)


def main():
    if not shutil.which('llvm-readelf-22'):
        print('llvm-readelf-22 is not installed')
        return 77
    files = sorted(f for folder in sys.argv[2:] for f in glob.glob(os.path.join(folder, '*.co')))
    kernels = sum(compare(sys.argv[1], f, 'gfx950' if 'generic' in f else None) for f in files)
    print('%d kernels of %d code objects agree' % (kernels, len(files)) if not check.failed else 'they differ')
    return 1 if check.failed or kernels < 20 else 0


sys.exit(main())

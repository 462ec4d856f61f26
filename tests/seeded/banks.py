#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The swizzle and the padding that --check banks names remove the conflicts: the kernel is changed as it says and runs again. Each lane
writes and reads a word in a row of its own; how many lanes of a phase meet is computed here. ldmatrix: rows 128 and 144 bytes apart.

usage: banks.py LANEWISE      exits 77 where llvm-mc-22 or ld.lld-22 is absent
"""
import os
import re
import subprocess
import sys
import tempfile

import seeded

PITCH = 256  # from lane to lane, as a shift of 8


def amd(change):
    return ['v_lshlrev_b32 v5, 8, v0'] + change + ['ds_%s_b32 v5, v0', 's_waitcnt lgkmcnt(0)', 'ds_%s_b32 v6, v5', 's_waitcnt lgkmcnt(0)']


def amd_change(kind, a, b, c):
    if kind == 'xor':
        return ['v_lshrrev_b32 v6, %d, v5' % c, 'v_and_b32 v6, 0x%x, v6' % ((1 << a) - 1 << b), 'v_xor_b32 v5, v5, v6']
    return ['v_lshrrev_b32 v6, %d, v5' % (b.bit_length() - 1), 'v_mul_u32_u24 v6, 0x%x, v6' % a, '%s v5, v5, v6' % c]


def ptx_change(kind, a, b, c):
    if kind == 'xor':
        return ['shr.u32 %%r5, %%r4, %d;' % c, 'and.b32 %%r5, %%r5, %d;' % ((1 << a) - 1 << b), 'xor.b32 %r4, %r4, %r5;']
    return ['shr.u32 %%r5, %%r4, %d;' % (b.bit_length() - 1), 'mad.lo.u32 %%r4, %%r5, %d, %%r4;' % a]


def source(arch, change):
    """The kernel; `change`: what is done to each lane's offset."""
    if arch.startswith('sm_'):
        return ['shl.b32 %r4, %r0, 8;'] + change + ['mov.u32 %r6, buffer;', 'add.u32 %r6, %r6, %r4;', 'st.shared.u32 [%r6], %r0;',
                                                    'bar.warp.sync -1;', 'ld.shared.u32 %r7, [%r6];']
    old = arch.startswith('gfx9')
    lines = amd(change)
    lines[-4] %= 'write' if old else 'store'
    lines[-2] %= 'read' if old else 'load'
    return lines if arch != 'gfx1201' else [line.replace('s_waitcnt lgkmcnt(0)', 's_wait_dscnt 0x0') for line in lines]


def run(program, arch, lines, folder):
    lanes = 64 if arch.startswith('gfx9') else 32
    kernel = seeded.Kernel('banks', arch, 'banks', 'none', {'block': lanes, 'lds': 32768})
    kernel.lines = lines
    path = os.path.join(folder, 'k.ptx' if arch.startswith('sm_') else 'k.co')
    kernel.build(False, path)
    p = subprocess.run([program, 'run', path, '--grid', '1', '--block', str(lanes), 'out:-=u32[64]', '--check', 'banks'],
                       capture_output=True, text=True, check=True)
    return p.stdout.split('check banks: accesses of global')[0]


def repairs(program, arch, folder):
    """In a phase of 32 lanes, all are in the first bank, as rows of 256 bytes are whole rows of 32 banks."""
    report = run(program, arch, source(arch, []), folder)
    assert report.count('32-way conflict') == 2, report
    swizzle = re.search(r'Swizzle<(\d+),(\d+),(\d+)>: no conflicts', report)
    padding = re.search(r'smallest padding: (\d+) bytes after each (\d+): no conflicts', report)
    change = ptx_change if arch.startswith('sm_') else amd_change
    add = 'v_add_u32' if arch.startswith('gfx9') else 'v_add_nc_u32'
    for how in (change('xor', *map(int, swizzle.groups())), change('pad', *map(int, padding.groups()), add)):
        report = run(program, arch, source(arch, how), folder)
        assert report.count('no conflict') == 2 and 'way' not in report, report


def rows_of_ldmatrix(program, folder):
    for pitch, said in (128, '8-way conflict, 32 turns for 4 phases'), (144, 'no conflict'):
        report = run(program, 'sm_80', ['mul.lo.u32 %%r4, %%r0, %d;' % pitch, 'mov.u32 %r6, buffer;', 'add.u32 %r6, %r6, %r4;',
                                        'ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r8, %r9, %r10, %r11}, [%r6];'], folder)
        assert re.search(r'ldmatrix.*' + said, report), report


def main():
    if not seeded.MC or not seeded.LLD:
        print('skipped: llvm-mc-22 or ld.lld-22 is not installed')
        return 77
    archs = ['gfx90a', 'gfx942', 'gfx1100', 'gfx1201', 'sm_80', 'sm_90']
    with tempfile.TemporaryDirectory() as folder:
        for arch in archs:
            repairs(sys.argv[1], arch, folder)
        rows_of_ldmatrix(sys.argv[1], folder)
    print('%d targets: a swizzle and a padding each leave no conflict' % len(archs))
    return 0


if __name__ == '__main__':
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the kernels of kernels.txt under --check all: the mistake is found by its check and rule, the twin is clean.

usage: seeded.py LANEWISE [NAME]              exits 77 where llvm-mc-22 or ld.lld-22 is absent
       seeded.py build NAME wrong|right FILE  writes the code object of one of them
"""
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
MC, LLD = shutil.which('llvm-mc-22'), shutil.which('ld.lld-22') or shutil.which('ld.lld')
WORDS = 1024

# Every kernel: s[2:3] is the array, s12 the workgroup, v0 the work-item, v10 its byte offset in the array.
PROLOGUE = {
    'gfx9': """
s_mov_b32 s12, s2
s_load_dwordx2 s[2:3], s[0:1], 0x0
s_waitcnt lgkmcnt(0)
v_and_b32 v0, 0x3ff, v0
v_lshlrev_b32 v10, 2, v0
s_nop 4
""",
    'gfx11': """
s_mov_b32 s12, s2
s_load_b64 s[2:3], s[0:1], 0x0
s_waitcnt lgkmcnt(0)
v_and_b32 v0, 0x3ff, v0
v_lshlrev_b32 v10, 2, v0
""",
    'gfx12': """
s_mov_b32 s12, ttmp9
s_load_b64 s[2:3], s[0:1], 0x0
s_wait_kmcnt 0x0
v_and_b32 v0, 0x3ff, v0
v_lshlrev_b32 v10, 2, v0
""",
}
EPILOGUE = '\ns_endpgm\n'

FILE = """
.amdgcn_target "amdgcn-amd-amdhsa--%(arch)s"
.text
.globl k
.p2align 8
.type k,@function
k:
%(body)s
.Lend:
.size k, .Lend-k
.rodata
.p2align 6
.amdhsa_kernel k
    .amdhsa_kernarg_size 8
    .amdhsa_user_sgpr_kernarg_segment_ptr 1
    .amdhsa_system_sgpr_workgroup_id_x 1
    .amdhsa_group_segment_fixed_size %(lds)d
    .amdhsa_next_free_vgpr 128
    .amdhsa_next_free_sgpr 64
%(accum)s
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.target: amdgcn-amd-amdhsa--%(arch)s
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: %(lds)d
    .private_segment_fixed_size: 0
    .wavefront_size: %(wave)d
    .sgpr_count: 64
    .vgpr_count: 128
    .max_flat_workgroup_size: 256
    .args:
      - {.name: out, .size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
...
.end_amdgpu_metadata
"""


# %rd1 is the array, %r0 the thread, %r1 the block, %rd2 where the thread's word is in the array, %r2 in `buffer`.
PTX = """.version 8.0
.target %(arch)s
.address_size 64
.visible .entry k(.param .u64 p)
{
    .reg .pred %%p<8>;
    .reg .b32 %%r<32>;
    .reg .b64 %%rd<16>;
    .shared .align 16 .b8 buffer[%(lds)d];
    ld.param.u64 %%rd0, [p];
    cvta.to.global.u64 %%rd1, %%rd0;
    mov.u32 %%r0, %%tid.x;
    mov.u32 %%r1, %%ctaid.x;
    mul.wide.u32 %%rd2, %%r0, 4;
    add.u64 %%rd2, %%rd2, %%rd1;
    mov.u32 %%r2, buffer;
    shl.b32 %%r3, %%r0, 2;
    add.u32 %%r2, %%r2, %%r3;
%(body)s
    ret;
}
"""


class Kernel:
    def __init__(self, name, arch, check, rule, options):
        self.name, self.arch, self.check, self.rule = name, arch, check, rule
        self.block = int(options.get('block', 64))
        self.lds = int(options.get('lds', 1024))
        self.grid = int(options.get('grid', 1))
        self.named = int(options.get('named', 0))
        self.wave = int(options.get('wave', 32 if arch.startswith('gfx1') else 64))
        self.also = options.get('also', '').split('+')  # check/rule of others that also report it
        self.cu = options.get('cu')  # wrong or twin: this one asks for CU mode
        self.run = options.get('run', '').split('+') if options.get('run') else []
        self.lines = []

    def source(self, wrong):
        """Lines that begin with - are only in the wrong kernel, those with + only in the twin."""
        drop, keep = ('+', '-') if wrong else ('-', '+')
        lines = [line.lstrip(keep) for line in self.lines if not line.startswith(drop)]
        if self.arch.startswith('sm_'):
            return PTX % {'arch': self.arch, 'lds': self.lds, 'body': '\n'.join(lines)}
        rdna = self.arch.startswith('gfx1')
        more = ['    .amdhsa_wavefront_size32 %d' % (self.wave == 32)] if rdna else [] if self.arch == 'gfx908' else ['    .amdhsa_accum_offset 64']
        if self.cu == ('wrong' if wrong else 'twin'):
            more.append('    .amdhsa_workgroup_processor_mode 0')
        if self.named:
            more.append('    .amdhsa_named_barrier_count %d' % self.named)
        return FILE % {'arch': self.arch, 'lds': self.lds, 'body': PROLOGUE[self.arch[:5] if rdna else 'gfx9'] + '\n'.join(lines) + EPILOGUE,
                       'accum': '\n'.join(more), 'wave': self.wave}

    def build(self, wrong, path):
        if self.arch.startswith('sm_'):
            with open(path, 'w') as out:
                out.write(self.source(wrong))
            return
        obj = path + '.o'
        wave = ['-mattr=+wavefrontsize%d' % self.wave] if self.arch.startswith('gfx1') else []
        for command, text in (([MC, '-triple=amdgcn-amd-amdhsa', '-mcpu=' + self.arch, '-filetype=obj', '-o', obj] + wave, self.source(wrong)),
                              ([LLD, '-shared', '-o', path, obj], None)):
            p = subprocess.run(command, input=text, capture_output=True, text=True)
            if p.returncode:
                sys.exit('%s: %s' % (self.name, p.stderr))
        os.unlink(obj)


def kernels():
    found = []
    for line in open(os.path.join(HERE, 'kernels.txt')):
        line = line.rstrip()
        head = re.match(r'## (\S+) (\S+) (\S+) (\S+)(.*)', line)
        if head:
            found.append(Kernel(*head.groups()[:4], dict(x.split('=') for x in head.group(5).split())))
        elif line and not line.startswith('#'):
            found[-1].lines.append(line)
    return found


def write_array(path):
    header = "{'descr': '<u4', 'fortran_order': False, 'shape': (%d,), }" % WORDS
    header += ' ' * (63 - (len(header) + 10) % 64) + '\n'
    with open(path, 'wb') as out:
        out.write(b'\x93NUMPY\x01\x00' + struct.pack('<H', len(header)) + header.encode() + struct.pack('<%dI' % WORDS, *range(WORDS)))


def run(program, kernel, path, check):
    command = [program, 'run', path, '--grid', str(kernel.grid), '--block', str(kernel.block),
               'inout:%s=-' % os.path.join(os.path.dirname(path), 'x.npy'), '--check', check, '--json'] + kernel.run
    p = subprocess.run(command, capture_output=True, text=True)
    try:
        return p.returncode, json.loads(p.stdout)
    except ValueError:
        sys.exit('%s: %s %s' % (kernel.name, p.stdout[-300:], p.stderr))


def run_both(program, kernel, wrong, folder):
    """Under all checks; and whether the kernel's own check, which alone may be told of accesses in other ways, finds the same."""
    path = os.path.join(folder, 'k.ptx' if kernel.arch.startswith('sm_') else 'k.co')
    kernel.build(wrong, path)
    status, report = run(program, kernel, path, 'all')
    alone = run(program, kernel, path, kernel.check)[1]
    together = [c['findings'] for c in report['checks'] if c['check'] == kernel.check.split('=')[0]]
    return status, report, [c['findings'] for c in alone['checks']] == together


def findings(report):
    """(check, severity, rule) of everything but infos."""
    found = [(c['check'], f['severity'], f['rule']) for c in report['checks'] for f in c['findings'] if f['severity'] != 'info']
    return found


def judge(program, kernel, folder):
    status, report, same = run_both(program, kernel, True, folder)
    found = findings(report)
    mine = [f for f in found if (f[0], f[2]) == (kernel.check, kernel.rule)]
    wrong = [f for f in found if f not in mine and f[0] + '/' + f[2] not in kernel.also]
    bad = []
    if wrong or not mine:
        bad.append('the mistake should be %s/%s and nothing else, not %s' % (kernel.check, kernel.rule, found))
    if status != any(f[1] == 'error' for f in found):
        bad.append('exit status %d of the mistake' % status)
    status, report, same_twin = run_both(program, kernel, False, folder)
    if not same or not same_twin:
        bad.append('%s alone finds something else' % kernel.check)
    if status or findings(report):
        bad.append('the twin has %s, exit status %d' % (findings(report), status))
    for line in bad:
        print('%s: %s' % (kernel.name, line))
    return not bad


def main():
    if not MC or not LLD:
        print('skipped: llvm-mc-22 or ld.lld-22 is not installed')
        return 77
    known = kernels()
    if sys.argv[1] == 'build':
        next(k for k in known if k.name == sys.argv[2]).build(sys.argv[3] == 'wrong', sys.argv[4])
        return 0
    with tempfile.TemporaryDirectory() as folder:
        write_array(os.path.join(folder, 'x.npy'))
        chosen = [k for k in known if len(sys.argv) < 3 or sys.argv[2] in k.name]
        good = [judge(sys.argv[1], k, folder) for k in chosen]
    print('%d kernels, %d as they should be' % (len(good), sum(good)))
    return 0 if all(good) and good else 1


if __name__ == '__main__':
    sys.exit(main())

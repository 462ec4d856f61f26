#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs `lanewise why --expect` on the products of why.txt: the mistake gets its sentence, the twin has none.

The expected arrays are computed here, from integers that every format holds exactly.

usage: why.py LANEWISE [NAME]              exits 77 where llvm-mc-22 or ld.lld-22 is absent
       why.py build NAME wrong|right FOLDER  writes the kernel and its arrays
"""
import json
import os
import random
import re
import struct
import subprocess
import sys
import tempfile

import seeded

HERE = os.path.dirname(os.path.abspath(__file__))
FP4 = [0, 0.5, 1, 1.5, 2, 3, 4, 6]

PARTS = {
    'load_b_kn': """
v_lshlrev_b32 v11, 7, v2
v_lshlrev_b32 v12, 1, v1
v_add_u32 v11, v11, v12
s_mov_b32 s14, 0x05040100
""" + ''.join('global_load_ushort v%d, v11, s[6:7] offset:%d\n' % (50 + i, i % 4 * 32 + i // 4 * 512) for i in range(8)) +
                 's_waitcnt vmcnt(0)\n' +
                 ''.join('v_perm_b32 v%d, v%d, v%d, s14\n' % (22 + i // 2 * 4 + i % 2, 51 + 2 * i, 50 + 2 * i) for i in range(4)),
    'multiply': """
s_waitcnt vmcnt(0)
s_nop 1
v_mfma_f32_16x16x16_f16 v[30:33], v[20:21], v[22:23], 0
v_mfma_f32_16x16x16_f16 v[30:33], v[24:25], v[26:27], v[30:33]
s_nop 15
""",
    'load_fp4': """
v_lshlrev_b32 v10, 6, v1
v_lshlrev_b32 v11, 4, v2
v_add_u32 v10, v10, v11
global_load_dwordx4 v[20:23], v10, s[4:5]
global_load_dwordx4 v[24:27], v10, s[6:7]
""",
    'multiply_scaled': """
s_waitcnt vmcnt(0)
s_nop 1
v_mfma_scale_f32_16x16x128_f8f6f4 v[30:33], v[20:23], v[24:27], 0, v40, v41 op_sel_hi:[0,0,0] cbsz:4 blgp:4
s_nop 15
""",
    'ptx_addresses': """
mul.wide.u32 %rd4, %r3, 64;
mul.wide.u32 %rd5, %r4, 4;
add.u64 %rd6, %rd4, %rd5;
add.u64 %rd6, %rd1, %rd6;
mul.wide.u32 %rd4, %r1, 64;
mul.wide.u32 %rd5, %r2, 4;
add.u64 %rd7, %rd4, %rd5;
add.u64 %rd7, %rd2, %rd7;
""",
    'ptx_load_a': ''.join('ld.global.u32 %%r%d, [%%rd6+%d];\n' % (10 + i, i // 4 * 32 + i % 2 * 512 + i % 4 // 2 * 16) for i in range(8)),
    'ptx_load_b': ''.join('ld.global.u32 %%r%d, [%%rd7+%d];\n' % (20 + i, i * 16) for i in range(4)),
    'ptx_load_b_kn': """
mul.wide.u32 %rd4, %r1, 2;
mul.wide.u32 %rd5, %r2, 32;
add.u64 %rd7, %rd4, %rd5;
add.u64 %rd7, %rd2, %rd7;
""" + ''.join('ld.global.u16 %%h0, [%%rd7+%d];\nld.global.u16 %%h1, [%%rd7+%d];\nmov.b32 %%r%d, {%%h0, %%h1};\n' % (i * 128, i * 128 + 16, 20 + i)
              for i in range(4)),
    'ptx_multiply': """
mov.f32 %f0, 0f00000000;
mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, {%r10, %r11, %r12, %r13}, {%r20, %r21}, {%f0, %f0, %f0, %f0};
mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, {%r14, %r15, %r16, %r17}, {%r22, %r23}, {%f1, %f2, %f3, %f4};
""",
    'ptx_store': """
mul.wide.u32 %rd4, %r1, 32;
mul.wide.u32 %rd5, %r2, 8;
add.u64 %rd8, %rd4, %rd5;
add.u64 %rd8, %rd3, %rd8;
st.global.v2.f32 [%rd8], {%f1, %f2};
st.global.v2.f32 [%rd8+256], {%f3, %f4};
""",
    'copy_begin': """
mov.u32 %r5, ta;
mov.u32 %r6, tb;
mov.u32 %r7, bar;
setp.ne.u32 %p1, %r0, 0;
@%p1 bra copied;
mbarrier.init.shared::cta.b64 [%r7], 1;
fence.mbarrier_init.release.cluster;
mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r7], BYTES;
""",
    'copy_end': """
copied:
bar.sync 0;
waits:
mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r7], 0;
@!%p2 bra waits;
""",
    # rows of 64 bytes, whose pieces of 16 bytes are swizzled; k = 16 begins 32 bytes later
    'wgmma_rows': """
shr.u32 %r8, %r5, 4;
cvt.u64.u32 %rd5, %r8;
or.b64 %rd5, %rd5, 0x8000002000010000;
shr.u32 %r8, %r6, 4;
cvt.u64.u32 %rd6, %r8;
or.b64 %rd6, %rd6, 0x8000002000010000;
add.u64 %rd7, %rd5, 2;
add.u64 %rd8, %rd6, 2;
""",
    # tiles of 16 x 16 elements of B: rows of 32 bytes, swizzled
    'wgmma_tiles': """
shr.u32 %r8, %r6, 4;
cvt.u64.u32 %rd6, %r8;
or.b64 %rd6, %rd6, 0xc000001000010000;
add.u64 %rd8, %rd6, 32;
""",
    'wgmma_end': """
wgmma.commit_group.sync.aligned;
wgmma.wait_group.sync.aligned 0;
shr.u32 %r8, %r0, 5;
and.b32 %r9, %r1, 7;
mad.lo.u32 %r8, %r8, 16, %r9;
mul.wide.u32 %rd4, %r8, 64;
mul.wide.u32 %rd9, %r2, 8;
add.u64 %rd4, %rd4, %rd9;
add.u64 %rd4, %rd3, %rd4;
st.global.v2.f32 [%rd4], {%f1, %f2};
st.global.v2.f32 [%rd4+512], {%f3, %f4};
st.global.v2.f32 [%rd4+32], {%f5, %f6};
st.global.v2.f32 [%rd4+544], {%f7, %f8};
""",
    'store_c': """
v_lshlrev_b32 v13, 8, v2
v_lshlrev_b32 v14, 2, v1
v_add_u32 v13, v13, v14
""" + ''.join('global_store_dword v13, v%d, s[8:9] offset:%d\n' % (30 + r, 64 * r) for r in range(4)),
}

PROLOGUE = """
s_load_dwordx4 s[4:7], s[0:1], 0x0
s_load_dwordx4 s[8:11], s[0:1], 0x10
s_load_dwordx2 s[12:13], s[0:1], 0x20
v_and_b32 v0, 63, v0
v_and_b32 v1, 15, v0
v_lshrrev_b32 v2, 4, v0
s_waitcnt lgkmcnt(0)
"""

NAMES = ['A', 'B', 'C', 'SA', 'SB']


def amd_file(arch, body):
    text = seeded.FILE % {'arch': arch, 'lds': 4096, 'wave': 64, 'accum': '    .amdhsa_accum_offset 64', 'body': PROLOGUE + body + seeded.EPILOGUE}
    args = '\n'.join('      - {.name: %s, .size: 8, .offset: %d, .value_kind: global_buffer, .address_space: global}' % (n, 8 * i)
                     for i, n in enumerate(NAMES))
    text = re.sub(r'      - \{.name: out.*', lambda _: args, text)
    return text.replace('kernarg_size 8', 'kernarg_size 40').replace('kernarg_segment_size: 8', 'kernarg_segment_size: 40')


PTX = """.version 8.0
.target %(arch)s
.address_size 64
.visible .entry k(.param .u64 A, .param .u64 B, .param .u64 C)
{
    .reg .b16 %%h<16>;
    .reg .b32 %%r<64>;
    .reg .f32 %%f<16>;
    .reg .b64 %%rd<16>;
    .shared .align 16 .b8 buffer[4096];
    ld.param.u64 %%rd1, [A];
    ld.param.u64 %%rd2, [B];
    ld.param.u64 %%rd3, [C];
    mov.u32 %%r0, %%tid.x;
    shr.u32 %%r1, %%r0, 2;
    and.b32 %%r2, %%r0, 3;
%(body)s
    ret;
}
"""


# Arrays as tensor maps; ta and tb are their tiles.
WGMMA = """.version 8.0
.target %(arch)s
.address_size 64
.visible .entry k(.param .align 64 .b8 A[128], .param .align 64 .b8 B[128], .param .u64 C)
{
    .reg .pred %%p<4>;
    .reg .b32 %%r<32>;
    .reg .f32 %%f<16>;
    .reg .b64 %%rd<16>;
    .shared .align 1024 .b8 ta[4096];
    .shared .align 1024 .b8 tb[1024];
    .shared .align 8 .b64 bar;
    mov.b64 %%rd1, A;
    cvta.param.u64 %%rd1, %%rd1;
    mov.b64 %%rd2, B;
    cvta.param.u64 %%rd2, %%rd2;
    ld.param.u64 %%rd3, [C];
    mov.u32 %%r0, %%tid.x;
    and.b32 %%r10, %%r0, 31;
    shr.u32 %%r1, %%r10, 2;
    and.b32 %%r2, %%r0, 3;
%(body)s
    ret;
}
"""
COPY = 'cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%s], [%s, {%s}], [%%r7];'
MULTIPLY = 'wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {%%f1, %%f2, %%f3, %%f4, %%f5, %%f6, %%f7, %%f8}, %s, %s, %s, 1, 1, 0, %s;'


def expand(line):
    """COPY to map x y, MULTIPLY descriptors-of-A-and-B scale-d trans-b; other lines as they are."""
    words = line.split()
    if words[0] == 'COPY':
        return COPY % (words[1], words[2], ', '.join(words[3:]))
    return MULTIPLY % tuple(words[1:]) if words[0] == 'MULTIPLY' else line


class Product:
    def __init__(self, name, arch, words, options):
        self.name, self.arch, self.words = name, arch, words.replace('_', ' ')
        self.m, self.n, self.k = (int(x) for x in options['shape'].split(','))
        self.kind, self.b = options['kind'], options['b']
        self.is_ptx = self.kind in ('ptx', 'wgmma')
        self.lines = []

    def source(self, wrong):
        drop, keep = ('+', '-') if wrong else ('-', '+')
        lines = [line.lstrip(keep) for line in self.lines if not line.startswith(drop)]
        body = '\n'.join(PARTS[line[1:]] if line.startswith('@') and line[1:] in PARTS else expand(line) for line in lines)
        if self.kind == 'wgmma':
            return WGMMA % {'arch': self.arch, 'body': body.replace('BYTES', str(2 * self.k * (self.m + self.n)))}
        if self.k == 16:  # the second step of load_b_kn would be past the array
            body = '\n'.join(line for line in body.split('\n') if not re.search(r'offset:(512|544|576|608)$', line))
        return PTX % {'arch': self.arch, 'body': body} if self.kind == 'ptx' else amd_file(self.arch, body)

    def build(self, wrong, folder):
        path = os.path.join(folder, 'k.ptx' if self.is_ptx else 'k.co')
        if self.is_ptx:
            with open(path, 'w') as out:
                out.write(self.source(wrong))
            return path
        obj = path + '.o'
        for command, text in (([seeded.MC, '-triple=amdgcn-amd-amdhsa', '-mcpu=' + self.arch, '-filetype=obj', '-o', obj], self.source(wrong)),
                              ([seeded.LLD, '-shared', '-o', path, obj], None)):
            p = subprocess.run(command, input=text, capture_output=True, text=True)
            if p.returncode:
                sys.exit('%s: %s' % (self.name, p.stderr))
        return path

    def data(self, folder):
        """Arrays of distinct sums, and C = A * B."""
        r = random.Random(1)
        save = lambda name, descr, shape, raw: write_npy(os.path.join(folder, name + '.npy'), descr, shape, raw)
        if self.kind == 'fp4':
            a = [[r.randrange(16) for _ in range(self.k)] for _ in range(self.m)]
            b = [[r.randrange(16) for _ in range(self.k)] for _ in range(self.n)]
            sa = [[r.randrange(120, 134) for _ in range(self.k // 32)] for _ in range(self.m)]
            sb = [[r.randrange(120, 134) for _ in range(self.k // 32)] for _ in range(self.n)]
            value = lambda code: FP4[code & 7] * (-1 if code & 8 else 1)
            c = [[sum(value(a[i][k]) * value(b[j][k]) * 2.0 ** (sa[i][k // 32] + sb[j][k // 32] - 254) for k in range(self.k))
                  for j in range(self.n)] for i in range(self.m)]
            for name, x in (('A', a), ('B', b)):
                save(name, '|u1', (len(x), self.k // 2), bytes(row[k] | row[k + 1] << 4 for row in x for k in range(0, self.k, 2)))
            for name, x in (('SA', sa), ('SB', sb)):
                save(name, '|u1', (len(x), len(x[0])), bytes(s for row in x for s in row))
        else:
            a = [[r.randrange(-8, 9) for _ in range(self.k)] for _ in range(self.m)]
            b = [[r.randrange(-8, 9) for _ in range(self.n)] for _ in range(self.k)]
            c = [[sum(a[i][k] * b[k][j] for k in range(self.k)) for j in range(self.n)] for i in range(self.m)]
            stored = b if self.b == 'kn' else [list(x) for x in zip(*b)]
            save('A', '<f2', (self.m, self.k), b''.join(struct.pack('<%de' % self.k, *row) for row in a))
            save('B', '<f2', (len(stored), len(stored[0])), b''.join(struct.pack('<%de' % len(row), *row) for row in stored))
            for name in ('SA', 'SB'):
                save(name, '|u1', (1, 1), b'\0')
        save('expected', '<f4', (self.m, self.n), b''.join(struct.pack('<%df' % self.n, *row) for row in c))

    def command(self, program, path):
        names = NAMES[:3] if self.is_ptx else NAMES
        arrays = ['C=out:-=f32[%d,%d]' % (self.m, self.n) if n == 'C' else '%s=%s.npy' % (n, n) for n in names]
        if self.kind == 'wgmma':
            arrays[0] = 'A=tma:A.npy,box=%dx64,swizzle=64B' % self.k
            arrays[1] = 'B=tma:B.npy,box=16x16,swizzle=32B' if self.b == 'kn' else 'B=tma:B.npy,box=%dx16,swizzle=64B' % self.k
        block = {'ptx': '32', 'wgmma': '128'}.get(self.kind, '64')
        return [program, 'why', path, '--grid', '1', '--block', block] + arrays + ['--expect', 'expected.npy']


def write_npy(path, descr, shape, raw):
    header = "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }" % (descr, ''.join('%d, ' % s for s in shape))
    header += ' ' * (63 - (len(header) + 10) % 64) + '\n'
    with open(path, 'wb') as out:
        out.write(b'\x93NUMPY\x01\x00' + struct.pack('<H', len(header)) + header.encode() + raw)


def products():
    found = []
    with open(os.path.join(HERE, 'why.txt')) as file:
        lines = [line.rstrip() for line in file]
    for line in lines:
        head = re.match(r'## (\S+) (\S+) (\S+)(.*)', line)
        if head:
            found.append(Product(*head.groups()[:3], dict(x.split('=', 1) for x in head.group(4).split())))
        elif line and not line.startswith('#'):
            found[-1].lines.append(line)
    return found


def follows(product, report):
    """Do the steps of C[2,5] have all k of row 2 of A and of column 5 of B, each once?"""
    ks = {'A': [], 'B': []}
    for step in report['steps']:
        for name, line in (('A', r'A\[2,(\d+)(?:\.\.(\d+))?\]'),
                           ('B', r'B\[(\d+)(?:\.\.(\d+))?,5\]' if product.b == 'kn' else r'B\[5,(\d+)(?:\.\.(\d+))?\]')):
            if re.sub(line, '', step[name]).strip(', '):
                return False
            for first, last in re.findall(line, step[name]):
                ks[name] += range(int(first), int(last or first) + 1)
    return sorted(ks['A']) == sorted(ks['B']) == list(range(product.k)) and ks['A'] == ks['B']


def judge(program, product):
    bad = []
    with tempfile.TemporaryDirectory() as folder:
        product.data(folder)
        for wrong in (True, False):
            command = product.command(program, product.build(wrong, folder))
            for how in (['--first-difference'], ['--element', 'C:0,0']) if wrong else (['--first-difference'], ['--element', 'C:2,5']):
                p = subprocess.run(command + how + ['--json'], capture_output=True, text=True, cwd=folder)
                try:
                    report = json.loads(p.stdout)
                except ValueError:
                    return ['%s: %s %s' % (product.name, p.stdout[-300:], p.stderr)]
                said = report.get('explained') or ''
                if wrong and (p.returncode != 1 or product.words not in said):
                    bad.append('%s: the mistake: exit status %d, "%s"' % (product.name, p.returncode, said))
                if not wrong and how[1:] == ['C:2,5'] and not follows(product, report):
                    bad.append('%s: the twin: %s' % (product.name, report['steps']))
                if not wrong and (p.returncode != 0 or said):
                    bad.append('%s: the twin: exit status %d, "%s"' % (product.name, p.returncode, said))
    return bad


def main():
    if not seeded.MC or not seeded.LLD:
        print('skipped: llvm-mc-22 or ld.lld-22 is not installed')
        return 77
    if sys.argv[1] == 'build':
        product = next(p for p in products() if p.name == sys.argv[2])
        product.data(sys.argv[4])
        print(' '.join(product.command('lanewise', os.path.basename(product.build(sys.argv[3] == 'wrong', sys.argv[4])))))
        return 0
    chosen = [p for p in products() if len(sys.argv) < 3 or sys.argv[2] in p.name]
    bad = [line for p in chosen for line in judge(sys.argv[1], p)]
    for line in bad:
        print(line)
    print('%d products, %d as they should be' % (len(chosen), len(chosen) - len({line.split(':')[0] for line in bad})))
    return 1 if bad or not chosen else 0


if __name__ == '__main__':
    sys.exit(main())

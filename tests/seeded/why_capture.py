#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs `lanewise why --capture` on launches of the products of why.txt that no GPU has run: tests/runtime/capture.py writes the files, and
what the GPU left is C as why.py computes it. The sentences are those of why.txt.

usage: why_capture.py LANEWISE              exits 77 where llvm-mc-22 or ld.lld-22 is absent
"""
import json
import os
import struct
import subprocess
import sys
import tempfile

import seeded
import why

sys.path.insert(0, os.path.join(why.HERE, '..', 'runtime'))
import capture  # noqa: E402

PRODUCTS = ('wrong-lane', 'k-order', 'tile-twice', 'transposed-square', 'scale-row', 'ptx-k-order', 'ptx-cp-async')
AT = 0x7f1234000000
TABLE = """.version 8.0
.target sm_80
.address_size 64
.visible .global .align 4 .b32 table[64];
.visible .entry k(.param .u64 out, .param .u64 in)
{
    .reg .b32 %r<8>;
    .reg .b64 %rd<8>;
    ld.param.u64 %rd1, [out];
    ld.param.u64 %rd2, [in];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd3, %r1, 4;
    mov.u64 %rd4, table;
    add.u64 %rd5, %rd4, %rd3;
    ld.global.u32 %r2, [%rd5];
    add.u64 %rd6, %rd2, %rd3;
    ld.global.u32 %r3, [%rd6];
    add.u32 %r2, %r2, %r3;
    add.u64 %rd7, %rd1, %rd3;
    st.global.u32 [%rd7], %r2;
    ret;
}
"""


def raw_of(path):
    """What a .npy file that why.py has written holds."""
    with open(path, 'rb') as file:
        data = file.read()
    return data[10 + struct.unpack_from('<H', data, 8)[0]:]


def file_of(code, target, threads, arguments, pieces, outcome=''):
    """The sections of a capture; pieces are (name, address, before, after)."""
    found = [(1, struct.pack('<13I', 1, 1, 1, 0, 0, 0, threads, 1, 1, 0, 0, 0, 0))]
    found += [(kind + 2, text.encode()) for kind, text in enumerate(['k', target, 'CUDA', outcome, ''])]
    found += [(7, code), (8, struct.pack('<%dQ' % len(arguments), *arguments))]
    return capture.write(found + [(9, capture.join(*piece)) for piece in pieces])


def capture_of(product, code, folder, outcome=''):
    names = why.NAMES[:3] if product.is_ptx else why.NAMES
    address = {name: AT + 0x100000 * i for i, name in enumerate(names)}
    expected, pieces = raw_of(os.path.join(folder, 'expected.npy')), []
    for name in names:
        before = bytes(len(expected)) if name == 'C' else raw_of(os.path.join(folder, name + '.npy'))
        pieces.append(('', address[name], before, None if outcome else expected if name == 'C' else before))
    with open(code, 'rb') as file:
        return file_of(file.read(), product.arch, 32 if product.is_ptx else 64, [address[n] for n in names], pieces, outcome)


def shapes(product):
    if product.kind == 'fp4':
        sizes = {'A': 'u8[%d,%d]' % (product.m, product.k // 2), 'B': 'u8[%d,%d]' % (product.n, product.k // 2),
                 'SA': 'u8[%d,%d]' % (product.m, product.k // 32), 'SB': 'u8[%d,%d]' % (product.n, product.k // 32)}
    else:
        sizes = {'A': 'f16[%d,%d]' % (product.m, product.k),
                 'B': 'f16[%d,%d]' % ((product.k, product.n) if product.b == 'kn' else (product.n, product.k))}
    return ['C=f32[%d,%d]' % (product.m, product.n)] + ['%s=%s' % pair for pair in sizes.items()]


class Judge:
    def __init__(self, program, folder):
        self.program, self.folder, self.bad = program, folder, []

    def save(self, name, data):
        path = os.path.join(self.folder, name)
        with open(path, 'wb') as file:
            file.write(data)
        return path

    def expect(self, title, words, status, *says):
        p = subprocess.run([self.program, 'why', '--capture'] + words, capture_output=True, text=True, cwd=self.folder)
        for text in says:
            if text not in p.stdout + p.stderr:
                self.bad.append('%s: not "%s" but: %s' % (title, text, (p.stdout + p.stderr)[-600:]))
        if p.returncode != status:
            self.bad.append('%s: exit status %d, not %d: %s' % (title, p.returncode, status, p.stderr[-300:]))
        return p.stdout

    def product(self, product):
        name, kernels = product.name, {}
        product.data(self.folder)
        for wrong in (True, False):
            kernels[wrong] = product.build(wrong, self.folder)
            path = self.save('%s.lwcap' % wrong, capture_of(product, kernels[wrong], self.folder))
            said = 'on the GPU' if wrong else 'nothing differs from what the GPU left'
            self.expect(name, [path, '--first-difference'] + shapes(product), int(wrong), product.words if wrong else '', said)
        self.expect(name + ', the other kernel', [os.path.join(self.folder, 'True.lwcap'), kernels[False], '--first-difference'] + shapes(product), 0,
                    'nothing differs from what the GPU left')
        out = self.expect(name + ', one element', [os.path.join(self.folder, 'False.lwcap'), '--element', 'C:2,5', '--json'] + shapes(product), 0)
        report = json.loads(out or '{}')
        if report.get('got') != report.get('expected') or not report.get('expected_from', '').endswith('False.lwcap'):
            self.bad.append('%s: %s' % (name, out[:200]))
        if product.kind != 'fp4' and not why.follows(product, report):
            self.bad.append('%s: the steps of the twin: %s' % (name, report['steps']))

    def refusals(self, product):
        """Of what is not known, or is not there."""
        product.data(self.folder)
        code = product.build(True, self.folder)
        path = self.save('a.lwcap', capture_of(product, code, self.folder))
        crashed = self.save('b.lwcap', capture_of(product, code, self.folder, 'the GPU hung'))
        self.expect('undescribed', [path, '--first-difference'], 1, 'C[0] = 0x', 'not described, so counted in words of 32 bits: A, B, C',
                    '(say NAME=TYPE[N,..])')
        self.expect('an element of what is not described', [path, '--element', 'C:2,5'], 2,
                    '--element C:2,5: the capture does not know the type and the shape of C: say C=TYPE[N,..], as in C=f32[64,64]')
        self.expect('too large', [path, '--element', 'C:2,5', 'C=f32[160,16]'], 2,
                    'C=f32[160,16]: it has 10240 bytes, but the capture holds 1024 from there on')
        self.expect('no such array', [path, '--element', 'D:2,5', 'D=f32[16,16]'], 2, "D=f32[16,16]: 'D' is no argument of k, no variable in the "
                    'capture, and no address in it')
        self.expect('no type', [path, '--element', 'C:2,5', 'C=q32[16,16]'], 2, 'q32')
        self.expect('neither', [path], 2, 'needs either --element NAME:I,J or --first-difference with --expect or --capture')
        self.expect('sizes', [path, '--grid', '1', '--element', 'C:0,0', 'C=f32[16,16]'], 2, '--grid: the capture says it')
        self.expect('words', [path, '--first-difference', 'C=f32[16,16]', 'x'], 2, "'x': with --capture, arrays are described as NAME=TYPE[N,..]")
        self.expect('crashed', [crashed, '--first-difference'], 2,
                    'it has no memory after the launch (on the GPU, the GPU hung), so --first-difference needs --expect')
        self.expect('crashed, with --expect', [crashed, '--first-difference', '--expect', 'C=expected.npy', 'C=f32[16,16]'], 1, ', expected 0x')
        self.expect('crashed, an element', [crashed, '--element', 'C:0,0', 'C=f32[16,16]'], 0, 'C[0,0] = 0x')
        address = '0x%x' % (AT + 0x200000)
        self.expect('an address', [path, '--element', address + ':2,5', address + '=f32[16,16]'], 1, address + '[2,5] = 0x')
        self.expect('no capture', [code, '--first-difference'], 2, 'it does not begin as a captured launch does')

    def variables(self):
        """A variable of the program is elsewhere in the replay."""
        words = [struct.pack('<32I', *[k * i + 5 for i in range(32)]) for k in (1, 100)]
        out = struct.pack('<32I', *[101 * i + 10 + (i == 7) for i in range(32)])
        pieces = [('', AT, bytes(128), out), ('', AT + 4096, words[0], words[0]), ('table', AT + 8192, 2 * words[1], 2 * words[1])]
        path = self.save('t.lwcap', file_of(TABLE.encode(), 'sm_80', 32, [AT, AT + 4096], pieces))
        self.expect('a variable', [path, '--first-difference', 'out=u32[4,8]', 'table=u32[64]', 'in=u32[4,8]'], 1,
                    'out[0,7] = 0x000002cd (717), on the GPU 0x000002ce (718)', 'table[7]', 'in[0,7]')
        self.expect('a variable that is not described', [path, '--element', 'out:3', 'out=u32[32]'], 0, ', as on the GPU', 'table[3]', ': in, table (')


def main():
    if not seeded.MC or not seeded.LLD:
        print('skipped: llvm-mc-22 or ld.lld-22 is not installed')
        return 77
    products = [p for p in why.products() if p.name in PRODUCTS]
    assert len(products) == len(PRODUCTS)
    with tempfile.TemporaryDirectory() as folder:
        judge = Judge(sys.argv[1], folder)
        for product in products:
            judge.product(product)
        judge.refusals(products[0])
        judge.variables()
    for line in judge.bad:
        print(line)
    print('%d products, %d mistakes' % (len(products), len(judge.bad)))
    return 1 if judge.bad else 0


if __name__ == '__main__':
    sys.exit(main())

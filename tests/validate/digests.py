#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Digests of functions over their inputs, as validate --device records them, computed a second time: the inputs by the rule of
cli/gpu/lanes.c, the functions by Python's arithmetic, FNV-1a. Both sizes of batches and digests.
Usage: digests.py LANEWISE STANDINS"""
import math
import os
import struct
import subprocess
import sys
import tempfile

LANEWISE, STANDINS = sys.argv[1:]
FNV, PRIME, SPREAD = 14695981039346656037, 1099511628211, 0x9e3779b1
NAN = 0x7fffffff  # of PTX
INF = 0x7f800000


def number(code):
    return struct.unpack('<f', struct.pack('<I', code))[0]


def code(value):
    try:
        return struct.unpack('<I', struct.pack('<f', value))[0]
    except OverflowError:
        return INF | (0x80000000 if value < 0 else 0)


def square_root(x):
    v = number(x)
    return NAN if v != v or v < 0 else x if v in (0, math.inf) else code(math.sqrt(v))  # rounding twice is harmless here


def reciprocal(x):
    v = number(x)
    return NAN if v != v else INF | (x & 0x80000000) if v == 0 else code(1 / v)


def widened(x):
    """From f16, as AMD's conversion."""
    sign, size = (x & 0x8000) << 16, x & 0x7fff
    if size > 0x7c00:
        return sign | INF | 0x400000 | (size & 0x3ff) << 13
    return code(struct.unpack('<e', struct.pack('<H', x))[0])


def results(function, lanes, bits, first, count):
    mask = (1 << bits) - 1
    return [function(i * SPREAD & mask) for i in range(first * lanes, (first + count) * lanes)]


def digest(words):
    hashed = FNV
    for byte in struct.pack('<%dI' % len(words), *words):
        hashed = (hashed ^ byte) * PRIME & 0xffffffffffffffff
    return hashed


def check(arch, name, function, lanes, bits, lines, what):
    digests = 0
    for line in lines:
        word, *rest = line.split()
        if word == 'full':
            wanted = ''.join('%08x' % w for w in results(function, lanes, bits, int(rest[0]), 1))
            assert rest[1] == wanted, (arch, name, rest[0], rest[1], wanted)
        elif word == 'digest':
            first, count = int(rest[0]), int(rest[1])
            wanted = '%016x' % digest(results(function, lanes, bits, first, count))
            assert rest[2] == wanted, (arch, name, first, count, rest[2], wanted)
            digests += 1
    assert digests, what
    return digests


def ask(arch, name, *options):
    api = 'hip' if arch.startswith('gfx') else 'cuda'
    environment = {**os.environ, 'LANEWISE_ARCH': arch, 'LD_LIBRARY_PATH': STANDINS}
    subprocess.run([LANEWISE, 'validate', '--device', api, '--only', name, *options], env=environment, check=True, stdout=subprocess.DEVNULL)


with tempfile.TemporaryDirectory() as folder:
    record, part = os.path.join(folder, 'record'), os.path.join(folder, 'part')
    for arch, name, function, lanes, bits in (('sm_90', 'sqrt.rn.f32', square_root, 32, 32), ('sm_90', 'rcp.rn.f32', reciprocal, 32, 32),
                                              ('gfx942', 'v_cvt_f32_f16', widened, 64, 16)):
        ask(arch, name, '--cases', '40', '--record', record)
        with open(record) as file:
            assert check(arch, name, function, lanes, bits, file, 'a recording') >= 4
    # the first 65,536 cases of all inputs: one digest
    ask('sm_90', 'sqrt.rn.f32', '--all-inputs', '--record', record, '--part', '1/2048', '--part-file', part)
    with open(part, 'rb') as file:
        kept = [line[5:].decode() for line in file.read().split(b'\n') if line.startswith(b'kept ')]
    assert kept[1:2] and any(line.split()[:3] == ['digest', '8', '65528'] for line in kept), kept[:3]
    check('sm_90', 'sqrt.rn.f32', square_root, 32, 32, kept, 'a part')
print('digests are those of the results')

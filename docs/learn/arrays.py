# SPDX-License-Identifier: MIT
"""Writes the arrays of docs/learn: a.npy (16 x 16, f16), b.npy (16 x 16) and b8.npy (16 x 8), all ones; and codes of fp8,
a_fp8.npy (16 x 32) and b_fp8.npy (32 x 16), all 0x38.

Each row of A is one example; with columns of ones D[row][0] is the sum of that row. Usage: arrays.py [FOLDER]; with --sums
prints each row's exact sum and what adding in order in float32 gives.
"""
import os
import struct
import sys
from fractions import Fraction

BIG, TINY = 32768.0, 2.0 ** -9  # 24 binary places apart: one more than float32 has
ROWS = [
    {0: BIG, 1: TINY, 2: -BIG},             # 0: in one group
    {0: BIG, 1: TINY, 8: -BIG},             # 1: the big ones in different groups of 8
    {0: BIG, 1: TINY / 2, 2: TINY / 2, 3: -BIG},  # 2: each small one is below the grid, their sum is not
    {0: BIG, 1: 2 * TINY, 2: TINY},         # 3: halfway between two float32: which way?
    {0: 2.0 ** -24},                        # 4: the smallest subnormal f16
]


def f32(x):
    return struct.unpack('<f', struct.pack('<f', x))[0]


def write(path, rows, cols, value, kind='<f2', form='<e'):
    head = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': ({rows}, {cols}), }}"
    head += ' ' * (-(len(head) + 11) % 64) + '\n'
    with open(path, 'wb') as f:
        f.write(b'\x93NUMPY\x01\x00' + struct.pack('<H', len(head)) + head.encode())
        f.write(b''.join(struct.pack(form, value(i, j)) for i in range(rows) for j in range(cols)))


def main():
    if '--sums' in sys.argv:
        for i, row in enumerate(ROWS):
            total = 0.0
            for k in range(16):
                total = f32(total + row.get(k, 0.0))  # one product, by one, exact; one sum, rounded
            exact = sum(Fraction(v) for v in row.values())
            print(f'row {i}: exact {float(exact):.10g}, in order in float32 {total:.10g}')
        return
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))
    write(os.path.join(folder, 'a.npy'), 16, 16, lambda i, k: ROWS[i].get(k, 0.0) if i < len(ROWS) else 0.0)
    write(os.path.join(folder, 'b.npy'), 16, 16, lambda k, j: 1.0)
    write(os.path.join(folder, 'b8.npy'), 16, 8, lambda k, j: 1.0)
    write(os.path.join(folder, 'a_fp8.npy'), 16, 32, lambda i, k: 0x38, '|u1', 'B')
    write(os.path.join(folder, 'b_fp8.npy'), 32, 16, lambda k, j: 0x38, '|u1', 'B')


main()

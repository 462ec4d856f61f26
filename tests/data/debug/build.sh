#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Rebuilds tile.co (clang 22) and tile.ptx (nvcc 13.0), with source lines, and the arrays that the tests pass. Tests
# read the results only. Usage: build.sh [FOLDER] (default: this one).
set -eu
src=$(cd "$(dirname "$0")" && pwd)
out=${1:-$src}
cd "$src"
clang-22 -x hip -O2 -nogpulib -nogpuinc -cuid=0 --offload-device-only --no-gpu-bundle-output --offload-arch=gfx942 \
    -fhip-kernel-arg-name -gline-tables-only -fdebug-compilation-dir=/src tile.hip -o "$out/tile.co"
if command -v nvcc >/dev/null; then
    nvcc -arch=sm_80 -lineinfo -ptx tile.cu -o "$out/tile.ptx"
    sed -i "s|$src/||g" "$out/tile.ptx"
fi
python3 - "$out" <<'PYTHON'
import struct, sys

def write(name, rows, cols, value):
    head = "{'descr': '<f2', 'fortran_order': False, 'shape': (%d, %d), }" % (rows, cols)
    head += ' ' * (-(len(head) + 11) % 64) + '\n'
    data = b''.join(struct.pack('<e', value(i, k)) for i in range(rows) for k in range(cols))
    with open(sys.argv[1] + '/' + name, 'wb') as f:
        f.write(b'\x93NUMPY\x01\x00' + struct.pack('<H', len(head)) + head.encode() + data)

a, b = lambda i, k: (3 * i + k) % 17 - 8, lambda j, k: (5 * j + 7 * k) % 13 / 4 - 1.5
write('A.npy', 32, 32, a)
write('B.npy', 16, 32, b)
write('A16.npy', 32, 16, a)
write('B16.npy', 8, 16, b)
PYTHON

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""numpy.save -> npy_copy -> numpy.load gives the same array; numpy's further features are refused. Usage: npy_numpy.py COPY"""
import io
import os
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError:
    # Distributions often package it only for their own interpreter.
    system = '/usr/bin/python3'
    if sys.executable != system and os.path.exists(system):
        os.execv(system, [system] + sys.argv)
    print('numpy is not installed')
    sys.exit(77)


def copy(program, array, folder, version=None):
    source, target = os.path.join(folder, 'a.npy'), os.path.join(folder, 'b.npy')
    with open(source, 'wb') as f:
        np.lib.format.write_array(f, array, version=version)
    if os.path.exists(target):
        os.remove(target)
    run = subprocess.run([program, source, target], capture_output=True, text=True)
    return run, (np.load(target) if run.returncode == 0 else None), os.listdir(folder)


def main():
    rng = np.random.default_rng(20240607)
    done = 0
    with tempfile.TemporaryDirectory() as folder:
        for dtype in '?bhiqBHIQefd':
            for shape in ((), (1,), (7,), (3, 5), (2, 0, 4), (2, 3, 4, 5), (1,) * 32):
                for version in ((1, 0), (2, 0), (3, 0)):
                    bits = rng.integers(0, 256, size=int(np.prod(shape)) * np.dtype(dtype).itemsize, dtype=np.uint8)
                    if dtype == '?':
                        bits &= 1
                    array = bits.view(dtype).reshape(shape)
                    run, back, _ = copy(sys.argv[1], array, folder, version)
                    assert run.returncode == 0, (dtype, shape, run.stderr)
                    assert back.dtype == array.dtype and back.shape == array.shape, (dtype, shape)
                    assert back.tobytes() == array.tobytes(), (dtype, shape)
                    done += 1
        refused = [np.asfortranarray(np.ones((2, 3))), np.ones(3, '>f4'), np.ones(3, '>u2'), np.ones(2, 'c8'),
                   np.array(['ab', 'c']), np.array([b'ab']), np.ones(2, [('a', 'f4'), ('b', 'i2')]),
                   np.array(['2024-01-01'], 'M8[D]')]
        for array in refused:
            run, _, left = copy(sys.argv[1], array, folder)
            assert run.returncode == 1 and run.stderr, (array.dtype, run)
            assert left == ['a.npy'], left
        run, _, _ = copy(sys.argv[1], np.array([{}], dtype=object), folder)
        assert run.returncode == 1, run
    print('%d arrays came back as they were, %d kinds were refused' % (done, len(refused) + 1))


main()

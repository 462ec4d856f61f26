#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The cost of Python: of the import beyond NumPy's, and of a launch beyond one in C. The figures of docs/python.md.

Usage: bench.py CODE_OBJECT

CODE_OBJECT is examples/objects/vector_add_gfx950.co. Both times are processor time, which other load on the machine
affects least; the smallest of many runs counts.
"""
import ctypes as c
import os
import resource
import subprocess
import sys
import threading
import time

import numpy as np

import lanewise as lw
from lanewise import _launch, _structs
from lanewise._c import lib


def cpu_of_children(program):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, '-c', program], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1e3


def imports(runs=15):
    """Milliseconds beyond `import numpy`."""
    numpy = min(cpu_of_children('import numpy') for _ in range(runs))
    both = min(cpu_of_children('import numpy, lanewise') for _ in range(runs))
    print('import lanewise: %.0f ms beyond the %.0f ms of import numpy' % (both - numpy, numpy))


def smallest(function, repeat=30, number=200):
    best = float('inf')
    for _ in range(repeat):
        start = time.process_time()
        for _ in range(number):
            function()
        best = min(best, (time.process_time() - start) / number)
    return best * 1e6


def launches(file):
    kernel = lw.load(file)['vector_add']
    x, a, b, n = np.zeros(256, np.float32), np.ones(256, np.float32), np.ones(256, np.float32), np.uint32(256)

    def python():
        kernel(x, a, b, n, grid=1, block=256, threads=1)
    python()
    prepared = _launch.Prepared(kernel, (x, a, b, n), grid=1, block=256, threads=1)
    kernel.module.memory.register(prepared.arrays)
    result, error = c.c_void_p(), _structs.lw_error()

    def native():
        lib.lw_launch(c.byref(prepared.options), c.byref(result), c.byref(error))
        lib.lw_launch_result_free(result)
    in_c = smallest(native)
    kernel = lw.load(file)['vector_add']  # its memory holds no arrays yet
    main = smallest(python)
    other = []
    thread = threading.Thread(target=lambda: other.append(smallest(python)))
    thread.start()
    thread.join()
    print('a launch of vector_add, 256 elements: %.1f us in C; from Python %.1f us more in the main thread, %.1f us more in others' % (
        in_c, main - in_c, other[0] - in_c))


if __name__ == '__main__':
    if len(sys.argv) != 2 or not os.path.exists(sys.argv[1]):
        sys.exit(__doc__)
    imports()
    launches(sys.argv[1])

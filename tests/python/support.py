# SPDX-License-Identifier: MIT
"""What the tests of the Python package share: where it is, where the program is, and an interpreter that has NumPy."""
import json
import os
import subprocess
import sys

ROOT, BUILD = os.environ['LW_SOURCE_DIR'], os.environ['LW_BINARY_DIR']
SKIPPED = 77
EXAMPLES = os.path.join(ROOT, 'examples', 'objects')
DATA = os.path.join(ROOT, 'tests', 'data')


def skip(why):
    print('skipped: ' + why)
    sys.exit(SKIPPED)


try:
    import numpy  # noqa: F401
except ImportError:
    # Distributions often package it only for their own interpreter.
    system = '/usr/bin/python3'
    if sys.executable != system and os.path.exists(system):
        os.execv(system, [system, '-B'] + sys.argv)
    skip('this Python has no NumPy')

with open(os.path.join(BUILD, 'CMakeCache.txt')) as cache:
    if any(line.startswith('CMAKE_C_FLAGS:') and ('-fsanitize' in line or '--coverage' in line) for line in cache):
        skip('an instrumented library cannot be loaded into Python')

if not os.environ.get('LW_PYTHON_INSTALLED'):  # otherwise the interpreter's own package is tested
    os.environ['LANEWISE_LIBRARY'] = os.path.join(BUILD, 'python', 'liblanewise.so')
    if not os.path.exists(os.environ['LANEWISE_LIBRARY']):
        skip('the shared library is not built (LW_BUILD_PYTHON)')
    sys.path.insert(0, os.path.join(ROOT, 'python'))
    os.environ['PYTHONPATH'] = os.path.join(ROOT, 'python')

CLI = os.path.join(BUILD, 'cli', 'lanewise')


def say(*words):
    """The program's output."""
    return subprocess.run([CLI, *words], capture_output=True, text=True, check=True).stdout


def ask(*words):
    """The program's output with --json, parsed."""
    run = subprocess.run([CLI, *words, '--json'], capture_output=True, text=True)
    return json.loads(run.stdout)

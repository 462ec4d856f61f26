#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The Containerfile: its commands, run in folders instead of in a container, make a program that runs (LW_FULL=1; it builds everything); the
libraries that it needs are of packages that the recipe installs. Otherwise the same is asked of the program that is built already.

Usage: container.py BUILD"""
import os
import re
import subprocess
import sys
import tempfile

import steps

# Debian 12: the package of each library that the program may need (besides the C library)
PACKAGES = {'libz.so.1': 'zlib1g', 'libzstd.so.1': 'libzstd1', 'libgomp.so.1': 'libgomp1'}
C_LIBRARY = ('libc.so.6', 'libm.so.6', 'ld-linux-x86-64.so.2', 'ld-linux-aarch64.so.1', 'libdl.so.2', 'libpthread.so.0', 'linux-vdso.so.1')
bad = 0


def fail(*what):
    global bad
    bad += 1
    print('FAILED:', *what)


def stages():
    """[[(instruction, rest)]] of each FROM."""
    found = []
    for line in steps.read('Containerfile').replace('\\\n', ' ').splitlines():
        if not line or line.startswith('#'):
            continue
        word, _, rest = line.partition(' ')
        if word == 'FROM':
            found.append([])
        found[-1].append((word, rest))
    return found


def installed(stage):
    """The packages that a stage installs."""
    text = ' '.join(rest for word, rest in stage if word == 'RUN' and 'apt-get install' in rest)
    return set(re.sub(r'.*apt-get install', '', text).split('&&')[0].split()) - {'-y', '--no-install-recommends'}


def build(folder, stage):
    places = {'/src': steps.ROOT, '/build': folder + '/build', '/opt/lanewise': folder + '/lanewise'}
    for word, rest in stage:
        if word == 'RUN' and 'apt-get' not in rest:
            command = re.sub(r'(?<= )(/src|/build|/opt/lanewise)(?= |$)', lambda m: places[m.group(1)], rest)
            subprocess.run(['bash', '-ec', command], check=True, stdout=subprocess.DEVNULL)
    return places['/opt/lanewise'] + '/bin/lanewise'


def foreign(folder):
    """Why the program that is built already needs other libraries than one made by the recipe, whose compiler is gcc; or nothing."""
    with open(os.path.join(folder, 'CMakeCache.txt')) as file:
        cache = file.read()
    if re.search(r'^CMAKE_C_FLAGS:STRING=.*(-fsanitize|--coverage)', cache, re.M):
        return 'with sanitizers'
    return 'by clang' if re.search(r'^CMAKE_C_COMPILER:\w+=.*clang', cache, re.M) else ''


def main(folder):
    first, second = stages()
    words = [word for word, _ in first + second]
    if words != ['FROM', 'RUN', 'COPY', 'RUN', 'RUN', 'RUN', 'FROM', 'RUN', 'COPY', 'ENV', 'WORKDIR', 'ENTRYPOINT']:
        fail('the recipe has other steps than this test knows:', words)
    full = os.environ.get('LW_FULL') == '1'
    program = build(folder, first) if full else os.path.join(sys.argv[1], 'cli', 'lanewise')
    out = subprocess.run([program, 'info', 'v_mfma_f32_16x16x16_f16', '--arch', 'gfx942'], capture_output=True, text=True)
    if out.returncode or '16x16x16' not in out.stdout:
        fail('the program does not run:', out.stderr)
    why = '' if full else foreign(sys.argv[1])
    listed = '' if why else subprocess.run(['ldd', program], capture_output=True, text=True).stdout
    for library in re.findall(r'^\s*(?:/\S*/)?(\S+\.so\S*)', listed, re.M):
        if library not in C_LIBRARY and PACKAGES.get(library, '?') not in installed(second):
            fail('the second stage does not install the package of', library)
    if installed(first) - {'cmake', 'gcc', 'libc6-dev', 'libzstd-dev', 'make', 'zlib1g-dev'}:
        fail('packages that no step needs:', installed(first))
    if ('COPY', '--from=build /opt/lanewise /opt/lanewise') not in second or ('ENV', 'PATH=/opt/lanewise/bin:$PATH') not in second:
        fail('the second stage does not have the program')
    if why:
        print(f'the program is built {why}: whether the recipe installs all libraries that it needs is asked of the usual build')
    return why


with tempfile.TemporaryDirectory() as made:
    skipped = main(made)
sys.exit(1 if bad else 77 if skipped else 0)

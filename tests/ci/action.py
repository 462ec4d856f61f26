#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The steps of action.yml, run as GitHub runs them, on an installed Lanewise (LW_FULL=1: on one that the action builds from a fresh copy
of the sources); action.yml against the published schema, where check-jsonschema is installed.

Usage: action.py BUILD"""
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

import steps

BUILD = sys.argv[1]
bad = 0


def fail(*what):
    global bad
    bad += 1
    print('FAILED:', *what)


def npy(path, values):
    head = "{'descr': '<f4', 'fortran_order': False, 'shape': (%d,), }" % len(values)
    head += ' ' * (-(len(head) + 11) % 64) + '\n'
    with open(path, 'wb') as file:
        file.write(b'\x93NUMPY\x01\x00' + struct.pack('<H', len(head)) + head.encode() + struct.pack('<%df' % len(values), *values))


def check(folder, inputs, status, failed, says, reports, **more):
    got, out, outputs = steps.run_action(folder, inputs, **more)
    if got != status or says not in out or (failed is not None and outputs['run'].get('failed') != failed):
        fail(inputs, 'status', got, outputs, out)
    where = os.path.join(folder, inputs.get('reports', 'lanewise-reports'))
    found = {}
    for name in os.listdir(where) if os.path.isdir(where) else ():
        suite = xml.parse(os.path.join(where, name)).getroot()
        cases = list(suite.iter('testcase'))
        found[name] = (len(cases), sum(case.find('failure') is not None for case in cases), sum(case.find('error') is not None for case in cases))
    if found != reports:
        fail(inputs, 'reports', found, 'not', reports)
    shutil.rmtree(where, ignore_errors=True)


def main(folder):
    full, source = os.environ.get('LW_FULL') == '1', steps.ROOT
    if full:
        source = os.path.join(folder, 'source')
        os.mkdir(source)
        files = subprocess.run(['git', 'ls-files', '-z'], cwd=steps.ROOT, check=True, capture_output=True).stdout
        packed = subprocess.Popen(['tar', 'cf', '-', '--null', '-T', '-'], cwd=steps.ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        unpack = subprocess.Popen(['tar', 'xf', '-', '-C', source], stdin=packed.stdout)
        packed.stdin.write(files)
        packed.stdin.close()
        assert unpack.wait() == 0 and packed.wait() == 0
        prefix = {}
    else:
        prefix = {'prefix': os.path.join(folder, 'prefix')}
        os.makedirs(prefix['prefix'] + '/bin')
        os.symlink(os.path.join(BUILD, 'cli', 'lanewise'), prefix['prefix'] + '/bin/lanewise')
    shutil.copy(os.path.join(steps.ROOT, 'examples/objects/vector_add_gfx942.co'), os.path.join(folder, 'v.co'))
    npy(os.path.join(folder, 'x.npy'), [i * 0.5 for i in range(100)])
    npy(os.path.join(folder, 'the sum.npy'), [i * 1.0 for i in range(100)])
    npy(os.path.join(folder, 'wrong.npy'), [i * 1.0 + (i == 7) for i in range(100)])
    words = "v.co --grid 1 --block 256 'out:-=f32[100]' x.npy x.npy i32:100 --expect "
    good, wrong = words + '"the sum.npy"', words + 'wrong.npy'
    check(folder, dict(prefix, launches='# a comment\n' + good + '\n\n'), 0, '0', '1 lines, 0 failed', {'1.xml': (2, 0, 0)}, source=source)
    check(folder, dict(prefix, launches=good + '\n' + wrong + '\n' + good, check='races,bounds'), 1, '1', '3 lines, 1 failed',
          {'1.xml': (3, 0, 0), '2.xml': (3, 1, 0), '3.xml': (3, 0, 0)}, source=source)
    check(folder, dict(prefix, launches=good + ' $(touch expanded) `touch expanded`'), 1, '1', '::error', {}, source=source)
    if os.path.exists(os.path.join(folder, 'expanded')):
        fail('a line was expanded by the shell')
    check(folder, prefix, 2, '0', 'nothing to run', {}, source=source)
    check(folder, dict(prefix, programs='true', arch='gfx942', reports='r'), 0, '0', '1 lines, 0 failed', {'1.xml': (1, 0, 0)}, source=source)
    check(folder, dict(prefix, programs='sh -c "exit 5"', arch='sm_90', reports='r'), 1, '1', '1 lines, 1 failed', {'1.xml': (1, 1, 0)},
          source=source)
    with open(os.path.join(folder, 'path')) as file:
        if not all(line.rstrip('\n').endswith('/bin') for line in file):
            fail('the path is not told')
    schema = shutil.which('check-jsonschema')
    if schema:
        done = subprocess.run([schema, '--builtin-schema', 'vendor.github-actions', os.path.join(steps.ROOT, 'action.yml')], capture_output=True,
                              text=True)
        if done.returncode:
            fail('schema:', done.stdout + done.stderr)
    else:
        print('not tried: the schema, which check-jsonschema has')


with tempfile.TemporaryDirectory() as made:
    main(made)
sys.exit(bad != 0)

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tests/data/recordings.txt says where every file of results of hardware comes from, and all of them are small enough to keep.

A file needs an entry if it is a table in tests/data, a file of validate/results, or a recording of 'validate --device' anywhere.
Usage: recordings.py SOURCES [LIST]"""
import glob
import hashlib
import os
import sys

FIELDS = ['Holds', 'Source', 'Devices', 'Driver', 'Toolkit', 'Operands', 'Converted', 'Licence', 'SHA-256', 'Replayed']
MOST_BYTES = 8 * 1000 * 1000


def read(path):
    """(entries, files without results)"""
    entries, others = [], []
    for line in open(path, encoding='utf-8'):
        if line.startswith('#') or not line.strip():
            continue
        name, colon, value = line.rstrip('\n').partition(': ')
        if not colon or not value.strip():
            sys.exit('FAILED: %s: no value: %r' % (path, line))
        if name == 'Not':
            others.append(value)
        elif name == 'File':
            entries.append({'File': value})
        else:
            entries[-1][name] = value
    return entries, others


def is_recording(path):
    with open(path, 'rb') as file:
        return file.read(20) == b'lanewise recording 1'


def candidates(root):
    found = glob.glob(root + '/tests/data/*.csv') + glob.glob(root + '/validate/results/*')
    for folder in ('tests', 'validate', 'examples', 'docs', 'bench'):
        for at, _, names in os.walk(os.path.join(root, folder)):
            found += [os.path.join(at, name) for name in names if is_recording(os.path.join(at, name))]
    return sorted({os.path.relpath(path, root) for path in found})


def main(root, path):
    failures = []
    entries, others = read(path)
    known = [entry['File'] for entry in entries] + others
    for name in candidates(root):
        if known.count(name) != 1:
            failures.append('%s has %d entries' % (name, known.count(name)))
    notice = open(root + '/NOTICE', encoding='utf-8').read().split('\n')
    total = 0
    for entry in entries:
        name = entry['File']
        if list(entry)[1:] != FIELDS:
            failures.append('%s: its fields are %s, not %s' % (name, list(entry)[1:], FIELDS))
            continue
        data = open(os.path.join(root, name), 'rb').read()
        total += len(data)
        if hashlib.sha256(data).hexdigest() != entry['SHA-256']:
            failures.append('%s: another digest: it has changed, or is not the file of this source' % name)
        if 'NOTICE' in entry['Licence'] and 'File: ' + name not in notice:
            failures.append('%s: NOTICE does not name it' % name)
        for test in entry['Replayed'].split(', '):
            used = glob.glob(root + '/tests/**/' + test, recursive=True)
            if not any(os.path.basename(name) in open(at, encoding='utf-8').read() for at in used):
                failures.append('%s: %s does not read it' % (name, test))
    if total > MOST_BYTES:
        failures.append('%d bytes of recordings, more than %d' % (total, MOST_BYTES))
    for failure in failures:
        print('FAILED:', failure)
    if not failures:
        print('%d recordings, %d bytes, each with its origin' % (len(entries), total))
    return bool(failures)


if __name__ == '__main__':
    sys.exit(main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else sys.argv[1] + '/tests/data/recordings.txt'))

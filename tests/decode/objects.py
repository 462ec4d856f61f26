# SPDX-License-Identifier: MIT
"""Whole code objects: our text of every instruction compared with llvm-objdump's.

objects.py PROGRAM FILE...
"""
import re
import subprocess
import sys

import llvm

OBJDUMP = 'llvm-objdump-22'
LINE = re.compile(r'^\t(\S.*?)\s+// [0-9A-F]+: ((?:[0-9A-F]{8} ?)+)(?:<.*>)?$')


def instructions(path):
    """(architecture, [(text, dwords)]) as llvm-objdump prints them."""
    out = subprocess.run([OBJDUMP, '-d', path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=True)
    head = subprocess.run(['llvm-readelf-22', '-h', path], stdout=subprocess.PIPE, text=True, check=True).stdout
    arch = re.search(r'gfx[0-9a-f]+', head)[0]
    found = []
    for line in out.stdout.splitlines():
        m = LINE.match(line)
        if m:
            found.append((m[1], [int(w, 16) for w in m[2].split()]))
    return arch, found


def main():
    program, files = sys.argv[1], sys.argv[2:]
    llvm.need(OBJDUMP)
    llvm.need('llvm-readelf-22')
    wrong = total = 0
    for path in files:
        arch, found = instructions(path)
        mine = llvm.ours(program, arch, [w for _, w in found])
        for (text, words), verdict in zip(found, mine):
            total += 1
            if verdict != (text, 4 * len(words)):
                wrong += 1
                print(path, ' '.join('%08x' % w for w in words), '|', text, '|',
                      'refused' if verdict is llvm.REFUSED else verdict)
    print(f'{len(files)} files, {total} instructions, {wrong} differ')
    return 1 if wrong or not total else 0


if __name__ == '__main__':
    sys.exit(main())

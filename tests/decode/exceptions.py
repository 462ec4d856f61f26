# SPDX-License-Identifier: MIT
"""Every listed exception must still occur: llvm-mc's text matches its pattern, and ours differs.

exceptions.py PROGRAM
"""
import os
import re
import sys

import differential
import llvm


def occurs(program, pattern, example):
    arch, _, words = example.partition(':')
    case = [int(w, 16) for w in words.split(',')]
    theirs, mine = llvm.disassemble(arch, [case])[0], llvm.ours(program, arch, [case])[0]
    if pattern == differential.CRASHED:
        good = theirs is llvm.CRASHED and mine is llvm.REFUSED
    elif theirs is llvm.REFUSED:
        good = mine is not llvm.REFUSED and re.search(pattern, '+' + mine[0])
    else:
        good = theirs is not llvm.CRASHED and mine is llvm.REFUSED and re.search(pattern, theirs[0])
    if not good:
        print(f'{example}: {pattern}\n  llvm-mc {differential.show(theirs)}\n  ours    {differential.show(mine)}')
    return bool(good)


def main():
    program = sys.argv[1]
    llvm.need(llvm.TOOL)
    wrong = total = 0
    for line in open(os.path.join(differential.HERE, 'exceptions.txt')):
        if line.strip() and not line.startswith('#'):
            pattern, example, _ = (f.strip() for f in line.split(' ;; '))
            total += 1
            wrong += not occurs(program, pattern, example)
    print(f'{total} exceptions, {wrong} no longer occur')
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())

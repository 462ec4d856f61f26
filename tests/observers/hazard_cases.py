#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Assembles hazard_cases.txt and wait_cases.txt with llvm-mc into files of the same names, .inc.

usage: hazard_cases.py write|check     check exits 77 where llvm-mc-22 is absent
"""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'machine'))
import code  # noqa: E402, the module in tests/machine, not the standard library's


def cases(table):
    for line in open(os.path.join(HERE, table + '.txt')):
        if line.strip() and not line.startswith('#'):
            yield [field.strip() for field in line.split('|')]


def target_of(field):
    """'gfx1100/64': waves of 64 lanes; RDNA's are of 32 otherwise."""
    arch, _, lanes = field.partition('/')
    return arch, int(lanes or (32 if arch.startswith('gfx1') else 64))


def literal(field):
    return field if field.isdigit() else '"%s"' % field


def render(table):
    """The last field of a case is its instructions, the second its target."""
    found = list(cases(table))
    words = {}
    for target in sorted({c[1] for c in found}):
        mine = [c for c in found if c[1] == target]
        texts = [c[-1].replace(';', '\n') + '\n' for c in mine]
        arch, lanes = target_of(target)
        words.update(zip([c[0] for c in mine], code.assemble(arch, texts, ['+wavefrontsize%d' % lanes])))
    out = ['/* SPDX-License-Identifier: MIT */\n',
           '/* The sequences of %s.txt, assembled by hazard_cases.py with llvm-mc 22. */\n' % table, '/* clang-format off */\n']
    for c in found:
        arch, lanes = target_of(c[1])
        fields = ['"%s"' % c[0], arch.upper(), '%d' % lanes] + [literal(f) for f in c[2:-1]] + ['0x%08x' % w for w in words[c[0]]]
        out.append('CASE(%s)\n' % ', '.join(fields))
    return ''.join(out)


def main():
    if not code.MC:
        print('skipped: llvm-mc-22 is not installed')
        return 77
    status = 0
    for table in ('hazard_cases', 'wait_cases'):
        path = os.path.join(HERE, table + '.inc')
        if sys.argv[1:] == ['write']:
            open(path, 'w').write(render(table))
        elif open(path).read() != render(table):
            print('%s.inc is not what %s.txt says: run hazard_cases.py write' % (table, table))
            status = 1
    return status


if __name__ == '__main__':
    sys.exit(main())

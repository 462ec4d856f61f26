#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Going back gives the state of having stopped there in the first place. One session stops at every instruction of
every wave, forwards, by breakpoints; others get to the same positions by goto, back and reverse, in any order. All
registers of all waves, LDS and all arrays are compared, and what each position's matrix instruction sees with the
product's inputs. Usage: back.py PROGRAM DATA"""
import os
import random
import re
import subprocess
import sys

PROGRAM, DATA = os.path.realpath(sys.argv[1]), os.path.realpath(sys.argv[2])
PROMPT = '(lanewise) '


def converse(words, commands):
    """A list of (command, what it printed) for a script."""
    run = subprocess.run([PROGRAM, 'debug'] + words, cwd=DATA, input='\n'.join(commands) + '\n', text=True,
                         capture_output=True, timeout=120)
    assert run.returncode == 0 and not run.stderr, (run.returncode, run.stderr[:500])
    parts = run.stdout.split('\n' + PROMPT)
    answers = [part.partition('\n') for part in parts[1:]]
    assert [a[0] for a in answers] == commands, 'commands are not repeated'
    return [(a[0], a[2]) for a in answers]


class Kernel:
    def __init__(self, words, registers, waves, total):
        self.words, self.waves, self.total = words, waves, total
        self.dump = ['waves']
        for wave in range(waves):
            self.dump += ['wave %d' % wave] + ['print ' + r for r in registers]
        self.dump += ['lds 0 x32 1x4096', 'memory 0 x32 4096', 'memory 1 x16 4096', 'memory 2 x16 4096']


def position(text):
    return int(re.search(r'^\[(\d+)\]', text, re.M).group(1))


def clean(answers):
    """Without the marks of the chosen wave and the chosen lane."""
    return [re.sub(r'^[* ]', ' ', text.rstrip(), flags=re.M) for _, text in answers]


def gather(kernel, commands):
    """Runs commands of which those that begin with '!' are followed by a dump: position -> dumps."""
    script, marks = [], []
    for command in commands:
        script.append(command.lstrip('!'))
        if command.startswith('!'):
            marks.append(len(script))
            script += kernel.dump
    answers = converse(kernel.words, script)
    return [(position(answers[at - 1][1]), clean(answers[at:at + len(kernel.dump)])) for at in marks]


def check(kernel, seed):
    # A wave that has ended can no longer be chosen, so the last positions are left out.
    last = kernel.total
    forward = dict(gather(kernel, ['break *', '!where'] + ['!continue'] * last))
    assert sorted(forward) == list(range(last)), sorted(forward)
    chance = random.Random(seed)
    order = list(range(last))
    chance.shuffle(order)
    commands = []
    for n in order:
        commands += ['!goto %d' % n, 'wave %d' % chance.randrange(kernel.waves), '!back', '!back 3']
    for n in order[:20]:
        commands += ['delete', 'goto %d' % n, 'break *', '!reverse', '!reverse', '!continue']
    compared = 0
    for n, dump in gather(kernel, commands):
        for was, now in zip(forward[n], dump):
            assert was == now, 'position %d:\n%s\nnow:\n%s' % (n, was, now)
        compared += 1
    return compared


# Positions until the first wave ends.
AMD = Kernel(['tile.co', '--grid', '1', '--block', '128', 'C=out:-=f32[32,16]', 'A=A.npy', 'B=B.npy'],
             ['v0:16', 's0:16', 'vcc', 'exec', 'm0', 'scc', 'mode'], 2, 67)
PTX = Kernel(['tile.ptx', '--grid', '1', '--block', '64', 'out:-=f32[32,8]', 'A16.npy', 'B16.npy'],
             ['%f1', '%f2', '%f3', '%f4'] + ['%%r%d' % i for i in range(1, 26)] + ['%%rd%d' % i for i in range(1, 13)],
             2, 61)
# Three workgroups, one after the other, 500,000 instructions: so long that checkpoints are kept and thinned.
LONG = Kernel([os.path.join('..', 'machine', 'module.co') + ':hand_on', '--grid', '3', '--block', '256', 'out:-=u32[768]', 'u32:4000'],
              ['v0:8', 's0:16', 'vcc', 'exec', 'm0', 'scc', 'mode'], 4, 0)
LONG.dump = LONG.dump[:-3] + ['memory 0 x32 768']


def check_long():
    chance = random.Random(3)
    total = position(converse(LONG.words, ['goto 1000000000'])[0][1])
    assert total > 500000, total
    order = [chance.randrange(total - 100) for _ in range(6)] + [16384, 16385, total - 200]
    first = {}
    for n in order:
        first.update(gather(LONG, ['!goto %d' % n]))
    chance.shuffle(order)
    for n, dump in gather(LONG, ['continue'] + ['!goto %d' % n for n in order]):
        assert first[n] == dump, n
    for n in order[:3]: # step, then back again
        at, dump = gather(LONG, ['continue', 'goto %d' % n, 'step 3', '!back 3'])[0]
        assert at == n and first[n] == dump, (n, at)
    return len(order)


print('%d states of the AMD kernel and %d of the PTX kernel are those of the way forwards, and %d of a long launch'
      % (check(AMD, 1), check(PTX, 2), check_long()))

# SPDX-License-Identifier: MIT
"""tinygrad's own operator tests (test/test_ops.py of its source package) on the stand-in for the CUDA driver, with PTX, compared with torch.
Every test that fails must be in tinygrad_ops.txt with the reason, and every one listed there must fail.

Usage: tinygrad_ops.py LANEWISE STANDINS [DEVICE [TEST]]. LW_TINYGRAD names the unpacked source package (pip download --no-binary :all: --no-deps
tinygrad==0.12.0), and /usr/bin/python3 or LW_PYTHON must have torch 1.13 (Debian's python3-torch). Exit status 77 without them, or
without LW_FULL=1: it takes ten minutes.
"""
import collections
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SECONDS = 900  # for one test: masked_select takes 300

# Run by the interpreter that has torch: a line of JSON for each test.
RUNNER = """
import json, signal, sys, unittest
import test_ops
class Late(Exception): pass
def late(*_): raise Late('longer than %d s')
signal.signal(signal.SIGALRM, late)
class Result(unittest.TestResult):
    def startTest(self, test):
        super().startTest(test)
        self.outcome = 'passed', ''
        signal.alarm(%d)
    def stopTest(self, test):
        signal.alarm(0)
        with open('results', 'a') as out:
            out.write(json.dumps([test.id().split('.', 1)[1], *self.outcome]) + chr(10))
    def addError(self, test, why): self.outcome = 'failed', repr(why[1])[:300]
    addFailure = addError
    def addSkip(self, test, why): self.outcome = 'skipped', why
    def addExpectedFailure(self, test, why): pass
    def addUnexpectedSuccess(self, test): self.outcome = 'failed', 'unexpected success'
names = sys.argv[1:]
loader = unittest.defaultTestLoader
(loader.loadTestsFromNames(names, test_ops) if names else loader.loadTestsFromModule(test_ops)).run(Result())
""" % (SECONDS, SECONDS)


def skip(why):
    print('skipped: ' + why)
    sys.exit(77)


def find_python():
    for python in (os.environ.get('LW_PYTHON'), '/usr/bin/python3'):
        if python and subprocess.run([python, '-c', 'import torch, numpy; assert torch.__version__.startswith("1.13")'],
                                     stderr=subprocess.DEVNULL).returncode == 0:
            return python
    return skip('no Python with torch 1.13')


def main():
    source = os.environ.get('LW_TINYGRAD', '')
    if not os.path.exists(os.path.join(source, 'test', 'test_ops.py')):
        skip('LW_TINYGRAD does not name the source package of tinygrad 0.12.0')
    if os.environ.get('LW_FULL') != '1':
        skip('it takes ten minutes (LW_FULL=1)')
    lanewise, standins, device, *names = sys.argv[1:] + ['sm_80'] * (len(sys.argv) == 3)
    with open(os.path.join(HERE, 'tinygrad_ops.txt')) as file:
        rows = [line.rstrip('\n').split(' | ', 1) for line in file if not line.startswith('#')]
    known = {name: why for name, why in rows if not names or name in names}
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, CUDA='1', CUDA_PTX='1', CACHELEVEL='0', CUDA_PATH=os.path.join(standins, 'libcuda.so.1'),
                           PYTHONPATH=os.pathsep.join([source, os.path.join(source, 'test')]))
        environment.pop('CI', None)  # tinygrad skips a test there
        ran = subprocess.run([lanewise, 'exec', '--arch', device, '--', find_python(), '-B', '-c', RUNNER, *names], cwd=folder, env=environment,
                             capture_output=True, text=True)
        if not os.path.exists(os.path.join(folder, 'results')):
            print(ran.stdout + ran.stderr)
            return 1
        with open(os.path.join(folder, 'results')) as file:
            found = {name: (outcome, why) for name, outcome, why in map(json.loads, file)}
    counts = collections.Counter(outcome for outcome, _ in found.values())
    print('%s: %s' % (device, ', '.join('%d %s' % (counts[o], o) for o in ('passed', 'failed', 'skipped'))))
    print(*(line for line in ran.stderr.splitlines() if ' launches of ' in line), sep='\n')
    failed = {name for name, (outcome, _) in found.items() if outcome == 'failed'}
    bad = ['%s failed: %s' % (name, found[name][1]) for name in sorted(failed - set(known))]
    bad += ['%s is listed as failing (%s), but it is %s' % (name, known[name], found.get(name, ('gone',))[0]) for name in sorted(set(known) - failed)]
    if ran.returncode not in (0,) or (not names and len(found) < 400):
        bad.append('exit status %d after %d tests\n%s' % (ran.returncode, len(found), ran.stderr[-2000:]))
    print('\n'.join(bad))
    return 1 if bad else 0


sys.exit(main())

# SPDX-License-Identifier: MIT
"""Launches and comparisons in parts: on Dask's workers, of which one dies, and on the ranks of mpirun. Always the bytes of one machine, or refused.

Usage: test_distributed.py parts|dask|mpi (ranks: what mpirun starts)"""
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

# Dask and mpi4py are often installed for another interpreter only, which LW_PYTHON names.
other = os.environ.pop('LW_PYTHON', None) if __name__ == '__main__' else None
if other:
    os.execv(other, [other, '-B'] + sys.argv)

import support
import numpy as np

import lanewise as lw
from lanewise import distributed

MODE = sys.argv.pop(1) if __name__ == '__main__' else ''  # Dask's workers import this file too
ADD = os.path.join(support.EXAMPLES, 'vector_add_gfx950.co')
HEAD = '.version 8.0\n.target sm_80\n.address_size 64\n'
# Word i of p becomes what it was plus n; each thread counts to n first.
SLOW = HEAD + '''.visible .entry slow(.param .u64 p, .param .u32 n) {
    .reg .b64 %a<3>; .reg .b32 %r<6>; .reg .pred %q;
    ld.param.u64 %a1, [p];
    ld.param.u32 %r5, [n];
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %tid.x;
    mad.lo.u32 %r1, %r1, 32, %r2;
    mul.wide.u32 %a2, %r1, 4;
    add.u64 %a1, %a1, %a2;
    ld.global.u32 %r3, [%a1];
    mov.u32 %r4, 0;
LOOP:
    add.u32 %r4, %r4, 1;
    setp.lt.u32 %q, %r4, %r5;
    @%q bra LOOP;
    add.u32 %r3, %r3, %r4;
    st.global.u32 [%a1], %r3;
    ret;
}
'''
COUNTER = HEAD + '''.visible .entry counter(.param .u64 p) {
    .reg .b64 %a; .reg .b32 %r<3>;
    ld.param.u64 %a, [p];
    atom.global.add.u32 %r1, [%a], 1;
    ret;
}
'''


# A table of what differs; recorded results, of which every hundredth has another last digit.
DEVICE = dict(device='cuda', only='ex2.approx', cases=64, seed=4)
STANDINS = os.path.join(support.BUILD, 'runtime', 'standins')
ON_STANDIN = {'LANEWISE_ARCH': 'sm_90', 'LD_LIBRARY_PATH': STANDINS}


def wrong_vectors(folder):
    path, number = os.path.join(folder, 'rows.csv'), 0
    with open(os.path.join(support.DATA, 'nvidia-mma-rows.csv')) as source, open(path, 'w') as file:
        for line in source:
            number += line[0] not in '#\n'
            wrong = line[0] not in '#\n' and number % 100 == 7
            file.write(line.rstrip()[:-1] + ('1' if line.rstrip()[-1] == '0' else '0') + '\n' if wrong else line)
    return path


def whole(*words, environment=None, status=0):
    """What the program prints on one machine."""
    run = subprocess.run([support.CLI, 'validate', *words], capture_output=True, text=True, env={**os.environ, **(environment or {})})
    assert run.returncode == status, run
    return run.stdout


def undated(path):
    with open(path) as file:
        return [line for line in file if '"date"' not in line and not line.startswith(('date: ', 'end '))]


class InLine:
    """A Dask client of one worker in this process: what submit and gather do."""

    def __init__(self, threads):
        self.threads = threads

    def nthreads(self):
        return {'here': self.threads}

    def submit(self, function, *args, pure):
        import pickle
        args = pickle.loads(pickle.dumps(args))
        return pickle.loads(pickle.dumps(function(*args)))

    def gather(self, futures):
        return futures

    def cancel(self, futures):
        pass


def adding(seed=1):
    rng = np.random.default_rng(seed)
    return rng.standard_normal(1000).astype(np.float32), rng.standard_normal(1000).astype(np.float32), np.full(1024, 7, np.float32)


def keep(outcome, work):
    try:
        outcome.append(work())
    except BaseException as why:  # shown by the test
        outcome.append(why)


def kill_a_busy_one(test, client, pids, runner, outcome):
    busy = None
    while runner.is_alive() and not busy:
        busy = next((worker for worker, keys in client.processing().items() if keys), None)
    test.assertIsNotNone(busy, 'no worker was seen at work: %r' % outcome)
    lost = set(client.processing()[busy])
    os.kill(pids[busy], signal.SIGKILL)
    test.assertTrue(lost, 'the worker that was killed had nothing to do')
    while busy in client.nthreads():
        time.sleep(0.1)
    test.assertNotIn(pids[busy], client.run(os.getpid).values())


class Parts(unittest.TestCase):
    def test_the_bytes_of_one_machine(self):
        a, b, whole = adding()
        a.setflags(write=False)
        kernel = lw.load(ADD)['vector_add']
        result = kernel(whole, a, b, np.uint32(1000), grid=4, block=256)
        np.testing.assert_array_equal(whole[:1000], a + b)
        for parts in (1, 2, 3, 4, 9):
            c = np.full(1024, 7, np.float32)
            joined = distributed.launch(InLine(parts), ADD, 'vector_add', c, a, b, np.uint32(1000), grid=4, block=256)
            np.testing.assert_array_equal(c, whole)
            self.assertEqual((joined.parts, joined.groups, joined.waves, joined.instructions),
                             (parts, result.groups, result.waves, result.instructions))
        c = np.full(1024, 7, np.float32)
        with open(ADD, 'rb') as file:
            data = file.read()
        distributed.launch(InLine(1), data, 'vector_add', parts=2, grid=4, block=256, b=b, a=a, c=c, n=np.uint32(1000))
        np.testing.assert_array_equal(c, whole)

    def test_in_place(self):
        p = np.arange(32 * 7, dtype=np.uint32)
        distributed.launch(InLine(3), SLOW.encode(), 'slow', p, 5, grid=7, block=32)
        np.testing.assert_array_equal(p, np.arange(32 * 7) + 5)

    def test_what_is_refused(self):
        p = np.zeros(4, np.uint32)
        with self.assertRaisesRegex(lw.UnsupportedError, 'part 1 wrote bytes 0 to 3 of array 0, which part 2 wrote too'):
            distributed.launch(InLine(2), COUNTER.encode(), 'counter', p, grid=4, block=32)
        self.assertEqual(p[0], 0)
        distributed.launch(InLine(1), COUNTER.encode(), 'counter', p, grid=4, block=32)
        self.assertEqual(p[0], 4 * 32)
        with self.assertRaisesRegex(lw.KernelFault, 'part 4 of 4: .*in no allocation'):
            distributed.launch(InLine(4), SLOW.encode(), 'slow', np.zeros(32 * 3, np.uint32), 1, grid=4, block=32)
        for word in ('only', 'schedule', 'check', 'kernarg'):
            with self.assertRaisesRegex(TypeError, word + ' cannot be used'):
                distributed.launch(InLine(1), COUNTER.encode(), 'counter', p, grid=4, block=32, **{word: 'x'})
        with self.assertRaisesRegex(ValueError, 'overlap'):
            distributed.launch(InLine(1), ADD, 'vector_add', p, p[:2], p[1:3], np.uint32(1), grid=1, block=256)
        with self.assertRaisesRegex(TypeError, 'path or its bytes'):
            distributed.launch(InLine(1), lw.load(ADD), 'vector_add', p, grid=1, block=256)

    def test_files(self):
        """Parts of other launches, and damaged ones."""
        def parts_of(n, count=2):
            cargo = distributed._Cargo(SLOW.encode(), 'slow', None, (np.zeros(64, np.uint32), n), dict(grid=2, block=32))
            import pickle
            return [distributed._run(pickle.loads(pickle.dumps(cargo)), i, count)[0] for i in range(count)]
        ours, others, target = parts_of(3), parts_of(4), np.zeros(64, np.uint32)
        with self.assertRaisesRegex(lw.ArgumentError, 'different launches'):
            distributed.join([ours[0], others[1]], [target])
        with self.assertRaisesRegex(lw.ArgumentError, 'part 2 of 2 is missing'):
            distributed.join(ours[:1], [target])
        with self.assertRaisesRegex(lw.FormatError, 'hash is wrong'):
            distributed.join([ours[0], ours[1][:-1] + b'?'], [target])
        with self.assertRaisesRegex(lw.ArgumentError, 'the part keeps arrays of'):
            distributed.join(ours, [np.zeros(63, np.uint32)])
        self.assertEqual(target.sum(), 0)
        distributed.join(ours[::-1], [target])
        self.assertTrue((target == 3).all())


class Sweeps(unittest.TestCase):
    def test_recorded_results(self):
        with tempfile.TemporaryDirectory() as folder:
            files = [wrong_vectors(folder), os.path.join(support.DATA, 'gfx1201_wmma_swmmac_digests.csv')]
            wanted = whole(*files, status=1)
            self.assertEqual(wanted.count('recorded\n'), 10)
            for parts in 1, 3, 4:
                sweep = distributed.validate(InLine(parts), *files, program=support.CLI)
                self.assertEqual((sweep.report, sweep.different, sweep.parts), (wanted, True, parts))
            good = distributed.validate(InLine(2), files[1], program=support.CLI)
            self.assertEqual((good.report, good.different), (whole(files[1]), False))

    @unittest.skipUnless(os.path.isdir(STANDINS), 'there are no stand-ins')
    def test_a_device(self):
        with tempfile.TemporaryDirectory() as folder:
            report, record = os.path.join(folder, 'report.json'), os.path.join(folder, 'record.txt')
            wanted = whole('--device', 'cuda', '--only', 'ex2.approx', '--cases', '64', '--seed', '4', '--report', report + '.1', '--record',
                           record + '.1', environment=ON_STANDIN)
            self.assertIn('ex2.approx.ftz.f32', wanted)
            sweep = distributed.validate(InLine(3), program=support.CLI, environment=ON_STANDIN, report=report, record=record, **DEVICE)
            self.assertEqual((sweep.report, sweep.different), (wanted, False))
            self.assertEqual(undated(report), undated(report + '.1'))
            self.assertEqual(undated(record), undated(record + '.1'))

    def test_what_is_refused(self):
        with self.assertRaisesRegex(lw.ArgumentError, 'part 1 of 2: .*no-such-file: cannot be opened'):
            distributed.validate(InLine(2), 'no-such-file', program=support.CLI)
        with self.assertRaisesRegex(lw.UnsupportedError, 'part 1 of 1: .*cannot be loaded'):
            distributed.validate(InLine(1), program=support.CLI, device='cuda', library='/nowhere/libcuda.so.1')
        with self.assertRaisesRegex(lw.ArgumentError, 'part 1 of 1: .*No such file.*no-such-program'):
            distributed.validate(InLine(1), 'x', program='/no-such-program')
        with self.assertRaisesRegex(TypeError, 'json cannot be used'):
            distributed.validate(InLine(1), 'x', program=support.CLI, json=True)


class OnDask(unittest.TestCase):
    @unittest.skipUnless(os.path.isdir(STANDINS), 'there are no stand-ins')
    def test_a_sweep_on_four_workers_one_of_which_dies(self):
        """A worker is killed while it compares; a part of it is run again by another one."""
        from distributed import Client, LocalCluster
        wanted = whole('--device', 'cuda', '--only', 'matrix', '--cases', '300', environment=ON_STANDIN)
        with LocalCluster(n_workers=4, threads_per_worker=1, processes=True, dashboard_address=None) as cluster, Client(cluster) as client, \
                tempfile.TemporaryDirectory() as folder:
            pids, outcome = client.run(os.getpid), []
            files = [wrong_vectors(folder), os.path.join(support.DATA, 'gfx1201_wmma_swmmac_digests.csv')]
            runner = threading.Thread(target=keep, args=(outcome, lambda: distributed.validate(
                client, program=support.CLI, parts=8, environment=ON_STANDIN, device='cuda', only='matrix', cases=300)))
            runner.start()
            kill_a_busy_one(self, client, pids, runner, outcome)
            runner.join(timeout=300)
            self.assertEqual(len(outcome), 1)
            self.assertIsInstance(outcome[0], distributed.Sweep, outcome[0])
            self.assertEqual((outcome[0].report, outcome[0].different, outcome[0].parts), (wanted, False, 8))
            sweep = distributed.validate(client, *files, program=support.CLI)
            self.assertEqual((sweep.report, sweep.different), (whole(*files, status=1), True))
            self.assertIn(sweep.parts, (3, 4))  # Dask starts another worker in the place of the one that died

    def test_four_workers_one_of_which_dies(self):
        from distributed import Client, LocalCluster
        blocks, count = 64, 60000
        with LocalCluster(n_workers=4, threads_per_worker=1, processes=True, dashboard_address=None) as cluster, Client(cluster) as client:
            pids = client.run(os.getpid)
            self.assertEqual(len(pids), 4)
            p, outcome = np.arange(32 * blocks, dtype=np.uint32), []
            runner = threading.Thread(target=keep, args=(outcome, lambda: distributed.launch(
                client, SLOW.encode(), 'slow', p, count, parts=8, grid=blocks, block=32, threads=1)))
            runner.start()
            kill_a_busy_one(self, client, pids, runner, outcome)
            runner.join(timeout=300)
            self.assertEqual(len(outcome), 1)
            self.assertIsInstance(outcome[0], distributed.Joined, outcome[0])
            self.assertEqual(outcome[0].parts, 8)
            self.assertEqual(outcome[0].groups, blocks)
            np.testing.assert_array_equal(p, np.arange(32 * blocks) + count)
            with self.assertRaisesRegex(lw.UnsupportedError, 'run the launch whole'):
                distributed.launch(client, COUNTER.encode(), 'counter', np.zeros(4, np.uint32), grid=4, block=32)
            with self.assertRaisesRegex(lw.KernelFault, r'part \d of \d: .*in no allocation'):
                distributed.launch(client, SLOW.encode(), 'slow', np.zeros(32 * 3, np.uint32), 1, grid=4, block=32)


class OnRanks(unittest.TestCase):
    def test_four_ranks(self):
        run = subprocess.run(['mpirun', '--allow-run-as-root', '--oversubscribe', '-n', '4', sys.executable, '-B', os.path.abspath(__file__),
                              'ranks'], capture_output=True, text=True, timeout=300)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertEqual(run.stdout.count('rank has the bytes'), 4, run.stdout + run.stderr)


def ranks():
    """What each rank does."""
    from mpi4py import MPI
    comm = MPI.COMM_WORLD
    assert comm.Get_size() == 4
    a, b, c = adding()
    joined = distributed.launch(comm, ADD, 'vector_add', c, a, b, np.uint32(1000), grid=4, block=256)
    assert joined.parts == 4 and joined.groups == 4
    np.testing.assert_array_equal(c[:1000], a + b)
    assert (c[1000:] == 7).all()
    p = np.arange(32 * 7, dtype=np.uint32)
    distributed.launch(comm, SLOW.encode(), 'slow', p, 5, parts=6, grid=7, block=32)
    np.testing.assert_array_equal(p, np.arange(32 * 7) + 5)
    for kernel, text, args, kind in (('counter', COUNTER, (np.zeros(4, np.uint32),), lw.UnsupportedError),
                                     ('slow', SLOW, (np.zeros(96, np.uint32), 1), lw.KernelFault)):
        try:
            distributed.launch(comm, text.encode(), kernel, *args, grid=4, block=32)
            raise AssertionError('%s was not refused' % kernel)
        except kind:
            pass
    files = [os.path.join(support.DATA, name) for name in ('gfx1201_wmma_swmmac_digests.csv', 'nvidia-mma-rows.csv')]
    sweep = distributed.validate(comm, *files, program=support.CLI)
    assert sweep.report == whole(*files) and not sweep.different and sweep.parts == 4, sweep
    if os.path.isdir(STANDINS):
        sweep = distributed.validate(comm, program=support.CLI, environment=ON_STANDIN, parts=5, **DEVICE)
        assert sweep.report == whole('--device', 'cuda', '--only', 'ex2.approx', '--cases', '64', '--seed', '4', environment=ON_STANDIN)
    p = np.full(4, comm.Get_rank(), np.uint32)  # not the same arguments
    try:
        distributed.launch(comm, COUNTER.encode(), 'counter', p, grid=4, block=32)
        raise AssertionError('ranks with different arguments were joined')
    except lw.ArgumentError as why:
        assert 'different launches' in str(why)
    print('rank has the bytes', flush=True)


if __name__ == '__main__':
    if MODE == 'ranks':
        ranks()
        sys.exit(0)
    if MODE == 'dask':
        try:
            import distributed as _  # noqa: F401
        except ImportError:
            support.skip('this Python has no Dask (dask.distributed)')
    if MODE == 'mpi':
        if not shutil.which('mpirun'):
            support.skip('there is no mpirun')
        try:
            import mpi4py  # noqa: F401
        except ImportError:
            support.skip('this Python has no mpi4py')
    unittest.main(defaultTest={'parts': ['Parts', 'Sweeps'], 'dask': 'OnDask', 'mpi': 'OnRanks'}[MODE])

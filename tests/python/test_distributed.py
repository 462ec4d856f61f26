# SPDX-License-Identifier: MIT
"""Launches in parts: on Dask's workers, of which one dies, and on the ranks of mpirun. Always the bytes of one machine, or refused.

Usage: test_distributed.py parts|dask|mpi (ranks: what mpirun starts)"""
import os
import shutil
import signal
import subprocess
import sys
import threading
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


class OnDask(unittest.TestCase):
    def test_four_workers_one_of_which_dies(self):
        from distributed import Client, LocalCluster
        blocks, count = 64, 60000
        with LocalCluster(n_workers=4, threads_per_worker=1, processes=True, dashboard_address=None) as cluster, Client(cluster) as client:
            pids = client.run(os.getpid)
            self.assertEqual(len(pids), 4)
            p, outcome = np.arange(32 * blocks, dtype=np.uint32), []

            def go():
                try:
                    outcome.append(distributed.launch(client, SLOW.encode(), 'slow', p, count, parts=8, grid=blocks, block=32, threads=1))
                except BaseException as why:  # shown by the test
                    outcome.append(why)
            runner = threading.Thread(target=go)
            runner.start()
            busy = None
            while runner.is_alive() and not busy:
                busy = next((worker for worker, keys in client.processing().items() if keys), None)
            self.assertIsNotNone(busy, 'no worker was seen at work: %r' % outcome)
            lost = set(client.processing()[busy])
            os.kill(pids[busy], signal.SIGKILL)
            runner.join(timeout=300)
            self.assertEqual(len(outcome), 1)
            self.assertIsInstance(outcome[0], distributed.Joined, outcome[0])
            self.assertTrue(lost, 'the worker that was killed had nothing to do')
            self.assertNotIn(pids[busy], client.run(os.getpid).values())
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
    unittest.main(defaultTest={'parts': 'Parts', 'dask': 'OnDask', 'mpi': 'OnRanks'}[MODE])
